/* From each held port along the packets that wait, to the root that pauses first. */
#include "core/pause/internal.h"

#include <math.h>
#include <stdio.h>

#define FULL		0.9	/* of its line: an egress that brings all it can */
#define HALF		0.5
#define NEARLY		0.9	/* all of the bytes */
#define STANDING	0.5	/* of the longest queue that packets may wait in: others that stand beside it */
#define DAMAGE		1e-6	/* of the frames: a wire that makes its sender repeat itself; house default */
#define FRAME_BYTES	1000	/* where frames are not counted */

/* -- where packets may go -- */

static bool is_switch(const struct making *m, const struct port *p)
{
	return m->tier[p->device->id] > 0;
}

/* Of a link whose far end is not read: the device that stands there by name, if it is known what it is. */
static const struct device *named_peer(const struct making *m, const struct link *link)
{
	struct span rest = span_of(link->seen_peer ? link->seen_peer : link->planned_peer), name;
	const struct device *d;
	const struct host *host;
	char text[64];

	if (link->b || !span_word(&rest, &name) || name.n >= sizeof(text))
		return NULL;
	snprintf(text, sizeof(text), "%.*s", (int)name.n, name.p);
	d = model_find_device(m->of->model, text);
	host = inventory_find(m->of->inventory, text);
	return d && (device_text(d, FIELD_PLATFORM) || (host && (host->kind || host->platform))) ? d : NULL;
}

static unsigned tier_of_far(const struct making *m, const struct link *link, const struct port *p)
{
	const struct port *far = link ? link_far(link, p) : NULL;
	const struct device *d = far ? far->device : link ? named_peer(m, link) : NULL;

	return d ? m->tier[d->id] : TIER_UNKNOWN;
}

/* One link further from a host than what it is joined to; true when that is news. */
static bool step(struct making *m, const struct port *from, const struct port *to, const struct device *far)
{
	unsigned *tier = &m->tier[from->device->id], next;

	if (to)
		far = to->device;
	next = far ? m->tier[far->id] : TIER_UNKNOWN;
	if (next == TIER_UNKNOWN || next + 1 >= *tier)
		return false;
	*tier = next + 1;
	return true;
}

void pause_tiers(struct making *m)
{
	const struct links *links = m->of->links;
	bool is_news = true;

	for (size_t i = 0; i < model_devices(m->of->model); i++)
		m->tier[i] = device_is_switch(model_device(m->of->model, i), m->of->inventory) ? TIER_UNKNOWN : 0;
	while (is_news) {
		is_news = false;
		for (size_t i = 0; i < links->n; i++) {
			const struct link *link = &links->list[i];

			is_news |= step(m, link->a, link->b, link->b ? NULL : named_peer(m, link));
			is_news |= link->b && step(m, link->b, link->a, NULL);
		}
	}
}

bool pause_may_leave(const struct making *m, const struct port *in, const struct port *out)
{
	const struct port *back = pause_far(m, in), *next = pause_far(m, out);
	unsigned here = m->tier[in->device->id];
	unsigned from = tier_of_far(m, links_of_port(m->of->links, in), in), to = tier_of_far(m, links_of_port(m->of->links, out), out);

	if (in == out || (back && next && back->device == next->device && m->tier[next->device->id]))
		return false;
	return from == TIER_UNKNOWN || to == TIER_UNKNOWN || from <= here || to < here;
}

/* -- roots -- */

static void pause_cite(struct pause_root *r, const struct port *p, enum field f, unsigned index, const char *note)
{
	struct evidence *e;

	if (!p || r->n_evidence == EVIDENCE_MAX || !port_cell(p, f, index))
		return;
	for (size_t i = 0; i < r->n_evidence; i++)
		if (r->evidence[i].port == p && r->evidence[i].field == f && r->evidence[i].index == index)
			return;
	e = &r->evidence[r->n_evidence++];
	*e = (struct evidence){ .device = p->device, .port = p, .field = f, .index = index };
	snprintf(e->note, sizeof(e->note), "%s", note);
}

void pause_cite_hold(struct pause_root *r, const struct hold *h)
{
	pause_cite(r, h->held, FIELD_PFC_RX_US, h->prio, "time it is paused (PFC RX)");
	pause_cite(r, h->holder, FIELD_PFC_TX_US, h->prio, "time it pauses its peer (PFC TX)");
	pause_cite(r, h->held, FIELD_PFC_RX, h->prio, "pause frames that it receives");
	pause_cite(r, h->holder, FIELD_PFC_TX, h->prio, "pause frames that it sends");
}

size_t pause_need_root(struct making *m, enum root_is is, const struct port *at, unsigned prio)
{
	struct pauses *g = m->g;
	struct pause_root *r;

	for (size_t i = 0; i < g->n_roots; i++)
		if (g->roots[i].is == is && g->roots[i].at == at && g->roots[i].prio == prio)
			return i;
	r = GROW(g->roots, g->n_roots, g->cap_roots);
	*r = (struct pause_root){ .is = is, .at = at, .prio = prio, .is_sure = true, .load = NAN };
	return g->n_roots++;
}

static struct pause_root *add_cause(struct making *m, struct hold *h, enum root_is is, const struct port *at)
{
	size_t root = pause_need_root(m, is, at, h->prio);

	if (!h->n_causes)	/* of a ring it is found after those of all others */
		h->first_cause = m->g->n_causes;
	*GROW(m->g->causes, m->g->n_causes, m->g->cap_causes) = root;
	m->g->n_causes++;
	h->n_causes++;
	return &m->g->roots[root];
}

/* -- a congested egress -- */

static bool is_damaged(const struct making *m, const struct port *egress, const struct port **at, enum field *counter)
{
	static const enum field damage[] = { FIELD_PHY_ERR, FIELD_FEC_LOST };
	const struct port *ends[] = { pause_far(m, egress), egress };
	double bytes_per_s, per_s;

	if (!pause_mean(m, egress, FIELD_TX_TOTAL, 0, &bytes_per_s))
		bytes_per_s = 0;
	for (size_t i = 0; i < 4; i++) {
		*at = ends[i / 2];
		*counter = damage[i % 2];
		if (pause_mean(m, *at, *counter, 0, &per_s) && per_s > 0 && per_s >= DAMAGE * bytes_per_s / FRAME_BYTES)
			return true;
	}
	return false;
}

/* Most ports of the switch that face the same way are faster. */
static bool is_slow(const struct making *m, const struct port *egress)
{
	unsigned faces = tier_of_far(m, links_of_port(m->of->links, egress), egress), faster = 0, alike = 0;
	uint64_t mine, its;

	if (!port_number(m->of->model, egress, FIELD_SPEED, 0, &mine) || !mine)
		return false;
	for (size_t i = 0; i < egress->device->n_ports; i++) {
		const struct port *other = egress->device->ports[i];
		const struct link *link = links_of_port(m->of->links, other);

		if (other == egress || !link || tier_of_far(m, link, other) != faces ||
		    !port_number(m->of->model, other, FIELD_SPEED, 0, &its) || !its)
			continue;
		faster += its > mine;
		alike += its <= mine;
	}
	return faster > alike;
}

static bool queue_of(const struct making *m, const struct port *out, unsigned prio, double *bytes)
{
	return pause_mean(m, out, FIELD_QUEUE_BYTES, pause_queue(m, out, prio), bytes);
}

/* Packets wait for it, and yet it does not fill its line: if nobody stops it, something else holds its rate. */
static bool is_limited(const struct making *m, const struct port *egress)
{
	double load;

	return pause_load(m, egress, &load) && load < HALF;
}

static bool is_stop_known(const struct making *m, const struct port *egress, unsigned prio)
{
	struct stopped stopped;

	return stopped_of(m->of->model, egress, pause_far(m, egress), prio, &stopped);
}

static void degraded_words(const struct making *m, struct pause_root *r)
{
	const struct port *at;
	enum field counter;
	double load = 0;

	if (is_damaged(m, r->at, &at, &counter)) {
		pause_cite(r, at, counter, 0, "errors on its link");
		snprintf(r->what, sizeof(r->what), "traffic queues behind %.40s:%.40s, whose link has errors", r->at->device->name, r->at->name);
	} else if (is_slow(m, r->at)) {
		pause_cite(r, r->at, FIELD_SPEED, 0, "slower than its peers");
		snprintf(r->what, sizeof(r->what), "traffic queues behind %.40s:%.40s, which is slower than most of its peers", r->at->device->name,
			 r->at->name);
	} else {
		pause_load(m, r->at, &load);
		snprintf(r->what, sizeof(r->what), "packets wait for %.40s:%.40s, which runs at %.0f %% of its line rate and is not paused",
			 r->at->device->name, r->at->name, load * 100);
	}
}

static void congestion_words(const struct making *m, struct pause_root *r)
{
	const struct port *far = pause_far(m, r->at);
	double load;
	char used[24] = "";

	if (pause_load(m, r->at, &load))
		snprintf(used, sizeof(used), " (%.0f %% used)", load * 100 > 100 ? 100 : load * 100);
	snprintf(r->what, sizeof(r->what), "%s%.40s: the load offered to %.40s:%.40s exceeds its line rate%.20s",
		 far && !is_switch(m, far) ? "incast into " : "towards ", far ? far->device->name : "a peer that is not read",
		 r->at->device->name, r->at->name, used);
}

void pause_not_known(struct making *m, struct hold *h)
{
	const struct port *at = h->holder ? h->holder : h->held;
	struct pause_root *r = add_cause(m, h, ROOT_UNKNOWN, at);

	r->is_sure = false;
	if (h->n_waits) {
		snprintf(r->what, sizeof(r->what), "%.40s:%.40s is in a PFC deadlock: ports wait for each other in a loop", at->device->name, at->name);
		snprintf(r->missing, sizeof(r->missing), "whether one of them resumes now and then");
	} else if (h->holder) {
		snprintf(r->what, sizeof(r->what), "%.40s:%.40s sends pause for an unknown reason", at->device->name, at->name);
		snprintf(r->missing, sizeof(r->missing), "the egress of %.40s that its packets wait for", at->device->name);
	} else {
		snprintf(r->what, sizeof(r->what), "%.40s:%.40s is paused by a peer that is not read", at->device->name, at->name);
		snprintf(r->missing, sizeof(r->missing), "the peer of %.40s:%.30s", at->device->name, at->name);
	}
}

static void congested(struct making *m, struct hold *h, const struct port *egress, bool is_sure)
{
	const struct port *at;
	enum field counter;
	bool is_worn = is_damaged(m, egress, &at, &counter) || is_slow(m, egress), is_limit = !is_worn && is_limited(m, egress);
	struct pause_root *r;

	if (is_limit && !is_stop_known(m, egress, h->prio))
		return pause_not_known(m, h);
	r = add_cause(m, h, is_worn || is_limit ? ROOT_DEGRADED : ROOT_CONGESTION, egress);
	r->is_sure &= is_sure;
	if (r->what[0])
		return;
	r->queue = pause_queue(m, egress, h->prio);
	pause_load(m, egress, &r->load);
	pause_cite(r, egress, FIELD_QUEUE_BYTES, pause_queue(m, egress, h->prio), "its queue length");
	pause_cite(r, egress, FIELD_TX_TOTAL, 0, "its send rate");
	pause_cite(r, egress, FIELD_ECN_MARKED, pause_queue(m, egress, h->prio), "its queue is long enough to be marked");
	if (is_worn || is_limit)
		degraded_words(m, r);
	else
		congestion_words(m, r);
}

/* -- other roots -- */

static bool takes_nothing(const struct making *m, const struct hold *h)
{
	if (h->holder && (port_cell(h->holder, FIELD_RX_PACKETS, h->prio) || port_cell(h->holder, FIELD_RX_BYTES, h->prio)))
		return pause_none_pass(m, h->holder, FIELD_RX_PACKETS, FIELD_RX_BYTES, h->prio);
	return h->is_still;
}

static bool saw_storm(const struct making *m, const struct port *p, unsigned queue)
{
	uint64_t now;

	return pause_moves(m, p, FIELD_PFC_STORM, queue) || (port_number(m->of->model, p, FIELD_PFC_STORMED, queue, &now) && now);
}

/*
 * The watchdog of the switch's port has seen a storm, at the queue that the pause stops or at that of the packets; or stall
 * prevention of the host's port has.
 */
static bool is_called_storm(const struct making *m, const struct hold *h)
{
	return pause_moves(m, h->holder, FIELD_STORM_ERR, 0) ||
	       (h->held && (saw_storm(m, h->held, pause_stops(m, h->held, h->prio)) || saw_storm(m, h->held, pause_queue(m, h->held, h->prio))));
}

/* A host that lets its switch wait: storm, or slow. Frames alone do not tell how long: then only what takes nothing is stuck. */
static void host_holds(struct making *m, struct hold *h, const char *host)
{
	bool by_time = h->basis == PAUSE_BY_TIME, takes_none = takes_nothing(m, h);
	bool endless = h->share >= pause_limit(m, LIMIT_PAUSE_STORM);
	bool is_endless = (by_time && endless) || (h->share >= HALF && takes_none), storm = is_endless || is_called_storm(m, h);
	struct pause_root *r = add_cause(m, h, storm ? ROOT_STORM : ROOT_SLOW_RECEIVER, h->holder ? h->holder : h->held);
	char share[STOPPED_TEXT];

	r->is_sure &= by_time && h->holder;
	snprintf(r->what, sizeof(r->what), is_endless ? "%.60s pauses continuously: PFC storm (%s%s)" :
		 storm ? "%.60s pauses long enough to trigger a watchdog or its own stall prevention (%s%s)" :
		 "%.60s receives less than its line rate (it pauses it %s%s)", host, by_time ? "" : "at most ",
		 stopped_text(share, h->share, h->window_us));
	pause_cite_hold(r, h);
	if (storm && h->held)
		pause_cite(r, h->held, FIELD_PFC_STORMED, pause_stops(m, h->held, h->prio), "its watchdog's state");
	if (storm)
		pause_cite(r, h->holder, FIELD_STORM_ERR, 0, "stall prevention ended its pause");
	pause_cite(r, h->holder, FIELD_RX_PACKETS, h->prio, "its receive rate");
	pause_cite(r, h->holder, FIELD_PCI_STALL, 0, "writes to its memory stall");
}

/* -- from a hold to what it waits for -- */

/* The hold that stops the queue which packets of h leave an egress by; a still one waits for still ones. */
static size_t hold_at(const struct making *m, const struct hold *h, const struct port *out, bool still)
{
	for (unsigned prio = 0; prio < 8; prio++) {
		size_t at = m->hold_of[out->id * 8 + prio];

		if (at != NO_HOLD && (!still || m->g->holds[at].is_still) &&
		    pause_stops(m, out, prio) == pause_queue(m, out, h->prio))
			return at;
	}
	return NO_HOLD;
}

static bool is_exit(const struct making *m, const struct hold *h, const struct port *out, bool is_routed)
{
	return out != h->holder && (!is_routed || pause_may_leave(m, h->holder, out));
}

static void wait_for(struct making *m, struct hold *h, size_t hold)
{
	*GROW(m->g->waits, m->g->n_waits, m->g->cap_waits) = hold;
	m->g->n_waits++;
	h->n_waits++;
}

/* Those that may not send. */
static void wait_for_held(struct making *m, struct hold *h, bool is_routed, bool still)
{
	for (size_t i = 0; i < h->holder->device->n_ports; i++) {
		const struct port *out = h->holder->device->ports[i];
		size_t next = hold_at(m, h, out, still);

		if (next != NO_HOLD && is_exit(m, h, out, is_routed))
			wait_for(m, h, next);
	}
}

static double longest_queue(const struct making *m, const struct hold *h)
{
	double longest = 0, bytes;

	for (size_t i = 0; i < h->holder->device->n_ports; i++) {
		const struct port *out = h->holder->device->ports[i];

		if (is_exit(m, h, out, true) && queue_of(m, out, h->prio, &bytes) && bytes > longest)
			longest = bytes;
	}
	return longest;
}

static bool is_full(const struct making *m, const struct port *out)
{
	double load;

	return pause_load(m, out, &load) && load >= FULL;
}

/*
 * Those that may send and still have a queue. Where no length is told: those that are full, unless something else is
 * known to be in the way, as a full line is no harm.
 */
static void blame_congested(struct making *m, struct hold *h)
{
	double longest = longest_queue(m, h), bytes;

	for (size_t i = 0; i < h->holder->device->n_ports; i++) {
		const struct port *out = h->holder->device->ports[i];

		if (!is_exit(m, h, out, true) || hold_at(m, h, out, false) != NO_HOLD)
			continue;
		if (longest > 0 && queue_of(m, out, h->prio, &bytes)) {
			if (bytes >= STANDING * longest)
				congested(m, h, out, true);
		} else if (!h->n_waits && is_full(m, out)) {
			congested(m, h, out, false);
		}
	}
}

/* Of all ports that packets may leave by, the one that nearly all of the priority leaves by: what waits, waits there. */
static void blame_only_exit(struct making *m, struct hold *h)
{
	const struct port *only = NULL;
	double most = 0, all = 0, per_s;

	for (size_t i = 0; i < h->holder->device->n_ports; i++) {
		const struct port *out = h->holder->device->ports[i];

		if (!is_exit(m, h, out, true) || !links_of_port(m->of->links, out))
			continue;
		if (!pause_rate(m, out, FIELD_TX_BYTES, pause_queue(m, out, h->prio), &per_s))
			return;
		all += per_s;
		if (per_s > most) {
			most = per_s;
			only = out;
		}
	}
	if (only && most >= NEARLY * all)
		congested(m, h, only, false);
}

static void switch_holds(struct making *m, struct hold *h)
{
	if (h->is_still)
		wait_for_held(m, h, true, true);
	if (!h->n_waits)
		wait_for_held(m, h, true, false);
	if (!h->is_still || !h->n_waits)
		blame_congested(m, h);
	/* Routes do not go up and down everywhere: what never lets go waits for what never lets go. */
	if (!h->n_waits && !h->n_causes && h->is_still)
		wait_for_held(m, h, false, true);
	if (!h->n_waits && !h->n_causes)
		blame_only_exit(m, h);
	if (!h->n_waits && !h->n_causes)
		pause_not_known(m, h);
}

static void find_why(struct making *m, struct hold *h)
{
	const struct device *named = h->holder ? h->holder->device : h->link ? named_peer(m, h->link) : NULL;

	if (!named)
		pause_not_known(m, h);
	else if (m->tier[named->id] == 0)
		host_holds(m, h, named->name);
	else if (h->holder)
		switch_holds(m, h);
	else
		pause_not_known(m, h);
}

void pause_follow(struct making *m)
{
	for (size_t i = 0; i < m->g->n_holds; i++) {
		struct hold *h = &m->g->holds[i];

		h->first_wait = m->g->n_waits;
		h->first_cause = m->g->n_causes;
		find_why(m, h);
	}
}
