/*
 * What joins the permission to write, the audit and the recording with whoever carries a plan out. The fixer here is a
 * stand-in that does as the test says: what the real one does with devices is its own tests' business.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "remote/ssh/clock.h"
#include "tests/lib/canary.h"
#include "tests/lib/home.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tui/args/cli.h"
#include "tui/fixing/explain.h"
#include "tui/fixing/fixing.h"
#include "tui/fixing/plans.h"

/* The stand-in */

struct fixer {
	const struct fix_plan *plan;
	struct fixer_options options;
	struct fixer_hooks hooks;
	struct fix_progress steps[2];
	enum fixer_end end;
	bool was_kept, was_undone;
};

static struct fixer *fixer;	/* the one there is */

static const char *const words[FIX_STATES] = {
	"planned", "reading", "nothing to do", "armed", "applying", "applied", "verifying", "verified", "kept", "saved", "undoing",
	"undone", "refused", "not reached", "unknown", "mixed", "half",
};

const char *fix_state_says(enum fix_state s)
{
	return s == FIX_KEPT ? "committed" : fix_state_word(s);
}

const char *fix_state_word(enum fix_state s)
{
	return words[s];
}

bool fix_state_is_final(enum fix_state s)
{
	return s == FIX_NOTHING_TO_DO || (s >= FIX_KEPT && s <= FIX_SAVED) || (s >= FIX_UNDONE && s <= FIX_NOT_REACHED);
}

struct fixer *fixer_new(uv_loop_t *loop, const struct fix_plan *plan, const struct policy *policy,
			const struct inventory *inv, const struct write_permit *permit,
			const struct fixer_options *options, const struct fixer_hooks *hooks)
{
	(void)loop, (void)policy, (void)inv;
	assert_true((permit != NULL) == (options->goal != FIXER_LOOK && options->goal != FIXER_REHEARSE));
	fixer = xcalloc(1, sizeof(*fixer));
	fixer->plan = plan;
	fixer->options = *options;
	fixer->hooks = *hooks;
	return fixer;
}

void fixer_free(struct fixer *f)
{
	free(f);
}

void fixer_keep(struct fixer *f)
{
	f->was_kept = true;
}

void fixer_undo(struct fixer *f)
{
	f->was_undone = true;
}

void fixer_answer(struct fixer *f, unsigned id, const char *text)
{
	(void)f, (void)id, (void)text;
}

void fixer_progress(const struct fixer *f, size_t step, struct fix_progress *out)
{
	*out = f->steps[step];
}

bool fixer_is_waiting(const struct fixer *f)
{
	(void)f;
	return false;
}

enum fixer_end fixer_end(const struct fixer *f)
{
	return f->end;
}

static bool happens(size_t step, const char *kind, const char *text, int status, const char *output)
{
	struct fix_event e = { .plan = fixer->plan->id, .step = step, .device = fixer->plan->steps[step].device,
			       .hostkey = "ssh-ed25519 SHA256:abc", .kind = kind, .text = text, .status = status,
			       .output = span_of(output) };

	return fixer->hooks.journal(fixer->hooks.ctx, &e);
}

/* The set-up */

static void add_step(struct fix_plan *p, const char *device)
{
	struct fix_step *s = GROW(p->steps, p->n_steps, p->cap_steps);
	struct edit *e = GROW(s->edits, s->n_edits, s->cap_edits);
	char *text = xasprintf("%s eth2 trust = dscp (was pcp)", device);

	p->n_steps++;
	s->n_edits++;
	assert_true(edit_parse(span_of(text), &p->arena, e, NULL));
	free(text);
	e->why = "* * trust = dscp";
	s->device = device;
	s->platform = "linux";
	s->base = "eth2 trust pcp\n";
	s->after = "eth2 trust dscp\n";
	s->ports = "eth2";
	*GROW(s->lines.list, s->lines.n, s->lines.cap) = "mlnx_qos -i eth2 --trust=dscp";
	*GROW(s->undo.list, s->undo.n, s->undo.cap) = "mlnx_qos -i eth2 --trust=pcp";
	s->lines.n = s->undo.n = 1;
}

static void make_plan(struct fix_plan *p, const char *id)
{
	fix_plan_init(p);
	p->id = id;
	p->made_us = INT64_C(1795000000000000);
	p->fabric = "lab";
	p->policy = "roce-lossless";
	p->title = "node1 and node2 as roce-lossless wants them";
	p->verify_us = 10000000;
	add_step(p, "node1");
	add_step(p, "node2");
	*GROW(p->units, p->n_units, p->cap_units) = (struct fix_unit){ 0, 2, 1 };
	p->n_units = 1;
}

static struct write_mode armed(void)
{
	struct write_mode a = { 0 };
	struct err err = { "" };

	if (!write_mode_begin(&a, "INC-42", &err))
		fail_msg("%s", err.text);
	return a;
}

static struct fixing *try_begin(const char *id, enum fixer_goal goal, const struct write_mode *arming,
				struct session *s, struct err *err)
{
	struct fixer_options options = { .goal = goal };
	struct fixing_hooks hooks = { 0 };
	struct fixing *f;
	struct fix_plan plan;

	make_plan(&plan, id);
	f = fixing_begin(NULL, &plan, NULL, NULL, arming, s, &options, &hooks, err);
	assert_int_equal(plan.n_steps, f ? 0 : 2);	/* taken over, or still the caller's */
	fix_plan_done(&plan);
	return f;
}

static struct fixing *begin(const char *id, enum fixer_goal goal, struct session *s)
{
	struct write_mode a = armed();
	struct err err = { "" };
	struct fixing *f = try_begin(id, goal, &a, s, &err);

	if (!f)
		fail_msg("%s", err.text);
	write_mode_end(&a);
	return f;
}

static bool add_entry(void *ctx, const struct audit_entry *e)
{
	buf_printf(ctx, "%s %ld %s %s: %s (%d) %s\n", e->plan ? e->plan : "-", e->step, e->device ? e->device : "-", e->kind,
		   strcmp(e->kind, "plan") ? e->text : "its file", e->status, e->output ? e->output : "-");
	return true;
}

/* As another process reads it: what stands there is on disk. */
static void assert_audit(const char *says, bool wanted)
{
	struct audit *a = audit_of_user(false, NULL);
	struct buf all = { 0 };

	assert_non_null(a);
	assert_true(audit_each(a, 0, NULL, add_entry, &all, NULL));
	if (!strstr(all.text, says) == wanted)
		fail_msg("\"%s\" is %s in:\n%s", says, wanted ? "not" : "", all.text);
	audit_close(a);
	buf_done(&all);
}

static void assert_log(const struct fixing *f, const char *says)
{
	const char *const *lines;
	size_t n = fixing_log(f, &lines);

	for (size_t i = 0; i < n; i++)
		if (strstr(lines[i], says))
			return;
	fail_msg("no line of the log says \"%s\"", says);
}

/* -- leave to write -- */

static void a_console_that_only_reads_begins_nothing(void **state)
{
	struct write_mode a = { 0 }, replay = { .forbidden = "a replay is read-only" };
	struct err err = { "" };

	(void)state;
	assert_null(try_begin("P-1", FIXER_APPLY, &a, NULL, &err));
	assert_non_null(strstr(err.text, "read-only"));
	assert_null(try_begin("P-1", FIXER_UNDO, NULL, NULL, &err));
	assert_null(try_begin("P-1", FIXER_KEEP, &replay, NULL, &err));
	assert_string_equal(err.text, "a replay is read-only");
	assert_int_not_equal(access(audit_path(), F_OK), 0);
}

static void a_policy_that_is_only_read_refuses_whoever_is_armed(void **state)
{
	struct policy *policy = policy_read(SPAN("name night\nread-only change freeze\n"), "night.policy", NULL);
	struct fixer_options options = { .goal = FIXER_UNDO };
	struct fixing_hooks hooks = { 0 };
	struct write_mode a = armed();
	struct err err = { "" };
	struct fix_plan plan;

	(void)state;
	make_plan(&plan, "P-1");
	assert_null(fixing_begin(NULL, &plan, NULL, policy, &a, NULL, &options, &hooks, &err));
	assert_string_equal(err.text, "the policy night is read-only: change freeze");
	write_mode_end(&a);
	fix_plan_done(&plan);
	policy_free(policy);
}

static void reading_needs_no_leave_and_leaves_no_record(void **state)
{
	struct err err = { "" };
	struct fixing *f = try_begin("P-1", FIXER_REHEARSE, NULL, NULL, &err);

	(void)state;
	assert_non_null(f);
	assert_true(happens(0, "state", "reading", 0, NULL));
	fixing_free(f);
	f = try_begin("P-1", FIXER_LOOK, NULL, NULL, &err);
	assert_true(happens(0, "state", "undone: as it was", 0, NULL));
	fixing_free(f);
	assert_int_not_equal(access(audit_path(), F_OK), 0);
}

static void what_was_begun_goes_on_when_the_console_is_disarmed(void **state)
{
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);	/* is disarmed there */

	(void)state;
	assert_true(happens(0, "command", "mlnx_qos -i eth2 --trust=dscp", -1, NULL));
	fixing_undo(f);
	assert_true(fixer->was_undone);
	fixing_keep(f);
	assert_true(fixer->was_kept);
	fixing_free(f);
}

/* -- on record -- */

static void a_plan_and_each_command_are_on_disk_before_anything_goes_on(void **state)
{
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);
	struct fix_plan again;
	struct err err = { "" };

	(void)state;
	assert_audit("- -1 - arm: INC-42", true);
	assert_audit("P-1 -1 - plan: its file", true);
	assert_true(happens(0, "command", "mlnx_qos -i eth2 --trust=dscp", -1, NULL));
	assert_audit("P-1 0 node1 command: mlnx_qos -i eth2 --trust=dscp (-1)", true);
	assert_true(happens(0, "answer", "mlnx_qos -i eth2 --trust=dscp", 3, "no such device"));
	assert_audit("P-1 0 node1 answer: mlnx_qos -i eth2 --trust=dscp (3) no such device", true);
	assert_log(f, "node1 $ mlnx_qos -i eth2 --trust=dscp");
	assert_log(f, "node1 > no such device");
	assert_log(f, "node1 > status 3");
	fix_plan_init(&again);
	if (!plan_named("P-1", &again, &err))
		fail_msg("%s", err.text);
	assert_string_equal(again.steps[1].lines.list[0], "mlnx_qos -i eth2 --trust=dscp");
	fix_plan_done(&again);
	fixing_free(f);
}

/* Who was left half-way stays open until it was read, however often it is not reached or refused meanwhile. */
static void what_was_left_is_settled_by_what_was_seen_alone(void **state)
{
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);
	struct buf open = { 0 };
	char word[32];

	(void)state;
	happens(0, "state", "applying", 0, NULL);
	happens(1, "state", "refused: locked", 0, NULL);	/* of this go alone: it was never begun */
	fixing_free(f);		/* killed */
	f = begin("P-1", FIXER_APPLY, NULL);
	happens(0, "state", "refused: stale", 0, NULL);
	fixing_free(f);
	f = try_begin("P-1", FIXER_LOOK, NULL, NULL, &(struct err){ "" });
	happens(0, "state", "not reached: no route to host", 0, NULL);
	fixing_free(f);
	assert_audit("P-1 0 node1 tried: refused: stale", true);
	plans_open(&open);
	assert_string_equal(open.text, "P-1\n");
	f = begin("P-1", FIXER_UNDO, NULL);
	happens(0, "state", "undoing", 0, NULL);
	happens(0, "state", "refused: not rolled back", 0, NULL);
	fixing_free(f);
	struct audit *a = audit_of_user(false, NULL);
	audit_state(a, "P-1", 0, word);
	assert_string_equal(word, "refused");
	audit_close(a);
	buf_clear(&open);
	plans_open(&open);
	assert_int_equal(open.n, 0);
	buf_done(&open);
}

/* A change that was read at node1 between from_us and to_us. */
static bool is_explained(const char *fact, int64_t from_us, int64_t to_us, struct buf *by)
{
	struct arena arena = { 0 };
	struct setting_change c = { .from_us = from_us, .to_us = to_us };
	struct err err = { "" };
	bool is;

	if (!fact_parse(span_of(fact), &arena, &c.now, &err))
		fail_msg("%s", err.text);
	plans_explain(c.now.device, &c, 1);
	is = c.by.n > 0;
	buf_clear(by);
	buf_add(by, c.by.text, c.by.n);
	buf_done(&c.by);
	arena_done(&arena);
	return is;
}

#define PLANNED	"node1 eth2 trust = dscp"
#define BEFORE	"node1 eth2 trust = pcp"

/* A change seen by another console is explained by what the audit has of that setting, that value, and that time. */
static void a_change_is_explained_by_the_audit(void **state)
{
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);
	struct buf words = { 0 };
	int64_t began_us = clock_us(), from_us = began_us - 5 * SECOND;

	(void)state;
	happens(0, "begin", "apply", 0, NULL);
	happens(0, "state", "armed: rollback in 3 s by systemd", 0, NULL);
	assert_false(is_explained(BEFORE, began_us - 60 * SECOND, began_us - 30 * SECOND, &words));
	/* its timer ran out: back to what was before, not to what was planned */
	assert_true(is_explained(BEFORE, from_us, began_us + 5 * SECOND, &words));
	assert_true(span_starts(buf_span(&words), "rolled back by the timer of P-1 by "));
	assert_non_null(strstr(words.text, " (apply: INC-42)"));
	assert_false(is_explained(PLANNED, from_us, began_us + 5 * SECOND, &words));
	assert_false(is_explained("leaf1 eth2 trust = pcp", from_us, began_us + 5 * SECOND, &words));
	happens(0, "state", "applying", 0, NULL);
	happens(0, "command", "mlnx_qos -i eth2 --trust=dscp", -1, NULL);
	assert_true(is_explained(PLANNED, from_us, clock_us(), &words));
	assert_true(span_starts(buf_span(&words), "P-1 by "));
	/* in the same time, by hand: another setting, another port, another value */
	assert_false(is_explained("node1 eth2 pfc.on[3] = no", from_us, clock_us(), &words));
	assert_false(is_explained("node1 eth3 trust = dscp", from_us, clock_us(), &words));
	assert_false(is_explained("node1 eth2 pfc.on[4] = yes", from_us, clock_us(), &words));
	/* kept: neither the command of then, nor the keep, nor the timer explains what comes later */
	happens(0, "state", "applied", 0, NULL);
	happens(0, "disarm", "keep", -1, NULL);
	happens(0, "state", "kept", 0, NULL);
	assert_false(is_explained(BEFORE, from_us, clock_us(), &words));
	assert_false(is_explained(PLANNED, clock_us() + 3 * SECOND, clock_us() + 20 * SECOND, &words));
	assert_false(is_explained(BEFORE, clock_us() + 3 * SECOND, clock_us() + 20 * SECOND, &words));
	/* rolled back by hand, as the plan has it */
	happens(0, "state", "undoing", 0, NULL);
	happens(0, "disarm", "undo", -1, NULL);
	happens(0, "state", "undone", 0, NULL);
	assert_true(is_explained(BEFORE, from_us, clock_us(), &words));
	buf_done(&words);
	fixing_free(f);
}

static bool is_begun_with(const char *id, const char *text)
{
	struct audit *a = audit_of_user(true, NULL);
	struct audit_entry e = { .plan = id, .step = 0, .device = "node1", .kind = "state", .text = "applying" };
	struct audit_entry plan = { .plan = id, .hash = "0", .step = -1, .kind = "plan", .text = text };
	bool done;

	audit_sign(&e);
	audit_sign(&plan);
	done = audit_keep_plan(a, &plan, NULL) && audit_add(a, &e, NULL);
	e.kind = "command";
	e.text = "mlnx_qos -i eth2 --trust=dscp";
	done = done && audit_add(a, &e, NULL);
	audit_close(a);
	return done;
}

/* What a plan would set cannot be read any more: it explains nothing. */
static void a_plan_that_cannot_be_read_explains_nothing(void **state)
{
	struct buf words = { 0 };
	int64_t from_us = clock_us() - 5 * SECOND;

	(void)state;
	assert_true(is_begun_with("P-1", "{}"));
	assert_false(is_explained(PLANNED, from_us, clock_us() + SECOND, &words));
	buf_done(&words);
}

/* A kill between the arm command and its answer leaves a device that may be armed; the words of the log are those of the screens. */
static void a_plan_that_may_be_armed_is_listed(void **state)
{
	struct open_plan list[4];
	int64_t timers[2];
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	assert_int_equal(plans_open_list(list, 4), 0);
	happens(0, "arm", "lock, and arm the rollback timer", 0, NULL);
	assert_int_equal(plans_open_list(list, 4), 1);
	assert_string_equal(list[0].id, "P-1");
	assert_string_equal(list[0].devices, "node1");
	assert_string_equal(list[0].state, "node1 may be armed: not answered");
	assert_int_equal(list[0].rolls_back_us, 0);
	happens(0, "state", "armed: rollback in 598 s by systemd", 0, NULL);
	happens(0, "state", "applied", 0, NULL);
	happens(1, "arm", "lock, and arm the rollback timer", 0, NULL);
	assert_int_equal(plans_open_list(list, 4), 1);
	assert_non_null(strstr(list[0].state, "node1 applied, "));
	assert_non_null(strstr(list[0].state, " may be armed: not answered"));
	assert_true(list[0].rolls_back_us > clock_us() + 500 * SECOND && list[0].rolls_back_us <= clock_us() + 598 * SECOND);
	plan_timers("P-1", timers, 2);
	assert_int_equal(timers[0], list[0].rolls_back_us);
	assert_int_equal(timers[1], 0);
	happens(0, "state", "kept: by the device", 0, NULL);
	assert_log(f, "node1: committed: by the device");
	assert_audit("P-1 0 node1 state: kept: by the device", true);
	happens(1, "state", "undone", 0, NULL);
	assert_int_equal(plans_open_list(list, 4), 0);
	fixing_free(f);
}

/* One end of a link was committed: the timer of the other then makes half a link. Both are named, whichever is still open. */
static void the_committed_end_of_an_open_link_is_listed(void **state)
{
	struct open_plan list[4];
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		happens(i, "state", "armed: rollback in 73 s by systemd", 0, NULL);
		happens(i, "state", "verified", 0, NULL);
	}
	assert_int_equal(plans_open_list(list, 4), 1);
	assert_string_equal(list[0].state, "node1 verified, node2 verified");
	assert_string_equal(list[0].committed, "");
	assert_int_equal(list[0].half_us, 0);
	happens(0, "disarm", "keep", 0, NULL);
	assert_int_equal(plans_open_list(list, 4), 1);
	assert_string_equal(list[0].state, "node1 may be committed: not answered, node2 verified");
	happens(0, "state", "kept", 0, NULL);
	assert_int_equal(plans_open_list(list, 4), 1);
	assert_string_equal(list[0].devices, "node1, node2");
	assert_string_equal(list[0].state, "node1 committed, node2 verified");
	assert_string_equal(list[0].committed, "node1");
	assert_string_equal(list[0].half, "node2");
	assert_int_equal(list[0].half_us, list[0].rolls_back_us);
	assert_true(list[0].half_us > clock_us());
	happens(1, "state", "kept", 0, NULL);
	happens(0, "state", "unknown: not reached", 0, NULL);
	assert_int_equal(plans_open_list(list, 4), 1);
	assert_string_equal(list[0].state, "node2 committed, node1 unknown");
	fixing_free(f);
}

/* A verify has read both ends as half: the committed one has no timer, and the other the one that it was armed with last. */
static void of_half_a_link_the_timer_of_its_open_end_is_listed(void **state)
{
	struct open_plan list[4];
	int64_t timers[2];
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	happens(0, "state", "armed: rollback in 70 s by systemd", 0, NULL);
	happens(1, "state", "armed: rollback in 80 s by systemd", 0, NULL);
	happens(0, "disarm", "keep", -1, NULL);
	happens(0, "state", "kept", 0, NULL);
	fixing_free(f);		/* killed */
	f = begin("P-1", FIXER_FINISH, NULL);
	happens(1, "arm", "lock, and arm the rollback timer", -1, NULL);
	happens(1, "state", "armed: rollback in 600 s by systemd", 0, NULL);
	happens(1, "state", "applied", 0, NULL);
	fixing_free(f);		/* killed */
	f = try_begin("P-1", FIXER_LOOK, NULL, NULL, &(struct err){ "" });
	happens(0, "state", "kept: as planned and committed", 0, NULL);
	happens(0, "state", "half: committed, but node2 of the same link is as planned, rollback timer armed", 0, NULL);
	happens(1, "state", "half: as planned, rollback timer armed, but node1 of the same link is committed", 0, NULL);
	fixing_free(f);
	assert_int_equal(plans_open_list(list, 4), 1);
	assert_string_equal(list[0].devices, "node1, node2");
	assert_string_equal(list[0].state, "node1 committed, node2 half");
	assert_string_equal(list[0].committed, "node1");
	assert_string_equal(list[0].half, "node2");
	assert_true(list[0].half_us > clock_us() + 500 * SECOND);
	assert_int_equal(list[0].rolls_back_us, list[0].half_us);
	plan_timers("P-1", timers, 2);
	assert_int_equal(timers[0], 0);
	assert_int_equal(timers[1], list[0].half_us);
}

static void assert_file_has_none(const char *path)
{
	size_t n;
	char *text = file_text(path, &n);

	assert_non_null(text);
	if (canary_in((struct span){ text, n }))
		fail_msg("%s holds a secret", path);
	free(text);
}

static void no_secret_and_no_escape_sequence_is_kept(void **state)
{
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	happens(0, "answer", "show running-configuration", 0, "snmp-server community s3cr3t ro\n\033]52;c;eA==\007 end");
	assert_audit("snmp-server ****", true);
	assert_audit("s3cr3t", false);
	assert_log(f, "\\x1b]52;c;eA==\\x07 end");
	fixing_free(f);
}

/* An answer in every form of a secret: not in the audit's bytes, the recording's, the console's log, or the end's words. */
static void no_form_of_a_secret_is_kept(void **state)
{
	char *path = xasprintf("%s/canaries.fabcon", home);
	struct session_options options = { .inventory = "node[1-2]", .record = path, .is_told = true };
	struct session *s = session_live(NULL, &options, NULL, &(struct err){ "" });
	const struct canary *forms;
	struct buf seen = { 0 }, say = { 0 };
	const char *const *log;
	struct fix_progress p;
	struct fixing *f;
	size_t n;

	(void)state;
	assert_non_null(s);
	f = begin("P-1", FIXER_APPLY, s);
	forms = canary_forms(&n);
	for (size_t i = 0; i < n; i++) {
		struct buf form = { 0 };

		canary_put(&forms[i], 0, &form);
		happens(0, "answer", "show running-configuration", 1, form.text);
		fixer->steps[0] = (struct fix_progress){ .state = FIX_UNKNOWN };
		snprintf(fixer->steps[0].words, sizeof(fixer->steps[0].words), "\"a\" ended with status 1: %s", form.text);
		fixing_progress(f, 0, &p);
		fixing_say_step(&p, &say);
		for (size_t k = fixing_log(f, &log); k-- > 0;)
			buf_printf(&seen, "%s\n", log[k]);
		buf_done(&form);
	}
	assert_null(canary_in(buf_span(&seen)));
	assert_null(canary_in(buf_span(&say)));
	fixing_free(f);
	session_free(s);
	assert_file_has_none(audit_path());
	assert_file_has_none(path);
	buf_done(&seen);
	buf_done(&say);
	free(path);
}

static void nothing_goes_on_when_it_cannot_be_told(void **state)
{
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);
	struct buf said = { 0 };
	sqlite3 *db;

	(void)state;
	assert_int_equal(sqlite3_open(audit_path(), &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "DROP TABLE entry", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	assert_false(happens(0, "command", "mlnx_qos -i eth2 --trust=dscp", -1, NULL));
	fixer->end = FIXER_REFUSED;
	assert_int_equal(fixing_code(f, &said), EXIT_REFUSED);
	assert_non_null(strstr(said.text, "the audit could not be written"));
	buf_done(&said);
	fixing_free(f);
}

static void another_plan_of_the_same_name_is_refused(void **state)
{
	struct write_mode a = armed();
	struct fixer_options options = { .goal = FIXER_APPLY };
	struct fixing_hooks hooks = { 0 };
	struct fix_plan plan;
	struct err err = { "" };

	(void)state;
	fixing_free(begin("P-1", FIXER_APPLY, NULL));
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);
	assert_true(happens(0, "command", "mlnx_qos -i eth2 --trust=dscp", -1, NULL));
	fixing_free(f);
	make_plan(&plan, "P-1");
	plan.title = "something else altogether";
	assert_null(fixing_begin(NULL, &plan, NULL, NULL, &a, NULL, &options, &hooks, &err));
	assert_non_null(strstr(err.text, "another plan is named P-1"));
	fix_plan_done(&plan);
	write_mode_end(&a);
}

/* -- what was begun and not ended -- */

static void a_device_that_was_left_in_doubt_takes_no_other_plan(void **state)
{
	struct write_mode a = armed();
	struct buf open = { 0 };
	struct err err = { "" };
	struct fixing *f;

	(void)state;
	plans_not_ended(&open);
	assert_int_equal(open.n, 0);
	f = begin("P-1", FIXER_APPLY, NULL);
	happens(0, "state", "armed: undo in 600 s by systemd", 0, NULL);
	happens(1, "state", "undone", 0, NULL);
	fixing_free(f);		/* as a kill would */
	plans_not_ended(&open);
	assert_non_null(strstr(open.text, "P-1 was started and not finished (fabcon verify P-1): node1 armed "));
	assert_null(strstr(open.text, "node2"));
	assert_null(try_begin("P-2", FIXER_APPLY, &a, NULL, &err));
	assert_non_null(strstr(err.text, "node1 was left armed by P-1: verify it first (fabcon verify P-1)"));
	f = try_begin("P-1", FIXER_LOOK, NULL, NULL, &err);
	happens(0, "state", "reading", 0, NULL);
	happens(0, "state", "undone: as it was before", 0, NULL);
	fixing_free(f);
	assert_audit("P-1 0 node1 state: reading", false);
	buf_clear(&open);
	plans_not_ended(&open);
	assert_int_equal(open.n, 0);
	f = try_begin("P-2", FIXER_APPLY, &a, NULL, &err);
	assert_non_null(f);
	fixing_free(f);
	write_mode_end(&a);
	buf_done(&open);
}

/* A plan of node1 alone. */
static struct fixing *try_begin_at_node1(const char *id, const struct write_mode *arming, struct err *err)
{
	struct fixer_options options = { .goal = FIXER_APPLY };
	struct fixing_hooks hooks = { 0 };
	struct fixing *f;
	struct fix_plan plan;

	make_plan(&plan, id);
	plan.steps[1].device = "node3";
	plan.units[0].n = 1;
	*GROW(plan.units, plan.n_units, plan.cap_units) = (struct fix_unit){ 1, 1, 2 };
	plan.n_units = 2;
	f = fixing_begin(NULL, &plan, NULL, NULL, arming, NULL, &options, &hooks, err);
	fix_plan_done(&plan);
	return f;
}

static void the_other_end_of_a_link_that_is_open_takes_no_other_plan_either(void **state)
{
	struct write_mode a = armed();
	struct err err = { "" };
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	happens(0, "state", "kept", 0, NULL);
	happens(1, "state", "verified", 0, NULL);
	fixing_free(f);		/* as a kill would */
	assert_null(try_begin_at_node1("P-2", &a, &err));
	assert_string_equal(err.text, "node2 was left verified by P-1, and is the other end of a link of node1: verify it first (fabcon "
				      "verify P-1)");
	f = try_begin("P-1", FIXER_LOOK, NULL, NULL, &err);
	happens(0, "state", "half: committed, but node2 of the same link is as before", 0, NULL);
	happens(1, "state", "half: as before, but node1 of the same link is committed", 0, NULL);
	fixing_free(f);
	assert_null(try_begin_at_node1("P-2", &a, &err));
	assert_string_equal(err.text, "node1 was left half by P-1: verify it first (fabcon verify P-1)");
	write_mode_end(&a);
}

static void committed_at_both_ends(void)
{
	for (size_t i = 0; i < 2; i++) {
		happens(i, "arm", "lock, and arm the rollback timer", -1, NULL);
		happens(i, "state", "armed: rollback in 600 s by systemd", 0, NULL);
		happens(i, "state", "verified", 0, NULL);
	}
	for (size_t i = 0; i < 2; i++) {
		happens(i, "disarm", "keep", -1, NULL);
		happens(i, "state", "kept", 0, NULL);
	}
}

static void read_as_mixed(size_t mixed)
{
	struct fixing *f = try_begin("P-1", FIXER_LOOK, NULL, NULL, &(struct err){ "" });

	happens(mixed, "state", "mixed: neither as before nor as planned", 0, NULL);
	happens(1 - mixed, "state", "half: committed, but the other of the same link is neither as before nor as planned", 0, NULL);
	fixing_free(f);
}

/* Whether another plan may begin, and what is listed as not ended. */
static void assert_lets(bool lets, size_t n_open)
{
	struct write_mode a = armed();
	struct open_plan list[4];
	struct err err = { "" };
	struct fixing *f = try_begin("P-2", FIXER_APPLY, &a, NULL, &err);

	if (lets != (f != NULL))
		fail_msg("%s", lets ? err.text : "it begins");
	assert_int_equal(plans_open_list(list, 4), n_open);
	fixing_free(f);
	write_mode_end(&a);
}

/* No timer of the plan is there, all was read, and what differs is somebody's later change: the way is free for a new plan. */
static void a_link_that_was_changed_after_its_plan_ended_takes_a_new_one(void **state)
{
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	committed_at_both_ends();
	fixing_free(f);
	read_as_mixed(1);
	assert_lets(true, 0);
	/* an undo looked, and refused: nothing was sent */
	f = begin("P-1", FIXER_UNDO, NULL);
	happens(0, "state", "undoing", 0, NULL);
	happens(1, "state", "undoing", 0, NULL);
	assert_lets(false, 1);		/* not read yet */
	happens(1, "state", "mixed: neither as before nor as planned", 0, NULL);
	happens(0, "state", "refused: not rolled back", 0, NULL);
	happens(0, "state", "half: committed, but node2 of the same link is neither as before nor as planned", 0, NULL);
	fixing_free(f);
	assert_lets(true, 0);
}

static void a_link_whose_timers_may_run_takes_none(void **state)
{
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	committed_at_both_ends();
	/* one end did not answer */
	happens(0, "state", "half: committed, but node2 of the same link is as before", 0, NULL);
	happens(1, "state", "unknown: not reached", 0, NULL);
	assert_lets(false, 1);
	/* armed anew, and left; a look says what it is, and not that its timer is gone */
	happens(1, "arm", "lock, and arm the rollback timer", -1, NULL);
	fixing_free(f);
	read_as_mixed(1);
	assert_lets(false, 1);
}

static void a_link_of_which_one_end_was_never_committed_takes_none(void **state)
{
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	committed_at_both_ends();
	happens(1, "disarm", "keep", -1, NULL);
	fixing_free(f);
	read_as_mixed(1);
	assert_lets(false, 1);
	/* half without a foreign value is the plan's own business: it finishes it */
	f = begin("P-1", FIXER_FINISH, NULL);
	committed_at_both_ends();
	happens(0, "state", "half: committed, but node2 of the same link is as before", 0, NULL);
	happens(1, "state", "half: as before, but node1 of the same link is committed", 0, NULL);
	fixing_free(f);
	assert_lets(false, 1);
}

static void its_own_plan_may_be_gone_on_with(void **state)
{
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	happens(0, "state", "unknown: the session ended before the answer", 0, NULL);
	fixing_free(f);
	fixing_free(begin("P-1", FIXER_UNDO, NULL));
	fixing_free(begin("P-1", FIXER_APPLY, NULL));
}

/* -- the end, and the recording -- */

static void each_end_has_its_exit_code_and_says_of_whom(void **state)
{
	static const struct {
		enum fixer_end end;
		enum fix_state state;
		int code;
		const char *says;
	} rows[] = {
		{ FIXER_DONE, FIX_KEPT, EXIT_DONE, "every device is as planned" },
		{ FIXER_DONE, FIX_VERIFIED, EXIT_DOUBT, "not as planned everywhere; node2 verified: line 1 failed; next: run fabcon verify P-1" },
		{ FIXER_TAKEN_BACK, FIX_UNDONE, EXIT_TAKEN_BACK, "node2 undone: line 1 failed; next: remove that cause, then apply" },
		{ FIXER_DOUBT, FIX_MIXED, EXIT_DOUBT, "node2 mixed: line 1 failed; next: run fabcon verify P-1 when" },
		{ FIXER_REFUSED, FIX_REFUSED, EXIT_REFUSED, "node2 refused: line 1 failed; next: remove that reason" },
		{ FIXER_NOT_REACHED, FIX_NOT_REACHED, EXIT_NO_TARGET, "node2 not reached: line 1 failed; next: check that ssh" },
		{ FIXER_HALF, FIX_HALF, EXIT_DOUBT, "half: the two ends of a link are in different states (fabcon verify --finish); "
						    "node2 half: line 1 failed; next: run fabcon verify P-1 --finish" },
		{ FIXER_HALF_OPEN, FIX_HALF, EXIT_DOUBT, "half: neither end of a link is committed, and one is as planned without a "
		  "rollback timer; " },
		{ FIXER_HALF_TIMED, FIX_HALF, EXIT_DOUBT, "half: neither end of a link is committed, and the rollback timers end it; " },
		{ FIXER_PARTLY, FIX_UNDONE, EXIT_DOUBT, "partial: 1 of 2 devices as planned and committed; the others are not; "
							  "node2 undone: line 1 failed; next: run fabcon verify P-1, then" },
	};
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct buf said = { 0 };

		fixer->end = rows[i].end;
		fixer->steps[0].state = FIX_NOTHING_TO_DO;
		fixer->steps[1].state = rows[i].state;
		snprintf(fixer->steps[1].words, sizeof(fixer->steps[1].words), "line 1 failed");
		assert_int_equal(fixing_code(f, &said), rows[i].code);
		if (!strstr(said.text, rows[i].says) || strstr(said.text, "node1"))
			fail_msg("\"%s\" does not say \"%s\"", said.text, rows[i].says);
		buf_done(&said);
	}
	fixing_free(f);
}

/* Two units, each of one end: what was done is told with what was not. */
static void the_end_of_a_plan_with_one_end_of_a_link_says_so(void **state)
{
	static const struct {
		enum fixer_goal goal;
		enum fixer_end end;
		bool is_told;
	} rows[] = {
		{ FIXER_APPLY, FIXER_DONE, true }, { FIXER_LOOK, FIXER_DONE, true }, { FIXER_APPLY, FIXER_UNSAVED, true },
		{ FIXER_APPLY, FIXER_REFUSED, false }, { FIXER_UNDO, FIXER_DONE, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct fixer_options options = { .goal = rows[i].goal };
		struct fixing_hooks hooks = { 0 };
		struct write_mode a = armed();
		struct err err = { "" };
		struct buf said = { 0 };
		struct fix_plan plan;
		struct fixing *f;

		make_plan(&plan, "P-1");
		plan.units[0].n = 1;
		*GROW(plan.units, plan.n_units, plan.cap_units) = (struct fix_unit){ 1, 1, 2 };
		plan.n_units = 2;
		f = fixing_begin(NULL, &plan, NULL, NULL, &a, NULL, &options, &hooks, &err);
		if (!f)
			fail_msg("%s", err.text);
		fixer->end = rows[i].end;
		fixer->steps[0].state = fixer->steps[1].state = rows[i].goal == FIXER_UNDO ? FIX_UNDONE : FIX_KEPT;
		fixing_code(f, &said);
		if (!strstr(said.text, "; the other end of node1 eth2 is neither read nor changed along with it (nor those of 1 more)") ==
		    rows[i].is_told)
			fail_msg("row %zu: %s", i, said.text);
		buf_done(&said);
		fixing_free(f);
		write_mode_end(&a);
	}
}

static void observe(void)
{
	struct obs o;

	obs_init(&o, "node1", "mlnx_qos");
	o.at_us = clock_us();
	obs_number(&o, obs_port(&o, SPAN("eth2")), FIELD_MTU, 0, 9000);
	fixer->hooks.observed(fixer->hooks.ctx, &o);
	obs_done(&o);
}

static void every_command_and_its_reply_is_in_the_recording(void **state)
{
	char *path = xasprintf("%s/r.fabcon", home);
	struct session_options options = { .inventory = "node[1-2]", .record = path, .is_told = true };
	struct err err = { "" };
	struct session *s = session_live(NULL, &options, NULL, &err);
	struct fixing *f;
	sqlite3_stmt *row;
	sqlite3 *db;

	(void)state;
	if (!s)
		fail_msg("%s", err.text);
	f = begin("P-1", FIXER_APPLY, s);
	observe();	/* a recording begins with its first reply */
	happens(0, "begin", "apply", 0, NULL);
	happens(0, "command", "mlnx_qos -i eth2 --trust=dscp", -1, NULL);
	happens(0, "answer", "mlnx_qos -i eth2 --trust=dscp", 0, "Priority trust state: dscp");
	observe();
	happens(0, "state", "applied", 0, NULL);
	happens(0, "disarm", "keep", -1, NULL);
	happens(0, "state", "kept: as planned", 0, NULL);
	happens(0, "inverse", "kept", 0, NULL);
	happens(0, "begin", "rehearse", 0, NULL);
	happens(0, "begin", "look", 0, NULL);
	happens(0, "end", "in doubt", 0, NULL);
	fixing_free(f);
	session_free(s);
	assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, "SELECT device, command, outcome FROM commands", -1, &row, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(row), SQLITE_ROW);
	assert_string_equal(sqlite3_column_text(row, 0), "node1");
	assert_string_equal(sqlite3_column_text(row, 1), "mlnx_qos -i eth2 --trust=dscp");
	assert_string_equal(sqlite3_column_text(row, 2), "status 0\nPriority trust state: dscp");
	sqlite3_finalize(row);
	sqlite3_close(db);
	struct run r = RUN("fabcon", "replay", path, "events");
	char *who = xasprintf("P-1 node1: apply: INC-42, by %s: node1 and node2 as roce-lossless", audit_owner());
	if (!strstr(r.out.n ? r.out.text : "", "P-1 node1: applied") || !strstr(r.out.text, who))
		fail_msg("exit %d: %s%s", r.code, r.out.n ? r.out.text : "", r.err.n ? r.err.text : "");
	/* no word of the journal's own */
	static const char *const says[] = {
		"P-1 node1: commit\n", "P-1 node1: committed: as planned\n", "P-1 node1: undo: committed\n", "P-1 node1: dry run: INC-42, by ",
		"P-1 node1: verify: INC-42, by ", "P-1 node1: unknown\n",
	};
	for (size_t i = 0; i < sizeof(says) / sizeof(*says); i++)
		if (!strstr(r.out.text, says[i]))
			fail_msg("\"%s\" is not in: %s", says[i], r.out.text);
	run_done(&r);
	free(who);
	free(path);
}

#define STORY(f) cmocka_unit_test_setup_teardown(f, home_open, home_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		STORY(a_policy_that_is_only_read_refuses_whoever_is_armed),
		STORY(a_console_that_only_reads_begins_nothing),
		STORY(reading_needs_no_leave_and_leaves_no_record),
		STORY(what_was_begun_goes_on_when_the_console_is_disarmed),
		STORY(a_plan_and_each_command_are_on_disk_before_anything_goes_on),
		STORY(what_was_left_is_settled_by_what_was_seen_alone),
		STORY(a_plan_that_may_be_armed_is_listed),
		STORY(the_committed_end_of_an_open_link_is_listed),
		STORY(of_half_a_link_the_timer_of_its_open_end_is_listed),
		STORY(a_change_is_explained_by_the_audit),
		STORY(a_plan_that_cannot_be_read_explains_nothing),
		STORY(no_secret_and_no_escape_sequence_is_kept),
		STORY(no_form_of_a_secret_is_kept),
		STORY(nothing_goes_on_when_it_cannot_be_told),
		STORY(another_plan_of_the_same_name_is_refused),
		STORY(a_device_that_was_left_in_doubt_takes_no_other_plan),
		STORY(the_other_end_of_a_link_that_is_open_takes_no_other_plan_either),
		STORY(its_own_plan_may_be_gone_on_with),
		STORY(a_link_that_was_changed_after_its_plan_ended_takes_a_new_one),
		STORY(a_link_whose_timers_may_run_takes_none),
		STORY(a_link_of_which_one_end_was_never_committed_takes_none),
		STORY(each_end_has_its_exit_code_and_says_of_whom),
		STORY(the_end_of_a_plan_with_one_end_of_a_link_says_so),
		STORY(every_command_and_its_reply_is_in_the_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
