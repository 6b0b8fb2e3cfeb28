/*
 * Plans carried out over the lab: what is done in which order, and how every device ends as it was or as planned whatever
 * comes between. The states are read back from the lab by another program than the one that made them.
 */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "remote/fixer.h"
#include "tests/lib/lab.h"

#define PATIENCE_MS	90000
#define SECOND_US	INT64_C(1000000)

struct scene {
	struct lab lab;
	struct inventory inv;
	struct policy *policy;
	struct permit *permit;
	struct fix_plan plan;
	uv_loop_t loop;
	struct fixer *fixer;
	struct fixer_options options;
	char identity[96], known_hosts[96];
	struct buf told;		/* "STEP KIND TEXT" a line, without output */
	const char *stops_at;		/* the journal fails from the event that begins so on */
	const char *acts_at;		/* when this event is told … */
	void (*acts)(struct scene *s);	/* … this is done, once */
	bool has_stopped, is_late, has_ended;
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

/* The plan that the program makes for these words. */
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

static void scene_begin(struct scene *s, const char *switches)
{
	struct err err;

	*s = (struct scene){ 0 };
	assert_true(LAB(&s->lab, "--nodes", "2", "--leaves", "1", "--switch-os", switches));
	read_inventory(s);
	s->policy = policy_builtin("roce-lossless");
	s->permit = permit_new("a test", 0, &err);
	uv_loop_init(&s->loop);
	snprintf(s->identity, sizeof(s->identity), "%s/client_key", s->lab.dir);
	snprintf(s->known_hosts, sizeof(s->known_hosts), "%s/known_hosts", s->lab.dir);
	s->options = (struct fixer_options){ .owner = "test@here pid 1",
					     .poller = { .identity = s->identity, .known_hosts = s->known_hosts,
							 .hostkey = HOSTKEY_STRICT } };
}

static void scene_end(struct scene *s)
{
	fixer_free(s->fixer);
	uv_run(&s->loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&s->loop), 0);
	fix_plan_done(&s->plan);
	policy_free(s->policy);
	permit_free(s->permit);
	inventory_done(&s->inv);
	buf_done(&s->told);
	lab_stop(&s->lab);
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
	s->fixer = fixer_new(&s->loop, &s->plan, s->policy, &s->inv, s->permit, &s->options, &hooks);
}

static void on_late(uv_timer_t *timer)
{
	((struct scene *)timer->data)->is_late = true;
}

static void wait_until(struct scene *s, bool (*is_so)(const struct scene *s))
{
	uv_timer_t guard;

	uv_timer_init(&s->loop, &guard);
	guard.data = s;
	s->is_late = false;
	uv_timer_start(&guard, on_late, PATIENCE_MS, 0);
	while (!s->is_late && !is_so(s))
		uv_run(&s->loop, UV_RUN_ONCE);
	uv_close((uv_handle_t *)&guard, NULL);
	uv_run(&s->loop, UV_RUN_NOWAIT);
	if (s->is_late)
		fail_msg("it never came:\n%s", s->told.n ? s->told.text : "");
}

static bool has_ended(const struct scene *s)
{
	return s->has_ended;
}

static bool is_waiting(const struct scene *s)
{
	return fixer_is_waiting(s->fixer);
}

static void carry_out(struct scene *s, enum fixer_goal goal, enum fixer_end end)
{
	begin(s, goal);
	wait_until(s, has_ended);
	if (fixer_end(s->fixer) != end)
		fail_msg("ended as %d, not %d:\n%s", fixer_end(s->fixer), end, s->told.text);
}

/* -- what must be so -- */

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

/* In this order, whatever stands between. */
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

/* What the lab itself says of the port: "trust": "pcp". */
static bool lab_says(const struct scene *s, const char *what)
{
	struct run r = LAB_FABCON(&s->lab, "show", "node1:eth2");
	bool is_so = r.out.n && strstr(r.out.text, what);

	run_done(&r);
	return is_so;
}

/* -- stories -- */

static void a_plan_goes_through_its_states_in_order_and_the_second_time_there_is_nothing_to_do(void **state)
{
	struct scene s;

	(void)state;
	scene_begin(&s, "sonic");
	break_it(&s, "trust-pcp", "node1", "eth2");
	read_plan(&s, "node1:eth2");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plan_goes_through_its_states_in_order_and_the_second_time_there_is_nothing_to_do),
	};

	(void)is_waiting, (void)assert_told, (void)state_of, (void)lab_says;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
