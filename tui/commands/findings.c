/* fabcon findings and fabcon check. */
#include "tui/commands/commands.h"

#include <stdlib.h>

#include "core/judge/judged.h"
#include "tui/session/acked.h"
#include "tui/text/human.h"
#include "tui/text/xml.h"

#define FINDING_COLUMNS \
	"severity check where what " \
	"because_of first_seen! last_seen! seen! missing! device! port! state acked_until! ack_reason! worst!"

static void say_what(struct sheet *sheet, const struct finding *f)
{
	char *text = f->verdict == VERDICT_UNKNOWN && *f->missing ? xasprintf("not known: %s", f->missing) : NULL;

	sheet_cell(sheet, json_text(f->what), text);
	free(text);
}

static void acked_of_session(struct acked *a, struct session *s)
{
	struct events events = { 0 };
	struct err err;

	*a = (struct acked){ 0 };
	if (!session_is_replay(s)) {
		if (!acked_open(a, session_fabric(s), &err))
			complain(0, "%s", err.text);
		return;
	}
	events_read(&events, session_recording(s));
	acked_of_recording(a, &events);
	events_done(&events);
}

static void state_cells(struct sheet *sheet, const struct ack *ack)
{
	char until[HUMAN_MAX];
	char *words = ack ? xasprintf("acked until %s: %s", human_date(until, ack->until_us), ack->reason) : NULL;

	sheet_cell(sheet, json_text(ack ? "acked" : "open"), words);
	sheet_cell(sheet, ack ? json_time(ack->until_us) : json_null(), NULL);
	sheet_cell(sheet, json_text(ack ? ack->reason : NULL), NULL);
	free(words);
}

static void finding_row(struct sheet *sheet, const struct finding *f, const struct ack *ack)
{
	sheet_row(sheet);
	sheet_verdict(sheet, f->verdict);
	sheet_text(sheet, f->check->id);
	sheet_text(sheet, f->where);
	say_what(sheet, f);
	sheet_cell(sheet, json_text(f->cause ? f->cause->check->id : NULL), f->cause ? NULL : "-");
	sheet_cell(sheet, json_time(f->first_us), NULL);
	sheet_cell(sheet, json_time(f->last_us), NULL);
	sheet_number(sheet, f->seen);
	sheet_text(sheet, *f->missing ? f->missing : NULL);
	sheet_text(sheet, f->device ? f->device->name : NULL);
	sheet_text(sheet, f->port ? f->port->name : NULL);
	state_cells(sheet, ack);
	sheet_verdict(sheet, f->weight);
}

/* Problems first; what could not be judged only when asked for all (-v) or in JSON. */
static bool is_shown(const struct cli *cli, const struct finding *f)
{
	return f->verdict >= VERDICT_LOOK || cli->verbose || cli->format != SHEET_TABLE;
}

/* Findings as a sheet, worst first, those at or above a severity (VERDICT_UNKNOWN: all). */
static void fill_findings(struct cli *cli, struct session *s, struct sheet *sheet)
{
	const struct finding *const *list;
	size_t n = findings_open(session_findings(s), &list), hidden = 0, n_acked = 0;
	struct buf line = { 0 };
	struct acked acked;

	acked_of_session(&acked, s);
	for (size_t i = 0; i < n; i++) {
		const struct ack *ack = acks_of(&acked.acks, list[i], model_now(session_model(s)));

		n_acked += ack != NULL;
		if (is_shown(cli, list[i]))
			finding_row(sheet, list[i], ack);
		else
			hidden++;
	}
	acked_done(&acked);
	summary(s, &line);
	if (n_acked)
		buf_printf(&line, "; including %zu acknowledged", n_acked);
	sheet_set(sheet, "nothing_judged", json_boolean(code_when_unjudged(s, EXIT_DONE) != EXIT_DONE));
	if (hidden)
		buf_printf(&line, "; %zu could not be judged because a fact is missing (-v lists them)", hidden);
	sheet_set(sheet, "summary", json_text(line.text));
	buf_done(&line);
}

int cmd_findings(struct cli *cli)
{
	cli->judges = cli->tells_verdicts = true;
	return print_sheet(cli, "fabcon.findings/1", FINDING_COLUMNS, fill_findings);
}

/* One more test case: that there was something to judge. */
static void write_judged(const struct session *s, FILE *out)
{
	struct buf words = { 0 };
	struct judged judged;

	judged_make(&judged, session_model(s), session_findings(s));
	judged_words(&judged, SIZE_MAX, &words);
	fputs(" <testcase classname=\"fabcon\" name=\"devices-judged\">\n", out);
	if (words.n) {
		bool is_nothing = judged_is_nothing(&judged);

		fputs(is_nothing ? "  <error message=\"nothing could be judged: " : "  <system-out>not judged: ", out);
		xml_text(words.text, out);
		fputs(is_nothing ? "\"/>\n" : "</system-out>\n", out);
	}
	fputs(" </testcase>\n", out);
	buf_done(&words);
	judged_done(&judged);
}

/* A check that is not known at some place has not passed. */
static void skip_check(const struct session *s, const struct check *check, FILE *out)
{
	const struct finding *const *list;
	size_t n = findings_open(session_findings(s), &list);

	for (size_t i = 0; i < n; i++)
		if (list[i]->check == check && list[i]->verdict == VERDICT_UNKNOWN) {
			fputs("  <skipped message=\"not known: ", out);
			xml_text(list[i]->where, out);
			fputs(": ", out);
			xml_text(list[i]->missing, out);
			fputs("\"/>\n", out);
			return;
		}
}

/* A test case a check; its failures are the findings that count. One that is not known somewhere is skipped, not passed. */
static void write_junit(const struct cli *cli, const struct session *s, FILE *out)
{
	const struct finding *const *list;
	size_t n = findings_open(session_findings(s), &list);
	bool is_nothing = code_when_unjudged(s, EXIT_DONE) != EXIT_DONE;

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
	fprintf(out, "<testsuite name=\"fabcon\" tests=\"%zu\" failures=\"%zu\" errors=\"%d\">\n", check_count + 1,
		findings_count(session_findings(s), cli->fail_on), is_nothing);
	for (size_t c = 0; c < check_count; c++) {
		fprintf(out, " <testcase classname=\"fabcon\" name=\"%s\">\n", check_table[c].id);
		bool has_failed = false;

		for (size_t i = 0; i < n; i++) {
			if (list[i]->check != &check_table[c] || list[i]->cause ||
			    list[i]->weight < cli->fail_on)
				continue;
			has_failed = true;
			fputs("  <failure message=\"", out);
			xml_text(list[i]->where, out);
			fputs(": ", out);
			xml_text(list[i]->what, out);
			fputs("\"/>\n", out);
		}
		if (is_nothing && !has_failed)
			fputs("  <skipped message=\"nothing could be judged\"/>\n", out);
		else if (!has_failed)
			skip_check(s, &check_table[c], out);
		fputs(" </testcase>\n", out);
	}
	write_judged(s, out);
	fputs("</testsuite>\n", out);
	fflush(out);
}

int cmd_check(struct cli *cli)
{
	int code;
	struct session *s;
	bool failed;

	cli->judges = true;
	s = read_fabric(cli, &code);
	if (!s)
		return code;
	code = code_when_unjudged(s, code);
	failed = findings_count(session_findings(s), cli->fail_on) > 0;
	if (strcmp(cli->format_name, "junit") == 0) {
		write_junit(cli, s, stdout);
	} else {
		struct sheet *sheet = sheet_new("fabcon.findings/1", FINDING_COLUMNS);

		sheet_set(sheet, "fabric", json_text(session_fabric(s)));
		sheet_set(sheet, "at", json_time(model_now(session_model(s))));
		sheet_set(sheet, "complete", json_boolean(code == EXIT_DONE));
		fill_findings(cli, s, sheet);
		sheet_write(sheet, cli->format, stdout);
		sheet_free(sheet);
	}
	read_fabric_done(cli, s);
	/* No device was read: that is not a fabric with faults. */
	return failed && code != EXIT_NO_TARGET && code < 128 ? EXIT_FINDINGS : code;
}
