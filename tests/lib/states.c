#include "tests/lib/states.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/world.h"

#define HOSTS_MOST	4
#define RAILS		2
#define UPLINKS		2	/* of each leaf */
#define SAMPLES		12	/* of each counter, a second apart */
#define BEGIN_US	(1000 * SECOND)
#define REASON		"not root"

/* -- numbers -- */

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014): the same numbers of the same seed, on every machine. */
static uint64_t draw(struct state *s)
{
	uint64_t z = s->drawn += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint64_t states_below(struct state *s, uint64_t below)
{
	return draw(s) % below;
}

static bool one_in(struct state *s, uint64_t n)
{
	return states_below(s, n) == 0;
}

#define PICK(s, array) ((array)[states_below((s), sizeof(array) / sizeof(*(array)))])

/* -- the fabric as wanted: that of tests/lib/world.h, with more hosts and a spine -- */

struct place {
	const char *device, *port;	/* port NULL: the device itself */
	unsigned order;			/* of its device */
	size_t far;			/* place of the other end, or NOWHERE */
};
#define NOWHERE	SIZE_MAX

static struct {
	struct arena texts;
	struct state_cell *cells;
	size_t n, cap;
	struct place places[STATE_PLACES];
	size_t n_places;
	unsigned n_devices;
} wanted;

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static size_t find_place(const char *device, const char *port)
{
	for (size_t i = 0; i < wanted.n_places; i++)
		if (same(wanted.places[i].device, device) && same(wanted.places[i].port, port))
			return i;
	return NOWHERE;
}

static const char *kept(const char *text)
{
	return text ? arena_text(&wanted.texts, text, strlen(text)) : NULL;
}

static size_t need_place(const char *device, const char *port)
{
	size_t at = find_place(device, port), of = port ? need_place(device, NULL) : NOWHERE;
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

		if (!same(from.device, device) || !same(from.port, port))
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
		if (wanted.cells[i].field == f && same(wanted.cells[i].device, device) && same(wanted.cells[i].port, port))
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

static int by_device(const void *a_, const void *b_)
{
	const struct state_cell *a = a_, *b = b_;

	return a->order < b->order ? -1 : a->order > b->order;
}

static void make_wanted(void)
{
	struct world w;

	if (wanted.n)
		return;
	world_init(&w);
	for (size_t i = 0; i < w.n_facts; i++)
		add_fact(&w.facts[i]);
	world_done(&w);
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

/* -- values that are not as wanted -- */

static const uint64_t numbers[] = {
	0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 13, 16, 24, 26, 46, 48, 60, 64, 90, 100, 104, 105, 106, 107, 136, 255, 256, 300,
	1024, 1500, 2048, 4096, 9000, 9100, 9122, 9216, 65536, 150000, 600000, 900000, 1500000, 2000000, 4000000, 16000000000,
	25000000000, 50000000000, 97000000000, 100000000000, UINT64_C(1) << 40, UINT64_MAX,
};

static const char *const texts[] = {
	"mlx5_core", "ice", "bnxt_en", "mlx5_0", "bond0", "bond1", "eth2", "eth3", "leaf1", "leaf2", "node1", "node2", "spine1",
	"leaf9", "ethernet1/1/1", "ethernet1/1/2", "Ethernet4", "Ethernet8", "ib_uverbs mlx5_core", "mlx5_core",
	"ib_uverbs nvidia_peermem", "linux", "os10", "sonic", "RS", "FC", "off", "memlock-low", "gid-wrong", "link-down", "",
	"NCCL_NET=IB NCCL_IB_HCA=mlx5", "NCCL_DEBUG=INFO", "00:00:00:00:02:00", "00:00:00:00:00:02", "22.41.1000", "20.1.1",
};

static const double rates[] = { 0, 0, 0, 0, 1, 12, 50, 1000, 20000, 1e6, 4e7, 1e9, 5e9, 1.2e10 };

static unsigned words_of(enum field f)
{
	unsigned n = 0;

	while (field_word(f, n).p)
		n++;
	return n;
}

static void draw_value(struct state *s, struct state_cell *c)
{
	c->value = (struct value){ .is = VALUE_KNOWN };
	switch (field_table[c->field].kind) {
	case KIND_BOOL:
		c->value.n = states_below(s, 2);
		break;
	case KIND_ENUM:
		c->value.n = states_below(s, words_of(c->field));
		break;
	case KIND_TEXT:
		c->value.text = PICK(s, texts);
		break;
	case KIND_COUNTER:
		c->value.n = 1000000 + states_below(s, 1000000);
		c->per_s = PICK(s, rates);
		break;
	default:
		c->value.n = PICK(s, numbers);
		if (one_in(s, 2))	/* small maps, shares of a hundred */
			c->value.n %= 8;
	}
}

/* -- pause: what both ends count of the same frames, and a time that so many frames may stop a port for -- */

static bool is_pause(enum field f)
{
	return f == FIELD_PFC_RX || f == FIELD_PFC_TX || f == FIELD_PFC_RX_US || f == FIELD_PFC_TX_US;
}

static const double pauses_us[] = { 0, 0, 0, 200, 200, 900, 8000, 20000, 80000, 300000, 800000, 999000 };
#define US_A_FRAME	100.0	/* less than the 335 µs that a frame stops 100 Gb/s for at most */

static double pause_rate(const struct state *s, const struct state_cell *c)
{
	bool is_held = c->field == FIELD_PFC_RX || c->field == FIELD_PFC_RX_US;
	bool is_time = c->field == FIELD_PFC_RX_US || c->field == FIELD_PFC_TX_US;
	size_t far = wanted.places[c->place].far;
	double us = is_held ? s->stopped_us[c->place] : far != NOWHERE ? s->stopped_us[far] : 0;

	if (c->index != 3)
		us = 0;
	return is_time ? us : us / US_A_FRAME;
}

/* -- one state -- */

struct mood {
	unsigned wrong, unknown, absent, old;	/* of a thousand cells */
	unsigned extra;				/* of a thousand facts that the healthy fabric does not tell */
	unsigned hosts;
	bool has_spine, has_bond, has_vf;
	const char *silent;			/* a device of which nothing is read; or NULL */
};

static void draw_mood(struct state *s, struct mood *m)
{
	static const unsigned some[] = { 0, 0, 1, 2, 5, 20, 80, 300 }, extras[] = { 0, 0, 5, 30, 150 };
	static const char *const silents[] = { "leaf1", "leaf2", "node1", "node2" };

	*m = (struct mood){ .wrong = PICK(s, some), .unknown = PICK(s, some), .absent = PICK(s, some), .old = PICK(s, some),
			    .extra = PICK(s, extras), .hosts = 1 + (unsigned)states_below(s, HOSTS_MOST) };
	if (one_in(s, 2))
		m->old = 0;
	m->has_spine = one_in(s, 4);
	m->has_bond = one_in(s, 6);
	m->has_vf = one_in(s, 8);
	m->silent = one_in(s, 8) ? PICK(s, silents) : NULL;
	for (size_t i = 0; i < wanted.n_places; i++)
		s->stopped_us[i] = one_in(s, 3) ? PICK(s, pauses_us) : 0;
}

static bool is_there(const struct mood *m, const struct place *p)
{
	const struct place *far = p->far == NOWHERE ? NULL : &wanted.places[p->far];

	if (strncmp(p->device, "node", 4) == 0)
		return (unsigned)atoi(p->device + 4) <= m->hosts;
	if (strcmp(p->device, "spine1") == 0 || (far && strcmp(far->device, "spine1") == 0))
		return m->has_spine;
	return !far || strncmp(far->device, "node", 4) != 0 || (unsigned)atoi(far->device + 4) <= m->hosts;
}

static void disturb(struct state *s, const struct mood *m, struct state_cell *c)
{
	static const enum cell_is kinds[] = { CELL_RESTARTED, CELL_RESET, CELL_YOUNG };
	unsigned roll = (unsigned)states_below(s, 1000);

	if (m->silent && strcmp(m->silent, c->device) == 0 && c->field != FIELD_STATE) {
		c->is = CELL_GONE;
	} else if (field_table[c->field].flags & FIELD_SHY) {
		return;		/* what the console knows by itself */
	} else if (roll < m->unknown) {
		c->value = (struct value){ .is = VALUE_UNKNOWN, .text = REASON };
	} else if ((roll -= m->unknown) < m->wrong) {
		draw_value(s, c);
	} else if ((roll -= m->wrong) < m->absent) {
		c->is = CELL_GONE;
	} else if ((roll -= m->absent) < m->old) {
		c->is = CELL_OLD;
	} else if (field_table[c->field].kind == KIND_COUNTER && roll > 990) {
		c->is = PICK(s, kinds);
	}
	if (is_pause(c->field))
		c->per_s = pause_rate(s, c);
}

static void add_cell(struct state *s, const struct state_cell *c)
{
	*GROW(s->cells, s->n, s->cap) = *c;
	s->n++;
}

/* Facts that are told more often than others where they are told at all: what checks weigh against each other. */
static const enum field often[] = {
	FIELD_RDMA_TX, FIELD_TX_BYTES, FIELD_RX_BYTES, FIELD_TX_TOTAL, FIELD_TOS_FORCE, FIELD_APP_STATUS, FIELD_ACK_TIMEOUT,
	FIELD_PCI_STALL, FIELD_FEC, FIELD_RX_NOBUF, FIELD_QUEUE_BYTES, FIELD_RX_DISCARD, FIELD_PFC_STORM, FIELD_APP_MEMLOCK,
	FIELD_PRIO_PG, FIELD_PFC_QUEUE, FIELD_BUFFER_XOFF, FIELD_TX_DROP, FIELD_PG_DROP, FIELD_APP_FIFO_TC,
};

static bool is_told(struct state *s, const struct mood *m, enum field f)
{
	uint64_t of_thousand = m->extra;

	for (size_t i = 0; i < sizeof(often) / sizeof(*often); i++)
		if (often[i] == f)
			of_thousand += m->extra ? 200 : 0;
	return states_below(s, 1000) < of_thousand;
}

static bool has_cell(const struct place *p, enum field f, unsigned index)
{
	for (size_t i = 0; i < wanted.n; i++)
		if (wanted.cells[i].device == p->device && wanted.cells[i].port == p->port && wanted.cells[i].field == f &&
		    wanted.cells[i].index == index)
			return true;
	return false;
}

/* What the healthy fabric does not tell. Of a field with many indices those that policies speak of, and one more. */
static void add_extras(struct state *s, const struct mood *m, const struct place *p)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++) {
		unsigned indices[] = { 0, 3, 4, 6, (unsigned)states_below(s, field_table[f].width) };

		if ((field_table[f].scope == SCOPE_PORT) != (p->port != NULL) || f == FIELD_STATE || f == FIELD_ROLE || f == FIELD_BOND)
			continue;	/* bonds are drawn as a whole */
		for (unsigned i = 0; i < (field_table[f].width > 1 ? 5 : 1); i++) {
			struct state_cell c = { .device = p->device, .port = p->port, .order = p->order, .field = (enum field)f,
						.index = indices[i], .place = (unsigned)(p - wanted.places) };
			bool is_twice = i == 4 && (c.index == 0 || c.index == 3 || c.index == 4 || c.index == 6);

			if (is_twice || c.index >= field_table[f].width || !is_told(s, m, c.field) || has_cell(p, c.field, c.index))
				continue;
			draw_value(s, &c);
			disturb(s, m, &c);
			add_cell(s, &c);
		}
	}
}

static void add_number(struct state *s, const struct place *p, const char *port, enum field f, uint64_t n)
{
	add_cell(s, &(struct state_cell){ .device = p->device, .port = port, .order = p->order, .field = f,
					  .value = { .is = VALUE_KNOWN, .n = n } });
}

static void add_text(struct state *s, const struct place *p, const char *port, enum field f, const char *text)
{
	add_cell(s, &(struct state_cell){ .device = p->device, .port = port, .order = p->order, .field = f,
					  .value = { .is = VALUE_KNOWN, .text = text } });
}

static struct state_cell *find_cell(struct state *s, const char *device, const char *port, enum field f)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->cells[i].field == f && same(s->cells[i].device, device) && same(s->cells[i].port, port))
			return &s->cells[i];
	return NULL;
}

/* node1's two ports become members of a bond, which has the RDMA device; a function stands beside them. */
static void add_bond(struct state *s, const struct mood *m)
{
	static const char *const members[] = { "eth2", "eth3" };
	const struct place *node = &wanted.places[find_place("node1", NULL)];

	for (size_t i = 0; m->has_bond && i < 2; i++) {
		struct state_cell *role = find_cell(s, "node1", members[i], FIELD_ROLE), *rdma = find_cell(s, "node1", members[i], FIELD_RDMA);

		if (role && role->value.is == VALUE_KNOWN)
			role->value.n = ROLE_MEMBER;
		if (rdma)
			rdma->is = CELL_GONE;
		if (!find_cell(s, "node1", members[i], FIELD_BOND))
			add_text(s, node, members[i], FIELD_BOND, "bond0");
	}
	if (m->has_bond) {
		add_number(s, node, "bond0", FIELD_ROLE, ROLE_BOND);
		add_text(s, node, "bond0", FIELD_RDMA, "mlx5_bond_0");
	}
	if (!m->has_vf)
		return;
	add_number(s, node, "eth2v0", FIELD_ROLE, ROLE_VF);
	if (one_in(s, 2))
		add_number(s, node, "eth2v0", FIELD_RDMA_STATE, states_below(s, 4));
}

/* A plan of the cables as they are, but one; or none. */
static void draw_plan(struct state *s, const struct mood *m)
{
	size_t n = 0, twist;

	if (!one_in(s, 5))
		return;
	for (size_t i = 0; i < wanted.n_places; i++) {
		const struct place *p = &wanted.places[i], *far = p->far == NOWHERE ? NULL : &wanted.places[p->far];

		if (far && p->far > i && is_there(m, p))
			s->cables[n++] = (struct cable){ p->device, p->port, far->device, far->port };
	}
	twist = one_in(s, 2) && n > 1 ? (size_t)states_below(s, n - 1) : n;
	if (twist < n) {
		struct cable was = s->cables[twist];

		s->cables[twist].peer = s->cables[twist + 1].peer;
		s->cables[twist].peer_port = s->cables[twist + 1].peer_port;
		s->cables[twist + 1].peer = was.peer;
		s->cables[twist + 1].peer_port = one_in(s, 3) ? "nowhere" : was.peer_port;
	}
	s->inventory.cables = s->cables;
	s->inventory.n_cables = n;
}

static void draw_cells(struct state *s, const struct mood *m)
{
	for (size_t i = 0; i < wanted.n; i++) {
		struct state_cell c = wanted.cells[i];

		if (!is_there(m, &wanted.places[c.place]))
			continue;
		disturb(s, m, &c);
		if (c.field == FIELD_STATE && m->silent && same(c.device, m->silent))
			c.value.n = one_in(s, 2) ? STATE_RETRYING : STATE_CONNECTING;
		add_cell(s, &c);
	}
	for (size_t i = 0; m->extra && i < wanted.n_places; i++)
		if (is_there(m, &wanted.places[i]))
			add_extras(s, m, &wanted.places[i]);
	add_bond(s, m);
	qsort(s->cells, s->n, sizeof(*s->cells), by_device);
}

void states_draw(struct state *s, uint64_t seed)
{
	struct mood mood;
	size_t policy;

	make_wanted();
	*s = (struct state){ .seed = seed, .drawn = seed };
	inventory_init(&s->inventory);
	draw_mood(s, &mood);
	policy = one_in(s, 4) ? 1 + (size_t)states_below(s, 2) : 0;
	s->policy = policy_builtin(policy_builtin_name(policy));
	assert_non_null(s->policy);
	draw_cells(s, &mood);
	draw_plan(s, &mood);
	states_tell(s);
}

void states_done(struct state *s)
{
	s->inventory.cables = NULL;
	s->inventory.n_cables = 0;
	links_done(&s->links);
	inventory_done(&s->inventory);
	policy_free(s->policy);
	model_free(s->model);
	free(s->cells);
}

/* -- telling -- */

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
	struct value v = { .is = how == TAKEN_UNKNOWN ? VALUE_UNKNOWN : VALUE_ABSENT, .text = how == TAKEN_UNKNOWN ? REASON : NULL };
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
