#include "tui/fixing/fix_view.h"

#include <stdio.h>
#include <string.h>

#include "tui/widgets/bind.h"

bool fix_was_done(const struct fix_view *f)
{
	return f->was_begun || (f->steps && !f->is_rehearsed);
}

bool fix_is_in_place(const struct fix_view *f)
{
	size_t n = 0;

	while (fix_was_done(f) && f->steps && n < f->plan->n_steps &&
	       (f->steps[n].state == FIX_NOTHING_TO_DO || f->steps[n].state == FIX_KEPT || f->steps[n].state == FIX_SAVED))
		n++;
	return n && n == f->plan->n_steps;
}

bool fix_is_half(const struct fix_view *f)
{
	for (size_t i = 0; f->plan && f->steps && i < f->plan->n_steps; i++)
		if (f->steps[i].state == FIX_HALF)
			return true;
	return false;
}

bool fix_is_back(const struct fix_view *f)
{
	size_t n = 0;

	while (fix_was_done(f) && f->steps && n < f->plan->n_steps && fix_state_is_back(f->steps[n].state))
		n++;
	return n && n == f->plan->n_steps;
}

/* A unit's device that was read as neither before nor planned, while no timer runs there; *is_open: it has none and is not ended. */
static const char *changed_in(const struct fix_view *f, const struct fix_unit *u, bool *is_open)
{
	const char *changed = NULL;
	bool is_armed = false, is_left = false;

	for (size_t i = u->first; i < u->first + u->n; i++) {
		is_armed |= f->steps[i].undo_at_us > 0;
		is_left |= !fix_state_is_final(f->steps[i].state);
		if (f->steps[i].state == FIX_MIXED && !changed)
			changed = f->plan->steps[i].device;
	}
	*is_open |= is_armed || (is_left && !changed);
	return is_armed ? NULL : changed;
}

const char *fix_changed_device(const struct fix_view *f)
{
	const char *first = NULL;
	bool is_open = false;

	for (size_t u = 0; f->plan && f->steps && !f->is_rehearsed && u < f->plan->n_units; u++) {
		const char *changed = changed_in(f, &f->plan->units[u], &is_open);

		first = first ? first : changed;
	}
	return is_open ? NULL : first;
}

void countdown_text(int64_t us, char out[16])
{
	long s = us > 0 ? (long)((us + 999999) / 1000000) : 0;

	snprintf(out, 16, "%02ld:%02ld", s / 60 % 1000, s % 60);
}

size_t fix_armed(const struct fix_view *f)
{
	size_t n = 0;

	for (size_t i = 0; f && f->plan && f->steps && i < f->plan->n_steps; i++)
		n += f->steps[i].undo_at_us > 0;
	return n;
}

int64_t fix_undo_in_us(const struct fix_view *f)
{
	int64_t first_us = 0;

	for (size_t i = 0; f && f->plan && f->steps && i < f->plan->n_steps; i++) {
		int64_t at_us = f->steps[i].undo_at_us;

		if (at_us && (!first_us || at_us < first_us))
			first_us = at_us;
	}
	return first_us ? first_us > f->now_us ? first_us - f->now_us : 1 : 0;
}

bool fix_is_armed(const struct fix_view *f)
{
	return f && (f->armed_left_us > 0 || fix_armed(f));
}

void fix_badge(const struct fix_view *f, struct buf *out)
{
	int64_t undo_us = fix_undo_in_us(f);
	char left[16];

	if (f && f->armed_left_us > 0) {
		countdown_text(f->armed_left_us, left);
		buf_printf(out, "RW %s", left);
	} else {
		buf_str(out, "RO");
	}
	if (!undo_us)
		return;
	countdown_text(undo_us, left);
	buf_printf(out, " | AUTO-ROLLBACK IN %s", left);
}

enum role fix_badge_role(const struct fix_view *f)
{
	return fix_armed(f) ? ROLE_IS_CRIT : fix_is_armed(f) ? ROLE_IS_WARN : ROLE_IS_HEADER;
}

void fix_open_words(const struct fix_view *f, size_t row, struct buf *out)
{
	const struct open_plan *p = &f->open[row];
	char left[16];

	if (p->half_us > f->wall_us) {
		countdown_text(p->half_us - f->wall_us, left);
		buf_printf(out, "half a link in %s: %s committed, %s rolls back; ", left, p->committed, p->half);
		key_text(out, "{keep} commits");
		return;
	}
	if (p->half_us) {
		buf_str(out, "may be half a link, its timer was due; ");
	} else if (p->rolls_back_us > f->wall_us) {
		countdown_text(p->rolls_back_us - f->wall_us, left);
		buf_printf(out, "rolls back in %s; ", left);
	} else if (p->rolls_back_us) {
		buf_str(out, "its timer was due; ");
	}
	buf_printf(out, "%s%s", p->half_us ? "" : "last seen: ", p->state);
}

/* -- one step -- */

static const struct {
	const char *sign;
	enum role role;
} state_table[FIX_STATES] = {
	[FIX_PLANNED]	    = { "", ROLE_IS_TEXT },
	[FIX_READING]	    = { "~", ROLE_IS_LOOK },
	[FIX_NOTHING_TO_DO] = { ".", ROLE_IS_OK },
	[FIX_ARMED]	    = { "~", ROLE_IS_WARN },
	[FIX_APPLYING]	    = { "~", ROLE_IS_WARN },
	[FIX_APPLIED]	    = { "~", ROLE_IS_WARN },
	[FIX_VERIFYING]	    = { "~", ROLE_IS_WARN },
	[FIX_VERIFIED]	    = { "~", ROLE_IS_LOOK },
	[FIX_KEPT]	    = { ".", ROLE_IS_OK },
	[FIX_SAVED]	    = { ".", ROLE_IS_OK },
	[FIX_UNDOING]	    = { "~", ROLE_IS_WARN },
	[FIX_UNDONE]	    = { "=", ROLE_IS_LOOK },
	[FIX_BEFORE]	    = { "=", ROLE_IS_LOOK },
	[FIX_REFUSED]	    = { "!", ROLE_IS_CRIT },
	[FIX_NOT_REACHED]   = { "!", ROLE_IS_CRIT },
	[FIX_UNKNOWN]	    = { "?", ROLE_IS_UNKNOWN },
	[FIX_MIXED]	    = { "!", ROLE_IS_CRIT },
	[FIX_HALF]	    = { "!", ROLE_IS_CRIT },
};

const char *fix_sign(enum fix_state s)
{
	return state_table[s].sign;
}

enum role fix_role(enum fix_state s)
{
	return state_table[s].role;
}

void fix_words(const struct fix_view *f, size_t step, struct buf *out)
{
	const struct fix_progress *p = f->steps ? &f->steps[step] : NULL;
	int64_t verify_us = f->plan->verify_us;

	if (!p) {
		buf_str(out, fix_state_says(FIX_PLANNED));
		return;
	}
	buf_str(out, fix_state_says(p->state));
	if (p->state == FIX_VERIFYING && p->verify_until_us && verify_us > 0) {
		int64_t left_us = p->verify_until_us - f->now_us;

		left_us = left_us < 0 ? 0 : left_us > verify_us ? verify_us : left_us;
		buf_printf(out, " %d/%d s", (int)((verify_us - left_us) / 1000000), (int)(verify_us / 1000000));
	}
	if (*p->words && !(out->n && strstr(out->text, p->words)))
		buf_printf(out, ": %s", p->words);
}

static void change_text(const struct edit *e, struct buf *out)
{
	buf_printf(out, "%s%s%s", e->port ? e->port : "", e->port ? " " : "", field_table[e->field].name);
	if (field_table[e->field].width > 1)
		buf_printf(out, "[%u]", e->index);
	buf_str(out, " ");
	value_print(e->field, &e->was, out);
	buf_str(out, " -> ");
	value_print(e->field, &e->want, out);
}

void fix_what(const struct fix_step *s, struct buf *out)
{
	if (!s->n_edits) {
		buf_str(out, "none of its settings");
		return;
	}
	change_text(&s->edits[0], out);
	if (s->n_edits > 1)
		buf_printf(out, ", %zu more", s->n_edits - 1);
}

size_t fix_devices(const struct fix_plan *p, struct buf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_steps; i++) {
		bool is_named = false;

		for (size_t k = 0; k < i && !is_named; k++)
			is_named = !strcmp(p->steps[k].device, p->steps[i].device);
		if (is_named)
			continue;
		buf_printf(out, "%s%s", n ? ", " : "", p->steps[i].device);
		n++;
	}
	return n;
}

void fix_plan_word(const struct fix_plan *p, char out[128])
{
	struct buf devices = { 0 };
	size_t n = fix_devices(p, &devices);

	if (n == 1)
		snprintf(out, 128, "%s", devices.text);
	else
		snprintf(out, 128, "%zu devices", n);
	buf_done(&devices);
}

void fix_word(const struct fix_view *f, char out[128])
{
	fix_plan_word(f->plan, out);
}

/* -- commands -- */

static void add_list(struct buf *out, const char *head, const struct fix_lines *lines)
{
	if (lines->n && head)
		buf_printf(out, "# %s\n", head);
	for (size_t i = 0; i < lines->n; i++)
		buf_printf(out, "%s\n", lines->list[i]);
}

void fix_commands(const struct fix_plan *p, size_t step, struct buf *out)
{
	for (size_t i = 0; i < p->n_steps; i++) {
		const struct fix_step *s = &p->steps[i];

		if (step != SIZE_MAX && step != i)
			continue;
		buf_printf(out, "# %zu %s\n", i + 1, s->device);
		add_list(out, NULL, &s->lines);
		add_list(out, "undo", &s->undo);
		add_list(out, "save", &s->save);
	}
}

/* Byte for byte, in pieces of the pane's width: what is sent is read here, not what it amounts to. */
static void command_lines(struct page *p, const char *label, const struct fix_lines *lines, enum role role, int width)
{
	size_t room = width > 30 ? (size_t)width - 7 : 23;

	for (size_t i = 0; i < lines->n; i++) {
		struct span rest = span_of(lines->list[i]);
		const char *head = label;

		do {
			size_t n = rest.n < room ? rest.n : room;

			page_add(p, role, "%s%.*s", head, (int)n, rest.p);
			rest = (struct span){ rest.p + n, rest.n - n };
			head = "       ";
		} while (rest.n);
	}
}

void fix_command_lines(const struct fix_view *f, size_t step, struct page *p, int width)
{
	const struct fix_step *s = &f->plan->steps[step];

	command_lines(p, "     $ ", &s->lines, ROLE_IS_TEXT, width);
	for (size_t i = 0; i < s->n_files; i++)
		page_add(p, ROLE_IS_MUTED, "     file %s, %zu bytes", s->files[i].name, strlen(s->files[i].text));
	command_lines(p, "undo $ ", &s->undo, ROLE_IS_MUTED, width);
	command_lines(p, "save $ ", &s->save, ROLE_IS_MUTED, width);
	if (s->save_note)
		page_wrap(p, ROLE_IS_LOOK, "keep   ", s->save_note, width);
}

/* -- differences -- */

static void add_diff(struct page *p, struct span text)
{
	struct span line;

	while (span_line(&text, &line)) {
		enum role role = span_starts(line, "+") ? ROLE_IS_CHANGED : span_starts(line, "-") ? ROLE_IS_WARN : ROLE_IS_TEXT;

		page_add(p, role, "%.*s", (int)(line.n < 4000 ? line.n : 4000), line.p);
	}
}

void fix_diff_lines(const struct fix_view *f, size_t step, struct page *p)
{
	const struct fix_step *s = &f->plan->steps[step];
	const char *moved = f->steps ? f->steps[step].diff : NULL;
	struct buf text = { 0 };

	if (moved && *moved) {
		page_add(p, ROLE_IS_CRIT, "! actual, compared with expected:");
		add_diff(p, span_of(moved));
		page_add(p, ROLE_IS_MUTED, "planned:");
	}
	lines_diff(span_of(s->base ? s->base : ""), span_of(s->after ? s->after : ""), &text);
	add_diff(p, buf_span(&text));
	if (!text.n)
		page_add(p, ROLE_IS_MUTED, "no difference");
	buf_done(&text);
}

/* -- guards -- */

static void guard(struct page *p, enum role role, const char *sign, const char *text, int width)
{
	char label[8];

	snprintf(label, sizeof(label), "%s ", sign);
	page_wrap(p, role, label, text, width);
}

/* What each step lets go of or leaves behind. */
static void step_guards(struct page *p, const struct fix_plan *plan, size_t step, int width)
{
	const struct fix_step *s = &plan->steps[step];
	struct buf one_end = { 0 };
	char text[512];

	if (fix_plan_say_one_end(plan, step, &one_end))
		guard(p, ROLE_IS_WARN, "~", one_end.text, width);
	buf_done(&one_end);
	if (!s->undo.n) {
		snprintf(text, sizeof(text), "%s: cannot be undone; requires --no-undo on the command line", s->device);
		guard(p, ROLE_IS_CRIT, "!", text, width);
	}
	if (s->disturbs) {
		snprintf(text, sizeof(text), "%s: %s", s->device, s->disturbs);
		guard(p, ROLE_IS_WARN, "~", text, width);
	}
	if (!s->save.n) {
		snprintf(text, sizeof(text), "%s: %s", s->device, s->save_note ? s->save_note : "lost at reboot");
		guard(p, ROLE_IS_WARN, "~", text, width);
	}
}

static unsigned last_wave(const struct fix_plan *p)
{
	unsigned last = 1;

	for (size_t i = 0; i < p->n_units; i++)
		last = p->units[i].wave > last ? p->units[i].wave : last;
	return last;
}

void fix_guard_lines(const struct fix_view *f, struct page *p, int width)
{
	const struct fix_plan *plan = f->plan;
	struct span rest = span_of(f->skipped ? f->skipped : ""), line;
	char text[256];

	snprintf(text, sizeof(text), "each device is read again first; the plan stops if it differs from the plan's base (plan sha %.8s)",
		 f->hash ? f->hash : "");
	guard(p, ROLE_IS_TEXT, ".", text, width);
	guard(p, ROLE_IS_TEXT, ".", "the rollback timer is armed and verified on the device before the first command is sent", width);
	guard(p, ROLE_IS_TEXT, ".", "a device locked by another plan, or the port of our own session, is refused", width);
	snprintf(text, sizeof(text), "verified for %d s over a new connection, by read-back and counters",
		 (int)(plan->verify_us / 1000000));
	guard(p, ROLE_IS_TEXT, ".", text, width);
	if (last_wave(plan) > 1) {
		snprintf(text, sizeof(text), "%u batches, the first of one unit; a failure rolls its batch back and stops",
			 last_wave(plan));
		guard(p, ROLE_IS_TEXT, ".", text, width);
	}
	for (size_t i = 0; i < plan->n_steps; i++)
		step_guards(p, plan, i, width);
	while (span_line(&rest, &line)) {
		snprintf(text, sizeof(text), "left out: %.*s", (int)(line.n < 200 ? line.n : 200), line.p);
		guard(p, ROLE_IS_UNKNOWN, "?", text, width);
	}
}

/* What a dry run has come to, a line for all that would be sent. */
static void would_lines(const struct fix_view *f, struct page *p)
{
	for (size_t i = 0; i < f->plan->n_steps; i++) {
		const struct fix_step *s = &f->plan->steps[i];
		enum fix_state state = f->steps[i].state;

		if (state == FIX_NOTHING_TO_DO || state >= FIX_UNDONE) {
			page_add(p, fix_role(state), "WOULD not touch %s: %s%s%s", s->device, fix_state_says(state),
				 *f->steps[i].words ? ", " : "", f->steps[i].words);
			continue;
		}
		page_add(p, ROLE_IS_LOOK, "WOULD lock and arm %s", s->device);
		for (size_t k = 0; k < s->lines.n; k++)
			page_add(p, ROLE_IS_LOOK, "WOULD run on %s: %.2000s", s->device, s->lines.list[k]);
		for (size_t k = 0; k < s->save.n; k++)
			page_add(p, ROLE_IS_LOOK, "WOULD save on %s: %.2000s", s->device, s->save.list[k]);
	}
}

void fix_log_lines(const struct fix_view *f, struct page *p)
{
	if (f->is_rehearsed && f->steps && f->doing == DOING_NOTHING) {
		would_lines(f, p);
		return;
	}
	for (size_t i = 0; i < f->n_log; i++)
		page_add(p, ROLE_IS_TEXT, "%.2000s", f->log[i]);
}

/* -- what now -- */

static void add_keys(struct page *p, enum role role, const char *text, int width)
{
	struct buf words = { 0 };

	key_text(&words, text);
	page_wrap(p, role, "", words.text, width);
	buf_done(&words);
}

static const char *const doing_words[] = {
	[DOING_NOTHING] = "", [DOING_REHEARSAL] = "Dry run", [DOING_APPLY] = "Applying", [DOING_LOOK] = "Reading its state",
	[DOING_KEEP] = "Keeping", [DOING_FINISH] = "Finishing", [DOING_UNDO] = "Rolling back",
};

static void running_lines(const struct fix_view *f, struct page *p, int width)
{
	int64_t undo_us = fix_undo_in_us(f);
	struct buf text = { 0 };
	char left[16];

	buf_str(&text, f->is_waiting ? "Waiting for keep" : doing_words[f->doing]);
	for (size_t i = 0; f->steps && i < f->plan->n_steps; i++) {
		if (f->steps[i].state == FIX_PLANNED || fix_state_is_final(f->steps[i].state))
			continue;
		buf_printf(&text, " | %zu/%zu %s ", i + 1, f->plan->n_steps, f->plan->steps[i].device);
		fix_words(f, i, &text);
	}
	page_wrap(p, ROLE_IS_LOOK, "", text.text, width);
	buf_clear(&text);
	if (undo_us) {
		countdown_text(undo_us, left);
		buf_printf(&text, "AUTO-ROLLBACK IN %s unless kept | %s{undo} undo now", left, f->is_waiting ? "{keep} keep | " : "");
		add_keys(p, ROLE_IS_CRIT, text.text, width);
	} else if (f->doing == DOING_APPLY) {
		add_keys(p, ROLE_IS_MUTED, "{undo} rolls back what was started.", width);
	}
	buf_done(&text);
}

static const struct fix_unit *unit_with(const struct fix_plan *p, size_t step)
{
	const struct fix_unit *u = p->units;

	while (u < p->units + p->n_units && (step < u->first || step >= u->first + u->n))
		u++;
	return u < p->units + p->n_units ? u : NULL;
}

/* The committed end of the link whose other end a timer rolls back; NULL: there is none. */
static const char *committed_end(const struct fix_view *f, size_t step)
{
	const struct fix_unit *u = f->steps[step].undo_at_us > f->now_us ? unit_with(f->plan, step) : NULL;

	for (size_t i = 0; u && i < u->n; i++) {
		enum fix_state s = f->steps[u->first + i].state;

		if (s == FIX_KEPT || s == FIX_SAVED)
			return f->plan->steps[u->first + i].device;
	}
	return NULL;
}

/* What the timers do to a plan of an earlier session when nobody does anything. */
static bool half_line(const struct fix_view *f, struct page *p, int width)
{
	char left[16], text[400];
	const char *end;

	for (size_t i = 0; f->was_begun && f->steps && i < f->plan->n_steps; i++) {
		end = committed_end(f, i);
		if (!end)
			continue;
		countdown_text(f->steps[i].undo_at_us - f->now_us, left);
		snprintf(text, sizeof(text), "Half a link in %s: %.80s is committed, %.80s rolls back then. {keep} commits it, {undo} rolls both "
					     "back, {refresh} reads their state.", left, end, f->plan->steps[i].device);
		add_keys(p, ROLE_IS_CRIT, text, width);
		return true;
	}
	return false;
}

/* What has become of the plan; nothing of one that was not started. */
static void state_line(const struct fix_view *f, struct page *p, int width)
{
	const char *changed = fix_changed_device(f);
	char text[512];

	if (changed) {
		snprintf(text, sizeof(text), "%.80s is neither as before nor as planned: {keep} commits nothing there. {fix-this} on {findings} "
					     "makes a new plan.", changed);
		add_keys(p, ROLE_IS_CRIT, text, width);
	} else if (fix_is_half(f)) {
		add_keys(p, ROLE_IS_CRIT, f->is_half_open ? "One end of a link is as planned, neither is committed, and no timer runs: {undo} rolls "
							    "it back." :
							    "Only one end of a link is committed or as planned: {keep} finishes it, {undo} rolls it back.",
			 width);
	} else if (f->was_begun && fix_is_back(f)) {
		add_keys(p, ROLE_IS_LOOK, "Rolled back: every device is in its previous state.", width);
	} else if (!half_line(f, p, width) && f->was_begun) {
		add_keys(p, ROLE_IS_WARN, "Started, and not ended: {keep} keeps it, {undo} rolls it back.",
			 width);
	}
}

/* What may be done here: a plan that was started is not started again by Enter. */
static void leave_line(const struct fix_view *f, struct page *p, int width)
{
	const char *refresh = fix_was_done(f) ? "reads its state" : "is a dry run";
	char word[128], text[512];

	if (f->forbidden) {
		snprintf(text, sizeof(text), "Cannot be applied here: %.200s.", f->forbidden);
		page_wrap(p, ROLE_IS_WARN, "", text, width);
		return;
	}
	fix_word(f, word);
	if (f->armed_left_us <= 0)
		snprintf(text, sizeof(text), "Read-only: enter :arm REASON first. {refresh} %s%s.", refresh, fix_was_done(f) ? "" : " (read-only)");
	else if (f->was_begun || fix_is_half(f) || fix_changed_device(f))
		snprintf(text, sizeof(text), "{refresh} %s. Armed for: %.100s", refresh, f->reason ? f->reason : "?");
	else
		snprintf(text, sizeof(text), "{open} prompts: type %s to start. {refresh} %s. Armed for: %.100s", word, refresh,
			 f->reason ? f->reason : "?");
	add_keys(p, ROLE_IS_LOOK, text, width);
}

static void idle_lines(const struct fix_view *f, struct page *p, int width)
{
	if (fix_is_in_place(f)) {
		add_keys(p, ROLE_IS_LOOK, "{findings} shows whether the finding has closed. {refresh} reads again, {undo} rolls "
					  "back, {raw} shows everything sent.", width);
		return;
	}
	state_line(f, p, width);
	leave_line(f, p, width);
	if (!fix_was_done(f))
		page_add(p, ROLE_IS_MUTED, "%s", f->is_rehearsed && f->steps ? "The dry run sent read-only commands. Nothing was changed." :
								      "Nothing has been sent.");
}

void fix_now_lines(const struct fix_view *f, struct page *p, int width)
{
	if (f->doing != DOING_NOTHING) {
		running_lines(f, p, width);
		return;
	}
	if (f->end)
		page_wrap(p, f->is_bad ? ROLE_IS_CRIT : ROLE_IS_OK, "", f->end, width);
	idle_lines(f, p, width);
}
