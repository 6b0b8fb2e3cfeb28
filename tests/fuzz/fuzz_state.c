/* Any text as the console's state of the last session. */
#include "tui/console/state.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct model *model;
static struct links links;
static struct findings *findings;
static struct policy *policy;

/* A fabric of one host, once. */
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct view_of of;
	struct stage s = { 0 };
	struct state taken;
	struct err err;

	if (!model)
		begin();
	of = (struct view_of){ .model = model, .links = &links, .findings = findings, .policy = policy, .fabric = "x", .serial = 1 };
	state_init(&taken, NULL, false);
	state_read(&taken, &s, &of, (struct span){ (const char *)data, size }, &err);
	stage_done(&s);
	state_done(&taken);
	return 0;
}
