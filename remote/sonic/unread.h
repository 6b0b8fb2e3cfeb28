/*
 * What of a CONFIG_DB was not understood, and why: rows that may be of any port, and members that may be any setting. Beside the rows
 * that are a port's.
 */
#ifndef REMOTE_SONIC_UNREAD_H
#define REMOTE_SONIC_UNREAD_H

#include <jansson.h>

#include "remote/sonic/sonic.h"

/* A row that may be of any port, or a member that may be any setting: what no other says is not "no" then. table NULL: none. */
struct unread {
	const char *table, *key;
};

struct sonic_config {
	struct span text;
	const json_t *root;
	struct obs *o;
	const char *name;	/* of the port being told */
	uint16_t port;
	const char *hostname;	/* NULL: it does not say */
	json_t *bound;		/* owned; what PORT_QOS_MAP binds to the port, in all its rows together */
	struct unread qos, queues, groups, watchdog;
	struct {
		const char *name, *at;
	} tables[16];		/* where each cited table begins in text */
	size_t n_tables;
};

/* The members that a row of each table may have, up to NULL. */
extern const char *const sonic_qos_members[], *const sonic_queue_members[], *const sonic_group_members[], *const sonic_wred_members[],
	*const sonic_watchdog_members[], *const sonic_port_members[], *const sonic_channel_members[];

/* A member that is not in the list, or is no text (of some also a number); NULL: none. */
const char *sonic_stranger(const json_t *row, const char *const *known);
/* Once, when root and hostname are set. */
void sonic_find_unread(struct sonic_config *c);

const char *sonic_unread_reason(const struct unread *u, char reason[128]);
const char *sonic_stranger_reason(const char *table, const char *member, char reason[128]);
/* Why what is not bound to the port may be bound all the same; NULL: it is not. */
const char *sonic_unbound_reason(const struct sonic_config *c, char reason[128]);

/* What PORT_QOS_MAP binds to the port; of several rows the port's own counts. The caller owns it. */
json_t *sonic_rows_bound(const struct sonic_config *c);
/* Whether a row of queues or groups is the port's; *first and *last: of which, 0-7. */
bool sonic_is_row_of(const struct sonic_config *c, const char *key, unsigned *first, unsigned *last);

#endif
