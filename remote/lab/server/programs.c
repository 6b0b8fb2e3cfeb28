#include "remote/lab/server/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "remote/lab/server/busybox.h"
#include "remote/lab/server/tools.h"
#include "remote/lab/server/view.h"
#include "remote/lab/world/skins.h"

/* Of this machine. What would tell of it (who, mount, lsblk) or has no place here (python3, perl) is not listed. */
static const char ordinary[] =
	"[ awk b2sum base32 base64 basename bash cat chgrp chmod chown cksum cmp comm cp csplit cut dash date dd df diff "
	"dir dirname du echo egrep env expand expr factor false fgrep find flock fmt fold getopt grep gunzip gzip head "
	"install join kill link ln ls mawk md5sum mkdir mkfifo mktemp mv nice nl nohup nproc numfmt od paste pathchk "
	"printenv printf ptx pwd readlink realpath rm rmdir sed seq sh sha1sum sha224sum sha256sum sha384sum sha512sum "
	"shred shuf sleep sort split stat stdbuf stty sum sync tac tail tar tee test touch tr true truncate tsort "
	"tty uname unexpand uniq unlink vdir wc which xargs yes zcat";

const char *const programs_everywhere[] = { "sudo", "setsid", "timeout", NULL };

/* Debian has these in /usr/sbin, which the PATH of a user may lack. */
static const char administrators[] = "ethtool lldpcli lldpctl dcb rdma sysctl modprobe rmmod lsmod ip";

#define OF_SYSTEMD	"systemctl systemd-run journalctl"
#define OF_MLNX_TOOLS	"mlnx_qos show_gids ibdev2netdev cma_roce_tos cma_roce_mode"

/* What a device in that skin has not. */
static const struct {
	enum skin skin;
	const char *names;
} missing[] = {
	{ SKIN_NO_MLNX_QOS,	"mlnx_qos" },
	{ SKIN_NO_DCB,		"dcb" },
	{ SKIN_NO_ETHTOOL,	"ethtool" },
	{ SKIN_NO_SYSTEMD,	OF_SYSTEMD },
	{ SKIN_NO_LLDPCLI,	"lldpcli lldpctl" },
	{ SKIN_BREED_INBOX,	OF_MLNX_TOOLS },
	{ SKIN_BREED_BNXT,	OF_MLNX_TOOLS },
	{ SKIN_BREED_ICE,	OF_MLNX_TOOLS },
	{ SKIN_BUSYBOX,		OF_SYSTEMD " bash mawk b2sum csplit dir fmt getopt join numfmt pathchk ptx stdbuf vdir" },
};

static bool is_missing(const struct lab_device *d, const char *name)
{
	for (size_t i = 0; i < sizeof(missing) / sizeof(*missing); i++)
		if (wears(d, missing[i].skin) && span_is_among(span_of(name), missing[i].names))
			return true;
	return false;
}

static void put_link(struct server *s, const struct lab_device *d, const char *name, const char *target)
{
	char path[128];

	if (is_missing(d, name))
		return;
	snprintf(path, sizeof(path), "usr/%s/%s", span_is_among(span_of(name), administrators) ? "sbin" : "bin", name);
	view_link(server_dir(s), d, path, target);
}

static void put_stand_in(struct server *s, const struct lab_device *d, const char *name)
{
	char *target = xasprintf("%s/bin/%s/%s", server_dir(s), d->system->name, name);

	put_link(s, d, name, target);
	free(target);
}

/* Making a directory is a stand-in only where the kernel answers it: in a configfs. */
static bool is_own(const struct lab_device *d, const char *name)
{
	return wears(d, SKIN_CONFIGFS_BARE) || (strcmp(name, "mkdir") && strcmp(name, "rmdir"));
}

static bool is_stand_in(const struct lab_device *d, const char *name)
{
	if (wears(d, SKIN_BUSYBOX) && busybox_has(name))
		return true;
	for (const struct tool *tool = d->system->tools; tool->name; tool++)
		if (!strcmp(tool->name, name))
			return is_own(d, name);
	for (const char *const *any = programs_everywhere; *any; any++)
		if (!strcmp(*any, name))
			return true;
	return false;
}

/* The link leads out of the device's view: the kernel follows it, fakechroot does not see it. */
static void put_ordinary(struct server *s, const struct lab_device *d, struct span word)
{
	static const char *const places[] = { "/usr/bin", "/bin", "/usr/local/bin" };
	char name[32], path[64];

	snprintf(name, sizeof(name), "%.*s", (int)word.n, word.p);
	for (size_t i = 0; !is_stand_in(d, name) && i < sizeof(places) / sizeof(*places); i++) {
		snprintf(path, sizeof(path), "%s/%s", places[i], name);
		if (access(path, X_OK))
			continue;
		put_link(s, d, name, path);
		return;
	}
}

void programs_put(struct server *s, const struct lab_device *d)
{
	char *marker = xasprintf("%s/nodes/%s/usr/bin/sh", server_dir(s), d->name);
	struct span rest = span_of(ordinary), word;
	struct stat st;
	bool is_done = lstat(marker, &st) == 0;

	free(marker);
	if (is_done)
		return;
	view_link(server_dir(s), d, "bin", "usr/bin");
	view_link(server_dir(s), d, "sbin", "usr/sbin");
	for (const struct tool *tool = d->system->tools; tool->name; tool++)
		if (is_own(d, tool->name))
			put_stand_in(s, d, tool->name);
	for (const char *const *any = programs_everywhere; *any; any++)
		put_stand_in(s, d, *any);
	for (size_t i = 0; wears(d, SKIN_BUSYBOX) && busybox_names[i]; i++)
		put_stand_in(s, d, busybox_names[i]);
	for (rest = span_of(ordinary); span_word(&rest, &word);)
		put_ordinary(s, d, word);
}

char *programs_find(struct server *s, const struct lab_device *d, const char *name)
{
	static const char *const places[] = { "sbin", "bin" };

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		char *path = xasprintf("%s/nodes/%s/usr/%s/%s", server_dir(s), d->name, places[i], name);

		if (!access(path, X_OK))
			return path;
		free(path);
	}
	return NULL;
}
