/* For tests: a model that is told facts in their written form, and questions to it. */
#ifndef TESTS_LIB_SAY_H
#define TESTS_LIB_SAY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/model/model.h"

/* Facts, a line each, of one device a call; said by a probe called "test" each second. */
struct model *model_saying(const char *facts, int64_t at_us);
void model_say(struct model *m, const char *facts, int64_t at_us);
void model_say_by(struct model *m, const char *probe, unsigned rank, const char *facts, int64_t at_us);

/* "leaf1 Ethernet4 pfc.rx[3]" */
void assert_rate(const struct model *m, const char *what, double per_s);
void assert_no_rate(const struct model *m, const char *what);

/* Where this repository's own shared material stands, or NULL: then say "skip: …" and return. */
const char *captures_dir(void);
/* A whole file, NUL-terminated, or NULL. Yours to free. */
char *file_text(const char *path, size_t *n);

/* Whether an observation holds this fact, in written form: "leaf1 Ethernet4 pfc.on[3] = yes". */
bool obs_says(const struct obs *o, const char *fact);

#endif
