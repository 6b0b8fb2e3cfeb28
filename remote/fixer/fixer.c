#include "remote/fixer/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define TICK_MS		100

static struct fixer *fixers;	/* of this process */

int64_t fixer_now_us(void)
{
	return (int64_t)(uv_hrtime() / 1000);
}

void fixer_enter(struct fixer *f, enum fixer_phase phase)
{
	f->phase = phase;
	fixer_go_on(f);
}

static void turn(void *ctx)
{
	fixer_go_on(ctx);
}

void fixer_end_reading(struct fixer *f)
{
	fix_reader_free(f->reader);
	f->reader = NULL;
}

void fixer_read_those(struct fixer *f, bool (*is_meant)(const struct fix_run *r), unsigned tries, int64_t limit_us)
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

void fixer_finish(struct fixer *f)
{
	fixer_end_reading(f);
	f->phase = FIXER_IS_OVER;
	fixer_go_on(f);
}

/* What was not begun is as it was, and may be begun another time. */
void fixer_leave_alone(struct fixer *f, const char *why)
{
	for (size_t i = 0; i < f->plan->n_steps; i++) {
		struct fix_run *r = &f->runs[i];

		if (r->state == DEV_NOT_BEGUN || (fixer_shown(r) != FIX_READING && fixer_shown(r) != FIX_PLANNED))
			continue;
		fix_state_move(&r->state, EVENT_LEFT_ALONE);
		fixer_say_words(r, "%s", why);
	}
	fixer_finish(f);
}

static void refuse_all(struct fixer *f, const char *why)
{
	for (size_t i = 0; i < f->plan->n_steps; i++)
		if (f->runs[i].state == DEV_UNREAD)
			fixer_move(&f->runs[i], EVENT_REFUSED, "%s", why);
	fixer_finish(f);
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

void fixer_begin_reading(struct fixer *f)
{
	EACH(f, r) {
		fix_state_move(&r->state, EVENT_READ_BEGUN);
		fixer_say_words(r, "%s", "");
	}
	fixer_read_those(f, is_any, 2, READ_US);
	fixer_enter(f, FIXER_READS);
}

void fixer_begin_wave(struct fixer *f)
{
	f->has_failed = f->has_looked = false;
	if (f->wants_undo)
		return fixer_leave_alone(f, "not begun: it was to be taken back");
	if (f->is_mute)
		return refuse_all(f, "the journal cannot be written");
	if (!set_next_wave(f))
		return fixer_finish(f);
	if (!write_permit_left_us(f->permit) && f->options.goal == FIXER_APPLY && !f->parent) /* what has begun is taken back all the same */
		return refuse_all(f, "the permission to write has run out");
	fixer_begin_reading(f);
}

/* -- beginning -- */

static const char *const goal_words[] = {
	[FIXER_APPLY] = "apply", [FIXER_REHEARSE] = "rehearse", [FIXER_LOOK] = "look", [FIXER_KEEP] = "keep",
	[FIXER_UNDO] = "undo",
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
	fixer_jobs_begin(f, JOB_LOOK, is_any);
	fixer_enter(f, FIXER_LOOKS);
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
		return fixer_begin_wave(f);
	set_all(f);
	if (f->options.goal == FIXER_LOOK)
		return look(f);
	fixer_begin_reading(f);
}

/* -- the end -- */

static bool is_some(const struct fixer *f, enum fix_state s)
{
	for (size_t i = 0; i < f->plan->n_steps; i++)
		if (fixer_shown(&f->runs[i]) == s)
			return true;
	return false;
}

/* Of the whole neither can be said then: that it is as asked, nor that nothing was changed. */
static bool is_partly(const struct fixer *f)
{
	bool is_kept = is_some(f, FIX_KEPT) || is_some(f, FIX_SAVED), is_undone = is_some(f, FIX_UNDONE);
	bool is_left = is_some(f, FIX_REFUSED) || is_some(f, FIX_NOT_REACHED);

	switch (f->options.goal) {
	case FIXER_APPLY:
	case FIXER_KEEP:
		return is_kept && (is_undone || is_left || is_some(f, FIX_PLANNED));
	case FIXER_UNDO:
		return is_undone && (is_kept || is_left);
	case FIXER_REHEARSE:
	case FIXER_LOOK:
		break;
	}
	return false;
}

enum fixer_end fixer_end(const struct fixer *f)
{
	bool wants_undone = f->options.goal == FIXER_UNDO || f->options.goal == FIXER_LOOK;

	if (is_some(f, FIX_UNKNOWN) || is_some(f, FIX_MIXED))
		return FIXER_DOUBT;
	if (is_partly(f))
		return FIXER_PARTLY;
	if (is_some(f, FIX_UNDONE) && !wants_undone)
		return FIXER_TAKEN_BACK;
	if (is_some(f, FIX_REFUSED))
		return FIXER_REFUSED;
	if (is_some(f, FIX_NOT_REACHED))
		return FIXER_NOT_REACHED;
	if (is_some(f, FIX_PLANNED) && writes(f))
		return FIXER_TAKEN_BACK;	/* what was left is as it was, by the wish of the person */
	return FIXER_DONE;
}

static void end_of_it(struct fixer *f)
{
	static const char *const words[] = {
		[FIXER_DONE] = "done", [FIXER_TAKEN_BACK] = "taken back", [FIXER_DOUBT] = "in doubt", [FIXER_REFUSED] = "refused",
		[FIXER_NOT_REACHED] = "not reached", [FIXER_PARTLY] = "in part",
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
		[FIXER_BEGINS] = begin, [FIXER_READS] = fixer_reads, [FIXER_LOOKS] = fixer_looks, [FIXER_CHANGES] = fixer_changes,
		[FIXER_VERIFIES] = fixer_verifies, [FIXER_WAITS] = fixer_waits, [FIXER_KEEPS] = fixer_keeps, [FIXER_TAKES_BACK] = fixer_takes_back,
		[FIXER_AWAITS_TIMERS] = fixer_awaits_timers, [FIXER_SETTLES] = fixer_settles, [FIXER_INVERTS] = fixer_inverts,
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
			return write_session_answer(r->errand, q.id, text);
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
			  const struct policy *policy, const struct inventory *inv, const struct write_permit *permit,
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

struct fixer *fixer_new(uv_loop_t *loop, const struct fix_plan *plan, const struct policy *policy,
			const struct inventory *inv, const struct write_permit *permit,
			const struct fixer_options *options, const struct fixer_hooks *hooks)
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
	fixer_end_reading(f);
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
