/*
 * The states of one device while a plan is carried out, and every transition between them. SAFETY.md 2.5 names the states;
 * here they are split wherever the fixer has to act differently. Pure data: no I/O, no clock.
 */
#ifndef REMOTE_FIXER_STATE_H
#define REMOTE_FIXER_STATE_H

#include "remote/fixer/fixer.h"

enum fix_device_state {
	DEV_UNREAD,		/* nothing was read in this run */
	DEV_READING,		/* the device is being read */
	DEV_PREFLIGHT,		/* read, and not as before the plan: its lock and its timer are queried */
	DEV_AS_BEFORE,		/* read, as before the plan, nothing armed */
	DEV_UNDO_REQUESTED,	/* read; a rollback was requested and its timer may be armed */
	DEV_ARMING,		/* arm command sent; no confirmation yet */
	DEV_ARMED,		/* locked, its rollback timer listed (or waived by the person) */
	DEV_RELEASED,		/* armed, then found changed under the lock: timer canceled, nothing applied */
	DEV_APPLYING,
	DEV_APPLIED,		/* every line succeeded */
	DEV_VERIFYING,
	DEV_VERIFIED,
	DEV_KEEPING,		/* keep command sent; no confirmation yet */
	DEV_KEEP_UNCONFIRMED,	/* the keep command was lost or refused: only a read shows the state */
	DEV_KEPT,		/* the device confirmed keep and that its timer is gone */
	DEV_KEPT_UNCONFIRMED,	/* kept, then the device forgot the decision (it restarted): only a read shows the state */
	DEV_SAVED,		/* kept, and written to its startup configuration */
	DEV_ROLLING_BACK,	/* rollback commanded, or left to the device's timer; not seen yet */
	DEV_INVERSE_DUE,	/* kept by an earlier run: only an inverse plan rolls it back */
	DEV_INVERTING,		/* the inverse plan is being carried out */
	DEV_NOT_BEGUN,		/* left alone; the plan may be applied another time */
	DEV_NOTHING_TO_DO,
	DEV_ROLLED_BACK,	/* read as before the plan */
	DEV_REFUSED,
	DEV_NOT_REACHED,
	DEV_UNKNOWN,
	DEV_MIXED,		/* neither as before nor as planned, or not as it reported */
	DEV_STATES
};

enum fix_device_event {
	EVENT_READ_BEGUN,
	/* A read and, where it was queried, the lock and the timer. */
	EVENT_FOUND_BEFORE,		/* as before; its timer was not queried */
	EVENT_FOUND_BEFORE_ARMED,
	EVENT_FOUND_BEFORE_FREE,	/* as before, and nothing armed */
	EVENT_FOUND_AFTER,		/* as planned; its timer was not queried */
	EVENT_FOUND_AFTER_ARMED,
	EVENT_FOUND_AFTER_FREE,
	EVENT_FOUND_OTHER,		/* neither as before nor as planned */
	EVENT_QUERY_BEGUN,		/* of lock and timer, before anything is changed */
	EVENT_KEEP_REQUESTED,		/* of an earlier run that is found as planned */
	EVENT_UNDO_REQUESTED,
	/* Ends that need no change. */
	EVENT_LEFT_ALONE,
	EVENT_REFUSED,
	EVENT_UNREACHED,
	EVENT_DOUBTED,			/* its state cannot be determined */
	/* The change. */
	EVENT_ARM_SENT,
	EVENT_ARM_FAILED,		/* the device reports that no timer runs */
	EVENT_ARM_CONFIRMED,
	EVENT_RELEASED,
	EVENT_APPLY_BEGUN,
	EVENT_LINES_DONE,
	EVENT_VERIFY_BEGUN,
	EVENT_VERIFY_HELD,
	EVENT_KEEP_SENT,
	EVENT_KEEP_CONFIRMED,
	EVENT_KEEP_LOST,
	EVENT_SAVE_DONE,
	/* The rollback. */
	EVENT_ROLLBACK_BEGUN,
	EVENT_SETTLED_BEFORE,		/* read after every timer and every undo has ended: as before */
	EVENT_SETTLED_AFTER,
	EVENT_SETTLED_OTHER,
	EVENT_INVERSE_NEEDED,
	EVENT_INVERSE_BEGUN,
	EVENT_INVERSE_DONE,
	EVENT_INVERSE_FAILED,		/* the device is still as planned and kept */
	DEV_EVENTS
};

struct fix_device_row {
	const char *name;		/* for assertions and tests; people see the word of .shown */
	enum fix_state shown;
	bool is_final;			/* this run does not change it any more */
	bool may_be_armed;		/* its timer may run: a failure must roll it back */
	bool is_settling;		/* its state is to be read from the device */
};
extern const struct fix_device_row fix_device_table[DEV_STATES];

struct fix_transition {
	enum fix_device_state from;
	enum fix_device_event event;
	enum fix_device_state to;
};
extern const struct fix_transition fix_transitions[];
extern const size_t n_fix_transitions;

/* The only writer of a device's state. Asserts that the table has this transition. */
void fix_state_move(enum fix_device_state *state, enum fix_device_event event);

#endif
