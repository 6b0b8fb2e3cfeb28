#include "core/bringup/rack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct bringup_unit *add(struct bringup_rack *r, const char *host, const char *nic)
{
	struct bringup_unit *u = GROW(r->units, r->n, r->cap);

	r->n++;
	*u = (struct bringup_unit){ .host = host, .nic = nic };
	return u;
}

static bool has_unit(const struct bringup_rack *r, size_t from, const char *nic)
{
	for (size_t i = from; i < r->n; i++)
		if (r->units[i].nic && !strcmp(r->units[i].nic, nic))
			return true;
	return false;
}

/* A cable between two hosts has a NIC to bring up at either end. */
static void add_links(struct bringup_rack *r, const struct bringup_fabric *f, const struct device *d)
{
	for (size_t i = 0; i < f->links->n; i++) {
		const struct link *l = &f->links->list[i];
		const struct port *near = l->a->device == d ? l->a : l->b && l->b->device == d ? l->b : NULL;
		struct bringup_unit *u;

		if (!l->is_fabric || !near)
			continue;
		u = add(r, d->name, near->name);
		u->device = d;
		u->port = near;
		u->far = near == l->a ? l->b : l->a;
		u->peer = u->far ? u->far->device->name : NULL;
		u->peer_port = u->far ? u->far->name : NULL;
	}
}

static void add_planned(struct bringup_rack *r, const struct bringup_fabric *f, const char *host, size_t from)
{
	for (size_t i = 0; i < f->inventory->n_cables; i++) {
		const struct cable *c = &f->inventory->cables[i];
		bool is_peer = !strcmp(c->peer, host);
		const char *nic = is_peer ? c->peer_port : c->port;
		struct bringup_unit *u;

		if ((!is_peer && strcmp(c->device, host) != 0) || has_unit(r, from, nic))
			continue;
		u = add(r, host, nic);
		u->device = model_find_device(f->model, host);
		u->port = u->device ? model_find_port(f->model, host, nic) : NULL;
		u->peer = is_peer ? c->device : c->peer;
		u->peer_port = is_peer ? c->port : c->peer_port;
	}
}

static int by_nic(const void *a, const void *b)
{
	const struct bringup_unit *x = a, *y = b;

	return natural_cmp(x->nic ? x->nic : "", y->nic ? y->nic : "");
}

/* Of a NIC that was not read: what fails at its host, else that it is not known. */
static void judge_unread(struct bringup_unit *u, const struct findings *f, unsigned wanted)
{
	bool is_heard = u->device && u->device->heard_us;	/* a device of the inventory is there before it answers */
	struct bringup_course *c = &u->course;

	bringup_course_read(f, u->device, NULL, NULL, u->device ? wanted : 0, c);
	if (c->state == BRINGUP_FAIL)
		return;
	c->at = is_heard ? BRINGUP_CABLING : BRINGUP_REACH;
	c->state = BRINGUP_UNKNOWN;
	for (enum bringup_stage s = c->at; s < BRINGUP_STAGES; s++)
		c->stages[s] = (struct bringup_answer){
			.state = s == c->at ? BRINGUP_UNKNOWN : wanted & 1u << s ? BRINGUP_WAITS : BRINGUP_SKIPPED, .device = u->device };
	if (!is_heard)
		snprintf(u->words, sizeof(u->words), "nothing was read of %s", u->host);
	else if (u->nic)
		snprintf(u->words, sizeof(u->words), "the plan names %s, which was not read", u->nic);
	else
		snprintf(u->words, sizeof(u->words), "no fabric port was read");
}

static void judge(struct bringup_unit *u, const struct findings *f, unsigned wanted)
{
	if (u->port)
		bringup_course_read(f, u->device, u->port, u->far, wanted, &u->course);
	else
		judge_unread(u, f, wanted);
}

static void add_host(struct bringup_rack *r, const struct bringup_fabric *f, const char *name, const struct device *d)
{
	size_t from = r->n;

	if (d)
		add_links(r, f, d);
	add_planned(r, f, name, from);
	if (r->n == from)
		add(r, name, NULL)->device = d;
	qsort(r->units + from, r->n - from, sizeof(*r->units), by_nic);
}

static bool is_switch(const struct host *h, const struct device *d, const struct inventory *inv)
{
	return d ? device_is_switch(d, inv) : h && h->kind && !strcmp(h->kind, "switch");
}

void bringup_rack_read(struct bringup_rack *r, const struct bringup_fabric *of, bool (*is_in)(const void *ctx, const char *host),
		       const void *ctx, unsigned wanted)
{
	static const struct inventory empty;	/* a recording, or a first run, may have none */
	const struct inventory *inv = of->inventory ? of->inventory : &empty;
	const struct bringup_fabric fabric = { of->model, of->links, inv, of->findings }, *f = &fabric;

	r->n = 0;
	memset(r->count, 0, sizeof(r->count));
	memset(r->stages, 0, sizeof(r->stages));
	for (size_t i = 0; i < inv->n_hosts; i++) {
		const struct host *h = &inv->hosts[i];
		const struct device *d = model_find_device(f->model, h->name);

		if ((!is_in || is_in(ctx, h->name)) && !is_switch(h, d, inv))
			add_host(r, f, h->name, d);
	}
	for (size_t i = 0; i < model_devices(f->model); i++) {	/* a recording may have no inventory */
		const struct device *d = model_device(f->model, i);

		if (!inventory_find(inv, d->name) && (!is_in || is_in(ctx, d->name)) && !is_switch(NULL, d, inv))
			add_host(r, f, d->name, d);
	}
	for (size_t i = 0; i < r->n; i++) {
		judge(&r->units[i], f->findings, wanted);
		r->count[r->units[i].course.state]++;
		for (enum bringup_stage s = 0; s < BRINGUP_STAGES; s++)
			r->stages[s][r->units[i].course.stages[s].state]++;
	}
}

void bringup_rack_skip(struct bringup_rack *r, const char *host, const char *nic, const char *words)
{
	for (size_t i = 0; i < r->n; i++) {
		struct bringup_unit *u = &r->units[i];
		enum bringup_state *stage = &u->course.stages[u->course.at < BRINGUP_STAGES ? u->course.at : 0].state;

		if (strcmp(u->host, host) != 0 || strcmp(u->nic ? u->nic : "", nic ? nic : "") != 0 || u->course.at == BRINGUP_STAGES)
			continue;
		r->count[u->course.state]--;
		r->stages[u->course.at][*stage]--;
		*stage = u->course.state = BRINGUP_SKIPPED;
		r->stages[u->course.at][*stage]++;
		r->count[BRINGUP_SKIPPED]++;
		snprintf(u->words, sizeof(u->words), "%s", words);
	}
}

void bringup_rack_done(struct bringup_rack *r)
{
	free(r->units);
	*r = (struct bringup_rack){ 0 };
}

const struct finding *bringup_unit_finding(const struct findings *f, const struct bringup_unit *u, enum bringup_stage stage)
{
	const struct bringup_answer *a = &u->course.stages[stage];

	return a->check ? findings_open_at(f, a->check, a->device, a->port) : NULL;
}

static const char *why_unknown(const struct findings *f, const struct bringup_unit *u, enum bringup_stage stage, char *out)
{
	const struct check *check = u->course.stages[stage].check;
	const struct finding *found = bringup_unit_finding(f, u, stage);

	if (stage == u->course.at && u->words[0])
		return u->words;
	if (found && found->verdict == VERDICT_UNKNOWN && found->missing[0])
		return found->missing;
	if (!check)
		return "nothing that this stage asks could be judged";
	snprintf(out, BRINGUP_WHY_MAX, "%s could not be judged: what it is judged by is not known", check->id);
	return out;
}

const char *bringup_unit_why(const struct findings *f, const struct bringup_unit *u, enum bringup_stage stage, char out[BRINGUP_WHY_MAX])
{
	const struct bringup_answer *a = &u->course.stages[stage];
	const struct finding *found;

	switch (a->state) {
	case BRINGUP_UNKNOWN:	return why_unknown(f, u, stage, out);
	case BRINGUP_WAITS:	return "a stage before it fails";
	case BRINGUP_SKIPPED:	return stage == u->course.at && u->words[0] ? u->words : "not asked for";
	case BRINGUP_FAIL:	break;
	default:		return "";
	}
	found = bringup_unit_finding(f, u, stage);
	return found && !found->is_calming ? found->what : a->check->title;
}

const char *bringup_unit_remedy(const struct findings *f, const struct bringup_unit *u)
{
	const struct finding *found = u->course.state == BRINGUP_FAIL ? bringup_unit_finding(f, u, u->course.at) : NULL;

	while (found && found->cause)
		found = found->cause;
	return found ? found->check->change : NULL;
}
