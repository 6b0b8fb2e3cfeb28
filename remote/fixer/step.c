/* One job with one device over one session: a sequence of requests (step_send.c), where each reply decides the next. */
#include "remote/fixer/step.h"

#include <stdio.h>

#include "remote/platforms.h"

/* -- under the lock -- */

static void on_read_under_lock(void *ctx)
{
	struct fix_run *r = ctx;

	if (!fix_reader_is_done(r->reader))
		return;
	fix_reader_judge(r->reader, r);
	if (r->part == PART_BEFORE && !fix_reader_proves(r->reader, r))
		r->part = PART_OTHER;	/* it was proved a moment ago */
	fix_reader_free(r->reader);
	r->reader = NULL;
	if (r->part != PART_BEFORE)	/* not our change: nothing to roll back */
		return fix_send_cancel(r);
	r->line = 0;
	fixer_move(r, EVENT_APPLY_BEGUN, "%s", "");
	if (r->fixer->journal_failed)
		return fix_job_end(r, false, "the journal cannot be written: sending stopped");
	fix_send_first_line(r);
}

static void read_under_lock(struct fix_run *r)
{
	fixer_set_words(r, "reading again under the lock");
	r->reader = fix_reader_new(r->fixer, &r, 1, 2, fixer_read_limit_us(r->fixer), on_read_under_lock, r);
}

/* -- replies -- */

bool fix_run_is_witness(const struct fix_run *r)
{
	return r->state == DEV_COMMITTED_EARLIER || r->state == DEV_NOTHING_TO_DO;
}

bool fix_run_is_committed_no_more(const struct fix_run *r)
{
	return r->state == DEV_KEEP_REQUESTED && r->was_committed_earlier && r->is_other_than_seen;
}

/* A witness; or, of fabcon keep, one that was free when it was read. */
static bool only_waits(const struct fix_run *r)
{
	return r->held == HELD_NOTHING && (fix_run_is_witness(r) || (r->is_free_as_read && r->decision == DECIDED_NOTHING));
}

static bool names(struct span list, struct span word)
{
	struct span one;

	while (span_word(&list, &one))
		if (span_same(one, word))
			return true;
	return false;
}

/* "eth0" of a switch and the like: no data port. */
static bool is_management_port(struct span port)
{
	static const char *const names[] = { "eth0", "lo", "ma1", "mgmt", "Management" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (span_starts(port, names[i]))
			return true;
	return false;
}

/* Our session to a switch comes in by a data port, whose name its shell and its command line need not share. */
static bool is_in_band(const struct fix_run *r, const struct device_undo_report *report)
{
	const struct platform *p = platform_find(r->step->platform);
	struct span rest = span_of(report->session_port), port;

	if (!p || !p->is_switch || !span_word(&rest, &port))
		return false;
	return !is_management_port(port);
}

/* True when options.management ("node1 eth0") names this port. */
static bool is_named(const struct fix_run *r, struct span port)
{
	struct span rest = span_of(r->fixer->options.management ? r->fixer->options.management : ""), device;

	return span_word(&rest, &device) && span_is(device, r->step->device) && names(rest, port);
}

/* True when the step touches the interface of our own session, or one below it. */
static bool touches_session_port(const struct fix_run *r, const struct device_undo_report *report)
{
	struct span rest = span_of(report->session_port), port;

	while (span_word(&rest, &port))
		if (names(span_of(r->step->ports ? r->step->ports : ""), port) && !is_named(r, port))
			return true;
	return false;
}

/*
 * Which port our session comes in by is not known, or it is a data port of a switch, which may be any of those that the step
 * touches: each must be named.
 */
static bool may_touch_session_port(const struct fix_run *r, const struct device_undo_report *report)
{
	struct span rest = span_of(r->step->ports ? r->step->ports : ""), port;

	if (!is_in_band(r, report) && (report->session_port[0] || fix_run_dialect(r)->lines_in_cli))
		return false;
	while (span_word(&rest, &port))
		if (!is_named(r, port))
			return true;
	return false;
}

/* The keep may have died before it had stopped the timer: that finds the decision, and rolls nothing back. */
static bool can_fire(const struct device_undo_report *report)
{
	return report->timer != UNDO_BY_NOTHING && !report->is_kept;
}

static void note_timer(struct fix_run *r, const struct device_undo_report *report)
{
	if (can_fire(report))
		r->undo_at_us = fixer_now_us() + (report->left_s + 1) * SECOND_US;
	else if (r->job == JOB_QUERY || report->is_kept)
		r->undo_at_us = 0;
}

static void queried_for_apply(struct fix_run *r, const struct device_undo_report *report)
{
	if (touches_session_port(r, report))
		return fix_job_end(r, false,
				  "our own SSH session uses %s, which this would change: confirm with --management \"%s %s\"",
				  report->session_port, r->step->device, report->session_port);
	if (may_touch_session_port(r, report) && is_in_band(r, report))
		return fix_job_end(r, false, "our own SSH session comes in by a data port (%s), and this may cut it: confirm with --management \"%s %s\"",
				  report->session_port, r->step->device, r->step->ports);
	if (may_touch_session_port(r, report))
		return fix_job_end(r, false, "the port of our own SSH session is not known: if it is none of these, --management "
					    "\"%s %s\"", r->step->device, r->step->ports);
	if (report->timer != UNDO_BY_NOTHING && report->is_locked && !report->is_ours)
		return fix_job_end(r, false, "a rollback timer is already armed there (%s): keep or undo that plan unless somebody is "
					    "working on it", report->holder);
	if (report->timer != UNDO_BY_NOTHING)
		return fix_job_end(r, false, "this plan is already armed there: keep or undo it");
	if (report->is_locked && !report->is_ours)
		return fix_job_end(r, false, "locked: %s", report->holder);
	if (r->arms_without_timer)
		return fix_send_arm_without_timer(r);
	fix_send_arm(r);
}

/* Committed, and its save is not sent. */
static void end_unsaved(struct fix_run *r, const char *why)
{
	r->is_unsaved = r->save_failed = true;
	snprintf(r->save_words, sizeof(r->save_words), "committed, but not saved: %.160s", why);
	fix_job_end(r, true, "%s", r->save_words);
}

static void begin_save(struct fix_run *r)
{
	const char *note;

	r->line = 0;
	if (!fix_run_will_save(r, &note))
		return fix_job_end(r, true, "%s", "");
	if (r->fixer->journal_failed)
		return end_unsaved(r, "the journal cannot be written");
	fix_send_next_save(r);
}

static void confirm_keep(struct fix_run *r)
{
	const char *note;

	r->undo_at_us = 0;
	r->fixer->has_committed = true;
	fix_run_will_save(r, &note);
	fixer_move(r, EVENT_KEEP_CONFIRMED, "%s", note);
	fixer_unit_commit_next(r->fixer, r->unit);
}

const char fix_other_than_seen[] = "it restarted, or another run was at work on it, since it was read as planned";

/*
 * A change that an earlier run kept is saved where that run was to save it and died; not where it was not to: the save could
 * include later changes by others who do not want them saved.
 */
static void queried_for_keep(struct fix_run *r, const struct device_undo_report *report)
{
	bool keep_was_sent = r->state == DEV_KEEPING || r->state == DEV_KEPT;
	const char *note;

	if (report->is_undoing) {
		r->decision = DECIDED_UNDONE;
		return fix_job_end(r, false, "it is being rolled back");
	}
	if (report->is_held_by_inverse)
		return fix_job_end(r, false, "its rollback is in progress: %s", report->holder);
	if (fix_run_is_witness(r) && r->is_other_than_seen)
		return fix_job_end(r, false, "%s", fix_other_than_seen);
	if (r->held == HELD_NOTHING && report->is_kept && keep_was_sent) {	/* our own keep, whose reply was lost */
		r->is_asked_again = false;
		if (r->state == DEV_KEEPING)
			confirm_keep(r);
		if (fix_run_will_save(r, &note) && !(report->is_locked && report->is_ours))
			return fix_job_commit(r);	/* the lock that it was held under has expired */
		return begin_save(r);
	}
	if (r->held == HELD_NOTHING && fix_run_is_left_unsaved(r) && report->is_locked)
		return fix_job_end(r, false, "locked: %s", report->holder);
	if (r->held == HELD_NOTHING && fix_run_is_left_unsaved(r))
		return fix_job_commit(r);
	if (r->held == HELD_NOTHING && !only_waits(r))
		return fix_job_end(r, true, "%s", report->is_kept ? "already committed, saved or not" : "");
	r->is_prepared = true;
	fixer_unit_commit_next(r->fixer, r->unit);
}

void fix_job_commit(struct fix_run *r)
{
	const char *note;
	bool will_save = fix_run_will_save(r, &note);

	if (only_waits(r) && !fix_run_is_left_unsaved(r))
		return fix_job_end(r, true, "%s", r->decision == DECIDED_KEEP ? "already committed, saved or not" : "");
	fix_state_move(&r->state, EVENT_KEEP_SENT);
	fix_send_disarm(r, REQUEST_KEEP, "keep", will_save ? device_undo_keep_and_hold : device_undo_keep, FIX_KEEP_US);
}

void fix_job_fail(struct fix_run *r, const char *why)
{
	fix_job_end(r, false, "%s", why);
}

static enum undo_decision decision_of(const struct device_undo_report *report)
{
	return report->is_kept ? DECIDED_KEEP : report->is_undone ? DECIDED_UNDONE : DECIDED_NOTHING;
}

static enum undo_held held_by(const struct device_undo_report *report)
{
	if (can_fire(report) || report->is_undoing)
		return HELD_TIMER;
	return (report->is_locked && report->is_ours) || report->is_unarmed ? HELD_LOCK : HELD_NOTHING;
}

bool fix_run_is_held_elsewhere(const struct fix_run *r)
{
	return r->holder[0] && !r->is_held_by_inverse && r->held == HELD_NOTHING && r->decision != DECIDED_KEEP;
}

bool fix_run_is_anothers(const struct fix_run *r)
{
	return fix_run_is_held_elsewhere(r) && !strstr(r->holder, r->fixer->plan->id);
}

void fix_run_doubt_anothers(struct fix_run *r)
{
	fixer_move(r, EVENT_DOUBTED, "as planned, but by another plan, which may roll it back: locked: %s; verify again when it has ended",
		   r->holder);
}

bool fix_run_is_overtaken(const struct fix_run *r)
{
	return r->held == HELD_LOCK && r->holder[0] && !r->is_held_by_inverse && !strstr(r->holder, r->fixer->plan->id);
}

static bool is_refused(const struct fix_run *r, const struct device_undo_report *report)
{
	if (r->job == JOB_QUERY && r->fixer->options.goal == FIXER_APPLY)
		return fix_run_is_overtaken(r) || (report->is_locked && !report->is_ours && r->held == HELD_NOTHING);
	if (r->job == JOB_QUERY)
		return r->fixer->is_due && fix_run_is_anothers(r);
	return (r->job == JOB_KEEP || r->job == JOB_UNDO) && fix_run_is_overtaken(r);
}

static bool is_other(const struct fix_run *r, const struct device_undo_report *report)
{
	return r->seen.lock != report->seen.lock || strcmp(r->seen.boot, report->seen.boot) != 0 || r->held != held_by(report) ||
	       r->decision != decision_of(report);
}

/* After a restart of the device, another run on it, or the end of its timer, what was read before says nothing. */
static void note_seen(struct fix_run *r, const struct device_undo_report *report)
{
	if (!report->seen.boot[0])
		return;
	r->is_other_than_seen = r->seen.boot[0] ? is_other(r, report) : r->fixer->reads > 0;	/* it was read before it could be asked */
	r->is_free_as_read &= !r->is_other_than_seen;
	r->seen = report->seen;
	r->seen_us = fixer_now_us();
}

/* The run that this one was given to end is there no more; what stands in its place is another console's. */
static bool is_of_another_run(const struct fix_run *r, const struct device_undo_report *report)
{
	return (r->job == JOB_KEEP || r->job == JOB_UNDO) && r->run && report->run && r->run != report->run;
}

/* What its timer has decided meanwhile; of our run alone. */
static void note_decision(struct fix_run *r, const struct device_undo_report *report)
{
	r->is_undecided = report->run == r->run && report->is_unarmed;
	if (decision_of(report) == DECIDED_NOTHING || report->run != r->run)
		return;
	r->is_unsaved = report->is_unsaved;
	r->decision = decision_of(report);
	r->undo_failed = report->failed;
}

/* Its timer is late, and will fire. */
static bool is_armed_here(const struct fix_run *r, const struct device_undo_report *report)
{
	return report->timer != UNDO_BY_NOTHING && report->run == r->run && decision_of(report) == DECIDED_NOTHING;
}

static void queried(struct fix_run *r, const struct device_undo_report *report)
{
	if (!report->is_understood)
		return fix_job_end(r, false, "%s",
				  report->error[0] ? report->error : "its report of locks and timers could not be parsed");
	r->undo = report->is_undoing || (r->job == JOB_QUERY_UNDO && is_armed_here(r, report)) ? UNDO_RUNNING : UNDO_NOT_RUNNING;
	r->is_held_by_inverse = report->is_held_by_inverse;
	snprintf(r->holder, sizeof(r->holder), "%s",
		 report->is_held_by_inverse || (report->is_locked && !report->is_ours) ? report->holder : "");
	if (r->job == JOB_QUERY_UNDO) {
		note_decision(r, report);
		return fix_job_end(r, true, "%s", "");
	}
	note_seen(r, report);
	if (is_of_another_run(r, report)) {
		r->held = HELD_NOTHING;
		r->decision = DECIDED_NOTHING;
		return fix_job_end(r, false, "another run of this plan has taken its place%s%s", r->holder[0] ? ": locked: " : "", r->holder);
	}
	r->decision = decision_of(report);
	r->undo_failed = report->failed;
	r->held = held_by(report);
	r->run = report->run ? report->run : r->run;
	r->is_unsaved = report->is_unsaved;
	r->had_unsaved_changes |= report->must_not_save && r->part != PART_BEFORE;	/* as before: that was of a run that has ended */
	note_timer(r, report);
	if (is_refused(r, report))
		return fix_job_end(r, false, "locked: %s", report->holder);
	if (r->job == JOB_QUERY && r->fixer->options.goal == FIXER_APPLY && report->is_undoing)
		return fix_job_end(r, false, "its rollback is running: run this again when it has ended");
	switch (r->job) {
	case JOB_QUERY_UNDO:
		return;
	case JOB_APPLY:
		return queried_for_apply(r, report);
	case JOB_QUERY:
		return fix_job_end(r, true, "%s", "");
	case JOB_KEEP:
		return queried_for_keep(r, report);
	case JOB_UNDO:
		if (r->held == HELD_NOTHING)
			return fix_job_end(r, true, "%s", "");
		return fix_send_disarm(r, REQUEST_UNDO, "undo", device_undo_undo, FIX_UNDO_US);
	}
}

/* Nothing was sent yet, and another may be at work: the timer goes, and no undo line runs. */
static void give_up_unlocked(struct fix_run *r)
{
	fixer_move(r, EVENT_ARM_CONFIRMED, "without a lock: nothing is sent");
	r->part = PART_UNKNOWN;
	snprintf(r->why, sizeof(r->why), "the lock was lost while the rollback timer was armed%s%s", r->holder[0] ? ": " : "", r->holder);
	fix_send_cancel(r);
}

static void arm_answered(struct fix_run *r, const struct device_undo_report *report)
{
	bool has_timer = report->timer != UNDO_BY_NOTHING;

	note_seen(r, report);
	if (report->is_understood && !has_timer && report->is_locked && !report->is_ours) {
		fix_state_move(&r->state, EVENT_ARM_FAILED);
		return fix_job_end(r, false, "locked: %s", report->holder);
	}
	if (report->is_understood && report->error[0] && !has_timer) {
		fix_state_move(&r->state, EVENT_ARM_FAILED);
		if (r->fixer->options.without_undo && strstr(report->error, "timer") && !r->arms_without_timer) {
			r->arms_without_timer = true;
			return fix_send_query(r);
		}
		return fix_job_end(r, false, "%s", report->error);
	}
	if (!report->is_understood || (!has_timer && !r->fixer->options.without_undo))
		return fix_job_end(r, false, "the rollback timer is not armed: %s",
				  report->error[0] ? report->error : "its timer does not appear in the device's list");
	note_timer(r, report);
	if (!report->is_locked || !report->is_ours)
		return give_up_unlocked(r);
	r->decision = DECIDED_NOTHING;	/* arming has cleared the record of an earlier run */
	r->held = held_by(report);
	r->run = report->run;
	if (has_timer)
		fixer_move(r, EVENT_ARM_CONFIRMED, "rollback in %ld s by %s", report->left_s,
			    report->timer == UNDO_BY_SYSTEMD ? "systemd" : "its shell");
	else
		fixer_move(r, EVENT_ARM_CONFIRMED, "without a timer: only fabcon can roll it back");
	if (r->fixer->journal_failed)
		return fix_job_end(r, false, "the journal cannot be written: sending stopped");
	read_under_lock(r);
}

/* Nothing of this run is on the device. What another has just changed is that one's to commit or to roll back. */
static void release_confirmed(struct fix_run *r)
{
	char unread[sizeof(r->why)];
	enum part_state part = r->part;

	snprintf(unread, sizeof(unread), "it could not be read again under the lock: %.240s", r->why);
	r->decision = DECIDED_NOTHING;
	r->part = part == PART_AFTER ? PART_UNKNOWN : part;
	fix_state_move(&r->state, EVENT_RELEASED);
	fix_job_end(r, false, "%s",
		   part == PART_OTHER	? "it was changed since the plan was made"
		   : part == PART_AFTER ? "another operator has just made this change"
					: unread);
}

/* Another plan has taken the lock since: to save now would save its change, too. */
static void leave_unsaved(struct fix_run *r, const struct device_undo_report *report)
{
	char why[sizeof(report->holder) + 8];

	snprintf(why, sizeof(why), "locked: %s", report->holder);
	end_unsaved(r, why);
}

static void keep_answered(struct fix_run *r, const struct device_undo_report *report)
{
	r->decision = report->is_undoing ? DECIDED_UNDONE : decision_of(report);
	if (!report->is_kept || report->timer != UNDO_BY_NOTHING)
		return fix_job_end(r, false, "%s", report->error[0] ? report->error : "it does not confirm that its timer is gone");
	r->undo_at_us = 0;
	if (r->request == REQUEST_RELEASE_UNCHANGED)
		return release_confirmed(r);
	confirm_keep(r);
	if (report->is_locked && !report->is_ours && report->is_unsaved)
		return leave_unsaved(r, report);
	begin_save(r);
}

/* Without timer and undo, only our lock is left to release. */
static void undo_answered(struct fix_run *r, const struct device_undo_report *report)
{
	r->decision = decision_of(report);
	if (report->is_kept) {	/* before the undo came: what is committed has no timer */
		r->undo_at_us = 0;
		r->held = HELD_NOTHING;
	}
	if (report->is_understood && !report->is_undone && report->timer == UNDO_BY_NOTHING && report->is_locked &&
	    report->is_ours)
		return fix_send_disarm(r, REQUEST_UNLOCK, "release the lock", device_undo_release, FIX_QUERY_US);
	if (!report->is_undone)
		return fix_job_end(r, false, "%s",
				  report->error[0] ? report->error : "it does not confirm that the rollback completed");
	r->undo_at_us = 0;
	fix_job_end(r, true, "%s", report->error);
}

/* request: REQUEST_BEGIN or REQUEST_LINE. */
static void line_answered(struct fix_run *r, enum fix_request request, int status, struct span output)
{
	struct span rest = span_trim(output), line = { 0 }, last = { 0 };

	while (span_line(&rest, &line))
		last = span_trim(line).n ? span_trim(line) : last;
	if (status != 0)
		return fix_job_end(r, false, "\"%.80s\" ended with status %d: %.*s", r->request_text, status,
				  (int)(last.n < 120 ? last.n : 120), last.n ? last.p : "");
	if (request == REQUEST_LINE)
		r->lines_done += fix_run_is_plan_line(r, r->line++);
	fix_send_next_line(r);
}

/* A failed save does not fail the job: the change is kept. The lock is released all the same. */
static void save_answered(struct fix_run *r, int status)
{
	r->save_failed = status != 0;
	if (r->save_failed)
		snprintf(r->save_words, sizeof(r->save_words), "committed, but not saved: \"%.80s\" ended with status %d", r->request_text, status);
	r->line = r->save_failed ? r->step->save.n : r->line + 1;
	fix_send_next_save(r);
}

static void on_answered(void *ctx, int status, struct span output)
{
	struct fix_run *r = ctx;
	enum fix_request request = r->request;
	struct device_undo_report report = { .is_understood = false };

	r->request = REQUEST_NONE;
	if (request != REQUEST_QUERY && !fixer_journal(r->fixer, r, "answer", r->request_text, status, output))
		return fix_job_end(r, false, "the journal cannot be written: sending stopped");
	if (request != REQUEST_BEGIN && request != REQUEST_LINE && request != REQUEST_SAVE)
		device_undo_read(output, &report);
	if (status < 0 && !report.is_understood)
		return;	/* on_ended() follows, with the reason */
	r->request = request;
	switch (request) {
	case REQUEST_NONE:
		return;
	case REQUEST_QUERY:
		return queried(r, &report);
	case REQUEST_ARM:
		return arm_answered(r, &report);
	case REQUEST_BEGIN:
	case REQUEST_LINE:
		return line_answered(r, request, status, output);
	case REQUEST_SAVE:
		return save_answered(r, status);
	case REQUEST_KEEP:
	case REQUEST_RELEASE_UNCHANGED:
		return keep_answered(r, &report);
	case REQUEST_UNDO:
		return undo_answered(r, &report);
	case REQUEST_UNLOCK:
		r->held = report.is_locked ? HELD_LOCK : HELD_NOTHING;
		if (r->is_save_over)
			return fix_job_end(r, true, "%s", r->save_failed ? r->save_words : "");
		return fix_job_end(r, report.is_understood, "%s", report.error);
	}
}

/* -- the session -- */

static void on_ready(void *ctx, const struct platform *p, const char *hostkey, const char *login)
{
	struct fix_run *r = ctx;

	(void)login;
	r->was_reached = true;
	snprintf(r->hostkey, sizeof(r->hostkey), "%s", hostkey);
	if (!p || strcmp(p->id, r->step->platform) != 0 || !fix_run_dialect(r))
		return fix_job_end(r, false, "it is %s, but the plan was made for %s", p ? p->title : "not known",
				  r->step->platform);
	fix_send_query(r);
}

static void on_ended(void *ctx, const char *why)
{
	struct fix_run *r = ctx;

	if (r->is_save_over)	/* only the lock is left, which expires by itself */
		return fix_job_end(r, true, "%s", r->save_failed ? r->save_words : "");
	fix_job_end(r, false, "%s", why ? why : "the session ended");
}

static void on_ask(void *ctx, unsigned id, const struct question *q)
{
	struct fix_run *r = ctx;

	fixer_ask(r->fixer, r->session, id, q);
}

/* The query only reads: it is allowed without a permit to write. */
static void permit_query(struct fix_run *r)
{
	struct buf script = { 0 };

	fix_run_look(r, &script);
	write_session_let_look(r->session, script.text);
	buf_done(&script);
}

void fix_job_begin(struct fix_run *r, enum fix_job job, void (*job_over)(struct fix_run *r, bool is_done))
{
	struct fixer *f = r->fixer;
	struct write_session_hooks hooks = { .ctx = r, .ready = on_ready, .answered = on_answered, .ended = on_ended,
				      .ask = f->hooks.ask ? on_ask : NULL };

	r->job = job;
	r->job_over = job_over;
	r->was_reached = r->is_prepared = r->is_save_over = r->arms_without_timer = r->is_other_than_seen = false;
	r->is_asked_again = job == JOB_KEEP && r->state == DEV_KEPT;
	r->request = REQUEST_NONE;
	r->line = 0;
	r->why[0] = '\0';
	if (job == JOB_APPLY)
		r->lines_done = 0;
	r->session = write_session_new(f->loop, f->inv, &f->options.poller, f->permit, r->step->device, &hooks);
	if (!f->permit)
		permit_query(r);
}
