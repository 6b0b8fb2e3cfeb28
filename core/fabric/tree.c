#include "core/fabric/tree.h"

#include <stdio.h>
#include <stdlib.h>

/* A device in its place: racks in natural order and those without one last, hosts before switches. */
struct seat {
	const struct device *device;
	const char *rack;
	bool is_switch;
};

struct growing {
	struct tree *tree;
	const struct links *links;
	const struct model *model;
	const struct inventory *inv;
	struct seat *seats;
	size_t *first, *next;	/* links by device: the first, and the next after 2 * link + end; SIZE_MAX: no more */
};

const char *link_rail(const struct link *link, const struct inventory *inv)
{
	const struct host *leaf = link->b && inv ? inventory_find(inv, link->b->device->name) : NULL;

	if (!link->b || !device_is_switch(link->b->device, inv))
		return NULL;	/* two hosts back to back are of no rail */
	return leaf && leaf->rail ? leaf->rail : link->b->device->name;
}

const char *link_by_words(enum link_by by)
{
	static const char *const words[] = {
		[BY_NOTHING] = "not joined", [BY_LLDP_BOTH] = "LLDP both ends", [BY_LLDP_ONE] = "LLDP one end",
		[BY_MAC] = "MAC", [BY_FDB] = "FDB", [BY_PLAN] = "plan alone", [BY_SEGMENT] = "same segment",
	};

	return words[by];
}

/* -- rows -- */

static struct tree_row *add_row(struct tree *t, enum tree_is is, unsigned depth)
{
	struct tree_row *row = GROW(t->rows, t->n, t->cap);

	t->n++;
	row->is = is;
	row->depth = depth;
	return row;
}

/* A section that came out empty is none. */
static void end_section(struct tree *t, size_t at)
{
	if (t->n == at + 1)
		t->n = at;
	else
		t->rows[at].end = t->n;
}

static size_t begin_section(struct tree *t, const char *title)
{
	add_row(t, TREE_SECTION, 0)->title = title;
	return t->n - 1;
}

static void add_swaps(struct growing *g)
{
	size_t at = begin_section(g->tree, "Likely swaps");

	for (size_t i = 0; i < g->links->n; i++) {
		const struct link *l = &g->links->list[i];
		struct tree_row *row;

		if (!l->swapped || l->swapped < l)
			continue;
		row = add_row(g->tree, TREE_SWAP, 1);
		row->link = l;
		row->port = l->a;
	}
	end_section(g->tree, at);
}

static void add_unseen(struct growing *g)
{
	size_t at = begin_section(g->tree, "Planned, not seen");

	for (size_t i = 0; i < g->links->n_planned; i++)
		if (g->links->planned[i].is == PLANNED_UNSEEN)
			add_row(g->tree, TREE_CABLE, 1)->cable = &g->links->planned[i];
	end_section(g->tree, at);
}

static void add_link(struct growing *g, const struct link *l, const struct port *from, unsigned depth)
{
	struct tree_row *row = add_row(g->tree, TREE_LINK, depth);

	row->link = l;
	row->port = from;
	row->device = from->device;
}

static void add_strangers(struct growing *g)
{
	size_t at = begin_section(g->tree, "Unknown neighbors");

	for (size_t i = 0; i < g->links->n; i++)
		if (!link_other(&g->links->list[i], g->links->list[i].a) && g->links->list[i].by != BY_PLAN)
			add_link(g, &g->links->list[i], g->links->list[i].a, 1);
	end_section(g->tree, at);
}

/* -- devices -- */

static int seat_cmp(const void *left, const void *right)
{
	const struct seat *a = left, *b = right;
	int order;

	if (!a->rack != !b->rack)
		return a->rack ? -1 : 1;
	order = a->rack ? natural_cmp(a->rack, b->rack) : 0;
	if (order)
		return order;
	if (a->is_switch != b->is_switch)
		return a->is_switch ? 1 : -1;
	return natural_cmp(a->device->name, b->device->name);
}

static void take_seats(struct growing *g)
{
	size_t n = model_devices(g->model);

	for (size_t i = 0; i < n; i++) {
		const struct device *d = model_device(g->model, i);
		const struct host *h = g->inv ? inventory_find(g->inv, d->name) : NULL;

		g->seats[i] = (struct seat){ d, h ? h->rack : NULL, device_is_switch(d, g->inv) };
	}
	qsort(g->seats, n, sizeof(*g->seats), seat_cmp);
}

/* Which links a device has, without looking through all of them for each. */
static void index_links(struct growing *g)
{
	for (size_t i = 0; i < model_devices(g->model); i++)
		g->first[i] = SIZE_MAX;
	for (size_t i = g->links->n; i > 0; i--) {
		const struct link *l = &g->links->list[i - 1];
		const struct port *ends[] = { l->a, link_other(l, l->a) };

		for (size_t end = 0; end < 2; end++) {
			if (!ends[end])
				continue;
			g->next[2 * (i - 1) + end] = g->first[ends[end]->device->id];
			g->first[ends[end]->device->id] = 2 * (i - 1) + end;
		}
		if (l->b && !device_is_switch(l->a->device, g->inv))
			g->tree->n_hosts[l->b->device->id]++;
	}
}

/* A host's links to switches stand at the host; those between hosts, and between switches, at both. */
static void add_device(struct growing *g, const struct seat *seat)
{
	size_t at = g->tree->n;

	add_row(g->tree, TREE_DEVICE, 1)->device = seat->device;
	for (size_t i = g->first[seat->device->id]; i != SIZE_MAX; i = g->next[i]) {
		const struct link *l = &g->links->list[i / 2];
		const struct port *here = i % 2 ? link_other(l, l->a) : l->a;

		if (i % 2 && device_is_switch(here->device, g->inv) && !device_is_switch(l->a->device, g->inv))
			continue;
		add_link(g, l, here, 2);
	}
	g->tree->rows[at].end = g->tree->n;
}

static bool same_rack(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static void add_racks(struct growing *g)
{
	size_t n = model_devices(g->model);

	for (size_t i = 0; i < n;) {
		const char *rack = g->seats[i].rack;
		size_t at = g->tree->n;

		add_row(g->tree, TREE_RACK, 0)->title = rack ? arena_text(&g->tree->arena, rack, strlen(rack)) : "in no rack";
		for (; i < n && same_rack(g->seats[i].rack, rack); i++)
			add_device(g, &g->seats[i]);
		g->tree->rows[at].end = g->tree->n;
	}
}

/* -- what a leaf reaches -- */

#define UPS_MAX 32

struct up {
	const struct device *spine;
	unsigned links;
};

static size_t count_ups(const struct growing *g, const struct device *leaf, struct up ups[UPS_MAX])
{
	size_t n = 0;

	for (size_t i = g->first[leaf->id]; i != SIZE_MAX; i = g->next[i]) {
		const struct link *l = &g->links->list[i / 2];
		const struct port *far = i % 2 ? l->a : l->b;
		size_t k = 0;

		if (!far || g->tree->n_hosts[far->device->id] || !device_is_switch(far->device, g->inv))
			continue;
		while (k < n && ups[k].spine != far->device)
			k++;
		if (k == n && n < UPS_MAX)
			ups[n++] = (struct up){ far->device, 0 };
		if (k < UPS_MAX)
			ups[k].links++;
	}
	return n;
}

static void find_ups(struct growing *g)
{
	for (size_t i = 0; i < model_devices(g->model); i++) {
		struct up ups[UPS_MAX];
		struct buf text = { 0 };
		size_t n = g->tree->n_hosts[i] ? count_ups(g, model_device(g->model, i), ups) : 0;

		for (size_t k = 0; k < n; k++) {
			buf_printf(&text, "%s%s", k ? ", " : "", ups[k].spine->name);
			if (ups[k].links > 1)
				buf_printf(&text, " x%u", ups[k].links);
		}
		if (n)
			g->tree->ups[i] = arena_text(&g->tree->arena, text.text, text.n);
		buf_done(&text);
	}
}

static void find_plans(struct growing *g)
{
	for (size_t i = 0; i < g->links->n_planned; i++) {
		const struct planned *c = &g->links->planned[i];
		const struct port *ends[] = { c->a, c->b };

		for (size_t end = 0; end < 2; end++) {
			const struct link *l = ends[end] ? links_of_port(g->links, ends[end]) : NULL;

			if (l)
				g->tree->plans[l - g->links->list] = c;
		}
	}
}

bool tree_update(struct tree *t, const struct links *links, const struct model *m, const struct inventory *inv)
{
	size_t n = model_devices(m);
	struct growing g = { .tree = t, .links = links, .model = m, .inv = inv };

	if (t->links == links && t->serial == links->serial && t->model == m && t->n_devices == n)
		return false;
	tree_done(t);
	t->links = links;
	t->serial = links->serial;
	t->model = m;
	t->n_devices = n;
	t->n_hosts = xcalloc(n + 1, sizeof(*t->n_hosts));
	t->ups = xcalloc(n + 1, sizeof(*t->ups));
	t->plans = xcalloc(links->n + 1, sizeof(*t->plans));
	g.seats = xcalloc(n + 1, sizeof(*g.seats));
	g.first = xcalloc(n + 1, sizeof(*g.first));
	g.next = xcalloc(2 * links->n + 1, sizeof(*g.next));
	take_seats(&g);
	index_links(&g);
	find_ups(&g);
	find_plans(&g);
	add_swaps(&g);
	add_unseen(&g);
	add_strangers(&g);
	add_racks(&g);
	free(g.seats);
	free(g.first);
	free(g.next);
	for (size_t i = 0; i < t->n; i++)
		if (!t->rows[i].end)
			t->rows[i].end = i + 1;
	return true;
}

void tree_done(struct tree *t)
{
	free(t->rows);
	free(t->n_hosts);
	free(t->ups);
	free(t->plans);
	arena_done(&t->arena);
	*t = (struct tree){ 0 };
}
