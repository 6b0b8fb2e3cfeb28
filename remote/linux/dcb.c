/*
 * dcb (iproute2), JSON and text: PFC, ETS, the APP table, buffers, DCBX. Layout from its source and manual pages; text
 * fields may stand on any line, and DSCPs in it are names unless -N was given.
 */
#include "remote/linux/linux.h"

#include <stdio.h>

#include "remote/platform/tool_output.h"

struct dcb {
	struct obs *o;
	uint16_t port;
	struct span driver;	/* empty: not told */
	struct span object;	/* "pfc", "ets", …: asked for last */
	struct span key;	/* text: "prio-pfc": of the pairs that follow */
	struct span tsa[8];
	int share[8];		/* -1: not said */
	uint8_t dscp[64];	/* bit set of priorities */
	bool said_app, asked_app, has_app, is_mlx5;	/* has_app: a whole answer about the APP table, maybe empty */
	bool app_unread;	/* a row of its DSCPs was not understood: it may be of any */
	uint32_t ets_cite, app_cite;
};

/* The names that dcb gives to code points (its source: rt_dsfield names of iproute2). */
static const struct {
	const char *name;
	uint8_t dscp;
} dscp_names[] = {
	{ "CS0", 0 }, { "CS1", 8 }, { "CS2", 16 }, { "CS3", 24 }, { "CS4", 32 }, { "CS5", 40 }, { "CS6", 48 }, { "CS7", 56 },
	{ "AF11", 10 }, { "AF12", 12 }, { "AF13", 14 }, { "AF21", 18 }, { "AF22", 20 }, { "AF23", 22 },
	{ "AF31", 26 }, { "AF32", 28 }, { "AF33", 30 }, { "AF41", 34 }, { "AF42", 36 }, { "AF43", 38 },
	{ "EF", 46 }, { "VOICE-ADMIT", 44 }, { "LE", 1 },
};

static bool read_dscp(struct span word, uint64_t *dscp)
{
	if (span_u64(word, dscp) || (span_starts(word, "0x") && span_hex(word, dscp)))
		return *dscp < 64;
	for (size_t i = 0; i < sizeof(dscp_names) / sizeof(*dscp_names); i++)
		if (span_is_nocase(word, dscp_names[i].name)) {
			*dscp = dscp_names[i].dscp;
			return true;
		}
	return false;
}

static void add_app(struct dcb *d, uint64_t dscp, uint64_t prio)
{
	d->said_app = true;
	d->app_cite = d->o->cite;
	if (dscp < 64 && prio < 8) {
		d->dscp[dscp] |= (uint8_t)(1u << prio);
		return;
	}
	d->app_unread = true;
	d->o->missed++;
}

/* One number of a row by its JSON name. */
static void add_number_of(struct dcb *d, const char *row, unsigned i, uint64_t n)
{
	if (i >= 8) {
		d->o->missed++;
	} else if (strcmp(row, "prio_tc") == 0) {
		obs_number(d->o, d->port, FIELD_PRIO_TC, i, n);
	} else if (strcmp(row, "prio_buffer") == 0) {
		obs_number(d->o, d->port, FIELD_PRIO_PG, i, n);
	} else if (strcmp(row, "buffer_size") == 0) {
		obs_number(d->o, d->port, FIELD_BUFFER_SIZE, i, n);
	} else if (strcmp(row, "tc_bw") == 0 && n <= 100) {
		d->share[i] = (int)n;
		d->ets_cite = d->o->cite;
	}
}

static const char *const number_rows[] = { "prio_tc", "prio_buffer", "buffer_size", "tc_bw" };

static void numbers(struct dcb *d, const json_t *object)
{
	for (size_t r = 0; r < sizeof(number_rows) / sizeof(*number_rows); r++) {
		const json_t *row = json_object_get(object, number_rows[r]), *item;
		size_t i;

		json_array_foreach(row, i, item)
			if (json_is_integer(item) && json_integer_value(item) >= 0)
				add_number_of(d, number_rows[r], (unsigned)i, (uint64_t)json_integer_value(item));
	}
}

static void pfc_and_tsa(struct dcb *d, const json_t *object)
{
	const json_t *item;
	size_t i;

	json_array_foreach(json_object_get(object, "prio_pfc"), i, item)
		if (json_is_boolean(item))
			obs_bool(d->o, d->port, FIELD_PFC_ON, (unsigned)i, json_is_true(item));
	json_array_foreach(json_object_get(object, "tc_tsa"), i, item)
		if (i < 8) {
			struct span word = json_span(item);

			d->tsa[i] = (struct span){ arena_text(&d->o->arena, word.n ? word.p : "", word.n), word.n };
			d->ets_cite = d->o->cite;
		}
}

static void set_trust(struct dcb *d, bool dscp, bool pcp)
{
	if (dscp || pcp)
		obs_number(d->o, d->port, FIELD_TRUST, 0, dscp && pcp ? TRUST_BOTH : dscp ? TRUST_DSCP : TRUST_PCP);
}

/* A word of the trust order (dcb-apptrust(8)); false: none that is known, and it may be either. */
static bool order_word(struct span word, bool *dscp, bool *pcp)
{
	static const char *const others[] = { "ethtype", "stream-port", "dgram-port", "port", "default" };
	bool is_known = span_is(word, "dscp") || span_is(word, "pcp");

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		is_known |= span_is(word, others[i]);
	*dscp |= span_is(word, "dscp");
	*pcp |= span_is(word, "pcp");
	return is_known;
}

static void trust_unread(struct dcb *d)
{
	obs_unknown(d->o, d->port, FIELD_TRUST, 0, "its trust order could not be parsed");
}

/* What an answer about the APP table may hold; else a row of it may be among what is not known. */
static const char *const app_tables[] = {
	"default_prio", "ethtype_prio", "stream_port_prio", "dgram_port_prio", "port_prio", "dscp_prio", "pcp_prio",
};

static bool is_app_table(const char *name)
{
	for (size_t i = 0; i < sizeof(app_tables) / sizeof(*app_tables); i++)
		if (strcmp(app_tables[i], name) == 0)
			return true;
	return false;
}

static void check_app(struct dcb *d, const json_t *app)
{
	const char *name;
	json_t *table;

	json_object_foreach((json_t *)app, name, table)
		d->app_unread |= !is_app_table(name) || json_is_null(table) || json_is_object(table) || json_is_string(table);
}

/* "1nd" is PCP 1 without drop eligibility; with it ("1de") another row may say another priority. */
static void tell_pcp(struct dcb *d, struct span code, uint64_t prio)
{
	if (code.n == 3 && code.p[0] >= '0' && code.p[0] <= '7' && code.p[1] == 'n' && code.p[2] == 'd' && prio < 8)
		obs_number(d->o, d->port, FIELD_PCP_PRIO, (unsigned)(code.p[0] - '0'), prio);
}

static void app_and_trust(struct dcb *d, const json_t *object)
{
	const json_t *item;
	bool dscp = false, pcp = false;
	size_t i;

	json_array_foreach(json_object_get(object, "dscp_prio"), i, item) {
		const json_t *code = json_array_get(item, 0), *prio = json_array_get(item, 1);

		if (json_is_integer(code) && json_is_integer(prio))
			add_app(d, (uint64_t)json_integer_value(code), (uint64_t)json_integer_value(prio));
		else
			d->app_unread = true;
	}
	json_array_foreach(json_object_get(object, "pcp_prio"), i, item)
		if (json_is_integer(json_array_get(item, 1)))
			tell_pcp(d, json_span(json_array_get(item, 0)), (uint64_t)json_integer_value(json_array_get(item, 1)));
	json_array_foreach(json_object_get(object, "order"), i, item)
		if (!order_word(json_span(item), &dscp, &pcp))
			return trust_unread(d);
	set_trust(d, dscp, pcp);
}

/* Empty, or with the tables of an APP answer: after one that was cut short, the next may be read under its name. */
static bool is_app(const json_t *object)
{
	const char *name;
	json_t *table;

	if (json_object_size(object) == 0)
		return true;
	json_object_foreach((json_t *)object, name, table)
		if (is_app_table(name))
			return true;
	return false;
}

/* None of the flags that could name a manager, and none that is not known. */
static bool has_only_flags(const json_t *dcbx)
{
	static const char *const flags[] = { "ieee", "cee", "static" };
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)dcbx, name, value) {
		bool is_flag = false;

		for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
			is_flag |= strcmp(name, flags[i]) == 0;
		if (!is_flag || !json_is_boolean(value))
			return false;
	}
	return true;
}

static void dcb_json(struct dcb *d, const json_t *object)
{
	const json_t *willing = json_object_get(object, "willing");

	d->has_app |= span_is(d->object, "app") && is_app(object);
	if (span_is(d->object, "app") && is_app(object))
		check_app(d, object);
	numbers(d, object);
	pfc_and_tsa(d, object);
	app_and_trust(d, object);
	if (json_is_boolean(willing))
		obs_bool(d->o, d->port, FIELD_DCBX_WILLING, 0, json_is_true(willing));
	if (json_is_true(json_object_get(object, "lld_managed")))
		obs_number(d->o, d->port, FIELD_DCBX, 0, DCBX_FW);
	else if (json_is_true(json_object_get(object, "host")))
		obs_number(d->o, d->port, FIELD_DCBX, 0, DCBX_OS);
	else if (d->is_mlx5 && span_is(d->object, "dcbx") && json_object_size(object) > 0 && has_only_flags(object))
		obs_number(d->o, d->port, FIELD_DCBX, 0, DCBX_FW);	/* mlx5 names no manager where its firmware is it */
}

/* Or may be one. Of those mlnx_qos tells what dcb does not. */
static bool is_mellanox(const struct dcb *d)
{
	return d->driver.n == 0 || span_starts(d->driver, "mlx");
}

/* "3:on", "AF31:3" of the row named last. Sizes in text ("3:128Kb") are rounded to units. */
static void text_pair(struct dcb *d, struct span head, struct span tail)
{
	uint64_t i, n;
	const char *row = span_is(d->key, "prio-tc") ? "prio_tc" : span_is(d->key, "tc-bw") ? "tc_bw" :
			  span_is(d->key, "prio-buffer") ? "prio_buffer" : NULL;

	if (span_is(d->key, "dscp-prio") && read_dscp(head, &i) && span_u64(tail, &n)) {
		add_app(d, i, n);
	} else if (span_is(d->key, "pcp-prio") && span_u64(tail, &n)) {
		tell_pcp(d, head, n);
	} else if (span_is(d->key, "dscp-prio")) {
		d->app_unread = true;
		d->o->missed++;
	} else if (!span_u64(head, &i) || i > 7) {
		return;
	} else if (span_is(d->key, "prio-pfc") && (span_is(tail, "on") || span_is(tail, "off"))) {
		obs_bool(d->o, d->port, FIELD_PFC_ON, (unsigned)i, tail.n == 2);
	} else if (span_is(d->key, "buffer-size") && !is_mellanox(d)) {
		obs_unknown(d->o, d->port, FIELD_BUFFER_SIZE, (unsigned)i, "dcb rounds sizes in text; dcb -j reports them exactly");
	} else if (span_is(d->key, "tc-tsa")) {
		d->tsa[i] = tail;
		d->ets_cite = d->o->cite;
	} else if (row && span_u64(tail, &n)) {
		add_number_of(d, row, (unsigned)i, n);
	}
}

/* "order: dscp pcp" */
static void text_order(struct dcb *d, struct span list)
{
	struct span word;
	bool dscp = false, pcp = false;

	while (span_word(&list, &word))
		if (!order_word(word, &dscp, &pcp))
			return trust_unread(d);
	set_trust(d, dscp, pcp);
}

static void text_line(struct dcb *d, struct span line)
{
	struct span word, head, tail, before = { 0 };

	if (span_skip(&line, "order:")) {
		text_order(d, line);
		return;
	}
	while (span_word(&line, &word)) {
		if (span_cut_last(word, ':', &head, &tail) && tail.n > 0)
			text_pair(d, head, tail);
		else
			d->key = word;
		if (span_is(before, "willing") && (span_is(word, "on") || span_is(word, "off")))
			obs_bool(d->o, d->port, FIELD_DCBX_WILLING, 0, word.n == 2);
		before = word;
	}
}

/* "host ieee": a line of flags and nothing else. */
static bool flags_line(struct dcb *d, struct span line)
{
	struct span word;
	bool host = false, managed = false;

	while (span_word(&line, &word)) {
		host |= span_is(word, "host");
		managed |= span_is(word, "lld-managed");
		if (!span_is(word, "host") && !span_is(word, "lld-managed") && !span_is(word, "ieee") && !span_is(word, "cee") &&
		    !span_is(word, "static"))
			return false;
	}
	if (host || managed)
		obs_number(d->o, d->port, FIELD_DCBX, 0, managed ? DCBX_FW : DCBX_OS);
	return host || managed;
}

/* What a NIC trusts is in no other table of dcb's; mlx5 shows it by its APP table. */
static void apptrust_refused(struct dcb *d, const struct answer *error)
{
	char reason[REASON_MAX];

	if (is_mellanox(d))
		return;
	if (span_find(error->text, "is unknown"))
		obs_unknown(d->o, d->port, FIELD_TRUST, 0, "dcb apptrust: needs iproute2 6.2 or later");
	else
		obs_unknown(d->o, d->port, FIELD_TRUST, 0, refusal(error, "dcb apptrust", reason));
}

static void object_refused(struct dcb *d, struct span object, const char *reason)
{
	if (span_is(object, "pfc"))
		unknown_all(d->o, d->port, FIELD_PFC_ON, reason);
	else if (span_is(object, "app"))
		obs_unknown(d->o, d->port, FIELD_TRUST, 0, reason);
	else if (span_is(object, "buffer") && !is_mellanox(d))
		unknown_all(d->o, d->port, FIELD_BUFFER_SIZE, reason);
	if (!span_is(object, "ets"))
		return;
	unknown_all(d->o, d->port, FIELD_PRIO_TC, reason);
	unknown_all(d->o, d->port, FIELD_ETS_ALGO, reason);
	unknown_all(d->o, d->port, FIELD_ETS_SHARE, reason);
}

static void one_line(struct dcb *d, struct span line)
{
	char reason[REASON_MAX];
	struct answer error = { .text = line, .status = 1 };

	if (span_skip(&line, "dcb ")) {
		d->object = span_trim(line);
		d->asked_app |= span_is(d->object, "app");
	} else if (span_skip(&line, "driver ")) {
		d->driver = span_trim(line);
		d->is_mlx5 = span_is(d->driver, "mlx5_core");
	} else if (span_starts(line, "Attribute ") || span_starts(line, "Object ") || span_starts(line, "RTNETLINK answers: ")) {
		if (span_is(d->object, "apptrust"))
			apptrust_refused(d, &error);
		else
			object_refused(d, d->object, refusal(&error, "dcb", reason));
		d->asked_app &= !span_is(d->object, "app");
	} else if (!flags_line(d, line)) {
		text_line(d, line);
	}
}

/* A class's share means something for ETS only: strict and vendor ones print 0 there. */
static void say_ets(struct dcb *d)
{
	d->o->cite = d->ets_cite;
	for (unsigned i = 0; i < 8; i++) {
		uint64_t algo;

		if (d->tsa[i].n == 0 || !field_word_value(FIELD_ETS_ALGO, d->tsa[i], &algo))
			continue;
		obs_number(d->o, d->port, FIELD_ETS_ALGO, i, algo);
		if (algo == ETS_ETS && d->share[i] >= 0)
			obs_number(d->o, d->port, FIELD_ETS_SHARE, i, (uint64_t)d->share[i]);
	}
}

static void say_app(struct dcb *d)
{
	d->o->cite = d->app_cite;
	for (unsigned i = 0; i < 64; i++) {
		unsigned set = d->dscp[i];

		if (set && d->app_unread)
			obs_unknown(d->o, d->port, FIELD_DSCP_PRIO, i, "a row of the APP table could not be parsed");
		else if (set && (set & (set - 1)) == 0)
			obs_number(d->o, d->port, FIELD_DSCP_PRIO, i, (uint64_t)__builtin_ctz(set));
		else if (set)
			obs_unknown(d->o, d->port, FIELD_DSCP_PRIO, i, "the APP table names more than one priority");
	}
	if (!d->is_mlx5 || !d->asked_app)
		return;
	/* mlx5 has no trust of its own to show: it trusts DSCP once the table has entries of that kind */
	if (d->app_unread && !d->said_app)
		obs_unknown(d->o, d->port, FIELD_TRUST, 0, "a row of the APP table could not be parsed");
	else if (d->said_app || d->has_app)
		set_trust(d, d->said_app, !d->said_app);
	else
		obs_unknown(d->o, d->port, FIELD_TRUST, 0, "dcb app: incomplete output");
}

size_t linux_dcb(const struct answer *a, struct obs *o)
{
	struct dcb d = { .o = o, .port = answer_port(a, o), .share = { -1, -1, -1, -1, -1, -1, -1, -1 },
			 .ets_cite = CITE_NONE, .app_cite = CITE_NONE };
	struct span rest = a->text, line;
	char reason[REASON_MAX];

	for (struct span at = rest; span_line(&rest, &line); at = rest) {
		json_t *json;

		obs_cite(o, line);
		if (line.n == 0 || *line.p != '{') {
			one_line(&d, line);
			continue;
		}
		json = next_json(&at);
		if (!json) {
			obs_missed(o, line);
			continue;
		}
		dcb_json(&d, json);
		json_decref(json);
		rest = at;
	}
	say_ets(&d);
	say_app(&d);
	o->cite = CITE_NONE;
	if (o->n == 0 && a->status > 0 && refusal(a, "dcb", reason)) {
		if (a->status == STATUS_NO_TOOL && !is_mellanox(&d))
			snprintf(reason, sizeof(reason), "dcb is not installed: %.*s needs iproute2 5.11 or later",
				 (int)(d.driver.n < 30 ? d.driver.n : 30), d.driver.p);
		object_refused(&d, SPAN("buffer"), reason);
		object_refused(&d, SPAN("pfc"), reason);
		object_refused(&d, SPAN("ets"), reason);
		object_refused(&d, SPAN("app"), reason);
	}
	return o->n;
}
