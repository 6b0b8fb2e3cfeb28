/* What one job with one device sends, and how it ends. A request is journaled before it is sent. */
#include "remote/fixer/step.h"

#include <stdarg.h>
#include <stdio.h>

#include "remote/platform/startup_config.h"
#include "remote/platforms.h"

#define ARM_US		(90 * SECOND_US)	/* makes a checkpoint, rehearses, starts a timer */
#define LINE_US		(180 * SECOND_US)	/* one line may be a whole patch of a switch */
#define ARM_ANSWER_US	(10 * SECOND_US)	/* the device may start its timer this much later than we sent the request */

/* -- the end of a job -- */

void fix_job_drop(struct fix_run *r)
{
	fix_reader_free(r->reader);
	write_session_free(r->session);
	r->reader = NULL;
	r->session = NULL;
	r->request = REQUEST_NONE;
	r->is_prepared = false;
}

void fix_job_end(struct fix_run *r, bool is_done, const char *format, ...)
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
	fix_job_end(r, false, "the journal cannot be written: sending stopped");
	return false;
}

void fix_run_look(const struct fix_run *r, struct buf *script)
{
	device_undo_look(r->fixer->plan, r->index, BY(r->fixer->options.owner), script);
}

void fix_send_query(struct fix_run *r)
{
	struct buf script = { 0 };

	fix_run_look(r, &script);
	send_request(r, REQUEST_QUERY, WRITE_SHELL, script.text, FIX_QUERY_US);
	buf_done(&script);
}

static struct device_undo_by of_this_run(const struct fix_run *r)
{
	return (struct device_undo_by){ .owner = r->fixer->options.owner, .run = r->run };
}

/* Bound to the locks as they were seen; a run of ours has the number of the lock that it takes, which is the next. */
static void arm(struct fix_run *r, unsigned undo_s)
{
	struct device_undo_by by = { .owner = r->fixer->options.owner, .seen = &r->seen,
				     .must_not_save = r->step->save.n && r->had_unsaved_changes };
	struct buf script = { 0 };

	device_undo_set(r->fixer->plan, r->index, &by, undo_s, &script);
	r->run = r->seen.boot[0] ? r->seen.lock + 1 : 0;
	send_request(r, REQUEST_ARM, WRITE_SHELL, script.text, ARM_US);
	buf_done(&script);
}

static int64_t confirm_us(const struct fixer *f)
{
	return f->options.confirm_us > 0 ? f->options.confirm_us : CONFIRM_US;
}

void fix_send_arm(struct fix_run *r)
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
void fix_send_arm_without_timer(struct fix_run *r)
{
	if (!journal_or_fail(r, "arm", "locked without a rollback timer (requested with --no-undo)"))
		return;
	fix_state_move(&r->state, EVENT_ARM_SENT);	/* no timer, but an undo script that we may have to run */
	r->undo_at_us = 0;
	arm(r, 0);
}

void fix_send_disarm(struct fix_run *r, enum fix_request request, const char *text,
			void (*make)(const struct fix_plan *p, size_t step, const struct device_undo_by *by, struct buf *script),
			int64_t limit_us)
{
	struct device_undo_by by = of_this_run(r);
	struct buf script = { 0 };

	if (!journal_or_fail(r, "disarm", text))
		return;
	make(r->fixer->plan, r->index, &by, &script);
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

const struct dialect *fix_run_dialect(const struct fix_run *r)
{
	return dialect_find(r->step->platform);
}

/* The nth line to send, with the dialect's lines that enter and leave its CLI; NULL after the last. */
static const char *nth_line(const struct fix_run *r, size_t n)
{
	const struct dialect *d = fix_run_dialect(r);
	size_t n_enter = d->lines_in_cli ? count(d->enter) : 0, n_leave = d->lines_in_cli ? count(d->leave) : 0;

	if (n < n_enter)
		return d->enter[n];
	if (n < n_enter + r->step->lines.n)
		return r->step->lines.list[n - n_enter];
	n -= n_enter + r->step->lines.n;
	return n < n_leave ? d->leave[n] : NULL;
}

bool fix_run_is_plan_line(const struct fix_run *r, size_t n)
{
	size_t n_enter = fix_run_dialect(r)->lines_in_cli ? count(fix_run_dialect(r)->enter) : 0;

	return n >= n_enter && n < n_enter + r->step->lines.n;
}

static int64_t line_limit_us(const struct fix_run *r)
{
	int64_t left_us = r->undo_at_us ? r->undo_at_us - fixer_now_us() : LINE_US;

	return left_us < LINE_US ? left_us : LINE_US;
}

/* make: of a line that the step's shell runs; a CLI gets the line itself. */
static void send_line(struct fix_run *r, enum fix_request request, const char *line, int64_t limit_us,
		      void (*make)(const struct fix_plan *p, size_t step, const struct device_undo_by *by, const char *line, struct buf *script))
{
	struct device_undo_by by = of_this_run(r);
	struct buf script = { 0 };

	if (!journal_or_fail(r, "command", line))
		return;
	if (fix_run_dialect(r)->lines_in_cli)
		return send_request(r, request, WRITE_CLI, line, limit_us);
	make(r->fixer->plan, r->index, &by, line, &script);
	send_request(r, request, WRITE_SHELL, script.text, limit_us);
	buf_done(&script);
}

void fix_send_next_line(struct fix_run *r)
{
	const char *line = nth_line(r, r->line);

	if (r->fixer->wants_undo)
		return fix_job_end(r, false, "rollback was requested before its last line");
	if (r->undo_at_us && r->undo_at_us - fixer_now_us() < LATE_US)
		return fix_job_end(r, false, "the rollback timer expired before the last command");
	if (!line)
		return fix_job_end(r, true, "%s", "");
	fixer_set_words(r, "line %zu of %zu", r->lines_done + (r->lines_done < r->step->lines.n), r->step->lines.n);
	send_line(r, REQUEST_LINE, line, line_limit_us(r), device_undo_line);
}

/* A line of a shell notes by itself that it begins; of a CLI, its shell does, by an empty line of its own. */
void fix_send_first_line(struct fix_run *r)
{
	struct device_undo_by by = of_this_run(r);
	struct buf script = { 0 };

	if (!fix_run_dialect(r)->lines_in_cli)
		return fix_send_next_line(r);
	if (!journal_or_fail(r, "arm", "note that a command line follows"))
		return;
	device_undo_line(r->fixer->plan, r->index, &by, ":", &script);
	send_request(r, REQUEST_BEGIN, WRITE_SHELL, script.text, line_limit_us(r));
	buf_done(&script);
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

void fix_send_next_save(struct fix_run *r)
{
	r->is_save_over = r->line >= r->step->save.n;
	if (r->is_save_over) {
		r->is_unsaved = r->save_failed;
		return fix_send_disarm(r, REQUEST_UNLOCK, "release the lock", r->save_failed ? device_undo_release_unsaved : device_undo_release,
				   FIX_QUERY_US);
	}
	send_line(r, REQUEST_SAVE, r->step->save.list[r->line], LINE_US, device_undo_save);
}

/* Nothing was sent: the device stays as it is. */
void fix_send_cancel(struct fix_run *r)
{
	fix_send_disarm(r, REQUEST_RELEASE_UNCHANGED, "keep the device as it is and cancel the rollback timer", device_undo_cancel, FIX_KEEP_US);
}
