#include "tui/widgets/draw.h"

#include <langinfo.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "tui/text/safe.h"
#include "tui/widgets/bind.h"

const struct glyphs glyphs_utf8 = {
	.differs = "≠", .same = "=", .unknown = "?", .more = "…", .bar = "│", .dot = "·",
	.spark = { "·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" }, .spark_levels = 8,
};

const struct glyphs glyphs_braille = {
	.differs = "≠", .same = "=", .unknown = "?", .more = "…", .bar = "│", .dot = "·",
	.spark = { "·", "⣀", "⣤", "⣶", "⣿" }, .spark_levels = 4,
};

const struct glyphs glyphs_ascii = {
	.is_ascii = true, .differs = "#", .same = "=", .unknown = "?", .more = ">", .bar = "|", .dot = ".",
	.spark = { " ", "_", ".", "-", "+", "*", "#" }, .spark_levels = 6,
};

const struct glyphs *glyphs_of_locale(bool force_ascii)
{
	return !force_ascii && !strcmp(nl_langinfo(CODESET), "UTF-8") ? &glyphs_utf8 : &glyphs_ascii;
}

static void use_role(const struct draw *d, enum role role)
{
	wattr_set(d->w, theme_attributes(d->theme, role), d->with_colour ? (short)(role + 1) : 0, NULL);
}

/* Bytes at the front of s that take at most width columns, as safe text in out; *cut when some are left. */
static int fit(const struct draw *d, struct span s, int width, char *out, size_t size, bool *cut)
{
	char one[SAFE_MAX];
	unsigned columns;
	size_t n = 0;
	int used = 0;

	*cut = false;
	while (safe_next(&s, d->glyphs->is_ascii, one, &columns)) {
		size_t len = strlen(one);

		if (used + (int)columns > width || n + len + 1 > size) {
			*cut = true;
			break;
		}
		memcpy(out + n, one, len);
		n += len;
		used += (int)columns;
	}
	out[n] = '\0';
	return used;
}

int draw_span(const struct draw *d, int y, int x, int width, enum role role, struct span text)
{
	char out[2048];
	bool cut;
	int used;

	if (d->lines)
		return y >= 0 && width > 0 ? lines_add(d->lines, y, x, text) : 0;
	if (y < 0 || y >= d->rows || x < 0 || x >= d->cols)
		return 0;
	if (width > d->cols - x)
		width = d->cols - x;
	if (width <= 0)
		return 0;
	used = fit(d, text, width, out, sizeof(out), &cut);
	if (cut)
		used = fit(d, text, width - 1, out, sizeof(out), &cut);
	use_role(d, role);
	mvwaddstr(d->w, y, x, out);
	if (cut) {
		waddstr(d->w, d->glyphs->more);
		used++;
	}
	return used;
}

int draw_text(const struct draw *d, int y, int x, int width, enum role role, const char *text)
{
	return draw_span(d, y, x, width, role, span_of(text));
}

void draw_blank(const struct draw *d, int y, int x, int width)
{
	if (d->lines || y < 0 || y >= d->rows || x < 0 || x >= d->cols || width <= 0)
		return;
	use_role(d, ROLE_IS_TEXT);
	mvwhline(d->w, y, x, ' ', width < d->cols - x ? width : d->cols - x);
}

void draw_cell(const struct draw *d, int y, int x, int width, bool right, enum role role, const char *text)
{
	int columns = right ? (int)safe_columns(span_of(text), d->glyphs->is_ascii) : 0;
	int shift = right && columns < width ? width - columns : 0;
	int used = draw_text(d, y, x + shift, width - shift, role, text);

	draw_blank(d, y, x, shift);
	draw_blank(d, y, x + shift + used, width - shift - used);
}

int draw_printf(const struct draw *d, int y, int x, int width, enum role role, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return draw_text(d, y, x, width, role, text);
}

int draw_key_text(const struct draw *d, int y, int x, int width, enum role role, const char *text)
{
	struct buf words = { 0 };
	int used;

	key_text(&words, text);
	used = draw_text(d, y, x, width, role, words.text);
	buf_done(&words);
	return used;
}

void draw_rule(const struct draw *d, int y, int x, int width, const char *title)
{
	int used;

	if (d->lines) {
		lines_title(d->lines, y, x, title);
		return;
	}
	if (y < 0 || y >= d->rows || width <= 0)
		return;
	use_role(d, ROLE_IS_MUTED);
	mvwhline(d->w, y, x, '-', width < d->cols - x ? width : d->cols - x);
	if (!*title || width < 6)
		return;
	used = draw_text(d, y, x + 3, width - 5, ROLE_IS_TITLE, title);
	draw_blank(d, y, x + 2, 1);
	draw_blank(d, y, x + 3 + used, 1);
}

void draw_restyle(const struct draw *d, int y, int x, int width, enum role role)
{
	if (!d->lines && y >= 0 && y < d->rows && x < d->cols)
		mvwchgat(d->w, y, x, width, theme_attributes(d->theme, role), d->with_colour ? (short)(role + 1) : 0, NULL);
}

/* -- sparklines -- */

static const char *spark_glyph(const struct glyphs *g, float value, float top)
{
	unsigned level;

	if (isnan(value))
		return g->spark[0];
	if (value <= 0 || top <= 0)
		return g->spark[1];
	/* What moved at all must not look like nothing. */
	level = 2 + (unsigned)(value / top * (float)(g->spark_levels - 1));
	return g->spark[level > g->spark_levels ? g->spark_levels : level];
}

static float highest(const float *values, size_t from, size_t to)
{
	float most = NAN;

	for (size_t i = from; i < to; i++)
		if (!isnan(values[i]) && !(most >= values[i]))
			most = values[i];
	return most;
}

/* The same as text, for tables that are printed. */
static void spark_text(const struct glyphs *g, struct buf *out, const float *values, size_t n, size_t width)
{
	size_t cells = n < width ? n : width;
	float top = highest(values, 0, n);

	for (size_t i = cells; i < width; i++)
		buf_str(out, g->spark[0]);
	for (size_t i = 0; i < cells; i++)
		buf_str(out, spark_glyph(g, highest(values, i * n / cells, (i + 1) * n / cells), top));
}

void draw_spark(const struct draw *d, int y, int x, int width, enum role role, const float *values, size_t n,
		int64_t step_us)
{
	static struct buf text;	/* kept: a frame has hundreds */

	if (d->lines) {
		lines_spark(d->lines, y, x, values, n, step_us);
		return;
	}
	if (y < 0 || y >= d->rows || x < 0 || x >= d->cols || width <= 0)
		return;
	buf_clear(&text);
	spark_text(d->glyphs, &text, values, n, (size_t)(width < d->cols - x ? width : d->cols - x));
	use_role(d, role);
	mvwaddstr(d->w, y, x, text.text);
}

/* -- verdicts -- */

static const struct {
	const char *sign, *word;
	enum role role;
} verdict_look[] = {
	[VERDICT_OK]		= { ".", "ok",		ROLE_IS_OK },
	[VERDICT_NA]		= { " ", "n/a",		ROLE_IS_MUTED },
	[VERDICT_UNKNOWN]	= { "?", "?",		ROLE_IS_UNKNOWN },
	[VERDICT_LOOK]		= { "-", "INFO",	ROLE_IS_LOOK },
	[VERDICT_WARN]		= { "~", "WARN",	ROLE_IS_WARN },
	[VERDICT_FAIL]		= { "!", "CRIT",	ROLE_IS_CRIT },
};

const char *verdict_sign(enum verdict v)
{
	return verdict_look[v].sign;
}

enum role verdict_role(enum verdict v)
{
	return verdict_look[v].role;
}

const char *verdict_word(enum verdict v)
{
	return verdict_look[v].word;
}
