/*
 * A log of the application that a person brings along: told to the model host by host, as any other observation, as soon
 * as there is a device for the host.
 */
#ifndef TUI_SESSION_APP_LOG_H
#define TUI_SESSION_APP_LOG_H

#include "core/model/model.h"

struct applog;

/*
 * "FILE", "-" for standard input, or "HOST=FILE": what perftest printed on that host, for it names none. NULL also with a
 * file that is neither NCCL's log nor a test.
 */
struct applog *applog_read(const char *file, struct err *err);
void applog_free(struct applog *l);

/* Tells what has not been told yet and has a device by now: of that name, of that short name, or calling itself so. */
void applog_tell(struct applog *l, const struct model *m, int64_t at_us, void (*observe)(void *ctx, struct obs *o), void *ctx);
/* The model begins anew: everything is to be told again. */
void applog_untell(struct applog *l);
/* What of it no device here stands for, a sentence a line; nothing when there is none. */
void applog_untold(const struct applog *l, struct buf *out);

#endif
