#include "core/fix/edit.h"

#include <stdlib.h>

#include "core/fabric/link.h"

static int text_cmp(const char *a, const char *b)
{
	int by_number;

	if (!a || !b)
		return (a != NULL) - (b != NULL);
	by_number = natural_cmp(a, b);
	return by_number ? by_number : strcmp(a, b);
}

int edit_cmp(const struct edit *a, const struct edit *b)
{
	int order = text_cmp(a->device, b->device);

	if (!order)
		order = text_cmp(a->port, b->port);
	if (!order)
		order = (a->field > b->field) - (a->field < b->field);
	if (!order)
		order = (a->index > b->index) - (a->index < b->index);
	return order;
}

static const char *keep(struct arena *arena, const char *text)
{
	return text ? arena_text(arena, text, strlen(text)) : NULL;
}

void edits_done(struct edits *e)
{
	free(e->list);
	arena_done(&e->arena);
	*e = (struct edits){ 0 };
}

void edits_add(struct edits *e, const struct edit *edit)
{
	size_t at = e->n;
	bool is_there;

	if (value_same(edit->field, &edit->was, &edit->want))
		return;
	while (at > 0 && edit_cmp(&e->list[at - 1], edit) >= 0)
		at--;
	is_there = at < e->n && edit_cmp(&e->list[at], edit) == 0;
	if (!is_there) {
		(void)GROW(e->list, e->n, e->cap);
		memmove(&e->list[at + 1], &e->list[at], (e->n - at) * sizeof(*e->list));
		e->n++;
	}
	e->list[at] = *edit;
	e->list[at].device = keep(&e->arena, edit->device);
	e->list[at].port = keep(&e->arena, edit->port);
	e->list[at].why = keep(&e->arena, edit->why);
	e->list[at].was.text = keep(&e->arena, edit->was.text);
	e->list[at].want.text = keep(&e->arena, edit->want.text);
}

/* Words between blanks, in any order (the kernel lists the newest module first); more may have been loaded. */
static bool all_in(const char *words, const char *list)
{
	struct span rest = span_of(words), word;

	while (span_word(&rest, &word))
		if (!span_is_among(word, list))
			return false;
	return true;
}

bool edit_is_met(const struct edit *e, const struct value *now)
{
	static const struct value none = { .is = VALUE_ABSENT };

	if (e->field == FIELD_MODULES && now && now->is == VALUE_KNOWN && e->want.is == VALUE_KNOWN)
		return all_in(e->want.text, now->text);
	return value_same(e->field, now ? now : &none, &e->want);
}

void edit_print(const struct edit *e, struct buf *out)
{
	const struct fact fact = { e->device, e->port, e->field, e->index, e->want };

	fact_print_change(&fact, &e->was, out);
}

bool edit_parse(struct span line, struct arena *arena, struct edit *out, struct err *err)
{
	struct span what, now, was;
	struct value before;
	struct fact fact;

	if (!fact_split_change(line, &what, &now, &was))
		return err_set(err, "an edit is DEVICE [PORT] FIELD = VALUE (was VALUE): %.*s", (int)line.n, line.p);
	if (!fact_parse((struct span){ what.p, (size_t)(now.p + now.n - what.p) }, arena, &fact, err) ||
	    !value_parse(fact.field, was, arena, &before, err))
		return false;
	if (fact.value.is != VALUE_KNOWN || before.is == VALUE_UNKNOWN)
		return err_set(err, "an unknown value cannot be edited: %.*s", (int)line.n, line.p);
	*out = (struct edit){ .device = fact.device, .port = fact.port, .field = fact.field, .index = fact.index,
			      .was = before, .want = fact.value };
	return true;
}
