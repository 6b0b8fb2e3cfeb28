/* The trees of pauses, beside the findings. */
#include "tests/states/statements.h"

#include <stdio.h>

#include "core/judge/judge_context.h"
#include "core/pause/pause.h"

/* "… 4.2 % of the last 3 s on priority 3": the number and its window, as they are written. */
static bool share_in(const char *what, char share[STOPPED_TEXT])
{
	const char *p = strstr(what, " % of the "), *end = p ? strstr(p, " on priority") : NULL;

	while (p && p > what && p[-1] != ' ')
		p--;
	if (!p || !end || end - p >= STOPPED_TEXT)
		return false;
	snprintf(share, STOPPED_TEXT, "%.*s", (int)(end - p), p);
	return true;
}

/* The part of the time that a port is stopped is one number in the finding, in the pause tree and in the row of ports. */
void pauses_agree_on_shares(struct judged_state *j, size_t *n)
{
	struct pauses g = { 0 };
	char in_finding[STOPPED_TEXT], in_tree[STOPPED_TEXT];

	pauses_make(&g, &(struct pauses_of){ j->s.model, &j->s.links, j->s.policy, &j->s.inventory });
	for (size_t i = 0; i < j->n_open; i++) {
		const struct finding *f = j->open[i];
		const struct link *l = f->port ? links_of_port(&j->s.links, f->port) : NULL;
		bool is_held = strcmp(f->check->id, "not-paused") == 0;
		const struct port *held = is_held ? f->port : l ? link_far(l, f->port) : NULL;
		const struct hold *h = held ? pauses_hold(&g, held, f->index) : NULL;

		if (!held || f->verdict < VERDICT_LOOK || !share_in(f->what, in_finding) || strcmp(f->check->id, "ecn-carries") == 0)
			continue;
		++*n;
		if (!h)
			tally_broken("pauses: no hold of what %s says", f->check->id);
		else if (strcmp(stopped_text(in_tree, h->share, h->window_us), in_finding) != 0)
			tally_broken("pauses: %s in the tree, %s in %s", in_tree, in_finding, f->check->id);
	}
	pauses_done(&g);
}

/* Class 300 has no queue that a watchdog could count; and what is not known to be a switch has no queues at all. */
static bool has_no_queue(const struct judged_state *j, const struct pause_root *r)
{
	const struct link *l = links_of_port(&j->s.links, r->at);
	const struct port *far = l ? link_far(l, r->at) : NULL;
	uint64_t tc, queue;

	if (far && !findings_scene(j->fresh)->parties[far->device->id].is_switch)
		return true;
	if (!far || !port_number(j->s.model, far, FIELD_PRIO_TC, r->prio, &tc))
		tc = r->prio;
	return tc > 7 || (far && port_number(j->s.model, far, FIELD_TC_QUEUE, (unsigned)tc, &queue) && queue > 7);
}

/* A host that sends pause without end is that in the findings and in the pause trees, and no slow receiver in one of them. */
void pauses_agree_on_storms(struct judged_state *j, size_t *n)
{
	struct pauses g = { 0 };

	pauses_make(&g, &(struct pauses_of){ j->s.model, &j->s.links, j->s.policy, &j->s.inventory });
	for (size_t i = 0; i < g.n_roots; i++) {
		const struct pause_root *r = &g.roots[i];
		enum verdict v;

		if ((r->is != ROOT_STORM && r->is != ROOT_SLOW_RECEIVER) || !r->is_sure || !r->at ||
		    findings_scene(j->fresh)->ports[r->at->id].roce != ROCE_YES || has_no_queue(j, r))
			continue;
		v = judged_state_said_at(j, "pause-storm", r->at);
		++*n;
		if (r->is == ROOT_STORM && v == VERDICT_OK)
			tally_broken("pauses: a root is a storm while pause-storm is ok");
		if (r->is == ROOT_SLOW_RECEIVER && v == VERDICT_FAIL)
			tally_broken("pauses: a root is a slow receiver while pause-storm is open");
	}
	pauses_done(&g);
}
