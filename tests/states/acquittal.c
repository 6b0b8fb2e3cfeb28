/* The network is acquitted only where nothing of it is open and all that the acquittal stands on was read. */
#include "tests/states/exceptions.h"
#include "tests/states/statements.h"

#include "core/judge/judge_context.h"

/* What is of a host or its job: the network may be right beside it. */
static const char of_hosts[] =
	"driver-ready modules-loaded memlock-enough app-memlock-enough app-uses-ib app-uses-all-hcas app-gid-alike app-gpu-direct "
	"app-not-refused app-peer-ready app-quiet app-bandwidth pcie-as-capable vf-as-others rdma-hardware kernel-quiet memory-keeps-up "
	"tcp-ecn-is-tcp qos-kept";

/* Facts of each port that carries RoCE; of a counter: and it stands still. */
static const struct {
	enum field field;
	unsigned index;
	enum side side;
	bool is_still;
} stands_on[] = {
	{ FIELD_TRUST, 0, SIDE_ANY, false },
	{ FIELD_MTU, 0, SIDE_ANY, false },
	{ FIELD_PFC_ON, 3, SIDE_ANY, false },
	{ FIELD_DSCP_PRIO, 26, SIDE_ANY, false },
	{ FIELD_DSCP_PRIO, 48, SIDE_ANY, false },
	{ FIELD_SPEED, 0, SIDE_ANY, false },
	{ FIELD_ECN_ON, 3, SIDE_SWITCH, false },
	{ FIELD_ECN_KMIN, 3, SIDE_SWITCH, false },
	{ FIELD_ECN_NP, 3, SIDE_HOST, false },
	{ FIELD_ECN_RP, 3, SIDE_HOST, false },
	{ FIELD_TOS_CMA, 0, SIDE_HOST, false },
	{ FIELD_OOS, 0, SIDE_HOST, true },
};

static bool is_known(const struct judged_state *j, const struct port *at, enum field f, unsigned index)
{
	const struct port *p = port_source(at, f, index);
	const struct cell *c = port_cell(p, f, index);

	return c && c->value.is == VALUE_KNOWN && !cell_is_stale(j->s.model, c);
}

static void compare_port(const struct judged_state *j, const struct port *p, bool is_switch)
{
	for (size_t i = 0; i < sizeof(stands_on) / sizeof(*stands_on); i++) {
		enum field f = stands_on[i].field;
		double per_s;

		if (stands_on[i].side != SIDE_ANY && (stands_on[i].side == SIDE_SWITCH) != is_switch)
			continue;
		if (!is_known(j, p, f, stands_on[i].index))
			tally_broken("acquittal: without %s of a %s port", field_table[f].name, is_switch ? "switch" : "host");
		else if (stands_on[i].is_still && (!port_rate(j->s.model, port_source(p, f, 0), f, stands_on[i].index, &per_s) || per_s > 0))
			tally_broken("acquittal: while %s moves", field_table[f].name);
	}
}

static void compare_ports(const struct judged_state *j)
{
	for (size_t i = 0; i < model_ports(j->s.model); i++) {
		const struct port *p = model_port(j->s.model, i);
		const struct link *l = links_of_port(&j->s.links, p);
		const struct judge_context *context = findings_scene(j->fresh);

		if (context->ports[i].roce != ROCE_YES)
			continue;
		if (!l || !link_far(l, p))
			tally_broken("acquittal: of a link whose other end is not known");
		compare_port(j, p, context->parties[p->device->id].is_switch);
	}
}

static bool is_of_network(const struct finding *f)
{
	return f->verdict >= VERDICT_LOOK && !span_is_among(span_of(f->check->id), of_hosts);
}

static void compare_findings(const struct judged_state *j, const struct diagnosis *d, const char *of)
{
	for (size_t i = 0; i < j->n_open; i++)
		if (is_of_network(j->open[i]) && diagnosis_touches(d, j->open[i]))
			tally_broken("acquittal: of %s while %s is open", of, j->open[i]->check->id);
		else if (j->open[i]->verdict == VERDICT_UNKNOWN && !span_is_among(span_of(j->open[i]->check->id), of_hosts) &&
			 diagnosis_touches(d, j->open[i]))
			tally_broken("acquittal: of %s while %s is not known", of, j->open[i]->check->id);
}

/* A question about the network: one of its checks is, or it asks who waits for whom. */
static bool is_about_network(const struct tree_question *q)
{
	for (size_t k = 0; q->checks && k < check_count; k++)
		if (span_is_among(span_of(check_table[k].id), q->checks) && !span_is_among(span_of(check_table[k].id), of_hosts))
			return true;
	return !strcmp(q->id, "RING") || !strcmp(q->id, "X15");
}

static bool is_a_limit(const struct acquittal *a, const struct check *check)
{
	for (size_t i = 0; i < a->n_unreported; i++)
		if (a->unreported[i] == check)
			return true;
	return false;
}

/* Of a question that nothing reports a check at least is named as a limit, in the words, too. */
static bool has_limit(const struct acquittal *a, const struct tree_question *q, const char *says)
{
	for (size_t k = 0; q->checks && k < check_count; k++)
		if (span_is_among(span_of(check_table[k].id), q->checks) && is_a_limit(a, &check_table[k]) && strstr(says, check_table[k].id))
			return true;
	return false;
}

/* No question about the network is open beside an acquittal, but for what no system reports; and that is named. */
static void compare_questions(const struct diagnosis *d, const struct acquittal *a, const char *of)
{
	const struct decision_tree *tree = decision_tree_find(NULL);
	struct buf says = { 0 };
	struct asking asked;

	acquittal_words(a, &says);
	for (size_t i = 0; i < tree->n_questions; i++) {
		if (!is_about_network(&tree->questions[i]))
			continue;
		question_ask(&asked, d, &tree->questions[i]);
		if (asked.answer == ANSWER_UNKNOWN)
			tally_broken("acquittal: of %s while question %s is open: %s", of, tree->questions[i].id, asked.missing);
		if (asked.answer == ANSWER_UNREPORTED && !has_limit(a, &tree->questions[i], says.text))
			tally_broken("acquittal: of %s, and question %s is unreported and no limit", of, tree->questions[i].id);
	}
	buf_done(&says);
}

/* A setting that is too old may be another by now, whatever stands for it. */
static void compare_ages(const struct judged_state *j)
{
	for (size_t i = 0; i < model_ports(j->s.model); i++)
		for (size_t f = 0; f < FIELD_COUNT; f++)
			for (unsigned k = 0; field_table[f].kind < KIND_COUNTER && field_table[f].scope == SCOPE_PORT && k < field_table[f].width; k++) {
				const struct cell *c = port_cell(model_port(j->s.model, i), (enum field)f, k);

				if (c && c->value.is == VALUE_KNOWN && !(field_table[f].flags & (FIELD_SHY | FIELD_LEARNED)) &&
				    findings_scene(j->fresh)->ports[i].roce == ROCE_YES && cell_is_stale(j->s.model, c))
					tally_broken("acquittal: while %s is too old", field_table[f].name);
			}
}

static void compare_devices(const struct judged_state *j)
{
	for (size_t i = 0; i < model_devices(j->s.model); i++)
		if (!model_device(j->s.model, i)->heard_us)
			tally_broken("acquittal: while a device was never read");
}

/* Counted are acquittals: where none is ever given nothing is tried. */
void acquittals_are_proven(struct judged_state *j, size_t *n)
{
	const struct device *device = model_device(j->s.model, states_below(&j->s, model_devices(j->s.model)));
	struct diagnosis d = { 0 };
	struct acquittal a = { 0 };

	judged_state_diagnose(j, &d, NULL, NULL);
	acquittal_make(&a, &d);
	if (a.is == ACQUITTAL_NETWORK) {
		++*n;
		compare_findings(j, &d, "all");
		compare_ports(j);
		compare_devices(j);
		compare_questions(&d, &a, "all");
		compare_ages(j);
	}
	if ((a.is == ACQUITTAL_CAUSE) != (d.n_named && !d.suspects[0].cause->of_reading) && a.is != ACQUITTAL_NETWORK)
		tally_broken("acquittal: %s with %s cause", acquittal_name(a.is), d.n_named ? "a" : "no");
	judged_state_diagnose(j, &d, NULL, device);
	acquittal_make(&a, &d);
	if (a.is == ACQUITTAL_NETWORK)
		compare_findings(j, &d, "a device");
	if (a.is == ACQUITTAL_NETWORK)
		compare_questions(&d, &a, "a device");
	acquittal_done(&a);
	diagnosis_done(&d);
}

/* -- with a cell less -- */

/* By which checks a question is open; NULL: by something else. */
static void add_unknown(const struct judged_state *j, struct acquitted *a, const struct tree_question *q)
{
	size_t before = a->n;

	for (size_t k = 0; q->checks && k < check_count && a->n < ACQUITTED_MOST; k++)
		if (span_is_among(span_of(check_table[k].id), q->checks) && judged_state_worst(j, &check_table[k]) == VERDICT_UNKNOWN)
			a->checks[a->n++] = &check_table[k];
	if (a->n == before && a->n < ACQUITTED_MOST)
		a->checks[a->n++] = NULL;
}

void acquittal_of(const struct judged_state *j, struct acquitted *a)
{
	struct diagnosis d = { 0 };
	struct acquittal of = { 0 };

	judged_state_diagnose(j, &d, NULL, NULL);
	acquittal_make(&of, &d);
	*a = (struct acquitted){ .is = of.is };
	for (; a->n_limits < of.n_unreported && a->n_limits < ACQUITTED_MOST; a->n_limits++)
		a->limits[a->n_limits] = of.unreported[a->n_limits];
	for (size_t i = 0; i < of.n_lacks && a->n < ACQUITTED_MOST; i++)
		if (!strcmp(of.lacks[i].key, "loss counters"))
			a->by_counters = true;
		else if (question_find(decision_tree_find(NULL), of.lacks[i].key))
			add_unknown(j, a, question_find(decision_tree_find(NULL), of.lacks[i].key));
		else
			a->checks[a->n++] = check_find(of.lacks[i].key);
	for (size_t i = 0; i < j->n_open && a->n < ACQUITTED_MOST; i++)
		if (is_of_network(j->open[i]))
			a->checks[a->n++] = j->open[i]->check;
	acquittal_done(&of);
	diagnosis_done(&d);
}

/* SONiC has no setting of 802.3x pause: none is missed where it reports none. */
static bool is_of_sonic(const struct evidence *cell)
{
	const char *platform = cell->port ? device_text(cell->port->device, FIELD_PLATFORM) : NULL;

	return platform && !strcmp(platform, "sonic") && (cell->field == FIELD_PAUSE_RX || cell->field == FIELD_PAUSE_TX);
}

/*
 * Each check that stood in the way may be right without that cell, by a row of exceptions.c; or is asked only where a system
 * reports what it judges by, and is named as a limit of the acquittal then.
 */
static bool is_limit_then(const struct acquitted *after, const struct check *check)
{
	for (size_t i = 0; i < after->n_limits; i++)
		if (after->limits[i] == check)
			return true;
	return span_is_among(span_of(check->id), of_hosts);
}

/* What LLDP of one end says: the other end's may tell another, and compare_ports() has each link whole. */
static bool is_of_neighbor(const struct evidence *cell)
{
	return cell->field == FIELD_PEER_NAME || cell->field == FIELD_PEER_PORT || cell->field == FIELD_PEER_MAC;
}

static bool is_excused(const struct judged_state *j, const struct acquitted *before, const struct acquitted *after,
		       const struct evidence *cell, enum taken how)
{
	bool is_counter = field_table[cell->field].kind == KIND_COUNTER;

	if (is_of_neighbor(cell))
		return true;
	if (before->n == ACQUITTED_MOST || (before->by_counters && (how != TAKEN_ABSENT || !is_counter)))
		return false;	/* no port counts all signs of loss: those that are needed are needed by a check */
	for (size_t i = 0; i < before->n; i++)
		if (!before->checks[i] || (!is_of_sonic(cell) && (how != TAKEN_ABSENT || !is_limit_then(after, before->checks[i])) &&
					   !exceptions_allow_better(j, before->checks[i], cell, how, CLASS_BAD)))
			return false;
	return true;
}

void acquittal_compare(const struct judged_state *j, const struct acquitted *before, const struct acquitted *after,
		       const struct evidence *cell, enum taken how)
{
	if (after->is == ACQUITTAL_NETWORK && before->is != ACQUITTAL_NETWORK && !is_excused(j, before, after, cell, how))
		tally_broken("acquittal: from %s without %s%s (before: %s)", acquittal_name(before->is), field_table[cell->field].name,
			     how == TAKEN_UNKNOWN ? " (unknown)" : "", before->n && before->checks[0] ? before->checks[0]->id : "-");
}
