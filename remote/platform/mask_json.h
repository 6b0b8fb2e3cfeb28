/* Secrets in JSON, across lines or on one. */
#ifndef REMOTE_PLATFORM_MASK_JSON_H
#define REMOTE_PLATFORM_MASK_JSON_H

#include "core/base/span.h"

/*
 * Hides the secrets of the JSON that begins at p, and tells how many of the n bytes it is: up to the end of the outermost object
 * or list, or up to the beginning of the line that is none. 0: no JSON begins here.
 */
size_t mask_json(char *p, size_t n);

#endif
