/* OS10's row: what it is asked, and how often. */
#include "remote/os10/os10.h"

#include "core/model/series.h"

/* Unproven: Dell tells nowhere how often; taken to be as elsewhere. */
#define REFRESH_PORTS	(1 * SECOND)
#define REFRESH_QUEUES	(10 * SECOND)

#define INTERFACE "interface ethernet {unit}"
#define PORTS "lldp interface-status"

static const struct probe probes[] = {
	{
		.id = "version", .command = "show version",
		.cadence = CADENCE_ONCE, .rank = 10, .parse = os10_version, .proof = "captures",
		.help = "Model and software version",
	},
	{
		.id = "running-config", .command = "show running-configuration\n" OS10_STARTUP,
		.cadence = CADENCE_CONFIG, .rank = 10, .parse = os10_running_config, .proof = "captures",
		.help = "Trust, maps, PFC, ETS, WRED and ECN of each port, and whether it survives a reboot",
	},
	{
		.id = "lldp", .command = "show lldp neighbors detail",
		.cadence = CADENCE_CONFIG, .rank = 10, .parse = os10_lldp_detail, .proof = "captures",
		.help = "The neighbor of each port",
	},
	{
		.id = "fdb", .command = "show mac address-table",
		.cadence = CADENCE_CONFIG, .rank = 30, .parse = os10_fdb, .proof = "captures",
		.help = "MACs learned at each port: identifies the NIC where LLDP does not",
	},
	{
		.id = "interface-status", .command = "show interface status",
		.cadence = CADENCE_CONFIG, .rank = 12, .parse = os10_interface_status, .proof = "captures",
		.help = "Link and speed of each port; queues are read for ports that are up or have an LLDP neighbor",
	},
	{
		.id = "interface", .command = "show interface",
		.cadence = CADENCE_LIVE, .rank = 9, .refresh_us = REFRESH_PORTS, .parse = os10_interface, .proof = "captures",
		.help = "Link, speed, MTU, 802.3x, bytes, discards and errors of each port",
	},
	{
		.id = "queuing", .command = "show queuing statistics " INTERFACE,
		.cadence = CADENCE_LIVE, .rank = 10, .refresh_us = REFRESH_QUEUES, .parse = os10_queuing, .proof = "captures",
		.per_port = true, .ports_of = PORTS,
		.help = "Packets, bytes and drops of each queue",
	},
	{
		.id = "queuing-wred", .command = "show queuing statistics " INTERFACE " wred",
		.cadence = CADENCE_LIVE, .rank = 10, .refresh_us = REFRESH_QUEUES, .parse = os10_queuing_wred, .proof = "unproven",
		.per_port = true, .ports_of = PORTS,
		.help = "ECN-marked packets of each queue",
	},
	{
		.id = "pfc", .command = "show " INTERFACE " priority-flow-control details",
		.cadence = CADENCE_LIVE, .rank = 10, .refresh_us = REFRESH_PORTS, .parse = os10_pfc_details, .proof = "unproven",
		.per_port = true, .ports_of = PORTS,
		.help = "PFC frames of each priority, both directions",
	},
	{
		.id = "display-xml", .command = "show " INTERFACE " | display-xml",
		.cadence = CADENCE_NEVER, .rank = 10, .parse = os10_xml, .proof = "captures",
		.per_port = true, .ports_of = PORTS,
		.help = "State and counters of a port as XML, from a file",
	},
};

static const struct cli_manners manners = {
	.pager_off = "terminal length 0",
	.error_prefix = "% Error",
};

const struct platform os10_platform = {
	.id = "os10", .title = "Dell SmartFabric OS10", .is_switch = true, .way = WAY_CLI,
	.probes = probes, .n_probes = sizeof(probes) / sizeof(*probes),
	.cli = &manners,
	.banner = "(OS10)",	/* the version line of its sshd is Debian's */
	.is_it = os10_is_it,
	.dialect = &os10_dialect,
};
