#include "tui/views/compare.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/judge/fec.h"
#include "tui/text/human.h"

/* What no two ports or devices share. */
static const enum field by_nature[] = {
	FIELD_MAC, FIELD_ALIAS, FIELD_PEER_NAME, FIELD_PEER_PORT, FIELD_PEER_MAC, FIELD_PEER_CHASSIS, FIELD_RDMA, FIELD_BOND,
	FIELD_HOSTNAME, FIELD_BOOT, FIELD_GID_INDEX,
};

static bool is_by_nature(enum field f)
{
	for (size_t i = 0; i < sizeof(by_nature) / sizeof(*by_nature); i++)
		if (by_nature[i] == f)
			return true;
	return false;
}

/* Counters and gauges say how it goes, not how it is set. */
static bool is_setting(enum field f)
{
	return field_table[f].kind != KIND_COUNTER && field_table[f].kind != KIND_GAUGE && !(field_table[f].flags & (FIELD_SHY | FIELD_LEARNED));
}

static struct compared *add_subject(struct comparison *c, const char *name)
{
	struct compared *s = GROW(c->subjects, c->n, c->cap);

	snprintf(s->name, sizeof(s->name), "%s", name);
	c->n++;
	return s;
}

static struct told *add_told(struct compared *s, const char *part, const char *name, unsigned order)
{
	struct told *t = GROW(s->told, s->n, s->cap);

	*t = (struct told){ .part = part, .name = name, .order = order, .age_us = -1 };
	s->n++;
	return t;
}

static const char *value_text(struct comparison *c, enum field f, const struct value *v)
{
	char text[HUMAN_MAX];

	if (v->is != VALUE_KNOWN)
		return NULL;
	if (field_table[f].kind == KIND_TEXT)
		return arena_text(&c->texts, v->text, strlen(v->text));
	human_value(text, f, v->n);
	return arena_text(&c->texts, text, strlen(text));
}

/* One code has one name here, however the two systems write it: "RS", "cl91-rs". */
static const char *cell_text(struct comparison *c, enum field f, const struct cell *cell)
{
	static const char *const codes[] = { [FEC_OFF] = "off", [FEC_FIRE] = "base-r", [FEC_RS] = "rs" };
	enum fec fec = f == FIELD_FEC ? fec_of(cell) : FEC_OTHER;

	return fec == FEC_OTHER ? value_text(c, f, &cell->value) : codes[fec];
}

static struct told *add_field(struct compared *s, const char *part, enum field f, unsigned index)
{
	struct told *t = add_told(s, part, field_table[f].name, f);

	t->index = index;
	t->is_indexed = field_table[f].width > 1;
	t->is_by_nature = is_by_nature(f);
	return t;
}

/* p NULL: what is said of the device itself. */
static void add_facts(struct comparison *c, struct compared *s, const struct model *m, const struct device *d,
		      const struct port *p, const char *part)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++) {
		if (!is_setting((enum field)f) || (field_table[f].scope == SCOPE_PORT) != (p != NULL))
			continue;
		for (unsigned i = 0; i < field_table[f].width; i++) {
			const struct cell *cell = p ? port_cell(p, (enum field)f, i) : device_cell(d, (enum field)f, i);
			struct told *t;

			if (!cell)
				continue;
			t = add_field(s, part, (enum field)f, i);
			t->age_us = cell_age_us(m, cell);
			t->value = cell_is_stale(m, cell) ? NULL : cell_text(c, (enum field)f, cell);
		}
	}
}

static const char *part_of(const struct compare_with *with, const struct port *p)
{
	return device_is_switch(p->device, with->inventory) ? "sw" : "nic";
}

static void add_port(struct comparison *c, const struct compare_with *with, const struct port *p, const char *part)
{
	char name[160];

	snprintf(name, sizeof(name), "%s:%s", p->device->name, p->name);
	add_facts(c, add_subject(c, name), with->model, p->device, p, part);
}

void compare_port(struct comparison *c, const struct compare_with *with, const struct port *p)
{
	add_port(c, with, p, part_of(with, p));
}

void compare_end(struct comparison *c, const struct compare_with *with, const struct port *p)
{
	add_port(c, with, p, "");
}

void compare_link(struct comparison *c, const struct compare_with *with, const struct link *link)
{
	bool both = link->b && part_of(with, link->a) == part_of(with, link->b);
	struct compared *s = add_subject(c, link->name);

	add_facts(c, s, with->model, link->a->device, link->a, both ? "1st" : part_of(with, link->a));
	if (link->b)
		add_facts(c, s, with->model, link->b->device, link->b, both ? "2nd" : part_of(with, link->b));
}

void compare_device(struct comparison *c, const struct compare_with *with, const struct device *d)
{
	struct compared *s = add_subject(c, d->name);

	add_facts(c, s, with->model, d, NULL, "");
	for (size_t i = 0; i < d->n_ports; i++)
		add_facts(c, s, with->model, d, d->ports[i], d->ports[i]->name);
}

static void add_words(struct comparison *c, struct compared *s, const char *name, unsigned order, const char *text)
{
	add_told(s, "", name, order)->value = *text ? arena_text(&c->texts, text, strlen(text)) : NULL;
}

void compare_finding(struct comparison *c, const struct compare_with *with, const struct finding *f)
{
	struct compared *s = add_subject(c, f->where);
	char text[HUMAN_MAX];

	add_words(c, s, "check", 0, f->check->id);
	add_words(c, s, "verdict", 1, verdict_name(f->verdict));
	add_words(c, s, "what", 2, f->verdict == VERDICT_UNKNOWN ? f->missing : f->what);
	add_words(c, s, "because of", 3, f->cause ? f->cause->check->id : "nothing else");
	add_words(c, s, "since", 4, human_date(text, f->first_us));
	for (size_t i = 0; i < f->n_evidence; i++) {
		const struct evidence *e = &f->evidence[i];
		const struct cell *cell = e->port ? port_cell(e->port, e->field, e->index) :
					  device_cell(e->device, e->field, e->index);
		struct told *t = add_field(s, e->port ? part_of(with, e->port) : "", e->field, e->index);

		t->order += 5;
		if (!cell)
			continue;
		t->age_us = cell_age_us(with->model, cell);
		t->value = cell_is_stale(with->model, cell) ? NULL : value_text(c, e->field, &cell->value);
	}
}

static void add_wanted(struct comparison *c, struct compared *s, const struct compare_with *with, const struct port *p,
		       const char *part)
{
	struct policy_target t = { p->device->name, p->name, device_is_switch(p->device, with->inventory),
				   with->inventory ? inventory_find(with->inventory, p->device->name) : NULL };
	struct value v;

	for (unsigned f = 0; f < FIELD_COUNT; f++)
		for (unsigned i = 0; field_table[f].scope == SCOPE_PORT && i < field_table[f].width; i++)
			if (is_setting((enum field)f) && policy_wants(with->policy, &t, (enum field)f, i, &v, NULL))
				add_field(s, part, (enum field)f, i)->value = value_text(c, (enum field)f, &v);
}

void compare_policy(struct comparison *c, const struct compare_with *with, const struct link *link)
{
	bool both = link->b && part_of(with, link->a) == part_of(with, link->b);
	char name[160];
	struct compared *s;

	snprintf(name, sizeof(name), "policy %s", policy_name(with->policy));
	s = add_subject(c, name);
	s->is_policy = true;
	add_wanted(c, s, with, link->a, both ? "1st" : part_of(with, link->a));
	if (link->b)
		add_wanted(c, s, with, link->b, both ? "2nd" : part_of(with, link->b));
}

/* -- rows -- */

struct entry {
	const struct told *told;
	size_t subject;
};

static int by_key(const struct told *a, const struct told *b)
{
	int order = natural_cmp(a->part, b->part);

	if (!order)
		order = a->order < b->order ? -1 : a->order > b->order;
	return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

static int by_place(const void *a_, const void *b_)
{
	const struct entry *a = a_, *b = b_;
	int order = by_key(a->told, b->told);

	return order ? order : a->subject < b->subject ? -1 : a->subject > b->subject;
}

static bool is_unsaid(const struct comparison *c, const struct compared_row *row)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->subjects[i].is_policy && !row->told[i])
			return true;
	return false;
}

static enum compared_as judge(const struct comparison *c, const struct compared_row *row)
{
	const char *first = NULL;
	bool lacks = false, differs = false;

	if (is_unsaid(c, row))
		return COMPARED_UNSAID;
	for (size_t i = 0; i < c->n; i++) {
		const char *value = row->told[i] ? row->told[i]->value : NULL;

		lacks |= !value;
		differs |= value && first && strcmp(value, first) != 0;
		first = first ? first : value;
	}
	if (row->of->is_by_nature)
		return COMPARED_NATURE;
	return differs ? COMPARED_DIFFERS : lacks ? COMPARED_UNKNOWN : COMPARED_ALIKE;
}

static bool same_told(const struct told *a, const struct told *b)
{
	if (!a || !b || !a->value || !b->value)
		return (!a || !a->value) && (!b || !b->value);
	return !strcmp(a->value, b->value);
}

/* The next index of the same field, about which everybody says what they say of the one before. */
static bool goes_on(const struct comparison *c, const struct compared_row *before, const struct compared_row *row)
{
	if (!row->of->is_indexed || strcmp(before->of->part, row->of->part) || before->of->order != row->of->order ||
	    before->last + 1 != row->of->index || before->as != row->as)
		return false;
	for (size_t i = 0; i < c->n; i++)
		if (!same_told(before->told[i], row->told[i]))
			return false;
	return true;
}

/* is_alone: no other subject has that part at all, a port of that name. */
static void add_row(struct comparison *c, const struct entry *list, size_t n, bool is_alone)
{
	struct compared_row row = { .of = list[0].told, .last = list[0].told->index, .told = xcalloc(c->n, sizeof(*row.told)) };

	for (size_t i = 0; i < n; i++)
		row.told[list[i].subject] = list[i].told;
	row.as = is_alone && c->n > 1 ? COMPARED_ALONE : judge(c, &row);
	if (c->n_rows && goes_on(c, &c->rows[c->n_rows - 1], &row)) {
		c->rows[c->n_rows - 1].last = row.last;
		free(row.told);
		return;
	}
	*GROW(c->rows, c->n_rows, c->cap_rows) = row;
	c->n_rows++;
}

/* Everything that is said of one part. */
static void add_part(struct comparison *c, const struct entry *list, size_t n)
{
	bool is_alone = true;

	for (size_t i = 1; i < n; i++)
		is_alone &= list[i].subject == list[0].subject;
	for (size_t i = 0, from = 0; i < n; i++) {
		if (i + 1 < n && by_key(list[i].told, list[i + 1].told) == 0)
			continue;
		add_row(c, list + from, i + 1 - from, is_alone);
		from = i + 1;
	}
}

static int by_kind(const void *a_, const void *b_)
{
	const struct compared_row *a = a_, *b = b_;

	return a->as != b->as ? (a->as < b->as ? -1 : 1) : by_key(a->of, b->of);
}

void compare_make(struct comparison *c)
{
	struct entry *all = NULL;
	size_t n = 0, cap = 0;

	for (size_t s = 0; s < c->n; s++) {
		for (size_t i = 0; i < c->subjects[s].n; i++) {
			*GROW(all, n, cap) = (struct entry){ &c->subjects[s].told[i], s };
			n++;
		}
	}
	if (n)
		qsort(all, n, sizeof(*all), by_place);
	for (size_t from = 0, past; from < n; from = past) {
		past = from + 1;
		while (past < n && !strcmp(all[past].told->part, all[from].told->part))
			past++;
		add_part(c, all + from, past - from);
	}
	if (c->n_rows)
		qsort(c->rows, c->n_rows, sizeof(*c->rows), by_kind);
	free(all);
}

void comparison_done(struct comparison *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->subjects[i].told);
	for (size_t i = 0; i < c->n_rows; i++)
		free(c->rows[i].told);
	free(c->subjects);
	free(c->rows);
	arena_done(&c->texts);
	memset(c, 0, sizeof(*c));
}

void compare_label(const struct compared_row *row, char *out, size_t size)
{
	const struct told *t = row->of;
	int n = snprintf(out, size, "%s%s%s", t->part, *t->part ? " " : "", t->name);

	if (!t->is_indexed || n < 0 || (size_t)n >= size)
		return;
	if (row->last > t->index)
		snprintf(out + n, size - (size_t)n, "[%u-%u]", t->index, row->last);
	else
		snprintf(out + n, size - (size_t)n, "[%u]", t->index);
}

const char *compare_majority(const struct comparison *c, const struct compared_row *row, size_t *n)
{
	const char *best = NULL;

	*n = 0;
	for (size_t i = 0; i < c->n; i++) {
		size_t alike = 0;

		if (!row->told[i] || !row->told[i]->value)
			continue;
		for (size_t k = 0; k < c->n; k++)
			alike += same_told(row->told[i], row->told[k]);
		if (alike <= *n)
			continue;
		*n = alike;
		best = row->told[i]->value;
	}
	return best;
}
