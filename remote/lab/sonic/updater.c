/* What SONiC's config does to CONFIG_DB as a whole: patches, checkpoints, saving. */
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/sonic/config_db.h"
#include "remote/lab/sonic/dress.h"
#include "remote/lab/sonic/patch.h"
#include "remote/lab/sonic/tools.h"

static int fail(struct tool_call *t, const char *what, const char *why)
{
	buf_printf(t->errors, "%s due to: %s\nUsage: config %s [OPTIONS]\nTry \"config %s -h\" for help.\n\nError: %s\n", what, why,
		   t->argv[1], t->argv[1], why);
	return 2;
}

static void take_over(struct tool_call *t, json_t *db)
{
	confdb_replace(t->device, db);
	t->is_changed = true;
}

/* Words that are no options; the n-th after the command's own, from 0. */
static const char *word_of(const struct tool_call *t, unsigned n)
{
	for (int i = 2; i < t->argc; i++)
		if (t->argv[i][0] != '-' && !n--)
			return t->argv[i];
	return NULL;
}

static int apply_patch(struct tool_call *t)
{
	const char *path = word_of(t, 0), *text = word_of(t, 1);
	char missing[200];
	struct err err;
	json_t *after;

	if (!path) {
		buf_str(t->errors, "Usage: config apply-patch [OPTIONS] PATCH_FILE_PATH\n\n"
			"Error: Missing argument \"PATCH_FILE_PATH\".\n");
		return 2;
	}
	snprintf(missing, sizeof(missing), "[Errno 2] No such file or directory: '%.120s'", path);
	if (!text)
		return fail(t, "Failed to apply patch", missing);
	after = sonic_patched(confdb_of(t->device), text, &err);
	if (!after)
		return fail(t, "Failed to apply patch", err.text);
	take_over(t, after);
	buf_str(t->out, "Patch Applier: localhost: Patch application starting.\nPatch applied successfully.\n");
	return 0;
}

static json_t *checkpoints(struct tool_call *t)
{
	struct sonic_switch *own = sonic_of(t->device);

	if (!own->checkpoints)
		own->checkpoints = json_object();
	return own->checkpoints;
}

static int checkpoint(struct tool_call *t)
{
	const char *name = word_of(t, 0);

	if (!name)
		return fail(t, "Failed to create a config checkpoint", "Missing argument \"CHECKPOINT_NAME\".");
	json_object_set_new(checkpoints(t), name, json_deep_copy(confdb_of(t->device)));
	buf_str(t->out, "Checkpoint created successfully.\n");
	return 0;
}

static const json_t *checkpoint_of(struct tool_call *t, const char *name, char missing[160])
{
	snprintf(missing, 160, "Checkpoint '%.100s' does not exist", name ? name : "");
	return name ? json_object_get(checkpoints(t), name) : NULL;
}

static int rollback(struct tool_call *t)
{
	char missing[160];
	const json_t *was = checkpoint_of(t, word_of(t, 0), missing);

	if (!was)
		return fail(t, "Failed to rollback config", missing);
	take_over(t, json_deep_copy(was));
	buf_str(t->out, "Config rolled back successfully.\n");
	return 0;
}

static int delete_checkpoint(struct tool_call *t)
{
	char missing[160];

	if (!checkpoint_of(t, word_of(t, 0), missing))
		return fail(t, "Failed to delete config checkpoint", missing);
	json_object_del(checkpoints(t), word_of(t, 0));
	buf_str(t->out, "Checkpoint deleted successfully.\n");
	return 0;
}

static int list_checkpoints(struct tool_call *t)
{
	json_t *names = json_array();
	const char *name;
	char *text;
	json_t *db;

	json_object_foreach(checkpoints(t), name, db)
		json_array_append_new(names, json_string(name));
	text = json_dumps(names, JSON_INDENT(4));
	buf_printf(t->out, "%s\n", text ? text : "[]");
	free(text);
	json_decref(names);
	return 0;
}

static bool has_yes(const struct tool_call *t)
{
	for (int i = 2; i < t->argc; i++)
		if (is_word(t->argv[i], "-y") || is_word(t->argv[i], "--yes"))
			return true;
	return false;
}

/* Without -y it asks, and nobody answers here. */
static int save(struct tool_call *t)
{
	if (!has_yes(t)) {
		buf_str(t->out, "Existing files will be overwritten, continue? [y/N]: \nAborted!\n");
		return 1;
	}
	confdb_save(t->device);
	t->is_changed = true;
	buf_str(t->out, "Running command: /usr/local/bin/sonic-cfggen -d --print-data > /etc/sonic/config_db.json\n");
	return 0;
}

static int reload(struct tool_call *t)
{
	if (!has_yes(t)) {
		buf_str(t->out, "Clear current config and reload config in config_db from the default config file(s) ? [y/N]: \n"
			"Aborted!\n");
		return 1;
	}
	confdb_boot(t->device);
	t->is_changed = true;
	return 0;
}

int sonic_updater(struct tool_call *t)
{
	static const struct {
		const char *word;
		int (*run)(struct tool_call *t);
		bool is_new;			/* since 202111 */
	} rows[] = {
		{ "apply-patch", apply_patch, true },		{ "checkpoint", checkpoint, true },
		{ "delete-checkpoint", delete_checkpoint, true }, { "list-checkpoints", list_checkpoints, true },
		{ "rollback", rollback, true },			{ "save", save, false },
		{ "reload", reload, false },
	};

	for (size_t i = 0; t->argc > 1 && i < sizeof(rows) / sizeof(*rows); i++)
		if (is_word(t->argv[1], rows[i].word) && !(rows[i].is_new && sonic_is_old(t->device)))
			return rows[i].run(t);
	return -1;
}
