#include "tui/console/plain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tui/widgets/table_spoken.h"
#include "tui/widgets/bind.h"
#include "tui/session/causes.h"
#include "tui/console/palette.h"
#include "tui/console/help_page.h"
#include "tui/text/safe.h"

#define NEWS_MAX 10		/* lines at once; more are counted */

struct plain_finding {
	uint64_t key;
	char *text;		/* owned: "fault, pfc-on at node1:eth2 to leaf1:Eth4" */
	bool is_open;		/* seen in this round */
};

void plain_begin(struct plain *p, bool ascii)
{
	p->lines.ascii = ascii;
	p->is_script = !isatty(STDIN_FILENO);
	if (!p->is_script)
		tcgetattr(STDIN_FILENO, &p->before);
}

/* What is typed is shown again, however it ends. */
static void show_typing(struct plain *p, bool is_shown)
{
	struct termios quiet = p->before;

	if (p->is_script || p->is_silent == !is_shown)
		return;
	quiet.c_lflag &= ~(tcflag_t)ECHO;
	tcsetattr(STDIN_FILENO, TCSADRAIN, is_shown ? &p->before : &quiet);
	p->is_silent = !is_shown;
}

void plain_done(struct plain *p)
{
	show_typing(p, true);
	lines_done(&p->lines);
	if (p->typed.text)
		explicit_bzero(p->typed.text, p->typed.n);
	buf_done(&p->typed);
	for (size_t i = 0; i < p->n_open; i++)
		free(p->open[i].text);
	free(p->open);
	*p = (struct plain){ 0 };
}

/* -- lines -- */

void plain_read(struct plain *p, int fd)
{
	char bytes[4096];
	ssize_t n;

	if (p->is_ended || p->typed.n >= TYPED_MAX)
		return;
	n = read(fd, bytes, sizeof(bytes));
	if (n > 0)
		buf_add(&p->typed, bytes, (size_t)n);
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		p->is_ended = true;
	p->is_awaited = p->is_awaited && n <= 0;	/* Enter has ended the prompt's line */
	explicit_bzero(bytes, sizeof(bytes));
}

bool plain_next(struct plain *p, struct buf *line)
{
	struct span rest = buf_span(&p->typed), one;

	if (!rest.n || (!memchr(rest.p, '\n', rest.n) && !p->is_ended && rest.n < TYPED_MAX))
		return false;
	span_line(&rest, &one);
	buf_clear(line);
	buf_add(line, one.p, one.n < INPUT_MAX - 1 ? one.n : INPUT_MAX - 1);
	memmove(p->typed.text, rest.p, rest.n);
	explicit_bzero(p->typed.text + rest.n, p->typed.n - rest.n);
	p->typed.n = rest.n;
	return true;
}

/* -- what a line means -- */

static struct intent done(void)
{
	return (struct intent){ .is = INTENT_DONE };
}

/* What is typed stands in the place of what was there already; nothing takes that. */
static struct intent type_line(struct stage *s, const struct view_of *of, const char *line)
{
	if (*line)
		typing_begin(s->first.is ? &s->first.field : &s->typing, s->first.is ? TYPING_COMMAND : s->typing.kind, "");
	for (const char *c = line; *c; c++)
		if ((unsigned char)*c >= ' ')
			stage_key(s, of, (unsigned char)*c);
	return stage_key(s, of, '\n');
}

static struct intent answer(struct stage *s, const struct view_of *of, const char *line)
{
	if (s->questions.list[0].is_yes_no)
		return stage_key(s, of, !strcmp(line, "y") || !strcmp(line, "yes") ? 'y' : 'n');
	return type_line(s, of, line);
}

/* Puts the cursor on a row by its number. */
static bool go_to_row(struct stage *s, const struct view_of *of, struct span number)
{
	struct table *t = &s->views.tables[s->screen];
	struct table_source source;
	uint64_t n;

	if (!screen_table[s->screen]->source) {
		stage_say(s, "This screen has no rows.");
		return false;
	}
	screen_table[s->screen]->source(of, &s->views, &source);
	table_update(t, &source);
	if (!span_u64(number, &n) || n < 1 || n > t->n) {
		stage_say(s, t->n ? "Rows here: 1 to %zu." : "There is no row here.", t->n);
		return false;
	}
	table_move(t, &source, (long)n - 1 - (long)t->cursor);
	return true;
}

static struct intent filter_by(struct stage *s, const struct view_of *of, const char *text)
{
	const char **names = screens_filter_names(s->screen, of, &s->views);
	struct err err = { "" };
	struct filter *f = names && *text ? filter_new(text, names, &err) : NULL;

	if (!names)
		stage_say(s, "This screen has no rows.");
	else if (*text && !f)
		stage_say(s, "%s", err.text);
	else
		table_filter(&s->views.tables[s->screen], f);
	free(names);
	return done();
}

static struct intent sort_by(struct stage *s, const struct view_of *of, struct span name)
{
	struct table *t = &s->views.tables[s->screen];
	struct table_source source = { .n_columns = 0 };
	struct buf names = { 0 };

	if (screen_table[s->screen]->source)
		screen_table[s->screen]->source(of, &s->views, &source);
	for (size_t c = 0; c < source.n_columns; c++) {
		if (span_is_nocase(name, source.columns[c].name)) {
			table_sort_by(t, c);
			buf_done(&names);
			return done();
		}
		buf_printf(&names, " %s", source.columns[c].name);
	}
	stage_say(s, names.n ? "No column of that name here. Columns:%.200s" : "This screen has no rows.%s",
		  names.n ? names.text : "");
	buf_done(&names);
	return done();
}

/* By its whole name: who listens does not see which command a few letters have found. */
static void say_no_command(struct stage *s, struct span word)
{
	const char *nearest = palette_nearest(word);

	stage_say(s, "No command \"%.*s\".%s%s%s help lists them.", (int)(word.n < 40 ? word.n : 40), word.p,
		  nearest ? " Did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

static struct intent help_about(struct stage *s, struct span name)
{
	const struct key *k = key_named(name);

	if (!k) {
		say_no_command(s, name);
		return done();
	}
	if (k->group == KEYS_GO) {
		help_page(&s->page, k->to, NULL, "", views_width(&s->views));
	} else {
		page_begin(&s->page, "Help: %s", k->name);
		page_add(&s->page, ROLE_IS_TEXT, "%s (key %s): %s.", k->name, key_show(k), k->help);
	}
	s->has_page = true;
	return done();
}

/* A command with what it is about; false: it is none of these. */
static bool with_argument(struct stage *s, const struct view_of *of, const struct key *k, const char *rest,
			  struct intent *i)
{
	struct span words = span_of(rest), word;
	bool is_given = span_word(&words, &word);

	*i = done();
	if (k->command == DO_FILTER && screen_table[s->screen]->source)
		*i = filter_by(s, of, rest);
	else if (!is_given)
		return false;
	else if (k->command == DO_SORT)
		*i = sort_by(s, of, word);
	else if (k->command == DO_HELP)
		*i = help_about(s, word);
	else if (k->command == DO_TIME && of->is_replay)
		*i = (struct intent){ .is = INTENT_TIME, .text = rest };
	else if (word.p[0] < '0' || word.p[0] > '9' || !key_of(k->command, s->screen))
		return false;
	else if (go_to_row(s, of, word))
		*i = stage_command(s, of, k->command);
	return true;
}

/* A line is what would be typed into the frame; of single keys, one. */
static struct intent confirm_line(struct stage *s, const struct view_of *of, const char *line)
{
	if (s->confirm.kind == CONFIRM_LEAVE)
		return stage_key(s, of, *line && !line[1] ? (unsigned char)*line : '\n');
	for (const char *c = line; *c; c++)
		if ((unsigned char)*c >= ' ')
			stage_key(s, of, (unsigned char)*c);
	return stage_key(s, of, '\n');
}

static struct intent menu(struct stage *s)
{
	page_begin(&s->page, "Screens");
	for (unsigned i = 0; i < SCREEN_COUNT; i++)
		page_add(&s->page, ROLE_IS_TEXT, "%u. %s", i + 1, screen_names[i].title);
	s->has_page = true;
	return done();
}

/* The form's field, or what to do with what was found. */
static struct intent first_line(struct stage *s, const struct view_of *of, const char *line)
{
	if (s->first.is == FIRSTRUN_FIELD)
		return type_line(s, of, line);
	if (!strcmp(line, "keep"))
		return stage_key(s, of, '\n');
	if (!strcmp(line, "ping"))
		return stage_key(s, of, 'P');
	if (!strcmp(line, "back"))
		return stage_key(s, of, 27);
	if (!strcmp(line, "quit"))
		return stage_key(s, of, 'q');
	for (size_t i = 0; i < s->first.n_offers; i++)
		if (!strcmp(line, s->first.offers[i].name))
			s->first.offers[i].is_left_out = !s->first.offers[i].is_left_out;
	return done();
}

struct intent plain_line(struct stage *s, const struct view_of *of, const char *line)
{
	static char rest[INPUT_MAX];
	struct span words = span_of(line), word;
	const struct key *k;
	struct intent i;
	char show[12];
	int code;

	s->message[0] = '\0';
	if (s->questions.n)
		return answer(s, of, line);
	if (s->first.is)
		return first_line(s, of, line);
	if (s->confirm.kind)
		return confirm_line(s, of, line);
	if (s->typing.kind != TYPING_NOTHING && !strcmp(line, "cancel"))
		return stage_key(s, of, 27);
	if (s->typing.kind != TYPING_NOTHING)
		return type_line(s, of, line);
	if (!span_word(&words, &word))
		return done();
	if (key_of_word(span_of(line), &code, show) || strlen(line) == 1)
		return stage_key(s, of, strlen(line) == 1 ? (unsigned char)*line : code);
	if (span_is(word, "menu"))
		return menu(s);
	k = key_named(word);
	words = span_trim(words);
	snprintf(rest, sizeof(rest), "%.*s", (int)words.n, words.p);
	if (k && !of->is_paused && with_argument(s, of, k, rest, &i))
		return i;
	if (!k) {
		say_no_command(s, word);
		return done();
	}
	stage_command(s, of, DO_PROMPT);
	return s->typing.kind == TYPING_COMMAND ? type_line(s, of, line) : done();
}

/* -- what is shown -- */

void plain_show(struct plain *p, struct stage *s, const struct view_of *of, struct buf *out)
{
	struct draw d = { .lines = &p->lines, .glyphs = p->lines.ascii ? &glyphs_ascii : &glyphs_utf8, .rows = LINES_ROWS,
			  .cols = LINES_COLS };

	lines_clear(&p->lines);
	stage_draw(s, &d, of);
	lines_print(&p->lines, out);
	if (s->has_page)
		stage_command(s, of, DO_CANCEL);
}

static bool moves_time(enum intent_is is)
{
	return is == INTENT_TIME || is == INTENT_STEP || is == INTENT_SEEK || is == INTENT_EVENT || is == INTENT_LIVE;
}

static void say_message(struct plain *p, const struct stage *s, struct buf *out)
{
	safe_add(out, span_of(s->message), p->lines.ascii);
	buf_str(out, "\n");
}

void plain_result(struct plain *p, struct stage *s, const struct view_of *of, const struct intent *i, struct buf *out)
{
	if (i->is == INTENT_QUIT)
		return;
	if (*s->message)
		say_message(p, s, out);
	if (s->typing.kind == TYPING_NOTHING && !s->questions.n && (!*s->message || s->has_page || moves_time(i->is)))
		plain_show(p, s, of, out);
	s->message[0] = '\0';
}

/* -- news -- */

static struct plain_finding *known(struct plain *p, uint64_t key)
{
	for (size_t i = 0; i < p->n_open; i++)
		if (p->open[i].key == key)
			return &p->open[i];
	return NULL;
}

static void tell(struct plain *p, size_t *told, const char *what, const char *text, const char *more, struct buf *out)
{
	if (p->has_news && (*told)++ < NEWS_MAX) {
		struct buf line = { 0 };

		buf_printf(&line, "%s: %s%s%s.", what, text, *more ? ": " : "", more);
		lines_clear(&p->lines);
		lines_words(&p->lines, 0, buf_span(&line));
		lines_print(&p->lines, out);
		buf_done(&line);
	}
}

static void tell_opened(struct plain *p, const struct finding *f, size_t *told, struct buf *out)
{
	uint64_t key = table_key(f->check->id) * 31 + table_key(f->where) * 7 + f->index;
	struct plain_finding *was = known(p, key);

	if (!was) {
		was = GROW(p->open, p->n_open, p->cap_open);
		p->n_open++;
		*was = (struct plain_finding){
			.key = key,
			.text = xasprintf("%s, %s at %s", verdict_spoken(f->verdict), f->check->id, f->where)};
		tell(p, told, "New finding", was->text, f->what, out);
	}
	was->is_open = true;
}

static void tell_closed(struct plain *p, size_t *told, struct buf *out)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->n_open; i++) {
		if (p->open[i].is_open) {
			p->open[kept] = p->open[i];
			p->open[kept++].is_open = false;
			continue;
		}
		tell(p, told, "Cleared", p->open[i].text, "", out);
		free(p->open[i].text);
	}
	p->n_open = kept;
}

static void tell_causes(const struct model *m, struct buf *out)
{
	struct cause_group groups[CAUSES_MAX];
	size_t n = causes_of(m, true, groups);

	for (size_t i = 0; i < n; i++) {
		buf_str(out, "Not read: ");
		causes_text(&groups[i], 1, out);
		buf_printf(out, ". To do: %s.\n", groups[i].cause->to_do);
	}
}

static void tell_answers(struct plain *p, const struct model *m, size_t answered, size_t hosts, struct buf *out)
{
	if (p->was_answered || answered == p->answered)
		return;
	p->answered = answered;
	p->was_answered = answered >= hosts;
	if (p->was_answered && hosts == 1)
		buf_str(out, "The only device has answered or failed; devices lists it.\n");
	else
		buf_printf(out, p->was_answered ? "%zu of %zu devices done (answered or failed); see devices.\n" :
			   "%zu of %zu devices done (answered or failed).\n", p->was_answered ? hosts : answered, hosts);
	if (p->was_answered)
		tell_causes(m, out);
}

void plain_news(struct plain *p, const struct view_of *of, size_t answered, size_t hosts, struct buf *out)
{
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list), told = 0;

	tell_answers(p, of->model, answered, hosts, out);
	for (size_t i = 0; i < n; i++)
		if (list[i]->verdict >= VERDICT_WARN && !list[i]->cause)
			tell_opened(p, list[i], &told, out);
	tell_closed(p, &told, out);
	if (told > NEWS_MAX)
		buf_printf(out, "And %zu more; findings lists what is open.\n", told - NEWS_MAX);
	p->has_news = true;
}

void plain_prompt(struct plain *p, const struct stage *s, struct buf *out)
{
	if (p->is_script)
		return;
	show_typing(p, !(s->questions.n && s->questions.list[0].is_secret));
	if (s->first.is && !s->questions.n)
		buf_str(out, s->first.is == FIRSTRUN_FIELD ? "Hosts, range or file: " :
			"keep, ping, back, quit, or a name to exclude or include: ");
	else if (s->questions.n)
		buf_str(out, s->questions.list[0].is_yes_no ? "yes or no: " : "Answer: ");
	else if (s->confirm.kind)
		confirm_prompt(&s->confirm, out);
	else if (s->typing.kind == TYPING_NOTHING)
		buf_printf(out, "%s> ", screen_names[s->screen].title);
	else
		buf_printf(out, "%s (\"cancel\" cancels%s%s) ", stage_typing_head(s),
			   s->typing.n ? "; nothing takes " : "", s->typing.text);
	p->is_awaited = true;
}
