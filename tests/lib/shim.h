/* For tests: a program whose memory, disk or clock fails as tests/promises/shim.c is told by the environment. */
#ifndef TESTS_LIB_SHIM_H
#define TESTS_LIB_SHIM_H

#include "tests/lib/run.h"

/* From now on what is run has the shim, and this of it: "SHIM_ALLOC", "17"; NULL ends the pairs. */
void shim_put(const char *const *pairs);
#define SHIM_PUT(...) shim_put((const char *const[]){ __VA_ARGS__, NULL })
/* Nothing fails any more. */
void shim_clear(void);
/* The same as words before a command of a shell; lent until the next call. */
const char *shim_words(const char *const *pairs);
#define SHIM_WORDS(...) shim_words((const char *const[]){ __VA_ARGS__, NULL })
/* How many allocations and writes SHIM_TELL's file counts; false where there is none. */
bool shim_told(const char *path, unsigned long *allocs, unsigned long *writes);

#endif
