/* What a row's reference is to stand for: the content of a map or profile, wished for by one user of it. */
#ifndef REMOTE_SONIC_REFS_H
#define REMOTE_SONIC_REFS_H

#include <jansson.h>

#include "core/base/err.h"

#define WISH_PREFIX	"fabcon_"	/* begins the names of rows that were made here */

struct sonic_ref {
	char *table, *key;		/* owned: of the row that refers */
	const char *field, *to;		/* its member, and the table that it names a row of */
	json_t *content;		/* owned: to be changed */
	char *name;			/* owned: for a row of its own */
};

struct sonic_refs {
	struct sonic_ref **list;
	size_t n, cap;
};

/*
 * The wish of that row, made from what it refers to now, or (refers to nothing) from `model`, a name of table `to`.
 * name: what a row of its own would be called. NULL: it refers to nothing that is there.
 */
struct sonic_ref *sonic_ref_of(struct sonic_refs *w, const json_t *db, const char *table, const char *key,
			       const char *field, const char *to, const char *model, const char *name, struct err *err);
/* Makes db so, and forgets them. */
void sonic_refs_settle(struct sonic_refs *w, json_t *db);
void sonic_refs_done(struct sonic_refs *w);

/* Refers to a name, written as the references of that member are in this database. */
void sonic_ref_refer(json_t *db, const char *table, const char *key, const char *field, const char *to, const char *name);
/* Whether any row of the database refers to it. */
bool sonic_ref_is_used(const json_t *db, const char *table, const char *name);
/* The name that most rows of the table refer to by that member, of rows whose key ends so; NULL: none does. Lent by db. */
const char *sonic_ref_most_used(const json_t *db, const char *table, const char *field, const char *key_ends);

#endif
