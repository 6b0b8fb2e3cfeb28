/* What changes a SONiC switch: config, sonic-db-cli, and sonic-cfggen, which prints it. */
#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/sonic/click.h"
#include "remote/lab/sonic/config_db.h"
#include "remote/lab/sonic/tools.h"

static void print_json(const json_t *what, struct buf *out)
{
	char *text = json_dumps(what, JSON_INDENT(4) | JSON_SORT_KEYS);

	buf_printf(out, "%s\n", text ? text : "{}");
	free(text);
}

int tool_sonic_cfggen(struct tool_call *t)
{
	for (int i = 1; i < t->argc; i++)
		if (is_word(t->argv[i], "--print-data")) {
			print_json(confdb_of(t->device), t->out);
			return 0;
		}
	return 0;
}

/* "3" joins or leaves "3,4". */
static void set_priority(struct tool_call *t, const char *port, unsigned priority, bool on)
{
	const char *now = confdb_get(confdb_of(t->device), "PORT_QOS_MAP", port, "pfc_enable");
	struct buf text = { NULL };

	for (unsigned i = 0; i < 8; i++) {
		bool is_on = now && strchr(now, '0' + i);

		if (i == priority ? on : is_on)
			buf_printf(&text, "%s%u", text.n ? "," : "", i);
	}
	confdb_set(confdb_of(t->device), "PORT_QOS_MAP", port, "pfc_enable", text.text ? text.text : "");
	buf_done(&text);
	t->is_changed = true;
}

/* config interface pfc priority PORT PRIORITY on|off */
static int config_pfc(struct tool_call *t)
{
	unsigned priority;

	if (t->argc < 7) {
		buf_str(t->errors, "Usage: config interface pfc priority [OPTIONS] <interface_name> <priority> <status>\n");
		return 2;
	}
	if (!tool_port(t, t->argv[4])) {
		buf_printf(t->out, "Cannot find interface %s\n", t->argv[4]);
		return 0;
	}
	if (sscanf(t->argv[5], "%u", &priority) != 1 || priority > 7) {
		buf_printf(t->errors, "Error: Invalid value for \"priority\": invalid choice: %s. "
			   "(choose from 0, 1, 2, 3, 4, 5, 6, 7)\n", t->argv[5]);
		return 2;
	}
	set_priority(t, t->argv[4], priority, is_word(t->argv[6], "on"));
	t->argc = 5;	/* the table of that port follows */
	tool_pfc_priority(t);
	return 0;
}

/* The port that is the last word but `after` of a "config interface" command; NULL when the command is refused. */
static const char *interface_name(struct tool_call *t, int at)
{
	if (t->argc > at && tool_port(t, t->argv[at]))
		return t->argv[at];
	buf_str(t->errors, "Error: Interface name is invalid. Please enter a valid interface name!!\n");
	return NULL;
}

static int config_mtu(struct tool_call *t)
{
	const char *port = interface_name(t, 3);
	uint64_t mtu;

	if (!port)
		return 2;
	if (t->argc < 5 || !span_u64(span_of(t->argv[4]), &mtu) || mtu < 68 || mtu > 9216) {
		buf_str(t->errors, "Error: Invalid value for \"interface_mtu\"\n");
		return 2;
	}
	confdb_set(confdb_of(t->device), "PORT", port, "mtu", t->argv[4]);
	t->is_changed = true;
	return 0;
}

static int config_admin(struct tool_call *t)
{
	const char *port = interface_name(t, 3);

	if (!port)
		return 2;
	confdb_set(confdb_of(t->device), "PORT", port, "admin_status", is_word(t->argv[2], "startup") ? "up" : "down");
	t->is_changed = true;
	return 0;
}

static int config_interface(struct tool_call *t)
{
	static const struct {
		const char *word;
		int (*run)(struct tool_call *t);
	} rows[] = {
		{ "pfc", config_pfc }, { "mtu", config_mtu }, { "startup", config_admin }, { "shutdown", config_admin },
	};

	for (size_t i = 0; t->argc > 2 && i < sizeof(rows) / sizeof(*rows); i++)
		if (is_word(t->argv[2], rows[i].word))
			return rows[i].run(t);
	return click_refuse(t, 2, true, "No such command \"%s\".", t->argc > 2 ? t->argv[2] : "");
}

int tool_sonic_config(struct tool_call *t)
{
	const char *first = t->argc > 1 ? t->argv[1] : "";
	int status = sonic_updater(t);

	if (status >= 0)
		return status;
	if (is_word(first, "interface"))
		return config_interface(t);
	if (is_word(first, "ecn")) {
		t->argv++;
		t->argc--;
		return tool_ecnconfig(t);
	}
	return click_refuse(t, 1, true, "No such command \"%s\".", first);
}

/* -- sonic-db-cli CONFIG_DB hgetall|hget|hset|hdel|keys -- */

static int db_get_all(struct tool_call *t, const json_t *row)
{
	const char *field;
	json_t *text;
	bool is_first = true;

	buf_str(t->out, "{");
	json_object_foreach((json_t *)row, field, text) {
		buf_printf(t->out, "%s'%s': '%s'", is_first ? "" : ", ", field, json_string_value(text));
		is_first = false;
	}
	buf_str(t->out, "}\n");
	return 0;
}

static int db_keys(struct tool_call *t, const char *pattern)
{
	const char *table, *key;
	json_t *rows, *row;
	size_t n = strcspn(pattern, "*");

	json_object_foreach(confdb_of(t->device), table, rows)
		json_object_foreach(rows, key, row) {
			char full[160];

			snprintf(full, sizeof(full), "%s|%s", table, key);
			if (pattern[n] ? !strncmp(full, pattern, n) : !strcmp(full, pattern))
				buf_printf(t->out, "%s\n", full);
		}
	return 0;
}

int tool_sonic_db_cli(struct tool_call *t)
{
	char table[64];
	const char *verb, *bar;
	json_t *row;

	if (t->argc < 4 || strcmp(t->argv[1], "CONFIG_DB")) {
		buf_str(t->errors, "Invalid database name or arguments\n");
		return 1;
	}
	verb = t->argv[2];
	if (is_word(verb, "keys") || is_word(verb, "KEYS"))
		return db_keys(t, t->argv[3]);
	bar = strchr(t->argv[3], '|');
	if (!bar) {
		buf_str(t->out, "{}\n");
		return 0;
	}
	snprintf(table, sizeof(table), "%.*s", (int)(bar - t->argv[3]), t->argv[3]);
	row = json_object_get(json_object_get(confdb_of(t->device), table), bar + 1);
	if (is_word(verb, "hgetall") || is_word(verb, "HGETALL"))
		return db_get_all(t, row);
	if ((is_word(verb, "hget") || is_word(verb, "HGET")) && t->argc > 4) {
		const char *text = json_string_value(json_object_get(row, t->argv[4]));

		buf_printf(t->out, "%s\n", text ? text : "");
		return 0;
	}
	for (int i = 4; i + 1 < t->argc && (is_word(verb, "hset") || is_word(verb, "HSET")); i += 2)
		confdb_set(confdb_of(t->device), table, bar + 1, t->argv[i], t->argv[i + 1]);
	for (int i = 4; i < t->argc && (is_word(verb, "hdel") || is_word(verb, "HDEL")); i++)
		confdb_set(confdb_of(t->device), table, bar + 1, t->argv[i], NULL);
	buf_printf(t->out, "%d\n", (t->argc - 4) / 2);
	t->is_changed = true;
	return 0;
}
