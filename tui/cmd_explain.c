#include "tui/commands.h"

#include <inttypes.h>

static const char *const kinds[] = {
	[KIND_BOOL] = "yes or no", [KIND_INT] = "number", [KIND_ENUM] = "one of", [KIND_TEXT] = "text",
	[KIND_COUNTER] = "counter", [KIND_GAUGE] = "gauge",
};

static const char *const step_of[] = { "device", "port", "link", "fabric" };

static void explain_check(const struct check *c)
{
	printf("%s (check of each %s, %s)\n\n", c->id, step_of[c->of], verdict_name(c->severity));
	printf("  Found:   %s\n  Matters: %s\n  Do:      %s\n", c->title, c->why, c->change);
	if (c->fields)
		printf("  Field:   %s\n", c->fields);
	if (c->after)
		printf("  Follows from: %s, when both are found\n", c->after);
}

static void explain_field(enum field f)
{
	const struct field_info *info = &field_table[f];

	printf("%s (fact of a %s, %s%s%s%s%s)\n\n  %s\n", info->name, info->scope == SCOPE_PORT ? "port" : "device",
	       kinds[info->kind], info->words ? ": " : "", info->words ? info->words : "",
	       info->unit ? ", in " : "", unit_name(info->unit), info->help);
	if (info->width > 1)
		printf("  Written %s[0] … %s[%u]\n", info->name, info->name, info->width - 1);
	if (info->kind == KIND_COUNTER)
		printf("  %u bits wide unless the platform says otherwise\n", info->bits);
	for (size_t i = 0; i < check_count; i++)
		if (check_table[i].fields && strcmp(check_table[i].fields, info->name) == 0)
			printf("  Judged by: %s\n", check_table[i].id);
}

static int explain_list(struct cli *cli, const char *what)
{
	struct sheet *sheet = sheet_new("fabcon.explain/1", "id kind text");

	for (size_t i = 0; strcmp(what, "checks") == 0 && i < check_count; i++) {
		sheet_row(sheet);
		sheet_text(sheet, check_table[i].id);
		sheet_text(sheet, verdict_name(check_table[i].severity));
		sheet_text(sheet, check_table[i].title);
	}
	for (unsigned f = 0; strcmp(what, "fields") == 0 && f < FIELD_COUNT; f++) {
		sheet_row(sheet);
		sheet_text(sheet, field_table[f].name);
		sheet_text(sheet, kinds[field_table[f].kind]);
		sheet_text(sheet, field_table[f].help);
	}
	for (size_t i = 0; strcmp(what, "limits") == 0 && i < LIMIT_COUNT; i++) {
		sheet_row(sheet);
		sheet_text(sheet, limit_table[i].name);
		sheet_text(sheet, limit_table[i].unit);
		sheet_text(sheet, limit_table[i].source);
	}
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
	return EXIT_DONE;
}

int cmd_explain(struct cli *cli)
{
	const char *id = cli->args[0];
	enum field f;

	if (strcmp(id, "checks") == 0 || strcmp(id, "fields") == 0 || strcmp(id, "limits") == 0)
		return explain_list(cli, id);
	if (check_find(id)) {
		explain_check(check_find(id));
		return EXIT_DONE;
	}
	if (field_find(span_of(id), &f)) {
		explain_field(f);
		return EXIT_DONE;
	}
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		if (strcmp(limit_table[i].name, id) == 0) {
			printf("%s (limit, a %s)\n\n  %g unless the policy says otherwise\n  From: %s\n", id, limit_table[i].unit,
			       limit_table[i].normal, limit_table[i].source);
			return EXIT_DONE;
		}
	}
	return complain(EXIT_USAGE, "nothing is called \"%s\": explain checks, explain fields, explain limits list them", id);
}
