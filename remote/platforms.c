/* Every platform that is known, in the order they are asked whether it is theirs: the particular before the general. */
#include "remote/linux.h"

const struct platform *const platform_table[] = {
	&linux_platform,
};

const size_t platform_count = sizeof(platform_table) / sizeof(*platform_table);
