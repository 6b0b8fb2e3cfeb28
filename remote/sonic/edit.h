/*
 * Edits of a CONFIG_DB. What a port is set to is often a map or a profile that other ports use too: where all its users are
 * to change alike it is changed in place; else the port gets another that says just that, or one of its own.
 */
#ifndef REMOTE_SONIC_EDIT_H
#define REMOTE_SONIC_EDIT_H

#include <jansson.h>

#include "core/fix/edit.h"

bool sonic_can_set(enum field f, bool of_port);
/* db becomes as the edits want it; false, with the reason, when one cannot be made, and db is then to be thrown away. */
bool sonic_edit(json_t *db, const struct edit *edits, size_t n, struct err *err);
/* The members of db, as a database of their own, that the edits read or write. Yours to json_decref(). */
json_t *sonic_part(const json_t *db, const struct edit *edits, size_t n);
/* db, whose part is as `after`, gets what was in `base` again; nothing else of it changes. */
void sonic_restore(json_t *db, json_t *after, json_t *base);

#endif
