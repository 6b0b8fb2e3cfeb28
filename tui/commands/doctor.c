/* What this machine offers, before it is needed at night. */
#include "tui/commands/commands.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <libssh/libssh.h>
#include <sqlite3.h>
#include <zstd.h>

#include "tui/session/hosts.h"
#include "tui/session/ssh_files.h"
#include "tui/text/files.h"

static void say(struct sheet *sheet, const char *item, enum verdict v, const char *text)
{
	sheet_row(sheet);
	sheet_text(sheet, item);
	sheet_verdict(sheet, v);
	sheet_text(sheet, text);
}

#define LIBSSH_LEAST	SSH_VERSION_INT(0, 10, 6)	/* what we are built and tested against; Debian 12 */

static void say_libraries(struct sheet *sheet)
{
	char text[200];

	snprintf(text, sizeof(text), "%s (fabcon is tested with 0.10.6 and later; an older one may have its fixes backported)", ssh_version(0));
	say(sheet, "libssh", ssh_version(LIBSSH_LEAST) ? VERDICT_OK : VERDICT_WARN, text);
	snprintf(text, sizeof(text), "%s%s", sqlite3_libversion(),
		 sqlite3_libversion_number() < 3051003 ? ": may lack the fix for the WAL-reset bug (3.51.3); fabcon uses a single "
							 "writer" : "");
	say(sheet, "sqlite3", sqlite3_threadsafe() ? VERDICT_OK : VERDICT_WARN, text);
	say(sheet, "libuv", VERDICT_OK, uv_version_string());
	say(sheet, "zstd", VERDICT_OK, ZSTD_versionString());
}

static void say_terminal(struct sheet *sheet)
{
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
	char text[200];

	setlocale(LC_ALL, "");
	snprintf(text, sizeof(text), "TERM=%s, %s%s", term ? term : "(not set)", nl_langinfo(CODESET),
		 no_color && *no_color ? ", NO_COLOR" : "");
	say(sheet, "terminal", term && *term ? VERDICT_OK : VERDICT_LOOK, text);
}

static void say_ssh(struct sheet *sheet)
{
	const char *agent = getenv("SSH_AUTH_SOCK"), *home = getenv("HOME");
	char *known = xasprintf("%s/.ssh/known_hosts", home ? home : "");

	say(sheet, "agent", agent && access(agent, R_OK | W_OK) == 0 ? VERDICT_OK : VERDICT_LOOK,
	    agent ? agent : "SSH_AUTH_SOCK is not set: keys come from files, passphrases are prompted for");
	say(sheet, "known_hosts", access(known, R_OK) == 0 ? VERDICT_OK : VERDICT_LOOK, known);
	free(known);
}

static void say_ssh_config(struct sheet *sheet)
{
	struct buf paths = { 0 };
	struct err err;

	if (!ssh_files_try(&paths, &err))
		say(sheet, "ssh_config", VERDICT_FAIL, err.text);
	else
		say(sheet, "ssh_config", VERDICT_OK, paths.n ? paths.text : "none: default port, user and keys");
	buf_done(&paths);
}

static void say_limits(struct sheet *sheet)
{
	struct rlimit files;
	char text[100];

	getrlimit(RLIMIT_NOFILE, &files);
	snprintf(text, sizeof(text), "%llu open files: about that many devices at once", (unsigned long long)files.rlim_cur);
	say(sheet, "files", files.rlim_cur >= 1024 ? VERDICT_OK : VERDICT_LOOK, text);
}

static void say_lines(struct sheet *sheet, const char *item, enum verdict v, struct buf *lines)
{
	struct span rest = buf_span(lines), line;

	while (span_line(&rest, &line)) {
		char *text = xstrndup(line.p, line.n);

		say(sheet, item, v, text);
		free(text);
	}
	buf_done(lines);
}

/* The hosts that cannot be reached as they are configured, and the lines that are not followed. */
static void say_routes(struct sheet *sheet, const struct routes *routes)
{
	struct buf troubles = { 0 }, notes = { 0 };

	ssh_files_troubles(routes, &troubles);
	ssh_files_notes(routes, &notes);
	say_lines(sheet, "not dialed", VERDICT_FAIL, &troubles);
	say_lines(sheet, "not followed", VERDICT_LOOK, &notes);
}

static void say_inventory(struct sheet *sheet, const struct cli *cli)
{
	struct inventory inv;
	struct buf text = { 0 };
	struct err err = { "none given: -i FILE, FABCON_INVENTORY, or ~/.config/fabcon/inventory.yml" };
	bool ok = false;

	inventory_init(&inv);
	if (cli->inventory)
		ok = hosts_load(&inv, cli->inventory, &text, &err);
	if (ok)
		snprintf(err.text, sizeof(err.text), "%zu device%s, %zu cable%s in the plan", inv.n_hosts, plural_s(inv.n_hosts),
			 inv.n_cables, plural_s(inv.n_cables));
	say(sheet, "inventory", ok ? VERDICT_OK : VERDICT_LOOK, err.text);
	say_routes(sheet, &inv.routes);
	inventory_done(&inv);
	buf_done(&text);
}

int cmd_doctor(struct cli *cli)
{
	struct sheet *sheet = sheet_new("fabcon.doctor/1", "item state detail");

	say_libraries(sheet);
	say_terminal(sheet);
	say_ssh(sheet);
	say_ssh_config(sheet);
	say_limits(sheet);
	say_inventory(sheet, cli);
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	return EXIT_DONE;
}
