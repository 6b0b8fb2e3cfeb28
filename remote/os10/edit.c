#include "remote/os10/edit.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/os10/editor.h"

#define MTU_MIN		1312
#define MTU_MAX		9216
#define MTU_DEFAULT	1532	/* not printed then */

/* -- taking the edits in -- */

/* Where in a port_edit a field goes. */
static const struct {
	enum field field;
	size_t offset;
	unsigned width;
} field_rows[] = {
	{ FIELD_TRUST,		offsetof(struct port_edit, trust),	1 },
	{ FIELD_DSCP_PRIO,	offsetof(struct port_edit, dscp),	64 },
	{ FIELD_TC_QUEUE,	offsetof(struct port_edit, queue),	8 },
	{ FIELD_PFC_ON,		offsetof(struct port_edit, pfc),	8 },
	{ FIELD_PAUSE_RX,	offsetof(struct port_edit, pause_rx),	1 },
	{ FIELD_PAUSE_TX,	offsetof(struct port_edit, pause_tx),	1 },
	{ FIELD_ETS_ON,		offsetof(struct port_edit, ets_on),	1 },
	{ FIELD_ETS_ALGO,	offsetof(struct port_edit, algo),	8 },
	{ FIELD_ETS_SHARE,	offsetof(struct port_edit, share),	8 },
	{ FIELD_ECN_ON,		offsetof(struct port_edit, ecn),	8 },
	{ FIELD_ECN_KMIN,	offsetof(struct port_edit, kmin),	8 },
	{ FIELD_ECN_KMAX,	offsetof(struct port_edit, kmax),	8 },
	{ FIELD_ECN_PMAX,	offsetof(struct port_edit, pmax),	8 },
	{ FIELD_MTU,		offsetof(struct port_edit, mtu),	1 },
};
#define N_FIELDS (sizeof(field_rows) / sizeof(*field_rows))

static int field_row(enum field f)
{
	for (size_t i = 0; i < N_FIELDS; i++)
		if (field_rows[i].field == f)
			return (int)i;
	return -1;
}

bool os10_can_set(enum field f, bool of_port)
{
	return of_port ? field_row(f) >= 0 : f == FIELD_CONFIG_SAVED;
}

static struct port_edit *need_port(struct editor *e, const char *port)
{
	struct port_edit *p;

	for (size_t i = 0; i < e->n; i++)
		if (!strcmp(e->ports[i].port, port))
			return &e->ports[i];
	p = GROW(e->ports, e->n, e->cap);
	memset(p, 0xff, sizeof(*p));
	p->port = port;
	e->n++;
	return p;
}

static bool take_edit(struct editor *e, const struct edit *edit)
{
	const char *name = field_table[edit->field].name;
	int row = field_row(edit->field);

	if (!edit->port && edit->field == FIELD_CONFIG_SAVED)
		return true;	/* no line says it: saving is what comes after every change */
	if (!edit->port || row < 0)
		return err_set(e->err, "fabcon does not set %s on OS10", name);
	if (!os10_find(e->tree, OS10_PORT, edit->port))
		return err_set(e->err, "%.63s is not in the configuration", edit->port);
	if (edit->want.is != VALUE_KNOWN || edit->index >= field_rows[row].width)
		return err_set(e->err, "%s of %.63s: the required value is not known", name, edit->port);
	((uint64_t *)((char *)need_port(e, edit->port) + field_rows[row].offset))[edit->index] = edit->want.n;
	return true;
}

/* -- what a port says itself -- */

static bool has_pfc(const struct os10_tree *t, const struct os10_part *lines)
{
	const char *mode = os10_bound(t, lines, "priority-flow-control mode");

	return mode && !strcmp(mode, "on");
}

static bool edit_flow(struct editor *e, const struct port_edit *p, struct os10_part *lines)
{
	static const char *const keys[] = { "flowcontrol receive", "flowcontrol transmit" };
	const uint64_t wanted[] = { p->pause_rx, p->pause_tx };

	for (size_t i = 0; i < 2; i++) {
		if (wanted[i] == UNSAID)
			continue;
		if (wanted[i] && has_pfc(e->tree, lines))
			return err_set(e->err, "%s: PFC is on, and OS10 does not allow 802.3x flow control with it", p->port);
		os10_set(e->tree, lines, keys[i], wanted[i] ? "on" : "off");
	}
	return true;
}

/* "default mtu 9216": without a line of its own, a port has that. */
static bool has_default_mtu(const struct os10_tree *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->blocks[i].kind == OS10_OTHER && span_starts(span_of(t->blocks[i].header), "default mtu "))
			return true;
	return false;
}

static bool edit_own_lines(struct editor *e, const struct port_edit *p)
{
	struct os10_part *lines = editor_port_lines(e, p);
	char text[24];

	if (p->ets_on != UNSAID)
		os10_set(e->tree, lines, "ets mode", p->ets_on ? "on" : "off");
	if (p->mtu == MTU_DEFAULT && !has_default_mtu(e->tree))
		os10_unset(lines, "mtu");
	else if (p->mtu != UNSAID) {
		if (p->mtu < MTU_MIN || p->mtu > MTU_MAX)
			return err_set(e->err, "%s: MTU %llu is outside %d to %d", p->port, (unsigned long long)p->mtu, MTU_MIN, MTU_MAX);
		snprintf(text, sizeof(text), "%u", (unsigned)p->mtu);
		os10_set(e->tree, lines, "mtu", text);
	}
	return edit_flow(e, p, lines);
}

/* Objects of ours that were used and are not any more go. t is sorted. */
static void drop_orphans(struct os10_tree *t, const char *const *names, size_t n)
{
	bool *used = os10_used(t);
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++) {
		bool is_orphan = false;

		for (size_t k = 0; k < n && !used[i] && !is_orphan; k++)
			is_orphan = !strcmp(t->blocks[i].header, names[k]);
		if (is_orphan)
			os10_block_done(&t->blocks[i]);
		else
			t->blocks[kept++] = t->blocks[i];
	}
	t->n = kept;
	free(used);
}

/* The headers of our objects that are used. */
static const char **own_in_use(const struct os10_tree *t, size_t *n)
{
	const char **names = xcalloc(t->n + 1, sizeof(*names));
	bool *used = os10_used(t);

	*n = 0;
	for (size_t i = 0; i < t->n; i++)
		if (used[i] && os10_is_own(&t->blocks[i]))
			names[(*n)++] = t->blocks[i].header;
	free(used);
	return names;
}

bool os10_edit_tree(struct os10_tree *t, const struct edit *edits, size_t n, struct err *err)
{
	struct editor e = { .tree = t, .err = err };
	bool is_done = true;
	size_t n_own;
	const char **own = own_in_use(t, &n_own);

	for (size_t i = 0; i < n && is_done; i++)
		is_done = take_edit(&e, &edits[i]);
	is_done = is_done && os10_edit_maps(&e) && os10_edit_pfc(&e) && os10_edit_queuing(&e);
	for (size_t i = 0; i < e.n && is_done; i++)
		is_done = edit_own_lines(&e, &e.ports[i]);
	free(e.ports);
	os10_tree_sort(t);
	drop_orphans(t, own, n_own);
	free(own);
	return is_done;
}
