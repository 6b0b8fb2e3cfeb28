/*
 * Between libssh and the person's ssh-agent: libssh offers a server every key the agent holds, in the agent's order. Here
 * the agent seems to hold what is to be offered and no more, in ssh's order: certificates that were named, keys that were
 * named, then the others, or, under IdentitiesOnly, none of them, then certificates that lie beside a key.
 *
 * A thread of its own stands between the two, since libssh waits for the agent's answer.
 */
#ifndef REMOTE_SSH_AGENT_H
#define REMOTE_SSH_AGENT_H

#include "core/base/mem.h"

/* A key as it goes over the wire. */
struct agent_key {
	char *blob;		/* owned */
	size_t n;
	char *holder;		/* of a certificate: the agent's plain key that signs for it; owned; NULL: none, or itself */
	size_t n_holder;
	bool is_last;		/* of a certificate: it lies beside its key, and comes after all the agent holds */
};

struct agent_wish {
	struct agent_key *certificates;	/* of files: offered where the agent can sign for them */
	size_t n_certificates, cap_certificates;
	struct agent_key *named;	/* before the agent's other keys, in the agent's order */
	size_t n_named, cap_named;
	struct agent_key *tried;	/* never offered: a file held them, and they were refused */
	size_t n_tried, cap_tried;
	bool is_named_only;
};

void agent_wish_done(struct agent_wish *w);

struct agent;
/* socket: of the agent; the wish is taken over and emptied. NULL: it cannot be reached. May wait for it. */
struct agent *agent_new(const char *socket, struct agent_wish *wish);
/* The end for libssh, which closes it. */
int agent_fd(const struct agent *a);
/* How many keys were offered so far, from any thread. */
unsigned agent_offered(const struct agent *a);
/* Whether that one was: once libssh has come back from the agent. */
bool agent_has_offered(const struct agent *a, struct span blob);
/* When libssh's end is closed. NULL is fine. */
void agent_free(struct agent *a);

#endif
