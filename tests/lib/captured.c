#include "tests/lib/captured.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/say.h"

const struct captured captured_table[] = {
	{ "node/mlnx_qos",		"",				"linux", "mlnx_qos" },
	{ "node/dcb",			"",				"linux", "dcb" },
	{ "node/dmesg",			"",				"linux", "dmesg" },
	{ "node/ethtool",		"",				"linux", "ethtool" },
	{ "node/ethtool-S",		"",				"linux", "ethtool-S" },
	{ "node/ethtool-a",		"",				"linux", "ethtool-a" },
	{ "node/ethtool-i",		"",				"linux", "ethtool-i" },
	{ "node/ibdev2netdev",		"",				"linux", "ibdev2netdev" },
	{ "node/ibv_devinfo",		"",				"linux", "ibv_devinfo" },
	{ "node/ip-link",		"",				"linux", "ip-link" },
	{ "node/lldpcli-json",		"",				"linux", "lldp" },
	{ "node/lldpcli-keyvalue",	"",				"linux", "lldp" },
	{ "node/lsmod",			"",				"linux", "lsmod" },
	{ "node/proc-net-bonding",	"",				"linux", "bonding" },
	{ "node/rdma",			"link",				"linux", "rdma-link" },
	{ "node/rdma",			"j-link",			"linux", "rdma-link" },
	{ "node/rdma",			"err",				"linux", "rdma-link" },
	{ "node/rdma",			"statistic",			"linux", "rdma-statistic" },
	{ "node/rdma",			"j-statistic",			"linux", "rdma-statistic" },
	{ "node/show_counters",		"",				"linux", "show_counters" },
	{ "node/show_gids",		"",				"linux", "show_gids" },
	{ "node/sysfs-bonding",		"",				"linux", "link" },
	{ "node/sysfs-ecn",		"",				"linux", "ecn" },
	{ "node/sysfs-infiniband",	"traffic",			"linux", "tos" },
	{ "node/sysfs-infiniband",	"h100",				"linux", "rdma-counters" },
	{ "node/sysfs-infiniband",	"mlx4",				"linux", "rdma-counters" },
	{ "switch/sonic",		"show-version",			"sonic", "version" },
	{ "switch/sonic",		"config-db-json",		"sonic", "config-db" },
	{ "switch/sonic",		"show-interfaces-status",	"sonic", "interfaces-status" },
	{ "switch/sonic",		"show-interfaces-counters--",	"sonic", "interfaces-counters" },
	{ "switch/sonic",		"show-lldp-table",		"sonic", "lldp" },
	{ "switch/sonic",		"show-queue-watermark-unicast",	"sonic", "queue-watermark" },
	{ "switch/sonic",		"show-priority-group-watermark-headroom", "sonic", "pg-watermark" },
	{ "switch/sonic",		"show-priority-group-drop",	"sonic", "pg-drop" },
	{ "switch/sonic",		"show-pfc-counters--",		"sonic", "pfc-counters" },
	{ "switch/sonic",		"show-pfc-counters-history",	"sonic", "pfc-history" },
	{ "switch/sonic",		"show-pfc-priority",		"sonic", "pfc-priority" },
	{ "switch/sonic",		"show-queue-counters--",	"sonic", "queue-counters" },
	{ "switch/sonic",		"show-queue-wredcounters",	"sonic", "queue-wred" },
	{ "switch/sonic",		"show-pfcwd-stats",		"sonic", "pfcwd-stats" },
	{ "switch/sonic",		"show-pfcwd-config",		"sonic", "pfcwd-config" },
	{ "switch/dell-os10",		"show-version--",		"os10", "version" },
	{ "switch/dell-os10",		"show-running-configuration--",	"os10", "running-config" },
	{ "switch/dell-os10",		"show-lldp-neighbors-detail",	"os10", "lldp" },
	{ "switch/dell-os10",		"show-interface-status",	"os10", "interface-status" },
	{ "switch/dell-os10",		"show-interface--",		"os10", "interface" },
	{ "switch/dell-os10",		"show-queuing-statistics",	"os10", "queuing" },
	{ "switch/dell-os10",		"show-interface-display-xml",	"os10", "display-xml" },
};

const size_t captured_count = sizeof(captured_table) / sizeof(*captured_table);

void captured_each(const struct captured *row, void (*take)(const char *path, void *user), void *user)
{
	char path[512], folder[400];
	struct dirent **names;
	int n;

	if (!captures_dir())
		return;
	snprintf(folder, sizeof(folder), "%s/%s", captures_dir(), row->folder);
	n = scandir(folder, &names, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		const char *name = names[i]->d_name;

		snprintf(path, sizeof(path), "%s/%s", folder, name);
		if (*name != '.' && strncmp(name, row->begin, strlen(row->begin)) == 0)
			take(path, user);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}
