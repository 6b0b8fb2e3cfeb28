/*
 * Whether answers came whole. A setting that no whole answer has told may be anything, and one that an older answer told may
 * be otherwise by now: neither is compared with a plan.
 */
#ifndef REMOTE_PLATFORM_WHOLE_H
#define REMOTE_PLATFORM_WHOLE_H

#include "core/model/model.h"

/* Whether the device has answered the probe at all, whole or cut short. */
bool has_answered(const struct device *d, const char *probe);

/*
 * True when the device has answered the probe whole since then (since_us 0: ever). subject: the port that was asked about, or
 * NULL: any. False: err names the read that is missing.
 */
bool whole_answer(const struct device *d, const char *probe, const char *subject, int64_t since_us, struct err *err);

#endif
