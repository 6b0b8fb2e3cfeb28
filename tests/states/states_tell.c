/* A state told to a model, taken from it cell by cell, and printed. */
#include "tests/states/states.h"

#define SAMPLES		12	/* of each counter, a second apart */
#define BEGIN_US	(1000 * SECOND)

static bool is_measured(const struct state_cell *c)
{
	return field_table[c->field].kind >= KIND_COUNTER;
}

static void tell_cell(struct obs *o, const struct state_cell *c, unsigned sample)
{
	struct value v = c->value;
	bool is_counter = field_table[c->field].kind == KIND_COUNTER;
	unsigned began = c->is == CELL_RESTARTED ? SAMPLES / 2 : c->is == CELL_RESET ? SAMPLES : SAMPLES + 1;

	if (is_counter && v.is == VALUE_KNOWN)
		v.n = sample >= began ? (uint64_t)(c->per_s * (sample - began)) : v.n + (uint64_t)(c->per_s * sample);
	obs_add(o, c->port ? obs_port(o, span_of(c->port)) : OBS_DEVICE, c->field, c->index, v);
}

/* What one probe of a device says at a sample: its settings at the first; counters at each; what is too old at the first two. */
enum probe { PROBE_SETTINGS, PROBE_COUNTERS, PROBE_OLD };

static bool is_of(const struct state_cell *c, enum probe probe, unsigned sample)
{
	if (c->is == CELL_GONE)
		return false;
	if (c->is == CELL_OLD)
		return probe == PROBE_OLD && sample <= 2;
	if (!is_measured(c))
		return probe == PROBE_SETTINGS && sample == 1;
	return probe == PROBE_COUNTERS && (c->is != CELL_YOUNG || sample == SAMPLES);
}

static void tell_probe(struct state *s, size_t first, size_t end, enum probe probe, unsigned sample)
{
	static const struct {
		const char *name;
		int64_t period_us;
	} probes[] = { { "settings", 30 * SECOND }, { "counters", SECOND }, { "old", SECOND } };
	struct obs o;

	obs_init(&o, s->cells[first].device, probes[probe].name);
	o.at_us = BEGIN_US + sample * SECOND;
	o.period_us = probes[probe].period_us;
	o.rank = 10;
	for (size_t i = first; i < end; i++)
		if (is_of(&s->cells[i], probe, sample))
			tell_cell(&o, &s->cells[i], sample);
	assert_int_equal(o.missed, 0);
	if (o.n)
		model_apply(s->model, &o);
	obs_done(&o);
}

void states_tell(struct state *s)
{
	links_done(&s->links);
	s->links = (struct links){ 0 };
	model_free(s->model);
	s->model = model_new();
	for (unsigned sample = 1; sample <= SAMPLES; sample++)
		for (size_t first = 0, end; first < s->n; first = end) {
			for (end = first; end < s->n && s->cells[end].order == s->cells[first].order; end++)
				;
			for (unsigned probe = PROBE_SETTINGS; probe <= PROBE_OLD; probe++)
				tell_probe(s, first, end, (enum probe)probe, sample);
		}
	s->now_us = BEGIN_US + SAMPLES * SECOND;
	model_set_now(s->model, s->now_us);
	links_update(&s->links, s->model, &s->inventory);
}

/* -- taking away -- */

static const struct cell *standing(const struct evidence *e)
{
	return e->port ? port_cell(e->port, e->field, e->index) : e->device ? device_cell(e->device, e->field, e->index) : NULL;
}

/* A partial answer at the time of the last one: nothing else that the probe has said changes, in value or in age. */
bool states_take(struct state *s, const struct evidence *e, enum taken how)
{
	const struct device *device = e->port ? e->port->device : e->device;
	const struct cell *c = standing(e);
	struct value v = { .is = how == TAKEN_UNKNOWN ? VALUE_UNKNOWN : VALUE_ABSENT, .text = how == TAKEN_UNKNOWN ? STATE_REASON : NULL };
	struct obs o;

	if (!c || (how == TAKEN_UNKNOWN && c->value.is == VALUE_UNKNOWN))
		return false;
	obs_init(&o, device->name, c->reply->probe);
	o.at_us = c->reply->at_us;
	o.period_us = c->reply->period_us;
	o.rank = c->reply->rank;
	o.is_partial = true;
	obs_add(&o, e->port ? obs_port(&o, span_of(e->port->name)) : OBS_DEVICE, e->field, e->index, v);
	model_apply(s->model, &o);
	obs_done(&o);
	model_set_now(s->model, s->now_us);
	links_update(&s->links, s->model, &s->inventory);
	return true;
}

#define TRIES	64

bool states_any_cell(struct state *s, const struct device *device, struct evidence *out)
{
	for (unsigned i = 0; i < TRIES && s->n; i++) {
		const struct state_cell *c = &s->cells[states_below(s, s->n)];

		if (device && strcmp(device->name, c->device) != 0)
			continue;
		*out = (struct evidence){ .device = model_find_device(s->model, c->device), .field = c->field, .index = c->index,
					  .port = c->port ? model_find_port(s->model, c->device, c->port) : NULL };
		if ((!c->port || out->port) && out->device && standing(out))
			return true;
	}
	return false;
}

/* -- words -- */

void states_cell_words(const struct evidence *e, struct buf *out)
{
	buf_printf(out, "%s%s%s %s", e->port ? e->port->device->name : e->device ? e->device->name : "?", e->port ? " " : "",
		   e->port ? e->port->name : "", field_table[e->field].name);
	if (field_table[e->field].width > 1)
		buf_printf(out, "[%u]", e->index);
}

static void print_cells(const struct state *s, const struct device *d, const struct port *p, struct buf *out)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++)
		for (unsigned i = 0; i < field_table[f].width; i++) {
			struct evidence e = { .device = d, .port = p, .field = (enum field)f, .index = i };
			const struct cell *c = standing(&e);
			double per_s;

			if (!c || (field_table[f].scope == SCOPE_PORT) != (p != NULL))
				continue;
			states_cell_words(&e, out);
			buf_str(out, " = ");
			value_print(e.field, &c->value, out);
			if (p && port_rate(s->model, p, e.field, i, &per_s))
				buf_printf(out, "	%g/s", per_s);
			buf_str(out, cell_is_stale(s->model, c) ? "	too old\n" : "\n");
		}
}

void states_print(const struct state *s, struct buf *out)
{
	for (size_t i = 0; i < model_devices(s->model); i++) {
		const struct device *d = model_device(s->model, i);

		print_cells(s, d, NULL, out);
		for (size_t k = 0; k < d->n_ports; k++)
			print_cells(s, d, d->ports[k], out);
	}
}
