/*
 * The console on a real terminal leaves while a fix is being made, in each of the ways it can: over SSH to a lab, where
 * the device is then read by another. Whatever the way, the device is as it was, or takes itself back and that was said.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"

#define PATIENCE_S 150	/* only a failure waits so long */

static struct lab lab;

static void sees(struct tty *t, const char *words)
{
	if (tty_shows(t, words, PATIENCE_S))
		return;
	fail_msg("\"%s\" is not on the screen\n%s", words, tty_screen(t));
}

/* A plan is made of what has been read: where a reply has not come yet that is what is told, and a person presses f again. */
static void plans(struct tty *t)
{
	for (unsigned i = 0; i < PATIENCE_S / 5; i++) {
		tty_type(t, "f");
		if (tty_shows(t, "--trust dscp", 5))
			return;
	}
	sees(t, "--trust dscp");
}

static void ends(struct tty *t)
{
	if (tty_end(t, PATIENCE_S) != 0)
		fail_msg("it does not end\n%s", tty_screen(t));
}

/* As far as the device has armed its undo, and has the change. */
static struct tty *begin_a_fix(void)
{
	struct tty *t = TTY(36, 120, "fabcon", "-i", lab.inventory, "--no-input", "--fresh");

	sees(t, "dev 3/3");
	sees(t, "trust-as-wanted");
	tty_type(t, "8/trust-as-wanted\r");	/* the cursor's, whatever else is found while the first answers come */
	sees(t, "/trust-as-wanted");
	plans(t);
	sees(t, "[Fix]");
	tty_type(t, ":arm INC-42\r");
	sees(t, "RW 1");	/* the minutes that are left */
	tty_type(t, "\r");
	sees(t, "Type  node1  to start");
	tty_type(t, "node1\r");
	sees(t, "node1 verifying");
	return t;
}

/* By a console of its own, until it is so. */
static void assert_trust_is(const char *word)
{
	char wanted[64];
	struct tty *t = TTY(36, 120, "fabcon", "-i", lab.inventory, "--no-input", "--fresh", "tui", "findings");

	snprintf(wanted, sizeof(wanted), "trusts %s", word);
	sees(t, "dev 3/3");
	sees(t, wanted);
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, PATIENCE_S), 0);
	tty_close(t);
}

/*
 * A key that means "plan this" is pressed again where the plan stands; and at a switch that is right while its cable's other end is not.
 * A plan that was made by mistake goes with its last step.
 */
static void f_takes_no_plan_away_and_d_does(void **state)
{
	struct tty *t = TTY(36, 140, "fabcon", "-i", lab.inventory, "--no-input", "--fresh");

	(void)state;
	sees(t, "dev 3/3");
	sees(t, "trust-as-wanted");
	tty_type(t, "8/trust-as-wanted\r");
	sees(t, "/trust-as-wanted");
	plans(t);
	tty_type(t, "f");
	sees(t, "stays: Port trust mode differs from policy");
	sees(t, "--trust dscp");
	tty_type(t, "9/leaf1\r");
	sees(t, "/leaf1");
	tty_type(t, "f");
	sees(t, "at the other ends of its links: node1:eth2 (trust)");
	tty_type(t, "5");
	sees(t, "--trust dscp");
	tty_type(t, "D");
	sees(t, "was dropped. Nothing was sent with it.");
	sees(t, "No plan");
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, PATIENCE_S), 0);
	tty_close(t);
}

/* Where signatures are demanded, a typed name applies nothing. */
static void where_a_signature_is_demanded_nothing_is_applied_from_the_screens(void **state)
{
	struct tty *t = TTY(36, 140, "fabcon", "-i", lab.inventory, "--no-input", "--fresh", "--approval", "signature");

	(void)state;
	sees(t, "dev 3/3");
	sees(t, "trust-as-wanted");
	tty_type(t, "8/trust-as-wanted\r");
	sees(t, "/trust-as-wanted");
	plans(t);
	tty_type(t, ":arm INC-42\r");
	sees(t, "RW 1");
	tty_type(t, "\r");
	sees(t, "Type  node1  to start");
	tty_type(t, "node1\r");
	sees(t, "demands a signature");
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, PATIENCE_S), 0);
	tty_close(t);
	assert_trust_is("pcp");
}

/* Both times of the command line reach the plan that is made and carried out here: a timer that is too short for it is refused. */
static void the_times_of_the_command_line_are_those_of_the_screens(void **state)
{
	struct tty *t = TTY(36, 140, "fabcon", "-i", lab.inventory, "--no-input", "--fresh", "--undo-after", "20s", "--verify-for", "61s");

	(void)state;
	sees(t, "dev 3/3");
	sees(t, "trust-as-wanted");
	tty_type(t, "8/trust-as-wanted\r");
	sees(t, "/trust-as-wanted");
	plans(t);
	tty_type(t, ":arm INC-42\r");
	sees(t, "RW 1");
	tty_type(t, "\r");
	sees(t, "Type  node1  to start");
	tty_type(t, "node1\r");
	sees(t, "the rollback timer of 20 s");
	sees(t, "refused: nothing was changed");
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, PATIENCE_S), 0);
	tty_close(t);
	assert_trust_is("pcp");
}

static void q_asks_and_u_takes_back_before_it_leaves(void **state)
{
	struct tty *t = begin_a_fix();

	(void)state;
	tty_type(t, ":quit\r");
	sees(t, "fabcon asks: leave");
	tty_type(t, "x");
	assert_true(tty_settle(t, PATIENCE_S));	/* not a row of the first dialog is left to be taken for the second */
	tty_type(t, ":quit\r");
	sees(t, "roll back now what was started, then quit");
	tty_type(t, "u");
	ends(t);
	assert_non_null(strstr(tty_bytes(t)->text, "Rolling back what was started"));
	tty_close(t);
	assert_trust_is("pcp");
}

static void a_terminal_that_is_gone_takes_back_what_was_begun(void **state)
{
	struct tty *t = begin_a_fix();

	(void)state;
	assert_int_equal(kill(tty_pid(t), SIGHUP), 0);
	assert_true(tty_end(t, PATIENCE_S) >= 0);
	tty_close(t);
	assert_trust_is("pcp");
}

/* Last but one, since the device's own timer goes on. */
static void l_leaves_and_says_when_the_device_takes_it_back(void **state)
{
	struct tty *t = begin_a_fix();

	(void)state;
	tty_type(t, ":quit\r");
	sees(t, "fabcon asks: leave");
	tty_type(t, "l");
	assert_int_equal(tty_end(t, PATIENCE_S), 0);
	assert_non_null(strstr(tty_bytes(t)->text, "node1 rolls back by itself in "));
	tty_close(t);
	t = TTY(36, 120, "fabcon", "-i", lab.inventory, "--no-input", "--fresh");
	sees(t, "1 plan of an earlier session is unfinished");
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, PATIENCE_S), 0);
	tty_close(t);
}

/* What the test before has left is open on the screen while another process rolls it back: no countdown stays, and no key for it. */
static void what_another_process_has_ended_is_shown_as_it_is(void **state)
{
	struct tty *t = TTY(36, 120, "fabcon", "-i", lab.inventory, "--no-input", "--fresh");
	char id[17];
	const char *at;

	(void)state;
	sees(t, "1 plan of an earlier session is unfinished");
	tty_type(t, "5");
	sees(t, "Unfinished: ");
	sees(t, "P-20");
	at = strstr(tty_screen(t), "P-20");
	assert_non_null(at);
	snprintf(id, sizeof(id), "%.15s", at);
	tty_type(t, "\r");
	sees(t, "AUTO-ROLLBACK IN ");
	tty_type(t, "R");
	sees(t, "verified: as plan");	/* read, and no longer as it was reported */
	sees(t, "AUTO-ROLLBACK IN ");
	tty_type(t, "\r");
	sees(t, "It was started before");
	struct run r = LAB_FABCON(&lab, "undo", id, "--rw", "--reason", "INC-43");
	if (r.code != 0)
		fail_msg("undo %s: exit %d: %s", id, r.code, r.err.text);
	run_done(&r);
	sees(t, "Rolled back: every device is in its previous state.");
	if (!tty_hides(t, "AUTO-ROLLBACK", PATIENCE_S))
		fail_msg("a countdown of what has ended\n%s", tty_screen(t));
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, PATIENCE_S), 0);
	tty_close(t);
}

static int begin(void **state)
{
	(void)state;
	if (!LAB(&lab, "--nodes", "2", "--fault", "trust-pcp@node1:eth2"))
		return -1;
	setenv("XDG_DATA_HOME", lab.dir, 1);
	return 0;
}

static int end(void **state)
{
	(void)state;
	lab_stop(&lab);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(f_takes_no_plan_away_and_d_does),
		cmocka_unit_test(the_times_of_the_command_line_are_those_of_the_screens),
		cmocka_unit_test(where_a_signature_is_demanded_nothing_is_applied_from_the_screens),
		cmocka_unit_test(q_asks_and_u_takes_back_before_it_leaves),
		cmocka_unit_test(a_terminal_that_is_gone_takes_back_what_was_begun),
		cmocka_unit_test(l_leaves_and_says_when_the_device_takes_it_back),
		cmocka_unit_test(what_another_process_has_ended_is_shown_as_it_is),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
