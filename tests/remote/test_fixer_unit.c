/*
 * The link is the unit of commit: no end is committed before both can be, and no end alone is kept or rolled back while the state of
 * the other is not known.
 */
#include "tests/lib/say.h"

#include "tests/lib/fixlab.h"

static void assert_both(const struct fixlab *s, enum fix_state state)
{
	assert_state(s, 0, state);
	assert_state(s, 1, state);
}

static void reboot_node1(struct fixlab *s, const char *down_ms)
{
	fixlab_restart(s, "node1", down_ms);
}

/* When both ends are verified: node1 cannot be reached again for a while, and has forgotten its timer then. */
static void restart_node1(struct fixlab *s)
{
	if (strstr(s->told.text, "0 state verified") && strstr(s->told.text, "1 state verified"))
		reboot_node1(s, "15000");
	else
		s->acts = restart_node1;
}

static void no_end_is_committed_before_each_is_prepared(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	ASSERT_ORDER(&s, "0 state verified", "disarm keep");
	ASSERT_ORDER(&s, "1 state verified", "0 disarm keep", "0 answer keep", "0 state kept", "1 disarm keep", "1 answer keep", "1 state kept");
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DONE);
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_both(&s, FIX_UNDONE);
	fixlab_end(&s);
}

static void while_one_end_cannot_be_reached_the_other_is_not_committed(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	s.acts_at = "state verified";
	s.acts = restart_node1;
	fixlab_go(&s, FIXER_APPLY);
	fixlab_wait(&s, fixlab_has_ended);
	assert_not_told(&s, "disarm keep");
	assert_both(&s, FIX_UNDONE);
	fixlab_end(&s);
}

static void an_end_that_cannot_be_reached_is_unknown_while_the_other_is_committed(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	reboot_node1(&s, "300000");
	fixlab_carry_out(&s, FIXER_LOOK, FIXER_DOUBT);
	assert_state(&s, 1, FIX_UNKNOWN);
	assert_told(&s, "leaf1 of the same link is committed");
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DOUBT);
	assert_not_told(&s, "command");
	assert_told(&s, "0 state refused: not rolled back: the state of node1 of the same link is not known");
	fixlab_end(&s);
}

static void a_committed_end_is_not_rolled_back_where_the_other_was_changed_since(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	lab_tell(&s.lab, "node1", "mlnx_qos -i eth2 --pfc 0,0,0,1,0,1,0,0");
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DOUBT);
	assert_not_told(&s, "command");
	assert_told(&s, "0 state refused: not rolled back: node1 of the same link was changed since");
	assert_state(&s, 1, FIX_MIXED);
	fixlab_end(&s);
}

static void restart_node1_shortly(struct fixlab *s)
{
	reboot_node1(s, "3000");
}

/* fabcon keep, of what was read as planned a moment ago: before the first commit neither end gets one, after it the half link is named. */
static void what_restarts_while_it_is_kept_is_not_called_committed(void **state)
{
	static const struct {
		const char *at;
		enum fixer_end end;
	} restarts[] = { { "state applied: as planned", FIXER_TAKEN_BACK }, { "disarm keep", FIXER_HALF } };

	(void)state;
	for (size_t i = 0; i < sizeof(restarts) / sizeof(*restarts); i++) {
		struct fixlab s;

		fixlab_of_link(&s, "sonic", "Ethernet0");
		s.options.confirm_us = 120 * SECOND;
		fixlab_die_before(&s, "disarm keep");
		s.acts_at = restarts[i].at;
		s.acts = restart_node1_shortly;
		fixlab_carry_out(&s, FIXER_KEEP, restarts[i].end);
		assert_null(s.acts);
		assert_not_told(&s, "1 state kept");
		fixlab_end(&s);
	}
}

static void one_end_alone_is_not_kept(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	s.options.waits = true;
	s.options.confirm_us = 120 * SECOND;
	fixlab_die_at(&s, "state verified");
	s.options.waits = false;
	lab_tell(&s.lab, "node1", "mlnx_qos -i eth2 --pfc 0,0,0,0,1,0,0,0");
	fixlab_carry_out(&s, FIXER_KEEP, FIXER_HALF_TIMED);
	assert_not_told(&s, "disarm keep");
	fixlab_end(&s);
}

static void without_any_commit_the_timers_roll_both_ends_back(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "sonic", "Ethernet0");
	s.options.confirm_us = 120 * SECOND;
	fixlab_die_before(&s, "disarm keep");
	do {
		fixlab_elapse(&s, "leaf1");
		fixlab_elapse(&s, "node1");
		fixlab_go(&s, FIXER_LOOK);
		fixlab_wait(&s, fixlab_has_ended);
	} while (fixlab_state(&s, 0) != FIX_UNDONE || fixlab_state(&s, 1) != FIX_UNDONE);
	assert_int_equal(fixer_end(s.fixer), FIXER_DONE);
	fixlab_end(&s);
}

/* The plan's file is changed by hand, so that each end is a batch of its own. */
static void the_two_ends_of_a_link_are_not_taken_apart(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_link(&s, "os10", "ethernet1/1/1");
	*GROW(s.plan.units, s.plan.n_units, s.plan.cap_units) = (struct fix_unit){ .first = 1, .n = 1, .wave = 2 };
	s.plan.n_units = 2;
	s.plan.units[0].n = 1;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_REFUSED);
	assert_told(&s, "in two units");
	assert_not_told(&s, "arm");
	fixlab_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_two_ends_of_a_link_are_not_taken_apart),
		cmocka_unit_test(no_end_is_committed_before_each_is_prepared),
		cmocka_unit_test(while_one_end_cannot_be_reached_the_other_is_not_committed),
		cmocka_unit_test(an_end_that_cannot_be_reached_is_unknown_while_the_other_is_committed),
		cmocka_unit_test(a_committed_end_is_not_rolled_back_where_the_other_was_changed_since),
		cmocka_unit_test(what_restarts_while_it_is_kept_is_not_called_committed),
		cmocka_unit_test(one_end_alone_is_not_kept),
		cmocka_unit_test(without_any_commit_the_timers_roll_both_ends_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
