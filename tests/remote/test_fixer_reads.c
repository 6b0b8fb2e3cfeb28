/* The fixer against a lab whose reads come late, cut or not at all: nothing is verified or called changed by half a reply. */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/lib/fixlab.h"

/* The next reads of node1 by a tool are cut, or the device is busy. */
static void spoil(struct fixlab *s, const char *kind, const char *tool, const char *n)
{
	struct run r = LAB_CTL(&s->lab, "spoil", "node1", kind, tool, n);

	if (r.code != 0)
		fail_msg("spoil: %s", r.err.text);
	run_done(&r);
}

#define FOR_EVER	"1000000"
#define NOT_WHOLE	"the output of \"mlnx_qos\" is incomplete"

static void a_read_that_does_not_come_whole_is_read_again(void **state)
{
	static const char *const kinds[] = { "cut", "busy" };
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	for (size_t i = 0; i < 2; i++) {
		spoil(&s, kinds[i], "mlnx_qos", "3");
		fixlab_carry_out(&s, FIXER_REHEARSE, FIXER_DONE);
		spoil(&s, kinds[i], "dcb", "9");
		fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
		assert_state(&s, 0, FIX_KEPT);
		spoil(&s, kinds[i], "mlnx_qos", "3");
		fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
		assert_state(&s, 0, FIX_UNDONE);
	}
	fixlab_end(&s);
}

static void what_is_never_read_whole_is_named_and_not_touched(void **state)
{
	static const char *const kinds[] = { "cut", "busy" };
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	for (size_t i = 0; i < 2; i++) {
		spoil(&s, kinds[i], "mlnx_qos", FOR_EVER);
		fixlab_carry_out(&s, FIXER_REHEARSE, FIXER_REFUSED);
		assert_told(&s, "0 state refused: node1 eth");
		assert_told(&s, NOT_WHOLE);
		fixlab_carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
		assert_told(&s, NOT_WHOLE);
		assert_not_told(&s, "stale");
		assert_not_told(&s, "arm");
		fixlab_carry_out(&s, FIXER_LOOK, FIXER_DOUBT);
		assert_state(&s, 0, FIX_UNKNOWN);
		assert_told(&s, NOT_WHOLE);
	}
	fixlab_end(&s);
}

static void spoil_mlnx_qos_for_ever(struct fixlab *s)
{
	spoil(s, "cut", "mlnx_qos", FOR_EVER);
}

static void spoil_mlnx_qos_no_more(struct fixlab *s)
{
	spoil(s, "cut", "mlnx_qos", "0");
}

static void spoil_mlnx_qos_until_it_is_undone(struct fixlab *s)
{
	spoil_mlnx_qos_for_ever(s);
	s->acts_at = "state undoing";
	s->acts = spoil_mlnx_qos_no_more;
}

static void spoil_some_reads(struct fixlab *s)
{
	spoil(s, "busy", "mlnx_qos", "3");
}

static void what_is_not_read_whole_under_the_lock_is_not_called_changed(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	s.acts_at = "state armed";
	s.acts = spoil_mlnx_qos_for_ever;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_told(&s, "0 state refused: it could not be read again under the lock: node1 eth");
	assert_told(&s, NOT_WHOLE);
	assert_not_told(&s, "command");
	fixlab_end(&s);
}

static void what_is_not_read_whole_is_never_called_verified(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	s.acts_at = "state verifying";
	s.acts = spoil_some_reads;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
	s.options.confirm_us = 24 * SECOND;
	s.acts_at = "state verifying";
	s.acts = spoil_mlnx_qos_until_it_is_undone;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_TAKEN_BACK);
	assert_told(&s, "0 state undoing: the rollback timer expired before verification ended: node1 eth");
	assert_told(&s, NOT_WHOLE);
	assert_not_told(&s, "state verified");
	assert_state(&s, 0, FIX_UNDONE);
	fixlab_end(&s);
}

static void spoil_mlnx_qos_until_the_inverse_is_undone(struct fixlab *s)
{
	spoil_mlnx_qos_for_ever(s);
	s->acts_at = "inverse undoing";
	s->acts = spoil_mlnx_qos_no_more;
}

/* On a real kernel under load an undo was "refused: nothing was changed", while the MTU had been changed, and changed back. */
static void an_undo_that_is_not_read_whole_is_taken_back_and_said_to_be(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	s.options.confirm_us = 24 * SECOND;
	s.acts_at = "inverse verifying";
	s.acts = spoil_mlnx_qos_until_the_inverse_is_undone;
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_NOT_UNDONE);
	assert_told(&s, "0 state refused: not rolled back: ");
	assert_told(&s, NOT_WHOLE);
	assert_told(&s, "end not rolled back");
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	fixlab_end(&s);
}

/* Seen on a real kernel under load: the rest of the port was read, and the name of its RDMA device was not. */
static void context_that_was_not_reported_this_time_proves_no_change(void **state)
{
	char *base, *after;
	struct fix_step *step;
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	step = &s.plan.steps[0];
	base = xasprintf("%s# node1 eth2 bond = \"bond7\"\n", step->base);
	after = xasprintf("%s# node1 eth2 bond = \"bond7\"\n", step->after);
	step->base = base;
	step->after = after;
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DOUBT);
	assert_state(&s, 0, FIX_UNKNOWN);
	assert_told(&s, "is not known now: it was not reported this time");
	fixlab_end(&s);
	free(base);
	free(after);
}

static void who_cannot_say_who_it_is_is_asked_again(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	spoil(&s, "cut", "uname", "2");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	spoil(&s, "busy", "uname", "5");
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_not_told(&s, "no system known");
	fixlab_end(&s);
}

/* systemctl says whether the timer runs: a word that was cut is none of its words. */
static void a_timer_that_was_not_read_whole_is_not_called_gone(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	fixlab_die_at(&s, "state verified");
	for (unsigned i = 0; i < 4; i++) {
		spoil(&s, i % 2 ? "busy" : "cut", "systemctl", "3");
		fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
		assert_state(&s, 0, FIX_VERIFIED);
		assert_told(&s, "as planned, rollback timer armed");
	}
	fixlab_end(&s);
}

static void a_switch_without_checkpoints_says_which_release_has_them(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_begin_in(&s, "sonic", "keys-grouped@leaf1");
	fixlab_break(&s, "mtu-small-switch", "leaf1", "Ethernet0");
	fixlab_plan(&s, "leaf1:Ethernet0");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_told(&s, "neither checkpoints nor apply-patch: release 202111 or later is needed");
	assert_not_told(&s, "No such command");
	assert_not_told(&s, "command config");
	fixlab_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_read_that_does_not_come_whole_is_read_again),
		cmocka_unit_test(what_is_never_read_whole_is_named_and_not_touched),
		cmocka_unit_test(what_is_not_read_whole_under_the_lock_is_not_called_changed),
		cmocka_unit_test(what_is_not_read_whole_is_never_called_verified),
		cmocka_unit_test(an_undo_that_is_not_read_whole_is_taken_back_and_said_to_be),
		cmocka_unit_test(context_that_was_not_reported_this_time_proves_no_change),
		cmocka_unit_test(who_cannot_say_who_it_is_is_asked_again),
		cmocka_unit_test(a_timer_that_was_not_read_whole_is_not_called_gone),
		cmocka_unit_test(a_switch_without_checkpoints_says_which_release_has_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
