/*
 * The last value of each fact of each reply in a recording. The recorder writes differences from these values, the replay adds
 * the differences up again; both update the index in the same way, sample by sample.
 */
#ifndef DB_TAPE_INDEX_H
#define DB_TAPE_INDEX_H

#include "core/base/hash.h"
#include "core/model/model.h"
#include "db/tape/last_values.h"
#include "db/tape/tape.h"

#define HOT_COLUMNS	8
#define HOT_PORTS	1024		/* ports of a device with columns in table hot; counters of further ports are rows of chg */
#define WHAT_INDEX_BITS	6
#define WHAT_NTH_BITS	20		/* bits above: the occurrence, when one reply reports a fact several times */

enum { SAMPLE_PARTIAL = 1, SAMPLE_SAME_TEXT = 2, SAMPLE_TEXT_KEPT = 4 };	/* sample.flags */

/* A port with its number in the file. name NULL: the device itself, always the first port of its device. */
struct tape_port {
	int64_t id;
	unsigned nth;
	uint32_t mark;			/* equals the mark of the index: in the shape being read */
	const char *name;
	struct tape_device *source;
	UT_hash_handle by_id, by_name;
};

/* A shape: which facts a reply holds, in order. */
struct shape {
	int64_t id;
	struct tape_port **ports;
	size_t n_ports, cap_ports;
	struct shape_fact { uint16_t port; uint8_t field, index; uint32_t slot; } *facts;	/* slot: the number of its last value */
	size_t n, cap;
};

/* Replay: which facts of a stream can be skipped while seeking a time; see db/replay/skip.h. */
struct replay_skip {
	int64_t full_from;		/* from this sample on every fact is replayed */
	int64_t clock_us;		/* of the last reply replayed */
	bool by_device_clock;
	bool is_known;			/* replayed in full since its keyframe and since its counters last restarted */
	bool is_whole;			/* some facts are valid only together with the rest of the reply: never skip */
	uint32_t of_shape, of_slots;	/* the shape and the number of slots that the bits describe */
	uint64_t *moved, *always, *sparks;	/* owned, one allocation: a bit for each fact of the shape */
	size_t words;
};

/* One stream of replies: a probe of a device, with its subject. */
struct probe_stream {
	struct tape_device *source;
	const char *probe, *subject;
	struct probe_version *version;	/* the newest version */
	struct shape shape;
	struct last_values slots;
	uint32_t *hot;			/* owned: HOT_COLUMNS entries for each port: slot number + 1; 0: none */
	size_t n_hot;
	uint32_t mark;
	bool had_partial;		/* the last reply was truncated */
	struct replay_skip brief;
	int64_t kept;			/* the sample whose stored text equals that of the last reply; 0: not stored */
	int64_t kept_at_us;
	unsigned char sha[32];
	struct buf raw;			/* replay: the text of raw_sample */
	int64_t raw_sample;
	uint32_t *cites;		/* replay: owned, one for each fact of the shape */
	size_t n_cites;
};

/* A row of table reply. A stream gets a new version when its command, rank or period changes. */
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
	int64_t key_sample;		/* replay: starts after this sample. recorder: the newest keyframe */
	int64_t unkeyed_us;		/* recorder: time of the first sample since the keyframe; 0: none */
	bool is_queued;			/* recorder: queued for a keyframe */
	bool is_lost;			/* replay: rows are missing; valid again at the next keyframe */
	int64_t lost_sample;		/* replay: the first unreadable sample */
	uint32_t slots_made;		/* slots of all its streams */
	uint32_t owners_of, *owners;	/* replay: owned; see db/replay/skip.c */
	UT_hash_handle by_id, by_names;
};

struct tape_index {
	struct tape_device *by_id, *by_names;
	struct tape_device **sources;	/* in order of first appearance */
	size_t n_sources, cap_sources;
	struct tape_port *places, *found; /* found: the result of the last lookup */
	struct probe_version *versions;
	int64_t last_place, last_version, last_source;
	uint32_t mark;
	int field_of[1024];		/* field by its number in the file; -1: unknown to this program */
	int file_of[FIELD_COUNT];	/* the reverse */
	struct arena names;
};

void tape_index_init(struct tape_index *s);
void tape_index_done(struct tape_index *s);
/* Loads the fields, devices, ports and replies of a file. */
bool tape_index_load(struct tape_index *s, const struct tape *t, struct err *err);
/* Clears the last values and keeps the names. */
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

uint64_t tape_index_what(const struct tape_index *s, enum field f, unsigned index);
/* False when the number is of no known field, or the index is out of its range. */
bool tape_index_field(const struct tape_index *s, uint64_t what, enum field *f, unsigned *index);

/* Finds or adds a slot; lent until the next slot is added. */
struct last_value *probe_stream_slot(struct tape_index *s, struct probe_stream *a, const struct tape_port *p,
				     uint64_t what);
/* The slot of a column of table hot; NULL when it has no value. */
struct last_value *probe_stream_hot(const struct probe_stream *a, size_t nth, unsigned column);
/* Finds or adds the slots of the stream's shape, once its ports and facts are filled in; marks them with a new mark. */
bool probe_stream_settle(struct tape_index *s, struct probe_stream *a);
void shape_write(const struct tape_index *s, const struct shape *shape, struct buf *out);
bool shape_read(struct tape_index *s, struct tape_device *source, struct span body, struct shape *out);

/* Numbers in blobs: varint, seven bits per byte, least significant first; signed numbers are zigzag-encoded. */
void put_varint(struct buf *b, uint64_t n);
void put_signed(struct buf *b, int64_t n);
void put_text(struct buf *b, const char *text);
bool take_varint(struct span *s, uint64_t *n);
bool take_signed(struct span *s, int64_t *n);
/* text is a slice of s; its length is checked. */
bool take_text(struct span *s, struct span *text);

#endif
