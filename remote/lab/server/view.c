#include "remote/lab/server/view.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define SWEEP_US	5000000	/* for what is written where no watch is */
#define FDS_MIN		4096	/* of the process, before files stay open */

static void make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
}

static int open_made(char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	if (fd >= 0 || errno != ENOENT)
		return fd;
	make_parents(path);
	return open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
}

/* In one write and without emptying it first: a reader sees the old text or the new one. */
static void put_text(int fd, struct span text, bool may_be_longer)
{
	struct stat now;

	if (pwrite(fd, text.p, text.n, 0) == (ssize_t)text.n && may_be_longer && !fstat(fd, &now) && now.st_size > (off_t)text.n)
		(void)!ftruncate(fd, text.n);
}

/* -- what was written last -- */

/* One file, by the hash of its path; what it holds, by the hash of the text. */
struct written {
	uint64_t path, text;
	size_t n;
	int fd;				/* left open; 0: none */
};

/* Of all devices' files. */
static size_t n_open;

/* What the lab remembers of a device's files. */
struct view {
	struct written *table;		/* of cap places, a power of two; path 0: free */
	size_t n, cap;
	bool is_watched;		/* each directory of its settings is */
	bool is_writing_settings;
	bool is_written_to;		/* by somebody, maybe, since the settings were read */
	int64_t read_us;		/* when they were */
};

static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash ? hash : 1;
}

static struct written *place_of(struct view *v, uint64_t path)
{
	size_t i = path & (v->cap - 1);

	while (v->table[i].path && v->table[i].path != path)
		i = (i + 1) & (v->cap - 1);
	return &v->table[i];
}

static struct written *written(struct view *v, uint64_t path)
{
	struct written *at;

	if (2 * v->n >= v->cap) {
		struct view old = *v;

		v->cap = old.cap ? 2 * old.cap : 64;
		v->table = xcalloc(v->cap, sizeof(*v->table));
		for (size_t i = 0; i < old.cap; i++)
			if (old.table[i].path)
				*place_of(v, old.table[i].path) = old.table[i];
		free(old.table);
	}
	at = place_of(v, path);
	v->n += !at->path;
	at->path = path;
	return at;
}

static bool may_stay_open(void)
{
	static size_t most = SIZE_MAX;
	struct rlimit limit;

	if (most == SIZE_MAX)
		most = !getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur >= FDS_MIN ? limit.rlim_cur / 2 : 0;
	return n_open < most;
}

static void forget_written(struct view *v)
{
	for (size_t i = 0; i < v->cap; i++)
		if (v->table[i].fd) {
			close(v->table[i].fd);
			n_open--;
		}
	if (v->cap)
		memset(v->table, 0, v->cap * sizeof(*v->table));
	v->n = 0;
}

void view_done(struct lab_device *d)
{
	if (d->view) {
		forget_written(d->view);
		free(d->view->table);
	}
	free(d->view);
	d->view = NULL;
}

/* -- who writes to settings -- */

/* A user's writes come by inotify: reading every file at each tick would be most of what the lab does. */
static struct {
	int fd;				/* 0: not opened yet; below: cannot be */
	struct watched {
		unsigned device;
		bool may_grow;		/* a user can make directories there that hold settings: in configfs */
	} *list;			/* by watch, from 1 */
	size_t n, cap;
} watch;

static bool watch_one(unsigned device, const char *path)
{
	int at;

	if (!watch.fd)
		watch.fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (watch.fd < 0)
		return false;
	at = inotify_add_watch(watch.fd, path, IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_ONLYDIR);
	if (at < 0)
		return false;
	while (watch.n <= (size_t)at) {
		*GROW(watch.list, watch.n, watch.cap) = (struct watched){ 0 };
		watch.n++;
	}
	watch.list[at] = (struct watched){ device, strstr(path, "/sys/kernel/config") };
	return true;
}

/* The directory of a file, and those above it, below the device's root. */
static bool watch_dirs(unsigned device, char *path, size_t n_root)
{
	bool is_done = true;

	for (char *slash; is_done && (slash = strrchr(path, '/')) && (size_t)(slash - path) > n_root;) {
		*slash = '\0';
		is_done = watch_one(device, path);
	}
	return is_done;
}

static void note_event(struct fabric *f, const struct inotify_event *e)
{
	const struct watched *w;
	struct view *v;

	if (e->mask & IN_Q_OVERFLOW) {
		for (size_t i = 0; i < f->n_devices; i++)
			if (f->devices[i].view)
				f->devices[i].view->is_written_to = true;
		return;
	}
	/* The lab's own, at each tick. */
	if (e->len && !strcmp(e->name, "uptime"))
		return;
	if (e->wd <= 0 || (size_t)e->wd >= watch.n)
		return;
	w = &watch.list[e->wd];
	v = f->devices[w->device].view;
	if (!v)
		return;
	v->is_written_to = true;
	/* Directories that come and go have no watch: the files are read at each tick until the settings are written again. */
	if (w->may_grow && e->mask & (IN_IGNORED | IN_ISDIR))
		v->is_watched = false;
}

static void drain_events(struct fabric *f)
{
	char bytes[16384] __attribute__((aligned(__alignof__(struct inotify_event))));
	ssize_t n;

	while (watch.fd > 0 && (n = read(watch.fd, bytes, sizeof(bytes))) > 0)
		for (char *at = bytes; at < bytes + n; at += sizeof(struct inotify_event) + ((struct inotify_event *)at)->len)
			note_event(f, (const struct inotify_event *)at);
}

/* -- writing -- */

void view_put(const char *dir, const struct lab_device *d, const char *path, const char *text)
{
	char *full = xasprintf("%s/nodes/%s/%s", dir, d->name, path);
	int fd = open_made(full);

	if (fd >= 0) {
		put_text(fd, span_of(text), true);
		close(fd);
	}
	if (d->view && d->view->is_writing_settings && d->view->is_watched)
		d->view->is_watched = watch_dirs(d->number, full, strlen(full) - strlen(path));
	free(full);
}

static void open_kept(struct written *at, const char *dir, const struct lab_device *d, const char *path)
{
	char *full = xasprintf("%s/nodes/%s/%s", dir, d->name, path);
	int fd = open_made(full);

	if (fd >= 0) {
		at->fd = fd;
		n_open++;
	}
	free(full);
}

void view_put_new(const char *dir, const struct lab_device *d, const char *path, const char *text)
{
	struct span is = span_of(text);
	uint64_t hash = hash_of(text);
	struct written *at;
	bool is_known;

	if (!d->view) {
		view_put(dir, d, path, text);
		return;
	}
	at = written(d->view, hash_of(path));
	is_known = at->text != 0;
	if (at->text == hash && at->n == is.n)
		return;
	if (!at->fd)
		open_kept(at, dir, d, path);
	if (!at->fd)
		return;
	put_text(at->fd, is, !is_known || at->n > is.n);
	at->text = hash;
	at->n = is.n;
	/* What changes once will not for long; what changes twice does at each tick. */
	if (is_known && may_stay_open())
		return;
	close(at->fd);
	at->fd = 0;
	n_open--;
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
	bool is_watched;

	if (!d->system->files->settings)
		return;
	if (d->view) {
		/* They may be other files now, or written over. */
		forget_written(d->view);
		drain_events(f);
		d->view->is_writing_settings = d->view->is_watched = true;
	}
	d->system->files->settings(f, d, dir);
	if (!d->view)
		return;
	is_watched = d->view->is_watched;
	drain_events(f);	/* of directories that were made just now */
	d->view->is_watched = is_watched;
	d->view->is_writing_settings = false;
}

bool view_read(struct fabric *f, struct lab_device *d, const char *dir)
{
	if (!d->system->files->read)
		return false;
	drain_events(f);
	if (d->view && d->view->is_watched && !d->view->is_written_to && f->now_us - d->view->read_us < SWEEP_US)
		return false;
	if (d->view) {
		d->view->is_written_to = false;
		d->view->read_us = f->now_us;
	}
	return d->system->files->read(f, d, dir);
}

void view_counters(struct fabric *f, struct lab_device *d, const char *dir)
{
	bool is_first = d->refreshed == 1;

	d->refreshed++;
	if (d->system->files->counters)
		d->system->files->counters(f, d, is_first, dir);
	view_clock(f, d, dir);
}

void view_again(struct fabric *f, struct lab_device *d, const char *dir)
{
	view_settings(f, d, dir);
	view_counters(f, d, dir);
}

void view_write(struct fabric *f, struct lab_device *d, const char *dir)
{
	if (d->refreshed) {
		/* Nobody may have looked for long. */
		view_counters(f, d, dir);
		return;
	}
	if (!d->view)
		d->view = xcalloc(1, sizeof(*d->view));
	d->refreshed++;
	put_system(f, d, dir);
	if (d->system->files->make)
		d->system->files->make(f, d, dir);
	view_again(f, d, dir);
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
	view_again(f, d, dir);
}
