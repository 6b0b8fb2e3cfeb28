/* SONiC's pfcwd: what guards ports against pause storms, and how often it looks. */
#include <stdlib.h>

#include "remote/lab/sonic/click.h"
#include "remote/lab/sonic/config_db.h"
#include "remote/lab/sonic/tools.h"

/* What "start" and "interval" were told. */
struct wish {
	const char *action, *detect_ms, *restore_ms;
};

static int complain_of(struct tool_call *t, const char *what, const char *word)
{
	buf_printf(t->errors, "Usage: pfcwd [OPTIONS] COMMAND [ARGS]...\n\nError: Invalid value for \"%s\": %s\n", what, word ? word : "");
	return 2;
}

static bool is_ms(const char *text, uint64_t least, uint64_t most)
{
	uint64_t n;

	return text && span_u64(span_of(text), &n) && n >= least && n <= most;
}

static bool read_option(struct wish *w, const char *word, const char *value)
{
	if (is_word(word, "--action") || is_word(word, "-a"))
		w->action = value;
	else if (is_word(word, "--restoration-time") || is_word(word, "-r"))
		w->restore_ms = value;
	else
		return false;
	return true;
}

/* pfcwd start --action drop Ethernet0 200 --restoration-time 400: ports, or all of them, then a number. */
static int start(struct tool_call *t)
{
	struct wish w = { .action = "drop" };
	bool is_any = false, is_usual = is_word(t->argv[1], "start_default");

	for (int i = 2; i < t->argc; i++) {
		if (i + 1 < t->argc && read_option(&w, t->argv[i], t->argv[i + 1]))
			i++;
		else if (tool_port(t, t->argv[i]) || is_word(t->argv[i], "all"))
			is_any |= !is_word(t->argv[i], "all");
		else
			w.detect_ms = t->argv[i];
	}
	if (is_usual)
		w.detect_ms = w.restore_ms = "200";
	if (!is_word(w.action, "drop") && !is_word(w.action, "forward") && !is_word(w.action, "alert"))
		return complain_of(t, "action", w.action);
	if (!is_ms(w.detect_ms, 100, 5000))
		return complain_of(t, "detection_time", w.detect_ms);
	if (w.restore_ms && !is_ms(w.restore_ms, 100, 60000))
		return complain_of(t, "restoration_time", w.restore_ms);
	for (unsigned i = 0; i < t->device->n; i++) {
		const char *name = t->fabric->ports[t->device->first + i].name;
		bool is_named = !is_any;

		for (int k = 2; k < t->argc; k++)
			is_named |= is_word(t->argv[k], name);
		if (!is_named)
			continue;
		confdb_set(confdb_of(t->device), "PFC_WD", name, "action", w.action);
		confdb_set(confdb_of(t->device), "PFC_WD", name, "detection_time", w.detect_ms);
		confdb_set(confdb_of(t->device), "PFC_WD", name, "restoration_time", w.restore_ms ? w.restore_ms : w.detect_ms);
	}
	t->is_changed = true;
	return 0;
}

static int stop(struct tool_call *t)
{
	json_t *rows = json_object_get(confdb_of(t->device), "PFC_WD");

	for (unsigned i = 0; i < t->device->n; i++) {
		const char *name = t->fabric->ports[t->device->first + i].name;
		bool is_named = t->argc < 3;

		for (int k = 2; k < t->argc; k++)
			is_named |= is_word(t->argv[k], name);
		if (is_named)
			json_object_del(rows, name);
	}
	t->is_changed = true;
	return 0;
}

static int interval(struct tool_call *t)
{
	if (t->argc < 3 || !is_ms(t->argv[2], 100, 3000))
		return complain_of(t, "poll_interval", t->argc > 2 ? t->argv[2] : NULL);
	confdb_set(confdb_of(t->device), "PFC_WD", "GLOBAL", "POLL_INTERVAL", t->argv[2]);
	t->is_changed = true;
	return 0;
}

/* As "show pfcwd …". */
static int show(struct tool_call *t)
{
	char *words[] = { "show", "pfcwd", t->argc > 2 ? t->argv[2] : "config", NULL };
	struct tool_call again = *t;

	again.argv = words;
	again.argc = 3;
	return tool_sonic_show(&again);
}

int tool_pfcwd(struct tool_call *t)
{
	static const struct {
		const char *word;
		int (*run)(struct tool_call *t);
	} rows[] = {
		{ "show", show }, { "start", start }, { "start_default", start }, { "stop", stop }, { "interval", interval },
	};

	for (size_t i = 0; t->argc > 1 && i < sizeof(rows) / sizeof(*rows); i++)
		if (is_word(t->argv[1], rows[i].word))
			return rows[i].run(t);
	return click_refuse(t, 1, true, "No such command \"%s\".", t->argc > 1 ? t->argv[1] : "");
}
