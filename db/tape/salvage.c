/* Salvages the readable rows of a damaged recording, around the unreadable ones. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "db/tape/tape.h"

/* Each table and its leading integer column, used to skip damaged pages; NULL: read in one pass. */
static const struct { const char *table, *by; } tables[] = {
	{ "meta", NULL },     { "run", "id" },	    { "field", "id" },	 { "device", "id" }, { "port", "id" },
	{ "reply", "id" },    { "shape", "id" },    { "tick", "id" },	 { "sample", "id" }, { "hot", "id" },
	{ "chg", "sample" },  { "fact", "sample" }, { "key", "id" },	 { "raw", "id" },    { "kept", "sample" },
	{ "finding", "id" },  { "event", "id" },    { "command", "id" }, { "lane", "id" },
	{ "bringup", "id" },
};

#define HOLES_MAX	256	/* damaged places skipped in one table */

struct copy {
	const struct tape *from, *to;
	const char *table, *by;
	sqlite3_stmt *insert;
	int columns;
	int64_t at;		/* last number read */
	bool is_any;
};

static bool open_insert(struct copy *c)
{
	struct buf sql = { 0 };
	char *look = xasprintf("SELECT * FROM %s LIMIT 0", c->table);
	sqlite3_stmt *stmt = tape_prepare(c->from, look, NULL);

	c->columns = stmt ? sqlite3_column_count(stmt) : 0;
	buf_printf(&sql, "INSERT OR IGNORE INTO %s VALUES(", c->table);
	for (int i = 0; i < c->columns; i++)
		buf_str(&sql, i ? ", ?" : "?");
	buf_str(&sql, ")");
	c->insert = c->columns ? tape_prepare(c->to, sql.text, NULL) : NULL;
	sqlite3_finalize(stmt);
	free(look);
	buf_done(&sql);
	return c->insert;
}

static void copy_row(struct copy *c, sqlite3_stmt *row)
{
	for (int i = 0; i < c->columns; i++)
		sqlite3_bind_value(c->insert, i + 1, sqlite3_column_value(row, i));
	sqlite3_step(c->insert);
	sqlite3_reset(c->insert);
}

/* Copies the rows after one number up to another, until the end or an unreadable page; true at the end. */
static bool copy_range(struct copy *c, int64_t after, int64_t to, const char *order)
{
	char *sql = c->by ? xasprintf("SELECT *, %1$s FROM %2$s WHERE %1$s > %3$lld AND %1$s <= %4$lld ORDER BY %1$s %5$s",
				      c->by, c->table, (long long)after, (long long)to, order)
			  : xasprintf("SELECT *, 0 FROM %s", c->table);
	sqlite3_stmt *stmt = tape_prepare(c->from, sql, NULL);
	int rc = SQLITE_ERROR;

	free(sql);
	c->is_any = false;
	while (stmt && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		copy_row(c, stmt);
		c->at = sqlite3_column_int64(stmt, c->columns);
		c->is_any = true;
	}
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE;
}

/* Skips a hole: ever larger steps until a row is readable, then backwards to the hole's far edge. */
static bool step_over(struct copy *c, int64_t hole)
{
	for (int bit = 0; bit < 62 && hole < INT64_MAX - (INT64_C(1) << bit); bit++) {
		int64_t from = hole + (INT64_C(1) << bit);
		bool at_end = copy_range(c, from, INT64_MAX, "ASC");
		int64_t reached = c->at > from ? c->at : from;

		if (!c->is_any && !at_end)
			continue;
		copy_range(c, hole, from, "DESC");
		c->at = reached;
		return at_end;
	}
	return true;
}

static bool copy_table(struct copy *c)
{
	bool at_end, whole;

	if (!open_insert(c))
		return false;
	c->at = -1;
	at_end = whole = copy_range(c, -1, INT64_MAX, "ASC");
	for (int holes = 0; c->by && !at_end && holes < HOLES_MAX; holes++) {
		at_end = step_over(c, c->at);
	}
	sqlite3_finalize(c->insert);
	return whole;
}

/* The number of rows lost with a damaged page is unknown; the number saved is known. A replay detects each gap by itself. */
static void say_lost(const struct tape *to, const char *table, struct buf *lost)
{
	char *sql = xasprintf("SELECT count(*) FROM %s", table);

	buf_printf(lost, "%s%s (%lld rows saved)", lost->n ? ", " : "", table, (long long)tape_number(to, sql, 0));
	free(sql);
}

void tape_salvage(const struct tape *from, const struct tape *to, struct buf *lost)
{
	tape_run(to, "BEGIN; DELETE FROM meta", NULL);
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		struct copy c = { .from = from, .to = to, .table = tables[i].table, .by = tables[i].by };

		if (!copy_table(&c))
			say_lost(to, tables[i].table, lost);
	}
	if (tape_number(to, "SELECT max(id) FROM sample", 0) == 0)
		buf_printf(lost, "%sno sample could be read", lost->n ? ", " : "");
	tape_run(to, "COMMIT", NULL);
}

static char *aside_name(const char *path)
{
	static unsigned nth;	/* two names for two files in one second */
	time_t now = time(NULL);
	struct tm tm;
	char stamp[32];

	gmtime_r(&now, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &tm);
	return nth++ ? xasprintf("%s.damaged-%s-%u", path, stamp, nth) : xasprintf("%s.damaged-%s", path, stamp);
}

/* The WAL moves with its file: without it the newest rows would be lost. */
static bool move_aside(const char *path, const char *aside, struct err *err)
{
	static const char *const ends[] = { "-wal", "-shm" };

	if (rename(path, aside) != 0)
		return err_set(err, "%s: cannot be set aside: %s", path, strerror(errno));
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		char *from = xasprintf("%s%s", path, ends[i]), *to = xasprintf("%s%s", aside, ends[i]);

		rename(from, to);
		free(from);
		free(to);
	}
	return true;
}

bool tape_rescue(const char *path, struct buf *words, struct err *err)
{
	char *aside = aside_name(path);
	struct buf lost = { 0 };
	struct tape from, to;
	bool done = move_aside(path, aside, err) && tape_open(&to, path, err);

	if (done && tape_open_read(&from, aside, NULL)) {
		tape_salvage(&from, &to, &lost);
		tape_close(&from);
	} else if (done) {
		buf_str(&lost, "nothing could be read");
	}
	if (done) {
		tape_close(&to);
		buf_printf(words, "%s was damaged: it was renamed to %s; a new file holds the readable part", path, aside);
		if (lost.n)
			buf_printf(words, "; incomplete: %s", lost.text);
	}
	buf_done(&lost);
	free(aside);
	return done;
}
