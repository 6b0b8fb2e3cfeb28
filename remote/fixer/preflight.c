/* What is known of the devices before anything is sent: what is so, and what is armed. */
#include "remote/fixer/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fix/owner.h"
#include "remote/ssh/own_machine.h"

#define NOT_BEGUN	"not begun, since another device of its wave cannot be changed"

/* -- what was read before anything is sent -- */

static void tell_stale(struct fix_run *r)
{
	fixer_move(r, EVENT_REFUSED, "stale: it was changed since the plan was made%s%s", r->holder[0] ? ", and is held: " : "", r->holder);
}

static const char *address_of(const struct inventory *inv, const char *device)
{
	const struct route *route = routes_find(&inv->routes, device);
	const struct host *h = route ? NULL : inventory_find(inv, device);

	return route ? route->address : h && h->address ? h->address : device;
}

/* It was reached under another name, and is the machine that we run on. */
static bool is_own_machine_unnamed(const struct fixer *f, const char *device)
{
	const struct device *d = model_find_device(fix_reader_model(f->reader), device);

	return d && is_own_machine(device_text(d, FIELD_BOOT)) && !names_own_machine(address_of(f->inv, device));
}

/* True: it can be gone on with. Who may be at a stale one just now is asked first, unless nothing is to be changed. */
static bool judge_before(struct fixer *f, struct fix_run *r)
{
	if (is_own_machine_unnamed(f, r->is->device)) {
		fixer_move(r, EVENT_REFUSED, "its name leads to this machine itself, which is changed only where it is named localhost");
		return false;
	}
	fix_reader_judge(f->reader, r);
	fix_reader_note_ports(f->reader, r);
	switch (r->part) {
	case PART_BEFORE:
		fix_state_move(&r->state, EVENT_FOUND_BEFORE);
		r->had_unsaved_changes = fix_reader_finds_unsaved(f->reader, r);
		fixer_say_words(r, "%s", "");
		return true;
	case PART_AFTER:
		fix_state_move(&r->state, EVENT_QUERY_BEGUN);
		return true;
	case PART_OTHER:
		fix_state_move(&r->state, EVENT_QUERY_BEGUN);
		if (f->options.goal == FIXER_REHEARSE)
			tell_stale(r);
		return false;
	case PART_UNKNOWN:
		fixer_move(r, EVENT_REFUSED, "%s", r->why);
		return false;
	case PART_UNREAD:
	case PART_NOT_REACHED:
		break;
	}
	fixer_move(r, EVENT_UNREACHED, "%s", r->why);
	return false;
}

static bool is_before(const struct fix_run *r)
{
	return r->part == PART_BEFORE;
}

static bool is_after(const struct fix_run *r)
{
	return r->part == PART_AFTER;
}

static bool is_other(const struct fix_run *r)
{
	return r->part == PART_OTHER;
}

void fixer_change(struct fixer *f)
{
	fixer_jobs_begin(f, JOB_APPLY, is_before);
	fixer_enter(f, FIXER_CHANGES);
}

/* Its timer may have fired since it was read. */
static bool was_taken_back_meanwhile(struct fixer *f)
{
	bool was = false;

	EACH(f, r)
		was |= is_after(r) && !fixer_job_failed(r) && r->held != HELD_TIMER && r->decision == DECIDED_UNDONE && !f->has_looked;
	f->has_looked = true;
	return was;
}

static bool is_stale(struct fixer *f)
{
	bool is = false;

	EACH(f, r)
		if (is_other(r)) {
			tell_stale(r);
			is = true;
		}
	return is;
}

static void tell_after(struct fix_run *r)
{
	if (fixer_job_failed(r))
		return fixer_move(r, EVENT_REFUSED, "it is as planned, but not known to be kept: %s", r->why);
	if (r->held == HELD_TIMER)
		return fixer_move(r, EVENT_FOUND_AFTER_ARMED, "by an earlier go, and still armed");
	fixer_move(r, EVENT_FOUND_AFTER_FREE, "%s", "");
}

/* Of those that are as planned already: is undo still armed from an earlier go? */
static void looked_before(struct fixer *f)
{
	bool goes_on = true;

	if (is_stale(f))
		return fixer_leave_alone(f, NOT_BEGUN);
	if (was_taken_back_meanwhile(f))
		return fixer_begin_reading(f);
	EACH(f, r)
		if (is_after(r)) {
			tell_after(r);
			goes_on &= !fixer_job_failed(r);
		}
	if (!goes_on)
		return fixer_leave_alone(f, NOT_BEGUN);
	fixer_change(f);
}

static void read_before_apply(struct fixer *f)
{
	bool is_dry = f->options.goal == FIXER_REHEARSE, goes_on = true, looks = false;

	EACH(f, r) {
		goes_on &= judge_before(f, r);
		if (r->part == PART_AFTER && is_dry)
			fixer_move(r, EVENT_FOUND_AFTER_FREE, "%s", "");
	}
	fixer_end_reading(f);
	if (is_dry)
		return fixer_finish(f);
	EACH(f, r)
		looks |= goes_on ? is_after(r) : is_other(r);
	if (!looks)
		return goes_on ? fixer_change(f) : fixer_leave_alone(f, NOT_BEGUN);
	fixer_jobs_begin(f, JOB_LOOK, goes_on ? is_after : is_other);
	fixer_enter(f, FIXER_LOOKS);
}

/* -- which state it is in: FIXER_LOOK -- */

static void add_owner(const struct fixer *f, const struct fix_run *r, const struct device *d, struct buf *words)
{
	const struct fix_step *s = r->is;

	owner_words(fix_reader_model(f->reader), d, s->edits, s->n_edits, f->plan->policy,
		    s->save_note ? strstr(s->save_note, OWNER_FORGETS) : NULL, words);
	if (!words->n)	/* the plan has found somebody who is not there any more */
		buf_printf(words, "%s; what keeps it: fabcon emit %s %.64s", OWNER_FORGETS, owner_manifest(d), s->device);
}

/* What was planned may have been long ago: who keeps it now. */
static void note_what_lasts(const struct fixer *f, struct fix_run *r)
{
	const struct model *m = fix_reader_model(f->reader);
	const struct device *d = model_find_device(m, r->is->device);
	struct buf words = { 0 };
	uint64_t is_saved;

	if (d && !strcmp(r->is->platform, "linux"))
		add_owner(f, r, d, &words);
	else if (d && device_number(m, d, FIELD_CONFIG_SAVED, 0, &is_saved))
		buf_str(&words, is_saved ? "saved for the next boot" : "not saved: the next boot forgets it");
	snprintf(r->lasts, sizeof(r->lasts), "%s%s", words.n ? "; " : "", words.n ? words.text : "");
	buf_done(&words);
}

/* As before: armed or not, where that was heard. */
static void tell_before(struct fix_run *r)
{
	if (fixer_job_failed(r))
		return fixer_move(r, EVENT_FOUND_BEFORE, "as before; whether its undo is armed is not known: %s", r->reason);
	if (r->held == HELD_TIMER)
		return fixer_move(r, EVENT_FOUND_BEFORE_ARMED, "as before, and armed");
	fixer_move(r, EVENT_FOUND_BEFORE_FREE, "as before");
}

static void tell_planned(struct fix_run *r)
{
	if (fixer_job_failed(r))
		return fixer_move(r, EVENT_FOUND_AFTER, "as planned; whether its undo is armed is not known: %s%s", r->reason, r->lasts);
	if (r->held == HELD_TIMER)
		return fixer_move(r, EVENT_FOUND_AFTER_ARMED, "as planned, and armed: keep it or undo it");
	fixer_move(r, EVENT_FOUND_AFTER_FREE, "as planned%s", r->lasts);
}

static void tell_state(struct fix_run *r)
{
	bool is_asked = !fixer_job_failed(r);

	if (is_asked && r->is_held_by_inverse && (is_before(r) || is_after(r)))
		return fixer_move(r, EVENT_DOUBTED, "%s, but an undo of it is on its way: %s; look again when that is over",
				  is_before(r) ? "as before" : "as planned", r->holder);
	switch (r->part) {
	case PART_BEFORE:
		return tell_before(r);
	case PART_AFTER:
		return tell_planned(r);
	case PART_OTHER:
		return fixer_move(r, EVENT_FOUND_OTHER, "neither as before nor as planned%s",
				  is_asked && r->held == HELD_TIMER ? ", and armed" : "");
	case PART_UNKNOWN:
		return fixer_move(r, EVENT_DOUBTED, "%s", r->why);
	case PART_UNREAD:
	case PART_NOT_REACHED:
		return fixer_move(r, EVENT_UNREACHED, "%s", r->why);
	}
}

static void read_to_look(struct fixer *f)
{
	EACH(f, r) {
		fix_reader_judge(f->reader, r);
		note_what_lasts(f, r);
		tell_state(r);
	}
	fixer_finish(f);
}

/* -- of an earlier go: FIXER_KEEP, FIXER_UNDO -- */

static void read_to_keep(struct fixer *f)
{
	EACH(f, r) {
		fix_reader_judge(f->reader, r);
		if (is_after(r))
			fixer_move(r, EVENT_KEEP_REQUESTED, "as planned");
		else if (is_before(r))
			fixer_move(r, EVENT_FOUND_BEFORE_FREE, "it is as before already");
		else
			tell_state(r);
	}
	fixer_end_reading(f);
	f->until_us = fixer_now_us() + SETTLE_US;
	fixer_jobs_begin(f, JOB_KEEP, is_after);
	fixer_enter(f, FIXER_KEEPS);
}

static void read_to_undo(struct fixer *f)
{
	EACH(f, r) {
		fix_reader_judge(f->reader, r);
		if (r->part == PART_NOT_REACHED)
			tell_state(r);
		else
			fix_state_move(&r->state, EVENT_UNDO_REQUESTED);
	}
	fixer_end_reading(f);
	fixer_take_back(f);
}

void fixer_reads(struct fixer *f)
{
	static void (*const read_for[])(struct fixer *f) = {
		[FIXER_APPLY] = read_before_apply, [FIXER_REHEARSE] = read_before_apply, [FIXER_LOOK] = read_to_look,
		[FIXER_KEEP] = read_to_keep, [FIXER_UNDO] = read_to_undo,
	};

	if (fix_reader_is_done(f->reader))
		read_for[f->options.goal](f);
}

void fixer_looks(struct fixer *f)
{
	if (fixer_jobs_works(f))
		return;
	if (f->options.goal != FIXER_LOOK)
		return looked_before(f);
	EACH(f, r)
		if (fixer_job_failed(r))
			snprintf(r->reason, sizeof(r->reason), "%s", r->why);
	fixer_begin_reading(f);
}
