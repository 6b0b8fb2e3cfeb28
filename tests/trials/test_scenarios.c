/*
 * How well faults are diagnosed, measured (scenarios/scenario.h). SCENARIOS_SINGLES, SCENARIOS_PAIRS and SCENARIOS_HEALTHY
 * say how many of each; SCENARIOS_JOBS how many at once; SCENARIOS_ONLY=TEXT those whose names hold it; SCENARIOS_REUSE=1
 * takes the recordings that are there. `make scenarios` has its own, larger, numbers. On fabrics in skins (NASTY_SEEDS="N N …":
 * these alone) nothing may be named wrongly.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/diagnose/diagnosis.h"
#include "tests/lib/nasty.h"
#include "tests/lib/say.h"
#include "tests/trials/matrix.h"

#define SINGLES_BAR_PCT	98
#define PAIRS_BAR_PCT	90

static unsigned number_of(const char *variable, unsigned usual)
{
	const char *text = getenv(variable);

	return text && *text ? (unsigned)strtoul(text, NULL, 10) : usual;
}

static enum outcome outcome_without(const struct scenario *s, const struct diagnosed *d)
{
	return s->n_faults == 0 && d->n_answers > 0 ? OUTCOME_WRONG : first_outcome(s, d);
}

static bool is_asked_for(const struct scenario *s, const struct named_cause *a)
{
	for (size_t i = 0; i < s->n_faults; i++)
		if (names_fault(a, &s->faults[i]))
			return true;
	return false;
}

/* Late, or so late that it was given up for the time being. */
static bool is_lateness(const struct named_cause *a)
{
	static const char *const words[] = { "takes too long", "no answer in", "no prompt;" };
	bool is_given_up = false;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		is_given_up |= strstr(a->why, words[i]) != NULL;
	return !strcmp(a->cause, "slow-answers") || (!strcmp(a->cause, "unreachable") && is_given_up);
}

/* A machine that does too much at once makes every device late: that is true, and none of the scenario's faults. */
static void forget_lateness(const struct scenario *s, struct diagnosed *d)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->n_answers; i++)
		if (!is_lateness(&d->answers[i]) || is_asked_for(s, &d->answers[i]))
			d->answers[kept++] = d->answers[i];
	d->n_answers = kept;
}

static bool diagnose(struct result *r, const char *file, const char *probe, struct diagnosed *d)
{
	bool is_done = diagnose_recording(file, probe, d, &r->err);

	forget_lateness(&r->scenario, d);
	return is_done;
}

static void leave_each_out(struct result *r, const char *file)
{
	char probes[PROBES_MAX][40];

	r->n_without = probes_of_recording(file, probes, PROBES_MAX);
	for (size_t i = 0; i < r->n_without; i++) {
		struct without *w = &r->without[i];
		struct diagnosed d;

		snprintf(w->probe, sizeof(w->probe), "%s", probes[i]);
		if (!diagnose(r, file, probes[i], &d))
			r->is_judged = false;
		w->outcome = outcome_without(&r->scenario, &d);
		w->top = d.answers[0];
	}
}

static void judge(struct result *r)
{
	char *file = scenario_file(&r->scenario);

	if (r->skins)
		nasty_dress(r->skins);

	r->is_judged = scenario_record(&r->scenario, number_of("SCENARIOS_REUSE", 0), &r->err) &&
		       diagnose(r, file, NULL, &r->diagnosed);
	if (r->is_judged && !r->skins && number_of("SCENARIOS_WITHOUT", 1))
		leave_each_out(r, file);
	free(file);
}

/* Each in a process of its own, some at once: a scenario mostly waits. */
static void judge_all(struct result *results, size_t n)
{
	unsigned running = 0, jobs = number_of("SCENARIOS_JOBS", 3 * sysconf(_SC_NPROCESSORS_ONLN));

	fflush(NULL);
	for (size_t i = 0; i < n || running > 0;) {
		if (i == n || running == jobs) {
			running -= wait(NULL) > 0;
			continue;
		}
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0) {
			judge(&results[i]);
			_exit(0);
		}
		running++;
		i++;
	}
}

static bool is_asked(const struct scenario *s)
{
	const char *only = getenv("SCENARIOS_ONLY");

	return !only || !*only || strstr(s->name, only);
}

/* Not where a person asks for some scenario by name. */
static bool is_asked_in_skins(void)
{
	const char *only = getenv("SCENARIOS_ONLY");

	return nasty_is_asked() || !only || !*only;
}

/* Those of a sort that are asked for, judged. *n: how many; shared with the processes that judge, until the end. */
static struct result *results_of(bool (*draw)(struct scenario *, unsigned), unsigned asked, unsigned spread, size_t *n)
{
	struct result *results = mmap(NULL, (asked + 1) * sizeof(*results), PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(results != MAP_FAILED);
	*n = 0;
	for (unsigned i = 0; i < asked; i++) {
		if (!draw(&results[*n].scenario, asked < spread ? i * spread / asked : i))
			fail_msg("scenario %u has no place", i);
		*n += is_asked(&results[*n].scenario);
	}
	judge_all(results, *n);
	for (size_t i = 0; i < *n; i++)
		if (!results[i].is_judged)
			print_error("%s: not judged: %s\n", results[i].scenario.name, results[i].err.text);
	return results;
}

/* Complains when a part of n is below its bar; nothing asked for is no success to tell of. */
static bool meets(const char *what, size_t right, size_t n, unsigned bar_pct)
{
	if (n > 0)
		printf("%s: %zu of %zu, %.1f %% (bar: %u %%)\n", what, right, n, 100.0 * right / n, bar_pct);
	return right * 100 >= n * bar_pct;
}

/* One line a scenario; of one that is wrong with every probe in, none more. */
static unsigned wrong_without(const struct result *results, size_t n)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < n; i++) {
		const struct result *r = &results[i];
		const struct without *first = NULL;
		unsigned its = 0;

		for (size_t k = 0; k < r->n_without; k++) {
			if (r->without[k].outcome != OUTCOME_WRONG)
				continue;
			first = first ? first : &r->without[k];
			its++;
		}
		wrong += its;
		if (first && outcome_without(&r->scenario, &r->diagnosed) != OUTCOME_WRONG)
			printf("%s without %s (%u such): named %s at %s: %s\n", r->scenario.name, first->probe, its,
			       first->top.cause, first->top.where, first->top.why);
	}
	return wrong;
}

static void the_cause_of_a_single_fault_is_named_first(void **state)
{
	size_t n, right = 0;
	struct result *results = results_of(scenario_single, number_of("SCENARIOS_SINGLES", 12), breakage_count(), &n);
	unsigned wrong;
	bool is_met;

	(void)state;
	for (size_t i = 0; i < n; i++) {
		bool is_right = results[i].is_judged &&
				first_outcome(&results[i].scenario, &results[i].diagnosed) == OUTCOME_RIGHT;

		right += is_right;
		if (!is_right)
			print_wrong(&results[i], &results[i].diagnosed, stdout);
	}
	print_matrix(results, n, stdout);
	print_rates(results, n, stdout);
	print_without(results, n, stdout);
	wrong = wrong_without(results, n);
	is_met = meets("singles whose cause is named first", right, n, SINGLES_BAR_PCT);
	printf("singles with one probe left out: %u wrong (bar: 0)\n", wrong);
	if (!is_met || wrong > 0)
		fail_msg("%zu of %zu singles right, %u wrong with a probe left out", right, n, wrong);
}

static void both_causes_of_a_pair_are_named(void **state)
{
	size_t n, right = 0;
	struct result *results = results_of(scenario_pair, number_of("SCENARIOS_PAIRS", 0), 0, &n);
	unsigned wrong;
	bool is_met;

	(void)state;
	for (size_t i = 0; i < n; i++) {
		bool is_right = results[i].is_judged && all_named(&results[i].scenario, &results[i].diagnosed);

		right += is_right;
		if (!is_right)
			print_wrong(&results[i], &results[i].diagnosed, stdout);
	}
	wrong = wrong_without(results, n);
	is_met = meets("pairs of which both causes are named", right, n, PAIRS_BAR_PCT);
	if (!is_met || wrong > 0)
		fail_msg("%zu of %zu pairs right, %u wrong with a probe left out", right, n, wrong);
}

static void nothing_is_found_on_a_busy_healthy_fabric(void **state)
{
	size_t n, quiet = 0;
	struct result *results = results_of(scenario_healthy, number_of("SCENARIOS_HEALTHY", 2), 0, &n);
	unsigned wrong;

	(void)state;
	for (size_t i = 0; i < n; i++) {
		const struct diagnosed *d = &results[i].diagnosed;
		bool is_quiet = results[i].is_judged && d->n_warned == 0 && d->n_answers == 0;

		quiet += is_quiet;
		if (!is_quiet)
			print_wrong(&results[i], d, stdout);
	}
	wrong = wrong_without(results, n);
	meets("healthy fabrics with nothing found", quiet, n, 100);
	if (quiet < n || wrong > 0)
		fail_msg("%zu of %zu healthy fabrics are said to be ill, %u with a probe left out", n - quiet, n, wrong);
}

/* -- in skins -- */

/* What can be read differs by skin: nothing need be named. What is named first must be what was broken. */
static bool in_skins(struct scenario *s, unsigned seed)
{
	char name[sizeof(s->name)];

	if (!(seed % 3 ? scenario_single(s, seed - 1) : scenario_healthy(s, seed - 1)))
		return false;
	memcpy(name, s->name, sizeof(name));
	snprintf(s->name, sizeof(s->name), "nasty-%.380s", name);
	return true;
}

static void in_skins_no_cause_is_named_wrongly(void **state)
{
	static unsigned seeds[NASTY_MAX];
	size_t n = is_asked_in_skins() ? nasty_seeds("2", seeds) : 0, placed = 0;
	struct result *results = mmap(NULL, (n + 1) * sizeof(*results), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned wrong = 0;

	(void)state;
	assert_true(results != MAP_FAILED);
	for (size_t i = 0; i < n; i++) {
		results[placed].skins = seeds[i];
		placed += in_skins(&results[placed].scenario, seeds[i]);
	}
	judge_all(results, placed);
	for (size_t i = 0; i < placed; i++) {
		const struct result *r = &results[i];
		bool is_wrong = !r->is_judged || outcome_without(&r->scenario, &r->diagnosed) == OUTCOME_WRONG;

		if (is_wrong && wrong++ < n)
			printf("in the skins of seed %u: %s\n", r->skins, r->is_judged ? "" : r->err.text);
		if (is_wrong)
			print_wrong(r, &r->diagnosed, stdout);
	}
	printf("scenarios on fabrics in skins: %zu, of which %u named something wrongly\n", placed, wrong);
	assert_int_equal(wrong, 0);
}

static bool is_unread(const char *fault)
{
	for (const char *const *unread = breakages_unread; *unread; unread++)
		if (!strcmp(*unread, fault))
			return true;
	return false;
}

static void every_fault_of_the_lab_has_a_cause_to_be_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < fault_count; i++)
		if (fault_table[i].cause ? !known_cause_find(fault_table[i].cause) : !is_unread(fault_table[i].name))
			fail_msg("%s: %s is no known cause", fault_table[i].name, fault_table[i].cause);
	for (size_t i = 0; i < breakage_count(); i++)
		if (!breakages()[i].cause)
			fail_msg("%s of tests/trials/breakages.c is no fault of the lab", breakages()[i].fault);
}

int main(void)
{
	const struct CMUnitTest nasty[] = {
		cmocka_unit_test(in_skins_no_cause_is_named_wrongly),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fault_of_the_lab_has_a_cause_to_be_named),
		cmocka_unit_test(nothing_is_found_on_a_busy_healthy_fabric),
		cmocka_unit_test(the_cause_of_a_single_fault_is_named_first),
		cmocka_unit_test(both_causes_of_a_pair_are_named),
		cmocka_unit_test(in_skins_no_cause_is_named_wrongly),
	};

	return nasty_is_asked() ? cmocka_run_group_tests(nasty, NULL, NULL) : cmocka_run_group_tests(tests, NULL, NULL);
}
