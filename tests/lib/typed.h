/* What a person is told to type at a device: fails the test where it does not fit the tables of commands, or has an open slot. */
#ifndef TESTS_LIB_TYPED_H
#define TESTS_LIB_TYPED_H

#include <stdbool.h>

/* A name in capitals, "PORT", or "<port>", "{port}", "...": stands for a value in explain; of a place that is known, none is left. */
bool typed_has_slot(const char *command);
/* commands: a line each; of: named in the failure; system: as in tests/lib/command_grammar.h. Returns the number of commands. */
unsigned typed_fits(const char *of, const char *system, const char *commands);

#endif
