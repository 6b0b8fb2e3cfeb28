#include "tui/console/stage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tui/console/export.h"
#include "tui/console/help_page.h"
#include "tui/console/palette.h"
#include "tui/console/verbs.h"
#include "tui/screens/bringup.h"
#include "tui/screens/diagnosis_view.h"
#include "tui/screens/frame.h"
#include "tui/screens/history.h"
#include "tui/widgets/bind.h"

#define ESC 27
#define CONTROL(c) ((c) & 0x1f)

void stage_done(struct stage *s)
{
	questions_done(&s->questions);
	typing_done(&s->typing);
	palette_done(&s->palette);
	explicit_bzero(s->given, sizeof(s->given));
	page_done(&s->page);
	firstrun_done(&s->first);
	settings_close(&s->settings);
	confirm_close(&s->confirm);
	screens_done(&s->views);
}

void stage_say(struct stage *s, const char *format, ...)
{
	char said[sizeof(s->message)];
	struct buf text = { 0 };
	va_list args;

	va_start(args, format);
	vsnprintf(said, sizeof(said), format, args);
	va_end(args);
	key_text(&text, said);
	snprintf(s->message, sizeof(s->message), "%s", text.text);
	buf_done(&text);
}

void stage_ask(struct stage *s, unsigned id, const char *host, const char *text, bool is_secret, bool is_yes_no)
{
	questions_add(&s->questions, id, host, text, is_secret, is_yes_no);
}

void stage_ask_about(struct stage *s, const char *const *lines, size_t n)
{
	questions_about(&s->questions, lines, n);
}

void stage_leave(struct stage *s, struct stage_place *place)
{
	const struct port *p = s->views.subject;

	snprintf(place->device, sizeof(place->device), "%s", p ? p->device->name : "");
	snprintf(place->port, sizeof(place->port), "%s", p ? p->name : "");
	screens_forget(&s->views);
}

void stage_return(struct stage *s, const struct model *m, const struct stage_place *place)
{
	s->views.subject = *place->device ? model_find_port(m, place->device, place->port) : NULL;
}

/* -- moving between screens -- */

void stage_go(struct stage *s, enum screen_id to)
{
	if (to == s->screen)
		return;
	if (s->n_back == BACK_MAX) {
		memmove(s->back, s->back + 1, (BACK_MAX - 1) * sizeof(*s->back));
		s->n_back--;
	}
	s->back[s->n_back++] = s->screen;
	s->screen = to;
	if (to == SCREEN_OVERVIEW)
		s->n_back = 0;		/* the top level, however one came there */
}

static void close_page(struct stage *s)
{
	page_done(&s->page);
	s->has_page = false;
}

/* One level up; false at the top. */
static bool go_back(struct stage *s)
{
	if (s->has_page)
		close_page(s);
	else if (screens_back(&s->views, s->screen))
		return true;
	else if (s->n_back)
		s->screen = s->back[--s->n_back];
	else if (s->screen != SCREEN_OVERVIEW)
		s->screen = SCREEN_OVERVIEW;
	else
		return false;
	return true;
}

static void cancel(struct stage *s)
{
	struct table *t = &s->views.tables[s->screen];

	if (!s->has_page && t->filter)
		table_filter(t, NULL);
	else
		go_back(s);
}

/* -- typing -- */

static struct intent say(struct stage *s, const char *text)
{
	stage_say(s, "%s", text);
	return (struct intent){ .is = INTENT_DONE };
}

/* What is asked for, and what becomes of it. A kind without an intent is seen to here. */
static const struct {
	const char *head;
	enum intent_is intent;
} kinds[TYPING_KINDS] = {
	[TYPING_NOTHING] = { "" },
	[TYPING_FILTER]	 = { "Filter: " },
	[TYPING_TIME]	 = { "Go to (14:26, -10m, +30s, 2026-09-12 14:26): ", INTENT_TIME },
	[TYPING_COMMAND] = { ":" },
	[TYPING_ANSWER]	 = { "" },
	[TYPING_SEARCH]	 = { "Search: " },
	[TYPING_NOTE]	 = { "Note: ", INTENT_NOTE },
	[TYPING_ACK]	 = { NULL },		/* names the finding: stage_typing_head() */
	[TYPING_GIVE]	 = { "Answer: yes or no, and how you know: ", INTENT_GIVE },
	[TYPING_EXPORT]	 = { "Write to (.txt .json .csv .md): ", INTENT_EXPORT },
	[TYPING_REPORT]	 = { "Report to (.md or .json; empty: the clipboard): ", INTENT_REPORT },
	[TYPING_SNAPSHOT] = { "Copy the recording to: ", INTENT_SNAPSHOT },
	[TYPING_PLAN_FILE] = { "Write the plan to (.json): ", INTENT_PLAN_FILE },
	[TYPING_SKIP]	 = { "Why is this NIC set aside? " },
	[TYPING_LABEL]	 = { "Label (host, host:NIC, switch:port): " },
	[TYPING_SHEET]	 = { "Write the sheet to (.html .md .json .csv .xml): ", INTENT_SHEET },
	[TYPING_REPLACE] = { "The file exists. yes replaces it: " },
};

static void type(struct stage *s, enum typing_kind what, const char *first)
{
	typing_begin(&s->typing, what, first);
}

static void type_filter(struct stage *s)
{
	type(s, TYPING_FILTER, filter_text(s->views.tables[s->screen].filter));
	if (!s->typing.n)
		stage_say(s, "words !not is:bad field:value field>9.7k ~regex; Tab: fields");
}

static void try_filter(struct stage *s, const struct view_of *of)
{
	const char **names = screens_filter_names(s->screen, of, &s->views);
	struct err err = { .text = "" };
	struct filter *f = s->typing.n ? filter_new(s->typing.text, names, &err) : NULL;

	if (f || !s->typing.n)
		table_filter(&s->views.tables[s->screen], f);
	else
		stage_say(s, "%s", err.text);
	free(names);
}

/* The name of a field, as far as it is the only one; else those it may be. */
static void complete_filter(struct stage *s, const struct view_of *of)
{
	const char **names = screens_filter_names(s->screen, of, &s->views);
	char *begun = xstrndup(s->typing.text, s->typing.at);
	struct buf whole = { 0 }, others = { 0 };

	if (filter_complete(begun, names, &whole, &others))
		typing_replace(&s->typing, 0, whole.text);
	if (others.n)
		stage_say(s, "%s", others.text);
	buf_done(&whole);
	buf_done(&others);
	free(begun);
	free(names);
}

static struct intent unknown_command(struct stage *s, struct span name)
{
	const char *nearest = palette_nearest(name);

	stage_say(s, "No command \"%.*s\". %s%s%s", (int)(name.n < 40 ? name.n : 40), name.p, nearest ? "Did you mean :" : "{help} lists them",
		  nearest ? nearest : "", nearest ? "?" : ".");
	return (struct intent){ .is = INTENT_DONE };
}

/* "theme light", "ports", … */
static struct intent run_command(struct stage *s, const struct view_of *of, const char *line)
{
	static char words[INPUT_MAX];
	struct span rest = span_of(line), name;
	const struct key *k;

	if (!span_word(&rest, &name))
		return (struct intent){ .is = INTENT_DONE };
	k = key_named(name);
	rest = span_trim(rest);
	if (!k)
		return unknown_command(s, name);
	if (rest.n && verb_of(k->command)) {
		snprintf(words, sizeof(words), "%.*s", (int)rest.n, rest.p);
		return verb_of(k->command)->run(s, of, words);
	}
	if (rest.n) {
		stage_say(s, ":%s takes no words: it is about the row at the cursor. :open NAME goes to a device or link.", k->name);
		return (struct intent){ .is = INTENT_DONE };
	}
	if (!s->has_page && !key_of(k->command, s->screen)) {
		stage_say(s, "\"%s\" is not available on this screen.%s", k->name,
			  k->command == DO_KEEP ? " :keep-hosts saves the hosts as your default inventory." : "");
		return (struct intent){ .is = INTENT_DONE };
	}
	return stage_command(s, of, k->command);
}

static struct intent answer(struct stage *s, bool is_given)
{
	struct intent i = { .is = INTENT_ANSWER, .question = s->questions.list[0].id };

	explicit_bzero(s->given, sizeof(s->given));
	if (is_given) {
		memcpy(s->given, s->typing.text, sizeof(s->given));
		i.text = s->given;
	}
	typing_end(&s->typing, false);
	questions_drop(&s->questions);
	return i;
}

static struct intent acknowledged(struct stage *s, const char *line)
{
	return (struct intent){ .is = *line ? INTENT_ACK : INTENT_DONE, .acking = &s->views.acking, .text = line };
}

void stage_ask_replace(struct stage *s, enum intent_is what, const char *file)
{
	snprintf(s->file, sizeof(s->file), "%s", file);
	s->file_for = what;
	type(s, TYPING_REPLACE, "");
	stage_say(s, "%s", file);
}

static struct intent replaced(struct stage *s, const char *answer)
{
	if (!strcmp(answer, "yes"))
		return (struct intent){ .is = s->file_for, .text = s->file, .by = 1 };
	return say(s, "Unchanged.");
}

static struct intent label(struct stage *s, const struct view_of *of, const char *line)
{
	if (*line && !bringup_go(of, &s->views, span_of(line)))
		stage_say(s, "\"%s\" is no label of this rack, or of several NICs.", line);
	return (struct intent){ .is = INTENT_DONE };
}

static struct intent typed(struct stage *s, const struct view_of *of)
{
	static char line[INPUT_MAX];
	enum typing_kind what = s->typing.kind;

	if (what == TYPING_ANSWER)
		return answer(s, true);
	memcpy(line, s->typing.text, sizeof(line));
	/* A word that is a command is that command; else what is offered for it. */
	if (what == TYPING_COMMAND && palette_line(&s->palette))
		snprintf(line, sizeof(line), "%s", palette_line(&s->palette));
	typing_end(&s->typing, true);
	if (what == TYPING_COMMAND)
		return run_command(s, of, line);
	if (what == TYPING_ACK)
		return acknowledged(s, line);
	if (what == TYPING_REPLACE)
		return replaced(s, line);
	if (what == TYPING_SKIP)
		return *line ? bringup_skip(of, &s->views, line) : (struct intent){ .is = INTENT_DONE };
	if (what == TYPING_LABEL)
		return label(s, of, line);
	if (kinds[what].intent && (*line || what == TYPING_REPORT))
		return (struct intent){ .is = kinds[what].intent, .text = line };
	return (struct intent){ .is = INTENT_DONE };
}

static void write_help(struct stage *s, const struct view_of *of, enum screen_id about, const char *words)
{
	struct table_source list;
	bool has_list = about < SCREEN_COUNT && screen_table[about]->source;

	if (has_list)
		screen_table[about]->source(of, &s->views, &list);
	help_page(&s->page, about, has_list ? &list : NULL, words, views_width(&s->views));
}

static void search(struct stage *s, const struct view_of *of, const char *words)
{
	if (s->page.is_help)
		write_help(s, of, s->page.about, words);
	else if (!page_find(&s->page, words))
		stage_say(s, "\"%s\" is not on this page.", words);
}

static struct intent cancel_typing(struct stage *s, const struct view_of *of)
{
	if (s->typing.kind == TYPING_SEARCH)
		search(s, of, "");
	if (s->typing.kind == TYPING_ANSWER)
		return answer(s, false);
	if (s->typing.kind == TYPING_FILTER)
		table_filter(&s->views.tables[s->screen], NULL);
	typing_end(&s->typing, false);
	return (struct intent){ .is = INTENT_DONE };
}

/* What was typed takes effect while it is typed. */
static void typing_moved(struct stage *s, const struct view_of *of)
{
	if (s->typing.kind == TYPING_FILTER)
		try_filter(s, of);
	if (s->typing.kind == TYPING_COMMAND)
		palette_update(&s->palette, s, of, s->typing.text);
	if (s->typing.kind == TYPING_SEARCH)
		search(s, of, s->typing.text);
}

/* Up and Down choose among what is offered; above the first, and where nothing is, they recall. */
static void up_or_down(struct stage *s, int code)
{
	bool up = code == KEY_UP;

	if (s->typing.kind == TYPING_COMMAND && !s->typing.recalled && !(up && s->palette.at == 0))
		palette_move(&s->palette, up ? -1 : 1);
	else
		typing_recall(&s->typing, up ? 1 : -1);
}

/* ":arm" alone: its reason is typed next, which as keys would be commands. */
static bool lacks_reason(const struct stage *s)
{
	const char *offered = palette_line(&s->palette);

	return s->typing.kind == TYPING_COMMAND && !strcmp(offered ? offered : s->typing.text, "arm");
}

static struct intent type_key(struct stage *s, const struct view_of *of, int code)
{
	bool is_enter = code == '\n' || code == '\r' || code == KEY_ENTER;

	if (code == ESC || code == CONTROL('c') || code == KEY_F(10))
		return cancel_typing(s, of);
	if (is_enter && !lacks_reason(s))
		return typed(s, of);
	if (is_enter)
		typing_begin(&s->typing, TYPING_COMMAND, "arm ");
	else if (code == '\t' && s->typing.kind == TYPING_COMMAND)
		typing_begin(&s->typing, TYPING_COMMAND, palette_completion(&s->palette, s->typing.text));
	else if (code == '\t' && s->typing.kind == TYPING_FILTER)
		complete_filter(s, of);
	else if (code == KEY_UP || code == KEY_DOWN)
		up_or_down(s, code);
	else if (s->typing.kind == TYPING_SEARCH && (code == KEY_PPAGE || code == KEY_NPAGE))
		return stage_command(s, of, code == KEY_PPAGE ? DO_PAGE_UP : DO_PAGE_DOWN);
	else
		typing_key(&s->typing, code);
	typing_moved(s, of);
	return (struct intent){ .is = INTENT_DONE };
}

/* What was asked about goes along: what has become another plan meanwhile is not begun. */
static struct intent confirmed(struct stage *s, const struct view_of *of, enum confirm_said said)
{
	static const enum intent_is becomes[] = {
		[CONFIRM_APPLY] = INTENT_FIX_APPLY, [CONFIRM_KEEP] = INTENT_FIX_KEEP, [CONFIRM_FINISH] = INTENT_FIX_FINISH,
		[CONFIRM_UNDO] = INTENT_FIX_UNDO, [CONFIRM_LEAVE] = INTENT_LEAVE,
	};
	static char hash[FIX_HASH_SIZE];
	struct intent i = { .is = INTENT_DONE };

	if (said == CONFIRM_SAID || said == CONFIRM_SAID_UNDO) {
		snprintf(hash, sizeof(hash), "%s", s->confirm.hash);
		i = (struct intent){ .is = becomes[s->confirm.kind], .text = hash, .by = said == CONFIRM_SAID_UNDO };
	} else if (said == CONFIRM_CANCELLED && s->confirm.kind != CONFIRM_LEAVE) {
		stage_say(s, of->fix && of->fix->steps ? "Unchanged." : "Canceled: nothing was sent.");
	}
	if (said != CONFIRM_STAYS)
		confirm_close(&s->confirm);
	return i;
}

/* Whatever a paste holds, it is no key: it goes where something is being typed, or nowhere. */
static struct intent paste_key(struct stage *s, const struct view_of *of, int code)
{
	s->is_pasting = code != KEY_PASTE_END;
	if (s->confirm.kind && !s->questions.n)
		return (struct intent){ .is = INTENT_DONE };	/* what is pasted confirms nothing */
	if (s->questions.n && s->questions.was_drawn && !s->questions.list[0].is_yes_no && s->typing.kind != TYPING_ANSWER)
		type(s, TYPING_ANSWER, "");
	if (s->typing.kind == TYPING_NOTHING)
		return say(s, "Pasted text is ignored as keys. Press / or : first, then paste.");
	if (code == KEY_PASTE_END)
		typing_moved(s, of);
	else
		typing_paste(&s->typing, code);
	return (struct intent){ .is = INTENT_DONE };
}

void stage_idle(struct stage *s)
{
	s->is_pasting = false;
}

/* Yes needs its own key; Enter and all else is no, and nothing typed before the question was seen counts. */
static struct intent question_key(struct stage *s, const struct view_of *of, int code)
{
	if (!s->questions.was_drawn)
		return (struct intent){ .is = INTENT_DONE };
	if (questions_turn(&s->questions, code))
		return (struct intent){ .is = INTENT_DONE };
	if (s->questions.list[0].is_yes_no) {
		type(s, TYPING_ANSWER, code == 'y' || code == 'Y' ? "yes" : "");
		return answer(s, code == 'y' || code == 'Y');
	}
	if (s->typing.kind != TYPING_ANSWER)
		type(s, TYPING_ANSWER, "");
	return type_key(s, of, code);
}

static void open_chooser(struct stage *s, const struct view_of *of)
{
	struct table_source list;

	if (screens_source(s->screen, of, &s->views, &list))
		chooser_open(&s->chooser, &s->views.tables[s->screen], &list);
}

static struct intent choose_key(struct stage *s, const struct view_of *of, int code)
{
	struct table_source list;

	if (screens_source(s->screen, of, &s->views, &list))
		chooser_key(&s->chooser, &s->views.tables[s->screen], &list, code);
	return (struct intent){ .is = INTENT_DONE };
}

static struct intent set_key(struct stage *s, int code)
{
	bool writes;

	if (!settings_key(&s->settings, code, &writes))
		return (struct intent){ .is = INTENT_DONE };
	return (struct intent){ .is = INTENT_LOOK, .text = writes ? "write" : NULL };
}

/* -- commands -- */

static struct intent of_time(struct stage *s, const struct view_of *of, enum command command)
{
	if (!of->is_replay && command == DO_PLAY)
		return say(s, "This is live. fabcon replay FILE plays a recording.");
	if (!of->is_replay && !screen_table[s->screen]->is_in_time && command != DO_PAUSE && command != DO_LIVE)
		return say(s, "This is live: 7 History looks back. fabcon replay FILE shows every screen as it was.");
	switch (command) {
	case DO_TIME:
		type(s, TYPING_TIME, "");
		return (struct intent){ .is = INTENT_DONE };
	case DO_NEXT_SAMPLE:
	case DO_PREVIOUS_SAMPLE:
		return (struct intent){ .is = INTENT_STEP, .by = command == DO_NEXT_SAMPLE ? 1 : -1 };
	case DO_NEXT_EVENT:
	case DO_PREVIOUS_EVENT:
		return (struct intent){ .is = INTENT_EVENT, .by = command == DO_NEXT_EVENT ? 1 : -1 };
	case DO_NEXT_NOTE:
		return (struct intent){ .is = INTENT_EVENT, .by = 1, .text = "note" };
	case DO_PLAY:
		return (struct intent){ .is = INTENT_PLAY };
	case DO_LEFT:
	case DO_RIGHT:
		return (struct intent){ .is = INTENT_SEEK,
					.at_us = history_beside(of, &s->views, command == DO_RIGHT ? 1 : -1) };
	case DO_TOP:
		return (struct intent){ .is = INTENT_TIME, .text = "first" };
	case DO_PAUSE:
		return (struct intent){ .is = INTENT_PAUSE };
	default:
		return (struct intent){ .is = INTENT_LIVE };
	}
}

static struct intent on_page(struct stage *s, enum command command)
{
	struct page *p = &s->page;

	if (page_key(p, command))
		return (struct intent){ .is = INTENT_DONE };
	switch (command) {
	case DO_FILTER:
		p->search_top = p->top;
		type(s, TYPING_SEARCH, p->words);
		break;
	case DO_NEXT_MATCH:
	case DO_PREVIOUS_MATCH:
		if (!*p->words)
			stage_say(s, "{filter} searches this page, {next-match} goes to the next match.");
		else if (!page_find_next(p, command == DO_NEXT_MATCH ? 1 : -1))
			stage_say(s, "\"%s\" is not on this page.", p->words);
		break;
	default:
		close_page(s);
	}
	return (struct intent){ .is = INTENT_DONE };
}

static struct intent on_screen(struct stage *s, const struct view_of *of, enum command command)
{
	struct intent i = screens_key(s->screen, of, &s->views, command, &s->page);

	switch (i.is) {
	case INTENT_GO:
		stage_go(s, i.screen);
		break;
	case INTENT_PAGE:
		s->has_page = true;
		break;
	case INTENT_SAY:
		return say(s, i.text);
	case INTENT_ACK:
		type(s, TYPING_ACK, "");
		break;
	case INTENT_GIVE:
		type(s, TYPING_GIVE, "");
		break;
	case INTENT_SKIP:
		if (i.by)
			return i;
		type(s, TYPING_SKIP, "");
		break;
	case INTENT_LABEL:
		type(s, TYPING_LABEL, "");
		break;
	case INTENT_CONFIRM:
		confirm_open(&s->confirm, (enum confirm_kind)i.by, of->fix);
		break;
	case INTENT_NONE:
		return i;
	default:
		return i;
	}
	return (struct intent){ .is = INTENT_DONE };
}

static struct intent show_help(struct stage *s, const struct view_of *of)
{
	write_help(s, of, s->has_page ? SCREEN_PAGE : s->screen, "");
	s->has_page = true;
	return (struct intent){ .is = INTENT_DONE };
}

/* A name to begin with: what it is, and when. */
static void type_file(struct stage *s, const struct view_of *of, enum typing_kind kind, const char *what, const char *extension)
{
	char name[128];

	export_name(of, what, extension, name);
	type(s, kind, name);
}

/* A list as rows; a page, and what another pane's cursor is on, as text. */
static void type_export(struct stage *s, const struct view_of *of)
{
	struct subject at = screens_subject(s->screen, of, &s->views);
	struct buf name = { 0 };
	bool is_aside = at.is_aside && !s->has_page;

	subject_name(&at, &name);
	type_file(s, of, TYPING_EXPORT, is_aside && name.n ? name.text : screen_names[s->screen].title,
		  is_aside || s->has_page ? "txt" : "csv");
	buf_done(&name);
}

static void type_plan_file(struct stage *s, const struct view_of *of)
{
	char name[128];

	if (!of->fix || !of->fix->plan) {
		stage_say(s, "There is no plan to write.");
		return;
	}
	snprintf(name, sizeof(name), "%.100s.json", of->fix->plan->id);
	type(s, TYPING_PLAN_FILE, name);
}

static void open_palette(struct stage *s, const struct view_of *of)
{
	type(s, TYPING_COMMAND, "");
	palette_done(&s->palette);
	typing_moved(s, of);
}

/* What means the same on every screen; false when it is the screen's or the page's. */
static bool everywhere(struct stage *s, const struct view_of *of, enum command command, struct intent *i)
{
	*i = (struct intent){ .is = INTENT_DONE };
	switch (command) {
	case DO_HELP:		*i = show_help(s, of); break;
	case DO_PROMPT:		open_palette(s, of); break;
	case DO_COPY:
	case DO_COPY_JSON:	*i = (struct intent){ .is = INTENT_COPY, .by = command == DO_COPY_JSON }; break;
	case DO_EXPORT:		type_export(s, of); break;
	case DO_SNAPSHOT:
		if (screen_table[s->screen]->writes_plan && !s->has_page)
			type_plan_file(s, of);
		else if (of->is_replay || of->is_recording)
			type_file(s, of, TYPING_SNAPSHOT, "recording", "db");
		else
			stage_say(s, "Not recording. fabcon --record FILE records from the start; {export} and {report} write the "
				     "present view.");
		break;
	case DO_REPORT:
		if (screen_table[s->screen]->writes_sheet && !s->has_page)
			type_file(s, of, TYPING_SHEET, "bringup", "html");
		else
			type_file(s, of, TYPING_REPORT, "report", "md");
		break;
	case DO_CANCEL:		cancel(s); break;
	case DO_BACK:		i->is = go_back(s) ? INTENT_DONE : INTENT_QUIT; break;
	case DO_QUIT:		i->is = INTENT_QUIT; break;
	case DO_SUSPEND:	i->is = INTENT_SUSPEND; break;
	case DO_REDRAW:		i->is = INTENT_REDRAW; break;
	case DO_THEME:		i->is = INTENT_THEME; break;
	case DO_SETTINGS:	i->is = INTENT_SETTINGS; break;
	case DO_MOUSE:		i->is = INTENT_MOUSE; break;
	case DO_FILL:		i->is = INTENT_FILL; break;
	case DO_KEEP_HOSTS:	i->is = INTENT_KEEP; break;
	case DO_INTERRUPT:
		i->is = ++s->interrupts > 1 ? INTENT_QUIT : INTENT_DONE;
		if (s->interrupts == 1)
			stage_say(s, "{interrupt} again quits.");
		break;
	default:
		return false;
	}
	return true;
}

static struct intent planned(struct stage *s, const struct view_of *of)
{
	struct intent i = { .is = INTENT_NONE };

	if (key_of(DO_FIX, s->screen)) {
		struct subject at = screens_subject(s->screen, of, &s->views);

		i = plan_subject(&at);
	}
	return i.is == INTENT_SAY ? say(s, i.text) : i;
}

/* About all where the cursor is on nothing; never about all in place of an object that cannot be diagnosed alone. */
static struct intent diagnosed(struct stage *s, const struct view_of *of)
{
	struct subject at = screens_subject(s->screen, of, &s->views);

	if (at.none && *at.name)
		return say(s, at.none);
	diagnose_about(diagnosis_of(&s->views), &at);
	s->views.tables[SCREEN_DIAGNOSE].cursor_key = diagnosis_of(&s->views)->last;	/* it follows the end again */
	s->views.tables[SCREEN_DIAGNOSE].is_ordered = false;
	stage_go(s, SCREEN_DIAGNOSE);
	return (struct intent){ .is = INTENT_DONE };
}

static struct intent of_screens(struct stage *s, const struct view_of *of, enum command command)
{
	enum screen_id to;

	if (command_goes(command, &to))
		stage_go(s, to);
	else if ((command == DO_NEXT_PANE || command == DO_PREVIOUS_PANE) &&
		 screens_next_pane(s->screen, of, &s->views, command == DO_NEXT_PANE ? 1 : -1))
		return (struct intent){ .is = INTENT_DONE };
	else if (command == DO_NEXT_PANE)
		stage_go(s, (enum screen_id)((s->screen + 1) % SCREEN_COUNT));
	else if (command == DO_PREVIOUS_PANE)
		stage_go(s, (enum screen_id)((s->screen + SCREEN_COUNT - 1) % SCREEN_COUNT));
	else if (command == DO_COLUMNS)
		open_chooser(s, of);
	else if (command == DO_DIAGNOSE)
		return diagnosed(s, of);
	else if (command == DO_FIX)
		return planned(s, of);
	else if (command == DO_ARM || command == DO_DISARM)
		return (struct intent){ .is = command == DO_ARM ? INTENT_ARM : INTENT_DISARM };
	else if (command == DO_FILTER)
		type_filter(s);
	else if (command == DO_NOTE)
		type(s, TYPING_NOTE, "");
	else if (command == DO_BASELINE)
		return (struct intent){ .is = INTENT_BASELINE, .by = 1 };
	else if (command == DO_SPEED)
		return (struct intent){ .is = INTENT_SPEED };
	else if (command_is(command, KEYS_TIME) || command == DO_PLAY ||
		 (screen_table[s->screen]->is_in_time && (command == DO_TOP || command == DO_BOTTOM || command == DO_LEFT || command == DO_RIGHT)))
		return of_time(s, of, command);
	else
		return on_screen(s, of, command);
	return (struct intent){ .is = INTENT_DONE };
}

struct intent stage_command(struct stage *s, const struct view_of *of, enum command command)
{
	struct intent i;

	if (command != DO_INTERRUPT)
		s->interrupts = 0;
	if (everywhere(s, of, command, &i))
		return i;
	return s->has_page ? on_page(s, command) : of_screens(s, of, command);
}

/* The form of the first run, in place of the screens. */
static struct intent first_key(struct stage *s, int code)
{
	if (code == KEY_PASTE_BEGIN || code == KEY_PASTE_END) {
		s->is_pasting = code == KEY_PASTE_BEGIN;
		return (struct intent){ .is = INTENT_DONE };
	}
	if (s->is_pasting) {
		typing_paste(&s->first.field, code);
		return (struct intent){ .is = INTENT_DONE };
	}
	s->message[0] = '\0';
	switch (firstrun_key(&s->first, code)) {
	case FIRSTRUN_TRIES:
		return (struct intent){ .is = INTENT_TRY, .text = s->first.tried };
	case FIRSTRUN_KEEPS:
		return (struct intent){ .is = INTENT_KEEP };
	case FIRSTRUN_FILLS:
		return (struct intent){ .is = INTENT_FILL };
	case FIRSTRUN_QUITS:
		return (struct intent){ .is = INTENT_QUIT };
	case FIRSTRUN_LEAVES:
		firstrun_done(&s->first);
		break;
	case FIRSTRUN_STAYS:
		break;
	}
	return (struct intent){ .is = INTENT_DONE };
}

struct intent stage_key(struct stage *s, const struct view_of *of, int code)
{
	enum command command;

	if (s->first.is && !s->questions.n)
		return first_key(s, code);
	if (s->is_pasting || code == KEY_PASTE_BEGIN || code == KEY_PASTE_END)
		return paste_key(s, of, code);
	s->message[0] = '\0';
	if (s->questions.n)
		return question_key(s, of, code);
	if (s->confirm.kind)
		return confirmed(s, of, confirm_key(&s->confirm, code));
	if (s->typing.kind != TYPING_NOTHING)
		return type_key(s, of, code);
	if (s->chooser.is_open)
		return choose_key(s, of, code);
	if (s->settings.is_open)
		return set_key(s, code);
	command = key_command(code, s->has_page ? SCREEN_PAGE : s->screen);
	if (command == DO_NOTHING)
		return (struct intent){ .is = INTENT_NONE };
	return stage_command(s, of, command);
}

/* -- drawing -- */

const char *stage_typing_head(const struct stage *s)
{
	static char head[160];
	const struct acking *a = &s->views.acking;

	if (s->typing.kind != TYPING_ACK)
		return kinds[s->typing.kind].head ? kinds[s->typing.kind].head : "";
	snprintf(head, sizeof(head), "Acknowledge %.40s at %.60s: until (2h, 14:30; else 8h) and why: ", a->check,
		 a->together ? "each place" : a->where);
	return head;
}

void stage_draw(struct stage *s, const struct draw *d, const struct view_of *of)
{
	struct table_source list;
	bool is_typing = !s->questions.n && s->typing.kind != TYPING_NOTHING;

	/* ncursesw 6.4 reads before its cells when it draws the lower right corner of a screen of one column. */
	if (!d->lines && d->cols < 2)
		return;
	if (d->lines && s->questions.n) {
		questions_draw(&s->questions, d, &s->typing);	/* nothing lies under it */
		return;
	}
	if (d->lines && s->confirm.kind) {
		confirm_draw(&s->confirm, d);
		return;
	}
	if (s->first.is) {
		firstrun_draw(&s->first, d, of);
		if (*s->message && !d->lines)
			draw_cell(d, d->rows - 1, 0, d->cols, false, ROLE_IS_DIALOG, s->message);
		if (s->questions.n)
			questions_draw(&s->questions, d, &s->typing);
		return;
	}
	frame_draw(d, s->screen, of, &s->views, s->has_page ? &s->page : NULL,
		   is_typing || (!s->questions.n && *s->message) ? s->message : NULL);
	if (is_typing && s->typing.kind == TYPING_COMMAND)
		palette_draw(&s->palette, d);
	if (s->chooser.is_open && screens_source(s->screen, of, &s->views, &list))
		chooser_draw(&s->chooser, &s->views.tables[s->screen], &list, d);
	if (s->settings.is_open)
		settings_draw(&s->settings, d);
	if (is_typing)
		typing_draw(&s->typing, d, d->rows - 1, 0, d->cols, stage_typing_head(s), s->message, false);
	if (s->confirm.kind && !s->questions.n)
		confirm_draw(&s->confirm, d);
	if (s->questions.n)
		questions_draw(&s->questions, d, &s->typing);
}
