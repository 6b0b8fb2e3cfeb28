/*
 * A ghost: how fast every counter of the links went and how they were set at a chosen time, to compare with now. Kept in the
 * fabric's state file, a line each: "leaf1 Ethernet4 pfc.rx[3] 41200.5".
 */
#ifndef TUI_SESSION_BASELINE_H
#define TUI_SESSION_BASELINE_H

#include "core/fabric/link.h"
#include "core/policy/policy.h"

struct baseline_row {
	uint64_t key;		/* of device, port, field and index */
	double number;		/* per second of a counter, else the value */
};

struct baseline {
	struct baseline_row *rows;	/* owned, by key */
	size_t n, cap;
	int64_t at_us;			/* 0: there is none */
};

void baseline_done(struct baseline *b);
/* Takes all that is known now, and adds it to text as it is kept. */
void baseline_take(struct baseline *b, const struct model *m, const struct links *links, const struct policy *policy,
		   struct buf *text);
/* False, and none, when the text is no baseline. Lines it does not understand are passed over. */
bool baseline_read(struct baseline *b, struct span text, struct err *err);

/* What it was then; false when that was not known. */
bool baseline_of(const struct baseline *b, const struct port *p, enum field f, unsigned index, double *number);
/* "=", "x190", "+35%", "-100%", "new": a number against what it was. */
const char *baseline_words(char out[24], double was, double is);

#endif
