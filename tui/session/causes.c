#include "tui/session/causes.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/fabric/link.h"
#include "core/inventory/inventory.h"

/* In the order of asking: what is more exact stands before. */
const struct cause cause_table[] = {
	{ "host key changed",	  "host key",	     "CHANGED",	      "compare it at the device; only then remove the old line from "
								      "known_hosts" },
	{ "host key revoked",	  "host key",	     "REVOKED",	      "do not trust it until its key is replaced" },
	{ "host key not trusted", "host key",	     NULL,	      "compare it at the device, then add it to known_hosts or "
								      "answer yes" },
	{ "login refused",	  "authentication",  NULL,	      "check authorized_keys, ansible_user, --identity and the agent" },
	{ "not dialed as configured", "configuration", NULL,	      "correct the named setting, or run the command in it (fabcon "
								      "doctor)" },
	{ "behind an unreachable jump host", "jump host", NULL,	      "reach the jump host first" },
	{ "name not known",	  "resolve",	     NULL,	      "check the name, DNS, or give ansible_host" },
	{ "connection refused",	  "connect",	     "refused",	      "check that sshd runs and listens on that port" },
	{ "no route",		  "connect",	     "unreachable",   "check the address and the path to it" },
	{ "no route",		  "connect",	     "No route",      "check the address and the path to it" },
	{ "timeout",		  NULL,		     "no answer",     "check that it is up, and the path to it; --timeout waits longer" },
	{ "timeout",		  NULL,		     "timed out",     "check that it is up, and the path to it; --timeout waits longer" },
	{ "timeout",		  NULL,		     "no sign of life", "check that it is up, and the path to it" },
	{ "unsupported operating system",	  "identification",  NULL,	      "fabcon parse --list lists the supported "
										      "ones; show DEVICE shows what it runs" },
	{ "session ended",	  "session",	     NULL,	      "see its last error: fabcon show DEVICE, or Devices in the console" },
	{ "not reached",	  NULL,		     NULL,	      "see its last error: fabcon show DEVICE, or Devices in the console" },
};
const size_t cause_count = sizeof(cause_table) / sizeof(*cause_table);

static const struct cause still_waiting = {
	"not answered yet", NULL, NULL, "still being read; --timeout waits longer",
};

const char *cause_without_name(const char *device, const char *error)
{
	size_t n = strlen(device);

	return !strncmp(error, device, n) && !strncmp(error + n, ": ", 2) ? error + n + 2 : error;
}

const struct cause *cause_of(const char *device, const char *error)
{
	const char *text = cause_without_name(device, error);

	for (size_t i = 0; i < cause_count; i++) {
		const struct cause *c = &cause_table[i];

		if ((!c->step || !strncmp(text, c->step, strlen(c->step))) && (!c->text || strstr(text, c->text)))
			return c;
	}
	return &cause_table[cause_count - 1];
}

static bool is_missing(const struct model *m, const struct device *d, bool never_heard)
{
	uint64_t state;

	if (never_heard || !device_number(m, d, FIELD_STATE, 0, &state))
		return d->heard_us == 0;
	return state != STATE_UP;
}

static const struct cause *cause_of_device(const struct device *d)
{
	const char *error = device_text(d, FIELD_ERROR);

	return error && *error ? cause_of(d->name, error) : &still_waiting;
}

static int by_size(const void *a, const void *b)
{
	const struct cause_group *x = a, *y = b;

	return x->n != y->n ? (x->n < y->n ? 1 : -1) : x->cause < y->cause ? -1 : x->cause > y->cause;
}

static struct cause_group *group_of(struct cause_group *groups, size_t *n, const struct cause *cause)
{
	for (size_t i = 0; i < *n; i++)
		if (!strcmp(groups[i].cause->words, cause->words))
			return &groups[i];
	if (*n == CAUSES_MAX)
		return &groups[CAUSES_MAX - 1];
	groups[*n] = (struct cause_group){ .cause = cause };
	return &groups[(*n)++];
}

static int by_name(const void *a, const void *b)
{
	return natural_cmp(*(const char *const *)a, *(const char *const *)b);
}

/* The devices of one cause, folded. */
static void name_devices(const struct model *m, bool never_heard, struct cause_group *g)
{
	const char **names = xcalloc(g->n + 1, sizeof(*names));
	struct buf text = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < model_devices(m) && n < g->n; i++) {
		const struct device *d = model_device(m, i);

		if (is_missing(m, d, never_heard) && !strcmp(cause_of_device(d)->words, g->cause->words))
			names[n++] = d->name;
	}
	qsort(names, n, sizeof(*names), by_name);
	range_fold(names, n, &text);
	snprintf(g->devices, sizeof(g->devices), "%s", text.text ? text.text : "");
	if (text.n >= sizeof(g->devices))
		strcpy(g->devices + sizeof(g->devices) - 5, " ...");
	buf_done(&text);
	free(names);
}

size_t causes_of(const struct model *m, bool never_heard, struct cause_group groups[CAUSES_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < model_devices(m); i++) {
		const struct device *d = model_device(m, i);
		const char *error = device_text(d, FIELD_ERROR);
		struct cause_group *g;

		if (!is_missing(m, d, never_heard))
			continue;
		g = group_of(groups, &n, cause_of_device(d));
		if (!g->n++)
			g->error = error && *error ? cause_without_name(d->name, error) : NULL;
	}
	qsort(groups, n, sizeof(*groups), by_size);
	for (size_t i = 0; i < n; i++)
		name_devices(m, never_heard, &groups[i]);
	return n;
}

void causes_text(const struct cause_group *groups, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%s%zu %s: %s", i ? "; " : "", groups[i].n, groups[i].cause->words, groups[i].devices);
}
