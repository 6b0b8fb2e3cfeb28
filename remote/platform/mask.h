/* Secrets in configuration texts: hidden before anything is parsed, shown, kept or recorded. */
#ifndef REMOTE_PLATFORM_MASK_H
#define REMOTE_PLATFORM_MASK_H

#include "core/base/span.h"

/*
 * Writes over everything that may be a secret with '*', keeping each line's place and length, so that what is cited
 * still stands where it stood. text is n bytes that the caller owns.
 */
void mask_secrets(char *text, size_t n);

#endif
