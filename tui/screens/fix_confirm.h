/*
 * The one question before a device is changed. A frame of fixed words; nothing in it comes from a device but a name in its
 * place. The person types that name, or the beginning of the plan's hash where there are several; Cancel is what Enter takes
 * until then. Keys typed before it was drawn, and what is pasted, do not count.
 */
#ifndef TUI_SCREENS_FIX_CONFIRM_H
#define TUI_SCREENS_FIX_CONFIRM_H

#include "tui/fixing/fix_view.h"
#include "tui/widgets/typing.h"

enum confirm_kind {
	CONFIRM_NOTHING, CONFIRM_APPLY, CONFIRM_KEEP, CONFIRM_FINISH, CONFIRM_UNDO,
	CONFIRM_LEAVE,		/* the console, while a fix is being made: single keys, none of which writes more */
};

struct fixconfirm {
	enum confirm_kind kind;
	struct typing field;
	char word[128];			/* to be typed */
	char hash[FIX_HASH_SIZE], plan[64];
	char devices[128];
	char unsaved[128];		/* devices at which the plan saves nothing */
	size_t n_devices, n_steps, n_armed;
	int64_t undo_in_us;
	bool was_drawn;
};

enum confirm_said { CONFIRM_STAYS, CONFIRM_CANCELLED, CONFIRM_SAID, CONFIRM_SAID_UNDO };

void confirm_open(struct fixconfirm *c, enum confirm_kind kind, const struct fix_view *f);
void confirm_close(struct fixconfirm *c);
/* One key. After CONFIRM_SAID it is still open, for what it was about to be read. CONFIRM_SAID_UNDO: leave, and take it back. */
enum confirm_said confirm_key(struct fixconfirm *c, int code);
void confirm_draw(struct fixconfirm *c, const struct draw *d);
/* What to type, for who sees no frame: "Type leaf2 to start, nothing cancels: ". */
void confirm_prompt(const struct fixconfirm *c, struct buf *out);

#endif
