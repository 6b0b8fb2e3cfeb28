/*
 * Who was logged in at a device while one of its settings changed and no step of ours explains it: evidence, never a verdict.
 * A change happened between the last reading with the old value and the first with the new one. The device's login records
 * are read once after it (CADENCE_CHANGE); a login counts that overlaps that time by the device's own clock.
 */
#ifndef TUI_SESSION_LOGGED_IN_H
#define TUI_SESSION_LOGGED_IN_H

#include "core/model/model.h"

#define EVENT_LOGINS	"logins"		/* kind of the event; its place is the device */
#define LOGGED_IN_WAIT_US	(90 * SECOND)	/* for the device's records; then they are not known */

/* A setting that was read with another value, and, at to_us, with this one. */
struct setting_change {
	struct fact now;		/* its texts are owned */
	int64_t from_us, to_us;
	bool is_foreign;		/* no plan explains it */
	struct buf by;			/* the plan that explains it, in words; empty: none */
};

struct logged_in {
	struct change_window {
		const char *device;		/* the model's */
		int64_t from_us, to_us;
		bool is_asked;			/* its records are being read */
		struct setting_change *changes;
		size_t n, cap;
	} *list;				/* owned */
	size_t n, cap;
	struct own_command {
		const char *device;
		int64_t at_us;
	} *own;					/* owned: the last of each device */
	size_t n_own, cap_own;
};

/* What is to be told of a window: an event of that kind, EVENT_LOGINS or "fix", at that time. */
typedef void (*logged_in_tell)(void *ctx, const char *kind, const char *device, int64_t at_us, const char *text);
/* Says by which plan of this user, of whatever console, they were made: "P-… by alice (apply: INC-42)"; they are of one device. */
typedef void (*logged_in_explain)(const char *device, struct setting_change *list, size_t n);

/* Whether this change opens a window, or widens the device's: it is of a setting. */
bool logged_in_changed(struct logged_in *w, const struct change *c);
/* A plan in this session has sent a command there: what it explains then is on record already. */
void logged_in_ours(struct logged_in *w, const struct device *d, int64_t at_us);
/* Who explains changes; NULL: nobody. Of the whole program. */
void logged_in_explained_by(logged_in_explain explain);
/*
 * Each change that a plan explains is told as its; for what is left the device's records are asked for, once, by ask(), which is
 * false where there are no records to be had.
 */
void logged_in_ask(struct logged_in *w, const struct model *m, bool (*ask)(void *ctx, const char *device), logged_in_tell tell,
		   void *ctx);
/* The device's login records were read, at_us. */
void logged_in_heard(struct logged_in *w, const struct device *d, int64_t at_us, logged_in_tell tell, void *ctx);
/* Windows that have waited too long. */
void logged_in_expire(struct logged_in *w, int64_t now_us, logged_in_tell tell, void *ctx);
void logged_in_done(struct logged_in *w);

#endif
