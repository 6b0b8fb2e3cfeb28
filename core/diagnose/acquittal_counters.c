#include "core/diagnose/acquittal_counters.h"

#include <math.h>
#include <stdio.h>

#include "core/fabric/stopped.h"

static const char old[] = "current settings";
static const char counters[] = "loss counters", traffic[] = "traffic", pause_time[] = "time paused", window[] = "time watched";
static const char again[] = "fabcon record FILE --for 60s, then fabcon replay FILE diagnose";

/* -- what stands still where nothing is lost -- */

enum indexed { AS_ONE, PER_PRIORITY, PER_QUEUE, PER_GROUP };

/* A counter of the port as a whole counts where it has none of the priority. */
static const struct {
	enum field field;
	enum indexed by;
	enum field instead_of[2];
} still[] = {
	{ FIELD_TX_DROP, PER_QUEUE, { 0 } },
	{ FIELD_PG_DROP, PER_GROUP, { 0 } },
	{ FIELD_RX_DROP, PER_PRIORITY, { 0 } },
	{ FIELD_RX_DROP_BUFFER, PER_PRIORITY, { 0 } },
	{ FIELD_RX_DROP_CONGESTION, PER_PRIORITY, { 0 } },
	{ FIELD_PFC_STORM, PER_QUEUE, { 0 } },
	{ FIELD_RX_DISCARD, AS_ONE, { FIELD_RX_DROP, FIELD_PG_DROP } },
	{ FIELD_TX_DISCARD, AS_ONE, { FIELD_TX_DROP, FIELD_TX_DROP } },
	{ FIELD_PHY_ERR, AS_ONE, { 0 } },
	{ FIELD_FEC_LOST, AS_ONE, { 0 } },
	{ FIELD_ICRC_ERR, AS_ONE, { 0 } },
	{ FIELD_LINK_DOWNS, AS_ONE, { 0 } },
	{ FIELD_LINK_CHANGES, AS_ONE, { 0 } },
	{ FIELD_OOS, AS_ONE, { 0 } },
	{ FIELD_SEQ_ERR, AS_ONE, { 0 } },
	{ FIELD_RETRANS, AS_ONE, { 0 } },
	{ FIELD_ACK_TIMEOUT, AS_ONE, { 0 } },
	{ FIELD_STORM_ERR, AS_ONE, { 0 } },
};

/* Where nobody reports a map it is the identity, as the checks take it. */
static unsigned mapped(const struct model *m, const struct port *p, enum field f, unsigned index)
{
	uint64_t to;

	return port_number(m, p, f, index, &to) && to < 8 ? (unsigned)to : index;
}

static unsigned index_of(const struct model *m, const struct port *p, enum indexed by, unsigned prio)
{
	if (by == PER_QUEUE)
		return mapped(m, p, FIELD_TC_QUEUE, mapped(m, p, FIELD_PRIO_TC, prio));
	return by == PER_GROUP ? mapped(m, p, FIELD_PRIO_PG, prio) : by == PER_PRIORITY ? prio : 0;
}

/* When it last moved within the time looked back on; 0: it did not. */
static int64_t moved_us(const struct acquitting *q, const struct series *s, int64_t said_us)
{
	int64_t at_us[HISTORY_LEN];
	float value[HISTORY_LEN];
	size_t n = series_history(s, at_us, value);

	while (n-- > 0 && model_now(q->m) - at_us[n] <= ACQUITTAL_MOST_US)
		if (value[n] > 0)
			return at_us[n];
	return s->per_s > 0 && !s->history ? said_us : 0;
}

static void lacks_counter(struct acquitting *q, const struct port *p, enum field f, const char *why)
{
	char what[192];

	snprintf(what, sizeof(what), "%.40s: %.120s", field_table[f].name, why);
	acquittal_lacks_at(q, counters, p, what, again);
}

static void take_still(struct acquitting *q, const struct port *at, enum field f, unsigned index)
{
	const struct port *p = port_source(at, f, index);
	const struct cell *c = port_cell(p, f, index);
	const struct series *s = port_series(p, f, index);
	int64_t last_us, since_us, still_us;
	char why[96];
	double per_s;

	if (!c)
		return;
	if (c->value.is != VALUE_KNOWN || cell_is_stale(q->m, c))
		return lacks_counter(q, at, f, c->value.is == VALUE_UNKNOWN && c->value.text ? c->value.text : "too old");
	if (!port_rate(q->m, p, f, index, &per_s))
		return lacks_counter(q, at, f, "it needs another sample");
	last_us = moved_us(q, s, c->said_us);
	if (last_us) {
		snprintf(why, sizeof(why), "it moved %lld s ago", (long long)((model_now(q->m) - last_us) / SECOND));
		return lacks_counter(q, at, f, why);
	}
	/* What it was before the device began to count anew says nothing, though it is the same now. */
	since_us = p->device->began_us > c->since_us ? p->device->began_us : c->since_us;
	still_us = model_now(q->m) - cell_age_us(q->m, c) - since_us;
	still_us = still_us > 0 ? still_us : 0;
	q->a->window_us = still_us < q->a->window_us ? still_us : q->a->window_us;
	q->a->counters++;
}

static bool is_counted(const struct acquitting *q, const struct port *p, enum field f, unsigned lossless)
{
	enum indexed by = f == FIELD_TX_DROP ? PER_QUEUE : f == FIELD_PG_DROP ? PER_GROUP : PER_PRIORITY;
	unsigned index = index_of(q->m, p, by, (unsigned)__builtin_ctz(lossless | 256));

	return index < 8 && port_cell(port_source(p, f, index), f, index);
}

static void take_still_counters(struct acquitting *q, const struct port *p, unsigned lossless)
{
	for (size_t i = 0; i < sizeof(still) / sizeof(*still); i++) {
		const enum field *instead = still[i].instead_of;

		if (instead[0] && (is_counted(q, p, instead[0], lossless) || is_counted(q, p, instead[1], lossless)))
			continue;
		for (unsigned prio = 0; prio < (still[i].by == AS_ONE ? 1 : 8); prio++)
			if (still[i].by == AS_ONE || lossless >> prio & 1)
				take_still(q, p, still[i].field, index_of(q->m, p, still[i].by, prio));
	}
}

/* -- what moves where there is traffic -- */

static const enum field moving[] = {
	FIELD_RX_TOTAL, FIELD_TX_TOTAL, FIELD_RX_BYTES, FIELD_TX_BYTES, FIELD_RX_PACKETS, FIELD_TX_PACKETS, FIELD_RDMA_RX, FIELD_RDMA_TX,
};

static bool has_moved(const struct acquitting *q, const struct port *p, enum field f, unsigned index)
{
	const struct cell *c = port_cell(p, f, index);
	const struct series *s = port_series(p, f, index);
	double per_s;

	return (port_rate(q->m, p, f, index, &per_s) && per_s > 0) || (c && s && moved_us(q, s, c->said_us));
}

/* Counters of loss prove nothing at a port whose counters stand still whatever passes. */
static void take_traffic(struct acquitting *q, const struct port *p)
{
	for (size_t i = 0; i < sizeof(moving) / sizeof(*moving); i++)
		for (unsigned index = 0; index < field_table[moving[i]].width; index++)
			if (has_moved(q, p, moving[i], index))
				return;
	acquittal_lacks_at(q, traffic, p, "no counter of traffic moved: whether it counts is not known",
			   "run the job or a bandwidth test over this link, then fabcon diagnose");
}

/* -- pause -- */

/* The part of the time that one unit of the counter stands for: a µs, or a frame, that stops for 65535 quanta at most. */
static bool part_of(const struct acquitting *q, const struct stopped *s, double *part)
{
	uint64_t bps;

	*part = 1e-6;
	if (s->basis == PAUSE_BY_TIME)
		return true;
	if (!port_number(q->m, s->by, FIELD_SPEED, 0, &bps) || !bps)
		return false;
	*part = 65535.0 * 512 / (double)bps;
	return true;
}

/* The window does not begin before that. */
static void begins_at(struct acquitting *q, int64_t at_us, bool has_more_before)
{
	int64_t window_us = model_now(q->m) - at_us;

	if (!has_more_before || window_us >= ACQUITTAL_MOST_US)
		q->a->window_us = window_us < q->a->window_us ? window_us : q->a->window_us;
}

/* Over the time looked back on; where the samples begin later, the window does. */
static void take_pause(struct acquitting *q, const struct port *held, const struct port *holder, unsigned prio)
{
	int64_t at_us[HISTORY_LEN];
	float value[HISTORY_LEN];
	double sum = 0, part, share;
	struct stopped s;
	size_t n, used = 0;
	char what[96], pct[SHARE_TEXT];

	if (!stopped_of(q->m, held, holder, prio, &s))
		return acquittal_lacks_at(q, pause_time, held, "pfc.rx_us: not reported, nor pfc.tx_us by its peer", again);
	n = series_history(port_series(s.by, s.field, prio), at_us, value);
	begins_at(q, n ? at_us[0] : port_cell(s.by, s.field, prio)->since_us, n == HISTORY_LEN);
	for (; n > 0 && model_now(q->m) - at_us[n - 1] <= ACQUITTAL_MOST_US; n--, used++) {
		if (isnan(value[n - 1])) {
			begins_at(q, at_us[n - 1], false);
			break;
		}
		sum += value[n - 1];
	}
	if (used && sum > 0 && !part_of(q, &s, &part))
		return acquittal_lacks_at(q, pause_time, held, "its speed is not known, and pause is counted in frames alone", again);
	share = used && sum > 0 ? sum / (double)used * part : s.share;
	share = share > s.share ? share : s.share;
	q->a->paused = share > q->a->paused ? share : q->a->paused;
	if (share < policy_limit(q->d->of.policy, LIMIT_PAUSE_LOOK))
		return;
	snprintf(what, sizeof(what), "paused %s %% of the time on priority %u", share_text(pct, share), prio);
	acquittal_lacks_at(q, pause_time, held, what, "fabcon pauses");
}

/* -- all -- */

static bool is_setting(enum field f)
{
	return field_table[f].scope == SCOPE_PORT && field_table[f].kind != KIND_COUNTER && field_table[f].kind != KIND_GAUGE &&
	       !(field_table[f].flags & (FIELD_SHY | FIELD_LEARNED));
}

/* Of every setting: one that is too old may be another by now, though a default or the other end would stand for it. */
static void take_age(struct acquitting *q, const struct port *p)
{
	char what[96];

	for (size_t i = 0; i < FIELD_COUNT; i++)
		for (unsigned index = 0; is_setting((enum field)i) && index < field_table[i].width; index++) {
			const struct cell *c = port_cell(p, (enum field)i, index);
			int64_t age_us = c ? cell_age_us(q->m, c) : 0;

			if (!c || c->value.is != VALUE_KNOWN)
				continue;
			q->a->settings_us = age_us > q->a->settings_us ? age_us : q->a->settings_us;
			if (!cell_is_stale(q->m, c))
				continue;
			snprintf(what, sizeof(what), "%.40s was read %lld s ago", field_table[i].name, (long long)(age_us / SECOND));
			acquittal_lacks_at(q, old, p, what, "fabcon inventory test");
		}
}

static void take_end(struct acquitting *q, const struct port *p, const struct port *far)
{
	unsigned lossless = policy_lossless(q->d->of.policy, q->context.parties[p->device->id].is_switch);

	take_still_counters(q, p, lossless);
	take_traffic(q, p);
	take_age(q, p);
	for (unsigned prio = 0; prio < 8; prio++)
		if (lossless >> prio & 1)
			take_pause(q, p, far, prio);
}

void acquittal_take_counters(struct acquitting *q)
{
	char what[128];

	q->a->window_us = ACQUITTAL_MOST_US;
	for (size_t i = 0; i < q->n_links; i++) {
		const struct link *l = q->links[i];

		take_end(q, l->a, l->b);
		if (l->b)
			take_end(q, l->b, l->a);
	}
	if (!q->a->counters)
		q->a->window_us = 0;
	if (q->a->window_us >= ACQUITTAL_LEAST_US)
		return;
	snprintf(what, sizeof(what), "counters were watched for %lld s, of at least %lld", (long long)(q->a->window_us / SECOND),
		 (long long)(ACQUITTAL_LEAST_US / SECOND));
	acquittal_lacks(q, window, "fabric", what, again);
}
