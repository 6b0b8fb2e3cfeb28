/*
 * One fabric, many surfaces: a fault in skins is recorded, and at drawn moments status, ports, map, findings, pauses, report and
 * diagnose are laid side by side. TRUTH_ALL=1 (`make truth`): each fault of the lab on each system; TRUTH_ONLY=FAULT: this one, in
 * short; else a few. TRUTH_SEED draws skins, traffic and moments.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "remote/lab/world/faults.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/trials/crew.h"
#include "tests/trials/surfaces.h"

#define SCENES_MAX	1024
#define AT_ONCE		3
#define RECORD_FOR	"25s"
#define RECORD_ALL	"60s"
#define MOMENTS		4
#define MOMENTS_ALL	10
#define STATEMENTS_MIN	50	/* a scene: fewer, and nothing was compared */

static const struct scene {
	const char *fault, *os;
} few[] = {
	{ "pause-storm", "mixed" }, { "tos-0", "os10" }, { NULL, "sonic" },
};

static struct scene scenes[SCENES_MAX];
static unsigned n_scenes;
static char dir[64];

static bool tells_all(void)
{
	return getenv("TRUTH_ALL") && *getenv("TRUTH_ALL");
}

static unsigned seed_of(unsigned nth)
{
	return crew_number("TRUTH_SEED", 1) * 1000 + nth;
}

static bool start(struct lab *lab, unsigned nth, struct buf *words)
{
	static const char *const traffic[] = { "ring", "incast", "all" };
	struct run r;
	bool is_on;

	if (!LAB_NASTY(lab, seed_of(nth), "20", "--nodes", "4", "--rails", "2", "--leaves", "2", "--spines", "1", "--bond", "--switch-os",
		       scenes[nth].os, "--traffic", traffic[seed_of(nth) % 3], "--with-parent"))
		return false;
	if (!scenes[nth].fault)
		return true;
	r = LAB_CTL(lab, "fault", "add", scenes[nth].fault);
	is_on = r.code == 0;
	if (!is_on)
		buf_printf(words, "%s on %s: no device in these skins can have it\n", scenes[nth].fault, scenes[nth].os);
	run_done(&r);
	return true;
}

static bool compare_moments(const char *file, unsigned nth, struct buf *words)
{
	struct surfaces_count count = { 0 };
	unsigned n = tells_all() ? MOMENTS_ALL : MOMENTS, span_s = tells_all() ? 55 : 20;
	bool is_read = surfaces_compare(file, NULL, &count, words);

	srand(seed_of(nth));
	for (unsigned i = 0; is_read && i < n; i++) {
		char at[16];

		snprintf(at, sizeof(at), "-%us", 1 + (unsigned)rand() % span_s);
		is_read = surfaces_compare(file, at, &count, words);
	}
	buf_printf(words, "%s on %s, seed %u: %u moments, %u statements compared, %u differ\n",
		   scenes[nth].fault ? scenes[nth].fault : "healthy", scenes[nth].os, seed_of(nth), count.moments, count.statements,
		   count.wrong);
	return is_read && !count.wrong && count.statements >= STATEMENTS_MIN;
}

static bool one(void *ctx, unsigned nth, struct buf *words)
{
	char *file = xasprintf("%s/%u.db", dir, nth);
	struct lab lab;
	struct run r;
	bool is_right;

	(void)ctx;
	if (!start(&lab, nth, words)) {
		buf_printf(words, "seed %u: the lab did not start\n", seed_of(nth));
		free(file);
		return false;
	}
	r = LAB_FABCON(&lab, "-q", "record", "--for", tells_all() ? RECORD_ALL : RECORD_FOR, file);
	run_done(&r);
	lab_stop(&lab);
	is_right = compare_moments(file, nth, words);
	unlink(file);
	free(file);
	return is_right;
}

static void all_surfaces_say_the_same(void **state)
{
	unsigned wrong = crew_run("scene", n_scenes, AT_ONCE, one, NULL);

	(void)state;
	print_message("%u scenes: surfaces differ in %u\n", n_scenes, wrong);
	assert_true(n_scenes > 0);
	assert_int_equal(wrong, 0);
}

static void add(const char *fault, const char *os)
{
	assert_true(n_scenes < SCENES_MAX);
	scenes[n_scenes++] = (struct scene){ fault, os };
}

static int begin(void **state)
{
	static const char *const systems[] = { "os10", "sonic", "mixed" };
	const char *only = getenv("TRUTH_ONLY");

	(void)state;
	only = only && *only ? only : NULL;
	for (size_t i = 0; i < sizeof(few) / sizeof(*few) && !tells_all() && !only; i++)
		add(few[i].fault, few[i].os);
	for (size_t i = 0; i < fault_count && (tells_all() || only); i++)
		for (size_t k = 0; k < 3 && (!only || !strcmp(only, fault_table[i].name)); k++)
			add(fault_table[i].name, systems[k]);
	snprintf(dir, sizeof(dir), "/tmp/fabcon-surfaces.XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_surfaces_say_the_same),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
