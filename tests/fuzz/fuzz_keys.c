/* Any keys on the console: a byte is a character, those from 0x80 are the keys that curses has no character for. */
#include <curses.h>

#include "tests/fuzz/fabric.h"
#include "tui/console/stage.h"

#define KEYS_TRIED 256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct view_of of = fabric_view();
	struct stage s = { 0 };

	for (size_t i = 0; i < size && i < KEYS_TRIED; i++)
		stage_key(&s, &of, data[i] < 0x80 ? data[i] : KEY_MIN + (data[i] & 0x7f));
	stage_done(&s);
	return 0;
}
