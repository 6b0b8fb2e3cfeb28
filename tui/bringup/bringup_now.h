/* The bring-up of a session as it stands, beside what the rack's settings say: tests, what was set aside, and what is running. */
#ifndef TUI_BRINGUP_BRINGUP_NOW_H
#define TUI_BRINGUP_BRINGUP_NOW_H

#include <stdint.h>

struct bringup_record;

struct bringup_now {
	const struct bringup_record *record;	/* judged; of a replay as it stood at its time */
	const char *doing;			/* "round 2 of 5: pairs of one leaf, 8 flows for 5 s"; NULL: nothing runs */
	const char *plan;			/* what would be sent: "9 rounds, about 56 s; ..."; NULL: it may not */
	int64_t permitted_us;			/* so long test traffic may be begun; 0: it may not */
};

#endif
