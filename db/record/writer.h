/*
 * The writer thread: takes rows in order, commits about once a second, retries when the disk is full.
 * A row is a kind and its values, appended to a buf one after the other.
 */
#ifndef DB_RECORD_WRITER_H
#define DB_RECORD_WRITER_H

#include <stdbool.h>

#include "core/base/mem.h"
#include "db/tape/tape.h"

enum row {
	ROW_META, ROW_RUN, ROW_RUN_ENDED, ROW_FIELD, ROW_DEVICE, ROW_PORT, ROW_REPLY, ROW_SHAPE, ROW_TICK, ROW_SAMPLE, ROW_HOT,
	ROW_CHG, ROW_FACT, ROW_KEY, ROW_RAW, ROW_KEPT, ROW_FINDING_OPENED, ROW_FINDING_CLOSED, ROW_EVENT, ROW_COMMAND,
	ROW_BRINGUP, ROW_LANE,
	ROW_COUNT,
};

struct writer;

struct writer_limits {
	uint64_t keep_bytes;	/* of the file; 0: no limit */
	int64_t keep_us;	/* 0: no limit */
	int64_t commit_us;	/* between commits; 0: a second */
};

/* Takes ownership of t. */
struct writer *writer_new(struct tape t, const struct writer_limits *limits);
/* Commits the rest, closes. */
void writer_free(struct writer *w);
/* False, with nothing taken, when too much is waiting. at_us: the newest time among the rows. */
bool writer_put(struct writer *w, const struct buf *rows, int64_t at_us);
/* Whether to resume after it took nothing: half of the waiting room is free. */
bool writer_has_room(struct writer *w);
int64_t writer_acknowledged(const struct writer *w);
/* NULL: no problem. Lent until the next call from the same thread. */
const char *writer_trouble(struct writer *w);

void row_begin(struct buf *b, enum row kind);
void row_int(struct buf *b, int64_t n);
void row_real(struct buf *b, double x);
void row_null(struct buf *b);
void row_text(struct buf *b, const char *text);
void row_blob(struct buf *b, struct span bytes);

#endif
