/* Who pauses whom: direction, trees, roots, rings, hosts; and the law that links keep. */
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "core/pause/pause.h"
#include "tests/lib/lab.h"
#include "tests/lib/screen.h"
#include "tests/lib/trial.h"
#include "tests/lib/world.h"

struct told {
	struct world w;
	struct pauses g;
};

static void set(struct told *t, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	world_set(&t->w, text);
}

/* A cable, seen by LLDP of the first end. */
static void cable(struct told *t, const char *a, const char *a_port, const char *b, const char *b_port)
{
	const char *ends[2][2] = { { a, a_port }, { b, b_port } };

	set(t, "%s %s peer.name = \"%s\"", a, a_port, b);
	set(t, "%s %s peer.port = \"%s\"", a, a_port, b_port);
	for (int i = 0; i < 2; i++) {
		bool is_host = !strncmp(ends[i][0], "node", 4);

		set(t, "%s platform = \"%s\"", ends[i][0], is_host ? "linux" : "sonic");
		set(t, "%s %s speed = 100G", ends[i][0], ends[i][1]);
		if (is_host)
			set(t, "%s %s rdma = \"mlx5_0\"", ends[i][0], ends[i][1]);
	}
}

/* Two leaves with hosts node1 node2 and node3 node4 on eth2, one spine. */
static void begin(struct told *t)
{
	*t = (struct told){ .w = { .model = model_new(), .policy = policy_builtin("roce-lossless"), .findings = findings_new(),
				   .now_us = 1000 * SECOND } };
	inventory_init(&t->w.inventory);
	cable(t, "node1", "eth2", "leaf1", "Eth1");
	cable(t, "node2", "eth2", "leaf1", "Eth2");
	cable(t, "node3", "eth2", "leaf2", "Eth1");
	cable(t, "node4", "eth2", "leaf2", "Eth2");
	cable(t, "leaf1", "Eth9", "spine1", "Eth1");
	cable(t, "leaf2", "Eth9", "spine1", "Eth2");
}

static void end(struct told *t)
{
	pauses_done(&t->g);
	world_done(&t->w);
}

/* The port may not send for that many of each 1000 µs: its own counters say so. */
static void stopped(struct told *t, const char *port, unsigned permille)
{
	set(t, "%s pfc.rx[3] = %u", port, permille * 10);
	set(t, "%s pfc.rx_us[3] = %u", port, permille * 1000);
}

static void holds_peer(struct told *t, const char *port, unsigned permille)
{
	set(t, "%s pfc.tx[3] = %u", port, permille * 10);
	set(t, "%s pfc.tx_us[3] = %u", port, permille * 1000);
}

static void sends(struct told *t, const char *port, unsigned pct)
{
	set(t, "%s tx.total = %llu", port, 125000000ULL * pct);
	set(t, "%s tx.bytes[3] = %llu", port, 125000000ULL * pct);
}

static void receives(struct told *t, const char *port, unsigned pct)
{
	set(t, "%s rx.bytes[3] = %llu", port, 125000000ULL * pct);
}

static void look(struct told *t)
{
	world_run(&t->w, 6);
	pauses_make(&t->g, &(struct pauses_of){ t->w.model, &t->w.links, t->w.policy, &t->w.inventory });
	for (size_t i = 0; i < t->g.n_roots; i++)	/* a root stops something */
		assert_true(t->g.roots[i].n_holds > 0 && t->g.roots[i].holds[0] < t->g.n_holds);
}

static const struct pause_root *only_root(const struct told *t, enum root_is is, const char *device, const char *port)
{
	const struct pause_root *r = t->g.roots;

	assert_int_equal(t->g.n_roots, 1);
	if (r->is != is || strcmp(r->at->device->name, device) || strcmp(r->at->name, port))
		fail_msg("%s at %s %s: %s %s", root_name(r->is), r->at->device->name, r->at->name, r->what, r->missing);
	return r;
}

static const struct hold *hold_of(const struct told *t, const char *device, const char *port)
{
	return pauses_hold(&t->g, model_find_port(t->w.model, device, port), 3);
}

static void a_quiet_fabric_has_no_holds_and_nothing_lacks(void **state)
{
	static const char *const ports[] = { "node1 eth2", "node2 eth2", "node3 eth2", "node4 eth2", "leaf1 Eth1", "leaf1 Eth2",
					     "leaf2 Eth1", "leaf2 Eth2", "leaf1 Eth9", "leaf2 Eth9", "spine1 Eth1", "spine1 Eth2" };
	struct told t;

	(void)state;
	begin(&t);
	for (size_t i = 0; i < sizeof(ports) / sizeof(*ports); i++)
		stopped(&t, ports[i], 0);
	look(&t);
	assert_int_equal(t.g.n_holds, 0);
	assert_int_equal(t.g.n_roots, 0);
	assert_int_equal(t.g.lacking, 0);
	end(&t);
}

static void what_nobody_counts_is_lacking_and_not_quiet(void **state)
{
	struct told t;

	(void)state;
	begin(&t);
	look(&t);
	assert_int_equal(t.g.n_holds, 0);
	assert_int_equal(t.g.lacking, 12);
	end(&t);
}

/* DOMAIN's table, both ends: what a port has received stops it; what it has sent stops its peer. */
static void received_pause_stops_the_port_and_sent_pause_its_peer(void **state)
{
	struct told t;

	(void)state;
	begin(&t);
	stopped(&t, "node1 eth2", 300);
	look(&t);
	assert_non_null(hold_of(&t, "node1", "eth2"));
	assert_string_equal(hold_of(&t, "node1", "eth2")->holder->name, "Eth1");
	assert_null(hold_of(&t, "leaf1", "Eth1"));
	end(&t);

	begin(&t);
	holds_peer(&t, "leaf1 Eth1", 300);	/* the same, told by the other end alone */
	look(&t);
	assert_non_null(hold_of(&t, "node1", "eth2"));
	assert_null(hold_of(&t, "leaf1", "Eth1"));
	end(&t);

	begin(&t);
	holds_peer(&t, "node1 eth2", 300);	/* the host's tx: it is the one that cannot take */
	look(&t);
	assert_null(hold_of(&t, "node1", "eth2"));
	assert_non_null(hold_of(&t, "leaf1", "Eth1"));
	only_root(&t, ROOT_SLOW_RECEIVER, "node1", "eth2");
	end(&t);

	begin(&t);
	stopped(&t, "leaf1 Eth1", 300);		/* and the switch's rx says the same */
	look(&t);
	assert_null(hold_of(&t, "node1", "eth2"));
	only_root(&t, ROOT_SLOW_RECEIVER, "node1", "eth2");
	end(&t);
}

/* node3 and node4 send to node1, which node2 does too: leaf1 Eth1 is full, and pause spreads up and down again. */
static void incast(struct told *t)
{
	begin(t);
	stopped(t, "node2 eth2", 400);
	stopped(t, "node3 eth2", 380);
	stopped(t, "node4 eth2", 390);
	stopped(t, "spine1 Eth1", 410);
	stopped(t, "leaf2 Eth9", 405);
	sends(t, "leaf1 Eth1", 98);
	receives(t, "node1 eth2", 98);
	receives(t, "node2 eth2", 0);
	receives(t, "node3 eth2", 0);
	receives(t, "node4 eth2", 0);
	sends(t, "node1 eth2", 0);
	sends(t, "node2 eth2", 36);
	sends(t, "node3 eth2", 31);
	sends(t, "node4 eth2", 30);
}

static void an_incast_is_traced_to_the_full_egress(void **state)
{
	const struct pause_root *r;
	struct buf words = { 0 };
	struct told t;

	(void)state;
	incast(&t);
	look(&t);
	r = only_root(&t, ROOT_CONGESTION, "leaf1", "Eth1");
	assert_int_equal(r->n_holds, 5);
	assert_int_equal(r->hops, 3);
	assert_int_equal(r->n_hosts, 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(r->hosts[i].is, HOST_SENDS);
	assert_false(r->is_sure);		/* that it is full makes it likely; no queue is told */
	assert_ptr_equal(pauses_root(&t.g, model_find_port(t.w.model, "node3", "eth2"), 3), r);
	pause_root_words(&t.g, r, &words);
	assert_string_equal(words.text,
			    "leaf1:Eth1 (egress q3, 98 %) pauses node2 node3 node4, 19.9k frames/s on 5 links, paused 41 % of the last 3 s; root: "
			    "incast into node1: the load offered to leaf1:Eth1 exceeds its line rate (98 % used) (likely)");
	buf_done(&words);
	end(&t);
}

static void a_queue_that_stands_makes_it_sure(void **state)
{
	struct told t;

	(void)state;
	incast(&t);
	set(&t, "leaf1 Eth1 queue.bytes[3] = 900000");
	set(&t, "leaf1 Eth2 queue.bytes[3] = 0");
	set(&t, "leaf1 Eth9 queue.bytes[3] = 20000");
	look(&t);
	assert_true(only_root(&t, ROOT_CONGESTION, "leaf1", "Eth1")->is_sure);
	end(&t);
}

/* The priority is not the queue: it is looked up, and so is what a pause stops. */
static void queues_go_through_the_maps(void **state)
{
	struct told t;

	(void)state;
	incast(&t);
	set(&t, "leaf1 Eth1 prio.tc[3] = 5");
	set(&t, "leaf1 Eth1 tc.queue[5] = 6");
	set(&t, "leaf1 Eth1 queue.bytes[6] = 900000");
	set(&t, "leaf1 Eth2 queue.bytes[3] = 30000");
	look(&t);
	assert_int_equal(only_root(&t, ROOT_CONGESTION, "leaf1", "Eth1")->queue, 6);
	end(&t);
}

/* One that is slower than its like, damages frames, or does not fill its line although nobody stops it. */
static void an_egress_that_is_not_as_it_should_be_is_degraded(void **state)
{
	static const char *const signs[][2] = {
		{ "leaf1 Eth1 speed = 25G", NULL }, { "node1 eth2 phy.err = 500000", NULL },
		{ "leaf1 Eth1 queue.bytes[3] = 900000", "leaf1 Eth1 tx.total = 3000000000" },
	};
	struct told t;

	(void)state;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		incast(&t);
		cable(&t, "node5", "eth2", "leaf1", "Eth3");
		if (strstr(signs[i][0], "25G"))
			sends(&t, "leaf1 Eth1", 24);
		world_set(&t.w, signs[i][0]);
		if (signs[i][1])
			world_set(&t.w, signs[i][1]);
		look(&t);
		if (signs[i][1]) {	/* whether somebody stops it is not told */
			assert_int_equal(t.g.roots[0].is, ROOT_UNKNOWN);
			set(&t, "node1 eth2 phy.err = 500000");	/* what its wire damages is told all the same */
			look(&t);
			only_root(&t, ROOT_DEGRADED, "leaf1", "Eth1");
			set(&t, "node1 eth2 phy.err = 0");
			set(&t, "leaf1 Eth1 pfc.rx[3] = 0");
			look(&t);
		}
		only_root(&t, ROOT_DEGRADED, "leaf1", "Eth1");
		end(&t);
	}
	incast(&t);
	set(&t, "node1 eth2 phy.err = 1");	/* a frame a second of twelve million slows nobody */
	look(&t);
	only_root(&t, ROOT_CONGESTION, "leaf1", "Eth1");
	end(&t);
}

static void who_takes_nothing_storms_and_who_takes_little_is_slow(void **state)
{
	struct told t;

	(void)state;
	begin(&t);
	holds_peer(&t, "node1 eth2", 900);
	receives(&t, "node1 eth2", 5);
	look(&t);
	assert_true(only_root(&t, ROOT_SLOW_RECEIVER, "node1", "eth2")->is_sure);
	end(&t);

	begin(&t);
	holds_peer(&t, "node1 eth2", 900);
	receives(&t, "node1 eth2", 0);
	look(&t);
	only_root(&t, ROOT_STORM, "node1", "eth2");
	end(&t);

	begin(&t);
	holds_peer(&t, "node1 eth2", 1000);
	look(&t);
	only_root(&t, ROOT_STORM, "node1", "eth2");
	end(&t);

	begin(&t);
	holds_peer(&t, "node1 eth2", 400);
	set(&t, "leaf1 Eth1 pfc.stormed[3] = yes");
	look(&t);
	assert_string_equal(only_root(&t, ROOT_STORM, "node1", "eth2")->what,
			    "node1 pauses long enough to trigger a watchdog or its own stall prevention (40 % of the last 3 s)");
	end(&t);
}

/* One of two counts of what arrives may stand still for reasons of its own: what the other counts has come. */
static void who_takes_packets_is_not_stuck_though_its_bytes_stand(void **state)
{
	struct told t;

	(void)state;
	begin(&t);
	holds_peer(&t, "node1 eth2", 900);
	receives(&t, "node1 eth2", 5);
	set(&t, "node1 eth2 rx.packets[3] = 0");
	look(&t);
	only_root(&t, ROOT_SLOW_RECEIVER, "node1", "eth2");
	end(&t);
}

/* Frames bound the time from above: 60 frames/s stop a 100G line for 2 % at most, 10 a second hardly. */
static void frames_alone_bound_and_do_not_prove(void **state)
{
	const struct pause_root *r;
	struct told t;

	(void)state;
	begin(&t);
	set(&t, "node1 eth2 pfc.tx[3] = 60");
	look(&t);
	r = only_root(&t, ROOT_SLOW_RECEIVER, "node1", "eth2");
	assert_false(r->is_sure);
	assert_int_equal(t.g.holds[0].basis, PAUSE_BY_FRAMES);
	assert_true(r->share > 0.019 && r->share < 0.021);
	assert_non_null(strstr(r->what, "at most"));
	end(&t);

	begin(&t);
	set(&t, "node1 eth2 pfc.tx[3] = 2");
	look(&t);
	assert_int_equal(t.g.n_holds, 0);
	end(&t);
}

static void what_cannot_be_known_is_said_to_be_unknown(void **state)
{
	const struct pause_root *r;
	struct told t;

	(void)state;
	begin(&t);
	stopped(&t, "node1 eth2", 300);		/* and nothing is told of leaf1's ports */
	look(&t);
	r = only_root(&t, ROOT_UNKNOWN, "leaf1", "Eth1");
	assert_string_equal(r->missing, "the egress of leaf1 that its packets wait for");
	end(&t);

	begin(&t);
	stopped(&t, "leaf1 Eth7", 300);		/* nobody says what faces it */
	look(&t);
	r = only_root(&t, ROOT_UNKNOWN, "leaf1", "Eth7");
	assert_string_equal(r->missing, "the peer of leaf1:Eth7");
	end(&t);
}

/* A host that is not read is a host all the same, when the inventory says so. */
static void only_the_switches_are_read(void **state)
{
	const struct pause_root *r;
	struct told t;
	struct err err;
	char words[HOLD_END_MAX];

	(void)state;
	begin(&t);
	assert_true(inventory_read(&t.w.inventory, SPAN("all: {hosts: {node8: {fabcon_kind: host}}}"), "x", &err));
	model_need_device(t.w.model, "node8");
	set(&t, "leaf1 Eth7 peer.name = \"node8\"");
	set(&t, "leaf1 Eth7 peer.port = \"eth2\"");
	set(&t, "leaf1 Eth7 speed = 100G");
	stopped(&t, "leaf1 Eth7", 300);
	look(&t);
	r = only_root(&t, ROOT_SLOW_RECEIVER, "leaf1", "Eth7");
	assert_false(r->is_sure);
	assert_string_equal(hold_end(&t.g.holds[0], false, words), "node8 eth2");
	end(&t);
}

/* node3 sends to node1, which is slow; node4 to node2, which is not: node4 waits behind. */
static void victims_are_told_from_senders(void **state)
{
	const struct pause_root *r;
	struct told t;

	(void)state;
	begin(&t);
	holds_peer(&t, "node1 eth2", 500);
	stopped(&t, "spine1 Eth1", 450);
	stopped(&t, "leaf2 Eth9", 440);
	stopped(&t, "node3 eth2", 430);
	stopped(&t, "node4 eth2", 430);
	sends(&t, "node1 eth2", 0);
	sends(&t, "node2 eth2", 0);
	sends(&t, "node3 eth2", 50);
	sends(&t, "node4 eth2", 20);
	receives(&t, "node1 eth2", 50);
	receives(&t, "node2 eth2", 20);
	receives(&t, "node3 eth2", 0);
	receives(&t, "node4 eth2", 0);
	look(&t);
	r = only_root(&t, ROOT_SLOW_RECEIVER, "node1", "eth2");
	assert_int_equal(r->n_hosts, 2);
	assert_int_equal(r->hosts[0].is, HOST_SENDS);
	assert_int_equal(r->hosts[1].is, HOST_WAITS);
	assert_string_equal(r->hosts[1].to->device->name, "node2");
	set(&t, "node4 eth2 tx.bytes[3] = 6250000000");		/* now either may be the one */
	set(&t, "node2 eth2 rx.bytes[3] = 6250000000");
	look(&t);
	assert_int_equal(t.g.roots[0].hosts[0].is, HOST_UNKNOWN);
	assert_int_equal(t.g.roots[0].hosts[1].is, HOST_UNKNOWN);
	end(&t);
}

/* Three leaves in a circle, each sending on to the next; without times: all that they count is frames. */
static void circle_that_counts(struct told *t, bool times)
{
	char port[64];

	*t = (struct told){ .w = { .model = model_new(), .policy = policy_builtin("roce-lossless"), .findings = findings_new(),
				   .now_us = 1000 * SECOND } };
	inventory_init(&t->w.inventory);
	for (unsigned i = 1; i <= 3; i++) {
		char leaf[16], next[16], node[16];

		snprintf(leaf, sizeof(leaf), "leaf%u", i);
		snprintf(next, sizeof(next), "leaf%u", i % 3 + 1);
		snprintf(node, sizeof(node), "node%u", i);
		cable(t, node, "eth2", leaf, "Eth1");
		cable(t, leaf, "Eth8", next, "Eth9");
		snprintf(port, sizeof(port), "%s Eth1", leaf);
		sends(t, port, 0);
		set(t, "%s pfc.rx[3] = 0", port);
		snprintf(port, sizeof(port), "%s Eth8", leaf);
		if (times)
			stopped(t, port, 1000);
		else
			set(t, "%s pfc.rx[3] = 6000", port);	/* each may stop for 335 us at 100G, and half of that passes between two */
		sends(t, port, 0);
		set(t, "%s pfc.rx_xon[3] = 0", port);
		snprintf(port, sizeof(port), "%s eth2", node);
		stopped(t, port, 1000);
		sends(t, port, 0);
	}
}

static void circle(struct told *t)
{
	circle_that_counts(t, true);
}

static void a_ring_that_never_lets_go_is_a_deadlock(void **state)
{
	const struct pause_root *r;
	struct told t;

	(void)state;
	circle(&t);
	look(&t);
	r = &t.g.roots[0];
	assert_int_equal(t.g.n_roots, 1);
	assert_int_equal(r->is, ROOT_DEADLOCK);
	assert_int_equal(r->n_holds, 6);
	assert_int_equal(r->n_hosts, 3);
	assert_true(r->is_sure);
	set(&t, "leaf2 Eth8 tx.bytes[3] = 1000");	/* healing is bytes that move again */
	set(&t, "leaf2 Eth8 tx.total = 1000");
	look(&t);
	assert_int_equal(t.g.roots[0].is, ROOT_UNKNOWN);
	end(&t);
}

/*
 * Dell's switches count frames and no times, as do SONiC's without "show pfc counters --history". It is known once
 * nothing has left for several reads, not before.
 */
static void a_ring_is_known_by_frames_that_never_cease_while_nothing_leaves(void **state)
{
	const struct pause_root *r;
	const struct finding *f;
	unsigned likely = 0;
	struct told t;

	(void)state;
	circle_that_counts(&t, false);
	for (unsigned s = 0; s < 10; s++) {
		world_run(&t.w, 1);
		pauses_make(&t.g, &(struct pauses_of){ t.w.model, &t.w.links, t.w.policy, &t.w.inventory });
		r = t.g.roots;
		likely += t.g.n_roots == 1 && r->is == ROOT_DEADLOCK && !r->is_sure;
		if (t.g.n_roots == 1 && r->is == ROOT_DEADLOCK && !r->is_sure)
			assert_null(world_finding(&t.w, "no-deadlock", "leaf1:Eth9"));
	}
	assert_true(likely > 0);
	assert_int_equal(t.g.n_roots, 1);
	assert_int_equal(r->is, ROOT_DEADLOCK);
	assert_true(r->is_sure && r->by_frames);
	assert_non_null(strstr(r->what, "continuous pause frames"));
	f = world_finding(&t.w, "no-deadlock", "leaf1:Eth9");
	assert_true(f && f->is_open && f->verdict == VERDICT_FAIL && !f->cause);
	assert_non_null(strstr(f->what, "3 ports wait for each other in a loop"));
	f = world_finding(&t.w, "not-paused", "node1:eth2");
	assert_true(f && f->cause && !strcmp(f->cause->check->id, "no-deadlock"));
	set(&t, "leaf2 Eth8 tx.bytes[3] = 1000");
	set(&t, "leaf2 Eth8 tx.total = 1000");
	look(&t);
	assert_int_equal(t.g.roots[0].is, ROOT_UNKNOWN);
	f = world_finding(&t.w, "no-deadlock", "leaf1:Eth9");
	assert_true(!f || !f->is_open);
	end(&t);
}

static bool is_sure_ring(const struct told *t)
{
	for (size_t i = 0; i < t->g.n_roots; i++)
		if (t->g.roots[i].is == ROOT_DEADLOCK && t->g.roots[i].is_sure)
			return true;
	return false;
}

/* Packets may leave by the exit whose counters were not read: all that wait may wait for that one. */
static void a_ring_with_an_exit_that_was_not_read_is_not_sure(void **state)
{
	const struct finding *f;
	struct told t;

	(void)state;
	circle_that_counts(&t, false);
	cable(&t, "node4", "eth2", "leaf2", "Eth2");
	set(&t, "leaf2 Eth2 pfc.rx[3] = unknown \"not read\"");
	set(&t, "leaf2 Eth2 pfc.tx[3] = unknown \"not read\"");
	set(&t, "leaf2 Eth2 tx.bytes[3] = unknown \"not read\"");
	set(&t, "leaf2 Eth2 tx.packets[3] = unknown \"not read\"");
	set(&t, "leaf2 Eth2 tx.total = unknown \"not read\"");
	set(&t, "leaf2 Eth2 queue.bytes[3] = unknown \"not read\"");
	world_run(&t.w, 10);
	pauses_make(&t.g, &(struct pauses_of){ t.w.model, &t.w.links, t.w.policy, &t.w.inventory });
	assert_false(is_sure_ring(&t));
	f = world_finding(&t.w, "no-deadlock", "leaf1:Eth9");
	assert_true(f && f->verdict == VERDICT_UNKNOWN);
	assert_non_null(strstr(f->missing, "leaf2:Eth2"));
	set(&t, "node4 eth2 pfc.tx[3] = 0");	/* the other end tells that nothing leaves by it */
	set(&t, "node4 eth2 rx.bytes[3] = 0");
	world_run(&t.w, 10);
	pauses_make(&t.g, &(struct pauses_of){ t.w.model, &t.w.links, t.w.policy, &t.w.inventory });
	assert_true(is_sure_ring(&t));
	set(&t, "node4 eth2 rx.bytes[3] = 1000");
	world_run(&t.w, 10);
	pauses_make(&t.g, &(struct pauses_of){ t.w.model, &t.w.links, t.w.policy, &t.w.inventory });
	assert_false(is_sure_ring(&t));
	end(&t);
}

/* The route that closed it is gone, and packets leave by another port though the ring's counters were locked. */
static void a_ring_that_is_opened_while_locked_is_over(void **state)
{
	const struct finding *f;
	struct told t;

	(void)state;
	circle_that_counts(&t, false);
	world_run(&t.w, 10);
	f = world_finding(&t.w, "no-deadlock", "leaf1:Eth9");
	assert_true(f && f->is_open);
	for (unsigned i = 1; i <= 3; i++) {
		set(&t, "leaf%u Eth8 pfc.rx[3] = 0", i);
		set(&t, "leaf%u Eth8 tx.bytes[3] = 1250000000", i);
		set(&t, "leaf%u Eth8 tx.total = 1250000000", i);
	}
	look(&t);
	assert_false(is_sure_ring(&t));
	f = world_finding(&t.w, "no-deadlock", "leaf1:Eth9");
	assert_true(!f || !f->is_open);
	end(&t);
}

/* Frames that are too few for all of the time say nothing of a lock, however still it is: nobody may have anything to send. */
static void a_ring_that_is_idle_is_no_deadlock(void **state)
{
	struct told t;

	(void)state;
	circle_that_counts(&t, false);
	set(&t, "leaf2 Eth8 pfc.rx[3] = 1000");
	look(&t);
	for (size_t i = 0; i < t.g.n_roots; i++)
		assert_int_not_equal(t.g.roots[i].is, ROOT_DEADLOCK);
	assert_null(world_finding(&t.w, "no-deadlock", "leaf1:Eth9"));
	end(&t);
}

static void a_ring_that_lets_go_or_waits_for_a_host_is_none(void **state)
{
	struct told t;

	(void)state;
	circle(&t);
	set(&t, "leaf2 Eth8 pfc.rx_xon[3] = 5");
	look(&t);
	assert_int_equal(t.g.roots[0].is, ROOT_UNKNOWN);
	end(&t);

	circle(&t);
	holds_peer(&t, "node2 eth2", 1000);		/* a storm is reason enough for all of it */
	sends(&t, "leaf2 Eth1", 0);
	look(&t);
	assert_int_equal(t.g.roots[0].is, ROOT_STORM);
	assert_int_equal(t.g.n_roots, 1);
	end(&t);
}

static void a_tree_of_switches_has_no_possible_ring_and_a_circle_has(void **state)
{
	const struct port **ring;
	struct told t;

	(void)state;
	begin(&t);
	cable(&t, "leaf1", "Eth10", "spine2", "Eth1");
	cable(&t, "leaf2", "Eth10", "spine2", "Eth2");
	look(&t);
	assert_int_equal(pauses_possible_ring(&(struct pauses_of){ t.w.model, &t.w.links, t.w.policy, &t.w.inventory }, &ring), 0);
	free(ring);
	end(&t);
	circle(&t);
	look(&t);
	assert_int_equal(pauses_possible_ring(&(struct pauses_of){ t.w.model, &t.w.links, t.w.policy, &t.w.inventory }, &ring), 3);
	free(ring);
	end(&t);
}

/* -- on the screens -- */

static const char *drawn(struct told *t, struct screen_test *screen, struct stage *s)
{
	static uint64_t serial;
	struct view_of of = { .model = t->w.model, .links = &t->w.links, .findings = t->w.findings, .policy = t->w.policy,
			      .inventory = &t->w.inventory, .fabric = "gpu-a", .serial = ++serial };

	stage_draw(s, screen_draw(screen), &of);
	return screen_text(screen);
}

static void assert_drawn(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("\"%s\" is not on this screen:\n%s", what, text);
}

static void the_overview_and_detail_show_the_tree_wide_and_narrow(void **state)
{
	struct told t;

	(void)state;
	incast(&t);
	look(&t);
	for (int wide = 0; wide < 2; wide++) {
		struct screen_test *screen = screen_open(wide ? 60 : 24, wide ? 160 : 80, false, NULL);
		struct stage s = { .screen = SCREEN_OVERVIEW };

		assert_drawn(drawn(&t, screen, &s), "Pause trees: 1 root");
		assert_drawn(screen_text(screen), "~ incast into node1: the load offered to leaf1:Eth1 exceeds its line rate");
		s.screen = SCREEN_DETAIL;
		s.views.subject = model_find_port(t.w.model, "node3", "eth2");
		assert_drawn(drawn(&t, screen, &s), "~ incast into node1");
		if (wide)
			assert_drawn(screen_text(screen), " >      node3:eth2 by leaf2:Eth1, paused 38 % of the last 3 s; sends to it");
		stage_done(&s);
		screen_close(screen);
	}
	end(&t);
}

static void nothing_paused_takes_no_room(void **state)
{
	struct screen_test *screen = screen_open(36, 120, false, NULL);
	struct stage s = { .screen = SCREEN_OVERVIEW };
	struct told t;

	(void)state;
	begin(&t);
	stopped(&t, "node1 eth2", 0);
	look(&t);
	assert_null(strstr(drawn(&t, screen, &s), "Pause trees"));
	stage_done(&s);
	screen_close(screen);
	end(&t);
}

/* By real devices' words, of a lab: the slow host is named, in words and in JSON, at its place alone. */
static void the_command_names_the_slow_host_of_a_lab(void **state)
{
	struct lab lab;
	struct run words, json;
	json_t *rows = NULL, *doc = NULL;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "4", "--rails", "1", "--leaves", "2", "--spines", "1", "--switch-os", "sonic",
			"--fault", "slow-receiver@node1:eth2"));
	for (int tries = 0; tries < 10 && !json_array_size(rows); tries++) {	/* traffic needs its time to reach a steady state */
		json_decref(doc);
		json = LAB_FABCON(&lab, "--timeout", "60s", "pauses", "node1", "-o", "json");
		assert_int_equal(json.code, 0);
		doc = json_loads(json.out.text, 0, NULL);
		rows = json_object_get(doc, "rows");
		run_done(&json);
	}
	assert_int_equal(json_array_size(rows), 1);
	assert_string_equal(json_string_value(json_object_get(json_array_get(rows, 0), "root")), "slow-receiver");
	assert_string_equal(json_string_value(json_object_get(json_array_get(rows, 0), "at")), "node1:eth2");
	json_decref(doc);
	words = LAB_FABCON(&lab, "--timeout", "60s", "pauses");
	assert_int_equal(words.code, 0);
	assert_drawn(words.out.text, "root: node1 receives less than its line rate");
	assert_drawn(words.out.text, "No cyclic buffer dependency found in the known topology, assuming up-down routing");
	run_done(&words);
	lab_stop(&lab);
}

/* At this end alone: as if another cable were there. */
static void counts(struct told *t, const char *what, unsigned per_s)
{
	world_fact(&t->w, what)->per_s = per_s;
}

/* What one end sends the other receives. Nobody knows better than the counters that the cable map is wrong. */
static void a_cable_map_that_counters_contradict_is_found(void **state)
{
	struct told t;

	(void)state;
	begin(&t);
	set(&t, "leaf1 Eth1 pfc.tx[3] = 500");
	set(&t, "leaf1 Eth1 pfc.rx[3] = 0");
	set(&t, "node1 eth2 pfc.tx[3] = 0");
	set(&t, "node1 eth2 pfc.rx[3] = 500");
	world_run(&t.w, 20);
	assert_null(world_finding(&t.w, "pause-counted-alike", ""));
	counts(&t, "node1 eth2 pfc.rx[3]", 20);
	world_run(&t.w, 3);
	assert_null(world_finding(&t.w, "pause-counted-alike", ""));	/* a few seconds are none: bursts, restarts */
	world_run(&t.w, 40);
	assert_non_null(world_finding(&t.w, "pause-counted-alike", "node1:eth2"));
	assert_non_null(strstr(world_finding(&t.w, "pause-counted-alike", "node1")->what, "leaf1 sent "));
	counts(&t, "node1 eth2 pfc.rx[3]", 500);
	world_run(&t.w, 70);
	assert_null(world_finding(&t.w, "pause-counted-alike", ""));
	end(&t);
}

/* The switch's counters, which are read every ten seconds. */
static void read_seldom(struct told *t)
{
	struct obs o;
	struct err err;

	obs_init(&o, "leaf1", "counters");
	o.at_us = t->w.now_us;
	o.period_us = 10 * SECOND;
	assert_true(obs_read(&o, span_of("leaf1 Eth1 pfc.rx[3] = 0\nleaf1 Eth1 pfc.tx[3] = 0\n"), &err));
	model_apply(t->w.model, &o);
	obs_done(&o);
}

/* "In 8 s node2 sent 89563 pause frames, leaf1 received 0" was said of a leaf that had not been read since. */
static void what_was_not_read_since_is_not_said_to_have_received_nothing(void **state)
{
	struct told t;

	(void)state;
	begin(&t);
	set(&t, "node1 eth2 pfc.tx[3] = 0");
	set(&t, "node1 eth2 pfc.rx[3] = 0");
	for (unsigned i = 0; i < 4; i++) {
		world_run(&t.w, 10);
		read_seldom(&t);
	}
	counts(&t, "node1 eth2 pfc.tx[3]", 11000);
	for (unsigned i = 0; i < 19; i++) {
		world_run(&t.w, 1);
		assert_null(world_finding(&t.w, "pause-counted-alike", ""));
	}
	for (unsigned i = 0; i < 4; i++) {
		world_run(&t.w, 10);
		read_seldom(&t);
	}
	world_run(&t.w, 1);
	assert_non_null(strstr(world_finding(&t.w, "pause-counted-alike", "node1")->what, "leaf1 received 0"));
	end(&t);
}

static void counters_that_restart_or_are_read_apart_contradict_nothing(void **state)
{
	struct told t;

	(void)state;
	begin(&t);
	set(&t, "leaf1 Eth1 pfc.tx[3] = 500");
	set(&t, "leaf1 Eth1 pfc.rx[3] = 0");
	set(&t, "node1 eth2 pfc.tx[3] = 0");
	set(&t, "node1 eth2 pfc.rx[3] = 500");
	for (unsigned i = 0; i < 6; i++) {
		world_run(&t.w, 7);
		world_fact(&t.w, "node1 eth2 pfc.rx[3]")->count = 0;
		assert_null(world_finding(&t.w, "pause-counted-alike", ""));
	}
	for (unsigned i = 0; i < 30; i++) {		/* bursts, that one end tells a second later */
		counts(&t, "leaf1 Eth1 pfc.tx[3]", i % 7 ? 0 : 90000);
		counts(&t, "node1 eth2 pfc.rx[3]", i % 7 == 1 ? 90000 : 0);
		world_run(&t.w, 1);
		assert_null(world_finding(&t.w, "pause-counted-alike", ""));
	}
	end(&t);
}

/* A few of `make roots`, each kind at other places. */
static void roots_and_victims_are_found_in_simulated_fabrics(void **state)
{
	struct trial_score scores[TRIAL_KINDS] = { 0 };
	struct buf words = { 0 };

	(void)state;
	for (unsigned k = 0; k < TRIAL_KINDS; k++)
		for (uint64_t seed = 1; seed <= 3; seed++)
			trial_run((enum trial_kind)k, seed, scores, &words);
	if (words.n)
		fail_msg("%s", words.text);
	for (unsigned k = 0; k < TRIAL_QUIET; k++)
		assert_true(scores[k].wanted > 0);
	buf_done(&words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quiet_fabric_has_no_holds_and_nothing_lacks),
		cmocka_unit_test(what_nobody_counts_is_lacking_and_not_quiet),
		cmocka_unit_test(received_pause_stops_the_port_and_sent_pause_its_peer),
		cmocka_unit_test(an_incast_is_traced_to_the_full_egress),
		cmocka_unit_test(a_queue_that_stands_makes_it_sure),
		cmocka_unit_test(queues_go_through_the_maps),
		cmocka_unit_test(an_egress_that_is_not_as_it_should_be_is_degraded),
		cmocka_unit_test(who_takes_nothing_storms_and_who_takes_little_is_slow),
		cmocka_unit_test(who_takes_packets_is_not_stuck_though_its_bytes_stand),
		cmocka_unit_test(frames_alone_bound_and_do_not_prove),
		cmocka_unit_test(what_cannot_be_known_is_said_to_be_unknown),
		cmocka_unit_test(only_the_switches_are_read),
		cmocka_unit_test(victims_are_told_from_senders),
		cmocka_unit_test(a_ring_that_never_lets_go_is_a_deadlock),
		cmocka_unit_test(a_ring_is_known_by_frames_that_never_cease_while_nothing_leaves),
		cmocka_unit_test(a_ring_with_an_exit_that_was_not_read_is_not_sure),
		cmocka_unit_test(a_ring_that_is_opened_while_locked_is_over),
		cmocka_unit_test(a_ring_that_is_idle_is_no_deadlock),
		cmocka_unit_test(a_ring_that_lets_go_or_waits_for_a_host_is_none),
		cmocka_unit_test(a_tree_of_switches_has_no_possible_ring_and_a_circle_has),
		cmocka_unit_test(the_overview_and_detail_show_the_tree_wide_and_narrow),
		cmocka_unit_test(the_command_names_the_slow_host_of_a_lab),
		cmocka_unit_test(nothing_paused_takes_no_room),
		cmocka_unit_test(a_cable_map_that_counters_contradict_is_found),
		cmocka_unit_test(what_was_not_read_since_is_not_said_to_have_received_nothing),
		cmocka_unit_test(counters_that_restart_or_are_read_apart_contradict_nothing),
		cmocka_unit_test(roots_and_victims_are_found_in_simulated_fabrics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
