/* The stand-ins of a Linux host. Switches whose shell is a Linux one have some of them too. */
#ifndef REMOTE_LAB_LINUX_TOOLS_H
#define REMOTE_LAB_LINUX_TOOLS_H

#include "remote/lab/server/tools.h"

int tool_mlnx_qos(struct tool_call *t);
int tool_ethtool(struct tool_call *t);
int tool_ip(struct tool_call *t);
int tool_ping(struct tool_call *t);
int tool_lldpcli(struct tool_call *t);
int tool_rdma(struct tool_call *t);
int tool_ibdev2netdev(struct tool_call *t);
int tool_ibv_devinfo(struct tool_call *t);
int tool_show_gids(struct tool_call *t);
int tool_cma_roce_tos(struct tool_call *t);
int tool_cma_roce_mode(struct tool_call *t);
int tool_dcb(struct tool_call *t);
int tool_sysctl(struct tool_call *t);
int tool_modprobe(struct tool_call *t);
int tool_rmmod(struct tool_call *t);
int tool_systemctl(struct tool_call *t);
int tool_systemd_run(struct tool_call *t);
int tool_hostname(struct tool_call *t);
int tool_who(struct tool_call *t);
int tool_last(struct tool_call *t);
int tool_id(struct tool_call *t);
int tool_whoami(struct tool_call *t);
int tool_uname(struct tool_call *t);
int tool_lsmod(struct tool_call *t);
int tool_ps(struct tool_call *t);
int tool_pgrep(struct tool_call *t);
int tool_dmesg(struct tool_call *t);
int tool_journalctl(struct tool_call *t);
int tool_lspci(struct tool_call *t);
int tool_mkdir(struct tool_call *t);
int tool_rmdir(struct tool_call *t);
int tool_perftest(struct tool_call *t);
int tool_rping(struct tool_call *t);
int tool_rc_pingpong(struct tool_call *t);
int tool_iperf3(struct tool_call *t);

#endif
