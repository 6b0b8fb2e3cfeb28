/* The row of Linux: a host with mlx5 NICs. */
#include <stdio.h>

#include "remote/lab/linux/breed.h"
#include "remote/lab/linux/functions.h"
#include "remote/lab/linux/linux.h"
#include "remote/lab/linux/tools.h"
#include "remote/lab/world/neighbor.h"

/* What the breed has no file for is not set by it. */
static void configure(const struct fabric *f, struct lab_device *d)
{
	const struct breed *breed = breed_of(d);

	d->bond_mtu = f->ports[d->first].nic.mtu;
	for (unsigned i = 0; i < d->n; i++) {
		struct lab_port *p = &f->ports[d->first + i];

		if (breed->is_without_dscp) {
			p->nic.trust = TRUST_PCP;
			memset(p->nic.np, 0, sizeof(p->nic.np));
			memset(p->nic.rp, 0, sizeof(p->nic.rp));
		}
		if (breed->is_ofed)
			continue;
		p->nic.tos_force = TOS_UNSET;
		if (!p->is_member)
			snprintf(p->rdma, sizeof(p->rdma), breed->rdma, p->number - 1);
	}
}

static void done(struct lab_device *d)
{
	(void)d;
}

static bool is_shut(const struct lab_device *d, const struct lab_port *p)
{
	(void)d;
	(void)p;
	return false;
}

/* lldpd: the port's MAC, and its name as the description. */
static void neighbor(const struct fabric *f, const struct lab_port *p, struct neighbor *n)
{
	n->system = "Ubuntu 22.04.4 LTS Linux 5.15.0-91-generic #101-Ubuntu SMP x86_64";
	n->chassis = f->ports[port_device(f, p)->first].mac;
	n->port_type = "mac";
	n->port = p->mac;
}

static void to_sim(const struct lab_device *d, const struct lab_port *p, struct sim_qos *qos)
{
	host_port_to_sim(&p->nic, qos);
	/* The kernel keeps APP entries for a driver that knows nothing of them. */
	if (breed_of(d)->is_without_dscp)
		memset(qos->dscp_prio, 0, sizeof(qos->dscp_prio));
}

static void lie(struct lab_device *d, struct lab_port *p)
{
	(void)d;
	p->nic.cnp_dscp = p->nic.cnp_dscp == 40 ? 41 : 40;
}

static const struct tool tools[] = {
	{ "mlnx_qos",		tool_mlnx_qos },
	{ "ethtool",		tool_ethtool },
	{ "ip",			tool_ip },
	{ "lldpcli",		tool_lldpcli },
	{ "lldpctl",		tool_lldpcli },
	{ "rdma",		tool_rdma },
	{ "dcb",		tool_dcb },
	{ "ibdev2netdev",	tool_ibdev2netdev },
	{ "show_gids",		tool_show_gids },
	{ "cma_roce_tos",	tool_cma_roce_tos },
	{ "cma_roce_mode",	tool_cma_roce_mode },
	{ "ibv_devinfo",	tool_ibv_devinfo },
	{ "ping",		tool_ping },
	{ "sysctl",		tool_sysctl },
	{ "modprobe",		tool_modprobe },
	{ "rmmod",		tool_rmmod },
	{ "lsmod",		tool_lsmod },
	{ "systemctl",		tool_systemctl },
	{ "systemd-run",	tool_systemd_run },
	{ "hostname",		tool_hostname },
	{ "id",			tool_id },
	{ "whoami",		tool_whoami },
	{ "who",		tool_who },
	{ "last",		tool_last },
	{ "uname",		tool_uname },
	{ "ps",			tool_ps },
	{ "pgrep",		tool_pgrep },
	{ "dmesg",		tool_dmesg },
	{ "journalctl",	tool_journalctl },
	{ "lspci",		tool_lspci },
	{ "mkdir",		tool_mkdir },
	{ "rmdir",		tool_rmdir },
	{ "ib_write_bw",	tool_perftest },
	{ "ib_read_bw",		tool_perftest },
	{ "ib_write_lat",	tool_perftest },
	{ "rping",		tool_rping },
	{ "ibv_rc_pingpong",	tool_rc_pingpong },
	{ "iperf3",		tool_iperf3 },
	{ NULL },
};

const struct lab_system lab_linux = {
	.name = "linux", .kernel = "5.15.0-91-generic", .sshd = "OpenSSH_8.9p1 Ubuntu-3ubuntu0.10",
	.port_prefix = "eth", .port_first = 2, .port_step = 1,	/* eth0 is the management port and eth1 its spare */
	.mac_prefix = "0c:42:a1", .neighbor = neighbor,
	.configure = configure, .done = done, .is_shut = is_shut, .to_sim = to_sim, .settings = &lab_linux_settings,
	.faults = lab_linux_faults, .lie = lie, .dump = functions_dump,
	.speaker = &lab_linux_shell, .tools = tools, .files = &lab_linux_files,
};
