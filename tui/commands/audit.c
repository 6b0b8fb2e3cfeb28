/* What was done from here, and whether the record of it is whole. */
#include <stdlib.h>
#include <unistd.h>

#include "tui/commands/commands.h"
#include "tui/fixing/write_mode.h"

struct showing {
	struct sheet *sheet;
	size_t rows;
};

/* A plan's file is long: the table tells of it, JSON and CSV have it. */
static void text_cell(struct sheet *sheet, const struct audit_entry *e)
{
	bool is_plan = e->kind && strcmp(e->kind, "plan") == 0 && e->text;
	char *words = is_plan ? xasprintf("its file, %zu bytes", strlen(e->text)) : NULL;

	sheet_cell(sheet, json_text(e->text), words ? words : e->text ? e->text : "-");
	free(words);
}

/* What only some kinds of entry have is no unknown in the others. */
static void optional(struct sheet *sheet, const char *text)
{
	sheet_cell(sheet, json_text(text), text ? text : "-");
}

static void status_cell(struct sheet *sheet, const struct audit_entry *e)
{
	if (!e->kind || strcmp(e->kind, "answer") != 0)
		sheet_cell(sheet, json_null(), "-");
	else if (e->status < 0)
		sheet_unknown(sheet);
	else
		sheet_number(sheet, (uint64_t)e->status);
}

static bool add_row(void *ctx, const struct audit_entry *e)
{
	struct showing *s = ctx;

	sheet_row(s->sheet);
	sheet_number(s->sheet, (uint64_t)e->id);
	sheet_cell(s->sheet, json_time(e->at_us), NULL);
	sheet_text(s->sheet, e->who);
	sheet_text(s->sheet, e->from);
	optional(s->sheet, e->plan);
	sheet_cell(s->sheet, e->step < 0 ? json_null() : json_integer(e->step + 1), e->step < 0 ? "-" : NULL);
	optional(s->sheet, e->device);
	sheet_text(s->sheet, e->kind);
	status_cell(s->sheet, e);
	text_cell(s->sheet, e);
	sheet_text(s->sheet, e->output);
	sheet_text(s->sheet, e->hash);
	sheet_text(s->sheet, e->hostkey);
	sheet_text(s->sheet, e->setup_hash);
	sheet_cell(s->sheet, json_integer(e->mono_us), NULL);
	sheet_text(s->sheet, e->chain);
	s->rows++;
	return true;
}

static int show_of(struct cli *cli, struct audit *a, const char *plan)
{
	struct showing s = { .sheet = sheet_new("fabcon.audit/1", "id at who from! plan step device kind status text output! hash! "
								  "hostkey! setup_hash! mono_us! chain!") };
	struct err err = { "" };
	int code = EXIT_DONE;

	if (a && !audit_each(a, 0, plan, add_row, &s, &err))
		code = complain(EXIT_RECORDING, "%s: %s; the readable part is shown", audit_path(), err.text);
	if (cli->filter && !sheet_filter(s.sheet, cli->filter, &err))
		code = complain(EXIT_USAGE, "--filter: %s", err.text);
	else if (plan && !s.rows && code == EXIT_DONE)
		code = complain(EXIT_USAGE, "no plan %s in the audit (fabcon audit show)", plan);
	else
		sheet_write(s.sheet, cli->format, stdout);
	sheet_free(s.sheet);
	return code;
}

static void say_check(struct cli *cli, const struct audit_check *check, bool whole)
{
	struct sheet *sheet;

	if (cli->format == SHEET_TABLE) {
		printf("%lld entries, %s\naudit hash: %s\n", (long long)check->entries,
		       whole ? "every entry intact and in order" : check->broken ? "the entries after it cannot be trusted" :
		       "each intact and in order, but none has the audit hash that was given", check->head);
		if (whole && !cli->quiet)
			fputs("Store this audit hash elsewhere: only with it can a truncated end be detected.\n", stdout);
		return;
	}
	sheet = sheet_new("fabcon.audit-verify/1", "whole entries broken why head");
	sheet_row(sheet);
	sheet_cell(sheet, json_boolean(whole), NULL);
	sheet_number(sheet, (uint64_t)check->entries);
	sheet_cell(sheet, check->broken ? json_integer(check->broken) : json_null(), NULL);
	sheet_text(sheet, check->broken ? check->why : NULL);
	sheet_text(sheet, check->head);
	sheet_write(sheet, cli->format, stdout);
	sheet_free(sheet);
}

static int verify_of(struct cli *cli, struct audit *a, const char *head)
{
	struct audit_check check;
	struct err err = { "" };
	bool whole = audit_verify(a, head, &check, &err);

	say_check(cli, &check, whole);
	return whole ? EXIT_DONE : complain(EXIT_RECORDING, "%s", err.text);
}

/* None was ever made: nothing was sent from here, which is an answer too, but not when a head of it is known. */
static int without_audit(struct cli *cli, bool shows, const char *argument)
{
	if (!shows && argument)
		return complain(EXIT_RECORDING, "%s is missing, but one with that audit hash existed", audit_path());
	if (shows && argument)
		return complain(EXIT_USAGE, "there is no audit log on this machine, so nothing about plan %s", argument);
	if (!cli->quiet)
		complain(0, "there is no audit yet: nothing has been sent to a device from here");
	return shows ? show_of(cli, NULL, NULL) : EXIT_DONE;
}

int cmd_audit(struct cli *cli)
{
	const char *argument = cli->n_args > 1 ? cli->args[1] : NULL;
	bool shows = strcmp(cli->args[0], "show") == 0;
	struct err err = { "" };
	struct audit *a;
	int code;

	if ((!shows && strcmp(cli->args[0], "verify") != 0) || cli->n_args > 2)
		return complain(EXIT_USAGE, "audit show [PLAN], or audit verify [HASH]; not \"%s\"", cli->args[cli->n_args > 2 ? 2 : 0]);
	if (audit_path() && access(audit_path(), F_OK) != 0)
		return without_audit(cli, shows, argument);
	a = audit_of_user(false, &err);
	if (!a)
		return complain(EXIT_RECORDING, "%s", err.text);
	code = shows ? show_of(cli, a, argument) : verify_of(cli, a, argument);
	audit_close(a);
	return code;
}
