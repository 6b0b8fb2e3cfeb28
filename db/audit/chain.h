/* The chain of the audit: an entry's canonical text, and the hash that links it to the previous entry. */
#ifndef DB_AUDIT_CHAIN_H
#define DB_AUDIT_CHAIN_H

#include "db/audit/audit.h"

/* The previous hash of the first entry. */
#define AUDIT_CHAIN_BEGIN "0000000000000000000000000000000000000000000000000000000000000000"

/*
 * Every field but the hash itself, each preceded by its length ("5:alice,"; "-," if it is NULL), so that no two different
 * entries have the same text.
 */
void audit_canonical(const struct audit_entry *e, struct buf *out);
/* chain gets SHA-256 of the previous hash and the canonical text, in hex. scratch is emptied first and keeps its memory. */
void audit_chain(const char *before, const struct audit_entry *e, struct buf *scratch, char chain[FIX_HASH_SIZE]);

#endif
