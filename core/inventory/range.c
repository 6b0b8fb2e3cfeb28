/* Folded host names: "node[01-16],leaf[1,3]" out and back. */
#include "core/inventory/inventory.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPAND_MAX 65536	/* names; more is a typing mistake */

struct expansion {
	void (*add)(void *ctx, const char *name);
	void *ctx;
	size_t n;
	struct err *err;
};

static bool expand_one(struct expansion *e, const char *head, size_t head_n, const char *rest);

/* What an item counts through: numbers in a width, or letters as Ansible has them, a-z then A-Z. */
struct run {
	uint64_t first, last, step;
	size_t width;
	bool is_letters;
};

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

static bool letter_at(struct span s, uint64_t *out)
{
	const char *at = s.n == 1 && isalpha((unsigned char)*s.p) ? strchr(letters, *s.p) : NULL;

	if (at)
		*out = (uint64_t)(at - letters);
	return at != NULL;
}

/* "/2" of ClusterShell or ":2" of Ansible, at the end of an item. */
static bool take_step(struct expansion *e, struct span *item, uint64_t *step)
{
	struct span head, tail;

	*step = 1;
	if (!span_cut(*item, '/', &head, &tail) &&
	    !(span_cut_last(*item, ':', &head, &tail) && memchr(head.p, ':', head.n)))
		return true;
	if (!span_u64(tail, step) || !*step || *step > EXPAND_MAX)
		return err_set(e->err, "the step of a range must be 1 or more: %.*s", (int)item->n, item->p);
	*item = head;
	return true;
}

/* "01-16", "7", "a:c", "01:16:2", "0-10/2". Ansible leaves out a first of 0, and writes both ends in one width. */
static bool read_run(struct expansion *e, struct span item, struct run *run)
{
	struct span rest = item, first = item, last;

	if (!take_step(e, &rest, &run->step))
		return false;
	bool is_ansible = span_cut(rest, ':', &first, &last);

	if (!is_ansible && !span_cut(rest, '-', &first, &last))
		first = last = rest;
	if (is_ansible && !first.n)
		first = SPAN("0");
	run->is_letters = letter_at(first, &run->first) && letter_at(last, &run->last);
	run->width = first.n;
	if (!run->is_letters && (!span_u64(first, &run->first) || !span_u64(last, &run->last)))
		return err_set(e->err, "not a range (examples: [01-16], [1,3], [a:c]): %.*s", (int)item.n, item.p);
	if (is_ansible && first.n > 1 && *first.p == '0' && first.n != last.n)
		return err_set(e->err, "both ends of a range with leading zeros must have the same width: %.*s", (int)item.n, item.p);
	if (run->last < run->first || (run->last - run->first) / run->step >= EXPAND_MAX)
		return err_set(e->err, "a range must count upwards: %.*s", (int)item.n, item.p);
	return true;
}

/* One item of a bracket, with what stands before and after the bracket. */
static bool expand_item(struct expansion *e, const char *head, size_t head_n, struct span item, const char *tail)
{
	struct run run;

	if (!read_run(e, item, &run))
		return false;
	for (uint64_t i = run.first; i <= run.last; i += run.step) {
		char name[256];
		int n = run.is_letters ? snprintf(name, sizeof(name), "%.*s%c", (int)head_n, head, letters[i])
				       : snprintf(name, sizeof(name), "%.*s%0*" PRIu64, (int)head_n, head, (int)run.width, i);

		if (n < 0 || (size_t)n >= sizeof(name))
			return err_set(e->err, "a name is too long: %.*s...", 60, head);
		if (!expand_one(e, name, (size_t)n, tail))
			return false;
	}
	return true;
}

/* head is done; rest may hold brackets. */
static bool expand_one(struct expansion *e, const char *head, size_t head_n, const char *rest)
{
	const char *open = strchr(rest, '['), *close;
	struct buf name = { 0 };
	struct span items, item;
	bool ok = true;

	buf_add(&name, head, head_n);
	buf_add(&name, rest, open ? (size_t)(open - rest) : strlen(rest));
	if (!open) {
		if (++e->n > EXPAND_MAX)
			ok = err_set(e->err, "more than %d names", EXPAND_MAX);
		else
			e->add(e->ctx, name.text);
		buf_done(&name);
		return ok;
	}
	close = strchr(open, ']');
	items = (struct span){ open + 1, close ? (size_t)(close - open - 1) : 0 };
	if (items.n == 0)
		ok = err_set(e->err, "unclosed or empty bracket: %s", rest);
	while (ok && items.n > 0) {
		if (!span_cut(items, ',', &item, &items)) {
			item = items;
			items.n = 0;
		}
		ok = expand_item(e, name.text, name.n, span_trim(item), close + 1);
	}
	buf_done(&name);
	return ok;
}

bool range_expand(const char *range, void (*add)(void *ctx, const char *name), void *ctx, struct err *err)
{
	struct expansion e = { .add = add, .ctx = ctx, .err = err };
	const char *begin = range;
	bool ok = true;
	int depth = 0;

	for (const char *c = range; ok; c++) {
		depth += (*c == '[') - (*c == ']');
		if (*c && (*c != ',' || depth > 0))
			continue;
		if (c > begin) {
			char *part = xstrndup(begin, (size_t)(c - begin));

			ok = expand_one(&e, "", 0, part);
			free(part);
		}
		begin = c + 1;
		if (!*c)
			break;
	}
	return ok && (e.n > 0 || err_set(err, "no host name in \"%s\"", range));
}

/* The number a name ends in: where it begins, or the name's length. */
static size_t number_at(const char *name)
{
	size_t n = strlen(name);

	while (n > 0 && isdigit((unsigned char)name[n - 1]))
		n--;
	return n;
}

/* Whether b is a with its number one higher, in the same width. */
static bool follows(const char *a, const char *b)
{
	size_t at = number_at(a);

	return at == number_at(b) && strncmp(a, b, at) == 0 && strlen(a) == strlen(b) && strlen(a) - at <= 15 && a[at] &&
	       strtoull(b + at, NULL, 10) == strtoull(a + at, NULL, 10) + 1;
}

void range_fold(const char *const *names, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n;) {
		size_t stem = number_at(names[i]), last = i;

		while (last + 1 < n && follows(names[last], names[last + 1]))
			last++;
		buf_str(out, i ? "," : "");
		if (last == i)
			buf_str(out, names[i]);
		else
			buf_printf(out, "%.*s[%s-%s]", (int)stem, names[i], names[i] + stem, names[last] + stem);
		i = last + 1;
	}
}
