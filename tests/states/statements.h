/*
 * What must be true of each random fabric. Each compares its surface with the findings of the state, notes with tally_broken()
 * what contradicts them, and adds to *n how often it compared.
 */
#ifndef TESTS_STATES_STATEMENTS_H
#define TESTS_STATES_STATEMENTS_H

#include "core/diagnose/acquittal.h"
#include "tests/states/judged_state.h"
#include "tests/states/tally.h"

void tree_asks_all(struct judged_state *j, size_t *n);
void tree_stands_on_findings(struct judged_state *j, size_t *n);
void tree_ends_honestly(struct judged_state *j, size_t *n);
void tree_readers_have_read(struct judged_state *j, size_t *n);
void causes_stand_on_findings(struct judged_state *j, size_t *n);
void causes_are_named(struct judged_state *j, size_t *n);
void proof_agrees(struct judged_state *j, size_t *n);
void pauses_agree_on_shares(struct judged_state *j, size_t *n);
void pauses_agree_on_storms(struct judged_state *j, size_t *n);
void surfaces_port_rows_agree(struct judged_state *j, size_t *n);
void surfaces_map_agrees(struct judged_state *j, size_t *n);
void surfaces_report_agrees(struct judged_state *j, size_t *n);
void surfaces_gates_agree(struct judged_state *j, size_t *n);

void acquittals_are_proven(struct judged_state *j, size_t *n);

/* Takes some cells away from the state, one after the other: no verdict may improve (monotone.c). */
void monotone_compare(struct judged_state *j);

/* Whether the network is acquitted, and which checks stand in the way; NULL among them: something else does. */
#define ACQUITTED_MOST	256
struct acquitted {
	enum acquittal_is is;
	const struct check *checks[ACQUITTED_MOST];
	size_t n;
	const struct check *limits[ACQUITTED_MOST];	/* named as not reported */
	size_t n_limits;
	bool by_counters;	/* a counter of loss is among them */
};
void acquittal_of(const struct judged_state *j, struct acquitted *a);
/* Nothing is acquitted by a cell that is taken away (acquittal.c). */
void acquittal_compare(const struct judged_state *j, const struct acquitted *before, const struct acquitted *after,
		       const struct evidence *cell, enum taken how);

#endif
