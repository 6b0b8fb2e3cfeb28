/* fabcon explain: what a check, cause, question, field or limit means. */
#include "core/diagnose/diagnosis.h"
#include "core/fix/fix.h"
#include "core/remedy/remedy.h"
#include "remote/platforms.h"
#include "tui/commands/commands.h"
#include "tui/text/fuzzy.h"
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
		char number[LIMIT_TEXT];
		char *text = xasprintf("%s by default; source: %s", limit_text(number, limit_table[i].normal), limit_table[i].source);

		sheet_row(sheet);
		sheet_text(sheet, limit_table[i].name);
		sheet_text(sheet, limit_table[i].unit);
		sheet_text(sheet, text);
		free(text);
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

/* -- remedies: how each check is fixed on each system -- */

static bool is_set_by_engine(const struct fix *fix, const char *system)
{
	struct span rest = span_of(fix ? fix->fields : NULL), name;
	enum field f;

	while (span_word(&rest, &name))
		if (field_find(name, &f) && dialect_can_set(system, f, field_table[f].scope == SCOPE_PORT))
			return true;
	return false;
}

static void remedy_row(struct sheet *sheet, const char *check, const char *system, const char *by, const char *text, const char *disturbs,
		       const char *persists, const char *who)
{
	sheet_row(sheet);
	sheet_text(sheet, check);
	sheet_text(sheet, system);
	sheet_text(sheet, by);
	sheet_text(sheet, text);
	sheet_text(sheet, disturbs);
	sheet_text(sheet, persists);
	sheet_text(sheet, who);
}

static void remedies_of(struct sheet *sheet, const struct check *check, const char *system)
{
	const struct fix *fix = fix_find(check->id);
	bool is_any = is_set_by_engine(fix, system);

	if (is_any) {
		char *plan = xasprintf("fabcon plan %s", check->id);

		remedy_row(sheet, check->id, system, "fix engine", plan, NULL, NULL, NULL);
		free(plan);
	}
	for (size_t i = 0; i < change_count; i++) {
		const struct remedy_change *c = &change_table[i];
		struct buf command = { NULL };

		if (!span_is_among(span_of(check->id), c->of) || strcmp(c->system, system) != 0)
			continue;
		remedy_change_words(c, &command);
		remedy_row(sheet, check->id, system, "command", command.text, c->disturbs, c->persists, c->who);
		buf_done(&command);
		is_any = true;
	}
	if (!is_any)
		remedy_row(sheet, check->id, system, "manual", fix && fix->instead ? fix->instead : check->change, NULL, NULL, NULL);
}

static int explain_remedies(struct cli *cli)
{
	struct sheet *sheet = sheet_new("fabcon.remedies/1", "check system by remedy disturbs! persists! who!");

	for (size_t i = 0; i < check_count; i++)
		for (size_t k = 0; k < platform_count; k++) {
			const struct platform *p = platform_table[k];

			if (p->dialect && (check_table[i].side == SIDE_ANY || (check_table[i].side == SIDE_SWITCH) == p->is_switch))
				remedies_of(sheet, &check_table[i], p->id);
		}
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	return EXIT_DONE;
}

static int nothing_called(const char *id)
{
	static const char *const lists[] = { "checks", "fields", "limits", "causes", "questions", "remedies" };
	struct fuzzy_nearest list = { .typed = id };
	const char *near = glossary_near(id);

	for (size_t i = 0; !near && i < sizeof(lists) / sizeof(*lists); i++)
		fuzzy_try(&list, lists[i]);
	near = near ? near : list.word;
	if (near)
		return complain(EXIT_USAGE, "no such name \"%s\"; did you mean \"%s\"?", id, near);
	return complain(EXIT_USAGE, "no such name \"%s\": list them with explain checks, fields, limits, causes, questions or remedies", id);
}

/* Without a name: what there is to be explained. */
static int explain_overview(void)
{
	printf("fabcon explain NAME explains one of these; fabcon explain checks lists the checks, and so on:\n\n"
	       "  %-10s %3zu  what is judged, and why it matters\n  %-10s %3zu  what a fault may come from\n"
	       "  %-10s      questions of the decision tree\n  %-10s %3d  facts, and what they mean\n"
	       "  %-10s %3d  figures that checks judge by\n  %-10s      how each check is fixed on each system\n", "checks", check_count,
	       "causes", known_cause_count, "questions", "fields",
	       FIELD_COUNT, "limits", LIMIT_COUNT, "remedies");
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
	if (strcmp(id, "remedies") == 0)
		return explain_remedies(cli);
	if (!glossary_tell(id, &text))
		return nothing_called(id);
	fputs(text.text, stdout);
	buf_done(&text);
	return EXIT_DONE;
}
