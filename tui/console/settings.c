#include "tui/console/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tui/session/config.h"
#include "tui/text/files.h"

#define ESC 27
#define CTRL_C 3

static const char *const signs_names[] = { "utf8", "braille", "ascii" };

static void turn_theme(struct settings *s, int by)
{
	size_t i = 0, n = s->themes.n;

	while (i < n && strcmp(s->themes.list[i], s->look.theme))
		i++;
	i = i < n ? (i + n + (size_t)(by + (int)n)) % n : 0;
	snprintf(s->look.theme, sizeof(s->look.theme), "%s", s->themes.list[i]);
}

static void turn_signs(struct settings *s, int by)
{
	s->look.signs = (enum signs)((s->look.signs + 3 + by) % 3);
}

static void turn_times(struct settings *s, int by)
{
	(void)by;
	s->look.local_times = !s->look.local_times;
}

static void turn_mouse(struct settings *s, int by)
{
	(void)by;
	s->look.mouse = !s->look.mouse;
}

static const char *theme_is(const struct look *look)
{
	return look->theme;
}

static const char *signs_are(const struct look *look)
{
	return signs_names[look->signs];
}

static const char *times_are(const struct look *look)
{
	return look->local_times ? "local" : "utc";
}

static const char *mouse_is(const struct look *look)
{
	return look->mouse ? "on" : "off";
}

static const struct row {
	const char *name, *help;
	void (*turn)(struct settings *s, int by);
	const char *(*value)(const struct look *look);
} rows[] = {
	{ "theme", "auto selects dark or light; your own files: fabcon-theme(5)",		turn_theme, theme_is },
	{ "signs", "sparklines in blocks, in braille, or all in ASCII",			turn_signs, signs_are },
	{ "times", "UTC ends in Z, local times do not",				turn_times, times_are },
	{ "mouse", "on: the console takes wheel and clicks; off: the terminal selects text", turn_mouse, mouse_is },
};
#define ROWS (sizeof(rows) / sizeof(*rows))

void settings_open(struct settings *s, const struct look *look)
{
	settings_close(s);
	*s = (struct settings){ .is_open = true, .look = *look, .before = *look };
	themes_list(&s->themes);
}

void settings_close(struct settings *s)
{
	themes_list_done(&s->themes);
	s->is_open = false;
}

static bool turn(struct settings *s, int by)
{
	rows[s->row].turn(s, by);
	return true;
}

bool settings_key(struct settings *s, int code, bool *writes)
{
	*writes = false;
	switch (code) {
	case 'j': case KEY_DOWN:	s->row += s->row + 1 < ROWS; return false;
	case 'k': case KEY_UP:		s->row -= s->row > 0; return false;
	case 'h': case KEY_LEFT:	return turn(s, -1);
	case 'l': case KEY_RIGHT: case ' ':
		return turn(s, 1);
	case 'w':
		*writes = true;
		s->before = s->look;	/* what is written is not taken back */
		return true;
	case ESC: case CTRL_C:
		s->look = s->before;
		settings_close(s);
		return true;
	case '\n': case '\r': case KEY_ENTER: case 'q': case KEY_F(10): case KEY_F(2):
		settings_close(s);
		return false;
	default:
		return false;
	}
}

void settings_draw(const struct settings *s, const struct draw *d)
{
	int y = d->rows - (int)ROWS - 3;	/* the last row stays for what is said */

	y = y < 0 ? 0 : y;
	draw_rule(d, y++, 0, d->cols, "Settings");
	for (size_t i = 0; i < ROWS; i++, y++) {
		draw_blank(d, y, 0, d->cols);
		draw_printf(d, y, 0, d->cols, ROLE_IS_TEXT, "%s %-7s < %-20s > %s", i == s->row ? ">" : " ", rows[i].name,
			    rows[i].value(&s->look), rows[i].help);
		if (i == s->row)
			draw_restyle(d, y, 0, d->cols, ROLE_IS_CURSOR);
	}
	draw_cell(d, y, 0, d->cols, false, ROLE_IS_KEY, "h l change  Enter keep  Esc cancel  w write config.yaml");
}

/* -- writing -- */

struct wanted {
	const char *option, *value, *usual;
};

static const char *set_value(const struct config *c, const struct wanted *w)
{
	for (size_t i = 0; i < option_count; i++)
		if (!strcmp(option_table[i].name, w->option) && c->settings[i].value)
			return c->settings[i].value;
	return w->usual;
}

static bool write_wanted(const struct wanted *list, size_t n, struct buf *text, struct err *err)
{
	struct buf with = { 0 };
	struct config c;
	bool ok = true;

	config_init(&c);
	config_read_usual(&c);
	for (size_t i = 0; ok && i < n; i++) {
		if (!strcmp(set_value(&c, &list[i]), list[i].value))
			continue;
		ok = config_set(buf_span(text), list[i].option, list[i].value, &with, err);
		if (ok) {
			struct buf was = *text;

			*text = with;
			with = was;
		}
	}
	config_done(&c);
	buf_done(&with);
	return ok;
}

bool look_write(const struct look *look, struct err *err)
{
	const struct wanted list[] = {
		{ "theme", look->theme, "auto" },
		{ "ascii", look->signs == SIGNS_ASCII ? "yes" : "no", "no" },
		{ "braille", look->signs == SIGNS_BRAILLE ? "yes" : "no", "no" },
		{ "utc", look->local_times ? "no" : "yes", "yes" },
		{ "mouse", look->mouse ? "yes" : "no", "no" },
	};
	char *path = config_own_file();
	struct buf text = { 0 };
	bool ok;

	if (!path)
		return err_set(err, "HOME is not set");
	ok = access(path, F_OK) != 0 || file_read(path, &text, err);
	ok = ok && write_wanted(list, sizeof(list) / sizeof(*list), &text, err) && file_replace(path, buf_span(&text), err);
	buf_done(&text);
	free(path);
	return ok;
}
