#include "tests/lib/plans.h"

#include <stdio.h>

static void add_line(struct fix_lines *lines, const char *text)
{
	*GROW(lines->list, lines->n, lines->cap) = text;
	lines->n++;
}

static struct fix_step *add_step(struct fix_plan *p, const char *device, const char *platform)
{
	struct fix_step *s = GROW(p->steps, p->n_steps, p->cap_steps);

	p->n_steps++;
	s->device = device;
	s->platform = platform;
	return s;
}

static void add_edit(struct fix_step *s, const char *line)
{
	static struct arena texts;	/* as long as the program */
	struct edit *e = GROW(s->edits, s->n_edits, s->cap_edits);
	struct err err;

	s->n_edits += edit_parse(span_of(line), &texts, e, &err);
}

static void write_plan(struct fix_plan *p)
{
	struct fix_step *s = add_step(p, "leaf1", "os10");

	add_edit(s, "leaf1 ethernet1/1/1 trust = dscp (was pcp)");
	add_edit(s, "leaf1 ethernet1/1/1 pfc.on[3] = yes (was no)");
	s->base = "interface ethernet1/1/1\n no flowcontrol\n";
	s->after = "interface ethernet1/1/1\n priority-flow-control mode on\n trust-map dscp trust1\n";
	add_line(&s->lines, "priority-flow-control mode on");
	add_line(&s->lines, "trust-map dscp trust1");
	add_line(&s->undo, "no trust-map dscp");
	add_line(&s->undo, "no priority-flow-control mode");
	add_line(&s->save, "write memory");
	s->ports = "ethernet1/1/1";
	s = add_step(p, "node1", "linux");
	add_edit(s, "node1 eth2 trust = dscp (was pcp)");
	s->base = "eth2 trust pcp\n";
	s->after = "eth2 trust dscp\n";
	add_line(&s->lines, "mlnx_qos -i eth2 --trust=dscp");
	add_line(&s->undo, "mlnx_qos -i eth2 --trust=pcp");
	s->save_note = "fabcon emit systemd node1";
	s->disturbs = "the link of eth2 goes down for several seconds";
	s->ports = "eth2";
	p->id = "P-20261121-4f2a";
	p->fabric = "gpu-a";
	p->policy = "roce-lossless";
	p->title = "The two ends trust different markings";
	p->finding = "trust-same-both-ends node1:eth2 - leaf1:ethernet1/1/1";
	p->verify_us = 60000000;
	*GROW(p->units, p->n_units, p->cap_units) = (struct fix_unit){ .first = 0, .n = 2, .wave = 1 };
	p->n_units = 1;
}

static void go_on(struct plans *p, enum plans_at at)
{
	static const char *const log[] = { "leaf1 $ priority-flow-control mode on", "leaf1   0" };

	p->view.steps = p->steps;
	p->view.log = log;
	p->view.n_log = 2;
	p->view.now_us = 1000000000;
	p->view.doing = at == PLANS_FAILED ? DOING_NOTHING : DOING_APPLY;
	p->view.is_waiting = at == PLANS_WAITING;
	if (at == PLANS_RUNNING) {
		p->steps[0] = (struct fix_progress){ .state = FIX_APPLYING, .words = "line 2 of 2", .undo_at_us = 1581000000 };
		p->steps[1] = (struct fix_progress){ .state = FIX_PLANNED };
	} else if (at == PLANS_WAITING) {
		p->steps[0] = (struct fix_progress){ .state = FIX_VERIFIED, .undo_at_us = 1041000000 };
		p->steps[1] = (struct fix_progress){ .state = FIX_VERIFYING, .undo_at_us = 1070000000, .verify_until_us = 1026000000 };
	} else {
		p->steps[0] = (struct fix_progress){ .state = FIX_UNDONE };
		p->steps[1] = (struct fix_progress){ .state = FIX_UNKNOWN, .words = "the session ended", .diff = "- eth2 trust dscp\n" };
		p->view.end = "Failed; node1 is not known: a person is needed.";
		p->view.is_bad = true;
	}
}

void plans_init(struct plans *p, enum plans_at at)
{
	*p = (struct plans){ .plan = { 0 } };
	fix_plan_init(&p->plan);
	write_plan(&p->plan);
	fix_plan_hash(&p->plan, p->hash);
	p->view = (struct fix_view){ .plan = &p->plan, .hash = p->hash };
	if (at != PLANS_MADE) {
		p->view.armed_left_us = 899000000;
		p->view.reason = "INC-42";
	}
	if (at >= PLANS_RUNNING)
		go_on(p, at);
}

void plans_done(struct plans *p)
{
	fix_plan_done(&p->plan);
}
