/* The parts of the fixer, for one another. */
#ifndef REMOTE_FIXER_INTERNAL_H
#define REMOTE_FIXER_INTERNAL_H

#include "remote/fixer/device_undo.h"
#include "remote/fixer/fixer.h"
#include "remote/fixer/state.h"
#include "remote/platform/dialect.h"
#include "remote/poll/write_session.h"

#define SECOND_US	INT64_C(1000000)

/* How a step's part of the configuration was, when it was last read. */
enum part_is { PART_UNREAD, PART_BEFORE, PART_AFTER, PART_OTHER, PART_UNKNOWN, PART_NOT_REACHED };

/* What is done with one device over one session. */
enum fix_job {
	JOB_APPLY,		/* look, lock and arm, read again, say the lines */
	JOB_LOOK,		/* what is armed */
	JOB_ASK,		/* whether its undo is running; nothing else is noted */
	JOB_KEEP,		/* keep, and save */
	JOB_UNDO,
};

enum fix_saying { SAYING_NOTHING, SAYING_LOOK, SAYING_SET, SAYING_LINE, SAYING_KEEP, SAYING_LEAVE_BE, SAYING_SAVE, SAYING_UNDO,
		  SAYING_RELEASE };

/* What the device reported of a step: whether it held its lock or its timer when the last job but JOB_ASK began. */
enum undo_held { HELD_NOT_REPORTED, HELD_NOTHING, HELD_LOCK, HELD_TIMER };

enum undo_decision { DECIDED_NOTHING, DECIDED_KEEP, DECIDED_UNDONE };

/* Whether its undo is running, asked by JOB_ASK while it settles. */
enum undo_run { UNDO_NOT_REPORTED, UNDO_NOT_RUNNING, UNDO_RUNNING };

/* How far the job of a wave is with one device. */
enum fix_job_state { JOB_IDLE, JOB_WANTED, JOB_RETRY, JOB_ACTIVE, JOB_DONE, JOB_FAILED };

/* A step being carried out. */
struct fix_run {
	struct fixer *fixer;
	const struct fix_step *is;
	size_t step, unit;
	enum fix_device_state state;	/* written by fix_state_move() alone */
	char words[512];
	char lasts[400];		/* what becomes of it at the next boot, by what was read last; or "" */
	size_t lines_done;
	int64_t undo_at_us;		/* by the monotonic clock; 0: nothing is armed */
	int64_t verify_until_us;
	char *diff;			/* owned, or NULL */
	char hostkey[128], setup_hash[FIX_HASH_SIZE];

	enum part_is part;
	char why[300];			/* PART_UNKNOWN, PART_NOT_REACHED; or of the job that failed */
	bool had_unsaved_changes;	/* before anything was sent there were changes that nobody had saved */

	enum undo_held held;
	enum undo_decision decision;
	enum undo_run undo;
	bool is_held_by_inverse;	/* the inverse plan now owns this device: its state is not final */
	char holder[160];		/* who carries that out, or holds the device; or "" */

	enum fix_job job;
	enum fix_job_state job_state;
	void (*job_over)(struct fix_run *r, bool is_done);
	char reason[300];		/* why it is taken back */
	struct write_session *errand;
	struct fix_reader *reader;	/* under the lock */
	enum fix_saying saying;
	const char *said;		/* of it, for the journal */
	size_t line;			/* of those to be typed or saved */

	const char **was_up;		/* its ports that were up before, owned; texts in the arena */
	size_t n_was_up, cap_was_up;
	struct fix_watch *watch;	/* of its counters while it is verified */
	int64_t seen_us;		/* since when everything is as expected; 0: not yet */
};

enum fixer_phase {
	FIXER_BEGINS, FIXER_READS, FIXER_LOOKS, FIXER_CHANGES, FIXER_VERIFIES, FIXER_WAITS, FIXER_KEEPS, FIXER_TAKES_BACK,
	FIXER_AWAITS_TIMERS, FIXER_SETTLES, FIXER_INVERTS, FIXER_IS_OVER,
	FIXER_PHASES,
};

struct fixer {
	uv_loop_t *loop;
	const struct fix_plan *plan;
	const struct policy *policy;
	const struct inventory *inv;
	const struct write_permit *permit;
	struct fixer_options options;
	struct fixer_hooks hooks;
	char hash[FIX_HASH_SIZE];
	struct fix_run *runs;		/* one each step */
	struct fix_run **set;		/* those of this wave, in order */
	size_t n_set;
	unsigned wave;

	/* Callbacks into fixer.c: goes on with the phase; makes the child that carries out the inverse plan. */
	void (*advance)(struct fixer *f);
	struct fixer *(*new_child)(struct fixer *parent, const struct fixer_options *options, const struct fixer_hooks *hooks);

	enum fixer_phase phase;
	bool has_failed;		/* something of this wave: nothing more begins */
	bool is_mute;			/* the journal failed: nothing more is written */
	bool wants_keep, wants_undo;
	bool has_looked;		/* at what is armed, in this wave */
	struct fix_reader *reader;
	int64_t until_us, again_us;	/* of the phase: its limit, and when something is tried again */
	int64_t undo_until_us, ask_us;	/* of settling: how long an undo may run, and when is read again */
	struct fix_plan *inverse;	/* owned */
	struct fixer *child;		/* carries it out, without asking who else is at its devices */
	const struct fixer *parent;
	bool child_has_ended;
	size_t *inverse_of;		/* its steps, as steps of the plan; owned */

	struct fix_question {
		const void *who;	/* whose it is, while that is there */
		unsigned id;
	} *questions;			/* ours are their places, from 1 */
	size_t n_questions, cap_questions;
	unsigned active;		/* jobs */
	enum fix_job job;
	uv_timer_t tick;
	uv_idle_t again;
	unsigned handles;
	bool is_freed, has_begun, has_ended;
	struct arena arena;
	struct fixer *next;		/* of this process */
};

static inline int64_t fixer_now_us(void)	/* monotonic */
{
	return (int64_t)(uv_hrtime() / 1000);
}

void fixer_go_on(struct fixer *f);	/* soon, from the loop */
/* Moves the device's state, notes the words as printf would, and writes both to the journal. */
void fixer_move(struct fix_run *r, enum fix_device_event event, const char *format, ...) __attribute__((format(printf, 3, 4)));
void fixer_say_words(struct fix_run *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool fixer_journal(struct fixer *f, const struct fix_run *r, const char *kind, const char *text, int status, struct span output);
/* A question of one of our sessions: a reader or an errand. */
void fixer_ask(struct fixer *f, const void *who, unsigned id, const struct question *q);
void fixer_set_diff(struct fix_run *r, const char *from, const char *to);

/* -- what the phases share: wave.c -- */

#define READ_US		(90 * SECOND_US)
#define LATE_US		(2 * SECOND_US)		/* too short before the device takes it back to begin anything, or to say keep */
#define SETTLE_US	(60 * SECOND_US)	/* for a device that restarts, or one without a timer */

/* In the set, those for whom it is so. */
#define EACH(f, r) \
	for (size_t each_ = 0; each_ < (f)->n_set; each_++) \
		for (struct fix_run *r = (f)->set[each_]; r; r = NULL)

void fixer_enter(struct fixer *f, enum fixer_phase phase);
void fixer_finish(struct fixer *f);
void fixer_leave_alone(struct fixer *f, const char *why);	/* what was not begun; and ends */
void fixer_refuse_all(struct fixer *f, const char *why);	/* what was not read; and ends */
void fixer_set_all(struct fixer *f);				/* the set is the whole plan */
bool fixer_is_any(const struct fix_run *r);
void fixer_begin_wave(struct fixer *f);				/* the next, or ends */
void fixer_begin_reading(struct fixer *f);
void fixer_read_those(struct fixer *f, bool (*is_meant)(const struct fix_run *r), unsigned tries, int64_t limit_us);
void fixer_end_reading(struct fixer *f);

/* -- the phases: fixer_before.c, fixer_change.c, fixer_back.c; and how they are entered -- */

void fixer_reads(struct fixer *f), fixer_looks(struct fixer *f);
void fixer_changes(struct fixer *f), fixer_verifies(struct fixer *f), fixer_waits(struct fixer *f), fixer_keeps(struct fixer *f);
void fixer_takes_back(struct fixer *f), fixer_awaits_timers(struct fixer *f), fixer_settles(struct fixer *f);
void fixer_inverts(struct fixer *f);
void fixer_change(struct fixer *f);
void fixer_take_back(struct fixer *f);
void fixer_settle_after_timers(struct fixer *f);

/* The state as people see it. */
static inline enum fix_state fixer_shown(const struct fix_run *r)
{
	return fix_device_table[r->state].shown;
}

static inline bool fixer_may_be_armed(const struct fix_run *r)
{
	return fix_device_table[r->state].may_be_armed;
}

static inline bool fixer_is_settling(const struct fix_run *r)
{
	return fix_device_table[r->state].is_settling;
}

/* The last try, while another is due: failed still. */
static inline bool fixer_job_failed(const struct fix_run *r)
{
	return r->job_state == JOB_FAILED || r->job_state == JOB_RETRY;
}

/* -- reading: fixer_read.c -- */

struct fix_reader;
struct fix_reader *fix_reader_new(struct fixer *f, struct fix_run *const *runs, size_t n, unsigned tries, int64_t limit_us,
				  void (*turn)(void *ctx), void *ctx);
void fix_reader_free(struct fix_reader *r);
/* Whether each of its devices has been read, or will not be. */
bool fix_reader_is_done(const struct fix_reader *r);
bool fix_reader_has(const struct fix_reader *r, const char *device);	/* read whole, counters too where it costs no turn each */
void fix_reader_ask(const struct fix_reader *r, const char *device);	/* again, now */
unsigned fix_reader_rounds(const struct fix_reader *r, const char *device, enum cadence which);
struct model *fix_reader_model(const struct fix_reader *r);
void fix_reader_answer(struct fix_reader *r, unsigned id, const char *text);
/* Fills run->part, why, setup_hash, diff against base. */
void fix_reader_judge(const struct fix_reader *r, struct fix_run *run);
void fix_reader_note_ports(const struct fix_reader *r, struct fix_run *run);
/* Whether there are changes that nobody has saved, and that the step is not meant to save either. */
bool fix_reader_finds_unsaved(const struct fix_reader *r, const struct fix_run *run);

/* -- one device: fixer_step.c -- */

/* Calls job_over when it is done or, with the reason in r->why, has failed. */
void fix_job_begin(struct fix_run *r, enum fix_job job, void (*job_over)(struct fix_run *r, bool is_done));
void fix_job_drop(struct fix_run *r);
/* Whether it is saved once it is kept; *note gets why it is not, or what keeps it instead, or "". */
bool fix_run_is_saved(const struct fix_run *r, const char **note);

/* -- jobs of all that want one: fixer_crew.c -- */

void fixer_jobs_begin(struct fixer *f, enum fix_job job, bool (*is_wanted)(const struct fix_run *r)); /* of the set */
void fixer_jobs_stop(struct fixer *f);
/* Begins what may begin; false when nothing is left to wait for. Within a unit one after the other. */
bool fixer_jobs_works(struct fixer *f);
/* And again a little later for whom it failed, while that is so; false when it is over for all. */
bool fixer_jobs_works_again(struct fixer *f, bool (*is_again)(const struct fix_run *r));

/* -- what must hold: fixer_verify.c -- */

enum verify_is { VERIFY_GOES_ON, VERIFY_HOLDS, VERIFY_FAILED };
void fix_verify_begin(struct fix_run *r);
void fix_verify_end(struct fix_run *r);
enum verify_is fix_verify(const struct fix_reader *reader, struct fix_run *r);	/* why in r->why */

/* -- a plan of its own that leads back: fixer_invert.c -- */

/* Of the runs that are DEV_INVERTING, as the reader has them now. */
bool fixer_invert(struct fixer *f, const struct fix_reader *reader, struct err *err);
void fixer_inverse_free(struct fixer *f);

#endif
