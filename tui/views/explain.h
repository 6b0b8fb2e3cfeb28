/* Why something is said: the rule, the facts, who said them and when, the line itself. For screens and commands alike. */
#ifndef TUI_VIEWS_EXPLAIN_H
#define TUI_VIEWS_EXPLAIN_H

#include "core/judge/check.h"
#include "tui/views/view_of.h"
#include "tui/widgets/page.h"

/* A finding with its evidence, and with_commands those that fix it; width: of the lines. */
void explain_finding(struct page *p, const struct view_of *of, const struct finding *f, bool with_commands, int width);
/* What was found, why it matters and what to do, without the evidence. */
void explain_words(struct page *p, const struct finding *f, int width);
/* What else is found because of it; nothing when it explains no other. */
void explain_consequences(struct page *p, const struct findings *all, const struct finding *f, int width);
/* One cell: its fact, source and line; note may be NULL. */
void explain_cell(struct page *p, const struct model *m, const char *device, const char *port, enum field f, unsigned index,
		  const struct cell *c, const char *note, int width);
/* A link, for a page about one of its fields. */
struct explained {
	const struct model *model;
	const struct findings *findings;
	const struct port *a, *b;	/* b NULL: the far end is not known */
	int width;			/* of the lines */
};
/*
 * A field at both ends: what each says, who, when and in which line; what is not said, and which command would settle it;
 * the checks that judge it, why it matters and what would change their verdict.
 */
void explain_field(struct page *p, const struct explained *of, enum field f, unsigned first, unsigned last);
/* The reply that a finding stands on, shown with its line marked; false when it has none that is kept. */
bool explain_raw(struct page *p, const struct finding *f);

#endif
