/* Each fault of a simulated fabric has its symptom, and takes it along when it goes. */
#include "tests/lib/star.h"

static void a_slow_receiver_pauses_its_switch_port_and_the_switch_its_senders(void **state)
{
	struct star st = star_new(2, 100000000000, 100, 1);
	struct sim_qos qos;
	uint64_t bytes;

	(void)state;
	st.flows[0] = sim_flow_add(st.s, &(struct sim_flow){ st.hosts[0], st.hosts[2], .dscp = 26, .ect = true });
	star_change(&st, true, ecn_off);
	qos = *sim_qos(st.s, st.hosts[2]);
	qos.drain_bps = 10e9;
	sim_set_qos(st.s, st.hosts[2], &qos);
	sim_run(st.s, 50 * MS);
	bytes = sim_flow_bytes(st.s, st.flows[0]);
	sim_run(st.s, 50 * MS);
	assert_between((double)(sim_flow_bytes(st.s, st.flows[0]) - bytes) * 8 / 0.05, 9.5e9, 10.5e9);
	assert_true(at_host(&st, 2)->pfc_tx[3] > 100);
	assert_true(at_switch(&st, 2)->pfc_rx_us[3] > 80e3);
	assert_true(at_switch(&st, 0)->pfc_tx[3] > 100);
	assert_int_equal(switch_drops(&st) + at_host(&st, 2)->rx_drop[3], 0);
	assert_conserved(&st);

	qos.drain_bps = 0;
	sim_set_qos(st.s, st.hosts[2], &qos);
	sim_run(st.s, 10 * MS);
	bytes = at_host(&st, 2)->pfc_tx[3];
	sim_run(st.s, 10 * MS);
	assert_int_equal(at_host(&st, 2)->pfc_tx[3], bytes);
	sim_free(st.s);
}

static void no_watchdog(struct sim_qos *qos)
{
	qos->watchdog = false;
}

static void a_storm_stops_its_port_all_the_time(void **state)
{
	struct star st = star_new(2, 100000000000, 100, 1);
	struct sim_qos qos = *sim_qos(st.s, st.hosts[2]);
	double stopped;

	(void)state;
	star_change(&st, true, no_watchdog);
	star_incast(&st);
	sim_run(st.s, 10 * MS);
	storm(&qos);
	sim_set_qos(st.s, st.hosts[2], &qos);
	sim_run(st.s, 10 * MS);
	stopped = at_switch(&st, 2)->pfc_rx_us[3];
	sim_run(st.s, 500 * MS);
	assert_between((at_switch(&st, 2)->pfc_rx_us[3] - stopped) / 500e3, 0.99, 1.0001);
	assert_int_equal(at_switch(&st, 2)->pfc_rx_xon[3], 0);
	/* As often as it takes to keep a 100G port stopped, and no hundred times more. */
	assert_between((double)at_switch(&st, 2)->pfc_rx[3] / 0.51, 2980, 12000);
	assert_true(at_host(&st, 0)->pfc_rx_us[3] > 450e3);
	assert_conserved(&st);

	qos.storm[3] = false;
	sim_set_qos(st.s, st.hosts[2], &qos);
	stopped = at_switch(&st, 2)->pfc_rx_us[3];
	sim_run(st.s, 100 * MS);
	assert_true(at_switch(&st, 2)->pfc_rx_us[3] < stopped + 100);
	sim_free(st.s);
}

static void the_watchdog_drops_for_a_queue_that_stands_and_lets_go_when_the_storm_ends(void **state)
{
	struct star st = star_new(2, 100000000000, 100, 1);
	struct sim_qos qos = *sim_qos(st.s, st.hosts[2]);
	uint64_t drops, bytes;

	(void)state;
	star_incast(&st);
	sim_run(st.s, 10 * MS);
	storm(&qos);
	sim_set_qos(st.s, st.hosts[2], &qos);
	sim_run(st.s, 190 * MS);
	assert_int_equal(at_switch(&st, 2)->storms[3], 0);
	sim_run(st.s, 100 * MS);
	assert_int_equal(at_switch(&st, 2)->storms[3], 1);
	assert_true(at_switch(&st, 2)->tx_drop[3] > 0);

	qos.storm[3] = false;
	sim_set_qos(st.s, st.hosts[2], &qos);
	sim_run(st.s, 400 * MS);
	drops = at_switch(&st, 2)->tx_drop[3];
	bytes = sim_flow_bytes(st.s, st.flows[0]);
	sim_run(st.s, 100 * MS);
	assert_int_equal(at_switch(&st, 2)->tx_drop[3], drops);
	assert_true(sim_flow_bytes(st.s, st.flows[0]) > bytes + 1000000);
	assert_true(at_host(&st, 2)->oos > 0 || at_host(&st, 0)->ack_timeout > 0);
	sim_free(st.s);
}

static void starve_cnps(struct sim_qos *qos)
{
	qos->share[0] = 40;
	qos->share[3] = 60;
	qos->share[6] = 0;
	qos->strict[3] = true;
}

/* Two senders to one receiver, and so much to one of them that its port has nothing left for CNPs. */
static void cnps_in_a_starved_queue_do_not_arrive(void **state)
{
	for (unsigned starved = 0; starved < 2; starved++) {
		struct star st = star_new(3, 100000000000, 100, 1);
		uint64_t sent, handled;

		(void)state;
		if (starved)
			star_change(&st, true, starve_cnps);
		for (unsigned i = 0; i < 2; i++)
			sim_flow_add(st.s, &(struct sim_flow){ st.hosts[i], st.hosts[3], .dscp = 26, .ect = true });
		for (unsigned i = 1; i < 3; i++)
			sim_flow_add(st.s, &(struct sim_flow){ st.hosts[i], st.hosts[0], .dscp = 26 });
		sim_run(st.s, 100 * MS);
		sent = at_host(&st, 3)->cnp_sent;
		handled = at_host(&st, 0)->cnp_handled + at_host(&st, 1)->cnp_handled;
		assert_true(sent > 100);
		if (starved)
			assert_true(handled < sent * 0.9);
		else
			assert_true(handled + 4 >= sent);
		sim_free(st.s);
	}
}

static void rp_off(struct sim_qos *qos)
{
	memset(qos->rp, 0, sizeof(qos->rp));
}

static void np_off(struct sim_qos *qos)
{
	memset(qos->np, 0, sizeof(qos->np));
}

static void a_sender_without_rp_ignores_cnps_and_a_receiver_without_np_sends_none(void **state)
{
	struct star st = star_new(4, 100000000000, 100, 1);

	(void)state;
	star_change(&st, false, rp_off);
	star_incast(&st);
	sim_run(st.s, 20 * MS);
	assert_int_equal(at_host(&st, 0)->cnp_handled, 0);
	assert_true(at_host(&st, 0)->cnp_ignored > 100);
	assert_between(sim_flow_rate(st.s, st.flows[0]), 100e9, 100e9);
	sim_free(st.s);

	st = star_new(4, 100000000000, 100, 1);
	star_change(&st, false, np_off);
	star_incast(&st);
	sim_run(st.s, 20 * MS);
	assert_int_equal(at_host(&st, 4)->cnp_sent, 0);
	assert_true(at_host(&st, 4)->ecn_seen > 100);
	sim_free(st.s);
}

static void lossy(struct sim_qos *qos)
{
	qos->pfc[3] = false;
	qos->ecn[3] = false;
}

static void a_full_lossy_queue_drops_and_both_ends_count_it(void **state)
{
	struct star st = star_new(4, 100000000000, 100, 1);

	(void)state;
	star_change(&st, true, lossy);
	star_incast(&st);
	sim_run(st.s, 50 * MS);
	assert_true(at_switch(&st, 4)->tx_drop[3] > 1000);
	assert_int_equal(pauses_sent(&st), 0);
	assert_true(at_host(&st, 4)->oos > 10);
	assert_true(at_host(&st, 0)->seq_err > 0);
	assert_true(at_host(&st, 0)->retrans > at_host(&st, 0)->seq_err);
	sim_free(st.s);
}

static void narrow(struct sim_qos *qos)
{
	qos->kmin[3] = 100000;
	qos->kmax[3] = 400000;
}

/* ToS 104 instead of 106. */
static void packets_that_cannot_be_marked_are_dropped_above_kmax(void **state)
{
	struct star st = star_new(8, 100000000000, 100, 1);

	(void)state;
	star_change(&st, true, narrow);
	for (unsigned i = 0; i < 8; i++)
		st.flows[i] = sim_flow_add(st.s, &(struct sim_flow){ st.hosts[i], st.hosts[8], .dscp = 26 });
	sim_run(st.s, 20 * MS);
	assert_true(at_switch(&st, 8)->tx_drop[3] > 100);
	assert_int_equal(at_switch(&st, 8)->marked[3], 0);
	assert_true(at_host(&st, 8)->oos > 0);
	sim_free(st.s);
}

static void small_mtu(struct sim_qos *qos)
{
	qos->mtu = 1518;
}

static void frames_larger_than_the_switch_takes_vanish_and_only_timers_tell(void **state)
{
	struct star st = star_new(1, 100000000000, 100, 1);

	(void)state;
	star_change(&st, true, small_mtu);
	st.flows[0] = sim_flow_add(st.s, &(struct sim_flow){ st.hosts[0], st.hosts[1], .dscp = 26, .packet_bytes = 4096 });
	sim_run(st.s, 300 * MS);
	assert_true(at_switch(&st, 0)->rx_drop[3] > 100);
	assert_int_equal(sim_flow_bytes(st.s, st.flows[0]), 0);
	assert_between((double)at_host(&st, 0)->ack_timeout, 3, 5);
	assert_int_equal(at_host(&st, 1)->oos, 0);
	assert_int_equal(at_host(&st, 0)->seq_err, 0);
	sim_free(st.s);
}

static void damaged_frames_are_physical_errors_and_gaps(void **state)
{
	struct star st = star_new(1, 100000000000, 100, 1);
	struct sim_qos qos = *sim_qos(st.s, st.ports[0]);

	(void)state;
	qos.frame_error = 1e-5;
	sim_set_qos(st.s, st.ports[0], &qos);
	star_incast(&st);
	sim_run(st.s, 100 * MS);
	assert_between((double)at_switch(&st, 0)->phy_err, 8, 20);	/* of 1.25 million */
	assert_true(at_host(&st, 1)->oos > 5 && at_host(&st, 1)->oos <= at_switch(&st, 0)->phy_err);
	assert_int_equal(at_host(&st, 0)->seq_err, at_host(&st, 1)->oos);
	assert_between((double)sim_flow_bytes(st.s, st.flows[0]) * 8 / 0.1, 97e9, 100e9);
	sim_free(st.s);
}

static void global_pause(struct sim_qos *qos)
{
	qos->pause_rx = qos->pause_tx = true;
}

static void global_pause_stops_everything_and_counts_no_priority(void **state)
{
	struct star st = star_new(4, 100000000000, 100, 1);
	uint64_t frames = 0;

	(void)state;
	star_change(&st, true, global_pause);
	star_change(&st, true, ecn_off);
	star_change(&st, false, global_pause);
	star_incast(&st);
	sim_run(st.s, 20 * MS);
	for (unsigned i = 0; i < 4; i++)
		frames += at_switch(&st, i)->pause_tx;
	assert_true(frames > 100);
	assert_int_equal(pauses_sent(&st), 0);
	assert_int_equal(switch_drops(&st), 0);
	assert_conserved(&st);
	sim_free(st.s);
}

static void pfc_off(struct sim_qos *qos)
{
	qos->pfc[3] = false;
}

static void a_host_without_pfc_does_not_hear_and_the_switch_overflows(void **state)
{
	struct star st = star_new(4, 100000000000, 100, 1);

	(void)state;
	star_change(&st, true, ecn_off);
	star_change(&st, false, pfc_off);
	star_incast(&st);
	sim_run(st.s, 20 * MS);
	assert_true(at_switch(&st, 0)->pfc_tx[3] > 0);
	assert_int_equal(at_host(&st, 0)->pfc_rx[3], 0);
	assert_true(at_switch(&st, 0)->rx_drop[3] > 100);
	sim_free(st.s);
}

static void a_flow_changes_to_the_other_spine_when_its_uplink_goes(void **state)
{
	struct clos c = clos_new(100000000000, 5);
	unsigned flow = sim_flow_add(c.s, &(struct sim_flow){ c.hosts[0], c.hosts[2], .dscp = 26, .ect = true });
	unsigned used, other;
	uint64_t bytes;

	(void)state;
	sim_run(c.s, 10 * MS);
	used = sim_counters(c.s, c.ups[0][0])->tx_bytes[3] ? 0 : 1;
	other = !used;
	assert_int_equal(sim_counters(c.s, c.ups[0][other])->tx_bytes[3], 0);
	assert_between((double)sim_flow_bytes(c.s, flow) * 8 / 0.01, 99e9, 100.1e9);

	sim_unlink(c.s, c.ups[0][used]);
	bytes = sim_flow_bytes(c.s, flow);
	sim_run(c.s, 10 * MS);
	assert_int_equal(sim_counters(c.s, c.ups[0][used])->link_downs, 1);
	assert_true(sim_counters(c.s, c.ups[0][other])->tx_bytes[3] > 100000000);
	assert_between((double)(sim_flow_bytes(c.s, flow) - bytes) * 8 / 0.01, 98e9, 100.1e9);

	sim_unlink(c.s, c.ups[0][other]);
	bytes = sim_flow_bytes(c.s, flow);
	sim_run(c.s, 10 * MS);
	assert_int_equal(sim_flow_bytes(c.s, flow), bytes);
	sim_free(c.s);
}

/* A storm at one host reaches the senders behind the spine, and a flow that only shares their port. */
static void pause_spreads_over_the_spine_to_a_victim(void **state)
{
	struct clos c = clos_new(100000000000, 5);
	struct sim_qos qos = *sim_qos(c.s, c.hosts[2]);
	unsigned victim;
	uint64_t bytes;

	(void)state;
	qos.storm[3] = true;
	sim_set_qos(c.s, c.hosts[2], &qos);
	sim_flow_add(c.s, &(struct sim_flow){ c.hosts[0], c.hosts[2], .dscp = 26, .ect = true });
	victim = sim_flow_add(c.s, &(struct sim_flow){ c.hosts[0], c.hosts[1], .dscp = 26, .ect = true });
	sim_run(c.s, 50 * MS);
	bytes = sim_flow_bytes(c.s, victim);
	sim_run(c.s, 50 * MS);
	assert_true(sim_flow_bytes(c.s, victim) - bytes < 1000);
	assert_true(sim_counters(c.s, c.hosts[0])->pfc_rx_us[3] > 95e3);
	assert_true(sim_counters(c.s, c.ups[0][0])->pfc_rx_us[3] + sim_counters(c.s, c.ups[0][1])->pfc_rx_us[3] > 95e3);
	assert_true(sim_counters(c.s, c.downs[0])->pfc_tx[3] > 0);
	sim_free(c.s);
}

static void bursts_come_and_go(void **state)
{
	struct star st = star_new(1, 100000000000, 100, 1);

	(void)state;
	st.flows[0] = sim_flow_add(st.s, &(struct sim_flow){
		.from = st.hosts[0], .to = st.hosts[1], .dscp = 26, .demand_bps = 80e9, .on_ms = 2, .off_ms = 6 });
	sim_run(st.s, 80 * MS);
	assert_between((double)sim_flow_bytes(st.s, st.flows[0]) * 8 / 0.08, 19.8e9, 20.2e9);
	sim_flow_end(st.s, st.flows[0]);
	sim_run(st.s, 10 * MS);
	assert_between((double)at_host(&st, 1)->rx_bytes[3] * 8 / 0.08, 19.8e9, 20.2e9);
	sim_free(st.s);
}

static void shares_divide_a_full_port_and_strict_goes_first(void **state)
{
	struct star st = star_new(2, 100000000000, 100, 1);
	struct sim_qos qos;

	(void)state;
	star_change(&st, true, ecn_off);
	st.flows[0] = sim_flow_add(st.s, &(struct sim_flow){ st.hosts[0], st.hosts[2], .dscp = 26 });
	st.flows[1] = sim_flow_add(st.s, &(struct sim_flow){ st.hosts[1], st.hosts[2], .dscp = 0 });
	sim_run(st.s, 20 * MS);
	/* 60 to 30. */
	assert_between((double)at_switch(&st, 2)->tx_bytes[3] / (double)at_switch(&st, 2)->tx_bytes[0], 1.9, 2.1);
	qos = *sim_qos(st.s, st.ports[2]);
	qos.strict[3] = true;
	sim_set_qos(st.s, st.ports[2], &qos);
	uint64_t before = at_switch(&st, 2)->tx_bytes[0];
	sim_run(st.s, 20 * MS);
	assert_true(at_switch(&st, 2)->tx_bytes[0] - before < 5000000);
	sim_free(st.s);
}

static void a_hold_lapses_when_the_one_who_said_it_may_not_say_it_again(void **state)
{
	struct star st = star_new(2, 100000000000, 100, 1);
	struct sim_qos qos = *sim_qos(st.s, st.hosts[2]);
	double stopped;

	(void)state;
	star_incast(&st);
	storm(&qos);
	sim_set_qos(st.s, st.hosts[2], &qos);
	sim_run(st.s, 10 * MS);
	qos.pfc[3] = false;
	sim_set_qos(st.s, st.hosts[2], &qos);
	stopped = at_switch(&st, 2)->pfc_rx_us[3];
	sim_run(st.s, 10 * MS);
	/* 65535 quanta at 100G. */
	assert_between(at_switch(&st, 2)->pfc_rx_us[3] - stopped, 300, 340);
	sim_free(st.s);
}

static void stall_prevention_breaks_a_storm_each_time_it_lasts_too_long(void **state)
{
	struct star st = star_new(2, 100000000000, 100, 1);
	struct sim_qos qos = *sim_qos(st.s, st.hosts[2]);

	(void)state;
	star_incast(&st);
	storm(&qos);
	qos.stall_ms = 100;
	sim_set_qos(st.s, st.hosts[2], &qos);
	sim_run(st.s, 84 * MS);
	assert_int_equal(at_host(&st, 2)->stall_warnings, 0);
	sim_run(st.s, 4 * MS);
	assert_int_equal(at_host(&st, 2)->stall_warnings, 1);
	assert_int_equal(at_host(&st, 2)->stalls, 0);
	sim_run(st.s, 1012 * MS);
	assert_between((double)at_host(&st, 2)->stalls, 10, 11);
	assert_between((double)at_host(&st, 2)->stall_warnings, 10, 11);
	/* It never lasts as long as the switch's watchdog waits, and something arrives in between. */
	assert_int_equal(at_switch(&st, 2)->storms[3], 0);
	assert_true(at_host(&st, 2)->rx_packets[3] > 100);
	assert_between(at_switch(&st, 2)->pfc_rx_us[3] / 1.1e6, 0.97, 0.999);
	sim_free(st.s);
}

static void pause_that_is_not_obeyed_is_counted_as_unsupported(void **state)
{
	struct star st = star_new(3, 100000000000, 100, 1);
	struct sim_qos qos = *sim_qos(st.s, st.hosts[0]);

	(void)state;
	star_change(&st, true, ecn_off);
	qos.pfc[3] = false;
	sim_set_qos(st.s, st.hosts[0], &qos);
	star_incast(&st);
	sim_run(st.s, 10 * MS);
	assert_true(at_switch(&st, 0)->pfc_tx[3] > 0);
	assert_int_equal(at_host(&st, 0)->pause_unsupported, at_switch(&st, 0)->pfc_tx[3]);
	assert_int_equal(at_host(&st, 0)->pfc_rx[3], 0);
	assert_int_equal(at_host(&st, 1)->pause_unsupported, 0);
	sim_free(st.s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slow_receiver_pauses_its_switch_port_and_the_switch_its_senders),
		cmocka_unit_test(a_storm_stops_its_port_all_the_time),
		cmocka_unit_test(the_watchdog_drops_for_a_queue_that_stands_and_lets_go_when_the_storm_ends),
		cmocka_unit_test(cnps_in_a_starved_queue_do_not_arrive),
		cmocka_unit_test(a_sender_without_rp_ignores_cnps_and_a_receiver_without_np_sends_none),
		cmocka_unit_test(a_full_lossy_queue_drops_and_both_ends_count_it),
		cmocka_unit_test(packets_that_cannot_be_marked_are_dropped_above_kmax),
		cmocka_unit_test(frames_larger_than_the_switch_takes_vanish_and_only_timers_tell),
		cmocka_unit_test(damaged_frames_are_physical_errors_and_gaps),
		cmocka_unit_test(global_pause_stops_everything_and_counts_no_priority),
		cmocka_unit_test(a_host_without_pfc_does_not_hear_and_the_switch_overflows),
		cmocka_unit_test(a_flow_changes_to_the_other_spine_when_its_uplink_goes),
		cmocka_unit_test(pause_spreads_over_the_spine_to_a_victim),
		cmocka_unit_test(bursts_come_and_go),
		cmocka_unit_test(shares_divide_a_full_port_and_strict_goes_first),
		cmocka_unit_test(a_hold_lapses_when_the_one_who_said_it_may_not_say_it_again),
		cmocka_unit_test(stall_prevention_breaks_a_storm_each_time_it_lasts_too_long),
		cmocka_unit_test(pause_that_is_not_obeyed_is_counted_as_unsupported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
