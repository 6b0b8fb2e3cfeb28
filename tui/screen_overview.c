/* Overview: where it hurts. A sign for each link by leaf, the fabric's rates, and what is wrong, worst first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tui/human.h"
#include "tui/screens.h"

static const struct {
	const char *title;
	enum field field;
	bool of_priority;	/* of the lossless priority alone */
} rate_table[FABRIC_RATES] = {
	{ "PFC frames received", FIELD_PFC_RX,	    true },
	{ "ECN marked by switches", FIELD_ECN_MARKED, true },
	{ "CNP sent by NICs",	 FIELD_CNP_SENT,    false },
	{ "CNP handled by NICs", FIELD_CNP_HANDLED, false },
	{ "out of sequence",	 FIELD_OOS,	    false },
};

/* Rates */

static void add_history(struct fabric_rates *r, unsigned which, const struct series *s, int64_t now_us)
{
	int64_t at_us[HISTORY_LEN];
	float value[HISTORY_LEN];
	size_t n = s ? series_history(s, at_us, value) : 0;

	for (size_t i = 0; i < n; i++) {
		int64_t ago = (now_us - at_us[i]) / SECOND;
		float *sum;

		if (ago < 0 || ago >= RATE_HISTORY || isnan(value[i]))
			continue;
		sum = &r->history[which][RATE_HISTORY - 1 - ago];
		*sum = isnan(*sum) ? value[i] : *sum + value[i];
	}
}

static void sum_rate(struct fabric_rates *r, unsigned which, const struct view_of *of)
{
	unsigned index = rate_table[which].of_priority ? portrow_priority(of->policy) : 0;
	double per_s;

	for (size_t i = 0; i < RATE_HISTORY; i++)
		r->history[which][i] = NAN;
	for (size_t i = 0; i < model_ports(of->model); i++) {
		const struct port *p = model_port(of->model, i);

		add_history(r, which, port_series(p, rate_table[which].field, index), model_now(of->model));
		if (!port_rate(of->model, p, rate_table[which].field, index, &per_s))
			continue;
		r->now[which] += per_s;
		r->known[which] = true;
	}
}

static const struct fabric_rates *views_rates(const struct view_of *of, struct views *v)
{
	if (v->rates.serial == of->serial)
		return &v->rates;
	memset(&v->rates, 0, sizeof(v->rates));
	for (unsigned i = 0; i < FABRIC_RATES; i++)
		sum_rate(&v->rates, i, of);
	v->rates.serial = of->serial;
	return &v->rates;
}

static void draw_rates(const struct draw *d, int y, int x, int width, int rows, const struct view_of *of,
		       const struct fabric_rates *r)
{
	char title[64];

	snprintf(title, sizeof(title), "Sums over all ports, priority %u, last minute", portrow_priority(of->policy));
	draw_rule(d, y, x, width, title);
	for (int i = 0; i < FABRIC_RATES && i + 1 < rows; i++) {
		char text[HUMAN_MAX];
		int spark = width - 36;

		draw_cell(d, y + 1 + i, x + 1, 23, false, ROLE_IS_TEXT, rate_table[i].title);
		draw_cell(d, y + 1 + i, x + 25, 8, true, !r->known[i] ? ROLE_IS_UNKNOWN : r->now[i] > 0 ? ROLE_IS_TEXT : ROLE_IS_MUTED,
			  r->known[i] ? human_rate(text, rate_table[i].field, r->now[i]) : "?");
		if (spark > 3)
			draw_spark(d, y + 1 + i, x + 35, spark, ROLE_IS_SPARK, r->history[i], RATE_HISTORY);
	}
}

/* The map */

#define COUNTS_WIDTH 28	/* "25/32 ok, 1 fault, 6 paused" */

static const char *link_sign(const struct view_of *of, const struct portrow *r, enum role *role)
{
	uint64_t up;

	*role = verdict_role(portrow_verdict(r));
	if ((port_number(of->model, r->link->a, FIELD_UP, 0, &up) && !up) ||
	    (r->link->b && port_number(of->model, r->link->b, FIELD_UP, 0, &up) && !up)) {
		*role = ROLE_IS_CRIT;
		return "x";
	}
	if (portrow_verdict(r) < VERDICT_WARN && r->paused_known && r->paused_share >= policy_limit(of->policy, LIMIT_PAUSE_WARN)) {
		*role = ROLE_IS_WARN;
		return "P";
	}
	return verdict_sign(portrow_verdict(r));
}

static const char *row_name(const struct portrow *r)
{
	return r->link->b ? r->link->b->device->name : "far end ?";
}

static int by_leaf(const void *a, const void *b)
{
	const struct portrow *const *x = a, *const *y = b;
	int order = natural_cmp(row_name(*x), row_name(*y));

	return order ? order : natural_cmp((*x)->link->name, (*y)->link->name);
}

/* The links that carry RoCE, by leaf; all of them when none is known to. Yours to free. */
static const struct portrow **sorted_rows(const struct portrows *rows, size_t *n)
{
	const struct portrow **list = xcalloc(rows->n + 1, sizeof(*list));

	*n = 0;
	for (size_t i = 0; i < rows->n; i++)
		if (rows->list[i].link->is_fabric)
			list[(*n)++] = &rows->list[i];
	for (size_t i = 0; !*n && i < rows->n; i++)
		list[i] = &rows->list[i];
	if (!*n)
		*n = rows->n;
	qsort(list, *n, sizeof(*list), by_leaf);
	return list;
}

struct leaf_counts {
	size_t ok, fault, warning, unknown, paused;
};

static void count_link(struct leaf_counts *c, const struct portrow *r, const char *sign)
{
	enum verdict v = portrow_verdict(r);

	c->ok += v == VERDICT_OK;
	c->fault += v == VERDICT_FAIL;
	c->warning += v == VERDICT_WARN;
	c->unknown += v == VERDICT_UNKNOWN;
	c->paused += *sign == 'P';
}

static void add_count(struct buf *out, size_t n, const char *word)
{
	if (n)
		buf_printf(out, ", %zu %s", n, word);
}

static void draw_counts(const struct draw *d, int y, int x, const struct leaf_counts *c, size_t n)
{
	struct buf text = { 0 };

	buf_printf(&text, "%zu/%zu ok", c->ok, n);
	add_count(&text, c->fault, "fault");
	add_count(&text, c->warning, "warning");
	add_count(&text, c->paused, "paused");
	add_count(&text, c->unknown, "not known");
	draw_text(d, y, x, COUNTS_WIDTH, c->fault ? ROLE_IS_CRIT : c->warning ? ROLE_IS_WARN : c->ok == n ? ROLE_IS_MUTED :
		  ROLE_IS_TEXT, text.text);
	buf_done(&text);
}

/* One leaf: its name, a sign a link, and how many are what. */
static void draw_leaf(const struct draw *d, int y, int width, const struct view_of *of, const struct portrow **rows, size_t n)
{
	int signs = width - 16 - COUNTS_WIDTH - 2, x;
	struct leaf_counts counts = { 0 };

	draw_cell(d, y, 1, 14, false, ROLE_IS_TEXT, row_name(rows[0]));
	for (size_t i = 0; i < n; i++) {
		enum role role;
		const char *sign = link_sign(of, rows[i], &role);

		count_link(&counts, rows[i], sign);
		if ((int)i < signs)
			draw_text(d, y, 16 + (int)i, 1, role, sign);
	}
	if ((int)n > signs && signs > 0)
		draw_text(d, y, 16 + signs, 1, ROLE_IS_MUTED, d->glyphs->more);
	x = 16 + ((int)n < signs ? (int)n : signs > 0 ? signs : 0) + 2;
	if (x < width)
		draw_counts(d, y, x, &counts, n);
}

static size_t leaf_end(const struct portrow **rows, size_t n, size_t from)
{
	size_t end = from + 1;

	while (end < n && !strcmp(row_name(rows[end]), row_name(rows[from])))
		end++;
	return end;
}

static void draw_map(const struct draw *d, int y, int width, int rows_shown, const struct view_of *of, struct views *v)
{
	size_t n, at = 0;
	const struct portrow **rows = sorted_rows(views_ports(of, v), &n);
	int used = 1;

	draw_rule(d, y, 0, width, width >= 76 ? "By leaf:  . ok  ! fault  ~ warning  - look  P paused  x down  ? unknown" :
		  "By leaf: .ok !fault ~warn -look Ppaused xdown ?unknown");
	while (at < n && used < rows_shown) {
		size_t end = leaf_end(rows, n, at);

		if (used == rows_shown - 1 && end < n) {
			draw_printf(d, y + used, 1, width - 1, ROLE_IS_MUTED, "and %zu more links (2 Ports)", n - at);
			break;
		}
		draw_leaf(d, y + used, width, of, rows + at, end - at);
		used++;
		at = end;
	}
	if (!n)
		draw_text(d, y + 1, 1, width - 1, ROLE_IS_TEXT, "No link is known yet. 9 shows how reaching the devices goes.");
	free(rows);
}

static size_t leaves(const struct view_of *of, struct views *v)
{
	size_t n, count = 0;
	const struct portrow **rows = sorted_rows(views_ports(of, v), &n);

	for (size_t at = 0; at < n; at = leaf_end(rows, n, at))
		count++;
	free(rows);
	return count;
}

/* The screen */

static void source(const struct view_of *of, struct views *v, struct table_source *s)
{
	views_findings(of, v, true);
	findings_source(of, v, true, s);
}

static void draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	bool is_wide = d->cols >= 110;
	int most = rows / 2, map = (int)leaves(of, v) + 1, rates = FABRIC_RATES + 1, pane;
	struct table_source s;

	if (rows < 10)
		map = 0;
	else if (map < 2)
		map = 2;
	if (is_wide && map && map < rates)
		map = rates;
	if (map > most)
		map = most;
	if (map)
		draw_map(d, y, is_wide ? d->cols - 58 : d->cols, map, of, v);
	if (map && is_wide)
		draw_rates(d, y, d->cols - 56, 56, map, of, views_rates(of, v));
	if (map && !is_wide && rows - map >= 22) {
		draw_rates(d, y + map, 0, d->cols, rates, of, views_rates(of, v));
		map += rates;
	}
	source(of, v, &s);
	if (map)
		draw_rule(d, y + map++, 0, d->cols, "Findings, worst first");
	pane = rows - map >= 12 ? (rows - map) / 2 : 0;
	table_draw(&v->tables[SCREEN_OVERVIEW], &s, d, y + map, rows - map - pane);
	if (pane && findings_cursor(v, &v->tables[SCREEN_OVERVIEW]))
		findings_pane(d, y + rows - pane, pane, of, findings_cursor(v, &v->tables[SCREEN_OVERVIEW]));
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

const struct screen screen_overview = { .title = "Overview", .source = source, .draw = draw, .key = key };
