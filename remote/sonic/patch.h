/*
 * From one CONFIG_DB to another as a JSON patch (RFC 6902) for "config apply-patch". A patch begins with tests of what it
 * replaces and takes away, so that on another base it does nothing.
 */
#ifndef REMOTE_SONIC_PATCH_H
#define REMOTE_SONIC_PATCH_H

#include <jansson.h>

#include "core/base/mem.h"

/* Operations; 0: the two say the same, and out is as it was. */
size_t sonic_patch(const json_t *from, const json_t *to, struct buf *out);
/* Tests alone, that hold where what differs between the two is as `is` says: tables that gain a row, whole. */
void sonic_patch_test(const json_t *is, const json_t *other, struct buf *out);
/* Whether a table holds maps or profiles, which rows of ports name. */
bool sonic_is_named(const char *table);

#endif
