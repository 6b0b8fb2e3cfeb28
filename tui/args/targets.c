#include "tui/args/targets.h"

#include <stdlib.h>

static void add_target(void *ctx, const char *name)
{
	struct targets *t = ctx;

	*GROW(t->names, t->n, t->cap) = xstrdup(name);
	t->n++;
}

void targets_read(struct targets *t, const struct cli *cli)
{
	struct err err;

	for (int i = 0; i < cli->n_args; i++) {
		if (strstr(cli->args[i], " - "))	/* the name of a link */
			add_target(t, cli->args[i]);
		else if (!range_expand(cli->args[i], add_target, t, &err))
			complain(0, "%s", err.text);
	}
}

void targets_done(struct targets *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->names[i]);
	free(t->names);
}

static bool is_end(const struct port *p, const char *target)
{
	size_t n = p ? strlen(p->device->name) : 0;

	if (!p || strncmp(p->device->name, target, n) != 0)
		return false;
	return !target[n] || (target[n] == ':' && strcmp(target + n + 1, p->name) == 0);
}

static bool names_link(const char *target, const struct link *link)
{
	return is_end(link->a, target) || is_end(link->b, target) || strcmp(link->name, target) == 0;
}

bool targets_have(const struct targets *t, const struct link *link)
{
	for (size_t i = 0; i < t->n; i++)
		if (names_link(t->names[i], link))
			return true;
	return false;
}

static bool is_on_a_link(const char *target, const struct links *links)
{
	for (size_t i = 0; i < links->n; i++)
		if (names_link(target, &links->list[i]))
			return true;
	return false;
}

void targets_complain(const struct targets *t, struct cli *cli, const struct model *m, const struct links *links)
{
	for (size_t i = 0; i < t->n; i++)
		if (!is_on_a_link(t->names[i], links))
			complain_of_target(cli, t->names[i], device_near(m, t->names[i]));
}
