#include "tui/fixing/explain.h"

#include <stdlib.h>
#include <unistd.h>

#include "db/audit/audit.h"
#include "remote/fixer/fixer.h"
#include "tui/fixing/journal_words.h"
#include "tui/fixing/plans.h"
#include "tui/fixing/write_mode.h"

#define BEFORE_US	(2 * SECOND)	/* a reply takes its time */
#define TIMER_LATE	(10 * SECOND)	/* a device's timer, by the time that it reported when it was armed */
#define UNHEARD		(60 * SECOND)	/* a command whose end is not on record may take so long */

/* What a plan set on the device: its values, those of before it, or only the saved configuration. */
enum deed_sets { SETS_NOTHING, SETS_WANTED, SETS_BEFORE, SETS_SAVED };

struct deed {
	char plan[80];
	long step;
	enum deed_sets sets;
	int64_t from_us, to_us;		/* the first command, and the state that was reported after the last */
	bool by_timer;
};

/* How far a step of a plan has come, as the audit is read. */
struct step_run {
	char plan[80];
	long step;
	enum deed_sets phase;		/* what its next command sets */
	bool is_inverse;		/* an inverse plan has the device: its undo sets the plan's values again */
	size_t deed;			/* of deeds, from 1: not ended; 0: none */
	int64_t timer_us;		/* armed there, runs out; 0: none */
	enum deed_sets timer_sets;
	bool was_cancelled;		/* the timer, by the console: until the device has confirmed it */
};

struct deeds {
	const char *device;
	struct deed *list;
	size_t n, cap;
	struct step_run *runs;
	size_t n_runs, cap_runs;
};

static struct step_run *run_of(struct deeds *d, const struct audit_entry *e)
{
	struct step_run *r;

	for (size_t i = d->n_runs; i-- > 0;)
		if (d->runs[i].step == e->step && !strcmp(d->runs[i].plan, e->plan))
			return &d->runs[i];
	r = GROW(d->runs, d->n_runs, d->cap_runs);
	d->n_runs++;
	*r = (struct step_run){ .step = e->step };
	snprintf(r->plan, sizeof(r->plan), "%s", e->plan);
	return r;
}

static struct deed *add_deed(struct deeds *d, const struct step_run *r, enum deed_sets sets, int64_t at_us)
{
	struct deed *new = GROW(d->list, d->n, d->cap);

	d->n++;
	*new = (struct deed){ .step = r->step, .sets = sets, .from_us = at_us, .to_us = at_us + UNHEARD };
	snprintf(new->plan, sizeof(new->plan), "%s", r->plan);
	return new;
}

static void end_deed(struct deeds *d, struct step_run *r, int64_t at_us)
{
	if (r->deed)
		d->list[r->deed - 1].to_us = at_us;
	r->deed = 0;
}

static void begin_deed(struct deeds *d, struct step_run *r, enum deed_sets sets, int64_t at_us)
{
	if (r->deed && d->list[r->deed - 1].sets == sets)
		return;
	end_deed(d, r, at_us);
	add_deed(d, r, sets, at_us);
	r->deed = d->n;
}

static void timer_has_fired(struct deeds *d, struct step_run *r)
{
	struct deed *of = add_deed(d, r, r->timer_sets, r->timer_us - TIMER_LATE);

	of->to_us = r->timer_us + TIMER_LATE;
	of->by_timer = true;
}

/* Its timer is gone: one that was due before may have fired. */
static void end_timer(struct deeds *d, struct step_run *r, int64_t at_us)
{
	if (r->timer_us && r->timer_us <= at_us)
		timer_has_fired(d, r);
	r->timer_us = 0;
}

static bool says(const struct audit_entry *e, enum fix_state s)
{
	return span_starts(span_of(e->text ? e->text : ""), fix_state_word(s));
}

/* "armed: rollback in 598 s by systemd": it may run out. Kept, it does not. */
static void follow_timer(struct deeds *d, struct step_run *r, const struct audit_entry *e)
{
	struct span text = span_of(e->text ? e->text : "");
	uint64_t s;

	if (span_skip(&text, "armed: rollback in ") && span_take_u64(&text, &s) && s < 1000000) {
		end_timer(d, r, e->at_us);
		r->timer_us = e->at_us + (int64_t)s * SECOND;
		r->timer_sets = r->is_inverse ? SETS_WANTED : SETS_BEFORE;
	} else if (says(e, FIX_KEPT) || says(e, FIX_SAVED) || (r->was_cancelled && says(e, FIX_REFUSED))) {
		r->timer_us = 0;
	}
	r->was_cancelled = false;
}

/* A step's state, or that of the inverse plan that has its device: an inverse plan's change is back to before. */
static void follow_state(struct deeds *d, struct step_run *r, const struct audit_entry *e)
{
	r->is_inverse = !strcmp(e->kind, "inverse");
	end_deed(d, r, e->at_us);
	r->phase = SETS_SAVED;
	if (says(e, FIX_APPLYING))
		r->phase = r->is_inverse ? SETS_BEFORE : SETS_WANTED;
	else if (says(e, FIX_UNDOING))
		r->phase = r->is_inverse ? SETS_WANTED : SETS_BEFORE;
	follow_timer(d, r, e);
}

static bool follow(void *ctx, const struct audit_entry *e)
{
	struct deeds *d = ctx;
	struct step_run *r;

	if (!e->device || !e->plan || e->step < 0 || strcmp(e->device, d->device))
		return true;
	r = run_of(d, e);
	if (!strcmp(e->kind, "state") || !strcmp(e->kind, "inverse")) {
		follow_state(d, r, e);
	} else if (!strcmp(e->kind, "command")) {
		begin_deed(d, r, r->phase, e->at_us);
	} else if (!strcmp(e->kind, "disarm") && e->text && !strcmp(e->text, "undo")) {
		end_timer(d, r, e->at_us);
		begin_deed(d, r, r->is_inverse ? SETS_WANTED : SETS_BEFORE, e->at_us);
	} else if (!strcmp(e->kind, "disarm") && e->text && strstr(e->text, "cancel the rollback timer")) {
		r->was_cancelled = true;
	}
	return true;
}

static void read_deeds(struct deeds *d, struct audit *a)
{
	audit_each(a, 0, NULL, follow, d, NULL);
	for (size_t i = 0; i < d->n_runs; i++)
		if (d->runs[i].timer_us)
			timer_has_fired(d, &d->runs[i]);
}

/* -- whether one of them made a change -- */

/* The plan that was read last: several changes are mostly of one. */
struct known_plan {
	char id[80];
	struct fix_plan plan;	/* without steps: its text is not kept, or cannot be read; it explains nothing */
};

static const struct fix_plan *plan_of(struct known_plan *k, struct audit *a, const char *id)
{
	if (!strcmp(k->id, id))
		return &k->plan;
	fix_plan_done(&k->plan);
	snprintf(k->id, sizeof(k->id), "%s", id);
	plan_of_audit(a, id, &k->plan);
	return &k->plan;
}

static bool is_of(const struct edit *e, const struct fact *now)
{
	const char *port = e->port ? e->port : "", *there = now->port ? now->port : "";

	return e->field == now->field && e->index == now->index && !strcmp(port, there);
}

static bool has_edit(const struct fix_plan *p, const struct deed *of, const struct fact *now)
{
	const struct fix_step *s = (size_t)of->step < p->n_steps ? &p->steps[of->step] : NULL;

	for (size_t i = 0; s && i < s->n_edits; i++)
		if (is_of(&s->edits[i], now))
			return of->sets == SETS_WANTED ? edit_is_met(&s->edits[i], &now->value)
						       : value_same(now->field, &s->edits[i].was, &now->value);
	return false;
}

/* Whatever is sent, a switch's running configuration then differs from the saved one, or is saved. */
static bool sets(struct known_plan *k, struct audit *a, const struct deed *of, const struct fact *now)
{
	if (now->field == FIELD_CONFIG_SAVED && !of->by_timer)
		return true;
	return of->sets != SETS_SAVED && of->sets != SETS_NOTHING && has_edit(plan_of(k, a, of->plan), of, now);
}

static const struct deed *deed_behind(const struct deeds *d, struct known_plan *k, struct audit *a, const struct setting_change *c)
{
	for (size_t i = d->n; i-- > 0;) {
		const struct deed *of = &d->list[i];

		if (of->from_us <= c->to_us && of->to_us >= c->from_us - BEFORE_US && sets(k, a, of, &c->now))
			return of;
	}
	return NULL;
}

struct beginning {
	int64_t until_us;
	struct buf *words;
};

/* The plan's last "begin" until then: "apply: INC-42", and who began it. */
static bool take_begin(void *ctx, const struct audit_entry *e)
{
	struct beginning *b = ctx;
	const char *text = e->text ? e->text : "";

	if (strcmp(e->kind, "begin") != 0 || e->at_us > b->until_us)
		return true;
	buf_clear(b->words);
	buf_printf(b->words, "%s by %s (", e->plan, e->who ? e->who : "?");
	journal_words("begin", (struct span){ text, strnlen(text, 200) }, b->words);
	buf_str(b->words, ")");
	return true;
}

static void say_deed(struct audit *a, const struct deed *of, struct buf *by)
{
	struct buf begun = { 0 };
	struct beginning b = { .until_us = of->to_us, .words = &begun };

	audit_each(a, 0, of->plan, take_begin, &b, NULL);
	buf_printf(by, "%s%s", of->by_timer ? "rolled back by the timer of " : "", begun.n ? begun.text : of->plan);
	buf_done(&begun);
}

void plans_explain(const char *device, struct setting_change *list, size_t n)
{
	struct audit *a = audit_path() && access(audit_path(), F_OK) == 0 ? audit_of_user(false, NULL) : NULL;
	struct deeds d = { .device = device };
	struct known_plan known = { .id = "" };

	if (!a)
		return;
	fix_plan_init(&known.plan);
	read_deeds(&d, a);
	for (size_t i = 0; i < n; i++) {
		const struct deed *of = deed_behind(&d, &known, a, &list[i]);

		if (of)
			say_deed(a, of, &list[i].by);
	}
	fix_plan_done(&known.plan);
	free(d.list);
	free(d.runs);
	audit_close(a);
}
