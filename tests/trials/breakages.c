#include "tests/trials/scenario.h"

#include <string.h>

/*
 * What the trials need to know of a fault beside its cause, which its own row says. Scenarios are numbered by the order of
 * these rows: one that is in none comes after them.
 */
static const struct breakage rows[] = {
	{ "trust-pcp" },
	{ "pfc-off-host" },
	{ "pfc-off-switch" },
	{ "pfc-extra-prio" },
	{ "ecn-off-switch" },
	{ "np-off" },
	{ "rp-off" },
	{ "kmin-over-xoff" },
	{ "dscp-map-lossy" },
	{ "cnp-dscp-wrong" },
	{ "ets-starved-cnp" },
	{ "mtu-small-switch" },
	{ "miswire" },
	{ "slow-receiver",	.traffic = "ring" },
	{ "pause-storm",	.traffic = "ring" },
	{ "bad-cable",	.traffic = "ring" },
	{ "tos-104" },
	{ "global-pause" },
	{ "bond-member-unset",	.needs_bond = true },
	{ "bond-mtu-small",	.needs_bond = true },
	{ "link-down" },
	{ "port-shut" },
	{ "no-address" },
	{ "mtu-small-host" },
	{ "tos-0" },
	{ "trust-off-switch" },
	{ "cnp-map-lossy" },
	{ "best-effort-lossless" },
	{ "prio-tc-wrong" },
	{ "queue-map-wrong" },
	{ "pfc-queue-wrong",	.os = "sonic" },
	{ "pfc-wrong-host",	.also = "pfc-extra" },
	{ "pfc-wrong-switch",	.also = "pfc-extra" },
	{ "link-pause-switch",	.os = "os10" },
	{ "ecn-weak" },
	{ "ecn-early" },
	{ "ets-sum-wrong" },
	{ "ets-starved-roce" },
	{ "buffer-shared" },
	{ "watchdog-off",	.os = "sonic" },
	{ "dcbx-firmware" },
	{ "config-unsaved" },
	{ "driver-not-ready" },
	{ "qos-not-kept" },
	{ "module-missing" },
	{ "iscsi-in-roce" },
	{ "dcqcn-aggressive" },
	{ "nccl-tc-unset" },
	{ "nccl-socket" },
	{ "gid-index-v1" },
	{ "memlock-low" },
	{ "soft-roce" },
	{ "gpudirect-missing" },
	{ "vf-unset" },
	{ "pcie-degraded",	.also = "slow-receiver" },
	{ "host-unreachable" },
	/* who cannot be logged in to within the time is not reached, whatever the reason */
	{ "slow-host",	.is_slow = true, .also = "unreachable" },
	{ "garbage-output",	.is_slow = true, .also = "unreachable" },
	/* a watchdog that drops breaks the ring again and again: where it is seen to drop, that is what there is to see */
	{ "pause-circle",	.also = "watchdog-drops", .ring = "leaf1 leaf2 spine1 spine2" },
	{ "rate-cap",	.traffic = "ring" },
};

static struct breakage *list;
static size_t count, cap;

static bool has_row(const struct fault *fault)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i].fault, fault->name))
			return true;
	return false;
}

static void make_list(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++, count++)
		*GROW(list, count, cap) = rows[i];
	for (size_t i = 0; i < fault_count; i++)
		if (fault_table[i].cause && !has_row(&fault_table[i])) {
			GROW(list, count, cap)->fault = fault_table[i].name;
			count++;
		}
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < fault_count; k++)
			if (!strcmp(list[i].fault, fault_table[k].name))
				list[i].cause = fault_table[k].cause;
}

const struct breakage *breakages(void)
{
	if (!list)
		make_list();
	return list;
}

size_t breakage_count(void)
{
	breakages();
	return count;
}

/* Only the log of the job tells of it, which is not read over SSH; or no symptom follows from it yet. */
const char *const breakages_unread[] = { "nccl-retry-errors", "wrong-firmware", "weak-lane", NULL };

bool is_true_beside_mlx4(const char *check)
{
	return !strcmp(check, "not-paused") || !strcmp(check, "not-pausing");
}
