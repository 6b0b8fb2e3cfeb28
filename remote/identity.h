/*
 * Private keys: each file is read once, in a helper thread (a passphrase's derivation takes a second on purpose), and
 * shared by all sessions.
 */
#ifndef REMOTE_IDENTITY_H
#define REMOTE_IDENTITY_H

#include <libssh/libssh.h>
#include <uv.h>

#include "core/err.h"

enum identity_state {
	IDENTITY_LOADING,
	IDENTITY_READY,
	IDENTITY_LOCKED,	/* wants a passphrase */
	IDENTITY_BROKEN,	/* absent, unreadable, not a key; error says which */
};

struct identity {
	char *path;
	const char *name;	/* last part of path, to show */
	enum identity_state state;
	ssh_key key;		/* when READY */
	bool is_optional;	/* one of the usual names: nobody promised that it exists */
	unsigned wrong;		/* passphrases tried */
	bool is_refused;	/* the person would not unlock it */
	char error[256];
	struct identities *all;
	struct identity *next;
};

struct identities;

/* changed: a load or an unlocking has ended; id says how. */
struct identities *identities_new(uv_loop_t *loop, void (*changed)(void *ctx, struct identity *id), void *ctx);
/* The memory goes when the last helper has returned. */
void identities_free(struct identities *all);

/* The key of that file ("~/" is the home directory), being loaded at first; the same for the same path. */
struct identity *identity_get(struct identities *all, const char *path);

/* Tries a passphrase: LOADING, then READY, or LOCKED again when it was wrong. The copy made is wiped. */
void identity_unlock(struct identity *id, const char *passphrase);

#endif
