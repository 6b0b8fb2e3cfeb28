#include "tests/states/states.h"

#include <stdlib.h>

#include "tests/states/values.h"
#include "tests/states/wanted.h"

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
	bool is_whole;				/* as wanted, but for a cell here and there: what may be acquitted */
	const char *silent;			/* a device of which nothing is read; or NULL */
};

static void draw_mood(struct state *s, struct mood *m)
{
	static const unsigned some[] = { 0, 0, 1, 2, 5, 20, 80, 300 }, extras[] = { 0, 0, 5, 30, 150 };
	static const char *const silents[] = { "leaf1", "leaf2", "node1", "node2" };

	*m = (struct mood){ .wrong = VALUES_PICK(s, some), .unknown = VALUES_PICK(s, some), .absent = VALUES_PICK(s, some),
			    .old = VALUES_PICK(s, some), .extra = VALUES_PICK(s, extras),
			    .hosts = 1 + (unsigned)states_below(s, HOSTS_MOST) };
	if (values_one_in(s, 2))
		m->old = 0;
	m->has_spine = values_one_in(s, 4);
	m->has_bond = values_one_in(s, 6);
	m->has_vf = values_one_in(s, 8);
	m->silent = values_one_in(s, 8) ? VALUES_PICK(s, silents) : NULL;
	m->is_whole = values_one_in(s, 8);
	if (m->is_whole) {
		static const unsigned few[] = { 0, 0, 0, 1 };

		m->wrong = VALUES_PICK(s, few);
		m->unknown = VALUES_PICK(s, few);
		m->absent = VALUES_PICK(s, few);
		m->old = m->extra = 0;
		m->silent = NULL;
	}
	for (size_t i = 0; !m->is_whole && i < wanted.n_places; i++)
		s->stopped_us[i] = values_one_in(s, 3) ? VALUES_PICK(s, pauses_us) : 0;
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
		c->value = (struct value){ .is = VALUE_UNKNOWN, .text = STATE_REASON };
	} else if ((roll -= m->unknown) < m->wrong) {
		values_draw(s, c);
	} else if ((roll -= m->wrong) < m->absent) {
		c->is = CELL_GONE;
	} else if ((roll -= m->absent) < m->old) {
		c->is = CELL_OLD;
	} else if (field_table[c->field].kind == KIND_COUNTER && roll > 990 && !m->is_whole) {
		c->is = VALUES_PICK(s, kinds);
	}
	if (is_pause(c->field) && !m->is_whole)
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
			values_draw(s, &c);
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
		if (s->cells[i].field == f && wanted_same(s->cells[i].device, device) && wanted_same(s->cells[i].port, port))
			return &s->cells[i];
	return NULL;
}

/* node1's two ports become members of a bond, which has the RDMA device; a function stands beside them. */
static void add_bond(struct state *s, const struct mood *m)
{
	static const char *const members[] = { "eth2", "eth3" };
	const struct place *node = &wanted.places[wanted_place("node1", NULL)];

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
	if (values_one_in(s, 2))
		add_number(s, node, "eth2v0", FIELD_RDMA_STATE, states_below(s, 4));
}

/* A plan of the cables as they are, but one; or none. */
static void draw_plan(struct state *s, const struct mood *m)
{
	size_t n = 0, twist;

	if (!values_one_in(s, 5))
		return;
	for (size_t i = 0; i < wanted.n_places; i++) {
		const struct place *p = &wanted.places[i], *far = p->far == NOWHERE ? NULL : &wanted.places[p->far];

		if (far && p->far > i && is_there(m, p))
			s->cables[n++] = (struct cable){ p->device, p->port, far->device, far->port };
	}
	twist = values_one_in(s, 2) && n > 1 ? (size_t)states_below(s, n - 1) : n;
	if (twist < n) {
		struct cable was = s->cables[twist];

		s->cables[twist].peer = s->cables[twist + 1].peer;
		s->cables[twist].peer_port = s->cables[twist + 1].peer_port;
		s->cables[twist + 1].peer = was.peer;
		s->cables[twist + 1].peer_port = values_one_in(s, 3) ? "nowhere" : was.peer_port;
	}
	s->inventory.cables = s->cables;
	s->inventory.n_cables = n;
}

static int by_device(const void *a_, const void *b_)
{
	const struct state_cell *a = a_, *b = b_;

	return a->order < b->order ? -1 : a->order > b->order;
}

static void draw_cells(struct state *s, const struct mood *m)
{
	for (size_t i = 0; i < wanted.n; i++) {
		struct state_cell c = wanted.cells[i];

		if (!is_there(m, &wanted.places[c.place]))
			continue;
		disturb(s, m, &c);
		if (c.field == FIELD_STATE && m->silent && wanted_same(c.device, m->silent))
			c.value.n = values_one_in(s, 2) ? STATE_RETRYING : STATE_CONNECTING;
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

	wanted_make();
	*s = (struct state){ .seed = seed, .drawn = seed };
	inventory_init(&s->inventory);
	draw_mood(s, &mood);
	policy = values_one_in(s, 4) ? 1 + (size_t)states_below(s, 2) : 0;
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
