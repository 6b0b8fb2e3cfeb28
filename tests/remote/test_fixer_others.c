/* Two plans, or two consoles, at one device: what one has applied and not committed is not the other's, and nothing is called so. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/lib/fixlab.h"
#include "tests/lib/say.h"

#define ANOTHERS	"as planned, but by another plan, which may roll it back: locked: test@here pid 1 P-"

/* Applied and verified, its rollback timer armed, its console gone. */
static void leave_waiting(struct fixlab *s)
{
	s->options.waits = true;
	fixlab_go(s, FIXER_APPLY);
	fixlab_wait(s, fixlab_is_waiting);
	fixer_free(s->fixer);
	s->fixer = NULL;
}

static void what_another_plan_has_applied_is_not_called_committed(void **state)
{
	static const enum fixer_goal goals[] = { FIXER_LOOK, FIXER_KEEP, FIXER_FINISH };
	const char *ours;
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	leave_waiting(&s);
	ours = s.plan.id;
	s.plan.id = "P-of-bob";
	s.options.owner = "bob@console2 pid 2";
	for (size_t i = 0; i < sizeof(goals) / sizeof(*goals); i++) {
		fixlab_carry_out(&s, goals[i], FIXER_DOUBT);
		assert_state(&s, 0, FIX_UNKNOWN);
		assert_told(&s, "0 state unknown: " ANOTHERS);
		assert_told(&s, "rolls back in ");
		assert_not_told(&s, "disarm");
		assert_not_told(&s, "state kept");
	}
	s.plan.id = ours;
	fixlab_carry_out(&s, FIXER_KEEP, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	fixlab_end(&s);
}

/* Somebody sends what the plan would have sent, while the device is armed and not yet read again. */
static void another_makes_the_change(struct fixlab *s)
{
	const struct fix_step *step = &s->plan.steps[0];

	for (size_t i = 0; i < step->lines.n; i++)
		lab_tell(&s->lab, step->device, step->lines.list[i]);
}

static void who_was_refused_says_nothing_of_the_link_that_another_changes(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	s.acts_at = "state armed";
	s.acts = another_makes_the_change;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_told(&s, "0 state refused: another operator has just made this change");
	assert_state(&s, 1, FIX_PLANNED);
	assert_not_told(&s, "state half");
	assert_not_told(&s, "command");
	assert_string_equal(lab_tell(&s.lab, "leaf1", "ls -d /run/fabcon/P-* 2>/dev/null | wc -l"), "0\n");
	fixlab_end(&s);
}

/* A plan of another console has the highest lock, and is at work. */
static void carol_locks(struct fixlab *s, const char *device)
{
	char *lock = xasprintf("mkdir -p /run/fabcon/lock; read -r up rest </proc/uptime; read -r boot </proc/sys/kernel/random/boot_id; "
			       "ln -s \"carol@there pid 9|P-of-carol|0|$((${up%%%%.*} + 900))|$boot|%d\" /run/fabcon/lock/50", (int)getpid());

	lab_tell(&s->lab, device, lock);
	free(lock);
}

/* leaf1 is as planned already, and somebody else holds node1: what becomes of the link is for that one to say. */
static void a_link_whose_other_end_is_held_is_not_called_half(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	fixlab_die_at(&s, "state armed");
	another_makes_the_change(&s);
	lab_tell(&s.lab, "leaf1", "sudo sh -c 'rm -rf /run/fabcon'");
	lab_tell(&s.lab, "node1", "rm -rf /run/fabcon");
	carol_locks(&s, "node1");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_told(&s, "1 state refused: locked: carol@there pid 9 P-of-carol, lock expires in ");
	assert_not_told(&s, "state half");
	assert_not_told(&s, "command");
	fixlab_end(&s);
}

static void leave_without_a_timer(struct fixlab *s)
{
	struct run trap;

	fixlab_of_trust(s);
	s->options.without_undo = true;
	trap = LAB_CTL(&s->lab, "trap", "no-timer@node1");
	assert_int_equal(trap.code, 0);
	run_done(&trap);
	fixlab_die_at(s, "state applied");
}

static void what_was_applied_without_a_timer_is_not_called_committed(void **state)
{
	struct fixlab s;

	(void)state;
	leave_without_a_timer(&s);
	s.options.owner = "bob@console2 pid 2";
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	assert_told(&s, "0 state applied: as planned, without a rollback timer, and not committed: keep or undo it");
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_state(&s, 0, FIX_UNDONE);
	fixlab_end(&s);
}

/* Its lock has expired, and another plan is at work: nothing of ours is run in the middle of that. */
static void what_was_applied_without_a_timer_waits_for_the_plan_that_came_after(void **state)
{
	static const struct {
		enum fixer_goal goal;
		enum fixer_end end;
	} tries[] = { { FIXER_UNDO, FIXER_DOUBT }, { FIXER_KEEP, FIXER_DOUBT }, { FIXER_APPLY, FIXER_REFUSED } };
	struct fixlab s;

	(void)state;
	leave_without_a_timer(&s);
	carol_locks(&s, "node1");
	for (size_t i = 0; i < sizeof(tries) / sizeof(*tries); i++) {
		fixlab_carry_out(&s, tries[i].goal, tries[i].end);
		assert_told(&s, "locked: carol@there pid 9 P-of-carol, lock expires in ");
		assert_not_told(&s, "disarm");
		assert_not_told(&s, "command");
	}
	fixlab_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_another_plan_has_applied_is_not_called_committed),
		cmocka_unit_test(who_was_refused_says_nothing_of_the_link_that_another_changes),
		cmocka_unit_test(a_link_whose_other_end_is_held_is_not_called_half),
		cmocka_unit_test(what_was_applied_without_a_timer_is_not_called_committed),
		cmocka_unit_test(what_was_applied_without_a_timer_waits_for_the_plan_that_came_after),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
