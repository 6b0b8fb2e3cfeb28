/*
 * One job with one device over one session: a sequence of requests, where each reply decides the next request. A request
 * is journaled before it is sent.
 */
#include "remote/fixer/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/platform/startup_config.h"
#include "remote/platforms.h"

#define QUERY_US	(20 * SECOND_US)
#define KEEP_US		(60 * SECOND_US)	/* stops a timer, deletes a checkpoint */
#define ARM_US		(90 * SECOND_US)	/* makes a checkpoint, rehearses, starts a timer */
#define LINE_US		(180 * SECOND_US)	/* one line may be a whole patch of a switch */
#define UNDO_US		(300 * SECOND_US)	/* every undo line; the undo continues if our session ends */
#define ARM_ANSWER_US	(10 * SECOND_US)	/* the device may start its timer this much later than we sent the request */

static void finish_job(struct fix_run *r, bool is_done, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void finish_job(struct fix_run *r, bool is_done, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(r->why, sizeof(r->why), format, args);
	va_end(args);
	fix_job_drop(r);
	r->job_over(r, is_done);
}

/* -- requests -- */

static void send_request(struct fix_run *r, enum fix_request request, enum write_kind how, const char *text, int64_t limit_us)
{
	r->request = request;
	write_session_say(r->session, how, text, limit_us);
}

static bool journal_or_fail(struct fix_run *r, const char *kind, const char *text)
{
	r->request_text = text;
	if (fixer_journal(r->fixer, r, kind, text, -1, (struct span){ 0 }))
		return true;
	finish_job(r, false, "the journal cannot be written: sending stopped");
	return false;
}

static void look(const struct fix_run *r, struct buf *script)
{
	device_undo_look(r->fixer->plan, r->index, &(struct device_undo_by){ .owner = r->fixer->options.owner }, script);
}

static void send_query(struct fix_run *r)
{
	struct buf script = { 0 };

	look(r, &script);
	send_request(r, REQUEST_QUERY, WRITE_SHELL, script.text, QUERY_US);
	buf_done(&script);
}

/* Bound to the locks as they were seen; a run of ours has the number of the lock that it takes, which is the next. */
static void arm(struct fix_run *r, unsigned undo_s)
{
	struct span rest = span_of(r->seen);
	struct buf script = { 0 };
	uint64_t top;

	r->by = (struct device_undo_by){ .owner = r->fixer->options.owner, .seen = r->seen };
	device_undo_set(r->fixer->plan, r->index, &r->by, undo_s, &script);
	r->by.run = span_take_u64(&rest, &top) ? (unsigned long)top + 1 : 0;
	r->by.seen = NULL;
	send_request(r, REQUEST_ARM, WRITE_SHELL, script.text, ARM_US);
	buf_done(&script);
}

static int64_t confirm_us(const struct fixer *f)
{
	return f->options.confirm_us > 0 ? f->options.confirm_us : CONFIRM_US;
}

static void send_arm(struct fix_run *r)
{
	struct fixer *f = r->fixer;
	unsigned undo_s = (unsigned)((confirm_us(f) + SECOND_US - 1) / SECOND_US);

	if (!journal_or_fail(r, "arm", "lock, and arm the rollback timer"))
		return;
	fix_state_move(&r->state, EVENT_ARM_SENT);
	/* The latest possible time, until the reply corrects it. */
	r->undo_at_us = fixer_now_us() + undo_s * SECOND_US + ARM_ANSWER_US;
	arm(r, undo_s);
}

/* The operator waived the timer. The undo script is still installed, for us to run. */
static void send_arm_without_timer(struct fix_run *r)
{
	if (!journal_or_fail(r, "arm", "locked without a rollback timer (requested with --no-undo)"))
		return;
	fix_state_move(&r->state, EVENT_ARM_SENT);	/* no timer, but an undo script that we may have to run */
	r->undo_at_us = 0;
	arm(r, 0);
}

static void send_disarm(struct fix_run *r, enum fix_request request, const char *text,
			void (*make)(const struct fix_plan *p, size_t step, const struct device_undo_by *by, struct buf *script),
			int64_t limit_us)
{
	struct buf script = { 0 };

	if (!journal_or_fail(r, "disarm", text))
		return;
	make(r->fixer->plan, r->index, &r->by, &script);
	send_request(r, request, WRITE_SHELL, script.text, limit_us);
	buf_done(&script);
}

/* -- lines -- */

static size_t count(const char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

static const struct dialect *dialect_of(const struct fix_run *r)
{
	return dialect_find(r->step->platform);
}

/* The nth line to send, with the dialect's lines that enter and leave its CLI; NULL after the last. */
static const char *nth_line(const struct fix_run *r, size_t n)
{
	const struct dialect *d = dialect_of(r);
	size_t n_enter = d->lines_in_cli ? count(d->enter) : 0, n_leave = d->lines_in_cli ? count(d->leave) : 0;

	if (n < n_enter)
		return d->enter[n];
	if (n < n_enter + r->step->lines.n)
		return r->step->lines.list[n - n_enter];
	n -= n_enter + r->step->lines.n;
	return n < n_leave ? d->leave[n] : NULL;
}

static bool is_plan_line(const struct fix_run *r, size_t n)
{
	size_t n_enter = dialect_of(r)->lines_in_cli ? count(dialect_of(r)->enter) : 0;

	return n >= n_enter && n < n_enter + r->step->lines.n;
}

static int64_t line_limit_us(const struct fix_run *r)
{
	int64_t left_us = r->undo_at_us ? r->undo_at_us - fixer_now_us() : LINE_US;

	return left_us < LINE_US ? left_us : LINE_US;
}

static void send_line(struct fix_run *r, enum fix_request request, const char *line, int64_t limit_us)
{
	struct buf script = { 0 };

	if (!journal_or_fail(r, "command", line))
		return;
	if (dialect_of(r)->lines_in_cli)
		return send_request(r, request, WRITE_CLI, line, limit_us);
	device_undo_line(r->fixer->plan, r->index, &r->by, line, &script);
	send_request(r, request, WRITE_SHELL, script.text, limit_us);
	buf_done(&script);
}

static void send_next_line(struct fix_run *r)
{
	const char *line = nth_line(r, r->line);

	if (r->fixer->wants_undo)
		return finish_job(r, false, "rollback was requested before its last line");
	if (r->undo_at_us && r->undo_at_us - fixer_now_us() < LATE_US)
		return finish_job(r, false, "the rollback timer expired before the last command");
	if (!line)
		return finish_job(r, true, "%s", "");
	fixer_set_words(r, "line %zu of %zu", r->lines_done + (r->lines_done < r->step->lines.n), r->step->lines.n);
	send_line(r, REQUEST_LINE, line, line_limit_us(r));
}

bool fix_run_will_save(const struct fix_run *r, const char **note)
{
	bool is_left_unsaved = r->step->save.n && r->had_unsaved_changes;

	*note = is_left_unsaved ? startup_config_is_not_ours : r->step->save_note ? r->step->save_note : "";
	return r->step->save.n && !is_left_unsaved && !r->fixer->options.skips_save;
}

bool fix_run_is_left_unsaved(const struct fix_run *r)
{
	const char *note;

	return r->is_unsaved && r->part == PART_AFTER && fix_run_will_save(r, &note);
}

static void send_next_save(struct fix_run *r)
{
	struct buf script = { 0 };
	const char *line;

	r->is_save_over = r->line >= r->step->save.n;
	if (r->is_save_over) {
		r->is_unsaved = r->save_failed;
		return send_disarm(r, REQUEST_UNLOCK, "release the lock", r->save_failed ? device_undo_release_unsaved : device_undo_release,
				   QUERY_US);
	}
	line = r->step->save.list[r->line];
	if (!journal_or_fail(r, "command", line))
		return;
	/* device_undo_line() would refuse: the step has been decided by now. */
	if (dialect_of(r)->lines_in_cli)
		return send_request(r, REQUEST_SAVE, WRITE_CLI, line, LINE_US);
	device_undo_save(r->fixer->plan, r->index, line, &script);
	send_request(r, REQUEST_SAVE, WRITE_SHELL, script.text, LINE_US);
	buf_done(&script);
}

/* -- under the lock -- */

/* Nothing was sent: the device stays as it is. */
static void send_cancel(struct fix_run *r)
{
	send_disarm(r, REQUEST_RELEASE_UNCHANGED, "keep the device as it is and cancel the rollback timer", device_undo_cancel, KEEP_US);
}

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
		return send_cancel(r);
	r->line = 0;
	fixer_move(r, EVENT_APPLY_BEGUN, "%s", "");
	if (r->fixer->journal_failed)
		return finish_job(r, false, "the journal cannot be written: sending stopped");
	send_next_line(r);
}

static void read_under_lock(struct fix_run *r)
{
	fixer_set_words(r, "reading again under the lock");
	r->reader = fix_reader_new(r->fixer, &r, 1, 1, 60 * SECOND_US, on_read_under_lock, r);
}

/* -- replies -- */

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

	if (!is_in_band(r, report) && (report->session_port[0] || dialect_of(r)->lines_in_cli))
		return false;
	while (span_word(&rest, &port))
		if (!is_named(r, port))
			return true;
	return false;
}

static void note_timer(struct fix_run *r, const struct device_undo_report *report)
{
	if (report->timer != UNDO_BY_NOTHING)
		r->undo_at_us = fixer_now_us() + (report->left_s + 1) * SECOND_US;
}

static void queried_for_apply(struct fix_run *r, const struct device_undo_report *report)
{
	if (touches_session_port(r, report))
		return finish_job(r, false,
				  "our own SSH session uses %s, which this would change: confirm with --management \"%s %s\"",
				  report->session_port, r->step->device, report->session_port);
	if (may_touch_session_port(r, report) && is_in_band(r, report))
		return finish_job(r, false, "our own SSH session comes in by a data port (%s), and this may cut it: confirm with --management \"%s %s\"",
				  report->session_port, r->step->device, r->step->ports);
	if (may_touch_session_port(r, report))
		return finish_job(r, false, "the port of our own SSH session is not known: if it is none of these, --management "
					    "\"%s %s\"", r->step->device, r->step->ports);
	if (report->timer != UNDO_BY_NOTHING && report->is_locked && !report->is_ours)
		return finish_job(r, false, "a rollback timer is already armed there (%s): keep or undo that plan unless somebody is "
					    "working on it", report->holder);
	if (report->timer != UNDO_BY_NOTHING)
		return finish_job(r, false, "this plan is already armed there: keep or undo it");
	if (report->is_locked && !report->is_ours)
		return finish_job(r, false, "locked: %s", report->holder);
	send_arm(r);
}

static void begin_save(struct fix_run *r)
{
	const char *note;

	r->line = 0;
	if (!fix_run_will_save(r, &note) || r->fixer->journal_failed)
		return finish_job(r, true, "%s", "");
	send_next_save(r);
}

static void confirm_keep(struct fix_run *r)
{
	const char *note;

	r->undo_at_us = 0;
	fix_run_will_save(r, &note);
	fixer_move(r, EVENT_KEEP_CONFIRMED, "%s", note);
	fixer_unit_commit_next(r->fixer, r->unit);
}

/*
 * A change that an earlier run kept is saved where that run was to save it and died; not where it was not to: the save could
 * include later changes by others who do not want them saved.
 */
static void queried_for_keep(struct fix_run *r, const struct device_undo_report *report)
{
	bool keep_was_sent = r->state == DEV_KEEPING || r->state == DEV_KEPT;

	if (report->is_undoing) {
		r->decision = DECIDED_UNDONE;
		return finish_job(r, false, "it is being rolled back");
	}
	if (r->held == HELD_NOTHING && report->is_kept && keep_was_sent) {	/* our own keep, whose reply was lost */
		if (r->state == DEV_KEEPING)
			confirm_keep(r);
		return begin_save(r);
	}
	if (r->held == HELD_NOTHING && fix_run_is_left_unsaved(r) && report->is_locked)
		return finish_job(r, false, "locked: %s", report->holder);
	if (r->held == HELD_NOTHING && fix_run_is_left_unsaved(r))
		return fix_job_commit(r);
	if (r->held == HELD_NOTHING)
		return finish_job(r, true, "%s", report->is_kept ? "already committed, saved or not" : "");
	r->is_prepared = true;
	fixer_unit_commit_next(r->fixer, r->unit);
}

void fix_job_commit(struct fix_run *r)
{
	const char *note;
	bool will_save = fix_run_will_save(r, &note);

	fix_state_move(&r->state, EVENT_KEEP_SENT);
	send_disarm(r, REQUEST_KEEP, "keep", will_save ? device_undo_keep_and_hold : device_undo_keep, KEEP_US);
}

void fix_job_fail(struct fix_run *r, const char *why)
{
	finish_job(r, false, "%s", why);
}

static enum undo_decision decision_of(const struct device_undo_report *report)
{
	return report->is_kept ? DECIDED_KEEP : report->is_undone ? DECIDED_UNDONE : DECIDED_NOTHING;
}

static enum undo_held held_by(const struct device_undo_report *report)
{
	if (report->timer != UNDO_BY_NOTHING || report->is_undoing)
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

/* After a restart of the device, what was read before it says nothing. */
static void note_seen(struct fix_run *r, const struct device_undo_report *report)
{
	struct span was = { NULL, 0 }, is = { NULL, 0 }, n;

	span_cut(span_of(r->seen), ' ', &n, &was);
	span_cut(span_of(report->seen), ' ', &n, &is);
	if (r->seen[0] && !span_same(was, is))
		r->is_free_as_read = false;
	snprintf(r->seen, sizeof(r->seen), "%s", report->seen);
}

/* The run that this one was given to end is there no more; what stands in its place is another console's. */
static bool is_of_another_run(const struct fix_run *r, const struct device_undo_report *report)
{
	return (r->job == JOB_KEEP || r->job == JOB_UNDO) && r->by.run && report->run && r->by.run != report->run;
}

/* What its timer has decided meanwhile; of our run alone. */
static void note_decision(struct fix_run *r, const struct device_undo_report *report)
{
	if (decision_of(report) == DECIDED_NOTHING || report->run != r->by.run)
		return;
	r->decision = decision_of(report);
	r->undo_failed = report->failed;
}

static void queried(struct fix_run *r, const struct device_undo_report *report)
{
	if (!report->is_understood)
		return finish_job(r, false, "%s",
				  report->error[0] ? report->error : "its report of locks and timers could not be parsed");
	r->undo = report->is_undoing ? UNDO_RUNNING : UNDO_NOT_RUNNING;
	r->is_held_by_inverse = report->is_held_by_inverse;
	snprintf(r->holder, sizeof(r->holder), "%s",
		 report->is_held_by_inverse || (report->is_locked && !report->is_ours) ? report->holder : "");
	if (r->job == JOB_QUERY_UNDO) {
		note_decision(r, report);
		return finish_job(r, true, "%s", "");
	}
	note_seen(r, report);
	if (is_of_another_run(r, report)) {
		r->held = HELD_NOTHING;
		r->decision = DECIDED_NOTHING;
		return finish_job(r, false, "another run of this plan has taken its place%s%s", r->holder[0] ? ": locked: " : "", r->holder);
	}
	r->decision = decision_of(report);
	r->undo_failed = report->failed;
	r->held = held_by(report);
	r->by = (struct device_undo_by){ .owner = r->fixer->options.owner, .run = report->run ? report->run : r->by.run };
	r->is_unsaved = report->is_unsaved;
	note_timer(r, report);
	if (is_refused(r, report))
		return finish_job(r, false, "locked: %s", report->holder);
	if (r->job == JOB_QUERY && r->fixer->options.goal == FIXER_APPLY && report->is_undoing)
		return finish_job(r, false, "its rollback is running: run this again when it has ended");
	switch (r->job) {
	case JOB_QUERY_UNDO:
		return;
	case JOB_APPLY:
		return queried_for_apply(r, report);
	case JOB_QUERY:
		return finish_job(r, true, "%s", "");
	case JOB_KEEP:
		return queried_for_keep(r, report);
	case JOB_UNDO:
		if (r->held == HELD_NOTHING)
			return finish_job(r, true, "%s", "");
		return send_disarm(r, REQUEST_UNDO, "undo", device_undo_undo, UNDO_US);
	}
}

/* Nothing was sent yet, and another may be at work: the timer goes, and no undo line runs. */
static void give_up_unlocked(struct fix_run *r)
{
	fixer_move(r, EVENT_ARM_CONFIRMED, "without a lock: nothing is sent");
	r->part = PART_UNKNOWN;
	snprintf(r->why, sizeof(r->why), "the lock was lost while the rollback timer was armed%s%s", r->holder[0] ? ": " : "", r->holder);
	send_cancel(r);
}

static void arm_answered(struct fix_run *r, const struct device_undo_report *report)
{
	bool has_timer = report->timer != UNDO_BY_NOTHING;

	note_seen(r, report);
	if (report->is_understood && !has_timer && report->is_locked && !report->is_ours) {
		fix_state_move(&r->state, EVENT_ARM_FAILED);
		return finish_job(r, false, "locked: %s", report->holder);
	}
	if (report->is_understood && report->error[0] && !has_timer) {
		fix_state_move(&r->state, EVENT_ARM_FAILED);
		if (r->fixer->options.without_undo && strstr(report->error, "timer"))
			return send_arm_without_timer(r);
		return finish_job(r, false, "%s", report->error);
	}
	if (!report->is_understood || (!has_timer && !r->fixer->options.without_undo))
		return finish_job(r, false, "the rollback timer is not armed: %s",
				  report->error[0] ? report->error : "its timer does not appear in the device's list");
	note_timer(r, report);
	if (!report->is_locked || !report->is_ours)
		return give_up_unlocked(r);
	r->decision = DECIDED_NOTHING;	/* arming has cleared the record of an earlier run */
	r->by.run = report->run;
	if (has_timer)
		fixer_move(r, EVENT_ARM_CONFIRMED, "rollback in %ld s by %s", report->left_s,
			    report->timer == UNDO_BY_SYSTEMD ? "systemd" : "its shell");
	else
		fixer_move(r, EVENT_ARM_CONFIRMED, "without a timer: only fabcon can roll it back");
	if (r->fixer->journal_failed)
		return finish_job(r, false, "the journal cannot be written: sending stopped");
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
	finish_job(r, false, "%s",
		   part == PART_OTHER	? "it was changed since the plan was made"
		   : part == PART_AFTER ? "another operator has just made this change"
					: unread);
}

/* Another plan has taken the lock since: to save now would save its change, too. */
static void leave_unsaved(struct fix_run *r, const struct device_undo_report *report)
{
	r->is_unsaved = r->save_failed = true;
	snprintf(r->save_words, sizeof(r->save_words), "committed, but not saved: locked: %s", report->holder);
	finish_job(r, true, "%s", r->save_words);
}

static void keep_answered(struct fix_run *r, const struct device_undo_report *report)
{
	r->decision = report->is_undoing ? DECIDED_UNDONE : decision_of(report);
	if (!report->is_kept || report->timer != UNDO_BY_NOTHING)
		return finish_job(r, false, "%s", report->error[0] ? report->error : "it does not confirm that its timer is gone");
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
	if (report->is_understood && !report->is_undone && report->timer == UNDO_BY_NOTHING && report->is_locked &&
	    report->is_ours)
		return send_disarm(r, REQUEST_UNLOCK, "release the lock", device_undo_release, QUERY_US);
	if (!report->is_undone)
		return finish_job(r, false, "%s",
				  report->error[0] ? report->error : "it does not confirm that the rollback completed");
	r->undo_at_us = 0;
	finish_job(r, true, "%s", report->error);
}

static void line_answered(struct fix_run *r, int status, struct span output)
{
	struct span rest = span_trim(output), line = { 0 }, last = { 0 };

	while (span_line(&rest, &line))
		last = span_trim(line).n ? span_trim(line) : last;
	if (status != 0)
		return finish_job(r, false, "\"%.80s\" ended with status %d: %.*s", r->request_text, status,
				  (int)(last.n < 120 ? last.n : 120), last.n ? last.p : "");
	r->lines_done += is_plan_line(r, r->line++);
	send_next_line(r);
}

/* A failed save does not fail the job: the change is kept. The lock is released all the same. */
static void save_answered(struct fix_run *r, int status)
{
	r->save_failed = status != 0;
	if (r->save_failed)
		snprintf(r->save_words, sizeof(r->save_words), "committed, but not saved: \"%.80s\" ended with status %d", r->request_text, status);
	r->line = r->save_failed ? r->step->save.n : r->line + 1;
	send_next_save(r);
}

static void on_answered(void *ctx, int status, struct span output)
{
	struct fix_run *r = ctx;
	enum fix_request request = r->request;
	struct device_undo_report report = { .is_understood = false };

	r->request = REQUEST_NONE;
	if (request != REQUEST_QUERY && !fixer_journal(r->fixer, r, "answer", r->request_text, status, output))
		return finish_job(r, false, "the journal cannot be written: sending stopped");
	if (request != REQUEST_LINE && request != REQUEST_SAVE)
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
	case REQUEST_LINE:
		return line_answered(r, status, output);
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
			return finish_job(r, true, "%s", r->save_failed ? r->save_words : "");
		return finish_job(r, report.is_understood, "%s", report.error);
	}
}

/* -- the session -- */

static void on_ready(void *ctx, const struct platform *p, const char *hostkey, const char *login)
{
	struct fix_run *r = ctx;

	(void)login;
	r->was_reached = true;
	snprintf(r->hostkey, sizeof(r->hostkey), "%s", hostkey);
	if (!p || strcmp(p->id, r->step->platform) != 0 || !dialect_of(r))
		return finish_job(r, false, "it is %s, but the plan was made for %s", p ? p->title : "not known",
				  r->step->platform);
	send_query(r);
}

static void on_ended(void *ctx, const char *why)
{
	struct fix_run *r = ctx;

	if (r->is_save_over)	/* only the lock is left, which expires by itself */
		return finish_job(r, true, "%s", r->save_failed ? r->save_words : "");
	finish_job(r, false, "%s", why ? why : "the session ended");
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

	look(r, &script);
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
	r->is_prepared = r->is_save_over = false;
	r->request = REQUEST_NONE;
	r->line = 0;
	r->why[0] = '\0';
	if (job == JOB_APPLY)
		r->lines_done = 0;
	r->session = write_session_new(f->loop, f->inv, &f->options.poller, f->permit, r->step->device, &hooks);
	if (!f->permit)
		permit_query(r);
}

void fix_job_drop(struct fix_run *r)
{
	fix_reader_free(r->reader);
	write_session_free(r->session);
	r->reader = NULL;
	r->session = NULL;
	r->request = REQUEST_NONE;
	r->is_prepared = false;
}
