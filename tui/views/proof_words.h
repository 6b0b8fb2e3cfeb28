/* The words of a proof: for the page over Detail, its pane, and the command. */
#ifndef TUI_VIEWS_PROOF_WORDS_H
#define TUI_VIEWS_PROOF_WORDS_H

#include "core/diagnose/proof.h"
#include "tui/widgets/page.h"

#define PROOF_WORDS_MAX 32

/* "yes", "NO: first", "no", "?", and "would be yes" after the first false step. */
const char *proof_words(const struct proof_step *s, char out[PROOF_WORDS_MAX]);
/* "proven", "false at trust, leaf1 Ethernet4", "not known: …": how a path ends. */
void proof_end_words(const struct proof *p, const struct proof_path *path, struct buf *out);
/* What a fact in evidence stands on; NULL: not reported any more. */
const struct cell *proof_cell(const struct evidence *e);
/* Every path, step by step, with rules, facts, sources and ages. */
void proof_page(struct page *page, const struct model *m, const struct proof *p, int width);

#endif
