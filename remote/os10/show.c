/*
 * What OS10 prints about state and counters. Layouts: Dell's OS10 user guides 10.4 to 10.6 and published captures. No output of
 * the PFC, WRED and buffer commands is published: their probes say "unproven", and their parsers read only "key: value" lines
 * and rows below a header that names its columns.
 */
#include "remote/os10/os10.h"
#include "remote/platform/mac_lists.h"
#include "remote/platform/tool_output.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* "Key: value" with the key at the start of the line. */
static bool value_of(struct span line, const char *key, struct span *value)
{
	struct span head, tail;

	if (!span_cut(line, ':', &head, &tail) || !span_is_nocase(span_trim(head), key))
		return false;
	*value = span_trim(tail);
	return true;
}

static bool contains_nocase(struct span s, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= s.n; i++)
		if (span_starts_nocase((struct span){ s.p + i, s.n - i }, word))
			return true;
	return false;
}

/* "25G", "100M", "1000M"; 0 and "--" are no speed. */
static bool speed_bps(struct span s, uint64_t *out)
{
	uint64_t n;

	if (!span_take_u64(&s, &n) || n == 0 || n > 100000)
		return false;
	if (span_is(s, "G"))
		*out = n * 1000000000;
	else if (span_is(s, "M"))
		*out = n * 1000000;
	else
		return false;
	return true;
}

static void lower_text(struct obs *o, uint16_t port, enum field f, struct span text)
{
	char low[64];

	if (text.n >= sizeof(low))
		return;
	for (size_t i = 0; i < text.n; i++)
		low[i] = (char)tolower((unsigned char)text.p[i]);
	obs_text(o, port, f, (struct span){ low, text.n });
}

size_t os10_version(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, value;

	if (!os10_is_it(a->text))
		return 0;
	while (span_line(&rest, &line)) {
		obs_cite(o, line);
		if (value_of(line, "OS Version", &value)) {
			obs_text(o, OBS_DEVICE, FIELD_VERSION, value);
			obs_text(o, OBS_DEVICE, FIELD_PLATFORM, SPAN("os10"));
		} else if (value_of(line, "System Type", &value)) {
			obs_text(o, OBS_DEVICE, FIELD_MODEL, value);
		}
	}
	return o->n;
}

/* "show interface" */

enum part { PART_HEAD, PART_INPUT, PART_OUTPUT, PART_RATES };

/* "up" of "up, " and of "up". */
static bool is_word(struct span s, const char *word)
{
	return span_skip(&s, word) && (s.n == 0 || *s.p == ',' || *s.p == ' ' || *s.p == '(');
}

/* "Ethernet 1/1/1 is up, line protocol is up": begins the text of an interface. */
static bool interface_begins(struct span line, struct span *name, bool *is_up, bool *is_known)
{
	const char *is = span_find(line, " is "), *protocol = span_find(line, "line protocol is ");
	struct span state, proto;

	if (!is || !protocol || is > protocol)
		return false;
	*name = (struct span){ line.p, (size_t)(is - line.p) };
	state = (struct span){ is + 4, (size_t)(protocol - is - 4) };
	proto = (struct span){ protocol + 17, (size_t)(line.p + line.n - protocol - 17) };
	*is_up = is_word(state, "up") && is_word(proto, "up");
	*is_known = *is_up || ((is_word(state, "up") || contains_nocase(state, "down")) && (is_word(proto, "up") || is_word(proto, "down")));
	return true;
}

/* "0 CRC, 0 overrun, 0 discarded": the number before each word. "wred drops" may lack its own: it is not read. */
static void statistics_line(struct span line, enum part part, struct obs *o, uint16_t port)
{
	static const struct {
		enum part part;
		const char *word;
		enum field field;
	} rows[] = {
		{ PART_INPUT, "octets", FIELD_RX_TOTAL },
		{ PART_INPUT, "CRC", FIELD_PHY_ERR },
		{ PART_INPUT, "discarded", FIELD_RX_DISCARD },
		{ PART_OUTPUT, "octets", FIELD_TX_TOTAL },
		{ PART_OUTPUT, "discarded", FIELD_TX_DISCARD },
	};
	struct span piece, more = line, number, word;

	while (more.n > 0) {
		if (!span_cut(more, ',', &piece, &more)) {
			piece = more;
			more.n = 0;
		}
		if (!span_word(&piece, &number) || !span_word(&piece, &word))
			continue;
		for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
			if (rows[i].part == part && span_is(word, rows[i].word) && !says_lately(o, port, rows[i].field, 0))
				obs_counter(o, port, rows[i].field, 0, number, 0);
	}
}

static void flow_control(struct span rest, struct obs *o, uint16_t port)
{
	struct span word, rx, tx;

	if (!span_word(&rest, &word) || !span_is(word, "rx") || !span_word(&rest, &rx))
		return;
	if (!span_word(&rest, &word) || !span_is(word, "tx") || !span_word(&rest, &tx))
		return;
	if (span_is(rx, "on") || span_is(rx, "off"))
		obs_bool(o, port, FIELD_PAUSE_RX, 0, span_is(rx, "on"));
	if (span_is(tx, "on") || span_is(tx, "off"))
		obs_bool(o, port, FIELD_PAUSE_TX, 0, span_is(tx, "on"));
}

static void head_line(struct span line, struct obs *o, uint16_t port)
{
	struct span rest = line, word, head, value;
	uint64_t n;
	const char *negotiated;

	if (value_of(line, "Description", &value)) {
		obs_text(o, port, FIELD_ALIAS, value);
	} else if (span_skip(&rest, "Current address is ")) {
		if (is_mac_text(span_trim(rest)))
			lower_text(o, port, FIELD_MAC, span_trim(rest));
	} else if (span_skip(&rest, "MTU ")) {
		if (span_word(&rest, &word) && span_u64(word, &n))
			obs_number(o, port, FIELD_MTU, 0, n);
	} else if (span_skip(&rest, "LineSpeed ")) {
		if (!span_cut(rest, ',', &head, &rest))
			head = rest;
		if (speed_bps(span_trim(head), &n))
			obs_number(o, port, FIELD_SPEED, 0, n);
	} else if ((negotiated = span_find(line, "Negotiated FEC is "))) {
		value = (struct span){ negotiated + 18, (size_t)(line.p + line.n - negotiated - 18) };
		obs_text(o, port, FIELD_FEC, span_trim(value));
	} else if (span_skip(&rest, "Flowcontrol ")) {
		flow_control(rest, o, port);
	}
}

size_t os10_interface(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, name;
	uint16_t port = OBS_DEVICE;
	enum part part = PART_HEAD;
	bool is_up, is_known;

	while (span_line(&rest, &line)) {
		line = span_trim(line);
		obs_cite(o, line);
		if (interface_begins(line, &name, &is_up, &is_known)) {
			port = os10_port(o, name);
			part = PART_HEAD;
			if (port != OBS_DEVICE && is_known)
				obs_bool(o, port, FIELD_UP, 0, is_up);
			else if (port != OBS_DEVICE)
				obs_unknown(o, port, FIELD_UP, 0, "a state that is neither up nor down");
		} else if (span_starts_nocase(line, "ethernet ")) {
			port = OBS_DEVICE;	/* an interface's heading that was not understood */
		} else if ((part != PART_HEAD && span_starts(line, "Hardware is")) || (part > PART_INPUT && span_is(line, "Input statistics:"))) {
			port = OBS_DEVICE;	/* of another, whose heading is not there */
		} else if (span_is(line, "Input statistics:")) {
			part = PART_INPUT;
		} else if (span_is(line, "Output statistics:")) {
			part = PART_OUTPUT;
		} else if (span_starts(line, "Rate Info") || (part != PART_HEAD && line.n && line.p[line.n - 1] == ':')) {
			part = PART_RATES;	/* or a part that is not known */
		} else if (port != OBS_DEVICE && part == PART_HEAD) {
			head_line(line, o, port);
		} else if (port != OBS_DEVICE) {
			statistics_line(line, part, o, port);
		}
	}
	return o->n;
}

/* "show interface status": columns stand where the header's words begin; a cell may be empty. */

static struct span cell(struct span line, size_t from, size_t to)
{
	if (from >= line.n)
		return SPAN("");
	return span_trim((struct span){ line.p + from, (to < line.n ? to : line.n) - from });
}

/* Whether a cell begins there: what stands before it is blank, so that none was pushed or cut. */
static bool begins_at(struct span line, size_t at)
{
	return at >= line.n || (at > 0 && line.p[at - 1] == ' ');
}

size_t os10_interface_status(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line;
	size_t description = 0, status = 0, speed = 0, duplex = 0;

	while (span_line(&rest, &line)) {
		const char *at[] = {
			span_find(line, "Description"), span_find(line, "Status"), span_find(line, "Speed"),
			span_find(line, "Duplex"),
		};
		struct span state;
		uint16_t port;
		uint64_t bps;

		if (span_starts(line, "Port") && at[0] && at[1] && at[2] && at[3]) {
			description = (size_t)(at[0] - line.p);
			status = (size_t)(at[1] - line.p);
			speed = (size_t)(at[2] - line.p);
			duplex = (size_t)(at[3] - line.p);
			continue;
		}
		if (!speed || span_starts(line, "---"))
			continue;
		obs_cite(o, line);
		if (!begins_at(line, description) || !begins_at(line, status) || !begins_at(line, speed) || !begins_at(line, duplex)) {
			obs_missed(o, line);
			continue;
		}
		port = os10_port(o, cell(line, 0, description));
		state = cell(line, status, speed);
		if (port == OBS_DEVICE)
			continue;
		if (span_is(state, "up") || span_is(state, "down"))
			obs_bool(o, port, FIELD_UP, 0, span_is(state, "up"));
		else
			obs_missed(o, line);
		if (speed_bps(cell(line, speed, duplex), &bps))
			obs_number(o, port, FIELD_SPEED, 0, bps);
	}
	return o->n;
}

/* Tables with a header of single words, one row a queue or priority */

#define COLUMNS_MAX 16

static size_t words_of(struct span line, struct span words[COLUMNS_MAX])
{
	size_t n = 0;

	while (n < COLUMNS_MAX && span_word(&line, &words[n]))
		n++;
	return n;
}

/* The port that a line of its own names ("Interface ethernet1/1/4", "ethernet1/1/4"), else the one it was. */
static uint16_t port_of_line(struct obs *o, struct span line, uint16_t port)
{
	uint16_t named;

	span_skip(&line, "Interface ");
	named = os10_port(o, span_trim(line));
	return named != OBS_DEVICE ? named : port;
}

static uint16_t port_asked(struct obs *o, const struct answer *a)
{
	return a->port ? os10_port(o, span_of(a->port)) : OBS_DEVICE;
}

static size_t all_unknown(struct obs *o, uint16_t port, const enum field *fields, size_t n, const char *reason)
{
	for (size_t f = 0; f < n && port != OBS_DEVICE; f++)
		for (unsigned i = 0; i < 8; i++)
			obs_unknown(o, port, fields[f], i, reason);
	return o->n;
}

/* The rows below a header that begins with "Queue": word column of a row goes to field, where columns says so. */
static size_t queue_table(const struct answer *a, struct obs *o, bool (*choose)(struct span word, enum field *field),
			  const enum field *fields, size_t n_fields)
{
	struct span rest = a->text, line, words[COLUMNS_MAX];
	enum field of[COLUMNS_MAX];
	bool used[COLUMNS_MAX];
	size_t columns = 0, n;
	uint16_t port = port_asked(o, a);
	char reason[128];
	uint64_t queue;

	if (os10_refused(a->text, reason))
		return all_unknown(o, port, fields, n_fields, reason);
	while (span_line(&rest, &line)) {
		line = span_trim(line);
		n = words_of(line, words);
		port = port_of_line(o, line, port);
		if (n > 1 && span_is_nocase(words[0], "Queue")) {
			columns = n;
			for (size_t i = 0; i < n; i++)
				used[i] = choose(words[i], &of[i]);
			continue;
		}
		if (!columns || n == 0 || !span_u64(words[0], &queue))
			continue;
		obs_cite(o, line);
		if (n != columns || queue > 7 || port == OBS_DEVICE) {
			obs_missed(o, line);
			continue;
		}
		for (size_t i = 1; i < n; i++)
			if (used[i])
				obs_counter(o, port, of[i], (unsigned)queue, words[i], 0);
	}
	return o->n;
}

static bool queuing_column(struct span word, enum field *field)
{
	static const struct { const char *word; enum field field; } rows[] = {
		{ "Packets", FIELD_TX_PACKETS },
		{ "Bytes", FIELD_TX_BYTES },
		{ "Dropped-Packets", FIELD_TX_DROP },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (span_is_nocase(word, rows[i].word)) {
			*field = rows[i].field;
			return true;
		}
	}
	return false;
}

size_t os10_queuing(const struct answer *a, struct obs *o)
{
	static const enum field fields[] = { FIELD_TX_PACKETS, FIELD_TX_BYTES, FIELD_TX_DROP };

	return queue_table(a, o, queuing_column, fields, 3);
}

/* No output of the wred variant is published: a column is believed only when its own name says ECN and not bytes. */
static bool wred_column(struct span word, enum field *field)
{
	*field = FIELD_ECN_MARKED;
	return contains_nocase(word, "ecn") && !contains_nocase(word, "byte");
}

size_t os10_queuing_wred(const struct answer *a, struct obs *o)
{
	static const enum field fields[] = { FIELD_ECN_MARKED };

	return queue_table(a, o, wred_column, fields, 1);
}

/*
 * "show interface … priority-flow-control details": no output is published. What is remembered of it: "Key : value"
 * lines, then rows "3   300   200" below a header that names Rx before Tx. Anything else is not understood.
 */
size_t os10_pfc_details(const struct answer *a, struct obs *o)
{
	static const enum field fields[] = { FIELD_PFC_RX, FIELD_PFC_TX };
	struct span rest = a->text, line, words[COLUMNS_MAX];
	uint16_t port = port_asked(o, a);
	bool in_table = false;
	char reason[128];
	uint64_t priority;

	if (os10_refused(a->text, reason))
		return all_unknown(o, port, fields, 2, reason);
	while (span_line(&rest, &line)) {
		size_t n = words_of(line, words);

		port = port_of_line(o, line, port);
		if (n == 3 && contains_nocase(words[1], "rx") && contains_nocase(words[2], "tx")) {
			in_table = true;
			continue;
		}
		if (!in_table || n != 3 || !span_u64(words[0], &priority) || priority > 7 || port == OBS_DEVICE)
			continue;
		obs_cite(o, line);
		obs_counter(o, port, FIELD_PFC_RX, (unsigned)priority, words[1], 0);
		obs_counter(o, port, FIELD_PFC_TX, (unsigned)priority, words[2], 0);
	}
	return o->n;
}

/* "show mac address-table": "1   3c:fd:fe:aa:bb:cc   dynamic   ethernet1/1/12:1" */

static enum mac_row_is fdb_row(struct obs *o, struct span line, uint16_t *port, struct span *mac)
{
	struct span vlan, type, name;
	uint64_t n;

	if (!span_word(&line, &vlan) || !span_u64(vlan, &n) || !span_word(&line, mac) || !is_mac_text(*mac) || !span_word(&line, &type))
		return MAC_ROW_STRANGE;
	if (span_is_nocase(type, "static"))
		return MAC_ROW_OTHER;
	if (!span_is_nocase(type, "dynamic") || !span_word(&line, &name))
		return MAC_ROW_STRANGE;
	*port = os10_port(o, name);
	return MAC_ROW;
}

size_t os10_fdb(const struct answer *a, struct obs *o)
{
	return mac_lists(o, a->text, a->is_partial, FIELD_FDB, fdb_row);
}

/* "show lldp neighbors detail" */

struct neighbor {
	struct span local, chassis, port, description, system, line;
};

static bool advertised(struct span value)
{
	return value.n > 0 && !span_is_nocase(value, "Not Advertised");
}

static void tell_neighbour(const struct neighbor *n, struct obs *o)
{
	uint16_t port = os10_port(o, n->local);
	struct span rest = n->description, word;
	bool is_by_mac = is_mac_text(n->port);

	if (port == OBS_DEVICE)
		return;
	obs_cite(o, n->line);
	if (advertised(n->system))
		obs_text(o, port, FIELD_PEER_NAME, n->system);
	if (advertised(n->chassis))
		lower_text(o, port, FIELD_PEER_CHASSIS, n->chassis);
	if (is_by_mac)
		lower_text(o, port, FIELD_PEER_MAC, n->port);
	else if (advertised(n->port))
		obs_text(o, port, FIELD_PEER_PORT, n->port);
	/* Linux's lldpd names the interface in the description; a NIC's own agent describes itself in several words. */
	if (is_by_mac && advertised(n->description) && span_word(&rest, &word) && span_trim(rest).n == 0)
		obs_text(o, port, FIELD_PEER_PORT, word);
}

/* A NIC's firmware and its host may both speak on one wire: the one that gives a name is told. */
static void keep_better(struct neighbor **list, size_t *n, size_t *cap, const struct neighbor *new)
{
	if (new->local.n == 0)
		return;
	for (size_t i = 0; i < *n; i++) {
		struct neighbor *old = &(*list)[i];

		if (old->local.n != new->local.n || memcmp(old->local.p, new->local.p, new->local.n) != 0)
			continue;
		if (!advertised(old->system) && advertised(new->system))
			*old = *new;
		return;
	}
	*GROW(*list, *n, *cap) = *new;
	(*n)++;
}

size_t os10_lldp_detail(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, value;
	struct neighbor *list = NULL, now = { 0 };
	size_t n = 0, cap = 0;

	while (span_line(&rest, &line)) {
		line = span_trim(line);
		if (value_of(line, "Remote Chassis ID Subtype", &value) || span_starts(line, "-----")) {
			keep_better(&list, &n, &cap, &now);
			now = (struct neighbor){ 0 };
		} else if (value_of(line, "Remote Chassis ID", &value)) {
			now.chassis = value;
		} else if (value_of(line, "Remote Port ID", &value)) {
			now.port = value;
		} else if (value_of(line, "Remote Port Description", &value)) {
			now.description = value;
		} else if (value_of(line, "Local Port ID", &value)) {
			now.local = value;
			now.line = line;
		} else if (value_of(line, "Remote System Name", &value)) {
			now.system = value;
		}
	}
	if (!a->is_partial)	/* the last one may lack its end */
		keep_better(&list, &n, &cap, &now);
	for (size_t i = 0; i < n; i++)
		tell_neighbour(&list[i], o);
	free(list);
	return o->n;
}
