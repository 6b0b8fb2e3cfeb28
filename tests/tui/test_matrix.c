/*
 * Whatever is known, on whatever terminal: every screen, and all that can lie over one, at every size, in both locales,
 * with many colours, few and none. What holds for all of them is said here; what one screen shows, in test_screens.c.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/plans.h"
#include "tests/lib/screen.h"
#include "tests/lib/worlds.h"
#include "tui/widgets/bind.h"

static const struct size {
	int rows, cols;
} sizes[] = { { 36, 120 }, { 24, 80 }, { 16, 60 }, { 10, 40 }, { 60, 200 }, { 1, 1 } };
#define SIZES (sizeof(sizes) / sizeof(*sizes))

static const struct terminal_kind {
	const char *name, *term;
	int colours;
} terminals[] = {
	{ "256 colours", "screen-256color", 256 }, { "16 colours", "screen-256color", 16 }, { "mono", "vt100", 0 },
	{ "NO_COLOR", "screen-256color", 0 },
};
#define TERMINALS (sizeof(terminals) / sizeof(*terminals))

/* What stands on the screen: a screen, what was pressed there, and what came by itself. */
enum over { NOTHING_OVER, SETTINGS_OVER, QUESTION_OVER, SECRET_OVER, FORM_OVER, TROUBLE_OVER, REPLAY_OVER, PAUSE_OVER,
	    PLAN_OVER, RUNNING_OVER, FAILED_OVER, LEAVE_OVER };

static const struct picture {
	const char *name;
	enum screen_id screen;
	const char *keys;
	enum over over;
	const char *last;	/* begins the last row; NULL: a key and what it does */
} pictures[] = {
	{ "overview",	SCREEN_OVERVIEW,	"" },
	{ "ports",	SCREEN_PORTS,		"" },
	{ "detail",	SCREEN_DETAIL,		"" },
	{ "diagnose",	SCREEN_DIAGNOSE,	"" },
	{ "fix",	SCREEN_FIX,		"" },
	{ "bring-up",	SCREEN_BRINGUP,		"" },
	{ "history",	SCREEN_HISTORY,		"" },
	{ "findings",	SCREEN_FINDINGS,	"" },
	{ "devices",	SCREEN_DEVICES,		"" },
	{ "fabric",	SCREEN_FABRIC,		"" },
	{ "help",	SCREEN_PORTS,		"?" },
	{ "palette",	SCREEN_OVERVIEW,	":re",		.last = ":" },
	{ "filter",	SCREEN_FINDINGS,	"/leaf",	.last = "Filter: leaf" },
	{ "no match",	SCREEN_PORTS,		"/nowhere\n" },
	{ "chooser",	SCREEN_PORTS,		"c",		.last = "Space" },
	{ "compare",	SCREEN_PORTS,		"*=" },
	{ "why",	SCREEN_FINDINGS,	"x" },
	{ "probes",	SCREEN_DEVICES,		"\n" },
	{ "map",	SCREEN_OVERVIEW,	"\t" },
	{ "reason",	SCREEN_FINDINGS,	"a",		.last = "Ack" },
	{ "settings",	SCREEN_PORTS,		"",		SETTINGS_OVER,	"Enter" },
	{ "question",	SCREEN_OVERVIEW,	"",		QUESTION_OVER,	"" },
	{ "secret",	SCREEN_OVERVIEW,	"",		SECRET_OVER,	"" },
	{ "first run",	SCREEN_OVERVIEW,	"",		FORM_OVER,	"" },
	{ "trouble",	SCREEN_OVERVIEW,	"",		TROUBLE_OVER },
	{ "replay",	SCREEN_HISTORY,		"",		REPLAY_OVER },
	{ "pause",	SCREEN_PORTS,		"",		PAUSE_OVER },
	{ "plan",	SCREEN_FIX,		"",		PLAN_OVER },
	{ "apply?",	SCREEN_FIX,		"\n",		PLAN_OVER },
	{ "plan, why",	SCREEN_FIX,		"x",		PLAN_OVER },
	{ "guards",	SCREEN_FIX,		"\t\t\t",	PLAN_OVER },
	{ "applying",	SCREEN_FIX,		"j",		RUNNING_OVER },
	{ "armed",	SCREEN_PORTS,		"",		RUNNING_OVER },
	{ "failed",	SCREEN_FIX,		"j\t",		FAILED_OVER },
	{ "leave?",	SCREEN_FINDINGS,	"",		LEAVE_OVER },
};
#define PICTURES (sizeof(pictures) / sizeof(*pictures))

static struct world worlds[KNOWN_COUNT];
static struct plans plans[PLANS_COUNT];

/* One frame, and where it was drawn; for what is said when it is wrong. */
struct shot {
	const struct picture *picture;
	const struct terminal_kind *terminal;
	struct size size;
	enum known known;
	bool utf8;
	const char *text;
	const char *said;	/* a message, in the place of the keys until the next one */
};

static void wrong(const struct shot *s, const char *what)
{
	fprintf(stderr, "%s", s->text);
	fail_msg("%s, %s, %dx%d, %s, %s: %s", s->picture->name, known_name(s->known), s->size.cols, s->size.rows,
		 s->utf8 ? "utf-8" : "C", s->terminal->name, what);
}

static struct view_of view(const struct picture *p, enum known k)
{
	struct view_of of = world_view(&worlds[k]);

	of.is_replay = p->over == REPLAY_OVER;
	of.is_paused = p->over == PAUSE_OVER;
	of.held_us = 90 * SECOND;
	of.first_us = 900 * SECOND;
	of.last_us = of.cursor_us = worlds[k].now_us;
	if (p->over == PLAN_OVER)
		of.fix = &plans[PLANS_ARMED].view;
	if (p->over == RUNNING_OVER || p->over == LEAVE_OVER)
		of.fix = &plans[PLANS_WAITING].view;
	if (p->over == FAILED_OVER)
		of.fix = &plans[PLANS_FAILED].view;
	if (p->over == TROUBLE_OVER)
		of.trouble = "disk full: recording is paused";
	return of;
}

static void press(struct stage *s, const struct picture *p, enum known k, const char *keys)
{
	for (; *keys; keys++) {
		struct view_of of = view(p, k);

		stage_key(s, &of, *keys);
	}
}

static const char *draw(struct stage *s, struct screen_test *t, const struct draw *d, const struct picture *p, enum known k)
{
	struct view_of of = view(p, k);

	stage_draw(s, d, &of);
	return screen_text(t);
}

/* A stage with the picture on it, drawn once before the keys, as whoever pressed them saw it. */
static const char *stand(struct stage *s, struct screen_test *t, const struct draw *d, const struct picture *p, enum known k)
{
	const struct look look = { .theme = "dark" };

	*s = (struct stage){ .screen = p->screen };
	if (*p->keys)
		draw(s, t, d, p, k);
	press(s, p, k, p->keys);
	if (p->over == SETTINGS_OVER)
		settings_open(&s->settings, &look);
	if (p->over == QUESTION_OVER)
		stage_ask(s, 1, "leaf1", "The host key of leaf1 is not known yet: SHA256:abcdefgh. Trust it from now on?", false, true);
	if (p->over == SECRET_OVER)
		stage_ask(s, 2, "node1", "Passphrase for id_ed25519", true, false);
	if (p->over == LEAVE_OVER)
		confirm_open(&s->confirm, CONFIRM_LEAVE, &plans[PLANS_WAITING].view);
	if (p->over == FORM_OVER)
		firstrun_begin(&s->first);
	return draw(s, t, d, p, k);
}

/* The nth row of a text, without its end. */
static struct span row_of(const char *text, unsigned n)
{
	struct span rest = span_of(text), line = SPAN("");

	for (unsigned i = 0; i <= n; i++)
		if (!span_line(&rest, &line))
			return SPAN("");
	return line;
}

/* Characters that this product draws; what the devices of these worlds say is ASCII. */
static bool is_ours(uint32_t c)
{
	return (c >= ' ' && c < 0x7f) || c == 0xb7 /* middle dot */ || c == 0xd7 /* times */ || c == 0x2026 /* ellipsis */ ||
	       c == 0x2192 /* arrow */ || c == 0x2260 /* not equal */ || c == 0x2502 /* bar */ || (c >= 0x2581 && c <= 0x2588);
}

static void check_characters(const struct shot *s)
{
	const unsigned char *c = (const unsigned char *)s->text;
	char what[64];

	while (*c) {
		size_t n = *c < 0x80 ? 1 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : 4;
		uint32_t one = n == 1 ? *c : *c & (0xffu >> (n + 1));

		for (size_t i = 1; i < n; i++)
			one = one << 6 | (c[i] & 0x3f);
		snprintf(what, sizeof(what), "character %04x", one);
		if (one != '\n' && (!is_ours(one) || (!s->utf8 && one >= 0x80)))
			wrong(s, what);
		c += n;
	}
}

/* As much of the header as there is room for; nothing else has to be left when a question or the form is up. */
static void check_header(const struct shot *s)
{
	const char *state = s->picture->over == REPLAY_OVER ? "REPLAY" : s->picture->over == PAUSE_OVER ? "FROZEN" : "LIVE";
	struct span header = row_of(s->text, 0);

	if (s->size.cols >= 40 && !span_starts(header, "fabcon gpu-a "))
		wrong(s, "the header is not in its place");
	if (s->size.cols >= 40 && !span_find(header, state))
		wrong(s, "the header does not say whether this is live");
	if (!header.n && s->size.cols > 1)	/* the last cell of a terminal is not always written */
		wrong(s, "the header is empty");
}

/* The last row tells keys, or takes what is typed. */
static void check_last_row(const struct shot *s)
{
	struct span last = row_of(s->text, (unsigned)s->size.rows - 1);

	if (s->size.cols < 40)
		return;
	if (*s->said ? !span_starts(last, "There is no") && !span_starts(last, "Mark ") :
	    s->picture->last ? !span_starts(last, s->picture->last) : !span_find(last, "? help") || !span_find(last, "q back"))
		wrong(s, "the last row does not tell the keys");
}

/* What curses changed on the terminal since the frame before is what it draws when nothing stood there. */
static void check_same(const struct shot *s, const char *again)
{
	for (unsigned y = 0; y < (unsigned)s->size.rows; y++) {
		struct span is = row_of(s->text, y), wanted = row_of(again, y);
		char what[1024];

		if (span_same(is, wanted))
			continue;
		snprintf(what, sizeof(what), "row %u drawn from nothing is\n%.*s\nand not\n%.*s", y, (int)wanted.n, wanted.p,
			 (int)is.n, is.p);
		wrong(s, what);
	}
}

static void every_frame_keeps_its_edges_its_characters_and_its_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIZES * TERMINALS * 2; i++) {
		const struct terminal_kind *terminal = &terminals[i / SIZES % TERMINALS];
		const struct size *size = &sizes[i % SIZES];
		bool utf8 = i / SIZES / TERMINALS;
		struct screen_test *t = screen_open(size->rows, size->cols, utf8, terminal->term);

		screen_dress(t, terminal->colours);
		for (size_t k = 0; k < KNOWN_COUNT * PICTURES; k++) {
			struct shot shot = { &pictures[k % PICTURES], terminal, *size, (enum known)(k / PICTURES), utf8, "", "" };
			struct stage s;
			char *first;

			shot.text = first = xstrdup(stand(&s, t, screen_draw(t), shot.picture, shot.known));
			shot.said = s.message;
			check_characters(&shot);
			if (!shot.picture->last || *shot.picture->last)
				check_header(&shot);
			check_last_row(&shot);
			check_same(&shot, screen_again(t));
			free(first);
			stage_done(&s);
		}
		screen_close(t);
	}
}

/* The same on the upper left of a larger terminal: around it, nothing is touched. */
static void nothing_is_drawn_outside_the_frame(void **state)
{
	struct screen_test *t = screen_open(64, 210, true, NULL);

	(void)state;
	for (size_t i = 0; i < SIZES * KNOWN_COUNT * PICTURES; i++) {
		struct shot shot = { &pictures[i % PICTURES], terminals, sizes[i / PICTURES % SIZES],
				     (enum known)(i / PICTURES / SIZES), true, "", "" };
		struct draw d = *screen_draw(t);
		struct stage s;

		d.rows = shot.size.rows;
		d.cols = shot.size.cols;
		werase(stdscr);
		shot.text = stand(&s, t, &d, shot.picture, shot.known);
		for (int y = 0; y < 64; y++) {
			chtype cell = mvwinch(stdscr, y, y < d.rows ? d.cols : 0);

			if ((cell & A_CHARTEXT) != ' ' || cell & A_ATTRIBUTES)
				wrong(&shot, "something stands outside");
		}
		stage_done(&s);
	}
	screen_close(t);
}

/* Every row that a list has, as it is seen by whoever goes through it. Screens of a list alone, without its pane. */
static void read_through(struct screen_test *t, const struct picture *p, enum known k, struct buf *out)
{
	struct stage s = { .screen = p->screen };
	size_t before;

	s.views.without_pane[p->screen] = true;
	buf_str(out, draw(&s, t, screen_draw(t), p, k));
	do {
		before = s.views.tables[p->screen].cursor;
		press(&s, p, k, "\x04");
		buf_str(out, draw(&s, t, screen_draw(t), p, k));
	} while (s.views.tables[p->screen].cursor != before);
	stage_done(&s);
}

/* A line of the text that begins with the finding's sign and word, and has all that its columns have room for. */
static bool names(const char *text, const struct finding *f, size_t room)
{
	struct span rest = span_of(text), line;
	char head[32];

	snprintf(head, sizeof(head), "%s%-5s", verdict_sign(f->verdict), f->verdict == VERDICT_UNKNOWN ? "?" : verdict_word(f->verdict));
	while (span_line(&rest, &line)) {
		struct span where = { f->where, strlen(f->where) < room ? strlen(f->where) : room };
		struct span body = line.n > 2 ? (struct span){ line.p + 2, line.n - 2 } : SPAN("");
		char place[64];

		snprintf(place, sizeof(place), "%.*s", (int)where.n, where.p);
		if (span_starts(body, head) && span_find(body, place))
			return true;
	}
	return false;
}

/* Without a colour or an attribute: the sign, the word and the place alone. */
static void every_finding_is_named_in_grey_at_every_size(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIZES - 1; i++) {
		struct screen_test *t = screen_open(sizes[i].rows, sizes[i].cols, true, "vt100");

		screen_dress(t, 0);
		for (enum known k = 0; k < KNOWN_COUNT; k++) {
			const struct finding *const *list;
			size_t n = findings_open(worlds[k].findings, &list);
			struct buf text = { 0 };

			read_through(t, &pictures[SCREEN_FINDINGS], k, &text);
			for (size_t f = 0; f < n; f++)
				if (!names(text.text, list[f], 16))
					fail_msg("%s, %dx%d: %s at %s is not named:\n%s", known_name(k), sizes[i].cols, sizes[i].rows,
						 list[f]->check->id, list[f]->where, text.text);
			buf_done(&text);
		}
		screen_close(t);
	}
}

/* On the screen that comes first, without a key. */
static void the_worst_finding_stands_on_the_overview_at_every_size(void **state)
{
	(void)state;
	for (size_t i = 0; i < (SIZES - 1) * 2; i++) {
		struct screen_test *t = screen_open(sizes[i / 2].rows, sizes[i / 2].cols, i % 2, NULL);

		for (enum known k = 0; k < KNOWN_COUNT; k++) {
			const struct finding *const *list;
			size_t n = findings_open(worlds[k].findings, &list);
			struct stage s = { 0 };

			draw(&s, t, screen_draw(t), pictures, k);
			if (n && list[0]->verdict >= VERDICT_LOOK && !names(screen_text(t), list[0], 16))
				fail_msg("%s, %dx%d: %s at %s is not on\n%s", known_name(k), sizes[i / 2].cols, sizes[i / 2].rows,
					 list[0]->check->id, list[0]->where, screen_text(t));
			stage_done(&s);
		}
		screen_close(t);
	}
}

/* By the role that is drawn, where devices told nothing: no cell of any screen has the look of what is well. */
static void what_nobody_told_is_never_drawn_as_well(void **state)
{
	static const enum known silent[] = { KNOWN_UNKNOWN, KNOWN_NOTHING };

	(void)state;
	for (size_t i = 0; i < (SIZES - 1) * 2; i++) {
		struct screen_test *t = screen_open(sizes[i / 2].rows, sizes[i / 2].cols, true, NULL);
		struct shot shot = { .terminal = terminals, .size = sizes[i / 2], .known = silent[i % 2], .utf8 = true };

		for (enum screen_id id = 0; id < SCREEN_COUNT; id++) {
			struct stage s = { .screen = id };

			shot.picture = &pictures[id];
			shot.text = draw(&s, t, screen_draw(t), shot.picture, shot.known);
			for (int cell = 0; cell < shot.size.rows * shot.size.cols; cell++) {
				int y = cell / shot.size.cols, x = cell % shot.size.cols;

				if (screen_role(t, y, x) == ROLE_IS_OK && (mvwinch(stdscr, y, x) & A_CHARTEXT) != ' ')
					wrong(&shot, "something is drawn as well");
			}
			if (strstr(shot.text, " ok\n") || strstr(shot.text, "as it should be"))
				wrong(&shot, "something is said to be well");
			stage_done(&s);
		}
		screen_close(t);
	}
}

/* Rows of links whose far end was not reached: never well, and ? where the far end would be. */
static void of_a_device_not_reached_the_values_are_question_marks(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIZES - 1; i++) {
		struct screen_test *t = screen_open(sizes[i].rows, sizes[i].cols, true, NULL);
		struct stage s = { .screen = SCREEN_PORTS };
		struct shot shot = { &pictures[SCREEN_PORTS], terminals, sizes[i], KNOWN_PARTLY, true, "", "" };
		unsigned seen = 0;

		shot.text = draw(&s, t, screen_draw(t), shot.picture, KNOWN_PARTLY);
		for (unsigned y = 0; y < (unsigned)shot.size.rows; y++) {
			struct span row = row_of(shot.text, y);

			if (!span_find(row, " node1:eth") || span_starts(row, "--"))
				continue;
			if (row.n < 4 || row.p[2] != '?' || !span_find((struct span){ row.p + 4, row.n - 4 }, "?"))
				wrong(&shot, "a row does not say that its far end is not known");
			seen++;
		}
		assert_int_equal(seen, 2);
		stage_done(&s);
		screen_close(t);
	}
}

/* Each list says in words what to do; the words are whole, from 40 columns on. */
static void an_empty_list_says_the_next_step_at_every_size(void **state)
{
	(void)state;
	for (size_t i = 0; i < (SIZES - 1) * SCREEN_COUNT; i++) {
		const struct size *size = &sizes[i / SCREEN_COUNT];
		struct stage s = { .screen = (enum screen_id)(i % SCREEN_COUNT) };
		struct shot shot = { &pictures[s.screen], terminals, *size, KNOWN_NOTHING, true, "", "" };
		struct buf words = { 0 }, seen = { 0 };
		struct screen_test *t;
		struct table_source source;
		struct view_of of = view(shot.picture, KNOWN_NOTHING);
		struct span rest, word;

		if (!screens_source(s.screen, &of, &s.views, &source) || source.n_rows) {
			stage_done(&s);
			continue;
		}
		t = screen_open(size->rows, size->cols, true, NULL);
		shot.text = draw(&s, t, screen_draw(t), shot.picture, KNOWN_NOTHING);
		rest = span_of(shot.text);
		while (span_word(&rest, &word))
			buf_printf(&seen, " %.*s", (int)word.n, word.p);
		key_text(&words, source.empty);
		if (!span_find(buf_span(&seen), words.text))
			wrong(&shot, words.text);
		buf_done(&words);
		buf_done(&seen);
		stage_done(&s);
		screen_close(t);
	}
}

static int begin(void **state)
{
	(void)state;
	for (enum known k = 0; k < KNOWN_COUNT; k++)
		world_known(&worlds[k], k);
	for (enum plans_at at = 0; at < PLANS_COUNT; at++)
		plans_init(&plans[at], at);
	return 0;
}

static int end(void **state)
{
	(void)state;
	for (enum known k = 0; k < KNOWN_COUNT; k++)
		world_done(&worlds[k]);
	for (enum plans_at at = 0; at < PLANS_COUNT; at++)
		plans_done(&plans[at]);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_frame_keeps_its_edges_its_characters_and_its_rows),
		cmocka_unit_test(nothing_is_drawn_outside_the_frame),
		cmocka_unit_test(every_finding_is_named_in_grey_at_every_size),
		cmocka_unit_test(the_worst_finding_stands_on_the_overview_at_every_size),
		cmocka_unit_test(what_nobody_told_is_never_drawn_as_well),
		cmocka_unit_test(of_a_device_not_reached_the_values_are_question_marks),
		cmocka_unit_test(an_empty_list_says_the_next_step_at_every_size),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
