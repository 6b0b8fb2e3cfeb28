/*
 * How a work request ended: the status of a completion, as the verbs library numbers it. NCCL, perftest and the kernel's
 * driver all print it; the meaning and the next step are the same, and are written here once.
 */
#ifndef CORE_ROCE_COMPLETION_H
#define CORE_ROCE_COMPLETION_H

#include "core/base/span.h"

#define COMPLETION_RETRY	12
#define COMPLETION_RNR		13
#define COMPLETION_RESPONSE	20
#define COMPLETION_FLUSH	5
#define COMPLETION_STATUSES	24	/* numbers of this and above are none */

struct completion {
	unsigned status;
	const char *id;			/* of the cause, where it names one: "retry-exceeded" */
	const char *name;		/* "IBV_WC_RETRY_EXC_ERR" */
	const char *what;		/* "the transport's retries were used up" */
	const char *next;		/* what to look at */
	bool is_consequence;		/* of another error: that one is to be looked for */
};

extern const struct completion completion_table[];
extern const size_t completion_count;

/* NULL for a number that is none of an error. */
const struct completion *completion_find(uint64_t status);

#endif
