/* What the words of a "show" ask for. */
#ifndef REMOTE_LAB_SONIC_ASKED_H
#define REMOTE_LAB_SONIC_ASKED_H

#include "remote/lab/server/tools.h"

static inline const struct lab_port *port_at(const struct tool_call *t, unsigned i)
{
	return &t->fabric->ports[t->device->first + i];
}
/* Whether the command named this port, or none at all. */
bool is_asked(const struct tool_call *t, const struct lab_port *p);
bool has_word(const struct tool_call *t, const char *word);

#endif
