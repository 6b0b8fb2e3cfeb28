/* Simulated time over CPU time: 16 hosts with 4 rails, so 64 host ports, each with a flow that takes all it can get. */
#include <stddef.h>

#include "core/sim/sim.h"
#include "tests/bench/bench.h"

#define SIMULATED_MS	BENCH_SIZE(100, 5)
#define HOSTS	16
#define RAILS	4
#define SPINES	2

struct rail_fabric {
	struct sim *s;
	unsigned nics[HOSTS][RAILS], downlinks[HOSTS][RAILS];
};

static unsigned add(struct sim *s, unsigned device, uint64_t bps, bool is_switch, bool ecn)
{
	struct sim_qos qos;

	sim_qos_lossless(&qos, bps, is_switch);
	qos.ecn[3] = qos.ecn[3] && ecn;
	return sim_add_port(s, device, &qos);
}

/* A leaf a rail, and each leaf to both spines by four links. */
static struct rail_fabric build(uint64_t bps, bool ecn)
{
	struct rail_fabric f = { .s = sim_new(1) };
	unsigned leaves[RAILS], host;

	for (unsigned r = 0; r < RAILS; r++)
		leaves[r] = sim_add_device(f.s, true);
	for (unsigned i = 0; i < SPINES; i++) {
		unsigned spine = sim_add_device(f.s, true);

		for (unsigned r = 0; r < RAILS; r++)
			for (unsigned k = 0; k < 4; k++)
				sim_link(f.s, add(f.s, leaves[r], bps, true, ecn), add(f.s, spine, bps, true, ecn), 100);
	}
	for (unsigned h = 0; h < HOSTS; h++) {
		host = sim_add_device(f.s, false);
		for (unsigned r = 0; r < RAILS; r++) {
			f.nics[h][r] = add(f.s, host, bps, false, ecn);
			f.downlinks[h][r] = add(f.s, leaves[r], bps, true, ecn);
			sim_link(f.s, f.nics[h][r], f.downlinks[h][r], 50);
		}
	}
	return f;
}

/* In groups of that many hosts on a rail, all send to the first; 1: a ring; across: to the next rail, by the spines. */
static void load(struct rail_fabric *f, unsigned group, bool across)
{
	for (unsigned h = 0; h < HOSTS; h++) {
		for (unsigned r = 0; r < RAILS; r++) {
			unsigned to = group == 1 ? (h + 1) % HOSTS : h / group * group;
			unsigned rail = across ? (r + 1) % RAILS : r;

			if (f->nics[h][r] == f->nics[to][rail])
				to = (h + group) % HOSTS / group * group;
			sim_flow_add(f->s, &(struct sim_flow){ f->nics[h][r], f->nics[to][rail], .dscp = 26, .ect = true });
		}
	}
}

static const struct {
	const char *name;
	uint64_t bps;
	unsigned group;
	bool across, ecn;
	enum bench_bar kind;
} cases[] = {
	{ "64 ports of 400G in rings",				400000000000, 1,  false, true,  AT_LEAST },
	{ "64 ports of 100G, 8 to 1",				100000000000, 8,  false, true,  AT_LEAST },
	{ "64 ports of 400G, 8 to 1",				400000000000, 8,  false, true,  AT_LEAST },
	{ "64 ports of 400G, 16 to 1",				400000000000, 16, false, true,  AT_LEAST },
	{ "64 ports of 400G, 4 to 1 over the spines",		400000000000, 4,  true,  true,  AT_LEAST },
	{ "64 ports of 100G, 4 to 1 over the spines, no ECN",	100000000000, 4,  true,  false, JUST_SAID },
	{ "64 ports of 400G, 8 to 1, no ECN: pause everywhere",	400000000000, 8,  false, false, JUST_SAID },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rail_fabric f = build(cases[i].bps, cases[i].ecn);
		double began_s;

		load(&f, cases[i].group, cases[i].across);
		began_s = bench_cpu_s();
		sim_run(f.s, SIMULATED_MS * INT64_C(1000000));
		bench_row(cases[i].name, SIMULATED_MS * 1e-3 / (bench_cpu_s() - began_s), "x real time", cases[i].kind, 1);
		sim_free(f.s);
	}
	return bench_end();
}
