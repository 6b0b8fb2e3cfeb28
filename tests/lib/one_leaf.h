/* For tests: a lab of one leaf, within the test's own process. */
#ifndef TESTS_LIB_ONE_LEAF_H
#define TESTS_LIB_ONE_LEAF_H

#include "remote/lab/fabric_plan.h"
#include "tests/lib/say.h"

/* One rail on one leaf, simulated in full. skins: NULL-terminated, or NULL for a tidy one. */
static inline struct fabric *fabric_in(unsigned nodes, const char *os, const char *const *skins)
{
	struct skin_wish wish = { .is_tidy = !skins };
	struct fabric_plan plan = {
		.nodes = nodes, .rails = 1, .leaves = 1, .switch_os = os, .speed_bps = 100000000000, .seed = 7, .lens = 1,
		.skins = &wish,
	};
	struct err err = { .text = "" };
	struct fabric *f;

	while (skins && *skins)
		wish.names[wish.n++] = *skins++;
	f = fabric_generate(&plan, &err);
	if (!f)
		fail_msg("%s", err.text);
	return f;
}
#define WEARING(nodes, os, ...) fabric_in((nodes), (os), (const char *const[]){ __VA_ARGS__, NULL })

#endif
