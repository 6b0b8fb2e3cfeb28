#include "tui/screens/diagnosis_view.h"

#include <stdio.h>

#include "tui/screens/views.h"


static const struct decision_tree *tree_of(const struct diagnose_view *d)
{
	return decision_tree_find(d->is_seed ? "seed" : NULL);
}

static size_t read_given(const struct diagnose_view *d, struct given_answer answers[GIVEN_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < d->n_given; i++) {
		const struct tree_question *q = question_find(tree_of(d), d->given[i].question);

		if (q)
			answers[n++] = (struct given_answer){ q, d->given[i].yes ? ANSWER_YES : ANSWER_NO, d->given[i].reason };
	}
	return n;
}

struct diagnose_view *diagnosis_of(struct views *v)
{
	return views_own(v, SCREEN_DIAGNOSE, sizeof(struct diagnose_view));
}

const struct diagnosis *diagnose_now(const struct view_of *of, struct views *v)
{
	static struct given_answer answers[GIVEN_MAX];
	struct diagnose_view *d = diagnosis_of(v);
	struct diagnosis_of what = { .model = of->model, .links = of->links, .findings = of->findings, .policy = of->policy,
				     .inventory = of->inventory, .tree = tree_of(d), .said = answers };

	if (d->is_made && d->serial == of->serial)
		return &d->diagnosis;
	what.n_said = read_given(d, answers);
	if (*d->device)
		what.device = model_find_device(of->model, d->device);
	if (what.device && *d->port)
		what.port = model_find_port(of->model, d->device, d->port);
	diagnosis_make(&d->diagnosis, &what);
	acquittal_make(&d->acquittal, &d->diagnosis);
	d->serial = of->serial;
	d->is_made = true;
	return &d->diagnosis;
}

void diagnose_forget(struct diagnose_view *d)
{
	acquittal_done(&d->acquittal);
	diagnosis_done(&d->diagnosis);
	d->is_made = false;
}

void diagnose_about(struct diagnose_view *d, const struct subject *s)
{
	bool is_one = s->device && (!s->finding || s->places == 1);

	snprintf(d->device, sizeof(d->device), "%s", is_one ? s->device->name : "");
	snprintf(d->port, sizeof(d->port), "%s", is_one && s->port ? s->port->name : "");
	d->is_made = false;
}

/* -- a person's answers -- */

bool diagnose_answer(struct diagnose_view *d, const char *line, struct buf *words)
{
	struct span rest = span_of(line), word;
	bool yes;

	if (!span_word(&rest, &word) || d->n_given == GIVEN_MAX)
		return false;
	while (word.n && strchr(",:;", word.p[word.n - 1]))
		word.n--;
	yes = span_is_nocase(word, "yes") || span_is_nocase(word, "y");
	if (!yes && !span_is_nocase(word, "no") && !span_is_nocase(word, "n"))
		return false;
	rest = span_trim(rest);
	snprintf(d->given[d->n_given].question, sizeof(d->given[0].question), "%s", d->answering);
	snprintf(d->given[d->n_given].reason, sizeof(d->given[0].reason), "%.*s", (int)(rest.n < 119 ? rest.n : 119), rest.p);
	d->given[d->n_given].yes = yes;
	buf_printf(words, "%s=%s by person%s%s", d->answering, yes ? "yes" : "no", rest.n ? ": " : "", d->given[d->n_given].reason);
	d->n_given++;
	d->is_made = false;
	return true;
}

bool diagnose_undo(struct diagnose_view *d, struct buf *words)
{
	if (!d->n_given)
		return false;
	d->n_given--;
	buf_printf(words, "the answer %s=%s is withdrawn", d->given[d->n_given].question, d->given[d->n_given].yes ? "yes" : "no");
	d->is_made = false;
	return true;
}
