/* Ports: one row a link, both ends, with the sign that tells where they disagree. */
#include <math.h>
#include <stdio.h>

#include "core/fabric/tree.h"
#include "tui/screens/port_pane.h"
#include "tui/screens/ports.h"
#include "tui/text/human.h"
#include "tui/views/explain.h"
#include "tui/views/port_why.h"
#include "tui/views/worst_links.h"

enum {
	COLUMN_SIGN, COLUMN_LINK, COLUMN_DIFFERS, COLUMN_RAIL, COLUMN_RACK,
	COLUMN_PAIR,		/* one for each of PAIRS */
	COLUMN_PAUSED = COLUMN_PAIR + PAIR_COUNT, COLUMN_ON, COLUMN_PFC, COLUMN_PFC_A, COLUMN_PFC_B, COLUMN_CNP_RATE,
	COLUMN_HANDLED, COLUMN_OOS, COLUMN_DROPS, COLUMN_ERRORS, COLUMN_TX, COLUMN_RX, COLUMN_SPARK, COLUMN_AGE, COLUMN_AGE_A,
	COLUMN_AGE_B,
	COLUMNS,
};

#define SMALL	100	/* columns of a screen where the pairs do not all fit: what differs is told in one */
#define BROAD	132
#define PANE_COLS 72	/* less does not hold two ends side by side */
#define WIDE	160

#define PAIR_COLUMN(pair, n, t, w, p, f, h) \
	[COLUMN_PAIR + PAIR_##pair] = { .name = n, .title = t, .under = "nic/sw", .width = w, .priority = p, .from_cols = f, .help = h }
#define RATE_COLUMN(n, t, u, w, p, from, h) \
	{ .name = n, .title = t, .under = u, .width = w, .priority = p, .from_cols = from, .right = true, .big_first = true, .help = h }

static const struct column columns[COLUMNS] = {
	[COLUMN_SIGN]	  = { .name = "severity", .title = "S", .width = 1, .big_first = true,
			    .help = "the worst finding on the link" },
	[COLUMN_LINK]	  = { .name = "link", .title = "LINK", .width = 22, .grow = 9, .help = "the host's end and the switch's" },
	[COLUMN_DIFFERS]  = { .name = "differs", .title = "DIFFERS", .width = 18, .grow = 4, .below_cols = SMALL,
			    .help = "the first difference" },
	[COLUMN_RAIL]	  = { .name = "rail", .title = "RAIL", .width = 7, .priority = 6, .from_cols = WIDE,
			    .help = "by the inventory, else the leaf" },
	[COLUMN_RACK]	  = { .name = "rack", .title = "RACK", .width = 7, .priority = 7, .from_cols = WIDE,
			    .help = "of the host, by the inventory" },
	PAIR_COLUMN(SPEED, "speed", "SPEED",     9, 4, SMALL, "of both ends"),
	PAIR_COLUMN(MTU,   "mtu",   "MTU",       9, 2, SMALL, "of both ends; hosts count L3 bytes, switches L2"),
	PAIR_COLUMN(TRUST, "trust", "TRUST",     9, 1, SMALL, "the marking that selects the priority"),
	PAIR_COLUMN(PFC,   "pfc",   "PFC",       6, 1, SMALL, "the priorities with PFC"),
	PAIR_COLUMN(DSCP,  "dscp",  "DSCP>PRIO", 9, 3, SMALL, "the priority of RoCE's DSCP"),
	PAIR_COLUMN(ECN,   "ecn",   "ECN",       7, 1, SMALL, "NIC: NP and RP; switch: ECN marking"),
	PAIR_COLUMN(CNP,   "cnp",   "CNP",       7, 3, SMALL, "the DSCP of the NIC's CNPs, and the switch's priority for it"),
	[COLUMN_PAUSED]	  = RATE_COLUMN("paused",   "PAUSED",	"3 reads", 7, 0, 0,	"share of time that the more paused end "
											"cannot send"),
	[COLUMN_ON]	  = { .name = "on", .title = "ON", .width = 3, .priority = 3, .from_cols = SMALL,
			    .help = "the end that is paused more" },
	[COLUMN_PFC]	  = RATE_COLUMN("pfc_rate", "PFC/s",	NULL,	   6, 2, SMALL,	"PFC frames that both ends received"),
	[COLUMN_PFC_A]	  = RATE_COLUMN("pfc_nic",  "PFC/s",	"to nic",  6, 8, WIDE,	"PFC frames that the NIC received"),
	[COLUMN_PFC_B]	  = RATE_COLUMN("pfc_sw",   "PFC/s",	"to sw",   6, 8, WIDE,	"PFC frames that the switch received"),
	[COLUMN_CNP_RATE] = RATE_COLUMN("cnp_rate", "CNP/s",	"sent",	   6, 4, BROAD,	"CNPs that the NIC sent"),
	[COLUMN_HANDLED]  = RATE_COLUMN("handled",  "CNP/s",	"obeyed",  6, 6, WIDE,	"CNPs that the NIC handled"),
	[COLUMN_OOS]	  = RATE_COLUMN("oos",	    "OOS/s",	NULL,	   6, 5, WIDE,	"out-of-sequence packets at the NIC"),
	[COLUMN_DROPS]	  = RATE_COLUMN("drops",    "DROP/s",	NULL,	   6, 5, WIDE,	"packets of the lossless priority dropped "
											"at either end"),
	[COLUMN_ERRORS]	  = RATE_COLUMN("errors",   "ERR/s",	NULL,	   6, 6, WIDE,	"frames with errors at either end"),
	[COLUMN_TX]	  = RATE_COLUMN("tx",	    "TX bit/s",	NULL,	   8, 5, BROAD,	"what the NIC sends"),
	[COLUMN_RX]	  = RATE_COLUMN("rx",	    "RX bit/s",	NULL,	   8, 7, WIDE,	"what the switch sends"),
	[COLUMN_SPARK]	  = { .name = "spark", .title = "LAST MIN", .width = 8, .grow = 1, .priority = 1, .is_spark = true, .help = "pause" },
	[COLUMN_AGE]	  = RATE_COLUMN("age",	    "AGE",	NULL,	   6, 0, 0,	"of the oldest reply behind the row"),
	[COLUMN_AGE_A]	  = RATE_COLUMN("age_nic",  "AGE",	"nic",	   6, 9, WIDE,	"the same, of the NIC alone"),
	[COLUMN_AGE_B]	  = RATE_COLUMN("age_sw",   "AGE",	"sw",	   6, 9, WIDE,	"the same, of the switch alone"),
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

	if (pair == PAIR_SPEED && sign == '=' && !strcmp(c->a, c->b))
		snprintf(out->text, sizeof(out->text), "%s", c->a);
	else
		snprintf(out->text, sizeof(out->text), "%s%s%s", c->a, sign != '!' && agree[pair] ? agree[pair] : pair_joint(c), c->b);
	out->role = sign == '!' ? verdict_role(c->worst) : sign == '?' ? ROLE_IS_UNKNOWN :
		    c->is_changed ? ROLE_IS_CHANGED : ROLE_IS_TEXT;
	out->has_changed = c->is_changed;
}

/* Of the counter that the share is by, or of the end that counts it at all. */
static void spark_cell(struct cell_view *out, const struct portrow *r, unsigned priority)
{
	static float values[HISTORY_LEN];
	const struct port *ends[] = { r->link->a, r->link->b };

	out->role = ROLE_IS_SPARK;
	if (r->paused_by)
		out->n_spark = views_samples(r->paused_by, r->paused_field, priority, values, &out->spark_us);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends) && !out->n_spark; i++)
		if (ends[i])
			out->n_spark = views_samples(ends[i], port_series(ends[i], FIELD_PFC_RX_US, priority) ? FIELD_PFC_RX_US :
						     FIELD_PFC_RX, priority, values, &out->spark_us);
	out->spark = values;
}

struct ports_ctx {
	const struct view_of *of;
	struct views *v;
	unsigned priority;
};
static struct ports_ctx shown;

static void age_cell(struct cell_view *out, int64_t age_us)
{
	char text[HUMAN_MAX];

	number_cell(out, age_us >= 0, (double)age_us / SECOND, human_age(text, age_us));
	if (age_us >= 0)
		out->role = ROLE_IS_MUTED;
}

static void count_cell(struct cell_view *out, double per_s)
{
	char text[HUMAN_MAX];

	number_cell(out, !isnan(per_s), per_s, human_count(text, per_s));
}

static void bits_cell(struct cell_view *out, double bps)
{
	char text[HUMAN_MAX];

	number_cell(out, !isnan(bps), bps, human_bits(text, bps));
}

static void end_rate_cell(struct cell_view *out, const struct model *m, const struct port *p, enum field f, unsigned index)
{
	double per_s;

	count_cell(out, p && port_rate(m, p, f, index, &per_s) ? per_s : NAN);
}

static void text_cell(struct cell_view *out, const char *text)
{
	snprintf(out->text, sizeof(out->text), "%s", text ? text : "-");
	out->role = ROLE_IS_MUTED;
}

/* Two switches, or two hosts; a far end that is not known is the switch of a host. */
static bool is_of_a_kind(const struct view_of *of, const struct link *l)
{
	bool is_switch = device_is_switch(l->a->device, of->inventory);

	return l->b ? device_is_switch(l->b->device, of->inventory) == is_switch : is_switch;
}

/* Which end is stopped; of two of a kind, the one named first or second. */
static const char *stopped_end(const struct view_of *of, const struct portrow *r)
{
	if (!r->paused_by || !(r->paused_share > 0))
		return "";
	if (is_of_a_kind(of, r->link))
		return r->paused == r->link->a ? "1st" : "2nd";
	return r->paused == r->link->a ? "nic" : "sw";
}

static const char *rack_of(const struct view_of *of, const struct portrow *r)
{
	const struct host *h = of->inventory ? inventory_find(of->inventory, r->link->a->device->name) : NULL;

	return h ? h->rack : NULL;
}

/* "node3:eth3 - leaf2:Eth8": the port's number is what must be seen. */
static void brief_name(const char *name, char *out, size_t size)
{
	static const char word[] = "ethernet", kept = 3;
	size_t n = 0;

	while (*name && n + 1 < size) {
		bool is_word = !strncasecmp(name, word, sizeof(word) - 1);

		for (int i = 0; i < (is_word ? kept : 1) && n + 1 < size; i++)
			out[n++] = name[i];
		name += is_word ? sizeof(word) - 1 : 1;
	}
	out[n] = '\0';
}

/* What needs the row to be made whole. */
static bool whole_cell(const struct ports_ctx *ctx, size_t row, size_t column, struct cell_view *out)
{
	const struct portrow *r;

	if (column != COLUMN_DIFFERS && (column < COLUMN_PFC || column > COLUMN_CNP_RATE) && column != COLUMN_TX &&
	    (column < COLUMN_PAIR || column >= COLUMN_PAIR + PAIR_COUNT))
		return false;
	r = views_port(ctx->of, ctx->v, row);
	switch (column) {
	case COLUMN_DIFFERS:
		out->role = verdict_role(r->worst);
		if (!portrow_differs(r, ctx->of->findings, out->text, sizeof(out->text)))
			text_cell(out, r->worst == VERDICT_UNKNOWN ? "partly unknown" : "alike");
		break;
	case COLUMN_PFC:	count_cell(out, r->pfc_per_s); break;
	case COLUMN_PFC_A:	count_cell(out, r->pfc_a_per_s); break;
	case COLUMN_PFC_B:	count_cell(out, r->pfc_b_per_s); break;
	case COLUMN_CNP_RATE:	count_cell(out, r->cnp_per_s); break;
	case COLUMN_TX:		bits_cell(out, r->tx_bps); break;
	default:
		pair_cell_view(out, &r->pairs[column - COLUMN_PAIR], (enum pair)(column - COLUMN_PAIR));
		out->ends[0] = is_of_a_kind(ctx->of, r->link) ? "first end" : "nic";
		out->ends[1] = is_of_a_kind(ctx->of, r->link) ? "second end" : "switch";
	}
	return true;
}

static void rate_cell(const struct ports_ctx *ctx, const struct portrow *r, size_t column, struct cell_view *out)
{
	const struct model *m = ctx->of->model;
	const struct link *link = r->link;
	double per_s;

	switch (column) {
	case COLUMN_HANDLED:	end_rate_cell(out, m, link->a, FIELD_CNP_HANDLED, 0); break;
	case COLUMN_OOS:	end_rate_cell(out, m, link->a, FIELD_OOS, 0); break;
	case COLUMN_DROPS:	count_cell(out, worst_link_of(r, m, ctx->priority).drops_per_s); break;
	case COLUMN_ERRORS:	count_cell(out, worst_link_of(r, m, ctx->priority).errors_per_s); break;
	case COLUMN_RX:
		bits_cell(out, link->b && port_rate(m, link->b, FIELD_TX_TOTAL, 0, &per_s) ? 8 * per_s : NAN);
		break;
	case COLUMN_AGE_A:	age_cell(out, portrow_age_us(m, link->a)); break;
	case COLUMN_AGE_B:	age_cell(out, portrow_age_us(m, link->b)); break;
	}
}

static void cell(const void *ctx_, size_t row, size_t column, struct cell_view *out)
{
	const struct ports_ctx *ctx = ctx_;
	const struct portrow *r = &ctx->v->ports.list[row];
	char text[HUMAN_MAX];

	if (whole_cell(ctx, row, column, out))
		return;
	switch (column) {
	case COLUMN_SIGN:
		snprintf(out->text, sizeof(out->text), "%s", verdict_sign(r->worst));
		out->role = verdict_role(r->worst);
		out->is_number = true;
		out->number = r->worst;
		break;
	case COLUMN_LINK:
		snprintf(out->text, sizeof(out->text), "%s", r->link->name);
		brief_name(r->link->name, out->brief, sizeof(out->brief));
		out->role = verdict_role(r->worst) == ROLE_IS_CRIT ? ROLE_IS_CRIT : ROLE_IS_TEXT;
		break;
	case COLUMN_RAIL:	text_cell(out, link_rail(r->link, ctx->of->inventory)); break;
	case COLUMN_RACK:	text_cell(out, rack_of(ctx->of, r)); break;
	case COLUMN_PAUSED:
		number_cell(out, r->paused_known, r->paused_share * 100, human_share(text, r->paused_share));
		break;
	case COLUMN_ON:		text_cell(out, stopped_end(ctx->of, r)); break;
	case COLUMN_SPARK:	spark_cell(out, r, ctx->priority); break;
	case COLUMN_AGE:	age_cell(out, r->age_us); break;
	default:		rate_cell(ctx, r, column, out);
	}
}

static uint64_t key_of_row(const void *ctx, size_t row)
{
	return table_key(((const struct ports_ctx *)ctx)->v->ports.list[row].link->name);
}

static const char *empty_words(const struct view_of *of)
{
	if (!model_devices(of->model) && (!of->inventory || !of->inventory->n_hosts))
		return "No devices. Give an inventory: fabcon -i INVENTORY (Ansible file, or node[01-16],leaf1)";
	if (of->is_replay)
		return "The recording has no link up to this time. {next} steps forward, {time} goes to a time.";
	return "No link is known: fabcon needs LLDP, a switch's FDB, neighbor tables or a cable plan. {ping-neighbors} fills empty "
	       "neighbor tables with one ping per port; {devices} shows the state of the devices.";
}

static void source(const struct view_of *of, struct views *v, struct table_source *s)
{
	views_ports(of, v);
	shown = (struct ports_ctx){ of, v, portrow_priority(of->policy) };
	*s = (struct table_source){ .columns = columns, .n_columns = COLUMNS, .n_rows = v->ports.n, .ctx = &shown,
				    .key = key_of_row, .cell = cell, .serial = of->serial, .empty = empty_words(of) };
}

static struct subject subject(const struct view_of *of, struct views *v, size_t row)
{
	views_ports(of, v);
	if (!views_row(&v->tables[SCREEN_PORTS], v->ports.n, &row))
		return subject_none("There is no row under the cursor.");
	return subject_of_link(v->ports.list[row].link);
}

static void draw(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	int pane = v->without_pane[SCREEN_PORTS] || rows < 18 || d->cols < PANE_COLS ? 0 : rows < 30 ? rows / 4 : rows / 3;
	struct table_source s;
	size_t row;

	source(of, v, &s);
	table_draw(&v->tables[SCREEN_PORTS], &s, d, y, rows - pane);
	if (pane && table_cursor(&v->tables[SCREEN_PORTS], &row) && row < v->ports.n)
		portpane_draw(d, y + rows - pane, pane, of, views_port(of, v, row));
}

static struct intent raw_of(const struct view_of *of, const struct link *link, struct page *page)
{
	static const enum field likely[] = { FIELD_TRUST, FIELD_PFC_ON, FIELD_MTU, FIELD_PFC_RX };
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list);

	for (size_t i = 0; i < n; i++)
		if (list[i]->port && (list[i]->port == link->a || list[i]->port == link->b) && explain_raw(page, list[i]))
			return (struct intent){ .is = INTENT_PAGE };
	for (size_t i = 0; i < sizeof(likely) / sizeof(*likely); i++) {
		const struct cell *c = port_cell(link->a, likely[i], 0);

		if (c && c->reply->raw) {
			page_reply(page, c->reply, c->cite);
			return (struct intent){ .is = INTENT_PAGE };
		}
	}
	return (struct intent){ .is = INTENT_SAY, .text = "No raw reply about this link was kept." };
}

struct intent ports_key(const struct view_of *of, struct views *v, const struct link *link, enum command command,
			struct page *page)
{
	switch (command) {
	case DO_OPEN:
		v->subject = link->a;
		return (struct intent){ .is = INTENT_GO, .screen = SCREEN_DETAIL };
	case DO_EXPLAIN:
		portwhy_page(page, of, link, views_width(v));
		return (struct intent){ .is = INTENT_PAGE };
	case DO_RAW:
		return raw_of(of, link, page);
	case DO_ZERO:
	case DO_UNZERO:
		return (struct intent){ .is = command == DO_ZERO ? INTENT_ZERO : INTENT_UNZERO, .port = link->a };
	case DO_REFRESH:
		return (struct intent){ .is = INTENT_REFRESH, .device = link->a->device->name };
	default:
		return (struct intent){ .is = INTENT_NONE };
	}
}

static struct intent key(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	struct subject at = subject(of, v, AT_CURSOR);

	if (command == DO_PANE) {
		v->without_pane[SCREEN_PORTS] = !v->without_pane[SCREEN_PORTS];
		return (struct intent){ .is = INTENT_DONE };
	}
	if (!at.link)
		return (struct intent){ .is = INTENT_SAY, .text = at.none };
	return ports_key(of, v, at.link, command, page);
}

const struct screen screen_ports = {
	.source = source, .draw = draw, .key = key,
	.subject = subject };
