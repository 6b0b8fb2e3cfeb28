/* fabcon explain: what a check, cause, question, field or limit means. */
#include "core/diagnose/diagnosis.h"
#include "tui/commands/commands.h"
#include "tui/views/glossary.h"

static int explain_list(struct cli *cli, const char *what)
{
	struct sheet *sheet = sheet_new("fabcon.explain/1", "id kind text");

	for (size_t i = 0; strcmp(what, "checks") == 0 && i < check_count; i++) {
		sheet_row(sheet);
		sheet_text(sheet, check_table[i].id);
		sheet_verdict(sheet, check_table[i].severity);
		sheet_text(sheet, check_table[i].title);
	}
	for (unsigned f = 0; strcmp(what, "fields") == 0 && f < FIELD_COUNT; f++) {
		sheet_row(sheet);
		sheet_text(sheet, field_table[f].name);
		sheet_text(sheet, glossary_kind(field_table[f].kind));
		sheet_text(sheet, field_table[f].help);
	}
	for (size_t i = 0; strcmp(what, "limits") == 0 && i < LIMIT_COUNT; i++) {
		sheet_row(sheet);
		sheet_text(sheet, limit_table[i].name);
		sheet_text(sheet, limit_table[i].unit);
		sheet_text(sheet, limit_table[i].source);
	}
	for (size_t i = 0; strcmp(what, "causes") == 0 && i < known_cause_count; i++) {
		sheet_row(sheet);
		sheet_text(sheet, known_causes[i].id);
		sheet_text(sheet, "cause");
		sheet_text(sheet, known_causes[i].title);
	}
	for (size_t t = 0; strcmp(what, "questions") == 0 && t < decision_tree_count; t++)
		for (size_t i = 0; i < decision_trees[t].n_questions; i++) {
			sheet_row(sheet);
			sheet_text(sheet, decision_trees[t].questions[i].id);
			sheet_text(sheet, decision_trees[t].name);
			sheet_text(sheet, decision_trees[t].questions[i].text);
		}
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	return EXIT_DONE;
}

static int nothing_called(const char *id)
{
	const char *near = glossary_near(id);

	if (near)
		return complain(EXIT_USAGE, "no such name \"%s\"; did you mean \"%s\"?", id, near);
	return complain(EXIT_USAGE, "no such name \"%s\": list them with explain checks, fields, limits, causes or questions", id);
}

/* Without a name: what there is to be explained. */
static int explain_overview(void)
{
	printf("fabcon explain NAME explains one of these; fabcon explain checks lists the checks, and so on:\n\n"
	       "  %-10s %3zu  what is judged, and why it matters\n  %-10s %3zu  what a fault may come from\n"
	       "  %-10s      questions of the decision tree\n  %-10s %3d  facts, and what they mean\n"
	       "  %-10s %3d  figures that checks judge by\n", "checks", check_count, "causes", known_cause_count, "questions", "fields",
	       FIELD_COUNT, "limits", LIMIT_COUNT);
	return EXIT_DONE;
}

int cmd_explain(struct cli *cli)
{
	const char *id = cli->n_args ? cli->args[0] : NULL;
	struct buf text = { 0 };

	if (!id)
		return explain_overview();

	if (strcmp(id, "checks") == 0 || strcmp(id, "fields") == 0 || strcmp(id, "limits") == 0 || strcmp(id, "causes") == 0 ||
	    strcmp(id, "questions") == 0)
		return explain_list(cli, id);
	if (!glossary_tell(id, &text))
		return nothing_called(id);
	fputs(text.text, stdout);
	buf_done(&text);
	return EXIT_DONE;
}
