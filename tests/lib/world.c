#include "tests/lib/world.h"

#include <stdio.h>
#include <stdlib.h>

static const char node_facts[] =
	"node1 platform = \"linux\"\n"
	"node1 hostname = \"node1\"\n"
	"node1 state = up\n"
	"node1 latency = 20000\n"
	"node1 tcp_ecn = 2\n"
	"node1 memlock = 18446744073709551615\n"
	"node1 modules = \"mlx5_core mlx5_ib ib_uverbs rdma_cm\"\n"
	"node1 driver.ready = yes\n"
	"node1 lldpad = no\n"
	"node1 persist.qos = yes\n"
	"node1 persist.where = \"/etc/systemd/system/roce-qos.service\"\n"
	"node1 app.procs = 8\n"
	"node1 app.net = ib\n"
	"node1 app.tc = 106\n"
	"node1 app.tc.set = yes\n"
	"node1 app.gid_index = 3\n"
	"node1 app.hca.set = no\n"
	"node1 app.gdr = yes\n"
	"node1 app.memlock = 18446744073709551615\n"
	"node1 app.bw = 97G\n"
	"node1 app.bw.link = 98G\n"
	"node1 kernel.lines = 0\n"
	"node2 memlock = 18446744073709551615\n"
	"node2 ib0 rdma.layer = infiniband\n";	/* a host to compare with, not on the fabric */

/* %s: the host's port; the other port's name and device for LLDP are added by world_init(). */
static const char host_port_facts[] =
	"up = yes\n" "speed = 100G\n" "speed.max = 100G\n" "mtu = 9000\n" "fec = \"RS\"\n" "cc.rpg_ai_rate = 5\n" "cc.rpg_hai_rate = 50\n"
	"cc.rpg_min_rate = 1\n" "driver = \"mlx5_core\"\n" "firmware = \"22.41.1000\"\n"
	"role = pf\n" "rdma.state = active\n" "rdma.mtu = 4096\n" "rdma.layer = ethernet\n"
	"rdma.soft = no\n" "gid.v2 = yes\n" "trust = dscp\n" "dcbx = os\n" "dcbx.willing = no\n" "pause.rx = no\n" "pause.tx = no\n"
	"ets.algo[0] = ets\n" "ets.algo[3] = ets\n" "ets.algo[4] = ets\n" "ets.algo[6] = ets\n"
	"ets.share[0] = 20\n" "ets.share[3] = 60\n" "ets.share[4] = 10\n" "ets.share[6] = 10\n"
	"prio.pg[0] = 0\n" "prio.pg[3] = 1\n" "prio.pg[6] = 0\n" "ecn.np[3] = yes\n" "ecn.rp[3] = yes\n"
	"gid.type[2] = v1\n" "gid.type[3] = v2\n" "gid.family[2] = ipv4\n" "gid.family[3] = ipv4\n" "vf = 0\n"
	"pcie.speed = 16G\n" "pcie.speed.max = 16G\n" "pcie.width = 16\n" "pcie.width.max = 16\n"
	"cnp.dscp = 48\n" "cnp.prio = 6\n" "tos.cma = 106\n"
	"pfc.rx[3] = 20\n" "pfc.tx[3] = 0\n" "pfc.rx_us[3] = 200\n" "pfc.tx_us[3] = 0\n"
	"pause.rx_frames = 20\n" "pause.tx_frames = 0\n" "storm.err = 0\n"
	"rx.packets[3] = 1000000\n" "tx.packets[3] = 1000000\n" "rx.drop[3] = 0\n" "rx.discard = 0\n"
	"ecn.seen = 3000\n" "cnp.sent = 2000\n" "cnp.handled = 2000\n" "cnp.ignored = 0\n" "oos = 0\n"
	"phy.err = 0\n" "fec.corr = 500\n" "fec.lost = 0\n" "icrc.err = 0\n" "link.downs = 0\n";

static const char switch_port_facts[] =
	"up = yes\n" "speed = 100G\n" "fec = \"rs\"\n" "mtu = 9216\n" "trust = dscp\n" "pause.rx = no\n" "pause.tx = no\n"
	"ets.algo[0] = ets\n" "ets.algo[3] = ets\n" "ets.algo[4] = ets\n" "ets.algo[6] = ets\n"
	"ets.share[0] = 20\n" "ets.share[3] = 60\n" "ets.share[4] = 10\n" "ets.share[6] = 10\n"
	"ecn.on[3] = yes\n" "ecn.kmin[3] = 150 KB\n" "ecn.kmax[3] = 1500 KB\n" "ecn.pmax[3] = 100\n"
	"pfc.rx[3] = 0\n" "pfc.tx[3] = 20\n" "tx.packets[3] = 1000000\n" "tx.drop[3] = 0\n" "phy.err = 0\n";

static const char sonic_port_facts[] =
	"tc.queue[3] = 3\n" "tc.queue[6] = 6\n" "prio.pg[0] = 0\n" "prio.pg[3] = 3\n" "pfc.queue[3] = 3\n"
	"pfc.watchdog = yes\n" "pfc.storm[3] = 0\n" "pg.drop[3] = 0\n" "cable = 5\n" "buffer.headroom[3] = 37888\n"
	"buffer.xoff[3] = 600 KB\n" "ecn.marked[3] = 3000\n";

struct world_fact *world_fact(struct world *w, const char *what)
{
	for (size_t i = 0; i < w->n_facts; i++)
		if (strcmp(w->facts[i].what, what) == 0)
			return &w->facts[i];
	return NULL;
}

static bool is_counter(const char *what)
{
	struct buf line = { 0 };
	struct fact_text t;
	struct err err;

	buf_printf(&line, "%s = 0", what);
	if (!fact_split(buf_span(&line), &t, &err))
		fail_msg("%s", err.text);
	buf_done(&line);
	return field_table[t.field].kind == KIND_COUNTER;
}

static bool is_fact(struct world *w, const char *device, const char *port, const char *field, const char *value)
{
	char what[96], wanted[96];
	const struct world_fact *f;

	snprintf(what, sizeof(what), "%.30s %.30s %s", device, port, field);
	snprintf(wanted, sizeof(wanted), "\"%s\"", value);
	f = world_fact(w, what);
	return f && !strcmp(f->value, wanted);
}

/* What one end sends the other receives. By what LLDP of one of them says. */
static void mirror(struct world *w, const struct world_fact *f)
{
	char device[64], port[64], far[64], far_port[64];
	unsigned prio;
	bool is_sent;

	is_sent = sscanf(f->what, "%63s %63s pfc.tx[%u]", device, port, &prio) == 3;
	if (!is_sent && sscanf(f->what, "%63s %63s pfc.rx[%u]", device, port, &prio) != 3)
		return;
	for (size_t i = 0; i < w->n_facts; i++) {
		struct world_fact *its = &w->facts[i];
		unsigned its_prio;

		if (sscanf(its->what, is_sent ? "%63s %63s pfc.rx[%u]" : "%63s %63s pfc.tx[%u]", far, far_port, &its_prio) != 3 ||
		    its_prio != prio || !its->is_counter)
			continue;
		if ((is_fact(w, far, far_port, "peer.name", device) && is_fact(w, far, far_port, "peer.port", port)) ||
		    (is_fact(w, device, port, "peer.name", far) && is_fact(w, device, port, "peer.port", far_port)))
			its->per_s = f->per_s;
	}
}

void world_set(struct world *w, const char *fact)
{
	const char *equals = strstr(fact, " = ");
	struct world_fact *f;
	char what[96];

	assert_non_null(equals);
	snprintf(what, sizeof(what), "%.*s", (int)(equals - fact), fact);
	f = world_fact(w, what);
	if (!f) {
		f = GROW(w->facts, w->n_facts, w->cap_facts);
		w->n_facts++;
		snprintf(f->what, sizeof(f->what), "%s", what);
	}
	f->is_counter = is_counter(what) && strncmp(equals + 3, "unknown", 7) != 0;
	f->is_gone = false;
	if (f->is_counter) {
		f->per_s = atof(equals + 3);
		mirror(w, f);
	} else {
		snprintf(f->value, sizeof(f->value), "%s", equals + 3);
	}
}

void world_drop(struct world *w, const char *what)
{
	struct world_fact *f = world_fact(w, what);

	if (!f)
		fail_msg("the world has no %s", what);
	f->is_gone = true;
}

static void set_all(struct world *w, const char *prefix, const char *facts)
{
	struct span rest = span_of(facts), line;
	char text[256];

	while (span_line(&rest, &line)) {
		snprintf(text, sizeof(text), "%s%.*s", prefix, (int)line.n, line.p);
		world_set(w, text);
	}
}

static void set_maps(struct world *w, const char *place)
{
	char text[160];

	for (unsigned i = 0; i < 8; i++) {
		snprintf(text, sizeof(text), "%s pfc.on[%u] = %s", place, i, i == 3 ? "yes" : "no");
		world_set(w, text);
	}
	for (unsigned i = 0; i < 64; i++) {
		snprintf(text, sizeof(text), "%s dscp.prio[%u] = %u", place, i, i / 8);
		world_set(w, text);
	}
}

static void set_link(struct world *w, const char *node, unsigned nic, const char *device, const char *port)
{
	unsigned number = (unsigned)atoi(node + strcspn(node, "0123456789")) - 1;
	char host[64], far[64], text[400];

	snprintf(host, sizeof(host), "%.40s eth%u ", node, nic);
	snprintf(far, sizeof(far), "%s %s ", device, port);
	set_all(w, host, host_port_facts);
	snprintf(text, sizeof(text), "rdma = \"mlx5_%u\"\nmac = \"00:00:00:00:%02x:0%u\"\npeer.name = \"%s\"\npeer.port = \"%s\"\n",
		 nic, number & 255, nic, device, port);
	set_all(w, host, text);
	for (unsigned i = 0; i < 8; i++) {
		snprintf(text, sizeof(text), "prio.tc[%u] = %u\n", i, i < 2 ? 1 - i : i);	/* mlx5 swaps 0 and 1 */
		set_all(w, host, text);
	}
	set_all(w, far, switch_port_facts);
	snprintf(text, sizeof(text), "peer.name = \"%s\"\npeer.mac = \"00:00:00:00:%02x:0%u\"\n", node, number & 255, nic);
	set_all(w, far, text);
	host[strlen(host) - 1] = far[strlen(far) - 1] = '\0';
	set_maps(w, host);
	set_maps(w, far);
}

static void set_switch(struct world *w, const char *device, const char *platform)
{
	char text[200];

	snprintf(text, sizeof(text), "%s platform = \"%s\"", device, platform);
	world_set(w, text);
	snprintf(text, sizeof(text), "%s state = up", device);
	world_set(w, text);
	snprintf(text, sizeof(text), "%s config.saved = yes", device);
	world_set(w, text);
}

void world_link(struct world *w, const char *host, unsigned nic, const char *leaf, const char *port)
{
	struct span facts = SPAN(node_facts), line;
	char what[160];
	bool is_new;

	snprintf(what, sizeof(what), "%s platform", leaf);
	if (!world_fact(w, what))
		set_switch(w, leaf, "os10");
	snprintf(what, sizeof(what), "%s platform", host);
	is_new = !world_fact(w, what);
	while (is_new && span_line(&facts, &line) && span_skip(&line, "node1 ")) {
		char text[160];

		snprintf(text, sizeof(text), "%s %.*s", host, (int)line.n, line.p);
		world_set(w, text);
	}
	snprintf(what, sizeof(what), "%s hostname = \"%s\"", host, host);
	world_set(w, what);
	set_link(w, host, nic, leaf, port);
}

void world_init(struct world *w)
{
	*w = (struct world){ .model = model_new(), .policy = policy_builtin("roce-lossless"), .findings = findings_new(),
			     .now_us = 1000 * SECOND };
	assert_non_null(w->policy);
	inventory_init(&w->inventory);
	set_all(w, "", node_facts);
	set_switch(w, "leaf1", "os10");
	set_switch(w, "leaf2", "sonic");
	set_link(w, "node1", 2, "leaf1", "ethernet1/1/1");
	set_link(w, "node1", 3, "leaf2", "Ethernet4");
	set_all(w, "leaf2 Ethernet4 ", sonic_port_facts);
}

void world_done(struct world *w)
{
	findings_free(w->findings);
	policy_free(w->policy);
	links_done(&w->links);
	inventory_done(&w->inventory);
	model_free(w->model);
	free(w->facts);
}

/* What one device says now. */
static void say(struct world *w, const char *device)
{
	struct buf text = { 0 };
	size_t n = strlen(device);

	for (size_t i = 0; i < w->n_facts; i++) {
		const struct world_fact *f = &w->facts[i];

		if (f->is_gone || strncmp(f->what, device, n) != 0 || f->what[n] != ' ')
			continue;
		if (f->is_counter)
			buf_printf(&text, "%s = %llu\n", f->what, (unsigned long long)f->count);
		else
			buf_printf(&text, "%s = %s\n", f->what, f->value);
	}
	if (text.n)
		model_say(w->model, text.text, w->now_us);
	buf_done(&text);
}

/* Every device in turn, in the order of their first facts. */
static void say_all(struct world *w)
{
	char said[64][64];
	size_t n = 0;

	for (size_t i = 0; i < w->n_facts; i++) {
		char device[64];
		size_t k = 0;

		snprintf(device, sizeof(device), "%.*s", (int)strcspn(w->facts[i].what, " "), w->facts[i].what);
		while (k < n && strcmp(said[k], device))
			k++;
		if (k < n)
			continue;
		assert_true(n < sizeof(said) / sizeof(*said));
		memcpy(said[n++], device, sizeof(device));
		say(w, device);
	}
}

void world_run(struct world *w, unsigned seconds)
{
	for (; seconds > 0; seconds--) {
		w->now_us += SECOND;
		for (size_t i = 0; i < w->n_facts; i++)
			w->facts[i].count += (uint64_t)w->facts[i].per_s;
		say_all(w);
		model_set_now(w->model, w->now_us);
	}
	links_update(&w->links, w->model, &w->inventory);
	findings_judge(w->findings, w->model, &w->links, w->policy, &w->inventory);
}

const struct finding *world_finding(const struct world *w, const char *check, const char *where)
{
	const struct finding *const *list;
	size_t n = findings_open(w->findings, &list);

	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i]->check->id, check) == 0 && strstr(list[i]->where, where))
			return list[i];
	return NULL;
}

void world_set_lines(struct world *w, const char *facts)
{
	struct span rest = span_of(facts), line;

	while (span_line(&rest, &line)) {
		bool is_drop = span_skip(&line, "- ");
		char *fact = xstrndup(line.p, line.n);

		(is_drop ? world_drop : world_set)(w, fact);
		free(fact);
	}
}

void world_fail(const struct world *w, const char *message)
{
	const struct finding *const *list;
	size_t n = findings_open(w->findings, &list);

	for (size_t i = 0; i < n; i++)
		print_message("%s %s %s: %s%s%s%s%s\n", verdict_name(list[i]->verdict), list[i]->check->id, list[i]->where,
			      list[i]->what, list[i]->missing[0] ? " lacks " : "", list[i]->missing,
			      list[i]->cause ? " because of " : "", list[i]->cause ? list[i]->cause->check->id : "");
	fail_msg("%s", message);
}
