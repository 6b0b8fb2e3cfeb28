#include "tui/screens/fixhere.h"

static struct intent say(const char *text)
{
	return (struct intent){ .is = INTENT_SAY, .text = text };
}

static struct intent of_finding(const struct finding *f)
{
	if (!f)
		return say("There is no finding here to be mended.");
	if (!f->is_open)
		return say("This is over: there is nothing to mend.");
	return (struct intent){ .is = INTENT_PLAN, .finding = f };
}

static struct intent of_link(const struct link *link)
{
	if (!link)
		return say("There is no link here to be mended.");
	return (struct intent){ .is = INTENT_PLAN, .port = link->a };
}

/* The finding that the cursor's question stands on; else one that speaks for the first cause. */
static const struct finding *diagnosed(const struct diagnosis *d, const struct table *t)
{
	size_t row;

	if (table_cursor(t, &row) && row < d->n_steps && d->steps[row].asked.finding)
		return d->steps[row].asked.finding;
	for (size_t i = 0; d->n_suspects && i < d->suspects[0].n_notes; i++)
		if (d->suspects[0].notes[i].is == NOTE_FOR && d->suspects[0].notes[i].finding)
			return d->suspects[0].notes[i].finding;
	return NULL;
}

static struct intent of_device(const struct view_of *of, const struct views *v, const struct table *t)
{
	size_t row;

	if (*v->device)
		return (struct intent){ .is = INTENT_PLAN, .device = v->device };
	if (table_cursor(t, &row) && row < model_devices(of->model))
		return (struct intent){ .is = INTENT_PLAN, .device = model_device(of->model, row)->name };
	return say("There is no device under the cursor.");
}

static struct intent of_branch(const struct views *v, const struct table *t)
{
	const struct tree_row *row;
	size_t at;

	if (!table_cursor(t, &at) || at >= v->fabric.n_shown)
		return say("There is no row under the cursor.");
	row = &v->fabric.branches.tree.rows[v->fabric.shown[at]];
	if (row->link)
		return of_link(row->link);
	if (row->device)
		return (struct intent){ .is = INTENT_PLAN, .device = row->device->name };
	return say("That is asked of a link or a device: go to its row.");
}

struct intent fix_here(const struct view_of *of, struct views *v, enum screen_id screen)
{
	const struct table *t = &v->tables[screen];
	const struct fold *row;
	struct table_source list;
	size_t at;

	if (screens_source(screen, of, v, &list))
		table_update(&v->tables[screen], &list);
	switch (screen) {
	case SCREEN_OVERVIEW:
		if (v->overview.pane != PANE_FINDINGS)
			return of_link(overview_link(of, v));
		/* fall through */
	case SCREEN_FINDINGS:
		row = findings_cursor(v, t);
		return of_finding(row ? row->finding : NULL);
	case SCREEN_PORTS:
		return of_link(table_cursor(t, &at) ? views_port(of, v, at)->link : NULL);
	case SCREEN_DETAIL:
		return of_link(views_link(of, v));
	case SCREEN_DIAGNOSE:
		return of_finding(diagnosed(diagnose_now(of, v), t));
	case SCREEN_DEVICES:
		return of_device(of, v, t);
	case SCREEN_FABRIC:
		return of_branch(v, t);
	default:
		return say("There is nothing here to be mended.");
	}
}
