/*
 * How the settings of an OS10 switch are changed. Its configuration in normal form is the tree of os10_tree.h as text; the
 * edits are made by os10_edit.h, the commands by os10_diff.h, and undone in the switch's own shell by os10_undo.h.
 */
#include <stdlib.h>

#include "remote/os10/diff.h"
#include "remote/os10/edit.h"
#include "remote/os10/objects.h"
#include "remote/os10/os10.h"
#include "remote/os10/undo.h"
#include "remote/platform/dialect.h"
#include "remote/platform/startup_config.h"
#include "remote/platform/whole.h"

#define CONFIG_PROBE	"running-config"

/* -- the whole, and the part -- */

/* Of the probe's reply what the first of its two commands printed. */
static struct span running_part(struct span text)
{
	struct span rest = text, line;

	while (span_line(&rest, &line))
		if (span_is(span_trim(line), OS10_STARTUP))
			return (struct span){ text.p, (size_t)(line.p - text.p) };
	return text;
}

static const struct reply *config_reply(const struct device *d)
{
	for (size_t i = 0; i < d->n_replies; i++)
		if (!strcmp(d->replies[i]->probe, CONFIG_PROBE) && !d->replies[i]->subject)
			return d->replies[i];
	return NULL;
}

static bool has_port(const struct os10_tree *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->blocks[i].kind == OS10_PORT)
			return true;
	return false;
}

/* The last answer, too: setup reads its text. */
static bool os10_is_whole(const struct device *d, int64_t since_us, struct err *err)
{
	const struct reply *r = config_reply(d);

	return whole_answer(d, CONFIG_PROBE, NULL, r && r->at_us > since_us ? r->at_us : since_us, err);
}

static bool os10_setup(const struct model *m, const struct device *d, struct buf *out, struct err *err)
{
	const struct reply *reply = config_reply(d);
	struct os10_tree tree = { 0 };
	char reason[128];
	bool is_done = false;
	uint64_t is_saved;
	struct span running;

	if (!reply || !reply->raw)
		return err_set(err, "%s: its running configuration has not been read", d->name);
	if (reply->whole_us != reply->at_us)
		return err_set(err, "%s: its running configuration was truncated", d->name);
	if (reply_is_stale(m, reply))
		return err_set(err, "%s: its running configuration is stale", d->name);
	running = running_part((struct span){ reply->raw, reply->raw_n });
	if (os10_refused(running, reason))
		return err_set(err, "%s does not show its running configuration: %s", d->name, reason);
	if (os10_tree_read(&tree, running, err)) {
		is_done = has_port(&tree) || err_set(err, "%s: no ports in its running configuration", d->name);
		if (is_done && device_number(m, d, FIELD_CONFIG_SAVED, 0, &is_saved))
			startup_config_print(is_saved ? SAVED_YES : SAVED_NO, out);
		if (is_done)
			os10_tree_print(&tree, out);
	}
	os10_tree_done(&tree);
	return is_done;
}

static bool is_edited(const struct os10_block *b, const struct edit *edits, size_t n)
{
	for (size_t i = 0; b->kind == OS10_PORT && i < n; i++)
		if (edits[i].port && !strcmp(edits[i].port, b->name))
			return true;
	return false;
}

/* An object of ours that nothing uses is left over from a change that stopped on its way: the part tells it. */
static void mark_leftovers(const struct os10_tree *t, bool *marked)
{
	bool *used = os10_used(t);

	for (size_t i = 0; i < t->n; i++)
		marked[i] |= !used[i] && os10_is_own(&t->blocks[i]);
	free(used);
}

static void os10_part_of(struct span setup, const struct edit *edits, size_t n, struct buf *out)
{
	struct os10_tree tree = { 0 };
	enum saved saved = startup_config_take(&setup);
	bool *marked;

	if (startup_config_wants_only_saving(edits, n))
		return startup_config_print(saved, out);
	if (!os10_tree_read(&tree, setup, NULL)) {
		os10_tree_done(&tree);
		return;
	}
	marked = xcalloc(tree.n + 1, sizeof(*marked));
	for (size_t i = 0; i < tree.n; i++)
		marked[i] = tree.blocks[i].kind == OS10_SYSTEM || is_edited(&tree.blocks[i], edits, n);
	os10_mark_needed(&tree, marked);
	mark_leftovers(&tree, marked);
	for (size_t i = 0; i < tree.n; i++)
		if (marked[i])
			os10_block_print(&tree.blocks[i], out);
	free(marked);
	os10_tree_done(&tree);
}

/* -- edits -- */

static bool os10_edit(struct span setup, const struct edit *edits, size_t n, struct buf *after, struct err *err)
{
	struct os10_tree tree = { 0 };
	enum saved saved = startup_config_take(&setup);
	bool is_done = os10_tree_read(&tree, setup, err) && os10_edit_tree(&tree, edits, n, err);

	if (is_done && startup_config_wants_saving(edits, n)) {
		is_done = saved != SAVED_UNKNOWN || err_set(err, "whether the configuration is saved is not known");
		saved = SAVED_YES;
	}
	if (is_done) {
		startup_config_print(saved, after);
		os10_tree_print(&tree, after);
	}
	os10_tree_done(&tree);
	return is_done;
}

/* An object that was made on the way goes again, unless somebody else has come to use it. */
static void drop_made(struct os10_tree *t, const struct os10_tree *base, const struct os10_tree *after)
{
	bool *used = os10_used(t);
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct os10_block *b = &t->blocks[i];
		bool was_made = os10_find(after, b->kind, b->name) && !os10_find(base, b->kind, b->name);

		if (was_made && !used[i] && os10_is_own(b))
			os10_block_done(b);
		else
			t->blocks[kept++] = *b;
	}
	t->n = kept;
	free(used);
}

static bool os10_restore(struct span setup, struct span base_text, struct span after_text, struct buf *back, struct err *err)
{
	struct os10_tree tree = { 0 }, base = { 0 }, after = { 0 };
	enum saved saved = startup_config_take(&setup);
	bool is_done;

	startup_config_take(&base_text); /* what was saved stays saved */
	startup_config_take(&after_text);
	is_done = os10_tree_read(&tree, setup, err) && os10_tree_read(&base, base_text, err) &&
		  os10_tree_read(&after, after_text, err);

	for (size_t i = 0; i < base.n && is_done; i++) {
		const struct os10_block *was = &base.blocks[i];

		if (!os10_find(&tree, was->kind, was->name))
			os10_add(&tree, was->kind, was->name);
		os10_take_content(os10_find(&tree, was->kind, was->name), was);
	}
	if (is_done) {
		os10_tree_sort(&tree);
		drop_made(&tree, &base, &after);
		startup_config_print(saved, back);
		os10_tree_print(&tree, back);
	}
	os10_tree_done(&tree);
	os10_tree_done(&base);
	os10_tree_done(&after);
	return is_done;
}

/* -- commands -- */

static bool same_block(const struct os10_block *a, const struct os10_block *b)
{
	struct buf x = { 0 }, y = { 0 };
	bool is_same;

	os10_block_print(a, &x);
	os10_block_print(b, &y);
	is_same = x.n == y.n && !memcmp(x.text, y.text, x.n);
	buf_done(&x);
	buf_done(&y);
	return is_same;
}

static bool differs_in(const struct os10_part *a, const struct os10_part *b, const char *key)
{
	const char *x = os10_value(a, key), *y = os10_value(b, key);

	return x && y ? strcmp(x, y) != 0 : x || y;
}

/* Whether an object that the port uses says something else before and after. */
static bool has_other_objects(const struct os10_tree *from, const struct os10_tree *to, size_t port)
{
	bool *marked = xcalloc(to->n + 1, sizeof(*marked)), is_other = false;

	marked[port] = true;
	os10_mark_needed(to, marked);
	for (size_t i = 0; i < to->n && !is_other; i++) {
		const struct os10_block *was = marked[i] ? os10_find(from, to->blocks[i].kind, to->blocks[i].name) : NULL;

		is_other = i != port && was && !same_block(was, &to->blocks[i]);
	}
	free(marked);
	return is_other;
}

/* What happens to the traffic of a port; in words, or nothing. */
static void disturbs_port(const struct os10_tree *from, const struct os10_tree *to, size_t at, struct buf *out)
{
	static const char *const keys[] = {
		"trust-map dot1p", "trust-map dscp", "qos-map traffic-class", "service-policy input type network-qos",
		"service-policy output type queuing", "ets mode", "priority-flow-control mode",
	};
	const struct os10_block *was = os10_find(from, OS10_PORT, to->blocks[at].name);
	const struct os10_part *now = &to->blocks[at].parts[0];
	bool is_anew = has_other_objects(from, to, at);
	const char *receive = os10_value(now, "flowcontrol receive"), *between = ": ";

	for (size_t i = 0; was && i < sizeof(keys) / sizeof(*keys); i++)
		is_anew |= differs_in(&was->parts[0], now, keys[i]);
	if (!was || (same_block(was, &to->blocks[at]) && !is_anew))
		return;
	buf_printf(out, "%s%s", out->n ? ". " : "", to->blocks[at].name);
	if (is_anew) {
		buf_printf(out, "%squeues and PFC are reconfigured: traffic may be paused or lost briefly", between);
		between = "; ";
	}
	if (differs_in(&was->parts[0], now, "flowcontrol receive") || differs_in(&was->parts[0], now, "flowcontrol transmit")) {
		buf_printf(out, "%s802.3x flow control turns %s", between,
			   receive && !strcmp(receive, "off") ? "off: PFC excludes it" : "on");
		between = "; ";
	}
	if (differs_in(&was->parts[0], now, "mtu"))
		buf_printf(out, "%sits MTU changes", between);
}

static const char *disturbs(const struct os10_tree *from, const struct os10_tree *to, struct arena *arena)
{
	struct buf text = { 0 };
	const char *kept = NULL;

	for (size_t i = 0; i < to->n; i++)
		if (to->blocks[i].kind == OS10_PORT)
			disturbs_port(from, to, i, &text);
	if (text.n)
		kept = arena_text(arena, text.text, text.n);
	buf_done(&text);
	return kept;
}

static void add_line(struct fix_lines *lines, struct arena *arena, const char *line)
{
	const char **place = GROW(lines->list, lines->n, lines->cap);

	*place = arena_text(arena, line, strlen(line));
	lines->n++;
}

static bool os10_commands(struct span from, struct span to, const struct dialect_place *place, struct arena *arena,
			  struct fix_step *step, struct err *err)
{
	bool is_to_be_saved = startup_config_take(&from) == SAVED_NO,
	     saves = startup_config_take(&to) == SAVED_YES && is_to_be_saved;
	struct os10_tree before = { 0 }, after = { 0 };
	bool is_done;

	(void)place;
	is_done = os10_tree_read(&before, from, err) && os10_tree_read(&after, to, err) &&
		  os10_diff(&before, &after, arena, &step->lines, err) &&
		  os10_diff(&after, &before, arena, &step->undo, err);
	if (is_done) {
		step->disturbs = disturbs(&before, &after, arena);
		if (step->lines.n || !saves)
			add_line(&step->save, arena, "write memory");
		else
			add_line(&step->lines, arena, "do write memory");
	}
	os10_tree_done(&before);
	os10_tree_done(&after);
	return is_done;
}

static const char *const enter[] = { "configure terminal", NULL };
static const char *const leave[] = { "end", NULL };

const struct dialect os10_dialect = {
	.can_set = os10_can_set, .setup = os10_setup, .is_whole = os10_is_whole, .part = os10_part_of,
	.edit = os10_edit, .restore = os10_restore, .commands = os10_commands,
	.lines_in_cli = true, .enter = enter, .leave = leave,
	.undo_script = os10_undo_script, .rehearse = os10_rehearse,
};
