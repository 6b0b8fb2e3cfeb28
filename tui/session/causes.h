/* Why devices could not be read, by cause: sixty that do not answer are one line, and the one beside them is seen. */
#ifndef TUI_SESSION_CAUSES_H
#define TUI_SESSION_CAUSES_H

#include "core/model/model.h"

struct cause {
	const char *words;	/* "host key changed" */
	const char *step, *text;	/* in the error that a device's reaching ended with: before ": ", and anywhere */
	const char *to_do;
};
extern const struct cause cause_table[];
extern const size_t cause_count;

/* Of an error as a device has it ("node1: connect: …"); the last row of the table when no other says it. */
const struct cause *cause_of(const char *device, const char *error);

/* An error as a device has it, without the device's own name before it. */
const char *cause_without_name(const char *device, const char *error);

/* One cause with the devices it is true of. */
struct cause_group {
	const struct cause *cause;
	size_t n;
	char devices[160];	/* folded: "node[01-12]"; ends in … when there are more */
	const char *error;	/* of the first, without its name; lent by the model; NULL: it printed nothing */
};
#define CAUSES_MAX 16

/* Those that were never heard, or all that do not answer now; the largest first. Returns how many causes there are. */
size_t causes_of(const struct model *m, bool never_heard, struct cause_group groups[CAUSES_MAX]);
/* "12 timeout: node[01-12]; 1 host key changed: node31". */
void causes_text(const struct cause_group *groups, size_t n, struct buf *out);

#endif
