/*
 * The stand-ins: the fabric's own tools as a simulated host or switch has them. Each is a row. What they print is what
 * the real ones print, and what they are told to set takes effect.
 */
#ifndef REMOTE_LAB_SERVER_TOOLS_H
#define REMOTE_LAB_SERVER_TOOLS_H

#include "remote/lab/server/server.h"

struct tool_call {
	struct fabric *fabric;
	struct lab_device *device;
	int argc;
	char **argv;			/* argv[0] is the tool's name */
	struct buf *out, *errors;
	bool is_changed;		/* set by the tool: settings have changed */
	struct server *server;
};

struct tool {
	const char *name;
	enum lab_os os;			/* whose it is */
	int (*run)(struct tool_call *t);	/* gives the exit status */
};

extern const struct tool tool_table[];
extern const size_t tool_count;

/* Runs argv[0]; 127 for a tool that this device has not. */
int tool_run(struct tool_call *t);

/* The port of that name on the device, or NULL. */
struct lab_port *tool_port(const struct tool_call *t, const char *name);
/* True when the word is that option. */
static inline bool is_word(const char *word, const char *wanted)
{
	return word && !strcmp(word, wanted);
}

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
int tool_sonic_show(struct tool_call *t);
int tool_sonic_config(struct tool_call *t);
int sonic_updater(struct tool_call *t);		/* config's words that work on the whole CONFIG_DB; -1: none of them */
int tool_sonic_db_cli(struct tool_call *t);
int tool_sonic_cfggen(struct tool_call *t);
int tool_ecnconfig(struct tool_call *t);
int tool_pfcwd(struct tool_call *t);
int tool_counterpoll(struct tool_call *t);
int tool_clish(struct tool_call *t);
int tool_systemctl(struct tool_call *t);
int tool_systemd_run(struct tool_call *t);

#endif
