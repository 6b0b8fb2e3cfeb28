#include "remote/platform/mask_json.h"

#include <ctype.h>

#include "remote/platform/mask_keys.h"
#include "remote/platform/mask_lines.h"

#define DEPTH_MAX	64

/* An object or a list, and what is known of its next value. */
struct level {
	bool is_list, is_hidden;	/* hidden: every string in it is a secret, the names too */
	bool is_secret_next;		/* a list's element is the value of the option before it */
	bool is_armed;			/* "name": "DB_PASSWORD" was said: "value" is a secret */
	struct span value;		/* of "value", where it came before the name */
};

struct walk {
	char *p;
	size_t n, at;
	struct level levels[DEPTH_MAX + 1];
	size_t depth;
	struct span name;		/* of the member whose value is read next */
	enum mask_key key;
};

static struct level *level(struct walk *w)
{
	return &w->levels[w->depth];
}

static void hide(char *p, size_t n)
{
	memset(p, '*', n);
}

/* Where the string's closing quote stands; w->n where it has none. A string ends before the end of its line. */
static bool string_end(const struct walk *w, size_t from, size_t *end)
{
	for (*end = from; *end < w->n; ++*end) {
		char c = w->p[*end];

		if (c == '"')
			return true;
		if (c == '\n')
			return false;
		if (c == '\\' && *end + 1 < w->n && w->p[*end + 1] != '\n')
			++*end;
	}
	*end = w->n;
	return true;
}

static size_t skip_blanks(const struct walk *w, size_t i)
{
	while (i < w->n && isspace((unsigned char)w->p[i]))
		i++;
	return i;
}

static bool is_spelled(struct span s, const char *a, const char *b, const char *c)
{
	return span_is_nocase(s, a) || span_is_nocase(s, b) || span_is_nocase(s, c);
}

static void take_member(struct walk *w, struct span name)
{
	struct level *l = level(w);

	w->name = name;
	w->key = mask_may_hold(name) ? mask_key(name) : MASK_PLAIN;
	if (w->key == MASK_PLAIN && l->is_armed && is_spelled(name, "value", "val", "data"))
		w->key = MASK_SECRET;
	if (l->is_hidden)
		hide(w->p + (name.p - w->p), name.n);
}

/* What is no secret by its place may hold one in its words. */
static void take_value(struct walk *w, struct span value)
{
	struct level *l = level(w);
	char *p = w->p + (value.p - w->p);
	bool is_secret = l->is_hidden || l->is_secret_next || w->key != MASK_PLAIN;

	l->is_secret_next = false;
	if (is_spelled(w->name, "name", "key", "option") && mask_may_hold(value) && mask_key(value) == MASK_SECRET) {
		l->is_armed = true;
		if (l->value.n)
			hide(w->p + (l->value.p - w->p), l->value.n);
	}
	if (!is_secret && is_spelled(w->name, "value", "val", "data"))
		l->value = value;
	if (l->is_list && value.n && !is_secret && mask_may_hold(value) && mask_key(value) == MASK_SECRET)	/* "--token", or a pair */
		l->is_secret_next = !memchr(value.p, '=', value.n) && !memchr(value.p, ' ', value.n);
	if (is_secret && (l->is_hidden || !mask_keeps(w->name, value)))
		hide(p, value.n);
	else if (!is_secret && mask_may_hold(value))
		mask_string(p, value.n);
	w->key = MASK_PLAIN;
	w->name = (struct span){ 0 };
}

static bool take_string(struct walk *w)
{
	size_t from = w->at + 1, end, next;

	if (!string_end(w, from, &end))
		return false;
	next = skip_blanks(w, end + (end < w->n));
	if (!level(w)->is_list && next < w->n && w->p[next] == ':') {
		take_member(w, (struct span){ w->p + from, end - from });
		w->at = next + 1;
	} else {
		take_value(w, (struct span){ w->p + from, end - from });
		w->at = end + (end < w->n);
	}
	return true;
}

/* A number, or true, false, null. */
static bool take_word(struct walk *w)
{
	bool is_secret = level(w)->is_hidden || w->key == MASK_SECRET;
	size_t from = w->at;
	struct span word;

	while (w->at < w->n && (isalnum((unsigned char)w->p[w->at]) || strchr("+-.", w->p[w->at])) && w->p[w->at])
		w->at++;
	if (w->at == from)
		return false;
	word = (struct span){ w->p + from, w->at - from };
	if (isalpha((unsigned char)*word.p))
		return span_is(word, "true") || span_is(word, "false") || span_is(word, "null") || w->at == w->n;
	for (size_t i = from; is_secret && !mask_keeps(w->name, word) && i < w->at; i++)
		if (isdigit((unsigned char)w->p[i]))
			w->p[i] = '0';
	w->key = MASK_PLAIN;
	return true;
}

static bool open_level(struct walk *w, bool is_list)
{
	bool is_hidden = level(w)->is_hidden || w->key == MASK_SECRET;

	if (w->depth == DEPTH_MAX)
		return false;
	w->levels[++w->depth] = (struct level){ .is_list = is_list, .is_hidden = is_hidden };
	w->key = MASK_PLAIN;
	w->name = (struct span){ 0 };
	w->at++;
	return true;
}

/* false: it is no JSON from here on. */
static bool step(struct walk *w)
{
	char c = w->p[w->at];

	if (isspace((unsigned char)c) || c == ',' || c == ':') {
		w->at++;
		return true;
	}
	if (c == '{' || c == '[')
		return open_level(w, c == '[');
	if (c == '}' || c == ']') {
		w->depth--;
		w->at++;
		return true;
	}
	return c == '"' ? take_string(w) : take_word(w);
}

/* "{" and what may follow it; "[ 12.5] mlx5_core" is a line of the kernel's. */
static bool begins(const struct walk *w)
{
	size_t next = w->n ? skip_blanks(w, 1) : 0;

	if (!w->n || (w->p[0] != '{' && w->p[0] != '['))
		return false;
	return next < w->n && strchr(w->p[0] == '{' ? "\"}" : "\"{[]", w->p[next]) && w->p[next];
}

size_t mask_json(char *p, size_t n)
{
	struct walk w = { .p = p, .n = n };

	if (!begins(&w) || !step(&w))
		return 0;
	while (w.depth > 0 && w.at < n)
		if (!step(&w))
			break;
	if (w.depth > 0 && w.at < n)
		while (w.at > 0 && p[w.at - 1] != '\n')
			w.at--;
	return w.at;
}
