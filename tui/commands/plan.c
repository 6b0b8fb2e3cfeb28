/* plan: what would be done about a finding, a device, or everything, as a file; sends nothing. */
#include "tui/commands/commands.h"

#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "remote/fixer/planner.h"
#include "tui/commands/approve.h"
#include "tui/fixing/plans.h"
#include "tui/fixing/targets.h"
#include "tui/text/call.h"
#include "tui/text/files.h"
#include "tui/text/human.h"
#include "tui/text/safe.h"

/* Lines, made safe to be printed. */
static void print_text(struct span text, FILE *out, bool ascii)
{
	struct buf safe = { 0 };
	struct span line;

	while (span_line(&text, &line)) {
		safe_add(&safe, line, ascii);
		buf_str(&safe, "\n");
	}
	fputs(safe.text ? safe.text : "", out);
	buf_done(&safe);
}

static void print_plan(const struct cli *cli, const struct fix_plan *p)
{
	struct buf text = { 0 };

	if (cli->format == SHEET_JSON) {
		fix_plan_write(p, &text);
		fputs(text.text, stdout);
	} else {
		fix_plan_print(p, &text);
		print_text(buf_span(&text), stdout, cli->ascii);
	}
	buf_done(&text);
}

/* -- files -- */

static bool read_plan(const char *path, struct fix_plan *p, int *code)
{
	struct buf text = { 0 };
	struct err err;
	bool ok = file_read(path, &text, &err);

	if (!ok)
		*code = complain(EXIT_USAGE, "%s", err.text);
	else if (!(ok = fix_plan_read(p, buf_span(&text), &err)))
		*code = complain(EXIT_REFUSED, "%s: %s", path, err.text);
	buf_done(&text);
	return ok;
}

static int show_plan(struct cli *cli, const char *path)
{
	struct fix_plan p = { 0 };
	int code = EXIT_DONE;

	if (read_plan(path, &p, &code))
		print_plan(cli, &p);
	fix_plan_done(&p);
	return code;
}

/* What a plan does to each device: its configuration before and after. */
static void diff_steps(const struct fix_plan *p, struct buf *out)
{
	for (size_t i = 0; i < p->n_steps; i++) {
		buf_printf(out, "step %zu: %s\n", i + 1, p->steps[i].device);
		lines_diff(span_of(p->steps[i].base), span_of(p->steps[i].after), out);
	}
}

static int diff_plans(struct cli *cli, const char *path, const char *other)
{
	struct fix_plan a = { 0 }, b = { 0 };
	struct buf one = { 0 }, two = { 0 }, out = { 0 };
	int code = EXIT_DONE;

	if (!read_plan(path, &a, &code) || (other && !read_plan(other, &b, &code)))
		goto out;
	if (other) {
		fix_plan_print(&a, &one);
		fix_plan_print(&b, &two);
		lines_diff(buf_span(&one), buf_span(&two), &out);
	} else {
		diff_steps(&a, &out);
	}
	print_text(buf_span(&out), stdout, cli->ascii);
out:
	buf_done(&one);
	buf_done(&two);
	buf_done(&out);
	fix_plan_done(&a);
	fix_plan_done(&b);
	return code;
}

/* -- making one -- */

static int64_t wall_us(void)
{
	struct timeval now;

	gettimeofday(&now, NULL);
	return now.tv_sec * INT64_C(1000000) + now.tv_usec;
}

/* What a recording knows is as old as its end: whether it is so still is seen when the plan is applied. */
static void tell_of_recording(const struct session *s, struct fix_targets *w)
{
	int64_t at_us = session_now(s);
	time_t at = (time_t)(at_us / 1000000);
	char when[32], age[HUMAN_MAX];
	struct tm utc;

	if (!session_is_replay(s) || !gmtime_r(&at, &utc))
		return;
	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &utc);
	buf_printf(&w->title, " (from a recording of %s)", when);
	buf_printf(&w->notes, "its base comes from a recording, %s old: apply refuses it where a device has changed since\n",
		   human_age(age, wall_us() - at_us));
}

static int write_plan(const struct cli *cli, const struct fix_plan *p)
{
	struct buf text = { 0 };
	struct err err;
	bool ok;

	if (!cli->out)
		return EXIT_DONE;
	fix_plan_write(p, &text);
	ok = file_create(cli->out, buf_span(&text), &err);
	buf_done(&text);
	if (!ok)
		return complain(EXIT_USAGE, "%s", err.text);
	fprintf(stderr, "fabcon: plan %s written to %s; next: %s apply %s --dry-run\n", p->id, cli->out, call_words(), cli->out);
	return EXIT_DONE;
}

/* A plan of no steps: as a document it is one all the same. */
static int nothing_to_change(const struct cli *cli, const struct fix_targets *w, const struct fix_plan *p, bool is_all_read)
{
	if (w->n_refused)
		return complain(EXIT_REFUSED, "no plan: none of the requested changes can be planned");
	if (cli->n_unfound && !w->n_fixed)
		return EXIT_USAGE;
	if (w->n_unknown)
		fprintf(stderr, "fabcon: %zu findings are unknown: not planned\n", w->n_unknown);
	if (cli->format == SHEET_JSON)
		print_plan(cli, p);
	else
		puts(w->n_unknown || w->n_unchanged || !is_all_read ? "nothing to change in the known settings" : "nothing to change");
	return EXIT_DONE;
}

static int make_plan(const struct cli *cli, const struct session *s, struct fix_targets *w, bool is_all_read)
{
	const struct fix_scene scene = fix_targets_scene(s);
	const char *title = w->title.n ? w->title.text : "nothing to change", *finding = w->finding.n ? w->finding.text : NULL;
	struct fix_plan p;
	struct err err;
	int code;

	fix_plan_init(&p);
	if (!planner_make(&scene, &w->edits, title, finding, wall_us(), &p, &err)) {
		code = complain(EXIT_REFUSED, "no plan: %s%s", err.text,
				w->n_far ? " (the other ends of links are planned too; --one-end: what is named alone)" : "");
	} else if (!p.n_units) {
		code = nothing_to_change(cli, w, &p, is_all_read);
	} else {
		p.verify_us = cli->verify_us > 0 ? cli->verify_us : p.verify_us;
		print_plan(cli, &p);
		code = write_plan(cli, &p);
		if (code == EXIT_DONE && (cli->out || cli->format == SHEET_JSON))
			plans_note_made(&p);
	}
	fix_plan_done(&p);
	return code;
}

static int plan_session(struct cli *cli)
{
	struct fix_targets w = { 0 };
	struct session *s;
	int gathered, code;

	cli->judges = true;
	s = read_fabric(cli, &gathered);
	if (!s)
		return gathered;
	fix_targets_read(&w, cli, s);
	tell_of_recording(s, &w);
	print_text(buf_span(&w.notes), stderr, cli->ascii);
	code = make_plan(cli, s, &w, gathered == EXIT_DONE);
	if (code == EXIT_DONE)
		code = cli->n_unfound ? EXIT_PARTIAL : gathered;
	fix_targets_done(&w);
	read_fabric_done(cli, s);
	return code;
}

int cmd_plan(struct cli *cli)
{
	const char *word = cli->n_args ? cli->args[0] : "";

	if (cli->format != SHEET_JSON && cli->format != SHEET_TABLE)
		return complain(EXIT_USAGE, "a plan is written as text or json, not %s", cli->format_name);
	if (!strcmp(word, "show") || !strcmp(word, "diff")) {
		int most = *word == 'd' ? 3 : 2;

		if (cli->n_args < 2 || cli->n_args > most)
			return complain(EXIT_USAGE, "plan show FILE; plan diff FILE [FILE]");
		return *word == 's' ? show_plan(cli, cli->args[1]) :
				      diff_plans(cli, cli->args[1], cli->n_args > 2 ? cli->args[2] : NULL);
	}
	if (!cli->replay)
		say_unfinished(cli);
	return plan_session(cli);
}
