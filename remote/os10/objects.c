#include "remote/os10/objects.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/os10/diff.h"

#define OWN_PREFIX "fabcon-"

static bool has_bindings(const struct os10_block *b)
{
	return b->kind == OS10_PORT || b->kind == OS10_OTHER_PORT || b->kind == OS10_SYSTEM;
}

const char *os10_bound(const struct os10_tree *t, const struct os10_part *port, const char *key)
{
	const struct os10_block *system = os10_find(t, OS10_SYSTEM, os10_kind_words(OS10_SYSTEM));
	const char *own = os10_value(port, key);

	return own ? own : system ? os10_value(&system->parts[0], key) : NULL;
}

const char *os10_common(const struct os10_tree *t, const char *key)
{
	const char *common = NULL;

	for (size_t i = 0; i < t->n; i++) {
		const char *name = has_bindings(&t->blocks[i]) ? os10_value(&t->blocks[i].parts[0], key) : NULL;

		if (name && common && strcmp(name, common))
			return NULL;
		if (name)
			common = name;
	}
	return common;
}

/* -- use -- */

static void mark(const struct os10_tree *t, enum os10_kind kind, const char *name, bool *marked)
{
	const struct os10_block *b = os10_find(t, kind, name);

	if (b)
		marked[b - t->blocks] = true;
}

static void mark_bound(const struct os10_tree *t, const struct os10_block *b, bool *marked)
{
	const struct os10_part *own = &b->parts[0];

	mark(t, OS10_TRUST, os10_value(own, "trust-map dscp"), marked);
	mark(t, OS10_QUEUE_MAP, os10_value(own, "qos-map traffic-class"), marked);
	mark(t, OS10_POLICY_QUEUE, os10_value(own, "service-policy output type queuing"), marked);
	mark(t, OS10_POLICY_GROUP, os10_value(own, "service-policy input type network-qos"), marked);
}

static void mark_classes(const struct os10_tree *t, const struct os10_block *policy, bool *marked)
{
	bool is_queuing = policy->kind == OS10_POLICY_QUEUE;

	for (size_t i = 1; i < policy->n; i++) {
		mark(t, is_queuing ? OS10_CLASS_QUEUE : OS10_CLASS_GROUP, policy->parts[i].header + strlen("class "), marked);
		if (is_queuing)
			mark(t, OS10_WRED, os10_value(&policy->parts[i], "random-detect"), marked);
	}
}

/* What a marked port needs, and what that needs. */
void os10_mark_needed(const struct os10_tree *t, bool *marked)
{
	for (size_t i = t->n; i-- > 0;) {	/* backwards: objects come before what names them */
		const struct os10_block *b = &t->blocks[i];

		if (!marked[i])
			continue;
		if (b->kind >= OS10_SYSTEM)
			mark_bound(t, b, marked);
		else if (b->kind >= OS10_POLICY_QUEUE)
			mark_classes(t, b, marked);
	}
}

bool os10_is_own(const struct os10_block *b)
{
	return b->kind != OS10_OTHER && b->kind < OS10_SYSTEM && !strncmp(b->name, OWN_PREFIX, strlen(OWN_PREFIX));
}

bool *os10_used(const struct os10_tree *t)
{
	bool *used = xcalloc(t->n + 1, sizeof(*used));

	for (size_t i = 0; i < t->n; i++)
		used[i] = !os10_is_own(&t->blocks[i]);
	os10_mark_needed(t, used);
	return used;
}

/* -- content -- */

static void copy_part(struct os10_part *to, const struct os10_part *from)
{
	*to = (struct os10_part){ .header = from->header };
	for (size_t i = 0; i < from->n; i++) {
		const char **place = GROW(to->lines, to->n, to->cap);

		*place = from->lines[i];
		to->n++;
	}
}

static void copy_parts(struct os10_block *to, const struct os10_block *from)
{
	for (size_t i = 0; i < from->n; i++) {
		struct os10_part *p = GROW(to->parts, to->n, to->cap);

		copy_part(p, &from->parts[i]);
		to->n++;
	}
}

void os10_want_init(struct os10_tree *t, struct os10_want *w, enum os10_kind kind, const char *name)
{
	const struct os10_block *b = os10_find(t, kind, name);

	w->old = b ? b->name : NULL;
	w->content = (struct os10_block){ .kind = kind, .header = "", .name = "" };
	if (b)
		copy_parts(&w->content, b);
	else
		os10_add_part(t, &w->content, NULL);
}

void os10_want_done(struct os10_want *w)
{
	os10_block_done(&w->content);
}

void os10_take_content(struct os10_block *to, const struct os10_block *from)
{
	os10_block_done(to);
	copy_parts(to, from);
}

/* Lists are compared by what they hold: "24,25" is "24-25". */
static void print_line(enum os10_kind kind, const char *line, struct buf *out)
{
	int row = os10_line_row(kind, false, line);
	struct span head, tail;
	uint64_t bits;

	if (row < 0 || !os10_lines[row].is_list || !os10_list_line(line, &head, &bits, &tail)) {
		buf_printf(out, "%s\n", line);
		return;
	}
	buf_add(out, head.p, head.n);
	os10_list_print(bits, out);
	buf_add(out, tail.p, tail.n);
	buf_str(out, "\n");
}

/* A class by what it matches, where t is given and tells it. */
static void print_class(const struct os10_tree *t, enum os10_kind kind, const struct os10_part *class, struct buf *out)
{
	enum os10_kind map = kind == OS10_POLICY_QUEUE ? OS10_CLASS_QUEUE : OS10_CLASS_GROUP;
	uint64_t bits = t ? os10_class_matches(t, map, class) : 0;

	if (bits)
		buf_printf(out, "class of %llx\n", (unsigned long long)bits);
	else
		buf_printf(out, "%s\n", class->header);
}

/* What an object says, in its order, without its name. */
static void print_content(const struct os10_tree *t, const struct os10_block *b, struct buf *out)
{
	struct os10_tree one = { .blocks = xcalloc(1, sizeof(*one.blocks)), .n = 1, .cap = 1 };

	*one.blocks = (struct os10_block){ .kind = b->kind, .header = "", .name = "" };
	copy_parts(one.blocks, b);
	os10_tree_sort(&one);
	for (size_t k = 0; k < one.blocks->n; k++) {
		if (one.blocks->parts[k].header)
			print_class(t, b->kind, &one.blocks->parts[k], out);
		for (size_t i = 0; i < one.blocks->parts[k].n; i++)
			print_line(b->kind, one.blocks->parts[k].lines[i], out);
	}
	buf_str(out, "");
	os10_tree_done(&one);
}

bool os10_same_content(const struct os10_tree *t, const struct os10_block *a, const struct os10_block *b)
{
	struct buf x = { 0 }, y = { 0 };
	bool is_same;

	print_content(t, a, &x);
	print_content(t, b, &y);
	is_same = x.n == y.n && (!x.n || !memcmp(x.text, y.text, x.n));
	buf_done(&x);
	buf_done(&y);
	return is_same;
}

const char *os10_same_object(const struct os10_tree *t, const struct os10_block *content)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->blocks[i].kind == content->kind && os10_same_content(t, &t->blocks[i], content))
			return t->blocks[i].name;
	return NULL;
}

static const char *short_word(enum os10_kind kind)
{
	switch (kind) {
	case OS10_WRED:
		return "wred";
	case OS10_TRUST:
		return "dscp";
	case OS10_QUEUE_MAP:
		return "queues";
	case OS10_POLICY_QUEUE:
		return "ets";
	default:
		return "pfc";
	}
}

const char *os10_own_object(struct os10_tree *t, const struct os10_block *content)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	struct buf text = { 0 };
	char name[40];

	print_content(NULL, content, &text);
	EVP_Digest(text.text, text.n, digest, NULL, EVP_sha256(), NULL);
	buf_done(&text);
	snprintf(name, sizeof(name), OWN_PREFIX "%s-%02x%02x%02x", short_word(content->kind), digest[0], digest[1], digest[2]);
	if (!os10_find(t, content->kind, name))
		os10_add(t, content->kind, name);
	os10_take_content(os10_find(t, content->kind, name), content);
	return os10_find(t, content->kind, name)->name;
}

/* -- binding -- */

/* Whether everybody who is bound to w's object wants of it what w wants. */
static bool all_users_agree(const struct os10_tree *t, const char *key, const struct os10_want *list, size_t n,
			    const struct os10_want *w)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct os10_block *b = &t->blocks[i];
		const char *bound = b->kind == OS10_PORT ? os10_bound(t, &b->parts[0], key) :
				    b->kind == OS10_OTHER_PORT ? os10_value(&b->parts[0], key) : NULL;
		bool agrees = false;

		if (!bound || strcmp(bound, w->old))
			continue;
		for (size_t k = 0; k < n && !agrees; k++)
			agrees = b->kind == OS10_PORT && list[k].is_wanted && !strcmp(list[k].port, b->name) &&
				 os10_same_content(t, &list[k].content, &w->content);
		if (!agrees)
			return false;
	}
	return true;
}

static const char *object_for(struct os10_tree *t, enum os10_kind kind, const char *key, struct os10_want *list, size_t n,
			      const struct os10_want *w)
{
	struct os10_block *old = os10_find(t, kind, w->old);
	const char *same = os10_same_object(t, &w->content);
	struct os10_block after = { .kind = kind };

	if (old && os10_same_content(t, old, &w->content))
		return old->name;
	if (same)
		return same;
	after = w->content;
	if (old)
		after.header = old->header;
	if (!old || os10_is_own(old) || !os10_can_change(old, &after) || !all_users_agree(t, key, list, n, w))
		return os10_own_object(t, &w->content);
	os10_take_content(old, &w->content);
	return old->name;
}

void os10_bind_all(struct os10_tree *t, enum os10_kind kind, const char *key, struct os10_want *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct os10_block *port;
		const char *name, *bound;

		if (!list[i].is_wanted)
			continue;
		name = object_for(t, kind, key, list, n, &list[i]);
		port = os10_find(t, OS10_PORT, list[i].port);
		bound = os10_bound(t, &port->parts[0], key);
		if (!bound || strcmp(bound, name))
			os10_set(t, &port->parts[0], key, name);
	}
}

/* -- classes -- */

static const char *match_words(enum os10_kind kind)
{
	return kind == OS10_CLASS_QUEUE ? "match queue" : "match qos-group";
}

const char *os10_class_for(struct os10_tree *t, enum os10_kind kind, unsigned number)
{
	char line[32], name[32];

	snprintf(line, sizeof(line), "%s %u", match_words(kind), number);
	for (size_t i = 0; i < t->n; i++) {
		const struct os10_part *own = &t->blocks[i].parts[0];

		if (t->blocks[i].kind == kind && own->n == 1 && !strcmp(own->lines[0], line))
			return t->blocks[i].name;
	}
	snprintf(name, sizeof(name), OWN_PREFIX "%s-%u", kind == OS10_CLASS_QUEUE ? "queue" : "group", number);
	if (!os10_find(t, kind, name))
		os10_add(t, kind, name);
	snprintf(line, sizeof(line), "%u", number);
	os10_set(t, &os10_find(t, kind, name)->parts[0], match_words(kind), line);
	return os10_find(t, kind, name)->name;
}

uint64_t os10_class_matches(const struct os10_tree *t, enum os10_kind kind, const struct os10_part *class)
{
	const struct os10_block *map = os10_find(t, kind, class->header + strlen("class "));
	const char *list = map && map->parts[0].n == 1 ? os10_value(&map->parts[0], match_words(kind)) : NULL;
	uint64_t bits;

	return list && os10_list_bits(span_of(list), 8, &bits) ? bits : 0;
}
