/*
 * Fixes: for each check, a row with the settings that clear its finding and the ends to set them at; or why no command clears
 * it, and who can. A check without a row is left to people. A fix is the expected facts minus the reported ones, as edits.
 */
#ifndef CORE_FIX_FIX_H
#define CORE_FIX_FIX_H

#include "core/fix/edit.h"
#include "core/judge/check.h"

enum fix_ends {
	FIX_HERE,		/* where the finding is */
	FIX_BOTH_ENDS,		/* of its link: setting one end alone would be worse than none */
	FIX_MEMBERS,		/* each member of the bond */
	FIX_FABRIC,		/* every port that carries RoCE */
};

struct fix {
	const char *check;	/* its id; or that of a cause that no check shows */
	const char *fields;	/* "pfc.on pause.rx pause.tx": set to match the policy; NULL: cannot be set from here */
	enum fix_ends ends;
	const char *emit;	/* manifests that own it, "systemd nccl-env"; NULL: none */
	const char *instead;	/* fields NULL: who does what, in words */
};
extern const struct fix fix_table[];
extern const size_t fix_count;
const struct fix *fix_find(const char *check);
/* For a check that cannot be set from here: who does what, from its row or, if it has none, from the check itself. */
const char *fix_instead(const struct check *check);

/* The inputs of a fix. */
struct fix_scene {
	const struct model *model;
	const struct links *links;
	const struct policy *policy;
	const struct inventory *inventory;
	bool (*can_set)(const char *platform, enum field f, bool of_port);	/* of the dialects; NULL platform: none */
};

/*
 * Adds the edits that clear the finding. False, with the reason, when there is no such fix, when a value to be overwritten
 * is unknown, or when the fix is refused on purpose (fix_refuses); e is then unchanged.
 */
bool fix_of_finding(const struct fix_scene *s, const struct finding *f, struct edits *e, struct err *err);
/*
 * Adds every difference from the policy at a device (port NULL: at it and each port that carries RoCE) among the settings
 * that its dialect can set; unknown values go to skipped, one line each.
 */
bool fix_of_target(const struct fix_scene *s, const struct device *d, const struct port *p, struct edits *e, struct buf *skipped,
		   struct err *err);

/*
 * The link is what is right or wrong, not one end of it. True for a setting that a check compares across a link: the rows of
 * FIX_BOTH_ENDS whose check is about it.
 */
bool fix_is_of_link(enum field f);
/*
 * For each edit of such a setting, adds what the other end of the link lacks of it by the policy. What cannot be set there goes
 * to skipped (may be NULL), one line each: the two ends may then disagree.
 */
void fix_add_far_ends(const struct fix_scene *s, struct edits *e, struct buf *skipped);
/* The other end is known to have what the policy sets there, or what the edit sets here. True of what is no setting of a link. */
bool fix_far_end_agrees(const struct fix_scene *s, const struct edit *e);

/*
 * The refused-on-purpose list: global pause on, PFC watchdog off, a lossless class for CNPs, buffers under traffic, …
 * True, with the reason in err, when we never make this edit whatever the policy says.
 */
bool fix_refuses(const struct fix_scene *s, const struct edit *edit, struct err *err);
/* The same for an edit that was planned earlier: without what holds for a moment (traffic); without a policy, what needs none. */
bool fix_refuses_always(const struct fix_scene *s, const struct edit *edit, struct err *err);

#endif
