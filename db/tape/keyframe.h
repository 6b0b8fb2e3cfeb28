/*
 * A keyframe of one device: all that a model holds of it and all that its replies last said, so that a replay can begin
 * after the sample it was made at.
 */
#ifndef DB_TAPE_KEYFRAME_H
#define DB_TAPE_KEYFRAME_H

#include "db/tape/index.h"

/* What comes as often as this has no rate in a keyframe: its next sample gives it again. */
#define KEY_FAST_US	(2 * SECOND)

/* Adds it to out. Every reply and port of d must have its stream (with a version) and its place in source. */
void keyframe_write(struct tape_index *s, struct tape_device *source, const struct device *d, struct buf *out);

/* One reply of a keyframe, read: an observation and how its facts stood. */
struct keyframe_reply {
	struct probe_version *version;
	struct obs o;
	struct obs_key key;
	struct obs_was *was;	/* owned */
	size_t cap_was;
};

struct keyframe {
	struct tape_device *source;
	struct tape_port **ports; /* as the model had them, in order of appearance */
	size_t n_ports, cap_ports;
	int64_t heard_us, newest_us;
	struct keyframe_reply *replies;
	size_t n, cap;
};

/*
 * Reads one, and sets what source's replies said to it. shape_of finds a shape's body by its number. False when the
 * body is not sound; then source is as if nothing had been said.
 */
bool keyframe_read(struct tape_index *s, struct tape_device *source, struct span body,
		   bool (*shape_of)(void *ctx, int64_t id, struct probe_stream *a), void *ctx, struct keyframe *out);
void keyframe_done(struct keyframe *k);

#endif
