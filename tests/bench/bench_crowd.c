/* Connecting to many hosts at once, and how many the lab's one process and thread can be. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "tests/bench/bench.h"
#include "tests/bench/canned.h"
#include "tests/bench/clients.h"
#include "tests/bench/far.h"

#define HOSTS	BENCH_SIZE(512, 32)
#define FEWER	BENCH_SIZE(256, 16)
#define MORE	BENCH_SIZE(2048, 64)
#define MOST	BENCH_SIZE(4096, 96)
#define ROUNDS	3

static struct client_place place_of(const void *ctx, size_t i)
{
	const struct far *f = ctx;

	return (struct client_place){ "127.0.0.1", f->hosts.hosts[i % f->hosts.n_hosts].port };
}

struct cost {
	double wall_s, cpu_ms_host, far_ms_host;
	size_t opened;
};

static struct cost connect_all(struct clients *c, const struct far *f, size_t n)
{
	double wall_s = bench_wall_s(), cpu_s = bench_cpu_s(), far_s = process_cpu_s(f->pid);
	struct cost cost;

	if (!clients_open(c, n, place_of, f))
		fprintf(stderr, "%zu of %zu failed: %s\n", c->failed, n, c->why);
	cost = (struct cost){ bench_wall_s() - wall_s, (bench_cpu_s() - cpu_s) * 1e3 / (double)n,
			      (process_cpu_s(f->pid) - far_s) * 1e3 / (double)n, c->opened };
	return cost;
}

/* The quickest of some rounds: others use this machine, too. */
static struct cost best_of(struct clients *c, const struct far *f, size_t n, int rounds)
{
	struct cost best = { 0 };

	for (int i = 0; i < rounds; i++) {
		struct cost cost = connect_all(c, f, n);

		clients_close(c);
		if (!i || cost.wall_s < best.wall_s)
			best.wall_s = cost.wall_s;
		if (!i || cost.cpu_ms_host < best.cpu_ms_host)
			best.cpu_ms_host = cost.cpu_ms_host;
	}
	return best;
}

static void measure(struct clients *c, const struct far *f)
{
	struct cost at_256, at_512, at_2048, at_4096;

	connect_all(c, f, BENCH_SIZE(64, 8));	/* the first pays for what is loaded once */
	clients_close(c);
	at_256 = best_of(c, f, FEWER, ROUNDS);
	at_512 = best_of(c, f, HOSTS, ROUNDS);
	at_2048 = best_of(c, f, MORE, ROUNDS);
	bench_row("512 hosts: from start to a shell on all", at_512.wall_s, "s", AT_MOST, 0.5);
	bench_row("connect CPU a host at 256 hosts", at_256.cpu_ms_host, "ms", JUST_SAID, 0);
	bench_row("connect CPU a host at 2048 hosts over 256", at_2048.cpu_ms_host / at_256.cpu_ms_host, "x", AT_MOST, 1.15);
	at_4096 = connect_all(c, f, MOST);
	bench_row("lab: sessions open in one process and thread", (double)at_4096.opened, "", AT_LEAST, 4096);
	bench_row("lab: memory with them", process_rss_mb(f->pid), "MB", JUST_SAID, 0);
	bench_row("lab: CPU a login", at_4096.far_ms_host, "ms", JUST_SAID, 0);
	clients_close(c);
}

int main(void)
{
	struct rlimit limit;
	struct clients c;
	struct far f;

	signal(SIGPIPE, SIG_IGN);
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	if (!far_start(&f, "node", HOSTS) || !clients_init(&c, f.key, "root"))
		return bench_cannot("the lab does not come up"), 1;
	bench_row("lab: 512 hosts started", f.took_s, "s", AT_MOST, 1);
	measure(&c, &f);
	clients_done(&c);
	far_stop(&f);
	return bench_end();
}
