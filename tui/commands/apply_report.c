#include "tui/commands/apply_report.h"

#include <stdlib.h>

#include "tui/text/safe.h"

/* -- JSON -- */

static json_t *lines_json(const struct fix_lines *lines)
{
	json_t *list = json_array();

	for (size_t i = 0; i < lines->n; i++)
		json_array_append_new(list, json_text(lines->list[i]));
	return list;
}

static json_t *step_json(const struct apply_report *said, size_t i)
{
	const struct fix_step *step = &fixing_plan(said->fixing)->steps[i];
	struct fix_progress p;
	struct buf one_end = { 0 };
	json_t *json = json_object();

	fixing_progress(said->fixing, i, &p);
	json_object_set_new(json, "device", json_text(step->device));
	json_object_set_new(json, "state", json_text(fix_state_word(p.state)));
	json_object_set_new(json, "words", json_text(p.words));
	json_object_set_new(json, "lines", json_integer((json_int_t)p.lines_done));
	json_object_set_new(json, "diff", json_text(p.diff));
	fix_plan_say_one_end(fixing_plan(said->fixing), i, &one_end);
	json_object_set_new(json, "one_end", json_text(one_end.text));
	buf_done(&one_end);
	if (said->goal == FIXER_REHEARSE)
		json_object_set_new(json, "would", lines_json(&step->lines));
	return json;
}

static json_t *head_json(const struct fix_plan *plan, const char *end, const char *words)
{
	char hash[FIX_HASH_SIZE];
	json_t *json = json_object();

	fix_plan_hash(plan, hash);
	json_object_set_new(json, "schema", json_text("fabcon.apply/1"));
	json_object_set_new(json, "plan", json_text(plan->id));
	json_object_set_new(json, "hash", json_text(hash));
	json_object_set_new(json, "end", json_text(end));
	json_object_set_new(json, "words", json_text(words));
	return json;
}

static void print_json(json_t *json)
{
	struct buf out = { 0 };

	json_add(json, JSON_INDENT(1), &out);
	fwrite(out.text, 1, out.n, stdout);
	fflush(stdout);
	buf_done(&out);
	json_decref(json);
}

static void print_document(const struct apply_report *said)
{
	json_t *json = head_json(fixing_plan(said->fixing), said->end, said->words), *steps = json_array();

	for (size_t i = 0; i < fixing_plan(said->fixing)->n_steps; i++)
		json_array_append_new(steps, step_json(said, i));
	json_object_set_new(json, "steps", steps);
	print_json(json);
}

void apply_report_refusal(const struct cli *cli, const struct fix_plan *plan, const char *words)
{
	json_t *json;

	if (cli->format != SHEET_JSON)
		return;
	json = head_json(plan, "refused", words);
	json_object_set_new(json, "steps", json_array());
	print_json(json);
}

/* -- for people -- */

static void would(const char *device, const char *what, const char *line)
{
	struct buf safe = { 0 };

	safe_add(&safe, span_of(line), false);
	printf("WOULD %s %s%s%s\n", what, device, *line ? ": " : "", safe.text ? safe.text : "");
	buf_done(&safe);
}

static void would_not(const char *device, const struct fix_progress *p)
{
	struct buf line = { 0 };

	buf_printf(&line, "%s%s%s", fix_state_says(p->state), *p->words ? ": " : "", p->words);
	would(device, "not touch", line.text);
	buf_done(&line);
}

/* What would be sent to a device that stands as the plan found it. */
static void print_rehearsal(const struct fix_step *step)
{
	if (step->disturbs)
		would(step->device, "disturb", step->disturbs);
	would(step->device, "lock and arm", "");
	for (size_t i = 0; i < step->lines.n; i++)
		would(step->device, "run on", step->lines.list[i]);
	for (size_t i = 0; i < step->save.n; i++)
		would(step->device, "save on", step->save.list[i]);
}

static void print_rehearsals(const struct apply_report *said)
{
	const struct fix_plan *plan = fixing_plan(said->fixing);
	struct fix_progress p;

	for (size_t i = 0; i < plan->n_steps; i++) {
		fixing_progress(said->fixing, i, &p);
		if (p.state == FIX_REFUSED || p.state == FIX_NOT_REACHED || p.state == FIX_NOTHING_TO_DO || p.state == FIX_UNKNOWN ||
		    p.state == FIX_MIXED)
			would_not(plan->steps[i].device, &p);
		else
			print_rehearsal(&plan->steps[i]);
	}
}

static void print_sheet(const struct cli *cli, const struct apply_report *said)
{
	const struct fix_plan *plan = fixing_plan(said->fixing);
	struct sheet *sheet = sheet_new("fabcon.apply/1", "device state words lines!");
	struct fix_progress p;

	for (size_t i = 0; i < plan->n_steps; i++) {
		fixing_progress(said->fixing, i, &p);
		sheet_row(sheet);
		sheet_text(sheet, plan->steps[i].device);
		sheet_cell(sheet, json_text(fix_state_word(p.state)), fix_state_says(p.state));
		sheet_cell(sheet, json_text(p.words), *p.words ? p.words : "-");
		sheet_number(sheet, p.lines_done);
	}
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
}

void apply_report(const struct cli *cli, const struct apply_report *said)
{
	if (cli->format == SHEET_JSON)
		print_document(said);
	else if (cli->format == SHEET_TABLE && said->goal == FIXER_REHEARSE)
		print_rehearsals(said);
	else
		print_sheet(cli, said);
}
