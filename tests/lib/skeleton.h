/*
 * For tests: a tool's text reduced to the kinds of its lines, in the order of their first appearance. Numbers, addresses and
 * names become their kind; headings, units, punctuation and indentation stay. What becomes what is said by rules.
 *
 *	"    RX:  bytes packets"	"    RX: bytes packets"
 *	"     rx_prio3_pause: 71"	"     rx_prioN_pause: N"
 *
 * A table, columns of which are told by a line of dashes, is its heading, "IFACE | STATE | RX_BPS", and the kinds of cells of
 * each column: "|RX_BPS: N B/s", and to which side they are set: "|RX_BPS >". JSON is its paths: "[].mtu: N". The last kinds
 * are "(CRLF)" and "(LF)", as lines end.
 */
#ifndef TESTS_LIB_SKELETON_H
#define TESTS_LIB_SKELETON_H

#include <regex.h>

#include "core/base/mem.h"
#include "core/base/span.h"
#include "tests/lib/headings.h"
#include "tests/lib/repeats.h"

struct skeleton_rule {
	regex_t pattern;
	char *kind;		/* owned */
};

/* A kind's place is its place in repeats too. A block begins where the first kind of the text comes again. */
struct skeleton {
	char **kinds;		/* owned */
	struct repeats *repeats;	/* owned */
	struct headings headings;	/* of tables without dashes */
	size_t n, cap, cap_repeats;
	size_t n_blocks, first;		/* first: of the text, SIZE_MAX before it */
};

/*
 * Compiles; false when the pattern is wrong. In kind, "\1" is what the first group holds, and "\n" begins another line. What a
 * rule replaces by "N" alone is a number of the line.
 */
bool skeleton_rule_init(struct skeleton_rule *r, const char *pattern, const char *kind);
void skeleton_rule_done(struct skeleton_rule *r);
/* The text with what the rule says in the place of what it finds; the caller frees it. */
char *skeleton_replace(const char *text, const struct skeleton_rule *r);

/* rules: in their order, each to the whole line, until NULL. */
struct skeleton skeleton_of(struct span text, const struct skeleton_rule *const *rules);
/* Adds what skeleton_of would have for it. */
void skeleton_add(struct skeleton *s, struct span text, const struct skeleton_rule *const *rules);
bool skeleton_has(const struct skeleton *s, const char *kind);
/* How often it comes, lent; NULL: not at all. */
const struct repeats *skeleton_repeats(const struct skeleton *s, const char *kind);
bool skeleton_lacks(const struct skeleton *s, const char *kind);
/*
 * Which of the kinds that both have stand in another order: the fewest that would have to move. moved has room for all of a;
 * they are lent by it. "(blank)" and the like, and cells, stand anywhere.
 */
size_t skeleton_moved(const struct skeleton *a, const struct skeleton *b, const char **moved);
void skeleton_done(struct skeleton *s);

#endif
