/* The handshake of a session: what we offer to the server, the key that it shows, and what known_hosts says of that key. */
#ifndef REMOTE_SSH_HANDSHAKE_H
#define REMOTE_SSH_HANDSHAKE_H

#include "remote/ssh/ssh.h"

/* Before the keys are exchanged. fd: connected; the session's own once this is true. */
bool handshake_options(ssh_session session, const struct ssh_plan *plan, int fd);
/* The server's key as it goes over the wire; yours to free. NULL: it cannot be read. */
char *handshake_key(ssh_session session, size_t *n);
/* name: as known_files_name() has it. */
enum hostkey_verdict handshake_judge(const struct ssh_plan *plan, const char *name, struct span key, struct hostkey_seen *seen);

#endif
