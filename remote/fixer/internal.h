/*
 * What the files of the fixer share. From the bottom: state, words (text and journal), read, then verify, invert and step (one
 * device), unit (the devices of one link), wave and jobs (several devices), rollback, preflight and change (the phases), fixer
 * (the loop). Calls go down only.
 */
#ifndef REMOTE_FIXER_INTERNAL_H
#define REMOTE_FIXER_INTERNAL_H

#include "remote/fixer/device_undo.h"
#include "remote/fixer/fixer.h"
#include "remote/fixer/state.h"
#include "remote/platform/dialect.h"
#include "remote/poll/write_session.h"

#define SECOND_US	INT64_C(1000000)

/* How the part of the configuration that a step sets compares with the plan, as last read. */
enum part_state { PART_UNREAD, PART_BEFORE, PART_AFTER, PART_OTHER, PART_UNKNOWN, PART_NOT_REACHED };

/* What one session does with one device. */
enum fix_job {
	JOB_APPLY,		/* query, lock and arm, read again, send the lines */
	JOB_QUERY,		/* which lock and timer the device has */
	JOB_QUERY_UNDO,		/* whether its undo is running, and nothing else */
	JOB_KEEP,		/* keep the change, then save it */
	JOB_UNDO,
};

enum fix_request {
	REQUEST_NONE,
	REQUEST_QUERY,
	REQUEST_ARM,
	REQUEST_BEGIN,		/* before the first line that a CLI gets: its shell notes that one is coming */
	REQUEST_LINE,
	REQUEST_KEEP,
	REQUEST_RELEASE_UNCHANGED,	/* armed, but the device had changed: cancel the timer, roll nothing back */
	REQUEST_SAVE,
	REQUEST_UNDO,
	REQUEST_UNLOCK,
};

/* What the device held of a step when the last job began (JOB_QUERY_UNDO updates the decision alone). */
/* HELD_LOCK: ours without a timer, or (--no-undo) applied without one and not decided. */
enum undo_held { HELD_NOT_REPORTED, HELD_NOTHING, HELD_LOCK, HELD_TIMER };

enum undo_decision { DECIDED_NOTHING, DECIDED_KEEP, DECIDED_UNDONE };

/* Whether the undo is running, as JOB_QUERY_UNDO reported it. */
enum undo_run { UNDO_NOT_REPORTED, UNDO_NOT_RUNNING, UNDO_RUNNING };

/* The progress of the current job with one device. */
enum fix_job_state { JOB_IDLE, JOB_WANTED, JOB_RETRY, JOB_ACTIVE, JOB_DONE, JOB_FAILED };

/* One step of the plan, and the device that it changes. */
struct fix_run {
	struct fixer *fixer;
	const struct fix_step *step;
	size_t index, unit;		/* of the step in the plan; of its unit */
	enum fix_device_state state;	/* only fix_state_move() writes it */
	char words[512];
	char boot_note[400];		/* whether the next boot keeps the change, as last read; or "" */
	size_t lines_done;
	int64_t undo_at_us;		/* when the device rolls back by itself, monotonic; 0: no timer */
	int64_t verify_until_us;
	char *diff;			/* owned, or NULL */
	bool was_reached;		/* a job's session was up; through the site's own ssh it reports no host key */
	char hostkey[128], setup_hash[FIX_HASH_SIZE];

	enum part_state part;
	char why[300];			/* why the part is unknown or unreachable, or why the job failed */
	char unproven[300];		/* why the plan's lines are not what its edits make on the device as read; or "" */
	char unseen[200];		/* what verification could not see and did not wait for any longer; or "" */
	bool is_save_over;		/* every save line was answered, in this job */
	bool is_unsaved;		/* on record there: committed by an earlier run that did not see its save succeed */
	bool save_failed;		/* committed, and the device refused to save it: save_words has the reason */
	char save_words[200];
	bool had_unsaved_changes;	/* someone else's unsaved changes existed before ours: do not save */

	unsigned long run;		/* of the step on the device, which what is sent is bound to: ours, or the one found; 0: none */
	struct device_undo_seen seen;	/* as last reported, at seen_us */
	int64_t seen_us;
	bool is_other_than_seen;	/* the last report had another lock, timer, decision or boot than the one before */
	bool was_committed_earlier;	/* by another run; this one may have saved it since */
	bool is_asked_again;		/* JOB_KEEP of one that is committed and not saved: whether it still is */
	bool is_undecided;		/* while settling: our run has neither decision nor timer there */
	bool arms_without_timer;	/* no timer could be started, and the operator waived it */
	bool is_free_as_read;		/* FIXER_KEEP: read as planned when nothing of the plan was armed or on record there */
	char boot_read[64];		/* boot id of the last read; "": not read */
	unsigned long undo_failed;	/* lines of its undo that failed */
	enum undo_held held;
	enum undo_decision decision;
	enum undo_run undo;
	bool is_held_by_inverse;	/* the inverse plan now owns this device; its state is not final */
	bool is_prepared;		/* JOB_KEEP: its session waits until every device of the unit can be committed */
	char holder[160];		/* owner and plan of that lock, or of someone else's; or "" */

	enum fix_job job;
	enum fix_job_state job_state;
	void (*job_over)(struct fix_run *r, bool is_done);
	char rollback_reason[300];	/* why the step is rolled back */
	struct write_session *session;
	struct fix_reader *reader;	/* of the read under the lock */
	enum fix_request request;
	const char *request_text;	/* the request as the journal has it */
	size_t line;			/* the next line to send, or to save with */

	const char **ports_up;		/* the ports that were up before the change, owned; texts in the arena */
	size_t n_ports_up, cap_ports_up;
	struct fix_watch *watch;	/* drop counters during verification */
	int64_t steady_since_us;		/* verifying: all as expected since; settling: no undo runs since; 0: not yet */
	int64_t settled_since_us;	/* settling: the same by clock_us(); a complete read after it is final */
	unsigned rounds_then;		/* settling: of settings, when it began to be steady */
};

enum fixer_phase {
	PHASE_BEGIN, PHASE_READ, PHASE_QUERY, PHASE_APPLY, PHASE_VERIFY, PHASE_AWAIT_KEEP, PHASE_KEEP, PHASE_ROLL_BACK,
	PHASE_AWAIT_TIMERS, PHASE_SETTLE, PHASE_INVERT, PHASE_ENDED,
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
	struct fix_run *runs;		/* one for each step of the plan */
	struct fix_run **set;		/* the runs of this batch, in order */
	size_t n_set;
	unsigned wave;

	/* Callbacks into fixer.c: continue the phase; create the child that carries out the inverse plan. */
	void (*advance)(struct fixer *f);
	struct fixer *(*new_child)(struct fixer *parent, const struct fixer_options *options, const struct fixer_hooks *hooks);

	enum fixer_phase phase;
	bool is_half_lasting;		/* at the end: a unit is half, and no timer will end it */
	bool is_half_open;		/* the same, and nothing of it is committed */
	bool is_undo_taken_back;	/* an inverse plan was applied, and rolled back */
	bool has_failed;		/* a device of this batch failed: nothing more is started */
	bool journal_failed;		/* nothing more is sent */
	bool wants_keep, wants_undo;
	unsigned queries;		/* of locks and timers, in this batch */
	bool has_committed;		/* a device has confirmed its commit in this run */
	bool has_taken_back;		/* a change was rolled back in this run */
	unsigned reads;			/* FIXER_LOOK and FIXER_FINISH: of all devices, each between two queries */
	bool *is_due;			/* FIXER_FINISH: of each unit, that it is half and can be finished; NULL: not read yet. Owned */
	size_t next_due;		/* units below it have had their turn */
	struct fix_reader *reader;
	int64_t read_took_us;		/* the last whole read of the batch: a slow host is given as long again, three times */
	int64_t deadline_us, retry_us;	/* of the phase; and when failed jobs are retried */
	int64_t undo_deadline_us, next_read_us;	/* while settling: how long an undo may run, and when to read again */
	struct fix_plan *inverse;	/* owned */
	struct fixer *child;		/* carries out the inverse plan; may use the devices of its parent */
	const struct fixer *parent;
	bool child_has_ended;
	size_t *inverse_of;		/* for each step of the inverse plan: the index of ours; owned */

	struct fix_question {
		const void *asker;	/* the reader, session or child that asks; compared only, never dereferenced */
		unsigned id;
	} *questions;			/* our ids are positions in this list, from 1 */
	size_t n_questions, cap_questions;
	unsigned active;		/* jobs with an open session */
	enum fix_job job;
	uv_timer_t tick;
	uv_idle_t wake_idle;
	unsigned handles;
	bool is_freed, has_begun, has_ended;
	struct arena arena;
	struct fixer *next;		/* in the list of all fixers of this process */
};

static inline int64_t fixer_now_us(void)	/* monotonic */
{
	return (int64_t)(uv_hrtime() / 1000);
}

void fixer_wake(struct fixer *f);	/* calls f->advance from the loop, soon */
/* Moves the state, formats the words that people see, and journals both. */
/* ": now node1 eth2 pfc.on[5] = yes" of what was read as neither of the two; empty: it is not told. */
void fixer_differing(const struct fix_run *r, char out[160]);
void fixer_move(struct fix_run *r, enum fix_device_event event, const char *format, ...) __attribute__((format(printf, 3, 4)));
void fixer_set_words(struct fix_run *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool fixer_journal(struct fixer *f, const struct fix_run *r, const char *kind, const char *text, int status, struct span output);
/* Forwards a question (a password, a host key) of a reader, session or child. */
void fixer_ask(struct fixer *f, const void *asker, unsigned id, const struct question *q);
void fixer_set_diff(struct fix_run *r, const char *from, const char *to);

/* -- batches: wave.c -- */

#define READ_US		(90 * SECOND_US)
#define LATE_US		(2 * SECOND_US)		/* closer than this to the rollback timer nothing is started and keep is not sent */
#define CONFIRM_US	(600 * SECOND_US)	/* the rollback timer, unless another is asked for */
#define SETTLE_US	(60 * SECOND_US)	/* how long to wait for a device that restarts or has no timer */

/* How long a read may take that verifies a change. */
static inline int64_t fixer_read_limit_us(const struct fixer *f)
{
	return 3 * f->read_took_us > READ_US ? 3 * f->read_took_us : READ_US;
}

/* Each run of this batch. */
#define EACH(f, r) \
	for (size_t each_ = 0; each_ < (f)->n_set; each_++) \
		for (struct fix_run *r = (f)->set[each_]; r; r = NULL)

void fixer_enter(struct fixer *f, enum fixer_phase phase);
void fixer_finish(struct fixer *f);
void fixer_skip_rest(struct fixer *f, const char *why);	/* marks what was not started, and ends */
void fixer_refuse_all(struct fixer *f, const char *why);	/* refuses what was not read, and ends */
void fixer_set_all(struct fixer *f);				/* puts every step into one batch */
void fixer_begin_wave(struct fixer *f);				/* reads the next batch, or ends */
void fixer_begin_read(struct fixer *f);
void fixer_begin_query(struct fixer *f);			/* asks each device for lock and timer */
void fixer_read(struct fixer *f, bool (*is_meant)(const struct fix_run *r), unsigned tries, int64_t limit_us);
void fixer_end_read(struct fixer *f);

/* -- phases: preflight.c, change.c, rollback.c -- */

/* The step of each phase: called when something has happened, and ten times a second. */
void fixer_phase_read(struct fixer *f), fixer_phase_query(struct fixer *f);
void fixer_phase_apply(struct fixer *f), fixer_phase_verify(struct fixer *f);
void fixer_phase_await_keep(struct fixer *f), fixer_phase_keep(struct fixer *f);
void fixer_phase_roll_back(struct fixer *f), fixer_phase_await_timers(struct fixer *f);
void fixer_phase_settle(struct fixer *f), fixer_phase_invert(struct fixer *f);
/* Entries into the phases of another file. */
void fixer_roll_back(struct fixer *f);
void fixer_settle_after_timers(struct fixer *f);

/* The state as people see it. */
static inline enum fix_state fixer_shown(const struct fix_run *r)
{
	return fix_device_table[r->state].shown;
}

static inline bool fixer_can_roll_back(const struct fix_run *r)
{
	return fix_device_table[r->state].can_roll_back;
}

static inline bool fixer_is_settling(const struct fix_run *r)
{
	return fix_device_table[r->state].is_settling;
}

/* True while a retry is due, too. */
static inline bool fixer_job_failed(const struct fix_run *r)
{
	return r->job_state == JOB_FAILED || r->job_state == JOB_RETRY;
}

/* -- reading: read.c -- */

struct fix_reader;
struct fix_reader *fix_reader_new(struct fixer *f, struct fix_run *const *runs, size_t n, unsigned tries, int64_t limit_us,
				  void (*on_change)(void *ctx), void *ctx);
void fix_reader_free(struct fix_reader *r);
/*
 * True when each device was read completely, was given up, or time is up. A device with incomplete replies (truncated, busy,
 * late) is read again, a bounded number of times.
 */
bool fix_reader_is_done(struct fix_reader *r);
/* True when a round of settings has ended, complete or not; and one of counters, where they are cheap. */
bool fix_reader_has_read(const struct fix_reader *r, const char *device);
/* Another console holds the lock, with nothing of this plan armed or committed there. */
bool fix_run_is_held_elsewhere(const struct fix_run *r);
/* A step that was applied without a timer, and the lock that it was applied under expired: another plan is at work on the device. */
bool fix_run_is_overtaken(const struct fix_run *r);
/* Its undo ran to its end, and lines of it failed: read as planned, it is neither committed nor rolled back. */
static inline bool fix_run_undo_failed(const struct fix_run *r)
{
	return r->decision == DECIDED_UNDONE && r->undo_failed;
}
/* And for another plan: what was read as planned is its doing, and it may roll it back. */
bool fix_run_is_anothers(const struct fix_run *r);
void fix_run_doubt_anothers(struct fix_run *r);
/* True when all reads behind its configuration were complete since then (clock_us(); 0: ever); err names the one that was not. */
bool fix_reader_is_whole(const struct fix_reader *r, const char *device, int64_t since_us, struct err *err);
void fix_reader_refresh(const struct fix_reader *r, const char *device);	/* polls its settings again now */
unsigned fix_reader_rounds(const struct fix_reader *r, const char *device, enum cadence which);
struct model *fix_reader_model(const struct fix_reader *r);
void fix_reader_answer(struct fix_reader *r, unsigned id, const char *text);
/* Compares what was read with the plan; fills run->part, why, setup_hash and diff. */
void fix_reader_judge(const struct fix_reader *r, struct fix_run *run);
/*
 * Whether the step is what its edits and the device give (remote/fixer/proof.h); only where judge found it as before or as
 * planned. run->why: the first difference.
 */
bool fix_reader_proves(const struct fix_reader *r, struct fix_run *run);
/* The same for the order of the plan. False: why is filled. */
bool fix_reader_proves_order(const struct fix_reader *r, char why[300]);
void fix_reader_note_ports(const struct fix_reader *r, struct fix_run *run);
/* True when the device has unsaved changes and the step is not meant to save. */
bool fix_reader_finds_unsaved(const struct fix_reader *r, const struct fix_run *run);

/* -- one job with one device: step.c -- */

/* Opens a session. Calls job_over when the job is done or, with the reason in r->why, has failed. */
void fix_job_begin(struct fix_run *r, enum fix_job job, void (*job_over)(struct fix_run *r, bool is_done));
void fix_job_drop(struct fix_run *r);
void fix_job_commit(struct fix_run *r);				/* JOB_KEEP, prepared: sends the commit */
void fix_job_fail(struct fix_run *r, const char *why);		/* JOB_KEEP, prepared: ends without it */
/*
 * JOB_KEEP: an end that was read as planned, with nothing to commit. The others of its unit are committed while its session is open and
 * it is as it was seen; or they are not.
 */
bool fix_run_is_witness(const struct fix_run *r);
/* fabcon keep: it was committed when it was read, and is not as it was then. */
bool fix_run_is_committed_no_more(const struct fix_run *r);
extern const char fix_other_than_seen[];
/* Committed by an earlier run that ended before it was saved: this run saves it. */
bool fix_run_is_left_unsaved(const struct fix_run *r);
/* True when the step is saved after it is kept. *note gets the reason why not, or what persists it instead, or "". */
bool fix_run_will_save(const struct fix_run *r, const char **note);

/* -- the devices of one link: unit.c -- */

/* JOB_KEEP: a device of it is not armed any more, so that none of them is committed. */
bool fixer_unit_cannot_be_committed(const struct fixer *f, size_t unit);
bool fixer_unit_is_given_up(const struct fixer *f, size_t unit);
void fixer_unit_commit_next(struct fixer *f, size_t unit);	/* sends the next commit, if there is one and every device is ready */
/* Ends the jobs of the devices that wait for this one. */
void fixer_unit_release(struct fixer *f, size_t unit, const char *device, const char *reason);
/* Of what was read: one device is committed, and the others can follow it; every device is as planned; the one not known, or NULL. */
bool fixer_unit_can_be_finished(const struct fixer *f, size_t unit);
bool fixer_unit_is_after(const struct fixer *f, size_t unit);
const struct fix_run *fixer_unit_astray(const struct fixer *f, size_t unit);
/* At the end of a run: moves the devices of each unit that is not in one state to DEV_HALF, or to DEV_UNKNOWN. */
void fixer_judge_units(struct fixer *f);

/* -- the jobs of a batch: jobs.c -- */

void fixer_jobs_begin(struct fixer *f, enum fix_job job, bool (*is_wanted)(const struct fix_run *r));
void fixer_jobs_stop(struct fixer *f);
/* Starts jobs as far as allowed, one at a time in each unit. False when none is running. */
bool fixer_jobs_run(struct fixer *f);
/* The same, and retries later while is_retry_due() says so. False when no job is running or due. */
bool fixer_jobs_run_and_retry(struct fixer *f, bool (*is_retry_due)(const struct fix_run *r));

/* -- verification: verify.c -- */

enum verify_result { VERIFY_GOES_ON, VERIFY_HOLDS, VERIFY_FAILED };
void fix_verify_begin(struct fix_run *r);
void fix_verify_end(struct fix_run *r);
enum verify_result fix_verify(const struct fix_reader *reader, struct fix_run *r);	/* r->why gets the reason if not */

/* -- the inverse plan: invert.c -- */

/* Makes f->inverse for the runs in DEV_INVERTING, from what the reader has just read. */
bool fixer_invert(struct fixer *f, const struct fix_reader *reader, struct err *err);
void fixer_inverse_free(struct fixer *f);

#endif
