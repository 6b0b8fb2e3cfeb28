/* Faults of the lab that are not mended from here: somebody else mends them, and the console says who. */
#ifndef TESTS_TRIALS_LEAVE_H
#define TESTS_TRIALS_LEAVE_H

#include "core/base/mem.h"

struct leavable {
	const char *fault;
	const char *found;		/* the finding that is asked to be planned */
	const char *says;		/* in the refusal: why not, or who does */
	bool by_log;			/* only the log of the job tells of it */
	bool of_fleet;			/* seen among many hosts alone */
};
/* Of each fault of the lab that says to whom it is left. */
const struct leavable *leavables(size_t *n);

/* Asked for a plan, the console refuses, says that, and sends nothing that changes anything. words gets what went wrong. */
bool leave_story(const struct leavable *l, const char *os, struct buf *words);

#endif
