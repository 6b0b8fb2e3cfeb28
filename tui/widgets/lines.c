#include "tui/widgets/lines.h"

#include <math.h>
#include <stdlib.h>

#include "tui/text/human.h"
#include "tui/text/safe.h"
#include "tui/widgets/table_spoken.h"

void lines_clear(struct lines *l)
{
	l->n = 0;
	arena_clear(&l->texts);
}

void lines_done(struct lines *l)
{
	free(l->list);
	arena_done(&l->texts);
	*l = (struct lines){ 0 };
}

static struct piece *add(struct lines *l, int y, int x, struct span text)
{
	struct piece *p = GROW(l->list, l->n, l->cap);

	*p = (struct piece){ .y = y, .x = x, .order = l->n, .text = arena_text(&l->texts, text.p, text.n) };
	l->n++;
	return p;
}

/* Signs of a picture, and the words that stand for them. */
static const struct {
	const char *sign, *words;
} sign_table[] = {
	{ "!CRIT", "critical," }, { "~WARN", "warning," }, { "-INFO", "info," }, { "\xe2\x89\xa0", " is not " },
	{ "<->", " to " }, { "\xe2\x86\x94", " to " }, { "\xe2\x86\x92", " to " },
};

/* Texts that are only a sign. */
const char *sign_words(const char *text)
{
	static const struct {
		const char *sign, *words;
	} table[] = {
		{ "?", "not known" }, { "\xe2\x89\xa0", "they differ" }, { "!", "critical" }, { "~", "warning" }, { "-", "none" },
		{ ".", "as it should be" }, { "P", "paused" }, { "x", "down" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (!strcmp(text, table[i].sign))
			return table[i].words;
	return NULL;
}

/* A character that only draws: boxes, blocks, braille. */
static bool is_drawing(struct span s)
{
	const unsigned char *p = (const unsigned char *)s.p;

	return s.n >= 3 && p[0] == 0xe2 && ((p[1] >= 0x94 && p[1] <= 0x96) || (p[1] >= 0xa0 && p[1] <= 0xa3));
}

static void add_words(struct buf *out, struct span text, bool ascii)
{
	char one[SAFE_MAX];
	unsigned columns;

	while (text.n) {
		size_t i = 0, n_signs = sizeof(sign_table) / sizeof(*sign_table);

		while (i < n_signs && !span_skip(&text, sign_table[i].sign))
			i++;
		if (i < n_signs)
			buf_str(out, sign_table[i].words);
		else if (is_drawing(text))
			text = (struct span){ text.p + 3, text.n - 3 };
		else if (safe_next(&text, ascii, one, &columns))
			buf_str(out, one);
	}
}

int lines_add(struct lines *l, int y, int x, struct span text)
{
	struct buf words = { 0 };
	struct span trimmed;

	add_words(&words, text, l->ascii);
	trimmed = span_trim(buf_span(&words));
	if (trimmed.n > 1 || (trimmed.n == 1 && !strchr("[]|>", *trimmed.p)))	/* frames, and the sign of the cursor */
		add(l, y, x, trimmed);
	buf_done(&words);
	return (int)safe_columns(text, l->ascii);
}

/* After two blanks a legend begins, of signs that are words here. */
void lines_title(struct lines *l, int y, int x, const char *text)
{
	const char *legend = strstr(text, "  ");
	struct buf words = { 0 };

	if (!*text)
		return;
	add_words(&words, legend ? (struct span){ text, (size_t)(legend - text) } : span_of(text), l->ascii);
	add(l, y, x, buf_span(&words))->is_title = true;
	buf_done(&words);
}

void lines_words(struct lines *l, int y, struct span text)
{
	struct buf words = { 0 };

	add_words(&words, text, l->ascii);
	add(l, y, 0, buf_span(&words))->is_whole = true;
	buf_done(&words);
}

void lines_verbatim(struct lines *l, int y, struct span text)
{
	struct buf safe = { 0 };

	safe_add(&safe, text, l->ascii);
	add(l, y, 0, buf_span(&safe))->is_whole = true;
	buf_done(&safe);
}

/* -- sparklines -- */

struct course {
	float least, most, newest;
	double early, late;	/* means of the first and the last third */
	size_t n, gaps;
};

static struct course course_of(const float *values, size_t n)
{
	struct course c = { .least = INFINITY, .most = -INFINITY };
	size_t n_early = 0, n_late = 0;

	for (size_t i = 0; i < n; i++) {
		if (isnan(values[i])) {
			c.gaps++;
			continue;
		}
		c.n++;
		c.newest = values[i];
		c.least = values[i] < c.least ? values[i] : c.least;
		c.most = values[i] > c.most ? values[i] : c.most;
		if (i < (n + 2) / 3) {
			c.early += values[i];
			n_early++;
		} else if (i >= n - n / 3) {
			c.late += values[i];
			n_late++;
		}
	}
	c.early /= n_early ? (double)n_early : 1;
	c.late /= n_late ? (double)n_late : 1;
	if (!n_early || !n_late)
		c.early = c.late = 0;
	return c;
}

/* A third more or less than at first is a trend; below that it is noise of a rate that is read each second. */
static const char *trend(const struct course *c)
{
	if (c->newest == 0 && c->most > 0)	/* whatever its mean did */
		return "falling";
	if (c->late > c->early * 4 / 3)
		return "rising";
	if (c->late < c->early * 2 / 3)
		return "falling";
	return "steady";
}

static void add_span(struct buf *out, size_t n, int64_t step_us)
{
	char age[HUMAN_MAX];

	age_spoken(human_age(age, (int64_t)n * (step_us ? step_us : SECOND)), out);
}

/* The window begins with the first sample: of what was before nothing is known, and holes in what was read are told. */
void spark_words(struct buf *out, const float *values, size_t n, int64_t step_us)
{
	char least[HUMAN_MAX], most[HUMAN_MAX];
	struct course c;

	while (n && isnan(*values)) {
		values++;
		n--;
	}
	c = course_of(values, n);
	if (c.n < 2) {
		buf_str(out, "history not known");
		return;
	}
	human_count(least, c.least);
	human_count(most, c.most);
	if (c.most == c.least)
		buf_printf(out, "%s throughout the last ", most);
	else
		buf_printf(out, "%s, %s to %s in the last ", trend(&c), least, most);
	add_span(out, n, step_us);
	if (c.gaps) {
		buf_str(out, ", ");
		add_span(out, c.gaps, step_us);
		buf_str(out, " of them not known");
	}
}

void lines_spark(struct lines *l, int y, int x, const float *values, size_t n, int64_t step_us)
{
	struct buf words = { 0 };

	spark_words(&words, values, n, step_us);
	add(l, y, x, buf_span(&words));
	buf_done(&words);
}

/* -- printing -- */

static int by_place(const void *a_, const void *b_)
{
	const struct piece *a = a_, *b = b_;

	if (a->y != b->y)
		return a->y < b->y ? -1 : 1;
	if (a->x != b->x)
		return a->x < b->x ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

/* Signs that follow each other in a row are a picture of many things: how many are what. */
static size_t add_signs(struct buf *out, const struct piece *p, size_t n)
{
	size_t same = 1;

	while (same < n && p[same].y == p->y && !strcmp(p[same].text, p->text))
		same++;
	if (same > 1)
		buf_printf(out, "%zu ", same);
	buf_str(out, sign_words(p->text));
	return same;
}

static void end_line(struct buf *out, size_t begin)
{
	if (out->n > begin)
		buf_str(out, "\n");
}

void lines_print(struct lines *l, struct buf *out)
{
	size_t begin = out->n, pieces = 0;
	bool was_whole = false;
	int y = -1;

	qsort(l->list, l->n, sizeof(*l->list), by_place);
	for (size_t i = 0; i < l->n;) {
		const struct piece *p = &l->list[i];
		bool is_sign = !p->is_whole && sign_words(p->text);

		if (p->y != y || p->is_whole || p->is_title || was_whole) {
			end_line(out, begin);
			begin = out->n;
			pieces = 0;
		}
		if (out->n > begin)
			buf_str(out, strchr(",:.", out->text[out->n - 1]) ? " " : pieces == 1 ? ": " : ", ");
		pieces++;
		y = p->y;
		was_whole = p->is_whole;
		if (!is_sign)
			buf_printf(out, p->is_title ? "%s.\n" : "%s", p->text);
		i += is_sign ? add_signs(out, p, l->n - i) : 1;
		if (p->is_title)
			begin = out->n;
	}
	end_line(out, begin);
}
