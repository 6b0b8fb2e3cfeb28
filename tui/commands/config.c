/* What is set, where it was set, and what is wrong with it. */
#include <stdlib.h>
#include <unistd.h>

#include "tui/commands/commands.h"
#include "tui/session/config.h"
#include "tui/text/files.h"

static void show_row(struct sheet *sheet, const char *name, const char *value, const char *from)
{
	sheet_row(sheet);
	sheet_text(sheet, name);
	sheet_cell(sheet, json_text(value), value ? value : "");
	sheet_text(sheet, from);
}

static int show(struct cli *cli)
{
	struct sheet *sheet = sheet_new("fabcon.config/1", "setting value from");

	for (size_t i = 0; i < option_count; i++) {
		const struct setting *set = &cli->config->settings[i];

		show_row(sheet, option_table[i].name, set->value, set->value ? set->from : "default");
	}
	for (size_t i = 0; i < key_count; i++) {
		const struct binding *b = &cli->config->keys.rows[i];
		char *name = xasprintf("keys.%s", key_table[i].name);

		show_row(sheet, name, key_show(&key_table[i]), b->is_set ? b->from : "default");
		free(name);
	}
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	return EXIT_DONE;
}

static int paths(struct cli *cli)
{
	struct sheet *sheet = sheet_new("fabcon.paths/1", "what path state");
	const struct {
		const char *what;
		char *path;
	} rows[] = {
		{ "site", config_site_file() }, { "own", config_own_file() }, { "inventory", config_path("inventory.yml") },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		sheet_row(sheet);
		sheet_text(sheet, rows[i].what);
		sheet_text(sheet, rows[i].path);
		sheet_text(sheet, !rows[i].path ? NULL : access(rows[i].path, F_OK) == 0 ? "there" : "absent");
		free(rows[i].path);
	}
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	return EXIT_DONE;
}

static int say_problems(const struct config *c)
{
	for (size_t i = 0; i < c->n_problems; i++)
		complain(EXIT_USAGE, "%s", c->problems[i]);
	if (!c->n_problems)
		puts("No errors in the configuration.");
	return c->n_problems ? EXIT_USAGE : EXIT_DONE;
}

static int check_file(const char *path)
{
	struct buf text = { 0 };
	struct config c;
	struct err err;
	int code;

	if (!file_read(path, &text, &err))
		return complain(EXIT_USAGE, "%s", err.text);
	config_init(&c);
	config_read(&c, buf_span(&text), path);
	code = say_problems(&c);
	config_done(&c);
	buf_done(&text);
	return code;
}

int cmd_config(struct cli *cli)
{
	if (strcmp(cli->args[0], "show") == 0)
		return show(cli);
	if (strcmp(cli->args[0], "path") == 0)
		return paths(cli);
	if (strcmp(cli->args[0], "check") == 0)
		return cli->n_args > 1 ? check_file(cli->args[1]) : say_problems(cli->config);
	return complain(EXIT_USAGE, "config show, path or check; not \"%s\"", cli->args[0]);
}
