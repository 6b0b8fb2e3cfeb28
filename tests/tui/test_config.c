/* The configuration: what is set where, keys of one's own, and files that are wrong. */
#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"
#include "tui/session/config.h"
#include "tui/text/files.h"

static const char *value_of(const struct config *c, const char *option)
{
	for (size_t i = 0; i < option_count; i++)
		if (!strcmp(option_table[i].name, option))
			return c->settings[i].value;
	fail_msg("no option %s", option);
	return NULL;
}

static void assert_problem(const char *text, const char *says)
{
	struct config c;

	config_init(&c);
	config_read(&c, span_of(text), "c.yaml");
	if (!c.n_problems || !strstr(c.problems[0], says))
		fail_msg("%s\nsays \"%s\", not \"%s\"", text, c.n_problems ? c.problems[0] : "nothing", says);
	config_done(&c);
}

static void what_is_wrong_is_told_by_file_and_line(void **state)
{
	(void)state;
	assert_problem("theme: dark\nthemes: light\n", "c.yaml:2: no such option");
	assert_problem("\n\nascii: perhaps\n", "c.yaml:3: expected yes or no");
	assert_problem("theme: [dark]\n", "c.yaml:1: one value");
	assert_problem("- theme\n", "c.yaml:1: a configuration is a mapping");
	assert_problem("theme: 'dark\n", "c.yaml:");
	assert_problem("keys: x\n", "c.yaml:1: keys: is a mapping");
	assert_problem("keys:\n  explode: x\n", "c.yaml:2: no command \"explode\"");
	assert_problem("keys:\n  explain: hyper-x\n", "c.yaml:2: \"hyper-x\" is not a key");
	assert_problem("keys:\n  explain: [a, b, c, d, e]\n", "c.yaml:2: explain can have 4 keys");
	assert_problem("keys:\n  explain: {a: b}\n", "c.yaml:2: a command and its keys");
}

static void a_clash_names_both_commands(void **state)
{
	(void)state;
	assert_problem("keys:\n  explain: o\n", "explain (o) and raw (o)");
	assert_problem("keys:\n  explain: Enter\n", "open (Enter) and explain (Enter)");
	assert_problem("keys:\n  explain: ctrl-m\n", "explain (^M)");
	assert_problem("keys:\n  explain: e\n  raw: e\n", "explain (e) and raw (e)");
}

static void the_ways_out_keep_a_key(void **state)
{
	static const char *const needed[] = { "help", "cancel", "back", "command", "interrupt" };

	(void)state;
	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
		char *text = xasprintf("keys:\n  %s: []\n", needed[i]), *says = xasprintf("c.yaml:2: %s must have a key", needed[i]);

		assert_problem(text, says);
		free(text);
		free(says);
	}
}

static void what_is_right_in_a_file_with_a_mistake_counts(void **state)
{
	struct config c;

	(void)state;
	config_init(&c);
	config_read(&c, SPAN("theme: light\nnonsense: 1\nascii: yes\nkeys:\n  explain: o\n  raw: F9\n  invert: o\n"), "c.yaml");
	assert_string_equal(value_of(&c, "theme"), "light");
	assert_string_equal(value_of(&c, "ascii"), "yes");
	assert_int_equal(c.n_problems, 2);
	/* Of keys, all or none. */
	bindings_use(&c.keys);
	assert_int_equal(key_command('x', SCREEN_PORTS), DO_EXPLAIN);
	bindings_use(NULL);
	config_done(&c);
}

static void keys_of_ones_own_replace_those_of_the_table_and_in_texts(void **state)
{
	struct buf said = { 0 };
	struct config c;

	(void)state;
	config_init(&c);
	config_read(&c, SPAN("keys:\n  explain: [o, F9, ctrl-t]\n  raw: x\n  invert: []\n"), "c.yaml");
	assert_int_equal(c.n_problems, 0);
	bindings_use(&c.keys);
	assert_int_equal(key_command('o', SCREEN_PORTS), DO_EXPLAIN);
	assert_int_equal(key_command(KEY_F(9), SCREEN_PORTS), DO_EXPLAIN);
	assert_int_equal(key_command('t' & 0x1f, SCREEN_PORTS), DO_EXPLAIN);
	assert_int_equal(key_command('x', SCREEN_PORTS), DO_RAW);
	assert_int_equal(key_command('I', SCREEN_PORTS), DO_NOTHING);
	assert_string_equal(key_show(key_named(SPAN("explain"))), "o F9 ^T");
	assert_string_equal(key_show(key_named(SPAN("invert"))), ":invert");
	key_text(&said, "{explain} why, {invert} the other way, {raw} the reply; {this} and { are no commands");
	assert_string_equal(said.text, "o why, :invert the other way, x the reply; {this} and { are no commands");
	buf_done(&said);
	bindings_use(NULL);
	assert_int_equal(key_command('x', SCREEN_PORTS), DO_EXPLAIN);
	config_done(&c);
}

static void every_key_of_the_table_can_be_written_in_a_file(void **state)
{
	char show[12];
	int code;

	(void)state;
	for (size_t i = 0; i < key_count; i++) {
		struct span rest = span_of(key_table[i].show), word;

		while (span_word(&rest, &word)) {
			if (*word.p == ':' && word.n > 1)
				continue;
			if (!key_of_word(word, &code, show) || !key_has(&key_table[i], code))
				fail_msg("%s: \"%.*s\" is not one of its keys", key_table[i].name, (int)word.n, word.p);
		}
	}
}

static void hostile_files_are_problems_and_nothing_more(void **state)
{
	static const char *const texts[] = {
		"", "\xff\xfe\x00", "&a [*a, *a]", "{{{{{{{{", "keys: &k\n  explain: *k\n", "? [a]\n: b\n", "theme: \"a\\0b\"\n",
		"keys:\n  ? {a: b}\n  : x\n", "---\ntheme: dark\n---\nascii: perhaps\n", "keys:\n  explain: [[x]]\n", "theme:\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct config c;

		config_init(&c);
		config_read(&c, span_of(texts[i]), "c.yaml");
		assert_true(c.n_problems < 3);
		config_done(&c);
	}
}

static void a_setting_is_written_and_every_other_line_stays(void **state)
{
	static const char text[] = "# mine\ntheme: dark   # at night\n\nkeys:\n  theme: F9\n";
	struct buf out = { 0 };
	struct err err = { "" };

	(void)state;
	assert_true(config_set(span_of(text), "theme", "light", &out, &err));
	assert_string_equal(out.text, "# mine\ntheme: light # at night\n\nkeys:\n  theme: F9\n");
	assert_true(config_set(span_of(text), "policy", "it's #1: ~", &out, &err));
	assert_string_equal(out.text, "# mine\ntheme: dark   # at night\n\nkeys:\n  theme: F9\npolicy: 'it''s #1: ~'\n");
	/* One line that holds all: nothing that a line could be added to. */
	assert_false(config_set(SPAN("{theme: dark}\n"), "theme", "light", &out, &err));
	assert_non_null(strstr(err.text, "by hand"));
	buf_done(&out);
}

/* -- the program with files of its own -- */

struct home {
	char path[64];
};

static void home_file(const struct home *h, const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", h->path, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void home_open(struct home *h)
{
	char path[128];

	strcpy(h->path, "/tmp/fabcon-home.XXXXXX");
	assert_non_null(mkdtemp(h->path));
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", h->path, (const char *const[]){ "fabcon", "site" }[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	setenv("XDG_CONFIG_HOME", h->path, 1);
	setenv("XDG_STATE_HOME", h->path, 1);
	setenv("FABCON_SITE", path, 1);
}

static void home_close(struct home *h)
{
	char *command = xasprintf("rm -rf %s", h->path);

	assert_int_equal(system(command), 0);
	free(command);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_STATE_HOME");
	unsetenv("FABCON_SITE");
}

/* What "config show" says of the theme: its value, and the end of the place it came from. */
static void assert_theme(const char *value, const char *from, const char *const *argv)
{
	struct run r = run_program(argv, NULL);
	struct span rest = buf_span(&r.out), line, word;
	bool is_found = false;

	while (span_line(&rest, &line)) {
		if (!span_word(&line, &word) || !span_is(word, "theme"))
			continue;
		is_found = true;
		assert_true(span_word(&line, &word) && span_is(word, value));
		line = span_trim(line);
		assert_true(line.n >= strlen(from) && !memcmp(line.p + line.n - strlen(from), from, strlen(from)));
	}
	assert_true(is_found);
	run_done(&r);
}
#define SHOWN(value, from, ...) assert_theme((value), (from), (const char *const[]){ "fabcon", __VA_ARGS__, NULL })

/* Whoever runs fabcon beside a file of the same name brings no signers of his own. */
static void the_signers_file_of_a_configuration_file_is_beside_it(void **state)
{
	struct config c;

	(void)state;
	config_init(&c);
	config_read(&c, SPAN("approvers: signers\n"), "/srv/site/config.yaml");
	assert_string_equal(value_of(&c, "approvers"), "/srv/site/signers");
	config_done(&c);
	config_init(&c);
	config_read(&c, SPAN("approvers: /srv/signers\n"), "/srv/site/config.yaml");
	assert_string_equal(value_of(&c, "approvers"), "/srv/signers");
	config_done(&c);
}

static void the_nearer_setting_wins_and_is_named(void **state)
{
	struct home h;

	(void)state;
	home_open(&h);
	home_file(&h, "site/config.yaml", "theme: mono\n");
	SHOWN("mono", "site/config.yaml:1", "config", "show");
	home_file(&h, "fabcon/config.yaml", "# mine\ntheme: light\n");
	SHOWN("light", "fabcon/config.yaml:2", "config", "show");
	setenv("FABCON_THEME", "solarized", 1);
	SHOWN("solarized", "FABCON_THEME", "config", "show");
	SHOWN("dark", "--theme", "--theme", "dark", "config", "show");
	unsetenv("FABCON_THEME");
	home_close(&h);
}

/* A guard of the site, or of one's own: neither a later file, nor the environment, nor the command line replaces it. */
static void assert_held(const struct home *h, const char *site, const char *variable, const char *option, const char *value,
			const char *says)
{
	struct run r;

	home_file(h, "site/config.yaml", site);
	setenv(variable, value, 1);
	r = RUN("fabcon", "-i", "localhost", "status");
	if (r.code != EXIT_USAGE || !strstr(r.err.text, says) || !strstr(r.err.text, variable))
		fail_msg("%s=%s: exit %d: %s", variable, value, r.code, r.err.n ? r.err.text : "");
	run_done(&r);
	unsetenv(variable);
	r = RUN("fabcon", option, value, "config", "show");
	if (r.code != EXIT_USAGE || !strstr(r.err.text, says) || !strstr(r.err.text, option))
		fail_msg("%s %s: exit %d: %s", option, value, r.code, r.err.n ? r.err.text : "");
	run_done(&r);
}

static void what_guards_a_fabric_is_not_replaced_on_the_command_line(void **state)
{
	static const char guarded[] = "approval: signature\napprovers: /etc/signers\nread-only: yes\n";
	struct home h;
	struct run r;

	(void)state;
	home_open(&h);
	assert_held(&h, guarded, "FABCON_APPROVERS", "--approvers", "/etc/bobs", "site/config.yaml:2 (/etc/signers) and not replaced");
	assert_held(&h, guarded, "FABCON_APPROVAL", "--approval", "hash", "site/config.yaml:1 (signature) and not replaced");
	assert_held(&h, "approval: signature\n", "FABCON_APPROVERS", "--approvers", "/etc/bobs", "site/config.yaml:1 demands signatures");
	home_file(&h, "site/config.yaml", guarded);
	r = RUN("fabcon", "--read-only=no", "config", "show");
	assert_int_equal(r.code, EXIT_USAGE);
	assert_non_null(strstr(r.err.text, "site/config.yaml:3 (yes) and not replaced"));
	run_done(&r);
	home_file(&h, "fabcon/config.yaml", "approvers: /etc/bobs\n");
	r = RUN("fabcon", "config", "check");
	assert_int_equal(r.code, EXIT_USAGE);
	assert_non_null(strstr(r.err.text, "fabcon/config.yaml:1: approvers is set by "));
	run_done(&r);
	home_close(&h);
}

/* Saying the same again, or demanding more, is no replacement. */
static void what_a_guard_says_may_be_said_again_and_more_demanded(void **state)
{
	struct home h;
	struct run r;

	(void)state;
	home_open(&h);
	home_file(&h, "site/config.yaml", "approval: hash\napprovers: /etc/signers\nread-only: no\n");
	r = RUN("fabcon", "--approval", "signature", "--approvers", "/etc/signers", "--read-only", "config", "show");
	if (r.code != EXIT_DONE)
		fail_msg("exit %d: %s", r.code, r.err.text);
	run_done(&r);
	home_close(&h);
}

static void a_script_is_refused_and_the_console_starts_and_says_it(void **state)
{
	struct home h;
	struct run r;
	struct tty *t;

	(void)state;
	home_open(&h);
	home_file(&h, "fabcon/config.yaml", "themes: light\n");
	r = RUN("fabcon", "-i", "localhost", "status");
	assert_int_equal(r.code, EXIT_USAGE);
	assert_non_null(strstr(r.err.text, "config.yaml:1: no such option"));
	run_done(&r);
	r = RUN("fabcon", "config", "check");
	assert_int_equal(r.code, EXIT_USAGE);
	run_done(&r);
	r = RUN("fabcon", "version");
	assert_int_equal(r.code, 0);
	run_done(&r);
	t = TTY(24, 100, "fabcon", "-i", "localhost", "--no-input");
	assert_true(tty_shows(t, "config.yaml:1: no such option", 20));
	tty_type(t, "q");
	assert_int_equal(tty_end(t, 20), 0);
	tty_close(t);
	t = TTY(24, 100, "fabcon");	/* the first run's form says it too */
	assert_true(tty_shows(t, "config.yaml:1: no such option", 20));
	tty_type(t, "\033");
	assert_int_equal(tty_end(t, 20), 0);
	tty_close(t);
	home_close(&h);
}

static void keys_are_shown_as_they_are_bound(void **state)
{
	struct home h;
	struct tty *t;
	struct run r;

	(void)state;
	home_open(&h);
	home_file(&h, "fabcon/config.yaml", "keys:\n  back: F9\n  explain: z\n");
	r = RUN("fabcon", "man", "fabcon.1");
	assert_non_null(strstr(r.out.text, ".B z\nWhy: "));
	run_done(&r);
	t = TTY(24, 100, "fabcon", "-i", "localhost", "--no-input", "tui", "ports");
	assert_true(tty_shows(t, "z explain", 20));
	tty_type(t, "1\033[20~");	/* F9 */
	assert_int_equal(tty_end(t, 20), 0);
	tty_close(t);
	home_close(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_wrong_is_told_by_file_and_line),
		cmocka_unit_test(a_clash_names_both_commands),
		cmocka_unit_test(the_ways_out_keep_a_key),
		cmocka_unit_test(what_is_right_in_a_file_with_a_mistake_counts),
		cmocka_unit_test(keys_of_ones_own_replace_those_of_the_table_and_in_texts),
		cmocka_unit_test(every_key_of_the_table_can_be_written_in_a_file),
		cmocka_unit_test(hostile_files_are_problems_and_nothing_more),
		cmocka_unit_test(a_setting_is_written_and_every_other_line_stays),
		cmocka_unit_test(the_signers_file_of_a_configuration_file_is_beside_it),
		cmocka_unit_test(the_nearer_setting_wins_and_is_named),
		cmocka_unit_test(what_guards_a_fabric_is_not_replaced_on_the_command_line),
		cmocka_unit_test(what_a_guard_says_may_be_said_again_and_more_demanded),
		cmocka_unit_test(a_script_is_refused_and_the_console_starts_and_says_it),
		cmocka_unit_test(keys_are_shown_as_they_are_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
