/* What is found becomes a cause with its evidence, and the tree answers itself; what is not known stays so. */
#include <stdio.h>
#include <stdlib.h>

#include "core/diagnose/diagnosis.h"
#include "tests/lib/world.h"
#include "tui/text/sheet.h"
#include "tui/views/diagnosis_document.h"

/* A world and what is diagnosed of it. */
struct story {
	struct world world;
	struct diagnosis diagnosis;
	struct given_answer answers[8];
	size_t n_answers;
};

static void begin(struct story *s)
{
	*s = (struct story){ .n_answers = 0 };
	world_init(&s->world);
}

static void end(struct story *s)
{
	diagnosis_done(&s->diagnosis);
	world_done(&s->world);
}

static const struct diagnosis *diagnose_at(struct story *s, const char *tree, const char *symptom, const char *device, const char *port)
{
	const struct decision_tree *t = decision_tree_find(tree);
	struct diagnosis_of of = { .model = s->world.model, .links = &s->world.links, .findings = s->world.findings,
				   .policy = s->world.policy, .inventory = &s->world.inventory, .tree = t,
				   .symptom = symptom ? symptom_find(t, symptom) : NULL, .said = s->answers, .n_said = s->n_answers };

	if (device)
		of.device = model_find_device(s->world.model, device);
	if (port)
		of.port = model_find_port(s->world.model, device, port);
	diagnosis_make(&s->diagnosis, &of);
	return &s->diagnosis;
}

static const struct diagnosis *diagnose(struct story *s, const char *tree, const char *symptom)
{
	return diagnose_at(s, tree, symptom, NULL, NULL);
}

static void say(struct story *s, const char *tree, const char *answer)
{
	struct err err;

	if (!given_answer_read(decision_tree_find(tree), answer, &s->answers[s->n_answers++], &err))
		fail_msg("%s", err.text);
}

static const struct suspect *suspect(const struct diagnosis *d, const char *cause)
{
	for (size_t i = 0; i < d->n_named; i++)
		if (strcmp(d->suspects[i].cause->id, cause) == 0)
			return &d->suspects[i];
	return NULL;
}

static bool is_possible(const struct diagnosis *d, const char *cause)
{
	for (size_t i = d->n_named; i < d->n_suspects; i++)
		if (!strcmp(d->suspects[i].cause->id, cause) && d->suspects[i].notes[0].is == NOTE_MISSING)
			return true;
	return false;
}

static void assert_first(const struct diagnosis *d, const char *cause, const char *where)
{
	if (!d->n_named)
		fail_msg("nothing is named, not %s", cause);
	assert_string_equal(d->suspects[0].cause->id, cause);
	assert_string_equal(d->suspects[0].where, where);
}

static void assert_leaf(const struct diagnosis *d, const char *leaf)
{
	if (!d->leaf || strcmp(d->leaf->id, leaf) != 0)
		fail_msg("the way ends in %s, not in %s", d->leaf ? d->leaf->id : "nothing", leaf);
}

static enum tree_answer answered(const struct diagnosis *d, const char *question)
{
	const struct step *s = diagnosis_step(d, question);

	if (!s)
		fail_msg("%s was not asked", question);
	return s->answer;
}

static void a_wrong_setting_is_named_with_the_fact_that_shows_it(void **state)
{
	struct story s;
	const struct diagnosis *d;
	const struct note *n;

	(void)state;
	begin(&s);
	world_set(&s.world, "node1 eth2 trust = pcp");
	world_run(&s.world, 5);
	d = diagnose(&s, NULL, "slow");
	assert_first(d, "trust-wrong", "node1:eth2");
	assert_leaf(d, "FIX5");
	n = &d->suspects[0].notes[0];
	assert_int_equal(n->is, NOTE_FOR);
	assert_string_equal(n->finding->check->id, "trust-as-wanted");
	assert_int_equal(n->evidence[0].field, FIELD_TRUST);
	assert_true(d->suspects[0].explains > 0);
	end(&s);
}

/* "A cause is named: a slow receiver" stood on a stall that was over, beside "less than 10 % at all ports". */
static void what_is_right_again_names_no_cause(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	world_set(&s.world, "node1 eth2 pci.stall = 60");
	world_run(&s.world, 5);
	assert_non_null(suspect(diagnose(&s, NULL, "slow"), "slow-receiver"));
	world_set(&s.world, "node1 eth2 pci.stall = 0");
	world_run(&s.world, 1);
	assert_non_null(suspect(diagnose(&s, NULL, "slow"), "slow-receiver"));	/* a stall that comes and goes is not over yet */
	world_run(&s.world, 12);
	assert_true(world_finding(&s.world, "memory-keeps-up", "node1:eth2")->is_settling);
	diagnose(&s, NULL, "slow");
	assert_null(suspect(&s.diagnosis, "slow-receiver"));
	assert_int_equal(s.diagnosis.n_suspects, 1);	/* it is listed all the same */
	assert_int_equal(answered(&s.diagnosis, "X8"), ANSWER_YES);
	end(&s);
}

/* "Is every cable where the plan has it? yes", of a fabric without a plan. */
static void without_a_cable_plan_no_cable_is_where_it_is_planned(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	world_run(&s.world, 5);
	assert_int_equal(answered(diagnose(&s, NULL, "slow"), "WIRED"), ANSWER_NA);
	end(&s);
}

/* Settings are asked about first; the way leads to what is the matter most of all. */
static void the_verdict_is_about_the_likeliest_cause(void **state)
{
	static const struct {
		const char *facts[6], *cause, *where, *leaf;
	} rows[] = {
		{ { "node1 eth3 pfc.tx_us[3] = 1000000", "node1 eth3 rx.packets[3] = 0", "leaf2 Ethernet4 pfc.rx[3] = 4000",
		    "leaf1 ethernet1/1/1 ecn.on[3] = no" }, "pause-storm", "node1:eth3", "STORM" },
		/* some packets of many come in, which speaks against it; and the other link waits, too */
		{ { "node1 eth3 pfc.tx_us[3] = 990000", "node1 eth3 rx.packets[3] = 9000", "leaf2 Ethernet4 pfc.rx[3] = 4000",
		    "leaf1 ethernet1/1/1 ecn.on[3] = no", "node1 eth2 pfc.rx_us[3] = 900000" }, "pause-storm", "node1:eth3", "STORM" },
		{ { "leaf1 ethernet1/1/1 ecn.on[3] = no" }, "ecn-off", "leaf1:ethernet1/1/1", "MARK" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct diagnosis *d;
		struct story s;

		begin(&s);
		for (size_t k = 0; k < 6 && rows[i].facts[k]; k++)
			world_set(&s.world, rows[i].facts[k]);
		world_run(&s.world, 15);
		d = diagnose(&s, NULL, "slow");
		assert_first(d, rows[i].cause, rows[i].where);
		assert_leaf(d, rows[i].leaf);
		assert_int_equal(answered(d, "ECN"), ANSWER_NO);
		assert_int_equal(diagnosis_step(d, "ECN")->is_passed, strcmp(rows[i].leaf, "MARK") != 0);
		end(&s);
	}
}

#define KERNEL	"node1 kernel.cause = \"link-down\""
#define WENT_DOWN(port) "node1 kernel.trouble = \"a link went down (mlx5_core 0000:1a:00.0 " port ": Link down)\""
#define APP	"node1 app.trouble = \"link-down\""
#define PORT_ERROR(port) "node1 app.warning = \"the log reports a port error of " port "\""

/* What a log says of a link is of an earlier time: it speaks for the port that it names, and where that is not known to be up now. */
static void a_log_speaks_for_the_port_that_it_names_unless_its_link_is_up_now(void **state)
{
	static const struct {
		const char *facts[4];
		size_t causes;
		const char *where;	/* of the first */
	} rows[] = {
		{ { "node1 eth2 up = no", KERNEL, WENT_DOWN("eth2") }, 1, "node1:eth2" },
		{ { "node1 eth2 up = no", KERNEL, WENT_DOWN("eth3") }, 1, "node1:eth2" },	/* eth3 is up */
		{ { "node1 eth2 up = yes", KERNEL, WENT_DOWN("eth2") }, 0, NULL },
		{ { "node1 eth2 up = unknown \"not read\"", KERNEL, WENT_DOWN("eth2") }, 1, "node1" },
		{ { "node1 mgmt0 up = no", KERNEL, WENT_DOWN("mgmt0") }, 0, NULL },		/* carries no RoCE */
		{ { KERNEL, WENT_DOWN("eth9") }, 0, NULL },					/* is no interface that is known */
		{ { "node1 eth3 rdma = \"mlx5_1\"", APP, PORT_ERROR("mlx5_1:1") }, 0, NULL },
		{ { "node1 eth3 rdma = \"mlx5_1\"", "node1 eth3 up = no", APP, PORT_ERROR("mlx5_1:1") }, 1, "node1:eth3" },
		{ { "node1 eth3 rdma = \"mlx5_1\"", "node1 eth2 up = no", APP, PORT_ERROR("mlx5_1:1") }, 1, "node1:eth2" },
		{ { APP, "node1 app.warning = \"the log reports a port error\"" }, 0, NULL },	/* every port of the host is up */
		{ { "node1 eth2 up = unknown \"not read\"", APP, "node1 app.warning = \"the log reports a port error\"" }, 1, "node1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct diagnosis *d;
		struct story s;

		begin(&s);
		for (size_t k = 0; k < 4 && rows[i].facts[k]; k++)
			world_set(&s.world, rows[i].facts[k]);
		world_run(&s.world, 3);
		d = diagnose(&s, NULL, "down");
		if (d->n_named != rows[i].causes)
			fail_msg("row %zu: %zu causes, the first %s at %s", i, d->n_named, d->suspects[0].cause->id, d->suspects[0].where);
		if (rows[i].where)
			assert_first(d, "link-down", rows[i].where);
		end(&s);
	}
}

/* The kernel's line about PCIe names the interface where its log tells it: one without RoCE slows no job. */
static void a_slow_pcie_link_of_an_interface_without_roce_is_no_cause(void **state)
{
	static const char *const ports[] = { "eth2", "mgmt0" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const struct diagnosis *d;
		struct story s;
		char line[128];

		begin(&s);
		snprintf(line, sizeof(line), "node1 kernel.trouble = \"%s: the NIC's PCIe link is below its capability (x)\"", ports[i]);
		world_set(&s.world, "node1 mgmt0 up = yes");
		world_set(&s.world, "node1 kernel.cause = \"pcie-degraded\"");
		world_set(&s.world, line);
		world_run(&s.world, 3);
		d = diagnose(&s, NULL, "slow");
		assert_int_equal(d->n_named, 1 - i);
		end(&s);
	}
}

/* One setting of a bond's member is wrong: that is its cause, and not that nobody ever set the member up. */
static void a_member_with_one_wrong_setting_was_set_up(void **state)
{
	const struct diagnosis *d;
	struct story s;

	(void)state;
	begin(&s);
	world_set_lines(&s.world, "node1 bond0 role = bond\nnode1 eth2 role = member\nnode1 eth3 role = member\n"
				  "node1 eth2 bond = \"bond0\"\nnode1 eth3 bond = \"bond0\"\nnode1 eth2 cnp.dscp = 0\n");
	world_run(&s.world, 3);
	d = diagnose(&s, NULL, "slow");
	assert_first(d, "cnp-marked-wrong", "node1:eth2");
	world_set(&s.world, "node1 eth2 trust = pcp");
	world_run(&s.world, 3);
	assert_first(diagnose(&s, NULL, "slow"), "bond-member-unset", "node1:eth2");
	end(&s);
}

/* The limit of our own login was read, and is of no use to the jobs' check: that nothing was read is not said. */
static void what_could_not_be_judged_is_not_called_unread(void **state)
{
	const struct diagnosis *d;
	struct story s;

	(void)state;
	begin(&s);
	world_set(&s.world, "node1 app.memlock = 18446744073709551615");
	world_set(&s.world, "node1 memlock = 8388608");
	world_set(&s.world, "node2 memlock = 8388608");
	world_run(&s.world, 3);
	d = diagnose(&s, NULL, "slow");
	assert_int_equal(answered(d, "X4"), ANSWER_UNREPORTED);
	assert_non_null(strstr(diagnosis_step(d, "X4")->asked.missing, "could not be judged on any device; the rest passes at"));
	for (size_t i = 0; i < d->n_steps; i++)
		assert_null(strstr(d->steps[i].asked.missing, "nothing that was read"));
	end(&s);
}

/* One answer that nobody could read, and a setting that is known to be wrong: the setting is the cause, whatever it weighs. */
static void what_cannot_be_read_is_no_cause_above_what_is_known(void **state)
{
	const struct diagnosis *d;
	struct story s;
	struct obs o;

	(void)state;
	begin(&s);
	world_set(&s.world, "leaf1 ethernet1/1/1 ecn.kmin[3] = 5 KB");
	world_run(&s.world, 3);
	obs_init(&o, "node2", "lldp");
	o.at_us = s.world.now_us;
	o.period_us = 30 * SECOND;
	o.rank = 10;
	o.raw = SPAN("\001\002");
	model_apply(s.world.model, &o);
	obs_done(&o);
	world_run(&s.world, 2);
	d = diagnose(&s, NULL, NULL);
	assert_first(d, "ecn-early", "leaf1:ethernet1/1/1");
	assert_non_null(suspect(d, "garbled-answers"));
	end(&s);
}

/* It answered: neither the path nor any setting on it has a part in that it took no more. */
static void a_peer_that_posted_no_receive_is_no_fault_of_the_fabric(void **state)
{
	const struct diagnosis *d;
	struct story s;

	(void)state;
	begin(&s);
	world_set(&s.world, "node1 app.status = 13");
	world_set(&s.world, "leaf2 Ethernet4 trust = pcp");
	world_run(&s.world, 5);
	assert_null(world_finding(&s.world, "app-not-timed-out", "node1"));
	assert_non_null(world_finding(&s.world, "app-peer-ready", "node1"));
	assert_null(world_finding(&s.world, "app-peer-ready", "node1")->cause);
	d = diagnose(&s, NULL, "errors");
	assert_non_null(suspect(d, "peer-not-ready"));
	assert_null(suspect(d, "slow-receiver"));
	end(&s);
}

/* A way that ends in "healthy" or "nothing is found wrong" beside a finding says what is not so. */
static void no_finding_is_passed_by(void **state)
{
	static const struct {
		const char *fact, *check, *leaf;
	} rows[] = {
		{ "node1 app.memlock = 65536", "app-memlock-enough", "MEMLOCK" },
		{ "node1 app.status = 11", "app-not-refused", "ENDS" },
		{ "node1 app.warning = \"a warning\"", "app-quiet", "FOUND" },	/* no question is about it */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct story s;

		begin(&s);
		world_set(&s.world, "node1 app.procs = 1");
		world_set(&s.world, rows[i].fact);
		world_run(&s.world, 5);
		if (!world_finding(&s.world, rows[i].check, "node1"))
			fail_msg("%s: no finding of %s", rows[i].fact, rows[i].check);
		assert_leaf(diagnose(&s, NULL, "slow"), rows[i].leaf);
		end(&s);
	}
}

static void what_is_not_there_is_not_right(void **state)
{
	struct story s;
	const struct diagnosis *d;

	(void)state;
	begin(&s);
	world_run(&s.world, 5);
	d = diagnose(&s, NULL, "slow");
	assert_int_equal(answered(d, "X20"), ANSWER_NA);	/* no bond */
	assert_int_equal(answered(d, "X5"), ANSWER_NA);		/* no virtual function */
	assert_int_equal(answered(d, "X10"), ANSWER_YES);
	end(&s);
}

/* "Are DCQCN's rates near their defaults? yes" was said of NICs that tell none. */
static void what_no_place_tells_of_is_neither_right_nor_absent(void **state)
{
	static const char *const ports[] = { "eth2", "eth3" }, *const rates[] = { "cc.rpg_ai_rate", "cc.rpg_hai_rate", "cc.rpg_min_rate" };
	struct story s;

	(void)state;
	begin(&s);
	for (size_t i = 0; i < 6; i++) {
		char what[64];

		snprintf(what, sizeof(what), "node1 %s %s", ports[i % 2], rates[i / 2]);
		world_drop(&s.world, what);
	}
	world_run(&s.world, 5);
	assert_int_equal(answered(diagnose(&s, NULL, "slow"), "DCQCN"), ANSWER_UNREPORTED);
	end(&s);
}

/* "Are lossless packets kept? yes, right at all 3 places" was the answer while the fourth dropped them, because of the trust. */
static void what_follows_from_another_fault_is_not_called_right(void **state)
{
	struct story s;
	const struct diagnosis *d;
	const struct step *step;

	(void)state;
	begin(&s);
	world_set(&s.world, "node1 eth2 trust = pcp");
	world_set(&s.world, "leaf1 ethernet1/1/1 tx.drop[3] = 5");
	world_run(&s.world, 15);
	assert_non_null(world_finding(&s.world, "lossless-kept", "leaf1")->cause);
	say(&s, NULL, "Q6=yes");
	d = diagnose(&s, NULL, "slow");
	assert_int_equal(answered(d, "X16"), ANSWER_NO);
	step = diagnosis_step(d, "X16");
	assert_string_equal(step->next, "X17");		/* it is no end of the way, */
	assert_non_null(strstr(step->asked.what, "follows from trust-as-wanted at node1:eth2"));
	assert_null(suspect(d, "headroom-small"));	/* and no cause */
	end(&s);
}

static void a_question_is_not_answered_for_places_that_could_not_be_read(void **state)
{
	struct story s;
	const struct step *step;

	(void)state;
	begin(&s);
	world_set(&s.world, "node1 eth3 pcie.width = unknown \"not root\"");
	world_run(&s.world, 5);
	step = diagnosis_step(diagnose(&s, NULL, "slow"), "X7");
	assert_int_equal(step->answer, ANSWER_UNKNOWN);
	assert_non_null(strstr(step->asked.missing, "node1 eth3 pcie.width: not root"));
	end(&s);
}

/* "No port is a virtual function", "of 5 values none is far above its default": not while one could not be read. */
static void all_and_none_are_not_said_of_what_could_not_be_read(void **state)
{
	static const struct {
		const char *question, *told, *unread;
		enum tree_answer right;
	} rows[] = {
		{ "DCQCN", "node1 eth2 cc.rpg_ai_rate = 5", "node1 eth3 cc.rpg_ai_rate", ANSWER_YES },
		{ "ISCSI", "node1 eth2 dscp.prio[4] = 0", "node1 eth3 dscp.prio[4]", ANSWER_YES },
		{ "X5", "node1 eth2 role = pf", "node1 eth3 role", ANSWER_NA },
		{ "FEC", "node1 eth2 fec = \"RS\"", "node1 eth3 fec", ANSWER_YES },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char fact[96];
		struct asking a;
		struct story s;

		begin(&s);
		world_set(&s.world, rows[i].told);
		world_set(&s.world, "leaf1 ethernet1/1/1 fec = \"RS\"");
		world_set(&s.world, "leaf2 Ethernet4 fec = \"rs\"");
		world_run(&s.world, 3);
		question_ask(&a, diagnose(&s, NULL, "slow"), question_find(decision_tree_find(NULL), rows[i].question));
		if (a.answer != rows[i].right)
			fail_msg("%s is answered %s", rows[i].question, answer_word(a.answer));
		snprintf(fact, sizeof(fact), "%s = unknown \"not root\"", rows[i].unread);
		world_set(&s.world, fact);
		world_run(&s.world, 3);
		question_ask(&a, diagnose(&s, NULL, "slow"), question_find(decision_tree_find(NULL), rows[i].question));
		if (a.answer != ANSWER_UNKNOWN || !strstr(a.missing, "not root"))
			fail_msg("%s is answered %s (%s) without %s", rows[i].question, answer_word(a.answer), a.missing, rows[i].unread);
		end(&s);
	}
}

/* The way of those who feel nothing is short: it passes most questions by, and "healthy" is said of them all. */
static void a_stack_is_healthy_only_where_the_questions_beside_the_way_are_answered_too(void **state)
{
	struct story s;

	(void)state;
	begin(&s);
	world_set(&s.world, "leaf1 ethernet1/1/1 ecn.kmin[3] = unknown \"not root\"");
	world_run(&s.world, 3);
	diagnose(&s, NULL, "none");
	assert_leaf(&s.diagnosis, "OPEN");
	assert_int_equal(answered(&s.diagnosis, "KNOWN"), ANSWER_NO);
	assert_non_null(strstr(diagnosis_step(&s.diagnosis, "KNOWN")->asked.what, "off it"));
	end(&s);
}

/* Without ethtool nobody knows whether link pause took the place of PFC; that PFC is off is known all the same. */
static void pfc_that_is_off_is_named_where_link_pause_is_not_known(void **state)
{
	const struct diagnosis *d;
	struct story s;
	int score;

	(void)state;
	begin(&s);
	world_set(&s.world, "node1 eth2 pfc.on[3] = no");
	world_run(&s.world, 5);
	d = diagnose(&s, NULL, NULL);
	assert_first(d, "pfc-off", "node1:eth2");
	score = d->suspects[0].score;
	world_set(&s.world, "node1 eth2 pause.rx = unknown \"ethtool is not installed\"");
	world_set(&s.world, "node1 eth2 pause.tx = unknown \"ethtool is not installed\"");
	world_run(&s.world, 5);
	d = diagnose(&s, NULL, NULL);
	assert_first(d, "pfc-off", "node1:eth2");
	assert_true(d->suspects[0].score < score);
	end(&s);
}

static void two_wrong_settings_are_both_named(void **state)
{
	struct story s;
	const struct diagnosis *d;

	(void)state;
	begin(&s);
	world_set(&s.world, "node1 eth2 ecn.np[3] = no");
	world_set(&s.world, "leaf2 Ethernet4 ecn.on[3] = no");
	world_run(&s.world, 5);
	d = diagnose(&s, NULL, NULL);
	assert_non_null(suspect(d, "np-off"));
	assert_string_equal(suspect(d, "ecn-off")->where, "leaf2:Ethernet4");
	end(&s);
}

static void a_healthy_fabric_has_no_cause_and_what_nobody_told_is_not_healthy(void **state)
{
	struct story s;
	const struct diagnosis *d;

	(void)state;
	begin(&s);
	world_drop(&s.world, "node1 app.net");
	world_run(&s.world, 12);
	d = diagnose(&s, NULL, "none");
	if (d->n_named)
		fail_msg("%s at %s: %s", d->suspects[0].cause->id, d->suspects[0].where, d->suspects[0].notes[0].text);
	assert_leaf(d, "OPEN");		/* no log of an application was read */
	assert_int_equal(answered(d, "Q1"), ANSWER_UNREPORTED);
	assert_int_equal(answered(d, "QUIET"), ANSWER_YES);
	end(&s);
}

static void switch_9216_with_host_9000_is_right_and_tcp_ecn_is_no_cause(void **state)
{
	struct story s;
	const struct diagnosis *d;

	(void)state;
	begin(&s);
	world_set(&s.world, "node1 tcp_ecn = 0");
	world_run(&s.world, 12);
	d = diagnose(&s, NULL, "slow");
	assert_int_equal(d->n_named, 0);
	assert_int_equal(answered(d, "X9"), ANSWER_YES);
	world_set(&s.world, "leaf1 ethernet1/1/1 mtu = 1500");
	world_run(&s.world, 5);
	d = diagnose(&s, NULL, "slow");
	assert_first(d, "mtu-mismatch", "node1:eth2");
	assert_leaf(d, "MTU");
	end(&s);
}

static void pause_without_ecn_is_not_blamed_on_its_thresholds(void **state)
{
	struct story s;
	const struct diagnosis *d;

	(void)state;
	begin(&s);
	world_set(&s.world, "leaf2 Ethernet4 ecn.on[3] = no");
	world_set(&s.world, "leaf2 Ethernet4 ecn.marked[3] = 0");
	world_set(&s.world, "node1 eth2 pfc.rx_us[3] = 200000");
	world_run(&s.world, 12);
	d = diagnose(&s, "seed", "slow");
	assert_leaf(d, "FIX4");		/* the seed takes ECN to be on */
	d = diagnose(&s, NULL, "slow");
	assert_first(d, "ecn-off", "leaf2:Ethernet4");
	assert_null(suspect(d, "ecn-late"));
	assert_leaf(d, "MARK");
	end(&s);
}

static void pause_that_a_host_sends_is_told_from_pause_that_it_receives(void **state)
{
	struct story s;
	const struct diagnosis *d;

	(void)state;
	begin(&s);
	world_set(&s.world, "node1 eth2 pfc.tx_us[3] = 300000");
	world_set(&s.world, "node1 eth2 pfc.tx[3] = 5000");
	world_set(&s.world, "leaf1 ethernet1/1/1 pfc.rx[3] = 5000");
	world_run(&s.world, 12);
	d = diagnose(&s, NULL, "slow");
	assert_first(d, "slow-receiver", "node1:eth2");
	assert_leaf(d, "SLOWRX");
	end(&s);
	begin(&s);
	world_set(&s.world, "node1 eth2 pfc.rx_us[3] = 300000");
	world_set(&s.world, "node1 eth2 pfc.rx[3] = 5000");
	world_set(&s.world, "leaf1 ethernet1/1/1 pfc.tx[3] = 5000");
	world_run(&s.world, 12);
	d = diagnose(&s, NULL, "slow");
	assert_null(suspect(d, "slow-receiver"));
	assert_int_equal(answered(d, "X12"), ANSWER_NO);
	end(&s);
}

static void what_nobody_tells_is_neither_for_nor_against(void **state)
{
	struct story s;
	const struct diagnosis *d;

	(void)state;
	begin(&s);
	world_drop(&s.world, "leaf2 Ethernet4 ecn.on[3]");
	world_set(&s.world, "node1 eth3 pfc.rx_us[3] = 200000");
	world_run(&s.world, 12);
	d = diagnose(&s, NULL, "slow");
	assert_int_equal(answered(d, "ECN"), ANSWER_UNKNOWN);
	assert_null(suspect(d, "ecn-off"));
	assert_null(suspect(d, "ecn-late"));
	assert_true(is_possible(d, "ecn-off"));		/* listed with what lacks, and not named */
	end(&s);
}

/* The seed's own symptoms, and the leaves that it leads to. */
static void the_seeds_symptoms_lead_to_the_seeds_leaves(void **state)
{
	static const struct {
		const char *fact, *symptom, *answers, *leaf;
	} ways[] = {
		{ "node1 modules = \"mlx5_core\"", "tcp", "Q2=no", "FIX1" },
		{ NULL, "tcp", "Q3=no", "FIX2" },
		{ NULL, "tcp", "Q3=yes", "FIX3" },
		{ "node1 eth2 pfc.rx_us[3] = 200000", "slow", NULL, "FIX4" },
		{ "leaf1 ethernet1/1/1 trust = pcp", "slow", "Q5=no", "FIX5" },
		{ NULL, "slow", "Q5=no", "FIX6" },
		{ NULL, "none", NULL, "OK" },
		{ NULL, NULL, NULL, "OK" },		/* a bandwidth test says so */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		struct story s;

		begin(&s);
		if (ways[i].fact)
			world_set(&s.world, ways[i].fact);
		if (ways[i].answers)
			say(&s, "seed", ways[i].answers);
		world_run(&s.world, 12);
		assert_leaf(diagnose(&s, "seed", ways[i].symptom), ways[i].leaf);
		end(&s);
	}
}

static void a_person_answers_in_the_place_of_the_evidence_and_takes_it_back(void **state)
{
	struct story s;
	const struct diagnosis *d;

	(void)state;
	begin(&s);
	world_run(&s.world, 12);
	say(&s, NULL, "Q6=no");
	d = diagnose(&s, NULL, "slow");
	assert_leaf(d, "FIX5");
	assert_string_equal(diagnosis_step(d, "Q6")->by, "person");
	assert_int_equal(diagnosis_step(d, "Q6")->asked.answer, ANSWER_YES);	/* what the evidence says stays to be seen */
	s.n_answers = 0;
	d = diagnose(&s, NULL, "slow");
	assert_string_equal(diagnosis_step(d, "Q6")->by, "evidence");
	assert_leaf(d, "OPEN");
	end(&s);
}

static void an_answer_that_makes_no_sense_is_refused(void **state)
{
	static const char *const wrong[] = { "", "Q1", "Q1=", "Q1=perhaps", "=yes", "NOSUCH=yes", "Q1=yes=no" };
	struct given_answer answer;
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_false(given_answer_read(decision_tree_find(NULL), wrong[i], &answer, &err));
}

static void asked_about_one_device_others_are_left_out(void **state)
{
	struct story s;
	const struct diagnosis *d;

	(void)state;
	begin(&s);
	world_set(&s.world, "node1 eth2 trust = pcp");
	world_set(&s.world, "leaf2 Ethernet4 ecn.on[3] = no");
	world_run(&s.world, 5);
	d = diagnose_at(&s, NULL, NULL, "leaf2", NULL);
	assert_non_null(suspect(d, "ecn-off"));
	assert_null(suspect(d, "trust-wrong"));
	d = diagnose_at(&s, NULL, NULL, "node1", "eth2");
	assert_null(suspect(d, "ecn-off"));
	assert_first(d, "trust-wrong", "node1:eth2");
	end(&s);
}

static char *document(struct story *s)
{
	struct buf text = { 0 };
	json_t *doc = diagnosis_json(diagnose(s, NULL, "slow"));

	json_add(doc, JSON_INDENT(1), &text);
	diagnosis_text(doc, true, true, &text);
	json_decref(doc);
	return text.text;
}

static void the_same_facts_give_the_same_verdict_byte_for_byte(void **state)
{
	char *documents[2];

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct story s;

		begin(&s);
		for (unsigned k = 3; k < 12; k++) {
			char name[16];

			snprintf(name, sizeof(name), "node%u", k);
			world_link(&s.world, name, 2, "leaf1", name);
		}
		world_set(&s.world, "node5 eth2 trust = pcp");
		world_set(&s.world, "node7 eth2 ecn.rp[3] = no");
		world_set(&s.world, "node7 eth2 pfc.rx_us[3] = 200000");
		world_run(&s.world, 12);
		documents[i] = document(&s);
		end(&s);
	}
	assert_string_equal(documents[0], documents[1]);
	free(documents[0]);
	free(documents[1]);
}

static void text_of_devices_cannot_leave_its_place(void **state)
{
	struct buf text = { 0 };
	struct story s;
	json_t *doc;

	(void)state;
	begin(&s);
	world_set(&s.world, "node1 eth2 rdma.soft = yes");
	world_set(&s.world, "node1 eth2 rdma = \"mlx5`\x1b[2J|<b>\"");
	world_run(&s.world, 5);
	doc = diagnosis_json(diagnose(&s, NULL, NULL));
	diagnosis_text(doc, true, true, &text);
	assert_null(strchr(text.text, '\x1b'));
	assert_null(strstr(text.text, "mlx5`"));
	json_decref(doc);
	buf_done(&text);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wrong_setting_is_named_with_the_fact_that_shows_it),
		cmocka_unit_test(what_is_right_again_names_no_cause),
		cmocka_unit_test(without_a_cable_plan_no_cable_is_where_it_is_planned),
		cmocka_unit_test(the_verdict_is_about_the_likeliest_cause),
		cmocka_unit_test(a_peer_that_posted_no_receive_is_no_fault_of_the_fabric),
		cmocka_unit_test(no_finding_is_passed_by),
		cmocka_unit_test(what_is_not_there_is_not_right),
		cmocka_unit_test(what_no_place_tells_of_is_neither_right_nor_absent),
		cmocka_unit_test(what_follows_from_another_fault_is_not_called_right),
		cmocka_unit_test(a_question_is_not_answered_for_places_that_could_not_be_read),
		cmocka_unit_test(all_and_none_are_not_said_of_what_could_not_be_read),
		cmocka_unit_test(a_stack_is_healthy_only_where_the_questions_beside_the_way_are_answered_too),
		cmocka_unit_test(pfc_that_is_off_is_named_where_link_pause_is_not_known),
		cmocka_unit_test(two_wrong_settings_are_both_named),
		cmocka_unit_test(a_log_speaks_for_the_port_that_it_names_unless_its_link_is_up_now),
		cmocka_unit_test(a_slow_pcie_link_of_an_interface_without_roce_is_no_cause),
		cmocka_unit_test(a_member_with_one_wrong_setting_was_set_up),
		cmocka_unit_test(what_could_not_be_judged_is_not_called_unread),
		cmocka_unit_test(what_cannot_be_read_is_no_cause_above_what_is_known),
		cmocka_unit_test(a_healthy_fabric_has_no_cause_and_what_nobody_told_is_not_healthy),
		cmocka_unit_test(switch_9216_with_host_9000_is_right_and_tcp_ecn_is_no_cause),
		cmocka_unit_test(pause_without_ecn_is_not_blamed_on_its_thresholds),
		cmocka_unit_test(pause_that_a_host_sends_is_told_from_pause_that_it_receives),
		cmocka_unit_test(what_nobody_tells_is_neither_for_nor_against),
		cmocka_unit_test(the_seeds_symptoms_lead_to_the_seeds_leaves),
		cmocka_unit_test(a_person_answers_in_the_place_of_the_evidence_and_takes_it_back),
		cmocka_unit_test(an_answer_that_makes_no_sense_is_refused),
		cmocka_unit_test(asked_about_one_device_others_are_left_out),
		cmocka_unit_test(the_same_facts_give_the_same_verdict_byte_for_byte),
		cmocka_unit_test(text_of_devices_cannot_leave_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
