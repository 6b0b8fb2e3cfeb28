#include "remote/platform/whole.h"

#include <string.h>

static bool is_of(const struct reply *r, const char *probe, const char *subject)
{
	return r->probe && !strcmp(r->probe, probe) && (!subject || (r->subject && !strcmp(r->subject, subject)));
}

bool has_answered(const struct device *d, const char *probe)
{
	for (size_t i = 0; i < d->n_replies; i++)
		if (is_of(d->replies[i], probe, NULL))
			return true;
	return false;
}

bool whole_answer(const struct device *d, const char *probe, const char *subject, int64_t since_us, struct err *err)
{
	const char *between = subject ? " " : "", *port = subject ? subject : "";
	const struct reply *last = NULL;

	for (size_t i = 0; i < d->n_replies; i++) {
		if (!is_of(d->replies[i], probe, subject))
			continue;
		last = d->replies[i];
		if (last->whole_us && last->whole_us >= since_us)
			return true;
	}
	if (!last || last->at_us < since_us)
		return err_set(err, "%s%s%s has no output of \"%s\" yet", d->name, between, port, probe);
	return err_set(err, "%s%s%s: the output of \"%s\" is incomplete", d->name, between, port, probe);
}
