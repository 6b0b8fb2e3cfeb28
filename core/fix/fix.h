/*
 * Fixes: rows that say, for a check, which settings make its finding go away, at which ends; or why nothing that we
 * could send does, and who can do it instead. A check without a row is for people. A fix is wanted minus seen facts, as edits.
 */
#ifndef CORE_FIX_FIX_H
#define CORE_FIX_FIX_H

#include "core/fix/edit.h"
#include "core/judge/check.h"

enum fix_ends {
	FIX_HERE,		/* where the finding is */
	FIX_BOTH_ENDS,		/* of its link: one alone would be worse than none */
	FIX_MEMBERS,		/* each member of the bond */
	FIX_FABRIC,		/* every port that carries RoCE */
};

struct fix {
	const char *check;	/* its id; or that of a cause that no check shows */
	const char *fields;	/* "pfc.on pause.rx pause.tx": made as the policy wants them; NULL: not to be set from here */
	enum fix_ends ends;
	const char *emit;	/* manifests that own it, "systemd nccl-env"; NULL: none */
	const char *instead;	/* fields NULL: who does what, in words */
};
extern const struct fix fix_table[];
extern const size_t fix_count;
const struct fix *fix_find(const char *check);
/* Of a check that is not to be set from here: who does what, in the words of its row, or in the check's own if it has none. */
const char *fix_instead(const struct check *check);

/* What a fix is made from. */
struct fix_scene {
	const struct model *model;
	const struct links *links;
	const struct policy *policy;
	const struct inventory *inventory;
	bool (*can_set)(const char *platform, enum field f, bool of_port);	/* of the dialects; NULL platform: none */
};

/*
 * Adds what would make the finding go away. False, with the reason, when there is no such fix, when a value it would write
 * over is not known, or when it is refused on purpose (fix_refuses); e is then as it was.
 */
bool fix_of_finding(const struct fix_scene *s, const struct finding *f, struct edits *e, struct err *err);
/*
 * Adds whatever differs from the policy at a device (port NULL: at it and each port that carries RoCE) among the settings
 * that its dialect can set; what is not known is told to skipped, a line each.
 */
bool fix_of_target(const struct fix_scene *s, const struct device *d, const struct port *p, struct edits *e, struct buf *skipped,
		   struct err *err);

/*
 * The refused-on-purpose list: global pause on, PFC watchdog off, a lossless class for CNPs, buffers under traffic, …
 * True, with the reason in err, when an edit is never made by us whatever the policy says.
 */
bool fix_refuses(const struct fix_scene *s, const struct edit *edit, struct err *err);

#endif
