#include "tests/mutants/told.h"

#include <stdlib.h>

int told_order(const struct told_fact *a, const struct told_fact *b)
{
	int by_port = strcmp(a->port, b->port);

	if (by_port)
		return by_port;
	if (a->fact->field != b->fact->field)
		return a->fact->field < b->fact->field ? -1 : 1;
	return (a->fact->index > b->fact->index) - (a->fact->index < b->fact->index);
}

/* Of the same fact the one that was said last stands last: the model believes it. */
static int by_order(const void *x, const void *y)
{
	const struct told_fact *a = x, *b = y;
	int order = told_order(a, b);

	return order ? order : (a->fact > b->fact) - (a->fact < b->fact);
}

void told_parse(struct told *t, const struct reply_text *r, struct span text, int status, bool is_partial)
{
	struct answer a = { .port = *r->port ? r->port : NULL, .status = status, .is_partial = is_partial };
	size_t n = 0;

	*t = (struct told){ .text = xmalloc(text.n + 1) };
	if (text.n)
		memcpy(t->text, text.p, text.n);
	a.text = (struct span){ t->text, text.n };
	obs_init(&t->obs, "d", r->probe->id);
	platform_parse(r->platform, r->probe, &a, &t->obs);
	t->list = xcalloc(t->obs.n + 1, sizeof(*t->list));
	for (size_t i = 0; i < t->obs.n; i++) {
		const struct obs_fact *f = &t->obs.facts[i];

		t->list[i] = (struct told_fact){ f->port == OBS_DEVICE ? "" : t->obs.ports[f->port], f };
	}
	qsort(t->list, t->obs.n, sizeof(*t->list), by_order);
	for (size_t i = 0; i < t->obs.n; i++)
		if (i + 1 == t->obs.n || told_order(&t->list[i], &t->list[i + 1]))
			t->list[n++] = t->list[i];
	t->n = n;
}

void told_done(struct told *t)
{
	obs_done(&t->obs);
	free(t->list);
	free(t->text);
}

const struct told_fact *told_find(const struct told *t, const struct told_fact *like)
{
	size_t from = 0, to = t->n;

	while (from < to) {
		size_t middle = (from + to) / 2;
		int order = told_order(&t->list[middle], like);

		if (order == 0)
			return &t->list[middle];
		if (order < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return NULL;
}

bool told_is_known(const struct told_fact *f)
{
	return f && f->fact->value.is == VALUE_KNOWN;
}

bool told_is_same(const struct told_fact *a, const struct told_fact *b)
{
	if (!told_is_known(a) || !told_is_known(b))
		return told_is_known(a) == told_is_known(b);
	return value_same((enum field)a->fact->field, &a->fact->value, &b->fact->value);
}

void told_print(const struct told_fact *f, struct buf *out)
{
	if (!f) {
		buf_str(out, "(absent)");
		return;
	}
	fact_print(
		&(struct fact){
			.device = "d",
			.port = *f->port ? f->port : NULL,
			.field = (enum field)f->fact->field,
			.index = f->fact->index,
			.value = f->fact->value,
		},
		out);
}
