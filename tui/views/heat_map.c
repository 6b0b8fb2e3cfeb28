#include "tui/views/heat_map.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/fabric/tree.h"

/* From the worst. */
static const char heat_signs[] = "x!EP~?-.";

static const struct {
	char sign;
	enum role role;
	const char *word;
} sign_table[] = {
	{ '.', ROLE_IS_OK, "ok" },	{ '!', ROLE_IS_CRIT, "crit" },	   { '~', ROLE_IS_WARN, "warn" },
	{ 'P', ROLE_IS_WARN, "paused" }, { 'E', ROLE_IS_CRIT, "errors" },  { 'x', ROLE_IS_CRIT, "down" },
	{ '?', ROLE_IS_UNKNOWN, "unknown" }, { '-', ROLE_IS_LOOK, "info" },
};

enum role heat_role(char sign)
{
	for (size_t i = 0; i < sizeof(sign_table) / sizeof(*sign_table); i++)
		if (sign_table[i].sign == sign)
			return sign_table[i].role;
	return ROLE_IS_TEXT;
}

const char *heat_legend(int width)
{
	static char text[128];
	size_t n = 0;

	for (size_t i = 0; i < sizeof(sign_table) / sizeof(*sign_table); i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, width >= 74 ? "  %c %s" : " %c%s", sign_table[i].sign,
				      sign_table[i].word);
	return text + (width >= 74 ? 2 : 1);
}

/* -- signs -- */

static bool is_down(const struct model *m, const struct port *p)
{
	uint64_t up;

	return p && port_number(m, p, FIELD_UP, 0, &up) && !up;
}

static char sign_of(const struct portrow *r, const struct model *m, const struct findings *f, const struct policy *policy)
{
	enum verdict verdict = r->worst;

	if (is_down(m, r->link->a) || is_down(m, r->link->b))
		return 'x';
	if (verdict >= VERDICT_WARN && findings_worst(f, r->link->a, r->link->b, field_table[FIELD_PHY_ERR].name) >= VERDICT_WARN)
		return 'E';
	if (verdict == VERDICT_FAIL)
		return '!';
	if (r->paused_known && r->paused_share >= policy_limit(policy, LIMIT_PAUSE_WARN))
		return 'P';
	return verdict == VERDICT_NA ? '?' : *verdict_sign(verdict);
}

/* Places in heat_signs: what is less is worse. */
static size_t rank_of(char sign)
{
	const char *at = sign ? strchr(heat_signs, sign) : NULL;

	return at ? (size_t)(at - heat_signs) : sizeof(heat_signs);
}

static void count_link(struct heat_counts *c, const struct portrow *r, char sign)
{
	enum verdict v = r->worst;

	c->n++;
	if (v == VERDICT_OK && sign == '.')
		c->ok++;
	else if (v == VERDICT_FAIL || sign == 'x')
		c->fault++;
	else if (sign == 'P')
		c->paused++;
	else if (v == VERDICT_WARN)
		c->warning++;
	else if (v == VERDICT_UNKNOWN || v == VERDICT_NA)
		c->unknown++;
}

/* -- where links stand -- */

static size_t row_named(struct heat *h, const char *name, const struct link *link, bool is_hosts)
{
	const char *leaf = link->b ? link->b->device->name : "";
	struct heat_row *row;
	size_t i = 0;

	while (i < h->n && (h->rows[i].is_hosts != is_hosts || strcmp(h->rows[i].name, name)))
		i++;
	if (i == h->n) {
		row = GROW(h->rows, h->n, h->cap);
		h->n++;
		snprintf(row->name, sizeof(row->name), "%s", name);
		snprintf(row->leaf, sizeof(row->leaf), "%s", strcmp(leaf, name) ? leaf : "");
		row->is_hosts = is_hosts;
		row->is_known = link->b != NULL;
	}
	row = &h->rows[i];
	if (*row->leaf && !strchr(row->leaf, '+') && strcmp(row->leaf, leaf))
		snprintf(row->leaf + strlen(row->leaf), sizeof(row->leaf) - strlen(row->leaf), "+");
	return i;
}

/* Links come by node, so the last column is most often the one. */
static size_t column_of(struct heat *h, const struct device *node)
{
	for (size_t i = h->n_nodes; i > 0; i--)
		if (h->nodes[i - 1] == node)
			return i - 1;
	*GROW(h->nodes, h->n_nodes, h->cap_nodes) = node;
	return h->n_nodes++;
}

static int row_cmp(const void *left, const void *right, void *rows)
{
	const struct heat_row *a = (struct heat_row *)rows + *(const size_t *)left;
	const struct heat_row *b = (struct heat_row *)rows + *(const size_t *)right;

	if (a->is_known != b->is_known)
		return a->is_known ? -1 : 1;
	if (a->is_hosts != b->is_hosts)
		return a->is_hosts ? -1 : 1;
	return natural_cmp(a->name, b->name);
}

/* Rows come as links name them: put in order, with the places that name them. */
static void sort_rows(struct heat *h)
{
	size_t *order = xcalloc(h->n + 1, sizeof(*order)), *to = xcalloc(h->n + 1, sizeof(*to));
	struct heat_row *rows = xcalloc(h->n + 1, sizeof(*rows));

	for (size_t i = 0; i < h->n; i++)
		order[i] = i;
	qsort_r(order, h->n, sizeof(*order), row_cmp, h->rows);
	for (size_t i = 0; i < h->n; i++) {
		rows[i] = h->rows[order[i]];
		to[order[i]] = i;
	}
	for (size_t i = 0; i < h->n_places; i++)
		if (h->places[i].row != SIZE_MAX)
			h->places[i].row = to[h->places[i].row];
	free(h->rows);
	h->rows = rows;
	h->cap = h->n + 1;
	free(order);
	free(to);
}

static bool any_roce(const struct links *links)
{
	for (size_t i = 0; i < links->n; i++)
		if (links->list[i].is_fabric)
			return true;
	return false;
}

static void place_link(struct heat *h, const struct link *link, const struct inventory *inv)
{
	bool is_hosts = !device_is_switch(link->a->device, inv);
	const char *rail = is_hosts ? link_rail(link, inv) : NULL;
	const char *name = !link->b ? "far end ?" : rail ? rail : link->b->device->name;
	struct heat_place place = { .row = row_named(h, name, link, is_hosts) };
	struct heat_row *row = &h->rows[place.row];

	place.column = is_hosts ? column_of(h, link->a->device) : row->n++;
	h->places[h->n_places - 1] = place;
}

static void lay_out(struct heat *h, const struct links *links, const struct model *m, const struct inventory *inv)
{
	bool roce_only = any_roce(links);
	size_t n_cells = 0;

	h->n = h->n_nodes = h->n_places = 0;
	for (size_t i = 0; i < links->n; i++) {
		GROW(h->places, h->n_places, h->cap_places)->row = SIZE_MAX;
		h->n_places++;
		if (links->list[i].is_fabric || !roce_only)
			place_link(h, &links->list[i], inv);
	}
	sort_rows(h);
	for (size_t i = 0; i < h->n; i++) {
		h->rows[i].first = n_cells;
		if (h->rows[i].is_hosts)
			h->rows[i].n = h->n_nodes;
		n_cells += h->rows[i].n;
	}
	h->cells = xrealloc(h->cells, (n_cells + 1) * sizeof(*h->cells));
	h->links = links;
	h->model = m;
	h->links_serial = links->serial;
	h->n_links = links->n;
}

/* -- what they are like -- */

/* All is well with it, and nothing that would be lost from sight is in it. */
static bool is_quiet(const struct heat_row *row)
{
	return row->is_hosts && row->counts.ok == row->counts.n;
}

static bool same_cells(const struct heat *h, const struct heat_row *a, const struct heat_row *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (h->cells[a->first + i].sign != h->cells[b->first + i].sign)
			return false;
	return true;
}

#define FOLD_LEAST 3	/* rows: two take no more room than their folding would need to be understood */

static void fold_rows(struct heat *h)
{
	for (size_t i = 0, end; i < h->n; i = end) {
		end = i + 1;
		while (end < h->n && is_quiet(&h->rows[i]) && is_quiet(&h->rows[end]) && same_cells(h, &h->rows[i], &h->rows[end]))
			end++;
		if (end - i < FOLD_LEAST)
			end = i + 1;
		for (size_t k = i; k < end; k++)
			h->rows[k].alike = k == i ? end - i : 0;
	}
}

static void clear_signs(struct heat *h)
{
	for (size_t i = 0; i < h->n; i++) {
		struct heat_row *row = &h->rows[i];

		memset(&row->counts, 0, sizeof(row->counts));
		row->worst = NULL;
		row->sign = 0;
		memset(&h->cells[row->first], 0, row->n * sizeof(*h->cells));
	}
}

static void take_sign(struct heat *h, const struct heat_place *place, const struct portrow *r, char sign)
{
	struct heat_row *row = &h->rows[place->row];
	struct heat_cell *cell = &h->cells[row->first + place->column];

	count_link(&row->counts, r, sign);
	if (!cell->sign || rank_of(sign) < rank_of(cell->sign))
		*cell = (struct heat_cell){ r, sign };
	if (!row->sign || rank_of(sign) < rank_of(row->sign)) {
		row->worst = r;
		row->sign = sign;
	}
}

/* By the worst sign, then by how many links are not well. */
static bool is_worse(const struct heat_row *a, const struct heat_row *b)
{
	if (rank_of(a->sign) != rank_of(b->sign))
		return rank_of(a->sign) < rank_of(b->sign);
	return a->counts.n - a->counts.ok > b->counts.n - b->counts.ok;
}

static bool is_bad(char sign)
{
	return rank_of(sign) < rank_of('?');
}

void heat_update(struct heat *h, const struct links *links, const struct portrow *rows, size_t n, const struct model *m,
		 const struct findings *f, const struct policy *policy, const struct inventory *inv)
{
	if (h->links != links || h->model != m || h->links_serial != links->serial || h->n_links != links->n)
		lay_out(h, links, m, inv);
	clear_signs(h);
	for (size_t i = 0; i < n; i++) {
		const struct heat_place *place = &h->places[rows[i].link - links->list];

		if (place->row != SIZE_MAX)
			take_sign(h, place, &rows[i], sign_of(&rows[i], m, f, policy));
	}
	fold_rows(h);
	h->worst = h->n;
	for (size_t i = 0; i < h->n; i++)
		if (is_bad(h->rows[i].sign) && (h->worst == h->n || is_worse(&h->rows[i], &h->rows[h->worst])))
			h->worst = i;
}

void heat_done(struct heat *h)
{
	free(h->nodes);
	free(h->rows);
	free(h->cells);
	free(h->places);
	memset(h, 0, sizeof(*h));
}

/* -- reading it -- */

struct heat_cell heat_worst(const struct heat *h, size_t row, size_t column, size_t n)
{
	const struct heat_row *r = &h->rows[row];
	struct heat_cell worst = { 0 };

	for (size_t i = column; i < column + n && i < r->n; i++) {
		const struct heat_cell *c = &h->cells[r->first + i];

		if (c->sign && (!worst.sign || rank_of(c->sign) < rank_of(worst.sign)))
			worst = *c;
	}
	return worst;
}

void heat_name(const struct heat *h, size_t row, char *out, size_t size)
{
	const char *first = h->rows[row].name, *last = h->rows[row + (h->rows[row].alike ? h->rows[row].alike - 1 : 0)].name;
	size_t same = 0;

	if (first == last) {
		snprintf(out, size, "%s%s%s", first, *h->rows[row].leaf ? " " : "", h->rows[row].leaf);
		return;
	}
	while (first[same] && first[same] == last[same])
		same++;
	while (same && isdigit((unsigned char)first[same - 1]))
		same--;
	snprintf(out, size, "%s..%s", first, last + same);
}

/* One more of "a|b|c", once. */
static void add_alternative(struct buf *out, const char *name)
{
	struct span rest = buf_span(out), one;
	bool more = rest.n > 0;

	while (more) {
		more = span_cut(rest, '|', &one, &rest);
		if (span_is(more ? one : rest, name))
			return;
	}
	buf_printf(out, "%s%s", out->n ? "|" : "", name);
}

static void add_switches(const struct heat *h, size_t row, struct buf *out)
{
	for (size_t i = 0; i < h->n_places; i++)
		if (h->places[i].row == row && h->links->list[i].b)
			add_alternative(out, h->links->list[i].b->device->name);
}

void heat_filter(const struct heat *h, size_t row, size_t column, size_t n, struct buf *out)
{
	struct buf switches = { 0 }, nodes = { 0 };

	for (size_t k = 0; k < (h->rows[row].alike ? h->rows[row].alike : 1); k++)
		add_switches(h, row + k, &switches);
	if (switches.n)
		buf_printf(out, "~-.(%s):", switches.text);
	for (size_t i = column; n && i < column + n && i < h->rows[row].n; i++) {
		const struct heat_cell *c = &h->cells[h->rows[row].first + i];

		if (c->worst)
			add_alternative(&nodes, c->worst->link->a->device->name);
	}
	if (nodes.n)
		buf_printf(out, "%s~(%s):", out->n ? " " : "", nodes.text);
	buf_done(&switches);
	buf_done(&nodes);
}
