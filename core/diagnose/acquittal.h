/*
 * Whether the network is the cause: a cause is named; or the network is acquitted; or that is not known, and what lacks. One
 * verdict for diagnose, report and the Diagnose screen. The network is acquitted only where every link asked about was read at
 * both ends, every setting and counter that would show a network cause was judged and is right, nothing that concerns the network
 * is open, and nothing was lost, damaged or paused for a stated time. What nobody knows acquits nothing;
 * what no system reports is named in its words, as its limit.
 *
 *	struct acquittal a = { 0 };
 *	acquittal_make(&a, &diagnosis);
 *	… a.is, a.lacks, acquittal_words() …
 *	acquittal_done(&a);
 */
#ifndef CORE_DIAGNOSE_ACQUITTAL_H
#define CORE_DIAGNOSE_ACQUITTAL_H

#include "core/diagnose/diagnosis.h"

enum acquittal_is { ACQUITTAL_NOT_KNOWN, ACQUITTAL_CAUSE, ACQUITTAL_NETWORK };

#define ACQUITTAL_MOST_US	(60 * SECOND)	/* counters are looked back on for so long, */
#define ACQUITTAL_LEAST_US	(10 * SECOND)	/* and for less they tell nothing */

/* One thing that lacks, wherever it does. */
struct lacking {
	const char *key;		/* what it is of: rows of one key are one row */
	char where[160], what[192];	/* the first place, and what lacks there */
	size_t places;
	char settle[400];		/* what reads it */
};

struct acquittal {
	enum acquittal_is is;
	size_t links, hosts, switches;	/* that were looked at */
	size_t checks, right;		/* checks, and places at which one of them is right */
	size_t counters;		/* of loss, damage and retransmission, that stood still */
	int64_t window_us;		/* for so long, at most ACQUITTAL_MOST_US */
	int64_t settings_us;		/* age of the oldest setting */
	double paused;			/* the largest part of the time that a port was paused */
	const struct finding *open;	/* of the network, the worst; NULL: none */
	size_t n_open;			/* none is acquitted while there is one; */
	size_t n_network;		/* of these, those that are not at a host alone */
	const struct finding *at_host;	/* the worst of those that are of a host or its job alone; NULL: none */
	size_t n_at_host;
	const struct suspect *first;	/* the cause to begin with; NULL: none is named */
	struct lacking *lacks;		/* owned */
	size_t n_lacks, cap_lacks;
	const struct check **unreported;	/* owned: not needed, and reported by no device that it could be asked of */
	size_t n_unreported, cap_unreported;
};

/* Of a diagnosis, which it lends from; *a is zeroed before first use. */
void acquittal_make(struct acquittal *a, const struct diagnosis *d);
void acquittal_done(struct acquittal *a);

/* "cause", "not-the-network", "not-known" */
const char *acquittal_name(enum acquittal_is is);
/* The verdict in a sentence or two, as every surface says it. */
void acquittal_words(const struct acquittal *a, struct buf *out);

/* A finding of this check is of a host or its job, whatever it is: the network may be right beside it. */
bool acquittal_is_of_host(const struct check *check);
/* Without an answer of this check the network is not acquitted. */
bool acquittal_needs(const struct check *check);
/* A question of the tree that concerns the network: while it is unknown the network is not acquitted; unreported, it is a limit. */
bool acquittal_asks(const struct tree_question *question);

#endif
