/* Ansible's INI, as its plugins/inventory/ini.py reads it (core 2.14): line by line, words as shlex splits them. */
#include "core/inventory/draft.h"
#include "core/inventory/literal.h"

#include <ctype.h>
#include <stdlib.h>

enum state { STATE_HOSTS, STATE_VARS, STATE_CHILDREN };

struct reading {
	struct draft *d;
	const char *file;
	unsigned line;
	struct err *err;
	struct draft_group *g;
	enum state state;
	struct buf word;
};

static bool complain(struct reading *r, const char *what, struct span value)
{
	return err_set(r->err, "%s:%u: %s: %.*s", r->file, r->line, what, (int)(value.n < 80 ? value.n : 80), value.p ? value.p : "");
}

/* -- words -- */

/*
 * The next word as Python's shlex takes it (posix, comments): quotes, backslashes, and # begins a comment wherever it stands
 * outside of quotes. False at the end, or (and *bad) when a quote is not closed.
 */
static bool take_word(struct span *rest, struct buf *word, bool *bad)
{
	bool any = false;
	char quote = 0;

	buf_clear(word);
	while (rest->n && isspace((unsigned char)*rest->p))
		rest->p++, rest->n--;
	for (; rest->n; rest->p++, rest->n--) {
		char c = *rest->p;

		if (!quote && (isspace((unsigned char)c) || c == '#'))
			break;
		if (quote == c) {
			quote = 0;
		} else if (!quote && (c == '"' || c == '\'')) {
			quote = c;
			any = true;
		} else if (c == '\\' && quote != '\'') {
			if (rest->n < 2)
				break;
			if (quote && rest->p[1] != '"' && rest->p[1] != '\\')
				buf_add(word, "\\", 1);
			buf_add(word, rest->p + 1, 1);
			rest->p++, rest->n--;
		} else {
			buf_add(word, &c, 1);
		}
	}
	*bad = quote || (rest->n == 1 && *rest->p == '\\');
	if (rest->n && *rest->p == '#')
		rest->n = 0;
	buf_str(word, "");
	return !*bad && (word->n || any);
}

/* -- values -- */

/* A text between quotes with nothing to undo inside, and at most a comment after it. */
static bool unquote(struct span text, struct span *inner)
{
	const char *end = text.n > 1 && (*text.p == '"' || *text.p == '\'') ? memchr(text.p + 1, *text.p, text.n - 1) : NULL;
	struct span after;

	if (!end || memchr(text.p, '\\', text.n))
		return false;
	after = span_trim((struct span){ end + 1, text.n - (size_t)(end + 1 - text.p) });
	*inner = (struct span){ text.p + 1, (size_t)(end - text.p - 1) };
	return !after.n || *after.p == '#';
}

/* A whole number without leading zeros, as it is printed again; a comment after it is Python's and falls away. */
static bool is_number(struct span text, struct span *number)
{
	uint64_t value;
	struct span rest = text, after;

	if (!span_take_u64(&rest, &value))
		return false;
	*number = (struct span){ text.p, text.n - rest.n };
	after = span_trim(rest);
	return (number->n == 1 || *number->p != '0') && (!after.n || *after.p == '#');
}

/* The value that ini.py's literal_eval gives: of most words the word itself. */
static struct said said_of(struct reading *r, struct span text)
{
	struct said said = { .is = SAID_TEXT, .file = r->file, .line = r->line };
	struct span inner;

	said.text = draft_keep(r->d, text);
	if (span_is(text, "None"))
		said.is = SAID_NOTHING;
	else if (is_number(text, &inner) || unquote(text, &inner))
		said.text = draft_keep(r->d, inner);
	else if (text.n && literal_python_converts(said.text))
		said.is = SAID_OTHER;
	return said;
}

/* -- lines -- */

struct at_host {
	struct reading *r;
	struct span name;
	struct said said;
};

static bool set_one(void *ctx, struct draft_host *h)
{
	struct at_host *at = ctx;
	char *name = xstrndup(at->name.p, at->name.n);

	draft_set(at->r->d, &h->own, name, at->said);
	free(name);
	return true;
}

static bool nothing(void *ctx, struct draft_host *h)
{
	(void)ctx;
	(void)h;
	return true;
}

static bool host_line(struct reading *r, struct span line)
{
	struct span rest = line, value;
	struct at_host at = { .r = r };
	bool bad;
	char *pattern;
	bool ok;

	if (!take_word(&rest, &r->word, &bad))
		return complain(r, bad ? "a quote is not closed" : "a host name is required", line);
	pattern = xstrndup(r->word.text, r->word.n);
	ok = draft_pattern(r->d, span_of(pattern), r->file, r->line, r->g, nothing, NULL, r->err);
	while (ok && take_word(&rest, &r->word, &bad)) {
		if (!span_cut(buf_span(&r->word), '=', &at.name, &value)) {
			ok = complain(r, "only NAME=VALUE may follow a host name (in a plain list: one host per line)", buf_span(&r->word));
		} else if (span_is(at.name, "fabcon_cables")) {
			ok = complain(r, "fabcon_cables is supported in YAML or JSON only", at.name);
		} else if (!draft_is_secret(r->d, at.name, r->file, r->line)) {
			at.said = said_of(r, value);
			ok = draft_pattern(r->d, span_of(pattern), r->file, r->line, r->g, set_one, &at, r->err);
		}
	}
	free(pattern);
	return ok && (!bad || complain(r, "a quote is not closed", line));
}

static bool vars_line(struct reading *r, struct span line)
{
	struct span name, value;
	char *copy;
	bool ok;

	if (!span_cut(line, '=', &name, &value))
		return complain(r, "NAME=VALUE is required below [group:vars]", line);
	name = span_trim(name);
	if (draft_is_secret(r->d, name, r->file, r->line))
		return true;
	copy = xstrndup(name.p, name.n);
	ok = draft_group_set(r->d, r->g, &r->g->own, copy, said_of(r, span_trim(value)), r->err);
	free(copy);
	return ok;
}

/* The group of a name, that has to be declared somewhere. */
static struct draft_group *wanted_group(struct reading *r, struct span name)
{
	char *copy = xstrndup(name.p, name.n);
	struct draft_group *g;

	g = HASH_COUNT(r->d->groups) < GROUPS_MAX ? draft_group(r->d, copy) : NULL;
	free(copy);
	if (!g)
		complain(r, "too many groups in the inventory", name);
	else if (!g->is_declared && !g->wanted_line)
		g->wanted_line = r->line;
	return g;
}

static bool child_line(struct reading *r, struct span line)
{
	struct span name = line, rest;
	struct draft_group *child;
	size_t n = strcspn(line.p, " \t");

	name.n = n < line.n ? n : line.n;
	rest = span_trim((struct span){ line.p + name.n, line.n - name.n });
	if (!name.n || memchr(name.p, ':', name.n) || memchr(name.p, ']', name.n) || (rest.n && *rest.p != '#'))
		return complain(r, "a group name is required below [group:children]", line);
	child = wanted_group(r, name);
	if (!child)
		return false;
	if (child == r->g)
		return complain(r, "a group is a child of itself", name);
	draft_child(r->g, child);
	return true;
}

/* "[group]", "[group:vars]", "[group:children]", and a comment. False: it is none; *ok: whether that is no error. */
static bool take_section(struct reading *r, struct span line, bool *ok)
{
	const char *end = line.n && *line.p == '[' ? memchr(line.p, ']', line.n) : NULL;
	struct span inside, name, kind = { 0 }, after;

	*ok = true;
	if (!end)
		return false;
	inside = name = (struct span){ line.p + 1, (size_t)(end - line.p - 1) };
	after = span_trim((struct span){ end + 1, line.n - (size_t)(end + 1 - line.p) });
	if (span_cut(inside, ':', &name, &kind) && (!kind.n || memchr(kind.p, ':', kind.n)))
		name.n = 0;
	for (size_t i = 0; i < inside.n; i++)
		if (isspace((unsigned char)inside.p[i]))
			name.n = 0;
	if (!name.n || (after.n && *after.p != '#')) {
		*ok = line.p[line.n - 1] != ']' || complain(r, "not a section ([group], [group:vars], [group:children])", line);
		return !*ok;
	}
	r->state = span_is(kind, "vars") ? STATE_VARS : span_is(kind, "children") ? STATE_CHILDREN : STATE_HOSTS;
	if (kind.n && !span_is(kind, "vars") && !span_is(kind, "children") && !span_is(kind, "hosts"))
		return *ok = complain(r, "not a section ([group], [group:vars], [group:children])", line), true;
	r->g = wanted_group(r, name);
	*ok = r->g != NULL;
	if (r->g && r->state != STATE_VARS)
		r->g->is_declared = true;
	return true;
}

static bool one_line(struct reading *r, struct span line)
{
	bool ok;

	if (take_section(r, line, &ok))
		return ok;
	switch (r->state) {
	case STATE_VARS:
		return vars_line(r, line);
	case STATE_CHILDREN:
		return child_line(r, line);
	case STATE_HOSTS:
		break;
	}
	return host_line(r, line);
}

bool draft_read_ini(struct draft *d, struct span text, const char *file, struct err *err)
{
	struct reading r = { .d = d, .file = file, .err = err, .g = draft_group(d, "ungrouped") };
	char *copy = xstrndup(text.p ? text.p : "", text.n);
	struct span rest = { copy, strlen(copy) }, line;
	bool ok = true;

	d->is_ansible = true;
	while (ok && span_line(&rest, &line)) {
		r.line++;
		line = span_trim(line);
		if (line.n && *line.p != '#' && *line.p != ';')
			ok = one_line(&r, line);
	}
	for (struct draft_group *g = d->groups; ok && g; g = g->hh.next) {
		r.line = g->wanted_line;
		ok = g->is_declared || !g->wanted_line || complain(&r, "no section declares this group", span_of(g->name));
	}
	buf_done(&r.word);
	free(copy);
	return ok;
}
