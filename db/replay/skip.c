#include "db/replay/skip.h"

#include <stdlib.h>

#include "db/tape/keyframe.h"

#define SEVERAL	UINT32_MAX

static void set_bit(uint64_t *bits, size_t i)
{
	bits[i / 64] |= UINT64_C(1) << i % 64;
}

static bool has_bit(const uint64_t *bits, size_t i)
{
	return bits[i / 64] >> i % 64 & 1;
}

void replay_skip_forget(struct tape_index *s)
{
	for (size_t i = 0; i < s->n_sources; i++)
		for (size_t k = 0; k < s->sources[i]->n_streams; k++)
			s->sources[i]->streams[k]->brief.full_from = 0;
}

void replay_skip_note(struct probe_stream *a, int64_t sample)
{
	a->brief.full_from = sample;
}

/* Which probe reports each field of each port: its number + 1, or SEVERAL. */
static void find_owners(struct tape_device *source)
{
	size_t n = source->n_places * FIELD_COUNT;

	if (source->owners && source->owners_of == source->slots_made)
		return;
	source->owners_of = source->slots_made;
	source->owners = xrealloc(source->owners, n * sizeof(*source->owners));
	memset(source->owners, 0, n * sizeof(*source->owners));
	for (size_t k = 0; k < source->n_streams; k++)
		for (size_t i = 0; i < source->streams[k]->slots.n; i++) {
			const struct last_value *slot = &source->streams[k]->slots.all[i];
			uint32_t *owner;

			if (slot->field >= FIELD_COUNT)
				continue;
			owner = &source->owners[slot->place * FIELD_COUNT + slot->field];
			*owner = *owner == 0 || *owner == k + 1 ? (uint32_t)k + 1 : SEVERAL;
		}
}

static void make_room(struct replay_skip *b, size_t n_facts)
{
	size_t words = n_facts / 64 + 1;

	if (words > b->words) {
		b->moved = xrealloc(b->moved, 3 * words * sizeof(*b->moved));
		b->words = words;
		b->always = b->moved + words;
		b->sparks = b->always + words;
	}
	memset(b->moved, 0, 3 * b->words * sizeof(*b->moved));
}

/* If one reply reports a fact twice, both must be replayed. */
static void note_twice(struct probe_stream *a, const struct last_value *slot)
{
	struct last_value *first = last_values_find(&a->slots, slot->place, slot->what & ((1u << WHAT_NTH_BITS) - 1));

	set_bit(a->brief.always, slot->fact);
	if (first && first->mark == a->mark)
		set_bit(a->brief.always, first->fact);
}

static void find_bits(struct probe_stream *a)
{
	struct replay_skip *b = &a->brief;

	make_room(b, a->shape.n);
	b->is_whole = false;
	for (size_t i = 0; i < a->shape.n; i++) {
		const struct last_value *slot = &a->slots.all[a->shape.facts[i].slot];
		const struct field_info *info = &field_table[slot->field];

		if (a->source->owners[slot->place * FIELD_COUNT + slot->field] == SEVERAL)
			set_bit(b->always, i);
		if (slot->what >> WHAT_NTH_BITS)
			note_twice(a, slot);
		if (info->flags & FIELD_SPARK && (info->kind == KIND_GAUGE || slot->has_moved))
			set_bit(b->sparks, i);
		b->is_whole |= info->flags & FIELD_SHY || slot->field == FIELD_BOOT;
	}
}

bool replay_skip_begin(struct probe_stream *a, int64_t sample)
{
	struct replay_skip *b = &a->brief;

	if (sample >= b->full_from)
		return false;
	find_owners(a->source);
	if (b->of_shape != a->mark || b->of_slots != a->source->owners_of) {
		b->of_shape = a->mark;
		b->of_slots = a->source->owners_of;
		find_bits(a);
	} else {
		memset(b->moved, 0, b->words * sizeof(*b->moved));
	}
	return true;
}

void replay_skip_touch(struct probe_stream *a, struct last_value *slot)
{
	slot->has_moved = true;
	if (slot->mark != a->mark)
		return;
	set_bit(a->brief.moved, slot->fact);
	if (field_table[slot->field].flags & FIELD_SPARK)
		set_bit(a->brief.sparks, slot->fact);
}

static bool says_boot(const struct probe_stream *a)
{
	for (size_t i = 0; i < a->shape.n; i++)
		if (a->shape.facts[i].field == FIELD_BOOT)
			return true;
	return false;
}

/* Counters restart with the device: the next sample may be a first one for every probe. */
static void note_full(struct probe_stream *a, bool is_partial)
{
	bool is_boot = says_boot(a);

	for (size_t k = 0; is_boot && k < a->source->n_streams; k++)
		a->source->streams[k]->brief.is_known = false;
	a->brief.is_known = !is_partial;
}

bool replay_skip_end(struct probe_stream *a, const struct obs *o, bool has_news)
{
	struct replay_skip *b = &a->brief;
	int64_t clock_us = o->device_us ? o->device_us : o->at_us;
	bool goes_on = b->is_known && b->by_device_clock == (o->device_us != 0) && clock_us > b->clock_us;
	bool is_brief = goes_on && !has_news && !b->is_whole && !o->is_partial && !a->had_partial && o->period_us > 0 &&
			o->period_us <= KEY_FAST_US;

	b->by_device_clock = o->device_us != 0;
	b->clock_us = clock_us;
	if (!is_brief)
		note_full(a, o->is_partial);
	return is_brief;
}

bool replay_skip_tells(const struct probe_stream *a, size_t fact, bool with_history)
{
	const struct replay_skip *b = &a->brief;

	return has_bit(b->moved, fact) || has_bit(b->always, fact) || (with_history && has_bit(b->sparks, fact));
}
