#include "remote/lab/linux/hw_counters.h"

#include <string.h>

#define AT(member)	offsetof(struct sim_counters, member)
#define N_ROWS(rows)	(sizeof(rows) / sizeof(*(rows)))

/* captures/node/sysfs-infiniband/ls-hw_counters-mlx5_bond_0.txt, rdma/statistic-show-cx4lx-line.txt. */
static const struct hw_counter mlx5[] = {
	{ "rx_write_requests rx_read_requests rx_atomic_requests out_of_buffer", HW_NOUGHT, 64 },
	{ "out_of_sequence",		AT(oos), 32 },
	{ "duplicate_request rnr_nak_retry_err", HW_NOUGHT, 64 },
	{ "packet_seq_err",		AT(seq_err), 32 },
	{ "implied_nak_seq_err",	HW_NOUGHT, 64 },
	{ "local_ack_timeout_err",	AT(ack_timeout), 64 },
	{ "rx_dct_connect resp_local_length_error resp_cqe_error req_cqe_error req_remote_invalid_request req_remote_access_errors "
	  "resp_remote_access_errors resp_cqe_flush_error req_cqe_flush_error roce_adp_retrans roce_adp_retrans_to "
	  "roce_slow_restart roce_slow_restart_cnps roce_slow_restart_trans", HW_NOUGHT, 64 },
	{ "rp_cnp_ignored",		AT(cnp_ignored), 64 },
	{ "rp_cnp_handled",		AT(cnp_handled), 64 },
	{ "np_ecn_marked_roce_packets",	AT(ecn_seen), 64 },
	{ "np_cnp_sent",		AT(cnp_sent), 64 },
	{ "rx_icrc_encapsulated",	HW_NOUGHT, 64 },
};

/* drivers/infiniband/hw/bnxt_re/hw_counters.c of Linux 6.6. Broadcom's own driver has other names for some, np_cnp_pkts among them. */
static const struct hw_counter bnxt[] = {
	{ "active_pds active_ahs active_qps active_rc_qps active_ud_qps active_srqs active_cqs active_mrs active_mws watermark_pds "
	  "watermark_ahs watermark_qps watermark_rc_qps watermark_ud_qps watermark_srqs watermark_cqs watermark_mrs watermark_mws "
	  "resize_cq_cnt", HW_NOUGHT, 64 },
	{ "rx_pkts",			AT(rdma_rx_packets), 64 },
	{ "rx_bytes",			AT(rdma_rx_bytes), 64 },
	{ "tx_pkts",			AT(rdma_tx_packets), 64 },
	{ "tx_bytes",			AT(rdma_tx_bytes), 64 },
	{ "recoverable_errors tx_roce_errors tx_roce_discards rx_roce_errors rx_roce_discards", HW_NOUGHT, 64 },
	{ "to_retransmits",		AT(ack_timeout), 64 },
	{ "seq_err_naks_rcvd",		AT(seq_err), 64 },
	{ "max_retry_exceeded rnr_naks_rcvd missing_resp unrecoverable_err bad_resp_err local_qp_op_err local_protection_err "
	  "mem_mgmt_op_err remote_invalid_req_err remote_access_err remote_op_err dup_req res_exceed_max res_length_mismatch "
	  "res_exceeds_wqe res_opcode_err res_rx_invalid_rkey res_rx_domain_err res_rx_no_perm res_rx_range_err "
	  "res_tx_invalid_rkey res_tx_domain_err res_tx_no_perm res_tx_range_err res_irrq_oflow res_unsup_opcode "
	  "res_unaligned_atomic res_rem_inv_err res_mem_err res_srq_err res_cmp_err res_invalid_dup_rkey res_wqe_format_err "
	  "res_cq_load_err res_srq_load_err res_tx_pci_err res_rx_pci_err", HW_NOUGHT, 64 },
	{ "oos_drop_count",		AT(oos), 64 },
	{ "tx_atomic_req tx_read_req tx_read_resp tx_write_req tx_send_req", HW_NOUGHT, 64 },
	{ "tx_roce_only_pkts",		AT(rdma_tx_packets), 64 },
	{ "tx_roce_only_bytes",		AT(rdma_tx_bytes), 64 },
	{ "rx_atomic_req rx_read_req rx_read_resp rx_write_req rx_send_req", HW_NOUGHT, 64 },
	{ "rx_roce_only_pkts",		AT(rdma_rx_packets), 64 },
	{ "rx_roce_only_bytes",		AT(rdma_rx_bytes), 64 },
	{ "rx_roce_good_pkts",		AT(rdma_rx_packets), 64 },
	{ "rx_roce_good_bytes",		AT(rdma_rx_bytes), 64 },
	{ "rx_out_of_buffer",		HW_NOUGHT, 64 },
	{ "tx_cnp_pkts",		AT(cnp_sent), 64 },
	{ "rx_cnp_pkts",		AT(cnp_handled), 64 },
	{ "rx_ecn_marked_pkts",		AT(ecn_seen), 64 },
	{ "pacing_reschedule pacing_complete pacing_alerts db_fifo_register", HW_NOUGHT, 64 },
};

/* irdma_hw_stat_names of drivers/infiniband/hw/irdma/verbs.c. What arrived out of order, and NAKs of it, it does not count. */
static const struct hw_counter irdma[] = {
	{ "ip4InDiscards ip4InTruncatedPkts ip4OutNoRoutes ip6InDiscards ip6InTruncatedPkts ip6OutNoRoutes tcpRetransSegs "
	  "tcpInOptErrors tcpInProtoErrors rxVlanErrors", HW_NOUGHT, 64 },
	{ "ip4InOctets",		AT(rdma_rx_bytes), 64 },
	{ "ip4InPkts",			AT(rdma_rx_packets), 64 },
	{ "ip4InReasmRqd ip4InMcastPkts", HW_NOUGHT, 64 },
	{ "ip4OutOctets",		AT(rdma_tx_bytes), 64 },
	{ "ip4OutPkts",			AT(rdma_tx_packets), 64 },
	{ "ip4OutSegRqd ip4OutMcastPkts ip6InOctets ip6InPkts ip6InReasmRqd ip6InMcastPkts ip6OutOctets ip6OutPkts ip6OutSegRqd "
	  "ip6OutMcastPkts tcpInSegs tcpOutSegs iwInRdmaReads iwInRdmaSends iwInRdmaWrites iwOutRdmaReads iwOutRdmaSends "
	  "iwOutRdmaWrites iwRdmaBnd iwRdmaInv", HW_NOUGHT, 64 },
	{ "cnpHandled",			AT(cnp_handled), 64 },
	{ "cnpIgnored",			AT(cnp_ignored), 64 },
	{ "cnpSent",			AT(cnp_sent), 64 },
	{ "ip4InMcastOctets ip4OutMcastOctets ip6InMcastOctets ip6OutMcastOctets", HW_NOUGHT, 64 },
	{ "RxUDP",			AT(rdma_rx_packets), 64 },
	{ "TxUDP",			AT(rdma_tx_packets), 64 },
	{ "RxECNMrkd",			AT(ecn_seen), 64 },
};

/* diag_basic and diag_ext of drivers/infiniband/hw/mlx4/main.c: rq is the responder, sq the requester. No CNP, no ECN. */
static const struct hw_counter mlx4[] = {
	{ "rq_num_lle sq_num_lle rq_num_lqpoe sq_num_lqpoe rq_num_lpe sq_num_lpe rq_num_wrfe sq_num_wrfe sq_num_mwbe sq_num_bre "
	  "sq_num_rire rq_num_rire sq_num_rae rq_num_rae sq_num_roe sq_num_tree sq_num_rree rq_num_rnr sq_num_rnr", HW_NOUGHT, 32 },
	{ "rq_num_oos",			AT(oos), 32 },
	{ "sq_num_oos",			AT(seq_err), 32 },
	{ "rq_num_dup",			HW_NOUGHT, 32 },
	{ "sq_num_to",			AT(ack_timeout), 32 },
};

static const struct hw_counters drivers[] = {
	{ "bnxt_re", bnxt, N_ROWS(bnxt), .has_pma = false },
	{ "irdma", irdma, N_ROWS(irdma), .has_pma = false },
	{ "mlx4_ib", mlx4, N_ROWS(mlx4), .has_pma = true },
	{ "mlx5_ib", mlx5, N_ROWS(mlx5), .has_pma = true },	/* the last one: of whoever is not above */
};

const struct hw_counters *hw_counters_of(const char *driver)
{
	size_t i = 0;

	while (i + 1 < N_ROWS(drivers) && strcmp(driver, drivers[i].driver))
		i++;
	return &drivers[i];
}

uint64_t hw_counter_value(const struct hw_counter *row, const struct sim_counters *c)
{
	uint64_t n = row->at == HW_NOUGHT ? 0 : *(const uint64_t *)((const char *)c + row->at);

	return row->bits == 32 ? (uint32_t)n : n;
}
