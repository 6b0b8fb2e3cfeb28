/* Everything a recording refers to by number: devices, ports, fields, texts, probes and the shapes of their replies. */
#include <stdio.h>
#include <stdlib.h>

#include "db/record/internal.h"

#define SHAPES_MAX	8192	/* remembered; beyond that a shape may be written again */

/* -- names -- */

static void put_field(struct recorder *r, enum field f, int64_t id)
{
	const struct field_info *info = &field_table[f];

	row_begin(&r->names, ROW_FIELD);
	row_int(&r->names, id);
	row_text(&r->names, info->name);
	row_int(&r->names, info->kind);
	row_text(&r->names, unit_name(info->unit));
	row_text(&r->names, info->words);
}

/* A field gets the next number if the file has none for it, or if its words have changed since. */
void names_fields(struct recorder *r, int64_t last)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++) {
		if (r->said.file_of[f])
			continue;
		r->said.file_of[f] = (int)++last;
		r->said.field_of[last] = (int)f;
		put_field(r, (enum field)f, last);
	}
}

struct tape_port *names_place(struct recorder *r, struct tape_device *source, const char *name)
{
	bool is_new;
	struct tape_port *p = tape_index_port(&r->said, source, name, &is_new);

	if (is_new) {
		row_begin(&r->names, ROW_PORT);
		row_int(&r->names, p->id);
		row_int(&r->names, source->id);
		row_int(&r->names, p->nth);
		row_text(&r->names, name);
	}
	return p;
}

struct tape_device *names_source(struct recorder *r, const char *name)
{
	bool is_new;
	struct tape_device *source = tape_index_device(&r->said, name, &is_new);

	if (is_new) {
		row_begin(&r->names, ROW_DEVICE);
		row_int(&r->names, source->id);
		row_text(&r->names, name);
	}
	if (source->n_places == 0)	/* new, or its ports were lost with a damaged page */
		names_place(r, source, NULL);
	return source;
}

void rows_command(struct buf *rows, int64_t at_us, const char *device, const char *text, const char *outcome)
{
	row_begin(rows, ROW_COMMAND);
	row_int(rows, at_us);
	row_text(rows, device);
	row_text(rows, text);
	row_text(rows, outcome);
}

static void put_reply(struct recorder *r, const struct probe_version *v, int64_t at_us)
{
	const struct probe_stream *a = v->stream;

	row_begin(&r->names, ROW_REPLY);
	row_int(&r->names, v->id);
	row_int(&r->names, a->source->id);
	row_text(&r->names, a->probe);
	row_text(&r->names, a->subject);
	row_text(&r->names, v->command);
	row_int(&r->names, v->rank);
	row_int(&r->names, v->period_us);
	row_int(&r->names, v->clock_us);
	if (v->command)
		rows_command(&r->names, at_us, a->source->name, v->command, "answered");
}

struct probe_stream *names_asker(struct recorder *r, struct tape_device *source, const struct obs *o)
{
	struct probe_stream *a = tape_index_stream(&r->said, source, o->probe, o->subject);
	const char *command = o->command ? o->command : a->version ? a->version->command : NULL;
	int64_t clock_us = o->device_us ? o->device_us - o->at_us : 0;
	bool is_new;
	struct probe_version *v = tape_index_version(&r->said, a, command, o->rank, o->period_us, clock_us, &is_new);

	if (is_new)
		put_reply(r, v, o->at_us);
	return a;
}

/* -- shapes -- */

bool shape_is(const struct shape *shape, const struct obs *o)
{
	if (!shape->id || shape->n != o->n || shape->n_ports != o->n_ports)
		return false;
	for (size_t i = 0; i < o->n_ports; i++)
		if (strcmp(shape->ports[i]->name, o->ports[i]) != 0)
			return false;
	for (size_t i = 0; i < o->n; i++) {
		const struct shape_fact *s = &shape->facts[i];
		const struct obs_fact *f = &o->facts[i];

		if (s->field != f->field || s->index != f->index || s->port != f->port)
			return false;
	}
	return true;
}

void shape_fill(struct recorder *r, struct probe_stream *a, const struct obs *o)
{
	struct shape *shape = &a->shape;

	shape->n = shape->n_ports = 0;
	if (o->n > shape->cap) {
		shape->cap = o->n;
		shape->facts = xrealloc(shape->facts, shape->cap * sizeof(*shape->facts));
	}
	for (size_t i = 0; i < o->n_ports; i++) {
		*GROW(shape->ports, shape->n_ports, shape->cap_ports) = names_place(r, a->source, o->ports[i]);
		shape->n_ports++;
	}
	for (size_t i = 0; i < o->n; i++) {
		const struct obs_fact *f = &o->facts[i];

		shape->facts[shape->n++] = (struct shape_fact){ f->port, f->field, f->index, 0 };
	}
	probe_stream_settle(&r->said, a);
}

void shapes_forget(struct recorder *r)
{
	struct shape_name *name, *next;

	HASH_ITER(hh, r->shapes, name, next) {
		HASH_DELETE(hh, r->shapes, name);
		free(name);
	}
}

int64_t shape_number(struct recorder *r, const struct shape *shape)
{
	struct shape_name *name;

	buf_clear(&r->body);
	shape_write(&r->said, shape, &r->body);
	HASH_FIND(hh, r->shapes, r->body.text, r->body.n, name);
	if (name)
		return name->id;
	if (HASH_COUNT(r->shapes) >= SHAPES_MAX)
		shapes_forget(r);
	name = xmalloc(sizeof(*name) + r->body.n);
	name->id = ++r->shape_id;
	name->n = r->body.n;
	memcpy(name->body, r->body.text, r->body.n);
	HASH_ADD_KEYPTR(hh, r->shapes, name->body, name->n, name);
	row_begin(&r->names, ROW_SHAPE);
	row_int(&r->names, name->id);
	row_blob(&r->names, buf_span(&r->body));
	return name->id;
}
