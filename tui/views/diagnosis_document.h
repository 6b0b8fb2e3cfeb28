/* A diagnosis as a document: JSON, and text or Markdown that is made from the same, for a ticket. */
#ifndef TUI_VIEWS_DIAGNOSIS_DOCUMENT_H
#define TUI_VIEWS_DIAGNOSIS_DOCUMENT_H

#include <jansson.h>

#include "core/diagnose/acquittal.h"

/* The caller's to free, and to stamp with fabric and completeness. */
json_t *diagnosis_json(const struct diagnosis *d);
/* The answer by which the way goes on, in the question's words: "NET/Socket". */
const char *step_word(const struct step *s);
/* Adds the verdict (core/diagnose/acquittal.h): "verdict", "says", "cause", "proof", "lacks". */
void diagnosis_add_verdict(json_t *doc, const struct diagnosis *d);
/* What it stands on, in a line: of such a document. */
void diagnosis_proof_words(const json_t *doc, struct buf *out);
void diagnosis_text(const json_t *diagnosis, bool markdown, bool ascii, struct buf *out);

#endif
