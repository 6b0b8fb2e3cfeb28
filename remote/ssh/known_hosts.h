/*
 * Which host keys are trusted: known_hosts files, read once into an own index. libssh reads the files again for each
 * session, and hashed names cost it twenty times the login.
 *
 * Reading and resolving may run in a helper thread, as long as nobody else uses the index meanwhile.
 */
#ifndef REMOTE_SSH_KNOWN_HOSTS_H
#define REMOTE_SSH_KNOWN_HOSTS_H

#include "core/base/err.h"
#include "core/base/mem.h"

enum hostkey_verdict {
	HOSTKEY_KNOWN,
	HOSTKEY_UNKNOWN,	/* nothing is said of this host */
	HOSTKEY_AUTHORITY_ONLY,	/* only a certificate authority vouches for it, and this is a plain key */
	HOSTKEY_CHANGED,	/* another key of the same type is known */
	HOSTKEY_OTHER_TYPE,	/* only keys of other types are known: maybe a downgrade */
	HOSTKEY_REVOKED,
};

#define FINGERPRINT_SIZE	64	/* "SHA256:" and 43 characters, as ssh-keygen -l prints it */

/* What the index has to say beside the verdict. */
struct hostkey_seen {
	char type[64], fingerprint[FINGERPRINT_SIZE];		/* of the key shown */
	char old_type[64], old_fingerprint[FINGERPRINT_SIZE];	/* of the line that decided, or "" */
	char where[256];					/* its "file:line", or "" */
};

struct known_hosts;

struct known_hosts *known_hosts_new(void);
void known_hosts_free(struct known_hosts *k);

/* Adds the lines of a text; file is its name, for messages. Returns how many lines were not understood. */
size_t known_hosts_read(struct known_hosts *k, struct span text, const char *file);
/* Adds a file. One that does not exist is empty; one that cannot be read is an error. */
bool known_hosts_load(struct known_hosts *k, const char *path, struct err *err);

/* The name under which a host is listed: "address", or "[address]:port" when the port is not 22. */
void known_hosts_name(const char *address, unsigned port, struct buf *out);

/* Finds the lines that speak of this name, once; the functions below do it when it was not done. */
void known_hosts_resolve(struct known_hosts *k, const char *name);

/* key: the public key as it goes over the wire (what the base64 of a line holds). */
enum hostkey_verdict known_hosts_judge(struct known_hosts *k, const char *name, struct span key,
				       struct hostkey_seen *seen);

/* Why such a key is not trusted, and what to do about it. */
void known_hosts_explain(enum hostkey_verdict verdict, const struct hostkey_seen *seen, const char *name,
			 char *out, size_t size);

/* Host key algorithms to offer, known types first: "rsa-sha2-512,rsa-sha2-256,ssh-ed25519,…". */
void known_hosts_algorithms(struct known_hosts *k, const char *name, struct buf *out);

/* Trusts the key from now on, in the index only; false when it is no key. */
bool known_hosts_add(struct known_hosts *k, const char *name, struct span key);
/* Writes it to the end of the file (0600, made when absent). */
bool known_hosts_append(const char *path, const char *name, struct span key, struct err *err);

/* The bytes of a key's base64, or NULL; yours to free. */
char *hostkey_decode(const char *base64, size_t *n);

#endif
