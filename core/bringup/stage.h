/*
 * The stages of bring-up, bottom-up, and what each asks of one NIC port and its cable. The stages before traffic are checks that the
 * console judges anyway (core/judge/checks.c): a row here names them. Where a stage fails, nothing above it is told of that port.
 */
#ifndef CORE_BRINGUP_STAGE_H
#define CORE_BRINGUP_STAGE_H

#include "core/judge/check.h"

enum bringup_stage {
	BRINGUP_REACH, BRINGUP_IDENTITY, BRINGUP_PATHS, BRINGUP_CABLING, BRINGUP_WIRE, BRINGUP_MTU, BRINGUP_QOS, BRINGUP_PERSISTENCE,
	BRINGUP_RDMA,
	BRINGUP_STAGES,
};

struct bringup_stage_row {
	const char *id;		/* "cabling": never changes once published */
	const char *title;	/* "Cabling" */
	const char *checks;	/* ids of checks, blank-separated, in the order of layers: the first that says no is the stage's answer */
};
extern const struct bringup_stage_row bringup_stage_table[BRINGUP_STAGES];
/* BRINGUP_STAGES: there is none of that id. */
enum bringup_stage bringup_stage_find(struct span id);

enum bringup_state {
	BRINGUP_PASS,		/* each check that can be asked here said yes, and one at least could */
	BRINGUP_UNKNOWN,	/* a check could not be judged, or none could be asked */
	BRINGUP_FAIL,		/* a check said no */
};
const char *bringup_state_word(enum bringup_state s);	/* "pass", "not known", "fail" */

/* What a stage says of one port. check: the first that said no, or that is not known; NULL: none could be asked. */
struct bringup_answer {
	enum bringup_state state;
	const struct check *check;
	const struct device *device;	/* where it said so: the NIC's or the far end's */
	const struct port *port;	/* NULL: the whole device */
};

/* nic: a host's port; far: the switch's port at the other end of its cable, or NULL. As of the last findings_judge(). */
void bringup_stage_ask(enum bringup_stage stage, const struct findings *f, const struct port *nic, const struct port *far,
		       struct bringup_answer *a);

/*
 * The first stage that fails, and its answer; else the first that is not known; BRINGUP_STAGES when each passes. wanted: a set of
 * 1 << stage.
 */
enum bringup_stage bringup_first_stage(const struct findings *f, const struct port *nic, const struct port *far, unsigned wanted,
				       struct bringup_answer *a);
/* The same of what is asked of a whole device: where none of its ports is known. */
enum bringup_stage bringup_first_stage_of_device(const struct findings *f, const struct device *device, unsigned wanted,
						 struct bringup_answer *a);

#endif
