/*
 * The shortest ways of three people through the console, on a real terminal, over SSH to a lab: who is on call, who cables,
 * and who reviews a recording. Each key that is typed on the way is counted.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"

#define PATIENCE_S 120

struct person {
	struct tty *t;
	unsigned n_keys;
};

static void sees(const struct person *p, const char *words)
{
	if (tty_shows(p->t, words, PATIENCE_S))
		return;
	fprintf(stderr, "%s", tty_screen(p->t));
	fail_msg("after %u keys \"%s\" is not on the screen", p->n_keys, words);
}

/* A page of a reply, with the line marked that says it. */
static void sees_marked(const struct person *p, const char *word)
{
	struct span rest, line;

	sees(p, "Raw reply: ");
	assert_true(tty_settle(p->t, PATIENCE_S));
	rest = span_of(tty_screen(p->t));
	while (span_line(&rest, &line))
		if (span_starts(line, " >") && span_find(line, word))
			return;
	fail_msg("no line is marked that has \"%s\":\n%s", word, tty_screen(p->t));
}

/* One key a character; a line's words are typing, not a way: they and their Enter are one step. */
static void types(struct person *p, const char *key)
{
	tty_type(p->t, key);
	p->n_keys++;
}

static void leaves(struct person *p)
{
	tty_type(p->t, ":quit\r");
	assert_int_equal(tty_end(p->t, PATIENCE_S), 0);
	tty_close(p->t);
}

/* -- on call -- */

/* The finding that names the injected fault stands on the first screen; its evidence and the device's own line follow. */
static void on_call(const char *fault, const char *os, const char *finding, const char *fact, const char *line)
{
	struct person p = { 0 };
	struct lab lab;

	assert_true(LAB(&lab, "--nodes", "2", "--switch-os", os, "--fault", fault));
	p.t = TTY(36, 120, "fabcon", "-i", lab.inventory, "--no-input", "--fresh");
	sees(&p, "dev 3/3");
	sees(&p, "!1 CRIT");	/* judged: before that, the same check may be listed as not known */
	sees(&p, finding);
	types(&p, "x");
	sees(&p, fact);
	sees(&p, "Evidence");
	types(&p, "\033");
	types(&p, "o");
	sees_marked(&p, line);
	printf("on call, %s: %u keys to %s\n", fault, p.n_keys, line);
	assert_true(p.n_keys <= 4);
	leaves(&p);
	lab_stop(&lab);
}

static void who_is_on_call_reaches_the_evidence_in_four_keys(void **state)
{
	(void)state;
	on_call("trust-pcp@node1:eth2", "os10", "trust-as-wanted", "trust = pcp", "pcp");
	on_call("pfc-off-host@node2:eth2", "sonic", "pfc-on-where-wanted", "pfc.on[3] = no", "enabled");
}

/* While not all settings of both ends are read (the machine is late), the console says so, and a person asks again: one action. */
static void plans(struct person *p)
{
	types(p, "f");
	for (unsigned i = 0; i < PATIENCE_S / 5 && !tty_shows(p->t, "[Fix]", 5); i++)
		tty_type(p->t, "f");
}

/* The cursor is on the worst finding: the tree, the plan, leave to write, and the device's name. Nothing else is typed. */
static void who_is_on_call_mends_it_in_five_actions(void **state)
{
	struct person p = { 0 };
	struct lab lab;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2", "--fault", "trust-pcp@node1:eth2"));
	setenv("XDG_DATA_HOME", lab.dir, 1);
	p.t = TTY(36, 120, "fabcon", "-i", lab.inventory, "--no-input", "--fresh");
	sees(&p, "dev 3/3");
	sees(&p, "!1 CRIT");
	sees(&p, "trust-as-wanted");
	types(&p, "d");
	sees(&p, "[Diagnose]");
	plans(&p);
	sees(&p, "[Fix]");
	sees(&p, "mlnx_qos -i eth2 --trust dscp");
	sees(&p, "| RO");
	types(&p, ":arm INC-42\r");
	sees(&p, "RW 1");	/* the minutes that are left */
	types(&p, "\r");
	sees(&p, "Type  node1  to start");
	types(&p, "node1\r");
	sees(&p, "AUTO-ROLLBACK IN 0");
	sees(&p, "node1 verified");
	printf("on call: %u actions to the verified fix\n", p.n_keys);
	assert_true(p.n_keys <= 5);
	types(&p, "K");
	sees(&p, "done at ");
	sees(&p, ": every device is as planned");
	types(&p, "8");
	if (!tty_hides(p.t, "trust-as-wanted", PATIENCE_S))
		fail_msg("it is mended and still found:\n%s", tty_screen(p.t));
	leaves(&p);
	lab_stop(&lab);
}

/* What was begun is neither forgotten nor done twice: the next console finds it, reads the device, and takes it back. */
static void a_console_that_was_killed_is_followed_by_one_that_settles_what_it_left(void **state)
{
	struct person p = { 0 };
	struct lab lab;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2", "--fault", "trust-pcp@node1:eth2"));
	setenv("XDG_DATA_HOME", lab.dir, 1);
	p.t = TTY(36, 120, "fabcon", "-i", lab.inventory, "--no-input", "--fresh");
	sees(&p, "dev 3/3");
	sees(&p, "trust-as-wanted");
	plans(&p);
	sees(&p, "--trust dscp");
	types(&p, ":arm INC-42\r");
	sees(&p, "RW 1");
	types(&p, "\r");
	sees(&p, "Type  node1  to start");
	types(&p, "node1\r");
	sees(&p, "node1 verifying");
	assert_int_equal(kill(tty_pid(p.t), SIGKILL), 0);
	tty_end(p.t, PATIENCE_S);
	tty_close(p.t);

	p = (struct person){ .t = TTY(36, 120, "fabcon", "-i", lab.inventory, "--no-input", "--fresh") };
	sees(&p, "1 plan of an earlier session is unfinished");
	sees(&p, "dev 3/3");
	types(&p, "5");
	sees(&p, "unfinished");
	types(&p, "\r");
	sees(&p, "Started, and not ended");
	types(&p, ":arm INC-42 again\r");
	sees(&p, "RW 1");
	types(&p, "U");
	sees(&p, "Type  node1  to roll it back");
	types(&p, "node1\r");
	sees(&p, "every device is back to its previous state");
	types(&p, "8");
	types(&p, "R");
	sees(&p, "trust-as-wanted");
	leaves(&p);
	lab_stop(&lab);
}

/* -- technician -- */

static void who_cables_sees_both_ends_and_what_bring_up_will_hold(void **state)
{
	struct person p = { 0 };
	struct lab lab;
	struct run r;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2", "--fault", "mtu-small-switch"));
	p.t = TTY(24, 80, "fabcon", "-i", lab.inventory, "--no-input", "--fresh");
	sees(&p, "dev 3/3");
	types(&p, "6");
	sees(&p, "[Bring-up]");
	sees(&p, "2 NICs: 1 failed");
	sees(&p, "takes frames of 1532 bytes");
	types(&p, "2");
	sees(&p, "9000\xe2\x89\xa0" "1532");
	types(&p, "\r");
	sees(&p, "[Detail]");
	sees(&p, "mtu-fits");
	types(&p, "0");
	sees(&p, "count from here");
	types(&p, "R");
	sees(&p, "Asking");
	r = LAB_CTL(&lab, "fault", "clear", "mtu-small-switch");
	run_done(&r);
	if (!tty_hides(p.t, "mtu-fits", PATIENCE_S))
		fail_msg("it is mended and still shown:\n%s", tty_screen(p.t));
	printf("technician: %u keys, and the mended MTU is seen\n", p.n_keys);
	leaves(&p);
	lab_stop(&lab);
}

/* -- reviewer -- */

static void record_a_fault(const struct lab *lab, const char *file)
{
	struct person p = { .t = TTY(24, 80, "fabcon", "-i", lab->inventory, "--no-input", "--fresh", "--record", file) };
	struct run r;

	sees(&p, "dev 3/3");
	sees(&p, "2/2 ok");
	r = LAB_CTL(lab, "fault", "add", "trust-pcp@node1:eth2");
	assert_int_equal(r.code, 0);
	run_done(&r);
	tty_type(p.t, "R");
	sees(&p, "trust-as-wanted");
	tty_type(p.t, "7");
	sees(&p, "trust = pcp (was dscp)");
	leaves(&p);
}

static void who_reviews_steps_marks_and_writes_the_report(void **state)
{
	struct person p = { 0 };
	char file[128], report[128], line[160], *text;
	struct lab lab;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2"));
	snprintf(file, sizeof(file), "%s/incident.db", lab.dir);
	snprintf(report, sizeof(report), "%s/report.md", lab.dir);
	record_a_fault(&lab, file);
	p.t = TTY(36, 120, "fabcon", "replay", file, "tui");
	sees(&p, "REPLAY");
	types(&p, "7");
	sees(&p, "trust = pcp (was dscp)");
	types(&p, "]");
	for (unsigned i = 0; i < 3; i++)
		types(&p, "{");
	types(&p, "[");
	sees(&p, "Changed between A");
	sees(&p, "dscp -> pcp");
	types(&p, "L");
	types(&p, "r");
	sees(&p, "Report to");
	snprintf(line, sizeof(line), "\025%s\r", report);
	types(&p, line);
	sees(&p, "report.md");
	sees(&p, "ritten");
	text = file_text(report, NULL);
	assert_non_null(text);
	assert_non_null(strstr(text, "trust-as-wanted"));
	assert_non_null(strstr(text, "node1:eth2"));
	assert_non_null(strstr(text, "Z"));
	printf("reviewer: %u keys to the report\n", p.n_keys);
	free(text);
	leaves(&p);
	lab_stop(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_is_on_call_reaches_the_evidence_in_four_keys),
		cmocka_unit_test(who_is_on_call_mends_it_in_five_actions),
		cmocka_unit_test(a_console_that_was_killed_is_followed_by_one_that_settles_what_it_left),
		cmocka_unit_test(who_cables_sees_both_ends_and_what_bring_up_will_hold),
		cmocka_unit_test(who_reviews_steps_marks_and_writes_the_report),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
