/* What an OS10 port trusts, and the queues of its qos-groups. */
#include "remote/os10/editor.h"

#include <stdio.h>
#include <stdlib.h>

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
	struct os10_part *lines = editor_port_lines(e, p);
	const char *bound = os10_bound(e->tree, lines, OS10_TRUST_KEY);
	struct map was, now;

	if (p->trust == TRUST_NONE && bound && !os10_value(lines, OS10_TRUST_KEY))
		return err_set(e->err, "%s trusts DSCP through \"system qos\", which fabcon does not change", p->port);
	if (p->trust != UNSAID && p->trust != TRUST_DSCP && p->trust != TRUST_NONE)
		return err_set(e->err, "%s: trust can be set to dscp or none only", p->port);
	if (p->trust == TRUST_NONE) {
		os10_unset(lines, OS10_TRUST_KEY);
		return true;
	}
	if (p->trust == TRUST_DSCP)
		os10_unset(lines, "trust-map dot1p");
	editor_want_begin(e, w, OS10_TRUST, OS10_TRUST_KEY, bound);
	map_read(&w->content.parts[0], &was);
	now = was;
	if (!w->content.parts[0].n)
		now.of[0] = UINT64_MAX;	/* what is not trusted is qos-group 0 */
	for (unsigned i = 0; i < 64; i++)
		if (p->dscp[i] < 8)
			map_move(&now, i, (unsigned)p->dscp[i]);
		else if (p->dscp[i] != UNSAID)
			return err_set(e->err, "%s: DSCP %u to qos-group %llu: outside 0 to 7", p->port, i, (unsigned long long)p->dscp[i]);
	map_write(e->tree, &w->content.parts[0], &was, &now, "qos-group %u dscp ");
	return true;
}

static bool edit_queues(struct editor *e, struct port_edit *p, struct os10_want *w)
{
	const char *bound = os10_bound(e->tree, editor_port_lines(e, p), OS10_QUEUES_KEY);
	struct map was, now;

	editor_want_begin(e, w, OS10_QUEUE_MAP, OS10_QUEUES_KEY, bound);
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

bool os10_edit_maps(struct editor *e)
{
	struct os10_want *trust = editor_wants_new(e), *queues = editor_wants_new(e);
	bool is_done = true;

	for (size_t i = 0; i < e->n && is_done; i++) {
		struct port_edit *p = &e->ports[i];

		if (p->trust != UNSAID || editor_any_said(p->dscp, 64))
			is_done = edit_trust(e, p, &trust[i]);
		if (is_done && editor_any_said(p->queue, 8))
			is_done = edit_queues(e, p, &queues[i]);
	}
	if (is_done) {
		os10_bind_all(e->tree, OS10_TRUST, OS10_TRUST_KEY, trust, e->n);
		os10_bind_all(e->tree, OS10_QUEUE_MAP, OS10_QUEUES_KEY, queues, e->n);
	}
	editor_wants_free(e, trust);
	editor_wants_free(e, queues);
	return is_done;
}
