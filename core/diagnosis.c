#include "core/diagnosis.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define NOTES_MOST	12	/* of a suspect; more are counted */

/* ---- suspects ---- */

static const struct port *place_of(const struct diagnosis *d, const struct known_cause *cause, const struct port *p)
{
	const struct link *link = p && cause->of_link ? links_of_port(d->of.links, p) : NULL;

	return link ? link->a : p;
}

static struct suspect *need_suspect(struct diagnosis *d, const struct known_cause *cause, const struct device *device,
				    const struct port *port)
{
	struct suspect *s;

	port = place_of(d, cause, port);
	device = port ? port->device : device;
	for (size_t i = 0; i < d->n_suspects; i++)
		if (d->suspects[i].cause == cause && d->suspects[i].device == device && d->suspects[i].port == port)
			return &d->suspects[i];
	s = GROW(d->suspects, d->n_suspects, d->cap_suspects);
	d->n_suspects++;
	*s = (struct suspect){ .cause = cause, .device = device, .port = port, .step = UINT32_MAX };
	if (port)
		snprintf(s->where, sizeof(s->where), "%.78s:%.78s", device->name, port->name);
	else
		snprintf(s->where, sizeof(s->where), "%s", device ? device->name : "fabric");
	return s;
}

static struct note *add_note(struct suspect *s, enum note_is is, int weight, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static struct note *add_note(struct suspect *s, enum note_is is, int weight, const char *format, ...)
{
	struct note *n = GROW(s->notes, s->n_notes, s->cap_notes);
	va_list args;

	s->n_notes++;
	n->is = is;
	n->weight = weight;
	va_start(args, format);
	vsnprintf(n->text, sizeof(n->text), format, args);
	va_end(args);
	return n;
}

static void cite_finding(struct note *n, const struct finding *f)
{
	n->finding = f;
	n->evidence = f->evidence;
	n->n_evidence = f->n_evidence;
}

/* ---- findings that are signs ---- */

static int weigh(const struct sign *sign, enum verdict v)
{
	static const int percent[] = { [VERDICT_UNKNOWN] = 60, [VERDICT_LOOK] = 60, [VERDICT_WARN] = 80, [VERDICT_FAIL] = 100 };

	return sign->weight * percent[v] / 100;
}

static bool is_sign(const struct diagnosis *d, const struct sign *sign, const struct finding *f)
{
	if (strcmp(sign->check, f->check->id) != 0)
		return false;
	if (f->verdict < VERDICT_LOOK && !sign->though_unknown)
		return false;
	return !sign->fits || sign->fits(d, f);
}

/* The cause that a finding shows by itself, and by which sign. */
static const struct known_cause *cause_shown(const struct diagnosis *d, const struct finding *f, const struct sign **by)
{
	for (size_t i = 0; i < known_cause_count; i++)
		for (size_t k = 0; k < SIGNS_MAX && known_causes[i].signs[k].check; k++)
			if (is_sign(d, &known_causes[i].signs[k], f)) {
				*by = &known_causes[i].signs[k];
				return &known_causes[i];
			}
	return NULL;
}

static const struct finding *root_of(const struct finding *f)
{
	for (size_t steps = 0; f->cause && steps < check_count; steps++)
		f = f->cause;
	return f;
}

static bool is_at(const struct diagnosis_of *of, const struct device *device, const struct port *port)
{
	if (!of->device)
		return true;
	return device == of->device && (!of->port || !port || port == of->port);
}

bool diagnosis_covers(const struct diagnosis *d, const struct device *device, const struct port *port)
{
	const struct link *link = d->of.device && port ? links_of_port(d->of.links, port) : NULL;
	const struct port *far = link ? link_far(link, port) : NULL;

	return is_at(&d->of, device, port) || (far && is_at(&d->of, far->device, far));
}

bool diagnosis_touches(const struct diagnosis *d, const struct finding *f)
{
	return is_at(&d->of, f->device, f->port) || (f->far && is_at(&d->of, f->far->device, f->far));
}

/* A finding adds to its cause what it weighs beyond what the cause has already: signs of one fault are not many faults. */
static void take_sign(struct diagnosis *d, const struct finding *f)
{
	const struct sign *sign;
	const struct known_cause *cause = cause_shown(d, f, &sign);
	struct suspect *s;
	int weight;

	if (!cause || (f->cause && !sign->stands_alone))
		return;
	s = need_suspect(d, cause, f->device, f->port);
	weight = weigh(sign, f->verdict);
	weight = weight > s->score ? weight - s->score : 0;
	s->score += weight;
	s->step = f->check->step < s->step ? f->check->step : s->step;
	s->is_named = true;
	s->is_asked |= diagnosis_touches(d, f);
	cite_finding(add_note(s, NOTE_FOR, weight, "%s", f->what[0] ? f->what : f->missing), f);
}

/* What follows from a finding speaks for the cause that the finding shows. */
static void take_consequence(struct diagnosis *d, const struct finding *f)
{
	const struct finding *root = root_of(f);
	const struct sign *sign;
	const struct known_cause *cause = root != f ? cause_shown(d, root, &sign) : NULL;
	struct suspect *s;
	int weight;

	if (!cause)
		return;
	s = need_suspect(d, cause, root->device, root->port);
	weight = s->explains * WEIGHT_EXPLAINS < WEIGHT_EXPLAINS_MOST ? WEIGHT_EXPLAINS : 0;
	s->explains++;
	s->score += weight;
	s->is_asked |= diagnosis_touches(d, f);
	if (s->n_notes < NOTES_MOST)
		cite_finding(add_note(s, NOTE_FOR, weight, "explains %.40s at %.90s: %.100s", f->check->id, f->where, f->what), f);
}

static void read_findings(struct diagnosis *d)
{
	const struct finding *const *list;
	size_t n = findings_open(d->of.findings, &list);

	for (size_t i = 0; i < n; i++)
		take_sign(d, list[i]);
	for (size_t i = 0; i < n; i++)
		if (list[i]->verdict >= VERDICT_LOOK)
			take_consequence(d, list[i]);
}

/* ---- order ---- */

static int likeliest_first(const void *a_, const void *b_)
{
	const struct suspect *a = a_, *b = b_;
	int order;

	if (a->is_named != b->is_named)
		return a->is_named ? -1 : 1;
	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	order = natural_cmp(a->where, b->where);
	return order ? order : strcmp(a->cause->id, b->cause->id);
}

static void drop_suspect(struct suspect *s)
{
	free(s->notes);
}

/* Those that have nothing to do with what was asked about are left out. */
static void keep_asked(struct diagnosis *d)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->n_suspects; i++) {
		if (d->suspects[i].is_asked)
			d->suspects[kept++] = d->suspects[i];
		else
			drop_suspect(&d->suspects[i]);
	}
	d->n_suspects = kept;
	if (kept)
		qsort(d->suspects, kept, sizeof(*d->suspects), likeliest_first);
	for (d->n_named = 0; d->n_named < kept && d->suspects[d->n_named].is_named; d->n_named++)
		;
}

/* ---- the way through the tree ---- */

const struct step *diagnosis_step(const struct diagnosis *d, const char *question)
{
	for (size_t i = 0; i < d->n_steps; i++)
		if (strcmp(d->steps[i].asked.question->id, question) == 0)
			return &d->steps[i];
	return NULL;
}

static bool said_of_symptom(const struct diagnosis *d, const struct tree_question *q, enum tree_answer *answer)
{
	struct span rest = span_of(d->of.symptom ? d->of.symptom->answers : NULL), word, id, yes;

	while (span_word(&rest, &word)) {
		if (!span_cut(word, '=', &id, &yes) || !span_is(id, q->id))
			continue;
		*answer = span_is(yes, "yes") ? ANSWER_YES : ANSWER_NO;
		return true;
	}
	return false;
}

/* A person's answer counts for more than the evidence; a symptom is heard where there is none. */
static void settle_step(const struct diagnosis *d, struct step *s)
{
	s->answer = s->asked.answer;
	s->by = "evidence";
	if (s->answer == ANSWER_UNKNOWN && said_of_symptom(d, s->asked.question, &s->answer)) {
		s->by = "person";
		s->reason = d->of.symptom->text;
	}
	for (size_t i = 0; i < d->of.n_said; i++)
		if (d->of.said[i].question == s->asked.question) {
			s->answer = d->of.said[i].answer;
			s->by = "person";
			s->reason = d->of.said[i].reason;
		}
}

static const char *branch(const struct tree_question *q, enum tree_answer answer)
{
	return answer == ANSWER_YES ? q->yes : answer == ANSWER_NO ? q->no : q->unknown;
}

static void walk(struct diagnosis *d)
{
	const struct decision_tree *t = d->of.tree;
	const struct tree_question *q = question_find(t, t->start);

	while (q && d->n_steps < t->n_questions) {
		struct step *s = GROW(d->steps, d->n_steps, d->cap_steps);

		question_ask(&s->asked, d, q);
		settle_step(d, s);
		s->next = branch(q, s->answer);
		d->n_steps++;
		d->leaf = leaf_find(t, s->next);
		q = d->leaf ? NULL : question_find(t, s->next);
	}
}

/* ---- what would tell the likeliest apart ---- */

static bool lists(const char *list, const char *id)
{
	struct span rest = span_of(list), word;

	while (span_word(&rest, &word))
		if (span_is(word, id))
			return true;
	return false;
}

/* Whether a question's answer would speak for or against a cause: it asks a check that shows it, or leads to its leaf. */
static bool decides(const struct diagnosis *d, const struct tree_question *q, const struct known_cause *cause)
{
	const struct leaf *yes = leaf_find(d->of.tree, q->yes), *no = leaf_find(d->of.tree, q->no);

	for (size_t i = 0; q->checks && i < SIGNS_MAX && cause->signs[i].check; i++)
		if (lists(q->checks, cause->signs[i].check))
			return true;
	return (yes && yes->causes && lists(yes->causes, cause->id)) || (no && no->causes && lists(no->causes, cause->id));
}

static void find_split(struct diagnosis *d)
{
	struct split *s = &d->split;

	if (d->n_suspects < 2 || d->suspects[0].cause == d->suspects[1].cause)
		return;
	for (size_t i = 0; i < d->n_steps && !s->question; i++) {
		const struct tree_question *q = d->steps[i].asked.question;

		if (d->steps[i].answer == ANSWER_UNKNOWN &&
		    decides(d, q, d->suspects[0].cause) != decides(d, q, d->suspects[1].cause))
			s->question = q;
	}
	if (!s->question)
		return;
	s->between[0] = &d->suspects[0];
	s->between[1] = &d->suspects[1];
	snprintf(s->measure, sizeof(s->measure), "%s", s->question->needs);
	snprintf(s->command, sizeof(s->command), "%s", s->question->settle);
}

/* ---- the whole ---- */

void diagnosis_done(struct diagnosis *d)
{
	for (size_t i = 0; i < d->n_suspects; i++)
		drop_suspect(&d->suspects[i]);
	free(d->suspects);
	free(d->steps);
	pauses_done(&d->pauses);
	*d = (struct diagnosis){ 0 };
}

/* A mere look answers a question only where nothing graver is open. */
static enum verdict gravest(const struct diagnosis *d)
{
	const struct finding *const *list;
	size_t n = findings_open(d->of.findings, &list);

	for (size_t i = 0; i < n && list[i]->verdict >= VERDICT_WARN; i++)
		if (diagnosis_touches(d, list[i]))
			return VERDICT_WARN;
	return VERDICT_LOOK;
}

void diagnosis_make(struct diagnosis *d, const struct diagnosis_of *of)
{
	diagnosis_done(d);
	d->of = *of;
	if (!d->of.tree)
		d->of.tree = decision_tree_find(NULL);
	d->least = gravest(d);
	pauses_make(&d->pauses, &(struct pauses_of){ of->model, of->links, of->policy, of->inventory });
	read_findings(d);
	keep_asked(d);
	walk(d);
	find_split(d);
}
