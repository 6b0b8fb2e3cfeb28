/*
 * The stage: which screen is up, what lies over it, what is being typed. Keys go in, intents for the application come
 * out; what concerns the view alone is done here. It knows no session, no clock and no terminal.
 */
#ifndef TUI_CONSOLE_STAGE_H
#define TUI_CONSOLE_STAGE_H

#include "tui/console/first_run.h"
#include "tui/console/questions.h"
#include "tui/console/settings.h"
#include "tui/fixing/fix_view.h"
#include "tui/screens/fix_confirm.h"
#include "tui/screens/screens.h"
#include "tui/widgets/column_chooser.h"
#include "tui/widgets/typing.h"

#define BACK_MAX 8

#define OFFERS_MAX 60
#define OFFER_MAX (INPUT_MAX + 32)

/* What the palette offers; in tui/console/palette.h. */
struct offer {
	char line[OFFER_MAX];		/* the command as it would be typed */
	char key[40], text[120];
	const char *help, *takes;	/* lent by the key table and the verbs; help NULL: text says it */
	bool is_here;			/* does something on this screen */
	bool is_meant;			/* what was typed stands in its name, not only in its help */
	unsigned fit;
};

struct palette {
	struct offer *offers;		/* best first */
	size_t n, n_all;		/* n_all: with those there was no room for */
	size_t at;			/* the one that Enter takes, */
	bool is_chosen;			/* once its name is typed, or a part of it; or it was gone to */
	char typed[INPUT_MAX];		/* what they were made for */
	bool is_made;
};

struct stage {
	enum screen_id screen;
	enum screen_id back[BACK_MAX];	/* where one came from */
	size_t n_back;
	struct views views;
	struct firstrun first;		/* in place of the screens, until there is an inventory */
	struct page page;
	bool has_page;
	struct typing typing;
	struct palette palette;
	bool is_pasting;
	struct chooser chooser;		/* of the columns of the screen's list */
	struct settings settings;
	struct fixconfirm confirm;	/* the question before a device is changed */
	char given[INPUT_MAX];		/* the answer last given; wiped by whoever passes it on */
	struct questions questions;
	unsigned interrupts;
	char file[INPUT_MAX];		/* is there already; file_for: what would replace it */
	enum intent_is file_for;
	char message[256];		/* on the last row, until the next key */
};

void stage_done(struct stage *s);
/* One key, as curses tells it. Texts of the intent are lent until the next key. */
struct intent stage_key(struct stage *s, const struct view_of *of, int code);
struct intent stage_command(struct stage *s, const struct view_of *of, enum command command);
/* What is being typed: "Filter: ". */
const char *stage_typing_head(const struct stage *s);
void stage_draw(struct stage *s, const struct draw *d, const struct view_of *of);
void stage_go(struct stage *s, enum screen_id to);
void stage_say(struct stage *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A file of that name is there: the intent comes back with by 1 when the person says yes. */
void stage_ask_replace(struct stage *s, enum intent_is what, const char *file);
/* No key came for long: the end of a paste was lost on the way. */
void stage_idle(struct stage *s);
/* Something only a person can answer; shown when those before it are answered. */
void stage_ask(struct stage *s, unsigned id, const char *host, const char *text, bool is_secret, bool is_yes_no);
/* What the yes to the last question is for: it is taken when all of them were shown. */
void stage_ask_about(struct stage *s, const char *const *lines, size_t n);
/* Before the model goes away (a seek): what the views hold of it is let go, and afterwards found again by name. */
struct stage_place {
	char device[128], port[128];
};
void stage_leave(struct stage *s, struct stage_place *place);
void stage_return(struct stage *s, const struct model *m, const struct stage_place *place);

#endif
