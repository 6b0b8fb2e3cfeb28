#include "tui/fixing/fixing.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "remote/platform/mask.h"
#include "remote/ssh/clock.h"
#include "tui/args/cli.h"
#include "tui/fixing/journal_words.h"
#include "tui/fixing/plans.h"
#include "tui/text/human.h"
#include "tui/text/safe.h"

#define LOG_MAX		4000	/* lines; the audit has all of them */
#define OUTPUT_MAX	16384	/* bytes of an answer that are kept */
#define OUTPUT_LINES	12	/* of them shown */

struct fixing {
	struct fix_plan plan;
	struct fixer *fixer;
	struct fixing_hooks hooks;
	struct session *session;
	struct write_permit *permit;	/* its own: a console may be disarmed while what was begun is ended */
	struct audit *audit;		/* NULL: of something that only reads, and nothing is known of it there */
	bool had_left;			/* an earlier go began a step and has not seen its end */
	bool is_unwanted;		/* whoever began it had it rolled back */
	bool *was_left;			/* by step: an earlier go began it, and nothing was said of it in this one yet */
	char *owner;
	char hash[FIX_HASH_SIZE];
	enum fixer_goal goal;
	char **log;
	size_t n_log, cap_log;
	struct err trouble;		/* of the audit, when it could not be written */
};

static bool is_writing(enum fixer_goal goal)
{
	return goal != FIXER_REHEARSE && goal != FIXER_LOOK;
}

/* -- the log -- */

static void forget_oldest(struct fixing *f)
{
	size_t some = LOG_MAX / 4;

	for (size_t i = 0; i < some; i++)
		free(f->log[i]);
	f->n_log -= some;
	memmove(f->log, f->log + some, f->n_log * sizeof(*f->log));
}

/* As a terminal shows it: its tabs are blanks, and nothing in it is obeyed. */
static void add_safe(struct buf *line, struct span text)
{
	for (const char *tab; (tab = memchr(text.p, '\t', text.n)); text = (struct span){ tab + 1, text.n - (size_t)(tab - text.p) - 1 }) {
		safe_add(line, (struct span){ text.p, (size_t)(tab - text.p) }, false);
		buf_str(line, "    ");
	}
	safe_add(line, text, false);
}

static void log_line(struct fixing *f, const char *device, const char *sign, struct span text)
{
	struct buf line = { 0 };
	char time[HUMAN_MAX];
	char **at;

	buf_printf(&line, "%s ", human_time(time, clock_us()));
	safe_add(&line, span_of(device ? device : "all"), false);
	buf_str(&line, sign);
	add_safe(&line, text);
	if (f->n_log == LOG_MAX)
		forget_oldest(f);
	at = GROW(f->log, f->n_log, f->cap_log);
	*at = line.text;
	f->n_log++;
}

static void log_output(struct fixing *f, const char *device, struct span output)
{
	struct span line;
	char more[48];
	size_t shown = 0, left = 0;

	while (span_line(&output, &line)) {
		if (shown < OUTPUT_LINES)
			log_line(f, device, " > ", line);
		else
			left++;
		shown++;
	}
	snprintf(more, sizeof(more), "… %zu lines more", left);
	if (left)
		log_line(f, device, " > ", span_of(more));
}

static void log_words(struct fixing *f, const struct fix_event *e, const char *text)
{
	struct buf words = { 0 };

	journal_words(e->kind, span_of(text), &words);
	log_line(f, e->device, strcmp(e->kind, "command") == 0 ? " $ " : ": ", buf_span(&words));
	buf_done(&words);
}

/* A command is told when it is about to be sent, and its answer when that came, or did not. */
static void log_event(struct fixing *f, const struct fix_event *e, const char *text, const char *output)
{
	char status[48];

	if (strcmp(e->kind, "answer") != 0) {
		log_words(f, e, text);
		return;
	}
	if (output)
		log_output(f, e->device, span_of(output));
	snprintf(status, sizeof(status), "status %d", e->status);
	if (e->status)
		log_line(f, e->device, " > ", span_of(e->status < 0 ? "not known whether it was done: the output is incomplete"
								      : status));
}

/* -- the journal -- */

/* Ours to keep: no secrets, no end inside, not too long. NULL of nothing. */
static char *kept(const char *p, size_t n, size_t max)
{
	char *text;
	size_t cut = n > max ? max : n;

	if (!p)
		return NULL;
	text = cut < n ? xasprintf("%.*s\n… %zu bytes more", (int)cut, p, n - cut) : xstrndup(p, n);
	mask_secrets(text, strlen(text));
	return text;
}

static void record_answer(struct fixing *f, const struct fix_event *e, const char *text, const char *output)
{
	char *words = e->status < 0 ? xasprintf("not known\n%s", output ? output : "")
				    : xasprintf("status %d\n%s", e->status, output ? output : "");

	session_command(f->session, e->device, text, words);
	free(words);
}

/* A session's recording has what was sent, with its answer, as commands, and the rest as notes. */
static void record(struct fixing *f, const struct fix_event *e, const char *text, const char *output)
{
	struct buf words = { 0 };

	if (!f->session || strcmp(e->kind, "command") == 0)
		return;
	if (strcmp(e->kind, "answer") == 0)
		return record_answer(f, e, text, output);
	buf_printf(&words, "%s %s%s", f->plan.id, e->device ? e->device : "", e->device ? ": " : "");
	journal_words(e->kind, span_of(text), &words);
	if (strcmp(e->kind, "begin") == 0)	/* "P-… apply: INC-42, by alice@console1 pid 4711: PFC of node1 eth2" */
		buf_printf(&words, ", by %s%s%.200s", f->owner, f->plan.title ? ": " : "", f->plan.title ? f->plan.title : "");
	session_note(f->session, "fix", words.text);
	buf_done(&words);
}

/* Of what only reads, the audit is told where a state was settled by it. */
static bool is_for_audit(const struct fixing *f, const struct fix_event *e)
{
	if (!f->audit)
		return false;
	if (is_writing(f->goal))
		return true;
	for (unsigned s = 0; s < FIX_STATES && strcmp(e->kind, "state") == 0; s++)
		if ((fix_state_is_final((enum fix_state)s) || s == FIX_HALF || s == FIX_MIXED) &&
		    span_starts(span_of(e->text), fix_state_word((enum fix_state)s)))
			return true;
	return false;
}

static bool is_state(const char *word, enum fix_state s)
{
	return strcmp(fix_state_word(s), word) == 0;
}

/* What a console before us has begun, and not seen the end of. */
static void note_what_was_left(struct fixing *f)
{
	char word[32];

	f->was_left = xcalloc(f->plan.n_steps + 1, sizeof(*f->was_left));
	for (size_t i = 0; f->audit && i < f->plan.n_steps; i++) {
		audit_state(f->audit, f->plan.id, i, word);
		f->was_left[i] = *word != '\0' && !is_state(word, FIX_PLANNED);
		for (unsigned s = 0; s < FIX_STATES; s++)
			if (fix_state_is_final((enum fix_state)s) && is_state(word, (enum fix_state)s))
				f->was_left[i] = false;
		f->had_left |= f->was_left[i];
	}
}

static bool note_sent(void *ctx, const struct audit_entry *e)
{
	bool *was_sent = ctx;

	*was_sent = !strcmp(e->kind, "command");
	return !*was_sent;
}

/* Lines of the plan were sent from here, in this run or an earlier one: its edits were proved on the device then. */
static bool was_applied(const struct fixing *f)
{
	bool was_sent = false;

	if (f->audit)
		audit_each(f->audit, 0, f->plan.id, note_sent, &was_sent, NULL);
	return was_sent;
}

/* Of a device that was left half-way, "not reached" or "refused" settles nothing: it is still as it was left. */
static const char *kind_of(struct fixing *f, const struct fix_event *e)
{
	struct span text = span_of(e->text ? e->text : "");

	if (strcmp(e->kind, "state") != 0 || e->step >= f->plan.n_steps || !f->was_left[e->step])
		return e->kind;
	if (span_starts(text, fix_state_word(FIX_NOT_REACHED)) || span_starts(text, fix_state_word(FIX_REFUSED)))
		return "tried";
	f->was_left[e->step] = false;
	return e->kind;
}

static bool tell_audit(struct fixing *f, const struct fix_event *e, const char *text, const char *output)
{
	struct audit_entry entry = {
		.plan = f->plan.id, .hash = f->hash, .step = e->step == SIZE_MAX ? -1 : (long)e->step, .device = e->device,
		.hostkey = e->hostkey, .kind = kind_of(f, e), .text = text, .status = e->status, .output = output,
		.setup_hash = e->setup_hash,
	};

	audit_sign(&entry);
	return audit_add(f->audit, &entry, &f->trouble);
}

static bool journal(void *ctx, const struct fix_event *e)
{
	struct fixing *f = ctx;
	char *said = f->permit && !strcmp(e->kind, "begin")
			     ? xasprintf("%s: %s", e->text, write_permit_reason(f->permit))
			     : NULL;
	const char *of = said ? said : e->text ? e->text : "";
	char *text = kept(of, strlen(of), OUTPUT_MAX);
	char *output = kept(e->output.p, e->output.n, OUTPUT_MAX);
	bool done = !is_for_audit(f, e) || tell_audit(f, e, text, output);

	log_event(f, e, text, output);
	if (!done)
		log_line(f, NULL, ": ", span_of(f->trouble.text));
	record(f, e, text, output);
	free(said);
	free(text);
	free(output);
	return done;
}

/* -- the fixer's other hooks -- */

static void observed(void *ctx, struct obs *o)
{
	struct fixing *f = ctx;

	session_observed(f->session, o);
}

static void changed(void *ctx)
{
	struct fixing *f = ctx;

	if (f->hooks.changed)
		f->hooks.changed(f->hooks.ctx);
}

static void asked(void *ctx, unsigned id, const struct question *q)
{
	struct fixing *f = ctx;

	f->hooks.ask(f->hooks.ctx, id, q);
}

static void ended(void *ctx)
{
	struct fixing *f = ctx;

	if (f->hooks.ended)
		f->hooks.ended(f->hooks.ctx);
}

/* -- beginning -- */

/* On record before anything is sent; a plan that is only read needs no record, but one that has it goes on with it. */
static bool keep_plan(struct fixing *f, struct err *err)
{
	struct audit_entry e = { .plan = f->plan.id, .hash = f->hash };
	struct buf text = { 0 };
	bool done;

	fix_plan_write(&f->plan, &text);
	e.text = text.text;
	audit_sign(&e);
	done = audit_keep_plan(f->audit, &e, err);
	buf_done(&text);
	return done;
}

static bool open_record(struct fixing *f, struct err *err)
{
	char *known;

	if (is_writing(f->goal)) {
		f->audit = audit_of_user(true, err);
		return f->audit && keep_plan(f, err);
	}
	if (f->goal == FIXER_REHEARSE || !audit_path() || access(audit_path(), F_OK) != 0)
		return true;
	f->audit = audit_of_user(true, NULL);
	known = f->audit ? audit_plan(f->audit, f->plan.id) : NULL;
	if (!known) {
		audit_close(f->audit);
		f->audit = NULL;
	}
	free(known);
	return true;
}

/* To look needs none: which timer runs is read by a script that only looks, and the guard knows it. */
static bool take_permit(struct fixing *f, const struct write_mode *arming, const struct policy *policy, struct err *err)
{
	if (!is_writing(f->goal))
		return true;
	if (!arming || arming->forbidden)
		return err_set(err, "%s", arming ? arming->forbidden : "read-only");
	if (policy && policy_read_only(policy))
		return err_set(err, "%s", policy_read_only(policy));
	if (write_mode_left_us(arming) <= 0)
		return err_set(err, "read-only: enter :arm REASON first (on the command line: --rw)");
	f->permit = write_permit_new(write_permit_reason(arming->permit), write_mode_left_us(arming), err);
	return f->permit != NULL;
}

/* Devices of two fabrics have the same names: what was planned for one is not done to the other. */
static bool is_of_fabric(const struct fix_plan *plan, const struct inventory *inv, struct err *err)
{
	if (!inv || inv->is_range || !inv->fabric || !plan->fabric || !strcmp(inv->fabric, plan->fabric))
		return true;
	return err_set(err, "%s was made for the fabric %s, but this inventory is of %s: nothing was sent. Use that fabric's "
			    "inventory (-i), or make a new plan; fabcon_fabric in the inventory sets the fabric's name",
		       plan->id, plan->fabric, inv->fabric);
}

struct fixing *fixing_begin(uv_loop_t *loop, struct fix_plan *plan, const struct inventory *inv, const struct policy *policy,
			    const struct write_mode *arming, struct session *s, const struct fixer_options *options,
			    const struct fixing_hooks *hooks, struct err *err)
{
	struct fixing *f = xcalloc(1, sizeof(*f));
	struct fixer_options with = *options;
	struct fixer_hooks up = { .ctx = f, .journal = journal, .observed = s ? observed : NULL, .changed = changed,
				  .ask = hooks->ask ? asked : NULL, .ended = ended };

	f->plan = *plan;
	f->hooks = *hooks;
	f->session = s;
	f->goal = options->goal;
	fix_plan_hash(&f->plan, f->hash);
	if (!is_of_fabric(plan, inv, err) || !take_permit(f, arming, policy, err) ||
	    (f->goal == FIXER_APPLY && !plans_let(&f->plan, err)) || !open_record(f, err)) {
		fix_plan_init(&f->plan);	/* it stays the caller's */
		fixing_free(f);
		return NULL;
	}
	note_what_was_left(f);
	fix_plan_init(plan);
	with.owner = f->owner = xstrdup(audit_owner());
	with.was_applied = was_applied(f);
	f->fixer = fixer_new(loop, &f->plan, policy, inv, f->permit, &with, &up);
	return f;
}

void fixing_free(struct fixing *f)
{
	if (!f)
		return;
	fixer_free(f->fixer);
	write_permit_free(f->permit);
	audit_close(f->audit);
	fix_plan_done(&f->plan);
	for (size_t i = 0; i < f->n_log; i++)
		free(f->log[i]);
	free(f->log);
	free(f->owner);
	free(f->was_left);
	free(f);
}

const struct fix_plan *fixing_plan(const struct fixing *f)
{
	return &f->plan;
}

const struct fixer *fixing_fixer(const struct fixing *f)
{
	return f->fixer;
}

void fixing_keep(struct fixing *f)
{
	fixer_keep(f->fixer);
}

void fixing_undo(struct fixing *f)
{
	f->is_unwanted = true;
	fixer_undo(f->fixer);
}

void fixing_answer(struct fixing *f, unsigned id, const char *text)
{
	fixer_answer(f->fixer, id, text);
}

size_t fixing_log(const struct fixing *f, const char *const **lines)
{
	*lines = (const char *const *)f->log;
	return f->n_log;
}

/* -- its end -- */

/* next: what whoever is on call does then; of the plan's id. */
static const struct {
	int code;
	const char *words, *next;
} ends[] = {
	[FIXER_DONE]	    = { EXIT_DONE, NULL, "run fabcon verify %s" },	/* where some are not as asked */
	[FIXER_TAKEN_BACK]  = { EXIT_TAKEN_BACK, "rolled back: every device was verified to be in its previous state",
				"remove that cause, then apply the plan again" },
	[FIXER_DOUBT]	    = { EXIT_DOUBT, "unknown: a device was not verified in its previous or planned state",
				"run fabcon verify %s when it answers; where it is mixed, make a new plan of both ends" },
	[FIXER_REFUSED]	    = { EXIT_REFUSED, "refused: nothing was changed", "remove that reason, then run this again, or make a new plan" },
	[FIXER_NOT_UNDONE]  = { EXIT_TAKEN_BACK, "not rolled back: what the undo commands had changed was reverted",
				"remove that cause, then run fabcon undo %s --rw again" },
	[FIXER_NOT_REACHED] = { EXIT_NO_TARGET, "unreachable: nothing was changed", "check that ssh reaches it, then run this again" },
	[FIXER_PARTLY]	    = { EXIT_DOUBT, NULL, "run fabcon verify %s, then make a new plan for the others" },
	[FIXER_UNSAVED]	    = { EXIT_DOUBT, "committed, but not saved everywhere: lost at reboot",
				"save the configuration on that device, or run fabcon undo %s" },
	[FIXER_HALF]	    = { EXIT_DOUBT, "half: only one end of a link is committed or as planned (fabcon verify --finish)",
				"run fabcon verify %s --finish --rw" },
	[FIXER_HALF_OPEN]   = { EXIT_DOUBT, "half: neither end of a link is committed, and one is as planned without a rollback timer",
				"unless somebody is working on it, run fabcon undo %s --rw, which rolls back the whole plan" },
	[FIXER_HALF_TIMED]  = { EXIT_DOUBT, "half: neither end of a link is committed, and the rollback timers end it",
				"run fabcon verify %s when they have ended" },
};

static const char *const done[] = {
	[FIXER_APPLY]	 = "done: every device is as planned",
	[FIXER_REHEARSE] = "dry run: read-only commands only; nothing was changed",
	[FIXER_LOOK]	 = "every device was read",
	[FIXER_KEEP]	 = "done: every device is as planned and committed",
	[FIXER_UNDO]	 = "done: every device is back to its previous state",
	[FIXER_FINISH]	 = "done: nothing of this plan is half",
};

static const char *const in_part[] = {
	[FIXER_APPLY]  = "partial: %zu of %zu devices as planned and committed; the others are not",
	[FIXER_KEEP]   = "partial: %zu of %zu devices as planned and committed; the others are not",
	[FIXER_FINISH] = "partial: not every link could be finished",
	[FIXER_UNDO]   = "partial: %zu of %zu devices back to their previous state; the others are not, or are unreachable",
};

/* Whether a step is where its goal is reached: done is said of all of them or not at all. */
static bool is_as_asked(enum fixer_goal goal, enum fix_state s)
{
	switch (goal) {
	case FIXER_APPLY:
	case FIXER_KEEP:
		return s == FIX_KEPT || s == FIX_SAVED || s == FIX_NOTHING_TO_DO;
	case FIXER_UNDO:
		return fix_state_is_back(s) || s == FIX_NOTHING_TO_DO || s == FIX_PLANNED;
	default:
		return true;
	}
}

/* The steps that an end is about: those in doubt, refused, not reached; of a finish that is done, those whose timers still run. */
static bool is_reason(enum fixer_goal goal, enum fixer_end end, enum fix_state s)
{
	switch (end) {
	case FIXER_DONE:
		return goal == FIXER_FINISH && (s == FIX_ARMED || s == FIX_APPLIED || s == FIX_VERIFIED);
	case FIXER_DOUBT:
		return s == FIX_UNKNOWN || s == FIX_MIXED || !fix_state_is_final(s);
	case FIXER_HALF:
	case FIXER_HALF_OPEN:
	case FIXER_HALF_TIMED:
		return s == FIX_HALF;
	case FIXER_UNSAVED:
		return s == FIX_KEPT || s == FIX_PLANNED;
	case FIXER_REFUSED:
		return s == FIX_REFUSED || (goal == FIXER_KEEP && s == FIX_BEFORE);
	case FIXER_NOT_UNDONE:
		return s == FIX_REFUSED;
	case FIXER_NOT_REACHED:
		return s == FIX_NOT_REACHED;
	case FIXER_PARTLY:
		return s == FIX_REFUSED || s == FIX_NOT_REACHED || (s == FIX_UNDONE && goal == FIXER_FINISH);
	case FIXER_TAKEN_BACK:
		return s == FIX_UNDONE || s == FIX_REFUSED || s == FIX_NOT_REACHED;
	default:
		return false;
	}
}

/* Behind "ended with status 1: " are the device's words, not the fixer's. */
void fixing_progress(const struct fixing *f, size_t step, struct fix_progress *out)
{
	char *mark, *colon;

	fixer_progress(f->fixer, step, out);
	mark = strstr(out->words, " ended with status ");
	colon = mark ? strstr(mark, ": ") : NULL;
	if (colon)
		mask_secrets(colon + 2, strlen(colon + 2));
}

void fixing_say_step(const struct fix_progress *p, struct buf *out)
{
	const char *word = fix_state_says(p->state);

	if (!span_starts(span_of(p->words), word))
		buf_printf(out, "%s%s", word, *p->words ? ": " : "");
	buf_str(out, p->words);
}

static size_t count_as_asked(const struct fixing *f)
{
	struct fix_progress p;
	size_t n = 0;

	for (size_t i = 0; i < f->plan.n_steps; i++) {
		fixing_progress(f, i, &p);
		n += is_as_asked(f->goal, p.state);
	}
	return n;
}

/* fabcon undo found nothing to roll back anywhere. */
static bool is_untouched(const struct fixing *f)
{
	struct fix_progress p = { .state = FIX_BEFORE };

	for (size_t i = 0; i < f->plan.n_steps && p.state == FIX_BEFORE; i++)
		fixing_progress(f, i, &p);
	return f->goal == FIXER_UNDO && p.state == FIX_BEFORE;
}

static void say_reasons(const struct fixing *f, enum fixer_end end, bool is_other, struct buf *words)
{
	struct fix_progress p;

	for (size_t i = 0; i < f->plan.n_steps; i++) {
		fixing_progress(f, i, &p);
		if (is_other ? is_as_asked(f->goal, p.state) : !is_reason(f->goal, end, p.state))
			continue;
		buf_printf(words, "; %s ", f->plan.steps[i].device);
		fixing_say_step(&p, words);
	}
}

/* Where something is, or stays, as planned: that the plan has one end of a link alone. The first, and how many more. */
static void say_one_ends(const struct fixing *f, enum fixer_end end, struct buf *words)
{
	size_t n = 0;

	if (f->goal == FIXER_UNDO || (end != FIXER_DONE && end != FIXER_PARTLY && end != FIXER_UNSAVED))
		return;
	for (size_t i = 0; i < f->plan.n_steps; i++) {
		if (!fix_plan_one_end(&f->plan, i) || n++)
			continue;
		buf_str(words, "; ");
		fix_plan_say_one_end(&f->plan, i, words);
	}
	if (n > 1)
		buf_printf(words, " (nor those of %zu more)", n - 1);
}

int fixing_code(const struct fixing *f, struct buf *words)
{
	enum fixer_end end = fixer_end(f->fixer);
	size_t n = count_as_asked(f);
	bool is_other = end == FIXER_DONE && n < f->plan.n_steps, is_partly = end == FIXER_PARTLY;
	bool is_still_left = end == FIXER_NOT_REACHED && f->had_left;

	if (is_still_left)
		buf_str(words, "unreachable: what an earlier run left there is not known");
	else if (is_partly)
		buf_printf(words, in_part[f->goal], n, f->plan.n_steps);
	else if (is_other)
		buf_str(words, f->goal == FIXER_UNDO ? "not rolled back everywhere" : "not as planned everywhere");
	else if (end == FIXER_DONE && is_untouched(f))
		buf_str(words, "nothing was rolled back: every device is as before");
	else
		buf_str(words, end == FIXER_DONE ? done[f->goal] : ends[end].words);
	say_reasons(f, end, is_other || (is_partly && f->goal != FIXER_FINISH), words);
	say_one_ends(f, end, words);
	if (end != FIXER_DONE || is_other) {
		buf_str(words, "; next: ");
		if (end == FIXER_TAKEN_BACK && (f->is_unwanted || f->goal == FIXER_KEEP))
			buf_str(words, "apply the plan again, or make a new plan");
		else
			buf_printf(words, ends[is_still_left ? FIXER_DOUBT : end].next, f->plan.id);
	}
	if (*f->trouble.text)
		buf_printf(words, "; the audit could not be written: %s", f->trouble.text);
	return is_other || is_still_left ? EXIT_DOUBT : ends[end].code;
}
