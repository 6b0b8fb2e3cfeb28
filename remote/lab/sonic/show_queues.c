/* SONiC's "show queue" and "show priority-group". */
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/sonic/cache.h"
#include "remote/lab/sonic/config_db.h"
#include "remote/lab/sonic/dress.h"
#include "remote/lab/sonic/grid.h"
#include "remote/lab/sonic/keys.h"
#include "remote/lab/sonic/show.h"
#include "remote/lab/world/skins.h"

/* How many unicast queues there are, and then as many of multicast: 8, or 10 on some ASICs. */
static unsigned n_queues(const struct lab_device *d)
{
	return wears(d, SKIN_QUEUES_TWENTY) ? 10 : SIM_PRIOS;
}

/* One port's table, as it is made. */
struct table {
	const struct tool_call *t;
	const struct lab_port *port;
	enum cache_kind kind;
	bool is_nonzero;	/* rows of zeros are left out */
	struct grid grid;
	json_t *json;		/* owned; the same by queues; NULL: as text */
};

/* Releases before 202211 print no commas here. */
static void add_number(const struct tool_call *t, struct grid *g, uint64_t n)
{
	if (sonic_is_old(t->device))
		grid_number(g, n);
	else
		grid_counter(g, n);
}

static void add_json(struct table *table, const char *queue, const uint64_t numbers[4])
{
	static const char *const names[][4] = { { "totalpacket", "totalbytes", "droppacket", "dropbytes" },
						{ "wreddroppacket", "wreddropbytes", "ecnmarkedpacket", "ecnmarkedbytes" } };
	json_t *row = json_object();

	for (unsigned i = 0; i < 4; i++) {
		char text[32];

		grid_text(text, numbers[i]);
		json_object_set_new(row, names[table->kind == CACHE_WRED][i], json_string(text));
	}
	json_object_set_new(table->json, queue, row);
}

static void add_queue(struct table *table, const char *kind, unsigned number, const uint64_t numbers[4])
{
	char queue[8];

	if (table->is_nonzero && !(numbers[0] | numbers[1] | numbers[2] | numbers[3]))
		return;
	snprintf(queue, sizeof(queue), "%s%u", kind, number);
	if (table->json) {
		add_json(table, queue, numbers);
		return;
	}
	grid_add(&table->grid, table->port->name);
	grid_add(&table->grid, queue);
	for (unsigned i = 0; i < 4; i++)
		add_number(table->t, &table->grid, numbers[i]);
}

/* What is flooded has queues of its own; some of them drop a little on a healthy switch. */
static void add_multicast(struct table *table)
{
	unsigned n = n_queues(table->t->device);

	for (unsigned k = n; k < 2 * n; k++) {
		uint64_t drops = n > SIM_PRIOS && k < n + 2 ? 48 + port_draw(table->t->fabric, table->port, "multicast drops") % 300 : 0;

		add_queue(table, "MC", k, (const uint64_t[]){ 0, 0, drops, drops * 64 });
	}
}

/* Where the release counts only queues that CONFIG_DB has a row of, the others are not there. */
static bool is_counted(const struct tool_call *t, const struct lab_port *p, unsigned queue)
{
	return !wears(t->device, SKIN_QUEUES_CONFIGURED) || confdb_queue(confdb_of(t->device), p->name, queue);
}

static void add_queues(struct table *table)
{
	bool of_wred = table->kind == CACHE_WRED;
	struct sim_counters c;

	cache_counters(table->t, table->port, table->kind, &c);
	for (unsigned k = 0; k < n_queues(table->t->device); k++) {
		uint64_t zero[4] = { 0 }, numbers[4];

		if (!is_counted(table->t, table->port, k))
			continue;
		if (k >= SIM_PRIOS) {
			add_queue(table, "UC", k, zero);
			continue;
		}
		numbers[0] = of_wred ? c.tx_drop[k] : c.tx_packets[k];
		numbers[1] = of_wred ? c.tx_drop[k] * 4178 : c.tx_bytes[k];
		numbers[2] = of_wred ? c.marked[k] : c.tx_drop[k];
		numbers[3] = numbers[2] * 4178;
		add_queue(table, "UC", k, numbers);
	}
	if (!wears(table->t->device, SKIN_QUEUES_CONFIGURED))
		add_multicast(table);
}

/* A table that would have no rows is not printed, nor what stands above it. */
static void print_table(struct tool_call *t, struct table *table)
{
	struct grid *g = &table->grid;

	grid_init(g, table->kind == CACHE_WRED ? "Port|TxQ|WredDrp/pkts|WredDrp/bytes|EcnMarked/pkts|EcnMarked/bytes" :
						 "Port|TxQ|Counter/pkts|Counter/bytes|Drop/pkts|Drop/bytes", true);
	add_queues(table);
	if (g->n == g->columns) {
		grid_done(g);
		return;
	}
	if (!cache_print_time(t, table->kind, table->port->name) && table->kind == CACHE_QUEUES && !sonic_is_old(t->device))
		buf_str(t->out, "For namespace :\n");
	grid_print(g, t->out);
	buf_str(t->out, "\n");
}

static void print_json(struct tool_call *t, json_t *ports)
{
	char *text = json_dumps(ports, JSON_INDENT(2) | JSON_SORT_KEYS);

	buf_printf(t->out, "%s\n", text ? text : "{}");
	free(text);
}

static int queue_tables(struct tool_call *t, enum cache_kind kind)
{
	json_t *ports = has_word(t, "--json") || has_word(t, "-j") ? json_object() : NULL;

	for (unsigned i = 0; i < t->device->n; i++) {
		struct table table = { .t = t, .port = port_at(t, i), .kind = kind };

		if (!is_asked(t, table.port))
			continue;
		table.is_nonzero = has_word(t, "--nonzero") || has_word(t, "-nz");
		if (!ports) {
			print_table(t, &table);
			continue;
		}
		table.json = json_object();
		add_queues(&table);
		json_object_set_new(ports, table.port->name, table.json);
	}
	if (ports)
		print_json(t, ports);
	json_decref(ports);
	return 0;
}

int show_queue_counters(struct tool_call *t)
{
	return queue_tables(t, CACHE_QUEUES);
}

int show_queue_wredcounters(struct tool_call *t)
{
	return queue_tables(t, CACHE_WRED);
}

/* -- watermarks and priority groups -- */

/* "Port|UC0|UC1|…" */
static void init_numbered(struct grid *g, const char *prefix, unsigned n)
{
	struct buf header = { NULL };

	buf_str(&header, "Port");
	for (unsigned i = 0; i < n; i++)
		buf_printf(&header, "|%s%u", prefix, i);
	grid_init(g, header.text, true);
	buf_done(&header);
}

static int watermarks(struct tool_call *t, const char *title, const char *prefix, bool of_queues)
{
	unsigned n = of_queues ? n_queues(t->device) : SIM_PRIOS;
	struct grid g;

	buf_printf(t->out, "%s\n", title);
	init_numbered(&g, prefix, n);
	g.is_narrow = wears(t->device, SKIN_ROWS_SHIFTED);
	for (unsigned i = 0; i < t->device->n; i++) {
		const struct sim_counters *c = sim_counters(t->fabric->sim, port_at(t, i)->sim);

		grid_add(&g, port_at(t, i)->name);
		for (unsigned k = 0; k < n; k++)
			grid_number(&g, k >= SIM_PRIOS ? 0 : of_queues ? c->queue_peak[k] : c->pg_peak[k]);
	}
	grid_print(&g, t->out);
	return 0;
}

int show_queue_watermark(struct tool_call *t)
{
	return watermarks(t, "Egress shared pool occupancy per unicast queue:", "UC", true);
}

int show_pg_headroom(struct tool_call *t)
{
	return watermarks(t, "Ingress headroom per PG:", "PG", false);
}

int show_pg_shared(struct tool_call *t)
{
	return watermarks(t, "Ingress shared pool occupancy per PG:", "PG", false);
}

int show_pg_drops(struct tool_call *t)
{
	struct grid g;

	buf_str(t->out, "Ingress PG dropped packets:\n");
	init_numbered(&g, "PG", SIM_PRIOS);
	g.is_narrow = wears(t->device, SKIN_ROWS_SHIFTED);
	for (unsigned i = 0; i < t->device->n; i++) {
		struct sim_counters c;

		fabric_counters(t->fabric, port_at(t, i), &c);
		grid_add(&g, port_at(t, i)->name);
		for (unsigned k = 0; k < SIM_PRIOS; k++)
			grid_number(&g, c.rx_drop[k]);
	}
	grid_print(&g, t->out);
	return 0;
}
