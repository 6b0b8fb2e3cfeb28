/* The period told of a question is the one that is kept. */
#include "tests/lib/say.h"

#include "remote/poll/measured_period.h"

#define SECOND	INT64_C(1000000)

static void a_period_that_is_met_is_told_as_wished(void **state)
{
	struct measured_period p = { 0 };

	(void)state;
	assert_int_equal(measured_period_us(&p, SECOND), SECOND);
	measured_note(&p, SECOND + 20000);
	assert_int_equal(measured_period_us(&p, SECOND), SECOND);
}

static void a_switch_that_takes_longer_is_told_to(void **state)
{
	struct measured_period p = { 0 };

	(void)state;
	measured_note(&p, 19 * SECOND);
	assert_int_equal(measured_period_us(&p, SECOND), 16 * SECOND);
	assert_int_equal(measured_period_us(&p, 30 * SECOND), 30 * SECOND);
	assert_int_equal(measured_period_us(&p, 0), 0);	/* once a session */
}

static void one_long_round_is_forgotten_but_one_in_thirty_is_not(void **state)
{
	struct measured_period p = { 0 };

	(void)state;
	measured_note(&p, 6 * SECOND);
	for (int i = 0; i < 30; i++)
		measured_note(&p, SECOND);
	assert_int_equal(measured_period_us(&p, SECOND), 4 * SECOND);
	for (int i = 0; i < 120; i++)
		measured_note(&p, SECOND);
	assert_int_equal(measured_period_us(&p, SECOND), SECOND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_period_that_is_met_is_told_as_wished),
		cmocka_unit_test(a_switch_that_takes_longer_is_told_to),
		cmocka_unit_test(one_long_round_is_forgotten_but_one_in_thirty_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
