/* What is wanted of a fact: what the policy says; or, where it is silent, what is usual and known to be right. */
#ifndef CORE_FIX_WANT_H
#define CORE_FIX_WANT_H

#include "core/fix/fix.h"

struct fix_want {
	struct value value;
	const char *why;	/* the policy's line, or the reason; lent */
	char text[256];		/* of a wanted text that is made here */
};

/*
 * index is the fact's. ECN of a switch is wanted of a priority and set on its queue: the other way round here.
 * False when the policy says nothing of it.
 */
bool fix_policy_want(const struct fix_scene *s, const struct device *d, const struct port *p, enum field f, unsigned index,
		     struct fix_want *out);
/*
 * What the policy wants though it does not name it: what wins over what it names has to be the same. c: what is said of it;
 * where that is not known, neither is whether it has to be changed.
 */
bool fix_implied_want(const struct fix_scene *s, const struct device *d, const struct port *p, enum field f, const struct cell *c,
		      struct fix_want *out);
/* The same where the policy is silent, from what the port says now. */
bool fix_usual_want(const struct fix_scene *s, const struct device *d, const struct port *p, enum field f, unsigned index,
		    const struct value *now, struct fix_want *out);

/* Whether a value needs no change to be what is wanted: thresholds within tolerance, room to spare. */
bool fix_is_so(const struct fix_scene *s, const struct device *d, enum field f, const struct value *is,
	       const struct value *wanted);

/*
 * A fact that nobody says because another says that there is none yet: thresholds of a queue that does not mark, a switch's
 * map while its marking is not trusted.
 */
bool fix_is_unset(const struct fix_scene *s, const struct port *p, enum field f, unsigned index);

#endif
