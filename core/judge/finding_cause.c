/* What explains what: rows of check->after, at the place itself, then anywhere for what spreads. */
#include "core/judge/finding_internal.h"

#define NEAR_LOOKS	64	/* candidates looked at for the nearest cause */

static const struct finding *explains(const struct findings *f, const struct check *check, const void *place,
				      const struct finding *what)
{
	/* what is worth a warning is not folded under a mere look */
	enum verdict least = what->verdict <= VERDICT_LOOK ? VERDICT_LOOK : VERDICT_WARN;
	unsigned last = check->each_priority ? 7 : 0;

	for (unsigned i = 0; i <= last; i++) {
		const struct entry *e = finding_entry(f, check, place, check->each_priority ? (what->index + i) & 7 : 0);

		if (e && e->finding.is_open && &e->finding != what && e->finding.verdict >= least)
			return &e->finding;
	}
	return NULL;
}

/* Of what is counted for a whole bond: at another of its members. */
static const struct finding *explains_at_twin(const struct findings *f, const struct check *check, const struct finding *what)
{
	const struct finding *cause = NULL;

	if (!what->check->of_bond || !what->port)
		return NULL;
	for (size_t i = 0; !cause && i < what->port->device->n_ports; i++)
		if (port_is_twin(what->port, what->port->device->ports[i]))
			cause = explains(f, check, what->port->device->ports[i], what);
	return cause;
}

/* At the same port, at the other end, at the devices of either, at another member of its bond. */
static const struct finding *explains_here(const struct findings *f, const struct links *links, const struct check *check,
					   const struct finding *what)
{
	const struct link *l = what->port ? links_of_port(links, what->port) : NULL;
	const void *places[] = { what->port, what->far, l ? l->a : NULL, what->device, what->far ? what->far->device : NULL };

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const struct finding *cause = places[i] ? explains(f, check, places[i], what) : NULL;

		if (cause)
			return cause;
	}
	return explains_at_twin(f, check, what);
}

static bool shares_device(const struct finding *a, const struct finding *b)
{
	const struct device *far_a = a->far ? a->far->device : NULL, *far_b = b->far ? b->far->device : NULL;

	return a->device == b->device || (far_a && (far_a == b->device || far_a == far_b)) || (far_b && far_b == a->device);
}

/* Anywhere in the fabric, if possible at a device that has a part in what is to be explained. */
static const struct finding *explains_afar(const struct findings *f, const struct check *check, const struct finding *what)
{
	const struct finding *any = NULL;
	size_t looks = 0;

	for (const struct entry *e = f->of_check[row_of(check)]; e && looks < NEAR_LOOKS; e = e->next_of_check) {
		if (e->finding.verdict < VERDICT_WARN || &e->finding == what)
			continue;
		looks++;
		if (shares_device(&e->finding, what))
			return &e->finding;
		any = any ? any : &e->finding;
	}
	return any;
}

/*
 * A host that stops its switch stops all that sends to it, through every switch between: a link that stands still does so for
 * that, before it does for a setting at its own end. (Marking at a port is of what leaves there, not of who is paused there.)
 */
static const struct finding *flooded_by(const struct findings *f, const struct links *links, const uint8_t *after,
					const struct finding *what)
{
	const struct finding *cause = NULL;

	if (!what->check->spreads || what->check->harm != HARM_STOPS)
		return NULL;
	for (size_t i = 0; after[i] && !cause; i++)
		if (check_table[after[i] - 1].floods && f->n_of_check[after[i] - 1])
			cause = explains_here(f, links, &check_table[after[i] - 1], what);
	for (size_t i = 0; after[i] && !cause; i++)
		if (check_table[after[i] - 1].floods && f->n_of_check[after[i] - 1])
			cause = explains_afar(f, &check_table[after[i] - 1], what);
	return cause;
}

const struct finding *finding_cause(const struct findings *f, const struct links *links, const struct finding *what)
{
	const uint8_t *after = f->after[row_of(what->check)];
	const struct finding *cause = flooded_by(f, links, after, what);

	if (cause)
		return cause;
	for (size_t i = 0; after[i]; i++)
		if (f->n_of_check[after[i] - 1] && (cause = explains_here(f, links, &check_table[after[i] - 1], what)))
			return cause;
	for (size_t i = 0; what->check->spreads && after[i]; i++)
		if (f->n_of_check[after[i] - 1] && (cause = explains_afar(f, &check_table[after[i] - 1], what)))
			return cause;
	return NULL;
}
