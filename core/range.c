/* Folded host names: "node[01-16],leaf[1,3]" out and back. */
#include "core/inventory.h"

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

/* One item of a bracket, "01-16" (Ansible writes "01:16") or "7", with what stands before and after the bracket. */
static bool expand_item(struct expansion *e, const char *head, size_t head_n, struct span item, const char *tail)
{
	struct span part = item;
	uint64_t first, last;
	size_t width;

	if (!span_take_u64(&part, &first))
		return err_set(e->err, "not a number in a range: %.*s", (int)item.n, item.p);
	width = (size_t)(part.p - item.p);
	last = first;
	if (part.n > 0) {
		if (*part.p != '-' && *part.p != ':')
			return err_set(e->err, "a range is written [01-16]: %.*s", (int)item.n, item.p);
		part.p++, part.n--;
		if (!span_u64(part, &last) || last < first || last - first >= EXPAND_MAX)
			return err_set(e->err, "a range goes up: %.*s", (int)item.n, item.p);
	}
	for (; first <= last; first++) {
		char name[256];
		int n = snprintf(name, sizeof(name), "%.*s%0*" PRIu64, (int)head_n, head, (int)width, first);

		if (n < 0 || (size_t)n >= sizeof(name))
			return err_set(e->err, "a name is too long: %.*s…", 60, head);
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
		ok = err_set(e->err, "a bracket is not closed, or empty: %s", rest);
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
	return ok && (e.n > 0 || err_set(err, "no name in \"%s\"", range));
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
