#include "tui/screens/pause_pane.h"

#include <stdio.h>

#include "tui/screens/views.h"

#define TREE_MOST	40	/* rows of one tree */

/* As of the last change. */
static const struct pauses *views_pauses(const struct view_of *of, struct views *v)
{
	struct pause_view *p = &v->pauses;

	if (p->is_made && p->serial == of->serial)
		return &p->graph;
	pauses_make(&p->graph, &(struct pauses_of){ of->model, of->links, of->policy, of->inventory });
	p->serial = of->serial;
	p->is_made = true;
	return &p->graph;
}

static bool has_link(const struct pauses *g, const struct pause_root *r, const struct link *link)
{
	for (size_t i = 0; link && i < r->n_holds; i++)
		if (g->holds[r->holds[i]].link == link)
			return true;
	return !link || r->at == link->a || r->at == link->b;
}

struct drawing {
	const struct draw *d;
	const struct pause_root *root;
	const struct link *link;
	int y, end;
};

static void draw_hold(void *ctx, const struct hold *h, unsigned depth)
{
	struct drawing *p = ctx;
	bool is_mine = p->link && h->link == p->link;
	struct buf words = { 0 };
	int x = 2 + 2 * (int)(depth < 8 ? depth : 8);

	if (p->y >= p->end)
		return;
	pause_hold_words(p->root, h, &words);
	if (is_mine)
		draw_text(p->d, p->y, 1, 1, ROLE_IS_TEXT, ">");
	draw_text(p->d, p->y++, x, p->d->cols - x, is_mine ? ROLE_IS_TEXT : ROLE_IS_MUTED, words.text);
	buf_done(&words);
}

/* The cause first: the end of a row is what a narrow screen cuts off. */
static int draw_root(const struct draw *d, int y, int rows, const struct pauses *g, const struct pause_root *r)
{
	bool is_known = r->is != ROOT_UNKNOWN;
	enum verdict verdict = !is_known ? VERDICT_UNKNOWN : r->is == ROOT_STORM || r->is == ROOT_DEADLOCK ? VERDICT_FAIL : VERDICT_WARN;
	struct buf words = { 0 };

	draw_printf(d, y, 1, d->cols - 1, verdict_role(verdict), "%s %s%s%s%s", verdict_sign(verdict), r->what,
		    r->is_sure || !is_known ? "" : " (likely)", r->missing[0] ? "; not known: " : "", r->missing);
	if (rows < 2)
		return 1;
	pause_root_effect(g, r, &words);
	draw_text(d, y + 1, 3, d->cols - 3, ROLE_IS_TEXT, words.text);
	buf_done(&words);
	return 2;
}

static size_t shown_roots(const struct pauses *g, const struct link *link)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n_roots; i++)
		n += has_link(g, &g->roots[i], link);
	return n;
}

int pausepane_draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v, const struct link *link)
{
	const struct pauses *g = views_pauses(of, v);
	size_t n = shown_roots(g, link);
	int used = 1, tree;
	char title[64];

	if (!n || rows < 2)
		return 0;
	snprintf(title, sizeof(title), "Pause trees: %zu root%s", n, n > 1 ? "s" : "");
	draw_rule(d, y, 0, d->cols, title);
	tree = (rows - 1 - 2 * (int)n) / (int)n;
	for (size_t i = 0; i < g->n_roots && used < rows; i++) {
		struct drawing p = { d, &g->roots[i], link, 0, 0 };

		if (!has_link(g, &g->roots[i], link))
			continue;
		used += draw_root(d, y + used, rows - used, g, &g->roots[i]);
		p.y = y + used;
		p.end = p.y + (tree < TREE_MOST ? tree : TREE_MOST);
		pause_tree(g, &g->roots[i], draw_hold, &p);
		used = p.y - y;
	}
	return used;
}
