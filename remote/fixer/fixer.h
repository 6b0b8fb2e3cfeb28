/*
 * The fixer carries out a plan: it reads the devices, compares them with the plan's base, locks each device and arms a rollback
 * timer on it, sends the lines one by one, verifies over a new connection, and keeps the change or rolls it back. Every device
 * ends as before or as planned, and the fixer reports which; where it cannot know, it reports unknown, and a later read
 * (FIXER_LOOK) resolves it.
 */
#ifndef REMOTE_FIXER_FIXER_H
#define REMOTE_FIXER_FIXER_H

#include "core/fix/plan.h"
#include "core/model/model.h"
#include "core/policy/policy.h"
#include "remote/poll/poller.h"
#include "remote/talk/write_permit.h"

struct fixer;

enum fixer_goal {
	FIXER_APPLY,		/* units, batch by batch; a failure rolls its batch back and ends the run */
	FIXER_REHEARSE,		/* dry run: reads, compares, and reports what an apply would do */
	FIXER_LOOK,		/* which state each device is in: before, after, mixed */
	FIXER_KEEP,		/* keeps an earlier apply that is waiting for confirmation */
	FIXER_UNDO,		/* rolls back by the armed undo script or, where the change was kept, by an inverse plan */
	FIXER_FINISH,		/* units that an earlier run left half: commits or applies again what is missing, or rolls all back */
};

enum fix_state {		/* of one step, as people see it; remote/fixer/state.h subdivides them */
	FIX_PLANNED, FIX_READING, FIX_NOTHING_TO_DO, FIX_ARMED, FIX_APPLYING, FIX_APPLIED, FIX_VERIFYING, FIX_VERIFIED,
	FIX_KEPT, FIX_SAVED, FIX_UNDOING, FIX_UNDONE,
	FIX_BEFORE,		/* read as before the plan; no rollback of it is known */
	FIX_REFUSED, FIX_NOT_REACHED, FIX_UNKNOWN, FIX_MIXED,
	FIX_HALF,		/* its own state is known; the other end of its link is in another one */
	FIX_STATES
};
const char *fix_state_word(enum fix_state s);		/* "armed", "kept": in JSON and in the audit */
const char *fix_state_says(enum fix_state s);		/* "timer armed", "committed": what a person reads */
bool fix_state_is_final(enum fix_state s);
bool fix_state_is_back(enum fix_state s);		/* as before the plan, and final */

/* One journal entry: on disk before anything else is sent. */
struct fix_event {
	const char *plan, *hash;
	size_t step;			/* or SIZE_MAX: the whole run */
	const char *device, *hostkey;
	const char *kind;		/* "state", "arm", "command", "answer", "disarm", "inverse", "begin", "end" */
	const char *text;		/* the state's word and reason, or the exact command */
	int status;			/* of a command; -1: not known */
	struct span output;		/* of a command, truncated */
	const char *setup_hash;		/* SHA-256 of the configuration that was read back; or NULL */
};

struct fixer_options {
	enum fixer_goal goal;
	struct poller_options poller;
	int64_t confirm_us;		/* until the device rolls back by itself; 0: 600 s */
	bool waits;			/* waits for fixer_keep() after each batch; otherwise keeps what is verified */
	bool without_undo;		/* the operator waived the timer: change devices that cannot be armed, too */
	const char *management;		/* "node1 eth0": the ports of the management path that may be touched; or NULL */
	const char *owner;		/* "alice@console1 pid 4711" */
	bool skips_save;
	bool was_applied;		/* the audit has lines of this plan that were sent; else a device must show that it committed it */
};

struct fixer_hooks {
	void *ctx;
	/* True: it is on disk. False: nothing more is sent, and whatever is armed rolls back by itself. */
	bool (*journal)(void *ctx, const struct fix_event *e);
	void (*observed)(void *ctx, struct obs *o);	/* what the fixer reads, for the model of the screen; may be NULL */
	void (*changed)(void *ctx);			/* a state, a line or a countdown changed: redraw when convenient */
	void (*ask)(void *ctx, unsigned id, const struct question *q);	/* may be NULL */
	void (*ended)(void *ctx);			/* nothing more happens; call fixer_free() */
};

/* plan, policy, inventory and permit are lent until the end. FIXER_REHEARSE and FIXER_LOOK need no permit: NULL. */
struct fixer *fixer_new(uv_loop_t *loop, const struct fix_plan *plan, const struct policy *policy,
			const struct inventory *inv, const struct write_permit *permit,
			const struct fixer_options *options, const struct fixer_hooks *hooks);
void fixer_free(struct fixer *f);	/* stops at once, as a kill would; timers on devices keep running */

void fixer_keep(struct fixer *f);	/* keeps the waiting batch, and starts the next */
void fixer_undo(struct fixer *f);	/* rolls back what was started, and starts nothing more */
void fixer_answer(struct fixer *f, unsigned id, const char *text);

/* The progress of one step. */
struct fix_progress {
	enum fix_state state;
	char words[512];		/* "line 2 of 4", "refused: eth2 was changed meanwhile", ... */
	size_t lines_done;
	int64_t undo_at_us;		/* when the device rolls back by itself, monotonic; 0: nothing is armed */
	int64_t verify_until_us;
	const char *diff;		/* of a stale base or a mixed state: "- " and "+ " lines; or NULL */
};
void fixer_progress(const struct fixer *f, size_t step, struct fix_progress *out);
bool fixer_is_waiting(const struct fixer *f);	/* for fixer_keep() */

enum fixer_end {
	FIXER_DONE,		/* every device is as planned, or already was */
	FIXER_TAKEN_BACK,	/* the apply failed, and every device was read as before */
	FIXER_DOUBT,		/* a device is unknown or mixed: a person must look */
	FIXER_REFUSED,		/* stale, locked by another, management path, not armed, no permit: nothing was changed */
	FIXER_NOT_REACHED,	/* nothing was changed */
	FIXER_PARTLY,		/* apply: earlier batches are kept, the rest is as before. undo: some devices are as before, some not */
	FIXER_UNSAVED,		/* every device is as planned and committed, and one refused to save it */
	FIXER_HALF,		/* only one end of a link is committed or as planned: FIXER_FINISH, or a person */
	FIXER_HALF_OPEN,	/* the same, neither end is committed, and no timer ends it: it is to be rolled back */
	FIXER_NOT_UNDONE,	/* undo: what its commands had changed was taken back; some device is as planned still */
	FIXER_HALF_TIMED,	/* the same, and neither end is committed: the rollback timers end it by themselves */
};
enum fixer_end fixer_end(const struct fixer *f);

#endif
