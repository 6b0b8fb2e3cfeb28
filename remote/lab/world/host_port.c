#include "remote/lab/world/host_port.h"

#include <stddef.h>

#define STALL_MS	100	/* pfc-prevention-tout auto (Linux, mlx5 en_ethtool.c) */

/* A setting: its field, where it is kept, how many of it. */
struct host_port_row {
	enum field field;
	size_t at;
	unsigned width;
};

#define ROW(f, member) { FIELD_##f, offsetof(struct host_port, member), sizeof(((struct host_port *)0)->member) / sizeof(uint32_t) }

static const struct host_port_row rows[] = {
	ROW(MTU,	mtu),
	ROW(TRUST,	trust),
	ROW(DSCP_PRIO,	dscp_prio),
	ROW(PRIO_TC,	prio_tc),
	ROW(PRIO_PG,	prio_buffer),
	ROW(PFC_ON,	pfc),
	ROW(PAUSE_RX,	pause_rx),
	ROW(PAUSE_TX,	pause_tx),
	ROW(ETS_ALGO,	tsa),
	ROW(ETS_SHARE,	share_pct),
	ROW(BUFFER_SIZE, buffer_bytes),
	ROW(CABLE,	cable_m),
	ROW(ECN_NP,	np),
	ROW(ECN_RP,	rp),
	ROW(CNP_DSCP,	cnp_dscp),
	ROW(CNP_PRIO,	cnp_prio),
	ROW(TOS_CMA,	tos_cma),
	ROW(TOS_FORCE,	tos_force),
	ROW(DCBX,	dcbx),
};

/* mlx5's defaults (ConnectX-6 Dx firmware), in the dictionary's order. */
static const struct {
	const char *name;
	uint32_t normal;
} cc_rows[NIC_CC] = {
	{ "min_time_between_cnps", 4 },
	{ "clamp_tgt_rate", 0 },
	{ "clamp_tgt_rate_after_time_inc", 1 },
	{ "rpg_time_reset", 300 },
	{ "rpg_byte_reset", 32767 },
	{ "rpg_threshold", 1 },
	{ "rpg_max_rate", 0 },
	{ "rpg_ai_rate", 5 },
	{ "rpg_hai_rate", 50 },
	{ "rpg_gd", 11 },
	{ "rpg_min_dec_fac", 50 },
	{ "rpg_min_rate", 1 },
	{ "rate_to_set_on_first_cnp", 0 },
	{ "dce_tcp_g", 1019 },
	{ "dce_tcp_rtt", 1 },
	{ "rate_reduce_monitor_period", 4 },
	{ "initial_alpha_value", 1023 },
};

const char *host_port_cc_name(unsigned i)
{
	return cc_rows[i].name;
}

void host_port_lossless(struct host_port *nic)
{
	static const uint32_t share_pct[8] = { 20, 0, 0, 60, 10, 0, 10, 0 };

	*nic = (struct host_port){
		.trust = TRUST_DSCP, .dcbx = DCBX_OS, .cnp_dscp = 48, .cnp_prio = 6, .mtu = 9000, .cable_m = 5,
		.tos_cma = 106, .tos_force = 106, .tos_app = TOS_UNSET,
	};
	nic->dscp_prio[24] = nic->dscp_prio[26] = 3;
	nic->dscp_prio[48] = 6;
	for (unsigned i = 0; i < 8; i++) {
		bool is_own = i == 3 || i == 4 || i == 6;

		nic->prio_tc[i] = is_own ? i : 0;
		nic->tsa[i] = is_own || i == 0 ? ETS_ETS : ETS_STRICT;
		nic->share_pct[i] = share_pct[i];
		nic->prio_buffer[i] = i == 3;
		nic->np[i] = nic->rp[i] = 1;
	}
	nic->pfc[3] = 1;
	nic->buffer_bytes[0] = 130944;
	nic->buffer_bytes[1] = 261888;
	for (unsigned i = 0; i < NIC_CC; i++)
		nic->cc[i] = cc_rows[i].normal;
}

static uint32_t *place(struct host_port *nic, enum field f, unsigned index)
{
	if (f >= FIELD_CC_CNP_GAP && f <= FIELD_CC_ALPHA)
		return index ? NULL : &nic->cc[f - FIELD_CC_CNP_GAP];
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].field == f)
			return index < rows[i].width ? (uint32_t *)((char *)nic + rows[i].at) + index : NULL;
	return NULL;
}

bool host_port_get(const struct host_port *nic, enum field f, unsigned index, struct value *out)
{
	const uint32_t *at = place((struct host_port *)nic, f, index);

	if (!at)
		return false;
	*out = (struct value){ .is = VALUE_KNOWN, .n = *at };
	if (f == FIELD_TOS_FORCE && *at == TOS_UNSET)
		*out = (struct value){ .is = VALUE_ABSENT };
	return true;
}

bool host_port_set(struct host_port *nic, enum field f, unsigned index, uint64_t n)
{
	uint32_t *at = place(nic, f, index);

	if (!at || n > UINT32_MAX)
		return false;
	*at = n;
	return true;
}

enum field host_port_field(size_t i)
{
	size_t n_rows = sizeof(rows) / sizeof(*rows);

	if (i < n_rows)
		return rows[i].field;
	return i < n_rows + NIC_CC ? FIELD_CC_CNP_GAP + (i - n_rows) : FIELD_COUNT;
}

uint8_t host_port_tos(const struct host_port *nic)
{
	return nic->tos_force != TOS_UNSET ? nic->tos_force : nic->tos_app != TOS_UNSET ? nic->tos_app : nic->tos_cma;
}

static uint32_t cc_of(const struct host_port *nic, enum field f)
{
	return nic->cc[f - FIELD_CC_CNP_GAP];
}

/* As a multiple of its default. */
static double times_default(const struct host_port *nic, enum field f)
{
	return (double)cc_of(nic, f) / cc_rows[f - FIELD_CC_CNP_GAP].normal;
}

/*
 * A NIC's algorithm is not the paper's (it cuts at other times, and ages alpha faster), and nobody published it. The paper's
 * deployed values stand for the NIC's defaults, and each parameter acts in proportion to its default; those that are absolute
 * (spacing of CNPs and of cuts, least and largest rate, floor of a cut, first rate) act as they are. clamp_tgt_rate does not
 * act: the paper always clamps.
 */
static void cc_to_sim(const struct host_port *nic, struct dcqcn *out)
{
	const struct dcqcn *d = &dcqcn_deployed;
	uint32_t gd = cc_of(nic, FIELD_CC_GD) > 10 ? cc_of(nic, FIELD_CC_GD) - 10 : 0;
	uint32_t g = cc_of(nic, FIELD_CC_G) < 1024 ? 1024 - cc_of(nic, FIELD_CC_G) : 0;
	uint32_t alpha_of_1024 = cc_of(nic, FIELD_CC_ALPHA) < 1023 ? cc_of(nic, FIELD_CC_ALPHA) + 1 : 1024;

	*out = *d;
	out->cnp_gap_ns = (int64_t)cc_of(nic, FIELD_CC_CNP_GAP) * 1000;
	out->alpha_ns = (int64_t)((double)d->alpha_ns * times_default(nic, FIELD_CC_RTT));
	if (out->alpha_ns < 1000)
		out->alpha_ns = 1000;
	out->timer_ns = (int64_t)((double)d->timer_ns * times_default(nic, FIELD_CC_TIME_RESET));
	if (out->timer_ns < 1000)
		out->timer_ns = 1000;
	out->counter_bytes = d->counter_bytes * times_default(nic, FIELD_CC_BYTE_RESET);
	if (out->counter_bytes < 4096)
		out->counter_bytes = 4096;
	out->stages = d->stages + cc_of(nic, FIELD_CC_THRESHOLD) - 1;
	out->ai_bps = d->ai_bps * times_default(nic, FIELD_CC_AI_RATE);
	out->hai_bps = d->hai_bps * times_default(nic, FIELD_CC_HAI_RATE);
	out->min_bps = cc_of(nic, FIELD_CC_MIN_RATE) * 1e6;
	/* 1019: five of 1024, for the paper's 1/256. */
	out->g = d->g * g / 5;
	out->cut = 1.0 / (1u << (gd < 16 ? gd : 16));
	out->least_kept = cc_of(nic, FIELD_CC_MIN_DEC) < 100 ? cc_of(nic, FIELD_CC_MIN_DEC) / 100.0 : 1;
	out->cut_gap_ns = (int64_t)cc_of(nic, FIELD_CC_REDUCE) * 1000;
	out->first_bps = cc_of(nic, FIELD_CC_FIRST_CNP) * 1e6;
	out->max_bps = cc_of(nic, FIELD_CC_MAX_RATE) * 1e6;
	out->alpha_start = alpha_of_1024 / 1024.0;
}

void host_port_to_sim(const struct host_port *nic, struct sim_qos *qos)
{
	qos->mtu = nic->mtu + 14 + 4;
	qos->pause_rx = nic->pause_rx;
	qos->pause_tx = nic->pause_tx;
	qos->cnp_dscp = nic->cnp_dscp;
	qos->stall_ms = STALL_MS;
	cc_to_sim(nic, &qos->dcqcn);
	/* Untagged frames carry no PCP: without trust in DSCP everything has the default priority. */
	for (unsigned i = 0; i < 64; i++)
		qos->dscp_prio[i] = nic->trust == TRUST_DSCP ? nic->dscp_prio[i] & 7 : 0;
	for (unsigned i = 0; i < 8; i++) {
		unsigned tc = nic->prio_tc[i] & 7;

		qos->prio_queue[i] = tc;
		qos->pfc[i] = nic->pfc[i];
		qos->np[i] = nic->np[i];
		qos->rp[i] = nic->rp[i];
		qos->strict[i] = nic->tsa[i] == ETS_STRICT;
		qos->share[i] = nic->tsa[i] == ETS_ETS ? nic->share_pct[i] : 0;
	}
}
