#include "remote/lab/server/spoil.h"

#include <stdio.h>
#include <string.h>

#include "remote/lab/world/skins.h"

#define KILLED	137	/* 128 + SIGKILL: what a shell says of it */
#define HANG_MS	20000
#define SLOW_MS	4000	/* less than the limit that a host's shell sets a tool */
#define HANG_EVERY	60	/* of so many reads one hangs */

/* It printed whatever the pipe had taken by then, down to half a line. */
static int cut(uint64_t luck, struct buf *out, struct buf *errors)
{
	buf_clear(errors);
	if (out->n)
		out->text[out->n = (luck >> 8) % out->n] = '\0';
	return KILLED;
}

static int be_busy(uint64_t luck, struct buf *out, struct buf *errors)
{
	(void)luck;
	buf_clear(out);
	buf_clear(errors);
	buf_str(errors, "RTNETLINK answers: Device or resource busy\n");
	return 1;
}

static const struct {
	enum skin skin;
	unsigned every;		/* one of so many reads */
	int (*spoil)(uint64_t luck, struct buf *out, struct buf *errors);
} spoils[] = {
	{ SKIN_READS_CUT,	25,	cut },
	{ SKIN_READS_BUSY,	25,	be_busy },
};

static uint64_t luck_of(const struct fabric *f, const struct lab_device *d)
{
	uint64_t luck = (f->seed + 1) * 0x9e3779b97f4a7c15u ^ (d->reads + 1) * 0xd6e8feb86659fd93u ^ (uint64_t)d->number << 40;

	luck ^= luck >> 31;
	luck *= 0xff51afd7ed558ccdu;
	return luck ^ luck >> 33;
}

bool spoil_next(struct lab_device *d, const char *kind, const char *tool, unsigned n)
{
	static const char *const kinds[] = { [SPOIL_CUT] = "cut", [SPOIL_BUSY] = "busy", [SPOIL_HANG] = "hang", [SPOIL_SLOW] = "slow" };

	for (unsigned how = 0; how < sizeof(kinds) / sizeof(*kinds); how++) {
		if (strcmp(kind, kinds[how]))
			continue;
		d->spoil = (struct lab_spoil){ .left = n, .how = how };
		snprintf(d->spoil.tool, sizeof(d->spoil.tool), "%s", tool);
		return true;
	}
	return false;
}

int spoil_reply(const struct fabric *f, struct lab_device *d, const char *tool, int status, struct buf *out, struct buf *errors)
{
	uint64_t luck = luck_of(f, d);

	d->reads++;
	if (d->spoil.left && d->spoil.how < SPOIL_HANG && !strcmp(d->spoil.tool, tool)) {
		d->spoil.left--;
		return d->spoil.how == SPOIL_BUSY ? be_busy(luck, out, errors) : cut(luck, out, errors);
	}
	for (size_t i = 0; i < sizeof(spoils) / sizeof(*spoils); i++)
		if (wears(d, spoils[i].skin) && luck % spoils[i].every == i)
			return spoils[i].spoil(luck, out, errors);
	return status;
}

/* The line begins with one of "mlnx_qos|dmesg". */
static bool begins_with_any(struct span line, const char *tools)
{
	struct span rest = span_of(tools), tool;

	while (span_cut(rest, '|', &tool, &rest))
		if (tool.n <= line.n && !memcmp(line.p, tool.p, tool.n))
			return true;
	return rest.n <= line.n && !memcmp(line.p, rest.p, rest.n);
}

uint64_t spoil_asked_ms(struct lab_device *d, struct span line)
{
	if (!d->spoil.left || d->spoil.how < SPOIL_HANG || !begins_with_any(line, d->spoil.tool))
		return 0;
	d->spoil.left--;
	return d->spoil.how == SPOIL_HANG ? HANG_MS : SLOW_MS;
}

uint64_t spoil_ms(const struct fabric *f, const struct lab_device *d)
{
	if (f->pace <= 0 || !wears(d, SKIN_READS_HANG) || luck_of(f, d) % HANG_EVERY)
		return 0;
	return (uint64_t)(HANG_MS / f->pace);
}
