#include "tests/bench/bench.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static int missed;

void bench_row(const char *what, double figure, const char *unit, enum bench_bar kind, double bar)
{
	int ok = kind == JUST_SAID || (kind == AT_MOST ? figure <= bar : figure >= bar);

	printf("%-64s %10.4g %-10s", what, figure, unit);
	if (kind == JUST_SAID)
		printf("\n");
	else
		printf(" %s %8.4g  %s\n", kind == AT_MOST ? "<=" : ">=", bar, ok ? "ok" : "MISSED");
	fflush(stdout);
	missed += !ok;
}

int bench_end(void)
{
	return missed ? 1 : 0;
}

double bench_cpu_s(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

double bench_wall_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
