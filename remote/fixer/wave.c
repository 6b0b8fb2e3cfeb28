/* The batches of a plan: selects the next devices, reads them, and ends the run. */
#include "remote/fixer/internal.h"

#include <stdio.h>
#include <stdlib.h>

/* -- waking up -- */

static void on_wake(uv_idle_t *idle)
{
	struct fixer *f = idle->data;

	uv_idle_stop(idle);
	f->advance(f);
}

void fixer_wake(struct fixer *f)
{
	if (!f->is_freed)
		uv_idle_start(&f->wake_idle, on_wake);
}

void fixer_enter(struct fixer *f, enum fixer_phase phase)
{
	f->phase = phase;
	fixer_wake(f);
}

static void on_read_change(void *ctx)
{
	fixer_wake(ctx);
}

void fixer_end_read(struct fixer *f)
{
	fix_reader_free(f->reader);
	f->reader = NULL;
}

void fixer_read(struct fixer *f, bool (*is_meant)(const struct fix_run *r), unsigned tries, int64_t limit_us)
{
	struct fix_run **meant = xcalloc(f->n_set + 1, sizeof(*meant));
	size_t n = 0;

	EACH(f, r)
		if (is_meant(r))
			meant[n++] = r;
	f->reader = fix_reader_new(f, meant, n, tries, limit_us, on_read_change, f);
	free(meant);
}

/* -- ending -- */

/* Another step of the plan met the device later, on another boot. */
static bool has_restarted_since(const struct fix_run *r)
{
	const struct fixer *f = r->fixer;

	for (size_t i = 0; i < f->plan->n_steps; i++) {
		const struct fix_run *later = &f->runs[i];

		if (later->seen_us > r->seen_us && later->seen.boot[0] && !strcmp(later->step->device, r->step->device) &&
		    strcmp(later->seen.boot, r->seen.boot) != 0)
			return true;
	}
	return false;
}

/* What was committed and not saved, by this run or an earlier one, may be gone with a restart. */
static void doubt_what_restarted(struct fixer *f)
{
	for (size_t i = 0; i < f->plan->n_steps; i++) {
		struct fix_run *r = &f->runs[i];
		bool is_unsaved = r->state == DEV_KEPT || (fix_run_is_witness(r) && (!r->step->save.n || r->is_unsaved));

		if (is_unsaved && has_restarted_since(r))
			fixer_move(r, r->state == DEV_KEPT ? EVENT_DOUBTED : EVENT_UNIT_DOUBTED,
				   "it was as planned, and %s has restarted since: verify again (fabcon verify)", r->step->device);
	}
}

void fixer_finish(struct fixer *f)
{
	doubt_what_restarted(f);
	fixer_judge_units(f);
	fixer_end_read(f);
	f->phase = PHASE_ENDED;
	fixer_wake(f);
}

/* FIXER_FINISH: selects the next unit that is half and can be finished; false when there is none. */
static bool set_next_due(struct fixer *f)
{
	if (f->options.goal != FIXER_FINISH || !f->is_due || f->journal_failed || f->wants_undo || !write_permit_left_us(f->permit))
		return false;
	for (size_t u = f->next_due; u < f->plan->n_units; u++) {
		if (!f->is_due[u])
			continue;
		f->next_due = u + 1;
		f->has_failed = false;
		f->queries = 0;
		f->n_set = 0;
		for (size_t i = 0; i < f->plan->units[u].n; i++)
			f->set[f->n_set++] = &f->runs[f->plan->units[u].first + i];
		return true;
	}
	return false;
}

static void leave_alone(struct fix_run *r, const char *why)
{
	bool is_open = fixer_shown(r) == FIX_READING || fixer_shown(r) == FIX_PLANNED;
	bool is_told = r->state == DEV_AS_BEFORE && r->fixer->is_due && !r->fixer->is_due[r->unit];	/* not to be finished */

	if (r->state == DEV_NOT_BEGUN || !is_open || is_told)
		return;
	fix_state_move(&r->state, EVENT_LEFT_ALONE);
	fixer_set_words(r, "%s", why);
}

/* Devices that were not started are unchanged; the plan may be applied again. */
void fixer_skip_rest(struct fixer *f, const char *why)
{
	if (set_next_due(f))	/* units are finished one by one, each by itself */
		return fixer_begin_read(f);
	for (size_t i = 0; i < f->plan->n_steps; i++)
		leave_alone(&f->runs[i], why);
	fixer_finish(f);
}

void fixer_refuse_all(struct fixer *f, const char *why)
{
	for (size_t i = 0; i < f->plan->n_steps; i++)
		if (f->runs[i].state == DEV_UNREAD)
			fixer_move(&f->runs[i], EVENT_REFUSED, "%s", why);
	fixer_finish(f);
}

/* -- batches -- */

void fixer_set_all(struct fixer *f)
{
	f->n_set = 0;
	for (size_t u = 0; u < f->plan->n_units; u++)
		for (size_t i = 0; i < f->plan->units[u].n; i++)
			f->set[f->n_set++] = &f->runs[f->plan->units[u].first + i];
}

/* Selects the units of the next batch; false when there is none. */
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

/* The timer is queried before the device is read: if it fires in between, the read is still the later fact. */
void fixer_begin_query(struct fixer *f)
{
	fixer_jobs_begin(f, JOB_QUERY, is_any);
	fixer_enter(f, PHASE_QUERY);
}

void fixer_begin_read(struct fixer *f)
{
	fixer_end_read(f);
	EACH(f, r) {
		fix_state_move(&r->state, EVENT_READ_BEGUN);
		fixer_set_words(r, "%s", "");
	}
	fixer_read(f, is_any, 2, READ_US);
	fixer_enter(f, PHASE_READ);
}

/* Of the devices of a link that was to be finished. */
static const char *why_not_finished(const struct fixer *f)
{
	if (f->journal_failed)
		return "not started: the journal cannot be written";
	return write_permit_left_us(f->permit) ? "not started: its link cannot be finished" : "not started: the permission to write has expired";
}

void fixer_begin_wave(struct fixer *f)
{
	f->has_failed = false;
	f->queries = 0;
	if (f->wants_undo)
		return fixer_skip_rest(f, "not started: the plan was being rolled back");
	if (f->options.goal == FIXER_FINISH)
		return set_next_due(f) ? fixer_begin_read(f) : fixer_skip_rest(f, why_not_finished(f));
	if (f->journal_failed)
		return fixer_refuse_all(f, "the journal cannot be written");
	if (!set_next_wave(f))
		return fixer_finish(f);
	if (!write_permit_left_us(f->permit) && !f->parent)	/* an inverse plan may start */
		return fixer_refuse_all(f, "the permission to write has expired");
	fixer_begin_read(f);
}
