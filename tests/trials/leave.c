#include "tests/trials/leave.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/trials/site.h"

#define FLEET 8

const struct leavable leavable_table[] = {
	/* what is there could not be brought back: the tool refuses shares that do not add up */
	{ "ets-sum-wrong",	"ets-adds-up",		"could not be brought back: now they add up to 80 %" },
	/* a hand at the rack */
	{ "miswire",		"cables-swapped",	"who is at the rack: swap the two cables" },
	{ "bad-cable",		"wire-clean",		"who is at the rack: clean or swap cable" },
	{ "pause-storm",	"pause-storm",		"who is at the rack: take the port down" },
	{ "pcie-degraded",	"pcie-as-capable",	"who is at the rack: reseat the card" },
	{ "link-down",		"link-up",		"who is at the rack" },
	{ "port-shut",		"link-up",		"who shut a port opens it again" },
	/* the host's owner, or the cluster's */
	{ "slow-receiver",	"slow-receiver",	"the host's owner: PCIe width" },
	{ "soft-roce",		"rdma-hardware",	"the host's owner: remove the rxe link" },
	{ "gpudirect-missing",	"app-gpu-direct",	"the host's owner: load nvidia_peermem" },
	{ "no-address",		"gid-v2",		"the host's owner: give the interface its address" },
	{ "driver-not-ready",	"driver-ready",		"the cluster's operator: wait for the driver" },
	{ "vf-unset",		"vf-as-others",		"the cluster's operator: virtual functions", .of_fleet = true },
	/* the job's owner */
	{ "nccl-tc-unset",	"app-tos-as-wanted",	"the job's owner: NCCL_IB_TC" },
	{ "nccl-socket",	"app-uses-ib",		"the job's owner: NCCL_NET" },
	{ "gid-index-v1",	"app-gid-is-v2",	"the job's owner: NCCL_IB_GID_INDEX" },
	{ "memlock-low",	"app-memlock-enough",	"the job's owner: memlock unlimited" },
	{ "nccl-retry-errors",	"app-not-timed-out",	"the peer that is named", .by_log = true },
	/* nothing is sent to who is not reached, or not understood */
	{ "host-unreachable",	"device-reached",	"nothing is sent to who is not reached" },
	{ "slow-host",		"answers-in-time",	"see what keeps its CPU or its management network busy" },
	{ "garbage-output",	"answers-in-time",	"see what keeps its CPU or its management network busy" },
};
const size_t leavable_count = sizeof(leavable_table) / sizeof(*leavable_table);

static struct run plan(const struct site *s, const struct leavable *l, const char *file)
{
	char log[128];

	snprintf(log, sizeof(log), "%s/nccl.log", s->lab.dir);
	return l->by_log ? SITE(s, "-q", "--nccl", log, "plan", "-O", file, l->found) : SITE(s, "-q", "plan", "-O", file, l->found);
}

static bool is_refused(const struct site *s, const struct leavable *l, struct buf *words)
{
	char *file = xasprintf("%s/plan.json", s->home);
	struct run r = plan(s, l, file);
	bool done = r.code == 9 && r.err.text && strstr(r.err.text, l->says) && strstr(r.err.text, "no plan: ") &&
		    access(file, F_OK) != 0;

	if (!done)
		buf_printf(words, "  plan %s: exit %d: %.600s%.1200s\n", l->found, r.code, r.out.text ? r.out.text : "",
			   r.err.text ? r.err.text : "");
	run_done(&r);
	free(file);
	return done;
}

static bool is_untouched(const struct site *s, struct buf *words)
{
	static const char *const devices[] = { "node1", "node2", "leaf1", "leaf2", "spine1" };
	unsigned long n = 0;

	for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++)
		n += site_writes(s, devices[i]);
	if (n)
		buf_printf(words, "  a plan sent %lu writes\n", n);
	return !n;
}

bool leave_story(const struct leavable *l, const char *os, struct buf *words)
{
	struct site s;
	bool done = l->of_fleet ? site_open_wide(&s, FLEET) : site_open(&s, os, "ring", false);

	if (!done || !SITE_CTL(&s, "fault", "add", l->fault)) {
		buf_str(words, "  the lab did not take it\n");
		site_close(&s);
		return false;
	}
	done = is_refused(&s, l, words);
	done = is_untouched(&s, words) && done;
	site_close(&s);
	return done;
}
