#include "tests/trials/truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/model/fact.h"
#include "tests/lib/lab.h"

#define OVER		1.05	/* of the line's rate: more cannot have passed */
#define STOPPED_LEAST	0.01	/* of the time: from 5 % on it is a finding; its counters may have begun again in the middle */
#define STEADY_BPS	1e10	/* of less, a mean says nothing of a moment */
#define FEWEST		0.4	/* of the mean that passed; traffic comes in bursts */
#define MOST		1.7
#define PACKET_MIN	64	/* bytes */
#define STANDS_FOR	10	/* moments on end: longer than a late machine or a read in between makes of it */
#define STOPPED		0.4	/* of the time, in the mean: whoever tells of it must not say that it hardly is */
#define HARDLY		0.1
#define MANY_DROPS	1000	/* a second */
#define PRIORITY	3	/* RoCE's, in the lab and in the policy */

/* -- the lab's state -- */

static struct span unquoted(struct span value)
{
	return value.n > 1 && value.p[0] == '"' ? (struct span){ value.p + 1, value.n - 2 } : value;
}

static void read_fact(struct truth *t, struct span what, struct span value)
{
	char *name = xasprintf("%.*s", (int)what.n, what.p);

	value = unquoted(value);
	json_object_set_new(t->facts, name, json_stringn(value.p, value.n));
	free(name);
}

static void read_device(struct truth *t, struct span what)
{
	struct span word;
	size_t n = json_array_size(t->devices);

	if (!span_word(&what, &word))
		return;
	if (!n || !span_is(word, json_string_value(json_array_get(t->devices, n - 1))))
		json_array_append_new(t->devices, json_stringn(word.p, word.n));
	if (span_find(what, "gid.v2"))
		json_object_set_new(t->hosts, json_string_value(json_array_get(t->devices, json_array_size(t->devices) - 1)), json_true());
}

/* "# node1 wears breed-inbox lldp-two" */
static void read_skins(struct truth *t, struct span line)
{
	struct span device, wears;

	if (!span_skip(&line, "# ") || !span_word(&line, &device) || !span_word(&line, &wears) || !span_is(wears, "wears"))
		return;
	char *name = xasprintf("%.*s", (int)device.n, device.p);

	json_object_set_new(t->skins, name, json_stringn(line.p, line.n));
	free(name);
}

bool truth_read(struct truth *t, const char *state)
{
	struct span rest = span_of(state), line, what, value;
	const char *at = strstr(state, ", at ");

	*t = (struct truth){ json_object(), json_array(), json_object(), json_object(), at ? atoll(at + 5) : 0 };
	while (span_line(&rest, &line)) {
		const char *is = span_find(line, " = ");

		read_skins(t, line);
		if (!is || line.p[0] == '#')
			continue;
		what = (struct span){ line.p, (size_t)(is - line.p) };
		value = (struct span){ is + 3, (size_t)(line.p + line.n - is - 3) };
		read_fact(t, what, value);
		read_device(t, what);
	}
	return at && json_object_size(t->facts) > 0;
}

void truth_done(struct truth *t)
{
	json_decref(t->facts);
	json_decref(t->devices);
	json_decref(t->hosts);
	json_decref(t->skins);
	*t = (struct truth){ NULL };
}

void truth_count_done(struct truth_count *count)
{
	json_decref(count->said);
	json_decref(count->first);
	count->said = count->first = NULL;
}

static const char *truth_of(const struct truth *t, const char *device, const char *port, const char *field)
{
	char *name = xasprintf("%s %s %s", device, port, field);
	const char *value = json_string_value(json_object_get(t->facts, name));

	free(name);
	return value;
}

static double number_of(const struct truth *t, const char *device, const char *port, const char *field)
{
	const char *value = truth_of(t, device, port, field);

	return value ? strtod(value, NULL) : 0;
}

/* -- facts -- */

static const char *text_of(json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));

	return text ? text : "";
}

static bool field_of(json_t *row, enum field *field)
{
	struct span name = span_of(text_of(row, "field")), index;

	span_cut(name, '[', &name, &index);
	return field_find(name, field);
}

/* As the state writes it; yours. */
static char *written(json_t *value)
{
	if (json_is_boolean(value))
		return xstrdup(json_is_true(value) ? "yes" : "no");
	if (json_is_integer(value))
		return xasprintf("%lld", (long long)json_integer_value(value));
	if (json_is_real(value))
		return xasprintf("%.0f", json_real_value(value));
	return xstrdup(json_string_value(value) ? json_string_value(value) : "");
}

/* Ports have two names: both ends of a cable are held against each other where links are. */
static bool is_compared(enum field field)
{
	return field_table[field].kind != KIND_COUNTER && field_table[field].kind != KIND_GAUGE && field != FIELD_PEER_PORT;
}

static void compare_setting(const struct truth *now, json_t *row, struct truth_count *count, struct buf *words)
{
	const char *device = text_of(row, "device"), *port = text_of(row, "port"), *name = text_of(row, "field");
	const char *is = truth_of(now, device, port, name);
	char *said;

	if (!is)
		return;
	if (json_is_null(json_object_get(row, "value"))) {
		count->unknown++;
		return;
	}
	said = written(json_object_get(row, "value"));
	count->facts++;
	if (strcmp(said, is) != 0) {
		count->wrong++;
		buf_printf(words, "FALSE FACT %s %s %s = %s (%s); it is %s\n", device, port, name, said, text_of(row, "probe"), is);
	}
	free(said);
}

/* The sum over priorities of what passed a port between two states, in bits per second. */
static double mean_bps(const struct truth *before, const struct truth *now, const char *device, const char *port, const char *direction)
{
	double sum = 0, us = (double)(now->at_us - before->at_us);

	for (unsigned i = 0; i < 8; i++) {
		char field[24];

		snprintf(field, sizeof(field), "%s.bytes[%u]", direction, i);
		sum += number_of(now, device, port, field) - number_of(before, device, port, field);
	}
	return us > 0 ? sum * 8e6 / us : 0;
}

/* What the unit of a field takes on the wire at least, in bits. What is neither bytes nor bits is of a packet each. */
static double bits_of(enum field field)
{
	switch (field_table[field].unit) {
	case UNIT_BYTES:
		return 8;
	case UNIT_BITS:
		return 1;
	default:
		return 8 * PACKET_MIN;
	}
}

/* Of the time about all of it may have passed, by another clock; of a line, no more than it carries. */
static bool can_be(enum field field, double rate, double line)
{
	if (field_table[field].unit == UNIT_US)
		return rate >= 0 && rate <= OVER * SECOND;
	return rate >= 0 && rate * bits_of(field) <= OVER * line;
}

/* Pause, drops, marks and what goes amiss: the state has them once they have happened, and not before. */
static bool is_event(enum field field)
{
	static const enum field events[] = {
		FIELD_PFC_RX, FIELD_PFC_TX, FIELD_PFC_RX_US, FIELD_PFC_TX_US, FIELD_RX_DROP, FIELD_TX_DROP, FIELD_ECN_MARKED,
		FIELD_PFC_STORM, FIELD_ECN_SEEN, FIELD_CNP_SENT, FIELD_CNP_HANDLED, FIELD_CNP_IGNORED, FIELD_OOS, FIELD_SEQ_ERR,
		FIELD_PHY_ERR,
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		if (events[i] == field)
			return true;
	return false;
}

static void judge_rate(const struct truth *before, const struct truth *now, json_t *row, enum field field, struct truth_count *count,
		       struct buf *words)
{
	const char *device = text_of(row, "device"), *port = text_of(row, "port"), *name = text_of(row, "field");
	double rate = json_number_value(json_object_get(row, "rate_per_s")), line = number_of(now, device, port, "speed");
	double bits = rate * bits_of(field), mean;
	bool is_total = field == FIELD_RX_TOTAL || field == FIELD_TX_TOTAL;

	if (!json_is_number(json_object_get(row, "rate_per_s")) || !line)
		return;
	count->rates++;
	if (!can_be(field, rate, line)) {
		count->wrong++;
		buf_printf(words, "FALSE RATE %s %s %s: %.0f/s cannot be on a line of %.0f Gb/s\n", device, port, name, rate, line / 1e9);
		return;
	}
	if (rate > 0 && is_event(field) && !truth_of(before, device, port, name) && !truth_of(now, device, port, name)) {
		count->wrong++;
		buf_printf(words, "FALSE RATE %s %s %s: %.3f/s, and it has never happened\n", device, port, name, rate);
		return;
	}
	if (is_total && lab_is_late()) {
		count->late++;
		return;
	}
	mean = is_total ? mean_bps(before, now, device, port, field == FIELD_RX_TOTAL ? "rx" : "tx") : 0;
	if (mean < STEADY_BPS || (bits >= FEWEST * mean && bits <= MOST * mean))
		return;
	count->wrong++;
	buf_printf(words, "FALSE RATE %s %s %s: %.2f Gb/s, and %.2f passed\n", device, port, name, bits / 1e9, mean / 1e9);
}

/*
 * Other breeds than the vendor's mlx5 have no traffic_class; a bond's stands at the bond. It is asked with tos.cma, of which
 * something is said then. what: "node1 eth2 tos.force"
 */
static bool has_file(const struct truth *now, const char *device, const char *what, json_t *said)
{
	const char *skins = json_string_value(json_object_get(now->skins, device)), *field = strrchr(what, ' ');
	char *rdma = xasprintf("%.*s rdma", (int)(field - what), what), *cma = xasprintf("%.*s tos.cma", (int)(field - what), what);
	bool is_asked = json_object_get(now->facts, rdma) && json_object_get(said, cma);

	free(rdma);
	free(cma);
	return !strcmp(field, " rdma") || (is_asked && !(skins && strstr(skins, "breed-")));
}

/* Of these at least is said why they are not known, where the host's RDMA devices were read at all. */
static void look_for_missing(const struct truth *now, json_t *rows, struct truth_count *count, struct buf *words)
{
	static const char *const fields[] = { " rdma", " tos.force" };
	const char *device = text_of(json_array_get(rows, 0), "device"), *what;
	json_t *said = json_object(), *row;
	bool is_read = false;
	size_t i;

	json_array_foreach(rows, i, row) {
		char *name = xasprintf("%s %s %s", text_of(row, "device"), text_of(row, "port"), text_of(row, "field"));

		is_read |= !strcmp(text_of(row, "probe"), "rdma");
		json_object_set_new(said, name, json_true());
		free(name);
	}
	json_object_foreach(now->facts, what, row) {
		bool is_asked = false;

		if (!is_read)
			break;
		for (i = 0; i < sizeof(fields) / sizeof(*fields); i++)
			is_asked |= !strcmp(strrchr(what, ' '), fields[i]);
		if (!is_asked || strncmp(what, device, strlen(device)) || what[strlen(device)] != ' ' || json_object_get(said, what) ||
		    !has_file(now, device, what, said))
			continue;
		count->wrong++;
		buf_printf(words, "FALSE SILENCE of %s: nothing is said of it, nor why\n", what);
	}
	json_decref(said);
}

/* "node1 eth2", of a row of show; yours. */
static char *place_of(json_t *row)
{
	return xasprintf("%s %s", text_of(row, "device"), text_of(row, "port"));
}

static void keep_row(struct truth_count *count, json_t *row)
{
	char *place = place_of(row);
	json_t *port;

	if (!count->said)
		count->said = json_object();
	port = json_object_get(count->said, place);
	if (!port) {
		port = json_object();
		json_object_set_new(count->said, place, port);
	}
	json_object_set(port, text_of(row, "field"), row);
	free(place);
}

void truth_facts(const struct truth *before, const struct truth *now, json_t *rows, struct truth_count *count, struct buf *words)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		enum field field;

		if (*text_of(row, "port"))
			keep_row(count, row);
		if (!field_of(row, &field))
			continue;
		if (is_compared(field))
			compare_setting(now, row, count, words);
		else if (field_table[field].kind == KIND_COUNTER)
			judge_rate(before, now, row, field, count, words);
	}
	if (json_array_size(rows))
		look_for_missing(now, rows, count, words);
}

/* -- links -- */

/* Whether the end is a port of the fabric that is simulated. */
static bool is_port(const struct truth *now, const char *device, const char *port)
{
	return truth_of(now, device, port, "up") != NULL;
}

void truth_links(const struct truth *now, json_t *rows, struct truth_count *count, struct buf *words)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		const char *a = text_of(row, "a_device"), *a_port = text_of(row, "a_port");
		const char *b = text_of(row, "b_device"), *b_port = text_of(row, "b_port");
		const char *peer = truth_of(now, a, a_port, "peer.name"), *peer_port = truth_of(now, a, a_port, "peer.port");

		if (!*b || !*b_port || !is_port(now, a, a_port))
			continue;
		count->links++;
		if (peer && !strcmp(peer, b) && !strcmp(peer_port, b_port))
			continue;
		count->wrong++;
		buf_printf(words, "FALSE LINK %s:%s - %s:%s; the cable goes to %s:%s\n", a, a_port, b, b_port, peer ? peer : "nothing",
			   peer ? peer_port : "");
	}
}

/* -- ports -- */

static json_t *said(const struct truth_count *count, const char *device, const char *port, const char *field)
{
	char *place = xasprintf("%s %s", device, port);
	json_t *row = json_object_get(json_object_get(count->said, place), field);

	free(place);
	return row;
}

static const char *said_text(const struct truth_count *count, const char *device, const char *port, const char *field)
{
	return json_string_value(json_object_get(said(count, device, port, field), "value"));
}

/* The link that is made of a port, or NULL; both ends are told. */
static json_t *link_of(json_t *links, const char *device, const char *port)
{
	json_t *row;
	size_t i;

	json_array_foreach(links, i, row) {
		bool is_a = !strcmp(text_of(row, "a_device"), device) && !strcmp(text_of(row, "a_port"), port);
		bool is_b = !strcmp(text_of(row, "b_device"), device) && !strcmp(text_of(row, "b_port"), port);

		if ((is_a || is_b) && *text_of(row, "a_port") && *text_of(row, "b_port"))
			return row;
	}
	return NULL;
}

/* One end tells whom it sees, by name and port, and the other was read too: that is a link. */
static void look_for_half(const struct truth *now, const char *device, const char *port, json_t *links, struct truth_count *count,
			  struct buf *words)
{
	const char *peer = truth_of(now, device, port, "peer.name"), *peer_port = truth_of(now, device, port, "peer.port");
	const char *seen = said_text(count, device, port, "peer.name");

	if (!peer || !seen || strcmp(seen, peer) || !said_text(count, device, port, "peer.port") || !said(count, peer, peer_port, "up") ||
	    link_of(links, device, port))
		return;
	count->wrong++;
	buf_printf(words, "FALSE SILENCE of the cable %s:%s - %s:%s: an end tells of it, and it is no link\n", device, port, peer,
		   peer_port);
}

/* A switch has the ports of its state; a host has others beside, none of which is a NIC's own port with RDMA. */
static bool is_invented(const struct truth *now, const struct truth_count *count, const char *device, const char *port)
{
	const char *role = said_text(count, device, port, "role");

	if (!json_object_get(now->hosts, device))
		return true;
	return role && !strcmp(role, "pf") && said_text(count, device, port, "rdma") &&
	       json_is_false(json_object_get(said(count, device, port, "rdma.soft"), "value"));
}

void truth_ports(const struct truth *now, json_t *links, struct truth_count *count, struct buf *words)
{
	const char *place;
	json_t *fields;

	json_object_foreach(count->said, place, fields) {
		const char *port = strchr(place, ' ') + 1;
		char *device = xasprintf("%.*s", (int)(port - 1 - place), place);

		if (is_port(now, device, port)) {
			look_for_half(now, device, port, links, count, words);
		} else if (is_invented(now, count, device, port)) {
			count->wrong++;
			buf_printf(words, "FALSE PORT %s %s: there is none\n", device, port);
		}
		free(device);
	}
}

/* -- pauses -- */

/* How long the port was not allowed to send between two states, as a part of the time. */
static double stopped_share(const struct truth *before, const struct truth *now, const char *device, const char *port)
{
	char field[24];
	double us = (double)(now->at_us - before->at_us);

	snprintf(field, sizeof(field), "pfc.rx_us[%d]", PRIORITY);
	return us > 0 ? (number_of(now, device, port, field) - number_of(before, device, port, field)) / us : 0;
}

static bool has_rate(const struct truth_count *count, const char *device, const char *port, const char *field)
{
	return device && json_is_number(json_object_get(said(count, device, port, field), "rate_per_s"));
}

/* The share of the row of pauses in which the port is held, of whatever root; below 0: it is held by none. */
static double held_share(json_t *roots, const char *place)
{
	json_t *root, *hold;
	size_t i, k;

	json_array_foreach(roots, i, root)
		json_array_foreach(json_object_get(root, "tree"), k, hold)
			if (!strcmp(text_of(hold, "held"), place))
				return json_number_value(json_object_get(hold, "stopped_share"));
	return -1;
}

static void judge_stopped(const struct truth *now, const char *device, const char *port, double share, json_t *links, json_t *roots,
			  struct truth_count *count, struct buf *words)
{
	const char *peer = truth_of(now, device, port, "peer.name"), *peer_port = truth_of(now, device, port, "peer.port");
	json_t *link = link_of(links, device, port), *of_link = json_object_get(link, "paused_share");
	char *place = xasprintf("%s:%s", device, port);
	double held = held_share(roots, place);

	count->pauses++;
	if (link && json_is_number(of_link) && json_number_value(of_link) < HARDLY) {
		count->wrong++;
		buf_printf(words, "FALSE SHARE %s: ports has its link stopped %.2f of the time; it is %.2f\n", place,
			   json_number_value(of_link), share);
	}
	if (link && held < HARDLY && (has_rate(count, device, port, "pfc.rx_us[3]") || has_rate(count, peer, peer_port, "pfc.tx_us[3]"))) {
		count->wrong++;
		buf_printf(words, "FALSE SHARE %s: pauses has it %s; it is stopped %.2f of the time\n", place,
			   held < 0 ? "not at all" : "hardly stopped", share);
	}
	free(place);
}

void truth_pauses(const struct truth *before, const struct truth *now, json_t *links, json_t *roots, struct truth_count *count,
		  struct buf *words)
{
	const char *place;
	json_t *fields;

	json_object_foreach(count->said, place, fields) {
		const char *port = strchr(place, ' ') + 1;
		char *device = xasprintf("%.*s", (int)(port - 1 - place), place);
		double share = stopped_share(before, now, device, port);

		if (share >= STOPPED)
			judge_stopped(now, device, port, share, links, roots, count, words);
		free(device);
	}
}

/* -- moments -- */

static void judge_moment(const struct port *p, enum field field, double line, const struct model *m, struct truth_count *count,
			 struct buf *words)
{
	for (unsigned i = 0; i < field_table[field].width; i++) {
		double rate;

		if (!port_rate(m, p, field, i, &rate) || can_be(field, rate, line))
			continue;
		count->wrong++;
		buf_printf(words, "FALSE RATE %s %s %s[%u]: %.0f/s for a moment cannot be on a line of %.0f Gb/s\n", p->device->name, p->name,
			   field_table[field].name, i, rate, line / 1e9);
	}
}

/* It was so before, or it is so now: what changes between the two was either. */
static void compare_now(const struct truth *before, const struct truth *now, const struct fact *fact, struct truth_count *count,
			struct buf *words)
{
	struct buf line = { NULL }, name = { NULL };
	struct span value;
	const char *was, *is;

	fact_print(fact, &line);
	value_print(fact->field, &fact->value, &name);
	value = unquoted(span_of(name.text));
	line.text[line.n - name.n - strlen(" = ")] = '\0';
	was = json_string_value(json_object_get(before->facts, line.text));
	is = json_string_value(json_object_get(now->facts, line.text));
	if (is && !span_is(value, is) && !(was && span_is(value, was))) {
		count->wrong++;
		buf_printf(words, "FALSE FACT for a moment: %s = %.*s; it is %s\n", line.text, (int)value.n, value.p, is);
	}
	buf_done(&line);
	buf_done(&name);
}

static void judge_setting(const struct truth *before, const struct truth *now, const struct model *m, const struct port *p,
			  enum field field, struct truth_count *count, struct buf *words)
{
	for (unsigned i = 0; i < field_table[field].width; i++) {
		const struct cell *c = port_cell(p, field, i);

		if (c && c->value.is == VALUE_KNOWN && !cell_is_stale(m, c))
			compare_now(before, now, &(struct fact){ p->device->name, p->name, field, i, c->value }, count, words);
	}
}

/* What passed a port between two states, in bits per second: of RoCE's class, or of all. */
static double passed_bps(const struct truth *before, const struct truth *now, const struct port *p, enum field field)
{
	double us = (double)(now->at_us - before->at_us);
	char name[32];

	if (field_table[field].width == 1)
		return mean_bps(before, now, p->device->name, p->name, field == FIELD_RX_TOTAL ? "rx" : "tx");
	snprintf(name, sizeof(name), "%s[%d]", field_table[field].name, PRIORITY);
	return us > 0 ? (number_of(now, p->device->name, p->name, name) - number_of(before, p->device->name, p->name, name)) * 8e6 / us : 0;
}

/* Whether the counter has moved since the first moment. */
static bool has_moved(const struct port *p, enum field field, unsigned index, struct truth_count *count)
{
	const struct cell *c = port_cell(p, field, index);
	char *place = xasprintf("%s %s %s", p->device->name, p->name, field_table[field].name);
	bool is_known = c && c->value.is == VALUE_KNOWN, has = false;
	json_t *first;

	if (!count->first)
		count->first = json_object();
	first = json_object_get(count->first, place);
	if (is_known && first)
		has = (json_int_t)c->value.n > json_integer_value(first);
	else if (is_known)
		json_object_set_new(count->first, place, json_integer((json_int_t)c->value.n));
	free(place);
	return has;
}

/* At how many moments on end it is said to stand still, with this one. */
static json_int_t moments_stood(const struct port *p, enum field field, bool stands, struct truth_count *count)
{
	char *place = xasprintf("%s %s %s stands", p->device->name, p->name, field_table[field].name);
	json_int_t n = stands ? json_integer_value(json_object_get(count->first, place)) + 1 : 0;

	json_object_set_new(count->first, place, json_integer(n));
	free(place);
	return n;
}

/* Much passes all the time, the counter has shown it, and it is said to stand still. */
static void judge_standing(const struct truth *before, const struct truth *now, const struct model *m, const struct port *p,
			   enum field field, struct truth_count *count, struct buf *words)
{
	unsigned index = field_table[field].width > 1 ? PRIORITY : 0;
	double bps = passed_bps(before, now, p, field), rate;

	bool stands = has_moved(p, field, index, count) && port_rate(m, p, field, index, &rate) && rate <= 0 && bps >= STEADY_BPS;

	if (moments_stood(p, field, stands, count) != STANDS_FOR)
		return;
	count->wrong++;
	buf_printf(words, "FALSE RATE %s %s %s: 0/s for seconds, and %.2f Gb/s passed\n", p->device->name, p->name, field_table[field].name,
		   bps / 1e9);
}

/* The longest that this fact has had to wait for a newer reading before; ms. Called at each moment, with its age then. */
static json_int_t waited_before(const struct port *p, json_int_t age_ms, struct truth_count *count)
{
	char *last = xasprintf("%s %s age", p->device->name, p->name), *longest = xasprintf("%s %s waited", p->device->name, p->name);
	json_int_t was_ms = json_integer_value(json_object_get(count->first, last));
	json_int_t waited_ms = json_integer_value(json_object_get(count->first, longest));

	if (age_ms < was_ms && was_ms > waited_ms)
		waited_ms = was_ms;
	json_object_set_new(count->first, last, json_integer(age_ms));
	json_object_set_new(count->first, longest, json_integer(waited_ms));
	free(last);
	free(longest);
	return waited_ms;
}

/* The lab's devices all answer: a round that takes as long as one before is no silence, and what it reads not too old. */
static void judge_age(const struct model *m, const struct port *p, struct truth_count *count, struct buf *words)
{
	const struct cell *c = port_cell(p, FIELD_UP, 0);
	json_int_t waited_ms;

	if (!count->first)
		count->first = json_object();
	if (!c)
		return;
	waited_ms = waited_before(p, cell_age_us(m, c) / 1000, count);
	if (!cell_is_stale(m, c) || cell_age_us(m, c) / 1000 > waited_ms || lab_is_late())
		return;
	count->wrong++;
	buf_printf(words, "FALSE AGE %s %s up: called too old after %lld ms\n", p->device->name, p->name,
		   (long long)(cell_age_us(m, c) / 1000));
}

void truth_moment(const struct truth *before, const struct truth *now, const struct model *m, struct truth_count *count,
		  struct buf *words)
{
	static const enum field of_bytes[] = { FIELD_RX_BYTES, FIELD_TX_BYTES, FIELD_RX_TOTAL, FIELD_TX_TOTAL };

	for (size_t i = 0; i < model_ports(m); i++) {
		const struct port *p = model_port(m, i);
		double line = number_of(now, p->device->name, p->name, "speed");

		judge_age(m, p, count, words);
		for (unsigned f = 0; line > 0 && f < FIELD_COUNT; f++)
			if (field_table[f].kind == KIND_COUNTER)
				judge_moment(p, (enum field)f, line, m, count, words);
			else if (is_compared((enum field)f))
				judge_setting(before, now, m, p, (enum field)f, count, words);
		for (size_t k = 0; line > 0 && k < sizeof(of_bytes) / sizeof(*of_bytes); k++)
			judge_standing(before, now, m, p, of_bytes[k], count, words);
	}
}

/* -- losses -- */

/* What one end of a link drops in other classes, of counters whose rate is told. */
static double lossy_per_s(const struct truth *before, const struct truth *now, const struct truth_count *count, const char *device,
			  const char *port)
{
	static const char *const names[] = { "rx.drop", "tx.drop" };
	double sum = 0, us = (double)(now->at_us - before->at_us);

	for (unsigned i = 0; i < 16; i++) {
		char field[24];

		snprintf(field, sizeof(field), "%s[%u]", names[i / 8], i % 8);
		if (i % 8 != PRIORITY && has_rate(count, device, port, field))
			sum += number_of(now, device, port, field) - number_of(before, device, port, field);
	}
	return us > 0 ? sum * SECOND / us : 0;
}

void truth_losses(const struct truth *before, const struct truth *now, const struct worst_links *l, struct truth_count *count,
		  struct buf *words)
{
	const char *place;
	json_t *fields;
	double most = 0;

	json_object_foreach(count->said, place, fields) {
		const char *port = strchr(place, ' ') + 1;
		char *device = xasprintf("%.*s", (int)(port - 1 - place), place);
		double per_s = lossy_per_s(before, now, count, device, port);

		most = per_s > most ? per_s : most;
		free(device);
	}
	if (most < MANY_DROPS || l->lossy_per_s >= HARDLY * most)
		return;
	count->wrong++;
	buf_printf(words, "FALSE SUM: Overview has %.0f/s dropped in other classes, and one port drops %.0f/s\n", l->lossy_per_s, most);
}

/* -- findings -- */

#define WANTED_MTU	"9000"	/* of hosts: the shipped policy */

/* What is said of reading the fabric and not of the fabric: skins make reading hard. */
static bool is_of_reading(const char *check)
{
	static const char *const checks[] = {
		"device-reached", "answers-in-time", "answers-understood", "far-end-known", "neighbor-known",
	};

	for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++)
		if (!strcmp(check, checks[i]))
			return true;
	return false;
}

void truth_over(const struct truth *now, json_t *rows, struct truth_count *count, struct buf *words)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		const char *up = truth_of(now, text_of(row, "device"), text_of(row, "port"), "up");

		if (strcmp(text_of(row, "check"), "link-up") || strcmp(text_of(row, "severity"), "fail") || !up || strcmp(up, "yes"))
			continue;
		count->wrong++;
		buf_printf(words, "FALSE FAIL link-up at %s: %s; it is up\n", text_of(row, "where"), text_of(row, "what"));
	}
}

/* A bond hands its MTU down and takes none from its members: what its packets have is its own. */
void truth_bonds(const struct truth *now, json_t *rows, struct truth_count *count, struct buf *words)
{
	json_t *device, *row;
	size_t i, k;

	json_array_foreach(now->devices, i, device) {
		const char *name = json_string_value(device), *mtu = truth_of(now, name, "bond0", "mtu");
		bool is_said = !mtu || !strcmp(mtu, WANTED_MTU);

		json_array_foreach(rows, k, row)
			is_said |= !strcmp(text_of(row, "check"), "mtu-as-wanted") && !strcmp(text_of(row, "device"), name);
		if (is_said)
			continue;
		count->wrong++;
		buf_printf(words, "FALSE SILENCE of the MTU of %s bond0: it is %s, wanted " WANTED_MTU "\n", name, mtu);
	}
}

void truth_gone(json_t *rows, const char *check, const char *device, struct truth_count *count, struct buf *words)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		if (strcmp(text_of(row, "check"), check) || strcmp(text_of(row, "device"), device) ||
		    !strcmp(text_of(row, "severity"), "unknown"))
			continue;
		count->wrong++;
		buf_printf(words, "FALSE %s at %s: %s; its cause is gone\n", check, text_of(row, "where"), text_of(row, "what"));
	}
}

/* A NIC without DCQCN (mlx4) makes its switch stop senders though all is set well: of a port that is stopped it is no falsehood. */
static bool is_stopped_so(const struct truth *before, const struct truth *now, const struct truth_count *count, json_t *row)
{
	struct truth began = *before;

	began.at_us = count->began_us;
	return !strcmp(text_of(row, "check"), "not-paused") &&
	       stopped_share(&began, now, text_of(row, "device"), text_of(row, "port")) >= STOPPED_LEAST;
}

void truth_findings(const struct truth *before, const struct truth *now, json_t *rows, struct truth_count *count, struct buf *words)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		const char *severity = text_of(row, "severity");

		/* What two tools say of one port is a fact about reading, and the lab's tools do not disagree. */
		if (!strcmp(text_of(row, "check"), "tools-agree"))
			severity = "warn";
		if ((strcmp(severity, "fail") && strcmp(severity, "warn")) || is_of_reading(text_of(row, "check")) ||
		    json_is_string(json_object_get(row, "because_of")) || is_stopped_so(before, now, count, row))
			continue;
		count->wrong++;
		buf_printf(words, "FALSE %s %s at %s: %s\n", strcmp(severity, "fail") ? "WARN" : "FAIL", text_of(row, "check"),
			   text_of(row, "where"), text_of(row, "what"));
	}
}
