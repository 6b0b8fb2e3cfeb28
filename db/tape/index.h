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
struct place {
	int64_t id;
	unsigned nth;
	uint32_t mark;			/* equals the said's: in the shape being read */
	const char *name;
	struct source *source;
	UT_hash_handle by_id, by_name;
};

/* The facts of a reply in their order. */
struct shape {
	int64_t id;
	struct place **ports;
	size_t n_ports, cap_ports;
	struct shape_fact { uint16_t port; uint8_t field, index; uint32_t slot; } *facts;	/* slot: its number */
	size_t n, cap;
};

/* Replay: how briefly the replies to a question can be told; see brief.h. */
struct brief {
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
struct asker {
	struct source *source;
	const char *probe, *subject;
	struct variant *variant;	/* as it was last asked */
	struct shape shape;
	struct slots slots;
	uint32_t *hot;			/* owned: HOT_COLUMNS slots for each place, by number + 1; 0: none */
	size_t n_hot;
	uint32_t mark;
	bool had_partial;		/* the last reply was cut short */
	struct brief brief;
	int64_t kept;			/* sample whose text is the one of the last reply; 0: not kept */
	int64_t kept_at_us;
	unsigned char sha[32];
	struct buf raw;			/* replay: that text, of raw_sample */
	int64_t raw_sample;
	uint32_t *cites;		/* replay: owned, of the shape's facts */
	size_t n_cites;
};

/* A row of reply: the same question may change its command or period. */
struct variant {
	int64_t id;
	struct asker *asker;
	const char *command;
	unsigned rank;
	int64_t period_us, clock_us;
	UT_hash_handle by_id;
};

struct source {
	int64_t id;
	const char *name;
	struct place **places, *by_name;
	size_t n_places, cap_places;
	struct asker **askers;
	size_t n_askers, cap_askers;
	int64_t key_sample;		/* replay: begins after this one. recorder: newest key */
	int64_t unkeyed_us;		/* recorder: time of the first sample since; 0: none */
	bool is_queued;			/* recorder: waits for its key */
	bool is_lost;			/* replay: rows are missing; back at its next key */
	int64_t lost_sample;		/* replay: the first that could not be read */
	uint32_t slots_made;		/* of all askers */
	uint32_t owners_of, *owners;	/* replay: owned, see brief.c */
	UT_hash_handle by_id, by_names;
};

struct said {
	struct source *by_id, *by_names;
	struct source **sources;	/* in order of their first appearance */
	size_t n_sources, cap_sources;
	struct place *places, *found;	/* found: the last one that was looked for */
	struct variant *variants;
	int64_t last_place, last_variant, last_source;
	uint32_t mark;
	int field_of[1024];		/* field by its number in the file; -1: not in our dictionary */
	int file_of[FIELD_COUNT];	/* and back */
	struct arena names;
};

void said_init(struct said *s);
void said_done(struct said *s);
/* Reads the devices, ports, replies and fields of a file. */
bool said_load(struct said *s, const struct tape *t, struct err *err);
/* Forgets what was said; the names stay. */
void source_forget(struct source *source);
void said_forget(struct said *s);

struct source *said_source(struct said *s, const char *name, bool *is_new);
struct place *said_place(struct said *s, struct source *source, const char *name, bool *is_new);
struct asker *said_asker(struct said *s, struct source *source, const char *probe, const char *subject);
struct variant *said_variant(struct said *s, struct asker *a, const char *command, unsigned rank, int64_t period_us,
			     int64_t clock_us, bool *is_new);
struct place *said_place_by_id(struct said *s, int64_t id);
struct variant *said_variant_by_id(struct said *s, int64_t id);
struct source *said_source_by_id(struct said *s, int64_t id);

/* The fact that a column of hot is about. */
void hot_fact(unsigned column, enum field *f, unsigned *index);
uint64_t said_what(const struct said *s, enum field f, unsigned index);
/* False when the file's number is of no field we know, or the index is not one of it. */
bool said_field(const struct said *s, uint64_t what, enum field *f, unsigned *index);

/* Lent until another is made. */
struct slot *asker_slot(struct said *s, struct asker *a, const struct place *p, uint64_t what);
/* The slot of a column of hot; NULL when nothing was said of it. */
struct slot *asker_hot(const struct asker *a, size_t nth, unsigned column);
/* Finds the slots of a shape whose ports and facts are filled; marks them with a new asker->mark. */
bool asker_settle(struct said *s, struct asker *a);
void shape_write(const struct said *s, const struct shape *shape, struct buf *out);
bool shape_read(struct said *s, struct source *source, struct span body, struct shape *out);

/* Numbers in blobs: seven bits a byte, the least first; signed ones zigzag. */
void put_varint(struct buf *b, uint64_t n);
void put_signed(struct buf *b, int64_t n);
void put_text(struct buf *b, const char *text);
bool take_varint(struct span *s, uint64_t *n);
bool take_signed(struct span *s, int64_t *n);
/* A slice; n of bytes is checked. */
bool take_text(struct span *s, struct span *text);

#endif
