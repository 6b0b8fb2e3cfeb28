/* Any text as the console's state of the last session. */
#include "tests/fuzz/fabric.h"
#include "tui/console/state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct view_of of = fabric_view();
	struct stage s = { 0 };
	struct state taken;
	struct err err;

	state_init(&taken, NULL, false);
	state_read(&taken, &s, &of, (struct span){ (const char *)data, size }, &err);
	stage_done(&s);
	state_done(&taken);
	return 0;
}
