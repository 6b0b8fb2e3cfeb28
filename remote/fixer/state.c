#include "remote/fixer/state.h"

#include <assert.h>

const struct fix_device_row fix_device_table[DEV_STATES] = {
	[DEV_UNREAD]		= { .name = "unread",		.shown = FIX_PLANNED },
	[DEV_READING]		= { .name = "reading",		.shown = FIX_READING },
	[DEV_PREFLIGHT]		= { .name = "preflight",	.shown = FIX_READING },
	[DEV_AS_BEFORE]		= { .name = "as before",	.shown = FIX_PLANNED },
	[DEV_UNDO_REQUESTED]	= { .name = "undo requested",	.shown = FIX_READING,	.may_be_armed = true },
	[DEV_ARMING]		= { .name = "arming",		.shown = FIX_PLANNED,	.may_be_armed = true },
	[DEV_ARMED]		= { .name = "armed",		.shown = FIX_ARMED,	.may_be_armed = true },
	[DEV_RELEASED]		= { .name = "released",		.shown = FIX_ARMED },
	[DEV_APPLYING]		= { .name = "applying",		.shown = FIX_APPLYING,	.may_be_armed = true },
	[DEV_APPLIED]		= { .name = "applied",		.shown = FIX_APPLIED,	.may_be_armed = true },
	[DEV_VERIFYING]		= { .name = "verifying",	.shown = FIX_VERIFYING,	.may_be_armed = true },
	[DEV_VERIFIED]		= { .name = "verified",		.shown = FIX_VERIFIED,	.may_be_armed = true },
	[DEV_KEEPING]		= { .name = "keeping",		.shown = FIX_VERIFIED,	.may_be_armed = true },
	[DEV_KEEP_UNCONFIRMED]	= { .name = "keep unconfirmed",	.shown = FIX_VERIFIED,	.may_be_armed = true, .is_settling = true },
	[DEV_KEPT]		= { .name = "kept",		.shown = FIX_KEPT },
	[DEV_KEPT_UNCONFIRMED]	= { .name = "kept unconfirmed",	.shown = FIX_KEPT,	.is_settling = true },
	[DEV_SAVED]		= { .name = "saved",		.shown = FIX_SAVED },
	[DEV_ROLLING_BACK]	= { .name = "rolling back",	.shown = FIX_UNDOING,	.may_be_armed = true, .is_settling = true },
	[DEV_INVERSE_DUE]	= { .name = "inverse due",	.shown = FIX_UNDOING },
	[DEV_INVERTING]		= { .name = "inverting",	.shown = FIX_UNDOING },
	[DEV_NOT_BEGUN]		= { .name = "not begun",	.shown = FIX_PLANNED,	    .is_final = true },
	[DEV_NOTHING_TO_DO]	= { .name = "nothing to do",	.shown = FIX_NOTHING_TO_DO, .is_final = true },
	[DEV_ROLLED_BACK]	= { .name = "rolled back",	.shown = FIX_UNDONE,	    .is_final = true },
	[DEV_REFUSED]		= { .name = "refused",		.shown = FIX_REFUSED,	    .is_final = true },
	[DEV_NOT_REACHED]	= { .name = "not reached",	.shown = FIX_NOT_REACHED,   .is_final = true },
	[DEV_UNKNOWN]		= { .name = "unknown",		.shown = FIX_UNKNOWN,	    .is_final = true },
	[DEV_MIXED]		= { .name = "mixed",		.shown = FIX_MIXED,	    .is_final = true },
};

/* KEPT and SAVED are decided, but not final: half a wave is rolled back by an inverse plan. */
const struct fix_transition fix_transitions[] = {
	/* Reading. A second read follows when a timer fired between the first and the query of lock and timer. */
	{ DEV_UNREAD,		EVENT_READ_BEGUN,	  DEV_READING },
	{ DEV_AS_BEFORE,	EVENT_READ_BEGUN,	  DEV_READING },
	{ DEV_PREFLIGHT,	EVENT_READ_BEGUN,	  DEV_READING },
	{ DEV_READING,		EVENT_FOUND_BEFORE,	  DEV_AS_BEFORE },
	{ DEV_READING,		EVENT_QUERY_BEGUN,	  DEV_PREFLIGHT },
	{ DEV_READING,		EVENT_KEEP_REQUESTED,	  DEV_VERIFIED },
	{ DEV_READING,		EVENT_UNDO_REQUESTED,	  DEV_UNDO_REQUESTED },
	{ DEV_PREFLIGHT,	EVENT_FOUND_AFTER_ARMED,  DEV_APPLIED },	/* by an earlier run: verified and kept by this one */
	{ DEV_PREFLIGHT,	EVENT_FOUND_AFTER_FREE,	  DEV_NOTHING_TO_DO },

	/* FIXER_LOOK and FIXER_KEEP: the state that an earlier run left. */
	{ DEV_READING,		EVENT_FOUND_BEFORE_ARMED, DEV_ARMED },
	{ DEV_READING,		EVENT_FOUND_BEFORE_FREE,  DEV_ROLLED_BACK },
	{ DEV_READING,		EVENT_FOUND_AFTER,	  DEV_APPLIED },
	{ DEV_READING,		EVENT_FOUND_AFTER_ARMED,  DEV_VERIFIED },
	{ DEV_READING,		EVENT_FOUND_AFTER_FREE,	  DEV_KEPT },
	{ DEV_READING,		EVENT_FOUND_OTHER,	  DEV_MIXED },
	{ DEV_READING,		EVENT_DOUBTED,		  DEV_UNKNOWN },

	/* Not changed by this run. */
	{ DEV_UNREAD,		EVENT_LEFT_ALONE,	  DEV_NOT_BEGUN },
	{ DEV_READING,		EVENT_LEFT_ALONE,	  DEV_NOT_BEGUN },
	{ DEV_PREFLIGHT,	EVENT_LEFT_ALONE,	  DEV_NOT_BEGUN },
	{ DEV_AS_BEFORE,	EVENT_LEFT_ALONE,	  DEV_NOT_BEGUN },
	{ DEV_UNREAD,		EVENT_REFUSED,		  DEV_REFUSED },
	{ DEV_READING,		EVENT_REFUSED,		  DEV_REFUSED },
	{ DEV_PREFLIGHT,	EVENT_REFUSED,		  DEV_REFUSED },
	{ DEV_AS_BEFORE,	EVENT_REFUSED,		  DEV_REFUSED },
	{ DEV_RELEASED,		EVENT_REFUSED,		  DEV_REFUSED },
	{ DEV_READING,		EVENT_UNREACHED,	  DEV_NOT_REACHED },
	{ DEV_AS_BEFORE,	EVENT_UNREACHED,	  DEV_NOT_REACHED },
	{ DEV_RELEASED,		EVENT_UNREACHED,	  DEV_NOT_REACHED },	/* a session that reported no host key */

	/* Arm, apply, verify. */
	{ DEV_AS_BEFORE,	EVENT_ARM_SENT,		  DEV_ARMING },
	{ DEV_ARMING,		EVENT_ARM_FAILED,	  DEV_AS_BEFORE },
	{ DEV_ARMING,		EVENT_ARM_CONFIRMED,	  DEV_ARMED },
	{ DEV_ARMED,		EVENT_RELEASED,		  DEV_RELEASED },
	{ DEV_ARMED,		EVENT_APPLY_BEGUN,	  DEV_APPLYING },
	{ DEV_APPLYING,		EVENT_LINES_DONE,	  DEV_APPLIED },
	{ DEV_APPLIED,		EVENT_VERIFY_BEGUN,	  DEV_VERIFYING },
	{ DEV_VERIFYING,	EVENT_VERIFY_HELD,	  DEV_VERIFIED },

	/* Keep and save. The keep command is idempotent: it is sent again when its answer was lost. */
	{ DEV_VERIFIED,		EVENT_KEEP_SENT,	  DEV_KEEPING },
	{ DEV_KEEPING,		EVENT_KEEP_SENT,	  DEV_KEEPING },
	{ DEV_KEPT,		EVENT_KEEP_SENT,	  DEV_KEPT },
	{ DEV_VERIFIED,		EVENT_KEEP_CONFIRMED,	  DEV_KEPT },		/* by an earlier run */
	{ DEV_KEEPING,		EVENT_KEEP_CONFIRMED,	  DEV_KEPT },
	{ DEV_KEPT,		EVENT_KEEP_CONFIRMED,	  DEV_KEPT },
	{ DEV_VERIFIED,		EVENT_FOUND_AFTER_FREE,	  DEV_KEPT },		/* it restarted since; FIXER_KEEP */
	{ DEV_KEEPING,		EVENT_FOUND_AFTER_FREE,	  DEV_KEPT },
	{ DEV_VERIFIED,		EVENT_SAVE_DONE,	  DEV_SAVED },
	{ DEV_KEEPING,		EVENT_SAVE_DONE,	  DEV_SAVED },
	{ DEV_KEPT,		EVENT_SAVE_DONE,	  DEV_SAVED },
	{ DEV_VERIFIED,		EVENT_DOUBTED,		  DEV_UNKNOWN },	/* kept, not known to be saved */
	{ DEV_KEEPING,		EVENT_DOUBTED,		  DEV_UNKNOWN },
	{ DEV_KEPT,		EVENT_DOUBTED,		  DEV_UNKNOWN },
	{ DEV_VERIFIED,		EVENT_KEEP_LOST,	  DEV_KEEP_UNCONFIRMED },
	{ DEV_KEEPING,		EVENT_KEEP_LOST,	  DEV_KEEP_UNCONFIRMED },
	{ DEV_KEPT,		EVENT_KEEP_LOST,	  DEV_KEPT_UNCONFIRMED },

	/* Roll back whatever may be armed. */
	{ DEV_UNDO_REQUESTED,	EVENT_ROLLBACK_BEGUN,	  DEV_ROLLING_BACK },
	{ DEV_ARMING,		EVENT_ROLLBACK_BEGUN,	  DEV_ROLLING_BACK },
	{ DEV_ARMED,		EVENT_ROLLBACK_BEGUN,	  DEV_ROLLING_BACK },
	{ DEV_APPLYING,		EVENT_ROLLBACK_BEGUN,	  DEV_ROLLING_BACK },
	{ DEV_APPLIED,		EVENT_ROLLBACK_BEGUN,	  DEV_ROLLING_BACK },
	{ DEV_VERIFYING,	EVENT_ROLLBACK_BEGUN,	  DEV_ROLLING_BACK },
	{ DEV_VERIFIED,		EVENT_ROLLBACK_BEGUN,	  DEV_ROLLING_BACK },

	/* Settle: the device is read after its timer and its undo have ended. */
	{ DEV_ROLLING_BACK,	EVENT_SETTLED_BEFORE,	  DEV_ROLLED_BACK },
	{ DEV_KEEP_UNCONFIRMED,	EVENT_SETTLED_BEFORE,	  DEV_ROLLED_BACK },
	{ DEV_KEPT_UNCONFIRMED,	EVENT_SETTLED_BEFORE,	  DEV_ROLLED_BACK },
	{ DEV_ROLLING_BACK,	EVENT_SETTLED_AFTER,	  DEV_KEPT },		/* too late: the device had decided to keep */
	{ DEV_KEEP_UNCONFIRMED,	EVENT_SETTLED_AFTER,	  DEV_KEPT },
	{ DEV_KEPT_UNCONFIRMED,	EVENT_SETTLED_AFTER,	  DEV_KEPT },
	{ DEV_ROLLING_BACK,	EVENT_SETTLED_OTHER,	  DEV_MIXED },
	{ DEV_KEEP_UNCONFIRMED,	EVENT_SETTLED_OTHER,	  DEV_MIXED },
	{ DEV_KEPT_UNCONFIRMED,	EVENT_SETTLED_OTHER,	  DEV_MIXED },
	{ DEV_ROLLING_BACK,	EVENT_DOUBTED,		  DEV_UNKNOWN },
	{ DEV_KEEP_UNCONFIRMED,	EVENT_DOUBTED,		  DEV_UNKNOWN },
	{ DEV_KEPT_UNCONFIRMED,	EVENT_DOUBTED,		  DEV_UNKNOWN },

	/* What was kept is rolled back by an inverse plan. */
	{ DEV_ROLLING_BACK,	EVENT_INVERSE_NEEDED,	  DEV_INVERSE_DUE },
	{ DEV_INVERSE_DUE,	EVENT_INVERSE_BEGUN,	  DEV_INVERTING },
	{ DEV_KEPT,		EVENT_INVERSE_BEGUN,	  DEV_INVERTING },
	{ DEV_SAVED,		EVENT_INVERSE_BEGUN,	  DEV_INVERTING },
	{ DEV_INVERTING,	EVENT_INVERSE_DONE,	  DEV_ROLLED_BACK },
	{ DEV_INVERTING,	EVENT_INVERSE_FAILED,	  DEV_KEPT },
	{ DEV_INVERTING,	EVENT_REFUSED,		  DEV_REFUSED },
	{ DEV_INVERTING,	EVENT_UNREACHED,	  DEV_NOT_REACHED },
	{ DEV_INVERTING,	EVENT_DOUBTED,		  DEV_UNKNOWN },
	{ DEV_INVERTING,	EVENT_SETTLED_OTHER,	  DEV_MIXED },
};
const size_t n_fix_transitions = sizeof(fix_transitions) / sizeof(*fix_transitions);

void fix_state_move(enum fix_device_state *state, enum fix_device_event event)
{
	for (size_t i = 0; i < n_fix_transitions; i++)
		if (fix_transitions[i].from == *state && fix_transitions[i].event == event) {
			*state = fix_transitions[i].to;
			return;
		}
	assert(!"the table of transitions has no such move");
}
