/* What the model knows when its recording starts later: each current reply, at its own time. */
#include <stdlib.h>

#include "db/record/internal.h"

static void add_cell(struct obs *o, const struct reply *r, uint16_t port, enum field f, unsigned index, const struct cell *c)
{
	for (; c; c = c->other) {
		if (c->reply != r || c->generation != r->generation)
			continue;
		o->cite = c->cite;
		obs_add(o, port, f, index, c->value);
	}
}

static void add_cells(struct obs *o, const struct reply *r, uint16_t port, struct cell *const cells[FIELD_COUNT])
{
	for (unsigned f = 0; f < FIELD_COUNT; f++)
		for (unsigned i = 0; cells[f] && i < field_table[f].width; i++)
			add_cell(o, r, port, (enum field)f, i, &cells[f][i]);
}

static bool says_of(const struct reply *r, struct cell *const cells[FIELD_COUNT])
{
	for (unsigned f = 0; f < FIELD_COUNT; f++)
		for (unsigned i = 0; cells[f] && i < field_table[f].width; i++)
			for (const struct cell *c = &cells[f][i]; c; c = c->other)
				if (c->reply == r && c->generation == r->generation)
					return true;
	return false;
}

static void take_reply(struct recorder *rec, struct obs *o, const struct reply *r)
{
	const struct device *d = r->device;

	obs_init(o, d->name, r->probe);
	o->subject = r->subject;
	o->command = r->command;
	o->rank = r->rank;
	o->at_us = r->at_us;
	o->device_us = r->device_us;
	o->period_us = r->period_us;
	o->raw = (struct span){ r->raw, r->raw_n };
	add_cells(o, r, OBS_DEVICE, d->cells);
	for (size_t i = 0; i < d->n_ports; i++)
		if (says_of(r, d->ports[i]->cells))
			add_cells(o, r, obs_port(o, span_of(d->ports[i]->name)), d->ports[i]->cells);
	recorder_take(rec, o);
	obs_done(o);
}

static int by_time(const void *a, const void *b)
{
	const struct reply *x = *(const struct reply *const *)a, *y = *(const struct reply *const *)b;

	return x->at_us < y->at_us ? -1 : x->at_us > y->at_us;
}

void recorder_take_known(struct recorder *rec)
{
	const struct reply **list = NULL;
	size_t n = 0, cap = 0;
	struct obs o;

	for (size_t i = 0; i < model_devices(rec->model); i++) {
		const struct device *d = model_device(rec->model, i);

		for (size_t k = 0; k < d->n_replies; k++) {
			if (!d->replies[k]->at_us)
				continue;
			*GROW(list, n, cap) = d->replies[k];
			n++;
		}
	}
	if (n)
		qsort(list, n, sizeof(*list), by_time);
	for (size_t i = 0; i < n; i++)
		take_reply(rec, &o, list[i]);
	free(list);
}
