/* The keywords of ssh_config, a row each: what their values are, and what we do with them. */
#ifndef CORE_SSH_CONFIG_KEYWORDS_H
#define CORE_SSH_CONFIG_KEYWORDS_H

#include "core/ssh_config/ssh_config.h"

enum ssh_kind {
	KIND_TEXT,		/* one word */
	KIND_AMONG,		/* one of some */
	KIND_NUMBER, KIND_TIME, KIND_PORT, KIND_AGENT,
	KIND_FILES,		/* words; "none" alone */
	KIND_ADDED,		/* one word, and all lines count */
	KIND_COMMAND,		/* the rest of the line as it is */
	KIND_JUMP, KIND_HOST, KIND_MATCH, KIND_INCLUDE,
	KIND_MANY,		/* words that nothing is done with */
	KIND_IGNORED,		/* not even looked at */
};

struct ssh_key {
	const char *name;	/* lower case */
	enum ssh_kind kind;
	enum ssh_option option;
	const char *among;
};

/* NULL: ssh knows no such keyword. */
const struct ssh_key *ssh_key_of(const char *name);

#endif
