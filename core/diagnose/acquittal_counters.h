/* The acquittal in the making: what its two files share. */
#ifndef CORE_DIAGNOSE_ACQUITTAL_COUNTERS_H
#define CORE_DIAGNOSE_ACQUITTAL_COUNTERS_H

#include "core/diagnose/acquittal.h"
#include "core/judge/judge_context.h"

struct acquitting {
	struct acquittal *a;
	const struct diagnosis *d;
	const struct model *m;
	struct judge_context context;
	const struct finding *const *open;
	size_t n_open;
	const struct link **links;	/* owned: those asked about */
	size_t n_links;
};

/* acquittal.c */
void acquittal_lacks(struct acquitting *q, const char *key, const char *where, const char *what, const char *settle);
void acquittal_lacks_at(struct acquitting *q, const char *key, const struct port *p, const char *what, const char *settle);

/* For how long the counters of loss stood still, whether those of traffic moved, and how long ports were paused. */
void acquittal_take_counters(struct acquitting *q);

#endif
