/* How a finding is fixed, for screens and commands alike: what to do, the plan that does it, and the commands to type by hand. */
#ifndef TUI_VIEWS_REMEDY_H
#define TUI_VIEWS_REMEDY_H

#include <jansson.h>

#include "core/diagnose/diagnosis.h"
#include "tui/views/view_of.h"
#include "tui/widgets/page.h"

/* Adds the commands of each device with what they disturb and what persists them; nothing for a finding that follows from another. */
void remedy_page(struct page *p, const struct view_of *of, const struct finding *f, int width);
/*
 * A cause's: "do" in words, "plan" (a fabcon command, or null), "by_hand": [{device, commands: [], disturbs, persists, who}], and
 * "by_hand_why_not" where that is empty. Added to json.
 */
void remedy_of_suspect(json_t *json, const struct diagnosis *d, const struct suspect *s);
/* The same of a finding, without "do"; empty where it follows from another. */
void remedy_of_finding(json_t *json, const struct view_of *of, const struct finding *f);
/* The same as text: lines of a cause in a diagnosis. */
void remedy_text(const json_t *cause, bool markdown, struct buf *out);
/* Adds "trust-as-wanted@node1:eth2", or the check alone where its place cannot be typed. */
void remedy_target(const struct finding *f, struct buf *out);

#endif
