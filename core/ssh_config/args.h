/* The arguments for ssh that an inventory gives (ansible_ssh_common_args and its like): as lines of ssh_config. */
#ifndef CORE_SSH_CONFIG_ARGS_H
#define CORE_SSH_CONFIG_ARGS_H

#include "core/ssh_config/ssh_config.h"

struct ssh_args {
	const struct ssh_line **lines;	/* in the order of winning */
	size_t n_lines, cap_lines;
	const char *file;		/* -F; NULL: the usual files */
	const char *trouble;		/* NULL: they can be followed, or are without effect */
	struct texts words;		/* for ssh itself: as a shell would have split them */
	size_t n_first;			/* of them, those that come before the inventory's port, key and user */
	bool has_proxy;			/* ProxyJump or ProxyCommand was given: ssh takes no -J beside it */
	struct texts notes;
};

/* One more "-o". */
void ssh_args_say(struct ssh_args *a, struct ssh_config *c, const char *key, const char *value);
/* text: may be NULL. */
void ssh_args_read(struct ssh_args *a, struct ssh_config *c, const char *text);
void ssh_args_done(struct ssh_args *a);

#endif
