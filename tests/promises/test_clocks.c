/*
 * R14: the time of day is set while a lab is recorded: an hour forward, an hour back, a second back each second, or it stands
 * still. Beside each runs a recorder whose clock nobody touches; what the two recorded must agree.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "db/tape/tape.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/shim.h"

#define LENGTH_S	12
#define FAR_RATE	0.5	/* of each other: they begin and end at other times */

static const struct way {
	const char *name, *at_first, *each_second;	/* what the clock's file holds; NULL: as at first */
	int step_us;					/* added each second */
} ways[] = {
	{ "an hour forward", "3600000000", NULL, 0 },
	{ "an hour back", "-3600000000", NULL, 0 },
	{ "a second back each second", "0", "", -1000000 },
	{ "it stands still", "stop", NULL, 0 },
};
#define WAYS	(sizeof(ways) / sizeof(*ways))

static char dir[] = "/tmp/fabcon-clocks.XXXXXX";
static struct lab lab;

struct recorder_run {
	char path[80], clock[80];
	pid_t pid;
	double took_s;
};

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void write_clock(const char *path, const char *text)
{
	char *half = xasprintf("%s.half", path);
	FILE *f = fopen(half, "we");

	assert_true(f && fputs(text, f) >= 0 && fclose(f) == 0 && rename(half, path) == 0);
	free(half);
}

static void start(struct recorder_run *r, unsigned nth, const char *clock)
{
	char length[8];

	snprintf(length, sizeof(length), "%d", LENGTH_S);
	snprintf(r->path, sizeof(r->path), "%s/r%u.db", dir, nth);
	snprintf(r->clock, sizeof(r->clock), "%s/clock%u", dir, nth);
	write_clock(r->clock, "0");
	if (clock)
		SHIM_PUT("SHIM_CLOCK", r->clock);
	fflush(NULL);
	r->pid = fork();
	if (r->pid == 0) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 1);
		dup2(null, 2);
		execl(program_path("fabcon"), "fabcon", "-i", lab.inventory, "--no-input", "-q", "--for", length, "record", r->path, NULL);
		_exit(127);
	}
	shim_clear();
	r->took_s = now_s();
}

static int64_t number_in(const char *path, const char *sql)
{
	struct tape t;
	struct err err = { "" };
	int64_t n;

	if (!tape_open_read(&t, path, &err))
		fail_msg("%s", err.text);
	n = tape_number(&t, sql, -1);
	tape_close(&t);
	return n;
}

/* Until both recorders have ended; the clock of one is set when there is something in its recording. */
static void let_run(struct recorder_run *plain, struct recorder_run *set, const struct way *way)
{
	double began_s = now_s(), set_s = began_s + LENGTH_S / 2.0;
	long long shift_us = 0;
	unsigned left = 2, steps = 0;

	while (left) {
		struct recorder_run *both[] = { plain, set };
		int status;

		for (unsigned i = 0; i < 2; i++)
			if (both[i]->pid && waitpid(both[i]->pid, &status, WNOHANG) == both[i]->pid) {
				assert_int_equal(status, 0);
				both[i]->took_s = now_s() - both[i]->took_s;
				both[i]->pid = 0;
				left--;
			}
		if (now_s() >= set_s + steps && (steps == 0 || way->each_second)) {
			char text[32];

			shift_us += way->step_us;
			snprintf(text, sizeof(text), "%lld", shift_us);
			write_clock(set->clock, way->each_second ? text : way->at_first);
			steps++;
		}
		usleep(10000);
	}
}

/* Links whose rate at the recording's end is more than the line carries, or below zero; what a link carries at most. */
#define LINE_BPS	100e9

static unsigned impossible_rates(const char *path)
{
	struct run r = RUN("fabcon", "replay", path, "-q", "-o", "json", "ports");
	json_t *doc = json_loads(r.out.text ? r.out.text : "", 0, NULL), *row;
	unsigned wrong = 0;
	size_t i;

	assert_true(json_array_size(json_object_get(doc, "rows")) > 0);
	json_array_foreach(json_object_get(doc, "rows"), i, row) {
		double bps = json_number_value(json_object_get(row, "tx_bps"));

		wrong += bps < 0 || bps > LINE_BPS;
	}
	json_decref(doc);
	run_done(&r);
	return wrong;
}

/* How far all counters of sent bytes moved in a second of the recording. A lab that comes late sends in leaps: it is the mean. */
#define MOVED	"SELECT sum(tx_total) / ((SELECT max(at_us) - min(at_us) FROM tick) / 1000000.0) FROM hot"

static unsigned wrong_rates(const char *plain, const char *set)
{
	double a = (double)number_in(plain, MOVED), b = (double)number_in(set, MOVED);

	assert_true(a > 0);
	if (b >= a * (1 - FAR_RATE) && b <= a * (1 + FAR_RATE))
		return impossible_rates(set);
	printf("a rate of %g where it is %g\n", b, a);
	return 1 + impossible_rates(set);
}

#define AS_LONG_AS	"SELECT max(at_us) - min(at_us) FROM tick"

/* Ticks that are older than the one before, and a recording that is longer or shorter than the other. */
static unsigned out_of_order(const char *plain, const char *path)
{
	int64_t n = number_in(path, "SELECT count(*) FROM (SELECT at_us, lag(at_us) OVER (ORDER BY id) AS was FROM tick) WHERE at_us < was");
	int64_t longer_us = number_in(path, AS_LONG_AS) - number_in(plain, AS_LONG_AS);

	assert_true(n >= 0);
	return (unsigned)n + (llabs(longer_us) > LENGTH_S * SECOND);
}

static void whatever_the_clock_does_history_stays_in_order_and_rates_are_true(void **state)
{
	unsigned rates = 0, disorder = 0;
	double late_s = 0;

	(void)state;
	for (unsigned i = 0; i < WAYS; i++) {
		struct recorder_run plain, set;
		double apart_s;

		start(&plain, 2 * i, NULL);
		start(&set, 2 * i + 1, "0");
		let_run(&plain, &set, &ways[i]);
		rates += wrong_rates(plain.path, set.path);
		disorder += out_of_order(plain.path, set.path);
		apart_s = set.took_s > plain.took_s ? set.took_s - plain.took_s : plain.took_s - set.took_s;
		late_s = apart_s > late_s ? apart_s : late_s;
		printf("%s: the recorder ran for %.1f s, the other for %.1f s\n", ways[i].name, set.took_s, plain.took_s);
	}
	printf("%zu clocks: %u rates wrong, %u times out of order, timers off by at most %.2f s\n", WAYS, rates, disorder, late_s);
	assert_int_equal(rates + disorder, 0);
	assert_true(late_s < LENGTH_S / 2.0);	/* a machine that has much to do; make promises has the bar */
}

static int begin(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(dir));
	setenv("XDG_CONFIG_HOME", "/dev/null", 1);
	setenv("XDG_STATE_HOME", dir, 1);
	setenv("XDG_DATA_HOME", dir, 1);
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
		cmocka_unit_test(whatever_the_clock_does_history_stays_in_order_and_rates_are_true),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
