/* An OS10 switch is mended by the commands a person has, over SSH, and takes itself back when nobody says keep. */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "core/fix/plan.h"
#include "tests/lib/home.h"
#include "tests/lib/lab.h"
#include "tui/args/cli.h"

#define PORT		"leaf1:ethernet1/1/1"
#define PATIENCE_S	90

static struct lab lab;
static char plan_path[96], hash[FIX_HASH_SIZE];

static void expect(struct run r, int code, const char *says)
{
	if (r.code != code || (!strstr(r.out.n ? r.out.text : "", says) && !strstr(r.err.n ? r.err.text : "", says)))
		fail_msg("exit %d, not %d with \"%s\":\n%s%s", r.code, code, says, r.out.n ? r.out.text : "", r.err.n ? r.err.text : "");
	run_done(&r);
}

static void read_hash(void)
{
	struct fix_plan plan;
	struct err err = { "" };
	size_t n;
	char *text = file_text(plan_path, &n);

	assert_non_null(text);
	fix_plan_init(&plan);
	if (!fix_plan_read(&plan, (struct span){ text, n }, &err))
		fail_msg("%s", err.text);
	fix_plan_hash(&plan, hash);
	fix_plan_done(&plan);
	free(text);
}

static void plan_all(void)
{
	static const char *const faults[] = {
		"pfc-off-switch@" PORT, "dscp-map-lossy@" PORT, "mtu-small-switch@" PORT, "trust-off-switch@" PORT,
		"queue-map-wrong@" PORT, "link-pause-switch@" PORT, "ecn-early@" PORT,
	};

	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		expect(LAB_CTL(&lab, "fault", "add", faults[i]), 0, "");
	snprintf(plan_path, sizeof(plan_path), "%s/plan.json", lab.dir);
	expect(LAB_FABCON(&lab, "plan", PORT, "-O", plan_path), EXIT_DONE, "service-policy output type queuing rdma-ets");
	read_hash();
}

#define APPLY(...) LAB_FABCON(&lab, "apply", plan_path, "--rw", "--approve", hash, "--reason", "INC-42", ##__VA_ARGS__)

static void a_port_with_seven_faults_is_mended_at_once(void **state)
{
	(void)state;
	assert_true(LAB(&lab, "--nodes", "1", "--rails", "2", "--leaves", "1", "--spines", "0"));
	plan_all();
	expect(APPLY(), EXIT_DONE, "saved");
	expect(LAB_FABCON(&lab, "plan", PORT), EXIT_DONE, "othing to change");
	expect(APPLY(), EXIT_DONE, "nothing to do");
	lab_stop(&lab);
}

static void nobody_says_keep_and_the_switch_takes_itself_back(void **state)
{
	time_t give_up = time(NULL) + PATIENCE_S;
	bool is_back = false;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "1", "--rails", "2", "--leaves", "1", "--spines", "0"));
	plan_all();
	expect(APPLY("--confirm-within", "30s"), EXIT_DONE, "verified");
	while (!is_back && time(NULL) < give_up) {
		struct run r = LAB_FABCON(&lab, "verify", plan_path);

		is_back = r.out.n && strstr(r.out.text, "as before");
		run_done(&r);
	}
	assert_true(is_back);
	lab_stop(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_port_with_seven_faults_is_mended_at_once, home_open, home_close),
		cmocka_unit_test_setup_teardown(nobody_says_keep_and_the_switch_takes_itself_back, home_open, home_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
