/* What the shell's collector reads with grep, read as files: "PATH:LINE" for each line that is not empty. */
#include "remote/native/internal.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define NET	"/sys/class/net/"
#define IB	"/sys/class/infiniband/"

/* -- lines of files -- */

static bool any_line(struct span line)
{
	(void)line;
	return true;
}

static bool is_roce(struct span line)
{
	return span_find(line, "RoCE") != NULL;
}

static bool is_some_gid(struct span line)
{
	for (size_t i = 0; i < line.n; i++)
		if (line.p[i] != '0' && line.p[i] != ':')
			return true;
	return false;
}

static void add_file(const char *path, bool (*is_wanted)(struct span line), struct buf *out)
{
	struct buf text = { 0 };
	struct span rest, line;

	machine_file(path, &text);
	rest = buf_span(&text);
	while (span_line(&rest, &line))
		if (line.n && is_wanted(line))
			buf_printf(out, "%s:%.*s\n", path, (int)line.n, line.p);
	buf_done(&text);
}

void native_add_file(const char *path, struct buf *out)
{
	add_file(path, any_line, out);
}

static void add_files(const char *pattern, bool (*is_wanted)(struct span line), struct buf *out)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++)
			add_file(found.gl_pathv[i], is_wanted, out);
		globfree(&found);
	}
}

static void add_of_port(const char *port, const char *what, struct buf *out)
{
	char path[160];

	snprintf(path, sizeof(path), NET "%s/%s", port, what);
	add_file(path, any_line, out);
}

static void add_paths(const char *pattern, struct buf *out)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++)
			buf_printf(out, "%s\n", found.gl_pathv[i]);
		globfree(&found);
	}
}

/* -- the host -- */

int native_host(struct native *n, const char *port, struct buf *out)
{
	char line[256], name[256] = "", model[256] = "";
	struct buf text = { 0 };
	struct span rest, at;
	struct utsname u;

	(void)n, (void)port;
	if (machine_line("/proc/sys/kernel/random/boot_id", line, sizeof(line)))
		buf_printf(out, "boot=%s\n", line);
	if (machine_line("/proc/sys/kernel/hostname", line, sizeof(line)))
		buf_printf(out, "hostname=%s\n", line);
	machine_file("/etc/os-release", &text);
	rest = buf_span(&text);
	while (span_line(&rest, &at)) {
		if (!span_skip(&at, "PRETTY_NAME="))
			continue;
		if (at.n && *at.p == '"')
			at = (struct span){ at.p + 1, at.n - 1 };
		if (at.n && at.p[at.n - 1] == '"')
			at.n--;
		snprintf(name, sizeof(name), "%.*s", (int)at.n, at.p);
	}
	buf_done(&text);
	if (uname(&u) == 0)
		buf_printf(out, "version=%s (%s %s)\n", name, u.sysname, u.release);
	for (size_t i = 0; i < 2; i++)
		if (machine_line(i ? "/sys/class/dmi/id/product_name" : "/sys/class/dmi/id/sys_vendor", line, sizeof(line)))
			snprintf(model + strlen(model), sizeof(model) - strlen(model), " %s", line);
	buf_printf(out, "model=%s\n", model);
	return 0;
}

int native_lsmod(struct native *n, const char *port, struct buf *out)
{
	(void)n, (void)port;
	return machine_file("/proc/modules", out) ? 0 : 1;
}

/* -- interfaces -- */

int native_net(struct native *n, const char *port, struct buf *out)
{
	(void)port;
	for (size_t i = 0; i < n->n_ports; i++) {
		const char *p = n->ports[i];
		bool is_bond = native_port_has(p, "bonding");

		if (!native_port_has(p, "device") && !is_bond && !native_is_soft(n, p))
			continue;
		add_of_port(p, "carrier", out);
		add_of_port(p, "operstate", out);
		add_of_port(p, "carrier_changes", out);
		/* of an RDMA port the kernel's stack sees a part only: ethtool counts the port */
		if (is_bond || native_port_has(p, "device/infiniband") || native_port_has(p, "bonding_slave"))
			continue;
		add_of_port(p, "statistics/rx_bytes", out);
		add_of_port(p, "statistics/tx_bytes", out);
	}
	return 0;
}

/* NULL: it is not told of. */
static const char *role_of(const struct native *n, const char *port)
{
	if (native_port_has(port, "bonding"))
		return "bond";
	if (!native_port_has(port, "device"))
		return native_is_soft(n, port) ? "other" : NULL;
	if (native_port_has(port, "bonding_slave"))
		return "member";
	if (native_port_has(port, "device/physfn"))
		return "vf";
	return native_is_representor(port) ? "representor" : "pf";
}

int native_link(struct native *n, const char *port, struct buf *out)
{
	static const char *const files[] = { "bonding_slave/perm_hwaddr", "address", "mtu", "speed", "ifalias", "device/sriov_numvfs",
					     "bonding/slaves" };

	(void)port;
	for (size_t i = 0; i < n->n_ports; i++)
		if (role_of(n, n->ports[i]))
			buf_printf(out, NET "%s/role:%s\n", n->ports[i], role_of(n, n->ports[i]));
	for (size_t i = 0; i < n->n_ports; i++)
		for (size_t k = 0; role_of(n, n->ports[i]) && k < sizeof(files) / sizeof(*files); k++)
			add_of_port(n->ports[i], files[k], out);
	return 0;
}

int native_pcie(struct native *n, const char *port, struct buf *out)
{
	static const char *const files[] = { "device/current_link_speed", "device/max_link_speed", "device/current_link_width",
					     "device/max_link_width" };

	(void)port;
	for (size_t i = 0; i < n->n_ports; i++)
		for (size_t k = 0; native_is_nic(n, n->ports[i]) && k < sizeof(files) / sizeof(*files); k++)
			add_of_port(n->ports[i], files[k], out);
	return 0;
}

/* -- RDMA devices -- */

/* Which interface each is on. */
static void add_map(struct buf *out)
{
	add_paths(IB "*/device/net/*", out);
	add_files(IB "*/parent", any_line, out);
	add_files(IB "*/ports/*/gid_attrs/ndevs/0", any_line, out);
}

int native_rdma(struct native *n, const char *port, struct buf *out)
{
	glob_t found;

	(void)port;
	if (glob(IB "*", 0, NULL, &found) != 0) {
		buf_str(out, "no RDMA device\n");
		for (size_t i = 0; i < n->n_ports; i++)
			if (native_is_nic(n, n->ports[i]))
				buf_printf(out, "port %s\n", n->ports[i]);
		return 0;
	}
	globfree(&found);
	add_map(out);
	add_files(IB "*/ports/*/state", any_line, out);
	add_files(IB "*/ports/*/link_layer", any_line, out);
	add_files(IB "*/node_type", any_line, out);
	add_files(IB "*/ports/*/gid_attrs/types/*", is_roce, out);
	add_files(IB "*/ports/*/gids/*", is_some_gid, out);
	return 0;
}

int native_rdma_counters(struct native *n, const char *port, struct buf *out)
{
	(void)n, (void)port;
	add_map(out);
	add_files(IB "*/ports/*/state", any_line, out);
	add_files(IB "*/ports/*/counters/port_*_data", any_line, out);
	add_files(IB "*/ports/*/hw_counters/*", any_line, out);
	return 0;
}

int native_tos(struct native *n, const char *port, struct buf *out)
{
	(void)n, (void)port;
	buf_str(out, "tos:\n");
	add_map(out);
	add_files(IB "*/tc/*/traffic_class", any_line, out);
	add_files("/sys/kernel/config/rdma_cm/*/ports/*/default_roce_tos", any_line, out);
	return 0;
}
