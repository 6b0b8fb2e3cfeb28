/* A plan as text for people, and the diff of two texts. */
#include "core/fix/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#define CELLS_MAX (4u << 20)	/* of the table that lines_diff() fills: two texts of 2000 lines */

static void print_lines(const char *title, const struct fix_lines *lines, struct buf *out)
{
	if (!lines->n)
		return;
	buf_printf(out, "  %s\n", title);
	for (size_t i = 0; i < lines->n; i++)
		buf_printf(out, "    %s\n", lines->list[i]);
}

static void print_edits(const struct fix_step *s, struct buf *out)
{
	for (size_t i = 0; i < s->n_edits; i++) {
		buf_str(out, "  ");
		edit_print(&s->edits[i], out);
		if (s->edits[i].why)
			buf_printf(out, "   # %s", s->edits[i].why);
		buf_str(out, "\n");
	}
}

static void print_file(const struct fix_file *f, struct buf *out)
{
	struct span rest = span_of(f->text), line;

	buf_printf(out, "  file %s\n", f->name);
	while (span_line(&rest, &line)) {
		buf_str(out, "    ");
		buf_add(out, line.p, line.n);
		buf_str(out, "\n");
	}
}

static void print_one_end(const struct fix_plan *p, size_t step, struct buf *out)
{
	struct buf words = { 0 };

	if (fix_plan_say_one_end(p, step, &words))
		buf_printf(out, "  one end: %s\n", words.text);
	buf_done(&words);
}

static void print_step(const struct fix_plan *p, size_t step, struct buf *out)
{
	const struct fix_step *s = &p->steps[step];

	buf_printf(out, "\nstep %zu: %s (%s)\n", step + 1, s->device, s->platform);
	print_edits(s, out);
	print_one_end(p, step, out);
	buf_printf(out, "  disturbs: %s\n", s->disturbs ? s->disturbs : "nothing");
	for (size_t i = 0; i < s->n_files; i++)
		print_file(&s->files[i], out);
	print_lines("apply", &s->lines, out);
	print_lines("rollback (armed on the device first)", &s->undo, out);
	if (s->lines.n && !s->undo.n)
		buf_str(out, "  undo: none, this stays\n");
	print_lines("save (after verification)", &s->save, out);
	if (s->save_note)
		buf_printf(out, "  over a reboot: %s\n", s->save_note);
}

static void print_head(const struct fix_plan *p, struct buf *out)
{
	time_t made = (time_t)(p->made_us / 1000000);
	char hash[FIX_HASH_SIZE], at[32] = "?";
	struct tm utc;

	fix_plan_hash(p, hash);
	if (gmtime_r(&made, &utc))
		strftime(at, sizeof(at), "%Y-%m-%dT%H:%M:%SZ", &utc);
	buf_printf(out, "plan %s: %s\n", p->id, p->title ? p->title : "");
	buf_printf(out, "hash %s\nmade %s", hash, at);
	if (p->fabric)
		buf_printf(out, ", fabric %s", p->fabric);
	if (p->policy)
		buf_printf(out, ", policy %s", p->policy);
	buf_str(out, "\n");
	if (p->finding)
		buf_printf(out, "should clear: %s\n", p->finding);
	buf_str(out, "title, policy, \"should clear\" and what follows a # are the words of the plan's author: not proved by the devices\n");
	buf_printf(out, "verified by reading back over a new connection, and no lossless drop for %" PRId64 " s\n",
		   p->verify_us / 1000000);
}

void fix_plan_print(const struct fix_plan *p, struct buf *out)
{
	unsigned wave = 0;

	print_head(p, out);
	for (size_t i = 0; i < p->n_units; i++) {
		const struct fix_unit *u = &p->units[i];

		if (u->wave != wave)
			buf_printf(out, "\nbatch %u%s\n", u->wave, u->wave == 1 ? ", alone" : "");
		wave = u->wave;
		for (size_t k = u->first; k < u->first + u->n; k++)
			print_step(p, k, out);
	}
}

/* The lines of a text. */
struct rows {
	struct span *list;
	size_t n, cap;
};

static void rows_of(struct span text, struct rows *rows)
{
	struct span line;

	while (span_line(&text, &line)) {
		*GROW(rows->list, rows->n, rows->cap) = line;
		rows->n++;
	}
}

static void add_rows(char sign, const struct rows *rows, size_t from, size_t to, struct buf *out)
{
	for (size_t i = from; i < to; i++) {
		buf_printf(out, "%c ", sign);
		buf_add(out, rows->list[i].p, rows->list[i].n);
		buf_str(out, "\n");
	}
}

/* Longest common subsequence, from the end: common[i][k] is its length for the lines from i and k on, within the bounds. */
static void diff_middle(const struct rows *a, size_t a0, size_t a1, const struct rows *b, size_t b0, size_t b1, struct buf *out)
{
	size_t wide = b1 - b0 + 1;
	uint16_t *common = xcalloc((a1 - a0 + 1) * wide, sizeof(*common));
	size_t i, k;

	for (i = a1 - a0; i-- > 0;)
		for (k = b1 - b0; k-- > 0;) {
			uint16_t below = common[(i + 1) * wide + k], beside = common[i * wide + k + 1];

			common[i * wide + k] = span_same(a->list[a0 + i], b->list[b0 + k]) ?
				(uint16_t)(common[(i + 1) * wide + k + 1] + 1) : below >= beside ? below : beside;
		}
	for (i = 0, k = 0; i < a1 - a0 || k < b1 - b0;) {
		bool both = i < a1 - a0 && k < b1 - b0;

		if (both && span_same(a->list[a0 + i], b->list[b0 + k])) {
			i++;
			k++;
		} else if (i < a1 - a0 && (!both || common[(i + 1) * wide + k] >= common[i * wide + k + 1])) {
			add_rows('-', a, a0 + i, a0 + i + 1, out);
			i++;
		} else {
			add_rows('+', b, b0 + k, b0 + k + 1, out);
			k++;
		}
	}
	free(common);
}

static void diff_rows(struct span a, struct span b, struct buf *out)
{
	struct rows old = { 0 }, new = { 0 };
	size_t head = 0, tail = 0;

	rows_of(a, &old);
	rows_of(b, &new);
	while (head < old.n && head < new.n && span_same(old.list[head], new.list[head]))
		head++;
	while (tail < old.n - head && tail < new.n - head &&
	       span_same(old.list[old.n - 1 - tail], new.list[new.n - 1 - tail]))
		tail++;
	if ((old.n - tail - head + 1) > CELLS_MAX / (new.n - tail - head + 1)) {
		add_rows('-', &old, head, old.n - tail, out);
		add_rows('+', &new, head, new.n - tail, out);
	} else {
		diff_middle(&old, head, old.n - tail, &new, head, new.n - tail, out);
	}
	free(old.list);
	free(new.list);
}

/* "+ node1 eth2 dscp.prio[8] = 1": splits off what precedes the index, the index, and what follows it. */
static bool is_indexed(struct span line, struct span *head, uint64_t *index, struct span *tail)
{
	struct span rest, number;

	return span_cut(line, '[', head, &rest) && span_cut(rest, ']', &number, tail) && span_u64(number, index);
}

/* Folds lines that differ only by a consecutive index: "dscp.prio[8-15] = 1". */
static void fold(struct span text, struct buf *out)
{
	struct span line, next, head, tail, next_head, next_tail;
	uint64_t first, last, index;

	while (span_line(&text, &line)) {
		if (!is_indexed(line, &head, &first, &tail)) {
			buf_printf(out, "%.*s\n", (int)line.n, line.p);
			continue;
		}
		last = first;
		for (struct span rest = text; span_line(&rest, &next) && is_indexed(next, &next_head, &index, &next_tail) &&
		     index == last + 1 && span_same(head, next_head) && span_same(tail, next_tail); text = rest)
			last = index;
		if (last == first)
			buf_printf(out, "%.*s\n", (int)line.n, line.p);
		else
			buf_printf(out, "%.*s[%llu-%llu]%.*s\n", (int)head.n, head.p, (unsigned long long)first,
				   (unsigned long long)last, (int)tail.n, tail.p);
	}
}

void lines_diff(struct span a, struct span b, struct buf *out)
{
	struct buf rows = { 0 };

	diff_rows(a, b, &rows);
	fold(buf_span(&rows), out);
	buf_done(&rows);
}
