/*
 * Counters that the device reads from its hardware by a clock of its own, and tells as they were then. They stand still and
 * then move by all that passed since. When that was is known to within one reading: a rate goes from one such moment to a later.
 */
#ifndef CORE_MODEL_REFRESHED_H
#define CORE_MODEL_REFRESHED_H

#include "core/model/series.h"

#define MOVES_KEPT 6

/* The counter was refreshed after from_us and not after to_us. */
struct move {
	uint64_t sum;			/* counted since the series began */
	int64_t from_us, to_us;
};

struct moves {
	uint64_t sum;
	struct move list[MOVES_KEPT];	/* the newest first */
	unsigned n;
};

/* What a step of a refreshed counter tells. */
struct measured {
	uint64_t delta;
	int64_t us, doubt_us;		/* it took so long, or so much less or more; us 0: not to be told yet */
	int64_t since_us;		/* reading since which that is news */
};

/* The counter was read again at at_us and has moved by delta since the reading before. */
struct measured refreshed_take(struct series *s, const struct sampling *x, int64_t at_us, uint64_t delta);
/* What was seen of it before tells nothing any more. */
void refreshed_forget(struct series *s, int64_t at_us);
/* As a recording's keyframe has it. */
void refreshed_restore(struct series *s, const struct obs_was *was);
/* The newest move; NULL: none is known. */
const struct move *refreshed_last(const struct series *s);

#endif
