/*
 * A fabric as it is shown: all that screens, reports and pages about links may read, at one moment. Everything is lent and
 * const; whoever shows it fills it in for each picture.
 */
#ifndef TUI_VIEWS_VIEW_OF_H
#define TUI_VIEWS_VIEW_OF_H

#include "core/judge/ack.h"
#include "core/judge/check.h"
#include "core/model/fabric_history.h"
#include "tui/session/baseline.h"
#include "tui/session/events.h"

struct bringup_now;
struct fix_view;

struct view_of {
	const struct model *model;
	const struct links *links;
	const struct findings *findings;
	const struct policy *policy;
	const struct inventory *inventory;
	const char *fabric;
	unsigned speed;				/* of playing; 0: 1 */
	bool is_replay, is_playing, is_paused, is_recording;
	const char *trouble;			/* of the recording, or of a command; NULL: none */
	int64_t held_us;			/* paused: how long ago the picture was true */
	const struct acks *acks;		/* NULL: none */
	const struct baseline *baseline;	/* NULL, or none taken: at_us 0 */
	int64_t first_us, last_us;		/* of the recording that is replayed; live, of what is remembered */
	int64_t cursor_us;			/* of History; live, the other screens show now all the same */
	const struct events *events;		/* of the same */
	const struct fabric_history *lanes;
	size_t answered, asked;			/* devices: read once or given up, of all; live */
	int64_t began_us;			/* when asking began */
	const struct fix_view *fix;		/* NULL: nothing of fixes is there */
	const struct bringup_now *bringup;	/* NULL: nothing but settings is known */
	uint64_t serial;			/* moves when anything shown may have */
};

#endif
