/*
 * Between libssh and the person's ssh-agent: libssh offers a server every key the agent holds, in the agent's order. Here
 * the agent seems to hold what is to be offered and no more: the keys that were named first, with their certificates,
 * then the others, or, under IdentitiesOnly, none of them.
 *
 * A thread of its own stands between the two, since libssh waits for the agent's answer.
 */
#ifndef REMOTE_AGENT_H
#define REMOTE_AGENT_H

#include "core/mem.h"

/* A key as it goes over the wire; a certificate is offered and its plain key signs. */
struct agent_key {
	char *offered, *held;	/* owned; held NULL: the same */
	size_t n_offered, n_held;
	bool is_offered;	/* the agent holds what signs for it */
};

struct agent_wish {
	struct agent_key *named;	/* in the order of offering, where the agent holds them */
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
/* When libssh's end is closed. NULL is fine. */
void agent_free(struct agent *a);

#endif
