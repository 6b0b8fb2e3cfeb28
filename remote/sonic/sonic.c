/* SONiC's row: what it is asked, and how often. */
#include "remote/sonic/sonic.h"

#include "core/model/series.h"
#include "remote/platform/logins.h"

/* Flex counters, as counterpoll show has them by default: PORT_STAT, QUEUE_STAT and PG_DROP_STAT. */
#define REFRESH_PORTS	(1 * SECOND)
#define REFRESH_QUEUES	(10 * SECOND)

/* The shell's identification has the file's name as a title; a person may bring "show version" instead. */
static bool sonic_is_it(struct span text)
{
	return span_find(text, "sonic_version.yml:") || span_find(text, "SONiC Software Version:");
}

/*
 * "show" is a slow Python program, about a second a call: what moves by the second is asked live, the watermarks (which
 * the switch itself collects each ten seconds) with the settings, and what CONFIG_DB tells already is only imported.
 */
static const struct probe probes[] = {
	{
		.id = "version", .command = "show version",
		.cadence = CADENCE_ONCE, .rank = 10, .parse = sonic_version, .proof = "captures",
		.help = "Model and software version",
	},
	{
		.id = "config-db", .command = "sonic-cfggen -d --print-data; cat /etc/sonic/config_db.json",
		.script = "run sonic-cfggen -d --print-data; s=$?; echo; echo '" SONIC_SAVED_MARK "'; cat /etc/sonic/config_db.json "
												  "|| return\n"
			  "case $s in 124 | 125 | 129 | 1[3-9]?) return $s;; esac",
		.cadence = CADENCE_CONFIG, .rank = 10, .parse = sonic_config, .proof = "captures",
		.help = "Trust, maps, PFC, schedulers, ECN, buffers of each port, and whether it survives a reboot",
	},
	{
		.id = "interfaces-status", .command = "show interfaces status", .script = "run show interfaces status",
		.cadence = CADENCE_CONFIG, .rank = 9, .parse = sonic_interfaces_status, .proof = "captures",
		.help = "Link, speed, MTU and FEC of each port",
	},
	{
		.id = "lldp", .command = "show lldp table", .script = "run show lldp table",
		.cadence = CADENCE_CONFIG, .rank = 10, .parse = sonic_lldp_table, .proof = "captures",
		.help = "The neighbor of each port",
	},
	{
		.id = "fdb", .command = "show mac", .script = "run show mac",
		.cadence = CADENCE_CONFIG, .rank = 30, .parse = sonic_fdb, .proof = "source",
		.help = "MACs learned at each port: identifies the NIC where LLDP does not",
	},
	{
		.id = "queue-watermark", .command = "show queue watermark unicast",
		.script = "run show queue watermark unicast",
		.cadence = CADENCE_CONFIG, .rank = 10, .parse = sonic_queue_watermark, .proof = "captures",
		.help = "Watermark of each queue",
	},
	{
		.id = "pg-watermark", .command = "show priority-group watermark headroom",
		.script = "run show priority-group watermark headroom",
		.cadence = CADENCE_CONFIG, .rank = 10, .parse = sonic_pg_watermark, .proof = "captures",
		.help = "Headroom watermark of each priority group",
	},
	{
		.id = "pfc-counters", .command = "show pfc counters", .script = "run show pfc counters",
		.cadence = CADENCE_LIVE, .rank = 10, .refresh_us = REFRESH_PORTS, .parse = sonic_pfc_counters, .proof = "captures",
		.help = "PFC frames of each priority, both directions",
	},
	{
		.id = "pfc-history", .command = "show pfc counters --history", .script = "run show pfc counters --history",
		.cadence = CADENCE_LIVE, .rank = 10, .refresh_us = REFRESH_PORTS, .parse = sonic_pfc_history, .proof = "captures",
		.help = "Time each priority was paused (new releases)",
	},
	{
		.id = "queue-counters", .command = "show queue counters", .script = "run show queue counters",
		.cadence = CADENCE_LIVE, .rank = 10, .refresh_us = REFRESH_QUEUES, .parse = sonic_queue_counters, .proof = "captures",
		.help = "Packets, bytes and drops of each queue",
	},
	{
		.id = "queue-wred", .command = "show queue wredcounters", .script = "run show queue wredcounters",
		.cadence = CADENCE_LIVE, .rank = 10, .refresh_us = REFRESH_QUEUES, .parse = sonic_queue_wred, .proof = "captures",
		.help = "ECN-marked packets of each queue (new releases, counterpoll on)",
	},
	{
		.id = "pg-drop", .command = "show priority-group drop counters",
		.script = "run show priority-group drop counters",
		.cadence = CADENCE_LIVE, .rank = 10, .refresh_us = REFRESH_QUEUES, .parse = sonic_pg_drop, .proof = "captures",
		.help = "Packets dropped by each ingress priority group",
	},
	{
		.id = "pfcwd-stats", .command = "show pfcwd stats", .script = "run show pfcwd stats",
		.cadence = CADENCE_LIVE, .rank = 10, .parse = sonic_pfcwd_stats, .proof = "captures",
		.help = "PFC storms that the watchdog has detected",
	},
	{
		.id = "interfaces-counters", .command = "show interfaces counters", .script = "run show interfaces counters",
		.cadence = CADENCE_LIVE, .rank = 8, .refresh_us = REFRESH_PORTS, .parse = sonic_interfaces_counters, .proof = "captures",
		.help = "Link, errors and discards of each port",
	},
	{
		.id = "logins", .command = LOGINS_COMMAND, .script = LOGINS_SCRIPT,
		.cadence = CADENCE_CHANGE, .rank = 10, .parse = logins_parse, .proof = "source",
		.help = "Open and ended logins, read after a setting has changed",
	},
	{
		.id = "pfc-priority", .command = "show pfc priority",
		.cadence = CADENCE_NEVER, .rank = 11, .parse = sonic_pfc_priority, .proof = "captures",
		.help = "Lossless priorities of each port",
	},
	{
		.id = "pfcwd-config", .command = "show pfcwd config",
		.cadence = CADENCE_NEVER, .rank = 11, .parse = sonic_pfcwd_config, .proof = "captures",
		.help = "Ports with the PFC watchdog",
	},
};

const struct platform sonic_platform = {
	.id = "sonic", .title = "SONiC", .is_switch = true, .way = WAY_SH,
	.probes = probes, .n_probes = sizeof(probes) / sizeof(*probes),
	.is_it = sonic_is_it,
	.dialect = &sonic_dialect,
};
