/*
 * The tests of a rack: which of its NICs are tested in which class, which are not and why, who sends to whom in which round, and what
 * each flow's result says. Pure: the runner's part is to run a round's commands (remote/runner/runner.h).
 */
#ifndef CORE_BRINGUP_TEST_PLAN_H
#define CORE_BRINGUP_TEST_PLAN_H

#include "core/bringup/rack.h"
#include "core/bringup/tests.h"

/* A NIC that is tested. */
struct bringup_spot {
	const struct bringup_unit *unit;
	struct bringup_tester tester;
	struct bringup_class class;
};

/* A NIC that is not tested; one without a partner is a spot all the same. */
struct bringup_skip {
	const struct bringup_unit *unit;
	char why[BRINGUP_WORDS];
};

/* A link between switches, one way. */
struct bringup_uplink {
	const struct port *from, *to;
	struct bringup_class class;	/* that the tests of its leaf's first NIC run in */
};

struct bringup_test_plan {
	struct bringup_spot *spots;
	struct bringup_nic *nics;	/* of the same NICs, in the same order */
	struct bringup_skip *skips;
	struct bringup_uplink *uplinks;	/* of the leaves that NICs across which are tested are cabled to; each link both ways */
	size_t n, n_skips, n_uplinks, cap_uplinks;
	struct bringup_schedule schedule;
	struct bringup_load load;
	unsigned run;			/* of its tests (tests.h) */
	bool repeats_failed;		/* what failed in an earlier run is tested again */
	bool is_again;			/* one NIC is tested again, whatever was tested before; no suspects are added */
	const struct inventory *inventory;	/* lent */
};

/*
 * Of a rack as it was read; the plan lends from it and from the model. Skipped: a NIC that fails a stage, that the tools cannot be
 * told of, whose class the policy does not name, or that has no partner.
 */
void bringup_test_plan_make(struct bringup_test_plan *p, const struct bringup_rack *rack, const struct bringup_fabric *f,
			    const struct policy *policy, const struct bringup_wishes *wishes, const struct bringup_load *load);
void bringup_test_plan_done(struct bringup_test_plan *p);
/*
 * Leaves of a plan what loads one NIC, and adds what it failed in before. False, and why: no test of it is planned.
 */
bool bringup_test_plan_again(struct bringup_test_plan *p, const struct bringup_tests *before, const char *host, const char *nic,
			     char why[BRINGUP_WORDS]);
/* Whether a NIC of the plan is in a round of it. */
bool bringup_test_plan_has(const struct bringup_test_plan *p, size_t spot);

/* What it will send, before it does: "5 rounds, about 65 s; 8 NICs, at most 100 Gb/s each; ToS 106, priority 3". */
void bringup_test_plan_words(const struct bringup_test_plan *p, struct buf *out);

/* The same of a link between switches, of what pairs across leaves send over it. */
void bringup_uplink_begin(const struct bringup_test_plan *p, size_t uplink, const struct model *m, struct bringup_evidence *e);

/* What is known of a flow's ends before it runs: the evidence of its test, without a command and its result (tests.h). */
void bringup_flow_begin(const struct bringup_test_plan *p, size_t flow, enum bringup_kind kind, enum bringup_tool tool,
			struct bringup_evidence *e);

#endif
