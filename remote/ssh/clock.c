#include "remote/ssh/clock.h"

#include <time.h>

static int64_t read_us(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int64_t clock_us(void)
{
	static int64_t began_us;	/* 1970 by the clock that cannot be set; it goes on while the machine sleeps */

	if (!began_us)
		began_us = read_us(CLOCK_REALTIME) - read_us(CLOCK_BOOTTIME);
	return began_us + read_us(CLOCK_BOOTTIME);
}
