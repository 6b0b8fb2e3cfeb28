/*
 * Who is, and was, logged in on a system with a shell: who(1) of coreutils or busybox for open logins, last(1) of util-linux,
 * sysvinit or busybox for ended ones. All three read utmp and wtmp, which a login with a terminal writes: a command over SSH
 * without one (`ssh host command`, ansible, fabcon itself) leaves no record there, but a line of sshd's in the journal, where
 * that may be read. Of those only what root's processes wrote counts (_UID=0), and the login of the session that asks is left
 * out, by its address and port (SSH_CONNECTION); fabcon's other sessions are logins as anybody's. The method is replaced there,
 * since what stands behind "password" is masked (mask.h) here.
 */
#ifndef REMOTE_PLATFORM_LOGINS_H
#define REMOTE_PLATFORM_LOGINS_H

#include "remote/platform/platform.h"

#define LOGINS_COMMAND "who; last -n 64 -w --time-format iso; journalctl -o short-unix -n 400 _UID=0 -t sshd -t sshd-session"
/* last of busybox and of sysvinit has no --time-format; without -n it prints everything, so it is cut. */
#define LOGINS_SCRIPT \
	"( TZ=UTC0; export TZ; date '+now=%s'\n" \
	"for f in /run/utmp /var/run/utmp /var/log/wtmp; do [ ! -e $f ] || echo \"has=$f\"; done\n" \
	"echo who=; run who 2>&1 | head -n 64; echo last=\n" \
	"v=$(run last -n 64 -w --time-format iso 2>&1) || v=$(run last 2>&1 | head -n 64)\n" \
	"printf '%s\\n' \"$v\"; set -- ${SSH_CONNECTION-}; echo \"ssh=${1-} ${2-}\"\n" \
	"run journalctl -q --no-pager -o short-unix -n 400 _UID=0 -t sshd -t sshd-session 2>/dev/null |\n" \
	"grep -E ' (Accepted [^ ]+ for|pam_unix.sshd:session.: session closed for) ' | tail -n 128 |\n" \
	"sed 's/ Accepted [^ ]* for / Accepted login for /' )"

size_t logins_parse(const struct answer *a, struct obs *o);

#endif
