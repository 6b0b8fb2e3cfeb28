#include "core/bringup/others.h"

#include <stdio.h>
#include <string.h>

/* The word behind another in a line; n 0: it is not there. */
static struct span behind(struct span line, const char *name)
{
	struct span word;

	while (span_word(&line, &word))
		if (span_is(word, name))
			return span_word(&line, &word) ? word : (struct span){ NULL, 0 };
	return (struct span){ NULL, 0 };
}

static bool is_on(struct span link, const char *device)
{
	struct span name, port;

	return span_cut(link, '/', &name, &port) && span_is(name, device);
}

void bringup_others_read(struct span text, int status, const char *device, struct bringup_others *o)
{
	struct span line;

	*o = (struct bringup_others){ .is_known = status == 0 };
	while (o->is_known && span_line(&text, &line)) {
		struct span comm = behind(line, "comm"), pid = behind(line, "pid");

		if (!is_on(behind(line, "link"), device) || (!pid.n && !span_is(comm, "[ib_uverbs]") && !span_is(comm, "ib_uverbs")))
			continue;
		if (!o->n++)
			snprintf(o->who, sizeof(o->who), "%.*s%s%.*s%s", comm.n ? (int)comm.n : 1, comm.n ? comm.p : "?", pid.n ? " (pid " : "",
				 (int)pid.n, pid.n ? pid.p : "", pid.n ? ")" : "");
	}
}
