/* A wave on its way: its lines are said, what came of them is watched, and kept. */
#include "remote/fixer/internal.h"

#include <stdio.h>
#include <stdlib.h>

/* -- changing -- */

static bool is_applied(const struct fix_run *r)
{
	return r->state == DEV_APPLIED;
}

static void verify(struct fixer *f)
{
	bool is_any_applied = false;

	EACH(f, r)
		is_any_applied |= is_applied(r);
	if (!is_any_applied)
		return fixer_begin_wave(f);
	f->until_us = fixer_now_us() + READ_US + f->plan->verify_us;
	fixer_read_those(f, is_applied, UINT32_MAX, f->until_us - fixer_now_us());
	EACH(f, r) {
		if (!is_applied(r))
			continue;
		fix_verify_begin(r);
		fixer_move(r, EVENT_VERIFY_BEGUN, "%s", "");
	}
	fixer_enter(f, FIXER_VERIFIES);
}

/* Of a device on which nothing is armed. */
static void not_begun(struct fix_run *r)
{
	if (r->hostkey[0])
		fixer_move(r, EVENT_REFUSED, "%s", r->why);
	else
		fixer_move(r, EVENT_UNREACHED, "%s", r->why);
}

void fixer_changes(struct fixer *f)
{
	if (fixer_jobs_works(f))
		return;
	if (!f->has_failed && !f->wants_undo && !f->is_mute)
		return verify(f);
	EACH(f, r)
		if (fixer_job_failed(r) && !fixer_may_be_armed(r))
			not_begun(r);
	fixer_take_back(f);
}

/* -- verifying -- */

static void end_verifying(struct fixer *f)
{
	EACH(f, r)
		fix_verify_end(r);
	fixer_end_reading(f);
}

static void failed(struct fix_run *r, const char *why)
{
	r->fixer->has_failed = true;
	snprintf(r->reason, sizeof(r->reason), "%s", why);
}

static void verify_one(struct fixer *f, struct fix_run *r)
{
	int64_t now_us = fixer_now_us();

	switch (fix_verify(f->reader, r)) {
	case VERIFY_HOLDS:
		return fixer_move(r, EVENT_VERIFY_HELD, "%s", "");
	case VERIFY_FAILED:
		return failed(r, r->why);
	case VERIFY_GOES_ON:
		break;
	}
	if (now_us >= f->until_us || (r->undo_at_us && now_us >= r->undo_at_us - LATE_US))
		failed(r, fix_reader_has(f->reader, r->is->device) ? "its time was over before it was verified" :
								     "it could not be reached again");
}

void fixer_verifies(struct fixer *f)
{
	bool is_verified = true;

	EACH(f, r) {
		if (r->state == DEV_VERIFYING)
			verify_one(f, r);
		is_verified &= r->state != DEV_VERIFYING;
	}
	if (!f->has_failed && !f->wants_undo && !f->is_mute && !is_verified)
		return;
	end_verifying(f);
	if (f->has_failed || f->wants_undo || f->is_mute)
		return fixer_take_back(f);
	fixer_enter(f, FIXER_WAITS);
	if (f->hooks.changed)
		f->hooks.changed(f->hooks.ctx);
}

/* -- waiting, keeping -- */

static bool is_verified(const struct fix_run *r)
{
	return r->state == DEV_VERIFIED;
}

/* Verified, and not heard to be kept. */
static bool is_to_be_kept(const struct fix_run *r)
{
	return r->state == DEV_VERIFIED || r->state == DEV_KEEPING;
}

static void keep(struct fixer *f)
{
	f->wants_keep = false;
	f->until_us = fixer_now_us() + SETTLE_US;
	f->again_us = 0;
	fixer_jobs_begin(f, JOB_KEEP, is_verified);
	fixer_enter(f, FIXER_KEEPS);
}

void fixer_waits(struct fixer *f)
{
	bool is_late = false;

	EACH(f, r)
		is_late |= is_verified(r) && r->undo_at_us && fixer_now_us() >= r->undo_at_us - LATE_US;
	if (f->wants_undo || is_late) {
		f->phase = FIXER_TAKES_BACK;	/* whoever is told of it from here on finds it waiting no longer */
		EACH(f, r)
			if (is_late && is_verified(r))
				failed(r, "nobody said keep in time");
		return fixer_take_back(f);
	}
	if (!f->options.waits || f->wants_keep)
		keep(f);
}

static void was_kept(struct fix_run *r)
{
	const char *note;

	if (fix_run_is_saved(r, &note) && !fixer_job_failed(r) && !r->why[0])
		return fixer_move(r, EVENT_SAVE_DONE, "%s", "");
	if (fixer_job_failed(r))
		fixer_move(r, EVENT_DOUBTED, "kept, and not known to be saved: %s", r->why);
	else if (r->why[0])
		fixer_move(r, EVENT_KEEP_CONFIRMED, "%s", r->why);
	else if (r->state != DEV_KEPT)
		fixer_move(r, EVENT_KEEP_CONFIRMED, "%s", note);
}

/* Its answer was lost: keep may be said twice, and so may save. */
static bool is_to_be_kept_again(const struct fix_run *r)
{
	int64_t until_us = r->undo_at_us ? r->undo_at_us - LATE_US : r->fixer->until_us;
	bool is_open = is_to_be_kept(r) ? r->decision == DECIDED_NOTHING : r->state == DEV_KEPT;

	return is_open && fixer_job_failed(r) && !r->fixer->is_mute && fixer_now_us() < until_us;
}

/* Nothing is armed, and the device does not know that anything was decided: it has restarted since, or was cleared. */
static void kept_by_nobody(struct fix_run *r)
{
	if (r->fixer->options.goal == FIXER_KEEP && is_to_be_kept(r))
		fixer_move(r, EVENT_FOUND_AFTER_FREE, "as planned; nothing was armed there any more");
	else
		fix_state_move(&r->state, EVENT_KEEP_LOST);
}

/* What became of one of which keep was said. */
static void judge_kept(struct fix_run *r)
{
	if (r->decision == DECIDED_KEEP)
		was_kept(r);
	else if (!fixer_job_failed(r) && r->held == HELD_NOTHING && r->decision != DECIDED_UNDONE)
		kept_by_nobody(r);
	else if (is_to_be_kept(r))
		fix_state_move(&r->state, EVENT_KEEP_LOST);
}

void fixer_keeps(struct fixer *f)
{
	bool settles = false;

	if (fixer_jobs_works_again(f, is_to_be_kept_again))
		return;
	EACH(f, r) {
		if (is_to_be_kept(r) || r->state == DEV_KEPT)
			judge_kept(r);
		settles |= fixer_is_settling(r);
	}
	if (settles)
		return fixer_settle_after_timers(f);
	if (f->options.goal == FIXER_APPLY)
		return fixer_begin_wave(f);
	fixer_finish(f);
}
