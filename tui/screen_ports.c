/* Ports: one row a link, both ends, with the sign that tells where they disagree. */
#include <math.h>
#include <stdio.h>

#include "tui/explain.h"
#include "tui/human.h"
#include "tui/screens.h"

enum {
	COLUMN_SIGN, COLUMN_LINK,
	COLUMN_PAIR,		/* one for each of PAIRS */
	COLUMN_PAUSED = COLUMN_PAIR + PAIR_COUNT, COLUMN_PFC, COLUMN_CNP_RATE, COLUMN_TX, COLUMN_SPARK, COLUMN_AGE,
	COLUMNS,
};

static const struct column columns[COLUMNS] = {
	[COLUMN_SIGN]	  = { .name = "severity", .title = "S", .width = 1, .big_first = true },
	[COLUMN_LINK]	  = { .name = "link", .title = "LINK", .width = 22, .grow = 3 },
	[COLUMN_PAIR + PAIR_SPEED] = { .name = "speed", .title = "SPEED", .under = "nic/sw", .width = 9, .priority = 4, .from_cols = 132 },
	[COLUMN_PAIR + PAIR_MTU]   = { .name = "mtu", .title = "MTU", .under = "nic/sw", .width = 9, .priority = 2 },
	[COLUMN_PAIR + PAIR_TRUST] = { .name = "trust", .title = "TRUST", .under = "nic/sw", .width = 9, .priority = 1 },
	[COLUMN_PAIR + PAIR_PFC]   = { .name = "pfc", .title = "PFC", .under = "nic/sw", .width = 6, .priority = 1 },
	[COLUMN_PAIR + PAIR_DSCP]  = { .name = "dscp", .title = "DSCP>PRIO", .under = "nic/sw", .width = 9, .priority = 3 },
	[COLUMN_PAIR + PAIR_ECN]   = { .name = "ecn", .title = "ECN", .under = "nic/sw", .width = 7, .priority = 1 },
	[COLUMN_PAIR + PAIR_CNP]   = { .name = "cnp", .title = "CNP", .under = "nic/sw", .width = 7, .priority = 3 },
	[COLUMN_PAUSED]	  = { .name = "paused", .title = "PAUSED", .under = "of time", .width = 7, .right = true, .big_first = true },
	[COLUMN_PFC]	  = { .name = "pfc_rate", .title = "PFC/s", .width = 6, .right = true, .big_first = true, .priority = 2 },
	[COLUMN_CNP_RATE] = { .name = "cnp_rate", .title = "CNP/s", .width = 6, .right = true, .big_first = true, .priority = 4, .from_cols = 132 },
	[COLUMN_TX]	  = { .name = "tx", .title = "TX bit/s", .width = 8, .right = true, .big_first = true, .priority = 5, .from_cols = 132 },
	[COLUMN_SPARK]	  = { .name = "spark", .title = "LAST MIN", .width = 8, .grow = 1, .priority = 1, .is_spark = true },
	[COLUMN_AGE]	  = { .name = "age", .title = "AGE", .width = 6, .right = true, .big_first = true },
};

static void number_cell(struct cell_view *out, bool known, double number, const char *text)
{
	out->is_number = known;
	out->number = number;
	out->role = !known ? ROLE_IS_UNKNOWN : number > 0 ? ROLE_IS_TEXT : ROLE_IS_MUTED;
	snprintf(out->text, sizeof(out->text), "%s", known ? text : "?");
}

static void pair_cell_view(struct cell_view *out, const struct pair_cell *c, enum pair pair)
{
	static const char *const agree[PAIR_COUNT] = { [PAIR_MTU] = "/" };
	char sign = pair_sign(c);

	snprintf(out->text, sizeof(out->text), "%s%s%s", c->a, sign == '!' ? "≠" : agree[pair] ? agree[pair] : "=", c->b);
	out->role = sign == '!' ? verdict_role(c->worst) : sign == '?' ? ROLE_IS_UNKNOWN : ROLE_IS_TEXT;
}

/* Of the end that is stopped more, or of the one that counts it at all. */
static void spark_cell(struct cell_view *out, const struct portrow *r, unsigned priority)
{
	static float values[HISTORY_LEN];
	const struct port *ends[] = { r->paused, r->link->a, r->link->b };

	out->role = ROLE_IS_SPARK;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends) && !out->n_spark; i++) {
		const struct series *s = ends[i] ? port_series(ends[i], FIELD_PFC_RX_US, priority) : NULL;

		if (!s && ends[i])
			s = port_series(ends[i], FIELD_PFC_RX, priority);
		out->n_spark = views_samples(s, values);
	}
	out->spark = values;
}

struct ports_ctx {
	const struct view_of *of;
	struct views *v;
	unsigned priority;
};
static struct ports_ctx shown;

static void age_cell(struct cell_view *out, const struct portrow *r)
{
	char text[HUMAN_MAX];

	number_cell(out, r->age_us >= 0, (double)r->age_us / SECOND, human_age(text, r->age_us));
	if (r->age_us >= 0)
		out->role = ROLE_IS_MUTED;
}

static void cell(const void *ctx_, size_t row, size_t column, struct cell_view *out)
{
	const struct ports_ctx *ctx = ctx_;
	const struct portrow *r = views_port(ctx->of, ctx->v, row);
	char text[HUMAN_MAX];

	if (column >= COLUMN_PAIR && column < COLUMN_PAIR + PAIR_COUNT) {
		pair_cell_view(out, &r->pairs[column - COLUMN_PAIR], (enum pair)(column - COLUMN_PAIR));
		return;
	}
	switch (column) {
	case COLUMN_SIGN:
		snprintf(out->text, sizeof(out->text), "%s", verdict_sign(portrow_verdict(r)));
		out->role = verdict_role(portrow_verdict(r));
		out->is_number = true;
		out->number = portrow_verdict(r);
		break;
	case COLUMN_LINK:
		snprintf(out->text, sizeof(out->text), "%s", r->link->name);
		out->role = verdict_role(portrow_verdict(r)) == ROLE_IS_CRIT ? ROLE_IS_CRIT : ROLE_IS_TEXT;
		break;
	case COLUMN_PAUSED:
		number_cell(out, r->paused_known, r->paused_share * 100, human_share(text, r->paused_share));
		break;
	case COLUMN_PFC:
		number_cell(out, !isnan(r->pfc_per_s), r->pfc_per_s, human_count(text, r->pfc_per_s));
		break;
	case COLUMN_CNP_RATE:
		number_cell(out, !isnan(r->cnp_per_s), r->cnp_per_s, human_count(text, r->cnp_per_s));
		break;
	case COLUMN_TX:
		number_cell(out, !isnan(r->tx_bps), r->tx_bps, human_bits(text, r->tx_bps));
		break;
	case COLUMN_SPARK:
		spark_cell(out, r, ctx->priority);
		break;
	case COLUMN_AGE:
		age_cell(out, r);
		break;
	}
}

static uint64_t key_of_row(const void *ctx, size_t row)
{
	return table_key(((const struct ports_ctx *)ctx)->v->ports.list[row].link->name);
}

static const char *empty_words(const struct view_of *of)
{
	if (!of->inventory || !of->inventory->n_hosts)
		return "No device is named. Give an inventory: fabcon -i INVENTORY (Ansible file, or node[01-16],leaf1)";
	if (of->is_replay)
		return "The recording holds no link up to this time. t goes on, b goes to a time.";
	return "No link is known yet: LLDP, MAC or cable plan must tell. 9 shows how reaching the devices goes.";
}

static void source(const struct view_of *of, struct views *v, struct table_source *s)
{
	views_ports(of, v);
	shown = (struct ports_ctx){ of, v, portrow_priority(of->policy) };
	*s = (struct table_source){ .columns = columns, .n_columns = COLUMNS, .n_rows = v->ports.n, .ctx = &shown,
				    .key = key_of_row, .cell = cell, .serial = of->serial, .empty = empty_words(of) };
}

static const struct portrow *cursor_row(struct views *v)
{
	size_t row;

	return table_cursor(&v->tables[SCREEN_PORTS], &row) && row < v->ports.n ? &v->ports.list[row] : NULL;
}

/* What is wrong with the link under the cursor, in a line each. */
static void draw_pane(const struct draw *d, int y, int rows, const struct view_of *of, const struct portrow *r)
{
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list);
	int used = 1;

	draw_rule(d, y, 0, d->cols, r->link->name);
	for (size_t i = 0; i < n && used < rows; i++) {
		const struct finding *f = list[i];
		bool here = f->port && (f->port == r->link->a || f->port == r->link->b || f->far == r->link->a);

		if (!here)
			continue;
		draw_blank(d, y + used, 0, d->cols);
		draw_printf(d, y + used, 1, d->cols - 2, verdict_role(f->verdict), "%s%-4s %-26s %s", verdict_sign(f->verdict),
			    verdict_word(f->verdict), f->check->id, f->verdict == VERDICT_UNKNOWN ? f->missing : f->what);
		used++;
	}
	if (used == 1)
		draw_text(d, y + 1, 1, d->cols - 2, ROLE_IS_MUTED, "Nothing is found wrong here. Enter shows every field of both ends.");
}

static void draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	int pane = v->without_pane[SCREEN_PORTS] || rows < 18 ? 0 : rows / 4;
	struct table_source s;

	source(of, v, &s);
	table_draw(&v->tables[SCREEN_PORTS], &s, d, y, rows - pane);
	if (pane && cursor_row(v))
		draw_pane(d, y + rows - pane, pane, of, cursor_row(v));
}

static void explain_row(const struct view_of *of, const struct views *v, const struct portrow *r, struct page *page)
{
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list), told = 0;

	page_begin(page, "Why: %s", r->link->name);
	for (size_t i = 0; i < n; i++) {
		const struct finding *f = list[i];

		if (!f->port || (f->port != r->link->a && f->port != r->link->b && f->far != r->link->a))
			continue;
		if (told++)
			page_add(page, ROLE_IS_TEXT, " ");
		explain_finding(page, of->model, f, views_width(v));
	}
	if (!told)
		page_add(page, ROLE_IS_TEXT, "Every check that could be judged here says it is as it should be.");
}

static struct intent raw_of(const struct view_of *of, const struct portrow *r, struct page *page)
{
	static const enum field likely[] = { FIELD_TRUST, FIELD_PFC_ON, FIELD_MTU, FIELD_PFC_RX };
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list);

	for (size_t i = 0; i < n; i++)
		if (list[i]->port && (list[i]->port == r->link->a || list[i]->port == r->link->b) && explain_raw(page, list[i]))
			return (struct intent){ .is = INTENT_PAGE };
	for (size_t i = 0; i < sizeof(likely) / sizeof(*likely); i++) {
		const struct cell *c = port_cell(r->link->a, likely[i], 0);

		if (c && c->reply->raw) {
			page_reply(page, c->reply, c->cite);
			return (struct intent){ .is = INTENT_PAGE };
		}
	}
	return (struct intent){ .is = INTENT_SAY, .text = "No reply about this link was kept." };
}

struct intent ports_key(const struct view_of *of, struct views *v, const struct portrow *r, enum command command,
			struct page *page)
{
	switch (command) {
	case DO_OPEN:
		v->subject = r->link->a;
		return (struct intent){ .is = INTENT_GO, .screen = SCREEN_DETAIL };
	case DO_EXPLAIN:
		explain_row(of, v, r, page);
		return (struct intent){ .is = INTENT_PAGE };
	case DO_RAW:
		return raw_of(of, r, page);
	case DO_ZERO:
	case DO_UNZERO:
		return (struct intent){ .is = command == DO_ZERO ? INTENT_ZERO : INTENT_UNZERO, .port = r->link->a };
	case DO_REFRESH:
		return (struct intent){ .is = INTENT_REFRESH, .device = r->link->a->device->name };
	default:
		return (struct intent){ .is = INTENT_NONE };
	}
}

static struct intent key(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	const struct portrow *r = cursor_row(v);

	if (command == DO_PANE) {
		v->without_pane[SCREEN_PORTS] = !v->without_pane[SCREEN_PORTS];
		return (struct intent){ .is = INTENT_DONE };
	}
	if (!r)
		return (struct intent){ .is = INTENT_SAY, .text = "There is no row under the cursor." };
	return ports_key(of, v, r, command, page);
}

const struct screen screen_ports = { .title = "Ports", .source = source, .draw = draw, .key = key };
