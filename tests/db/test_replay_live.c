#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/run.h"
#include "tests/lib/say.h"

/* The same script records the demo for ten minutes: make replay-live. */
static void what_was_exported_live_is_what_the_recording_replays(void **state)
{
	struct run run;

	(void)state;
	setenv("LAB", "--nodes 2", 1);
	setenv("LENGTH", "120", 1);
	setenv("COUNT", "5", 1);
	setenv("EACH", "1", 1);
	run = RUN("/bin/sh", "tests/tools/replay_live.sh", getenv("FABCON_BUILD") ? getenv("FABCON_BUILD") : ".build/release");
	if (run.code != 0)
		fail_msg("exit %d\n%s%s", run.code, run.out.text, run.err.text);
	assert_non_null(strstr(run.out.text, ", 0 differ"));
	run_done(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_exported_live_is_what_the_recording_replays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
