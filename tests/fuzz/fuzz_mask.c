/* Any text: hiding keeps the length and the lines, and writes only stars and zeros. */
#include <ctype.h>
#include <stdlib.h>

#include "remote/platform/mask.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + !size);	/* of its own, so that a byte beyond it is seen */
	char quoted[121];

	memcpy(text, data, size);
	mask_secrets(text, size);
	for (size_t i = 0; i < size; i++)
		if (text[i] != (char)data[i] && text[i] != '*' && (text[i] != '0' || !isdigit(data[i])))
			abort();
		else if (data[i] == '\n' && text[i] != '\n')
			abort();
	mask_quote(quoted, sizeof(quoted), (struct span){ (const char *)data, size });
	mask_quote_last(quoted, sizeof(quoted), (struct span){ (const char *)data, size });
	free(text);
	return 0;
}
