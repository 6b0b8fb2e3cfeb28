/* What the fixer's journal says, in the words of screens and manual pages: "kept" is committed, "rehearse" is a dry run. */
#ifndef TUI_FIXING_JOURNAL_WORDS_H
#define TUI_FIXING_JOURNAL_WORDS_H

#include "core/base/mem.h"
#include "core/base/span.h"

/* kind: of the journal entry that has this text. Other text is added as it is. */
void journal_words(const char *kind, struct span text, struct buf *out);

#endif
