#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/trials/moment.h"

static bool is_turn(json_t *event)
{
	static const char *const kinds[] = { "look", "warn", "fail", "closed" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(text_of(event, "kind"), kinds[i]))
			return true;
	return false;
}

size_t surfaces_turns(const char *file, size_t most, char at[][SURFACES_AT])
{
	json_t *sheet = surfaces_sheet(file, NULL, "events"), *times = json_array(), *event;
	size_t i, n;

	json_array_foreach(rows_of(sheet), i, event) {
		const char *last = json_string_value(json_array_get(times, json_array_size(times) - 1));

		if (is_turn(event) && (!last || strcmp(last, text_of(event, "at"))))
			json_array_append(times, json_object_get(event, "at"));
	}
	n = json_array_size(times) < most ? json_array_size(times) : most;
	for (i = 0; i < n; i++)
		snprintf(at[i], SURFACES_AT, "%s", json_string_value(json_array_get(times, i * json_array_size(times) / n)));
	json_decref(times);
	json_decref(sheet);
	return n;
}
