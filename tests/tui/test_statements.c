/*
 * Statements that were false, half true or dangerous when an engineer went through them: what is printed in their place, and what may
 * never be printed again. One row each, by the command that prints it.
 */
#include "tests/lib/say.h"

#include <stdio.h>
#include <string.h>

#include "core/policy/policy.h"
#include "tests/lib/home.h"
#include "tests/lib/run.h"

struct statement {
	const char *args[3];
	const char *says, *never;	/* NULL: anything */
};

static const struct statement statements[] = {
	/* A receiver that was not ready answered: the path works. */
	{ { "explain", "app-peer-ready" }, "RNR NAK, so the path carried packets both ways", "Suppressed as a consequence" },
	/* Missing receives bring RNR NAKs, never pause. */
	{ { "explain", "slow-receiver" }, "PCIe, IOMMU or NUMA", "receive requests" },
	/* "-" is a file's name there, and nothing it writes is saved. */
	{ { "emit", "list" }, "sudo config save -y", "sonic-cfggen -j -" },
	/* The tools of mlx5 are not those of other drivers: what those cannot set is named, not skipped. */
	{ { "emit", "list" }, "of bnxt and ice by dcb, without trust, ECN and CNPs: their drivers have no setting for those", NULL },
	{ { "explain", "watchdog-on" }, "action drop and a restoration time", "start_default" },
	/* A line that failed does not end a paste: nothing is saved before it was read back. */
	{ { "emit", "os10" }, "\nend\n", "\nwrite memory" },
	{ { "explain", "tos-ecn" }, "some NICs", "cannot be marked" },
	{ { "man", "fabcon.1" }, "even if some devices were not read", NULL },
	{ { "man", "fabcon.1" }, "was changed in part", NULL },
	{ { "explain", "gid-v2" }, "No RoCE v2 GID with an IPv4 or global IPv6 address", NULL },
	/* Under incast the egress queue reaches more than one ingress port's XOFF. */
	{ { "explain", "ecn-before-pfc" }, "warning)", "never reaches" },
	{ { "explain", "ecn-before-pfc" }, "may not reach Kmin", NULL },
	/* The socket starts the service again; FCoE and iSCSI need it. */
	{ { "explain", "lldpad-off" }, "lldpad.socket lldpad.service", NULL },
	{ { "explain", "lldpad-off" }, "Hosts that use FCoE or iSCSI over DCB need it", NULL },
	{ { "explain", "np-on" }, "linux/ofed", NULL },
	{ { "explain", "rp-on" }, "linux/ofed", NULL },
	{ { "explain", "cnp-marked-as-wanted" }, "DSCP and the 802.1p priority", NULL },
	{ { "explain", "HOST" }, "ACS off and IOMMU passthrough (not on hosts that pass devices to VMs)", NULL },
	{ { "explain", "lossless-kept" }, "a watchdog, WRED on Not-ECT packets", "says that flow control failed" },
	/* In a QoS tool "trust" is a port's. */
	{ { "explain", "vf-unset" }, "virtual functions", "trust" },
	{ { "explain", "FIX2" }, "pins NCCL to one", NULL },
	{ { "emit", "nccl-env" }, "leave it out where the container brings a network plugin", NULL },
	{ { "explain", "local-protection" }, "this host and its application, not the fabric", NULL },
	{ { "explain", "pause-counted-alike" }, "a LAG member was left out", NULL },
	{ { "explain", "mtu-fits" }, "SONiC adds the 22 itself", NULL },
	{ { "explain", "X4" }, "app-memlock-enough", NULL },
	{ { "explain", "X10" }, "app-tos-as-wanted", NULL },
	{ { "explain", "X3" }, "app-gid-is-v2", NULL },
	{ { "help", "prove" }, NULL, "PROVEN" },
};

static void what_was_false_is_said_right(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++) {
		const struct statement *s = &statements[i];
		struct run r = RUN("fabcon", s->args[0], s->args[1]);
		const char *out = r.out.text ? r.out.text : "";

		if (r.code)
			fail_msg("%s %s: exit %d: %s", s->args[0], s->args[1], r.code, r.err.text);
		if (s->says && !strstr(out, s->says))
			fail_msg("%s %s does not say \"%s\":\n%s", s->args[0], s->args[1], s->says, out);
		if (s->never && strstr(out, s->never))
			fail_msg("%s %s says \"%s\":\n%s", s->args[0], s->args[1], s->never, out);
		run_done(&r);
	}
}

/* What the manual page of policies lists can be required, and nothing else is listed. */
static void what_the_manual_lists_a_policy_can_require(void **state)
{
	struct run r = RUN("fabcon", "man", "fabcon-policy.5");
	const char *fields = strstr(r.out.text, ".SH FIELDS"), *end = strstr(fields, ".SH LIMITS");
	unsigned n = 0;

	(void)state;
	for (int f = 0; f < FIELD_COUNT; f++) {
		const struct field_info *info = &field_table[f];
		char line[128], heading[96];
		struct policy *p;
		struct err err;
		const char *at;

		snprintf(line, sizeof(line), "* %s%s = %s\n", info->scope == SCOPE_PORT ? "* " : "", info->name,
			 info->kind == KIND_TEXT ? "\"a\"" : info->kind == KIND_BOOL ? "yes" : "1");
		snprintf(heading, sizeof(heading), "\n.B %s\n", info->name);
		p = policy_read(span_of(line), "test", &err);
		at = strstr(fields, heading);
		if (!p && strstr(err.text, "is measured") && at && at < end)
			fail_msg("%s is listed: %s", info->name, err.text);
		if (p && (!at || at > end))
			fail_msg("%s can be required, and is not listed", info->name);
		n += p != NULL;
		policy_free(p);
	}
	assert_true(n > 50);
	run_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_false_is_said_right),
		cmocka_unit_test(what_the_manual_lists_a_policy_can_require),
	};

	return cmocka_run_group_tests(tests, home_open, home_close);
}
