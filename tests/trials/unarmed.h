/*
 * Was anything written to a device without an armed rollback? The console's audit and what the lab counted at each device are
 * held against each other: a line is sent only after the answer to arming was read as armed, and a device that nobody armed
 * has no write.
 */
#ifndef TESTS_TRIALS_UNARMED_H
#define TESTS_TRIALS_UNARMED_H

#include "tests/trials/site.h"

/* Of all trials; shared between the processes of a crew. */
struct unarmed_tally {
	unsigned trials;
	unsigned lines;			/* commands that the audit has */
	unsigned writes;		/* that the lab counted at the devices of the plans */
	unsigned unarmed;		/* lines that were sent in a state that is not armed */
	unsigned untold;		/* devices that were written to while the audit has no arming of them */
};

/* Makes the tally, before the crew is begun. */
bool unarmed_begin(void);
struct unarmed_tally *unarmed_so_far(void);

/* The writes of the plan's devices before anything is applied. */
void unarmed_note(const struct site *s, const struct planned_fix *p, unsigned long writes[PLANNED_MAX]);
/*
 * After it; false, with words, when a write was without an armed rollback. other_home: of a second console with an audit of its own,
 * or NULL.
 */
bool unarmed_join(const struct site *s, const char *other_home, const struct planned_fix *p, const unsigned long writes[PLANNED_MAX],
		  struct buf *words);

#endif
