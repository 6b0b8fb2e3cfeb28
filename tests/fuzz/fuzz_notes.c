/* What is typed as a note: of printable characters alone, and no longer than a note may be. */
#include "tui/session/notes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *typed = xstrndup((const char *)data, size), out[NOTE_MAX + 1];

	if (note_text(typed, out))
		for (const char *p = out; *p; p++)
			if ((unsigned char)*p < ' ' || *p == 0x7f)
				abort();
	free(typed);
	return 0;
}
