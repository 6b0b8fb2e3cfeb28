#include "tests/bench/written.h"

#include <stdio.h>
#include <stdlib.h>

#include "db/record/recorder.h"
#include "tests/lib/world.h"

#define START_US	(INT64_C(1790000000) * SECOND)
#define SETTINGS_S	30
#define NOTE_S		60

/* What a device says of itself or of each of its ports, taken from the world's first host and its leaf. */
struct template {
	struct obs said;	/* of one port, or of the device */
	double *per_s;		/* of counters, beside the facts */
};

enum { HOST_SELF, HOST_SETTINGS, HOST_COUNTERS, LEAF_SELF, LEAF_SETTINGS, LEAF_COUNTERS, TEMPLATES };

static const struct {
	const char *place, *probe;
	bool is_port, is_counter;
} kinds[TEMPLATES] = {
	[HOST_SELF]	= { "node1 ",			"self" },
	[HOST_SETTINGS]	= { "node1 eth2 ",		"settings",	true },
	[HOST_COUNTERS]	= { "node1 eth2 ",		"counters",	true,	true },
	[LEAF_SELF]	= { "leaf1 ",			"self" },
	[LEAF_SETTINGS]	= { "leaf1 ethernet1/1/1 ",	"settings",	true },
	[LEAF_COUNTERS]	= { "leaf1 ethernet1/1/1 ",	"counters",	true,	true },
};

struct writing {
	const struct written_plan *plan;
	struct template templates[TEMPLATES];
	struct model *model;
	struct recorder *recorder;
	struct obs o;
	unsigned second;
};

static bool is_of(const struct world_fact *f, unsigned kind)
{
	size_t n = strlen(kinds[kind].place);

	return strncmp(f->what, kinds[kind].place, n) == 0 && f->is_counter == kinds[kind].is_counter &&
	       (kinds[kind].is_port || !strchr(f->what + n, ' '));
}

static void take_template(struct template *t, const struct world *w, unsigned kind)
{
	struct buf text = { 0 };
	size_t n = 0;
	struct err err;

	t->per_s = xcalloc(w->n_facts, sizeof(*t->per_s));
	for (size_t i = 0; i < w->n_facts; i++)
		if (is_of(&w->facts[i], kind)) {
			buf_printf(&text, "%s = %s\n", w->facts[i].what, kinds[kind].is_counter ? "0" : w->facts[i].value);
			t->per_s[n++] = w->facts[i].per_s;
		}
	obs_init(&t->said, "", "");
	if (!obs_read(&t->said, buf_span(&text), &err)) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	buf_done(&text);
}

static void name_of(bool is_host, unsigned port, char name[32])
{
	snprintf(name, 32, is_host ? "eth%u" : "ethernet1/1/%u", is_host ? port + 2 : port + 1);
}

/* Each cable's ends name each other; what is not theirs alone is as the template has it. */
static void add_own(struct obs *o, uint16_t to, bool is_host, unsigned device, unsigned port)
{
	unsigned host = is_host ? device : port, rail = is_host ? port : device;
	char mac[32], far[32], name[32];

	snprintf(mac, sizeof(mac), "00:00:00:%02x:%02x:%02x", host >> 8 & 255, host & 255, rail & 255);
	snprintf(far, sizeof(far), is_host ? "leaf%u" : "node%u", (is_host ? rail : host) + 1);
	name_of(!is_host, is_host ? host : rail, name);
	obs_text(o, to, is_host ? FIELD_MAC : FIELD_PEER_MAC, span_of(mac));
	obs_text(o, to, FIELD_PEER_NAME, span_of(far));
	if (is_host)
		obs_text(o, to, FIELD_PEER_PORT, span_of(name));
}

static bool is_own(const struct obs_fact *f)
{
	return f->field == FIELD_MAC || f->field == FIELD_PEER_MAC || f->field == FIELD_PEER_NAME || f->field == FIELD_PEER_PORT ||
	       f->field == FIELD_HOSTNAME;
}

static void add_port(struct writing *w, const struct template *t, unsigned kind, unsigned device, unsigned port)
{
	bool is_host = kind < LEAF_SELF;
	char name[32];
	uint16_t to;

	name_of(is_host, port, name);
	to = obs_port(&w->o, span_of(name));
	for (size_t i = 0; i < t->said.n; i++) {
		struct value v = t->said.facts[i].value;

		if (is_own(&t->said.facts[i]))
			continue;
		if (kinds[kind].is_counter)
			v.n = (uint64_t)(t->per_s[i] * (1 + port % 7 / 10.0) * w->second);
		obs_add(&w->o, to, (enum field)t->said.facts[i].field, t->said.facts[i].index, v);
	}
	if (!kinds[kind].is_counter)
		add_own(&w->o, to, is_host, device, port);
}

static void say(struct writing *w, unsigned kind, unsigned device)
{
	const struct template *t = &w->templates[kind];
	bool is_host = kind < LEAF_SELF;
	unsigned ports = is_host ? w->plan->ports : w->plan->hosts;
	char name[32];

	snprintf(name, sizeof(name), is_host ? "node%u" : "leaf%u", device + 1);
	obs_clear(&w->o);
	w->o.device = name;
	w->o.probe = kinds[kind].probe;
	w->o.at_us = START_US + w->second * SECOND + kind * 20000 + device;
	w->o.period_us = (kinds[kind].is_counter ? w->plan->every_s : SETTINGS_S) * SECOND;
	for (unsigned p = 0; kinds[kind].is_port && p < ports; p++)
		add_port(w, t, kind, device, p);
	for (size_t i = 0; !kinds[kind].is_port && i < t->said.n; i++)
		if (!is_own(&t->said.facts[i]))
			obs_add(&w->o, OBS_DEVICE, (enum field)t->said.facts[i].field, 0, t->said.facts[i].value);
	model_apply(w->model, &w->o);
	recorder_take(w->recorder, &w->o);
}

static void say_second(struct writing *w)
{
	for (unsigned kind = 0; kind < TEMPLATES; kind++) {
		unsigned devices = kind < LEAF_SELF ? w->plan->hosts : w->plan->ports;

		if (w->second % (kinds[kind].is_counter ? w->plan->every_s : SETTINGS_S) == 0)
			for (unsigned d = 0; d < devices; d++)
				say(w, kind, d);
	}
	if (w->second % NOTE_S == NOTE_S - 1)
		recorder_note(w->recorder, START_US + w->second * SECOND, "note", "a minute has passed");
}

static char *inventory_text(const struct written_plan *plan)
{
	struct buf text = { 0 };

	buf_str(&text, "all:\n  hosts:\n");
	for (unsigned i = 0; i < plan->hosts; i++)
		buf_printf(&text, "    node%u: {}\n", i + 1);
	for (unsigned i = 0; i < plan->ports; i++)
		buf_printf(&text, "    leaf%u: {}\n", i + 1);
	return text.text;
}

bool written_make(const char *path, const struct written_plan *plan)
{
	struct writing w = { .plan = plan, .model = model_new() };
	char *inventory = inventory_text(plan);
	struct recorder_options options = { .model = w.model, .fabric = "bench", .policy = "roce-lossless",
					    .policy_text = policy_builtin_text("roce-lossless"), .inventory_text = inventory };
	struct world world;

	world_init(&world);
	for (unsigned kind = 0; kind < TEMPLATES; kind++)
		take_template(&w.templates[kind], &world, kind);
	obs_init(&w.o, "", "");
	w.recorder = recorder_open(path, &options, NULL);
	for (; w.recorder && w.second <= plan->lasts_s; w.second++)
		say_second(&w);
	bool is_made = w.recorder && !recorder_trouble(w.recorder);
	recorder_close(w.recorder);
	obs_done(&w.o);
	for (unsigned kind = 0; kind < TEMPLATES; kind++) {
		obs_done(&w.templates[kind].said);
		free(w.templates[kind].per_s);
	}
	world_done(&world);
	model_free(w.model);
	free(inventory);
	return is_made;
}
