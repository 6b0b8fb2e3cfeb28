/*
 * A plan being carried out: joins the permission to write, the fixer, the audit and the recording. The Fix screen and the
 * commands apply, verify, keep and undo have one each; nobody else may write.
 */
#ifndef TUI_FIXING_FIXING_H
#define TUI_FIXING_FIXING_H

#include "remote/fixer/fixer.h"
#include "tui/fixing/write_mode.h"
#include "tui/session/session.h"

struct fixing;

struct fixing_hooks {
	void *ctx;
	void (*changed)(void *ctx);
	void (*ask)(void *ctx, unsigned id, const struct question *q);
	void (*ended)(void *ctx);
};

/*
 * Takes the plan over: *plan is empty afterwards, and the plan is kept in the audit before anything is sent. s: to be told
 * what is observed and recorded with; may be NULL. options: copied, its texts lent until it has ended; owner is filled.
 * arming: read here, not held. NULL, and why, the plan as it was: read-only, audit not writable, another plan of that id.
 */
struct fixing *fixing_begin(uv_loop_t *loop, struct fix_plan *plan, const struct inventory *inv, const struct policy *policy,
			    const struct write_mode *arming, struct session *s, const struct fixer_options *options,
			    const struct fixing_hooks *hooks, struct err *err);
void fixing_free(struct fixing *f);

const struct fix_plan *fixing_plan(const struct fixing *f);
const struct fixer *fixing_fixer(const struct fixing *f);
void fixing_keep(struct fixing *f);
void fixing_undo(struct fixing *f);
void fixing_answer(struct fixing *f, unsigned id, const char *text);
/* What was said to devices and what they answered, a line each, oldest first; for the screen. */
size_t fixing_log(const struct fixing *f, const char *const **lines);
/* As fixer_progress(), without the secrets in what a device said. */
void fixing_progress(const struct fixing *f, size_t step, struct fix_progress *out);
/* "armed: takes itself back in 600 s": the state's word, and what is said of it beyond that. */
void fixing_say_step(const struct fix_progress *p, struct buf *out);
/* Its end as an exit code, and in one line of words. */
int fixing_code(const struct fixing *f, struct buf *words);

#endif
