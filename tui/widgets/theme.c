#include "tui/widgets/theme.h"

#include <stdio.h>

/* The files are part of the program: it looks the same wherever it was copied to. */
#define SHIPPED(id, path) \
	__asm__(".section .rodata\n" \
		"theme_" #id ":\n\t.incbin \"" path "\"\ntheme_" #id "_end:\n\t.byte 0\n\t.previous\n"); \
	extern const char theme_##id[] __asm__("theme_" #id) __attribute__((visibility("hidden"))); \
	extern const char theme_##id##_end[] __asm__("theme_" #id "_end") __attribute__((visibility("hidden")))

SHIPPED(dark, "themes/dark.theme");
SHIPPED(light, "themes/light.theme");
SHIPPED(mono, "themes/mono.theme");
SHIPPED(highcontrast, "themes/highcontrast.theme");
SHIPPED(colourblind, "themes/colourblind.theme");
SHIPPED(colourblind_light, "themes/colourblind-light.theme");
SHIPPED(solarized, "themes/solarized.theme");
SHIPPED(solarized_light, "themes/solarized-light.theme");

static const struct shipped {
	const char *name, *text, *end;
} shipped_table[] = {
	{ "dark",		theme_dark,		theme_dark_end },
	{ "light",		theme_light,		theme_light_end },
	{ "mono",		theme_mono,		theme_mono_end },
	{ "highcontrast",	theme_highcontrast,	theme_highcontrast_end },
	{ "colourblind",	theme_colourblind,	theme_colourblind_end },
	{ "colourblind-light",	theme_colourblind_light, theme_colourblind_light_end },
	{ "solarized",		theme_solarized,	theme_solarized_end },
	{ "solarized-light",	theme_solarized_light,	theme_solarized_light_end },
};
#define SHIPPED_COUNT (sizeof(shipped_table) / sizeof(*shipped_table))

static const struct {
	const char *name, *help;
} role_table[ROLE_COUNT] = {
#define X(id, name, help) [ROLE_IS_##id] = { name, help },
	ROLES(X)
#undef X
};

static const char *const colour_names[] = { "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white" };

static const struct {
	const char *name;
	attr_t attribute;
} attribute_table[] = {
	{ "bold", A_BOLD }, { "dim", A_DIM }, { "underline", A_UNDERLINE }, { "reverse", A_REVERSE }, { "italic", A_ITALIC },
};

/* -- reading -- */

static bool read_colour(struct span word, short *out)
{
	short bright = span_skip(&word, "bright-") ? 8 : 0;
	uint64_t n;

	if (span_is(word, "default") && !bright) {
		*out = THEME_DEFAULT;
		return true;
	}
	for (short i = 0; i < 8; i++) {
		if (span_is(word, colour_names[i])) {
			*out = (short)(i + bright);
			return true;
		}
	}
	if (bright || !span_u64(word, &n) || n > 255)
		return false;
	*out = (short)n;
	return true;
}

static bool read_attribute(struct span word, attr_t *out)
{
	for (size_t i = 0; i < sizeof(attribute_table) / sizeof(*attribute_table); i++) {
		if (span_is(word, attribute_table[i].name)) {
			*out |= attribute_table[i].attribute;
			return true;
		}
	}
	return false;
}

static bool find_role(struct span name, enum role *out)
{
	for (unsigned r = 0; r < ROLE_COUNT; r++) {
		if (span_is(name, role_table[r].name)) {
			*out = (enum role)r;
			return true;
		}
	}
	return false;
}

static bool read_style(struct span text, struct style *out, struct span *bad)
{
	*out = (struct style){ THEME_DEFAULT, THEME_DEFAULT, 0 };
	if (!span_word(&text, bad) || !read_colour(*bad, &out->fg))
		return false;
	if (!span_word(&text, bad) || !read_colour(*bad, &out->bg))
		return false;
	while (span_word(&text, bad))
		if (!read_attribute(*bad, &out->attributes))
			return false;
	return true;
}

static bool read_ground(struct span value, enum ground *out)
{
	static const char *const words[] = { "dark", "light", "any" };

	for (unsigned i = 0; i < 3; i++) {
		if (span_is(value, words[i])) {
			*out = (enum ground)i;
			return true;
		}
	}
	return false;
}

bool theme_read(struct theme *t, struct span text, const char *file, struct err *err)
{
	struct theme read = { .name = "" };
	struct span line, name, value, bad = { "", 0 };
	unsigned number = 0;
	enum role role;

	snprintf(read.name, sizeof(read.name), "%s", file);
	for (unsigned r = 0; r < ROLE_COUNT; r++)
		read.styles[r] = (struct style){ THEME_DEFAULT, THEME_DEFAULT, 0 };
	while (span_line(&text, &line)) {
		number++;
		line = span_trim(line);
		if (!line.n || *line.p == '#')
			continue;
		if (!span_cut(line, '=', &name, &value))
			return err_set(err, "%s:%u: not \"role = foreground background attributes\"", file, number);
		name = span_trim(name);
		if (span_is(name, "ground")) {
			if (!read_ground(span_trim(value), &read.ground))
				return err_set(err, "%s:%u: ground is dark, light or any", file, number);
			continue;
		}
		if (!find_role(name, &role))
			return err_set(err, "%s:%u: no role \"%.*s\"; roles: text muted title header key cursor marked ok "
				       "look warn crit unknown changed spark live replay dialog",
				       file, number, (int)(name.n < 40 ? name.n : 40), name.p);
		if (!read_style(value, &read.styles[role], &bad))
			return err_set(err, "%s:%u: \"%.*s\" is not a color (default, [bright-]black red green yellow blue "
				       "magenta cyan white, 0-255) or attribute (bold dim underline reverse italic)",
				       file, number, (int)(bad.n < 40 ? bad.n : 40), bad.p);
	}
	*t = read;
	return true;
}

bool theme_find(struct theme *t, const char *name, struct err *err)
{
	for (size_t i = 0; i < SHIPPED_COUNT; i++)
		if (!strcmp(shipped_table[i].name, name))
			return theme_read(t, theme_text(i), name, err);
	return err_set(err, "no theme \"%.40s\" is part of the program", name);
}

const char *theme_name(size_t i)
{
	return i < SHIPPED_COUNT ? shipped_table[i].name : NULL;
}

struct span theme_text(size_t i)
{
	return (struct span){ shipped_table[i].text, (size_t)(shipped_table[i].end - shipped_table[i].text) };
}

const char *role_name(enum role r)
{
	return role_table[r].name;
}

const char *role_help(enum role r)
{
	return role_table[r].help;
}

/* -- showing -- */

uint32_t colour_rgb(short c)
{
	static const uint32_t first[] = {
		0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
		0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	};
	static const uint8_t steps[] = { 0, 95, 135, 175, 215, 255 };

	if (c < 16)
		return first[c];
	if (c >= 232)
		return (uint32_t)(8 + 10 * (c - 232)) * 0x010101;
	c = (short)(c - 16);
	return (uint32_t)steps[c / 36] << 16 | (uint32_t)steps[c / 6 % 6] << 8 | steps[c % 6];
}

static bool is_readable(short c, int colours, enum ground ground)
{
	bool is_bright = c >= 8;

	if (ground == GROUND_LIGHT)
		return !is_bright && c != COLOR_YELLOW && c != COLOR_CYAN && c != COLOR_WHITE;
	return is_bright ? c > 8 : c != COLOR_BLACK && (c != COLOR_BLUE || colours > 8);
}

short colour_among(short c, int colours, enum ground ground)
{
	uint32_t rgb;
	unsigned r, g, b, most;

	if (c < 0 || c < colours || ground == GROUND_ANY)
		return c < colours ? c : (short)(c % 8);
	rgb = colour_rgb(c);
	r = rgb >> 16;
	g = rgb >> 8 & 255;
	b = rgb & 255;
	most = r > g ? r : g;
	most = b > most ? b : most;
	c = (short)((r * 3 >= most * 2) | (g * 3 >= most * 2) << 1 | (b * 3 >= most * 2) << 2);
	if (ground == GROUND_DARK && colours >= 16)
		c = (short)(c + 8);
	return is_readable(c, colours, ground) ? c : THEME_DEFAULT;
}

/* A terminal of more than 256 colours takes their red, green and blue; the first eight are still its own. */
static int on_terminal(short c, enum ground ground)
{
	if (COLORS > 256 && c >= 8)
		return (int)colour_rgb(c);
	return colour_among(c, COLORS < 256 ? COLORS : 256, ground);
}

void theme_start(const struct theme *t, bool with_colour)
{
	if (with_colour && has_colors()) {
		start_color();
		use_default_colors();
	}
	for (unsigned r = 0; r < ROLE_COUNT; r++) {
		const struct style *s = &t->styles[r];

		if (with_colour && has_colors())
			init_extended_pair((int)r + 1, on_terminal(s->fg, t->ground), on_terminal(s->bg, t->ground));
	}
}

attr_t theme_attributes(const struct theme *t, enum role r)
{
	return t->styles[r].attributes;
}
