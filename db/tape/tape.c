#include "db/tape/tape.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char schema[] =
#include "schema.inc"	/* generated from schema.sql by the Makefile */
	;

/* Each migrates a file from its version (the row's number) to the next; all inside one transaction. */
static const char *const migrations[TAPE_VERSION] = {
	[1] = "CREATE TABLE IF NOT EXISTS command(id INTEGER PRIMARY KEY, at_us INT, device TEXT, text TEXT, outcome TEXT);"
	      "CREATE VIEW IF NOT EXISTS commands AS SELECT datetime(at_us / 1000000, 'unixepoch') AS at, device,"
	      " text AS command, outcome FROM command;",
	[2] = "CREATE TABLE IF NOT EXISTS lane(id INTEGER PRIMARY KEY, pfc REAL, ecn REAL, cnp REAL, loss REAL, error REAL);"
	      "CREATE VIEW IF NOT EXISTS lanes AS SELECT datetime(id * 5, 'unixepoch') AS at, pfc / 5 AS pfc_received_s,"
	      " ecn / 5 AS ecn_marked_s, cnp / 5 AS cnp_sent_s, loss / 5 AS out_of_sequence_s, error / 5 AS errors_drops_s"
	      " FROM lane;",
	[3] = "CREATE TABLE IF NOT EXISTS bringup(id INTEGER PRIMARY KEY, at_us INT, kind TEXT, body TEXT);",
};

/* -- small helpers -- */

bool tape_run(const struct tape *t, const char *sql, struct err *err)
{
	if (sqlite3_exec(t->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return err_set(err, "%s", sqlite3_errmsg(t->db));
	return true;
}

sqlite3_stmt *tape_prepare(const struct tape *t, const char *sql, struct err *err)
{
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(t->db, sql, -1, &stmt, NULL) != SQLITE_OK)
		err_set(err, "%s", sqlite3_errmsg(t->db));
	return stmt;
}

bool tape_each(const struct tape *t, const char *sql, bool (*each)(void *ctx, sqlite3_stmt *row), void *ctx,
	       struct err *err)
{
	sqlite3_stmt *stmt = tape_prepare(t, sql, err);
	bool go_on = true;
	int rc = SQLITE_ROW;

	if (!stmt)
		return false;
	while (go_on && (rc = sqlite3_step(stmt)) == SQLITE_ROW)
		go_on = each(ctx, stmt);
	if (go_on && rc != SQLITE_DONE)
		err_set(err, "%s", sqlite3_errmsg(t->db));
	sqlite3_finalize(stmt);
	return go_on && rc == SQLITE_DONE;
}

int64_t tape_number(const struct tape *t, const char *sql, int64_t otherwise)
{
	sqlite3_stmt *stmt = tape_prepare(t, sql, NULL);
	int64_t n = otherwise;
	int rc = stmt ? sqlite3_step(stmt) : SQLITE_DONE;

	if (rc == SQLITE_NOMEM)
		mem_is_out();	/* not "otherwise" */
	if (rc == SQLITE_ROW && sqlite3_column_type(stmt, 0) != SQLITE_NULL)
		n = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return n;
}

const char *tape_text(sqlite3_stmt *row, int column)
{
	return (const char *)sqlite3_column_text(row, column);
}

struct span tape_blob(sqlite3_stmt *row, int column)
{
	const char *p = sqlite3_column_blob(row, column);
	int n = sqlite3_column_bytes(row, column);

	return (struct span){ p, p && n > 0 ? (size_t)n : 0 };
}

/* -- file type -- */

#define HEADER_BYTES	100
#define HEADER_ID	68	/* offset of the application id in an sqlite file, big-endian */

static bool is_ours(const unsigned char *header)
{
	const unsigned char *id = header + HEADER_ID;
	uint32_t application = (uint32_t)id[0] << 24 | (uint32_t)id[1] << 16 | (uint32_t)id[2] << 8 | id[3];

	return memcmp(header, "SQLite format 3", 16) == 0 && application == TAPE_APPLICATION;
}

static enum tape_is look_inside(const char *path, struct err *err)
{
	unsigned char header[HEADER_BYTES] = { 0 };
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	ssize_t n;

	if (fd < 0)
		return err_set(err, "%s: %s", path, strerror(errno)), TAPE_UNREADABLE;
	n = read(fd, header, sizeof(header));
	close(fd);
	if (n < 0)
		return err_set(err, "%s: %s", path, strerror(errno)), TAPE_UNREADABLE;
	if (n == 0)
		return err_set(err, "%s is empty", path), TAPE_EMPTY;
	if (n < HEADER_BYTES || !is_ours(header))
		return err_set(err, "%s is not a recording of fabcon", path), TAPE_FOREIGN;
	return TAPE_OURS;
}

/* The type of the file at path, by its first bytes; err says why it is not ours. Follows no symbolic link. */
static enum tape_is tape_look(const char *path, struct err *err)
{
	struct stat st;

	if (lstat(path, &st) != 0) {
		err_set(err, "%s: %s", path, strerror(errno));
		return errno == ENOENT ? TAPE_NOT_THERE : TAPE_UNREADABLE;
	}
	if (!S_ISREG(st.st_mode))
		return err_set(err, "%s is not a plain file", path), TAPE_FOREIGN;
	return look_inside(path, err);
}

/* -- opening -- */

static bool name_failed(struct tape *t, const char *path, struct err *err)
{
	char reason[sizeof(err->text)];

	snprintf(reason, sizeof(reason), "%s", t->db ? sqlite3_errmsg(t->db) : "out of memory");
	tape_close(t);
	return err_set(err, "%s: %.300s", path, reason);
}

static bool refuse_other_versions(struct tape *t, const char *path, int64_t oldest, struct err *err)
{
	int64_t version = tape_number(t, "PRAGMA user_version", -1);

	if (version < 0)
		return name_failed(t, path, err);
	if (version > TAPE_VERSION)
		err_set(err, "%s was written by a newer fabcon: its version is %lld, this program reads up to %d", path,
			(long long)version, TAPE_VERSION);
	else if (version < oldest)
		err_set(err, "%s: unknown recording version %lld", path, (long long)version);
	else
		return true;
	tape_close(t);
	return false;
}

static bool make_schema(const struct tape *t, struct err *err)
{
	char *header = xasprintf("PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT", TAPE_APPLICATION, TAPE_VERSION);
	bool done = tape_run(t, "BEGIN IMMEDIATE", err) && tape_run(t, schema, err) && tape_run(t, header, err);

	free(header);
	return done;
}

static bool keep_copy(const struct tape *t, const char *path, int64_t version, struct err *err)
{
	char *name = xasprintf("%s.version-%lld", path, (long long)version);
	char *sql = sqlite3_mprintf("VACUUM INTO %Q", name);
	mode_t mask = umask(0077);
	bool done = (unlink(name) == 0 || errno == ENOENT) && sql && tape_run(t, sql, err);

	umask(mask);
	sqlite3_free(sql);
	free(name);
	return done;
}

static bool migrate(const struct tape *t, const char *path, struct err *err)
{
	int64_t version = tape_number(t, "PRAGMA user_version", -1);
	char *done = xasprintf("PRAGMA user_version = %d; COMMIT", TAPE_VERSION);
	bool ok = version == TAPE_VERSION || (keep_copy(t, path, version, err) && tape_run(t, "BEGIN IMMEDIATE", err));

	for (int64_t v = version; ok && v < TAPE_VERSION; v++)
		ok = tape_run(t, migrations[v], err);
	if (ok && version != TAPE_VERSION)
		ok = tape_run(t, done, err);
	free(done);
	return ok;
}

static bool create_file(const char *path, struct err *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return err_set(err, "%s: %s", path, strerror(errno));
	close(fd);
	return true;
}

#define WRITE_PRAGMAS \
	"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864;" \
	"PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -8000"

/* One thread uses a tape at a time: sqlite need not lock at each column. */
static bool open_db(struct tape *t, const char *path, int flags, struct err *err)
{
	if (sqlite3_open_v2(path, &t->db, flags | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		return name_failed(t, path, err);
	sqlite3_busy_timeout(t->db, 2000);
	sqlite3_limit(t->db, SQLITE_LIMIT_LENGTH, 64 << 20);
	sqlite3_limit(t->db, SQLITE_LIMIT_ATTACHED, flags & SQLITE_OPEN_READONLY ? 0 : 1);
	sqlite3_db_config(t->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	return true;
}

/* sqlite wants an absolute or plain name without a symbolic link in the path; the directory may be one. */
static char *real_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? xstrndup(path, (size_t)(slash - path) + 1) : xstrdup(".");
	char *real = realpath(folder, NULL);
	char *full = real ? xasprintf("%s/%s", real, slash ? slash + 1 : path) : xstrdup(path);

	free(folder);
	free(real);
	return full;
}

static bool lock(struct tape *t, const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return err_set(err, "%s: %s", path, strerror(errno));
	t->lock = fd + 1;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		return true;
	tape_close(t);
	return err_set(err, "%s: another console is recording to it", path);
}

/* Whoever opens a file whose creation was broken off (a kill, a full disk) rolls that back: its header was ours, and it is empty. */
static bool is_rolled_back(const struct tape *t)
{
	return tape_number(t, "PRAGMA user_version", -1) == 0 && tape_number(t, "SELECT count(*) FROM sqlite_schema", -1) == 0;
}

bool tape_open(struct tape *t, const char *path, struct err *err)
{
	enum tape_is is = tape_look(path, err);
	char *real;
	bool done;

	*t = (struct tape){ 0 };
	if (is > TAPE_EMPTY || (is == TAPE_NOT_THERE && !create_file(path, err)))
		return false;
	if (!lock(t, path, err))
		return false;
	real = real_path(path);
	done = open_db(t, real, SQLITE_OPEN_READWRITE, err);
	free(real);
	if (done && is == TAPE_OURS && is_rolled_back(t))
		is = TAPE_EMPTY;
	if (!done || (is == TAPE_OURS && !refuse_other_versions(t, path, 1, err)))
		return false;
	/* created before there is a WAL, so that the first bytes identify the file from the start */
	if (!(is == TAPE_OURS ? migrate(t, path, err) : make_schema(t, err)) || !tape_run(t, WRITE_PRAGMAS, err))
		return name_failed(t, path, err);
	return true;
}

/* In a read-only folder a WAL-mode file opens only as immutable; with a WAL beside it that would hide the newest rows. */
static bool open_unchanging(struct tape *t, const char *real, struct err *err)
{
	char *log = xasprintf("%s-wal", real);
	bool has_log = access(log, F_OK) == 0;
	char *uri = has_log ? NULL : sqlite3_mprintf("file:%s?immutable=1", real);
	bool done = uri && !strpbrk(real, "?#%") && open_db(t, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);

	sqlite3_free(uri);
	free(log);
	return done;
}

/* A kill during a migration leaves a rollback journal, which only a writer may play back. */
static bool open_rolled_back(struct tape *t, const char *real, struct err *err)
{
	bool done = open_db(t, real, SQLITE_OPEN_READWRITE, err) && tape_number(t, "PRAGMA user_version", -1) >= 0;

	tape_close(t);
	return open_db(t, real, SQLITE_OPEN_READONLY, err) && done;
}

#define PADDED_MAX	(UINT64_C(64) << 30)	/* bytes; a larger page count is itself damage */

/* Extends the file to the length given in its first page; salvage skips the zeroed pages. */
static bool pad(int fd)
{
	unsigned char head[32];
	uint64_t page, pages;

	if (pread(fd, head, sizeof(head), 0) != sizeof(head))
		return false;
	page = (uint64_t)head[16] << 8 | head[17];
	page = page == 1 ? 65536 : page;
	pages = (uint64_t)head[28] << 24 | (uint64_t)head[29] << 16 | (uint64_t)head[30] << 8 | head[31];
	return page >= 512 && pages * page < PADDED_MAX && lseek(fd, 0, SEEK_END) < (off_t)(pages * page) &&
	       ftruncate(fd, (off_t)(pages * page)) == 0;
}

static bool copy_bytes(int from, int to)
{
	ssize_t n;

	while ((n = sendfile(to, from, NULL, 1 << 20)) > 0)
		;
	return n == 0;
}

/*
 * sqlite rejects a file shorter than its own page count. A private copy extended to full length opens, and the rest can be
 * salvaged from it; the file itself stays unchanged.
 */
static bool open_padded(struct tape *t, const char *real, struct err *err)
{
	const char *folder = getenv("TMPDIR");
	char *copy = xasprintf("%s/fabcon-cut.XXXXXX", folder && *folder ? folder : "/tmp");
	int from = open(real, O_RDONLY | O_NOFOLLOW | O_CLOEXEC), to = mkostemp(copy, O_CLOEXEC);
	bool done = from >= 0 && to >= 0 && copy_bytes(from, to) && pad(to);

	done = done && open_unchanging(t, copy, err);
	if (to >= 0) {
		unlink(copy);
		close(to);
	}
	if (from >= 0)
		close(from);
	free(copy);
	return done;
}

/* A view or virtual table in place of one of our tables would run its author's code. */
static bool has_plain_tables(struct tape *t, const char *path, struct err *err)
{
	if (tape_number(t, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' AND name IN"
			   " ('meta', 'run', 'field', 'device', 'port', 'reply', 'shape', 'tick', 'sample', 'hot', 'chg', 'fact',"
			   " 'key', 'raw', 'kept', 'finding', 'event')", 0) == 17)
		return true;
	tape_close(t);
	return err_set(err, "%s: tables are missing", path);
}

static bool is_damage(int code)
{
	return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

bool tape_open_read(struct tape *t, const char *path, struct err *err)
{
	char *real;
	bool done;

	*t = (struct tape){ 0 };
	if (tape_look(path, err) != TAPE_OURS)
		return false;
	real = real_path(path);
	done = open_db(t, real, SQLITE_OPEN_READONLY, err);
	if (done && tape_number(t, "PRAGMA user_version", -1) < 0 && sqlite3_errcode(t->db) == SQLITE_CANTOPEN) {
		tape_close(t);
		done = open_unchanging(t, real, err);
	} else if (done && sqlite3_extended_errcode(t->db) == SQLITE_READONLY_ROLLBACK) {
		tape_close(t);
		done = open_rolled_back(t, real, err);
	} else if (done && tape_number(t, "PRAGMA user_version", -1) < 0 && is_damage(sqlite3_errcode(t->db))) {
		tape_close(t);
		done = open_padded(t, real, err) || err_set(err, "%s: truncated; nothing in it can be read", path);
	}
	free(real);
	if (!done || !refuse_other_versions(t, path, 1, err) || !has_plain_tables(t, path, err))
		return false;
	if (!tape_run(t, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
			 "PRAGMA query_only = ON", err))
		return name_failed(t, path, err);
	return true;
}

bool tape_open_temporary(struct tape *t, struct err *err)
{
	*t = (struct tape){ 0 };
	if (sqlite3_open_v2("", &t->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
		return name_failed(t, "temporary file", err);
	return make_schema(t, err) || name_failed(t, "temporary file", err);
}

/* The lock goes last: closing any descriptor of the file drops the locks sqlite holds on it. */
void tape_close(struct tape *t)
{
	sqlite3_close_v2(t->db);
	if (t->lock)
		close(t->lock - 1);
	*t = (struct tape){ 0 };
}

/* -- checking -- */

#define CHECK_S	2
#define SMALL	(4 << 20)	/* bytes; checked in a hundredth of a second */

struct deadline {
	struct timespec until;
	bool has_passed;
};

static int is_late(void *ctx)
{
	struct deadline *d = ctx;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	d->has_passed = now.tv_sec > d->until.tv_sec || (now.tv_sec == d->until.tv_sec && now.tv_nsec > d->until.tv_nsec);
	return d->has_passed;
}

static bool is_ok(void *ctx, sqlite3_stmt *row)
{
	const char *text = tape_text(row, 0);

	if (text && strcmp(text, "ok") == 0)
		return true;
	return err_set(ctx, "%s", text ? text : "unreadable");
}

static bool check(const struct tape *t, const char *sql, struct err *err)
{
	struct deadline d = { 0 };
	bool whole;

	clock_gettime(CLOCK_MONOTONIC, &d.until);
	d.until.tv_sec += CHECK_S;
	sqlite3_progress_handler(t->db, 10000, is_late, &d);
	whole = tape_each(t, sql, is_ok, err, err);
	sqlite3_progress_handler(t->db, 0, NULL, NULL);
	return whole || d.has_passed;
}

bool tape_check(const struct tape *t, struct err *err)
{
	return check(t, "PRAGMA quick_check(1)", err);
}

bool tape_glance(const struct tape *t, struct err *err)
{
	static const char *const small[] = { "meta", "run", "field", "device", "port", "reply" };
	char sql[48];

	if (tape_number(t, "SELECT p.page_count * s.page_size FROM pragma_page_count p, pragma_page_size s", 0) <= SMALL)
		return tape_check(t, err);
	for (size_t i = 0; i < sizeof(small) / sizeof(*small); i++) {
		snprintf(sql, sizeof(sql), "PRAGMA quick_check('%s')", small[i]);
		if (!check(t, sql, err))
			return false;
	}
	return true;
}
