/* Shared by the files of a recorder: names (names.c), facts (facts.c), and taking (recorder.c). */
#ifndef DB_RECORD_INTERNAL_H
#define DB_RECORD_INTERNAL_H

#include "core/base/hash.h"
#include "db/record/recorder.h"

#include "db/record/writer.h"
#include "db/tape/index.h"

struct shape_name {
	UT_hash_handle hh;
	int64_t id;
	size_t n;
	char body[];
};

struct recorder {
	struct writer *writer;
	struct tape_index said;
	const struct model *model;
	struct model *own;		/* NULL when the caller lent a model */
	int64_t key_us;
	int64_t run, sample, shape_id;
	int64_t tick_us, newest_us;
	int64_t lane;			/* the bucket being counted; 0: none yet */
	struct tape_device **due;	/* a ring: devices with samples since their keyframe, the longest waiting first */
	size_t due_first, n_due, cap_due;
	struct shape_name *shapes;
	struct buf names;		/* rows that others refer to: never dropped, they wait for room */
	struct buf rows;		/* of the current observation */
	struct buf body;		/* scratch */
	struct hot_row { int64_t delta[HOT_COLUMNS]; unsigned mask; } *hot;
	size_t cap_hot;
	uint64_t lost;			/* observations dropped for lack of room */
	bool is_broken;			/* some were dropped: a new run begins with the next that fits */
	char trouble[320];
	struct buf words;
};

/* Names and shapes get their numbers, and a row in r->names, on first use. */
void names_fields(struct recorder *r, int64_t last);
struct tape_port *names_place(struct recorder *r, struct tape_device *source, const char *name);
struct tape_device *names_source(struct recorder *r, const char *name);
struct probe_stream *names_asker(struct recorder *r, struct tape_device *source, const struct obs *o);
bool shape_is(const struct shape *shape, const struct obs *o);
void shape_fill(struct recorder *r, struct probe_stream *a, const struct obs *o);
void shapes_forget(struct recorder *r);
int64_t shape_number(struct recorder *r, const struct shape *shape);

/* Rows of one observation: return the number of facts written; rows_raw() returns the flags for the text. */
void rows_command(struct buf *rows, int64_t at_us, const char *device, const char *text, const char *outcome);
void rows_event(struct buf *rows, int64_t at_us, const char *kind, const char *place, const char *text);
unsigned rows_absent(struct recorder *r, struct probe_stream *a);
unsigned rows_facts(struct recorder *r, struct probe_stream *a, const struct obs *o);
unsigned rows_raw(struct recorder *r, struct probe_stream *a, const struct obs *o, bool is_same_shape);

#endif
