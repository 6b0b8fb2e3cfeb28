/* Hostile text, from wherever it comes, shows itself: on no way out does it act. */
#include <stdlib.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/lib/hostile.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"
#include "tui/screens.h"

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
		{ "status" }, { "ports" }, { "findings" }, { "check" }, { "show", "eth0" }, { "show", "node0" },
		{ "show", "hostile\23331m1" }, { "show", "hostile" },
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
	};

	return cmocka_run_group_tests(tests, make_recording, remove_recording);
}
