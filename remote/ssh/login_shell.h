/* Login shells that do not run "/bin/sh -s": what they say of themselves, and what helps. */
#ifndef REMOTE_SSH_LOGIN_SHELL_H
#define REMOTE_SSH_LOGIN_SHELL_H

#include "core/base/span.h"

/* What came before the channel was closed, of both outputs. */
struct shell_end {
	int status;			/* -1: not told */
	char said[200];			/* harmless, in one line */
	bool has_gap;			/* a space comes before what comes next */
};

/* Keeps more of what it said. */
void loginshell_hear(struct shell_end *e, struct span bytes);
/* It names itself: why, for that user. False: it does not. */
bool loginshell_is_restricted(const struct shell_end *e, const char *user, char *why, size_t size);
/* Neither a command nor an interactive shell stayed: by_command and by_shell say how each ended. */
void loginshell_explain(const struct shell_end *by_command, const struct shell_end *by_shell, const char *user, char *why,
			size_t size);

#endif
