/*
 * The link is the unit of commit: what the devices of one unit are together. Here stand the order in which they are committed,
 * which units a later run can finish, and what the end of a run says of a unit whose devices are not in one state.
 *
 * The commit record of a device is the decision "keep" in its step's directory (device_undo.h). No device gets one before every
 * device of its unit is prepared: applied, verified, its rollback timer running and a session to it open. They get it one after
 * another. Where the first has it, the others must have it too, and whoever reads them next can give it to them (FIXER_FINISH);
 * where none has it, their timers roll all of them back.
 */
#include "remote/fixer/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "remote/ssh/clock.h"

#define EACH_OF(f, of, r) EACH(f, r) if ((r)->unit == (of))

/* -- committing -- */

static bool has_commit(const struct fix_run *r)
{
	if (r->state == DEV_KEPT || r->state == DEV_SAVED)	/* where it cannot be asked again, its last answer counts */
		return !r->is_asked_again || r->job_state == JOB_FAILED;
	if (r->state == DEV_COMMITTED_EARLIER)
		return r->job_state == JOB_DONE;
	return r->job_state == JOB_DONE && !fix_run_is_witness(r) && r->decision == DECIDED_KEEP &&
	       !fix_run_is_committed_no_more(r);
}

static bool unit_has_commit(const struct fixer *f, size_t unit)
{
	EACH_OF(f, unit, r)
		if (has_commit(r))
			return true;
	return false;
}

/* fabcon keep: nothing was armed or on record when it was read as planned, nor is it now. */
static bool is_kept_without_record(const struct fix_run *r)
{
	return r->is_free_as_read && r->job_state == JOB_DONE && r->decision == DECIDED_NOTHING && !fix_run_is_anothers(r);
}

/* It was asked for its lock and timer and has neither, nor a commit: it restarted, or it was rolled back. */
static bool cannot_be_committed(const struct fix_run *r)
{
	if (fix_run_is_witness(r))
		return r->job_state == JOB_FAILED && r->is_other_than_seen;
	return (r->decision == DECIDED_UNDONE && r->job_state != JOB_IDLE) ||
	       (r->job_state == JOB_DONE && !has_commit(r) && !is_kept_without_record(r));
}

bool fixer_unit_cannot_be_committed(const struct fixer *f, size_t unit)
{
	EACH_OF(f, unit, r)
		if (cannot_be_committed(r))
			return true;
	return false;
}

/* The operator took it back before any device of the unit had its commit. */
bool fixer_unit_is_given_up(const struct fixer *f, size_t unit)
{
	return f->wants_undo && f->options.goal == FIXER_APPLY && !unit_has_commit(f, unit);
}

static bool is_late(const struct fix_run *r)
{
	return r->undo_at_us && fixer_now_us() >= r->undo_at_us - LATE_US;
}

/* Its session is not open yet: it is waited for. */
static bool is_awaited(const struct fix_run *r)
{
	return r->job_state == JOB_WANTED || r->job_state == JOB_RETRY || (r->job_state == JOB_ACTIVE && !r->is_prepared);
}

static bool is_any_awaited(const struct fixer *f, size_t unit)
{
	EACH_OF(f, unit, r)
		if (is_awaited(r))
			return true;
	return false;
}

static bool is_any_asked_again(const struct fixer *f, size_t unit)
{
	EACH_OF(f, unit, r)
		if (r->is_asked_again && is_awaited(r))
			return true;
	return false;
}

/* A device of the unit that stands in the way of the first commit: it failed, or its timer is about to fire. Or NULL. */
static const struct fix_run *obstacle(const struct fixer *f, size_t unit)
{
	EACH_OF(f, unit, r)
		if (cannot_be_committed(r) || r->job_state == JOB_FAILED || (r->is_prepared && is_late(r)))
			return r;
	return NULL;
}

/* A device of this unit has been sent its commit and has not answered. */
static bool is_committing(const struct fixer *f, size_t unit)
{
	EACH_OF(f, unit, r)
		if (r->state == DEV_KEEPING && r->job_state == JOB_ACTIVE && r->request == REQUEST_KEEP)
			return true;
	return false;
}

static void fail_prepared(struct fixer *f, size_t unit, const char *why)
{
	struct fix_run **waiting = xcalloc(f->n_set + 1, sizeof(*waiting));
	size_t n = 0;

	EACH_OF(f, unit, r)
		if (r->is_prepared)
			waiting[n++] = r;
	for (size_t i = 0; i < n; i++)
		waiting[i]->is_prepared = false;
	for (size_t i = 0; i < n; i++)
		fix_job_fail(waiting[i], why);
	free(waiting);
}

/* No device waits for the others any longer: all are prepared again, together, or rolled back. */
void fixer_unit_release(struct fixer *f, size_t unit, const char *device, const char *reason)
{
	char why[300];

	snprintf(why, sizeof(why), "not committed: %.60s of the same link is not ready: %.200s", device, reason);
	fail_prepared(f, unit, why);
}

/* Sends the next commit of the unit, if there is one and it may be sent now. */
void fixer_unit_commit_next(struct fixer *f, size_t unit)
{
	bool has_begun = unit_has_commit(f, unit);
	const struct fix_run *in_the_way = has_begun ? NULL : obstacle(f, unit);

	if (is_committing(f, unit))
		return;
	if (fixer_unit_is_given_up(f, unit))
		return fail_prepared(f, unit, "not committed: the plan is being rolled back");
	if ((!has_begun || is_any_asked_again(f, unit)) && is_any_awaited(f, unit))
		return;
	if (in_the_way)
		return fixer_unit_release(f, unit, in_the_way->step->device,
					  is_late(in_the_way)	    ? "its rollback timer is about to fire"
					  : in_the_way->why[0] ? in_the_way->why : "nothing is armed there any more");
	EACH_OF(f, unit, r)
		if (r->is_prepared) {
			r->is_prepared = false;
			return fix_job_commit(r);
		}
}

/* -- finishing what an earlier run left -- */

static bool is_committed_now(const struct fix_run *r)
{
	bool is_open = r->held == HELD_TIMER || (r->held == HELD_LOCK && r->decision != DECIDED_KEEP);

	return r->part == PART_AFTER && !fixer_job_failed(r) && !is_open && r->decision != DECIDED_UNDONE;
}

static bool can_be_finished(const struct fix_run *r)
{
	return !fixer_job_failed(r) && !r->is_held_by_inverse && !fix_run_is_anothers(r) && !fix_run_undo_failed(r) &&
	       (r->part == PART_BEFORE || r->part == PART_AFTER);
}

/*
 * One device is committed, another is not yet, and each can be: the other is prepared, or as before. Or the earlier run ended
 * before it had saved what it committed.
 */
bool fixer_unit_can_be_finished(const struct fixer *f, size_t unit)
{
	bool is_any_committed = false, is_any_open = false;

	EACH_OF(f, unit, r) {
		if (!can_be_finished(r))
			return false;
		is_any_committed |= is_committed_now(r);
		is_any_open |= !is_committed_now(r) || fix_run_is_left_unsaved(r);
	}
	return is_any_committed && is_any_open;
}

/* True when every device of the unit was read as planned: only then is one of them committed on request. */
bool fixer_unit_is_after(const struct fixer *f, size_t unit)
{
	EACH_OF(f, unit, r)
		if (r->part != PART_AFTER)
			return false;
	return true;
}

/* The device of the unit that is not known to be as before or as planned; or NULL. */
const struct fix_run *fixer_unit_astray(const struct fixer *f, size_t unit)
{
	EACH_OF(f, unit, r)
		if (r->state == DEV_NOT_REACHED || r->state == DEV_UNKNOWN || r->state == DEV_MIXED)
			return r;
	return NULL;
}

/* -- the end of a run -- */

/* What one device contributes to the state of its unit. */
enum unit_part {
	UNIT_UNKNOWN, UNIT_BEFORE, UNIT_OTHER, UNIT_AFTER, UNIT_UNASKED, UNIT_UNCONFIRMED, UNIT_PREPARED, UNIT_COMMITTED, UNIT_PARTS
};

static const char *const part_words[UNIT_PARTS] = {
	[UNIT_UNKNOWN] = "not known", [UNIT_BEFORE] = "as before", [UNIT_OTHER] = "neither as before nor as planned",
	[UNIT_AFTER] = "as planned", [UNIT_UNASKED] = "as planned, and did not report whether it is committed",
	[UNIT_UNCONFIRMED] = "as planned, and not known to be committed",
	[UNIT_PREPARED] = "as planned, rollback timer armed", [UNIT_COMMITTED] = "committed",
};

/* The commit record counts while its timer is being stopped, too, and while another plan holds the device. */
static enum unit_part part_after(const struct fix_run *r)
{
	bool is_unasked = fixer_job_failed(r) && !r->holder[0];

	if (r->decision == DECIDED_KEEP && !is_unasked)
		return UNIT_COMMITTED;
	if (r->held == HELD_TIMER)
		return UNIT_PREPARED;
	if (is_unasked)
		return UNIT_UNASKED;
	return r->held == HELD_LOCK ? UNIT_UNCONFIRMED : UNIT_AFTER;
}

/* Of a device that this run left alone, what it was read as. */
static enum unit_part part_read(const struct fix_run *r)
{
	if (fix_run_is_held_elsewhere(r))
		return UNIT_UNKNOWN;
	if (fix_run_undo_failed(r) && r->part == PART_AFTER)
		return UNIT_OTHER;
	switch (r->part) {
	case PART_BEFORE:
		return UNIT_BEFORE;
	case PART_AFTER:
		return part_after(r);
	case PART_OTHER:
		return UNIT_OTHER;
	case PART_UNREAD:
	case PART_UNKNOWN:
	case PART_NOT_REACHED:
		break;
	}
	return UNIT_UNKNOWN;
}

static enum unit_part part_of(const struct fix_run *r)
{
	switch (r->state) {
	case DEV_KEPT:
	case DEV_SAVED:
	case DEV_COMMITTED_EARLIER:
		return UNIT_COMMITTED;
	case DEV_NOTHING_TO_DO:
		return UNIT_AFTER;
	case DEV_APPLIED:
		return r->fixer->options.goal == FIXER_KEEP ? part_after(r) : UNIT_UNCONFIRMED;
	case DEV_VERIFIED:
		return UNIT_PREPARED;
	case DEV_ARMED:
	case DEV_AS_BEFORE:
	case DEV_ROLLED_BACK:
	case DEV_BEFORE:
		return UNIT_BEFORE;
	case DEV_MIXED:
		return UNIT_OTHER;
	case DEV_NOT_BEGUN:
	case DEV_REFUSED:
		return part_read(r);
	case DEV_NOT_REACHED:	/* it was read, and nothing was sent since; or an inverse plan could not begin there */
		if (r->part == PART_AFTER && r->fixer->options.goal != FIXER_UNDO)
			return UNIT_UNASKED;
		return r->part == PART_BEFORE ? UNIT_BEFORE : UNIT_UNKNOWN;
	default:
		return UNIT_UNKNOWN;
	}
}

/* The parts that a unit has, as a set. */
static unsigned parts_of(const struct fixer *f, const struct fix_unit *u)
{
	unsigned set = 0;

	for (size_t i = 0; i < u->n; i++)
		set |= 1u << part_of(&f->runs[u->first + i]);
	return set;
}

static bool has(unsigned set, unsigned parts)
{
	return (set & parts) != 0;
}

#define IS(part) (1u << (part))

/* "; node1 is as before": the devices of the unit that are in another state than this one. */
static void add_others(const struct fixer *f, const struct fix_unit *u, const struct fix_run *than, struct buf *words)
{
	for (size_t i = 0; i < u->n; i++) {
		const struct fix_run *r = &f->runs[u->first + i];

		if (part_of(r) != part_of(than))
			buf_printf(words, "%s%s of the same link is %s", words->n ? ", " : "", r->step->device, part_words[part_of(r)]);
	}
}

/* "; its timer rolls it back at 14:03:22Z", where one runs. */
static void add_timer(const struct fix_run *r, struct buf *words)
{
	int64_t left_us = r->undo_at_us - fixer_now_us();
	time_t at = (time_t)((clock_us() + left_us) / SECOND_US);
	char when[32];
	struct tm utc;

	if (r->undo_at_us && left_us > 0 && gmtime_r(&at, &utc) && strftime(when, sizeof(when), "%H:%M:%SZ", &utc))
		buf_printf(words, "; its timer rolls it back at %s", when);
}

static void move_part(struct fixer *f, const struct fix_unit *u, unsigned set, enum fix_device_event event, bool is_timed)
{
	struct buf *words = xcalloc(u->n + 1, sizeof(*words));
	enum unit_part part;

	for (size_t i = 0; i < u->n; i++)
		if (has(set, IS(part_of(&f->runs[u->first + i]))))
			add_others(f, u, &f->runs[u->first + i], &words[i]);
	for (size_t i = 0; i < u->n; i++) {
		struct fix_run *r = &f->runs[u->first + i];
		bool has_reason = r->state == DEV_REFUSED || r->state == DEV_NOT_REACHED;
		char was[sizeof(r->words)];

		part = part_of(r);
		if ((!words[i].n && part != UNIT_UNASKED) || r->state == DEV_UNKNOWN)
			continue;
		if (is_timed || part == UNIT_PREPARED)
			add_timer(r, &words[i]);
		snprintf(was, sizeof(was), "%s", r->words);
		if (event == EVENT_UNIT_HALF)
			fixer_move(r, event, "%s, but %s%s%.200s", part_words[part], words[i].text, has_reason ? "; " : "",
				   has_reason ? was : "");
		else
			fixer_move(r, event, "%s%s%s", was, was[0] && words[i].n ? "; " : "", words[i].n ? words[i].text : "");
	}
	for (size_t i = 0; i < u->n; i++)
		buf_done(&words[i]);
	free(words);
}

static void judge_unit(struct fixer *f, const struct fix_unit *u)
{
	unsigned set = parts_of(f, u), open = IS(UNIT_UNCONFIRMED) | IS(UNIT_PREPARED), done = IS(UNIT_AFTER) | IS(UNIT_COMMITTED);
	unsigned after = open | done | IS(UNIT_UNASKED);
	bool is_half = (has(set, after) && has(set, IS(UNIT_BEFORE) | IS(UNIT_OTHER))) || (has(set, done) && has(set, open));
	bool is_timed = !has(set, ~(IS(UNIT_PREPARED) | IS(UNIT_BEFORE)));	/* nothing is committed, and what differs has a timer */
	bool is_open = !is_timed && !has(set, ~(open | IS(UNIT_BEFORE)));	/* nothing is committed, and nothing ends it: */

	f->is_half_open |= is_half && is_open;
	f->is_half_lasting |= is_half && !is_timed && !is_open;
	if (is_half)
		move_part(f, u, after | IS(UNIT_BEFORE), EVENT_UNIT_HALF, is_timed);
	else if (f->options.goal != FIXER_APPLY || (has(set, after & ~IS(UNIT_AFTER)) && has(set, IS(UNIT_UNKNOWN) | IS(UNIT_UNASKED))))
		/* an earlier run may have changed what is not read */
		move_part(f, u, IS(UNIT_UNKNOWN) | IS(UNIT_UNCONFIRMED) | IS(UNIT_UNASKED), EVENT_UNIT_DOUBTED, false);
}

void fixer_judge_units(struct fixer *f)
{
	if (f->parent || f->options.goal == FIXER_REHEARSE)
		return;
	for (size_t u = 0; u < f->plan->n_units; u++)
		if (f->plan->units[u].n > 1)
			judge_unit(f, &f->plan->units[u]);
}
