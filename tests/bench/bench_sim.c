/*
 * Simulated time over CPU time of 16 hosts with 4 rails, 64 busy flows. bench_sim [ms simulated]
 * One row a case: its name, the ratio, the bar; exits 1 when a bar is missed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/sim.h"

#define HOSTS	16
#define RAILS	4
#define SPINES	2

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

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

struct bench_case {
	const char *name;
	uint64_t bps;
	unsigned group;
	bool across, ecn;
};

static const struct bench_case cases[] = {
	{ "sim-ring-400g",		400000000000, 1,  false, true },
	{ "sim-incast-8to1-100g",	100000000000, 8,  false, true },
	{ "sim-incast-8to1-400g",	400000000000, 8,  false, true },
	{ "sim-incast-16to1-400g",	400000000000, 16, false, true },
	{ "sim-across-4to1-400g",	400000000000, 4,  true,  true },
	{ "sim-across-4to1-100g-pfc-only", 100000000000, 4, true, false },
	{ "sim-incast-8to1-400g-pfc-only", 400000000000, 8, false, false },
};

int main(int argc, char **argv)
{
	double ms = argc > 1 ? atof(argv[1]) : 200;
	bool kept = true;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rail_fabric f = build(cases[i].bps, cases[i].ecn);
		double began, ratio;

		load(&f, cases[i].group, cases[i].across);
		began = cpu_s();
		sim_run(f.s, (int64_t)(ms * 1e6));
		ratio = ms * 1e-3 / (cpu_s() - began);
		printf("%-32s %6.2f x real time on one core (at least 1)\n", cases[i].name, ratio);
		kept = kept && ratio >= 1;
		sim_free(f.s);
	}
	return !kept;
}
