#include "remote/lab/linux/nic_counters.h"

#include <stddef.h>

#include "remote/lab/linux/breed.h"

/* How often a row is printed: once; for each priority; for each of those with PFC; for each ring. */
enum per { ONCE, PRIO, LOSSLESS, RING };

/* Some drivers have counters of pause only while that kind of it is on. */
enum when { ALWAYS, WITH_PFC, WITH_PAUSE };

/* How a quantity is read out of struct sim_counters. */
enum read { NOUGHT, ONE, OF_PRIO, OF_PRIO_US, SUM, RING_SHARE, MADE };

struct counter {
	const char *names;		/* several of a row that are all 0; '%' is the priority, '#' the ring */
	enum per per;
	enum read read;
	size_t at;			/* in struct sim_counters */
	uint64_t (*make)(const struct lab_port *p, const struct sim_counters *c);
	bool begins;			/* rows of the same per before it are printed for all, before it is for the first */
	enum when when;
};

#define C(member)	offsetof(struct sim_counters, member)
#define N_ROWS(rows)	(sizeof(rows) / sizeof(*(rows)))

static uint64_t rx_control(const struct lab_port *p, const struct sim_counters *c)
{
	(void)p;
	return sim_all_prios(c->pfc_rx) + c->pause_rx + c->pause_unsupported;
}

static uint64_t rx_pause(const struct lab_port *p, const struct sim_counters *c)
{
	(void)p;
	return sim_all_prios(c->pfc_rx) + c->pause_rx;
}

static uint64_t tx_pause(const struct lab_port *p, const struct sim_counters *c)
{
	(void)p;
	return sim_all_prios(c->pfc_tx) + c->pause_tx;
}

/* A receiver whose memory does not keep up: writes to it stall for a part of each second. */
static uint64_t pci_stall(const struct lab_port *p, const struct sim_counters *c)
{
	(void)c;
	return p->harm.drain_bps > 0 ? 62 : 0;
}

static uint64_t rx_unicast(const struct lab_port *p, const struct sim_counters *c)
{
	uint64_t all = sim_all_prios(c->rx_packets), other = c->rx_multicast + c->rx_broadcast;

	(void)p;
	return all > other ? all - other : 0;
}

static uint64_t tx_unicast(const struct lab_port *p, const struct sim_counters *c)
{
	uint64_t all = sim_all_prios(c->tx_packets), other = c->tx_multicast + c->tx_broadcast;

	(void)p;
	return all > other ? all - other : 0;
}

/* -- mlx5: the pause counters of a priority are there only while PFC is on for it -- */

static const struct counter mlx5[] = {
	{ "rx_packets",				ONCE, ONE, C(kernel_rx_packets) },
	{ "rx_bytes",				ONCE, ONE, C(kernel_rx_bytes) },
	{ "tx_packets",				ONCE, ONE, C(kernel_tx_packets) },
	{ "tx_bytes",				ONCE, ONE, C(kernel_tx_bytes) },
	{ "tx_tso_packets tx_tso_bytes tx_tso_inner_packets tx_tso_inner_bytes tx_added_vlan_packets rx_lro_packets rx_lro_bytes "
	  "rx_ecn_mark rx_removed_vlan_packets rx_csum_unnecessary rx_csum_none rx_csum_complete rx_csum_unnecessary_inner rx_xdp_drop "
	  "rx_xdp_redirect rx_xdp_tx_xmit rx_xdp_tx_mpwqe rx_xdp_tx_inlnw rx_xdp_tx_nops rx_xdp_tx_full rx_xdp_tx_err rx_xdp_tx_cqe "
	  "tx_csum_none tx_csum_partial tx_csum_partial_inner tx_queue_stopped tx_queue_dropped tx_xmit_more tx_queue_wake rx_wqe_err "
	  "rx_buff_alloc_err rx_cqe_compress_blks rx_cqe_compress_pkts rx_cache_reuse rx_cache_full rx_cache_empty rx_cache_busy "
	  "rx_cache_waive rx_congst_umr ch_events ch_poll ch_arm rx_out_of_buffer rx_if_down_packets rx_steer_missed_packets "
	  "dev_internal_queue_oob", ONCE },
	{ "rx_vport_unicast_packets",		ONCE, ONE, C(kernel_rx_packets) },
	{ "rx_vport_unicast_bytes",		ONCE, ONE, C(kernel_rx_bytes) },
	{ "tx_vport_unicast_packets",		ONCE, ONE, C(kernel_tx_packets) },
	{ "tx_vport_unicast_bytes",		ONCE, ONE, C(kernel_tx_bytes) },
	{ "rx_vport_multicast_packets rx_vport_multicast_bytes tx_vport_multicast_packets tx_vport_multicast_bytes "
	  "rx_vport_broadcast_packets rx_vport_broadcast_bytes tx_vport_broadcast_packets tx_vport_broadcast_bytes", ONCE },
	{ "rx_vport_rdma_unicast_packets",	ONCE, ONE, C(rdma_rx_packets) },
	{ "rx_vport_rdma_unicast_bytes",	ONCE, ONE, C(rdma_rx_bytes) },
	{ "tx_vport_rdma_unicast_packets",	ONCE, ONE, C(rdma_tx_packets) },
	{ "tx_vport_rdma_unicast_bytes",	ONCE, ONE, C(rdma_tx_bytes) },
	{ "rx_vport_rdma_multicast_packets rx_vport_rdma_multicast_bytes tx_vport_rdma_multicast_packets "
	  "tx_vport_rdma_multicast_bytes",	ONCE },
	{ "tx_packets_phy",			ONCE, SUM, C(tx_packets) },
	{ "rx_packets_phy",			ONCE, SUM, C(rx_packets) },
	{ "rx_crc_errors_phy",			ONCE, ONE, C(phy_err) },
	{ "tx_bytes_phy",			ONCE, SUM, C(tx_bytes) },
	{ "rx_bytes_phy",			ONCE, SUM, C(rx_bytes) },
	{ "tx_multicast_phy",			ONCE, ONE, C(tx_multicast) },
	{ "tx_broadcast_phy",			ONCE, ONE, C(tx_broadcast) },
	{ "rx_multicast_phy",			ONCE, ONE, C(rx_multicast) },
	{ "rx_broadcast_phy",			ONCE, ONE, C(rx_broadcast) },
	{ "rx_in_range_len_errors_phy rx_out_of_range_len_phy rx_oversize_pkts_phy", ONCE },
	{ "rx_symbol_err_phy",			ONCE, ONE, C(phy_err) },
	{ "tx_mac_control_phy",			ONCE, MADE, .make = tx_pause },
	{ "rx_mac_control_phy",			ONCE, MADE, .make = rx_control },
	{ "rx_unsupported_op_phy",		ONCE, ONE, C(pause_unsupported) },
	{ "rx_pause_ctrl_phy",			ONCE, MADE, .make = rx_pause },
	{ "tx_pause_ctrl_phy",			ONCE, MADE, .make = tx_pause },
	{ "rx_discards_phy",			ONCE, SUM, C(rx_drop) },
	{ "tx_discards_phy",			ONCE, SUM, C(tx_drop) },
	{ "tx_errors_phy rx_undersize_pkts_phy rx_fragments_phy rx_jabbers_phy rx_64_bytes_phy rx_65_to_127_bytes_phy "
	  "rx_128_to_255_bytes_phy rx_256_to_511_bytes_phy rx_512_to_1023_bytes_phy rx_1024_to_1518_bytes_phy "
	  "rx_1519_to_2047_bytes_phy rx_2048_to_4095_bytes_phy", ONCE },
	{ "rx_4096_to_8191_bytes_phy",		ONCE, SUM, C(rx_packets) },
	{ "rx_8192_to_10239_bytes_phy",		ONCE },
	{ "link_down_events_phy",		ONCE, ONE, C(link_downs) },
	{ "rx_pcs_symbol_err_phy",		ONCE, ONE, C(phy_err) },
	{ "rx_corrected_bits_phy",		ONCE, ONE, C(fec_corr) },
	{ "rx_err_lane_0_phy",			ONCE, ONE, C(lane_err[0]) },
	{ "rx_err_lane_1_phy",			ONCE, ONE, C(lane_err[1]) },
	{ "rx_err_lane_2_phy",			ONCE, ONE, C(lane_err[2]) },
	{ "rx_err_lane_3_phy",			ONCE, ONE, C(lane_err[3]) },
	{ "rx_buffer_passed_thres_phy rx_pci_signal_integrity tx_pci_signal_integrity outbound_pci_stalled_rd", ONCE },
	{ "outbound_pci_stalled_wr",		ONCE, MADE, .make = pci_stall },
	{ "outbound_pci_stalled_rd_events outbound_pci_stalled_wr_events", ONCE },
	{ "rx_prio%_bytes",			PRIO, OF_PRIO, C(rx_bytes) },
	{ "rx_prio%_packets",			PRIO, OF_PRIO, C(rx_packets) },
	{ "rx_prio%_discards",			PRIO, OF_PRIO, C(rx_drop) },
	{ "tx_prio%_bytes",			PRIO, OF_PRIO, C(tx_bytes) },
	{ "tx_prio%_packets",			PRIO, OF_PRIO, C(tx_packets) },
	{ "rx_prio%_pause",			LOSSLESS, OF_PRIO, C(pfc_rx) },
	{ "rx_prio%_pause_duration",		LOSSLESS, OF_PRIO_US, C(pfc_rx_us) },
	{ "tx_prio%_pause",			LOSSLESS, OF_PRIO, C(pfc_tx) },
	{ "tx_prio%_pause_duration",		LOSSLESS, OF_PRIO_US, C(pfc_tx_us) },
	{ "rx_prio%_pause_transition",		LOSSLESS, OF_PRIO, C(pfc_rx_xon) },
	{ "rx_global_pause",			ONCE, ONE, C(pause_rx), .when = WITH_PAUSE },
	{ "rx_global_pause_duration",		ONCE, .when = WITH_PAUSE },
	{ "tx_global_pause",			ONCE, ONE, C(pause_tx), .when = WITH_PAUSE },
	{ "tx_global_pause_duration rx_global_pause_transition", ONCE, .when = WITH_PAUSE },
	{ "tx_pause_storm_warning_events",	ONCE, ONE, C(stall_warnings) },
	{ "tx_pause_storm_error_events",	ONCE, ONE, C(stalls) },
	{ "module_unplug module_bus_stuck module_high_temp module_bad_shorted", ONCE },
	{ "rx_prio%_buf_discard rx_prio%_cong_discard rx_prio%_marked", PRIO },
	{ "ch#_events ch#_poll ch#_arm ch#_aff_change ch#_force_irq ch#_eq_rearm", RING },
	{ "rx#_packets",			RING, RING_SHARE, C(kernel_rx_packets), .begins = true },
	{ "rx#_bytes",				RING, RING_SHARE, C(kernel_rx_bytes) },
	{ "rx#_csum_complete rx#_csum_complete_tail rx#_csum_complete_tail_slow rx#_csum_unnecessary rx#_csum_unnecessary_inner "
	  "rx#_csum_none rx#_xdp_drop rx#_xdp_redirect rx#_lro_packets rx#_lro_bytes rx#_ecn_mark rx#_removed_vlan_packets rx#_wqe_err "
	  "rx#_mpwqe_filler_cqes rx#_mpwqe_filler_strides rx#_oversize_pkts_sw_drop rx#_buff_alloc_err rx#_cqe_compress_blks "
	  "rx#_cqe_compress_pkts rx#_cache_reuse rx#_cache_full rx#_cache_empty rx#_cache_busy rx#_cache_waive rx#_congst_umr "
	  "rx#_arfs_err rx#_recover", RING },
	{ "tx#_packets",			RING, RING_SHARE, C(kernel_tx_packets), .begins = true },
	{ "tx#_bytes",				RING, RING_SHARE, C(kernel_tx_bytes) },
	{ "tx#_tso_packets tx#_tso_bytes tx#_tso_inner_packets tx#_tso_inner_bytes tx#_csum_partial tx#_csum_partial_inner "
	  "tx#_added_vlan_packets tx#_nop tx#_csum_none tx#_stopped tx#_dropped tx#_xmit_more tx#_wake", RING },
};

static const struct counter bnxt[] = {
	{ "[#]: rx_ucast_packets",		RING, RING_SHARE, C(kernel_rx_packets) },
	{ "[#]: rx_mcast_packets",		RING },
	{ "[#]: rx_bcast_packets",		RING },
	{ "[#]: rx_discards",			RING },
	{ "[#]: rx_errors",			RING },
	{ "[#]: rx_ucast_bytes",		RING, RING_SHARE, C(kernel_rx_bytes) },
	{ "[#]: rx_mcast_bytes",		RING },
	{ "[#]: rx_bcast_bytes",		RING },
	{ "[#]: tx_ucast_packets",		RING, RING_SHARE, C(kernel_tx_packets) },
	{ "[#]: tx_mcast_packets",		RING },
	{ "[#]: tx_bcast_packets",		RING },
	{ "[#]: tx_errors",			RING },
	{ "[#]: tx_discards",			RING },
	{ "[#]: tx_ucast_bytes",		RING, RING_SHARE, C(kernel_tx_bytes) },
	{ "[#]: tx_mcast_bytes",		RING },
	{ "[#]: tx_bcast_bytes",		RING },
	{ "[#]: tpa_packets",			RING },
	{ "[#]: tpa_bytes",			RING },
	{ "[#]: tpa_events",			RING },
	{ "[#]: tpa_aborts",			RING },
	{ "[#]: rx_l4_csum_errors",		RING },
	{ "[#]: rx_resets",			RING },
	{ "[#]: rx_buf_errors",			RING },
	{ "[#]: missed_irqs",			RING },
	{ "rx_total_l4_csum_errors rx_total_resets rx_total_buf_errors rx_total_oom_discards rx_total_netpoll_discards "
	  "rx_total_ring_discards tx_total_resets tx_total_ring_discards total_missed_irqs rx_64b_frames rx_65b_127b_frames "
	  "rx_128b_255b_frames rx_256b_511b_frames rx_512b_1023b_frames rx_1024b_1518b_frames rx_good_vlan_frames rx_1519b_2047b_frames "
	  "rx_2048b_4095b_frames", ONCE },
	{ "rx_4096b_9216b_frames",		ONCE, SUM, C(rx_packets) },
	{ "rx_9217b_16383b_frames",		ONCE },
	{ "rx_total_frames",			ONCE, SUM, C(rx_packets) },
	{ "rx_ucast_frames",			ONCE, MADE, .make = rx_unicast },
	{ "rx_mcast_frames",			ONCE, ONE, C(rx_multicast) },
	{ "rx_bcast_frames",			ONCE, ONE, C(rx_broadcast) },
	{ "rx_fcs_err_frames",			ONCE, ONE, C(phy_err) },
	{ "rx_ctrl_frames",			ONCE, MADE, .make = rx_control },
	{ "rx_pause_frames",			ONCE, ONE, C(pause_rx) },
	{ "rx_pfc_frames",			ONCE, SUM, C(pfc_rx) },
	{ "rx_align_err_frames rx_ovrsz_frames rx_jbr_frames rx_mtu_err_frames rx_tagged_frames rx_double_tagged_frames", ONCE },
	{ "rx_good_frames",			ONCE, SUM, C(rx_packets) },
	{ "rx_pfc_ena_frames_pri%",		PRIO, OF_PRIO, C(pfc_rx) },
	{ "rx_undrsz_frames rx_eee_lpi_events rx_eee_lpi_duration", ONCE },
	{ "rx_bytes",				ONCE, SUM, C(rx_bytes) },
	{ "rx_runt_bytes rx_runt_frames",	ONCE },
	{ "rx_stat_discard",			ONCE, SUM, C(rx_drop) },
	{ "rx_stat_err tx_64b_frames tx_65b_127b_frames tx_128b_255b_frames tx_256b_511b_frames tx_512b_1023b_frames "
	  "tx_1024b_1518b_frames tx_good_vlan_frames tx_1519b_2047b_frames tx_2048b_4095b_frames", ONCE },
	{ "tx_4096b_9216b_frames",		ONCE, SUM, C(tx_packets) },
	{ "tx_9217b_16383b_frames",		ONCE },
	{ "tx_good_frames",			ONCE, SUM, C(tx_packets) },
	{ "tx_total_frames",			ONCE, SUM, C(tx_packets) },
	{ "tx_ucast_frames",			ONCE, MADE, .make = tx_unicast },
	{ "tx_mcast_frames",			ONCE, ONE, C(tx_multicast) },
	{ "tx_bcast_frames",			ONCE, ONE, C(tx_broadcast) },
	{ "tx_pause_frames",			ONCE, ONE, C(pause_tx) },
	{ "tx_pfc_frames",			ONCE, SUM, C(pfc_tx) },
	{ "tx_jabber_frames tx_fcs_err_frames tx_err tx_fifo_underruns", ONCE },
	{ "tx_pfc_ena_frames_pri%",		PRIO, OF_PRIO, C(pfc_tx) },
	{ "tx_eee_lpi_events tx_eee_lpi_duration tx_total_collisions", ONCE },
	{ "tx_bytes",				ONCE, SUM, C(tx_bytes) },
	{ "tx_xthol_frames",			ONCE },
	{ "tx_stat_discard",			ONCE, SUM, C(tx_drop) },
	{ "tx_stat_error",			ONCE },
	{ "link_down_events",			ONCE, ONE, C(link_downs) },
	{ "continuous_pause_events resume_pause_events continuous_roce_pause_events resume_roce_pause_events", ONCE },
	{ "rx_bytes_cos%",			PRIO, OF_PRIO, C(rx_bytes) },
	{ "rx_packets_cos%",			PRIO, OF_PRIO, C(rx_packets) },
	{ "pfc_pri%_rx_duration_us",		PRIO, OF_PRIO_US, C(pfc_rx_us), .begins = true },
	{ "pfc_pri%_rx_transitions",		PRIO, OF_PRIO, C(pfc_rx_xon) },
	{ "rx_bits rx_buffer_passed_threshold", ONCE },
	{ "rx_pcs_symbol_err",			ONCE, ONE, C(phy_err) },
	{ "rx_corrected_bits",			ONCE, ONE, C(fec_corr) },
	{ "rx_discard_bytes_cos%",		PRIO },
	{ "rx_discard_packets_cos%",		PRIO, OF_PRIO, C(rx_drop) },
	{ "rx_fec_corrected_blocks rx_fec_uncorrectable_blocks", ONCE },
	{ "tx_bytes_cos%",			PRIO, OF_PRIO, C(tx_bytes) },
	{ "tx_packets_cos%",			PRIO, OF_PRIO, C(tx_packets) },
	{ "pfc_pri%_tx_duration_us",		PRIO, OF_PRIO_US, C(pfc_tx_us), .begins = true },
	{ "pfc_pri%_tx_transitions",		PRIO, OF_PRIO, C(pfc_tx) },
	{ "rx_bytes_pri%",			PRIO, OF_PRIO, C(rx_bytes), .begins = true },
	{ "rx_packets_pri%",			PRIO, OF_PRIO, C(rx_packets), .begins = true },
	{ "tx_bytes_pri%",			PRIO, OF_PRIO, C(tx_bytes), .begins = true },
	{ "tx_packets_pri%",			PRIO, OF_PRIO, C(tx_packets), .begins = true },
};

static const struct counter ice[] = {
	{ "rx_unicast",				ONCE, ONE, C(kernel_rx_packets) },
	{ "tx_unicast",				ONCE, ONE, C(kernel_tx_packets) },
	{ "rx_multicast tx_multicast rx_broadcast tx_broadcast", ONCE },
	{ "rx_bytes",				ONCE, ONE, C(kernel_rx_bytes) },
	{ "tx_bytes",				ONCE, ONE, C(kernel_tx_bytes) },
	{ "rx_dropped rx_unknown_protocol rx_alloc_fail rx_pg_alloc_fail tx_errors tx_linearize tx_busy tx_restart", ONCE },
	{ "tx_queue_#_packets",			RING, RING_SHARE, C(kernel_tx_packets) },
	{ "tx_queue_#_bytes",			RING, RING_SHARE, C(kernel_tx_bytes) },
	{ "rx_queue_#_packets",			RING, RING_SHARE, C(kernel_rx_packets), .begins = true },
	{ "rx_queue_#_bytes",			RING, RING_SHARE, C(kernel_rx_bytes) },
	{ "rx_bytes.nic",			ONCE, SUM, C(rx_bytes) },
	{ "tx_bytes.nic",			ONCE, SUM, C(tx_bytes) },
	{ "rx_unicast.nic",			ONCE, MADE, .make = rx_unicast },
	{ "tx_unicast.nic",			ONCE, MADE, .make = tx_unicast },
	{ "rx_multicast.nic",			ONCE, ONE, C(rx_multicast) },
	{ "tx_multicast.nic",			ONCE, ONE, C(tx_multicast) },
	{ "rx_broadcast.nic",			ONCE, ONE, C(rx_broadcast) },
	{ "tx_broadcast.nic",			ONCE, ONE, C(tx_broadcast) },
	{ "tx_errors.nic tx_timeout.nic rx_size_64.nic tx_size_64.nic rx_size_127.nic tx_size_127.nic rx_size_255.nic tx_size_255.nic "
	  "rx_size_511.nic tx_size_511.nic rx_size_1023.nic tx_size_1023.nic rx_size_1522.nic tx_size_1522.nic", ONCE },
	{ "rx_size_big.nic",			ONCE, SUM, C(rx_packets) },
	{ "tx_size_big.nic",			ONCE, SUM, C(tx_packets) },
	{ "link_xon_rx.nic link_xon_tx.nic",	ONCE },
	{ "link_xoff_rx.nic",			ONCE, ONE, C(pause_rx) },
	{ "link_xoff_tx.nic",			ONCE, ONE, C(pause_tx) },
	{ "tx_dropped_link_down.nic rx_undersize.nic rx_fragments.nic rx_oversize.nic rx_jabber.nic rx_csum_bad.nic "
	  "rx_length_errors.nic",		ONCE },
	{ "rx_dropped.nic",			ONCE, SUM, C(rx_drop) },
	{ "rx_crc_errors.nic",			ONCE, ONE, C(phy_err) },
	{ "illegal_bytes.nic mac_local_faults.nic mac_remote_faults.nic fdir_sb_match.nic fdir_sb_status.nic", ONCE },
	{ "tx_priority_%_xon.nic",		PRIO },
	{ "tx_priority_%_xoff.nic",		PRIO, OF_PRIO, C(pfc_tx) },
	{ "rx_priority_%_xon.nic",		PRIO, OF_PRIO, C(pfc_rx_xon), .begins = true },
	{ "rx_priority_%_xoff.nic",		PRIO, OF_PRIO, C(pfc_rx) },
};

/*
 * mlx4_en (en_ethtool.c of Linux 5.15, no real output at hand): its priorities are those of VLAN tags, and frames without one
 * are novlan. Its own kernel's statistics and those of virtual functions are left out, as without SR-IOV.
 */
static const struct counter mlx4[] = {
	{ "rx_packets",				ONCE, ONE, C(kernel_rx_packets) },
	{ "tx_packets",				ONCE, ONE, C(kernel_tx_packets) },
	{ "rx_bytes",				ONCE, ONE, C(kernel_rx_bytes) },
	{ "tx_bytes",				ONCE, ONE, C(kernel_tx_bytes) },
	{ "rx_errors tx_errors",		ONCE },
	{ "rx_dropped",				ONCE, SUM, C(rx_drop) },
	{ "tx_dropped multicast collisions rx_length_errors rx_over_errors", ONCE },
	{ "rx_crc_errors",			ONCE, ONE, C(phy_err) },
	{ "rx_frame_errors rx_fifo_errors rx_missed_errors tx_aborted_errors tx_carrier_errors tx_fifo_errors tx_heartbeat_errors "
	  "tx_window_errors tso_packets xmit_more queue_stopped wake_queue tx_timeout rx_alloc_pages rx_csum_good rx_csum_none "
	  "rx_csum_complete tx_chksum_offload", ONCE },
	{ "rx_pause_prio_%",			PRIO, OF_PRIO, C(pfc_rx), .when = WITH_PFC },
	{ "rx_pause_duration_prio_%",		PRIO, OF_PRIO_US, C(pfc_rx_us), .when = WITH_PFC },
	{ "rx_pause_transition_prio_%",		PRIO, OF_PRIO, C(pfc_rx_xon), .when = WITH_PFC },
	{ "rx_pause",				ONCE, ONE, C(pause_rx), .when = WITH_PAUSE },
	{ "rx_pause_duration rx_pause_transition", ONCE, .when = WITH_PAUSE },
	{ "tx_pause_prio_%",			PRIO, OF_PRIO, C(pfc_tx), .begins = true, .when = WITH_PFC },
	{ "tx_pause_duration_prio_%",		PRIO, OF_PRIO_US, C(pfc_tx_us), .when = WITH_PFC },
	{ "tx_pause_transition_prio_%",		PRIO, OF_PRIO, C(pfc_tx), .when = WITH_PFC },
	{ "tx_pause",				ONCE, ONE, C(pause_tx), .when = WITH_PAUSE },
	{ "tx_pause_duration tx_pause_transition", ONCE, .when = WITH_PAUSE },
	{ "rx_multicast_packets",		ONCE, ONE, C(rx_multicast) },
	{ "rx_broadcast_packets",		ONCE, ONE, C(rx_broadcast) },
	{ "rx_jabbers rx_in_range_length_error rx_out_range_length_error", ONCE },
	{ "tx_multicast_packets",		ONCE, ONE, C(tx_multicast) },
	{ "tx_broadcast_packets",		ONCE, ONE, C(tx_broadcast) },
	{ "rx_prio_%_packets rx_prio_%_bytes",	PRIO },
	{ "rx_novlan_packets",			ONCE, SUM, C(rx_packets) },
	{ "rx_novlan_bytes",			ONCE, SUM, C(rx_bytes) },
	{ "tx_prio_%_packets tx_prio_%_bytes",	PRIO },
	{ "tx_novlan_packets",			ONCE, SUM, C(tx_packets) },
	{ "tx_novlan_bytes",			ONCE, SUM, C(tx_bytes) },
	{ "rx_xdp_drop rx_xdp_tx rx_xdp_tx_full", ONCE },
	{ "rx_packets_phy",			ONCE, SUM, C(rx_packets) },
	{ "rx_bytes_phy",			ONCE, SUM, C(rx_bytes) },
	{ "tx_packets_phy",			ONCE, SUM, C(tx_packets) },
	{ "tx_bytes_phy",			ONCE, SUM, C(tx_bytes) },
	{ "tx#_packets",			RING, RING_SHARE, C(kernel_tx_packets) },
	{ "tx#_bytes",				RING, RING_SHARE, C(kernel_tx_bytes) },
	{ "rx#_packets",			RING, RING_SHARE, C(kernel_rx_packets), .begins = true },
	{ "rx#_bytes",				RING, RING_SHARE, C(kernel_rx_bytes) },
	{ "rx#_dropped rx#_xdp_drop rx#_xdp_tx rx#_xdp_tx_full", RING },
};

static const struct driver {
	const char *name;
	const struct counter *rows;
	size_t n;
	unsigned rings;
} drivers[] = {
	{ "bnxt_en", bnxt, N_ROWS(bnxt), 12 },
	{ "ice", ice, N_ROWS(ice), 128 },
	{ "mlx4_core", mlx4, N_ROWS(mlx4), 16 },
	{ "mlx5_core", mlx5, N_ROWS(mlx5), 16 },	/* the last one: of whoever is not above */
};

static const struct driver *driver_of(const struct lab_device *d)
{
	const char *name = breed_of(d)->driver;
	size_t i = 0;

	while (i + 1 < N_ROWS(drivers) && strcmp(name, drivers[i].name))
		i++;
	return &drivers[i];
}

/* -- printing -- */

static uint64_t value_of(const struct counter *row, const struct lab_port *p, const struct sim_counters *c, unsigned i, unsigned rings)
{
	const void *at = (const char *)c + row->at;
	uint64_t n = row->read == NOUGHT ? 0 : *(const uint64_t *)at;

	switch (row->read) {
	case OF_PRIO:
		return ((const uint64_t *)at)[i];
	case OF_PRIO_US:
		return (uint64_t)((const double *)at)[i];
	case SUM:
		return sim_all_prios(at);
	case RING_SHARE:
		return n / rings + (i ? 0 : n % rings);
	case MADE:
		return row->make(p, c);
	default:
		return n;
	}
}

/* '%' and '#' as the number. */
static void print_name(struct span name, unsigned i, struct buf *out)
{
	for (size_t k = 0; k < name.n; k++)
		if (name.p[k] == '%' || name.p[k] == '#')
			buf_printf(out, "%u", i);
		else
			buf_add(out, name.p + k, 1);
}

static void print_row(const struct counter *row, unsigned i, uint64_t n, struct buf *out)
{
	struct span rest = span_of(row->names), name;
	bool is_one = row->names[0] == '[';	/* the ring, a colon, a blank, the name */

	while (is_one || span_word(&rest, &name)) {
		buf_str(out, "     ");
		print_name(is_one ? rest : name, i, out);
		buf_printf(out, ": %llu\n", (unsigned long long)n);
		if (is_one)
			return;
	}
}

/* The rows of [from, to) for each priority or ring in turn. */
static void print_group(const struct driver *d, const struct lab_port *p, const struct sim_counters *c, size_t from, size_t to,
			struct buf *out)
{
	enum per per = d->rows[from].per;
	unsigned times = per == RING ? d->rings : per == ONCE ? 1 : SIM_PRIOS;

	for (unsigned i = 0; i < times; i++)
		for (size_t k = from; k < to && (per != LOSSLESS || p->nic.pfc[i]); k++)
			print_row(&d->rows[k], i, value_of(&d->rows[k], p, c, i, d->rings), out);
}

static bool is_shown(const struct counter *row, const struct lab_port *p)
{
	bool has_pfc = false;

	for (unsigned i = 0; i < SIM_PRIOS; i++)
		has_pfc = has_pfc || p->nic.pfc[i];
	return row->when == ALWAYS || (row->when == WITH_PFC ? has_pfc : p->nic.pause_rx || p->nic.pause_tx);
}

void nic_counters_print(const struct fabric *f, const struct lab_port *p, struct buf *out)
{
	const struct driver *d = driver_of(port_device(f, p));
	struct sim_counters c;

	fabric_counters(f, p, &c);
	for (size_t from = 0, to; from < d->n; from = to) {
		const struct counter *row = &d->rows[from];

		for (to = from + 1; row->per != ONCE && to < d->n && d->rows[to].per == row->per && !d->rows[to].begins;)
			to++;
		if (is_shown(row, p))
			print_group(d, p, &c, from, to, out);
	}
}
