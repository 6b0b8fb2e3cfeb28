/* What is connected to what, as text, rows or a graph: the Fabric screen without a screen. */
#include "tui/commands/commands.h"

#include <stdlib.h>

#include "tui/text/human.h"
#include "tui/text/safe.h"
#include "tui/views/fabric_tree_rows.h"
#include "tui/widgets/draw.h"

#define COLUMNS \
	"rack device port peer peer_port rail speed_bps known_by plan worst spines planned_peer! swapped_with!"

static void begin(struct fabric_rows *b, const struct session *s)
{
	const struct links *links = session_links(s);
	struct portrow *rows = xcalloc(links->n + 1, sizeof(*rows));

	for (size_t i = 0; i < links->n; i++)
		portrow_begin(&rows[i], session_model(s), session_findings(s), session_policy(s), &links->list[i]);
	fabric_rows_update(b, links, rows, links->n, session_model(s), session_findings(s), session_inventory(s));
	free(rows);
}

/* As rows: each link once, where it stands below a device, and each planned cable that is not seen. */

static void plan_words(struct sheet *sheet, const struct fabric_rows *b, size_t row)
{
	struct buf words = { 0 };

	fabric_row_plan(b, row, &words);
	if (words.n)
		sheet_text(sheet, words.text);
	else
		sheet_cell(sheet, NULL, "-");
	buf_done(&words);
}

static void text_or_none(struct sheet *sheet, const char *text)
{
	sheet_cell(sheet, json_text(text), text ? text : "-");
}

static void link_row(struct sheet *sheet, const struct fabric_rows *b, size_t row, const char *rack)
{
	const struct tree_row *r = &b->tree.rows[row];
	const struct port *far = link_other(r->link, r->port);
	struct buf swapped = { 0 };
	uint64_t bps;

	sheet_row(sheet);
	text_or_none(sheet, rack);
	sheet_text(sheet, r->port->device->name);
	sheet_text(sheet, r->port->name);
	sheet_text(sheet, far ? far->device->name : r->link->seen_peer);
	sheet_text(sheet, far ? far->name : NULL);
	text_or_none(sheet, fabric_row_rail(b, row));
	if (fabric_row_speed(b, row, &bps))
		sheet_number(sheet, bps);
	else
		sheet_unknown(sheet);
	sheet_text(sheet, fabric_row_known_by(b, row));
	plan_words(sheet, b, row);
	sheet_verdict(sheet, b->list[row].worst);
	text_or_none(sheet, fabric_row_ups(b, row));
	text_or_none(sheet, r->link->planned_peer);
	if (r->link->swapped)
		buf_printf(&swapped, "%s %s", r->link->swapped->a->device->name, r->link->swapped->a->name);
	text_or_none(sheet, swapped.text);
	buf_done(&swapped);
}

static void cable_row(struct sheet *sheet, const struct fabric_rows *b, size_t row)
{
	const struct cable *c = b->tree.rows[row].cable->cable;

	sheet_row(sheet);
	sheet_cell(sheet, NULL, "-");
	sheet_text(sheet, c->device);
	sheet_text(sheet, c->port);
	sheet_text(sheet, c->peer);
	sheet_text(sheet, c->peer_port);
	sheet_cell(sheet, NULL, "-");
	sheet_unknown(sheet);
	sheet_text(sheet, link_by_words(BY_PLAN));
	plan_words(sheet, b, row);
	sheet_verdict(sheet, VERDICT_UNKNOWN);
	for (unsigned i = 0; i < 3; i++)
		sheet_cell(sheet, NULL, "-");
}

static bool has_link(const struct fabric_rows *b, const struct planned *c)
{
	return c->link && b->tree.plans[c->link - b->tree.links->list] == c;
}

static void fill_map(struct cli *cli, struct session *s, struct sheet *sheet)
{
	struct fabric_rows b = { 0 };
	const char *rack = NULL;

	(void)cli;
	begin(&b, s);
	for (size_t i = 0; i < b.tree.n; i++) {
		const struct tree_row *r = &b.tree.rows[i];

		if (r->is == TREE_RACK)
			rack = r->title;
		else if (r->is == TREE_LINK && r->depth == 2 && r->port == r->link->a)
			link_row(sheet, &b, i, rack);
		else if (r->is == TREE_CABLE && !has_link(&b, r->cable))
			cable_row(sheet, &b, i);
	}
	fabric_rows_done(&b);
}

/* -- as text -- */

static void add_safe(struct buf *out, const char *text, const struct cli *cli)
{
	safe_add(out, span_of(text ? text : ""), cli->ascii);
}

static void add_line(const struct fabric_rows *b, size_t row, const struct cli *cli, struct buf *out)
{
	const struct tree_row *r = &b->tree.rows[row];
	struct buf name = { 0 }, faces = { 0 }, plan = { 0 };
	char speed[HUMAN_MAX];
	uint64_t bps;

	fabric_row_name(b, row, &name);
	fabric_row_faces(b, row, &faces);
	fabric_row_plan(b, row, &plan);
	buf_printf(out, "%s %*s", verdict_sign(b->list[row].worst), (int)r->depth * 4, "");
	add_safe(out, name.text, cli);
	buf_str(out, r->depth && !branch_has_below(b, row) && r->is != TREE_DEVICE ? " - " : ": ");
	add_safe(out, faces.text, cli);
	if (r->is == TREE_LINK)
		buf_printf(out, "  %s, %s", fabric_row_speed(b, row, &bps) ? human_bits(speed, (double)bps) : "speed ?",
			   fabric_row_known_by(b, row));
	if (plan.n)
		buf_str(out, "  ");
	add_safe(out, plan.text, cli);
	if (r->is == TREE_DEVICE && fabric_row_ups(b, row)) {
		buf_str(out, "  to ");
		add_safe(out, fabric_row_ups(b, row), cli);
	}
	buf_str(out, "\n");
	buf_done(&name);
	buf_done(&faces);
	buf_done(&plan);
}

static void add_tree(const struct fabric_rows *b, const struct cli *cli, struct buf *out)
{
	for (size_t i = 0; i < b->tree.n; i++)
		add_line(b, i, cli, out);
}

/* -- as a graph, for graphviz -- */

static void add_quoted(struct buf *out, const char *text, const struct cli *cli)
{
	struct buf safe = { 0 };

	add_safe(&safe, text, cli);
	buf_str(out, "\"");
	for (size_t i = 0; i < safe.n; i++)
		buf_printf(out, strchr("\"\\", safe.text[i]) ? "\\%c" : "%c", safe.text[i]);
	buf_str(out, "\"");
	buf_done(&safe);
}

static const char *dot_colour(enum verdict v)
{
	return v == VERDICT_FAIL ? "red" : v == VERDICT_WARN ? "orange" : v == VERDICT_UNKNOWN ? "gray" : "black";
}

static void add_edge(const struct fabric_rows *b, size_t row, const struct cli *cli, struct buf *out)
{
	const struct link *l = b->tree.rows[row].link;
	const struct port *other = link_other(l, l->a);
	struct buf label = { 0 };

	buf_str(out, "\t");
	add_quoted(out, l->a->device->name, cli);
	buf_str(out, " -- ");
	add_quoted(out, other ? other->device->name : l->seen_peer ? l->seen_peer : "?", cli);
	buf_printf(&label, "%s %s", l->a->name, other ? other->name : "");
	buf_str(out, " [label=");
	add_quoted(out, label.text, cli);
	buf_printf(out, ", color=%s%s];\n", dot_colour(b->list[row].worst), l->by == BY_PLAN || l->by == BY_SEGMENT ? ", style=dashed" : "");
	buf_done(&label);
}

static void add_graph(const struct fabric_rows *b, const struct cli *cli, struct buf *out)
{
	unsigned racks = 0;

	buf_str(out, "graph fabric {\n\tnode [shape=box];\n\trankdir=BT;\n");
	for (size_t i = 0; i < b->tree.n; i++) {
		const struct tree_row *r = &b->tree.rows[i];

		if (r->is != TREE_RACK)
			continue;
		buf_printf(out, "\tsubgraph cluster_%u {\n\t\tlabel=", racks++);
		add_quoted(out, r->title, cli);
		buf_str(out, ";\n");
		for (size_t k = i + 1; k < r->end; k++) {
			if (b->tree.rows[k].is != TREE_DEVICE)
				continue;
			buf_str(out, "\t\t");
			add_quoted(out, b->tree.rows[k].device->name, cli);
			buf_str(out, ";\n");
		}
		buf_str(out, "\t}\n");
	}
	for (size_t i = 0; i < b->tree.n; i++)
		if (b->tree.rows[i].is == TREE_LINK && b->tree.rows[i].depth == 2 && b->tree.rows[i].port == b->tree.rows[i].link->a)
			add_edge(b, i, cli, out);
	buf_str(out, "}\n");
}

static int print(struct cli *cli, void (*add)(const struct fabric_rows *, const struct cli *, struct buf *))
{
	struct fabric_rows b = { 0 };
	struct buf text = { 0 }, none = { 0 };
	int code;
	struct session *s = read_fabric(cli, &code);

	if (!s)
		return code;
	begin(&b, s);
	add(&b, cli, &text);
	fwrite(text.text ? text.text : "", 1, text.n, stdout);
	if (!session_links(s)->n) {
		no_link_words(s, &none);
		complain(0, "%s", none.text);
		buf_done(&none);
	}
	fabric_rows_done(&b);
	buf_done(&text);
	read_fabric_done(cli, s);
	return code;
}

int cmd_map(struct cli *cli)
{
	if (!strcmp(cli->format_name, "dot"))
		return print(cli, add_graph);
	if (cli->format == SHEET_TABLE && !cli->filter && cli->watch_us < 0)
		return print(cli, add_tree);
	return print_sheet(cli, "fabcon.map/1", COLUMNS, fill_map);
}
