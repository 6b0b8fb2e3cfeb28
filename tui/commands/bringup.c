/* fabcon bringup: each NIC of a rack, and the first stage that it does not pass. */
#include "tui/commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/bringup/rack.h"
#include "core/certificate/certificate.h"
#include "db/replay/replay.h"
#include "tui/bringup/certificate.h"
#include "tui/bringup/fabric_of.h"
#include "tui/commands/bringup_cells.h"
#include "tui/commands/bringup_judge.h"
#include "tui/commands/bringup_read.h"
#include "tui/commands/bringup_traffic.h"

#define COLUMNS	"host nic far stage state what do because_of! stages! "	/* and the tests, where there are any */

/* -- one NIC -- */

static void unit_row(struct sheet *sheet, const struct bringup_unit *u, const struct findings *findings,
		     const struct bringup_record *record)
{
	enum bringup_stage at = u->course.at;
	bool is_passed = at == BRINGUP_STAGES;
	const struct finding *f = is_passed ? NULL : bringup_unit_finding(findings, u, at);
	const char *remedy = bringup_unit_remedy(findings, u);
	const char *state, *what;
	char far[140], why[BRINGUP_WHY_MAX];
	struct bringup_tested_says says;

	bringup_tests_say(&record->tests, u->host, u->nic, &says);
	state = bringup_record_state_word(record, u, says.state);
	if (is_passed)
		remedy = says.remedy;
	what = !is_passed ? bringup_unit_why(findings, u, at, why) : strcmp(state, "pass") ? says.state ? says.words : "not tested" : NULL;
	snprintf(far, sizeof(far), "%.64s:%.64s", u->peer ? u->peer : "?", u->peer_port ? u->peer_port : "?");
	sheet_row(sheet);
	sheet_text(sheet, u->host);
	sheet_text(sheet, u->nic);
	sheet_text(sheet, u->peer ? far : NULL);
	sheet_cell(sheet, json_text(is_passed ? NULL : bringup_stage_table[at].id), is_passed ? "-" : NULL);
	sheet_text(sheet, state);
	sheet_cell(sheet, json_text(what), what ? NULL : "-");
	sheet_cell(sheet, json_text(remedy), remedy ? NULL : "-");
	sheet_text(sheet, f && f->cause ? f->cause->where : NULL);
	sheet_cell(sheet, bringup_stages_json(u, findings), NULL);
	bringup_cells_tests(record, u, sheet);
}

/* -- the command -- */

/* A NIC that is not known has not passed. */
static int code_of(const struct cli *cli, const struct bringup_rack *r)
{
	if (!r->n)
		return cli->n_unfound ? EXIT_USAGE : EXIT_NO_TARGET;
	if (r->count[BRINGUP_FAIL])
		return EXIT_FINDINGS;
	return r->count[BRINGUP_UNKNOWN] || r->count[BRINGUP_SKIPPED] || cli->n_unfound ? EXIT_PARTIAL : EXIT_DONE;
}

static struct bringup_record the_record;	/* a command has one; with --resume it is read before the fabric is */

/* That it was interrupted comes first, then a fault that was seen; what was wanted and not tested is not known. */
static void answer_of_tests(struct cli *cli, const struct bringup_record *record)
{
	const struct bringup_tally n = bringup_tests_count(&record->tests);

	if (cli->answer >= 128)
		return;
	if (n.failed)
		cli->answer = EXIT_FINDINGS;
	if (n.unknown && cli->answer == EXIT_DONE)
		cli->answer = EXIT_PARTIAL;
	if (bringup_record_n_untested(record) && cli->answer == EXIT_DONE)
		cli->answer = EXIT_PARTIAL;
}

static struct bringup_wanted wanted_of(const struct cli *cli)
{
	return (struct bringup_wanted){ cli->args, (size_t)cli->n_args, cli->stages, cli->traffic ? cli->reason : NULL,
				       bringup_traffic_extras(cli) };
}

/* What a recording holds, or what is done now. */
static void read_record(struct cli *cli, struct session *s, const struct bringup_rack *rack)
{
	const struct bringup_marks marks = bringup_marks_of(s);
	const struct bringup_wanted wanted = wanted_of(cli);
	struct bringup_record *r = &the_record;
	bool is_whole = true;

	if (!session_recording(s) && cli->watch_us < 0) {
		bringup_tests_judge(&r->tests, &marks);
		bringup_record_begin(r, s, &wanted);
		if (cli->traffic)
			is_whole = bringup_traffic_send(cli, s, rack, r);
		if (is_whole)
			bringup_record_end(r, s);
	}
	bringup_tests_judge(&r->tests, &marks);
	answer_of_tests(cli, r);
}

static bool begins(const struct cli *cli)
{
	if (!cli->quiet)
		fprintf(stderr, "%s: no bring-up was begun in it: this one begins\n", cli->record);
	return true;
}

/* A console that was killed as it made the file has left it empty. */
static bool is_new_or_empty(const char *file)
{
	struct stat st;

	return stat(file, &st) != 0 ? errno == ENOENT : S_ISREG(st.st_mode) && st.st_size == 0;
}

/* Before the fabric is read: the same recording is written then. A console that was killed at once left nothing to go on with. */
static bool may_resume(const struct cli *cli)
{
	const struct bringup_wanted wanted = wanted_of(cli);
	struct err err = { "" };
	struct replay *replay;

	if (!cli->record || cli->replay)
		return complain(0, "--resume: it needs --record FILE, whose bring-up is gone on with") != 0;
	if (is_new_or_empty(cli->record))
		return begins(cli);
	replay = replay_open(cli->record, &err);
	if (!replay)
		return complain(0, "--resume: %s", err.text) != 0;
	bringup_record_read(&the_record, replay, BRINGUP_TO_THE_END);
	replay_close(replay);
	if (!bringup_record_is(&the_record, &wanted, cli->record, &err))
		return complain(0, "--resume: %s", err.text) != 0;
	return the_record.begin || begins(cli);
}

/* "8 NICs: 2 failed, 0 not known, 6 passed", by the rows' states; and of which stages alone. */
static void count_words(const struct cli *cli, const struct bringup_rack *r, const struct bringup_record *record, struct buf *out)
{
	size_t count[BRINGUP_STATES] = { 0 };

	for (size_t i = 0; i < r->n; i++) {
		struct bringup_tested_says says;

		bringup_tests_say(&record->tests, r->units[i].host, r->units[i].nic, &says);
		count[bringup_record_state(record, &r->units[i], says.state)]++;
	}
	buf_printf(out, "%zu NIC%s: %zu failed, %zu not known, %zu passed", r->n, plural_s(r->n), count[BRINGUP_FAIL], count[BRINGUP_UNKNOWN],
		   count[BRINGUP_PASS]);
	if (count[BRINGUP_SKIPPED])
		buf_printf(out, ", %zu skipped", count[BRINGUP_SKIPPED]);
	if (cli->stages)
		buf_printf(out, "; of these stages alone: %.200s", cli->stages);
}

static void fill(struct cli *cli, struct session *s, struct sheet *sheet)
{
	struct bringup_rack r = { 0 };
	struct buf line = { 0 };

	bringup_read(cli, s, &the_record, &r);
	cli->answer = code_of(cli, &r);
	read_record(cli, s, &r);
	for (size_t i = 0; i < r.n; i++)
		unit_row(sheet, &r.units[i], session_findings(s), &the_record);
	count_words(cli, &r, &the_record, &line);
	bringup_cells_summary(&the_record, &line);
	sheet_set(sheet, "summary", json_text(line.text));
	buf_done(&line);
	bringup_rack_done(&r);
}

/* The certificate of what was done now; of a recording, of all that it holds. */
static int print_junit(struct session *s, const struct bringup_rack *r)
{
	struct err err = { "" };
	json_t *certificate = bringup_certificate(s, r, &the_record, &err);
	struct buf text = { 0 };

	if (!certificate)
		return complain(EXIT_INTERNAL, "%s", err.text);
	certificate_write(certificate, certificate_format_find("junit"), &text);
	fwrite(text.text, 1, text.n, stdout);
	fflush(stdout);
	buf_done(&text);
	json_decref(certificate);
	return EXIT_DONE;
}

static int bringup_junit(struct cli *cli)
{
	struct bringup_rack r = { 0 };
	int code, printed;
	struct session *s = read_fabric(cli, &code);

	if (!s)
		return code;
	bringup_read(cli, s, &the_record, &r);
	cli->answer = code_of(cli, &r);
	read_record(cli, s, &r);
	printed = print_junit(s, &r);
	bringup_rack_done(&r);
	read_fabric_done(cli, s);
	return printed == EXIT_DONE ? exit_of_answer(cli, code) : printed;
}

int cmd_bringup(struct cli *cli)
{
	unsigned wanted;
	int code;

	if (cli->n_args && !cli->replay && !strcmp(cli->args[0], "judge"))
		return bringup_judge(cli);
	if (cli->n_args && !cli->replay && !strcmp(cli->args[0], "diff"))
		return bringup_diff(cli);
	if (!strcmp(cli->format_name, "md") || !strcmp(cli->format_name, "html"))
		return complain(EXIT_USAGE, "-o %s is the certificate: fabcon bringup judge FILE -o %s", cli->format_name, cli->format_name);
	if (bringup_traffic_extras(cli) && !cli->traffic)
		return complain(EXIT_USAGE, "%s: it needs --traffic", cli->across ? "--across" : "--lossy");
	if (!bringup_read_stages(cli->stages, &wanted) || (cli->traffic && !bringup_traffic_may(cli)))
		return EXIT_USAGE;
	if (cli->resume && !may_resume(cli))
		return EXIT_USAGE;
	cli->judges = true;
	if (!strcmp(cli->format_name, "junit"))
		code = bringup_junit(cli);
	else
		code = print_sheet(cli, "fabcon.bringup/1", cli->traffic || cli->replay ? COLUMNS "test tests!" : COLUMNS "test! tests!", fill);
	bringup_record_done(&the_record);
	return code;
}
