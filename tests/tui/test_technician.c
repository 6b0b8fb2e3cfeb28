/*
 * A technician brings up a rack by keys alone, in a terminal of either size: start, three failures that are mended by hand in the lab,
 * each read again, then the tests, then the sheet; at most twelve keys beside names and reasons. The sheet is what the recording gives
 * when it is judged again.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/home.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"

#define PATIENCE_S	40
#define TEST_S		180
#define MOST_KEYS	12

static const char *const faults[] = { "trust-pcp@node1:eth2", "mtu-small-host@node2:eth3", "pfc-off-host@node3:eth2" };

static unsigned pressed;

static void press(struct tty *t, const char *key)
{
	tty_type(t, key);
	pressed++;
}

static void await(struct tty *t, const char *text, unsigned seconds)
{
	if (tty_shows(t, text, seconds))
		return;
	fprintf(stderr, "\"%s\" was not shown:\n%s\n", text, tty_screen(t));	/* cmocka's own words are cut */
	fail();
}

/* The seal is over all of it: where that differs, another line tells why. */
static void assert_same_lines(const char *a, const char *b)
{
	struct span of_a = span_of(a), of_b = span_of(b), line_a, line_b;

	for (unsigned n = 1;; n++) {
		bool has_a = span_line(&of_a, &line_a), has_b = span_line(&of_b, &line_b);

		if (has_a && has_b && span_find(line_a, "\"sha256\"") && span_find(line_b, "\"sha256\""))
			continue;
		if (has_a != has_b || (has_a && (line_a.n != line_b.n || memcmp(line_a.p, line_b.p, line_a.n) != 0)))
			fail_msg("line %u: \"%.*s\" is not \"%.*s\"", n, has_a ? (int)line_a.n : 0, line_a.p, has_b ? (int)line_b.n : 0, line_b.p);
		if (!has_a)
			return;
	}
}

/* Of the failure at the cursor: mended, and read again. */
static void mend(struct tty *t, struct lab *lab, const char *nic, const char *fault)
{
	struct run cleared;

	await(t, nic, PATIENCE_S);
	await(t, "F A I L", PATIENCE_S);
	cleared = LAB_CTL(lab, "fault", "clear", fault);
	assert_int_equal(cleared.code, 0);
	run_done(&cleared);
	press(t, "R");
	await(t, "passes its settings", PATIENCE_S);
}

static void bring_up(int rows, int cols)
{
	char *recording = xasprintf("%s/rack.db", home), *file = xasprintf("%s/sheet.json", home), *sheet;
	struct lab lab;
	struct run judged;
	struct tty *t;
	size_t n;

	pressed = 0;
	assert_true(LAB(&lab, "--nodes", "4", "--rails", "2", "--leaves", "2", "--switch-os", "mixed", "--traffic", "off", "--fault", faults[0],
			"--fault", faults[1], "--fault", faults[2]));
	t = TTY(rows, cols, program_path("fabcon"), "-i", lab.inventory, "--record", recording, "--fresh", "tui");
	await(t, "6/6", PATIENCE_S);
	press(t, "6");
	await(t, "At the cursor", PATIENCE_S);
	assert_true(tty_hides(t, "devices answered", PATIENCE_S));	/* until then, what is worst may turn out to be another */
	mend(t, &lab, "node1:eth2", faults[0]);
	press(t, "\r");
	mend(t, &lab, "node2:eth3", faults[1]);
	press(t, "\r");
	mend(t, &lab, "node3:eth2", faults[2]);
	press(t, ":");
	tty_type(t, "test INC-42");
	press(t, "\r");
	await(t, "sends it", PATIENCE_S);
	press(t, "X");
	await(t, "testing, round", PATIENCE_S);
	tty_type(t, "r");	/* too early */
	await(t, "Write the sheet", PATIENCE_S);
	tty_type(t, "\r");
	await(t, "Not written: tests are running", PATIENCE_S);
	await(t, "Tests ended", TEST_S);
	if (!tty_shows(t, "8 passed", 10)) {	/* a machine that is late measures too little for one of them: it is tested again */
		await(t, "N O T   K N O W N", PATIENCE_S);
		print_error("tested again:\n%s\n", tty_screen(t));
		press(t, "R");
	}
	await(t, "8 passed", TEST_S);
	assert_true(tty_hides(t, "testing, round", TEST_S));	/* it may pass before its last test */
	press(t, "r");
	await(t, "Write the sheet", PATIENCE_S);
	tty_type(t, "\x15");	/* another name than the one that is offered */
	tty_type(t, file);
	press(t, "\r");
	await(t, "Verdict of the sheet: pass", PATIENCE_S);
	assert_true(pressed <= MOST_KEYS);
	print_message("%u keys at %dx%d\n", pressed, cols, rows);
	tty_type(t, "M");	/* who looks closer */
	await(t, "From row to column", PATIENCE_S);
	await(t, "1 node1   -  ", PATIENCE_S);
	tty_type(t, "q");
	tty_type(t, "B");	/* which of them it is */
	await(t, "has blinked", PATIENCE_S);
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, PATIENCE_S), 0);
	tty_close(t);

	sheet = file_text(file, &n);
	assert_non_null(sheet);
	judged = RUN("fabcon", "bringup", "judge", recording, "-o", "json");
	assert_int_equal(judged.code, 0);
	assert_same_lines(sheet, judged.out.text);
	run_done(&judged);
	lab_stop(&lab);
	free(sheet);
	free(recording);
	free(file);
}

static void at_80x24(void **state)
{
	(void)state;
	bring_up(24, 80);
}

static void at_120x36(void **state)
{
	(void)state;
	bring_up(36, 120);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(at_80x24, home_open, home_close),
		cmocka_unit_test_setup_teardown(at_120x36, home_open, home_close) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
