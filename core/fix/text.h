/* What may stand in a plan: names and commands by allowlists, and bytes that are no UTF-8 carried through JSON unharmed. */
#ifndef CORE_FIX_TEXT_H
#define CORE_FIX_TEXT_H

#include "core/base/mem.h"

enum fix_name { FIX_NAME_ID, FIX_NAME_DEVICE, FIX_NAME_PORT, FIX_NAME_WORD, FIX_NAME_FILE };

bool fix_name_is(enum fix_name kind, const char *text);
/* Plain ASCII on one line, and not nothing. */
bool is_command(const char *text);
/* No control characters, not even those of eight bits. */
bool is_one_line(const char *text);

/*
 * Any bytes as UTF-8, and back the same: a byte that is none becomes the private character U+10FF00 + byte. Those very
 * characters are taken for such bytes, each of theirs.
 */
void utf8_of_bytes(struct span bytes, struct buf *out);
void utf8_to_bytes(struct span utf8, struct buf *out);

#endif
