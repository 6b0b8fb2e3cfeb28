#include "remote/lab/systems.h"

#include <stdio.h>

extern const struct lab_system lab_linux, lab_os10, lab_sonic;	/* each in system.c of its folder */

const struct lab_system *const lab_systems[] = { &lab_linux, &lab_os10, &lab_sonic, NULL };

const struct lab_system *lab_system_named(struct span name)
{
	for (const struct lab_system *const *system = lab_systems; *system; system++)
		if (span_is(name, (*system)->name))
			return *system;
	return NULL;
}

void lab_system_names(bool of_switches, const char *between, const char *last, char *out, size_t size)
{
	size_t n = 0;

	for (const struct lab_system *const *system = lab_systems; *system; system++) {
		const char *before = !n ? "" : system[1] ? between : last;

		if (n < size && (!of_switches || (*system)->is_switch))
			n += (size_t)snprintf(out + n, size - n, "%s%s", before, (*system)->name);
	}
}
