#include "remote/platform/dialect.h"

#include <string.h>

/* A platform that is not here is only read. */
static const struct {
	const char *platform;
	const struct dialect *dialect;
} dialect_table[] = {
	{ "os10", &os10_dialect },
	{ "linux", &linux_dialect },
	{ "sonic", &sonic_dialect },
	{ NULL, NULL },
};

const struct dialect *dialect_find(const char *platform)
{
	for (size_t i = 0; platform && dialect_table[i].platform; i++)
		if (!strcmp(dialect_table[i].platform, platform))
			return dialect_table[i].dialect;
	return NULL;
}

bool dialect_can_set(const char *platform, enum field f, bool of_port)
{
	const struct dialect *d = dialect_find(platform);

	return d && d->can_set(f, of_port);
}
