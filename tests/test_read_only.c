/*
 * Nothing but questions reaches a device, whatever a person presses: the lab's log of what its devices were told is held
 * against the tables. KEYS keys are pressed at random from SEED; `make monkey` presses many.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "remote/collector.h"
#include "tests/lib/hostile.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"

static char log_path[64];
static struct lab lab;

/* What was said on one channel. */
struct talk_log {
	char device[64];
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

static void check_cli(const struct talk_log *t)
{
	struct span rest = buf_span(&t->said), line;

	while (span_line(&rest, &line))
		if (!is_probe_of(platform_find("os10"), line))
			fail_msg("%s was told: %.*s", t->device, (int)line.n, line.p);
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

static void check_sh(const struct talk_log *t)
{
	struct span said = buf_span(&t->said), word;
	const char *begin = span_find(said, "identify - -\\n' ");
	const struct platform *platform = platform_find(strncmp(t->device, "leaf", 4) ? "linux" : "sonic");
	struct buf identify = { 0 }, program = { 0 };
	char nonce[17];

	if (said.n == 0)
		return;
	assert_non_null(begin);
	snprintf(nonce, sizeof(nonce), "%s", begin + strlen("identify - -\\n' "));
	collector_identify(nonce, &identify);
	collector_program(platform, nonce, &program);
	if (!take_known(&said, &identify) || !take_known(&said, &program))
		fail_msg("%s was told another program than the collector", t->device);
	while (span_line(&said, &word))
		if (!span_is(word, "once") && !span_is(word, "config") && !span_is(word, "live") && word.n)
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

static struct talk_log *talk_of(struct talk_log *talks, size_t n, struct span device)
{
	size_t i = 0;

	while (i < n && talks[i].device[0] && !span_is(device, talks[i].device))
		i++;
	assert_true(i < n);
	snprintf(talks[i].device, sizeof(talks[i].device), "%.*s", (int)device.n, device.p);
	return &talks[i];
}

/* The lines heard so far; fails with the first that is no question. */
static unsigned assert_only_asked(void)
{
	struct talk_log talks[16] = { 0 };
	size_t size;
	char *text = file_text(log_path, &size);
	struct span rest = { text, size }, line, device, what;
	unsigned heard = 0;

	assert_non_null(text);
	for (; span_line(&rest, &line); heard++) {
		struct talk_log *t;

		assert_true(span_cut(line, ' ', &device, &line) && span_cut(line, ' ', &what, &line));
		t = talk_of(talks, 16, device);
		if (span_is(what, "input")) {
			add_unescaped(&t->said, line);
			continue;
		}
		check_talk(t);
		t->is_shell = span_is(what, "shell");
		if (!t->is_shell && !span_is(line, "/bin/sh -s"))
			fail_msg("%s was to run: %.*s", t->device, (int)line.n, line.p);
	}
	for (size_t i = 0; i < 16; i++) {
		check_talk(&talks[i]);
		buf_done(&talks[i].said);
	}
	free(text);
	return heard;
}

static void every_command_only_asks(void **state)
{
	static const char *const commands[][3] = {
		{ "check" }, { "show", "node1" }, { "doctor" }, { "inventory", "list" }, { "inventory", "test" }, { "status" },
		{ "ports" }, { "findings" },
	};

	(void)state;
	for (size_t i = 0; i < (getenv("KEYS") ? sizeof(commands) / sizeof(*commands) : 4); i++) {
		struct run r = LAB_FABCON(&lab, commands[i][0], commands[i][1]);

		if (r.code != 0 && r.code != 1 && r.code != 3)	/* 3: a busy machine was late with some answers */
			fail_msg("%s: exit %d: %s", commands[i][0], r.code, r.err.text);
		run_done(&r);
	}
	assert_true(assert_only_asked() > 20);
}

static unsigned any(uint64_t *seed, unsigned n)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (unsigned)(*seed >> 33) % n;
}

/* Mostly what the key table knows; some of anything. ^Z and ^C are left out: they stop or end what is looked at. */
static void press_any(struct tty *t, uint64_t *seed)
{
	static const char *const keys[] = { "1", "2", "3", "8", "9", "\t", "\r", "\033", "j", "k", "g", "G", "x", "o", "i", "s", "I",
					    " ", "*", "?", "p", "L", "t", "T", "R", "0", "/", "\033OP", "\033OQ", "\033[A",
					    "\033[B", "\033[5~", "\033[6~", "\033[C", "\033[D", "q", "\014", ":", "a", "\177",
					    "D", "F", "A", "u", "e", "y", "Y", "n", "\033[15~", "\033[200~reload\033[201~" };
	unsigned one = any(seed, sizeof(keys) / sizeof(*keys) + 8);

	if (one < sizeof(keys) / sizeof(*keys))
		tty_type(t, keys[one]);
	else
		tty_type(t, (char[]){ (char)(' ' + any(seed, 95)), '\0' });
}

static void random_keys_only_ask_and_break_nothing(void **state)
{
	unsigned keys = getenv("KEYS") ? (unsigned)atoi(getenv("KEYS")) : 300, opened = 0;
	uint64_t seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 10) : 7;
	const char *wrong;

	(void)state;
	while (keys > 0) {
		struct tty *t = TTY(30, 110, "fabcon", "-i", lab.inventory, "--no-input");
		int code;

		if (!tty_shows(t, "Overview", 20))
			fail_msg("the console does not come up:\n%s", tty_screen(t));
		for (unsigned i = 0; keys > 0 && (i % 16 || tty_runs(t)); keys--, i++)
			press_any(t, &seed);
		tty_type(t, "\033");
		tty_type(t, "\003");
		tty_type(t, "\003");
		tty_type(t, "\003");
		code = tty_end(t, 20);
		wrong = hostile_in_terminal(buf_span(tty_bytes(t)));
		if (code != 0 || wrong)
			fail_msg("exit %d, %u keys before the end; %s", code, keys, wrong ? wrong : "");
		tty_close(t);
		opened++;
	}
	assert_true(opened > 0 && assert_only_asked() > 0);
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
	return LAB(&lab, "--nodes", "2", "--leaves", "2", "--switch-os", "mixed", "--log", log_path) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	lab_stop(&lab);
	return unlink(log_path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command_only_asks),
		cmocka_unit_test(random_keys_only_ask_and_break_nothing),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
