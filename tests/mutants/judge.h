/* Whether a mutant tells anything that its original does not bear out. */
#ifndef TESTS_MUTANTS_JUDGE_H
#define TESTS_MUTANTS_JUDGE_H

#include "tests/mutants/mutant.h"
#include "tests/mutants/told.h"

struct verdict {
	unsigned wrong;	 /* facts */
	unsigned lost;	 /* known of the original, and not known any more: allowed, and counted */
	size_t excused;	 /* of a row of excuse_table: its number + 1 */
	struct buf text; /* each wrong fact before and after, a line each */
};

/*
 * What cannot be told from the reply, a row each with its reason. probe, operator NULL: each; of the operators a prefix
 * that several share may be given; field FIELD_COUNT: each.
 */
struct excuse {
	const char *probe, *operator;
	enum field field;
	const char *why;
};

extern const struct excuse excuse_table[];
extern const size_t excuse_count;

/* original: what m->of tells; v: zeroed before, its text yours to buf_done(). */
void judge(const struct operator* op, const struct mutant *m, const struct told *original, struct verdict *v);

#endif
