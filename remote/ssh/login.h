/*
 * Logging in: which ways are tried, in which order, and what is said when none was good enough. No loop here: the
 * session calls login_step() whenever bytes came.
 *
 * Order, as ssh has it: certificates that were named, the agent's keys, of which those with a named file come first, the
 * files that the agent does not hold, each with the certificate beside it; the server's own questions, a password.
 */
#ifndef REMOTE_SSH_LOGIN_H
#define REMOTE_SSH_LOGIN_H

#include <stdatomic.h>

#include "remote/ssh/agent.h"
#include "remote/ssh/ssh.h"

enum login_result {
	LOGIN_AGAIN,		/* nothing to do until bytes come */
	LOGIN_DONE,
	LOGIN_ASK,		/* login_question() wants its login_answer() */
	LOGIN_HELPER,		/* run login_agent() in a helper thread, then step again */
	LOGIN_REFUSED,
	LOGIN_LOCKED,		/* refused so far, and a key that needs its passphrase was not tried */
	LOGIN_BROKEN,		/* the connection broke */
};

/* A key of a file, to be tried. */
struct offer {
	ssh_key key;			/* lent, or owned when it has a certificate in it */
	ssh_key shown;			/* lent: what the server sees, the key or its certificate */
	const char *name;		/* of the file that tells it apart */
	bool is_certified;
};

struct login {
	ssh_session session;
	const struct ssh_plan *plan;
	bool may_ask;
	int way;			/* enum way */
	struct offer *offers;		/* in the order of trying */
	size_t n_offers, cap_offers;
	size_t n_first;			/* the first so many come before the agent's keys */
	size_t offer;			/* being tried */
	struct agent *agent;		/* once it was asked */
	atomic_int agent_fd;		/* libssh's end of it, for who cancels; -1: none */
	int methods;			/* that the server accepts, SSH_AUTH_METHOD_…; 0: it has not said */
	int agent_rc;			/* of the helper */
	atomic_bool is_cancelled;	/* tells the helper to end */
	struct buf refused;		/* "id_ed25519, the agent's keys" */
	char *secret;			/* owned; wiped once sent */
	unsigned steps;			/* taken, of a server that wants several */
	unsigned prompt, n_prompts;	/* the server's question being asked */
	bool has_answer;
	bool has_asked;			/* a person answered; one refusal of that is enough */
	struct buf question, same;
	char how[128];			/* "publickey id_ed25519" */
	char why[400];
};

void login_init(struct login *l, ssh_session session, const struct ssh_plan *plan, bool may_ask);
void login_done(struct login *l);

enum login_result login_step(struct login *l);
/* The connection broke meanwhile: what that means, and why says it. */
enum login_result login_broken(struct login *l);
void login_agent(struct login *l);
/* Ends the helper's waiting; the login is over. */
void login_cancel(struct login *l);
struct question login_question(const struct login *l);
/* False: cancelled, and the login is refused. */
bool login_answer(struct login *l, const char *text);

#endif
