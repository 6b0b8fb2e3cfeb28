#include "tui/filter.h"

#include <regex.h>
#include <stdlib.h>

#define TERMS_MAX 16

enum term_is { TERM_WORD, TERM_FIELD, TERM_MORE, TERM_LESS, TERM_REGEX };

struct term {
	enum term_is is;
	bool is_not;
	const char *name, *text;	/* in the arena */
	double number;
	regex_t regex;
};

struct filter {
	char *text;
	struct arena arena;
	struct term terms[TERMS_MAX];
	size_t n;
};

static bool is_name(struct span s, const char *const *names)
{
	for (; names && *names; names++)
		if (span_is_nocase(s, *names))
			return true;
	return false;
}

static bool list_names(struct span name, const char *const *names, struct err *err)
{
	struct buf all = { 0 };

	for (; names && *names; names++)
		buf_printf(&all, " %s", *names);
	err_set(err, "filter: no field \"%.*s\"; there are%s", (int)(name.n < 40 ? name.n : 40), name.p,
		all.text ? all.text : " none");
	buf_done(&all);
	return false;
}

static bool read_number(struct span s, double *out)
{
	static const struct {
		char letter;
		double scale;
	} scales[] = { { 'k', 1e3 }, { 'K', 1e3 }, { 'M', 1e6 }, { 'G', 1e9 }, { 'T', 1e12 }, { '%', 1 } };
	double scale = 1;
	char text[48], *end;

	for (size_t i = 0; s.n && i < sizeof(scales) / sizeof(*scales); i++) {
		if (s.p[s.n - 1] == scales[i].letter) {
			scale = scales[i].scale;
			s.n--;
			break;
		}
	}
	if (!s.n || s.n >= sizeof(text))
		return false;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	*out = strtod(text, &end) * scale;
	return !*end;
}

static bool read_regex(struct filter *f, struct term *t, struct span pattern, struct err *err)
{
	char why[128];
	int failed;

	t->is = TERM_REGEX;
	t->text = arena_text(&f->arena, pattern.p, pattern.n);
	failed = regcomp(&t->regex, t->text, REG_EXTENDED | REG_ICASE | REG_NOSUB);
	if (!failed)
		return true;
	regerror(failed, &t->regex, why, sizeof(why));
	return err_set(err, "filter: ~%.60s: %s", t->text, why);
}

static bool read_comparison(struct filter *f, struct term *t, struct span word, char sign, const char *const *names,
			    struct err *err)
{
	struct span name, value;

	span_cut(word, sign, &name, &value);
	if (!is_name(name, names))
		return list_names(name, names, err);
	if (!read_number(value, &t->number))
		return err_set(err, "filter: \"%.*s\" is not a number", (int)(value.n < 40 ? value.n : 40), value.p);
	t->is = sign == '>' ? TERM_MORE : TERM_LESS;
	t->name = arena_text(&f->arena, name.p, name.n);
	return true;
}

static bool read_term(struct filter *f, struct term *t, struct span word, const char *const *names, struct err *err)
{
	struct span name, value;

	t->is_not = span_skip(&word, "!");
	if (span_skip(&word, "~"))
		return read_regex(f, t, word, err);
	if (memchr(word.p, '>', word.n))
		return read_comparison(f, t, word, '>', names, err);
	if (memchr(word.p, '<', word.n))
		return read_comparison(f, t, word, '<', names, err);
	if (span_cut(word, ':', &name, &value) && is_name(name, names)) {
		t->is = TERM_FIELD;
		t->name = arena_text(&f->arena, name.p, name.n);
		t->text = arena_text(&f->arena, value.p, value.n);
		return true;
	}
	t->is = TERM_WORD;
	t->text = arena_text(&f->arena, word.p, word.n);
	return true;
}

struct filter *filter_new(const char *text, const char *const *names, struct err *err)
{
	struct filter *f = xcalloc(1, sizeof(*f));
	struct span rest = span_of(text), word;

	f->text = xstrdup(text);
	while (span_word(&rest, &word)) {
		if (f->n == TERMS_MAX) {
			err_set(err, "filter: more than %d terms", TERMS_MAX);
			goto out;
		}
		if (!read_term(f, &f->terms[f->n], word, names, err))
			goto out;
		f->n++;
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

static bool field_holds(const struct term *t, const struct filter_row *row, struct buf *text)
{
	bool is_number = false;
	double number = 0;

	buf_clear(text);
	if (!row->field(row->ctx, row->row, span_of(t->name), text, &is_number, &number))
		return false;
	if (t->is == TERM_MORE)
		return is_number && number > t->number;
	if (t->is == TERM_LESS)
		return is_number && number < t->number;
	return text->text && strcasestr(text->text, t->text);
}

static bool term_holds(const struct term *t, const struct filter_row *row, const struct buf *whole, struct buf *text)
{
	switch (t->is) {
	case TERM_WORD:
		return strcasestr(whole->text, t->text);
	case TERM_REGEX:
		return !regexec(&t->regex, whole->text, 0, NULL, 0);
	default:
		return field_holds(t, row, text);
	}
}

bool filter_match(const struct filter *f, const struct filter_row *row)
{
	struct buf whole = { 0 }, text = { 0 };
	bool all = true;

	if (!f || !f->n)
		return true;
	row->text(row->ctx, row->row, &whole);
	buf_str(&whole, "");
	for (size_t i = 0; i < f->n && all; i++)
		all = term_holds(&f->terms[i], row, &whole, &text) != f->terms[i].is_not;
	buf_done(&whole);
	buf_done(&text);
	return all;
}

const char *filter_text(const struct filter *f)
{
	return f ? f->text : "";
}
