/*
 * Writes a recording. Takes what is observed on the caller's thread, copies it, and commits on its own thread once a
 * second; observations are never lost to a kill once acknowledged.
 */
#ifndef DB_RECORD_RECORDER_H
#define DB_RECORD_RECORDER_H

#include "core/inventory/inventory.h"
#include "core/judge/check.h"
#include "core/model/obs.h"

struct recorder;

struct recorder_options {
	uint64_t keep_bytes;	/* drop the oldest past this size; 0: no limit */
	int64_t keep_us;	/* drop what is older; 0: no limit */
	int64_t key_us;		/* between keyframes; 0: 30 s */
	int64_t commit_us;	/* between commits; 0: 1 s */
	const char *fabric, *policy;	/* for the header of the recording */
	const char *inventory_text;	/* kept, so that the recording opens alone; may be NULL */
	const char *policy_text;
	const char *plan_text;		/* the cable plan's file; NULL: none beside the inventory's own cables */
	const struct model *model;	/* lent until closed: what the observations were applied to; read only inside
					 * recorder_take(). NULL: the recorder keeps a model of its own, at its cost. */
};

/* Creates path (0600), or goes on with it if it is ours and of this version. */
struct recorder *recorder_open(const char *path, const struct recorder_options *options, struct err *err);
/* After model_apply(), which has marked what is new. */
void recorder_take(struct recorder *r, const struct obs *o);
/* What the lent model knew before the recording began: every reply that stands, at the time that it came. */
void recorder_take_known(struct recorder *r);
void recorder_finding(struct recorder *r, const struct finding *f);
void recorder_note(struct recorder *r, int64_t at_us, const char *kind, const char *text);
/* How far it is on disk: everything taken at or before this time is committed. */
int64_t recorder_acknowledged(const struct recorder *r);
/* NULL, or what is wrong ("disk full: recording is paused"); the console shows it as a banner. */
const char *recorder_trouble(const struct recorder *r);
/* What opening had to do, in words ("damaged: set aside as …"); NULL: nothing out of the ordinary. */
const char *recorder_words(const struct recorder *r);
/* A command that was sent, beside those of the replies (which are recorded by themselves): a fix, and how it ended. */
void recorder_command(struct recorder *r, int64_t at_us, const char *device, const char *command, const char *outcome);
/* Commits the rest and closes. */
void recorder_close(struct recorder *r);

#endif
