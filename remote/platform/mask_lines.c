#include "remote/platform/mask_lines.h"

#include <ctype.h>

#include "remote/platform/mask_forms.h"
#include "remote/platform/mask_keys.h"
#include "remote/platform/mask_tools.h"

#define TAG_WINDOW	2048	/* an element whose end is not so near is no element, but a word in "<…>" */

/* What stands before a name, read once: a line may be as long as a reply. */
struct before {
	size_t at;
	bool is_first;		/* nothing but blanks and what opens a list or a comment */
	bool has_brace;
	bool in_double, in_single;	/* inside quotes */
};

/* One line, and how far it is read. */
struct scan {
	char *p;
	size_t n, at;
	struct mask_lines *m;
	struct span rest;
	bool is_string;
	struct before before;
};

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'' || c == '`';
}

static size_t skip_blanks(const struct scan *s, size_t i)
{
	while (i < s->n && is_blank(s->p[i]))
		i++;
	return i;
}

/* Behind a name: the quotes and brackets that close it, and blanks. */
static size_t skip_closers(const struct scan *s, size_t i)
{
	while (i < s->n && (is_quote(s->p[i]) || s->p[i] == '\\' || s->p[i] == ']'))
		i++;
	return skip_blanks(s, i);
}

/* Reads on up to at. */
static const struct before *before(struct scan *s, size_t at)
{
	struct before *b = &s->before;

	for (; b->at < at; b->at++) {
		char c = s->p[b->at];
		bool is_escaped = b->at > 0 && s->p[b->at - 1] == '\\';

		b->is_first = b->is_first && (is_blank(c) || c == '-' || c == '#' || c == ';' || is_quote(c));
		b->has_brace = b->has_brace || c == '{' || c == '(';
		b->in_double ^= c == '"' && !is_escaped;
		b->in_single ^= c == '\'' && !is_escaped;
	}
	return b;
}

/* -- where an assigned value ends -- */

/* From i on, "name=": another assignment. */
static bool is_assignment(const struct scan *s, size_t i)
{
	size_t from = i;

	while (i < s->n && is_name_char(s->p[i]))
		i++;
	return i > from && i < s->n && s->p[i] == '=';
}

static size_t quoted_end(const struct scan *s, size_t from, char quote)
{
	for (size_t i = from; i < s->n; i++) {
		if (s->p[i] == '\\' && i + 1 < s->n)
			i++;
		else if (s->p[i] == quote)
			return i;
	}
	return s->n;
}

/* Inside a string that is inside a string: \"value\". */
static size_t escaped_end(const struct scan *s, size_t from)
{
	for (size_t i = from; i + 1 < s->n; i++)
		if (s->p[i] == '\\' && is_quote(s->p[i + 1]))
			return i;
	return s->n;
}

/* A query's "&", a list's "," or "}", the quote around all of it, another assignment: unless the name begins the line. */
static size_t bare_end(struct scan *s, size_t name, size_t from, char sep)
{
	bool in_query = name > 0 && (s->p[name - 1] == '?' || s->p[name - 1] == '&');
	const struct before *b = before(s, name > 0 && is_quote(s->p[name - 1]) ? name - 1 : name);	/* its own quote is closed */

	for (size_t i = from; i < s->n; i++) {
		char c = s->p[i];

		if ((b->in_double && c == '"') || (b->in_single && c == '\'') || (b->has_brace && (c == '}' || c == ',' || c == ')')))
			return i;
		if (in_query && (c == '&' || c == '#' || is_blank(c) || is_quote(c)))
			return i;
		if (!b->is_first && sep == '=' && (is_blank(c) || c == ',' || c == ';') && is_assignment(s, i + 1))
			return i;
	}
	return s->n;
}

struct extent {
	size_t from, to;
};

static struct extent value_at(struct scan *s, size_t name, size_t from, char sep)
{
	if (from + 1 < s->n && s->p[from] == '\\' && is_quote(s->p[from + 1]))
		return (struct extent){ from + 2, escaped_end(s, from + 2) };
	if (from < s->n && is_quote(s->p[from]))
		return (struct extent){ from + 1, quoted_end(s, from + 1, s->p[from]) };
	return (struct extent){ from, bare_end(s, name, from, sep) };
}

/* -- what a name is followed by -- */

/* '=' or ':' behind the name, with *value where the value begins; else '\0'. */
static char separator(const struct scan *s, size_t end, size_t *value)
{
	size_t i = skip_closers(s, end);
	char sep = '\0';

	if (i < s->n && (s->p[i] == '=' || s->p[i] == ':'))
		sep = s->p[i++];
	while (sep && i < s->n && (s->p[i] == '=' || s->p[i] == '>' || s->p[i] == ':'))
		i++;
	*value = skip_blanks(s, i);
	return sep;
}

static size_t indent_of(const struct scan *s, size_t name)
{
	size_t i = skip_blanks(s, 0);

	return i < name && s->p[i] == '-' && i + 1 < name && is_blank(s->p[i + 1]) ? i + 1 : i;
}

/* "key:", "key: |": the value is in the lines below. */
static bool begins_nest(const struct scan *s, size_t value)
{
	if (value + 1 == s->n && (s->p[value] == '{' || s->p[value] == '['))
		return true;
	return value >= s->n || s->p[value] == '|' || s->p[value] == '>' || s->p[value] == '!' || s->p[value] == '&';
}

static void hide_assigned(struct scan *s, struct span name, char sep, size_t value)
{
	size_t at = (size_t)(name.p - s->p);
	struct extent e = value_at(s, at, value, sep);

	if (sep == ':' && !s->is_string && begins_nest(s, value) && before(s, at)->is_first) {
		s->m->is_nested = true;
		s->m->nest = indent_of(s, at);
	}
	if (!mask_keeps(name, (struct span){ s->p + e.from, e.to - e.from }))
		mask_hide(s->p + e.from, s->p + e.to);
	s->at = e.to;
}

/* A list of the device's database, or of arguments: ' 5) "AUTH_PASSWORD"', and its value in the next line. */
static bool is_list_item(const struct scan *s)
{
	size_t i = skip_blanks(s, 0);

	while (i < s->n && isdigit((unsigned char)s->p[i]))
		i++;
	return i < s->n && s->p[i] == ')';
}

/* "password 7 0822": everything behind the word, up to the end of the line. */
static void hide_behind(struct scan *s, struct span name, size_t end)
{
	size_t from = skip_closers(s, end);

	if (from >= s->n)
		s->m->is_next = !s->is_string && is_list_item(s);
	else if (!mask_keeps(name, (struct span){ s->p + from, s->n - from }))
		mask_hide(s->p + from, s->p + s->n);
	s->at = s->n;
}

/* A blank of any kind between words: a control, or the first byte of what is no ASCII. */
static bool divides(char c)
{
	return (unsigned char)c <= ' ' || (unsigned char)c >= 0x7f;
}

static bool is_bare(const struct scan *s, size_t from, size_t end)
{
	char before = from > 0 ? s->p[from - 1] : ' ';
	char behind = end < s->n ? s->p[end] : ' ';

	if (before == '=' && s->p[from] == '-')	/* ARGS=--password x */
		before = ' ';
	if (behind == '/' || (!divides(before) && !is_quote(before) && (!strchr("([{<,;|\\", before) || !before)))
		return false;
	if (behind == ',' || (is_quote(behind) && end + 1 < s->n && s->p[end + 1] == ','))
		return s->p[from] == '-';
	return divides(behind) || is_quote(behind) || behind == '|' || behind == '\\';
}

/* -- "name: DB_PASSWORD", "value: …" -- */

static bool is_one_of(struct span name, const char *words)
{
	char small[12];

	if (name.n == 0 || name.n >= sizeof(small))
		return false;
	for (size_t i = 0; i < name.n; i++)
		small[i] = (char)tolower((unsigned char)name.p[i]);
	return span_is_among((struct span){ small, name.n }, words);
}

static void arm(struct scan *s, struct span name, char sep, size_t value)
{
	struct extent e;

	if (!is_one_of(name, "name key option param field"))
		return;
	e = value_at(s, (size_t)(name.p - s->p), value, sep);
	if (e.to > e.from && mask_key((struct span){ s->p + e.from, e.to - e.from }) == MASK_SECRET)
		s->m->armed = 2;
}

/* "key" of "Actor Key" and "public key" is none: the word before counts. */
static enum mask_key key_of(const struct scan *s, size_t from, size_t end)
{
	struct span name = { s->p + from, end - from };
	enum mask_key key = mask_may_hold(name) ? mask_key(name) : MASK_PLAIN;
	size_t before = from;

	if (key != MASK_SECRET || end - from < 3 || end - from > 4 || from < 2 || s->p[from - 1] != ' ')
		return key;
	for (before = from - 1; before > 0 && is_name_char(s->p[before - 1]);)
		before--;
	return mask_key((struct span){ s->p + before, end - before });
}

static void take_name(struct scan *s, size_t from, size_t end)
{
	struct span name = { s->p + from, end - from };
	enum mask_key key = key_of(s, from, end);
	size_t value;
	char sep = separator(s, end, &value);

	s->at = end;
	if (sep) {
		if (key == MASK_PLAIN && s->m->armed && is_one_of(name, "value val data content string"))
			key = MASK_SECRET;
		arm(s, name, sep, value);
		if (key != MASK_PLAIN)
			hide_assigned(s, name, sep, value);
	} else if (key == MASK_SECRET && is_bare(s, from, end)) {
		hide_behind(s, name, end);
	} else if (mask_behind_method(s->p, s->n, name)) {
		s->at = s->n;
	}
}

/* -- XML -- */

static bool closes(struct span text, struct span tag)
{
	return text.n >= tag.n + 3 && text.p[0] == '<' && text.p[1] == '/' && memcmp(text.p + 2, tag.p, tag.n) == 0;
}

static bool is_closed(struct mask_lines *m, struct span text, struct span tag)
{
	struct span rest = { text.p, text.n < TAG_WINDOW ? text.n : TAG_WINDOW };
	const char *at, *end = rest.p + rest.n;

	if (m->no_close > rest.p)
		rest = m->no_close < end ? (struct span){ m->no_close, (size_t)(end - m->no_close) } : (struct span){ end, 0 };
	if (rest.n && !span_find(rest, "</"))
		m->no_close = end - 1;
	while ((at = span_find(rest, "</"))) {
		rest = (struct span){ at, (size_t)(rest.p + rest.n - at) };
		if (closes(rest, tag))
			return true;
		rest = (struct span){ at + 2, rest.n - 2 };
	}
	return false;
}

/* Attributes of a tag that a secret's element is or holds; to its ">". */
static void hide_attributes(struct scan *s)
{
	while (s->at < s->n && s->p[s->at] != '>') {
		size_t i = s->at;

		s->at++;
		if (is_quote(s->p[i])) {
			s->at = quoted_end(s, i + 1, s->p[i]);
			mask_hide(s->p + i + 1, s->p + s->at);
			s->at += s->at < s->n;
		}
	}
	s->at += s->at < s->n;
}

static void hide_element(struct scan *s)
{
	while (s->at < s->n && s->m->tag.n) {
		char *open = memchr(s->p + s->at, '<', s->n - s->at);
		size_t to = open ? (size_t)(open - s->p) : s->n;
		struct span text = { s->p + s->at, to - s->at };

		if (!mask_keeps(s->m->tag, text))
			mask_hide(s->p + s->at, s->p + to);
		s->at = to;
		if (!open)
			return;
		if (closes((struct span){ open, s->n - to }, s->m->tag))
			s->m->tag = (struct span){ 0 };
		hide_attributes(s);
	}
}

static bool take_tag(struct scan *s)
{
	size_t end = s->at + 1;
	struct span tag;

	while (end < s->n && (is_name_char(s->p[end]) || s->p[end] == ':'))
		end++;
	tag = (struct span){ s->p + s->at + 1, end - s->at - 1 };
	if (tag.n == 0 || s->is_string || mask_key(tag) != MASK_SECRET)
		return false;
	s->at = end;
	hide_attributes(s);
	if (s->p[s->at - 1] == '>' && s->p[s->at - 2] == '/')
		return true;
	if (is_closed(s->m, (struct span){ s->p + s->at, (size_t)(s->rest.p + s->rest.n - (s->p + s->at)) }, tag)) {
		s->m->tag = tag;
		hide_element(s);
	}
	return true;
}

/* -- lines -- */

static void scan_names(struct scan *s)
{
	while (s->at < s->n) {
		size_t from = s->at, end;

		if (s->p[from] == '<' && take_tag(s))
			continue;
		if (!is_name_char(s->p[from])) {
			s->at++;
			continue;
		}
		for (end = from; end < s->n && is_name_char(s->p[end]);)
			end++;
		take_name(s, from, end);
	}
}

/* What the lines before leave for this one; true: all of it is a secret. */
static bool is_a_value(struct mask_lines *m, struct scan *s)
{
	size_t i = skip_blanks(s, 0);

	if (m->is_next) {
		m->is_next = false;
		if (is_list_item(s))
			while (s->p[i++] != ')')
				;
		s->at = i;
		return true;
	}
	if (!m->is_nested || i >= s->n)
		return false;
	m->is_nested = i > m->nest || (i == m->nest && s->p[i] == '-');
	return m->is_nested;
}

void mask_line(struct mask_lines *m, char *p, size_t n, struct span rest)
{
	struct scan s = { .p = p, .n = n, .m = m, .rest = rest, .before = { .is_first = true } };

	m->armed -= m->armed > 0;
	if (is_a_value(m, &s)) {
		mask_hide(p + s.at, p + n);
		return;
	}
	hide_element(&s);
	scan_names(&s);
	mask_tools(p, n);
	mask_forms(p, n);
}

bool mask_line_is_due(const struct mask_lines *m)
{
	return m->is_nested || m->is_next || m->armed || m->tag.n;
}

static void mask_part(char *p, size_t n)
{
	struct mask_lines m = { 0 };
	struct scan s = { .p = p, .n = n, .m = &m, .rest = { p + n, 0 }, .is_string = true,
			  .before = { .is_first = true } };

	scan_names(&s);
	mask_tools(p, n);
}

void mask_string(char *p, size_t n)
{
	size_t from = 0;

	mask_forms(p, n);
	for (size_t i = 0; i + 1 < n; i++) {
		if (p[i] != '\\')
			continue;
		if (p[i + 1] == 'n' || p[i + 1] == 'r') {
			mask_part(p + from, i - from);
			from = i + 2;
		}
		i++;
	}
	if (from < n)
		mask_part(p + from, n - from);
}
