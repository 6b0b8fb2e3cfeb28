/* The files that move: link state, counters of the port and of its RDMA device. */
#include <stddef.h>
#include <stdio.h>

#include "remote/lab/linux/breed.h"
#include "remote/lab/linux/files.h"
#include "remote/lab/linux/hw_counters.h"
#include "remote/lab/server/view.h"

#define NO_PMA	"N/A (no PMA)\n"

static void put_number(const struct lab_device *d, const char *base, const char *name, uint64_t n, const char *dir)
{
	char path[256], text[32];

	snprintf(path, sizeof(path), "%s/%s", base, name);
	snprintf(text, sizeof(text), "%llu\n", (unsigned long long)n);
	view_put_new(dir, d, path, text);
}

#define AT(member) offsetof(struct sim_counters, member)

/* What an RDMA device counts. */
static const size_t of_rdma[] = {
	AT(oos), AT(seq_err), AT(ack_timeout), AT(cnp_ignored), AT(cnp_handled), AT(ecn_seen), AT(cnp_sent), AT(rdma_rx_bytes),
	AT(rdma_tx_bytes), AT(rdma_rx_packets), AT(rdma_tx_packets),
};

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
		for (size_t k = 0; k < sizeof(of_rdma) / sizeof(*of_rdma); k++)
			*(uint64_t *)((char *)out + of_rdma[k]) += *(const uint64_t *)((const char *)&more + of_rdma[k]);
	}
}

static const struct hw_counters *hw_counters(const struct lab_device *d)
{
	return hw_counters_of(breed_of(d)->rdma_driver);
}

void files_print_rdma_counters(const struct fabric *f, const struct lab_port *p, const char *form, struct buf *out)
{
	const struct hw_counters *hw = hw_counters(port_device(f, p));
	struct sim_counters c;

	rdma_counters(f, p, &c);
	for (size_t i = 0; i < hw->n; i++) {
		struct span rest = span_of(hw->rows[i].names), name;

		while (span_word(&rest, &name))
			buf_printf(out, form, (int)name.n, name.p, (unsigned long long)hw_counter_value(&hw->rows[i], &c));
	}
}

static void put_row(const struct lab_device *d, const char *base, const struct hw_counter *row, uint64_t n, const char *dir)
{
	struct span rest = span_of(row->names), name;

	while (span_word(&rest, &name)) {
		char text[48];

		snprintf(text, sizeof(text), "%.*s", (int)name.n, name.p);
		put_number(d, base, text, n, dir);
	}
}

static void put_hw_counters(const struct lab_device *d, const struct lab_port *p, const struct sim_counters *c, bool is_first,
			    const char *dir)
{
	const struct hw_counters *hw = hw_counters(d);
	char base[160];

	snprintf(base, sizeof(base), "sys/class/infiniband/%s/ports/1/hw_counters", p->rdma);
	if (is_first)
		put_number(d, base, "lifespan", 12, dir);
	for (size_t i = 0; i < hw->n; i++) {
		if (is_first || hw->rows[i].at != HW_NOUGHT)
			put_row(d, base, &hw->rows[i], hw_counter_value(&hw->rows[i], c), dir);
	}
}

/* The port's management agent counts octets by four. A driver without one has the files, and nothing in them. */
static void put_pma_counters(const struct lab_device *d, const struct lab_port *p, const struct sim_counters *c, bool is_first,
			     const char *dir)
{
	static const char *const moving[] = { "port_rcv_data", "port_xmit_data", "port_rcv_packets", "port_xmit_packets" };
	static const char *const still[] = {
		"port_xmit_wait", "port_rcv_errors", "port_xmit_discards", "symbol_error", "link_downed", "link_error_recovery",
	};
	const uint64_t values[] = { c->rdma_rx_bytes / 4, c->rdma_tx_bytes / 4, c->rdma_rx_packets, c->rdma_tx_packets };
	bool has_pma = hw_counters(d)->has_pma;
	char base[160];

	snprintf(base, sizeof(base), "sys/class/infiniband/%s/ports/1/counters", p->rdma);
	for (size_t i = 0; i < sizeof(moving) / sizeof(*moving); i++)
		if (has_pma)
			put_number(d, base, moving[i], values[i], dir);
		else if (is_first)
			view_putf(d, dir, NO_PMA, "%s/%s", base, moving[i]);
	for (size_t i = 0; is_first && i < sizeof(still) / sizeof(*still); i++)
		view_putf(d, dir, has_pma ? "0\n" : NO_PMA, "%s/%s", base, still[i]);
}

static void put_rdma_counters(const struct fabric *f, const struct lab_device *d, const struct lab_port *p, bool is_first,
			      const char *dir)
{
	struct sim_counters c;

	rdma_counters(f, p, &c);
	put_hw_counters(d, p, &c, is_first, dir);
	put_pma_counters(d, p, &c, is_first, dir);
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
