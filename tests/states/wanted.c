#include "tests/states/wanted.h"

#include <stdio.h>

#include "tests/lib/world.h"

#define RAILS	2

struct wanted wanted;

bool wanted_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

size_t wanted_place(const char *device, const char *port)
{
	for (size_t i = 0; i < wanted.n_places; i++)
		if (wanted_same(wanted.places[i].device, device) && wanted_same(wanted.places[i].port, port))
			return i;
	return NOWHERE;
}

static const char *kept(const char *text)
{
	return text ? arena_text(&wanted.texts, text, strlen(text)) : NULL;
}

static size_t need_place(const char *device, const char *port)
{
	size_t at = wanted_place(device, port), of = port ? need_place(device, NULL) : NOWHERE;
	struct place *p = &wanted.places[wanted.n_places];

	if (at != NOWHERE)
		return at;
	assert_true(wanted.n_places < STATE_PLACES);
	*p = (struct place){ kept(device), kept(port), port ? wanted.places[of].order : wanted.n_devices++, NOWHERE };
	return wanted.n_places++;
}

static struct state_cell *add_wanted(const char *device, const char *port, enum field f, unsigned index)
{
	struct state_cell *c = GROW(wanted.cells, wanted.n, wanted.cap);
	size_t at = need_place(device, port);
	const struct place *p = &wanted.places[at];

	wanted.n++;
	*c = (struct state_cell){ .device = p->device, .port = p->port, .field = f, .index = index, .order = p->order,
				  .place = (unsigned)at };
	return c;
}

/* Of 64 DSCPs those that a policy speaks of, and some that none does. */
static bool is_left_out(const struct fact *f)
{
	static const uint64_t kept_dscps = 1ull << 0 | 1ull << 4 | 1ull << 8 | 1ull << 24 | 1ull << 26 | 1ull << 34 | 1ull << 48;

	return strcmp(f->device, "node2") == 0 || (f->field == FIELD_DSCP_PRIO && !(kept_dscps >> f->index & 1));
}

static void add_fact(const struct world_fact *from)
{
	struct buf line = { 0 };
	struct state_cell *c;
	struct fact f;
	struct err err;

	buf_printf(&line, "%s = %s", from->what, from->is_counter ? "1000000" : from->value);
	if (!fact_parse(buf_span(&line), &wanted.texts, &f, &err))
		fail_msg("%s", err.text);
	if (!is_left_out(&f)) {
		c = add_wanted(f.device, f.port, f.field, f.index);
		c->value = f.value;
		c->per_s = from->per_s;
	}
	buf_done(&line);
}

static void copy_place(const char *device, const char *port, const char *to, const char *to_port)
{
	for (size_t i = 0, n = wanted.n; i < n; i++) {
		struct state_cell from = wanted.cells[i], *c;

		if (!wanted_same(from.device, device) || !wanted_same(from.port, port))
			continue;
		c = add_wanted(to, to_port, from.field, from.index);
		c->value = from.value;
		c->per_s = from.per_s;
	}
}

static void set_text(const char *device, const char *port, enum field f, const char *text)
{
	struct state_cell *c = NULL;

	for (size_t i = 0; i < wanted.n && !c; i++)
		if (wanted.cells[i].field == f && wanted_same(wanted.cells[i].device, device) && wanted_same(wanted.cells[i].port, port))
			c = &wanted.cells[i];
	if (!c)
		c = add_wanted(device, port, f, 0);
	c->value = (struct value){ .is = VALUE_KNOWN, .text = kept(text) };
}

static void join(const char *device, const char *port, const char *far, const char *far_port)
{
	size_t a = need_place(device, port), b = need_place(far, far_port);

	set_text(device, port, FIELD_PEER_NAME, far);
	set_text(device, port, FIELD_PEER_PORT, far_port);
	set_text(far, far_port, FIELD_PEER_NAME, device);
	wanted.places[a].far = b;
	wanted.places[b].far = a;
}

static void copy_host(unsigned number)
{
	static const char *const leaves[RAILS] = { "leaf1", "leaf2" }, *const first[RAILS] = { "ethernet1/1/1", "Ethernet4" };
	char host[16], nic[16], port[32], mac[32];

	snprintf(host, sizeof(host), "node%u", number);
	copy_place("node1", NULL, host, NULL);
	set_text(host, NULL, FIELD_HOSTNAME, host);
	for (unsigned rail = 0; rail < RAILS; rail++) {
		snprintf(nic, sizeof(nic), "eth%u", rail + 2);
		snprintf(port, sizeof(port), rail ? "Ethernet%u" : "ethernet1/1/%u", rail ? number * 4 : number);
		snprintf(mac, sizeof(mac), "00:00:00:00:0%u:0%u", number, rail);
		copy_place("node1", nic, host, nic);
		copy_place(leaves[rail], first[rail], leaves[rail], port);
		join(host, nic, leaves[rail], port);
		set_text(host, nic, FIELD_MAC, mac);
		set_text(leaves[rail], port, FIELD_PEER_MAC, mac);
	}
}

/* Ports between switches tell no MAC: their names are enough. */
static void add_uplink(const char *leaf, const char *like, const char *port, const char *spine_port)
{
	copy_place(leaf, like, leaf, port);
	copy_place("leaf1", "ethernet1/1/1", "spine1", spine_port);
	join(leaf, port, "spine1", spine_port);
	set_text("spine1", spine_port, FIELD_PEER_PORT, port);
	set_text(leaf, port, FIELD_PEER_MAC, "");
	set_text("spine1", spine_port, FIELD_PEER_MAC, "");
}

/* What RDMA sends, and in which class: without it nobody knows whether RoCE is where it should be. */
static void add_bytes(const char *device, const char *port)
{
	static const struct {
		enum field field;
		unsigned index;
	} bytes[] = { { FIELD_RDMA_TX, 0 }, { FIELD_TX_BYTES, 3 } };

	for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++) {
		struct state_cell *c = add_wanted(device, port, bytes[i].field, bytes[i].index);

		c->value = (struct value){ .is = VALUE_KNOWN, .n = 1000000 };
		c->per_s = 1e9;
	}
}

void wanted_make(void)
{
	struct world w;

	if (wanted.n)
		return;
	world_init(&w);
	for (size_t i = 0; i < w.n_facts; i++)
		add_fact(&w.facts[i]);
	world_done(&w);
	add_bytes("node1", "eth2");
	add_bytes("node1", "eth3");
	join("node1", "eth2", "leaf1", "ethernet1/1/1");
	join("node1", "eth3", "leaf2", "Ethernet4");
	for (unsigned host = 2; host <= HOSTS_MOST; host++)
		copy_host(host);
	copy_place("leaf1", NULL, "spine1", NULL);
	add_uplink("leaf1", "ethernet1/1/1", "ethernet1/1/31", "ethernet1/1/1");
	add_uplink("leaf1", "ethernet1/1/1", "ethernet1/1/32", "ethernet1/1/2");
	add_uplink("leaf2", "Ethernet4", "Ethernet64", "ethernet1/1/3");
	add_uplink("leaf2", "Ethernet4", "Ethernet68", "ethernet1/1/4");
	for (size_t i = wanted.n; i-- > 0;)	/* those without a MAC */
		if (wanted.cells[i].field == FIELD_PEER_MAC && !*wanted.cells[i].value.text)
			wanted.cells[i] = wanted.cells[--wanted.n];
}
