/* The files that move: link state, counters of the port and of its RDMA device. */
#include <stddef.h>
#include <stdio.h>

#include "remote/lab/linux/files.h"
#include "remote/lab/server/view.h"

/* hw_counters of an mlx5 RoCE port, in the order that rdma shows. at: into struct sim_counters, or NONE for one that stays 0. */
#define NONE SIZE_MAX

static const struct {
	const char *name;
	size_t at;
	unsigned bits;
} hw_counters[] = {
	{ "rx_write_requests",		NONE, 64 },
	{ "rx_read_requests",		NONE, 64 },
	{ "rx_atomic_requests",		NONE, 64 },
	{ "out_of_buffer",		NONE, 64 },
	{ "out_of_sequence",		offsetof(struct sim_counters, oos), 32 },
	{ "duplicate_request",		NONE, 64 },
	{ "rnr_nak_retry_err",		NONE, 64 },
	{ "packet_seq_err",		offsetof(struct sim_counters, seq_err), 32 },
	{ "implied_nak_seq_err",	NONE, 64 },
	{ "local_ack_timeout_err",	offsetof(struct sim_counters, ack_timeout), 64 },
	{ "rx_dct_connect",		NONE, 64 },
	{ "resp_local_length_error",	NONE, 64 },
	{ "resp_cqe_error",		NONE, 64 },
	{ "req_cqe_error",		NONE, 64 },
	{ "req_remote_invalid_request",	NONE, 64 },
	{ "req_remote_access_errors",	NONE, 64 },
	{ "resp_remote_access_errors",	NONE, 64 },
	{ "resp_cqe_flush_error",	NONE, 64 },
	{ "req_cqe_flush_error",	NONE, 64 },
	{ "roce_adp_retrans",		NONE, 64 },
	{ "roce_adp_retrans_to",	NONE, 64 },
	{ "roce_slow_restart",		NONE, 64 },
	{ "roce_slow_restart_cnps",	NONE, 64 },
	{ "roce_slow_restart_trans",	NONE, 64 },
	{ "rp_cnp_ignored",		offsetof(struct sim_counters, cnp_ignored), 64 },
	{ "rp_cnp_handled",		offsetof(struct sim_counters, cnp_handled), 64 },
	{ "np_ecn_marked_roce_packets",	offsetof(struct sim_counters, ecn_seen), 64 },
	{ "np_cnp_sent",		offsetof(struct sim_counters, cnp_sent), 64 },
	{ "rx_icrc_encapsulated",	NONE, 64 },
};
#define N_HW (sizeof(hw_counters) / sizeof(*hw_counters))

static void put_number(const struct lab_device *d, const char *base, const char *name, uint64_t n, const char *dir)
{
	char path[256], text[32];

	snprintf(path, sizeof(path), "%s/%s", base, name);
	snprintf(text, sizeof(text), "%llu\n", (unsigned long long)n);
	view_put_new(dir, d, path, text);
}

/* Of its port, or of both members of the bond. */
static void rdma_counters(const struct fabric *f, const struct lab_port *p, struct sim_counters *out)
{
	const struct lab_device *d = &f->devices[p->device];

	fabric_counters(f, p, out);
	for (unsigned i = 0; p->is_member && i < 2; i++) {
		const struct lab_port *other = &f->ports[d->first + i];
		struct sim_counters more;

		if (other == p)
			continue;
		fabric_counters(f, other, &more);
		for (size_t k = 0; k < N_HW; k++)
			if (hw_counters[k].at != NONE)
				*(uint64_t *)((char *)out + hw_counters[k].at) +=
					*(const uint64_t *)((const char *)&more + hw_counters[k].at);
		out->rdma_rx_bytes += more.rdma_rx_bytes;
		out->rdma_tx_bytes += more.rdma_tx_bytes;
		out->rdma_rx_packets += more.rdma_rx_packets;
		out->rdma_tx_packets += more.rdma_tx_packets;
	}
}

static uint64_t hw_value(const struct sim_counters *c, size_t i)
{
	uint64_t n = hw_counters[i].at == NONE ? 0 : *(const uint64_t *)((const char *)c + hw_counters[i].at);

	return hw_counters[i].bits == 32 ? (uint32_t)n : n;
}

void files_print_rdma_counters(const struct fabric *f, const struct lab_port *p, const char *form, struct buf *out)
{
	struct sim_counters c;

	rdma_counters(f, p, &c);
	for (size_t i = 0; i < N_HW; i++)
		buf_printf(out, form, hw_counters[i].name, (unsigned long long)hw_value(&c, i));
}

static void put_rdma_counters(const struct fabric *f, const struct lab_device *d, const struct lab_port *p, bool is_first,
			      const char *dir)
{
	struct sim_counters c;
	char base[160];

	rdma_counters(f, p, &c);
	snprintf(base, sizeof(base), "sys/class/infiniband/%s/ports/1/hw_counters", p->rdma);
	if (is_first)
		put_number(d, base, "lifespan", 12, dir);
	for (size_t i = 0; i < N_HW; i++) {
		uint64_t n = hw_value(&c, i);

		if (n || is_first)
			put_number(d, base, hw_counters[i].name, n, dir);
	}
	snprintf(base, sizeof(base), "sys/class/infiniband/%s/ports/1/counters", p->rdma);
	/* The octets are counted by four. */
	put_number(d, base, "port_rcv_data", c.rdma_rx_bytes / 4, dir);
	put_number(d, base, "port_xmit_data", c.rdma_tx_bytes / 4, dir);
	put_number(d, base, "port_rcv_packets", c.rdma_rx_packets, dir);
	put_number(d, base, "port_xmit_packets", c.rdma_tx_packets, dir);
	if (!is_first)
		return;
	put_number(d, base, "port_xmit_wait", 0, dir);
	put_number(d, base, "port_rcv_errors", 0, dir);
	put_number(d, base, "port_xmit_discards", 0, dir);
	put_number(d, base, "symbol_error", 0, dir);
	put_number(d, base, "link_downed", 0, dir);
	put_number(d, base, "link_error_recovery", 0, dir);
}

static void put_port_counters(const struct fabric *f, const struct lab_device *d, const struct lab_port *p, const char *dir)
{
	struct sim_counters c;
	char base[160];
	bool is_up = port_is_up(f, p);

	fabric_counters(f, p, &c);
	snprintf(base, sizeof(base), "sys/class/net/%s/statistics", p->name);
	put_number(d, base, "rx_bytes", c.kernel_rx_bytes, dir);
	put_number(d, base, "tx_bytes", c.kernel_tx_bytes, dir);
	put_number(d, base, "rx_packets", c.kernel_rx_packets, dir);
	put_number(d, base, "tx_packets", c.kernel_tx_packets, dir);
	snprintf(base, sizeof(base), "sys/class/net/%s", p->name);
	put_number(d, base, "carrier", is_up, dir);
	put_number(d, base, "carrier_changes", 1 + c.link_downs * 2, dir);
	snprintf(base, sizeof(base), "%llu\n", (unsigned long long)p->speed_bps / 1000000);
	char path[160];

	snprintf(path, sizeof(path), "sys/class/net/%s/operstate", p->name);
	view_put_new(dir, d, path, is_up ? "up\n" : "down\n");
	snprintf(path, sizeof(path), "sys/class/net/%s/speed", p->name);
	view_put_new(dir, d, path, is_up ? base : "-1\n");
	snprintf(path, sizeof(path), "sys/class/infiniband/%s/ports/1/state", p->rdma);
	view_put_new(dir, d, path, is_up ? "4: ACTIVE\n" : "1: DOWN\n");
	snprintf(path, sizeof(path), "sys/class/infiniband/%s/ports/1/phys_state", p->rdma);
	view_put_new(dir, d, path, is_up ? "5: LinkUp\n" : "3: Disabled\n");
}

void files_put_counters(const struct fabric *f, const struct lab_device *d, bool is_first, const char *dir)
{
	for (unsigned k = 0; k < d->n; k++) {
		const struct lab_port *p = &f->ports[d->first + k];

		put_port_counters(f, d, p, dir);
		if (!p->is_member || !k)
			put_rdma_counters(f, d, p, is_first, dir);
	}
}
