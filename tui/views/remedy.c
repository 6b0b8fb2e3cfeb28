#include "tui/views/remedy.h"

#include <stdio.h>

#include "remote/fixer/by_hand.h"
#include "remote/platforms.h"
#include "tui/text/call.h"
#include "tui/text/sheet.h"

/* Of a place, what can be typed in a shell as it stands. */
#define PLAIN	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:/._-"

void remedy_target(const struct finding *f, struct buf *out)
{
	buf_str(out, f->check->id);
	if (*f->where && !f->where[strspn(f->where, PLAIN)])
		buf_printf(out, "@%s", f->where);
	else if (f->port && f->port->device == f->device)
		buf_printf(out, "@%s:%s", f->device->name, f->port->name);
}

/* -- pages -- */

static void add_step(struct page *p, const struct by_hand_step *s, int width)
{
	struct span rest = span_of(s->commands), line;
	char label[96];

	page_add(p, ROLE_IS_TEXT, "  by hand  at %s (%s):", s->device, s->who);
	while (span_line(&rest, &line))	/* never wrapped: each is copied as one command */
		page_add(p, ROLE_IS_LOOK, "             %.*s", (int)line.n, line.p);
	snprintf(label, sizeof(label), "           disturbs: %.60s", s->disturbs ? "" : "nothing");
	page_wrap(p, ROLE_IS_MUTED, label, s->disturbs ? s->disturbs : "", width);
	if (s->persists)
		page_wrap(p, ROLE_IS_MUTED, "           reboot: ", s->persists, width);
}

void remedy_page(struct page *p, const struct view_of *of, const struct finding *f, int width)
{
	const struct fix_scene scene = { of->model, of->links, of->policy, of->inventory, dialect_can_set };
	const struct fix *fix = fix_find(f->check->id);
	struct by_hand hand = { NULL };
	struct err why;

	if (f->cause || f->verdict < VERDICT_LOOK || !f->is_open)
		return;
	if (by_hand_make(&scene, f, &hand, &why))
		for (size_t i = 0; i < hand.n; i++)
			add_step(p, &hand.list[i], width);
	else if (fix && fix->fields)	/* others say already who fixes it */
		page_wrap(p, ROLE_IS_MUTED, "  by hand  ", why.text, width);
	by_hand_done(&hand);
}

/* -- documents -- */

static json_t *commands_json(const char *commands)
{
	struct span rest = span_of(commands), line;
	json_t *list = json_array();

	while (span_line(&rest, &line))
		json_array_append_new(list, json_stringn(line.p, line.n));
	return list;
}

static json_t *step_json(const struct by_hand_step *s)
{
	json_t *json = json_object();

	json_object_set_new(json, "device", json_text(s->device));
	json_object_set_new(json, "commands", commands_json(s->commands));
	json_object_set_new(json, "disturbs", json_text(s->disturbs));
	json_object_set_new(json, "persists", json_text(s->persists));
	json_object_set_new(json, "who", json_text(s->who));
	return json;
}

static bool is_sign(const struct suspect *s, const struct finding *f)
{
	for (size_t i = 0; i < SIGNS_MAX && s->cause->signs[i].check; i++)
		if (strcmp(s->cause->signs[i].check, f->check->id) == 0)
			return s->port ? f->port == s->port || f->far == s->port : f->device == s->device;
	return false;
}

/* The finding that the cause was known by: a root before what follows from it. */
static const struct finding *finding_of(const struct diagnosis *d, const struct suspect *s)
{
	const struct finding *const *list, *best = NULL;
	size_t n = findings_open(d->of.findings, &list);

	for (size_t i = 0; i < n; i++)
		if (list[i]->verdict >= VERDICT_LOOK && is_sign(s, list[i]) && (!best || (best->cause && !list[i]->cause)))
			best = list[i];
	return best;
}

static void add_remedy(json_t *json, const struct fix_scene *scene, const struct finding *f)
{
	const struct fix *fix = f ? fix_find(f->check->id) : NULL;
	struct by_hand hand = { NULL };
	struct buf plan = { NULL };
	json_t *steps = json_array();
	struct err why = { "" };

	if (f && by_hand_make(scene, f, &hand, &why))
		for (size_t i = 0; i < hand.n; i++)
			json_array_append_new(steps, step_json(&hand.list[i]));
	if (hand.n && fix && fix->fields) {	/* what cannot be planned now has no plan to offer, but a reason */
		buf_printf(&plan, "%s plan ", call_words());
		remedy_target(f, &plan);
	}
	json_object_set_new(json, "plan", json_text(plan.text));
	json_object_set_new(json, "by_hand", steps);
	json_object_set_new(json, "by_hand_why_not", json_text(json_array_size(steps) ? NULL : *why.text ? why.text : NULL));
	by_hand_done(&hand);
	buf_done(&plan);
}

void remedy_of_suspect(json_t *json, const struct diagnosis *d, const struct suspect *s)
{
	const struct fix_scene scene = { d->of.model, d->of.links, d->of.policy, d->of.inventory, dialect_can_set };

	json_object_set_new(json, "do", json_text(s->cause->change));
	add_remedy(json, &scene, finding_of(d, s));
}

void remedy_of_finding(json_t *json, const struct view_of *of, const struct finding *f)
{
	const struct fix_scene scene = { of->model, of->links, of->policy, of->inventory, dialect_can_set };

	add_remedy(json, &scene, f->cause || f->verdict < VERDICT_LOOK ? NULL : f);
}

static const char *text_at(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static void step_text(const json_t *step, bool markdown, struct buf *out)
{
	const json_t *commands = json_object_get(step, "commands"), *line;
	size_t i;

	buf_printf(out, markdown ? "   - by hand, at %s (%s):\n" : "     by hand  at %s (%s):\n", text_at(step, "device"),
		   text_at(step, "who"));
	json_array_foreach(commands, i, line)
		buf_printf(out, markdown ? "     `%s`\n" : "                %s\n", json_string_value(line));
	buf_printf(out, markdown ? "     (disturbs: %s" : "              (disturbs: %s", text_at(step, "disturbs") ? text_at(step, "disturbs") :
		   "nothing");
	if (text_at(step, "persists"))
		buf_printf(out, "; reboot: %s", text_at(step, "persists"));
	buf_str(out, ")\n");
}

void remedy_text(const json_t *cause, bool markdown, struct buf *out)
{
	const json_t *steps = json_object_get(cause, "by_hand"), *step;
	size_t i;

	buf_printf(out, markdown ? "   - do: %s\n" : "     do       %s\n", text_at(cause, "do"));
	if (text_at(cause, "plan"))
		buf_printf(out, markdown ? "   - plan: `%s`\n" : "     plan     %s\n", text_at(cause, "plan"));
	else if (text_at(cause, "by_hand_why_not") && !text_at(cause, "plan"))
		buf_printf(out, markdown ? "   - by hand: %s\n" : "     by hand  %s\n", text_at(cause, "by_hand_why_not"));
	json_array_foreach(steps, i, step)
		step_text(step, markdown, out);
}
