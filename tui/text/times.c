#include "tui/text/times.h"

#include <stdlib.h>
#include <time.h>

#include "core/base/span.h"
#include "core/model/model.h"

bool parse_duration(const char *text, int64_t *out, struct err *err)
{
	static const struct {
		const char *unit;
		double us;
	} units[] = { { "", 1e6 }, { "s", 1e6 }, { "ms", 1e3 }, { "m", 60e6 }, { "h", 3600e6 }, { "d", 86400e6 } };
	char *end;
	double n = strtod(text, &end);

	for (size_t i = 0; end != text && i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(end, units[i].unit) == 0 && n >= 0 && n * units[i].us < 1e17) {
			*out = (int64_t)(n * units[i].us);
			return true;
		}
	}
	return err_set(err, "not a length of time (30s, 10m, 2h): \"%s\"", text);
}

/* The fraction of a second at *text, which it is moved past. */
static int64_t fraction(const char **text)
{
	int64_t us = 0, scale = 100000;

	if (**text != '.')
		return 0;
	for ((*text)++; **text >= '0' && **text <= '9'; (*text)++, scale /= 10)
		us += (**text - '0') * scale;
	return us;
}

static bool to_us(struct tm *tm, const char *rest, int64_t *out)
{
	int64_t us = fraction(&rest);

	if (*rest && strcmp(rest, "Z") != 0)
		return false;
	*out = (int64_t)timegm(tm) * SECOND + us;
	return true;
}

bool parse_time(const char *text, int64_t last_us, int64_t *out, struct err *err)
{
	static const char *const forms[] = { "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M",
					     "%H:%M:%S", "%H:%M" };
	time_t last = (time_t)(last_us / SECOND);
	int64_t back = 0;

	if (*text == '-' && parse_duration(text + 1, &back, err)) {
		*out = last_us - back;
		return true;
	}
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		struct tm tm;
		const char *rest;

		gmtime_r(&last, &tm);	/* the day that a bare "14:26" means */
		tm.tm_sec = 0;
		rest = strptime(text, forms[i], &tm);
		if (rest && to_us(&tm, rest, out))
			return true;
	}
	return err_set(err, "not a time (14:26, \"2026-09-12 14:26\", 2026-09-12T14:26:03Z, -10m): \"%s\"", text);
}
