/*
 * What a person answered to the servers' questions, kept in memory so that hosts that ask the same are answered the same.
 * An answer is tried at the host that asked first; only when that host takes it is it given to others. Never written
 * anywhere, not swapped out where the system allows that, and wiped when it is wrong or no longer needed.
 */
#ifndef REMOTE_SSH_ANSWERS_H
#define REMOTE_SSH_ANSWERS_H

#include <stdbool.h>

struct reach;

struct kept {
	char *what;			/* owned: the user and the prompt */
	char *text;			/* owned, locked; NULL: none */
	struct reach *asker;		/* for whom it is asked, or who tries it; NULL: nobody */
	const void *sent_by;		/* the asker's session that sent it: one that asks again has refused it */
	bool is_good;			/* a host has taken it */
	struct kept *next;
};

/* The one for these words; made when there is none. */
struct kept *answers_get(struct kept **all, const char *what);
void answers_keep(struct kept *k, const char *text);
void answers_wipe(struct kept *k);
void answers_free(struct kept *all);

#endif
