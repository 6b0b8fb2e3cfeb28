/* Apply, verify, wait for a decision, keep: the main line of one batch. */
#include "remote/fixer/internal.h"

#include <stdio.h>
#include <stdlib.h>

/* -- keep -- */

static bool is_verified(const struct fix_run *r)
{
	return r->state == DEV_VERIFIED;
}

/* An earlier run committed it and ended before it was saved. */
static bool is_to_be_saved(const struct fix_run *r)
{
	return r->state == DEV_COMMITTED_EARLIER && fix_run_is_left_unsaved(r);
}

static bool is_open(const struct fix_run *r)
{
	return is_verified(r) || is_to_be_saved(r);
}

/* Open, or the other end of what is open: whether it is still as it was read is asked again before the first commit. */
static bool is_asked(const struct fix_run *r)
{
	const struct fixer *f = r->fixer;

	if (is_open(r))
		return true;
	EACH(f, other)
		if (other->unit == r->unit && is_open(other))
			return fix_run_is_witness(r);
	return false;
}

static void keep(struct fixer *f)
{
	f->wants_keep = false;
	f->deadline_us = fixer_now_us() + SETTLE_US;
	f->retry_us = 0;
	fixer_jobs_begin(f, JOB_KEEP, is_asked);
	fixer_enter(f, PHASE_KEEP);
}

/* -- apply -- */

static bool is_applied(const struct fix_run *r)
{
	return r->state == DEV_APPLIED;
}

/* Nothing was applied: what an earlier run committed and did not save is saved, and the next batch begins. */
static void pass_on(struct fixer *f)
{
	bool is_any_unsaved = false;

	EACH(f, r)
		is_any_unsaved |= is_to_be_saved(r);
	if (is_any_unsaved)
		return keep(f);
	fixer_begin_wave(f);
}

static void verify(struct fixer *f)
{
	bool is_any_applied = false;

	EACH(f, r)
		is_any_applied |= is_applied(r);
	if (!is_any_applied)
		return pass_on(f);
	f->deadline_us = fixer_now_us() + fixer_read_limit_us(f) + f->plan->verify_us;
	fixer_read(f, is_applied, UINT32_MAX, f->deadline_us - fixer_now_us());
	EACH(f, r) {
		if (!is_applied(r))
			continue;
		fix_verify_begin(r);
		fixer_move(r, EVENT_VERIFY_BEGUN, "%s", "");
	}
	fixer_enter(f, PHASE_VERIFY);
}

/* The job failed with nothing armed and nothing changed. */
static void report_not_armed(struct fix_run *r)
{
	if (r->was_reached)
		fixer_move(r, EVENT_REFUSED, "%s", r->why);
	else
		fixer_move(r, EVENT_UNREACHED, "%s", r->why);
}

void fixer_phase_apply(struct fixer *f)
{
	if (fixer_jobs_run(f))
		return;
	if (!f->has_failed && !f->wants_undo && !f->journal_failed)
		return verify(f);
	EACH(f, r)
		if (fixer_job_failed(r) && !fixer_can_roll_back(r))
			report_not_armed(r);
	fixer_roll_back(f);
}

/* -- verify -- */

static void end_verify(struct fixer *f)
{
	EACH(f, r)
		fix_verify_end(r);
	fixer_end_read(f);
}

static void fail_run(struct fix_run *r, const char *why)
{
	r->fixer->has_failed = true;
	snprintf(r->rollback_reason, sizeof(r->rollback_reason), "%s", why);
}

/* Reports what was not seen yet, or which read was incomplete. */
static void fail_late(struct fixer *f, struct fix_run *r)
{
	char why[sizeof(r->rollback_reason)];

	if (!fix_reader_has_read(f->reader, r->step->device))
		return fail_run(r, "it could not be reached again");
	bool is_timer = r->undo_at_us && fixer_now_us() >= r->undo_at_us - LATE_US;
	snprintf(why, sizeof(why), "%s%s%.240s", is_timer ? "the rollback timer expired before verification ended" :
		 "verification did not end within the time that reading took before, three times", r->why[0] ? ": " : "", r->why);
	fail_run(r, why);
}

static void verify_one(struct fixer *f, struct fix_run *r)
{
	int64_t now_us = fixer_now_us();

	switch (fix_verify(f->reader, r)) {
	case VERIFY_HOLDS:
		snprintf(r->unseen, sizeof(r->unseen), "%.199s", r->why);
		return fixer_move(r, EVENT_VERIFY_HELD, "%s", r->why);
	case VERIFY_FAILED:
		return fail_run(r, r->why);
	case VERIFY_GOES_ON:
		break;
	}
	if (now_us >= f->deadline_us || (r->undo_at_us && now_us >= r->undo_at_us - LATE_US))
		fail_late(f, r);
}

void fixer_phase_verify(struct fixer *f)
{
	bool is_verified = true;

	EACH(f, r) {
		if (r->state == DEV_VERIFYING)
			verify_one(f, r);
		is_verified &= r->state != DEV_VERIFYING;
	}
	if (!f->has_failed && !f->wants_undo && !f->journal_failed && !is_verified)
		return;
	end_verify(f);
	if (f->has_failed || f->wants_undo || f->journal_failed)
		return fixer_roll_back(f);
	fixer_enter(f, PHASE_AWAIT_KEEP);
	if (f->hooks.changed)
		f->hooks.changed(f->hooks.ctx);
}

/* -- wait for keep, keep -- */

/* The device has not confirmed keep yet. */
static bool is_to_be_kept(const struct fix_run *r)
{
	return r->state == DEV_VERIFIED || r->state == DEV_KEEP_REQUESTED || r->state == DEV_KEEPING;
}

void fixer_phase_await_keep(struct fixer *f)
{
	bool is_late = false;

	EACH(f, r)
		is_late |= is_verified(r) && r->undo_at_us && fixer_now_us() >= r->undo_at_us - LATE_US;
	if (f->wants_undo || is_late) {
		f->phase = PHASE_ROLL_BACK;	/* so that fixer_is_waiting() is false for every hook that is called below */
		EACH(f, r)
			if (is_late && is_verified(r))
				fail_run(r, "it was not kept in time");
		return fixer_roll_back(f);
	}
	if (!f->options.waits || f->wants_keep)
		keep(f);
}

static void report_kept(struct fix_run *r)
{
	const char *note;
	bool will_save = fix_run_will_save(r, &note);

	if (fixer_job_failed(r))
		return fixer_move(r, EVENT_DOUBTED, "committed; whether it is saved is not known: %s", r->why);
	if (r->state != DEV_KEPT || r->why[0])
		fixer_move(r, EVENT_KEEP_CONFIRMED, "%s", r->why[0] ? r->why : note);
	if (will_save && !r->why[0] && r->is_save_over)
		fixer_move(r, EVENT_SAVE_DONE, "%s", "");
}

/* Somebody waits for this answer yet. */
static bool is_witness_retry_due(const struct fix_run *r)
{
	const struct fixer *f = r->fixer;

	EACH(f, other) {
		int64_t until_us = other->undo_at_us ? other->undo_at_us - LATE_US : f->deadline_us;

		if (other->unit == r->unit && is_to_be_kept(other) && fixer_now_us() < until_us)
			return fixer_job_failed(r) && !r->is_other_than_seen && !f->journal_failed;
	}
	return false;
}

/* Not committed yet, and it may still be; or fabcon keep found it committed and has not asked it again. */
static bool is_committable(const struct fix_run *r)
{
	bool is_undecided = r->decision == DECIDED_NOTHING || (r->state == DEV_KEEP_REQUESTED && r->decision == DECIDED_KEEP);

	return is_to_be_kept(r) && is_undecided && !fixer_unit_cannot_be_committed(r->fixer, r->unit) &&
	       !fixer_unit_is_given_up(r->fixer, r->unit);
}

static bool is_attempt_due(const struct fix_run *r)
{
	int64_t deadline_us = r->undo_at_us ? r->undo_at_us - LATE_US : r->fixer->deadline_us;

	return fixer_job_failed(r) && !r->fixer->journal_failed && fixer_now_us() < deadline_us;
}

/* Another end is tried again: what this one has answered before that is old. */
static bool is_another_tried_again(const struct fix_run *r)
{
	const struct fixer *f = r->fixer;

	EACH(f, other)
		if (other != r && other->unit == r->unit && is_committable(other) && is_attempt_due(other))
			return true;
	return false;
}

/* The reply was lost. Keep and save are idempotent: both may be sent again. What a restart would lose is asked again. */
static bool is_keep_retry_due(const struct fix_run *r)
{
	const char *note;

	if (r->job_state == JOB_DONE && (fix_run_is_witness(r) || (r->state == DEV_KEPT && !fix_run_will_save(r, &note))))
		return is_another_tried_again(r);
	if (fix_run_is_witness(r))
		return is_witness_retry_due(r);
	return (is_committable(r) || r->state == DEV_KEPT) && is_attempt_due(r);
}

/*
 * Nothing is armed and the device has no decision on record: it restarted, or /run was cleared. It is as it was read only where that
 * was so before it was read.
 */
static void keep_not_recorded(struct fix_run *r)
{
	if (r->fixer->options.goal == FIXER_KEEP && is_to_be_kept(r) && fix_run_is_anothers(r))
		fix_run_doubt_anothers(r);
	else if (r->is_free_as_read && is_to_be_kept(r))
		fixer_move(r, EVENT_FOUND_AFTER_FREE, "as planned; no rollback timer was armed any more");
	else
		fixer_move(r, EVENT_KEEP_LOST, "the device has no record of the keep any more: reading again");
}

/* The result of a keep job that was to be sent. */
static void judge_kept(struct fix_run *r)
{
	if (fix_run_is_committed_no_more(r) && r->decision == DECIDED_KEEP)
		fixer_move(r, EVENT_DOUBTED, "%s: verify again (fabcon verify)", fix_other_than_seen);
	else if (r->decision == DECIDED_KEEP)
		report_kept(r);
	else if (!fixer_job_failed(r) && r->held == HELD_NOTHING && r->decision != DECIDED_UNDONE)
		keep_not_recorded(r);
	else if (is_to_be_kept(r))
		fixer_move(r, EVENT_KEEP_LOST, "the device has not confirmed the keep: reading again");
	else if (fixer_job_failed(r))
		fixer_move(r, EVENT_DOUBTED, "it was committed, and then: %s: verify again (fabcon verify)", r->why);
}

/* Verified, and not committed, because another device of its unit could not be: it is rolled back. */
static bool was_not_committed(const struct fix_run *r)
{
	return r->state == DEV_VERIFIED && fixer_job_failed(r) && r->decision == DECIDED_NOTHING;
}

void fixer_phase_keep(struct fixer *f)
{
	bool settles = false, rolls_back = false;

	if (fixer_jobs_run_and_retry(f, is_keep_retry_due))
		return;
	EACH(f, r) {
		if (was_not_committed(r)) {
			fail_run(r, r->why);
			rolls_back = true;
			continue;
		}
		if (fix_run_is_witness(r) && r->job_state == JOB_FAILED && r->is_other_than_seen)
			fixer_move(r, EVENT_UNIT_DOUBTED, "%s: verify again (fabcon verify)", r->why);
		else if (is_to_be_saved(r))
			fixer_move(r, EVENT_KEEP_CONFIRMED, "committed by an earlier run, and not saved: %s", r->why);
		else if (is_to_be_kept(r) || r->state == DEV_KEPT)
			judge_kept(r);
		settles |= fixer_is_settling(r);
	}
	if (rolls_back)
		return fixer_roll_back(f);
	if (settles)
		return fixer_settle_after_timers(f);
	if (f->options.goal == FIXER_APPLY || f->options.goal == FIXER_FINISH)
		return fixer_begin_wave(f);
	fixer_finish(f);
}
