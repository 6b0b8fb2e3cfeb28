/* The matrix of pairs: what a row says of two hosts, whatever their tests left. */
#include <stdio.h>
#include <string.h>

#include "tests/lib/say.h"
#include "tui/screens/bringup_matrix.h"

static const struct bringup_unit units[] = { { .host = "node1" }, { .host = "node1" }, { .host = "node2" }, { .host = "node3" } };

static void add(struct bringup_tests *t, const char *from, const char *to, double share, enum bringup_verdict verdict)
{
	struct bringup_evidence e = { .kind = BRINGUP_SAME_LEAF, .tool = BRINGUP_WRITE_BW, .from = { xstrdup(from), xstrdup("eth2") },
				      .to = { xstrdup(to), xstrdup("eth2") } };
	struct bringup_test *test = bringup_tests_add(t, &e);

	test->result = (struct bringup_result){ .verdict = verdict, .measured = { .bps = share * 98e9 },
						.opinion = { .ceiling_bps = share > 0 ? 98e9 : 0, .share = share } };
}

static void each_pair_of_hosts_has_the_least_of_its_rates(void **state)
{
	const struct bringup_rack rack = { .units = (struct bringup_unit *)units, .n = 4 };
	struct bringup_tests t = { 0 };
	struct page p = { .title = "" };
	struct buf text = { 0 };

	(void)state;
	add(&t, "node1", "node2", 0.99, BRINGUP_PASSED);
	add(&t, "node1", "node2", 0.97, BRINGUP_PASSED);
	add(&t, "node2", "node1", 0.40, BRINGUP_FAILED);
	add(&t, "node2", "node3", 0, BRINGUP_NOT_RUN);
	add(&t, "node3", "node2", 0, BRINGUP_FAILED);
	add(&t, "node1", "node9", 0.5, BRINGUP_FAILED);	/* of another rack */
	add(&t, "node1", "node1", 0.3, BRINGUP_FAILED);	/* its loopback */
	bringup_matrix_page(&p, &rack, &t);
	page_print(&p, true, &text);
	assert_non_null(strstr(text.text, "    FROM    1    2    3 \n"));
	assert_non_null(strstr(text.text, "  1 node1   -   97    . \n"));
	assert_non_null(strstr(text.text, "  2 node2  40!   -    ? \n"));
	assert_non_null(strstr(text.text, "  3 node3   .     !   - \n"));
	assert_null(strstr(text.text, "Links between switches"));
	page_done(&p);
	buf_done(&text);
	bringup_tests_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_pair_of_hosts_has_the_least_of_its_rates) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
