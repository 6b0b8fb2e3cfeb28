/* The same ledger over a copy of its model: devices and ports are the same by id. */
#include "core/judge/finding_internal.h"

static const struct device *same_device(const struct model *m, const struct device *d)
{
	return d ? model_device(m, d->id) : NULL;
}

static const struct port *same_port(const struct model *m, const struct port *p)
{
	return p ? model_port(m, p->id) : NULL;
}

static const void *same_place(const struct model *m, const struct entry *e)
{
	if (e->key.place == e->finding.port)
		return same_port(m, e->finding.port);
	return same_device(m, e->finding.device);
}

static void copy_entry(struct findings *to, const struct entry *e, const struct model *m)
{
	struct entry *copy = finding_add(to, e->key.check, same_place(m, e), (unsigned)e->key.index);
	struct finding *f = &copy->finding;

	copy->round = e->round;
	*f = e->finding;
	f->device = same_device(m, f->device);
	f->port = same_port(m, f->port);
	f->far = same_port(m, f->far);
	for (size_t i = 0; i < f->n_evidence; i++) {
		f->evidence[i].device = same_device(m, f->evidence[i].device);
		f->evidence[i].port = same_port(m, f->evidence[i].port);
	}
	if (f->is_open)
		finding_list(to, copy);
}

static const struct finding *same_cause(const struct findings *f, const struct model *m, const struct finding *cause)
{
	const struct entry *e = (const struct entry *)cause;	/* each begins with its finding */

	e = e ? finding_entry(f, e->key.check, same_place(m, e), (unsigned)e->key.index) : NULL;
	return e ? &e->finding : NULL;
}

static void copy_verdicts(struct findings *to, const struct findings *f)
{
	to->n_ports = f->n_ports;
	to->n_devices = f->n_devices;
	to->ports = xcalloc(f->n_ports + f->n_devices + 1, sizeof(*to->ports));
	for (size_t i = 0; i < f->n_ports + f->n_devices; i++) {
		to->ports[i] = f->ports[i];
		to->ports[i].open = NULL;
	}
}

struct findings *findings_copy(const struct findings *f, const struct model *copy)
{
	struct findings *to = findings_new();
	const struct entry *e;

	to->round = f->round;
	to->now_us = f->now_us;
	to->n_unknown = f->n_unknown;
	to->n_early = f->n_early;
	to->n_untold = f->n_untold;
	memcpy(to->n_of_check, f->n_of_check, sizeof(to->n_of_check));
	copy_verdicts(to, f);
	for (e = f->entries; e; e = e->hh.next)
		copy_entry(to, e, copy);
	for (size_t i = 0; i < to->n_open; i++) {
		struct finding *finding = (struct finding *)to->open[i];

		finding->cause = same_cause(to, copy, finding->cause);
	}
	findings_order(to);
	return to;
}
