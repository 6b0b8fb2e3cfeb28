#include "core/model/fabric_history.h"

#include <math.h>
#include <stdlib.h>

#define MS		INT64_C(1000)
#define TIME_MAX	(INT64_C(1) << 60)	/* µs: thousands of years; what lies beyond is no time */

const struct lane_info lane_table[LANE_COUNT] = {
	[LANE_PFC]   = { "pfc_received", "PFC recvd", "PFC frames received, all priorities", FIELD_PFC_RX },
	[LANE_ECN]   = { "ecn_marked", "ECN marked", "packets marked by switches", FIELD_ECN_MARKED },
	[LANE_CNP]   = { "cnp_sent", "CNP sent", "CNPs sent by receivers", FIELD_CNP_SENT },
	[LANE_LOSS]  = { "out_of_sequence", "OOS/retry", "sequence gaps and retransmitted packets", FIELD_OOS },
	[LANE_ERROR] = { "errors_drops", "err+drops", "frames in error, packets discarded", FIELD_PHY_ERR },
};

/* Counters that do not hold one another; a drop of one priority is among the port's discards. */
static const int8_t lane_of[FIELD_COUNT] = {
	[FIELD_PFC_RX] = LANE_PFC + 1,	   [FIELD_ECN_MARKED] = LANE_ECN + 1,  [FIELD_CNP_SENT] = LANE_CNP + 1,
	[FIELD_OOS] = LANE_LOSS + 1,	   [FIELD_RETRANS] = LANE_LOSS + 1,    [FIELD_PHY_ERR] = LANE_ERROR + 1,
	[FIELD_ICRC_ERR] = LANE_ERROR + 1, [FIELD_RX_DISCARD] = LANE_ERROR + 1, [FIELD_TX_DISCARD] = LANE_ERROR + 1,
	[FIELD_RX_NOBUF] = LANE_ERROR + 1,
};

void fabric_history_done(struct fabric_history *l)
{
	free(l->ring);
	*l = (struct fabric_history){ 0 };
}

static struct lane_bucket *bucket(const struct fabric_history *l, int64_t number)
{
	return &l->ring[(size_t)(number % (int64_t)l->cap)];
}

static void grow(struct fabric_history *l, size_t cap)
{
	struct lane_bucket *ring = xcalloc(cap, sizeof(*ring));

	for (int64_t i = l->first; i < l->end; i++)
		ring[(size_t)(i % (int64_t)cap)] = *bucket(l, i);
	free(l->ring);
	l->ring = ring;
	l->cap = cap;
}

/* Makes room up to a bucket, letting the oldest go; NULL for one that is gone already. */
static struct lane_bucket *need(struct fabric_history *l, int64_t number)
{
	int64_t max = l->max ? (int64_t)l->max : LANES_MAX;

	if (l->end == 0 || number >= l->end + max)
		l->first = l->end = number;
	if (number < l->first)
		return NULL;
	while (number - l->first >= (int64_t)l->cap && (int64_t)l->cap < max)
		grow(l, l->cap ? (l->cap * 2 < (size_t)max ? l->cap * 2 : (size_t)max) : 32);
	if (number - l->first >= max)
		l->first = number - max + 1;
	for (; l->end <= number; l->end++)
		*bucket(l, l->end) = (struct lane_bucket){ 0 };
	return bucket(l, number);
}

static void cover(struct lane_bucket *b, enum lane lane, double count, int64_t from_us, int64_t to_us)
{
	uint16_t from_ms = (uint16_t)(from_us / MS), to_ms = (uint16_t)((to_us + MS - 1) / MS);
	bool was = b->to_ms[lane] > b->from_ms[lane];

	b->count[lane] += (float)count;
	if (!was || from_ms < b->from_ms[lane])
		b->from_ms[lane] = from_ms;
	if (!was || to_ms > b->to_ms[lane])
		b->to_ms[lane] = to_ms;
}

void fabric_history_count(struct fabric_history *l, enum field f, double per_s, int64_t from_us, int64_t to_us)
{
	if (!lane_of[f] || from_us < 0 || to_us <= from_us || to_us > TIME_MAX || to_us - from_us > LANE_SETTLED * LANE_US)
		return;
	for (int64_t at_us = from_us; at_us < to_us;) {
		int64_t number = at_us / LANE_US, begin_us = number * LANE_US;
		int64_t until_us = begin_us + LANE_US < to_us ? begin_us + LANE_US : to_us;
		struct lane_bucket *b = need(l, number);

		if (b)
			cover(b, (enum lane)(lane_of[f] - 1), per_s * (double)(until_us - at_us) / SECOND, at_us - begin_us,
			      until_us - begin_us);
		at_us = until_us;
	}
}

void fabric_history_put(struct fabric_history *l, int64_t number, enum lane lane, double per_s)
{
	struct lane_bucket *b = number >= 0 && number < TIME_MAX / LANE_US && per_s >= 0 ? need(l, number) : NULL;

	if (!b)
		return;
	b->count[lane] = (float)(per_s * (double)(LANE_US / SECOND));
	b->from_ms[lane] = 0;
	b->to_ms[lane] = (uint16_t)(LANE_US / MS);
}

double fabric_history_bucket(const struct fabric_history *l, enum lane lane, int64_t number)
{
	const struct lane_bucket *b = number >= l->first && number < l->end ? bucket(l, number) : NULL;

	if (!b || b->to_ms[lane] <= b->from_ms[lane])
		return NAN;
	return (double)b->count[lane] * 1000 / (b->to_ms[lane] - b->from_ms[lane]);
}

double fabric_history_at(const struct fabric_history *l, enum lane lane, int64_t at_us)
{
	return at_us < 0 ? NAN : fabric_history_bucket(l, lane, at_us / LANE_US);
}

struct summary {
	double highest, sum;
	size_t n;
};

static struct summary summarize(const struct fabric_history *l, enum lane lane, int64_t from_us, int64_t to_us)
{
	int64_t from = from_us <= 0 ? 0 : from_us / LANE_US, to = to_us <= 0 ? 0 : (to_us + LANE_US - 1) / LANE_US;
	struct summary s = { NAN, 0, 0 };

	if (from_us % LANE_US && from + 1 < to)
		from++;		/* it began before */
	for (int64_t i = from > l->first ? from : l->first; i < l->end && i < to; i++) {
		double per_s = fabric_history_bucket(l, lane, i);

		if (isnan(per_s))
			continue;
		s.highest = s.n && s.highest > per_s ? s.highest : per_s;
		s.sum += per_s;
		s.n++;
	}
	return s;
}

double fabric_history_highest(const struct fabric_history *l, enum lane lane, int64_t from_us, int64_t to_us)
{
	return summarize(l, lane, from_us, to_us).highest;
}

double fabric_history_mean(const struct fabric_history *l, enum lane lane, int64_t from_us, int64_t to_us)
{
	struct summary s = summarize(l, lane, from_us, to_us);

	return s.n ? s.sum / (double)s.n : NAN;
}
