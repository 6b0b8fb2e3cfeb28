/*
 * Reads this machine without starting a process. For each probe of linux_platform that it has a row for it makes the text that the
 * probe's tools would have printed, out of files, ioctls and netlink; the parsers are those of the tools, and so a fact has one meaning
 * whichever way it came. Which ports count is decided as the shell's collector decides it (remote/linux/linux.c).
 */
#ifndef REMOTE_NATIVE_NATIVE_H
#define REMOTE_NATIVE_NATIVE_H

#include "remote/platform/platform.h"

struct native_hooks {
	void *ctx;
	/* at_us: when it had been read, microseconds since 1970; text is lent */
	void (*answered)(void *ctx, const struct probe *probe, const struct answer *a, int64_t at_us);
};

/* Whose probes these are. */
const struct platform *native_platform(void);
bool native_knows(const struct probe *probe);

/*
 * All of them once. names: ports that count though they have no hardware ("veth0 fab1"), or NULL. False, and why: the kernel gives no
 * socket; nothing was answered then.
 */
bool native_read(const char *names, const struct native_hooks *hooks, struct err *err);

#endif
