#include "tests/lib/command_internal.h"

#include <string.h>

static struct {
	const char *system, *tables;
	struct grammar grammar;		/* read when it is first needed, and kept */
} systems[] = {
	{ "linux", "shell linux" }, { "linux/mlx5_core", "shell linux mlnx" }, { "linux/mlnx_qos", "shell linux mlnx" },
	{ "linux/ofed", "shell linux mlnx" }, { "sonic", "shell sonic" }, { "os10", "os10" },
};

static bool fits(const char *system, const char *command, bool asks_sudo, struct err *err)
{
	for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++) {
		struct grammar *g = &systems[i].grammar;

		if (strcmp(systems[i].system, system) != 0)
			continue;
		if (!g->n_rules)
			read_grammar(g, systems[i].tables);
		g->asks_sudo = asks_sudo;
		return g->n_modes ? switch_fits(g, command, err) : shell_fits(g, command, 0, err);
	}
	return err_set(err, "%s: no table", system);
}

bool command_fits(const char *system, const char *command, struct err *err)
{
	return fits(system, command, false, err);
}

bool command_can_be_typed(const char *system, const char *command, struct err *err)
{
	return fits(system, command, true, err);
}
