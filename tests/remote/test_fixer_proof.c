/* The fixer against the lab with plans whose steps are not what their edits and the device give: nothing is armed, nothing is sent. */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/fixlab.h"

/* Refused, with these words; neither lock nor timer nor a line was sent. */
static void assert_refused(struct fixlab *s, enum fixer_goal goal, const char *words)
{
	struct fix_progress p;

	fixlab_carry_out(s, goal, FIXER_REFUSED);
	fixer_progress(s->fixer, 0, &p);
	assert_int_equal(p.state, FIX_REFUSED);
	if (!strstr(p.words, words))
		fail_msg("no \"%s\" in: %s", words, p.words);
	assert_not_told(s, "arm");
	assert_not_told(s, "command");
}

static void a_line_or_an_undo_of_another_hand_is_refused_before_anything_is_armed(void **state)
{
	struct fixlab s;
	const char *line, *undo;

	(void)state;
	fixlab_of_trust(&s);
	line = s.plan.steps[0].lines.list[0];
	undo = s.plan.steps[0].undo.list[0];
	s.plan.steps[0].lines.list[0] = "touch /root/canary";
	assert_refused(&s, FIXER_REHEARSE, "line 1 of the plan is \"touch /root/canary\"; the device and the edits give \"mlnx_qos");
	assert_refused(&s, FIXER_APPLY, "line 1 of the plan is \"touch /root/canary\"");
	s.plan.steps[0].lines.list[0] = line;
	s.plan.steps[0].undo.list[0] = "touch /root/canary";
	assert_refused(&s, FIXER_APPLY, "undo line 1 of the plan");
	s.plan.steps[0].undo.list[0] = undo;
	s.plan.units[0].n = 1;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	fixlab_end(&s);
}

/* Another console in the middle of its change may be why a plan cannot be made now (a link is down for a moment): it is named. */
static void who_holds_the_device_is_told_with_what_cannot_be_made_now(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	fixlab_die_at(&s, "state applying");
	s.plan.id = "P-of-bob";
	s.plan.steps[0].lines.list[0] = "touch /root/canary";
	s.options.owner = "bob@console2 pid 2";
	assert_refused(&s, FIXER_REHEARSE, "line 1 of the plan is \"touch /root/canary\"");
	assert_refused(&s, FIXER_APPLY, "locked: test@here pid 1");
	fixlab_end(&s);
}

/* What keep still sends is the save. */
static void a_save_of_another_hand_is_not_sent_by_keep(void **state)
{
	struct fixlab s;
	struct fix_lines *save;

	(void)state;
	fixlab_of_trust(&s);
	s.options.waits = true;
	fixlab_go(&s, FIXER_APPLY);
	fixlab_wait(&s, fixlab_is_waiting);
	fixer_free(s.fixer);
	s.fixer = NULL;
	save = &s.plan.steps[0].save;
	*GROW(save->list, save->n, save->cap) = "touch /root/canary";
	save->n++;
	assert_refused(&s, FIXER_KEEP, "save line 1 of the plan is \"touch /root/canary\"");
	save->n--;
	fixlab_carry_out(&s, FIXER_KEEP, FIXER_DONE);
	fixlab_end(&s);
}

/* The device happens to be as the plan wants it: what the plan says was there before it is its author's word. */
static void what_nobody_has_applied_is_not_undone(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_of_trust(&s);
	lab_tell(&s.lab, "node1", "mlnx_qos -i eth2 --trust dscp");
	s.options.was_applied = false;
	assert_refused(&s, FIXER_UNDO, "neither the device nor the audit here has a record that this plan was applied");
	assert_not_told(&s, "command");
	s.options.was_applied = true;
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
	fixlab_end(&s);
}

/* A base that the edits do not lead away from was never there. */
static void a_kept_change_is_not_led_back_to_a_base_of_another_hand(void **state)
{
	struct fixlab s;
	struct fix_progress p;

	(void)state;
	fixlab_of_trust(&s);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	s.plan.steps[0].base = s.plan.steps[0].after;
	for (size_t i = 0; i < s.plan.steps[0].n_edits; i++)
		s.plan.steps[0].edits[i].want = s.plan.steps[0].edits[i].was;
	fixlab_go(&s, FIXER_UNDO);
	fixlab_wait(&s, fixlab_has_ended);
	fixer_progress(s.fixer, 0, &p);
	assert_not_told(&s, "0 command");
	if (!strstr(p.words, "the plan's edits do not lead from its base"))
		fail_msg("%s", p.words);
	fixlab_end(&s);
}

/* rdma_cm has no folder for the device yet: what stands in none is not known, and is planned as absent. */
static void a_setting_that_has_no_place_yet_is_planned_and_proved(void **state)
{
	struct fixlab s;

	(void)state;
	fixlab_begin_in(&s, "os10", "configfs-bare");
	fixlab_plan(&s, "node1:eth2");
	assert_int_equal(s.plan.steps[0].edits[0].field, FIELD_TOS_CMA);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	fixlab_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_or_an_undo_of_another_hand_is_refused_before_anything_is_armed),
		cmocka_unit_test(who_holds_the_device_is_told_with_what_cannot_be_made_now),
		cmocka_unit_test(a_save_of_another_hand_is_not_sent_by_keep),
		cmocka_unit_test(what_nobody_has_applied_is_not_undone),
		cmocka_unit_test(a_kept_change_is_not_led_back_to_a_base_of_another_hand),
		cmocka_unit_test(a_setting_that_has_no_place_yet_is_planned_and_proved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
