#include "tui/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static bool read_all(int fd, const char *path, struct buf *out, struct err *err)
{
	char chunk[65536];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set(err, "%s: %s", path, strerror(errno));
		if (out->n + (size_t)n > FILE_MAX_BYTES)
			return err_set(err, "%s: larger than %u MiB", path, FILE_MAX_BYTES >> 20);
		buf_add(out, chunk, (size_t)n);
	}
	buf_add(out, "", 0);
	return true;
}

bool file_read(const char *path, struct buf *out, struct err *err)
{
	bool is_stdin = strcmp(path, "-") == 0, ok;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return err_set(err, "%s: %s", path, strerror(errno));
	ok = read_all(fd, path, out, err);
	if (!is_stdin)
		close(fd);
	return ok;
}

static char *under(const char *variable, const char *fallback, const char *name)
{
	const char *base = getenv(variable), *home = getenv("HOME");

	if (base && *base == '/')
		return xasprintf("%s/fabcon/%s", base, name);
	return home ? xasprintf("%s/%s/fabcon/%s", home, fallback, name) : NULL;
}

char *config_path(const char *name)
{
	return under("XDG_CONFIG_HOME", ".config", name);
}

char *data_path(const char *name)
{
	return under("XDG_DATA_HOME", ".local/share", name);
}
