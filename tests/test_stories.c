/*
 * Whole stories over real SSH: a lab with one fault, read and judged by the program as a person runs it. The fault must
 * be named at its place, and nothing else that is not its consequence. STORY_OS=os10 or sonic; else a mix of both.
 */
#include <stdlib.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/lib/lab.h"
#include "tests/lib/say.h"

static const struct story {
	const char *fault, *check;
	const char *where;		/* what the finding's place holds */
} stories[] = {
	{ "trust-pcp",		"trust-as-wanted",	"node" },
	{ "pfc-off-host",	"pfc-on-where-wanted",	"node" },
	{ "pfc-off-switch",	"pfc-on-where-wanted",	"leaf" },
	{ "pfc-extra-prio",	"pfc-only-where-wanted", "" },
	{ "ecn-off-switch",	"ecn-on",		"leaf" },
	{ "np-off",		"np-on",		"node" },
	{ "rp-off",		"rp-on",		"node" },
	{ "kmin-over-xoff",	"ecn-before-pfc",	"leaf" },
	{ "dscp-map-lossy",	"dscp-map-as-wanted",	"" },
	{ "cnp-dscp-wrong",	"cnp-marked-as-wanted",	"node" },
	{ "ets-starved-cnp",	"ets-cnp-served",	"node" },
	{ "mtu-small-switch",	"mtu-fits",		"leaf" },
	{ "miswire",		"cabled-as-planned",	"node" },
	{ "slow-receiver",	"slow-receiver",	"node" },
	{ "pause-storm",	"pause-storm",		"node" },
	{ "bad-cable",		"wire-clean",		"node" },
	{ "tos-104",		"tos-ecn",		"node" },
	{ "global-pause",	"pause-frames-off",	"node" },
	{ "bond-member-unset",	"bond-members-alike",	"node" },
	{ "host-unreachable",	"device-reached",	"node" },
	{ "slow-host",		"answers-in-time",	"node" },
	{ "garbage-output",	"answers-understood",	"node" },
};

static const char *story_os(void)
{
	const char *os = getenv("STORY_OS");

	return os ? os : "mixed";
}

static bool start(struct lab *lab, const char *seed, const char *fault)
{
	if (fault)
		return LAB(lab, "--nodes", "4", "--rails", "2", "--leaves", "2", "--spines", "1", "--switch-os", story_os(),
			   "--seed", seed, "--fault", fault);
	return LAB(lab, "--nodes", "4", "--rails", "2", "--leaves", "2", "--spines", "1", "--switch-os", story_os(),
		   "--seed", seed);
}

static json_t *rows_of(const struct run *r, json_t **doc)
{
	json_error_t error;

	*doc = json_loads(r->out.text, 0, &error);
	if (!*doc)
		fail_msg("exit %d, not JSON: %s %s", r->code, r->out.text, r->err.text);
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

static bool is_it(json_t *row, const struct story *story)
{
	return strcmp(text_of(row, "check"), story->check) == 0 && strstr(text_of(row, "where"), story->where);
}

/* Names what was found wrongly; returns how many complaints. */
static unsigned judge_story(const struct story *story, json_t *rows)
{
	unsigned complaints = 0;
	bool found = false;
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		bool is_root = !json_is_string(json_object_get(row, "because_of"));

		if (is_it(row, story)) {
			found = true;
		} else if (is_problem(row) && is_root) {
			print_error("%s: also found, and not as a consequence: %s at %s: %s\n", story->fault,
				    text_of(row, "check"), text_of(row, "where"), text_of(row, "what"));
			complaints++;
		}
	}
	if (!found)
		print_error("%s: %s was not found\n", story->fault, story->check);
	return complaints + !found;
}

static unsigned tell(const struct story *story)
{
	struct lab lab;
	struct run r;
	json_t *doc;
	unsigned complaints;

	if (!start(&lab, "1", story->fault))
		fail_msg("%s: the lab did not start", story->fault);
	r = LAB_FABCON(&lab, "-o", "json", "check");
	complaints = judge_story(story, rows_of(&r, &doc));
	json_decref(doc);
	run_done(&r);
	lab_stop(&lab);
	return complaints;
}

static void every_fault_is_named_at_its_place_and_nothing_else(void **state)
{
	const char *only = getenv("STORY");
	unsigned complaints = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(stories) / sizeof(*stories); i++)
		if (!only || strcmp(only, stories[i].fault) == 0)
			complaints += tell(&stories[i]);
	if (complaints)
		fail_msg("%u complaints", complaints);
}

static void a_healthy_fabric_has_no_findings(void **state)
{
	unsigned seeds = getenv("STORY_SEEDS") ? (unsigned)atoi(getenv("STORY_SEEDS")) : 2;
	static const struct story none = { "healthy", "", "" };
	unsigned complaints = 0;

	(void)state;
	for (unsigned seed = 1; seed <= seeds; seed++) {
		char text[16];
		struct lab lab;
		struct run r;
		json_t *doc, *row;
		size_t i;

		snprintf(text, sizeof(text), "%u", seed);
		assert_true(start(&lab, text, NULL));
		r = LAB_FABCON(&lab, "-o", "json", "check", "--fail-on", "warn");
		json_array_foreach(rows_of(&r, &doc), i, row)
			if (is_problem(row) && ++complaints)
				print_error("%s, seed %u: %s at %s: %s\n", none.fault, seed, text_of(row, "check"),
					    text_of(row, "where"), text_of(row, "what"));
		if (r.code != 0)
			print_error("seed %u: exit %d %s\n", seed, r.code, r.err.text);
		complaints += r.code != 0;
		json_decref(doc);
		run_done(&r);
		lab_stop(&lab);
	}
	if (complaints)
		fail_msg("%u complaints", complaints);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_healthy_fabric_has_no_findings),
		cmocka_unit_test(every_fault_is_named_at_its_place_and_nothing_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
