/* A program of this machine, run to its end: an argument list without a shell, bounded in time and output. */
#ifndef TUI_SESSION_CHILD_H
#define TUI_SESSION_CHILD_H

#include "core/base/err.h"
#include "core/base/mem.h"

struct child {
	const char *const *argv;	/* NULL-terminated; argv[0] is looked for in PATH */
	char **env;			/* NULL: ours */
	struct span in;			/* its standard input; nothing: /dev/null */
	int limit_s;			/* it and its children are killed then */
};

/*
 * Adds its standard output and standard error. True: it ended, with *status as its exit code (128 and more: by a signal).
 * False: it could not be started (*status is -1, errno says why), or did not end in time (*status is -2).
 */
bool child_run(const struct child *c, struct buf *out, struct buf *errors, int *status);

#endif
