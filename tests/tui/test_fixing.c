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
#include "tests/lib/stand_in_fixer.h"
#include "tests/lib/text.h"
#include "tui/args/cli.h"
#include "tui/fixing/explain.h"
#include "tui/fixing/fixing.h"
#include "tui/fixing/plans.h"

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
		{ FIXER_HALF, FIX_HALF, EXIT_DOUBT, "half: only one end of a link is committed or as planned (fabcon verify --finish); "
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

/* Nothing failed: there is no cause that would have to be removed. */
static void what_was_rolled_back_on_request_may_be_applied_again(void **state)
{
	struct fixing *f = begin("P-1", FIXER_APPLY, NULL);
	struct buf said = { 0 };

	(void)state;
	fixing_undo(f);
	fixer->end = FIXER_TAKEN_BACK;
	fixer->steps[0].state = fixer->steps[1].state = FIX_UNDONE;
	assert_int_equal(fixing_code(f, &said), EXIT_TAKEN_BACK);
	assert_says(said.text, "; next: apply the plan again, or make a new plan");
	buf_done(&said);
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
		if (!strstr(said.text, "; the other end of node1 eth2 is not part of this plan (nor those of 1 more)") ==
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
		STORY(a_change_is_explained_by_the_audit),
		STORY(a_plan_that_cannot_be_read_explains_nothing),
		STORY(no_secret_and_no_escape_sequence_is_kept),
		STORY(no_form_of_a_secret_is_kept),
		STORY(nothing_goes_on_when_it_cannot_be_told),
		STORY(another_plan_of_the_same_name_is_refused),
		STORY(each_end_has_its_exit_code_and_says_of_whom),
		STORY(what_was_rolled_back_on_request_may_be_applied_again),
		STORY(the_end_of_a_plan_with_one_end_of_a_link_says_so),
		STORY(every_command_and_its_reply_is_in_the_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
