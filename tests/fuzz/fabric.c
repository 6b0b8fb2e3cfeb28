#include "tests/fuzz/fabric.h"

static struct model *model;
static struct links links;
static struct findings *findings;
static struct policy *policy;
static uint64_t serial;

static void begin(void)
{
	static const char facts[] = "n up = yes\nn eth2 up = yes\nn eth2 mtu = 9000\nn eth2 peer.name = \"leaf1\"\nn eth2 pfc.on[3] = yes\n";
	struct obs o;
	struct err err;

	model = model_new();
	policy = policy_builtin("roce-lossless");
	findings = findings_new();
	obs_init(&o, "node1", "test");
	o.at_us = SECOND;
	o.period_us = 30 * SECOND;
	obs_read(&o, SPAN(facts), &err);
	model_apply(model, &o);
	model_set_now(model, SECOND);
	obs_done(&o);
	links_update(&links, model, NULL);
	findings_judge(findings, model, &links, policy, NULL);
}

struct view_of fabric_view(void)
{
	if (!model)
		begin();
	return (struct view_of){ .model = model, .links = &links, .findings = findings, .policy = policy, .fabric = "x", .serial = ++serial };
}
