/*
 * Secrets in every form (tests/remote/canaries.txt) in every reply, and in every file of support bundles: none is in any file that
 * the program writes, read as bytes and unpacked, nor in what any command prints, nor on any screen.
 */
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>
#include <zstd.h>

#include "db/record/recorder.h"
#include "remote/bundle/bundle.h"
#include "remote/platforms.h"
#include "tests/lib/canary.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"

static char dir[] = "/tmp/fabcon-canary.XXXXXX";
static struct buf forms;
static unsigned files, prints, screens, blobs, found;

static void look(const char *where, struct span bytes)
{
	const char *how = bytes.n ? canary_in(bytes) : NULL;
	const char *at = how ? span_find(bytes, CANARY) : NULL;

	if (!how)
		return;
	found++;
	printf("%s: %s: %.60s\n", where, how, at ? (at - bytes.p > 30 ? at - 30 : bytes.p) : "");
}

/* -- what is planted -- */

static void add_forms(void)
{
	size_t n;
	const struct canary *all = canary_forms(&n);

	for (size_t i = 0; i < n; i++)
		for (unsigned style = 0; style < CANARY_STYLES; style++)
			canary_put(&all[i], style, &forms);
	assert_non_null(canary_in(buf_span(&forms)));
}

static char *fixture_of(const struct platform *p, const struct probe *probe, size_t *n)
{
	char pattern[256], *text;
	glob_t paths;

	snprintf(pattern, sizeof(pattern), "tests/fixtures/%s/%s/*.raw", p->id, probe->id);
	assert_int_equal(glob(pattern, 0, NULL, &paths), 0);
	text = file_text(paths.gl_pathv[0], n);
	globfree(&paths);
	return text;
}

/* A reply with the forms before and behind it; JSON only behind it, or it were none. */
static struct buf planted(const struct platform *p, const struct probe *probe)
{
	struct buf out = { 0 };
	size_t n;
	char *text = fixture_of(p, probe, &n);

	if (*text != '{' && *text != '[')
		buf_add(&out, forms.text, forms.n);
	buf_add(&out, text, n);
	if (n && text[n - 1] != '\n')
		buf_str(&out, "\n");
	buf_add(&out, forms.text, forms.n);
	free(text);
	return out;
}

static const char *path_of(const char *name)
{
	static char path[2][512];
	static unsigned turn;

	turn = !turn;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", dir, name);
	return path[turn];
}

static void put(const char *name, struct span text, long ago_s)
{
	char *path = xstrndup(path_of(name), 511);
	struct timespec times[2] = { { .tv_sec = time(NULL) - ago_s }, { .tv_sec = time(NULL) - ago_s } };
	FILE *f;

	for (char *slash = path + strlen(dir) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fwrite(text.p, 1, text.n, f);
	fclose(f);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	free(path);
}

/* -- recordings -- */

static void record(struct recorder *r, const struct platform *p, const struct probe *probe, int64_t at_us)
{
	struct bundle_part part = { .device = p->is_switch ? p->id : "node1", .platform = p, .probe = probe, .at_us = at_us };
	struct buf text = planted(p, probe);
	struct obs o;

	snprintf(part.port, sizeof(part.port), "%s", probe->per_port ? "eth2" : "");
	bundle_parse(&part, buf_span(&text), &o);
	o.device = part.device;
	recorder_take(r, &o);
	obs_done(&o);
	buf_done(&text);
}

static unsigned record_every_probe(const char *path)
{
	const struct recorder_options options = { .fabric = "canaries", .policy = "roce-lossless" };
	int64_t at_us = ((int64_t)time(NULL) - 100) * 1000000;
	struct recorder *r;
	unsigned n = 0;
	struct err err;

	r = recorder_open(path, &options, &err);
	if (!r)
		fail_msg("%s", err.text);
	for (size_t p = 0; p < platform_count; p++)
		for (size_t i = 0; i < platform_table[p]->n_probes; i++, n++) {
			struct bundle_part first = { .device = platform_table[p]->is_switch ? platform_table[p]->id : "node1",
						     .platform = platform_table[p], .at_us = at_us };
			struct obs o;

			if (i == 0) {
				bundle_introduce(&first, &o);
				recorder_take(r, &o);
				obs_done(&o);
			}
			record(r, platform_table[p], &platform_table[p]->probes[i], at_us += 1000);
		}
	recorder_close(r);
	return n;
}

static void put_bundles(void)
{
	static const char *const sos[][2] = { { "ip_-s_-d_link", "ip-link" }, { "ethtool_eth2", "ethtool" }, { "ethtool_-i_eth2", "ethtool-i" },
					      { "ethtool_-a_eth2", "ethtool-a" }, { "ethtool_-S_eth2", "ethtool-S" } };
	static const char *const dump[][2] = { { "version", "version" }, { "interface.status", "interfaces-status" },
					       { "interface.counters_1", "interfaces-counters" }, { "queue.counters_1", "queue-counters" } };
	const struct platform *host = platform_find("linux"), *sonic = platform_find("sonic");
	char name[128];

	for (size_t i = 0; i < sizeof(sos) / sizeof(*sos); i++) {
		struct buf text = planted(host, platform_probe(host, sos[i][1]));

		snprintf(name, sizeof(name), "in/sos/sos_commands/networking/%s", sos[i][0]);
		put(name, buf_span(&text), 60);
		buf_done(&text);
	}
	for (size_t i = 0; i < sizeof(dump) / sizeof(*dump); i++) {
		struct buf text = strcmp(dump[i][1], "version") ? planted(sonic, platform_probe(sonic, dump[i][1])) : (struct buf){ 0 };

		snprintf(name, sizeof(name), "in/sonic/dump/%s", dump[i][0]);
		put(name, text.n ? buf_span(&text) : buf_span(&forms), 50);
		buf_done(&text);
	}
	put("in/sos/sos_commands/kernel/dmesg", buf_span(&forms), 60);
	put("in/sos/sos_commands/kernel/lsmod", buf_span(&forms), 60);
	put("in/sos/proc/net/bonding/bond0", buf_span(&forms), 60);
	put("in/sos/etc/shadow", buf_span(&forms), 60);
	put("in/sonic/etc/sonic/config_db.json", buf_span(&forms), 60);
}

/* -- what is printed -- */

static void look_at_run(struct run r, const char *what)
{
	prints++;
	look(what, buf_span(&r.out));
	look(what, buf_span(&r.err));
	run_done(&r);
}

static void look_at_commands(const char *recording)
{
	static const char *const commands[][3] = {
		{ "status" }, { "ports" }, { "map" }, { "pauses" }, { "show", "node1" }, { "show", "os10" }, { "show", "sonic" },
		{ "show", "node1:eth2" }, { "compare", "os10", "sonic" }, { "findings" }, { "check" }, { "diagnose" }, { "report" },
		{ "events" }, { "changes" }, { "plan" }, { "prove", "node1:eth2" }, { "emit", "script", "node1" },
	};
	static const char *const formats[] = { "table", "json", "jsonl", "csv" };

	for (size_t c = 0; c < sizeof(commands) / sizeof(*commands); c++)
		for (size_t f = 0; f < sizeof(formats) / sizeof(*formats); f++)
			look_at_run(RUN("fabcon", "-o", formats[f], "replay", recording, commands[c][0], commands[c][1], commands[c][2]),
				    commands[c][0]);
	look_at_run(RUN("fabcon", "-o", "junit", "replay", recording, "check"), "junit");
	look_at_run(RUN("fabcon", "-o", "dot", "replay", recording, "map"), "dot");
	look_at_run(run_program((const char *const[]){ "fabcon", "--plain", "replay", recording, NULL },
				"1\n2\n3\n4\n5\n6\n7\n8\n9\nopen 1\nraw\no\nx\nq\n"), "--plain");
}

static void look_at_parse(void)
{
	put("in/text", buf_span(&forms), 1);
	for (size_t p = 0; p < platform_count; p++)
		for (size_t i = 0; i < platform_table[p]->n_probes; i++)
			look_at_run(RUN("fabcon", "parse", platform_table[p]->id, platform_table[p]->probes[i].id, "--port", "eth2",
					path_of("in/text")), "parse");
}

static void look_at_logs(const char *recording)
{
	struct buf log = { 0 };
	struct span rest = buf_span(&forms), line;

	buf_str(&log, "node1:10:10 [0] NCCL INFO NCCL version 2.19.3+cuda12.2\n");
	while (span_line(&rest, &line)) {
		buf_printf(&log, "node1:10:10 [0] NCCL WARN %.*s\n", (int)line.n, line.p);
		buf_printf(&log, "node1:10:10 [0] NCCL INFO NCCL_IB_HCA set by environment to %.*s\n", (int)line.n, line.p);
	}
	put("in/nccl.log", buf_span(&log), 1);
	look_at_run(RUN("fabcon", "-o", "json", "nccl", path_of("in/nccl.log")), "nccl");
	look_at_run(RUN("fabcon", "--nccl", path_of("in/nccl.log"), "-o", "json", "replay", recording, "findings"), "--nccl");
	look_at_run(RUN("fabcon", "--nccl", path_of("in/nccl.log"), "replay", recording, "show", "node1"), "--nccl");
	buf_done(&log);
}

/* -- screens -- */

static void look_at_screens(const char *recording)
{
	struct tty *t = TTY(50, 180, "fabcon", "replay", recording);

	if (!tty_shows(t, "node1", 20))
		fail_msg("the console shows nothing of it:\n%s", tty_screen(t));
	for (const char *go = "123456789"; *go; go++)
		for (const char *key = "xojojojojo\r"; *key; key++) {
			tty_type(t, (char[]){ *go, *key, '\0' });
			if (!tty_settle(t, 20))
				fail_msg("on screen %c after %c the prompt does not answer:\n%s", *go, *key, tty_screen(t));
			look("screen", span_of(tty_screen(t)));
			screens++;
			tty_type(t, "?q");
		}
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, 20), 0);
	look("terminal", buf_span(tty_bytes(t)));
	tty_close(t);
}

/* -- files -- */

static void look_at_blob(const char *table, sqlite3_stmt *row, int column)
{
	const void *blob = sqlite3_column_blob(row, column);
	size_t n = (size_t)sqlite3_column_bytes(row, column);
	unsigned long long whole = n ? ZSTD_getFrameContentSize(blob, n) : 0;
	char *text;

	look(table, (struct span){ blob, n });
	if (!n || whole == ZSTD_CONTENTSIZE_ERROR || whole == ZSTD_CONTENTSIZE_UNKNOWN || whole > (64u << 20))
		return;
	text = malloc(whole + 1);
	if (!ZSTD_isError(ZSTD_decompress(text, whole, blob, n))) {
		look(table, (struct span){ text, whole });
		blobs++;
	}
	free(text);
}

static void look_at_table(sqlite3 *db, const char *table)
{
	char *sql = xasprintf("SELECT * FROM \"%s\"", table);
	sqlite3_stmt *row;

	if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK) {
		while (sqlite3_step(row) == SQLITE_ROW)
			for (int i = 0; i < sqlite3_column_count(row); i++)
				look_at_blob(table, row, i);
		sqlite3_finalize(row);
	}
	free(sql);
}

static void look_at_database(const char *path)
{
	sqlite3_stmt *names;
	sqlite3 *db;

	assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, "SELECT name FROM sqlite_schema WHERE type = 'table'", -1, &names, NULL), SQLITE_OK);
	while (sqlite3_step(names) == SQLITE_ROW)
		look_at_table(db, (const char *)sqlite3_column_text(names, 0));
	sqlite3_finalize(names);
	sqlite3_close(db);
}

static int look_at_file(const char *path, const struct stat *st, int type, struct FTW *at)
{
	char *text;
	size_t n;

	(void)st;
	(void)at;
	if (type != FTW_F || strstr(path, "/in/"))
		return 0;
	text = file_text(path, &n);
	if (!text)
		return 0;
	look(path, (struct span){ text, n });
	if (n > 15 && memcmp(text, "SQLite format 3", 15) == 0)
		look_at_database(path);
	files++;
	free(text);
	return 0;
}

static void no_canary_is_in_any_file_or_on_any_screen(void **state)
{
	char *every = xstrndup(path_of("every.db"), 511), *imported = xstrndup(path_of("imported.db"), 511);
	char *sos = xasprintf("node1=%s/in/sos", dir), *dump = xasprintf("sonic=%s/in/sonic", dir);
	unsigned n_probes;
	size_t n_forms;

	(void)state;
	add_forms();
	canary_forms(&n_forms);
	n_probes = record_every_probe(every);
	put_bundles();
	look_at_run(RUN("fabcon", "import", imported, sos, dump), "import");
	assert_int_equal(access(imported, R_OK), 0);
	look_at_commands(every);
	look_at_commands(imported);
	look_at_parse();
	look_at_logs(every);
	look_at_screens(every);
	look_at_screens(imported);
	look_at_run(RUN("fabcon", "-O", path_of("report.md"), "replay", every, "report"), "report");
	assert_int_equal(nftw(dir, look_at_file, 16, FTW_PHYS), 0);
	printf("%zu forms x %u probes: %u found in %u files, %u unpacked rows, %u outputs, %u screens\n", n_forms, n_probes, found, files,
	       blobs, prints, screens);
	assert_true(files >= 3 && blobs > 50);
	assert_int_equal(found, 0);
	free(every);
	free(imported);
	free(sos);
	free(dump);
}

static int begin(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	setenv("XDG_STATE_HOME", path_of("state"), 1);
	setenv("XDG_CONFIG_HOME", path_of("config"), 1);
	setenv("XDG_DATA_HOME", path_of("data"), 1);
	return 0;
}

static int end(void **state)
{
	struct run r = RUN("/bin/rm", "-r", dir);

	(void)state;
	run_done(&r);
	buf_done(&forms);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_canary_is_in_any_file_or_on_any_screen),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
