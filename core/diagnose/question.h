/*
 * Questions of a decision tree, as rows: they answer themselves from findings, facts and the pause graph, with evidence; a
 * person may answer instead. What is not known is an answer of its own, with a branch of its own.
 */
#ifndef CORE_DIAGNOSE_QUESTION_H
#define CORE_DIAGNOSE_QUESTION_H

#include "core/judge/check.h"

struct diagnosis;
struct asking;

/*
 * Not applicable: there is nothing here that the question is about, which proves nothing; it goes on as where all is right.
 * Unreported: nothing that was read tells of it, and nothing failed to; it goes on as where it is not known, and settles nothing.
 */
enum tree_answer { ANSWER_UNKNOWN, ANSWER_NO, ANSWER_YES, ANSWER_NA, ANSWER_UNREPORTED };

struct tree_question {
	const char *id, *text;
	const char *needs;		/* the evidence, in words */
	/* Answered by what checks found: "found" where one has a finding, the other where all are judged right; */
	const char *checks;
	enum tree_answer found;
	enum verdict least;		/* from this on a finding counts; 0: as the diagnosis has it */
	bool of_network;		/* though it asks no check: it is about the network, not about a host or its job */
	bool look_is_open;		/* a lesser finding leaves it unknown: what the check looks at is not all there is */
	/* or by this; where both are, a finding counts for more. */
	void (*ask)(struct asking *a);
	const char *yes, *no, *unknown;	/* the next question or leaf */
	const char *yes_word, *no_word;	/* "NET/Socket"; NULL: yes, no */
	const char *wrong_if;		/* what would prove the answer wrong */
	const char *settle;		/* what settles an unknown, where a job or a person is asked; NULL: see core/remedy/remedies.c */
	const char *source;		/* where the question comes from: of sources.h */
};

/* Where a tree ends. */
struct leaf {
	const char *id, *text;
	const char *causes;		/* known causes that end here; NULL: none */
	const char *source;
};

/* A symptom in a word, and the answers that it gives ("Q1=yes"): of what is felt, and of what it makes likely. */
struct symptom {
	const char *word, *text;
	const char *felt;		/* counts for more than the evidence, as every answer of a person */
	const char *answers;		/* heard where there is no evidence; or NULL */
};

struct decision_tree {
	const char *name, *title, *start;
	const struct tree_question *questions;
	size_t n_questions;
	const struct leaf *leaves;
	size_t n_leaves;
	const struct symptom *symptoms;
	size_t n_symptoms;
};
extern const struct decision_tree decision_trees[];
extern const size_t decision_tree_count;

/* NULL: there is none of that name; NULL as name: the usual one. */
const struct decision_tree *decision_tree_find(const char *name);
const struct tree_question *question_find(const struct decision_tree *t, const char *id);
const struct leaf *leaf_find(const struct decision_tree *t, const char *id);
const struct symptom *symptom_find(const struct decision_tree *t, const char *word);

/* Neither known nor settled: unknown, or unreported. */
bool answer_is_open(enum tree_answer a);

/* A question being asked. */
struct asking {
	const struct diagnosis *d;
	const struct tree_question *question;

	enum tree_answer answer;
	char what[192];			/* why, with the values */
	char missing[160];		/* when unknown or unreported: what lacks */
	const struct finding *finding;	/* that answers it; or NULL */
	unsigned others;		/* findings that answer it so, besides */
	const struct device *lacking;	/* when unknown: whose fact lacks; NULL: not told */
	const struct port *lacking_at;	/* and of which of its ports; or NULL */
	bool follows;			/* the finding follows from what another question asks: the way goes on as where all is right */
	struct evidence evidence[EVIDENCE_MAX];
	size_t n_evidence;
};

/* Asks it; the answer is in a. */
void question_ask(struct asking *a, const struct diagnosis *d, const struct tree_question *q);

/* For rows: what is asked of facts, not of checks (core/diagnose/tree_answers.c). */
void answer_always(struct asking *a);
void answer_net_is_socket(struct asking *a);
void answer_net_is_mixed(struct asking *a);
void answer_has_rdma(struct asking *a);
void answer_nccl_is_set(struct asking *a);
void answer_is_slow(struct asking *a);
void answer_trusts_dscp(struct asking *a);
void answer_has_gpudirect(struct asking *a);
void answer_has_retries(struct asking *a);
void answer_has_access_errors(struct asking *a);
void answer_has_length_errors(struct asking *a);
void answer_pcie_is_full(struct asking *a);
void answer_vf_is_set(struct asking *a);
void answer_is_deadlocked(struct asking *a);
void answer_hosts_are_read(struct asking *a);
void answer_is_read_whole(struct asking *a);
void answer_has_incast(struct asking *a);
void answer_memory_keeps_up(struct asking *a);
void answer_bytes_are_in_class(struct asking *a);
void answer_uplinks_are_even(struct asking *a);
void answer_fell_back(struct asking *a);
void answer_all_is_known(struct asking *a);
void answer_nothing_is_wrong(struct asking *a);
void answer_nothing_else(struct asking *a);

#endif
