/*
 * Reading blocks: as the parser of intent does (config.c), a block goes from its first line to "!", blanks mean
 * nothing where a text has lost its indentation, and a policy map goes on behind the "!" before each of its classes.
 * Where a line is indented it belongs to the block above it, whatever it looks like.
 *
 * source	running configurations of 10.3 to 10.5, published by their users and by Dell
 */
#include "remote/os10/tree.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/os10/os10.h"

#define BLOCKS_MAX	4096	/* more of anything than the largest switch has */
#define LINES_MAX	65536
#define LINE_BYTES_MAX	1000

/* -- the lines we know -- */

const struct os10_line os10_lines[] = {
	{ OS10_WRED,		false, "random-detect color green",	NULL },
	{ OS10_WRED,		false, "random-detect color yellow",	NULL },
	{ OS10_WRED,		false, "random-detect color red",	NULL },
	{ OS10_WRED,		false, "random-detect ecn",		"no random-detect ecn" },
	{ OS10_TRUST,		false, "qos-group",			NULL, .is_list = true },
	{ OS10_QUEUE_MAP,	false, "queue",				NULL, .is_list = true },
	{ OS10_CLASS_QUEUE,	false, "match queue",			NULL },
	{ OS10_CLASS_GROUP,	false, "match qos-group",		NULL },
	{ OS10_POLICY_QUEUE,	true,  "priority",			NULL },
	{ OS10_POLICY_QUEUE,	true,  "bandwidth percent",		NULL },
	{ OS10_POLICY_QUEUE,	true,  "random-detect",			NULL },
	{ OS10_POLICY_GROUP,	true,  "pause",				NULL },
	{ OS10_POLICY_GROUP,	true,  "pfc-cos",			NULL },
	{ OS10_POLICY_GROUP,	true,  "queue-limit",			NULL },
	{ OS10_PORT,		false, "mtu",				"no mtu" },
	{ OS10_PORT,		false, "flowcontrol receive",		"no flowcontrol receive" },
	{ OS10_PORT,		false, "flowcontrol transmit",		"no flowcontrol transmit" },
	{ OS10_PORT,		false, "trust-map dot1p",		"no trust-map dot1p" },
	{ OS10_PORT,		false, "trust-map dscp",		"no trust-map dscp" },
	{ OS10_PORT,		false, "qos-map traffic-class",		"no qos-map traffic-class" },
	{ OS10_PORT,		false, "service-policy input type network-qos",	"no %s" },
	{ OS10_PORT,		false, "service-policy output type queuing",	"no %s" },
	{ OS10_PORT,		false, "ets mode",			"no ets" },
	{ OS10_PORT,		false, "priority-flow-control mode",	"no priority-flow-control" },
};
#define ROWS (sizeof(os10_lines) / sizeof(*os10_lines))

static const char *const kind_words[] = {
	[OS10_OTHER] = "", [OS10_WRED] = "wred ", [OS10_TRUST] = "trust dscp-map ", [OS10_QUEUE_MAP] = "qos-map traffic-class ",
	[OS10_CLASS_QUEUE] = "class-map type queuing ", [OS10_CLASS_GROUP] = "class-map type network-qos ",
	[OS10_POLICY_QUEUE] = "policy-map type queuing ", [OS10_POLICY_GROUP] = "policy-map type network-qos ",
	[OS10_SYSTEM] = "system qos", [OS10_OTHER_PORT] = "interface ", [OS10_PORT] = "interface ",
};

const char *os10_kind_words(enum os10_kind kind)
{
	return kind_words[kind];
}

/* What follows the words of key in line, or NULL: "queue" is no beginning of "queues 3". */
static const char *after_words(const char *line, const char *key)
{
	size_t n = strlen(key);

	if (strncmp(line, key, n) || (line[n] && line[n] != ' '))
		return NULL;
	return line + n + (line[n] == ' ');
}

int os10_line_row(enum os10_kind kind, bool in_class, const char *line)
{
	for (size_t i = 0; i < ROWS; i++)
		if (os10_lines[i].kind == kind && os10_lines[i].in_class == in_class && after_words(line, os10_lines[i].key))
			return (int)i;
	return -1;
}

bool os10_line_same_key(int row, const char *a, const char *b)
{
	struct span head_a, head_b, tail_a, tail_b;
	uint64_t bits;

	if (row < 0)
		return !strcmp(a, b);
	if (!after_words(a, os10_lines[row].key) || !after_words(b, os10_lines[row].key))
		return false;
	if (!os10_lines[row].is_list)
		return true;
	if (!os10_list_line(a, &head_a, &bits, &tail_a) || !os10_list_line(b, &head_b, &bits, &tail_b))
		return !strcmp(a, b);
	return span_same(head_a, head_b) && span_same(tail_a, tail_b);
}

/* -- lists -- */

bool os10_list_bits(struct span list, unsigned limit, uint64_t *out)
{
	uint64_t bits = 0, first, last;

	do {
		if (!span_take_u64(&list, &first))
			return false;
		last = first;
		if (span_skip(&list, "-") && !span_take_u64(&list, &last))
			return false;
		if (last >= limit || last >= 64 || first > last)
			return false;
		for (; first <= last; first++)
			bits |= UINT64_C(1) << first;
	} while (span_skip(&list, ","));
	if (list.n)
		return false;
	*out = bits;
	return true;
}

void os10_list_print(uint64_t bits, struct buf *out)
{
	const char *comma = "";

	for (unsigned i = 0; i < 64; i++) {
		unsigned first = i;

		if (!(bits >> i & 1))
			continue;
		while (i < 63 && bits >> (i + 1) & 1)
			i++;
		buf_printf(out, i > first ? "%s%u-%u" : "%s%u", comma, first, i);
		comma = ",";
	}
}

bool os10_list_line(const char *line, struct span *head, uint64_t *bits, struct span *tail)
{
	struct span rest = span_of(line), word, list;

	for (unsigned i = 0; i < 3; i++)
		if (!span_word(&rest, &word))
			return false;
	if (!span_word(&rest, &list))
		return false;
	*head = (struct span){ line, (size_t)(list.p - line) };
	*tail = (struct span){ list.p + list.n, strlen(list.p + list.n) };
	return os10_list_bits(list, 64, bits);
}

/* -- blocks -- */

struct os10_block *os10_find(const struct os10_tree *t, enum os10_kind kind, const char *name)
{
	for (size_t i = 0; name && i < t->n; i++)
		if (t->blocks[i].kind == kind && !strcmp(t->blocks[i].name, name))
			return &t->blocks[i];
	return NULL;
}

struct os10_part *os10_find_part(const struct os10_block *b, const char *header)
{
	for (size_t i = 1; i < b->n; i++)
		if (!strcmp(b->parts[i].header, header))
			return &b->parts[i];
	return NULL;
}

struct os10_part *os10_add_part(struct os10_tree *t, struct os10_block *b, const char *header)
{
	struct os10_part *p = GROW(b->parts, b->n, b->cap);

	p->header = header ? arena_text(&t->arena, header, strlen(header)) : NULL;
	b->n++;
	return p;
}

struct os10_block *os10_add(struct os10_tree *t, enum os10_kind kind, const char *name)
{
	struct os10_block *b = GROW(t->blocks, t->n, t->cap);
	char *header = xasprintf("%s%s", kind_words[kind], kind == OS10_SYSTEM ? "" : name);

	b->kind = kind;
	b->header = arena_text(&t->arena, header, strlen(header));
	b->name = b->header + (kind == OS10_SYSTEM ? 0 : strlen(kind_words[kind]));
	free(header);
	t->n++;
	os10_add_part(t, b, NULL);
	return b;
}

static void add_line(struct os10_tree *t, struct os10_part *p, const char *line)
{
	const char **place = GROW(p->lines, p->n, p->cap);

	*place = arena_text(&t->arena, line, strlen(line));
	p->n++;
}

const char *os10_value(const struct os10_part *p, const char *key)
{
	for (size_t i = 0; i < p->n; i++) {
		const char *value = after_words(p->lines[i], key);

		if (value)
			return value;
	}
	return NULL;
}

void os10_unset(struct os10_part *p, const char *key)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->n; i++)
		if (!after_words(p->lines[i], key))
			p->lines[kept++] = p->lines[i];
	p->n = kept;
}

void os10_set(struct os10_tree *t, struct os10_part *p, const char *key, const char *value)
{
	char *line = xasprintf(*value ? "%s %s" : "%s%s", key, value);

	os10_unset(p, key);
	add_line(t, p, line);
	free(line);
}

/* -- reading -- */

struct reader {
	struct os10_tree *tree;
	size_t block, part;		/* being filled; SIZE_MAX: none */
	size_t lines;
};

static bool is_policy(enum os10_kind kind)
{
	return kind == OS10_POLICY_QUEUE || kind == OS10_POLICY_GROUP;
}

static bool is_binding_place(const struct reader *r)
{
	enum os10_kind kind = r->block == SIZE_MAX ? OS10_OTHER : r->tree->blocks[r->block].kind;

	return kind == OS10_SYSTEM || kind == OS10_OTHER_PORT || kind == OS10_PORT;
}

/* Which kind of block the line begins, and its name; OS10_OTHER: none. */
static enum os10_kind begins(const struct reader *r, const char *line, char name[LINE_BYTES_MAX])
{
	struct span rest = span_of(line);
	char port[64];

	if (!strcmp(line, "system qos"))
		return OS10_SYSTEM;
	if (span_skip(&rest, "interface ") && !span_starts(rest, "breakout ")) {
		bool is_data = os10_port_name(rest, port);

		snprintf(name, LINE_BYTES_MAX, "%s", is_data ? port : rest.p);
		return is_data ? OS10_PORT : OS10_OTHER_PORT;
	}
	for (int kind = OS10_WRED; kind <= OS10_POLICY_GROUP; kind++) {
		const char *words = kind_words[kind];

		if (strncmp(line, words, strlen(words)) || (kind == OS10_QUEUE_MAP && is_binding_place(r)))
			continue;
		snprintf(name, LINE_BYTES_MAX, "%s", line + strlen(words));
		return (enum os10_kind)kind;
	}
	return OS10_OTHER;
}

static void begin_block(struct reader *r, enum os10_kind kind, const char *name)
{
	struct os10_block *b = kind == OS10_SYSTEM ? os10_find(r->tree, kind, kind_words[kind]) : os10_find(r->tree, kind, name);

	if (!b)
		b = os10_add(r->tree, kind, name);
	r->block = (size_t)(b - r->tree->blocks);
	r->part = 0;
}

static void begin_class(struct reader *r, const char *line)
{
	struct os10_block *b = &r->tree->blocks[r->block];
	struct os10_part *p = os10_find_part(b, line);

	if (!p)
		p = os10_add_part(r->tree, b, line);
	r->part = (size_t)(p - b->parts);
}

static void end_block(struct reader *r)
{
	if (r->block != SIZE_MAX && is_policy(r->tree->blocks[r->block].kind))
		r->part = 0;
	else
		r->block = SIZE_MAX;
}

static void take_line(struct reader *r, const char *line, bool is_indented)
{
	struct os10_block *b = r->block == SIZE_MAX ? NULL : &r->tree->blocks[r->block];
	char name[LINE_BYTES_MAX] = "";
	enum os10_kind kind;

	if (b && is_policy(b->kind) && !strncmp(line, "class ", 6)) {
		begin_class(r, line);
		return;
	}
	kind = is_indented && b ? OS10_OTHER : begins(r, line, name);
	if (kind != OS10_OTHER)
		begin_block(r, kind, name);
	else if (b && (is_indented || b->kind != OS10_OTHER))
		add_line(r->tree, &b->parts[r->part], line);
	else {
		os10_add(r->tree, OS10_OTHER, line);
		r->block = r->tree->n - 1;
		r->part = 0;
	}
}

/* One blank between words; false when there is more of it than of any line of a configuration. */
static bool words_of(struct span line, char out[LINE_BYTES_MAX])
{
	struct span word;
	size_t n = 0;

	*out = '\0';
	while (span_word(&line, &word)) {
		if (n + word.n + 2 > LINE_BYTES_MAX || memchr(word.p, '\0', word.n))
			return false;
		n += (size_t)sprintf(out + n, "%s%.*s", n ? " " : "", (int)word.n, word.p);
	}
	return true;
}

bool os10_tree_read(struct os10_tree *t, struct span text, struct err *err)
{
	struct reader r = { .tree = t, .block = SIZE_MAX };
	struct span line;
	char words[LINE_BYTES_MAX];

	*t = (struct os10_tree){ 0 };
	while (span_line(&text, &line)) {
		if (!words_of(line, words))
			return err_set(err, "the configuration has an invalid line");
		if (!strcmp(words, "!"))
			end_block(&r);
		if (!*words || *words == '!')
			continue;
		if (t->n >= BLOCKS_MAX || ++r.lines > LINES_MAX)
			return err_set(err, "the configuration is too long");
		take_line(&r, words, isspace((unsigned char)*line.p));
	}
	os10_tree_sort(t);
	return true;
}

void os10_block_done(struct os10_block *b)
{
	for (size_t i = 0; i < b->n; i++)
		free(b->parts[i].lines);
	free(b->parts);
	b->parts = NULL;
	b->n = b->cap = 0;
}

void os10_tree_done(struct os10_tree *t)
{
	for (size_t i = 0; i < t->n; i++)
		os10_block_done(&t->blocks[i]);
	free(t->blocks);
	arena_done(&t->arena);
	*t = (struct os10_tree){ 0 };
}

/* -- order and text -- */

static bool line_before(const struct os10_block *b, bool in_class, const char *x, const char *y)
{
	int row_x = os10_line_row(b->kind, in_class, x), row_y = os10_line_row(b->kind, in_class, y);

	if (row_x != row_y)
		return row_x < row_y;
	return row_x >= 0 && strverscmp(x, y) < 0;	/* what we do not know stays in the switch's order */
}

/* Insertion: they are nearly in order, and lines of unknown kinds must not pass each other. */
static void sort_lines(const struct os10_block *b, struct os10_part *p)
{
	for (size_t i = 1; i < p->n && b->kind != OS10_OTHER && b->kind != OS10_OTHER_PORT; i++) {
		const char *line = p->lines[i];
		size_t at = i;

		for (; at > 0 && line_before(b, p->header != NULL, line, p->lines[at - 1]); at--)
			p->lines[at] = p->lines[at - 1];
		p->lines[at] = line;
	}
}

static int compare_parts(const void *a, const void *b)
{
	return strverscmp(((const struct os10_part *)a)->header, ((const struct os10_part *)b)->header);
}

static bool block_before(const struct os10_block *x, const struct os10_block *y)
{
	if (x->kind != y->kind)
		return x->kind < y->kind;
	return x->kind != OS10_OTHER && strverscmp(x->name, y->name) < 0;
}

static void merge_blocks(struct os10_block *list, struct os10_block *spare, size_t n)
{
	size_t half = n / 2, a = 0, b = half, out = 0;

	if (n < 2)
		return;
	merge_blocks(list, spare, half);
	merge_blocks(list + half, spare, n - half);
	while (out < n)
		spare[out++] = b >= n || (a < half && !block_before(&list[b], &list[a])) ? list[a++] : list[b++];
	memcpy(list, spare, n * sizeof(*list));
}

void os10_tree_sort(struct os10_tree *t)
{
	struct os10_block *spare = xcalloc(t->n + 1, sizeof(*spare));

	merge_blocks(t->blocks, spare, t->n);
	free(spare);
	for (size_t i = 0; i < t->n; i++) {
		struct os10_block *b = &t->blocks[i];

		if (b->n > 2)
			qsort(b->parts + 1, b->n - 1, sizeof(*b->parts), compare_parts);
		for (size_t k = 0; k < b->n; k++)
			sort_lines(b, &b->parts[k]);
	}
}

void os10_block_print(const struct os10_block *b, struct buf *out)
{
	buf_printf(out, "%s\n", b->header);
	for (size_t k = 0; k < b->n; k++) {
		if (b->parts[k].header)
			buf_printf(out, " %s\n", b->parts[k].header);
		for (size_t i = 0; i < b->parts[k].n; i++)
			buf_printf(out, "%s%s\n", k ? "  " : " ", b->parts[k].lines[i]);
	}
}

void os10_tree_print(const struct os10_tree *t, struct buf *out)
{
	for (size_t i = 0; i < t->n; i++)
		os10_block_print(&t->blocks[i], out);
}
