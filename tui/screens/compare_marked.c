/* What is marked in a list, as subjects of a comparison. */
#include "tui/screens/screens.h"
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

static bool is_alike(const struct subject *a, const struct subject *b)
{
	return a->finding || b->finding ? a->finding && b->finding : (a->link != NULL) == (b->link != NULL);
}

/* The marked rows of a list. False: they are of two kinds, links and devices say. */
static bool add_marked(struct comparison *c, const struct compare_with *with, const struct screen *screen, const struct table *t,
		       const struct table_source *list, const struct view_of *of, struct views *v)
{
	struct subject first = { .device = NULL };

	for (size_t place = 0; place < t->n && c->n < SUBJECTS_MAX; place++) {	/* of those that a filter leaves */
		size_t row = t->order[place];
		struct subject s;

		if (!table_is_marked(t, list->key(list->ctx, row)))
			continue;
		s = screen->subject(of, v, row);
		if (s.none)
			continue;
		first = first.device ? first : s;
		if (!is_alike(&first, &s))
			return false;
		add_subject(c, with, &s);
	}
	return true;
}

static struct intent alone(const struct subject *at, bool can_mark)
{
	static char words[240];
	struct buf name = { 0 };

	subject_name(at, &name);
	snprintf(words, sizeof(words), can_mark ? "%.80s alone: {mark} marks rows, then {compare} compares them; a link alone, with "
						  "the policy." :
		 "%.80s alone cannot be compared: mark links, devices or findings on {ports}, {devices} or {findings}, then {compare}.",
		 name.n ? name.text : "A row");
	buf_done(&name);
	return (struct intent){ .is = INTENT_SAY, .text = at->none ? at->none : words };
}

struct intent compare_marked(enum screen_id id, const struct table *t, const struct table_source *list, const struct view_of *of,
			     struct views *v, struct page *page)
{
	const struct screen *screen = screen_table[id];
	struct compare_with with = { of->model, of->policy, of->inventory };
	struct subject at = screen->subject(of, v, AT_CURSOR);
	struct comparison c = { 0 };
	bool is_many = at.finding && at.places > 1, is_told;

	if (!at.is_part && !at.is_aside && !add_marked(&c, &with, screen, t, list, of, v)) {
		comparison_done(&c);
		return (struct intent){ .is = INTENT_SAY, .text = "Links and devices are both marked: mark one kind, then {compare} "
								  "compares them." };
	}
	if (c.n < 2 && at.link && !is_many) {
		comparison_done(&c);
		c = (struct comparison){ 0 };
		compare_link(&c, &with, at.link);
		compare_policy(&c, &with, at.link);
	}
	is_told = c.n >= 2;
	if (is_told) {
		compare_make(&c);
		compare_page(page, &c, views_width(v));
	}
	comparison_done(&c);
	return is_told ? (struct intent){ .is = INTENT_PAGE } : alone(&at, key_of(DO_MARK, id) && !at.is_part && !at.is_aside);
}
