/* Bring-up with test traffic of a whole healthy rack in the lab: from the first login to the last result, and what it costs us. */
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "tests/bench/bench.h"
#include "tests/lib/cpu.h"
#include "tests/lib/home.h"
#include "tests/lib/lab.h"
#include "tui/args/exits.h"

#define NODES	BENCH_SIZE("32", "2")
#define RAILS	BENCH_SIZE("8", "1")

static void measure(const struct lab *lab)
{
	double cpu_s = ended_cpu_s(), wall_s = bench_wall_s();
	struct run r = LAB_FABCON(lab, "-q", "--timeout", "120s", "bringup", "--traffic", "--reason", "bench");

	wall_s = bench_wall_s() - wall_s;
	cpu_s = ended_cpu_s() - cpu_s;
	if (r.code != EXIT_DONE || !r.out.text || !strstr(r.out.text, "tests: 0 failed, 0 not known")) {
		bench_cannot("a healthy rack ended with %d: %.300s", r.code, r.out.text ? r.out.text : "");
	} else {
		bench_row("bring-up, 32 nodes of 8 NICs: the whole run", wall_s, "s", AT_MOST, 600);
		bench_row("bring-up, 32 nodes of 8 NICs: our CPU", cpu_s, "s", AT_MOST, 60);
	}
	run_done(&r);
}

int main(void)
{
	struct lab lab;

	home_open(NULL);
	if (LAB(&lab, "--nodes", NODES, "--rails", RAILS, "--leaves", RAILS, "--traffic", "off", "--tidy")) {
		measure(&lab);
		lab_stop(&lab);
	} else {
		bench_cannot("no lab");
	}
	home_close(NULL);
	return bench_end();
}
