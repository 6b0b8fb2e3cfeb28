/* A recording copied while it is written, or replayed: whole, alone, and never over another file. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/record/recorder.h"
#include "db/replay/replay.h"
#include "db/tape/snapshot.h"
#include "tests/lib/say.h"
#include "tui/console/stage.h"

static char dir[64];

static char *in_dir(const char *name)
{
	return xasprintf("%s/%s", dir, name);
}

static void say_mtu(struct recorder *r, struct model *m, unsigned mtu, int64_t at_us)
{
	char fact[64];
	struct err err;
	struct obs o;

	snprintf(fact, sizeof(fact), "leaf1 Ethernet4 mtu = %u", mtu);
	obs_init(&o, "leaf1", "test");
	o.at_us = at_us;
	o.period_us = SECOND;
	assert_true(obs_read(&o, span_of(fact), &err));
	model_apply(m, &o);
	recorder_take(r, &o);
	obs_done(&o);
}

static uint64_t mtu_at_end(const char *path)
{
	struct err err = { "" };
	struct replay *r = replay_open(path, &err);
	struct model *m = model_new();
	struct port *p;
	struct obs o;
	uint64_t mtu;

	if (!r)
		fail_msg("%s", err.text);
	assert_true(replay_seek(r, replay_last(r), 0, &err));
	obs_init(&o, "", "");
	while (replay_next(r, replay_last(r), &o))
		model_apply(m, &o);
	obs_done(&o);
	p = model_find_port(m, "leaf1", "Ethernet4");
	assert_non_null(p);
	model_set_now(m, replay_last(r));
	assert_true(port_number(m, p, FIELD_MTU, 0, &mtu));
	model_free(m);
	replay_close(r);
	return mtu;
}

static void a_recording_is_copied_while_it_is_written(void **state)
{
	char *path = in_dir("live.db"), *copy = in_dir("copy.db"), *again = in_dir("again.db"), *log = in_dir("copy.db-wal");
	struct model *m = model_new();
	struct recorder_options options = { .fabric = "demo", .model = m, .commit_us = 1000 };
	struct err err = { "" };
	struct recorder *r = recorder_open(path, &options, &err);
	struct replay *replay;
	const char *words;
	struct stat st;

	(void)state;
	assert_non_null(r);
	for (unsigned i = 1; i <= 20; i++)
		say_mtu(r, m, 9000 + i, i * SECOND);
	while (recorder_acknowledged(r) < 20 * SECOND)
		usleep(1000);
	if (!snapshot_of_written(path, copy, &err))
		fail_msg("%s", err.text);
	say_mtu(r, m, 1500, 21 * SECOND);
	recorder_close(r);
	model_free(m);
	assert_int_equal(mtu_at_end(copy), 9020);
	replay = replay_open(copy, &err);
	assert_int_equal(replay_state(replay, &words), REPLAY_WHOLE);
	replay_close(replay);
	assert_int_equal(mtu_at_end(path), 1500);
	assert_int_equal(stat(copy, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_not_equal(access(log, F_OK), 0);
	replay = replay_open(path, &err);
	assert_true(replay_copy(replay, again, &err));
	replay_close(replay);
	assert_int_equal(mtu_at_end(again), 1500);
	free(path);
	free(copy);
	free(again);
	free(log);
}

static void a_file_that_is_there_is_left_as_it_is(void **state)
{
	char *path = in_dir("live.db"), *there = in_dir("there.db"), *nowhere = in_dir("no/such/copy.db");
	FILE *f = fopen(there, "w");
	struct err err = { "" };

	(void)state;
	fputs("mine", f);
	fclose(f);
	assert_false(snapshot_of_written(path, there, &err));
	assert_non_null(strstr(err.text, "there.db exists already"));
	f = fopen(there, "r");
	assert_int_equal(fgetc(f), 'm');
	fclose(f);
	assert_false(snapshot_of_written(path, nowhere, &err));
	assert_non_null(strstr(err.text, "No such file"));
	free(path);
	free(there);
	free(nowhere);
}

static void what_is_no_recording_leaves_no_half_copy(void **state)
{
	char *garbage = in_dir("garbage.db"), *copy = in_dir("of-garbage.db");
	FILE *f = fopen(garbage, "w");
	struct err err = { "" };

	(void)state;
	for (unsigned i = 0; i < 4096; i++)
		fputc("garbage"[i % 7], f);
	fclose(f);
	assert_false(snapshot_of_written(garbage, copy, &err));
	assert_int_not_equal(access(copy, F_OK), 0);
	free(garbage);
	free(copy);
}

static void without_a_recording_w_says_how_to_make_one(void **state)
{
	struct model *m = model_new();
	struct view_of of = { .model = m };
	struct stage s = { .screen = SCREEN_DIAGNOSE };

	(void)state;
	stage_key(&s, &of, 'w');
	assert_non_null(strstr(s.message, "--record FILE"));
	of.is_recording = true;
	stage_key(&s, &of, 'w');
	assert_int_equal(s.typing.kind, TYPING_SNAPSHOT);
	assert_non_null(strstr(s.typing.text, "fabcon-recording-"));
	stage_done(&s);
	model_free(m);
}

static int begin(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/fabcon-snapshot.XXXXXX");
	return mkdtemp(dir) ? 0 : 1;
}

static int end(void **state)
{
	char *command = xasprintf("rm -rf %s", dir);

	(void)state;
	assert_int_equal(system(command), 0);
	free(command);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_is_copied_while_it_is_written),
		cmocka_unit_test(a_file_that_is_there_is_left_as_it_is),
		cmocka_unit_test(what_is_no_recording_leaves_no_half_copy),
		cmocka_unit_test(without_a_recording_w_says_how_to_make_one),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
