/* fabcon diagnose: the decision tree answered, and the causes ranked. */
#include "core/judge/judged.h"
#include "tui/commands/commands.h"

#include <stdlib.h>

#include "tui/views/diagnosis_document.h"

/* What the words of the command line ask about. */
struct asked_for {
	const struct decision_tree *tree;
	const struct symptom *symptom;
	const char *target;
	struct given_answer answers[CLI_ANSWERS_MAX];
	size_t n_answers;
};

static bool read_words(const struct cli *cli, struct asked_for *a, struct err *err)
{
	for (int i = 0; i < cli->n_args; i++) {
		const struct symptom *symptom = symptom_find(a->tree, cli->args[i]);

		if (symptom ? a->symptom != NULL : a->target != NULL)
			return err_set(err, "one symptom (slow tcp hang errors drops none) and one target, not \"%s\" too", cli->args[i]);
		if (symptom)
			a->symptom = symptom;
		else
			a->target = cli->args[i];
	}
	return true;
}

static bool read_answers(const struct cli *cli, struct asked_for *a, struct err *err)
{
	for (; a->n_answers < cli->n_answers; a->n_answers++)
		if (!given_answer_read(a->tree, cli->answers[a->n_answers], &a->answers[a->n_answers], err))
			return false;
	return true;
}

static bool read_asked(const struct cli *cli, struct asked_for *a, struct err *err)
{
	a->tree = decision_tree_find(cli->tree);
	if (!a->tree)
		return err_set(err, "no tree \"%s\"; trees: roce, seed", cli->tree);
	return read_words(cli, a, err) && read_answers(cli, a, err);
}

static bool find_target(struct diagnosis_of *of, const char *target, struct err *err)
{
	struct span device, port;
	char *name;

	if (!target)
		return true;
	of->device = model_find_device(of->model, target);
	if (of->device)
		return true;
	if (!span_cut(span_of(target), ':', &device, &port))
		return err_set(err, "no device is named \"%s\"", target);
	name = xstrndup(device.p, device.n);
	of->device = model_find_device(of->model, name);
	of->port = model_find_port(of->model, name, port.p);
	free(name);
	return of->port || err_set(err, "no port is named \"%s\"", target);
}

static void print(const struct cli *cli, json_t *doc)
{
	struct buf text = { 0 };

	if (cli->format == SHEET_JSON)
		json_add(doc, JSON_INDENT(1), &text);
	else
		diagnosis_text(doc, strcmp(cli->format_name, "md") == 0, cli->ascii, &text);
	fputs(text.text, stdout);
	buf_done(&text);
}

static int diagnose(struct cli *cli, struct session *s, const struct asked_for *asked, int code)
{
	struct diagnosis_of of = { .model = session_model(s), .links = session_links(s), .findings = session_findings(s),
				   .policy = session_policy(s), .inventory = session_inventory(s), .tree = asked->tree,
				   .symptom = asked->symptom, .said = asked->answers, .n_said = asked->n_answers,
				   .is_partial = code != EXIT_DONE };
	struct diagnosis d = { 0 };
	struct buf nothing = { 0 };
	struct err err;
	json_t *doc;

	if (!find_target(&of, asked->target, &err))
		return complain(EXIT_USAGE, "%s", err.text);
	diagnosis_make(&d, &of);
	doc = diagnosis_json(&d);
	json_object_set_new(doc, "fabric", json_text(session_fabric(s)));
	json_object_set_new(doc, "complete", json_boolean(code == EXIT_DONE));
	if (judged_nothing(of.model, of.findings, SIZE_MAX, &nothing))
		json_object_set_new(doc, "nothing_judged", json_text(nothing.text));
	print(cli, doc);
	json_decref(doc);
	buf_done(&nothing);
	if (code == EXIT_DONE && d.n_named)
		code = EXIT_FINDINGS;
	code = code_when_unjudged(s, code);
	diagnosis_done(&d);
	return code;
}

int cmd_diagnose(struct cli *cli)
{
	struct asked_for asked = { NULL };
	struct session *s;
	struct err err;
	int code;

	if (cli->format != SHEET_JSON && cli->format != SHEET_TABLE)
		return complain(EXIT_USAGE, "a diagnosis is written as table, md or json, not %s", cli->format_name);
	if (!read_asked(cli, &asked, &err))
		return complain(EXIT_USAGE, "%s", err.text);
	cli->judges = true;
	s = read_fabric(cli, &code);
	if (!s)
		return code;
	code = diagnose(cli, s, &asked, code);
	read_fabric_done(cli, s);
	return code;
}
