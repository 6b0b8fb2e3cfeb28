/*
 * Diagnosis: what is found and measured, turned into causes with evidence, and a decision tree that answers itself.
 *
 *	struct diagnosis d = { 0 };
 *	diagnosis_make(&d, &(struct diagnosis_of){ .model = m, .links = links, … });
 *	… d.suspects, the likeliest first; d.steps, the way through the tree …
 *	diagnosis_done(&d);
 *
 * The ledger: a suspect is a known cause at a place, with what speaks for it, against it, and what is missing. Its score
 * is the weight of its best sign, as the row of the cause states it, by how grave the finding is, and a little for each
 * thing that it explains. It is named only when what decides it was read: telemetry that lacks speaks for nothing.
 */
#ifndef CORE_DIAGNOSE_DIAGNOSIS_H
#define CORE_DIAGNOSE_DIAGNOSIS_H

#include "core/diagnose/question.h"
#include "core/judge/check.h"
#include "core/pause/pause.h"

/* -- causes -- */

#define SIGNS_MAX 8

struct diagnosis;

/* A finding of this check is the cause seen by itself; weight 1 … 100. */
struct sign {
	const char *check;
	uint8_t weight;
	bool though_unknown;	/* that the check could not be answered is the sign */
	bool stands_alone;	/* also where it follows from another finding: a setting of its own is wrong */
	bool (*fits)(const struct diagnosis *d, const struct finding *f);	/* where several causes share a check; or NULL */
};

struct known_cause {
	const char *id;		/* "trust-wrong": never changes once published */
	const char *title;	/* "The port does not trust DSCP" */
	const char *why;	/* what it does to the fabric */
	const char *change;	/* what to do */
	struct sign signs[SIGNS_MAX];
	unsigned roots;		/* 1 << enum root_is: pause that begins at its place agrees with it */
	bool of_link;		/* one cause for both ends */
	bool of_host;		/* of a host or its job: the network may be right beside it */
	bool of_reading;	/* of how a device is read: never above what is known of the fabric */
	struct {		/* shown by a question of the usual tree, when it is answered so */
		const char *question;
		enum tree_answer answer;
		uint8_t weight, step;
	} asked;
	const char *contrary;	/* a counter that moves there speaks against it; or NULL */
	const char *source;	/* where the rule comes from */
};
extern const struct known_cause known_causes[];
extern const size_t known_cause_count;
const struct known_cause *known_cause_find(const char *id);

/* Weights of a ledger that are no row's: what each line adds to a score. */
#define WEIGHT_EXPLAINS		2	/* each finding that follows from it, */
#define WEIGHT_EXPLAINS_MOST	20	/* together at most */
#define WEIGHT_ROOT		15	/* pause begins there */
#define WEIGHT_POSSIBLE		5	/* would explain what nothing explains; it could not be judged */
#define WEIGHT_CONTRARY		20	/* taken off: what could not be if it were so */

/* -- the ledger -- */

enum note_is { NOTE_FOR, NOTE_AGAINST, NOTE_MISSING };

struct note {
	enum note_is is;
	int weight;				/* what it adds to the score */
	const struct finding *finding;		/* or NULL */
	char text[256];
	const struct evidence *evidence;	/* lent by the finding or by the pause graph, or */
	struct evidence *own;			/* this, owned */
	size_t n_evidence;
};

struct suspect {
	const struct known_cause *cause;
	const struct device *device;
	const struct port *port;		/* where its first sign stands; NULL: of the device or the fabric */
	const struct port *known_by;		/* the same; of a cause of a link its first end, at whichever end it shows */
	char where[160];
	int score;
	unsigned step;				/* of its first finding, along the packet's way */
	bool is_named;				/* what decides it was read */
	bool is_asked;				/* it, or what it explains, is in the part that was asked about */
	unsigned explains;			/* findings that follow from it */
	struct note *notes;			/* owned */
	size_t n_notes, cap_notes;
};

/* What a person answers in the place of the evidence. */
struct given_answer {
	const struct tree_question *question;
	enum tree_answer answer;
	const char *reason;			/* or NULL */
};

/* One question on the way through the tree. */
struct step {
	struct asking asked;			/* what the evidence says */
	enum tree_answer answer;			/* by which the way goes on */
	const char *by;				/* "evidence", "person" */
	const char *reason;			/* of the person; or NULL */
	const char *next;			/* id of the question or leaf */
	bool is_passed;				/* it is so, and another cause is likelier: the way goes on as where all is right */
};

/* The one measurement that would tell the two likeliest apart. */
struct split {
	const struct tree_question *question;	/* that it answers; NULL: no such measurement */
	const struct suspect *between[2];
	const struct asking *asked;		/* verify_question() has its command */
};

struct diagnosis_of {
	const struct model *model;
	const struct links *links;
	const struct findings *findings;
	const struct policy *policy;
	const struct inventory *inventory;
	const struct device *device;		/* what is asked about; NULL: all */
	const struct port *port;		/* of device; NULL: all of it */
	const struct decision_tree *tree;	/* NULL: the usual one */
	const struct symptom *symptom;		/* of that tree; or NULL */
	const struct given_answer *said;		/* lent; a later one counts */
	size_t n_said;
	bool is_partial;			/* devices are still answering: not every one was read whole */
};

struct diagnosis {
	struct diagnosis_of of;
	struct pauses pauses;
	struct suspect *suspects;		/* named ones first, the highest score first */
	size_t n_suspects, cap_suspects;
	size_t n_named;
	enum verdict least;			/* findings from here on answer: a mere look waits while something is graver */
	struct step *steps;
	size_t n_steps, cap_steps;
	const struct leaf *leaf;
	struct split split;
};

/* Works it out anew; *d is zeroed before first use. Lent by the model, links and findings: made again when they move. */
void diagnosis_make(struct diagnosis *d, const struct diagnosis_of *of);
void diagnosis_done(struct diagnosis *d);
/* Whether a place belongs to what is asked about: it, or the other end of its link. port NULL: the device. */
bool diagnosis_covers(const struct diagnosis *d, const struct device *device, const struct port *port);
bool diagnosis_touches(const struct diagnosis *d, const struct finding *f);
/* What a step was asked, on the way so far; NULL: it was not. */
const struct step *diagnosis_step(const struct diagnosis *d, const char *question);

/* "Q1=yes": reads an answer to a question of a tree. */
bool given_answer_read(const struct decision_tree *t, const char *text, struct given_answer *out, struct err *err);
const char *answer_word(enum tree_answer a);		/* unknown, no, yes, n/a, unreported */

#endif
