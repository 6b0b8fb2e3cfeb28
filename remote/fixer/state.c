#include "remote/fixer/state.h"

#include <assert.h>

const struct fix_device_row fix_device_table[DEV_STATES] = {
	[DEV_UNREAD]		= { .name = "unread",		.shown = FIX_PLANNED },
	[DEV_READING]		= { .name = "reading",		.shown = FIX_READING },
	[DEV_PREFLIGHT]		= { .name = "preflight",	.shown = FIX_READING },
	[DEV_AS_BEFORE]		= { .name = "as before",	.shown = FIX_PLANNED },
	[DEV_UNDO_REQUESTED]	= { .name = "undo requested",	.shown = FIX_READING,	.can_roll_back = true },
	[DEV_ARMING]		= { .name = "arming",		.shown = FIX_PLANNED,	.can_roll_back = true },
	[DEV_ARMED]		= { .name = "armed",		.shown = FIX_ARMED,	.can_roll_back = true },
	[DEV_RELEASED]		= { .name = "released",		.shown = FIX_ARMED },
	[DEV_APPLYING]		= { .name = "applying",		.shown = FIX_APPLYING,	.can_roll_back = true },
	[DEV_APPLIED]		= { .name = "applied",		.shown = FIX_APPLIED,	.can_roll_back = true },
	[DEV_VERIFYING]		= { .name = "verifying",	.shown = FIX_VERIFYING,	.can_roll_back = true },
	[DEV_VERIFIED]		= { .name = "verified",		.shown = FIX_VERIFIED,	.can_roll_back = true },
	[DEV_KEEP_REQUESTED]	= { .name = "keep requested",	.shown = FIX_APPLIED },
	[DEV_KEEPING]		= { .name = "keeping",		.shown = FIX_VERIFIED },
	[DEV_KEEP_UNCONFIRMED]	= { .name = "keep unconfirmed",	.shown = FIX_APPLIED,	.is_settling = true },
	[DEV_KEPT]		= { .name = "kept",		.shown = FIX_KEPT },
	[DEV_KEPT_UNCONFIRMED]	= { .name = "kept unconfirmed",	.shown = FIX_APPLIED,	.is_settling = true },
	[DEV_SAVED]		= { .name = "saved",		.shown = FIX_SAVED },
	[DEV_COMMITTED_EARLIER]	= { .name = "committed earlier", .shown = FIX_NOTHING_TO_DO },
	[DEV_ROLLING_BACK]	= { .name = "rolling back",	.shown = FIX_UNDOING,	.is_settling = true },
	[DEV_INVERSE_DUE]	= { .name = "inverse due",	.shown = FIX_UNDOING },
	[DEV_INVERTING]		= { .name = "inverting",	.shown = FIX_UNDOING },
	[DEV_NOT_BEGUN]		= { .name = "not begun",	.shown = FIX_PLANNED,	    .is_final = true },
	[DEV_NOTHING_TO_DO]	= { .name = "nothing to do",	.shown = FIX_NOTHING_TO_DO, .is_final = true },
	[DEV_ROLLED_BACK]	= { .name = "rolled back",	.shown = FIX_UNDONE,	    .is_final = true },
	[DEV_BEFORE]		= { .name = "before",		.shown = FIX_BEFORE,	    .is_final = true },
	[DEV_REFUSED]		= { .name = "refused",		.shown = FIX_REFUSED,	    .is_final = true },
	[DEV_NOT_REACHED]	= { .name = "not reached",	.shown = FIX_NOT_REACHED,   .is_final = true },
	[DEV_UNKNOWN]		= { .name = "unknown",		.shown = FIX_UNKNOWN,	    .is_final = true },
	[DEV_MIXED]		= { .name = "mixed",		.shown = FIX_MIXED,	    .is_final = true },
	[DEV_HALF]		= { .name = "half",		.shown = FIX_HALF,	    .is_final = true },
};

/* KEPT and SAVED are not final: when another device of the batch has rolled back, an inverse plan rolls these back too. */
const struct fix_transition fix_transitions[] = {
	/* Reading. The device is read again when its timer fired after the read and before the query: that read is outdated. */
	{ DEV_UNREAD,		EVENT_READ_BEGUN,	  DEV_READING },
	{ DEV_AS_BEFORE,	EVENT_READ_BEGUN,	  DEV_READING },
	{ DEV_PREFLIGHT,	EVENT_READ_BEGUN,	  DEV_READING },
	{ DEV_READING,		EVENT_READ_BEGUN,	  DEV_READING },		/* verify --finish: its unit is next */
	{ DEV_READING,		EVENT_FOUND_BEFORE,	  DEV_AS_BEFORE },
	{ DEV_READING,		EVENT_QUERY_BEGUN,	  DEV_PREFLIGHT },
	{ DEV_READING,		EVENT_KEEP_REQUESTED,	  DEV_KEEP_REQUESTED },
	{ DEV_READING,		EVENT_UNDO_REQUESTED,	  DEV_UNDO_REQUESTED },
	{ DEV_PREFLIGHT,	EVENT_FOUND_AFTER_ARMED,  DEV_APPLIED },	/* verify --finish: by an earlier run; now verified and kept */
	{ DEV_PREFLIGHT,	EVENT_FOUND_AFTER_FREE,	  DEV_NOTHING_TO_DO },
	{ DEV_PREFLIGHT,	EVENT_FOUND_COMMITTED,	  DEV_COMMITTED_EARLIER },

	/* fabcon verify and fabcon keep: the state that an earlier run left. */
	{ DEV_READING,		EVENT_FOUND_BEFORE_ARMED, DEV_ARMED },
	{ DEV_READING,		EVENT_FOUND_BEFORE_FREE,  DEV_BEFORE },
	{ DEV_READING,		EVENT_FOUND_ROLLED_BACK,  DEV_ROLLED_BACK },
	{ DEV_READING,		EVENT_FOUND_AFTER,	  DEV_APPLIED },
	{ DEV_READING,		EVENT_FOUND_AFTER_ARMED,  DEV_VERIFIED },
	{ DEV_READING,		EVENT_FOUND_AFTER_FREE,	  DEV_KEPT },
	{ DEV_READING,		EVENT_FOUND_AFTER_BY_OTHERS, DEV_NOTHING_TO_DO },
	{ DEV_READING,		EVENT_FOUND_OTHER,	  DEV_MIXED },
	{ DEV_READING,		EVENT_DOUBTED,		  DEV_UNKNOWN },

	/* Ends of a device that this run does not change. */
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

	/* Arm, apply, verify. */
	{ DEV_AS_BEFORE,	EVENT_ARM_SENT,		  DEV_ARMING },
	{ DEV_ARMING,		EVENT_ARM_FAILED,	  DEV_AS_BEFORE },
	{ DEV_ARMING,		EVENT_ARM_CONFIRMED,	  DEV_ARMED },
	{ DEV_ARMED,		EVENT_RELEASED,		  DEV_RELEASED },
	{ DEV_ARMED,		EVENT_APPLY_BEGUN,	  DEV_APPLYING },
	{ DEV_APPLYING,		EVENT_LINES_DONE,	  DEV_APPLIED },
	{ DEV_APPLIED,		EVENT_VERIFY_BEGUN,	  DEV_VERIFYING },
	{ DEV_VERIFYING,	EVENT_VERIFY_HELD,	  DEV_VERIFIED },

	/* Keep and save. When the reply to a keep is lost, the keep is sent again; the second has no further effect. */
	{ DEV_VERIFIED,		EVENT_KEEP_SENT,	  DEV_KEEPING },
	{ DEV_KEEPING,		EVENT_KEEP_SENT,	  DEV_KEEPING },
	{ DEV_KEPT,		EVENT_KEEP_SENT,	  DEV_KEPT },
	{ DEV_KEEP_REQUESTED,	EVENT_KEEP_SENT,	  DEV_KEEPING },
	{ DEV_COMMITTED_EARLIER, EVENT_KEEP_SENT,	  DEV_KEPT },		/* again, to save it under the lock */
	{ DEV_COMMITTED_EARLIER, EVENT_KEEP_CONFIRMED,	  DEV_KEPT },		/* and it could not be saved */
	{ DEV_VERIFIED,		EVENT_KEEP_CONFIRMED,	  DEV_KEPT },
	{ DEV_KEEP_REQUESTED,	EVENT_KEEP_CONFIRMED,	  DEV_KEPT },		/* an earlier run had sent the keep */
	{ DEV_KEEPING,		EVENT_KEEP_CONFIRMED,	  DEV_KEPT },
	{ DEV_KEPT,		EVENT_KEEP_CONFIRMED,	  DEV_KEPT },
	{ DEV_KEEP_REQUESTED,	EVENT_FOUND_AFTER_FREE,	  DEV_KEPT },		/* fabcon keep: the device restarted, nothing is armed */
	{ DEV_KEEPING,		EVENT_FOUND_AFTER_FREE,	  DEV_KEPT },
	{ DEV_KEPT,		EVENT_SAVE_DONE,	  DEV_SAVED },
	{ DEV_VERIFIED,		EVENT_DOUBTED,		  DEV_UNKNOWN },	/* kept, but the save is not confirmed */
	{ DEV_KEEP_REQUESTED,	EVENT_DOUBTED,		  DEV_UNKNOWN },
	{ DEV_KEEPING,		EVENT_DOUBTED,		  DEV_UNKNOWN },
	{ DEV_KEPT,		EVENT_DOUBTED,		  DEV_UNKNOWN },
	{ DEV_VERIFIED,		EVENT_KEEP_LOST,	  DEV_KEEP_UNCONFIRMED },
	{ DEV_KEEP_REQUESTED,	EVENT_KEEP_LOST,	  DEV_KEEP_UNCONFIRMED },
	{ DEV_KEEPING,		EVENT_KEEP_LOST,	  DEV_KEEP_UNCONFIRMED },
	{ DEV_KEPT,		EVENT_KEEP_LOST,	  DEV_KEPT_UNCONFIRMED },

	/* Roll back. A keep that was sent is not rolled back: its reply, or else a read (Settle), shows what the device did. */
	{ DEV_UNDO_REQUESTED,	EVENT_ROLLBACK_BEGUN,	  DEV_ROLLING_BACK },
	{ DEV_ARMING,		EVENT_ROLLBACK_BEGUN,	  DEV_ROLLING_BACK },
	{ DEV_ARMED,		EVENT_ROLLBACK_BEGUN,	  DEV_ROLLING_BACK },
	{ DEV_APPLYING,		EVENT_ROLLBACK_BEGUN,	  DEV_ROLLING_BACK },
	{ DEV_APPLIED,		EVENT_ROLLBACK_BEGUN,	  DEV_ROLLING_BACK },
	{ DEV_VERIFYING,	EVENT_ROLLBACK_BEGUN,	  DEV_ROLLING_BACK },
	{ DEV_VERIFIED,		EVENT_ROLLBACK_BEGUN,	  DEV_ROLLING_BACK },

	/* Settle: when its timer and its undo have ended, the device is read, and the read decides. */
	{ DEV_ROLLING_BACK,	EVENT_SETTLED_BEFORE,	  DEV_ROLLED_BACK },
	{ DEV_ROLLING_BACK,	EVENT_SETTLED_UNTOUCHED,  DEV_BEFORE },		/* fabcon undo: nothing of the plan was there */
	{ DEV_KEEP_UNCONFIRMED,	EVENT_SETTLED_BEFORE,	  DEV_ROLLED_BACK },
	{ DEV_KEPT_UNCONFIRMED,	EVENT_SETTLED_BEFORE,	  DEV_ROLLED_BACK },
	{ DEV_ROLLING_BACK,	EVENT_SETTLED_AFTER,	  DEV_KEPT },		/* its keep had been recorded before the rollback came */
	{ DEV_KEEP_UNCONFIRMED,	EVENT_SETTLED_AFTER,	  DEV_KEPT },
	{ DEV_KEPT_UNCONFIRMED,	EVENT_SETTLED_AFTER,	  DEV_KEPT },
	{ DEV_ROLLING_BACK,	EVENT_SETTLED_OTHER,	  DEV_MIXED },
	{ DEV_KEEP_UNCONFIRMED,	EVENT_SETTLED_OTHER,	  DEV_MIXED },
	{ DEV_KEPT_UNCONFIRMED,	EVENT_SETTLED_OTHER,	  DEV_MIXED },
	{ DEV_ROLLING_BACK,	EVENT_DOUBTED,		  DEV_UNKNOWN },
	{ DEV_KEEP_UNCONFIRMED,	EVENT_DOUBTED,		  DEV_UNKNOWN },
	{ DEV_KEPT_UNCONFIRMED,	EVENT_DOUBTED,		  DEV_UNKNOWN },

	/* A kept change no longer has an undo script: an inverse plan rolls it back. */
	{ DEV_ROLLING_BACK,	EVENT_INVERSE_NEEDED,	  DEV_INVERSE_DUE },
	{ DEV_ROLLING_BACK,	EVENT_REFUSED,		  DEV_REFUSED },	/* no record of the plan: nothing was sent */
	{ DEV_INVERSE_DUE,	EVENT_INVERSE_BEGUN,	  DEV_INVERTING },
	{ DEV_INVERSE_DUE,	EVENT_REFUSED,		  DEV_REFUSED },	/* the journal cannot be written */
	{ DEV_KEPT,		EVENT_INVERSE_BEGUN,	  DEV_INVERTING },
	{ DEV_SAVED,		EVENT_INVERSE_BEGUN,	  DEV_INVERTING },
	{ DEV_COMMITTED_EARLIER, EVENT_INVERSE_BEGUN,	  DEV_INVERTING },
	{ DEV_INVERTING,	EVENT_INVERSE_DONE,	  DEV_ROLLED_BACK },
	{ DEV_INVERTING,	EVENT_INVERSE_FAILED,	  DEV_KEPT },
	{ DEV_INVERTING,	EVENT_REFUSED,		  DEV_REFUSED },
	{ DEV_INVERTING,	EVENT_UNREACHED,	  DEV_NOT_REACHED },
	{ DEV_INVERTING,	EVENT_DOUBTED,		  DEV_UNKNOWN },
	{ DEV_INVERTING,	EVENT_SETTLED_OTHER,	  DEV_MIXED },

	/* The end of a run: what the devices of a unit are together. */
	{ DEV_KEPT,		EVENT_UNIT_HALF,	  DEV_HALF },
	{ DEV_SAVED,		EVENT_UNIT_HALF,	  DEV_HALF },
	{ DEV_COMMITTED_EARLIER, EVENT_UNIT_HALF,	  DEV_HALF },
	{ DEV_APPLIED,		EVENT_UNIT_HALF,	  DEV_HALF },
	{ DEV_VERIFIED,		EVENT_UNIT_HALF,	  DEV_HALF },
	{ DEV_ARMED,		EVENT_UNIT_HALF,	  DEV_HALF },
	{ DEV_AS_BEFORE,	EVENT_UNIT_HALF,	  DEV_HALF },
	{ DEV_NOT_BEGUN,	EVENT_UNIT_HALF,	  DEV_HALF },
	{ DEV_NOTHING_TO_DO,	EVENT_UNIT_HALF,	  DEV_HALF },
	{ DEV_ROLLED_BACK,	EVENT_UNIT_HALF,	  DEV_HALF },
	{ DEV_BEFORE,		EVENT_UNIT_HALF,	  DEV_HALF },
	{ DEV_REFUSED,		EVENT_UNIT_HALF,	  DEV_HALF },
	{ DEV_NOT_REACHED,	EVENT_UNIT_HALF,	  DEV_HALF },		/* it was read, and could not be reached again */
	{ DEV_COMMITTED_EARLIER, EVENT_UNIT_DOUBTED,	  DEV_UNKNOWN },	/* a witness that is not as it was read */
	{ DEV_NOTHING_TO_DO,	EVENT_UNIT_DOUBTED,	  DEV_UNKNOWN },
	{ DEV_APPLIED,		EVENT_UNIT_DOUBTED,	  DEV_UNKNOWN },
	{ DEV_AS_BEFORE,	EVENT_UNIT_DOUBTED,	  DEV_UNKNOWN },
	{ DEV_NOT_BEGUN,	EVENT_UNIT_DOUBTED,	  DEV_UNKNOWN },
	{ DEV_REFUSED,		EVENT_UNIT_DOUBTED,	  DEV_UNKNOWN },
	{ DEV_NOT_REACHED,	EVENT_UNIT_DOUBTED,	  DEV_UNKNOWN },
};
const size_t n_fix_transitions = sizeof(fix_transitions) / sizeof(*fix_transitions);

void fix_state_move(enum fix_device_state *state, enum fix_device_event event)
{
	for (size_t i = 0; i < n_fix_transitions; i++)
		if (fix_transitions[i].from == *state && fix_transitions[i].event == event) {
			*state = fix_transitions[i].to;
			return;
		}
	assert(!"invalid state transition");
}
