/* What a console is allowed: it reads, unless it was armed with a reason; and its signature in the audit. */
#ifndef TUI_FIXING_WRITE_MODE_H
#define TUI_FIXING_WRITE_MODE_H

#include "core/policy/policy.h"
#include "db/audit/audit.h"
#include "remote/talk/write_permit.h"

struct write_mode {
	struct write_permit *permit;	/* NULL: read-only */
	const char *forbidden;		/* "a replay is read-only"; lent; NULL: may be armed */
};

/*
 * Why a console is not to be armed at all, or NULL: a replay, FABCON_RO, "read-only: yes" in a configuration file, read-only
 * in the policy (NULL: none was read), which lends its words.
 */
const char *write_mode_forbidden(bool is_replay, bool is_read_only, const struct policy *policy);

/* :arm REASON, --rw. Told to the audit first: what cannot be told is not allowed. Armed anew, the time begins again. */
bool write_mode_begin(struct write_mode *a, const char *reason, struct err *err);
void write_mode_end(struct write_mode *a);		/* :disarm, or the time is over */
int64_t write_mode_left_us(const struct write_mode *a);	/* 0: read-only, whatever permit there is */

/* $XDG_DATA_HOME/fabcon/audit.db; lent. NULL: there is no HOME. */
const char *audit_path(void);
/* The same to be written, or to be read. NULL, and why. */
struct audit *audit_of_user(bool for_writing, struct err *err);
/* "alice@console1 pid 4711": who holds a device's lock; lent. */
const char *audit_owner(void);
/* Fills who, from and the times of an entry, as of now; lent. */
void audit_sign(struct audit_entry *e);

#endif
