#include "tui/commands/bringup_cells.h"

#include <stdlib.h>

static json_t *test_json(const struct bringup_test *t, bool is_sender)
{
	const struct bringup_place *other = is_sender ? &t->evidence.to : &t->evidence.from;
	const struct bringup_result *r = &t->result;
	json_t *test = json_object();

	json_object_set_new(test, "kind", json_text(bringup_kind_words[t->evidence.kind]));
	json_object_set_new(test, "tool", json_text(bringup_tool_name(t->evidence.tool)));
	json_object_set_new(test, "direction", json_text(is_sender ? "sends" : "receives"));
	json_object_set_new(test, "host", json_text(other->host));
	json_object_set_new(test, "nic", json_text(other->nic));
	json_object_set_new(test, "state", json_text(bringup_result_word(r)));
	json_object_set_new(test, "layer", json_text(r->opinion.layer ? bringup_layer_word(r->opinion.layer) : NULL));
	json_object_set_new(test, "rate_bps", r->measured.bps > 0 ? json_real(r->measured.bps) : json_null());
	json_object_set_new(test, "ceiling_bps", r->opinion.ceiling_bps > 0 ? json_real(r->opinion.ceiling_bps) : json_null());
	json_object_set_new(test, "latency_us", r->measured.typical_us > 0 ? json_real(r->measured.typical_us) : json_null());
	json_object_set_new(test, "median_us", r->median_us > 0 ? json_real(r->median_us) : json_null());
	json_object_set_new(test, "what", json_text(r->words));
	json_object_set_new(test, "command", json_text(t->evidence.command));
	return test;
}

void bringup_cells_tests(const struct bringup_record *r, const struct bringup_unit *u, struct sheet *sheet)
{
	const struct bringup_tests *t = &r->tests;
	size_t nic = u->nic ? bringup_tests_find(t, u->host, u->nic) : t->n_nics;
	struct bringup_tested_says says;
	json_t *tests = json_array();
	char *text = NULL;

	for (size_t i = 0; i < t->n; i++)
		if (!t->list[i].is_repeated && (t->list[i].from == nic || t->list[i].to == nic))
			json_array_append_new(tests, test_json(&t->list[i], t->list[i].from == nic));
	bringup_tests_say(t, u->host, u->nic, &says);
	if (says.worst && says.worst->result.verdict == BRINGUP_NOT_RUN)
		text = xstrdup(says.words);
	else if (says.state)
		text = xasprintf("%s: %s", says.state, says.words);
	sheet_cell(sheet, json_text(says.state), text ? text : r->has_traffic ? "not tested" : "-");
	sheet_cell(sheet, tests, NULL);
	free(text);
}

static void add_bad_ends(const struct bringup_tests *t, struct buf *out)
{
	size_t n = 0, told = 0;

	for (size_t i = 0; i < t->n_nics; i++)
		n += t->nics[i].end == BRINGUP_END_BAD;
	for (size_t i = 0; i < t->n_nics; i++)
		if (t->nics[i].end == BRINGUP_END_BAD)
			buf_printf(out, "%s%s:%s", told++ ? ", " : n > 1 ? "; bad ends: " : "; bad end: ", t->nics[i].place->host,
				   t->nics[i].place->nic);
}

/* Which no row of a NIC has. */
static void add_across(const struct bringup_tests *t, struct buf *out)
{
	const struct bringup_across a = bringup_tests_across(t);

	if (a.directions)
		buf_printf(out, "; links between switches: %zu of %zu directions carried tests and dropped nothing", a.proven, a.directions);
	if (a.failed)
		buf_printf(out, "; %zu failed across leaves, %s:%s to %s:%s: %s", a.failed, a.first->evidence.from.host, a.first->evidence.from.nic,
			   a.first->evidence.to.host, a.first->evidence.to.nic, a.first->result.words);
}

void bringup_cells_summary(const struct bringup_record *r, struct buf *out)
{
	const struct bringup_tally n = bringup_tests_count(&r->tests);
	size_t all = n.failed + n.unknown + n.passed + n.lone;

	if (!r->has_traffic) {
		buf_str(out, "; no traffic was sent");
		return;
	}
	buf_printf(out, "; %zu test%s: ", all, plural_s(all));
	bringup_tally_words(&n, out);
	add_bad_ends(&r->tests, out);
	add_across(&r->tests, out);
	if (r->begin && !r->ended_us)
		buf_str(out, "; interrupted");
}
