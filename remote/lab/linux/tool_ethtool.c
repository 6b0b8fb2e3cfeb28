/* ethtool 6.1 on an mlx5 port: plain, -S, -i, -a, -A, --show-fec. */

#include <stdio.h>

#include "remote/lab/linux/files.h"
#include "remote/lab/linux/tools.h"


static uint64_t sum(const uint64_t *of_prios)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < SIM_PRIOS; i++)
		n += of_prios[i];
	return n;
}

static void row(struct buf *out, const char *name, uint64_t n)
{
	buf_printf(out, "     %s: %llu\n", name, (unsigned long long)n);
}

static void zeros(struct buf *out, const char *names)
{
	struct span rest = span_of(names), name;

	while (span_word(&rest, &name))
		buf_printf(out, "     %.*s: 0\n", (int)name.n, name.p);
}

static void priority(struct buf *out, unsigned i, const char *form, uint64_t n)
{
	char name[64];

	snprintf(name, sizeof(name), form, i);
	row(out, name, n);
}

/* The pause counters of a priority are there only while PFC is on for it. */
static void print_pfc(struct buf *out, const struct lab_port *p, const struct sim_counters *c)
{
	for (unsigned i = 0; i < SIM_PRIOS; i++) {
		if (!p->nic.pfc[i])
			continue;
		priority(out, i, "rx_prio%u_pause", c->pfc_rx[i]);
		priority(out, i, "rx_prio%u_pause_duration", c->pfc_rx_us[i]);
		priority(out, i, "tx_prio%u_pause", c->pfc_tx[i]);
		priority(out, i, "tx_prio%u_pause_duration", c->pfc_tx_us[i]);
		priority(out, i, "rx_prio%u_pause_transition", c->pfc_rx_xon[i]);
	}
	if (!p->nic.pause_rx && !p->nic.pause_tx)
		return;
	row(out, "rx_global_pause", c->pause_rx);
	zeros(out, "rx_global_pause_duration");
	row(out, "tx_global_pause", c->pause_tx);
	zeros(out, "tx_global_pause_duration rx_global_pause_transition");
}

static void print_phy(struct buf *out, const struct lab_port *p, const struct sim_counters *c)
{
	uint64_t rx_packets = sum(c->rx_packets), tx_packets = sum(c->tx_packets);

	row(out, "tx_packets_phy", tx_packets);
	row(out, "rx_packets_phy", rx_packets);
	row(out, "rx_crc_errors_phy", c->phy_err);
	row(out, "tx_bytes_phy", sum(c->tx_bytes));
	row(out, "rx_bytes_phy", sum(c->rx_bytes));
	row(out, "tx_multicast_phy", c->tx_multicast);
	row(out, "tx_broadcast_phy", c->tx_broadcast);
	row(out, "rx_multicast_phy", c->rx_multicast);
	row(out, "rx_broadcast_phy", c->rx_broadcast);
	zeros(out, "rx_in_range_len_errors_phy rx_out_of_range_len_phy rx_oversize_pkts_phy");
	row(out, "rx_symbol_err_phy", c->phy_err);
	row(out, "tx_mac_control_phy", sum(c->pfc_tx) + c->pause_tx);
	row(out, "rx_mac_control_phy", sum(c->pfc_rx) + c->pause_rx + c->pause_unsupported);
	row(out, "rx_unsupported_op_phy", c->pause_unsupported);
	row(out, "rx_pause_ctrl_phy", sum(c->pfc_rx) + c->pause_rx);
	row(out, "tx_pause_ctrl_phy", sum(c->pfc_tx) + c->pause_tx);
	row(out, "rx_discards_phy", sum(c->rx_drop));
	row(out, "tx_discards_phy", sum(c->tx_drop));
	zeros(out, "tx_errors_phy rx_undersize_pkts_phy rx_fragments_phy rx_jabbers_phy");
	row(out, "link_down_events_phy", c->link_downs);
	row(out, "rx_pcs_symbol_err_phy", c->phy_err);
	row(out, "rx_corrected_bits_phy", c->fec_corr);
	zeros(out, "rx_err_lane_0_phy rx_err_lane_1_phy rx_err_lane_2_phy rx_err_lane_3_phy rx_buffer_passed_thres_phy "
		   "rx_pci_signal_integrity tx_pci_signal_integrity outbound_pci_stalled_rd");
	/* A receiver whose memory does not keep up: writes to it stall for a part of each second. */
	row(out, "outbound_pci_stalled_wr", p->harm.drain_bps > 0 ? 62 : 0);
	zeros(out, "outbound_pci_stalled_rd_events");
	row(out, "outbound_pci_stalled_wr_events", 0);
}

static int statistics(struct tool_call *t, const struct lab_port *p)
{
	struct sim_counters c;
	struct buf *out = t->out;

	fabric_counters(t->fabric, p, &c);
	buf_str(out, "NIC statistics:\n");
	row(out, "rx_packets", c.kernel_rx_packets);
	row(out, "rx_bytes", c.kernel_rx_bytes);
	row(out, "tx_packets", c.kernel_tx_packets);
	row(out, "tx_bytes", c.kernel_tx_bytes);
	zeros(out, "rx_csum_unnecessary rx_ecn_mark rx_out_of_buffer rx_if_down_packets");
	row(out, "rx_vport_rdma_unicast_packets", c.rdma_rx_packets);
	row(out, "rx_vport_rdma_unicast_bytes", c.rdma_rx_bytes);
	row(out, "tx_vport_rdma_unicast_packets", c.rdma_tx_packets);
	row(out, "tx_vport_rdma_unicast_bytes", c.rdma_tx_bytes);
	print_phy(out, p, &c);
	for (unsigned i = 0; i < SIM_PRIOS; i++) {
		priority(out, i, "rx_prio%u_bytes", c.rx_bytes[i]);
		priority(out, i, "rx_prio%u_packets", c.rx_packets[i]);
		priority(out, i, "rx_prio%u_discards", c.rx_drop[i]);
		priority(out, i, "tx_prio%u_bytes", c.tx_bytes[i]);
		priority(out, i, "tx_prio%u_packets", c.tx_packets[i]);
	}
	print_pfc(out, p, &c);
	row(out, "tx_pause_storm_warning_events", c.stall_warnings);
	row(out, "tx_pause_storm_error_events", c.stalls);
	zeros(out, "module_unplug module_bus_stuck module_high_temp module_bad_shorted ch0_events ch0_poll ch0_arm");
	for (unsigned i = 0; i < SIM_PRIOS; i++) {
		priority(out, i, "rx_prio%u_buf_discard", 0);
		priority(out, i, "rx_prio%u_cong_discard", 0);
		priority(out, i, "rx_prio%u_marked", 0);
	}
	return 0;
}

static int driver(struct tool_call *t, const struct lab_port *p)
{
	char pci[16];

	port_pci(p, pci);
	buf_printf(t->out,
		   "driver: mlx5_core\nversion: 24.01-0.3.3\nfirmware-version: 28.39.1002 (MT_0000000838)\n"
		   "expansion-rom-version: \nbus-info: %s\nsupports-statistics: yes\nsupports-test: yes\n"
		   "supports-eeprom-access: no\nsupports-register-dump: no\nsupports-priv-flags: yes\n", pci);
	return 0;
}

static const char *on_off(bool on)
{
	return on ? "on" : "off";
}

static int pause_shown(struct tool_call *t, const struct lab_port *p)
{
	buf_printf(t->out, "Pause parameters for %s:\nAutonegotiate:\toff\nRX:\t\t%s\nTX:\t\t%s\n\n", p->name,
		   on_off(p->nic.pause_rx), on_off(p->nic.pause_tx));
	return 0;
}

/* mlx5 leaves PFC when the link pause is switched on: the two exclude each other. */
static int pause_set(struct tool_call *t, struct lab_port *p)
{
	for (int i = 3; i + 1 < t->argc; i += 2) {
		bool on = is_word(t->argv[i + 1], "on");

		if (is_word(t->argv[i], "rx"))
			p->nic.pause_rx = on;
		else if (is_word(t->argv[i], "tx"))
			p->nic.pause_tx = on;
		else if (!is_word(t->argv[i], "autoneg")) {
			buf_printf(t->errors, "ethtool: bad command line argument(s)\nFor more information run ethtool -h\n");
			return 1;
		}
	}
	if (p->nic.pause_rx || p->nic.pause_tx)
		memset(p->nic.pfc, 0, sizeof(p->nic.pfc));
	t->is_changed = true;
	return 0;
}

static int fec(struct tool_call *t, const struct lab_port *p)
{
	buf_printf(t->out, "FEC parameters for %s:\nSupported/Configured FEC encodings: RS\nActive FEC encoding: RS\n", p->name);
	return 0;
}

static int plain(struct tool_call *t, const struct lab_port *p)
{
	unsigned long long mbps = p->speed_bps / 1000000;
	bool is_up = port_is_up(t->fabric, p);

	buf_printf(t->out, "Settings for %s:\n\tSupported ports: [ FIBRE ]\n\tSupported link modes:   %llubaseCR4/Full\n"
		   "\tSupported pause frame use: Symmetric\n\tSupports auto-negotiation: Yes\n"
		   "\tSupported FEC modes: None\t RS\n", p->name, mbps);
	if (is_up)
		buf_printf(t->out, "\tSpeed: %lluMb/s\n\tDuplex: Full\n", mbps);
	else
		buf_str(t->out, "\tSpeed: Unknown!\n\tDuplex: Unknown! (255)\n");
	buf_printf(t->out, "\tAuto-negotiation: on\n\tPort: Direct Attach Copper\n\tPHYAD: 0\n\tTransceiver: internal\n"
		   "\tLink detected: %s\n", is_up ? "yes" : "no");
	return 0;
}

static int no_device(struct tool_call *t, const char *option)
{
	if (is_word(option, "-S") || is_word(option, "--statistics")) {
		buf_str(t->errors, "Cannot get stats strings information: No such device\n");
		return 96;
	}
	if (is_word(option, "-i") || is_word(option, "--driver")) {
		buf_str(t->errors, "Cannot get driver information: No such device\n");
		return 71;
	}
	buf_str(t->errors, "netlink error: no device matches name (offset 24)\nnetlink error: No such device\n"
			   "No data available\n");
	return 75;
}

int tool_ethtool(struct tool_call *t)
{
	static const struct {
		const char *letter, *name;
		int (*show)(struct tool_call *t, const struct lab_port *p);
	} options[] = {
		{ "-S", "--statistics", statistics },
		{ "-i", "--driver", driver },
		{ "-a", "--show-pause", pause_shown },
		{ "--show-fec", "--show-fec", fec },
	};
	const char *first = t->argc > 1 ? t->argv[1] : NULL;
	struct lab_port *p;

	if (is_word(first, "--version")) {
		buf_str(t->out, "ethtool version 6.1\n");
		return 0;
	}
	if (!first || (*first == '-' && t->argc < 3) || is_word(first, "--json")) {
		buf_str(t->errors, "ethtool: bad command line argument(s)\nFor more information run ethtool -h\n");
		return 1;
	}
	p = tool_port(t, t->argv[*first == '-' ? 2 : 1]);
	if (!p)
		return no_device(t, first);
	if (*first != '-')
		return plain(t, p);
	if (is_word(first, "-A") || is_word(first, "--pause"))
		return pause_set(t, p);
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (is_word(first, options[i].letter) || is_word(first, options[i].name))
			return options[i].show(t, p);
	buf_str(t->errors, "netlink error: Operation not supported\n");
	return 1;
}
