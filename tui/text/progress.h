/* How far something long is, in words: "12 of 64 answered, 4 s, about 15 s more". */
#ifndef TUI_TEXT_PROGRESS_H
#define TUI_TEXT_PROGRESS_H

#include "core/base/mem.h"

/*
 * what     "devices answered"
 * limit_us when it is ended in any case, from its beginning; 0: never. The estimate is what went by for each that is
 *          done, never more than what is left of the limit; none before one is done.
 */
void progress_words(struct buf *out, const char *what, size_t done, size_t all, int64_t elapsed_us, int64_t limit_us);

#endif
