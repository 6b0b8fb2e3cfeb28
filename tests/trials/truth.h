/*
 * What fabcon says of a lab, held against what is so there: every fact of a recording that the lab's state has too, each
 * cable that was joined, rates that cannot be, and findings of what is well.
 */
#ifndef TESTS_TRIALS_TRUTH_H
#define TESTS_TRIALS_TRUTH_H

#include <jansson.h>

#include "core/base/mem.h"
#include "tui/views/worst_links.h"

/* The state that fabcon-lab ctl state prints; json: "node1 eth2 pfc.on[3]" to "yes". */
struct truth {
	json_t *facts;			/* owned */
	json_t *devices;		/* owned; names, in order */
	json_t *hosts;			/* owned; those of them that are no switches, by name */
	json_t *skins;			/* owned; what each wears, a text by name */
	int64_t at_us;
};

bool truth_read(struct truth *t, const char *state);
void truth_done(struct truth *t);

struct truth_count {
	unsigned facts, unknown, links, rates, pauses;
	unsigned late;			/* rates of bytes not held against what passed: the machine was late, and the lab with it */
	unsigned wrong;
	int64_t began_us;		/* of the first state, whatever was done to the lab meanwhile */
	json_t *said;			/* owned; "node1 eth2" to what show has of it: {"mtu": row, …} */
	json_t *first;			/* owned; "node1 eth2 rx.bytes" to what it counted at the first moment, "… stands" to moments since it moved */
};
void truth_count_done(struct truth_count *count);

/*
 * Sheets of fabcon in JSON: rows of show (of one device), of ports, of findings. Each adds to words, a line each, what is
 * false in it. before: an earlier state; counters are not compared but their rates between the two are,
 * unless both are of the same time.
 */
void truth_facts(const struct truth *before, const struct truth *now, json_t *rows, struct truth_count *count, struct buf *words);
void truth_links(const struct truth *now, json_t *rows, struct truth_count *count, struct buf *words);
/* After truth_facts() of all: cables that an end tells of and no link is made of, ports that are not there. */
void truth_ports(const struct truth *now, json_t *links, struct truth_count *count, struct buf *words);
/* After truth_facts() of all: how long ports are stopped, by the rows of ports and of pauses. */
void truth_pauses(const struct truth *before, const struct truth *now, json_t *links, json_t *roots, struct truth_count *count,
		  struct buf *words);
/* After truth_facts() of all: what Overview adds up of drops in other classes than RoCE's. */
void truth_losses(const struct truth *before, const struct truth *now, const struct worst_links *l, struct truth_count *count,
		  struct buf *words);
/* Settings and rates at some moment of the recording, in the order of time: settings as they never were, rates that cannot be. */
void truth_moment(const struct truth *before, const struct truth *now, const struct model *m, struct truth_count *count,
		  struct buf *words);
/* Of any fabric: links that are called down, and are up. */
void truth_over(const struct truth *now, json_t *rows, struct truth_count *count, struct buf *words);
/* Of a bond whose MTU is not what is wanted, something is said. */
void truth_bonds(const struct truth *now, json_t *rows, struct truth_count *count, struct buf *words);
/* At the end of a recording: a finding of this check is open at the device, and its cause is gone. */
void truth_gone(json_t *rows, const char *check, const char *device, struct truth_count *count, struct buf *words);
/* Of a healthy fabric: whatever fails, or is no statement about reading it, is false. */
void truth_findings(const struct truth *before, const struct truth *now, json_t *rows, struct truth_count *count, struct buf *words);

#endif
