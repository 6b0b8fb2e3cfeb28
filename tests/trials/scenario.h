/*
 * The measure of diagnosis. A scenario is a lab with no, one or two faults at places a seed chose, read once over SSH into
 * a recording; what is diagnosed from the recording is held against what was broken. Recordings are kept by the name of
 * their scenario in .build/scenarios, so that diagnosis can be tuned over the same ones again and again.
 */
#ifndef TESTS_TRIALS_SCENARIO_H
#define TESTS_TRIALS_SCENARIO_H

#include "core/judge/check.h"
#include "remote/lab/world/faults.h"

/* One way of being broken that the lab can show, and the cause that is to be named for it. */
struct breakage {
	const char *fault, *cause;
	const char *also;		/* a cause that is as right; or NULL */
	const char *traffic;		/* that it needs to show; NULL: any */
	const char *os;			/* the only system that has it; NULL: any */
	bool needs_bond;
	const char *ring;		/* it needs two spines, and is told at any of these devices; NULL: one spine will do */
	bool is_slow;			/* reading it has no end: it is watched for READ_SLOW_S */
};

/* Every fault of the lab that some device shows. */
const struct breakage *breakages(void);
size_t breakage_count(void);
extern const char *const breakages_unread[];	/* faults of the lab that no device shows */

/* A NIC without DCQCN (mlx4) slows down for no mark: that its switch stops it, as either end tells, is true where nothing is broken. */
bool is_true_beside_mlx4(const char *check);

#define FAULTS_MAX	2
#define PLACES_MAX	5

/* A fault as it was put: "np-off@node2:eth3", and the ends of the cables that it concerns. */
struct broken {
	const struct breakage *kind;
	char text[160];
	char places[PLACES_MAX][100];	/* "node2:eth3"; of a whole device: its name */
	size_t n_places;
	bool has_mlx4;			/* a host of the fabric has a NIC without DCQCN */
};

struct scenario {
	char name[400];			/* tells all of it, as a file's name */
	const char *os, *traffic;
	unsigned seed;
	bool with_bond;
	unsigned spines;
	struct broken faults[FAULTS_MAX];
	size_t n_faults;
};

/* The nth of its sort: always the same for the same n. False when its fault has no place in such a fabric. */
bool scenario_single(struct scenario *s, unsigned nth);
bool scenario_pair(struct scenario *s, unsigned nth);
bool scenario_healthy(struct scenario *s, unsigned nth);

/* The devices of a ring are all its places. */
void add_ring(struct broken *b);

/* Where its recording is kept; yours to free. */
char *scenario_file(const struct scenario *s);
/* Starts its lab, reads it once into its recording, stops it. reuse: unless there is one. */
bool scenario_record(const struct scenario *s, bool reuse, struct err *err);

#define ANSWERS_MAX	16
#define PROBES_MAX	40

/* A cause that was named. */
struct named_cause {
	char cause[40], where[160], why[200];
};

/* What a recording is taken for. */
struct diagnosed {
	struct named_cause answers[ANSWERS_MAX];	/* the likeliest first */
	size_t n_answers;
	unsigned n_warned;			/* findings at warn or above that are no consequence */
	char warned[400];			/* one of them */
};

/* probe: what it answers is left out; NULL: nothing is. */
bool diagnose_recording(const char *file, const char *probe, struct diagnosed *out, struct err *err);
/* The probes that answered in a recording, without the console's own; how many. */
size_t probes_of_recording(const char *file, char probes[][40], size_t max);

/* The answer names that fault, at its place. */
bool names_fault(const struct named_cause *a, const struct broken *b);

#endif
