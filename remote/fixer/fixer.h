/*
 * The fixer carries a plan to its devices: reads them, compares with what the plan was made from, locks, arms undo on the
 * device, says the lines one by one, looks again over a new connection, and keeps it or takes it back. Every device ends as
 * it was or as planned, and the fixer says which; where it cannot know it says unknown, and reading settles it.
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
	FIXER_APPLY,		/* units wave by wave; a failure takes its wave back and ends it */
	FIXER_REHEARSE,		/* dry run: reads, compares, and says what it would do */
	FIXER_LOOK,		/* which state each device is in: before, after, mixed */
	FIXER_KEEP,		/* of an earlier apply that waits */
	FIXER_UNDO,		/* by the armed undo, or where it was kept by the plan's own undo lines */
};

enum fix_state {		/* of one step */
	FIX_PLANNED, FIX_READING, FIX_NOTHING_TO_DO, FIX_ARMED, FIX_APPLYING, FIX_APPLIED, FIX_VERIFYING, FIX_VERIFIED,
	FIX_KEPT, FIX_SAVED, FIX_UNDOING, FIX_UNDONE, FIX_REFUSED, FIX_NOT_REACHED, FIX_UNKNOWN, FIX_MIXED,
	FIX_STATES
};
const char *fix_state_word(enum fix_state s);		/* "armed" */
bool fix_state_is_final(enum fix_state s);

/* One thing that happened, for the journal: on disk before anything else is sent. */
struct fix_event {
	const char *plan, *hash;
	size_t step;			/* or SIZE_MAX: of the whole */
	const char *device, *hostkey;
	const char *kind;		/* "state", "command", "begin", "end" */
	const char *text;		/* the state's word with its reason, the exact command */
	int status;			/* of a command; -1: not known */
	struct span output;		/* of a command, cut */
	const char *setup_hash;		/* SHA-256 of what was read back; or NULL */
};

struct fixer_options {
	enum fixer_goal goal;
	struct poller_options poller;
	int64_t confirm_us;		/* until the device takes it back by itself; 0: 600 s */
	bool waits;			/* for fixer_keep() after each wave; else keeps what was verified */
	bool without_undo;		/* the person takes it upon himself: devices that cannot be armed are changed all the same */
	const char *management;		/* "node1 eth0": a port of the management path that may be touched, or NULL */
	const char *owner;		/* "alice@console1 pid 4711" */
	bool skips_save;
};

struct fixer_hooks {
	void *ctx;
	/* True: it is on disk. False: nothing more is sent; what is armed takes itself back. */
	bool (*journal)(void *ctx, const struct fix_event *e);
	void (*observed)(void *ctx, struct obs *o);	/* what it read, for the model of who watches; may be NULL */
	void (*changed)(void *ctx);			/* a state, a line, a countdown: draw when you like */
	void (*ask)(void *ctx, unsigned id, const struct question *q);	/* may be NULL */
	void (*ended)(void *ctx);			/* nothing more will happen; then fixer_free() */
};

/* plan, policy, inventory and permit (FIXER_REHEARSE and FIXER_LOOK need none: NULL) are lent until it has ended. */
struct fixer *fixer_new(uv_loop_t *loop, const struct fix_plan *plan, const struct policy *policy,
			const struct inventory *inv, const struct write_permit *permit,
			const struct fixer_options *options, const struct fixer_hooks *hooks);
void fixer_free(struct fixer *f);	/* at once, as a kill would; timers on devices go on */

void fixer_keep(struct fixer *f);	/* what waits is kept, and the next wave begins */
void fixer_undo(struct fixer *f);	/* what was begun is taken back, nothing new begins */
void fixer_answer(struct fixer *f, unsigned id, const char *text);

/* How it goes with one step. */
struct fix_progress {
	enum fix_state state;
	char words[512];		/* "line 2 of 4", "refused: eth2 was changed meanwhile", … */
	size_t lines_done;
	int64_t undo_at_us;		/* by the monotonic clock: when the device takes it back; 0: nothing is armed */
	int64_t verify_until_us;
	const char *diff;		/* of a stale base or a mixed state: "- " and "+ " lines; or NULL */
};
void fixer_progress(const struct fixer *f, size_t step, struct fix_progress *out);
bool fixer_is_waiting(const struct fixer *f);	/* for fixer_keep() */
bool fixer_has_ended(const struct fixer *f);

enum fixer_end {
	FIXER_DONE,		/* every device as planned, or was so already */
	FIXER_TAKEN_BACK,	/* failed, and every device is as it was, seen so */
	FIXER_DOUBT,		/* some device is unknown or mixed: a person is needed */
	FIXER_REFUSED,		/* stale, locked by another, management path, not armed, no permit: nothing was changed */
	FIXER_NOT_REACHED,	/* nothing was changed */
	FIXER_PARTLY,		/* earlier waves as planned and kept, the rest as it was; of an undo: some are as before, some are not */
};
enum fixer_end fixer_end(const struct fixer *f);

#endif
