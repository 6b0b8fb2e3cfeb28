/*
 * Which commands tell what is not known: a question's own words where a person or a job is to be asked, else those of
 * core/remedy for the devices at hand.
 */
#ifndef CORE_DIAGNOSE_VERIFY_H
#define CORE_DIAGNOSE_VERIFY_H

#include "core/diagnose/diagnosis.h"

/*
 * Adds the commands for the id of a check or question, at a port and at the far end of its link, or at a device.
 * Nothing is added where none is known for these systems.
 */
void verify_at(const struct diagnosis *d, const char *id, const struct device *device, const struct port *port, struct buf *out);

/* Those of a question that was asked, at the first place that its evidence or what it lacks names. */
void verify_question(const struct diagnosis *d, const struct asking *a, struct buf *out);

/* Those of a check at a place; where it has none, those of the question that asks it. */
void verify_check(const struct diagnosis *d, const struct check *check, const struct device *device, const struct port *port,
		  struct buf *out);

#endif
