#include "core/diagnose/verify.h"

#include "core/remedy/remedy.h"

static void verify_at(const struct diagnosis *d, const char *id, const struct device *device, const struct port *port,
		      struct buf *out)
{
	const struct link *l = port ? links_of_port(d->of.links, port) : NULL;
	const struct port *far = l ? link_far(l, port) : NULL;
	struct remedy_place at = { .device = port ? port->device : device, .port = port, .policy = d->of.policy,
				   .inventory = d->of.inventory };

	if (at.device)
		remedy_add(&at, id, out);
	if (far) {
		at.device = far->device;
		at.port = far;
		remedy_add(&at, id, out);
	}
}

/* The first finding of its checks that is not known. */
static const struct finding *unknown_of(const struct diagnosis *d, const struct tree_question *q)
{
	const struct finding *const *list;
	size_t n = findings_open(d->of.findings, &list);

	for (size_t i = 0; q->checks && i < n; i++)
		if (list[i]->verdict == VERDICT_UNKNOWN && span_is_among(span_of(list[i]->check->id), q->checks) &&
		    diagnosis_touches(d, list[i]))
			return list[i];
	return NULL;
}

void verify_question(const struct diagnosis *d, const struct asking *a, struct buf *out)
{
	const struct finding *f = a->finding ? a->finding : unknown_of(d, a->question);

	if (a->question->settle)
		return buf_str(out, a->question->settle);
	if (a->answer == ANSWER_UNKNOWN && a->lacking)
		verify_at(d, a->question->id, a->lacking, a->lacking_at, out);
	else if (f)
		verify_at(d, a->question->id, f->device, f->port, out);
	else if (a->n_evidence)
		verify_at(d, a->question->id, a->evidence[0].device, a->evidence[0].port, out);
}

void verify_check(const struct diagnosis *d, const struct check *check, const struct device *device, const struct port *port,
		  struct buf *out)
{
	const struct decision_tree *t = decision_tree_find(NULL);

	verify_at(d, check->id, device, port, out);
	for (size_t i = 0; !out->n && i < t->n_questions; i++) {
		const struct tree_question *q = &t->questions[i];

		if (!q->checks || !span_is_among(span_of(check->id), q->checks))
			continue;
		if (q->settle)
			buf_str(out, q->settle);
		else
			verify_at(d, q->id, device, port, out);
	}
}
