#include "remote/lab/world/system.h"

#include <string.h>

const struct lab_fault *system_fault(const struct lab_system *system, const char *name)
{
	for (const struct lab_fault *fault = system->faults; fault->name; fault++)
		if (!strcmp(fault->name, name))
			return fault;
	return NULL;
}
