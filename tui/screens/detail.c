/* Detail: every field of one link, a row each, what both ends say and how it goes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tui/screens/detail_facts.h"
#include "tui/screens/pause_pane.h"
#include "tui/screens/proof_pane.h"
#include "tui/screens/screen.h"
#include "tui/text/human.h"
#include "tui/text/indices.h"
#include "tui/views/explain.h"
#include "tui/views/link_events.h"
#include "tui/widgets/bind.h"

enum { COLUMN_FIELD, COLUMN_WANTED, COLUMN_A, COLUMN_A_SPARK, COLUMN_A_MAX, COLUMN_A_VS, COLUMN_SIGN, COLUMN_B, COLUMN_B_SPARK,
	COLUMN_B_MAX, COLUMN_B_VS,	COLUMN_AGE, COLUMN_HELP, COLUMNS };

static struct column columns[COLUMNS] = {
	[COLUMN_FIELD]	 = { .name = "field", .title = "FIELD", .width = 15 },
	[COLUMN_WANTED]	 = { .name = "wanted", .title = "POLICY", .width = 9, .grow = 1, .priority = 1, .right = true },
	[COLUMN_A]	 = { .name = "a", .title = "A", .width = 11, .grow = 1, .right = true, .big_first = true },
	[COLUMN_A_SPARK] = { .name = "a_spark", .title = "LAST MIN", .width = 8, .grow = 3, .priority = 2, .is_spark = true },
	[COLUMN_A_MAX]	 = { .name = "a_max", .title = "MAX", .width = 10, .priority = 3, .right = true, .big_first = true },
	[COLUMN_A_VS]	 = { .name = "a_vs", .title = "VS", .width = 9, .right = true, .big_first = true },
	[COLUMN_SIGN]	 = { .name = "differs", .title = " ", .width = 2 },
	[COLUMN_B]	 = { .name = "b", .title = "B", .width = 11, .grow = 1, .right = true, .big_first = true },
	[COLUMN_B_SPARK] = { .name = "b_spark", .title = "LAST MIN", .width = 8, .grow = 3, .priority = 2, .is_spark = true },
	[COLUMN_B_MAX]	 = { .name = "b_max", .title = "MAX", .width = 10, .priority = 3, .right = true, .big_first = true },
	[COLUMN_B_VS]	 = { .name = "b_vs", .title = "VS", .width = 9, .right = true, .big_first = true },
	[COLUMN_AGE]	 = { .name = "age", .title = "AGE", .width = 5, .priority = 1, .right = true, .big_first = true },
	[COLUMN_HELP]	 = { .name = "help", .title = "WHAT IT IS", .width = 50, .grow = 1, .priority = 4 },
};

static struct detail shown;

static void fold(const struct detail *ctx, const struct port *p, enum field f, struct cell_view *out)
{
	struct buf text = { 0 };
	struct indices said;

	indices_of_port(&said, ctx->of->model, ctx->of->policy, p, f);
	indices_print(&text, &said, f);
	snprintf(out->text, sizeof(out->text), "%s", text.text);
	out->role = said.any ? ROLE_IS_TEXT : ROLE_IS_UNKNOWN;
	buf_done(&text);
}

/* What the policy wants of both ends, or of the one it speaks of; "9000/9216" when it wants different things. */
static void wanted_cell(const struct detail *ctx, const struct detail_row *r, struct cell_view *out)
{
	const struct port *ends[] = { ctx->a, ctx->b };
	struct buf text = { 0 }, other = { 0 };
	struct indices wanted;

	for (size_t i = 0; i < 2; i++) {
		struct buf *to = text.n ? &other : &text;

		if (!ends[i] || detail_is_counted(r->field) || field_table[r->field].kind == KIND_TEXT)
			continue;
		indices_of_policy(&wanted, ctx->of->policy, ctx->of->inventory, ends[i], r->field);
		if (wanted.any)
			indices_print(to, &wanted, r->field);
	}
	out->role = ROLE_IS_MUTED;
	if (other.n && strcmp(text.text, other.text))
		snprintf(out->text, sizeof(out->text), "%s/%s", text.text, other.text);
	else if (text.n)
		snprintf(out->text, sizeof(out->text), "%s", text.text);
	buf_done(&text);
	buf_done(&other);
}

/* Why there is no rate, where the counter itself tells. */
static const char *no_rate(const struct series *s)
{
	static const char *const words[] = { [RATE_RESET] = "? reset", [RATE_STUCK] = "? stuck", [RATE_JUMPED] = "? jumped" };

	return s && s->note < sizeof(words) / sizeof(*words) && words[s->note] ? words[s->note] : "?";
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
		snprintf(out->text, sizeof(out->text), "%s", out->is_number ? human_rate(text, r->field, per_s) :
			 no_rate(port_series(p, r->field, r->index)));
	}
	out->role = !out->is_number ? ROLE_IS_UNKNOWN : out->number > 0 ? ROLE_IS_TEXT : ROLE_IS_MUTED;
}

static void value_cell(const struct detail *ctx, const struct port *p, const struct detail_row *r, struct cell_view *out)
{
	const struct model *m = ctx->of->model;
	const struct cell *c = p ? port_cell(p, r->field, r->index) : NULL;
	char text[HUMAN_MAX];

	out->role = ROLE_IS_UNKNOWN;
	if (!p) {
		snprintf(out->text, sizeof(out->text), "?");
	} else if (detail_is_counted(r->field)) {
		if (c)
			counted(m, p, r, out);
	} else if (detail_is_beside(ctx, p, r->field)) {
		return;
	} else if (field_table[r->field].width > 1) {
		fold(ctx, p, r->field, out);
	} else if (!c || c->value.is != VALUE_KNOWN || cell_is_stale(m, c)) {
		snprintf(out->text, sizeof(out->text), "?");
	} else {
		out->role = ROLE_IS_TEXT;
		snprintf(out->text, sizeof(out->text), "%s", field_table[r->field].kind == KIND_TEXT ? c->value.text :
			 human_value(text, r->field, c->value.n));
	}
}

static bool track_of(const struct detail *ctx, const struct port *p, const struct detail_row *r, struct track *out)
{
	if (!p || !detail_is_counted(r->field) || !(field_table[r->field].flags & FIELD_SPARK))
		return false;
	window_track(ctx->of->model, p, r->field, r->index, ctx->own->window, out);
	return out->n > 0;
}

static void spark_cell(const struct detail *ctx, const struct port *p, const struct detail_row *r, struct cell_view *out)
{
	static struct track track;

	out->role = ROLE_IS_SPARK;
	if (!track_of(ctx, p, r, &track))
		return;
	out->spark = track.values;
	out->n_spark = track.n;
	out->spark_us = window_table[ctx->own->window].span_us / WINDOW_LEN;
}

static void max_cell(const struct detail *ctx, const struct port *p, const struct detail_row *r, struct cell_view *out)
{
	char text[HUMAN_MAX];
	struct track track;

	out->role = ROLE_IS_MUTED;
	if (!track_of(ctx, p, r, &track))
		return;
	out->is_number = true;
	out->number = track.most;
	snprintf(out->text, sizeof(out->text), "%s", field_table[r->field].kind == KIND_GAUGE ?
		 human_value(text, r->field, (uint64_t)track.most) : human_rate(text, r->field, track.most));
}

/* How many values of a setting are not as they were; -1: none of them is known of both times. */
static int changed(const struct detail *ctx, const struct port *p, enum field f)
{
	int n = -1;

	for (unsigned i = 0; i < field_table[f].width; i++) {
		uint64_t is;
		double was;

		if (!port_number(ctx->of->model, p, f, i, &is) || !baseline_of(ctx->of->baseline, p, f, i, &was))
			continue;
		n = (n < 0 ? 0 : n) + ((double)is != was);
	}
	return n;
}

static void vs_rate(const struct detail *ctx, const struct port *p, const struct detail_row *r, struct cell_view *out)
{
	double was, is;
	char text[24];
	uint64_t n;

	if (field_table[r->field].kind == KIND_COUNTER ? !port_rate(ctx->of->model, p, r->field, r->index, &is) :
							 !port_number(ctx->of->model, p, r->field, r->index, &n))
		return;
	if (!baseline_of(ctx->of->baseline, p, r->field, r->index, &was))
		return;
	is = field_table[r->field].kind == KIND_COUNTER ? is : (double)n;
	out->is_number = true;
	out->number = fabs(is - was);
	snprintf(out->text, sizeof(out->text), "%s", baseline_words(text, was, is));
	out->role = *text == '=' ? ROLE_IS_MUTED : ROLE_IS_LOOK;
}

/* Against the baseline; "?" where one of the two is not known. */
static void vs_cell(const struct detail *ctx, const struct port *p, const struct detail_row *r, struct cell_view *out)
{
	int n;

	out->role = ROLE_IS_UNKNOWN;
	if (!ctx->of->baseline || !ctx->of->baseline->at_us || !p || field_table[r->field].kind == KIND_TEXT)
		return;
	if (detail_first(p, r->field, r->index))
		snprintf(out->text, sizeof(out->text), "?");
	if (detail_is_counted(r->field)) {
		vs_rate(ctx, p, r, out);
		return;
	}
	n = changed(ctx, p, r->field);
	if (n < 0)
		return;
	snprintf(out->text, sizeof(out->text), "%s", n ? "changed" : "=");
	out->role = n ? ROLE_IS_LOOK : ROLE_IS_MUTED;
}

/* A failed check is a difference only where the two ends differ. */
static bool ends_differ(const struct detail *ctx, enum field f)
{
	for (unsigned i = 0; ctx->a && ctx->b && i < field_table[f].width; i++) {
		const struct cell *a = port_cell(ctx->a, f, i), *b = port_cell(ctx->b, f, i);

		if (a && b && !value_same(f, &a->value, &b->value))
			return true;
	}
	return false;
}

static void sign_cell(const struct detail *ctx, const struct detail_row *r, struct cell_view *out)
{
	enum verdict worst = detail_verdict(ctx, r->field);

	if (worst < VERDICT_LOOK)
		return;
	snprintf(out->text, sizeof(out->text), "%s",
		 detail_is_counted(r->field) || !ends_differ(ctx, r->field) ? verdict_sign(worst) : "≠");
	out->role = verdict_role(worst);
}

static void age_cell(const struct detail *ctx, const struct detail_row *r, struct cell_view *out)
{
	const struct cell *ends[] = { detail_first(ctx->a, r->field, r->index), detail_first(ctx->b, r->field, r->index) };
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

static void field_cell(const struct detail_row *r, struct cell_view *out)
{
	bool indexed = field_table[r->field].width > 1 && detail_is_counted(r->field);

	snprintf(out->text, sizeof(out->text), indexed ? "%s[%u]" : "%s", field_table[r->field].name, r->index);
}

static void cell(const void *ctx_, size_t row, size_t column, struct cell_view *out)
{
	const struct detail *ctx = ctx_;
	const struct detail_row *r = &ctx->own->rows[row];

	if (r->heading) {
		out->role = ROLE_IS_TITLE;
		snprintf(out->text, sizeof(out->text), "%s", column == COLUMN_FIELD ? r->heading->title : "");
		return;
	}
	switch (column) {
	case COLUMN_FIELD:	field_cell(r, out); break;
	case COLUMN_WANTED:	wanted_cell(ctx, r, out); break;
	case COLUMN_A:		value_cell(ctx, ctx->a, r, out); break;
	case COLUMN_B:		value_cell(ctx, ctx->b, r, out); break;
	case COLUMN_A_SPARK:	spark_cell(ctx, ctx->a, r, out); break;
	case COLUMN_B_SPARK:	spark_cell(ctx, ctx->b, r, out); break;
	case COLUMN_A_VS:	vs_cell(ctx, ctx->a, r, out); break;
	case COLUMN_B_VS:	vs_cell(ctx, ctx->b, r, out); break;
	case COLUMN_A_MAX:	max_cell(ctx, ctx->a, r, out); break;
	case COLUMN_B_MAX:	max_cell(ctx, ctx->b, r, out); break;
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
	const struct detail_row *r = &((const struct detail *)ctx)->own->rows[row];

	return r->heading ? table_key(r->heading->title) : (uint64_t)r->field << 8 | r->index | 1u << 24;
}

static void title_baseline(const struct baseline *b, int64_t now_us)
{
	static char title[32];
	bool is_on = b && b->at_us;
	char at[HUMAN_MAX];

	snprintf(title, sizeof(title), "vs %.16s", is_on ? human_near(at, b->at_us, now_us) : "");
	columns[COLUMN_A_VS].title = columns[COLUMN_B_VS].title = title;
	columns[COLUMN_A_VS].priority = columns[COLUMN_B_VS].priority = is_on ? 3 : COLUMN_HIDDEN;
}

static void source(const struct view_of *of, struct views *v, struct table_source *s)
{
	static char a_title[64], b_title[64];
	const struct port *a, *b;

	shown = detail_of(of, v);
	detail_rows(&shown);
	a = shown.a;
	b = shown.b;
	snprintf(a_title, sizeof(a_title), "%s", a ? a->device->name : "A");
	snprintf(b_title, sizeof(b_title), "%s", b ? b->device->name : "far end ?");
	title_baseline(of->baseline, model_now(of->model));
	columns[COLUMN_A_SPARK].title = columns[COLUMN_B_SPARK].title = window_table[detail_view(v)->window].title;
	columns[COLUMN_A].title = a_title;
	columns[COLUMN_B].title = b_title;
	*s = (struct table_source){ .columns = columns, .n_columns = COLUMNS, .n_rows = detail_view(v)->n, .ctx = &shown,
				    .key = key_of_row, .cell = cell,
				    .serial = of->serial ^ (uint64_t)(uintptr_t)a << 20 ^ v->without_pane[SCREEN_DETAIL],
				    .empty = a ? "Nothing is known about this link yet. {devices} shows the state of its devices." :
					     "No link is selected. {ports} lists the links; {open} on one returns here." };
}

static const char *joined_by(const struct link *link)
{
	static const char *const words[] = { [BY_LLDP_BOTH] = "LLDP of both ends", [BY_LLDP_ONE] = "LLDP of one end", [BY_MAC] = "MAC",
					     [BY_FDB] = "the switch's FDB", [BY_PLAN] = "the cable plan",
					     [BY_SEGMENT] = "ARP or ND (same layer-2 segment, direct or through a switch that was "
							    "not read)" };

	return link && (size_t)link->by < sizeof(words) / sizeof(*words) && words[link->by] ? words[link->by] : "nothing";
}

/* The link, how it is known, its proof, and what is found wrong with it; rows: of the screen. Returns the rows used. */
static int draw_summary(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	const struct link *link = views_link(of, v);
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list);
	struct buf joined = { 0 };
	char name[200];
	int used = 2, last;

	if (link)
		snprintf(name, sizeof(name), "%s", link->name);
	else
		snprintf(name, sizeof(name), "%s:%s (on no known link)", v->subject->device->name, v->subject->name);
	draw_rule(d, y, 0, d->cols, name);
	buf_printf(&joined, "known by %s%s%s   %zu unchanged counters ", joined_by(link),
		   link && link->planned_peer ? "; the cable plan has " : "", link && link->planned_peer ? link->planned_peer : "",
		   detail_view(v)->n_quiet);
	key_text(&joined, v->without_pane[SCREEN_DETAIL] ? "shown ({pane})   {next-screen}: proof" :
		 "hidden ({pane})   {next-screen}: proof");
	draw_text(d, y + 1, 1, d->cols - 1, ROLE_IS_MUTED, joined.text);
	buf_done(&joined);
	used += proofpane_draw(d, y + used, rows >= 28 ? 4 : rows >= 18 ? 3 : 0, of, v, &detail_view(v)->proof);
	last = used + (rows >= 28 ? 3 : 1);
	for (size_t i = 0; i < n && used < last; i++) {
		const struct finding *f = list[i];

		if (!detail_has(&shown, f))
			continue;
		draw_printf(d, y + used++, 1, d->cols - 1, verdict_role(f->verdict), "%s%s %s: %s", verdict_sign(f->verdict),
			    verdict_word(f->verdict), f->check->id, f->verdict == VERDICT_UNKNOWN ? f->missing : f->what);
	}
	return used;
}

/* The time of the sparklines once more, with what happened in it, and the newest of that in words. */
static void draw_axis(const struct draw *d, int y, const struct view_of *of, struct views *v)
{
	int64_t now_us = model_now(of->model);
	int cells = d->cols >= 120 ? WINDOW_LEN : d->cols / 3, x = 1;
	char time[HUMAN_MAX];
	struct axis axis;

	axis_make(&axis, of->events, shown.a, shown.b, now_us - window_table[detail_view(v)->window].span_us, now_us, (size_t)cells);
	x += draw_text(d, y, x, d->cols - x, ROLE_IS_MUTED, "events |");
	x += draw_text(d, y, x, d->cols - x, axis.n ? ROLE_IS_LOOK : ROLE_IS_MUTED, axis.signs);
	x += draw_text(d, y, x, d->cols - x, ROLE_IS_MUTED, "| ");
	if (!axis.n)
		draw_text(d, y, x, d->cols - x, ROLE_IS_MUTED, of->events ? "no events in this time" : "none are kept");
	else
		draw_printf(d, y, x, d->cols - x, ROLE_IS_TEXT, "%zu, newest %s %s %s: %s", axis.n, human_time(time, axis.newest->at_us),
			    severity_of(axis.newest->kind), axis.newest->where, axis.newest->text);
}

/* What the row under the cursor is, where there is no column for it. */
static void draw_help(const struct draw *d, int y, struct views *v)
{
	size_t row;

	if (!table_cursor(&v->tables[SCREEN_DETAIL], &row) || row >= detail_view(v)->n || detail_view(v)->rows[row].heading)
		return;
	draw_printf(d, y, 1, d->cols - 1, ROLE_IS_MUTED, "%s: %s", field_table[detail_view(v)->rows[row].field].name,
		    field_table[detail_view(v)->rows[row].field].help);
}

static void draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	struct table_source s;
	int summary, help, axis;

	if (!v->subject && views_ports(of, v)->n)
		v->subject = v->ports.list[0].link->a;
	source(of, v, &s);
	summary = v->subject && rows > 8 ? draw_summary(d, y, rows, of, v) : 0;
	if (views_link(of, v) && rows - summary >= 12)
		summary += pausepane_draw(d, y + summary, rows >= 28 ? rows / 5 : 3, of, v, views_link(of, v));
	help = rows >= 12;
	axis = rows >= 18 && v->subject;
	v->tables[SCREEN_DETAIL].is_aside = detail_view(v)->proof.has_keys;
	table_draw(&v->tables[SCREEN_DETAIL], &s, d, y + summary, rows - summary - help - axis);
	if (axis)
		draw_axis(d, y + rows - 1 - help, of, v);
	if (help)
		draw_help(d, y + rows - 1, v);
}

static void explain_row(const struct detail *ctx, const struct detail_row *r, struct page *page)
{
	unsigned last = detail_is_counted(r->field) ? r->index : field_table[r->field].width - 1u;

	page_begin(page, "Why: %s", field_table[r->field].name);
	explain_field(page, &(struct explained){ ctx->of->model, ctx->of->findings, ctx->a, ctx->b, views_width(ctx->v) }, r->field,
		      r->index, last);
}

static struct intent raw_of(const struct detail *ctx, const struct detail_row *r, struct page *page)
{
	const struct cell *ends[] = { detail_first(ctx->a, r->field, r->index), detail_first(ctx->b, r->field, r->index) };

	for (size_t i = 0; i < 2; i++) {
		if (ends[i] && ends[i]->reply->raw) {
			page_reply(page, ends[i]->reply, ends[i]->cite);
			return (struct intent){ .is = INTENT_PAGE };
		}
	}
	return (struct intent){ .is = INTENT_SAY, .text = "The raw reply was not kept; {explain} names it." };
}

static struct intent heading_key(const struct detail_part *part, enum command command, struct page *page)
{
	struct buf ways = { 0 };

	if (command == DO_RAW)
		return (struct intent){ .is = INTENT_SAY, .text = "A heading: {raw} on a row below shows its raw reply." };
	page_begin(page, "%s", part->title);
	page_add(page, ROLE_IS_TEXT, "%s", part->help);
	key_text(&ways, "{explain} on a row below shows its source, its age, and the checks that use it.");
	page_add(page, ROLE_IS_MUTED, "%s", ways.text);
	buf_done(&ways);
	return (struct intent){ .is = INTENT_PAGE };
}

static struct intent zoom(const struct view_of *of, struct views *v, int by)
{
	int to = (int)detail_view(v)->window + by;

	if (to < 0 || to >= WINDOWS)
		return (struct intent){ .is = INTENT_SAY, .text = to < 0 ? "One minute is the shortest span." :
				       "One hour is the longest span." };
	detail_view(v)->window = (enum window)to;
	return (struct intent){ .is = of->is_replay ? INTENT_WARM : INTENT_DONE, .at_us = window_table[to].span_us };
}

/* The link, whichever of its rows the cursor is on. */
static struct subject subject(const struct view_of *of, struct views *v, size_t row)
{
	const struct link *link = views_link(of, v);
	struct subject s;

	(void)row;
	if (!v->subject)
		return subject_none("No link is selected. {ports} lists the links.");
	s = link ? subject_of_link(link) : (struct subject){ .port = v->subject, .device = v->subject->device };
	s.is_part = true;
	s.is_aside = detail_view(v)->proof.has_keys;
	return s;
}

static struct intent key(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	const struct detail_row *r = NULL;
	size_t row;

	if (command == DO_PANE) {
		v->without_pane[SCREEN_DETAIL] = !v->without_pane[SCREEN_DETAIL];
		return (struct intent){ .is = INTENT_DONE };
	}
	if (table_cursor(&v->tables[SCREEN_DETAIL], &row) && row < detail_view(v)->n)
		r = &detail_view(v)->rows[row];
	switch (command) {
	case DO_OPEN:
	case DO_EXPLAIN:
	case DO_RAW:
		if (!r)
			return (struct intent){ .is = INTENT_SAY, .text = "There is no row under the cursor." };
		if (r->heading)
			return heading_key(r->heading, command, page);
		shown = detail_of(of, v);
		if (command == DO_RAW)
			return raw_of(&shown, r, page);
		explain_row(&shown, r, page);
		return (struct intent){ .is = INTENT_PAGE };
	case DO_ZERO:
	case DO_UNZERO:
		if (!v->subject)
			return (struct intent){ .is = INTENT_SAY, .text = "No link is selected. {ports} lists the links." };
		return (struct intent){ .is = command == DO_ZERO ? INTENT_ZERO : INTENT_UNZERO, .port = v->subject };
	case DO_ZOOM_IN:
	case DO_ZOOM_OUT:
		return zoom(of, v, command == DO_ZOOM_OUT ? 1 : -1);
	case DO_REFRESH:
		return (struct intent){ .is = INTENT_REFRESH, .device = v->subject ? v->subject->device->name : NULL };
	default:
		return (struct intent){ .is = INTENT_NONE };
	}
}

static bool next_pane(const struct view_of *of, struct views *v, int by)
{
	(void)of;
	return proofpane_next(&detail_view(v)->proof, by);
}

static bool pane_key(const struct view_of *of, struct views *v, enum command command, struct page *page, struct intent *i)
{
	return proofpane_key(of, v, &detail_view(v)->proof, command, page, i);
}

static void done(void *own)
{
	struct detail_view *v = own;

	free(v->rows);
	proof_done(&v->proof.proof);
}

const struct screen screen_detail = {
	.source = source, .draw = draw, .key = key,
	.pane_key = pane_key, .next_pane = next_pane, .subject = subject, .done = done };
