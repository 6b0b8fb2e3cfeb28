/*
 * The fixer against the lab: the order of what is sent, and that every device ends as before or as planned whatever happens in
 * between. Locks, timers and rollbacks run in the lab's own shells.
 */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "remote/fixer/fixer.h"
#include "tests/lib/lab.h"

#define PATIENCE_MS	90000
#define SECOND_US	INT64_C(1000000)

struct scene {
	struct lab lab;
	struct inventory inv;
	struct policy *policy;
	struct write_permit *permit;
	struct fix_plan plan;
	uv_loop_t own_loop, *loop;
	struct fixer *fixer;
	struct fixer_options options;
	char identity[96], known_hosts[96];
	struct buf told;		/* the journal, a line "STEP KIND TEXT" per event, without output */
	const char *stops_at;		/* the journal fails from the first event that begins like this */
	const char *acts_at;		/* when this event is journaled ... */
	void (*acts)(struct scene *s);	/* ... this is called, once */
	const char *dies_at;
	bool has_stopped, is_late, has_ended, is_to_die;
};

static void read_inventory(struct scene *s)
{
	struct err err;
	size_t size;
	char *text = file_text(s->lab.inventory, &size);

	inventory_init(&s->inv);
	if (!inventory_read(&s->inv, (struct span){ text, size }, s->lab.inventory, &err))
		fail_msg("%s", err.text);
	free(text);
}

/* The plan that the program makes for this target. */
static void read_plan(struct scene *s, const char *target)
{
	char path[128];
	struct err err;
	size_t size;

	snprintf(path, sizeof(path), "%s/plan.json", s->lab.dir);
	unlink(path);
	struct run r = target ? LAB_FABCON(&s->lab, "plan", target, "-O", path) : LAB_FABCON(&s->lab, "plan", "-O", path);
	char *text = file_text(path, &size);
	if (r.code != 0 || !text)
		fail_msg("no plan: %d %s %s", r.code, r.out.text, r.err.text);
	run_done(&r);
	fix_plan_init(&s->plan);
	if (!fix_plan_read(&s->plan, (struct span){ text, size }, &err))
		fail_msg("%s", err.text);
	free(text);
	s->plan.verify_us = SECOND_US / 2;
}

static void break_it(struct scene *s, const char *fault, const char *device, const char *port)
{
	struct run r = LAB_CTL(&s->lab, "fault", "add", fault, device, port);

	if (r.code != 0)
		fail_msg("fault %s: %s", fault, r.err.text);
	run_done(&r);
}

/* skin: "NAME@DEVICE", or NULL. */
static void scene_begin_in(struct scene *s, const char *switches, const char *skin)
{
	struct err err;

	*s = (struct scene){ 0 };
	assert_true(LAB(&s->lab, "--nodes", "2", "--leaves", "1", "--switch-os", switches, skin ? "--skin" : NULL, skin));
	read_inventory(s);
	s->policy = policy_builtin("roce-lossless");
	s->permit = write_permit_new("a test", 0, &err);
	s->loop = &s->own_loop;
	uv_loop_init(s->loop);
	snprintf(s->identity, sizeof(s->identity), "%s/client_key", s->lab.dir);
	snprintf(s->known_hosts, sizeof(s->known_hosts), "%s/known_hosts", s->lab.dir);
	s->options = (struct fixer_options){ .owner = "test@here pid 1",
					     .poller = { .identity = s->identity, .known_hosts = s->known_hosts,
							 .hostkey = HOSTKEY_STRICT } };
}

static void scene_begin(struct scene *s, const char *switches)
{
	scene_begin_in(s, switches, NULL);
}

static void scene_end(struct scene *s)
{
	fixer_free(s->fixer);
	uv_run(s->loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(s->loop), 0);
	fix_plan_done(&s->plan);
	policy_free(s->policy);
	write_permit_free(s->permit);
	inventory_done(&s->inv);
	buf_done(&s->told);
	lab_stop(&s->lab);
}

/* A host port that trusts the wrong marking, and the plan that fixes it. */
static void scene_of_trust(struct scene *s)
{
	scene_begin(s, "sonic");
	break_it(s, "trust-pcp", "node1", "eth2");
	read_plan(s, "node1:eth2");
}

/* -- running -- */

static bool journal(void *ctx, const struct fix_event *e)
{
	struct scene *s = ctx;
	struct buf line = { 0 };
	void (*acts)(struct scene *s) = s->acts;

	assert_string_equal(e->plan, s->plan.id);
	buf_printf(&line, "%s %s", e->kind, e->text);
	if (e->status)
		buf_printf(&line, " (%d)", e->status);
	s->has_stopped |= s->stops_at && span_starts(buf_span(&line), s->stops_at);
	if (!s->has_stopped) {
		if (e->step != SIZE_MAX)
			buf_printf(&s->told, "%zu ", e->step);
		buf_printf(&s->told, "%s\n", line.text);
	}
	s->is_to_die |= s->dies_at && span_starts(buf_span(&line), s->dies_at);
	if (acts && span_starts(buf_span(&line), s->acts_at)) {
		s->acts = NULL;
		acts(s);
	}
	buf_done(&line);
	return !s->has_stopped;
}

static void ended(void *ctx)
{
	((struct scene *)ctx)->has_ended = true;
}

static void changed(void *ctx)
{
	(void)ctx;
}

static void begin(struct scene *s, enum fixer_goal goal)
{
	struct fixer_hooks hooks = { .ctx = s, .journal = journal, .changed = changed, .ended = ended };

	fixer_free(s->fixer);
	buf_clear(&s->told);
	s->has_ended = false;
	s->options.goal = goal;
	s->fixer = fixer_new(s->loop, &s->plan, s->policy, &s->inv, s->permit, &s->options, &hooks);
}

static void on_late(uv_timer_t *timer)
{
	((struct scene *)timer->data)->is_late = true;
}

static void wait_until(struct scene *s, bool (*is_so)(const struct scene *s))
{
	uv_timer_t guard;

	uv_timer_init(s->loop, &guard);
	guard.data = s;
	s->is_late = false;
	uv_timer_start(&guard, on_late, PATIENCE_MS, 0);
	while (!s->is_late && !is_so(s))
		uv_run(s->loop, UV_RUN_ONCE);
	uv_close((uv_handle_t *)&guard, NULL);
	uv_run(s->loop, UV_RUN_NOWAIT);
	if (s->is_late)
		fail_msg("it never came:\n%s", s->told.n ? s->told.text : "");
}

static bool has_ended(const struct scene *s)
{
	return s->has_ended;
}

static bool is_to_die(const struct scene *s)
{
	return s->is_to_die || s->has_ended;
}

static bool is_waiting(const struct scene *s)
{
	return fixer_is_waiting(s->fixer);
}

/* Stops as kill -9 would, when this event is on disk. */
static void begin_and_die(struct scene *s, const char *at)
{
	s->dies_at = at;
	s->is_to_die = false;
	begin(s, FIXER_APPLY);
	wait_until(s, is_to_die);
	if (!s->is_to_die)
		fail_msg("it ended before %s:\n%s", at, s->told.text);
	s->dies_at = NULL;
	fixer_free(s->fixer);
	s->fixer = NULL;
}

static void carry_out(struct scene *s, enum fixer_goal goal, enum fixer_end end)
{
	begin(s, goal);
	wait_until(s, has_ended);
	if (fixer_end(s->fixer) != end)
		fail_msg("ended as %d, not %d:\n%s", fixer_end(s->fixer), end, s->told.text);
}

/* -- assertions -- */

static void assert_told(const struct scene *s, const char *text)
{
	if (!s->told.n || !strstr(s->told.text, text))
		fail_msg("not told: %s\nbut:\n%s", text, s->told.n ? s->told.text : "nothing");
}

static void assert_not_told(const struct scene *s, const char *text)
{
	if (s->told.n && strstr(s->told.text, text))
		fail_msg("told: %s\nin:\n%s", text, s->told.text);
}

/* In this order, with anything in between. */
static void assert_told_in_order(const struct scene *s, const char *const *texts)
{
	const char *at = s->told.text;

	for (; *texts; texts++) {
		const char *next = strstr(at, *texts);

		if (!next)
			fail_msg("not told, or not in its order: %s\nbut:\n%s", *texts, s->told.text);
		at = next + strlen(*texts);
	}
}
#define ASSERT_ORDER(s, ...) assert_told_in_order((s), (const char *const[]){ __VA_ARGS__, NULL })

static enum fix_state state_of(const struct scene *s, size_t step)
{
	struct fix_progress p;

	fixer_progress(s->fixer, step, &p);
	return p.state;
}

static void assert_state(const struct scene *s, size_t step, enum fix_state state)
{
	struct fix_progress p;

	fixer_progress(s->fixer, step, &p);
	if (p.state != state)
		fail_msg("step %zu is %s: %s; not %s\n%s", step, fix_state_word(p.state), p.words, fix_state_word(state), s->told.text);
}

/* -- stories -- */

static void a_plan_goes_through_its_states_in_order_and_the_second_time_there_is_nothing_to_do(void **state)
{
	struct scene s;

	(void)state;
	scene_of_trust(&s);
	carry_out(&s, FIXER_REHEARSE, FIXER_DONE);
	assert_state(&s, 0, FIX_PLANNED);
	assert_not_told(&s, "command");
	carry_out(&s, FIXER_APPLY, FIXER_DONE);
	ASSERT_ORDER(&s, "begin apply\n", "0 arm ", "0 answer ", "0 state armed: undo in 6", "0 state applying\n",
		     "0 command mlnx_qos -i eth2 --trust dscp (-1)\n", "0 answer mlnx_qos -i eth2 --trust dscp\n", "0 state applied\n",
		     "0 state verifying\n", "0 state verified\n", "0 disarm keep (-1)\n", "0 answer keep\n", "0 state kept", "end done\n");
	assert_state(&s, 0, FIX_KEPT);
	carry_out(&s, FIXER_LOOK, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_NOTHING_TO_DO);
	assert_not_told(&s, "command");
	assert_not_told(&s, "arm");
	scene_end(&s);
}

static void a_device_that_was_changed_since_is_refused_with_the_difference(void **state)
{
	struct scene s;
	struct fix_progress p;

	(void)state;
	scene_begin(&s, "sonic");
	break_it(&s, "pfc-extra-prio", "node1", "eth2");
	read_plan(&s, "node1:eth2");
	break_it(&s, "pfc-off-host", "node1", "eth2");
	carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	fixer_progress(s.fixer, 0, &p);
	assert_int_equal(p.state, FIX_REFUSED);
	assert_non_null(strstr(p.words, "stale"));
	assert_non_null(p.diff);
	assert_non_null(strstr(p.diff, "pfc.on[3]"));
	assert_not_told(&s, "arm");
	scene_end(&s);
}

static void what_another_has_locked_is_not_touched(void **state)
{
	struct scene s;

	(void)state;
	scene_of_trust(&s);
	begin_and_die(&s, "state applying");
	s.plan.id = "P-of-bob";
	s.options.owner = "bob@console2 pid 2";
	carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_told(&s, "0 state refused: locked: test@here pid 1");
	assert_not_told(&s, "command");
	scene_end(&s);
}

static void what_waits_is_kept_when_that_is_said(void **state)
{
	struct scene s;

	(void)state;
	scene_of_trust(&s);
	s.options.waits = true;
	begin(&s, FIXER_APPLY);
	wait_until(&s, is_waiting);
	assert_state(&s, 0, FIX_VERIFIED);
	fixer_keep(s.fixer);
	wait_until(&s, has_ended);
	assert_int_equal(fixer_end(s.fixer), FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	scene_end(&s);
}

static void what_waits_is_taken_back_when_that_is_said_or_when_nothing_is(void **state)
{
	struct scene s;

	(void)state;
	scene_of_trust(&s);
	s.options.waits = true;
	begin(&s, FIXER_APPLY);
	wait_until(&s, is_waiting);
	fixer_undo(s.fixer);
	wait_until(&s, has_ended);
	assert_int_equal(fixer_end(s.fixer), FIXER_TAKEN_BACK);
	assert_state(&s, 0, FIX_UNDONE);
	ASSERT_ORDER(&s, "0 state verified", "0 state undoing", "0 disarm undo", "0 state undone", "end taken back");
	s.options.confirm_us = 10 * SECOND_US;
	carry_out(&s, FIXER_APPLY, FIXER_TAKEN_BACK);
	assert_told(&s, "0 state undone: nobody said keep in time");
	carry_out(&s, FIXER_LOOK, FIXER_DONE);
	assert_state(&s, 0, FIX_UNDONE);
	scene_end(&s);
}

static void what_was_kept_is_taken_back_by_a_plan_of_its_own(void **state)
{
	struct scene s;

	(void)state;
	scene_of_trust(&s);
	carry_out(&s, FIXER_APPLY, FIXER_DONE);
	carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_state(&s, 0, FIX_UNDONE);
	assert_told(&s, "0 command mlnx_qos -i eth2 --trust pcp");
	carry_out(&s, FIXER_LOOK, FIXER_DONE);
	assert_state(&s, 0, FIX_UNDONE);
	carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_not_told(&s, "command");
	scene_end(&s);
}

/* "saved" is only reported for what was saved, and no checkpoint is left on the switch. */
static void what_is_kept_and_not_saved_is_said_so_and_leaves_no_checkpoint(void **state)
{
	struct scene s;
	const char *text;

	(void)state;
	scene_begin(&s, "sonic");
	break_it(&s, "mtu-small-switch", "leaf1", "Ethernet0");
	read_plan(&s, "leaf1:Ethernet0");
	s.options.skips_save = true;
	carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	text = lab_tell(&s.lab, "leaf1", "sudo config list-checkpoints");
	if (!strstr(text, "[]"))
		fail_msg("left behind: %s", text);
	s.options.skips_save = false;
	carry_out(&s, FIXER_KEEP, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	assert_told(&s, "0 state kept: it had been kept before, saved or not");
	carry_out(&s, FIXER_UNDO, FIXER_DONE);
	carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_SAVED);
	assert_told(&s, "0 command config save -y");
	assert_true(strstr(lab_tell(&s.lab, "leaf1", "sudo config list-checkpoints"), "[]") != NULL);
	scene_end(&s);
}

/* The query of lock and timer needs no permit; nor does it on a switch CLI. */
static void who_only_looks_hears_what_is_armed_too(void **state)
{
	static const char *const switches[] = { "sonic", "os10" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct write_permit *permit;
		struct scene s;

		scene_begin(&s, switches[i]);
		break_it(&s, "mtu-small-switch", "leaf1", i ? "ethernet1/1/1" : "Ethernet0");
		read_plan(&s, i ? "leaf1:ethernet1/1/1" : "leaf1:Ethernet0");
		begin_and_die(&s, "state verified");
		permit = s.permit;
		s.permit = NULL;
		carry_out(&s, FIXER_LOOK, FIXER_DONE);
		assert_state(&s, 0, FIX_VERIFIED);
		assert_told(&s, "0 state verified: as planned, and armed");
		s.permit = permit;
		carry_out(&s, FIXER_UNDO, FIXER_DONE);
		s.permit = NULL;
		carry_out(&s, FIXER_LOOK, FIXER_DONE);
		assert_state(&s, 0, FIX_UNDONE);
		s.permit = permit;
		scene_end(&s);
	}
}

/* The inverse plan is armed, too: until it is decided, the device may change once more. */
static void who_dies_while_leading_back_leaves_what_nobody_calls_undone(void **state)
{
	struct scene s;

	(void)state;
	scene_of_trust(&s);
	carry_out(&s, FIXER_APPLY, FIXER_DONE);
	s.options.confirm_us = 25 * SECOND_US;
	s.dies_at = "inverse verified";
	s.is_to_die = false;
	begin(&s, FIXER_UNDO);
	wait_until(&s, is_to_die);
	assert_true(s.is_to_die && !s.has_ended);
	fixer_free(s.fixer);
	s.fixer = NULL;
	s.dies_at = NULL;
	carry_out(&s, FIXER_LOOK, FIXER_DOUBT);
	assert_told(&s, "0 state unknown: as before, but an undo of it is on its way: test@here pid 1 P-");
	carry_out(&s, FIXER_UNDO, FIXER_DOUBT);
	assert_not_told(&s, "0 state undone");
	do {
		begin(&s, FIXER_LOOK);
		wait_until(&s, has_ended);
	} while (state_of(&s, 0) != FIX_KEPT);
	carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_state(&s, 0, FIX_UNDONE);
	scene_end(&s);
}

static void set_trap(struct scene *s, const char *text)
{
	struct run r = LAB_CTL(&s->lab, "trap", text);

	if (r.code != 0)
		fail_msg("trap %s: %s", text, r.err.text);
	run_done(&r);
}

static void what_cannot_be_armed_is_changed_if_that_is_wished_and_taken_back_by_us(void **state)
{
	struct scene s;

	(void)state;
	scene_of_trust(&s);
	set_trap(&s, "no-timer@node1");
	carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_told(&s, "0 state refused: no timer could be started");
	s.options.without_undo = s.options.waits = true;
	set_trap(&s, "no-timer@node1");
	begin(&s, FIXER_APPLY);
	wait_until(&s, is_waiting);
	assert_told(&s, "0 state armed: without a timer");
	fixer_undo(s.fixer);
	wait_until(&s, has_ended);
	assert_int_equal(fixer_end(s.fixer), FIXER_TAKEN_BACK);
	assert_state(&s, 0, FIX_UNDONE);
	assert_told(&s, "0 disarm undo");
	s.options.waits = false;
	set_trap(&s, "no-timer@node1");
	carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	scene_end(&s);
}

/* A PFC change takes the link down for a moment: our own session must not depend on that port. */
static void the_port_that_our_session_comes_in_by_is_touched_only_when_it_is_named(void **state)
{
	struct scene s;

	(void)state;
	scene_of_trust(&s);
	set_trap(&s, "in-band@node1");
	carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_told(&s, "our own session comes in by eth2");
	assert_not_told(&s, "command");
	s.options.management = "node2 eth2";
	carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_not_told(&s, "command");
	s.options.management = "node1 eth2";
	carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	scene_end(&s);
}

static char *saved_on(const struct scene *s, const char *device)
{
	struct run r = LAB_CTL(&s->lab, "setup", device, "saved");
	char *text = xstrdup(r.code == 0 && r.out.text ? r.out.text : "");

	run_done(&r);
	return text;
}

static void assert_still_saved(const struct scene *s, const char *device, const char *was)
{
	char *is = saved_on(s, device);

	assert_string_equal(is, was);
	free(is);
}

/* Saving writes the whole configuration, including changes that others made before apply or before undo. */
static void what_somebody_else_has_not_saved_is_not_saved_by_us(void **state)
{
	struct scene s;
	char *saved;

	(void)state;
	scene_begin(&s, "os10");
	break_it(&s, "mtu-small-switch@leaf1:ethernet1/1/2", NULL, NULL);
	read_plan(&s, "mtu-fits@leaf1");
	break_it(&s, "config-unsaved@leaf1", NULL, NULL);
	saved = saved_on(&s, "leaf1");
	assert_true(*saved && s.plan.steps[0].save.n);
	carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_told(&s, "0 state kept: it had changes before that nobody has saved");
	assert_still_saved(&s, "leaf1", saved);
	carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_told(&s, "0 state undone: by its undo commands, verified; it had changes before that nobody has saved");
	assert_not_told(&s, "write memory");
	assert_still_saved(&s, "leaf1", saved);
	free(saved);
	scene_end(&s);
}

/* -- reads that do not come whole -- */

/* The next reads of node1 by a tool are cut, or the device is busy. */
static void spoil(struct scene *s, const char *kind, const char *tool, const char *n)
{
	struct run r = LAB_CTL(&s->lab, "spoil", "node1", kind, tool, n);

	if (r.code != 0)
		fail_msg("spoil: %s", r.err.text);
	run_done(&r);
}

#define FOR_EVER	"1000000"
#define NOT_WHOLE	"the answer to \"mlnx_qos\" did not come whole"

static void a_read_that_does_not_come_whole_is_read_again(void **state)
{
	static const char *const kinds[] = { "cut", "busy" };
	struct scene s;

	(void)state;
	scene_of_trust(&s);
	for (size_t i = 0; i < 2; i++) {
		spoil(&s, kinds[i], "mlnx_qos", "3");
		carry_out(&s, FIXER_REHEARSE, FIXER_DONE);
		spoil(&s, kinds[i], "dcb", "9");
		carry_out(&s, FIXER_APPLY, FIXER_DONE);
		assert_state(&s, 0, FIX_KEPT);
		spoil(&s, kinds[i], "mlnx_qos", "3");
		carry_out(&s, FIXER_UNDO, FIXER_DONE);
		assert_state(&s, 0, FIX_UNDONE);
	}
	scene_end(&s);
}

static void what_is_never_read_whole_is_named_and_not_touched(void **state)
{
	static const char *const kinds[] = { "cut", "busy" };
	struct scene s;

	(void)state;
	scene_of_trust(&s);
	for (size_t i = 0; i < 2; i++) {
		spoil(&s, kinds[i], "mlnx_qos", FOR_EVER);
		carry_out(&s, FIXER_REHEARSE, FIXER_REFUSED);
		assert_told(&s, "0 state refused: node1 eth");
		assert_told(&s, NOT_WHOLE);
		carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
		assert_told(&s, NOT_WHOLE);
		assert_not_told(&s, "stale");
		assert_not_told(&s, "arm");
		carry_out(&s, FIXER_LOOK, FIXER_DOUBT);
		assert_state(&s, 0, FIX_UNKNOWN);
		assert_told(&s, NOT_WHOLE);
	}
	scene_end(&s);
}

static void spoil_mlnx_qos_for_ever(struct scene *s)
{
	spoil(s, "cut", "mlnx_qos", FOR_EVER);
}

static void spoil_mlnx_qos_no_more(struct scene *s)
{
	spoil(s, "cut", "mlnx_qos", "0");
}

static void spoil_mlnx_qos_until_it_is_undone(struct scene *s)
{
	spoil_mlnx_qos_for_ever(s);
	s->acts_at = "state undoing";
	s->acts = spoil_mlnx_qos_no_more;
}

static void spoil_some_reads(struct scene *s)
{
	spoil(s, "busy", "mlnx_qos", "3");
}

static void what_is_not_read_whole_under_the_lock_is_not_called_changed(void **state)
{
	struct scene s;

	(void)state;
	scene_of_trust(&s);
	s.acts_at = "state armed";
	s.acts = spoil_mlnx_qos_for_ever;
	carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_told(&s, "0 state refused: it could not be read again under the lock: node1 eth");
	assert_told(&s, NOT_WHOLE);
	assert_not_told(&s, "command");
	scene_end(&s);
}

static void what_is_not_read_whole_is_never_called_verified(void **state)
{
	struct scene s;

	(void)state;
	scene_of_trust(&s);
	s.acts_at = "state verifying";
	s.acts = spoil_some_reads;
	carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	carry_out(&s, FIXER_UNDO, FIXER_DONE);
	s.options.confirm_us = 15 * SECOND_US;
	s.acts_at = "state verifying";
	s.acts = spoil_mlnx_qos_until_it_is_undone;
	carry_out(&s, FIXER_APPLY, FIXER_TAKEN_BACK);
	assert_told(&s, "0 state undoing: its time was over before it was verified: node1 eth");
	assert_told(&s, NOT_WHOLE);
	assert_not_told(&s, "state verified");
	assert_state(&s, 0, FIX_UNDONE);
	scene_end(&s);
}

static void who_cannot_say_who_it_is_is_asked_again(void **state)
{
	struct scene s;

	(void)state;
	scene_of_trust(&s);
	spoil(&s, "cut", "uname", "2");
	carry_out(&s, FIXER_APPLY, FIXER_DONE);
	spoil(&s, "busy", "uname", "5");
	carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_not_told(&s, "no system known");
	scene_end(&s);
}

/* systemctl says whether the timer runs: a word that was cut is none of its words. */
static void a_timer_that_was_not_read_whole_is_not_called_gone(void **state)
{
	struct scene s;

	(void)state;
	scene_of_trust(&s);
	begin_and_die(&s, "state verified");
	for (unsigned i = 0; i < 4; i++) {
		spoil(&s, i % 2 ? "busy" : "cut", "systemctl", "3");
		carry_out(&s, FIXER_LOOK, FIXER_DONE);
		assert_state(&s, 0, FIX_VERIFIED);
		assert_told(&s, "as planned, and armed");
	}
	scene_end(&s);
}

static void a_switch_without_checkpoints_says_which_release_has_them(void **state)
{
	struct scene s;

	(void)state;
	scene_begin_in(&s, "sonic", "keys-grouped@leaf1");
	break_it(&s, "mtu-small-switch", "leaf1", "Ethernet0");
	read_plan(&s, "leaf1:Ethernet0");
	carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_told(&s, "neither checkpoints nor apply-patch: release 202111 or later is needed");
	assert_not_told(&s, "No such command");
	assert_not_told(&s, "command config");
	scene_end(&s);
}

/* -- the end -- */

static void restart_leaf1(struct scene *s)
{
	struct run r = LAB_CTL(&s->lab, "reboot", "leaf1");

	assert_int_equal(r.code, 0);
	run_done(&r);
}

/* The device restarted: reading it again shows whether the saved configuration has the change. */
static void what_starts_again_before_it_has_saved_is_not_called_kept(void **state)
{
	struct scene s;

	(void)state;
	scene_begin(&s, "os10");
	break_it(&s, "mtu-small-switch", "leaf1", "ethernet1/1/1");
	read_plan(&s, "leaf1:ethernet1/1/1");
	s.acts_at = "command write memory";
	s.acts = restart_leaf1;
	carry_out(&s, FIXER_APPLY, FIXER_TAKEN_BACK);
	ASSERT_ORDER(&s, "0 state kept", "0 state applied: no keep is on record there any more",
		     "0 state undone: it was kept, and the device started again before it was saved");
	carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_SAVED);
	scene_end(&s);
}

/* Wherever the journal fails: nothing is sent that is not on disk, and what was begun ends by itself. */
static void a_journal_that_cannot_be_written_ends_in_before_or_after(void **state)
{
	static const struct {
		const char *at;
		enum fixer_end end;
		enum fix_state state;
	} stops[] = {
		{ "begin", FIXER_REFUSED, FIX_REFUSED },
		{ "arm", FIXER_REFUSED, FIX_REFUSED },
		{ "state armed", FIXER_TAKEN_BACK, FIX_UNDONE },
		{ "command mlnx_qos", FIXER_TAKEN_BACK, FIX_UNDONE },
		{ "answer mlnx_qos", FIXER_TAKEN_BACK, FIX_UNDONE },
		{ "state verified", FIXER_TAKEN_BACK, FIX_UNDONE },
		{ "disarm keep", FIXER_TAKEN_BACK, FIX_UNDONE },
		{ "answer keep", FIXER_DONE, FIX_KEPT },
	};
	struct scene s;

	(void)state;
	scene_of_trust(&s);
	s.options.confirm_us = 12 * SECOND_US;
	for (size_t i = 0; i < sizeof(stops) / sizeof(*stops); i++) {
		s.has_stopped = false;
		s.stops_at = stops[i].at;
		begin(&s, FIXER_APPLY);
		wait_until(&s, has_ended);
		if (fixer_end(s.fixer) != stops[i].end || state_of(&s, 0) != stops[i].state)
			fail_msg("journal stops at %s: end %d, state %s", stops[i].at, fixer_end(s.fixer), fix_state_word(state_of(&s, 0)));
	}
	scene_end(&s);
}

static void whenever_we_die_the_device_ends_as_it_was_or_as_planned(void **state)
{
	static const char *const at[] = {
		"arm", "answer lock", "state armed", "command mlnx_qos", "answer mlnx_qos", "state verifying", "disarm keep", "answer keep",
	};
	struct scene s;

	(void)state;
	scene_of_trust(&s);
	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++) {
		s.options.confirm_us = (strstr(at[i], "keep") ? 12 : 3) * SECOND_US;	/* long enough to verify before the timer fires */
		begin_and_die(&s, at[i]);
		do {
			carry_out(&s, FIXER_LOOK, FIXER_DONE);
		} while (!fix_state_is_final(state_of(&s, 0)));
		if (!strstr(at[i], "keep") && state_of(&s, 0) != FIX_UNDONE)
			fail_msg("died at %s: %s", at[i], s.told.text);
		if (!strcmp(at[i], "answer keep"))
			assert_state(&s, 0, FIX_KEPT);
		if (state_of(&s, 0) == FIX_KEPT)	/* keep reached the device before we died */
			carry_out(&s, FIXER_UNDO, FIXER_DONE);
	}
	scene_end(&s);
}

/* A rollback takes minutes on a switch: reads in between show neither before nor after. */
static void an_undo_that_takes_long_is_waited_for(void **state)
{
	struct scene s;
	char *slow;

	(void)state;
	scene_of_trust(&s);
	slow = xasprintf("sleep 9; %s", s.plan.steps[0].undo.list[0]);
	s.plan.steps[0].undo.list[0] = slow;
	s.options.confirm_us = 8 * SECOND_US;
	s.stops_at = "disarm keep";	/* verified, but keep cannot be sent any more */
	begin(&s, FIXER_APPLY);
	wait_until(&s, has_ended);
	assert_int_equal(fixer_end(s.fixer), FIXER_TAKEN_BACK);
	assert_state(&s, 0, FIX_UNDONE);
	free(slow);
	scene_end(&s);
}

static void assert_undo_has_ended(struct scene *s)
{
	const char *text = lab_tell(&s->lab, "node1", "for i in /run/fabcon/P-*; do readlink $i/undone || echo \"runs\"; done");

	if (strcmp(text, "0\n") != 0)
		fail_msg("called undone while its undo %s", text);
}

/* The first line has brought everything back, and others follow. */
static void while_an_undo_runs_nothing_is_called_undone(void **state)
{
	struct scene s;
	char *slow;

	(void)state;
	scene_of_trust(&s);
	slow = xasprintf("%s; sleep 7", s.plan.steps[0].undo.list[0]);
	s.plan.steps[0].undo.list[0] = slow;
	s.options.confirm_us = 8 * SECOND_US;
	s.stops_at = "disarm keep";
	s.acts_at = "state undone";
	s.acts = assert_undo_has_ended;
	carry_out(&s, FIXER_APPLY, FIXER_TAKEN_BACK);
	assert_null(s.acts);
	free(slow);
	scene_end(&s);
}

/* One is as before already; what was kept on the other can only be taken back by what is journaled first. */
static void an_undo_that_cannot_be_journaled_is_not_called_done(void **state)
{
	struct scene s;

	(void)state;
	scene_begin(&s, "sonic");
	break_it(&s, "trust-pcp@node1:eth2", NULL, NULL);
	break_it(&s, "trust-pcp@node2:eth2", NULL, NULL);
	read_plan(&s, "trust-as-wanted");
	assert_int_equal(s.plan.n_steps, 2);
	carry_out(&s, FIXER_APPLY, FIXER_DONE);
	lab_tell(&s.lab, s.plan.steps[0].device, "mlnx_qos -i eth2 --trust pcp");
	s.stops_at = "state undone";
	begin(&s, FIXER_UNDO);
	wait_until(&s, has_ended);
	assert_int_equal(fixer_end(s.fixer), FIXER_PARTLY);
	assert_state(&s, 0, FIX_UNDONE);
	assert_state(&s, 1, FIX_REFUSED);
	scene_end(&s);
}

static void what_is_as_planned_but_still_armed_is_verified_and_kept_by_the_next_go(void **state)
{
	struct scene s;

	(void)state;
	scene_of_trust(&s);
	begin_and_die(&s, "state verified");
	carry_out(&s, FIXER_LOOK, FIXER_DONE);
	assert_state(&s, 0, FIX_VERIFIED);
	carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_not_told(&s, "command");
	assert_state(&s, 0, FIX_KEPT);
	begin_and_die(&s, "end");
	carry_out(&s, FIXER_KEEP, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	assert_told(&s, "0 state applied: as planned");
	assert_not_told(&s, "state verified");	/* it was read, and not verified */
	scene_end(&s);
}

static void two_fixers_of_one_process_do_not_meet_on_a_device(void **state)
{
	struct scene s, other;

	(void)state;
	scene_of_trust(&s);
	s.options.waits = true;
	begin(&s, FIXER_APPLY);
	wait_until(&s, is_waiting);
	other = s;
	other.fixer = NULL;
	other.told = (struct buf){ 0 };
	other.has_ended = false;
	begin(&other, FIXER_APPLY);
	wait_until(&other, has_ended);
	assert_int_equal(fixer_end(other.fixer), FIXER_REFUSED);
	assert_told(&other, "another plan from here");
	fixer_free(other.fixer);
	buf_done(&other.told);
	scene_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plan_goes_through_its_states_in_order_and_the_second_time_there_is_nothing_to_do),
		cmocka_unit_test(a_device_that_was_changed_since_is_refused_with_the_difference),
		cmocka_unit_test(what_another_has_locked_is_not_touched),
		cmocka_unit_test(what_waits_is_kept_when_that_is_said),
		cmocka_unit_test(what_waits_is_taken_back_when_that_is_said_or_when_nothing_is),
		cmocka_unit_test(what_was_kept_is_taken_back_by_a_plan_of_its_own),
		cmocka_unit_test(what_is_kept_and_not_saved_is_said_so_and_leaves_no_checkpoint),
		cmocka_unit_test(who_only_looks_hears_what_is_armed_too),
		cmocka_unit_test(who_dies_while_leading_back_leaves_what_nobody_calls_undone),
		cmocka_unit_test(what_cannot_be_armed_is_changed_if_that_is_wished_and_taken_back_by_us),
		cmocka_unit_test(the_port_that_our_session_comes_in_by_is_touched_only_when_it_is_named),
		cmocka_unit_test(what_somebody_else_has_not_saved_is_not_saved_by_us),
		cmocka_unit_test(a_read_that_does_not_come_whole_is_read_again),
		cmocka_unit_test(what_is_never_read_whole_is_named_and_not_touched),
		cmocka_unit_test(what_is_not_read_whole_under_the_lock_is_not_called_changed),
		cmocka_unit_test(what_is_not_read_whole_is_never_called_verified),
		cmocka_unit_test(who_cannot_say_who_it_is_is_asked_again),
		cmocka_unit_test(a_timer_that_was_not_read_whole_is_not_called_gone),
		cmocka_unit_test(a_switch_without_checkpoints_says_which_release_has_them),
		cmocka_unit_test(what_starts_again_before_it_has_saved_is_not_called_kept),
		cmocka_unit_test(a_journal_that_cannot_be_written_ends_in_before_or_after),
		cmocka_unit_test(whenever_we_die_the_device_ends_as_it_was_or_as_planned),
		cmocka_unit_test(an_undo_that_takes_long_is_waited_for),
		cmocka_unit_test(while_an_undo_runs_nothing_is_called_undone),
		cmocka_unit_test(an_undo_that_cannot_be_journaled_is_not_called_done),
		cmocka_unit_test(what_is_as_planned_but_still_armed_is_verified_and_kept_by_the_next_go),
		cmocka_unit_test(two_fixers_of_one_process_do_not_meet_on_a_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
