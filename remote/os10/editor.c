#include "remote/os10/editor.h"

#include <stdio.h>
#include <stdlib.h>

bool editor_any_said(const uint64_t *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] != UNSAID)
			return true;
	return false;
}

struct os10_part *editor_port_lines(struct editor *e, const struct port_edit *p)
{
	return &os10_find(e->tree, OS10_PORT, p->port)->parts[0];
}

struct os10_want *editor_wants_new(struct editor *e)
{
	struct os10_want *list = xcalloc(e->n + 1, sizeof(*list));

	for (size_t i = 0; i < e->n; i++)
		list[i].port = e->ports[i].port;
	return list;
}

void editor_wants_free(struct editor *e, struct os10_want *list)
{
	for (size_t i = 0; i < e->n; i++)
		os10_want_done(&list[i]);
	free(list);
}

void editor_want_begin(struct editor *e, struct os10_want *w, enum os10_kind kind, const char *key, const char *bound)
{
	const char *name = bound ? bound : os10_common(e->tree, key);

	os10_want_init(e->tree, w, kind, name);
	w->is_wanted = true;
	if (!bound)
		w->old = NULL;
}

struct os10_part *editor_need_class(struct editor *e, struct os10_block *policy, enum os10_kind kind, unsigned number)
{
	char header[128];

	for (size_t i = 1; i < policy->n; i++)
		if (os10_class_matches(e->tree, kind, &policy->parts[i]) == UINT64_C(1) << number)
			return &policy->parts[i];
	snprintf(header, sizeof(header), "class %.100s", os10_class_for(e->tree, kind, number));
	return os10_add_part(e->tree, policy, header);
}
