/*
 * Which tests of a program run. TEST_NAME=NAME: that one ("*" and "?" stand for any). TEST_SHARE=K/N: each N-th, from the K-th on, so
 * that N runs with K from 0 to N-1 make each test once. cmocka has a filter for names alone.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/say.h"

__attribute__((constructor)) static void choose(void)
{
	const char *name = getenv("TEST_NAME");

	if (name)
		cmocka_set_test_filter(name);
}

/* Weak: benches are linked with this file and without cmocka's tests. */
__attribute__((weak)) int __real__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t n,
							  CMFixtureFunction setup, CMFixtureFunction teardown);
int __wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t n, CMFixtureFunction setup,
				   CMFixtureFunction teardown);

/* Else one share would have the first test of every program. */
static unsigned offset_of(const char *program)
{
	unsigned sum = 0;

	while (*program)
		sum = sum * 31 + (unsigned char)*program++;
	return sum;
}

/* The linker calls it in place of cmocka's own (Makefile). */
int __wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t n, CMFixtureFunction setup,
				   CMFixtureFunction teardown)
{
	const char *share = getenv("TEST_SHARE");
	unsigned k, every, offset = offset_of(program_invocation_short_name);
	struct CMUnitTest *ours;
	size_t n_ours = 0;
	int failed;

	if (!share || !*share)
		return __real__cmocka_run_group_tests(group, tests, n, setup, teardown);
	if (sscanf(share, "%u/%u", &k, &every) != 2 || k >= every) {
		fprintf(stderr, "TEST_SHARE=%s: a share is K/N, K from 0 to N-1\n", share);
		exit(2);
	}
	ours = calloc(n, sizeof(*ours));
	for (size_t i = 0; ours && i < n; i++)
		if ((i + offset) % every == k)
			ours[n_ours++] = tests[i];
	printf("share %s: %zu of %zu tests\n", share, n_ours, n);
	failed = n_ours ? __real__cmocka_run_group_tests(group, ours, n_ours, setup, teardown) : 0;
	free(ours);
	return failed;
}
