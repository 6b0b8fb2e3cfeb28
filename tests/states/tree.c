/* What the decision tree answers, and where its way ends, beside the findings. */
#include "tests/states/statements.h"

#include <stdio.h>

#include "core/judge/judge_context.h"

static bool is_right(const struct tree_question *q, enum tree_answer answer)
{
	return answer == (q->found == ANSWER_YES ? ANSWER_NO : ANSWER_YES);
}

/* Asks each question of the tree, and compares its answer. */
static void compare_questions(const struct judged_state *j, size_t *n,
			      void (*compare)(const struct judged_state *j, const struct asking *a, size_t *n))
{
	const struct decision_tree *tree = decision_tree_find(NULL);
	struct diagnosis d = { 0 };
	struct asking a;

	judged_state_diagnose(j, &d, NULL, NULL);
	for (size_t i = 0; i < tree->n_questions; i++) {
		question_ask(&a, &d, &tree->questions[i]);
		compare(j, &a, n);
	}
	diagnosis_done(&d);
}

/* A question is not answered as if all were right while a check of it is open at warn or above, or not known. */
static void compare_checks(const struct judged_state *j, const struct asking *a, size_t *n)
{
	const struct tree_question *q = a->question;

	for (size_t k = 0; q->checks && k < check_count; k++) {
		const char *check = check_table[k].id;
		enum verdict worst = span_is_among(span_of(check), q->checks) ? judged_state_worst(j, &check_table[k]) : VERDICT_OK;

		++*n;
		if (is_right(q, a->answer) && worst == VERDICT_UNKNOWN)
			tally_broken("tree: %s is answered %s while %s is not known somewhere", q->id, answer_word(a->answer), check);
		if ((is_right(q, a->answer) || a->answer == ANSWER_NA || a->answer == ANSWER_UNREPORTED) && worst >= VERDICT_WARN)
			tally_broken("tree: %s is answered %s while %s is %s", q->id, answer_word(a->answer), check, verdict_name(worst));
		if ((a->answer == ANSWER_NA || a->answer == ANSWER_UNREPORTED) && worst == VERDICT_UNKNOWN)
			tally_broken("tree: %s is %s while %s is not known somewhere", q->id, answer_word(a->answer), check);
	}
}

void tree_asks_all(struct judged_state *j, size_t *n)
{
	compare_questions(j, n, compare_checks);
}

/* An answer that a check gives stands on a finding that is open, of a check that is the question's. */
static void compare_findings(const struct judged_state *j, const struct asking *a, size_t *n)
{
	const struct tree_question *q = a->question;

	++*n;
	if (answer_is_open(a->answer) != !!a->missing[0])
		tally_broken("tree: %s is %s, and %s is said to lack", q->id, answer_word(a->answer), a->missing[0] ? a->missing : "nothing");
	if (!answer_is_open(a->answer) && !a->what[0])
		tally_broken("tree: %s is answered %s without a word", q->id, answer_word(a->answer));
	if (a->finding && (!a->finding->is_open || a->finding->verdict < VERDICT_LOOK))
		tally_broken("tree: %s stands on %s, which is no open finding", q->id, a->finding->check->id);
	for (size_t k = 0; !q->ask && k < j->n_open; k++)
		if (j->open[k]->verdict >= VERDICT_WARN && !j->open[k]->cause && a->answer != q->found &&
		    span_is_among(span_of(j->open[k]->check->id), q->checks))
			tally_broken("tree: %s is answered %s in spite of %s", q->id, answer_word(a->answer), j->open[k]->check->id);
}

void tree_stands_on_findings(struct judged_state *j, size_t *n)
{
	compare_questions(j, n, compare_findings);
}

/* The same of one device: what touches it is not passed by. */
static void compare_end_at(struct judged_state *j, const char *symptom, size_t *n)
{
	const struct device *device = model_device(j->s.model, states_below(&j->s, model_devices(j->s.model)));
	struct diagnosis d = { 0 };

	judged_state_diagnose(j, &d, symptom, device);
	++*n;
	for (size_t i = 0; d.leaf && (!strcmp(d.leaf->id, "OK") || !strcmp(d.leaf->id, "OPEN")) && i < j->n_open; i++)
		if (j->open[i]->verdict >= VERDICT_LOOK && diagnosis_touches(&d, j->open[i]))
			tally_broken("tree: ends at %s for a device while %s is open there", d.leaf->id, j->open[i]->check->id);
	diagnosis_done(&d);
}

/* "Healthy", "nothing is found wrong": only where nothing is, and the first only where all that the tree asks is known. */
void tree_ends_honestly(struct judged_state *j, size_t *n)
{
	static const char *const symptoms[] = { NULL, "slow", "none" };
	const struct decision_tree *tree = decision_tree_find(NULL);
	struct diagnosis d = { 0 };

	for (size_t i = 0; i < sizeof(symptoms) / sizeof(*symptoms); i++) {
		judged_state_diagnose(j, &d, symptoms[i], NULL);
		compare_end_at(j, symptoms[i], n);
		++*n;
		if (!d.leaf) {
			tally_broken("tree: the way ends at no leaf");
			continue;
		}
		if ((!strcmp(d.leaf->id, "OK") || !strcmp(d.leaf->id, "OPEN")) && findings_count(j->fresh, VERDICT_LOOK))
			tally_broken("tree: ends at %s while %s is open", d.leaf->id, j->open[0]->check->id);
		for (size_t k = 0; !strcmp(d.leaf->id, "OK") && k < tree->n_questions * check_count; k++) {
			const struct tree_question *q = &tree->questions[k / check_count];
			const struct check *check = &check_table[k % check_count];

			if (span_is_among(span_of(check->id), q->checks) && judged_state_worst(j, check) == VERDICT_UNKNOWN)
				tally_broken("tree: \"%s\" (%s) while %s, of %s, is not known", d.leaf->text, symptoms[i] ? symptoms[i] : "-",
					     check->id, q->id);
		}
	}
	diagnosis_done(&d);
}

/* Questions that read facts of ports by themselves, and the facts; and the answer that says that all is right. */
static const struct {
	const char *question, *fields;
	enum side side;
	enum tree_answer right;
} readers[] = {
	{ "X5", "role", SIDE_HOST, ANSWER_YES },
	{ "X5", "role", SIDE_HOST, ANSWER_NA },
	{ "X8", "pci.stall", SIDE_HOST, ANSWER_YES },
	{ "X7", "pcie.width pcie.speed pcie.width.max pcie.speed.max", SIDE_HOST, ANSWER_YES },
};

/* Asked and not to be had, or too old; not what nobody was asked. */
static bool is_unread(const struct judged_state *j, const struct port *p, enum field f, unsigned index)
{
	const struct cell *c = port_cell(p, f, index);

	return c && (c->value.is == VALUE_UNKNOWN || cell_is_stale(j->s.model, c));
}

/* The first port that carries RoCE and of which one of the facts could not be read; or NULL. */
static const struct port *unread(const struct judged_state *j, const char *fields, enum side side, char name[64])
{
	for (size_t i = 0; i < model_ports(j->s.model); i++) {
		const struct port *p = model_port(j->s.model, i);
		struct span rest = span_of(fields), word;
		bool is_switch = findings_scene(j->fresh)->parties[p->device->id].is_switch;
		enum field f;

		if ((side != SIDE_ANY && (side == SIDE_SWITCH) != is_switch) || findings_scene(j->fresh)->ports[p->id].roce != ROCE_YES)
			continue;
		while (span_word(&rest, &word)) {
			unsigned index = 0;

			snprintf(name, 64, "%.*s", (int)word.n, word.p);
			sscanf(name + strcspn(name, "["), "[%u]", &index);
			name[strcspn(name, "[")] = '\0';
			if (field_find(span_of(name), &f) && is_unread(j, p, f, index))
				return p;
		}
	}
	return NULL;
}

/* "None", "all", "the same at both ends": not while one of those could not be read. */
void tree_readers_have_read(struct judged_state *j, size_t *n)
{
	struct diagnosis d = { 0 };
	struct asking a;
	char field[64];

	judged_state_diagnose(j, &d, NULL, NULL);
	for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++) {
		question_ask(&a, &d, question_find(d.of.tree, readers[i].question));
		++*n;
		if (a.answer == readers[i].right && unread(j, readers[i].fields, readers[i].side, field))
			tally_broken("tree: %s is answered %s while %s of a port could not be read", readers[i].question, answer_word(a.answer), field);
	}
	diagnosis_done(&d);
}
