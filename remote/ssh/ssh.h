/*
 * One SSH client session, driven by the loop and never holding it: look up, connect, exchange keys, judge the host key,
 * log in, open a channel, carry its bytes. A second channel may be opened beside the first. It tries once; trying again,
 * and whom to ask, is the poller's business.
 *
 * Hooks are called from the loop, never from within a call of yours but ssh_answer() and ssh_kick(). ssh_free() is
 * allowed in each of them.
 */
#ifndef REMOTE_SSH_SSH_H
#define REMOTE_SSH_SSH_H

#include <sys/queue.h>
#include <uv.h>

#include "core/base/err.h"
#include "core/inventory/route.h"
#include "remote/ssh/identity.h"
#include "remote/ssh/known_files.h"
#include "remote/ssh/question.h"
#include "remote/talk/send_filter.h"
#include "remote/talk/talk.h"

/* A timer this late: we were away ourselves (a prompt that blocks, a suspended machine), and what came is unread. */
#define AWAY_MS	1000

struct ssh;
TAILQ_HEAD(ssh_queue, ssh);

/* What all sessions share. */
struct ssh_common {
	uv_loop_t *loop;
	int64_t timeout_us;		/* of each step */
	bool may_ask;
	unsigned agents_at_work;	/* helpers talking to the agent, whose I/O blocks */
	struct ssh_queue agent_queue;	/* sessions that wait for one of them */
	unsigned sessions;		/* whose memory is still held; it stays until they are gone */
	void (*emptied)(struct ssh_common *common);	/* the last of them has gone */
};

/* Where to go and how; lent for the life of the session. */
struct ssh_plan {
	const char *name, *address, *user;
	unsigned port;
	struct known_hosts *known_hosts;
	const char *host_key_alias;	/* or NULL */
	const char *proxy_command;	/* for the person's shell: the connection; or NULL */
	struct ssh *via;		/* a session that is up, to go through; or NULL */
	struct identity *const *identities, *const *certificates;
	size_t n_identities, n_certificates;
	const char *agent;		/* its socket, or NULL: none is asked */
	bool identities_only;		/* of the agent's keys only those with the identities' names */
	bool no_keys, no_questions, no_password;	/* ssh_config leaves these out */
	bool is_jump;			/* carries other sessions; has no channel of its own */

	enum transport transport;	/* what follows is of TRANSPORT_OPENSSH alone */
	const struct texts *ssh_args;
	const char *destination;
	const char *known_hosts_file, *identity_file;	/* when the console was told to; or NULL */
	bool accepts_new;		/* host keys */
	bool uses_agent;
	bool is_own;			/* shares no connection */
};

enum ssh_end {
	SSH_END_RETRY,		/* may go better later */
	SSH_END_LATE,		/* connected, and the handshake or its channel did not come in time: a busy server, or one that hangs */
	SSH_END_REFUSED,	/* will not: log-in refused */
	SSH_END_HOSTKEY,	/* trust() said no */
	SSH_END_LOCKED,		/* a key that was not tried needs its passphrase */
};

#define SSH_CHANNELS	2	/* that a session may have at once: 0, which it lives by, and 1 beside it */

struct ssh_hooks {
	void *ctx;
	/* The host key, when the index does not know it. True: go on. key is lent for the call. */
	bool (*trust)(void *ctx, enum hostkey_verdict verdict, const struct hostkey_seen *seen, struct span key);
	void (*up)(void *ctx);
	void (*opened)(void *ctx, unsigned channel);
	void (*received)(void *ctx, unsigned channel, struct span bytes);
	struct span (*to_send)(void *ctx, unsigned channel);
	void (*sent)(void *ctx, unsigned channel, size_t n);
	/*
	 * The far end closed the channel; said: what it wrote to stderr, cut short. status -1: it did not tell. Channel 1, before
	 * it was opened: the far end opens no second one; said: the reason that it gave.
	 */
	void (*closed)(void *ctx, unsigned channel, int status, struct span said);
	/* It is over: "step: reason; what to do". Called once, and nothing after it. */
	void (*ended)(void *ctx, enum ssh_end how, const char *why);
	/* A prompt of the far end; ssh_answer() it. */
	void (*ask)(void *ctx, const struct question *q);
};

struct ssh *ssh_new_session(struct ssh_common *common, const struct ssh_plan *plan, const struct ssh_hooks *hooks);
/* Closes at once, without hooks; the memory goes when libuv has let go of it. NULL is fine. */
void ssh_free_session(struct ssh *s);

/*
 * Opens a channel (the first after up, the second after opened), or closes it and opens one of another way. guard, of this
 * channel, is lent until then. How long the second may take to open is the caller's business.
 */
void ssh_open(struct ssh *s, unsigned channel, const struct talk_way *way, struct send_filter *guard);
/* Closes the second channel. */
void ssh_close_second(struct ssh *s);
/* Whether a second channel may be tried: the site's own ssh carries one. */
bool ssh_may_open_second(const struct ssh *s);
/* There is something to send. */
void ssh_kick(struct ssh *s);
/* Says politely that no more will come: the far end's loops end. */
void ssh_hang_up(struct ssh *s);
/* Its question is put once more. */
void ssh_ask_again(struct ssh *s);
/* text NULL: cancelled. */
void ssh_answer(struct ssh *s, const char *text);

/* After up: the server's identification and its banner; how we logged in; "ssh-ed25519 SHA256:…". */
struct span ssh_banner(const struct ssh *s);
const char *ssh_login(const struct ssh *s);
const char *ssh_hostkey(const struct ssh *s);

/* For sessions that go through this one: its libssh handle, and that calls were made on it. */
ssh_session ssh_handle(struct ssh *s);
struct relay;
LIST_HEAD(relay_list, relay);
struct relay_list *ssh_relays(struct ssh *s);
void ssh_touched(struct ssh *s);

#endif
