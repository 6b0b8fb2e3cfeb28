#include "core/diagnosis.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define NOTES_MOST	12	/* of a suspect; more are counted */

/* ---- suspects ---- */

static const struct port *place_of(const struct diagnosis *d, const struct known_cause *cause, const struct port *p)
{
	const struct link *link = p && cause->of_link ? links_of_port(d->of.links, p) : NULL;

	return link ? link->a : p;
}

static struct suspect *need_suspect(struct diagnosis *d, const struct known_cause *cause, const struct device *device,
				    const struct port *port)
{
	struct suspect *s;

	port = place_of(d, cause, port);
	device = port ? port->device : device;
	for (size_t i = 0; i < d->n_suspects; i++)
		if (d->suspects[i].cause == cause && d->suspects[i].device == device && d->suspects[i].port == port)
			return &d->suspects[i];
	s = GROW(d->suspects, d->n_suspects, d->cap_suspects);
	d->n_suspects++;
	*s = (struct suspect){ .cause = cause, .device = device, .port = port, .step = UINT32_MAX };
	if (port)
		snprintf(s->where, sizeof(s->where), "%.78s:%.78s", device->name, port->name);
	else
		snprintf(s->where, sizeof(s->where), "%s", device ? device->name : "fabric");
	return s;
}

static struct note *add_note(struct suspect *s, enum note_is is, int weight, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static struct note *add_note(struct suspect *s, enum note_is is, int weight, const char *format, ...)
{
	struct note *n = GROW(s->notes, s->n_notes, s->cap_notes);
	va_list args;

	s->n_notes++;
	n->is = is;
	n->weight = weight;
	va_start(args, format);
	vsnprintf(n->text, sizeof(n->text), format, args);
	va_end(args);
	return n;
}

static void cite_finding(struct note *n, const struct finding *f)
{
	n->finding = f;
	n->evidence = f->evidence;
	n->n_evidence = f->n_evidence;
}

/* ---- findings that are signs ---- */

static int weigh(const struct sign *sign, enum verdict v)
{
	static const int percent[] = { [VERDICT_UNKNOWN] = 60, [VERDICT_LOOK] = 60, [VERDICT_WARN] = 80, [VERDICT_FAIL] = 100 };

	return sign->weight * percent[v] / 100;
}

static bool is_sign(const struct diagnosis *d, const struct sign *sign, const struct finding *f)
{
	if (strcmp(sign->check, f->check->id) != 0)
		return false;
	if (f->verdict < VERDICT_LOOK && !sign->though_unknown)
		return false;
	return !sign->fits || sign->fits(d, f);
}

/* The cause that a finding shows by itself, and by which sign. */
static const struct known_cause *cause_shown(const struct diagnosis *d, const struct finding *f, const struct sign **by)
{
	for (size_t i = 0; i < known_cause_count; i++)
		for (size_t k = 0; k < SIGNS_MAX && known_causes[i].signs[k].check; k++)
			if (is_sign(d, &known_causes[i].signs[k], f)) {
				*by = &known_causes[i].signs[k];
				return &known_causes[i];
			}
	return NULL;
}

static const struct finding *root_of(const struct finding *f)
{
	for (size_t steps = 0; f->cause && steps < check_count; steps++)
		f = f->cause;
	return f;
}

static bool is_at(const struct diagnosis_of *of, const struct device *device, const struct port *port)
{
	if (!of->device)
		return true;
	return device == of->device && (!of->port || !port || port == of->port);
}

static bool touches(const struct diagnosis_of *of, const struct finding *f)
{
	return is_at(of, f->device, f->port) || (f->far && is_at(of, f->far->device, f->far));
}

/* A finding adds to its cause what it weighs beyond what the cause has already: signs of one fault are not many faults. */
static void take_sign(struct diagnosis *d, const struct finding *f)
{
	const struct sign *sign;
	const struct known_cause *cause = cause_shown(d, f, &sign);
	struct suspect *s;
	int weight;

	if (!cause || (f->cause && !sign->stands_alone))
		return;
	s = need_suspect(d, cause, f->device, f->port);
	weight = weigh(sign, f->verdict);
	weight = weight > s->score ? weight - s->score : 0;
	s->score += weight;
	s->step = f->check->step < s->step ? f->check->step : s->step;
	s->is_named = true;
	s->is_asked |= touches(&d->of, f);
	cite_finding(add_note(s, NOTE_FOR, weight, "%s", f->what[0] ? f->what : f->missing), f);
}

/* What follows from a finding speaks for the cause that the finding shows. */
static void take_consequence(struct diagnosis *d, const struct finding *f)
{
	const struct finding *root = root_of(f);
	const struct sign *sign;
	const struct known_cause *cause = root != f ? cause_shown(d, root, &sign) : NULL;
	struct suspect *s;
	int weight;

	if (!cause)
		return;
	s = need_suspect(d, cause, root->device, root->port);
	weight = s->explains * WEIGHT_EXPLAINS < WEIGHT_EXPLAINS_MOST ? WEIGHT_EXPLAINS : 0;
	s->explains++;
	s->score += weight;
	s->is_asked |= touches(&d->of, f);
	if (s->n_notes < NOTES_MOST)
		cite_finding(add_note(s, NOTE_FOR, weight, "explains %.40s at %.90s: %.100s", f->check->id, f->where, f->what), f);
}

static void read_findings(struct diagnosis *d)
{
	const struct finding *const *list;
	size_t n = findings_open(d->of.findings, &list);

	for (size_t i = 0; i < n; i++)
		take_sign(d, list[i]);
	for (size_t i = 0; i < n; i++)
		if (list[i]->verdict >= VERDICT_LOOK)
			take_consequence(d, list[i]);
}

/* ---- order ---- */

static int likeliest_first(const void *a_, const void *b_)
{
	const struct suspect *a = a_, *b = b_;
	int order;

	if (a->is_named != b->is_named)
		return a->is_named ? -1 : 1;
	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	order = natural_cmp(a->where, b->where);
	return order ? order : strcmp(a->cause->id, b->cause->id);
}

static void drop_suspect(struct suspect *s)
{
	free(s->notes);
}

/* Those that have nothing to do with what was asked about are left out. */
static void keep_asked(struct diagnosis *d)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->n_suspects; i++) {
		if (d->suspects[i].is_asked)
			d->suspects[kept++] = d->suspects[i];
		else
			drop_suspect(&d->suspects[i]);
	}
	d->n_suspects = kept;
	if (kept)
		qsort(d->suspects, kept, sizeof(*d->suspects), likeliest_first);
	for (d->n_named = 0; d->n_named < kept && d->suspects[d->n_named].is_named; d->n_named++)
		;
}

/* ---- the whole ---- */

void diagnosis_done(struct diagnosis *d)
{
	for (size_t i = 0; i < d->n_suspects; i++)
		drop_suspect(&d->suspects[i]);
	free(d->suspects);
	pauses_done(&d->pauses);
	*d = (struct diagnosis){ 0 };
}

void diagnosis_make(struct diagnosis *d, const struct diagnosis_of *of)
{
	diagnosis_done(d);
	d->of = *of;
	pauses_make(&d->pauses, &(struct pauses_of){ of->model, of->links, of->policy, of->inventory });
	read_findings(d);
	keep_asked(d);
}
