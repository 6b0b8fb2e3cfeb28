/* What flows: the patterns, the passing of time, and the counters that come of it. */
#include "remote/lab/world/ages.h"
#include "remote/lab/world/link_test.h"
#include "remote/lab/world/ring.h"
#include "remote/lab/world/skins.h"

#include <stdio.h>
#include <stdlib.h>

#define RUN_STEP_US	10000	/* a long run is cut into steps, so that flows can follow the settings */
#define RDMA_BYTES	4096
#define RDMA_MORE	82	/* headers, FCS, preamble and gap of an RDMA packet (Eth 14, IP 20, UDP 8, BTH 12, ICRC 4, FCS 4, 20) */
#define UDP_MORE	66	/* the same without BTH and ICRC */
#define TCP_BYTES	1514
#define WIRE_MORE	24
#define PACKETS_PER_ACK	16	/* our choice */

static void set_sim(struct fabric *f, const struct lab_device *d, const struct lab_port *p)
{
	struct sim_qos qos;

	sim_qos_lossless(&qos, p->speed_bps, d->system->is_switch);
	d->system->to_sim(d, p, &qos);
	qos.up = port_is_up(f, p);
	qos.frame_error = p->harm.frame_error;
	qos.drain_bps = p->harm.cap_bps > 0 ? p->harm.cap_bps : p->harm.drain_bps;
	qos.storm[3] = p->harm.is_storming;
	if (p->harm.is_storming)
		qos.stall_ms = 0;	/* else the NIC would end it after 100 ms */
	sim_set_qos(f->sim, p->sim, &qos);
}

static uint32_t headers(const struct lab_flow *flow)
{
	return flow->is_tcp ? UDP_MORE : RDMA_MORE;
}

/* A packet of a link test has its headers on the wire always: what is measured is payload. */
static uint32_t wire_bytes(const struct fabric *f, const struct lab_flow *flow)
{
	if (flow->test)
		return flow->packet_bytes + headers(flow);
	if (!fabric_wears(f, SKIN_FRAME_BYTES))
		return 0;
	return flow->is_tcp ? TCP_BYTES + WIRE_MORE : RDMA_BYTES + RDMA_MORE;
}

static void start_flow(struct fabric *f, struct lab_flow *flow)
{
	flow->handle = sim_flow_add(f->sim, &(struct sim_flow){
		.from = f->ports[flow->from].sim, .to = f->ports[flow->to].sim, .dscp = flow->tos >> 2,
		.ect = (flow->tos & 3) == 2 || (flow->tos & 3) == 1, .demand_bps = flow->demand_bps,
		.packet_bytes = flow->test ? flow->packet_bytes : flow->is_tcp ? TCP_BYTES : RDMA_BYTES,
		.on_ms = flow->on_ms, .off_ms = flow->off_ms, .wire_bytes = wire_bytes(f, flow),
		.is_tcp = flow->is_tcp,
		.packets_per_ack = !flow->is_tcp && wears(port_device(f, &f->ports[flow->to]), SKIN_BACKGROUND) ? PACKETS_PER_ACK : 0,
	});
	if (f->is_ring)
		ring_route(f, flow);
}

static uint8_t tos_of(const struct fabric *f, const struct lab_flow *flow)
{
	const struct host_port *nic = &f->ports[flow->from].nic;

	if (!flow->test)
		return host_port_tos(nic);
	if (flow->is_v1)
		return 0;
	if (flow->is_tcp)
		return flow->asked_tos;
	return nic->tos_force != TOS_UNSET ? (uint8_t)nic->tos_force : flow->asked_tos;
}

static double payload_of(const struct fabric *f, const struct lab_flow *flow, uint64_t wire_bytes)
{
	return (double)wire_bytes * f->lens * flow->packet_bytes / (flow->packet_bytes + headers(flow));
}

static double payload(const struct fabric *f, const struct lab_flow *flow)
{
	return flow->bytes_before + payload_of(f, flow, flow->is_mute ? 0 : sim_flow_bytes(f->sim, flow->handle));
}

/* A flow carries the ToS its sender is set to now. */
static void mark_flows(struct fabric *f)
{
	for (size_t i = 0; i < f->n_flows; i++) {
		struct lab_flow *flow = &f->flows[i];
		uint8_t tos = tos_of(f, flow);

		if (flow->is_tcp || flow->is_mute || tos == flow->tos)
			continue;
		flow->bytes_before = flow->test ? payload(f, flow) : 0;
		sim_flow_end(f->sim, flow->handle);
		flow->tos = tos;
		start_flow(f, flow);
	}
}

void fabric_refresh(struct fabric *f, const struct lab_device *d)
{
	for (size_t i = 0; i < f->n_ports; i++)
		if (!d || port_device(f, &f->ports[i]) == d)
			set_sim(f, port_device(f, &f->ports[i]), &f->ports[i]);
	mark_flows(f);
	ages_look(f);
}

void fabric_retrain(struct fabric *f, struct lab_port *p, int64_t us)
{
	p->down_until_us = f->now_us + us;
	if (!f->light_us || p->down_until_us < f->light_us)
		f->light_us = p->down_until_us;
	fabric_refresh(f, NULL);
}

/* The links whose time has come are up again. */
static void light(struct fabric *f)
{
	if (!f->light_us || f->now_us < f->light_us)
		return;
	f->light_us = 0;
	for (size_t i = 0; i < f->n_ports; i++) {
		int64_t until_us = f->ports[i].down_until_us;

		if (until_us > f->now_us && (!f->light_us || until_us < f->light_us))
			f->light_us = until_us;
	}
	fabric_refresh(f, NULL);
}

/* A hash puts each queue pair on one member: of two, one carries a part of what the other does. */
static double bond_share(const struct fabric *f, const struct lab_port *p)
{
	const struct lab_device *d = port_device(f, p);
	const struct lab_port *first = &f->ports[d->first];
	bool is_second_less = port_draw(f, first, "bond") & 1;

	if (!p->is_member || !wears(d, SKIN_BOND_UNEVEN) || (p == first) == is_second_less)
		return 1;
	return 0.1 + 0.6 * (double)(port_draw(f, first, "bond share") % 1000) / 1000;
}

/* All it can: what that is differs from NIC to NIC by up to three of a hundred. */
static double line_share(const struct fabric *f, const struct lab_port *p)
{
	if (!wears(port_device(f, p), SKIN_LINE_UNEVEN))
		return 0;
	return 0.97 + 0.03 * (double)(port_draw(f, p, "line") % 1000) / 1000;
}

static void add_flow(struct fabric *f, unsigned from, unsigned to, double share, double on_ms, double off_ms)
{
	const struct lab_port *p = &f->ports[from];
	struct lab_flow *flow = GROW(f->flows, f->n_flows, f->cap_flows);
	uint8_t tos = host_port_tos(&p->nic);

	f->n_flows++;
	if (bond_share(f, p) < 1 || bond_share(f, &f->ports[to]) < 1)
		share = (share > 0 ? share : 1) * bond_share(f, p) * bond_share(f, &f->ports[to]);
	if (share <= 0)
		share = line_share(f, p);
	*flow = (struct lab_flow){
		.from = from, .to = to, .demand_bps = share * p->speed_bps, .on_ms = on_ms, .off_ms = off_ms, .tos = tos,
	};
	start_flow(f, flow);
}

/* Those of one link test, or (0) of the pattern. */
static void end_flows(struct fabric *f, unsigned test)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->n_flows; i++) {
		if (f->flows[i].test != test) {
			f->flows[kept++] = f->flows[i];
			continue;
		}
		if (!f->flows[i].is_mute)
			sim_flow_end(f->sim, f->flows[i].handle);
	}
	f->n_flows = kept;
}

void fabric_test_flow(struct fabric *f, const struct lab_flow *wish)
{
	struct lab_flow *flow = GROW(f->flows, f->n_flows, f->cap_flows);
	const struct lab_port *p = &f->ports[wish->from];

	f->n_flows++;
	*flow = *wish;
	flow->tos = tos_of(f, flow);
	flow->moved_us = f->now_us;
	if (flow->demand_bps <= 0)
		flow->demand_bps = line_share(f, p) * (double)p->speed_bps;
	start_flow(f, flow);
}

void fabric_test_end(struct fabric *f, unsigned test)
{
	end_flows(f, test);
}

void fabric_test_mute(struct fabric *f, unsigned test)
{
	for (size_t i = 0; i < f->n_flows; i++) {
		struct lab_flow *flow = &f->flows[i];

		if (flow->test != test || flow->is_mute)
			continue;
		flow->bytes_before = payload(f, flow);
		sim_flow_end(f->sim, flow->handle);
		flow->is_mute = true;
	}
}

double fabric_test_bytes(const struct fabric *f, unsigned test)
{
	double bytes = 0;

	for (size_t i = 0; i < f->n_flows; i++)
		if (f->flows[i].test == test)
			bytes += payload(f, &f->flows[i]);
	return bytes;
}

double fabric_test_sent(const struct fabric *f, unsigned test)
{
	double bytes = 0;

	for (size_t i = 0; i < f->n_flows; i++)
		if (f->flows[i].test == test && !f->flows[i].is_mute)
			bytes += payload_of(f, &f->flows[i], sim_flow_sent(f->sim, f->flows[i].handle));
	return bytes;
}

int64_t fabric_test_stalled_us(struct fabric *f, unsigned test)
{
	int64_t most = 0;

	for (size_t i = 0; i < f->n_flows; i++) {
		struct lab_flow *flow = &f->flows[i];
		double bytes = flow->test == test ? payload(f, flow) : 0;

		if (flow->test != test)
			continue;
		if (bytes > flow->seen_bytes)
			flow->moved_us = f->now_us;
		flow->seen_bytes = bytes;
		if (f->now_us - flow->moved_us > most)
			most = f->now_us - flow->moved_us;
	}
	return most;
}

/* The ports of a rail that the job uses, in an order the seed chooses; returns how many. */
static size_t ports_of_rail(const struct fabric *f, int rail, unsigned *out)
{
	uint64_t draw = f->seed * 0x9e3779b97f4a7c15u + rail;
	size_t n = 0;

	for (size_t i = 0; i < f->n_ports; i++)
		if (f->ports[i].rail == rail && port_is_host(f, &f->ports[i]) && !f->ports[i].harm.is_left_out)
			out[n++] = i;
	for (size_t i = n; i > 1; i--) {
		size_t k;
		unsigned kept = out[i - 1];

		draw = draw * 6364136223846793005u + 1442695040888963407u;
		k = (draw >> 33) % i;
		out[i - 1] = out[k];
		out[k] = kept;
	}
	return n;
}

/* An all-reduce ring, and at one receiver a second sender in bursts: some marks and CNPs, as a healthy fabric has. */
static void add_ring(struct fabric *f, const unsigned *ports, size_t n)
{
	for (size_t i = 0; i < n && n > 1; i++)
		add_flow(f, ports[i], ports[(i + 1) % n], 0.55, 0, 0);
	if (n > 2)
		add_flow(f, ports[n - 1], ports[1], 0.55, 20, 20);
}

static void add_incast(struct fabric *f, const unsigned *ports, size_t n)
{
	for (size_t i = 1; i < n; i++)
		add_flow(f, ports[i], ports[0], 0, 0, 0);
}

/* Each to each other of its rail, at seven tenths of the line. */
static void add_all(struct fabric *f, const unsigned *ports, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if (i != k)
				add_flow(f, ports[i], ports[k], 0.7 / (n - 1), 0, 0);
}

/* The kernel's, from each that has any to the next: some thousandths of the line, on priority 0. */
static void add_tcp(struct fabric *f, const unsigned *ports, size_t n)
{
	for (size_t i = 0; i < n && n > 1; i++) {
		const struct lab_port *p = &f->ports[ports[i]];
		struct lab_flow *flow;

		if (!wears(port_device(f, p), SKIN_BACKGROUND))
			continue;
		flow = GROW(f->flows, f->n_flows, f->cap_flows);
		f->n_flows++;
		*flow = (struct lab_flow){
			.from = ports[i], .to = ports[(i + 1) % n], .is_tcp = true,
			.demand_bps = (double)p->speed_bps * (0.0005 + 0.005 * (double)(port_draw(f, p, "tcp") % 1000) / 1000),
		};
		start_flow(f, flow);
	}
}

static void add_nothing(struct fabric *f, const unsigned *ports, size_t n)
{
	(void)f;
	(void)ports;
	(void)n;
}

static const struct {
	const char *name;
	void (*add)(struct fabric *f, const unsigned *ports, size_t n);	/* of one rail */
} patterns[] = {
	{ "off", add_nothing },
	{ "ring", add_ring },
	{ "incast", add_incast },
	{ "all", add_all },
};

bool fabric_traffic(struct fabric *f, const char *pattern)
{
	unsigned *ports = xcalloc(f->n_ports, sizeof(*ports));
	size_t at = 0, n_patterns = sizeof(patterns) / sizeof(*patterns);

	while (at < n_patterns && strcmp(pattern, patterns[at].name))
		at++;
	if (at < n_patterns) {
		end_flows(f, 0);
		snprintf(f->traffic, sizeof(f->traffic), "%s", pattern);
		for (int rail = 0; rail < 16; rail++) {
			size_t n = ports_of_rail(f, rail, ports);

			patterns[at].add(f, ports, n);
			add_tcp(f, ports, n);
		}
	}
	free(ports);
	return at < n_patterns;
}

void fabric_run(struct fabric *f, int64_t us)
{
	int64_t end_us = f->now_us + us;

	while (us > 0) {
		int64_t step_us = us < RUN_STEP_US ? us : RUN_STEP_US;

		sim_run(f->sim, step_us * 1000 / f->lens);
		f->now_us += step_us;
		counters_pass(f, step_us, end_us);
		light(f);
		link_pass(f);
		us -= step_us;
	}
}
