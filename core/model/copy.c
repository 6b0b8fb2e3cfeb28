/* A model copied whole: for judging aside while the original goes on. */
#include "core/model/model.h"

#include "core/model/internal.h"
#include "core/model/refreshed.h"

static void *copy_of(const void *what, size_t size)
{
	return memcpy(xmalloc(size), what, size);
}

static struct reply *reply_of(const struct device *to, const struct reply *r)
{
	return r ? to->replies[r->nth] : NULL;
}

static void copy_replies(struct device *to, const struct device *d)
{
	for (size_t i = 0; i < d->n_replies; i++) {
		struct reply *r = copy_of(d->replies[i], sizeof(*r));

		r->device = to;
		reply_share(r, d->replies[i]);
		*GROW(to->replies, to->n_replies, to->cap_replies) = r;
		to->n_replies++;
	}
	for (size_t i = 0; i < to->n_replies; i++)
		to->replies[i]->next = reply_of(to, d->replies[i]->next);
	to->last_reply = reply_of(to, d->last_reply);
}

static void copy_cells(const struct device *to, struct cell **cells, struct cell *const *from)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++) {
		if (!from[f])
			continue;
		cells[f] = copy_of(from[f], field_table[f].width * sizeof(*cells[f]));
		for (unsigned i = 0; i < field_table[f].width; i++) {
			struct cell *c = &cells[f][i];

			c->reply = reply_of(to, c->reply);
			if (c->known)
				c->known = copy_of(c->known, sizeof(*c->known));
			if (!c->other)
				continue;
			c->other = copy_of(c->other, sizeof(*c->other));
			c->other->reply = reply_of(to, c->other->reply);
		}
	}
}

static void copy_series(struct port *to, const struct port *p)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++) {
		if (!p->series[f])
			continue;
		to->series[f] = copy_of(p->series[f], field_table[f].width * sizeof(*to->series[f]));
		for (unsigned i = 0; i < field_table[f].width; i++) {
			struct series *s = &to->series[f][i];

			if (s->history)
				s->history = copy_of(s->history, HISTORY_LEN * sizeof(*s->history));
			if (s->coarse)
				s->coarse = copy_of(s->coarse, sizeof(*s->coarse));
			if (s->moves)
				s->moves = copy_of(s->moves, sizeof(*s->moves));
		}
	}
}

struct model *model_copy(const struct model *m)
{
	struct model *copy = model_new();

	for (size_t i = 0; i < m->n_devices; i++) {
		const struct device *d = m->devices[i];
		struct device *to = model_need_device(copy, d->name);

		to->heard_us = d->heard_us;
		copy_replies(to, d);
		copy_cells(to, to->cells, d->cells);
	}
	for (size_t i = 0; i < m->n_ports; i++) {
		const struct port *p = m->ports[i];
		struct device *d = copy->devices[p->device->id];
		struct port *to = model_need_port(copy, d, p->name);

		to->n_others = p->n_others;
		copy_cells(d, to->cells, p->cells);
		copy_series(to, p);
	}
	copy->now_us = m->now_us;
	copy->serial = m->serial;
	copy->config_serial = m->config_serial;
	return copy;
}
