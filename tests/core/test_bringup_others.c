/*
 * Queue pairs of others. The lines without a pid are as "rdma resource show qp" printed them on mlx5 (iproute2's and the kernel's mailing
 * lists, 2019 to 2021: the release that put modules in brackets, and the one that showed XRC queue pairs); that a process's line ends in
 * "pid N comm NAME" is from iproute2's rdma/res-qp.c and res.c.
 */
#include <string.h>

#include "core/bringup/others.h"
#include "tests/lib/say.h"

static const char idle[] =
	"link mlx5_0/1 lqpn 0 type SMI state RTS sq-psn 0 comm [ib_core]\n"
	"link mlx5_0/1 lqpn 1 type GSI state RTS sq-psn 0 comm [ib_core]\n"
	"link mlx5_0/1 lqpn 7 type UD state RTS sq-psn 0 comm [mlx5_ib]\n"
	"link mlx5_1/- lqpn 1 type GSI state RTS sq-psn 0 comm ib_core\n";

static void what_the_kernel_holds_is_nobodys(void **state)
{
	struct bringup_others o;

	(void)state;
	bringup_others_read(span_of(idle), 0, "mlx5_0", &o);
	assert_true(o.is_known && o.n == 0);
	bringup_others_read(span_of(idle), 0, "mlx5_1", &o);	/* before modules stood in brackets */
	assert_true(o.is_known && o.n == 0);
	bringup_others_read(SPAN(""), 0, "mlx5_0", &o);
	assert_true(o.is_known && o.n == 0);
}

static void a_process_is_named(void **state)
{
	static const char busy[] =
		"link mlx5_0/1 lqpn 1 type GSI state RTS sq-psn 0 comm [ib_core]\n"
		"link mlx5_1/1 lqpn 290 rqpn 291 type RC state RTS rq-psn 0 sq-psn 0 path-mig-state MIGRATED pid 2345 comm python3\n"
		"link mlx5_1/1 lqpn 292 rqpn 293 type RC state RTS rq-psn 0 sq-psn 0 path-mig-state MIGRATED pid 2346 comm python3\n"
		"link mlx5_2/1 lqpn 42 type XRC_TGT state INIT sq-psn 0 path-mig-state MIGRATED comm [ib_uverbs]\n";
	struct bringup_others o;

	(void)state;
	bringup_others_read(span_of(busy), 0, "mlx5_0", &o);
	assert_int_equal(o.n, 0);
	bringup_others_read(span_of(busy), 0, "mlx5_1", &o);
	assert_int_equal(o.n, 2);
	assert_string_equal(o.who, "python3 (pid 2345)");
	bringup_others_read(span_of(busy), 0, "mlx5_2", &o);
	assert_int_equal(o.n, 1);
	assert_string_equal(o.who, "[ib_uverbs]");
	bringup_others_read(span_of(busy), 0, "mlx5_10", &o);
	assert_int_equal(o.n, 0);
}

static void a_list_that_could_not_be_read_is_not_known(void **state)
{
	struct bringup_others o;

	(void)state;
	bringup_others_read(SPAN("timeout: failed to run command 'rdma': No such file or directory"), 127, "mlx5_0", &o);
	assert_false(o.is_known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_kernel_holds_is_nobodys),
		cmocka_unit_test(a_process_is_named),
		cmocka_unit_test(a_list_that_could_not_be_read_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
