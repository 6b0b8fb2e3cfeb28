/* The table of a device's states and transitions: complete, unambiguous, and without a dead end. */
#include "tests/lib/say.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "remote/fixer/state.h"

static bool leads(enum fix_device_state from, enum fix_device_event event)
{
	for (size_t i = 0; i < n_fix_transitions; i++)
		if (fix_transitions[i].from == from && fix_transitions[i].event == event)
			return true;
	return false;
}

/* A final state is compared with the others of its unit, once, at the end of the run. */
static bool is_of_unit(enum fix_device_event event)
{
	return event == EVENT_UNIT_HALF || event == EVENT_UNIT_DOUBTED;
}

static size_t ways_out(enum fix_device_state s)
{
	size_t n = 0;

	for (size_t i = 0; i < n_fix_transitions; i++)
		n += fix_transitions[i].from == s && fix_transitions[i].to != s && !is_of_unit(fix_transitions[i].event);
	return n;
}

/* Marks what is reached from a marked state; false when nothing was added. */
static bool spread(bool reached[DEV_STATES])
{
	bool has_grown = false;

	for (size_t i = 0; i < n_fix_transitions; i++) {
		has_grown |= reached[fix_transitions[i].from] && !reached[fix_transitions[i].to];
		reached[fix_transitions[i].to] |= reached[fix_transitions[i].from];
	}
	return has_grown;
}

/* Marks what leads to a marked state. */
static bool spread_back(bool leads_there[DEV_STATES])
{
	bool has_grown = false;

	for (size_t i = 0; i < n_fix_transitions; i++) {
		has_grown |= leads_there[fix_transitions[i].to] && !leads_there[fix_transitions[i].from];
		leads_there[fix_transitions[i].from] |= leads_there[fix_transitions[i].to];
	}
	return has_grown;
}

static void every_state_has_its_own_name_and_a_word_for_people(void **state)
{
	(void)state;
	for (unsigned s = 0; s < DEV_STATES; s++) {
		assert_non_null(fix_device_table[s].name);
		assert_true(*fix_device_table[s].name);
		assert_true(fix_device_table[s].shown < FIX_STATES);
		assert_true(*fix_state_word(fix_device_table[s].shown));
		for (unsigned other = 0; other < s; other++)
			assert_string_not_equal(fix_device_table[s].name, fix_device_table[other].name);
	}
}

static void every_word_for_people_has_a_state(void **state)
{
	(void)state;
	for (unsigned shown = 0; shown < FIX_STATES; shown++) {
		bool is_used = false;

		for (unsigned s = 0; s < DEV_STATES; s++)
			is_used |= fix_device_table[s].shown == shown;
		if (!is_used)
			fail_msg("nothing is ever %s", fix_state_word((enum fix_state)shown));
	}
}

static void every_state_is_reached_from_the_first(void **state)
{
	bool reached[DEV_STATES] = { [DEV_UNREAD] = true };

	(void)state;
	while (spread(reached))
		;
	for (unsigned s = 0; s < DEV_STATES; s++)
		if (!reached[s])
			fail_msg("%s is not reached", fix_device_table[s].name);
}

static void a_state_has_a_way_out_unless_it_is_final(void **state)
{
	(void)state;
	for (unsigned s = 0; s < DEV_STATES; s++)
		if ((ways_out(s) == 0) != fix_device_table[s].is_final)
			fail_msg("%s has %zu ways out", fix_device_table[s].name, ways_out(s));
}

static void a_final_state_has_no_event_but_those_of_its_unit_which_end_in_one(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_fix_transitions; i++)
		if (is_of_unit(fix_transitions[i].event) ? !fix_device_table[fix_transitions[i].to].is_final
							 : fix_device_table[fix_transitions[i].from].is_final)
			fail_msg("%s is final and has event %d", fix_device_table[fix_transitions[i].from].name,
				 fix_transitions[i].event);
}

static void a_final_state_can_be_reached_from_everywhere(void **state)
{
	bool leads_there[DEV_STATES];

	(void)state;
	for (unsigned s = 0; s < DEV_STATES; s++)
		leads_there[s] = fix_device_table[s].is_final;
	while (spread_back(leads_there))
		;
	for (unsigned s = 0; s < DEV_STATES; s++)
		if (!leads_there[s])
			fail_msg("%s never ends", fix_device_table[s].name);
}

static void no_event_is_listed_twice_for_one_state(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_fix_transitions; i++)
		for (size_t k = 0; k < i; k++)
			if (fix_transitions[i].from == fix_transitions[k].from && fix_transitions[i].event == fix_transitions[k].event)
				fail_msg("%s has event %d twice", fix_device_table[fix_transitions[i].from].name, fix_transitions[i].event);
}

static void every_event_leads_somewhere(void **state)
{
	(void)state;
	for (unsigned event = 0; event < DEV_EVENTS; event++) {
		size_t n = 0;

		for (unsigned s = 0; s < DEV_STATES; s++)
			n += leads(s, event);
		if (!n)
			fail_msg("event %u is in no row", event);
	}
}

/* fixer_roll_back() sends the event to each device that has the flag: a row that is missing would end the program. */
static void what_can_be_rolled_back_has_the_event_and_nothing_else_has(void **state)
{
	(void)state;
	for (unsigned s = 0; s < DEV_STATES; s++)
		if (fix_device_table[s].can_roll_back != leads(s, EVENT_ROLLBACK_BEGUN))
			fail_msg("%s %s", fix_device_table[s].name,
				 fix_device_table[s].can_roll_back ? "cannot be rolled back" : "is rolled back without the flag");
}

/* From the request to arm until nothing is armed any more, each state can be rolled back, or waits for a keep, or settles. */
static void whatever_may_be_armed_can_be_rolled_back_or_settles(void **state)
{
	static const bool is_unarmed[DEV_STATES] = {
		[DEV_AS_BEFORE] = true,		/* arming failed */
		[DEV_RELEASED] = true, [DEV_KEPT] = true, [DEV_KEPT_UNCONFIRMED] = true, [DEV_SAVED] = true,
		[DEV_INVERSE_DUE] = true,	/* kept before */
	};
	bool armed[DEV_STATES] = { [DEV_ARMING] = true, [DEV_UNDO_REQUESTED] = true };

	(void)state;
	for (bool has_grown = true; has_grown;) {
		has_grown = false;
		for (size_t i = 0; i < n_fix_transitions; i++) {
			const struct fix_transition *t = &fix_transitions[i];

			if (!armed[t->from] || armed[t->to] || is_unarmed[t->to] || fix_device_table[t->to].is_final)
				continue;
			has_grown = armed[t->to] = true;
		}
	}
	assert_true(armed[DEV_KEEPING] && armed[DEV_KEEP_UNCONFIRMED] && armed[DEV_ROLLING_BACK]);
	for (unsigned s = 0; s < DEV_STATES; s++)
		if (armed[s] && !leads(s, EVENT_ROLLBACK_BEGUN) && !fix_device_table[s].is_settling && !leads(s, EVENT_KEEP_LOST))
			fail_msg("%s may be armed, and nothing leads back", fix_device_table[s].name);
}

static void whatever_settles_takes_each_result_of_the_read(void **state)
{
	static const enum fix_device_event results[] = {
		EVENT_SETTLED_BEFORE, EVENT_SETTLED_AFTER, EVENT_SETTLED_OTHER, EVENT_DOUBTED,
	};

	(void)state;
	for (unsigned s = 0; s < DEV_STATES; s++)
		for (size_t i = 0; fix_device_table[s].is_settling && i < sizeof(results) / sizeof(*results); i++)
			if (!leads(s, results[i]))
				fail_msg("%s does not settle by event %d", fix_device_table[s].name, results[i]);
}

/* Nothing is applied before the device has confirmed that its rollback timer is armed. */
static void lines_are_sent_only_after_arming_was_confirmed(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_fix_transitions; i++) {
		if (fix_transitions[i].to == DEV_APPLYING)
			assert_int_equal(fix_transitions[i].from, DEV_ARMED);
		if (fix_transitions[i].to == DEV_ARMED && fix_transitions[i].from != DEV_READING)
			assert_int_equal(fix_transitions[i].event, EVENT_ARM_CONFIRMED);
	}
}

/* Whether a rollback is done is seen on the device, never taken from a command's answer. */
static void what_is_rolled_back_was_read_to_be_so(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_fix_transitions; i++)
		if (fix_transitions[i].to == DEV_ROLLED_BACK)
			assert_true(fix_transitions[i].event == EVENT_FOUND_ROLLED_BACK ||
				    fix_transitions[i].event == EVENT_SETTLED_BEFORE || fix_transitions[i].event == EVENT_INVERSE_DONE);
}

static void only_what_is_kept_is_saved(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_fix_transitions; i++)
		if (fix_transitions[i].to == DEV_SAVED && fix_transitions[i].from != DEV_KEPT)
			fail_msg("%s is saved, and was never kept", fix_device_table[fix_transitions[i].from].name);
}

/* A keep that is not confirmed, or not on record any more, is told as neither kept nor verified. */
static void a_lost_keep_is_not_shown_as_kept(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_fix_transitions; i++)
		if (fix_transitions[i].event == EVENT_KEEP_LOST)
			assert_int_equal(fix_device_table[fix_transitions[i].to].shown, FIX_APPLIED);
}

/* A read alone verifies nothing: counters were not watched, and nothing was waited for. */
static void what_is_to_be_kept_was_read_and_not_verified(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_fix_transitions; i++)
		if (fix_transitions[i].event == EVENT_KEEP_REQUESTED)
			assert_int_equal(fix_device_table[fix_transitions[i].to].shown, FIX_APPLIED);
}

/* It was armed, so it was reached, whatever carried the session. */
static void what_was_released_is_refused_and_never_called_not_reached(void **state)
{
	(void)state;
	assert_true(leads(DEV_RELEASED, EVENT_REFUSED));
	assert_false(leads(DEV_RELEASED, EVENT_UNREACHED));
}

static void a_move_goes_where_the_table_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_fix_transitions; i++) {
		enum fix_device_state s = fix_transitions[i].from;

		fix_state_move(&s, fix_transitions[i].event);
		assert_int_equal(s, fix_transitions[i].to);
	}
}

static void a_move_that_the_table_does_not_have_ends_the_program(void **state)
{
	enum fix_device_state s = DEV_UNREAD;
	int status;
	pid_t pid;

	(void)state;
	if ((pid = fork()) == 0) {
		signal(SIGABRT, SIG_DFL);
		close(STDERR_FILENO);
		fix_state_move(&s, EVENT_KEEP_CONFIRMED);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_state_has_its_own_name_and_a_word_for_people),
		cmocka_unit_test(every_word_for_people_has_a_state),
		cmocka_unit_test(every_state_is_reached_from_the_first),
		cmocka_unit_test(a_state_has_a_way_out_unless_it_is_final),
		cmocka_unit_test(a_final_state_has_no_event_but_those_of_its_unit_which_end_in_one),
		cmocka_unit_test(a_final_state_can_be_reached_from_everywhere),
		cmocka_unit_test(no_event_is_listed_twice_for_one_state),
		cmocka_unit_test(every_event_leads_somewhere),
		cmocka_unit_test(what_can_be_rolled_back_has_the_event_and_nothing_else_has),
		cmocka_unit_test(whatever_may_be_armed_can_be_rolled_back_or_settles),
		cmocka_unit_test(whatever_settles_takes_each_result_of_the_read),
		cmocka_unit_test(lines_are_sent_only_after_arming_was_confirmed),
		cmocka_unit_test(what_is_rolled_back_was_read_to_be_so),
		cmocka_unit_test(only_what_is_kept_is_saved),
		cmocka_unit_test(a_lost_keep_is_not_shown_as_kept),
		cmocka_unit_test(what_is_to_be_kept_was_read_and_not_verified),
		cmocka_unit_test(what_was_released_is_refused_and_never_called_not_reached),
		cmocka_unit_test(a_move_goes_where_the_table_says),
		cmocka_unit_test(a_move_that_the_table_does_not_have_ends_the_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
