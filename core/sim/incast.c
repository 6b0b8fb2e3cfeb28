#include "core/sim/incast.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"

#define MS		INT64_C(1000000)
#define STEP_NS		INT64_C(20000)
#define PACKET_BYTES	1000
#define PRIO		3

struct star_of {
	struct sim *sim;
	unsigned hosts[INCAST_MOST + 1], ports[INCAST_MOST + 1];	/* the last is the receiver's */
	unsigned flows[INCAST_MOST];
	unsigned n;
};

static struct star_of build(const struct incast *in)
{
	struct star_of star = { .sim = sim_new(in->seed), .n = in->senders };
	unsigned hub = sim_add_device(star.sim, true);
	struct sim_qos host, port;

	sim_qos_lossless(&host, in->speed_bps, false);
	sim_qos_lossless(&port, in->speed_bps, true);
	port.xoff[PRIO] = UINT32_MAX;
	port.headroom[PRIO] = 0;
	port.kmin[PRIO] = in->kmin;
	port.kmax[PRIO] = in->kmax;
	port.pmax[PRIO] = in->pmax;
	for (unsigned i = 0; i <= star.n; i++) {
		star.hosts[i] = sim_add_port(star.sim, sim_add_device(star.sim, false), &host);
		star.ports[i] = sim_add_port(star.sim, hub, &port);
		sim_link(star.sim, star.hosts[i], star.ports[i], in->delay_ns);
	}
	for (unsigned i = 0; i < star.n; i++)
		star.flows[i] = sim_flow_add(star.sim, &(struct sim_flow){ .from = star.hosts[i], .to = star.hosts[star.n],
									  .dscp = 26, .ect = true, .packet_bytes = PACKET_BYTES });
	return star;
}

static double delivered(const struct star_of *star)
{
	double bytes = 0;

	for (unsigned i = 0; i < star->n; i++)
		bytes += (double)sim_flow_bytes(star->sim, star->flows[i]);
	return bytes;
}

static double fairness(const struct star_of *star)
{
	double sum = 0, squares = 0;

	for (unsigned i = 0; i < star->n; i++) {
		double bytes = (double)sim_flow_bytes(star->sim, star->flows[i]);

		sum += bytes;
		squares += bytes * bytes;
	}
	return squares > 0 ? sum * sum / squares / star->n : 0;
}

static int by_size(const void *a, const void *b)
{
	const float *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The queue and the flows' alpha at each step. */
static void sample(const struct star_of *star, unsigned steps, struct incast_result *out)
{
	const unsigned plot = sizeof(out->queue) / sizeof(*out->queue);
	float *queue = xcalloc(steps, sizeof(*queue));

	for (unsigned k = 0; k < steps; k++) {
		sim_run(star->sim, STEP_NS);
		queue[k] = (float)sim_counters(star->sim, star->ports[star->n])->queue_bytes[PRIO];
		out->queue_bytes += (double)queue[k] / steps;
		for (unsigned i = 0; i < star->n; i++)
			out->alpha += sim_flow_alpha(star->sim, star->flows[i]) / steps / star->n;
	}
	out->n_queue = steps < plot ? steps : plot;
	for (unsigned i = 0; i < out->n_queue; i++)
		out->queue[i] = queue[(size_t)i * steps / out->n_queue];
	qsort(queue, steps, sizeof(*queue), by_size);
	out->queue_p90_bytes = queue[(size_t)(0.9 * (steps - 1))];
	free(queue);
}

bool incast_run(const struct incast *in, struct incast_result *out)
{
	double seconds = (double)(in->to_ms - in->from_ms) / 1e3, bytes;
	uint64_t marked, cnps;
	struct star_of star;

	memset(out, 0, sizeof(*out));
	if (!in->senders || in->senders > INCAST_MOST || in->to_ms <= in->from_ms || !in->speed_bps)
		return false;
	star = build(in);
	sim_run(star.sim, in->from_ms * MS);
	marked = sim_counters(star.sim, star.ports[star.n])->marked[PRIO];
	cnps = sim_counters(star.sim, star.hosts[star.n])->cnp_sent;
	bytes = delivered(&star);
	sample(&star, (unsigned)((in->to_ms - in->from_ms) * MS / STEP_NS), out);
	bytes = delivered(&star) - bytes;
	marked = sim_counters(star.sim, star.ports[star.n])->marked[PRIO] - marked;
	cnps = sim_counters(star.sim, star.hosts[star.n])->cnp_sent - cnps;
	out->mark = bytes > 0 ? (double)marked * PACKET_BYTES / bytes : 0;
	out->cnp_per_s = (double)cnps / seconds / star.n;
	out->use = bytes * 8 / seconds / (double)in->speed_bps;
	out->jain = fairness(&star);
	sim_free(star.sim);
	return true;
}
