/*
 * SONiC's generic configuration updater as a switch has it: a JSON patch (RFC 6902) is made on a copy of CONFIG_DB, the
 * copy is held against what the YANG models ask, and takes the running one's place as a whole, or nothing changes.
 */
#ifndef REMOTE_LAB_SONIC_PATCH_H
#define REMOTE_LAB_SONIC_PATCH_H

#include <jansson.h>

#include "core/base/err.h"

/* The patched copy; NULL, with the updater's words, when an operation or what comes out is refused. db is as it was. */
json_t *sonic_patched(const json_t *db, const char *patch, struct err *err);
/* Whether a CONFIG_DB is one that the models allow: ports that exist, maps and profiles that exist, values in range. */
bool sonic_is_valid(const json_t *db, struct err *err);

#endif
