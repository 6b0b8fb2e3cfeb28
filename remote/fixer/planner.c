#include "remote/fixer/planner.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <openssl/evp.h>

#include "core/fix/text.h"
#include "remote/fixer/step_make.h"
#include "remote/platform/startup_config.h"
#include "remote/platforms.h"

#define VERIFY_US	INT64_C(10000000)	/* counters under load: missing headroom shows only then, and not at once */
#define WAVE_MOST	64

/* A draft is what must be changed together: the two ends of a link, or one device. */
struct draft {
	enum planner_kind kind;
	const struct link *link;	/* of PLANNER_LINK, when the port is on a known link; */
	const struct port *port;	/* otherwise the port itself */
	const struct device *device;	/* of the other kinds */
	bool is_placed;
};

struct planner {
	const struct fix_scene *s;
	const struct edits *e;
	planner_find *find;
	struct fix_plan *p;
	struct err *err;
	struct draft *drafts;
	size_t n_drafts, cap_drafts;
	size_t *draft_of;		/* by edit: the index of its draft */
	char **setups;			/* by device id: the configuration after the steps so far; NULL: not read yet */
	bool *in_wave;			/* by device id: touched by the batch being filled */
	bool *in_draft;			/* by device id: touched by the draft being tried */
};

/* -- drafts -- */

enum planner_kind planner_kind_of(const struct edit *e)
{
	return e->port ? PLANNER_LINK : step_affects_no_traffic(e->field) ? PLANNER_NO_TRAFFIC : PLANNER_DEVICE;
}

static bool is_same_draft(const struct draft *d, const struct draft *as)
{
	return d->kind == as->kind && d->link == as->link && d->port == as->port && d->device == as->device;
}

static size_t find_or_add_draft(struct planner *r, const struct draft *wanted)
{
	for (size_t i = 0; i < r->n_drafts; i++)
		if (is_same_draft(&r->drafts[i], wanted))
			return i;
	*GROW(r->drafts, r->n_drafts, r->cap_drafts) = *wanted;
	return r->n_drafts++;
}

static bool draft_edit(struct planner *r, size_t i)
{
	const struct edit *e = &r->e->list[i];
	const struct device *d = model_find_device(r->s->model, e->device);
	const struct port *p = e->port ? model_find_port(r->s->model, e->device, e->port) : NULL;
	struct draft draft = { .kind = planner_kind_of(e) };

	if (!d || !fix_name_is(FIX_NAME_DEVICE, e->device))
		return err_set(r->err, "%.80s: unknown device", e->device);
	if (e->port && (!p || !fix_name_is(FIX_NAME_PORT, e->port)))
		return err_set(r->err, "%s: unknown port, or a name that is not safe in a command", e->device);
	if (fix_refuses(r->s, e, r->err))
		return false;
	if (!p) {
		draft.device = d;
	} else if (!(draft.link = links_of_port(r->s->links, p))) {
		draft.port = p;
	}
	r->draft_of[i] = find_or_add_draft(r, &draft);
	return true;
}

static bool draft_all(struct planner *r)
{
	r->draft_of = xcalloc(r->e->n + 1, sizeof(*r->draft_of));
	for (size_t i = 0; i < r->e->n; i++)
		if (!draft_edit(r, i))
			return false;
	return true;
}

/* Batches: two drafts that touch the same device never share a batch */

static bool is_switch(const struct planner *r, const struct device *d)
{
	return device_is_switch(d, r->s->inventory);
}

static void note_touched(struct planner *r, const struct device *d)
{
	r->in_draft[d->id] = true;
}

/* A host port does not affect its switch; a switch port affects its host, and an uplink both switches. */
static void note_port_touched(struct planner *r, const struct port *p)
{
	const struct link *l = links_of_port(r->s->links, p);
	const struct port *far = l ? link_far(l, p) : NULL;

	note_touched(r, p->device);
	if (far && (is_switch(r, p->device) || !is_switch(r, far->device)))
		note_touched(r, far->device);
}

/* A change to a whole device touches its neighbors as well: two devices with a common neighbor may be each other's backup path. */
static void note_device_touched(struct planner *r, const struct draft *d)
{
	note_touched(r, d->device);
	for (size_t i = 0; d->kind == PLANNER_DEVICE && i < d->device->n_ports; i++)
		note_port_touched(r, d->device->ports[i]);
}

static void note_draft_touched(struct planner *r, size_t draft)
{
	memset(r->in_draft, 0, model_devices(r->s->model) * sizeof(*r->in_draft));
	if (r->drafts[draft].device)
		return note_device_touched(r, &r->drafts[draft]);
	for (size_t i = 0; i < r->e->n; i++)
		if (r->draft_of[i] == draft)
			note_port_touched(r, model_find_port(r->s->model, r->e->list[i].device, r->e->list[i].port));
}

static bool fits_wave(struct planner *r, size_t draft)
{
	size_t n = model_devices(r->s->model);

	note_draft_touched(r, draft);
	for (size_t i = 0; i < n; i++)
		if (r->in_wave[i] && r->in_draft[i])
			return false;
	for (size_t i = 0; i < n; i++)
		r->in_wave[i] |= r->in_draft[i];
	return true;
}

/* -- steps -- */

static const char *keep_text(struct planner *r, const char *text, size_t n)
{
	return arena_text(&r->p->arena, text ? text : "", n);
}

/* Text from devices or files that a person reads before approving: one line of printable ASCII. */
static const char *keep_one_line(struct planner *r, const char *text)
{
	char *copy;
	const char *kept;

	if (!text)
		return NULL;
	copy = xstrdup(text);
	if (!is_one_line(copy))
		for (char *c = copy; *c; c++)
			if ((unsigned char)*c < 0x20 || (unsigned char)*c > 0x7e)
				*c = '?';
	kept = keep_text(r, copy, strlen(copy));
	free(copy);
	return kept;
}

static void add_edit(struct planner *r, struct fix_step *s, const struct edit *e)
{
	struct edit *copy = GROW(s->edits, s->n_edits, s->cap_edits);

	s->n_edits++;
	*copy = *e;
	copy->device = s->device;
	copy->port = e->port ? keep_text(r, e->port, strlen(e->port)) : NULL;
	copy->why = keep_one_line(r, e->why);
	copy->was.text = e->was.text ? keep_text(r, e->was.text, strlen(e->was.text)) : NULL;
	copy->want.text = e->want.text ? keep_text(r, e->want.text, strlen(e->want.text)) : NULL;
}

static void skip_save_of_others(struct planner *r, const struct device *d, struct fix_step *s)
{
	uint64_t is_saved;

	if (!s->save.n || !device_number(r->s->model, d, FIELD_CONFIG_SAVED, 0, &is_saved) || is_saved)
		return;
	for (size_t i = 0; i < r->e->n; i++)
		if (r->e->list[i].field == FIELD_CONFIG_SAVED && !strcmp(r->e->list[i].device, d->name))
			return;
	s->save.n = 0;
	s->save_note = startup_config_is_not_ours;
}

static char *take_text(struct buf *b)
{
	char *text = b->text ? b->text : xstrdup("");

	*b = (struct buf){ 0 };
	return text;
}

static bool read_setup(struct planner *r, const struct dialect *dialect, const struct device *d)
{
	struct buf text = { 0 };
	struct err why;

	if (r->setups[d->id])
		return true;
	if (!dialect->setup(r->s->model, d, &text, &why)) {
		buf_done(&text);
		return err_set(r->err, "%.60s: its configuration is incomplete: %.400s", d->name, why.text);
	}
	r->setups[d->id] = take_text(&text);
	return true;
}

/* Makes the commands of one step, and the configuration that the device will have after it. */
static bool add_commands(struct planner *r, const struct step_make *k, const struct dialect *dialect, const struct device *d,
			 struct fix_step *s)
{
	char *after;

	if (!step_make(k, dialect, (size_t)(s - r->p->steps), r->setups[d->id], s, &after, r->err))
		return false;
	free(r->setups[d->id]);
	r->setups[d->id] = after;
	return true;
}

/* Warns of other agents that write the same settings. */
static void warn_of_other_writers(const struct step_make *k, struct fix_step *s)
{
	unsigned writers = 0;

	for (unsigned i = 0; i < STEP_WRITERS; i++)
		writers |= (unsigned)step_has_writer(k, s, i) << i;
	s->disturbs = step_disturbs(k->arena, s->disturbs, writers);
}

static bool is_empty(const struct fix_step *s)
{
	return !s->lines.n && !s->save.n;
}

static void drop_last_step(struct planner *r)
{
	step_done(&r->p->steps[--r->p->n_steps]);
}

static bool add_step(struct planner *r, size_t draft, const struct device *d)
{
	const char *platform = device_text(d, FIELD_PLATFORM);
	const struct dialect *dialect = platform ? r->find(platform) : NULL;
	const struct step_make k = { r->s->model, r->p, &r->p->arena };
	struct fix_step *s;

	if (!dialect)
		return err_set(r->err, "%.80s: fabcon cannot configure its operating system%s%.40s", d->name, platform ? ", " : "",
			       platform ? platform : "");
	if (!read_setup(r, dialect, d))
		return false;
	s = GROW(r->p->steps, r->p->n_steps, r->p->cap_steps);
	r->p->n_steps++;
	s->device = keep_text(r, d->name, strlen(d->name));
	s->platform = keep_text(r, platform, strlen(platform));
	for (size_t i = 0; i < r->e->n; i++)
		if (r->draft_of[i] == draft && !strcmp(r->e->list[i].device, d->name))
			add_edit(r, s, &r->e->list[i]);
	if (!add_commands(r, &k, dialect, d, s))
		return false;
	warn_of_other_writers(&k, s);
	skip_save_of_others(r, d, s);
	if (!is_switch(r, d))
		step_note_owner(&k, s);
	if (is_empty(s))
		drop_last_step(r);
	return true;
}

/* Switches before hosts: a class must be lossless before traffic is steered into it. */
static bool add_steps(struct planner *r, size_t draft, bool of_switches)
{
	const char *last = NULL;

	for (size_t i = 0; i < r->e->n; i++) {
		const char *name = r->e->list[i].device;
		const struct device *d;

		if (r->draft_of[i] != draft || (last && !strcmp(last, name)))
			continue;
		last = name;
		d = model_find_device(r->s->model, name);
		if (is_switch(r, d) == of_switches && !add_step(r, draft, d))
			return false;
	}
	return true;
}

/* An end of the same link changes in another unit: of a bond, whose members have a link each. */
static bool is_far_end_planned(const struct planner *r, const struct edit *e)
{
	const struct port *p = model_find_port(r->s->model, e->device, e->port);
	const struct link *l = p ? links_of_port(r->s->links, p) : NULL;
	const struct port *far = l ? link_far(l, p) : NULL;

	for (size_t i = 0; far && i < r->e->n; i++) {
		const struct edit *other = &r->e->list[i];

		if (other->field == e->field && other->port && !strcmp(other->device, far->device->name) && !strcmp(other->port, far->name))
			return true;
	}
	return false;
}

/* Warns where one end of a link is changed alone and the other is not known to agree with it afterwards. */
static void warn_of_one_end(struct planner *r, size_t step)
{
	struct fix_step *s = &r->p->steps[step];

	if (!fix_plan_one_end(r->p, step))
		return;
	for (size_t i = 0; i < s->n_edits; i++)
		if (!fix_far_end_agrees(r->s, &s->edits[i]) && !is_far_end_planned(r, &s->edits[i])) {
			s->disturbs = step_disturbs(&r->p->arena, s->disturbs, 1u << STEP_ONE_END);
			return;
		}
}

static bool add_unit(struct planner *r, size_t draft, unsigned wave)
{
	struct fix_unit unit = { .first = r->p->n_steps, .wave = wave };

	r->drafts[draft].is_placed = true;
	if (!add_steps(r, draft, true) || !add_steps(r, draft, false))
		return false;
	unit.n = r->p->n_steps - unit.first;
	if (!unit.n)
		return true;
	*GROW(r->p->units, r->p->n_units, r->p->cap_units) = unit;
	r->p->n_units++;
	warn_of_one_end(r, unit.first);
	return true;
}

/* Fills one batch with at most `most` drafts of one kind that do not touch each other. *n: the resulting units. */
static bool add_wave(struct planner *r, enum planner_kind kind, size_t most, unsigned wave, size_t *n)
{
	size_t before = r->p->n_units;

	memset(r->in_wave, 0, model_devices(r->s->model) * sizeof(*r->in_wave));
	for (size_t i = 0; i < r->n_drafts && r->p->n_units - before < most; i++)
		if (!r->drafts[i].is_placed && r->drafts[i].kind == kind && fits_wave(r, i) && !add_unit(r, i, wave))
			return false;
	*n = r->p->n_units - before;
	return true;
}

static bool is_left(const struct planner *r, enum planner_kind kind)
{
	for (size_t i = 0; i < r->n_drafts; i++)
		if (!r->drafts[i].is_placed && r->drafts[i].kind == kind)
			return true;
	return false;
}

size_t planner_wave_most(enum planner_kind kind, unsigned nth)
{
	return kind == PLANNER_DEVICE ? 1 : nth < 6 ? (size_t)1 << nth : WAVE_MOST;
}

static bool add_waves(struct planner *r)
{
	unsigned wave = 1;

	for (unsigned kind = 0; kind < PLANNER_KINDS; kind++)
		for (unsigned nth = 0; is_left(r, kind);) {
			size_t n;

			if (!add_wave(r, kind, planner_wave_most(kind, nth), wave, &n))
				return false;
			nth += n > 0;
			wave += n > 0;
		}
	return true;
}

/* -- the plan -- */

static const char *plan_id(struct planner *r, int64_t at_us)
{
	time_t at = (time_t)(at_us / 1000000);
	struct buf text = { 0 };
	unsigned char digest[EVP_MAX_MD_SIZE];
	char day[32] = "00000000", id[64];
	unsigned n = 0;
	struct tm utc;

	if (gmtime_r(&at, &utc))
		strftime(day, sizeof(day), "%Y%m%d", &utc);
	buf_printf(&text, "%lld\n", (long long)at_us);
	for (size_t i = 0; i < r->e->n; i++) {
		edit_print(&r->e->list[i], &text);
		buf_str(&text, "\n");
	}
	EVP_Digest(text.text, text.n, digest, &n, EVP_sha256(), NULL);
	buf_done(&text);
	snprintf(id, sizeof(id), "P-%.8s-%02x%02x", day, digest[0], digest[1]);
	return keep_text(r, id, strlen(id));
}

static void planner_done(struct planner *r)
{
	for (size_t i = 0; i < model_devices(r->s->model); i++)
		free(r->setups[i]);
	free(r->setups);
	free(r->in_wave);
	free(r->in_draft);
	free(r->drafts);
	free(r->draft_of);
}

bool planner_make_by(planner_find *find, const struct fix_scene *s, const struct edits *e, const char *title, const char *finding,
		     int64_t at_us, struct fix_plan *p, struct err *err)
{
	struct planner r = { .s = s, .e = e, .find = find, .p = p, .err = err };
	size_t n = model_devices(s->model) + 1;
	bool ok;

	r.setups = xcalloc(n, sizeof(*r.setups));
	r.in_wave = xcalloc(n, sizeof(*r.in_wave));
	r.in_draft = xcalloc(n, sizeof(*r.in_draft));
	p->id = plan_id(&r, at_us);
	p->made_us = at_us;
	p->fabric = keep_one_line(&r, s->inventory->fabric);
	p->policy = keep_one_line(&r, policy_name(s->policy));
	p->title = keep_one_line(&r, title);
	p->finding = keep_one_line(&r, finding);
	p->verify_us = VERIFY_US;
	ok = draft_all(&r) && add_waves(&r);
	planner_done(&r);
	return ok;
}

bool planner_make(const struct fix_scene *s, const struct edits *e, const char *title, const char *finding, int64_t at_us,
		  struct fix_plan *p, struct err *err)
{
	return planner_make_by(dialect_find, s, e, title, finding, at_us, p, err);
}
