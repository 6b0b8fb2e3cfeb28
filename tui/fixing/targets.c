#include "tui/fixing/targets.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/diagnose/diagnosis.h"
#include "remote/platforms.h"
#include "tui/session/session.h"
#include "tui/text/fuzzy.h"

struct fix_scene fix_targets_scene(const struct session *s)
{
	return (struct fix_scene){ session_model(s), session_links(s), session_policy(s), session_inventory(s), dialect_can_set };
}

void fix_targets_done(struct fix_targets *w)
{
	edits_done(&w->edits);
	buf_done(&w->notes);
	buf_done(&w->title);
	buf_done(&w->finding);
}

static void name(struct fix_targets *w, const char *title, const char *finding)
{
	buf_clear(&w->title);
	buf_clear(&w->finding);
	buf_str(&w->title, title);
	buf_str(&w->finding, finding);
}

static void refuse(struct fix_targets *w, const char *what, const char *where, const char *why)
{
	w->n_refused++;
	buf_printf(&w->notes, "not planned: %s%s%s: %s\n", what, *where ? " at " : "", where, why);
}

/* -- Findings -- */

static void want_finding(struct fix_targets *w, const struct fix_scene *scene, const struct finding *f)
{
	char id[320];
	struct err why;

	if (!fix_of_finding(scene, f, &w->edits, &why))
		return refuse(w, f->check->id, f->where, why.text);
	snprintf(id, sizeof(id), "%s %s", f->check->id, f->where);
	if (!w->n_fixed++)
		name(w, f->check->title, id);
}

static bool has_fields(const char *check)
{
	const struct fix *fix = fix_find(check);

	return fix && fix->fields;
}

static bool goes_on(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("/._-", c));
}

/* As a whole word of it: "node1:eth2" is not in "node1:eth20", "node1" is in both. */
static bool is_at(const char *where, const char *place)
{
	size_t n = strlen(place);

	for (const char *p = where; n && (p = strstr(p, place)); p++)
		if ((p == where || !goes_on(p[-1])) && !goes_on(p[n]))
			return true;
	return !n;
}

/* What the console does not mend, and who does. */
static void tell_people(struct fix_targets *w, const struct finding *f)
{
	if (f->verdict >= VERDICT_WARN && !f->cause)
		buf_printf(&w->notes, "manual: %s at %s: %s\n", f->check->id, f->where, fix_instead(f->check));
}

/*
 * All that has a fix. What nobody can say is wrong is counted. A consequence may have settings of its own that are wrong;
 * where it has none, it goes with what explains it.
 */
static void want_all(struct fix_targets *w, const struct fix_scene *scene, const struct session *s)
{
	const struct finding *const *list;
	size_t n = findings_open(session_findings(s), &list);

	for (size_t i = 0; i < n; i++) {
		if (!has_fields(list[i]->check->id))
			tell_people(w, list[i]);
		else if (list[i]->verdict == VERDICT_UNKNOWN)
			w->n_unknown++;
		else if (list[i]->cause)
			fix_of_finding(scene, list[i], &w->edits, NULL);
		else
			want_finding(w, scene, list[i]);
	}
}

/* Whether a finding of the check is of this name: the check's, or that of a cause which it is a sign of. */
static bool is_named(const struct check *check, const char *name)
{
	const struct known_cause *cause = known_cause_find(name);

	for (size_t i = 0; cause && i < SIGNS_MAX && cause->signs[i].check; i++)
		if (!strcmp(cause->signs[i].check, check->id))
			return true;
	return !strcmp(check->id, name);
}

/* Of a member of a bond its bond's name does as well: what is the bond's stands at its first member. */
static bool is_where(const struct finding *f, const char *place)
{
	const char *bond = f->port ? port_text(f->port, FIELD_BOND) : NULL;
	char at[160];

	snprintf(at, sizeof(at), "%.80s:%.60s", bond ? f->port->device->name : "", bond ? bond : "");
	return is_at(f->where, place) || (bond && is_at(at, place));
}

/* "nod2:eth3" where no device is named nod2. */
static bool is_nowhere(const struct model *m, const char *where)
{
	char *device = xstrndup(where, strcspn(where, ": "));
	bool is_so = *device && !model_find_device(m, device);

	free(device);
	return is_so;
}

/* "CHECK", "CAUSE", or either with "@WHERE", a whole word of the place. False when its first word is neither. */
static bool want_check(struct fix_targets *w, struct cli *cli, const struct fix_scene *scene, const struct session *s, const char *word)
{
	const struct finding *const *list;
	size_t n = findings_open(session_findings(s), &list), found = 0;
	char id[64];
	const char *where = strchr(word, '@');

	snprintf(id, sizeof(id), "%.*s", (int)strcspn(word, "@"), word);
	where = where ? where + 1 : "";
	if (!check_find(id) && !known_cause_find(id))
		return false;
	for (size_t i = 0; i < n; i++)
		if (is_named(list[i]->check, id) && is_where(list[i], where)) {
			found++;
			want_finding(w, scene, list[i]);
		}
	if (!found && is_nowhere(scene->model, where))
		complain_of_target(cli, where, device_near(scene->model, where));
	else if (!found)
		buf_printf(&w->notes, "no open finding matches %s%s%s\n", id, *where ? " at " : "", where);
	return true;
}

/* -- targets -- */

static void tell_skipped(struct fix_targets *w, struct buf *skipped)
{
	struct span rest = buf_span(skipped), line;

	for (; span_line(&rest, &line); w->n_unchanged++)
		buf_printf(&w->notes, "unchanged: %.*s\n", (int)line.n, line.p);
	buf_done(skipped);
}

/* Both ends of each link, whichever of them was named. */
static void want_far_ends(struct fix_targets *w, const struct fix_scene *scene)
{
	struct buf skipped = { 0 };
	size_t n = w->edits.n;

	fix_add_far_ends(scene, &w->edits, &skipped);
	w->n_far = w->edits.n - n;
	tell_skipped(w, &skipped);
}

struct targeting {
	struct fix_targets *w;
	struct cli *cli;
	const struct fix_scene *scene;
	const struct inventory *inventory;
};

/* One that the inventory names, and that has said nothing of itself. */
static bool is_unread(const struct targeting *t, const char *device, const struct device *d)
{
	return t->inventory && inventory_find(t->inventory, device) && (!d || !d->n_ports);
}

static void want_target(void *ctx, const char *target)
{
	const struct targeting *t = ctx;
	struct buf skipped = { 0 };
	struct span head = span_of(target), tail = { 0 };
	char *device, *port, title[200];
	const struct device *d;
	const struct port *p = NULL;
	struct err why;

	span_cut(span_of(target), ':', &head, &tail);
	device = xstrndup(head.p, head.n);
	port = tail.n ? xstrndup(tail.p, tail.n) : NULL;
	d = model_find_device(t->scene->model, device);
	p = d && port ? model_find_port(t->scene->model, device, port) : NULL;
	snprintf(title, sizeof(title), "%.80s as %.80s requires it", target, policy_name(t->scene->policy));
	if (is_unread(t, device, d))
		refuse(t->w, target, "", "it could not be read, so its settings are not known: see fabcon status, fabcon inventory test");
	else if (!d || (port && !p))
		complain_of_target(t->cli, target, device_near(t->scene->model, target));
	else if (!fix_of_target(t->scene, d, p, &t->w->edits, &skipped, &why))
		refuse(t->w, target, "", why.text);
	else if (!t->w->n_fixed++)
		name(t->w, title, "");
	tell_skipped(t->w, &skipped);
	free(device);
	free(port);
}

static void complain_of_check(struct cli *cli, const char *word)
{
	char *id = xstrndup(word, strcspn(word, "@"));
	struct fuzzy_nearest nearest = { .typed = id };

	for (size_t i = 0; i < check_count; i++)
		fuzzy_try(&nearest, check_table[i].id);
	for (size_t i = 0; i < known_cause_count; i++)
		fuzzy_try(&nearest, known_causes[i].id);
	if (nearest.word)
		complain(0, "%s: no such check or cause; did you mean \"%s\"?", word, nearest.word);
	else
		complain(0, "%s: no such check or cause (see fabcon explain checks, fabcon explain causes)", word);
	cli->n_unfound++;
	free(id);
}

static void want_word(struct fix_targets *w, struct cli *cli, const struct fix_scene *scene, const struct session *s,
		      const char *word)
{
	struct targeting t = { w, cli, scene, session_inventory(s) };
	struct err why;

	if (want_check(w, cli, scene, s, word))
		return;
	if (strchr(word, '@'))
		complain_of_check(cli, word);
	else if (!range_expand(word, want_target, &t, &why))
		complain(0, "%s", why.text);
}

void fix_targets_read(struct fix_targets *w, struct cli *cli, const struct session *s)
{
	const struct fix_scene scene = fix_targets_scene(s);
	char title[200];

	if (!cli->n_args)
		want_all(w, &scene, s);
	for (int i = 0; i < cli->n_args; i++)
		want_word(w, cli, &scene, s, cli->args[i]);
	if (!cli->one_end)
		want_far_ends(w, &scene);
	if (w->n_fixed == 1 || !w->edits.n)
		return;
	if (w->n_fixed)
		snprintf(title, sizeof(title), "%zu findings and targets, as %.80s requires", w->n_fixed, policy_name(scene.policy));
	else
		snprintf(title, sizeof(title), "everything that differs from %.80s", policy_name(scene.policy));
	name(w, title, "");
}
