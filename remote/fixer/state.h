/*
 * The states of one device while a plan is carried out, and every transition between them. People see fewer states (enum
 * fix_state): planned, armed, applied, verified, kept, rolled back, unknown … Each of those is several states here where the
 * fixer must act differently. Only data: no I/O, no clock.
 */
#ifndef REMOTE_FIXER_STATE_H
#define REMOTE_FIXER_STATE_H

#include "remote/fixer/fixer.h"

enum fix_device_state {
	DEV_UNREAD,		/* this run has not read the device */
	DEV_READING,		/* the device is being read */
	DEV_PREFLIGHT,		/* the read differs from the plan's "before": its lock and its timer are being queried */
	DEV_AS_BEFORE,		/* read: as before the plan; this run has armed nothing */
	DEV_UNDO_REQUESTED,	/* read, to roll back an earlier run, whose rollback timer may still run */
	DEV_ARMING,		/* arm command sent; no confirmation yet */
	DEV_ARMED,		/* locked; the device lists its rollback timer, or the operator asked for none (--no-undo) */
	DEV_RELEASED,		/* armed, but the read under the lock differs from the plan: timer canceled, nothing applied */
	DEV_APPLYING,
	DEV_APPLIED,		/* the device accepted every line */
	DEV_VERIFYING,
	DEV_VERIFIED,
	DEV_KEEP_REQUESTED,	/* fabcon keep: the read is as an earlier run planned it; this run has verified nothing */
	DEV_KEEPING,		/* keep command sent; not confirmed yet */
	DEV_KEEP_UNCONFIRMED,	/* keep command sent, never confirmed: the device may have rolled back; a read shows it */
	DEV_KEPT,		/* the device confirmed that it keeps the change and that its timer is gone */
	DEV_KEPT_UNCONFIRMED,	/* kept, but no longer on record there: it restarted before the save; a read shows its state */
	DEV_SAVED,		/* kept, and in its startup configuration */
	DEV_COMMITTED_EARLIER,	/* read: as planned; an earlier run committed it, and another device of its unit is not there yet */
	DEV_ROLLING_BACK,	/* by command or by the device's timer; not read back yet */
	DEV_INVERSE_DUE,	/* kept by an earlier run, so its undo script is gone: an inverse plan must roll it back */
	DEV_INVERTING,		/* an inverse plan (the change backwards, as a plan of its own) is being carried out */
	DEV_NOT_BEGUN,		/* not changed; the plan can be applied later */
	DEV_NOTHING_TO_DO,	/* read: as planned already, and not armed */
	DEV_ROLLED_BACK,	/* read back: as before the plan */
	DEV_BEFORE,		/* read: as before the plan; this run rolled nothing back, and the device has no record of a rollback */
	DEV_REFUSED,
	DEV_NOT_REACHED,
	DEV_UNKNOWN,		/* the device could not be read, or did not report what is needed to decide */
	DEV_MIXED,		/* read: neither as before nor as planned, or not as the device reported its rollback */
	DEV_HALF,		/* its own state is known, but another device of its unit is in a different one (unit.c) */
	DEV_STATES
};

enum fix_device_event {
	EVENT_READ_BEGUN,
	/* What a read found, and what the query of lock and timer found if one was made (ARMED, FREE). */
	EVENT_FOUND_BEFORE,		/* as before the plan; timer not queried, or the query failed */
	EVENT_FOUND_BEFORE_ARMED,
	EVENT_FOUND_BEFORE_FREE,	/* as before; nothing is armed */
	EVENT_FOUND_ROLLED_BACK,	/* as before, and the device has a record of the rollback */
	EVENT_FOUND_AFTER,		/* as planned; timer not queried, or the query failed */
	EVENT_FOUND_AFTER_ARMED,
	EVENT_FOUND_AFTER_BY_OTHERS,	/* as planned, and not by this plan */
	EVENT_FOUND_AFTER_FREE,
	EVENT_FOUND_OTHER,		/* neither as before nor as planned */
	EVENT_FOUND_COMMITTED,		/* as planned, by the keep of an earlier run of this plan */
	EVENT_QUERY_BEGUN,		/* lock and timer are queried before any change */
	EVENT_KEEP_REQUESTED,		/* fabcon keep: found as an earlier run planned it */
	EVENT_UNDO_REQUESTED,		/* fabcon undo */
	/* The run ends for this device without changing it, or without knowing its state. */
	EVENT_LEFT_ALONE,
	EVENT_REFUSED,
	EVENT_UNREACHED,
	EVENT_DOUBTED,			/* its state cannot be determined */
	/* The change. */
	EVENT_ARM_SENT,
	EVENT_ARM_FAILED,		/* the device reports that no timer runs */
	EVENT_ARM_CONFIRMED,
	EVENT_RELEASED,			/* timer canceled and lock removed before any line was sent */
	EVENT_APPLY_BEGUN,
	EVENT_LINES_DONE,
	EVENT_VERIFY_BEGUN,
	EVENT_VERIFY_HELD,
	EVENT_KEEP_SENT,
	EVENT_KEEP_CONFIRMED,
	EVENT_KEEP_LOST,		/* the device did not confirm the keep, or no longer has a record of it */
	EVENT_SAVE_DONE,
	/* The rollback. */
	EVENT_ROLLBACK_BEGUN,
	EVENT_SETTLED_BEFORE,		/* read after timer and undo have ended: as before */
	EVENT_SETTLED_UNTOUCHED,	/* as before, and nothing was rolled back */
	EVENT_SETTLED_AFTER,
	EVENT_SETTLED_OTHER,
	EVENT_INVERSE_NEEDED,
	EVENT_INVERSE_BEGUN,
	EVENT_INVERSE_DONE,
	EVENT_INVERSE_FAILED,		/* the device is still as planned and kept */
	/* The end of a run: the devices of one unit are compared. */
	EVENT_UNIT_HALF,		/* some are as planned and others are not, or some are committed and others not yet */
	EVENT_UNIT_DOUBTED,		/* another device is committed, and whether this one is cannot be determined */
	DEV_EVENTS
};

struct fix_device_row {
	const char *name;		/* for tests; people see the word of .shown */
	enum fix_state shown;
	bool is_final;			/* this run leaves the device in this state */
	bool can_roll_back;		/* its timer may run: when a device of the batch fails, this one is rolled back */
	bool is_settling;		/* unknown until the device is read after its timer and its undo have ended */
};
extern const struct fix_device_row fix_device_table[DEV_STATES];

struct fix_transition {
	enum fix_device_state from;
	enum fix_device_event event;
	enum fix_device_state to;
};
extern const struct fix_transition fix_transitions[];
extern const size_t n_fix_transitions;

/* The only function that writes a device's state. Aborts when the table has no such transition. */
void fix_state_move(enum fix_device_state *state, enum fix_device_event event);

#endif
