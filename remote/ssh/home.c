#include "remote/ssh/home.h"

#include "core/base/mem.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *home_path(const char *path)
{
	const char *home = getenv("HOME");
	const struct passwd *pw;

	if (strncmp(path, "~/", 2))
		return xstrdup(path);
	if (!home && (pw = getpwuid(getuid())))
		home = pw->pw_dir;
	return xasprintf("%s%s", home ? home : "", path + 1);
}
