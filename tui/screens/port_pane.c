#include "tui/screens/port_pane.h"

#include <stdio.h>

#include "tui/text/human.h"

enum { LABEL = 14, WANTED = 14, VALUE = 10, AGE = 6, SIGN = 2 };

struct pane {
	const struct draw *d;
	const struct view_of *of;
	const struct portrow *row;
	int y, end;		/* the next row, and the one past the last */
	int end_cols;		/* of what is said of an end */
};

static struct policy_target target_of(const struct pane *p, const struct port *port)
{
	const struct inventory *inv = p->of->inventory;

	return (struct policy_target){ port->device->name, port->name, device_is_switch(port->device, inv),
				       inv ? inventory_find(inv, port->device->name) : NULL };
}

static void wanted_of(const struct pane *p, const struct port *port, enum pair pair, char *out, size_t size)
{
	struct policy_target t;

	snprintf(out, size, "-");
	if (!port)
		return;
	t = target_of(p, port);
	pair_wanted(pair, p->of->policy, &t, out, size);
}

/* Is what an end says what the policy wants of it? What differs and is judged all right is neither. */
static const char *sign_of(const struct pane *p, const struct port *port, enum pair pair, const char *says, const char *wanted)
{
	if (*says == '?')
		return p->d->glyphs->unknown;
	if (!strcmp(wanted, "-"))
		return " ";
	if (!strcmp(wanted, says))
		return p->d->glyphs->same;
	return pair_worst(pair, p->of->findings, port, NULL) >= VERDICT_LOOK ? p->d->glyphs->differs : "~";
}

static void draw_end(const struct pane *p, int x, const struct port *port, enum pair pair, const char *says, const char *wanted)
{
	const struct cell *c = port ? pair_fact(pair, port, target_of(p, port).is_switch, p->of->policy) : NULL;
	const char *sign = sign_of(p, port, pair, says, wanted);
	int source = p->end_cols - VALUE - AGE - SIGN - 3;
	bool differs = sign == p->d->glyphs->differs;
	char age[HUMAN_MAX];

	draw_text(p->d, p->y, x, VALUE, *says == '?' ? ROLE_IS_UNKNOWN : differs ? ROLE_IS_WARN : ROLE_IS_TEXT, says);
	x += VALUE + 1;
	if (source > 8) {
		const char *who = !c ? "not reported" : c->reply->command ? c->reply->command : c->reply->probe;

		draw_text(p->d, p->y, x, source, ROLE_IS_MUTED, who);
		x += source + 1;
	}
	draw_cell(p->d, p->y, x, AGE, true, ROLE_IS_MUTED, c ? human_age(age, cell_age_us(p->of->model, c)) : "");
	draw_text(p->d, p->y, x + AGE + 1, SIGN, differs ? ROLE_IS_WARN : ROLE_IS_TEXT, sign);
}

static void draw_pair(struct pane *p, enum pair pair)
{
	const struct pair_cell *c = &p->row->pairs[pair];
	const struct link *link = p->row->link;
	char a[24], b[24], both[52];

	wanted_of(p, link->a, pair, a, sizeof(a));
	wanted_of(p, link->b, pair, b, sizeof(b));
	if (!strcmp(a, b) || !strcmp(b, "-"))
		snprintf(both, sizeof(both), "%s", a);
	else
		snprintf(both, sizeof(both), "%s/%s", a, b);
	draw_blank(p->d, p->y, 0, p->d->cols);
	draw_text(p->d, p->y, 2, LABEL - 3, verdict_role(c->worst), pair_table[pair].title);
	draw_text(p->d, p->y, LABEL, WANTED - 1, ROLE_IS_TEXT, both);
	draw_end(p, LABEL + WANTED, link->a, pair, c->a, a);
	draw_end(p, LABEL + WANTED + p->end_cols, link->b, pair, c->b, b);
	p->y++;
}

static void draw_head(struct pane *p)
{
	const struct link *link = p->row->link;

	draw_blank(p->d, p->y, 0, p->d->cols);
	draw_printf(p->d, p->y, 2, LABEL + WANTED - 3, ROLE_IS_TITLE, "%s requires", policy_name(p->of->policy));
	draw_printf(p->d, p->y, LABEL + WANTED, p->end_cols - 1, ROLE_IS_TITLE, "%s %s", link->a->device->name, link->a->name);
	if (link->b)
		draw_printf(p->d, p->y, LABEL + WANTED + p->end_cols, p->end_cols, ROLE_IS_TITLE, "%s %s",
			    link->b->device->name, link->b->name);
	else
		draw_text(p->d, p->y, LABEL + WANTED + p->end_cols, p->end_cols, ROLE_IS_UNKNOWN, "far end not known");
	p->y++;
}

/* Those that differ, those that are not known, and when neither is there, those that agree; most of them. */
static void draw_pairs(struct pane *p, int most)
{
	static const char signs[] = { '!', '?', '=' };
	int drawn = 0;

	for (size_t s = 0; s < sizeof(signs) && !(signs[s] == '=' && drawn); s++)
		for (unsigned i = 0; i < PAIR_COUNT && drawn < most; i++)
			if (pair_sign(&p->row->pairs[i]) == signs[s]) {
				draw_pair(p, (enum pair)i);
				drawn++;
			}
}

static void draw_so_what(struct pane *p, int most)
{
	const struct finding *f = portrow_finding(p->of->findings, p->row->link);
	struct page text = { .title = "" };

	page_begin(&text, "impact");
	if (f && f->verdict >= VERDICT_LOOK)
		page_wrap(&text, ROLE_IS_TEXT, "impact      ", f->check->why, p->d->cols - 4);
	else if (!f)
		page_wrap(&text, ROLE_IS_MUTED, "", "No findings here. Enter shows every field of both ends.",
			  p->d->cols - 4);
	for (size_t i = 0; i < text.n && most > 0 && p->y < p->end; i++, most--)
		draw_text(p->d, p->y++, 2, p->d->cols - 2, text.lines[i].role, text.lines[i].text);
	page_done(&text);
}

static void draw_findings(struct pane *p)
{
	const struct finding *const *list;
	size_t n = findings_open(p->of->findings, &list);

	for (size_t i = 0; i < n && p->y < p->end; i++) {
		const struct finding *f = list[i];

		if (!portrow_has(p->row->link, f))
			continue;
		draw_blank(p->d, p->y, 0, p->d->cols);
		draw_printf(p->d, p->y++, 2, p->d->cols - 2, verdict_role(f->verdict), "%s%-4s %-26s %s",
			    verdict_sign(f->verdict), verdict_word(f->verdict), f->check->id, f->verdict == VERDICT_UNKNOWN ? f->missing : f->what);
	}
}

void portpane_draw(const struct draw *d, int y, int rows, const struct view_of *of, const struct portrow *r)
{
	struct pane p = { .d = d, .of = of, .row = r, .y = y + 1, .end = y + rows, .end_cols = (d->cols - LABEL - WANTED) / 2 };

	draw_rule(d, y, 0, d->cols, r->link->name);
	draw_head(&p);
	draw_pairs(&p, rows > 8 ? rows - 6 : rows - 3);
	draw_so_what(&p, rows > 8 ? 2 : 1);
	draw_findings(&p);
}
