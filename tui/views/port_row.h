/*
 * One link as a row of the Ports table: what each end says of every matter that must agree, whether that is judged a
 * problem, and how it goes now. The Ports screen and `fabcon ports` show the same rows.
 */
#ifndef TUI_VIEWS_PORT_ROW_H
#define TUI_VIEWS_PORT_ROW_H

#include "core/judge/check.h"

/* id, JSON name, column title, main fields of the checks that judge it */
#define PAIRS(X) \
X(SPEED,	"speed",	"SPEED",	"speed") \
X(MTU,		"mtu",		"MTU",		"mtu") \
X(TRUST,	"trust",	"TRUST",	"trust") \
X(PFC,		"pfc",		"PFC",		"pfc.on") \
X(DSCP,		"dscp_prio",	"DSCP>PRIO",	"dscp.prio") \
X(ECN,		"ecn",		"ECN",		"ecn.on ecn.np ecn.rp ecn.kmin") \
X(CNP,		"cnp",		"CNP",		"cnp.dscp")

enum pair {
#define X(id, ...) PAIR_##id,
	PAIRS(X)
#undef X
	PAIR_COUNT,
};

struct pair_info {
	const char *name, *title, *fields;
};
extern const struct pair_info pair_table[PAIR_COUNT];

struct pair_cell {
	char a[24], b[24];		/* what the ends say; "?" when not known, "-" when it does not apply */
	enum verdict worst;		/* of the checks on it; VERDICT_UNKNOWN when an end is not known */
	bool is_changed;		/* moved lately; said by whoever has seen it before */
};

struct portrow {
	const struct link *link;
	enum verdict worst;		/* over every check on the link; not known when nothing is said of it, or its far end is not */
	int64_t age_us;			/* of the oldest reply behind the row; -1: none */
	bool paused_known;
	double paused_share;		/* of the time, the more stopped of the two ends; lossless priority */
	int64_t paused_window_us;	/* of that time; 0: not known */
	const struct port *paused;	/* that end; NULL: one that was not read */
	const struct port *paused_by;	/* whose counter says so, or NULL; */
	enum field paused_field;	/* and which */
	bool is_whole;			/* what follows was worked out */
	struct pair_cell pairs[PAIR_COUNT];
	/* NAN when not known, as is a sum of which a part is not known. */
	double pfc_per_s;		/* PFC frames both ends received; what one end does not tell, the other sent */
	double pfc_a_per_s, pfc_b_per_s;	/* of them, those of each end */
	double cnp_per_s;		/* CNPs that the link's host (a) sent */
	double tx_bps;			/* what a sends */
};

/* What orders the rows and colours a map: cheap, for every link there is. portrow_make() makes the whole row. */
void portrow_begin(struct portrow *row, const struct model *m, const struct findings *f, const struct policy *policy,
		   const struct link *link);

void portrow_make(struct portrow *row, const struct model *m, const struct findings *f, const struct policy *policy,
		  const struct link *link, bool a_is_switch, bool b_is_switch);

/* What an end is wanted to say, in the words of its pair_cell; "-" when the policy wants nothing there. */
void pair_wanted(enum pair pair, const struct policy *policy, const struct policy_target *t, char *out, size_t size);
struct pair_place {
	enum field field;
	unsigned index;
};
/* Where the fact stands that an end's words stand on, first of all; false when such an end says nothing of the pair. */
bool pair_place(enum pair pair, bool is_switch, const struct policy *policy, struct pair_place *place);
/* That fact; NULL when nobody said it. */
const struct cell *pair_fact(enum pair pair, const struct port *p, bool is_switch, const struct policy *policy);
/* Of the checks on a pair, at a port or (b not NULL) a link. */
enum verdict pair_worst(enum pair pair, const struct findings *f, const struct port *a, const struct port *b);
/* The finding is about this link, or a port of it. */
bool portrow_has(const struct link *link, const struct finding *f);
/* The worst open finding at a link, or NULL. */
const struct finding *portrow_finding(const struct findings *f, const struct link *link);
/*
 * Of the pairs that are not alike, the first of the worst: "trust pcp≠dscp", "speed 25G!25G"; else what else is found, or is not known.
 * False when there is none.
 */
bool portrow_differs(const struct portrow *row, const struct findings *f, char *out, size_t size);

/* Between the two ends' values: '=' agree, '!' judged wrong (shown as a not-equal sign), '?' an end is not known. */
char pair_sign(const struct pair_cell *cell);
/* What is written between them: "≠" where they differ, "!" where both are alike and wrong, else "=". */
const char *pair_joint(const struct pair_cell *cell);

/* The lossless priority the rates are of: the lowest the policy wants. */
unsigned portrow_priority(const struct policy *policy);

/* Of the oldest reply that the row stands on, at one end; -1: none. */
int64_t portrow_age_us(const struct model *m, const struct port *p);

#endif
