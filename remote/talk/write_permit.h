/*
 * The permission to write. Without one no session sends anything but the questions of its platform's tables: remote/talk/send_filter.h
 * sees to it at the last place before libssh. It is asked for with a reason, and runs out by itself.
 */
#ifndef REMOTE_TALK_WRITE_PERMIT_H
#define REMOTE_TALK_WRITE_PERMIT_H

#include <stdint.h>

#include "core/base/err.h"

struct write_permit;

#define PERMIT_US INT64_C(900000000)	/* a quarter of an hour */

/*
 * reason: "INC-42", of a person. for_us 0: PERMIT_US. NULL, and why, when FABCON_RO is set (to anything but 0), or when the
 * reason is empty.
 */
struct write_permit *write_permit_new(const char *reason, int64_t for_us, struct err *err);
void write_permit_free(struct write_permit *p);
/* Monotonic time; 0: it has run out, and nothing new may begin. What has begun is finished or taken back all the same. */
int64_t write_permit_left_us(const struct write_permit *p);
const char *write_permit_reason(const struct write_permit *p);

#endif
