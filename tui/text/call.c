#include "tui/text/call.h"

#include <string.h>

#include "core/base/mem.h"

/* What a shell takes as it stands. */
#define PLAIN	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789,:/._@%+=-"

static struct buf call;

void call_add(const char *option, const char *value)
{
	if (!call.n)
		buf_str(&call, "fabcon");
	buf_printf(&call, " %s ", option);
	if (*value && !value[strspn(value, PLAIN)]) {
		buf_str(&call, value);
		return;
	}
	buf_str(&call, "'");
	for (; *value; value++)
		buf_add(&call, *value == '\'' ? "'\\''" : value, *value == '\'' ? 4 : 1);
	buf_str(&call, "'");
}

const char *call_words(void)
{
	return call.n ? call.text : "fabcon";
}
