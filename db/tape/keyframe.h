/*
 * A keyframe of one device: everything the model holds about it and the last values of its replies, so that a replay can
 * start after the keyframe's sample.
 */
#ifndef DB_TAPE_KEYFRAME_H
#define DB_TAPE_KEYFRAME_H

#include "db/tape/index.h"

/* Replies with at most this period have no rate in a keyframe: their next sample yields it again. */
#define KEY_FAST_US	(2 * SECOND)

/* Appends it to out. Every reply and port of d must have its stream (with a version) and its place in source. */
void keyframe_write(struct tape_index *s, struct tape_device *source, const struct device *d, struct buf *out);

/* One reply of a keyframe, as read: an observation and the state of its facts. */
struct keyframe_reply {
	struct probe_version *version;
	struct obs o;
	struct obs_key key;
	struct obs_was *was;	/* owned */
	size_t cap_was;
};

struct keyframe {
	struct tape_device *source;
	struct tape_port **ports; /* in the model's order, by first appearance */
	size_t n_ports, cap_ports;
	int64_t heard_us, newest_us;
	struct keyframe_reply *replies;
	size_t n, cap;
};

/*
 * Reads one, and sets the last values of source's replies to it. shape_of finds a shape's body by its number. False when the
 * body is invalid; source then has no last values.
 */
bool keyframe_read(struct tape_index *s, struct tape_device *source, struct span body,
		   bool (*shape_of)(void *ctx, int64_t id, struct probe_stream *a), void *ctx, struct keyframe *out);
void keyframe_done(struct keyframe *k);

#endif
