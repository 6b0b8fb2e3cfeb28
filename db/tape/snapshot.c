#include "db/tape/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static bool copy(sqlite3 *from, sqlite3 *to)
{
	sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");

	if (!backup)
		return false;
	sqlite3_backup_step(backup, -1);
	/* The copy is in WAL mode like a recording being written, with a log beside it. A snapshot stands alone. */
	return sqlite3_backup_finish(backup) == SQLITE_OK &&
	       sqlite3_exec(to, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL) == SQLITE_OK;
}

/* Rows that the recording adds later are not in the copy, so the copy's run ends here. */
static bool end_run(sqlite3 *to)
{
	return sqlite3_exec(to, "UPDATE run SET ended_us = (SELECT max(at_us) FROM tick) WHERE ended_us IS NULL", NULL, NULL,
			    NULL) == SQLITE_OK;
}

static bool write_snapshot(const struct tape *from, const char *path, bool is_running, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	sqlite3 *to = NULL;
	bool ok;

	if (fd < 0)
		return err_set(err, errno == EEXIST ? "%s exists already: give another name" : "%s: %s", path, strerror(errno));
	close(fd);
	ok = sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK && copy(from->db, to) &&
	     (!is_running || end_run(to));
	if (!ok) {
		err_set(err, "%s: %s", path, sqlite3_errmsg(to));
		unlink(path);
	}
	sqlite3_close(to);
	return ok;
}

bool snapshot_of(const struct tape *from, const char *path, struct err *err)
{
	return write_snapshot(from, path, false, err);
}

/*
 * Uses sqlite only: opening and closing the file in any other way would drop the locks that the recorder in this process
 * holds on it.
 */
bool snapshot_of_written(const char *path, const char *to, struct err *err)
{
	struct tape from = { 0 };
	bool ok;

	if (sqlite3_open_v2(path, &from.db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
		ok = err_set(err, "%s: %s", path, sqlite3_errmsg(from.db));
	} else {
		sqlite3_busy_timeout(from.db, 2000);
		ok = write_snapshot(&from, to, true, err);
	}
	tape_close(&from);
	return ok;
}
