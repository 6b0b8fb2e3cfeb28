#include "remote/lab/server/view.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that holds a setting; {if} and {rdma} are the port's names, {i} the index. */
struct setting {
	const char *path;
	enum field field;
	const char *form;	/* of its text */
};

static const struct setting settings[] = {
	{ "sys/class/net/{if}/ecn/roce_np/enable/{i}",		FIELD_ECN_NP,	"%u\n" },
	{ "sys/class/net/{if}/ecn/roce_rp/enable/{i}",		FIELD_ECN_RP,	"%u\n" },
	{ "sys/class/net/{if}/ecn/roce_np/cnp_dscp",		FIELD_CNP_DSCP,	"%u\n" },
	{ "sys/class/net/{if}/ecn/roce_np/cnp_802p_prio",	FIELD_CNP_PRIO,	"%u\n" },
	{ "sys/class/net/{if}/ecn/roce_np/min_time_between_cnps", FIELD_CC_CNP_GAP, "%u\n" },
	{ "sys/class/net/{if}/mtu",				FIELD_MTU,	"%u\n" },
	{ "sys/class/infiniband/{rdma}/tc/1/traffic_class",	FIELD_TOS_FORCE, "Global tclass=%u\n" },
	{ "sys/kernel/config/rdma_cm/{rdma}/ports/1/default_roce_tos", FIELD_TOS_CMA, "%u\n" },
};
#define N_SETTINGS	(sizeof(settings) / sizeof(*settings))
#define N_ALL		(N_SETTINGS + NIC_CC - 1)

/* The DCQCN parameters of the reaction point have rows made from the table of them. */
static struct setting setting_of(size_t i, char *path, size_t size)
{
	if (i < N_SETTINGS)
		return settings[i];
	snprintf(path, size, "sys/class/net/{if}/ecn/roce_rp/%s", host_port_cc_name(i - N_SETTINGS + 1));
	return (struct setting){ path, FIELD_CC_CNP_GAP + 1 + (i - N_SETTINGS), "%u\n" };
}

void port_pci(const struct lab_port *p, char out[16])
{
	snprintf(out, 16, "0000:%02x:00.%u", 0x1a + (p->number - 1) / (p->is_member ? 2 : 1) * 8,
		 p->is_member ? (p->number - 1) % 2 : 0);
}

const char *port_rate_text(const struct lab_port *p)
{
	switch (p->speed_bps / 1000000000) {
	case 400:
		return "400 Gb/sec (4X NDR)";
	case 200:
		return "200 Gb/sec (4X HDR)";
	case 100:
		return "100 Gb/sec (4X EDR)";
	case 40:
		return "40 Gb/sec (4X QDR)";
	default:
		return "25 Gb/sec (1X EDR)";
	}
}

static void path_of(const char *pattern, const struct lab_port *p, unsigned index, char *out, size_t size)
{
	struct buf text = { NULL };

	while (*pattern) {
		struct span rest = span_of(pattern);

		if (span_skip(&rest, "{if}"))
			buf_str(&text, p->name);
		else if (span_skip(&rest, "{rdma}"))
			buf_str(&text, p->rdma);
		else if (span_skip(&rest, "{i}"))
			buf_printf(&text, "%u", index);
		else
			buf_add(&text, rest.p++, 1);
		pattern = rest.p;
	}
	snprintf(out, size, "%s", text.text ? text.text : "");
	buf_done(&text);
}

/* ---- files ---- */

static void make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
}

/* In one write and without emptying it first: a reader sees the old text or the new one. */
static void put_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	struct stat now;
	size_t n = strlen(text);

	if (fd < 0)
		return;
	if (pwrite(fd, text, n, 0) == (ssize_t)n && !fstat(fd, &now) && now.st_size > (off_t)n)
		(void)!ftruncate(fd, n);
	close(fd);
}

void view_put(const char *dir, const struct lab_device *d, const char *path, const char *text)
{
	char *full = xasprintf("%s/nodes/%s/%s", dir, d->name, path);

	make_parents(full);
	put_text(full, text);
	free(full);
}

static void putf(const char *dir, const struct lab_device *d, const char *text, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
static void putf(const char *dir, const struct lab_device *d, const char *text, const char *format, ...)
{
	char path[512];
	va_list args;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	view_put(dir, d, path, text);
}

static void link_to(const char *dir, const struct lab_device *d, const char *path, const char *target)
{
	char *full = xasprintf("%s/nodes/%s/%s", dir, d->name, path);

	make_parents(full);
	if (symlink(target, full) && errno != EEXIST)
		perror(full);
	free(full);
}

/* ---- settings ---- */

static void put_setting(const struct lab_device *d, const struct lab_port *p, const struct setting *s, unsigned index,
			const char *dir)
{
	char path[256], text[64] = "";
	struct value value;

	if (!host_port_get(&p->nic, s->field, index, &value))
		return;
	if (value.is == VALUE_KNOWN)
		snprintf(text, sizeof(text), s->form, (unsigned)value.n);
	path_of(s->path, p, index, path, sizeof(path));
	view_put(dir, d, path, text);
}

static void put_saved(const struct lab_device *d, const char *dir)
{
	char *text = json_dumps(d->sonic_saved, JSON_INDENT(4) | JSON_SORT_KEYS);

	if (text)
		view_put(dir, d, "etc/sonic/config_db.json", text);
	free(text);
}

static void put_gids(const struct lab_device *d, const struct lab_port *p, const char *dir)
{
	unsigned mac[6] = { 0 };
	char link_local[48], mapped[48], port_dir[128], pci[16];
	const char *netdev = p->is_member ? "bond0" : p->name;
	unsigned n = p->harm.has_no_address ? 2 : 4;

	port_pci(p, pci);
	snprintf(port_dir, sizeof(port_dir), "sys/devices/pci0000:00/%s/infiniband/%s/ports/1", pci, p->rdma);
	sscanf(p->mac, "%x:%x:%x:%x:%x:%x", &mac[0], &mac[1], &mac[2], &mac[3], &mac[4], &mac[5]);
	snprintf(link_local, sizeof(link_local), "fe80:0000:0000:0000:%02x%02x:%02xff:fe%02x:%02x%02x\n",
		 (mac[0] ^ 2) & 255, mac[1] & 255, mac[2] & 255, mac[3] & 255, mac[4] & 255, mac[5] & 255);
	snprintf(mapped, sizeof(mapped), "0000:0000:0000:0000:0000:ffff:%04x:%04x\n", p->ip >> 16, p->ip & 0xffff);
	for (unsigned i = 0; i < 8; i++) {
		putf(dir, d, i < 2 ? link_local : i < n ? mapped : "0000:0000:0000:0000:0000:0000:0000:0000\n",
		     "%s/gids/%u", port_dir, i);
		if (i >= n)
			continue;	/* reading the type of an empty entry fails */
		putf(dir, d, i % 2 ? "RoCE v2\n" : "IB/RoCE v1\n", "%s/gid_attrs/types/%u", port_dir, i);
		putf(dir, d, netdev, "%s/gid_attrs/ndevs/%u", port_dir, i);
	}
}

void view_settings(struct fabric *f, const struct lab_device *d, const char *dir)
{
	char path[128], text[16];

	if (d->os == OS_SONIC)
		put_saved(d, dir);
	for (unsigned k = 0; d->os == OS_LINUX && k < d->n; k++)
		for (size_t i = 0; i < N_ALL; i++) {
			struct setting s = setting_of(i, path, sizeof(path));

			for (unsigned index = 0; index < field_table[s.field].width; index++)
				put_setting(d, &f->ports[d->first + k], &s, index, dir);
		}
	if (d->os != OS_LINUX)
		return;
	snprintf(text, sizeof(text), "%u\n", d->tcp_ecn);
	view_put(dir, d, "proc/sys/net/ipv4/tcp_ecn", text);
	job_view(f, d, dir);
	for (unsigned k = 0; k < d->n; k++)
		job_port_view(f, d, &f->ports[d->first + k], dir);
	for (unsigned k = 0; k < d->n; k++)
		if (!f->ports[d->first + k].is_member || !k)
			put_gids(d, &f->ports[d->first + k], dir);
}

/* What somebody has written there, if it is a number. "Global tclass=106" is ours; -1 is for nothing. */
static bool read_number(const char *dir, const struct lab_device *d, const char *path, uint64_t *out, bool *is_ours)
{
	char *full = xasprintf("%s/nodes/%s/%s", dir, d->name, path), text[64];
	int fd = open(full, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	struct span said;

	free(full);
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	said = span_trim((struct span){ text, n });
	*is_ours = span_skip(&said, "Global tclass=");
	if (span_is(said, "-1")) {
		*out = TOS_UNSET;
		return true;
	}
	return span_u64(said, out);
}

bool view_read(struct fabric *f, struct lab_device *d, const char *dir)
{
	char pattern[128], path[256];
	bool is_changed = false;

	for (unsigned k = 0; d->os == OS_LINUX && k < d->n; k++)
		for (size_t i = 0; i < N_ALL; i++) {
			struct lab_port *p = &f->ports[d->first + k];
			struct setting s = setting_of(i, pattern, sizeof(pattern));

			for (unsigned index = 0; index < field_table[s.field].width; index++) {
				bool is_ours = false;
				struct value value;
				uint64_t n;

				path_of(s.path, p, index, path, sizeof(path));
				/* The same number written once more is shown in the driver's words again. */
				if (!host_port_get(&p->nic, s.field, index, &value) ||
				    !read_number(dir, d, path, &n, &is_ours) ||
				    (value.is == VALUE_KNOWN && value.n == n &&
				     (is_ours || s.field != FIELD_TOS_FORCE)) ||
				    (n == TOS_UNSET && s.field != FIELD_TOS_FORCE))
					continue;
				is_changed = host_port_set(&p->nic, s.field, index, n) || is_changed;
				put_setting(d, p, &s, index, dir);
			}
		}
	return is_changed;
}

/* ---- what does not change ---- */

static void put_rdma(const struct lab_device *d, const struct lab_port *p, const char *pci, const char *dir)
{
	char base[128], port_dir[256], text[256];

	snprintf(base, sizeof(base), "sys/devices/pci0000:00/%s/infiniband/%s", pci, p->rdma);
	snprintf(port_dir, sizeof(port_dir), "%s/ports/1", base);
	putf(dir, d, "MT4129\n", "%s/hca_type", base);
	putf(dir, d, "28.39.1002\n", "%s/fw_ver", base);
	putf(dir, d, "MT_0000000838\n", "%s/board_id", base);
	snprintf(text, sizeof(text), "%s %s\n", d->name, p->rdma);
	putf(dir, d, text, "%s/node_desc", base);
	putf(dir, d, "1: CA\n", "%s/node_type", base);
	putf(dir, d, "4: ACTIVE\n", "%s/state", port_dir);
	putf(dir, d, "5: LinkUp\n", "%s/phys_state", port_dir);
	snprintf(text, sizeof(text), "%s\n", port_rate_text(p));
	putf(dir, d, text, "%s/rate", port_dir);
	putf(dir, d, "Ethernet\n", "%s/link_layer", port_dir);
	putf(dir, d, "0x0\n", "%s/lid", port_dir);
	snprintf(text, sizeof(text), "%s/device", base);
	link_to(dir, d, text, "../..");
	snprintf(port_dir, sizeof(port_dir), "sys/class/infiniband/%s", p->rdma);
	snprintf(text, sizeof(text), "../../devices/pci0000:00/%s/infiniband/%s", pci, p->rdma);
	link_to(dir, d, port_dir, text);
}

static void put_netdev(const struct lab_device *d, const struct lab_port *p, const char *pci, const char *dir)
{
	char base[128], text[256];

	snprintf(base, sizeof(base), "sys/devices/pci0000:00/%s/net/%s", pci, p->name);
	snprintf(text, sizeof(text), "%s\n", p->mac);
	putf(dir, d, text, "%s/address", base);
	snprintf(text, sizeof(text), "%u\n", p->number + 2);
	putf(dir, d, text, "%s/ifindex", base);
	putf(dir, d, "1\n", "%s/type", base);
	putf(dir, d, "full\n", "%s/duplex", base);
	putf(dir, d, "8\n", "sys/devices/pci0000:00/%s/sriov_totalvfs", pci);
	putf(dir, d, "0x15b3\n", "sys/devices/pci0000:00/%s/vendor", pci);
	putf(dir, d, "0x1021\n", "sys/devices/pci0000:00/%s/device", pci);
	snprintf(text, sizeof(text), "sys/devices/pci0000:00/%s/driver", pci);
	link_to(dir, d, text, "../../../bus/pci/drivers/mlx5_core");
	putf(dir, d, "", "sys/bus/pci/drivers/mlx5_core/bind");
	snprintf(text, sizeof(text), "%s/device", base);
	link_to(dir, d, text, "../..");
	if (p->is_member) {
		snprintf(text, sizeof(text), "%s/master", base);
		link_to(dir, d, text, "../../../../virtual/net/bond0");
		snprintf(text, sizeof(text), "%s\n", p->mac);
		putf(dir, d, text, "%s/bonding_slave/perm_hwaddr", base);
		putf(dir, d, "active\n", "%s/bonding_slave/state", base);
		putf(dir, d, "up\n", "%s/bonding_slave/mii_status", base);
	}
	snprintf(base, sizeof(base), "sys/class/net/%s", p->name);
	snprintf(text, sizeof(text), "../../devices/pci0000:00/%s/net/%s", pci, p->name);
	link_to(dir, d, base, text);
}

static void put_bond(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	const struct lab_port *a = &f->ports[d->first], *b = a + 1;
	struct buf text = { NULL };

	buf_printf(&text, "Ethernet Channel Bonding Driver: v5.15.0-91-generic\n\n"
		   "Bonding Mode: IEEE 802.3ad Dynamic link aggregation\n"
		   "Transmit Hash Policy: layer3+4 (1)\nMII Status: up\nMII Polling Interval (ms): 100\n"
		   "Up Delay (ms): 0\nDown Delay (ms): 0\nPeer Notification Delay (ms): 0\n\n802.3ad info\nLACP active: on\n"
		   "LACP rate: fast\nMin links: 0\nAggregator selection policy (ad_select): stable\n");
	for (const struct lab_port *p = a; p <= b; p++) {
		char name[64], target[80], pci[16];

		port_pci(p, pci);
		snprintf(name, sizeof(name), "sys/devices/virtual/net/bond0/lower_%s", p->name);
		snprintf(target, sizeof(target), "../../../pci0000:00/%s/net/%s", pci, p->name);
		link_to(dir, d, name, target);
		buf_printf(&text, "\nSlave Interface: %s\nMII Status: up\nSpeed: %llu Mbps\nDuplex: full\n"
			   "Link Failure Count: 0\nPermanent HW addr: %s\nSlave queue ID: 0\nAggregator ID: 1\n",
			   p->name, (unsigned long long)p->speed_bps / 1000000, p->mac);
	}
	view_put(dir, d, "proc/net/bonding/bond0", text.text);
	buf_clear(&text);
	buf_printf(&text, "%s %s\n", a->name, b->name);
	view_put(dir, d, "sys/devices/virtual/net/bond0/bonding/slaves", text.text);
	view_put(dir, d, "sys/devices/virtual/net/bond0/bonding/mode", "802.3ad 4\n");
	view_put(dir, d, "sys/devices/virtual/net/bond0/operstate", "up\n");
	view_put(dir, d, "sys/devices/virtual/net/bond0/carrier", "1\n");
	view_put(dir, d, "sys/devices/virtual/net/bond0/type", "1\n");
	buf_clear(&text);
	buf_printf(&text, "%u\n", a->nic.mtu);
	view_put(dir, d, "sys/devices/virtual/net/bond0/mtu", text.text);
	buf_clear(&text);
	buf_printf(&text, "%s\n", a->mac);
	view_put(dir, d, "sys/devices/virtual/net/bond0/address", text.text);
	buf_done(&text);
	link_to(dir, d, "sys/class/net/bond0", "../../devices/virtual/net/bond0");
}

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
	static const char *const linux_files[][2] = {
		{ "etc/os-release", "PRETTY_NAME=\"Ubuntu 22.04.4 LTS\"\nNAME=\"Ubuntu\"\nVERSION_ID=\"22.04\"\n"
				    "VERSION=\"22.04.4 LTS (Jammy Jellyfish)\"\nID=ubuntu\nID_LIKE=debian\n" },
		{ "sys/class/net/lo/type", "772\n" },
		{ "sys/class/net/lo/mtu", "65536\n" },
		{ "sys/class/net/lo/operstate", "unknown\n" },
		{ "sys/class/net/lo/address", "00:00:00:00:00:00\n" },
		{ "sys/class/net/lo/ifindex", "1\n" },
	};
	static const char *const sonic_files[][2] = {
		{ "etc/os-release", "PRETTY_NAME=\"Debian GNU/Linux 11 (bullseye)\"\nNAME=\"Debian GNU/Linux\"\n"
				    "VERSION_ID=\"11\"\nVERSION=\"11 (bullseye)\"\nID=debian\n" },
		{ "etc/sonic/sonic_version.yml", "---\nbuild_version: '202305.1-3d1a8c2'\ndebian_version: '11.7'\n"
						 "kernel_version: '5.10.0-18-2-amd64'\nasic_type: broadcom\n"
						 "commit_id: '3d1a8c2'\nbranch: '202305'\nrelease: 'none'\n" },
	};
	char text[128];

	for (size_t i = 0; d->os == OS_LINUX && i < sizeof(linux_files) / sizeof(*linux_files); i++)
		view_put(dir, d, linux_files[i][0], linux_files[i][1]);
	for (size_t i = 0; d->os == OS_SONIC && i < sizeof(sonic_files) / sizeof(*sonic_files); i++)
		view_put(dir, d, sonic_files[i][0], sonic_files[i][1]);
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

/* It needs the environment that a login has, or ends by a segmentation fault; then the stand-in of that name answers. */
static void put_clish(const struct lab_device *d, const char *dir)
{
	char *path = xasprintf("%s/nodes/%s/opt/dell/os10/bin/clish", dir, d->name);

	view_put(dir, d, "etc/opt/dell/os10/brand_env", "export BRAND=dell\n");
	view_put(dir, d, "opt/dell/os10/bin/clish",
		 "#!/bin/sh\n"
		 "case $CLISH_ROLE:$PRIV_LVL:$BRAND:$LD_LIBRARY_PATH in\n"
		 "sysadmin:15:dell:*/opt/dell/os10/lib*) exec clish \"$@\" ;;\n"
		 "esac\n"
		 "echo 'Segmentation fault' >&2\n"
		 "exit 139\n");
	if (chmod(path, 0755))
		perror(path);
	free(path);
}

void view_write(struct fabric *f, struct lab_device *d, const char *dir)
{
	if (d->refreshed++)
		return;
	put_system(f, d, dir);
	if (d->os == OS_OS10)
		put_clish(d, dir);
	for (unsigned k = 0; d->os == OS_LINUX && k < d->n; k++) {
		const struct lab_port *p = &f->ports[d->first + k];
		char pci[16];

		port_pci(p, pci);
		put_netdev(d, p, pci, dir);
		if (!p->is_member || !k)
			put_rdma(d, p, pci, dir);
	}
	if (d->has_bond)
		put_bond(f, d, dir);
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
