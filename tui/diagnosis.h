/* A diagnosis as a document: JSON, and text or Markdown that is made from the same, for a ticket. */
#ifndef TUI_DIAGNOSIS_H
#define TUI_DIAGNOSIS_H

#include <jansson.h>

#include "core/diagnosis.h"

/* The caller's to free, and to stamp with fabric and completeness. */
json_t *diagnosis_json(const struct diagnosis *d);
void diagnosis_text(const json_t *diagnosis, bool markdown, bool ascii, struct buf *out);

#endif
