/*
 * Plans of several waves whose units are both ends of a link, killed: half of the kills between the first and the last keep. What
 * the ends of a link have in common is asked of the lab, never of the console.
 */
#ifndef TESTS_TRIALS_CHAOS_UNITS_H
#define TESTS_TRIALS_CHAOS_UNITS_H

#include "core/base/mem.h"

#define UNIT_KILLS	10	/* of one fabric, one after another */

/* Of all fabrics, in memory that the processes share. */
struct unit_tally {
	unsigned kills, between, interrupts, restarts;
	unsigned keepers;		/* kills with which a keep script was killed, too, and the next one came before the timers had ended */
	unsigned early;			/* applies that had ended before they were to be killed */
	unsigned half;			/* links that were half when every timer had ended, before anybody came */
	unsigned finished, rolled_back;	/* links that the next one found half, and how he left them */
	unsigned left_half, lied;	/* links that stayed half; exit codes or words that hid one */
};

/* The nth fabric: Linux to Linux, OS10 or SONiC; up to UNIT_KILLS kills. False, with words, when a link stayed half or was hidden. */
bool chaos_units(struct unit_tally *tally, unsigned nth, unsigned kills, struct buf *words);
/* The same, but a device restarts in between, the console dies or lives, and the plan may be applied again at once. */
bool chaos_restarts(struct unit_tally *tally, unsigned nth, unsigned restarts, struct buf *words);

#endif
