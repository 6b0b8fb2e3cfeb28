/*
 * CONFIG_DB in normal form, a line for each member, in order:
 *
 *	PORT|Ethernet0 mtu = "9194"
 *	QUEUE|Ethernet0|3 wred_profile = "AZURE_LOSSLESS"
 *	VLAN|Vlan7 {}				a row without members
 *
 * Words that hold blanks or quotes are written as JSON writes them, values always. Read back it is the same tree.
 */
#ifndef REMOTE_SONIC_SETTINGS_H
#define REMOTE_SONIC_SETTINGS_H

#include <jansson.h>

#include "core/base/err.h"
#include "core/base/mem.h"

void sonic_setup_write(const json_t *db, struct buf *out);
/* Yours to json_decref(); NULL, with the line, when it is no such text. */
json_t *sonic_setup_read(struct span text, struct err *err);

/* The running CONFIG_DB of a reply of the config probe; yours to json_decref(), NULL when there is none whole. */
json_t *sonic_running(struct span reply);

/* The text of a member, or NULL. And the name that a reference means: "AZURE" of "AZURE" and of "[WRED_PROFILE|AZURE]". */
const char *sonic_member(const json_t *db, const char *table, const char *key, const char *field);
bool sonic_reference(const char *text, char out[64]);
/* Whether the key of a row ("Ethernet0|3-4", "Ethernet0,Ethernet4|3") names the port; first and last up to 7. */
bool sonic_row_key(const char *key, const char *port, unsigned *first, unsigned *last);
bool sonic_priority_set(const char *text, uint64_t *set);

#endif
