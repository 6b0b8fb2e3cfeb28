/* The words and journal entries of a step, and the questions of its sessions. */
#include "remote/fixer/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
	const char *word;
	bool is_final;
} words[FIX_STATES] = {
	[FIX_PLANNED]	    = { "planned", false },
	[FIX_READING]	    = { "reading", false },
	[FIX_NOTHING_TO_DO] = { "nothing to do", true },
	[FIX_ARMED]	    = { "armed", false },
	[FIX_APPLYING]	    = { "applying", false },
	[FIX_APPLIED]	    = { "applied", false },
	[FIX_VERIFYING]	    = { "verifying", false },
	[FIX_VERIFIED]	    = { "verified", false },
	[FIX_KEPT]	    = { "kept", true },
	[FIX_SAVED]	    = { "saved", true },
	[FIX_UNDOING]	    = { "undoing", false },
	[FIX_UNDONE]	    = { "undone", true },
	[FIX_BEFORE]	    = { "before", true },
	[FIX_REFUSED]	    = { "refused", true },
	[FIX_NOT_REACHED]   = { "not reached", true },
	[FIX_UNKNOWN]	    = { "unknown", false },
	[FIX_MIXED]	    = { "mixed", false },
	[FIX_HALF]	    = { "half", false },
};

const char *fix_state_word(enum fix_state s)
{
	return words[s].word;
}

const char *fix_state_says(enum fix_state s)
{
	switch (s) {
	case FIX_ARMED:
		return "timer armed";
	case FIX_KEPT:
		return "committed";
	case FIX_UNDOING:
		return "rolling back";
	case FIX_UNDONE:
		return "rolled back";
	case FIX_BEFORE:
		return "as before";
	default:
		return words[s].word;
	}
}

bool fix_state_is_final(enum fix_state s)
{
	return words[s].is_final;
}

bool fix_state_is_back(enum fix_state s)
{
	return s == FIX_UNDONE || s == FIX_BEFORE;
}

static void tell_changed(struct fixer *f)
{
	if (f->hooks.changed)
		f->hooks.changed(f->hooks.ctx);
}

void fixer_set_words(struct fix_run *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(r->words, sizeof(r->words), format, args);
	va_end(args);
	tell_changed(r->fixer);
}

void fixer_move(struct fix_run *r, enum fix_device_event event, const char *format, ...)
{
	char text[600];
	va_list args;

	va_start(args, format);
	vsnprintf(r->words, sizeof(r->words), format, args);
	va_end(args);
	fix_state_move(&r->state, event);
	snprintf(text, sizeof(text), "%s%s%s", fix_state_word(fixer_shown(r)), r->words[0] ? ": " : "", r->words);
	fixer_journal(r->fixer, r, "state", text, 0, (struct span){ 0 });
	tell_changed(r->fixer);
}

/* r NULL: an event of the whole run. */
bool fixer_journal(struct fixer *f, const struct fix_run *r, const char *kind, const char *text, int status, struct span output)
{
	struct fix_event e = {
		.plan = f->plan->id,
		.hash = f->hash,
		.step = r ? r->index : SIZE_MAX,
		.device = r ? r->step->device : NULL,
		.hostkey = r && r->hostkey[0] ? r->hostkey : NULL,
		.kind = kind,
		.text = text,
		.status = status,
		.output = output,
		.setup_hash = r && r->setup_hash[0] ? r->setup_hash : NULL,
	};

	if (!f->hooks.journal(f->hooks.ctx, &e))
		f->journal_failed = true;
	return !f->journal_failed;
}

void fixer_set_diff(struct fix_run *r, const char *from, const char *to)
{
	struct buf diff = { 0 };

	lines_diff(span_of(from), span_of(to), &diff);
	free(r->diff);
	r->diff = diff.text;
}

/* Its first lines of one side of the difference. */
static size_t add_side(const struct fix_run *r, const char *side, const char *word, char out[160])
{
	struct span rest = span_of(r->diff ? r->diff : ""), line;
	size_t n = 0;

	while (n + 70 < 160 && span_line(&rest, &line))
		if (span_starts(line, side))
			n += (size_t)snprintf(out + n, 160 - n, "%s %.*s", n ? "," : word, (int)(line.n - 2 < 50 ? line.n - 2 : 50),
					      line.p + 2);
	return n;
}

void fixer_differing(const struct fix_run *r, char out[160])
{
	*out = '\0';
	if (!add_side(r, "+ ", ": now", out))
		add_side(r, "- ", ": gone", out);
}

void fixer_progress(const struct fixer *f, size_t step, struct fix_progress *out)
{
	const struct fix_run *r = &f->runs[step];

	*out = (struct fix_progress){ .state = fixer_shown(r), .lines_done = r->lines_done, .undo_at_us = r->undo_at_us, .diff = r->diff };
	if (r->state == DEV_VERIFYING)
		out->verify_until_us = r->verify_until_us;
	snprintf(out->words, sizeof(out->words), "%s", r->state == DEV_ARMING ? "arming the rollback timer" : r->words);
}

/* -- questions -- */

void fixer_ask(struct fixer *f, const void *asker, unsigned id, const struct question *q)
{
	*GROW(f->questions, f->n_questions, f->cap_questions) = (struct fix_question){ .asker = asker, .id = id };
	f->n_questions++;
	f->hooks.ask(f->hooks.ctx, (unsigned)f->n_questions, q);
}
