/* The shipped policies' texts: core/policy/policy.c reads them like any file. */
#ifndef CORE_POLICY_SHIPPED_H
#define CORE_POLICY_SHIPPED_H

struct shipped_policy {
	const char *name, *text;
};

/* Ends with a row without a name; the first is the default. */
extern const struct shipped_policy shipped_policies[];

#endif
