/*
 * R16: an allocation that fails, one after another: at start-up with an inventory, of a recording that is shown, of one reading
 * of a lab, and in the console on a terminal. Each ends in words, or as if nothing had been, and the terminal is as it was.
 * MEMORY_EACH=7: every 7th allocation, of a reading and of the console every 70th (else 197 and 1970); MEMORY_START=1: of start-up
 * every one. Once it is that one alone which fails, once all after it too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/lib/hostile.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/shim.h"
#include "tests/lib/tty.h"

static char dir[] = "/tmp/fabcon-memory.XXXXXX";
static char told[64], recording[64];
static struct lab lab;

static struct {
	unsigned failed, crashes, wordless, terminals, otherwise;
} sums;

static const char *text_of(unsigned long n)
{
	static char text[24];

	snprintf(text, sizeof(text), "%lu", n);
	return text;
}

/* A program that was ended by a signal, ended without saying why, or said something else and called it well. */
static void judge(const char *who, unsigned long n, const char *how, const struct run *r, const char *wanted)
{
	const char *wrong = NULL;

	sums.failed++;
	if (r->code >= 128) {
		wrong = "a crash";
		sums.crashes++;
	} else if (r->code != 0 && !r->err.n) {
		wrong = "an end without words";
		sums.wordless++;
	} else if (r->code == 0 && wanted && strcmp(r->out.text ? r->out.text : "", wanted) != 0) {
		wrong = "something else is said";
		sums.otherwise++;
	}
	if (wrong)
		printf("%s, allocation %lu%s: %s (%d): %.200s\n", who, n, how, wrong, r->code, r->err.text ? r->err.text : "");
}

static unsigned long each(const char *name, unsigned long usual)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : usual;
}

static unsigned long count(const char *const *argv, char **wanted)
{
	unsigned long allocs = 0, writes;
	struct run r;

	SHIM_PUT("SHIM_TELL", told);
	r = run_program(argv, NULL);
	shim_clear();
	assert_true(shim_told(told, &allocs, &writes));
	if (r.code != 0 || !r.out.n)
		fail_msg("%s: exit %d: %s", argv[1], r.code, r.err.text ? r.err.text : "");
	*wanted = xstrdup(r.out.text);
	run_done(&r);
	return allocs;
}

/* Each so many-th allocation of it. is_same: what it prints does not change from one time to the next. */
static void try_all(const char *who, const char *const *argv, unsigned long step, bool is_same)
{
	unsigned long allocs, n;
	char *wanted;

	allocs = count(argv, &wanted);
	for (n = 1; n <= allocs; n += step) {
		bool is_on = n / step % 2;
		struct run r;

		if (is_on)
			SHIM_PUT("SHIM_ALLOC", text_of(n), "SHIM_ALLOC_ON", "1");
		else
			SHIM_PUT("SHIM_ALLOC", text_of(n));
		r = run_program(argv, NULL);
		shim_clear();
		judge(who, n, is_on ? " and all after it" : "", &r, is_same ? wanted : NULL);
		run_done(&r);
	}
	printf("%s: %lu allocations, each %lu. failed\n", who, allocs, step);
	free(wanted);
}
#define TRY_ALL(who, step, is_same, ...) try_all((who), (const char *const[]){ __VA_ARGS__, NULL }, (step), (is_same))

/* In a shell on a terminal, which tells the modes before and after. */
static void try_console(unsigned long n, bool is_on)
{
	const char *words = is_on ? SHIM_WORDS("SHIM_ALLOC", text_of(n), "SHIM_ALLOC_ON", "1") : SHIM_WORDS("SHIM_ALLOC", text_of(n));
	char *line = xasprintf("trap : INT; a=$(stty -g); %s %s replay %s; b=$?; [ \"$a\" = \"$(stty -g)\" ] && echo same modes, ended with $b;"
			       " read x", words, program_path("fabcon"), recording);
	struct tty *t = TTY(24, 80, "/bin/sh", "-c", line);

	sums.failed++;
	while (!tty_shows(t, "ended with", 1) && !tty_shows(t, "[Overview]", 1) && tty_runs(t))
		;
	tty_type(t, "q");
	if (!tty_shows(t, "same modes", 30)) {
		sums.terminals++;
		printf("the console, allocation %lu%s: the terminal is not as it was:\n%s\n", n, is_on ? " and all after it" : "", tty_screen(t));
	} else if (tty_shows(t, "ended with 1", 0) && (tty_shows(t, "ended with 134", 0) || tty_shows(t, "ended with 139", 0))) {
		sums.crashes++;
		printf("the console, allocation %lu%s: a crash:\n%s\n", n, is_on ? " and all after it" : "", tty_screen(t));
	}
	tty_type(t, "\r");
	tty_end(t, 10);
	tty_close(t);
	free(line);
}

static void an_allocation_that_fails_ends_in_words_and_gives_the_terminal_back(void **state)
{
	unsigned long step = each("MEMORY_EACH", 197);

	(void)state;
	TRY_ALL("start-up", each("MEMORY_START", step), true, "fabcon", "-i", lab.inventory, "inventory", "list");
	TRY_ALL("a recording", step, true, "fabcon", "replay", recording, "ports");
	TRY_ALL("one reading", step * 10, false, "fabcon", "-i", lab.inventory, "--no-input", "--timeout", "60s", "status");
	for (unsigned long n = 1; n < 20000; n += step * 10)
		try_console(n, n / step % 2);
	printf("%u allocations failed: %u crashes, %u without words, %u terminals left, %u said otherwise\n", sums.failed, sums.crashes,
	       sums.wordless, sums.terminals, sums.otherwise);
	assert_int_equal(sums.crashes + sums.wordless + sums.terminals + sums.otherwise, 0);
}

static int begin(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(told, sizeof(told), "%s/told", dir);
	snprintf(recording, sizeof(recording), "%s/r.db", dir);
	setenv("XDG_CONFIG_HOME", "/dev/null", 1);
	setenv("XDG_STATE_HOME", dir, 1);
	setenv("XDG_DATA_HOME", dir, 1);
	hostile_recording(recording);
	return LAB(&lab, "--nodes", "2") ? 0 : -1;
}

static int end(void **state)
{
	char *command = xasprintf("rm -rf '%s'", dir);
	int status = system(command);

	(void)state;
	lab_stop(&lab);
	free(command);
	return status;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_allocation_that_fails_ends_in_words_and_gives_the_terminal_back),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
