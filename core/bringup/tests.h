/*
 * The tests of a bring-up: what each left to be judged, and what that says. A test is judged from its evidence alone (its command and
 * what that printed, what was known of both ends, how their counters grew meanwhile), so a recording judges as the day itself did. Pure.
 */
#ifndef CORE_BRINGUP_TESTS_H
#define CORE_BRINGUP_TESTS_H

#include <jansson.h>

#include "core/bringup/schedule.h"
#include "core/bringup/traffic.h"

extern const char *const bringup_kind_words[BRINGUP_KINDS];	/* "loopback", "pairs of one leaf", ... */

struct bringup_place {
	char *host, *nic;
};

struct bringup_evidence {
	enum bringup_kind kind;
	unsigned run;			/* 0: of the first run; a person who tests again begins another */
	struct bringup_place from, to;
	int64_t began_us, ended_us;	/* between the readings of its counters; 0: it was not run */
	enum bringup_tool tool;
	char *command;			/* the sender's; NULL: none was run */
	char *text;			/* what that printed; NULL: nothing */
	int status;			/* its exit status */
	char *why;			/* why it was not run; NULL: it was */
	struct bringup_class class;
	double line_bps, pcie_bps;	/* of the slower end; 0: not known */
	unsigned long mtu;		/* of RDMA, the smaller, bytes; 0: not known */
	bool is_soft;			/* an end of it is a software device: what a busy CPU does is no fault of the link */
	char *rail;			/* whose latencies it is compared with; NULL: not known */
	struct bringup_count hops;	/* switches between its ends */
	unsigned pings;			/* of rping, that were to be answered */
	struct bringup_count cm_tos;	/* the ToS byte of the sender's connection manager, as it was read */
	struct bringup_seen sent, received;
};

struct bringup_result {
	enum bringup_verdict verdict;	/* NOT_RUN: it was not, or what it says is not known */
	bool is_lone;			/* a latency without enough others to compare with: NOT_RUN, and no lack of the link */
	struct measured measured;
	double median_us;		/* that a latency was compared with; 0: with none */
	struct bringup_opinion opinion;
	char words[256];		/* what it says, or why it was not run */
};

struct bringup_test {
	struct bringup_evidence evidence;
	struct bringup_result result;
	size_t from, to;		/* of the list of NICs */
	bool is_repeated;		/* the same was tested again later, and that counts */
};

/* A NIC that was in a test. */
struct bringup_tested {
	struct bringup_place *place;	/* owned */
	enum bringup_end end;			/* by the pairs that it was in */
};

struct bringup_tests {
	struct bringup_test *list;
	size_t n, cap;
	struct bringup_tested *nics;	/* in the order in which they were met */
	size_t n_nics, cap_nics;
};

#define BRINGUP_LATENCIES 5	/* below that many pairs, one slow end could be the median */

/* What they are judged against. */
struct bringup_marks {
	const struct policy *policy;
	const struct inventory *inventory;
};

/* "pass", "fail", "not known"; of a latency without others to compare with "not judged". */
const char *bringup_result_word(const struct bringup_result *r);

/* Takes the evidence; the new test is not judged yet, and is lent until the next is added. */
struct bringup_test *bringup_tests_add(struct bringup_tests *t, struct bringup_evidence *e);
/* By itself: a latency has no verdict yet. */
void bringup_test_judge(struct bringup_test *test, const struct bringup_marks *marks);
/* Each latency against those of the same rail over as many switches; where they are few, it stays not known. */
void bringup_tests_compare(struct bringup_tests *t, const struct bringup_marks *marks);
/*
 * All of them, and the end of each NIC. Of the same test (kind, tool, sender and receiver) each of a run counts, so that what fails one
 * time of two fails; where a later run has a verdict, the earlier runs are past, and its words say how often they failed.
 */
void bringup_tests_judge(struct bringup_tests *t, const struct bringup_marks *marks);
void bringup_tests_done(struct bringup_tests *t);
void bringup_evidence_done(struct bringup_evidence *e);

/* Why a tool has no result, in a sentence; of one that is not installed, with its package. */
void bringup_fault_words(enum bringup_tool tool, const struct measured *m, char *out, size_t size);

/* Those that count: none that was tested again later. */
struct bringup_tally {
	size_t passed, failed, unknown;
	size_t lone;			/* latencies that were measured and not judged; in none of the others */
};
struct bringup_tally bringup_tests_count(const struct bringup_tests *t);
/* "0 failed, 0 not known, 17 passed, 3 latencies measured and not judged" */
void bringup_tally_words(const struct bringup_tally *n, struct buf *out);

/* What was tested across leaves, which is said of no NIC. */
struct bringup_across {
	size_t directions, proven;	/* of links between switches; what carried tests and dropped nothing */
	size_t failed, unknown;		/* tests, of pairs and of links */
	const struct bringup_test *first;	/* that failed; NULL: none did */
};
struct bringup_across bringup_tests_across(const struct bringup_tests *t);

bool bringup_place_is(const struct bringup_place *p, const char *host, const char *nic);

/* n_nics: it was in none. */
size_t bringup_tests_find(const struct bringup_tests *t, const char *host, const char *nic);
/* What all tests of a NIC say together, all judged. */
struct bringup_tested_says {
	const char *state;		/* "pass", "fail", "suspect", "not known"; NULL: it was in no test */
	const struct bringup_test *worst;	/* of an end that is good: but those that failed by their partner; NULL: none says it */
	const char *words;
	const char *remedy;	/* of what failed; NULL: nothing did */
};

/*
 * What was tested across leaves is not said of a NIC. suspect: it failed with one partner, and which of the two is bad is not proven. A
 * NIC whose rate no pair has measured has not passed: its loopback says nothing of the link, and a few pings little.
 */
void bringup_tests_say(const struct bringup_tests *t, const char *host, const char *nic, struct bringup_tested_says *out);

/* One row of a recording. Reading takes any JSON: false where it is none of ours, and *e is as it was. */
json_t *bringup_evidence_json(const struct bringup_evidence *e);
bool bringup_evidence_read(const json_t *json, struct bringup_evidence *e);

#endif
