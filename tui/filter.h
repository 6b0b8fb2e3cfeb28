/*
 * The filter language, the same in every list and after --filter:
 *
 *	leaf2 !node07		rows that hold "leaf2" and do not hold "node07", any case
 *	trust:pcp state:?	a field holds that text; ? alone: it is not known
 *	paused>1 mtu<9000	a number is more or less: k M G for 10^3 10^6 10^9; what is not known is neither
 *	~^node1[02]		an extended regular expression
 *
 * All terms must hold.
 */
#ifndef TUI_FILTER_H
#define TUI_FILTER_H

#include "core/err.h"
#include "core/mem.h"

struct filter;

/* What a filter may ask of a row. */
struct filter_row {
	const void *row;
	const void *ctx;
	/* The whole row as text. */
	void (*text)(const void *ctx, const void *row, struct buf *out);
	/* One field; false when the row has none of that name. is_number: *number is known. */
	bool (*field)(const void *ctx, const void *row, struct span name, struct buf *text, bool *is_number, double *number);
};

/*
 * names: the fields there are, NULL at the end; a term with another name before ":" is taken as a word ("node1:eth2"),
 * before ">" or "<" it is an error that lists them.
 */
struct filter *filter_new(const char *text, const char *const *names, struct err *err);
void filter_free(struct filter *f);
/* NULL lets everything through. */
bool filter_match(const struct filter *f, const struct filter_row *row);
/* As it was written. */
const char *filter_text(const struct filter *f);

#endif
