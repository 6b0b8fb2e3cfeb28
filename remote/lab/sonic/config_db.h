/* A SONiC switch's CONFIG_DB, as JSON: tables of keys of fields, everything a string; and what it makes a port do. */
#ifndef REMOTE_LAB_SONIC_CONFIG_DB_H
#define REMOTE_LAB_SONIC_CONFIG_DB_H

#include <jansson.h>

#include "remote/lab/sonic/cache.h"
#include "remote/lab/world/fabric.h"

/* What a device of this system owns: lab_device.own. */
struct sonic_switch {
	json_t *db;		/* owned; what runs */
	json_t *saved;		/* owned; what the next boot reads */
	json_t *checkpoints;	/* owned; CONFIG_DBs by name; NULL: none */
	struct sonic_caches caches;	/* of sonic-clear */
};
static inline struct sonic_switch *sonic_of(const struct lab_device *d)
{
	return d->own;
}
static inline json_t *confdb_of(const struct lab_device *d)
{
	return sonic_of(d)->db;
}
/* Set up as the lossless profile says. */
void confdb_configure(const struct fabric *f, struct lab_device *d);
void confdb_done(struct lab_device *d);
/* Takes db: it runs in the place of the one before. */
void confdb_replace(struct lab_device *d, json_t *db);
void confdb_save(struct lab_device *d);
/* What is saved runs. */
void confdb_boot(struct lab_device *d);

/* What the PFC watchdog of a device in these skins is set to do. */
const char *confdb_watchdog_action(const struct lab_device *d);
void confdb_to_sim(const json_t *db, const char *port, struct sim_qos *qos);

/* Which members refer to a row of which table. */
#define N_CONFDB_REFERENCES 9
extern const struct confdb_reference {
	const char *table, *field, *to;
} confdb_references[N_CONFDB_REFERENCES];

/* The text of TABLE key field, or NULL. */
const char *confdb_get(const json_t *db, const char *table, const char *key, const char *field);
/* text NULL: takes the field away. */
void confdb_set(json_t *db, const char *table, const char *key, const char *field, const char *text);
/* The object that field of PORT_QOS_MAP names for this port, in table; old "[TABLE|name]" references too. */
const json_t *confdb_map(const json_t *db, const char *port, const char *field, const char *table);

#endif
