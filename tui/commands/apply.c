/* Plans carried out: apply, verify, keep, undo. What they may is asked for here, what is done is tui/commands/apply_run.c. */
#include <stdlib.h>
#include <unistd.h>

#include "tui/commands/commands.h"
#include "tui/commands/apply_report.h"
#include "tui/commands/apply_run.h"
#include "tui/commands/approve.h"
#include "tui/fixing/plans.h"

/* Asked before a person types anything: whether this may write at all. */
static int may_write(const struct cli *cli, const struct fix_plan *plan, const char *command)
{
	struct err err = { "" };
	struct policy *policy = session_policy_load(cli->policy, &err);
	const char *forbidden = policy ? write_mode_forbidden(cli->replay != NULL, cli->read_only, policy) : err.text;
	int code = forbidden ? refuse_plan(cli, plan, forbidden) : EXIT_DONE;
	char *words;

	policy_free(policy);
	if (code != EXIT_DONE || cli->rw)
		return code;
	words = xasprintf("%s writes to devices: permit it with --rw (and --reason TEXT)", command);
	code = refuse_plan(cli, plan, words);
	free(words);
	return code;
}

/* Leave to write, for this command. */
static int arm(const struct cli *cli, const struct fix_plan *plan, const char *command, struct write_mode *arming)
{
	char *usual = xasprintf("%s %s: %.200s", command, plan->id, plan->title ? plan->title : "");
	struct err err = { "" };
	int code = EXIT_DONE;

	arming->forbidden = write_mode_forbidden(cli->replay != NULL, cli->read_only, NULL);
	if (!write_mode_begin(arming, cli->reason ? cli->reason : usual, &err))
		code = refuse_plan(cli, plan, err.text);
	free(usual);
	return code;
}

/* -- commands -- */

static int write_with(struct cli *cli, struct fix_plan *plan, const char *command, enum fixer_goal goal)
{
	struct write_mode arming = { 0 };
	int code = arm(cli, plan, command, &arming);

	if (code == EXIT_DONE)
		code = carry(cli, plan, &arming, goal);
	write_mode_end(&arming);
	return code;
}

static int apply(struct cli *cli, struct fix_plan *plan)
{
	int code;

	say_unfinished(cli);
	if (cli->dry_run)
		return carry(cli, plan, NULL, FIXER_REHEARSE);
	code = may_write(cli, plan, "apply");
	if (code == EXIT_DONE)
		code = approve(cli, plan);
	return code == EXIT_DONE ? write_with(cli, plan, "apply", FIXER_APPLY) : code;
}

/* It may send the plan's commands again: a plan that was not approved here before is approved now. */
static int finish(struct cli *cli, struct fix_plan *plan)
{
	int code = may_write(cli, plan, "verify --finish");

	if (code == EXIT_DONE && !plan_is_on_record(plan))
		code = approve(cli, plan);
	return code == EXIT_DONE ? write_with(cli, plan, "verify --finish", FIXER_FINISH) : code;
}

/* Reading needs no leave: --rw gives none that it would take. */
static int verify(struct cli *cli, struct fix_plan *plan)
{
	return cli->finish ? finish(cli, plan) : carry(cli, plan, NULL, FIXER_LOOK);
}

static int keep(struct cli *cli, struct fix_plan *plan)
{
	int code = may_write(cli, plan, "keep");

	code = code == EXIT_DONE ? approve_unknown(cli, plan) : code;
	return code == EXIT_DONE ? write_with(cli, plan, "keep", FIXER_KEEP) : code;
}

static int undo(struct cli *cli, struct fix_plan *plan)
{
	int code = may_write(cli, plan, "undo");

	code = code == EXIT_DONE ? approve_unknown(cli, plan) : code;
	return code == EXIT_DONE ? write_with(cli, plan, "undo", FIXER_UNDO) : code;
}

/* An option that would make another thing of it, and that the command does not have, is no slip to be passed over. */
static int refuse_foreign_options(const struct cli *cli, const char *command, const char *takes)
{
	const struct {
		const char *name;
		bool is_given;
	} given[] = {
		{ "one-end", cli->one_end }, { "finish", cli->finish }, { "no-undo", cli->no_undo }, { "dry-run", cli->dry_run && cli->rw },
	};

	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++)
		if (given[i].is_given && !span_is_among(span_of(given[i].name), takes))
			return complain(EXIT_USAGE, "fabcon %s has no option --%s: nothing was done (fabcon help %s)", command, given[i].name,
					command);
	return EXIT_DONE;
}

/* takes: those of these options that the command has. */
static int with_plan(struct cli *cli, const char *command, const char *takes, int (*run)(struct cli *cli, struct fix_plan *plan))
{
	struct fix_plan plan;
	struct err err = { "" };
	int code = refuse_foreign_options(cli, command, takes);

	if (code != EXIT_DONE)
		return code;
	if (cli->n_args > 1)
		return complain(EXIT_USAGE, "one plan at a time: %s; also given: %s", cli->args[0], cli->args[1]);
	if (!cli->inventory && !cli->replay)
		return complain_of_no_inventory();
	fix_plan_init(&plan);
	if (plan_named(cli->args[0], &plan, &err))
		code = run(cli, &plan);
	else	/* one that is there and is not as it was written is no mistake of typing */
		code = complain(access(cli->args[0], F_OK) == 0 ? EXIT_REFUSED : EXIT_USAGE, "%s", err.text);
	fix_plan_done(&plan);
	return code;
}

int cmd_apply(struct cli *cli)
{
	return with_plan(cli, "apply", "no-undo dry-run", apply);
}

int cmd_verify(struct cli *cli)
{
	return with_plan(cli, "verify", "finish", verify);
}

int cmd_keep(struct cli *cli)
{
	return with_plan(cli, "keep", "", keep);
}

int cmd_undo(struct cli *cli)
{
	return with_plan(cli, "undo", "", undo);
}
