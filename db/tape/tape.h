/* The file of a recording: opened, created, checked, migrated to this version; and small helpers over sqlite. */
#ifndef DB_TAPE_TAPE_H
#define DB_TAPE_TAPE_H

#include <sqlite3.h>

#include "core/base/err.h"
#include "core/base/mem.h"

#define TAPE_APPLICATION	0x66636f6e	/* "fcon" */
#define TAPE_VERSION		4

struct tape {
	sqlite3 *db;
	int lock;	/* file descriptor + 1; 0: none. Two consoles never write one recording. */
};

enum tape_is { TAPE_OURS, TAPE_NOT_THERE, TAPE_EMPTY, TAPE_FOREIGN, TAPE_UNREADABLE };

/* Opens for writing: creates the file (0600), or migrates an older one, keeping a copy at FILE.version-N. */
bool tape_open(struct tape *t, const char *path, struct err *err);
/* Opens a file from anyone: read-only, nothing in it is run or trusted. Newer and foreign files are refused. */
bool tape_open_read(struct tape *t, const char *path, struct err *err);
/* A private file, deleted when closed, for salvaged rows. */
bool tape_open_temporary(struct tape *t, struct err *err);
void tape_close(struct tape *t);

/* False, with the reason, when sqlite finds damage within two seconds; after that the file is taken to be intact. */
bool tape_check(const struct tape *t, struct err *err);
/* The same within some hundredths of a second: checks only the name tables of a large file. */
bool tape_glance(const struct tape *t, struct err *err);

bool tape_run(const struct tape *t, const char *sql, struct err *err);
/* NULL and err on failure. */
sqlite3_stmt *tape_prepare(const struct tape *t, const char *sql, struct err *err);
/* Calls each for every row, until it returns false: then returns false without err. */
bool tape_each(const struct tape *t, const char *sql, bool (*each)(void *ctx, sqlite3_stmt *row), void *ctx,
	       struct err *err);
/* The first column of the first row; or otherwise if there is none. */
int64_t tape_number(const struct tape *t, const char *sql, int64_t otherwise);
/* A column, or NULL; lent until the next step. A text ends at its first NUL. */
const char *tape_text(sqlite3_stmt *row, int column);
struct span tape_blob(sqlite3_stmt *row, int column);

/*
 * Copies all readable rows of one recording into another that is new. lost: in words, what could not be read; text NULL when
 * nothing is known to be missing.
 */
void tape_salvage(const struct tape *from, const struct tape *to, struct buf *lost);
/* Renames a damaged file to FILE.damaged-TIME and makes a new one from its readable part. words: what was done. */
bool tape_rescue(const char *path, struct buf *words, struct err *err);

#endif
