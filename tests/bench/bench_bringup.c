/* Bring-up of a whole rack: its schedule of tests, who is bad by their results, and the screen that is drawn each second. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bringup/schedule.h"
#include "tests/bench/bench.h"
#include "tests/lib/screen.h"
#include "tests/lib/world.h"

#define RAILS	8
#define NODES	BENCH_SIZE(128, 8)	/* of the schedule: 1024 links */
#define RACK	BENCH_SIZE(32, 4)	/* of the screen: 256 NICs */
#define FRAMES	BENCH_SIZE(20, 3)

static void measure_schedule(void)
{
	static const struct bringup_wishes all = {
		.kinds = 1u << BRINGUP_LOOPBACK | 1u << BRINGUP_SAME_LEAF | 1u << BRINGUP_CROSS_LEAF | 1u << BRINGUP_INCAST,
		.tools = 1u << BRINGUP_RPING | 1u << BRINGUP_WRITE_LAT,
		.loads = 2,
		.incast = 8,
	};
	struct bringup_nic *nics = xcalloc(NODES * RAILS, sizeof(*nics));
	struct bringup_schedule s;
	enum bringup_verdict *verdicts;
	enum bringup_end *ends = xcalloc(NODES * RAILS, sizeof(*ends));
	double began_s;

	for (unsigned i = 0; i < NODES * RAILS; i++)	/* racks of 32, a leaf for each rail of each */
		nics[i] = (struct bringup_nic){ .node = i / RAILS, .rail = i % RAILS, .leaf = i / RAILS / 32 * RAILS + i % RAILS };
	bringup_schedule_init(&s);
	began_s = bench_cpu_s();
	bringup_schedule_make(&s, nics, NODES * RAILS, &all);
	bench_row("bring-up, 1024 links: CPU of the schedule", (bench_cpu_s() - began_s) * 1e3, "ms", AT_MOST, 100);
	bench_row("bring-up, 1024 links: tests in it", (double)s.n_flows, "", JUST_SAID, 0);
	verdicts = xcalloc(s.n_flows + 1, sizeof(*verdicts));
	for (size_t i = 0; i < s.n_flows; i++)
		verdicts[i] = s.flows[i].from % 97 == 0 || s.flows[i].to % 97 == 0 ? BRINGUP_FAILED : BRINGUP_PASSED;
	began_s = bench_cpu_s();
	bringup_schedule_judge(&s, verdicts, ends, NODES * RAILS);
	bench_row("bring-up, 1024 links: CPU of naming the bad ends", (bench_cpu_s() - began_s) * 1e3, "ms", AT_MOST, 100);
	free(verdicts);
	free(ends);
	free(nics);
	bringup_schedule_done(&s);
}

/* Each port counts and is shown anew, as a second of the console makes it. */
static double frame_ms(const struct world *w, int rows, int columns)
{
	struct screen_test *t = screen_open(rows, columns, true, NULL);
	struct stage s = { .screen = SCREEN_BRINGUP };
	double began_s = 0;

	for (uint64_t serial = 1; serial <= FRAMES + 1; serial++) {
		struct view_of of = { .model = w->model, .links = &w->links, .findings = w->findings, .policy = w->policy,
				      .inventory = &w->inventory, .fabric = "bench", .serial = serial };

		if (serial == 2)
			began_s = bench_cpu_s();
		stage_draw(&s, screen_draw(t), &of);
		wnoutrefresh(stdscr);
		doupdate();
	}
	began_s = bench_cpu_s() - began_s;
	stage_done(&s);
	screen_close(t);
	return began_s * 1e3 / FRAMES;
}

/* As many hosts like the world's first, each with its NICs, whose far ends were not read. */
static void fill(struct world *w)
{
	static const char host[] = "node1 ", nic[] = "node1 eth2 ";
	size_t n_before = w->n_facts;

	for (unsigned at = RAILS; at < RACK * RAILS; at++)
		for (size_t i = 0; i < n_before; i++) {
			struct world_fact f = w->facts[i];
			unsigned node = at / RAILS + 1, rail = at % RAILS;
			bool is_nic = strncmp(f.what, nic, strlen(nic)) == 0;

			if (!is_nic && (rail || strncmp(f.what, host, strlen(host)) != 0 || strncmp(f.what, "node1 eth", 9) == 0))
				continue;
			if (is_nic)
				snprintf(f.what, sizeof(f.what), "node%u eth%u %s", node, rail + 2, w->facts[i].what + strlen(nic));
			else
				snprintf(f.what, sizeof(f.what), "node%u %s", node, w->facts[i].what + strlen(host));
			if (strstr(f.what, "peer.name"))
				snprintf(f.value, sizeof(f.value), "\"far%u\"", at);
			else if (strstr(f.what, " mac"))
				snprintf(f.value, sizeof(f.value), "\"00:00:00:01:%02x:%02x\"", at / 256, at % 256);
			else if (strstr(f.what, "hostname"))
				snprintf(f.value, sizeof(f.value), "\"node%u\"", node);
			*GROW(w->facts, w->n_facts, w->cap_facts) = f;
			w->n_facts++;
		}
}

static void measure_screen(void)
{
	struct world w;

	world_init(&w);
	fill(&w);
	world_run(&w, 2);
	bench_row("bring-up, 256 NICs: CPU of a frame of 120x36", frame_ms(&w, 36, 120), "ms", AT_MOST, 5);
	bench_row("bring-up, 256 NICs: CPU of a frame of 80x24", frame_ms(&w, 24, 80), "ms", AT_MOST, 5);
	world_done(&w);
}

int main(void)
{
	measure_schedule();
	measure_screen();
	return bench_end();
}
