#include "tui/console/export.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tui/screens/frame.h"
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

	frame_draw(&d, s->screen, of, &s->views, NULL, NULL);
	lines_print(&lines, out);
	lines_done(&lines);
}

/* Another pane than the list: what it says of what its cursor is on. */
static const char *aside_words(struct stage *s, const struct view_of *of, bool ascii, struct buf *out)
{
	struct page page = { .title = "" };
	bool ok = screens_key(s->screen, of, &s->views, DO_EXPLAIN, &page).is == INTENT_PAGE;

	if (ok)
		page_print(&page, ascii, out);
	page_done(&page);
	return ok ? "the row at the cursor" : NULL;
}

/* What stands for the rows of the list: of another pane always, of the row under the cursor where it alone says too little. */
static const char *instead_of_rows(struct stage *s, const struct view_of *of, bool is_aside, bool is_cursor, bool ascii,
				   struct buf *out)
{
	const struct screen *screen = screen_table[s->screen];

	if (is_aside)
		return aside_words(s, of, ascii, out);
	return is_cursor && screen->copy ? screen->copy(of, &s->views, ascii, out) : NULL;
}

/* -- documents -- */

static json_t *cursor_json(struct stage *s, const struct view_of *of)
{
	struct subject at = screens_subject(s->screen, of, &s->views);
	struct buf name = { 0 };
	json_t *json;

	subject_name(&at, &name);
	json = name.n ? json_text(name.text) : json_null();
	buf_done(&name);
	return json;
}

static json_t *document(struct stage *s, const struct view_of *of)
{
	const struct table *t = &s->views.tables[s->screen];
	json_t *doc = json_object();

	json_object_set_new(doc, "schema", json_string("fabcon.view/1"));
	json_object_set_new(doc, "fabric", json_text(of->fabric));
	json_object_set_new(doc, "screen", json_text(screen_names[s->screen].title));
	json_object_set_new(doc, "cursor", cursor_json(s, of));
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
static bool write_words(struct stage *s, const struct view_of *of, struct span words, enum rows_as as, struct buf *out,
			struct err *err)
{
	json_t *doc;

	switch (as) {
	case ROWS_CSV:
		return err_set(err, "this page is text, not a table: use a name ending in .txt, .md or .json");
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

static void write_rows(struct stage *s, const struct view_of *of, const struct rows *rows, enum rows_as as,
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

/* Rows that are parts of one object do not say of which: its name goes before them. */
static void add_whole(struct subject *at, struct buf *out)
{
	size_t before = out->n;

	at->name[0] = '\0';
	if (at->is_part)
		subject_name(at, out);
	if (out->n > before)
		buf_str(out, "\n");
}

bool export_view(struct stage *s, const struct view_of *of, bool is_picked, enum rows_as as, bool ascii, struct buf *out,
		 char what[64], struct err *err)
{
	struct table *t = &s->views.tables[s->screen];
	struct table_source source;
	struct rows rows = { t, &source, is_picked ? rows_meant(t) : ROWS_SHOWN, ascii };
	bool is_list = screens_source(s->screen, of, &s->views, &source), ok;
	bool is_cursor = is_picked && as == ROWS_TEXT && rows.which == ROWS_CURSOR;
	struct subject at = screens_subject(s->screen, of, &s->views);
	struct buf words = { 0 };
	const char *instead;

	if (!s->has_page && at.is_aside && at.none)
		return err_set(err, "%s", at.none);
	snprintf(what, 64, "%s", s->has_page ? "the page" : "the screen");
	if (s->has_page) {
		page_print(&s->page, ascii, &words);
	} else if ((instead = instead_of_rows(s, of, at.is_aside, is_cursor, ascii, &words)) != NULL) {
		snprintf(what, 64, "%s", instead);
	} else if (is_list) {
		if (as == ROWS_TEXT)
			add_whole(&at, out);
		write_rows(s, of, &rows, as, out, what);
		return true;
	} else {
		screen_words(s, of, ascii, &words);
	}
	ok = write_words(s, of, buf_span(&words), as, out, err);
	buf_done(&words);
	return ok;
}
