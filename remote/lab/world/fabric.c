#include "remote/lab/world/fabric.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/os10/config.h"
#include "remote/lab/sonic/config_db.h"

#define CABLE_NS	25	/* 5 m */

struct fabric *fabric_new(uint64_t seed, unsigned lens)
{
	struct fabric *f = xcalloc(1, sizeof(*f));

	f->seed = seed;
	f->lens = lens ? lens : 1;
	f->sim = sim_new(seed);
	snprintf(f->name, sizeof(f->name), "lab");
	snprintf(f->traffic, sizeof(f->traffic), "off");
	return f;
}

void fabric_free(struct fabric *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n_devices; i++) {
		dell_config_free(f->devices[i].dell);
		json_decref(f->devices[i].sonic);
		json_decref(f->devices[i].sonic_saved);
		json_decref(f->devices[i].sonic_checkpoints);
	}
	for (size_t i = 0; i < f->n_ports; i++)
		free(f->ports[i].since);
	free(f->devices);
	free(f->ports);
	free(f->flows);
	sim_free(f->sim);
	free(f);
}

struct lab_device *fabric_device(struct fabric *f, struct span name)
{
	for (size_t i = 0; i < f->n_devices; i++)
		if (span_is(name, f->devices[i].name))
			return &f->devices[i];
	return NULL;
}

struct lab_port *fabric_port(struct fabric *f, const struct lab_device *d, struct span name)
{
	for (unsigned i = 0; i < d->n; i++)
		if (span_is(name, f->ports[d->first + i].name))
			return &f->ports[d->first + i];
	return NULL;
}

/* By its own switch's configuration. */
static bool is_shut(const struct fabric *f, const struct lab_port *p)
{
	const struct lab_device *d = port_device(f, p);
	const char *status = d->sonic ? confdb_get(d->sonic, "PORT", p->name, "admin_status") : NULL;

	return (d->dell && dell_if_value(d->dell, p->name, "shutdown")) || (status && !strcmp(status, "down"));
}

bool port_is_up(const struct fabric *f, const struct lab_port *p)
{
	const struct lab_port *peer = port_peer(f, p);

	return peer && !p->harm.is_down && !peer->harm.is_down && !is_shut(f, p) && !is_shut(f, peer);
}

static struct lab_device *add_device(struct fabric *f, struct span name, enum lab_os os, struct span rack)
{
	struct lab_device *d = GROW(f->devices, f->n_devices, f->cap_devices);
	unsigned number = f->n_devices++;

	snprintf(d->name, sizeof(d->name), "%.*s", (int)name.n, name.p);
	snprintf(d->rack, sizeof(d->rack), "%.*s", (int)rack.n, rack.p);
	snprintf(d->mac, sizeof(d->mac), "90:b1:1c:%02x:%02x:00", (number >> 8) & 255, number & 255);
	d->os = os;
	d->tcp_ecn = 2;
	d->first = f->n_ports;
	return d;
}

static void name_port(struct lab_port *p, enum lab_os os, unsigned number)
{
	static const char *const forms[] = {
		[OS_LINUX] = "eth%u", [OS_OS10] = "ethernet1/1/%u", [OS_SONIC] = "Ethernet%u",
	};
	/* eth0 is the management port and eth1 its spare; SONiC counts lanes, four a port. */
	unsigned shown = os == OS_LINUX ? number + 1 : os == OS_SONIC ? (number - 1) * 4 : number;

	snprintf(p->name, sizeof(p->name), forms[os], shown);
}

/* Adds the next port of the newest device. */
static unsigned add_port(struct fabric *f, uint64_t speed_bps)
{
	struct lab_device *d = &f->devices[f->n_devices - 1];
	struct lab_port *p = GROW(f->ports, f->n_ports, f->cap_ports);
	unsigned at = f->n_ports++, number = ++d->n;

	p->device = d - f->devices;
	p->number = number;
	p->peer = p->planned = p->rail = -1;
	p->speed_bps = speed_bps;
	name_port(p, d->os, number);
	snprintf(p->mac, sizeof(p->mac), "%s:%02x:%02x:%02x", d->os == OS_LINUX ? "0c:42:a1" : "90:b1:1d",
		 (p->device >> 8) & 255, p->device & 255, number);
	if (d->os == OS_LINUX) {
		host_port_lossless(&p->nic);
		snprintf(p->rdma, sizeof(p->rdma), "mlx5_%u", number - 1);
		p->rail = number - 1;
		p->ip = (10u << 24) | ((100 + number) << 16) | (p->device + 1);
	}
	return at;
}

static void plan_cable(struct fabric *f, unsigned a, unsigned b)
{
	f->ports[a].planned = b;
	f->ports[b].planned = a;
	f->ports[a].peer = b;
	f->ports[b].peer = a;
	if (f->ports[a].rail >= 0)
		f->ports[b].rail = f->ports[a].rail;
}

static void configure_switch(struct fabric *f, struct lab_device *d)
{
	if (d->os == OS_OS10)
		d->dell = dell_config_lossless(d->name, d->n);
	if (d->os == OS_SONIC) {
		d->sonic = confdb_lossless(f, d);
		d->sonic_saved = json_deep_copy(d->sonic);
	}
}

static void bond_first_two(struct fabric *f, struct lab_device *d)
{
	if (d->n < 2)
		return;
	d->has_bond = true;
	for (unsigned i = 0; i < 2; i++) {
		struct lab_port *p = &f->ports[d->first + i];

		p->is_member = true;
		snprintf(p->rdma, sizeof(p->rdma), "mlx5_bond_0");
	}
}

/* Makes the simulated twins, once everything is known. */
static void simulate(struct fabric *f)
{
	for (size_t i = 0; i < f->n_devices; i++) {
		struct lab_device *d = &f->devices[i];
		unsigned id = sim_add_device(f->sim, d->os != OS_LINUX);

		configure_switch(f, d);
		for (unsigned k = 0; k < d->n; k++) {
			struct lab_port *p = &f->ports[d->first + k];
			struct sim_qos qos;

			sim_qos_lossless(&qos, p->speed_bps, d->os != OS_LINUX);
			p->sim = sim_add_port(f->sim, id, &qos);
		}
	}
	for (size_t i = 0; i < f->n_ports; i++)
		if (f->ports[i].peer > (int)i)
			sim_link(f->sim, f->ports[i].sim, f->ports[f->ports[i].peer].sim, CABLE_NS);
	fabric_refresh(f, NULL);
}

void fabric_cable(struct fabric *f, struct lab_port *a, struct lab_port *b)
{
	struct lab_port *ends[2] = { a, b };

	for (unsigned i = 0; i < 2; i++) {
		if (!ends[i] || ends[i]->peer < 0)
			continue;
		sim_unlink(f->sim, ends[i]->sim);
		f->ports[ends[i]->peer].peer = -1;
		ends[i]->peer = -1;
	}
	if (b) {
		a->peer = b - f->ports;
		b->peer = a - f->ports;
		sim_link(f->sim, a->sim, b->sim, CABLE_NS);
	}
	fabric_refresh(f, NULL);
}

static enum lab_os os_of_switch(const char *wish, unsigned number)
{
	if (!strcmp(wish, "mixed"))
		return number % 2 ? OS_SONIC : OS_OS10;
	return !strcmp(wish, "sonic") ? OS_SONIC : OS_OS10;
}

static bool plan_is_sound(const struct fabric_plan *plan, struct err *err)
{
	if (plan->nodes < 1 || plan->nodes > 4096 || plan->rails < 1 || plan->rails > 16)
		return err_set(err, "1 to 4096 nodes with 1 to 16 rails");
	if (plan->leaves > 256 || plan->spines > 64 || (!plan->leaves && plan->spines))
		return err_set(err, "0 to 256 leaves and 0 to 64 spines; without a leaf there is no spine");
	if (!plan->leaves && (plan->nodes < 2 || (plan->nodes > 2 && plan->rails % 2)))
		return err_set(err, "without a leaf: two nodes, or a ring of more with an even number of rails");
	if (strcmp(plan->switch_os, "os10") && strcmp(plan->switch_os, "sonic") && strcmp(plan->switch_os, "mixed"))
		return err_set(err, "%s: the switch systems are os10, sonic and mixed", plan->switch_os);
	return true;
}

/* The host ports that land on a leaf: rail r of every node goes to leaf r modulo the leaves. */
static void add_leaf(struct fabric *f, const struct fabric_plan *plan, unsigned leaf)
{
	char name[32], rack[16];

	snprintf(name, sizeof(name), "leaf%u", leaf + 1);
	snprintf(rack, sizeof(rack), "rack%u", leaf / 2 + 1);
	add_device(f, span_of(name), os_of_switch(plan->switch_os, leaf), span_of(rack));
	for (unsigned rail = leaf; rail < plan->rails; rail += plan->leaves)
		for (unsigned node = 0; node < plan->nodes; node++)
			plan_cable(f, node * plan->rails + rail, add_port(f, plan->speed_bps));
}

/* No switch: two nodes rail to rail; more in a ring, each second rail to the next node's. */
static void cable_hosts(struct fabric *f, const struct fabric_plan *plan)
{
	for (unsigned rail = 0; plan->nodes == 2 && rail < plan->rails; rail++)
		plan_cable(f, rail, plan->rails + rail);
	for (unsigned node = 0; plan->nodes > 2 && node < plan->nodes; node++)
		for (unsigned rail = 0; rail < plan->rails; rail += 2)
			plan_cable(f, node * plan->rails + rail, (node + 1) % plan->nodes * plan->rails + rail + 1);
}

static void add_spine(struct fabric *f, const struct fabric_plan *plan, unsigned spine)
{
	char name[32];

	snprintf(name, sizeof(name), "spine%u", spine + 1);
	add_device(f, span_of(name), os_of_switch(plan->switch_os, spine), SPAN("spine"));
	for (unsigned i = 0; i < plan->leaves; i++) {
		const struct lab_device *leaf = &f->devices[plan->nodes + i];

		plan_cable(f, leaf->first + leaf->n - plan->spines + spine, add_port(f, plan->speed_bps));
	}
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
		add_device(f, span_of(name), OS_LINUX, span_of(rack));
		for (unsigned rail = 0; rail < plan->rails; rail++)
			add_port(f, plan->speed_bps);
	}
	if (!plan->leaves)
		cable_hosts(f, plan);
	for (unsigned leaf = 0; leaf < plan->leaves; leaf++) {
		add_leaf(f, plan, leaf);
		for (unsigned spine = 0; spine < plan->spines; spine++)
			add_port(f, plan->speed_bps);
	}
	for (unsigned spine = 0; spine < plan->spines; spine++)
		add_spine(f, plan, spine);
	if (plan->with_bond)
		bond_first_two(f, &f->devices[plan->nodes - 1]);
	simulate(f);
	return f;
}

/* ---- .fabric files ---- */

static bool read_device(struct fabric *f, struct span rest, struct err *err)
{
	struct span name, os, rack = SPAN("rack1");
	enum lab_os which;

	if (!span_word(&rest, &name) || !span_word(&rest, &os) || name.n >= 63)
		return err_set(err, "device NAME linux|os10|sonic [RACK]");
	span_word(&rest, &rack);
	if (span_is(os, "linux"))
		which = OS_LINUX;
	else if (span_is(os, "os10"))
		which = OS_OS10;
	else if (span_is(os, "sonic"))
		which = OS_SONIC;
	else
		return err_set(err, "%.*s: the systems are linux, os10 and sonic", (int)os.n, os.p);
	if (fabric_device(f, name))
		return err_set(err, "%.*s is there already", (int)name.n, name.p);
	add_device(f, name, which, rack);
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
		add_port(f, bps.n);
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
	plan_cable(f, a - f->ports, b - f->ports);
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

		if (!p || d->os != OS_LINUX)
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

	if (!d || d->os != OS_LINUX || d->n < 2)
		return err_set(err, "bond NODE, a host with two ports");
	bond_first_two(f, d);
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
	simulate(f);
	return f;
}
