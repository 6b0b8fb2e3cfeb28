/* Fabric: what is connected to what, as a tree that folds; and where cables differ from the plan. */
#include <stdio.h>
#include <stdlib.h>

#include "tui/screens/device_page.h"
#include "tui/screens/ports.h"
#include "tui/text/human.h"
#include "tui/text/safe.h"
#include "tui/views/fabric_tree_rows.h"

enum { COLUMN_SIGN, COLUMN_PLACE, COLUMN_FACES, COLUMN_PLAN, COLUMN_SPEED, COLUMN_BY, COLUMN_RAIL, COLUMN_UPS, COLUMNS };

static const struct column columns[COLUMNS] = {
	[COLUMN_SIGN]  = { .name = "severity", .title = "S", .help = "The worst of it and everything below it", .width = 1, .big_first = true },
	[COLUMN_PLACE] = { .name = "place", .title = "PLACE", .help = "Rack, device, port; + is folded", .width = 22, .grow = 1 },
	[COLUMN_FACES] = { .name = "faces", .title = "CONNECTED TO",
			   .help = "The neighbor and its port; for racks, the count", .width = 24, .grow = 2 },
	[COLUMN_PLAN]  = { .name = "plan", .title = "PLAN", .help = "What the cable plan has", .width = 22, .grow = 4, .priority = 1 },
	[COLUMN_SPEED] = { .name = "speed", .title = "SPEED", .width = 6, .right = true, .big_first = true, .priority = 2 },
	[COLUMN_BY]    = { .name = "known_by", .title = "KNOWN BY", .help = "Source of the link", .width = 14, .priority = 3 },
	[COLUMN_RAIL]  = { .name = "rail", .title = "RAIL", .width = 8, .priority = 4 },
	[COLUMN_UPS]   = { .name = "spines", .title = "SPINES", .help = "Spines that this leaf has uplinks to", .width = 20, .grow = 1,
			   .priority = 5 },
};

struct fabric_view {
	struct fabric_rows branches;
	uint64_t *turned;		/* keys of rows that are not as at first: folded, or unfolded */
	size_t n_turned, cap_turned;
	size_t *shown;			/* rows of the tree */
	size_t n_shown, cap_shown;
	bool is_flat, is_filtered;
	bool is_made;
	uint64_t serial;
};

static struct fabric_view *mine(struct views *v)
{
	return views_own(v, SCREEN_FABRIC, sizeof(struct fabric_view));
}

#define OPEN_MOST 60	/* rows of a fabric that is shown unfolded at first */

/* -- folding -- */

static uint64_t *fold_of(const struct fabric_view *f, uint64_t key)
{
	for (size_t i = 0; i < f->n_turned; i++)
		if (f->turned[i] == key)
			return &f->turned[i];
	return NULL;
}

static bool is_open(const struct fabric_view *f, size_t row)
{
	bool at_first = f->branches.tree.n <= OPEN_MOST || f->branches.tree.rows[row].is == TREE_SECTION;

	return at_first != (fold_of(f, f->branches.list[row].key) != NULL);
}

static void turn(struct fabric_view *f, struct table *t, size_t row)
{
	uint64_t *at = fold_of(f, f->branches.list[row].key);

	if (at) {
		*at = f->turned[--f->n_turned];
	} else {
		*GROW(f->turned, f->n_turned, f->cap_turned) = f->branches.list[row].key;
		f->n_turned++;
	}
	f->is_made = false;
	t->is_ordered = false;
}

/* A sorted list is of links; a filtered one is of everything; else what is folded is left out. */
static void find_shown(struct fabric_view *f, const struct table *t)
{
	const struct tree *tree = &f->branches.tree;

	f->n_shown = 0;
	f->is_flat = t->n_sort > 0;
	f->is_filtered = t->filter != NULL;
	for (size_t i = 0; i < tree->n; i++) {
		bool has_below = branch_has_below(&f->branches, i);

		if (f->is_flat && (has_below || tree->rows[i].is == TREE_DEVICE))
			continue;
		*GROW(f->shown, f->n_shown, f->cap_shown) = i;
		f->n_shown++;
		if (has_below && !f->is_flat && !f->is_filtered && !is_open(f, i))
			i = tree->rows[i].end - 1;
	}
}

static void update(const struct view_of *of, struct views *v)
{
	const struct portrows *rows = views_ports(of, v);
	struct fabric_view *f = mine(v);
	const struct table *t = &v->tables[SCREEN_FABRIC];

	if (f->is_made && f->serial == of->serial && f->is_flat == (t->n_sort > 0) && f->is_filtered == (t->filter != NULL))
		return;
	if (!f->is_made || f->serial != of->serial)
		fabric_rows_update(&f->branches, of->links, rows->list, rows->n, of->model, of->findings, of->inventory);
	find_shown(f, t);
	f->serial = of->serial;
	f->is_made = true;
}

/* -- cells -- */

static void place_cell(struct cell_view *out, const struct fabric_view *f, size_t row)
{
	const struct tree_row *r = &f->branches.tree.rows[row];
	struct buf name = { 0 };
	char fold = !branch_has_below(&f->branches, row) ? ' ' : f->is_filtered || is_open(f, row) ? '-' : '+';

	fabric_row_name(&f->branches, row, &name);
	if (f->is_flat && r->depth == 2)
		snprintf(out->text, sizeof(out->text), "%s %s", r->device->name, name.text);
	else
		snprintf(out->text, sizeof(out->text), "%*s%c %s", (int)r->depth * 2, "", fold, name.text);
	if (r->depth == 0)
		out->role = ROLE_IS_TITLE;
	buf_done(&name);
}

static void text_cell(struct cell_view *out, const char *text)
{
	snprintf(out->text, sizeof(out->text), "%s", text ? text : "");
}

static void words_cell(struct cell_view *out, const struct fabric_rows *b, size_t row,
		       void (*words)(const struct fabric_rows *, size_t, struct buf *))
{
	struct buf text = { 0 };

	words(b, row, &text);
	text_cell(out, text.text);
	buf_done(&text);
}

static void plan_cell(struct cell_view *out, const struct fabric_rows *b, size_t row)
{
	const struct tree_row *r = &b->tree.rows[row];

	words_cell(out, b, row, fabric_row_plan);
	if (r->is == TREE_SWAP || (r->is == TREE_LINK && r->link->planned_peer))
		out->role = ROLE_IS_CRIT;
	else if (r->is == TREE_CABLE || (r->is == TREE_LINK && r->link->by == BY_PLAN))
		out->role = ROLE_IS_UNKNOWN;
	else
		out->role = ROLE_IS_MUTED;
}

static void speed_cell(struct cell_view *out, const struct fabric_rows *b, size_t row)
{
	char text[HUMAN_MAX];
	uint64_t bps;

	out->is_number = fabric_row_speed(b, row, &bps);
	if (out->is_number) {
		out->number = (double)bps;
		text_cell(out, human_bits(text, (double)bps));
	} else if (b->tree.rows[row].is == TREE_LINK) {
		out->role = ROLE_IS_UNKNOWN;
		text_cell(out, "?");
	}
}

static void sign_cell(struct cell_view *out, enum verdict worst)
{
	text_cell(out, verdict_sign(worst));
	out->role = verdict_role(worst);
	out->is_number = true;
	out->number = worst;
}

static void cell(const void *ctx, size_t place, size_t column, struct cell_view *out)
{
	const struct fabric_view *f = ctx;
	const struct fabric_rows *b = &f->branches;
	size_t row = f->shown[place];

	switch (column) {
	case COLUMN_SIGN:	sign_cell(out, b->list[row].worst); break;
	case COLUMN_PLACE:	place_cell(out, f, row); break;
	case COLUMN_FACES:	words_cell(out, b, row, fabric_row_faces); break;
	case COLUMN_PLAN:	plan_cell(out, b, row); break;
	case COLUMN_SPEED:	speed_cell(out, b, row); break;
	case COLUMN_BY:		text_cell(out, fabric_row_known_by(b, row)); break;
	case COLUMN_RAIL:	text_cell(out, fabric_row_rail(b, row)); break;
	case COLUMN_UPS:	text_cell(out, fabric_row_ups(b, row)); break;
	}
}

static uint64_t key_of_row(const void *ctx, size_t place)
{
	const struct fabric_view *f = ctx;

	return f->branches.list[f->shown[place]].key;
}

static void source(const struct view_of *of, struct views *v, struct table_source *s)
{
	update(of, v);
	*s = (struct table_source){ .columns = columns, .n_columns = COLUMNS, .n_rows = mine(v)->n_shown, .ctx = mine(v),
				    .key = key_of_row, .cell = cell, .serial = of->serial,
				    .empty = "No devices. Give an inventory: fabcon -i INVENTORY (Ansible file, or node[01-16],leaf1)" };
}

/* The row of the tree. */
static bool tree_row(struct views *v, size_t place, size_t *row)
{
	if (!views_row(&v->tables[SCREEN_FABRIC], mine(v)->n_shown, &place))
		return false;
	*row = mine(v)->shown[place];
	return true;
}

static struct subject subject(const struct view_of *of, struct views *v, size_t place)
{
	const struct tree_row *r;
	struct subject s = { .none = "Available on a link or a device: go to its row." };
	struct buf name = { 0 };
	size_t row;

	update(of, v);
	if (!tree_row(v, place, &row))
		return subject_none("There is no row under the cursor.");
	r = &mine(v)->branches.tree.rows[row];
	if (r->link)
		return subject_of_link(r->link);
	if (r->device)
		return subject_of_device(r->device);
	fabric_row_name(&mine(v)->branches, row, &name);
	snprintf(s.name, sizeof(s.name), "%s", name.text);
	buf_done(&name);
	return s;
}

/* A port's row stands below its device: alone it would not say of which. */
static const char *copy(const struct view_of *of, struct views *v, bool ascii, struct buf *out)
{
	const struct fabric_rows *b = &mine(v)->branches;
	struct subject at = subject(of, v, AT_CURSOR);
	const char *known_by;
	struct buf plan = { 0 };
	size_t row;

	if (!at.link || !tree_row(v, AT_CURSOR, &row))
		return NULL;
	known_by = fabric_row_known_by(b, row);
	fabric_row_plan(b, row, &plan);
	safe_add(out, span_of(at.link->name), ascii);
	buf_printf(out, "  known by %s", known_by ? known_by : "?");
	if (plan.n)
		buf_str(out, "  plan: ");
	safe_add(out, buf_span(&plan), ascii);
	buf_str(out, "\n");
	buf_done(&plan);
	return "the link";
}

static void draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	struct table_source s;

	source(of, v, &s);
	table_draw(&v->tables[SCREEN_FABRIC], &s, d, y, rows);
}

/* -- keys -- */

/* What an end said of its neighbour. */
static struct intent lldp_reply(const struct link *l, struct page *page)
{
	static const enum field said[] = { FIELD_PEER_PORT, FIELD_PEER_NAME, FIELD_PEER_MAC };
	const struct port *ends[] = { l->a, l->b };

	for (size_t end = 0; end < 2; end++) {
		for (size_t i = 0; ends[end] && i < sizeof(said) / sizeof(*said); i++) {
			const struct cell *c = port_cell(ends[end], said[i], 0);

			if (!c || !c->reply->raw)
				continue;
			page_reply(page, c->reply, c->cite);
			return (struct intent){ .is = INTENT_PAGE };
		}
	}
	return (struct intent){ .is = INTENT_SAY, .text = "No raw reply that names a neighbor at either end of this link was kept." };
}

static void fold_cursor(struct views *v, enum command command)
{
	struct fabric_view *f = mine(v);
	struct table *t = &v->tables[SCREEN_FABRIC];
	size_t row;

	if (!tree_row(v, AT_CURSOR, &row))
		return;
	if (branch_has_below(&f->branches, row) && is_open(f, row) == (command == DO_LEFT))
		turn(f, t, row);
	else if (command == DO_LEFT && f->branches.list[row].parent != SIZE_MAX)
		t->cursor_key = f->branches.list[f->branches.list[row].parent].key;
	else
		return;
	t->is_ordered = false;
}

/* Folding goes before the list's own left and right; a list that is flat pans. */
static bool fold_key(const struct view_of *of, struct views *v, enum command command, struct page *page, struct intent *i)
{
	struct table_source s;

	(void)page;
	source(of, v, &s);
	table_update(&v->tables[SCREEN_FABRIC], &s);
	if ((command != DO_LEFT && command != DO_RIGHT) || mine(v)->is_flat || mine(v)->is_filtered)
		return false;
	fold_cursor(v, command);
	*i = (struct intent){ .is = INTENT_DONE };
	return true;
}

static struct intent key_of_device(const struct view_of *of, const struct views *v, const struct device *d, enum command command,
				   struct page *page)
{
	switch (command) {
	case DO_OPEN:
		return (struct intent){ .is = INTENT_GO, .screen = SCREEN_DEVICES };
	case DO_EXPLAIN:
		device_why(page, of, d, views_width(v));
		return (struct intent){ .is = INTENT_PAGE };
	case DO_RAW:
		return device_raw(d, page);
	default:
		return (struct intent){ .is = INTENT_SAY, .text = "Available on a link: go to its row." };
	}
}

static struct intent key(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	struct subject at = subject(of, v, AT_CURSOR);
	size_t row;

	if (!tree_row(v, AT_CURSOR, &row))
		return (struct intent){ .is = INTENT_SAY, .text = at.none };
	if (at.link)
		return command == DO_RAW ? lldp_reply(at.link, page) : ports_key(of, v, at.link, command, page);
	if (command == DO_OPEN && branch_has_below(&mine(v)->branches, row)) {
		turn(mine(v), &v->tables[SCREEN_FABRIC], row);
		return (struct intent){ .is = INTENT_DONE };
	}
	if (command == DO_REFRESH)
		return (struct intent){ .is = INTENT_REFRESH, .device = at.device ? at.device->name : NULL };
	if (at.device)
		return key_of_device(of, v, at.device, command, page);
	return (struct intent){ .is = INTENT_SAY, .text = at.none };
}

static void forget(void *own)
{
	struct fabric_view *f = own;

	f->is_made = false;
	f->branches.tree.model = NULL;
}

static void done(void *own)
{
	struct fabric_view *f = own;

	fabric_rows_done(&f->branches);
	free(f->turned);
	free(f->shown);
}

const struct screen screen_fabric = {
	.source = source, .draw = draw, .key = key,
	.pane_key = fold_key, .subject = subject, .copy = copy,
	.forget = forget, .done = done };
