/*
 * Checks: rows of knowledge, judged over the model. Each verdict is yes (as it should be), no, or unknown together with
 * the fact it lacks; and carries its evidence.
 */
#ifndef CORE_JUDGE_CHECK_H
#define CORE_JUDGE_CHECK_H

#include "core/fabric/link.h"
#include "core/model/evidence.h"
#include "core/policy/policy.h"

enum verdict { VERDICT_OK, VERDICT_NA, VERDICT_UNKNOWN, VERDICT_LOOK, VERDICT_WARN, VERDICT_FAIL };

enum check_of { OF_DEVICE, OF_PORT, OF_LINK, OF_FABRIC };

struct check;
struct judge_context;

/* Why an answer could not be given; of several, the last of these is told. */
enum lack {
	LACK_SAMPLE,	/* a rate needs another sample */
	LACK_RDMA,	/* whether RDMA runs there at all is not known */
	LACK_FAR,	/* the far end of the link is not known */
	LACK_OLD,	/* it was reported too long ago */
	LACK_ABSENT,	/* nobody said it */
	LACK_REASON,	/* the device, or who asks it, says why not */
};

/* What a check is asked about, and what it answers. */
struct case_of {
	const struct check *check;
	const struct judge_context *context; /* what is worked out once for all checks */
	const struct model *model;
	const struct links *links;
	const struct policy *policy;
	const struct inventory *inventory;
	const struct device *device;	/* of OF_DEVICE */
	const struct port *port;	/* of OF_PORT */
	const struct link *link;	/* of OF_LINK; also set for OF_PORT when the port is on a link */
	unsigned index;			/* when the check is asked once for each priority */

	enum verdict verdict;		/* answer */
	char what[192];			/* one line: what was found, with the values: "NIC pcp, switch dscp" */
	char missing[96];		/* when unknown: the fact it lacks */
	enum lack lack;			/* when unknown: why, */
	const struct device *lacking;	/* and whose fact it is */
	bool is_lost;			/* not applicable only because nothing is said: clears nothing, */
	bool is_gone;			/* unless this; of an unknown: what was found before is over all the same */
	double held;			/* the part of the time that traffic may not pass there, 0 … 1 */
	int64_t mean_us;		/* what the last mean rate that it asked for was taken over; 0: the newest sample alone */
	bool is_early;			/* stands on few samples yet: the next ones may say more */
	struct evidence evidence[EVIDENCE_MAX];
	size_t n_evidence;
};

/* What a no does to traffic, by itself. */
enum traffic_harm { HARM_READING = -1 /* the console reads it badly; the fabric may be right */, HARM_NONE, HARM_STOPS, HARM_LOSES };

enum side { SIDE_ANY, SIDE_HOST, SIDE_SWITCH };

struct check {
	const char *id;			/* "trust-same-both-ends": never changes once published */
	enum check_of of;
	enum verdict severity;		/* of a no: VERDICT_LOOK, _WARN or _FAIL */
	enum traffic_harm harm;			/* of a no */
	unsigned step;			/* place on the way app -> DSCP -> prio -> TC -> wire -> switch -> queue: first false step */
	const char *fields;		/* the main field's name, for columns and filters: "trust" */
	const char *after;		/* ids of checks whose "no" there explains this one: the first such, or NULL */
	bool spreads;			/* what explains it may stand anywhere: pause, marks and CNPs travel */
	bool floods;			/* what it says stops links anywhere, whatever is set at their ends */
	bool of_bond;			/* it judges a counter of the whole bond: what explains it may stand at any member */
	enum side side;			/* devices and ports it is asked of */
	bool alike;			/* its looks are one row, however they differ in their figures */
	bool each_priority;		/* asked once for each lossless priority */
	bool any_port;			/* asked of ports that carry no RoCE, too */
	int64_t calm_us;		/* of what comes and goes: a no is over when it has been right for so long; 0: at once */
	const char *limits;		/* names of the policy's limits that it judges by; NULL: none */
	void (*ask)(struct case_of *c);
	const char *title;		/* of a no: "The two ends trust different markings" */
	const char *why;		/* why it matters */
	const char *change;		/* what would change the verdict / what to do */
};

extern const struct check check_table[];
extern const size_t check_count;
const struct check *check_find(const char *id);

/* One judged case that is neither as it should be nor beside the point. Names are copies: it outlives links. */
struct finding {
	const struct check *check;
	const struct device *device;	/* where: device, and port or link when it has one */
	const struct port *port, *far;
	unsigned index;
	enum verdict verdict;
	char where[160], what[192], missing[96];
	struct evidence evidence[EVIDENCE_MAX];
	size_t n_evidence;
	double held;			/* the part of the time that traffic may not pass there, as last judged */
	const struct finding *cause;	/* of the same case: the finding that explains it (check->after), or NULL */
	unsigned depth;			/* findings above it, to its root */
	enum verdict weight;		/* the worst of it and of what follows from it; */
	enum traffic_harm harm;			/* the same of harm, */
	double held_with;		/* and of links held, together */
	int64_t first_us, last_us;	/* first seen; last seen to be so (an unknown does not clear a no) */
	unsigned seen;			/* how often judged so */
	bool is_open;			/* false: seen to be right again */
	bool is_settling;		/* open, and right again for some seconds, but for less than the check's calm_us */
	bool is_calming;		/* open, and right again for less than the check's calm_us: what says so */
	bool is_standing;		/* open, and cannot be judged now: what says so, in the words that it opened with */
	int64_t closed_us;
};

/* Whether it is found because of that: what is not known follows from nothing. */
static inline bool finding_follows(const struct finding *f, const struct finding *cause)
{
	return f->cause == cause && f->verdict >= VERDICT_LOOK;
}

#define STEP_TRAFFIC	10	/* from here on a check is about what traffic does, not about a setting */

/* Whether a setting may explain it that was changed since it was read. */
static inline bool check_is_symptom(const struct check *check)
{
	return check->harm > HARM_NONE || (check->harm == HARM_NONE && check->step >= STEP_TRAFFIC);
}

struct findings;

struct findings *findings_new(void);
void findings_free(struct findings *f);
/* The ledger as it is, told of the same devices and ports of a model_copy(); to be read, not to be judged on with. */
struct findings *findings_copy(const struct findings *f, const struct model *copy);
/* Judges every check on every case as of model_now(), and merges the answers: opens, repeats, closes. */
void findings_judge(struct findings *f, const struct model *m, const struct links *links, const struct policy *policy,
		    const struct inventory *inv);
/*
 * Open ones, worst first, each with what follows from it; roots before what they explain, then harm, how much is held, step,
 * where. list is valid until the next judge.
 */
size_t findings_open(const struct findings *f, const struct finding *const **list);
/* Open ones at or above a severity, not counting those with a cause: a finding is as severe as the worst that follows from it. */
size_t findings_count(const struct findings *f, enum verdict at_least);
/* The finding of a check at a place, the worst when there are several; also one that has closed. NULL: never found. */
const struct finding *findings_find(const struct findings *f, const char *check, const char *where);
/* Problems that were seen to be right again since a time, the newest first. Yours to free. */
size_t findings_closed(const struct findings *f, int64_t since_us, const struct finding ***list);
/* Cases of the last round that further samples of counters would settle: 0 when to read on would tell no more. */
size_t findings_early(const struct findings *f);
/* Cases of the last round that are not known and no finding of their own: another finding or the next samples tell of them. */
size_t findings_untold(const struct findings *f);
/*
 * For a ledger that begins in the middle of a recording: this was open then. It goes on being so where the next judgements
 * cannot know. check: its id; where and what: as in struct finding.
 */
void findings_remember(struct findings *f, const char *check, const char *where, const char *what, enum verdict verdict,
		       int64_t first_us);
/* The same of one that had closed by then. */
void findings_remember_closed(struct findings *f, const char *check, const char *where, const char *what, enum verdict verdict,
			      int64_t first_us, int64_t closed_us);
/* Called for each that opens or closes, in order; for the recording and the event list. */
void findings_on_change(struct findings *f, void (*changed)(void *ctx, const struct finding *finding), void *ctx);

/*
 * Worst verdict of one link (or port), over the checks whose main field is one of these names, or begins with it and a dot
 * ("ecn", "ecn.np ecn.rp"); all checks when fields is NULL. Unknown, too, where none of them was asked. b may be NULL.
 */
enum verdict findings_worst(const struct findings *f, const struct port *a, const struct port *b, const char *fields);

/*
 * What the last round said of one check at a place: the worst over its priorities. port NULL: at the device. *is_lost: of a
 * priority at least it was not judged, only because nothing is said that it could be judged by; the others' OK is none then.
 * VERDICT_NA too where the check is not asked at all.
 */
enum verdict findings_said(const struct findings *f, const struct check *check, const struct device *device,
			   const struct port *port, bool *is_lost);

/* The worst open finding of one check at a port or at the far end of its link; port NULL: at the device itself. NULL: there is none. */
const struct finding *findings_open_at(const struct findings *f, const struct check *check, const struct device *device,
				       const struct port *port);

/* Whether the last round judged any port or link of a device that carries RoCE: a yes or a no, neither unknown nor beside the point. */
bool findings_judged(const struct findings *f, const struct device *d);

const char *verdict_name(enum verdict v);	/* ok, na, unknown, look, warn, fail: in JSON, CSV and files, for ever */
const char *severity_of(const char *verdict);	/* the same of a name; of another word, that word */
const char *severity_name(enum verdict v);	/* for people: ok, n/a, unknown, info, warning, critical */

#endif
