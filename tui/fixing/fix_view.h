/*
 * What the console has of fixes, to be shown: the plan that is on the table, how it goes with each step, what is armed and
 * for how long. Texts and arrays are lent by whoever fills it in, until the next picture.
 */
#ifndef TUI_FIXING_FIX_VIEW_H
#define TUI_FIXING_FIX_VIEW_H

#include "core/fix/plan.h"
#include "remote/fixer/fixer.h"
#include "tui/fixing/plans.h"
#include "tui/widgets/page.h"

enum fix_doing { DOING_NOTHING, DOING_REHEARSAL, DOING_APPLY, DOING_LOOK, DOING_KEEP, DOING_FINISH, DOING_UNDO };

struct fix_view {
	const struct fix_plan *plan;		/* NULL: none is made */
	const char *hash;			/* of it, in hex */
	const char *skipped;			/* what it could not mend since it is not known, a line each; or NULL */
	const struct fix_progress *steps;	/* one a step of the plan; NULL: nothing was begun or read with it */
	bool is_rehearsed;			/* and they are of a dry run: nothing was begun */
	const char *const *log;			/* what was said to devices and what they answered, oldest first */
	size_t n_log;
	enum fix_doing doing;
	bool is_waiting;			/* for keep */
	bool was_begun;				/* in an earlier session: what became of it is to be read */
	const char *end;			/* how the last thing done with it went; NULL: nothing was done */
	bool is_bad;				/* and it did not go as planned */
	bool is_half_open;			/* half a link, of which nothing is committed and no timer runs */
	int64_t now_us;				/* by the clock of undo_at_us and verify_until_us */
	int64_t armed_left_us;			/* 0: read-only */
	const char *reason;			/* it was armed for */
	const char *forbidden;			/* why it cannot be armed; NULL: it can */
	const char *refused;			/* why there is no plan of what was asked last; NULL: there is */
	const struct open_plan *open;		/* plans begun in an earlier session and not ended */
	size_t n_open;
	int64_t wall_us;			/* now, by the clock of open->rolls_back_us */
};

/* Something was done with it, whatever became of it. */
bool fix_was_done(const struct fix_view *f);
/* And nothing of it is left to be applied, as it was last seen. */
bool fix_is_in_place(const struct fix_view *f);
/* Only one end of a link was read as committed or as planned. */
bool fix_is_half(const struct fix_view *f);
/* Every device was read as before the plan. */
bool fix_is_back(const struct fix_view *f);
/*
 * The device that somebody has changed since, where nothing of the plan is left to be kept: no timer of its link runs, and neither
 * end is touched by a keep. NULL: there is none, or another link can be finished.
 */
const char *fix_changed_device(const struct fix_view *f);
/* "14:59" of minutes and seconds; "00:00" when it is over. */
void countdown_text(int64_t us, char out[16]);
/* Until the first device takes back by itself what was done to it; 0: none is armed. */
int64_t fix_undo_in_us(const struct fix_view *f);
size_t fix_armed(const struct fix_view *f);
/* "RO", "RW 14:59", "RW 14:59 | AUTO-ROLLBACK IN 09:41"; f may be NULL. And its role. */
void fix_badge(const struct fix_view *f, struct buf *out);
enum role fix_badge_role(const struct fix_view *f);
bool fix_is_armed(const struct fix_view *f);	/* to write, or a device to take back: to be seen on every screen */

/* "." "~" "!" "?" of a state, its role, and words: "verifying 34/60 s", "armed", "line 2 of 4". */
const char *fix_sign(enum fix_state s);
enum role fix_role(enum fix_state s);
void fix_words(const struct fix_view *f, size_t step, struct buf *out);
/* What a step changes, in one line: "eth2 trust pcp -> dscp, 3 more". */
void fix_what(const struct fix_step *s, struct buf *out);
/* The devices of a plan, "leaf1, node2", and how many. */
size_t fix_devices(const struct fix_plan *p, struct buf *out);
/* What a person types to begin: the device's name where there is one, else how many there are: "3 devices". */
void fix_plan_word(const struct fix_plan *p, char out[128]);
void fix_word(const struct fix_view *f, char out[128]);
/* Exactly these commands, for the clipboard: "# 1 leaf1", lines, "# undo", "# save". step SIZE_MAX: of all. */
void fix_commands(const struct fix_plan *p, size_t step, struct buf *out);

/* How it goes with a plan that is not open: "leaf1 timer armed; rolls back in 09:41". */
void fix_open_words(const struct fix_view *f, size_t row, struct buf *out);

/* The panes beside the steps. */
void fix_diff_lines(const struct fix_view *f, size_t step, struct page *p);
void fix_command_lines(const struct fix_view *f, size_t step, struct page *p, int width);
void fix_guard_lines(const struct fix_view *f, struct page *p, int width);
void fix_log_lines(const struct fix_view *f, struct page *p);
/* What may be done now, or how it goes: the last rows of the screen. */
void fix_now_lines(const struct fix_view *f, struct page *p, int width);

#endif
