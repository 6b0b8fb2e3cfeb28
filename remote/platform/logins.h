/*
 * Who is, and was, logged in on a system with a shell: who(1) of coreutils or busybox for open logins, last(1) of util-linux,
 * sysvinit or busybox for ended ones. All three read utmp and wtmp, which a login with a terminal writes: a command over SSH
 * without one (`ssh host command`, ansible, fabcon itself) leaves no record there.
 */
#ifndef REMOTE_PLATFORM_LOGINS_H
#define REMOTE_PLATFORM_LOGINS_H

#include "remote/platform/platform.h"

#define LOGINS_COMMAND "who; last -n 64 -w --time-format iso"
/* last of busybox and of sysvinit has no --time-format; without -n it prints everything, so it is cut. */
#define LOGINS_SCRIPT \
	"( TZ=UTC0; export TZ; date '+now=%s'\n" \
	"for f in /run/utmp /var/run/utmp /var/log/wtmp; do [ ! -e $f ] || echo \"has=$f\"; done\n" \
	"echo who=; run who 2>&1 | head -n 64; echo last=\n" \
	"v=$(run last -n 64 -w --time-format iso 2>&1) || v=$(run last 2>&1 | head -n 64)\n" \
	"printf '%s\\n' \"$v\" )"

size_t logins_parse(const struct answer *a, struct obs *o);

#endif
