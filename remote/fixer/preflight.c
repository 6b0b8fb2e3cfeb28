/*
 * Preflight: reads every device and, where needed, queries its lock and timer, before anything is sent. FIXER_LOOK, FIXER_KEEP
 * and FIXER_UNDO start here, too.
 */
#include "remote/fixer/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fix/owner.h"
#include "remote/platforms.h"
#include "remote/ssh/own_machine.h"

#define READS_MOST	3	/* of all devices, while others work on them */
#define NOT_BEGUN	"not started: another device of its batch cannot be changed"

/* -- reading before an apply -- */

/* What holds the device, if anything does, may be why it was read so: another console in the middle of its change. */
static void refuse_as_read(struct fix_run *r)
{
	const char *why = *r->unproven ? r->unproven : "stale: it was changed since the plan was made";

	if (!r->holder[0])
		return fixer_move(r, EVENT_REFUSED, "%s", why);
	fixer_move(r, EVENT_REFUSED, "locked: %s; run this again when it has ended (as read now: %s)", r->holder, why);
}

static const char *address_of(const struct inventory *inv, const char *device)
{
	const struct route *route = routes_find(&inv->routes, device);
	const struct host *h = route ? NULL : inventory_find(inv, device);

	return route ? route->address : h && h->address ? h->address : device;
}

/* The device is the machine that we run on, under a name other than localhost. */
static bool is_own_machine_unnamed(const struct fixer *f, const char *device)
{
	const struct device *d = model_find_device(fix_reader_model(f->reader), device);

	return d && is_own_machine(device_text(d, FIELD_BOOT)) && !names_own_machine(address_of(f->inv, device));
}

/* Nothing is queried for a rehearsal. */
static bool refuse_when_queried(const struct fixer *f, struct fix_run *r)
{
	fix_state_move(&r->state, EVENT_QUERY_BEGUN);
	if (f->options.goal == FIXER_REHEARSE)
		refuse_as_read(r);
	return false;
}

/* Only a boot id of the kernel's: what the query reports is one. */
static void note_boot_id(const struct fixer *f, struct fix_run *r)
{
	const struct device *d = model_find_device(fix_reader_model(f->reader), r->step->device);
	const char *boot = d ? device_text(d, FIELD_BOOT) : NULL;

	snprintf(r->boot_read, sizeof(r->boot_read), "%s", boot && strlen(boot) == 36 ? boot : "");
}

/* True: the apply may continue with this device. One read otherwise is refused after the query has found the lock's holder. */
static bool preflight(struct fixer *f, struct fix_run *r)
{
	if (is_own_machine_unnamed(f, r->step->device)) {
		fixer_move(r, EVENT_REFUSED, "its name resolves to this machine, which is changed only under the name localhost");
		return false;
	}
	fix_reader_judge(f->reader, r);
	snprintf(r->unproven, sizeof(r->unproven), "%s", fix_reader_proves(f->reader, r) ? "" : r->why);
	if (*r->unproven)
		r->part = PART_UNKNOWN;
	fix_reader_note_ports(f->reader, r);
	note_boot_id(f, r);
	switch (r->part) {
	case PART_BEFORE:
		fix_state_move(&r->state, EVENT_FOUND_BEFORE);
		r->had_unsaved_changes = fix_reader_finds_unsaved(f->reader, r);
		fixer_set_words(r, "%s", "");
		return true;
	case PART_AFTER:
		fix_state_move(&r->state, EVENT_QUERY_BEGUN);
		return true;
	case PART_OTHER:
		return refuse_when_queried(f, r);
	case PART_UNKNOWN:
		if (*r->unproven)
			return refuse_when_queried(f, r);
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

static bool is_read_otherwise(const struct fix_run *r)
{
	return r->part == PART_OTHER || *r->unproven;
}

/* As before, and not alone in its unit: whether another console holds it is asked before the first end is armed. */
static bool is_one_of_two(const struct fix_run *r)
{
	return is_before(r) && r->fixer->plan->units[r->unit].n > 1;
}

/* Where an earlier run has begun with the batch, it may hold the others. */
static bool is_to_be_queried(const struct fix_run *r)
{
	const struct fixer *f = r->fixer;

	EACH(f, other)
		if (is_after(other))
			return is_after(r) || is_before(r);
	return is_one_of_two(r);
}

static void fixer_apply(struct fixer *f)
{
	fixer_jobs_begin(f, JOB_APPLY, is_before);
	fixer_enter(f, PHASE_APPLY);
}

static bool has_restarted(const struct fix_run *r)
{
	return r->boot_read[0] && r->seen.boot[0] && strcmp(r->seen.boot, r->boot_read) != 0;
}

/*
 * Of an end that is as planned, what was read counts when the queries before and after it saw the same: no timer has fired in between,
 * no other run has come or gone, and it has not restarted. FIXER_APPLY reads before its first query; the other end of a link waits for
 * nothing but this, so that it is read once more then.
 */
static bool is_outdated(const struct fix_run *r)
{
	const struct fixer *f = r->fixer;

	if (!is_after(r) || fixer_job_failed(r))
		return false;
	if (f->queries > 1 || f->options.goal == FIXER_FINISH)
		return r->is_other_than_seen || has_restarted(r);
	return r->held != HELD_TIMER && (f->plan->units[r->unit].n > 1 || r->decision == DECIDED_UNDONE || has_restarted(r));
}

static bool is_any_outdated(const struct fixer *f)
{
	EACH(f, r)
		if (is_outdated(r))
			return true;
	return false;
}

static void refuse_outdated(struct fixer *f)
{
	EACH(f, r)
		if (is_outdated(r))
			fixer_move(r, EVENT_REFUSED, "as planned when it was read, but each time another run was at work on it, or it "
				   "restarted: run this again when that has ended");
	fixer_skip_rest(f, NOT_BEGUN);
}

static bool refuse_read_otherwise(struct fixer *f)
{
	bool is_any = false;

	EACH(f, r)
		if (is_read_otherwise(r)) {
			refuse_as_read(r);
			is_any = true;
		}
	return is_any;
}

static void tell_as_planned(struct fix_run *r, bool goes_on)
{
	if (fixer_job_failed(r))
		return fixer_move(r, EVENT_REFUSED, "as planned, but not known to be committed: %s", r->why);
	if (!goes_on && r->held == HELD_TIMER)
		return fixer_move(r, EVENT_LEFT_ALONE, "as planned, rollback timer armed; %s", NOT_BEGUN);
	if (!goes_on && r->held == HELD_LOCK && r->decision != DECIDED_KEEP)
		return fixer_move(r, EVENT_REFUSED, "already applied by an earlier run, without a rollback timer, and not committed: keep or undo it");
	if (r->held == HELD_TIMER)
		return fixer_move(r, EVENT_FOUND_AFTER_ARMED, "already applied by an earlier run; its rollback timer is still armed");
	if (r->held == HELD_LOCK && r->decision != DECIDED_KEEP)
		return fixer_move(r, EVENT_FOUND_AFTER_ARMED, "already applied by an earlier run, without a rollback timer");
	r->was_committed_earlier = r->decision == DECIDED_KEEP || (r->fixer->options.goal == FIXER_FINISH && r->decision != DECIDED_UNDONE);
	if (r->was_committed_earlier)
		return fixer_move(r, EVENT_FOUND_COMMITTED, "already committed by an earlier run");
	if (fix_run_undo_failed(r))
		return fixer_move(r, EVENT_REFUSED, "still as planned, although it was rolled back: %lu of its undo commands failed", r->undo_failed);
	fixer_move(r, EVENT_FOUND_AFTER_FREE, "%s", "");
}

static bool is_committed(const struct fix_run *r)
{
	return is_after(r) && r->held == HELD_NOTHING && r->decision == DECIDED_KEEP && !r->is_held_by_inverse;
}

/* FIXER_FINISH: since all units were read, somebody else has had this one. */
static bool is_taken(const struct fixer *f)
{
	bool is_whole = true;

	if (f->options.goal != FIXER_FINISH)
		return false;
	EACH(f, r)
		is_whole &= is_committed(r);
	return !is_whole && !fixer_unit_can_be_finished(f, f->set[0]->unit);
}

/*
 * Another run of this plan has begun there, and is at work or has died: what becomes of it is for that run, its timer, and a person to
 * decide. FIXER_APPLY goes on with nothing of it, and rolls nothing of it back, before its timer has ended or, where it has none, its
 * lock; FIXER_FINISH goes on with what has sent its lines.
 */
static bool is_begun(const struct fix_run *r)
{
	bool is_held = r->held == HELD_TIMER || (r->held == HELD_LOCK && r->holder[0]);

	return is_held && r->job_state == JOB_DONE && (is_before(r) || (is_after(r) && r->fixer->options.goal == FIXER_APPLY));
}

static void refuse_begun(struct fix_run *r)
{
	const char *what = !is_after(r)			   ? "another run of this plan has begun there"
			   : r->decision == DECIDED_KEEP ? "another run is committing it"
							   : "already applied by another run, and not committed";

	fixer_move(r, EVENT_REFUSED, "%s%s%s%s, %s: %s", what, r->holder[0] ? " (" : "", r->holder, r->holder[0] ? ")" : "",
		   r->held == HELD_TIMER ? "its rollback timer is armed" : "without a rollback timer",
		   r->fixer->parent || r->decision == DECIDED_KEEP ? "run this again when it has ended"
								   : "keep or undo this plan unless somebody is working on it");
}

/* Devices already as planned: is an earlier run still armed on them? Both ends of a link: does another console hold one? */
static void queried_for_apply(struct fixer *f)
{
	bool goes_on = true;

	if (refuse_read_otherwise(f))
		return fixer_skip_rest(f, NOT_BEGUN);
	f->queries++;
	if (is_any_outdated(f))
		return f->queries < READS_MOST ? fixer_begin_read(f) : refuse_outdated(f);
	EACH(f, r)
		goes_on &= !fixer_job_failed(r) && !is_begun(r) && !(is_after(r) && fix_run_undo_failed(r));
	if (goes_on && is_taken(f)) {
		EACH(f, r)
			fixer_move(r, EVENT_REFUSED, "its link was changed by somebody else since it was read: verify again (fabcon verify)");
		return fixer_skip_rest(f, NOT_BEGUN);
	}
	EACH(f, r) {
		if (is_begun(r))
			refuse_begun(r);
		else if (is_after(r))
			tell_as_planned(r, goes_on);
		else if (fixer_job_failed(r))
			fixer_move(r, r->was_reached ? EVENT_REFUSED : EVENT_UNREACHED, "%s", r->why);
	}
	if (!goes_on)
		return fixer_skip_rest(f, NOT_BEGUN);
	fixer_apply(f);
}

/* The plan's order is not what the planner makes: nothing of it is started. */
static void refuse_wave(struct fixer *f, const char *why)
{
	EACH(f, r)
		fixer_move(r, EVENT_REFUSED, "%s", why);
	fixer_skip_rest(f, NOT_BEGUN);
}

/*
 * The least that the rollback timer must allow: reading once more over a new connection, the time for which everything must hold,
 * and the margin before the timer. False: the timer would fire in the middle of every verification.
 */
static bool timer_outlasts_verification(const struct fixer *f, char why[300])
{
	int64_t needed_us = f->read_took_us + f->plan->verify_us + LATE_US;
	int64_t undo_us = f->options.confirm_us > 0 ? f->options.confirm_us : CONFIRM_US;

	if (f->parent || undo_us >= needed_us)	/* an inverse plan waits for nothing but the read */
		return true;
	snprintf(why, 300, "the rollback timer of %lld s (--undo-after, --confirm-within) would fire before verification ends: reading took "
		 "%.1f s, and all must hold for %lld s; at least %lld s are needed; nothing was sent", (long long)(undo_us / SECOND_US),
		 f->read_took_us / 1e6, (long long)(f->plan->verify_us / SECOND_US), (long long)((needed_us + SECOND_US - 1) / SECOND_US));
	return false;
}

static bool refuse_short_timer(struct fixer *f)
{
	bool refuses = false;
	char why[300];

	if (timer_outlasts_verification(f, why))
		return false;
	EACH(f, r)
		if (is_before(r) && r->state == DEV_AS_BEFORE) {
			fixer_move(r, EVENT_REFUSED, "%s", why);
			refuses = true;
		}
	return refuses;
}

static void read_for_apply(struct fixer *f)
{
	bool is_dry = f->options.goal == FIXER_REHEARSE, goes_on = true, queries = false;
	char why[300];

	if (!fix_reader_proves_order(f->reader, why))
		return refuse_wave(f, why);
	EACH(f, r) {
		goes_on &= preflight(f, r);
		if (r->part == PART_AFTER && is_dry)
			fixer_move(r, EVENT_FOUND_AFTER_FREE, "%s", "");
	}
	fixer_end_read(f);
	if (goes_on)
		goes_on = !refuse_short_timer(f);
	if (is_dry)
		return fixer_finish(f);
	EACH(f, r)
		queries |= goes_on ? is_to_be_queried(r) : is_read_otherwise(r);
	if (!queries)
		return goes_on ? fixer_apply(f) : fixer_skip_rest(f, NOT_BEGUN);
	fixer_jobs_begin(f, JOB_QUERY, goes_on ? is_to_be_queried : is_read_otherwise);
	fixer_enter(f, PHASE_QUERY);
}

/* -- FIXER_LOOK: the state of each device -- */

static void add_owner(const struct fixer *f, const struct fix_run *r, const struct device *d, struct buf *words)
{
	const struct fix_step *s = r->step;

	owner_words(fix_reader_model(f->reader), d, s->edits, s->n_edits, f->plan->policy,
		    s->save_note ? strstr(s->save_note, OWNER_FORGETS) : NULL, words);
	if (!words->n)	/* the owner named in the plan is gone */
		buf_printf(words, "%s; to persist it: fabcon emit %s %.64s", OWNER_FORGETS, owner_manifest(d), s->device);
}

/* Determines again what persists the change over a reboot: the plan may be old. */
static void note_boot(const struct fixer *f, struct fix_run *r)
{
	const struct model *m = fix_reader_model(f->reader);
	const struct device *d = model_find_device(m, r->step->device);
	const struct platform *platform = platform_find(r->step->platform);
	struct buf words = { 0 };
	uint64_t is_saved;

	if (d && platform && !platform->is_switch)
		add_owner(f, r, d, &words);
	else if (d && device_number(m, d, FIELD_CONFIG_SAVED, 0, &is_saved))
		buf_str(&words, is_saved ? "saved (survives reboot)" : "not saved: lost at reboot");
	if (words.n && platform && platform->is_switch && is_saved)	/* by whomever: the device itself says so */
		r->is_unsaved = false;
	snprintf(r->boot_note, sizeof(r->boot_note), "%s%s", words.n ? "; " : "", words.n ? words.text : "");
	buf_done(&words);
}

static void found_before(struct fix_run *r, const char *next)
{
	if (r->decision == DECIDED_UNDONE)
		return fixer_move(r, EVENT_FOUND_ROLLED_BACK, "as before");
	fixer_move(r, EVENT_FOUND_BEFORE_FREE, "nothing of this plan is there%s", next);
}

/* "armed" and "not armed" only where the query got a reply. */
static void report_before(struct fix_run *r)
{
	if (fixer_job_failed(r))
		return fixer_move(r, EVENT_FOUND_BEFORE, "as before; whether a rollback timer is armed is not known: %s",
				  r->rollback_reason);
	if (r->held == HELD_TIMER)
		return fixer_move(r, EVENT_FOUND_BEFORE_ARMED, "as before, and armed");
	if (r->held == HELD_LOCK)
		return fixer_move(r, EVENT_FOUND_BEFORE_ARMED, "as before; its lock is held, without a rollback timer");
	found_before(r, "");
}

/* Its undo ran to its end. With failed lines it is neither committed nor rolled back; without, somebody has set it again since. */
static void report_after_undo(struct fix_run *r)
{
	if (r->undo_failed)
		return fixer_move(r, EVENT_FOUND_OTHER, "still as planned, although it was rolled back: %lu of its undo commands failed", r->undo_failed);
	fixer_move(r, EVENT_FOUND_AFTER_BY_OTHERS, "as planned; this plan was rolled back, and it was set again since%s", r->boot_note);
}

static void report_after(struct fix_run *r)
{
	if (fixer_job_failed(r))
		return fixer_move(r, EVENT_DOUBTED, "as planned; whether a rollback timer is armed is not known: %s%s",
				  r->rollback_reason, r->boot_note);
	if (r->held == HELD_TIMER)
		return fixer_move(r, EVENT_FOUND_AFTER_ARMED, "as planned, rollback timer armed: keep or undo it");
	if (r->held == HELD_LOCK && r->decision != DECIDED_KEEP)
		return fixer_move(r, EVENT_FOUND_AFTER, "as planned, without a rollback timer, and not committed: keep or undo it");
	if (r->decision == DECIDED_UNDONE)
		return report_after_undo(r);
	if (fix_run_is_left_unsaved(r))
		return fixer_move(r, EVENT_FOUND_AFTER_FREE, "as planned and committed, but the run that committed it ended before it was saved: "
				  "fabcon verify --finish saves it%s", r->boot_note);
	if (r->decision == DECIDED_NOTHING && !r->fixer->options.was_applied)
		return fixer_move(r, EVENT_FOUND_AFTER_BY_OTHERS, "as planned; no record here or on the device that this plan was applied%s",
				  r->boot_note);
	fixer_move(r, EVENT_FOUND_AFTER_FREE, "as planned%s", r->boot_note);
}

static void report_other(struct fix_run *r, bool is_armed)
{
	char what[160];

	fixer_differing(r, what);
	fixer_move(r, EVENT_FOUND_OTHER, "neither as before nor as planned%s%s", is_armed ? ", and armed" : "", what);
}

static void report_found(struct fix_run *r)
{
	bool is_queried = !fixer_job_failed(r);

	if (is_queried && r->is_other_than_seen && (is_before(r) || is_after(r)))
		return fixer_move(r, EVENT_DOUBTED, "%s when it was read, but another run was at work on it, or it restarted: verify again",
				  is_before(r) ? "as before" : "as planned");
	if (is_queried && r->is_held_by_inverse && (is_before(r) || is_after(r)))
		return fixer_move(r, EVENT_DOUBTED, "%s, but its rollback is in progress: %s; verify again when it has ended",
				  is_before(r) ? "as before" : "as planned", r->holder);
	if (is_queried && r->undo == UNDO_RUNNING && (is_before(r) || is_after(r)))
		return fixer_move(r, EVENT_DOUBTED, "%s, and its rollback is still running; verify again when it has ended",
				  is_before(r) ? "as before" : "as planned");
	if (is_queried && fix_run_is_anothers(r) && is_after(r))
		return fix_run_doubt_anothers(r);
	switch (r->part) {
	case PART_BEFORE:
		return report_before(r);
	case PART_AFTER:
		return report_after(r);
	case PART_OTHER:
		return report_other(r, is_queried && r->held == HELD_TIMER);
	case PART_UNKNOWN:
		return fixer_move(r, EVENT_DOUBTED, "%s", r->why);
	case PART_UNREAD:
	case PART_NOT_REACHED:
		return fixer_move(r, EVENT_UNREACHED, "%s", r->why);
	}
}

static void read_for_look(struct fixer *f)
{
	EACH(f, r) {
		fix_reader_judge(f->reader, r);
		note_boot(f, r);
		report_found(r);
	}
	fixer_finish(f);
}

/* -- FIXER_FINISH: the units that an earlier run left half -- */

static void survey(struct fixer *f)
{
	f->is_due = xcalloc(f->plan->n_units + 1, sizeof(*f->is_due));
	EACH(f, r)
		fix_reader_judge(f->reader, r);
	for (size_t u = 0; u < f->plan->n_units; u++)
		f->is_due[u] = fixer_unit_can_be_finished(f, u);
	EACH(f, r)
		f->is_due[r->unit] &= !r->is_other_than_seen;
	EACH(f, r) {
		if (f->is_due[r->unit])
			continue;
		note_boot(f, r);
		report_found(r);
	}
	fixer_end_read(f);
	fixer_begin_wave(f);
}

static void read_for_finish(struct fixer *f)
{
	return f->is_due ? read_for_apply(f) : survey(f);
}

/* -- FIXER_KEEP and FIXER_UNDO, for an earlier run -- */

static bool is_keepable(const struct fix_run *r)
{
	return r->state == DEV_KEEP_REQUESTED;
}

static void read_for_keep(struct fixer *f)
{
	EACH(f, r) {
		fix_reader_judge(f->reader, r);
		if (fix_reader_proves(f->reader, r))
			continue;
		r->part = PART_UNKNOWN;
		fixer_move(r, EVENT_REFUSED, "%s", r->why);
	}
	EACH(f, r) {
		if (r->state == DEV_REFUSED)
			continue;
		r->was_committed_earlier = !fixer_job_failed(r) && is_committed(r);
		r->is_free_as_read = is_after(r) && !fixer_job_failed(r) && r->held == HELD_NOTHING && r->decision == DECIDED_NOTHING;
		if (r->is_held_by_inverse && !fixer_job_failed(r))
			report_found(r);
		else if (is_after(r) && fixer_unit_is_after(f, r->unit))
			fixer_move(r, EVENT_KEEP_REQUESTED, "as planned");
		else if (is_after(r))
			fixer_move(r, EVENT_FOUND_AFTER, "as planned; not committed, because the other end of its link was not read as planned");
		else if (is_before(r) && !fixer_job_failed(r) && r->held == HELD_TIMER)
			report_before(r);
		else if (is_before(r))
			found_before(r, ": apply it first");
		else
			report_found(r);
	}
	fixer_end_read(f);
	f->deadline_us = fixer_now_us() + SETTLE_US;
	fixer_jobs_begin(f, JOB_KEEP, is_keepable);
	fixer_enter(f, PHASE_KEEP);
}

static void read_for_undo(struct fixer *f)
{
	EACH(f, r) {
		fix_reader_judge(f->reader, r);
		if (r->part == PART_NOT_REACHED)
			report_found(r);
		else
			fix_state_move(&r->state, EVENT_UNDO_REQUESTED);
	}
	fixer_end_read(f);
	fixer_roll_back(f);
}

static void (*const read_for[])(struct fixer *f) = {
	[FIXER_APPLY] = read_for_apply, [FIXER_REHEARSE] = read_for_apply, [FIXER_LOOK] = read_for_look,
	[FIXER_KEEP] = read_for_keep, [FIXER_UNDO] = read_for_undo, [FIXER_FINISH] = read_for_finish,
};

/* Of all devices, what is read counts when the queries before and after it saw the same lock and boot. */
static bool reads_between_queries(const struct fixer *f)
{
	return f->options.goal == FIXER_LOOK || (f->options.goal == FIXER_FINISH && !f->is_due);
}

void fixer_phase_read(struct fixer *f)
{
	if (!fix_reader_is_done(f->reader))
		return;
	if (!reads_between_queries(f))
		return read_for[f->options.goal](f);
	f->reads++;
	fixer_begin_query(f);
}

/* Another run, or a restart, came between a device's query and its read. */
static bool is_any_other_than_seen(const struct fixer *f)
{
	EACH(f, r)
		if (r->is_other_than_seen && !fixer_job_failed(r))
			return true;
	return false;
}

void fixer_phase_query(struct fixer *f)
{
	if (fixer_jobs_run(f))
		return;
	if (f->options.goal == FIXER_APPLY || (f->options.goal == FIXER_FINISH && f->is_due))
		return queried_for_apply(f);
	EACH(f, r)
		if (fixer_job_failed(r))
			snprintf(r->rollback_reason, sizeof(r->rollback_reason), "%s", r->why);
	if (!f->reads || (is_any_other_than_seen(f) && f->reads < READS_MOST))
		return fixer_begin_read(f);
	read_for[f->options.goal](f);
}
