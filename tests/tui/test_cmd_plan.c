/* The command plan on a lab, as a person uses it: live, by finding and by target, on a recording; nothing is sent. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/fix/plan.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tui/args/cli.h"

static struct lab lab;
static char file[128], recording[128];
static struct run made;		/* the plan that the tests have */

static int begin(void **state)
{
	(void)state;
	if (!LAB(&lab, "--nodes", "2", "--rails", "1", "--leaves", "1", "--traffic", "off", "--fault", "trust-pcp@node1:eth2",
		 "--fault", "link-down@node2:eth2"))
		return -1;
	snprintf(file, sizeof(file), "%s/fix.json", lab.dir);
	snprintf(recording, sizeof(recording), "%s/rec.db", lab.dir);
	made = LAB_FABCON(&lab, "plan", "trust-as-wanted@node1:eth2", "-O", file, "--record", recording);
	return 0;
}

static int end(void **state)
{
	(void)state;
	run_done(&made);
	lab_stop(&lab);
	return 0;
}

static void assert_says(const struct run *r, int code, const char *out, const char *err)
{
	const char *said = r->out.text ? r->out.text : "", *complained = r->err.text ? r->err.text : "";

	if (r->code != code || (out && !strstr(said, out)) || (err && !strstr(complained, err)))
		fail_msg("exit %d:\n%s\n%s", r->code, said, complained);
}

static void a_finding_becomes_a_file_with_its_commands_and_their_undo(void **state)
{
	struct fix_plan p = { 0 };
	struct stat st;
	size_t n;
	char *text;
	struct err err;

	(void)state;
	assert_says(&made, EXIT_DONE, "node1 eth2 trust = dscp (was pcp)", file);
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	text = file_text(file, &n);
	if (!fix_plan_read(&p, (struct span){ text, n }, &err))
		fail_msg("%s", err.text);
	assert_int_equal(p.n_steps, 1);
	assert_string_equal(p.steps[0].device, "node1");
	assert_true(p.steps[0].lines.n > 0 && p.steps[0].undo.n > 0);
	assert_int_equal(strncmp(p.finding, "trust-as-wanted node1:eth2", 26), 0);
	fix_plan_done(&p);
	free(text);
}

static void a_file_that_is_there_is_not_written_over(void **state)
{
	struct run r = LAB_FABCON(&lab, "plan", "node1", "-O", file);

	(void)state;
	assert_says(&r, EXIT_USAGE, NULL, file);
	run_done(&r);
}

static void a_file_is_shown_and_says_what_it_does(void **state)
{
	struct run r = RUN("fabcon", "plan", "show", file);

	(void)state;
	assert_says(&r, EXIT_DONE, "rollback (armed on the device first)", NULL);
	run_done(&r);
	r = RUN("fabcon", "plan", "diff", file);
	assert_says(&r, EXIT_DONE, "- node1 eth2 trust = pcp\n+ node1 eth2 trust = dscp\n", NULL);
	run_done(&r);
	r = RUN("fabcon", "plan", "diff", file, file);
	assert_says(&r, EXIT_DONE, NULL, NULL);
	assert_int_equal(r.out.n, 0);
	run_done(&r);
}

static void a_file_that_was_touched_is_refused(void **state)
{
	size_t n;
	char *text = file_text(file, &n), *at = strstr(text, "--trust dscp"), other[160];
	FILE *out;
	struct run r;

	(void)state;
	assert_non_null(at);
	memcpy(at, "--trust pcp ", 12);
	snprintf(other, sizeof(other), "%s.touched", file);
	out = fopen(other, "w");
	assert_int_equal(fwrite(text, 1, n, out), n);
	fclose(out);
	r = RUN("fabcon", "plan", "show", other);
	assert_says(&r, EXIT_REFUSED, NULL, "hash does not match");
	assert_int_equal(r.out.n, 0);
	run_done(&r);
	free(text);
}

static void what_only_people_mend_is_refused_with_who_they_are(void **state)
{
	struct run r = LAB_FABCON(&lab, "plan", "link-up@node2:eth2");

	(void)state;
	assert_says(&r, EXIT_REFUSED, NULL, "the rack technician");
	run_done(&r);
}

static void nothing_to_change_is_no_error_and_no_file(void **state)
{
	char other[160];
	struct run r;

	(void)state;
	snprintf(other, sizeof(other), "%s.none", file);
	r = LAB_FABCON(&lab, "plan", "trust-as-wanted@node2", "-O", other);
	assert_says(&r, EXIT_DONE, "nothing to change", "no open finding matches trust-as-wanted at node2");
	assert_int_not_equal(access(other, F_OK), 0);
	run_done(&r);
	r = LAB_FABCON(&lab, "plan", "trust-as-wanted@node1:eth");	/* a place is a whole word: eth2 is not meant */
	assert_says(&r, EXIT_DONE, "nothing to change", "no open finding matches trust-as-wanted at node1:eth");
	run_done(&r);
}

static void what_names_nothing_is_wrong_usage(void **state)
{
	struct run r = LAB_FABCON(&lab, "plan", "node9");

	(void)state;
	assert_says(&r, EXIT_USAGE, NULL, "node9");
	run_done(&r);
	r = LAB_FABCON(&lab, "-i", "127.0.0.9", "--timeout", "3s", "plan", "127.0.0.9");	/* is named, and nobody is there */
	assert_says(&r, EXIT_REFUSED, NULL, "it could not be read");
	run_done(&r);
	r = LAB_FABCON(&lab, "plan", "no-such-check@node1");
	assert_says(&r, EXIT_USAGE, NULL, "no-such-check@node1");
	run_done(&r);
	r = RUN("fabcon", "plan", "show");
	assert_says(&r, EXIT_USAGE, NULL, "plan show FILE");
	run_done(&r);
}

static void a_plan_of_a_recording_says_how_old_it_is(void **state)
{
	struct run r = RUN("fabcon", "replay", recording, "plan");

	(void)state;
	assert_says(&r, EXIT_DONE, "(from a recording of 20", "its base comes from a recording");
	assert_non_null(strstr(r.out.text, "node1 eth2 trust = dscp (was pcp)"));
	assert_non_null(strstr(r.err.text, "manual: link-up at node2:eth2"));
	run_done(&r);
}

/* A policy that neither end of a healthy link is as yet. */
static const char *priority_four(const struct lab *l)
{
	static char path[160];
	FILE *out;

	snprintf(path, sizeof(path), "%s/four.policy", l->dir);
	out = fopen(path, "w");
	assert_non_null(out);
	fputs("name four\n* * dscp.prio[26] = 4\n* * pfc.on[3] = no\n* * pfc.on[4] = yes\n", out);
	fclose(out);
	return path;
}

/* Both ends agree, and not as this policy wants: whichever end is named, both are planned, in one unit. */
static void whichever_end_of_a_link_is_named_both_are_planned(void **state)
{
	static const char *const named[] = { "node1:eth2", "node1", "leaf1:ethernet1/1/1" };
	struct lab healthy;
	char name[160];

	(void)state;
	assert_true(LAB(&healthy, "--nodes", "1", "--rails", "1", "--leaves", "1", "--traffic", "off"));
	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++) {
		struct run r;
		struct fix_plan p = { 0 };
		struct err err;
		size_t n;
		char *text;

		snprintf(name, sizeof(name), "%s.both%zu", file, i);
		r = LAB_FABCON(&healthy, "plan", "-p", priority_four(&healthy), named[i], "-O", name);
		assert_says(&r, EXIT_DONE, "leaf1 ethernet1/1/1 ", NULL);
		run_done(&r);
		text = file_text(name, &n);
		assert_true(fix_plan_read(&p, (struct span){ text, n }, &err));
		assert_int_equal(p.n_units, 1);
		assert_int_equal(p.units[0].n, 2);
		assert_string_equal(p.steps[0].device, "leaf1");
		assert_string_equal(p.steps[1].device, "node1");
		fix_plan_done(&p);
		free(text);
	}
	lab_stop(&healthy);
}

static void one_end_alone_is_planned_when_asked_for_and_the_plan_says_so(void **state)
{
	struct lab healthy;
	struct run r;

	(void)state;
	assert_true(LAB(&healthy, "--nodes", "1", "--rails", "1", "--leaves", "1", "--traffic", "off"));
	r = LAB_FABCON(&healthy, "plan", "-p", priority_four(&healthy), "--one-end", "node1:eth2");
	assert_says(&r, EXIT_DONE, "only this end of the link changes, and the other end is not known to agree", NULL);
	assert_null(strstr(r.out.text, "leaf1"));
	run_done(&r);
	r = LAB_FABCON(&healthy, "plan", "-p", priority_four(&healthy), "--one-end", "node1:eth2", "-o", "json");
	lab_stop(&healthy);
	assert_says(&r, EXIT_DONE, "only this end of the link changes, and the other end is not known to agree", NULL);
	run_done(&r);
}

static void a_bond_s_name_finds_what_stands_at_its_member(void **state)
{
	struct lab bonded;
	struct run r;

	(void)state;
	assert_true(LAB(&bonded, "--nodes", "2", "--rails", "2", "--bond", "--traffic", "off", "--fault", "bond-mtu-small@node2"));
	r = LAB_FABCON(&bonded, "plan", "mtu-as-wanted@node2:bond0");
	assert_says(&r, EXIT_DONE, "node2 bond0 mtu = 9000 (was 1500)", NULL);
	run_done(&r);
	r = LAB_FABCON(&bonded, "plan", "mtu-as-wanted@node2:bond1");
	assert_says(&r, EXIT_DONE, "", "no open finding matches mtu-as-wanted at node2:bond1");
	run_done(&r);
	lab_stop(&bonded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_finding_becomes_a_file_with_its_commands_and_their_undo),
		cmocka_unit_test(a_file_that_is_there_is_not_written_over),
		cmocka_unit_test(a_file_is_shown_and_says_what_it_does),
		cmocka_unit_test(a_file_that_was_touched_is_refused),
		cmocka_unit_test(what_only_people_mend_is_refused_with_who_they_are),
		cmocka_unit_test(nothing_to_change_is_no_error_and_no_file),
		cmocka_unit_test(what_names_nothing_is_wrong_usage),
		cmocka_unit_test(a_plan_of_a_recording_says_how_old_it_is),
		cmocka_unit_test(whichever_end_of_a_link_is_named_both_are_planned),
		cmocka_unit_test(one_end_alone_is_planned_when_asked_for_and_the_plan_says_so),
		cmocka_unit_test(a_bond_s_name_finds_what_stands_at_its_member),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
