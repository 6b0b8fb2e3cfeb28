#include "remote/lab/server/pace.h"

#include <stdlib.h>

#define TAIL_EVERY	20	/* one of so many commands */
#define TAIL_TIMES	5	/* takes so many times as long */
#define FASTEST		1000.0
#define LATE_PARTS	5	/* a device's answers are late by up to 0, 1, 2, 3 or 4 quarters of what is asked for */

/* The first row that the command begins with counts. ms: each time; port_ms: and for each port of the device. */
static const struct cost {
	const char *system, *command;
	unsigned ms, port_ms;
	const char *seen;
} costs[] = {
	{ "linux", "mlnx_qos",			300, 0, "a Python program; 2 to 3 s were seen on a host with eight ports" },
	{ "linux", "show_gids",			120, 5, "unproven; a shell script that reads each GID's file" },
	{ "linux", "ethtool -S",		12, 0, "unproven; the driver asks its firmware" },
	{ "linux", "ethtool",			4, 0, "unproven" },
	{ "linux", "lldpcli",			15, 0, "unproven" },
	{ "linux", "systemd-run",		40, 0, "unproven" },
	{ "linux", "systemctl",			15, 0, "unproven" },
	{ "linux", "cma_roce_tos",		20, 0, "unproven" },
	{ "linux", "mlxconfig",			900, 0, "unproven; reads the NIC's flash" },
	{ "linux", "mstconfig",			900, 0, "unproven; reads the NIC's flash" },
	{ "linux", "",				4, 0, "unproven" },
	{ "sonic", "show runningconfiguration",	1800, 0, "a Python program, about a second each" },
	{ "sonic", "show",			900, 4, "a Python program, about a second each" },
	{ "sonic", "config save",		1500, 0, "a Python program, about a second each" },
	{ "sonic", "config",			1100, 0, "a Python program, about a second each" },
	{ "sonic", "pfc",			900, 0, "a Python program, about a second each" },
	{ "sonic", "counterpoll",		700, 0, "a Python program, about a second each" },
	{ "sonic", "ecnconfig",			900, 0, "a Python program, about a second each" },
	{ "sonic", "sonic-db-cli",		150, 0, "unproven; a Python program in the releases to 202012" },
	{ "sonic", "",				10, 0, "unproven" },
	{ "os10", "show running-configuration",	2500, 10, "unproven" },
	{ "os10", "show queuing",		600, 60, "unproven" },
	{ "os10", "show",			400, 15, "unproven" },
	{ "os10", "write",			4000, 0, "unproven" },
	{ "os10", "copy",			4000, 0, "unproven" },
	{ "os10", "system",			600, 0, "unproven" },
	{ "os10", "terminal",			60, 0, "unproven" },
	{ "os10", "",				120, 0, "unproven" },
};

bool pace_set(struct fabric *f, const char *word)
{
	char *end;

	if (!strcmp(word, "off"))
		f->pace = 0;
	else if (!strcmp(word, "real"))
		f->pace = 1;
	else if ((f->pace = strtod(word, &end)) <= 0 || *end || f->pace > FASTEST)
		return false;
	return true;
}

static bool is_of(const struct cost *cost, const struct lab_device *d, struct span words)
{
	return !strcmp(cost->system, d->system->name) && span_skip(&words, cost->command);
}

static uint64_t luck_of(const struct fabric *f, const struct lab_device *d, uint64_t of)
{
	uint64_t luck = (f->seed + 1) * 0x9e3779b97f4a7c15u ^ of * 0xd6e8feb86659fd93u ^ (uint64_t)(d - f->devices);

	return luck ^ luck >> 29;
}

uint64_t pace_ms(const struct fabric *f, const struct lab_device *d, struct span words)
{
	uint64_t luck = luck_of(f, d, (uint64_t)f->now_us);

	if (f->pace <= 0)
		return 0;
	for (size_t i = 0; i < sizeof(costs) / sizeof(*costs); i++)
		if (is_of(&costs[i], d, words))
			return (uint64_t)((costs[i].ms + costs[i].port_ms * d->n) * (luck % TAIL_EVERY ? 1 : TAIL_TIMES) / f->pace);
	return 0;
}

uint64_t pace_late_ms(const struct fabric *f, const struct lab_device *d)
{
	uint64_t part = luck_of(f, d, 0) % LATE_PARTS;

	return part ? luck_of(f, d, (uint64_t)f->now_us) % (f->late_ms * part / (LATE_PARTS - 1) + 1) : 0;
}

void pace_print(struct buf *out)
{
	for (size_t i = 0; i < sizeof(costs) / sizeof(*costs); i++)
		buf_printf(out, "%-6s %-28s %5u ms %3u ms a port   %s\n", costs[i].system, *costs[i].command ? costs[i].command : "all else",
			   costs[i].ms, costs[i].port_ms, costs[i].seen);
}
