/*
 * While seeking a time, the replies of each second are not replayed in full: only facts that changed, that another probe also
 * reports, or that have a history. The last reply of each probe is replayed in full, which also corrects the rates of
 * unchanged counters. So at the time sought and after it, the model equals the live one.
 */
#ifndef DB_REPLAY_SKIP_H
#define DB_REPLAY_SKIP_H

#include "db/tape/index.h"

/* Call before seeking: nothing is brief. Then note each sample up to the time sought. */
void replay_skip_forget(struct tape_index *s);
void replay_skip_note(struct probe_stream *a, int64_t sample);

/* Call before adding up a sample's rows, with its shape settled; false: it is replayed in full, nothing more to do. */
bool replay_skip_begin(struct probe_stream *a, int64_t sample);
/* A row of the sample changed this slot. */
void replay_skip_touch(struct probe_stream *a, struct last_value *slot);
/* Whether the sample is brief. o: all but its facts. has_news: its shape or text changed, or replay_skip_begin() was false. */
bool replay_skip_end(struct probe_stream *a, const struct obs *o, bool has_news);
/* Whether a fact of the shape is replayed: with its history, or without. */
bool replay_skip_tells(const struct probe_stream *a, size_t fact, bool with_history);

#endif
