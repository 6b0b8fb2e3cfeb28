#include "tui/console/fix_controller.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tui/console/make_plan.h"
#include "tui/fixing/fixing.h"
#include "tui/fixing/plans.h"
#include "tui/text/files.h"
#include "tui/text/human.h"

#define OURS	(1u << 31)	/* of a question's number: asked by a fix, not by the session */
#define OPEN_MAX 64		/* plans of earlier sessions that are listed */
#define FOLLOW_US 2000000	/* what other consoles of this user do with plans is read this often */

struct fix_controller {
	struct fix_controller_options with;
	struct session *session;
	struct write_mode arming;
	struct fix_plan plan;
	struct buf text;		/* of the plan, as its file; empty: there is none */
	char hash[FIX_HASH_SIZE];
	struct buf skipped;
	struct fixing *fixing;		/* the last thing done with the plan; its end included */
	enum fix_doing doing;
	bool has_ended;			/* as its hook says; told at the next tick */
	bool was_begun, is_rehearsed;
	struct fix_progress *steps;
	char end[512];
	bool is_bad;
	char refused[512];
	struct open_plan open[OPEN_MAX];
	size_t n_open;
	int64_t left_us;		/* of the permission, as last seen */
	int64_t seen;			/* the audit's last entry of the plan in hand that is shown */
	uint64_t audit_stamp;
	int64_t follow_us;		/* when the audit is looked at again */
	struct fix_view view;
};

static int64_t mono_us(void)
{
	return (int64_t)(uv_hrtime() / 1000);
}

/* -- the plan in hand -- */

static void put_away(struct fix_controller *d)
{
	fixing_free(d->fixing);
	d->fixing = NULL;
	fix_plan_done(&d->plan);
	buf_clear(&d->text);
	free(d->steps);
	d->steps = NULL;
	d->doing = DOING_NOTHING;
	d->was_begun = d->is_rehearsed = d->is_bad = d->has_ended = false;
	d->end[0] = d->refused[0] = '\0';
	d->seen = 0;
}

static void take_in_hand(struct fix_controller *d, struct fix_plan *p)
{
	put_away(d);
	d->plan = *p;
	fix_plan_write(&d->plan, &d->text);
	fix_plan_hash(&d->plan, d->hash);
	screens_reset(&d->with.stage->views, SCREEN_FIX);
}

static bool is_in_hand(struct fix_controller *d)
{
	if (!fix_controller_is_busy(d))
		return false;
	stage_say(d->with.stage, "A fix is in progress on 5 Fix. Keep it or roll it back first.");
	return true;
}

/* "trust-as-wanted at node3:eth3", "node3:eth3", "leaf2" */
static void plan_name(const struct intent *i, struct buf *out)
{
	struct subject about = { .finding = i->finding, .places = 1, .port = i->port };

	subject_name(&about, out);
	if (!out->n && i->device)
		buf_str(out, i->device);
}

/* On the plan's own screen the key would take a good plan away for one of its devices alone. */
static bool is_of_the_plan(struct fix_controller *d, const struct intent *i)
{
	if (i->is == INTENT_FIX_DROP || !screen_table[d->with.stage->screen]->writes_plan || !d->plan.n_steps || d->was_begun)
		return false;
	stage_say(d->with.stage, "The plan %.60s stays: %.120s. Make another one on {findings}, {ports} or {devices}.",
		  d->plan.id, d->plan.title ? d->plan.title : "");
	return true;
}

/* Without its last unit nothing is left of a plan; nothing of it was sent. */
static bool is_dropped_whole(struct fix_controller *d, const struct intent *i)
{
	if (i->is != INTENT_FIX_DROP || d->plan.n_units > 1)
		return false;
	stage_say(d->with.stage, "The plan %.60s was dropped. Nothing was sent with it.", d->plan.id);
	put_away(d);
	buf_clear(&d->skipped);
	screens_reset(&d->with.stage->views, SCREEN_FIX);
	return true;
}

static void plan(struct fix_controller *d, const struct view_of *of, const struct intent *i)
{
	struct buf skipped = { 0 }, name = { 0 };
	struct fix_plan p = { 0 };
	struct err err = { "" };
	bool ok;

	if (is_in_hand(d) || is_of_the_plan(d, i) || is_dropped_whole(d, i))
		return;
	ok = i->is == INTENT_FIX_DROP ? fixmake_without(of, &d->plan, (size_t)i->by, session_now(d->session), &p, &err) :
	     fixmake_plan(of, i, session_now(d->session), &p, &skipped, &err);
	if (ok) {
		p.verify_us = d->with.verify_us > 0 ? d->with.verify_us : p.verify_us;
		take_in_hand(d, &p);
		buf_clear(&d->skipped);
		buf_add(&d->skipped, skipped.text, skipped.n);
		stage_go(d->with.stage, SCREEN_FIX);
	} else {
		plan_name(i, &name);
		snprintf(d->refused, sizeof(d->refused), "No plan for %.100s: %.*s", name.n ? name.text : "this", (int)sizeof(d->refused) - 120,
			 err.text);
		stage_say(d->with.stage, "%s", d->refused);
	}
	buf_done(&skipped);
	buf_done(&name);
}

static void write_file(struct fix_controller *d, const struct intent *i)
{
	char *path = typed_path(i->text);
	struct err err = { "" };

	if (!i->by && access(path, F_OK) == 0)
		stage_ask_replace(d->with.stage, INTENT_PLAN_FILE, i->text);
	else if ((i->by ? file_replace : file_create)(path, buf_span(&d->text), &err)) {
		plans_note_made(&d->plan);
		stage_say(d->with.stage, "The plan was written to %s; apply it with fabcon apply.", path);
	} else
		stage_say(d->with.stage, "Not written: %s", err.text);
	free(path);
}

/* -- plans of earlier sessions -- */

static bool is_settled(const char *word)
{
	for (enum fix_state s = 0; s < FIX_STATES; s++)
		if (!strcmp(word, fix_state_word(s)))
			return fix_state_is_final(s) && s != FIX_UNKNOWN && s != FIX_MIXED;
	return false;
}

/* No audit is there before the first plan was applied; one that cannot be read says so when something is to be applied. */
static void find_open(struct fix_controller *d)
{
	d->n_open = session_is_replay(d->session) ? 0 : plans_open_list(d->open, OPEN_MAX);
}

/* By the clock of this machine's wall, into that of the countdown; one that was due is not known to run. */
static void read_timers(struct fix_controller *d)
{
	int64_t *at_us = xcalloc(d->plan.n_steps ? d->plan.n_steps : 1, sizeof(*at_us)), now_us = session_now(d->session);

	plan_timers(d->plan.id, at_us, d->plan.n_steps);
	for (size_t i = 0; i < d->plan.n_steps; i++)
		d->steps[i].undo_at_us = at_us[i] > now_us ? mono_us() + at_us[i] - now_us : 0;
	free(at_us);
}

static void read_states(struct fix_controller *d, struct audit *a)
{
	d->steps = xcalloc(d->plan.n_steps ? d->plan.n_steps : 1, sizeof(*d->steps));
	for (size_t i = 0; i < d->plan.n_steps; i++) {
		char word[32];

		audit_state(a, d->plan.id, i, word);
		for (enum fix_state s = 0; s < FIX_STATES; s++)
			if (!strcmp(word, fix_state_word(s)))
				d->steps[i].state = s;
		if (strcmp(word, AUDIT_ARMING) == 0) {
			d->steps[i].state = FIX_UNKNOWN;
			snprintf(d->steps[i].words, sizeof(d->steps[i].words), "may be armed: the arm command was not answered");
		} else if (*word && !is_settled(word))
			snprintf(d->steps[i].words, sizeof(d->steps[i].words), "as last reported; its present state must be read");
	}
}

/* The plan as the audit has it. */
static void show_record(struct fix_controller *d, struct audit *a)
{
	free(d->steps);
	d->seen = plan_last_entry(d->plan.id);
	read_states(d, a);
	read_timers(d);
	d->was_begun = true;
	d->is_rehearsed = d->is_bad = false;
	d->end[0] = '\0';
}

static void resume(struct fix_controller *d, const char *id)
{
	struct fix_plan p = { 0 };
	struct err err = { "" };
	struct audit *a = is_in_hand(d) ? NULL : audit_of_user(false, &err);
	char *text = a ? audit_plan(a, id) : NULL;

	fix_plan_init(&p);
	if (text && fix_plan_read(&p, span_of(text), &err)) {
		take_in_hand(d, &p);
		show_record(d, a);
	} else if (!fix_controller_is_busy(d)) {
		stage_say(d->with.stage, "%s: %s", id, *err.text ? err.text : "its text is not kept");
		fix_plan_done(&p);
	}
	free(text);
	audit_close(a);
}

/* -- doing something with it -- */

static void ended(void *ctx)
{
	((struct fix_controller *)ctx)->has_ended = true;
}

static void moved(void *ctx)
{
	(void)ctx;	/* a tick draws */
}

static void ask(void *ctx, unsigned id, const struct question *q)
{
	struct fix_controller *d = ctx;

	if (d->with.ask)
		d->with.ask(d->with.ctx, id | OURS, q);
	else
		fixing_answer(d->fixing, id, NULL);
}

static const enum fixer_goal goals[] = {
	[DOING_REHEARSAL] = FIXER_REHEARSE, [DOING_APPLY] = FIXER_APPLY, [DOING_LOOK] = FIXER_LOOK, [DOING_KEEP] = FIXER_KEEP,
	[DOING_FINISH] = FIXER_FINISH, [DOING_UNDO] = FIXER_UNDO,
};

/* The plan goes along as a copy: what is shown stays, whatever becomes of what is done with it. */
static void carry_out(struct fix_controller *d, enum fix_doing doing)
{
	struct fixing_hooks hooks = { .ctx = d, .changed = moved, .ask = ask, .ended = ended };
	struct fixer_options options = { .goal = goals[doing], .poller = d->with.poller, .waits = doing == DOING_APPLY,
					 .confirm_us = d->with.undo_us };
	struct fix_plan *copy = xcalloc(1, sizeof(*copy));
	struct err err = { "" };

	options.poller.known_hosts = session_known_hosts(d->session);
	fixing_free(d->fixing);
	d->fixing = NULL;
	for (size_t i = 0; d->steps && i < d->plan.n_steps; i++)
		d->steps[i].diff = NULL;	/* lent by what was freed */
	d->has_ended = false;
	d->end[0] = '\0';
	fix_plan_init(copy);
	if (fix_plan_read(copy, buf_span(&d->text), &err))
		d->fixing = fixing_begin(d->with.loop, copy, session_inventory(d->session), session_policy(d->session), &d->arming,
					 d->session, &options, &hooks, &err);
	fix_plan_done(copy);
	free(copy);
	d->doing = d->fixing ? doing : DOING_NOTHING;
	if (d->fixing)
		d->is_rehearsed = doing == DOING_REHEARSAL;
	if (d->fixing)
		return;
	stage_say(d->with.stage, "Not begun: %s", err.text);
	snprintf(d->end, sizeof(d->end), "Not begun: %.480s", err.text);	/* in whole: a status line has one row */
	d->is_bad = true;
}

static void look_at(struct fix_controller *d)
{
	if (d->text.n && d->doing == DOING_NOTHING)
		carry_out(d, fix_was_done(fix_controller_view(d)) ? DOING_LOOK : DOING_REHEARSAL);
}

/* Begins only if the plan in hand is still the one that the person was asked about; hash: of that one. */
static void begin(struct fix_controller *d, enum fix_doing doing, const char *hash)
{
	if (d->doing != DOING_NOTHING || !d->text.n)
		return;
	if (!hash || strcmp(hash, d->hash) != 0)
		stage_say(d->with.stage, "This is not the plan that you were prompted for. Nothing was sent.");
	else if (doing == DOING_APPLY && d->with.needs_signature)
		stage_say(d->with.stage, "The configuration demands a signature: {export} writes the plan; fabcon apply --signature applies it.");
	else if (write_mode_left_us(&d->arming) <= 0)
		stage_say(d->with.stage, "Read-only again: :arm REASON first. Nothing has been sent.");
	else
		carry_out(d, doing);
}

static void keep(struct fix_controller *d, const char *hash)
{
	if (d->doing == DOING_APPLY)
		fixing_keep(d->fixing);
	else
		begin(d, DOING_KEEP, hash);
}

static void undo(struct fix_controller *d, const char *hash)
{
	if (d->doing == DOING_APPLY)
		fixing_undo(d->fixing);
	else
		begin(d, DOING_UNDO, hash);
}

/* -- may it write -- */

static void arm(struct fix_controller *d, const char *reason)
{
	struct err err = { "" };

	if (!reason || !*reason)
		stage_say(d->with.stage, ":arm REASON (a ticket number or a few words): it is written to the audit.");
	else if (!write_mode_begin(&d->arming, reason, &err))
		stage_say(d->with.stage, "Read-only: %s", err.text);
	else
		stage_say(d->with.stage, "Armed for 15 minutes. Only 5 Fix changes devices; :disarm ends it.");
}

static void disarm(struct fix_controller *d)
{
	write_mode_end(&d->arming);
	d->left_us = 0;		/* it did not run out */
	stage_say(d->with.stage, fix_controller_is_busy(d)
					 ? "Read-only. A fix in progress goes on; {keep} keeps it, {undo} rolls it back."
					 : "Read-only.");
}

bool fix_controller_act(struct fix_controller *d, const struct view_of *of, const struct intent *i)
{
	switch (i->is) {
	case INTENT_PLAN:
	case INTENT_FIX_DROP:	plan(d, of, i); break;
	case INTENT_PLAN_FILE:	write_file(d, i); break;
	case INTENT_FIX_LOOK:	look_at(d); break;
	case INTENT_FIX_APPLY:	begin(d, DOING_APPLY, i->text); break;
	case INTENT_FIX_KEEP:	keep(d, i->text); break;
	case INTENT_FIX_FINISH:	begin(d, DOING_FINISH, i->text); break;
	case INTENT_FIX_UNDO:	undo(d, i->text); break;
	case INTENT_FIX_RESUME:	resume(d, i->text); break;
	case INTENT_ARM:	arm(d, i->text); break;
	case INTENT_DISARM:	disarm(d); break;
	case INTENT_ANSWER:
		if (!(i->question & OURS))
			return false;
		if (d->fixing)
			fixing_answer(d->fixing, i->question & ~OURS, i->text);
		explicit_bzero(d->with.stage->given, sizeof(d->with.stage->given));
		break;
	default:
		return false;
	}
	return true;
}

/* -- looking -- */

/* What an earlier run left stands there, with its timer, until the device has been read. */
static void look_up_step(struct fix_controller *d, size_t step)
{
	bool is_of_earlier = d->was_begun && d->doing != DOING_APPLY && d->doing != DOING_REHEARSAL;
	struct fix_progress now;

	fixing_progress(d->fixing, step, &now);
	if (is_of_earlier && now.state == FIX_PLANNED)
		return;
	if (is_of_earlier && now.state == FIX_READING && !now.undo_at_us)
		now.undo_at_us = d->steps[step].undo_at_us;
	d->steps[step] = now;
}

static void look_up(struct fix_controller *d)
{
	if (!d->fixing)
		return;
	if (!d->steps)
		d->steps = xcalloc(d->plan.n_steps ? d->plan.n_steps : 1, sizeof(*d->steps));
	for (size_t i = 0; i < d->plan.n_steps; i++)
		look_up_step(d, i);
}

/* "done at 20:10:31Z: every device is as planned": it stands there until something else is done. */
static void note_end(struct fix_controller *d, const char *words)
{
	int head = (int)strcspn(words, ":;");
	char time[HUMAN_MAX];

	snprintf(d->end, sizeof(d->end), "%.*s at %s%.400s", head, words, human_time(time, session_now(d->session)), words + head);
}

static void note_plan(struct session *s, const char *id, const char *words)
{
	char *text = xasprintf("%s: %s", id, words);

	session_note(s, "fix", text);
	free(text);
}

/* A device that was not seen to end: it may be armed, and whoever comes next keeps or undoes it. */
static bool is_any_left(const struct fix_controller *d)
{
	for (size_t i = 0; d->steps && i < d->plan.n_steps; i++) {
		enum fix_state s = d->steps[i].state;

		if (s == FIX_UNKNOWN || (!fix_state_is_final(s) && s != FIX_PLANNED && s != FIX_READING))
			return true;
	}
	return false;
}

static void settle(struct fix_controller *d)
{
	struct buf words = { 0 };
	int code;

	d->was_begun &= d->doing == DOING_REHEARSAL;
	look_up(d);
	code = fixing_code(d->fixing, &words);
	note_end(d, words.text ? words.text : "");
	d->is_bad = code != 0;
	if (d->doing != DOING_REHEARSAL) {
		d->was_begun = is_any_left(d);
		d->seen = plan_last_entry(d->plan.id);
		session_refresh(d->session, NULL);
	}
	d->doing = DOING_NOTHING;
	stage_say(d->with.stage, "%.240s", words.text ? words.text : "");
	note_plan(d->session, d->plan.id, words.text ? words.text : "");
	buf_done(&words);
	find_open(d);
}

/* A list of unfinished plans shows when one rolls back. */
static bool counts_down(const struct fix_controller *d)
{
	for (size_t i = 0; !d->text.n && i < d->n_open; i++)
		if (d->open[i].rolls_back_us > session_now(d->session))
			return true;
	return false;
}

/* Another process of this user may have gone on with a plan that is shown here. True when what is shown has changed. */
static bool follow_others(struct fix_controller *d)
{
	struct audit *a;

	if (d->doing != DOING_NOTHING || !d->session || session_is_replay(d->session) || mono_us() < d->follow_us)
		return false;
	d->follow_us = mono_us() + FOLLOW_US;
	if (!plans_have_moved(&d->audit_stamp))
		return false;
	find_open(d);
	a = d->text.n && plan_last_entry(d->plan.id) > d->seen ? audit_of_user(false, NULL) : NULL;
	if (a) {
		show_record(d, a);
		stage_say(d->with.stage, "Another run went on with this plan: shown as it reported.");
	}
	audit_close(a);
	return true;
}

bool fix_controller_tick(struct fix_controller *d)
{
	int64_t left_us = write_mode_left_us(&d->arming);
	bool is_over = d->left_us > 0 && left_us <= 0;

	if (d->has_ended && d->doing != DOING_NOTHING)
		settle(d);
	d->has_ended = false;
	d->left_us = left_us;
	if (is_over) {
		write_mode_end(&d->arming);
		stage_say(d->with.stage, "The 15 minutes are up: read-only again.");
	}
	return follow_others(d) || is_over || left_us > 0 || d->doing != DOING_NOTHING || fix_armed(&d->view) > 0 || counts_down(d);
}

const struct fix_view *fix_controller_view(struct fix_controller *d)
{
	bool has_plan = d->text.n > 0;

	if (d->doing != DOING_NOTHING)
		look_up(d);
	d->view = (struct fix_view){
		.plan = has_plan ? &d->plan : NULL,
		.hash = d->hash,
		.skipped = d->skipped.n ? d->skipped.text : NULL,
		.steps = has_plan ? d->steps : NULL,
		.is_rehearsed = d->is_rehearsed,
		.doing = d->doing,
		.was_begun = d->was_begun,
		.end = *d->end ? d->end : NULL,
		.is_bad = d->is_bad,
		.is_half_open = d->fixing && d->doing == DOING_NOTHING && fixer_end(fixing_fixer(d->fixing)) == FIXER_HALF_OPEN,
		.now_us = mono_us(),
		.armed_left_us = write_mode_left_us(&d->arming),
		.reason = d->arming.permit ? write_permit_reason(d->arming.permit) : NULL,
		.forbidden = d->arming.forbidden,
		.refused = *d->refused ? d->refused : NULL,
		.open = d->open,
		.n_open = d->n_open,
		.wall_us = d->session ? session_now(d->session) : 0,
	};
	if (d->fixing) {
		d->view.n_log = fixing_log(d->fixing, &d->view.log);
		d->view.is_waiting = d->doing == DOING_APPLY && fixer_is_waiting(fixing_fixer(d->fixing));
	}
	return &d->view;
}

/* -- beginning and ending -- */

struct fix_controller *fix_controller_new(const struct fix_controller_options *options)
{
	struct fix_controller *d = xcalloc(1, sizeof(*d));

	d->with = *options;
	return d;
}

void fix_controller_begin(struct fix_controller *d, struct session *s)
{
	fix_controller_end(d);
	d->session = s;
	d->arming.forbidden = write_mode_forbidden(session_is_replay(s), d->with.is_read_only, session_policy(s));
	find_open(d);
	if (d->with.armed_for)
		arm(d, d->with.armed_for);
	d->with.armed_for = NULL;
	if (!d->n_open)
		return;
	stage_say(d->with.stage, "%zu plan%s of an earlier session %s unfinished: {fix} shows %s.", d->n_open, d->n_open == 1 ? "" : "s",
		  d->n_open == 1 ? "is" : "are", d->n_open == 1 ? "it" : "them");
	for (size_t i = 0; i < d->n_open; i++)
		note_plan(s, d->open[i].id, d->open[i].state);
}

void fix_controller_end(struct fix_controller *d)
{
	put_away(d);
	write_mode_end(&d->arming);
}

void fix_controller_free(struct fix_controller *d)
{
	if (!d)
		return;
	fix_controller_end(d);
	buf_done(&d->text);
	buf_done(&d->skipped);
	free(d);
}

bool fix_controller_is_busy(const struct fix_controller *d)
{
	return d->doing == DOING_APPLY || d->doing == DOING_KEEP || d->doing == DOING_FINISH || d->doing == DOING_UNDO;
}

void fix_controller_take_back(struct fix_controller *d)
{
	if (d->doing == DOING_APPLY)
		fixing_undo(d->fixing);
}

void fix_controller_left_words(struct fix_controller *d, struct buf *out)
{
	const struct fix_view *f = fix_controller_view(d);
	char left[16];

	for (size_t i = 0; f->plan && f->steps && i < f->plan->n_steps; i++) {
		if (!f->steps[i].undo_at_us)
			continue;
		countdown_text(f->steps[i].undo_at_us - f->now_us, left);
		buf_printf(out, "%s rolls back by itself in %s.\n", f->plan->steps[i].device, left);
	}
}
