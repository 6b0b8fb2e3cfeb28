/*
 * Themes: read, found, and fit to be read. Contrast is WCAG 2.1's, against what grounds of its kind look like; colour vision
 * is simulated by the matrices of Machado, Oliveira and Fernandes (2009) at full severity; difference is CIE 1976 Lab.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/home.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tests/lib/tty.h"
#include "tui/widgets/themes.h"

#define TEXT_CONTRAST	4.5	/* WCAG 2.1 AA, text */
#define QUIET_CONTRAST	3.0	/* and what is beside the point or a picture */
#define TOLD_APART	20.0	/* Lab; 2.3 is just noticeable side by side, this is seen across a screen */

struct rgb {
	double r, g, b;		/* linear, 0 … 1 */
};

static double linear(unsigned byte)
{
	double c = byte / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static struct rgb rgb_of(uint32_t hex)
{
	return (struct rgb){ linear(hex >> 16 & 255), linear(hex >> 8 & 255), linear(hex & 255) };
}

static double luminance(struct rgb c)
{
	return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
}

static double contrast(struct rgb a, struct rgb b)
{
	double la = luminance(a), lb = luminance(b);

	return (fmax(la, lb) + 0.05) / (fmin(la, lb) + 0.05);
}

/* Terminals' grounds, from the plainest to those that are further from it. */
static const uint32_t dark_grounds[] = { 0x000000, 0x1e1e1e, 0x002b36 }, light_grounds[] = { 0xffffff, 0xfdf6e3 };

static struct rgb shown(const struct style *s, enum ground ground)
{
	if (s->fg == THEME_DEFAULT)
		return rgb_of(ground == GROUND_LIGHT ? 0x000000 : 0xe5e5e5);
	return rgb_of(colour_rgb(s->fg));
}

static void assert_readable(const struct theme *t, enum role role, enum ground ground)
{
	const uint32_t *grounds = ground == GROUND_LIGHT ? light_grounds : dark_grounds;
	size_t n = ground == GROUND_LIGHT ? 2 : 3;
	double least = role == ROLE_IS_MUTED || role == ROLE_IS_SPARK ? QUIET_CONTRAST : TEXT_CONTRAST;

	for (size_t i = 0; i < n; i++) {
		const struct style *s = &t->styles[role];
		struct rgb behind = s->bg == THEME_DEFAULT ? rgb_of(grounds[i]) : rgb_of(colour_rgb(s->bg));
		double is = contrast(shown(s, ground), behind);

		if (is < least)
			fail_msg("%s of %s on %06x has a contrast of %.1f, %.1f is the least", role_name(role), t->name,
				 grounds[i], is, least);
	}
}

static void every_role_can_be_read_on_the_ground_it_is_for(void **state)
{
	struct theme t;
	struct err err;

	(void)state;
	for (size_t i = 0; theme_name(i); i++) {
		assert_true(theme_find(&t, theme_name(i), &err));
		for (unsigned r = 0; r < ROLE_COUNT; r++) {
			if (t.ground != GROUND_LIGHT)
				assert_readable(&t, (enum role)r, GROUND_DARK);
			if (t.ground != GROUND_DARK)
				assert_readable(&t, (enum role)r, GROUND_LIGHT);
		}
	}
}

static void what_cannot_be_read_is_found(void **state)
{
	(void)state;
	assert_true(contrast(rgb_of(0xffffff), rgb_of(0x000000)) > 20.9);
	assert_true(contrast(rgb_of(0xcdcd00), rgb_of(0xffffff)) < QUIET_CONTRAST);
	assert_true(contrast(rgb_of(0x0000ee), rgb_of(0x000000)) < QUIET_CONTRAST);
}

/* -- colour vision -- */

static const struct vision {
	const char *name;
	double m[3][3];
} visions[] = {
	{ "any", { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
	{ "protanopia", { { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 }, { -0.003882, -0.048116, 1.051998 } } },
	{ "deuteranopia", { { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 }, { -0.011820, 0.042940, 0.968881 } } },
	{ "tritanopia", { { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 }, { 0.004733, 0.691367, 0.303900 } } },
};
#define VISIONS (sizeof(visions) / sizeof(*visions))

static double clamp(double x)
{
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

static struct rgb seen(const struct vision *v, struct rgb c)
{
	double out[3];

	for (int i = 0; i < 3; i++)
		out[i] = clamp(v->m[i][0] * c.r + v->m[i][1] * c.g + v->m[i][2] * c.b);
	return (struct rgb){ out[0], out[1], out[2] };
}

static double lab_part(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116.0;
}

static double difference(struct rgb a, struct rgb b)
{
	double lab[2][3];
	const struct rgb both[] = { a, b };

	for (int i = 0; i < 2; i++) {
		const struct rgb c = both[i];
		double x = lab_part((0.4124 * c.r + 0.3576 * c.g + 0.1805 * c.b) / 0.9505), y = lab_part(luminance(c));
		double z = lab_part((0.0193 * c.r + 0.1192 * c.g + 0.9505 * c.b) / 1.089);

		lab[i][0] = 116 * y - 16;
		lab[i][1] = 500 * (x - y);
		lab[i][2] = 200 * (y - z);
	}
	return sqrt(pow(lab[0][0] - lab[1][0], 2) + pow(lab[0][1] - lab[1][1], 2) + pow(lab[0][2] - lab[1][2], 2));
}

static const enum role verdicts[] = { ROLE_IS_OK, ROLE_IS_WARN, ROLE_IS_CRIT, ROLE_IS_UNKNOWN };

/* Whether two roles can be told apart with one vision: by their colours, or, where that is enough, by their attributes. */
static bool told_apart(const struct theme *t, enum role a, enum role b, const struct vision *v, bool by_attribute)
{
	enum ground ground = t->ground == GROUND_LIGHT ? GROUND_LIGHT : GROUND_DARK;
	double by = difference(seen(v, shown(&t->styles[a], ground)), seen(v, shown(&t->styles[b], ground)));

	return by >= TOLD_APART || (by_attribute && t->styles[a].attributes != t->styles[b].attributes);
}

static void verdicts_are_told_apart_with_any_colour_vision(void **state)
{
	struct theme t;
	struct err err;

	(void)state;
	for (size_t i = 0; theme_name(i); i++) {
		bool by_colour = !strncmp(theme_name(i), "colourblind", 11);

		assert_true(theme_find(&t, theme_name(i), &err));
		for (size_t v = 0; v < VISIONS; v++)
			for (size_t a = 0; a < 4; a++)
				for (size_t b = a + 1; b < 4; b++)
					if (!told_apart(&t, verdicts[a], verdicts[b], &visions[v], !by_colour))
						fail_msg("%s: %s and %s look alike with %s", t.name, role_name(verdicts[a]),
							 role_name(verdicts[b]), visions[v].name);
	}
}

static void red_and_green_are_alike_where_they_are(void **state)
{
	(void)state;
	assert_true(difference(rgb_of(0xa05000), rgb_of(0x608000)) > TOLD_APART);
	assert_true(difference(seen(&visions[2], rgb_of(0xa05000)), seen(&visions[2], rgb_of(0x608000))) < TOLD_APART);
}

/* -- fewer colours -- */

static void a_colour_gives_way_to_one_that_can_be_read(void **state)
{
	struct theme t;
	struct err err;

	(void)state;
	assert_int_equal(colour_among(114, 8, GROUND_DARK), COLOR_GREEN);
	assert_int_equal(colour_among(210, 8, GROUND_DARK), COLOR_RED);
	assert_int_equal(colour_among(210, 16, GROUND_DARK), COLOR_RED + 8);
	assert_int_equal(colour_among(124, 16, GROUND_LIGHT), COLOR_RED);
	assert_int_equal(colour_among(22, 8, GROUND_LIGHT), COLOR_GREEN);
	assert_int_equal(colour_among(94, 8, GROUND_LIGHT), THEME_DEFAULT);	/* yellow on white */
	assert_int_equal(colour_among(18, 8, GROUND_DARK), THEME_DEFAULT);	/* blue on black */
	assert_int_equal(colour_among(210, 256, GROUND_DARK), 210);
	assert_int_equal(colour_among(THEME_DEFAULT, 8, GROUND_DARK), THEME_DEFAULT);
	for (size_t i = 0; theme_name(i); i++) {
		assert_true(theme_find(&t, theme_name(i), &err));
		for (unsigned r = 0; r < ROLE_COUNT; r++) {
			assert_true(colour_among(t.styles[r].fg, 8, t.ground) < 8);
			assert_true(colour_among(t.styles[r].fg, 16, t.ground) < 16);
		}
	}
}

static void the_terminal_tells_its_ground(void **state)
{
	static const struct {
		const char *said;
		enum ground ground;
	} cases[] = {
		{ "15;0", GROUND_DARK }, { "0;15", GROUND_LIGHT }, { "0;default;15", GROUND_LIGHT }, { "0;7", GROUND_LIGHT },
		{ "7;8", GROUND_DARK }, { "", GROUND_DARK }, { ";", GROUND_DARK }, { "0;99999", GROUND_DARK }, { "x;y", GROUND_DARK },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		setenv("COLORFGBG", cases[i].said, 1);
		assert_int_equal(ground_of_terminal(), cases[i].ground);
	}
	unsetenv("COLORFGBG");
}

/* -- files -- */

static void write_theme(const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/fabcon", home);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/fabcon/themes", home);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/fabcon/themes/%s.theme", home, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void a_theme_of_ones_own_is_found_and_comes_before_a_shipped_one(void **state)
{
	struct theme_names names = { 0 };
	struct theme t;
	struct err err;

	(void)state;
	write_theme("mine", "ground = light\nok = 22 default\n");
	write_theme("dark", "ok = 10 default bold\n");
	write_theme("bad", "ok = pink default\n");
	assert_true(themes_find(&t, "mine", &err));
	assert_int_equal(t.ground, GROUND_LIGHT);
	assert_string_equal(t.name, "mine");
	assert_true(themes_find(&t, "dark", &err));
	assert_int_equal(t.styles[ROLE_IS_OK].fg, 10);
	assert_false(themes_find(&t, "bad", &err));
	assert_non_null(strstr(err.text, "bad.theme:1: \"pink\""));
	assert_false(themes_find(&t, "../themes/mine", &err));
	assert_non_null(strstr(err.text, "there are auto dark light mono"));
	themes_list(&names);
	assert_string_equal(names.list[names.n - 1], "mine");
	themes_list_done(&names);
	assert_string_equal(themes_next("mine"), "auto");
	assert_string_equal(themes_next("no such"), "auto");
}

static void a_theme_that_is_not_there_does_not_keep_the_console_from_starting(void **state)
{
	struct tty *t = TTY(24, 120, "fabcon", "-i", "localhost", "--no-input", "--theme", "nope");

	(void)state;
	assert_true(tty_shows(t, "no theme \"nope\"", 20));
	tty_type(t, ":theme light\r");
	assert_true(tty_shows(t, "Theme: light", 20));
	tty_type(t, ":quit\r");
	assert_int_equal(tty_end(t, 20), 0);
	tty_close(t);
}

static void every_terminal_gets_the_console_and_q_leaves(void **state)
{
	static const char *const terms[] = {
		"TERM=xterm-mono", "TERM=vt100", "TERM=linux", "TERM=screen-256color", "TERM=xterm",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++) {
		struct tty *t = TTY(24, 80, "/usr/bin/env", terms[i], program_path("fabcon"), "-i", "localhost", "--no-input");

		if (!tty_shows(t, "Overview", 20))
			fail_msg("%s: %s", terms[i], tty_screen(t));
		tty_type(t, ":quit\r");
		assert_int_equal(tty_end(t, 20), 0);
		tty_close(t);
	}
}

static void every_role_is_in_the_manual(void **state)
{
	struct run r = RUN("fabcon", "man", "fabcon-theme.5");

	(void)state;
	assert_int_equal(r.code, 0);
	for (unsigned i = 0; i < ROLE_COUNT; i++)
		assert_non_null(strstr(r.out.text, role_name((enum role)i)));
	run_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_role_can_be_read_on_the_ground_it_is_for),
		cmocka_unit_test(what_cannot_be_read_is_found),
		cmocka_unit_test(verdicts_are_told_apart_with_any_colour_vision),
		cmocka_unit_test(red_and_green_are_alike_where_they_are),
		cmocka_unit_test(a_colour_gives_way_to_one_that_can_be_read),
		cmocka_unit_test(the_terminal_tells_its_ground),
		cmocka_unit_test_setup_teardown(a_theme_of_ones_own_is_found_and_comes_before_a_shipped_one, home_open, home_close),
		cmocka_unit_test_setup_teardown(a_theme_that_is_not_there_does_not_keep_the_console_from_starting, home_open, home_close),
		cmocka_unit_test(every_terminal_gets_the_console_and_q_leaves),
		cmocka_unit_test(every_role_is_in_the_manual),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
