/*
 * What one question's replies last said, a slot for each fact, in the order in which they were first said. A fabric has
 * millions of these, so they lie side by side: a slot moves when another is added, and its number is what lasts.
 */
#ifndef DB_TAPE_LAST_VALUES_H
#define DB_TAPE_LAST_VALUES_H

#include "core/model/fact.h"

struct slot {
	uint64_t what;
	struct value value;		/* text owned */
	uint32_t place;			/* nth of its port */
	uint32_t fact;			/* its number in the shape, while it is marked as of it */
	uint32_t mark;			/* equals the asker's: of its shape */
	uint8_t field;			/* enum field */
	int8_t hot;			/* column of hot, or -1 */
	bool has_moved : 1;		/* replay: it may have a history */
	bool is_set : 1;
	bool is_keyed : 1;		/* in the keyframe being written */
};

struct slots {
	struct slot *all;
	size_t n, cap;
	uint32_t *table;		/* number + 1 by hash, 0 is free */
	size_t size;			/* of the table: a power of two */
};

/* Empties it; keeps its memory for what comes next. */
void slots_clear(struct slots *s);
void slots_done(struct slots *s);
/* Makes room for so many in all. */
void slots_reserve(struct slots *s, size_t n);

/* NULL: nothing was ever said of it. */
struct slot *slots_find(const struct slots *s, uint32_t place, uint64_t what);
/* One that is not there yet; all but its key is zero. */
struct slot *slots_add(struct slots *s, uint32_t place, uint64_t what);

void slot_set(struct slot *slot, const struct value *v);
void slot_unset(struct slot *slot);
bool slot_holds(const struct slot *slot, const struct value *v);

#endif
