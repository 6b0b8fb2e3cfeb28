#include "db/tape/last_values.h"

#include <stdlib.h>

_Static_assert(FIELD_COUNT < UINT8_MAX, "a slot has a byte for its field");

static uint64_t hash_of(uint32_t place, uint64_t what)
{
	uint64_t h = (what ^ (uint64_t)place << 40) * UINT64_C(0x9e3779b97f4a7c15);

	return h ^ h >> 32;
}

/* Its position in the table, or the free one where it belongs. */
static uint32_t *seat_of(const struct last_values *s, uint32_t place, uint64_t what)
{
	for (size_t i = hash_of(place, what);; i++) {
		uint32_t *seat = &s->table[i & (s->size - 1)];

		if (*seat == 0 || (s->all[*seat - 1].what == what && s->all[*seat - 1].place == place))
			return seat;
	}
}

/* A quarter of the table stays free, so that a search ends soon. */
static void widen_table(struct last_values *s, size_t n)
{
	size_t size = s->size ? s->size : 8;

	while (n > size / 4 * 3)
		size *= 2;
	if (size == s->size)
		return;
	free(s->table);
	s->table = xcalloc(size, sizeof(*s->table));
	s->size = size;
	for (size_t i = 0; i < s->n; i++)
		*seat_of(s, s->all[i].place, s->all[i].what) = (uint32_t)i + 1;
}

void last_values_reserve(struct last_values *s, size_t n)
{
	widen_table(s, n);
	if (n <= s->cap)
		return;
	s->all = xrealloc(s->all, n * sizeof(*s->all));
	s->cap = n;
}

struct last_value *last_values_find(const struct last_values *s, uint32_t place, uint64_t what)
{
	uint32_t number = s->n ? *seat_of(s, place, what) : 0;

	return number ? &s->all[number - 1] : NULL;
}

struct last_value *last_values_add(struct last_values *s, uint32_t place, uint64_t what)
{
	if (s->n == s->cap)
		last_values_reserve(s, s->n + s->n / 4 + 4);
	s->all[s->n] = (struct last_value){ .what = what, .place = place };
	*seat_of(s, place, what) = (uint32_t)s->n + 1;
	return &s->all[s->n++];
}

void last_values_clear(struct last_values *s)
{
	for (size_t i = 0; i < s->n; i++)
		last_value_unset(&s->all[i]);
	if (s->n)
		memset(s->table, 0, s->size * sizeof(*s->table));
	s->n = 0;
}

void last_values_done(struct last_values *s)
{
	last_values_clear(s);
	free(s->all);
	free(s->table);
	*s = (struct last_values){ 0 };
}

void last_value_unset(struct last_value *slot)
{
	free((char *)slot->value.text);
	slot->value = (struct value){ 0 };
	slot->is_set = false;
}

void last_value_set(struct last_value *slot, const struct value *v)
{
	char *text = v->text ? xstrdup(v->text) : NULL;

	last_value_unset(slot);
	slot->value = *v;
	slot->value.text = text;
	slot->is_set = true;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

bool last_value_holds(const struct last_value *slot, const struct value *v)
{
	const struct value *w = &slot->value;

	return slot->is_set && w->is == v->is && w->n == v->n && w->is_rounded == v->is_rounded &&
	       w->is_unproven == v->is_unproven && w->bits == v->bits && same_text(w->text, v->text);
}
