/*
 * For tests of what joins the permission to write, the audit and the recording with whoever carries a plan out: a fixer that does
 * as the test says, in place of the real one. It defines the fixer's functions, so one file of a program includes it.
 */
#ifndef TESTS_LIB_STAND_IN_FIXER_H
#define TESTS_LIB_STAND_IN_FIXER_H

#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/say.h"
#include "tui/fixing/fixing.h"

/* The stand-in */

struct fixer {
	const struct fix_plan *plan;
	struct fixer_options options;
	struct fixer_hooks hooks;
	struct fix_progress steps[2];
	enum fixer_end end;
	bool was_kept, was_undone;
};

static struct fixer *fixer;	/* the one there is */

static const char *const words[FIX_STATES] = {
	"planned", "reading", "nothing to do", "armed", "applying", "applied", "verifying", "verified", "kept", "saved", "undoing",
	"undone", "before", "refused", "not reached", "unknown", "mixed", "half",
};

const char *fix_state_says(enum fix_state s)
{
	return s == FIX_KEPT ? "committed" : fix_state_word(s);
}

const char *fix_state_word(enum fix_state s)
{
	return words[s];
}

bool fix_state_is_final(enum fix_state s)
{
	return s == FIX_NOTHING_TO_DO || (s >= FIX_KEPT && s <= FIX_SAVED) || (s >= FIX_UNDONE && s <= FIX_NOT_REACHED);
}

bool fix_state_is_back(enum fix_state s)
{
	return s == FIX_UNDONE || s == FIX_BEFORE;
}

struct fixer *fixer_new(uv_loop_t *loop, const struct fix_plan *plan, const struct policy *policy,
			const struct inventory *inv, const struct write_permit *permit,
			const struct fixer_options *options, const struct fixer_hooks *hooks)
{
	(void)loop, (void)policy, (void)inv;
	assert_true((permit != NULL) == (options->goal != FIXER_LOOK && options->goal != FIXER_REHEARSE));
	fixer = xcalloc(1, sizeof(*fixer));
	fixer->plan = plan;
	fixer->options = *options;
	fixer->hooks = *hooks;
	return fixer;
}

void fixer_free(struct fixer *f)
{
	free(f);
}

void fixer_keep(struct fixer *f)
{
	f->was_kept = true;
}

void fixer_undo(struct fixer *f)
{
	f->was_undone = true;
}

void fixer_answer(struct fixer *f, unsigned id, const char *text)
{
	(void)f, (void)id, (void)text;
}

void fixer_progress(const struct fixer *f, size_t step, struct fix_progress *out)
{
	*out = f->steps[step];
}

bool fixer_is_waiting(const struct fixer *f)
{
	(void)f;
	return false;
}

enum fixer_end fixer_end(const struct fixer *f)
{
	return f->end;
}

static inline bool happens(size_t step, const char *kind, const char *text, int status, const char *output)
{
	struct fix_event e = { .plan = fixer->plan->id, .step = step, .device = fixer->plan->steps[step].device,
			       .hostkey = "ssh-ed25519 SHA256:abc", .kind = kind, .text = text, .status = status,
			       .output = span_of(output) };

	return fixer->hooks.journal(fixer->hooks.ctx, &e);
}

/* The set-up */

static inline void add_step(struct fix_plan *p, const char *device)
{
	struct fix_step *s = GROW(p->steps, p->n_steps, p->cap_steps);
	struct edit *e = GROW(s->edits, s->n_edits, s->cap_edits);
	char *text = xasprintf("%s eth2 trust = dscp (was pcp)", device);

	p->n_steps++;
	s->n_edits++;
	assert_true(edit_parse(span_of(text), &p->arena, e, NULL));
	free(text);
	e->why = "* * trust = dscp";
	s->device = device;
	s->platform = "linux";
	s->base = "eth2 trust pcp\n";
	s->after = "eth2 trust dscp\n";
	s->ports = "eth2";
	*GROW(s->lines.list, s->lines.n, s->lines.cap) = "mlnx_qos -i eth2 --trust=dscp";
	*GROW(s->undo.list, s->undo.n, s->undo.cap) = "mlnx_qos -i eth2 --trust=pcp";
	s->lines.n = s->undo.n = 1;
}

static inline void make_plan(struct fix_plan *p, const char *id)
{
	fix_plan_init(p);
	p->id = id;
	p->made_us = INT64_C(1795000000000000);
	p->fabric = "lab";
	p->policy = "roce-lossless";
	p->title = "node1 and node2 as roce-lossless wants them";
	p->verify_us = 10000000;
	add_step(p, "node1");
	add_step(p, "node2");
	*GROW(p->units, p->n_units, p->cap_units) = (struct fix_unit){ 0, 2, 1 };
	p->n_units = 1;
}

static inline struct write_mode armed(void)
{
	struct write_mode a = { 0 };
	struct err err = { "" };

	if (!write_mode_begin(&a, "INC-42", &err))
		fail_msg("%s", err.text);
	return a;
}

static inline struct fixing *try_begin(const char *id, enum fixer_goal goal, const struct write_mode *arming,
				struct session *s, struct err *err)
{
	struct fixer_options options = { .goal = goal };
	struct fixing_hooks hooks = { 0 };
	struct fixing *f;
	struct fix_plan plan;

	make_plan(&plan, id);
	f = fixing_begin(NULL, &plan, NULL, NULL, arming, s, &options, &hooks, err);
	assert_int_equal(plan.n_steps, f ? 0 : 2);	/* taken over, or still the caller's */
	fix_plan_done(&plan);
	return f;
}

static inline struct fixing *begin(const char *id, enum fixer_goal goal, struct session *s)
{
	struct write_mode a = armed();
	struct err err = { "" };
	struct fixing *f = try_begin(id, goal, &a, s, &err);

	if (!f)
		fail_msg("%s", err.text);
	write_mode_end(&a);
	return f;
}

static inline bool add_entry(void *ctx, const struct audit_entry *e)
{
	buf_printf(ctx, "%s %ld %s %s: %s (%d) %s\n", e->plan ? e->plan : "-", e->step, e->device ? e->device : "-", e->kind,
		   strcmp(e->kind, "plan") ? e->text : "its file", e->status, e->output ? e->output : "-");
	return true;
}

/* As another process reads it: what stands there is on disk. */
static inline void assert_audit(const char *says, bool wanted)
{
	struct audit *a = audit_of_user(false, NULL);
	struct buf all = { 0 };

	assert_non_null(a);
	assert_true(audit_each(a, 0, NULL, add_entry, &all, NULL));
	if (!strstr(all.text, says) == wanted)
		fail_msg("\"%s\" is %s in:\n%s", says, wanted ? "not" : "", all.text);
	audit_close(a);
	buf_done(&all);
}

static inline void assert_log(const struct fixing *f, const char *says)
{
	const char *const *lines;
	size_t n = fixing_log(f, &lines);

	for (size_t i = 0; i < n; i++)
		if (strstr(lines[i], says))
			return;
	fail_msg("no line of the log says \"%s\"", says);
}

#endif
