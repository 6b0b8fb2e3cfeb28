/* What the program's exit code means: one meaning each, told by the manual page and `fabcon help exit-codes`. */
#include "tui/args/exits.h"

const struct exit_row exit_table[] = {
	{ EXIT_DONE, "0", "done; for check: judged, no finding at or above --fail-on" },
	{ EXIT_FINDINGS, "1", "findings at or above --fail-on (diagnose: a cause is named), even if some devices were not read (JSON: "
	  "complete is false)" },
	{ EXIT_USAGE, "2", "usage or configuration error; a named file does not exist" },
	{ EXIT_PARTIAL, "3", "some devices could not be read; the result is still printed" },
	{ EXIT_NO_TARGET, "4", "no device could be read" },
	{ EXIT_INTERNAL, "5", "internal error" },
	{ EXIT_TAKEN_BACK, "7", "a fix failed and was rolled back, and every device was read back as it was before" },
	{ EXIT_DOUBT, "8", "a device or a link is in an unknown state, or was changed in part: see fabcon verify" },
	{ EXIT_REFUSED, "9", "refused, and nothing was changed: read-only, stale plan, not approved, locked by another" },
	{ EXIT_RECORDING, "10", "the recording, or the audit, is damaged or too new" },
	{ EXIT_UNJUDGED, "11", "devices answered, but nothing could be judged: no RDMA port, or its source could not be read" },
	{ 128 + 2, "130, 143", "ended by SIGINT or SIGTERM, after clean-up (record: 0)" },
};
const size_t exit_count = sizeof(exit_table) / sizeof(*exit_table);

void exits_print(FILE *out)
{
	for (size_t i = 0; i < exit_count; i++)
		fprintf(out, "  %-9s %s\n", exit_table[i].codes, exit_table[i].words);
}
