/*
 * A fabric in the skins of a seed is recorded, and what the recording says is held against the lab's state: each setting, each
 * cable, each rate, and (every other seed has a fault in its settings) each finding of what is well. NASTY_SEEDS="N N …": these
 * seeds in the place of the list's, which `make hunt` does with fresh ones.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/trials/crew.h"
#include "tests/trials/truth.h"
#include "tui/session/session.h"

#define RECORD_FOR	"10s"
#define RECORD_LONG	"20s"	/* a SONiC switch reads its queues' counters every 10 s: at least once, and time goes on */
#define RECORD_REAL	"80s"	/* at the pace of real devices: two rounds of settings, and what was live before and after each */
#define RECORD_TWICE	"55s"	/* settings are read each 30 s: once more after the middle */
#define CLEAR_EVERY	5	/* seeds, of which one has a device whose counters begin again */
#define ACT_AFTER_S	6	/* since it is logged in everywhere: in the middle, once all was read */
#define LOGIN_S		20
#define MOMENTS		9	/* seconds before the end, of which each half is looked at; */
#define MOMENTS_LONG	18	/* of a long one; */
#define MOMENTS_REAL	75	/* of one at real pace */
#define FACTS_MIN	500	/* compared; fewer: nothing was read, and nothing is proven */
#define SEEDS_MAX	1000
#define AT_ONCE		3

static char dir[64];
static unsigned seeds[SEEDS_MAX];
static size_t n_seeds;

/* Each holds now. */
static const char committed[] = "1 5 7 11 20";

/* Of the settings: what they are then is what is to be said. The first ones are those of the lowest seeds. */
static const char *const faults[] = {
	"cnp-dscp-wrong", "mtu-small-host", "no-address", "ecn-off-switch", "pfc-off-host", "trust-pcp", "global-pause", "pfc-off-switch",
	"trust-off-switch", "miswire", "link-down", "pfc-extra-prio", "np-off", "rp-off", "dscp-map-lossy", "mtu-small-switch", "tos-0",
	"cnp-map-lossy", "prio-tc-wrong", "pfc-wrong-host", "pfc-wrong-switch", "ecn-weak", "ecn-early", "port-shut",
};

/* Beside each of them, in turns, what moves: a host that stops its switch, one whose packets are dropped in the lossy class, a link. */
static const struct harm {
	const char *fault, *traffic;
	const char *over;		/* ends in the middle of the recording, and the finding of this check with it; NULL: neither */
	const char *device;
	const char *record_for;		/* NULL: as others */
} harms[] = {
	{ "pause-storm@node3", "ring", .over = NULL },
	{ "tos-0@node1", "incast", .over = NULL },
	{ "link-down@node4", "ring", .over = "link-up", .device = "node4" },
	{ "nccl-tc-unset@node2", "ring", .over = "app-tos-as-wanted", .device = "node2", .record_for = RECORD_TWICE },
};

/* And of some seeds, the first reads by a tool are cut at each host. */
#define CUT_EVERY	8
#define CUT_READS	"6"
static const char *const cut_tools[] = { "mlnx_qos", "dcb", "grep", "ip", "ethtool", "lldpcli" };

/* -- one fabric -- */

static const char *fault_of(unsigned seed)
{
	return seed % 2 ? NULL : faults[seed / 2 % (sizeof(faults) / sizeof(*faults))];
}

static const struct harm *harm_of(unsigned seed)
{
	return fault_of(seed) ? &harms[seed / 2 % (sizeof(harms) / sizeof(*harms))] : NULL;
}

/* node4's first two ports are bond0; beside a fault, with the kernel's MTU, though its members have what is wanted. */
static bool has_bond(unsigned seed)
{
	return seed / 3 % 4 == 0;
}

/* Healthy, and of SONiC alone. */
static bool is_long(unsigned seed)
{
	return seed % 6 == 1;
}

/* Healthy. */
static bool is_at_real_pace(unsigned seed)
{
	return seed % 12 == 3;
}

static unsigned moments_of(unsigned seed)
{
	return is_at_real_pace(seed) ? MOMENTS_REAL : is_long(seed) ? MOMENTS_LONG : MOMENTS;
}

static bool start(struct lab *lab, unsigned seed)
{
	static const char *const systems[] = { "os10", "sonic", "mixed" };
	static const char *const paces[] = { "20", "50", "8" };
	const char *args[24] = { "--nodes", "4", "--rails", "2", "--leaves", "2", "--spines", "1", "--with-parent", "--switch-os",
				 systems[seed % 3] };
	size_t n = 11;

	if (has_bond(seed))
		args[n++] = "--bond";
	if (has_bond(seed) && fault_of(seed)) {
		args[n++] = "--fault";
		args[n++] = "bond-mtu-small";
	}
	if (fault_of(seed)) {
		args[n++] = "--fault";
		args[n++] = fault_of(seed);
		args[n++] = "--fault";
		args[n++] = harm_of(seed)->fault;
		args[n++] = "--traffic";
		args[n++] = harm_of(seed)->traffic;
	}
	return lab_start_nasty(lab, seed, is_at_real_pace(seed) ? "real" : paces[seed / 3 % 3], args);
}

static bool state_of(const struct lab *lab, struct truth *t)
{
	struct run r = LAB_CTL(lab, "state");
	bool is_read = truth_read(t, r.out.text ? r.out.text : "");

	run_done(&r);
	return is_read;
}

/* A command's sheet on the recording; yours. */
static json_t *sheet(const char *file, const char *command, const char *device)
{
	struct run r = device ? RUN("fabcon", "replay", file, "-q", "--no-input", "-o", "json", command, device) :
				RUN("fabcon", "replay", file, "-q", "--no-input", "-o", "json", command);
	json_t *doc = json_loads(r.out.text ? r.out.text : "", 0, NULL);

	run_done(&r);
	return doc;
}

/* What Overview shows of losses. */
static void judge_losses(const struct session *s, const struct truth *before, const struct truth *now, struct truth_count *count,
			 struct buf *words)
{
	const struct links *links = session_links(s);
	struct portrow *rows = xcalloc(links->n + 1, sizeof(*rows));
	struct worst_links losses = { NULL };

	for (size_t i = 0; i < links->n; i++)
		portrow_begin(&rows[i], session_model(s), session_findings(s), session_policy(s), &links->list[i]);
	worst_links_update(&losses, rows, links->n, session_model(s), session_findings(s), portrow_priority(session_policy(s)));
	truth_losses(before, now, &losses, count, words);
	worst_links_done(&losses);
	free(rows);
}

/* Moment by moment, and then the end of it. */
static void judge_moments(const char *file, unsigned n, const struct truth *before, const struct truth *now, struct truth_count *count,
			  struct buf *words)
{
	struct err err = { "" };
	struct session *s = session_replay(file, NULL, &err);
	int64_t last_us = s ? replay_last(session_recording(s)) : 0;

	for (int64_t at_us = last_us - n * SECOND; s && at_us <= last_us; at_us += SECOND / 2)
		if (session_seek(s, at_us, &err))
			truth_moment(before, now, session_model(s), count, words);
	if (s)
		judge_losses(s, before, now, count, words);
	session_free(s);
}

static void judge_cables(const char *file, const struct truth *before, const struct truth *now, struct truth_count *count,
			 struct buf *words)
{
	json_t *ports = sheet(file, "ports", NULL), *pauses = sheet(file, "pauses", NULL), *links = json_object_get(ports, "rows");

	truth_links(now, links, count, words);
	truth_ports(now, links, count, words);
	truth_pauses(before, now, links, json_object_get(pauses, "rows"), count, words);
	json_decref(ports);
	json_decref(pauses);
}

static void judge(const char *file, unsigned seed, const struct truth *before, const struct truth *now, struct truth_count *count,
		  struct buf *words)
{
	json_t *device, *doc;
	size_t i;

	json_array_foreach(now->devices, i, device) {
		doc = sheet(file, "show", json_string_value(device));
		truth_facts(before, now, json_object_get(doc, "rows"), count, words);
		json_decref(doc);
	}
	judge_cables(file, before, now, count, words);
	judge_moments(file, moments_of(seed), before, now, count, words);
	doc = sheet(file, "findings", NULL);
	truth_over(now, json_object_get(doc, "rows"), count, words);
	truth_bonds(now, json_object_get(doc, "rows"), count, words);
	if (harm_of(seed) && harm_of(seed)->over && lab_is_late())
		dprintf(STDERR_FILENO, "skip: seed %u: whether its finding is over, for the machine is late\n", seed);
	else if (harm_of(seed) && harm_of(seed)->over)
		truth_gone(json_object_get(doc, "rows"), harm_of(seed)->over, harm_of(seed)->device, count, words);
	if (!fault_of(seed))
		truth_findings(before, now, json_object_get(doc, "rows"), count, words);
	json_decref(doc);
}

/* Counters of one device begin again: a clear command, a driver loaded anew. */
static void clear_one(const struct lab *lab, unsigned seed, const struct truth *t)
{
	const char *device = json_string_value(json_array_get(t->devices, seed % json_array_size(t->devices)));
	struct run r = LAB_CTL(lab, "clear", device);

	run_done(&r);
}

static bool acts(unsigned seed)
{
	return seed % CLEAR_EVERY == 0 || (harm_of(seed) && harm_of(seed)->over);
}

static void wait_for_sessions(const struct lab *lab, size_t n)
{
	size_t are = 0;

	for (unsigned i = 0; i < LOGIN_S && are < n; i++) {
		struct run r;

		sleep(1);
		r = LAB_CTL(lab, "sessions");
		are = strtoul(r.out.text ? r.out.text : "", NULL, 10);
		run_done(&r);
	}
}

/* In the middle of the recording. */
static void act(const struct lab *lab, unsigned seed, const struct truth *t)
{
	struct run r;

	wait_for_sessions(lab, json_array_size(t->devices));
	sleep(ACT_AFTER_S);
	if (seed % CLEAR_EVERY == 0)
		clear_one(lab, seed, t);
	if (!harm_of(seed) || !harm_of(seed)->over)
		return;
	r = LAB_CTL(lab, "fault", "clear", harm_of(seed)->fault);
	run_done(&r);
}

static void cut_reads(const struct lab *lab, unsigned seed, const struct truth *t)
{
	const char *host;
	json_t *is;

	json_object_foreach(t->hosts, host, is) {
		struct run r = LAB_CTL(lab, "spoil", host, "cut", cut_tools[seed / CUT_EVERY % (sizeof(cut_tools) / sizeof(*cut_tools))],
				       CUT_READS);

		run_done(&r);
	}
}

static const char *record_for(unsigned seed)
{
	if (harm_of(seed) && harm_of(seed)->record_for)
		return harm_of(seed)->record_for;
	return is_at_real_pace(seed) ? RECORD_REAL : is_long(seed) ? RECORD_LONG : RECORD_FOR;
}

static bool record(const struct lab *lab, unsigned seed, const struct truth *t, const char *file)
{
	pid_t pid;
	struct run r;
	int status;
	bool is_recorded;

	fflush(NULL);
	pid = acts(seed) ? fork() : 0;
	if (acts(seed) && pid == 0) {
		act(lab, seed, t);
		_exit(0);
	}
	r = LAB_FABCON(lab, "-q", "record", "--for", record_for(seed), file);
	is_recorded = access(file, R_OK) == 0;
	run_done(&r);
	return (pid == 0 || waitpid(pid, &status, 0) == pid) && is_recorded;
}

/* The recording of a lab that is up, from its beginning. */
static bool look_at(const struct lab *lab, unsigned seed, struct buf *words)
{
	char *file = xasprintf("%s/%u.db", dir, seed);
	struct truth_count count = { 0 };
	struct truth before, now = { NULL };
	bool is_read;

	if (!state_of(lab, &before)) {
		free(file);
		return false;
	}
	if (seed % CUT_EVERY == 0)
		cut_reads(lab, seed, &before);
	count.began_us = before.at_us;
	is_read = record(lab, seed, &before, file) && state_of(lab, &now);
	if (is_read && acts(seed))	/* what passed between the states tells nothing of a moment */
		before.at_us = now.at_us;
	if (is_read)
		judge(file, seed, &before, &now, &count, words);
	buf_printf(words, "seed %u, %s: %u facts and %u rates and %u links and %u long pauses held against the state, %u facts unknown, "
		   "%u wrong\n", seed, fault_of(seed) ? fault_of(seed) : "healthy", count.facts, count.rates, count.links, count.pauses,
		   count.unknown, count.wrong);
	if (count.late)
		dprintf(STDERR_FILENO, "skip: seed %u: %u rates of bytes were not held against what passed: the machine was late\n", seed,
			count.late);
	if (count.facts < FACTS_MIN)
		buf_str(words, "too few to prove anything\n");
	truth_count_done(&count);
	truth_done(&before);
	truth_done(&now);
	unlink(file);
	free(file);
	return is_read && !count.wrong && count.facts >= FACTS_MIN;
}

static bool one(void *ctx, unsigned nth, struct buf *words)
{
	struct lab lab;
	bool is_right;

	(void)ctx;
	if (!start(&lab, seeds[nth])) {
		buf_printf(words, "seed %u: the lab did not start\n", seeds[nth]);
		return false;
	}
	is_right = look_at(&lab, seeds[nth], words);
	lab_stop(&lab);
	return is_right;
}

/* -- all -- */

static void every_fact_of_a_fabric_in_skins_is_true(void **state)
{
	unsigned wrong = crew_run("fabric", (unsigned)n_seeds, AT_ONCE, one, NULL);

	(void)state;
	print_message("%zu fabrics in skins, each fact held against the lab's state: something false is said of %u\n", n_seeds, wrong);
	assert_int_equal(wrong, 0);
}

static int begin(void **state)
{
	struct span rest = span_of(getenv("NASTY_SEEDS") ? getenv("NASTY_SEEDS") : committed), word;
	uint64_t seed;

	(void)state;
	while (n_seeds < SEEDS_MAX && span_word(&rest, &word) && span_u64(word, &seed))
		seeds[n_seeds++] = (unsigned)seed;
	snprintf(dir, sizeof(dir), "/tmp/fabcon-facts.XXXXXX");
	return n_seeds && mkdtemp(dir) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fact_of_a_fabric_in_skins_is_true),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
