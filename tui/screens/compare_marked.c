/* What is marked in a list, as subjects of a comparison. */
#include "tui/screens/screen.h"
#include "tui/views/compare.h"

#define SUBJECTS_MAX 256	/* a page of more says nothing to a person */

static void add_subject(struct comparison *c, const struct compare_with *with, const struct subject *s)
{
	if (s->finding)
		compare_finding(c, with, s->finding);
	else if (s->link)
		compare_link(c, with, s->link);
	else if (s->device)
		compare_device(c, with, s->device);
}

/* Of a link that stands alone, what the policy wants of it. */
static void add_policy(struct comparison *c, const struct compare_with *with, const struct subject *s)
{
	if (!c->n && s->link && !s->finding)
		add_subject(c, with, s);
	if (c->n == 1 && s->link && !s->finding)
		compare_policy(c, with, s->link);
}

struct intent compare_marked(const struct screen *screen, const struct table *t, const struct table_source *list,
			     const struct view_of *of, struct views *v, struct page *page)
{
	struct compare_with with = { of->model, of->policy, of->inventory };
	struct subject at = screen->subject(of, v, AT_CURSOR);
	struct intent i = { .is = INTENT_PAGE };
	struct comparison c = { 0 };

	if (at.is_part)
		return (struct intent){ .is = INTENT_SAY, .text = "Probes are not compared; devices are." };
	for (size_t row = 0; row < list->n_rows && c.n < SUBJECTS_MAX; row++) {
		if (!table_is_marked(t, list->key(list->ctx, row)))
			continue;
		at = screen->subject(of, v, row);
		add_subject(&c, &with, &at);
	}
	if (c.n < 2)
		add_policy(&c, &with, &at);
	if (c.n < 2)
		i = (struct intent){ .is = INTENT_SAY, .text = "Mark two rows or more with Space, then = compares them." };
	else
		compare_make(&c);
	if (c.n >= 2)
		compare_page(page, &c, views_width(v));
	comparison_done(&c);
	return i;
}
