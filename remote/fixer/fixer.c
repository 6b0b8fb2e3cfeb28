#include "remote/fixer/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define TICK_MS		100

static struct fixer *fixers;	/* all of this process */

/* -- beginning -- */

static const char *const goal_words[] = {
	[FIXER_APPLY] = "apply", [FIXER_REHEARSE] = "rehearse", [FIXER_LOOK] = "look", [FIXER_KEEP] = "keep",
	[FIXER_UNDO] = "undo", [FIXER_FINISH] = "finish",
};

static bool writes(const struct fixer *f)
{
	return f->options.goal != FIXER_REHEARSE && f->options.goal != FIXER_LOOK;
}

static bool is_ancestor(const struct fixer *other, const struct fixer *f)
{
	while (f && f != other)
		f = f->parent;
	return f != NULL;
}

/* A device that another fixer of this process is writing to; or NULL. */
static const char *busy_device(const struct fixer *f)
{
	for (const struct fixer *other = fixers; other; other = other->next)
		for (size_t i = 0; i < other->plan->n_steps; i++)
			for (size_t k = 0; k < f->plan->n_steps; k++)
				if (!is_ancestor(other, f) && writes(other) && !other->has_ended &&
				    !strcmp(other->plan->steps[i].device, f->plan->steps[k].device))
					return f->plan->steps[k].device;
	return NULL;
}

static void begin(struct fixer *f)
{
	const char *busy = writes(f) ? busy_device(f) : NULL;
	char why[200];

	if (!fixer_journal(f, NULL, "begin", goal_words[f->options.goal], 0, (struct span){ 0 }))
		return fixer_refuse_all(f, "the journal cannot be written: nothing was sent");
	f->has_begun = true;
	if (writes(f) && !f->permit)
		return fixer_refuse_all(f, "read-only: writing is not permitted");
	if (busy) {
		snprintf(why, sizeof(why), "%s is being changed by another plan of this console", busy);
		return fixer_refuse_all(f, why);
	}
	if (f->options.goal == FIXER_APPLY)
		return fixer_begin_wave(f);
	fixer_set_all(f);
	if (f->options.goal == FIXER_LOOK || f->options.goal == FIXER_FINISH || f->options.goal == FIXER_KEEP)
		return fixer_begin_query(f);
	fixer_begin_read(f);
}

/* -- the end -- */

static bool is_any_shown(const struct fixer *f, enum fix_state s)
{
	for (size_t i = 0; i < f->plan->n_steps; i++)
		if (fixer_shown(&f->runs[i]) == s)
			return true;
	return false;
}

static bool is_any_committed_earlier(const struct fixer *f)
{
	for (size_t i = 0; i < f->plan->n_steps; i++)
		if (f->runs[i].state == DEV_COMMITTED_EARLIER)
			return true;
	return false;
}

/* Some devices are in the state the goal requires and some are not. */
static bool is_partial(const struct fixer *f)
{
	bool is_kept = is_any_shown(f, FIX_KEPT) || is_any_shown(f, FIX_SAVED) || is_any_committed_earlier(f);
	bool is_undone = is_any_shown(f, FIX_UNDONE) || is_any_shown(f, FIX_BEFORE);
	bool is_left = is_any_shown(f, FIX_REFUSED) || is_any_shown(f, FIX_NOT_REACHED);

	switch (f->options.goal) {
	case FIXER_APPLY:
	case FIXER_KEEP:
		return is_kept && (is_undone || is_left || is_any_shown(f, FIX_PLANNED));
	case FIXER_UNDO:
		return is_undone && (is_kept || is_left);
	case FIXER_FINISH:
		/* A link that is as before at both ends was not to be finished. */
		return (f->has_committed && is_left) || (f->has_taken_back && (is_left || is_kept));
	case FIXER_REHEARSE:
	case FIXER_LOOK:
		break;
	}
	return false;
}

/* This run could not save it, or an earlier one ended before it did. */
static bool is_unsaved(const struct fix_run *r)
{
	bool is_as_committed = r->state == DEV_KEPT || r->state == DEV_COMMITTED_EARLIER || r->state == DEV_NOT_BEGUN;

	return (r->save_failed && r->state == DEV_KEPT) || (fix_run_is_left_unsaved(r) && is_as_committed);
}

static bool is_any_unsaved(const struct fixer *f)
{
	for (size_t i = 0; i < f->plan->n_steps; i++)
		if (is_unsaved(&f->runs[i]))
			return true;
	return false;
}

static bool is_any_not_begun(const struct fixer *f)
{
	for (size_t i = 0; i < f->plan->n_steps; i++)
		if (f->runs[i].state == DEV_NOT_BEGUN)
			return true;
	return false;
}

enum fixer_end fixer_end(const struct fixer *f)
{
	bool wants_undone = f->options.goal == FIXER_UNDO || f->options.goal == FIXER_LOOK || f->options.goal == FIXER_FINISH;

	if (is_any_shown(f, FIX_UNKNOWN) || is_any_shown(f, FIX_MIXED))
		return FIXER_DOUBT;
	if (is_any_shown(f, FIX_HALF))
		return f->is_half_lasting ? FIXER_HALF : f->is_half_open ? FIXER_HALF_OPEN : FIXER_HALF_TIMED;
	if (is_partial(f))
		return FIXER_PARTLY;
	if ((is_any_shown(f, FIX_UNDONE) && !wants_undone) || (f->options.goal == FIXER_FINISH && f->has_taken_back))
		return FIXER_TAKEN_BACK;
	if (f->options.goal == FIXER_UNDO && f->is_undo_taken_back)
		return FIXER_NOT_UNDONE;
	if (is_any_shown(f, FIX_REFUSED) || (f->options.goal == FIXER_UNDO && (is_any_shown(f, FIX_KEPT) || is_any_shown(f, FIX_SAVED))) ||
	    (f->options.goal == FIXER_KEEP && is_any_shown(f, FIX_BEFORE)))
		return FIXER_REFUSED;
	if (is_any_shown(f, FIX_NOT_REACHED))
		return FIXER_NOT_REACHED;
	if (is_any_shown(f, FIX_PLANNED) && writes(f) && f->options.goal != FIXER_FINISH)
		return FIXER_TAKEN_BACK;	/* the operator ended the run before they were started */
	if (is_any_unsaved(f))
		return FIXER_UNSAVED;
	return f->options.goal == FIXER_FINISH && is_any_not_begun(f) ? FIXER_DOUBT : FIXER_DONE;
}

static void report_end(struct fixer *f)
{
	static const char *const words[] = {
		[FIXER_DONE] = "done", [FIXER_TAKEN_BACK] = "rolled back", [FIXER_DOUBT] = "in doubt", [FIXER_REFUSED] = "refused",
		[FIXER_NOT_REACHED] = "not reached", [FIXER_PARTLY] = "in part", [FIXER_HALF] = "half",
		[FIXER_HALF_OPEN] = "half, and not committed", [FIXER_HALF_TIMED] = "half until the timers end it",
		[FIXER_UNSAVED] = "not saved", [FIXER_NOT_UNDONE] = "not rolled back",
	};

	if (f->has_ended)
		return;
	f->has_ended = true;
	uv_timer_stop(&f->tick);
	if (f->has_begun)
		fixer_journal(f, NULL, "end", words[fixer_end(f)], 0, (struct span){ 0 });
	f->hooks.ended(f->hooks.ctx);
}

/* -- the loop -- */

static void advance(struct fixer *f)
{
	static void (*const phases[FIXER_PHASES])(struct fixer *f) = {
		[PHASE_BEGIN]	     = begin,
		[PHASE_READ]	     = fixer_phase_read,
		[PHASE_QUERY]	     = fixer_phase_query,
		[PHASE_APPLY]	     = fixer_phase_apply,
		[PHASE_VERIFY]	     = fixer_phase_verify,
		[PHASE_AWAIT_KEEP]   = fixer_phase_await_keep,
		[PHASE_KEEP]	     = fixer_phase_keep,
		[PHASE_ROLL_BACK]    = fixer_phase_roll_back,
		[PHASE_AWAIT_TIMERS] = fixer_phase_await_timers,
		[PHASE_SETTLE]	     = fixer_phase_settle,
		[PHASE_INVERT]	     = fixer_phase_invert,
		[PHASE_ENDED]	     = report_end,
	};

	phases[f->phase](f);
}

static void on_tick(uv_timer_t *timer)
{
	struct fixer *f = timer->data;

	if (f->phase != PHASE_BEGIN)
		advance(f);
}

/* -- questions -- */

void fixer_answer(struct fixer *f, unsigned id, const char *text)
{
	struct fix_question q;

	if (!id || id > f->n_questions)
		return;
	q = f->questions[id - 1];
	if (f->reader && q.asker == f->reader)
		return fix_reader_answer(f->reader, q.id, text);
	if (f->child && q.asker == f->child)
		return fixer_answer(f->child, q.id, text);
	for (size_t i = 0; i < f->plan->n_steps; i++) {
		struct fix_run *r = &f->runs[i];

		if (r->session && q.asker == r->session)
			return write_session_answer(r->session, q.id, text);
		if (r->reader && q.asker == r->reader)
			return fix_reader_answer(r->reader, q.id, text);
	}
}

/* -- creation and the public calls -- */

static void add_runs(struct fixer *f)
{
	f->runs = xcalloc(f->plan->n_steps + 1, sizeof(*f->runs));
	f->set = xcalloc(f->plan->n_steps + 1, sizeof(*f->set));
	for (size_t i = 0; i < f->plan->n_steps; i++)
		f->runs[i] = (struct fix_run){ .fixer = f, .step = &f->plan->steps[i], .index = i };
	for (size_t u = 0; u < f->plan->n_units; u++)
		for (size_t i = 0; i < f->plan->units[u].n; i++)
			f->runs[f->plan->units[u].first + i].unit = u;
}

static struct fixer *new_child(struct fixer *parent, const struct fixer_options *options, const struct fixer_hooks *hooks);

static struct fixer *make_fixer(const struct fixer *parent, uv_loop_t *loop, const struct fix_plan *plan,
				const struct policy *policy, const struct inventory *inv, const struct write_permit *permit,
				const struct fixer_options *options, const struct fixer_hooks *hooks)
{
	struct fixer *f = xcalloc(1, sizeof(*f));

	*f = (struct fixer){ .loop = loop, .plan = plan, .policy = policy, .inv = inv, .permit = permit, .options = *options,
			     .hooks = *hooks, .parent = parent, .advance = advance, .new_child = new_child, .handles = 2,
			     .next = fixers };
	fixers = f;
	if (!f->options.owner)
		f->options.owner = "fabcon";
	fix_plan_hash(plan, f->hash);
	add_runs(f);
	uv_timer_init(loop, &f->tick);
	uv_idle_init(loop, &f->wake_idle);
	f->tick.data = f->wake_idle.data = f;
	uv_timer_start(&f->tick, on_tick, TICK_MS, TICK_MS);
	fixer_wake(f);
	return f;
}

struct fixer *fixer_new(uv_loop_t *loop, const struct fix_plan *plan, const struct policy *policy,
			const struct inventory *inv, const struct write_permit *permit,
			const struct fixer_options *options, const struct fixer_hooks *hooks)
{
	return make_fixer(NULL, loop, plan, policy, inv, permit, options, hooks);
}

static struct fixer *new_child(struct fixer *parent, const struct fixer_options *options, const struct fixer_hooks *hooks)
{
	return make_fixer(parent, parent->loop, parent->inverse, parent->policy, parent->inv, parent->permit, options, hooks);
}

static void on_closed(uv_handle_t *h)
{
	struct fixer *f = h->data;

	if (!--f->handles)
		free(f);
}

static void unlink_fixer(struct fixer *f)
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
	unlink_fixer(f);
	fixer_free(f->child);
	fixer_end_read(f);
	for (size_t i = 0; i < f->plan->n_steps; i++) {
		fix_job_drop(&f->runs[i]);
		fix_verify_end(&f->runs[i]);
		free(f->runs[i].ports_up);
		free(f->runs[i].diff);
	}
	fixer_inverse_free(f);
	free(f->runs);
	free(f->is_due);
	free(f->set);
	free(f->questions);
	arena_done(&f->arena);
	uv_close((uv_handle_t *)&f->tick, on_closed);
	uv_close((uv_handle_t *)&f->wake_idle, on_closed);
}

void fixer_keep(struct fixer *f)
{
	if (f->phase != PHASE_AWAIT_KEEP || !fixer_is_waiting(f))
		return;
	f->wants_keep = true;
	fixer_wake(f);
}

void fixer_undo(struct fixer *f)
{
	f->wants_undo = true;
	fixer_wake(f);
}

bool fixer_is_waiting(const struct fixer *f)
{
	return f->phase == PHASE_AWAIT_KEEP && f->options.waits && !f->wants_keep && !f->wants_undo;
}
