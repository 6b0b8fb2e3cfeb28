/*
 * Keys of CONFIG_DB's rows that are of ports, in each form that a release writes: "Ethernet0|3", "Ethernet0|3-4",
 * "Ethernet0,Ethernet4|3" of several ports, "leaf1|asic0|Ethernet0|3" of a switch with virtual output queues.
 */
#ifndef REMOTE_LAB_SONIC_KEYS_H
#define REMOTE_LAB_SONIC_KEYS_H

#include <jansson.h>

#include "remote/lab/world/fabric.h"

/* The ports of a key: "Ethernet0,Ethernet4". rest: what follows them, "3-4" or "". */
struct span key_ports(const char *key, struct span *rest);

/* A member of the port's row, or else of a row of several that has it. */
const char *confdb_port_member(const json_t *db, const char *table, const char *port, const char *field);
/* The row of QUEUE for the port's queue: one of its own before one of several. */
const json_t *confdb_queue(const json_t *db, const char *port, unsigned queue);
/* Takes the port out of rows that are of several: it has rows of its own from then on. */
void confdb_ungroup(json_t *db, const char *port);
/* The other way: rows that say the same of ports become one. */
void confdb_group(json_t *db, const char *table);

#endif
