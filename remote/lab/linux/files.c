/* A Linux host's files: its ports, RDMA devices and bond in sysfs, and the settings that are files there. */
#include "remote/lab/linux/files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "remote/lab/linux/bond.h"
#include "remote/lab/linux/breed.h"
#include "remote/lab/linux/functions.h"
#include "remote/lab/linux/job_files.h"
#include "remote/lab/linux/link_tools.h"
#include "remote/lab/linux/linux.h"
#include "remote/lab/linux/mlx5.h"
#include "remote/lab/server/view.h"

/* The port's speed as sysfs's rate of the RDMA port says it. */
static const char *rate_text(const struct lab_port *p)
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

/* Where a file is: at every host, with the vendor's driver of mlx5, with the kernel's one, in rdma_cm's configfs. */
enum place { EVERYWHERE, VENDOR, DEBUGFS, CONFIGFS };

/* A file that holds a setting; {if} and {rdma} are the port's names, {pci} its function, {i} the index. */
struct setting {
	const char *path;
	enum field field;
	const char *form;	/* of its text */
	enum place place;
};

#define LINK_LOCAL_GIDS	2	/* the first of the table */
#define BOND_MTU	"sys/devices/virtual/net/bond0/mtu"
#define CC_PARAMS	"sys/kernel/debug/mlx5/{pci}/cc_params/"

static const struct setting settings[] = {
	{ "sys/class/net/{if}/ecn/roce_np/enable/{i}",		FIELD_ECN_NP,	"%u\n", VENDOR },
	{ "sys/class/net/{if}/ecn/roce_rp/enable/{i}",		FIELD_ECN_RP,	"%u\n", VENDOR },
	{ "sys/class/net/{if}/ecn/roce_np/cnp_dscp",		FIELD_CNP_DSCP,	"%u\n", VENDOR },
	{ "sys/class/net/{if}/ecn/roce_np/cnp_802p_prio",	FIELD_CNP_PRIO,	"%u\n", VENDOR },
	{ "sys/class/net/{if}/ecn/roce_np/min_time_between_cnps", FIELD_CC_CNP_GAP, "%u\n", VENDOR },
	{ "sys/class/net/{if}/mtu",				FIELD_MTU,	"%u\n", EVERYWHERE },
	{ "sys/class/infiniband/{rdma}/tc/1/traffic_class",	FIELD_TOS_FORCE, "Global tclass=%u\n", VENDOR },
	{ "sys/kernel/config/rdma_cm/{rdma}/ports/1/default_roce_tos", FIELD_TOS_CMA, "%u\n", CONFIGFS },
	{ CC_PARAMS "np_cnp_dscp",			FIELD_CNP_DSCP,		"%u\n", DEBUGFS },
	{ CC_PARAMS "np_cnp_prio",			FIELD_CNP_PRIO,		"%u\n", DEBUGFS },
	{ CC_PARAMS "np_min_time_between_cnps",		FIELD_CC_CNP_GAP,	"%u\n", DEBUGFS },
	{ CC_PARAMS "rp_clamp_tgt_rate",		FIELD_CC_CLAMP,		"%u\n", DEBUGFS },
	{ CC_PARAMS "rp_clamp_tgt_rate_ati",		FIELD_CC_CLAMP_TIME,	"%u\n", DEBUGFS },
	{ CC_PARAMS "rp_time_reset",			FIELD_CC_TIME_RESET,	"%u\n", DEBUGFS },
	{ CC_PARAMS "rp_byte_reset",			FIELD_CC_BYTE_RESET,	"%u\n", DEBUGFS },
	{ CC_PARAMS "rp_threshold",			FIELD_CC_THRESHOLD,	"%u\n", DEBUGFS },
	{ CC_PARAMS "rp_max_rate",			FIELD_CC_MAX_RATE,	"%u\n", DEBUGFS },
	{ CC_PARAMS "rp_ai_rate",			FIELD_CC_AI_RATE,	"%u\n", DEBUGFS },
	{ CC_PARAMS "rp_hai_rate",			FIELD_CC_HAI_RATE,	"%u\n", DEBUGFS },
	{ CC_PARAMS "rp_gd",				FIELD_CC_GD,		"%u\n", DEBUGFS },
	{ CC_PARAMS "rp_min_dec_fac",			FIELD_CC_MIN_DEC,	"%u\n", DEBUGFS },
	{ CC_PARAMS "rp_min_rate",			FIELD_CC_MIN_RATE,	"%u\n", DEBUGFS },
	{ CC_PARAMS "rp_rate_to_set_on_first_cnp",	FIELD_CC_FIRST_CNP,	"%u\n", DEBUGFS },
	{ CC_PARAMS "rp_dce_tcp_g",			FIELD_CC_G,		"%u\n", DEBUGFS },
	{ CC_PARAMS "rp_dce_tcp_rtt",			FIELD_CC_RTT,		"%u\n", DEBUGFS },
	{ CC_PARAMS "rp_rate_reduce_monitor_period",	FIELD_CC_REDUCE,	"%u\n", DEBUGFS },
	{ CC_PARAMS "rp_initial_alpha_value",		FIELD_CC_ALPHA,		"%u\n", DEBUGFS },
};
#define N_SETTINGS	(sizeof(settings) / sizeof(*settings))
#define N_ALL		(N_SETTINGS + NIC_CC - 1)

/* The DCQCN parameters of the reaction point have rows made from the table of them. */
static struct setting setting_of(size_t i, char *path, size_t size)
{
	if (i < N_SETTINGS)
		return settings[i];
	snprintf(path, size, "sys/class/net/{if}/ecn/roce_rp/%s", host_port_cc_name(i - N_SETTINGS + 1));
	return (struct setting){ path, FIELD_CC_CNP_GAP + 1 + (i - N_SETTINGS), "%u\n", VENDOR };
}

static void path_of(const char *pattern, const struct lab_port *p, unsigned index, char *out, size_t size)
{
	struct buf text = { NULL };
	char pci[16];

	port_pci(p, pci);
	while (*pattern) {
		struct span rest = span_of(pattern);

		if (span_skip(&rest, "{if}"))
			buf_str(&text, p->name);
		else if (span_skip(&rest, "{rdma}"))
			buf_str(&text, p->rdma);
		else if (span_skip(&rest, "{pci}"))
			buf_str(&text, pci);
		else if (span_skip(&rest, "{i}"))
			buf_printf(&text, "%u", index);
		else
			buf_add(&text, rest.p++, 1);
		pattern = rest.p;
	}
	snprintf(out, size, "%s", text.text ? text.text : "");
	buf_done(&text);
}

/* -- settings -- */

/* The directory that somebody made there; without the skin the lab has made it. */
static bool has_configfs(const struct lab_device *d, const struct lab_port *p, const char *dir)
{
	char *path = xasprintf("%s/nodes/%s/sys/kernel/config/rdma_cm/%s", dir, d->name, p->rdma);
	bool is_there = !wears(d, SKIN_CONFIGFS_BARE) || access(path, F_OK) == 0;

	free(path);
	return is_there;
}

static bool is_here(const struct lab_device *d, const struct lab_port *p, const struct setting *s, const char *dir)
{
	const struct breed *breed = breed_of(d);

	switch (s->place) {
	case VENDOR:
		return breed->is_ofed;
	case DEBUGFS:
		return breed->is_mlx5 && !breed->is_ofed;
	case CONFIGFS:
		return has_configfs(d, p, dir);
	default:
		return true;
	}
}

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

static void remove_gid(const struct lab_device *d, const char *dir, const char *port_dir, const char *what, unsigned index)
{
	char path[192];

	snprintf(path, sizeof(path), "%s/gid_attrs/%s/%u", port_dir, what, index);
	view_remove(dir, d, path);
}

static void put_gids(const struct lab_device *d, const struct lab_port *p, const char *dir)
{
	unsigned mac[6] = { 0 };
	char link_local[48], mapped[48], port_dir[128], pci[16];
	const char *netdev = p->is_member ? "bond0" : p->name;
	unsigned n = p->harm.has_no_address ? LINK_LOCAL_GIDS : 4;

	port_pci(p, pci);
	snprintf(port_dir, sizeof(port_dir), "sys/devices/pci0000:00/%s/infiniband/%s/ports/1", pci, p->rdma);
	sscanf(p->mac, "%x:%x:%x:%x:%x:%x", &mac[0], &mac[1], &mac[2], &mac[3], &mac[4], &mac[5]);
	snprintf(link_local, sizeof(link_local), "fe80:0000:0000:0000:%02x%02x:%02xff:fe%02x:%02x%02x\n",
		 (mac[0] ^ 2) & 255, mac[1] & 255, mac[2] & 255, mac[3] & 255, mac[4] & 255, mac[5] & 255);
	snprintf(mapped, sizeof(mapped), "0000:0000:0000:0000:0000:ffff:%04x:%04x\n", p->ip >> 16, p->ip & 0xffff);
	for (unsigned i = 0; i < 8; i++) {
		if (i / 2 == FIRST_VLAN_GID / 2 && p->number == 1 && wears(d, SKIN_NETDEV_WITHOUT_DEVICE))
			continue;
		if (i < LINK_LOCAL_GIDS || !wears(d, SKIN_GIDS_CUT))
			view_putf(d, dir, i < LINK_LOCAL_GIDS ? link_local : i < n ? mapped : "0000:0000:0000:0000:0000:0000:0000:0000\n",
				  "%s/gids/%u", port_dir, i);
		if (i >= n) {	/* reading the type of an empty entry fails */
			remove_gid(d, dir, port_dir, "types", i);
			remove_gid(d, dir, port_dir, "ndevs", i);
			continue;
		}
		view_putf(d, dir, i % 2 ? "RoCE v2\n" : "IB/RoCE v1\n", "%s/gid_attrs/types/%u", port_dir, i);
		view_putf(d, dir, netdev, "%s/gid_attrs/ndevs/%u", port_dir, i);
	}
}

static void put_settings(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	const struct lab_port *first = &f->ports[d->first];
	char path[128], text[16];

	for (unsigned k = 0; k < d->n; k++)
		for (size_t i = 0; i < N_ALL; i++) {
			struct setting s = setting_of(i, path, sizeof(path));

			if (!is_here(d, &first[k], &s, dir))
				continue;
			for (unsigned index = 0; index < field_table[s.field].width; index++)
				put_setting(d, &first[k], &s, index, dir);
		}
	snprintf(text, sizeof(text), "%u\n", d->tcp_ecn);
	view_put(dir, d, "proc/sys/net/ipv4/tcp_ecn", text);
	snprintf(text, sizeof(text), "%u\n", d->bond_mtu);
	if (d->has_bond)
		view_put(dir, d, BOND_MTU, text);
	job_put_files(f, d, dir);
	for (unsigned k = 0; k < d->n; k++)
		job_put_port_files(d, &first[k], dir);
	for (unsigned k = 0; k < d->n; k++)
		functions_put_vfs(d, &first[k], dir);
	for (unsigned k = 0; k < d->n; k++)
		if (!first[k].is_member || !k)
			put_gids(d, &first[k], dir);
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

static bool read_bond(struct fabric *f, struct lab_device *d, const char *dir)
{
	bool is_ours;
	uint64_t mtu;

	if (!d->has_bond || !read_number(dir, d, BOND_MTU, &mtu, &is_ours) || mtu == d->bond_mtu || mtu < 68 || mtu > MLX5_MAX_MTU)
		return false;
	bond_set_mtu(f, d, mtu);
	return true;
}

static bool read_settings(struct fabric *f, struct lab_device *d, const char *dir)
{
	char pattern[128], path[256];
	bool is_changed = false, is_of_bond = read_bond(f, d, dir);

	/* What the bond has handed down stands in its members' files too, before these are read. */
	if (is_of_bond)
		put_settings(f, d, dir);
	for (unsigned k = 0; k < d->n; k++)
		for (size_t i = 0; i < N_ALL; i++) {
			struct lab_port *p = &f->ports[d->first + k];
			struct setting s = setting_of(i, pattern, sizeof(pattern));

			if (!is_here(d, p, &s, dir))
				continue;
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
	return is_changed || is_of_bond;
}

/* -- what does not change -- */

static void put_rdma(const struct lab_device *d, const struct lab_port *p, const char *pci, const char *dir)
{
	const struct breed *breed = breed_of(d);
	char base[128], port_dir[256], text[256];

	snprintf(base, sizeof(base), "sys/devices/pci0000:00/%s/infiniband/%s", pci, p->rdma);
	snprintf(port_dir, sizeof(port_dir), "%s/ports/1", base);
	snprintf(text, sizeof(text), "%s\n", breed->hca_type);
	view_putf(d, dir, text, "%s/hca_type", base);
	snprintf(text, sizeof(text), "%s\n", firmware_of(d, p));
	view_putf(d, dir, text, "%s/fw_ver", base);
	snprintf(text, sizeof(text), "%s\n", breed->board);
	view_putf(d, dir, text, "%s/board_id", base);
	snprintf(text, sizeof(text), "%s %s\n", d->name, p->rdma);
	view_putf(d, dir, text, "%s/node_desc", base);
	view_putf(d, dir, "1: CA\n", "%s/node_type", base);
	view_putf(d, dir, "4: ACTIVE\n", "%s/state", port_dir);
	view_putf(d, dir, "5: LinkUp\n", "%s/phys_state", port_dir);
	snprintf(text, sizeof(text), "%s\n", rate_text(p));
	view_putf(d, dir, text, "%s/rate", port_dir);
	view_putf(d, dir, "Ethernet\n", "%s/link_layer", port_dir);
	view_putf(d, dir, "0x0\n", "%s/lid", port_dir);
	snprintf(text, sizeof(text), "%s/device", base);
	view_link(dir, d, text, "../..");
	snprintf(port_dir, sizeof(port_dir), "sys/class/infiniband/%s", p->rdma);
	snprintf(text, sizeof(text), "../../devices/pci0000:00/%s/infiniband/%s", pci, p->rdma);
	view_link(dir, d, port_dir, text);
}

/* The PCI function and its driver. The subsystem's ids are the function's own. */
static void put_function(const struct lab_device *d, const char *pci, const char *dir)
{
	const struct breed *breed = breed_of(d);
	char base[64], path[128], text[256];

	snprintf(base, sizeof(base), "sys/devices/pci0000:00/%s", pci);
	snprintf(text, sizeof(text), "%s\n", breed->vendor);
	view_putf(d, dir, text, "%s/vendor", base);
	snprintf(text, sizeof(text), "%s\n", breed->device);
	view_putf(d, dir, text, "%s/device", base);
	snprintf(text, sizeof(text), "DRIVER=%s\nPCI_CLASS=20000\nPCI_ID=%.4s:%.4s\nPCI_SLOT_NAME=%s\n", breed->driver,
		 breed->vendor + 2, breed->device + 2, pci);
	view_putf(d, dir, text, "%s/uevent", base);
	snprintf(path, sizeof(path), "%s/driver", base);
	snprintf(text, sizeof(text), "../../../bus/pci/drivers/%s", breed->driver);
	view_link(dir, d, path, text);
	view_putf(d, dir, "", "sys/bus/pci/drivers/%s/bind", breed->driver);
}

static void put_netdev(const struct lab_device *d, const struct lab_port *p, const char *pci, const char *dir)
{
	char base[128], text[256];

	snprintf(base, sizeof(base), "sys/devices/pci0000:00/%s/net/%s", pci, p->name);
	snprintf(text, sizeof(text), "%s\n", p->mac);
	view_putf(d, dir, text, "%s/address", base);
	snprintf(text, sizeof(text), "%u\n", p->number + 2);
	view_putf(d, dir, text, "%s/ifindex", base);
	view_putf(d, dir, "1\n", "%s/type", base);
	view_putf(d, dir, "full\n", "%s/duplex", base);
	snprintf(text, sizeof(text), "%u\n", vf_number(d, p) ? vf_number(d, p) : 8);
	view_putf(d, dir, text, "sys/devices/pci0000:00/%s/sriov_totalvfs", pci);
	put_function(d, pci, dir);
	snprintf(text, sizeof(text), "%s/device", base);
	view_link(dir, d, text, "../..");
	if (p->is_member) {
		snprintf(text, sizeof(text), "%s/master", base);
		view_link(dir, d, text, "../../../../virtual/net/bond0");
		snprintf(text, sizeof(text), "%s\n", p->mac);
		view_putf(d, dir, text, "%s/bonding_slave/perm_hwaddr", base);
		view_putf(d, dir, "active\n", "%s/bonding_slave/state", base);
		view_putf(d, dir, "up\n", "%s/bonding_slave/mii_status", base);
	}
	snprintf(base, sizeof(base), "sys/class/net/%s", p->name);
	snprintf(text, sizeof(text), "../../devices/pci0000:00/%s/net/%s", pci, p->name);
	view_link(dir, d, base, text);
}

static void make(const struct fabric *f, const struct lab_device *d, const char *dir)
{
	static const char ubuntu[] = "PRETTY_NAME=\"Ubuntu 22.04.4 LTS\"\nNAME=\"Ubuntu\"\nVERSION_ID=\"22.04\"\n"
				     "VERSION=\"22.04.4 LTS (Jammy Jellyfish)\"\nID=ubuntu\nID_LIKE=debian\n";
	static const char alpine[] = "NAME=\"Alpine Linux\"\nID=alpine\nVERSION_ID=3.19.1\nPRETTY_NAME=\"Alpine Linux v3.19\"\n";
	static const char *const texts[][2] = {
		{ "proc/cmdline", HOST_CMDLINE "\n" },
		{ "sys/class/net/lo/type", "772\n" },
		{ "sys/class/net/lo/mtu", "65536\n" },
		{ "sys/class/net/lo/operstate", "unknown\n" },
		{ "sys/class/net/lo/address", "00:00:00:00:00:00\n" },
		{ "sys/class/net/lo/ifindex", "1\n" },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		view_put(dir, d, texts[i][0], texts[i][1]);
	view_put(dir, d, "etc/os-release", wears(d, SKIN_BUSYBOX) ? alpine : ubuntu);
	/* The directory alone. */
	view_put(dir, d, "sys/kernel/config/rdma_cm/x", "");
	view_remove(dir, d, "sys/kernel/config/rdma_cm/x");
	for (unsigned k = 0; k < d->n; k++) {
		const struct lab_port *p = &f->ports[d->first + k];
		char pci[16];

		port_pci(p, pci);
		put_netdev(d, p, pci, dir);
		if (!p->is_member || !k)
			put_rdma(d, p, pci, dir);
	}
	if (d->has_bond)
		bond_put(f, d, dir);
	functions_put(f, d, dir);
	sockets_put(f, d, dir);
}

static void put_counters(const struct fabric *f, const struct lab_device *d, bool is_first, const char *dir)
{
	files_put_counters(f, d, is_first, dir);
	if (d->has_bond)
		bond_put_counters(f, d, dir);
}

const struct lab_files lab_linux_files = {
	.make = make, .settings = put_settings, .read = read_settings, .counters = put_counters,
};
