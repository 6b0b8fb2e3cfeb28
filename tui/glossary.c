#include "tui/glossary.h"

#include "core/check.h"
#include "core/policy.h"

static const char *const kinds[] = {
	[KIND_BOOL] = "yes or no", [KIND_INT] = "number", [KIND_ENUM] = "one of", [KIND_TEXT] = "text",
	[KIND_COUNTER] = "counter", [KIND_GAUGE] = "gauge",
};

const char *glossary_kind(enum kind k)
{
	return kinds[k];
}

static const char *const step_of[] = { "device", "port", "link", "fabric" };

static void tell_check(const struct check *c, struct buf *out)
{
	buf_printf(out, "%s (check of each %s, %s)\n\n", c->id, step_of[c->of], verdict_name(c->severity));
	buf_printf(out, "  Found:   %s\n  Matters: %s\n  Do:      %s\n", c->title, c->why, c->change);
	if (c->fields)
		buf_printf(out, "  Field:   %s\n", c->fields);
	if (c->after)
		buf_printf(out, "  Follows from: %s, when both are found\n", c->after);
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
		buf_printf(out, "  %u bits wide unless the platform says otherwise\n", info->bits);
	for (size_t i = 0; i < check_count; i++)
		if (check_table[i].fields && strcmp(check_table[i].fields, info->name) == 0)
			buf_printf(out, "  Judged by: %s\n", check_table[i].id);
}

static void tell_limit(const struct limit_info *l, struct buf *out)
{
	buf_printf(out, "%s (limit, a %s)\n\n  %g unless the policy says otherwise\n  From: %s\n", l->name, l->unit, l->normal,
		   l->source);
}

bool glossary_tell(const char *id, struct buf *out)
{
	enum field f;

	if (check_find(id)) {
		tell_check(check_find(id), out);
		return true;
	}
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
}
