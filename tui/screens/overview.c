/* Overview: where it hurts. A sign for each link, rails across nodes; the fabric's rates; who loses most; what is wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/judge/judged.h"
#include "tui/screens/device_page.h"
#include "tui/screens/findings.h"
#include "tui/screens/ports.h"
#include "tui/session/causes.h"
#include "tui/text/human.h"
#include "tui/text/progress.h"
#include "tui/views/fabric_rates.h"
#include "tui/views/heat_map.h"
#include "tui/views/worst_links.h"

#define RIGHT_WIDTH 46	/* of rates and losses, where they stand beside the map */

/* The panes of the Overview, in the order of Tab. */
enum overview_pane { PANE_FINDINGS, PANE_MAP, PANE_LOSSES, PANE_COUNT };

struct overview {
	struct heat heat;
	struct worst_links losses;
	struct fabric_rates rates;
	enum overview_pane pane;	/* that has the keys */
	unsigned panes;			/* those on the screen, as bits */
	char row_name[40];		/* under the map's cursor; empty: nobody has moved it */
	size_t column;			/* sign + 1; 0: the whole row */
	size_t fold;			/* nodes in one sign, as last drawn */
	size_t loss;
	struct buf filter;		/* of the Ports screen, as it was opened last */
	size_t answered, asked;		/* devices: none, all and how many are said of those alone that were read */
	bool is_made;
	uint64_t serial;
};

static struct overview *mine(struct views *v)
{
	return views_own(v, SCREEN_OVERVIEW, sizeof(struct overview));
}

/* -- what is worked out once a change -- */

static void update(const struct view_of *of, struct views *v)
{
	const struct portrows *rows = views_ports(of, v);
	unsigned priority = portrow_priority(of->policy);
	struct overview *o = mine(v);

	o->answered = of->answered;
	o->asked = of->asked;
	if (o->is_made && o->serial == of->serial)
		return;
	rates_update(&o->rates, of->model, priority);
	worst_links_update(&o->losses, rows->list, rows->n, of->model, of->findings, priority);
	heat_update(&o->heat, of->links, rows->list, rows->n, of->model, of->findings, of->policy, of->inventory);
	o->serial = of->serial;
	o->is_made = true;
}

/* The row under the map's cursor: by name, as rows come and go; nobody has moved it: the worst. */
static size_t map_row(const struct overview *o)
{
	const struct heat *h = &o->heat;
	size_t row = h->worst < h->n ? h->worst : 0;

	for (size_t i = 0; *o->row_name && i < h->n; i++)
		if (!strcmp(h->rows[i].name, o->row_name))
			row = i;
	while (row && !h->rows[row].alike)
		row--;
	return row;
}

static size_t next_row(const struct heat *h, size_t row, int by)
{
	size_t to = row;

	do {
		to += (size_t)by;
	} while (to < h->n && !h->rows[to].alike);
	return to < h->n ? to : row;
}

/* Fewer signs stand for a row since the screen became narrower, or the fabric smaller. */
static void clamp_column(struct overview *o)
{
	size_t cells = o->heat.n ? (o->heat.rows[map_row(o)].n + o->fold - 1) / o->fold : 0;

	o->column = o->column < cells ? o->column : cells;
}

/* -- rates -- */

static void draw_rates(const struct draw *d, int y, int x, int width, int rows, const struct view_of *of,
		       const struct fabric_rates *r)
{
	char title[64], text[HUMAN_MAX];

	snprintf(title, sizeof(title), "All ports, priority %u, last %s", portrow_priority(of->policy),
		 r->step_us == SECOND ? "minute" : human_age(text, RATE_HISTORY * r->step_us));
	draw_rule(d, y, x, width, title);
	for (int i = 0; i < FABRIC_RATES && i + 1 < rows; i++) {
		int spark = width - 36;

		draw_cell(d, y + 1 + i, x + 1, 23, false, ROLE_IS_TEXT, rate_table[i].title);
		draw_cell(d, y + 1 + i, x + 25, 8, true, !r->known[i] ? ROLE_IS_UNKNOWN : r->now[i] > 0 ? ROLE_IS_TEXT : ROLE_IS_MUTED,
			  r->known[i] ? human_rate(text, rate_table[i].field, r->now[i]) : "?");
		if (spark > 3)
			draw_spark(d, y + 1 + i, x + 35, spark, ROLE_IS_SPARK, r->history[i], RATE_HISTORY, r->step_us);
	}
}

/* -- who loses most -- */

#define BAR_WIDTH 8

static void add_loss(struct buf *out, double per_s, const char *word)
{
	char text[HUMAN_MAX];

	if (per_s > 0)
		buf_printf(out, "  %s/s %s", human_count(text, per_s), word);
}

static void draw_loss(const struct draw *d, int y, int x, int width, const struct worst_link *l, bool is_cursor)
{
	int name = width - 34 > 16 ? width - 34 : 16, at = x + name + 2;
	bool is_lost = l->drops_per_s > 0 || l->errors_per_s > 0;
	struct buf words = { 0 };
	float bar[BAR_WIDTH];
	char share[HUMAN_MAX];

	name = name < 48 ? name : 48;
	at = x + name + 2;
	draw_text(d, y, x, 1, ROLE_IS_TEXT, is_cursor ? ">" : " ");
	draw_cell(d, y, x + 1, name, false, is_lost ? ROLE_IS_CRIT : ROLE_IS_TEXT, l->row->link->name);
	for (int i = 0; i < BAR_WIDTH; i++)
		bar[i] = l->paused_share * BAR_WIDTH > i ? 1 : NAN;
	if (!d->lines)		/* a length, not a course: the share says it */
		draw_spark(d, y, at, BAR_WIDTH, ROLE_IS_SPARK, bar, BAR_WIDTH, 0);
	buf_printf(&words, "%5s paused", isnan(l->paused_share) ? "?" : human_share(share, l->paused_share));
	add_loss(&words, l->drops_per_s, "dropped");
	add_loss(&words, l->errors_per_s, "damaged");
	draw_text(d, y, at + BAR_WIDTH + 1, x + width - at - BAR_WIDTH - 1, is_lost ? ROLE_IS_CRIT : ROLE_IS_TEXT, words.text);
	if (is_cursor)
		draw_restyle(d, y, x, width, ROLE_IS_CURSOR);
	buf_done(&words);
}

/* Drops of other classes are no loss of this one, but are said. */
static void draw_lossy(const struct draw *d, int y, int x, int width, const struct worst_links *l)
{
	char rate[HUMAN_MAX];

	if (l->lossy)
		draw_printf(d, y, x, width, ROLE_IS_WARN, "%s/s dropped in other classes, most at %s", human_count(rate, l->lossy_per_s),
			    l->lossy->link->name);
}

static bool is_unread(const struct overview *o)
{
	return o->answered < o->asked;
}

/* What is not seen to happen, and of how many links that is not told; drops of other classes take the only row. */
static void draw_no_loss(const struct draw *d, int y, int x, int width, int rows, const struct overview *o)
{
	const struct worst_links *l = &o->losses;

	if (rows < 1)
		return;
	draw_lossy(d, y + (rows > 1), x, width, l);
	if (rows == 1 && l->lossy)
		return;
	if (is_unread(o))
		draw_printf(d, y, x, width, ROLE_IS_UNKNOWN, "Not read yet: %zu of %zu devices answered.", o->answered, o->asked);
	else if (!o->heat.n || !l->of)
		draw_text(d, y, x, width, ROLE_IS_UNKNOWN, "No link is known yet.");
	else if (l->silent)
		draw_printf(d, y, x, width, ROLE_IS_UNKNOWN, "%zu of %zu links do not report all counters; no drop or pause is seen "
							     "in this class.", l->silent, l->of);
	else
		draw_text(d, y, x, width, ROLE_IS_MUTED, "No loss and no pause in this class now.");
}

static void draw_losses(const struct draw *d, int y, int x, int width, int rows, struct overview *o)
{
	const struct worst_links *l = &o->losses;
	bool has_focus = o->pane == PANE_LOSSES;
	int page = rows - 1;
	char title[64];

	if (o->loss >= l->n)
		o->loss = l->n ? l->n - 1 : 0;
	if (is_unread(o) && !l->n)
		snprintf(title, sizeof(title), "Worst links: not read yet");
	else if (o->heat.n)
		snprintf(title, sizeof(title), "%sWorst links: %zu%s%s", has_focus ? "> " : "", l->n,
			 is_unread(o) ? " so far" : "",
			 l->n	    ? ", pause of the last 3 reads"
			 : l->lossy ? " of this class seen dropping or paused"
				    : " seen dropping or paused");
	else
		snprintf(title, sizeof(title), "Worst links");
	draw_rule(d, y, x, width, title);
	o->panes |= l->n ? 1u << PANE_LOSSES : 0;
	for (int i = 0; i < page && (size_t)i < l->n; i++) {
		size_t at = o->loss >= (size_t)page ? o->loss - (size_t)page + 1 + (size_t)i : (size_t)i;

		draw_loss(d, y + 1 + i, x, width, &l->list[at], has_focus && at == o->loss);
	}
	if (!l->n)
		draw_no_loss(d, y + 1, x + 1, width - 1, page, o);
	else if (l->n < (size_t)(page > 0 ? page : 0))
		draw_lossy(d, y + 1 + (int)l->n, x + 1, width - 1, l);
}

/* -- the map -- */

#define COUNTS_WIDTH 24	/* "25/32 ok, 1!, 6 paused" */

struct map_place {
	int y, width, name, cells;	/* columns of the names, and of the signs */
	size_t fold;			/* nodes in one sign */
};

static struct map_place place_map(const struct heat *h, int y, int width)
{
	struct map_place p = { .y = y, .width = width, .name = 6 };
	size_t most = 1;
	char name[96];

	for (size_t i = 0; i < h->n; i++) {
		heat_name(h, i, name, sizeof(name));
		p.name = (int)strlen(name) > p.name ? (int)strlen(name) : p.name;
		most = h->rows[i].n > most ? h->rows[i].n : most;
	}
	p.name = p.name < 20 ? p.name : 20;
	if (p.name > width / 4)
		p.name = width / 4;
	p.cells = width - p.name - COUNTS_WIDTH - 6;
	if (p.cells < 8)
		p.cells = 8;
	p.fold = (most + (size_t)p.cells - 1) / (size_t)p.cells;
	return p;
}

static void add_count(struct buf *out, size_t n, const char *word)
{
	if (n)
		buf_printf(out, ", %zu %s", n, word);
}

static void draw_counts(const struct draw *d, int y, int x, int width, const struct heat *h, size_t row)
{
	const struct heat_counts *c = &h->rows[row].counts;
	unsigned folded = (unsigned)h->rows[row].alike;
	struct buf text = { 0 };

	buf_printf(&text, "%u/%u ok", c->ok * folded, c->n * folded);
	add_count(&text, c->fault, "critical");
	add_count(&text, c->paused, "paused");
	add_count(&text, c->warning, "warn");
	add_count(&text, c->unknown, "unknown");
	if (row == h->worst)
		buf_str(&text, "  <- worst");
	draw_text(d, y, x, width, c->fault ? ROLE_IS_CRIT : c->warning || c->paused ? ROLE_IS_WARN : c->ok == c->n ? ROLE_IS_MUTED :
		  ROLE_IS_TEXT, text.text);
	buf_done(&text);
}

static void draw_map_row(const struct draw *d, int y, const struct map_place *p, const struct heat *h, size_t row, bool is_cursor,
			 size_t column)
{
	size_t cells = (h->rows[row].n + p->fold - 1) / p->fold;
	int x = p->name + 3;
	char name[96], times[24] = "";

	heat_name(h, row, name, sizeof(name));
	if (h->rows[row].alike > 1)
		snprintf(times, sizeof(times), "x%zu", h->rows[row].alike);
	draw_text(d, y, 0, 1, ROLE_IS_TEXT, is_cursor ? ">" : " ");
	draw_cell(d, y, 1, p->name, false, ROLE_IS_TEXT, name);
	draw_text(d, y, x - 1, 1, ROLE_IS_MUTED, "[");
	for (size_t i = 0; i < cells; i++, x++) {
		char sign[2] = { heat_worst(h, row, i * p->fold, p->fold).sign };

		draw_text(d, y, x, 1, *sign ? heat_role(*sign) : ROLE_IS_TEXT, *sign ? sign : " ");
		if (is_cursor && column == i + 1)
			draw_restyle(d, y, x, 1, ROLE_IS_CURSOR);
	}
	draw_printf(d, y, x, 24, ROLE_IS_MUTED, "]%s", times);
	x += 2 + (int)strlen(times);
	draw_counts(d, y, x, p->width - x, h, row);
	if (is_cursor && !column)
		draw_restyle(d, y, 0, p->name + 1, ROLE_IS_CURSOR);
}

/* The number of the node at each tenth sign. */
static void draw_ruler(const struct draw *d, const struct map_place *p, const struct heat *h)
{
	size_t cells = (h->n_nodes + p->fold - 1) / p->fold;

	draw_text(d, p->y + 1, p->name - 3, 5, ROLE_IS_MUTED, "node");
	for (size_t i = 0; i < cells; i += i ? 10 : 9)
		draw_printf(d, p->y + 1, p->name + 3 + (int)i, 5, ROLE_IS_MUTED, "%zu", i * p->fold + 1);
}

/* What the cursor is on, in place of the legend. */
static void focus_title(const struct overview *o, const struct map_place *p, struct buf *out)
{
	const struct heat *h = &o->heat;
	size_t row = map_row(o), first = (o->column - 1) * p->fold, n = o->column ? p->fold : h->rows[row].n;
	struct heat_cell worst = heat_worst(h, row, o->column ? first : 0, n);
	char name[96];

	heat_name(h, row, name, sizeof(name));
	buf_printf(out, "> %s", name);
	if (o->column && h->rows[row].is_hosts)
		buf_printf(out, " %s", h->nodes[first]->name);
	if (o->column && h->rows[row].is_hosts && p->fold > 1)
		buf_printf(out, "..%s", h->nodes[first + p->fold <= h->n_nodes ? first + p->fold - 1 : h->n_nodes - 1]->name);
	if (worst.sign)
		buf_printf(out, "  %s%c %s", o->column && p->fold == 1 ? "" : "worst: ", worst.sign, worst.worst->link->name);
	else
		buf_str(out, "  no link here");
}

static void draw_map_title(const struct draw *d, const struct map_place *p, const struct overview *o)
{
	struct buf title = { 0 };

	if (o->pane == PANE_MAP)
		focus_title(o, p, &title);
	else if (p->fold > 1)
		buf_printf(&title, "%s%zu per sign:  %s", p->width >= 106 ? "Rails x nodes, " : "", p->fold, heat_legend(p->width - 28));
	else
		buf_printf(&title, "%s%s", p->width >= 96 ? "Rails x nodes   " : "", heat_legend(p->width));
	draw_rule(d, p->y, 0, p->width, title.text);
	buf_done(&title);
}

static size_t shown_rows(const struct heat *h)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n; i++)
		n += h->rows[i].alike > 0;
	return n;
}

/* Rows that the map needs: its title, the ruler, a row each. */
static int map_rows(const struct heat *h)
{
	return 2 + (int)shown_rows(h);
}

/* The first row drawn, so that the cursor's is. */
static size_t top_row(const struct overview *o, int page)
{
	size_t top = 0, cursor = map_row(o), before = 0;

	for (size_t i = 0; i < cursor; i++)
		before += o->heat.rows[i].alike > 0;
	for (; before >= (size_t)page && top < cursor; before--)
		top = next_row(&o->heat, top, 1);
	return top;
}

static void draw_map(const struct draw *d, int y, int width, int rows, struct overview *o)
{
	const struct heat *h = &o->heat;
	struct map_place p = place_map(h, y, width);
	int ruler = rows > 3 && h->n_nodes ? 1 : 0, page = rows - 1 - ruler, used = 0;
	size_t row;

	o->fold = p.fold;
	clamp_column(o);
	if (!h->n) {
		draw_rule(d, y, 0, width, "Rails x nodes");
		draw_key_text(d, y + 1, 1, width - 1, ROLE_IS_TEXT,
			      "No link is known. {ping-neighbors} pings each port once to find neighbors; {devices}: devices");
		return;
	}
	o->panes |= 1u << PANE_MAP;
	draw_map_title(d, &p, o);
	if (ruler && !d->lines)
		draw_ruler(d, &p, h);
	for (row = top_row(o, page); used < page && row < h->n; used++) {
		size_t next = row + (h->rows[row].alike ? h->rows[row].alike : 1);

		if (used == page - 1 && next < h->n && page > 2 && row != map_row(o)) {
			draw_printf(d, y + 1 + ruler + used, 1, width - 1, ROLE_IS_MUTED, "and %zu more rows (Tab, then j)",
				    h->n - row);
			return;
		}
		draw_map_row(d, y + 1 + ruler + used, &p, h, row, o->pane == PANE_MAP && row == map_row(o), o->column);
		row = next;
	}
}

/* -- the screen -- */

static void source(const struct view_of *of, struct views *v, struct table_source *s)
{
	views_findings(of, v, true);
	findings_source(of, v, true, s);
}

static void add_causes(struct buf *out, const struct model *m)
{
	struct cause_group groups[CAUSES_MAX];
	size_t n = causes_of(m, false, groups);

	buf_str(out, n ? "; " : "");
	causes_text(groups, n, out);
}

/* "40 of 42 devices read; node31: host key changed (9 opens it)"; false when all are. */
static bool draw_missing(const struct draw *d, int y, const struct view_of *of, struct views *v)
{
	const struct header_counts *c = views_counts(of, v);
	bool is_much = c->all - c->up > 3;
	struct buf text = { 0 };
	size_t told = 0;

	if (!c->all || c->up == c->all)
		return false;
	if (of->answered < of->asked)
		progress_words(&text, "devices answered", of->answered, of->asked, model_now(of->model) - of->began_us, 0);
	else
		buf_printf(&text, "%zu of %zu devices read", c->up, c->all);
	if (is_much)
		add_causes(&text, of->model);
	for (size_t i = 0; !is_much && i < model_devices(of->model) && told < 3; i++) {
		const struct device *dev = model_device(of->model, i);
		const char *why = device_text(dev, FIELD_ERROR);
		uint64_t state;

		if (!why || !*why || !device_number(of->model, dev, FIELD_STATE, 0, &state) || state == STATE_UP)
			continue;
		buf_printf(&text, "; %s: %s", dev->name, cause_without_name(dev->name, why));
		told++;
	}
	draw_text(d, y, 1, d->cols - 18, ROLE_IS_WARN, text.text);
	draw_key_text(d, y, d->cols - 16, 16, ROLE_IS_MUTED, c->all - c->up > 1 ? "({devices} opens them)" : "({devices} opens it)");
	buf_done(&text);
	return true;
}

static int at_most(int n, int most)
{
	return n < most ? n : most;
}

/* Map at the left, rates and losses at the right. Returns the rows used. */
static int draw_beside(const struct draw *d, int y, int rows, const struct view_of *of, struct overview *o)
{
	int rates = FABRIC_RATES + 1, losses = 2 + at_most((int)o->losses.n, 8);
	int right = d->cols >= 160 ? 64 : RIGHT_WIDTH, used = map_rows(&o->heat);

	if (used < rates + losses)
		used = rates + losses;
	used = at_most(used, rows / 2);
	draw_map(d, y, d->cols - right - 2, used, o);
	draw_rates(d, y, d->cols - right, right, rates, of, &o->rates);
	if (used > rates)
		draw_losses(d, y + rates, d->cols - right, right, used - rates, o);
	return used;
}

/* One above the other, as far as there is room for them and for findings. */
static int draw_stacked(const struct draw *d, int y, int rows, const struct view_of *of, struct overview *o)
{
	int used = at_most(map_rows(&o->heat), rows / 2), losses = 1 + at_most((int)o->losses.n, 3);

	draw_map(d, y, d->cols, used, o);
	if (rows - used - losses >= 10 && (o->losses.n || rows >= 20)) {
		losses += o->losses.n ? 0 : 1;
		draw_losses(d, y + used, 0, d->cols, losses, o);
		used += losses;
	}
	if (rows - used >= 22) {
		draw_rates(d, y + used, 0, d->cols, FABRIC_RATES + 1, of, &o->rates);
		used += FABRIC_RATES + 1;
	}
	return used;
}

/* A line above all else when what is below would look well only because nothing was judged. */
static int draw_unjudged(const struct draw *d, int y, const struct view_of *of)
{
	struct buf text = { 0 };
	bool is_nothing = of->answered >= of->asked && judged_nothing(of->model, of->findings, 3, &text);

	if (is_nothing) {
		text.text[0] = 'N';
		draw_text(d, y, 1, d->cols - 2, ROLE_IS_WARN, text.text);
	}
	buf_done(&text);
	return is_nothing;
}

static void draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	struct overview *o = mine(v);
	struct table *t = &v->tables[SCREEN_OVERVIEW];
	int used = 0, pane;
	struct table_source s;

	update(of, v);
	o->panes = 1u << PANE_FINDINGS;
	if (rows >= 10 && draw_missing(d, y, of, v))
		used = 1;
	if (rows >= 10)
		used += draw_unjudged(d, y + used, of);
	if (rows >= 10)
		used += d->cols >= 110 ? draw_beside(d, y + used, rows - used, of, o) : draw_stacked(d, y + used, rows - used, of, o);
	if (rows - used >= 9)
		used += pausepane_draw(d, y + used, (rows - used) / 3, of, v, NULL);
	if (!(o->panes >> o->pane & 1))
		o->pane = PANE_FINDINGS;
	source(of, v, &s);
	if (used)
		draw_rule(d, y + used++, 0, d->cols, "Findings, worst first");
	pane = rows - used >= 12 ? (rows - used) / 2 : 0;
	t->is_aside = o->pane != PANE_FINDINGS;
	table_draw(t, &s, d, y + used, rows - used - pane);
	if (pane && findings_cursor(v, t))
		findings_pane(d, y + rows - pane, pane, of, findings_cursor(v, t));
}

/* -- keys -- */

static bool next_pane(const struct view_of *of, struct views *v, int by)
{
	struct overview *o = mine(v);

	update(of, v);
	for (int to = (int)o->pane + by; to >= 0 && to < PANE_COUNT; to += by) {
		if (o->panes >> to & 1) {
			o->pane = (enum overview_pane)to;
			return true;
		}
	}
	o->pane = PANE_FINDINGS;
	return false;
}

/* The Ports screen, of what is under the map's cursor alone. */
static struct intent open_ports(struct overview *o)
{
	buf_clear(&o->filter);
	if (o->column)
		heat_filter(&o->heat, map_row(o), (o->column - 1) * o->fold, o->fold, &o->filter);
	else
		heat_filter(&o->heat, map_row(o), 0, 0, &o->filter);
	return (struct intent){ .is = INTENT_GO, .screen = SCREEN_PORTS, .text = o->filter.n ? o->filter.text : NULL };
}

static void move_map(struct overview *o, enum command command)
{
	const struct heat *h = &o->heat;
	size_t row = map_row(o), cells = (h->rows[row].n + o->fold - 1) / o->fold;

	switch (command) {
	case DO_UP:	row = next_row(h, row, -1); break;
	case DO_DOWN:	row = next_row(h, row, 1); break;
	case DO_TOP:	row = 0; break;
	case DO_BOTTOM:	row = h->n - 1; break;
	case DO_LEFT:	o->column -= o->column > 0; break;
	case DO_RIGHT:	o->column += o->column < cells; break;
	default:	break;
	}
	snprintf(o->row_name, sizeof(o->row_name), "%s", h->rows[row].name);
	clamp_column(o);
}

static void move_losses(struct overview *o, enum command command)
{
	size_t last = o->losses.n - 1;

	switch (command) {
	case DO_UP:	o->loss -= o->loss > 0; break;
	case DO_DOWN:	o->loss += o->loss < last; break;
	case DO_TOP:	o->loss = 0; break;
	case DO_BOTTOM:	o->loss = last; break;
	default:	break;
	}
}

/* The device that a row of the map is; NULL for several rows drawn as one, and where the far end is not known. */
static const struct device *map_device(const struct view_of *of, const struct heat *h, size_t row)
{
	const struct heat_row *r = &h->rows[row];

	return r->alike > 1 ? NULL : model_find_device(of->model, *r->leaf ? r->leaf : r->name);
}

/* A whole row is its switch; a sign is the worst of the links that it stands for. */
static struct subject map_subject(const struct view_of *of, const struct overview *o)
{
	size_t row = map_row(o);
	const struct device *d = o->column ? NULL : map_device(of, &o->heat, row);
	const struct portrow *worst = o->column ? heat_worst(&o->heat, row, (o->column - 1) * o->fold, o->fold).worst :
				      o->heat.rows[row].worst;

	if (d)
		return subject_of_device(d);
	return worst ? subject_of_link(worst->link) : subject_none("There is no link here.");
}

static bool is_in_pane(const struct overview *o)
{
	return (o->pane == PANE_MAP && o->heat.n) || (o->pane == PANE_LOSSES && o->losses.n);
}

static struct subject subject(const struct view_of *of, struct views *v, size_t row)
{
	struct overview *o = mine(v);
	struct subject s;

	update(of, v);
	o->loss = o->loss < o->losses.n ? o->loss : 0;
	o->fold = o->fold ? o->fold : 1;
	if (row != AT_CURSOR || !is_in_pane(o)) {
		views_findings(of, v, true);
		return findings_subject(of, v, &v->tables[SCREEN_OVERVIEW], row);
	}
	s = o->pane == PANE_MAP ? map_subject(of, o) : subject_of_link(o->losses.list[o->loss].row->link);
	s.is_aside = true;
	return s;
}

static const char *copy(const struct view_of *of, struct views *v, bool ascii, struct buf *out)
{
	views_findings(of, v, true);
	return findings_evidence(of, v, &v->tables[SCREEN_OVERVIEW], ascii, out);
}

static struct intent key_of_pane(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	struct subject at = subject(of, v, AT_CURSOR);

	if (command == DO_OPEN && mine(v)->pane == PANE_MAP)
		return open_ports(mine(v));
	if (command == DO_REFRESH)
		return (struct intent){ .is = INTENT_REFRESH };
	if (at.none)
		return (struct intent){ .is = INTENT_SAY, .text = at.none };
	if (at.link)
		return ports_key(of, v, at.link, command, page);
	if (command == DO_RAW)
		return device_raw(at.device, page);
	if (command != DO_EXPLAIN)
		return (struct intent){ .is = INTENT_NONE };
	device_why(page, of, at.device, views_width(v));
	return (struct intent){ .is = INTENT_PAGE };
}

/* What another pane than the findings does with a key; false when they have the keys. */
static bool pane_key(const struct view_of *of, struct views *v, enum command command, struct page *page, struct intent *i)
{
	struct overview *o = mine(v);

	update(of, v);
	if (!is_in_pane(o))
		return false;
	o->loss = o->loss < o->losses.n ? o->loss : 0;
	o->fold = o->fold ? o->fold : 1;
	*i = (struct intent){ .is = INTENT_DONE };
	if (!command_is(command, KEYS_MOVE))
		*i = key_of_pane(of, v, command, page);
	else if (o->pane == PANE_MAP)
		move_map(o, command);
	else
		move_losses(o, command);
	return true;
}

static struct intent key(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	struct intent i;

	views_findings(of, v, true);
	if (command == DO_OPEN && !findings_cursor(v, &v->tables[SCREEN_OVERVIEW]))
		return (struct intent){ .is = INTENT_GO, .screen = SCREEN_PORTS };
	i = findings_key(of, v, &v->tables[SCREEN_OVERVIEW], command, page);
	if (command == DO_REFRESH)
		i.device = NULL;
	return i;
}

static void forget(void *own)
{
	struct overview *o = own;

	o->is_made = false;
	o->heat.model = NULL;
}

static void done(void *own)
{
	struct overview *o = own;

	heat_done(&o->heat);
	worst_links_done(&o->losses);
	buf_done(&o->filter);
}

const struct screen screen_overview = {
	.source = source, .draw = draw,
	.key = key, .pane_key = pane_key, .next_pane = next_pane, .subject = subject, .copy = copy,
	.forget = forget, .done = done };
