/* For tests: a real OpenSSH server on loopback, with keys of its own, for the user who runs the test. */
#ifndef TESTS_LIB_SSHD_H
#define TESTS_LIB_SSHD_H

#include <sys/types.h>

#include "core/base/mem.h"

struct sshd {
	char dir[64];		/* config, log, host key "host", client key "id", known_hosts */
	unsigned port;
	int port_fd;		/* holds the port for it */
	pid_t pid;
};

/* extra: lines for its configuration. False where there is no sshd to run: then say so and return. */
bool sshd_start(struct sshd *d, const char *extra);
/* In two steps, so that files can be put into its directory before: false where there is no sshd. */
bool sshd_prepare(struct sshd *d);
/* with_accounts: its /etc/passwd and /etc/shadow are "passwd" and "shadow" of its directory; false when that may not be. */
bool sshd_launch(struct sshd *d, const char *extra, bool with_accounts);
void sshd_stop(struct sshd *d);
/* A path in its directory; lent until the next eight calls. */
const char *sshd_path(const struct sshd *d, const char *name);
/* Makes a key pair there by ssh-keygen: "-t ed25519 -N ''". */
void sshd_keygen(const struct sshd *d, const char *name, const char *how);
/* "type base64" of a public key there; yours to free. */
char *sshd_public_key(const struct sshd *d, const char *name);
void sshd_write(const struct sshd *d, const char *name, const char *text);
/* Logins by public key that its log counts so far. */
unsigned sshd_logins(const struct sshd *d);
/* Processes it has running for its connections; signal 0 only counts them. */
unsigned sshd_signal_children(const struct sshd *d, int signal);

#endif
