/* The file of a recording: opened, made, checked, brought to this version; and small conveniences over sqlite. */
#ifndef DB_TAPE_TAPE_H
#define DB_TAPE_TAPE_H

#include <sqlite3.h>

#include "core/base/err.h"
#include "core/base/mem.h"

#define TAPE_APPLICATION	0x66636f6e	/* "fcon" */
#define TAPE_VERSION		3

struct tape {
	sqlite3 *db;
	int lock;	/* + 1; 0: none. Two consoles never write one recording. */
};

enum tape_is { TAPE_OURS, TAPE_NOT_THERE, TAPE_EMPTY, TAPE_FOREIGN, TAPE_UNREADABLE };

/* Opens for writing: makes the file (0600), or migrates an older one, keeping a copy at FILE.version-N. */
bool tape_open(struct tape *t, const char *path, struct err *err);
/* Opens what somebody sent: read-only, nothing in it is run or trusted. Newer and foreign files are refused. */
bool tape_open_read(struct tape *t, const char *path, struct err *err);
/* A private one that goes away when closed, for what was salvaged. */
bool tape_open_temporary(struct tape *t, struct err *err);
void tape_close(struct tape *t);

/* False, with the reason, when sqlite finds it damaged within two seconds; what takes longer is taken to be whole. */
bool tape_check(const struct tape *t, struct err *err);
/* The same within some hundredths of a second: of a large file only what names the rest is looked at. */
bool tape_glance(const struct tape *t, struct err *err);

bool tape_run(const struct tape *t, const char *sql, struct err *err);
/* NULL and err when it cannot be. */
sqlite3_stmt *tape_prepare(const struct tape *t, const char *sql, struct err *err);
/* Calls each for every row, until it returns false: then false without err. */
bool tape_each(const struct tape *t, const char *sql, bool (*each)(void *ctx, sqlite3_stmt *row), void *ctx,
	       struct err *err);
/* The first column of the first row; or otherwise. */
int64_t tape_number(const struct tape *t, const char *sql, int64_t otherwise);
/* A column, or NULL; lent until the next step. Texts with a NUL inside end there. */
const char *tape_text(sqlite3_stmt *row, int column);
struct span tape_blob(sqlite3_stmt *row, int column);

/*
 * Copies whatever can be read of one into another that is new. lost: in words, what could not be; text NULL when nothing
 * is known to be missing.
 */
void tape_salvage(const struct tape *from, const struct tape *to, struct buf *lost);
/* Sets a damaged file aside as FILE.damaged-TIME and makes a new one of what can be read. words: what was done. */
bool tape_rescue(const char *path, struct buf *words, struct err *err);

#endif
