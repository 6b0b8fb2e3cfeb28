/* Shared by the files of the audit. */
#ifndef DB_AUDIT_INTERNAL_H
#define DB_AUDIT_INTERNAL_H

#include "db/audit/audit.h"
#include "db/tape/tape.h"

struct audit {
	struct tape file;	/* for its helpers; never locked as a whole, several processes write in turn */
	char *path;
};

/* Columns in the order that audit_entry_of() reads. */
#define AUDIT_COLUMNS \
	"id, at_us, mono_us, who, origin, plan, hash, step, device, hostkey, kind, text, status, output, setup_hash, chain"

#endif
