/* A job done with every device that wants it: units side by side, the devices of a unit one after the other. */
#include "remote/fixer/internal.h"

#include <stdio.h>

#define AGAIN_US	(2 * SECOND_US)
#define AT_ONCE	8	/* sessions that log in together */

static bool is_backwards(const struct fixer *f)
{
	return f->job == JOB_UNDO;
}

/* After a failure nothing more is changed; all else is done with each device for itself. */
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
	return f->job == JOB_LOOK || f->job == JOB_ASK;
}

static bool unit_is_busy(const struct fixer *f, size_t unit)
{
	for (size_t i = 0; i < f->n_set; i++)
		if (f->set[i]->unit == unit && f->set[i]->job_state == JOB_ACTIVE)
			return true;
	return false;
}

/* The next of those that may begin, or NULL. */
static struct fix_run *next_run(const struct fixer *f)
{
	for (size_t i = 0; i < f->n_set; i++) {
		struct fix_run *r = f->set[is_backwards(f) ? f->n_set - 1 - i : i];

		if (is_due(r) && !unit_is_busy(f, r->unit))
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
		snprintf(r->reason, sizeof(r->reason), "%s", r->why);
	} else if (r->job == JOB_APPLY) {
		fixer_move(r, EVENT_LINES_DONE, "%s", "");
	}
	fixer_go_on(f);
}

bool fixer_jobs_works(struct fixer *f)
{
	struct fix_run *r;
	bool may_begin = !(stops_at_failure(f) && (f->has_failed || f->wants_undo)) && (!f->is_mute || only_reads(f));

	while (may_begin && f->active < AT_ONCE && (r = next_run(f))) {
		r->job_state = JOB_ACTIVE;
		f->active++;
		fix_job_begin(r, f->job, on_job_over);
	}
	return f->active > 0;
}

/* Wanted once more; or no more, though it was. */
static void want_again(struct fix_run *r, bool is_wanted)
{
	if (is_wanted)
		r->job_state = fixer_job_failed(r) ? JOB_RETRY : JOB_WANTED;
	else if (is_due(r))
		r->job_state = fixer_job_failed(r) ? JOB_FAILED : JOB_IDLE;
}

bool fixer_jobs_works_again(struct fixer *f, bool (*is_again)(const struct fix_run *r))
{
	bool is_any_again = false;

	if (f->again_us && fixer_now_us() < f->again_us)
		return true;
	if (f->again_us)
		EACH(f, r)
			want_again(r, is_again(r));
	f->again_us = 0;
	if (fixer_jobs_works(f))
		return true;
	EACH(f, r)
		is_any_again |= is_again(r);
	if (is_any_again)
		f->again_us = fixer_now_us() + AGAIN_US;
	return is_any_again;
}

/* Sessions that are still open are dropped. */
void fixer_jobs_stop(struct fixer *f)
{
	EACH(f, r) {
		f->active -= r->job_state == JOB_ACTIVE;
		r->job_state = JOB_IDLE;
		fix_job_drop(r);
	}
}
