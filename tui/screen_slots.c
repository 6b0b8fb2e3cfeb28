/* The places of the screens to come, which say what they will hold; and History, which is the time cursor of a replay. */
#include <stdio.h>

#include "tui/human.h"
#include "tui/screens.h"

static void draw_words(const struct draw *d, int y, int rows, const char *title, const char *const *words)
{
	draw_rule(d, y, 0, d->cols, title);
	for (int i = 0; words[i] && i + 2 < rows; i++)
		draw_text(d, y + 2 + i, 2, d->cols - 4, ROLE_IS_TEXT, words[i]);
}

static struct intent no_key(const struct view_of *of, struct views *v, enum command command, struct page *page)
{
	(void)of;
	(void)v;
	(void)page;
	return (struct intent){ .is = command == DO_REFRESH ? INTENT_REFRESH : INTENT_NONE };
}

#define SLOT(name, heading, ...) \
static void draw_##name(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v) \
{ \
	static const char *const words[] = { __VA_ARGS__, NULL }; \
	(void)of; \
	(void)v; \
	draw_words(d, y, rows, heading " is not part of this version", words); \
} \
const struct screen screen_##name = { .title = heading, .draw = draw_##name, .key = no_key }

SLOT(diagnose, "Diagnose",
	"It will hold the decision tree, answered by evidence: which question, which fact, which cause.",
	"Until then: 8 lists what is wrong, x shows the evidence of each.");
SLOT(fix, "Fix",
	"It will hold plans: wanted minus seen facts, the commands, their undo, and what must follow.",
	"This console only reads. Nothing it does changes a device.");
SLOT(bringup, "Bring-up",
	"It will hold the guided bring-up of a rack: each stage gated, ending in a sign-off sheet.",
	"Until then: 2 shows both ends of every link, 9 how each device is reached.");

/* The recording as a line, the cursor at its place. */
static void draw_axis(const struct draw *d, int y, const struct view_of *of)
{
	int width = d->cols - 4;
	int64_t span = of->last_us - of->first_us, at = model_now(of->model) - of->first_us;
	int x = span > 0 ? (int)((double)at / (double)span * (width - 1)) : 0;

	draw_rule(d, y, 2, width, "");
	draw_text(d, y, 2 + (x < 0 ? 0 : x >= width ? width - 1 : x), 1, ROLE_IS_REPLAY, "v");
}

static void draw_history(const struct draw *d, int y, int rows, const struct view_of *of, struct views *v)
{
	static const char *const live[] = {
		"The console is live. Record with: fabcon record FILE, then look with: fabcon replay FILE",
		"In a replay this screen is the time cursor: Space plays, t T step, b goes to a time.", NULL,
	};
	char first[HUMAN_MAX], last[HUMAN_MAX], now[HUMAN_MAX], behind[HUMAN_MAX];

	(void)v;
	if (!of->is_replay) {
		draw_words(d, y, rows, "History", live);
		return;
	}
	draw_rule(d, y, 0, d->cols, "History");
	draw_printf(d, y + 2, 2, d->cols - 4, ROLE_IS_TEXT, "%s  to  %s", human_date(first, of->first_us),
		    human_date(last, of->last_us));
	draw_axis(d, y + 3, of);
	draw_printf(d, y + 4, 2, d->cols - 4, ROLE_IS_REPLAY, "at %s, %s before the end, %s", human_date(now, model_now(of->model)),
		    human_age(behind, of->last_us - model_now(of->model)), of->is_playing ? "playing" : "standing");
	draw_text(d, y + 6, 2, d->cols - 4, ROLE_IS_TEXT,
		  "Space play or stop   t T next and previous sample   b go to (14:26, -10m)   g G ends   L the end");
	draw_text(d, y + 7, 2, d->cols - 4, ROLE_IS_TEXT, "Every screen shows the fabric as it was at the cursor.");
}

const struct screen screen_history = { .title = "History", .draw = draw_history, .key = no_key };
