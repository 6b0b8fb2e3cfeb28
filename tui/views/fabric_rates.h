/* How the whole fabric goes: rates summed over all ports, with the history that is kept of them. */
#ifndef TUI_VIEWS_FABRIC_RATES_H
#define TUI_VIEWS_FABRIC_RATES_H

#include "core/model/model.h"

#define FABRIC_RATES 5
#define RATE_HISTORY HISTORY_LEN

struct rate_row {
	const char *title;
	enum field field;
	bool of_priority;	/* of the lossless priority alone */
};
extern const struct rate_row rate_table[FABRIC_RATES];

struct fabric_rates {
	double now[FABRIC_RATES];
	bool known[FABRIC_RATES];
	float history[FABRIC_RATES][RATE_HISTORY];	/* oldest first; NAN: nothing is known of then */
	int64_t step_us;				/* from one to the next: a second, more where polls are rarer */
	uint64_t serial;
};

void rates_update(struct fabric_rates *r, const struct model *m, unsigned priority);

#endif
