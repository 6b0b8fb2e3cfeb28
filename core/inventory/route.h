/*
 * How a connection to a host is made. One rule: the inventory's own word, then ssh_config as `ssh` reads it for that
 * destination, then the usual. Whoever dials, and every row that shows an address, goes by the route; nobody else reads
 * a host's address, port, user, key or jump host.
 */
#ifndef CORE_INVENTORY_ROUTE_H
#define CORE_INVENTORY_ROUTE_H

#include "core/base/mem.h"
#include "core/base/texts.h"

enum transport {
	TRANSPORT_LIBSSH,
	TRANSPORT_OPENSSH,		/* the site's own ssh, as a pipe */
};

struct route {
	const char *name;		/* the host's, as shown; of a jump host that is no host: as it was written */
	const char *address;		/* name or number to connect to; never NULL */
	unsigned port;
	const char *user;		/* NULL: the login name of the person */
	struct texts identities;	/* private key files in the order of trying; none: the usual names */
	struct texts certificates;	/* of those keys (CertificateFile), beside KEY-cert.pub */
	bool identities_only;		/* the agent's other keys are not tried */
	bool no_keys, no_questions, no_password;	/* ways in that ssh_config leaves out */
	const char *agent;		/* its socket; "none": not used; NULL: SSH_AUTH_SOCK */
	const struct route *jump;	/* reached through it; NULL: direct */
	const char *proxy_command;	/* tokens expanded, for the person's shell: its standard input and output are the connection */
	const char *host_key_alias;	/* its name in known_hosts instead of address and port; NULL: those */
	struct texts known_hosts;	/* files of the person's and the system's; none: the usual */
	bool is_strict;			/* an unknown host key is refused and nobody is asked: StrictHostKeyChecking yes */
	enum transport transport;
	struct texts ssh_args;		/* TRANSPORT_OPENSSH: before the destination, "-F", "FILE" */
	const char *destination;	/* TRANSPORT_OPENSSH: as ssh is called with it */
	const char *trouble;		/* it is not dialed: why ("configuration: FILE:LINE: …"), and what helps; NULL: none */
	struct texts notes;		/* read and not followed, without harm: "FILE:LINE: WORDS: reason" */
};

/* Of the hosts of an inventory, in its order, and of the jump hosts that these name. */
struct routes {
	struct route **list;
	size_t n, cap;
	struct route **jumps;
	size_t n_jumps, cap_jumps;
	struct arena arena;
};

void routes_done(struct routes *r);

/* Whether both lead to the same login on the same host by the same way: one connection can serve both. */
bool route_is_same(const struct route *a, const struct route *b);

/* The jump hosts in the order in which they are gone through: "a,b@c:22"; nothing when there is none. */
void route_jumps(const struct route *r, struct buf *out);

/* The route of a host by name, or NULL. */
const struct route *routes_find(const struct routes *r, const char *name);

#endif
