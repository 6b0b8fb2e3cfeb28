#include "tests/scenarios/scenario.h"

/* What is broken, and the cause that a person would name for it. */
const struct breakage breakage_table[] = {
	{ "trust-pcp",		"trust-wrong" },
	{ "pfc-off-host",	"pfc-one-sided" },
	{ "pfc-off-switch",	"pfc-one-sided" },
	{ "pfc-extra-prio",	"pfc-extra" },
	{ "ecn-off-switch",	"ecn-off" },
	{ "np-off",		"np-off" },
	{ "rp-off",		"rp-off" },
	{ "kmin-over-xoff",	"ecn-late" },
	{ "dscp-map-lossy",	"dscp-map-wrong" },
	{ "cnp-dscp-wrong",	"cnp-marked-wrong" },
	{ "ets-starved-cnp",	"cnp-starved" },
	{ "mtu-small-switch",	"mtu-mismatch" },
	{ "miswire",		"miswired" },
	{ "slow-receiver",	"slow-receiver",	.traffic = "ring" },
	{ "pause-storm",	"pause-storm",		.traffic = "ring" },
	{ "bad-cable",		"degraded-link",	.traffic = "ring" },
	{ "tos-104",		"tos-not-ect" },
	{ "global-pause",	"global-pause" },
	{ "bond-member-unset",	"bond-member-unset",	.needs_bond = true },
	{ "host-unreachable",	"unreachable" },
	{ "slow-host",		"slow-answers",		.is_slow = true },
	{ "garbage-output",	"garbled-answers",	.is_slow = true },
};
const size_t breakage_count = sizeof(breakage_table) / sizeof(*breakage_table);
