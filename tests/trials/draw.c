/* Scenarios by number: kinds, systems, traffic and places in turn or by a seed of their own. */
#include <stdio.h>

#include "remote/lab/fabric_plan.h"
#include "tests/trials/scenario.h"

#define TRIES	200		/* of a place that a fault could befall */

static const char *const systems[] = { "os10", "sonic", "mixed" };
static const char *const traffics[] = { "ring", "incast", "all" };

/* SplitMix64: the same on each machine. */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static struct fabric *fabric_of(const struct scenario *s)
{
	struct fabric_plan plan = {
		.nodes = 4, .rails = 2, .leaves = 2, .spines = s->spines, .switch_os = s->os, .speed_bps = 100000000000u,
		.with_bond = s->with_bond, .seed = s->seed,
	};

	return fabric_generate(&plan, NULL);
}

static void add_place(struct broken *b, const struct fabric *f, int port)
{
	char *place = b->places[b->n_places];

	if (port < 0 || b->n_places == PLACES_MAX)
		return;
	snprintf(place, sizeof(b->places[0]), "%s:%s", f->devices[f->ports[port].device].name, f->ports[port].name);
	b->n_places++;
}

void add_ring(struct broken *b)
{
	struct span rest = span_of(b->kind->ring), name;

	while (b->n_places < PLACES_MAX && span_word(&rest, &name))
		snprintf(b->places[b->n_places++], sizeof(b->places[0]), "%.*s", (int)name.n, name.p);
}

/* Both ends of its cable, and the bond if it is the bond's; of a moved one, both ends of where it was planned to be, too. */
static void add_places(struct broken *b, const struct fabric *f, const struct fault_on *on)
{
	const struct lab_port *p = &f->ports[on->port];

	if (on->fault->place >= AT_DEVICE) {
		snprintf(b->places[0], sizeof(b->places[0]), "%s", f->devices[p->device].name);
		b->n_places = 1;
		return add_ring(b);
	}
	add_place(b, f, on->port);
	add_place(b, f, p->planned);
	if (on->fault->place == AT_BOND)
		snprintf(b->places[b->n_places++], sizeof(b->places[0]), "%s:bond0", f->devices[p->device].name);
	if (p->peer == p->planned)
		return;
	add_place(b, f, p->peer);
	add_place(b, f, f->ports[p->peer].planned);
}

static bool is_device_fault(const struct broken *b)
{
	return b->n_places == 1;
}

/* What is broken twice at one cable, or on a device that does not answer, cannot be told apart by anybody. */
static bool is_apart(const struct broken *a, const struct broken *b)
{
	for (size_t i = 0; i < a->n_places; i++)
		for (size_t k = 0; k < b->n_places; k++) {
			const char *x = a->places[i], *y = b->places[k];
			size_t n = strcspn(x, ":");

			if (!strcmp(x, y))
				return false;
			if ((is_device_fault(a) || is_device_fault(b)) && n == strcspn(y, ":") && !strncmp(x, y, n))
				return false;
		}
	return true;
}

/* Puts the fault at a place that it can befall; the fabric is broken with it. */
static bool place_fault(struct scenario *s, struct fabric *f, const struct breakage *kind, uint64_t *state)
{
	struct broken *b = &s->faults[s->n_faults];
	struct faults faults = { NULL };
	bool is_placed = false;

	for (unsigned i = 0; i < TRIES && !is_placed; i++) {
		const struct lab_port *p = &f->ports[draw(state) % f->n_ports];

		*b = (struct broken){ .kind = kind };
		snprintf(b->text, sizeof(b->text), "%s@%s:%s", kind->fault, f->devices[p->device].name, p->name);
		if (p->peer < 0 || !fault_add(&faults, f, b->text, NULL, NULL))
			continue;
		add_places(b, f, &faults.list[0]);
		is_placed = s->n_faults == 0 || is_apart(&s->faults[0], b);
		if (!is_placed)
			fault_clear(&faults, f, "all", NULL);
	}
	faults_done(&faults);
	s->n_faults += is_placed;
	return is_placed;
}

static void name_scenario(struct scenario *s, const char *sort, unsigned nth)
{
	size_t n = snprintf(s->name, sizeof(s->name), "%s-%03u-%s-%s-%u", sort, nth, s->os, s->traffic, s->seed);

	for (size_t i = 0; i < s->n_faults && n < sizeof(s->name); i++)
		n += snprintf(s->name + n, sizeof(s->name) - n, "-%s", s->faults[i].text);
	for (char *c = s->name; *c; c++)
		if (*c == ':' || *c == '/')
			*c = '_';
}

static bool break_fabric(struct scenario *s, const struct breakage *const *kinds, size_t n, uint64_t *state)
{
	struct fabric *f = fabric_of(s);
	bool is_placed = f != NULL;

	for (size_t i = 0; i < n && is_placed; i++)
		is_placed = place_fault(s, f, kinds[i], state);
	fabric_free(f);
	return is_placed;
}

static void set_scene(struct scenario *s, unsigned nth, unsigned os, unsigned traffic, const struct breakage *kind)
{
	*s = (struct scenario){
		.os = kind && kind->os ? kind->os : systems[os % 3],
		.traffic = kind && kind->traffic ? kind->traffic : traffics[traffic % 3],
		.seed = nth + 1,
		.with_bond = kind && kind->needs_bond,
		.spines = kind && kind->ring ? 2 : 1,
	};
}

/* Each kind on each system, again and again at other places. */
bool scenario_single(struct scenario *s, unsigned nth)
{
	const struct breakage *kind = &breakages()[nth % breakage_count()];
	uint64_t state = nth * 2 + 1;
	bool is_placed;

	set_scene(s, nth, nth % breakage_count() + nth / breakage_count(), draw(&state) % 3, kind);
	is_placed = break_fabric(s, &kind, 1, &state);
	name_scenario(s, "single", nth);
	return is_placed;
}

/* Two that do not ask for different fabrics: where nothing moves, what only counters show is not to be seen. */
bool scenario_pair(struct scenario *s, unsigned nth)
{
	uint64_t state = nth * 2 + 1000000;
	const struct breakage *kinds[2];
	bool is_placed = false;

	do
		kinds[0] = &breakages()[draw(&state) % breakage_count()];
	while (kinds[0]->ring);
	do
		kinds[1] = &breakages()[draw(&state) % breakage_count()];
	while (kinds[1] == kinds[0] || kinds[1]->ring || (kinds[0]->os && kinds[1]->os && strcmp(kinds[0]->os, kinds[1]->os)));
	set_scene(s, nth, nth, nth / 3, kinds[0]->os || kinds[0]->traffic ? kinds[0] : kinds[1]);
	if (kinds[1]->os)
		s->os = kinds[1]->os;
	if (kinds[1]->traffic)
		s->traffic = kinds[1]->traffic;
	s->with_bond = kinds[0]->needs_bond || kinds[1]->needs_bond;
	/* the first may stand on the only place of the second: then it goes elsewhere */
	for (unsigned i = 0; i < TRIES && !is_placed; i++) {
		s->n_faults = 0;
		is_placed = break_fabric(s, kinds, 2, &state);
	}
	name_scenario(s, "pair", nth);
	return is_placed;
}

bool scenario_healthy(struct scenario *s, unsigned nth)
{
	set_scene(s, nth, nth, nth / 3, NULL);
	name_scenario(s, "healthy", nth);
	return true;
}
