/*
 * One fabric being looked at, live or replayed: where observations from either side meet the one observe() path
 * (model, links, findings, recorder). The screens and the commands read it and cannot tell which side it is, but for
 * the words LIVE and REPLAY.
 */
#ifndef TUI_SESSION_SESSION_H
#define TUI_SESSION_SESSION_H

#include <uv.h>

#include "core/judge/check.h"
#include "core/model/fabric_history.h"
#include "db/replay/replay.h"
#include "remote/poll/poller.h"
#include "tui/session/events.h"

struct session;

struct session_options {
	const char *inventory;		/* file or range; NULL: none yet */
	const char *policy;		/* file or shipped name; NULL: roce-lossless */
	const char *plan;		/* cable plan, a CSV file; NULL: the inventory's */
	const char *record;		/* file to record to; NULL: none */
	const char *nccl;		/* a log of NCCL, to be told with the rest; NULL: none */
	bool is_told;			/* nothing is polled: who carries out a plan tells what was read, session_observed() */
	struct poller_options poller;
};

struct session_hooks {
	void *ctx;
	void (*changed)(void *ctx);				/* the model moved; draw when you like */
	void (*ask)(void *ctx, unsigned id, const struct question *q);
};

/* Starts the poller on loop. */
struct session *session_live(uv_loop_t *loop, const struct session_options *options, const struct session_hooks *hooks,
			     struct err *err);
/*
 * Goes on with the inventory that options name (options->plan and options->record hold as in session_live()) and with the
 * connections there are: hosts that the inventory before did not name are reached too. False, and all is as it was: it
 * cannot be read, or it reaches a host in another way than the connection that is there.
 */
bool session_keep(struct session *s, const struct session_options *options, struct err *err);
/* Opens a recording; glances at its end until session_seek(). Opens no socket, ever. */
struct session *session_replay(const char *file, const char *policy, struct err *err);
void session_free(struct session *s);
/* A policy by the name of a shipped one or of a file; NULL name: the usual one. Yours to policy_free(). */
struct policy *session_policy_load(const char *name, struct err *err);
/* Tells a log of NCCL, of the devices that are there or come to be; "-" is standard input. */
bool session_tell(struct session *s, const char *file, struct err *err);
/* What of that file no device here stands for, a sentence a line; nothing when there is none. */
void session_untold(const struct session *s, struct buf *out);

const struct model *session_model(const struct session *s);
const struct links *session_links(const struct session *s);
const struct findings *session_findings(const struct session *s);
const struct policy *session_policy(const struct session *s);
/* As its file reads; yours, NULL: it cannot be read any more. */
char *session_policy_text(const struct session *s);
const struct inventory *session_inventory(const struct session *s);
const char *session_fabric(const struct session *s);
/* What happened and what was counted: of the whole recording, or as far back as is remembered. */
const struct events *session_events(const struct session *s);
const struct fabric_history *session_lanes(const struct session *s);

bool session_is_replay(const struct session *s);
bool session_is_recording(const struct session *s, const char **trouble);
/* Copies the recording, the one that is replayed or written, into a new file that opens by itself. */
bool session_snapshot(const struct session *s, const char *path, struct err *err);
/* What opening the recording had to do ("damaged: set aside as …"); NULL: nothing out of the ordinary. */
const char *session_recording_words(const struct session *s);
struct poller *session_poller(struct session *s);	/* NULL in replay */
struct replay *session_recording(struct session *s);	/* NULL when live */
void session_answer(struct session *s, unsigned id, const char *text);
/* Read-only: asks again. Returns what session_has_read_since() takes; 0 in a replay. */
int64_t session_refresh(struct session *s, const char *device);
/* Everything of the device was read again since that, or cannot be. */
bool session_has_read_since(const struct session *s, const char *device, int64_t since);
/* What somebody else than the poller has read: of the model, the recording and the links as any other. */
void session_observed(struct session *s, struct obs *o);
/* A command that was sent to change something, and how it ended, for the recording; nothing when there is none. */
void session_command(struct session *s, const char *device, const char *command, const char *outcome);
/* The texts of the inventory and the cable plan, as a recording keeps them; NULL: there is none. Lent. */
const char *session_inventory_text(const struct session *s);
const char *session_plan_text(const struct session *s);
/* The known_hosts file that the inventory names; NULL: the user's. Lent. */
const char *session_known_hosts(const struct session *s);
/* An event of the console's own, for the recording; nothing when there is none. */
void session_note(struct session *s, const char *kind, const char *text);
/* A row of a bring-up, into the recording that is made, if one is. Returns its time. */
int64_t session_bringup(struct session *s, const char *kind, const char *body);
/* Those of the recording that is replayed, or that is gone on with; not those written since. */
void session_bringup_rows(const struct session *s, void (*each)(void *ctx, int64_t at_us, const char *kind, const char *body), void *ctx);
/* A person's note on a time: into the recording that is made; of a replay, beside it. Either way it is an event. */
bool session_annotate(struct session *s, int64_t at_us, const char *text, struct err *err);
void session_zero(struct session *s, const struct port *p, bool clear);
bool session_zero_at(struct session *s, const struct port *p, enum field f, unsigned index, uint64_t value);

/*
 * Holds the picture: model, links and findings answer as they are now, while observing, judging and recording go on behind
 * it. Off: they answer as it is by then. Either way the views let go of the model first (stage_leave). Nothing in a replay,
 * which stands still by itself.
 */
void session_hold(struct session *s, bool on);
bool session_is_held(const struct session *s);
/* The time by which the session goes; a held model stays at its own. */
int64_t session_now(const struct session *s);

/* Live: the time is now. Replay: moves the cursor, forward cheaply, back by a seek. */
void session_tick(struct session *s);
/* Replay: from the next seek on, histories reach back so far (a minute at least). What is far takes its time to read. */
void session_reach(struct session *s, int64_t reach_us);
bool session_seek(struct session *s, int64_t at_us, struct err *err);
/*
 * The same for somebody who is on the way: going back takes half of the time, and the short histories of counters
 * begin only some seconds before. session_is_glance() until session_seek() has gone there again.
 */
bool session_glance(struct session *s, int64_t at_us, struct err *err);
bool session_is_glance(const struct session *s);
/* Judges again if something changed since; done by session_tick() at most twice a second. */
void session_judge(struct session *s);

#endif
