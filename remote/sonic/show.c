/*
 * SONiC's tables. All are printed the same way: a header, a line of dashes that says where each column stands, rows,
 * and blank lines anywhere. Cells are found by their column's name; releases add and drop columns.
 *
 * source	SONiC command reference, and the outputs in the tests of sonic-net/sonic-utilities
 */
#include "remote/sonic/sonic.h"

#include <ctype.h>

#include "remote/platform/mac_lists.h"

#define COLUMNS_MAX 24

struct table {
	size_t n;
	struct {
		struct span name;
		size_t from, to;	/* bytes of the line */
		struct span cell;	/* of the row */
	} column[COLUMNS_MAX];
	struct span row;
	uint16_t port;			/* of the row */
};

static struct span slice(struct span line, size_t from, size_t to)
{
	if (from >= line.n)
		return (struct span){ line.p + line.n, 0 };
	return span_trim((struct span){ line.p + from, (to < line.n ? to : line.n) - from });
}

/* Columns from a line of dashes in two groups or more, under its header; false when it is none. */
static bool table_begins(struct table *t, struct span header, struct span line)
{
	size_t n = 0;

	for (size_t i = 0; i < line.n;) {
		size_t from = i;

		while (i < line.n && line.p[i] == '-')
			i++;
		if (i == from || n == COLUMNS_MAX)
			return false;
		t->column[n].from = from;
		t->column[n].to = i;
		t->column[n++].name = slice(header, from, i);
		while (i < line.n && line.p[i] == ' ')
			i++;
	}
	if (n < 2)
		return false;
	t->column[n - 1].to = SIZE_MAX;
	t->n = n;
	return true;
}

/* The names of the columns again: what follows is another table, whose dashes are not there. */
static bool is_header_again(const struct table *t, struct span line)
{
	size_t same = 0;

	for (size_t i = 1; i < t->n; i++)
		same += t->column[i].name.n > 0 && span_same(slice(line, t->column[i].from, t->column[i].to), t->column[i].name);
	return same > 0 && same >= t->n / 2;
}

static struct span cell(const struct table *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (span_is_nocase(t->column[i].name, name))
			return t->column[i].cell;
	return SPAN("");
}

static bool has_column(const struct table *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (span_is_nocase(t->column[i].name, name))
			return true;
	return false;
}

/* Whether every cell stands under its dashes: none reaches into the gap behind them. */
static bool is_straight(const struct table *t, struct span line)
{
	for (size_t i = 0; i + 1 < t->n; i++)
		for (size_t at = t->column[i].to; at < t->column[i + 1].from && at < line.n; at++)
			if (line.p[at] != ' ')
				return false;
	return true;
}

/* Cells of a row that is out of line, where it has as many as there are columns, two blanks or more apart. */
static bool cut_cells(struct table *t, struct span line)
{
	size_t n = 0;

	for (size_t i = 0; i < line.n;) {
		size_t from = i;

		while (i < line.n && !(line.p[i] == ' ' && (i + 1 == line.n || line.p[i + 1] == ' ')))
			i++;
		if (i > from && n == t->n)
			return false;
		if (i > from)
			t->column[n++].cell = (struct span){ line.p + from, i - from };
		while (i < line.n && line.p[i] == ' ')
			i++;
	}
	return n == t->n;
}

/* A name or a number that was cut would be another one: false where nothing tells where the cells of the row end. */
static bool take_row(struct table *t, struct span line)
{
	t->row = line;
	if (!is_straight(t, line))
		return cut_cells(t, line);
	for (size_t i = 0; i < t->n; i++)
		t->column[i].cell = slice(line, t->column[i].from, t->column[i].to);
	return true;
}

typedef void row_reader(const struct table *t, struct obs *o);

static void one_row(struct table *t, struct span line, struct obs *o, row_reader *read)
{
	struct span port, tail;

	obs_cite(o, line);
	if (!take_row(t, line)) {
		obs_missed(o, line);
		return;
	}
	port = t->column[0].cell;
	span_cut(port, ':', &port, &tail);
	t->port = sonic_port(o, port);
	if (t->port != OBS_DEVICE)
		read(t, o);
}

/* Reads the rows of every table that has the two columns; the first cell is "Ethernet4" or "Ethernet4:3". */
static size_t each_row(const struct answer *a, struct obs *o, const char *first, const char *second, row_reader *read)
{
	struct table t = { 0 };
	struct span rest = a->text, line, before = SPAN("");

	while (span_line(&rest, &line)) {
		bool is_dashes = line.n > 0 && (*line.p == '-');

		if (is_dashes && table_begins(&t, before, line)) {
			if (!is_straight(&t, before) || !has_column(&t, first) || !has_column(&t, second))
				t.n = 0;
		} else if (t.n > 0 && is_header_again(&t, line)) {
			t.n = 0;
		} else if (is_dashes) {
			t.n = 0;
		} else if (t.n > 0 && (rest.n > 0 || !a->is_partial)) {	/* it may end inside a number */
			one_row(&t, line, o, read);
		}
		before = line;
	}
	return o->n;
}

/* Columns PREFIX0 … PREFIX7 to the indices of a field. */
static void numbered(const struct table *t, struct obs *o, const char *prefix, enum field f)
{
	for (size_t i = 0; i < t->n; i++) {
		struct span name = t->column[i].name, value = t->column[i].cell;
		uint64_t index;

		if (!span_skip(&name, prefix) || !span_u64(name, &index) || index > 7)
			continue;
		obs_counter(o, t->port, f, (unsigned)index, value, 0);
	}
}

/* A queue that RoCE can use: "UC3", or "ALL3" where unicast and multicast share. */
static bool unicast_queue(struct span name, unsigned *queue)
{
	uint64_t n;

	if (!span_skip(&name, "UC") && !span_skip(&name, "ALL"))
		return false;
	if (name.n != 1 || !span_u64(name, &n) || n > 7)
		return false;
	*queue = (unsigned)n;
	return true;
}

static void pfc_row(const struct table *t, struct obs *o)
{
	if (span_is_nocase(t->column[0].name, "Port Rx"))
		numbered(t, o, "PFC", FIELD_PFC_RX);
	else if (span_is_nocase(t->column[0].name, "Port Tx"))
		numbered(t, o, "PFC", FIELD_PFC_TX);
}

size_t sonic_pfc_counters(const struct answer *a, struct obs *o)
{
	return each_row(a, o, "PFC0", "PFC3", pfc_row);
}

static void history_row(const struct table *t, struct obs *o)
{
	struct span priority = cell(t, "Priority");
	uint64_t index;

	if (!span_skip(&priority, "PFC") || !span_u64(priority, &index) || index > 7) {
		obs_missed(o, t->row);
		return;
	}
	obs_counter(o, t->port, FIELD_PFC_RX_US, (unsigned)index, cell(t, "Total RX Pause Time US"), 0);
}

size_t sonic_pfc_history(const struct answer *a, struct obs *o)
{
	return each_row(a, o, "Priority", "Total RX Pause Time US", history_row);
}

static void priority_row(const struct table *t, struct obs *o)
{
	struct span list = cell(t, "Lossless priorities");
	uint64_t on = 0, n;
	struct span part;

	while (list.n > 0) {
		if (!span_cut(list, ',', &part, &list)) {
			part = list;
			list.n = 0;
		}
		if (!span_u64(span_trim(part), &n) || n > 7) {
			obs_missed(o, t->row);
			return;
		}
		on |= UINT64_C(1) << n;
	}
	for (unsigned i = 0; i < 8; i++)
		obs_bool(o, t->port, FIELD_PFC_ON, i, on >> i & 1);
}

size_t sonic_pfc_priority(const struct answer *a, struct obs *o)
{
	return each_row(a, o, "Interface", "Lossless priorities", priority_row);
}

static void watchdog_row(const struct table *t, struct obs *o)
{
	struct span action = cell(t, "ACTION");

	if (!has_column(t, "ACTION"))
		obs_unknown(o, t->port, FIELD_PFC_WATCHDOG, 0, "the table has no column ACTION");
	else
		obs_bool(o, t->port, FIELD_PFC_WATCHDOG, 0, action.n > 0);
	if (action.n)
		obs_word(o, t->port, FIELD_WATCHDOG_ACTION, 0, action);
}

size_t sonic_pfcwd_config(const struct answer *a, struct obs *o)
{
	return each_row(a, o, "PORT", "DETECTION TIME", watchdog_row);
}

/*
 * Packets of a queue that were counted while it was in a storm: all that there were, and those of the last (pfcwd/main.py's
 * columns are COUNTERS' PFC_WD_QUEUE_STATS, which pfcactionhandler.cpp adds up between a storm's detection and its end).
 */
static void packets_of_storms(const struct table *t, struct obs *o, unsigned queue)
{
	static const struct {
		const char *column;
		enum field ok, drop;
	} rows[] = {
		{ "TX OK/DROP",		FIELD_STORM_TX,		FIELD_STORM_TX_DROP },
		{ "RX OK/DROP",		FIELD_STORM_RX,		FIELD_STORM_RX_DROP },
		{ "TX LAST OK/DROP",	FIELD_LAST_STORM_TX,	FIELD_LAST_STORM_TX_DROP },
		{ "RX LAST OK/DROP",	FIELD_LAST_STORM_RX,	FIELD_LAST_STORM_RX_DROP },
	};
	struct span ok, drop;
	uint64_t n;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (!span_cut(cell(t, rows[i].column), '/', &ok, &drop))
			continue;
		if (field_table[rows[i].ok].kind == KIND_COUNTER) {
			obs_counter(o, t->port, rows[i].ok, queue, ok, 0);
			obs_counter(o, t->port, rows[i].drop, queue, drop, 0);
			continue;
		}
		if (span_u64(ok, &n))
			obs_number(o, t->port, rows[i].ok, queue, n);
		if (span_u64(drop, &n))
			obs_number(o, t->port, rows[i].drop, queue, n);
	}
}

/* "Ethernet4:3 … 2/1": queue 3 has stormed twice and was restored once; its status says whether that is over. */
static void storm_row(const struct table *t, struct obs *o)
{
	struct span queue, head, detected, restored, status = cell(t, "STATUS");
	uint64_t n;

	if (!span_cut(cell(t, "QUEUE"), ':', &head, &queue) || !span_u64(queue, &n) || n > 7 ||
	    !span_cut(cell(t, "STORM DETECTED/RESTORED"), '/', &detected, &restored)) {
		obs_missed(o, t->row);
		return;
	}
	obs_counter(o, t->port, FIELD_PFC_STORM, (unsigned)n, detected, 0);
	obs_counter(o, t->port, FIELD_PFC_RESTORED, (unsigned)n, restored, 0);
	packets_of_storms(t, o, (unsigned)n);
	if (span_is(status, "stormed") || span_is(status, "operational"))
		obs_bool(o, t->port, FIELD_PFC_STORMED, (unsigned)n, span_is(status, "stormed"));
}

size_t sonic_pfcwd_stats(const struct answer *a, struct obs *o)
{
	return each_row(a, o, "QUEUE", "STORM DETECTED/RESTORED", storm_row);
}

static void queue_row(const struct table *t, struct obs *o)
{
	unsigned queue;

	if (!unicast_queue(cell(t, "TxQ"), &queue))
		return;
	obs_counter(o, t->port, FIELD_TX_PACKETS, queue, cell(t, "Counter/pkts"), 0);
	obs_counter(o, t->port, FIELD_TX_BYTES, queue, cell(t, "Counter/bytes"), 0);
	obs_counter(o, t->port, FIELD_TX_DROP, queue, cell(t, "Drop/pkts"), 0);
}

size_t sonic_queue_counters(const struct answer *a, struct obs *o)
{
	return each_row(a, o, "TxQ", "Counter/pkts", queue_row);
}

static void wred_row(const struct table *t, struct obs *o)
{
	unsigned queue;

	if (unicast_queue(cell(t, "TxQ"), &queue))
		obs_counter(o, t->port, FIELD_ECN_MARKED, queue, cell(t, "EcnMarked/pkts"), 0);
}

size_t sonic_queue_wred(const struct answer *a, struct obs *o)
{
	return each_row(a, o, "TxQ", "EcnMarked/pkts", wred_row);
}

static void queue_peak_row(const struct table *t, struct obs *o)
{
	numbered(t, o, "UC", FIELD_QUEUE_PEAK);
}

size_t sonic_queue_watermark(const struct answer *a, struct obs *o)
{
	return each_row(a, o, "Port", "UC3", queue_peak_row);
}

static void pg_peak_row(const struct table *t, struct obs *o)
{
	numbered(t, o, "PG", FIELD_PG_PEAK);
}

static void pg_drop_row(const struct table *t, struct obs *o)
{
	numbered(t, o, "PG", FIELD_PG_DROP);
}

/* Three commands print a table of priority groups; its title tells which. */
static size_t pg_table(const struct answer *a, struct obs *o, const char *title, row_reader *read)
{
	return span_find(a->text, title) ? each_row(a, o, "Port", "PG3", read) : 0;
}

size_t sonic_pg_watermark(const struct answer *a, struct obs *o)
{
	return pg_table(a, o, "Ingress headroom per PG", pg_peak_row);
}

size_t sonic_pg_drop(const struct answer *a, struct obs *o)
{
	return pg_table(a, o, "Ingress PG dropped packets", pg_drop_row);
}

/* RX_ERR is the MIB's ifInErrors: frames damaged on the wire, by far the most of it. N/A in TX columns is unknown. */
static void counters_row(const struct table *t, struct obs *o)
{
	struct span state = cell(t, "STATE");

	if (span_is(state, "U") || span_is(state, "D") || span_is(state, "X"))	/* X: disabled */
		obs_bool(o, t->port, FIELD_UP, 0, span_is(state, "U"));
	obs_counter(o, t->port, FIELD_PHY_ERR, 0, cell(t, "RX_ERR"), 0);
	obs_counter(o, t->port, FIELD_RX_DISCARD, 0, cell(t, "RX_DRP"), 0);
	obs_counter(o, t->port, FIELD_TX_DISCARD, 0, cell(t, "TX_DRP"), 0);
}

size_t sonic_interfaces_counters(const struct answer *a, struct obs *o)
{
	return each_row(a, o, "IFACE", "RX_DRP", counters_row);
}

static bool speed_bps(struct span s, uint64_t *out)
{
	uint64_t n;

	if (!span_take_u64(&s, &n) || n == 0 || n > 10000000)
		return false;
	if (!span_is(s, "G") && !span_is(s, "M"))
		return false;
	*out = n * (span_is(s, "G") ? 1000000000 : 1000000);
	return true;
}

static bool says_something(struct span s)
{
	return s.n > 0 && !span_is_nocase(s, "N/A") && !span_is(s, "-");
}

static void status_row(const struct table *t, struct obs *o)
{
	struct span oper = cell(t, "Oper"), alias = cell(t, "Alias"), fec = cell(t, "FEC");
	uint64_t n;

	if (span_is(oper, "up") || span_is(oper, "down"))
		obs_bool(o, t->port, FIELD_UP, 0, span_is(oper, "up"));
	if (speed_bps(cell(t, "Speed"), &n))
		obs_number(o, t->port, FIELD_SPEED, 0, n);
	if (span_u64(cell(t, "MTU"), &n) && n <= 65535)
		obs_number(o, t->port, FIELD_MTU, 0, sonic_frame_bytes(n));
	if (says_something(fec))
		obs_text(o, t->port, FIELD_FEC, fec);
	if (says_something(alias))
		obs_text(o, t->port, FIELD_ALIAS, alias);
}

size_t sonic_interfaces_status(const struct answer *a, struct obs *o)
{
	return each_row(a, o, "Interface", "Oper", status_row);
}


static void lldp_row(const struct table *t, struct obs *o)
{
	struct span name = cell(t, "RemoteDevice"), id = cell(t, "RemotePortID"), about = cell(t, "RemotePortDescr");
	struct span rest = about, word;
	char mac[18] = "";

	if (says_something(name))
		obs_text(o, t->port, FIELD_PEER_NAME, name);
	if (!is_mac_text(id)) {
		if (says_something(id))
			obs_text(o, t->port, FIELD_PEER_PORT, id);
		return;
	}
	for (size_t i = 0; i < 17; i++)
		mac[i] = (char)tolower((unsigned char)id.p[i]);
	obs_text(o, t->port, FIELD_PEER_MAC, span_of(mac));
	/* Linux's lldpd names the interface in the description; a NIC's own agent describes itself in several words. */
	if (says_something(about) && span_word(&rest, &word) && span_trim(rest).n == 0)
		obs_text(o, t->port, FIELD_PEER_PORT, word);
}

size_t sonic_lldp_table(const struct answer *a, struct obs *o)
{
	return each_row(a, o, "LocalPort", "RemotePortID", lldp_row);
}

/* "    1    1000  E2:8C:56:85:4A:CD  Ethernet4  Dynamic": number, VLAN, MAC, port, type. */
static enum mac_row_is fdb_row(struct obs *o, struct span line, uint16_t *port, struct span *mac)
{
	struct span number, vlan, name, type;
	uint64_t n;

	if (!span_word(&line, &number) || !span_u64(number, &n) || !span_word(&line, &vlan) || !span_word(&line, mac) ||
	    !is_mac_text(*mac) || !span_word(&line, &name) || !span_word(&line, &type))
		return MAC_ROW_STRANGE;
	if (span_is_nocase(type, "Static"))
		return MAC_ROW_OTHER;
	if (!span_is_nocase(type, "Dynamic"))
		return MAC_ROW_STRANGE;
	*port = sonic_port(o, name);
	return MAC_ROW;
}

size_t sonic_fdb(const struct answer *a, struct obs *o)
{
	return mac_lists(o, a->text, a->is_partial, FIELD_FDB, fdb_row);
}

size_t sonic_version(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line;

	if (!span_starts(span_trim(a->text), "SONiC Software Version:"))
		return 0;
	while (span_line(&rest, &line)) {
		obs_cite(o, line);
		if (span_skip(&line, "SONiC Software Version: ")) {
			obs_text(o, OBS_DEVICE, FIELD_PLATFORM, SPAN("sonic"));
			obs_text(o, OBS_DEVICE, FIELD_VERSION, span_trim(line));
		} else if (span_skip(&line, "HwSKU: ")) {
			line = span_trim(line);
			if (line.n > 0)
				obs_text(o, OBS_DEVICE, FIELD_MODEL, line);
		}
	}
	return o->n;
}
