/*
 * DCQCN as published (SIGCOMM 2015): the sender's rate (reaction point), the receiver's spacing of CNPs (notification
 * point), and the fixed point of the fluid model. NICs differ: they space cuts at the sender and age alpha faster.
 */
#ifndef CORE_ROCE_DCQCN_H
#define CORE_ROCE_DCQCN_H

#include <stdbool.h>
#include <stdint.h>

struct dcqcn {
	double g;			/* weight of one CNP in alpha */
	int64_t cnp_gap_ns;		/* N: least time between two CNPs of a flow */
	int64_t alpha_ns;		/* K: alpha ages after so long without a CNP; above N */
	int64_t timer_ns;		/* T: a rate step after so much time */
	double counter_bytes;		/* B: a rate step after so many bytes */
	unsigned stages;		/* F: steps of fast recovery */
	double ai_bps, hai_bps;		/* additive and hyper increase */
	double min_bps;
	/* A NIC's own, beside the paper; 0: as published. */
	double cut;			/* of alpha, what one CNP takes of the rate; 0: half */
	double least_kept;		/* of the rate, after one cut */
	int64_t cut_gap_ns;		/* least time between two cuts of a flow */
	double first_bps;		/* the rate after a flow's first CNP */
	double max_bps;
	double alpha_start;		/* 0: 1 */
};

/* The deployed values of the paper. */
extern const struct dcqcn dcqcn_deployed;

/* A sender's state for one flow. */
struct dcqcn_rp {
	double rate_bps;		/* R_C */
	double target_bps;		/* R_T */
	double line_bps;
	double alpha;			/* as of alpha_ns: ask dcqcn_rp_alpha() */
	double bytes;			/* since the last step by bytes */
	int64_t alpha_ns;		/* when alpha was last right */
	int64_t timer_ns;		/* when the next step by time is due */
	int64_t cut_ns;			/* the last cut; DCQCN_NO_CNP: none yet */
	unsigned by_timer, by_bytes;	/* stages TC, BC */
};

#define DCQCN_NO_CNP	(INT64_MIN / 2)

/* A flow starts at line rate. */
void dcqcn_rp_init(struct dcqcn_rp *rp, double line_bps, int64_t now_ns);
void dcqcn_rp_cnp(struct dcqcn_rp *rp, const struct dcqcn *d, int64_t now_ns);
void dcqcn_rp_sent(struct dcqcn_rp *rp, const struct dcqcn *d, double bytes);
void dcqcn_rp_timer(struct dcqcn_rp *rp, const struct dcqcn *d, int64_t now_ns);
double dcqcn_rp_alpha(const struct dcqcn_rp *rp, const struct dcqcn *d, int64_t now_ns);

/* A receiver's state for one flow: when its last CNP left; starts at DCQCN_NO_CNP. */
/* A marked packet arrived: true when a CNP is to leave now. */
bool dcqcn_np_mark(int64_t *last_cnp_ns, const struct dcqcn *d, int64_t now_ns);

/* Where n flows through one queue settle by the fluid model. */
struct dcqcn_point {
	double mark;		/* p*, 0 … 1 */
	double alpha;
	double cnp_per_s;	/* of one flow */
	double queue_bytes;	/* q* */
};
/* False when no probability up to pmax is enough: the queue then stays at kmax and swings. *out is set all the same. */
bool dcqcn_fixed_point(const struct dcqcn *d, double capacity_bps, unsigned n, double packet_bytes, double kmin,
		       double kmax, double pmax, struct dcqcn_point *out);

#endif
