/* Any text as a cable plan, whatever its form; what was understood is written as CSV, and that is a plan too. */
#include "core/fabric/cable_plan.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct inventory inv = { 0 };
	struct buf out = { 0 };
	struct err err;

	if (cable_plan_read(&inv, (struct span){ (const char *)data, size }, "plan", &err))
		cable_plan_text(&inv, &out);
	buf_done(&out);
	inventory_done(&inv);
	return 0;
}
