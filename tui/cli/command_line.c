#include "tui/cli/command_line.h"

#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tui/args/consent.h"
#include "tui/cli/help.h"
#include "tui/cli/offers.h"
#include "tui/fixing/explain.h"
#include "tui/session/config.h"
#include "tui/session/logged_in.h"
#include "tui/session/ssh_files.h"
#include "tui/text/call.h"
#include "tui/text/files.h"
#include "tui/text/fuzzy.h"

#define LETTERS		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-"
#define LONG_HELP	1000	/* getopt's value of --help; options count up from 1001 */

const struct cli_command *cli_find(const char *name)
{
	for (size_t i = 0; i < cli_count; i++)
		if (strcmp(cli_table[i].name, name) == 0)
			return &cli_table[i];
	return NULL;
}

/* The command that a word is nearest to, within so many letters; or NULL. */
static const struct cli_command *nearest(const char *word, size_t within)
{
	const struct cli_command *best = NULL;
	size_t least = within + 1;

	for (size_t i = 0; i < cli_count; i++) {
		size_t distance = fuzzy_distance(span_of(word), cli_table[i].name);

		if (distance < least) {
			least = distance;
			best = &cli_table[i];
		}
	}
	return best;
}

static int unknown_command(const char *name)
{
	const struct cli_command *best = nearest(name, 3);

	if (best)
		return complain(EXIT_USAGE, "unknown command \"%s\"; did you mean \"%s\"? (fabcon help)", name, best->name);
	return complain(EXIT_USAGE, "unknown command \"%s\" (fabcon help lists them)", name);
}

static int no_such_format(const struct cli *cli, const struct cli_command *c)
{
	struct span rest = span_of(c->formats), one;
	struct buf list = { 0 };

	if (!*c->formats)
		return complain(EXIT_USAGE, "%s takes no -o %s", c->name, cli->format_name);
	while (span_word(&rest, &one))
		buf_printf(&list, ", %.*s", (int)one.n, one.p);
	complain(EXIT_USAGE, "-o %s: %s is written as table%s", cli->format_name, c->name, list.text);
	buf_done(&list);
	return EXIT_USAGE;
}

/*
 * Hosts before the command: "fabcon spark1 root@10.0.0.2:2222 check". A word of letters alone that is almost a command's name
 * is a slip of the fingers, not a host. Returns how many words are hosts; -1: it was complained of.
 */
static int leading_hosts(struct cli *cli, char **words, int n)
{
	int hosts = 0;

	for (; hosts < n && !cli_find(words[hosts]); hosts++) {
		const char *word = words[hosts];
		size_t within = strlen(word) > 4 ? 2 : strlen(word) > 2 ? 1 : 0;
		const struct cli_command *meant = !within || word[strspn(word, LETTERS)] ? NULL : nearest(word, within);
		char *typed;

		if (meant) {
			complain(EXIT_USAGE, "unknown command \"%s\"; did you mean \"%s\"? To reach a host of that name: fabcon -i %s",
				 word, meant->name, word);
			return -1;
		}
		if (strchr(word, '\n'))
			return complain(-1, "not a host: %s", word);
		typed = xasprintf(" %s", word);
		cli_name(cli, typed);
		free(typed);
	}
	return hosts;
}

static int run_named(struct cli *cli, const char *name)
{
	const struct cli_command *c = cli_find(name);

	if (!c)
		return unknown_command(name);
	if (strcmp(cli->format_name, "table") != 0 && !span_is_among(span_of(cli->format_name), c->formats))
		return no_such_format(cli, c);
	if (c->needs_args && cli->n_args == 0)
		return complain(EXIT_USAGE, "usage: fabcon %s %s", c->name, c->args);
	if (!*c->args && cli->n_args > 0)
		return complain(EXIT_USAGE, "%s takes no argument (%s); to select rows: --filter %s", c->name,
				cli->args[0], cli->args[0]);
	return c->run(cli);
}

/* What getopt wants, made from the rows. */
static void make_getopt(struct option *longs, char *shorts)
{
	*shorts++ = 'h';
	longs[0] = (struct option){ "help", no_argument, NULL, LONG_HELP };
	for (size_t i = 0; i < option_count; i++) {
		const struct option_row *row = &option_table[i];
		int has = !row->arg || *row->arg == '[' ? optional_argument : required_argument;

		longs[i + 1] = (struct option){ row->name, has, NULL, LONG_HELP + 1 + (int)i };
		if (!row->letter)
			continue;
		*shorts++ = row->letter;
		if (row->arg)
			*shorts++ = ':';
	}
	*shorts = '\0';
}

static const struct option_row *option_of(int value)
{
	if (value > LONG_HELP)
		return &option_table[value - LONG_HELP - 1];
	for (size_t i = 0; i < option_count; i++)
		if (option_table[i].letter == value)
			return &option_table[i];
	return NULL;
}

/* Secrets are typed into this program: no core files, no debugger of another user, no readable files. */
static void be_careful(void)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
#ifndef __SANITIZE_ADDRESS__	/* the leak sanitizer looks at its own process */
	prctl(PR_SET_DUMPABLE, 0);
#endif
	umask(077);
	signal(SIGPIPE, SIG_IGN);
}

static char *usual_inventory(void)
{
	char *path = config_path("inventory.yml");

	if (path && access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

/* getopt has complained of it already. */
static int unknown_option(const char *typed)
{
	char *name = xstrndup(typed + strspn(typed, "-"), strcspn(typed + strspn(typed, "-"), "="));
	struct fuzzy_nearest nearest = { .typed = name };
	int code;

	for (size_t i = 0; i < option_count; i++)
		if (strcmp(option_table[i].name, name) != 0)
			fuzzy_try(&nearest, option_table[i].name);
	code = nearest.word && !strncmp(typed, "--", 2) ? complain(EXIT_USAGE, "did you mean --%s?", nearest.word) :
							  complain(EXIT_USAGE, "fabcon --help lists the options");
	free(name);
	return code;
}

/* getopt has moved the options to the front: what is left holds hosts, and a command where there is one. */
static void print_help(int argc, char **argv, bool is_long)
{
	int at = optind;

	while (at < argc && !cli_find(argv[at]))
		at++;
	help_print(at < argc ? argv[at] : NULL, is_long, stdout);
}

static int parse(struct cli *cli, int argc, char **argv, bool *stop)
{
	struct option *longs = xcalloc(option_count + 2, sizeof(*longs));
	char *shorts = xcalloc(2 * option_count + 4, 1);
	struct err err;
	int value, help = 0, code = EXIT_DONE;

	make_getopt(longs, shorts);
	argv[0] = (char *)"fabcon";	/* as getopt's complaints call it */
	while ((!*stop || help) && (value = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct option_row *row;

		*stop = true;
		if (help)
			continue;	/* to the end: a command may stand before its --help */
		if (value == 'h' || value == LONG_HELP) {
			help = value;
			opterr = 0;
		} else if (value == '?') {
			code = unknown_option(argv[optind - 1]);
		} else if ((row = option_of(value)) && config_may_say(cli->config, (size_t)(row - option_table), optarg, &err) &&
			   row->take(cli, optarg, &err)) {
			config_said(cli->config, (size_t)(row - option_table), optarg);
			*stop = false;
		} else {
			code = complain(EXIT_USAGE, "%s", err.text);
		}
	}
	if (help)
		print_help(argc, argv, help == LONG_HELP);
	free(longs);
	free(shorts);
	return code;
}

/* The console starts whatever is wrong in the configuration, and says it; what a script runs would be run wrongly. */
static int run(struct cli *cli, const char *name)
{
	const struct cli_command *c = cli_find(name);

	for (size_t i = 0; c && !c->any_config && i < cli->config->n_problems; i++)
		complain(EXIT_USAGE, "%s", cli->config->problems[i]);
	if (c && !c->any_config && cli->config->n_problems)
		return EXIT_USAGE;
	return run_named(cli, name);
}

/* Of the options, those that a command to be typed needs again. */
static void say_call(const struct cli *cli, const char *usual_policy)
{
	struct span rest = span_of(cli->is_named ? cli->inventory : NULL), line;

	while (span_line(&rest, &line)) {
		char *source = xstrndup(line.p, line.n);

		call_add("-i", source);
		free(source);
	}
	if (cli->policy && cli->policy != usual_policy)
		call_add("-p", cli->policy);
}

static int main_with(struct config *config, int argc, char **argv)
{
	struct cli cli = { .timeout_us = 30 * SECOND, .watch_us = -1, .fail_on = VERDICT_FAIL, .format_name = "table", .utc = true,
			   .config = config, .run = run_named };
	const char *usual_policy;
	bool stop = false;
	char *inventory = NULL;
	int code, hosts;

	config_apply(config, &cli);
	usual_policy = cli.policy;
	cli.is_named = false;
	bindings_use(&config->keys);
	code = parse(&cli, argc, argv, &stop);
	hosts = stop ? 0 : leading_hosts(&cli, argv + optind, argc - optind);
	if (stop || hosts < 0) {
		free(cli.names);
		return stop ? code : EXIT_USAGE;
	}
	optind += hosts;
	consent_may_ask(!cli.no_input);
	ssh_files_use_openssh(cli.uses_openssh);
	cli.ascii = cli.ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	if (cli.ascii)
		sheet_ascii_only();
	say_call(&cli, usual_policy);
	if (!cli.inventory)
		cli.inventory = inventory = usual_inventory();
	cli.args = argv + optind + (optind < argc);
	cli.n_args = argc - optind - (optind < argc);
	code = run(&cli, optind < argc ? argv[optind] : usual_command(&cli));
	free(inventory);
	free(cli.names);
	return code;
}

int cli_main(int argc, char **argv)
{
	struct config config;
	int code;

	setlocale(LC_CTYPE, "");
	be_careful();
	logged_in_explained_by(plans_explain);
	config_init(&config);
	config_read_usual(&config);
	code = main_with(&config, argc, argv);
	config_done(&config);
	return code;
}
