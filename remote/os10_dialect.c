/*
 * How the settings of an OS10 switch are changed. Its configuration in normal form is the tree of os10_tree.h as text; the
 * edits are made by os10_edit.h, the commands by os10_differ.h, and undone in the switch's own shell by os10_undo.h.
 */
#include <stdlib.h>

#include "remote/dialect.h"
#include "remote/os10.h"
#include "remote/os10_differ.h"
#include "remote/os10_edit.h"
#include "remote/os10_objects.h"
#include "remote/os10_undo.h"

#define CONFIG_PROBE	"running-config"

/* ---- the whole, and the part ---- */

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

static bool os10_setup(const struct model *m, const struct device *d, struct buf *out, struct err *err)
{
	const struct reply *reply = config_reply(d);
	struct os10_tree tree = { 0 };
	char reason[128];
	bool is_done = false;
	struct span running;

	if (!reply || !reply->raw)
		return err_set(err, "%s: its running configuration has not been read", d->name);
	if (reply->whole_us != reply->at_us)
		return err_set(err, "%s: its running configuration was cut short", d->name);
	if (reply_is_stale(m, reply))
		return err_set(err, "%s: its running configuration is old", d->name);
	running = running_part((struct span){ reply->raw, reply->raw_n });
	if (os10_refused(running, reason))
		return err_set(err, "%s does not show its running configuration: %s", d->name, reason);
	if (os10_tree_read(&tree, running, err)) {
		is_done = has_port(&tree) || err_set(err, "%s: no port is in what it printed as its configuration", d->name);
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
	bool *marked;

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

/* ---- edits ---- */

static bool os10_edit(struct span setup, const struct edit *edits, size_t n, struct buf *after, struct err *err)
{
	struct os10_tree tree = { 0 };
	bool is_done = os10_tree_read(&tree, setup, err) && os10_edit_tree(&tree, edits, n, err);

	if (is_done)
		os10_tree_print(&tree, after);
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
	bool is_done = os10_tree_read(&tree, setup, err) && os10_tree_read(&base, base_text, err) &&
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
		os10_tree_print(&tree, back);
	}
	os10_tree_done(&tree);
	os10_tree_done(&base);
	os10_tree_done(&after);
	return is_done;
}

/* ---- commands ---- */

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

/* Whether the port, or an object that it uses, says something else before and after. */
static bool is_disturbed(const struct os10_tree *from, const struct os10_tree *to, size_t port)
{
	bool *marked = xcalloc(to->n + 1, sizeof(*marked)), is_other = false;

	marked[port] = true;
	os10_mark_needed(to, marked);
	for (size_t i = 0; i < to->n && !is_other; i++) {
		const struct os10_block *was = marked[i] ? os10_find(from, to->blocks[i].kind, to->blocks[i].name) : NULL;

		is_other = marked[i] && (i == port || was) && (!was || !same_block(was, &to->blocks[i]));
	}
	free(marked);
	return is_other;
}

static bool goes_off(const struct os10_tree *from, const struct os10_block *port)
{
	const struct os10_block *was = os10_find(from, OS10_PORT, port->name);
	const char *receive = was ? os10_value(&was->parts[0], "flowcontrol receive") : NULL;
	const char *now = os10_value(&port->parts[0], "flowcontrol receive");

	return receive && now && !strcmp(receive, "on") && !strcmp(now, "off");
}

static const char *disturbs(const struct os10_tree *from, const struct os10_tree *to, struct arena *arena)
{
	struct buf text = { 0 };
	const char *kept = NULL;
	bool is_flow = false;

	for (size_t i = 0; i < to->n; i++)
		if (to->blocks[i].kind == OS10_PORT && is_disturbed(from, to, i)) {
			buf_printf(&text, "%s%s", text.n ? " " : "", to->blocks[i].name);
			is_flow |= goes_off(from, &to->blocks[i]);
		}
	if (text.n) {
		buf_str(&text, ": queues and pauses are set anew, traffic may be held or lost for a moment");
		if (is_flow)
			buf_str(&text, "; 802.3x flow control goes off, since PFC excludes it");
		kept = arena_text(arena, text.text, text.n);
	}
	buf_done(&text);
	return kept;
}

static void save_by(struct fix_step *step, struct arena *arena)
{
	*GROW(step->save.list, step->save.n, step->save.cap) = arena_text(arena, "write memory", strlen("write memory"));
	step->save.n++;
}

static bool os10_commands(struct span from, struct span to, const struct dialect_place *place, struct arena *arena,
			  struct fix_step *step, struct err *err)
{
	struct os10_tree before = { 0 }, after = { 0 };
	bool is_done;

	(void)place;
	is_done = os10_tree_read(&before, from, err) && os10_tree_read(&after, to, err) &&
		  os10_differ(&before, &after, arena, &step->lines, err) &&
		  os10_differ(&after, &before, arena, &step->undo, err);
	if (is_done) {
		step->disturbs = disturbs(&before, &after, arena);
		save_by(step, arena);
	}
	os10_tree_done(&before);
	os10_tree_done(&after);
	return is_done;
}

static const char *const enter[] = { "configure terminal", NULL };
static const char *const leave[] = { "end", NULL };

const struct dialect os10_dialect = {
	.can_set = os10_can_set, .setup = os10_setup, .part = os10_part_of, .edit = os10_edit, .restore = os10_restore,
	.commands = os10_commands,
	.lines_in_cli = true, .enter = enter, .leave = leave,
	.undo_script = os10_undo_script, .rehearse = os10_rehearse,
};
