/*
 * Whatever is known, on whatever terminal: every screen, and all that can lie over one, at every size, in both locales,
 * with many colours, few and none. What holds for all of them is said here; what one screen shows, in test_screens.c.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/screen.h"
#include "tests/lib/worlds.h"
#include "tui/bind.h"

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
enum over { NOTHING_OVER, SETTINGS_OVER, QUESTION_OVER, SECRET_OVER, FORM_OVER, TROUBLE_OVER, REPLAY_OVER, PAUSE_OVER };

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
};
#define PICTURES (sizeof(pictures) / sizeof(*pictures))

static struct world worlds[KNOWN_COUNT];

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
	const char *state = s->picture->over == REPLAY_OVER ? "REPLAY" : s->picture->over == PAUSE_OVER ? "PAUSED" : "LIVE";
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

static int begin(void **state)
{
	(void)state;
	for (enum known k = 0; k < KNOWN_COUNT; k++)
		world_known(&worlds[k], k);
	return 0;
}

static int end(void **state)
{
	(void)state;
	for (enum known k = 0; k < KNOWN_COUNT; k++)
		world_done(&worlds[k]);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_frame_keeps_its_edges_its_characters_and_its_rows),
		cmocka_unit_test(nothing_is_drawn_outside_the_frame),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
