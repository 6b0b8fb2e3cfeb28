#include "remote/lab/world/counters.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "remote/lab/world/skins.h"

#define RATE_US		10000000
#define PORT_US		1000000		/* SONiC's flex counters: PORT_STAT 1 s, QUEUE_STAT 10 s */
#define QUEUE_US	10000000
#define NIC_US		12000		/* hw_counters' lifespan */
#define GAP_BYTES	20		/* preamble and gap */
#define FCS_BYTES	4
/* What a port hears and says beside its flows: an LLDPDU each 30 s, and what hosts and routers ask all. */
#define LLDP_PER_S	(1 / 30.0)
#define MULTICAST_BYTES	86		/* a mean: our choice */
#define WEAK_LANE	2
#define SOUND_LANE_BER	1e-9		/* our choice, as is the weak one's */
#define BROADCAST_BYTES	64		/* ARP */

struct counting {
	struct sim_counters since;	/* the simulation's when they began */
	bool is_young;			/* they began since the fabric did, */
	int64_t began_us;		/* then */
	/* Of the kernel's multicast and broadcast, in packets; the simulation has none. */
	double rx_multicast, tx_multicast, rx_broadcast, tx_broadcast;
	double lane_err[SIM_LANES];
	struct sim_counters shown[COUNTER_TABLES];	/* as last refreshed */
	int64_t next_us[COUNTER_TABLES];
	bool is_shown[COUNTER_TABLES];
	struct port_rates rates;
	double rate_rx_bytes, rate_tx_bytes, rate_rx_packets, rate_tx_packets;	/* when they were last worked out */
	int64_t rated_us;
	bool is_rated;
};

static uint64_t mix(uint64_t hash)
{
	hash ^= hash >> 33;
	hash *= 0xff51afd7ed558ccdu;
	hash ^= hash >> 33;
	hash *= 0xc4ceb9fe1a85ec53u;
	return hash ^ hash >> 33;
}

static uint64_t draw(uint64_t seed, const char *a, const char *b, const char *c)
{
	const char *const texts[] = { a, b, c };
	uint64_t hash = 0xcbf29ce484222325u ^ seed * 0x9e3779b97f4a7c15u;

	for (size_t i = 0; i < 3; i++)
		for (const char *at = texts[i];; at++) {
			hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
			if (!*at)
				break;
		}
	return mix(hash);
}

uint64_t port_draw(const struct fabric *f, const struct lab_port *p, const char *what)
{
	return draw(f->seed, port_device(f, p)->name, p->name, what);
}

/* -- what truly was -- */

/* What a counter was when it began is not shown; how full a queue is, is no counter. */
static void take_off(const struct sim_counters *then, struct sim_counters *c)
{
	const uint64_t *was = (const uint64_t *)then;
	uint64_t *at = (uint64_t *)c;
	size_t first = offsetof(struct sim_counters, pfc_rx_us) / 8, last = offsetof(struct sim_counters, pfc_rx_xon) / 8;

	for (size_t i = 0; i < offsetof(struct sim_counters, queue_bytes) / 8; i++)
		if (i < first || i >= last)
			at[i] -= was[i];
	for (unsigned i = 0; i < SIM_PRIOS; i++) {
		c->pfc_rx_us[i] -= then->pfc_rx_us[i];
		c->pfc_tx_us[i] -= then->pfc_tx_us[i];
	}
}

/* One in so many ms is simulated. Events of the link and of a watchdog happen once. */
static void through_lens(unsigned lens, struct sim_counters *c)
{
	uint64_t *at = (uint64_t *)c, downs = c->link_downs, storms[SIM_PRIOS];
	size_t first = offsetof(struct sim_counters, pfc_rx_us) / 8, last = offsetof(struct sim_counters, pfc_rx_xon) / 8;

	memcpy(storms, c->storms, sizeof(storms));
	for (size_t i = 0; i < offsetof(struct sim_counters, queue_bytes) / 8; i++)
		if (i < first || i >= last)
			at[i] *= lens;
	for (unsigned i = 0; i < SIM_PRIOS; i++) {
		c->pfc_rx_us[i] *= lens;
		c->pfc_tx_us[i] *= lens;
	}
	memcpy(c->storms, storms, sizeof(storms));
	c->link_downs = downs;
}

static void add_group_traffic(const struct counting *k, struct sim_counters *c)
{
	c->rx_multicast = (uint64_t)k->rx_multicast;
	c->tx_multicast = (uint64_t)k->tx_multicast;
	c->rx_broadcast = (uint64_t)k->rx_broadcast;
	c->tx_broadcast = (uint64_t)k->tx_broadcast;
	c->rx_packets[0] += c->rx_multicast + c->rx_broadcast;
	c->tx_packets[0] += c->tx_multicast + c->tx_broadcast;
	c->rx_bytes[0] += c->rx_multicast * MULTICAST_BYTES + c->rx_broadcast * BROADCAST_BYTES;
	c->tx_bytes[0] += c->tx_multicast * MULTICAST_BYTES + c->tx_broadcast * BROADCAST_BYTES;
}

/* FEC corrects all of them: a frame that is damaged has errors of its own. */
static void add_raw_errors(const struct counting *k, struct sim_counters *c)
{
	for (unsigned i = 0; i < SIM_LANES; i++) {
		c->lane_err[i] = (uint64_t)k->lane_err[i];
		c->fec_corr += c->lane_err[i];
	}
}

void counters_true(const struct fabric *f, const struct lab_port *p, struct sim_counters *out)
{
	*out = *sim_counters(f->sim, p->sim);
	if (p->counting)
		take_off(&p->counting->since, out);
	through_lens(f->lens, out);
	if (!p->counting)
		return;
	add_group_traffic(p->counting, out);
	add_raw_errors(p->counting, out);
}

/* -- in the device's octets -- */

static uint64_t less(uint64_t bytes, uint64_t packets, uint64_t each)
{
	return bytes > packets * each ? bytes - packets * each : 0;
}

/* A data packet has gap_bytes that this device does not count, and each has fcs_bytes. */
static void in_its_octets(const struct fabric *f, const struct lab_port *p, struct sim_counters *c)
{
	const struct lab_device *d = port_device(f, p);
	bool is_wire = wears(d, SKIN_OCTETS_WIRE), has_frames = fabric_wears(f, SKIN_FRAME_BYTES);
	unsigned gap_bytes = has_frames && !is_wire ? GAP_BYTES : 0, fcs_bytes = wears(d, SKIN_OCTETS_BARE) ? FCS_BYTES : 0;
	/* The function, where RDMA is counted, and the kernel see no FCS. */
	unsigned bare_bytes = has_frames ? GAP_BYTES + FCS_BYTES : 0;

	c->kernel_rx_packets = sim_all_prios(c->rx_packets) - c->rdma_rx_packets;
	c->kernel_tx_packets = sim_all_prios(c->tx_packets) - c->rdma_tx_packets;
	c->kernel_rx_bytes = less(sim_all_prios(c->rx_bytes) - c->rdma_rx_bytes, c->kernel_rx_packets, bare_bytes);
	c->kernel_tx_bytes = less(sim_all_prios(c->tx_bytes) - c->rdma_tx_bytes, c->kernel_tx_packets, bare_bytes);
	for (unsigned i = 0; i < SIM_PRIOS; i++) {
		c->rx_bytes[i] = less(c->rx_bytes[i], c->rx_packets[i] - c->rx_control[i], gap_bytes);
		c->tx_bytes[i] = less(c->tx_bytes[i], c->tx_packets[i] - c->tx_control[i], gap_bytes);
		c->rx_bytes[i] = less(c->rx_bytes[i], c->rx_packets[i], fcs_bytes);
		c->tx_bytes[i] = less(c->tx_bytes[i], c->tx_packets[i], fcs_bytes);
	}
	c->rdma_rx_bytes = less(c->rdma_rx_bytes, c->rdma_rx_packets - c->rdma_rx_control, bare_bytes);
	c->rdma_tx_bytes = less(c->rdma_tx_bytes, c->rdma_tx_packets - c->rdma_tx_control, bare_bytes);
}

/* -- with its history -- */

/* A number between the two whose logarithm any is as likely as another. */
static uint64_t between(uint64_t hash, double low, double high)
{
	return (uint64_t)(low * pow(high / low, (double)(hash % 1000003) / 1000003));
}

#define HISTORY(member, low, high) (c->member += between(draw(f->seed, d->name, p->name, #member), (low), (high)))

/* 32 bits wide in a NIC: on one port in three it wraps soon. */
static uint64_t near_the_end(uint64_t hash)
{
	return hash % 3 ? between(mix(hash), 100, 2e6) : (UINT64_C(1) << 32) - between(mix(hash), 5, 3000);
}

static void add_traffic_history(const struct fabric *f, const struct lab_port *p, struct sim_counters *c)
{
	const struct lab_device *d = port_device(f, p);
	uint64_t rdma_rx, rdma_tx;

	HISTORY(rx_packets[3], 4e9, 2e12);
	HISTORY(tx_packets[3], 4e9, 2e12);
	HISTORY(rx_packets[0], 1e8, 6e10);
	HISTORY(tx_packets[0], 1e8, 6e10);
	HISTORY(rx_packets[6], 1e6, 3e8);
	HISTORY(tx_packets[6], 1e6, 3e8);
	HISTORY(rx_packets[7], 1e3, 1e6);
	rdma_rx = between(draw(f->seed, d->name, p->name, "rx rdma"), 3e12, 4e15);
	rdma_tx = between(draw(f->seed, d->name, p->name, "tx rdma"), 3e12, 4e15);
	c->rx_bytes[3] += rdma_rx;
	c->tx_bytes[3] += rdma_tx;
	c->rdma_rx_bytes += rdma_rx;
	c->rdma_tx_bytes += rdma_tx;
	c->rdma_rx_packets += between(draw(f->seed, d->name, p->name, "rx_packets[3]"), 4e9, 2e12);
	c->rdma_tx_packets += between(draw(f->seed, d->name, p->name, "tx_packets[3]"), 4e9, 2e12);
	HISTORY(rx_bytes[0], 1e11, 9e13);
	HISTORY(tx_bytes[0], 1e11, 9e13);
	c->kernel_rx_bytes += between(draw(f->seed, d->name, p->name, "rx_bytes[0]"), 1e11, 9e13);
	c->kernel_tx_bytes += between(draw(f->seed, d->name, p->name, "tx_bytes[0]"), 1e11, 9e13);
	c->kernel_rx_packets += between(draw(f->seed, d->name, p->name, "rx_packets[0]"), 1e8, 6e10);
	c->kernel_tx_packets += between(draw(f->seed, d->name, p->name, "tx_packets[0]"), 1e8, 6e10);
	HISTORY(rx_bytes[6], 1e8, 3e10);
	HISTORY(tx_bytes[6], 1e8, 3e10);
	HISTORY(rx_bytes[7], 1e5, 1e8);
	HISTORY(rx_multicast, 1e5, 3e6);
	HISTORY(tx_multicast, 1e5, 3e6);
	HISTORY(rx_broadcast, 1e4, 1e6);
	HISTORY(tx_broadcast, 1, 1e3);
}

static void add_event_history(const struct fabric *f, const struct lab_port *p, struct sim_counters *c)
{
	const struct lab_device *d = port_device(f, p);

	HISTORY(pfc_rx[3], 1e3, 4e7);
	HISTORY(pfc_tx[3], 1e3, 4e7);
	c->pfc_rx_us[3] += (double)between(port_draw(f, p, "rx us"), 2e3, 9e8);
	c->pfc_tx_us[3] += (double)between(port_draw(f, p, "tx us"), 2e3, 9e8);
	HISTORY(pfc_rx_xon[3], 1e3, 2e7);
	HISTORY(rx_drop[0], 1e2, 2.1e6);
	HISTORY(tx_drop[0], 1e2, 2.1e6);
	HISTORY(rx_drop[3], 1, 4e3);
	HISTORY(tx_drop[3], 1, 4e3);
	HISTORY(marked[3], 1e5, 4e9);
	HISTORY(ecn_seen, 1e5, 4e9);
	HISTORY(cnp_sent, 1e5, 2e9);
	HISTORY(cnp_handled, 1e5, 2e9);
	HISTORY(cnp_ignored, 1, 1e3);
	c->oos += near_the_end(port_draw(f, p, "oos"));
	c->seq_err += near_the_end(port_draw(f, p, "seq_err"));
	HISTORY(ack_timeout, 1, 4e4);
	HISTORY(retrans, 1e3, 1e7);
	HISTORY(phy_err, 1, 400);
	HISTORY(fec_corr, 1e6, 4e10);
	HISTORY(link_downs, 1, 12);
	HISTORY(pause_unsupported, 1, 300);
	HISTORY(stall_warnings, 1, 5);
	HISTORY(stalls, 1, 3);
}

/* -- as it read them last -- */

static void read_now(const struct fabric *f, const struct lab_port *p, struct sim_counters *out)
{
	counters_true(f, p, out);
	in_its_octets(f, p, out);
	if (!wears(port_device(f, p), SKIN_COUNTERS_OLD) || (p->counting && p->counting->is_young))
		return;
	add_traffic_history(f, p, out);
	add_event_history(f, p, out);
}

void fabric_counters_of(const struct fabric *f, const struct lab_port *p, enum counter_table table, struct sim_counters *out)
{
	const struct counting *k = p->counting;

	if (!k || !k->is_shown[table]) {
		read_now(f, p, out);
		return;
	}
	*out = k->shown[table];
	memcpy(out->marked, k->shown[COUNTERS_OF_QUEUE].marked, sizeof(out->marked));
}

static struct counting *counting_of(struct lab_port *p)
{
	if (!p->counting)
		p->counting = xcalloc(1, sizeof(*p->counting));
	return p->counting;
}

void counters_clear(struct fabric *f, struct lab_port *p)
{
	struct counting *k = counting_of(p);

	memset(k, 0, sizeof(*k));
	k->since = *sim_counters(f->sim, p->sim);
	k->is_young = true;
	k->began_us = f->now_us;
}

int64_t counters_began_us(const struct lab_port *p)
{
	return p->counting ? p->counting->began_us : 0;
}

/* By a clock of the device's own: its phase, and up to 4 % slow. What is read again before end_us, nobody sees. */
static void refresh(const struct fabric *f, struct lab_port *p, int64_t end_us)
{
	static const int64_t switch_us[COUNTER_TABLES] = { PORT_US, QUEUE_US }, nic_us[COUNTER_TABLES] = { NIC_US, NIC_US };
	const int64_t *periods_us = port_is_host(f, p) ? nic_us : switch_us;
	struct counting *k = counting_of(p);
	uint64_t own = draw(f->seed, port_device(f, p)->name, "", "refresh");

	for (unsigned i = 0; i < COUNTER_TABLES; i++) {
		int64_t period_us = periods_us[i] + periods_us[i] / 100 * (int64_t)(own % 5);

		if (f->now_us < k->next_us[i])
			continue;
		k->next_us[i] = k->is_shown[i] ? k->next_us[i] + period_us : f->now_us + (int64_t)(own >> 8) % period_us;
		if (k->is_shown[i] && k->next_us[i] <= end_us)
			continue;
		read_now(f, p, &k->shown[i]);
		k->is_shown[i] = true;
	}
}

/* What a host says to all reaches its switch, and what a switch floods reaches the host. */
static void hear(struct fabric *f, struct lab_port *p, int64_t us)
{
	struct lab_port *far = port_peer(f, p);
	double s = (double)us / 1e6, said, arps;

	if (!far || !port_is_host(f, p) || !wears(port_device(f, p), SKIN_BACKGROUND) || !port_is_up(f, p))
		return;
	said = s * (LLDP_PER_S + 0.1 + (double)(port_draw(f, p, "multicast") % 100) / 200);
	arps = s * (0.01 + (double)(port_draw(f, p, "broadcast") % 100) / 500);
	counting_of(p)->tx_multicast += said;
	counting_of(far)->rx_multicast += said;
	p->counting->tx_broadcast += arps;
	far->counting->rx_broadcast += arps;
	/* Of all others behind the switch. */
	p->counting->rx_multicast += 7 * said;
	far->counting->tx_multicast += 7 * said;
	p->counting->rx_broadcast += 20 * arps;
	far->counting->tx_broadcast += 20 * arps;
}

/* A line carries its speed in bits, whether it is idle or not. */
static void err(struct fabric *f, struct lab_port *p, int64_t us)
{
	double bits = (double)p->speed_bps / SIM_LANES * (double)us / 1e6;

	if (p->harm.weak_lane_ber <= 0 || !port_is_up(f, p))
		return;
	for (unsigned i = 0; i < SIM_LANES; i++)
		counting_of(p)->lane_err[i] += bits * (i == WEAK_LANE ? p->harm.weak_lane_ber : SOUND_LANE_BER);
}

static void rate(const struct fabric *f, const struct lab_port *p, struct counting *k)
{
	struct sim_counters c;
	double s = (double)(f->now_us - k->rated_us) / 1e6, rx, tx, rx_packets, tx_packets;

	if (k->is_rated && f->now_us - k->rated_us < RATE_US)
		return;
	read_now(f, p, &c);
	rx = (double)sim_all_prios(c.rx_bytes);
	tx = (double)sim_all_prios(c.tx_bytes);
	rx_packets = (double)sim_all_prios(c.rx_packets);
	tx_packets = (double)sim_all_prios(c.tx_packets);
	if (k->is_rated)
		k->rates = (struct port_rates){
			.rx_bps = (rx - k->rate_rx_bytes) * 8 / s, .tx_bps = (tx - k->rate_tx_bytes) * 8 / s,
			.rx_pps = (rx_packets - k->rate_rx_packets) / s, .tx_pps = (tx_packets - k->rate_tx_packets) / s,
		};
	k->rate_rx_bytes = rx;
	k->rate_tx_bytes = tx;
	k->rate_rx_packets = rx_packets;
	k->rate_tx_packets = tx_packets;
	k->rated_us = f->now_us;
	k->is_rated = true;
}

void counters_pass(struct fabric *f, int64_t us, int64_t end_us)
{
	for (size_t i = 0; i < f->n_ports; i++) {
		struct lab_port *p = &f->ports[i];
		const struct lab_device *d = port_device(f, p);

		hear(f, p, us);
		err(f, p, us);
		if (d->system->is_switch)
			rate(f, p, counting_of(p));
		if (wears(d, SKIN_COUNTERS_CACHED))
			refresh(f, p, end_us);
	}
}

void fabric_rates(const struct fabric *f, const struct lab_port *p, struct port_rates *out)
{
	(void)f;
	*out = p->counting ? p->counting->rates : (struct port_rates){ 0 };
}
