#include "core/diagnose/question.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/diagnose/diagnosis.h"

const char *answer_word(enum tree_answer a)
{
	static const char *const words[] = {
		[ANSWER_UNKNOWN] = "unknown", [ANSWER_NO] = "no", [ANSWER_YES] = "yes", [ANSWER_NA] = "n/a",
	};

	return words[a];
}

const struct decision_tree *decision_tree_find(const char *name)
{
	if (!name)
		return &decision_trees[0];
	for (size_t i = 0; i < decision_tree_count; i++)
		if (strcmp(decision_trees[i].name, name) == 0)
			return &decision_trees[i];
	return NULL;
}

const struct tree_question *question_find(const struct decision_tree *t, const char *id)
{
	for (size_t i = 0; id && i < t->n_questions; i++)
		if (strcmp(t->questions[i].id, id) == 0)
			return &t->questions[i];
	return NULL;
}

const struct leaf *leaf_find(const struct decision_tree *t, const char *id)
{
	for (size_t i = 0; id && i < t->n_leaves; i++)
		if (strcmp(t->leaves[i].id, id) == 0)
			return &t->leaves[i];
	return NULL;
}

const struct symptom *symptom_find(const struct decision_tree *t, const char *word)
{
	for (size_t i = 0; i < t->n_symptoms; i++)
		if (strcmp(t->symptoms[i].word, word) == 0)
			return &t->symptoms[i];
	return NULL;
}

bool given_answer_read(const struct decision_tree *t, const char *text, struct given_answer *out, struct err *err)
{
	struct span id, word;
	char name[64];

	if (!span_cut(span_of(text), '=', &id, &word))
		return err_set(err, "an answer is QUESTION=yes or QUESTION=no, not \"%.80s\"", text);
	snprintf(name, sizeof(name), "%.*s", (int)(id.n < 60 ? id.n : 60), id.p);
	if (!question_find(t, name))
		return err_set(err, "the tree %s has no question \"%s\"", t->name, name);
	if (!span_is(word, "yes") && !span_is(word, "no"))
		return err_set(err, "%s is answered yes or no, not \"%.*s\"", name, (int)(word.n < 60 ? word.n : 60), word.p);
	*out = (struct given_answer){ question_find(t, name), span_is(word, "yes") ? ANSWER_YES : ANSWER_NO, NULL };
	return true;
}

/* -- answered by what checks found -- */

/* What one check said, everywhere that is asked about. */
struct tally {
	size_t ok, unknown, lost, na;
	const struct port *right;		/* an example */
	const struct device *right_device;
	char where[160];			/* the first unknown */
};

static void count(struct tally *t, const struct diagnosis *d, const struct check *check, const struct device *device,
		  const struct port *port)
{
	bool is_lost = false;
	enum verdict v = findings_said(d->of.findings, check, device, port, &is_lost);

	if (v == VERDICT_OK && !t->ok++) {
		t->right = port;
		t->right_device = device;
	}
	t->lost += v == VERDICT_NA && is_lost;
	t->na += v == VERDICT_NA && !is_lost;
	if (v == VERDICT_UNKNOWN && !t->unknown++)
		snprintf(t->where, sizeof(t->where), "%.60s%s%.60s", device->name, port ? ":" : "", port ? port->name : "");
}

static void tally_devices(struct tally *t, const struct diagnosis *d, const struct check *check)
{
	for (size_t i = 0; i < model_devices(d->of.model); i++) {
		const struct device *device = model_device(d->of.model, i);

		if (diagnosis_covers(d, device, NULL))
			count(t, d, check, device, NULL);
	}
}

static void tally_ports(struct tally *t, const struct diagnosis *d, const struct check *check)
{
	for (size_t i = 0; i < model_ports(d->of.model); i++) {
		const struct port *p = model_port(d->of.model, i);

		if (diagnosis_covers(d, p->device, p))
			count(t, d, check, p->device, p);
	}
}

static void tally_links(struct tally *t, const struct diagnosis *d, const struct check *check)
{
	for (size_t i = 0; i < d->of.links->n; i++) {
		const struct port *p = d->of.links->list[i].a;

		if (diagnosis_covers(d, p->device, p))
			count(t, d, check, p->device, p);
	}
}

/* One fact that shows that it is right, where it is. */
static void cite_right(struct asking *a, const struct tally *t, const struct check *check)
{
	enum field f;

	if (!t->ok || a->n_evidence > 2 || !field_find(span_of(check->fields), &f))
		return;
	if (field_table[f].scope == SCOPE_PORT && !t->right)
		return;
	a->evidence[a->n_evidence++] = (struct evidence){ .device = t->right_device, .port = t->right, .field = f,
							   .index = field_table[f].width == 8 ? 3 : 0 };
}

static bool names(const char *list, const char *id)
{
	struct span rest = span_of(list), word;

	while (span_word(&rest, &word))
		if (span_is(word, id))
			return true;
	return false;
}

/* A consequence of what another question asks about answers that one. */
static bool answers(const struct asking *a, const struct finding *f)
{
	return names(a->question->checks, f->check->id) && (!f->cause || names(a->question->checks, f->cause->check->id)) &&
	       diagnosis_touches(a->d, f);
}

/* The worst finding of the checks, and at how many more places there is one; and of the lesser ones the first, and how many. */
static bool found_wrong(struct asking *a, const struct finding **lesser, size_t *n_lesser)
{
	const struct finding *const *list;
	size_t n = findings_open(a->d->of.findings, &list);
	enum verdict least = a->question->least ? a->question->least : a->d->least;

	for (size_t i = 0; i < n; i++) {
		if (!answers(a, list[i]))
			continue;
		if (list[i]->verdict >= VERDICT_LOOK && list[i]->verdict < least && !(*n_lesser)++)
			*lesser = list[i];
		if (list[i]->verdict < least)
			continue;
		if (a->finding)
			a->others++;
		else
			a->finding = list[i];
	}
	if (!a->finding)
		return false;
	a->answer = a->question->found;
	snprintf(a->what, sizeof(a->what), "%.80s: %.100s", a->finding->where, a->finding->what);
	memcpy(a->evidence, a->finding->evidence, a->finding->n_evidence * sizeof(*a->evidence));
	a->n_evidence = a->finding->n_evidence;
	return true;
}

static const char *missing_words(const struct asking *a, const struct check *check)
{
	const struct finding *const *list;
	size_t n = findings_open(a->d->of.findings, &list);

	for (size_t i = 0; i < n; i++)
		if (list[i]->check == check && list[i]->verdict == VERDICT_UNKNOWN && list[i]->missing[0] &&
		    diagnosis_touches(a->d, list[i]))
			return list[i]->missing;
	return NULL;
}

static void tally_check(struct asking *a, const struct check *check, struct tally *all)
{
	struct tally t = { 0 };
	const char *words;

	if (check->of == OF_DEVICE)
		tally_devices(&t, a->d, check);
	else if (check->of == OF_PORT)
		tally_ports(&t, a->d, check);
	else if (check->of == OF_LINK)
		tally_links(&t, a->d, check);
	if (t.unknown && !a->missing[0]) {
		words = missing_words(a, check);
		snprintf(a->missing, sizeof(a->missing), "%.110s%s%.40s", words ? words : t.where, words ? "" : ": ",
			 words ? "" : check->fields);
	} else if (!t.ok && t.lost && !a->missing[0]) {
		snprintf(a->missing, sizeof(a->missing), "nothing that was read tells of %.60s", check->fields);
	}
	all->unknown += t.unknown || (!t.ok && t.lost);
	all->ok += t.ok;
	all->na += t.na;
	cite_right(a, &t, check);
}

/* "right at all 7 places that were judged"; what is a little off is named beside. */
static void say_right(struct asking *a, const struct tally *all, const struct finding *lesser, size_t n_lesser)
{
	a->answer = a->question->found == ANSWER_YES ? ANSWER_NO : ANSWER_YES;
	if (!lesser && all->ok == 1)
		snprintf(a->what, sizeof(a->what), "right at the one place that was judged");
	else if (!lesser)
		snprintf(a->what, sizeof(a->what), "right at all %zu places that were judged", all->ok);
	else
		snprintf(a->what, sizeof(a->what), "right at %zu place%s; %zu to be looked at: %.50s: %.70s", all->ok, plural_s(all->ok),
			 n_lesser, lesser->where, lesser->what);
}

static void ask_checks(struct asking *a)
{
	const struct finding *lesser = NULL;
	size_t n_lesser = 0;
	struct span rest = span_of(a->question->checks), word;
	struct tally all = { 0 };
	char id[64];

	if (found_wrong(a, &lesser, &n_lesser))
		return;
	while (span_word(&rest, &word)) {
		snprintf(id, sizeof(id), "%.*s", (int)word.n, word.p);
		if (check_find(id))
			tally_check(a, check_find(id), &all);
	}
	if (lesser && a->question->look_is_open && !a->missing[0])
		snprintf(a->missing, sizeof(a->missing), "%.50s: %.90s", lesser->where, lesser->what);
	if (all.unknown || (lesser && a->question->look_is_open))
		return;
	if (!all.ok && !all.na && !lesser) {
		snprintf(a->missing, sizeof(a->missing), "nothing was judged there");
		return;
	}
	if (all.ok || lesser)
		return say_right(a, &all, lesser, n_lesser);
	a->answer = ANSWER_NA;
	snprintf(a->what, sizeof(a->what), "there is nothing of the kind here");
}

void question_ask(struct asking *a, const struct diagnosis *d, const struct tree_question *q)
{
	const struct finding *lesser = NULL;
	size_t n_lesser = 0;

	*a = (struct asking){ .d = d, .question = q };
	if (!q->ask)
		ask_checks(a);
	else if (!q->checks || !found_wrong(a, &lesser, &n_lesser))
		q->ask(a);
}
