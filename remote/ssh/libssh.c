#include "remote/ssh/libssh.h"

#include <string.h>

bool libssh_is_out_of_memory(ssh_session session)
{
	return ssh_get_error_code(session) == SSH_FATAL && strstr(ssh_get_error(session), "Out of memory");
}

int libssh_read(ssh_channel channel, char *block, size_t size, bool is_stderr)
{
	if (libssh_is_out_of_memory(ssh_channel_get_session(channel)))
		return SSH_ERROR;
	return ssh_channel_read_nonblocking(channel, block, (uint32_t)size, is_stderr);
}

int libssh_exit_status(ssh_channel channel)
{
#if LIBSSH_VERSION_INT >= SSH_VERSION_INT(0, 11, 0)
	uint32_t status = 0;

	return ssh_channel_get_exit_state(channel, &status, NULL, NULL) == SSH_OK ? (int)status : -1;
#else
	return ssh_channel_get_exit_status(channel);
#endif
}
