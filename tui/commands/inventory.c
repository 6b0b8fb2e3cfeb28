/* fabcon inventory: who would be reached and how; installing a file as the usual one. */
#include "tui/commands/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/fabric/cable_plan.h"
#include "tui/session/hosts.h"
#include "tui/session/ssh_files.h"
#include "tui/text/files.h"

static bool load(const char *name, struct inventory *inv, struct buf *text, struct err *err)
{
	return name ? hosts_load(inv, name, text, err) : err_set(err, "no inventory: -i FILE");
}

static json_t *texts(const struct texts *t)
{
	json_t *list = json_array();

	for (size_t i = 0; i < t->n; i++)
		json_array_append_new(list, json_text(t->list[i]));
	return list;
}

/* What is not there is null, and "-" in the table. */
static void optional(struct sheet *sheet, const char *text)
{
	sheet_cell(sheet, json_text(text), text ? NULL : "-");
}

/* As it is dialed: inventory and ssh_config together. */
static void row_of(struct sheet *sheet, const struct host *h, const struct route *r)
{
	struct buf jumps = { 0 };

	route_jumps(r, &jumps);
	sheet_row(sheet);
	sheet_text(sheet, h->name);
	sheet_text(sheet, r->address);
	sheet_number(sheet, r->port);
	optional(sheet, r->user);
	optional(sheet, h->platform);
	optional(sheet, h->kind);
	optional(sheet, h->rack);
	optional(sheet, h->rail);
	optional(sheet, jumps.text);
	buf_done(&jumps);
	sheet_cell(sheet, texts(&r->identities), NULL);
	sheet_cell(sheet, texts(&r->certificates), NULL);
	optional(sheet, r->proxy_command);
	sheet_text(sheet, r->transport == TRANSPORT_OPENSSH ? "openssh" : "libssh");
	optional(sheet, r->trouble);
	sheet_cell(sheet, texts(&r->notes), NULL);
}

/* The table has no room for reasons: beside it, so that no host looks as if it could be reached. */
static void say_troubles(const struct cli *cli, const struct routes *routes)
{
	struct buf troubles = { 0 };
	struct span rest, line;

	if (cli->format == SHEET_TABLE)
		ssh_files_troubles(routes, &troubles);
	rest = buf_span(&troubles);
	while (span_line(&rest, &line))
		complain(EXIT_DONE, "not dialed: %.*s", (int)line.n, line.p);
	buf_done(&troubles);
}

static int list(struct cli *cli)
{
	struct sheet *sheet = sheet_new("fabcon.inventory/1", "name address port user platform kind rack rail jump identities! "
					"certificates! proxy_command! transport! trouble! notes!");
	struct inventory inv;
	struct buf text = { 0 };
	struct err err;
	int code = EXIT_DONE;

	inventory_init(&inv);
	if (!load(cli->inventory, &inv, &text, &err))
		code = complain(EXIT_USAGE, "%s", err.text);
	for (size_t i = 0; code == EXIT_DONE && i < inv.n_hosts; i++)
		row_of(sheet, &inv.hosts[i], inv.routes.list[i]);
	if (code == EXIT_DONE) {
		sheet_write(sheet, cli->format, stdout);
		say_troubles(cli, &inv.routes);
		if (!cli->quiet)
			hosts_say_notes(&inv);
	}
	sheet_free(sheet);
	inventory_done(&inv);
	buf_done(&text);
	return code;
}

static bool write_new(const char *path, const struct buf *text, struct err *err)
{
	int fd;
	bool ok;

	make_folders(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_set(err, "%s: %s", path, errno == EEXIST ? "already exists; move it away first" : strerror(errno));
	ok = write(fd, text->text, text->n) == (ssize_t)text->n && fsync(fd) == 0;
	close(fd);
	return ok || err_set(err, "%s: %s", path, strerror(errno));
}

static int import(struct cli *cli)
{
	const char *from = cli->n_args > 1 ? cli->args[1] : cli->inventory;
	char *to = config_path("inventory.yml");
	struct inventory inv;
	struct buf text = { 0 };
	struct err err;
	int code = EXIT_DONE;

	inventory_init(&inv);
	if (!to)
		code = complain(EXIT_USAGE, "HOME is not set");
	else if (!load(from, &inv, &text, &err) || !hosts_keep(&inv, &text, &err) || !write_new(to, &text, &err))
		code = complain(EXIT_USAGE, "%s", err.text);
	else
		printf("%zu device%s and %zu cable%s of %s are now the default inventory, %s\n", inv.n_hosts, plural_s(inv.n_hosts),
		       inv.n_cables, plural_s(inv.n_cables), from, to);
	inventory_done(&inv);
	buf_done(&text);
	free(to);
	return code;
}

/* The cables as the fabric sees them now, to be kept to from here on. */
static int write_plan(struct cli *cli)
{
	struct buf text = { 0 };
	struct err err = { "" };
	int code;
	struct session *s = read_fabric(cli, &code);
	size_t n = s ? cable_plan_write(session_links(s), &text) : 0;

	if (s && !n)
		code = complain(EXIT_NO_TARGET, "no device reports its neighbors: there is no cable plan to write");
	else if (s && !cli->out)
		fwrite(text.text, 1, text.n, stdout);
	else if (s && !file_create(cli->out, buf_span(&text), &err))
		code = complain(EXIT_USAGE, "%s", err.text);
	else if (s && !cli->quiet)
		fprintf(stderr, "fabcon: %zu cables written to %s\n", n, cli->out);
	buf_done(&text);
	read_fabric_done(cli, s);
	return code;
}

int cmd_inventory(struct cli *cli)
{
	if (strcmp(cli->args[0], "list") == 0)
		return list(cli);
	if (strcmp(cli->args[0], "test") == 0)
		return cmd_status(cli);
	if (strcmp(cli->args[0], "import") == 0)
		return import(cli);
	if (strcmp(cli->args[0], "plan") == 0)
		return write_plan(cli);
	return complain(EXIT_USAGE, "inventory list, test, import or plan; not \"%s\"", cli->args[0]);
}
