#include "remote/lab/sonic/asked.h"

bool is_asked(const struct tool_call *t, const struct lab_port *p)
{
	bool is_any = false;

	for (int i = 2; i < t->argc; i++) {
		if (!strncmp(t->argv[i], "Ethernet", 8))
			is_any = true;
		if (is_word(t->argv[i], p->name))
			return true;
	}
	return !is_any;
}

bool has_word(const struct tool_call *t, const char *word)
{
	for (int i = 1; i < t->argc; i++)
		if (is_word(t->argv[i], word))
			return true;
	return false;
}
