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
	/*
	 * Ids of checks, blank-separated, in the order of layers: the first that says no is the stage's answer. A "?" behind one: some
	 * systems do not report what it is judged by, and the stage passes without it; it is named all the same. "!": it fails from a
	 * warning on, and a look passes. "@fields": its answer counts in this stage where it is about one of these; without any, where it is
	 * about a field that no other stage names.
	 */
	const char *checks;
};
extern const struct bringup_stage_row bringup_stage_table[BRINGUP_STAGES];
/* BRINGUP_STAGES: there is none of that id. */
enum bringup_stage bringup_stage_find(struct span id);

/* The check of one word of a row; NULL: there is none. */
const struct check *bringup_stage_check(struct span word);

enum bringup_state {
	BRINGUP_PASS,		/* each check that can be asked here said yes, and one at least could */
	BRINGUP_UNKNOWN,	/* a check could not be judged, or none could be asked */
	BRINGUP_FAIL,		/* a check said no */
	BRINGUP_WAITS,		/* not asked yet: a stage before it fails */
	BRINGUP_SKIPPED,	/* not wanted */
	BRINGUP_STATES,
};
const char *bringup_state_word(enum bringup_state s);	/* "pass", "not known", "fail", "not yet", "skipped" */

/* What a stage says of one port. check: the first that said no, or that is not known; NULL: none could be asked. */
struct bringup_answer {
	enum bringup_state state;
	const struct check *check;
	const struct device *device;	/* where it said so: the NIC's or the far end's */
	const struct port *port;	/* NULL: the whole device */
	const struct check *unreported;	/* the first that was passed over because its device does not report it; NULL: none */
	const struct device *silent;	/* that device */
};

/* nic: a host's port; far: the switch's port at the other end of its cable, or NULL. As of the last findings_judge(). */
void bringup_stage_ask(enum bringup_stage stage, const struct findings *f, const struct port *nic, const struct port *far,
		       struct bringup_answer *a);

/* How far a port has come. */
struct bringup_course {
	enum bringup_stage at;		/* the first stage that fails, else the first that is not known; BRINGUP_STAGES: each passed */
	enum bringup_state state;	/* of that stage */
	struct bringup_answer stages[BRINGUP_STAGES];
};

/* nic NULL: what is asked of the whole device, where none of its ports is known. wanted: a set of 1 << stage. */
void bringup_course_read(const struct findings *f, const struct device *device, const struct port *nic, const struct port *far,
			 unsigned wanted, struct bringup_course *c);

#endif
