#include "tui/text/filter.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "tui/text/fuzzy.h"

#define TERMS_MAX 16
/* What keeps a hostile expression from taking longer than a key may: measured in tests/tui/test_filter.c. */
#define REGEX_MAX 64		/* bytes of an expression */
#define REGEX_TIMES_MAX 100	/* product of its {n,m} */
#define REGEX_TEXT_MAX 512	/* bytes of a row that it sees */

enum term_is { TERM_WORD, TERM_REGEX, TERM_IS, TERM_HOLDS, TERM_EQUAL, TERM_MORE, TERM_LESS, TERM_AT_LEAST, TERM_AT_MOST };

enum quantity { PLAIN, TIME, SHARE };

struct term {
	enum term_is is;
	bool is_not;
	const char *name, *text;	/* in the arena */
	bool is_number;			/* text is one, in seconds when a time */
	double number;
	enum quantity quantity;
	regex_t regex;
};

struct filter {
	char *text;
	struct arena arena;
	struct term terms[TERMS_MAX];
	size_t n;
};

/* The longer signs first. */
static const struct {
	const char *sign;
	enum term_is is;
} signs[] = {
	{ ">=", TERM_AT_LEAST }, { "<=", TERM_AT_MOST }, { ">", TERM_MORE }, { "<", TERM_LESS }, { "=", TERM_EQUAL },
	{ ":", TERM_HOLDS },
};

static const struct {
	const char *name;
	double scale;
	enum quantity quantity;
} units[] = {
	{ "", 1, PLAIN }, { "k", 1e3, PLAIN }, { "K", 1e3, PLAIN }, { "M", 1e6, PLAIN }, { "G", 1e9, PLAIN }, { "T", 1e12, PLAIN },
	{ "%", 1, SHARE }, { "us", 1e-6, TIME }, { "ms", 1e-3, TIME }, { "s", 1, TIME }, { "m", 60, TIME }, { "h", 3600, TIME },
	{ "d", 86400, TIME },
};

/* One term as written: quotes are taken away; what stands before the first of them may hold a sign. */
struct written {
	char text[512];
	size_t n, bare;
	bool is_not;
};

static bool next_term(struct span *rest, struct written *w)
{
	bool is_quoted = false, was_quoted = false;
	size_t i = 0;

	while (rest->n && isspace((unsigned char)*rest->p))
		*rest = (struct span){ rest->p + 1, rest->n - 1 };
	w->is_not = span_skip(rest, "!");
	w->n = 0;
	for (; i < rest->n && (is_quoted || !isspace((unsigned char)rest->p[i])); i++) {
		if (rest->p[i] == '"') {
			if (!was_quoted)
				w->bare = w->n;
			was_quoted = true;
			is_quoted = !is_quoted;
		} else if (w->n + 1 < sizeof(w->text)) {
			w->text[w->n++] = rest->p[i];
		}
	}
	if (!was_quoted)
		w->bare = w->n;
	w->text[w->n] = '\0';
	*rest = (struct span){ rest->p + i, rest->n - i };
	return i || w->is_not;
}

static bool is_name(struct span s, const char *const *names)
{
	for (; names && *names; names++)
		if (span_is_nocase(s, *names))
			return true;
	return false;
}

/* The fields, or what can be asked by is:. */
/* "sevrity:" looks for no text: a word of letters that is nearly the name of a field. "node1:eth2" is text. */
static bool is_mistyped(struct span s, const char *const *names)
{
	char *typed = xstrndup(s.p, s.n);
	struct fuzzy_nearest nearest = { .typed = typed };

	for (; typed[strspn(typed, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")] == '\0' && names && *names; names++)
		fuzzy_try(&nearest, *names);
	free(typed);
	return nearest.word != NULL;
}

static void list_names(struct buf *out, const char *const *names, bool of_is)
{
	buf_str(out, "");
	for (; names && *names; names++)
		if (span_starts(span_of(*names), "is:") == of_is)
			buf_printf(out, " %s", *names);
	if (!out->n)
		buf_str(out, " none");
}

static bool no_such(const struct written *w, const char *what, const char *const *names, bool of_is, struct err *err)
{
	struct buf all = { 0 };

	list_names(&all, names, of_is);
	err_set(err, "filter: \"%.60s\": %s; there are%.300s", w->text, what, all.text);
	buf_done(&all);
	return false;
}

static bool read_number(const char *text, struct term *t)
{
	char *end;

	if (!isdigit((unsigned char)*text) && *text != '-' && *text != '.')
		return false;
	t->number = strtod(text, &end);
	for (size_t i = 0; end > text && i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(end, units[i].name))
			continue;
		t->number *= units[i].scale;
		t->quantity = units[i].quantity;
		return t->is_number = true;
	}
	return false;
}

/* Back-references take exponential time, nested repetitions as much memory. */
static bool is_harmless(const char *pattern)
{
	unsigned long times = 1;

	if (strlen(pattern) > REGEX_MAX)
		return false;
	for (const char *c = pattern; *c; c++) {
		if (*c == '\\' && isdigit((unsigned char)c[1]))
			return false;
		if (*c == '\\' && c[1])
			c++;
		else if (*c == '{') {
			const char *close = strpbrk(c, ",}");
			unsigned long least = strtoul(c + 1, NULL, 10);
			unsigned long most = close && *close == ',' ? strtoul(close + 1, NULL, 10) : least;

			least = most > least ? most : least;
			if (least > REGEX_TIMES_MAX || (times *= least ? least : 1) > REGEX_TIMES_MAX)
				return false;
		}
	}
	return true;
}

static bool read_regex(struct filter *f, struct term *t, const struct written *w, struct err *err)
{
	char why[128];
	int failed;

	t->is = TERM_REGEX;
	t->text = arena_text(&f->arena, w->text + 1, w->n - 1);
	if (!is_harmless(t->text))
		return err_set(err, "filter: \"%.60s\": it may be %d characters, without \\1, repeated {%d} times in all", w->text,
			       REGEX_MAX, REGEX_TIMES_MAX);
	failed = regcomp(&t->regex, t->text, REG_EXTENDED | REG_ICASE | REG_NOSUB);
	if (!failed)
		return true;
	regerror(failed, &t->regex, why, sizeof(why));
	return err_set(err, "filter: \"%.60s\": %s", w->text, why);
}

static bool read_word(struct filter *f, struct term *t, const struct written *w)
{
	t->is = TERM_WORD;
	t->text = arena_text(&f->arena, w->text, w->n);
	return true;
}

/* A name, a sign and a value. */
static bool read_field(struct filter *f, struct term *t, const struct written *w, size_t at, const char *const *names,
		       struct err *err)
{
	struct span name = { w->text, at }, value = { w->text + at, w->n - at };
	bool needs_number;

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		if (span_skip(&value, signs[i].sign)) {
			t->is = signs[i].is;
			break;
		}
	}
	needs_number = t->is >= TERM_MORE;
	if (!is_name(name, names) && is_mistyped(name, names))
		return no_such(w, "no field of that name", names, false, err);
	if (!is_name(name, names))
		return needs_number && !isdigit((unsigned char)*w->text) ?
		       no_such(w, "no field of that name", names, false, err) : read_word(f, t, w);
	t->name = arena_text(&f->arena, name.p, name.n);
	t->text = arena_text(&f->arena, value.p, value.n);
	if (!read_number(t->text, t) && needs_number)
		return err_set(err, "filter: \"%.60s\": needs a number: 5, 9.7k, 10%%, 5m", w->text);
	return true;
}

static bool read_is(struct filter *f, struct term *t, const struct written *w, const char *const *names, struct err *err)
{
	t->is = TERM_IS;
	t->name = arena_text(&f->arena, w->text, w->n);
	return is_name(span_of(t->name), names) || no_such(w, "no such state", names, true, err);
}

static bool read_term(struct filter *f, struct term *t, const struct written *w, const char *const *names, struct err *err)
{
	size_t at = strcspn(w->text, ":<>=");

	t->is_not = w->is_not;
	if (w->bare && *w->text == '~')
		return read_regex(f, t, w, err);
	if (w->bare >= 3 && !strncasecmp(w->text, "is:", 3))
		return read_is(f, t, w, names, err);
	if (at && at < w->bare)
		return read_field(f, t, w, at, names, err);
	return read_word(f, t, w);
}

struct filter *filter_new(const char *text, const char *const *names, struct err *err)
{
	struct filter *f = xcalloc(1, sizeof(*f));
	struct span rest = span_of(text);
	struct written w;

	f->text = xstrdup(text);
	while (next_term(&rest, &w)) {
		if (f->n == TERMS_MAX) {
			err_set(err, "filter: \"%.60s\": more than %d terms", w.text, TERMS_MAX);
			goto out;
		}
		if (w.n && !read_term(f, &f->terms[f->n], &w, names, err))
			goto out;
		f->n += w.n > 0;
	}
	return f;
out:
	filter_free(f);
	return NULL;
}

void filter_free(struct filter *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n; i++)
		if (f->terms[i].is == TERM_REGEX)
			regfree(&f->terms[i].regex);
	arena_done(&f->arena);
	free(f->text);
	free(f);
}

/* -- matching -- */

static bool ends_in(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n >= m && !strcasecmp(name + n - m, end);
}

/* The number in the unit that the field's name says, as JSON's names do; else seconds and per cent. */
static double wanted(const struct term *t)
{
	if (t->quantity == TIME && ends_in(t->name, "_ms"))
		return t->number * 1e3;
	if (t->quantity == TIME && ends_in(t->name, "_us"))
		return t->number * 1e6;
	if (t->quantity == SHARE && ends_in(t->name, "_share"))
		return t->number / 100;
	return t->number;
}

static bool field_holds(const struct term *t, const struct filter_row *row, struct buf *text)
{
	bool is_number = false;
	double number = 0;

	buf_clear(text);
	if (!row->field(row->ctx, row->row, span_of(t->name), text, &is_number, &number))
		return false;
	buf_str(text, "");
	switch (t->is) {
	case TERM_IS:		return is_number && number != 0;
	case TERM_MORE:		return is_number && number > wanted(t);
	case TERM_LESS:		return is_number && number < wanted(t);
	case TERM_AT_LEAST:	return is_number && number >= wanted(t);
	case TERM_AT_MOST:	return is_number && number <= wanted(t);
	case TERM_EQUAL:
		return !strcasecmp(text->text, t->text) || (is_number && t->is_number && number == wanted(t));
	default:		return strcasestr(text->text, t->text);
	}
}

static bool term_holds(const struct term *t, const struct filter_row *row, struct buf *whole, struct buf *text)
{
	if (t->is >= TERM_IS)
		return field_holds(t, row, text);
	if (!whole->text) {
		row->text(row->ctx, row->row, whole);
		buf_str(whole, "");
	}
	if (t->is == TERM_WORD)
		return strcasestr(whole->text, t->text);
	if (whole->n > REGEX_TEXT_MAX) {
		whole->n = REGEX_TEXT_MAX;
		whole->text[whole->n] = '\0';
	}
	return !regexec(&t->regex, whole->text, 0, NULL, 0);
}

bool filter_match(const struct filter *f, const struct filter_row *row)
{
	struct buf whole = { 0 }, text = { 0 };
	bool all = true;

	for (size_t i = 0; f && i < f->n && all; i++)
		all = term_holds(&f->terms[i], row, &whole, &text) != f->terms[i].is_not;
	buf_done(&whole);
	buf_done(&text);
	return all;
}

const char *filter_text(const struct filter *f)
{
	return f ? f->text : "";
}

const char *filter_word(const struct filter *f, size_t i)
{
	for (size_t k = 0; f && k < f->n; k++)
		if (f->terms[k].is == TERM_WORD && !f->terms[k].is_not && i-- == 0)
			return f->terms[k].text;
	return NULL;
}

/* -- completing -- */

bool filter_complete(const char *text, const char *const *names, struct buf *out, struct buf *others)
{
	struct span whole = span_of(text), begun = whole;
	const char *first = NULL;
	size_t n = 0, agree = 0;

	for (size_t i = 0; i < whole.n; i++)
		if (isspace((unsigned char)whole.p[i]))
			begun = (struct span){ whole.p + i + 1, whole.n - i - 1 };
	span_skip(&begun, "!");
	for (; names && *names; names++) {
		if (strncasecmp(*names, begun.p, begun.n))
			continue;
		if (!n++)
			agree = strlen(first = *names);
		for (size_t i = begun.n; i < agree; i++)
			if ((*names)[i] != first[i])
				agree = i;
		buf_printf(others, "%s%s", n > 1 ? " " : "", *names);
	}
	if (!n)
		return false;
	buf_add(out, whole.p, whole.n - begun.n);
	buf_add(out, first, agree);
	if (n == 1 && !span_starts(span_of(first), "is:"))
		buf_str(out, ":");
	if (n == 1)
		buf_clear(others);
	return true;
}
