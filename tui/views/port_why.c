#include "tui/views/port_why.h"

#include "tui/views/explain.h"

static bool is_evidence(const struct finding *f, const struct port *port, enum field field, unsigned index)
{
	for (size_t i = 0; i < f->n_evidence; i++)
		if (f->evidence[i].port == port && f->evidence[i].field == field && f->evidence[i].index == index)
			return true;
	return false;
}

/* A finding on the same page has shown it. */
static bool is_told(const struct view_of *of, const struct portrow *r, const struct port *port, enum field field,
		    unsigned index)
{
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list);

	for (size_t i = 0; i < n; i++)
		if (portrow_has(r->link, list[i]) && is_evidence(list[i], port, field, index))
			return true;
	return false;
}

static void explain_end(struct page *p, const struct view_of *of, const struct portrow *r, enum pair pair,
			const struct port *port, int width)
{
	struct pair_place place;

	if (!port || !pair_place(pair, device_is_switch(port->device, of->inventory), of->policy, &place))
		return;
	if (is_told(of, r, port, place.field, place.index))
		page_add(p, ROLE_IS_MUTED, "  %s %s %s: above", port->device->name, port->name, field_table[place.field].name);
	else
		explain_cell(p, of->model, port->device->name, port->name, place.field, place.index,
			     port_cell(port, place.field, place.index), NULL, width);
}

static void explain_pair(struct page *p, const struct view_of *of, const struct portrow *r, enum pair pair, int width)
{
	const struct pair_cell *c = &r->pairs[pair];
	char sign = pair_sign(c);

	page_add(p, ROLE_IS_TEXT, " ");
	page_add(p, verdict_role(c->worst), "%s: %s at %s, %s at %s: %s", pair_table[pair].title, c->a,
		 r->link->a->device->name, c->b, r->link->b ? r->link->b->device->name : "the far end",
		 sign == '!' ? "wrong" : sign == '?' ? "not known" : "nothing wrong");
	explain_end(p, of, r, pair, r->link->a, width);
	explain_end(p, of, r, pair, r->link->b, width);
}

static size_t explain_findings(struct page *p, const struct view_of *of, const struct portrow *r, int width)
{
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list), told = 0;

	for (size_t i = 0; i < n; i++) {
		if (!portrow_has(r->link, list[i]))
			continue;
		if (told++)
			page_add(p, ROLE_IS_TEXT, " ");
		explain_finding(p, of, list[i], true, width);
	}
	return told;
}

void portwhy_page(struct page *p, const struct view_of *of, const struct link *link, int width)
{
	static const char signs[] = { '!', '?', '=' };
	struct portrow row;

	portrow_make(&row, of->model, of->findings, of->policy, link, device_is_switch(link->a->device, of->inventory),
		     link->b && device_is_switch(link->b->device, of->inventory));
	page_begin(p, "Why: %s", link->name);
	if (!explain_findings(p, of, &row, width))
		page_add(p, ROLE_IS_TEXT, "Every check that could be judged here passed.");
	page_add(p, ROLE_IS_TEXT, " ");
	page_add(p, ROLE_IS_TITLE, "The columns: what each end reports, its source and age");
	if (!link->b)
		page_add(p, ROLE_IS_UNKNOWN, "The far end of this link is not known: LLDP, MAC tables or a cable plan would identify it.");
	for (size_t s = 0; s < sizeof(signs); s++)
		for (unsigned i = 0; i < PAIR_COUNT; i++)
			if (pair_sign(&row.pairs[i]) == signs[s])
				explain_pair(p, of, &row, (enum pair)i, width);
}
