/* QoS of a simulated port: factory settings, and a lossless class with its headroom. */
#include "core/sim/internal.h"

#define FRAME_BYTES	9216
#define CABLE_NS	500	/* 100 m */

/* The standard terms: two frames, the pause frame, both interface delays, the cable twice, the peer's response. */
static uint32_t headroom_bytes(uint64_t speed_bps)
{
	static const struct { uint64_t gbps; unsigned quanta, interface_bits; } rows[] = {
		{ 10, 60, 8192 }, { 25, 80, 6144 }, { 40, 118, 24576 }, { 50, 147, 24576 }, { 100, 394, 122880 },
		{ 200, 453, 122880 }, { 400, 905, 122880 }, { 800, 905, 122880 },
	};
	size_t i = 0;

	while (i + 1 < sizeof(rows) / sizeof(rows[0]) && rows[i].gbps * 1000000000 < speed_bps)
		i++;
	return (uint32_t)(2 * FRAME_BYTES + 84 + rows[i].quanta * 64 + 2 * rows[i].interface_bits / 8 +
			  2 * CABLE_NS * speed_bps / 8000000000);
}

void sim_qos_factory(struct sim_qos *qos, uint64_t speed_bps, bool is_switch)
{
	memset(qos, 0, sizeof(*qos));
	qos->up = true;
	qos->speed_bps = speed_bps;
	qos->mtu = is_switch ? 9216 : 1518;
	for (unsigned i = 0; i < SIM_PRIOS; i++) {
		qos->prio_queue[i] = (uint8_t)i;
		/* Thresholds stand ready: they act when pause is turned on. */
		qos->xoff[i] = (uint32_t)(speed_bps / 8000000000 * 20000 > 400000 ? speed_bps / 8000000000 * 20000 : 400000);
		qos->xon[i] = qos->xoff[i] - 2 * FRAME_BYTES;
		qos->headroom[i] = headroom_bytes(speed_bps);
	}
	qos->share[0] = 100;
	qos->cnp_dscp = 48;
	qos->dcqcn = dcqcn_deployed;
	for (unsigned i = 0; i < SIM_PRIOS && !is_switch; i++)
		qos->np[i] = qos->rp[i] = true;
}

void sim_qos_lossless(struct sim_qos *qos, uint64_t speed_bps, bool is_switch)
{
	sim_qos_factory(qos, speed_bps, is_switch);
	qos->mtu = is_switch ? 9216 : 9018;
	qos->dscp_prio[24] = qos->dscp_prio[26] = 3;
	qos->dscp_prio[48] = 6;
	qos->pfc[3] = true;
	qos->ecn[3] = is_switch;
	qos->kmin[3] = 150000;
	qos->kmax[3] = 1500000;
	qos->pmax[3] = 1;
	qos->share[0] = 30;
	qos->share[3] = 60;
	qos->share[6] = 10;
	qos->watchdog = is_switch ? WATCHDOG_DROPS : WATCHDOG_OFF;
}
