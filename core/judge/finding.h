/* The ledger of findings: takes judged cases one by one, and knows what is open, since when and because of what. */
#ifndef CORE_JUDGE_FINDING_H
#define CORE_JUDGE_FINDING_H

#include "core/judge/check.h"

/* Begins and ends a round of judging. */
void findings_begin(struct findings *f, const struct model *m);
void findings_settle(struct findings *f, const struct case_of *c);
void findings_end(struct findings *f, const struct links *links);

/* The context is kept with the findings, from round to round. */
struct judge_context *findings_scene(struct findings *f);

#endif
