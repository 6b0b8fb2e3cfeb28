/* Opening a recording, and reading what it holds beside its samples. */
#include <stdio.h>
#include <stdlib.h>

#include "db/replay/internal.h"
#include "db/tape/snapshot.h"

#define KEY_US	(30 * SECOND)	/* if the recording does not say */

/* -- opening -- */

static char *meta(const struct replay *r, const char *name)
{
	char *text = NULL;
	sqlite3_stmt *stmt = tape_prepare(&r->tape, "SELECT value FROM meta WHERE name = ?", NULL);

	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	if (stmt && sqlite3_step(stmt) == SQLITE_ROW && tape_text(stmt, 0))
		text = xstrdup(tape_text(stmt, 0));
	sqlite3_finalize(stmt);
	return text;
}

static bool prepare(struct replay *r, struct err *err)
{
	static const struct { const char *sql; int shift; } tables[CURSORS] = {
		[SAMPLES] = { "SELECT id, reply, at, clock, rows, flags, shape FROM sample WHERE id >= ? ORDER BY id", 0 },
		[HOTS] = { "SELECT * FROM hot WHERE id >= ? ORDER BY id", 10 },
		[CHGS] = { "SELECT * FROM chg WHERE sample >= ? ORDER BY sample", 0 },
		[FACTS] = { "SELECT * FROM fact WHERE sample >= ? ORDER BY sample", 0 },
	};

	for (int i = 0; i < CURSORS; i++) {
		r->cursors[i] = (struct cursor){ tape_prepare(&r->tape, tables[i].sql, err), INT64_MAX, tables[i].shift };
		if (!r->cursors[i].stmt)
			return false;
	}
	r->tick = tape_prepare(&r->tape, "SELECT id, at_us, (SELECT min(id) FROM tick WHERE id > ?1) FROM tick WHERE id <= ?1"
			       " ORDER BY id DESC LIMIT 1", err);
	r->shape = tape_prepare(&r->tape, "SELECT body FROM shape WHERE id = ?", err);
	r->key = tape_prepare(&r->tape, "SELECT sample, body FROM key WHERE device = ? AND sample BETWEEN ? AND ?"
			      " ORDER BY sample DESC LIMIT 1", err);
	r->kept = tape_prepare(&r->tape, "SELECT raw.body, kept.cites FROM kept JOIN raw ON raw.id = kept.raw"
			       " WHERE kept.sample = ?", err);
	r->way = tape_prepare(&r->tape, "SELECT s.id, s.reply, t.at_us, s.at FROM tick t CROSS JOIN sample s"
			      " ON s.id >= max(t.id, ?1) AND s.id < coalesce((SELECT min(id) FROM tick WHERE id > t.id), "
			      "9223372036854775807)"
			      " WHERE t.id >= (SELECT max(id) FROM tick WHERE id <= ?1) AND t.at_us <= ?2 ORDER BY t.id, s.id", err);
	return r->tick && r->shape && r->key && r->kept && r->way;
}

/* A fix and its outcome may be the last thing in the recording. */
static int64_t last_of_fixes(const struct replay *r, int64_t last_us)
{
	char sql[160];

	if (last_us <= 0 || last_us > INT64_MAX - 60 * SECOND)
		return last_us;
	snprintf(sql, sizeof(sql), "SELECT max(at_us) FROM event WHERE kind = 'fix' AND at_us BETWEEN %lld AND %lld", (long long)last_us,
		 (long long)(last_us + 60 * SECOND));
	return tape_number(&r->tape, sql, last_us);
}

/* After pruning, one keyframe interval must pass before every device is known from a remaining keyframe. */
static void find_ends(struct replay *r)
{
	int64_t pruned = tape_number(&r->tape, "SELECT value FROM meta WHERE name = 'pruned'", 0);
	char sql[96];

	r->key_us = tape_number(&r->tape, "SELECT value FROM meta WHERE name = 'key_us'", KEY_US);
	if (r->key_us <= 0 || r->key_us > 3600 * SECOND)
		r->key_us = KEY_US;
	snprintf(sql, sizeof(sql), "SELECT at_us FROM tick WHERE id >= %lld ORDER BY id LIMIT 1", (long long)pruned);
	r->first_us = tape_number(&r->tape, sql, INT64_MAX);
	r->last_us = tape_number(&r->tape, "SELECT max((SELECT at_us FROM tick WHERE tick.id <= s.id ORDER BY id DESC LIMIT 1) + at)"
				 " FROM (SELECT id, at FROM sample ORDER BY id DESC LIMIT 5000) s", INT64_MIN);
	r->last_us = last_of_fixes(r, r->last_us);
	if (pruned && r->first_us < INT64_MAX - 2 * r->key_us)
		r->first_us += 2 * r->key_us;
	if (pruned && r->first_us > r->last_us)
		r->first_us = r->last_us;
}

static void find_state(struct replay *r)
{
	if (r->state == REPLAY_SALVAGED)
		return;
	if (tape_number(&r->tape, "SELECT count(*) FROM run WHERE id = (SELECT max(id) FROM run) AND ended_us IS NULL", 0) == 0)
		return;
	r->state = REPLAY_CUT;
	buf_str(&r->words, "the recording was not closed: its console was killed, or is still recording");
}

static bool open_salvaged(struct replay *r, const char *damage, struct err *err)
{
	struct tape temporary;
	struct buf lost = { 0 };

	if (!tape_open_temporary(&temporary, err))
		return false;
	tape_salvage(&r->tape, &temporary, &lost);
	tape_close(&r->tape);
	r->tape = temporary;
	r->state = REPLAY_SALVAGED;
	buf_clear(&r->words);
	buf_printf(&r->words, "%s is damaged (%.100s); the readable part is shown", r->path, damage);
	if (lost.n)
		buf_printf(&r->words, "; incomplete: %s", lost.text);
	buf_done(&lost);
	return true;
}

static void let_go(struct replay *r)
{
	replay_drop_frames(r);
	for (int i = 0; i < CURSORS; i++)
		sqlite3_finalize(r->cursors[i].stmt);
	sqlite3_finalize(r->tick);
	sqlite3_finalize(r->shape);
	sqlite3_finalize(r->key);
	sqlite3_finalize(r->kept);
	sqlite3_finalize(r->way);
	tape_index_done(&r->said);
	memset(r->cursors, 0, sizeof(r->cursors));
	r->tick = r->shape = r->key = r->kept = r->way = NULL;
}

static bool load(struct replay *r, struct err *err)
{
	tape_index_init(&r->said);
	if (!tape_index_load(&r->said, &r->tape, err) || !prepare(r, err))
		return false;
	find_ends(r);
	find_state(r);
	return true;
}

/* The file is damaged: continues with what can be salvaged. */
bool replay_mend(struct replay *r, struct err *err)
{
	let_go(r);
	return open_salvaged(r, sqlite3_errstr(SQLITE_CORRUPT), err) && load(r, err);
}

bool replay_is_broken(const struct replay *r)
{
	return r->is_broken && r->state != REPLAY_SALVAGED;
}

bool replay_copy(const struct replay *r, const char *path, struct err *err)
{
	return snapshot_of(&r->tape, path, err);
}

struct replay *replay_open(const char *path, struct err *err)
{
	struct replay *r = xcalloc(1, sizeof(*r));
	struct err damage;

	r->path = xstrdup(path);
	if (!tape_open_read(&r->tape, path, err) ||
	    (!tape_glance(&r->tape, &damage) && !open_salvaged(r, damage.text, err)) || !load(r, err)) {
		replay_close(r);
		return NULL;
	}
	r->inventory = meta(r, "inventory_text");
	r->policy = meta(r, "policy_text");
	r->plan = meta(r, "plan_text");
	r->fabric = meta(r, "fabric");
	replay_seek(r, r->first_us, 0, NULL);
	return r;
}

void replay_close(struct replay *r)
{
	if (!r)
		return;
	let_go(r);
	tape_close(&r->tape);
	free(r->frames);
	free(r->named);
	free(r->path);
	free(r->inventory);
	free(r->policy);
	free(r->plan);
	free(r->fabric);
	buf_done(&r->words);
	free(r);
}

enum replay_state replay_state(const struct replay *r, const char **words)
{
	*words = r->words.n ? r->words.text : NULL;
	return r->state;
}

int64_t replay_first(const struct replay *r)
{
	return r->first_us;
}

int64_t replay_last(const struct replay *r)
{
	return r->last_us;
}

int64_t replay_began(const struct replay *r)
{
	return tape_number(&r->tape, "SELECT min(began_us) FROM run", 0);
}

const char *replay_inventory(const struct replay *r)
{
	return r->inventory;
}

const char *replay_policy(const struct replay *r)
{
	return r->policy;
}

const char *replay_plan(const struct replay *r)
{
	return r->plan;
}

const char *replay_fabric(const struct replay *r)
{
	return r->fabric;
}

static bool put_lane_row(void *ctx, sqlite3_stmt *row)
{
	for (int i = 0; i < LANE_COUNT; i++)
		if (sqlite3_column_type(row, i + 1) != SQLITE_NULL)
			fabric_history_put(ctx, sqlite3_column_int64(row, 0), (enum lane)i,
					   sqlite3_column_double(row, i + 1) / (double)(LANE_US / SECOND));
	return true;
}

/* A table that older files lack; a view in its place would run its author's code. */
static bool has_table(const struct replay *r, const char *name)
{
	char sql[140];

	snprintf(sql, sizeof(sql), "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '%s' AND sql LIKE 'CREATE TABLE%%'", name);
	return tape_number(&r->tape, sql, 0) == 1;
}

bool replay_lanes(const struct replay *r, struct fabric_history *l)
{
	if (!has_table(r, "lane"))
		return false;
	return tape_each(&r->tape, "SELECT * FROM lane ORDER BY id", put_lane_row, l, NULL);
}

void replay_findings(struct replay *r, int64_t at_us, void (*each)(void *ctx, const struct replay_finding *f), void *ctx)
{
	sqlite3_stmt *stmt = tape_prepare(&r->tape,
		"SELECT check_id, place, what, verdict, opened_us FROM finding WHERE verdict IN ('look', 'warn', 'fail')"
		" AND opened_us <= ?1 AND (closed_us IS NULL OR closed_us > ?1) ORDER BY opened_us", NULL);

	sqlite3_bind_int64(stmt, 1, at_us);
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		each(ctx, &(struct replay_finding){ tape_text(stmt, 0), tape_text(stmt, 1), tape_text(stmt, 2),
						    tape_text(stmt, 3), sqlite3_column_int64(stmt, 4), 0 });
	sqlite3_finalize(stmt);
}

void replay_closed(struct replay *r, int64_t from_us, int64_t to_us, void (*each)(void *ctx, const struct replay_finding *f),
		   void *ctx)
{
	sqlite3_stmt *stmt = tape_prepare(&r->tape,
		"SELECT check_id, place, what, verdict, opened_us, closed_us FROM finding WHERE verdict IN ('look', 'warn', 'fail')"
		" AND closed_us BETWEEN ?1 AND ?2 ORDER BY closed_us DESC LIMIT 4096", NULL);

	sqlite3_bind_int64(stmt, 1, from_us);
	sqlite3_bind_int64(stmt, 2, to_us);
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		each(ctx, &(struct replay_finding){ tape_text(stmt, 0), tape_text(stmt, 1), tape_text(stmt, 2), tape_text(stmt, 3),
						    sqlite3_column_int64(stmt, 4), sqlite3_column_int64(stmt, 5) });
	sqlite3_finalize(stmt);
}

void replay_events(struct replay *r, int64_t from_us, int64_t to_us, void (*each)(void *ctx, const struct replay_event *e),
		   void *ctx)
{
	sqlite3_stmt *stmt = tape_prepare(&r->tape,
		"SELECT at_us, kind, place, text FROM event WHERE at_us BETWEEN ?1 AND ?2"
		" UNION ALL SELECT opened_us, verdict, place, check_id || ': ' || what FROM finding WHERE opened_us BETWEEN ?1 AND ?2"
		/* Of rows closed at the same time the last was open: a finding that began as unknown has its own row. */
		" UNION ALL SELECT closed_us, 'closed', place, check_id || ': ' || what FROM (SELECT *, max(id) FROM finding"
		" WHERE closed_us BETWEEN ?1 AND ?2 GROUP BY check_id, place, closed_us)"
		" UNION ALL SELECT began_us, 'recording', '', 'begins' FROM run WHERE began_us BETWEEN ?1 AND ?2"
		" UNION ALL SELECT ended_us, 'ended', '', 'the recording' FROM run WHERE ended_us BETWEEN ?1 AND ?2"
		" ORDER BY 1", NULL);

	sqlite3_bind_int64(stmt, 1, from_us);
	sqlite3_bind_int64(stmt, 2, to_us);
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		each(ctx, &(struct replay_event){ sqlite3_column_int64(stmt, 0), tape_text(stmt, 1), tape_text(stmt, 2),
						  tape_text(stmt, 3) });
	sqlite3_finalize(stmt);
}

bool replay_bringup(const struct replay *r, void (*each)(void *ctx, int64_t at_us, const char *kind, const char *body), void *ctx)
{
	sqlite3_stmt *stmt = has_table(r, "bringup") ? tape_prepare(&r->tape, "SELECT at_us, kind, body FROM bringup ORDER BY id", NULL) : NULL;
	bool is_there = stmt;

	while (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		each(ctx, sqlite3_column_int64(stmt, 0), tape_text(stmt, 1), tape_text(stmt, 2));
	sqlite3_finalize(stmt);
	return is_there;
}
