/*
 * Systems that are recognised so that they can be named, and then left alone: their dialects are not spoken. A row each,
 * after the spoken ones in platform_table.
 */
#ifndef REMOTE_PLATFORM_IDENTIFY_H
#define REMOTE_PLATFORM_IDENTIFY_H

#include "remote/platform/platform.h"

extern const struct platform identify_os9, identify_os6, identify_enterprise_sonic, identify_eos, identify_nxos,
	identify_cumulus, identify_onyx, identify_junos;

#endif
