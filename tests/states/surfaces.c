/* The list of ports, the report and the gates, beside the findings. */
#include "tests/states/statements.h"

#include "core/judge/judged.h"
#include "tests/lib/worlds.h"
#include "tui/views/fabric_tree_rows.h"
#include "tui/views/port_row.h"
#include "tui/views/report.h"

/* An equal sign between two ends is not shown while a check of the pair is wrong or not known. */
void surfaces_port_rows_agree(struct judged_state *j, size_t *n)
{
	for (size_t i = 0; i < j->s.links.n; i++) {
		const struct link *l = &j->s.links.list[i];
		struct portrow row;

		portrow_make(&row, j->s.model, j->fresh, j->s.policy, l, device_is_switch(l->a->device, &j->s.inventory),
			     l->b && device_is_switch(l->b->device, &j->s.inventory));
		for (size_t k = 0; k < j->n_open; k++)
			if (portrow_has(l, j->open[k]) && j->open[k]->port && row.worst < j->open[k]->verdict)
				tally_broken("ports: a row is %s while %s is %s", verdict_name(row.worst), j->open[k]->check->id,
					     verdict_name(j->open[k]->verdict));
		for (unsigned pair = 0; pair < PAIR_COUNT; pair++) {
			enum verdict worst = pair_worst((enum pair)pair, j->fresh, l->a, l->b);

			++*n;
			if (pair_sign(&row.pairs[pair]) == '=' && worst >= VERDICT_WARN)
				tally_broken("ports: %s has a = while it is %s", pair_table[pair].name, verdict_name(worst));
			if (pair_sign(&row.pairs[pair]) == '=' && (!strcmp(row.pairs[pair].a, "?") || !strcmp(row.pairs[pair].b, "?")))
				tally_broken("ports: %s has a = while an end is not known", pair_table[pair].name);
		}
	}
}

/* A link is as bad in the map as in the list of ports, and in JSON as on the screens. */
void surfaces_map_agrees(struct judged_state *j, size_t *n)
{
	struct portrow *rows = xcalloc(j->s.links.n + 1, sizeof(*rows));
	struct fabric_rows map = { 0 };

	for (size_t i = 0; i < j->s.links.n; i++)
		portrow_make(&rows[i], j->s.model, j->fresh, j->s.policy, &j->s.links.list[i], false, true);
	fabric_rows_update(&map, &j->s.links, rows, j->s.links.n, j->s.model, j->fresh, &j->s.inventory);
	for (size_t i = 0; i < map.tree.n; i++) {
		const struct tree_row *row = &map.tree.rows[i];
		enum verdict worst = row->is == TREE_LINK ? rows[row->link - j->s.links.list].worst : VERDICT_OK;

		*n += row->is == TREE_LINK;
		if (row->is == TREE_LINK && map.list[i].worst != worst)
			tally_broken("map: a link is %s, %s in ports", verdict_name(map.list[i].worst), verdict_name(worst));
		if (row->is == TREE_LINK && !row->link->b && worst < VERDICT_UNKNOWN)
			tally_broken("ports: a link whose far end is not known is %s", verdict_name(worst));
	}
	fabric_rows_done(&map);
	free(rows);
}

static struct view_of view_of_state(const struct judged_state *j)
{
	return (struct view_of){ .model = j->s.model, .links = &j->s.links, .findings = j->fresh, .policy = j->s.policy,
				 .inventory = &j->s.inventory, .fabric = "random", .lanes = model_lanes(j->s.model) };
}

static size_t count_open(const struct judged_state *j, bool unknown)
{
	size_t n = 0;

	for (size_t i = 0; i < j->n_open; i++)
		n += unknown ? j->open[i]->verdict == VERDICT_UNKNOWN : j->open[i]->verdict >= VERDICT_LOOK && !j->open[i]->cause;
	return n;
}

static bool is_anything_unknown(const struct judged_state *j)
{
	for (size_t i = 0; i < check_count; i++)
		if (judged_state_worst(j, &check_table[i]) == VERDICT_UNKNOWN)
			return true;
	return false;
}

static void compare_paper(const struct judged_state *j, const json_t *report)
{
	struct buf paper = { 0 }, words = { 0 };

	report_markdown(report, true, &paper);
	buf_printf(&words, "## Findings: %zu\n", count_open(j, false));
	if (!strstr(paper.text, words.text))
		tally_broken("report: does not say \"%.*s\"", (int)words.n - 1, words.text);
	if (strstr(paper.text, "Not known: nothing") && is_anything_unknown(j))
		tally_broken("report: \"Not known: nothing that is checked\" while a check is not known");
	if (strstr(paper.text, "No finding in what could be judged") && findings_count(j->fresh, VERDICT_LOOK))
		tally_broken("report: \"No finding in what could be judged\" while there is one");
	buf_done(&paper);
	buf_done(&words);
}

void surfaces_report_agrees(struct judged_state *j, size_t *n)
{
	struct view_of of = view_of_state(j);
	json_t *report = report_json(&of), *row;
	size_t places = 0, explained = 0, i;

	json_array_foreach(json_object_get(report, "unknown"), i, row)
		places += (size_t)json_integer_value(json_object_get(row, "places"));
	json_array_foreach(json_object_get(report, "findings"), i, row)
		explained += (size_t)json_integer_value(json_object_get(row, "explains"));
	*n += 4;
	if (json_array_size(json_object_get(report, "findings")) != count_open(j, false) ||
	    count_open(j, false) != findings_count(j->fresh, VERDICT_LOOK))
		tally_broken("report: another number of findings than are open");
	if (places != count_open(j, true))
		tally_broken("report: another number of places not known than are open");
	for (i = 0; i < j->n_open; i++)
		explained -= j->open[i]->verdict >= VERDICT_LOOK && j->open[i]->cause && !j->open[i]->cause->cause;
	if (explained)
		tally_broken("report: findings explain another number than name them as their cause");
	compare_paper(j, report);
	json_decref(report);
}

/* What a gate stops is what is open; and "nothing could be judged" is not said where something is found at a port. */
void surfaces_gates_agree(struct judged_state *j, size_t *n)
{
	struct buf words = { 0 };

	*n += 3;
	for (enum verdict v = VERDICT_LOOK; v <= VERDICT_FAIL; v++) {
		size_t open = 0;

		for (size_t i = 0; i < j->n_open; i++)
			open += j->open[i]->verdict >= v;
		if (!findings_count(j->fresh, v) != !open)
			tally_broken("gates: whether any fails at %s is not as the rows say", verdict_name(v));
	}
	if (judged_nothing(j->s.model, j->fresh, 3, &words))
		for (size_t i = 0; i < j->n_open; i++)
			if (j->open[i]->port && j->open[i]->verdict >= VERDICT_LOOK && !j->open[i]->check->any_port)
				tally_broken("judged: \"nothing could be judged\" while %s is open", j->open[i]->check->id);
	buf_done(&words);
}
