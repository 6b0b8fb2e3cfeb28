#include "remote/platform.h"

#include <string.h>

const struct platform *platform_find(const char *id)
{
	for (size_t i = 0; i < platform_count; i++)
		if (strcmp(platform_table[i]->id, id) == 0)
			return platform_table[i];
	return NULL;
}

const struct probe *platform_probe(const struct platform *p, const char *id)
{
	for (size_t i = 0; i < p->n_probes; i++)
		if (strcmp(p->probes[i].id, id) == 0)
			return &p->probes[i];
	return NULL;
}

const struct platform *platform_identify(struct span identification)
{
	for (size_t i = 0; i < platform_count; i++)
		if (platform_table[i]->is_it(identification))
			return platform_table[i];
	return NULL;
}

/* As a person would have typed it. */
static const char *command_for(const struct probe *probe, const char *port, struct obs *o)
{
	static const char slot[] = "{port}";
	struct span rest = span_of(probe->command);
	struct buf text = { 0 };
	const char *at, *command;

	while (port && (at = span_find(rest, slot))) {
		buf_add(&text, rest.p, (size_t)(at - rest.p));
		buf_str(&text, port);
		rest = span_of(at + strlen(slot));
	}
	buf_add(&text, rest.p, rest.n);
	command = arena_text(&o->arena, text.text, text.n);
	buf_done(&text);
	return command;
}

size_t platform_parse(const struct platform *p, const struct probe *probe, const struct answer *a, struct obs *o)
{
	size_t n;

	(void)p;
	o->probe = probe->id;
	o->subject = a->port;
	o->command = command_for(probe, a->port, o);
	o->rank = probe->rank ? probe->rank : 10;
	o->is_partial = a->is_partial;
	o->raw = a->text;
	o->cite = CITE_NONE;
	n = probe->parse(a, o);
	if (probe->proof && strcmp(probe->proof, "unproven") == 0)
		for (size_t i = 0; i < o->n; i++)
			o->facts[i].value.is_unproven = true;
	return n;
}
