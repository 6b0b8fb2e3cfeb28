/*
 * Whole stories over real SSH: a lab with one fault, read and judged by the program as a person runs it. The fault must
 * be named at its place, and nothing else that is not its consequence. STORY=FAULT tells one ("live" the last, "nasty" those in
 * skins), STORY_OS=os10, sonic or mixed all on that system (else OS10 and SONiC take turns), STORY_SEEDS=N so many healthy
 * fabrics of either, NASTY_SEEDS="N N …" these fabrics in skins in the place of the list's.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/lib/lab.h"
#include "tests/lib/say.h"

#define JOBS 3		/* labs at once: a story mostly waits */

static const struct story {
	const char *fault, *check;
	const char *where;		/* of the finding; "leaf1:*" is the switch port that faces the first host port */
	bool is_slow;			/* reading it once has no end: it is watched until it is said, and is no problem but a word */
} stories[] = {
	{ "trust-pcp",		"trust-as-wanted",	"node1:eth2" },
	{ "pfc-off-host",	"pfc-on-where-wanted",	"node1:eth2" },
	{ "pfc-off-switch",	"pfc-on-where-wanted",	"leaf1:*" },
	{ "pfc-extra-prio",	"pfc-only-where-wanted", "node1:eth2" },
	{ "ecn-off-switch",	"ecn-on",		"leaf1:*" },
	{ "np-off",		"np-on",		"node1:eth2" },
	{ "rp-off",		"rp-on",		"node1:eth2" },
	/* neither system prints the fill at which it sends pause: what can be said is that Kmin is far from what is wanted */
	{ "kmin-over-xoff",	"ecn-as-wanted",	"leaf1:*" },
	{ "dscp-map-lossy",	"dscp-map-as-wanted",	"node1:eth2" },
	{ "cnp-dscp-wrong",	"cnp-marked-as-wanted",	"node1:eth2" },
	{ "ets-starved-cnp",	"ets-cnp-served",	"node1:eth2" },
	{ "mtu-small-switch",	"mtu-fits",		"node1:eth2 - leaf1:" },
	{ "miswire",		"cables-swapped",	"node1:eth" },	/* both are named */
	{ "slow-receiver",	"slow-receiver",	"node1:eth2" },
	{ "pause-storm",	"pause-storm",		"node1:eth2 - leaf1:" },
	{ "bad-cable",		"wire-clean",		"node1:eth2" },
	{ "tos-104",		"tos-ecn",		"node1:eth2" },
	{ "global-pause",	"pause-frames-off",	"node1:eth2" },
	{ "bond-member-unset",	"bond-members-alike",	"node4:eth3" },
	{ "host-unreachable",	"device-reached",	"node1" },
	{ "slow-host",		"answers-in-time",	"node1",	true },
	{ "garbage-output",	"answers-understood",	"node1",	true },
};
#define N_STORIES (sizeof(stories) / sizeof(*stories))

static const char *story_os(size_t turn)
{
	const char *os = getenv("STORY_OS");

	return os ? os : turn % 2 ? "sonic" : "os10";
}

static bool is_asked(const char *story)
{
	const char *only = getenv("STORY");

	return !only || strcmp(only, story) == 0;
}

static bool start(struct lab *lab, const char *os, const char *seed, const char *fault)
{
	if (fault)
		return LAB(lab, "--nodes", "4", "--rails", "2", "--leaves", "2", "--spines", "1", "--switch-os", os,
			   "--seed", seed, "--fault", fault);
	return LAB(lab, "--nodes", "4", "--rails", "2", "--leaves", "2", "--spines", "1", "--switch-os", os, "--seed", seed);
}

/* The rows of what a command printed; NULL, and told, when it printed no sheet. */
static json_t *rows_of(const char *story, const struct run *r, json_t **doc)
{
	json_error_t error;

	*doc = json_loads(r->out.text ? r->out.text : "", 0, &error);
	if (!*doc)
		print_error("%s: exit %d, not JSON: %s %s\n", story, r->code, r->out.text ? r->out.text : "",
			    r->err.text ? r->err.text : "");
	return json_object_get(*doc, "rows");
}

static const char *text_of(json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));

	return text ? text : "";
}

static bool is_problem(json_t *row)
{
	return strcmp(text_of(row, "severity"), "warn") == 0 || strcmp(text_of(row, "severity"), "fail") == 0;
}

static bool is_root(json_t *row)
{
	return !json_is_string(json_object_get(row, "because_of"));
}

static bool is_at(const char *where, const char *place)
{
	if (strcmp(place, "leaf1:*") == 0)
		return strcmp(where, "leaf1:ethernet1/1/1") == 0 || strcmp(where, "leaf1:Ethernet0") == 0;
	return strncmp(where, place, strlen(place)) == 0;
}

static bool is_it(json_t *row, const struct story *story)
{
	return strcmp(text_of(row, "check"), story->check) == 0 && is_at(text_of(row, "where"), story->where) &&
	       is_root(row) && (is_problem(row) || story->is_slow);
}

/* A late lab's devices do not answer in time: that is no false sentence, and the machine's doing. */
static bool is_of_late_lab(json_t *row)
{
	return strcmp(text_of(row, "check"), "device-reached") == 0 && lab_is_late();
}

/* Names what was found wrongly; returns how many complaints. */
static unsigned judge_story(const struct story *story, const char *os, json_t *rows)
{
	unsigned complaints = 0;
	bool found = false;
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		if (is_it(row, story)) {
			found = true;
		} else if (is_problem(row) && is_root(row) && !is_of_late_lab(row)) {
			print_error("%s, %s: also found, and not as a consequence: %s at %s: %s\n", story->fault, os,
				    text_of(row, "check"), text_of(row, "where"), text_of(row, "what"));
			complaints++;
		}
	}
	if (!found)
		print_error("%s, %s: %s was not found at %s\n", story->fault, os, story->check, story->where);
	return complaints + !found;
}

/* One program that reads on while the fabric changes under it. */

struct watch {
	pid_t pid;
	FILE *out;
	char link[128];		/* the congested one, */
	char place[128];	/* and its switch port, as the lab names it */
	double cnp, pauses;	/* there; and of all links: who is held is upstream */
};

static void begin_watch(struct watch *w, const struct lab *lab, const char *command)
{
	int pipe_of[2];

	assert_int_equal(pipe(pipe_of), 0);
	fflush(NULL);
	w->pid = fork();
	if (w->pid == 0) {
		dup2(pipe_of[1], STDOUT_FILENO);
		close(pipe_of[0]);
		execl(program_path("fabcon"), "fabcon", "-i", lab->inventory, "--no-input", "-q", "-o", "json", "--watch=1",
		      "--timeout", "5", command, NULL);
		_exit(127);
	}
	close(pipe_of[1]);
	w->out = fdopen(pipe_of[0], "r");
	assert_non_null(w->out);
}

static void end_watch(struct watch *w)
{
	kill(w->pid, SIGTERM);
	fclose(w->out);
	waitpid(w->pid, NULL, 0);
}

/* The next sheet; yours. */
static json_t *next_sheet(struct watch *w)
{
	return json_loadf(w->out, JSON_DISABLE_EOF_CHECK, NULL);
}

#define SHEETS_MAX 90	/* that a change may take to show */

static bool has_it(const struct story *story, json_t *rows)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
		if (is_it(row, story))
			return true;
	return false;
}

/* The first sheet that holds the finding, or the last that came; yours. */
static json_t *watch_for(const struct story *story, const struct lab *lab)
{
	struct watch w = { 0 };
	json_t *doc = NULL, *next;

	begin_watch(&w, lab, "findings");
	for (unsigned i = 0; i < SHEETS_MAX && !has_it(story, json_object_get(doc, "rows")); i++) {
		next = next_sheet(&w);
		if (!next)
			break;
		json_decref(doc);
		doc = next;
	}
	end_watch(&w);
	return doc;
}

static json_t *check_once(const struct story *story, const struct lab *lab)
{
	struct run r = LAB_FABCON(lab, "-o", "json", "--timeout", "60", "check");
	json_t *doc;

	rows_of(story->fault, &r, &doc);
	run_done(&r);
	return doc;
}

static unsigned tell(size_t i)
{
	const struct story *story = &stories[i];
	const char *os = story_os(i);
	struct lab lab;
	json_t *doc;
	unsigned complaints;

	if (!start(&lab, os, "1", story->fault)) {
		print_error("%s, %s: the lab did not start\n", story->fault, os);
		return 1;
	}
	doc = story->is_slow ? watch_for(story, &lab) : check_once(story, &lab);
	complaints = judge_story(story, os, json_object_get(doc, "rows"));
	json_decref(doc);
	lab_stop(&lab);
	return complaints;
}

static unsigned look_at_healthy(size_t turn)
{
	const char *os = story_os(turn);
	unsigned complaints = 0;
	char seed[24];
	struct lab lab;
	struct run r;
	json_t *doc, *row;
	size_t i;

	snprintf(seed, sizeof(seed), "%zu", turn / 2 + 1);
	if (!start(&lab, os, seed, NULL)) {
		print_error("seed %s, %s: the lab did not start\n", seed, os);
		return 1;
	}
	r = LAB_FABCON(&lab, "-o", "json", "--timeout", "60", "check", "--fail-on", "warn");
	json_array_foreach(rows_of("healthy", &r, &doc), i, row)
		if (is_problem(row) && ++complaints)
			print_error("healthy, seed %s, %s: %s at %s: %s\n", seed, os, text_of(row, "check"),
				    text_of(row, "where"), text_of(row, "what"));
	if (r.code != 0)
		print_error("healthy, seed %s, %s: exit %d %s\n", seed, os, r.code, r.err.text ? r.err.text : "");
	complaints += r.code != 0;
	json_decref(doc);
	run_done(&r);
	lab_stop(&lab);
	return complaints;
}

/* Each of n, some at once; returns the number that had complaints. */
static unsigned each(size_t n, unsigned (*one)(size_t i))
{
	unsigned running = 0, bad = 0;
	int status;

	fflush(NULL);
	for (size_t i = 0; i < n || running > 0;) {
		if (i < n && running < JOBS) {
			pid_t pid = fork();

			assert_true(pid >= 0);
			if (pid == 0)
				_exit(one(i) != 0);
			running++;
			i++;
			continue;
		}
		if (wait(&status) > 0) {
			running--;
			bad += status != 0;
		}
	}
	return bad;
}

static unsigned tell_if_asked(size_t i)
{
	return is_asked(stories[i].fault) ? tell(i) : 0;
}

static void every_fault_is_named_at_its_place_and_nothing_else(void **state)
{
	unsigned bad = each(N_STORIES, tell_if_asked);

	(void)state;
	if (bad)
		fail_msg("%u stories went otherwise", bad);
}

static void a_healthy_fabric_has_no_findings(void **state)
{
	unsigned seeds = getenv("STORY_SEEDS") ? (unsigned)atoi(getenv("STORY_SEEDS")) : is_asked("healthy");
	unsigned bad = each(2 * seeds, look_at_healthy);

	(void)state;
	if (bad)
		fail_msg("%u healthy fabrics are said to be ill", bad);
}

/* -- in skins, as real devices differ: nothing false is said, and what is wrong is not called well -- */

#define NASTY_PACE	"20"	/* times as fast as real devices answer */

/* Each holds now; one of make hunt's that finds something joins when that is mended. */
static const char nasty_seeds[] = "1 4 7 11";

static unsigned nasty_seed(size_t i)
{
	struct span rest = span_of(getenv("NASTY_SEEDS") ? getenv("NASTY_SEEDS") : nasty_seeds), word;
	uint64_t seed = 0;

	for (size_t k = 0; k <= i; k++)
		if (!span_word(&rest, &word) || !span_u64(word, &seed))
			return 0;
	return (unsigned)seed;
}

/* The rows of check on a fabric in the seed's skins, with a fault or NULL; yours, or NULL. */
static json_t *check_nasty(unsigned seed, const char *fault)
{
	const char *os = story_os(seed);
	struct lab lab;
	struct run r;
	json_t *doc;
	bool is_up = fault ? LAB_NASTY(&lab, seed, NASTY_PACE, "--nodes", "4", "--rails", "2", "--leaves", "2", "--spines", "1",
				       "--switch-os", os, "--fault", fault) :
			     LAB_NASTY(&lab, seed, NASTY_PACE, "--nodes", "4", "--rails", "2", "--leaves", "2", "--spines", "1",
				       "--switch-os", os);

	if (!is_up) {
		print_error("nasty seed %u, %s: the lab did not start\n", seed, os);
		return NULL;
	}
	r = LAB_FABCON(&lab, "-o", "json", "--timeout", "60", "check");
	rows_of(fault ? fault : "healthy", &r, &doc);
	run_done(&r);
	lab_stop(&lab);
	return doc;
}

/* Whether nothing at all is said of what is broken: neither found, nor unknown, nor in any other finding. */
static bool is_false_ok(const struct story *story, json_t *rows)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
		if (is_problem(row) || strcmp(text_of(row, "check"), story->check) == 0)
			return false;
	return true;
}

static unsigned look_at_nasty(size_t i)
{
	unsigned seed = nasty_seed(i), complaints = 0;
	const struct story *story = &stories[seed % N_STORIES];
	json_t *healthy, *broken = NULL, *row;
	size_t k;

	healthy = check_nasty(seed, NULL);
	json_array_foreach(json_object_get(healthy, "rows"), k, row)
		if (strcmp(text_of(row, "severity"), "fail") == 0 && is_root(row) && !is_of_late_lab(row) && ++complaints)
			print_error("nasty seed %u, %s, healthy: FALSE FAIL %s at %s: %s\n", seed, story_os(seed), text_of(row, "check"),
				    text_of(row, "where"), text_of(row, "what"));
	if (!story->is_slow && strcmp(story->fault, "bond-member-unset") != 0)
		broken = check_nasty(seed, story->fault);
	if (broken && is_false_ok(story, json_object_get(broken, "rows")) && ++complaints)
		print_error("nasty seed %u, %s, %s: FALSE OK: neither %s nor anything else is said\n", seed, story_os(seed), story->fault,
			    story->check);
	complaints += !healthy;
	json_decref(healthy);
	json_decref(broken);
	return complaints;
}

static void in_skins_nothing_false_is_said(void **state)
{
	size_t n = 0;
	unsigned bad;

	(void)state;
	while (is_asked("nasty") && nasty_seed(n))
		n++;
	bad = each(n, look_at_nasty);
	if (n)
		printf("%zu fabrics in skins: something false is said of %u\n", n, bad);
	if (bad)
		fail_msg("something false is said of %u fabrics in skins", bad);
}

/* -- the live story -- */

static double number_of(json_t *row, const char *key)
{
	return json_number_value(json_object_get(row, key));
}

/* The end of a cable that is a switch's, as "DEVICE:PORT"; either may be told first where one end was late. */
static void switch_end(json_t *row, char place[static 128])
{
	const char *end = strncmp(text_of(row, "b_device"), "node", 4) ? "b" : "a";
	char device[16], port[16];

	snprintf(device, sizeof(device), "%s_device", end);
	snprintf(port, sizeof(port), "%s_port", end);
	snprintf(place, 128, "%s:%s", text_of(row, device), text_of(row, port));
}

/* The next sheet. The congested link, once there is one, stays that: where most CNPs are sent. */
static void read_on(struct watch *w)
{
	json_t *doc = next_sheet(w), *row;
	bool is_chosen = *w->place;
	double most = 0;
	size_t i;

	if (!doc)
		fail_msg("fabcon ports --watch ended");
	w->pauses = 0;
	json_array_foreach(json_object_get(doc, "rows"), i, row) {
		double cnp = number_of(row, "cnp_per_s");

		w->pauses += number_of(row, "pfc_per_s");
		if (!is_chosen && cnp > most) {
			most = cnp;
			snprintf(w->link, sizeof(w->link), "%s", text_of(row, "link"));
			switch_end(row, w->place);
		}
		if (strcmp(text_of(row, "link"), w->link) == 0)
			w->cnp = cnp;
	}
	json_decref(doc);
}

static bool is_marking(const struct watch *w)
{
	return *w->place && w->cnp > 0 && w->pauses < 100;
}

static bool is_pausing(const struct watch *w)
{
	return w->cnp == 0 && w->pauses > 1000;
}

static void wait_until(struct watch *w, bool (*is_so)(const struct watch *w), const char *what)
{
	for (unsigned i = 0; i < SHEETS_MAX; i++) {
		read_on(w);
		if (is_so(w))
			return;
	}
	fail_msg("%s: %s has %.0f CNPs/s, all links %.0f pauses/s", what, w->link, w->cnp, w->pauses);
}

static void ctl_fault(const struct lab *lab, const char *verb, const char *fault)
{
	struct run r = LAB_CTL(lab, "fault", verb, fault);

	if (r.code)
		fail_msg("fault %s %s: %s", verb, fault, r.err.text ? r.err.text : "");
	run_done(&r);
}

static void without_ecn_pause_takes_the_place_of_cnps_until_it_is_back(void **state)
{
	struct watch w = { 0 };
	struct lab lab;
	char fault[160];

	(void)state;
	if (!is_asked("live"))
		return;
	assert_true(LAB(&lab, "--nodes", "4", "--rails", "2", "--leaves", "2", "--spines", "1", "--switch-os", story_os(1),
			"--traffic", "incast"));
	begin_watch(&w, &lab, "ports");
	wait_until(&w, is_marking, "healthy");
	snprintf(fault, sizeof(fault), "ecn-off-switch@%s", w.place);
	ctl_fault(&lab, "add", fault);
	wait_until(&w, is_pausing, "without ECN");
	ctl_fault(&lab, "clear", fault);
	wait_until(&w, is_marking, "mended");
	end_watch(&w);
	lab_stop(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_healthy_fabric_has_no_findings),
		cmocka_unit_test(every_fault_is_named_at_its_place_and_nothing_else),
		cmocka_unit_test(in_skins_nothing_false_is_said),
		cmocka_unit_test(without_ecn_pause_takes_the_place_of_cnps_until_it_is_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
