/*
 * What is done with one device over one session. Each script is one thing to say; what was heard decides what is said
 * next. Nothing is said before the journal has it.
 */
#include "remote/fixer/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/platform/startup_config.h"
#include "remote/platforms.h"

#define LOOK_US		(20 * SECOND_US)
#define KEEP_US		(60 * SECOND_US)	/* a timer is stopped, and a checkpoint taken away */
#define SET_US		(90 * SECOND_US)	/* a checkpoint, a rehearsal and a timer */
#define LINE_US		(180 * SECOND_US)	/* a whole patch of a switch */
#define UNDO_US		(300 * SECOND_US)	/* all of them; it goes on by itself if we go */
#define UNHEARD_US	(10 * SECOND_US)	/* until its timer begins, when nobody heard that it has */
#define CONFIRM_US	(600 * SECOND_US)

static void over(struct fix_run *r, bool is_done, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void over(struct fix_run *r, bool is_done, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(r->why, sizeof(r->why), format, args);
	va_end(args);
	fix_job_drop(r);
	r->job_over(r, is_done);
}

/* -- saying -- */

static void say(struct fix_run *r, enum fix_saying what, enum write_kind how, const char *text, int64_t limit_us)
{
	r->saying = what;
	write_session_say(r->errand, how, text, limit_us);
}

static bool journal(struct fix_run *r, const char *kind, const char *text)
{
	r->said = text;
	if (fixer_journal(r->fixer, r, kind, text, -1, (struct span){ 0 }))
		return true;
	over(r, false, "the journal cannot be written: nothing more is sent");
	return false;
}

static void look(struct fix_run *r)
{
	struct buf script = { 0 };

	device_undo_look(r->fixer->plan, r->step, r->fixer->options.owner, &script);
	say(r, SAYING_LOOK, WRITE_SHELL, script.text, LOOK_US);
	buf_done(&script);
}

static int64_t confirm_us(const struct fixer *f)
{
	return f->options.confirm_us > 0 ? f->options.confirm_us : CONFIRM_US;
}

static void set(struct fix_run *r)
{
	struct fixer *f = r->fixer;
	struct buf script = { 0 };
	unsigned undo_s = (unsigned)((confirm_us(f) + SECOND_US - 1) / SECOND_US);

	if (!journal(r, "arm", "lock, and arm undo"))
		return;
	device_undo_set(f->plan, r->step, f->options.owner, undo_s, &script);
	fix_state_move(&r->state, EVENT_ARM_SENT);
	r->undo_at_us = fixer_now_us() + undo_s * SECOND_US + UNHEARD_US;	/* if its answer is lost */
	say(r, SAYING_SET, WRITE_SHELL, script.text, SET_US);
	buf_done(&script);
}

/* Without a timer, by the wish of the person: undo can be run by us all the same. */
static void set_without_timer(struct fix_run *r)
{
	struct fixer *f = r->fixer;
	struct buf script = { 0 };

	if (!journal(r, "arm", "lock, without a timer: at the risk of who wished it so"))
		return;
	device_undo_set(f->plan, r->step, f->options.owner, 0, &script);
	fix_state_move(&r->state, EVENT_ARM_SENT);	/* no timer, but its undo is there to be run by us */
	r->undo_at_us = 0;
	say(r, SAYING_SET, WRITE_SHELL, script.text, SET_US);
	buf_done(&script);
}

static void end_of_arming(struct fix_run *r, enum fix_saying what, const char *text,
			  void (*make)(const struct fix_plan *p, size_t step, const char *owner, struct buf *script), int64_t limit_us)
{
	struct buf script = { 0 };

	if (!journal(r, "disarm", text))
		return;
	make(r->fixer->plan, r->step, r->fixer->options.owner, &script);
	say(r, what, WRITE_SHELL, script.text, limit_us);
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
	return dialect_find(r->is->platform);
}

/* The nth of what is typed or run; NULL after the last. */
static const char *line_of(const struct fix_run *r, size_t n)
{
	const struct dialect *d = dialect_of(r);
	size_t n_enter = d->lines_in_cli ? count(d->enter) : 0, n_leave = d->lines_in_cli ? count(d->leave) : 0;

	if (n < n_enter)
		return d->enter[n];
	if (n < n_enter + r->is->lines.n)
		return r->is->lines.list[n - n_enter];
	n -= n_enter + r->is->lines.n;
	return n < n_leave ? d->leave[n] : NULL;
}

static bool is_ours_to_count(const struct fix_run *r, size_t n)
{
	size_t n_enter = dialect_of(r)->lines_in_cli ? count(dialect_of(r)->enter) : 0;

	return n >= n_enter && n < n_enter + r->is->lines.n;
}

static int64_t line_limit_us(const struct fix_run *r)
{
	int64_t left_us = r->undo_at_us ? r->undo_at_us - fixer_now_us() : LINE_US;

	return left_us < LINE_US ? left_us : LINE_US;
}

static void say_line(struct fix_run *r, enum fix_saying what, const char *line, int64_t limit_us)
{
	struct buf script = { 0 };

	if (!journal(r, "command", line))
		return;
	if (dialect_of(r)->lines_in_cli)
		return say(r, what, WRITE_CLI, line, limit_us);
	device_undo_line(r->fixer->plan, r->step, line, &script);
	say(r, what, WRITE_SHELL, script.text, limit_us);
	buf_done(&script);
}

static void next_line(struct fix_run *r)
{
	const char *line = line_of(r, r->line);

	if (r->fixer->wants_undo)
		return over(r, false, "it was to be taken back before its last line");
	if (r->undo_at_us && r->undo_at_us - fixer_now_us() < LATE_US)
		return over(r, false, "its time was over before its last line");
	if (!line)
		return over(r, true, "%s", "");
	fixer_say_words(r, "line %zu of %zu", r->lines_done + (r->lines_done < r->is->lines.n), r->is->lines.n);
	say_line(r, SAYING_LINE, line, line_limit_us(r));
}

bool fix_run_is_saved(const struct fix_run *r, const char **note)
{
	bool is_left = r->is->save.n && r->had_unsaved_changes;

	*note = is_left ? startup_config_is_not_ours : r->is->save_note ? r->is->save_note : "";
	return r->is->save.n && !is_left && !r->fixer->options.skips_save;
}

static void save_next(struct fix_run *r)
{
	struct buf script = { 0 };
	const char *line;

	if (r->line >= r->is->save.n)
		return over(r, true, "%s", "");
	line = r->is->save.list[r->line];
	if (!journal(r, "command", line))
		return;
	/* Not by device_undo_line(): the step is decided, and its lines are over. */
	if (dialect_of(r)->lines_in_cli)
		return say(r, SAYING_SAVE, WRITE_CLI, line, LINE_US);
	device_undo_save(r->fixer->plan, r->step, line, &script);
	say(r, SAYING_SAVE, WRITE_SHELL, script.text, LINE_US);
	buf_done(&script);
}

/* -- under the lock -- */

static void on_read_again(void *ctx)
{
	struct fix_run *r = ctx;

	if (!fix_reader_is_done(r->reader))
		return;
	fix_reader_judge(r->reader, r);
	fix_reader_free(r->reader);
	r->reader = NULL;
	if (r->part != PART_BEFORE)	/* what stands there is not ours to take back */
		return end_of_arming(r, SAYING_LEAVE_BE, "leave as it is, and stop the timer", device_undo_keep, KEEP_US);
	r->line = 0;
	fixer_move(r, EVENT_APPLY_BEGUN, "%s", "");
	if (r->fixer->is_mute)
		return over(r, false, "the journal cannot be written: nothing more is sent");
	next_line(r);
}

static void read_again(struct fix_run *r)
{
	fixer_say_words(r, "reading it again under the lock");
	r->reader = fix_reader_new(r->fixer, &r, 1, 1, 60 * SECOND_US, on_read_again, r);
}

/* -- what was heard -- */

static bool names(struct span list, struct span word)
{
	struct span one;

	while (span_word(&list, &one))
		if (span_same(one, word))
			return true;
	return false;
}

/* "node1 eth0" in options.management names it. */
static bool is_named(const struct fix_run *r, struct span port)
{
	struct span rest = span_of(r->fixer->options.management ? r->fixer->options.management : ""), device;

	return span_word(&rest, &device) && span_is(device, r->is->device) && names(rest, port);
}

/* The interface that our session comes in by, or one below it, among those that are touched. */
static bool touches_our_path(const struct fix_run *r, const struct device_undo_report *report)
{
	struct span rest = span_of(report->session_port), port;

	while (span_word(&rest, &port))
		if (names(span_of(r->is->ports ? r->is->ports : ""), port) && !is_named(r, port))
			return true;
	return false;
}

/* A shell that does not say by which port we came: each that is touched must be named. */
static bool may_touch_our_path(const struct fix_run *r, const struct device_undo_report *report)
{
	struct span rest = span_of(r->is->ports ? r->is->ports : ""), port;

	if (report->session_port[0] || dialect_of(r)->lines_in_cli)
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

static void looked_before_apply(struct fix_run *r, const struct device_undo_report *report)
{
	if (touches_our_path(r, report))
		return over(r, false, "our own session comes in by %s, which this would touch: name it by --management \"%s %s\" if that is meant",
			    report->session_port, r->is->device, report->session_port);
	if (may_touch_our_path(r, report))
		return over(r, false, "it does not say by which port our session comes in: if by none of these, --management \"%s %s\"",
			    r->is->device, r->is->ports);
	if (report->timer != UNDO_BY_NOTHING && report->is_locked && !report->is_ours)
		return over(r, false, "armed there already by %s: keep it or undo it if nobody is at it any more", report->holder);
	if (report->timer != UNDO_BY_NOTHING)
		return over(r, false, "this plan is armed there already: keep it or undo it");
	if (report->is_locked && !report->is_ours)
		return over(r, false, "locked: %s", report->holder);
	set(r);
}

static void begin_saving(struct fix_run *r)
{
	const char *note;

	r->line = 0;
	if (!fix_run_is_saved(r, &note) || r->fixer->is_mute)
		return over(r, true, "%s", "");
	save_next(r);
}

/* Who finds it kept saves nothing: since then others may have changed what they do not want saved. */
static void looked_before_keep(struct fix_run *r, const struct device_undo_report *report)
{
	bool was_sent = r->state == DEV_KEEPING || r->state == DEV_KEPT;

	if (r->held == HELD_NOTHING && report->is_kept && was_sent)	/* its answer was lost */
		return begin_saving(r);
	if (r->held == HELD_NOTHING)
		return over(r, true, "%s", report->is_kept ? "it had been kept before, saved or not" : "");
	fix_state_move(&r->state, EVENT_KEEP_SENT);
	end_of_arming(r, SAYING_KEEP, "keep", device_undo_keep, KEEP_US);
}

static enum undo_decision decision_of(const struct device_undo_report *report)
{
	return report->is_kept ? DECIDED_KEEP : report->is_undone ? DECIDED_UNDONE : DECIDED_NOTHING;
}

static enum undo_held held_by(const struct device_undo_report *report)
{
	if (report->timer != UNDO_BY_NOTHING || report->is_undoing)
		return HELD_TIMER;
	return report->is_locked && report->is_ours ? HELD_LOCK : HELD_NOTHING;
}

static void looked(struct fix_run *r, const struct device_undo_report *report)
{
	if (!report->is_understood)
		return over(r, false, "%s", report->error[0] ? report->error : "what it says of locks and timers is not understood");
	r->undo = report->is_undoing ? UNDO_RUNNING : UNDO_NOT_RUNNING;
	r->is_held_by_inverse = report->is_led_back;
	snprintf(r->holder, sizeof(r->holder), "%s",
		 report->is_led_back || (report->is_locked && !report->is_ours) ? report->holder : "");
	if (r->job == JOB_ASK)
		return over(r, true, "%s", "");
	r->decision = decision_of(report);
	r->held = held_by(report);
	note_timer(r, report);
	switch (r->job) {
	case JOB_ASK:
		return;
	case JOB_APPLY:
		return looked_before_apply(r, report);
	case JOB_LOOK:
		if (r->fixer->options.goal == FIXER_APPLY && report->is_locked && !report->is_ours && r->held == HELD_NOTHING)
			return over(r, false, "locked: %s", report->holder);
		return over(r, true, "%s", "");
	case JOB_KEEP:
		return looked_before_keep(r, report);
	case JOB_UNDO:
		if (r->held == HELD_NOTHING)
			return over(r, true, "%s", "");
		return end_of_arming(r, SAYING_UNDO, "undo", device_undo_undo, UNDO_US);
	}
}

static void was_set(struct fix_run *r, const struct device_undo_report *report)
{
	bool has_timer = report->timer != UNDO_BY_NOTHING;

	if (report->is_understood && !has_timer && report->is_locked && !report->is_ours) {
		fix_state_move(&r->state, EVENT_ARM_FAILED);
		return over(r, false, "locked: %s", report->holder);
	}
	if (report->is_understood && report->error[0] && !has_timer) {
		fix_state_move(&r->state, EVENT_ARM_FAILED);
		if (r->fixer->options.without_undo && strstr(report->error, "timer"))
			return set_without_timer(r);
		return over(r, false, "%s", report->error);
	}
	if (!report->is_understood || (!has_timer && !r->fixer->options.without_undo))
		return over(r, false, "undo is not armed: %s", report->error[0] ? report->error : "its timer is not listed");
	note_timer(r, report);
	if (has_timer)
		fixer_move(r, EVENT_ARM_CONFIRMED, "undo in %ld s by %s", report->left_s,
			    report->timer == UNDO_BY_SYSTEMD ? "systemd" : "its shell");
	else
		fixer_move(r, EVENT_ARM_CONFIRMED, "without a timer: nothing takes it back but us");
	if (r->fixer->is_mute)
		return over(r, false, "the journal cannot be written: nothing more is sent");
	read_again(r);
}

static void released(struct fix_run *r)
{
	fix_state_move(&r->state, EVENT_RELEASED);
	over(r, false, "%s", r->part == PART_OTHER ? "it was changed since the plan was made" :
	     r->part == PART_AFTER ? "somebody else has just made this change" : "it could not be read again under the lock");
}

static void was_kept(struct fix_run *r, const struct device_undo_report *report)
{
	const char *note;

	r->decision = report->is_undoing ? DECIDED_UNDONE : decision_of(report);
	if (!report->is_kept || report->timer != UNDO_BY_NOTHING)
		return over(r, false, "%s", report->error[0] ? report->error : "it does not say that its timer is gone");
	r->undo_at_us = 0;
	if (r->saying == SAYING_LEAVE_BE)
		return released(r);
	fix_run_is_saved(r, &note);
	fixer_move(r, EVENT_KEEP_CONFIRMED, "%s", note);
	begin_saving(r);
}

static void was_undone(struct fix_run *r, const struct device_undo_report *report)
{
	r->decision = decision_of(report);
	if (report->is_understood && !report->is_undone && report->timer == UNDO_BY_NOTHING && report->is_locked &&
	    report->is_ours)
		return end_of_arming(r, SAYING_RELEASE, "give the lock back", device_undo_release, LOOK_US); /* more is not there */
	if (!report->is_undone)
		return over(r, false, "%s", report->error[0] ? report->error : "it does not say that undo ran to its end");
	r->undo_at_us = 0;
	over(r, true, "%s", report->error);
}

static void line_heard(struct fix_run *r, int status, struct span output)
{
	struct span rest = span_trim(output), line = { 0 }, last = { 0 };

	while (span_line(&rest, &line))
		last = span_trim(line).n ? span_trim(line) : last;
	if (status != 0)
		return over(r, false, "\"%.80s\" ended with status %d: %.*s", r->said, status, (int)(last.n < 120 ? last.n : 120),
			    last.n ? last.p : "");
	r->lines_done += is_ours_to_count(r, r->line++);
	next_line(r);
}

/* A setting that holds is not undone for its not being saved. */
static void save_heard(struct fix_run *r, int status)
{
	if (status != 0)
		return over(r, true, "kept, but not saved: \"%.80s\" ended with status %d", r->said, status);
	r->line++;
	save_next(r);
}

static void on_answered(void *ctx, int status, struct span output)
{
	struct fix_run *r = ctx;
	enum fix_saying what = r->saying;
	struct device_undo_report report = { .is_understood = false };

	r->saying = SAYING_NOTHING;
	if (what != SAYING_LOOK && !fixer_journal(r->fixer, r, "answer", r->said, status, output))
		return over(r, false, "the journal cannot be written: nothing more is sent");
	if (what != SAYING_LINE && what != SAYING_SAVE)
		device_undo_read(output, &report);
	if (status < 0 && !report.is_understood)
		return;	/* it has ended, or will: with the reason */
	r->saying = what;
	switch (what) {
	case SAYING_NOTHING:
		return;
	case SAYING_LOOK:
		return looked(r, &report);
	case SAYING_SET:
		return was_set(r, &report);
	case SAYING_LINE:
		return line_heard(r, status, output);
	case SAYING_SAVE:
		return save_heard(r, status);
	case SAYING_KEEP:
	case SAYING_LEAVE_BE:
		return was_kept(r, &report);
	case SAYING_UNDO:
		return was_undone(r, &report);
	case SAYING_RELEASE:
		r->held = report.is_locked ? HELD_LOCK : HELD_NOTHING;
		return over(r, report.is_understood, "%s", report.error);
	}
}

/* -- the session -- */

static void on_ready(void *ctx, const struct platform *p, const char *hostkey, const char *login)
{
	struct fix_run *r = ctx;

	(void)login;
	snprintf(r->hostkey, sizeof(r->hostkey), "%s", hostkey);
	if (!p || strcmp(p->id, r->is->platform) != 0 || !dialect_of(r))
		return over(r, false, "it is %s, and the plan was made for %s", p ? p->title : "not known", r->is->platform);
	look(r);
}

static void on_ended(void *ctx, const char *why)
{
	over(ctx, false, "%s", why ? why : "the session ended");
}

static void on_ask(void *ctx, unsigned id, const struct question *q)
{
	struct fix_run *r = ctx;

	fixer_ask(r->fixer, r->errand, id, q);
}

/* Which timer runs is read, and nobody needs leave to read. */
static void let_look(struct fix_run *r)
{
	struct buf script = { 0 };

	device_undo_look(r->fixer->plan, r->step, r->fixer->options.owner, &script);
	write_session_let_look(r->errand, script.text);
	buf_done(&script);
}

void fix_job_begin(struct fix_run *r, enum fix_job job, void (*job_over)(struct fix_run *r, bool is_done))
{
	struct fixer *f = r->fixer;
	struct write_session_hooks hooks = { .ctx = r, .ready = on_ready, .answered = on_answered, .ended = on_ended,
				      .ask = f->hooks.ask ? on_ask : NULL };

	r->job = job;
	r->job_over = job_over;
	r->saying = SAYING_NOTHING;
	r->line = 0;
	r->why[0] = '\0';
	if (job == JOB_APPLY)
		r->lines_done = 0;
	r->errand = write_session_new(f->loop, f->inv, &f->options.poller, f->permit, r->is->device, &hooks);
	if (!f->permit)
		let_look(r);
}

void fix_job_drop(struct fix_run *r)
{
	fix_reader_free(r->reader);
	write_session_free(r->errand);
	r->reader = NULL;
	r->errand = NULL;
	r->saying = SAYING_NOTHING;
}
