#include "remote/poll/measured_period.h"

#define FORGOTTEN	64	/* rounds: a configuration round in between, each half minute, is not forgotten */

void measured_note(struct measured_period *p, int64_t took_us)
{
	p->worst_us -= p->worst_us / FORGOTTEN;
	if (took_us > p->worst_us)
		p->worst_us = took_us;
}

/* Coarse, as each other period is a row of the recording; half a period late is within what staleness allows. */
int64_t measured_period_us(const struct measured_period *p, int64_t wished_us)
{
	int64_t period_us = wished_us;

	while (period_us > 0 && period_us < INT64_MAX / 4 && period_us + period_us / 2 < p->worst_us)
		period_us *= 2;
	return period_us;
}
