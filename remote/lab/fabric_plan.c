#include "remote/lab/fabric_plan.h"

#include <stdio.h>

#include "remote/lab/systems.h"

static const struct lab_system *host_system(void)
{
	const struct lab_system *const *system = lab_systems;

	while ((*system)->is_switch)
		system++;
	return *system;
}

/* The system of the switch of that number; NULL: no switch system has this name. */
static const struct lab_system *switch_system(const char *wish, unsigned number)
{
	bool is_mixed = !strcmp(wish, "mixed");
	const struct lab_system *switches[16];
	size_t n = 0;

	for (const struct lab_system *const *system = lab_systems; *system && n < 16; system++)
		if ((*system)->is_switch && (is_mixed || !strcmp(wish, (*system)->name)))
			switches[n++] = *system;
	return n ? switches[number % n] : NULL;
}

static bool plan_is_sound(const struct fabric_plan *plan, struct err *err)
{
	char names[80];

	if (plan->nodes < 1 || plan->nodes > 4096 || plan->rails < 1 || plan->rails > 16)
		return err_set(err, "1 to 4096 nodes with 1 to 16 rails");
	if (plan->leaves > 256 || plan->spines > 64 || (!plan->leaves && plan->spines))
		return err_set(err, "0 to 256 leaves and 0 to 64 spines; without a leaf there is no spine");
	if (!plan->leaves && (plan->nodes < 2 || (plan->nodes > 2 && plan->rails % 2)))
		return err_set(err, "without a leaf: two nodes, or a ring of more with an even number of rails");
	if (switch_system(plan->switch_os, 0))
		return true;
	lab_system_names(true, ", ", ", ", names, sizeof(names));
	return err_set(err, "%s: the switch systems are %s and mixed", plan->switch_os, names);
}

/* The host ports that land on a leaf: rail r of every node goes to leaf r modulo the leaves. */
static void add_leaf(struct fabric *f, const struct fabric_plan *plan, unsigned leaf)
{
	char name[32], rack[16];

	snprintf(name, sizeof(name), "leaf%u", leaf + 1);
	snprintf(rack, sizeof(rack), "rack%u", leaf / 2 + 1);
	fabric_add_device(f, span_of(name), switch_system(plan->switch_os, leaf), span_of(rack));
	for (unsigned rail = leaf; rail < plan->rails; rail += plan->leaves)
		for (unsigned node = 0; node < plan->nodes; node++)
			fabric_plan_cable(f, node * plan->rails + rail, fabric_add_port(f, plan->speed_bps));
}

/* No switch: two nodes rail to rail; more in a ring, each second rail to the next node's. */
static void cable_hosts(struct fabric *f, const struct fabric_plan *plan)
{
	for (unsigned rail = 0; plan->nodes == 2 && rail < plan->rails; rail++)
		fabric_plan_cable(f, rail, plan->rails + rail);
	for (unsigned node = 0; plan->nodes > 2 && node < plan->nodes; node++)
		for (unsigned rail = 0; rail < plan->rails; rail += 2)
			fabric_plan_cable(f, node * plan->rails + rail, (node + 1) % plan->nodes * plan->rails + rail + 1);
}

static void add_spine(struct fabric *f, const struct fabric_plan *plan, unsigned spine)
{
	char name[32];

	snprintf(name, sizeof(name), "spine%u", spine + 1);
	fabric_add_device(f, span_of(name), switch_system(plan->switch_os, spine), SPAN("spine"));
	for (unsigned i = 0; i < plan->leaves; i++) {
		const struct lab_device *leaf = &f->devices[plan->nodes + i];

		fabric_plan_cable(f, leaf->first + leaf->n - plan->spines + spine, fabric_add_port(f, plan->speed_bps));
	}
}

/* The last of making one: what everybody wears is known when the devices are configured. */
static struct fabric *dressed(struct fabric *f, const struct fabric_plan *plan, struct err *err)
{
	if (!skins_dress(f, plan->skins, err)) {
		fabric_free(f);
		return NULL;
	}
	fabric_start(f);
	return f;
}

struct fabric *fabric_generate(const struct fabric_plan *plan, struct err *err)
{
	struct fabric *f;

	if (!plan_is_sound(plan, err))
		return NULL;
	f = fabric_new(plan->seed, plan->lens ? plan->lens : 1 + plan->nodes * plan->rails / 2);
	for (unsigned node = 0; node < plan->nodes; node++) {
		char name[32], rack[16];

		snprintf(name, sizeof(name), "node%u", node + 1);
		snprintf(rack, sizeof(rack), "rack%u", node / 4 + 1);
		fabric_add_device(f, span_of(name), host_system(), span_of(rack));
		for (unsigned rail = 0; rail < plan->rails; rail++)
			fabric_add_port(f, plan->speed_bps);
	}
	if (!plan->leaves)
		cable_hosts(f, plan);
	for (unsigned leaf = 0; leaf < plan->leaves; leaf++) {
		add_leaf(f, plan, leaf);
		for (unsigned spine = 0; spine < plan->spines; spine++)
			fabric_add_port(f, plan->speed_bps);
	}
	for (unsigned spine = 0; spine < plan->spines; spine++)
		add_spine(f, plan, spine);
	if (plan->with_bond)
		fabric_bond(f, &f->devices[plan->nodes - 1]);
	return dressed(f, plan, err);
}

/* -- .fabric files -- */

static bool read_device(struct fabric *f, struct span rest, struct err *err)
{
	struct span name, os, rack = SPAN("rack1");
	const struct lab_system *system;
	char names[80];

	if (!span_word(&rest, &name) || !span_word(&rest, &os) || name.n >= 63) {
		lab_system_names(false, "|", "|", names, sizeof(names));
		return err_set(err, "device NAME %s [RACK]", names);
	}
	span_word(&rest, &rack);
	system = lab_system_named(os);
	if (!system) {
		lab_system_names(false, ", ", " and ", names, sizeof(names));
		return err_set(err, "%.*s: the systems are %s", (int)os.n, os.p, names);
	}
	if (fabric_device(f, name))
		return err_set(err, "%.*s is there already", (int)name.n, name.p);
	fabric_add_device(f, name, system, rack);
	return true;
}

/* "ports N SPEED" of the device just named. */
static bool read_ports(struct fabric *f, struct span rest, struct err *err)
{
	struct span count, speed;
	struct arena arena = { NULL };
	struct value bps;
	uint64_t n;
	bool is_read;

	if (!f->n_devices || !span_word(&rest, &count) || !span_word(&rest, &speed) || !span_u64(count, &n) || n > 512)
		return err_set(err, "ports N SPEED, after a device");
	is_read = value_parse(FIELD_SPEED, speed, &arena, &bps, err);
	arena_done(&arena);
	if (!is_read)
		return false;
	for (uint64_t i = 0; i < n; i++)
		fabric_add_port(f, bps.n);
	return true;
}

static struct lab_port *read_port(struct fabric *f, struct span *rest, struct err *err)
{
	struct span device, port;
	struct lab_device *d;
	struct lab_port *p;

	if (!span_word(rest, &device) || !span_word(rest, &port)) {
		err_set(err, "a device and a port are wanted");
		return NULL;
	}
	d = fabric_device(f, device);
	p = d ? fabric_port(f, d, port) : NULL;
	if (!p)
		err_set(err, "%.*s %.*s is not there", (int)device.n, device.p, (int)port.n, port.p);
	return p;
}

static bool read_link(struct fabric *f, struct span rest, struct err *err)
{
	struct lab_port *a = read_port(f, &rest, err), *b = a ? read_port(f, &rest, err) : NULL;

	if (!b)
		return false;
	if (a == b || a->peer >= 0 || b->peer >= 0)
		return err_set(err, "a port takes one cable, from another port");
	fabric_plan_cable(f, a - f->ports, b - f->ports);
	return true;
}

static bool read_fact(struct fabric *f, struct span line, struct err *err)
{
	struct arena arena = { NULL };
	struct fact fact;
	bool is_done = false;

	if (fact_parse(line, &arena, &fact, err)) {
		struct lab_device *d = fabric_device(f, span_of(fact.device));
		struct lab_port *p = d && fact.port ? fabric_port(f, d, span_of(fact.port)) : NULL;

		if (!p || d->system->is_switch)
			err_set(err, "facts are told of a host's ports");
		else if (!host_port_set(&p->nic, fact.field, fact.index, fact.value.n))
			err_set(err, "%s is no setting of a host port", field_table[fact.field].name);
		else
			is_done = true;
	}
	arena_done(&arena);
	return is_done;
}

static bool read_bond(struct fabric *f, struct span rest, struct err *err)
{
	struct lab_device *d = fabric_device(f, span_trim(rest));

	if (!d || d->system->is_switch || d->n < 2)
		return err_set(err, "bond NODE, a host with two ports");
	fabric_bond(f, d);
	return true;
}

static bool read_line(struct fabric *f, struct span line, struct err *err)
{
	static const struct {
		const char *word;
		bool (*read)(struct fabric *f, struct span rest, struct err *err);
	} words[] = {
		{ "device ", read_device }, { "ports ", read_ports }, { "link ", read_link }, { "bond ", read_bond },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		struct span rest = line;

		if (span_skip(&rest, words[i].word))
			return words[i].read(f, rest, err);
	}
	return read_fact(f, line, err);
}

struct fabric *fabric_read(struct span text, const char *file, const struct fabric_plan *plan, struct err *err)
{
	struct fabric *f = fabric_new(plan->seed, plan->lens);
	struct span line;
	struct err why;

	for (unsigned number = 1; span_line(&text, &line); number++) {
		line = span_trim(line);
		if (!line.n || *line.p == '#' || read_line(f, line, &why))
			continue;
		err_set(err, "%s:%u: %s", file, number, why.text);
		fabric_free(f);
		return NULL;
	}
	if (!f->n_ports) {
		err_set(err, "%s: no device with ports", file);
		fabric_free(f);
		return NULL;
	}
	if (!plan->lens)
		f->lens = 1 + f->n_ports / 4;
	return dressed(f, plan, err);
}
