#include "remote/platform/startup_config.h"

static const char *const saved_lines[] = { "# the next boot is other", "# the next boot is as now" };

const char startup_config_is_not_ours[] =
	"it already had unsaved changes: whoever made them must save them (plan config-saved)";

enum saved startup_config_take(struct span *text)
{
	struct span rest = *text, line;

	if (!text->n || !span_line(&rest, &line))
		return SAVED_UNKNOWN;
	for (int i = SAVED_NO; i <= SAVED_YES; i++)
		if (span_is(line, saved_lines[i])) {
			*text = rest;
			return (enum saved)i;
		}
	return SAVED_UNKNOWN;
}

void startup_config_print(enum saved saved, struct buf *out)
{
	if (saved != SAVED_UNKNOWN)
		buf_printf(out, "%s\n", saved_lines[saved]);
}

bool startup_config_wants_saving(const struct edit *edits, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (edits[i].field == FIELD_CONFIG_SAVED)
			return true;
	return false;
}

bool startup_config_wants_only_saving(const struct edit *edits, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (edits[i].field != FIELD_CONFIG_SAVED)
			return false;
	return n > 0;
}
