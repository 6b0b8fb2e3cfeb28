/*
 * A session by the site's own ssh, as a child process: for what libssh cannot do (host certificates, GSSAPI, PKCS#11, and
 * options that are not followed here). It asks nobody; its stderr says how it goes. Hooks, guard and order are those of
 * remote/ssh/ssh.h, except that up comes before the log-in: one process is one channel, with a log-in of its own.
 */
#ifndef REMOTE_SSH_OPENSSH_H
#define REMOTE_SSH_OPENSSH_H

#include "remote/ssh/ssh.h"

struct openssh;

struct openssh *openssh_new(struct ssh_common *common, const struct ssh_plan *plan, const struct ssh_hooks *hooks);
void openssh_free(struct openssh *s);
void openssh_open(struct openssh *s, const struct talk_way *way, struct send_filter *guard);
void openssh_kick(struct openssh *s);
void openssh_hang_up(struct openssh *s);

const char *openssh_login(const struct openssh *s);
const char *openssh_hostkey(const struct openssh *s);

#endif
