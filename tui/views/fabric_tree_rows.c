#include "tui/views/fabric_tree_rows.h"

#include <stdlib.h>

#include "tui/widgets/table.h"

/* -- what is below -- */

static void find_verdicts(struct fabric_rows *b, const struct links *links, const struct portrow *rows, size_t n)
{
	b->verdicts = xrealloc(b->verdicts, (links->n + 1) * sizeof(*b->verdicts));
	for (size_t i = 0; i < links->n; i++)
		b->verdicts[i] = VERDICT_UNKNOWN;
	for (size_t i = 0; i < n; i++)
		b->verdicts[rows[i].link - links->list] = rows[i].worst;
}

/* Also what is found at a device itself. */
static enum verdict *device_verdicts(const struct model *m, const struct findings *f)
{
	enum verdict *worst = xcalloc(model_devices(m) + 1, sizeof(*worst));
	const struct finding *const *list;
	size_t n = findings_open(f, &list);

	for (size_t i = 0; i < n; i++)
		if (list[i]->device && list[i]->verdict > worst[list[i]->device->id])
			worst[list[i]->device->id] = list[i]->verdict;
	return worst;
}

static void count_row(struct fabric_rows *b, size_t i, const enum verdict *devices)
{
	const struct tree_row *row = &b->tree.rows[i];
	struct fabric_row *own = &b->list[i];

	if (row->is == TREE_DEVICE) {
		own->worst = devices[row->device->id];
		if (row->end == i + 1 && !b->tree.n_hosts[row->device->id] && own->worst < VERDICT_UNKNOWN)
			own->worst = VERDICT_UNKNOWN;
		own->devices = 1;
	} else if (row->is == TREE_CABLE) {
		own->worst = VERDICT_UNKNOWN;
	} else if (row->link) {
		own->worst = b->verdicts[row->link - b->tree.links->list];
		own->links = 1;
		own->bad = own->worst >= VERDICT_WARN;
	}
}

/* A rack's links, each once: of its devices among themselves, and to other racks. */
static void count_cables(struct fabric_rows *b, const struct links *links)
{
	struct fabric_row **racks = xcalloc(model_devices(b->model) + 1, sizeof(*racks));

	for (size_t i = 0, rack = 0; i < b->tree.n; i++) {
		rack = b->tree.rows[i].depth ? rack : i;
		if (b->tree.rows[i].is == TREE_DEVICE)
			racks[b->tree.rows[i].device->id] = &b->list[rack];
	}
	for (size_t i = 0; i < links->n; i++) {
		struct fabric_row *a = racks[links->list[i].a->device->id];
		struct fabric_row *z = links->list[i].b ? racks[links->list[i].b->device->id] : NULL;
		bool is_bad = b->verdicts[i] >= VERDICT_WARN;

		if (a) {
			a->cables++;
			a->bad_cables += is_bad;
		}
		if (z && z != a) {
			z->cables++;
			z->bad_cables += is_bad;
		}
	}
	free(racks);
}

/* From the last row up, so that each is whole when it is added to what it is below. */
static void sum_up(struct fabric_rows *b)
{
	for (size_t i = b->tree.n; i > 0; i--) {
		const struct fabric_row *own = &b->list[i - 1];
		struct fabric_row *up = own->parent != SIZE_MAX ? &b->list[own->parent] : NULL;

		if (!up)
			continue;
		up->worst = own->worst > up->worst ? own->worst : up->worst;
		up->devices += own->devices;
		up->links += own->links;
		up->bad += own->bad;
	}
}

static void name_rows(struct fabric_rows *b)
{
	size_t at[4] = { SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX };
	struct buf name = { 0 };

	for (size_t i = 0; i < b->tree.n; i++) {
		unsigned depth = b->tree.rows[i].depth;

		buf_clear(&name);
		fabric_row_name(b, i, &name);
		b->list[i].parent = depth ? at[depth - 1] : SIZE_MAX;
		b->list[i].key = table_key(name.text) + (depth ? b->list[at[depth - 1]].key * 31 : 0);
		b->list[i].key |= 1;
		at[depth] = i;
	}
	buf_done(&name);
}

void fabric_rows_update(struct fabric_rows *b, const struct links *links, const struct portrow *rows, size_t n,
			const struct model *m, const struct findings *f, const struct inventory *inv)
{
	enum verdict *devices = device_verdicts(m, f);

	b->model = m;
	b->inventory = inv;
	if (tree_update(&b->tree, links, m, inv)) {
		b->list = xrealloc(b->list, (b->tree.n + 1) * sizeof(*b->list));
		memset(b->list, 0, (b->tree.n + 1) * sizeof(*b->list));
		name_rows(b);
	}
	find_verdicts(b, links, rows, n);
	for (size_t i = 0; i < b->tree.n; i++) {
		b->list[i] = (struct fabric_row){ .key = b->list[i].key, .parent = b->list[i].parent };
		count_row(b, i, devices);
	}
	sum_up(b);
	count_cables(b, links);
	free(devices);
}

void fabric_rows_done(struct fabric_rows *b)
{
	tree_done(&b->tree);
	free(b->list);
	free(b->verdicts);
	memset(b, 0, sizeof(*b));
}

/* -- words -- */

static void add_port(struct buf *out, const struct port *p)
{
	buf_printf(out, "%s %s", p->device->name, p->name);
}

void fabric_row_name(const struct fabric_rows *b, size_t i, struct buf *out)
{
	const struct tree_row *row = &b->tree.rows[i];

	switch (row->is) {
	case TREE_SECTION:
	case TREE_RACK:
		buf_str(out, row->title);
		break;
	case TREE_DEVICE:
		buf_str(out, row->device->name);
		break;
	case TREE_LINK:
		if (row->depth == 2)
			buf_str(out, row->port->name);
		else
			add_port(out, row->port);
		break;
	case TREE_SWAP:
		add_port(out, row->link->a);
		break;
	case TREE_CABLE:
		buf_printf(out, "%s %s", row->cable->cable->device, row->cable->cable->port);
		break;
	}
}

static void add_number(struct buf *out, unsigned n, const char *one, const char *many)
{
	buf_printf(out, "%s%u %s", out->n ? ", " : "", n, n == 1 ? one : many);
}

static void add_counts(const struct fabric_row *own, bool with_devices, struct buf *out)
{
	if (with_devices)
		add_number(out, own->devices, "device", "devices");
	add_number(out, with_devices ? own->cables : own->links, "link", "links");
	if (with_devices ? own->bad_cables : own->bad)
		add_number(out, with_devices ? own->bad_cables : own->bad, "bad", "bad");
}

void fabric_row_faces(const struct fabric_rows *b, size_t i, struct buf *out)
{
	const struct tree_row *row = &b->tree.rows[i];
	const struct port *far = row->link ? link_other(row->link, row->port) : NULL;

	switch (row->is) {
	case TREE_SECTION:
		buf_printf(out, "%zu", row->end - i - 1);
		break;
	case TREE_RACK:
		add_counts(&b->list[i], true, out);
		break;
	case TREE_DEVICE:
		if (b->list[i].links)
			add_counts(&b->list[i], false, out);
		if (b->tree.n_hosts[row->device->id])
			buf_printf(out, "%s%u to hosts", out->n ? ", " : "", b->tree.n_hosts[row->device->id]);
		if (!out->n)
			buf_str(out, "no link is known");
		break;
	case TREE_LINK:
		if (far)
			add_port(out, far);
		else if (row->link->seen_peer)
			buf_printf(out, "%s, not read", row->link->seen_peer);
		else
			buf_str(out, "?");
		break;
	case TREE_SWAP:
		add_port(out, row->link->swapped->a);
		break;
	case TREE_CABLE:
		buf_printf(out, "%s %s", row->cable->cable->peer, row->cable->cable->peer_port);
		break;
	}
}

static void add_link_plan(const struct fabric_rows *b, const struct tree_row *row, struct buf *out)
{
	const struct link *l = row->link;
	const struct planned *plan = b->tree.plans[l - b->tree.links->list];

	if (l->swapped)
		buf_printf(out, "swapped with %s %s", l->swapped->a->device->name, l->swapped->a->name);
	else if (l->planned_peer)
		buf_printf(out, "plan has %s", l->planned_peer);
	else if (l->by == BY_PLAN)
		buf_str(out, "planned, not seen");
	else if (b->tree.links->n_planned)
		buf_str(out, plan && plan->is == PLANNED_SEEN ? "as planned" : "not in the plan");
}

static void add_swap(const struct port *a, const struct port *b, struct buf *out)
{
	if (a->device == b->device)
		buf_printf(out, "swap %s and %s of %s", a->name, b->name, a->device->name);
	else
		buf_printf(out, "swap %s %s and %s %s", a->device->name, a->name, b->device->name, b->name);
}

void fabric_row_plan(const struct fabric_rows *b, size_t i, struct buf *out)
{
	const struct tree_row *row = &b->tree.rows[i];

	if (row->is == TREE_LINK)
		add_link_plan(b, row, out);
	else if (row->is == TREE_SWAP)
		add_swap(row->link->b, row->link->swapped->b, out);
	else if (row->is == TREE_CABLE)
		buf_str(out, row->cable->a || row->cable->b ? "planned, not seen" : "planned, neither end known");
}

const char *fabric_row_rail(const struct fabric_rows *b, size_t i)
{
	const struct tree_row *row = &b->tree.rows[i];

	return row->is == TREE_LINK ? link_rail(row->link, b->inventory) : NULL;
}

const char *fabric_row_known_by(const struct fabric_rows *b, size_t i)
{
	return b->tree.rows[i].is == TREE_LINK ? link_by_words(b->tree.rows[i].link->by) : NULL;
}

/* Of a host's link, what its leaf reaches; of a leaf, the same. */
const char *fabric_row_ups(const struct fabric_rows *b, size_t i)
{
	const struct tree_row *row = &b->tree.rows[i];

	if (row->is == TREE_DEVICE)
		return b->tree.ups[row->device->id];
	if (row->is != TREE_LINK || !row->link->b || row->port != row->link->a || b->tree.ups[row->link->a->device->id])
		return NULL;
	return b->tree.ups[row->link->b->device->id];
}

bool fabric_row_speed(const struct fabric_rows *b, size_t i, uint64_t *bps)
{
	const struct tree_row *row = &b->tree.rows[i];

	if (row->is != TREE_LINK)
		return false;
	return port_number(b->model, row->link->a, FIELD_SPEED, 0, bps) ||
	       (row->link->b && port_number(b->model, row->link->b, FIELD_SPEED, 0, bps));
}
