/* Reading the audit: entries in order, the last states of a plan's steps, and whether the chain is intact. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/audit/chain.h"
#include "db/audit/internal.h"

/* A non-integer number or a text with an embedded NUL: we did not write it, so it must not read as a valid value. */
static int64_t number_of(sqlite3_stmt *row, int column)
{
	return sqlite3_column_type(row, column) == SQLITE_INTEGER ? sqlite3_column_int64(row, column) : INT64_MIN;
}

static const char *text_of(sqlite3_stmt *row, int column)
{
	int type = sqlite3_column_type(row, column);
	const char *text = tape_text(row, column);

	if (type == SQLITE_NULL)
		return NULL;
	return type == SQLITE_TEXT && text && strlen(text) == (size_t)sqlite3_column_bytes(row, column) ? text : "(damaged)";
}

/* Texts are lent until the next step. */
static void audit_entry_of(sqlite3_stmt *row, struct audit_entry *e)
{
	const char *chain = text_of(row, 15);
	int64_t status = number_of(row, 12);

	*e = (struct audit_entry){
		.id = number_of(row, 0), .at_us = number_of(row, 1), .mono_us = number_of(row, 2), .who = text_of(row, 3),
		.from = text_of(row, 4), .plan = text_of(row, 5), .hash = text_of(row, 6), .step = (long)number_of(row, 7),
		.device = text_of(row, 8), .hostkey = text_of(row, 9), .kind = text_of(row, 10), .text = text_of(row, 11),
		.status = status == (int)status ? (int)status : INT_MIN, .output = text_of(row, 13), .setup_hash = text_of(row, 14),
	};
	if (chain && strlen(chain) == FIX_HASH_SIZE - 1)
		memcpy(e->chain, chain, FIX_HASH_SIZE);
}

static sqlite3_stmt *select_of_plan(struct audit *a, const char *sql, const char *plan)
{
	sqlite3_stmt *s = tape_prepare(&a->file, sql, NULL);

	if (s)
		sqlite3_bind_text(s, 1, plan, -1, SQLITE_STATIC);
	return s;
}

char *audit_plan(struct audit *a, const char *id)
{
	sqlite3_stmt *s = select_of_plan(a, "SELECT text FROM entry WHERE plan = ? AND step = -1 AND kind = 'plan' ORDER BY id DESC LIMIT 1", id);
	char *text = NULL;

	if (s && sqlite3_step(s) == SQLITE_ROW && tape_text(s, 0))
		text = xstrdup(tape_text(s, 0));
	sqlite3_finalize(s);
	return text;
}

static void word_of(const char *text, char out[32])
{
	snprintf(out, 32, "%.*s", (int)(text ? strcspn(text, ":") : 0), text ? text : "");
}

/* An arm command that no state follows was not answered. */
#define IS_STATE	"kind IN ('state', 'arm')"
#define STATE_TEXT	"CASE e.kind WHEN 'arm' THEN '" AUDIT_ARMING "' ELSE e.text END"

void audit_state(struct audit *a, const char *plan, size_t step, char out[32])
{
	sqlite3_stmt *s = select_of_plan(a, "SELECT " STATE_TEXT " FROM entry e WHERE plan = ?1 AND step = ?2 AND " IS_STATE
					    " ORDER BY id DESC LIMIT 1", plan);

	*out = '\0';
	if (s)
		sqlite3_bind_int64(s, 2, (int64_t)step);
	if (s && sqlite3_step(s) == SQLITE_ROW)
		word_of(tape_text(s, 0), out);
	sqlite3_finalize(s);
}

struct open_plans {
	bool (*is_final)(const char *word);
	struct buf *out;
	char last[80];		/* id: rows are grouped by plan */
};

static bool add_open(void *ctx, sqlite3_stmt *row)
{
	struct open_plans *o = ctx;
	const char *plan = tape_text(row, 0);
	char word[32];

	word_of(tape_text(row, 1), word);
	if (!plan || strcmp(plan, o->last) == 0 || o->is_final(word))
		return true;
	snprintf(o->last, sizeof(o->last), "%s", plan);
	buf_printf(o->out, "%s\n", plan);
	return true;
}

void audit_open_plans(struct audit *a, bool (*is_final)(const char *word), struct buf *out)
{
	struct open_plans o = { .is_final = is_final, .out = out };

	tape_each(&a->file, "SELECT e.plan, " STATE_TEXT " FROM entry e JOIN"
			    " (SELECT max(id) AS last FROM entry WHERE " IS_STATE " AND step >= 0 GROUP BY plan, step) l"
			    " ON e.id = l.last ORDER BY (SELECT min(id) FROM entry f WHERE f.plan = e.plan), e.step",
		  add_open, &o, NULL);
}

static bool each_from(struct audit *a, int64_t first, const char *plan, bool (*each)(void *ctx, const struct audit_entry *e),
		      void *ctx, struct err *err)
{
	sqlite3_stmt *s = select_of_plan(a, "SELECT " AUDIT_COLUMNS " FROM entry WHERE (?1 IS NULL OR plan = ?1) AND id >= ?2"
					    " ORDER BY id", plan);
	bool go_on = s != NULL;
	struct audit_entry e;
	int rc = SQLITE_ERROR;

	if (s)
		sqlite3_bind_int64(s, 2, first);
	while (go_on && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		audit_entry_of(s, &e);
		go_on = each(ctx, &e);
	}
	if (go_on && rc != SQLITE_DONE)
		err_set(err, "%s", sqlite3_errmsg(a->file.db));
	if (!s)
		err_set(err, "%s", sqlite3_errmsg(a->file.db));
	sqlite3_finalize(s);
	return go_on && rc == SQLITE_DONE;
}

bool audit_each(struct audit *a, int64_t after, const char *plan, bool (*each)(void *ctx, const struct audit_entry *e), void *ctx,
		struct err *err)
{
	return after == INT64_MAX || each_from(a, after + 1, plan, each, ctx, err);
}

/* -- the chain -- */

struct walk {
	struct audit_check *out;
	const char *head;
	bool has_head;
	struct buf scratch;
};

static bool is_broken(struct walk *w, int64_t id, const char *why)
{
	w->out->broken = id;
	snprintf(w->out->why, sizeof(w->out->why), "%.159s", why);
	return false;
}

static bool check_one(void *ctx, const struct audit_entry *e)
{
	struct walk *w = ctx;
	char chain[FIX_HASH_SIZE];

	if (e->id != w->out->entries + 1)
		return is_broken(w, w->out->entries + 1, e->id > w->out->entries ? "it is missing" : "its number is out of sequence");
	audit_chain(w->out->head, e, &w->scratch, chain);
	if (strcmp(chain, e->chain) != 0)
		return is_broken(w, e->id, "it was modified, or does not follow its predecessor");
	memcpy(w->out->head, chain, sizeof(chain));
	w->out->entries = e->id;
	w->has_head = w->has_head || (w->head && strcasecmp(w->head, chain) == 0);
	return true;
}

static bool take_words(void *ctx, sqlite3_stmt *row)
{
	const char *text = tape_text(row, 0);

	if (text && strcmp(text, "ok") == 0)
		return true;
	return err_set(ctx, "%.120s", text ? text : "unreadable");
}

/* With damaged indexes, a lookup by number or plan can miss an entry although the chain is intact. */
static bool is_in_order(struct audit *a, struct walk *w)
{
	struct err why = { "" };
	char words[160];

	if (tape_each(&a->file, "PRAGMA integrity_check(1)", take_words, &why, &why))
		return true;
	snprintf(words, sizeof(words), "the file is damaged and may be incomplete: %.100s", why.text);
	return is_broken(w, w->out->entries + 1, words);
}

bool audit_verify(struct audit *a, const char *head, struct audit_check *out, struct err *err)
{
	struct walk w = { .out = out, .head = head };
	struct err why = { "" };
	bool whole;

	*out = (struct audit_check){ 0 };
	snprintf(out->head, sizeof(out->head), "%s", AUDIT_CHAIN_BEGIN);
	whole = each_from(a, INT64_MIN, NULL, check_one, &w, &why) && is_in_order(a, &w);
	buf_done(&w.scratch);
	if (!whole && !out->broken)
		is_broken(&w, out->entries + 1, why.text);
	if (whole && head && !w.has_head)
		return err_set(err, "%s: no entry has the audit hash %.64s: entries were removed from its end, or it was rewritten", a->path, head);
	return whole || err_set(err, "%s: entry %lld: %s", a->path, (long long)out->broken, out->why);
}
