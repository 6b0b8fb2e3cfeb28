/*
 * The parts of the ledger of findings, for these files only: what is judged (finding.c), what a recording said before
 * (finding_memory.c), what explains what (finding_cause.c), the order (finding_order.c), the ledger over a copy of its model
 * (finding_copy.c), and what others ask of it (finding_read.c).
 */
#ifndef CORE_JUDGE_FINDING_INTERNAL_H
#define CORE_JUDGE_FINDING_INTERNAL_H

#include "core/base/hash.h"
#include "core/judge/finding.h"

#include "core/judge/judge_context.h"

#define CHECKS_MAX	128	/* bits of a mask */
#define AFTER_MAX	40
#define TOPICS_MAX	128	/* names that findings_worst() is asked about: each check's fields and what they begin with */

struct entry;

/* A setting that a finding cited when it opened. */
struct cited {
	const struct device *device;
	const struct port *port;
	enum field field;
	unsigned index;
	struct value value;
};

/* Where a check was asked. One place and check have one finding, whatever the far end is called meanwhile. */
struct key {
	const struct check *check;
	const void *place;	/* struct port, struct device, or NULL for the fabric */
	uintptr_t index;
};

struct entry {
	struct finding finding;
	struct key key;
	UT_hash_handle hh;
	unsigned round;			/* last settled in */
	int64_t right_us;		/* since when it has been right again, not long enough to close; 0: it is not */
	char wrong[192];		/* what it was last when it was not */
	char opened[192];		/* what it was when it opened: what a recording holds of it */
	struct cited settings[EVIDENCE_MAX];	/* as they were when it opened: its words speak of these */
	size_t n_settings;
	struct entry *next_of_port;
	struct entry *next_of_check;	/* among the open ones */
};

/* What was found before this ledger began, as a recording tells it: it stands where nothing better is known. */
struct memory {
	UT_hash_handle hh;
	enum verdict verdict;
	int64_t first_us;
	char what[192];
	char key[];		/* "check\nwhere" */
};

struct mask {
	uint64_t bits[CHECKS_MAX / 64];
};

/* The checks of a main field, or of all fields that begin with this and a dot. */
struct topic {
	struct span name;
	struct mask checks;
};

struct verdicts {
	struct mask ok, unknown, na, lost;	/* by row of the check table */
	struct entry *open;		/* findings at this port */
};

struct findings {
	struct entry *entries;
	struct memory *memories;
	const struct finding **open;
	size_t n_open, cap_open, n_unknown, n_early, n_untold;
	struct finding *past;			/* closed before this ledger began */
	size_t n_past, cap_past;
	struct entry *of_check[CHECKS_MAX];	/* open ones, by row */
	size_t n_of_check[CHECKS_MAX];
	struct verdicts *ports;			/* by port id; behind them by device id */
	size_t n_ports, n_devices;
	unsigned round;
	int64_t now_us;
	struct judge_context context;
	const struct check *reached, *in_time, *understood;
	struct topic topics[TOPICS_MAX];
	size_t n_topics;
	uint8_t after[CHECKS_MAX][AFTER_MAX + 1];	/* rows + 1 of check->after, 0 at the end */
	void (*changed)(void *ctx, const struct finding *finding);
	void *ctx;
};

static inline size_t row_of(const struct check *check)
{
	return (size_t)(check - check_table);
}

static inline void mask_set(struct mask *m, size_t row)
{
	m->bits[row / 64] |= UINT64_C(1) << row % 64;
}

static inline bool mask_has(const struct mask *m, size_t row)
{
	return m->bits[row / 64] >> row % 64 & 1;
}

/* finding.c */
struct topic *finding_topic(const struct findings *f, struct span name);
struct entry *finding_entry(const struct findings *f, const struct check *check, const void *place, unsigned index);
struct entry *finding_add(struct findings *f, const struct check *check, const void *place, unsigned index);
/* Among those that are open, of its check and of its port. */
void finding_list(struct findings *f, struct entry *e);
/* What a finding says of its place: where, device, port, far. */
void finding_where(struct finding *finding, const struct case_of *c);

/* NULL: the recording says nothing of it. */
const struct memory *finding_memory(const struct findings *f, const struct case_of *c);
void finding_forget(struct findings *f);

/* finding_order.c: what each weighs with what follows from it, and the open ones in order. After the causes are known. */
void findings_order(struct findings *f);
/* Without what follows: of closed ones. */
int finding_cmp_place(const struct finding *a, const struct finding *b);
int finding_cmp(const void *left, const void *right);	/* of two struct finding *: the order of the open ones, worst first */

/* The finding that explains this one, or NULL. */
const struct finding *finding_cause(const struct findings *f, const struct links *links, const struct finding *what);

#endif
