/*
 * A small healthy fabric of written facts, for tests that need one: node1 eth2 at leaf1 ethernet1/1/1 (OS10) and node1
 * eth3 at leaf2 Ethernet4 (SONiC), as the shipped lossless policy wants them, with busy counters. Change a fact, let
 * time pass, look at what was found.
 */
#ifndef TESTS_LIB_WORLD_H
#define TESTS_LIB_WORLD_H

#include "core/judge/check.h"
#include "tests/lib/say.h"

struct world_fact {
	char what[96];		/* "node1 eth2 pfc.on[3]" */
	char value[96];		/* written; of counters: empty */
	uint64_t count;		/* of counters */
	double per_s;		/* and how fast they grow */
	bool is_counter, is_gone;
};

struct world {
	struct model *model;
	struct links links;
	struct policy *policy;
	struct inventory inventory;
	struct findings *findings;
	struct world_fact *facts;
	size_t n_facts, cap_facts;
	int64_t now_us;
};

void world_init(struct world *w);
void world_done(struct world *w);

/* One more healthy link, of a host's ethN; host ("node7") and switch (OS10) are added when they are new. */
void world_link(struct world *w, const char *host, unsigned nic, const char *leaf, const char *port);
/*
 * "node1 eth2 trust = pcp"; new facts are added. Of counters, the value is what is counted per second; of pause frames,
 * the other end of the cable counts the same, if it counts them at all.
 */
void world_set(struct world *w, const char *fact);
/* Facts, a line each; "- node1 eth2 trust": it is dropped. */
void world_set_lines(struct world *w, const char *facts);
/* The fact of that name, or NULL. */
struct world_fact *world_fact(struct world *w, const char *what);
/* "node1 eth2 trust": not reported any more. */
void world_drop(struct world *w, const char *what);
/* Everything is said again each second; then links are joined and findings judged. */
void world_run(struct world *w, unsigned seconds);

/* The open finding of a check at a place that contains where ("node1:eth2"), or NULL. */
const struct finding *world_finding(const struct world *w, const char *check, const char *where);
/* Fails the test with all that is open. */
void world_fail(const struct world *w, const char *message);

#endif
