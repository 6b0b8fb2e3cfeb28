#include "tui/console/export.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tui/text/safe.h"
#include "tui/text/sheet.h"

static const struct {
	const char *ending;
	enum rows_as as;
} forms[] = {
	{ ".txt", ROWS_TEXT }, { ".json", ROWS_JSON }, { ".csv", ROWS_CSV }, { ".md", ROWS_MARKDOWN },
};

bool export_by_name(const char *name, enum rows_as *as, struct err *err)
{
	const char *ending = strrchr(name, '.');

	for (size_t i = 0; ending && i < sizeof(forms) / sizeof(*forms); i++) {
		if (!strcmp(ending, forms[i].ending)) {
			*as = forms[i].as;
			return true;
		}
	}
	return err_set(err, "%s: the name must end in .txt, .json, .csv or .md", name);
}

void export_name(const struct view_of *of, const char *what, const char *extension, char out[128])
{
	time_t seconds = (time_t)(model_now(of->model) / SECOND);
	char at[32], low[32];
	struct tm tm;
	size_t n = 0;

	for (; what[n] && n + 1 < sizeof(low); n++)
		low[n] = isalnum((unsigned char)what[n]) ? (char)tolower((unsigned char)what[n]) : '-';
	low[n] = '\0';
	gmtime_r(&seconds, &tm);
	strftime(at, sizeof(at), "%Y%m%dT%H%M%SZ", &tm);
	snprintf(out, 128, "fabcon-%s-%s.%s", low, at, extension);
}

/* Words: a page, or a screen that is no list */

static void page_text(const struct page *p, bool ascii, struct buf *out)
{
	safe_add(out, span_of(p->title), ascii);
	buf_str(out, "\n");
	for (size_t i = 0; i < p->n; i++) {
		const char *text = p->lines[i].text;

		safe_add(out, span_of(!strcmp(text, " ") ? "" : text), ascii);
		buf_str(out, "\n");
	}
}

static json_t *lines_json(struct span text)
{
	json_t *lines = json_array();
	struct span line;

	while (span_line(&text, &line)) {
		char *copy = xstrndup(line.p, line.n);

		json_array_append_new(lines, json_text(copy));
		free(copy);
	}
	return lines;
}

/* The same as the console without a picture shows. */
static void screen_words(struct stage *s, const struct view_of *of, bool ascii, struct buf *out)
{
	struct lines lines = { .ascii = ascii };
	struct draw d = { .lines = &lines, .glyphs = ascii ? &glyphs_ascii : &glyphs_utf8, .rows = LINES_ROWS,
			  .cols = LINES_COLS };

	screens_draw(&d, s->screen, of, &s->views, NULL, NULL);
	lines_print(&lines, out);
	lines_done(&lines);
}

/* A finding alone says little: why, on what evidence, is what a ticket needs. */
static bool evidence(struct stage *s, const struct view_of *of, bool ascii, struct buf *out)
{
	struct page page = { .title = "" };
	bool ok;

	if (s->screen != SCREEN_FINDINGS && s->screen != SCREEN_OVERVIEW)
		return false;
	ok = screens_key(s->screen, of, &s->views, DO_EXPLAIN, &page).is == INTENT_PAGE;
	if (ok)
		page_text(&page, ascii, out);
	page_done(&page);
	return ok;
}

/* Documents */

static json_t *document(const struct stage *s, const struct view_of *of)
{
	const struct table *t = &s->views.tables[s->screen];
	json_t *doc = json_object();

	json_object_set_new(doc, "schema", json_string("fabcon.view/1"));
	json_object_set_new(doc, "fabric", json_text(of->fabric));
	json_object_set_new(doc, "screen", json_text(screen_table[s->screen]->title));
	json_object_set_new(doc, "at", json_time(model_now(of->model)));
	json_object_set_new(doc, "replay", json_boolean(of->is_replay));
	json_object_set_new(doc, "filter", t->filter ? json_text(filter_text(t->filter)) : json_null());
	return doc;
}

static void finish(json_t *doc, struct buf *out)
{
	json_add(doc, JSON_INDENT(1), out);
	json_decref(doc);
}

/* Words in another form: in JSON an array of lines, in Markdown as they stand. */
static bool write_words(const struct stage *s, const struct view_of *of, struct span words, enum rows_as as, struct buf *out,
			struct err *err)
{
	json_t *doc;

	switch (as) {
	case ROWS_CSV:
		return err_set(err, "this is text and no table: a name ending in .txt, .md or .json");
	case ROWS_JSON:
		doc = document(s, of);
		json_object_set_new(doc, "lines", lines_json(words));
		finish(doc, out);
		return true;
	case ROWS_MARKDOWN:
		for (struct span line; span_line(&words, &line);)
			buf_printf(out, "    %.*s\n", (int)line.n, line.p);
		return true;
	default:
		buf_add(out, words.p, words.n);
		return true;
	}
}

static void write_rows(const struct stage *s, const struct view_of *of, const struct rows *rows, enum rows_as as,
		       struct buf *out, char what[64])
{
	json_t *doc;
	size_t n;

	if (as == ROWS_JSON) {
		json_t *list = rows_json(rows);

		doc = document(s, of);
		n = json_array_size(list);
		json_object_set_new(doc, "rows", list);
		finish(doc, out);
	} else {
		n = rows_write(rows, as, out);
	}
	snprintf(what, 64, "%zu row%s", n, n == 1 ? "" : "s");
}

bool export_view(struct stage *s, const struct view_of *of, bool is_picked, enum rows_as as, bool ascii, struct buf *out,
		 char what[64], struct err *err)
{
	struct table *t = &s->views.tables[s->screen];
	struct table_source source;
	struct rows rows = { t, &source, is_picked ? rows_meant(t) : ROWS_SHOWN, ascii };
	bool is_list = screens_source(s->screen, of, &s->views, &source), ok;
	struct buf words = { 0 };

	snprintf(what, 64, "%s", s->has_page ? "the page" : "the screen");
	if (s->has_page) {
		page_text(&s->page, ascii, &words);
	} else if (is_picked && as == ROWS_TEXT && s->screen == SCREEN_FIX && of->fix && of->fix->plan) {
		snprintf(what, 64, "the commands");
		fix_commands(of->fix->plan, SIZE_MAX, &words);
	} else if (is_picked && rows.which == ROWS_CURSOR && as == ROWS_TEXT && evidence(s, of, ascii, &words)) {
		snprintf(what, 64, "the finding with its evidence");
	} else if (is_list) {
		write_rows(s, of, &rows, as, out, what);
		return true;
	} else {
		screen_words(s, of, ascii, &words);
	}
	ok = write_words(s, of, buf_span(&words), as, out, err);
	buf_done(&words);
	return ok;
}
