/*
 * Logins on a device, as its login records have them, and the one text form in which they are a fact (FIELD_LOGINS):
 *
 *	at 2026-11-26T18:15:11Z; admin from 10.0.0.5 on pts/0 2026-11-26T18:02:11Z to 2026-11-26T18:05:11Z; root on tty1 …
 *
 * Times are the device's own clock; "at" is what that clock showed when the records were read.
 */
#ifndef CORE_MODEL_LOGIN_H
#define CORE_MODEL_LOGIN_H

#include "core/base/mem.h"
#include "core/base/span.h"

#define LOGIN_NAME	64	/* longer names are cut */

struct login {
	char user[LOGIN_NAME], from[LOGIN_NAME], line[LOGIN_NAME];	/* from "": at the device itself */
	int64_t since_s, until_s;	/* seconds since 1970 */
	unsigned within_s;		/* it began up to so much later: 59 where the record has minutes only */
	enum { LOGIN_OPEN, LOGIN_ENDED, LOGIN_END_UNKNOWN } end;
};

/* What is left of a name in login records, which anybody may choose who can connect: letters, digits and -._:@%+/, others as '?'. */
void login_name(char out[LOGIN_NAME], struct span name);
/* "2026-11-26T18:02:11Z", with or without seconds, or with +00:00. */
bool login_time(struct span text, int64_t *s);
void login_time_print(int64_t s, struct buf *out);


struct logins {
	int64_t at_s;
	struct login *list;	/* owned */
	size_t n, cap;
	unsigned missed;	/* records that could not be parsed */
	bool is_open_only;	/* logins that have ended are not on record */
	bool has_ssh;		/* sshd's log was read: logins without a terminal are among them */
	int64_t first_s;	/* records from before this were not read; 0: all were */
};
/* The whole text. */
void logins_print(const struct logins *l, struct buf *out);

/* False: it is no such text. */
bool logins_read(struct logins *out, struct span text);
void logins_done(struct logins *l);

#endif
