#include "remote/platforms.h"

#include <string.h>

#include "remote/linux/linux.h"
#include "remote/os10/os10.h"
#include "remote/platform/identify.h"
#include "remote/sonic/sonic.h"

const struct platform *const platform_table[] = {
	&identify_enterprise_sonic,
	&sonic_platform,
	&identify_cumulus,
	&os10_platform,
	&identify_os9,
	&identify_os6,
	&identify_eos,
	&identify_nxos,
	&identify_onyx,
	&identify_junos,
	&linux_platform,
};

const size_t platform_count = sizeof(platform_table) / sizeof(*platform_table);

const struct platform *platform_find(const char *id)
{
	for (size_t i = 0; i < platform_count; i++)
		if (strcmp(platform_table[i]->id, id) == 0)
			return platform_table[i];
	return NULL;
}

const struct platform *platform_of_banner(struct span banner)
{
	for (size_t i = 0; i < platform_count; i++)
		if (platform_table[i]->banner && span_find(banner, platform_table[i]->banner))
			return platform_table[i];
	return NULL;
}

const struct platform *platform_identify(struct span identification)
{
	for (size_t i = 0; i < platform_count; i++)
		if (platform_table[i]->is_it(identification))
			return platform_table[i];
	return NULL;
}

int64_t platforms_refresh_us(const char *id)
{
	int64_t most = 0;

	for (size_t i = 0; id && i < platform_count; i++) {
		const struct probe *probe = platform_probe(platform_table[i], id);

		if (probe && probe->refresh_us > most)
			most = probe->refresh_us;
	}
	return most;
}

const struct dialect *dialect_find(const char *platform)
{
	const struct platform *p = platform ? platform_find(platform) : NULL;

	return p ? p->dialect : NULL;
}

bool dialect_can_set(const char *platform, enum field f, bool of_port)
{
	const struct dialect *d = dialect_find(platform);

	return d && d->can_set(f, of_port);
}
