/*
 * A SONiC switch's skins as far as they are its CONFIG_DB's: how releases and vendors name, refer and key what means the
 * same. What is configured does not change by it.
 */
#ifndef REMOTE_LAB_SONIC_DRESS_H
#define REMOTE_LAB_SONIC_DRESS_H

#include <jansson.h>

#include "remote/lab/world/fabric.h"

/* db: set up as the lossless profile says, in the tidy form. */
void confdb_dress(const struct fabric *f, const struct lab_device *d, json_t *db);

/* How this switch refers to an object: "ROCE", "[DSCP_TO_TC_MAP|ROCE]". NULL stays NULL. */
const char *confdb_refer(const struct lab_device *d, const char *table, const char *name, char out[96]);
/* The same to the object that all its ports use. */
const char *confdb_usual(const struct lab_device *d, const char *table, char out[96]);
/* The key of a port's own row in QUEUE. */
const char *confdb_queue_key(const struct lab_device *d, const struct lab_port *p, unsigned queue, char out[160]);

#define PORTCHANNEL_NAME	"PortChannel%04u"	/* with the number of its port */

/* What a release has follows from when it was. */
struct sonic_release {
	unsigned branch;	/* 202305 */
	const char *version, *commit, *date, *os, *debian, *codename, *kernel;
};
const struct sonic_release *sonic_release_of(const struct lab_device *d);
/* Of a release before 202111: lists of ports and "[TABLE|name]", no apply-patch, no checkpoints, fewer columns. */
bool sonic_is_old(const struct lab_device *d);
/* What came in 2024 and 2025: counters of WRED, of trimmed packets, of FEC's rates, PFC's history. */
bool sonic_is_latest(const struct lab_device *d);

#endif
