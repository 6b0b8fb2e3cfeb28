#include "tui/session/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <yaml.h>

#include "tui/text/files.h"

void config_init(struct config *c)
{
	memset(c, 0, sizeof(*c));
	c->settings = xcalloc(option_count, sizeof(*c->settings));
}

void config_done(struct config *c)
{
	arena_done(&c->texts);
	free(c->settings);
	free(c->problems);
	memset(c, 0, sizeof(*c));
}

static const char *keep(struct config *c, const char *text)
{
	return arena_text(&c->texts, text, strlen(text));
}

static void problem(struct config *c, const char *text)
{
	const char **p = GROW(c->problems, c->n_problems, c->cap_problems);

	*p = keep(c, text);
	c->n_problems++;
}

/* "~/gpu.yml" as the shell would have read it. */
static const char *from_home(struct config *c, const char *value)
{
	const char *home = getenv("HOME"), *kept;
	char *path;

	if (strncmp(value, "~/", 2) || !home)
		return keep(c, value);
	path = xasprintf("%s%s", home, value + 1);
	kept = keep(c, path);
	free(path);
	return kept;
}

static const struct option_row *option_named(const char *name)
{
	for (size_t i = 0; i < option_count; i++)
		if (!strcmp(option_table[i].name, name))
			return &option_table[i];
	return NULL;
}

/* -- guards -- */

static bool is_of_command_line(const struct setting *s)
{
	return s->value && !strncmp(s->from, "--", 2);
}

static bool has_word(const char *words, const char *value)
{
	struct span rest = span_of(words), word;

	while (span_word(&rest, &word))
		if (span_is_nocase(word, value))
			return true;
	return false;
}

/* Said before and held; a later word of the same meaning changes nothing. */
static bool is_held(const struct setting *before, const struct option_row *row, const char *value)
{
	if (!row->stays || !before->value || is_of_command_line(before) || !strcmp(before->value, value))
		return false;
	return !*row->stays || (has_word(row->stays, before->value) && !has_word(row->stays, value));
}

static bool may_replace(const struct config *c, const struct option_row *row, const char *value, const char *from, struct err *err)
{
	const struct setting *before = &c->settings[row - option_table];

	return !is_held(before, row, value) ||
	       err_set(err, "%.120s: %s is set by %.150s (%.100s) and not replaced: change it there", from, row->name, before->from,
		       before->value);
}

/* Whose signatures count is said where they are demanded, not by whoever brings one. */
static bool may_name_signers(const struct config *c, const struct option_row *row, const char *from, struct err *err)
{
	const struct setting *demand = &c->settings[option_named("approval") - option_table];

	if (row != option_named("approvers") || c->settings[row - option_table].value || !demand->value ||
	    is_of_command_line(demand) || strcmp(demand->value, "signature") != 0)
		return true;
	return err_set(err, "%.120s: %.150s demands signatures (approval: signature): name the allowed signers in a configuration file "
		       "(approvers: FILE), not here", from, demand->from);
}

static bool may_say(const struct config *c, const struct option_row *row, const char *value, const char *from, struct err *err)
{
	return may_replace(c, row, value, from, err) && may_name_signers(c, row, from, err);
}

bool config_may_say(const struct config *c, size_t option, const char *value, struct err *err)
{
	const struct option_row *row = &option_table[option];
	char from[64];

	snprintf(from, sizeof(from), "--%s", row->name);
	return may_say(c, row, value ? value : "yes", from, err);
}

/* -- settings -- */

/* The value is tried on options of nobody first: a wrong one is a problem, and what was set before stays. */
static void set(struct config *c, const struct option_row *row, const char *value, const char *from)
{
	struct cli tried = { 0 };
	const char *whole = from_home(c, value);
	struct err err = { "" };
	char text[sizeof(err.text) + 256];

	if (!may_replace(c, row, whole, from, &err))
		return problem(c, err.text);
	if (row->take(&tried, value, &err)) {
		c->settings[row - option_table] = (struct setting){ whole, keep(c, from) };
		return;
	}
	snprintf(text, sizeof(text), "%.200s: %s", from, err.text);
	problem(c, text);
}

/* -- a file -- */

struct reading {
	struct config *c;
	yaml_document_t *doc;
	const char *file;
	struct bindings keys;	/* taken when all of them can be used */
	bool keys_are_wrong;
};

/* "file:line", in one of a few places that take turns. */
static const char *place(const struct reading *r, const yaml_node_t *node)
{
	static char text[200];

	snprintf(text, sizeof(text), "%.150s:%zu", r->file, node ? node->start_mark.line + 1 : 1);
	return text;
}

static void wrong(struct reading *r, const yaml_node_t *node, const char *what, const char *word)
{
	char text[512];

	snprintf(text, sizeof(text), "%s: %s%.60s", place(r, node), what, word);
	problem(r->c, text);
}

/* A scalar without a zero byte in it, or NULL. */
static const char *scalar(const yaml_node_t *node)
{
	const char *text = node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;

	return text && strlen(text) == node->data.scalar.length ? text : NULL;
}

/* The signers' file of a configuration file is beside it: a copy in the folder where somebody stands is another one. */
static const char *beside(struct reading *r, const struct option_row *row, const char *text)
{
	const char *slash = strrchr(r->file, '/'), *kept;
	char *path;

	if (row != option_named("approvers") || *text == '/' || *text == '~' || !slash)
		return text;
	path = xasprintf("%.*s/%s", (int)(slash - r->file), r->file, text);
	kept = keep(r->c, path);
	free(path);
	return kept;
}

static void read_option(struct reading *r, const char *name, const yaml_node_t *key, const yaml_node_t *value)
{
	const struct option_row *row = option_named(name);
	const char *text = scalar(value);

	if (!row)
		wrong(r, key, "no such option (fabcon --help lists them; keys: is also allowed): ", name);
	else if (row->each_time)
		wrong(r, key, "must be given on the command line each time, not here: ", name);
	else if (!text || !*text)
		wrong(r, key, "one value is required for ", name);
	else
		set(r->c, row, beside(r, row, text), place(r, key));
}

static void read_binding(struct reading *r, const yaml_node_t *key, const yaml_node_t *value)
{
	struct span words[KEY_CODES + 1];
	const char *name = scalar(key);
	struct err err = { "" };
	size_t n = 0;

	if (scalar(value)) {
		words[n++] = span_of(scalar(value));
	} else if (value && value->type == YAML_SEQUENCE_NODE) {
		for (yaml_node_item_t *i = value->data.sequence.items.start; i < value->data.sequence.items.top; i++) {
			const char *word = scalar(yaml_document_get_node(r->doc, *i));

			if (n <= KEY_CODES)
				words[n++] = span_of(word ? word : "");
		}
	}
	if (!name || !value || value->type == YAML_MAPPING_NODE)
		err_set(&err, "%s: a command and its keys are required: \"explain: [x, F7]\"", place(r, key));
	if (*err.text || !bindings_set(&r->keys, span_of(name), words, n, place(r, key), &err)) {
		problem(r->c, err.text);
		r->keys_are_wrong = true;
	}
}

/* All of a file's keys or none: half of them could leave a person without the key that another one took. */
static void read_keys(struct reading *r, const yaml_node_t *map)
{
	struct err err;

	if (!map || map->type != YAML_MAPPING_NODE) {
		wrong(r, map, "keys: is a mapping of commands: \"explain: [x, F7]\"", "");
		return;
	}
	for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++)
		read_binding(r, yaml_document_get_node(r->doc, p->key), yaml_document_get_node(r->doc, p->value));
	if (r->keys_are_wrong)
		return;
	if (bindings_check(&r->keys, &err))
		r->c->keys = r->keys;
	else
		problem(r->c, err.text);
}

static void read_document(struct reading *r)
{
	yaml_node_t *root = yaml_document_get_root_node(r->doc);

	if (!root)
		return;		/* empty, or comments alone */
	if (root->type != YAML_MAPPING_NODE) {
		wrong(r, root, "a configuration is a mapping: \"theme: light\"", "");
		return;
	}
	for (yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top; p++) {
		yaml_node_t *key = yaml_document_get_node(r->doc, p->key), *value = yaml_document_get_node(r->doc, p->value);
		const char *name = scalar(key);

		if (!name)
			wrong(r, key, "an option name is required", "");
		else if (!strcmp(name, "keys"))
			read_keys(r, value);
		else
			read_option(r, name, key, value);
	}
}

void config_read(struct config *c, struct span text, const char *file)
{
	struct reading r = { .c = c, .file = file, .keys = c->keys };
	yaml_parser_t parser;
	yaml_document_t doc;

	if (text.n > CONFIG_MAX_BYTES) {
		wrong(&r, NULL, "larger than 1 MiB; not read", "");
		return;
	}
	if (!yaml_parser_initialize(&parser))
		return;
	yaml_parser_set_input_string(&parser, (const unsigned char *)(text.p ? text.p : ""), text.n);
	if (yaml_parser_load(&parser, &doc)) {
		r.doc = &doc;
		read_document(&r);
		yaml_document_delete(&doc);
	} else {
		char where[200];

		snprintf(where, sizeof(where), "%.150s:%zu: ", file, parser.problem_mark.line + 1);
		snprintf(where + strlen(where), sizeof(where) - strlen(where), "%s", parser.problem ? parser.problem : "not YAML");
		problem(c, where);
	}
	yaml_parser_delete(&parser);
}

/* -- the usual places -- */

#define SITE_FOLDER	"/etc/fabcon"
#define SITE_FILE	SITE_FOLDER "/config.yaml"

/* One that may not be looked at is there all the same. */
static bool is_missing(const char *file)
{
	return access(file, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

/* Where the machine has one, a variable puts no other in its place. */
char *config_site_file(void)
{
	const char *site = getenv("FABCON_SITE");

	return xasprintf("%s/config.yaml", site && *site == '/' && is_missing(SITE_FILE) ? site : SITE_FOLDER);
}

char *config_own_file(void)
{
	return config_path("config.yaml");
}

static void read_if_there(struct config *c, char *path)
{
	struct buf text = { 0 };
	struct err err;

	if (path && access(path, F_OK) == 0) {
		if (file_read(path, &text, &err))
			config_read(c, buf_span(&text), path);
		else
			problem(c, err.text);
	}
	buf_done(&text);
	free(path);
}

void config_variable(const char *option, char out[64])
{
	size_t n = (size_t)snprintf(out, 64, "FABCON_");

	for (const char *c = option; *c && n < 63; c++)
		out[n++] = (char)(*c == '-' ? '_' : *c >= 'a' && *c <= 'z' ? *c - 32 : *c);
	out[n] = '\0';
}

void config_read_usual(struct config *c)
{
	char name[64];

	read_if_there(c, config_site_file());
	read_if_there(c, config_own_file());
	for (size_t i = 0; i < option_count; i++) {
		struct err err = { "" };
		const char *value;

		config_variable(option_table[i].name, name);
		value = getenv(name);
		if (!value || !*value || option_table[i].each_time)
			continue;
		if (may_name_signers(c, &option_table[i], name, &err))
			set(c, &option_table[i], value, name);
		else
			problem(c, err.text);
	}
}

void config_apply(const struct config *c, struct cli *cli)
{
	struct err err;

	for (size_t i = 0; i < option_count; i++)
		if (c->settings[i].value)
			option_table[i].take(cli, c->settings[i].value, &err);
}

void config_said(struct config *c, size_t option, const char *value)
{
	char from[64];

	snprintf(from, sizeof(from), "--%s", option_table[option].name);
	c->settings[option] = (struct setting){ keep(c, value ? value : "yes"), keep(c, from) };
}

/* -- writing -- */

/* A value as YAML: plain where that cannot be anything else. */
static void write_value(struct buf *out, const char *value)
{
	bool is_plain = *value && strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-") ==
				  strlen(value) && *value != '-';

	if (is_plain) {
		buf_str(out, value);
		return;
	}
	buf_str(out, "'");
	for (const char *c = value; *c; c++)
		buf_add(out, *c == '\'' ? "''" : c, *c == '\'' ? 2 : 1);
	buf_str(out, "'");
}

static void write_line(struct buf *out, const char *option, const char *value, struct span comment)
{
	buf_printf(out, "%s: ", option);
	write_value(out, value);
	if (comment.n)
		buf_add(out, comment.p, comment.n);
	buf_str(out, "\n");
}

/* " # why" at the end of a line, with its blank. */
static struct span comment_of(struct span line)
{
	const char *hash = span_find(line, " #");

	return hash ? (struct span){ hash, line.n - (size_t)(hash - line.p) } : (struct span){ "", 0 };
}

static bool is_as_wanted(struct span text, const char *option, const char *value)
{
	struct config c;
	const char *now;
	bool ok;

	config_init(&c);
	config_read(&c, text, "");
	now = c.settings[option_named(option) - option_table].value;
	ok = now && !strcmp(now, value);
	config_done(&c);
	return ok;
}

bool config_set(struct span text, const char *option, const char *value, struct buf *out, struct err *err)
{
	struct span rest = text, line, name, was;
	bool is_done = false;

	buf_clear(out);
	while (span_line(&rest, &line)) {
		if (span_cut(line, ':', &name, &was) && span_is(name, option)) {
			if (!is_done)
				write_line(out, option, value, comment_of(was));
			is_done = true;
			continue;
		}
		buf_add(out, line.p, line.n);
		buf_str(out, "\n");
	}
	if (!is_done)
		write_line(out, option, value, (struct span){ "", 0 });
	return is_as_wanted(buf_span(out), option, value) ||
	       err_set(err, "%s cannot be set in this file automatically; add the line \"%s: %s\" by hand", option, option, value);
}
