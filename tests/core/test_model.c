/* The model: what is said stands, ages, goes; counters become rates. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/model/model.h"

#include "tests/lib/say.h"

static void pause_frames_become_a_rate(void **state)
{
	struct model *m = model_saying("leaf1 Ethernet4 pfc.rx[3] = 1000", 1 * SECOND);

	(void)state;
	model_say(m, "leaf1 Ethernet4 pfc.rx[3] = 3000", 3 * SECOND);
	assert_rate(m, "leaf1 Ethernet4 pfc.rx[3]", 1000.0 /* frames/s */);
	model_free(m);
}

static void one_sample_is_no_rate(void **state)
{
	struct model *m = model_saying("leaf1 Ethernet4 pfc.rx[3] = 1000", 1 * SECOND);

	(void)state;
	assert_no_rate(m, "leaf1 Ethernet4 pfc.rx[3]");
	model_free(m);
}

static void a_reset_is_never_a_negative_rate(void **state)
{
	struct model *m = model_saying("leaf1 Ethernet4 pfc.rx[3] = 1000", 1 * SECOND);

	(void)state;
	model_say(m, "leaf1 Ethernet4 pfc.rx[3] = 10", 2 * SECOND);
	assert_no_rate(m, "leaf1 Ethernet4 pfc.rx[3]");
	model_say(m, "leaf1 Ethernet4 pfc.rx[3] = 30", 3 * SECOND);
	assert_rate(m, "leaf1 Ethernet4 pfc.rx[3]", 20.0);
	model_free(m);
}

static void a_32_bit_counter_wraps_only_near_its_end(void **state)
{
	struct model *m = model_saying("n1 eth0 oos = 4294967290", 1 * SECOND);

	(void)state;
	model_say(m, "n1 eth0 oos = 4", 2 * SECOND);
	assert_rate(m, "n1 eth0 oos", 10.0);
	model_say(m, "n1 eth0 oos = 2", 3 * SECOND);
	assert_no_rate(m, "n1 eth0 oos");
	model_free(m);
}

static void a_32_bit_counter_has_not_wrapped_where_a_wide_one_went_back(void **state)
{
	static const char *const after[] = { "n1 eth0 oos = 4", "n1 eth0 rx.total = 100" };

	(void)state;
	for (unsigned is_first = 0; is_first < 2; is_first++) {		/* whichever of the two answers comes first */
		struct model *m = model_new();

		model_say_by(m, "hw_counters", 10, "n1 eth0 oos = 4294967290", 1 * SECOND);
		model_say_by(m, "ethtool", 10, "n1 eth0 rx.total = 90000000000", 1 * SECOND);
		model_say_by(m, is_first ? "ethtool" : "hw_counters", 10, after[is_first], 2 * SECOND);
		model_say_by(m, is_first ? "hw_counters" : "ethtool", 10, after[!is_first], 2 * SECOND);
		assert_no_rate(m, "n1 eth0 rx.total");
		model_say_by(m, "hw_counters", 10, "n1 eth0 oos = 5", 3 * SECOND);
		if (is_first)
			assert_rate(m, "n1 eth0 oos", 1);
		else
			assert_no_rate(m, "n1 eth0 oos");
		model_say_by(m, "hw_counters", 10, "n1 eth0 oos = 7", 4 * SECOND);
		assert_rate(m, "n1 eth0 oos", 2);
		model_free(m);
	}
}

static void a_32_bit_counter_wraps_while_the_wide_ones_go_on(void **state)
{
	struct model *m = model_saying("n1 eth0 oos = 4294967290\nn1 eth0 rx.total = 1000", 1 * SECOND);

	(void)state;
	model_say(m, "n1 eth0 oos = 4\nn1 eth0 rx.total = 2000", 2 * SECOND);
	model_say(m, "n1 eth0 oos = 14\nn1 eth0 rx.total = 3000", 3 * SECOND);
	assert_rate(m, "n1 eth0 oos", 10);
	model_free(m);
}

static void a_link_that_is_back_is_bounded_by_the_speed_that_it_had(void **state)
{
	struct model *m = model_saying("n1 eth0 speed = 100G\nn1 eth0 rx.total = 1000", 1 * SECOND);

	(void)state;
	model_say(m, "n1 eth0 speed = 100G\nn1 eth0 rx.total = 12500001000", 2 * SECOND);
	model_say(m, "n1 eth0 speed = unknown \"the link is down\"\nn1 eth0 rx.total = 12500001000", 8 * SECOND);
	assert_rate(m, "n1 eth0 rx.total", 0);
	model_say(m, "n1 eth0 speed = unknown \"the link is down\"\nn1 eth0 rx.total = 87500001000", 14 * SECOND);
	assert_rate(m, "n1 eth0 rx.total", 12.5e9);
	model_say(m, "n1 eth0 speed = unknown \"the link is down\"\nn1 eth0 rx.total = 175250001000", 20 * SECOND);
	assert_no_rate(m, "n1 eth0 rx.total");
	model_free(m);
}

static void more_than_the_line_carries_is_not_believed(void **state)
{
	struct model *m = model_saying("n1 eth0 speed = 100G\nn1 eth0 rx.total = 1000", 1 * SECOND);

	(void)state;
	model_say(m, "n1 eth0 speed = 100G\nn1 eth0 rx.total = 12500001000", 2 * SECOND);
	assert_rate(m, "n1 eth0 rx.total", 12.5e9);
	model_say(m, "n1 eth0 speed = 100G\nn1 eth0 rx.total = 125000010000", 3 * SECOND);
	assert_no_rate(m, "n1 eth0 rx.total");
	model_say(m, "n1 eth0 speed = 100G\nn1 eth0 rx.total = 125000011000", 4 * SECOND);
	assert_rate(m, "n1 eth0 rx.total", 1000);
	model_free(m);
}

static void more_than_all_the_time_is_not_believed(void **state)
{
	struct model *m = model_saying("n1 eth0 pfc.rx_us[3] = 1000000", 1 * SECOND);

	(void)state;
	model_say(m, "n1 eth0 pfc.rx_us[3] = 2000000", 2 * SECOND);
	assert_rate(m, "n1 eth0 pfc.rx_us[3]", 1e6);
	model_say(m, "n1 eth0 pfc.rx_us[3] = 4200000", 3 * SECOND);
	assert_no_rate(m, "n1 eth0 pfc.rx_us[3]");
	model_say(m, "n1 eth0 pfc.rx_us[3] = 4300000", 4 * SECOND);
	assert_rate(m, "n1 eth0 pfc.rx_us[3]", 1e5);
	model_free(m);
}

/* A 32-bit counter that grows, wraps, restarts, stands still, leaps, and is read at times that go back. */
static void no_series_makes_a_rate_below_zero_or_above_the_line(void **state)
{
	struct model *m = model_new();
	unsigned steps = getenv("COUNTER_STEPS") ? (unsigned)atoi(getenv("COUNTER_STEPS")) : 20000;
	int64_t at_us = 1000 * SECOND;
	uint32_t n = 0;
	char facts[128];
	double per_s;

	(void)state;
	srandom(7);
	for (unsigned i = 0; i < steps; i++) {
		unsigned way = (unsigned)random() % 10;

		n = way < 6 ? n + (uint32_t)random() % 1000000 : way < 7 ? 0 : way < 8 ? n : n + (uint32_t)random() * 2;
		at_us += way == 9 ? -(random() % (100 * SECOND)) : random() % (2 * SECOND);
		snprintf(facts, sizeof(facts), "n1 eth0 speed = 1G\nn1 eth0 rx.total = %u\nn1 eth0 oos = %u", n, n);
		model_say(m, facts, at_us);
		if (port_rate(m, model_find_port(m, "n1", "eth0"), FIELD_RX_TOTAL, 0, &per_s))
			assert_true(per_s >= 0 && per_s <= 250e6);
		if (port_rate(m, model_find_port(m, "n1", "eth0"), FIELD_OOS, 0, &per_s))
			assert_true(per_s >= 0);
	}
	print_message("%u random steps of a counter, no rate below zero or above the line\n", steps);
	model_free(m);
}

/* -- counters that a device refreshes by a clock of its own -- */

struct refreshing {
	int64_t every_us, phase_us;	/* in truth */
	int64_t read_us, jitter_us;	/* how often it is read, and up to how much later */
	double per_s;
};

static int64_t drawn(int64_t low, int64_t high)
{
	return low + random() % (high - low + 1);
}

static uint64_t shown(const struct refreshing *r, int64_t at_us)
{
	int64_t refreshed_us = at_us - (at_us - r->phase_us) % r->every_us;

	return UINT64_C(1000000000) + (uint64_t)(r->per_s * ((double)refreshed_us / 1e6));
}

static bool rate_when_read(struct model *m, const struct refreshing *r, int64_t told_us, int64_t at_us, double *per_s)
{
	struct obs o;
	uint16_t port;

	obs_init(&o, "leaf1", "queues");
	o.at_us = at_us + drawn(0, SECOND / 5);
	o.device_us = at_us;
	o.period_us = r->read_us;
	o.refresh_us = told_us;
	port = obs_port(&o, SPAN("Ethernet4"));
	obs_number(&o, port, FIELD_TX_BYTES, 3, shown(r, at_us));
	model_apply(m, &o);
	obs_done(&o);
	return port_rate(m, model_find_port(m, "leaf1", "Ethernet4"), FIELD_TX_BYTES, 3, per_s);
}

/* Read for so long from some moment on: how far out its rate was at worst, and when it was known first; -1: never. */
static double worst_of(const struct refreshing *r, int64_t told_us, int64_t for_us, int64_t *known_us)
{
	struct model *m = model_new();
	int64_t began_us = 1000 * SECOND + drawn(0, 20 * SECOND);
	double worst = 0, per_s;

	*known_us = -1;
	for (int64_t at_us = began_us; at_us < began_us + for_us; at_us += r->read_us + drawn(0, r->jitter_us)) {
		if (!rate_when_read(m, r, told_us, at_us, &per_s))
			continue;
		if (*known_us < 0)
			*known_us = at_us - began_us;
		if (fabs(per_s / r->per_s - 1) > worst)
			worst = fabs(per_s / r->per_s - 1);
	}
	model_free(m);
	return worst;
}

/* Read more often than it is refreshed: each move is known to within a reading, and each is of one refresh. */
static void a_refreshed_counter_has_the_rate_of_its_refreshes_or_none(void **state)
{
	static const int64_t told_us[] = { 1 * SECOND, 10 * SECOND };

	(void)state;
	srandom(13);
	for (unsigned i = 0; i < 600; i++) {
		int64_t told = told_us[i % 2], known_us;
		struct refreshing r = { .every_us = told + told / 100 * drawn(0, 4), .phase_us = drawn(0, told), .per_s = 1e9 * (1 + drawn(0, 9)),
					.read_us = drawn(told / 10, told * 8 / 10), .jitter_us = told / 10 };
		double worst = worst_of(&r, told, 8 * told, &known_us);

		if (worst > 0.0201 || known_us < 0 || known_us > 4 * told)
			fail_msg("refreshed each %.2f s, read each %.2f s: %.1f %% out, known after %.1f s", (double)r.every_us / 1e6,
				 (double)r.read_us / 1e6, worst * 100, (double)known_us / 1e6);
	}
}

/* Read less often, or refreshed more often than is known of such devices: of what it is measured over a quarter may be doubt. */
static void a_refreshed_counter_that_is_seldom_read_is_waited_for(void **state)
{
	(void)state;
	srandom(14);
	for (unsigned i = 0; i < 600; i++) {
		int64_t every = drawn(SECOND / 2, 10 * SECOND), read = i % 2 ? drawn(every, 3 * every) : drawn(SECOND, 2 * SECOND), known_us;
		struct refreshing r = { .every_us = i % 2 ? every : SECOND / 2, .phase_us = drawn(0, every), .per_s = 1e9, .read_us = read,
					.jitter_us = read / 10 };
		double worst = worst_of(&r, i % 2 ? every : 10 * SECOND, 30 * (every > read ? every : read), &known_us);

		if (worst > 0.34 || known_us < 0 || known_us > 9 * (every > read ? every : read))
			fail_msg("refreshed each %.2f s, read each %.2f s: %.1f %% out, known after %.1f s", (double)r.every_us / 1e6,
				 (double)r.read_us / 1e6, worst * 100, (double)known_us / 1e6);
	}
}

static void a_refreshed_counter_stands_still_only_once_it_could_have_moved(void **state)
{
	struct refreshing r = { .every_us = 10 * SECOND, .phase_us = 0, .read_us = SECOND, .per_s = 0 };
	struct model *m = model_new();
	double per_s;

	(void)state;
	for (unsigned second = 0; second < 30; second++) {
		bool is_known = rate_when_read(m, &r, 10 * SECOND, (1000 + second) * SECOND, &per_s);

		assert_true(second < 10 ? !is_known : second < 14 || (is_known && per_s <= 0));
	}
	model_free(m);
}

static void what_a_whole_reply_no_longer_says_is_gone(void **state)
{
	struct model *m = model_saying("n1 eth0 pfc.on[3] = yes\nn1 eth0 pfc.on[4] = yes", 1 * SECOND);
	struct port *p = model_find_port(m, "n1", "eth0");

	(void)state;
	assert_non_null(port_cell(p, FIELD_PFC_ON, 4));
	model_say(m, "n1 eth0 pfc.on[3] = yes", 2 * SECOND);
	assert_non_null(port_cell(p, FIELD_PFC_ON, 3));
	assert_null(port_cell(p, FIELD_PFC_ON, 4));
	model_free(m);
}

static void note_change(void *ctx, const struct change *c)
{
	struct buf *out = ctx;

	buf_printf(out, "%llu -> %llu\n", (unsigned long long)c->was->n, (unsigned long long)c->now->n);
}

static void what_cannot_be_read_has_not_changed(void **state)
{
	static const char *const values[] = { "9000", "unknown \"EBUSY\"", "unknown \"timed out\"", "9000", "unknown \"EBUSY\"", "1500" };
	struct model *m = model_new();
	struct buf out = { NULL };
	char line[64];

	(void)state;
	model_on_change(m, note_change, &out);
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		snprintf(line, sizeof(line), "n1 eth0 mtu = %s", values[i]);
		model_say(m, line, (int64_t)(1 + i) * SECOND);
	}
	assert_string_equal(out.text, "9000 -> 1500\n");
	buf_done(&out);
	model_free(m);
}

static void an_old_value_is_not_known(void **state)
{
	struct model *m = model_saying("n1 eth0 mtu = 9000", 1 * SECOND);
	struct port *p = model_find_port(m, "n1", "eth0");
	uint64_t mtu;

	(void)state;
	assert_true(port_number(m, p, FIELD_MTU, 0, &mtu));
	model_set_now(m, 100 * SECOND);
	assert_false(port_number(m, p, FIELD_MTU, 0, &mtu));
	assert_non_null(port_cell(p, FIELD_MTU, 0));
	model_free(m);
}

static void a_better_probe_is_believed_and_the_other_is_kept_beside_it(void **state)
{
	struct model *m = model_new();
	struct port *p;

	(void)state;
	model_say_by(m, "dcb", 20, "n1 eth0 pfc.on[3] = no", 1 * SECOND);
	model_say_by(m, "mlnx_qos", 10, "n1 eth0 pfc.on[3] = yes", 1 * SECOND);
	model_say_by(m, "dcb", 20, "n1 eth0 pfc.on[3] = no", 2 * SECOND);
	p = model_find_port(m, "n1", "eth0");
	assert_int_equal(port_cell(p, FIELD_PFC_ON, 3)->value.n, 1);
	assert_string_equal(port_cell(p, FIELD_PFC_ON, 3)->reply->probe, "mlnx_qos");
	assert_string_equal(port_cell(p, FIELD_PFC_ON, 3)->other->reply->probe, "dcb");
	model_free(m);
}

static void a_fact_has_one_written_form(void **state)
{
	static const char *const lines[] = {
		"leaf1 Ethernet4 pfc.on[3] = yes",
		"leaf1 version = \"10.5.6.1\"",
		"n1 eth2 ecn.np[3] = unknown \"not root\"",
		"n1 eth2 dscp.prio[26] = 3",
		"n1 eth2 trust = dscp",
		"leaf1 ethernet1/1/1 ecn.kmin[3] = 150000",
		"leaf1 ethernet1/1/1 tx.packets[3] = ~188684486633",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct arena arena = { 0 };
		struct buf out = { 0 };
		struct fact fact;
		struct err err;

		assert_true(fact_parse(span_of(lines[i]), &arena, &fact, &err));
		fact_print(&fact, &out);
		assert_string_equal(out.text, lines[i]);
		buf_done(&out);
		arena_done(&arena);
	}
}

static void a_wrong_fact_says_what_is_wrong(void **state)
{
	static const char *const lines[] = {
		"leaf1 Ethernet4 pfc.on[8] = yes", "leaf1 Ethernet4 pfc.onn[3] = yes", "leaf1 Ethernet4 pfc.on[3] = maybe",
		"leaf1 pfc.on[3] = yes", "leaf1 e1 version = \"1\"", "leaf1 e1 pfc.on = yes", "leaf1 e1 ecn.kmin[3] = 3 furlongs",
		"leaf1 e1 speed = 99999999999999999999", "", "=", "leaf1 e1 alias = bare",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct arena arena = { 0 };
		struct fact fact;
		struct err err = { "" };

		assert_false(fact_parse(span_of(lines[i]), &arena, &fact, &err));
		assert_true(strlen(err.text) > 0);
		arena_done(&arena);
	}
}

static void a_copy_stays_as_it_was_while_the_model_goes_on(void **state)
{
	struct model *m = model_saying("leaf1 Ethernet4 pfc.rx[3] = 1000\nleaf1 Ethernet4 trust = dscp", 1 * SECOND);
	const struct cell *then, *now;
	struct model *copy;

	(void)state;
	model_say(m, "leaf1 Ethernet4 pfc.rx[3] = 3000\nleaf1 Ethernet4 trust = dscp", 3 * SECOND);
	model_say_by(m, "lldp", 5, "leaf1 Ethernet4 trust = pcp", 3 * SECOND);
	copy = model_copy(m);
	model_say(m, "leaf1 Ethernet4 pfc.rx[3] = 9000\nleaf1 Ethernet8 trust = pcp", 4 * SECOND);

	assert_rate(copy, "leaf1 Ethernet4 pfc.rx[3]", 1000.0);
	assert_rate(m, "leaf1 Ethernet4 pfc.rx[3]", 6000.0);
	then = port_cell(model_find_port(copy, "leaf1", "Ethernet4"), FIELD_TRUST, 0);
	assert_non_null(then);
	assert_string_equal(then->reply->device->name, "leaf1");
	assert_non_null(then->other);
	assert_string_equal(then->other->reply->probe, "test");
	now = port_cell(model_find_port(m, "leaf1", "Ethernet4"), FIELD_TRUST, 0);
	assert_true(!now || now->reply != then->reply);
	assert_null(model_find_port(copy, "leaf1", "Ethernet8"));
	assert_int_equal(model_now(copy), 3 * SECOND);
	model_free(copy);
	assert_rate(m, "leaf1 Ethernet4 pfc.rx[3]", 6000.0);
	model_free(m);
}

static void a_raw_reply_is_shared_with_a_copy_until_it_is_said_anew(void **state)
{
	struct model *m = model_new(), *copy;
	const struct reply *then, *now;
	struct obs o;

	(void)state;
	obs_init(&o, "leaf1", "lldp");
	o.at_us = 1 * SECOND;
	o.raw = span_of("the first answer");
	model_apply(m, &o);
	copy = model_copy(m);
	then = model_find_device(copy, "leaf1")->replies[0];
	now = model_find_device(m, "leaf1")->replies[0];
	assert_ptr_equal(then->raw, now->raw);
	o.at_us = 2 * SECOND;
	o.raw = span_of("another, and longer than the first");
	model_apply(m, &o);
	assert_string_equal(then->raw, "the first answer");
	assert_string_equal(now->raw, "another, and longer than the first");
	o.raw = (struct span){ 0 };
	model_apply(m, &o);
	assert_null(now->raw);
	assert_string_equal(then->raw, "the first answer");
	obs_done(&o);
	model_free(copy);
	model_free(m);
}

/* "a" and "b" in two lines, then "b" alone, of an answer that was cut: the line of "a" is of a text that is gone. */
static void what_an_answer_that_was_cut_does_not_tell_again_cites_no_line_of_it(void **state)
{
	const struct span whole = SPAN("eth2 up\neth3 up\n"), cut = SPAN("eth3 up\neth2 down");
	struct model *m = model_new();
	const struct cell *a, *b;
	unsigned number;
	struct obs o;

	(void)state;
	for (int is_cut = 0; is_cut < 2; is_cut++) {
		obs_init(&o, "n1", "link");
		o.at_us = (is_cut + 1) * SECOND;
		o.raw = is_cut ? cut : whole;
		o.is_partial = is_cut;
		obs_cite(&o, (struct span){ o.raw.p, 7 });
		if (!is_cut)
			obs_bool(&o, obs_port(&o, SPAN("eth2")), FIELD_UP, 0, true);
		obs_cite(&o, (struct span){ o.raw.p + (is_cut ? 0 : 8), 7 });
		obs_bool(&o, obs_port(&o, SPAN("eth3")), FIELD_UP, 0, true);
		model_apply(m, &o);
		obs_done(&o);
	}
	a = port_cell(model_find_port(m, "n1", "eth2"), FIELD_UP, 0);
	b = port_cell(model_find_port(m, "n1", "eth3"), FIELD_UP, 0);
	assert_non_null(a);
	assert_int_equal(cell_line(a, &number).n, 0);
	assert_true(span_is(cell_line(b, &number), "eth3 up"));
	assert_int_equal(number, 1);
	model_free(m);
}

static void count_seldom(struct model *m, int64_t at_us)
{
	struct obs o;
	struct err err;

	obs_init(&o, "leaf1", "counters");
	o.at_us = at_us;
	o.period_us = 32 * SECOND;
	assert_true(obs_read(&o, span_of("leaf1 Eth1 pfc.rx[3] = 7\n"), &err));
	model_apply(m, &o);
	obs_done(&o);
	model_set_now(m, at_us);
}

/* "Paused 0 %" was said of a link whose ends had been unreachable for more than a minute: they had been read seldom before. */
static void a_device_that_went_away_has_no_rate_now(void **state)
{
	struct model *m = model_new();

	(void)state;
	model_say_by(m, "ssh", 10, "leaf1 state = up\n", 100 * SECOND);
	count_seldom(m, 100 * SECOND);
	count_seldom(m, 132 * SECOND);
	model_set_now(m, 160 * SECOND);
	assert_rate(m, "leaf1 Eth1 pfc.rx[3]", 0);
	model_say_by(m, "ssh", 10, "leaf1 state = retrying\n", 161 * SECOND);
	model_set_now(m, 161 * SECOND);
	assert_no_rate(m, "leaf1 Eth1 pfc.rx[3]");
	model_say_by(m, "ssh", 10, "leaf1 state = up\n", 162 * SECOND);
	count_seldom(m, 164 * SECOND);
	assert_rate(m, "leaf1 Eth1 pfc.rx[3]", 0);
	model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pause_frames_become_a_rate),
		cmocka_unit_test(one_sample_is_no_rate),
		cmocka_unit_test(a_reset_is_never_a_negative_rate),
		cmocka_unit_test(a_32_bit_counter_wraps_only_near_its_end),
		cmocka_unit_test(a_32_bit_counter_has_not_wrapped_where_a_wide_one_went_back),
		cmocka_unit_test(a_32_bit_counter_wraps_while_the_wide_ones_go_on),
		cmocka_unit_test(a_link_that_is_back_is_bounded_by_the_speed_that_it_had),
		cmocka_unit_test(more_than_the_line_carries_is_not_believed),
		cmocka_unit_test(more_than_all_the_time_is_not_believed),
		cmocka_unit_test(no_series_makes_a_rate_below_zero_or_above_the_line),
		cmocka_unit_test(a_refreshed_counter_has_the_rate_of_its_refreshes_or_none),
		cmocka_unit_test(a_refreshed_counter_that_is_seldom_read_is_waited_for),
		cmocka_unit_test(a_refreshed_counter_stands_still_only_once_it_could_have_moved),
		cmocka_unit_test(what_a_whole_reply_no_longer_says_is_gone),
		cmocka_unit_test(what_cannot_be_read_has_not_changed),
		cmocka_unit_test(an_old_value_is_not_known),
		cmocka_unit_test(a_better_probe_is_believed_and_the_other_is_kept_beside_it),
		cmocka_unit_test(a_copy_stays_as_it_was_while_the_model_goes_on),
		cmocka_unit_test(a_raw_reply_is_shared_with_a_copy_until_it_is_said_anew),
		cmocka_unit_test(a_fact_has_one_written_form),
		cmocka_unit_test(a_wrong_fact_says_what_is_wrong),
		cmocka_unit_test(what_an_answer_that_was_cut_does_not_tell_again_cites_no_line_of_it),
		cmocka_unit_test(a_device_that_went_away_has_no_rate_now),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
