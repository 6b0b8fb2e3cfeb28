/*
 * What the command line said. The table of options (options.c) and that of commands (tui/cli/commands.c) drive the parser, help,
 * completions and the man page, so that they cannot drift.
 */
#ifndef TUI_ARGS_CLI_H
#define TUI_ARGS_CLI_H

#include "core/judge/check.h"
#include "remote/poll/poller.h"
#include "tui/args/exits.h"
#include "tui/text/sheet.h"

struct config;
struct session;
struct session_hooks;

#define CLI_ANSWERS_MAX 64

/* What the options said. */
#define FABCON_VERSION "0.1.0"

struct cli {
	const char *inventory;			/* sources, a line each, as hosts_load() takes them */
	bool is_named;				/* by this command line, not by a file or the environment */
	char *names;				/* owned, of inventory, when several were named */
	const char *policy, *record, *at, *since, *until, *filter, *port, *theme, *identity, *out, *plan, *nccl;
	enum sheet_format format;
	const char *format_name;		/* as given: junit has no sheet */
	enum hostkey_rule hostkey;
	enum verdict fail_on;
	int64_t timeout_us, every_us, for_us, watch_us;	/* watch_us < 0: not asked */
	const char *fabric_ports;
	bool ping_neighbors;
	bool quiet, verbose, uses_openssh, ascii, plain, no_input, list, no_agent, fresh, braille, mouse, utc;
	const char *color;
	const char *tree;			/* diagnose: the decision tree by name */
	const char *stages;			/* bringup: the stages asked for, with commas; NULL: all */
	const char *answers[CLI_ANSWERS_MAX];	/* diagnose: "Q1=yes" */
	size_t n_answers;
	bool read_only, rw, dry_run, no_undo, no_save, finish, one_end, traffic, across, lossy, resume;
	const char *reason, *approve, *management;
	const char *signature, *approvers;	/* of a plan; the file of allowed signers */
	bool needs_signature;			/* approval: signature */
	int64_t confirm_us;			/* --confirm-within; 0: what was verified is kept at once */
	int64_t undo_us, verify_us;		/* --undo-after, --verify-for; 0: as usual */
	char **args;				/* after the command */
	int n_args;
	size_t n_unfound;			/* of the targets: nothing here is called so */
	int answer;				/* exit code of what a command found in what it read; EXIT_DONE: nothing */
	const struct session_hooks *hooks;	/* for prompts; NULL: none */
	bool judges;				/* the command shows verdicts: read on until samples would change none */
	bool tells_verdicts;			/* its exit code tells when there are none */
	struct config *config;			/* what is set, and where */
	struct session *replay;			/* set by "replay FILE COMMAND": commands read this instead of going live */
	int (*run)(struct cli *cli, const char *name);	/* another command, by name, with the same options */
};

struct option_row {
	char letter;				/* 0: long only */
	const char *name, *arg;			/* arg NULL: a switch, --mouse or --mouse=no */
	bool (*take)(struct cli *cli, const char *value, struct err *err);
	const char *help;
	bool each_time;				/* said on the command line or not at all: no file and no variable gives leave to write */
	/*
	 * A guard: once a file or the environment says one of these words, no later file, variable or command line says another
	 * ("": whatever it says). NULL: the later the stronger.
	 */
	const char *stays;
};
extern const struct option_row option_table[];
extern const size_t option_count;

/* Adds a source to cli->inventory. */
void cli_name(struct cli *cli, const char *source);

/* No command was given: a terminal gets the screens, as does a script of the plain console; a pipe gets the status. */
const char *usual_command(const struct cli *cli);

/* To standard error: "fabcon: …". Returns code. */
int complain(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A target that nothing is called: said, and counted for the exit code. near: what was probably meant, or NULL. */
void complain_of_target(struct cli *cli, const char *target, const char *near);
/* The device of the model whose name is nearest to the target's device; NULL: none is near, or that device is there. */
const char *device_near(const struct model *m, const char *target);

#endif
