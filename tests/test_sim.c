#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "core/sim.h"
#include "tests/lib/say.h"

#define MS	INT64_C(1000000)
#define US	INT64_C(1000)

#define assert_between(value, low, high) \
	do { \
		double v_ = (value); \
		if (!(v_ >= (low) && v_ <= (high))) \
			fail_msg("%s is %g, not in %g … %g", #value, v_, (double)(low), (double)(high)); \
	} while (0)

/* Senders on one switch, each on its own port, and one receiver. */
struct star {
	struct sim *s;
	unsigned hosts[65], ports[65];	/* host port, and the switch's that faces it; the last is the receiver's */
	unsigned n, flows[64];
};

static struct star star_new(unsigned n, uint64_t bps, uint32_t delay_ns, uint64_t seed)
{
	struct star st = { .s = sim_new(seed), .n = n };
	unsigned sw = sim_add_device(st.s, true);
	struct sim_qos at_host, at_switch;

	sim_qos_lossless(&at_host, bps, false);
	sim_qos_lossless(&at_switch, bps, true);
	for (unsigned i = 0; i <= n; i++) {
		st.hosts[i] = sim_add_port(st.s, sim_add_device(st.s, false), &at_host);
		st.ports[i] = sim_add_port(st.s, sw, &at_switch);
		sim_link(st.s, st.hosts[i], st.ports[i], delay_ns);
	}
	return st;
}

static void star_incast(struct star *st)
{
	for (unsigned i = 0; i < st->n; i++)
		st->flows[i] = sim_flow_add(st->s, &(struct sim_flow){
			.from = st->hosts[i], .to = st->hosts[st->n], .dscp = 26, .ect = true });
}

/* Applies a change to every port of the switch, or of the hosts. */
static void star_change(struct star *st, bool at_switch, void (*change)(struct sim_qos *qos))
{
	for (unsigned i = 0; i <= st->n; i++) {
		unsigned port = at_switch ? st->ports[i] : st->hosts[i];
		struct sim_qos qos = *sim_qos(st->s, port);

		change(&qos);
		sim_set_qos(st->s, port, &qos);
	}
}

static void unlimited_buffer(struct sim_qos *qos)
{
	qos->xoff[3] = UINT32_MAX;
	qos->headroom[3] = 0;
}

struct band {
	unsigned n;
	double gbps;
	uint32_t kmin, kmax;
	double pmax;
	int64_t from_ms, to_ms;
	double queue_kb, mark_pct, alpha, cnps;	/* middles of the published ranges */
};

struct seen {
	double queue_kb, mark_pct, alpha, cnps, use, jain;
};

static struct seen watch(struct star *st, const struct band *b)
{
	const unsigned samples = (unsigned)((b->to_ms - b->from_ms) * 50);
	struct seen seen = { 0 };
	double bytes = 0, squares = 0, sum = 0, began[64];
	uint64_t marked, cnps;

	sim_run(st->s, b->from_ms * MS);
	marked = sim_counters(st->s, st->ports[st->n])->marked[3];
	cnps = sim_counters(st->s, st->hosts[st->n])->cnp_sent;
	for (unsigned i = 0; i < st->n; i++)
		began[i] = (double)sim_flow_bytes(st->s, st->flows[i]);
	for (unsigned k = 0; k < samples; k++) {
		sim_run(st->s, 20 * US);
		seen.queue_kb += (double)sim_counters(st->s, st->ports[st->n])->queue_bytes[3] / 1e3 / samples;
		for (unsigned i = 0; i < st->n; i++)
			seen.alpha += sim_flow_alpha(st->s, st->flows[i]) / samples / st->n;
	}
	for (unsigned i = 0; i < st->n; i++) {
		double all = (double)sim_flow_bytes(st->s, st->flows[i]);

		bytes += all - began[i];
		sum += all;
		squares += all * all;
	}
	double seconds = (double)(b->to_ms - b->from_ms) / 1e3;
	seen.mark_pct = (double)(sim_counters(st->s, st->ports[st->n])->marked[3] - marked) * 1000 / bytes * 100;
	seen.cnps = (double)(sim_counters(st->s, st->hosts[st->n])->cnp_sent - cnps) / seconds / st->n;
	seen.use = bytes * 8 / seconds / (b->gbps * 1e9);
	seen.jain = sum * sum / squares / st->n;
	return seen;
}

static struct seen settle(const struct band *b, uint64_t seed)
{
	struct star st = star_new(b->n, (uint64_t)(b->gbps * 1e9), 1000, seed);
	struct seen seen;

	star_change(&st, true, unlimited_buffer);
	for (unsigned i = 0; i <= b->n; i++) {
		struct sim_qos qos = *sim_qos(st.s, st.ports[i]);

		qos.kmin[3] = b->kmin;
		qos.kmax[3] = b->kmax;
		qos.pmax[3] = b->pmax;
		sim_set_qos(st.s, st.ports[i], &qos);
	}
	star_incast(&st);
	seen = watch(&st, b);
	if (getenv("SIM_SHOW"))
		printf("%2u x %3.0fG: queue %.1f KB, marked %.3f %%, alpha %.3f, %.0f CNP/s, use %.4f, Jain %.4f\n", b->n, b->gbps,
		       seen.queue_kb, seen.mark_pct, seen.alpha, seen.cnps, seen.use, seen.jain);
	sim_free(st.s);
	return seen;
}

/* Packet-level reference, 1000 B packets, 1 µs a leg: within 15 %. */
static void incast_settles_where_packets_do(void **state)
{
	static const struct band bands[] = {
		{ 2, 40, 5000, 200000, 0.01, 200, 400, 25.2, 0.1055, 0.1115, 2155 },
		{ 4, 40, 5000, 200000, 0.01, 200, 400, 56.6, 0.261, 0.137, 2658 },
		{ 8, 100, 100000, 400000, 0.20, 100, 200, 99.9, 0.2395, 0.1395, 2700 },
		{ 16, 100, 150000, 1500000, 1.00, 100, 200, 155.8, 0.5195, 0.154, 3066 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bands) / sizeof(bands[0]); i++) {
		for (uint64_t seed = 1; seed <= 3; seed++) {
			const struct band *b = &bands[i];
			struct seen seen = settle(b, seed);

			assert_between(seen.queue_kb, 0.85 * b->queue_kb, 1.15 * b->queue_kb);
			assert_between(seen.mark_pct, 0.85 * b->mark_pct, 1.15 * b->mark_pct);
			assert_between(seen.alpha, 0.85 * b->alpha, 1.15 * b->alpha);
			assert_between(seen.cnps, 0.85 * b->cnps, 1.15 * b->cnps);
			assert_between(seen.use, 0.99, 1.0001);
			assert_between(seen.jain, 0.98, 1.0001);
		}
	}
}

static const struct sim_counters *at_switch(const struct star *st, unsigned i)
{
	return sim_counters(st->s, st->ports[i]);
}

static const struct sim_counters *at_host(const struct star *st, unsigned i)
{
	return sim_counters(st->s, st->hosts[i]);
}

/* Over all ports of the switch, priority 3. */
static uint64_t pauses_sent(const struct star *st)
{
	uint64_t frames = 0;

	for (unsigned i = 0; i <= st->n; i++)
		frames += at_switch(st, i)->pfc_tx[3];
	return frames;
}

static uint64_t switch_drops(const struct star *st)
{
	uint64_t packets = 0;

	for (unsigned i = 0; i <= st->n; i++)
		for (unsigned prio = 0; prio < SIM_PRIOS; prio++)
			packets += at_switch(st, i)->rx_drop[prio] + at_switch(st, i)->tx_drop[prio];
	return packets;
}

static void ecn_off(struct sim_qos *qos)
{
	qos->ecn[3] = false;
}

static void ecn_on(struct sim_qos *qos)
{
	qos->ecn[3] = true;
}

static void assert_one_way(const struct sim *s, unsigned from, unsigned to)
{
	const struct sim_counters *a = sim_counters(s, from), *b = sim_counters(s, to);

	assert_int_equal(a->pause_tx, b->pause_rx);
	for (unsigned i = 0; i < SIM_PRIOS; i++) {
		assert_int_equal(a->tx_bytes[i], b->rx_bytes[i]);
		assert_int_equal(a->tx_packets[i], b->rx_packets[i]);
		assert_int_equal(a->pfc_tx[i], b->pfc_rx[i]);
		/* Held at one end, stopped at the other: the same time but for the frames in flight. */
		assert_between(b->pfc_rx_us[i], a->pfc_tx_us[i] - 20, a->pfc_tx_us[i] + 20);
	}
}

static void assert_conserved(const struct star *st)
{
	for (unsigned i = 0; i <= st->n; i++) {
		assert_one_way(st->s, st->hosts[i], st->ports[i]);
		assert_one_way(st->s, st->ports[i], st->hosts[i]);
	}
}

static void what_one_end_sends_the_other_receives_exactly(void **state)
{
	struct star st = star_new(4, 100000000000, 50, 7);

	(void)state;
	star_change(&st, true, ecn_off);
	star_incast(&st);
	for (int i = 0; i < 20; i++) {
		sim_run(st.s, 777 * US);
		assert_conserved(&st);
	}
	assert_true(pauses_sent(&st) > 1000);
	star_change(&st, true, ecn_on);
	sim_run(st.s, 20 * MS);
	assert_conserved(&st);
	assert_true(at_host(&st, 0)->cnp_handled > 0);
	sim_free(st.s);
}

static void pause_bursts_at_the_start_of_an_incast_and_then_ecn_keeps_it_silent(void **state)
{
	struct star st = star_new(8, 100000000000, 100, 1);
	uint64_t burst;

	(void)state;
	star_incast(&st);
	sim_run(st.s, 10 * MS);
	burst = pauses_sent(&st);
	assert_true(burst > 0);
	sim_run(st.s, 100 * MS);
	assert_int_equal(pauses_sent(&st), burst);
	assert_true(at_host(&st, 8)->cnp_sent > 1000);
	assert_int_equal(switch_drops(&st), 0);
	sim_free(st.s);
}

static void without_ecn_pause_is_steady_and_nobody_sends_a_cnp_until_ecn_is_back(void **state)
{
	struct star st = star_new(8, 100000000000, 100, 1);
	uint64_t frames, cnps;

	(void)state;
	star_change(&st, true, ecn_off);
	star_incast(&st);
	sim_run(st.s, 50 * MS);
	frames = pauses_sent(&st);
	sim_run(st.s, 50 * MS);
	assert_true(pauses_sent(&st) - frames > 1000);
	assert_int_equal(at_host(&st, 8)->cnp_sent, 0);
	assert_int_equal(switch_drops(&st), 0);
	/* Seven eighths of the time each of them waits for the others. */
	assert_between(at_host(&st, 0)->pfc_rx_us[3] / 100e3, 0.8, 0.9);

	star_change(&st, true, ecn_on);
	sim_run(st.s, 50 * MS);
	frames = pauses_sent(&st);
	cnps = at_host(&st, 8)->cnp_sent;
	sim_run(st.s, 50 * MS);
	assert_int_equal(pauses_sent(&st), frames);
	assert_true(at_host(&st, 8)->cnp_sent > cnps + 100);
	sim_free(st.s);
}

/* What arrives after xoff at line rate: two packets, the pause frame, the cable twice, the peer's response. */
static uint32_t needed_bytes(double gbps, unsigned quanta, double cable_ns)
{
	return (uint32_t)(2 * 1062 + 84 + quanta * 64 + 2 * cable_ns * gbps / 8) + 1;
}

static uint32_t given_headroom;

static void give_headroom(struct sim_qos *qos)
{
	qos->ecn[3] = false;
	qos->headroom[3] = given_headroom;
}

static void headroom_decides_whether_pause_keeps_the_fabric_lossless(void **state)
{
	static const struct { double gbps; unsigned quanta; } rows[] = {
		{ 25, 80 }, { 100, 394 }, { 200, 453 }, { 400, 905 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (unsigned half = 0; half < 2; half++) {
			struct star st = star_new(6, (uint64_t)(rows[i].gbps * 1e9), 200, 3);

			given_headroom = needed_bytes(rows[i].gbps, rows[i].quanta, 200) / (half ? 2 : 1);
			star_change(&st, true, give_headroom);
			star_incast(&st);
			sim_run(st.s, 20 * MS);
			if (half)
				assert_true(switch_drops(&st) > 0);
			else
				assert_int_equal(switch_drops(&st), 0);
			assert_int_equal(at_host(&st, 6)->oos > 0, half);
			sim_free(st.s);
		}
	}
}

static void a_slow_receiver_pauses_its_switch_port_and_the_switch_its_senders(void **state)
{
	struct star st = star_new(2, 100000000000, 100, 1);
	struct sim_qos qos;
	uint64_t bytes;

	(void)state;
	st.flows[0] = sim_flow_add(st.s, &(struct sim_flow){ st.hosts[0], st.hosts[2], .dscp = 26, .ect = true });
	star_change(&st, true, ecn_off);
	qos = *sim_qos(st.s, st.hosts[2]);
	qos.drain_bps = 10e9;
	sim_set_qos(st.s, st.hosts[2], &qos);
	sim_run(st.s, 50 * MS);
	bytes = sim_flow_bytes(st.s, st.flows[0]);
	sim_run(st.s, 50 * MS);
	assert_between((double)(sim_flow_bytes(st.s, st.flows[0]) - bytes) * 8 / 0.05, 9.5e9, 10.5e9);
	assert_true(at_host(&st, 2)->pfc_tx[3] > 100);
	assert_true(at_switch(&st, 2)->pfc_rx_us[3] > 80e3);
	assert_true(at_switch(&st, 0)->pfc_tx[3] > 100);
	assert_int_equal(switch_drops(&st) + at_host(&st, 2)->rx_drop[3], 0);
	assert_conserved(&st);

	qos.drain_bps = 0;
	sim_set_qos(st.s, st.hosts[2], &qos);
	sim_run(st.s, 10 * MS);
	bytes = at_host(&st, 2)->pfc_tx[3];
	sim_run(st.s, 10 * MS);
	assert_int_equal(at_host(&st, 2)->pfc_tx[3], bytes);
	sim_free(st.s);
}

static void storm(struct sim_qos *qos)
{
	qos->storm[3] = true;
}

static void no_watchdog(struct sim_qos *qos)
{
	qos->watchdog = false;
}

static void a_storm_stops_its_port_all_the_time(void **state)
{
	struct star st = star_new(2, 100000000000, 100, 1);
	struct sim_qos qos = *sim_qos(st.s, st.hosts[2]);
	double stopped;

	(void)state;
	star_change(&st, true, no_watchdog);
	star_incast(&st);
	sim_run(st.s, 10 * MS);
	storm(&qos);
	sim_set_qos(st.s, st.hosts[2], &qos);
	sim_run(st.s, 10 * MS);
	stopped = at_switch(&st, 2)->pfc_rx_us[3];
	sim_run(st.s, 500 * MS);
	assert_between((at_switch(&st, 2)->pfc_rx_us[3] - stopped) / 500e3, 0.99, 1.0001);
	assert_int_equal(at_switch(&st, 2)->pfc_rx_xon[3], 0);
	/* As often as it takes to keep a 100G port stopped, and no hundred times more. */
	assert_between((double)at_switch(&st, 2)->pfc_rx[3] / 0.51, 2980, 12000);
	assert_true(at_host(&st, 0)->pfc_rx_us[3] > 450e3);
	assert_conserved(&st);

	qos.storm[3] = false;
	sim_set_qos(st.s, st.hosts[2], &qos);
	stopped = at_switch(&st, 2)->pfc_rx_us[3];
	sim_run(st.s, 100 * MS);
	assert_true(at_switch(&st, 2)->pfc_rx_us[3] < stopped + 100);
	sim_free(st.s);
}

static void the_watchdog_drops_for_a_queue_that_stands_and_lets_go_when_the_storm_ends(void **state)
{
	struct star st = star_new(2, 100000000000, 100, 1);
	struct sim_qos qos = *sim_qos(st.s, st.hosts[2]);
	uint64_t drops, bytes;

	(void)state;
	star_incast(&st);
	sim_run(st.s, 10 * MS);
	storm(&qos);
	sim_set_qos(st.s, st.hosts[2], &qos);
	sim_run(st.s, 190 * MS);
	assert_int_equal(at_switch(&st, 2)->storms[3], 0);
	sim_run(st.s, 100 * MS);
	assert_int_equal(at_switch(&st, 2)->storms[3], 1);
	assert_true(at_switch(&st, 2)->tx_drop[3] > 0);

	qos.storm[3] = false;
	sim_set_qos(st.s, st.hosts[2], &qos);
	sim_run(st.s, 400 * MS);
	drops = at_switch(&st, 2)->tx_drop[3];
	bytes = sim_flow_bytes(st.s, st.flows[0]);
	sim_run(st.s, 100 * MS);
	assert_int_equal(at_switch(&st, 2)->tx_drop[3], drops);
	assert_true(sim_flow_bytes(st.s, st.flows[0]) > bytes + 1000000);
	assert_true(at_host(&st, 2)->oos > 0 || at_host(&st, 0)->ack_timeout > 0);
	sim_free(st.s);
}

static void starve_cnps(struct sim_qos *qos)
{
	qos->share[0] = 40;
	qos->share[3] = 60;
	qos->share[6] = 0;
	qos->strict[3] = true;
}

/* Two senders to one receiver, and so much to one of them that its port has nothing left for CNPs. */
static void cnps_in_a_starved_queue_do_not_arrive(void **state)
{
	for (unsigned starved = 0; starved < 2; starved++) {
		struct star st = star_new(3, 100000000000, 100, 1);
		uint64_t sent, handled;

		(void)state;
		if (starved)
			star_change(&st, true, starve_cnps);
		for (unsigned i = 0; i < 2; i++)
			sim_flow_add(st.s, &(struct sim_flow){ st.hosts[i], st.hosts[3], .dscp = 26, .ect = true });
		for (unsigned i = 1; i < 3; i++)
			sim_flow_add(st.s, &(struct sim_flow){ st.hosts[i], st.hosts[0], .dscp = 26 });
		sim_run(st.s, 100 * MS);
		sent = at_host(&st, 3)->cnp_sent;
		handled = at_host(&st, 0)->cnp_handled + at_host(&st, 1)->cnp_handled;
		assert_true(sent > 100);
		if (starved)
			assert_true(handled < sent * 0.9);
		else
			assert_true(handled + 4 >= sent);
		sim_free(st.s);
	}
}

static void rp_off(struct sim_qos *qos)
{
	memset(qos->rp, 0, sizeof(qos->rp));
}

static void np_off(struct sim_qos *qos)
{
	memset(qos->np, 0, sizeof(qos->np));
}

static void a_sender_without_rp_ignores_cnps_and_a_receiver_without_np_sends_none(void **state)
{
	struct star st = star_new(4, 100000000000, 100, 1);

	(void)state;
	star_change(&st, false, rp_off);
	star_incast(&st);
	sim_run(st.s, 20 * MS);
	assert_int_equal(at_host(&st, 0)->cnp_handled, 0);
	assert_true(at_host(&st, 0)->cnp_ignored > 100);
	assert_between(sim_flow_rate(st.s, st.flows[0]), 100e9, 100e9);
	sim_free(st.s);

	st = star_new(4, 100000000000, 100, 1);
	star_change(&st, false, np_off);
	star_incast(&st);
	sim_run(st.s, 20 * MS);
	assert_int_equal(at_host(&st, 4)->cnp_sent, 0);
	assert_true(at_host(&st, 4)->ecn_seen > 100);
	sim_free(st.s);
}

static void lossy(struct sim_qos *qos)
{
	qos->pfc[3] = false;
	qos->ecn[3] = false;
}

static void a_full_lossy_queue_drops_and_both_ends_count_it(void **state)
{
	struct star st = star_new(4, 100000000000, 100, 1);

	(void)state;
	star_change(&st, true, lossy);
	star_incast(&st);
	sim_run(st.s, 50 * MS);
	assert_true(at_switch(&st, 4)->tx_drop[3] > 1000);
	assert_int_equal(pauses_sent(&st), 0);
	assert_true(at_host(&st, 4)->oos > 10);
	assert_true(at_host(&st, 0)->seq_err > 0);
	assert_true(at_host(&st, 0)->retrans > at_host(&st, 0)->seq_err);
	sim_free(st.s);
}

static void narrow(struct sim_qos *qos)
{
	qos->kmin[3] = 100000;
	qos->kmax[3] = 400000;
}

/* ToS 104 instead of 106. */
static void packets_that_cannot_be_marked_are_dropped_above_kmax(void **state)
{
	struct star st = star_new(8, 100000000000, 100, 1);

	(void)state;
	star_change(&st, true, narrow);
	for (unsigned i = 0; i < 8; i++)
		st.flows[i] = sim_flow_add(st.s, &(struct sim_flow){ st.hosts[i], st.hosts[8], .dscp = 26 });
	sim_run(st.s, 20 * MS);
	assert_true(at_switch(&st, 8)->tx_drop[3] > 100);
	assert_int_equal(at_switch(&st, 8)->marked[3], 0);
	assert_true(at_host(&st, 8)->oos > 0);
	sim_free(st.s);
}

static void small_mtu(struct sim_qos *qos)
{
	qos->mtu = 1518;
}

static void frames_larger_than_the_switch_takes_vanish_and_only_timers_tell(void **state)
{
	struct star st = star_new(1, 100000000000, 100, 1);

	(void)state;
	star_change(&st, true, small_mtu);
	st.flows[0] = sim_flow_add(st.s, &(struct sim_flow){ st.hosts[0], st.hosts[1], .dscp = 26, .packet_bytes = 4096 });
	sim_run(st.s, 300 * MS);
	assert_true(at_switch(&st, 0)->rx_drop[3] > 100);
	assert_int_equal(sim_flow_bytes(st.s, st.flows[0]), 0);
	assert_between((double)at_host(&st, 0)->ack_timeout, 3, 5);
	assert_int_equal(at_host(&st, 1)->oos, 0);
	assert_int_equal(at_host(&st, 0)->seq_err, 0);
	sim_free(st.s);
}

static void damaged_frames_are_physical_errors_and_gaps(void **state)
{
	struct star st = star_new(1, 100000000000, 100, 1);
	struct sim_qos qos = *sim_qos(st.s, st.ports[0]);

	(void)state;
	qos.frame_error = 1e-5;
	sim_set_qos(st.s, st.ports[0], &qos);
	star_incast(&st);
	sim_run(st.s, 100 * MS);
	assert_between((double)at_switch(&st, 0)->phy_err, 8, 20);	/* of 1.25 million */
	assert_true(at_host(&st, 1)->oos > 5 && at_host(&st, 1)->oos <= at_switch(&st, 0)->phy_err);
	assert_int_equal(at_host(&st, 0)->seq_err, at_host(&st, 1)->oos);
	assert_between((double)sim_flow_bytes(st.s, st.flows[0]) * 8 / 0.1, 97e9, 100e9);
	sim_free(st.s);
}

static void global_pause(struct sim_qos *qos)
{
	qos->pause_rx = qos->pause_tx = true;
}

static void global_pause_stops_everything_and_counts_no_priority(void **state)
{
	struct star st = star_new(4, 100000000000, 100, 1);
	uint64_t frames = 0;

	(void)state;
	star_change(&st, true, global_pause);
	star_change(&st, true, ecn_off);
	star_change(&st, false, global_pause);
	star_incast(&st);
	sim_run(st.s, 20 * MS);
	for (unsigned i = 0; i < 4; i++)
		frames += at_switch(&st, i)->pause_tx;
	assert_true(frames > 100);
	assert_int_equal(pauses_sent(&st), 0);
	assert_int_equal(switch_drops(&st), 0);
	assert_conserved(&st);
	sim_free(st.s);
}

static void pfc_off(struct sim_qos *qos)
{
	qos->pfc[3] = false;
}

static void a_host_without_pfc_does_not_hear_and_the_switch_overflows(void **state)
{
	struct star st = star_new(4, 100000000000, 100, 1);

	(void)state;
	star_change(&st, true, ecn_off);
	star_change(&st, false, pfc_off);
	star_incast(&st);
	sim_run(st.s, 20 * MS);
	assert_true(at_switch(&st, 0)->pfc_tx[3] > 0);
	assert_int_equal(at_host(&st, 0)->pfc_rx[3], 0);
	assert_true(at_switch(&st, 0)->rx_drop[3] > 100);
	sim_free(st.s);
}

/* Two leaves with two hosts each, and two spines with one link to each leaf. */
struct clos {
	struct sim *s;
	unsigned hosts[4], downs[4], ups[2][2], spines[2][2];	/* ups[leaf][spine], spines[spine][leaf] */
};

static struct clos clos_new(uint64_t bps, uint64_t seed)
{
	struct clos c = { .s = sim_new(seed) };
	struct sim_qos at_host, at_switch;
	unsigned leaf[2], spine[2];

	sim_qos_lossless(&at_host, bps, false);
	sim_qos_lossless(&at_switch, bps, true);
	for (unsigned i = 0; i < 2; i++) {
		leaf[i] = sim_add_device(c.s, true);
		spine[i] = sim_add_device(c.s, true);
	}
	for (unsigned i = 0; i < 2; i++) {
		for (unsigned j = 0; j < 2; j++) {
			c.ups[i][j] = sim_add_port(c.s, leaf[i], &at_switch);
			c.spines[j][i] = sim_add_port(c.s, spine[j], &at_switch);
			sim_link(c.s, c.ups[i][j], c.spines[j][i], 150);
		}
	}
	for (unsigned h = 0; h < 4; h++) {
		c.hosts[h] = sim_add_port(c.s, sim_add_device(c.s, false), &at_host);
		c.downs[h] = sim_add_port(c.s, leaf[h / 2], &at_switch);
		sim_link(c.s, c.hosts[h], c.downs[h], 50);
	}
	return c;
}

static void a_flow_changes_to_the_other_spine_when_its_uplink_goes(void **state)
{
	struct clos c = clos_new(100000000000, 5);
	unsigned flow = sim_flow_add(c.s, &(struct sim_flow){ c.hosts[0], c.hosts[2], .dscp = 26, .ect = true });
	unsigned used, other;
	uint64_t bytes;

	(void)state;
	sim_run(c.s, 10 * MS);
	used = sim_counters(c.s, c.ups[0][0])->tx_bytes[3] ? 0 : 1;
	other = !used;
	assert_int_equal(sim_counters(c.s, c.ups[0][other])->tx_bytes[3], 0);
	assert_between((double)sim_flow_bytes(c.s, flow) * 8 / 0.01, 99e9, 100.1e9);

	sim_unlink(c.s, c.ups[0][used]);
	bytes = sim_flow_bytes(c.s, flow);
	sim_run(c.s, 10 * MS);
	assert_int_equal(sim_counters(c.s, c.ups[0][used])->link_downs, 1);
	assert_true(sim_counters(c.s, c.ups[0][other])->tx_bytes[3] > 100000000);
	assert_between((double)(sim_flow_bytes(c.s, flow) - bytes) * 8 / 0.01, 98e9, 100.1e9);

	sim_unlink(c.s, c.ups[0][other]);
	bytes = sim_flow_bytes(c.s, flow);
	sim_run(c.s, 10 * MS);
	assert_int_equal(sim_flow_bytes(c.s, flow), bytes);
	sim_free(c.s);
}

/* A storm at one host reaches the senders behind the spine, and a flow that only shares their port. */
static void pause_spreads_over_the_spine_to_a_victim(void **state)
{
	struct clos c = clos_new(100000000000, 5);
	struct sim_qos qos = *sim_qos(c.s, c.hosts[2]);
	unsigned victim;
	uint64_t bytes;

	(void)state;
	qos.storm[3] = true;
	sim_set_qos(c.s, c.hosts[2], &qos);
	sim_flow_add(c.s, &(struct sim_flow){ c.hosts[0], c.hosts[2], .dscp = 26, .ect = true });
	victim = sim_flow_add(c.s, &(struct sim_flow){ c.hosts[0], c.hosts[1], .dscp = 26, .ect = true });
	sim_run(c.s, 50 * MS);
	bytes = sim_flow_bytes(c.s, victim);
	sim_run(c.s, 50 * MS);
	assert_true(sim_flow_bytes(c.s, victim) - bytes < 1000);
	assert_true(sim_counters(c.s, c.hosts[0])->pfc_rx_us[3] > 95e3);
	assert_true(sim_counters(c.s, c.ups[0][0])->pfc_rx_us[3] + sim_counters(c.s, c.ups[0][1])->pfc_rx_us[3] > 95e3);
	assert_true(sim_counters(c.s, c.downs[0])->pfc_tx[3] > 0);
	sim_free(c.s);
}

static void bursts_come_and_go(void **state)
{
	struct star st = star_new(1, 100000000000, 100, 1);

	(void)state;
	st.flows[0] = sim_flow_add(st.s, &(struct sim_flow){
		.from = st.hosts[0], .to = st.hosts[1], .dscp = 26, .demand_bps = 80e9, .on_ms = 2, .off_ms = 6 });
	sim_run(st.s, 80 * MS);
	assert_between((double)sim_flow_bytes(st.s, st.flows[0]) * 8 / 0.08, 19.8e9, 20.2e9);
	sim_flow_end(st.s, st.flows[0]);
	sim_run(st.s, 10 * MS);
	assert_between((double)at_host(&st, 1)->rx_bytes[3] * 8 / 0.08, 19.8e9, 20.2e9);
	sim_free(st.s);
}

static void shares_divide_a_full_port_and_strict_goes_first(void **state)
{
	struct star st = star_new(2, 100000000000, 100, 1);
	struct sim_qos qos;

	(void)state;
	star_change(&st, true, ecn_off);
	st.flows[0] = sim_flow_add(st.s, &(struct sim_flow){ st.hosts[0], st.hosts[2], .dscp = 26 });
	st.flows[1] = sim_flow_add(st.s, &(struct sim_flow){ st.hosts[1], st.hosts[2], .dscp = 0 });
	sim_run(st.s, 20 * MS);
	/* 60 to 30. */
	assert_between((double)at_switch(&st, 2)->tx_bytes[3] / (double)at_switch(&st, 2)->tx_bytes[0], 1.9, 2.1);
	qos = *sim_qos(st.s, st.ports[2]);
	qos.strict[3] = true;
	sim_set_qos(st.s, st.ports[2], &qos);
	uint64_t before = at_switch(&st, 2)->tx_bytes[0];
	sim_run(st.s, 20 * MS);
	assert_true(at_switch(&st, 2)->tx_bytes[0] - before < 5000000);
	sim_free(st.s);
}

static void a_hold_lapses_when_the_one_who_said_it_may_not_say_it_again(void **state)
{
	struct star st = star_new(2, 100000000000, 100, 1);
	struct sim_qos qos = *sim_qos(st.s, st.hosts[2]);
	double stopped;

	(void)state;
	star_incast(&st);
	storm(&qos);
	sim_set_qos(st.s, st.hosts[2], &qos);
	sim_run(st.s, 10 * MS);
	qos.pfc[3] = false;
	sim_set_qos(st.s, st.hosts[2], &qos);
	stopped = at_switch(&st, 2)->pfc_rx_us[3];
	sim_run(st.s, 10 * MS);
	/* 65535 quanta at 100G. */
	assert_between(at_switch(&st, 2)->pfc_rx_us[3] - stopped, 300, 340);
	sim_free(st.s);
}

static uint64_t hash_of(struct clos *c, uint64_t hash)
{
	for (unsigned port = 0; port < 16; port++) {
		const unsigned char *bytes = (const void *)sim_counters(c->s, port);

		for (size_t i = 0; i < sizeof(struct sim_counters); i++)
			hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	}
	return hash;
}

static uint64_t a_run(uint64_t seed)
{
	struct clos c = clos_new(100000000000, seed);
	uint64_t hash = 1;

	for (unsigned h = 0; h < 3; h++)
		sim_flow_add(c.s, &(struct sim_flow){ c.hosts[h], c.hosts[3], .dscp = 26, .ect = true, .on_ms = 3, .off_ms = 1 });
	for (int i = 0; i < 20; i++) {
		sim_run(c.s, MS);
		hash = hash_of(&c, hash);
	}
	sim_free(c.s);
	return hash;
}

static void the_same_seed_gives_the_same_counters_and_another_does_not(void **state)
{
	(void)state;
	assert_int_equal(a_run(1), a_run(1));
	assert_int_not_equal(a_run(1), a_run(2));
}

/* What a device can be told is told to it: settings without sense give numbers without sense, but they give them. */
static void random_settings(struct sim_qos *qos, unsigned *seed)
{
	static const uint64_t speeds[] = { 0, 10000000000, 25000000000, 400000000000, 800000000000, 1 };

	qos->up = rand_r(seed) % 8 != 0;
	if (rand_r(seed) % 8 == 0)
		qos->speed_bps = speeds[rand_r(seed) % 6];
	qos->mtu = rand_r(seed) % 4 ? 9216 : rand_r(seed) % 2000;
	qos->dscp_prio[26] = (uint8_t)rand_r(seed);
	for (unsigned i = 0; i < SIM_PRIOS; i++) {
		qos->prio_queue[i] = (uint8_t)(rand_r(seed) % 4 ? i : (unsigned)rand_r(seed));
		qos->pfc[i] = rand_r(seed) % 2;
		qos->strict[i] = rand_r(seed) % 3 == 0;
		qos->share[i] = (uint8_t)rand_r(seed);
		qos->ecn[i] = rand_r(seed) % 2;
		qos->kmin[i] = (uint32_t)(rand_r(seed) % 300000);
		qos->kmax[i] = (uint32_t)(rand_r(seed) % 300000);
		qos->pmax[i] = rand_r(seed) % 200 / 100.0;
		qos->xoff[i] = (uint32_t)(rand_r(seed) % 3 ? rand_r(seed) % 500000 : 0);
		qos->xon[i] = (uint32_t)(rand_r(seed) % 500000);
		qos->headroom[i] = (uint32_t)(rand_r(seed) % 100000);
		qos->storm[i] = rand_r(seed) % 16 == 0;
	}
	qos->pause_rx = rand_r(seed) % 8 == 0;
	qos->pause_tx = rand_r(seed) % 8 == 0;
	qos->cnp_dscp = (uint8_t)rand_r(seed);
	qos->frame_error = rand_r(seed) % 4 ? 0 : rand_r(seed) % 101 / 100.0;
	qos->drain_bps = rand_r(seed) % 4 ? 0 : rand_r(seed);
}

static void no_settings_and_no_cabling_break_it(void **state)
{
	unsigned seed = 11;

	(void)state;
	for (int run = 0; run < 30; run++) {
		struct clos c = clos_new(100000000000, (uint64_t)run);
		unsigned flows[40], n = 0;

		for (int i = 0; i < 40; i++) {
			unsigned port = (unsigned)rand_r(&seed) % 16, a = (unsigned)rand_r(&seed) % 4, b = (unsigned)rand_r(&seed) % 4;
			struct sim_qos qos = *sim_qos(c.s, port);

			random_settings(&qos, &seed);
			sim_set_qos(c.s, port, &qos);
			flows[n++] = sim_flow_add(c.s, &(struct sim_flow){
				c.hosts[a], c.hosts[b], (uint8_t)rand_r(&seed), rand_r(&seed) % 2, rand_r(&seed) % 2 * 1e9,
				(uint32_t)rand_r(&seed) % 9000, rand_r(&seed) % 3, rand_r(&seed) % 2 });
			if (rand_r(&seed) % 2)
				sim_flow_end(c.s, flows[rand_r(&seed) % n]);
			if (rand_r(&seed) % 8 == 0)
				sim_unlink(c.s, (unsigned)rand_r(&seed) % 16);
			if (rand_r(&seed) % 8 == 0)
				sim_link(c.s, port, (port + 1) % 16, (uint32_t)rand_r(&seed) % 10000);
			sim_run(c.s, rand_r(&seed) % 300 * US);
			for (unsigned k = 0; k < n; k++)
				assert_true(isfinite(sim_flow_rate(c.s, flows[k])));
			for (unsigned k = 0; k < 16; k++) {
				const struct sim_counters *now = sim_counters(c.s, k);

				for (unsigned prio = 0; prio < SIM_PRIOS; prio++) {
					assert_true(now->queue_bytes[prio] < 100000000);
					assert_true(now->pg_bytes[prio] < 100000000);
					assert_between(now->pfc_rx_us[prio], 0, (double)sim_now(c.s) / 1e3 + 1);
				}
			}
		}
		sim_free(c.s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(incast_settles_where_packets_do),
		cmocka_unit_test(what_one_end_sends_the_other_receives_exactly),
		cmocka_unit_test(pause_bursts_at_the_start_of_an_incast_and_then_ecn_keeps_it_silent),
		cmocka_unit_test(without_ecn_pause_is_steady_and_nobody_sends_a_cnp_until_ecn_is_back),
		cmocka_unit_test(headroom_decides_whether_pause_keeps_the_fabric_lossless),
		cmocka_unit_test(a_slow_receiver_pauses_its_switch_port_and_the_switch_its_senders),
		cmocka_unit_test(a_storm_stops_its_port_all_the_time),
		cmocka_unit_test(the_watchdog_drops_for_a_queue_that_stands_and_lets_go_when_the_storm_ends),
		cmocka_unit_test(cnps_in_a_starved_queue_do_not_arrive),
		cmocka_unit_test(a_sender_without_rp_ignores_cnps_and_a_receiver_without_np_sends_none),
		cmocka_unit_test(a_full_lossy_queue_drops_and_both_ends_count_it),
		cmocka_unit_test(packets_that_cannot_be_marked_are_dropped_above_kmax),
		cmocka_unit_test(frames_larger_than_the_switch_takes_vanish_and_only_timers_tell),
		cmocka_unit_test(damaged_frames_are_physical_errors_and_gaps),
		cmocka_unit_test(global_pause_stops_everything_and_counts_no_priority),
		cmocka_unit_test(a_host_without_pfc_does_not_hear_and_the_switch_overflows),
		cmocka_unit_test(a_flow_changes_to_the_other_spine_when_its_uplink_goes),
		cmocka_unit_test(pause_spreads_over_the_spine_to_a_victim),
		cmocka_unit_test(bursts_come_and_go),
		cmocka_unit_test(shares_divide_a_full_port_and_strict_goes_first),
		cmocka_unit_test(a_hold_lapses_when_the_one_who_said_it_may_not_say_it_again),
		cmocka_unit_test(the_same_seed_gives_the_same_counters_and_another_does_not),
		cmocka_unit_test(no_settings_and_no_cabling_break_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
