/* The state of the whole fabric as facts: what is so, whatever skins and faults make the devices say of it. */
#include "remote/lab/world/skins.h"

static void dump_fact(const struct fabric *f, const struct lab_port *p, enum field field, unsigned index,
		      struct value value, struct buf *out)
{
	struct fact fact = {
		.device = f->devices[p->device].name, .port = p->name, .field = field, .index = index, .value = value,
	};

	fact_print(&fact, out);
	buf_str(out, "\n");
}

static void dump_value(const struct fabric *f, const struct lab_port *p, enum field field, unsigned index, uint64_t n, struct buf *out)
{
	dump_fact(f, p, field, index, (struct value){ .is = VALUE_KNOWN, .n = n }, out);
}

static void dump_number(const struct fabric *f, const struct lab_port *p, enum field field, unsigned index, uint64_t n,
			struct buf *out)
{
	if (n)
		dump_value(f, p, field, index, n, out);
}

static void dump_text(const struct fabric *f, const struct lab_port *p, enum field field, const char *text, struct buf *out)
{
	dump_fact(f, p, field, 0, (struct value){ .is = VALUE_KNOWN, .text = text }, out);
}

/* What is so at either kind of port, whatever the device says of it. */
static void dump_link(const struct fabric *f, const struct lab_port *p, struct buf *out)
{
	const struct lab_port *peer = port_peer(f, p);

	dump_value(f, p, FIELD_UP, 0, port_is_up(f, p), out);
	dump_value(f, p, FIELD_SPEED, 0, p->speed_bps, out);
	dump_text(f, p, FIELD_MAC, p->mac, out);
	if (!peer)
		return;
	dump_text(f, p, FIELD_PEER_NAME, port_device(f, peer)->name, out);
	dump_text(f, p, FIELD_PEER_PORT, peer->name, out);
}

/* Its own, or that of the VLAN on the first port, whose entries stand in the same table. */
static bool has_address(const struct fabric *f, const struct lab_port *p)
{
	return !p->harm.has_no_address || (wears(port_device(f, p), SKIN_NETDEV_WITHOUT_DEVICE) && p->number == 1);
}

static void dump_nic(const struct fabric *f, const struct lab_port *p, struct buf *out)
{
	enum field field;

	for (size_t i = 0; (field = host_port_field(i)) != FIELD_COUNT; i++)
		for (unsigned index = 0; index < field_table[field].width; index++) {
			struct value value;

			if (host_port_get(&p->nic, field, index, &value) && value.is == VALUE_KNOWN)
				dump_fact(f, p, field, index, value, out);
		}
	dump_value(f, p, FIELD_GID_V2, 0, has_address(f, p), out);
	if (!p->is_member)	/* else it is the bond's */
		dump_text(f, p, FIELD_RDMA, p->rdma, out);
}

/* A switch's port does what its configuration comes to, in whatever form that was written. */
static void dump_switch_port(const struct fabric *f, const struct lab_port *p, struct buf *out)
{
	const struct sim_qos *qos = sim_qos(f->sim, p->sim);

	dump_value(f, p, FIELD_MTU, 0, qos->mtu, out);
	dump_value(f, p, FIELD_PAUSE_RX, 0, qos->pause_rx, out);
	dump_value(f, p, FIELD_PAUSE_TX, 0, qos->pause_tx, out);
	for (unsigned i = 0; i < 64; i++)
		dump_value(f, p, FIELD_DSCP_PRIO, i, qos->dscp_prio[i], out);
	for (unsigned i = 0; i < SIM_PRIOS; i++) {
		dump_value(f, p, FIELD_PFC_ON, i, qos->pfc[i], out);
		dump_value(f, p, FIELD_ECN_ON, i, qos->ecn[i], out);
		if (!qos->ecn[i])
			continue;
		dump_value(f, p, FIELD_ECN_KMIN, i, qos->kmin[i], out);
		dump_value(f, p, FIELD_ECN_KMAX, i, qos->kmax[i], out);
		dump_value(f, p, FIELD_ECN_PMAX, i, (uint64_t)(qos->pmax[i] * 100 + 0.5), out);
	}
}

static void dump_counters(const struct fabric *f, const struct lab_port *p, struct buf *out)
{
	struct sim_counters c;

	counters_true(f, p, &c);
	for (unsigned i = 0; i < SIM_PRIOS; i++) {
		dump_number(f, p, FIELD_RX_BYTES, i, c.rx_bytes[i], out);
		dump_number(f, p, FIELD_TX_BYTES, i, c.tx_bytes[i], out);
		dump_number(f, p, FIELD_PFC_RX, i, c.pfc_rx[i], out);
		dump_number(f, p, FIELD_PFC_TX, i, c.pfc_tx[i], out);
		dump_number(f, p, FIELD_PFC_RX_US, i, c.pfc_rx_us[i], out);
		dump_number(f, p, FIELD_PFC_TX_US, i, c.pfc_tx_us[i], out);
		dump_number(f, p, FIELD_RX_DROP, i, c.rx_drop[i], out);
		dump_number(f, p, FIELD_TX_DROP, i, c.tx_drop[i], out);
		dump_number(f, p, FIELD_ECN_MARKED, i, c.marked[i], out);
		dump_number(f, p, FIELD_PFC_STORM, i, c.storms[i], out);
	}
	dump_number(f, p, FIELD_PAUSE_RX_FRAMES, 0, c.pause_rx, out);
	dump_number(f, p, FIELD_PAUSE_TX_FRAMES, 0, c.pause_tx, out);
	dump_number(f, p, FIELD_ECN_SEEN, 0, c.ecn_seen, out);
	dump_number(f, p, FIELD_CNP_SENT, 0, c.cnp_sent, out);
	dump_number(f, p, FIELD_CNP_HANDLED, 0, c.cnp_handled, out);
	dump_number(f, p, FIELD_CNP_IGNORED, 0, c.cnp_ignored, out);
	dump_number(f, p, FIELD_OOS, 0, c.oos, out);
	dump_number(f, p, FIELD_SEQ_ERR, 0, c.seq_err, out);
	dump_number(f, p, FIELD_PHY_ERR, 0, c.phy_err, out);
}

void fabric_dump(struct fabric *f, struct buf *out)
{
	buf_printf(out, "# %s, seed %llu, traffic %s, at %lld us\n", f->name, (unsigned long long)f->seed, f->traffic,
		   (long long)f->now_us);
	skins_print(f, out);
	for (size_t i = 0; i < f->n_ports; i++) {
		const struct lab_port *p = &f->ports[i];
		const struct lab_device *d = port_device(f, p);

		dump_link(f, p, out);
		if (port_is_host(f, p))
			dump_nic(f, p, out);
		else
			dump_switch_port(f, p, out);
		dump_counters(f, p, out);
		if (d->system->dump && p->number == d->n)
			d->system->dump(f, d, out);
	}
}
