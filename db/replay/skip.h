/*
 * On the way to a time, the replies that come each second need not be told in full: only what moved in them, what another
 * probe says too, and what has a history. The last one of each question is told in full, and then the rates of counters
 * that stood still come out right too. So at the time sought, and after it, a model is what it was live.
 */
#ifndef DB_REPLAY_SKIP_H
#define DB_REPLAY_SKIP_H

#include "db/tape/index.h"

/* Before a way begins: nothing is brief. Then each sample up to its end is noted. */
void replay_skip_forget(struct tape_index *s);
void replay_skip_note(struct probe_stream *a, int64_t sample);

/* Before the rows of a sample are added up, its shape being settled; false: it is told in full and no more need be done. */
bool replay_skip_begin(struct probe_stream *a, int64_t sample);
/* A row of the sample changed this. */
void replay_skip_touch(struct probe_stream *a, struct last_value *slot);
/* Whether the sample is brief. o: all but its facts. has_news: its shape or its text are not as before, or it did not begin. */
bool replay_skip_end(struct probe_stream *a, const struct obs *o, bool has_news);
/* Whether a fact of the shape is to be told: with its history, or without. */
bool replay_skip_tells(const struct probe_stream *a, size_t fact, bool with_history);

#endif
