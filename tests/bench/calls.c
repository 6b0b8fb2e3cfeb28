#include "tests/bench/calls.h"

#include <libssh/libssh.h>
#include <libssh/server.h>
#include <uv.h>

static uint64_t longest_ns;
static const char *longest;

static void note(const char *name, uint64_t began_ns)
{
	uint64_t took_ns = uv_hrtime() - began_ns;

	if (took_ns <= longest_ns)
		return;
	longest_ns = took_ns;
	longest = name;
}

double calls_longest_ms(const char **name)
{
	double ms = (double)longest_ns / 1e6;

	*name = longest ? longest : "none";
	longest_ns = 0;
	longest = NULL;
	return ms;
}

/* A function called in the place of name, which times it. The names are the linker's. */
#define TIMED(name, parameters, arguments) \
	int __real_##name parameters; \
	int __wrap_##name parameters; \
	int __wrap_##name parameters \
	{ \
		uint64_t began_ns = uv_hrtime(); \
		int result = __real_##name arguments; \
		note(#name, began_ns); \
		return result; \
	}

TIMED(ssh_connect, (ssh_session s), (s))
TIMED(ssh_userauth_publickey, (ssh_session s, const char *user, const ssh_key key), (s, user, key))
TIMED(ssh_channel_open_session, (ssh_channel c), (c))
TIMED(ssh_channel_request_exec, (ssh_channel c, const char *command), (c, command))
TIMED(ssh_channel_poll, (ssh_channel c, int is_stderr), (c, is_stderr))
TIMED(ssh_channel_read_nonblocking, (ssh_channel c, void *to, uint32_t n, int is_stderr), (c, to, n, is_stderr))
TIMED(ssh_channel_write, (ssh_channel c, const void *bytes, uint32_t n), (c, bytes, n))
TIMED(ssh_send_keepalive, (ssh_session s), (s))
