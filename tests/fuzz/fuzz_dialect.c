/*
 * A device's configuration, as any text, changed: read, edited, turned into commands and back. An input is a platform, the
 * edits that are wanted, a line "--" and the text: a reply with its configuration (of hosts: facts), or a setup in normal
 * form; behind another line "--" the one that it is to become.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/model/model.h"
#include "remote/platform/dialect.h"
#include "remote/platform/platform.h"
#include "remote/platforms.h"

#define EDITS_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
	const char *platform, *device, *probe;	/* probe NULL: its facts are written out */
} kinds[] = {
	{ "linux", "node1", NULL }, { "os10", "leaf1", "running-config" }, { "sonic", "leaf1", "config-db" },
};

static size_t kind_of(struct span name)
{
	size_t i = 0;

	while (i < 3 && !span_is(name, kinds[i].platform))
		i++;
	return i;
}

/* Edits up to the line "--". */
static size_t read_edits(struct span *rest, struct arena *arena, struct edit *edits)
{
	struct span line;
	size_t n = 0;

	while (span_line(rest, &line) && !span_is(line, "--"))
		if (n < EDITS_MAX && edit_parse(line, arena, &edits[n], NULL))
			n++;
	return n;
}

/* What stands before a line "--" of it. */
static struct span take_text(struct span *rest)
{
	const char *end = span_find(*rest, "\n--\n");
	struct span text = { rest->p, end ? (size_t)(end - rest->p) + 1 : rest->n };

	*rest = end ? (struct span){ end + 4, rest->n - text.n - 3 } : (struct span){ rest->p + rest->n, 0 };
	return text;
}

static bool hear(size_t kind, struct span text, struct obs *o)
{
	const struct platform *p = platform_find(kinds[kind].platform);

	if (!kinds[kind].probe)
		return obs_read(o, text, NULL);
	return platform_parse(p, platform_probe(p, kinds[kind].probe), &(struct answer){ .text = text, .status = 0 }, o), true;
}

/* As the model knows it once the text was heard. */
static bool setup_of(size_t kind, struct span text, struct buf *out)
{
	const struct dialect *d = dialect_find(kinds[kind].platform);
	struct model *m = model_new();
	const struct device *device;
	struct err err;
	struct obs o;
	bool done;

	obs_init(&o, kinds[kind].device, kinds[kind].probe ? kinds[kind].probe : "test");
	done = hear(kind, text, &o);
	o.at_us = 1000000;
	o.period_us = 30000000;
	model_apply(m, &o);
	model_set_now(m, 1000000);
	device = model_find_device(m, kinds[kind].device);
	done = done && device && d->setup(m, device, out, &err);
	obs_done(&o);
	model_free(m);
	return done;
}

static void assert_commands(const struct fix_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		for (const char *c = lines->list[i]; *c; c++)
			assert(*c >= ' ' && *c < 0x7f);
}

/* What was made of it is a plan that is read again. */
static void assert_step(size_t kind, struct fix_step *step, struct fix_plan *plan)
{
	struct fix_plan back = { NULL };
	struct buf text = { NULL };
	struct err err;

	assert_commands(&step->lines);
	assert_commands(&step->undo);
	assert_commands(&step->save);
	step->device = kinds[kind].device;
	step->platform = kinds[kind].platform;
	step->base = step->after = "";
	plan->id = "P-1";
	plan->made_us = plan->verify_us = SECOND;
	plan->fabric = plan->policy = plan->title = "x";
	*GROW(plan->steps, plan->n_steps, plan->cap_steps) = *step;
	plan->n_steps++;
	*GROW(plan->units, plan->n_units, plan->cap_units) = (struct fix_unit){ .n = 1, .wave = 1 };
	plan->n_units++;
	fix_plan_write(plan, &text);
	if (!fix_plan_read(&back, buf_span(&text), &err)) {
		fprintf(stderr, "%s\n%s\n", err.text, text.text);
		abort();
	}
	fix_plan_done(&back);
	buf_done(&text);
}

static void command(size_t kind, struct span from, struct span to)
{
	const struct dialect *d = dialect_find(kinds[kind].platform);
	struct dialect_place place = { kinds[kind].device, "/run/fabcon/P-1.1", "fabcon-P-1-1" };
	struct fix_plan plan = { NULL };
	struct fix_step step = { NULL };
	struct buf sh = { NULL };
	struct err err;

	fix_plan_init(&plan);
	if (d->commands(from, to, &place, &plan.arena, &step, &err)) {
		if (d->undo_script)
			d->undo_script(&step.undo, &sh);
		if (d->prepare)
			d->prepare(&step, &place, &sh);
		assert_step(kind, &step, &plan);
	} else {
		free(step.lines.list);
		free(step.undo.list);
		free(step.save.list);
		free(step.files);
	}
	fix_plan_done(&plan);
	buf_done(&sh);
}

static void change(size_t kind, struct span setup, const struct edit *edits, size_t n)
{
	const struct dialect *d = dialect_find(kinds[kind].platform);
	struct buf after = { NULL }, base = { NULL }, part = { NULL }, back = { NULL };
	struct err err;

	d->part(setup, edits, n, &base);
	if (d->edit(setup, edits, n, &after, &err)) {
		command(kind, setup, buf_span(&after));
		command(kind, buf_span(&after), setup);
		d->part(buf_span(&after), edits, n, &part);
		if (d->restore)
			d->restore(buf_span(&after), buf_span(&base), buf_span(&part), &back, &err);
	}
	buf_done(&after);
	buf_done(&base);
	buf_done(&part);
	buf_done(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span rest = { (const char *)data, size }, line, from, to;
	struct edit edits[EDITS_MAX];
	struct arena arena = { NULL };
	struct buf setup = { NULL };
	size_t kind, n;

	if (size > 8192 || !span_line(&rest, &line) || (kind = kind_of(line)) == 3)
		return 0;
	n = read_edits(&rest, &arena, edits);
	from = take_text(&rest);
	to = take_text(&rest);
	if (!to.n && setup_of(kind, from, &setup))
		from = buf_span(&setup);
	change(kind, from, edits, n);
	if (to.n)
		command(kind, from, to);
	buf_done(&setup);
	arena_done(&arena);
	return 0;
}
