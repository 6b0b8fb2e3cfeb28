/* A clock that is set while a session runs makes no rate wrong. */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "remote/ssh/clock.h"
#include "tests/lib/say.h"

static int64_t set_by_us;

/* In the place of the library's: the system's clock as somebody has set it. */
int clock_gettime(clockid_t id, struct timespec *t)
{
	long result = syscall(SYS_clock_gettime, id, t);

	if (id == CLOCK_REALTIME)
		t->tv_sec += set_by_us / SECOND;
	return (int)result;
}

static void a_clock_that_is_set_moves_no_time_between_answers(void **state)
{
	static const int64_t sets_us[] = { 3600 * SECOND, -3600 * SECOND, -1 * SECOND, 0 };
	int64_t last_us = clock_us();

	(void)state;
	for (size_t i = 0; i < sizeof(sets_us) / sizeof(*sets_us); i++) {
		int64_t now_us;

		set_by_us = sets_us[i];
		now_us = clock_us();
		assert_true(now_us >= last_us && now_us < last_us + 100 * SECOND);
		last_us = now_us;
	}
}

static void it_begins_with_the_time_of_day(void **state)
{
	(void)state;
	assert_in_range(clock_us() / SECOND, time(NULL) - 100, time(NULL) + 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_begins_with_the_time_of_day),
		cmocka_unit_test(a_clock_that_is_set_moves_no_time_between_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
