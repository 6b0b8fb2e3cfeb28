#include "tests/lib/trial.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/sim/sim.h"
#include "tests/lib/say.h"

#define MS		INT64_C(1000000)
#define LENS		10	/* a tenth of each second is simulated, and counted ten times: what is steady is the same */
#define SECONDS_SEEN	5
#define PORTS_MOST	160
#define FLOWS_MOST	64
#define DEVICES_MOST	64

const char *const trial_names[TRIAL_KINDS] = { "incast", "slow-receiver", "storm", "degraded-link", "deadlock", "victims", "quiet" };

struct trial_port {
	char device[16], name[16];
	unsigned nth_device, peer;	/* port */
	bool is_host;
	uint64_t shown_bps;		/* 0: as it is */
};

struct trial {
	enum trial_kind kind;
	uint64_t random;
	struct sim *sim;
	struct trial_port ports[PORTS_MOST];
	unsigned n_ports, n_devices;
	char devices[DEVICES_MOST][16];
	bool is_switch[DEVICES_MOST];
	unsigned hosts[PORTS_MOST], n_hosts;
	unsigned leaves, spines, per_leaf;
	uint64_t host_bps;
	struct { unsigned from, to, handle; } flows[FLOWS_MOST];	/* ports of the two hosts */
	unsigned n_flows;
	/* What the devices print. */
	bool switches_time, queues_told, xon_told;
	/* The truth. */
	bool has_root;
	enum root_is is;
	unsigned at, victim_of;		/* port; and the host that the root is about */
	/* The console's side. */
	struct model *model;
	struct links links;
	struct policy *policy;
	struct inventory inventory;
	struct pauses g;
	int64_t now_us;
};

/* -- chance -- */

static unsigned below(struct trial *t, unsigned n)
{
	uint64_t z = t->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)((z ^ z >> 31) >> 33) % n;
}

static unsigned between(struct trial *t, unsigned low, unsigned high)
{
	return low + below(t, high - low + 1);
}

/* -- the fabric -- */

static unsigned add_device(struct trial *t, bool is_switch, const char *name, unsigned nth)
{
	unsigned d = sim_add_device(t->sim, is_switch);

	assert_true(d < DEVICES_MOST);
	snprintf(t->devices[d], sizeof(t->devices[d]), "%s%u", name, nth);
	t->is_switch[d] = is_switch;
	t->n_devices = d + 1;
	return d;
}

static unsigned add_port(struct trial *t, unsigned device, uint64_t bps, const char *name, unsigned nth)
{
	struct sim_qos qos;
	unsigned p;

	sim_qos_lossless(&qos, bps, t->is_switch[device]);
	qos.watchdog = false;
	p = sim_add_port(t->sim, device, &qos);
	assert_true(p < PORTS_MOST);
	t->ports[p] = (struct trial_port){ .nth_device = device, .is_host = !t->is_switch[device] };
	memcpy(t->ports[p].device, t->devices[device], sizeof(t->ports[p].device));
	snprintf(t->ports[p].name, sizeof(t->ports[p].name), "%s%u", name, nth);
	t->n_ports = p + 1;
	return p;
}

static void join(struct trial *t, unsigned a, unsigned b)
{
	sim_link(t->sim, a, b, 20 + below(t, 300));
	t->ports[a].peer = b;
	t->ports[b].peer = a;
}

static void add_hosts(struct trial *t, const unsigned *leaf)
{
	for (unsigned i = 0; i < t->leaves; i++) {
		for (unsigned k = 0; k < t->per_leaf; k++) {
			unsigned host = add_port(t, add_device(t, false, "node", t->n_hosts + 1), t->host_bps, "eth", 2);

			join(t, host, add_port(t, leaf[i], t->host_bps, "Eth", k + 1));
			t->hosts[t->n_hosts++] = host;
		}
	}
}

/* Up and down: uplinks have room for all that the leaf's hosts send. */
static void build_clos(struct trial *t)
{
	unsigned leaf[8], spine[8];

	t->leaves = between(t, 2, 4);
	t->spines = between(t, 2, 3);
	t->per_leaf = between(t, 3, 6);
	for (unsigned i = 0; i < t->leaves; i++)
		leaf[i] = add_device(t, true, "leaf", i + 1);
	for (unsigned j = 0; j < t->spines; j++)
		spine[j] = add_device(t, true, "spine", j + 1);
	add_hosts(t, leaf);
	for (unsigned i = 0; i < t->leaves; i++)
		for (unsigned j = 0; j < t->spines; j++)
			join(t, add_port(t, leaf[i], 8 * t->host_bps, "Eth", 49 + j), add_port(t, spine[j], 8 * t->host_bps, "Eth", i + 1));
}

/* Each leaf is joined to the next: ups[i] leaves i for i + 1. */
static void build_ring(struct trial *t, unsigned *ups)
{
	unsigned leaf[8], downs[8];

	t->leaves = between(t, 3, 5);
	t->per_leaf = between(t, 1, 3);
	for (unsigned i = 0; i < t->leaves; i++)
		leaf[i] = add_device(t, true, "leaf", i + 1);
	add_hosts(t, leaf);
	for (unsigned i = 0; i < t->leaves; i++) {
		ups[i] = add_port(t, leaf[i], t->host_bps, "Eth", 49);
		downs[i] = add_port(t, leaf[i], t->host_bps, "Eth", 50);
	}
	for (unsigned i = 0; i < t->leaves; i++)
		join(t, ups[i], downs[(i + 1) % t->leaves]);
}

static void change(struct trial *t, unsigned port, void (*how)(struct trial *t, struct sim_qos *qos))
{
	struct sim_qos qos = *sim_qos(t->sim, port);

	how(t, &qos);
	sim_set_qos(t->sim, port, &qos);
}

/* -- traffic -- */

static unsigned add_flow(struct trial *t, const struct sim_flow *flow)
{
	assert_true(t->n_flows < FLOWS_MOST);
	t->flows[t->n_flows].from = flow->from;
	t->flows[t->n_flows].to = flow->to;
	t->flows[t->n_flows].handle = sim_flow_add(t->sim, flow);
	return t->n_flows++;
}

/* All it can, whatever is marked. */
static unsigned flow(struct trial *t, unsigned from, unsigned to)
{
	return add_flow(t, &(struct sim_flow){ .from = from, .to = to, .dscp = 26 });
}

static void burst(struct trial *t, unsigned from, unsigned to)
{
	add_flow(t, &(struct sim_flow){ .from = from, .to = to, .dscp = 26, .on_ms = between(t, 20, 90), .off_ms = between(t, 20, 90) });
}

static bool is_taken(const struct trial *t, unsigned host)
{
	for (unsigned i = 0; i < t->n_flows; i++)
		if (t->flows[i].from == host || t->flows[i].to == host)
			return true;
	return false;
}

static unsigned other_host(struct trial *t, unsigned but)
{
	unsigned host;

	do
		host = t->hosts[below(t, t->n_hosts)];
	while (host == but);
	return host;
}

/* Some that have nothing to do with it, of small demand, between hosts that are idle otherwise. */
static void add_noise(struct trial *t)
{
	for (unsigned n = below(t, 4); n > 0; n--) {
		unsigned from = t->hosts[below(t, t->n_hosts)], to = other_host(t, from);

		if (!is_taken(t, from) && !is_taken(t, to))
			add_flow(t, &(struct sim_flow){ .from = from, .to = to, .dscp = 26, .ect = true,
							.demand_bps = (double)t->host_bps * between(t, 10, 250) / 1000 });
	}
}

static unsigned send_to(struct trial *t, unsigned to, unsigned most)
{
	unsigned n = 0;

	for (unsigned i = 0, first = below(t, t->n_hosts); i < t->n_hosts && n < most; i++) {
		unsigned from = t->hosts[(first + i) % t->n_hosts];

		if (from == to || is_taken(t, from))
			continue;
		flow(t, from, to);
		n++;
	}
	return n;
}

/* -- what is wrong -- */

static void no_marks(struct trial *t, struct sim_qos *qos)
{
	(void)t;
	qos->ecn[3] = false;
}

static void slow_memory(struct trial *t, struct sim_qos *qos)
{
	qos->drain_bps = (double)t->host_bps * between(t, 100, 700) / 1000;
}

static void storming(struct trial *t, struct sim_qos *qos)
{
	(void)t;
	qos->storm[3] = true;
}

static void quarter_speed(struct trial *t, struct sim_qos *qos)
{
	(void)t;
	qos->speed_bps /= 4;
}

static void lame(struct trial *t, struct sim_qos *qos)
{
	qos->speed_bps = t->host_bps / 2;
}

static void damaging(struct trial *t, struct sim_qos *qos)
{
	qos->frame_error = between(t, 1, 50) / 1000.0;
}

static void truth(struct trial *t, enum root_is is, unsigned at, unsigned about)
{
	t->has_root = true;
	t->is = is;
	t->at = at;
	t->victim_of = about;
}

static void make_incast(struct trial *t)
{
	unsigned to = t->hosts[below(t, t->n_hosts)];

	send_to(t, to, between(t, 2, 6));
	truth(t, ROOT_CONGESTION, t->ports[to].peer, to);
}

static void make_slow(struct trial *t)
{
	unsigned to = t->hosts[below(t, t->n_hosts)];

	send_to(t, to, between(t, 1, 5));
	change(t, to, slow_memory);
	truth(t, ROOT_SLOW_RECEIVER, to, to);
}

static void make_storm(struct trial *t)
{
	unsigned to = t->hosts[below(t, t->n_hosts)];

	send_to(t, to, between(t, 1, 5));
	change(t, to, storming);
	truth(t, ROOT_STORM, to, to);
}

/* The uplink that the flow takes, by what it has sent. */
static unsigned uplink_of(struct trial *t, unsigned from)
{
	unsigned leaf = t->ports[t->ports[from].peer].nth_device;

	sim_run(t->sim, 2 * MS);
	for (unsigned p = 0; p < t->n_ports; p++)
		if (t->ports[p].nth_device == leaf && !t->ports[t->ports[p].peer].is_host && sim_counters(t->sim, p)->tx_bytes[3])
			return p;
	fail_msg("no uplink of %s carries anything", t->ports[from].device);
	return 0;
}

/* At the host's cable: slow and said so, slow without a word, or damaging; or an uplink that has lost most of its lanes. */
static void make_degraded(struct trial *t)
{
	unsigned to = t->hosts[below(t, t->n_hosts)], egress = t->ports[to].peer, from, how = below(t, 4);

	if (how == 3) {
		from = t->hosts[0];
		to = t->hosts[t->n_hosts - 1];
		flow(t, from, to);
		egress = uplink_of(t, from);
		change(t, egress, lame);
		change(t, t->ports[egress].peer, lame);
		truth(t, ROOT_DEGRADED, egress, UINT32_MAX);
		return;
	}
	send_to(t, to, between(t, how == 2 ? 2 : 1, 4));
	if (how == 2) {
		change(t, to, damaging);
	} else {
		change(t, egress, quarter_speed);
		change(t, to, quarter_speed);
	}
	if (how == 1)
		t->ports[egress].shown_bps = t->ports[to].shown_bps = t->host_bps;
	truth(t, ROOT_DEGRADED, egress, to);
}

/* Everyone sends to the leaf before, all the long way round. */
static void make_deadlock(struct trial *t, const unsigned *ups)
{
	for (unsigned i = 0; i < t->leaves; i++) {
		unsigned from = t->hosts[i * t->per_leaf], to = t->hosts[(i + t->leaves - 1) % t->leaves * t->per_leaf], route[8] = { from };

		for (unsigned k = 1; k < t->leaves; k++)
			route[k] = ups[(i + k - 1) % t->leaves];
		route[t->leaves] = t->ports[to].peer;
		sim_flow_route(t->sim, t->flows[flow(t, from, to)].handle, route, t->leaves + 1);
	}
	truth(t, ROOT_DEADLOCK, ups[0], UINT32_MAX);
}

/* Whose packets are for others than the root, and share the way: all on one leaf, the root's host and theirs on another. */
static void make_victims(struct trial *t)
{
	unsigned to = t->hosts[0], first = t->per_leaf, n = between(t, 1, 2);
	bool is_slow = below(t, 2);

	for (unsigned i = 0; i < (is_slow ? between(t, 1, 3) : 2) && first + n + i < t->n_hosts; i++)
		flow(t, t->hosts[first + n + i], to);
	for (unsigned i = 0; i < n; i++)
		burst(t, t->hosts[first + i], t->hosts[1 + i]);
	if (is_slow) {
		change(t, to, slow_memory);
		truth(t, ROOT_SLOW_RECEIVER, to, to);
	} else {
		flow(t, t->hosts[t->per_leaf - 1], to);
		truth(t, ROOT_CONGESTION, t->ports[to].peer, to);
	}
}

static void build(struct trial *t)
{
	static const uint64_t speeds[] = { 25000000000, 100000000000, 100000000000, 200000000000 };
	unsigned ups[8];

	t->host_bps = speeds[below(t, 4)];
	if (t->kind == TRIAL_DEADLOCK)
		build_ring(t, ups);
	else
		build_clos(t);
	/* ECN would end what is to last: queues do not mark, as on a switch that was never set up for it. */
	for (unsigned p = 0; p < t->n_ports; p++)
		if (!t->ports[p].is_host && t->kind != TRIAL_QUIET)
			change(t, p, no_marks);
	switch (t->kind) {
	case TRIAL_INCAST:	make_incast(t); break;
	case TRIAL_SLOW:	make_slow(t); break;
	case TRIAL_STORM:	make_storm(t); break;
	case TRIAL_DEGRADED:	make_degraded(t); break;
	case TRIAL_DEADLOCK:	make_deadlock(t, ups); break;
	case TRIAL_VICTIMS:	make_victims(t); break;
	default:		break;
	}
	add_noise(t);
}

/* -- what the devices print -- */

static void say_pause(const struct trial *t, struct obs *o, uint16_t port, const struct trial_port *p, const struct sim_counters *c)
{
	obs_number(o, port, FIELD_PFC_RX, 3, c->pfc_rx[3] * LENS);
	obs_number(o, port, FIELD_PFC_TX, 3, c->pfc_tx[3] * LENS);
	if (!p->is_host && !t->switches_time)
		return;
	obs_number(o, port, FIELD_PFC_RX_US, 3, (uint64_t)c->pfc_rx_us[3] * LENS);
	obs_number(o, port, FIELD_PFC_TX_US, 3, (uint64_t)c->pfc_tx_us[3] * LENS);
	if (p->is_host || t->xon_told)
		obs_number(o, port, FIELD_PFC_RX_XON, 3, c->pfc_rx_xon[3] * LENS);
}

static void say_bytes(const struct trial *t, struct obs *o, uint16_t port, const struct trial_port *p, const struct sim_counters *c)
{
	uint64_t sent = 0, received = 0;

	for (unsigned prio = 0; prio < SIM_PRIOS; prio++) {
		sent += c->tx_bytes[prio];
		received += c->rx_bytes[prio];
	}
	obs_number(o, port, FIELD_RX_TOTAL, 0, received * LENS);
	obs_number(o, port, FIELD_TX_TOTAL, 0, sent * LENS);
	obs_number(o, port, FIELD_TX_BYTES, 3, c->tx_bytes[3] * LENS);
	obs_number(o, port, FIELD_PHY_ERR, 0, c->phy_err * LENS);
	if (p->is_host)
		obs_number(o, port, FIELD_RX_BYTES, 3, c->rx_bytes[3] * LENS);
	if (!p->is_host && t->queues_told)
		obs_number(o, port, FIELD_QUEUE_BYTES, 3, c->queue_bytes[3]);
}

static void say_port(const struct trial *t, struct obs *o, unsigned id)
{
	const struct trial_port *p = &t->ports[id], *peer = &t->ports[p->peer];
	uint16_t port = obs_port(o, span_of(p->name));

	obs_number(o, port, FIELD_SPEED, 0, p->shown_bps ? p->shown_bps : sim_qos(t->sim, id)->speed_bps);
	obs_text(o, port, FIELD_PEER_NAME, span_of(peer->device));
	obs_text(o, port, FIELD_PEER_PORT, span_of(peer->name));
	if (p->is_host)
		obs_text(o, port, FIELD_RDMA, SPAN("mlx5_0"));
	say_pause(t, o, port, p, sim_counters(t->sim, id));
	say_bytes(t, o, port, p, sim_counters(t->sim, id));
}

static void say_all(struct trial *t)
{
	for (unsigned d = 0; d < t->n_devices; d++) {
		struct obs o;

		obs_init(&o, t->devices[d], "test");
		o.at_us = t->now_us;
		o.period_us = SECOND;
		obs_text(&o, OBS_DEVICE, FIELD_PLATFORM, t->is_switch[d] ? SPAN("sonic") : SPAN("linux"));
		for (unsigned p = 0; p < t->n_ports; p++)
			if (t->ports[p].nth_device == d)
				say_port(t, &o, p);
		model_apply(t->model, &o);
		obs_done(&o);
	}
	model_set_now(t->model, t->now_us);
}

/* -- what is made of it -- */

static struct port *port_of(const struct trial *t, unsigned id)
{
	return model_find_port(t->model, t->ports[id].device, t->ports[id].name);
}

/* A deadlock is everywhere on its ring. */
static bool is_true(const struct trial *t, const struct pause_root *r)
{
	return t->has_root && r->is == t->is && (r->is == ROOT_DEADLOCK || r->at == port_of(t, t->at));
}

static const enum trial_kind kind_of_root[] = {
	[ROOT_CONGESTION] = TRIAL_INCAST, [ROOT_DEGRADED] = TRIAL_DEGRADED, [ROOT_SLOW_RECEIVER] = TRIAL_SLOW,
	[ROOT_STORM] = TRIAL_STORM, [ROOT_DEADLOCK] = TRIAL_DEADLOCK,
};

static void score_roots(struct trial *t, struct trial_score scores[TRIAL_KINDS], struct buf *words)
{
	struct trial_score *mine = &scores[t->kind == TRIAL_VICTIMS && t->has_root ? kind_of_root[t->is] : t->kind];
	bool found = false;

	for (size_t i = 0; i < t->g.n_roots; i++) {
		const struct pause_root *r = &t->g.roots[i];
		bool right = is_true(t, r);

		found |= right;
		if (r->is == ROOT_UNKNOWN) {
			scores[t->kind].unknown++;
			continue;
		}
		scores[kind_of_root[r->is]].named++;
		scores[kind_of_root[r->is]].right += right;
		if (!right)
			buf_printf(words, "  named %s at %s %s: %s\n", root_name(r->is), r->at->device->name, r->at->name, r->what);
	}
	mine->wanted += t->has_root;
	mine->found += found;
	if (t->has_root && !found)
		buf_printf(words, "  not found: %s at %s %s (%zu holds, %zu roots)\n", root_name(t->is), t->ports[t->at].device,
			   t->ports[t->at].name, t->g.n_holds, t->g.n_roots);
}

static bool sends(const struct trial *t, unsigned host, bool to_root)
{
	for (unsigned i = 0; i < t->n_flows; i++)
		if (t->flows[i].from == host && (t->flows[i].to == t->victim_of) == to_root)
			return true;
	return false;
}

/* It sends nothing at all: then nothing tells whom it would send to. */
static bool is_stuck(const struct port *host)
{
	const struct series *sent = port_series(host, FIELD_TX_TOTAL, 0);

	return !sent || sent->per_s == 0;
}

/* Of each host that may not send: whether it is a victim of the root, and is said to be. */
static void score_victims(struct trial *t, struct trial_score *score, struct buf *words)
{
	for (size_t i = 0; i < t->g.n_roots; i++) {
		const struct pause_root *r = &t->g.roots[i];

		for (size_t k = 0; is_true(t, r) && t->victim_of != UINT32_MAX && k < r->n_hosts; k++) {
			const struct held_host *host = &r->hosts[k];
			unsigned id = 0;

			while (port_of(t, id) != host->port)
				id++;
			bool is = !sends(t, id, true) && sends(t, id, false) && !is_stuck(host->port);

			score->wanted += is;
			score->named += host->is == HOST_WAITS;
			score->found += is && host->is == HOST_WAITS;
			score->right += is && host->is == HOST_WAITS;
			score->unknown += host->is == HOST_UNKNOWN;
			if (is != (host->is == HOST_WAITS))
				buf_printf(words, "  %s is %sa victim and is said to be %s\n", host->port->device->name, is ? "" : "not ",
					   host->is == HOST_WAITS ? "one" : host->is == HOST_SENDS ? "a sender" : "unknown");
		}
	}
}

/* Whether the ring did lock up: that is for the simulation to say. */
static bool is_locked(struct trial *t)
{
	uint64_t before = 0, after = 0;

	for (unsigned i = 0; i < t->leaves; i++)
		before += sim_flow_bytes(t->sim, t->flows[i].handle);
	sim_run(t->sim, 5 * MS);
	for (unsigned i = 0; i < t->leaves; i++)
		after += sim_flow_bytes(t->sim, t->flows[i].handle);
	return before == after;
}

static bool look(struct trial *t)
{
	sim_run(t->sim, 20 * MS);
	if (t->kind == TRIAL_DEADLOCK && !is_locked(t))
		return false;
	for (unsigned i = 0; i < SECONDS_SEEN; i++) {
		sim_run(t->sim, 1000 * MS / LENS);
		t->now_us += SECOND;
		say_all(t);
	}
	links_update(&t->links, t->model, &t->inventory);
	pauses_make(&t->g, &(struct pauses_of){ t->model, &t->links, t->policy, &t->inventory });
	return true;
}

static void score(struct trial *t, uint64_t seed, struct trial_score scores[TRIAL_KINDS], struct buf *words)
{
	struct buf wrong = { 0 };

	scores[t->kind].trials++;
	score_roots(t, scores, &wrong);
	score_victims(t, &scores[TRIAL_VICTIMS], &wrong);
	if (wrong.n)
		buf_printf(words, "%s, seed %llu (%s%s%s):\n%s", trial_names[t->kind], (unsigned long long)seed,
			   t->switches_time ? "times " : "", t->queues_told ? "queues " : "", t->xon_told ? "xon" : "", wrong.text);
	buf_done(&wrong);
}

static void trial_done(struct trial *t)
{
	pauses_done(&t->g);
	links_done(&t->links);
	policy_free(t->policy);
	inventory_done(&t->inventory);
	model_free(t->model);
	sim_free(t->sim);
	free(t);
}

/* A ring does not lock up each time; then another is taken. */
void trial_run(enum trial_kind kind, uint64_t seed, struct trial_score scores[TRIAL_KINDS], struct buf *words)
{
	for (uint64_t again = 0, seen = 0; !seen; again++) {
		struct trial *t = xcalloc(1, sizeof(*t));

		assert_true(again < 20);
		*t = (struct trial){ .kind = kind, .random = (again << 32 | seed) * TRIAL_KINDS + kind, .sim = sim_new(seed),
				     .model = model_new(), .policy = policy_builtin("roce-lossless"), .now_us = 1000 * SECOND };
		inventory_init(&t->inventory);
		t->switches_time = below(t, 2);
		t->queues_told = below(t, 2);
		t->xon_told = below(t, 2);
		build(t);
		seen = look(t);
		if (seen)
			score(t, seed, scores, words);
		trial_done(t);
	}
}

double trial_recall(const struct trial_score *s)
{
	return s->wanted ? (double)s->found / s->wanted : 1;
}

double trial_precision(const struct trial_score *s)
{
	return s->named ? (double)s->right / s->named : 1;
}
