/* Any text as config.yaml, keys among it; and a setting written into it, after which it has that value or is refused. */
#include "tui/session/config.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = { (const char *)data, size };
	struct buf out = { 0 };
	struct config c;
	struct err err;

	config_init(&c);
	config_read(&c, text, "c.yaml");
	config_done(&c);
	config_set(text, "theme", "light", &out, &err);
	buf_done(&out);
	return 0;
}
