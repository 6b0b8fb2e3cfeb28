/*
 * A fabric of the queueing model that has one reason to pause, told to the console as its devices would, second by
 * second; and what the pause graph makes of it. Size, place, speed, noise and what the devices print vary with the seed.
 */
#ifndef TESTS_LIB_TRIAL_H
#define TESTS_LIB_TRIAL_H

#include "core/pause/pause.h"

enum trial_kind { TRIAL_INCAST, TRIAL_SLOW, TRIAL_STORM, TRIAL_DEGRADED, TRIAL_DEADLOCK, TRIAL_VICTIMS, TRIAL_QUIET, TRIAL_KINDS };
extern const char *const trial_names[TRIAL_KINDS];

/* What came out of trials of one kind. */
struct trial_score {
	unsigned trials;
	unsigned found;			/* the root was named, by kind and place; every victim, of TRIAL_VICTIMS */
	unsigned wanted;		/* that there were to be found */
	unsigned named, right;		/* roots (or victims) of this kind that were named over all trials; and rightly */
	unsigned unknown;		/* said to be unknown */
};

/* Runs one and adds to the scores, by kind; words gets what was wrong, a line each. */
void trial_run(enum trial_kind kind, uint64_t seed, struct trial_score scores[TRIAL_KINDS], struct buf *words);

double trial_recall(const struct trial_score *s);
double trial_precision(const struct trial_score *s);

#endif
