/*
 * The poller: keeps a session with every host of an inventory and asks its probes at their times. It bounds everything:
 * authentications in flight, bytes a reply, seconds a probe, retries. A dead device makes its facts old, never wrong,
 * and delays no other device. It produces observations (the device's own answers, and "state", "error", … of how
 * reaching it goes, from the probe called "ssh") and nothing else.
 */
#ifndef REMOTE_POLL_POLLER_H
#define REMOTE_POLL_POLLER_H

#include <uv.h>

#include "core/inventory/inventory.h"
#include "core/model/obs.h"
#include "remote/ssh/question.h"

struct poller_options {
	int64_t live_us, config_us;	/* periods; 0: 1 s, 30 s */
	int64_t timeout_us;		/* of each step; 0: 10 s */
	unsigned in_authentication;	/* at most at once behind one jump host or address; 0: 8 */
	const char *known_hosts;	/* file; NULL: the user's and the system's */
	enum hostkey_rule { HOSTKEY_ASK, HOSTKEY_ACCEPT_NEW, HOSTKEY_STRICT } hostkey;
	const char *identity;		/* private key tried first, or NULL */
	bool use_agent;
	const char *fabric_ports;	/* "veth0,fab1": count as fabric ports though they have no hardware; NULL: none */
	bool fills;			/* neighbor tables are filled by one ping a port, at first contact */
	unsigned seed;			/* of the jitter; 0: from the system */
	const char *const *only;	/* hosts to keep to, by name, lent for poller_new(); NULL: all of the inventory */
	size_t n_only;
	size_t room;			/* hosts that poller_add() may add; 0: none */
};

struct poller_hooks {
	void *ctx;
	void (*observed)(void *ctx, struct obs *o);	/* o is the poller's; take what you need before you return */
	/* Answer later with poller_answer(); never called without a terminal being there (ask NULL: refuse). */
	void (*ask)(void *ctx, unsigned id, const struct question *q);
};

struct poller;

struct poller *poller_new(uv_loop_t *loop, const struct inventory *inv, const struct poller_options *options,
			  const struct poller_hooks *hooks);
void poller_free(struct poller *p);	/* closes at once; the loop must run to its end after it (helpers, closings) */

/*
 * Goes by this inventory from now on, which must outlive it as the one before must: hosts that it names and the one before
 * did not are reached too. What is connected stays connected. False, and nothing has changed: it is not ready for that yet,
 * or there are more of them than options.room.
 */
bool poller_add(struct poller *p, const struct inventory *inv);

void poller_start(struct poller *p);
void poller_stop(struct poller *p);	/* polite: ends remote loops, closes channels */
/* Asks everything of that host again now (NULL: of all); also ends a back-off or a refusal. */
int64_t poller_refresh(struct poller *p, const char *host);
/* The settings of that host are read again now, or 10 s after they were last asked for: a symptom has appeared that they may explain. */
void poller_hasten(struct poller *p, const char *host);
/* A setting of that host has changed: reach_note_change(). */
bool poller_note_change(struct poller *p, const char *host);
/* Once more the neighbor tables of hosts are filled, by one ping a port, and read. */
void poller_fill(struct poller *p);
/* text NULL: cancelled; "y" or "yes" to a question of yes or no. The copy is wiped after use. */
void poller_answer(struct poller *p, unsigned id, const char *text);

/* A question is open: whoever counts the time that hosts take stands still. */
bool poller_is_asking(const struct poller *p);

struct poller_count {
	size_t hosts, up, connecting, retrying, refused;
	size_t first_round;		/* hosts that have answered a whole config and live round, were refused or failed twice */
};
struct poller_count poller_count(const struct poller *p);
/* Whether that host is one of first_round. */
bool poller_is_over_first_round(const struct poller *p, const char *host);
/* Everything was read again since poller_refresh() returned that time, or it cannot be. */
bool poller_has_read_since(const struct poller *p, const char *host, int64_t since_us);

#endif
