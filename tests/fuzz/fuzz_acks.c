/* Any text as acknowledgements: what was understood is written, and read again it is the same. */
#include <stdlib.h>
#include <string.h>

#include "core/judge/ack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_typed(struct span text)
{
	char *typed = xstrndup(text.p, text.n);
	const char *reason;
	int64_t until_us;
	struct err err;

	ack_typed(typed, INT64_C(1790000000) * SECOND, &until_us, &reason, &err);
	free(typed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = { (const char *)data, size };
	struct acks read = { NULL }, again = { NULL };
	struct buf once = { 0 }, twice = { 0 };

	acks_read(&read, text);
	acks_print(&read, &once);
	if (acks_read(&again, buf_span(&once)) && once.n)
		abort();
	acks_print(&again, &twice);
	if (once.n != twice.n || (once.n && memcmp(once.text, twice.text, once.n) != 0))
		abort();
	read_typed(text);
	buf_done(&once);
	buf_done(&twice);
	acks_done(&read);
	acks_done(&again);
	return 0;
}
