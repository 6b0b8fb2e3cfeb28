#include "core/fix/fix.h"

#include <stdio.h>

#include "core/fix/want.h"
#include "core/judge/judge_context.h"

/* A fix being made. */
struct making {
	const struct fix_scene *s;
	const struct fix *fix;
	const struct finding *finding;	/* NULL: made for a cause */
	struct edits made;		/* handed over as a whole, or not at all */
	struct err *err;
	char foreign[160];		/* what differs but cannot be set by the console; or "" */
};

static const char *place(const struct device *d, const struct port *p, char words[128])
{
	snprintf(words, 128, "%.60s%s%.60s", d->name, p ? " " : "", p ? p->name : "");
	return words;
}

static const char *field_words(enum field f, unsigned index, char words[64])
{
	if (field_table[f].width > 1)
		snprintf(words, 64, "%s[%u]", field_table[f].name, index);
	else
		snprintf(words, 64, "%s", field_table[f].name);
	return words;
}

/* Why the current value is not known; NULL when it is. */
static const char *unknown_because(const struct fix_scene *s, const struct cell *c)
{
	if (!c)
		return "not reported";
	if (c->value.is == VALUE_UNKNOWN)
		return c->value.text && *c->value.text ? c->value.text : "not reported by the device";
	if (c->value.is != VALUE_KNOWN)
		return "not reported";
	return cell_is_stale(s->model, c) ? "it was reported too long ago" : NULL;
}

/* rdma_cm has a folder for an RDMA device only while somebody made it: what is in none is not known, and can be made and set. */
static bool is_unmade(enum field f, const struct cell *c)
{
	return f == FIELD_TOS_CMA && c && c->value.is == VALUE_UNKNOWN && c->value.text && strstr(c->value.text, "no configfs directory");
}

static bool can_set(const struct fix_scene *s, const struct device *d, enum field f, bool of_port)
{
	const char *platform = device_text(d, FIELD_PLATFORM);

	return platform && s->can_set(platform, f, of_port);
}

/* The finding is about this very fact. */
static bool is_cited(const struct making *m, const struct device *d, const struct port *p, enum field f, unsigned index)
{
	if (!m->finding)
		return true;
	for (size_t i = 0; i < m->finding->n_evidence; i++) {
		const struct evidence *e = &m->finding->evidence[i];

		if (e->field == f && e->index == index && e->port == p && (p || e->device == d))
			return true;
	}
	return false;
}

/* Whether the fix is useless without this fact: it is the finding's own, or the other half of a pair. */
static bool needs(const struct making *m, const struct port *p, enum field f)
{
	if (!m->finding || m->finding->port == p)
		return true;
	return m->fix->ends == FIX_BOTH_ENDS && !strcmp(m->finding->check->fields, field_table[f].name);
}

static bool lacks(const struct making *m, const struct device *d, const struct port *p, enum field f, unsigned index,
		  const char *why)
{
	char at[128], what[64];

	return err_set(m->err, "%s %s is not known (%s): a value that could not be read is not overwritten", place(d, p, at),
		       field_words(f, index, what), why);
}

static bool add(struct making *m, const struct edit *edit)
{
	if (fix_refuses(m->s, edit, m->err))
		return false;
	edits_add(&m->made, edit);
	return true;
}

/* The port to set it on: the bond, if the bond passes it to members; the member itself, if it alone differs and the bond is right. */
static const struct port *where_set(const struct fix_scene *s, const struct port *p, enum field f, const struct value *want)
{
	const struct port *bond = p && field_table[f].flags & FIELD_OF_BOND ? port_source(p, f, 0) : p;
	const struct cell *c = bond == p ? NULL : port_cell(bond, f, 0);

	return c && !unknown_because(s, c) && fix_is_so(s, p->device, f, &c->value, want) ? p : bond;
}

/* One fact. False, with the reason, when the fix cannot be made for it. */
static bool fix_fact(struct making *m, const struct device *d, const struct port *p, enum field f, unsigned index)
{
	struct fix_want want = { .why = NULL };
	bool is_policy = fix_policy_want(m->s, d, p, f, index, &want), is_needed = needs(m, p, f);
	const struct cell *c = fact_cell(d, p = is_policy ? where_set(m->s, p, f, &want.value) : p, f, index);
	const char *unknown = unknown_because(m->s, c);
	bool is_absent = !c || c->value.is == VALUE_ABSENT;
	struct edit edit;
	char what[64], at[128];

	if (!is_policy && (unknown || !is_cited(m, d, p, f, index) ||
			   !fix_usual_want(m->s, d, p, f, index, &c->value, &want)))
		return true;
	if (!unknown && fix_is_so(m->s, d, f, &c->value, &want.value))
		return true;
	if (!can_set(m->s, d, f, p != NULL)) {
		if (!unknown)
			snprintf(m->foreign, sizeof(m->foreign), "%s of %s", field_words(f, index, what), place(d, p, at));
		return true;
	}
	if (unknown && is_absent && !fix_is_unset(m->s, p, f, index))
		return f != FIELD_PFC_ON || !is_needed || lacks(m, d, p, f, index, unknown);
	if (unknown && !is_absent && !is_unmade(f, c))
		return !is_needed || lacks(m, d, p, f, index, unknown);
	edit = (struct edit){ d->name, p ? p->name : NULL, f, index, { .is = VALUE_ABSENT }, want.value, want.why };
	if (!unknown)
		edit.was = c->value;
	return add(m, &edit);
}

/* Every field of the row, at a port or (NULL) at the device. */
static bool fix_place(struct making *m, const struct device *d, const struct port *p)
{
	struct span rest = span_of(m->fix->fields), word;
	enum field f;

	while (span_word(&rest, &word)) {
		if (!field_find(word, &f) || (field_table[f].scope == SCOPE_PORT) != (p != NULL))
			continue;
		for (unsigned i = 0; i < field_table[f].width; i++)
			if (!fix_fact(m, d, p, f, i))
				return false;
	}
	return true;
}

static const struct port *far_of(const struct fix_scene *s, const struct port *p)
{
	const struct link *l = p ? links_of_port(s->links, p) : NULL;

	return l ? link_far(l, p) : NULL;
}

static bool fix_both_ends(struct making *m, const struct port *p)
{
	const struct port *far = far_of(m->s, p);

	if (!far)
		return err_set(m->err, "the far end of %.60s:%.60s is not known: this setting must change at both ends together",
			       p->device->name, p->name);
	return fix_place(m, p->device, p) && fix_place(m, far->device, far);
}

static bool fix_members(struct making *m, const struct port *p)
{
	for (size_t i = 0; i < p->device->n_ports; i++) {
		const struct port *twin = p->device->ports[i];
		const struct cell *role = port_cell(twin, FIELD_ROLE, 0);

		if (twin != p && !(port_is_twin(p, twin) && role && role->value.n == ROLE_MEMBER))
			continue;
		if (!fix_place(m, p->device, twin))
			return false;
	}
	return true;
}

static bool fix_fabric(struct making *m)
{
	struct judge_context context = { 0 };
	bool ok = true;

	judge_context_update(&context, m->s->model, m->s->links, m->s->inventory);
	for (size_t i = 0; ok && i < model_ports(m->s->model); i++) {
		const struct port *p = model_port(m->s->model, i);

		if (context.ports[i].roce == ROCE_YES)
			ok = fix_place(m, p->device, p);
	}
	judge_context_done(&context);
	return ok;
}

static bool fix_ends(struct making *m, const struct device *d, const struct port *p)
{
	if (m->fix->ends == FIX_FABRIC)
		return fix_fabric(m);
	if (!p)
		return fix_place(m, d, NULL);
	if (m->fix->ends == FIX_BOTH_ENDS)
		return fix_both_ends(m, p);
	if (m->fix->ends == FIX_MEMBERS)
		return fix_members(m, p);
	return fix_place(m, d, p);
}

static bool nothing_to_set(const struct making *m)
{
	if (m->foreign[0])
		return err_set(m->err, "%s differs, but fabcon has no setter for it", m->foreign);
	return err_set(m->err, "nothing to set: every known setting of %.200s matches the policy, or the policy does not set it",
		       m->fix->fields);
}

static bool make(struct making *m, const struct device *d, const struct port *p, struct edits *e)
{
	bool ok = fix_ends(m, d, p) && (m->made.n > 0 || nothing_to_set(m));

	for (size_t i = 0; ok && i < m->made.n; i++)
		edits_add(e, &m->made.list[i]);
	edits_done(&m->made);
	return ok;
}

/* Who makes the change when the console does not. */
static bool not_from_here(const struct finding *f, struct err *err)
{
	const struct fix *fix = fix_find(f->check->id);
	const char *instead = fix_instead(f->check);
	char cause[200] = "";

	if (f->cause)
		snprintf(cause, sizeof(cause), "; a consequence of %.40s at %.120s", f->cause->check->id, f->cause->where);
	if (fix && fix->emit)
		return err_set(err, "%s (fabcon emit %s)%s", instead, fix->emit, cause);
	return err_set(err, "%s%s", instead, cause);
}

bool fix_of_finding(const struct fix_scene *s, const struct finding *f, struct edits *e, struct err *err)
{
	struct making m = { .s = s, .fix = fix_find(f->check->id), .finding = f, .err = err };

	if (f->verdict == VERDICT_UNKNOWN)
		return err_set(err, "whether anything is wrong is not known: %s", f->missing);
	if (!m.fix || !m.fix->fields)
		return not_from_here(f, err);
	return make(&m, f->device, f->port, e);
}

/* A device, or one port of it, set to match the policy. */

struct target {
	const struct fix_scene *s;
	struct edits *e;
	struct buf *skipped;
	size_t n_wanted;
};

static void skip(struct target *t, const struct device *d, const struct port *p, enum field f, unsigned index, const char *why)
{
	char at[128], what[64];

	if (t->skipped)
		buf_printf(t->skipped, "%s %s: %s\n", place(d, p, at), field_words(f, index, what), why);
}

/* A switch prints only the maps that differ from the identity. */
static bool is_identity(const struct fix_scene *s, const struct port *p, enum field f, unsigned index, const struct value *want)
{
	return p && device_is_switch(p->device, s->inventory) && want->n == index &&
	       (f == FIELD_PRIO_TC || f == FIELD_TC_QUEUE || f == FIELD_PRIO_PG || f == FIELD_PFC_QUEUE);
}

static void target_fact(struct target *t, const struct device *d, const struct port *p, enum field f, unsigned index)
{
	const struct cell *c;
	const char *unknown;
	bool is_absent;
	struct fix_want want = { .why = NULL };
	struct edit edit;
	struct err why;

	if (!fix_policy_want(t->s, d, p, f, index, &want) && !fix_implied_want(t->s, d, p, f, fact_cell(d, p, f, index), &want))
		return;
	t->n_wanted++;
	p = where_set(t->s, p, f, &want.value);
	c = fact_cell(d, p, f, index);
	unknown = unknown_because(t->s, c);
	is_absent = !c || c->value.is == VALUE_ABSENT;
	if (is_absent && is_identity(t->s, p, f, index, &want.value))
		return;
	if (!unknown && fix_is_so(t->s, d, f, &c->value, &want.value))
		return;
	if (unknown && !is_unmade(f, c) && !(is_absent && fix_is_unset(t->s, p, f, index)))
		return skip(t, d, p, f, index, unknown);
	if (!can_set(t->s, d, f, p != NULL))
		return skip(t, d, p, f, index, "fabcon has no setter for it");
	edit = (struct edit){ d->name, p ? p->name : NULL, f, index, { .is = VALUE_ABSENT }, want.value, want.why };
	if (!unknown)
		edit.was = c->value;
	if (fix_refuses(t->s, &edit, &why))
		return skip(t, d, p, f, index, why.text);
	edits_add(t->e, &edit);
}

static void target_place(struct target *t, const struct device *d, const struct port *p)
{
	for (unsigned f = 0; f < FIELD_COUNT; f++) {
		if ((field_table[f].scope == SCOPE_PORT) != (p != NULL) || !can_set(t->s, d, (enum field)f, p != NULL))
			continue;
		for (unsigned i = 0; i < field_table[f].width; i++)
			target_fact(t, d, p, (enum field)f, i);
	}
}

static void target_ports(struct target *t, const struct device *d)
{
	struct judge_context context = { 0 };

	judge_context_update(&context, t->s->model, t->s->links, t->s->inventory);
	for (size_t i = 0; i < d->n_ports; i++)
		if (context.ports[d->ports[i]->id].roce == ROCE_YES)
			target_place(t, d, d->ports[i]);
	judge_context_done(&context);
}

bool fix_of_target(const struct fix_scene *s, const struct device *d, const struct port *p, struct edits *e, struct buf *skipped,
		   struct err *err)
{
	struct target t = { .s = s, .e = e, .skipped = skipped };
	const char *platform = device_text(d, FIELD_PLATFORM);

	if (!platform)
		return err_set(err, "%s: its operating system is not known", d->name);
	if (!s->can_set(platform, FIELD_PFC_ON, true) && !s->can_set(platform, FIELD_MTU, true))
		return err_set(err, "%s runs %s, which fabcon cannot configure", d->name, platform);
	if (p)
		target_place(&t, d, p);
	else
		target_place(&t, d, NULL);
	if (!p)
		target_ports(&t, d);
	if (!t.n_wanted)
		return err_set(err, "the policy sets nothing there that could be changed");
	return true;
}

/* The other ends of links */

/* The row sets both ends of a link, and the field is what its check is about. */
static bool is_row_of_link(const struct fix *fix, enum field f)
{
	const struct check *check = fix->ends == FIX_BOTH_ENDS ? check_find(fix->check) : NULL;

	return check && span_is_among(span_of(field_table[f].name), check->fields);
}

bool fix_is_of_link(enum field f)
{
	for (size_t i = 0; i < fix_count; i++)
		if (is_row_of_link(&fix_table[i], f))
			return true;
	return false;
}

/* What the other end is set to along with this field. */
static void add_far_fields(enum field f, bool fields[FIELD_COUNT])
{
	for (size_t i = 0; i < fix_count; i++) {
		struct span rest = span_of(fix_table[i].fields ? fix_table[i].fields : ""), word;
		enum field other;

		while (is_row_of_link(&fix_table[i], f) && span_word(&rest, &word))
			if (field_find(word, &other))
				fields[other] = true;
	}
}

static void far_place(struct target *t, const struct port *p, const bool fields[FIELD_COUNT])
{
	const struct port *far = far_of(t->s, p);
	char at[128];

	if (!far && t->skipped)
		buf_printf(t->skipped, "the other end of %s: it is not known\n", place(p->device, p, at));
	else if (far && !device_text(far->device, FIELD_PLATFORM) && t->skipped)
		buf_printf(t->skipped, "the other end, %s: its operating system is not known\n", place(far->device, far, at));
	if (!far || !device_text(far->device, FIELD_PLATFORM))
		return;
	for (unsigned f = 0; f < FIELD_COUNT; f++)
		for (unsigned i = 0; fields[f] && field_table[f].scope == SCOPE_PORT && i < field_table[f].width; i++)
			target_fact(t, far->device, far, (enum field)f, i);
}

/* A bond has a link for each member. */
static void far_places(struct target *t, const struct port *p, const bool fields[FIELD_COUNT])
{
	const struct device *d = p->device;
	const char *bond;
	size_t n = 0;

	for (size_t i = 0; i < d->n_ports; i++)
		if ((bond = port_text(d->ports[i], FIELD_BOND)) && !strcmp(bond, p->name)) {
			far_place(t, d->ports[i], fields);
			n++;
		}
	if (!n)
		far_place(t, p, fields);
}

static bool is_same_port(const struct edit *a, const struct edit *b)
{
	return a->port && b->port && !strcmp(a->device, b->device) && !strcmp(a->port, b->port);
}

/* The edits of one port, from here on. */
static size_t far_ends_of(struct target *t, const struct edits *e, size_t first)
{
	const struct edit *of = &e->list[first];
	const struct port *p = of->port ? model_find_port(t->s->model, of->device, of->port) : NULL;
	bool fields[FIELD_COUNT] = { false }, is_any = false;
	size_t n;

	for (n = 0; first + n < e->n && (!n || is_same_port(of, of + n)); n++)
		if (fix_is_of_link(of[n].field)) {
			add_far_fields(of[n].field, fields);
			is_any = true;
		}
	if (p && is_any)
		far_places(t, p, fields);
	return n;
}

static bool has_edit(const struct edits *e, const struct edit *of)
{
	for (size_t i = 0; i < e->n; i++)
		if (!edit_cmp(&e->list[i], of))
			return true;
	return false;
}

void fix_add_far_ends(const struct fix_scene *s, struct edits *e, struct buf *skipped)
{
	struct edits far = { 0 };
	struct target t = { .s = s, .e = &far, .skipped = skipped };

	for (size_t i = 0; i < e->n;)
		i += far_ends_of(&t, e, i);
	for (size_t i = 0; i < far.n; i++)
		if (!has_edit(e, &far.list[i]))
			edits_add(e, &far.list[i]);
	edits_done(&far);
}

bool fix_far_end_agrees(const struct fix_scene *s, const struct edit *e)
{
	const struct port *p = e->port ? model_find_port(s->model, e->device, e->port) : NULL, *far = p ? far_of(s, p) : NULL;
	struct fix_want want = { .why = NULL };
	const struct cell *c;
	bool is_wanted, is_absent;

	if (!p || !fix_is_of_link(e->field))
		return true;
	if (!far)
		return false;
	is_wanted = fix_policy_want(s, far->device, far, e->field, e->index, &want);
	c = fact_cell(far->device, is_wanted ? where_set(s, far, e->field, &want.value) : far, e->field, e->index);
	is_absent = !c || c->value.is == VALUE_ABSENT;
	if (!is_wanted && is_absent)
		return true;	/* the far end has no such setting */
	if (is_absent)
		return is_identity(s, far, e->field, e->index, &want.value);
	return !unknown_because(s, c) && fix_is_so(s, far->device, e->field, &c->value, is_wanted ? &want.value : &e->want);
}
