/*
 * The filter language, the same in every list and after --filter:
 *
 *	leaf2 !node07 "on = off"	rows that hold "leaf2" and that blank-separated text, and do not hold "node07", any case
 *	trust:pcp state:? what:"not known"	a field holds that text; ? alone: it is not known
 *	mtu=9000 paused>10% age>=5m	a number is equal, more or less: k M G T for 10^3 10^6 10^9 10^12, %, us ms s m h d;
 *					what is not known is none of these
 *	is:bad is:unknown is:marked	what is so of the row
 *	~^node1[02]			an extended regular expression, without back-references
 *
 * All terms must hold.
 */
#ifndef TUI_TEXT_FILTER_H
#define TUI_TEXT_FILTER_H

#include "core/base/err.h"
#include "core/base/mem.h"

struct filter;

/* What a filter may ask of a row. */
struct filter_row {
	const void *row;
	const void *ctx;
	/* The whole row as text. */
	void (*text)(const void *ctx, const void *row, struct buf *out);
	/*
	 * One field; false when the row has none of that name. is_number: *number is known. "is:bad" is such a name, too; it
	 * is so when its number is known and not 0.
	 */
	bool (*field)(const void *ctx, const void *row, struct span name, struct buf *text, bool *is_number, double *number);
};

/*
 * names: the fields there are, and what can be asked by is: ("is:bad"), NULL at the end. A term with another name before
 * ":" or "=" is taken as a word ("node1:eth2"), before ">" or "<" it is an error that lists them. err names the term.
 */
struct filter *filter_new(const char *text, const char *const *names, struct err *err);
void filter_free(struct filter *f);
/* NULL lets everything through. */
bool filter_match(const struct filter *f, const struct filter_row *row);
/* As it was written. */
const char *filter_text(const struct filter *f);
/* The words that its rows hold, to be shown in them, by index; NULL at the end. */
const char *filter_word(const struct filter *f, size_t i);

/*
 * The text with the name that it ends in completed as far as all names that begin so agree; false when none does.
 * others: gets them, blank-separated, when there are several.
 */
bool filter_complete(const char *text, const char *const *names, struct buf *out, struct buf *others);

#endif
