#include "tui/widgets/columns.h"

#include <string.h>

#define NEVER 255u
#define PRIORITIES 10

void columns_settle(struct columns *c, size_t n_all)
{
	if (c->n == n_all)
		return;
	c->n = n_all < COLUMNS_MAX ? n_all : COLUMNS_MAX;
	for (size_t i = 0; i < c->n; i++) {
		c->order[i].column = (uint8_t)i;
		c->order[i].wish = WISH_NONE;
	}
}

bool columns_is_changed(const struct columns *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->order[i].column != i || c->order[i].wish != WISH_NONE)
			return true;
	return false;
}

size_t columns_find(const struct column *all, size_t n_all, struct span name)
{
	for (size_t i = 0; i < n_all; i++)
		if (span_is_nocase(name, all[i].name))
			return i;
	return n_all;
}

/* Which gives way first: the greatest; NEVER is not there at all. */
static unsigned rank(const struct columns *c, const struct column *column, size_t place, int width)
{
	enum wish wish = (enum wish)c->order[place].wish;

	if (wish == WISH_HIDDEN)
		return NEVER;
	if (wish == WISH_SHOWN)
		return column->priority ? 1 : 0;
	if (column->priority >= COLUMN_HIDDEN)
		return NEVER;
	if (column->from_cols && width < column->from_cols && !c->pan)
		return NEVER;
	if (column->below_cols && width >= column->below_cols)
		return NEVER;
	return column->priority;
}

/* Of a column always there that does not fit, a text is cut rather than left out. */
static int need_of(const struct column *column, unsigned level, int left)
{
	int need = (int)column->width;

	if (level == 0 && column->grow && need + 1 > left)
		need = left - 1;
	return need + 1 > left ? 0 : need;
}

/* Takes columns in, the most needed first, until one does not fit. */
static int choose(const struct columns *c, const struct column *all, int margin, int width, int needs[COLUMNS_MAX])
{
	int left = width - margin + 1;

	for (unsigned level = 0; level < PRIORITIES; level++) {
		for (size_t i = 0; i < c->n; i++) {
			if (rank(c, &all[c->order[i].column], i, width) != level)
				continue;
			needs[i] = need_of(&all[c->order[i].column], level, left);
			if (needs[i] < 1 && level)
				return left;
			left -= needs[i] > 0 ? needs[i] + 1 : 0;
		}
	}
	return left;
}

static void grow(struct layout *l, const struct column *all, int margin, int left)
{
	unsigned shares = 0;
	int x = margin;

	for (size_t i = 0; i < l->n; i++)
		shares += all[l->column[i]].grow;
	for (size_t i = 0; i < l->n; i++) {
		if (shares && left > 0)
			l->width[i] += left * (int)all[l->column[i]].grow / (int)shares;
		l->x[i] = x;
		x += l->width[i] + 1;
	}
}

/* How many of those seen stay in their place; all of them are always there unless a person says otherwise. */
static size_t frozen_of(const struct columns *c, const struct column *all)
{
	size_t n = 0;

	if (c->frozen)
		return c->frozen;
	while (n < c->n && all[c->order[n].column].priority == 0 && c->order[n].wish != WISH_HIDDEN)
		n++;
	return n;
}

static void add(struct layout *l, size_t column, int width)
{
	l->column[l->n] = column;
	l->width[l->n] = width;
	l->n++;
}

/* All there are, in their order, from the pan on. */
static int lay_out_panned(const struct columns *c, const struct column *all, int margin, int width, size_t frozen,
			  struct layout *l)
{
	int left = width - margin + 1;
	size_t seen = 0;

	for (size_t i = 0; i < c->n; i++) {
		int need = (int)all[c->order[i].column].width;

		if (rank(c, &all[c->order[i].column], i, width) == NEVER)
			continue;
		seen++;
		if (seen > frozen && seen <= frozen + c->pan)
			continue;
		if (left < 2)
			break;
		need = need + 1 > left ? left - 1 : need;
		add(l, c->order[i].column, need);
		left -= need + 1;
	}
	return left;
}

void columns_lay_out(const struct columns *given, const struct column *all, size_t n_all, int margin, int width,
		     struct layout *l)
{
	struct columns c = *given;
	int needs[COLUMNS_MAX] = { 0 };
	size_t frozen;
	int left;

	columns_settle(&c, n_all);
	frozen = frozen_of(&c, all);
	*l = (struct layout){ .n = 0 };
	if (c.pan) {
		left = lay_out_panned(&c, all, margin, width, frozen, l);
	} else {
		left = choose(&c, all, margin, width, needs);
		for (size_t i = 0; i < c.n; i++) {
			if (needs[i] > 0)
				add(l, c.order[i].column, needs[i]);
			else
				l->is_cut |= rank(&c, &all[c.order[i].column], i, width) != NEVER;
		}
	}
	l->n_frozen = frozen < l->n ? frozen : l->n;
	grow(l, all, margin, left);
}

void columns_pan(struct columns *given, const struct column *all, size_t n_all, int by)
{
	struct columns c = *given;
	size_t n = 0, frozen;

	c.pan = 1;	/* as they stand when panned */
	columns_settle(&c, n_all);
	frozen = frozen_of(&c, all);
	for (size_t i = 0; i < c.n; i++)
		n += rank(&c, &all[c.order[i].column], i, 0) != NEVER;
	if (by < 0 && given->pan)
		given->pan--;
	if (by > 0 && frozen + given->pan + 1 < n)
		given->pan++;
}

void columns_toggle(struct columns *c, size_t place, bool is_seen)
{
	if (place < c->n)
		c->order[place].wish = is_seen ? WISH_HIDDEN : WISH_SHOWN;
}

size_t columns_shift(struct columns *c, size_t place, int by)
{
	size_t to = place + (size_t)by;

	if (place >= c->n || to >= c->n)
		return place;
	typeof(c->order[0]) moved = c->order[place];

	c->order[place] = c->order[to];
	c->order[to] = moved;
	return to;
}
