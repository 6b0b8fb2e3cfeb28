/* For fuzzers: a fabric of one host, as the console sees it; made at the first call. */
#ifndef TESTS_FUZZ_FABRIC_H
#define TESTS_FUZZ_FABRIC_H

#include "tui/views/view_of.h"

struct view_of fabric_view(void);

#endif
