#include "remote/lab/server/tools.h"

struct lab_port *tool_port(const struct tool_call *t, const char *name)
{
	return name ? fabric_port(t->fabric, t->device, span_of(name)) : NULL;
}

int tool_run(struct tool_call *t)
{
	for (const struct tool *tool = t->device->system->tools; t->argc && tool->name; tool++)
		if (!strcmp(tool->name, t->argv[0]))
			return tool->run(t);
	buf_printf(t->errors, "%s: command not found\n", t->argc ? t->argv[0] : "");
	return 127;
}
