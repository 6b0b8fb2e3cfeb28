#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/record/recorder.h"
#include "db/replay/replay.h"
#include "db/tape/tape.h"
#include "tests/lib/say.h"

#define START_US	(INT64_C(1790000000) * SECOND)
#define STEP_US		1000	/* between two observations */

/* A folder of its own for each test, emptied at the end. */
static char folder[64], path[96];

static int begin_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/fabcon-db-XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/r.fabcon", folder);
	return 0;
}

static int end_folder(void **state)
{
	char command[96];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

/* The nth observation of an endless story of one host; mtu changes each hundredth time. */
static void observe(struct obs *o, unsigned n)
{
	obs_init(o, "n1", "counters");
	o->at_us = START_US + (int64_t)n * STEP_US;
	o->device_us = 5 * SECOND + (int64_t)n * STEP_US;
	o->period_us = SECOND;
	o->rank = 10;
	o->command = "ethtool -S eth0";
	for (unsigned p = 0; p < 4; p++) {
		char name[16];
		uint16_t port;

		snprintf(name, sizeof(name), "eth%u", p);
		port = obs_port(o, span_of(name));
		obs_number(o, port, FIELD_RX_TOTAL, 0, UINT64_C(1000000) * n * (p + 1));
		obs_number(o, port, FIELD_PFC_RX, 3, n * p);
		obs_number(o, port, FIELD_OOS, 0, n / 7);
		obs_number(o, port, FIELD_MTU, 0, n / 100 % 2 ? 1500 : 9000);
	}
}

static struct recorder *begin(struct recorder_options options)
{
	struct err err = { "" };
	struct recorder *r;

	if (!options.commit_us)
		options.commit_us = 2000;
	r = recorder_open(path, &options, &err);
	if (!r)
		fail_msg("%s", err.text);
	return r;
}

static void take(struct recorder *r, unsigned n)
{
	struct obs o;

	observe(&o, n);
	recorder_take(r, &o);
	obs_done(&o);
}

static void record(unsigned from, unsigned to)
{
	struct recorder *r = begin((struct recorder_options){ .key_us = SECOND });

	for (unsigned n = from; n < to; n++)
		take(r, n);
	recorder_close(r);
}

static int64_t number_in(const char *file, const char *sql)
{
	struct tape t;
	struct err err = { "" };
	int64_t n;

	if (!tape_open_read(&t, file, &err))
		fail_msg("%s", err.text);
	n = tape_number(&t, sql, -1);
	tape_close(&t);
	return n;
}

static void run_in(const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static unsigned play_all(struct replay *r)
{
	struct model *m = model_new();
	struct obs o;
	unsigned n = 0;

	obs_init(&o, "", "");
	for (; replay_next(r, INT64_MAX, &o); n++)
		model_apply(m, &o);
	obs_done(&o);
	model_free(m);
	return n;
}

static struct replay *opened(void)
{
	struct err err = { "" };
	struct replay *r = replay_open(path, &err);

	if (!r)
		fail_msg("%s", err.text);
	return r;
}

static enum replay_state state_of(struct replay *r)
{
	const char *words;

	return replay_state(r, &words);
}

/* -- killed -- */

static void record_and_tell(int out)
{
	struct recorder *r = begin((struct recorder_options){ .key_us = SECOND / 10 });
	int64_t told_us = INT64_MIN;

	for (unsigned n = 0;; n++) {
		int64_t now_us = recorder_acknowledged(r);

		take(r, n);
		if (now_us > told_us && write(out, &now_us, sizeof(now_us)) != sizeof(now_us))
			_exit(1);
		told_us = now_us > told_us ? now_us : told_us;
		usleep(50);
	}
}

/* Kills a recorder some acknowledgements and a moment after it began; returns the last it gave. */
static int64_t kill_one(unsigned acknowledgements, unsigned moment_us)
{
	int64_t told_us = INT64_MIN, next_us;
	int ends[2];
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		close(ends[0]);
		record_and_tell(ends[1]);
	}
	close(ends[1]);
	for (unsigned i = 0; i < acknowledgements; i++)
		assert_int_equal(read(ends[0], &told_us, sizeof(told_us)), sizeof(told_us));
	usleep(moment_us);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	while (read(ends[0], &next_us, sizeof(next_us)) == sizeof(next_us))
		told_us = next_us;
	close(ends[0]);
	return told_us;
}

static void what_was_acknowledged_survives_a_kill(void **state)
{
	unsigned kills = getenv("KILLS") ? (unsigned)atoi(getenv("KILLS")) : 20, n_told = 0;

	(void)state;
	srand(7);
	for (unsigned i = 0; i < kills; i++) {
		int64_t told_us = kill_one(2 + (unsigned)rand() % 8, (unsigned)rand() % 4000);
		int64_t taken = (told_us - START_US) / STEP_US + 1;
		struct replay *r = opened();

		assert_int_equal(state_of(r), REPLAY_CUT);
		assert_true(replay_last(r) >= told_us);
		assert_true(play_all(r) >= (unsigned)taken);
		replay_close(r);
		assert_int_equal(number_in(path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
		assert_true(number_in(path, "SELECT count(*) FROM sample") >= taken);
		end_folder(NULL);
		begin_folder(NULL);
		n_told += (unsigned)taken;
	}
	print_message("%u kills of the recorder, %u acknowledged samples, each of them read back\n", kills, n_told);
}

static void a_recording_cut_by_a_kill_is_gone_on_with(void **state)
{
	const char *words;
	struct replay *r;

	(void)state;
	kill_one(3, 500);
	r = opened();
	assert_int_equal(replay_state(r, &words), REPLAY_CUT);
	assert_non_null(strstr(words, "or is still recording"));	/* who reads a file cannot tell a console that died from one that lives */
	replay_close(r);
	record(100000, 100100);
	r = opened();
	assert_int_equal(state_of(r), REPLAY_WHOLE);
	assert_true(replay_last(r) == START_US + 100099 * STEP_US);
	replay_close(r);
	assert_int_equal(number_in(path, "SELECT count(*) FROM run"), 2);
}

/* -- files -- */

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	fputs(text, f);
	fclose(f);
}

static void refused(const char *name, const char *reason)
{
	struct recorder_options options = { 0 };
	struct err err = { "" };

	assert_null(recorder_open(name, &options, &err));
	if (!strstr(err.text, reason))
		fail_msg("recording: %s", err.text);
	err.text[0] = '\0';
	assert_null(replay_open(name, &err));
	if (!strstr(err.text, reason))
		fail_msg("replay: %s", err.text);
}

static void a_foreign_file_is_refused_and_left_as_it_was(void **state)
{
	char link[128];
	char *text;

	(void)state;
	write_file(path, "my notes, and many of them\n");
	refused(path, "is not a recording");
	text = file_text(path, NULL);
	assert_string_equal(text, "my notes, and many of them\n");
	free(text);
	unlink(path);
	record(0, 10);
	snprintf(link, sizeof(link), "%s/link", folder);
	assert_int_equal(symlink(path, link), 0);
	refused(link, "not a plain file");
}

static void a_newer_recording_is_refused_by_its_version(void **state)
{
	(void)state;
	record(0, 10);
	run_in("PRAGMA user_version = 99");
	refused(path, "its version is 99");
}

static void a_recording_is_for_its_owner_only_and_has_one_writer(void **state)
{
	struct recorder *r = begin((struct recorder_options){ 0 });
	struct recorder_options options = { 0 };
	struct stat st;
	struct err err;

	(void)state;
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_null(recorder_open(path, &options, &err));
	assert_non_null(strstr(err.text, "another console"));
	recorder_close(r);
}

static void an_older_recording_is_brought_up_and_a_copy_is_kept(void **state)
{
	struct replay *r;
	char copy[128];

	(void)state;
	record(0, 50);
	run_in("DROP TABLE bringup");
	run_in("DROP VIEW commands; DROP TABLE command; PRAGMA user_version = 1");
	r = opened();
	assert_int_equal(play_all(r), 50);
	replay_close(r);
	record(50, 60);
	assert_int_equal(number_in(path, "PRAGMA user_version"), TAPE_VERSION);
	assert_int_equal(number_in(path, "SELECT count(*) FROM sample"), 60);
	assert_int_equal(number_in(path, "SELECT count(*) FROM commands"), 0);
	snprintf(copy, sizeof(copy), "%s.version-1", path);
	assert_int_equal(number_in(copy, "PRAGMA user_version"), 1);
	assert_int_equal(number_in(copy, "SELECT count(*) FROM sample"), 50);
}

/* -- killed while it is brought up -- */

static unsigned die_at, n_writes;

/* Each call that changes a file, here in the place of the library's; the one that is asked for is never made. */
static void one_write(void)
{
	if (die_at && ++n_writes == die_at)
		raise(SIGKILL);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at)
{
	one_write();
	return syscall(SYS_pwrite64, fd, bytes, n, at);
}

int fdatasync(int fd)
{
	one_write();
	return (int)syscall(SYS_fdatasync, fd);
}

int ftruncate64(int fd, off64_t n)
{
	one_write();
	return (int)syscall(SYS_ftruncate, fd, n);
}

int unlink(const char *name)
{
	one_write();
	return (int)syscall(SYS_unlinkat, AT_FDCWD, name, 0);
}

/* Whoever opens the file for writing is killed at the nth change of a file; false when there are not so many. */
static bool open_and_be_killed(unsigned nth)
{
	pid_t child;
	int status;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		struct tape t;

		die_at = nth;
		_exit(tape_open(&t, path, NULL) ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFEXITED(status))
		assert_int_equal(WEXITSTATUS(status), 0);
	return WIFSIGNALED(status);
}

/* As a program of that version has left it. */
static void make_old(int version)
{
	record(0, 50);
	run_in("DROP TABLE bringup; DROP VIEW lanes; DROP TABLE lane; PRAGMA user_version = 2");
	if (version == 1)
		run_in("DROP VIEW commands; DROP TABLE command; PRAGMA user_version = 1");
}

/* At every change of a file on the way (MIGRATION_EACH=1), or at every so many. */
static void a_kill_while_it_is_brought_up_leaves_the_old_or_the_new(void **state)
{
	unsigned step = getenv("MIGRATION_EACH") ? (unsigned)atoi(getenv("MIGRATION_EACH")) : 7, kills = 0, left_old = 0;
	bool is_killed = true;

	for (unsigned nth = 1; is_killed; nth += step) {
		int64_t version, old = 1 + nth / step % 2;

		make_old((int)old);
		is_killed = open_and_be_killed(nth);
		kills += is_killed;
		version = number_in(path, "PRAGMA user_version");
		assert_true(version == TAPE_VERSION || (is_killed && version == old));
		left_old += version == old;
		assert_int_equal(number_in(path, "SELECT count(*) FROM sqlite_schema WHERE name IN ('command', 'commands', 'lane', 'lanes',"
					       " 'bringup')"), version == TAPE_VERSION ? 5 : version == 1 ? 0 : 2);
		assert_int_equal(number_in(path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
		record(50, 60);
		assert_int_equal(number_in(path, "SELECT count(*) FROM sample"), 60);
		end_folder(state);
		begin_folder(state);
	}
	print_message("%u kills while a recording was brought up: %u left the old, %u the new\n", kills, left_old, kills - left_old);
	assert_true(left_old > 0 && left_old < kills);
}

/* Whatever is left, the next recorder makes a recording of it. */
static void a_kill_while_it_is_created_leaves_what_the_next_recorder_takes(void **state)
{
	bool is_killed = true;
	unsigned kills = 0;

	for (unsigned nth = 1; is_killed; nth++) {
		is_killed = open_and_be_killed(nth);
		kills += is_killed;
		record(0, 10);
		assert_int_equal(number_in(path, "SELECT count(*) FROM sample"), 10);
		end_folder(state);
		begin_folder(state);
	}
	assert_true(kills > 5);
	print_message("%u kills while a recording was created\n", kills);
}

/* -- bring-up -- */

static void add_line(void *ctx, int64_t at_us, const char *kind, const char *body)
{
	buf_printf(ctx, "%lld %s %s\n", (long long)(at_us - START_US), kind, body);
}

static bool lines_of_bringup(struct buf *lines)
{
	struct replay *r = opened();
	bool is_there = replay_bringup(r, add_line, lines);

	replay_close(r);
	return is_there;
}

static void rows_of_a_bring_up_are_kept_in_order(void **state)
{
	struct recorder *r = begin((struct recorder_options){ .key_us = SECOND });
	struct buf lines = { 0 };

	(void)state;
	take(r, 0);
	recorder_bringup(r, START_US + 1, "begin", "{}");
	recorder_bringup(r, START_US + 3, "test", "{\"kind\": \"loopback\", \"from\": {\"host\": \"n1\", \"nic\": \"eth0\"}}");
	recorder_close(r);
	r = begin((struct recorder_options){ .key_us = SECOND });
	take(r, 1);
	recorder_bringup(r, START_US + 2, "end", "{}");
	recorder_close(r);
	assert_true(lines_of_bringup(&lines));
	assert_string_equal(lines.text, "1 begin {}\n"
					"3 test {\"kind\": \"loopback\", \"from\": {\"host\": \"n1\", \"nic\": \"eth0\"}}\n"
					"2 end {}\n");
	assert_int_equal(number_in(path, "SELECT count(*) FROM bringup WHERE kind = 'test'"), 1);
	/* a view in its place would run its author's code */
	run_in("DROP TABLE bringup; CREATE VIEW bringup AS SELECT 1 AS id, 1 AS at_us, 'end' AS kind, '' AS body");
	assert_false(lines_of_bringup(&lines));
	run_in("DROP VIEW bringup");
	assert_false(lines_of_bringup(&lines));
	buf_done(&lines);
}

static void tables_that_are_something_else_are_refused(void **state)
{
	struct err err;

	(void)state;
	record(0, 10);
	run_in("DROP TABLE event; CREATE VIEW event AS WITH RECURSIVE n(at_us) AS (SELECT 1 UNION ALL SELECT at_us + 1 FROM n)"
	       " SELECT 1 AS id, at_us, '' AS kind, '' AS place, '' AS text FROM n");
	assert_null(replay_open(path, &err));
	assert_non_null(strstr(err.text, "tables are missing"));
}

/* -- damaged -- */

static void damage(long at, size_t n)
{
	FILE *f = fopen(path, "r+b");

	for (size_t i = 0; i < n; i++) {
		int byte;

		fseek(f, at + (long)i, SEEK_SET);
		byte = fgetc(f);
		fseek(f, at + (long)i, SEEK_SET);
		fputc((byte ^ (1 + rand() % 255)) & 0xff, f);
	}
	fclose(f);
}

static void restore(const char *text, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_int_equal(fwrite(text, 1, n, f), n);
	fclose(f);
}

static void no_single_byte_breaks_a_replay(void **state)
{
	size_t n;
	char *whole;
	unsigned refusals = 0, times = getenv("DAMAGES") ? (unsigned)atoi(getenv("DAMAGES")) : 200;

	(void)state;
	record(0, 400);
	whole = file_text(path, &n);
	srand(11);
	for (unsigned i = 0; i < times; i++) {
		struct err err = { "" };
		struct replay *r;

		restore(whole, n);
		damage((long)((unsigned)rand() % n), 1);
		r = replay_open(path, &err);
		if (r)
			play_all(r);
		refusals += !r;
		assert_true(r || strlen(err.text) > 0);
		replay_close(r);
	}
	assert_true(refusals < times / 10);
	print_message("%u single bytes of a recording changed, none broke its replay\n", times);
	free(whole);
}

static void a_recording_that_is_cut_off_shows_what_is_left_and_stays_as_it_is(void **state)
{
	struct replay *replay;
	size_t n, after;

	(void)state;
	record(0, 4000);
	free(file_text(path, &n));
	assert_int_equal(truncate(path, (off_t)(n * 2 / 3)), 0);
	replay = opened();
	assert_int_equal(state_of(replay), REPLAY_SALVAGED);
	assert_true(play_all(replay) > 500);
	replay_close(replay);
	free(file_text(path, &after));
	assert_int_equal(after, n * 2 / 3);
}

static void a_damaged_recording_is_set_aside_and_what_can_be_read_is_saved(void **state)
{
	struct recorder *r;
	struct replay *replay;
	char aside[256];
	size_t n;

	(void)state;
	record(0, 4000);
	free(file_text(path, &n));
	srand(3);
	for (unsigned i = 1; i <= 3; i++)
		damage((long)(n / 4 * i / 4096 * 4096), 4096);
	replay = opened();
	assert_int_equal(state_of(replay), REPLAY_SALVAGED);
	assert_true(play_all(replay) > 500);
	replay_close(replay);

	r = begin((struct recorder_options){ 0 });
	assert_non_null(strstr(recorder_words(r), "was damaged: it was renamed to "));
	snprintf(aside, sizeof(aside), "%s", strstr(recorder_words(r), "renamed to ") + 11);
	*strchr(aside, ';') = '\0';
	assert_int_equal(access(aside, R_OK), 0);
	take(r, 5000);
	recorder_close(r);
	assert_true(number_in(path, "SELECT count(*) FROM sample") > 4000 * 9 / 10);
	assert_true(number_in(path, "SELECT count(*) FROM hot") > 4 * 4000 * 9 / 10);
	assert_int_equal(number_in(path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
}

/* It is not read whole before it is shown: damage is met on the way, and what can be salvaged is shown from then on. */
static void damage_deep_in_a_large_recording_is_met_when_it_is_read(void **state)
{
	struct replay *replay;
	struct err err;
	size_t n;

	(void)state;
	record(0, 40000);
	free(file_text(path, &n));
	assert_true(n > 4 << 20);
	srand(5);
	for (unsigned i = 6; i <= 8; i++)
		damage((long)(n / 10 * i / 4096 * 4096), 4096);
	replay = opened();
	play_all(replay);
	assert_true(replay_is_broken(replay));
	assert_true(replay_seek(replay, INT64_MAX - 1, 0, &err));
	assert_int_equal(state_of(replay), REPLAY_SALVAGED);
	assert_false(replay_is_broken(replay));
	assert_true(replay_seek(replay, replay_first(replay), 0, &err));
	assert_true(play_all(replay) > 30000);
	replay_close(replay);
}

/* Missing rows are noticed, and values are not made up from what is left. */
static void a_recording_that_lost_names_is_gone_on_with(void **state)
{
	static const char *const lost[] = { "port WHERE name IS NULL", "port WHERE name = 'eth1'", "port", "device", "reply" };
	struct replay *r;

	for (size_t i = 0; i < sizeof(lost) / sizeof(*lost); i++) {
		char sql[96];

		record(0, 50);
		snprintf(sql, sizeof(sql), "DELETE FROM %s", lost[i]);
		run_in(sql);
		record(50, 80);
		assert_int_equal(number_in(path, "SELECT count(*) FROM sample"), 80);
		r = opened();
		assert_true(play_all(r) >= 30);
		replay_close(r);
		end_folder(state);
		begin_folder(state);
	}
}

static void a_sum_with_a_part_missing_is_never_shown(void **state)
{
	struct model *m = model_new();
	struct replay *r;
	struct obs o;
	unsigned n = 0;

	(void)state;
	record(0, 3000);
	run_in("DELETE FROM hot WHERE id >> 10 = 500; DELETE FROM sample WHERE id = 1700");
	r = opened();
	obs_init(&o, "", "");
	for (; replay_next(r, INT64_MAX, &o); n++) {
		unsigned at = (unsigned)((o.at_us - START_US) / STEP_US);
		uint64_t total;

		model_apply(m, &o);
		if (!o.probe)
			continue;	/* the names before a keyframe */
		assert_int_equal(o.n, 16);
		assert_true(port_number(m, model_find_port(m, "n1", "eth1"), FIELD_RX_TOTAL, 0, &total));
		assert_true(total == UINT64_C(2000000) * at);
	}
	assert_in_range(n, 1000, 2998);	/* each loss costs up to a keyframe's time */
	obs_done(&o);
	model_free(m);
	replay_close(r);
}

/* -- full -- */

static void wait_for_trouble(struct recorder *r, bool is_there, unsigned *n)
{
	for (unsigned i = 0; i < 20000; i++) {
		if (!recorder_trouble(r) == !is_there)
			return;
		if (is_there)
			take(r, (*n)++);
		usleep(1000);
	}
	fail_msg("trouble is %s", recorder_trouble(r) ? recorder_trouble(r) : "not there");
}

static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_full_disk_pauses_and_loses_nothing(void **state)
{
	struct recorder *r;
	unsigned n = 0;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	r = begin((struct recorder_options){ 0 });
	limit_files(300000);
	wait_for_trouble(r, true, &n);
	assert_non_null(strstr(recorder_trouble(r), "recording is paused"));
	limit_files(RLIM_INFINITY);
	wait_for_trouble(r, false, &n);
	recorder_close(r);
	assert_int_equal(number_in(path, "SELECT count(*) FROM sample"), n);
	assert_int_equal(number_in(path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
}

static void the_oldest_goes_and_the_rest_replays(void **state)
{
	struct recorder *r = begin((struct recorder_options){ .key_us = SECOND / 2, .keep_us = 2 * SECOND });
	struct replay *replay;
	struct model *m = model_new();
	struct obs o;
	uint64_t total;
	unsigned n = 0;

	(void)state;
	for (; n < 20000; n++) {
		take(r, n);
		if (n % 100 == 0)
			while (recorder_acknowledged(r) < START_US + ((int64_t)n - 200) * STEP_US)
				usleep(500);
	}
	recorder_close(r);
	assert_true(number_in(path, "SELECT count(*) FROM hot") < 4 * 15000);
	assert_true(number_in(path, "SELECT count(*) FROM ports WHERE field = 'mtu'") == 4);
	replay = opened();
	assert_true(replay_first(replay) > START_US + 2 * SECOND);
	assert_true(replay_seek(replay, replay_last(replay), 0, NULL));
	obs_init(&o, "", "");
	while (replay_next(replay, INT64_MAX, &o))
		model_apply(m, &o);
	assert_true(port_number(m, model_find_port(m, "n1", "eth0"), FIELD_RX_TOTAL, 0, &total));
	assert_true(total == UINT64_C(1000000) * (n - 1));
	obs_done(&o);
	model_free(m);
	replay_close(replay);
}

static void a_recording_stays_below_its_size(void **state)
{
	uint64_t keep_bytes = 1 << 20;
	struct recorder *r = begin((struct recorder_options){ .key_us = SECOND / 2, .keep_bytes = keep_bytes });
	struct replay *replay;
	unsigned n = 0;

	(void)state;
	for (; n < 30000; n++) {
		take(r, n);
		if (n % 100 == 0)
			while (recorder_acknowledged(r) < START_US + ((int64_t)n - 200) * STEP_US)
				usleep(500);
	}
	recorder_close(r);
	/* the limit is looked at after some commits, each of them of a hundred samples or more */
	assert_true(number_in(path, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") < 2 * (int64_t)keep_bytes);
	assert_true(number_in(path, "SELECT min(id) FROM hot") >> 10 > 1000);
	assert_int_equal(number_in(path, "SELECT max(id) FROM sample"), n);
	replay = opened();
	assert_true(replay_first(replay) > START_US + SECOND);
	assert_true(replay_last(replay) == START_US + ((int64_t)n - 1) * STEP_US);
	replay_close(replay);
}

/* -- for people -- */

static void count_event(void *ctx, const struct replay_event *e)
{
	assert_non_null(e->kind);
	++*(unsigned *)ctx;
}

static void a_person_reads_it_with_plain_sqlite(void **state)
{
	struct recorder *r = begin((struct recorder_options){ .fabric = "demo", .inventory_text = "all: {}" });
	struct replay *replay;
	unsigned events = 0;

	(void)state;
	for (unsigned n = 0; n < 250; n++)
		take(r, n);
	recorder_note(r, START_US + 5, "note", "the incident begins");
	recorder_command(r, START_US + 6, "n1", "mlnx_qos -i eth0 --trust dscp", "done");
	recorder_close(r);
	assert_int_equal(number_in(path, "SELECT count(*) FROM ports WHERE field = 'mtu' AND value = 9000"), 4);
	assert_int_equal(number_in(path, "SELECT count(*) FROM facts_at WHERE field = 'mtu'"), 4);
	assert_int_equal(number_in(path, "SELECT count(*) FROM commands"), 2);
	assert_int_equal(number_in(path, "SELECT count(*) FROM events WHERE kind = 'config'"), 8);
	assert_int_equal(number_in(path, "SELECT rx_total FROM rate WHERE device = 'n1' AND port = 'eth1' LIMIT 1"), 2000000);
	assert_int_equal(number_in(path, "SELECT count(*) FROM fabric"), 249 * 4);
	assert_int_equal(number_in(path, "SELECT count(*) FROM changes WHERE field = 'oos' AND port = 'eth0'"), 249 / 7);
	assert_int_equal(number_in(path, "SELECT count(*) FROM findings"), 0);
	replay = opened();
	assert_string_equal(replay_fabric(replay), "demo");
	assert_string_equal(replay_inventory(replay), "all: {}");
	assert_null(replay_policy(replay));
	replay_events(replay, START_US, START_US + SECOND, count_event, &events);
	assert_int_equal(events, 11);		/* and the recording begins and ends */
	replay_close(replay);
}

static void keep_closing(void *ctx, const struct replay_event *e)
{
	if (!strcmp(e->kind, "closed"))
		buf_printf(ctx, "%s\n", e->text);
}

/* "closed node2:eth3 prio-tc-as-wanted: " had no words: it had been unknown before it was found, and both rows end together. */
static void what_began_as_unknown_ends_once_and_in_its_own_words(void **state)
{
	struct model *m = model_new();
	struct recorder *r = recorder_open(path, &(struct recorder_options){ .fabric = "demo", .model = m }, NULL);
	struct check check = { .id = "mtu-fits" };
	struct finding f = { .check = &check, .is_open = true, .verdict = VERDICT_UNKNOWN, .first_us = START_US + 1, .where = "n1:eth0",
			     .missing = "n1 eth0 mtu" };
	struct buf closings = { NULL };
	struct replay *replay;

	(void)state;
	assert_non_null(r);
	recorder_finding(r, &f);
	f.verdict = VERDICT_FAIL;
	f.first_us = START_US + 2;
	snprintf(f.what, sizeof(f.what), "MTU 1500");
	recorder_finding(r, &f);
	f.is_open = false;
	f.closed_us = START_US + 3;
	recorder_finding(r, &f);
	recorder_close(r);
	replay = opened();
	replay_events(replay, START_US, START_US + SECOND, keep_closing, &closings);
	assert_string_equal(closings.text, "mtu-fits: MTU 1500\n");
	buf_done(&closings);
	replay_close(replay);
	model_free(m);
}

static void facts_at_a_time_are_those_of_then(void **state)
{
	char sql[96];

	(void)state;
	record(0, 250);
	snprintf(sql, sizeof(sql), "UPDATE cursor SET at_us = %lld", (long long)(START_US + 150 * STEP_US));
	run_in(sql);
	assert_int_equal(number_in(path, "SELECT count(*) FROM facts_at WHERE field = 'mtu' AND value = 1500"), 4);
	assert_int_equal(number_in(path, "SELECT count(*) FROM ports WHERE field = 'mtu' AND value = 9000"), 4);
}

#define IN_FOLDER(test)	cmocka_unit_test_setup_teardown(test, begin_folder, end_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(what_was_acknowledged_survives_a_kill),
		IN_FOLDER(a_recording_cut_by_a_kill_is_gone_on_with),
		IN_FOLDER(a_foreign_file_is_refused_and_left_as_it_was),
		IN_FOLDER(a_newer_recording_is_refused_by_its_version),
		IN_FOLDER(a_recording_is_for_its_owner_only_and_has_one_writer),
		IN_FOLDER(an_older_recording_is_brought_up_and_a_copy_is_kept),
		IN_FOLDER(a_kill_while_it_is_brought_up_leaves_the_old_or_the_new),
		IN_FOLDER(a_kill_while_it_is_created_leaves_what_the_next_recorder_takes),
		IN_FOLDER(tables_that_are_something_else_are_refused),
		IN_FOLDER(no_single_byte_breaks_a_replay),
		IN_FOLDER(rows_of_a_bring_up_are_kept_in_order),
		IN_FOLDER(a_recording_that_is_cut_off_shows_what_is_left_and_stays_as_it_is),
		IN_FOLDER(a_damaged_recording_is_set_aside_and_what_can_be_read_is_saved),
		IN_FOLDER(damage_deep_in_a_large_recording_is_met_when_it_is_read),
		IN_FOLDER(a_recording_that_lost_names_is_gone_on_with),
		IN_FOLDER(a_sum_with_a_part_missing_is_never_shown),
		IN_FOLDER(a_full_disk_pauses_and_loses_nothing),
		IN_FOLDER(the_oldest_goes_and_the_rest_replays),
		IN_FOLDER(a_recording_stays_below_its_size),
		IN_FOLDER(a_person_reads_it_with_plain_sqlite),
		IN_FOLDER(what_began_as_unknown_ends_once_and_in_its_own_words),
		IN_FOLDER(facts_at_a_time_are_those_of_then),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
