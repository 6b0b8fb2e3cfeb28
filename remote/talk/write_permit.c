#include "remote/talk/write_permit.h"

#include <stdlib.h>
#include <string.h>

#include <uv.h>

#include "core/base/mem.h"

struct write_permit {
	char *reason;
	int64_t until_us;	/* by the monotonic clock */
};

static int64_t now_us(void)
{
	return (int64_t)(uv_hrtime() / 1000);
}

static bool is_forbidden(void)
{
	const char *only = getenv("FABCON_RO");

	return only && strcmp(only, "0") != 0;
}

struct write_permit *write_permit_new(const char *reason, int64_t for_us, struct err *err)
{
	struct span words = span_trim(span_of(reason ? reason : ""));
	struct write_permit *p;

	if (is_forbidden()) {
		err_set(err, "FABCON_RO is set: fabcon is read-only");
		return NULL;
	}
	if (!words.n) {
		err_set(err, "a reason is required: a ticket number, or why");
		return NULL;
	}
	p = xcalloc(1, sizeof(*p));
	p->reason = xstrndup(words.p, words.n);
	p->until_us = now_us() + (for_us > 0 ? for_us : PERMIT_US);
	return p;
}

void write_permit_free(struct write_permit *p)
{
	if (!p)
		return;
	free(p->reason);
	free(p);
}

int64_t write_permit_left_us(const struct write_permit *p)
{
	int64_t left_us = p ? p->until_us - now_us() : 0;

	return left_us > 0 ? left_us : 0;
}

const char *write_permit_reason(const struct write_permit *p)
{
	return p->reason;
}
