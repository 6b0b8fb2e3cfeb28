/* RED as ECN-marking switches do it (the congestion point of DCQCN): a slope from kmin to kmax, and a jump to 1 above. */
#ifndef CORE_ROCE_RED_H
#define CORE_ROCE_RED_H

/* The probability that a packet is marked which finds queue_bytes in front of it; pmax 0 … 1. */
static inline double red_probability(double queue_bytes, double kmin, double kmax, double pmax)
{
	if (queue_bytes > kmax)
		return 1;
	if (queue_bytes <= kmin)
		return 0;
	return pmax * (queue_bytes - kmin) / (kmax - kmin);
}

#endif
