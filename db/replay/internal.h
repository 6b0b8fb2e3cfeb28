/* Shared by the files of a replay: its samples (sample.c), stepping and seeking (replay.c), and opening. */
#ifndef DB_REPLAY_INTERNAL_H
#define DB_REPLAY_INTERNAL_H

#include "db/replay/replay.h"

#include "db/replay/skip.h"
#include "db/tape/keyframe.h"

/* Rows of one table in sample order. */
struct cursor {
	sqlite3_stmt *stmt;
	int64_t sample;		/* of the current row; INT64_MAX: at the end */
	int shift;		/* bits from its first column to the sample */
};

enum { SAMPLES, HOTS, CHGS, FACTS, CURSORS };

struct replay {
	struct tape tape;
	struct tape_index said;
	enum replay_state state;
	struct buf words;
	char *path, *inventory, *policy, *plan, *fabric;
	bool is_broken;
	int64_t first_us, last_us, key_us;

	struct cursor cursors[CURSORS];
	sqlite3_stmt *tick, *shape, *key, *kept, *way;
	int64_t tick_id, tick_us, next_tick;	/* the tick of the current sample, and the id of the next tick */
	int64_t due_us;				/* never goes back */
	int64_t done_sample;			/* the last sample taken */
	int64_t history_from;			/* sample: from here on, histories are complete for the time sought */
	bool is_brief;				/* the current sample is before the time sought */
	int64_t next_run;			/* first sample of the next run; INT64_MAX: none */
	struct keyframe *frames;		/* returned before anything else */
	size_t n_frames, cap_frames, frame, reply;
	struct tape_port **named;		/* ports to be named before that, in order of appearance */
	size_t n_named, cap_named, next_named;
	size_t next_source;			/* and devices */
	struct obs_key naming;
};

/* sample.c. The next row; false at the end, and where the file is damaged, which is noted. */
bool replay_row(struct replay *r, sqlite3_stmt *stmt);
bool sample_unpack(struct span packed, struct buf *out);
bool sample_shape(void *ctx, int64_t id, struct probe_stream *a);
/* The text of the stream's last reply, if it was kept. */
struct span sample_text(struct replay *r, struct probe_stream *a);
void cursor_step(struct replay *r, struct cursor *c);
int64_t time_plus(int64_t a, int64_t b);
/* Moves to the next sample that has a time, and notes when it is due. */
void replay_stand(struct replay *r);
void replay_begin_at(struct replay *r, int64_t sample);
/* Returns nothing more of this device until its next keyframe. */
void sample_lose(struct tape_device *source, int64_t sample);
/* Turns the current sample into an observation. False: it has nothing reliable. */
bool sample_read(struct replay *r, const struct probe_version *v, struct obs *o);

/* replay.c */
void replay_drop_frames(struct replay *r);

/* open.c. The file is damaged: continues with what can be salvaged. */
bool replay_mend(struct replay *r, struct err *err);

#endif
