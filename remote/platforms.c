/* Every platform that is known, in the order they are asked whether it is theirs: the particular before the general. */
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
