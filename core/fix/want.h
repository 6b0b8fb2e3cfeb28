/* The expected value of a fact: what the policy requires; or, where it sets nothing, the usual value known to be right. */
#ifndef CORE_FIX_WANT_H
#define CORE_FIX_WANT_H

#include "core/fix/fix.h"

struct fix_want {
	struct value value;
	const char *why;	/* the policy's line, or the reason; lent */
	char text[256];		/* storage for an expected text built here */
};

/*
 * index is the fact's. The policy sets ECN of a switch per priority, the switch per queue: this maps the queue back.
 * False when the policy does not set it.
 */
bool fix_policy_want(const struct fix_scene *s, const struct device *d, const struct port *p, enum field f, unsigned index,
		     struct fix_want *out);
/*
 * What the policy implies without naming it: a setting that overrides a named one must have the same value. c: the reported
 * value; if it is not known, whether a change is needed is not known either.
 */
bool fix_implied_want(const struct fix_scene *s, const struct device *d, const struct port *p, enum field f, const struct cell *c,
		      struct fix_want *out);
/* The same where the policy sets nothing, based on the value the port reports now. */
bool fix_usual_want(const struct fix_scene *s, const struct device *d, const struct port *p, enum field f, unsigned index,
		    const struct value *now, struct fix_want *out);

/* Whether a value is close enough to the expected one: thresholds within tolerance, MTU with room to spare. */
bool fix_is_so(const struct fix_scene *s, const struct device *d, enum field f, const struct value *is,
	       const struct value *wanted);

/*
 * A fact not reported because another shows that it does not exist yet: thresholds of a queue without ECN marking, a switch's
 * DSCP map while DSCP is not trusted.
 */
bool fix_is_unset(const struct fix_scene *s, const struct port *p, enum field f, unsigned index);

#endif
