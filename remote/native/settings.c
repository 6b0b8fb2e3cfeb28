/* Settings of the host and DCQCN of mlx5, from the files that the collector's scripts read. */
#include "remote/native/internal.h"

#include <dirent.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define UNITS	"/etc/systemd/system"

static bool is_any(const char *pattern)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found) != 0)
		return false;
	globfree(&found);
	return true;
}

static bool runs(const char *name)
{
	glob_t found;
	bool is_there = false;
	char line[64];

	if (glob("/proc/[0-9]*/comm", 0, NULL, &found) != 0)
		return false;
	for (size_t i = 0; i < found.gl_pathc && !is_there; i++)
		is_there = machine_line(found.gl_pathv[i], line, sizeof(line)) && !strcmp(line, name);
	globfree(&found);
	return is_there;
}

/* "# … as the policy NAME requires them; …" in the second line of our own script; in older ones the verb is another. */
static void add_policy(struct buf *out)
{
	struct buf text = { 0 };
	struct span rest, line;
	const char *name = NULL, *end = NULL;

	if (machine_file("/etc/fabcon/roce.sh", &text)) {
		rest = buf_span(&text);
		if (span_line(&rest, &line) && span_line(&rest, &line)) {
			name = span_find(line, " as the policy ");
			end = span_find(line, " them;");
		}
		name = name ? name + strlen(" as the policy ") : NULL;
		while (name && end > name && *--end != ' ')	/* the verb */
			;
		if (name && end > name)
			buf_printf(out, "persist.policy=%.*s\n", (int)(end - name), name);
	}
	buf_done(&text);
}

static void add_owners(struct buf *out)
{
	static const struct { const char *pattern, *owner; } owners[] = {
		{ "/var/log/pods/*_nic-configuration-daemon-*", "nic-configuration-operator" },
		{ "/var/log/pods/*_sriov-network-config-daemon-*", "sriov-network-operator" },
		{ "/var/log/pods/*_fabcon-roce-*", "fabcon-roce-daemonset" },
		{ "/etc/machine-config-daemon/currentconfig", "machine-config-operator" },
	};
	bool is_begun = false;

	for (size_t i = 0; i < sizeof(owners) / sizeof(*owners); i++) {
		if (!is_any(owners[i].pattern))
			continue;
		buf_printf(out, "%s%s", is_begun ? " " : "owner=", owners[i].owner);
		is_begun = true;
	}
	if (is_begun)
		buf_str(out, "\n");
}

int native_settings(struct native *n, const char *port, struct buf *out)
{
	struct rlimit limit;
	char line[64] = "";

	(void)n, (void)port;
	machine_line("/proc/sys/net/ipv4/tcp_ecn", line, sizeof(line));
	buf_printf(out, "tcp_ecn=%s\n", line);
	if (getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		buf_printf(out, "memlock=%llu\n", (unsigned long long)limit.rlim_cur / 1024);
	else
		buf_str(out, "memlock=unlimited\n");
	if (machine_has("/run/mellanox/drivers"))
		buf_printf(out, "driver.ready=%s\n", machine_has("/run/mellanox/drivers/.driver-ready") ? "yes" : "no");
	buf_printf(out, "lldpad=%s\n", runs("lldpad") ? "yes" : "no");
	if (machine_has(UNITS "/multi-user.target.wants/fabcon-roce.service")) {
		buf_str(out, "persist.unit=yes\n");
		add_policy(out);
	} else if (machine_has(UNITS)) {
		buf_str(out, "persist.unit=no\n");
	}
	add_owners(out);
	return 0;
}

/* -- DCQCN -- */

/* Each line of each file below a folder, as grep -r has them. */
static void add_tree(const char *dir, unsigned depth, struct buf *out)
{
	DIR *d = opendir(dir);
	const struct dirent *e;

	while (d && (e = readdir(d))) {
		char path[512];

		if (e->d_name[0] == '.' || (size_t)snprintf(path, sizeof(path), "%s/%s", dir, e->d_name) >= sizeof(path))
			continue;
		if (e->d_type == DT_DIR && depth)
			add_tree(path, depth - 1, out);
		else if (e->d_type == DT_REG)
			native_add_file(path, out);
	}
	if (d)
		closedir(d);
}

/* Of the PCI function: root's alone. */
static bool add_debugfs(const char *port, struct buf *out)
{
	char path[160], target[512], dir[600];
	ssize_t n;
	size_t begun = out->n;

	snprintf(path, sizeof(path), "/sys/class/net/%s/device", port);
	n = readlink(path, target, sizeof(target) - 1);
	if (n <= 0)
		return false;
	target[n] = '\0';
	snprintf(dir, sizeof(dir), "/sys/kernel/debug/mlx5/%s/cc_params", strrchr(target, '/') ? strrchr(target, '/') + 1 : target);
	add_tree(dir, 0, out);
	return out->n > begun;
}

int native_ecn(struct native *n, const char *port, struct buf *out)
{
	char driver[64], path[160];

	(void)n;
	snprintf(path, sizeof(path), "/sys/class/net/%s/ecn", port);
	if (machine_has(path)) {
		add_tree(path, 3, out);
		return 0;
	}
	native_driver_of(port, driver, sizeof(driver));
	if (strcmp(driver, "mlx5_core") != 0) {
		buf_str(out, "no DCQCN settings\n");
		return 1;
	}
	if (geteuid() != 0) {
		buf_str(out, "not root\n");
		return 1;
	}
	if (add_debugfs(port, out))
		return 0;
	buf_str(out, "no DCQCN settings\n");
	return 1;
}
