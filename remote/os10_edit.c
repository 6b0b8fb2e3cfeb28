#include "remote/os10_edit.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/os10_differ.h"
#include "remote/os10_objects.h"

#define KB		1000	/* OS10 counts WRED thresholds in KB */
#define WRED_KB_MAX	12480
#define MTU_MIN		1312
#define MTU_MAX		9216
#define MTU_DEFAULT	1532	/* not printed then */
#define UNSAID		UINT64_MAX

#define TRUST_KEY	"trust-map dscp"
#define QUEUES_KEY	"qos-map traffic-class"
#define PFC_KEY		"service-policy input type network-qos"
#define QUEUING_KEY	"service-policy output type queuing"

/* What is wanted of one port; UNSAID: nothing. */
struct port_edit {
	const char *port;
	uint64_t trust, dscp[64], queue[8], pfc[8], pause_rx, pause_tx, ets_on, algo[8], share[8];
	uint64_t ecn[8], kmin[8], kmax[8], pmax[8], mtu;
};

struct editor {
	struct os10_tree *tree;
	struct port_edit *ports;
	size_t n, cap;
	struct err *err;
};

/* ---- taking the edits in ---- */

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
		return err_set(e->err, "%s is not set on OS10 from here", name);
	if (!os10_find(e->tree, OS10_PORT, edit->port))
		return err_set(e->err, "%.63s is not in the configuration", edit->port);
	if (edit->want.is != VALUE_KNOWN || edit->index >= field_rows[row].width)
		return err_set(e->err, "%s of %.63s: what is wanted is not known", name, edit->port);
	((uint64_t *)((char *)need_port(e, edit->port) + field_rows[row].offset))[edit->index] = edit->want.n;
	return true;
}

static bool any_said(const uint64_t *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] != UNSAID)
			return true;
	return false;
}

static struct os10_part *port_lines(struct editor *e, const struct port_edit *p)
{
	return &os10_find(e->tree, OS10_PORT, p->port)->parts[0];
}

/* One want for each port, to be filled in by what the kind of object says. */
static struct os10_want *wants_new(struct editor *e)
{
	struct os10_want *list = xcalloc(e->n + 1, sizeof(*list));

	for (size_t i = 0; i < e->n; i++)
		list[i].port = e->ports[i].port;
	return list;
}

static void wants_free(struct editor *e, struct os10_want *list)
{
	for (size_t i = 0; i < e->n; i++)
		os10_want_done(&list[i]);
	free(list);
}

/* From what the port is bound to, or from what all others share. */
static void want_begin(struct editor *e, struct os10_want *w, enum os10_kind kind, const char *key, const char *bound)
{
	const char *name = bound ? bound : os10_common(e->tree, key);

	os10_want_init(e->tree, w, kind, name);
	w->is_wanted = true;
	if (!bound)
		w->old = NULL;
}

/* ---- maps: DSCP to qos-group, qos-group to queue ---- */

struct map {
	uint64_t of[8];			/* what goes to each group or queue */
};

/* Lists of multicast are left as they are. */
static bool is_unicast(struct span tail)
{
	return !span_find(tail, "mcast");
}

static void map_read(const struct os10_part *lines, struct map *m)
{
	*m = (struct map){ { 0 } };
	for (size_t i = 0; i < lines->n; i++) {
		struct span head, tail, number;
		uint64_t to, bits;

		if (!os10_list_line(lines->lines[i], &head, &bits, &tail) || !is_unicast(tail))
			continue;
		span_word(&head, &number);
		if (span_word(&head, &number) && span_u64(number, &to) && to < 8)
			m->of[to] |= bits;
	}
}

static void map_move(struct map *m, unsigned what, unsigned to)
{
	for (unsigned i = 0; i < 8; i++)
		m->of[i] &= ~(UINT64_C(1) << what);
	m->of[to] |= UINT64_C(1) << what;
}

/* Takes the unicast line of one number out, and tells how it ended: "type ucast" is said by some. */
static bool drop_map_line(struct os10_part *lines, unsigned to, char tail_text[32])
{
	bool is_found = false;
	size_t kept = 0;

	for (size_t i = 0; i < lines->n; i++) {
		struct span head, tail, word, number;
		uint64_t n = UNSAID, bits;
		bool is_it = os10_list_line(lines->lines[i], &head, &bits, &tail) && is_unicast(tail);

		if (is_it && span_word(&head, &word) && span_word(&head, &number) && span_u64(number, &n) && n == to) {
			snprintf(tail_text, 32, "%.*s", (int)tail.n, tail.p);
			is_found = true;
		} else {
			lines->lines[kept++] = lines->lines[i];
		}
	}
	lines->n = kept;
	return is_found;
}

/* Writes the lists that have changed; the others keep their words. form: "qos-group %u dscp ". */
static void map_write(struct os10_tree *t, struct os10_part *lines, const struct map *was, const struct map *now,
		      const char *form)
{
	for (unsigned i = 0; i < 8; i++) {
		struct buf line = { 0 };
		char tail[32] = "";

		if (was->of[i] == now->of[i])
			continue;
		drop_map_line(lines, i, tail);
		if (!now->of[i])
			continue;
		buf_printf(&line, form, i);
		os10_list_print(now->of[i], &line);
		buf_str(&line, tail);
		*GROW(lines->lines, lines->n, lines->cap) = arena_text(&t->arena, line.text, line.n);
		lines->n++;
		buf_done(&line);
	}
}

static bool edit_trust(struct editor *e, struct port_edit *p, struct os10_want *w)
{
	struct os10_part *lines = port_lines(e, p);
	const char *bound = os10_bound(e->tree, lines, TRUST_KEY);
	struct map was, now;

	if (p->trust == TRUST_NONE && bound && !os10_value(lines, TRUST_KEY))
		return err_set(e->err, "%s trusts DSCP by \"system qos\", which is not changed from here", p->port);
	if (p->trust != UNSAID && p->trust != TRUST_DSCP && p->trust != TRUST_NONE)
		return err_set(e->err, "%s: trust is set to dscp or none from here, nothing else", p->port);
	if (p->trust == TRUST_NONE) {
		os10_unset(lines, TRUST_KEY);
		return true;
	}
	if (p->trust == TRUST_DSCP)
		os10_unset(lines, "trust-map dot1p");
	want_begin(e, w, OS10_TRUST, TRUST_KEY, bound);
	map_read(&w->content.parts[0], &was);
	now = was;
	if (!w->content.parts[0].n)
		now.of[0] = UINT64_MAX;	/* what is not trusted is qos-group 0 */
	for (unsigned i = 0; i < 64; i++)
		if (p->dscp[i] < 8)
			map_move(&now, i, (unsigned)p->dscp[i]);
		else if (p->dscp[i] != UNSAID)
			return err_set(e->err, "%s: DSCP %u to qos-group %llu, of 0 to 7", p->port, i, (unsigned long long)p->dscp[i]);
	map_write(e->tree, &w->content.parts[0], &was, &now, "qos-group %u dscp ");
	return true;
}

static bool edit_queues(struct editor *e, struct port_edit *p, struct os10_want *w)
{
	const char *bound = os10_bound(e->tree, port_lines(e, p), QUEUES_KEY);
	struct map was, now;

	want_begin(e, w, OS10_QUEUE_MAP, QUEUES_KEY, bound);
	if (!w->content.parts[0].n)
		return err_set(e->err, "%s has no qos-map traffic-class, and the default map is not printed", p->port);
	map_read(&w->content.parts[0], &was);
	now = was;
	for (unsigned i = 0; i < 8; i++)
		if (p->queue[i] < 8)
			map_move(&now, i, (unsigned)p->queue[i]);
		else if (p->queue[i] != UNSAID)
			return err_set(e->err, "%s: queue %llu, of 0 to 7", p->port, (unsigned long long)p->queue[i]);
	map_write(e->tree, &w->content.parts[0], &was, &now, "queue %u qos-group ");
	return true;
}

static bool edit_maps(struct editor *e)
{
	struct os10_want *trust = wants_new(e), *queues = wants_new(e);
	bool is_done = true;

	for (size_t i = 0; i < e->n && is_done; i++) {
		struct port_edit *p = &e->ports[i];

		if (p->trust != UNSAID || any_said(p->dscp, 64))
			is_done = edit_trust(e, p, &trust[i]);
		if (is_done && any_said(p->queue, 8))
			is_done = edit_queues(e, p, &queues[i]);
	}
	if (is_done) {
		os10_bind_all(e->tree, OS10_TRUST, TRUST_KEY, trust, e->n);
		os10_bind_all(e->tree, OS10_QUEUE_MAP, QUEUES_KEY, queues, e->n);
	}
	wants_free(e, trust);
	wants_free(e, queues);
	return is_done;
}

/* ---- PFC ---- */

/* What a class pauses: the number of each qos-group that it matches and lists. */
static uint64_t class_pauses(const struct os10_tree *t, const struct os10_part *class)
{
	const char *cos = os10_value(class, "pfc-cos");
	uint64_t bits;

	if (!os10_value(class, "pause") || !cos || !os10_list_bits(span_of(cos), 8, &bits))
		return 0;
	return bits & os10_class_matches(t, OS10_CLASS_GROUP, class);
}

static uint64_t policy_pauses(const struct os10_tree *t, const struct os10_block *policy)
{
	uint64_t paused = 0;

	for (size_t i = 1; i < policy->n; i++)
		paused |= class_pauses(t, &policy->parts[i]);
	return paused;
}

static void drop_part(struct os10_block *b, size_t at)
{
	free(b->parts[at].lines);
	memmove(&b->parts[at], &b->parts[at + 1], (--b->n - at) * sizeof(*b->parts));
}

/* Takes out of the policy what pauses more than is wanted; a class for several priorities is somebody's own design. */
static bool pause_less(struct editor *e, const char *port, struct os10_block *policy, uint64_t wanted)
{
	for (size_t i = policy->n; i-- > 1;) {
		uint64_t paused = class_pauses(e->tree, &policy->parts[i]);

		if (!(paused & ~wanted))
			continue;
		if (paused & wanted)
			return err_set(e->err, "%s: \"%.63s\" pauses several priorities in one class", port, policy->parts[i].header);
		drop_part(policy, i);
	}
	return true;
}

static struct os10_part *need_class(struct editor *e, struct os10_block *policy, enum os10_kind kind, unsigned number)
{
	char header[128];

	for (size_t i = 1; i < policy->n; i++)
		if (os10_class_matches(e->tree, kind, &policy->parts[i]) == UINT64_C(1) << number)
			return &policy->parts[i];
	snprintf(header, sizeof(header), "class %.100s", os10_class_for(e->tree, kind, number));
	return os10_add_part(e->tree, policy, header);
}

static void pause_more(struct editor *e, struct os10_block *policy, uint64_t wanted)
{
	for (unsigned i = 0; i < 8; i++) {
		struct os10_part *class;
		char number[4];

		if (!(wanted & ~policy_pauses(e->tree, policy) & UINT64_C(1) << i))
			continue;
		class = need_class(e, policy, OS10_CLASS_GROUP, i);
		snprintf(number, sizeof(number), "%u", i);
		if (!os10_value(class, "pause"))
			os10_set(e->tree, class, "pause", "");
		os10_set(e->tree, class, "pfc-cos", number);
	}
}

static bool edit_port_pfc(struct editor *e, struct port_edit *p, struct os10_want *w)
{
	struct os10_part *lines = port_lines(e, p);
	const char *bound = os10_bound(e->tree, lines, PFC_KEY);
	const char *mode = os10_bound(e->tree, lines, "priority-flow-control mode");
	const struct os10_block *policy = os10_find(e->tree, OS10_POLICY_GROUP, bound);
	uint64_t now = policy && mode && !strcmp(mode, "on") ? policy_pauses(e->tree, policy) : 0, wanted = now;

	if (bound && !policy)
		return err_set(e->err, "%s: its network-qos policy is not in the configuration", p->port);
	for (unsigned i = 0; i < 8; i++)
		if (p->pfc[i] != UNSAID)
			wanted = p->pfc[i] ? wanted | UINT64_C(1) << i : wanted & ~(UINT64_C(1) << i);
	if (wanted == now)
		return true;
	if (!wanted) {
		os10_set(e->tree, lines, "priority-flow-control mode", "off");
		return true;
	}
	want_begin(e, w, OS10_POLICY_GROUP, PFC_KEY, bound);
	if (!pause_less(e, p->port, &w->content, wanted))
		return false;
	pause_more(e, &w->content, wanted);
	lines = port_lines(e, p);	/* class-maps were made */
	os10_set(e->tree, lines, "priority-flow-control mode", "on");
	os10_set(e->tree, lines, "flowcontrol receive", "off");		/* the two exclude each other */
	os10_set(e->tree, lines, "flowcontrol transmit", "off");
	return true;
}

static bool edit_pfc(struct editor *e)
{
	struct os10_want *list = wants_new(e);
	bool is_done = true;

	for (size_t i = 0; i < e->n && is_done; i++)
		if (any_said(e->ports[i].pfc, 8))
			is_done = edit_port_pfc(e, &e->ports[i], &list[i]);
	if (is_done)
		os10_bind_all(e->tree, OS10_POLICY_GROUP, PFC_KEY, list, e->n);
	wants_free(e, list);
	return is_done;
}

/* ---- queues: shares and marking ---- */

struct wred {
	struct os10_want want;		/* port: lent by the editor */
	unsigned queue;
};

static bool share_class(struct editor *e, const struct port_edit *p, unsigned queue, struct os10_part *class)
{
	uint64_t share = p->share[queue], algo = p->algo[queue];
	char text[24];

	if (algo == ETS_VENDOR || (share != UNSAID && (share < 1 || share > 100)))
		return err_set(e->err, "%s: queue %u is scheduled strictly or by a share of 1 to 100 %%", p->port, queue);
	if (algo == ETS_STRICT) {
		os10_unset(class, "bandwidth percent");
		os10_set(e->tree, class, "priority", "");
		return true;
	}
	if (share != UNSAID) {
		snprintf(text, sizeof(text), "%u", (unsigned)share);
		os10_set(e->tree, class, "bandwidth percent", text);
	}
	if (algo == ETS_ETS || share != UNSAID)
		os10_unset(class, "priority");
	return true;
}

static bool shares_fit(struct editor *e, const struct port_edit *p, const struct os10_block *policy)
{
	unsigned sum = 0;

	for (size_t i = 1; i < policy->n; i++) {
		const char *percent = os10_value(&policy->parts[i], "bandwidth percent");

		sum += percent ? (unsigned)strtoul(percent, NULL, 10) : 0;
	}
	return sum == 100 || err_set(e->err, "%s: its shares would be %u %% in all, and OS10 wants 100", p->port, sum);
}

static bool kb_of(struct editor *e, const char *port, uint64_t bytes, uint64_t *kb)
{
	if (bytes % KB || bytes / KB < 1 || bytes / KB > WRED_KB_MAX)
		return err_set(e->err, "%s: a threshold of %llu bytes, of 1 to %d KB", port, (unsigned long long)bytes, WRED_KB_MAX);
	*kb = bytes / KB;
	return true;
}

/* The green line with what is wanted put in its place. */
static bool green_line(struct editor *e, const struct port_edit *p, unsigned queue, struct os10_part *profile)
{
	const char *green = os10_value(profile, "random-detect color green");
	unsigned long long min = 0, max = 0, drop = 0;
	uint64_t kmin, kmax, pmax;
	bool is_known = green && sscanf(green, "minimum-threshold %llu maximum-threshold %llu drop-probability %llu", &min, &max,
					&drop) == 3;
	char text[160];

	if (!is_known && (p->kmin[queue] == UNSAID || p->kmax[queue] == UNSAID || p->pmax[queue] == UNSAID))
		return err_set(e->err, "%s: queue %u has no thresholds to mark by, and the plan does not say all of them", p->port, queue);
	kmin = min, kmax = max, pmax = p->pmax[queue] == UNSAID ? drop : p->pmax[queue];
	if (p->kmin[queue] != UNSAID && !kb_of(e, p->port, p->kmin[queue], &kmin))
		return false;
	if (p->kmax[queue] != UNSAID && !kb_of(e, p->port, p->kmax[queue], &kmax))
		return false;
	if (kmin > kmax || pmax > 100)
		return err_set(e->err, "%s: queue %u would be marked from %llu to %llu KB at %llu %%", p->port, queue,
			       (unsigned long long)kmin, (unsigned long long)kmax, (unsigned long long)pmax);
	snprintf(text, sizeof(text), "minimum-threshold %llu maximum-threshold %llu drop-probability %llu",
		 (unsigned long long)kmin, (unsigned long long)kmax, (unsigned long long)pmax);
	os10_set(e->tree, profile, "random-detect color green", text);
	return true;
}

static bool marks_said(const struct port_edit *p, unsigned i)
{
	return p->ecn[i] != UNSAID || p->kmin[i] != UNSAID || p->kmax[i] != UNSAID || p->pmax[i] != UNSAID;
}

static const struct os10_part *class_of_queue(const struct os10_tree *t, const struct os10_block *policy, unsigned queue)
{
	for (size_t i = 1; policy && i < policy->n; i++)
		if (os10_class_matches(t, OS10_CLASS_QUEUE, &policy->parts[i]) >> queue & 1)
			return &policy->parts[i];
	return NULL;
}

static const struct os10_block *queuing_of(const struct os10_tree *t, const char *port)
{
	const char *bound = os10_bound(t, &os10_find(t, OS10_PORT, port)->parts[0], QUEUING_KEY);

	return os10_find(t, OS10_POLICY_QUEUE, bound ? bound : os10_common(t, QUEUING_KEY));
}

/* The profile that a queue has at all the other ports, where they agree. */
static const char *common_profile(const struct os10_tree *t, unsigned queue)
{
	const char *common = NULL;

	for (size_t i = 0; i < t->n; i++) {
		const struct os10_part *class = t->blocks[i].kind != OS10_PORT ? NULL :
						class_of_queue(t, queuing_of(t, t->blocks[i].name), queue);
		const char *profile = class ? os10_value(class, "random-detect") : NULL;

		if (profile && common && strcmp(profile, common))
			return NULL;
		if (profile)
			common = profile;
	}
	return common;
}

/* What the queue's profile is to say. */
static bool edit_profile(struct editor *e, const struct port_edit *p, unsigned queue, struct os10_want *w)
{
	const struct os10_part *class = class_of_queue(e->tree, queuing_of(e->tree, p->port), queue);
	const char *bound = class ? os10_value(class, "random-detect") : NULL;

	os10_want_init(e->tree, w, OS10_WRED, bound ? bound : common_profile(e->tree, queue));
	w->port = p->port;
	w->is_wanted = true;
	if (!bound)
		w->old = NULL;
	if (!green_line(e, p, queue, &w->content.parts[0]))
		return false;
	os10_set(e->tree, &w->content.parts[0], "random-detect ecn", "");
	return true;
}

/* Whether every class of every port that uses the profile is to have what w wants. */
static bool profile_users_agree(const struct os10_tree *t, const struct wred *list, size_t n, const struct wred *w)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct os10_part *own = &t->blocks[i].parts[0];
		bool is_port = t->blocks[i].kind == OS10_PORT;
		const char *bound = is_port ? os10_bound(t, own, QUEUING_KEY) :
				    t->blocks[i].kind == OS10_OTHER_PORT ? os10_value(own, QUEUING_KEY) : NULL;
		const struct os10_block *policy = os10_find(t, OS10_POLICY_QUEUE, bound);

		for (unsigned queue = 0; policy && queue < 8; queue++) {
			const struct os10_part *class = class_of_queue(t, policy, queue);
			const char *profile = class ? os10_value(class, "random-detect") : NULL;
			bool agrees = false;

			if (!profile || strcmp(profile, w->want.old))
				continue;
			for (size_t k = 0; is_port && k < n && !agrees; k++)
				agrees = !strcmp(list[k].want.port, t->blocks[i].name) && list[k].queue == queue &&
					 os10_same_content(&list[k].want.content, &w->want.content);
			if (!agrees)
				return false;
		}
	}
	return true;
}

/* The profile of one queue by the rules of the header, as os10_bind_all() does for what ports are bound to. */
static const char *profile_for(struct editor *e, const struct wred *list, size_t n, const struct wred *w)
{
	struct os10_block *old = os10_find(e->tree, OS10_WRED, w->want.old), after = w->want.content;
	const char *same = os10_same_object(e->tree, &w->want.content);

	if (old && os10_same_content(old, &w->want.content))
		return old->name;
	if (same)
		return same;
	if (old)
		after.header = old->header;
	if (!old || !os10_can_change(old, &after) || !profile_users_agree(e->tree, list, n, w))
		return os10_own_object(e->tree, &w->want.content);
	os10_take_content(old, &w->want.content);
	return old->name;
}

static bool edit_port_queuing(struct editor *e, const struct port_edit *p, const struct wred *wreds, size_t n,
			      struct os10_want *w)
{
	const char *bound = os10_bound(e->tree, port_lines(e, p), QUEUING_KEY);

	want_begin(e, w, OS10_POLICY_QUEUE, QUEUING_KEY, bound);
	if (bound && !w->old)
		return err_set(e->err, "%s: its queuing policy is not in the configuration", p->port);
	for (unsigned i = 0; i < 8; i++) {
		struct os10_part *class;
		const struct os10_part *now = class_of_queue(e->tree, &w->content, i);

		if (p->algo[i] == UNSAID && p->share[i] == UNSAID && !marks_said(p, i))
			continue;
		if (!now && p->algo[i] == UNSAID && p->share[i] == UNSAID)
			return err_set(e->err, "%s: queue %u has no class, and no share of it is wanted", p->port, i);
		if (now && os10_class_matches(e->tree, OS10_CLASS_QUEUE, now) != UINT64_C(1) << i)
			return err_set(e->err, "%s: queue %u shares its class with others", p->port, i);
		class = need_class(e, &w->content, OS10_CLASS_QUEUE, i);
		if (!share_class(e, p, i, class))
			return false;
		if (p->ecn[i] == 0)	/* a profile without ECN would drop */
			os10_unset(class, "random-detect");
		for (size_t k = 0; k < n; k++)
			if (wreds[k].queue == i && !strcmp(wreds[k].want.port, p->port))
				os10_set(e->tree, class, "random-detect", profile_for(e, wreds, n, &wreds[k]));
	}
	return (!any_said(p->share, 8) && !any_said(p->algo, 8)) || shares_fit(e, p, &w->content);
}

static bool edit_queuing(struct editor *e)
{
	struct os10_want *list = wants_new(e);
	struct wred *wreds = xcalloc(e->n * 8 + 1, sizeof(*wreds));
	bool is_done = true;
	size_t n = 0;

	for (size_t i = 0; i < e->n * 8 && is_done; i++) {
		const struct port_edit *p = &e->ports[i / 8];

		if (!marks_said(p, i % 8) || p->ecn[i % 8] == 0)
			continue;
		wreds[n].queue = i % 8;
		is_done = edit_profile(e, p, i % 8, &wreds[n++].want);
	}
	for (size_t i = 0; i < e->n && is_done; i++) {
		const struct port_edit *p = &e->ports[i];
		bool marks = false;

		for (unsigned k = 0; k < 8; k++)
			marks |= marks_said(p, k);
		if (marks || any_said(p->share, 8) || any_said(p->algo, 8))
			is_done = edit_port_queuing(e, p, wreds, n, &list[i]);
	}
	if (is_done)
		os10_bind_all(e->tree, OS10_POLICY_QUEUE, QUEUING_KEY, list, e->n);
	for (size_t i = 0; i < n; i++)
		os10_want_done(&wreds[i].want);
	free(wreds);
	wants_free(e, list);
	return is_done;
}

/* ---- what a port says itself ---- */

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
			return err_set(e->err, "%s: PFC is on, and OS10 takes no 802.3x flow control beside it", p->port);
		os10_set(e->tree, lines, keys[i], wanted[i] ? "on" : "off");
	}
	return true;
}

static bool edit_own_lines(struct editor *e, const struct port_edit *p)
{
	struct os10_part *lines = port_lines(e, p);
	char text[24];

	if (p->ets_on != UNSAID)
		os10_set(e->tree, lines, "ets mode", p->ets_on ? "on" : "off");
	if (p->mtu == MTU_DEFAULT)
		os10_unset(lines, "mtu");
	else if (p->mtu != UNSAID) {
		if (p->mtu < MTU_MIN || p->mtu > MTU_MAX)
			return err_set(e->err, "%s: an MTU of %llu, of %d to %d", p->port, (unsigned long long)p->mtu, MTU_MIN, MTU_MAX);
		snprintf(text, sizeof(text), "%u", (unsigned)p->mtu);
		os10_set(e->tree, lines, "mtu", text);
	}
	return edit_flow(e, p, lines);
}

bool os10_edit_tree(struct os10_tree *t, const struct edit *edits, size_t n, struct err *err)
{
	struct editor e = { .tree = t, .err = err };
	bool is_done = true;

	for (size_t i = 0; i < n && is_done; i++)
		is_done = take_edit(&e, &edits[i]);
	is_done = is_done && edit_maps(&e) && edit_pfc(&e) && edit_queuing(&e);
	for (size_t i = 0; i < e.n && is_done; i++)
		is_done = edit_own_lines(&e, &e.ports[i]);
	free(e.ports);
	os10_tree_sort(t);
	return is_done;
}
