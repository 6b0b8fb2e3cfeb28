#include "core/model/refreshed.h"

#include <stdlib.h>

#define LATE_US		(2 * SECOND)
#define DOUBT_PART	4		/* of what a rate is measured over, at most one part may be doubt */

/* How far two refreshes are apart; by what the device was seen to do where that is far less than was said. */
struct pace {
	int64_t least_us, most_us;
	bool is_seen;			/* at most so far, and maybe less */
};

/* A device that is busy takes some percent longer, never shorter. */
static struct pace pace_of(const struct sampling *x)
{
	bool is_seen = x->often_us && *x->often_us && *x->often_us < x->refresh_us;
	int64_t us = is_seen ? *x->often_us : x->refresh_us;

	return (struct pace){ us, is_seen ? us : us + us / 25, is_seen };
}

/* Two moves closer together than half of what was said: this device refreshes more often. */
static void see_pace(const struct sampling *x, const struct move *last, const struct move *now)
{
	int64_t us = now->to_us - last->from_us;

	if (x->often_us && us < x->refresh_us / 2 && (*x->often_us == 0 || us < *x->often_us))
		*x->often_us = us;
}

static struct measured between(int64_t low_us, int64_t high_us)
{
	return (struct measured){ .us = (low_us + high_us) / 2, .doubt_us = (high_us - low_us) / 2 };
}

/* So many refreshes, when that many can be between two moves; us 0: they cannot. */
static struct measured by_count(const struct pace *p, int64_t n, int64_t low_us, int64_t high_us)
{
	int64_t slack_us = p->least_us / 20;	/* what the way of an answer adds to its time */
	int64_t low = n * p->least_us, high = n * p->most_us;

	low = low > low_us - slack_us ? low : low_us - slack_us;
	high = high < high_us + slack_us ? high : high_us + slack_us;
	return n > 0 && low <= high ? between(low, high) : (struct measured){ 0 };
}

/* How long it was from one move to a later one. is_next: between their readings the device refreshed once at most. */
static struct measured from_to(const struct pace *p, const struct move *from, const struct move *to, bool is_next)
{
	int64_t low_us = to->from_us - from->to_us, high_us = to->to_us - from->from_us;
	struct measured m = { 0 };

	if (!p->is_seen && is_next)
		m = by_count(p, 1, low_us, high_us);
	if (!p->is_seen && !m.us && high_us - low_us < p->least_us)
		m = by_count(p, ((low_us + high_us) / 2 + p->most_us / 2) / p->most_us, low_us, high_us);
	if (!m.us)
		m = between(low_us > 0 ? low_us : 0, high_us);
	m.delta = to->sum - from->sum;
	return m;
}

static void keep_move(struct moves *moves, const struct move *now)
{
	moves->n = moves->n < MOVES_KEPT ? moves->n + 1 : MOVES_KEPT;
	for (unsigned i = moves->n - 1; i > 0; i--)
		moves->list[i] = moves->list[i - 1];
	moves->list[0] = *now;
}

/* From the latest move that is long enough ago for the doubt about both moments to be small beside it. */
static struct measured since_a_move(const struct moves *moves, const struct pace *p, const struct move *now, bool is_next)
{
	for (unsigned i = 0; i < moves->n; i++) {
		struct measured m = from_to(p, &moves->list[i], now, i == 0 && is_next);

		if (m.us >= p->least_us && m.doubt_us <= m.us / DOUBT_PART) {
			m.since_us = moves->list[0].to_us;
			return m;
		}
	}
	return (struct measured){ 0 };
}

/* It was seen to stand for longer than a refresh takes: what moved it is of the last one. */
static struct measured after_rest(const struct pace *p, int64_t last_us, int64_t at_us, uint64_t delta)
{
	struct measured m = between(p->least_us, p->most_us);

	if (at_us - last_us > m.us)
		m = (struct measured){ .us = at_us - last_us, .doubt_us = p->most_us };
	m.delta = delta;
	m.since_us = last_us;
	return m;
}

static struct measured moved(struct series *s, const struct sampling *x, int64_t at_us, uint64_t delta)
{
	struct pace p = pace_of(x);
	bool has_stood = s->note == RATE_OK && s->per_s <= 0;
	int64_t from_us = at_us - p.most_us;
	struct move now = { .to_us = at_us, .from_us = from_us > s->last_us ? from_us : s->last_us };
	struct measured m = { 0 };

	if (!s->moves)
		s->moves = xcalloc(1, sizeof(*s->moves));
	now.sum = s->moves->sum += delta;
	if (s->moves->n) {
		see_pace(x, &s->moves->list[0], &now);
		p = pace_of(x);
		m = since_a_move(s->moves, &p, &now, at_us - s->last_us <= p.least_us);
	} else if (has_stood) {
		m = after_rest(&p, s->last_us, at_us, delta);
	}
	keep_move(s->moves, &now);
	s->stood_us = at_us;
	return m;
}

struct measured refreshed_take(struct series *s, const struct sampling *x, int64_t at_us, uint64_t delta)
{
	struct pace p = pace_of(x);
	bool had_stood = s->last_us - s->stood_us >= p.most_us + LATE_US;

	if (delta)
		return moved(s, x, at_us, delta);
	if (at_us - s->stood_us < p.most_us + LATE_US)
		return (struct measured){ 0 };
	if (s->moves)
		s->moves->n = 0;
	return (struct measured){ .us = at_us - s->stood_us, .since_us = had_stood ? s->last_us : s->stood_us };
}

void refreshed_forget(struct series *s, int64_t at_us)
{
	if (s->moves)
		s->moves->n = 0;
	s->stood_us = at_us;
}

void refreshed_restore(struct series *s, const struct obs_was *was)
{
	refreshed_forget(s, was->stood_us);
	if (!was->move_to_us)
		return;
	if (!s->moves)
		s->moves = xcalloc(1, sizeof(*s->moves));
	s->moves->n = 1;
	s->moves->list[0] = (struct move){ s->moves->sum, was->move_from_us, was->move_to_us };
}

const struct move *refreshed_last(const struct series *s)
{
	return s->moves && s->moves->n ? &s->moves->list[0] : NULL;
}
