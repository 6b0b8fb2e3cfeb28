#include "remote/bundle/bundle.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "remote/platforms.h"

/* A "*" at the end of a path stands for the name of a port. */
struct bundle_file {
	const char *path, *probe;
};

/*
 * sos/report/plugins (networking, infiniband, kernel): a command's output is the file of its name below sos_commands, blanks
 * written "_". /proc/net is copied. Of ibv_devinfo nothing tells which interface a device's port belongs to: it is left.
 */
static const struct bundle_file sos_files[] = {
	{ "sos_commands/networking/ip_-s_-d_link", "ip-link" },
	{ "sos_commands/networking/ethtool_*", "ethtool" },
	{ "sos_commands/networking/ethtool_-i_*", "ethtool-i" },
	{ "sos_commands/networking/ethtool_-a_*", "ethtool-a" },
	{ "sos_commands/networking/ethtool_-S_*", "ethtool-S" },
	{ "sos_commands/kernel/lsmod", "lsmod" },
	{ "sos_commands/kernel/dmesg", "dmesg" },
	{ "proc/net/bonding/*", "bonding" },
};

/*
 * scripts/generate_dump of sonic-utilities; counters twice. Its etc/sonic/config_db.json is what was saved and not what runs, and
 * is left: neither is told for the other.
 */
static const struct bundle_file sonic_files[] = {
	{ "dump/version", "version" },
	{ "dump/interface.status", "interfaces-status" },
	{ "dump/interface.counters_1", "interfaces-counters" },
	{ "dump/interface.counters_2", "interfaces-counters" },
	{ "dump/queue.counters_1", "queue-counters" },
	{ "dump/queue.counters_2", "queue-counters" },
};

/* A kind of bundle, a row each. sign: the file or folder by which it is known. */
static const struct bundle_kind {
	const char *sign, *platform;
	const struct bundle_file *files;
	size_t n;
} kinds[] = {
	{ "sos_commands", "linux", sos_files, sizeof(sos_files) / sizeof(*sos_files) },
	{ "dump/interface.status", "sonic", sonic_files, sizeof(sonic_files) / sizeof(*sonic_files) },
};

#define PERIOD_US	INT64_C(300000000)	/* one bundle is collected within minutes: what is much older than the rest is stale */
#define PATIENCE_S	86400	/* a device's clock may be wrong by so much */

static const struct bundle_kind *kind_of(const char *dir, struct err *err)
{
	struct stat at;
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, kinds[i].sign);
		if (stat(path, &at) == 0)
			return &kinds[i];
		if (errno != ENOENT && errno != ENOTDIR) {
			err_set(err, "%s: %s", path, strerror(errno));
			return NULL;
		}
	}
	err_set(err, "%s: neither a sosreport (no sos_commands) nor of SONiC's techsupport (no dump/interface.status)", dir);
	return NULL;
}

/* Another machine's files: a link in them may name any file of this one. */
static bool is_below(const char *dir, const char *path, struct err *err)
{
	char *whole = realpath(path, NULL), *of = realpath(dir, NULL);
	bool is = whole && of && strncmp(whole, of, strlen(of)) == 0 && whole[strlen(of)] == '/';

	free(whole);
	free(of);
	return is || err_set(err, "%s points outside %s: not read", path, dir);
}

static void not_read(struct bundle *b, const char *path, const char *why)
{
	buf_printf(&b->absent, "not read: %s: %s\n", path, why);
	b->unread++;
}

static bool take_file(struct bundle *b, const struct bundle_part *like, const char *dir, char *path, struct err *err)
{
	bool is_second = !like->port[0] && b->n && b->parts[b->n - 1].probe == like->probe && b->parts[b->n - 1].device == like->device;
	struct bundle_part *part;
	struct stat at;
	int64_t at_us;
	int code = stat(path, &at) != 0 ? errno : 0;

	if (code || !S_ISREG(at.st_mode)) {
		if (code == ENOENT || code == ENOTDIR)
			buf_printf(&b->absent, "not in the bundle: %s: %s\n", like->device, path + strlen(dir) + 1);
		else
			not_read(b, path, code ? strerror(code) : "not a file");
		free(path);
		return true;
	}
	if (!is_below(dir, path, err)) {
		free(path);
		return false;
	}
	if (at.st_mtime < PATIENCE_S || at.st_mtime > time(NULL) + PATIENCE_S) {
		err_set(err, "%s: its time is not its collection time; extract the bundle again (tar keeps times)", path);
		free(path);
		return false;
	}
	at_us = (int64_t)at.st_mtim.tv_sec * 1000000 + at.st_mtim.tv_nsec / 1000;
	if (is_second && at_us <= b->parts[b->n - 1].at_us) {
		not_read(b, path, "second reading, but its time is not after the first");
		free(path);
		return true;
	}
	part = GROW(b->parts, b->n, b->cap);
	b->n++;
	*part = *like;
	part->path = path;
	part->at_us = at_us;
	return true;
}

/* "ethtool_*" is of a port, and "ethtool_-S_eth2" another command's. */
static const char *port_in(const char *name, const char *prefix, size_t n)
{
	if (strncmp(name, prefix, n) != 0 || name[n] == '-' || name[n] == '.' || !name[n])
		return NULL;
	return strcmp(name + n, "lo") ? name + n : NULL;
}

static bool take_ports(struct bundle *b, struct bundle_part *like, const char *dir, const char *pattern, struct err *err)
{
	const char *prefix = strrchr(pattern, '/') + 1;
	char *folder = xasprintf("%s/%.*s", dir, (int)(prefix - pattern - 1), pattern);
	DIR *d = opendir(folder);
	struct dirent *entry;
	bool ok = true;
	size_t before = b->n;

	if (!d && errno != ENOENT && errno != ENOTDIR) {
		not_read(b, folder, strerror(errno));
		free(folder);
		return true;
	}
	while (d && ok && (entry = readdir(d))) {
		const char *port = port_in(entry->d_name, prefix, strlen(prefix) - 1);

		if (!port || strlen(port) >= sizeof(like->port))
			continue;
		snprintf(like->port, sizeof(like->port), "%s", port);
		ok = take_file(b, like, dir, xasprintf("%s/%s", folder, entry->d_name), err);
	}
	if (d)
		closedir(d);
	free(folder);
	if (ok && b->n == before)
		buf_printf(&b->absent, "not in the bundle: %s: %s\n", like->device, pattern);
	return ok;
}

static int by_time(const void *a, const void *b)
{
	const struct bundle_part *x = a, *y = b;

	if (x->at_us != y->at_us)
		return x->at_us < y->at_us ? -1 : 1;
	return strcmp(x->path, y->path);
}

bool bundle_find(struct bundle *b, const char *device, const char *dir, struct err *err)
{
	const struct bundle_kind *kind;
	struct stat at;
	bool ok = true;

	if (stat(dir, &at) != 0)
		return err_set(err, "%s: %s", dir, strerror(errno));
	if (!S_ISDIR(at.st_mode))
		return err_set(err, "%s: extract the bundle first (tar xf), and name the directory", dir);
	kind = kind_of(dir, err);
	if (!kind)
		return false;
	for (size_t i = 0; ok && i < kind->n; i++) {
		const struct bundle_file *f = &kind->files[i];
		struct bundle_part like = { .device = device, .platform = platform_find(kind->platform) };

		like.probe = platform_probe(like.platform, f->probe);
		ok = strchr(f->path, '*') ? take_ports(b, &like, dir, f->path, err) :
					    take_file(b, &like, dir, xasprintf("%s/%s", dir, f->path), err);
	}
	if (ok && b->n)
		qsort(b->parts, b->n, sizeof(*b->parts), by_time);
	return ok;
}

void bundle_done(struct bundle *b)
{
	for (size_t i = 0; i < b->n; i++)
		free(b->parts[i].path);
	free(b->parts);
	buf_done(&b->absent);
	*b = (struct bundle){ 0 };
}

void bundle_introduce(const struct bundle_part *part, struct obs *o)
{
	obs_init(o, part->device, "bundle");
	o->rank = 10;
	o->at_us = part->at_us;
	obs_text(o, OBS_DEVICE, FIELD_PLATFORM, span_of(part->platform->id));
}

void bundle_parse(const struct bundle_part *part, struct span text, struct obs *o)
{
	const char *port = part->port[0] ? part->port : NULL;
	struct answer a = { .text = text, .port = port, .status = -1 };

	obs_init(o, part->device, part->probe->id);
	platform_parse(part->platform, part->probe, &a, o);
	o->subject = port;
	o->at_us = part->at_us;
	o->period_us = PERIOD_US;
	o->refresh_us = part->probe->refresh_us;
}
