/*
 * How often a question comes round, as it was measured. A switch may need longer for a round than its period, and an
 * observation that told the period wished for would be called stale before the next one can be there.
 */
#ifndef REMOTE_POLL_MEASURED_PERIOD_H
#define REMOTE_POLL_MEASURED_PERIOD_H

#include <stdint.h>

struct measured_period {
	int64_t worst_us;	/* of late: forgotten little by little */
};

/* It took so long to come round. */
void measured_note(struct measured_period *p, int64_t took_us);

/* What to tell: the period wished for where it is met, else the least power of two of it that is. */
int64_t measured_period_us(const struct measured_period *p, int64_t wished_us);

#endif
