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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(incast_settles_where_packets_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
