/*
 * Private keys and certificates: each file is read once, in a helper thread (a passphrase's derivation takes a second on
 * purpose), and shared by all sessions. What ssh does not read is not read here: a private key that others may read.
 */
#ifndef REMOTE_SSH_IDENTITY_H
#define REMOTE_SSH_IDENTITY_H

#include <libssh/libssh.h>
#include <uv.h>

#include "core/base/err.h"
#include "core/base/span.h"

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
	bool is_certificate;	/* a CertificateFile: it has cert alone */
	ssh_key key;		/* when READY */
	ssh_key pub;		/* from FILE.pub or the file itself, whatever the state; NULL: not known. The agent may hold the rest */
	ssh_key cert;		/* from FILE-cert.pub, or NULL */
	bool is_absent;		/* BROKEN: there is no such file */
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
/* The same for a certificate. */
struct identity *identity_get_certificate(struct identities *all, const char *path);
/* A key as it goes over the wire, which a certificate's is with all that was signed; yours to free. NULL: not to be had. */
char *identity_blob(ssh_key key, size_t *n);
/* Whether a certificate is of that key, both as they go over the wire. */
bool identity_is_of(struct span key, struct span cert);
/* The private key with that certificate in it, yours to free; NULL when it is not this key's. */
ssh_key identity_certified(const struct identity *id, ssh_key cert);

/* Tries a passphrase: LOADING, then READY, or LOCKED again when it was wrong. The copy made is wiped. */
void identity_unlock(struct identity *id, const char *passphrase);

#endif
