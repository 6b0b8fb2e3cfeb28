#include "core/bringup/stage.h"

#include <stdio.h>

const struct bringup_stage_row bringup_stage_table[BRINGUP_STAGES] = {
	[BRINGUP_REACH] = { "reach", "Reach", "device-reached answers-understood answers-in-time" },
	[BRINGUP_IDENTITY] = { "identity", "Identity", "rdma-known rdma-hardware driver-ready modules-loaded fleet-alike "
			       "tools-agree vf-as-others" },
	[BRINGUP_PATHS] = { "paths", "Host paths", "pcie-as-capable memlock-enough" },
	[BRINGUP_CABLING] = { "cabling", "Cabling", "link-up cables-swapped cabled-as-planned far-end-known bond-members-alike" },
	[BRINGUP_WIRE] = { "wire", "Light and wire", "speed-same speed-as-capable fec-same wire-clean bits-clean" },
	[BRINGUP_MTU] = { "mtu", "MTU", "mtu-fits mtu-as-wanted rdma-mtu" },
	[BRINGUP_QOS] = { "qos", "Trust, PFC, ECN",
			  "dcbx-off trust-as-wanted trust-same dscp-map-as-wanted dscp-same prio-tc-as-wanted tc-queue-as-wanted "
			  "ets-adds-up ets-cnp-served ets-as-wanted pfc-on-where-wanted pfc-only-where-wanted pfc-same pause-frames-off "
			  "pfc-queue-agrees watchdog-on headroom-fits ecn-on ecn-sane ecn-before-pfc ecn-as-wanted np-on rp-on "
			  "cnp-marked-as-wanted cnp-lands device-as-wanted port-as-wanted" },
	[BRINGUP_PERSISTENCE] = { "persistence", "Persistence", "qos-kept lldpad-off config-saved" },
	[BRINGUP_RDMA] = { "rdma", "RDMA", "rdma-active gid-v2" },
};

enum bringup_stage bringup_stage_find(struct span id)
{
	for (enum bringup_stage s = 0; s < BRINGUP_STAGES; s++)
		if (span_is(id, bringup_stage_table[s].id))
			return s;
	return BRINGUP_STAGES;
}

const char *bringup_state_word(enum bringup_state s)
{
	static const char *const words[] = { [BRINGUP_PASS] = "pass", [BRINGUP_UNKNOWN] = "not known", [BRINGUP_FAIL] = "fail" };

	return words[s];
}

/* -- one check -- */

struct asking {
	const struct findings *f;
	struct bringup_answer *a;
	bool is_any_yes;
};

/* The first no is the answer; the first unknown, as long as nothing says no. */
static void ask(struct asking *q, const struct check *c, const struct device *d, const struct port *p)
{
	bool is_lost = false;
	enum verdict v = findings_said(q->f, c, d, p, &is_lost);
	enum bringup_state state = v >= VERDICT_LOOK ? BRINGUP_FAIL : v == VERDICT_UNKNOWN || is_lost ? BRINGUP_UNKNOWN : BRINGUP_PASS;

	q->is_any_yes |= v == VERDICT_OK && !is_lost;
	if (state > q->a->state || (state == q->a->state && state != BRINGUP_PASS && !q->a->check))
		*q->a = (struct bringup_answer){ state, c, d, p };
}

/* p NULL: what is asked of the whole device alone. */
static void ask_of_end(struct asking *q, const struct check *c, const struct device *d, const struct port *p)
{
	if (c->of == OF_DEVICE)
		ask(q, c, d, NULL);
	else if (p)
		ask(q, c, d, p);
}

static void ask_stage(enum bringup_stage stage, const struct findings *f, const struct device *device, const struct port *nic,
		      const struct port *far, struct bringup_answer *a)
{
	struct span ids = span_of(bringup_stage_table[stage].checks), id;
	struct asking q = { .f = f, .a = a };

	*a = (struct bringup_answer){ .state = BRINGUP_PASS };
	while (span_word(&ids, &id)) {
		char name[64];
		const struct check *c;

		snprintf(name, sizeof(name), "%.*s", (int)id.n, id.p);
		c = check_find(name);
		if (!c)
			continue;
		ask_of_end(&q, c, device, nic);
		if (far)
			ask_of_end(&q, c, far->device, far);
	}
	if (a->state == BRINGUP_PASS && !q.is_any_yes)
		a->state = BRINGUP_UNKNOWN;
}

void bringup_stage_ask(enum bringup_stage stage, const struct findings *f, const struct port *nic, const struct port *far,
		       struct bringup_answer *a)
{
	ask_stage(stage, f, nic->device, nic, far, a);
}

static enum bringup_stage first_stage(const struct findings *f, const struct device *device, const struct port *nic,
				      const struct port *far, unsigned wanted, struct bringup_answer *a)
{
	enum bringup_stage first = BRINGUP_STAGES;

	*a = (struct bringup_answer){ .state = BRINGUP_PASS };
	for (enum bringup_stage s = 0; s < BRINGUP_STAGES && a->state != BRINGUP_FAIL; s++) {
		struct bringup_answer one;

		if (!(wanted & 1u << s))
			continue;
		ask_stage(s, f, device, nic, far, &one);
		if (one.state > a->state) {
			*a = one;
			first = s;
		}
	}
	return first;
}

enum bringup_stage bringup_first_stage(const struct findings *f, const struct port *nic, const struct port *far, unsigned wanted,
				       struct bringup_answer *a)
{
	return first_stage(f, nic->device, nic, far, wanted, a);
}

enum bringup_stage bringup_first_stage_of_device(const struct findings *f, const struct device *device, unsigned wanted,
						 struct bringup_answer *a)
{
	return first_stage(f, device, NULL, NULL, wanted, a);
}
