#include "remote/lab/server/tools.h"

#include <stdio.h>

#include "remote/lab/server/trap.h"

static int tool_lsmod(struct tool_call *t)
{
	buf_str(t->out, "Module                  Size  Used by\nrdma_ucm               28672  0\n"
			"rdma_cm               122880  1 rdma_ucm\nnvidia_peermem         16384  0\nmlx5_ib               471040  0\n"
			"ib_uverbs             163840  3 rdma_ucm,mlx5_ib\n"
			"ib_core               438272  4 rdma_ucm,rdma_cm,mlx5_ib,ib_uverbs\nmlx5_core            2084864  1 mlx5_ib\n");
	return 0;
}

static int tool_hostname(struct tool_call *t)
{
	buf_printf(t->out, "%s\n", t->device->name);
	return 0;
}

static int tool_id(struct tool_call *t)
{
	bool is_number = t->argc > 1 && is_word(t->argv[1], "-u");

	if (trap_is(t->device, "no-sudo")) {
		buf_str(t->out, is_number ? "1000\n" : "uid=1000(admin) gid=1000(admin) groups=1000(admin)\n");
		return 0;
	}
	buf_str(t->out, is_number ? "0\n" : "uid=0(root) gid=0(root) groups=0(root)\n");
	return 0;
}

static int tool_whoami(struct tool_call *t)
{
	buf_str(t->out, "root\n");
	return 0;
}

static int tool_uname(struct tool_call *t)
{
	const char *release = t->device->os == OS_SONIC ? "5.10.0-18-2-amd64" : "5.15.0-91-generic";
	const char *option = t->argc > 1 ? t->argv[1] : "-s";

	if (is_word(option, "-a"))
		buf_printf(t->out, "Linux %s %s #101 SMP x86_64 GNU/Linux\n", t->device->name, release);
	else if (is_word(option, "-r"))
		buf_printf(t->out, "%s\n", release);
	else if (is_word(option, "-n"))
		buf_printf(t->out, "%s\n", t->device->name);
	else if (is_word(option, "-m"))
		buf_str(t->out, "x86_64\n");
	else
		buf_str(t->out, "Linux\n");
	return 0;
}

/* Nothing that this asks after runs here. */
static int tool_pgrep(struct tool_call *t)
{
	(void)t;
	return 1;
}

static int tool_ps(struct tool_call *t)
{
	buf_str(t->out, "    PID TTY          TIME CMD\n      1 ?        00:00:03 systemd\n    742 ?        00:00:01 lldpd\n"
			"    811 ?        00:00:00 sshd\n");
	return 0;
}

const struct tool tool_table[] = {
	{ "mlnx_qos",		OS_LINUX,	tool_mlnx_qos },
	{ "ethtool",		OS_LINUX,	tool_ethtool },
	{ "ip",			OS_LINUX,	tool_ip },
	{ "ip",			OS_SONIC,	tool_ip },
	{ "ip",			OS_OS10,	tool_ip },
	{ "lldpcli",		OS_LINUX,	tool_lldpcli },
	{ "lldpctl",		OS_LINUX,	tool_lldpcli },
	{ "rdma",		OS_LINUX,	tool_rdma },
	{ "dcb",		OS_LINUX,	tool_dcb },
	{ "ibdev2netdev",	OS_LINUX,	tool_ibdev2netdev },
	{ "show_gids",		OS_LINUX,	tool_show_gids },
	{ "cma_roce_tos",	OS_LINUX,	tool_cma_roce_tos },
	{ "cma_roce_mode",	OS_LINUX,	tool_cma_roce_mode },
	{ "lsmod",		OS_LINUX,	tool_lsmod },
	{ "hostname",		OS_LINUX,	tool_hostname },
	{ "id",			OS_LINUX,	tool_id },
	{ "whoami",		OS_LINUX,	tool_whoami },
	{ "uname",		OS_LINUX,	tool_uname },
	{ "sysctl",		OS_LINUX,	tool_sysctl },
	{ "modprobe",		OS_LINUX,	tool_modprobe },
	{ "rmmod",		OS_LINUX,	tool_rmmod },
	{ "systemctl",		OS_LINUX,	tool_systemctl },
	{ "systemd-run",	OS_LINUX,	tool_systemd_run },
	{ "systemctl",		OS_SONIC,	tool_systemctl },
	{ "systemd-run",	OS_SONIC,	tool_systemd_run },
	{ "systemctl",		OS_OS10,	tool_systemctl },
	{ "systemd-run",	OS_OS10,	tool_systemd_run },
	{ "clish",		OS_OS10,	tool_clish },
	{ "id",			OS_OS10,	tool_id },
	{ "hostname",		OS_OS10,	tool_hostname },
	{ "ps",			OS_LINUX,	tool_ps },
	{ "pgrep",		OS_LINUX,	tool_pgrep },
	{ "ping",		OS_LINUX,	tool_ping },
	{ "ibv_devinfo",	OS_LINUX,	tool_ibv_devinfo },
	{ "show",		OS_SONIC,	tool_sonic_show },
	{ "config",		OS_SONIC,	tool_sonic_config },
	{ "sonic-db-cli",	OS_SONIC,	tool_sonic_db_cli },
	{ "sonic-cfggen",	OS_SONIC,	tool_sonic_cfggen },
	{ "ecnconfig",		OS_SONIC,	tool_ecnconfig },
	{ "pfcwd",		OS_SONIC,	tool_pfcwd },
	{ "counterpoll",	OS_SONIC,	tool_counterpoll },
	{ "hostname",		OS_SONIC,	tool_hostname },
	{ "id",			OS_SONIC,	tool_id },
	{ "uname",		OS_SONIC,	tool_uname },
};
const size_t tool_count = sizeof(tool_table) / sizeof(*tool_table);

struct lab_port *tool_port(const struct tool_call *t, const char *name)
{
	return name ? fabric_port(t->fabric, t->device, span_of(name)) : NULL;
}

int tool_run(struct tool_call *t)
{
	for (size_t i = 0; t->argc && i < tool_count; i++)
		if (tool_table[i].os == t->device->os && !strcmp(tool_table[i].name, t->argv[0]))
			return tool_table[i].run(t);
	buf_printf(t->errors, "%s: command not found\n", t->argc ? t->argv[0] : "");
	return 127;
}
