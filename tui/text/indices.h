/* The values of a field that has several indices (priorities, DSCPs, queues) as one short text. */
#ifndef TUI_TEXT_INDICES_H
#define TUI_TEXT_INDICES_H

#include "core/model/model.h"
#include "core/policy/policy.h"

struct indices {
	bool any, known[64];
	uint64_t n[64];
};

/* What a port says; of the DSCPs, those the policy speaks of. */
void indices_of_port(struct indices *out, const struct model *m, const struct policy *policy, const struct port *p, enum field f);
/* What the policy wants of it. */
void indices_of_policy(struct indices *out, const struct policy *policy, const struct inventory *inv, const struct port *p,
		       enum field f);
/* "0-2:0 3:3"; of a set, the indices that are on: "3,4", or "-" when none is; of a single value, it alone; "?" unknown. */
void indices_print(struct buf *out, const struct indices *of, enum field f);

#endif
