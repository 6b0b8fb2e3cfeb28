/* Pictures of the Ports screen at 200x60, as the console draws them: CPU and bytes to the terminal. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/bench.h"
#include "tests/lib/screen.h"
#include "tests/lib/world.h"

#define PORTS	60
#define FRAMES	BENCH_SIZE(12, 3)
#define OTHER	5	/* one port in so many moves, for a fifth of the rows */

enum moving { ALL, A_FIFTH, NONE };

/* As many ports as fill the screen, each like the world's first but with an address and a switch of its own. */
static void fill(struct world *w)
{
	static const char first[] = "node1 eth2 ";
	size_t n_before;

	world_set(w, "node1 eth2 tx.total = 9000000000");
	n_before = w->n_facts;
	for (unsigned port = 4; port < 4 + PORTS; port++)
		for (size_t i = 0; i < n_before; i++) {
			struct world_fact f = w->facts[i];

			if (strncmp(f.what, first, strlen(first)) != 0)
				continue;
			snprintf(f.what, sizeof(f.what), "node1 eth%u %s", port, w->facts[i].what + strlen(first));
			f.per_s *= port;
			if (strstr(f.what, "peer.name"))
				snprintf(f.value, sizeof(f.value), "\"leaf%u\"", port);
			else if (strstr(f.what, " mac"))
				snprintf(f.value, sizeof(f.value), "\"00:00:00:00:01:%02x\"", port);
			else if (strstr(f.what, " rdma") && f.value[0] == '"')
				snprintf(f.value, sizeof(f.value), "\"mlx5_%u\"", port);
			*GROW(w->facts, w->n_facts, w->cap_facts) = f;
			w->n_facts++;
		}
}

/* Counters gain speed, so that the rates shown differ from one picture to the next; or stand for good. */
static void change(struct world *w, enum moving moving, unsigned frame)
{
	for (size_t i = 0; i < w->n_facts; i++) {
		struct world_fact *f = &w->facts[i];
		const char *eth = strstr(f->what, " eth");
		unsigned port = eth ? (unsigned)strtoul(eth + 4, NULL, 10) : 0;

		if (f->is_counter && (moving == ALL || (moving == A_FIFTH && port % OTHER == 0)))
			f->per_s *= frame % 2 ? 1.37 : 0.71;
	}
}

static void draw(struct stage *s, struct screen_test *t, const struct world *w, uint64_t serial)
{
	struct view_of of = { .model = w->model, .links = &w->links, .findings = w->findings, .policy = w->policy,
			      .inventory = &w->inventory, .fabric = "bench", .serial = serial };

	stage_draw(s, screen_draw(t), &of);
	wnoutrefresh(stdscr);
	doupdate();
}

static void measure(struct world *w, enum moving moving, double *cpu_ms, double *bytes)
{
	struct screen_test *t = screen_open(60, 200, true, NULL);
	struct stage s = { .screen = SCREEN_PORTS };
	uint64_t serial = 1;

	*cpu_ms = *bytes = 0;
	draw(&s, t, w, serial);
	screen_text(t);
	for (unsigned i = 0; i < FRAMES; i++) {
		if (moving != NONE) {
			change(w, moving, i);
			world_run(w, 1);
		}
		serial++;
		double began_s = bench_cpu_s();
		draw(&s, t, w, serial);
		*cpu_ms += (bench_cpu_s() - began_s) * 1e3 / FRAMES;
		screen_text(t);
		*bytes += (double)screen_bytes(t) / FRAMES;
	}
	stage_done(&s);
	screen_close(t);
}

int main(void)
{
	struct world w;
	double cpu_ms, bytes;

	world_init(&w);
	fill(&w);
	world_run(&w, 5);
	measure(&w, ALL, &cpu_ms, &bytes);
	bench_row("a frame of 200x60, all rows changed: CPU", cpu_ms, "ms", AT_MOST, 2);
	bench_row("a frame of 200x60, all rows changed", bytes / 1024, "KB", JUST_SAID, 0);
	measure(&w, A_FIFTH, &cpu_ms, &bytes);
	bench_row("a frame of 200x60, a fifth changed: CPU", cpu_ms, "ms", JUST_SAID, 0);
	bench_row("a frame of 200x60, a fifth changed", bytes / 1024, "KB", AT_MOST, 5);
	measure(&w, NONE, &cpu_ms, &bytes);
	bench_row("a frame of 200x60, nothing changed: CPU", cpu_ms, "ms", JUST_SAID, 0);
	bench_row("a frame of 200x60, nothing changed", bytes, "B", AT_MOST, 100);
	world_done(&w);
	return bench_end();
}
