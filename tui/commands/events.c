/* events, changes and note: what happened in a recording, and what was different between two times of it. */
#include <math.h>

#include "tui/commands/commands.h"
#include "tui/session/changes.h"
#include "tui/text/human.h"
#include "tui/text/times.h"

#define EVENT_COLUMNS	"at kind where what"
#define CHANGE_COLUMNS	"kind where what values at"

/* The times of --since and --until; without them, all of the recording. */
static bool times(const struct cli *cli, const struct session *s, int64_t *since, int64_t *until)
{
	struct replay *r = session_recording((struct session *)s);
	int64_t last = replay_last(r);
	struct err err;

	*since = replay_first(r);
	*until = last;
	return (!cli->since || parse_time(cli->since, last, since, &err) || !complain(1, "%s", err.text)) &&
	       (!cli->until || parse_time(cli->until, last, until, &err) || !complain(1, "%s", err.text));
}

static void fill_events(struct cli *cli, struct session *s, struct sheet *sheet)
{
	const struct events *e = session_events(s);
	int64_t since, until;

	if (!times(cli, s, &since, &until))
		return;
	for (size_t i = events_until(e, since - 1); i < e->n && e->list[i].at_us <= until; i++) {
		sheet_row(sheet);
		sheet_cell(sheet, json_time(e->list[i].at_us), NULL);
		sheet_cell(sheet, json_text(e->list[i].kind), severity_of(e->list[i].kind));
		sheet_text(sheet, e->list[i].where);
		sheet_text(sheet, e->list[i].text);
	}
	sheet_set(sheet, "left_out_unknown", json_integer((json_int_t)e->n_unknown));
	sheet_set(sheet, "left_out_tries", json_integer((json_int_t)e->n_tries));
	sheet_set(sheet, "left_out_older", json_integer((json_int_t)e->n_more));
}

static json_t *rate(double per_s)
{
	return isnan(per_s) ? json_null() : json_real(per_s);
}

static json_t *rates(const struct changes *c)
{
	json_t *all = json_object();

	for (unsigned i = 0; i < LANE_COUNT; i++) {
		json_t *one = json_object();

		json_object_set_new(one, "before_per_s", rate(c->before[i]));
		json_object_set_new(one, "between_per_s", rate(c->between[i]));
		json_object_set_new(one, "after_per_s", rate(c->after[i]));
		json_object_set_new(all, lane_table[i].name, one);
	}
	return all;
}

static void say_rates(const struct changes *c, struct sheet *sheet)
{
	struct buf line = { 0 };
	char a[HUMAN_MAX], b[HUMAN_MAX];

	buf_str(&line, "means before -> after:");
	for (unsigned i = 0; i < LANE_COUNT; i++)
		buf_printf(&line, "%s %s %s -> %s", i ? "," : "", lane_table[i].title,
			   isnan(c->before[i]) ? "?" : human_rate(a, lane_table[i].field, c->before[i]),
			   isnan(c->after[i]) ? "?" : human_rate(b, lane_table[i].field, c->after[i]));
	if (c->has_break)
		buf_str(&line, "; recording was off in between: changes in that time are missing");
	sheet_set(sheet, "summary", json_text(line.text));
	buf_done(&line);
}

static void fill_changes(struct cli *cli, struct session *s, struct sheet *sheet)
{
	struct changes c = { 0 };
	int64_t since, until;

	if (!times(cli, s, &since, &until))
		return;
	changes_read(&c, session_events(s), session_lanes(s), since, until);
	for (size_t i = 0; i < c.n; i++) {
		sheet_row(sheet);
		sheet_cell(sheet, json_text(c.list[i].kind), severity_of(c.list[i].kind));
		sheet_text(sheet, c.list[i].where);
		sheet_text(sheet, c.list[i].what);
		sheet_cell(sheet, json_text(c.list[i].values.text), c.list[i].values.text ? NULL : "-");
		sheet_cell(sheet, json_time(c.list[i].at_us), NULL);
	}
	sheet_set(sheet, "since", json_time(c.a_us));
	sheet_set(sheet, "until", json_time(c.b_us));
	sheet_set(sheet, "recording_was_off", json_boolean(c.has_break));
	sheet_set(sheet, "rates", rates(&c));
	say_rates(&c, sheet);
	changes_done(&c);
}

/* Both are about a recording: a fabric that is read once has no past. */
static int of_recording(struct cli *cli, const char *schema, const char *columns,
			void (*fill)(struct cli *, struct session *, struct sheet *))
{
	int64_t since, until;

	if (!cli->replay)
		return complain(EXIT_USAGE, "this is about a recording: fabcon replay FILE events (or changes, or note)");
	return times(cli, cli->replay, &since, &until) ? print_sheet(cli, schema, columns, fill) : EXIT_USAGE;
}

int cmd_events(struct cli *cli)
{
	return of_recording(cli, "fabcon.events/1", EVENT_COLUMNS, fill_events);
}

int cmd_changes(struct cli *cli)
{
	return of_recording(cli, "fabcon.changes/1", CHANGE_COLUMNS, fill_changes);
}

/* At --at, or the end. */
int cmd_note(struct cli *cli)
{
	struct err err;
	struct buf text = { 0 };
	bool done;

	if (!cli->replay)
		return of_recording(cli, NULL, NULL, NULL);
	for (int i = 0; i < cli->n_args; i++)
		buf_printf(&text, "%s%s", i ? " " : "", cli->args[i]);
	done = session_annotate(cli->replay, model_now(session_model(cli->replay)), text.text ? text.text : "", &err);
	buf_done(&text);
	return done ? EXIT_DONE : complain(EXIT_USAGE, "%s", err.text);
}
