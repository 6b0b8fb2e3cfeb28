/* A random fabric with its findings, and what the statements ask of both. */
#ifndef TESTS_STATES_JUDGED_STATE_H
#define TESTS_STATES_JUDGED_STATE_H

#include "core/diagnose/diagnosis.h"
#include "core/judge/finding.h"
#include "tests/states/states.h"

struct judged_state {
	struct state s;
	struct findings *fresh;		/* a ledger that begins now */
	struct findings *going;		/* one that was there before anything was taken away */
	const struct finding *const *open;
	size_t n_open;
};

/* Draws the fabric of the seed and judges it with both ledgers; *j need not be initialized. */
void judged_state_init(struct judged_state *j, uint64_t seed);
void judged_state_done(struct judged_state *j);
/* Judges the state as it stands, in a new ledger. */
void judged_state_anew(struct judged_state *j);
/* Judges it in the ledger that goes on. */
void judged_state_go_on(struct judged_state *j);

/* The worst that is unknown or wrong of one check, wherever it is asked. */
enum verdict judged_state_worst(const struct judged_state *j, const struct check *check);
/* What a check said at a port, or of the link that it is on; n/a where the check speaks of more than one priority at once. */
enum verdict judged_state_said_at(const struct judged_state *j, const char *check, const struct port *p);
/* Diagnoses the fabric by the built-in tree; symptom, device: or NULL. diagnosis_done() it. */
void judged_state_diagnose(const struct judged_state *j, struct diagnosis *d, const char *symptom, const struct device *device);

#endif
