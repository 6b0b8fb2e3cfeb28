/*
 * What each reply of a recording last said. The recorder writes the differences to it, the replay adds them up again;
 * both keep it alike, sample by sample.
 */
#ifndef DB_TAPE_INDEX_H
#define DB_TAPE_INDEX_H

#include <uthash.h>

#include "core/model/model.h"
#include "db/tape/last_values.h"
#include "db/tape/tape.h"

#define HOT_COLUMNS	8
#define HOT_PORTS	1024		/* of a device: the others' counters are rows of chg */
#define WHAT_INDEX_BITS	6
#define WHAT_NTH_BITS	20		/* above: the how manieth time one reply said the same fact */

enum { SAMPLE_PARTIAL = 1, SAMPLE_SAME_TEXT = 2, SAMPLE_TEXT_KEPT = 4 };	/* sample.flags */

/* A port as the file numbers it; name NULL: the device itself, always the first of its source. */
struct tape_port {
	int64_t id;
	unsigned nth;
	uint32_t mark;			/* equals the said's: in the shape being read */
	const char *name;
	struct tape_device *source;
	UT_hash_handle by_id, by_name;
};

/* The facts of a reply in their order. */
struct shape {
	int64_t id;
	struct tape_port **ports;
	size_t n_ports, cap_ports;
	struct shape_fact { uint16_t port; uint8_t field, index; uint32_t slot; } *facts;	/* slot: its number */
	size_t n, cap;
};

/* Replay: how briefly the replies to a question can be told; see brief.h. */
struct replay_skip {
	int64_t full_from;		/* from this sample on all is told */
	int64_t clock_us;		/* of the last reply told */
	bool by_device_clock;
	bool is_known;			/* told in full since its key, and since its counters last restarted */
	bool is_whole;			/* some of it is of use only beside the rest: never brief */
	uint32_t of_shape, of_slots;	/* what the bits were worked out for */
	uint64_t *moved, *always, *sparks;	/* owned, in one piece: a bit for each fact of the shape */
	size_t words;
};

/* One question: a device's probe and subject. */
struct probe_stream {
	struct tape_device *source;
	const char *probe, *subject;
	struct probe_version *version;	/* as it was last asked */
	struct shape shape;
	struct last_values slots;
	uint32_t *hot;			/* owned: HOT_COLUMNS slots for each place, by number + 1; 0: none */
	size_t n_hot;
	uint32_t mark;
	bool had_partial;		/* the last reply was cut short */
	struct replay_skip brief;
	int64_t kept;			/* sample whose text is the one of the last reply; 0: not kept */
	int64_t kept_at_us;
	unsigned char sha[32];
	struct buf raw;			/* replay: that text, of raw_sample */
	int64_t raw_sample;
	uint32_t *cites;		/* replay: owned, of the shape's facts */
	size_t n_cites;
};

/* A row of reply: the same question may change its command or period. */
struct probe_version {
	int64_t id;
	struct probe_stream *stream;
	const char *command;
	unsigned rank;
	int64_t period_us, clock_us;
	UT_hash_handle by_id;
};

struct tape_device {
	int64_t id;
	const char *name;
	struct tape_port **places, *by_name;
	size_t n_places, cap_places;
	struct probe_stream **streams;
	size_t n_streams, cap_streams;
	int64_t key_sample;		/* replay: begins after this one. recorder: newest key */
	int64_t unkeyed_us;		/* recorder: time of the first sample since; 0: none */
	bool is_queued;			/* recorder: waits for its key */
	bool is_lost;			/* replay: rows are missing; back at its next key */
	int64_t lost_sample;		/* replay: the first that could not be read */
	uint32_t slots_made;		/* of all streams */
	uint32_t owners_of, *owners;	/* replay: owned, see brief.c */
	UT_hash_handle by_id, by_names;
};

struct tape_index {
	struct tape_device *by_id, *by_names;
	struct tape_device **sources;	/* in order of their first appearance */
	size_t n_sources, cap_sources;
	struct tape_port *places, *found; /* found: the last one that was looked for */
	struct probe_version *versions;
	int64_t last_place, last_version, last_source;
	uint32_t mark;
	int field_of[1024];		/* field by its number in the file; -1: not in our dictionary */
	int file_of[FIELD_COUNT];	/* and back */
	struct arena names;
};

void tape_index_init(struct tape_index *s);
void tape_index_done(struct tape_index *s);
/* Reads the devices, ports, replies and fields of a file. */
bool tape_index_load(struct tape_index *s, const struct tape *t, struct err *err);
/* Forgets what was said; the names stay. */
void tape_device_forget(struct tape_device *source);
void tape_index_forget(struct tape_index *s);

struct tape_device *tape_index_device(struct tape_index *s, const char *name, bool *is_new);
struct tape_port *tape_index_port(struct tape_index *s, struct tape_device *source, const char *name, bool *is_new);
struct probe_stream *tape_index_stream(struct tape_index *s, struct tape_device *source, const char *probe,
				       const char *subject);
struct probe_version *tape_index_version(struct tape_index *s, struct probe_stream *a, const char *command,
					 unsigned rank, int64_t period_us, int64_t clock_us, bool *is_new);
struct tape_port *tape_index_port_by_id(struct tape_index *s, int64_t id);
struct probe_version *tape_index_version_by_id(struct tape_index *s, int64_t id);

/* The fact that a column of hot is about. */
uint64_t tape_index_what(const struct tape_index *s, enum field f, unsigned index);
/* False when the file's number is of no field we know, or the index is not one of it. */
bool tape_index_field(const struct tape_index *s, uint64_t what, enum field *f, unsigned *index);

/* Lent until another is made. */
struct last_value *probe_stream_slot(struct tape_index *s, struct probe_stream *a, const struct tape_port *p,
				     uint64_t what);
/* The slot of a column of hot; NULL when nothing was said of it. */
struct last_value *probe_stream_hot(const struct probe_stream *a, size_t nth, unsigned column);
/* Finds the slots of a shape whose ports and facts are filled; marks them with a new stream->mark. */
bool probe_stream_settle(struct tape_index *s, struct probe_stream *a);
void shape_write(const struct tape_index *s, const struct shape *shape, struct buf *out);
bool shape_read(struct tape_index *s, struct tape_device *source, struct span body, struct shape *out);

/* Numbers in blobs: seven bits a byte, the least first; signed ones zigzag. */
void put_varint(struct buf *b, uint64_t n);
void put_signed(struct buf *b, int64_t n);
void put_text(struct buf *b, const char *text);
bool take_varint(struct span *s, uint64_t *n);
bool take_signed(struct span *s, int64_t *n);
/* A slice; n of bytes is checked. */
bool take_text(struct span *s, struct span *text);

#endif
