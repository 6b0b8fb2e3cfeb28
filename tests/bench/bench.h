/* A benchmark's rows: what was measured, the bar it is held to, and whether it holds. Bars are ratios within one run. */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

enum bench_bar { AT_MOST, AT_LEAST, JUST_SAID };

/* Prints "what  figure unit  (bar)  ok|MISSED". */
void bench_row(const char *what, double figure, const char *unit, enum bench_bar kind, double bar);
/* The exit status: 1 when a bar was missed. */
int bench_end(void);

double bench_cpu_s(void);	/* of this process, user and system */
double bench_wall_s(void);

#endif
