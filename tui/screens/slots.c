/* The places of the screens to come, which say what they will hold. */
#include <stdio.h>

#include "tui/screens/screen.h"
#include "tui/widgets/bind.h"

static void draw_words(const struct draw *d, int y, int rows, const char *title, const char *const *words)
{
	struct page p = { .title = "" };

	page_begin(&p, "%s", title);
	for (size_t i = 0; words[i]; i++) {
		struct buf text = { 0 };

		key_text(&text, words[i]);
		page_wrap(&p, ROLE_IS_TEXT, "", text.text, d->cols - 4);
		buf_done(&text);
	}
	draw_rule(d, y, 0, d->cols, title);
	for (int i = 0; (size_t)i < p.n && i + 2 < rows; i++)
		draw_text(d, y + 2 + i, 2, d->cols - 4, p.lines[i].role, p.lines[i].text);
	page_done(&p);
}

static struct intent no_key(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	(void)of;
	(void)v;
	(void)page;
	return (struct intent){ .is = command == DO_REFRESH ? INTENT_REFRESH : INTENT_NONE };
}

#define SLOT(name, heading, ...) \
static void draw_##name(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v) \
{ \
	static const char *const words[] = { __VA_ARGS__, NULL }; \
	(void)of; \
	(void)v; \
	draw_words(d, y, rows, heading " is not part of this version", words); \
} \
const struct screen screen_##name = { .draw = draw_##name, .key = no_key }

SLOT(bringup, "Bring-up",
	"It will hold the guided bring-up of a rack: each stage gated, ending in a sign-off sheet.",
	"Until then: {ports} shows both ends of every link, {devices} how each device is reached.");
