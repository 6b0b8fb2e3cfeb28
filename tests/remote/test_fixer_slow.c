/*
 * The fixer against a host with one channel for settings and counters that becomes slow while a change is verified: its round of
 * settings takes twelve seconds at once, and the link state is old when it ends. It is asked again: nothing is rolled back for it.
 */
#include "tests/lib/say.h"

#include "tests/lib/fixlab.h"

#define FOR_EVER	"1000000"

static void tell_lab(struct fixlab *s, const char *const *words)
{
	struct run r = lab_ctl(&s->lab, words);

	if (r.code != 0)
		fail_msg("%s: %s", words[0], r.err.text);
	run_done(&r);
}
#define TELL_LAB(s, ...) tell_lab((s), (const char *const[]){ __VA_ARGS__, NULL })

/* Three questions of four seconds each. */
static void slow_down(struct fixlab *s)
{
	TELL_LAB(s, "spoil", "node1", "slow", "mlnx_qos|lldpcli|dmesg", FOR_EVER);
}

/* The first link state of the verification has come, and is to be believed for five seconds. */
static void slow_down_later(struct fixlab *s)
{
	s->acts_at = "observed net";
	s->acts = slow_down;
}

static void begin_on_one_channel(struct fixlab *s)
{
	fixlab_of_trust(s);
	TELL_LAB(s, "channels", "node1", "1");
}

static void what_a_host_that_is_slow_does_is_verified_not_rolled_back(void **state)
{
	struct fixlab s;

	(void)state;
	begin_on_one_channel(&s);
	s.acts_at = "state verifying";
	s.acts = slow_down_later;
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	assert_state(&s, 0, FIX_KEPT);
	assert_not_told(&s, "is up is not known");
	fixlab_end(&s);
}

static void what_was_kept_there_is_undone(void **state)
{
	struct fixlab s;

	(void)state;
	begin_on_one_channel(&s);
	fixlab_carry_out(&s, FIXER_APPLY, FIXER_DONE);
	s.acts_at = "inverse verifying";
	s.acts = slow_down_later;
	fixlab_carry_out(&s, FIXER_UNDO, FIXER_DONE);
	assert_state(&s, 0, FIX_UNDONE);
	assert_told(&s, "inverse verified");
	fixlab_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_host_that_is_slow_does_is_verified_not_rolled_back),
		cmocka_unit_test(what_was_kept_there_is_undone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
