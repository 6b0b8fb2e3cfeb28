/*
 * The last values that one probe's replies reported, a slot for each fact, in order of first appearance. A fabric has
 * millions of slots, so they are contiguous: adding one may move the others, but the slot number is stable.
 */
#ifndef DB_TAPE_LAST_VALUES_H
#define DB_TAPE_LAST_VALUES_H

#include "core/model/fact.h"

struct last_value {
	uint64_t what;
	struct value value;		/* text owned */
	uint32_t place;			/* nth of its port */
	uint32_t fact;			/* its number in the shape, valid while mark is current */
	uint32_t mark;			/* equals the stream's mark: in its current shape */
	uint8_t field;			/* enum field */
	int8_t hot;			/* column of hot, or -1 */
	bool has_moved : 1;		/* replay: it may have a history */
	bool is_set : 1;
	bool is_keyed : 1;		/* in the keyframe being written */
};

struct last_values {
	struct last_value *all;
	size_t n, cap;
	uint32_t *table;		/* number + 1 by hash, 0 is free */
	size_t size;			/* of the table: a power of two */
};

/* Empties it; keeps its memory for reuse. */
void last_values_clear(struct last_values *s);
void last_values_done(struct last_values *s);
/* Makes room for n slots in total. */
void last_values_reserve(struct last_values *s, size_t n);

/* NULL: never reported. */
struct last_value *last_values_find(const struct last_values *s, uint32_t place, uint64_t what);
/* Adds one that does not exist yet; all but its key is zero. */
struct last_value *last_values_add(struct last_values *s, uint32_t place, uint64_t what);

void last_value_set(struct last_value *slot, const struct value *v);
void last_value_unset(struct last_value *slot);
bool last_value_holds(const struct last_value *slot, const struct value *v);

#endif
