/* What a recording said was found before this ledger began. */
#include <stdio.h>
#include <stdlib.h>

#include "core/judge/finding_internal.h"

#define PAST_MAX	4096	/* closed ones told by a recording */

void findings_remember(struct findings *f, const char *check, const char *where, const char *what, enum verdict verdict,
		       int64_t first_us)
{
	size_t n = strlen(check) + 1 + strlen(where);
	struct memory *m = xcalloc(1, sizeof(*m) + n + 1), *old;

	snprintf(m->key, n + 1, "%s\n%s", check, where);
	snprintf(m->what, sizeof(m->what), "%s", what);
	m->verdict = verdict;
	m->first_us = first_us;
	HASH_FIND(hh, f->memories, m->key, n, old);
	if (old) {
		HASH_DELETE(hh, f->memories, old);
		free(old);
	}
	HASH_ADD_KEYPTR(hh, f->memories, m->key, n, m);
}

void findings_remember_closed(struct findings *f, const char *check, const char *where, const char *what, enum verdict verdict,
			      int64_t first_us, int64_t closed_us)
{
	const struct check *of = check_find(check);
	struct finding *finding;

	if (!of || f->n_past >= PAST_MAX)
		return;
	finding = GROW(f->past, f->n_past, f->cap_past);
	f->n_past++;
	*finding = (struct finding){ .check = of, .verdict = verdict, .first_us = first_us, .last_us = closed_us,
				     .closed_us = closed_us };
	snprintf(finding->where, sizeof(finding->where), "%s", where);
	snprintf(finding->what, sizeof(finding->what), "%s", what);
}

const struct memory *finding_memory(const struct findings *f, const struct case_of *c)
{
	struct finding place = { 0 };
	struct memory *m;
	char key[256];
	int n;

	if (!f->memories)
		return NULL;
	finding_where(&place, c);
	n = snprintf(key, sizeof(key), "%s\n%s", c->check->id, place.where);
	HASH_FIND(hh, f->memories, key, (size_t)n, m);
	return m;
}

void finding_forget(struct findings *f)
{
	struct memory *m, *next;

	HASH_ITER(hh, f->memories, m, next) {
		HASH_DELETE(hh, f->memories, m);
		free(m);
	}
}
