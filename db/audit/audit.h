/*
 * The audit: every plan and everything done with it, in one sqlite file (synchronous FULL) apart from recordings.
 * Entries are chained: H(i) = SHA-256(H(i-1) and the canonical text of entry i), so that an edited, inserted, missing or
 * reordered entry is detected; a truncated end only if the audit hash was kept elsewhere. Entries are never changed.
 */
#ifndef DB_AUDIT_AUDIT_H
#define DB_AUDIT_AUDIT_H

#include "core/base/err.h"
#include "core/fix/plan.h"

struct audit;

struct audit_entry {
	int64_t id;			/* from 1; ignored when writing */
	int64_t at_us, mono_us;		/* wall clock; monotonic, since the boot of the console's machine */
	const char *who, *from;		/* "alice", "console1 pid 4711 boot …" */
	const char *plan, *hash;	/* id, and hash of its file; NULL: none */
	long step;			/* -1: the whole plan */
	const char *device, *hostkey;
	const char *kind;		/* "plan", "state", "tried" (inconclusive), "command", "answer", "arm", "disarm", "begin", "end" */
	const char *text;
	int status;			/* of an answer; -1: not known */
	const char *output;		/* masked by the caller; truncated at 64 KiB, as every text but a plan's */
	const char *setup_hash;
	char chain[FIX_HASH_SIZE];	/* of this entry; ignored when writing */
};

/*
 * Creates it (0600, its directory 0700) or appends to it; several processes may have it open. NULL, with the reason: a link,
 * another user's, damaged, of a newer program. We never rename it away: its records of unfinished plans are still needed.
 */
struct audit *audit_open(const char *path, struct err *err);
/* Opens it read-only; it must exist. */
struct audit *audit_read(const char *path, struct err *err);
void audit_close(struct audit *a);
/* True: the entry is on disk. */
bool audit_add(struct audit *a, const struct audit_entry *e, struct err *err);

/*
 * Adds the plan itself, once: e->plan, e->hash, and e->text with its file. False when another plan has that id and something of it
 * was sent; one that was refused before, a forgery for example, gives its name up and stays on record.
 */
bool audit_keep_plan(struct audit *a, const struct audit_entry *e, struct err *err);
/* The text of the last plan of that id, yours to free; NULL: not found. */
char *audit_plan(struct audit *a, const char *id);

/* The state word of a step whose arm command was sent, and whose answer is not on record: the device may be armed. */
#define AUDIT_ARMING	"arming"
/* Unfinished plans: those with a step whose last state is not final. Ids, one per line, oldest first. */
void audit_open_plans(struct audit *a, bool (*is_final)(const char *word), struct buf *out);
/* The last state word of a step ("armed", of "armed: rollback in 600 s by systemd"; AUDIT_ARMING), or "" when it is unknown. */
void audit_state(struct audit *a, const char *plan, size_t step, char out[32]);

/* Entries in order, starting after id; only those of plan unless it is NULL. Stops when each returns false. */
bool audit_each(struct audit *a, int64_t after, const char *plan, bool (*each)(void *ctx, const struct audit_entry *e), void *ctx,
		struct err *err);

struct audit_check {
	int64_t entries;
	int64_t broken;			/* id of the first entry that does not match; 0: none */
	char why[160];
	char head[FIX_HASH_SIZE];	/* the audit hash, of the last entry; to be kept elsewhere */
};
/*
 * True: the chain is intact and contains head (the audit hash of an earlier check; or NULL). False: err says what is wrong,
 * and out how far it is intact.
 */
bool audit_verify(struct audit *a, const char *head, struct audit_check *out, struct err *err);

#endif
