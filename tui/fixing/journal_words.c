#include "tui/fixing/journal_words.h"

#include <string.h>

#include "remote/fixer/fixer.h"

/* What an entry of a kind begins with, up to a colon or the end, and how people read it. */
static const struct {
	const char *kind, *begins, *says;
} rows[] = {
	{ "begin", "rehearse", "dry run" },
	{ "begin", "look", "verify" },
	{ "begin", "finish", "verify --finish" },
	{ "disarm", "keep", "commit" },
	{ "disarm", "undo", "roll back" },
	{ "inverse", "apply", "its undo commands run with a rollback timer, as any change" },
	{ "inverse", "in doubt", "unknown" },
	{ "inverse", "in part", "partial" },
	{ "inverse", "not reached", "unreachable" },
	{ "end", "in doubt", "unknown" },
	{ "end", "in part", "partial" },
	{ "end", "not reached", "unreachable" },
};

static bool begins(struct span text, const char *word, struct span *rest)
{
	*rest = text;
	return span_skip(rest, word) && (!rest->n || *rest->p == ':');
}

static bool is_state(const char *kind)
{
	return !strcmp(kind, "state") || !strcmp(kind, "inverse") || !strcmp(kind, "tried");
}

static const char *state_says(struct span text, struct span *rest)
{
	for (unsigned s = 0; s < FIX_STATES; s++)
		if (begins(text, fix_state_word((enum fix_state)s), rest))
			return fix_state_says((enum fix_state)s);
	return NULL;
}

static const char *row_says(const char *kind, struct span text, struct span *rest)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strcmp(rows[i].kind, kind) && begins(text, rows[i].begins, rest))
			return rows[i].says;
	return NULL;
}

void journal_words(const char *kind, struct span text, struct buf *out)
{
	struct span rest = text;
	const char *says = row_says(kind, text, &rest);

	if (!says && is_state(kind))
		says = state_says(text, &rest);
	if (!says)
		rest = text;
	if (!strcmp(kind, "inverse"))
		buf_str(out, "undo: ");
	buf_str(out, says ? says : "");
	buf_add(out, rest.p, rest.n);
}
