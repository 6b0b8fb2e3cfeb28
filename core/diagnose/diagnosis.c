#include "core/diagnose/diagnosis.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/diagnose/cause_ranking.h"

/* -- what is asked about -- */

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

/* -- the way through the tree -- */

const struct step *diagnosis_step(const struct diagnosis *d, const char *question)
{
	for (size_t i = 0; i < d->n_steps; i++)
		if (strcmp(d->steps[i].asked.question->id, question) == 0)
			return &d->steps[i];
	return NULL;
}

static bool said_of_symptom(const char *answers, const struct tree_question *q, enum tree_answer *answer)
{
	struct span rest = span_of(answers), word, id, yes;

	while (span_word(&rest, &word)) {
		if (!span_cut(word, '=', &id, &yes) || !span_is(id, q->id))
			continue;
		*answer = span_is(yes, "yes") ? ANSWER_YES : ANSWER_NO;
		return true;
	}
	return false;
}

/* A person's answer counts for more than the evidence; what a symptom only makes likely is heard where there is none. */
static void settle_step(const struct diagnosis *d, struct step *s)
{
	s->answer = s->asked.answer;
	s->by = "evidence";
	if (d->of.symptom && (said_of_symptom(d->of.symptom->felt, s->asked.question, &s->answer) ||
			      (answer_is_open(s->answer) &&
			       said_of_symptom(d->of.symptom->answers, s->asked.question, &s->answer)))) {
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

/* The leaf is about the likeliest cause. */
static bool is_of_first(const struct diagnosis *d, const struct leaf *leaf)
{
	return leaf && d->n_named && span_is_among(span_of(d->suspects[0].cause->id), leaf->causes);
}

/* What was found there is true, and not what is the matter first of all. */
static bool is_of_another(const struct diagnosis *d, const struct step *s)
{
	const struct tree_question *q = s->asked.question;
	const struct leaf *leaf = leaf_find(d->of.tree, q->found == ANSWER_YES ? q->yes : q->no);

	return s->answer == q->found && s->answer == s->asked.answer && leaf && leaf->causes && !is_of_first(d, leaf);
}

/*
 * What follows from something else does not end the way: what it follows from does, or no question asks about that. Nor does
 * what is of another cause than the likeliest, where the way is to lead to that.
 */
static const char *branch(const struct diagnosis *d, struct step *s, bool to_first)
{
	const struct tree_question *q = s->asked.question;
	enum tree_answer answer = s->answer;
	bool is_by_evidence = strcmp(s->by, "evidence") == 0;

	s->is_passed = to_first && is_by_evidence && is_of_another(d, s);
	if (answer == ANSWER_NA || s->is_passed || (s->asked.follows && answer == s->asked.answer && is_by_evidence))
		return q->found == ANSWER_YES ? q->no : q->yes;
	return answer == ANSWER_YES ? q->yes : answer == ANSWER_NO ? q->no : q->unknown;
}

static void walk(struct diagnosis *d, bool to_first)
{
	const struct decision_tree *t = d->of.tree;
	const struct tree_question *q = question_find(t, t->start);

	d->n_steps = 0;
	d->leaf = NULL;
	while (q && d->n_steps < t->n_questions) {
		struct step *s = GROW(d->steps, d->n_steps, d->cap_steps);

		question_ask(&s->asked, d, q);
		settle_step(d, s);
		s->next = branch(d, s, to_first);
		d->n_steps++;
		d->leaf = leaf_find(t, s->next);
		q = d->leaf ? NULL : question_find(t, s->next);
	}
}

/*
 * Settings are asked about before what moves. Where several things are wrong the way leads to the likeliest cause, past what
 * is true beside it, if a question leads there at all: verdict and cause are one.
 */
static void walk_to_verdict(struct diagnosis *d)
{
	walk(d, false);
	if (d->of.tree != decision_tree_find(NULL) || !d->n_named || !d->leaf || !d->leaf->causes || is_of_first(d, d->leaf))
		return;
	walk(d, true);
	if (!is_of_first(d, d->leaf))
		walk(d, false);
}

/* -- what would tell the likeliest apart -- */

/* Whether a question's answer would speak for or against a cause: it asks a check that shows it, or leads to its leaf. */
static bool decides(const struct diagnosis *d, const struct tree_question *q, const struct known_cause *cause)
{
	const struct leaf *yes = leaf_find(d->of.tree, q->yes), *no = leaf_find(d->of.tree, q->no);

	for (size_t i = 0; q->checks && i < SIGNS_MAX && cause->signs[i].check; i++)
		if (span_is_among(span_of(cause->signs[i].check), q->checks))
			return true;
	return (yes && span_is_among(span_of(cause->id), yes->causes)) || (no && span_is_among(span_of(cause->id), no->causes));
}

/* Whether it would tell the one from the other, and is open for a fact of the device that is suspected of what it decides. */
static bool splits(const struct diagnosis *d, const struct step *step)
{
	const struct suspect *first = &d->suspects[0], *second = &d->suspects[1], *of;
	bool of_first = decides(d, step->asked.question, first->cause), of_second = decides(d, step->asked.question, second->cause);

	of = of_first ? first : second;
	return answer_is_open(step->answer) && of_first != of_second && (!of->device || of->device == step->asked.lacking);
}

static void find_split(struct diagnosis *d)
{
	struct split *s = &d->split;

	if (d->n_suspects < 2 || d->suspects[0].cause == d->suspects[1].cause)
		return;
	for (size_t i = 0; i < d->n_steps && !s->question; i++)
		if (splits(d, &d->steps[i])) {
			s->question = d->steps[i].asked.question;
			s->asked = &d->steps[i].asked;
		}
	if (!s->question)
		return;
	s->between[0] = &d->suspects[0];
	s->between[1] = &d->suspects[1];
}

/* -- the whole -- */

void diagnosis_done(struct diagnosis *d)
{
	cause_ranking_done(d);
	free(d->steps);
	pauses_done(&d->pauses);
	*d = (struct diagnosis){ 0 };
}

/* A mere look answers a question only where nothing graver is open. */
static enum verdict gravest(const struct diagnosis *d)
{
	const struct finding *const *list;
	size_t n = findings_open(d->of.findings, &list);

	for (size_t i = 0; i < n; i++)
		if (list[i]->verdict >= VERDICT_WARN && diagnosis_touches(d, list[i]))
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
	cause_ranking_find(d);
	walk_to_verdict(d);
	find_split(d);
}
