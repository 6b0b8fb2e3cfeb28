/* Completions: what may come next is told by the program, and bash, zsh and fish show it. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/bringup/stage.h"
#include "tests/lib/home.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tui/args/cli.h"
#include "tui/cli/command_line.h"

/* The line so far, its last word being typed; some of what must and must not be offered. */
static const struct {
	const char *line[8], *offers, *not;
} table[] = {
	{ { "st" },				"status\n", "check\n" },
	{ { "" },				"inventory\n", "--theme\n" },
	{ { "--the" },				"--theme\n", "status" },
	{ { "--theme", "" },			"highcontrast\n", "status" },
	{ { "--theme=d" },			"", "status" },
	{ { "-p", "" },				"roce-lossless\n", "status" },
	{ { "--tree", "" },			"seed\n", "status" },
	{ { "explain", "trust-s" },		"trust-same\n", "trust-as-wanted\n" },
	{ { "plan", "ecn-" },			"ecn-on\n", "trust" },
	{ { "-o", "" },				"junit\n", "status" },
	{ { "check", "-o", "" },		"junit\n", "dot\n" },
	{ { "status", "-o", "" },		"jsonl\n", "junit\n" },
	{ { "check", "--f" },			"--fail-on\n", "--for\n" },
	{ { "inventory", "" },			"import\n", "status" },
	{ { "emit", "mach" },			"machineconfig\n", "systemd" },
	{ { "help", "on" },			"on-call\n", "status" },
	{ { "replay", "x.db", "fin" },		"findings\n", "status" },
	{ { "-i", "node[1-3],leaf1", "show", "" }, "node2\n", "status" },
	{ { "-i", "node[1-3]", "ports", "node3" }, "node3\n", "node1" },
	{ { "--stages", "" },			"persistence\n", "status" },
	{ { "bringup", "j" },			"judge\n", "diff\n" },
	{ { "--fail-on", "" },			"warning\n", "status" },
	{ { "parse", "linux", "mlnx" },		"mlnx_qos\n", "status" },
};

static struct run next(const char *const *line)
{
	const char *argv[16] = { "fabcon", "completion", "next", "--" };

	for (size_t i = 0; i < 8 && line[i]; i++)
		argv[4 + i] = line[i];
	return run_program(argv, NULL);
}

static void what_may_come_next_is_told_from_the_tables(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct run r = next(table[i].line);
		const char *out = r.out.text ? r.out.text : "";

		if (r.code || !strstr(out, table[i].offers) || strstr(out, table[i].not))
			fail_msg("row %zu (%s …): exit %d\n%s%s", i, table[i].line[0], r.code, out, r.err.text);
		run_done(&r);
	}
}

static void every_command_says_its_options_formats_and_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < cli_count; i++) {
		struct span rest = span_of(cli_table[i].options), word;

		assert_non_null(cli_table[i].formats);
		while (span_word(&rest, &word)) {
			bool is_there = false;

			for (size_t k = 0; k < option_count; k++)
				is_there |= span_is(word, option_table[k].name);
			if (!is_there)
				fail_msg("%s: no option --%.*s", cli_table[i].name, (int)word.n, word.p);
		}
	}
}

/* A script that asks the shell itself, with our build first in PATH; %s is the file of the completion. */
static const struct {
	const char *shell, *path, *script;
} shell_table[] = {
	{ "bash", "/bin/bash",
	  ". %1$s; t() { COMP_WORDS=(fabcon \"$@\"); COMP_CWORD=$#; COMP_LINE=\"${COMP_WORDS[*]}\"; COMP_POINT=${#COMP_LINE}; "
	  "COMPREPLY=(); _fabcon; printf '%%s\\n' \"${COMPREPLY[@]}\"; }\n"
	  "t explain trust-s; t --theme mo; t -i 'node[1-3]' show node2; t inventory imp\n"
	  "COMP_WORDS=(fabcon-lab --fault tos-); COMP_CWORD=2; COMPREPLY=(); _fabcon_lab; printf '%%s\\n' \"${COMPREPLY[@]}\"\n" },
	{ "zsh", "/bin/zsh",
	  "compdef() { :; }; compadd() { shift; print -l -- $@; }; _files() { :; }; . %1$s\n"
	  "service=fabcon; t() { words=(fabcon \"$@\"); CURRENT=$#words; _fabcon; }\n"
	  "t explain trust-s; t --theme mo; t -i 'node[1-3]' show node2; t inventory imp\n"
	  "service=fabcon-lab; words=(fabcon-lab --fault tos-); CURRENT=3; _fabcon\n" },
	{ "fish", "/usr/bin/fish",
	  "source %1$s; complete -C 'fabcon explain trust-s'; complete -C 'fabcon --theme mo'; "
	  "complete -C \"fabcon -i 'node[1-3]' show node2\"; complete -C 'fabcon inventory imp'; "
	  "complete -C 'fabcon-lab --fault tos-'\n" },
};

static void the_shells_show_it(void **state)
{
	static const char *const wanted[] = { "trust-same", "mono", "node2", "import", "tos-104" };
	char *folder = realpath(program_path("fabcon"), NULL);

	(void)state;
	assert_non_null(folder);
	*strrchr(folder, '/') = '\0';
	for (size_t i = 0; i < sizeof(shell_table) / sizeof(*shell_table); i++) {
		char file[128], command[3000], script[2000];
		struct run r;

		if (access(shell_table[i].path, X_OK) != 0) {
			print_message("skip: %s is not installed\n", shell_table[i].shell);
			continue;
		}
		snprintf(file, sizeof(file), "%s/completion.%s", home, shell_table[i].shell);
		snprintf(command, sizeof(command), "PATH=%s:$PATH; fabcon completion %s >%s", folder, shell_table[i].shell, file);
		r = RUN("/bin/sh", "-c", command);
		assert_int_equal(r.code, 0);
		run_done(&r);
		snprintf(script, sizeof(script), shell_table[i].script, file);
		snprintf(command, sizeof(command), "set PATH %s $PATH\n%s", folder, script);
		if (strcmp(shell_table[i].shell, "fish"))
			snprintf(command, sizeof(command), "PATH=%s:$PATH\n%s", folder, script);
		r = RUN(shell_table[i].path, "-c", command);
		for (size_t k = 0; k < sizeof(wanted) / sizeof(*wanted); k++)
			if (!r.out.text || !strstr(r.out.text, wanted[k]))
				fail_msg("%s does not offer %s:\n%s\n%s", shell_table[i].shell, wanted[k], r.out.text, r.err.text);
		print_message("%s: offers %zu of %zu\n", shell_table[i].shell, sizeof(wanted) / sizeof(*wanted),
			      sizeof(wanted) / sizeof(*wanted));
		run_done(&r);
	}
	free(folder);
}

static void what_a_command_cannot_write_is_refused(void **state)
{
	static const char *const wrong[][3] = {
		{ "status", "junit", "status is written as table, json, jsonl, csv" },
		{ "emit", "json", "emit takes no -o json" },
		{ "doctor", "dot", "doctor is written as table" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct run r = RUN("fabcon", "-o", wrong[i][1], wrong[i][0]);

		assert_int_equal(r.code, EXIT_USAGE);
		if (!strstr(r.err.text, wrong[i][2]))
			fail_msg("%s", r.err.text);
		run_done(&r);
	}
}

static void near_names_are_suggested_and_a_name_is_not_needed_to_explain(void **state)
{
	struct run r = RUN("fabcon", "explain", "trust-smae");

	(void)state;
	assert_int_equal(r.code, EXIT_USAGE);
	assert_non_null(strstr(r.err.text, "did you mean \"trust-same\"?"));
	run_done(&r);
	r = RUN("fabcon", "explain");
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out.text, "checks"));
	run_done(&r);
}

static void help_of_a_command_has_its_own_options_alone(void **state)
{
	struct run r = RUN("fabcon", "help", "check");

	(void)state;
	assert_non_null(strstr(r.out.text, "--fail-on"));
	assert_null(strstr(r.out.text, "--braille"));
	assert_null(strstr(r.out.text, "--approve"));
	run_done(&r);
}

static void help_names_each_stage_of_bring_up(void **state)
{
	struct run r = RUN("fabcon", "help", "bringup");
	const char *at = r.out.text;

	(void)state;
	for (enum bringup_stage s = 0; s < BRINGUP_STAGES; s++) {	/* in their order */
		at = strstr(at, bringup_stage_table[s].id);
		assert_non_null(at);
	}
	run_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_may_come_next_is_told_from_the_tables),
		cmocka_unit_test(every_command_says_its_options_formats_and_words),
		cmocka_unit_test(the_shells_show_it),
		cmocka_unit_test(what_a_command_cannot_write_is_refused),
		cmocka_unit_test(near_names_are_suggested_and_a_name_is_not_needed_to_explain),
		cmocka_unit_test(help_names_each_stage_of_bring_up),
		cmocka_unit_test(help_of_a_command_has_its_own_options_alone),
	};

	return cmocka_run_group_tests(tests, home_open, home_close);
}
