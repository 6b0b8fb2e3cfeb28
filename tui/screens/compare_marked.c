/* What is marked in a list, as subjects of a comparison. */
#include "tui/screens/screens.h"
#include "tui/views/compare.h"

#define SUBJECTS_MAX 256	/* a page of more says nothing to a person */

static void add_subject(struct comparison *c, const struct compare_with *with, enum screen_id id, const struct view_of *of,
			const struct views *v, size_t row)
{
	if (id == SCREEN_PORTS)
		compare_link(c, with, v->ports.list[row].link);
	else if (id == SCREEN_FINDINGS)
		compare_finding(c, with, v->findings.list[row].finding);
	else
		compare_device(c, with, model_device(of->model, row));
}

struct intent compare_marked(enum screen_id id, const struct view_of *of, struct views *v, const struct table_source *s,
			     struct page *page)
{
	const struct table *t = &v->tables[id];
	struct compare_with with = { of->model, of->policy, of->inventory };
	struct comparison c = { 0 };
	size_t one;
	bool has_cursor = table_cursor(t, &one);

	if (id == SCREEN_DEVICES && *v->device)	/* the rows are one device's probes */
		return (struct intent){ .is = INTENT_SAY, .text = "Probes are not compared; devices are." };
	for (size_t row = 0; row < s->n_rows && c.n < SUBJECTS_MAX; row++) {
		if (!table_is_marked(t, s->key(s->ctx, row)))
			continue;
		add_subject(&c, &with, id, of, v, row);
		one = row;
	}
	if (c.n < 2 && (id != SCREEN_PORTS || (!c.n && !has_cursor))) {
		comparison_done(&c);
		return (struct intent){ .is = INTENT_SAY, .text = "Mark two rows or more with Space, then = compares them." };
	}
	if (!c.n)
		add_subject(&c, &with, id, of, v, one);
	if (c.n < 2)
		compare_policy(&c, &with, v->ports.list[one].link);
	compare_make(&c);
	compare_page(page, &c, views_width(v));
	comparison_done(&c);
	return (struct intent){ .is = INTENT_PAGE };
}
