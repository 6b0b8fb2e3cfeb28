/* Copies a whole recording into a new file that opens by itself, without a WAL beside it. */
#ifndef DB_TAPE_SNAPSHOT_H
#define DB_TAPE_SNAPSHOT_H

#include "db/tape/tape.h"

/* Creates the file (0600), never over an existing one; removes a partial copy. */
bool snapshot_of(const struct tape *from, const char *to, struct err *err);
/* For a recording that this process is writing: copies what is committed. */
bool snapshot_of_written(const char *path, const char *to, struct err *err);

#endif
