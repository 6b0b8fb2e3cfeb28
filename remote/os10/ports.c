/* What every parser of OS10 needs: the one name of a port, a refusal in the device's words, and whether it is OS10 at all. */
#include <ctype.h>
#include <stdio.h>

#include "remote/os10/os10.h"

bool os10_port_name(struct span printed, char out[64])
{
	static const char *const words[] = { "ethernet", "eth" };
	struct span rest = span_trim(printed);
	bool named = false;

	for (size_t i = 0; i < 2 && !named; i++) {
		named = span_starts_nocase(rest, words[i]);
		if (named)
			rest = (struct span){ rest.p + strlen(words[i]), rest.n - strlen(words[i]) };
	}
	rest = span_trim(rest);
	if (!named || rest.n == 0 || rest.n > 40 || !isdigit((unsigned char)*rest.p) || !memchr(rest.p, '/', rest.n))
		return false;
	for (size_t i = 0; i < rest.n; i++)
		if (!isdigit((unsigned char)rest.p[i]) && rest.p[i] != '/' && rest.p[i] != ':')
			return false;
	if (!isdigit((unsigned char)rest.p[rest.n - 1]))
		return false;
	snprintf(out, 64, "ethernet%.*s", (int)rest.n, rest.p);
	return true;
}

uint16_t os10_port(struct obs *o, struct span printed)
{
	char name[64];

	return os10_port_name(printed, name) ? obs_port(o, span_of(name)) : OBS_DEVICE;
}

bool os10_refused(struct span text, char reason[128])
{
	struct span line;

	while (span_line(&text, &line)) {
		line = span_trim(line);
		if (line.n == 0)
			continue;
		if (!span_starts(line, "% Error"))
			return false;
		snprintf(reason, 128, "%.*s", (int)(line.n < 120 ? line.n : 120), line.p);
		return true;
	}
	return false;
}

/* Four spellings of the first line are known; "OS Version: 10." is in all. Enterprise SONiC and OS9 have neither. */
bool os10_is_it(struct span text)
{
	return span_find(text, "OS Version: 10.") &&
	       (span_find(text, "Networking OS10") || span_find(text, "SmartFabric OS10"));
}
