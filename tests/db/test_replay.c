#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "db/record/recorder.h"
#include "db/replay/replay.h"
#include "tests/lib/say.h"

#define START_US	(INT64_C(1790000000) * SECOND)

/* -- random observations -- */

static uint64_t seed;

static unsigned any(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 33) % n;
}

/* A steady fabric is odd a twentieth as often: its replies mostly hold the same facts in the same order. */
static bool is_steady;

static unsigned odd(unsigned n)
{
	return any(is_steady ? 20 * n : n);
}

struct story {
	struct obs *list;
	size_t n, cap;
	uint64_t counters[3][4][FIELD_COUNT][8];
};

struct asked {
	const char *probe, *subject;
	unsigned rank;
	int64_t period_us;
	bool has_clock;
};

static const struct asked asked[] = {
	{ "counters", NULL, 10, SECOND, true },	   { "totals", NULL, 20, SECOND, false },
	{ "qos", "eth0", 10, 10 * SECOND, true },  { "qos", "eth1", 10, 10 * SECOND, true },
	{ "dcb", NULL, 30, 5 * SECOND, false },	   { "once", NULL, 40, 0, false },
	{ "state", NULL, 0, SECOND, false },	   { "slow", NULL, 15, 60 * SECOND, true },
};

static const char *const device_names[] = { "n1", "n2", "leaf1" };

static void add_counter(struct story *s, struct obs *o, unsigned device, uint16_t port, unsigned nth, enum field f, unsigned k)
{
	uint64_t *n = &s->counters[device][nth][f][k];

	if (any(40) == 0)
		*n = any(10);
	else if (any(3) > 0)
		*n += any(2) ? any(100) : any(1u << 30) * UINT64_C(16);
	if (odd(25) == 0)
		obs_unknown(o, port, f, k, "not root");
	else if (odd(25) == 0)
		obs_add(o, port, f, k, (struct value){ .is = VALUE_KNOWN, .n = *n, .is_rounded = any(2), .is_unproven = any(2) });
	else if (odd(12) > 0)
		obs_number(o, port, f, k, *n);
}

static void add_settings(struct obs *o, uint16_t port)
{
	if (any(12) > 0)
		obs_bool(o, port, FIELD_PFC_ON, 3, any(8) > 0);
	if (any(6) > 0)
		obs_number(o, port, FIELD_TRUST, 0, any(10) ? TRUST_DSCP : TRUST_PCP);
	if (any(9) > 0)
		any(20) ? obs_number(o, port, FIELD_MTU, 0, any(15) ? 9000 : 1500)
			: obs_unknown(o, port, FIELD_MTU, 0, any(2) ? "cut" : "busy");
	if (any(9) == 0)
		obs_bool(o, port, FIELD_PFC_ON, 3, any(2));	/* said twice in one reply */
	if (any(4) == 0)
		obs_text(o, port, FIELD_ALIAS, any(2) ? SPAN("to leaf1 \"x\"") : SPAN("\xff\xfe odd"));
}

static void add_port_facts(struct story *s, struct obs *o, const struct asked *a, unsigned device, unsigned nth)
{
	char name[16];
	uint16_t port;

	snprintf(name, sizeof(name), "eth%u", nth);
	if (a->subject && strcmp(a->subject, name) != 0)
		return;
	port = obs_port(o, span_of(name));
	if (strcmp(a->probe, "counters") == 0 || strcmp(a->probe, "slow") == 0)
		for (unsigned k = 2; k < 5; k++) {
			add_counter(s, o, device, port, nth, FIELD_PFC_RX, k);
			add_counter(s, o, device, port, nth, a->rank == 15 ? FIELD_RX_DROP : FIELD_TX_PACKETS, k);
		}
	if (strcmp(a->probe, "counters") == 0 || strcmp(a->probe, "totals") == 0) {
		add_counter(s, o, device, port, nth, FIELD_RX_TOTAL, 0);
		add_counter(s, o, device, port, nth, FIELD_OOS, 0);
		add_counter(s, o, device, port, nth, FIELD_QUEUE_BYTES, 3);
	}
	if (strcmp(a->probe, "qos") == 0 || strcmp(a->probe, "dcb") == 0 || strcmp(a->probe, "once") == 0)
		add_settings(o, port);
}

static void add_device_facts(struct obs *o, const struct asked *a)
{
	if (strcmp(a->probe, "state") == 0)
		obs_number(o, OBS_DEVICE, FIELD_STATE, 0, any(20) ? STATE_UP : STATE_RETRYING);
	if (strcmp(a->probe, "once") == 0 || strcmp(a->probe, "dcb") == 0)
		obs_text(o, OBS_DEVICE, FIELD_BOOT, any(15) ? SPAN("boot-a") : SPAN("boot-b"));
}

static const char raw_text[] = "first line\nsecond line\nthird line\n";

static void say(struct story *s, const struct asked *a, unsigned device, int64_t at_us)
{
	struct obs *o = GROW(s->list, s->n, s->cap);

	s->n++;
	obs_init(o, device_names[device], a->probe);
	o->subject = a->subject;
	o->command = any(50) ? "show it" : NULL;
	o->rank = a->rank;
	o->period_us = a->period_us;
	o->at_us = at_us;
	o->device_us = a->has_clock && odd(50) ? at_us - START_US + 7777 * (device + 1) - any(20000) : 0;
	o->is_partial = odd(15) == 0;
	if (a->period_us != SECOND)
		o->raw = (struct span){ raw_text, sizeof(raw_text) - 1 - any(2) };
	if (o->raw.p)
		obs_cite(o, (struct span){ raw_text + 11, 11 });
	add_device_facts(o, a);
	for (unsigned nth = 0; nth < 4; nth++)
		if (odd(30) > 0)
			add_port_facts(s, o, a, device, nth);
}

/* seconds of three devices; each now and then falls silent. */
static void tell(struct story *s, unsigned seconds)
{
	unsigned silent_until[3] = { 0 };

	for (unsigned second = 0; second < seconds; second++)
		for (unsigned d = 0; d < 3; d++) {
			if (any(90) == 0)
				silent_until[d] = second + any(60);
			for (size_t i = 0; i < sizeof(asked) / sizeof(*asked) && second >= silent_until[d]; i++) {
				unsigned each = asked[i].period_us ? (unsigned)(asked[i].period_us / SECOND) : 200;

				if ((second + 3 * i) % each == 0 && any(30) > 0)
					say(s, &asked[i], d, START_US + second * SECOND + (int64_t)(d * 20 + i) * 1000 + any(900));
			}
		}
}

static void story_done(struct story *s)
{
	for (size_t i = 0; i < s->n; i++)
		obs_done(&s->list[i]);
	free(s->list);
}

/* -- two models -- */

static void same_texts(const char *a, const char *b)
{
	if (!a || !b)
		assert_true(a == b);
	else
		assert_string_equal(a, b);
}

static void same_replies(const struct reply *a, const struct reply *b)
{
	assert_string_equal(a->probe, b->probe);
	same_texts(a->subject, b->subject);
	same_texts(a->command, b->command);
	assert_int_equal(a->rank, b->rank);
	assert_true(a->at_us == b->at_us);
	assert_true(a->device_us == b->device_us);
	assert_true(a->period_us == b->period_us);
	assert_int_equal(a->n_facts, b->n_facts);
	assert_int_equal(a->raw_n, b->raw_n);
	assert_true(a->raw_n == 0 || memcmp(a->raw, b->raw, a->raw_n) == 0);
}

static bool cell_stands(const struct cell *c)
{
	return c && c->generation == c->reply->generation && c->value.is != VALUE_ABSENT;
}

static void same_cells(const struct cell *a, const struct cell *b)
{
	if (!a || !b) {
		assert_true(a == b);
		return;
	}
	same_replies(a->reply, b->reply);
	assert_int_equal(a->value.is, b->value.is);
	assert_true(a->value.n == b->value.n);
	assert_int_equal(a->value.is_rounded, b->value.is_rounded);
	assert_int_equal(a->value.is_unproven, b->value.is_unproven);
	same_texts(a->value.text, b->value.text);
	assert_true(a->since_us == b->since_us);
	if (a->reply->raw)
		assert_int_equal(a->cite, b->cite);
	assert_true(!a->other == !b->other);
	if (a->other) {
		assert_int_equal(cell_stands(a->other), cell_stands(b->other));
		same_cells(a->other, b->other);
	}
}

static void same_rates(const struct model *m, const struct port *p, const struct model *n, const struct port *q, enum field f,
		       unsigned k)
{
	double a = 0, b = 0;

	assert_int_equal(port_rate(m, p, f, k, &a), port_rate(n, q, f, k, &b));
	assert_true(a == b);
}

/* The part of a history that is not older than from_us. */
static size_t recent(const struct series *s, int64_t from_us, int64_t *at_us, float *value)
{
	size_t n = series_history(s, at_us, value), old = 0;

	while (old < n && at_us[old] < from_us)
		old++;
	memmove(at_us, at_us + old, (n - old) * sizeof(*at_us));
	memmove(value, value + old, (n - old) * sizeof(*value));
	return n - old;
}

static void same_histories(const struct series *a, const struct series *b, int64_t from_us)
{
	int64_t at_a[HISTORY_LEN], at_b[HISTORY_LEN];
	float value_a[HISTORY_LEN], value_b[HISTORY_LEN];
	size_t n = recent(a, from_us, at_a, value_a);

	assert_int_equal(n, recent(b, from_us, at_b, value_b));
	assert_memory_equal(at_a, at_b, n * sizeof(*at_a));
	assert_memory_equal(value_a, value_b, n * sizeof(*value_a));
}

static void same_ports(const struct model *m, const struct port *p, const struct model *n, const struct port *q,
		       int64_t from_us)
{
	assert_string_equal(p->name, q->name);
	assert_string_equal(p->device->name, q->device->name);
	for (unsigned f = 0; f < FIELD_COUNT; f++)
		for (unsigned k = 0; k < field_table[f].width; k++) {
			same_cells(port_cell(p, (enum field)f, k), port_cell(q, (enum field)f, k));
			same_rates(m, p, n, q, (enum field)f, k);
			same_histories(port_series(p, (enum field)f, k), port_series(q, (enum field)f, k), from_us);
		}
}

static void same_models(const struct model *m, const struct model *n, int64_t from_us)
{
	assert_int_equal(model_devices(m), model_devices(n));
	assert_int_equal(model_ports(m), model_ports(n));
	for (size_t i = 0; i < model_devices(m); i++) {
		const struct device *d = model_device(m, i), *e = model_device(n, i);

		assert_string_equal(d->name, e->name);
		assert_true(d->heard_us == e->heard_us);
		assert_int_equal(d->n_replies, e->n_replies);
		for (size_t k = 0; k < d->n_replies; k++)
			same_replies(d->replies[k], e->replies[k]);
		for (unsigned f = 0; f < FIELD_COUNT; f++)
			same_cells(device_cell(d, (enum field)f, 0), device_cell(e, (enum field)f, 0));
		assert_int_equal(d->n_ports, e->n_ports);
		for (size_t k = 0; k < d->n_ports; k++)
			assert_string_equal(d->ports[k]->name, e->ports[k]->name);
	}
	for (size_t i = 0; i < model_ports(m); i++)
		same_ports(m, model_port(m, i), n, model_port(n, i), from_us);
}

/* -- what happened -- */

static void temporary(char *path, size_t size)
{
	char dir[] = "/tmp/fabcon-replay-XXXXXX";

	assert_non_null(mkdtemp(dir));
	snprintf(path, size, "%s/r.fabcon", dir);
}

static void forget(const char *path)
{
	char dir[128];

	unlink(path);
	snprintf(dir, sizeof(dir), "%s", path);
	*strrchr(dir, '/') = '\0';
	rmdir(dir);
}

static void record(const struct story *s, const char *path, bool lend, int64_t key_us)
{
	struct model *m = model_new();
	struct recorder_options options = { .key_us = key_us, .model = lend ? m : NULL, .fabric = "demo",
					    .inventory_text = "all: {}" };
	struct err err;
	struct recorder *r = recorder_open(path, &options, &err);

	if (!r)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < s->n; i++) {
		model_apply(m, &s->list[i]);
		recorder_take(r, &s->list[i]);
	}
	assert_null(recorder_trouble(r));
	recorder_close(r);
	model_free(m);
}

static struct model *model_live(const struct story *s, int64_t at_us)
{
	struct model *m = model_new();

	for (size_t i = 0; i < s->n && s->list[i].at_us <= at_us; i++)
		model_apply(m, &s->list[i]);
	model_set_now(m, at_us);
	return m;
}

static void play(struct replay *r, struct model *m, int64_t at_us)
{
	struct obs o;

	obs_init(&o, "", "");
	while (replay_next(r, at_us, &o))
		model_apply(m, &o);
	obs_done(&o);
	model_set_now(m, at_us);
}

static struct replay *opened(const char *path)
{
	struct err err = { "" };
	struct replay *r = replay_open(path, &err);

	if (!r)
		fail_msg("%s", err.text);
	return r;
}

static void compare_at(struct replay *r, const struct story *s, int64_t at_us)
{
	struct model *live = model_live(s, at_us), *again = model_new();
	struct err err;

	assert_true(replay_seek(r, at_us, 20 * SECOND, &err));
	play(r, again, at_us);
	same_models(live, again, at_us - 18 * SECOND);
	model_free(live);
	model_free(again);
}

static void a_replay_at_any_time_is_what_was_live_then(void **state)
{
	is_steady = *state != NULL;
	for (unsigned round = 0; round < 4; round++) {
		struct story s = { 0 };
		struct replay *r;
		char path[64];

		seed = 88172645463325252u + round;
		temporary(path, sizeof(path));
		tell(&s, 240);
		record(&s, path, round % 2, (round + 1) * 7 * SECOND);
		r = opened(path);
		for (unsigned i = 0; i < 25; i++)
			compare_at(r, &s, START_US + any(250) * SECOND + any(1000000));
		replay_close(r);
		forget(path);
		story_done(&s);
	}
}

static void a_replay_goes_on_from_where_it_is(void **state)
{
	struct story s = { 0 };
	struct model *again = model_new();
	struct replay *r;
	char path[64];

	(void)state;
	seed = 4242;
	temporary(path, sizeof(path));
	tell(&s, 100);
	record(&s, path, true, 0);
	r = opened(path);
	for (int64_t at_us = START_US; at_us < START_US + 110 * SECOND; at_us += 7 * SECOND) {
		struct model *live = model_live(&s, at_us);

		play(r, again, at_us);
		same_models(live, again, at_us - 18 * SECOND);
		model_free(live);
	}
	assert_true(replay_due(r) == INT64_MAX);
	assert_true(replay_last(r) == s.list[s.n - 1].at_us);
	model_free(again);
	replay_close(r);
	forget(path);
	story_done(&s);
}

/* Where replies are alike, most are told briefly on the way: counted, so that it is known to be what is compared. */
static void what_is_sought_needs_few_words_on_the_way(void **state)
{
	struct story s = { 0 };
	unsigned n = 0, n_brief = 0;
	struct replay *r;
	char path[64];
	struct obs o;

	(void)state;
	is_steady = true;
	seed = 31;
	temporary(path, sizeof(path));
	tell(&s, 120);
	record(&s, path, true, 0);
	r = opened(path);
	assert_true(replay_seek(r, START_US + 100 * SECOND, 40 * SECOND, NULL));
	obs_init(&o, "", "");
	for (; replay_next(r, START_US + 100 * SECOND, &o); n++)
		n_brief += o.is_delta;
	assert_true(n_brief > n / 3);
	while (replay_next(r, INT64_MAX, &o))
		assert_false(o.is_delta);
	obs_done(&o);
	replay_close(r);
	forget(path);
	story_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_replay_at_any_time_is_what_was_live_then),
		{ "a_replay_of_a_steady_fabric_is_what_was_live_then", a_replay_at_any_time_is_what_was_live_then, NULL, NULL,
		  "steady" },
		cmocka_unit_test(what_is_sought_needs_few_words_on_the_way),
		cmocka_unit_test(a_replay_goes_on_from_where_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
