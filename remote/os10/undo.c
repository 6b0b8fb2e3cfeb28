#include "remote/os10/undo.h"

#include <string.h>

#define DEPTH_MAX	4

/* batch: types what is in $file; what the switch said of it is then in $said. */
#define CLISH \
	"export CLISH_ROLE=sysadmin PRIV_LVL=15 TERM=vt100 HOSTNAME=\"$(hostname)\"\n" \
	"[ ! -r /etc/opt/dell/os10/brand_env ] || . /etc/opt/dell/os10/brand_env\n" \
	"export LD_LIBRARY_PATH=/opt/dell/os10/lib\n" \
	"clish=/opt/dell/os10/bin/clish\n" \
	"file=$(mktemp /tmp/fabcon.XXXXXX) || exit 1\n" \
	"trap 'rm -f \"$file\"' EXIT\n" \
	"batch() { said=$(\"$clish\" -B \"$file\" 2>&1 </dev/null); }\n"

const char os10_rehearse[] =
	"[ -x /opt/dell/os10/bin/clish ] || { echo '/opt/dell/os10/bin/clish does not exist'; exit 1; }\n"
	CLISH
	"echo 'show version' >\"$file\" && batch\n"
	"case $said in\n"
	"*'OS Version: 10.'*) exit 0 ;;\n"
	"esac\n"
	"printf 'clish -B does not show the version: %.200s\\n' \"$said\"\n"
	"exit 1\n";

/* -- lines -- */

/* Lines of ours hold no quote (remote/os10/diff.h sees to it); one that did would end here and not run. */
static bool is_quotable(const char *line)
{
	return !strchr(line, '\'') && !strchr(line, '\n');
}

static bool opens_block(const char *line, bool in_block)
{
	static const char *const words[] = {
		"interface ", "wred ", "trust dscp-map ", "class-map type ", "policy-map type ", "class ",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strncmp(line, words[i], strlen(words[i])))
			return true;
	return !in_block && !strncmp(line, "qos-map traffic-class ", 22);	/* inside of a port it binds the map */
}

static void add_quoted(const char *line, struct buf *sh)
{
	buf_printf(sh, " '%s'", line);
}

/*
 * Each line again with the blocks it stands in, in a batch of its own. What removes something that is not there is refused, rightly; what
 * else a switch says of a line with "no" is unproven, and left to the read that follows.
 */
static void one_by_one(const struct fix_lines *undo, struct buf *sh)
{
	const char *open[DEPTH_MAX];
	size_t depth = 0;

	buf_str(sh, "\tone() {\n\t\tprintf '%s\\n' 'configure terminal' \"$@\" end >\"$file\" && batch || status=1\n"
		    "\t\tcase $said in *'% Error'*) printf '%s\\n' \"$said\" ;; *) return ;; esac\n"
		    "\t\tfor line; do :; done\n\t\tcase $line in 'no shutdown') status=1 ;; 'no '*) ;; *) status=1 ;; esac\n\t}\n");
	for (size_t i = 0; i < undo->n; i++) {
		const char *line = undo->list[i];

		if (!is_quotable(line))
			continue;
		if (!strcmp(line, "exit")) {
			depth -= depth > 0;
			continue;
		}
		if (opens_block(line, depth > 0) && depth < DEPTH_MAX) {
			open[depth++] = line;
			continue;
		}
		buf_str(sh, "\tone");
		for (size_t k = 0; k < depth; k++)
			add_quoted(open[k], sh);
		add_quoted(line, sh);
		buf_str(sh, "\n");
	}
}

void os10_undo_script(const struct fix_lines *undo, struct buf *sh)
{
	buf_str(sh, CLISH);
	buf_str(sh, "cat >\"$file\" <<'END' || exit 1\nconfigure terminal\n");
	for (size_t i = 0; i < undo->n; i++)
		if (is_quotable(undo->list[i]))
			buf_printf(sh, "%s\n", undo->list[i]);
	buf_str(sh, "end\nEND\nbatch\nstatus=$?\nprintf '%s\\n' \"$said\"\n");
	buf_str(sh, "case $status$said in\n0*'% Error'*|[1-9]*)\n\tstatus=0\n");
	one_by_one(undo, sh);
	buf_str(sh, "\t;;\nesac\nexit $status\n");
}
