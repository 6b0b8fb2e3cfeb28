/*
 * What one question's replies last said, a slot for each fact, in the order in which they were first said. A fabric has
 * millions of these, so they lie side by side: a slot moves when another is added, and its number is what lasts.
 */
#ifndef DB_TAPE_LAST_VALUES_H
#define DB_TAPE_LAST_VALUES_H

#include "core/model/fact.h"

struct last_value {
	uint64_t what;
	struct value value;		/* text owned */
	uint32_t place;			/* nth of its port */
	uint32_t fact;			/* its number in the shape, while it is marked as of it */
	uint32_t mark;			/* equals the stream's: of its shape */
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

/* Empties it; keeps its memory for what comes next. */
void last_values_clear(struct last_values *s);
void last_values_done(struct last_values *s);
/* Makes room for so many in all. */
void last_values_reserve(struct last_values *s, size_t n);

/* NULL: nothing was ever said of it. */
struct last_value *last_values_find(const struct last_values *s, uint32_t place, uint64_t what);
/* One that is not there yet; all but its key is zero. */
struct last_value *last_values_add(struct last_values *s, uint32_t place, uint64_t what);

void last_value_set(struct last_value *slot, const struct value *v);
void last_value_unset(struct last_value *slot);
bool last_value_holds(const struct last_value *slot, const struct value *v);

#endif
