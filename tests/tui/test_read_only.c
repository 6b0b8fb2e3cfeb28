/*
 * Nothing but questions reaches a device, whatever a person presses: the lab's log of what its devices were told is held
 * against the tables. Keys are pressed at random from MONKEY_SEED for MONKEY_SECONDS; `make monkey` presses many. On fabrics
 * in skins, too (NASTY_SEEDS="N N …": these alone).
 */
#include <ctype.h>
#include <curses.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <openssl/evp.h>

#include "core/fix/plan.h"
#include "remote/fixer/device_undo.h"
#include "remote/platforms.h"
#include "remote/talk/collector.h"
#include "remote/talk/write.h"
#include "tests/lib/hostile.h"
#include "tests/lib/lab.h"
#include "tests/lib/nasty.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"
#include "tui/args/cli.h"
#include "tui/widgets/keys.h"

static char log_path[64];
static struct lab lab;

/* What was said on one channel. */
struct talk_log {
	char device[64];
	uint64_t channel;
	bool is_shell;
	struct buf said;
};

static void add_unescaped(struct buf *out, struct span text)
{
	uint64_t byte;

	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\\' && i + 3 < text.n && span_hex((struct span){ text.p + i + 2, 2 }, &byte)) {
			buf_add(out, &(char){ (char)byte }, 1);
			i += 3;
		} else {
			buf_add(out, text.p + i, 1);
		}
	}
}

/* "show interface ethernet {unit} x" and what stands for {unit}: digits, letters, slashes and no more. */
static bool is_asking(struct span line, struct span template)
{
	struct span head, tail;

	if (!span_cut(template, '{', &head, &tail) || !span_cut(tail, '}', &template, &tail))
		return line.n == template.n && memcmp(line.p, template.p, line.n) == 0;
	if (line.n < head.n || memcmp(line.p, head.p, head.n) != 0)
		return false;
	line = (struct span){ line.p + head.n, line.n - head.n };
	while (line.n && (isalnum((unsigned char)*line.p) || *line.p == '/'))
		line = (struct span){ line.p + 1, line.n - 1 };
	return is_asking(line, tail);
}

static bool is_probe_of(const struct platform *p, struct span line)
{
	for (size_t i = 0; i < p->n_probes; i++) {
		struct span commands = span_of(p->probes[i].command), one;

		while (span_line(&commands, &one))
			if (is_asking(line, one))
				return true;
	}
	return span_is(line, p->cli->pager_off) || span_is(line, "show version") || span_is(line, "exit");
}

/* Takes what is known to be said off the front; a line that broke off in the middle of it is as good. */
static bool take_known(struct span *said, const struct buf *known)
{
	size_t n = said->n < known->n ? said->n : known->n;

	if (memcmp(said->p, known->text, n) != 0)
		return false;
	*said = (struct span){ said->p + n, said->n - n };
	return true;
}

/* -- the script of verify, which asks what is armed -- */

/* Up to what ends it. */
static struct span word_after(struct span text, const char *mark, char end)
{
	const char *begin = span_find(text, mark);
	struct span word = { begin, 0 };

	assert_non_null(begin);
	word.p += strlen(mark);
	while (word.p + word.n < text.p + text.n && word.p[word.n] != end)
		word.n++;
	return word;
}

/* The script as it must be for the plan, the step and the owner that it names itself. */
static void look_of(struct span script, struct buf *look)
{
	struct span owner = word_after(script, "fc_owner='", '\'');
	struct fix_plan p;
	uint64_t step;

	fix_plan_init(&p);
	p.id = arena_text(&p.arena, word_after(script, "fc_plan=", ' ').p, word_after(script, "fc_plan=", ' ').n);
	assert_true(span_u64(word_after(script, "fc_step=", '\n'), &step) && step > 0 && step < 100);
	for (; p.n_steps < step; p.n_steps++)
		*GROW(p.steps, p.n_steps, p.cap_steps) = (struct fix_step){ .device = "any" };
	device_undo_look(&p, step - 1, BY(arena_text(&p.arena, owner.p, owner.n)), look);
	fix_plan_done(&p);
}

/* As typed at a switch: "system bash", the script in base64, and out again. */
static void take_look_of_cli(struct span *said)
{
	struct span lines = word_after(*said, "base64 -d <<'@'\n", '@'), half = word_after(*said, "quiet\\n' ", '\n'), line;
	struct buf script = { 0 }, look = { 0 }, known = { 0 };
	char nonce[20];

	while (span_line(&lines, &line)) {
		unsigned char bytes[512];
		char text[640];
		int n;

		assert_true(line.n < sizeof(text));
		snprintf(text, sizeof(text), "%.*s", (int)line.n, line.p);
		n = EVP_DecodeBlock(bytes, (const unsigned char *)text, (int)line.n);
		assert_true(n > 0);
		buf_add(&script, (const char *)bytes, (size_t)n);
	}
	assert_true(half.n == 17 && half.p[8] == ' ');
	snprintf(nonce, sizeof(nonce), "%.8s%.8s", half.p, half.p + 9);
	look_of(buf_span(&script), &look);
	talk_write_cli_transcript(nonce, look.text, &known);
	if (said->n < known.n || !take_known(said, &known))
		fail_msg("a switch's shell was told more than to look: %.*s", (int)script.n, script.text);
	buf_done(&script);
	buf_done(&look);
	buf_done(&known);
}

/* In single quotes, each of its own as four signs. */
static bool take_look_of_sh(struct span *said, const char *nonce)
{
	struct buf script = { 0 }, look = { 0 }, known = { 0 };
	bool is_look;

	for (size_t i = 0; i < said->n; i++) {
		struct span rest = { said->p + i, said->n - i };

		buf_add(&script, rest.p, 1);
		i += span_starts(rest, "'\\''") ? 3 : 0;
	}
	is_look = span_find(buf_span(&script), "fc_plan=") && span_find(buf_span(&script), "fc_owner='");
	if (is_look) {
		look_of(buf_span(&script), &look);
		talk_write_sh_transcript(nonce, look.text, &known);
		is_look = take_known(said, &known);
	}
	buf_done(&script);
	buf_done(&look);
	buf_done(&known);
	return is_look;
}

static void check_cli(const struct talk_log *t)
{
	struct span rest = buf_span(&t->said), line;

	while (rest.n) {
		if (span_starts(rest, "system bash\n")) {
			take_look_of_cli(&rest);
			continue;
		}
		if (span_line(&rest, &line) && !is_probe_of(platform_find("os10"), line))
			fail_msg("%s was told: %.*s", t->device, (int)line.n, line.p);
	}
}

/* The ports that the program names: names of interfaces and nothing else. */
static void named_ports(struct span said, char *out, size_t size)
{
	const char *begin = span_find(said, " P='");
	size_t n = begin ? strcspn(begin + 4, "'\n") : 0;

	assert_true(n < size);
	snprintf(out, size, "%.*s", (int)n, begin ? begin + 4 : "");
	for (char *c = out; *c; c++)
		assert_true(isalnum((unsigned char)*c) || strchr("._@- ", *c));
}

static void check_sh(const struct talk_log *t)
{
	struct span said = buf_span(&t->said), word;
	const char *begin = span_find(said, "identify - -\\n' ");
	const struct platform *platform = platform_find(strncmp(t->device, "leaf", 4) ? "linux" : "sonic");
	struct buf identify = { 0 }, program = { 0 };
	char nonce[17], ports[512];

	if (said.n == 0)
		return;
	assert_non_null(begin);
	snprintf(nonce, sizeof(nonce), "%s", begin + strlen("identify - -\\n' "));
	collector_identify(nonce, &identify);
	named_ports(said, ports, sizeof(ports));
	collector_program_for(platform, nonce, ports, &program);
	if (!take_known(&said, &identify) || (!take_known(&said, &program) && !take_look_of_sh(&said, nonce)))
		fail_msg("%s was told another program than the collector: %.*s", t->device, (int)said.n, said.p);
	while (span_line(&said, &word))
		if (!span_is(word, "once") && !span_is(word, "config") && !span_is(word, "live") && !span_is(word, "fill") && word.n)
			fail_msg("%s was told: %.*s", t->device, (int)word.n, word.p);
	buf_done(&identify);
	buf_done(&program);
}

static void check_talk(struct talk_log *t)
{
	if (t->is_shell)
		check_cli(t);
	else
		check_sh(t);
	buf_clear(&t->said);
}

#define CHANNELS_MAX 4096

static struct talk_log *talk_of(struct talk_log *talks, struct span device, uint64_t channel)
{
	assert_true(channel < CHANNELS_MAX);
	talks[channel].channel = channel;
	snprintf(talks[channel].device, sizeof(talks[channel].device), "%.*s", (int)device.n, device.p);
	return &talks[channel];
}

/* The lines heard so far; fails with the first that is no question. */
static unsigned assert_only_asked(void)
{
	static struct talk_log talks[CHANNELS_MAX];
	size_t size;
	char *text = file_text(log_path, &size);
	struct span rest = { text, size }, line, device, what, number;
	unsigned heard = 0;
	uint64_t channel;

	assert_non_null(text);
	memset(talks, 0, sizeof(talks));
	for (; span_line(&rest, &line); heard++) {
		struct talk_log *t;

		assert_true(span_cut(line, ' ', &device, &line) && span_cut(line, ' ', &what, &line));
		assert_true(span_cut_last(line, ' ', &line, &number) && span_skip(&number, "#") && span_u64(number, &channel));
		t = talk_of(talks, device, channel);
		if (span_is(what, "input")) {
			add_unescaped(&t->said, line);
			continue;
		}
		t->is_shell = span_is(what, "shell");
		if (!t->is_shell && !span_is(line, "/bin/sh -s"))
			fail_msg("%s was to run: %.*s", t->device, (int)line.n, line.p);
	}
	for (size_t i = 0; i < CHANNELS_MAX; i++) {
		if (talks[i].channel)
			check_talk(&talks[i]);
		buf_done(&talks[i].said);
	}
	free(text);
	return heard;
}

static void run_commands(size_t n)
{
	static const char *const commands[][3] = {
		{ "check" }, { "show", "node1" }, { "doctor" }, { "inventory", "list" }, { "inventory", "test" }, { "status" },
		{ "ports" }, { "findings" },
	};

	for (size_t i = 0; i < n && i < sizeof(commands) / sizeof(*commands); i++) {
		struct run r = LAB_FABCON(&lab, commands[i][0], commands[i][1]);

		if (r.code != 0 && r.code != 1 && r.code != 3)	/* 3: a busy machine was late with some answers */
			fail_msg("%s: exit %d: %s", commands[i][0], r.code, r.err.text);
		run_done(&r);
	}
}

static void every_command_only_asks(void **state)
{
	(void)state;
	run_commands(getenv("MONKEY_SECONDS") ? SIZE_MAX : 4);
	assert_true(assert_only_asked() > 20);
}

/* -- plans -- */

static void expect(struct run r, int code, const char *says)
{
	if (r.code != code || (!span_find(buf_span(&r.out), says) && !span_find(buf_span(&r.err), says)))
		fail_msg("exit %d, not %d with \"%s\":\n%s%s", r.code, code, says, r.out.n ? r.out.text : "", r.err.n ? r.err.text : "");
	run_done(&r);
}

/* As --approve takes it. */
static void hash_of(const char *path, char hash[FIX_HASH_SIZE])
{
	struct fix_plan plan;
	struct err err = { "" };
	size_t size;
	char *text = file_text(path, &size);

	assert_non_null(text);
	fix_plan_init(&plan);
	if (!fix_plan_read(&plan, (struct span){ text, size }, &err))
		fail_msg("%s", err.text);
	assert_int_equal(plan.n_steps, 3);	/* a host and a switch of each kind */
	fix_plan_hash(&plan, hash);
	fix_plan_done(&plan);
	free(text);
}

/* All that a plan can be asked for by who has no leave, or is forbidden to write whatever he asks for. */
static void no_command_about_a_plan_does_more_than_ask(void **state)
{
	char path[96], hash[FIX_HASH_SIZE];

	(void)state;
	snprintf(path, sizeof(path), "%s/plan.json", lab.dir);
	setenv("XDG_DATA_HOME", lab.dir, 1);
	expect(LAB_FABCON(&lab, "plan", "-O", path), EXIT_DONE, "written to ");
	hash_of(path, hash);
	expect(LAB_FABCON(&lab, "apply", path, "--dry-run"), EXIT_DONE, "WOULD run on node1: mlnx_qos -i eth2 --trust dscp");
	expect(LAB_FABCON(&lab, "apply", path, "--approve", hash), EXIT_REFUSED, "permit it with --rw");
	expect(LAB_FABCON(&lab, "verify", path), EXIT_DONE, "as before");
	expect(LAB_FABCON(&lab, "keep", path), EXIT_REFUSED, "permit it with --rw");
	expect(LAB_FABCON(&lab, "undo", path), EXIT_REFUSED, "permit it with --rw");
	setenv("FABCON_RO", "1", 1);
	expect(LAB_FABCON(&lab, "--rw", "apply", path, "--approve", hash), EXIT_REFUSED, "FABCON_RO is set");
	expect(LAB_FABCON(&lab, "--rw", "undo", path), EXIT_REFUSED, "FABCON_RO is set");
	unsetenv("FABCON_RO");
	assert_true(assert_only_asked() > 20);
}

static void sees(struct tty *t, const char *words)
{
	if (!tty_shows(t, words, 30))
		fail_msg("\"%s\" is not on the screen\n%s", words, tty_screen(t));
}

/* Of the row at the cursor; not before everything that a plan is made from was read. */
static void open_plan(struct tty *t)
{
	unsigned tries = 0;

	do {
		if (tries++ == 30)
			fail_msg("no plan is made:\n%s", tty_screen(t));
		assert_true(tty_settle(t, 30));
		tty_type(t, "f");
	} while (!tty_shows(t, "5[Fix]", 1));
}

/* What the Fix screen has keys for, and what would be typed to begin, did it ask. */
static void press_all_of_fix(struct tty *t, const char *device)
{
	static const char *const keys[] = { "\r", "K", "U", "M", "?q", "\t", "\t", "\t", "x", "?q", "o", "?q", "yY", "w\033", " ",
					    "\033[B", "jk" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		tty_type(t, keys[i]);
		tty_type(t, "\r");
		tty_type(t, device);
		tty_type(t, "\r");
		tty_type(t, "5");
		if (!tty_settle(t, 30))
			fail_msg("after key %zu the prompt does not answer:\n%s", i, tty_screen(t));
	}
}

static void the_fix_screen_of_each_platform_only_asks(void **state)
{
	static const char *const plans[][3] = {
		{ "trust-as-wanted", "--trust dscp", "node1" }, { "ecn-on", "service-policy", "leaf1" },
		{ "pfc-on-where-wanted", "apply-patch", "leaf2" },
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct tty *t = TTY(36, 120, "fabcon", "-i", lab.inventory, "--no-input", "--fresh");

		sees(t, "dev 4/4");
		tty_type(t, "8/");
		tty_type(t, plans[i][0]);
		tty_type(t, "\r");
		open_plan(t);
		sees(t, plans[i][1]);
		tty_type(t, "R");
		sees(t, "dry run: read-only commands only; nothing was changed");
		press_all_of_fix(t, plans[i][2]);
		tty_type(t, "5D");
		tty_type(t, ":quit\r");
		assert_int_equal(tty_end(t, 30), 0);
		assert_null(hostile_in_terminal(buf_span(tty_bytes(t))));
		tty_close(t);
	}
	assert_true(assert_only_asked() > 20);
}

/* -- anything -- */

static unsigned any(uint64_t *seed, unsigned n)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (unsigned)(*seed >> 33) % n;
}

/* What an xterm sends for a key of the table; ^Z and ^C are left out: they stop or end what is looked at. */
static const char *sent_for(int code, char one[2])
{
	static const struct {
		int code;
		const char *sent;
	} keys[] = {
		{ KEY_UP, "\033OA" }, { KEY_DOWN, "\033OB" }, { KEY_RIGHT, "\033OC" }, { KEY_LEFT, "\033OD" }, { KEY_HOME, "\033OH" },
		{ KEY_END, "\033OF" }, { KEY_PPAGE, "\033[5~" }, { KEY_NPAGE, "\033[6~" }, { KEY_BTAB, "\033[Z" }, { KEY_F(1), "\033OP" },
		{ KEY_F(2), "\033OQ" }, { KEY_F(3), "\033OR" }, { KEY_F(4), "\033OS" }, { KEY_F(5), "\033[15~" }, { KEY_F(6), "\033[17~" },
		{ KEY_F(10), "\033[21~" },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (keys[i].code == code)
			return keys[i].sent;
	one[0] = code > 0 && code < 0x7f && code != 3 && code != 26 ? (char)code : '\r';
	return one;
}

/* Commands that have no key, lines that are edited, a paste, a mouse, and half of a key. */
static void type_any(struct tty *t, uint64_t *seed)
{
	static const char *const lines[] = {
		":mouse\r", ":theme mono\r", ":theme light\r", ":speed 10\r", ":unzero\r", ":baseline\r", ":baseline off\r", ":filter is:bad\r",
		"8/trust\rf", "8f5\r", "3f", "5\rnode1\r", "5Kleaf1\r", "5R", ":disarm\r", ":open node1\r",
		":sort paused\r", ":explain trust\r", "/trust:pcp\r", "/~(a|b)+[\r", "b-10m\r", "b14:26\r", "mnote\r",
		"a2h because\r", "\177\177", "\033[<0;10;5M\033[<0;10;5m", "\033[<65;4;4M", "\033[200~reload\r:quit\r\033[201~", "\033[",
		"\033[?1;2c", "\xc3\xa9", "\xff",
	};

	if (any(seed, 3))
		tty_type(t, lines[any(seed, sizeof(lines) / sizeof(*lines))]);
	else
		tty_type(t, (char[]){ (char)(' ' + any(seed, 95)), '\0' });
}

/* Mostly what the key table knows, the way out less often than the others; some of anything, and other sizes. */
static void press_any(struct tty *t, uint64_t *seed)
{
	static const int sizes[][2] = { { 30, 110 }, { 24, 80 }, { 16, 60 }, { 10, 40 }, { 3, 9 }, { 1, 1 }, { 60, 200 } };
	const struct key *k = &key_table[any(seed, (unsigned)key_count)];
	const int *size = sizes[any(seed, 7)];
	unsigned what = any(seed, 20);
	char one[2] = "";

	if (what == 0)
		tty_resize(t, size[0], size[1]);
	else if (what < 4)
		type_any(t, seed);
	else if (k->command != DO_BACK || !any(seed, 4))
		tty_type(t, sent_for(k->codes[any(seed, 2)], one));
}

static int64_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* In a folder of its own, where what is exported and kept goes: live, live with a recording, and that recording again. */
static struct tty *open_console(unsigned nth)
{
	char program[PATH_MAX], command[PATH_MAX + 512];
	static const char *const ways[] = { "-i inventory.yml --no-input", "-i inventory.yml --no-input --record keys.fabcon",
					    "replay keys.fabcon" };

	if (!realpath(program_path("fabcon"), program))
		fail_msg("there is no fabcon");
	setenv("XDG_CONFIG_HOME", lab.dir, 1);
	setenv("XDG_STATE_HOME", lab.dir, 1);
	/* without echo: keys that come after the console's end would be shown by the terminal, which is not ours to judge */
	snprintf(command, sizeof(command), "cd '%s' && stty -echo && exec '%s' %s", lab.dir, program, ways[nth % 3]);
	return TTY(30, 110, "/bin/sh", "-c", command);
}

static void end_console(struct tty *t, unsigned pressed, uint64_t seed)
{
	const char *wrong;
	int code;

	tty_type(t, "\033");
	tty_type(t, "\003\003\003");
	code = tty_end(t, 30);
	wrong = hostile_in_terminal(buf_span(tty_bytes(t)));
	/* 130: it had gone, with its terminal given back, before the last of the three came. */
	if ((code != 0 && (code != 130 || !span_find(buf_span(tty_bytes(t)), "\033[?1049l"))) || wrong) {
		struct span said = buf_span(tty_bytes(t));
		size_t n = said.n < 4000 ? said.n : 4000;

		fprintf(stderr, "%.*s\n", (int)n, said.p + said.n - n);
		fail_msg("exit %d, %u keys from seed %llu; %s", code, pressed, (unsigned long long)seed, wrong ? wrong : "");
	}
	tty_close(t);
}

static unsigned number_of(const char *variable, unsigned usual)
{
	const char *text = getenv(variable);

	return text && *text ? (unsigned)strtoul(text, NULL, 10) : usual;
}

static void press_random_keys(unsigned consoles, unsigned seconds, uint64_t first)
{
	unsigned opened = 0, pressed = 0;
	uint64_t seed = first ? first : 1;
	int64_t until_s = now_s() + seconds;

	for (; opened < consoles || now_s() < until_s; opened++) {
		struct tty *t = open_console(opened);

		/* Every other pair begins before the devices have answered. */
		if (!tty_shows(t, opened % 3 == 2 ? "REPLAY" : opened / 3 % 2 ? "dev " : "dev 4/4", 30))
			fail_msg("console %u does not come up:\n%s", opened, tty_screen(t));
		for (unsigned i = 0; i < 2000 && tty_runs(t); i++, pressed++) {
			press_any(t, &seed);
			if (i % 8 == 0)
				usleep(8000);	/* so that it draws in between, and devices get to answer */
		}
		end_console(t, pressed, first);
	}
	printf("%u keys in %u consoles, seed %llu; %u lines were said to devices\n", pressed, opened, (unsigned long long)first,
	       assert_only_asked());
}

static void random_keys_only_ask_and_break_nothing(void **state)
{
	(void)state;
	press_random_keys(3, number_of("MONKEY_SECONDS", 20), number_of("MONKEY_SEED", 7));
}

/* -- in skins -- */

static bool start_lab(void)
{
	return LAB(&lab, "--nodes", "2", "--rails", "2", "--leaves", "2", "--switch-os", "mixed", "--log", log_path, "--fault",
		   "trust-pcp@node1:eth2", "--fault", "ecn-off-switch@leaf1:ethernet1/1/1", "--fault", "pfc-off-switch@leaf2:Ethernet0");
}

/* What is said of a fabric differs by its skins; what is said to it does not. */
static void in_skins_nothing_but_questions_is_said(void **state)
{
	static unsigned seeds[NASTY_MAX];
	size_t n = nasty_seeds("4", seeds);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		printf("in the skins of seed %u:\n", seeds[i]);
		nasty_dress(seeds[i]);
		lab_stop(&lab);
		assert_true(start_lab());
		run_commands(nasty_is_asked() ? SIZE_MAX : 2);
		press_random_keys(2, 1, seeds[i]);
	}
	unsetenv("LAB_NASTY");
}

static int begin(void **state)
{
	int fd;

	(void)state;
	snprintf(log_path, sizeof(log_path), "/tmp/fabcon-heard.XXXXXX");
	fd = mkstemp(log_path);
	if (fd < 0)
		return -1;
	close(fd);
	return start_lab() ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	lab_stop(&lab);
	return unlink(log_path);
}

int main(void)
{
	const struct CMUnitTest nasty[] = {
		cmocka_unit_test(in_skins_nothing_but_questions_is_said),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command_only_asks),
		cmocka_unit_test(no_command_about_a_plan_does_more_than_ask),
		cmocka_unit_test(the_fix_screen_of_each_platform_only_asks),
		cmocka_unit_test(random_keys_only_ask_and_break_nothing),
		cmocka_unit_test(in_skins_nothing_but_questions_is_said),
	};

	if (getenv("MONKEY_SECONDS"))
		cmocka_set_skip_filter("in_skins_*");	/* which make hunt has */
	return nasty_is_asked() ? cmocka_run_group_tests(nasty, begin, end) : cmocka_run_group_tests(tests, begin, end);
}
