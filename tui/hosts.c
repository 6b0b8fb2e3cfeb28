#include "tui/hosts.h"

#include <stdlib.h>
#include <unistd.h>

#include "tui/files.h"

/* The user's and the system's ssh_config fill what the inventory does not say. */
static void read_ssh_configs(struct inventory *inv)
{
	const char *home = getenv("HOME");
	char *own = xasprintf("%s/.ssh/config", home ? home : "");
	const char *const paths[] = { own, "/etc/ssh/ssh_config" };
	struct buf skipped = { 0 };

	for (size_t i = 0; i < 2; i++) {
		struct buf text = { 0 };

		if (file_read(paths[i], &text, NULL))
			inventory_ssh_config(inv, buf_span(&text), &skipped);
		buf_done(&text);
	}
	buf_done(&skipped);
	free(own);
}

/* No host is called so. */
static bool is_file_name(const char *name)
{
	static const char *const endings[] = { ".yml", ".yaml", ".json", ".ini" };
	size_t n = strlen(name);

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (n > strlen(endings[i]) && !strcmp(name + n - strlen(endings[i]), endings[i]))
			return true;
	return strchr(name, '/');
}

bool hosts_load(struct inventory *inv, const char *name, struct buf *text, struct err *err)
{
	if (access(name, F_OK) != 0 && !is_file_name(name)) {
		if (!inventory_add_range(inv, name, err))
			return false;
	} else if (!file_read(name, text, err) || !inventory_read(inv, buf_span(text), name, err)) {
		return false;
	}
	read_ssh_configs(inv);
	routes_plain(&inv->routes, inv);
	return true;
}
