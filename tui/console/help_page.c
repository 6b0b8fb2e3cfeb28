#include "tui/console/help_page.h"

#include <stdio.h>
#include <stdlib.h>

#include "tui/views/glossary.h"
#include "tui/widgets/bind.h"

struct saying {
	const char *said, *means;
};

static const struct saying signs[] = {
	{ "! ~ -", "Critical, warning, info" },
	{ ".", "As it should be" },
	{ "?", "Unknown, or stale" },
	{ "= \xe2\x89\xa0", "Both ends match; they differ" },
	{ "P x", "Paused; down" },
	{ "> *", "The row with the cursor; a marked row" },
};

static const struct saying filters[] = {
	{ "leaf2 !node07", "Rows with one word and without the other, case-insensitive; all terms must match" },
	{ "\"not known\"", "Words with blanks between them" },
	{ "trust:pcp", "A column contains that text; Tab completes column names" },
	{ "state:?", "It is not known" },
	{ "paused>10% mtu<9000", "A number is greater or less, also >= <= =; k M G T; us ms s m h d" },
	{ "is:bad is:unknown is:marked", "State of the row" },
	{ "~^node1[02]", "An extended regular expression" },
};

struct making {
	struct page *page;
	int width;		/* of its lines */
	const char *words;
	const char *heading;	/* still to come, before the first line below it */
};

static bool is_wanted(const char *line, const char *words)
{
	struct span rest = span_of(words), word;
	char one[64];

	while (span_word(&rest, &word)) {
		snprintf(one, sizeof(one), "%.*s", (int)word.n, word.p);
		if (!strcasestr(line, one))
			return false;
	}
	return true;
}

static void begin_part(struct making *m, const char *heading)
{
	m->heading = heading;
}

/* Else what ":" calls a command is left to the palette. */
static bool is_wide(const struct making *m)
{
	return m->width >= 90;
}

static void add_line(struct making *m, enum role role, const char *name, const char *command, const char *help)
{
	char label[80], line[1000];

	snprintf(label, sizeof(label), *command && is_wide(m) ? "  %-12s %-17s " : is_wide(m) ? "  %-30s" : "  %-14s ", name, command);
	snprintf(line, sizeof(line), "%s %s %s", name, command, help);
	if (!is_wanted(line, m->words))
		return;
	if (m->heading) {
		if (m->page->n)
			page_add(m->page, ROLE_IS_TEXT, " ");
		page_add(m->page, ROLE_IS_TITLE, "  %s", m->heading);
		m->heading = NULL;
	}
	page_wrap(m->page, role, label, help, m->width);
}

static void key_lines(struct making *m, enum screen_id screen, bool here)
{
	char command[32];

	for (size_t i = 0; i < key_count; i++) {
		if ((key_table[i].screens >> screen & 1) != here)
			continue;
		snprintf(command, sizeof(command), ":%s", key_table[i].name);
		add_line(m, here ? ROLE_IS_TEXT : ROLE_IS_MUTED, key_show(&key_table[i]), command, key_table[i].help);
	}
}

static void sayings(struct making *m, const struct saying *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_line(m, ROLE_IS_TEXT, list[i].said, "", list[i].means);
}

static void column_lines(struct making *m, const struct table_source *list)
{
	for (size_t i = 0; list && i < list->n_columns; i++)
		add_line(m, ROLE_IS_TEXT, list->columns[i].name, "",
			 list->columns[i].help ? list->columns[i].help : list->columns[i].title);
}

static void glossary_line(void *ctx, const char *id, const char *kind, const char *help)
{
	char text[600];

	snprintf(text, sizeof(text), "%s: %s", kind, help);
	add_line(ctx, ROLE_IS_TEXT, id, "", text);
}

void help_page(struct page *p, enum screen_id screen, const struct table_source *list, const char *words, int width)
{
	char copy[PAGE_WORDS_MAX];
	struct buf title = { 0 };
	struct making m = { .page = p, .width = width, .words = copy };

	snprintf(copy, sizeof(copy), "%s", words);	/* may be the page's own */
	key_text(&title, "Help: {filter} searches it, {back} closes");
	page_begin(p, "%s", title.text);
	buf_done(&title);
	p->is_help = true;
	p->about = screen;
	snprintf(p->words, sizeof(p->words), "%s", copy);
	begin_part(&m, is_wide(&m) ? "On this screen: key, :command, what it does" : "On this screen");
	key_lines(&m, screen, true);
	begin_part(&m, "Signs");
	sayings(&m, signs, sizeof(signs) / sizeof(*signs));
	begin_part(&m, "The filter");
	sayings(&m, filters, sizeof(filters) / sizeof(*filters));
	begin_part(&m, "Columns here, by their filter names");
	column_lines(&m, list);
	begin_part(&m, "On other screens");
	key_lines(&m, screen, false);
	begin_part(&m, "Words (:explain WORD has details)");
	glossary_each(glossary_line, &m);
	if (!p->n)
		page_add(p, ROLE_IS_TEXT, "  Nothing here matches \"%s\". Backspace shows more, Esc everything.", copy);
}
