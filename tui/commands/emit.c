/* fabcon emit KIND [TARGET]: a manifest on standard output or to -O FILE. Reads nothing but for a target. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/manifest/manifest.h"
#include "tui/commands/commands.h"
#include "tui/text/call.h"
#include "tui/text/fuzzy.h"

static int emit_list(struct cli *cli)
{
	struct sheet *sheet = sheet_new("fabcon.emit/1", "kind title owns apply");

	for (size_t i = 0; i < manifest_count; i++) {
		const struct manifest *m = &manifest_table[i];
		struct buf applied = { NULL };

		sheet_row(sheet);
		sheet_text(sheet, m->kind);
		sheet_text(sheet, m->title);
		sheet_text(sheet, m->owns);
		manifest_applied(m, "fabcon", NULL, &applied);
		sheet_text(sheet, applied.text);
		buf_done(&applied);
	}
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	return EXIT_DONE;
}

static bool write_file(const char *path, const struct buf *text, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	bool done;

	if (fd < 0)
		return err_set(err, "%s: %s", path, strerror(errno));
	done = write(fd, text->text, text->n) == (ssize_t)text->n;
	if (!done)
		err_set(err, "%s: %s", path, strerror(errno));
	return close(fd) == 0 && done;
}

static int print(struct cli *cli, const struct manifest *m, const struct manifest_scene *scene)
{
	struct buf text = { 0 }, applied = { NULL };
	struct err err;
	int code = EXIT_DONE;

	manifest_applied(m, call_words(), scene->device ? scene->device->name : NULL, &applied);
	if (!m->write(scene, &text, &err))
		code = complain(EXIT_REFUSED, "%s", err.text);
	else if (!cli->out)
		fwrite(text.text, 1, text.n, stdout);
	else if (!write_file(cli->out, &text, &err))
		code = complain(EXIT_USAGE, "%s", err.text);
	if (code == EXIT_DONE && !cli->quiet)
		fprintf(stderr, "fabcon: %s; covers %s\nfabcon: to apply: %s; nothing was sent\n", m->title, m->owns, applied.text);
	buf_done(&text);
	buf_done(&applied);
	return code;
}

/* Without a target the policy alone is asked. */
static int emit_policy(struct cli *cli, const struct manifest *m)
{
	struct err err;
	struct policy *policy = session_policy_load(cli->policy, &err);
	int code;

	if (!policy)
		return complain(EXIT_USAGE, "%s", err.text);
	code = print(cli, m, &(struct manifest_scene){ .policy = policy });
	policy_free(policy);
	return code;
}

/* A host's script for a switch, or one dialect's lines for another's, would do harm where they are pasted. */
static bool fits(const struct manifest *m, const struct device *d, const struct inventory *inv, struct err *err)
{
	const char *platform = device_text(d, FIELD_PLATFORM);

	if (m->is_of_switch != device_is_switch(d, inv))
		return err_set(err, "%s is for a %s, but %s is a %s", m->kind, m->is_of_switch ? "switch" : "host", d->name,
			       m->is_of_switch ? "host" : "switch");
	if (m->is_of_switch && platform && strcmp(platform, m->kind) != 0)
		return err_set(err, "%s is not for %s: it runs %s", m->kind, d->name, platform);
	return true;
}

static int no_such_device(const struct model *m, const char *target)
{
	const char *near = device_near(m, target);

	if (near)
		return complain(EXIT_USAGE, "no device is named \"%s\"; did you mean \"%s\"?", target, near);
	return complain(EXIT_USAGE, "no device is named \"%s\"", target);
}

static int emit_target(struct cli *cli, const struct manifest *m, const char *target)
{
	int code = EXIT_DONE, done;
	struct err err = { "" };
	struct session *s = read_fabric(cli, &code);
	const struct device *d = s ? model_find_device(session_model(s), target) : NULL;

	if (!s)
		return code;
	if (d && !fits(m, d, session_inventory(s), &err))
		done = complain(EXIT_USAGE, "%s", err.text);
	else if (d)
		done = print(cli, m, &(struct manifest_scene){ .policy = session_policy(s), .model = session_model(s), .device = d,
							    .links = session_links(s) });
	else
		done = no_such_device(session_model(s), target);
	read_fabric_done(cli, s);
	return done != EXIT_DONE ? done : code;
}

static int no_such_kind(const char *kind)
{
	struct fuzzy_nearest nearest = { .typed = kind };

	for (size_t i = 0; i < manifest_count; i++)
		fuzzy_try(&nearest, manifest_table[i].kind);
	if (nearest.word)
		return complain(EXIT_USAGE, "no manifest \"%s\"; did you mean \"%s\"?", kind, nearest.word);
	return complain(EXIT_USAGE, "no manifest \"%s\"; fabcon emit list shows them", kind);
}

int cmd_emit(struct cli *cli)
{
	const struct manifest *m = cli->n_args ? manifest_find(cli->args[0]) : NULL;

	if (cli->list || (cli->n_args && !strcmp(cli->args[0], "list")))
		return emit_list(cli);
	if (!m)
		return no_such_kind(cli->args[0]);
	if (cli->n_args > 2)
		return complain(EXIT_USAGE, "one target, not \"%s\" too", cli->args[2]);
	return cli->n_args == 2 ? emit_target(cli, m, cli->args[1]) : emit_policy(cli, m);
}
