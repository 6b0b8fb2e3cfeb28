#include "core/bringup/pair.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/application/application.h"

#define IPV6_MORE	20	/* bytes of a packet beside those of IPv4, untagged */
#define VLAN_MORE	4
#define CLASS_SHARE	0.9	/* of all bytes of the port during the test: some is background */
#define PCIE_NEAR	1.03	/* up to this much of what the slot carries, it is the slot that limits */

static const struct {
	const char *word, *remedy;
} layers[BRINGUP_LAYERS] = {
	[BRINGUP_LAYER_NONE] = { "none", NULL },
	[BRINGUP_LAYER_RESULT] = { "result", "Do what the tool's message asks for, then test again." },
	[BRINGUP_LAYER_WIRE] = { "wire", "Clean or swap cable and transceiver; compare FEC at both ends." },
	[BRINGUP_LAYER_MTU] = { "mtu", "Set the MTU of host and switch as the policy requires." },
	[BRINGUP_LAYER_CLASS] = { "class", "Set trust and the DSCP map as the policy requires, at both ends and at the switches between them." },
	[BRINGUP_LAYER_LOSSLESS] = { "lossless", "Check PFC and its headroom for this priority, at both ends and at the switches between them." },
	[BRINGUP_LAYER_PCIE] = { "pcie", "Reseat the card, try another slot, check the slot's lanes and the BIOS settings." },
	[BRINGUP_LAYER_RATE] = { "rate", "Compare with the NIC's loopback. Where that is slow too, look for the limit in the host: PCIe, memory, "
				 "power settings; where it is not, on the path: pause, discards, other traffic." },
	[BRINGUP_LAYER_LATENCY] = { "latency", "Compare power settings, NUMA node and PCIe link of this host with its peers; on the path look "
				    "for pause and other traffic." },
	[BRINGUP_LAYER_ECN] = { "ecn", "Check marking on the switch queue of this class (Kmin, Kmax), NP at the receiver, RP at the senders, and "
				"the DSCP and class of CNPs." },
};

const char *bringup_layer_remedy(enum bringup_layer l)
{
	return layers[l].remedy;
}

const char *bringup_layer_word(enum bringup_layer l)
{
	return layers[l].word;
}

/*
 * A rate by which a fault is known that no counter and no setting shows: everything below it is true, and the slot carries more.
 * NVIDIA/dgx-spark-playbooks pull 108 (August 2026) takes 8 to 25 Gb/s at a healthy link for it; 12.7 to 13.4 were measured there. Only
 * what is near these is called so here: a receiver that is slow for another reason may be anywhere in the wider range.
 */
static const struct signature {
	double from_bps, to_bps;
	double least_line_bps;		/* a slower line has other reasons to be there */
	const char *words, *remedy;
} signatures[] = {
	{ 12e9, 15e9, 100e9, "; may be the known cap near 13 Gb/s of a ConnectX-7",
	  "Power the host off fully (a reboot may not do), then test again: a ConnectX-7 that started badly passes about 13 Gb/s whatever its "
	  "line, and new driver and kernel packages cured it. If it stays: PCIe, memory and power settings of the host, pause on the path." },
};

static const struct signature *signature_of(const struct bringup_pair *p)
{
	for (size_t i = 0; i < sizeof(signatures) / sizeof(*signatures); i++) {
		const struct signature *s = &signatures[i];

		if (p->bps >= s->from_bps && p->bps <= s->to_bps && p->line_bps >= s->least_line_bps && p->pcie_bps > s->to_bps)
			return s;
	}
	return NULL;
}

double bringup_ceiling_bps(double line_bps, unsigned long mtu, bool is_ipv6, bool has_vlan)
{
	double wire = (double)mtu / app_efficiency(mtu) + (is_ipv6 ? IPV6_MORE : 0) + (has_vlan ? VLAN_MORE : 0);

	return mtu ? line_bps * (double)mtu / wire : 0;
}

enum answer { TRUE_HERE, FALSE_HERE, UNSEEN_HERE };

static enum answer is_false(struct bringup_opinion *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
static enum answer is_false(struct bringup_opinion *o, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(o->words, sizeof(o->words), format, args);
	va_end(args);
	return FALSE_HERE;
}

/* -- one layer each -- */

static enum answer ask_result(const struct bringup_pair *p, double mark, struct bringup_opinion *o)
{
	(void)mark;
	return p->bps > 0 ? TRUE_HERE : is_false(o, "the test has no result");
}

/* A counter that must not have grown, at either end. */
static enum answer none_of(struct bringup_count a, struct bringup_count b, const char *what, struct bringup_opinion *o)
{
	if ((a.is_known && a.n) || (b.is_known && b.n))
		return is_false(o, "%llu %s during the test",
				(unsigned long long)((a.is_known ? a.n : 0) + (b.is_known ? b.n : 0)), what);
	return a.is_known && b.is_known ? TRUE_HERE : UNSEEN_HERE;
}

static enum answer ask_wire(const struct bringup_pair *p, double mark, struct bringup_opinion *o)
{
	(void)mark;
	return none_of(p->from.wire, p->to.wire, "errors on the wire", o);
}

static enum answer ask_mtu(const struct bringup_pair *p, double mark, struct bringup_opinion *o)
{
	(void)mark;
	if (!p->mtu && p->mtu_wanted)
		return UNSEEN_HERE;
	if (p->mtu >= p->mtu_wanted)
		return TRUE_HERE;
	if (o->ceiling_bps <= 0)
		return is_false(o, "RDMA ran at MTU %lu, not %lu", p->mtu, p->mtu_wanted);
	return is_false(o, "RDMA ran at MTU %lu, not %lu: it can reach %.1f Gb/s at most", p->mtu, p->mtu_wanted, o->ceiling_bps / 1e9);
}

/*
 * Less than what the test sent in a second: it did not pass there, or was not counted yet. A loopback need not leave the NIC, and over
 * Soft-RoCE it does not.
 */
static bool shows_the_test(const struct bringup_seen *end, double bps)
{
	return end->class_bytes.is_known && end->all_bytes.is_known && (double)end->all_bytes.n * 8 >= bps;
}

/* The sender counts what it put into the class, the receiver what arrived in it; one of them is enough. */
static enum answer ask_class(const struct bringup_pair *p, double mark, struct bringup_opinion *o)
{
	const struct bringup_seen *const ends[] = { &p->from, &p->to };
	enum answer a = UNSEEN_HERE;

	(void)mark;
	for (unsigned i = 0; i < 2; i++) {
		const struct bringup_seen *e = ends[i];

		if (!shows_the_test(e, p->bps))
			continue;
		if ((double)e->class_bytes.n < CLASS_SHARE * (double)e->all_bytes.n)
			return is_false(o, "%.0f %% of the bytes %s in the required class", 100.0 * (double)e->class_bytes.n /
					(double)e->all_bytes.n, i ? "arrived" : "were sent");
		a = TRUE_HERE;
	}
	return a;
}

static enum answer ask_lossless(const struct bringup_pair *p, double mark, struct bringup_opinion *o)
{
	enum answer drops = none_of(p->from.drops, p->to.drops, "packets of the class were dropped", o);

	(void)mark;
	if (drops == FALSE_HERE)
		return drops;
	if (p->to.gaps.is_known && p->to.gaps.n)
		return is_false(o, "%llu packets arrived out of sequence: some were lost", (unsigned long long)p->to.gaps.n);
	return p->to.gaps.is_known ? drops : UNSEEN_HERE;
}

static bool is_slow(const struct bringup_opinion *o, double mark)
{
	return o->ceiling_bps > 0 && o->share < mark;
}

static enum answer ask_pcie(const struct bringup_pair *p, double mark, struct bringup_opinion *o)
{
	if (!is_slow(o, mark))
		return TRUE_HERE;
	if (p->pcie_bps <= 0 || p->pcie_bps >= o->ceiling_bps || p->bps > PCIE_NEAR * p->pcie_bps)
		return TRUE_HERE;
	return is_false(o, "%.1f Gb/s: the slot of a NIC carries %.1f Gb/s, and its port %.1f Gb/s", p->bps / 1e9, p->pcie_bps / 1e9,
			p->line_bps / 1e9);
}

static enum answer ask_rate(const struct bringup_pair *p, double mark, struct bringup_opinion *o)
{
	const struct signature *known = signature_of(p);

	if (o->ceiling_bps <= 0)
		return UNSEEN_HERE;
	if (!is_slow(o, mark))
		return TRUE_HERE;
	o->remedy = known && (!o->unseen || p->is_loop) ? known->remedy : NULL;
	return is_false(o, "%.1f Gb/s are %.0f %% of the %.1f Gb/s that MTU %lu allows%s", p->bps / 1e9, 100 * o->share, o->ceiling_bps / 1e9,
			p->mtu, o->remedy ? known->words : "");
}

static enum answer say_congestion(const struct bringup_pair *p, struct bringup_opinion *o)
{
	snprintf(o->words, sizeof(o->words), "%.1f Gb/s of an incast: %llu packets arrived marked, %llu CNPs were sent and %llu handled",
		 p->bps / 1e9, (unsigned long long)p->to.marks.n, (unsigned long long)p->to.cnps.n, (unsigned long long)p->from.cnps.n);
	return TRUE_HERE;
}

/* Marks, then CNPs, then senders that slow down: each is asked of what was seen before it. All of one NIC's incast share its counters. */
static enum answer ask_ecn(const struct bringup_pair *p, double mark, struct bringup_opinion *o)
{
	bool is_known = p->to.marks.is_known && p->to.cnps.is_known && p->from.cnps.is_known;

	if (!p->wants_ecn) {
		snprintf(o->words, sizeof(o->words), "%.1f Gb/s of an incast; the policy requires no ECN", p->bps / 1e9);
		return TRUE_HERE;
	}
	if (o->ceiling_bps > 0 && o->share >= mark) {
		snprintf(o->words, sizeof(o->words), "%.1f Gb/s of an incast, which met no congestion; not known: whether ECN acts", p->bps / 1e9);
		return UNSEEN_HERE;
	}
	if (p->to.marks.is_known && !p->to.marks.n)
		return is_false(o, "%.1f Gb/s of an incast, and no packet arrived marked", p->bps / 1e9);
	if (p->to.marks.is_known && p->to.cnps.is_known && !p->to.cnps.n)
		return is_false(o, "%llu packets arrived marked, and no CNP was sent", (unsigned long long)p->to.marks.n);
	if (p->to.cnps.is_known && p->to.cnps.n && p->from.cnps.is_known && !p->from.cnps.n) {
		o->blames_sender = true;
		return is_false(o, "%llu CNPs were sent to the senders of an incast, and this one handled none", (unsigned long long)p->to.cnps.n);
	}
	if (is_known)
		return say_congestion(p, o);
	snprintf(o->words, sizeof(o->words), "%.1f Gb/s of an incast; not known: marked packets or CNPs are not counted", p->bps / 1e9);
	return UNSEEN_HERE;
}

static void say_rate(const struct bringup_pair *p, struct bringup_opinion *o)
{
	if (p->is_across)
		snprintf(o->words, sizeof(o->words), "%.1f Gb/s across leaves, whose uplinks are shared", p->bps / 1e9);
	else if (o->ceiling_bps > 0)
		snprintf(o->words, sizeof(o->words), "%.1f Gb/s, %.1f %% of what MTU %lu allows", p->bps / 1e9, 100 * o->share, p->mtu);
	else	/* of a rate below 1 Gb/s one digit tells nothing */
		snprintf(o->words, sizeof(o->words), "%.*f Gb/s; what the link can carry is not known", p->bps < 1e9 ? 3 : 1, p->bps / 1e9);
}

/* Where several share a link each has a part of the rate: neither that nor a slot is asked about. */
static bool is_asked(const struct bringup_pair *p, enum bringup_layer l)
{
	if (l == BRINGUP_LAYER_PCIE || l == BRINGUP_LAYER_RATE)
		return !p->is_incast && !p->is_across;
	return l != BRINGUP_LAYER_ECN || p->is_incast;
}

static void judge_layers(const struct bringup_pair *p, double mark, struct bringup_opinion *o)
{
	static enum answer (*const ask[BRINGUP_LAYERS])(const struct bringup_pair *p, double mark, struct bringup_opinion *o) = {
		[BRINGUP_LAYER_RESULT] = ask_result, [BRINGUP_LAYER_WIRE] = ask_wire, [BRINGUP_LAYER_MTU] = ask_mtu,
		[BRINGUP_LAYER_CLASS] = ask_class, [BRINGUP_LAYER_LOSSLESS] = ask_lossless, [BRINGUP_LAYER_PCIE] = ask_pcie,
		[BRINGUP_LAYER_RATE] = ask_rate, [BRINGUP_LAYER_ECN] = ask_ecn,
	};

	for (enum bringup_layer l = BRINGUP_LAYER_RESULT; l < BRINGUP_LAYERS; l++) {
		enum answer a = ask[l] && is_asked(p, l) ? ask[l](p, mark, o) : TRUE_HERE;

		if (a == FALSE_HERE) {
			o->layer = l;
			if (!o->remedy)
				o->remedy = bringup_layer_remedy(l);
			return;
		}
		if (a == UNSEEN_HERE && !o->unseen)
			o->unseen = l;
	}
	if (!p->is_incast)
		say_rate(p, o);
}

void bringup_pair_judge(const struct bringup_pair *p, double mark, struct bringup_opinion *o)
{
	*o = (struct bringup_opinion){ .ceiling_bps = bringup_ceiling_bps(p->line_bps, p->mtu, p->is_ipv6, p->has_vlan) };
	o->share = o->ceiling_bps > 0 ? p->bps / o->ceiling_bps : 0;
	judge_layers(p, mark, o);
	if (p->is_incast || p->is_across)	/* nobody is to reach it */
		o->ceiling_bps = o->share = 0;
}
