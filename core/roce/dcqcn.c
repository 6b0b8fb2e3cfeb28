#include "core/roce/dcqcn.h"

#include <math.h>

const struct dcqcn dcqcn_deployed = {
	.g = 1.0 / 256, .cnp_gap_ns = 50000, .alpha_ns = 55000, .timer_ns = 55000, .counter_bytes = 10e6, .stages = 5,
	.ai_bps = 40e6, .hai_bps = 400e6, .min_bps = 10e6,
};

void dcqcn_rp_init(struct dcqcn_rp *rp, double line_bps, int64_t now_ns)
{
	*rp = (struct dcqcn_rp){
		.rate_bps = line_bps, .target_bps = line_bps, .line_bps = line_bps, .alpha = 1,
		.alpha_ns = now_ns, .timer_ns = INT64_MAX, .cut_ns = DCQCN_NO_CNP,
	};
}

double dcqcn_rp_alpha(const struct dcqcn_rp *rp, const struct dcqcn *d, int64_t now_ns)
{
	int64_t ages = (now_ns - rp->alpha_ns) / d->alpha_ns;

	return ages > 0 ? rp->alpha * pow(1 - d->g, (double)ages) : rp->alpha;
}

void dcqcn_rp_cnp(struct dcqcn_rp *rp, const struct dcqcn *d, int64_t now_ns)
{
	double alpha = dcqcn_rp_alpha(rp, d, now_ns);

	if (now_ns - rp->cut_ns >= d->cut_gap_ns) {
		double kept = fmax(1 - alpha * (d->cut > 0 ? d->cut : 0.5), d->least_kept);
		bool is_first = rp->cut_ns == DCQCN_NO_CNP && d->first_bps > 0;

		rp->target_bps = rp->rate_bps;
		rp->rate_bps = fmax(is_first ? fmin(d->first_bps, rp->rate_bps) : rp->rate_bps * kept, d->min_bps);
		rp->cut_ns = now_ns;
	}
	rp->alpha = (1 - d->g) * alpha + d->g;
	rp->alpha_ns = now_ns;
	rp->timer_ns = now_ns + d->timer_ns;
	rp->bytes = 0;
	rp->by_timer = rp->by_bytes = 0;
}

static void step(struct dcqcn_rp *rp, const struct dcqcn *d)
{
	unsigned most = rp->by_timer > rp->by_bytes ? rp->by_timer : rp->by_bytes;
	unsigned least = rp->by_timer < rp->by_bytes ? rp->by_timer : rp->by_bytes;

	if (least > d->stages)
		rp->target_bps += d->hai_bps;
	else if (most >= d->stages)
		rp->target_bps += d->ai_bps;
	rp->target_bps = fmin(rp->target_bps, rp->line_bps);
	rp->rate_bps = (rp->rate_bps + rp->target_bps) / 2;
	/* Halving the distance never ends; within a bit per second of line rate the flow has recovered. */
	if (rp->line_bps - rp->rate_bps < 1) {
		rp->rate_bps = rp->target_bps = rp->line_bps;
		rp->timer_ns = INT64_MAX;
	}
}

void dcqcn_rp_sent(struct dcqcn_rp *rp, const struct dcqcn *d, double bytes)
{
	if (rp->timer_ns == INT64_MAX)
		return;
	rp->bytes += bytes;
	while (rp->bytes >= d->counter_bytes) {
		rp->bytes -= d->counter_bytes;
		rp->by_bytes++;
		step(rp, d);
	}
}

void dcqcn_rp_timer(struct dcqcn_rp *rp, const struct dcqcn *d, int64_t now_ns)
{
	while (now_ns >= rp->timer_ns) {
		rp->timer_ns += d->timer_ns;
		rp->by_timer++;
		step(rp, d);
	}
}

bool dcqcn_np_mark(int64_t *last_cnp_ns, const struct dcqcn *d, int64_t now_ns)
{
	if (now_ns - *last_cnp_ns < d->cnp_gap_ns)
		return false;
	*last_cnp_ns = now_ns;
	return true;
}

/* p / ((1-p)^-n - 1): steps per packet of a counter that starts again at each mark and is due after n packets. */
static double steps_per_packet(double p, double n)
{
	return p / expm1(-n * log1p(-p));
}

static double marked_within(double p, double packets)
{
	return -expm1(packets * log1p(-p));
}

/* Which way p has to move: the paper's equation 11, left side minus right side; grows with p. */
static double excess(const struct dcqcn *d, double rate_pps, double packet_bytes, double p)
{
	double tau_s = d->cnp_gap_ns * 1e-9, by_bytes = d->counter_bytes / packet_bytes;
	double by_time = d->timer_ns * 1e-9 * rate_pps, ai_pps = d->ai_bps / (8 * packet_bytes);
	double a = marked_within(p, tau_s * rate_pps), alpha = marked_within(p, d->alpha_ns * 1e-9 * rate_pps);
	double b = steps_per_packet(p, by_bytes), e = steps_per_packet(p, by_time);
	double increases = b * exp(d->stages * by_bytes * log1p(-p)) + e * exp(d->stages * by_time * log1p(-p));

	return alpha * a * a - tau_s * tau_s * ai_pps * rate_pps * (b + e) * increases;
}

bool dcqcn_fixed_point(const struct dcqcn *d, double capacity_bps, unsigned n, double packet_bytes, double kmin,
		       double kmax, double pmax, struct dcqcn_point *out)
{
	double rate_pps = capacity_bps / n / (8 * packet_bytes), low = 1e-9, high = 0.5, p;

	while (high / low > 1 + 1e-9) {
		p = sqrt(low * high);
		if (excess(d, rate_pps, packet_bytes, p) < 0)
			low = p;
		else
			high = p;
	}
	p = sqrt(low * high);
	*out = (struct dcqcn_point){
		.mark = p,
		.alpha = marked_within(p, d->alpha_ns * 1e-9 * rate_pps),
		.cnp_per_s = marked_within(p, d->cnp_gap_ns * 1e-9 * rate_pps) / (d->cnp_gap_ns * 1e-9),
		.queue_bytes = p <= pmax ? kmin + p / pmax * (kmax - kmin) : kmax,
	};
	return p <= pmax;
}
