#include "tui/hosts.h"

#include <unistd.h>

#include "tui/files.h"
#include "tui/ssh_files.h"

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
	ssh_files_settle(inv);
	return true;
}
