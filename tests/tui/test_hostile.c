/* Hostile text, from wherever it comes, shows itself: on no way out does it act. */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/lib/hostile.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"
#include "tui/screens/screens.h"

static char dir[] = "/tmp/fabcon-hostile.XXXXXX";
static char recording[64];

static void assert_harmless(const char *who, struct span bytes)
{
	const char *wrong = hostile_in_text(bytes);

	if (wrong)
		fail_msg("%s: %s", who, wrong);
}

static void assert_one_document(const char *who, const struct run *r)
{
	json_error_t error;
	json_t *doc = json_loads(r->out.text, 0, &error);

	if (!doc)
		fail_msg("%s: not one JSON document: %s", who, error.text);
	json_decref(doc);
}

static void the_watch_sees_what_it_watches_for(void **state)
{
	(void)state;
	for (size_t i = 0; i < hostile_count; i++) {
		struct span text = span_of(hostile_texts[i]);
		bool is_formula = strchr("=+-@", *text.p), is_line = strchr(text.p, '\n');

		if (!is_formula && !is_line && !hostile_in_text(text))
			fail_msg("text %zu passes", i);
		if (strchr(text.p, '\033') && !hostile_in_terminal(text))
			fail_msg("sequence %zu passes for one of curses", i);
	}
	assert_null(hostile_in_text(SPAN("plain \xe2\x86\x92 text\n")));
	assert_null(hostile_in_terminal(SPAN("\033[?1049h\033[22;0;0t\033[1;36r\033(B\033[m\033[4l\033[H\033[2Jx\r\n")));
}

static void no_command_prints_what_a_recording_would_make_a_terminal_do(void **state)
{
	static const char *const commands[][2] = {
		{ "status" }, { "ports" }, { "findings" }, { "check" }, { "bringup" }, { "show", "eth0" }, { "show", "node0" },
		{ "show", "hostile\23331m1" }, { "show", "hostile" }, { "compare", "node0:eth0" },
	};
	static const char *const formats[] = { "table", "json", "jsonl", "csv" };

	(void)state;
	for (size_t c = 0; c < sizeof(commands) / sizeof(*commands); c++)
		for (size_t f = 0; f < 4; f++) {
			struct run r = RUN("fabcon", "-o", formats[f], "replay", recording, commands[c][0], commands[c][1]);

			assert_harmless(commands[c][0], buf_span(&r.out));
			assert_harmless(commands[c][0], buf_span(&r.err));
			if (f == 1 && r.out.n)
				assert_one_document(commands[c][0], &r);
			if (c < 3 && !strstr(r.out.text, HOSTILE_MARK))
				fail_msg("%s -o %s shows nothing of it: %s", commands[c][0], formats[f], r.err.text);
			run_done(&r);
		}
}

static void no_spreadsheet_runs_a_cell(void **state)
{
	static const char *const commands[] = { "status", "ports", "findings" };

	(void)state;
	for (size_t c = 0; c < 3; c++) {
		struct run r = RUN("fabcon", "-o", "csv", "replay", recording, commands[c]);

		for (const char *p = r.out.text; (p = strpbrk(p, ",\n")); p++)
			if (p[1] == '"' && p[2] && strchr("=+-@", p[2]) && p[3] != '"')
				fail_msg("%s: a cell that acts: %.40s", commands[c], p);
		run_done(&r);
	}
}

static void a_junit_report_stays_xml(void **state)
{
	struct run r = RUN("fabcon", "-o", "junit", "--fail-on", "look", "replay", recording, "check");

	(void)state;
	assert_harmless("junit", buf_span(&r.out));
	assert_non_null(strstr(r.out.text, HOSTILE_MARK));
	run_done(&r);
}

/* Each key on its screen: what it opens is drawn, then closed. */
static void press_keys_on(struct tty *t, char go, const char *keys)
{
	for (; *keys; keys++) {
		tty_type(t, (char[]){ go, *keys, '\0' });
		if (!tty_settle(t, 10))
			fail_msg("on screen %c after %c the prompt does not answer:\n%s", go, *keys, tty_screen(t));
		tty_type(t, "?q");	/* whatever page is open, the help takes its place, and q closes that */
	}
}

static void no_screen_lets_a_recording_act_on_the_terminal(void **state)
{
	struct tty *t = TTY(36, 120, "fabcon", "replay", recording);
	const char *wrong;

	(void)state;
	if (!tty_shows(t, HOSTILE_MARK, 20))
		fail_msg("the console shows nothing of it:\n%s", tty_screen(t));
	for (const char *go = "123456789"; *go; go++)
		press_keys_on(t, *go, "xojxojxis\r");
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, 10), 0);
	assert_non_null(span_find(buf_span(tty_bytes(t)), "Why: "));
	wrong = hostile_in_terminal(buf_span(tty_bytes(t)));
	if (wrong)
		fail_msg("%s", wrong);
	tty_close(t);
}

/* A device that takes the connection and never says a word. */
static int listen_mutely(unsigned *port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(bind(fd, (struct sockaddr *)&at, n) == 0 && listen(fd, 4) == 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &n), 0);
	*port = ntohs(at.sin_port);
	return fd;
}

static void an_interrupted_reading_is_one_document_that_says_so(void **state)
{
	char path[80];
	unsigned port;
	int fd = listen_mutely(&port);
	FILE *out;
	struct run r;

	(void)state;
	snprintf(path, sizeof(path), "%s/mute.yml", dir);
	out = fopen(path, "w");
	fprintf(out, "all: {hosts: {mute: {ansible_host: 127.0.0.1, ansible_port: %u}}}\n", port);
	fclose(out);
	r = RUN("/usr/bin/timeout", "--preserve-status", "-s", "INT", "1", program_path("fabcon"), "-i", path, "--no-input",
		"-o", "json", "status");
	assert_int_equal(r.code, 130);
	assert_one_document("status", &r);
	assert_non_null(strstr(r.out.text, "\"complete\": false"));
	run_done(&r);
	unlink(path);
	close(fd);
}

/* What is wrong, where, and what would be right: each file that a person brings. */
static void a_wrong_file_is_told_with_its_line_and_what_is_allowed(void **state)
{
	static const struct {
		const char *option, *text, *says[3];
		int code;
	} cases[] = {
		{ "-p", "name x\n* * pfc.off[3] = yes\n", { ":2:", "pfc.off" }, 2 },
		{ "-p", "* * trust = maybe\n", { ":1:", "dscp" }, 2 },
		{ "-p", "limit nonsense = 1 %\n", { ":1:", "pause.share.warn" }, 2 },
		{ "-i", "all:\n  hosts:\n    \"a;reboot\":\n", { ":3:", "a;reboot", "letters" }, 2 },
		{ "-i", "all:\n  hosts:\n    \"a\\e[2Jb\":\n", { ":3:", "a\\x1b[2Jb" }, 2 },
		{ "-i", "{\"all\": ", { "brought:" }, 2 },
		{ "replay", "this is no database, but long enough to be looked at as one, is it not?", { "recording" }, 10 },
		{ "replay", "", { "is empty" }, 10 },
	};
	char path[80];

	(void)state;
	snprintf(path, sizeof(path), "%s/brought", dir);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		FILE *out = fopen(path, "w");
		struct run r;

		fputs(cases[i].text, out);
		fclose(out);
		r = *cases[i].option == '-' ? RUN("fabcon", "-i", "nobody", "--no-input", cases[i].option, path, "status") :
					      RUN("fabcon", cases[i].option, path, "status");
		for (size_t k = 0; k < 3 && cases[i].says[k]; k++)
			if (r.code != cases[i].code || !strstr(r.err.text, cases[i].says[k]))
				fail_msg("case %zu: exit %d, not \"%s\": %s", i, r.code, cases[i].says[k], r.err.text);
		assert_harmless(cases[i].text, buf_span(&r.err));
		assert_int_equal(r.out.n, 0);
		run_done(&r);
	}
	unlink(path);
}

static int make_recording(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(recording, sizeof(recording), "%s/hostile.db", dir);
	hostile_recording(recording);
	return 0;
}

static int remove_recording(void **state)
{
	(void)state;
	unlink(recording);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_watch_sees_what_it_watches_for),
		cmocka_unit_test(no_command_prints_what_a_recording_would_make_a_terminal_do),
		cmocka_unit_test(no_spreadsheet_runs_a_cell),
		cmocka_unit_test(a_junit_report_stays_xml),
		cmocka_unit_test(no_screen_lets_a_recording_act_on_the_terminal),
		cmocka_unit_test(an_interrupted_reading_is_one_document_that_says_so),
		cmocka_unit_test(a_wrong_file_is_told_with_its_line_and_what_is_allowed),
	};

	return cmocka_run_group_tests(tests, make_recording, remove_recording);
}
