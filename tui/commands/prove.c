/* fabcon prove: a link, step by step, from application to queue and back. */
#include "tui/commands/commands.h"

#include "tui/args/targets.h"
#include "tui/text/human.h"
#include "tui/views/proof_words.h"

#define COLUMNS "link! path step at in out proven=configured what verdict! given! first_false! missing! rule! settle! facts!"

static void print_fact(const struct evidence *e, const struct cell *c, struct buf *out)
{
	const struct device *d = e->port ? e->port->device : e->device;
	struct fact fact = { .device = d->name, .port = e->port ? e->port->name : NULL, .field = e->field, .index = e->index,
			     .value = c->value };

	fact_print(&fact, out);
}

static json_t *facts_json(const struct proof_step *s, const struct model *m)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->n_evidence; i++) {
		const struct cell *c = proof_cell(&s->evidence[i]);
		struct buf text = { 0 };
		json_t *fact;

		if (!c)
			continue;
		print_fact(&s->evidence[i], c, &text);
		fact = json_object();
		json_object_set_new(fact, "fact", json_text(text.text));
		json_object_set_new(fact, "probe", json_text(c->reply->probe));
		json_object_set_new(fact, "command", json_text(c->reply->command));
		json_object_set_new(fact, "age_ms", json_integer(cell_age_us(m, c) / 1000));
		json_object_set_new(fact, "stale", json_boolean(cell_is_stale(m, c)));
		json_array_append_new(list, fact);
		buf_done(&text);
	}
	return list;
}

static const char *at_text(const struct proof_step *s, char at[132])
{
	snprintf(at, 132, "%.64s:%.64s", s->at ? s->at->device->name : "?", s->at ? s->at->name : "?");
	return at;
}

static void step_row(struct sheet *sheet, const struct proof *p, const struct proof_path *path, const struct proof_step *s,
		     const struct model *m)
{
	char words[PROOF_WORDS_MAX], at[132];
	const char *what = s->missing[0] ? s->missing : s->what;

	sheet_row(sheet);
	sheet_text(sheet, p->link->name);
	sheet_text(sheet, path->title);
	sheet_text(sheet, s->name);
	sheet_cell(sheet, json_text(s->at ? at_text(s, at) : NULL), NULL);
	sheet_cell(sheet, json_text(s->in), NULL);
	sheet_cell(sheet, json_text(s->out), NULL);
	sheet_text(sheet, proof_words(s, words));
	sheet_cell(sheet, json_text(what), NULL);
	sheet_verdict(sheet, s->verdict);
	sheet_text(sheet, proof_given_name(s->given));
	sheet_cell(sheet, json_boolean(s->is_first_false), NULL);
	sheet_text(sheet, s->missing[0] ? s->missing : NULL);
	sheet_text(sheet, s->rule);
	sheet_text(sheet, s->settle);
	sheet_cell(sheet, facts_json(s, m), NULL);
}

static json_t *path_json(const struct proof *p, const struct proof_path *path)
{
	struct buf ends = { 0 }, line = { 0 }, words = { 0 };
	json_t *out = json_object();

	proof_ends(path, &ends);
	proof_line(p, path, &line);
	proof_end_words(p, path, &words);
	json_object_set_new(out, "path", json_text(path->title));
	json_object_set_new(out, "ends", json_text(ends.text));
	json_object_set_new(out, "verdict", json_text(verdict_name(path->verdict)));
	json_object_set_new(out, "line", json_text(line.text));
	json_object_set_new(out, "says", json_text(words.text));
	buf_done(&ends);
	buf_done(&line);
	buf_done(&words);
	return out;
}

/* One link: its steps as rows, its paths as a document of their own. */
static void add_proof(struct sheet *sheet, json_t *proofs, const struct proof *p, const struct model *m)
{
	json_t *proof = json_object(), *paths = json_array();

	json_object_set_new(proof, "link", json_text(p->link->name));
	json_object_set_new(proof, "verdict", json_text(verdict_name(p->verdict)));
	json_object_set_new(proof, "why", json_text(p->why));
	json_object_set_new(proof, "paths", paths);
	json_array_append_new(proofs, proof);
	for (size_t i = 0; i < PROOF_PATHS; i++) {
		const struct proof_path *path = &p->paths[i];

		if (path->n)
			json_array_append_new(paths, path_json(p, path));
		for (size_t k = path->first; k < path->first + path->n; k++)
			step_row(sheet, p, path, &p->steps[k], m);
	}
}

static void write_facts_md(const struct proof_step *s, const struct model *m, struct buf *out)
{
	for (size_t i = 0; i < s->n_evidence; i++) {
		const struct cell *c = proof_cell(&s->evidence[i]);
		char age[HUMAN_MAX];

		if (!c)
			continue;
		buf_str(out, "    - `");
		print_fact(&s->evidence[i], c, out);
		buf_printf(out, "` (%s, %s old%s)\n", c->reply->probe, human_age(age, cell_age_us(m, c)),
			   cell_is_stale(m, c) ? ", too old" : "");
	}
}

static void write_path_md(const struct proof *p, const struct proof_path *path, const struct model *m, struct buf *out)
{
	char words[PROOF_WORDS_MAX], at[132];

	buf_printf(out, "\n## %s, ", path->title);
	proof_ends(path, out);
	buf_str(out, "\n\n`");
	proof_line(p, path, out);
	buf_str(out, "`\n\n");
	proof_end_words(p, path, out);
	buf_str(out, "\n\n");
	for (size_t i = path->first; i < path->first + path->n; i++) {
		const struct proof_step *s = &p->steps[i];

		buf_printf(out, "- **%s** %s, %s: %s%s%s%s%s\n", proof_words(s, words), s->name, at_text(s, at), s->in,
			   s->in[0] && s->out[0] ? " -> " : "", s->out, s->what[0] || s->missing[0] ? "; " : "",
			   s->missing[0] ? s->missing : s->what);
		write_facts_md(s, m, out);
	}
}

static void write_md(const struct proof *p, const struct model *m, struct buf *out)
{
	buf_printf(out, "# Proof of %s\n", p->link->name);
	if (p->why)
		buf_printf(out, "\nNothing verified: %s.\n", p->why);
	for (size_t i = 0; i < PROOF_PATHS; i++)
		if (p->paths[i].n)
			write_path_md(p, &p->paths[i], m, out);
	buf_str(out, "\n");
}

static void each_proof(struct cli *cli, struct session *s, struct sheet *sheet, struct buf *md)
{
	struct proof_of of = { session_model(s), session_links(s), session_policy(s), session_inventory(s) };
	const struct links *links = session_links(s);
	json_t *proofs = json_array();
	struct targets targets = { 0 };
	struct proof proof = { 0 };
	unsigned counts[VERDICT_FAIL + 1] = { 0 };
	char text[160];

	targets_read(&targets, cli);
	for (size_t i = 0; i < links->n; i++) {
		if (!targets_have(&targets, &links->list[i]))
			continue;
		proof_make(&proof, &of, &links->list[i]);
		add_proof(sheet, proofs, &proof, of.model);
		counts[proof.verdict]++;
		if (md)
			write_md(&proof, of.model, md);
	}
	targets_complain(&targets, cli, session_model(s), links);
	snprintf(text, sizeof(text), "%zu link%s: %u configured as required, %u with a mismatch, %u with no mismatch but steps that are not "
		 "known, %u without RoCE",
		 json_array_size(proofs), plural_s(json_array_size(proofs)),
		 counts[VERDICT_OK], counts[VERDICT_FAIL], counts[VERDICT_UNKNOWN], counts[VERDICT_NA]);
	sheet_set(sheet, "proofs", proofs);
	if (json_array_size(proofs) || !cli->n_unfound)	/* of no link there is nothing to sum up */
		sheet_set(sheet, "summary", json_text(text));
	proof_done(&proof);
	targets_done(&targets);
}

static void fill_prove(struct cli *cli, struct session *s, struct sheet *sheet)
{
	each_proof(cli, s, sheet, NULL);
}

static int prove_md(struct cli *cli)
{
	struct buf text = { 0 };
	struct sheet *sheet;
	struct session *s;
	int code;

	s = read_fabric(cli, &code);
	if (!s)
		return code;
	sheet = sheet_new("fabcon.proof/1", COLUMNS);
	each_proof(cli, s, sheet, &text);
	fputs(text.text ? text.text : "", stdout);
	if (code == EXIT_DONE && cli->n_unfound)
		code = sheet_rows(sheet) ? EXIT_PARTIAL : EXIT_USAGE;
	buf_done(&text);
	sheet_free(sheet);
	read_fabric_done(cli, s);
	return code;
}

int cmd_prove(struct cli *cli)
{
	if (strcmp(cli->format_name, "md") == 0)
		return prove_md(cli);
	return print_sheet(cli, "fabcon.proof/1", COLUMNS, fill_prove);
}
