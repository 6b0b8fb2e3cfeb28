#include "db/record/writer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <zstd.h>

#define WAITING_MAX	(64u << 20)	/* bytes of rows; at 512 hosts about a minute */
#define BATCH_MIN	(4u << 20)	/* a batch this large is written before the second is over */
#define COMMIT_US	INT64_C(1000000)
#define ZSTD_LEVEL	3
#define PRUNE_EACH	16		/* commits */

struct writer {
	struct tape tape;
	struct writer_limits limits;
	sqlite3_stmt *inserts[ROW_COUNT];
	ZSTD_CCtx *packer;
	pthread_t thread;
	unsigned commits;

	pthread_mutex_t lock;		/* protects the following fields */
	pthread_cond_t wake;
	struct buf waiting;
	int64_t waiting_us, acknowledged_us;
	bool is_stopping;
	char trouble[256];

	char shown[256];		/* the caller's copy of trouble */
};

static const struct { const char *sql; bool is_packed; } rows[ROW_COUNT] = {
	[ROW_META]	     = { "INSERT OR REPLACE INTO meta VALUES(?, ?)" },
	[ROW_RUN]	     = { "INSERT INTO run(id, first, began_us, program, ports) VALUES(?, ?, ?, ?, ?)" },
	[ROW_RUN_ENDED]	     = { "UPDATE run SET ended_us = ?2 WHERE id = ?1" },
	[ROW_FIELD]	     = { "INSERT INTO field VALUES(?, ?, ?, ?, ?)" },
	[ROW_DEVICE]	     = { "INSERT INTO device VALUES(?, ?)" },
	[ROW_PORT]	     = { "INSERT INTO port VALUES(?, ?, ?, ?)" },
	[ROW_REPLY]	     = { "INSERT INTO reply VALUES(?, ?, ?, ?, ?, ?, ?, ?)" },
	[ROW_SHAPE]	     = { "INSERT INTO shape VALUES(?, ?)" },
	[ROW_TICK]	     = { "INSERT INTO tick VALUES(?, ?)" },
	[ROW_SAMPLE]	     = { "INSERT INTO sample VALUES(?, ?, ?, ?, ?, ?, ?)" },
	[ROW_HOT]	     = { "INSERT INTO hot VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)" },
	[ROW_CHG]	     = { "INSERT INTO chg VALUES(?, ?, ?, ?)" },
	[ROW_FACT]	     = { "INSERT INTO fact VALUES(?, ?, ?, ?, ?, ?, ?)" },
	[ROW_KEY]	     = { "INSERT INTO key(sample, device, body) VALUES(?, ?, ?)", true },
	[ROW_RAW]	     = { "INSERT OR IGNORE INTO raw(sha, n, body) VALUES(?, ?, ?)", true },
	[ROW_KEPT]	     = { "INSERT INTO kept VALUES(?, (SELECT id FROM raw WHERE sha = ?), ?)" },
	[ROW_FINDING_OPENED] = { "INSERT INTO finding(check_id, place, verdict, what, missing, opened_us) VALUES(?, ?, ?, ?, ?, ?)" },
	[ROW_FINDING_CLOSED] = { "UPDATE finding SET closed_us = ?3 WHERE check_id = ?1 AND place = ?2 AND closed_us IS NULL" },
	[ROW_EVENT]	     = { "INSERT INTO event(at_us, kind, place, text) VALUES(?, ?, ?, ?)" },
	[ROW_COMMAND]	     = { "INSERT INTO command(at_us, device, text, outcome) VALUES(?, ?, ?, ?)" },
	[ROW_BRINGUP]	     = { "INSERT INTO bringup(at_us, kind, body) VALUES(?, ?, ?)" },
	[ROW_LANE]	     = { "INSERT OR REPLACE INTO lane VALUES(?, ?, ?, ?, ?, ?)" },
};

/* -- rows -- */

/* The first byte of a value; IS_INT plus the size of its number: most numbers are small, and a fabric has millions. */
enum { IS_NULL, IS_TEXT, IS_BLOB, IS_REAL, IS_INT };

void row_begin(struct buf *b, enum row kind)
{
	buf_add(b, &(char){ (char)kind }, 1);
}

static void row_bytes(struct buf *b, char is, const void *bytes, uint32_t n)
{
	buf_add(b, &is, 1);
	buf_add(b, &n, sizeof(n));
	buf_add(b, bytes, n);
}

void row_null(struct buf *b)
{
	buf_add(b, &(char){ IS_NULL }, 1);
}

void row_int(struct buf *b, int64_t n)
{
	signed char bytes[1 + sizeof(n)];
	unsigned size = 0;

	for (int64_t rest = n; rest != 0 && rest != -1; rest >>= 8)
		bytes[++size] = (signed char)rest;
	if (n != 0 && (size == 0 || (bytes[size] < 0) != (n < 0)))
		bytes[++size] = n < 0 ? -1 : 0;
	bytes[0] = (signed char)(IS_INT + size);
	buf_add(b, bytes, size + 1);
}

void row_real(struct buf *b, double x)
{
	if (x >= -9e15 && x <= 9e15 && x == (double)(int64_t)x) {	/* most are integers, which are shorter */
		row_int(b, (int64_t)x);
		return;
	}
	buf_add(b, &(char){ IS_REAL }, 1);
	buf_add(b, &x, sizeof(x));
}

void row_text(struct buf *b, const char *text)
{
	if (text)
		row_bytes(b, IS_TEXT, text, (uint32_t)strlen(text));
	else
		row_null(b);
}

void row_blob(struct buf *b, struct span bytes)
{
	row_bytes(b, IS_BLOB, bytes.p, (uint32_t)bytes.n);
}

/* -- committing -- */

static bool bind_packed(ZSTD_CCtx *packer, sqlite3_stmt *stmt, int column, const char *bytes, uint32_t n)
{
	size_t size = ZSTD_compressBound(n);
	char *packed = xmalloc(size);
	size_t got = ZSTD_compressCCtx(packer, packed, size, bytes, n, ZSTD_LEVEL);

	if (ZSTD_isError(got)) {
		free(packed);
		return false;
	}
	return sqlite3_bind_blob(stmt, column, packed, (int)got, free) == SQLITE_OK;
}

static int64_t number_of(const char *bytes, int size)
{
	uint64_t n = size && bytes[size - 1] & 0x80 ? UINT64_MAX : 0;

	while (size-- > 0)
		n = n << 8 | (unsigned char)bytes[size];
	return (int64_t)n;
}

/* packer NULL: this kind of row is not compressed. */
static const char *bind_value(ZSTD_CCtx *packer, sqlite3_stmt *stmt, int column, const char *p)
{
	char is = *p++;
	uint32_t n;
	double x;

	if (is == IS_NULL) {
		sqlite3_bind_null(stmt, column);
		return p;
	}
	if (is >= IS_INT) {
		sqlite3_bind_int64(stmt, column, number_of(p, is - IS_INT));
		return p + (is - IS_INT);
	}
	if (is == IS_REAL) {
		memcpy(&x, p, sizeof(x));
		sqlite3_bind_double(stmt, column, x);
		return p + sizeof(x);
	}
	memcpy(&n, p, sizeof(n));
	p += sizeof(n);
	if (is == IS_TEXT)
		sqlite3_bind_text(stmt, column, p, (int)n, SQLITE_STATIC);
	else if (packer && column == sqlite3_bind_parameter_count(stmt))
		bind_packed(packer, stmt, column, p, n);
	else
		sqlite3_bind_blob(stmt, column, n ? p : "", (int)n, SQLITE_STATIC);
	return p + n;
}

static bool insert_rows(struct writer *w, const struct buf *batch, struct err *err)
{
	const char *p = batch->text, *end = batch->text + batch->n;

	while (p < end) {
		enum row kind = (enum row)(unsigned char)*p++;
		sqlite3_stmt *stmt = w->inserts[kind];
		int columns = sqlite3_bind_parameter_count(stmt);

		if (!stmt)
			return err_set(err, "the file has a table missing");
		for (int i = 1; i <= columns; i++)
			p = bind_value(rows[kind].is_packed ? w->packer : NULL, stmt, i, p);
		sqlite3_step(stmt);
		if (sqlite3_reset(stmt) != SQLITE_OK)
			return err_set(err, "%s", sqlite3_errmsg(w->tape.db));
	}
	return true;
}

static bool commit(struct writer *w, const struct buf *batch, struct err *err)
{
	if (tape_run(&w->tape, "BEGIN IMMEDIATE", err) && insert_rows(w, batch, err) && tape_run(&w->tape, "COMMIT", err))
		return true;
	if (!sqlite3_get_autocommit(w->tape.db))
		tape_run(&w->tape, "ROLLBACK", NULL);
	return false;
}

/* -- dropping the oldest -- */

static int64_t oldest_to_keep(const struct writer *w)
{
	char sql[240];
	int64_t by_age = 0, by_size = 0;
	int64_t pages = tape_number(&w->tape, "PRAGMA page_count", 0) - tape_number(&w->tape, "PRAGMA freelist_count", 0);
	int64_t bytes = pages * tape_number(&w->tape, "PRAGMA page_size", 4096);

	if (w->limits.keep_us > 0) {
		snprintf(sql, sizeof(sql), "SELECT max(id) FROM tick WHERE at_us <= (SELECT max(at_us) FROM tick) - %lld",
			 (long long)w->limits.keep_us);
		by_age = tape_number(&w->tape, sql, 0);
	}
	/* samples are similar in size: beyond the limit, the excess and a tenth more is dropped */
	if (w->limits.keep_bytes > 0 && (uint64_t)bytes > w->limits.keep_bytes) {
		double share = 0.1 + 0.9 * (1 - (double)w->limits.keep_bytes / (double)bytes);

		snprintf(sql, sizeof(sql), "SELECT first + CAST((max(id) - first) * %.4f AS INT) FROM sample, (SELECT max(min(id),"
			 " coalesce((SELECT CAST(value AS INT) FROM meta WHERE name = 'pruned'), 0)) AS first FROM sample)", share);
		by_size = tape_number(&w->tape, sql, 0);
	}
	return by_age > by_size ? by_age : by_size;
}

/* Keyframes are complete, so the rest replays without anything older than the keyframe before the oldest kept sample. */
static void prune(struct writer *w)
{
	static const char *const drops[] = {
		"DELETE FROM hot WHERE id < %1$lld << 10", "DELETE FROM chg WHERE sample < %1$lld",
		"DELETE FROM kept WHERE sample < %1$lld AND sample NOT IN (SELECT max(k.sample) FROM kept k JOIN sample s"
		" ON s.id = k.sample WHERE k.sample < %1$lld GROUP BY s.reply)",
		"DELETE FROM fact WHERE sample < %1$lld AND EXISTS (SELECT 1 FROM fact n WHERE n.port = fact.port AND"
		" n.what = fact.what AND n.sample > fact.sample AND n.sample <= %1$lld)",
		"DELETE FROM sample WHERE id < %1$lld AND NOT EXISTS (SELECT 1 FROM fact WHERE fact.sample = sample.id)"
		" AND NOT EXISTS (SELECT 1 FROM kept WHERE kept.sample = sample.id)",
		"DELETE FROM tick WHERE id < (SELECT coalesce(max(t.id), 0) FROM tick t WHERE t.id <= %1$lld) AND NOT EXISTS"
		" (SELECT 1 FROM sample WHERE sample.id BETWEEN tick.id AND (SELECT min(u.id) FROM tick u WHERE u.id > tick.id) - 1)",
		"DELETE FROM key WHERE sample < %1$lld AND EXISTS (SELECT 1 FROM key n WHERE n.device = key.device AND"
		" n.sample > key.sample AND n.sample <= %1$lld)",
		"DELETE FROM raw WHERE id NOT IN (SELECT raw FROM kept WHERE raw IS NOT NULL)",
		"DELETE FROM event WHERE at_us < (SELECT at_us FROM tick WHERE id >= %1$lld ORDER BY id LIMIT 1)",
		"DELETE FROM lane WHERE id < (SELECT at_us FROM tick WHERE id >= %1$lld ORDER BY id LIMIT 1) / 5000000",
		"INSERT OR REPLACE INTO meta VALUES('pruned', %1$lld)",
	};
	int64_t first = oldest_to_keep(w);
	bool done = first > tape_number(&w->tape, "SELECT value FROM meta WHERE name = 'pruned'", 0) &&
		    tape_run(&w->tape, "BEGIN IMMEDIATE", NULL);

	if (!done)
		return;
	for (size_t i = 0; done && i < sizeof(drops) / sizeof(*drops); i++) {
		char *sql = xasprintf(drops[i], (long long)first);

		done = tape_run(&w->tape, sql, NULL);
		free(sql);
	}
	tape_run(&w->tape, done ? "COMMIT" : "ROLLBACK", NULL);
}

/* -- the thread -- */

/* Does not wait when enough rows are waiting. */
static void wait_a_while(struct writer *w, size_t enough)
{
	int64_t wait_us = w->limits.commit_us > 0 ? w->limits.commit_us : COMMIT_US;
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += wait_us / 1000000;
	until.tv_nsec += wait_us % 1000000 * 1000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	while (!w->is_stopping && w->waiting.n < enough && pthread_cond_timedwait(&w->wake, &w->lock, &until) == 0)
		;
}

static void say_trouble(struct writer *w, const struct err *err)
{
	if (err)
		snprintf(w->trouble, sizeof(w->trouble), "recording is paused: %.200s", err->text);
	else
		w->trouble[0] = '\0';
}

/* Writes one batch, retrying while the disk fails; false when told to stop before it succeeds. Called with the lock held. */
static bool write_batch(struct writer *w, const struct buf *batch)
{
	struct err err;
	bool done;

	for (;;) {
		pthread_mutex_unlock(&w->lock);
		done = commit(w, batch, &err);
		pthread_mutex_lock(&w->lock);
		say_trouble(w, done ? NULL : &err);
		if (done || w->is_stopping)
			return done;
		wait_a_while(w, SIZE_MAX);
	}
}

static void *write_all(void *ctx)
{
	struct writer *w = ctx;
	bool go_on = true;

	pthread_mutex_lock(&w->lock);
	while (go_on && (!w->is_stopping || w->waiting.n > 0)) {
		struct buf batch = w->waiting;
		int64_t at_us = w->waiting_us;

		w->waiting = (struct buf){ 0 };
		if (batch.n > 0 && (go_on = write_batch(w, &batch)))
			w->acknowledged_us = at_us;
		buf_done(&batch);
		if (go_on && ++w->commits % PRUNE_EACH == 0) {
			pthread_mutex_unlock(&w->lock);
			prune(w);
			pthread_mutex_lock(&w->lock);
		}
		if (!w->is_stopping)
			wait_a_while(w, BATCH_MIN);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

static void prepare(struct writer *w)
{
	/* A fabric that comes up closes tens of thousands. Created here, so that older files have it, too. */
	tape_run(&w->tape, "CREATE INDEX IF NOT EXISTS finding_open ON finding(check_id, place) WHERE closed_us IS NULL", NULL);
	for (int i = 0; i < ROW_COUNT; i++)
		w->inserts[i] = tape_prepare(&w->tape, rows[i].sql, NULL);
}

struct writer *writer_new(struct tape t, const struct writer_limits *limits)
{
	struct writer *w = xcalloc(1, sizeof(*w));
	pthread_condattr_t attr;

	w->tape = t;
	w->packer = ZSTD_createCCtx();
	w->limits = *limits;
	w->acknowledged_us = INT64_MIN;
	prepare(w);
	pthread_mutex_init(&w->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&w->wake, &attr);
	pthread_condattr_destroy(&attr);
	if (!w->packer || pthread_create(&w->thread, NULL, write_all, w) != 0)
		abort();
	return w;
}

/* A closed recording is one plain file again, without a WAL beside it. */
void writer_free(struct writer *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->is_stopping = true;
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	for (int i = 0; i < ROW_COUNT; i++)
		sqlite3_finalize(w->inserts[i]);
	tape_run(&w->tape, "PRAGMA journal_mode = DELETE", NULL);
	ZSTD_freeCCtx(w->packer);
	tape_close(&w->tape);
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->lock);
	buf_done(&w->waiting);
	free(w);
}

bool writer_put(struct writer *w, const struct buf *rows_, int64_t at_us)
{
	bool fits;

	pthread_mutex_lock(&w->lock);
	fits = w->waiting.n + rows_->n <= WAITING_MAX;
	if (fits) {
		buf_add(&w->waiting, rows_->text, rows_->n);
		w->waiting_us = at_us;
		if (w->waiting.n >= BATCH_MIN)
			pthread_cond_signal(&w->wake);
	}
	pthread_mutex_unlock(&w->lock);
	return fits;
}

bool writer_has_room(struct writer *w)
{
	bool has;

	pthread_mutex_lock(&w->lock);
	has = w->waiting.n < WAITING_MAX / 2;
	pthread_mutex_unlock(&w->lock);
	return has;
}

int64_t writer_acknowledged(const struct writer *w)
{
	struct writer *mine = (struct writer *)w;
	int64_t at_us;

	pthread_mutex_lock(&mine->lock);
	at_us = mine->acknowledged_us;
	pthread_mutex_unlock(&mine->lock);
	return at_us;
}

const char *writer_trouble(struct writer *w)
{
	pthread_mutex_lock(&w->lock);
	memcpy(w->shown, w->trouble, sizeof(w->shown));
	pthread_mutex_unlock(&w->lock);
	return w->shown[0] ? w->shown : NULL;
}
