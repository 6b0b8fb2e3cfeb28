#include "core/diagnose/cause_ranking.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define POSSIBLE_LOOKS	100000	/* pairs of a symptom and what is not known that are looked at */
#define NOTES_MOST	12	/* of a suspect; more are counted */

/* -- suspects -- */

static const struct port *place_of(const struct diagnosis *d, const struct known_cause *cause, const struct port *p)
{
	const struct link *link = p && cause->of_link ? links_of_port(d->of.links, p) : NULL;

	return link ? link->a : p;
}

static struct suspect *need_suspect(struct diagnosis *d, const struct known_cause *cause, const struct device *device,
				    const struct port *port)
{
	const struct port *known_by = place_of(d, cause, port);
	struct suspect *s;

	for (size_t i = 0; i < d->n_suspects; i++) {
		s = &d->suspects[i];
		if (s->cause == cause && s->known_by == known_by && (known_by || s->device == device))
			return s;
	}
	s = GROW(d->suspects, d->n_suspects, d->cap_suspects);
	d->n_suspects++;
	*s = (struct suspect){ .cause = cause, .device = port ? port->device : device, .port = port, .known_by = known_by,
			       .step = UINT32_MAX };
	if (port)
		snprintf(s->where, sizeof(s->where), "%.78s:%.78s", port->device->name, port->name);
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

/* -- findings that are signs -- */

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
	s->is_named |= !f->is_settling;		/* what is right again may be the cause of what is still open: it is listed */
	s->is_asked |= diagnosis_touches(d, f);
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
	s->is_asked |= diagnosis_touches(d, f);
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

/* -- what is not excluded -- */

/* The cause that a check would show, had it been answered: where it takes no more than the finding to tell. */
static const struct known_cause *cause_of_check(const char *check)
{
	for (size_t i = 0; i < known_cause_count; i++)
		for (size_t k = 0; k < SIGNS_MAX && known_causes[i].signs[k].check; k++)
			if (!strcmp(known_causes[i].signs[k].check, check) && !known_causes[i].signs[k].fits)
				return &known_causes[i];
	return NULL;
}

static void take_possible(struct diagnosis *d, const struct finding *symptom, const struct finding *unknown)
{
	const struct known_cause *cause = cause_of_check(unknown->check->id);
	struct suspect *s;

	if (!cause)
		return;
	s = need_suspect(d, cause, unknown->device, unknown->port);
	if (s->is_named || s->n_notes >= NOTES_MOST)
		return;
	s->score = WEIGHT_POSSIBLE;
	s->step = unknown->check->step;
	s->is_asked |= diagnosis_touches(d, symptom) || diagnosis_touches(d, unknown);
	if (!s->n_notes)
		cite_finding(add_note(s, NOTE_MISSING, 0, "%s", unknown->missing), unknown);
	cite_finding(add_note(s, NOTE_FOR, WEIGHT_POSSIBLE, "would explain %.40s at %.90s: %.90s", symptom->check->id,
			      symptom->where, symptom->what), symptom);
}

/* What nothing explains may follow from what could not be judged: such causes are listed, and not named. */
static void read_unknowns(struct diagnosis *d)
{
	const struct finding *const *list;
	size_t n = findings_open(d->of.findings, &list), looks = 0;

	for (size_t i = 0; i < n; i++) {
		if (list[i]->verdict < VERDICT_WARN || list[i]->cause || !list[i]->check->spreads)
			continue;
		for (size_t k = n; k-- > i && list[k]->verdict == VERDICT_UNKNOWN && looks < POSSIBLE_LOOKS; looks++)
			if (span_is_among(span_of(list[k]->check->id), list[i]->check->after))
				take_possible(d, list[i], list[k]);
	}
}

/* -- what else shows a cause -- */

static void keep_evidence(struct note *n, const struct evidence *evidence, size_t count)
{
	n->own = xcalloc(count + 1, sizeof(*n->own));
	memcpy(n->own, evidence, count * sizeof(*n->own));
	n->evidence = n->own;
	n->n_evidence = count;
}

/* A question of the usual tree, answered so by its evidence. */
static void read_question(struct diagnosis *d, const struct known_cause *cause)
{
	const struct tree_question *q = question_find(decision_tree_find(NULL), cause->asked.question);
	const struct evidence *first;
	struct asking a;
	struct suspect *s;

	question_ask(&a, d, q);
	if (a.answer != cause->asked.answer || a.follows)
		return;
	first = a.n_evidence ? &a.evidence[0] : NULL;
	s = need_suspect(d, cause, first ? first->device : NULL, first ? first->port : NULL);
	s->is_named = s->is_asked = true;
	s->step = s->step < cause->asked.step ? s->step : cause->asked.step;
	if (s->score < cause->asked.weight)
		s->score = cause->asked.weight;
	keep_evidence(add_note(s, NOTE_FOR, cause->asked.weight, "%s", a.what), a.evidence, a.n_evidence);
}

static void read_questions(struct diagnosis *d)
{
	for (size_t i = 0; i < known_cause_count; i++)
		if (known_causes[i].asked.question)
			read_question(d, &known_causes[i]);
}

#define WEIGHT_LOG	55
#define STEP_LOG	2

/* "eth2:", "(eth2", "mlx5_1:1": by its name or by that of its RDMA device. */
static bool names_port(const char *text, const struct port *p)
{
	const char *rdma = port_text(p, FIELD_RDMA);
	struct span rest = span_of(text), word, unused;

	while (span_word(&rest, &word)) {
		span_skip(&word, "(");
		while (word.n && strchr(",;)", word.p[word.n - 1]))
			word.n--;
		span_cut(word, ':', &word, &unused);
		if (span_is(word, p->name) || (rdma && span_is(word, rdma)))
			return true;
	}
	return false;
}

/* What the log says in words, of which its cause is one reading. */
static const char *line_of_log(const struct device *device, enum field f)
{
	return device_text(device, f == FIELD_KERNEL_CAUSE ? FIELD_KERNEL_TROUBLE : FIELD_APP_WARNING);
}

/* What is suspected of this already at a port that the log's line names: it is the same trouble, not one of the device. */
static struct suspect *suspect_of_line(struct diagnosis *d, const struct known_cause *cause, const struct device *device, const char *line)
{
	for (size_t i = 0; line && i < d->n_suspects; i++) {
		struct suspect *s = &d->suspects[i];
		const struct link *l = s->port ? links_of_port(d->of.links, s->port) : NULL;
		const struct port *ends[] = { s->port, l ? l->a : NULL, l ? l->b : NULL };

		for (size_t k = 0; s->cause == cause && k < sizeof(ends) / sizeof(*ends); k++)
			if (ends[k] && ends[k]->device == device && names_port(line, ends[k]))
				return s;
	}
	return NULL;
}

static bool may_carry_roce(const struct diagnosis *d, const struct port *p)
{
	const struct link *l = links_of_port(d->of.links, p);

	return (l && l->is_fabric) || (port_text(p, FIELD_RDMA) && !link_is_iwarp(p));
}

static bool is_up_now(const struct diagnosis *d, const struct port *p)
{
	uint64_t up, state;

	if (!port_number(d->of.model, p, FIELD_UP, 0, &up) || !up)
		return false;
	return !port_number(d->of.model, p, FIELD_RDMA_STATE, 0, &state) || state == RDMA_ACTIVE;
}

/*
 * Whether a log's line still speaks for its cause. A link that went down once and is up now is no link that is down, and an
 * interface that carries no RoCE is no cause of what the fabric does. Where an application's line names no port that is known
 * here, those of the host are looked at; one of the kernel's always names one.
 */
static bool still_holds(const struct diagnosis *d, const struct device *device, enum field f, const struct known_cause *cause)
{
	bool is_link = !strcmp(cause->id, "link-down"), is_named = false, is_of_roce = false, is_any_roce = false;
	bool is_any_not_up = false, is_named_not_up = false;
	const char *line = line_of_log(device, f);

	if (!line || (!is_link && strcmp(cause->id, "pcie-degraded") != 0))
		return true;
	for (size_t i = 0; i < device->n_ports; i++) {
		const struct port *p = device->ports[i];
		bool is_this = names_port(line, p), is_roce = may_carry_roce(d, p), is_not_up = !is_up_now(d, p);

		is_named |= is_this;
		is_of_roce |= is_this && is_roce;
		is_any_roce |= is_roce;
		is_named_not_up |= is_this && is_roce && is_not_up;
		is_any_not_up |= is_roce && is_not_up;
	}
	if (is_named)
		return is_of_roce && (!is_link || is_named_not_up);
	if (is_link && f == FIELD_KERNEL_CAUSE)
		return false;
	return !is_link || !is_any_roce || is_any_not_up;
}

/* Logs of the application and of the kernel name causes in so many words. */
static void read_log(struct diagnosis *d, const struct device *device, enum field f)
{
	const struct cell *c = device_cell(device, f, 0);
	struct evidence evidence = { .device = device, .field = f };
	struct span rest, word;

	if (!c || c->value.is != VALUE_KNOWN || cell_is_stale(d->of.model, c) || !diagnosis_covers(d, device, NULL))
		return;
	rest = span_of(c->value.text);
	while (span_word(&rest, &word))
		for (size_t i = 0; i < known_cause_count; i++) {
			struct suspect *s;

			while (word.n && strchr(",;", word.p[word.n - 1]))
				word.n--;
			if (!span_is(word, known_causes[i].id) || !still_holds(d, device, f, &known_causes[i]))
				continue;
			s = suspect_of_line(d, &known_causes[i], device, line_of_log(device, f));
			s = s ? s : need_suspect(d, &known_causes[i], device, NULL);
			s->is_named = s->is_asked = true;
			s->step = s->step < STEP_LOG ? s->step : STEP_LOG;
			s->score = s->score > WEIGHT_LOG ? s->score : WEIGHT_LOG;
			keep_evidence(add_note(s, NOTE_FOR, WEIGHT_LOG, "reported by a log of %.60s", device->name), &evidence, 1);
		}
}

static void read_logs(struct diagnosis *d)
{
	static const char *const logs[] = { "app.trouble", "kernel.cause" };
	enum field f;

	for (size_t k = 0; k < sizeof(logs) / sizeof(*logs); k++)
		for (size_t i = 0; field_find(span_of(logs[k]), &f) && i < model_devices(d->of.model); i++)
			read_log(d, model_device(d->of.model, i), f);
}

/* Pause that begins at a suspect's place, as its cause makes it begin. */
static bool begins_at(const struct diagnosis *d, const struct pause_root *r, const struct suspect *s)
{
	const struct link *link = r->at ? links_of_port(d->of.links, r->at) : NULL;

	if (!(s->cause->roots >> r->is & 1) || !r->at || !s->port)
		return false;
	return s->port == r->at || (link && (s->port == link->a || s->port == link->b));
}

static void read_pauses(struct diagnosis *d)
{
	for (size_t i = 0; i < d->pauses.n_roots; i++) {
		const struct pause_root *r = &d->pauses.roots[i];

		for (size_t k = 0; k < d->n_suspects; k++) {
			struct suspect *s = &d->suspects[k];
			struct note *n;

			if (!begins_at(d, r, s))
				continue;
			s->score += WEIGHT_ROOT;
			n = add_note(s, NOTE_FOR, WEIGHT_ROOT, "pause begins there: %.180s", r->what);
			n->evidence = r->evidence;
			n->n_evidence = r->n_evidence;
		}
	}
}

/* What would not move if it were so. */
static void read_contrary(struct diagnosis *d)
{
	for (size_t i = 0; i < d->n_suspects; i++) {
		struct suspect *s = &d->suspects[i];
		struct evidence evidence = { .device = s->device, .port = s->port };
		char rate[RATE_TEXT];
		double per_s;
		enum field f;

		if (!s->cause->contrary || !s->port || !field_find(span_of(s->cause->contrary), &f))
			continue;
		evidence.field = f;
		evidence.index = field_table[f].width == 8 ? 3 : 0;
		if (!port_rate(d->of.model, s->port, f, evidence.index, &per_s) || per_s <= 0)
			continue;
		s->score -= WEIGHT_CONTRARY;
		keep_evidence(add_note(s, NOTE_AGAINST, -WEIGHT_CONTRARY, "%s moves there: %s/s", field_table[f].name,
				      rate_text(rate, per_s)), &evidence, 1);
	}
}

/* -- order -- */

static int likeliest_first(const void *a_, const void *b_)
{
	const struct suspect *a = a_, *b = b_;
	int order;

	if (a->is_named != b->is_named)
		return a->is_named ? -1 : 1;
	if (a->is_named && a->cause->of_reading != b->cause->of_reading)
		return a->cause->of_reading ? 1 : -1;
	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	order = natural_cmp(a->where, b->where);
	return order ? order : strcmp(a->cause->id, b->cause->id);
}

static void drop_suspect(struct suspect *s)
{
	for (size_t i = 0; i < s->n_notes; i++)
		free(s->notes[i].own);
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

/* -- the whole -- */

void cause_ranking_done(struct diagnosis *d)
{
	for (size_t i = 0; i < d->n_suspects; i++)
		drop_suspect(&d->suspects[i]);
	free(d->suspects);
}

void cause_ranking_find(struct diagnosis *d)
{
	read_findings(d);
	read_questions(d);
	read_logs(d);
	read_unknowns(d);
	read_pauses(d);
	read_contrary(d);
	keep_asked(d);
}
