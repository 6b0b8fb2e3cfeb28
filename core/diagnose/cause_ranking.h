/* The ledger of a diagnosis: finds the suspects, weighs what speaks for and against each, and puts them in order. */
#ifndef CORE_DIAGNOSE_CAUSE_RANKING_H
#define CORE_DIAGNOSE_CAUSE_RANKING_H

#include "core/diagnose/diagnosis.h"

/* Fills d->suspects from what d is of, and its pause graph. */
void cause_ranking_find(struct diagnosis *d);
void cause_ranking_done(struct diagnosis *d);

#endif
