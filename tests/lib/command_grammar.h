/*
 * Whether a command can be typed as it is printed: held against tables of what each tool and each switch accepts, which were written
 * from man pages, published sources and captures (tests/fixtures/commands/README), never from fabcon's own commands.
 *
 *	if (!command_fits("linux/mlx5_core", "sudo mlnx_qos -i eth2 --trust dscp", &err))
 *		fail_msg("%s", err.text);
 *
 * On Linux and SONiC the command is split as a shell splits it: pipes, lists, groups, quotes, "sudo", redirections. On OS10 it may have
 * several lines, each in the mode that the lines before it lead to; the first may be of any mode.
 */
#ifndef TESTS_LIB_COMMAND_GRAMMAR_H
#define TESTS_LIB_COMMAND_GRAMMAR_H

#include <stddef.h>

#include "core/base/err.h"

/* system: "linux", "linux/mlx5_core" (the vendor's tools, too), "sonic" or "os10". False, with what does not fit. */
bool command_fits(const char *system, const char *command, struct err *err);
/* The same of a command that a person types: what wants root has "sudo" before it. What fabcon sends runs as root. */
bool command_can_be_typed(const char *system, const char *command, struct err *err);

/* A table of blank-separated columns, the last one being the rest of the line; "#" begins a comment. calls each for every row. */
void command_table(const char *path, size_t columns, void (*each)(char *const *row, void *of), void *of);

#endif
