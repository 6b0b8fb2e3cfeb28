/* Leave to write: with a reason, for a while, on record; and what fabcon audit tells of it. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tui/args/cli.h"
#include "tui/fixing/write_mode.h"

/* A home of its own for each test. */
static char folder[64];

static int begin_home(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/fabcon-arming-XXXXXX");
	assert_non_null(mkdtemp(folder));
	setenv("XDG_DATA_HOME", folder, 1);
	setenv("XDG_CONFIG_HOME", folder, 1);
	unsetenv("FABCON_RO");
	return 0;
}

static int end_home(void **state)
{
	char command[96];

	(void)state;
	unsetenv("FABCON_RO");
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

static void put(const char *name, const char *text)
{
	char *path = xasprintf("%s/fabcon/%s", folder, name), *command = xasprintf("mkdir -p '%s/fabcon'", folder);
	FILE *f;

	assert_int_equal(system(command), 0);
	f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
	free(path);
	free(command);
}

static void expect(struct run r, int code, const char *says)
{
	if (r.code != code || (!strstr(r.out.n ? r.out.text : "", says) && !strstr(r.err.n ? r.err.text : "", says)))
		fail_msg("exit %d, not %d with \"%s\": %s%s", r.code, code, says, r.out.n ? r.out.text : "", r.err.n ? r.err.text : "");
	run_done(&r);
}

static void arming_needs_a_reason_and_is_on_record(void **state)
{
	struct write_mode a = { 0 };
	struct err err = { "" };

	(void)state;
	assert_false(write_mode_begin(&a, "  ", &err));
	assert_non_null(strstr(err.text, "reason"));
	assert_int_equal(write_mode_left_us(&a), 0);
	assert_true(write_mode_begin(&a, "INC-42 \033[2J trust of eth2", &err));
	assert_true(write_mode_left_us(&a) > PERMIT_US - 60 * INT64_C(1000000));
	write_mode_end(&a);
	assert_int_equal(write_mode_left_us(&a), 0);
	expect(RUN("fabcon", "audit", "show"), EXIT_DONE, "INC-42 \\x1b[2J trust of eth2");
	expect(RUN("fabcon", "audit", "show", "--filter", "disarm", "-o", "csv"), EXIT_DONE, "disarm");
	expect(RUN("fabcon", "audit", "verify"), EXIT_DONE, "2 entries, every entry intact");
}

static void what_only_reads_is_not_armed(void **state)
{
	struct write_mode a = { .forbidden = write_mode_forbidden(true, false, NULL) };
	struct policy *policy;
	struct err err = { "" };

	(void)state;
	assert_false(write_mode_begin(&a, "INC-42", &err));
	assert_string_equal(err.text, "a replay is read-only");
	a.forbidden = write_mode_forbidden(false, true, NULL);
	assert_false(write_mode_begin(&a, "INC-42", &err));
	assert_non_null(strstr(err.text, "read-only is set"));
	policy = policy_read(SPAN("name night\nread-only change freeze\n"), "night.policy", NULL);
	a.forbidden = write_mode_forbidden(false, false, policy);
	assert_false(write_mode_begin(&a, "INC-42", &err));
	assert_string_equal(err.text, "the policy night is read-only: change freeze");
	policy_free(policy);
	assert_null(write_mode_forbidden(false, false, NULL));
	setenv("FABCON_RO", "0", 1);
	assert_null(write_mode_forbidden(false, false, NULL));
	setenv("FABCON_RO", "1", 1);
	assert_non_null(write_mode_forbidden(false, false, NULL));
	a.forbidden = NULL;
	assert_false(write_mode_begin(&a, "INC-42", &err));
	assert_non_null(strstr(err.text, "FABCON_RO is set"));
	expect(RUN("fabcon", "audit", "show"), EXIT_DONE, "nothing has been sent");
}

static void what_cannot_be_told_is_not_allowed(void **state)
{
	struct write_mode a = { 0 };
	struct err err = { "" };

	(void)state;
	put("audit.db", "this is a letter, of the length that a letter has, and no audit of anything that was done");
	assert_false(write_mode_begin(&a, "INC-42", &err));
	assert_null(a.permit);
	assert_non_null(strstr(err.text, "audit.db"));
	expect(RUN("fabcon", "audit", "verify"), EXIT_RECORDING, "audit.db");
}

static void a_cut_end_is_exit_10_beside_the_head(void **state)
{
	struct write_mode a = { 0 };
	struct audit_check check;
	struct audit *audit;
	char *command, *verify;

	(void)state;
	assert_true(write_mode_begin(&a, "INC-42", NULL));
	audit = audit_of_user(false, NULL);
	assert_true(audit_verify(audit, NULL, &check, NULL));
	audit_close(audit);
	expect(RUN("fabcon", "audit", "verify", check.head), EXIT_DONE, check.head);
	command = xasprintf("rm '%s'", audit_path());
	assert_int_equal(system(command), 0);
	write_mode_end(&a);
	verify = xstrdup(check.head);
	expect(RUN("fabcon", "audit", "verify"), EXIT_DONE, "1 entries");
	expect(RUN("fabcon", "audit", "verify", verify), EXIT_RECORDING, "removed from its end");
	expect(RUN("fabcon", "-o", "json", "audit", "verify", verify), EXIT_RECORDING, "\"whole\": false");
	free(command);
	free(verify);
}

static void leave_to_write_comes_from_no_file_and_no_variable(void **state)
{
	(void)state;
	put("config.yaml", "rw: yes\n");
	expect(RUN("fabcon", "config", "check"), EXIT_USAGE, "must be given on the command line each time, not here: rw");
	put("config.yaml", "read-only: yes\n");
	expect(RUN("fabcon", "config", "check"), EXIT_DONE, "");
	setenv("FABCON_RW", "yes", 1);
	expect(RUN("fabcon", "config", "show", "-o", "csv"), EXIT_DONE, "\"rw\",\"\",\"default\"");
	unsetenv("FABCON_RW");
}

static void options_of_writing_say_what_they_take(void **state)
{
	(void)state;
	expect(RUN("fabcon", "--approve", "c0ffee", "audit", "show"), EXIT_USAGE, "whole hash, 64 hex digits");
	expect(RUN("fabcon", "--approve", "c0ffee-not", "audit", "show"), EXIT_USAGE, "whole hash, 64 hex digits");
	expect(RUN("fabcon", "--confirm-within", "2s", "audit", "show"), EXIT_USAGE, "from 10s to 24h");
	expect(RUN("fabcon", "--management", "eth0", "audit", "show"), EXIT_USAGE, "a device and its port");
	expect(RUN("fabcon", "audit", "erase"), EXIT_USAGE, "audit show [PLAN]");
}

#define STORY(f) cmocka_unit_test_setup_teardown(f, begin_home, end_home)

int main(void)
{
	const struct CMUnitTest tests[] = {
		STORY(arming_needs_a_reason_and_is_on_record),
		STORY(what_only_reads_is_not_armed),
		STORY(what_cannot_be_told_is_not_allowed),
		STORY(a_cut_end_is_exit_10_beside_the_head),
		STORY(leave_to_write_comes_from_no_file_and_no_variable),
		STORY(options_of_writing_say_what_they_take),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
