/* One test between two NICs: the first false layer is the answer, and what no counter told of is not passed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/bringup/pair.h"
#include "tests/lib/say.h"

#define MARK	0.95
#define KNOWN(count) { true, (count) }

static const struct bringup_pair good = {
	.line_bps = 400e9, .bps = 391e9, .mtu = 4096, .mtu_wanted = 4096, .pcie_bps = 504e9,
	.from = { KNOWN(489000000000), KNOWN(490000000000), KNOWN(0), { false, 0 }, KNOWN(0) },
	.to = { KNOWN(489000000000), KNOWN(490000000000), KNOWN(0), KNOWN(0), KNOWN(0) },
};

/* BRINGUP section 2: 98.0, 96.2 and 92.6 per cent of the line rate. */
static void the_ceiling_is_that_of_the_mtu(void **state)
{
	(void)state;
	assert_true(fabs(bringup_ceiling_bps(100, 4096, false, false) - 98.04) < 0.01);
	assert_true(fabs(bringup_ceiling_bps(100, 2048, false, false) - 96.15) < 0.01);
	assert_true(fabs(bringup_ceiling_bps(100, 1024, false, false) - 92.59) < 0.01);
	assert_true(bringup_ceiling_bps(100, 4096, true, true) < bringup_ceiling_bps(100, 4096, false, false));
	assert_true(bringup_ceiling_bps(100, 0, false, false) == 0);
}

static enum bringup_layer layer_of(const struct bringup_pair *p)
{
	struct bringup_opinion o;

	bringup_pair_judge(p, MARK, &o);
	if (o.layer)
		assert_true(o.words[0]);
	return o.layer;
}

/* A software device has no line rate, and a NIC may not tell its own: the rate is told, and no verdict. */
static void without_a_ceiling_the_rate_is_told_and_not_judged(void **state)
{
	struct bringup_pair p = good;
	struct bringup_opinion o;

	(void)state;
	p.line_bps = 0;
	bringup_pair_judge(&p, MARK, &o);
	assert_int_equal(o.layer, BRINGUP_LAYER_NONE);
	assert_int_equal(o.unseen, BRINGUP_LAYER_RATE);
	assert_string_equal(o.words, "391.0 Gb/s; what the link can carry is not known");
	p.bps = 62626000;
	bringup_pair_judge(&p, MARK, &o);
	assert_string_equal(o.words, "0.063 Gb/s; what the link can carry is not known");
	p.mtu = 1024;
	bringup_pair_judge(&p, MARK, &o);
	assert_int_equal(o.layer, BRINGUP_LAYER_MTU);
	assert_string_equal(o.words, "RDMA ran at MTU 1024, not 4096");
}

static void the_first_false_layer_is_the_answer(void **state)
{
	struct bringup_pair p = good;

	(void)state;
	assert_int_equal(layer_of(&p), BRINGUP_LAYER_NONE);
	p.bps = 250e9;
	assert_int_equal(layer_of(&p), BRINGUP_LAYER_RATE);
	p.pcie_bps = 252e9;			/* x8 of a fifth generation */
	assert_int_equal(layer_of(&p), BRINGUP_LAYER_PCIE);
	p.to.drops.n = 7;
	assert_int_equal(layer_of(&p), BRINGUP_LAYER_LOSSLESS);
	p.from.class_bytes.n = 1000;
	assert_int_equal(layer_of(&p), BRINGUP_LAYER_CLASS);
	p.mtu = 1024;
	assert_int_equal(layer_of(&p), BRINGUP_LAYER_MTU);
	p.to.wire.n = 40;
	assert_int_equal(layer_of(&p), BRINGUP_LAYER_WIRE);
	p.bps = 0;
	assert_int_equal(layer_of(&p), BRINGUP_LAYER_RESULT);
}

/* Slow at a link and a slot that are well, and at no other rate; an unseen layer may be the reason. */
static void a_known_cap_is_named_where_nothing_below_it_is_false(void **state)
{
	struct bringup_pair p = good;
	struct bringup_opinion o;

	(void)state;
	p.bps = 13.2e9;
	bringup_pair_judge(&p, MARK, &o);
	assert_int_equal(o.layer, BRINGUP_LAYER_RATE);
	assert_string_equal(o.words, "13.2 Gb/s are 3 % of the 392.1 Gb/s that MTU 4096 allows; may be the known cap near 13 Gb/s of a "
			    "ConnectX-7");
	assert_non_null(strstr(o.remedy, "Power the host off"));
	p.bps = 24.5e9;
	bringup_pair_judge(&p, MARK, &o);
	assert_true(o.layer == BRINGUP_LAYER_RATE && strstr(o.remedy, "loopback") && !strstr(o.words, "ConnectX-7"));
	p.bps = 13.2e9;
	p.from.class_bytes.is_known = p.to.class_bytes.is_known = false;
	bringup_pair_judge(&p, MARK, &o);
	assert_null(strstr(o.words, "ConnectX-7"));
	p.is_loop = true;
	bringup_pair_judge(&p, MARK, &o);
	assert_non_null(strstr(o.words, "ConnectX-7"));
	p = good;
	p.bps = 13.2e9;
	p.pcie_bps = 0;		/* what the slot carries is not known */
	bringup_pair_judge(&p, MARK, &o);
	assert_null(strstr(o.words, "ConnectX-7"));
	p.pcie_bps = 15.7e9;
	bringup_pair_judge(&p, MARK, &o);
	assert_true(o.layer == BRINGUP_LAYER_PCIE && strstr(o.remedy, "Reseat"));
	p.pcie_bps = 504e9;
	p.line_bps = 25e9;
	bringup_pair_judge(&p, MARK, &o);
	assert_null(strstr(o.words, "ConnectX-7"));
}

/* Linux 6.1, Soft-RoCE: a loopback of 0.45 Gb/s, and the NIC's counters saw 70 KB of other things, none in the class. */
static void of_what_the_counters_have_not_seen_they_do_not_say_the_class(void **state)
{
	struct bringup_pair p = { .bps = 450e6, .mtu = 4096, .mtu_wanted = 4096, .is_loop = true,
				  .from = { .class_bytes = KNOWN(0), .all_bytes = KNOWN(70000) }, .to = { .class_bytes = KNOWN(0), .all_bytes = KNOWN(70000) } };
	struct bringup_opinion o;

	(void)state;
	bringup_pair_judge(&p, MARK, &o);
	assert_int_equal(o.layer, BRINGUP_LAYER_NONE);
	assert_string_equal(o.words, "0.450 Gb/s; what the link can carry is not known");
	p.from.all_bytes.n = 281000000;	/* as five seconds of it */
	bringup_pair_judge(&p, MARK, &o);
	assert_int_equal(o.layer, BRINGUP_LAYER_CLASS);
}

/* A fast test in another class is no pass. */
static void speed_excuses_nothing(void **state)
{
	struct bringup_pair p = good;

	(void)state;
	p.to.class_bytes.n = 0;
	assert_int_equal(layer_of(&p), BRINGUP_LAYER_CLASS);
	p = good;
	p.to.gaps.n = 1;
	assert_int_equal(layer_of(&p), BRINGUP_LAYER_LOSSLESS);
}

static void what_no_counter_told_is_named(void **state)
{
	struct bringup_pair p = good;
	struct bringup_opinion o;

	(void)state;
	bringup_pair_judge(&p, MARK, &o);
	assert_int_equal(o.unseen, BRINGUP_LAYER_NONE);
	p.from.class_bytes.is_known = p.to.class_bytes.is_known = false;
	bringup_pair_judge(&p, MARK, &o);
	assert_true(o.layer == BRINGUP_LAYER_NONE && o.unseen == BRINGUP_LAYER_CLASS);
	p = good;
	p.mtu = 0;
	bringup_pair_judge(&p, MARK, &o);
	assert_true(o.layer == BRINGUP_LAYER_NONE && o.unseen == BRINGUP_LAYER_MTU && o.ceiling_bps == 0);
	p = good;
	p.mtu_wanted = 0;	/* a policy that wants no MTU is content with each */
	bringup_pair_judge(&p, MARK, &o);
	assert_true(o.layer == BRINGUP_LAYER_NONE && o.unseen == BRINGUP_LAYER_NONE);
	p = good;
	p.to.gaps.is_known = false;
	bringup_pair_judge(&p, MARK, &o);
	assert_int_equal(o.unseen, BRINGUP_LAYER_LOSSLESS);
	assert_string_equal(bringup_layer_word(o.unseen), "lossless");
}

static struct bringup_opinion opinion_of(const struct bringup_pair *p)
{
	struct bringup_opinion o;

	bringup_pair_judge(p, MARK, &o);
	return o;
}

/* Three send to one: marks, then CNPs, then senders that slow down. The rate of one of them is no matter. */
static void of_an_incast_it_is_asked_whether_ecn_slows_its_senders(void **state)
{
	struct bringup_pair p = good;

	(void)state;
	p.is_incast = p.wants_ecn = true;
	p.bps = 130e9;
	p.to.marks = (struct bringup_count)KNOWN(210812);
	p.to.cnps = (struct bringup_count)KNOWN(200652);
	p.from.cnps = (struct bringup_count)KNOWN(49936);
	assert_int_equal(opinion_of(&p).layer, BRINGUP_LAYER_NONE);
	assert_int_equal(opinion_of(&p).unseen, BRINGUP_LAYER_NONE);
	assert_string_equal(opinion_of(&p).words,
			    "130.0 Gb/s of an incast: 210812 packets arrived marked, 200652 CNPs were sent and 49936 handled");
	p.from.cnps.n = 0;
	assert_int_equal(opinion_of(&p).layer, BRINGUP_LAYER_ECN);
	assert_true(opinion_of(&p).blames_sender);
	p.to.cnps.n = 0;
	assert_string_equal(opinion_of(&p).words, "210812 packets arrived marked, and no CNP was sent");
	assert_false(opinion_of(&p).blames_sender);
	p.to.marks.n = 0;
	assert_string_equal(opinion_of(&p).words, "130.0 Gb/s of an incast, and no packet arrived marked");
	p.wants_ecn = false;
	assert_int_equal(opinion_of(&p).layer, BRINGUP_LAYER_NONE);
	assert_string_equal(opinion_of(&p).words, "130.0 Gb/s of an incast; the policy requires no ECN");
	p.to.drops.n = 7;
	assert_int_equal(opinion_of(&p).layer, BRINGUP_LAYER_LOSSLESS);
}

/* A counter that is not there is no lack of marks, and where there was no congestion nothing had to be marked. */
static void of_an_incast_that_is_not_seen_nothing_is_said(void **state)
{
	struct bringup_pair p = good;

	(void)state;
	p.is_incast = p.wants_ecn = true;
	assert_int_equal(opinion_of(&p).layer, BRINGUP_LAYER_NONE);
	assert_int_equal(opinion_of(&p).unseen, BRINGUP_LAYER_ECN);
	assert_non_null(strstr(opinion_of(&p).words, "met no congestion"));
	p.bps = 130e9;
	p.to.marks = (struct bringup_count)KNOWN(5);
	assert_int_equal(opinion_of(&p).layer, BRINGUP_LAYER_NONE);
	assert_int_equal(opinion_of(&p).unseen, BRINGUP_LAYER_ECN);
	assert_non_null(strstr(opinion_of(&p).words, "not known: marked packets or CNPs are not counted"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_ceiling_is_that_of_the_mtu),
		cmocka_unit_test(without_a_ceiling_the_rate_is_told_and_not_judged),
		cmocka_unit_test(the_first_false_layer_is_the_answer),
		cmocka_unit_test(a_known_cap_is_named_where_nothing_below_it_is_false),
		cmocka_unit_test(of_what_the_counters_have_not_seen_they_do_not_say_the_class),
		cmocka_unit_test(speed_excuses_nothing),
		cmocka_unit_test(what_no_counter_told_is_named),
		cmocka_unit_test(of_an_incast_it_is_asked_whether_ecn_slows_its_senders),
		cmocka_unit_test(of_an_incast_that_is_not_seen_nothing_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
