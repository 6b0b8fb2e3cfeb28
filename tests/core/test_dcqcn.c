#include <math.h>

#include "core/roce/dcqcn.h"
#include "core/roce/red.h"
#include "tests/lib/say.h"

#define assert_near(value, wanted, part) assert_true(fabs((value) - (wanted)) <= (part) * fabs(wanted))

static const struct dcqcn *const d = &dcqcn_deployed;

static void the_first_cnp_halves_a_flow_at_line_rate(void **state)
{
	struct dcqcn_rp rp;

	(void)state;
	dcqcn_rp_init(&rp, 40e9, 0);
	dcqcn_rp_cnp(&rp, d, 1000);
	assert_near(rp.rate_bps, 20e9, 1e-9);
	assert_near(rp.target_bps, 40e9, 1e-9);
	assert_near(rp.alpha, 1.0, 1e-9);
}

static void five_steps_recover_and_then_the_target_grows(void **state)
{
	struct dcqcn_rp rp;
	double target;

	(void)state;
	dcqcn_rp_init(&rp, 40e9, 0);
	dcqcn_rp_cnp(&rp, d, 0);
	dcqcn_rp_cnp(&rp, d, 0);
	target = rp.target_bps;
	dcqcn_rp_timer(&rp, d, 4 * d->timer_ns);
	assert_near(rp.target_bps, target, 1e-9);
	assert_near(rp.rate_bps, target - (target - 10e9) / 16, 1e-3);
	dcqcn_rp_timer(&rp, d, 5 * d->timer_ns);
	assert_near(rp.target_bps, target + d->ai_bps, 1e-9);
}

static void both_counters_past_recovery_increase_hyperactively(void **state)
{
	struct dcqcn_rp rp;
	double target;

	(void)state;
	dcqcn_rp_init(&rp, 400e9, 0);
	dcqcn_rp_cnp(&rp, d, 0);
	dcqcn_rp_cnp(&rp, d, 0);
	dcqcn_rp_timer(&rp, d, 6 * d->timer_ns);
	dcqcn_rp_sent(&rp, d, 5 * d->counter_bytes);
	target = rp.target_bps;
	dcqcn_rp_sent(&rp, d, d->counter_bytes);
	assert_near(rp.target_bps, target + d->hai_bps, 1e-9);
}

static void alpha_ages_while_no_cnp_comes(void **state)
{
	struct dcqcn_rp rp;

	(void)state;
	dcqcn_rp_init(&rp, 40e9, 0);
	assert_near(dcqcn_rp_alpha(&rp, d, d->alpha_ns - 1), 1.0, 1e-12);
	assert_near(dcqcn_rp_alpha(&rp, d, 2 * d->alpha_ns), (1 - d->g) * (1 - d->g), 1e-12);
}

static void the_rate_stays_between_its_limits(void **state)
{
	struct dcqcn_rp rp;

	(void)state;
	dcqcn_rp_init(&rp, 40e9, 0);
	for (int i = 0; i < 100; i++)
		dcqcn_rp_cnp(&rp, d, 0);
	assert_near(rp.rate_bps, d->min_bps, 1e-9);
	dcqcn_rp_timer(&rp, d, 10000 * d->timer_ns);
	assert_true(rp.rate_bps <= rp.line_bps && rp.rate_bps > 0.99 * rp.line_bps);
}

static void a_receiver_sends_one_cnp_in_fifty_microseconds(void **state)
{
	int64_t last = DCQCN_NO_CNP;

	(void)state;
	assert_true(dcqcn_np_mark(&last, d, 100));
	assert_false(dcqcn_np_mark(&last, d, 50099));
	assert_true(dcqcn_np_mark(&last, d, 50100));
}

/* The table "Fluid fixed point, deployed parameters, 1000 B packets", at 5/200 KB/1 %. */
static void the_fluid_model_settles_where_the_paper_says(void **state)
{
	static const struct { double gbps; unsigned n; double mark_pct, alpha, cnps, queue_kb; } rows[] = {
		{ 40, 1, 0.032, 0.084, 1530, 11.2 },	{ 40, 2, 0.078, 0.101, 1852, 20.2 },
		{ 40, 4, 0.189, 0.122, 2228, 41.8 },	{ 40, 8, 0.455, 0.145, 2658, 93.8 },
		{ 40, 10, 0.603, 0.153, 2807, 122.6 },	{ 40, 16, 1.087, 0.171, 3140, 200 },
		{ 100, 2, 0.024, 0.079, 1438, 9.7 },	{ 100, 8, 0.142, 0.115, 2101, 32.7 },
		{ 100, 32, 0.823, 0.163, 2979, 165 },	{ 400, 2, 0.004, 0.055, 993, 5.8 },
		{ 400, 8, 0.024, 0.079, 1438, 9.7 },	{ 400, 32, 0.142, 0.115, 2101, 32.7 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dcqcn_point at;
		bool settles = dcqcn_fixed_point(d, rows[i].gbps * 1e9, rows[i].n, 1000, 5e3, 200e3, 0.01, &at);

		assert_int_equal(settles, rows[i].mark_pct <= 1);
		assert_near(at.mark * 100, rows[i].mark_pct, rows[i].mark_pct < 0.01 ? 0.13 : 0.03);
		assert_near(at.alpha, rows[i].alpha, 0.01);
		assert_near(at.cnp_per_s, rows[i].cnps, 0.01);
		assert_near(at.queue_bytes, rows[i].queue_kb * 1e3, 0.01);
	}
}

static void red_is_a_slope_and_a_jump(void **state)
{
	(void)state;
	assert_true(red_probability(5000, 5000, 200000, 0.01) == 0);
	assert_near(red_probability(102500, 5000, 200000, 0.01), 0.005, 1e-9);
	assert_near(red_probability(200000, 5000, 200000, 0.01), 0.01, 1e-9);
	assert_true(red_probability(200001, 5000, 200000, 0.01) == 1);
}

static void what_a_nic_has_beside_the_paper_bounds_its_cuts(void **state)
{
	struct dcqcn own = dcqcn_deployed;
	struct dcqcn_rp rp;

	(void)state;
	own.least_kept = 0.9;
	own.cut_gap_ns = 100000;
	dcqcn_rp_init(&rp, 100e9, 0);
	dcqcn_rp_cnp(&rp, &own, 0);
	assert_near(rp.rate_bps, 90e9, 1e-9);
	dcqcn_rp_cnp(&rp, &own, 60000);
	assert_near(rp.rate_bps, 90e9, 1e-9);
	dcqcn_rp_cnp(&rp, &own, 120000);
	assert_near(rp.rate_bps, 81e9, 1e-9);
	own.first_bps = 5e9;
	dcqcn_rp_init(&rp, 100e9, 0);
	dcqcn_rp_cnp(&rp, &own, 0);
	assert_near(rp.rate_bps, 5e9, 1e-9);
	own = dcqcn_deployed;
	own.cut = 0.25;
	dcqcn_rp_init(&rp, 100e9, 0);
	dcqcn_rp_cnp(&rp, &own, 0);
	assert_near(rp.rate_bps, 75e9, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_cnp_halves_a_flow_at_line_rate),
		cmocka_unit_test(five_steps_recover_and_then_the_target_grows),
		cmocka_unit_test(both_counters_past_recovery_increase_hyperactively),
		cmocka_unit_test(alpha_ages_while_no_cnp_comes),
		cmocka_unit_test(the_rate_stays_between_its_limits),
		cmocka_unit_test(a_receiver_sends_one_cnp_in_fifty_microseconds),
		cmocka_unit_test(the_fluid_model_settles_where_the_paper_says),
		cmocka_unit_test(red_is_a_slope_and_a_jump),
		cmocka_unit_test(what_a_nic_has_beside_the_paper_bounds_its_cuts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
