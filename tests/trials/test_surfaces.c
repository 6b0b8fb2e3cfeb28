/*
 * One fabric, many surfaces: in skins, a fault comes while it is recorded; at drawn moments, and where findings opened and closed,
 * status, ports, map, findings, pauses, report, diagnose, the screens in lines, CSV and the cells are laid side by side, and at the
 * end what was broken has to be row 1 of findings and cause 1 of diagnose.
 * TRUTH_ALL=1 (`make truth`): each fault of the lab on each system, TRUTH_OS on that one alone; TRUTH_ONLY=FAULT: this one, in short;
 * else a few. TRUTH_SEED draws skins, traffic and moments; with CREW_FROM=N scene N alone, and TRUTH_KEEP=1 keeps recordings, which
 * TRUTH_OF=DIRECTORY lays side by side anew, with the same seed and scenes, and no lab.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "remote/lab/world/faults.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/trials/crew.h"
#include "tests/trials/root_first.h"
#include "tests/trials/surfaces.h"

#define SCENES_MAX	1024
#define AT_ONCE		3	/* TRUTH_JOBS */
#define RECORD_FOR	"45s"
#define RECORD_ALL	"60s"
#define FAULT_AFTER_S	4	/* after the last login: what is right is read first */
#define LOGIN_S		20
#define DEVICES		7	/* one more where a ring needs a second spine */
#define MOMENTS		4
#define MOMENTS_ALL	10
#define TURNS		2	/* at which findings opened or closed */
#define TURNS_ALL	10
#define NAMED_WITHIN_S	45	/* of the fault: settings are read each 30 s. Before the recording's end: at its end */
#define STATEMENTS_MIN	50	/* a scene: fewer, and nothing was compared */
#define FIRST_BAR	0.98	/* of the scenes whose fault a reading can show */

static const struct scene {
	const char *fault, *os;
} few[] = {
	{ "pause-storm", "mixed" }, { "tos-0", "os10" }, { NULL, "sonic" },
};

static struct scene scenes[SCENES_MAX];
static unsigned n_scenes;
static char dir[64];

/* Of all scenes, each of which is a process of its own. */
static struct sums {
	unsigned moments, statements, wrong, first, other, unnamed, hidden;
	time_t broken_at[SCENES_MAX], ended_at[SCENES_MAX];
	unsigned after_s[SCENES_MAX];	/* until what was broken was named first; 0: it was not, or no device shows it */
} *sums;

static void sum(unsigned *to, unsigned n)
{
	__atomic_add_fetch(to, n, __ATOMIC_RELAXED);
}

static bool tells_all(void)
{
	return getenv("TRUTH_ALL") && *getenv("TRUTH_ALL");
}

static unsigned seed_of(unsigned nth)
{
	return crew_number("TRUTH_SEED", 1) * 1000 + nth;
}

static bool needs_ring(unsigned nth)
{
	for (size_t i = 0; i < breakage_count() && scenes[nth].fault; i++)
		if (!strcmp(breakages()[i].fault, scenes[nth].fault))
			return breakages()[i].ring;
	return false;
}

static bool start(struct lab *lab, unsigned nth)
{
	static const char *const traffic[] = { "ring", "incast", "all" };

	return LAB_NASTY(lab, seed_of(nth), "20", "--nodes", "4", "--rails", "2", "--leaves", "2", "--spines",
			 needs_ring(nth) ? "2" : "1", "--bond", "--switch-os", scenes[nth].os, "--traffic",
			 traffic[seed_of(nth) % 3], "--with-parent");
}

static void wait_for_sessions(const struct lab *lab, unsigned n)
{
	for (unsigned i = 0; i < LOGIN_S; i++) {
		struct run r = LAB_CTL(lab, "sessions");
		bool are_all = r.out.text && strtoul(r.out.text, NULL, 10) >= n;

		run_done(&r);
		if (are_all)
			return;
		sleep(1);
	}
}

/* While it is recorded. */
static void break_it(const struct lab *lab, unsigned nth)
{
	struct run r;

	wait_for_sessions(lab, DEVICES + needs_ring(nth));
	sleep(FAULT_AFTER_S);
	r = LAB_CTL(lab, "fault", "add", scenes[nth].fault);
	sums->broken_at[nth] = time(NULL);
	run_done(&r);
}

static void record(const struct lab *lab, unsigned nth, const char *file)
{
	pid_t pid;
	struct run r;
	int status;

	fflush(NULL);
	pid = scenes[nth].fault ? fork() : 0;
	if (scenes[nth].fault && pid == 0) {
		break_it(lab, nth);
		_exit(0);
	}
	r = LAB_FABCON(lab, "-q", "record", "--for", tells_all() ? RECORD_ALL : RECORD_FOR, file);
	run_done(&r);
	sums->ended_at[nth] = time(NULL) - 1;
	if (pid)
		waitpid(pid, &status, 0);
}

static bool compare_moments(const char *file, unsigned nth, struct buf *words)
{
	struct surfaces_count count = { 0 };
	unsigned n = tells_all() ? MOMENTS_ALL : MOMENTS, span_s = tells_all() ? 55 : 20;
	bool is_read = surfaces_compare(file, NULL, &count, words);
	char turns[TURNS_ALL][SURFACES_AT];
	size_t n_turns = surfaces_turns(file, tells_all() ? TURNS_ALL : TURNS, turns);

	for (size_t i = 0; is_read && i < n_turns; i++)
		is_read = surfaces_compare(file, turns[i], &count, words);
	srand(seed_of(nth));
	for (unsigned i = 0; is_read && i < n; i++) {
		char at[16];

		snprintf(at, sizeof(at), "-%us", 1 + (unsigned)rand() % span_s);
		is_read = surfaces_compare(file, at, &count, words);
	}
	buf_printf(words, "%s on %s, seed %u: %u moments, %u statements compared, %u differ\n",
		   scenes[nth].fault ? scenes[nth].fault : "healthy", scenes[nth].os, seed_of(nth), count.moments, count.statements,
		   count.wrong);
	sum(&sums->moments, count.moments);
	sum(&sums->statements, count.statements);
	sum(&sums->wrong, count.wrong);
	return is_read && !count.wrong && count.statements >= STATEMENTS_MIN;
}

static enum first_is first_at(const char *file, unsigned after_s, unsigned nth, const struct broken *broken, struct buf *what)
{
	time_t at = sums->broken_at[nth] + after_s;
	bool is_end = at >= sums->ended_at[nth];
	json_t *findings, *diagnose;
	enum first_is is;
	char text[32];
	struct tm tm;

	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", gmtime_r(&at, &tm));
	findings = surfaces_sheet(file, is_end ? NULL : text, "findings");
	diagnose = surfaces_sheet(file, is_end ? NULL : text, "diagnose");
	is = root_is_first(broken, json_object_get(findings, "rows"), json_object_get(diagnose, "causes"), what);
	json_decref(findings);
	json_decref(diagnose);
	return is;
}

/* The second since the fault from which on it is named first; it is at NAMED_WITHIN_S. */
static unsigned named_after(const char *file, unsigned nth, const struct broken *broken)
{
	unsigned not_yet = 0, named = NAMED_WITHIN_S;

	while (named - not_yet > 1) {
		unsigned middle = (named + not_yet) / 2;
		struct buf what = { NULL };

		if (first_at(file, middle, nth, broken, &what) == FIRST_YES)
			named = middle;
		else
			not_yet = middle;
		buf_done(&what);
	}
	return named;
}

/* What is named first NAMED_WITHIN_S after the fault. where: of the fault, as the lab lists it; state: of the lab, before it. */
static void judge_first(const char *file, unsigned nth, const char *where, const char *state, struct buf *words)
{
	struct buf what = { NULL };
	struct broken broken;

	root_broken(&broken, scenes[nth].fault, where, state);
	if (!broken.kind) {
		sum(&sums->hidden, 1);
		buf_printf(words, "%s: no device shows it\n", broken.text);
		return;
	}
	switch (first_at(file, NAMED_WITHIN_S, nth, &broken, &what)) {
	case FIRST_YES:
		sum(&sums->first, 1);
		sums->after_s[nth] = named_after(file, nth, &broken);
		buf_printf(words, "named first after %u s\n", sums->after_s[nth]);
		break;
	case FIRST_OTHER:
		sum(&sums->other, 1);
		dprintf(STDERR_FILENO, "NOT FIRST: %s on %s, seed %u: %s\n", broken.text, scenes[nth].os, seed_of(nth), what.text);
		break;
	case FIRST_UNNAMED:
		sum(&sums->unnamed, 1);
		dprintf(STDERR_FILENO, "NOT NAMED: %s on %s, seed %u\n", broken.text, scenes[nth].os, seed_of(nth));
	}
	buf_printf(words, "%s: %s\n", broken.text, what.text);
	buf_done(&what);
}

#define HIDDEN	" hidden"	/* behind the place of a fault that skins hide */

/* "node1:eth2" of "tos-0@node1:eth2", or "node1:eth2 hidden"; yours, NULL where there is none. */
static char *place_of_fault(const struct lab *lab)
{
	struct run r = LAB_CTL(lab, "fault", "list");
	const char *at = r.out.text ? strchr(r.out.text, '@') : NULL;
	char *place = at ? xasprintf("%.*s", (int)strcspn(at + 1, "\n"), at + 1) : NULL;

	run_done(&r);
	return place;
}

/* What the lab had and when, beside a recording that is kept: the file's name and ".lab". */
static void keep(const char *file, unsigned nth, const char *where, const char *state)
{
	char *name = xasprintf("%s.lab", file);
	FILE *out = fopen(name, "w");

	if (out) {
		fprintf(out, "%lld %lld %s\n%s", (long long)sums->broken_at[nth], (long long)sums->ended_at[nth], where ? where : "-", state);
		fclose(out);
	}
	free(name);
}

/* where, state: yours. */
static bool read_kept(const char *file, unsigned nth, char **where, struct run *state)
{
	char *name = xasprintf("%s.lab", file), place[96];
	long long broken_at, ended_at;
	size_t n;
	char *all = file_text(name, &n);
	const char *rest = all ? strchr(all, '\n') : NULL;
	bool is_kept = rest && sscanf(all, "%lld %lld %95[^\n]", &broken_at, &ended_at, place) == 3;

	if (is_kept) {
		sums->broken_at[nth] = broken_at;
		sums->ended_at[nth] = ended_at;
		*where = strcmp(place, "-") != 0 ? xasprintf("%s", place) : NULL;
		buf_str(&state->out, rest + 1);
	}
	free(all);
	free(name);
	return is_kept;
}

/* False: the lab did not start, or nothing is kept. */
static bool record_scene(const char *file, unsigned nth, char **where, struct run *state)
{
	struct lab lab;

	if (getenv("TRUTH_OF"))
		return read_kept(file, nth, where, state);
	if (!start(&lab, nth))
		return false;
	*state = LAB_CTL(&lab, "state");
	record(&lab, nth, file);
	*where = scenes[nth].fault ? place_of_fault(&lab) : NULL;
	lab_stop(&lab);
	if (getenv("TRUTH_KEEP"))
		keep(file, nth, *where, state->out.text ? state->out.text : "");
	return true;
}

static bool one(void *ctx, unsigned nth, struct buf *words)
{
	const char *of = getenv("TRUTH_OF");
	char *file = xasprintf("%s/%u.db", of ? of : dir, nth), *where = NULL;
	struct run state = { 0 };
	bool is_right = record_scene(file, nth, &where, &state);

	(void)ctx;
	if (!is_right) {
		buf_printf(words, "seed %u: %s\n", seed_of(nth), of ? "no recording" : "the lab did not start");
	} else {
		if (scenes[nth].fault && (!where || strstr(where, HIDDEN))) {
			sum(&sums->hidden, 1);
			buf_printf(words, "%s on %s: no device in these skins can have it, or shows it\n", scenes[nth].fault,
				   scenes[nth].os);
		}
		is_right = compare_moments(file, nth, words);
		if (where && !strstr(where, HIDDEN))
			judge_first(file, nth, where, state.out.text ? state.out.text : "", words);
	}
	if (of || getenv("TRUTH_KEEP"))
		buf_printf(words, "kept: %s\n", file);
	else
		unlink(file);
	run_done(&state);
	free(file);
	free(where);
	return is_right;
}

static void all_surfaces_say_the_same(void **state)
{
	unsigned wrong = crew_run("scene", getenv("CREW_FROM") ? 1 : n_scenes, crew_number("TRUTH_JOBS", AT_ONCE), one, NULL);

	(void)state;
	print_message("%u scenes, %u moments, %u statements compared: %u differ\n", n_scenes, sums->moments, sums->statements, sums->wrong);
	assert_true(n_scenes > 0);
	assert_int_equal(wrong, 0);
}

static void what_is_broken_is_named_first(void **state)
{
	unsigned shown, n_after = 0, longest = 0, total = 0;

	if (!sums->moments)	/* its share of the tests is this one alone */
		all_surfaces_say_the_same(state);
	shown = sums->first + sums->other + sums->unnamed;
	print_message("what was broken is row 1 of findings and cause 1 of diagnose: %u of %u; something else is in %u, nothing in %u; "
		      "in %u more no device can have the fault, or none would show it\n",
		      sums->first, shown, sums->other, sums->unnamed, sums->hidden);
	for (unsigned i = 0; i < n_scenes; i++)
		n_after += sums->after_s[i] > 0, longest = sums->after_s[i] > longest ? sums->after_s[i] : longest, total += sums->after_s[i];
	print_message("after %.1f s in the mean, %u s at most\n", n_after ? (double)total / n_after : 0, longest);
	assert_true(shown > 0);
	assert_true(sums->first >= FIRST_BAR * shown);
}

static void add(const char *fault, const char *os)
{
	assert_true(n_scenes < SCENES_MAX);
	scenes[n_scenes++] = (struct scene){ fault, os };
}

static int begin(void **state)
{
	static const char *const systems[] = { "os10", "sonic", "mixed" };
	const char *only = getenv("TRUTH_ONLY"), *os = getenv("TRUTH_OS");

	(void)state;
	only = only && *only ? only : NULL;
	os = os && *os ? os : NULL;
	sums = mmap(NULL, sizeof(*sums), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sums == MAP_FAILED)
		return -1;
	for (size_t i = 0; i < sizeof(few) / sizeof(*few) && !tells_all() && !only; i++)
		add(few[i].fault, few[i].os);
	for (size_t i = 0; i < fault_count && (tells_all() || only); i++)
		for (size_t k = 0; k < 3 && (!only || !strcmp(only, fault_table[i].name)); k++)
			if (!os || !strcmp(os, systems[k]))
				add(fault_table[i].name, systems[k]);
	snprintf(dir, sizeof(dir), "/tmp/fabcon-surfaces.XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	return getenv("TRUTH_KEEP") ? 0 : rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_surfaces_say_the_same),
		cmocka_unit_test(what_is_broken_is_named_first),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
