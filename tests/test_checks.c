/* Checks: every row is complete, sees what it is for, and never takes not knowing for knowing. */
#include "core/check.h"

#include <stdio.h>

#include "core/scene.h"
#include "tests/lib/world.h"

static void print_open(const struct world *w)
{
	const struct finding *const *list;
	size_t n = findings_open(w->findings, &list);

	for (size_t i = 0; i < n; i++)
		print_message("%s %s %s: %s%s%s\n", verdict_name(list[i]->verdict), list[i]->check->id, list[i]->where,
			      list[i]->what, list[i]->missing[0] ? " lacks " : "", list[i]->missing);
}

static void a_healthy_busy_fabric_has_nothing_to_find(void **state)
{
	struct world w;
	const struct finding *const *list;

	(void)state;
	world_init(&w);
	world_run(&w, 5);
	print_open(&w);
	assert_int_equal(findings_open(w.findings, &list), 0);
	world_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_healthy_busy_fabric_has_nothing_to_find),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
