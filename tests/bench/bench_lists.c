/* A list of 1024 links: what ordering it costs after each change, by a cheap column, by a dear one, and filtered. */
#include <stdio.h>
#include <stdlib.h>

#include "core/diagnose/diagnosis.h"
#include "tests/bench/bench.h"
#include "tests/lib/screen.h"
#include "tests/lib/world.h"

#define LINKS	BENCH_SIZE(1024, 64)
#define FRAMES	BENCH_SIZE(12, 3)

/* Each port like the world's first, with an address and a neighbour's port of its own. */
static void fill(struct world *w)
{
	static const char first[] = "node1 eth2 ";
	size_t n_before = w->n_facts;

	for (unsigned port = 4; port < 4 + LINKS - 2; port++)
		for (size_t i = 0; i < n_before; i++) {
			struct world_fact f = w->facts[i];

			if (strncmp(f.what, first, strlen(first)) != 0)
				continue;
			snprintf(f.what, sizeof(f.what), "node1 eth%u %s", port, w->facts[i].what + strlen(first));
			f.per_s += port;
			if (strstr(f.what, "peer.name"))
				snprintf(f.value, sizeof(f.value), "\"leaf%u\"", port);
			else if (strstr(f.what, " mac"))
				snprintf(f.value, sizeof(f.value), "\"00:00:00:01:%02x:%02x\"", port / 256, port % 256);
			*GROW(w->facts, w->n_facts, w->cap_facts) = f;
			w->n_facts++;
		}
}

static double frame_ms(const struct world *w, const char *sort, const char *filter)
{
	struct screen_test *t = screen_open(60, 200, true, NULL);
	struct stage s = { .screen = SCREEN_PORTS };
	char text[128];
	double began_s = 0;

	for (uint64_t serial = 1; serial <= FRAMES + 1; serial++) {
		struct view_of of = { .model = w->model, .links = &w->links, .findings = w->findings, .policy = w->policy,
				      .inventory = &w->inventory, .fabric = "bench", .serial = serial };

		if (serial == 1) {
			snprintf(text, sizeof(text), "sort=%s %s%s", sort, *filter ? "filter=" : "", filter);
			screens_restore(SCREEN_PORTS, &of, &s.views, span_of(text));
		}
		if (serial == 2)
			began_s = bench_cpu_s();
		stage_draw(&s, screen_draw(t), &of);
	}
	began_s = bench_cpu_s() - began_s;
	stage_done(&s);
	screen_close(t);
	return began_s * 1e3 / FRAMES;
}

static double diagnosis_ms(const struct world *w)
{
	struct diagnosis d = { 0 };
	double began_s = bench_cpu_s();

	diagnosis_make(&d, &(struct diagnosis_of){ .model = w->model, .links = &w->links, .findings = w->findings, .policy = w->policy,
						   .inventory = &w->inventory });
	diagnosis_done(&d);
	return (bench_cpu_s() - began_s) * 1e3;
}

int main(void)
{
	struct world w;

	world_init(&w);
	fill(&w);
	world_run(&w, 2);
	bench_row("1024 links as they stand: CPU of a frame", frame_ms(&w, "", ""), "ms", AT_MOST, 10);
	bench_row("1024 links sorted by pause", frame_ms(&w, "paused,link", ""), "ms", AT_MOST, 10);
	bench_row("1024 links sorted by a pair of values", frame_ms(&w, "dscp,link", ""), "ms", AT_MOST, 50);
	bench_row("1024 links filtered by words", frame_ms(&w, "", "node1%20!nothing"), "ms", AT_MOST, 50);
	bench_row("1024 links filtered by an expression", frame_ms(&w, "", "~eth[0-9]{3}.*dscp"), "ms", AT_MOST, 50);
	bench_row("1024 links diagnosed: tree, causes and pause", diagnosis_ms(&w), "ms", AT_MOST, 1000);
	world_set(&w, "leaf1 ethernet1/1/1 trust = pcp");
	for (unsigned port = 4; port < 4 + LINKS - 2; port++) {
		char fact[64];

		snprintf(fact, sizeof(fact), "node1 eth%u trust = pcp", port);
		world_set(&w, fact);
	}
	world_run(&w, 2);
	bench_row("the same where every link has a fault", diagnosis_ms(&w), "ms", AT_MOST, 1000);
	world_done(&w);
	return bench_end();
}
