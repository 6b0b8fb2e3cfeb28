#include "remote/fixer_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define TICK_MS		100
#define READ_US		(90 * SECOND_US)
#define LATE_US		(2 * SECOND_US)	/* too short before the device takes it back to say keep */
#define GRACE_US	(SECOND_US * 3 / 2)	/* a timer's own inaccuracy, and a second begun */
#define UNDO_RUNS_US	(15 * SECOND_US)	/* how long its lines may take, before what is read is final */
#define SETTLE_US	(60 * SECOND_US)	/* for a device that restarts, or one without a timer */
#define AGAIN_US	(2 * SECOND_US)

static struct fixer *fixers;	/* of this process */

int64_t fixer_now_us(void)
{
	return (int64_t)(uv_hrtime() / 1000);
}

static void enter(struct fixer *f, enum fixer_phase phase)
{
	f->phase = phase;
	fixer_go_on(f);
}

static void turn(void *ctx)
{
	fixer_go_on(ctx);
}

static void end_reading(struct fixer *f)
{
	fix_reader_free(f->reader);
	f->reader = NULL;
}

/* In the set, those for whom it is so. */
#define EACH(f, r) \
	for (size_t each_ = 0; each_ < (f)->n_set; each_++) \
		for (struct fix_run *r = (f)->set[each_]; r; r = NULL)

static void read_those(struct fixer *f, bool (*is_meant)(const struct fix_run *r), unsigned tries, int64_t limit_us)
{
	struct fix_run **meant = xcalloc(f->n_set + 1, sizeof(*meant));
	size_t n = 0;

	EACH(f, r)
		if (is_meant(r))
			meant[n++] = r;
	f->reader = fix_reader_new(f, meant, n, tries, limit_us, turn, f);
	free(meant);
}

/* -- ending -- */

static void finish(struct fixer *f)
{
	end_reading(f);
	f->phase = FIXER_IS_OVER;
	fixer_go_on(f);
}

/* What was not begun is as it was, and may be begun another time. */
static void leave_alone(struct fixer *f, const char *why)
{
	for (size_t i = 0; i < f->plan->n_steps; i++) {
		struct fix_run *r = &f->runs[i];

		if (r->state != FIX_READING && r->state != FIX_PLANNED)
			continue;
		r->state = FIX_PLANNED;
		fixer_say_words(r, "%s", why);
	}
	finish(f);
}

static void refuse_all(struct fixer *f, const char *why)
{
	for (size_t i = 0; i < f->plan->n_steps; i++)
		if (f->runs[i].state == FIX_PLANNED)
			fixer_state(&f->runs[i], FIX_REFUSED, "%s", why);
	finish(f);
}

/* -- waves -- */

static void set_all(struct fixer *f)
{
	f->n_set = 0;
	for (size_t u = 0; u < f->plan->n_units; u++)
		for (size_t i = 0; i < f->plan->units[u].n; i++)
			f->set[f->n_set++] = &f->runs[f->plan->units[u].first + i];
}

/* The units of the next wave; false when there is none. */
static bool set_next_wave(struct fixer *f)
{
	const struct fix_plan *p = f->plan;
	unsigned next = UINT32_MAX;

	for (size_t u = 0; u < p->n_units; u++)
		if (p->units[u].wave > f->wave && p->units[u].wave < next)
			next = p->units[u].wave;
	f->n_set = 0;
	if (next == UINT32_MAX)
		return false;
	f->wave = next;
	for (size_t u = 0; u < p->n_units; u++)
		for (size_t i = 0; p->units[u].wave == next && i < p->units[u].n; i++)
			f->set[f->n_set++] = &f->runs[p->units[u].first + i];
	return true;
}

static bool is_any(const struct fix_run *r)
{
	(void)r;
	return true;
}

static void begin_reading(struct fixer *f)
{
	EACH(f, r) {
		r->state = FIX_READING;
		fixer_say_words(r, "%s", "");
	}
	read_those(f, is_any, 2, READ_US);
	enter(f, FIXER_READS);
}

static void begin_wave(struct fixer *f)
{
	f->has_failed = f->has_looked = false;
	if (f->wants_undo)
		return leave_alone(f, "not begun: it was to be taken back");
	if (f->is_mute)
		return refuse_all(f, "the journal cannot be written");
	if (!set_next_wave(f))
		return finish(f);
	if (!permit_left_us(f->permit) && f->options.goal == FIXER_APPLY)
		return refuse_all(f, "the permission to write has run out");
	begin_reading(f);
}

/* -- beginning -- */

static const char *const goal_words[] = {
	[FIXER_APPLY] = "apply", [FIXER_REHEARSE] = "rehearse", [FIXER_LOOK] = "look", [FIXER_KEEP] = "keep", [FIXER_UNDO] = "undo",
};

static bool writes(const struct fixer *f)
{
	return f->options.goal == FIXER_APPLY || f->options.goal == FIXER_KEEP || f->options.goal == FIXER_UNDO;
}

/* Another fixer of this process that writes to one of our devices. */
static const char *busy_device(const struct fixer *f)
{
	for (const struct fixer *other = fixers; other; other = other->next)
		for (size_t i = 0; i < other->plan->n_steps; i++)
			for (size_t k = 0; k < f->plan->n_steps; k++)
				if (other != f && other != f->parent && writes(other) && !other->has_ended &&
				    !strcmp(other->plan->steps[i].device, f->plan->steps[k].device))
					return f->plan->steps[k].device;
	return NULL;
}

/* What is armed before what is so: a timer may fire between the two, and then what was read is the last. */
static void look(struct fixer *f)
{
	EACH(f, r)
		r->is_wanted = true;
	fix_crew_begin(f, JOB_LOOK);
	enter(f, FIXER_LOOKS);
}

static void begin(struct fixer *f)
{
	const char *busy = writes(f) ? busy_device(f) : NULL;
	char why[200];

	if (!fixer_journal(f, NULL, "begin", goal_words[f->options.goal], 0, (struct span){ 0 }))
		return refuse_all(f, "the journal cannot be written: nothing was sent");
	f->has_begun = true;
	if (writes(f) && !f->permit)
		return refuse_all(f, "read-only: nothing may be written");
	if (busy) {
		snprintf(why, sizeof(why), "%s is being changed by another plan from here", busy);
		return refuse_all(f, why);
	}
	if (f->options.goal == FIXER_APPLY)
		return begin_wave(f);
	set_all(f);
	if (f->options.goal == FIXER_LOOK && f->permit)
		return look(f);
	begin_reading(f);
}

/* -- what was read before anything is sent -- */

/* True: it can be gone on with. */
static bool judge_before(struct fixer *f, struct fix_run *r)
{
	fix_reader_judge(f->reader, r);
	fix_reader_note_ports(f->reader, r);
	switch (r->part) {
	case PART_BEFORE:
		r->state = FIX_PLANNED;
		fixer_say_words(r, "%s", "");
		return true;
	case PART_AFTER:
		return true;
	case PART_OTHER:
		fixer_state(r, FIX_REFUSED, "stale: it was changed since the plan was made");
		return false;
	case PART_UNKNOWN:
		fixer_state(r, FIX_REFUSED, "%s", r->why);
		return false;
	case PART_UNREAD:
	case PART_NOT_REACHED:
		break;
	}
	fixer_state(r, FIX_NOT_REACHED, "%s", r->why);
	return false;
}


static void change(struct fixer *f)
{
	EACH(f, r)
		r->is_wanted = r->part == PART_BEFORE;
	fix_crew_begin(f, JOB_APPLY);
	enter(f, FIXER_CHANGES);
}

/* Its timer may have fired since it was read. */
static bool was_taken_back_meanwhile(struct fixer *f)
{
	bool was = false;

	EACH(f, r)
		was |= r->part == PART_AFTER && !r->has_failed && !r->is_armed && r->is_undone && !f->has_looked;
	f->has_looked = true;
	return was;
}

/* Of those that are as planned already: is undo still armed from an earlier go? */
static void looked_before(struct fixer *f)
{
	bool goes_on = true;

	if (was_taken_back_meanwhile(f))
		return begin_reading(f);
	EACH(f, r) {
		if (r->part != PART_AFTER)
			continue;
		r->may_be_armed = !r->has_failed && r->is_armed;
		if (r->has_failed)
			fixer_state(r, FIX_REFUSED, "it is as planned, but not known to be kept: %s", r->why);
		else if (r->may_be_armed)
			fixer_state(r, FIX_APPLIED, "by an earlier go, and still armed");
		else
			fixer_state(r, FIX_NOTHING_TO_DO, "%s", "");
		goes_on &= !r->has_failed;
	}
	if (!goes_on)
		return leave_alone(f, "not begun, since another device of its wave cannot be changed");
	change(f);
}

static void read_before_apply(struct fixer *f)
{
	bool is_dry = f->options.goal == FIXER_REHEARSE, goes_on = true, looks = false;

	EACH(f, r) {
		goes_on &= judge_before(f, r);
		r->is_wanted = r->part == PART_AFTER && !is_dry;
		looks |= r->is_wanted;
		if (r->part == PART_AFTER && is_dry)
			fixer_state(r, FIX_NOTHING_TO_DO, "%s", "");
	}
	end_reading(f);
	if (is_dry)
		return finish(f);
	if (!goes_on)
		return leave_alone(f, "not begun, since another device of its wave cannot be changed");
	if (!looks)
		return change(f);
	fix_crew_begin(f, JOB_LOOK);
	enter(f, FIXER_LOOKS);
}

/* -- which state it is in: FIXER_LOOK -- */

static void tell_state(struct fixer *f, struct fix_run *r)
{
	bool is_asked = f->permit && !r->has_failed, is_armed = is_asked && r->is_armed;

	switch (r->part) {
	case PART_BEFORE:
		return fixer_state(r, is_armed ? FIX_ARMED : FIX_UNDONE, is_armed ? "as before, and armed" : "as before");
	case PART_AFTER:
		if (!is_asked)
			return fixer_state(r, FIX_APPLIED, "as planned; whether its undo is armed was not asked");
		return fixer_state(r, is_armed ? FIX_VERIFIED : FIX_KEPT, is_armed ? "as planned, and armed: keep it or undo it" : "as planned");
	case PART_OTHER:
		return fixer_state(r, FIX_MIXED, "neither as before nor as planned%s", is_armed ? ", and armed" : "");
	case PART_UNKNOWN:
		return fixer_state(r, FIX_UNKNOWN, "%s", r->why);
	case PART_UNREAD:
	case PART_NOT_REACHED:
		return fixer_state(r, FIX_NOT_REACHED, "%s", r->why);
	}
}

static void read_to_look(struct fixer *f)
{
	EACH(f, r) {
		fix_reader_judge(f->reader, r);
		tell_state(f, r);
	}
	finish(f);
}

/* -- of an earlier go: FIXER_KEEP, FIXER_UNDO -- */

static void read_to_keep(struct fixer *f)
{
	EACH(f, r) {
		fix_reader_judge(f->reader, r);
		r->is_wanted = r->part == PART_AFTER;
		if (r->part == PART_AFTER)
			fixer_state(r, FIX_VERIFIED, "as planned");
		else if (r->part == PART_BEFORE)
			fixer_state(r, FIX_UNDONE, "it is as before already");
		else
			tell_state(f, r);
	}
	end_reading(f);
	f->until_us = fixer_now_us() + SETTLE_US;
	fix_crew_begin(f, JOB_KEEP);
	enter(f, FIXER_KEEPS);
}

static void take_back(struct fixer *f);

static void read_to_undo(struct fixer *f)
{
	EACH(f, r) {
		fix_reader_judge(f->reader, r);
		r->may_be_armed = r->part != PART_NOT_REACHED;
		if (!r->may_be_armed)
			tell_state(f, r);
	}
	end_reading(f);
	take_back(f);
}

static void reads(struct fixer *f)
{
	static void (*const read_for[])(struct fixer *f) = {
		[FIXER_APPLY] = read_before_apply, [FIXER_REHEARSE] = read_before_apply, [FIXER_LOOK] = read_to_look,
		[FIXER_KEEP] = read_to_keep, [FIXER_UNDO] = read_to_undo,
	};

	if (fix_reader_is_done(f->reader))
		read_for[f->options.goal](f);
}

static void looks(struct fixer *f)
{
	if (fix_crew_works(f))
		return;
	if (f->options.goal == FIXER_LOOK)
		begin_reading(f);
	else
		looked_before(f);
}

/* -- changing -- */

static bool is_applied(const struct fix_run *r)
{
	return r->state == FIX_APPLIED;
}

static void verify(struct fixer *f)
{
	bool is_any_applied = false;

	EACH(f, r)
		is_any_applied |= is_applied(r);
	if (!is_any_applied)
		return begin_wave(f);
	f->until_us = fixer_now_us() + READ_US + f->plan->verify_us;
	read_those(f, is_applied, UINT32_MAX, f->until_us - fixer_now_us());
	EACH(f, r) {
		if (!is_applied(r))
			continue;
		fix_verify_begin(r);
		fixer_state(r, FIX_VERIFYING, "%s", "");
	}
	enter(f, FIXER_VERIFIES);
}

/* Of a device on which nothing is armed. */
static void not_begun(struct fix_run *r)
{
	if (r->hostkey[0])
		fixer_state(r, FIX_REFUSED, "%s", r->why);
	else
		fixer_state(r, FIX_NOT_REACHED, "%s", r->why);
}

static void changes(struct fixer *f)
{
	if (fix_crew_works(f))
		return;
	if (!f->has_failed && !f->wants_undo && !f->is_mute)
		return verify(f);
	EACH(f, r)
		if (r->has_failed && !r->may_be_armed)
			not_begun(r);
	take_back(f);
}

/* -- verifying -- */

static void end_verifying(struct fixer *f)
{
	EACH(f, r)
		fix_verify_end(r);
	end_reading(f);
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
		return fixer_state(r, FIX_VERIFIED, "%s", "");
	case VERIFY_FAILED:
		return failed(r, r->why);
	case VERIFY_GOES_ON:
		break;
	}
	if (now_us >= f->until_us || (r->undo_at_us && now_us >= r->undo_at_us - LATE_US))
		failed(r, fix_reader_has(f->reader, r->is->device) ? "its time was over before it was verified" :
								     "it could not be reached again");
}

static void verifies(struct fixer *f)
{
	bool is_verified = true;

	EACH(f, r) {
		if (r->state == FIX_VERIFYING)
			verify_one(f, r);
		is_verified &= r->state != FIX_VERIFYING;
	}
	if (!f->has_failed && !f->wants_undo && !f->is_mute && !is_verified)
		return;
	end_verifying(f);
	if (f->has_failed || f->wants_undo || f->is_mute)
		return take_back(f);
	enter(f, FIXER_WAITS);
	if (f->hooks.changed)
		f->hooks.changed(f->hooks.ctx);
}

/* -- waiting, keeping -- */

static bool is_verified(const struct fix_run *r)
{
	return r->state == FIX_VERIFIED;
}

static void keep(struct fixer *f)
{
	f->wants_keep = false;
	f->until_us = fixer_now_us() + SETTLE_US;
	f->again_us = 0;
	EACH(f, r)
		r->is_wanted = is_verified(r);
	fix_crew_begin(f, JOB_KEEP);
	enter(f, FIXER_KEEPS);
}

static void waits(struct fixer *f)
{
	bool is_late = false;

	EACH(f, r)
		is_late |= is_verified(r) && r->undo_at_us && fixer_now_us() >= r->undo_at_us - LATE_US;
	if (f->wants_undo || is_late) {
		f->phase = FIXER_TAKES_BACK;	/* whoever is told of it from here on finds it waiting no longer */
		EACH(f, r)
			if (is_late && is_verified(r))
				failed(r, "nobody said keep in time");
		return take_back(f);
	}
	if (!f->options.waits || f->wants_keep)
		keep(f);
}

static void was_kept(struct fix_run *r)
{
	bool is_saved = r->is->save.n && !r->fixer->options.skips_save && !r->has_failed && !r->why[0];

	if (is_saved)
		return fixer_state(r, FIX_SAVED, "%s", "");
	if (r->has_failed)
		fixer_state(r, FIX_KEPT, "kept, but not saved: %s", r->why);
	else if (r->why[0])
		fixer_state(r, FIX_KEPT, "%s", r->why);
	else if (r->state != FIX_KEPT)
		fixer_state(r, FIX_KEPT, "%s", r->is->save_note ? r->is->save_note : "");
}

/* Its answer was lost: keep may be said twice. */
static bool is_to_be_kept_again(const struct fix_run *r)
{
	int64_t until_us = r->undo_at_us ? r->undo_at_us - LATE_US : r->fixer->until_us;

	return is_verified(r) && r->has_failed && !r->is_kept && !r->is_undone && !r->fixer->is_mute && fixer_now_us() < until_us;
}

/* Nothing is armed, and the device does not know that anything was decided: it has restarted since, or was cleared. */
static void kept_by_nobody(struct fix_run *r)
{
	if (r->fixer->options.goal == FIXER_KEEP)
		fixer_state(r, FIX_KEPT, "as planned; nothing was armed there any more");
	else
		r->is_settling = true;
}

static void settle_after_timers(struct fixer *f);

/* A job that is done again for whom it failed, a little later. True: not yet, or it goes on. */
static bool works_again(struct fixer *f, bool (*is_again)(const struct fix_run *r))
{
	bool is_any_again = false;

	if (f->again_us && fixer_now_us() < f->again_us)
		return true;
	if (f->again_us)
		EACH(f, r)
			r->is_wanted = is_again(r);
	f->again_us = 0;
	if (fix_crew_works(f))
		return true;
	EACH(f, r)
		is_any_again |= is_again(r);
	if (is_any_again)
		f->again_us = fixer_now_us() + AGAIN_US;
	return is_any_again;
}

static void keeps(struct fixer *f)
{
	bool settles = false;

	if (works_again(f, is_to_be_kept_again))
		return;
	EACH(f, r) {
		if (r->is_kept && (is_verified(r) || r->state == FIX_KEPT))
			was_kept(r);
		else if (is_verified(r) && !r->has_failed && r->is_not_ours && !r->is_undone)
			kept_by_nobody(r);
		else if (is_verified(r))
			r->is_settling = true;
		settles |= r->is_settling;
	}
	if (settles)
		return settle_after_timers(f);
	if (f->options.goal == FIXER_APPLY)
		return begin_wave(f);
	finish(f);
}

/* -- taking back -- */

static void take_back(struct fixer *f)
{
	bool is_any_armed = false;

	EACH(f, r) {
		r->is_wanted = r->may_be_armed;
		r->is_settling = r->may_be_armed;
		is_any_armed |= r->may_be_armed;
		if (r->may_be_armed)
			fixer_state(r, FIX_UNDOING, "%s", r->reason);
	}
	if (!is_any_armed)
		return leave_alone(f, f->wants_undo ? "not begun: it was to be taken back" : "not begun, since another device of its wave failed");
	f->again_us = 0;
	f->until_us = fixer_now_us() + SETTLE_US;
	fix_crew_begin(f, JOB_UNDO);
	enter(f, FIXER_TAKES_BACK);
}

/* Who was not reached is tried again, until the device must have done it by itself. */
static bool is_to_be_undone_again(const struct fix_run *r)
{
	int64_t until_us = r->undo_at_us ? r->undo_at_us : r->fixer->until_us;

	return r->is_settling && r->has_failed && !r->is_undone && !r->fixer->is_mute && fixer_now_us() < until_us;
}

static void takes_back(struct fixer *f)
{
	if (!works_again(f, is_to_be_undone_again))
		settle_after_timers(f);
}

/* -- what became of it -- */

static void settle_after_timers(struct fixer *f)
{
	f->until_us = 0;
	EACH(f, r)
		if (r->is_settling && (r->has_failed || f->is_mute) && r->undo_at_us + GRACE_US > f->until_us)
			f->until_us = r->undo_at_us + GRACE_US;
	enter(f, FIXER_AWAITS_TIMERS);
}

static bool is_settling(const struct fix_run *r)
{
	return r->is_settling;
}

static void awaits_timers(struct fixer *f)
{
	if (fixer_now_us() < f->until_us)
		return;
	f->until_us = fixer_now_us() + SETTLE_US;
	f->again_us = 0;
	EACH(f, r)
		r->seen_us = 0;
	read_those(f, is_settling, UINT32_MAX, SETTLE_US);
	enter(f, FIXER_SETTLES);
}

/* Final, as it was read last. */
static void settle(struct fix_run *r)
{
	bool was_to_be_kept = is_verified(r);

	r->is_settling = r->may_be_armed = false;
	r->undo_at_us = 0;
	switch (r->part) {
	case PART_BEFORE:
		return fixer_state(r, FIX_UNDONE, "%s", was_to_be_kept ? "the device took it back before keep was heard" : r->reason);
	case PART_AFTER:
		if (r->fixer->options.goal == FIXER_UNDO && r->is_not_ours) {	/* kept: by lines that lead back */
			r->is_wanted = true;
			return;
		}
		if (was_to_be_kept || r->is_kept)
			return fixer_state(r, FIX_KEPT, "as planned, long after its timer");
		return fixer_state(r, FIX_MIXED, "still as planned, though it was taken back: %s", r->reason);
	case PART_OTHER:
		return fixer_state(r, FIX_MIXED, "neither as before nor as planned: %s", r->reason);
	case PART_UNREAD:
	case PART_UNKNOWN:
	case PART_NOT_REACHED:
		return fixer_state(r, FIX_UNKNOWN, "%s", r->why);
	}
}

/* An undo may still be running when it is read first. */
static void look_whether_settled(struct fixer *f, struct fix_run *r)
{
	int64_t now_us = fixer_now_us();
	bool is_late = now_us >= f->until_us;

	if (!fix_reader_has(f->reader, r->is->device) && !is_late)
		return;
	fix_reader_judge(f->reader, r);
	r->seen_us = r->seen_us ? r->seen_us : now_us;
	bool is_as_it_may_be = r->part == PART_BEFORE || (r->part == PART_AFTER && (is_verified(r) || r->is_not_ours));
	if (is_as_it_may_be || is_late || now_us - r->seen_us >= UNDO_RUNS_US)
		settle(r);
}

static void invert(struct fixer *f);

static void settles(struct fixer *f)
{
	bool is_again = !f->again_us || fixer_now_us() >= f->again_us, is_settled = true, is_half = false, is_kept = false;

	EACH(f, r) {
		if (r->is_settling)
			look_whether_settled(f, r);
		is_settled &= !r->is_settling;
		is_half |= r->state == FIX_UNDONE;
		is_kept |= r->state == FIX_KEPT || r->state == FIX_SAVED;
	}
	if (!is_settled) {
		EACH(f, r)
			if (is_again && r->is_settling && r->seen_us)
				fix_reader_ask(f->reader, r->is->device);
		if (is_again)
			f->again_us = fixer_now_us() + SECOND_US;
		return;
	}
	end_reading(f);
	if (f->options.goal == FIXER_APPLY && is_half && is_kept && !f->is_mute)	/* of one wave: not the one without the other */
		EACH(f, r)
			r->is_wanted = r->state == FIX_KEPT || r->state == FIX_SAVED;
	invert(f);
}

/* -- what was kept, by a plan that leads back -- */

static bool is_wanted(const struct fix_run *r)
{
	return r->is_wanted;
}

static void invert(struct fixer *f)
{
	bool is_any_wanted = false;

	EACH(f, r)
		is_any_wanted |= r->is_wanted;
	if (!is_any_wanted || f->is_mute)
		return leave_alone(f, "not begun, since a device before it failed");
	EACH(f, r)
		if (r->is_wanted)
			fixer_state(r, FIX_UNDOING, "it was kept: a plan of its own leads back");
	read_those(f, is_wanted, 2, READ_US);
	enter(f, FIXER_INVERTS);
}

static void inverted(struct fixer *f)
{
	for (size_t i = 0; i < f->inverse->n_steps; i++) {
		struct fix_run *r = &f->runs[f->inverse_of[i]], *did = &f->child->runs[i];

		r->is_wanted = false;
		if (did->state == FIX_KEPT || did->state == FIX_SAVED || did->state == FIX_NOTHING_TO_DO)
			fixer_state(r, FIX_UNDONE, "by a plan of its own");
		else if (did->state == FIX_UNDONE || did->state == FIX_PLANNED || did->state == FIX_REFUSED)
			fixer_state(r, f->options.goal == FIXER_UNDO ? FIX_REFUSED : FIX_KEPT, "not taken back: %s", did->words);
		else
			fixer_state(r, did->state, "%s", did->words);
	}
	leave_alone(f, "not begun, since a device before it failed");
}

static bool child_journal(void *ctx, const struct fix_event *e)
{
	struct fixer *f = ctx;
	bool is_whole = e->step == SIZE_MAX;
	const struct fix_run *r = is_whole ? NULL : &f->runs[f->inverse_of[e->step]];

	return fixer_journal(f, r, !strcmp(e->kind, "state") || is_whole ? "inverse" : e->kind, e->text, e->status, e->output);
}

static void child_observed(void *ctx, struct obs *o)
{
	struct fixer *f = ctx;

	if (f->hooks.observed)
		f->hooks.observed(f->hooks.ctx, o);
}

static void child_changed(void *ctx)
{
	struct fixer *f = ctx;

	if (f->hooks.changed)
		f->hooks.changed(f->hooks.ctx);
}

static void child_ask(void *ctx, unsigned id, const struct question *q)
{
	struct fixer *f = ctx;

	fixer_ask(f, f->child, id, q);
}

static void child_ended(void *ctx)
{
	struct fixer *f = ctx;

	f->child_has_ended = true;
	fixer_go_on(f);
}

static void carry_out_inverse(struct fixer *f)
{
	struct fixer_options options = f->options;
	struct fixer_hooks hooks = { .ctx = f, .journal = child_journal, .observed = child_observed, .changed = child_changed,
				     .ask = f->hooks.ask ? child_ask : NULL, .ended = child_ended };

	options.goal = FIXER_APPLY;
	options.waits = false;
	f->child = fixer_new_for(f, f->loop, f->inverse, &options, &hooks);
}

static void inverts(struct fixer *f)
{
	struct err err = { "" };

	if (f->child_has_ended)
		return inverted(f);
	if (f->child || !fix_reader_is_done(f->reader))
		return;
	if (fixer_invert(f, f->reader, &err)) {
		end_reading(f);
		return carry_out_inverse(f);
	}
	EACH(f, r)
		if (r->is_wanted)
			fixer_state(r, f->options.goal == FIXER_UNDO ? FIX_REFUSED : FIX_KEPT, "not taken back: %s", err.text);
	leave_alone(f, "not begun, since a device before it failed");
}

/* -- the end -- */

static bool is_some(const struct fixer *f, enum fix_state s)
{
	for (size_t i = 0; i < f->plan->n_steps; i++)
		if (f->runs[i].state == s)
			return true;
	return false;
}

enum fixer_end fixer_end(const struct fixer *f)
{
	bool wants_undone = f->options.goal == FIXER_UNDO || f->options.goal == FIXER_LOOK;

	if (is_some(f, FIX_UNKNOWN) || is_some(f, FIX_MIXED))
		return FIXER_DOUBT;
	if (is_some(f, FIX_UNDONE) && !wants_undone)
		return FIXER_TAKEN_BACK;
	if (is_some(f, FIX_REFUSED))
		return FIXER_REFUSED;
	if (is_some(f, FIX_NOT_REACHED))
		return FIXER_NOT_REACHED;
	if (is_some(f, FIX_PLANNED) && f->options.goal != FIXER_REHEARSE)
		return FIXER_TAKEN_BACK;	/* what was left is as it was, by the wish of the person */
	return FIXER_DONE;
}

static void end_of_it(struct fixer *f)
{
	static const char *const words[] = {
		[FIXER_DONE] = "done", [FIXER_TAKEN_BACK] = "taken back", [FIXER_DOUBT] = "in doubt", [FIXER_REFUSED] = "refused",
		[FIXER_NOT_REACHED] = "not reached",
	};

	if (f->has_ended)
		return;
	f->has_ended = true;
	uv_timer_stop(&f->tick);
	if (f->has_begun)
		fixer_journal(f, NULL, "end", words[fixer_end(f)], 0, (struct span){ 0 });
	f->hooks.ended(f->hooks.ctx);
}

/* -- the machine -- */

static void advance(struct fixer *f)
{
	static void (*const phases[FIXER_PHASES])(struct fixer *f) = {
		[FIXER_BEGINS] = begin, [FIXER_READS] = reads, [FIXER_LOOKS] = looks, [FIXER_CHANGES] = changes,
		[FIXER_VERIFIES] = verifies, [FIXER_WAITS] = waits, [FIXER_KEEPS] = keeps, [FIXER_TAKES_BACK] = takes_back,
		[FIXER_AWAITS_TIMERS] = awaits_timers, [FIXER_SETTLES] = settles, [FIXER_INVERTS] = inverts,
		[FIXER_IS_OVER] = end_of_it,
	};

	phases[f->phase](f);
}

static void on_again(uv_idle_t *idle)
{
	uv_idle_stop(idle);
	advance(idle->data);
}

static void on_tick(uv_timer_t *timer)
{
	struct fixer *f = timer->data;

	if (f->phase != FIXER_BEGINS)
		advance(f);
}

void fixer_go_on(struct fixer *f)
{
	if (!f->is_freed)
		uv_idle_start(&f->again, on_again);
}

/* -- questions -- */

void fixer_ask(struct fixer *f, const void *who, unsigned id, const struct question *q)
{
	*GROW(f->questions, f->n_questions, f->cap_questions) = (struct fix_question){ .who = who, .id = id };
	f->n_questions++;
	f->hooks.ask(f->hooks.ctx, (unsigned)f->n_questions, q);
}

void fixer_answer(struct fixer *f, unsigned id, const char *text)
{
	struct fix_question q;

	if (!id || id > f->n_questions)
		return;
	q = f->questions[id - 1];
	if (f->reader && q.who == f->reader)
		return fix_reader_answer(f->reader, q.id, text);
	if (f->child && q.who == f->child)
		return fixer_answer(f->child, q.id, text);
	for (size_t i = 0; i < f->plan->n_steps; i++) {
		struct fix_run *r = &f->runs[i];

		if (r->errand && q.who == r->errand)
			return errand_answer(r->errand, q.id, text);
		if (r->reader && q.who == r->reader)
			return fix_reader_answer(r->reader, q.id, text);
	}
}

/* -- for others -- */

static void add_runs(struct fixer *f)
{
	f->runs = xcalloc(f->plan->n_steps + 1, sizeof(*f->runs));
	f->set = xcalloc(f->plan->n_steps + 1, sizeof(*f->set));
	for (size_t i = 0; i < f->plan->n_steps; i++)
		f->runs[i] = (struct fix_run){ .fixer = f, .is = &f->plan->steps[i], .step = i };
	for (size_t u = 0; u < f->plan->n_units; u++)
		for (size_t i = 0; i < f->plan->units[u].n; i++)
			f->runs[f->plan->units[u].first + i].unit = u;
}

static struct fixer *make(const struct fixer *parent, uv_loop_t *loop, const struct fix_plan *plan,
			  const struct policy *policy, const struct inventory *inv, const struct permit *permit,
			  const struct fixer_options *options, const struct fixer_hooks *hooks)
{
	struct fixer *f = xcalloc(1, sizeof(*f));

	*f = (struct fixer){ .loop = loop, .plan = plan, .policy = policy, .inv = inv, .permit = permit, .options = *options,
			     .hooks = *hooks, .parent = parent, .handles = 2, .next = fixers };
	fixers = f;
	if (!f->options.owner)
		f->options.owner = "fabcon";
	fix_plan_hash(plan, f->hash);
	add_runs(f);
	uv_timer_init(loop, &f->tick);
	uv_idle_init(loop, &f->again);
	f->tick.data = f->again.data = f;
	uv_timer_start(&f->tick, on_tick, TICK_MS, TICK_MS);
	fixer_go_on(f);
	return f;
}

struct fixer *fixer_new(uv_loop_t *loop, const struct fix_plan *plan, const struct policy *policy, const struct inventory *inv,
			const struct permit *permit, const struct fixer_options *options, const struct fixer_hooks *hooks)
{
	return make(NULL, loop, plan, policy, inv, permit, options, hooks);
}

struct fixer *fixer_new_for(const struct fixer *parent, uv_loop_t *loop, const struct fix_plan *plan,
			    const struct fixer_options *options, const struct fixer_hooks *hooks)
{
	return make(parent, loop, plan, parent->policy, parent->inv, parent->permit, options, hooks);
}

static void on_closed(uv_handle_t *h)
{
	struct fixer *f = h->data;

	if (!--f->handles)
		free(f);
}

static void forget(struct fixer *f)
{
	struct fixer **at = &fixers;

	while (*at != f)
		at = &(*at)->next;
	*at = f->next;
}

void fixer_free(struct fixer *f)
{
	if (!f || f->is_freed)
		return;
	f->is_freed = true;
	forget(f);
	fixer_free(f->child);
	end_reading(f);
	for (size_t i = 0; i < f->plan->n_steps; i++) {
		fix_job_drop(&f->runs[i]);
		fix_verify_end(&f->runs[i]);
		free(f->runs[i].was_up);
		free(f->runs[i].diff);
	}
	fixer_inverse_free(f);
	free(f->runs);
	free(f->set);
	free(f->questions);
	arena_done(&f->arena);
	uv_close((uv_handle_t *)&f->tick, on_closed);
	uv_close((uv_handle_t *)&f->again, on_closed);
}

void fixer_keep(struct fixer *f)
{
	if (f->phase != FIXER_WAITS || !fixer_is_waiting(f))
		return;
	f->wants_keep = true;
	fixer_go_on(f);
}

void fixer_undo(struct fixer *f)
{
	f->wants_undo = true;
	fixer_go_on(f);
}

bool fixer_is_waiting(const struct fixer *f)
{
	return f->phase == FIXER_WAITS && f->options.waits && !f->wants_keep && !f->wants_undo;
}

bool fixer_has_ended(const struct fixer *f)
{
	return f->has_ended;
}
