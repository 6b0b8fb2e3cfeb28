/* What poller.c, poller_ask.c and poller_hostkeys.c share, and nobody else includes. */
#ifndef REMOTE_POLL_INTERNAL_H
#define REMOTE_POLL_INTERNAL_H

#include "remote/poll/reach.h"

enum asked { ASKED_HOSTKEYS, ASKED_PASSPHRASE, ASKED_LOGIN };

/* A question that a person has not answered yet. */
struct open_question {
	unsigned id;
	enum asked kind;
	struct reach *reach;		/* LOGIN; NULL for what many may wait for */
	struct identity *identity;	/* PASSPHRASE */
	struct kept *kept;		/* LOGIN: others may ask the same; or NULL */
	struct open_question *next;
};

/* A host key that nobody has trusted yet. */
struct shown_key {
	struct reach *reach;
	char *bytes;			/* owned */
	size_t n;
	enum hostkey_verdict verdict;
	char type[64], fingerprint[FINGERPRINT_SIZE];
	bool is_waiting;		/* to be asked about */
	unsigned question;		/* in which it is asked about, as number at; 0: none */
	size_t at;			/* from 1; 0: alone */
	struct shown_key *next;
};

struct poller {
	const struct inventory *inv;
	struct poller_options options;	/* its zeroes filled in */
	struct poller_hooks hooks;
	struct ssh_common common;
	struct identities *identities;
	const struct write_way *write_way;
	struct reach *list;		/* hosts, jump hosts, then hosts added and their jump hosts; never moves */
	size_t n, cap, n_hosts;
	struct routes plain;		/* when the inventory has none */
	struct gate *gates;
	struct obs obs;
	struct arena arena;
	struct open_question *questions;
	unsigned last_question;
	struct shown_key *shown;
	uv_timer_t read_fabric;		/* until the host keys seen are asked about */
	struct kept *kept;
	char *user;			/* owned: the login name */
	struct known_files *known;	/* of all hosts */
	uint64_t random;

	uv_work_t reading;		/* of known_hosts */
	bool is_reading, has_known_hosts, is_started, is_freed;
	unsigned handles;
};

/* Asks the person; answered by poller_answer(). what is copied, without its id. */
void poller_put(struct poller *p, const struct open_question *what, const struct question *q);
/* Those who wait for this key, or for the answer about it, look again. ctx: the poller. */
void poller_identity_changed(void *ctx, struct identity *id);
void poller_free_questions(struct poller *p);

/* How many keys wait to be asked about. */
size_t poller_hostkeys_waiting(const struct poller *p);
void poller_hostkeys_answered(struct poller *p, unsigned id, const char *text);
/* Whether this host waits for an answer about its key, or for the question. */
bool poller_asks_hostkey(const struct reach *r);
/* It waits no longer. */
void poller_drop_hostkey(struct reach *r);
void poller_free_hostkeys(struct poller *p);

#endif
