/* How long calls into libssh take: each of those that could block is timed on its way (the linker's --wrap). */
#ifndef TESTS_BENCH_CALLS_H
#define TESTS_BENCH_CALLS_H

#include <stdint.h>

/* The longest since the last time this was asked; *name gets which. */
double calls_longest_ms(const char **name);

#endif
