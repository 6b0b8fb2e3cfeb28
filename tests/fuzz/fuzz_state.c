/* Any text as the console's state of the last session. */
#include "tui/console/state.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct model *m;
	static uint64_t serial;
	struct view_of of;
	struct stage s = { 0 };
	struct state taken;
	struct err err;

	if (!m)
		m = model_new();
	of = (struct view_of){ .model = m, .fabric = "x", .serial = ++serial };
	state_init(&taken, NULL, false);
	state_read(&taken, &s, &of, (struct span){ (const char *)data, size }, &err);
	stage_done(&s);
	state_done(&taken);
	return 0;
}
