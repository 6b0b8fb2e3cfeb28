/* Where libssh's channels do otherwise than its manual says, or than another version of it: in one place. */
#ifndef REMOTE_SSH_LIBSSH_H
#define REMOTE_SSH_LIBSSH_H

#include <libssh/libssh.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * libssh 0.10 frees the buffer of a channel that it could not extend, reports that in the session's error alone, and reads the
 * freed buffer at the next poll: such a session has ended.
 */
bool libssh_is_out_of_memory(ssh_session session);

/* What is there now of the output, or of stderr: bytes; 0 or SSH_AGAIN: none; SSH_ERROR, also when memory has run out. */
int libssh_read(ssh_channel channel, char *block, size_t size, bool is_stderr);

/* The command's exit status, or -1: killed by a signal, or never reported. libssh 0.11 deprecates its older call. */
int libssh_exit_status(ssh_channel channel);

#endif
