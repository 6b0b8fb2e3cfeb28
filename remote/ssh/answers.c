#include "remote/ssh/answers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/base/mem.h"

struct kept *answers_get(struct kept **all, const char *what)
{
	struct kept *k;

	for (k = *all; k && strcmp(k->what, what); k = k->next)
		;
	if (k)
		return k;
	k = xcalloc(1, sizeof(*k));
	k->what = xstrdup(what);
	k->next = *all;
	return *all = k;
}

/* Without the right to lock memory it is only wiped. */
void answers_keep(struct kept *k, const char *text)
{
	answers_wipe(k);
	k->text = xmalloc(strlen(text) + 1);
	mlock(k->text, strlen(text) + 1);
	strcpy(k->text, text);
}

void answers_wipe(struct kept *k)
{
	size_t n = k->text ? strlen(k->text) + 1 : 0;

	k->is_good = false;
	if (!n)
		return;
	explicit_bzero(k->text, n);
	munlock(k->text, n);
	free(k->text);
	k->text = NULL;
}

void answers_free(struct kept *all)
{
	struct kept *next;

	for (; all; all = next) {
		next = all->next;
		answers_wipe(all);
		free(all->what);
		free(all);
	}
}
