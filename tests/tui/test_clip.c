/* What is taken out: the clipboard's sequences byte by byte, views as documents, files that are never written over. */
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/lib/desk.h"
#include "tui/console/clipboard_export.h"
#include "tui/console/export.h"
#include "tui/text/files.h"
#include "tui/widgets/clip.h"

static char dir[64];

/* As the console does: what the key means is acted on. */
static void act(struct stage *s, int code)
{
	struct intent i = desk_press(s, code);
	struct view_of of;

	desk_view(&of);
	take(s, &of, &i, -1, false);
}

static char *in_dir(const char *name)
{
	return xasprintf("%s/%s", dir, name);
}

static void type_name(struct stage *s, const char *name)
{
	char *path = in_dir(name);

	desk_press(s, 21 /* ^U */);
	for (const char *c = path; *c; c++)
		desk_press(s, (unsigned char)*c);
	act(s, '\r');
	free(path);
}

static struct buf contents(const char *name)
{
	char *path = in_dir(name);
	struct buf text = { 0 };
	struct err err = { "" };

	if (!file_read(path, &text, &err))
		fail_msg("%s", err.text);
	free(path);
	return text;
}

static void a_text_becomes_the_sequence_that_terminals_know(void **state)
{
	static const struct {
		const char *text, *code;
	} known[] = { { "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" }, { "foo", "Zm9v" }, { "foobar", "Zm9vYmFy" }, { "\xff\xfe", "//4=" } };

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		char *plain = xasprintf("\033]52;c;%s\007", known[i].code);
		char *tmux = xasprintf("%s\033Ptmux;\033\033]52;c;%s\007\033\\", plain, known[i].code);
		char *screen = xasprintf("\033P\033]52;c;%s\007\033\\", known[i].code);
		const char *const want[] = { [CLIP_PLAIN] = plain, [CLIP_TMUX] = tmux, [CLIP_SCREEN] = screen };

		for (enum clip_by by = CLIP_PLAIN; by <= CLIP_SCREEN; by++) {
			struct buf out = { 0 };

			assert_true(clip_sequence(span_of(known[i].text), by, &out));
			assert_string_equal(out.text, want[by]);
			buf_done(&out);
		}
		free(plain);
		free(tmux);
		free(screen);
	}
}

static void screen_gets_a_long_text_in_pieces(void **state)
{
	struct buf out = { 0 };
	static char text[300];
	size_t longest = 0;

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_true(clip_sequence((struct span){ text, sizeof(text) }, CLIP_SCREEN, &out));
	for (struct span rest = buf_span(&out), piece; span_cut(rest, '\\', &piece, &rest);)
		longest = piece.n > longest ? piece.n : longest;
	assert_true(longest > 0 && longest < 100);
	buf_done(&out);
}

static void what_is_too_long_for_a_terminal_becomes_a_private_file(void **state)
{
	static char text[60000];
	struct buf said = { 0 }, kept = { 0 };
	struct err err = { "" };
	int terminal, other;
	struct stat st;
	char *path;

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_int_equal(openpty(&terminal, &other, NULL, NULL, NULL), 0);
	assert_true(clip_put(other, (struct span){ text, sizeof(text) }, "txt", &said, &err));
	path = strstr(said.text, dir);
	assert_non_null(path);
	assert_non_null(strstr(path, " instead"));
	*strstr(path, " instead") = '\0';
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_true(file_read(path, &kept, &err));
	assert_int_equal(kept.n, sizeof(text));
	buf_done(&kept);
	buf_done(&said);
	close(terminal);
	close(other);
}

static void a_terminal_gets_the_row_under_the_cursor(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };
	char bytes[4096];
	int terminal, other;
	struct intent i;
	struct view_of of;
	ssize_t n;

	(void)state;
	unsetenv("TMUX");
	unsetenv("STY");
	setenv("TERM", "xterm-256color", 1);
	assert_int_equal(openpty(&terminal, &other, NULL, NULL, NULL), 0);
	i = desk_press(&s, 'y');
	desk_view(&of);
	assert_true(take(&s, &of, &i, other, false));
	n = read(terminal, bytes, sizeof(bytes) - 1);
	assert_true(n > 10);
	assert_memory_equal(bytes, "\033]52;c;", 7);
	assert_non_null(strstr(s.message, "1 row, "));
	assert_non_null(strstr(s.message, "OSC 52"));
	stage_done(&s);
	close(terminal);
	close(other);
}

static void copied(struct stage *s, bool as_json, struct buf *out, char what[64])
{
	struct view_of of;
	struct err err = { "" };

	desk_view(&of);
	if (!export_view(s, &of, true, as_json ? ROWS_JSON : ROWS_TEXT, false, out, what, &err))
		fail_msg("%s", err.text);
}

static void a_finding_is_copied_with_its_evidence(void **state)
{
	static const enum screen_id ids[] = { SCREEN_FINDINGS, SCREEN_OVERVIEW };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct stage s = { .screen = ids[i] };
		struct buf out = { 0 };
		char what[64];

		copied(&s, false, &out, what);
		assert_string_equal(what, "the finding with its evidence");
		assert_non_null(strstr(out.text, "trust = pcp"));
		assert_non_null(strstr(out.text, "Evidence"));
		buf_done(&out);
		stage_done(&s);
	}
}

static void marked_rows_are_copied_as_json_with_their_place_and_time(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };
	struct buf out = { 0 };
	char what[64];
	json_t *doc;

	(void)state;
	desk_press(&s, '*');
	copied(&s, true, &out, what);
	doc = json_loads(out.text, 0, NULL);
	assert_string_equal(what, "2 rows");
	assert_string_equal(json_string_value(json_object_get(doc, "schema")), "fabcon.view/1");
	assert_string_equal(json_string_value(json_object_get(doc, "screen")), "Ports");
	assert_int_equal(json_array_size(json_object_get(doc, "rows")), 2);
	json_decref(doc);
	buf_done(&out);
	stage_done(&s);
}

static void nothing_raw_from_a_device_is_copied(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };
	struct buf out = { 0 };
	char what[64];

	(void)state;
	page_begin(&s.page, "Raw reply: \033]0;evil\007");
	page_add(&s.page, ROLE_IS_TEXT, "\033[2J\x9b" "31mred\rgone");
	s.has_page = true;
	copied(&s, false, &out, what);
	assert_string_equal(out.text, "Raw reply: \\x1b]0;evil\\x07\n\\x1b[2J\\x9b31mred\\x0dgone\n");
	buf_clear(&out);
	copied(&s, true, &out, what);
	for (size_t i = 0; i < out.n; i++)
		assert_true(out.text[i] == '\n' || (out.text[i] >= ' ' && out.text[i] < 0x7f));
	buf_done(&out);
	stage_done(&s);
}

static void every_screen_can_be_exported_as_text_and_json(void **state)
{
	(void)state;
	for (unsigned id = 0; id < SCREEN_COUNT; id++) {
		struct stage s = { .screen = (enum screen_id)id };
		struct buf out = { 0 };
		struct view_of of;
		struct err err = { "" };
		char what[64];
		json_t *doc;

		desk_view(&of);
		assert_true(export_view(&s, &of, false, ROWS_TEXT, false, &out, what, &err));
		assert_true(out.n > 0);
		buf_clear(&out);
		assert_true(export_view(&s, &of, false, ROWS_JSON, false, &out, what, &err));
		doc = json_loads(out.text, 0, NULL);
		assert_non_null(doc);
		json_decref(doc);
		buf_done(&out);
		stage_done(&s);
	}
}

static void an_export_goes_by_the_names_ending_and_never_over_a_file_unasked(void **state)
{
	struct stage s = { .screen = SCREEN_PORTS };
	struct buf text;

	(void)state;
	desk_press(&s, 'e');
	assert_non_null(strstr(s.typing.text, "fabcon-ports-19700101T"));
	type_name(&s, "view.csv");
	assert_non_null(strstr(s.message, "2 rows written to "));
	text = contents("view.csv");
	assert_memory_equal(text.text, "severity,link,", 14);
	buf_done(&text);
	desk_press(&s, 'e');
	type_name(&s, "view.doc");
	assert_non_null(strstr(s.message, "must end in"));
	desk_press(&s, 'e');
	type_name(&s, "no/such/folder/view.csv");
	assert_non_null(strstr(s.message, "no/such/folder/view.csv: No such file"));
	desk_press(&s, '2');
	desk_press(&s, '/');
	desk_press(&s, 'z');
	desk_press(&s, 'z');
	desk_press(&s, '\r');
	desk_press(&s, 'e');
	type_name(&s, "view.csv");
	assert_int_equal(s.typing.kind, TYPING_REPLACE);
	act(&s, '\r');
	assert_string_equal(s.message, "Unchanged.");
	desk_press(&s, 'e');
	type_name(&s, "view.csv");
	desk_press(&s, 'y');
	desk_press(&s, 'e');
	desk_press(&s, 's');
	act(&s, '\r');
	assert_non_null(strstr(s.message, "0 rows written to "));
	stage_done(&s);
}

static int begin(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/fabcon-clip.XXXXXX");
	assert_non_null(mkdtemp(dir));
	setenv("XDG_STATE_HOME", dir, 1);
	desk_open(state);
	world_set(&desk, "node1 eth2 trust = pcp");
	world_run(&desk, 5);
	return 0;
}

static int end(void **state)
{
	char *command = xasprintf("rm -rf %s", dir);

	(void)state;
	desk_close(state);
	assert_int_equal(system(command), 0);
	free(command);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_becomes_the_sequence_that_terminals_know),
		cmocka_unit_test(screen_gets_a_long_text_in_pieces),
		cmocka_unit_test(what_is_too_long_for_a_terminal_becomes_a_private_file),
		cmocka_unit_test(a_terminal_gets_the_row_under_the_cursor),
		cmocka_unit_test(a_finding_is_copied_with_its_evidence),
		cmocka_unit_test(marked_rows_are_copied_as_json_with_their_place_and_time),
		cmocka_unit_test(nothing_raw_from_a_device_is_copied),
		cmocka_unit_test(every_screen_can_be_exported_as_text_and_json),
		cmocka_unit_test(an_export_goes_by_the_names_ending_and_never_over_a_file_unasked),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
