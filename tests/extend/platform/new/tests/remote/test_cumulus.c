/* A Cumulus switch of the lab, over SSH: read, found wrong, mended, and kept. */
#include <stdio.h>
#include <stdlib.h>

#include "core/fix/plan.h"
#include "tests/lib/home.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"

static struct lab lab;

static void expect(struct run r, int code, const char *says)
{
	if (r.code != code || (!strstr(r.out.n ? r.out.text : "", says) && !strstr(r.err.n ? r.err.text : "", says)))
		fail_msg("exit %d, not %d with \"%s\":\n%s%s", r.code, code, says, r.out.n ? r.out.text : "", r.err.n ? r.err.text : "");
	run_done(&r);
}

/* Nobody sends here: what is expected need not hold for long. */
static void shorten(const char *path, char hash[FIX_HASH_SIZE])
{
	char *text = file_text(path, NULL);
	struct buf out = { NULL };
	struct fix_plan plan;
	struct err err;
	FILE *f;

	fix_plan_init(&plan);
	if (!fix_plan_read(&plan, span_of(text), &err))
		fail_msg("%s", err.text);
	plan.verify_us = 1000000;
	fix_plan_write(&plan, &out);
	fix_plan_hash(&plan, hash);
	f = fopen(path, "w");
	fwrite(out.text, 1, out.n, f);
	fclose(f);
	buf_done(&out);
	fix_plan_done(&plan);
	free(text);
}

static void a_small_mtu_is_found_set_and_saved(void **state)
{
	char path[96], hash[FIX_HASH_SIZE];

	(void)state;
	snprintf(path, sizeof(path), "%s/fix.json", home);
	assert_true(LAB(&lab, "--nodes", "2", "--rails", "1", "--leaves", "1", "--switch-os", "cumulus", "--traffic", "off",
			"--fault", "mtu-small-switch@leaf1:swp1"));
	assert_non_null(strstr(lab_tell(&lab, "leaf1", "nv config show -o commands"), "swp1 link mtu 1500\n"));
	expect(LAB_FABCON(&lab, "plan", "mtu-as-wanted@leaf1:swp1", "-O", path), 0, "leaf1 swp1 mtu = 9216 (was 1522)");
	shorten(path, hash);
	expect(LAB_FABCON(&lab, "apply", path, "--rw", "--approve", hash, "--reason", "INC-42"), 0, "");
	assert_non_null(strstr(lab_tell(&lab, "leaf1", "nv config show -o commands"), "swp1 link mtu 9194\n"));
	lab_stop(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_small_mtu_is_found_set_and_saved, home_open, home_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
