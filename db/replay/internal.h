/* The parts of a replay, for these files only: its samples (replay_sample.c), going through them (replay.c), and opening. */
#ifndef DB_REPLAY_INTERNAL_H
#define DB_REPLAY_INTERNAL_H

#include "db/replay/replay.h"

#include "db/replay/skip.h"
#include "db/tape/keyframe.h"

/* Rows of one table in the order of their samples. */
struct cursor {
	sqlite3_stmt *stmt;
	int64_t sample;		/* of the row it stands on; INT64_MAX: at the end */
	int shift;		/* from its first column to the sample */
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
	int64_t tick_id, tick_us, next_tick;	/* the tick of the sample stood on, and the id of the one after */
	int64_t due_us;				/* never goes back */
	int64_t done_sample;			/* the last one taken */
	int64_t history_from;			/* sample: what was sought is to have its histories from there */
	bool is_brief;				/* the sample being added up is before what was sought */
	int64_t next_run;			/* first sample of the run after; INT64_MAX: none */
	struct keyframe *frames;		/* given out before anything else */
	size_t n_frames, cap_frames, frame, reply;
	struct tape_port **named;		/* ports to be named before that, in order of appearance */
	size_t n_named, cap_named, next_named;
	size_t next_source;			/* and devices */
	struct obs_key naming;
};

/* replay_sample.c. The next row; false at the end, and where the file is damaged, which is noted. */
bool replay_row(struct replay *r, sqlite3_stmt *stmt);
bool sample_unpack(struct span packed, struct buf *out);
bool sample_shape(void *ctx, int64_t id, struct probe_stream *a);
/* The text of the stream's last reply, when it was kept. */
struct span sample_text(struct replay *r, struct probe_stream *a);
void cursor_step(struct replay *r, struct cursor *c);
int64_t time_plus(int64_t a, int64_t b);
/* Stands on the next sample that has a time, and notes when it is due. */
void replay_stand(struct replay *r);
void replay_begin_at(struct replay *r, int64_t sample);
/* Nothing more is given out of this device until its next keyframe. */
void sample_lose(struct tape_device *source, int64_t sample);
/* Makes the sample stood on an observation. False: it says nothing that could be relied on. */
bool sample_read(struct replay *r, const struct probe_version *v, struct obs *o);

/* replay.c */
void replay_drop_frames(struct replay *r);

/* replay_open.c. Damage was met: on with what can be salvaged. */
bool replay_mend(struct replay *r, struct err *err);

#endif
