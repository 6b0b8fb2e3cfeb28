/* Who pauses whom: a tree in words for each root, or rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/pause/pause.h"
#include "tui/args/targets.h"
#include "tui/commands/commands.h"
#include "tui/text/safe.h"

#define COLUMNS "root at priority stopped_share basis hosts holds hops sure what missing! tree! held_hosts! evidence!"

static const char *const bases[] = { "nothing", "frames", "time" };
static const char *const parts[] = { "unknown", "sends", "waits" };

static struct pauses_of of_session(const struct session *s)
{
	return (struct pauses_of){ session_model(s), session_links(s), session_policy(s), session_inventory(s) };
}

static bool is_wanted(const struct targets *t, const struct session *s, const struct pauses *g, const struct pause_root *r)
{
	const struct link *at = links_of_port(session_links(s), r->at);

	if (!t->n || (at && targets_have(t, at)))
		return true;
	for (size_t i = 0; i < r->n_holds; i++)
		if (g->holds[r->holds[i]].link && targets_have(t, g->holds[r->holds[i]].link))
			return true;
	return false;
}

/* What is not there and what is not known, in words. */
static void rest_words(const struct pauses *g, const struct session *s, size_t shown, struct buf *out)
{
	const struct port **ring;
	struct pauses_of of = of_session(s);
	size_t n = pauses_possible_ring(&of, &ring);

	if (!session_links(s)->n)
		buf_str(out, "No link is known yet, so pause cannot be traced. ");
	else if (!shown)
		buf_printf(out, "%s. ", g->n_roots ? "No pause tree includes these targets" : "No pause is known");
	if (g->lacking)
		buf_printf(out, "Pause is not known for %u directions of links. ", g->lacking);
	if (n) {
		buf_str(out, "A deadlock is possible: switches form a loop,");
		for (size_t i = 0; i < n; i++)
			buf_printf(out, " %s", ring[i]->device->name);
		buf_str(out, ". ");
	} else if (session_links(s)->n) {
		buf_str(out, "No cyclic buffer dependency found in the known topology, assuming up-down routing; a route that goes down "
			     "and up again could make one.");
	}
	free(ring);
}

/* -- as a tree -- */

static void add_safe(struct buf *out, const char *text, const struct cli *cli)
{
	safe_add(out, span_of(text ? text : ""), cli->ascii);
}

struct telling {
	const struct pause_root *root;
	const struct cli *cli;
	struct buf *out;
};

static void tell(void *ctx, const struct hold *h, unsigned depth)
{
	struct telling *t = ctx;
	struct buf words = { 0 };

	pause_hold_words(t->root, h, &words);
	buf_printf(t->out, "%*s", (int)(depth < 16 ? depth : 16) * 4, "");
	add_safe(t->out, words.text, t->cli);
	buf_str(t->out, "\n");
	buf_done(&words);
}

static void add_tree(const struct cli *cli, const struct pauses *g, const struct pause_root *r, struct buf *out)
{
	struct telling t = { r, cli, out };
	struct buf words = { 0 };

	pause_root_words(g, r, &words);
	if (r->missing[0])
		buf_printf(&words, "; not known: %s", r->missing);
	add_safe(out, words.text, cli);
	buf_str(out, "\n");
	pause_tree(g, r, tell, &t);
	buf_done(&words);
}

static int print_trees(struct cli *cli)
{
	struct buf text = { 0 };
	struct targets targets = { 0 };
	struct pauses g = { 0 };
	struct pauses_of of;
	size_t shown = 0;
	int code;
	struct session *s = read_fabric(cli, &code);

	if (!s)
		return code;
	targets_read(&targets, cli);
	of = of_session(s);
	pauses_make(&g, &of);
	for (size_t i = 0; i < g.n_roots; i++) {
		if (!is_wanted(&targets, s, &g, &g.roots[i]))
			continue;
		add_tree(cli, &g, &g.roots[i], &text);
		shown++;
	}
	rest_words(&g, s, shown, &text);
	printf("%s\n", text.text ? text.text : "");
	buf_done(&text);
	targets_done(&targets);
	pauses_done(&g);
	read_fabric_done(cli, s);
	return code;
}

/* -- as rows -- */

static json_t *end_json(const struct hold *h, bool of_held)
{
	char words[HOLD_END_MAX];

	return (of_held ? h->held : h->holder) || h->link ? json_text(hold_end(h, of_held, words)) : json_null();
}

static void add_hold_json(void *ctx, const struct hold *h, unsigned depth)
{
	json_t *row = json_object();

	json_object_set_new(row, "depth", json_integer(depth));
	json_object_set_new(row, "held", end_json(h, true));
	json_object_set_new(row, "holder", end_json(h, false));
	json_object_set_new(row, "stopped_share", json_real(h->share));
	json_object_set_new(row, "window_ms", h->window_us ? json_integer(h->window_us / 1000) : json_null());
	json_object_set_new(row, "basis", json_string(bases[h->basis]));
	json_object_set_new(row, "frames_per_s", isnan(h->frames_per_s) ? json_null() : json_real(h->frames_per_s));
	json_object_set_new(row, "nothing_leaves", json_boolean(h->is_still));
	json_array_append_new(ctx, row);
}

static json_t *hosts_json(const struct pause_root *r)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < r->n_hosts; i++) {
		const struct held_host *host = &r->hosts[i];
		json_t *row = json_object();

		json_object_set_new(row, "device", json_text(host->port->device->name));
		json_object_set_new(row, "port", json_text(host->port->name));
		json_object_set_new(row, "part", json_string(parts[host->is]));
		json_object_set_new(row, "sends_to", json_text(host->to ? host->to->device->name : NULL));
		json_array_append_new(rows, row);
	}
	return rows;
}

static json_t *evidence_json(const struct pause_root *r)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < r->n_evidence; i++) {
		const struct evidence *e = &r->evidence[i];
		json_t *row = json_object();

		json_object_set_new(row, "device", json_text(e->device->name));
		json_object_set_new(row, "port", json_text(e->port->name));
		json_object_set_new(row, "field", json_string(field_table[e->field].name));
		if (field_table[e->field].width > 1)
			json_object_set_new(row, "index", json_integer(e->index));
		json_object_set_new(row, "shows", json_text(e->note));
		json_array_append_new(rows, row);
	}
	return rows;
}

static void root_row(struct sheet *sheet, const struct pauses *g, const struct pause_root *r)
{
	json_t *tree = json_array();
	char text[HOLD_END_MAX];

	sheet_row(sheet);
	sheet_text(sheet, root_name(r->is));
	snprintf(text, sizeof(text), "%.60s:%.60s", r->at->device->name, r->at->name);
	sheet_text(sheet, text);
	sheet_number(sheet, r->prio);
	sheet_real(sheet, r->share);
	sheet_text(sheet, bases[g->holds[r->holds[0]].basis]);
	sheet_number(sheet, r->n_hosts);
	sheet_number(sheet, r->n_holds);
	sheet_number(sheet, r->hops);
	sheet_cell(sheet, json_boolean(r->is_sure), r->is_sure ? "yes" : "no");
	sheet_text(sheet, r->what);
	sheet_text(sheet, r->missing[0] ? r->missing : NULL);
	pause_tree(g, r, add_hold_json, tree);
	sheet_cell(sheet, tree, "");
	sheet_cell(sheet, hosts_json(r), "");
	sheet_cell(sheet, evidence_json(r), "");
}

static void fill_pauses(struct cli *cli, struct session *s, struct sheet *sheet)
{
	struct buf rest = { 0 };
	struct targets targets = { 0 };
	struct pauses g = { 0 };
	struct pauses_of of;

	targets_read(&targets, cli);
	of = of_session(s);
	pauses_make(&g, &of);
	for (size_t i = 0; i < g.n_roots; i++)
		if (is_wanted(&targets, s, &g, &g.roots[i]))
			root_row(sheet, &g, &g.roots[i]);
	rest_words(&g, s, sheet_rows(sheet), &rest);
	sheet_set(sheet, "lacking", json_integer(g.lacking));
	sheet_set(sheet, "summary", json_text(rest.text));
	buf_done(&rest);
	targets_done(&targets);
	pauses_done(&g);
}

int cmd_pauses(struct cli *cli)
{
	if (cli->format == SHEET_TABLE && !cli->filter && cli->watch_us < 0)
		return print_trees(cli);
	return print_sheet(cli, "fabcon.pauses/1", COLUMNS, fill_pauses);
}
