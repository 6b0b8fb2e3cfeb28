#include "tui/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/plan.h"
#include "tui/files.h"
#include "tui/hosts.h"

static bool load(const char *name, struct inventory *inv, struct buf *text, struct err *err)
{
	return name ? hosts_load(inv, name, text, err) : err_set(err, "no inventory: -i FILE");
}

static int list(struct cli *cli)
{
	struct sheet *sheet = sheet_new("fabcon.inventory/1", "name address port user platform kind rack rail jump");
	struct inventory inv;
	struct buf text = { 0 };
	struct err err;
	int code = EXIT_DONE;

	inventory_init(&inv);
	if (!load(cli->inventory, &inv, &text, &err))
		code = complain(EXIT_USAGE, "%s", err.text);
	for (size_t i = 0; i < inv.n_hosts; i++) {
		const struct host *h = &inv.hosts[i];
		const struct route *route = inv.routes.list[i];
		const char *const optional[] = { route->user, h->platform, h->kind, h->rack, h->rail,
						 route->jump ? route->jump->name : NULL };

		sheet_row(sheet);
		sheet_text(sheet, h->name);
		sheet_text(sheet, route->address);
		sheet_number(sheet, route->port);
		for (size_t k = 0; k < 6; k++)
			sheet_cell(sheet, json_text(optional[k]), optional[k] ? NULL : "-");
	}
	if (code == EXIT_DONE)
		sheet_write(sheet, cli->format, stdout);
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
		return err_set(err, "%s: %s", path, errno == EEXIST ? "is there already; move it away first" : strerror(errno));
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
	else if (!load(from, &inv, &text, &err) || !write_new(to, &text, &err))
		code = complain(EXIT_USAGE, "%s", err.text);
	else
		printf("%zu devices and %zu cables of %s are now the usual inventory, %s\n", inv.n_hosts, inv.n_cables, from, to);
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
	struct session *s = gather(cli, &code);
	size_t n = s ? plan_write(session_links(s), &text) : 0;

	if (s && !n)
		code = complain(EXIT_NO_TARGET, "no device says what it is connected to: there is no plan to write");
	else if (s && !cli->out)
		fwrite(text.text, 1, text.n, stdout);
	else if (s && !file_create(cli->out, buf_span(&text), &err))
		code = complain(EXIT_USAGE, "%s", err.text);
	else if (s && !cli->quiet)
		fprintf(stderr, "fabcon: %zu cables are in %s\n", n, cli->out);
	buf_done(&text);
	gather_done(cli, s);
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
