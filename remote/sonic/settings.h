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
/*
 * A row's key taken apart: "Ethernet0", lists of older releases ("Ethernet0,Ethernet4|3-4"), and those of a VOQ chassis, where a
 * line card has the rows of all of them ("lc1|asic0|Ethernet0|3").
 */
struct sonic_key {
	struct span host;		/* n == 0: of this switch */
	struct span ports;		/* one, or several with commas between */
	unsigned first, last;		/* of a key with a range, up to 7 */
};
/* False: none of these forms. */
bool sonic_key_cut(const char *key, bool has_range, struct sonic_key *out);
bool sonic_key_names(const struct sonic_key *k, const char *port);
/* The first key of a table, but for the port's own, that names the port; NULL: none. */
const char *sonic_shared_key(const json_t *db, const char *table, const char *port);
/* Whether the key of a row of this switch names the port; first and last up to 7. */
bool sonic_row_key(const char *key, const char *port, unsigned *first, unsigned *last);

/* The port channel that PORTCHANNEL_MEMBER has the port in: "PortChannel1|Ethernet0". */
#define SONIC_CHANNEL_NAME	48

enum sonic_membership {
	SONIC_IN_NO_CHANNEL,
	SONIC_IN_CHANNEL,
	SONIC_IN_SEVERAL,
	SONIC_MAY_BE_IN_ONE,	/* no row names it, and one was not understood */
};

/* channel: its name, "" unless it is in one. */
enum sonic_membership sonic_channel_of(const json_t *db, const char *port, char channel[SONIC_CHANNEL_NAME]);
bool sonic_priority_set(const char *text, uint64_t *set);

#endif
