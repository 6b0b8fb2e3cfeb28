/* A benchmark's rows: what was measured, the bar it is held to, and whether it holds. Bars are ratios within one run. */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

#include <stdbool.h>

/* In the short form (make smoke) sizes are small and bars are not judged: what is tried is that it measures at all. */
#ifdef BENCH_SHORT
#define BENCH_SIZE(whole, brief)	(brief)
#else
#define BENCH_SIZE(whole, brief)	(whole)
#endif

enum bench_bar { AT_MOST, AT_LEAST, JUST_SAID };

/* Prints "what  figure unit  (bar)  ok|MISSED". */
void bench_row(const char *what, double figure, const char *unit, enum bench_bar kind, double bar);
/* Something could not be measured: printed, and a failure. Returns false. */
bool bench_cannot(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The exit status: 1 when a bar was missed, when something could not be measured, or nothing was. */
int bench_end(void);

double bench_cpu_s(void);	/* of this process, user and system */
double bench_wall_s(void);

#endif
