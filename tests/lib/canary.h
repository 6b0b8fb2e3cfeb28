/* For tests: secrets in every form that configurations have (tests/remote/canaries.txt), and how one would be found again. */
#ifndef TESTS_LIB_CANARY_H
#define TESTS_LIB_CANARY_H

#include "core/base/mem.h"

#define CANARY		"Zq7cAn4ry"	/* in every one of them */
#define CANARY_STYLES	4

struct canary {
	char *text;		/* "{}" is where the secret stands */
	bool is_own_form;	/* known by the secret's own form, which only the first style has */
	bool is_quoted;		/* the secret stands between quotes: it may hold blanks */
};

/* All of them, in the file's order. */
const struct canary *canary_forms(size_t *n);
/* Adds the form, with a line's end, and its secret in that style; false: it has no such style. */
bool canary_put(const struct canary *c, unsigned style, struct buf *out);
/* NULL, or in which form a canary is in these bytes: "as it is", "in hex", "in base64", "as in a URL". */
const char *canary_in(struct span bytes);

#endif
