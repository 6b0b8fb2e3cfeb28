#include "tui/text/files.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
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

char *state_path(const char *name)
{
	return under("XDG_STATE_HOME", ".local/state", name);
}

void make_folders(const char *path)
{
	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		char *folder = xstrndup(path, (size_t)(slash - path));

		mkdir(folder, 0700);
		free(folder);
	}
}

static bool write_all(int fd, struct span text)
{
	while (text.n) {
		ssize_t n = write(fd, text.p, text.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		text = (struct span){ text.p + n, text.n - (size_t)n };
	}
	return true;
}

bool file_create(const char *path, struct span bytes, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return err_set(err, errno == EEXIST ? "%s exists already: give another name" : "%s: %s", path, strerror(errno));
	if (write_all(fd, bytes) && close(fd) == 0)
		return true;
	err_set(err, "%s: %s", path, strerror(errno));
	unlink(path);
	return false;
}

static bool replace(const char *path, mode_t mode, struct span text, struct err *err)
{
	char *beside = xasprintf("%s.%d~", path, (int)getpid());
	int fd;
	bool ok;

	unlink(beside);
	fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	ok = fd >= 0 && write_all(fd, text) && fchmod(fd, mode) == 0;
	if (fd >= 0)
		ok = close(fd) == 0 && ok;
	ok = ok && rename(beside, path) == 0;
	if (!ok) {
		err_set(err, "%s: %s", path, strerror(errno));
		if (fd >= 0)
			unlink(beside);
	}
	free(beside);
	return ok;
}

bool file_replace(const char *path, struct span text, struct err *err)
{
	char *real = realpath(path, NULL);	/* a link stays a link */
	struct stat st = { .st_mode = 0600 };
	bool ok;

	if (!real)
		make_folders(path);
	else
		stat(real, &st);
	ok = replace(real ? real : path, st.st_mode & 0777, text, err);
	free(real);
	return ok;
}

char *typed_path(const char *name)
{
	const char *home = getenv("HOME");

	return home && !strncmp(name, "~/", 2) ? xasprintf("%s%s", home, name + 1) : xstrdup(name);
}

/* FNV-1a, never 0: two fabrics whose names look alike as files keep theirs apart. */
static uint64_t name_hash(const char *name)
{
	uint64_t hash = UINT64_C(1469598103934665603);

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
	return hash | 1;
}

char *state_file_name(const char *fabric, bool is_replay)
{
	char name[61];
	bool is_same = *fabric != '.';
	size_t n = 0;

	for (; fabric[n] && n < sizeof(name) - 1; n++) {
		bool is_plain = isalnum((unsigned char)fabric[n]) || (n && strchr(".-_", fabric[n]));

		name[n] = is_plain ? fabric[n] : '_';
		is_same &= is_plain;
	}
	name[n] = '\0';
	if (is_same && n && !fabric[n])
		return xasprintf("%s.%s", name, is_replay ? "replay" : "live");
	return xasprintf("%s-%016llx.%s", name, (unsigned long long)name_hash(fabric), is_replay ? "replay" : "live");
}

char *state_path_of(const char *fabric, const char *what)
{
	char *name = state_file_name(fabric && *fabric ? fabric : "fabric", false), *file = xasprintf("%s.%s", name, what);
	char *path = state_path(file);

	free(name);
	free(file);
	return path;
}
