#include "remote/lab/world/link_test.h"

#include <stdlib.h>

#define WIRE_MORE	82	/* as in traffic.c */
/*
 * An RC queue pair gives up after its retries: perftest's seven of 4.096 us x 2^14 each. A NIC may take longer for each:
 * unproven.
 */
#define GIVES_UP_US	540000
#define MESSAGES_A_S	4.2e6	/* of one queue pair: half of what a published table has for both directions of a 200G NIC */
/* Both NICs with their PCIe, and each switch: unproven, in the range of what is published for 100G and above (1.9 to 3 us). */
#define ENDS_US		1.35
#define SWITCH_US	0.45
#define HOPS_MAX	16
#define KERNEL_BPS	20e9	/* what one thread of a host sends by UDP with 9000-byte frames: unproven */

/* -- the table -- */

static void add_end(struct fabric *f, struct link_end *end)
{
	unsigned serial = ++f->n_tests;

	end->number = serial;
	end->qpn = 0x100 + serial * LINK_QPS_MAX % 0xf00000;
	end->psn = (serial * 2654435761u) >> 8;
	end->next = f->tests;
	f->tests = end;
}

struct link_end *link_listener(const struct fabric *f, unsigned device, unsigned tcp_port, bool is_cm)
{
	for (struct link_end *e = f->tests; e; e = e->next)
		if (e->is_server && e->state == LINK_WAITS && e->device == device && e->tcp_port == tcp_port && e->is_cm == is_cm)
			return e;
	return NULL;
}

bool link_serve(struct fabric *f, struct link_end *server)
{
	if (link_listener(f, server->device, server->tcp_port, server->is_cm))
		return false;
	add_end(f, server);
	return true;
}

static void meet(struct link_end *end, struct link_end *partner)
{
	end->partner = partner;
	end->far_qpn = partner->qpn;
	end->far_psn = partner->psn;
	end->far_port = partner->port;
	end->far_gid = partner->gid_index;
	end->state = LINK_RUNS;
}

/* The nth queue pair's port: both members of a bond carry some, those that are up. */
static unsigned port_of(const struct fabric *f, const struct link_end *end, unsigned nth)
{
	const struct lab_device *d = &f->devices[end->device];
	unsigned other = end->port == d->first ? d->first + 1 : d->first;

	if (!f->ports[end->port].is_member || !port_is_up(f, &f->ports[other]))
		return end->port;
	return !port_is_up(f, &f->ports[end->port]) || nth % 2 ? other : end->port;
}

/* -- latency -- */

/* Switches between the device and the target, or -1. */
static void measure(const struct fabric *f, unsigned target, int *distance)
{
	unsigned *queue = xcalloc(f->n_devices, sizeof(*queue));
	size_t first = 0, n = 0;

	for (size_t i = 0; i < f->n_devices; i++)
		distance[i] = -1;
	distance[target] = 0;
	queue[n++] = target;
	while (first < n) {
		const struct lab_device *d = &f->devices[queue[first++]];

		for (unsigned i = 0; i < d->n; i++) {
			const struct lab_port *p = &f->ports[d->first + i], *peer = port_peer(f, p);

			if (!peer || !port_is_up(f, p) || port_is_host(f, peer) || distance[peer->device] >= 0)
				continue;
			distance[peer->device] = distance[d->number] + 1;
			queue[n++] = peer->device;
		}
	}
	free(queue);
}

static const struct lab_port *nearer(const struct fabric *f, const struct lab_device *d, const int *distance)
{
	for (unsigned i = 0; i < d->n; i++) {
		const struct lab_port *p = &f->ports[d->first + i], *peer = port_peer(f, p);

		if (peer && port_is_up(f, p) && !port_is_host(f, peer) && distance[peer->device] >= 0 &&
		    distance[peer->device] < distance[d->number])
			return p;
	}
	return NULL;
}

/* The ports that a packet leaves by, on one of the shortest ways; 0: there is none. */
static unsigned find_way(const struct fabric *f, const struct lab_port *from, const struct lab_port *to, const struct lab_port **way)
{
	int *distance = xcalloc(f->n_devices, sizeof(*distance));
	const struct lab_port *at = from;
	unsigned n = 0;

	if (port_is_up(f, from) && port_is_up(f, to)) {
		measure(f, port_peer(f, to)->device, distance);
		way[n++] = from;
	}
	while (n && port_peer(f, at) != to) {
		const struct lab_device *d = port_device(f, port_peer(f, at));

		at = n == HOPS_MAX || distance[d->number] < 0 ? NULL : distance[d->number] ? nearer(f, d, distance) : port_peer(f, to);
		if (at)
			way[n] = at;
		n = at ? n + 1 : 0;
	}
	free(distance);
	return n;
}

static double waits_us(const struct fabric *f, const struct lab_port *p, uint8_t tos)
{
	const struct sim_qos *qos = sim_qos(f->sim, p->sim);
	unsigned queue = qos->prio_queue[qos->dscp_prio[tos >> 2] & 7] & 7;

	return (double)sim_counters(f->sim, p->sim)->queue_bytes[queue] * 8e6 / (double)p->speed_bps;
}

/* One way, of a message of that size now, by hops and by what waits in their queues. */
static double link_latency_us(const struct fabric *f, const struct link_end *client, const struct link_end *server, uint64_t size)
{
	const struct lab_port *way[HOPS_MAX], *from = &f->ports[port_of(f, client, 0)], *to = &f->ports[port_of(f, server, 0)];
	unsigned n = from == to ? 0 : find_way(f, from, to, way);
	double us = ENDS_US;

	for (unsigned i = 0; i < n; i++)
		us += waits_us(f, way[i], client->tos) + (double)(size + WIRE_MORE) * 8e6 / (double)way[i]->speed_bps + (i ? SWITCH_US : 0);
	return us;
}

/* -- flows -- */

static uint32_t packet_of(const struct link_end *client)
{
	uint64_t bytes = client->size < client->mtu ? client->size : client->mtu;

	return bytes ? (uint32_t)bytes : 1;
}

/* What gets through between the NIC's port and memory; 0: as much as the port takes. */
static double through_bps(const struct lab_port *p)
{
	return p->harm.cap_bps > 0 ? p->harm.cap_bps : p->harm.pcie_lanes ? p->harm.drain_bps : 0;
}

/* What that and the rate of messages leave to one of n queue pairs of a sender; 0: as much as the port takes. */
static double demand_of(const struct link_end *client, const struct lab_port *from, unsigned n)
{
	double packet = packet_of(client);
	double messages_bps = (double)client->size * 8 * MESSAGES_A_S * (packet + WIRE_MORE) / packet;
	double bps = through_bps(from) / n;

	if (messages_bps < (double)from->speed_bps && (bps <= 0 || messages_bps < bps))
		return messages_bps;
	return bps;
}

static void add_flow(struct fabric *f, const struct link_end *client, const struct link_end *from, const struct link_end *to, double bps,
		     unsigned nth)
{
	fabric_test_flow(f, &(struct lab_flow){
		.from = port_of(f, from, nth), .to = port_of(f, to, nth), .demand_bps = bps, .test = client->number,
		.asked_tos = from->tos, .is_v1 = from->is_v1, .packet_bytes = packet_of(client),
	});
}

static bool is_loop(const struct link_end *client)
{
	return client->port == client->far_port;
}

static void begin_flows(struct fabric *f, struct link_end *client)
{
	struct link_end *server = client->partner;
	unsigned n = client->qps < LINK_QPS_MAX ? client->qps : LINK_QPS_MAX;
	const struct link_end *from = client->traffic == LINK_READS ? server : client, *to = from == client ? server : client;

	client->began_us = client->from_us = f->now_us;
	if (is_loop(client))
		return;
	if (client->traffic == LINK_PINGS) {
		/* A message each way in a round trip. */
		double us = 2 * link_latency_us(f, client, server, client->size);
		double bps = (double)(client->size + WIRE_MORE) * 8 / us * 1e6;

		add_flow(f, client, client, server, bps, 0);
		add_flow(f, client, server, client, bps, 0);
		return;
	}
	if (client->traffic == LINK_STREAM) {
		fabric_test_flow(f, &(struct lab_flow){
			.from = port_of(f, client, 0), .to = port_of(f, server, 0), .demand_bps = KERNEL_BPS, .test = client->number,
			.asked_tos = client->tos, .is_tcp = true, .packet_bytes = packet_of(client),
		});
		return;
	}
	for (unsigned i = 0; i < n; i++)
		add_flow(f, client, from, to, demand_of(client, &f->ports[port_of(f, from, i)], n), i);
}

void link_connect(struct fabric *f, struct link_end *client, struct link_end *server)
{
	add_end(f, client);
	meet(client, server);
	meet(server, client);
	if (server->mtu < client->mtu)
		client->mtu = server->mtu;
	server->mtu = client->mtu;
	server->qps = client->qps;
	server->traffic = client->traffic;
	server->size = client->size;
	server->iterations = client->iterations;
	server->duration_us = client->duration_us;
	if (!client->has_gid || !server->has_gid) {
		client->state = server->state = LINK_UNJOINED;
		return;
	}
	begin_flows(f, client);
	/* Neither takes the other's packets. */
	if (client->is_v1 != server->is_v1)
		fabric_test_mute(f, client->number);
}


/* -- while it runs -- */

/* A NIC's own loop: its line, or its PCIe link. */
static double loop_bytes(const struct fabric *f, const struct link_end *client)
{
	const struct lab_port *p = &f->ports[client->port];
	double bps = p->harm.cap_bps > 0 ? p->harm.cap_bps : p->harm.drain_bps > 0 ? p->harm.drain_bps : (double)p->speed_bps;

	return bps / 8e6 * (double)(f->now_us - client->began_us) * client->mtu / (client->mtu + WIRE_MORE);
}

static void end_both(struct fabric *f, struct link_end *client, enum link_state state)
{
	struct link_end *server = client->partner;

	fabric_test_end(f, client->number);
	client->state = state;
	if (!server)
		return;
	server->state = state == LINK_WELL || client->traffic == LINK_PINGS ? state : LINK_LEFT;
	server->from_us = client->from_us;
	server->until_us = client->until_us;
	server->from_bytes = client->from_bytes;
	server->until_bytes = client->until_bytes;
	server->peak_bps = client->peak_bps;
	for (size_t i = 0; i < client->samples.n; i++) {
		double *us = GROW(server->samples.us, server->samples.n, server->samples.cap);

		*us = client->samples.us[i];
		server->samples.n++;
	}
	server->partner = client->partner = NULL;
}

static void sample(struct fabric *f, struct link_end *client, double bytes)
{
	double *us, bps = (bytes - client->last_bytes) * 8e6 / (double)(f->now_us - client->until_us);

	if (f->now_us > client->until_us && client->until_us && bps > client->peak_bps)
		client->peak_bps = bps;
	client->last_bytes = bytes;
	if (client->traffic != LINK_PINGS)
		return;
	us = GROW(client->samples.us, client->samples.n, client->samples.cap);
	*us = link_latency_us(f, client, client->partner, client->size);
	client->samples.n++;
}

/* Round trips since it began, each as long as the mean of what was sampled. */
static bool has_pinged(const struct fabric *f, const struct link_end *client)
{
	double sum = 0;

	for (size_t i = 0; i < client->samples.n; i++)
		sum += client->samples.us[i];
	return (double)(f->now_us - client->began_us) * (double)client->samples.n >= 2 * sum * (double)client->iterations;
}

static bool is_through(const struct fabric *f, const struct link_end *client, double bytes)
{
	int64_t us = f->now_us - client->began_us;

	if (!client->iterations)
		return us >= client->duration_us;
	if (client->traffic == LINK_PINGS)
		return bytes > 0 && has_pinged(f, client);
	return bytes >= (double)client->size * (double)client->iterations * client->qps;
}

/* By time, the middle half counts: perftest's margin is a quarter of the duration. */
static void mark(const struct fabric *f, struct link_end *client, double bytes)
{
	int64_t us = f->now_us - client->began_us;

	if (client->traffic == LINK_STREAM)
		client->sent_bytes = fabric_test_sent(f, client->number);
	else if (!client->iterations && us <= client->duration_us / 4) {
		client->from_us = f->now_us;
		client->from_bytes = bytes;
	} else if (!client->iterations && client->until_us - client->began_us >= client->duration_us * 3 / 4) {
		return;
	}
	client->until_us = f->now_us;
	client->until_bytes = bytes;
}

static void pass(struct fabric *f, struct link_end *client)
{
	double bytes = is_loop(client) ? loop_bytes(f, client) : fabric_test_bytes(f, client->number);

	if (client->traffic != LINK_STREAM && fabric_test_stalled_us(f, client->number) >= GIVES_UP_US) {
		end_both(f, client, LINK_RETRIES);
		return;
	}
	if (!client->partner)
		return;
	sample(f, client, bytes);
	mark(f, client, bytes);
	if (is_through(f, client, bytes))
		end_both(f, client, LINK_WELL);
}

void link_pass(struct fabric *f)
{
	for (struct link_end *e = f->tests; e; e = e->next)
		if (!e->is_server && e->state == LINK_RUNS && e->began_us)
			pass(f, e);
}

/* -- the end -- */

static void forget_partner(struct fabric *f, struct link_end *end)
{
	struct link_end *partner = end->partner;

	if (!partner)
		return;
	partner->partner = NULL;
	end->partner = NULL;
	if (partner->state != LINK_RUNS)
		return;
	if (partner->is_server)
		partner->state = LINK_LEFT;
	/* What a client sends on is not acknowledged any more; it gives up in its time. */
	fabric_test_mute(f, end->is_server ? partner->number : end->number);
}

void link_leave(struct fabric *f, struct link_end *end)
{
	for (struct link_end **at = &f->tests; *at; at = &(*at)->next)
		if (*at == end) {
			*at = end->next;
			break;
		}
	forget_partner(f, end);
	if (!end->is_server)
		fabric_test_end(f, end->number);
	free(end->samples.us);
	end->samples = (struct link_samples){ 0 };
}

double link_bytes(const struct link_end *end)
{
	return end->until_bytes - end->from_bytes;
}

double link_bps(const struct link_end *end)
{
	int64_t us = end->until_us - end->from_us;

	return us > 0 ? link_bytes(end) * 8e6 / (double)us : 0;
}
