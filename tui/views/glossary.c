#include "tui/views/glossary.h"

#include "core/diagnose/diagnosis.h"
#include "core/fix/fix.h"
#include "core/policy/policy.h"
#include "core/remedy/remedy.h"
#include "tui/text/fuzzy.h"

static const char *const kinds[] = {
	[KIND_BOOL] = "yes or no", [KIND_INT] = "number", [KIND_ENUM] = "one of", [KIND_TEXT] = "text",
	[KIND_COUNTER] = "counter", [KIND_GAUGE] = "gauge",
};

const char *glossary_kind(enum kind k)
{
	return kinds[k];
}

static const char *const step_of[] = { "device", "port", "link", "fabric" };

void glossary_limits(const char *names, struct buf *out)
{
	struct span rest = span_of(names), name;
	const char *before = "";
	char number[LIMIT_TEXT];

	while (span_word(&rest, &name)) {
		for (size_t i = 0; i < LIMIT_COUNT; i++) {
			if (!span_is(name, limit_table[i].name))
				continue;
			buf_printf(out, "%s%s = %s (%s)", before, limit_table[i].name, limit_text(number, limit_table[i].normal),
				   limit_table[i].source);
			before = ", ";
		}
	}
	buf_str(out, "; a policy can override it");
}

/* Words of its own, or the commands of each system. */
static void tell_commands(const char *id, const char *words, struct buf *out)
{
	struct buf commands = { NULL };
	struct span rest, line;

	if (words)
		buf_printf(out, "  Verify with: %s\n", words);
	else if (remedy_list(id, &commands))
		buf_str(out, "  Verify with:\n");
	rest = buf_span(&commands);
	while (span_line(&rest, &line))
		buf_printf(out, "    %.*s\n", (int)line.n, line.p);
	buf_done(&commands);
}

/* What fixes it: the engine's plan, or commands by system. */
static void tell_changes(const struct check *c, struct buf *out)
{
	const struct fix *fix = fix_find(c->id);

	if (fix && fix->fields)
		buf_printf(out, "  Fix:     fabcon plan %s\n", c->id);
	for (size_t i = 0; i < change_count; i++) {
		struct buf command = { NULL };

		if (!span_is_among(span_of(c->id), change_table[i].of))
			continue;
		remedy_change_words(&change_table[i], &command);
		buf_printf(out, "  Fix:     %-6s %s (disturbs: %s; %s)\n", change_table[i].system, command.text,
			   change_table[i].disturbs ? change_table[i].disturbs : "nothing", change_table[i].persists);
		buf_done(&command);
	}
}

static void tell_check(const struct check *c, struct buf *out)
{
	buf_printf(out, "%s (check of each %s, %s)\n\n", c->id, step_of[c->of], severity_name(c->severity));
	buf_printf(out, "  Found:   %s\n  Matters: %s\n  Do:      %s\n", c->title, c->why, c->change);
	tell_changes(c, out);
	tell_commands(c->id, NULL, out);
	if (c->fields)
		buf_printf(out, "  Field:   %s\n", c->fields);
	if (c->limits) {
		buf_str(out, "  Limits:  ");
		glossary_limits(c->limits, out);
		buf_str(out, "\n");
	}
	if (c->after)
		buf_printf(out, "  Suppressed as a consequence of: %s (if also found)\n", c->after);
}

static void tell_field(enum field f, struct buf *out)
{
	const struct field_info *info = &field_table[f];

	buf_printf(out, "%s (fact of a %s, %s%s%s%s%s)\n\n  %s\n", info->name, info->scope == SCOPE_PORT ? "port" : "device",
		   kinds[info->kind], info->words ? ": " : "", info->words ? info->words : "",
		   info->unit ? ", in " : "", unit_name(info->unit), info->help);
	if (info->width > 1)
		buf_printf(out, "  Written %s[0] … %s[%u]\n", info->name, info->name, info->width - 1);
	if (info->kind == KIND_COUNTER)
		buf_printf(out, "  %u bits wide unless the platform differs\n", info->bits);
	for (size_t i = 0; i < check_count; i++)
		if (check_table[i].fields && strcmp(check_table[i].fields, info->name) == 0)
			buf_printf(out, "  Judged by: %s\n", check_table[i].id);
}

static void tell_limit(const struct limit_info *l, struct buf *out)
{
	char number[LIMIT_TEXT];

	buf_printf(out, "%s (limit, a %s)\n\n  %s unless the policy sets another\n  Source: %s\n", l->name, l->unit,
		   limit_text(number, l->normal),
		   l->source);
}

static void tell_cause(const struct known_cause *c, struct buf *out)
{
	buf_printf(out, "%s (cause)\n\n  Is:      %s\n  Matters: %s\n  Do:      %s\n", c->id, c->title, c->why, c->change);
	for (size_t i = 0; i < SIGNS_MAX && c->signs[i].check; i++)
		buf_printf(out, "  Shown by check %s, weight %u\n", c->signs[i].check, c->signs[i].weight);
	if (c->asked.question)
		buf_printf(out, "  Shown by question %s answered %s, weight %u\n", c->asked.question, answer_word(c->asked.answer),
			   c->asked.weight);
	for (unsigned i = 0; i <= ROOT_UNKNOWN; i++)
		if (c->roots >> i & 1)
			buf_printf(out, "  Pause that starts there supports it: %s\n", root_words((enum root_is)i));
	if (c->contrary)
		buf_printf(out, "  Against it: %s moves there\n", c->contrary);
	buf_printf(out, "  From:    %s\n", c->source);
}

static void tell_question(const struct decision_tree *t, const struct tree_question *q, struct buf *out)
{
	buf_printf(out, "%s (question of the tree %s)\n\n  Asks:    %s\n  Needs:   %s\n", q->id, t->name, q->text, q->needs);
	if (q->checks)
		buf_printf(out, "  Checks:  %s\n", q->checks);
	buf_printf(out, "  %s: %s   %s: %s   unknown: %s\n", q->yes_word ? q->yes_word : "yes", q->yes, q->no_word ? q->no_word : "no",
		   q->no, q->unknown);
	buf_printf(out, "  Wrong if %s\n", q->wrong_if);
	tell_commands(q->id, q->settle, out);
	buf_printf(out, "  From:    %s\n", q->source);
}

static bool tell_of_tree(const struct decision_tree *t, const char *id, struct buf *out)
{
	const struct tree_question *q = question_find(t, id);
	const struct leaf *leaf = leaf_find(t, id);

	if (q)
		tell_question(t, q, out);
	if (leaf)
		buf_printf(out, "%s (outcome in tree %s)\n\n  %s\n  Causes:  %s\n  From:    %s\n", leaf->id, t->name, leaf->text,
			   leaf->causes ? leaf->causes : "none", leaf->source);
	return q || leaf;
}

/* A name may be a check's, a cause's and a question's at once: all are told. */
static bool tell_diagnosis(const char *id, struct buf *out)
{
	bool is_told = known_cause_find(id) != NULL;

	if (is_told)
		tell_cause(known_cause_find(id), out);
	for (size_t i = 0; i < decision_tree_count; i++) {
		struct buf one = { 0 };

		if (!tell_of_tree(&decision_trees[i], id, &one))
			continue;
		buf_printf(out, "%s%s", is_told ? "\n" : "", one.text);
		buf_done(&one);
		is_told = true;
	}
	return is_told;
}

bool glossary_tell(const char *id, struct buf *out)
{
	enum field f;

	if (check_find(id)) {
		tell_check(check_find(id), out);
		if (known_cause_find(id))
			buf_str(out, "\n");
		tell_diagnosis(id, out);
		return true;
	}
	if (tell_diagnosis(id, out))
		return true;
	if (field_find(span_of(id), &f)) {
		tell_field(f, out);
		return true;
	}
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		if (strcmp(limit_table[i].name, id) == 0) {
			tell_limit(&limit_table[i], out);
			return true;
		}
	}
	return false;
}

void glossary_each(void (*each)(void *ctx, const char *id, const char *kind, const char *help), void *ctx)
{
	for (size_t i = 0; i < check_count; i++)
		each(ctx, check_table[i].id, "check", check_table[i].title);
	for (unsigned f = 0; f < FIELD_COUNT; f++)
		each(ctx, field_table[f].name, "field", field_table[f].help);
	for (size_t i = 0; i < LIMIT_COUNT; i++)
		each(ctx, limit_table[i].name, "limit", limit_table[i].source);
	for (size_t i = 0; i < known_cause_count; i++)
		if (!check_find(known_causes[i].id))
			each(ctx, known_causes[i].id, "cause", known_causes[i].title);
	for (size_t i = 0; i < decision_trees[0].n_questions; i++)
		each(ctx, decision_trees[0].questions[i].id, "question", decision_trees[0].questions[i].text);
	for (size_t i = 0; i < decision_trees[0].n_leaves; i++)
		if (!question_find(&decision_trees[0], decision_trees[0].leaves[i].id))
			each(ctx, decision_trees[0].leaves[i].id, "leaf", decision_trees[0].leaves[i].text);
}

static void try_near(void *ctx, const char *id, const char *kind, const char *help)
{
	(void)kind, (void)help;
	fuzzy_try(ctx, id);
}

const char *glossary_near(const char *id)
{
	struct fuzzy_nearest nearest = { .typed = id };

	glossary_each(try_near, &nearest);
	return nearest.word;
}
