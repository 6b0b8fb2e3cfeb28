#include "tests/trials/truth.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/model/fact.h"

#define OVER		1.05	/* of the line's rate: more cannot have passed */
#define STEADY_BPS	1e9	/* of less, a mean says nothing of a moment */
#define FEWEST		0.4	/* of the mean that passed; traffic comes in bursts */
#define MOST		1.7
#define PACKET_MIN	64	/* bytes */

/* -- the lab's state -- */

static void read_fact(struct truth *t, struct span what, struct span value)
{
	char *name = xasprintf("%.*s", (int)what.n, what.p);

	if (value.n > 1 && value.p[0] == '"')
		value = (struct span){ value.p + 1, value.n - 2 };
	json_object_set_new(t->facts, name, json_stringn(value.p, value.n));
	free(name);
}

static void read_device(struct truth *t, struct span what)
{
	struct span word;
	size_t n = json_array_size(t->devices);

	if (span_word(&what, &word) && (!n || !span_is(word, json_string_value(json_array_get(t->devices, n - 1)))))
		json_array_append_new(t->devices, json_stringn(word.p, word.n));
}

bool truth_read(struct truth *t, const char *state)
{
	struct span rest = span_of(state), line, what, value;
	const char *at = strstr(state, ", at ");

	*t = (struct truth){ json_object(), json_array(), at ? atoll(at + 5) : 0 };
	while (span_line(&rest, &line)) {
		const char *is = span_find(line, " = ");

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
	*t = (struct truth){ NULL };
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

/* What the unit of a field takes on the wire at least, in bits; 0: nothing is known of that. */
static double bits_of(enum field field)
{
	switch (field_table[field].unit) {
	case UNIT_BYTES:
		return 8;
	case UNIT_PACKETS:
	case UNIT_FRAMES:
		return 8 * PACKET_MIN;
	default:
		return 0;
	}
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
	if (rate < 0 || bits > OVER * line) {
		count->wrong++;
		buf_printf(words, "FALSE RATE %s %s %s: %.0f/s cannot be on a line of %.0f Gb/s\n", device, port, name, rate, line / 1e9);
		return;
	}
	mean = is_total ? mean_bps(before, now, device, port, field == FIELD_RX_TOTAL ? "rx" : "tx") : 0;
	if (mean < STEADY_BPS || (bits >= FEWEST * mean && bits <= MOST * mean))
		return;
	count->wrong++;
	buf_printf(words, "FALSE RATE %s %s %s: %.2f Gb/s, and %.2f passed\n", device, port, name, bits / 1e9, mean / 1e9);
}

/* Of these at least is said why they are not known: they are of files, which no tool can be late with. */
static void look_for_missing(const struct truth *now, json_t *rows, struct truth_count *count, struct buf *words)
{
	static const char *const fields[] = { " rdma" };
	const char *device = text_of(json_array_get(rows, 0), "device"), *what;
	json_t *said = json_object(), *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		char *name = xasprintf("%s %s %s", text_of(row, "device"), text_of(row, "port"), text_of(row, "field"));

		json_object_set_new(said, name, json_true());
		free(name);
	}
	json_object_foreach(now->facts, what, row) {
		bool is_asked = false;

		for (i = 0; i < sizeof(fields) / sizeof(*fields); i++)
			is_asked |= !strcmp(strrchr(what, ' '), fields[i]);
		if (!is_asked || strncmp(what, device, strlen(device)) || what[strlen(device)] != ' ' || json_object_get(said, what))
			continue;
		count->wrong++;
		buf_printf(words, "FALSE SILENCE of %s: nothing is said of it, nor why\n", what);
	}
	json_decref(said);
}

void truth_facts(const struct truth *before, const struct truth *now, json_t *rows, struct truth_count *count, struct buf *words)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		enum field field;

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

/* -- findings -- */

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

void truth_findings(json_t *rows, struct truth_count *count, struct buf *words)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		const char *severity = text_of(row, "severity");

		/* What two tools say of one port is a fact about reading, and the lab's tools do not disagree. */
		if (!strcmp(text_of(row, "check"), "tools-agree"))
			severity = "warn";
		if ((strcmp(severity, "fail") && strcmp(severity, "warn")) || is_of_reading(text_of(row, "check")) ||
		    json_is_string(json_object_get(row, "because_of")))
			continue;
		count->wrong++;
		buf_printf(words, "FALSE %s %s at %s: %s\n", strcmp(severity, "fail") ? "WARN" : "FAIL", text_of(row, "check"),
			   text_of(row, "where"), text_of(row, "what"));
	}
}
