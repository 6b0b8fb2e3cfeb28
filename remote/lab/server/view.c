#include "remote/lab/server/view.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
}

/* In one write and without emptying it first: a reader sees the old text or the new one. */
static bool put_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	struct stat now;
	size_t n = strlen(text);

	if (fd < 0)
		return false;
	if (pwrite(fd, text, n, 0) == (ssize_t)n && !fstat(fd, &now) && now.st_size > (off_t)n)
		(void)!ftruncate(fd, n);
	close(fd);
	return true;
}

void view_put(const char *dir, const struct lab_device *d, const char *path, const char *text)
{
	char *full = xasprintf("%s/nodes/%s/%s", dir, d->name, path);

	if (!put_text(full, text)) {
		make_parents(full);
		put_text(full, text);
	}
	free(full);
}

void view_putf(const struct lab_device *d, const char *dir, const char *text, const char *format, ...)
{
	char path[512];
	va_list args;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	view_put(dir, d, path, text);
}

void view_link(const char *dir, const struct lab_device *d, const char *path, const char *target)
{
	char *full = xasprintf("%s/nodes/%s/%s", dir, d->name, path);
	bool is_there = !symlink(target, full) || errno == EEXIST;

	if (!is_there) {
		make_parents(full);
		is_there = !symlink(target, full);
	}
	if (!is_there)
		perror(full);
	free(full);
}

void view_remove(const char *dir, const struct lab_device *d, const char *path)
{
	char *full = xasprintf("%s/nodes/%s/%s", dir, d->name, path);

	if (unlink(full) && errno != ENOENT)
		perror(full);
	free(full);
}

/* -- those of every system -- */

/* Boot ids, like the other random-looking things, come from the seed. */
static void put_boot_id(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	uint64_t a = (f->seed + 1) * 0x9e3779b97f4a7c15u, b = a ^ ((uint64_t)(d - f->devices + 1) * 0xd6e8feb86659fd93u);
	char text[64];

	b ^= d->boots * 0xbf58476d1ce4e5b9u;
	snprintf(text, sizeof(text), "%08x-%04x-4%03x-a%03x-%012llx\n", (unsigned)(a >> 32), (unsigned)a & 0xffff,
		 (unsigned)(b >> 52), (unsigned)(b >> 40) & 0xfff, (unsigned long long)b & 0xffffffffffff);
	view_put(dir, d, "proc/sys/kernel/random/boot_id", text);
}

static void put_system(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	char text[128];

	snprintf(text, sizeof(text), "%s\n", d->name);
	view_put(dir, d, "etc/hostname", text);
	view_put(dir, d, "proc/sys/kernel/hostname", text);
	view_put(dir, d, "proc/self/limits",
		 "Limit                     Soft Limit           Hard Limit           Units     \n"
		 "Max locked memory         unlimited            unlimited            bytes     \n");
	view_put(dir, d, "root/.hushlogin", "");
	view_put(dir, d, "tmp/.X11-unix", "");
	put_boot_id(f, d, dir);
}

void view_clock(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	long long up_us = f->now_us - d->booted_us;
	char text[64];

	snprintf(text, sizeof(text), "%lld.%02lld %lld.00\n", up_us / 1000000, up_us / 10000 % 100, up_us / 1000000 * 8);
	view_put(dir, d, "proc/uptime", text);
}

/* -- the system's own -- */

void view_settings(struct fabric *f, const struct lab_device *d, const char *dir)
{
	if (d->system->files->settings)
		d->system->files->settings(f, d, dir);
}

bool view_read(struct fabric *f, struct lab_device *d, const char *dir)
{
	return d->system->files->read && d->system->files->read(f, d, dir);
}

void view_counters(struct fabric *f, struct lab_device *d, const char *dir)
{
	bool is_first = d->refreshed == 1;

	d->refreshed++;
	if (d->system->files->counters)
		d->system->files->counters(f, d, is_first, dir);
	view_clock(f, d, dir);
}

void view_write(struct fabric *f, struct lab_device *d, const char *dir)
{
	if (d->refreshed++)
		return;
	put_system(f, d, dir);
	if (d->system->files->make)
		d->system->files->make(f, d, dir);
	view_settings(f, d, dir);
	view_counters(f, d, dir);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	return where->level ? remove(path) : 0;
}

void view_boot(struct fabric *f, struct lab_device *d, const char *dir)
{
	char *run = xasprintf("%s/nodes/%s/run", dir, d->name);

	nftw(run, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(run);
	if (!d->refreshed)
		return;
	put_boot_id(f, d, dir);
	view_settings(f, d, dir);
	view_counters(f, d, dir);
}
