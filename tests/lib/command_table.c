#include "tests/lib/command_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER		"tests/fixtures/commands/"

char *last_of(const struct words *w)
{
	return w->n ? w->list[w->n - 1] : NULL;
}

void add_word(struct words *w, char *word)
{
	if (w->n == WORDS_MAX)
		abort();
	w->list[w->n++] = word;
}

/* Splits text, which it changes, at blanks. */
void split(char *text, struct words *w)
{
	char *rest = NULL;

	w->n = 0;
	for (char *word = strtok_r(text, " \t\r\n", &rest); word; word = strtok_r(NULL, " \t\r\n", &rest))
		add_word(w, word);
}

/* -- reading the tables -- */

struct reader {
	struct grammar *g;
	const char *path;
	unsigned line;
	bool has_origin;
};

static void bad_row(const struct reader *in, const char *why)
{
	fprintf(stderr, "%s:%u: %s\n", in->path, in->line, why);
	abort();
}

static struct rule *last_rule(const struct reader *in)
{
	if (!in->g->n_rules)
		bad_row(in, "of no tool");
	return &in->g->rules[in->g->n_rules - 1];
}

/* "<port>..." is two words. */
static void move_words(struct words *to, const struct words *from, size_t first)
{
	for (size_t i = first; i < from->n; i++) {
		size_t n = strlen(from->list[i]);
		bool repeats = n > 3 && !strcmp(from->list[i] + n - 3, "...");

		add_word(to, xstrndup(from->list[i], repeats ? n - 3 : n));
		if (repeats)
			add_word(to, xstrdup("..."));
	}
}

/* "@config>interface interface ethernet <unit>" */
static void read_line(struct reader *in, struct words *w)
{
	struct rule *r = GROW(in->g->rules, in->g->n_rules, in->g->cap_rules);
	bool has_mode = w->n && *w->list[0] == '@';
	char *next = has_mode ? strchr(w->list[0], '>') : NULL;

	in->g->n_rules++;
	if (next)
		*next++ = '\0';
	r->mode = has_mode ? xstrdup(w->list[0] + 1) : NULL;
	r->next = next ? xstrdup(next) : NULL;
	if ((has_mode && mode_of(in->g, r->mode) < 0) || (next && mode_of(in->g, r->next) < 0))
		bad_row(in, "no such mode");
	move_words(&r->words, w, has_mode);
	net_make(&r->net, &r->words);
}

static void read_tool(struct reader *in, struct words *w)
{
	struct rule *r = GROW(in->g->rules, in->g->n_rules, in->g->cap_rules);

	in->g->n_rules++;
	r->is_tool = true;
	move_words(&r->words, w, 0);
	net_make(&r->net, &r->arguments);
}

/* "-i --interface <port> !" */
static void read_option(struct reader *in, struct words *w)
{
	struct rule *r = last_rule(in);
	struct option *o = GROW(r->options, r->n_options, r->cap_options);

	r->n_options++;
	for (size_t i = 0; i < w->n; i++)
		if (*w->list[i] == '-')
			add_word(&o->names, xstrdup(w->list[i]));
		else if (!strcmp(w->list[i], "!"))
			o->is_required = true;
		else
			o->value = xstrdup(w->list[i]);
	if (!o->names.n)
		bad_row(in, "an option without a name");
}

static void read_arguments(struct reader *in, struct words *w)
{
	struct rule *r = last_rule(in);

	move_words(&r->arguments, w, 0);
	free(r->net.edges);
	r->net = (struct net){ NULL };
	net_make(&r->net, &r->arguments);
}

static void read_file(struct reader *in, struct words *w)
{
	struct file *f = GROW(in->g->files, in->g->n_files, in->g->cap_files);

	in->g->n_files++;
	f->path = xstrdup(w->list[0]);
	f->value = w->n > 2 ? xstrdup(w->list[2]) : NULL;
	if (w->n != 1 && (w->n != 3 || strcmp(w->list[1], "=") != 0))
		bad_row(in, "not a file");
}

static void read_mode(struct reader *in, struct words *w)
{
	if (in->g->n_modes == MODES_MAX)
		bad_row(in, "too many modes");
	in->g->modes[in->g->n_modes].name = xstrdup(w->list[0]);
	in->g->modes[in->g->n_modes++].parent = w->n > 1 ? xstrdup(w->list[1]) : NULL;
}

/* Where it was published: repository, path, commit or version. */
static void read_origin(struct reader *in, struct words *w)
{
	if (w->n != 3)
		bad_row(in, "an origin is a repository, a path in it, and a commit or a version");
	in->has_origin = true;
}

static void read_apart(struct reader *in, struct words *w)
{
	struct rule *r = last_rule(in);
	struct words *apart = GROW(r->apart, r->n_apart, r->cap_apart);

	r->n_apart++;
	move_words(apart, w, 0);
}

static void read_others(struct reader *in, struct words *w)
{
	move_words(&last_rule(in)->others, w, 0);
}

static void read_root(struct reader *in, struct words *w)
{
	move_words(&last_rule(in)->root, w, 0);
}

static void read_prints(struct reader *in, struct words *w)
{
	move_words(&last_rule(in)->prints, w, 0);
}

static const struct {
	const char *word;
	void (*read)(struct reader *in, struct words *w);
	bool is_fact;			/* needs an origin */
} row_kinds[] = {
	{ "origin", read_origin, false }, { "mode", read_mode, false },	    { "line", read_line, true },
	{ "tool", read_tool, true },	  { "option", read_option, true },  { "arguments", read_arguments, true },
	{ "file", read_file, true },	  { "apart", read_apart, true },    { "prints", read_prints, true },
	{ "others", read_others, true },  { "root", read_root, true },
};
#define KINDS (sizeof(row_kinds) / sizeof(*row_kinds))

static void read_row(char *const *row, void *of)
{
	struct reader *in = of;
	struct words w = { .n = 0 };
	size_t k = 0;

	in->line++;
	split(row[1], &w);
	while (k < KINDS && strcmp(row_kinds[k].word, row[0]) != 0)
		k++;
	if (k == KINDS || !w.n)
		bad_row(in, row[0]);
	if (row_kinds[k].is_fact && !in->has_origin)
		bad_row(in, "a row without an origin");
	row_kinds[k].read(in, &w);
}

void command_table(const char *path, size_t columns, void (*each)(char *const *row, void *of), void *of)
{
	FILE *f = fopen(path, "r");
	char *line = NULL, *row[8];
	size_t size = 0;

	if (!f || columns > sizeof(row) / sizeof(*row)) {
		fprintf(stderr, "%s cannot be read\n", path);
		abort();
	}
	while (getline(&line, &size, f) > 0) {
		char *at = line + strspn(line, " \t");
		size_t n = 0;

		line[strcspn(line, "\n")] = '\0';
		if (!*at || *at == '#')
			continue;
		for (; n < columns; n++) {
			row[n] = at;
			if (n + 1 == columns)
				break;
			at += strcspn(at, " \t");
			if (*at)
				*at++ = '\0';
			at += strspn(at, " \t");
		}
		each(row, of);
	}
	free(line);
	fclose(f);
}

void read_grammar(struct grammar *g, const char *tables)
{
	struct span rest = span_of(tables), name;

	while (span_word(&rest, &name)) {
		struct reader in = { .g = g };
		char path[128];

		snprintf(path, sizeof(path), FOLDER "%.*s.txt", (int)name.n, name.p);
		in.path = path;
		command_table(path, 2, read_row, &in);
	}
}
