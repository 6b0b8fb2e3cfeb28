/*
 * Reads a recording back as observations, in their order and at their times: the same stream as live. Opens read-only; a
 * foreign, newer or damaged file is refused or salvaged with a reason, never trusted.
 */
#ifndef DB_REPLAY_REPLAY_H
#define DB_REPLAY_REPLAY_H

#include "core/model/fabric_history.h"
#include "core/model/obs.h"

struct replay;

enum replay_state { REPLAY_WHOLE, REPLAY_CUT, REPLAY_SALVAGED };

struct replay *replay_open(const char *path, struct err *err);
void replay_close(struct replay *r);
/* Copies the readable part of the recording into a new file. */
bool replay_copy(const struct replay *r, const char *path, struct err *err);

/* Part of the file was unreadable, so later samples are missing: the next seek continues with what can be salvaged. */
bool replay_is_broken(const struct replay *r);
enum replay_state replay_state(const struct replay *r, const char **words);
int64_t replay_first(const struct replay *r);
int64_t replay_last(const struct replay *r);
/* The start of its first run; unchanged when the oldest is dropped. 0: not recorded. */
int64_t replay_began(const struct replay *r);
/* Texts kept with the recording; NULL when there is none. */
const char *replay_inventory(const struct replay *r);
const char *replay_policy(const struct replay *r);
const char *replay_plan(const struct replay *r);
const char *replay_fabric(const struct replay *r);

/* Reads the fabric-wide counts (core/model/fabric_history.h) into l. False: the recording is older than this table. */
bool replay_lanes(const struct replay *r, struct fabric_history *l);

/*
 * Seeks to a time: the next observations are those of the keyframe before at_us - warm_us, then forward. Up to at_us they are
 * brief (obs.is_delta): a model that applies them equals the live one at at_us and later, but not before.
 * warm_us: how much history the model needs (rates need two samples; 0: ten seconds).
 */
bool replay_seek(struct replay *r, int64_t at_us, int64_t warm_us, struct err *err);
/* Puts the next observation at or before until_us into o (cleared first); false when there is none. */
bool replay_next(struct replay *r, int64_t until_us, struct obs *o);
/* When the next one is due; INT64_MAX at the end. */
int64_t replay_due(const struct replay *r);

/* The problems (look, warn, fail) that were open at a time. verdict: its word. */
struct replay_finding {
	const char *check, *where, *what, *verdict;	/* lent until the callback returns */
	int64_t first_us, closed_us;		/* closed_us: for closed ones */
};
void replay_findings(struct replay *r, int64_t at_us, void (*each)(void *ctx, const struct replay_finding *f), void *ctx);
/* The problems that closed in [from, to], newest first. */
void replay_closed(struct replay *r, int64_t from_us, int64_t to_us, void (*each)(void *ctx, const struct replay_finding *f),
		   void *ctx);

/* Events (findings opened and closed, configuration changes, notes, start and end of a recording) in [from, to]. */
struct replay_event {
	int64_t at_us;
	const char *kind, *where, *text;	/* lent until the callback returns */
};
void replay_events(struct replay *r, int64_t from_us, int64_t to_us, void (*each)(void *ctx, const struct replay_event *e),
		   void *ctx);

/* The rows of the bring-ups (recorder_bringup), in their order. False: the recording is older than this table. */
bool replay_bringup(const struct replay *r, void (*each)(void *ctx, int64_t at_us, const char *kind, const char *body), void *ctx);

#endif
