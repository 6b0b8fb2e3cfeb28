/* What stands at the end of a command line's output and waits: a prompt, a pager, a password, a question. */
#ifndef REMOTE_TALK_PROMPT_H
#define REMOTE_TALK_PROMPT_H

#include "core/base/span.h"

/*
 * "OS10#", "leaf1(conf-if-eth1/1/1)# ", "sw>", "sw [standalone: master] > ", "admin@sonic:~$ ": its name, and the
 * character it ends with. A line of ##### from a login banner is none: a prompt has a name.
 */
bool prompt_shape(struct span tail, struct span *name, char *end);

/* "OS10# OS10# " is "OS10# ": a log line that stood between, with the prompt printed anew after it, was cut out. */
struct span prompt_last(struct span tail);

/* "--More--" in its spellings: answered with a space. */
bool prompt_is_pager(struct span tail);
bool prompt_wants_password(struct span tail);
/* "[yes/no]:" and the like. */
bool prompt_is_question(struct span tail);

/* The line ends so, whatever its case. */
bool prompt_ends_with(struct span line, const char *end);

#endif
