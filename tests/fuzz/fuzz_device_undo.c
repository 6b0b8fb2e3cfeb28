/* What a device may print of a lock, a timer and a step of ours. */
#include <assert.h>
#include <stdlib.h>

#include "remote/fixer/device_undo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void assert_plain(const char *text, size_t size)
{
	size_t n = strnlen(text, size);

	assert(n < size);
	for (size_t i = 0; i < n; i++)
		assert((unsigned char)text[i] >= ' ' && text[i] != 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct device_undo_report r;
	char *text = malloc(size + 1);	/* of its own, so that a read past the end is seen */

	memcpy(text, data, size);
	device_undo_read((struct span){ text, size }, &r);
	free(text);
	assert_plain(r.holder, sizeof(r.holder));
	assert_plain(r.session_port, sizeof(r.session_port));
	assert_plain(r.error, sizeof(r.error));
	assert(r.left_s >= 0 && !(r.is_kept && r.is_undone));
	return 0;
}
