/*
 * What the cursor is on. A screen answers it for each of its panes, and every key that is about an object (diagnose, fix,
 * compare, export, copy, explain, raw) asks the screen, so that all of them mean the same one.
 */
#ifndef TUI_VIEWS_SUBJECT_H
#define TUI_VIEWS_SUBJECT_H

#include "core/judge/check.h"

struct subject {
	const struct finding *finding;	/* the first, of a row that stands for several places */
	size_t places;			/* that the finding's row stands for */
	const struct link *link;
	const struct port *port;	/* the end that leads; set without a link where the far end is not known */
	const struct device *device;	/* set alone: the subject is the device, not one of its ports */
	char name[120];			/* of what is none of these: an event, a question, a probe; else empty */
	bool is_part;			/* the rows are no objects of their own (probes, fields, questions, steps): marked ones are not compared */
	bool is_aside;			/* the cursor is in another pane than the list */
	const char *none;		/* why there is no object, in words for the person; NULL: there is one */
};

/* "trust-as-wanted at node1:eth2", "node1:eth2 - leaf1:Eth4", "leaf1"; nothing when there is no object. */
void subject_name(const struct subject *s, struct buf *out);

struct subject subject_of_link(const struct link *link);
struct subject subject_of_device(const struct device *d);
struct subject subject_none(const char *why);

#endif
