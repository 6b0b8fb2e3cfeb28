/* The ledger of a diagnosis: finds the suspects, weighs what speaks for and against each, and puts them in order. */
#ifndef CORE_SUSPECT_H
#define CORE_SUSPECT_H

#include "core/diagnosis.h"

/* Fills d->suspects from what d is of, and its pause graph. */
void suspects_find(struct diagnosis *d);
void suspects_done(struct diagnosis *d);

#endif
