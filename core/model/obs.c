#include "core/model/obs.h"

#include <stdlib.h>

void obs_init(struct obs *o, const char *device, const char *probe)
{
	*o = (struct obs){ .device = device, .probe = probe, .cite = CITE_NONE };
}

void obs_clear(struct obs *o)
{
	struct obs kept = *o;

	obs_init(o, kept.device, kept.probe);
	o->facts = kept.facts;
	o->cap = kept.cap;
	o->ports = kept.ports;
	o->cap_ports = kept.cap_ports;
	o->arena = kept.arena;
	arena_clear(&o->arena);
}

void obs_done(struct obs *o)
{
	free(o->facts);
	free(o->ports);
	arena_done(&o->arena);
	*o = (struct obs){ 0 };
}

void obs_cite(struct obs *o, struct span line)
{
	bool inside = o->raw.p && line.p >= o->raw.p && line.p < o->raw.p + o->raw.n;

	o->cite = inside ? (uint32_t)(line.p - o->raw.p) : CITE_NONE;
}

void obs_missed(struct obs *o, struct span line)
{
	if (span_trim(line).n > 0)
		o->missed++;
}

static bool port_name_ok(struct span name)
{
	if (name.n == 0 || name.n > 63)
		return false;
	for (size_t i = 0; i < name.n; i++)
		if ((unsigned char)name.p[i] <= ' ' || (unsigned char)name.p[i] >= 0x7f)
			return false;
	return true;
}

uint16_t obs_port(struct obs *o, struct span name)
{
	if (!port_name_ok(name))
		return OBS_DEVICE;
	for (size_t i = o->n_ports; i-- > 0;)	/* the newest first: replies go port by port */
		if (span_is(name, o->ports[i]))
			return (uint16_t)i;
	if (o->n_ports == OBS_DEVICE)
		return OBS_DEVICE;
	*GROW(o->ports, o->n_ports, o->cap_ports) = arena_text(&o->arena, name.p, name.n);
	return (uint16_t)o->n_ports++;
}

static bool fits(const struct obs *o, uint16_t port, enum field f, unsigned index)
{
	if (f >= FIELD_COUNT || index >= field_table[f].width)
		return false;
	if (field_table[f].scope == SCOPE_DEVICE)
		return port == OBS_DEVICE;
	return port < o->n_ports;
}

void obs_add(struct obs *o, uint16_t port, enum field f, unsigned index, struct value v)
{
	struct obs_fact *fact;

	if (!fits(o, port, f, index)) {
		o->missed++;
		return;
	}
	if (v.text)
		v.text = arena_text(&o->arena, v.text, strlen(v.text));
	fact = GROW(o->facts, o->n, o->cap);
	*fact = (struct obs_fact){ .port = port, .field = (uint8_t)f, .index = (uint8_t)index, .cite = o->cite, .value = v };
	o->n++;
}

void obs_number(struct obs *o, uint16_t port, enum field f, unsigned index, uint64_t n)
{
	obs_add(o, port, f, index, (struct value){ .is = VALUE_KNOWN, .n = n });
}

void obs_bool(struct obs *o, uint16_t port, enum field f, unsigned index, bool yes)
{
	obs_number(o, port, f, index, yes);
}

void obs_word(struct obs *o, uint16_t port, enum field f, unsigned index, struct span word)
{
	uint64_t n;

	if (field_word_value(f, word, &n))
		obs_number(o, port, f, index, n);
	else
		o->missed++;
}

void obs_text(struct obs *o, uint16_t port, enum field f, struct span text)
{
	const char *copy = arena_text(&o->arena, text.p, text.n);

	obs_add(o, port, f, 0, (struct value){ .is = VALUE_KNOWN, .text = copy });
}

void obs_unknown(struct obs *o, uint16_t port, enum field f, unsigned index, const char *reason)
{
	obs_add(o, port, f, index, (struct value){ .is = VALUE_UNKNOWN, .text = reason });
}

void obs_counter(struct obs *o, uint16_t port, enum field f, unsigned index, struct span text, unsigned bits)
{
	struct value v = { .is = VALUE_KNOWN, .bits = (uint8_t)bits };

	if (span_counter(text, &v.n, &v.is_rounded))
		obs_add(o, port, f, index, v);
	else
		obs_unknown(o, port, f, index, "the device prints no value");
}

void obs_print(const struct obs *o, struct buf *out)
{
	for (size_t i = 0; i < o->n; i++) {
		const struct obs_fact *f = &o->facts[i];

		fact_print(&(struct fact){
			.device = o->device,
			.port = f->port == OBS_DEVICE ? NULL : o->ports[f->port],
			.field = f->field,
			.index = f->index,
			.value = f->value,
		}, out);
		buf_str(out, "\n");
	}
}

bool obs_read(struct obs *o, struct span text, struct err *err)
{
	struct span line;
	struct fact fact;

	for (unsigned number = 1; span_line(&text, &line); number++) {
		struct err why;

		line = span_trim(line);
		if (line.n == 0 || *line.p == '#')
			continue;
		if (!fact_parse(line, &o->arena, &fact, &why))
			return err_set(err, "line %u: %s", number, why.text);
		obs_add(o, fact.port ? obs_port(o, span_of(fact.port)) : OBS_DEVICE, fact.field, fact.index, fact.value);
	}
	return true;
}
