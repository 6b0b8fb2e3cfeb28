/* What a person left behind in a fabric is there again, and damage to it harms nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/run.h"
#include "tests/lib/tty.h"
#include "tests/lib/world.h"
#include "tui/console/state.h"
#include "tui/text/files.h"

static struct view_of view(const struct world *w)
{
	static uint64_t serial;

	return (struct view_of){ .model = w->model, .links = &w->links, .findings = w->findings, .policy = w->policy,
				 .inventory = &w->inventory, .fabric = "gpu-a", .serial = ++serial };
}

static void press(struct stage *s, const struct world *w, const char *keys)
{
	for (; *keys; keys++) {
		struct view_of of = view(w);

		stage_key(s, &of, *keys);
	}
}

static void left_behind(struct state *state, struct stage *s, const struct world *w, struct buf *out)
{
	struct view_of of = view(w);

	state_write(state, s, &of, out);
}

static bool zero_it(void *ctx, const struct port *p, enum field f, unsigned index, uint64_t value)
{
	return model_zero_at(((struct world *)ctx)->model, p, f, index, value);
}

static void take_up(struct state *state, struct stage *s, struct world *w, bool is_touched)
{
	struct view_of of = view(w);

	state_take_up(state, s, &of, is_touched, zero_it, w);
}

static void begin(struct world *w, bool is_known)
{
	world_init(w);
	for (size_t i = 0; i < w->n_facts; i++)
		w->facts[i].is_gone = !is_known;
	world_run(w, 5);
}

static uint64_t zero_of(const struct world *w)
{
	return port_series(model_find_port(w->model, "node1", "eth2"), FIELD_PFC_RX, 3)->zero;
}

static void screens_lists_and_cursors_are_there_again(void **state)
{
	struct stage before = { .screen = SCREEN_PORTS }, after = { 0 };
	struct state kept, taken;
	struct buf text = { 0 };
	struct view_of of;
	struct err err;
	struct world w;

	(void)state;
	begin(&w, true);
	state_init(&kept, NULL, false);
	press(&before, &w, "j \n");
	assert_string_equal(before.views.subject->name, "eth3");
	press(&before, &w, "qss3");
	press(&before, &w, "q/eth\n");
	strcpy(kept.theme, "light");
	left_behind(&kept, &before, &w, &text);

	/* Next time nobody has answered yet: what needs devices waits for them. */
	world_done(&w);
	begin(&w, false);
	state_init(&taken, NULL, false);
	of = view(&w);
	assert_true(state_read(&taken, &after, &of, buf_span(&text), &err));
	assert_string_equal(taken.theme, "light");
	assert_int_equal(after.screen, SCREEN_PORTS);
	assert_string_equal(filter_text(after.views.tables[SCREEN_PORTS].filter), "eth");
	assert_int_equal(after.views.tables[SCREEN_PORTS].n_marks, 1);
	take_up(&taken, &after, &w, false);
	assert_null(after.views.subject);

	world_done(&w);
	begin(&w, true);
	after.views.subject = model_find_port(w.model, "node1", "eth2");	/* what Detail shows for want of one */
	take_up(&taken, &after, &w, false);
	press(&after, &w, "I");
	press(&after, &w, "I");
	assert_int_equal(after.views.tables[SCREEN_PORTS].cursor_key, before.views.tables[SCREEN_PORTS].cursor_key);
	assert_string_equal(after.views.subject->name, "eth3");
	stage_done(&before);
	stage_done(&after);
	state_done(&kept);
	state_done(&taken);
	buf_done(&text);
	world_done(&w);
}

static void whoever_went_elsewhere_is_not_taken_back(void **state)
{
	struct stage s = { 0 };
	struct state taken;
	struct view_of of;
	struct err err;
	struct world w;

	(void)state;
	begin(&w, true);
	state_init(&taken, NULL, false);
	of = view(&w);
	assert_true(state_read(&taken, &s, &of, SPAN("fabcon-state 1\nsubject node1 eth2\ncursor Ports 77\n"), &err));
	take_up(&taken, &s, &w, true);
	assert_null(s.views.subject);
	assert_int_equal(s.views.tables[SCREEN_PORTS].cursor_key, 0);
	stage_done(&s);
	state_done(&taken);
	world_done(&w);
}

/* Keeps a zero of a counter, changes something, and tells what became of the zero. */
static uint64_t zero_after(const char *change, size_t *n_lost, size_t *n_waiting)
{
	struct stage s = { 0 };
	struct state taken;
	struct buf text = { 0 };
	struct view_of of;
	struct world w;
	struct err err;
	uint64_t zero;

	begin(&w, true);
	world_set(&w, "node1 boot = \"one\"");
	world_run(&w, 2);
	model_zero(w.model, model_find_port(w.model, "node1", "eth2"), false);
	assert_true(zero_of(&w) > 0);
	state_init(&taken, NULL, false);
	left_behind(&taken, &s, &w, &text);
	model_zero(w.model, NULL, true);
	of = view(&w);
	assert_true(state_read(&taken, &s, &of, buf_span(&text), &err));
	if (change && *change)
		world_set(&w, change);
	else if (change)
		world_drop(&w, "node1 boot");
	world_run(&w, 3);
	take_up(&taken, &s, &w, true);
	zero = zero_of(&w);
	*n_lost = taken.n_lost;
	*n_waiting = taken.n_zeros;
	stage_done(&s);
	state_done(&taken);
	buf_done(&text);
	world_done(&w);
	return zero;
}

static void a_zero_is_taken_up_unless_the_counter_was_reset(void **state)
{
	size_t n_lost, n_waiting;

	(void)state;
	assert_true(zero_after(NULL, &n_lost, &n_waiting) > 0);
	assert_int_equal(n_lost + n_waiting, 0);
	assert_int_equal(zero_after("node1 boot = \"two\"", &n_lost, &n_waiting), 0);
	assert_true(n_lost > 0);
	assert_int_equal(n_waiting, 0);
	/* Whether it booted since is not known yet: it waits. */
	assert_int_equal(zero_after("", &n_lost, &n_waiting), 0);
	assert_int_equal(n_lost, 0);
	assert_true(n_waiting > 0);
}

static void a_counter_below_its_zero_has_none(void **state)
{
	struct stage s = { 0 };
	struct state taken;
	struct view_of of;
	struct err err;
	struct world w;

	(void)state;
	begin(&w, true);
	state_init(&taken, NULL, false);
	of = view(&w);
	assert_true(state_read(&taken, &s, &of, SPAN("fabcon-state 1\nzero node1 eth2 pfc.rx[3] = 99999999999\n"), &err));
	take_up(&taken, &s, &w, false);
	assert_int_equal(zero_of(&w), 0);
	assert_int_equal(taken.n_lost, 1);
	stage_done(&s);
	state_done(&taken);
	world_done(&w);
}

static void zeros_of_a_device_that_stays_away_are_kept_on(void **state)
{
	static const char text[] = "zero gone9 eth7 pfc.rx[3] = 12\n";
	struct stage s = { 0 };
	struct buf first = { 0 }, again = { 0 };
	struct state taken;
	struct view_of of;
	struct err err;
	struct world w;

	(void)state;
	begin(&w, true);
	state_init(&taken, NULL, false);
	of = view(&w);
	buf_printf(&first, "fabcon-state 1\nboot gone9 boot = \"x\"\n%s", text);
	assert_true(state_read(&taken, &s, &of, buf_span(&first), &err));
	take_up(&taken, &s, &w, true);
	left_behind(&taken, &s, &w, &again);
	assert_non_null(strstr(again.text, text));
	assert_non_null(strstr(again.text, "boot gone9 boot = \"x\"\n"));
	stage_done(&s);
	state_done(&taken);
	buf_done(&first);
	buf_done(&again);
	world_done(&w);
}

static void damage_is_said_and_the_rest_counts(void **state)
{
	static const char *const lines[] = {
		"screen", "screen Nowhere", "list", "list Nowhere table sort=x", "cursor Ports", "cursor Ports zz", "subject node1",
		"boot leaf1", "boot leaf1 boot = unknown \"x\"", "zero", "zero node1 eth2 trust = pcp", "zero node1 boot = \"x\"",
		"zero node1 eth2 pfc.rx[99] = 1", "zero node1 eth2 pfc.rx[3] = -1", "unpaned", "theme",
		"theme aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	};
	struct world w;

	(void)state;
	begin(&w, true);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		char *text = xasprintf("fabcon-state 1\n%s\nfuture thing\nscreen Devices\n", lines[i]);
		struct view_of of = view(&w);
		struct stage s = { 0 };
		struct state taken;
		struct err err = { "" };

		state_init(&taken, NULL, false);
		if (state_read(&taken, &s, &of, span_of(text), &err) || !strstr(err.text, "line 2"))
			fail_msg("%s: %s", lines[i], err.text);
		assert_int_equal(s.screen, SCREEN_DEVICES);
		take_up(&taken, &s, &w, false);
		stage_done(&s);
		state_done(&taken);
		free(text);
	}
	world_done(&w);
}

/* Bytes of every kind in every place of a good text: never a crash, whatever it then says. */
static void any_byte_anywhere_is_survived(void **state)
{
	static const char good[] = "fabcon-state 1\nscreen Ports\nlist Ports table sort=-paused filter=leaf2 marks=1,2 frozen=1\n"
				   "cursor Ports 1f\nsubject node1 eth2\nboot node1 boot = \"a\"\nzero node1 eth2 pfc.rx[3] = 1\n";
	static const char bytes[] = { 0, '\n', '\x1b', '%', '"', '\xff', ' ', '=' };
	struct world w;

	(void)state;
	begin(&w, true);
	for (size_t i = 0; i < sizeof(good); i++) {
		for (size_t b = 0; b < sizeof(bytes); b++) {
			char text[sizeof(good)];
			struct view_of of = view(&w);
			struct stage s = { 0 };
			struct state taken;
			struct err err;

			memcpy(text, good, sizeof(good));
			text[i] = bytes[b];
			state_init(&taken, NULL, false);
			state_read(&taken, &s, &of, (struct span){ text, b % 2 ? sizeof(text) : i }, &err);
			take_up(&taken, &s, &w, false);
			stage_done(&s);
			state_done(&taken);
		}
	}
	world_done(&w);
}

static void no_two_fabrics_share_a_file(void **state)
{
	static const char *const names[] = { "gpu-a", "gpu_a", "gpu/a", "../gpu-a", "..", ".", "gpu a", "\x1b[2J", "g\xc3\xa4",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab" };
	char *files[2 * sizeof(names) / sizeof(*names)];
	size_t n = sizeof(files) / sizeof(*files);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		files[i] = state_file_name(names[i / 2], i % 2);
		assert_true(strlen(files[i]) < 100);
		assert_null(strchr(files[i], '/'));
		assert_int_not_equal(*files[i], '.');
		for (const char *c = files[i]; *c; c++)
			assert_true(*c > ' ' && *c < 127);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(files[i], files[j]);
	}
	assert_string_equal(files[0], "gpu-a.live");
	for (size_t i = 0; i < n; i++)
		free(files[i]);
}

/* -- the program, twice -- */

static char home[64];

static int open_home(void **state)
{
	(void)state;
	strcpy(home, "/tmp/fabcon-state.XXXXXX");
	assert_non_null(mkdtemp(home));
	setenv("XDG_STATE_HOME", home, 1);
	return 0;
}

static int close_home(void **state)
{
	char *command = xasprintf("rm -rf %s", home);

	(void)state;
	unsetenv("XDG_STATE_HOME");
	assert_int_equal(system(command), 0);
	free(command);
	return 0;
}

/* An inventory of one host that nobody answers for. */
static char *inventory(void)
{
	char *path = xasprintf("%s/gpu-a.yml", home);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs("all:\n  hosts:\n    lost:\n      ansible_host: 127.0.0.1\n      ansible_port: 1\n", f);
	fclose(f);
	return path;
}

static void assert_only_ours(const char *name, mode_t mode)
{
	char *path = xasprintf("%s/fabcon%s", home, name);
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, mode);
	free(path);
}

static void the_console_begins_where_it_was_left(void **state)
{
	char *path = inventory();
	struct tty *t;

	(void)state;
	t = TTY(24, 120, "fabcon", "-i", path);
	assert_true(tty_shows(t, "[Overview]", 20));
	tty_type(t, "9/lost\r");
	if (!tty_shows(t, "/lost  (Esc)", 20))
		fail_msg("no filter on the screen:\n%s", tty_screen(t));
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, 20), 0);
	tty_close(t);
	assert_only_ours("", 0700);
	assert_only_ours("/gpu-a.live", 0600);

	t = TTY(24, 120, "fabcon", "-i", path);
	assert_true(tty_shows(t, "[Devices]", 20));
	assert_true(tty_shows(t, "/lost  (Esc)", 20));
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, 20), 0);
	tty_close(t);

	t = TTY(24, 120, "fabcon", "--fresh", "-i", path);
	assert_true(tty_shows(t, "[Overview]", 20));
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, 20), 0);
	tty_close(t);
	free(path);
}

static void what_is_no_file_of_ours_is_left_alone(void **state)
{
	char *path = inventory(), *file = xasprintf("%s/fabcon/gpu-a.live", home), *folder = xasprintf("%s/fabcon", home);
	struct stat st;
	struct tty *t;

	(void)state;
	mkdir(folder, 0700);
	unlink(file);
	assert_int_equal(mkfifo(file, 0600), 0);
	t = TTY(24, 140, "fabcon", "-i", path);
	assert_true(tty_shows(t, "not written by fabcon", 20));
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, 20), 0);
	tty_close(t);
	assert_int_equal(stat(file, &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	free(folder);
	free(file);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(screens_lists_and_cursors_are_there_again),
		cmocka_unit_test(whoever_went_elsewhere_is_not_taken_back),
		cmocka_unit_test(a_zero_is_taken_up_unless_the_counter_was_reset),
		cmocka_unit_test(a_counter_below_its_zero_has_none),
		cmocka_unit_test(zeros_of_a_device_that_stays_away_are_kept_on),
		cmocka_unit_test(damage_is_said_and_the_rest_counts),
		cmocka_unit_test(any_byte_anywhere_is_survived),
		cmocka_unit_test(no_two_fabrics_share_a_file),
		cmocka_unit_test_setup_teardown(the_console_begins_where_it_was_left, open_home, close_home),
		cmocka_unit_test_setup_teardown(what_is_no_file_of_ours_is_left_alone, open_home, close_home),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
