#include "tests/lib/typed.h"

#include <string.h>

#include <jansson.h>

#include "core/base/span.h"
#include "tests/lib/command_grammar.h"
#include "tests/lib/say.h"

bool typed_has_slot(const char *command)
{
	static const char *const names[] = { "PORT", "DEVICE", "GID_INDEX", "TOS", "PRIORITY", "HOST" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *at = strstr(command, names[i]);

		if (at && (at == command || at[-1] == ' ') && (!at[strlen(names[i])] || at[strlen(names[i])] == ' '))
			return true;
	}
	return strchr(command, '<') || strstr(command, "{port}") || strstr(command, "...");
}

/* "echo '[{…}]' >patch.json" writes a patch of JSON beside the person. False: it is another command. */
static bool is_patch(const char *command)
{
	const char *begin = strchr(command, '\''), *end = strrchr(command, '\'');
	json_t *patch;
	bool is_so;

	if (strncmp(command, "echo '[", 7) != 0 || !end || strcmp(end, "' >patch.json") != 0)
		return false;
	patch = json_loadb(begin + 1, (size_t)(end - begin - 1), 0, NULL);
	is_so = json_array_size(patch) > 0;
	json_decref(patch);
	return is_so;
}

/* Lines of OS10 lead from mode to mode and are read as one; elsewhere each line is a command. */
unsigned typed_fits(const char *of, const char *system, const char *commands)
{
	bool is_os10 = strcmp(system, "os10") == 0;
	struct span rest = span_of(commands), line;
	struct err err;
	unsigned n = 0;

	if (is_os10 && !command_fits(system, commands, &err))
		fail_msg("%s on %s:\n%s\n%s", of, system, commands, err.text);
	for (; span_line(&rest, &line); n++) {
		char *text = xstrndup(line.p, line.n);

		if (typed_has_slot(text))
			fail_msg("%s on %s: an open slot in %s", of, system, text);
		if (!is_os10 && !is_patch(text) && !command_can_be_typed(system, text, &err))
			fail_msg("%s on %s: %s: %s", of, system, text, err.text);
		free(text);
	}
	return n;
}
