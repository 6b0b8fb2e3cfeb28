/*
 * A value, and a fact: who, where, which field, what. The one written form is used by policies, fixtures, the lab,
 * plans, exports and bug reports:
 *
 *	leaf1 Ethernet4 pfc.on[3] = yes			of a port
 *	leaf1 version = "10.5.6.1"			of a device
 *	node1 eth2 ecn.np[3] = unknown "not root"	asked for, not to be had, and why
 */
#ifndef CORE_MODEL_FACT_H
#define CORE_MODEL_FACT_H

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/model/field.h"

enum value_is {
	VALUE_ABSENT,	/* nobody has said anything, or the last reply says it no longer */
	VALUE_KNOWN,
	VALUE_UNKNOWN,	/* asked for and not to be had; text is the reason */
};

struct value {
	uint8_t is;		/* enum value_is */
	bool is_rounded;	/* the device printed fewer digits than it counts */
	bool is_unproven;	/* read from a layout no published device output confirms */
	uint8_t bits;		/* of a counter: its width when the platform knows better than the dictionary, else 0 */
	uint64_t n;		/* bool 0 or 1, int, enum, counter, gauge: in the field's unit */
	const char *text;	/* of a known KIND_TEXT, or the reason of an unknown; lent */
};

bool value_same(enum field f, const struct value *a, const struct value *b);

struct fact {
	const char *device, *port;	/* port NULL: of the device itself */
	enum field field;
	unsigned index;
	struct value value;
};

/* Adds the written form of a value ("yes", "dscp", "150000", "\"text\""), or of a fact without the line end. */
void value_print(enum field f, const struct value *v, struct buf *out);
void fact_print(const struct fact *fact, struct buf *out);
/* "leaf1 Ethernet4 pfc.on[3] = yes (was no)"; and that text taken apart again: "leaf1 Ethernet4 pfc.on[3]", "yes", "no". */
void fact_print_change(const struct fact *fact, const struct value *was, struct buf *out);
bool fact_split_change(struct span text, struct span *what, struct span *now, struct span *was);

/*
 * Reads a value. Sizes may say KB MB (1000), KiB MiB (1024) or B; speeds 400G, 25 Gb/s; times us, ms; shares a %.
 * texts of *out are slices kept alive by arena.
 */
bool value_parse(enum field f, struct span text, struct arena *arena, struct value *out, struct err *err);

/*
 * Reads "DEVICE [PORT] FIELD[INDEX] = VALUE". *last_index is the end of an index range "[0-2]" (several ranges,
 * "[24,26]", are the policy's business: fact_indices()). err names the word that was not understood.
 */
struct fact_text {
	struct span device, port, indices, value;	/* port.n == 0: of the device; indices: inside the brackets */
	enum field field;
};
bool fact_split(struct span line, struct fact_text *out, struct err *err);
/* The indices "0-2,5" as a bit set; "" is {0}, "*" is all of the field. */
bool fact_indices(enum field f, struct span text, uint64_t *set, struct err *err);

/* One whole fact with one index; its texts live in arena. */
bool fact_parse(struct span line, struct arena *arena, struct fact *out, struct err *err);

#endif
