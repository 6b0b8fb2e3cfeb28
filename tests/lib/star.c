#include "tests/lib/star.h"

struct star star_new(unsigned n, uint64_t bps, uint32_t delay_ns, uint64_t seed)
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

void star_incast(struct star *st)
{
	for (unsigned i = 0; i < st->n; i++)
		st->flows[i] = sim_flow_add(st->s, &(struct sim_flow){
			.from = st->hosts[i], .to = st->hosts[st->n], .dscp = 26, .ect = true });
}

void star_change(struct star *st, bool at_switch, void (*change)(struct sim_qos *qos))
{
	for (unsigned i = 0; i <= st->n; i++) {
		unsigned port = at_switch ? st->ports[i] : st->hosts[i];
		struct sim_qos qos = *sim_qos(st->s, port);

		change(&qos);
		sim_set_qos(st->s, port, &qos);
	}
}

const struct sim_counters *at_switch(const struct star *st, unsigned i)
{
	return sim_counters(st->s, st->ports[i]);
}

const struct sim_counters *at_host(const struct star *st, unsigned i)
{
	return sim_counters(st->s, st->hosts[i]);
}

uint64_t pauses_sent(const struct star *st)
{
	uint64_t frames = 0;

	for (unsigned i = 0; i <= st->n; i++)
		frames += at_switch(st, i)->pfc_tx[3];
	return frames;
}

uint64_t switch_drops(const struct star *st)
{
	uint64_t packets = 0;

	for (unsigned i = 0; i <= st->n; i++)
		for (unsigned prio = 0; prio < SIM_PRIOS; prio++)
			packets += at_switch(st, i)->rx_drop[prio] + at_switch(st, i)->tx_drop[prio];
	return packets;
}

void ecn_off(struct sim_qos *qos)
{
	qos->ecn[3] = false;
}

void ecn_on(struct sim_qos *qos)
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

void assert_conserved(const struct star *st)
{
	for (unsigned i = 0; i <= st->n; i++) {
		assert_one_way(st->s, st->hosts[i], st->ports[i]);
		assert_one_way(st->s, st->ports[i], st->hosts[i]);
	}
}

void storm(struct sim_qos *qos)
{
	qos->storm[3] = true;
}

struct clos clos_new(uint64_t bps, uint64_t seed)
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
