/*
 * What the surfaces say of one moment of a recording, laid side by side: each statement is what is spoken of, where, and a figure
 * or word; two surfaces that speak of the same have to say the same.
 */
#ifndef TESTS_TRIALS_SURFACES_H
#define TESTS_TRIALS_SURFACES_H

#include <jansson.h>

#include "core/base/mem.h"

struct surfaces_count {
	unsigned moments, statements;	/* looked at; compared with another surface's */
	unsigned wrong;			/* those that differ: words has a line each */
};

/* at: as of --at; NULL: the end. False when a surface could not be read. */
bool surfaces_compare(const char *file, const char *at, struct surfaces_count *count, struct buf *words);

#define SURFACES_AT 40

/* Times at which findings opened or closed, for --at: up to so many, spread over all of them; returns how many. */
size_t surfaces_turns(const char *file, size_t most, char at[][SURFACES_AT]);

/* A command's sheet of that moment; yours, or NULL. */
json_t *surfaces_sheet(const char *file, const char *at, const char *command);

#endif
