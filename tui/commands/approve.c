#include "tui/commands/approve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <termios.h>
#include <unistd.h>

#include "tui/commands/apply_report.h"
#include "tui/fixing/fix_view.h"
#include "tui/fixing/plans.h"
#include "tui/fixing/signature.h"
#include "tui/fixing/write_mode.h"
#include "tui/text/safe.h"

int refuse_plan(const struct cli *cli, const struct fix_plan *plan, const char *words)
{
	apply_report_refusal(cli, plan, words);
	return complain(EXIT_REFUSED, "%s: %s", plan->id, words);
}

static int refuse_because(const struct cli *cli, const struct fix_plan *plan, const struct err *why)
{
	return refuse_plan(cli, plan, why->text);
}

/* -- the record -- */

static bool tell_audit(const struct fix_plan *plan, const char *by, struct err *err)
{
	struct audit *a = audit_of_user(true, err);
	char hash[FIX_HASH_SIZE];
	struct audit_entry e = { .plan = plan->id, .hash = hash, .step = -1, .kind = "approve", .text = by };
	bool ok;

	fix_plan_hash(plan, hash);
	audit_sign(&e);
	ok = a && audit_add(a, &e, err);
	audit_close(a);
	return ok;
}

static int approved(const struct cli *cli, const struct fix_plan *plan, const char *by)
{
	struct err err = { "" };

	return tell_audit(plan, by, &err) ? EXIT_DONE : refuse_because(cli, plan, &err);
}

/* -- on the command line -- */

static int by_signature(const struct cli *cli, const struct fix_plan *plan)
{
	struct signer signer = { "" };
	struct err err = { "" };
	char *by, *signers;
	int code;

	if (!signature_check(plan, cli->signature, cli->approvers, &signer, &err))
		return refuse_because(cli, plan, &err);
	signers = realpath(cli->approvers, NULL);
	by = xasprintf("by the signature of %s, %s, an allowed signer of %s", signer.principal, signer.key, signers ? signers : cli->approvers);
	free(signers);
	if (!cli->quiet)
		complain(0, "%s: approved %s", plan->id, by);
	code = approved(cli, plan, by);
	free(by);
	return code;
}

static int by_hash(const struct cli *cli, const struct fix_plan *plan)
{
	char hash[FIX_HASH_SIZE];
	struct err err;

	fix_plan_hash(plan, hash);
	if (strcasecmp(cli->approve, hash) == 0)
		return approved(cli, plan, "by its whole hash, on the command line");
	err_set(&err, "--approve %.64s is not this plan's hash; fabcon plan show prints it: review the plan again", cli->approve);
	return refuse_because(cli, plan, &err);
}

/* -- at the terminal -- */

static void show_plan(const struct fix_plan *plan, int tty)
{
	struct buf text = { 0 }, safe = { 0 };
	struct span rest, line;

	fix_plan_print(plan, &text);
	rest = buf_span(&text);
	while (span_line(&rest, &line)) {
		safe_add(&safe, line, false);
		buf_str(&safe, "\n");
	}
	dprintf(tty, "%s", safe.text ? safe.text : "");
	buf_done(&text);
	buf_done(&safe);
}

/* A line of the terminal; what was typed before the question stood there is dropped. */
static bool ask_line(int tty, const char *question, char *line, size_t size)
{
	ssize_t n;

	tcflush(tty, TCIFLUSH);
	dprintf(tty, "%s", question);
	while ((n = read(tty, line, size - 1)) < 0 && errno == EINTR)
		;
	if (n <= 0)
		return false;
	line[n - (line[n - 1] == '\n')] = '\0';
	return true;
}

/* Typed word for word: neither y nor Enter changes a device. */
static bool is_confirmed(const struct fix_plan *plan, bool is_own, int tty)
{
	char hash[FIX_HASH_SIZE], word[128], line[256];
	char *question;
	bool said;

	fix_plan_hash(plan, hash);
	fix_plan_word(plan, word);
	show_plan(plan, tty);
	question = is_own ? xasprintf("Type %s to apply this; anything else cancels: ", word)
			  : xasprintf("This plan was not made here. To apply it to %.100s, paste its whole hash, as its reviewer has it.\n"
				      "Hash (anything else cancels): ", word);
	said = ask_line(tty, question, line, sizeof(line));
	said = said && (is_own ? span_is(span_trim(span_of(line)), word) : span_is_nocase(span_trim(span_of(line)), hash));
	free(question);
	return said;
}

static int at_terminal(const struct cli *cli, const struct fix_plan *plan)
{
	bool is_own = plans_made_here(plan);
	int tty = cli->no_input ? -1 : open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC), code;

	if (tty < 0)
		return refuse_plan(cli, plan, "no terminal to confirm on: use --approve HASH (the whole hash, from fabcon plan show) or "
					      "--signature FILE");
	if (is_confirmed(plan, is_own, tty))
		code = approved(cli, plan, is_own ? "at the terminal: made here, its devices typed" : "by its whole hash, at the terminal");
	else
		code = refuse_plan(cli, plan, "not confirmed: nothing was sent");
	close(tty);
	return code;
}

int approve(const struct cli *cli, const struct fix_plan *plan)
{
	if (cli->signature)
		return by_signature(cli, plan);
	if (cli->needs_signature)
		return refuse_plan(cli, plan, "the configuration demands a signature (approval: signature): --signature FILE, made by an allowed "
					      "signer with ssh-keygen -Y sign -n " SIGNATURE_NAMESPACE);
	return cli->approve ? by_hash(cli, plan) : at_terminal(cli, plan);
}

int approve_unknown(const struct cli *cli, const struct fix_plan *plan)
{
	if (!plans_known(plan))
		return approve(cli, plan);
	if (cli->signature)	/* not asked for; but where one is given, it is this plan's */
		return by_signature(cli, plan);
	return cli->approve ? by_hash(cli, plan) : EXIT_DONE;
}

void say_unfinished(const struct cli *cli)
{
	struct buf text = { 0 };
	struct span rest, line;

	if (!cli->quiet)
		plans_not_ended(&text);
	rest = buf_span(&text);
	while (span_line(&rest, &line))
		complain(0, "%.*s", (int)line.n, line.p);
	buf_done(&text);
}
