/* Inside of sonic_edit.c and its parts: the port that is being edited, and each kind of edit. */
#ifndef REMOTE_SONIC_EDITOR_H
#define REMOTE_SONIC_EDITOR_H

#include <jansson.h>

#include "core/fix/edit.h"
#include "remote/sonic/refs.h"

#define QUEUES	8

/* The port that is being edited. */
struct shop {
	json_t *db;
	const char *port;
	struct sonic_refs wishes;
	uint64_t shares[QUEUES];	/* wanted, in % */
	unsigned has_share;		/* bit set of queues */
	unsigned pfc_on, pfc_off;	/* bit sets of priorities, wanted so */
	struct err *err;
};

/* That index of the port's map; of a map of its own where others are to keep theirs. */
bool sonic_set_in_map(struct shop *s, enum field f, unsigned index, uint64_t to);

/* Each makes one edit, or only takes it down; false, with the reason in s->err. What was taken down is settled together. */
bool sonic_edit_pfc(struct shop *s, const struct edit *e);
bool sonic_edit_watchdog(struct shop *s, const struct edit *e);
bool sonic_edit_ecn(struct shop *s, const struct edit *e);
bool sonic_edit_threshold(struct shop *s, const struct edit *e);
bool sonic_edit_algo(struct shop *s, const struct edit *e);
bool sonic_edit_share(struct shop *s, const struct edit *e);
bool sonic_settle_pfc(struct shop *s);
bool sonic_settle_shares(struct shop *s);
/* Of all profiles that were changed: no queue begins to mark where it should have ended. */
bool sonic_thresholds_fit(struct shop *s);

#endif
