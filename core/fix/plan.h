/*
 * A plan of fixes: what is sent to which device in which order, how it is rolled back, what it disturbs, and what must be
 * verified afterwards. It is a file (JSON, "fabcon.plan/1") that can be reviewed and is applied unchanged or not at all: its
 * hash covers everything in it.
 */
#ifndef CORE_FIX_PLAN_H
#define CORE_FIX_PLAN_H

#include "core/fix/edit.h"

struct fix_lines {
	const char **list;
	size_t n, cap;
};

/* A file that a step's commands read; written to the device when the rollback timer is armed. */
struct fix_file {
	const char *name;		/* "patch.json", in the step's directory */
	const char *text;
};

/* Begins the part of disturbs that only the undo causes; that part comes last. */
#define FIX_UNDO_DISTURBS "undo: "

/* One device, changed in one run under one rollback timer. */
struct fix_step {
	const char *device, *platform;
	struct edit *edits;
	size_t n_edits, cap_edits;
	const char *base;		/* the part of its configuration that is read and written, in normal form, before the change */
	const char *after;		/* the same part after the change */
	struct fix_lines lines;		/* exact commands, in order */
	struct fix_lines undo;		/* exact commands that restore base, from whatever point lines stopped at */
	struct fix_lines save;		/* exact commands that save it (survives reboot), run after verification; may be none */
	const char *save_note;		/* if there are none, what persists it: "fabcon emit systemd node1"; or NULL */
	struct fix_file *files;
	size_t n_files, cap_files;
	const char *disturbs;		/* "the link of eth2 goes down for some seconds"; NULL: nothing */
	const char *ports;		/* "eth2 eth3": the ports it touches; for the guard of the management path */
};

/* Steps changed together: both ends of a link. Order: switch, then node. */
struct fix_unit {
	size_t first, n;		/* of steps */
	unsigned wave;			/* 1 is the canary alone; later batches never hold two units of one device or redundant pair */
};

struct fix_plan {
	const char *id;			/* "P-20261121-4f2a", also in names of files and timers on devices: letters, digits, - only */
	int64_t made_us;
	const char *fabric, *policy;
	const char *title;		/* of the finding, or "node1 as roce-lossless wants it" */
	const char *finding;		/* the finding it clears, "trust-same node1:eth2 - leaf1:ethernet1/1/1"; or NULL */
	struct fix_step *steps;
	size_t n_steps, cap_steps;
	struct fix_unit *units;		/* by batch */
	size_t n_units, cap_units;
	int64_t verify_us;		/* how long all must stay as expected, without lossless drops */
	struct arena arena;		/* of every text above */
};

void fix_plan_init(struct fix_plan *p);
void fix_plan_done(struct fix_plan *p);

/* SHA-256 of the canonical text without the hash, in hex. */
#define FIX_HASH_SIZE 65
void fix_plan_hash(const struct fix_plan *p, char out[FIX_HASH_SIZE]);
/* Writes and reads the file's text, hash included. Reading refuses, with the reason: another schema, a wrong hash,
 * control characters in commands, names outside the allowlists (of files: NAME.json alone), more than 4096 steps. */
void fix_plan_write(const struct fix_plan *p, struct buf *out);
bool fix_plan_read(struct fix_plan *p, struct span text, struct err *err);
/*
 * A step alone in its unit that sets what the two ends of a link must agree on: the first such edit; NULL: none. From the units and
 * edits alone, so that a plan that lost its other end tells it, whatever its texts say.
 */
const struct edit *fix_plan_one_end(const struct fix_plan *p, size_t step);
/* "the other end of node1 eth2 is not part of this plan"; false, and nothing added: no such step. */
bool fix_plan_say_one_end(const struct fix_plan *p, size_t step, struct buf *out);
/* For people: steps with commands, rollback, what is disturbed, expected and saved. */
void fix_plan_print(const struct fix_plan *p, struct buf *out);
/*
 * The differences between two texts as "- " and "+ " lines, for people: plan diff, stale bases and the screen. Lines that
 * differ only by a consecutive index are folded: "+ node1 eth2 dscp.prio[8-15] = 1".
 */
void lines_diff(struct span a, struct span b, struct buf *out);

/* "/run/fabcon/P-20261121-4f2a.1": a step's directory on the device; and the name of its timer or checkpoint,
 * "fabcon-P-20261121-4f2a-1". step counts from 0. */
void fix_step_dir(const struct fix_plan *p, size_t step, char out[64]);
void fix_step_name(const struct fix_plan *p, size_t step, char out[64]);

#endif
