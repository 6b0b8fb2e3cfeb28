#include "tui/widgets/column_chooser.h"

#include <stdio.h>

#define ESC 27
#define CTRL_C 3
#define FRAME 3		/* rows for the rule, the hint and the rule below */

void chooser_open(struct chooser *c, struct table *t, const struct table_source *s)
{
	*c = (struct chooser){ .is_open = true, .columns = t->columns, .n_sort = t->n_sort, .is_upside_down = t->is_upside_down };
	memcpy(c->sort, t->sort, sizeof(c->sort));
	columns_settle(&t->columns, s->n_columns);
}

static void take_back(struct chooser *c, struct table *t)
{
	t->columns = c->columns;
	memcpy(t->sort, c->sort, sizeof(t->sort));
	t->n_sort = c->n_sort;
	t->is_upside_down = c->is_upside_down;
	t->is_ordered = false;
}

static bool is_seen(const struct table *t, const struct table_source *s, size_t column)
{
	struct layout l;

	table_lay_out(t, s, t->cols, &l);
	for (size_t i = 0; i < l.n; i++)
		if (l.column[i] == column)
			return true;
	return false;
}

/* Up to the cursor's column, of those that are shown at all. */
static void freeze(const struct chooser *c, struct table *t, const struct table_source *s)
{
	size_t n = 0;

	for (size_t i = 0; i <= c->place && i < t->columns.n; i++)
		n += is_seen(t, s, t->columns.order[i].column);
	t->columns.frozen = t->columns.frozen == n ? 0 : n;
	t->columns.pan = 0;
}

static void sort(const struct chooser *c, struct table *t, const struct table_source *s)
{
	size_t column = t->columns.order[c->place].column;

	if (s->columns[column].is_spark)
		return;
	if (t->n_sort && t->sort[0].column == column)
		table_invert(t);
	else
		table_sort_by(t, column);
}

static void as_the_list_has_it(struct table *t, const struct table_source *s)
{
	t->columns = (struct columns){ .n = 0 };
	t->n_sort = 0;
	t->is_upside_down = t->is_ordered = false;
	columns_settle(&t->columns, s->n_columns);
}

void chooser_key(struct chooser *c, struct table *t, const struct table_source *s, int code)
{
	struct columns *all = &t->columns;

	if (all->n != s->n_columns || c->place >= all->n) {
		c->is_open = false;	/* another list came under it */
		return;
	}
	switch (code) {
	case 'j': case KEY_DOWN:	c->place += c->place + 1 < all->n; break;
	case 'k': case KEY_UP:		c->place -= c->place > 0; break;
	case 'g': case KEY_HOME:	c->place = 0; break;
	case 'G': case KEY_END:		c->place = all->n - 1; break;
	case ' ':
		columns_toggle(all, c->place, is_seen(t, s, all->order[c->place].column));
		break;
	case '<': case 'K':		c->place = columns_shift(all, c->place, -1); break;
	case '>': case 'J':		c->place = columns_shift(all, c->place, 1); break;
	case '|':			freeze(c, t, s); break;
	case 's':			sort(c, t, s); break;
	case 'I':			table_invert(t); break;
	case 'U':			as_the_list_has_it(t, s); break;
	case ESC: case CTRL_C:
		take_back(c, t);
		c->is_open = false;
		break;
	case '\n': case '\r': case KEY_ENTER: case 'c': case 'q': case KEY_F(10):
		c->is_open = false;
		break;
	default:
		break;
	}
}

/* What becomes of a column here: shown, wanted but no room for it, or not wanted. */
static const char *fate(const struct table *t, const struct table_source *s, size_t place)
{
	size_t column = t->columns.order[place].column;

	if (is_seen(t, s, column))
		return "shown";
	if (t->columns.order[place].wish == WISH_HIDDEN)
		return "hidden";
	if (s->columns[column].from_cols > t->cols)
		return "wide only";
	return s->columns[column].below_cols ? "narrow only" : "no room";
}

static void draw_line(const struct chooser *c, const struct table *t, const struct table_source *s, const struct draw *d,
		      size_t place, int y)
{
	size_t index = t->columns.order[place].column;
	const struct column *column = &s->columns[index];
	bool shown = is_seen(t, s, index);
	char sign[8];

	table_sort_sign(t, s, index, sign);
	draw_blank(d, y, 0, d->cols);
	draw_printf(d, y, 0, d->cols, shown ? ROLE_IS_TEXT : ROLE_IS_MUTED, "%s[%s] %-14s %-12s %-11s %-3s %s",
		    place == c->place ? "> " : "  ", shown ? "x" : " ", column->name, column->title, fate(t, s, place), sign,
		    column->help ? column->help : column->under ? column->under : "");
	if (place == c->place)
		draw_restyle(d, y, 0, d->cols, ROLE_IS_CURSOR);
}

void chooser_draw(const struct chooser *c, const struct table *t, const struct table_source *s, const struct draw *d)
{
	int most = d->rows > 14 ? d->rows - 8 : d->rows - 2, lines = (int)t->columns.n, y;
	size_t top;

	if (t->columns.n != s->n_columns)
		return;
	lines = lines + FRAME > most ? most - FRAME : lines;
	if (lines < 1)
		return;
	top = c->place >= (size_t)lines ? c->place - (size_t)lines + 1 : 0;
	y = d->rows - lines - FRAME;
	draw_rule(d, y++, 0, d->cols, "Columns of this list");
	for (int i = 0; i < lines; i++)
		draw_line(c, t, s, d, top + (size_t)i, y++);
	draw_rule(d, y++, 0, d->cols, "");
	draw_cell(d, y, 0, d->cols, false, ROLE_IS_KEY,
		  "Space show/hide  < > move  s sort  I invert  | freeze to here  U default  Enter done  Esc cancel");
}
