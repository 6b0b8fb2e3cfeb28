#include "tui/console/questions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/span.h"
#include "tui/widgets/page.h"

void questions_add(struct questions *all, unsigned id, const char *host, const char *text, bool is_secret, bool is_yes_no)
{
	struct asked *q = GROW(all->list, all->n, all->cap);

	*q = (struct asked){ id, xstrdup(host ? host : ""), xstrdup(text ? text : ""), is_secret, is_yes_no };
	all->n++;
}

void questions_about(struct questions *all, const char *const *lines, size_t n)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < n; i++)
		buf_printf(&text, "%s%s", i ? "\n" : "", lines[i]);
	all->list[all->n - 1].lines = text.text;
}

void questions_drop(struct questions *all)
{
	free(all->list[0].host);
	free(all->list[0].text);
	free(all->list[0].lines);
	all->n--;
	memmove(all->list, all->list + 1, all->n * sizeof(*all->list));
	all->was_drawn = false;
}

void questions_done(struct questions *all)
{
	while (all->n)
		questions_drop(all);
	free(all->list);
	*all = (struct questions){ NULL };
}

static bool is_all_seen(const struct asked *q)
{
	return !q->lines || (q->n_drawn && q->seen >= q->n_drawn);
}

bool questions_turn(struct questions *all, int code)
{
	struct asked *q = &all->list[0];

	if (!q->lines)
		return false;
	switch (code) {
	case ' ': case 'j': case KEY_DOWN: case KEY_NPAGE:
		if (q->from + q->room < q->n_drawn)
			q->from += q->room;
		return true;
	case 'k': case KEY_UP: case KEY_PPAGE:
		q->from = q->from > q->room ? q->from - q->room : 0;
		return true;
	case 'y': case 'Y':
		return !is_all_seen(q);
	default:
		return false;
	}
}

/* -- drawing -- */

/* Of the lines of a list those that fit; a width they were not drawn for makes all of them unseen. */
static int draw_lines(struct asked *q, const struct draw *d, int y, int x, int width, int below)
{
	struct page p = { .title = "" };
	struct span rest = span_of(q->lines), line;
	char text[256];

	page_begin(&p, "Question");
	while (span_line(&rest, &line)) {
		snprintf(text, sizeof(text), "%.*s", (int)line.n, line.p);
		if ((int)line.n <= width - 4)
			page_add(&p, ROLE_IS_DIALOG, "%s", text);	/* in columns */
		else
			page_wrap(&p, ROLE_IS_DIALOG, "", text, width - 4);
	}
	if (q->width != width)
		q->from = q->seen = 0;
	q->width = width;
	q->n_drawn = p.n;
	q->room = d->rows - y - below > 1 ? (size_t)(d->rows - y - below) : 1;
	size_t end = q->from + q->room < p.n ? q->from + q->room : p.n;
	for (size_t i = q->from; i < end; i++)
		draw_cell(d, y++, x, width, false, ROLE_IS_DIALOG, p.lines[i].text);
	if (q->from <= q->seen && end > q->seen)
		q->seen = end;
	page_done(&p);
	return y;
}

static void yes_line(const struct asked *q, char *out, size_t size)
{
	if (is_all_seen(q))
		snprintf(out, size, "y yes     any other key: no");
	else
		snprintf(out, size, "Space: %zu more lines to read before a yes     Esc: no", q->n_drawn - q->seen);
}

#define LIST_WIDTH	120

void questions_draw(struct questions *all, const struct draw *d, const struct typing *answer)
{
	struct asked *q = &all->list[0];
	int most = q->lines ? LIST_WIDTH : 70, width = d->cols < most ? d->cols : most, x = (d->cols - width) / 2;
	int y = d->rows > 10 && !q->lines ? d->rows / 2 - 4 : 0;
	struct page p = { .title = "" };
	char keys[120];
	int used = 1;

	page_begin(&p, "Question");
	page_wrap(&p, ROLE_IS_DIALOG, "", q->text, width - 4);
	draw_rule(d, y, x, width, "fabcon asks");
	draw_cell(d, y + used++, x, width, false, ROLE_IS_DIALOG, q->host);
	for (size_t i = 0; i < p.n && i < 8; i++)
		draw_cell(d, y + used++, x, width, false, ROLE_IS_DIALOG, p.lines[i].text);
	if (q->lines)
		used = draw_lines(q, d, y + used, x, width, 2) - y;
	yes_line(q, keys, sizeof(keys));
	draw_cell(d, y + used++, x, width, false, ROLE_IS_KEY, q->is_yes_no ? keys : "Enter sends     Esc cancels");
	if (!q->is_yes_no)
		typing_draw(answer, d, y + used++, x, width, "> ", "", q->is_secret);
	draw_rule(d, y + used, x, width, "");
	page_done(&p);
	all->was_drawn = true;
}
