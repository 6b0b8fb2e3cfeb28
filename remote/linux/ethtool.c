/* ethtool: counters of the drivers' own names, driver and firmware, pause, FEC, link. */
#include "remote/linux/linux.h"

#include "remote/platform/tool_output.h"

#define OF_BNXT	1u	/* means the port's total on bnxt only; elsewhere it is what the kernel's stack saw */

struct counter_name {
	const char *name;	/* '%' stands for the first number in it */
	enum field field;
	unsigned flags;
};

/*
 * Sorted by name, for people. Sources: kernel counters.rst and en_stats.c (mlx5), published outputs of
 * bnxt_en, ice, i40e, ixgbe; ionic from its ethtool source. Missing lines are no zeros: mlx5 prints pause counters of a
 * priority only while PFC is on for it.
 *
 * ice with PFC on counts all priorities of a traffic class in unison: each of them shows the frames of its class.
 * i40e and ice count XOFF frames only, mlx5 and bnxt every PFC frame.
 *
 * mlx4's names end in prio_N. Its header (mlx4_stats.h) has rx_pause_duration as the time that the far end asked us to pause,
 * and tx_pause_duration as the time that transmission was paused: which of the two ends that is, is not told, and not read.
 */
static const struct counter_name names[] = {
	{ "frames_rx_pause",			FIELD_PAUSE_RX_FRAMES, 0 },
	{ "frames_tx_pause",			FIELD_PAUSE_TX_FRAMES, 0 },
	{ "link_down_events",			FIELD_LINK_DOWNS, 0 },
	{ "link_down_events_phy",		FIELD_LINK_DOWNS, 0 },
	{ "link_xoff_rx.nic",			FIELD_PAUSE_RX_FRAMES, 0 },
	{ "link_xoff_tx.nic",			FIELD_PAUSE_TX_FRAMES, 0 },
	{ "outbound_pci_stalled_wr",		FIELD_PCI_STALL, 0 },
	{ "pfc_pri%_rx_duration_us",		FIELD_PFC_RX_US, 0 },
	{ "pfc_pri%_rx_transitions",		FIELD_PFC_RX_XON, 0 },
	{ "pfc_pri%_tx_duration_us",		FIELD_PFC_TX_US, 0 },
	{ "port.link_xoff_rx",			FIELD_PAUSE_RX_FRAMES, 0 },
	{ "port.link_xoff_tx",			FIELD_PAUSE_TX_FRAMES, 0 },
	{ "port.rx_bytes",			FIELD_RX_TOTAL, 0 },
	{ "port.rx_crc_errors",			FIELD_PHY_ERR, 0 },
	{ "port.rx_dropped",			FIELD_RX_DISCARD, 0 },
	{ "port.rx_priority_%_xoff",		FIELD_PFC_RX, 0 },
	{ "port.rx_priority_%_xoff_rx",		FIELD_PFC_RX, 0 },
	{ "port.rx_priority_%_xon",		FIELD_PFC_RX_XON, 0 },
	{ "port.rx_priority_%_xon_rx",		FIELD_PFC_RX_XON, 0 },
	{ "port.tx_bytes",			FIELD_TX_TOTAL, 0 },
	{ "port.tx_priority_%_xoff",		FIELD_PFC_TX, 0 },
	{ "port.tx_priority_%_xoff_tx",		FIELD_PFC_TX, 0 },
	{ "rx_bytes",				FIELD_RX_TOTAL, OF_BNXT },
	{ "rx_bytes.nic",			FIELD_RX_TOTAL, 0 },
	{ "rx_bytes_phy",			FIELD_RX_TOTAL, 0 },
	{ "rx_bytes_pri%",			FIELD_RX_BYTES, 0 },
	{ "rx_corrected_bits",			FIELD_FEC_CORR, 0 },
	{ "rx_corrected_bits_phy",		FIELD_FEC_CORR, 0 },
	{ "rx_crc_errors.nic",			FIELD_PHY_ERR, 0 },
	{ "rx_crc_errors_phy",			FIELD_PHY_ERR, 0 },
	{ "rx_discards_phy",			FIELD_RX_DISCARD, 0 },
	{ "rx_dropped.nic",			FIELD_RX_DISCARD, 0 },
	{ "rx_err_lane_%_phy",			FIELD_LANE_ERR, 0 },
	{ "rx_fcs_err_frames",			FIELD_PHY_ERR, 0 },
	{ "rx_fec_uncorrectable_blocks",	FIELD_FEC_LOST, 0 },
	{ "rx_flow_control_xoff",		FIELD_PAUSE_RX_FRAMES, 0 },
	{ "rx_global_pause",			FIELD_PAUSE_RX_FRAMES, 0 },
	{ "rx_packets_pri%",			FIELD_RX_PACKETS, 0 },
	{ "rx_pause_frames",			FIELD_PAUSE_RX_FRAMES, 0 },
	{ "rx_pause_duration_prio_%",		FIELD_PFC_RX_US, 0 },
	{ "rx_pause_prio_%",			FIELD_PFC_RX, 0 },
	{ "rx_pause_transition_prio_%",		FIELD_PFC_RX_XON, 0 },
	{ "rx_pcs_symbol_err_phy",		FIELD_PHY_SYMBOL_ERR, 0 },
	{ "rx_pfc_ena_frames_pri%",		FIELD_PFC_RX, 0 },
	{ "rx_prio%_buf_discard",		FIELD_RX_DROP_BUFFER, 0 },
	{ "rx_prio%_bytes",			FIELD_RX_BYTES, 0 },
	{ "rx_prio%_cong_discard",		FIELD_RX_DROP_CONGESTION, 0 },
	{ "rx_prio%_discards",			FIELD_RX_DROP, 0 },
	{ "rx_prio%_marked",			FIELD_RX_MARKED, 0 },
	{ "rx_prio%_packets",			FIELD_RX_PACKETS, 0 },
	{ "rx_prio%_pause",			FIELD_PFC_RX, 0 },
	{ "rx_prio%_pause_duration",		FIELD_PFC_RX_US, 0 },
	{ "rx_prio%_pause_transition",		FIELD_PFC_RX_XON, 0 },
	{ "rx_priority_%_xoff.nic",		FIELD_PFC_RX, 0 },
	{ "rx_priority_%_xon.nic",		FIELD_PFC_RX_XON, 0 },
	{ "rx_pripause_%_1us_count",		FIELD_PFC_RX_US, 0 },
	{ "rx_stat_discard",			FIELD_RX_DISCARD, 0 },
	{ "tx_bytes",				FIELD_TX_TOTAL, OF_BNXT },
	{ "tx_bytes.nic",			FIELD_TX_TOTAL, 0 },
	{ "tx_bytes_phy",			FIELD_TX_TOTAL, 0 },
	{ "tx_bytes_pri%",			FIELD_TX_BYTES, 0 },
	{ "tx_discards_phy",			FIELD_TX_DISCARD, 0 },
	{ "tx_flow_control_xoff",		FIELD_PAUSE_TX_FRAMES, 0 },
	{ "tx_global_pause",			FIELD_PAUSE_TX_FRAMES, 0 },
	{ "tx_packets_pri%",			FIELD_TX_PACKETS, 0 },
	{ "tx_pause_frames",			FIELD_PAUSE_TX_FRAMES, 0 },
	{ "tx_pause_prio_%",			FIELD_PFC_TX, 0 },
	{ "tx_pause_storm_error_events",	FIELD_STORM_ERR, 0 },
	{ "tx_pause_storm_warning_events",	FIELD_STORM_WARN, 0 },
	{ "tx_pfc_ena_frames_pri%",		FIELD_PFC_TX, 0 },
	{ "tx_prio%_bytes",			FIELD_TX_BYTES, 0 },
	{ "tx_prio%_packets",			FIELD_TX_PACKETS, 0 },
	{ "tx_prio%_pause",			FIELD_PFC_TX, 0 },
	{ "tx_prio%_pause_duration",		FIELD_PFC_TX_US, 0 },
	{ "tx_priority_%_xoff.nic",		FIELD_PFC_TX, 0 },
	{ "tx_pripause_%_1us_count",		FIELD_PFC_TX_US, 0 },
	{ "tx_stat_discard",			FIELD_TX_DISCARD, 0 },
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

#define NAME_MAX_N	47	/* longer names are of no row */

/* Rings are most of the lines of a busy NIC: "rx12_packets", "ch3_poll", "[7]: rx_ucast_packets". */
static bool is_of_ring(struct span name)
{
	return name.n < 4 || name.n > NAME_MAX_N || *name.p == '[' || is_digit(name.p[2]);
}

#define PLACES	256

struct pattern {
	char text[NAME_MAX_N + 1];	/* padded with zeros */
	size_t n;
};

/* Eight bytes at a time; multiplied by 2^64 over the golden ratio, whose upper bits mix well. */
static size_t place_of(const struct pattern *p)
{
	uint64_t hash = p->n, word;

	for (size_t i = 0; i < p->n; i += sizeof(word)) {
		memcpy(&word, p->text + i, sizeof(word));
		hash = (hash ^ word ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	}
	return (hash >> 48) % PLACES;
}

/* A busy NIC prints hundreds of names a second: each is found at its hash, or next to it. */
static const struct counter_name *places[PLACES];

static void place_names(void)
{
	_Static_assert(sizeof(names) / sizeof(*names) * 3 < PLACES, "names are found soon");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct pattern p = { .n = strlen(names[i].name) };
		size_t at;

		memcpy(p.text, names[i].name, p.n);
		for (at = place_of(&p); places[at]; at = (at + 1) % PLACES)
			;
		places[at] = &names[i];
	}
}

static const struct counter_name *find_pattern(const struct pattern *p)
{
	static bool is_placed;
	struct span name = { p->text, p->n };

	if (!is_placed)
		place_names();
	is_placed = true;
	for (size_t at = place_of(p); places[at]; at = (at + 1) % PLACES)
		if (span_is(name, places[at]->name))
			return places[at];
	return NULL;
}

/* The row of a name, and its first number in *index. */
static const struct counter_name *find_name(struct span name, unsigned *index)
{
	struct pattern p = { .n = name.n };
	size_t digit = 0;

	*index = 0;
	while (digit < name.n && !is_digit(name.p[digit]))
		digit++;
	memcpy(p.text, name.p, name.n);
	if (digit < name.n) {
		if (digit + 1 < name.n && is_digit(name.p[digit + 1]))
			return NULL;		/* no field has as many indices */
		*index = (unsigned)(name.p[digit] - '0');
		p.text[digit] = '%';
	}
	return find_pattern(&p);
}

/* Without the tool nothing is known of what it would have told; the totals aside, of which the kernel's own count may be. */
static void counters_unknown(struct obs *o, uint16_t port, const char *reason, bool has_tool)
{
	static const enum field fields[] = {
		FIELD_PFC_RX, FIELD_PFC_TX, FIELD_RX_DISCARD,
		FIELD_PFC_RX_US, FIELD_PFC_TX_US, FIELD_PFC_RX_XON, FIELD_PAUSE_RX_FRAMES, FIELD_PAUSE_TX_FRAMES, FIELD_RX_BYTES,
		FIELD_TX_BYTES, FIELD_RX_PACKETS, FIELD_TX_PACKETS, FIELD_RX_DROP, FIELD_RX_DROP_BUFFER, FIELD_RX_DROP_CONGESTION,
		FIELD_TX_DISCARD, FIELD_FEC_CORR, FIELD_PHY_ERR, FIELD_LINK_DOWNS, FIELD_STORM_WARN, FIELD_STORM_ERR,
	};

	for (size_t i = 0; i < (has_tool ? 3 : sizeof(fields) / sizeof(*fields)); i++)
		unknown_all(o, port, fields[i], reason);
}

size_t linux_ethtool_counters(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, name, value;
	uint16_t port = answer_port(a, o);
	char reason[REASON_MAX];
	bool is_bnxt = false;
	size_t lines = 0;

	while (span_line(&rest, &line)) {
		const struct counter_name *row;
		unsigned index;

		/* names hold colons and blanks: "[0]: rx_ucast_packets", "rxq0: rx_pkts" */
		if (!span_cut_last(line, ':', &name, &value) || (value = span_trim(value)).n == 0 || !is_digit(*value.p))
			continue;
		lines++;
		name = span_trim(name);
		if (is_of_ring(name) || !(row = find_name(name, &index)))
			continue;
		is_bnxt |= row->field == FIELD_PFC_RX && span_starts(name, "rx_pfc_ena");
		if (row->flags & OF_BNXT && !is_bnxt)
			continue;
		obs_cite(o, line);
		obs_counter(o, port, row->field, index, value, 0);
	}
	o->cite = CITE_NONE;
	if (lines == 0 && refusal(a, "ethtool -S", reason))
		counters_unknown(o, port, reason, a->status != STATUS_NO_TOOL);
	return o->n;
}

size_t linux_ethtool_driver(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, key, value;
	uint16_t port = answer_port(a, o);
	char reason[REASON_MAX];

	while (span_line(&rest, &line)) {
		if (!key_value(line, &key, &value) || value.n == 0)
			continue;
		obs_cite(o, line);
		if (span_is(key, "driver"))
			obs_text(o, port, FIELD_DRIVER, value);
		else if (span_is(key, "firmware-version"))
			obs_text(o, port, FIELD_FIRMWARE, value);
	}
	o->cite = CITE_NONE;
	if (o->n == 0 && refusal(a, "ethtool -i", reason)) {
		obs_unknown(o, port, FIELD_DRIVER, 0, reason);
		obs_unknown(o, port, FIELD_FIRMWARE, 0, reason);
	}
	return o->n;
}

static void add_on_off(struct obs *o, uint16_t port, enum field f, struct span word)
{
	if (span_is(word, "on") || span_is(word, "off"))
		obs_bool(o, port, f, 0, word.n == 2);
	else
		obs_unknown(o, port, f, 0, "ethtool -a: neither on nor off");
}

size_t linux_ethtool_pause(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, key, value;
	uint16_t port = answer_port(a, o);
	char reason[REASON_MAX];

	while (span_line(&rest, &line)) {
		if (!key_value(line, &key, &value))
			continue;
		obs_cite(o, line);
		if (span_is(key, "RX"))
			add_on_off(o, port, FIELD_PAUSE_RX, value);
		else if (span_is(key, "TX"))
			add_on_off(o, port, FIELD_PAUSE_TX, value);
	}
	o->cite = CITE_NONE;
	if (o->n == 0 && refusal(a, "ethtool -a", reason)) {
		obs_unknown(o, port, FIELD_PAUSE_RX, 0, reason);
		obs_unknown(o, port, FIELD_PAUSE_TX, 0, reason);
	}
	return o->n;
}

size_t linux_ethtool_fec(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, key, value;
	uint16_t port = answer_port(a, o);
	char reason[REASON_MAX];

	while (span_line(&rest, &line)) {
		if (!key_value(line, &key, &value) || !span_starts(key, "Active FEC encoding") || value.n == 0)
			continue;
		obs_cite(o, line);
		obs_text(o, port, FIELD_FEC, value);
	}
	o->cite = CITE_NONE;
	if (o->n == 0 && refusal(a, "ethtool --show-fec", reason))
		obs_unknown(o, port, FIELD_FEC, 0, reason);
	return o->n;
}

/* "100000baseSR4/Full", "10000baseR_FEC": Mb/s; 0: it is no link mode. */
static uint64_t mode_mbps(struct span word)
{
	uint64_t mbps;

	return span_take_u64(&word, &mbps) && span_starts(word, "base") && mbps < UINT32_MAX ? mbps : 0;
}

/* "Supported link modes:   25000baseCR/Full", and more of them on the lines below, each alone. "Not reported" tells nothing. */
size_t linux_ethtool_modes(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, key, value, word;
	uint16_t port = answer_port(a, o);
	uint64_t mbps, most = 0;
	bool is_list = false, has_end = false, has_strange = false;
	char reason[REASON_MAX];

	while (span_line(&rest, &line)) {
		bool is_row = key_value(line, &key, &value);

		has_end |= is_list && is_row && span_is(key, "Supported pause frame use");	/* what stands behind the list: it is whole */
		has_strange |= is_list && is_row && !has_end;
		is_list = is_row ? span_is(key, "Supported link modes") : is_list;
		for (value = is_row ? value : line; is_list && span_word(&value, &word);)
			if ((mbps = mode_mbps(word)) > most) {
				most = mbps;
				obs_cite(o, line);
			}
	}
	if (most && has_end && !has_strange)
		obs_number(o, port, FIELD_SPEED_MAX, 0, most * 1000000);
	o->cite = CITE_NONE;
	if (refusal(a, "ethtool", reason))
		obs_unknown(o, port, FIELD_SPEED_MAX, 0, reason);
	return o->n;
}

static void add_speed(struct obs *o, uint16_t port, struct span value)
{
	uint64_t mbps;

	if (span_take_u64(&value, &mbps) && span_is(value, "Mb/s") && mbps < UINT32_MAX)
		obs_number(o, port, FIELD_SPEED, 0, mbps * 1000000);
	else
		obs_unknown(o, port, FIELD_SPEED, 0, "the driver does not report it");
}

/* Plain "ethtool PORT"; it names its port itself. */
size_t linux_ethtool(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, key, value;
	uint16_t port = answer_port(a, o);

	while (span_line(&rest, &line)) {
		if (span_starts(line, "Settings")) {
			bool names = span_skip(&line, "Settings for ") && key_value(line, &key, &value);

			port = names ? obs_port(o, key) : OBS_DEVICE;
			continue;
		}
		if (line.n > 0 && *line.p != '\t' && *line.p != ' ' && span_trim(line).p[span_trim(line).n - 1] == ':')
			port = OBS_DEVICE;	/* a heading that was not understood */
		if (port == OBS_DEVICE || !key_value(line, &key, &value))
			continue;
		obs_cite(o, line);
		if ((span_is(key, "Speed") && says_lately(o, port, FIELD_SPEED, 0)) ||
		    (span_is(key, "Link detected") && says_lately(o, port, FIELD_UP, 0)))
			port = OBS_DEVICE;	/* another's, whose heading is not there */
		else if (span_is(key, "Speed"))
			add_speed(o, port, value);
		else if (span_is(key, "Link detected") && (span_is(value, "yes") || span_starts(value, "no")))
			obs_bool(o, port, FIELD_UP, 0, *value.p == 'y');
	}
	return o->n;
}
