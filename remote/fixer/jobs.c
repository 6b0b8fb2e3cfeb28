/*
 * Runs one job with every device of a batch that needs it: units in parallel, the devices of a unit one at a time. JOB_KEEP has
 * the sessions of a unit open together: none of its devices is committed before each can be (unit.c).
 */
#include "remote/fixer/internal.h"

#include <stdio.h>

#define RETRY_US	(2 * SECOND_US)
#define MOST_SESSIONS	8	/* sessions open at the same time */

static bool runs_backwards(const struct fixer *f)
{
	return f->job == JOB_UNDO;
}

/* Only JOB_APPLY: every other job is independent for each device. */
static bool stops_at_failure(const struct fixer *f)
{
	return f->job == JOB_APPLY;
}

void fixer_jobs_begin(struct fixer *f, enum fix_job job, bool (*is_wanted)(const struct fix_run *r))
{
	f->job = job;
	EACH(f, r)
		r->job_state = is_wanted(r) ? JOB_WANTED : JOB_IDLE;
}

static bool is_due(const struct fix_run *r)
{
	return r->job_state == JOB_WANTED || r->job_state == JOB_RETRY;
}

static bool only_reads(const struct fixer *f)
{
	return f->job == JOB_QUERY || f->job == JOB_QUERY_UNDO;
}

static bool unit_is_busy(const struct fixer *f, size_t unit)
{
	if (f->job == JOB_KEEP)
		return false;
	for (size_t i = 0; i < f->n_set; i++)
		if (f->set[i]->unit == unit && f->set[i]->job_state == JOB_ACTIVE)
			return true;
	return false;
}

/* A device of the unit waits for the others, with its session open. */
static bool unit_waits(const struct fixer *f, size_t unit)
{
	for (size_t i = 0; i < f->n_set; i++)
		if (f->set[i]->unit == unit && f->set[i]->is_prepared)
			return true;
	return false;
}

/* The next device whose job may start, or NULL. With MOST_SESSIONS open, only one that others wait for. */
static struct fix_run *next_run(const struct fixer *f)
{
	bool is_full = f->active >= MOST_SESSIONS;

	for (size_t i = 0; i < f->n_set; i++) {
		struct fix_run *r = f->set[runs_backwards(f) ? f->n_set - 1 - i : i];

		if (is_due(r) && !unit_is_busy(f, r->unit) && (!is_full || unit_waits(f, r->unit)))
			return r;
	}
	return NULL;
}

static void on_job_over(struct fix_run *r, bool is_done)
{
	struct fixer *f = r->fixer;

	r->job_state = is_done ? JOB_DONE : JOB_FAILED;
	f->active--;
	if (!is_done && r->job == JOB_APPLY) {
		f->has_failed = true;
		snprintf(r->rollback_reason, sizeof(r->rollback_reason), "%s", r->why);
	} else if (r->job == JOB_APPLY) {
		fixer_move(r, EVENT_LINES_DONE, "%s", "");
	} else if (r->job == JOB_KEEP) {
		fixer_unit_commit_next(f, r->unit);
	}
	fixer_wake(f);
}

/* Nothing more is begun: who waits for a device that is not begun would wait for ever. */
static void release_waiting(struct fixer *f)
{
	EACH(f, r)
		if (r->is_prepared)
			fixer_unit_release(f, r->unit, r->step->device, "the journal cannot be written");
}

bool fixer_jobs_run(struct fixer *f)
{
	struct fix_run *r;
	bool may_begin = !(stops_at_failure(f) && (f->has_failed || f->wants_undo)) && (!f->journal_failed || only_reads(f));

	while (may_begin && (r = next_run(f))) {
		r->job_state = JOB_ACTIVE;
		f->active++;
		fix_job_begin(r, f->job, on_job_over);
	}
	if (!may_begin)
		release_waiting(f);
	return f->active > 0;
}

/* Records that the last attempt failed. */
static void set_retry(struct fix_run *r, bool is_wanted)
{
	if (is_wanted)
		r->job_state = fixer_job_failed(r) ? JOB_RETRY : JOB_WANTED;
	else if (is_due(r))
		r->job_state = fixer_job_failed(r) ? JOB_FAILED : JOB_IDLE;
}

bool fixer_jobs_run_and_retry(struct fixer *f, bool (*is_retry_due)(const struct fix_run *r))
{
	bool is_any_due = false;

	if (f->retry_us && fixer_now_us() < f->retry_us)
		return true;
	if (f->retry_us)
		EACH(f, r)
			set_retry(r, is_retry_due(r));
	f->retry_us = 0;
	if (fixer_jobs_run(f))
		return true;
	EACH(f, r)
		is_any_due |= is_retry_due(r);
	if (is_any_due)
		f->retry_us = fixer_now_us() + RETRY_US;
	return is_any_due;
}

/* Drops the sessions that are still open. */
void fixer_jobs_stop(struct fixer *f)
{
	EACH(f, r) {
		f->active -= r->job_state == JOB_ACTIVE;
		r->job_state = JOB_IDLE;
		fix_job_drop(r);
	}
}
