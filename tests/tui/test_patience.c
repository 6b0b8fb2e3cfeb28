/* Nobody is hurried: the time that a command allows its hosts stands still while a person is asked. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"

#define PATIENCE_S	120
#define ALLOWED		"10s"
#define ALLOWED_S	10

static time_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* So that every host's key is asked about. */
static void forget_host_keys(const struct lab *lab)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/known_hosts", lab->dir);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fclose(f);
}

/* The one wait for a time: longer than the command allows its hosts. */
static void think_it_over(struct tty *t)
{
	for (time_t until = now_s() + ALLOWED_S + 3; now_s() < until;)
		assert_false(tty_shows(t, "there is no such text", 1));
	assert_true(tty_runs(t));
}

static void a_host_key_question_may_be_left_open_longer_than_the_time_allowed(void **state)
{
	static const char *const wrong[] = { "not known", "timed out", "no answer", "not answered", "unreachable" };
	struct lab lab;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "1"));
	forget_host_keys(&lab);
	struct tty *t = TTY(40, 160, "fabcon", "-i", lab.inventory, "--timeout", ALLOWED, "status");
	if (!tty_shows(t, "[yes/no", PATIENCE_S))
		fail_msg("nothing is asked: %s", tty_screen(t));
	size_t before = tty_bytes(t)->n;
	think_it_over(t);
	tty_type(t, "yes\n");
	assert_int_equal(tty_end(t, PATIENCE_S), 0);
	const char *after = tty_bytes(t)->text + before;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		if (strstr(after, wrong[i]))
			fail_msg("\"%s\" was said: %s", wrong[i], after);
	assert_non_null(strstr(after, "2 of 2 devices up"));
	tty_close(t);
	lab_stop(&lab);
}

static void spoil(const struct lab *lab, const char *kind, const char *tool, const char *n)
{
	struct run r = LAB_CTL(lab, "spoil", "node1", kind, tool, n);

	assert_int_equal(r.code, 0);
	run_done(&r);
}

/* The first round finds mlnx_qos and dcb cut or busy, whichever port it asks of; the next does not. */
static void what_came_cut_or_busy_is_asked_again_before_it_is_not_known(void **state)
{
	static const char *const kinds[] = { "cut", "busy" };
	struct lab lab;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "2"));
	for (size_t i = 0; i < 2; i++) {
		spoil(&lab, kinds[i], "mlnx_qos", "1");
		spoil(&lab, kinds[i], "dcb", "6");
		struct run r = LAB_FABCON(&lab, "findings", "-v");
		assert_int_equal(r.code, 0);
		if (strstr(r.out.text, "node1:eth2"))
			fail_msg("%s, and not asked again: %s", kinds[i], r.out.text);
		run_done(&r);
	}
	lab_stop(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_key_question_may_be_left_open_longer_than_the_time_allowed),
		cmocka_unit_test(what_came_cut_or_busy_is_asked_again_before_it_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
