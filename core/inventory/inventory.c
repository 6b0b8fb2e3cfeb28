#include "core/inventory/inventory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/inventory/draft.h"

void inventory_init(struct inventory *inv)
{
	*inv = (struct inventory){ 0 };
}

void inventory_done(struct inventory *inv)
{
	for (size_t i = 0; i < inv->n_hosts; i++)
		free(inv->hosts[i].groups);
	free(inv->hosts);
	free(inv->cables);
	free(inv->notes.list);
	routes_done(&inv->routes);
	arena_done(&inv->arena);
	*inv = (struct inventory){ 0 };
}

const struct host *inventory_find(const struct inventory *inv, const char *name)
{
	for (size_t i = 0; i < inv->n_hosts; i++)
		if (strcmp(inv->hosts[i].name, name) == 0)
			return &inv->hosts[i];
	return NULL;
}

void inventory_note(struct inventory *inv, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) >= 0) {
		*GROW(inv->notes.list, inv->notes.n, inv->notes.cap) = arena_text(&inv->arena, text, strlen(text));
		inv->notes.n++;
		free(text);
	}
	va_end(args);
}

bool inventory_add_cable(struct inventory *inv, const char *const ends[4], struct err *err)
{
	const char *kept[4];

	for (size_t i = 0; i < 4; i++) {
		if (!inventory_name_ok(ends[i], i % 2 ? PORT_ALSO : NAME_ALSO, 63))
			return err_set(err, "not a %s name: %.80s", i % 2 ? "port" : "device", ends[i]);
		kept[i] = arena_text(&inv->arena, ends[i], strlen(ends[i]));
	}
	*GROW(inv->cables, inv->n_cables, inv->cap_cables) = (struct cable){ kept[0], kept[1], kept[2], kept[3] };
	inv->n_cables++;
	return true;
}
