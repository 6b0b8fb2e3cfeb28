#include "tests/lib/fixlab.h"

#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PATIENCE_MS	600000	/* an apply takes a minute on a machine with load 40 */

/* The fixer of a test that fails is ended first: the next test would meet it on its devices. The words are made before. */
/* What a device was read as, where the plan expected otherwise. */
static void print_diffs(const struct fixlab *s)
{
	struct fix_progress p;

	for (size_t i = 0; s->fixer && i < s->plan.n_steps; i++) {
		fixer_progress(s->fixer, i, &p);
		if (p.diff)
			print_error("step %zu differs:\n%s\n", i, p.diff);
	}
}

#define FAIL(s, ...) \
	do { \
		print_error(__VA_ARGS__); \
		print_diffs(s); \
		fixer_free((s)->fixer); \
		fail(); \
	} while (0)

static void read_inventory(struct fixlab *s)
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
void fixlab_plan(struct fixlab *s, const char *target)
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
	s->plan.verify_us = SECOND / 2;
}

void fixlab_break(struct fixlab *s, const char *fault, const char *device, const char *port)
{
	struct run r = LAB_CTL(&s->lab, "fault", "add", fault, device, port);

	if (r.code != 0)
		fail_msg("fault %s: %s", fault, r.err.text);
	run_done(&r);
}

/* skin: "NAME@DEVICE", or NULL. */
void fixlab_begin_in(struct fixlab *s, const char *switches, const char *skin)
{
	struct err err;

	*s = (struct fixlab){ 0 };
	assert_true(LAB(&s->lab, "--nodes", "2", "--leaves", "1", "--switch-os", switches, skin ? "--skin" : NULL, skin));
	read_inventory(s);
	s->policy = policy_builtin("roce-lossless");
	s->permit = write_permit_new("a test", 0, &err);
	s->loop = &s->own_loop;
	uv_loop_init(s->loop);
	snprintf(s->identity, sizeof(s->identity), "%s/client_key", s->lab.dir);
	snprintf(s->known_hosts, sizeof(s->known_hosts), "%s/known_hosts", s->lab.dir);
	s->options = (struct fixer_options){ .owner = "test@here pid 1", .was_applied = true,
					     .poller = { .identity = s->identity, .known_hosts = s->known_hosts,
							 .hostkey = HOSTKEY_STRICT } };
}

void fixlab_begin(struct fixlab *s, const char *switches)
{
	fixlab_begin_in(s, switches, NULL);
}

void fixlab_end(struct fixlab *s)
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
void fixlab_of_trust(struct fixlab *s)
{
	fixlab_begin(s, "sonic");
	fixlab_break(s, "trust-pcp", "node1", "eth2");
	fixlab_plan(s, "node1:eth2");
}

/* -- running -- */

static void act_at(struct fixlab *s, struct span event)
{
	void (*acts)(struct fixlab *s) = s->acts;

	if (!acts || !span_starts(event, s->acts_at))
		return;
	s->acts = NULL;
	acts(s);
}

static void observed(void *ctx, struct obs *o)
{
	struct buf line = { 0 };

	buf_printf(&line, "observed %s", o->probe);
	act_at(ctx, buf_span(&line));
	buf_done(&line);
}

static bool journal(void *ctx, const struct fix_event *e)
{
	struct fixlab *s = ctx;
	struct buf line = { 0 };

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
	act_at(s, buf_span(&line));
	buf_done(&line);
	return !s->has_stopped;
}

static void ended(void *ctx)
{
	((struct fixlab *)ctx)->has_ended = true;
}

static void changed(void *ctx)
{
	(void)ctx;
}

void fixlab_go(struct fixlab *s, enum fixer_goal goal)
{
	struct fixer_hooks hooks = { .ctx = s, .journal = journal, .observed = observed, .changed = changed, .ended = ended };

	fixer_free(s->fixer);
	buf_clear(&s->told);
	s->has_ended = false;
	s->options.goal = goal;
	s->fixer = fixer_new(s->loop, &s->plan, s->policy, &s->inv, s->permit, &s->options, &hooks);
}

void fixlab_trap(struct fixlab *s, const char *trap)
{
	struct run r = LAB_CTL(&s->lab, "trap", trap);

	assert_int_equal(r.code, 0);
	run_done(&r);
}

void fixlab_elapse(struct fixlab *s, const char *device)
{
	struct run r = LAB_CTL(&s->lab, "elapse", device);

	if (r.code != 0)
		fail_msg("elapse %s: %s", device, r.err.text);
	run_done(&r);
}

void fixlab_restart(struct fixlab *s, const char *device, const char *down_ms)
{
	struct run r = LAB_CTL(&s->lab, "reboot", device, down_ms);

	assert_int_equal(r.code, 0);
	run_done(&r);
}

char *fixlab_saved(const struct fixlab *s, const char *device)
{
	struct run r = LAB_CTL(&s->lab, "setup", device, "saved");
	char *text = xstrdup(r.code == 0 && r.out.text ? r.out.text : "");

	run_done(&r);
	return text;
}

static void on_late(uv_timer_t *timer)
{
	((struct fixlab *)timer->data)->is_late = true;
}

void fixlab_wait(struct fixlab *s, bool (*is_so)(const struct fixlab *s))
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
		FAIL(s, "it never came:\n%s", s->told.n ? s->told.text : "");
}

bool fixlab_has_ended(const struct fixlab *s)
{
	return s->has_ended;
}

bool fixlab_is_to_die(const struct fixlab *s)
{
	return s->is_to_die || s->has_ended;
}

bool fixlab_is_waiting(const struct fixlab *s)
{
	return fixer_is_waiting(s->fixer);
}

/* Stops as kill -9 would, when this event is on disk. */
void fixlab_die_at(struct fixlab *s, const char *at)
{
	s->dies_at = at;
	s->is_to_die = false;
	fixlab_go(s, FIXER_APPLY);
	fixlab_wait(s, fixlab_is_to_die);
	if (!s->is_to_die)
		FAIL(s, "it ended before %s:\n%s", at, s->told.text);
	s->dies_at = NULL;
	fixer_free(s->fixer);
	s->fixer = NULL;
}

void fixlab_carry_out(struct fixlab *s, enum fixer_goal goal, enum fixer_end end)
{
	fixlab_go(s, goal);
	fixlab_wait(s, fixlab_has_ended);
	if (fixer_end(s->fixer) != end)
		FAIL(s, "ended as %d, not %d:\n%s", fixer_end(s->fixer), end, s->told.text);
}

/* -- both ends of a link -- */

/* Both ends of the link of node1 have PFC on priority 4: a plan of two steps in one unit, the switch first. */
void fixlab_of_link(struct fixlab *s, const char *switches, const char *switch_port)
{
	char *fault = xasprintf("pfc-wrong-switch@leaf1:%s", switch_port);

	fixlab_begin(s, switches);
	fixlab_break(s, fault, NULL, NULL);
	fixlab_break(s, "pfc-wrong-host@node1:eth2", NULL, NULL);
	free(fault);
	fixlab_plan(s, NULL);
	assert_int_equal(s->plan.n_units, 1);
	assert_int_equal(s->plan.n_steps, 2);
	assert_string_equal(s->plan.steps[0].device, "leaf1");
}

static void stop_sending(struct fixlab *s)
{
	s->has_stopped = true;
}

void fixlab_die_before(struct fixlab *s, const char *at)
{
	s->acts_at = at;
	s->acts = stop_sending;
	fixlab_die_at(s, at);
	s->has_stopped = false;
}

/* -- assertions -- */

void assert_told(const struct fixlab *s, const char *text)
{
	if (!s->told.n || !strstr(s->told.text, text))
		FAIL(s, "not told: %s\nbut:\n%s", text, s->told.n ? s->told.text : "nothing");
}

void assert_not_told(const struct fixlab *s, const char *text)
{
	if (s->told.n && strstr(s->told.text, text))
		FAIL(s, "told: %s\nin:\n%s", text, s->told.text);
}

/* In this order, with anything in between. */
void assert_told_in_order(const struct fixlab *s, const char *const *texts)
{
	const char *at = s->told.text;

	for (; *texts; texts++) {
		const char *next = strstr(at, *texts);

		if (!next)
			FAIL(s, "not told, or not in its order: %s\nbut:\n%s", *texts, s->told.text);
		at = next + strlen(*texts);
	}
}

enum fix_state fixlab_state(const struct fixlab *s, size_t step)
{
	struct fix_progress p;

	fixer_progress(s->fixer, step, &p);
	return p.state;
}

void assert_state(const struct fixlab *s, size_t step, enum fix_state state)
{
	struct fix_progress p;

	fixer_progress(s->fixer, step, &p);
	if (p.state != state)
		FAIL(s, "step %zu is %s: %s; not %s\n%s", step, fix_state_word(p.state), p.words, fix_state_word(state), s->told.text);
}
