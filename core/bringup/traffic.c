#include "core/bringup/traffic.h"

#include <stdio.h>
#include <string.h>

#include "core/application/application.h"

#define SOFT_ROUND_TRIPS 200
#define LATENCY_BYTES 8	/* as published marks have it */
#define SOFT_DEPTH 8	/* the 32 MiB that perftest has on the way by itself take a software device longer to send than the test lasts */

/* -- NICs -- */

bool bringup_tester_read(const struct model *m, const struct port *nic, struct bringup_tester *t, char why[BRINGUP_WORDS])
{
	uint64_t n, lanes;

	*t = (struct bringup_tester){ .host = nic->device->name, .rdma = port_text(nic, FIELD_RDMA) };
	if (!t->rdma || !*t->rdma) {
		snprintf(why, BRINGUP_WORDS, "its RDMA device is not known");
		return false;
	}
	if (port_number(m, nic, FIELD_RDMA_STATE, 0, &n) && n != RDMA_ACTIVE) {
		snprintf(why, BRINGUP_WORDS, "%s is not active", t->rdma);
		return false;
	}
	if (!port_number(m, nic, FIELD_GID_INDEX, 0, &n)) {
		snprintf(why, BRINGUP_WORDS, "no RoCE v2 GID with an address is known");
		return false;
	}
	t->gid_index = (unsigned)n;
	t->is_soft = port_number(m, nic, FIELD_RDMA_SOFT, 0, &n) && n;
	if (!t->is_soft && port_number(m, nic, FIELD_SPEED, 0, &n))
		t->line_bps = (double)n;
	if (port_number(m, nic, FIELD_RDMA_MTU, 0, &n))
		t->mtu = (unsigned long)n;
	if (port_number(m, port_source(nic, FIELD_TOS_CMA, 0), FIELD_TOS_CMA, 0, &n))
		t->cm_tos = (struct bringup_count){ true, n };
	if (!t->is_soft && port_number(m, nic, FIELD_PCIE_SPEED, 0, &n) && port_number(m, nic, FIELD_PCIE_WIDTH, 0, &lanes))
		t->pcie_bps = pcie_bps(n, lanes);
	return true;
}

/* -- the class -- */

bool bringup_wants(const struct policy *p, const struct inventory *inv, const char *host, const char *nic, enum field f, unsigned index,
		   uint64_t *n)
{
	const struct policy_target target = { .device = host, .port = nic, .is_switch = false, .host = inventory_find(inv, host) };
	struct value v;

	if (!policy_wants(p, &target, f, index, &v, NULL) || v.is != VALUE_KNOWN)
		return false;
	*n = v.n;
	return true;
}

/* The ToS that the policy names for RDMA leads; else the highest DSCP of a lossless priority: 26 rather than 24. */
bool bringup_class_read(const struct policy *p, const struct port *nic, const struct inventory *inv, struct bringup_class *c)
{
	const char *host = nic->device->name, *name = nic->name;
	uint64_t tos, priority, on;

	if (bringup_wants(p, inv, host, name, FIELD_TOS_CMA, 0, &tos) &&
	    bringup_wants(p, inv, host, name, FIELD_DSCP_PRIO, (unsigned)tos >> 2, &priority) &&
	    bringup_wants(p, inv, host, name, FIELD_PFC_ON, (unsigned)priority, &on) && on) {
		*c = (struct bringup_class){ .tos = (unsigned)tos, .priority = (unsigned)priority };
		return true;
	}
	for (unsigned dscp = 64; dscp-- > 0;) {
		if (!bringup_wants(p, inv, host, name, FIELD_DSCP_PRIO, dscp, &priority) ||
		    !bringup_wants(p, inv, host, name, FIELD_PFC_ON, (unsigned)priority, &on) || !on)
			continue;
		*c = (struct bringup_class){ .tos = dscp << 2 | 2, .priority = (unsigned)priority };	/* ECT(0) */
		return true;
	}
	return false;
}

unsigned long bringup_mtu_wanted(const struct policy *p, const struct inventory *inv, const char *host, const char *nic)
{
	uint64_t mtu;

	return bringup_wants(p, inv, host, nic, FIELD_MTU, 0, &mtu) ? (unsigned long)rdma_mtu_at(mtu) : 0;
}

double bringup_lesser(double a, double b)
{
	return a > 0 && (a < b || b <= 0) ? a : b;
}

/* -- commands -- */

static const struct {
	const char *name, *package;
	bool is_perftest, measures_rate;
	unsigned seconds;	/* where it does not run by time */
} tools[BRINGUP_TOOLS] = {
	[BRINGUP_WRITE_BW] = { "ib_write_bw", "perftest", true, true, 0 },
	[BRINGUP_READ_BW] = { "ib_read_bw", "perftest", true, true, 0 },
	[BRINGUP_WRITE_LAT] = { "ib_write_lat", "perftest", true, false, 1 },
	[BRINGUP_RPING] = { "rping", "rdmacm-utils", false, false, 1 },
	[BRINGUP_PINGPONG] = { "ibv_rc_pingpong", "ibverbs-utils", false, false, 1 },
	[BRINGUP_COUNTERS] = { "counters", NULL, false, false, 0 },
	[BRINGUP_STREAM] = { "iperf3", "iperf3", false, true, 0 },
};

const char *bringup_tool_name(enum bringup_tool tool)
{
	return tools[tool].name;
}

const char *bringup_tool_package(enum bringup_tool tool)
{
	return tools[tool].package;
}

bool bringup_tool_measures_rate(enum bringup_tool tool)
{
	return tools[tool].measures_rate;
}

unsigned bringup_tool_seconds(enum bringup_tool tool, const struct bringup_load *load)
{
	return tools[tool].measures_rate ? load->seconds : tools[tool].seconds;
}

struct bringup_load bringup_load_between(const struct bringup_load *load, const struct bringup_tester *a, const struct bringup_tester *b)
{
	struct bringup_load between = *load;

	if (a->is_soft || b->is_soft) {
		between.qps = 1;
		between.depth = SOFT_DEPTH;
		between.round_trips = SOFT_ROUND_TRIPS;
	}
	return between;
}

struct writing {
	struct bringup_command *out;
	size_t n, at;
};

static void add(struct writing *w, const char *word)
{
	w->out->words[w->n++] = word;
}

static void add_number(struct writing *w, const char *option, unsigned long n)
{
	char *text = w->out->text + w->at;

	if (*option)
		add(w, option);
	w->at += (size_t)snprintf(text, sizeof(w->out->text) - w->at, "%lu", n) + 1;
	add(w, text);
}

static void add_tos(struct writing *w, unsigned tos)
{
	char *text = w->out->text + w->at;

	w->at += (size_t)snprintf(text, sizeof(w->out->text) - w->at, "--tclass=%u", tos) + 1;
	add(w, text);
}

static void add_rping(struct writing *w, bool is_server)
{
	add(w, is_server ? "-s" : "-c");
	add_number(w, "-C", BRINGUP_PINGS);
	add(w, "-v");
}

static void add_device(struct writing *w, enum bringup_tool tool, const struct bringup_tester *t)
{
	add(w, "-d");
	add(w, t->rdma);
	add_number(w, "-i", 1);
	add_number(w, tools[tool].is_perftest ? "-x" : "-g", t->gid_index);
}

/* One client, and it ends. As much as it can, with the ToS byte 0; the sums alone, not each second of it. */
static void add_stream(struct writing *w, bool is_server, const struct bringup_load *load)
{
	if (is_server) {
		add(w, "-s");
		add(w, "-1");
		return;
	}
	add(w, "-u");
	add_number(w, "-b", 0);
	add_number(w, "-S", 0);
	add_number(w, "-i", 0);
	add(w, "-J");
	add_number(w, "-t", load->seconds);
}

static void add_load(struct writing *w, enum bringup_tool tool, const struct bringup_load *load)
{
	if (tool == BRINGUP_WRITE_LAT) {
		add_number(w, "-s", LATENCY_BYTES);
		if (load->round_trips)
			add_number(w, "-n", load->round_trips);
	}
	if (tools[tool].is_perftest && tools[tool].measures_rate) {
		add(w, "--report_gbits");
		add_number(w, "-q", load->qps);
		add_number(w, "-s", load->message);
		if (load->depth)
			add_number(w, "-t", load->depth);
		add_number(w, "-D", load->seconds);
	}
}

void bringup_command(enum bringup_tool tool, bool is_server, const struct bringup_tester *t, const struct bringup_class *c,
		     const struct bringup_load *load, struct bringup_command *out)
{
	struct writing w = { .out = out };

	add(&w, tools[tool].name);
	if (tool == BRINGUP_RPING)
		add_rping(&w, is_server);
	else if (tool == BRINGUP_STREAM)
		add_stream(&w, is_server, load);
	else
		add_device(&w, tool, t);
	if (tools[tool].is_perftest) {
		add(&w, "-F");
		add_tos(&w, c->tos);
	}
	add_load(&w, tool, load);
	out->words[w.n] = NULL;
}

/* -- counters -- */

static void count(const struct model *m, const struct port *p, enum field f, unsigned index, struct bringup_count *out)
{
	uint64_t n;

	if (!port_number(m, p, f, index, &n))
		return;
	out->is_known = true;
	out->n += n;
}

void bringup_seen_read(const struct model *m, const struct port *nic, unsigned priority, enum bringup_role role, struct bringup_seen *s)
{
	bool is_sender = role == BRINGUP_SENDER, is_shared = role == BRINGUP_SHARED_RECEIVER;

	*s = (struct bringup_seen){ .class_bytes = { false, 0 } };
	count(m, nic, is_sender ? FIELD_TX_BYTES : FIELD_RX_BYTES, priority, &s->class_bytes);
	for (unsigned i = 0; i < 8 && !is_shared; i++)
		count(m, nic, is_sender ? FIELD_TX_BYTES : FIELD_RX_BYTES, i, &s->all_bytes);
	count(m, nic, is_sender ? FIELD_TX_DROP : FIELD_RX_DROP, priority, &s->drops);
	if (!s->drops.is_known && !is_shared)
		count(m, nic, is_sender ? FIELD_TX_DISCARD : FIELD_RX_DISCARD, 0, &s->drops);
	if (!is_sender) {
		count(m, nic, FIELD_OOS, 0, &s->gaps);
		count(m, nic, FIELD_ECN_SEEN, 0, &s->marks);
	}
	count(m, nic, is_sender ? FIELD_CNP_HANDLED : FIELD_CNP_SENT, 0, &s->cnps);
	count(m, nic, FIELD_PHY_SYMBOL_ERR, 0, &s->wire);
	count(m, nic, FIELD_FEC_LOST, 0, &s->wire);
}

unsigned bringup_queue_of(const struct model *m, const struct port *p, unsigned priority)
{
	uint64_t class, queue;

	if (!port_number(m, p, FIELD_PRIO_TC, priority, &class) || class > 7)
		class = priority;
	return port_number(m, p, FIELD_TC_QUEUE, (unsigned)class, &queue) && queue < 8 ? (unsigned)queue : (unsigned)class;
}

static struct bringup_count grown(struct bringup_count before, struct bringup_count after)
{
	if (!before.is_known || !after.is_known || after.n < before.n)
		return (struct bringup_count){ false, 0 };
	return (struct bringup_count){ true, after.n - before.n };
}

struct bringup_seen bringup_seen_since(const struct bringup_seen *before, const struct bringup_seen *after)
{
	return (struct bringup_seen){
		.class_bytes = grown(before->class_bytes, after->class_bytes), .all_bytes = grown(before->all_bytes, after->all_bytes),
		.drops = grown(before->drops, after->drops), .gaps = grown(before->gaps, after->gaps), .wire = grown(before->wire, after->wire),
		.marks = grown(before->marks, after->marks), .cnps = grown(before->cnps, after->cnps),
	};
}
