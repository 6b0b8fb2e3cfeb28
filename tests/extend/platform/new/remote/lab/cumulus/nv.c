#include "remote/lab/cumulus/nv.h"

#include <stdlib.h>

struct nv_config *nv_copy(const struct nv_config *c)
{
	size_t size = sizeof(*c) + c->n * sizeof(*c->ports);

	return memcpy(xmalloc(size), c, size);
}

void nv_set(struct nv_config **to, const struct nv_config *c)
{
	struct nv_config *copy = nv_copy(c);

	free(*to);
	*to = copy;
}

void nv_print(const struct fabric *f, const struct lab_device *d, const struct nv_config *c, struct buf *out)
{
	for (unsigned i = 0; i < c->n; i++) {
		const char *name = f->ports[d->first + i].name;

		buf_printf(out, "nv set interface %s link mtu %u\n", name, c->ports[i].mtu);
		buf_printf(out, "nv set interface %s link state %s\n", name, c->ports[i].is_shut ? "down" : "up");
	}
	buf_printf(out, "nv set system hostname %s\n", d->name);
}

static bool has_words(const struct tool_call *t, const char *first, const char *second)
{
	return t->argc > 2 && is_word(t->argv[1], first) && is_word(t->argv[2], second);
}

/* nv set interface PORT link mtu N */
static int set_link(struct tool_call *t)
{
	struct lab_port *p = t->argc == 7 && is_word(t->argv[2], "interface") ? tool_port(t, t->argv[3]) : NULL;
	struct nv_port *port = p ? &nv_of(t->device)->pending->ports[p->number - 1] : NULL;

	if (port && is_word(t->argv[5], "mtu"))
		port->mtu = (unsigned)atoi(t->argv[6]);
	else if (port && is_word(t->argv[5], "state"))
		port->is_shut = is_word(t->argv[6], "down");
	else
		buf_str(t->errors, "Error: no such setting\n");
	return t->errors->n ? 1 : 0;
}

int tool_nv(struct tool_call *t)
{
	struct nv_switch *own = nv_of(t->device);

	if (has_words(t, "config", "show"))
		nv_print(t->fabric, t->device, own->runs, t->out);
	else if (has_words(t, "config", "save"))
		nv_set(&own->saved, own->runs);
	else if (t->argc > 1 && is_word(t->argv[1], "set"))
		return set_link(t);
	else if (has_words(t, "config", "apply"))
		nv_set(&own->runs, own->pending);
	else
		buf_str(t->errors, "Error: unknown command\n");
	t->is_changed = has_words(t, "config", "apply");
	return t->errors->n ? 1 : 0;
}
