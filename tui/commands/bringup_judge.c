#include "tui/commands/bringup_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/certificate/certificate.h"
#include "core/certificate/diff.h"
#include "db/replay/replay.h"
#include "tui/bringup/certificate.h"
#include "tui/bringup/fabric_of.h"
#include "tui/commands/bringup_read.h"
#include "tui/session/read_fabric.h"
#include "tui/text/files.h"
#include "tui/text/sheet.h"

#define CERTIFICATE_MAX	(256u << 20)

/* -- from a recording -- */

/* As it stood when the bring-up ended; of one that has not, at the end of the recording. */
static json_t *of_session(struct cli *cli, struct session *s, const char *file, struct err *err)
{
	struct bringup_record record = { 0 };
	struct bringup_rack rack = { 0 };
	const struct bringup_marks marks = bringup_marks_of(s);
	const char *words;
	json_t *out = NULL;

	if (replay_state(session_recording(s), &words) != REPLAY_WHOLE && !cli->quiet)
		complain(0, "%s: %s", file, words);
	bringup_record_read(&record, session_recording(s), BRINGUP_TO_THE_END);
	if (!record.begin) {
		err_set(err, "%s: no bring-up is recorded in it: fabcon bringup --record FILE makes one", file);
	} else if (!record.ended_us || session_glance(s, record.ended_us, err)) {
		if (!record.ended_us && !cli->quiet)
			complain(0, "%s: its bring-up has not ended; judged as of the end of the recording", file);
		session_judge(s);
		bringup_read(cli, s, &record, &rack);
		bringup_tests_judge(&record.tests, &marks);
		out = bringup_certificate(s, &rack, &record, err);
	}
	bringup_rack_done(&rack);
	bringup_record_done(&record);
	return out;
}

static json_t *of_recording(struct cli *cli, const char *file, struct err *err)
{
	struct session *s = session_replay(file, cli->policy, err);
	const char *stages = cli->stages;
	json_t *out = NULL;

	cli->n_args = 0;
	if (s)
		out = of_session(cli, s, file, err);
	cli->stages = stages;	/* lent by the record */
	cli->n_args = 0;
	session_free(s);
	return out;
}

static int code_of(const json_t *certificate)
{
	const char *state = json_string_value(json_object_get(certificate, "state"));

	return !strcmp(state, "pass") ? EXIT_DONE : !strcmp(state, "fail") ? EXIT_FINDINGS : EXIT_PARTIAL;
}

int bringup_judge(struct cli *cli)
{
	const char *name = strcmp(cli->format_name, "table") != 0 ? cli->format_name : "md", *file = cli->n_args == 2 ? cli->args[1] : NULL;
	const struct certificate_format *format = certificate_format_find(name);
	struct err err = { "" };
	struct buf text = { 0 };
	json_t *certificate;
	int code;

	if (!file)
		return complain(EXIT_USAGE, "bringup judge needs one FILE: a recording that fabcon bringup --record made");
	if (!format)
		return complain(EXIT_USAGE, "a certificate is not written as %s: md, json, html, junit or csv", name);
	certificate = of_recording(cli, file, &err);
	if (!certificate)
		return complain(EXIT_RECORDING, "%s", err.text);
	certificate_write(certificate, format, &text);
	fwrite(text.text, 1, text.n, stdout);
	fflush(stdout);
	code = code_of(certificate);
	buf_done(&text);
	json_decref(certificate);
	return code;
}

/* -- from a file of either kind -- */

static json_t *of_file(struct cli *cli, const char *file, struct err *err)
{
	struct buf text = { 0 };
	json_t *out = NULL;

	if (!file_read(file, &text, err))
		return NULL;
	if (span_starts(buf_span(&text), "SQLite format 3"))
		out = of_recording(cli, file, err);
	else if (certificate_read(buf_span(&text), &out, err) != CERTIFICATE_SOUND)
		out = NULL;
	buf_done(&text);
	return out;
}

/* -- of today -- */

static char **targets_of(const json_t *certificate, int *n)
{
	const char *rack = json_string_value(json_object_get(certificate, "rack"));
	struct span rest = span_of(rack ? rack : ""), word;
	char **names = xcalloc(rest.n + 1, sizeof(*names));

	for (*n = 0; span_word(&rest, &word); (*n)++)
		names[*n] = xstrndup(word.p, word.n);
	return names;
}

/* Tests are not repeated: what they said of the day that was signed is compared with nothing. */
static json_t *of_live(struct cli *cli, const json_t *old, int *code, struct err *err)
{
	struct bringup_record none = { 0 };
	struct bringup_rack rack = { 0 };
	struct session *s;
	json_t *out = NULL;
	int n;

	cli->args = targets_of(old, &n);
	cli->n_args = n;
	cli->judges = true;
	s = read_fabric(cli, code);
	if (s) {
		bringup_read(cli, s, &none, &rack);
		out = bringup_certificate(s, &rack, NULL, err);
		bringup_rack_done(&rack);
		read_fabric_done(cli, s);
	}
	for (int i = 0; i < n; i++)
		free(cli->args[i]);
	free(cli->args);
	cli->n_args = 0;
	return out;
}

/* -- what differs -- */

static void print_changes(struct cli *cli, const struct certificate_diff *d)
{
	struct sheet *sheet = sheet_new("fabcon.bringup-diff/1", "kind turn device port to_device! to_port! name was now why!");
	char line[64];

	for (size_t i = 0; i < d->n; i++) {
		const struct certificate_change *c = &d->list[i];
		const char *const cells[] = { c->device, c->port, c->to_device, c->to_port, c->name, c->was, c->now, c->why };

		sheet_row(sheet);
		sheet_text(sheet, certificate_change_word(c->kind));
		sheet_text(sheet, certificate_turn_word(c->turn));
		for (size_t k = 0; k < sizeof(cells) / sizeof(*cells); k++)
			sheet_cell(sheet, json_text(cells[k]), cells[k] ? NULL : "-");
	}
	snprintf(line, sizeof(line), "%zu difference%s", d->n, plural_s(d->n));
	sheet_set(sheet, "summary", json_text(line));
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
}

/* Tests are not repeated, and how the rack is reached today is no difference of it. */
static void leave_out(json_t *c)
{
	json_object_set_new(c, "tests", json_null());
	json_object_set_new(c, "inventory", json_null());
	json_object_set_new(c, "cable_plan", json_null());
}

static int compare(struct cli *cli, const json_t *old, const json_t *now)
{
	struct certificate_diff d = { 0 };
	int code;

	certificate_diff(&d, old, now, CERTIFICATE_RATE_SHARE);
	print_changes(cli, &d);
	code = d.n ? EXIT_FINDINGS : EXIT_DONE;
	certificate_diff_done(&d);
	return code;
}

int bringup_diff(struct cli *cli)
{
	char **args = cli->args;
	const char *newer = cli->n_args == 3 ? args[2] : "live";
	bool is_live = !strcmp(newer, "live");
	struct err err = { "" };
	json_t *old, *now;
	int code = EXIT_DONE;

	if (cli->n_args < 2 || cli->n_args > 3)
		return complain(EXIT_USAGE, "bringup diff needs OLD, and NEW or live: recordings, or certificates as JSON");
	old = of_file(cli, args[1], &err);
	if (!old)
		return complain(EXIT_RECORDING, "%s", err.text);
	now = is_live ? of_live(cli, old, &code, &err) : of_file(cli, newer, &err);
	if (now && is_live) {
		leave_out(old);
		leave_out(now);
	}
	if (now)
		code = code == EXIT_DONE ? compare(cli, old, now) : (compare(cli, old, now), code);
	else if (err.text[0])
		code = complain(EXIT_RECORDING, "%s", err.text);
	json_decref(now);
	json_decref(old);
	return code;
}
