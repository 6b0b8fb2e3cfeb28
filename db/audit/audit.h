/*
 * The audit: every plan, and everything that was done with it, in one sqlite file (synchronous FULL) apart from recordings.
 * Entries are chained: H(i) = SHA-256(H(i-1) and the canonical text of entry i), so that an edited, inserted, missing or
 * reordered entry is seen; a cut end is not, unless the head was kept elsewhere. Entries are never changed.
 */
#ifndef DB_AUDIT_AUDIT_H
#define DB_AUDIT_AUDIT_H

#include "core/base/err.h"
#include "core/fix/plan.h"

struct audit;

struct audit_entry {
	int64_t id;			/* from 1; of writing: ignored */
	int64_t at_us, mono_us;		/* wall clock; monotonic, of this boot of the console's machine */
	const char *who, *from;		/* "alice", "console1 pid 4711 boot …" */
	const char *plan, *hash;	/* id, and hash of its file; NULL: none */
	long step;			/* -1: of the whole */
	const char *device, *hostkey;
	const char *kind;		/* "plan", "state", "tried" (a state that settled nothing), "command", "answer", "arm", "disarm", "begin", "end" */
	const char *text;
	int status;			/* of an answer; -1: not known */
	const char *output;		/* masked by who writes; cut at 64 KiB, as every text but a plan's */
	const char *setup_hash;
	char chain[FIX_HASH_SIZE];	/* of this entry; of writing: ignored */
};

/*
 * Makes it (0600, its directory 0700) or goes on; several processes may have it open. NULL, and why: a link, somebody else's,
 * damaged, of a newer program. It is never set aside by us: what it says of plans that have not ended is still needed.
 */
struct audit *audit_open(const char *path, struct err *err);
/* To be read: must be there. */
struct audit *audit_read(const char *path, struct err *err);
void audit_close(struct audit *a);
/* On disk when true. */
bool audit_add(struct audit *a, const struct audit_entry *e, struct err *err);

/* Adds the plan itself, once: e->plan, e->hash, and e->text its file's. False when another plan has that id. */
bool audit_keep_plan(struct audit *a, const struct audit_entry *e, struct err *err);
/* Its text, yours to free; NULL: not there. */
char *audit_plan(struct audit *a, const char *id);

/* Plans with a step whose last state is none of the final ones: begun, and not ended. Ids, a line each, oldest first. */
void audit_open_plans(struct audit *a, bool (*is_final)(const char *word), struct buf *out);
/* The last state word of a step ("armed", of "armed: takes itself back in 600 s"), or "" when nothing is known of it. */
void audit_state(struct audit *a, const char *plan, size_t step, char out[32]);

/* In order, from the one after id on; only of that plan when plan is not NULL. False from each ends it. */
bool audit_each(struct audit *a, int64_t after, const char *plan, bool (*each)(void *ctx, const struct audit_entry *e), void *ctx,
		struct err *err);

struct audit_check {
	int64_t entries;
	int64_t broken;			/* id of the first that does not fit; 0: whole */
	char why[160];
	char head[FIX_HASH_SIZE];	/* of the last; to be kept elsewhere */
};
/*
 * True: it is whole, and has head in it (of an earlier check; or NULL). False: err says what is wrong, and out how far it is
 * whole.
 */
bool audit_verify(struct audit *a, const char *head, struct audit_check *out, struct err *err);

#endif
