/*
 * Three short guides, one a person: on-call, technician, reviewer. For `fabcon help NAME` and the manual page; keys are
 * named by what they do, so that a guide cannot tell of one that is not there.
 */
#ifndef TUI_CLI_GUIDES_H
#define TUI_CLI_GUIDES_H

#include <stdio.h>

#include "core/base/mem.h"

struct guide_step {
	const char *run;	/* on the command line; NULL: key */
	const char *key;	/* the name of a row of the key table */
	const char *what;
};

#define GUIDE_STEPS 16

struct guide {
	const char *name, *title, *for_whom;
	struct guide_step steps[GUIDE_STEPS];	/* to the first without what */
};
extern const struct guide guide_table[];
extern const size_t guide_count;

const struct guide *guide_find(const char *name);
/* What is typed at a step: "fabcon …", or the key. */
const char *guide_types(const struct guide_step *s);
void guide_print(const struct guide *g, FILE *out);

#endif
