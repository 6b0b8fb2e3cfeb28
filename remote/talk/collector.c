#include "remote/talk/collector.h"

#include <ctype.h>

static const char *const cadence_words[] = {
	[CADENCE_ONCE] = "once",
	[CADENCE_CONFIG] = "config",
	[CADENCE_LIVE] = "live",
	[CADENCE_FILL] = "fill",
	[CADENCE_CHANGE] = "change",
};

/* The marker is put together by printf, so that a terminal's echo of this text is never taken for a frame. */
static const char identify[] =
	"{ printf '\\n@%%s begin identify - -\\n' %s\n"
	"u=$(uname -a) || u=$(uname -a) || u=$(uname -a) || [ $? = 127 ] || u=\"" COLLECTOR_NOT_WHOLE ": $u\"; echo \"uname: $u\"\n"
	"cat /etc/os-release 2>/dev/null; echo\n"
	"[ -r /etc/sonic/sonic_version.yml ] && { echo 'sonic_version.yml:'; cat /etc/sonic/sonic_version.yml; echo; }\n"
	"U=$(id -u); echo \"uid: $U\"; printf '\\n@%%s end 0\\n' %s; } </dev/null 2>&1\n";

void collector_identify(const char *nonce, struct buf *out)
{
	buf_printf(out, identify, nonce, nonce);
}

/*
 * A command substitution forks; "read" from /proc/uptime does not. A write that fails ends the shell.
 * timeout(1) is tried, not looked for: old busybox has one with other options.
 */
static const char common[] =
	"PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin:/opt/mellanox/iproute2/sbin:/opt/mellanox/ethtool/sbin\n"
	"LC_ALL=C TERM=dumb; export PATH LC_ALL TERM; unset GREP_OPTIONS GREP_COLORS CDPATH; IFS=' \t\n'\n"
	"set +e +u; T=; timeout 1 true >/dev/null 2>&1 && T='timeout 5'; U=${U:-$(id -u)}\n"
	"run() { command -v \"$1\" >/dev/null 2>&1 || { echo \"$1: not found\"; return 127; }; $T \"$@\"; }\n"
	"ok() { case $1 in ''|[!A-Za-z0-9]*|*[!A-Za-z0-9._@-]*) return 1;; esac; [ ${#1} -le 15 ]; }\n"
	"frame() { up=-; read -r up _ 2>/dev/null </proc/uptime\n"
	"printf '\\n@%s begin %s %s %s\\n' \"$N\" \"$2\" \"${port:--}\" \"$up\" || exit\n"
	"\"$1\" </dev/null 2>&1; printf '\\n@%s end %s\\n' \"$N\" $? || exit; }\n"
	"each() { for at in /sys/class/net/*; do\n"
	"port=${at##*/}; ok \"$port\" && \"$1\" && frame \"$2\" \"$3\"; done; port=; }\n";

/* A program of whole lines inside one compound command: the shell has read all of it before it runs any. */
static const char loop[] =
	"port=; printf '\\n@%s hello\\n' \"$N\"\n"
	"while read -r ask; do\n"
	"case $ask in once|config|live|fill|change) \"ask_$ask\";; *) exit;; esac\n"
	"printf '\\n@%s round %s\\n' \"$N\" \"$ask\" || exit\n"
	"done\n"
	"exit; }\n";

static void add_round(const struct platform *p, enum cadence cadence, struct buf *out)
{
	buf_printf(out, "ask_%s() { :\n", cadence_words[cadence]);
	for (size_t i = 0; i < p->n_probes; i++) {
		const struct probe *probe = &p->probes[i];

		if (probe->cadence != cadence)
			continue;
		if (probe->per_port)
			buf_printf(out, "each %s p%zu %s\n", probe->ports_of, i, probe->id);
		else
			buf_printf(out, "frame p%zu %s\n", i, probe->id);
	}
	buf_str(out, "}\n");
}

bool collector_may_name(const char *port)
{
	size_t n = strlen(port);

	if (!n || n > 15 || !isalnum((unsigned char)*port))
		return false;
	for (const char *c = port; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._@-", *c))
			return false;
	return true;
}

void collector_program(const struct platform *p, const char *nonce, struct buf *out)
{
	collector_program_for(p, nonce, NULL, out);
}

void collector_program_for(const struct platform *p, const char *nonce, const char *names, struct buf *out)
{
	buf_printf(out, "{ N=%s P='%s'\n%s%s", nonce, names ? names : "", common, p->prelude ? p->prelude : "");
	for (size_t i = 0; i < p->n_probes; i++) {
		const struct probe *probe = &p->probes[i];

		if (probe->cadence != CADENCE_NEVER)
			buf_printf(out, "p%zu() {\n%s\n}\n", i, probe->script ? probe->script : probe->command);
	}
	add_round(p, CADENCE_ONCE, out);
	add_round(p, CADENCE_CONFIG, out);
	add_round(p, CADENCE_LIVE, out);
	add_round(p, CADENCE_FILL, out);
	add_round(p, CADENCE_CHANGE, out);
	buf_str(out, loop);
}

const char *collector_word(enum cadence cadence)
{
	return cadence_words[cadence];
}
