/*
 * Which commands tell what is not known: a question's own words where a person or a job is to be asked, else those of
 * core/remedy for the devices at hand.
 */
#ifndef CORE_DIAGNOSE_VERIFY_H
#define CORE_DIAGNOSE_VERIFY_H

#include "core/diagnose/diagnosis.h"

/*
 * Adds the commands of a question that was asked, at the first place that what it lacks or its evidence names: at a port, and at
 * the far end of its link. Nothing is added where none is known for these systems.
 */
void verify_question(const struct diagnosis *d, const struct asking *a, struct buf *out);

/* Those of a check at a place; where it has none, those of the question that asks it. */
void verify_check(const struct diagnosis *d, const struct check *check, const struct device *device, const struct port *port,
		  struct buf *out);

#endif
