/* Findings: what is wrong, worst first, and the evidence of the one under the cursor. */
#include <stdio.h>
#include <stdlib.h>

#include "core/fix/fix.h"
#include "core/judge/judged.h"
#include "tui/screens/findings.h"
#include "tui/text/human.h"
#include "tui/views/explain.h"
#include "tui/widgets/bind.h"

enum { COLUMN_SEVERITY, COLUMN_RULE, COLUMN_WHERE, COLUMN_WHAT, COLUMN_SINCE, COLUMN_SEEN, COLUMN_STATE, COLUMN_IS, COLUMNS };

static const struct column columns[COLUMNS] = {
	[COLUMN_SEVERITY] = { .name = "severity", .title = "SEV", .width = 5, .big_first = true },
	[COLUMN_RULE]	  = { .name = "rule", .title = "CHECK", .width = 20, .priority = 2 },
	[COLUMN_WHERE]	  = { .name = "where", .title = "WHERE", .width = 20, .grow = 1 },
	[COLUMN_WHAT]	  = { .name = "what", .title = "WHAT", .width = 36, .grow = 4 },
	[COLUMN_SINCE]	  = { .name = "since", .title = "SINCE", .width = 6, .right = true, .priority = 1 },
	[COLUMN_SEEN]	  = { .name = "seen", .title = "SEEN", .width = 6, .right = true, .big_first = true, .priority = 5 },
	[COLUMN_STATE]	  = { .name = "state", .title = "STATE", .width = 18, .grow = 1, .priority = 3 },
	/* for is:acked; never drawn */
	[COLUMN_IS]	  = { .name = "is", .title = "IS", .width = 6, .priority = COLUMN_HIDDEN },
};

struct findings_ctx {
	const struct view_of *of;
	const struct views *v;
};
static struct findings_ctx shown;

static void where_cell(struct cell_view *out, const struct fold *row)
{
	static const char *const places[] = { [OF_DEVICE] = "devices", [OF_PORT] = "ports", [OF_LINK] = "links", [OF_FABRIC] = "places" };

	if (row->n > 1)
		snprintf(out->text, sizeof(out->text), "%zu %s", row->n, places[row->finding->check->of]);
	else
		snprintf(out->text, sizeof(out->text), "%s", row->finding->where);
}

static void what_cell(struct cell_view *out, const struct fold *row)
{
	const struct finding *f = row->finding;

	if (row->n > 1 && fold_is_alike(f))
		snprintf(out->text, sizeof(out->text), "%s; here %s", f->check->title, f->what);
	else if (f->verdict != VERDICT_UNKNOWN)
		snprintf(out->text, sizeof(out->text), "%s", f->what);
	else if (row->n == 1)
		snprintf(out->text, sizeof(out->text), "not known: %s", f->missing);
	else
		snprintf(out->text, sizeof(out->text), "not known: %s%s%s", row->whose, *row->whose ? ": " : "", fold_words(f));
}

static const struct ack *ack_of(const struct view_of *of, const struct finding *f)
{
	return of->acks && f->is_open ? acks_of(of->acks, f, model_now(of->model)) : NULL;
}

static void state_cell(struct cell_view *out, const struct view_of *of, const struct finding *f)
{
	const struct ack *ack = ack_of(of, f);
	char time[HUMAN_MAX];

	out->role = !f->is_open || ack ? ROLE_IS_MUTED : ROLE_IS_TEXT;
	if (!f->is_open)
		snprintf(out->text, sizeof(out->text), "closed %s", human_time(time, f->closed_us));
	else if (ack)
		snprintf(out->text, sizeof(out->text), "acked until %s: %s", human_near(time, ack->until_us, model_now(of->model)),
			 ack->reason);
	else
		snprintf(out->text, sizeof(out->text), "%s%s", f->cause ? "after " : "open", f->cause ? f->cause->check->id : "");
}

static void cell(const void *ctx_, size_t row, size_t column, struct cell_view *out)
{
	const struct findings_ctx *ctx = ctx_;
	const struct finding *f = ctx->v->findings.list[row].finding;
	char age[HUMAN_MAX];

	out->role = !f->is_open || ack_of(ctx->of, f) ? ROLE_IS_MUTED :
		    column <= COLUMN_WHAT ? verdict_role(f->verdict) : ROLE_IS_TEXT;
	switch (column) {
	case COLUMN_SEVERITY:
		snprintf(out->text, sizeof(out->text), "%s%s", verdict_sign(f->verdict), verdict_word(f->verdict));
		out->is_number = true;
		out->number = f->verdict;
		break;
	case COLUMN_RULE:
		snprintf(out->text, sizeof(out->text), "%s", f->check->id);
		break;
	case COLUMN_WHERE:
		where_cell(out, &ctx->v->findings.list[row]);
		break;
	case COLUMN_WHAT:
		what_cell(out, &ctx->v->findings.list[row]);
		break;
	case COLUMN_SINCE:
		out->is_number = true;
		out->number = (double)(model_now(ctx->of->model) - f->first_us) / SECOND;
		snprintf(out->text, sizeof(out->text), "%s", human_age(age, model_now(ctx->of->model) - f->first_us));
		break;
	case COLUMN_SEEN:
		out->is_number = f->seen > 0;
		out->number = f->seen;
		snprintf(out->text, sizeof(out->text), f->seen ? "%ux" : "?", f->seen);
		break;
	case COLUMN_STATE:
		state_cell(out, ctx->of, f);
		break;
	case COLUMN_IS:
		snprintf(out->text, sizeof(out->text), "%s", !f->is_open ? "closed" : ack_of(ctx->of, f) ? "acked" : "open");
		break;
	}
}

/* The same case keeps its key from one judgement to the next. */
static uint64_t key_of_row(const void *ctx, size_t row)
{
	const struct fold *fold = &((const struct findings_ctx *)ctx)->v->findings.list[row];
	const struct finding *f = fold->finding;
	uint64_t key = table_key(f->check->id) * 7;

	/* Of many that say the same, which is the first may change. */
	if (fold->n > 1 && fold_is_alike(f))
		return key;
	return fold->n > 1 ? key + table_key(fold_words(f)) * 3 : key + table_key(f->where) * 31 + f->index + 1;
}

static const char *empty_words(const struct view_of *of)
{
	struct buf text = { 0 };

	if (!model_ports(of->model))
		return "Nothing is judged yet: no device has answered. {devices} shows their state.";
	if (judged_nothing(of->model, of->findings, 0, &text)) {
		buf_done(&text);
		return "Nothing could be judged: no port is known to carry RoCE. {devices} shows what each device reported.";
	}
	return "No finding is open: everything that could be judged is as it should be. {ports} shows every link and its age.";
}

void findings_source(const struct view_of *of, struct views *v, bool in_short, struct table_source *s)
{
	shown = (struct findings_ctx){ of, v };
	*s = (struct table_source){ .columns = columns, .n_columns = in_short ? COLUMN_SEEN : COLUMNS, .n_rows = v->findings.n, .ctx = &shown,
				    .key = key_of_row, .cell = cell, .serial = of->serial, .empty = empty_words(of) };
}

/* What is over is listed when the filter speaks of it. */
static void make_rows(const struct view_of *of, struct views *v)
{
	views_findings(of, v, false);
	if (strstr(filter_text(v->tables[SCREEN_FINDINGS].filter), "closed"))
		views_closed(of, v);
}

static void source(const struct view_of *of, struct views *v, struct table_source *s)
{
	make_rows(of, v);
	findings_source(of, v, false, s);
}

const struct fold *findings_cursor(const struct views *v, const struct table *t)
{
	size_t row;

	return table_cursor(t, &row) && row < v->findings.n ? &v->findings.list[row] : NULL;
}

struct subject findings_subject(const struct view_of *of, const struct views *v, const struct table *t, size_t row)
{
	const struct finding *f;

	if (!views_row(t, v->findings.n, &row))
		return subject_none("There is no finding under the cursor.");
	f = v->findings.list[row].finding;
	return (struct subject){ .finding = f, .places = v->findings.list[row].n, .port = f->port, .device = f->device,
				 .link = f->port ? links_of_port(of->links, f->port) : NULL };
}

void findings_pane(const struct draw *d, int y, int rows, const struct view_of *of, const struct fold *row)
{
	const struct finding *f = row->finding;
	struct page p = { .title = "" };
	struct buf ways = { 0 };
	char since[HUMAN_MAX];

	page_begin(&p, "%s %s at %s", verdict_word(f->verdict), f->check->id, f->where);
	if (row->n > 1)
		snprintf(p.title, sizeof(p.title), "%s %s, %zu times: Enter lists them", verdict_word(f->verdict), f->check->id, row->n);
	if (rows > 8)
		page_wrap(&p, ROLE_IS_TEXT, "  check    ", f->check->title, d->cols - 4);
	explain_words(&p, f, d->cols - 4);
	explain_consequences(&p, of->findings, f, d->cols - 4);
	key_text(&ways, "{explain} shows the evidence, {raw} the raw reply");
	if (fix_find(f->check->id) && fix_find(f->check->id)->fields && f->verdict >= VERDICT_LOOK)
		key_text(&ways, ", {fix-this} plans the fix");
	page_add(&p, ROLE_IS_MUTED, "  since    %s; seen %u time%s   %s", human_date(since, f->first_us), f->seen,
		 f->seen == 1 ? "" : "s", ways.text);
	buf_done(&ways);
	page_draw(&p, d, y, rows);
	page_done(&p);
}

static void add_ack(struct page *p, const struct view_of *of, const struct finding *f, int width)
{
	const struct ack *ack = ack_of(of, f);
	char since[HUMAN_MAX], until[HUMAN_MAX], label[64];

	if (!ack)
		return;
	snprintf(label, sizeof(label), "acked at %s until %s: ", human_near(since, ack->at_us, model_now(of->model)),
		 human_near(until, ack->until_us, model_now(of->model)));
	page_wrap(p, ROLE_IS_LOOK, label, ack->reason, width);
}

static void draw_pane(const struct draw *d, int y, int rows, const struct view_of *of, const struct fold *row)
{
	struct page p = { .title = "" };

	page_begin(&p, "%s", row->finding->check->id);
	add_ack(&p, of, row->finding, d->cols - 4);
	explain_finding(&p, of, row->finding, false, d->cols - 4);
	explain_consequences(&p, of->findings, row->finding, d->cols - 4);
	page_draw(&p, d, y, rows);
	page_done(&p);
}

/* All that one row stands for, on the Findings screen. */
static struct intent list_fold(const struct check *check)
{
	static char words[80];

	snprintf(words, sizeof(words), "rule:%s", check->id);
	return (struct intent){ .is = INTENT_GO, .screen = SCREEN_FINDINGS, .text = words };
}

static struct intent explain_row(const struct view_of *of, const struct views *v, const struct fold *row, struct page *page)
{
	const struct finding *f = row->finding;
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list);

	page_begin(page, "Why: %s", f->check->id);
	add_ack(page, of, f, views_width(v));
	explain_finding(page, of, f, true, views_width(v));
	explain_consequences(page, of->findings, f, views_width(v));
	for (size_t i = 0; row->n > 1 && i < n; i++)
		if (list[i] != f && fold_same(list[i], f))
			page_add(page, ROLE_IS_TEXT, "  also at  %s", list[i]->where);
	return (struct intent){ .is = INTENT_PAGE };
}

static void draw_counts(const struct draw *d, int y, const struct view_of *of)
{
	int64_t now_us = model_now(of->model);
	const struct finding *const *open;
	const struct finding **closed;
	size_t n = findings_open(of->findings, &open), n_acked = 0;
	size_t n_closed = findings_closed(of->findings, now_us - now_us % (86400 * SECOND), &closed);

	for (size_t i = 0; i < n; i++)
		n_acked += ack_of(of, open[i]) != NULL;
	draw_printf(d, y, 2, d->cols - 2, ROLE_IS_MUTED, "%zu open, %zu acknowledged (is:acked), %zu closed today (state:closed)",
		    n - n_acked, n_acked, n_closed);
	free(closed);
}

static void draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	struct table *t = &v->tables[SCREEN_FINDINGS];
	int pane = v->without_pane[SCREEN_FINDINGS] || rows < 18 ? 0 : rows / 2;
	struct table_source s;

	source(of, v, &s);
	if (rows > 8) {
		draw_counts(d, y++, of);
		rows--;
	}
	table_draw(t, &s, d, y, rows - pane);
	if (pane && findings_cursor(v, t))
		draw_pane(d, y + rows - pane, pane, of, findings_cursor(v, t));
}

struct intent findings_key(const struct view_of *of, struct views *v, struct table *t, enum command command,
			   struct page *page)
{
	const struct fold *row = findings_cursor(v, t);
	const struct finding *f = row ? row->finding : NULL;

	if (!f && (command == DO_OPEN || command == DO_EXPLAIN || command == DO_RAW || command == DO_ACK))
		return (struct intent){ .is = INTENT_SAY, .text = "There is no finding under the cursor." };
	switch (command) {
	case DO_OPEN:
		if (row->n > 1)
			return list_fold(f->check);
		if (!f->port || !links_of_port(of->links, f->port))
			return (struct intent){ .is = INTENT_GO, .screen = SCREEN_DEVICES };
		v->subject = f->port;
		return (struct intent){ .is = INTENT_GO, .screen = SCREEN_DETAIL };
	case DO_EXPLAIN:
		return explain_row(of, v, row, page);
	case DO_RAW:
		if (explain_raw(page, f))
			return (struct intent){ .is = INTENT_PAGE };
		return (struct intent){ .is = INTENT_SAY, .text = "No raw reply behind this finding was kept." };
	case DO_ACK:
		if (!f->is_open)
			return (struct intent){ .is = INTENT_SAY, .text = "This finding is closed: there is nothing to acknowledge." };
		if (of->is_replay)
			return (struct intent){ .is = INTENT_SAY, .text = "A replay shows past acknowledgements; acknowledge in a "
									  "live session." };
		v->acking.together = row->n > 1;
		snprintf(v->acking.check, sizeof(v->acking.check), "%s", f->check->id);
		snprintf(v->acking.where, sizeof(v->acking.where), "%s", f->where);
		return (struct intent){ .is = INTENT_ACK, .acking = &v->acking };
	case DO_UNDO:
		return (struct intent){ .is = INTENT_UNACK };
	case DO_REFRESH:
		return (struct intent){ .is = INTENT_REFRESH, .device = f && f->device ? f->device->name : NULL };
	default:
		return (struct intent){ .is = INTENT_NONE };
	}
}

const char *findings_evidence(const struct view_of *of, struct views *v, struct table *t, bool ascii, struct buf *out)
{
	struct page page = { .title = "" };
	bool is_there = findings_key(of, v, t, DO_EXPLAIN, &page).is == INTENT_PAGE;

	if (is_there)
		page_print(&page, ascii, out);
	page_done(&page);
	return is_there ? "the finding with its evidence" : NULL;
}

static struct subject subject(const struct view_of *of, struct views *v, size_t row)
{
	make_rows(of, v);
	return findings_subject(of, v, &v->tables[SCREEN_FINDINGS], row);
}

static const char *copy(const struct view_of *of, struct views *v, bool ascii, struct buf *out)
{
	make_rows(of, v);
	return findings_evidence(of, v, &v->tables[SCREEN_FINDINGS], ascii, out);
}

static struct intent key(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	if (command == DO_PANE) {
		v->without_pane[SCREEN_FINDINGS] = !v->without_pane[SCREEN_FINDINGS];
		return (struct intent){ .is = INTENT_DONE };
	}
	make_rows(of, v);
	return findings_key(of, v, &v->tables[SCREEN_FINDINGS], command, page);
}

const struct screen screen_findings = {
	.source = source, .draw = draw, .key = key,
	.subject = subject, .copy = copy };
