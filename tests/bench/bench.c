#include "tests/bench/bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#ifdef BENCH_SHORT
#define IS_SHORT	true
#else
#define IS_SHORT	false
#endif

static int missed, rows, impossible;

void bench_row(const char *what, double figure, const char *unit, enum bench_bar kind, double bar)
{
	bool ok = kind == JUST_SAID || (kind == AT_MOST ? figure <= bar : figure >= bar);

	rows++;
	printf("%-64s %10.4g %-10s", what, figure, unit);
	if (kind == JUST_SAID || IS_SHORT)
		printf("\n");
	else
		printf(" %s %8.4g  %s\n", kind == AT_MOST ? "<=" : ">=", bar, ok ? "ok" : "MISSED");
	fflush(stdout);
	missed += !ok;
}

bool bench_cannot(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("cannot measure: ");
	vprintf(format, args);
	printf("\n");
	va_end(args);
	impossible++;
	return false;
}

int bench_end(void)
{
	if (!rows)
		bench_cannot("nothing was");
	return (missed && !IS_SHORT) || impossible ? 1 : 0;
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
