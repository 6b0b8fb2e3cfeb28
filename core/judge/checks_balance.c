/* What moves, weighed against what else moves: classes at two places, pause and marks, uplinks, bits and their errors. */
#include "core/judge/checks.h"
#include "core/judge/fec.h"

#include <math.h>
#include <stdio.h>

#define LASTING		3	/* samples */
#define ONE_ROUND_US	(SECOND / 4)	/* hosts tell RDMA's counters some ms before those of ethtool -S */
#define SLIGHT		0.01	/* of the line: less tells nothing of where it goes */

/* The least of the last samples: what has gone on for so long. */
static bool lasting_rate(struct case_of *c, const struct port *p, enum field f, unsigned index, double *least)
{
	int64_t at_us[HISTORY_LEN];
	float value[HISTORY_LEN];
	const struct series *s;
	size_t n;

	if (!ask_rate(c, p, f, index, least))
		return false;
	s = port_series(port_source(p, f, index), f, index);
	n = s && s->history ? series_history(s, at_us, value) : 0;
	if (n < LASTING) {
		c->is_early = true;
		*least = 0;
	}
	for (size_t i = n < LASTING ? n : n - LASTING; i < n; i++)
		if (value[i] < *least)
			*least = value[i];
	return true;
}

/* Bytes per second of the priorities (switch: queues) of a set; what is not said is none. *most: which has most of it. */
static bool bytes_of(struct case_of *c, const struct port *p, enum field f, unsigned set, double *sum, unsigned *most)
{
	double per_s, highest = -1;
	bool any = false;

	*sum = 0;
	for (unsigned i = 0; i < 8; i++) {
		if (!(set >> i & 1) || !ask_said(p, f, i))
			continue;
		if (!ask_rate(c, p, f, i, &per_s))
			return false;
		any = true;
		*sum += per_s;
		if (per_s > highest) {
			highest = per_s;
			*most = i;
		}
	}
	return any;
}

/* Whether each of them is counted: else what is missing elsewhere may be in one that is not. */
static bool says_all(const struct port *p, enum field f)
{
	unsigned n = 0;

	for (unsigned i = 0; i < field_table[f].width; i++)
		n += ask_said(p, f, i);
	return n == field_table[f].width;
}

/* False: too little to tell anything by; or the line's speed lacks, and with it the answer. */
static bool is_much(struct case_of *c, const struct port *p, double bytes_per_s)
{
	uint64_t speed_bps;

	return bytes_per_s > 0 && ask_port(c, p, FIELD_SPEED, 0, &speed_bps) && bytes_per_s * 8 >= SLIGHT * (double)speed_bps;
}

static int64_t said_us(const struct port *p, enum field f, unsigned index)
{
	return port_cell(port_source(p, f, index), f, index)->reply->at_us;
}

static double gbps(double bytes_per_s)
{
	return bytes_per_s * 8 / 1e9;
}

/* Over all that the counter of RDMA is of: the port, or each member of its bond. */
static bool bytes_of_all(struct case_of *c, unsigned set, double *sum, unsigned *most, bool *is_all)
{
	const struct port *bond = port_source(c->port, FIELD_RDMA_TX, 0);
	double of_one, highest = -1;
	unsigned its_most = 0;

	*sum = 0;
	*is_all = true;
	for (size_t i = 0; i < c->port->device->n_ports; i++) {
		const struct port *p = c->port->device->ports[i];

		if (p != c->port && (p == bond || bond == c->port || port_source(p, FIELD_RDMA_TX, 0) != bond))
			continue;
		*is_all &= says_all(p, FIELD_TX_BYTES);
		if (!bytes_of(c, p, FIELD_TX_BYTES, set, &of_one, &its_most))
			return false;
		*sum += of_one;
		if (of_one > highest) {
			highest = of_one;
			*most = its_most;
		}
	}
	return true;
}

/*
 * RDMA's own count against that of the lossless priorities. It is judged while the first is of the same round as the second,
 * or newer; else a flow that ends would be missing from the one and not yet from the other.
 */
void ask_roce_in_class(struct case_of *c)
{
	unsigned lossless = ask_lossless(c, c->port), most = 0, first = lossless ? (unsigned)__builtin_ctz(lossless) : 0;
	double rdma, in, out;
	bool is_all;

	if (ask_is_counted(c->port, FIELD_RDMA_TX))
		return ask_na(c, ask_counted_there);
	if (!ask_said(c->port, FIELD_RDMA_TX, 0) || !ask_said(c->port, FIELD_TX_BYTES, first))
		return ask_lost(c, "bytes of RDMA or of priorities are not counted here");
	if (!lasting_rate(c, c->port, FIELD_RDMA_TX, 0, &rdma) ||
	    !bytes_of_all(c, lossless, &in, &most, &is_all))
		return;
	if (in >= rdma * policy_limit(c->policy, LIMIT_CLASS_BYTES) || !is_much(c, c->port, rdma))
		return ask_ok_unless_lacking(c);
	if (said_us(c->port, FIELD_RDMA_TX, 0) + ONE_ROUND_US < said_us(c->port, FIELD_TX_BYTES, first))
		return ask_lost(c, "a newer sample of RDMA's bytes");
	bytes_of_all(c, ~lossless & 255, &out, &most, &is_all);
	if (ask_lacks(c))
		return;
	if (out < rdma * (1 - policy_limit(c->policy, LIMIT_CLASS_BYTES)) && !is_all)
		return ask_lost(c, "bytes of some priorities are not counted here");
	if (out < rdma * (1 - policy_limit(c->policy, LIMIT_CLASS_BYTES)))
		return ask_ok(c);
	ask_no(c, "of %.2f Gb/s of RDMA traffic%s only %.2f leave in a lossless priority; most of the rest is in priority %u", gbps(rdma),
	       port_source(c->port, FIELD_RDMA_TX, 0) == c->port ? "" : " of its bond", gbps(in), most);
}

/* What the switch sends by the lossless queue must arrive in the lossless priority: else it changes class on this hop. */
void ask_class_kept(struct case_of *c)
{
	const struct port *host = c->link->a, *far;
	double sent, sent_beside = 0, came, came_beside = 0, moved;
	uint64_t queue;
	unsigned most = 0;

	if (ask_is_switch(c, host))
		return ask_na(c, "no host is connected to this link");
	if (!(far = c->link->b) || !map_queue(c, far, c->index, &queue) || queue > 7 ||
	    !ask_said(far, FIELD_TX_BYTES, (unsigned)queue) || !ask_said(host, FIELD_RX_BYTES, c->index))
		return ask_lost(c, "bytes of the class are not counted at both ends");
	if (!ask_rate(c, far, FIELD_TX_BYTES, (unsigned)queue, &sent) || !ask_rate(c, host, FIELD_RX_BYTES, c->index, &came))
		return;
	moved = sent * (1 - policy_limit(c->policy, LIMIT_CLASS_BYTES));
	if (came >= sent - moved || !is_much(c, far, sent))
		return ask_ok_unless_lacking(c);
	bytes_of(c, far, FIELD_TX_BYTES, ~(1u << queue) & 255, &sent_beside, &most);
	bytes_of(c, host, FIELD_RX_BYTES, ~(1u << c->index) & 255, &came_beside, &most);
	if (ask_lacks(c))
		return;
	if (came_beside < sent_beside + moved && !says_all(host, FIELD_RX_BYTES))
		return ask_lost(c, "bytes of some priorities are not counted here");
	if (came_beside < sent_beside + moved)
		return ask_ok(c);
	ask_no(c, "%.40s sends %.2f Gb/s from queue %u, but %.40s counts %.2f in priority %u: most arrive in priority %u", far->device->name,
	       gbps(sent), (unsigned)queue, host->device->name, gbps(came), c->index, most);
}

/* -- marks against pause -- */

#define BALANCE_US	(60 * SECOND)
#define BALANCE_SAMPLES	10

/*
 * Part of the last minute's samples in which a counter moved (is_share: the mean of its µs, as a share). They begin when it
 * first moved: *since_us.
 */
static double part_of_minute(const struct case_of *c, enum field f, unsigned index, bool is_share, size_t *used, int64_t *since_us)
{
	const struct series *s = port_series(port_source(c->port, f, index), f, index);
	int64_t at_us[HISTORY_LEN];
	float value[HISTORY_LEN];
	size_t n = s && s->history ? series_history(s, at_us, value) : 0;
	double sum = 0;

	*used = 0;
	*since_us = model_now(c->model);
	for (size_t i = n; i > 0 && model_now(c->model) - at_us[i - 1] <= BALANCE_US; i--) {
		*since_us = at_us[i - 1];
		if (!(value[i - 1] >= 0))
			continue;
		sum += is_share ? (value[i - 1] > SECOND ? 1 : value[i - 1] / SECOND) : value[i - 1] > 0;
		++*used;
	}
	return *used ? sum / (double)*used : 0;
}

/*
 * How much of the congestion ECN carries: 1 - paused / (paused + time with marks). A sender knows of marks on its packets
 * by the CNPs that it handles.
 */
void ask_ecn_balance(struct case_of *c)
{
	double paused, marked, rate, now;
	int64_t since_us, unused;
	size_t n, n_marked;

	if (!ask_said(c->port, FIELD_PFC_RX_US, c->index))
		return ask_lost(c, "the paused time is not counted here");
	if (!ask_rate(c, c->port, FIELD_PFC_RX_US, c->index, &now))
		return;
	paused = part_of_minute(c, FIELD_PFC_RX_US, c->index, true, &n, &since_us);
	if (now / SECOND < policy_limit(c->policy, LIMIT_PAUSE_LOOK) || paused < policy_limit(c->policy, LIMIT_PAUSE_LOOK))
		return ask_ok(c);
	if (!ask_rate(c, c->port, FIELD_CNP_HANDLED, 0, &rate))
		return;
	marked = part_of_minute(c, FIELD_CNP_HANDLED, 0, false, &n_marked, &unused);
	if (marked / (paused + marked) >= policy_limit(c->policy, LIMIT_ECN_BALANCE))
		return ask_ok(c);
	if (n < BALANCE_SAMPLES)
		return ask_unknown(c, LACK_SAMPLE, NULL, "more samples");
	ask_no(c, "in the last %.0f s ECN carried %.0f %% of the congestion: paused %.1f %% of the time, CNPs in %.0f %%",
	       (double)(model_now(c->model) - since_us) / SECOND, 100 * marked / (paused + marked), 100 * paused, 100 * marked);
}

/* -- uplinks -- */

/* A leaf's ports to switches; false for other ports, and where no host is connected: a spine's load is its leaves'. */
static bool is_uplink(const struct case_of *c, const struct port *p)
{
	const struct link *link = links_of_port(c->links, p);
	const struct port *far = link ? link_far(link, p) : NULL;
	uint64_t up;

	return far && ask_is_switch(c, far) && (!port_number(c->model, p, FIELD_UP, 0, &up) || up);
}

static bool is_leaf(const struct case_of *c)
{
	for (size_t i = 0; i < c->device->n_ports; i++) {
		const struct link *link = links_of_port(c->links, c->device->ports[i]);

		if (link && link->is_fabric && !ask_is_switch(c, link->a))
			return true;
	}
	return false;
}

struct uplinks {
	const struct port *fullest, *idlest;
	double most, least;		/* parts of their lines */
	unsigned n;
};

static void weigh_uplink(struct case_of *c, const struct port *p, struct uplinks *u)
{
	uint64_t speed_bps;
	double per_s, part;

	if (!ask_port(c, p, FIELD_SPEED, 0, &speed_bps) || speed_bps == 0 || !ask_mean(c, p, FIELD_TX_TOTAL, 0, &per_s))
		return;
	part = per_s * 8 / (double)speed_bps;
	if (u->n == 0 || part > u->most) {
		u->most = part;
		u->fullest = p;
	}
	if (u->n == 0 || part < u->least) {
		u->least = part;
		u->idlest = p;
	}
	u->n++;
}

void ask_uplinks(struct case_of *c)
{
	struct uplinks u = { 0 };

	if (!is_leaf(c))
		return ask_na(c, "no host is connected here");
	for (size_t i = 0; i < c->device->n_ports; i++)
		if (is_uplink(c, c->device->ports[i]) && ask_said(c->device->ports[i], FIELD_TX_TOTAL, 0))
			weigh_uplink(c, c->device->ports[i], &u);
	if (u.n < 2) {
		if (!ask_lacks(c))
			ask_lost(c, "fewer than two uplinks are counted here");
		return;
	}
	if (u.most < policy_limit(c->policy, LIMIT_UPLINK_FULL) || u.least > u.most * policy_limit(c->policy, LIMIT_UPLINK_IDLE))
		return ask_ok_unless_lacking(c);
	ask_no(c, "uplink %.40s is %.0f %% full, %.40s %.0f %%", u.fullest->name, u.most * 100, u.idlest->name, u.least * 100);
}

/* -- the wire and the host -- */

/*
 * How much of the policy's limit a code bears, and where it ends. The limit is that of RS(528,514). BASE-R mends one burst of
 * 11 bits in 2112: two bits apart are lost, which at 1e-8 is seldom and at 1e-6 is many times a second.
 */
static const struct {
	double part;
	const char *ends;
} codes[] = {
	[FEC_OTHER] = { 1, "the FEC code, and so its limit, is not reported" },
	[FEC_FIRE] = { 1e-3, "BASE-R corrects one burst per block, and fails far before RS" },
	[FEC_RS] = { 1, "RS(528,514) fails at about 2e-5" },
};

#define PAM4_BPS	UINT64_C(200000000000)	/* from here on lines have lanes of 50 Gb/s and more, and RS(544,514) */

#define LANE_TIMES	10	/* our choice: lanes of one link differ by less in a healthy one */

/*
 * Which lane the errors are on, where one has many times those of any other, or "". A lane that never had one may be none: NICs print
 * four of whatever line.
 */
static void name_weak_lane(struct case_of *c, char out[64])
{
	double worst = 0, next = 0, all = 0;
	unsigned lane = 0, n = 0;
	struct mean mean;
	uint64_t ever;

	out[0] = '\0';
	for (unsigned i = 0; i < field_table[FIELD_LANE_ERR].width; i++) {
		if (!port_number(c->model, c->port, FIELD_LANE_ERR, i, &ever) || !ever)
			continue;
		if (!port_mean(c->model, c->port, FIELD_LANE_ERR, i, MEAN_US, &mean))
			return;
		n++;
		all += mean.per_s;
		next = mean.per_s > worst ? worst : mean.per_s > next ? mean.per_s : next;
		if (mean.per_s > worst)
			lane = i;
		worst = mean.per_s > worst ? mean.per_s : worst;
	}
	if (n < 2 || worst <= 0 || worst < LANE_TIMES * next)
		return;
	ask_cite(c, c->port, FIELD_LANE_ERR, lane);
	snprintf(out, 64, ", %.0f %% of the raw errors on lane %u", floor(100 * worst / all), lane);
}

/* A line carries its speed in bits whether it is idle or not, and FEC corrects them all. */
void ask_ber(struct case_of *c)
{
	const struct cell *cell = port_cell(c->port, FIELD_FEC, 0);
	enum fec fec = fec_of(cell);
	bool is_known = cell && cell->value.is == VALUE_KNOWN;
	uint64_t speed_bps;
	double per_s, ber, part;
	char lane[64];

	if (!ask_said(c->port, FIELD_FEC_CORR, 0))
		return ask_lost(c, "corrected bits are not counted here");
	if (fec == FEC_OFF)
		return ask_lost(c, "FEC is off: nothing corrects");
	if (!ask_mean(c, c->port, FIELD_FEC_CORR, 0, &per_s) || !ask_port(c, c->port, FIELD_SPEED, 0, &speed_bps))
		return;
	if (fec != FEC_OTHER)
		ask_cite(c, c->port, FIELD_FEC, 0);
	ber = speed_bps ? per_s / (double)speed_bps : 0;
	part = ber / policy_limit(c->policy, LIMIT_BER);
	if (part < (is_known ? codes[fec].part : codes[FEC_FIRE].part))
		return ask_ok(c);
	if (!is_known && (cell || part < codes[FEC_RS].part))
		return ask_unknown(c, LACK_REASON, c->port->device, "which FEC corrects %.2g of all bits", ber);
	name_weak_lane(c, lane);
	ask_no(c, "FEC corrects %.2g of all bits%s: %s", ber, lane,
	       fec == FEC_RS && speed_bps >= PAM4_BPS ? "RS(544,514) fails at about 2e-4" : codes[fec].ends);
}

void ask_memory(struct case_of *c)
{
	uint64_t stalled_pct;

	if (!ask_said(c->port, FIELD_PCI_STALL, 0))
		return ask_lost(c, "stalls of PCIe are not counted here");
	if (!ask_port(c, c->port, FIELD_PCI_STALL, 0, &stalled_pct))
		return;
	if ((double)stalled_pct / 100 < policy_limit(c->policy, LIMIT_PCI_STALL))
		return ask_ok(c);
	ask_no(c, "writes to memory stalled %llu %% of the last second", (unsigned long long)stalled_pct);
}

void ask_acks(struct case_of *c)
{
	char rate[RATE_TEXT];
	double per_s;

	if (!ask_said(c->port, FIELD_ACK_TIMEOUT, 0))
		return ask_lost(c, "not counted here");
	if (ask_is_counted(c->port, FIELD_ACK_TIMEOUT))
		return ask_na(c, ask_counted_there);
	if (!ask_mean(c, c->port, FIELD_ACK_TIMEOUT, 0, &per_s))
		return;
	if (per_s == 0)
		return ask_ok(c);
	ask_no(c, "%s ACK timeouts/s", rate_text(rate, per_s));
	ask_tell_window(c, c->mean_us);
}
