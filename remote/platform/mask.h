/*
 * Secrets in what a device printed: hidden before anything is parsed, shown, kept or recorded. Structure comes first (the values
 * of names that are a secret's, in JSON, YAML, INI, XML, environments, URLs and command lines: mask_lines.h, mask_json.h), then
 * the forms of secrets wherever they stand (mask_forms.h). What a name or a form does not tell, stays.
 */
#ifndef REMOTE_PLATFORM_MASK_H
#define REMOTE_PLATFORM_MASK_H

#include "core/base/span.h"

/*
 * Writes over everything that may be a secret with '*', keeping each line's place and length, so that what is cited
 * still stands where it stood. JSON stays JSON: digits of a secret number become '0'. text is n bytes that the caller owns.
 */
void mask_secrets(char *text, size_t n);

/* What a device said, as words of ours quote it: its secrets hidden, then cut at size; NUL-terminated. */
void mask_quote(char *out, size_t size, struct span said);
/* Its last bytes. */
void mask_quote_last(char *out, size_t size, struct span said);

#endif
