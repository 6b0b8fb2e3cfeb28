#include "remote/fixer/by_hand.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/remedy/remedy.h"
#include "remote/fixer/planner.h"
#include "remote/platforms.h"

#define SHELL_SIGNS	"|&;<>!*?$`(){}[]\"\\~#"

static const char *keep(struct by_hand *b, const struct buf *text)
{
	return arena_text(&b->arena, text->text ? text->text : "", text->n);
}

static void add_step(struct by_hand *b, const char *device, const char *commands, const char *disturbs, const char *persists,
		     const char *who)
{
	*GROW(b->list, b->n, b->cap) = (struct by_hand_step){ device, commands, disturbs, persists, who };
	b->n++;
}

static const char *administrator(bool is_switch)
{
	return is_switch ? "administrator" : "root";
}

/* -- settings: the steps of a plan, typed -- */

/* A line that the engine runs as root. False: it cannot be quoted. */
static bool add_as_root(const char *line, struct buf *out)
{
	bool by_shell = strpbrk(line, SHELL_SIGNS) != NULL;

	if (by_shell && strchr(line, '\''))
		return false;
	buf_printf(out, by_shell ? "sudo sh -c '%s'\n" : "sudo %s\n", line);
	return true;
}

/* The engine writes the file on the device; by hand, echo writes it into the current directory. */
static bool add_file(const struct fix_file *f, struct buf *out)
{
	struct span rest = span_of(f->text), line;

	if (strpbrk(f->text, "'\\"))
		return false;
	buf_str(out, "echo '");
	while (span_line(&rest, &line))
		buf_printf(out, "%.*s", (int)line.n, line.p);
	buf_printf(out, "' >%s\n", f->name);
	return true;
}

/* "config apply-patch /run/fabcon/P-….1/patch.json": the path without the step's directory. */
static bool add_line(const struct fix_step *s, const char *dir, const char *line, struct buf *out)
{
	const char *at = strstr(line, dir);
	size_t n = strlen(dir);
	struct buf typed = { NULL };
	bool is_done = true;

	if (!at || at[n] != '/')
		return add_as_root(line, out);
	for (size_t i = 0; i < s->n_files; i++)
		if (strcmp(s->files[i].name, at + n + 1) == 0)
			is_done = add_file(&s->files[i], out);
	buf_printf(&typed, "%.*s%s", (int)(at - line), line, at + n + 1);
	is_done = is_done && add_as_root(typed.text, out);
	buf_done(&typed);
	return is_done;
}

static void add_all(const char *const *lines, struct buf *out)
{
	for (; *lines; lines++)
		buf_printf(out, "%s\n", *lines);
}

static bool add_commands(const struct fix_plan *p, size_t step, struct buf *out)
{
	const struct fix_step *s = &p->steps[step];
	const struct dialect *d = dialect_find(s->platform);
	bool is_done = true;
	char dir[64];

	fix_step_dir(p, step, dir);
	if (d->lines_in_cli && s->lines.n)
		add_all(d->enter, out);
	for (size_t i = 0; is_done && i < s->lines.n; i++) {
		if (d->lines_in_cli)
			buf_printf(out, "%s\n", s->lines.list[i]);
		else
			is_done = add_line(s, dir, s->lines.list[i], out);
	}
	if (d->lines_in_cli && s->lines.n)
		add_all(d->leave, out);
	return is_done;
}

/* Adds the save commands; they are the change itself when a step has no other lines. */
static bool add_saves(const struct fix_step *s, struct buf *out)
{
	bool in_cli = dialect_find(s->platform)->lines_in_cli, is_done = true;

	for (size_t i = 0; is_done && i < s->save.n; i++) {
		if (in_cli)
			buf_printf(out, "%s\n", s->save.list[i]);
		else
			is_done = add_as_root(s->save.list[i], out);
	}
	return is_done;
}

static const char *persists(struct by_hand *b, const struct fix_step *s)
{
	struct buf text = { NULL }, saves = { NULL };
	const char *kept = NULL;

	if (s->lines.n && s->save.n && add_saves(s, &saves)) {
		buf_str(&text, "survives a reboot after: ");
		for (size_t i = 0; i + 1 < saves.n; i++)
			buf_add(&text, saves.text[i] == '\n' ? "; " : &saves.text[i], saves.text[i] == '\n' ? 2 : 1);
	} else if (s->save_note) {
		buf_str(&text, s->save_note);
	} else if (s->save.n) {
		buf_str(&text, "survives a reboot");
	}
	if (text.n)
		kept = keep(b, &text);
	buf_done(&text);
	buf_done(&saves);
	return kept;
}

/* Commands typed by hand have no rollback, so what only the rollback disturbs is left out. */
static const char *disturbs(struct by_hand *b, const struct fix_step *s)
{
	const char *undo = s->disturbs ? strstr(s->disturbs, FIX_UNDO_DISTURBS) : NULL;
	size_t n = s->disturbs ? undo ? (size_t)(undo - s->disturbs) : strlen(s->disturbs) : 0;

	while (undo && n && strchr("; ", s->disturbs[n - 1]))
		n--;
	return n ? arena_text(&b->arena, s->disturbs, n) : NULL;
}

static bool add_planned(struct by_hand *b, const struct fix_scene *s, const struct fix_plan *p, size_t step, struct err *err)
{
	const struct fix_step *from = &p->steps[step];
	const struct device *d = model_find_device(s->model, from->device);
	struct buf commands = { NULL };
	const struct dialect *dialect = dialect_find(from->platform);
	const char *lacks = dialect->lacks ? dialect->lacks(d) : NULL;
	bool is_done = !lacks && add_commands(p, step, &commands) && (from->lines.n || add_saves(from, &commands));

	if (lacks)
		err_set(err, "%.60s: %.400s", from->device, lacks);
	else if (!is_done || !commands.n)
		err_set(err, "%.60s: its commands cannot be typed as one line each; use the plan", from->device);
	else
		add_step(b, arena_text(&b->arena, from->device, strlen(from->device)), keep(b, &commands),
			 disturbs(b, from), persists(b, from),
			 administrator(device_is_switch(d, s->inventory)));
	is_done = is_done && commands.n;
	buf_done(&commands);
	return is_done;
}

static bool make_settings(const struct fix_scene *s, const struct finding *f, struct by_hand *b, struct err *err)
{
	struct edits edits = { NULL };
	struct fix_plan plan;
	bool is_done;

	fix_plan_init(&plan);
	is_done = fix_of_finding(s, f, &edits, err) &&
		  planner_make(s, &edits, f->check->title, f->check->id, model_now(s->model), &plan, err);
	for (size_t i = 0; is_done && i < plan.n_steps; i++)
		is_done = add_planned(b, s, &plan, i, err);
	fix_plan_done(&plan);
	edits_done(&edits);
	return is_done;
}

/* -- what the fix engine cannot set -- */

static void add_change(struct by_hand *b, const struct fix_scene *s, const struct finding *f, const struct device *d,
		       const struct port *p)
{
	const struct remedy_place at = { .device = d, .port = p, .policy = s->policy, .inventory = s->inventory };

	for (size_t i = 0; d && i < change_count; i++) {
		const struct remedy_change *c = &change_table[i];
		struct buf text = { NULL };

		if (remedy_change_fill(c, &at, f->check->id, &text))
			add_step(b, arena_text(&b->arena, d->name, strlen(d->name)), keep(b, &text), c->disturbs, c->persists,
				 c->who ? c->who : administrator(device_is_switch(d, s->inventory)));
		buf_done(&text);
	}
}

bool by_hand_make(const struct fix_scene *s, const struct finding *f, struct by_hand *out, struct err *err)
{
	const struct fix *fix = fix_find(f->check->id);

	if (fix && fix->fields)
		return make_settings(s, f, out, err);
	add_change(out, s, f, f->port ? f->port->device : f->device, f->port);
	if (f->far)
		add_change(out, s, f, f->far->device, f->far);
	return out->n || err_set(err, "no command fixes it; %.400s", fix_instead(f->check));
}

void by_hand_done(struct by_hand *b)
{
	arena_done(&b->arena);
	free(b->list);
	*b = (struct by_hand){ NULL };
}
