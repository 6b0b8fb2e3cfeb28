/* Its normal form is its own: the "nv set interface" lines of its configuration. */
#include <stdio.h>
#include <string.h>

#include "core/base/template.h"
#include "remote/cumulus/cumulus.h"
#include "remote/platform/dialect.h"

static bool can_set(enum field f, bool of_port)
{
	return of_port && f == FIELD_MTU;
}

static bool setup(const struct model *m, const struct device *d, struct buf *out, struct err *err)
{
	const struct reply *r = NULL;
	struct span rest, line;

	for (size_t i = 0; i < d->n_replies; i++)
		if (!strcmp(d->replies[i]->probe, "config"))
			r = d->replies[i];
	if (!r || !r->raw || r->whole_us < r->at_us || reply_is_stale(m, r))
		return err_set(err, "%s: its configuration was not read whole, or too long ago", d->name);
	rest = (struct span){ r->raw, r->raw_n };
	while (span_line(&rest, &line))
		if (span_starts(line, "nv set interface "))
			buf_printf(out, "%.*s\n", (int)line.n, line.p);
	return out->n || err_set(err, "%s: its configuration could not be parsed", d->name);
}

/* The edit of this line's port; NULL: none. */
static const struct edit *edit_of(struct span line, const struct edit *edits, size_t n)
{
	struct span port;
	uint64_t mtu;

	for (size_t i = 0; i < n && cumulus_mtu_line(line, &port, &mtu); i++)
		if (span_is(port, edits[i].port))
			return &edits[i];
	return NULL;
}

static void part(struct span text, const struct edit *edits, size_t n, struct buf *out)
{
	struct span line;

	while (span_line(&text, &line))
		if (edit_of(line, edits, n))
			buf_printf(out, "%.*s\n", (int)line.n, line.p);
}

static bool edit(struct span text, const struct edit *edits, size_t n, struct buf *after, struct err *err)
{
	struct span line;
	size_t done = 0;

	while (span_line(&text, &line)) {
		const struct edit *e = edit_of(line, edits, n);

		if (e && !template_fill(after, err, "nv set interface {port} link mtu {number}\n", e->port, e->want.n - CUMULUS_HEADERS))
			return false;
		if (!e)
			buf_printf(after, "%.*s\n", (int)line.n, line.p);
		done += e != NULL;
	}
	return done == n || err_set(err, "a port has no MTU of its own in the configuration");
}

static bool has_line(struct span text, struct span wanted)
{
	struct span line;

	while (span_line(&text, &line))
		if (span_same(line, wanted))
			return true;
	return false;
}

static void add_line(struct fix_lines *lines, struct arena *arena, struct span text)
{
	const char **line = GROW(lines->list, lines->n, lines->cap);

	*line = arena_text(arena, text.p, text.n);
	lines->n++;
}

/* What to has and from has not, filled into the command again: a device's own bytes are never sent back. */
static bool add_lines(struct span from, struct span to, struct arena *arena, struct fix_lines *lines, struct err *err)
{
	struct span line, port;
	uint64_t mtu;

	while (span_line(&to, &line)) {
		struct buf text = { NULL };
		char name[64];

		if (has_line(from, line) || !cumulus_mtu_line(line, &port, &mtu))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)port.n, port.p);
		if (!template_fill(&text, err, "nv set interface {port} link mtu {number}", name, mtu))
			return false;
		add_line(lines, arena, buf_span(&text));
		buf_done(&text);
	}
	if (lines->n)
		add_line(lines, arena, SPAN("nv config apply -y"));
	return true;
}

static bool commands(struct span from, struct span to, const struct dialect_place *place, struct arena *arena,
		     struct fix_step *step, struct err *err)
{
	(void)place;
	if (!add_lines(from, to, arena, &step->lines, err) || !add_lines(to, from, arena, &step->undo, err))
		return false;
	add_line(&step->save, arena, SPAN("nv config save"));
	step->disturbs = "the link goes down while the port takes its MTU";
	return true;
}

const struct dialect cumulus_dialect = { .can_set = can_set, .setup = setup, .part = part, .edit = edit, .commands = commands };
