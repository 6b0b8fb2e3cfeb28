/* The formats of an inventory, told apart by what the text holds; each is read into a draft, and the draft is settled. */

#include "core/inventory/draft.h"

enum format { FORMAT_YAML, FORMAT_INI, FORMAT_CSV, FORMAT_LIST, FORMAT_VAULT, FORMAT_PROGRAM };

/* "key:" and "key: value", "---" and "- item". An INI line with a port has no blank after its colon. */
static bool is_yaml_line(struct span line)
{
	const char *colon = memchr(line.p, ':', line.n);
	size_t key = colon ? (size_t)(colon - line.p) : 0;

	if (span_starts(line, "---") || span_is(line, "-") || span_starts(line, "- ") || strchr("{%\"'", *line.p))
		return true;
	return colon && (key + 1 == line.n || colon[1] == ' ' || colon[1] == '\t') && !memchr(line.p, '=', key) &&
	       !memchr(line.p, ' ', key);
}

static bool is_ranged(struct span word)
{
	const char *open = memchr(word.p, '[', word.n), *close = open ? memchr(open, ']', word.n - (size_t)(open - word.p)) : NULL;

	return close && (memchr(open, '-', (size_t)(close - open)) || memchr(open, ',', (size_t)(close - open)));
}

/* What no INI of Ansible has: user@host, ssh://, node[01-16], a,b, [fe80::1] alone, several hosts in a line. */
static bool is_list_line(struct span line)
{
	struct span word, next, inside, after, rest = line;

	if (!span_word(&rest, &word))
		return false;
	if (span_skip(&line, "[") && span_cut(line, ']', &inside, &after) && is_ipv6(inside) && !span_trim(after).n)
		return true;
	if (memchr(word.p, '=', word.n))
		return false;
	return memchr(word.p, '@', word.n) || span_find(word, "://") || is_ranged(word) || memchr(word.p, ',', word.n) ||
	       (span_word(&rest, &next) && *next.p != '#' && !memchr(next.p, '=', next.n));
}

static bool is_section(struct span line)
{
	struct span inside, after;

	return span_skip(&line, "[") && span_cut(line, ']', &inside, &after) && inside.n && !is_ipv6(inside);
}

/* By the first line that says anything; a list is one up to its end. */
static enum format format_of(struct span text)
{
	bool is_first = true, is_list = false;
	struct span line;

	if (span_starts(text, "$ANSIBLE_VAULT;"))
		return FORMAT_VAULT;
	if (span_starts(text, "#!") || span_starts(text, "\x7f""ELF"))
		return FORMAT_PROGRAM;
	while (span_line(&text, &line)) {
		line = span_trim(line);
		if (!line.n || *line.p == '#' || *line.p == ';')
			continue;
		if (is_first && is_yaml_line(line))
			return FORMAT_YAML;
		if (is_first && draft_is_csv(line))
			return FORMAT_CSV;
		is_first = false;
		if (is_section(line))
			return FORMAT_INI;
		is_list |= is_list_line(line);
	}
	return is_first ? FORMAT_YAML : is_list ? FORMAT_LIST : FORMAT_INI;
}

static bool read_program(struct draft *d, const char *file, struct err *err)
{
	d->is_ansible = d->wants_ansible = true;
	return err_set(err, "%s:1: a program that prints the inventory; ansible-inventory runs it: "
		       "fabcon --allow ansible-inventory -i %s", file, d->source);
}

static bool read_vault(struct draft *d, const char *file, struct err *err)
{
	d->is_ansible = d->wants_ansible = true;
	return err_set(err, "%s:1: encrypted by ansible-vault; ansible-inventory reads it: "
		       "fabcon --allow ansible-inventory -i %s", file, d->source);
}

bool draft_read(struct draft *d, struct span text, const char *file, struct err *err)
{
	file = draft_keep(d, span_of(file));
	span_skip(&text, "\xef\xbb\xbf");
	switch (format_of(text)) {
	case FORMAT_YAML:
		return draft_read_yaml(d, text, file, err);
	case FORMAT_INI:
		return draft_read_ini(d, text, file, err);
	case FORMAT_CSV:
		return draft_read_csv(d, text, file, err);
	case FORMAT_LIST:
		return draft_read_list(d, text, file, err);
	case FORMAT_VAULT:
		return read_vault(d, file, err);
	case FORMAT_PROGRAM:
		break;
	}
	return read_program(d, file, err);
}

/* The file's name without folder and ending. */
static const char *stem_of(struct draft *d, const char *file)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');

	return draft_keep(d, (struct span){ base, dot && dot > base ? (size_t)(dot - base) : strlen(base) });
}

bool inventory_read(struct inventory *inv, struct span text, const char *name, struct err *err)
{
	struct draft *d = draft_new(inv, name);
	bool ok;

	d->stem = stem_of(d, name);
	ok = draft_read(d, text, name, err) && draft_settle(d, err) && (inv->n_hosts > 0 || err_set(err, "%s:1: no hosts in it", name));
	draft_free(d);
	return ok;
}

bool inventory_add_range(struct inventory *inv, const char *range, struct err *err)
{
	struct draft *d = draft_new(inv, range);
	bool ok;

	d->stem = draft_keep(d, span_of(range));
	d->is_words = true;
	ok = draft_words(d, span_of(range), NULL, 0, err) && draft_settle(d, err);
	draft_free(d);
	return ok;
}
