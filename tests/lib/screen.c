#include "tests/lib/screen.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vterm.h>

#include "tests/lib/say.h"

struct screen_test {
	FILE *out, *in;
	SCREEN *curses;
	VTerm *vterm;
	struct theme theme;
	struct draw draw;
	off_t read;
	size_t bytes;
	struct buf text;
};

/* The size is told before: curses sets the region that scrolls once, and libvterm deletes no character outside it. */
static SCREEN *begin_curses(struct screen_test *s, int rows, int cols, const char *term)
{
	char lines[16], columns[16];
	SCREEN *curses;

	snprintf(lines, sizeof(lines), "%d", rows);
	snprintf(columns, sizeof(columns), "%d", cols);
	setenv("LINES", lines, 1);
	setenv("COLUMNS", columns, 1);
	curses = newterm(term, s->out, s->in);
	unsetenv("LINES");
	unsetenv("COLUMNS");
	return curses;
}

struct screen_test *screen_open(int rows, int cols, bool utf8, const char *term)
{
	struct screen_test *s = xcalloc(1, sizeof(*s));
	struct err err;

	if (!setlocale(LC_ALL, utf8 ? "C.UTF-8" : "C"))
		fail_msg("no locale %s", utf8 ? "C.UTF-8" : "C");
	s->out = fdopen(memfd_create("screen", MFD_CLOEXEC), "w+");
	s->in = fopen("/dev/null", "r");
	/* Not xterm-256color: libvterm 0.1.4 takes a repeated character (rep) one column too far, and scrolls at the region's end. */
	s->curses = begin_curses(s, rows, cols, term ? term : "screen-256color");
	if (!s->curses)
		fail_msg("curses knows no terminal %s", term ? term : "screen-256color");
	set_term(s->curses);
	resizeterm(rows, cols);
	if (!theme_find(&s->theme, "dark", &err))
		fail_msg("%s", err.text);
	s->draw = (struct draw){ .w = stdscr, .theme = &s->theme, .glyphs = glyphs_of_locale(false), .rows = rows, .cols = cols,
				 .with_colour = has_colors() };
	theme_start(&s->theme, s->draw.with_colour);
	s->vterm = vterm_new(rows, cols);
	vterm_set_utf8(s->vterm, utf8);
	vterm_screen_reset(vterm_obtain_screen(s->vterm), 1);
	return s;
}

void screen_close(struct screen_test *s)
{
	endwin();
	delscreen(s->curses);
	fclose(s->out);
	fclose(s->in);
	vterm_free(s->vterm);
	buf_done(&s->text);
	free(s);
}

const struct draw *screen_draw(const struct screen_test *s)
{
	return &s->draw;
}

void screen_dress(struct screen_test *s, int colours)
{
	struct err err;

	if (!theme_find(&s->theme, colours ? "dark" : "mono", &err))
		fail_msg("%s", err.text);
	s->draw.with_colour = colours > 0;
	if (colours && has_colors())
		COLORS = colours;
	theme_start(&s->theme, s->draw.with_colour);
}

static void feed(struct screen_test *s)
{
	char bytes[8192];
	ssize_t n;

	s->bytes = 0;
	while ((n = pread(fileno(s->out), bytes, sizeof(bytes), s->read)) > 0) {
		vterm_input_write(s->vterm, bytes, (size_t)n);
		s->read += n;
		s->bytes += (size_t)n;
	}
}

static void add_character(struct buf *out, uint32_t c)
{
	char utf8[8];
	int n = c < 0x80 ? snprintf(utf8, sizeof(utf8), "%c", (int)c) :
		c < 0x800 ? snprintf(utf8, sizeof(utf8), "%c%c", (int)(0xc0 | c >> 6), (int)(0x80 | (c & 0x3f))) :
		snprintf(utf8, sizeof(utf8), "%c%c%c", (int)(0xe0 | c >> 12), (int)(0x80 | (c >> 6 & 0x3f)), (int)(0x80 | (c & 0x3f)));

	buf_add(out, utf8, (size_t)n);
}

const char *screen_text(struct screen_test *s)
{
	VTermScreen *screen = vterm_obtain_screen(s->vterm);

	wnoutrefresh(stdscr);
	doupdate();
	feed(s);
	buf_clear(&s->text);
	for (int y = 0; y < s->draw.rows; y++) {
		size_t begin = s->text.n;

		for (int x = 0; x < s->draw.cols; x++) {
			VTermScreenCell cell;

			if (vterm_screen_get_cell(screen, (VTermPos){ .row = y, .col = x }, &cell) && cell.chars[0] != (uint32_t)-1)
				add_character(&s->text, cell.chars[0] ? cell.chars[0] : ' ');
		}
		while (s->text.n > begin && s->text.text[s->text.n - 1] == ' ')
			s->text.text[--s->text.n] = '\0';
		buf_str(&s->text, "\n");
	}
	return s->text.text;
}

const char *screen_again(struct screen_test *s)
{
	clearok(curscr, TRUE);
	return screen_text(s);
}

enum role screen_role(const struct screen_test *s, int y, int x)
{
	wchar_t text[CCHARW_MAX + 1];
	attr_t attributes;
	short pair;
	cchar_t cell;

	if (mvwin_wch(s->draw.w, y, x, &cell) == ERR || getcchar(&cell, text, &attributes, &pair, NULL) == ERR)
		return ROLE_COUNT;
	return pair > 0 ? (enum role)(pair - 1) : ROLE_COUNT;
}

size_t screen_bytes(const struct screen_test *s)
{
	return s->bytes;
}
