/* A recording copied whole into a new file that opens by itself, without the log beside it. */
#ifndef DB_TAPE_SNAPSHOT_H
#define DB_TAPE_SNAPSHOT_H

#include "db/tape/tape.h"

/* Makes the file (0600), never over one that is there; half a copy is taken away. */
bool snapshot_of(const struct tape *from, const char *to, struct err *err);
/* Of a recording that this process is writing: as far as it is committed. */
bool snapshot_of_written(const char *path, const char *to, struct err *err);

#endif
