#include "db/audit/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/audit/chain.h"
#include "db/audit/internal.h"

#define AUDIT_APPLICATION	0x66636175	/* "fcau" */
#define AUDIT_VERSION		1
#define BUSY_MS			30000		/* another console writes a line in milliseconds, on a busy disk in a second */
#define RETRY_MS		10
#define TEXT_MAX_BYTES		65536

/* Our files have exactly this in sqlite_schema: anything else could run its author's code. */
static const char *const schema[] = {
	"CREATE TABLE entry(id INTEGER PRIMARY KEY, at_us INT NOT NULL, mono_us INT NOT NULL, who TEXT, origin TEXT, plan TEXT,"
	" hash TEXT, step INT NOT NULL, device TEXT, hostkey TEXT, kind TEXT NOT NULL, text TEXT, status INT NOT NULL,"
	" output TEXT, setup_hash TEXT, chain TEXT NOT NULL)",
	"CREATE INDEX entry_of_step ON entry(plan, step, kind)",
	"CREATE TRIGGER entry_stays BEFORE UPDATE ON entry BEGIN"
	" SELECT RAISE(ABORT, 'entries of the audit are never changed'); END",
	"CREATE TRIGGER entry_is_kept BEFORE DELETE ON entry BEGIN"
	" SELECT RAISE(ABORT, 'entries of the audit are never deleted'); END",
};
#define N_SCHEMA (sizeof(schema) / sizeof(*schema))

/* -- the file -- */

static bool is_careful_path(const char *path, bool may_be_missing, struct err *err)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return (errno == ENOENT && may_be_missing) || err_set(err, "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(err, "%s is not a plain file", path);
	if (st.st_nlink > 1)
		return err_set(err, "%s has a second hard link: the audit must have only one", path);
	return true;
}

/* Ours alone: anyone else with write access could forge entries. */
static bool is_ours_alone(const char *path, struct err *err)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return err_set(err, "%s: %s", path, strerror(errno));
	if (st.st_uid != geteuid())
		return err_set(err, "%s belongs to another user", path);
	if (st.st_mode & 022)
		return err_set(err, "%s can be written by others (chmod 600)", path);
	if ((st.st_mode & 077) && chmod(path, 0600) != 0)
		return err_set(err, "%s: %s", path, strerror(errno));
	return true;
}

static void make_folders(const char *path)
{
	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		char *folder = xstrndup(path, (size_t)(slash - path));

		mkdir(folder, 0700);
		free(folder);
	}
}

static bool create(const char *path, struct err *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0 && errno != EEXIST)
		return err_set(err, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return true;
}

static bool name_failed(struct audit *a, struct err *err)
{
	int code = sqlite3_errcode(a->file.db);
	bool is_damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;

	return err_set(err, "%s: %.200s%s", a->path, sqlite3_errmsg(a->file.db),
		       is_damaged ? "; move it away to start a new audit, and keep it: it may hold unfinished plans" : "");
}

static bool open_db(struct audit *a, int flags, struct err *err)
{
	/* sqlite follows no symbolic link in the path either; the folder may be one */
	const char *slash = strrchr(a->path, '/');
	char *folder = slash ? xstrndup(a->path, (size_t)(slash - a->path) + 1) : xstrdup(".");
	char *real = realpath(folder, NULL);
	char *full = real ? xasprintf("%s/%s", real, slash ? slash + 1 : a->path) : xstrdup(a->path);
	int rc = sqlite3_open_v2(full, &a->file.db, flags | SQLITE_OPEN_NOFOLLOW, NULL);

	free(folder);
	free(real);
	free(full);
	if (rc != SQLITE_OK)
		return name_failed(a, err);
	sqlite3_busy_timeout(a->file.db, BUSY_MS);
	sqlite3_limit(a->file.db, SQLITE_LIMIT_LENGTH, 128 << 20);
	sqlite3_limit(a->file.db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_db_config(a->file.db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	return tape_run(&a->file, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA trusted_schema = OFF", NULL) ||
	       name_failed(a, err);
}

static bool is_known(const char *sql)
{
	for (size_t i = 0; sql && i < N_SCHEMA; i++)
		if (strcmp(sql, schema[i]) == 0)
			return true;
	return false;
}

static bool count_known(void *ctx, sqlite3_stmt *row)
{
	size_t *n = ctx;

	if (!is_known(tape_text(row, 0)))
		return false;
	(*n)++;
	return true;
}

static bool has_schema(struct audit *a, struct err *err)
{
	size_t n = 0;

	if (tape_each(&a->file, "SELECT sql FROM sqlite_schema", count_known, &n, NULL) && n == N_SCHEMA)
		return true;
	if (sqlite3_errcode(a->file.db) != SQLITE_OK && sqlite3_errcode(a->file.db) != SQLITE_DONE &&
	    sqlite3_errcode(a->file.db) != SQLITE_ROW)
		return name_failed(a, err);
	return err_set(err, "%s: its tables are not those of a fabcon audit", a->path);
}

/* Whether it is an audit of a version that we know. */
static bool is_audit(struct audit *a, struct err *err)
{
	int64_t application = tape_number(&a->file, "PRAGMA application_id", -1);
	int64_t version = tape_number(&a->file, "PRAGMA user_version", -1);

	if (application < 0 || version < 0)
		return name_failed(a, err);
	if (application != AUDIT_APPLICATION)
		return err_set(err, "%s is not an audit of fabcon", a->path);
	if (version > AUDIT_VERSION)
		return err_set(err, "%s was written by a newer fabcon: its version is %lld, this program supports up to %d", a->path,
			       (long long)version, AUDIT_VERSION);
	return has_schema(a, err);
}

static bool make_schema(struct audit *a)
{
	char header[96];

	snprintf(header, sizeof(header), "PRAGMA application_id = %d; PRAGMA user_version = %d", AUDIT_APPLICATION, AUDIT_VERSION);
	for (size_t i = 0; i < N_SCHEMA; i++)
		if (!tape_run(&a->file, schema[i], NULL))
			return false;
	return tape_run(&a->file, header, NULL);
}

/* Two consoles may start at the same time: the one with the transaction creates the schema, the other finds it. */
static bool make_or_check(struct audit *a, struct err *err)
{
	bool is_new, done;

	if (!tape_run(&a->file, "BEGIN IMMEDIATE", NULL))
		return name_failed(a, err);
	is_new = tape_number(&a->file, "PRAGMA application_id", -1) == 0 &&
		 tape_number(&a->file, "SELECT count(*) FROM sqlite_schema", -1) == 0;
	done = is_new ? make_schema(a) || name_failed(a, err) : is_audit(a, err);
	if (!done) {
		tape_run(&a->file, "ROLLBACK", NULL);
		return false;
	}
	return tape_run(&a->file, "COMMIT", NULL) || name_failed(a, err);
}

/* Another console opening the file locks it for a moment, and sqlite does not wait by itself here. */
static bool write_ahead(struct audit *a)
{
	int waited_ms = 0;

	while (!tape_run(&a->file, "PRAGMA journal_mode = WAL", NULL)) {
		if ((sqlite3_errcode(a->file.db) & 0xff) != SQLITE_BUSY || waited_ms >= BUSY_MS)
			return false;
		waited_ms += sqlite3_sleep(RETRY_MS);
	}
	return true;
}

/* With FULL, acknowledged entries are on disk even after a power failure. */
static bool make_durable(struct audit *a, struct err *err)
{
	return (write_ahead(a) && tape_run(&a->file, "PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 4194304", NULL)) ||
	       name_failed(a, err);
}

static struct audit *opened(struct audit *a, bool ok)
{
	if (ok)
		return a;
	audit_close(a);
	return NULL;
}

static struct audit *new_audit(const char *path)
{
	struct audit *a = xcalloc(1, sizeof(*a));

	a->path = xstrdup(path);
	return a;
}

struct audit *audit_open(const char *path, struct err *err)
{
	struct audit *a;

	make_folders(path);
	if (!is_careful_path(path, true, err) || !create(path, err) || !is_ours_alone(path, err))
		return NULL;
	a = new_audit(path);
	return opened(a, open_db(a, SQLITE_OPEN_READWRITE, err) && make_or_check(a, err) && make_durable(a, err));
}

struct audit *audit_read(const char *path, struct err *err)
{
	struct audit *a;

	if (!is_careful_path(path, false, err))
		return NULL;
	a = new_audit(path);
	return opened(a, open_db(a, SQLITE_OPEN_READONLY, err) && is_audit(a, err));
}

void audit_close(struct audit *a)
{
	if (!a)
		return;
	tape_close(&a->file);
	free(a->path);
	free(a);
}

/* -- writing -- */

static void bind(sqlite3_stmt *s, int at, const char *text)
{
	size_t n = text ? strlen(text) : 0;

	if (text)
		sqlite3_bind_text(s, at, text, (int)n, SQLITE_STATIC);
	else
		sqlite3_bind_null(s, at);
}

static void bind_entry(sqlite3_stmt *s, const struct audit_entry *e)
{
	sqlite3_bind_int64(s, 1, e->id);
	sqlite3_bind_int64(s, 2, e->at_us);
	sqlite3_bind_int64(s, 3, e->mono_us);
	bind(s, 4, e->who);
	bind(s, 5, e->from);
	bind(s, 6, e->plan);
	bind(s, 7, e->hash);
	sqlite3_bind_int64(s, 8, e->step);
	bind(s, 9, e->device);
	bind(s, 10, e->hostkey);
	bind(s, 11, e->kind);
	bind(s, 12, e->text);
	sqlite3_bind_int64(s, 13, e->status);
	bind(s, 14, e->output);
	bind(s, 15, e->setup_hash);
	bind(s, 16, e->chain);
}

static bool insert(struct audit *a, const struct audit_entry *e)
{
	sqlite3_stmt *s = tape_prepare(&a->file, "INSERT INTO entry(" AUDIT_COLUMNS ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", NULL);
	bool done;

	if (!s)
		return false;
	bind_entry(s, e);
	done = sqlite3_step(s) == SQLITE_DONE;
	sqlite3_finalize(s);
	return done;
}

/* Finds the number and hash that e follows. */
static bool follow(struct audit *a, struct audit_entry *e, char before[FIX_HASH_SIZE])
{
	sqlite3_stmt *s = tape_prepare(&a->file, "SELECT id, chain FROM entry ORDER BY id DESC LIMIT 1", NULL);
	int rc = s ? sqlite3_step(s) : SQLITE_ERROR;

	e->id = 1;
	snprintf(before, FIX_HASH_SIZE, "%s", AUDIT_CHAIN_BEGIN);
	if (rc == SQLITE_ROW) {
		e->id = sqlite3_column_int64(s, 0) + 1;
		snprintf(before, FIX_HASH_SIZE, "%s", tape_text(s, 1) ? tape_text(s, 1) : "");
	}
	sqlite3_finalize(s);
	return rc == SQLITE_ROW || rc == SQLITE_DONE;
}

/* Runs inside a transaction, so nobody else writes meanwhile. */
static bool extend(struct audit *a, struct audit_entry *e)
{
	char before[FIX_HASH_SIZE];
	struct buf scratch = { 0 };
	bool done = follow(a, e, before);

	if (done) {
		audit_chain(before, e, &scratch, e->chain);
		done = insert(a, e);
	}
	buf_done(&scratch);
	return done;
}

static bool add_or_roll_back(struct audit *a, struct audit_entry *e, struct err *err)
{
	if (extend(a, e) && tape_run(&a->file, "COMMIT", NULL))
		return true;
	name_failed(a, err);
	tape_run(&a->file, "ROLLBACK", NULL);
	return false;
}

/* Truncates a longer text, with a note; NULL stays NULL. */
static char *cut(const char *text)
{
	size_t n = text ? strlen(text) : 0;

	if (n <= TEXT_MAX_BYTES)
		return text ? xstrdup(text) : NULL;
	return xasprintf("%.*s… (%zu more bytes)", TEXT_MAX_BYTES, text, n - TEXT_MAX_BYTES);
}

bool audit_add(struct audit *a, const struct audit_entry *entry, struct err *err)
{
	struct audit_entry e = *entry;
	char *text = cut(entry->text), *output = cut(entry->output);
	bool done;

	e.text = text;
	e.output = output;
	done = tape_run(&a->file, "BEGIN IMMEDIATE", NULL) ? add_or_roll_back(a, &e, err) : name_failed(a, err);
	free(text);
	free(output);
	return done;
}

/* The first row's text, of a question about a plan: 1 found, 0 not, -1 unreadable. */
static int ask_of_plan(struct audit *a, const char *sql, const char *id, char out[FIX_HASH_SIZE])
{
	sqlite3_stmt *s = tape_prepare(&a->file, sql, NULL);
	int rc = SQLITE_ERROR;

	if (s) {
		bind(s, 1, id);
		rc = sqlite3_step(s);
	}
	if (rc == SQLITE_ROW)
		snprintf(out, FIX_HASH_SIZE, "%s", tape_text(s, 0) ? tape_text(s, 0) : "");
	sqlite3_finalize(s);
	return rc == SQLITE_ROW ? 1 : rc == SQLITE_DONE ? 0 : -1;
}

/* The hash that the last plan with this id was stored with. */
static int kept_hash(struct audit *a, const char *id, char hash[FIX_HASH_SIZE])
{
	return ask_of_plan(a, "SELECT hash FROM entry WHERE plan = ? AND step = -1 AND kind = 'plan' ORDER BY id DESC LIMIT 1", id, hash);
}

/* Whether anything that changes a device was sent for a plan with this id. */
static int was_sent(struct audit *a, const char *id)
{
	char kind[FIX_HASH_SIZE];

	return ask_of_plan(a, "SELECT kind FROM entry WHERE plan = ? AND kind IN ('arm', 'command', 'disarm') LIMIT 1", id, kind);
}

bool audit_keep_plan(struct audit *a, const struct audit_entry *entry, struct err *err)
{
	struct audit_entry e = *entry;
	char hash[FIX_HASH_SIZE] = "";
	int there;

	e.step = -1;
	e.kind = "plan";
	if (!tape_run(&a->file, "BEGIN IMMEDIATE", NULL))
		return name_failed(a, err);
	there = kept_hash(a, e.plan, hash);
	if (there > 0 && strcmp(hash, e.hash ? e.hash : "") != 0 && was_sent(a, e.plan) == 0)
		there = 0;
	if (there == 0)
		return add_or_roll_back(a, &e, err);
	if (there < 0)
		name_failed(a, err);
	else if (strcmp(hash, e.hash ? e.hash : "") != 0)
		there = -1, err_set(err, "another plan is named %s: its hash starts with %.8s", e.plan, hash);
	tape_run(&a->file, "ROLLBACK", NULL);
	return there > 0;
}
