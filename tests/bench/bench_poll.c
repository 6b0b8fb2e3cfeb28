/*
 * The poller on 512 hosts that say 36 KB each second: the first picture, what it costs from then on with and without
 * the model and the checks, and whether hosts that are stopped delay the others. Then on as many of one port, as often and
 * ten times as often.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/judge/check.h"
#include "remote/poll/poller.h"
#include "tests/bench/bench.h"
#include "tests/bench/calls.h"
#include "tests/bench/canned.h"
#include "tests/bench/far.h"
#include "tests/lib/say.h"

#define HOSTS		BENCH_SIZE(512, 24)
#define FIRST		BENCH_SIZE(256, 12)	/* hosts of the first picture */
#define STOPPED		BENCH_SIZE(52, 3)	/* a tenth of them */
#define PORTS		6
#define PORTS_FEW	1	/* the least text there is, where the goals speak of deltas of 3 KB, which nobody speaks yet */
#define WINDOW_S	BENCH_SIZE(10, 1)
#define AGES_MAX	(HOSTS * WINDOW_S * 4)
#define LIVE_PROBE	"rdma-counters"	/* once in a live round */

struct watch {
	uv_loop_t loop;
	uv_prepare_t before;
	uv_check_t after;
	uv_timer_t end;
	uint64_t turn_ns, longest_ns;
	struct poller *poller;
	struct inventory inv;		/* hosts are lent by the far sides */
	struct model *model;		/* NULL: what is observed is counted only */
	uint64_t facts, frames;
	bool is_over;
	/* how old what is shown gets, until the next frame of that host comes */
	bool wants_ages;
	size_t n_ages;
	int64_t last_us[HOSTS];
	double ages_s[AGES_MAX];
};

static struct far most, rest;

static size_t host_of(const struct watch *w, const char *name)
{
	size_t number = (size_t)strtoul(name + strcspn(name, "0123456789"), NULL, 10) - 1;

	return name[0] == 's' ? w->inv.n_hosts - STOPPED + number : number;
}

static void observed(void *ctx, struct obs *o)
{
	struct watch *w = ctx;

	w->facts += o->n;
	if (w->model)
		model_apply(w->model, o);
	if (strcmp(o->probe, LIVE_PROBE) != 0)
		return;
	w->frames++;
	int64_t *last_us = &w->last_us[host_of(w, o->device)];
	if (w->wants_ages && *last_us && w->n_ages < AGES_MAX)
		w->ages_s[w->n_ages++] = (double)(o->at_us - *last_us) / 1e6;
	*last_us = o->at_us;
}

/* From the end of a wait to the beginning of the next: what the loop does at one go. */
static void on_after_wait(uv_check_t *handle)
{
	((struct watch *)handle->data)->turn_ns = uv_hrtime();
}

static void on_before_wait(uv_prepare_t *handle)
{
	struct watch *w = handle->data;
	uint64_t took_ns = w->turn_ns ? uv_hrtime() - w->turn_ns : 0;

	if (took_ns > w->longest_ns)
		w->longest_ns = took_ns;
}

static void on_end(uv_timer_t *timer)
{
	((struct watch *)timer->data)->is_over = true;
}

static void watch_begin(struct watch *w, const char *known_hosts, int64_t live_us)
{
	struct poller_options options = { .live_us = live_us, .known_hosts = known_hosts, .hostkey = HOSTKEY_STRICT,
					  .config_us = 600 * INT64_C(1000000), .timeout_us = 20000000, .seed = 1 };
	struct poller_hooks hooks = { .ctx = w, .observed = observed };

	uv_loop_init(&w->loop);
	uv_prepare_init(&w->loop, &w->before);
	uv_check_init(&w->loop, &w->after);
	uv_timer_init(&w->loop, &w->end);
	w->before.data = w->after.data = w->end.data = w;
	uv_prepare_start(&w->before, on_before_wait);
	uv_check_start(&w->after, on_after_wait);
	w->poller = poller_new(&w->loop, &w->inv, &options, &hooks);
	poller_start(w->poller);
}

static void run_for(struct watch *w, double s)
{
	w->is_over = false;
	uv_timer_start(&w->end, on_end, (uint64_t)(s * 1e3), 0);
	while (!w->is_over)
		uv_run(&w->loop, UV_RUN_ONCE);
}

/* Until all hosts have answered a first round; false after a minute. */
static bool run_first_round(struct watch *w)
{
	double began_s = bench_wall_s();

	while (poller_count(w->poller).first_round < w->inv.n_hosts && bench_wall_s() < began_s + 60)
		uv_run(&w->loop, UV_RUN_ONCE);
	if (poller_count(w->poller).up == w->inv.n_hosts)
		return true;
	fprintf(stderr, "only %zu of %zu hosts are up\n", poller_count(w->poller).up, w->inv.n_hosts);
	return false;
}

static void watch_end(struct watch *w)
{
	poller_free(w->poller);
	uv_close((uv_handle_t *)&w->before, NULL);
	uv_close((uv_handle_t *)&w->after, NULL);
	uv_close((uv_handle_t *)&w->end, NULL);
	uv_run(&w->loop, UV_RUN_DEFAULT);
	uv_loop_close(&w->loop);
}

static void first_picture(struct watch *w, const char *known_hosts)
{
	double far_s = process_cpu_s(most.pid) + process_cpu_s(rest.pid), cpu_s = bench_cpu_s(), wall_s = bench_wall_s();

	w->inv.n_hosts = FIRST;
	w->model = model_new();
	watch_begin(w, known_hosts, 600 * INT64_C(1000000));
	if (!run_first_round(w))
		bench_cannot("the first round does not end"), exit(1);
	wall_s = bench_wall_s() - wall_s;
	cpu_s = bench_cpu_s() - cpu_s;
	far_s = process_cpu_s(most.pid) + process_cpu_s(rest.pid) - far_s;
	bench_row("first full picture of 256 hosts", wall_s, "s", JUST_SAID, 0);
	bench_row("first full picture: our CPU a host", cpu_s * 1e3 / FIRST, "ms", JUST_SAID, 0);
	bench_row("first full picture: wall over CPU of both sides on all cores",
		  wall_s / ((cpu_s + far_s) / (double)sysconf(_SC_NPROCESSORS_ONLN)), "x", AT_MOST, 1.3);
	watch_end(w);
	model_free(w->model);
	w->model = NULL;
}

static double share_pct(struct watch *w)
{
	double cpu_s = bench_cpu_s(), wall_s = bench_wall_s();

	run_for(w, WINDOW_S);
	return 100 * (bench_cpu_s() - cpu_s) / (bench_wall_s() - wall_s);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Frame ages of those that are not stopped, for a while. */
static double p99_age_s(struct watch *w)
{
	memset(w->last_us, 0, sizeof(w->last_us));
	w->n_ages = 0;
	w->wants_ages = true;
	w->longest_ns = 0;
	run_for(w, WINDOW_S);
	w->wants_ages = false;
	qsort(w->ages_s, w->n_ages, sizeof(double), compare);
	return w->n_ages ? w->ages_s[w->n_ages * 99 / 100] : 1e9;
}

/* What the key that holds the picture costs; and letting it go. */
static void hold_cost(struct watch *w, const struct findings *f)
{
	double cpu_s = bench_cpu_s();
	struct model *held = model_copy(w->model);
	struct links links = { 0 };

	links_update(&links, held, &w->inv);
	struct findings *same = findings_copy(f, held);
	bench_row("the picture held, 3072 ports", (bench_cpu_s() - cpu_s) * 1e3, "ms", AT_MOST, 50);
	cpu_s = bench_cpu_s();
	findings_free(same);
	links_done(&links);
	model_free(held);
	bench_row("the picture held, 3072 ports: let go", (bench_cpu_s() - cpu_s) * 1e3, "ms", AT_MOST, 50);
}

static void judge_cost(struct watch *w)
{
	struct links links = { 0 };
	struct findings *f = findings_new();
	struct policy *policy = policy_builtin(policy_builtin_name(0));
	double cpu_s;

	links_update(&links, w->model, &w->inv);
	findings_judge(f, w->model, &links, policy, &w->inv);
	cpu_s = bench_cpu_s();
	for (int i = 0; i < 4; i++) {
		links_update(&links, w->model, &w->inv);
		findings_judge(f, w->model, &links, policy, &w->inv);
	}
	cpu_s = (bench_cpu_s() - cpu_s) / 4;
	bench_row("all checks judged, 3072 ports", cpu_s * 1e3, "ms", JUST_SAID, 0);
	hold_cost(w, f);
	findings_free(f);
	links_done(&links);
	policy_free(policy);
}

static void each_second(struct watch *w, const char *known_hosts)
{
	double alone_pct, with_model_pct, healthy_s, stopped_s;
	uint64_t frames, facts;
	const char *call;

	w->inv.n_hosts = HOSTS;
	w->model = model_new();
	watch_begin(w, known_hosts, 0);
	if (!run_first_round(w))
		exit(1);
	run_for(w, 2);
	struct model *m = w->model;
	w->model = NULL;
	frames = w->frames;
	facts = w->facts;
	alone_pct = share_pct(w);
	bench_row("512 hosts at 1 Hz: bytes a frame", (double)canned_live_bytes() / 1024, "KB", JUST_SAID, 0);
	bench_row("512 hosts at 1 Hz: frames a second", (double)(w->frames - frames) / WINDOW_S, "", AT_LEAST, 0.95 * HOSTS);
	bench_row("512 hosts at 1 Hz: values a second", (double)(w->facts - facts) / WINDOW_S, "", JUST_SAID, 0);
	bench_row("512 hosts at 1 Hz, text, read and parsed: a core", alone_pct, "%", AT_MOST, 5);
	w->model = m;
	with_model_pct = share_pct(w);
	bench_row("512 hosts at 1 Hz: the model's share beside that", with_model_pct - alone_pct, "%", JUST_SAID, 0);
	bench_row("512 hosts at 1 Hz: memory of sessions and model, no recording", process_rss_mb(getpid()), "MB", JUST_SAID, 0);
	judge_cost(w);
	healthy_s = p99_age_s(w);
	kill(rest.pid, SIGSTOP);
	calls_longest_ms(&call);
	stopped_s = p99_age_s(w);
	bench_row("frame age p99, all well", healthy_s, "s", JUST_SAID, 0);
	bench_row("a tenth of the hosts stopped: frame age p99 of the rest over that", stopped_s / healthy_s, "x", AT_MOST, 1.2);
	bench_row("a tenth of the hosts stopped: longest turn of the loop", (double)w->longest_ns / 1e6, "ms", JUST_SAID, 0);
	bench_row("a tenth of the hosts stopped: longest call into libssh", calls_longest_ms(&call), call, AT_MOST, 10);
	kill(rest.pid, SIGCONT);
	watch_end(w);
	model_free(w->model);
}

/* The hosts of both sides as one fabric; returns the path of their known_hosts. */
static char *join(struct watch *w)
{
	size_t n;
	char *path = xasprintf("%s/both", most.dir), *more = file_text(rest.known_hosts, &n), *first;
	FILE *f = fopen(path, "w");

	first = file_text(most.known_hosts, &n);
	if (!f || !first || !more || fputs(first, f) < 0 || fputs(more, f) < 0 || fclose(f))
		bench_cannot("its known_hosts cannot be written"), exit(1);
	free(first);
	free(more);
	for (size_t i = 0; i < HOSTS; i++) {
		*GROW(w->inv.hosts, w->inv.n_hosts, w->inv.cap_hosts) =
			i < most.hosts.n_hosts ? most.hosts.hosts[i] : rest.hosts.hosts[i - most.hosts.n_hosts];
		w->inv.n_hosts++;
	}
	return path;
}

static void little(const char *known_hosts, unsigned hz, double bar_pct)
{
	struct watch w = { .inv = { .n_hosts = 0 } };
	char what[96];
	uint64_t frames;
	double pct;

	free(join(&w));
	watch_begin(&w, known_hosts, SECOND / hz);
	if (!run_first_round(&w))
		bench_cannot("the first round does not end"), exit(1);
	run_for(&w, 2);
	frames = w.frames;
	pct = share_pct(&w);
	snprintf(what, sizeof(what), "512 hosts of one port at %u Hz, text: frames a second", hz);
	bench_row(what, (double)(w.frames - frames) / WINDOW_S, "", AT_LEAST, 0.95 * HOSTS * hz);
	snprintf(what, sizeof(what), "512 hosts of one port at %u Hz, text: a core", hz);
	bench_row(what, pct, "%", AT_MOST, bar_pct);
	watch_end(&w);
	free(w.inv.hosts);
}

static bool start(unsigned ports)
{
	return canned_make(ports) && far_start(&most, "node", HOSTS - STOPPED) && far_start(&rest, "stopped", STOPPED);
}

static void stop(void)
{
	far_stop(&most);
	far_stop(&rest);
	canned_done();
}

int main(void)
{
	static struct watch w;
	char *known_hosts;

	if (!start(PORTS))
		return bench_cannot("the lab does not come up"), 1;
	known_hosts = join(&w);
	first_picture(&w, known_hosts);
	each_second(&w, known_hosts);
	free(known_hosts);
	free(w.inv.hosts);
	stop();
	if (!start(PORTS_FEW))
		return bench_cannot("the lab does not come up"), 1;
	known_hosts = xasprintf("%s/both", most.dir);
	bench_row("hosts of one port: bytes a frame", (double)canned_live_bytes() / 1024, "KB", JUST_SAID, 0);
	little(known_hosts, 1, 1.5);
	little(known_hosts, 10, 10);
	free(known_hosts);
	stop();
	return bench_end();
}
