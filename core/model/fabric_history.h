/*
 * How much was counted over the whole fabric in each five seconds of the last day: the lanes of History. Each rated
 * step of a counter is spread over the time it took, so that what is asked twice a minute counts as evenly as what is
 * asked each second. Where no counter of a lane was heard, nothing is known.
 */
#ifndef CORE_MODEL_FABRIC_HISTORY_H
#define CORE_MODEL_FABRIC_HISTORY_H

#include "core/model/model.h"

#define LANE_US		(5 * SECOND)
#define LANE_SETTLED	12		/* buckets: a step over more than a minute tells of no moment in it */
#define LANES_MAX	17280		/* buckets kept, unless max says otherwise */

enum lane { LANE_PFC, LANE_ECN, LANE_CNP, LANE_LOSS, LANE_ERROR, LANE_COUNT };

struct lane_info {
	const char *name;		/* as a column and in JSON: "pfc_received" */
	const char *title;		/* at most ten columns */
	const char *help;
	enum field field;		/* for the unit */
};
extern const struct lane_info lane_table[LANE_COUNT];

struct lane_bucket {
	float count[LANE_COUNT];
	uint16_t from_ms[LANE_COUNT], to_ms[LANE_COUNT];	/* the part of the bucket that was covered; equal: none */
};

/* Buckets by their number, which is their time / LANE_US, from first up to end. */
struct fabric_history {
	struct lane_bucket *ring;	/* owned */
	size_t cap, max;		/* max 0: LANES_MAX */
	int64_t first, end;
};

void fabric_history_done(struct fabric_history *l);
/* A counter moved at a rate for a time. Fields of no lane, and times that are no use, count nothing. */
void fabric_history_count(struct fabric_history *l, enum field f, double per_s, int64_t from_us, int64_t to_us);
/* Of a recording: a bucket's mean as it was; per_s NAN: not known. */
void fabric_history_put(struct fabric_history *l, int64_t number, enum lane lane, double per_s);

/* Per second; NAN where nothing is known. */
double fabric_history_bucket(const struct fabric_history *l, enum lane lane, int64_t number);
double fabric_history_at(const struct fabric_history *l, enum lane lane, int64_t at_us);
/* Over the buckets that begin in [from_us, to_us), or the one that from_us is in. */
double fabric_history_highest(const struct fabric_history *l, enum lane lane, int64_t from_us, int64_t to_us);
double fabric_history_mean(const struct fabric_history *l, enum lane lane, int64_t from_us, int64_t to_us);

#endif
