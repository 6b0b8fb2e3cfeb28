/*
 * Writes a recording. Copies observations on the caller's thread, and commits on its own thread once a second; acknowledged
 * observations are never lost to a kill.
 */
#ifndef DB_RECORD_RECORDER_H
#define DB_RECORD_RECORDER_H

#include "core/inventory/inventory.h"
#include "core/judge/check.h"
#include "core/model/obs.h"

struct recorder;

struct recorder_options {
	uint64_t keep_bytes;	/* drop the oldest beyond this size; 0: no limit */
	int64_t keep_us;	/* drop what is older than this; 0: no limit */
	int64_t key_us;		/* between keyframes; 0: 30 s */
	int64_t commit_us;	/* between commits; 0: 1 s */
	const char *fabric, *policy;	/* for the header of the recording */
	const char *inventory_text;	/* stored, so that the recording opens without other files; may be NULL */
	const char *policy_text;
	const char *plan_text;		/* the cable plan's file; NULL: only the inventory's own cables */
	const struct model *model;	/* lent until closed: the model that the observations were applied to; read only inside
					 * recorder_take(). NULL: the recorder keeps a model of its own, at its cost. */
};

/* Creates path (0600), or appends to it if it is ours and of this version. */
struct recorder *recorder_open(const char *path, const struct recorder_options *options, struct err *err);
/* Call after model_apply(), which has marked what is new. */
void recorder_take(struct recorder *r, const struct obs *o);
/* Records what the lent model knew before the recording began: every current reply, at its own time. */
void recorder_take_known(struct recorder *r);
void recorder_finding(struct recorder *r, const struct finding *f);
void recorder_note(struct recorder *r, int64_t at_us, const char *kind, const char *text);
/* An event of a device (where), of the console's own reasoning. */
void recorder_event(struct recorder *r, int64_t at_us, const char *kind, const char *where, const char *text);
/* Everything taken at or before this time is committed to disk. */
int64_t recorder_acknowledged(const struct recorder *r);
/* NULL, or the problem ("disk full: recording is paused"); the console shows it as a banner. */
const char *recorder_trouble(const struct recorder *r);
/* What opening had to repair, in words ("damaged: set aside as …"); NULL: nothing unusual. */
const char *recorder_words(const struct recorder *r);
/* Records a sent command that is not a probe's (those are recorded by themselves): a fix, and its outcome. */
void recorder_command(struct recorder *r, int64_t at_us, const char *device, const char *command, const char *outcome);
/* A row of a bring-up: kind "begin", "resume", "test", "untested" or "end" (tui/bringup/record.h); body: JSON. */
void recorder_bringup(struct recorder *r, int64_t at_us, const char *kind, const char *body);
/* Commits the rest and closes. */
void recorder_close(struct recorder *r);

#endif
