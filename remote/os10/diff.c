#include "remote/os10/diff.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/template.h"

struct differ {
	struct arena *arena;
	struct fix_lines *lines;	/* NULL: only checks whether the change is possible */
	struct err *err;
};

/* -- lines -- */

/* A word must be a CLI keyword, a name, a port or a list of numbers: nothing that the CLI would interpret. */
static bool word_is_plain(struct span word)
{
	char text[80];

	if (word.n >= sizeof(text))
		return false;
	memcpy(text, word.p, word.n);
	text[word.n] = '\0';
	return template_is_name(text) || template_is_port(text) || strspn(text, "0123456789,-") == word.n;
}

static bool type(struct differ *d, const char *line)
{
	struct span rest = span_of(line), word;

	while (span_word(&rest, &word))
		if (!word_is_plain(word))
			return err_set(d->err, "not sent to a switch: a word of its configuration that is not safe in a command");
	if (!d->lines)
		return true;
	*GROW(d->lines->list, d->lines->n, d->lines->cap) = arena_text(d->arena, line, strlen(line));
	d->lines->n++;
	return true;
}

static bool type_no(struct differ *d, const struct os10_line *row, const char *line)
{
	char text[256];

	if (!row->no)
		return err_set(d->err, "no command is known to remove \"%s\"", row->key);
	snprintf(text, sizeof(text), strstr(row->no, "%s") ? "no %.240s" : "%.240s", strstr(row->no, "%s") ? line : row->no);
	return type(d, text);
}

/* The line of part for the same setting, or NULL. */
static const char *counterpart(const struct os10_part *part, int row, const char *line)
{
	for (size_t i = 0; part && i < part->n; i++)
		if (os10_line_same_key(row, line, part->lines[i]))
			return part->lines[i];
	return NULL;
}

/* -- a block on both sides -- */

struct change {
	enum os10_kind kind;
	const struct os10_part *from, *to;
};

static int row_of(const struct change *c, const char *line)
{
	return os10_line_row(c->kind, c->to->header != NULL, line);
}

static bool is_bound_policy(int row)
{
	return os10_lines[row].no && strstr(os10_lines[row].no, "%s");
}

/*
 * Removes lines, in reverse order. A bound policy is removed before another one is bound: no source says whether a switch accepts
 * a second policy over the first.
 */
static bool take_off(struct differ *d, const struct change *c)
{
	for (size_t i = c->from->n; i-- > 0;) {
		const char *line = c->from->lines[i];
		int row = row_of(c, line);
		const char *now = counterpart(c->to, row, line);

		if (now && (row < 0 || !is_bound_policy(row) || !strcmp(now, line)))
			continue;
		if (row < 0)
			return err_set(d->err, "fabcon does not remove \"%.60s\"", line);
		if (!type_no(d, &os10_lines[row], line))
			return false;
	}
	return true;
}

/* True when a list gains numbers: the switch then removes them from the other lists. */
static bool list_grows(const char *was, const char *line)
{
	struct span head, tail;
	uint64_t before = 0, after = 0;

	if (was)
		os10_list_line(was, &head, &before, &tail);
	os10_list_line(line, &head, &after, &tail);
	return after & ~before;
}

static bool is_pfc_off(const char *line)
{
	return !strcmp(line, "priority-flow-control mode off");
}

/* PFC is disabled before 802.3x is enabled, and enabled after 802.3x is disabled. A list that grows precedes lists that shrink. */
static unsigned turn_of(const struct change *c, int row, const char *was, const char *line)
{
	if (row >= 0 && os10_lines[row].is_list)
		return list_grows(was, line) ? 0 : 1;
	return c->kind == OS10_PORT && is_pfc_off(line) ? 0 : 1;
}

static bool put_on(struct differ *d, const struct change *c)
{
	for (unsigned turn = 0; turn < 2; turn++)
		for (size_t i = 0; i < c->to->n; i++) {
			const char *line = c->to->lines[i];
			int row = row_of(c, line);
			const char *was = counterpart(c->from, row, line);

			if ((was && !strcmp(was, line)) || turn_of(c, row, was, line) != turn)
				continue;
			if (row < 0)
				return err_set(d->err, "fabcon does not set \"%.60s\"", line);
			if (!was && os10_lines[row].is_list)
				return err_set(d->err, "no command is known to undo \"%.60s\"", line);
			if (!type(d, line))
				return false;
		}
	return true;
}

static bool part_differs(const struct os10_part *a, const struct os10_part *b)
{
	if (a->n != b->n)
		return true;
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->lines[i], b->lines[i]))
			return true;
	return false;
}

static bool change_part(struct differ *d, enum os10_kind kind, const struct os10_part *from, const struct os10_part *to)
{
	struct change c = { kind, from, to };

	if (!part_differs(from, to))
		return true;
	if (to->header && !type(d, to->header))
		return false;
	if (!take_off(d, &c) || !put_on(d, &c))
		return false;
	return !to->header || type(d, "exit");
}

static bool block_differs(const struct os10_block *a, const struct os10_block *b)
{
	if (a->n != b->n)
		return true;
	for (size_t i = 0; i < a->n; i++)
		if ((i && strcmp(a->parts[i].header, b->parts[i].header)) || part_differs(&a->parts[i], &b->parts[i]))
			return true;
	return false;
}

static bool change_block(struct differ *d, const struct os10_block *from, const struct os10_block *to)
{
	if (!block_differs(from, to))
		return true;
	if (to->kind == OS10_OTHER || to->kind == OS10_OTHER_PORT || to->kind == OS10_SYSTEM)
		return err_set(d->err, "fabcon does not change \"%.60s\"", to->header);
	if (!type(d, to->header))
		return false;
	for (size_t i = 0; i < from->n; i++)
		if (i && !os10_find_part(to, from->parts[i].header))
			return err_set(d->err, "no command is known to remove a class from a policy");
	for (size_t i = 0; i < to->n; i++) {
		const struct os10_part *was = i ? os10_find_part(from, to->parts[i].header) : &from->parts[0];

		if (!was)
			return err_set(d->err, "no command is known to undo adding a class to a policy");
		if (!change_part(d, to->kind, was, &to->parts[i]))
			return false;
	}
	return type(d, "exit");
}

bool os10_can_change(const struct os10_block *a, const struct os10_block *b)
{
	struct differ d = { 0 };

	return change_block(&d, a, b) && change_block(&d, b, a);
}

/* -- objects on one side only -- */

static bool make_block(struct differ *d, const struct os10_block *b)
{
	if (b->kind == OS10_OTHER || b->kind >= OS10_SYSTEM)
		return err_set(d->err, "fabcon does not create \"%.60s\"", b->header);
	if (!type(d, b->header))
		return false;
	for (size_t k = 0; k < b->n; k++) {
		if (k && !type(d, b->parts[k].header))
			return false;
		for (size_t i = 0; i < b->parts[k].n; i++)
			if (!type(d, b->parts[k].lines[i]))
				return false;
		if (k && !type(d, "exit"))
			return false;
	}
	return type(d, "exit");
}

static bool drop_block(struct differ *d, const struct os10_block *b)
{
	char text[256];

	if (b->kind == OS10_OTHER || b->kind >= OS10_SYSTEM)
		return err_set(d->err, "fabcon does not remove \"%.60s\"", b->header);
	snprintf(text, sizeof(text), "no %.240s", b->header);
	return type(d, text);
}

static const struct os10_block *same_block(const struct os10_tree *t, const struct os10_block *b)
{
	return os10_find(t, b->kind, b->name);
}

/* Compares the remaining lines as they stand: their order means nothing to us, and a line may occur twice. */
static bool others_are_same(const struct os10_tree *a, const struct os10_tree *b)
{
	struct buf x = { 0 }, y = { 0 };
	bool is_same;

	for (size_t i = 0; i < a->n && a->blocks[i].kind == OS10_OTHER; i++)
		os10_block_print(&a->blocks[i], &x);
	for (size_t i = 0; i < b->n && b->blocks[i].kind == OS10_OTHER; i++)
		os10_block_print(&b->blocks[i], &y);
	is_same = x.n == y.n && (!x.n || !memcmp(x.text, y.text, x.n));
	buf_done(&x);
	buf_done(&y);
	return is_same;
}

bool os10_diff(const struct os10_tree *from, const struct os10_tree *to, struct arena *arena, struct fix_lines *lines,
	       struct err *err)
{
	struct differ d = { arena, lines, err };

	if (!others_are_same(from, to))
		return err_set(err, "the two configurations differ outside QoS");
	for (size_t i = 0; i < to->n; i++) {
		const struct os10_block *was = same_block(from, &to->blocks[i]);

		if (to->blocks[i].kind == OS10_OTHER)
			continue;
		if (!(was ? change_block(&d, was, &to->blocks[i]) : make_block(&d, &to->blocks[i])))
			return false;
	}
	for (size_t i = from->n; i-- > 0;)
		if (from->blocks[i].kind != OS10_OTHER && !same_block(to, &from->blocks[i]) && !drop_block(&d, &from->blocks[i]))
			return false;
	return true;
}
