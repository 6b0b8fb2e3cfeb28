/* A plan from somebody else, and an audit full of what devices said: shown, and never acted on by a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/fix/plan.h"
#include "core/fix/text.h"
#include "db/audit/audit.h"
#include "tests/lib/home.h"
#include "tests/lib/hostile.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"
#include "tui/args/cli.h"

static char path[96];

static void assert_harmless(const char *who, size_t text, struct run r)
{
	const char *wrong = hostile_in_text(buf_span(&r.out));

	if (!wrong)
		wrong = hostile_in_text(buf_span(&r.err));
	if (wrong)
		fail_msg("%s of text %zu: %s", who, text, wrong);
	run_done(&r);
}

/* -- files -- */

/* One edit of one host; plain is what may only be one line, long_text what may be any bytes. */
static void plan_of(struct fix_plan *p, const char *plain, const char *long_text)
{
	struct fix_step *s = GROW(p->steps, p->n_steps, p->cap_steps);
	struct err err;

	p->n_steps++;
	*s = (struct fix_step){ .device = "node1", .platform = "linux", .base = long_text, .after = "hostile is gone\n",
				.save_note = plain, .disturbs = plain };
	if (!edit_parse(SPAN("node1 eth2 mtu = 9000 (was 1500)"), &p->arena, GROW(s->edits, s->n_edits, s->cap_edits), &err))
		fail_msg("%s", err.text);
	s->edits[s->n_edits++].why = plain;
	*GROW(s->lines.list, s->lines.n, s->lines.cap) = "ip link set dev eth2 mtu 9000";
	s->lines.n++;
	*GROW(s->files, s->n_files, s->cap_files) = (struct fix_file){ "patch.json", long_text };
	s->n_files++;
	*GROW(p->units, p->n_units, p->cap_units) = (struct fix_unit){ .n = 1, .wave = 1 };
	p->n_units++;
	p->id = "P-1";
	p->verify_us = 1000000;
	p->fabric = p->policy = p->title = p->finding = plain;
}

static char *plan_text(const char *plain, const char *long_text)
{
	struct fix_plan p;
	struct buf text = { NULL };

	fix_plan_init(&p);
	plan_of(&p, plain, long_text);
	fix_plan_write(&p, &text);
	fix_plan_done(&p);
	return text.text;
}

static void put_file(const char *text)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

/* In the place of every text that it has: what can be read is shown made harmless, the rest refused in harmless words. */
static void a_plan_s_texts_show_themselves(void **state)
{
	(void)state;
	for (size_t i = 0; i < hostile_count; i++)
		for (unsigned where = 0; where < 2; where++) {
			bool is_read = where || is_one_line(hostile_texts[i]);
			char *text = plan_text(where ? "x" : hostile_texts[i], where ? hostile_texts[i] : "x");
			struct run r;

			put_file(text);
			free(text);
			r = RUN("fabcon", "plan", "show", path);
			if (r.code != (is_read ? EXIT_DONE : EXIT_REFUSED) || (is_read && !strstr(r.out.text, HOSTILE_MARK)))
				fail_msg("text %zu: exit %d: %s%s", i, r.code, r.out.n ? r.out.text : "", r.err.n ? r.err.text : "");
			assert_harmless("plan show", i, r);
			assert_harmless("plan diff", i, RUN("fabcon", "plan", "diff", path));
			assert_harmless("plan diff of two", i, RUN("fabcon", "plan", "diff", path, path));
		}
}

static void what_is_no_plan_is_refused_in_harmless_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < hostile_count; i++) {
		struct buf text = { NULL };

		put_file(hostile_texts[i]);
		assert_harmless("plan show", i, RUN("fabcon", "plan", "show", path));
		buf_printf(&text, "{\"schema\": \"fabcon.plan/1\", \"");
		utf8_of_bytes(span_of(hostile_texts[i]), &text);
		for (size_t k = 0; k < text.n; k++)	/* JSON wants its control characters written out */
			if ((unsigned char)text.text[k] < ' ' || (text.text[k] == '"' && k > 28))
				text.text[k] = '\\';
		buf_str(&text, "\": 1}");
		put_file(text.text);
		assert_harmless("a plan with that key", i, RUN("fabcon", "apply", path, "--dry-run"));
		buf_done(&text);
	}
}

/* -- the audit -- */

static void record(const char *plain, const char *long_text)
{
	char file[128];
	struct err err = { "" };
	struct audit *a;
	char *text = plan_text(plain, long_text);
	struct audit_entry plan = { .at_us = INT64_C(1790000000000000), .who = "alice", .plan = "P-1", .hash = "c0ffee", .step = -1,
				    .kind = "plan", .text = text };

	snprintf(file, sizeof(file), "%s/fabcon/audit.db", home);
	a = audit_open(file, &err);
	if (!a || !audit_keep_plan(a, &plan, &err))
		fail_msg("%s", err.text);
	free(text);
	for (size_t i = 0; i < hostile_count; i++) {
		const char *t = hostile_texts[i];
		char *armed = xasprintf("armed: %s", t);
		struct audit_entry e = { .at_us = INT64_C(1790000000000000), .who = t, .from = t, .plan = "P-1", .hash = t, .step = 0,
					 .device = t, .hostkey = t, .kind = i % 2 ? "answer" : "state", .text = armed, .status = 1,
					 .output = t, .setup_hash = t };

		if (!audit_add(a, &e, &err))
			fail_msg("%s", err.text);
		free(armed);
	}
	audit_close(a);
}

static void what_devices_answered_is_shown_harmless(void **state)
{
	static const char *const formats[] = { "table", "wide", "json", "jsonl", "csv", "md" };

	(void)state;
	record("x", "hostile");
	for (size_t f = 0; f < sizeof(formats) / sizeof(*formats); f++) {
		struct run r = RUN("fabcon", "-o", formats[f], "audit", "show");

		if (r.code == EXIT_DONE && !strstr(r.out.text, HOSTILE_MARK))
			fail_msg("%s: nothing of it: %s", formats[f], r.out.text);
		assert_harmless(formats[f], f, r);
	}
	assert_harmless("audit verify", 0, RUN("fabcon", "audit", "verify"));
	assert_harmless("audit show of no plan", 0, RUN("fabcon", "audit", "show", hostile_texts[0]));
}

/* -- the Fix screen, on a terminal -- */

/* All of them, a line each; and in one line those that are let through as one. */
static void join(struct buf *lines, struct buf *line)
{
	for (size_t i = 0; i < hostile_count; i++) {
		buf_printf(lines, "%s\n", hostile_texts[i]);
		if (is_one_line(hostile_texts[i]))
			buf_str(line, hostile_texts[i]);
	}
}

static void a_plan_that_was_begun_is_opened_and_looked_at(void **state)
{
	static const char *const keys[] = { "\t", "\t", "\t", "x", "?q", "o", "?q", "y", "M", "?q", "R", "\r", "K", "U", "j" };
	struct buf lines = { NULL }, line = { NULL };
	struct tty *t;
	const char *wrong;

	(void)state;
	join(&lines, &line);
	record(line.text, lines.text);
	put_file("all:\n  hosts:\n    node1:\n      ansible_host: 127.0.0.1\n      ansible_port: 1\n");
	t = TTY(36, 120, "fabcon", "-i", path, "--no-input", "--fresh");
	assert_true(tty_shows(t, "dev 0/1", 20));
	tty_type(t, "5");
	if (!tty_shows(t, "P-1", 20))
		fail_msg("the plan is not there:\n%s", tty_screen(t));
	tty_type(t, "\r");
	if (!tty_shows(t, "mtu 9000", 20))
		fail_msg("the plan is not shown:\n%s", tty_screen(t));
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		tty_type(t, keys[i]);
		if (!tty_settle(t, 20))
			fail_msg("after key %zu the prompt does not answer:\n%s", i, tty_screen(t));
		tty_type(t, "5");
	}
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, 20), 0);
	assert_non_null(span_find(buf_span(tty_bytes(t)), HOSTILE_MARK));
	wrong = hostile_in_terminal(buf_span(tty_bytes(t)));
	if (wrong)
		fail_msg("%s", wrong);
	tty_close(t);
	buf_done(&lines);
	buf_done(&line);
}

static int begin(void **state)
{
	if (home_open(state) != 0)
		return -1;
	snprintf(path, sizeof(path), "%s/file", home);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_plan_s_texts_show_themselves, begin, home_close),
		cmocka_unit_test_setup_teardown(what_is_no_plan_is_refused_in_harmless_words, begin, home_close),
		cmocka_unit_test_setup_teardown(what_devices_answered_is_shown_harmless, begin, home_close),
		cmocka_unit_test_setup_teardown(a_plan_that_was_begun_is_opened_and_looked_at, begin, home_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
