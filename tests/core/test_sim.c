/* The queueing model against the packet-level reference and the laws of pause. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/sim/incast.h"
#include "tests/lib/star.h"

struct band {
	unsigned n;
	double gbps;
	uint32_t kmin, kmax;
	double pmax;
	int64_t from_ms, to_ms;
	double queue_kb, mark_pct, alpha, cnps;	/* middles of the published ranges */
};

static struct incast_result settle(const struct band *b, uint32_t delay_ns, uint64_t seed)
{
	struct incast in = {
		.senders = b->n, .speed_bps = (uint64_t)(b->gbps * 1e9), .kmin = b->kmin, .kmax = b->kmax, .pmax = b->pmax,
		.delay_ns = delay_ns, .from_ms = b->from_ms, .to_ms = b->to_ms, .seed = seed,
	};
	struct incast_result seen;

	assert_true(incast_run(&in, &seen));
	if (getenv("SIM_SHOW"))
		printf("%2u x %3.0fG: queue %.1f KB, marked %.3f %%, alpha %.3f, %.0f CNP/s, use %.4f, Jain %.4f\n", b->n, b->gbps,
		       seen.queue_bytes / 1e3, seen.mark * 100, seen.alpha, seen.cnp_per_s, seen.use, seen.jain);
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
			struct incast_result seen = settle(b, 1000, seed);

			assert_between(seen.queue_bytes / 1e3, 0.85 * b->queue_kb, 1.15 * b->queue_kb);
			assert_between(seen.mark * 100, 0.85 * b->mark_pct, 1.15 * b->mark_pct);
			assert_between(seen.alpha, 0.85 * b->alpha, 1.15 * b->alpha);
			assert_between(seen.cnp_per_s, 0.85 * b->cnps, 1.15 * b->cnps);
			assert_between(seen.use, 0.99, 1.0001);
			assert_between(seen.jain, 0.98, 1.0001);
		}
	}
}

/* The last row of the reference: 1, 20 and 50 µs a leg. Two flows keep 0.989 where ten do not. */
static void long_loops_make_ten_flows_swing_and_two_not(void **state)
{
	static const struct { uint32_t delay_ns; double queue_kb, use; } rows[] = {
		{ 1000, 65, 0.976 }, { 20000, 50, 0.909 }, { 50000, 48, 0.818 },
	};
	static const struct band ten = {
		.n = 10, .gbps = 40, .kmin = 5000, .kmax = 200000, .pmax = 0.01,
		.from_ms = 100, .to_ms = 300,
	};
	struct band two = ten;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct incast_result seen = settle(&ten, rows[i].delay_ns, 1);

		assert_between(seen.queue_bytes / 1e3, 0.85 * rows[i].queue_kb, 1.15 * rows[i].queue_kb);
		assert_between(seen.use, rows[i].use - 0.02, rows[i].use + 0.02);
	}
	two.n = 2;
	assert_between(settle(&two, 50000, 1).use, 0.979, 0.999);
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

static void a_flow_takes_the_way_it_is_given(void **state)
{
	struct clos c = clos_new(100000000000, 1);
	unsigned flow = sim_flow_add(c.s, &(struct sim_flow){ .from = c.hosts[0], .to = c.hosts[2], .dscp = 26, .ect = true });

	(void)state;
	for (unsigned spine = 0; spine < 2; spine++) {
		unsigned way[] = { c.hosts[0], c.ups[0][spine], c.spines[spine][1], c.downs[2] };
		uint64_t before = sim_counters(c.s, c.ups[0][spine])->tx_bytes[3];

		sim_flow_route(c.s, flow, way, 4);
		sim_run(c.s, MS);
		assert_true(sim_counters(c.s, c.ups[0][spine])->tx_bytes[3] > before + 10000000);
	}
	sim_flow_route(c.s, flow, (unsigned[]){ c.hosts[0], c.spines[0][1], c.downs[2] }, 3);	/* no cable joins these */
	sim_run(c.s, MS);
	uint64_t stood = sim_flow_bytes(c.s, flow);
	sim_run(c.s, MS);
	assert_int_equal(sim_flow_bytes(c.s, flow), stood);
	sim_free(c.s);
}

static void tcp_is_counted_apart_from_rdma_and_its_losses_are_its_own(void **state)
{
	struct star st = star_new(2, 100000000000, 100, 1);
	const struct sim_counters *c;

	(void)state;
	st.flows[0] = sim_flow_add(st.s, &(struct sim_flow){ st.hosts[0], st.hosts[2], .dscp = 26, .ect = true });
	st.flows[1] = sim_flow_add(st.s, &(struct sim_flow){ st.hosts[1], st.hosts[2], .is_tcp = true });
	sim_run(st.s, 20 * MS);
	c = at_host(&st, 2);
	assert_true(c->rx_bytes[0] > 50000000 && c->rx_bytes[3] > 50000000);
	assert_int_equal(c->rdma_rx_bytes, c->rx_bytes[3] + c->rx_bytes[6]);
	assert_int_equal(c->rdma_rx_packets, c->rx_packets[3] + c->rx_packets[6]);
	assert_int_equal(c->rdma_rx_bytes, at_switch(&st, 2)->rdma_tx_bytes);
	assert_true(at_switch(&st, 2)->tx_drop[0] > 0);
	assert_int_equal(c->oos, 0);
	assert_int_equal(at_host(&st, 1)->seq_err + at_host(&st, 1)->retrans + at_host(&st, 1)->ack_timeout, 0);
	assert_int_equal(at_host(&st, 1)->rdma_tx_bytes, 0);
	sim_free(st.s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_flow_takes_the_way_it_is_given),
		cmocka_unit_test(incast_settles_where_packets_do),
		cmocka_unit_test(long_loops_make_ten_flows_swing_and_two_not),
		cmocka_unit_test(what_one_end_sends_the_other_receives_exactly),
		cmocka_unit_test(pause_bursts_at_the_start_of_an_incast_and_then_ecn_keeps_it_silent),
		cmocka_unit_test(without_ecn_pause_is_steady_and_nobody_sends_a_cnp_until_ecn_is_back),
		cmocka_unit_test(headroom_decides_whether_pause_keeps_the_fabric_lossless),
		cmocka_unit_test(the_same_seed_gives_the_same_counters_and_another_does_not),
		cmocka_unit_test(no_settings_and_no_cabling_break_it),
		cmocka_unit_test(tcp_is_counted_apart_from_rdma_and_its_losses_are_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
