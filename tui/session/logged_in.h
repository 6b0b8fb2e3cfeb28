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

struct logged_in {
	struct change_window {
		const char *device;		/* the model's */
		int64_t from_us, to_us;
		bool is_asked;			/* its records are being read */
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
/* Whether a plan of this user, of whatever console, changed the device in that time, in words: "P-… by alice (apply: INC-42)". */
typedef bool (*logged_in_explain)(const char *device, int64_t from_us, int64_t to_us, struct buf *words);

/* Whether this change opens a window, or widens the device's: it is of a setting, and no command of ours was sent in it. */
bool logged_in_changed(struct logged_in *w, const struct change *c);
/* We have sent a command to change something there. */
void logged_in_ours(struct logged_in *w, const struct device *d, int64_t at_us);
/* Who explains changes; NULL: nobody. Of the whole program. */
void logged_in_explained_by(logged_in_explain explain);
/*
 * Windows whose records are not asked for yet: one that a plan explains is told so; of the others each is asked for by ask(),
 * which is false where there are no records to be had.
 */
void logged_in_ask(struct logged_in *w, const struct model *m, bool (*ask)(void *ctx, const char *device), logged_in_tell tell,
		   void *ctx);
/* The device's login records were read, at_us. */
void logged_in_heard(struct logged_in *w, const struct device *d, int64_t at_us, logged_in_tell tell, void *ctx);
/* Windows that have waited too long. */
void logged_in_expire(struct logged_in *w, int64_t now_us, logged_in_tell tell, void *ctx);
void logged_in_done(struct logged_in *w);

#endif
