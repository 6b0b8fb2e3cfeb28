/*
 * Fabrics in skins, in which nothing is broken: whatever is said at warn or above at any moment of a recording is false. Each
 * device answers late, by up to LATE_MS; each third fabric is read on a busy machine: fabcon shares what the lab leaves with
 * two processes that never rest. CALM: how many; CALM_SEED: of which
 * seeds; with CREW_FROM=N fabric N alone.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/judge/check.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/trials/crew.h"
#include "tests/trials/scenario.h"
#include "tui/session/session.h"

#define CALM		3
#define RECORD_FOR	"30s"
#define FIRST_FOR	"10s"	/* of that, until all was read once, where it is */
#define LATE_MS		7500	/* what the device does in its own time is to be over within 8 s */
#define LATE_STEPS	4	/* none, a quarter of it, … */
#define BUSY_EVERY	3
#define BUSY		2
#define NICE		10
#define FINDINGS_MAX	64	/* different ones of a fabric, told */

static char dir[64];

static unsigned seed_of(unsigned nth)
{
	return crew_number("CALM_SEED", 1) * 1000 + nth;
}

static unsigned at_once(void)
{
	return crew_number("CALM_JOBS", 3);
}

/* The lab makes a device's files at its first login, and answers nobody else meanwhile: that is no lateness of a device. */
static void log_in(const struct lab *lab)
{
	struct run r = LAB_FABCON(lab, "-q", "--timeout", FIRST_FOR, "status");

	run_done(&r);
}

static bool start(struct lab *lab, unsigned seed)
{
	static const char *const systems[] = { "os10", "sonic", "mixed" };
	static const char *const traffic[] = { "ring", "all" };
	char late[16];

	snprintf(late, sizeof(late), "%u", LATE_MS * (seed / 3 % (LATE_STEPS + 1)) / LATE_STEPS);
	return LAB_NASTY(lab, seed, "20", "--nodes", "4", "--rails", "2", "--leaves", "2", "--spines", "1", "--bond", "--switch-os",
			 systems[seed % 3], "--traffic", traffic[seed / 2 % 2], "--late", late, "--with-parent");
}

static void be_busy(pid_t pids[BUSY])
{
	pid_t parent = getpid();

	setpriority(PRIO_PROCESS, 0, NICE);	/* the lab's devices have machines of their own */
	for (unsigned i = 0; i < BUSY; i++)
		if ((pids[i] = fork()) == 0)
			while (getppid() == parent)
				;
}

static void stop_busy(const pid_t pids[BUSY])
{
	int status;

	for (unsigned i = 0; i < BUSY; i++)
		if (pids[i] > 0 && kill(pids[i], SIGKILL) == 0)
			waitpid(pids[i], &status, 0);
}

/* -- judging -- */

/* "check at where: what", each once. */
struct told {
	char texts[FINDINGS_MAX][400];
	size_t n;
};

static void tell(struct told *told, const struct finding *f)
{
	char key[400];

	snprintf(key, sizeof(key), "%s at %s: ", f->check->id, f->where);
	for (size_t i = 0; i < told->n; i++)
		if (!strncmp(told->texts[i], key, strlen(key)))
			return;
	if (told->n < FINDINGS_MAX)
		snprintf(told->texts[told->n++], sizeof(told->texts[0]), "%s%s %s", key, verdict_name(f->verdict), f->what);
}

/* At each second: findings at warn or above. How many moments; 0: it was not read. */
static unsigned judge(const char *file, bool has_mlx4, struct told *told, bool *has_links)
{
	struct err err = { "" };
	struct session *s = session_replay(file, NULL, &err);
	unsigned moments = 0;

	for (int64_t at_us = s ? replay_first(session_recording(s)) : 0; s && at_us <= replay_last(session_recording(s)); at_us += SECOND) {
		const struct finding *const *list;
		size_t n;

		if (!session_seek(s, at_us, &err))
			continue;
		moments++;
		n = findings_open(session_findings(s), &list);
		for (size_t i = 0; i < n; i++)
			if (list[i]->verdict >= VERDICT_WARN && !(has_mlx4 && is_true_beside_mlx4(list[i]->check->id)))
				tell(told, list[i]);
	}
	*has_links = s && session_links(s)->n > 0;
	session_free(s);
	return moments;
}

static bool look(const struct lab *lab, unsigned nth, struct buf *words)
{
	char *file = xasprintf("%s/%u.db", dir, nth);
	struct run state = LAB_CTL(lab, "state"), r = LAB_FABCON(lab, "-q", "--timeout", FIRST_FOR, "record", "--for", RECORD_FOR, file);
	struct told told = { .n = 0 };
	bool has_mlx4 = state.out.text && strstr(state.out.text, " breed-mlx4"), has_links;
	unsigned moments = judge(file, has_mlx4, &told, &has_links);

	for (size_t i = 0; i < told.n; i++)
		buf_printf(words, "FALSE %s\n", told.texts[i]);
	buf_printf(words, "seed %u: %u moments, %zu at warn or above%s\n", seed_of(nth), moments, told.n, has_links ? "" : ", no link known");
	if (getenv("CALM_KEEP") && told.n)
		buf_printf(words, "kept: %s\n", file);
	else
		unlink(file);
	run_done(&state);
	run_done(&r);
	free(file);
	return moments > 0 && told.n == 0 && has_links;
}

static bool one(void *ctx, unsigned nth, struct buf *words)
{
	pid_t busy[BUSY] = { 0 };
	struct lab lab;
	bool is_right;

	(void)ctx;
	if (!start(&lab, seed_of(nth))) {
		buf_printf(words, "seed %u: the lab did not start\n", seed_of(nth));
		return false;
	}
	log_in(&lab);
	if (nth % BUSY_EVERY == 0)
		be_busy(busy);
	is_right = look(&lab, nth, words);
	stop_busy(busy);
	lab_stop(&lab);
	return is_right;
}

static void of_a_fabric_in_which_nothing_is_broken_nothing_is_said(void **state)
{
	unsigned n = crew_number("CALM", CALM), wrong = crew_run("calm", n, at_once(), one, NULL);

	(void)state;
	print_message("%u fabrics in which nothing is broken, devices late by up to %u ms: of %u something is said at warn or above\n", n,
		      LATE_MS, wrong);
	assert_true(n > 0);
	assert_int_equal(wrong, 0);
}

static int begin(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/fabcon-calm.XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	return getenv("CALM_KEEP") ? 0 : rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_fabric_in_which_nothing_is_broken_nothing_is_said),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
