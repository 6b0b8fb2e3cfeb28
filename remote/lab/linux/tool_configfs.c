/* mkdir and rmdir in rdma_cm's configfs: the kernel fills what is made, and keeps the value of what is taken away. */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "remote/lab/linux/tools.h"
#include "remote/lab/server/view.h"

#define RDMA_CM	"/sys/kernel/config/rdma_cm/"

/* The port whose RDMA device the path names, and nothing below it. */
static const struct lab_port *port_of(const struct tool_call *t, const char *path)
{
	struct span name = span_of(path);

	if (!span_skip(&name, RDMA_CM))
		return NULL;
	for (unsigned i = 0; i < t->device->n; i++)
		if (span_is(name, t->fabric->ports[t->device->first + i].rdma))
			return &t->fabric->ports[t->device->first + i];
	return NULL;
}

static char *place_of(const struct tool_call *t, const char *path)
{
	return xasprintf("%s/nodes/%s%s", server_dir(t->server), t->device->name, path);
}

static bool is_parents(const struct tool_call *t)
{
	return t->argc > 2 && is_word(t->argv[1], "-p");
}

int tool_mkdir(struct tool_call *t)
{
	const char *path = t->argc > 1 ? t->argv[t->argc - 1] : "";
	char *place = place_of(t, path);
	bool is_made = false;

	if (port_of(t, path)) {
		is_made = mkdir(place, 0755) == 0 || (is_parents(t) && errno == EEXIST);
		if (!is_made)
			buf_printf(t->errors, "mkdir: cannot create directory '%s': File exists\n", path);
	} else
		buf_printf(t->errors, "mkdir: cannot create directory '%s': No such device\n", path);
	free(place);
	if (is_made) {
		view_settings(t->fabric, t->device, server_dir(t->server));
	}
	return is_made ? 0 : 1;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

int tool_rmdir(struct tool_call *t)
{
	const char *path = t->argc > 1 ? t->argv[t->argc - 1] : "";
	char *place = place_of(t, path);
	bool is_gone = port_of(t, path) && !nftw(place, remove_one, 8, FTW_DEPTH | FTW_PHYS);

	free(place);
	if (!is_gone)
		buf_printf(t->errors, "rmdir: failed to remove '%s': %s\n", path,
			   port_of(t, path) ? "No such file or directory" : "Operation not permitted");
	return is_gone ? 0 : 1;
}
