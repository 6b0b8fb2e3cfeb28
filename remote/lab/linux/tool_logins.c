/* who and last of a host that keeps login records: as coreutils and util-linux print them. "ctl login" makes the records. */
#include <time.h>

#include "remote/lab/linux/tools.h"

static void put_time(struct buf *out, const char *format, int64_t s)
{
	time_t t = (time_t)s;
	struct tm tm;
	char text[40];

	gmtime_r(&t, &tm);
	strftime(text, sizeof(text), format, &tm);
	buf_str(out, text);
}

/* In the C locale: no year, and whole minutes. */
int tool_who(struct tool_call *t)
{
	for (unsigned i = 0; i < t->device->n_logins; i++) {
		const struct lab_login *l = &t->device->logins[i];

		if (l->until_s)
			continue;
		buf_printf(t->out, "%-8s pts/%-8u ", l->user, i);
		put_time(t->out, "%b %e %H:%M", l->since_s);
		buf_printf(t->out, " (%s)\n", l->from);
	}
	return 0;
}

/* Newest first; --time-format iso is what it is asked for. */
int tool_last(struct tool_call *t)
{
	if (!t->device->n_logins) {
		buf_str(t->errors, "last: cannot open /var/log/wtmp: No such file or directory\n");
		return 1;
	}
	for (unsigned i = t->device->n_logins; i-- > 0;) {
		const struct lab_login *l = &t->device->logins[i];
		long long took = (long long)(l->until_s - l->since_s);

		buf_printf(t->out, "%-8s pts/%-8u %-16s ", l->user, i, l->from);
		put_time(t->out, "%Y-%m-%dT%H:%M:%S+00:00", l->since_s);
		buf_str(t->out, l->until_s ? " - " : "   still logged in\n");
		if (!l->until_s)
			continue;
		put_time(t->out, "%Y-%m-%dT%H:%M:%S+00:00", l->until_s);
		buf_printf(t->out, "  (%02lld:%02lld)\n", took / 3600, took / 60 % 60);
	}
	buf_str(t->out, "\nwtmp begins ");
	put_time(t->out, "%Y-%m-%dT%H:%M:%S+00:00\n", t->device->logins[0].since_s);
	return 0;
}
