#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "db/audit/audit.h"
#include "db/audit/chain.h"
#include "tests/lib/say.h"

/* A folder of its own for each test, emptied at the end. */
static char folder[64], path[96];

static int begin_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/fabcon-audit-XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/data/audit.db", folder);
	return 0;
}

static int end_folder(void **state)
{
	char command[96];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

static struct audit *begin(void)
{
	struct err err = { "" };
	struct audit *a = audit_open(path, &err);

	if (!a)
		fail_msg("%s", err.text);
	return a;
}

static struct audit_entry entry_of(const char *plan, long step, const char *kind, const char *text)
{
	return (struct audit_entry){ .at_us = 1790000000000000, .mono_us = 77, .who = "alice", .from = "console1 pid 4711",
				     .plan = plan, .hash = "c0ffee", .step = step, .device = "node1", .kind = kind, .text = text };
}

static void add(struct audit *a, const char *plan, long step, const char *kind, const char *text)
{
	struct audit_entry e = entry_of(plan, step, kind, text);
	struct err err = { "" };

	if (!audit_add(a, &e, &err))
		fail_msg("%s", err.text);
}

/* The story of one plan, in six entries. */
static void tell(struct audit *a)
{
	struct audit_entry command = entry_of("P-1", 0, "command", "mlnx_qos -i eth2 --pfc 0,0,0,1,0,0,0,0");

	add(a, NULL, -1, "arm", "INC-42");
	add(a, "P-1", -1, "begin", "trust-same node1:eth2");
	add(a, "P-1", 0, "state", "armed: takes itself back in 600 s");
	command.output = "Priority flow control …";
	command.setup_hash = "9f86d081";
	command.hostkey = "ssh-ed25519 SHA256:abc";
	assert_true(audit_add(a, &command, NULL));
	add(a, "P-1", 0, "state", "kept");
	add(a, "P-1", -1, "end", "done");
}

static bool is_whole(struct audit *a, const char *head)
{
	struct audit_check check;

	return audit_verify(a, head, &check, NULL);
}

/* As somebody would who has the file and sqlite: the triggers are in his way no longer than he likes. */
static void tamper(const char *sql)
{
	sqlite3 *db;
	char *why = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	sqlite3_exec(db, sql, NULL, NULL, &why);
	if (why)
		fail_msg("%s: %s", sql, why);
	sqlite3_close(db);
}

static char *refusal(const char *sql)
{
	sqlite3 *db;
	char *why = NULL, *text;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	sqlite3_exec(db, sql, NULL, NULL, &why);
	text = xstrdup(why ? why : "");
	sqlite3_free(why);
	sqlite3_close(db);
	return text;
}

/* Copies the file as it stands, its log merged. */
static void copy_to(const char *name)
{
	char sql[160];

	snprintf(sql, sizeof(sql), "PRAGMA wal_checkpoint(TRUNCATE); VACUUM INTO '%s'", name);
	tamper(sql);
}

static bool collect(void *ctx, const struct audit_entry *e)
{
	buf_printf(ctx, "%lld %s %ld %s %s %d %s\n", (long long)e->id, e->plan ? e->plan : "-", e->step, e->kind, e->text, e->status,
		   e->output ? e->output : "-");
	return true;
}

/* -- what is told is read -- */

static void what_was_written_is_read_in_order(void **state)
{
	struct audit *a = begin();
	struct buf all = { 0 }, of_plan = { 0 };
	struct err err;

	(void)state;
	tell(a);
	assert_true(audit_each(a, 0, NULL, collect, &all, &err));
	assert_non_null(strstr(all.text, "1 - -1 arm INC-42 0 -\n2 P-1 -1 begin trust-same node1:eth2 0 -\n"));
	assert_non_null(strstr(all.text, "4 P-1 0 command mlnx_qos -i eth2 --pfc 0,0,0,1,0,0,0,0 0 Priority flow control …\n"));
	assert_true(audit_each(a, 4, "P-1", collect, &of_plan, &err));
	assert_string_equal(of_plan.text, "5 P-1 0 state kept 0 -\n6 P-1 -1 end done 0 -\n");
	assert_true(is_whole(a, NULL));
	buf_done(&all);
	buf_done(&of_plan);
	audit_close(a);
}

static void it_is_for_us_alone_and_goes_on(void **state)
{
	struct audit *a = begin();
	struct audit_check before, after;
	struct stat st;

	(void)state;
	tell(a);
	assert_true(audit_verify(a, NULL, &before, NULL));
	audit_close(a);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	*strrchr(path, '/') = '\0';
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	path[strlen(path)] = '/';
	a = begin();
	add(a, NULL, -1, "arm", "INC-43");
	assert_true(audit_verify(a, before.head, &after, NULL));
	assert_int_equal(after.entries, 7);
	audit_close(a);
}

static bool never(const char *word)
{
	return !strcmp(word, "kept") || !strcmp(word, "undone");
}

static void plans_that_were_begun_and_not_ended_are_named(void **state)
{
	struct audit *a = begin();
	struct buf open = { 0 };
	char word[32];

	(void)state;
	tell(a);
	add(a, "P-2", 0, "state", "undone");
	add(a, "P-2", 1, "state", "armed: takes itself back in 600 s");
	add(a, "P-2", 2, "state", "unknown: the session ended before the answer");
	add(a, "P-3", 0, "state", "reading");
	/* killed between the arm command and its answer */
	add(a, "P-4", 0, "state", "undone");
	add(a, "P-4", 0, "arm", "lock, and arm the rollback timer");
	/* answered */
	add(a, "P-5", 0, "arm", "lock, and arm the rollback timer");
	add(a, "P-5", 0, "state", "undone");
	add(a, NULL, -1, "arm", "INC-43");
	audit_open_plans(a, never, &open);
	assert_string_equal(open.text, "P-2\nP-3\nP-4\n");
	audit_state(a, "P-4", 0, word);
	assert_string_equal(word, AUDIT_ARMING);
	audit_state(a, "P-5", 0, word);
	assert_string_equal(word, "undone");
	audit_state(a, "P-2", 1, word);
	assert_string_equal(word, "armed");
	audit_state(a, "P-1", 0, word);
	assert_string_equal(word, "kept");
	audit_state(a, "P-9", 0, word);
	assert_string_equal(word, "");
	buf_done(&open);
	audit_close(a);
}

/* A forgery that was refused does not take an honest plan's name, whichever came first; what was sent keeps it. */
static void a_plan_of_which_nothing_was_sent_gives_its_name_up(void **state)
{
	struct audit *a = begin();
	struct audit_entry forged = entry_of("P-1", -1, "plan", "forged"), honest = entry_of("P-1", -1, "plan", "honest");
	struct audit_check check;
	struct err err;
	char *text;

	(void)state;
	forged.hash = "badcafe";
	assert_true(audit_keep_plan(a, &honest, &err));
	assert_true(audit_keep_plan(a, &forged, &err));
	add(a, "P-1", 0, "state", "refused: line 1 of the plan is not what the device and the edits give");
	assert_true(audit_keep_plan(a, &honest, &err));
	text = audit_plan(a, "P-1");
	assert_string_equal(text, "honest");
	free(text);
	add(a, "P-1", 0, "arm", "lock, and arm the rollback timer");
	assert_false(audit_keep_plan(a, &forged, &err));
	assert_true(audit_keep_plan(a, &honest, &err));
	assert_true(audit_verify(a, NULL, &check, NULL));
	assert_int_equal(check.entries, 5);
	audit_close(a);
}

static void a_plan_is_kept_once_and_no_other_takes_its_name(void **state)
{
	struct audit *a = begin();
	struct audit_entry plan = entry_of("P-1", -1, "plan", "{\"schema\": \"fabcon.plan/1\"}");
	struct audit_check check;
	struct err err;
	char *text;

	(void)state;
	assert_true(audit_keep_plan(a, &plan, &err));
	assert_true(audit_keep_plan(a, &plan, &err));
	assert_true(audit_verify(a, NULL, &check, NULL));
	assert_int_equal(check.entries, 1);
	add(a, "P-1", 0, "command", "ip link set eth2 mtu 9000");
	plan.hash = "badcafe";
	assert_false(audit_keep_plan(a, &plan, &err));
	assert_non_null(strstr(err.text, "another plan is named P-1"));
	text = audit_plan(a, "P-1");
	assert_string_equal(text, "{\"schema\": \"fabcon.plan/1\"}");
	assert_null(audit_plan(a, "P-2"));
	free(text);
	audit_close(a);
}

static void a_long_answer_is_cut_and_says_so(void **state)
{
	struct audit *a = begin();
	char *much = xcalloc(1, 100001);
	struct audit_entry e = entry_of("P-1", 0, "command", "show running-configuration");
	struct buf all = { 0 };

	(void)state;
	memset(much, 'x', 100000);
	e.output = much;
	assert_true(audit_add(a, &e, NULL));
	assert_true(audit_each(a, 0, NULL, collect, &all, NULL));
	assert_non_null(strstr(all.text, "xx… (34464 more bytes)"));
	assert_true(is_whole(a, NULL));
	buf_done(&all);
	free(much);
	audit_close(a);
}

/* -- the chain -- */

static void fields_do_not_run_into_each_other(void **state)
{
	struct audit_entry one = entry_of("P-1", 0, "ab", "c"), other = entry_of("P-1", 0, "a", "bc");
	struct buf a = { 0 }, b = { 0 };

	(void)state;
	audit_canonical(&one, &a);
	audit_canonical(&other, &b);
	assert_string_not_equal(a.text, b.text);
	buf_clear(&b);
	other = one;
	other.device = "-,";
	audit_canonical(&other, &b);
	one.device = NULL;
	buf_clear(&a);
	audit_canonical(&one, &a);
	assert_string_not_equal(a.text, b.text);
	buf_done(&a);
	buf_done(&b);
}

static void entries_are_neither_changed_nor_deleted(void **state)
{
	struct audit *a = begin();
	char *why;

	(void)state;
	tell(a);
	why = refusal("UPDATE entry SET who = 'bob' WHERE id = 2");
	assert_string_equal(why, "entries of the audit are never changed");
	free(why);
	why = refusal("DELETE FROM entry");
	assert_string_equal(why, "entries of the audit are never deleted");
	free(why);
	assert_true(is_whole(a, NULL));
	audit_close(a);
}

#define WITHOUT_TRIGGERS	"DROP TRIGGER entry_stays; DROP TRIGGER entry_is_kept; "
#define WITH_TRIGGERS \
	"; CREATE TRIGGER entry_stays BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'entries of the audit are never changed'); END;" \
	"CREATE TRIGGER entry_is_kept BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'entries of the audit are never deleted'); END"

/* The story as told, then changed by somebody with care for the rest of the file. */
static struct audit *tampered(const char *sql)
{
	char *whole = xasprintf("%s%s%s", WITHOUT_TRIGGERS, sql, WITH_TRIGGERS);
	struct audit *a;
	struct err err = { "" };

	tamper(whole);
	a = audit_read(path, &err);
	if (!a)
		fail_msg("%s", err.text);
	free(whole);
	return a;
}

static void what_was_done_to_it_is_seen(void **state)
{
	static const struct {
		const char *sql;
		int64_t broken;
	} rows[] = {
		{ "UPDATE entry SET who = 'bob' WHERE id = 2", 2 },
		{ "UPDATE entry SET status = status + 4294967296 WHERE id = 4", 4 },
		{ "UPDATE entry SET output = output || char(0) || 'more' WHERE id = 4", 4 },
		{ "UPDATE entry SET text = CAST(text AS BLOB) WHERE id = 4", 4 },
		{ "UPDATE entry SET at_us = at_us || 'x' WHERE id = 3", 3 },
		{ "UPDATE entry SET chain = chain || 'a' WHERE id = 6", 6 },
		{ "UPDATE entry SET hostkey = NULL WHERE id = 4", 4 },
		{ "DELETE FROM entry WHERE id = 1", 1 },
		{ "DELETE FROM entry WHERE id = 3", 3 },
		{ "DELETE FROM entry WHERE id = 3; UPDATE entry SET id = id - 1 WHERE id > 3", 3 },
		{ "UPDATE entry SET id = 99 WHERE id = 3; UPDATE entry SET id = 3 WHERE id = 4; UPDATE entry SET id = 4 WHERE id = 99", 3 },
		{ "UPDATE entry SET id = 9 WHERE id = 6; UPDATE entry SET id = 8 WHERE id = 5; INSERT INTO entry SELECT 5, at_us, mono_us,"
		  " who, origin, plan, hash, step, device, hostkey, kind, text, status, output, setup_hash, chain FROM entry WHERE id = 4", 5 },
		{ "INSERT INTO entry SELECT 7, at_us, mono_us, who, origin, plan, hash, step, device, hostkey, kind, text, status, output,"
		  " setup_hash, chain FROM entry WHERE id = 6", 7 },
		{ "INSERT INTO entry SELECT -1, at_us, mono_us, who, origin, plan, hash, step, device, hostkey, kind, text, status, output,"
		  " setup_hash, chain FROM entry WHERE id = 6", 1 },
	};
	char kept[96];

	(void)state;
	snprintf(kept, sizeof(kept), "%s/kept.db", folder);
	struct audit *a = begin();
	tell(a);
	audit_close(a);
	copy_to(kept);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct audit_check check;
		struct err err = { "" };
		char command[320];

		snprintf(command, sizeof(command), "rm -f '%s'-* && cp '%s' '%s'", path, kept, path);
		assert_int_equal(system(command), 0);
		a = tampered(rows[i].sql);
		if (audit_verify(a, NULL, &check, &err))
			fail_msg("not seen: %s", rows[i].sql);
		assert_int_equal(check.broken, rows[i].broken);
		assert_non_null(strstr(err.text, "entry"));
		audit_close(a);
	}
}

/* The text of a column of an entry. */
static char *column_text(sqlite3 *db, const char *column, int id)
{
	char *sql = xasprintf("SELECT %s FROM entry WHERE id = %d", column, id), *text;
	sqlite3_stmt *s;

	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	text = xstrdup(sqlite3_column_text(s, 0) ? (const char *)sqlite3_column_text(s, 0) : "");
	sqlite3_finalize(s);
	free(sql);
	return text;
}

/* Numbers find their type again by the column. */
static void put_text(sqlite3 *db, const char *column, int id, const char *text)
{
	char *sql = xasprintf("UPDATE entry SET %s = ? WHERE id = %d", column, id);
	sqlite3_stmt *s;

	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
	sqlite3_bind_text(s, 1, text, -1, SQLITE_STATIC);
	assert_int_equal(sqlite3_step(s), SQLITE_DONE);
	sqlite3_finalize(s);
	free(sql);
}

/* Changes each byte of it in turn, and puts it back; the bytes. */
static unsigned change_each_byte(sqlite3 *db, struct audit *a, const char *column, int id)
{
	char *text = column_text(db, column, id);
	unsigned n = (unsigned)strlen(text);

	for (unsigned at = 0; at < n; at++) {
		text[at] ^= 1;
		put_text(db, column, id, text);
		if (is_whole(a, NULL))
			fail_msg("byte %u of %s of entry %d was changed, and nobody saw it", at, column, id);
		text[at] ^= 1;
		put_text(db, column, id, text);
	}
	free(text);
	return n;
}

static void each_byte_of_each_entry_counts(void **state)
{
	static const char *const columns[] = { "at_us", "mono_us", "who", "origin", "plan", "hash", "step", "device", "hostkey",
					       "kind", "text", "status", "output", "setup_hash", "chain" };
	struct audit *a = begin();
	unsigned tried = 0;
	sqlite3 *db;

	(void)state;
	tell(a);
	tamper(WITHOUT_TRIGGERS);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	sqlite3_exec(db, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
	for (int id = 1; id <= 6; id++)
		for (size_t c = 0; c < sizeof(columns) / sizeof(*columns); c++)
			tried += change_each_byte(db, a, columns[c], id);
	sqlite3_close(db);
	assert_true(tried > 700);
	print_message("%u single bytes of an audit changed, each of them seen\n", tried);
	assert_true(is_whole(a, NULL));
	audit_close(a);
}

static void a_cut_end_is_seen_only_by_a_head_kept_elsewhere(void **state)
{
	struct audit *a = begin();
	struct audit_check before, after;
	struct err err = { "" };

	(void)state;
	tell(a);
	assert_true(audit_verify(a, NULL, &before, NULL));
	audit_close(a);
	a = tampered("DELETE FROM entry WHERE id > 4");
	assert_true(audit_verify(a, NULL, &after, NULL));
	assert_int_equal(after.entries, 4);
	assert_false(audit_verify(a, before.head, &after, &err));
	assert_non_null(strstr(err.text, "removed from its end"));
	audit_close(a);
}

/* -- files that are not as they should be -- */

static void expect_refused(bool for_writing, const char *words)
{
	struct err err = { "" };
	struct audit *a = for_writing ? audit_open(path, &err) : audit_read(path, &err);

	assert_null(a);
	if (!strstr(err.text, words))
		fail_msg("\"%s\" says nothing of \"%s\"", err.text, words);
}

static void what_is_not_ours_is_refused_with_words(void **state)
{
	char other[96], command[320];

	(void)state;
	expect_refused(false, "No such file");
	audit_close(begin());
	tamper("PRAGMA user_version = 2");
	expect_refused(true, "written by a newer fabcon: its version is 2");
	expect_refused(false, "written by a newer fabcon");
	tamper("PRAGMA user_version = 1; CREATE VIEW more AS SELECT * FROM entry");
	expect_refused(true, "its tables are not those of a fabcon audit");
	tamper("DROP VIEW more; DROP TRIGGER entry_stays");
	expect_refused(false, "its tables are not those");
	tamper("PRAGMA application_id = 7");
	expect_refused(true, "is not an audit of fabcon");
	snprintf(other, sizeof(other), "%s/other", folder);
	assert_int_equal(rename(path, other), 0);
	assert_int_equal(symlink(other, path), 0);
	expect_refused(true, "not a plain file");
	unlink(path);
	assert_int_equal(link(other, path), 0);
	expect_refused(true, "second hard link");
	unlink(path);
	snprintf(command, sizeof(command), "echo this is a letter, and it is long enough to be one >'%s'; chmod 600 '%s'", path, path);
	assert_int_equal(system(command), 0);
	expect_refused(true, "move it away to start a new audit");
	assert_int_equal(chmod(path, 0622), 0);
	expect_refused(true, "can be written by others");
}

static void read_whole(struct buf *out)
{
	size_t n;
	char *text = file_text(path, &n);

	assert_non_null(text);
	buf_add(out, text, n);
	free(text);
}

static void put_whole(const char *bytes, size_t n)
{
	FILE *f = fopen(path, "w");

	assert_int_equal(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

/* A byte of the file: then it is refused, or found broken, or says all that it said. Each 13th, to be quick. */
static void a_damaged_file_is_never_taken_for_another_truth(void **state)
{
	struct audit *a = begin();
	struct buf truth = { 0 }, bytes = { 0 }, said = { 0 };
	unsigned seen = 0;

	(void)state;
	tell(a);
	assert_true(audit_each(a, 0, NULL, collect, &truth, NULL));
	audit_close(a);
	read_whole(&bytes);
	for (size_t at = 0; at < bytes.n; at += 13) {
		bytes.text[at] ^= (char)(1 << at % 8);
		put_whole(bytes.text, bytes.n);
		a = audit_read(path, NULL);
		buf_clear(&said);
		if (!a || !is_whole(a, NULL) || !audit_each(a, 0, NULL, collect, &said, NULL))
			seen++;
		else
			assert_string_equal(said.text, truth.text);
		audit_close(a);
		bytes.text[at] ^= (char)(1 << at % 8);
	}
	assert_true(seen > 20);
	for (size_t n = 0; n < bytes.n; n += 997) {
		put_whole(bytes.text, n);
		a = audit_read(path, NULL);
		if (a && is_whole(a, NULL)) {
			buf_clear(&said);
			assert_true(audit_each(a, 0, NULL, collect, &said, NULL));
			assert_string_equal(said.text, truth.text);
		}
		audit_close(a);
	}
	buf_done(&truth);
	buf_done(&bytes);
	buf_done(&said);
}

/* A tree's inner pages say where entries are looked for: reading from end to end passes them by. */
static void an_entry_that_is_no_longer_found_is_missed(void **state)
{
	struct audit *a = begin();
	struct buf truth = { 0 }, bytes = { 0 }, said = { 0 };
	unsigned inner = 0, seen = 0;

	(void)state;
	for (unsigned i = 0; i < 60; i++)
		add(a, "P-1", i, "command", "mlnx_qos -i eth2 --pfc 0,0,0,1,0,0,0,0");
	assert_true(audit_each(a, 0, NULL, collect, &truth, NULL));
	audit_close(a);
	read_whole(&bytes);
	for (size_t page = 4096; page < bytes.n; page += 4096)
		for (size_t at = 0; (bytes.text[page] == 5 || bytes.text[page] == 2) && at < 64; at++, inner++) {
			size_t where = page + (at < 16 ? at : 4096 - 64 + at);
			char was = bytes.text[where];

			bytes.text[where] = '\0';
			put_whole(bytes.text, bytes.n);
			a = audit_read(path, NULL);
			buf_clear(&said);
			if (!a || !is_whole(a, NULL) || !audit_each(a, 0, NULL, collect, &said, NULL))
				seen++;
			else
				assert_string_equal(said.text, truth.text);
			audit_close(a);
			bytes.text[where] = was;
		}
	assert_true(inner >= 64 && seen > 0);
	buf_done(&truth);
	buf_done(&bytes);
	buf_done(&said);
}

/* -- several consoles, and many entries -- */

#define CONSOLES	6
#define ENTRIES_EACH	20

static void write_some(unsigned console)
{
	struct err err = { "" };
	struct audit *a = audit_open(path, &err);
	char who[16];

	snprintf(who, sizeof(who), "console%u", console);
	for (int i = 0; a && !err.text[0] && i < ENTRIES_EACH; i++) {
		struct audit_entry e = entry_of("P-1", i, "state", "armed");

		e.who = who;
		audit_add(a, &e, &err);
	}
	audit_close(a);
	if (err.text[0])
		fprintf(stderr, "%s: %s\n", who, err.text);
	_exit(err.text[0] ? 1 : 0);
}

static void several_consoles_extend_one_chain(void **state)
{
	struct audit_check check;
	struct audit *a;
	int status;

	(void)state;
	for (unsigned i = 0; i < CONSOLES; i++) {
		pid_t pid = fork();

		if (pid == 0)
			write_some(i);
		assert_true(pid > 0);
	}
	for (unsigned i = 0; i < CONSOLES; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	a = begin();
	assert_true(audit_verify(a, NULL, &check, NULL));
	assert_int_equal(check.entries, CONSOLES * ENTRIES_EACH);
	audit_close(a);
}

#define MANY	100000

/* In one transaction, since each entry of its own waits for the disk. */
static void fill(unsigned n)
{
	struct audit_entry e = entry_of("P-1", 0, "command", "mlnx_qos -i eth2 --pfc 0,0,0,1,0,0,0,0");
	char before[FIX_HASH_SIZE] = AUDIT_CHAIN_BEGIN;
	struct buf scratch = { 0 };
	sqlite3_stmt *s;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
	assert_int_equal(sqlite3_prepare_v2(db, "INSERT INTO entry VALUES (?,1790000000000000,77,'alice','console1 pid 4711','P-1',"
						"'c0ffee',0,'node1',NULL,'command','mlnx_qos -i eth2 --pfc 0,0,0,1,0,0,0,0',0,NULL,NULL,?)",
					    -1, &s, NULL), SQLITE_OK);
	for (e.id = 1; e.id <= n; e.id++) {
		audit_chain(before, &e, &scratch, e.chain);
		memcpy(before, e.chain, sizeof(before));
		sqlite3_bind_int64(s, 1, e.id);
		sqlite3_bind_text(s, 2, e.chain, -1, SQLITE_STATIC);
		assert_int_equal(sqlite3_step(s), SQLITE_DONE);
		sqlite3_reset(s);
	}
	sqlite3_finalize(s);
	assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	buf_done(&scratch);
}

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void a_hundred_thousand_entries_are_verified_in_about_a_second(void **state)
{
	struct audit *a = begin();
	struct audit_check check;
	double began_s, took_s;

	(void)state;
	fill(MANY);
	began_s = cpu_s();
	assert_true(audit_verify(a, NULL, &check, NULL));
	took_s = cpu_s() - began_s;
	assert_int_equal(check.entries, MANY);
	print_message("%d entries verified in %.2f s of processor time\n", MANY, took_s);
	assert_true(took_s < 5);	/* a sanitizer's share; without one it is below one */
	audit_close(a);
}

#define STORY(f) cmocka_unit_test_setup_teardown(f, begin_folder, end_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		STORY(what_was_written_is_read_in_order),
		STORY(it_is_for_us_alone_and_goes_on),
		STORY(plans_that_were_begun_and_not_ended_are_named),
		STORY(a_plan_of_which_nothing_was_sent_gives_its_name_up),
		STORY(a_plan_is_kept_once_and_no_other_takes_its_name),
		STORY(a_long_answer_is_cut_and_says_so),
		STORY(fields_do_not_run_into_each_other),
		STORY(entries_are_neither_changed_nor_deleted),
		STORY(what_was_done_to_it_is_seen),
		STORY(each_byte_of_each_entry_counts),
		STORY(a_cut_end_is_seen_only_by_a_head_kept_elsewhere),
		STORY(what_is_not_ours_is_refused_with_words),
		STORY(an_entry_that_is_no_longer_found_is_missed),
		STORY(a_damaged_file_is_never_taken_for_another_truth),
		STORY(several_consoles_extend_one_chain),
		STORY(a_hundred_thousand_entries_are_verified_in_about_a_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
