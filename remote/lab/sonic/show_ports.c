/* SONiC's "show interfaces" of one port at a time: its counters by sizes of packets, its FEC. */
#include <stdio.h>

#include "remote/lab/sonic/cache.h"
#include "remote/lab/sonic/click.h"
#include "remote/lab/sonic/config_db.h"
#include "remote/lab/sonic/dress.h"
#include "remote/lab/sonic/grid.h"
#include "remote/lab/sonic/show.h"

/* -- counters, detailed -- */

#define CONTROL_BYTES	82	/* a CNP, an ACK */

static const struct {
	const char *name;
	unsigned max;
} sizes[] = {
	{ "64", 64 }, { "65-127", 127 }, { "128-255", 255 }, { "256-511", 511 }, { "512-1023", 1023 }, { "1024-1518", 1518 },
	{ "1519-2047", 2047 }, { "2048-4095", 4095 }, { "4096-9216", 9216 }, { "9217-16383", 16383 },
};
#define N_SIZES	(sizeof(sizes) / sizeof(*sizes))

static void count(uint64_t by_size[N_SIZES], uint64_t packets, uint64_t bytes)
{
	size_t i = 0;

	while (packets && i < N_SIZES - 1 && bytes / packets > sizes[i].max)
		i++;
	by_size[i] += packets;
}

/* "Overruns Received.............................. 0" */
static void print_text(struct buf *out, const char *name, const char *value)
{
	static const char dots[] = "...............................................";
	size_t n = strlen(name), width = sizeof(dots) - 1;

	buf_printf(out, "%s%s %s\n", name, n < width ? dots + n : "", value);
}

static void print_count(struct buf *out, const char *name, uint64_t n)
{
	char text[32];

	grid_text(text, n);
	print_text(out, name, text);
}

/* One direction: by sizes, each priority's data by its mean. */
static void print_sizes(struct buf *out, const char *verb, const uint64_t *packets, const uint64_t *bytes, const uint64_t *control)
{
	uint64_t by_size[N_SIZES] = { 0 };

	for (unsigned k = 0; k < SIM_PRIOS; k++) {
		uint64_t small = control[k] < packets[k] ? control[k] : packets[k], small_bytes = small * CONTROL_BYTES;

		count(by_size, small, small_bytes);
		count(by_size, packets[k] - small, bytes[k] > small_bytes ? bytes[k] - small_bytes : 0);
	}
	for (size_t i = 0; i < N_SIZES; i++) {
		char name[48];

		snprintf(name, sizeof(name), "Packets %s %s Octets", verb, sizes[i].name);
		print_count(out, name, by_size[i]);
	}
	buf_str(out, "\n");
}

static void print_drops(struct buf *out, uint64_t drops)
{
	print_count(out, "WRED Green Dropped Packets", drops);
	print_count(out, "WRED Yellow Dropped Packets", 0);
	print_count(out, "WRED Red Dropped Packets", 0);
	print_count(out, "WRED Total Dropped Packets", drops);
	buf_str(out, "\n");
	print_count(out, "Trimmed Packets", 0);
	print_count(out, "Trimmed Sent Packets", 0);
	print_count(out, "Trimmed Dropped Packets", 0);
	buf_str(out, "\n");
}

static void print_detailed(const struct tool_call *t, const struct lab_port *p)
{
	static const char *const received[] = { "Jabbers Received", "Fragments Received", "Undersize Received", "Overruns Received" };
	struct buf *out = t->out;
	struct sim_counters c;
	char cleared[40];

	cache_counters(t, p, CACHE_PORTS, &c);
	print_sizes(out, "Received", c.rx_packets, c.rx_bytes, c.rx_control);
	print_count(out, "Total Packets Received Without Errors", sim_all_prios(c.rx_packets));
	print_count(out, "Unicast Packets Received", sim_all_prios(c.rx_packets));
	print_count(out, "Multicast Packets Received", 0);
	print_count(out, "Broadcast Packets Received", 0);
	buf_str(out, "\n");
	for (size_t i = 0; i < sizeof(received) / sizeof(*received); i++)
		print_count(out, received[i], 0);
	buf_str(out, "\n");
	print_sizes(out, "Transmitted", c.tx_packets, c.tx_bytes, c.tx_control);
	print_count(out, "Total Packets Transmitted Successfully", sim_all_prios(c.tx_packets));
	print_count(out, "Unicast Packets Transmitted", sim_all_prios(c.tx_packets));
	print_count(out, "Multicast Packets Transmitted", 0);
	print_count(out, "Broadcast Packets Transmitted", 0);
	buf_str(out, "\n");
	if (sonic_is_latest(t->device))
		print_drops(out, sim_all_prios(c.tx_drop));
	print_text(out, "Time Since Counters Last Cleared", cache_time(t, CACHE_PORTS, cleared) ? cleared : "None");
}

int show_interfaces_detailed(struct tool_call *t)
{
	if (t->argc == 4)
		return click_refuse(t, 4, false, "Missing argument \"<INTERFACE_NAME>\".");
	for (unsigned i = 0; i < t->device->n; i++)
		if (is_asked(t, port_at(t, i)))
			print_detailed(t, port_at(t, i));
	return 0;
}

/* -- FEC -- */

static const char *fec_of(const struct tool_call *t, const struct lab_port *p)
{
	const char *text = confdb_get(confdb_of(t->device), "PORT", p->name, "fec");

	return text ? text : "N/A";
}

#define FEC_COLUMNS	"IFACE|STATE|FEC_CORR|FEC_UNCORR|FEC_SYMBOL_ERR"

/* Rates of errors and of lost frames are those of an ASIC that does not tell them. */
int show_interfaces_fec_stats(struct tool_call *t)
{
	struct grid g;

	cache_print_time(t, CACHE_PORTS, "");
	grid_init(&g, sonic_is_latest(t->device) ? FEC_COLUMNS "|FEC_PRE_BER|FEC_POST_BER|FEC_PRE_BER_MAX|FLR(O)|FLR(P) (Accuracy)|FEC_MAX_T" :
						   FEC_COLUMNS, true);
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);
		struct sim_counters c;

		cache_counters(t, p, CACHE_PORTS, &c);
		grid_add(&g, p->name);
		grid_add(&g, port_is_up(t->fabric, p) ? "U" : "D");
		grid_counter(&g, c.fec_corr);
		grid_counter(&g, c.phy_err);
		grid_counter(&g, c.fec_corr + c.phy_err);
		for (unsigned k = 5; k < g.columns; k++)
			grid_add(&g, "N/A");
	}
	grid_print(&g, t->out);
	return 0;
}

int show_interfaces_fec(struct tool_call *t)
{
	struct grid g;

	grid_init(&g, "Interface|FEC Oper|FEC Admin", true);
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct lab_port *p = port_at(t, i);

		if (!is_asked(t, p))
			continue;
		grid_add(&g, p->name);
		grid_add(&g, port_is_up(t->fabric, p) ? fec_of(t, p) : "N/A");
		grid_add(&g, fec_of(t, p));
	}
	grid_print(&g, t->out);
	return 0;
}
