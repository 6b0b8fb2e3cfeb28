#include "core/roce/headroom.h"

#include <math.h>
#include <stddef.h>

#define QUANTUM_BITS	512
#define LONGEST_QUANTA	65535
#define PFC_FRAME	84	/* with preamble and gap */
#define BETWEEN_FRAMES	20	/* preamble and gap */
#define LONGEST_CABLE	100000.0	/* m: nobody asks for more */

/* Gbit/s; reaction in quanta (IEEE 802.3 31B.3.7); sum of both MACs' and PHYs' delay at one end in bit times, 0: as the
 * vendor says. */
static const struct {
	uint64_t gbps;
	unsigned reaction, sonic_reaction, interface_bits;
} speed_table[] = {
	{ 10,  60,  67,	 8192 },
	{ 25,  80,  80,	 6144 },
	{ 40,  118, 118, 24576 },
	{ 50,  147, 147, 0 },
	{ 100, 394, 394, 122880 },
	{ 200, 453, 453, 0 },
	{ 400, 905, 905, 0 },
	{ 800, 905, 905, 0 },
};

static int row_of(uint64_t speed_bps)
{
	for (size_t i = 0; i < sizeof(speed_table) / sizeof(*speed_table); i++)
		if (speed_table[i].gbps * 1000000000 == speed_bps)
			return (int)i;
	return -1;
}

unsigned pause_reaction_quanta(uint64_t speed_bps)
{
	int row = row_of(speed_bps);

	return row < 0 ? 0 : speed_table[row].reaction;
}

/* Spectrum and SONiC: everything in flight, in cells, and one packet of the class; in steps of 1 KiB. */
static bool by_sonic(const struct headroom_case *c, double *out)
{
	const double light = 1.98e8 /* m/s */, mac_and_phy = 0.8 * 1024;
	int row = row_of(c->speed_bps);
	double flight;

	if (row < 0)
		return false;
	flight = c->mtu + 2 * c->cable_m * (double)c->speed_bps / (8 * light) + 2 * c->gearbox_bytes + mac_and_phy +
		 speed_table[row].sonic_reaction * QUANTUM_BITS / 8.0;
	*out = ceil((c->lossless_mtu + c->occupancy * flight) / 1024) * 1024;
	return true;
}

/* The mlx5 driver's margin between xoff and the end of a receive buffer; in whole numbers, as it does. */
static bool by_mlx5(const struct headroom_case *c, double *out)
{
	uint64_t mbps = c->speed_bps / 1000000;
	uint64_t cable_m = (uint64_t)c->cable_m;

	if (mbps < 40000)
		mbps = 40000;
	*out = (double)((301 + 216 * cable_m / 100) * mbps / 1000 + 272 * (uint64_t)c->mtu / 100);
	return true;
}

/* The standard's terms, on the wire: 5 ns a metre. */
static bool by_terms(const struct headroom_case *c, double *out)
{
	double bytes_per_ns = (double)c->speed_bps / 8e9;
	int row = row_of(c->speed_bps);

	if (row < 0)
		return false;
	*out = 2 * (c->mtu + BETWEEN_FRAMES) + PFC_FRAME + 2 * speed_table[row].interface_bits / 8.0 +
	       2 * c->cable_m * 5 * bytes_per_ns + speed_table[row].reaction * QUANTUM_BITS / 8.0;
	return true;
}

const struct headroom_method headroom_table[] = {
	{ "sonic", "SONiC on Spectrum: cells, pause reaction, cable at 1.98e8 m/s; steps of 1 KiB", by_sonic,
	  "sonic-swss buffer_headroom_mellanox.lua" },
	{ "mlx5", "the mlx5 NIC driver's margin below the end of a receive buffer", by_mlx5, "Linux mlx5 en/port_buffer.c" },
	{ "terms", "the terms of 802.1Qbb and 802.3 on the wire; interface delay only up to 100G", by_terms, "IEEE 802.1Qbb, 802.3 31B" },
};
const unsigned headroom_count = sizeof(headroom_table) / sizeof(*headroom_table);

struct headroom_case headroom_usual(uint64_t speed_bps, double cable_m)
{
	return (struct headroom_case){ speed_bps, cable_m, .mtu = 9216, .occupancy = 1, .lossless_mtu = 1024 };
}

bool headroom_cable(const struct headroom_method *method, struct headroom_case c, double headroom, double *out)
{
	double low = 0, high = LONGEST_CABLE, bytes;

	c.cable_m = 0;
	if (!method->bytes(&c, &bytes) || bytes > headroom)
		return false;
	while (high - low > 0.01) {
		c.cable_m = (low + high) / 2;
		method->bytes(&c, &bytes);
		if (bytes > headroom)
			high = c.cable_m;
		else
			low = c.cable_m;
	}
	*out = low;
	return true;
}

#define NS_PER_M	4.89	/* glass, refractive index 1.467; copper is faster, and never so long that it matters */

double headroom_of_cable(uint64_t speed_bps, double cable_m)
{
	return 2 * cable_m * NS_PER_M * (double)speed_bps / 8e9;
}

double pause_quantum_ns(uint64_t speed_bps)
{
	return QUANTUM_BITS * 1e9 / (double)speed_bps;
}

double pause_longest_ns(uint64_t speed_bps)
{
	return LONGEST_QUANTA * pause_quantum_ns(speed_bps);
}

double pause_frames_to_hold(uint64_t speed_bps)
{
	return 1e9 / pause_longest_ns(speed_bps);
}

double pause_share_at_most(uint64_t speed_bps, double frames_per_s)
{
	double share = frames_per_s * pause_longest_ns(speed_bps) / 1e9;

	return share < 1 ? share : 1;
}
