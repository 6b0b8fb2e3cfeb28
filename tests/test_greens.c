/* Wrong greens and false reds: a fabric that is ill in a way that looks well, and one that is well and looks ill. */
#include "core/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/world.h"

#define ETH2 "node1 eth2 "
#define LEAF1 "leaf1 ethernet1/1/1 "
#define LEAF2 "leaf2 Ethernet4 "

static const struct finding *needed(const struct world *w, const char *check, const char *where)
{
	const struct finding *f = world_finding(w, check, where);
	const struct finding *const *list;
	size_t n = findings_open(w->findings, &list);

	for (size_t i = 0; !f && i < n; i++)
		print_message("%s %s %s: %s %s\n", verdict_name(list[i]->verdict), list[i]->check->id, list[i]->where,
			      list[i]->what, list[i]->missing);
	assert_non_null(f);
	return f;
}

static void says(const struct finding *f, enum verdict verdict, const char *words)
{
	assert_string_equal(verdict_name(f->verdict), verdict_name(verdict));
	if (!strstr(f->what, words))
		fail_msg("\"%s\" does not say \"%s\"", f->what, words);
}

/* Marking */

static void a_tos_that_says_congested_already_is_wrong(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	world_set(&w, ETH2 "tos.cma = 107");
	world_run(&w, 3);
	says(needed(&w, "tos-ecn", "node1:eth2"), VERDICT_FAIL, "congestion");
	world_set(&w, ETH2 "tos.cma = 105");	/* ECT(1) is as good as ECT(0) */
	world_run(&w, 3);
	assert_null(world_finding(&w, "tos-ecn", "node1:eth2"));
	world_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tos_that_says_congested_already_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
