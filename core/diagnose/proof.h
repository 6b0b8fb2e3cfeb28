/*
 * The proof of one cable: how a packet is treated from the application at one end to the queue at the other, a step each,
 * in both directions, and how the CNPs come back. What a step says follows from facts of the ends and from the step
 * before. The first that is false is where the cable fails; those after it say what would be, were it right.
 *
 *	struct proof proof = { 0 };
 *	proof_make(&proof, &(struct proof_of){ model, links, policy, inventory }, link);
 *	… proof.paths[i], proof.steps[proof.paths[i].first + k] …
 *	proof_done(&proof);
 */
#ifndef CORE_DIAGNOSE_PROOF_H
#define CORE_DIAGNOSE_PROOF_H

#include "core/judge/check.h"
#include "core/judge/judge_context.h"

struct proof_of {
	const struct model *model;
	const struct links *links;
	const struct policy *policy;
	const struct inventory *inventory;
};

/* How far a step may be relied on. */
enum proof_given {
	PROOF_STANDS,		/* every step before it is true */
	PROOF_IF,		/* some before it are not known */
	PROOF_WOULD_BE,		/* one before it is false */
};

struct proof_step {
	const char *name, *rule, *settle;	/* settle: what tells where not reported; NULL: what said it of others */
	bool is_shown;				/* in a line of steps also when it is true */
	enum field field;			/* that it turns on, */
	unsigned index;				/* at this index */
	const struct port *at;			/* NULL: an end that is not known */
	enum verdict verdict;			/* OK, FAIL, UNKNOWN; NA: nothing to be proven here */
	enum proof_given given;
	bool is_first_false;
	char in[32], out[32];			/* "DSCP 26", "priority 3"; empty: it maps nothing */
	char brief[24];				/* in a line of steps: "prio 3" */
	char what[192];				/* what was found */
	char missing[96];			/* when unknown */
	struct evidence evidence[EVIDENCE_MAX];
	size_t n_evidence;
};

enum proof_path_is { PROOF_DATA_OUT, PROOF_DATA_IN, PROOF_CNP_OUT, PROOF_CNP_IN, PROOF_PATHS };

struct proof_path {
	const char *title;			/* "data" or "CNPs" */
	const struct port *from, *to;		/* NULL: the end that is not known */
	size_t first, n;			/* of proof.steps */
	size_t first_false;			/* place in proof.steps, or NO_STEP */
	enum verdict verdict;			/* OK: proven; FAIL: a step is false; UNKNOWN: none is, but not all are known */
	unsigned n_unknown;
};

#define NO_STEP SIZE_MAX

struct proof {
	const struct link *link;
	struct proof_step *steps;
	size_t n_steps, cap_steps;
	struct proof_path paths[PROOF_PATHS];
	enum verdict verdict;			/* of all paths; NA: see why */
	const char *why;			/* nothing is to be proven: why; else NULL */
	struct judge_context context;
};

/* Works it out anew; *p is zeroed before first use. Everything in it is lent by model and link. */
void proof_make(struct proof *p, const struct proof_of *of, const struct link *link);
void proof_done(struct proof *p);

/* "app 106 > dscp 26 > prio 3 > TC 3 == prio 3 > q3 > no-drop": one line, what is false or not known marked. */
void proof_line(const struct proof *p, const struct proof_path *path, struct buf *out);
/* "node1:eth2 to leaf1:ethernet1/1/1" */
void proof_ends(const struct proof_path *path, struct buf *out);

const char *proof_given_name(enum proof_given given);	/* stands, if, would-be */

#endif
