/* What a plan may contain: names and commands by allowlists, and bytes that are not UTF-8, carried through JSON unchanged. */
#ifndef CORE_FIX_TEXT_H
#define CORE_FIX_TEXT_H

#include "core/base/mem.h"

enum fix_name { FIX_NAME_ID, FIX_NAME_DEVICE, FIX_NAME_PORT, FIX_NAME_WORD, FIX_NAME_FILE };

bool fix_name_is(enum fix_name kind, const char *text);
/* Plain ASCII on one line, not empty. */
bool is_command(const char *text);
/* No control characters, including the 8-bit ones. */
bool is_one_line(const char *text);

/*
 * Converts any bytes to UTF-8, and back unchanged: an invalid byte becomes the private character U+10FF00 + byte. Those
 * characters in the input are treated as invalid bytes too, each byte separately.
 */
void utf8_of_bytes(struct span bytes, struct buf *out);
void utf8_to_bytes(struct span utf8, struct buf *out);

#endif
