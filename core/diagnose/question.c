#include "core/diagnose/question.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/diagnose/diagnosis.h"

const char *answer_word(enum tree_answer a)
{
	static const char *const words[] = {
		[ANSWER_UNKNOWN] = "unknown", [ANSWER_NO] = "no", [ANSWER_YES] = "yes", [ANSWER_NA] = "n/a",
		[ANSWER_UNREPORTED] = "unreported",
	};

	return words[a];
}

bool answer_is_open(enum tree_answer a)
{
	return a == ANSWER_UNKNOWN || a == ANSWER_UNREPORTED;
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
	const char *unreported;			/* a check that is judged nowhere, for nothing tells what it judges by; or NULL */
	const struct port *right;		/* an example */
	const struct device *right_device;
	char where[160];			/* the first unknown: */
	const struct port *unknown_at;		/* its port; NULL: the device itself */
	const struct device *unknown_of;
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
	if (v == VERDICT_UNKNOWN && !t->unknown++) {
		snprintf(t->where, sizeof(t->where), "%.60s%s%.60s", device->name, port ? ":" : "", port ? port->name : "");
		t->unknown_of = device;
		t->unknown_at = port;
	}
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

/* One fact that shows that it is right, where it is: the check's main one, where that is what it was judged by. */
static void cite_right(struct asking *a, const struct tally *t, const struct check *check)
{
	struct evidence e = { .device = t->right_device, .port = t->right };
	const struct cell *c;

	if (!t->ok || a->n_evidence > 2 || !field_find(span_of(check->fields), &e.field))
		return;
	e.index = field_table[e.field].width == 8 ? 3 : 0;
	c = fact_cell(e.device, e.port ? port_source(e.port, e.field, e.index) : NULL, e.field, e.index);
	if (c && c->value.is == VALUE_KNOWN)
		a->evidence[a->n_evidence++] = e;
}

static bool is_asked(const struct asking *a, const struct finding *f)
{
	return span_is_among(span_of(f->check->id), a->question->checks) && diagnosis_touches(a->d, f);
}

/* It follows from what another question asks about. */
static bool is_consequence(const struct asking *a, const struct finding *f)
{
	return f->cause && !span_is_among(span_of(f->cause->check->id), a->question->checks);
}

/* What the checks of a question found. */
struct found {
	const struct finding *worst;		/* that answers it, and at how many more places there is one; */
	unsigned others;
	const struct finding *lesser;		/* of those that do not weigh enough the first, and how many; */
	size_t n_lesser;
	const struct finding *consequence;	/* the worst that follows from what another question asks about */
};

static struct found find_wrong(const struct asking *a)
{
	const struct finding *const *list;
	size_t n = findings_open(a->d->of.findings, &list);
	enum verdict least = a->question->least ? a->question->least : a->d->least;
	struct found found = { NULL };

	for (size_t i = 0; a->question->checks && i < n; i++) {
		const struct finding *f = list[i];

		if (f->verdict < VERDICT_LOOK || !is_asked(a, f))
			continue;
		if (is_consequence(a, f))
			found.consequence = f->verdict >= least && !found.consequence ? f : found.consequence;
		else if (f->verdict < least || f->is_settling)
			found.lesser = found.n_lesser++ ? found.lesser : f;
		else if (found.worst)
			found.others++;
		else
			found.worst = f;
	}
	return found;
}

static void answer_by(struct asking *a, const struct finding *f)
{
	a->answer = a->question->found;
	a->finding = f;
	a->missing[0] = '\0';
	memcpy(a->evidence, f->evidence, f->n_evidence * sizeof(*f->evidence));
	a->n_evidence = f->n_evidence;
	snprintf(a->what, sizeof(a->what), "%.80s: %.100s", f->where, f->what);
}

static void answer_by_consequence(struct asking *a, const struct finding *f)
{
	answer_by(a, f);
	a->follows = true;
	snprintf(a->what, sizeof(a->what), "%.45s: %.70s; follows from %.24s at %.30s", f->where, f->what, f->cause->check->id,
		 f->cause->where);
}

/* The first open finding of the check that says what lacks, or NULL. */
static const struct finding *first_missing(const struct asking *a, const struct check *check)
{
	const struct finding *const *list;
	size_t n = findings_open(a->d->of.findings, &list);

	for (size_t i = 0; i < n; i++)
		if (list[i]->check == check && list[i]->verdict == VERDICT_UNKNOWN && list[i]->missing[0] &&
		    diagnosis_touches(a->d, list[i]))
			return list[i];
	return NULL;
}

static struct tally tally_of(const struct asking *a, const struct check *check)
{
	struct tally t = { 0 };

	if (check->of == OF_DEVICE)
		tally_devices(&t, a->d, check);
	else if (check->of == OF_PORT)
		tally_ports(&t, a->d, check);
	else if (check->of == OF_LINK)
		tally_links(&t, a->d, check);
	return t;
}

static void say_unknown(struct asking *a, const struct check *check, const struct tally *t)
{
	const struct finding *f = first_missing(a, check);

	a->lacking = f ? f->device : t->unknown_of;
	a->lacking_at = f ? f->port : t->unknown_at;
	if (f)
		snprintf(a->missing, sizeof(a->missing), "%.150s", f->missing);
	else
		snprintf(a->missing, sizeof(a->missing), "%.110s: %.40s", t->where, check->fields);
}

static void tally_check(struct asking *a, const struct check *check, struct tally *all)
{
	struct tally t = tally_of(a, check);

	if (t.unknown && !all->unknown)
		say_unknown(a, check, &t);
	else if (!t.unknown && !t.ok && t.lost && !all->unreported)
		all->unreported = check->id;
	all->unknown += t.unknown;
	all->ok += t.ok;
	all->na += t.na;
	cite_right(a, &t, check);
}

/* "right at all 7 places that were judged"; what is a little off is named beside. */
static void say_right(struct asking *a, const struct tally *all, const struct finding *lesser, size_t n_lesser)
{
	a->answer = a->question->found == ANSWER_YES ? ANSWER_NO : ANSWER_YES;
	a->missing[0] = '\0';
	if (!lesser && all->ok == 1)
		snprintf(a->what, sizeof(a->what), "right at the one place that was judged");
	else if (!lesser)
		snprintf(a->what, sizeof(a->what), "right at all %zu places that were judged", all->ok);
	else
		snprintf(a->what, sizeof(a->what), "right at %zu place%s; %zu with findings: %.50s: %.70s", all->ok, plural_s(all->ok),
			 n_lesser, lesser->where, lesser->what);
}

/*
 * What the question itself found to lack is told first. That nothing was read of it is not said: what was may be of no use to the
 * check, as the limit of our own login is for jobs.
 */
static void say_unreported(struct asking *a, const struct tally *all)
{
	a->answer = ANSWER_UNREPORTED;
	if (a->missing[0])
		return;
	if (!all->unreported)
		snprintf(a->missing, sizeof(a->missing), "not reported");
	else if (all->ok)
		snprintf(a->missing, sizeof(a->missing), "%.40s could not be judged on any device; the rest passes at %zu place%s", all->unreported,
			 all->ok, plural_s(all->ok));
	else
		snprintf(a->missing, sizeof(a->missing), "%.40s could not be judged on any device", all->unreported);
}

/* The next check that a question lists; NULL: there is none left. */
static const struct check *next_check(struct span *rest)
{
	struct span word;
	char id[64];

	if (!span_word(rest, &word))
		return NULL;
	snprintf(id, sizeof(id), "%.*s", (int)word.n, word.p);
	return check_find(id);
}

static void ask_checks(struct asking *a, const struct found *found)
{
	struct span rest = span_of(a->question->checks);
	bool is_open = found->lesser && a->question->look_is_open;
	const struct check *check;
	struct tally all = { 0 };

	a->answer = ANSWER_UNKNOWN;
	while ((check = next_check(&rest)))
		tally_check(a, check, &all);
	if (is_open && !all.unknown)
		snprintf(a->missing, sizeof(a->missing), "%.50s: %.90s", found->lesser->where, found->lesser->what);
	if (all.unknown || is_open)
		return;
	if (all.unreported)
		return say_unreported(a, &all);
	if (a->question->ask && !all.ok && !found->lesser)
		return say_unreported(a, &all);
	if (!all.ok && !all.na && !found->lesser) {
		snprintf(a->missing, sizeof(a->missing), "nothing was judged there");
		return;
	}
	if (all.ok || found->lesser)
		return say_right(a, &all, found->lesser, found->n_lesser);
	a->answer = ANSWER_NA;
	snprintf(a->what, sizeof(a->what), "not applicable");
}

/* What was read by the question itself may be right while its checks know of places that could not be read. */
static void doubt(struct asking *a)
{
	struct span rest = span_of(a->question->checks);
	const struct check *check;

	while ((check = next_check(&rest))) {
		struct tally t = tally_of(a, check);

		if (!t.unknown)
			continue;
		a->answer = ANSWER_UNKNOWN;
		say_unknown(a, check, &t);
		return;
	}
}

void question_ask(struct asking *a, const struct diagnosis *d, const struct tree_question *q)
{
	struct found found;

	*a = (struct asking){ .d = d, .question = q };
	found = find_wrong(a);
	a->others = found.others;
	if (found.worst)
		return answer_by(a, found.worst);
	if (q->ask)
		q->ask(a);
	if (found.consequence && (!q->ask || a->answer != q->found))
		return answer_by_consequence(a, found.consequence);
	if (!q->ask || (q->checks && a->answer == ANSWER_UNREPORTED))
		ask_checks(a, &found);
	else if (q->checks && a->answer != ANSWER_UNKNOWN && a->answer != q->found)
		doubt(a);
}
