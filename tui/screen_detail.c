/* Detail: every field of one link, a row each, what both ends say and how it goes. */
#include <math.h>
#include <stdio.h>

#include "tui/explain.h"
#include "tui/human.h"
#include "tui/screens.h"

enum { COLUMN_FIELD, COLUMN_A, COLUMN_A_SPARK, COLUMN_SIGN, COLUMN_B, COLUMN_B_SPARK, COLUMN_AGE, COLUMN_HELP, COLUMNS };

static struct column columns[COLUMNS] = {
	[COLUMN_FIELD]	 = { .name = "field", .title = "FIELD", .width = 16, .grow = 1 },
	[COLUMN_A]	 = { .name = "a", .title = "A", .width = 13, .grow = 1, .right = true, .big_first = true },
	[COLUMN_A_SPARK] = { .name = "a_spark", .title = "LAST MIN", .width = 8, .grow = 1, .priority = 1, .is_spark = true },
	[COLUMN_SIGN]	 = { .name = "differs", .title = " ", .width = 1 },
	[COLUMN_B]	 = { .name = "b", .title = "B", .width = 13, .grow = 1, .right = true, .big_first = true },
	[COLUMN_B_SPARK] = { .name = "b_spark", .title = "LAST MIN", .width = 8, .grow = 1, .priority = 1, .is_spark = true },
	[COLUMN_AGE]	 = { .name = "age", .title = "AGE", .width = 6, .right = true, .big_first = true },
	[COLUMN_HELP]	 = { .name = "help", .title = "WHAT IT IS", .width = 30, .grow = 2, .priority = 2 },
};

struct detail_ctx {
	const struct view_of *of;
	const struct views *v;
	const struct port *a, *b;
};
static struct detail_ctx shown;

static bool is_counted(enum field f)
{
	return field_table[f].kind == KIND_COUNTER || field_table[f].kind == KIND_GAUGE;
}

/* Values of a map, folded: "0-2:0 3:3"; of a set, the indices that are on: "3,4", or "-". */
static void fold(const struct model *m, const struct port *p, enum field f, struct cell_view *out)
{
	bool is_set = field_table[f].kind == KIND_BOOL, any = false;
	char text[HUMAN_MAX];
	size_t n = 0;

	for (unsigned i = 0; i < field_table[f].width && n + 32 < sizeof(out->text); i++) {
		unsigned first = i;
		uint64_t value, next;

		if (!port_number(m, p, f, i, &value))
			continue;
		any = true;
		if (is_set && !value)
			continue;
		while (!is_set && i + 1u < field_table[f].width && port_number(m, p, f, i + 1, &next) && next == value)
			i++;
		n += (size_t)snprintf(out->text + n, sizeof(out->text) - n, "%s%u", n ? is_set ? "," : " " : "", first);
		if (i > first)
			n += (size_t)snprintf(out->text + n, sizeof(out->text) - n, "-%u", i);
		if (!is_set)
			n += (size_t)snprintf(out->text + n, sizeof(out->text) - n, ":%s", human_value(text, f, value));
	}
	if (!n)
		snprintf(out->text, sizeof(out->text), "%s", any ? "-" : "?");
	out->role = any ? ROLE_IS_TEXT : ROLE_IS_UNKNOWN;
}

static void counted(const struct model *m, const struct port *p, const struct detail_row *r, struct cell_view *out)
{
	char text[HUMAN_MAX];
	double per_s;
	uint64_t n;

	if (field_table[r->field].kind == KIND_GAUGE) {
		out->is_number = port_number(m, p, r->field, r->index, &n);
		out->number = out->is_number ? (double)n : 0;
		snprintf(out->text, sizeof(out->text), "%s", out->is_number ? human_value(text, r->field, n) : "?");
	} else {
		out->is_number = port_rate(m, p, r->field, r->index, &per_s);
		out->number = out->is_number ? per_s : 0;
		snprintf(out->text, sizeof(out->text), "%s", out->is_number ? human_rate(text, r->field, per_s) : "?");
	}
	out->role = !out->is_number ? ROLE_IS_UNKNOWN : out->number > 0 ? ROLE_IS_TEXT : ROLE_IS_MUTED;
}

static void value_cell(const struct model *m, const struct port *p, const struct detail_row *r, struct cell_view *out)
{
	const struct cell *c = p ? port_cell(p, r->field, r->index) : NULL;
	char text[HUMAN_MAX];

	out->role = ROLE_IS_UNKNOWN;
	if (!p) {
		snprintf(out->text, sizeof(out->text), "?");
	} else if (is_counted(r->field)) {
		if (c)
			counted(m, p, r, out);
	} else if (field_table[r->field].width > 1) {
		fold(m, p, r->field, out);
	} else if (c && (c->value.is != VALUE_KNOWN || cell_is_stale(m, c))) {
		snprintf(out->text, sizeof(out->text), "?");
	} else if (c) {
		out->role = ROLE_IS_TEXT;
		snprintf(out->text, sizeof(out->text), "%s", field_table[r->field].kind == KIND_TEXT ? c->value.text :
			 human_value(text, r->field, c->value.n));
	}
}

static void spark_cell(const struct port *p, const struct detail_row *r, struct cell_view *out)
{
	static float values[HISTORY_LEN];
	const struct series *s = p && is_counted(r->field) ? port_series(p, r->field, r->index) : NULL;

	out->role = ROLE_IS_SPARK;
	if (!s || !(field_table[r->field].flags & FIELD_SPARK))
		return;
	out->spark = values;
	out->n_spark = views_samples(s, values);
}

/* By the checks on this field; two values that merely differ may be right (MTU, names). */
static void sign_cell(const struct detail_ctx *ctx, const struct detail_row *r, struct cell_view *out)
{
	enum verdict worst = is_counted(r->field) ? VERDICT_NA :
		findings_worst(ctx->of->findings, ctx->a, ctx->b, field_table[r->field].name);

	if (worst < VERDICT_LOOK)
		return;
	snprintf(out->text, sizeof(out->text), "≠");
	out->role = verdict_role(worst);
}

static const struct cell *first_cell(const struct port *p, const struct detail_row *r)
{
	for (unsigned i = r->index; p && i < field_table[r->field].width; i++)
		if (port_cell(p, r->field, i))
			return port_cell(p, r->field, i);
	return NULL;
}

static void age_cell(const struct detail_ctx *ctx, const struct detail_row *r, struct cell_view *out)
{
	const struct cell *ends[] = { first_cell(ctx->a, r), first_cell(ctx->b, r) };
	int64_t oldest = -1;
	char text[HUMAN_MAX];

	for (size_t i = 0; i < 2; i++)
		if (ends[i] && cell_age_us(ctx->of->model, ends[i]) > oldest)
			oldest = cell_age_us(ctx->of->model, ends[i]);
	out->is_number = oldest >= 0;
	out->number = (double)oldest / SECOND;
	out->role = oldest >= 0 ? ROLE_IS_MUTED : ROLE_IS_UNKNOWN;
	snprintf(out->text, sizeof(out->text), "%s", oldest >= 0 ? human_age(text, oldest) : "?");
}

static void cell(const void *ctx_, size_t row, size_t column, struct cell_view *out)
{
	const struct detail_ctx *ctx = ctx_;
	const struct detail_row *r = &ctx->v->detail[row];

	switch (column) {
	case COLUMN_FIELD:
		if (field_table[r->field].width > 1 && is_counted(r->field))
			snprintf(out->text, sizeof(out->text), "%s[%u]", field_table[r->field].name, r->index);
		else
			snprintf(out->text, sizeof(out->text), "%s", field_table[r->field].name);
		break;
	case COLUMN_A:		value_cell(ctx->of->model, ctx->a, r, out); break;
	case COLUMN_B:		value_cell(ctx->of->model, ctx->b, r, out); break;
	case COLUMN_A_SPARK:	spark_cell(ctx->a, r, out); break;
	case COLUMN_B_SPARK:	spark_cell(ctx->b, r, out); break;
	case COLUMN_SIGN:	sign_cell(ctx, r, out); break;
	case COLUMN_AGE:	age_cell(ctx, r, out); break;
	case COLUMN_HELP:
		out->role = ROLE_IS_MUTED;
		snprintf(out->text, sizeof(out->text), "%s", field_table[r->field].help);
		break;
	}
}

static uint64_t key_of_row(const void *ctx, size_t row)
{
	const struct detail_row *r = &((const struct detail_ctx *)ctx)->v->detail[row];

	return (uint64_t)r->field << 8 | r->index | 1u << 24;
}

/* A counter is quiet when it is known to be nothing at either end and is not of the lossless priority. */
static bool is_quiet(const struct detail_ctx *ctx, const struct detail_row *r)
{
	const struct port *ends[] = { ctx->a, ctx->b };
	uint64_t n;

	if (!is_counted(r->field) || (field_table[r->field].width == 8 && r->index == portrow_priority(ctx->of->policy)))
		return false;
	for (size_t i = 0; i < 2; i++)
		if (ends[i] && port_cell(ends[i], r->field, r->index) &&
		    (!port_number(ctx->of->model, ends[i], r->field, r->index, &n) || n))
			return false;
	return true;
}

static void add_row(struct views *v, const struct detail_ctx *ctx, enum field f, unsigned index)
{
	struct detail_row r = { f, index };

	if (!first_cell(ctx->a, &r) && !first_cell(ctx->b, &r))
		return;
	if (is_counted(f) && !(ctx->a && port_cell(ctx->a, f, index)) && !(ctx->b && port_cell(ctx->b, f, index)))
		return;
	if (is_quiet(ctx, &r)) {
		v->n_quiet++;
		if (!v->without_pane[SCREEN_DETAIL])
			return;
	}
	*GROW(v->detail, v->n_detail, v->cap_detail) = r;
	v->n_detail++;
}

/* Counters of pause, marks and traffic first: what moves is why one came; then the settings. */
static void make_rows(struct views *v, const struct detail_ctx *ctx)
{
	v->n_detail = 0;
	v->n_quiet = 0;
	for (unsigned f = FIELD_PFC_RX; f < FIELD_COUNT; f++)
		for (unsigned i = 0; i < field_table[f].width && field_table[f].scope == SCOPE_PORT; i++)
			add_row(v, ctx, (enum field)f, i);
	for (unsigned f = 0; f < FIELD_PFC_RX; f++)
		if (field_table[f].scope == SCOPE_PORT)
			add_row(v, ctx, (enum field)f, 0);
}

static void source(const struct view_of *of, struct views *v, struct table_source *s)
{
	static char a_title[64], b_title[64];
	const struct link *link = views_link(of, v);
	const struct port *a = link ? link->a : v->subject, *b = link ? link->b : NULL;

	shown = (struct detail_ctx){ of, v, a, b };
	make_rows(v, &shown);
	snprintf(a_title, sizeof(a_title), "%s", a ? a->device->name : "A");
	snprintf(b_title, sizeof(b_title), "%s", b ? b->device->name : "far end ?");
	columns[COLUMN_A].title = a_title;
	columns[COLUMN_B].title = b_title;
	*s = (struct table_source){ .columns = columns, .n_columns = COLUMNS, .n_rows = v->n_detail, .ctx = &shown,
				    .key = key_of_row, .cell = cell,
				    .serial = of->serial ^ (uint64_t)(uintptr_t)a << 20 ^ v->without_pane[SCREEN_DETAIL],
				    .empty = a ? "Nothing is known of this link yet. 9 shows how reaching its devices goes." :
					     "No link is chosen. 2 lists the links; Enter on one comes back here." };
}

static void draw_summary(const struct draw *d, int y, const struct view_of *of, struct views *v)
{
	const struct link *link = views_link(of, v);
	char name[200];

	if (link)
		snprintf(name, sizeof(name), "%s", link->name);
	else
		snprintf(name, sizeof(name), "%s:%s (on no known link)", v->subject->device->name, v->subject->name);
	draw_rule(d, y, 0, d->cols, name);
	draw_printf(d, y + 1, 1, d->cols - 1, ROLE_IS_MUTED, "joined by %s%s%s   %zu quiet counters %s",
		    !link ? "nothing" : link->by == BY_LLDP_BOTH ? "LLDP of both ends" : link->by == BY_LLDP_ONE ? "LLDP of one end" :
		    link->by == BY_MAC ? "MAC" : link->by == BY_PLAN ? "the cable plan" : "nothing",
		    link && link->planned_peer ? "; the plan says " : "", link && link->planned_peer ? link->planned_peer : "",
		    v->n_quiet, v->without_pane[SCREEN_DETAIL] ? "shown (i hides)" : "hidden (i shows)");
}

static void draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	struct table_source s;
	int summary;

	if (!v->subject && views_ports(of, v)->n)
		v->subject = v->ports.list[0].link->a;
	source(of, v, &s);
	summary = v->subject && rows > 8 ? 2 : 0;
	if (summary)
		draw_summary(d, y, of, v);
	table_draw(&v->tables[SCREEN_DETAIL], &s, d, y + summary, rows - summary);
}

static void explain_row(const struct detail_ctx *ctx, const struct detail_row *r, struct page *page)
{
	const struct port *ends[] = { ctx->a, ctx->b };
	unsigned last = is_counted(r->field) ? r->index + 1 : field_table[r->field].width;

	page_begin(page, "Why: %s", field_table[r->field].name);
	page_add(page, ROLE_IS_TITLE, "%s: %s", field_table[r->field].name, field_table[r->field].help);
	for (size_t e = 0; e < 2; e++) {
		page_add(page, ROLE_IS_TEXT, " ");
		if (!ends[e]) {
			page_add(page, ROLE_IS_UNKNOWN, "The far end of this link is not known.");
			continue;
		}
		for (unsigned i = r->index; i < last; i++)
			if (port_cell(ends[e], r->field, i) || i == r->index)
				explain_cell(page, ctx->of->model, ends[e]->device->name, ends[e]->name, r->field, i,
					     port_cell(ends[e], r->field, i), NULL);
	}
}

static struct intent raw_of(const struct detail_ctx *ctx, const struct detail_row *r, struct page *page)
{
	const struct cell *ends[] = { first_cell(ctx->a, r), first_cell(ctx->b, r) };

	for (size_t i = 0; i < 2; i++) {
		if (ends[i] && ends[i]->reply->raw) {
			page_reply(page, ends[i]->reply, ends[i]->cite);
			return (struct intent){ .is = INTENT_PAGE };
		}
	}
	return (struct intent){ .is = INTENT_SAY, .text = "The reply that said it was not kept." };
}

static struct intent key(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	const struct detail_row *r = NULL;
	size_t row;

	if (command == DO_PANE) {
		v->without_pane[SCREEN_DETAIL] = !v->without_pane[SCREEN_DETAIL];
		return (struct intent){ .is = INTENT_DONE };
	}
	if (table_cursor(&v->tables[SCREEN_DETAIL], &row) && row < v->n_detail)
		r = &v->detail[row];
	switch (command) {
	case DO_OPEN:
	case DO_EXPLAIN:
	case DO_RAW:
		if (!r)
			return (struct intent){ .is = INTENT_SAY, .text = "There is no row under the cursor." };
		shown = (struct detail_ctx){ of, v, shown.a, shown.b };
		if (command == DO_RAW)
			return raw_of(&shown, r, page);
		explain_row(&shown, r, page);
		return (struct intent){ .is = INTENT_PAGE };
	case DO_ZERO:
	case DO_UNZERO:
		if (!v->subject)
			return (struct intent){ .is = INTENT_SAY, .text = "No link is chosen." };
		return (struct intent){ .is = command == DO_ZERO ? INTENT_ZERO : INTENT_UNZERO, .port = v->subject };
	case DO_REFRESH:
		return (struct intent){ .is = INTENT_REFRESH, .device = v->subject ? v->subject->device->name : NULL };
	default:
		return (struct intent){ .is = INTENT_NONE };
	}
}

const struct screen screen_detail = { .title = "Detail", .source = source, .draw = draw, .key = key };
