#include "core/diagnose/proof.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/application/application.h"
#include "core/judge/checks.h"

/* What is carried along one path. */
struct proving {
	struct case_of c;
	struct proof_step *s;
	const struct port *from, *to, *at;
	bool is_cnp;
	unsigned data_prio;	/* of the class that is proven: lossless, or where CNPs go to */
	unsigned prio;		/* of what goes along this path */
	uint64_t tos, dscp;	/* as far as a step was true; else what is wanted */
	bool is_tos_unknown;	/* on this path: what is wanted proves nothing of it */
	bool is_wanted;		/* on this path: dscp is what is wanted, and not what was read */
};

static void put(char *to, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void put(char *to, size_t room, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(to, room, format, args);
	va_end(args);
}
#define IN(...)		put(p->s->in, sizeof(p->s->in), __VA_ARGS__)
#define OUT(...)	put(p->s->out, sizeof(p->s->out), __VA_ARGS__)
#define BRIEF(...)	put(p->s->brief, sizeof(p->s->brief), __VA_ARGS__)
#define WHAT(...)	put(p->c.what, sizeof(p->c.what), __VA_ARGS__)
#define N(n)		((unsigned)(n))

static bool is_switch(const struct proving *p)
{
	return ask_is_switch(&p->c, p->at);
}

/* Asks what the checks ask of a port, one after the other, until one is false. */
static void ask_checks(struct proving *p, void (*const *asks)(struct case_of *))
{
	bool is_judged = false;

	for (; *asks; asks++) {
		(*asks)(&p->c);
		if (p->c.verdict >= VERDICT_WARN)
			return;
		is_judged |= p->c.verdict == VERDICT_OK || p->c.verdict == VERDICT_LOOK;
		if (p->c.verdict == VERDICT_NA && is_judged)
			p->c.what[0] = '\0';
	}
	if (ask_lacks(&p->c))
		p->c.verdict = VERDICT_UNKNOWN;
	else if (is_judged)
		p->c.verdict = VERDICT_OK;
}

/* Marking: what leaves the application */

/*
 * In the order in which it is decided: what the driver forces; what NCCL is told, or does by itself, where it is seen; else
 * the default of rdma_cm, which is not NCCL's. False, and the answer, when it is not known.
 */
static bool read_tos(struct proving *p, uint64_t *tos, struct app_tos *app)
{
	if (ask_said(p->at, FIELD_TOS_FORCE, 0)) {
		if (!ask_port(&p->c, p->at, FIELD_TOS_FORCE, 0, tos))
			return false;
		app_tos(p->c.model, p->at, app);
		if (*tos)
			return true;
	}
	if (app_tos(p->c.model, p->at, app)) {
		ask_cite_device(&p->c, p->at->device, app->by == APP_BY_SET ? FIELD_APP_TC : FIELD_APP_TC_SET);
		*tos = app->tos;
		return true;
	}
	if (app->by == APP_BY_UNKNOWN) {
		ask_unknown(&p->c, LACK_REASON, p->at->device, "%.90s", app->words);
		return false;
	}
	snprintf(app->words, sizeof(app->words), "the rdma_cm default (cma_roce_tos); NCCL_IB_TC is not known");
	if (!ask_port(&p->c, p->at, FIELD_TOS_CMA, 0, tos))
		return false;
	if (*tos == 0)
		ask_unknown(&p->c, LACK_ABSENT, p->at->device, "no default ToS is set: what the application sets (NCCL_IB_TC)");
	return *tos != 0;
}

static void prove_tos(struct proving *p)
{
	struct app_tos app;
	uint64_t tos;

	p->is_tos_unknown = !read_tos(p, &tos, &app);
	if (p->is_tos_unknown)
		return;
	OUT("ToS %u", N(tos));
	BRIEF("app %u", N(tos));
	if (tos > 255)
		return ask_no(&p->c, "%llu is not a valid ToS", (unsigned long long)tos);
	p->tos = tos;
	ask_ok(&p->c);
	WHAT("%s", app.words);
}

/* What follows from a ToS that is not known is not known either. */
static bool lacks_tos(struct proving *p)
{
	if (p->is_tos_unknown)
		ask_unknown(&p->c, LACK_ABSENT, p->at->device, "the ToS of the packets");
	return p->is_tos_unknown;
}

/* RoCE v1 has no DSCP, and soft RDMA is not what this port's NIC sends. False, and the answer, where it may be so. */
static bool sends_v2(struct proving *p)
{
	static void (*const asks[])(struct case_of *) = { ask_rdma_hardware, ask_gid_v2, ask_app_gid };

	p->c.port = p->at;
	for (size_t i = 0; i < sizeof(asks) / sizeof(*asks); i++) {
		asks[i](&p->c);
		if (p->c.verdict >= VERDICT_WARN || p->c.verdict == VERDICT_UNKNOWN)
			return false;
	}
	p->c.what[0] = '\0';
	return true;
}

static void prove_dscp(struct proving *p)
{
	unsigned dscp = N(p->tos) >> 2;
	uint64_t prio;

	if (lacks_tos(p) || !sends_v2(p))
		return;
	IN("ToS %u", N(p->tos));
	OUT("DSCP %u", dscp);
	BRIEF("dscp %u", dscp);
	if (!ask_wants(&p->c, p->at, FIELD_DSCP_PRIO, dscp, &prio) || prio > 7 || !(ask_lossless(&p->c, p->at) >> prio & 1))
		return ask_no(&p->c, "the policy has no lossless priority for DSCP %u", dscp);
	p->dscp = dscp;
	p->prio = N(prio);
	ask_ok(&p->c);
}

static void prove_ect(struct proving *p)
{
	static const char *const words[] = { "Not-ECT", "ECT(1)", "ECT(0)", "CE" };
	unsigned ecn = N(p->tos) & 3;

	if (lacks_tos(p))
		return;
	IN("ToS %u", N(p->tos));
	OUT("%s", words[ecn]);
	BRIEF("%s", words[ecn]);
	if (ecn == 0)
		return ask_no(&p->c, "%s as Not-ECT: above Kmin some switches drop it, lossless class or not",
			      port_sends_tos_as_is(p->at) ? "sent" : "likely sent");
	if (ecn == 3)
		return ask_no(&p->c, "reports congestion before any occurred: every packet triggers a CNP");
	ask_ok(&p->c);
}

static void prove_cnp_dscp(struct proving *p)
{
	uint64_t dscp;

	if (port_number(p->c.model, p->at, FIELD_CNP_DSCP, 0, &dscp)) {
		OUT("DSCP %u", N(dscp));
		BRIEF("dscp %u", N(dscp));
	}
	p->c.port = p->at;
	ask_cnp_mark(&p->c);
}

/* -- trust, priority, class -- */

static void prove_trust(struct proving *p)
{
	char word[24];
	uint64_t trust;

	if (!ask_port(&p->c, p->at, FIELD_TRUST, 0, &trust))
		return;
	OUT("trust %s", ask_word(FIELD_TRUST, trust, word));
	BRIEF("trust %.16s", word);
	if (trust == TRUST_DSCP || trust == TRUST_BOTH)
		return ask_ok(&p->c);
	ask_no(&p->c, "DSCP is not trusted: untagged packets get the port's default priority");
}

static void prove_priority(struct proving *p)
{
	unsigned dscp = N(p->dscp) & 63;
	uint64_t prio;

	p->s->index = dscp;
	IN("DSCP %u%s", dscp, p->is_wanted ? " (per policy)" : "");
	if (!ask_port(&p->c, p->at, FIELD_DSCP_PRIO, dscp, &prio))
		return;
	OUT("priority %u", N(prio));
	BRIEF("prio %u", N(prio));
	if (prio == p->prio)
		return ask_ok(&p->c);
	ask_no(&p->c, p->at == p->from ? "DSCP %u maps to priority %u, expected %u" :
	       "DSCP %u gets priority %u here and %u at the sender: PFC pauses another priority", dscp, N(prio), p->prio);
}

/* To the class of a NIC, or by way of it to the queue of a switch. */
static void prove_class(struct proving *p)
{
	uint64_t tc, queue, wanted;

	p->s->index = p->prio;
	IN("priority %u", p->prio);
	if (!map_class(&p->c, p->at, p->prio, &tc) || !map_queue(&p->c, p->at, p->prio, &queue))
		return;
	OUT("%s %u", is_switch(p) ? "queue" : "TC", N(queue));
	BRIEF("%s%u", is_switch(p) ? "q" : "TC ", N(queue));
	if (ask_wants(&p->c, p->at, FIELD_PRIO_TC, p->prio, &wanted) && tc != wanted)
		return ask_no(&p->c, "priority %u is in traffic class %u, expected %u", p->prio, N(tc), N(wanted));
	if (is_switch(p) && tc < 8 && ask_wants(&p->c, p->at, FIELD_TC_QUEUE, N(tc), &wanted) && queue != wanted)
		return ask_no(&p->c, "traffic class %u uses queue %u, expected %u", N(tc), N(queue), N(wanted));
	ask_ok(&p->c);
}

static void prove_scheduler(struct proving *p)
{
	uint64_t queue, algo = ETS_ETS, share;

	if (!map_queue(&p->c, p->at, p->prio, &queue))
		return;
	if (queue > 7)
		return ask_lost(&p->c, "the scheduler of a queue above 7 is not read");
	p->s->index = N(queue);
	IN("%s %u", is_switch(p) ? "queue" : "TC", N(queue));
	if (ask_said(p->at, FIELD_ETS_ALGO, N(queue)) && !ask_port(&p->c, p->at, FIELD_ETS_ALGO, N(queue), &algo))
		return;
	if (algo != ETS_ETS) {
		OUT("%s", algo == ETS_STRICT ? "strict" : "the vendor's own");
		return ask_ok(&p->c);
	}
	if (!ask_port(&p->c, p->at, FIELD_ETS_SHARE, N(queue), &share))
		return;
	OUT("%u %%", N(share));
	BRIEF("%u %%", N(share));
	if (share)
		return ask_ok(&p->c);
	ask_no(&p->c, "the class has no share and is not served strictly: it starves");
}

static void prove_served(struct proving *p)
{
	p->c.port = p->at;
	BRIEF("served");
	ask_ets_cnp(&p->c);
}

/* -- marks and pause -- */

static void (*const marking[])(struct case_of *) = { ask_ecn_on, ask_ecn_sane, ask_ecn_before_pfc, NULL };

static void prove_marks(struct proving *p)
{
	uint64_t queue, kmin;

	p->c.port = p->at;
	BRIEF("ECN");
	if (map_queue(&p->c, p->at, p->data_prio, &queue) && queue < 8) {
		p->s->index = N(queue);
		IN("queue %u", N(queue));
		if (port_number(p->c.model, p->at, FIELD_ECN_KMIN, N(queue), &kmin))
			OUT("marks from %llu KB", (unsigned long long)kmin / 1000);
	}
	ask_checks(p, marking);
}

/* PFC on this end: it obeys pause as a sender and sends it as a receiver. One switch is for both. */
static void pfc_on(struct case_of *c)
{
	uint64_t on;

	if (!ask_port(c, c->port, FIELD_PFC_ON, c->index, &on))
		return;
	if (on)
		return ask_ok(c);
	ask_no(c, "PFC is off on priority %u: this end neither sends nor honors pause, and drops", c->index);
}

/* Which queue a pause stops is a switch's to say, and not of every system. */
static void pause_stops_queue(struct case_of *c)
{
	if (ask_is_switch(c, c->port))
		ask_pfc_queue(c);
}

static void prove_obeys(struct proving *p)
{
	static void (*const asks[])(struct case_of *) = { pfc_on, ask_link_pause, pause_stops_queue, NULL };

	p->c.port = p->at;
	p->s->index = p->c.index;
	IN("pause of %u", p->c.index);
	BRIEF("PFC");
	ask_checks(p, asks);
	if (p->c.verdict == VERDICT_OK)
		OUT("waits");
}

static void prove_no_drop(struct proving *p)
{
	static void (*const asks[])(struct case_of *) = { pfc_on, ask_link_pause, NULL };

	p->c.port = p->at;
	p->s->index = p->c.index;
	IN("priority %u", p->c.index);
	BRIEF("no-drop");
	ask_checks(p, asks);
	if (p->c.verdict == VERDICT_OK)
		OUT("no-drop");
	else if (p->c.verdict != VERDICT_UNKNOWN)
		BRIEF("drops");
}

static void prove_buffer(struct proving *p)
{
	uint64_t group;

	p->c.port = p->at;
	p->s->index = p->c.index;
	IN("priority %u", p->c.index);
	if (port_number(p->c.model, p->at, FIELD_PRIO_PG, p->c.index, &group))
		OUT("%s %u", is_switch(p) ? "priority group" : "buffer", N(group));
	ask_buffer_shared(&p->c);
}

/* The cable, and what lies beyond the switch */

static void prove_wire(struct proving *p)
{
	p->c.port = p->c.link->a;
	BRIEF("==");
	ask_link_up(&p->c);
	if (p->c.verdict != VERDICT_OK || ask_lacks(&p->c))
		return;
	p->c.port = NULL;
	ask_checks(p, (void (*const[])(struct case_of *)){ ask_speed_same, ask_mtu_fits, NULL });
}

/*
 * The packet leaves by another port, of which the cable knows nothing: what is true of all that carry RoCE is true of
 * this one, and what is true of some is not known.
 */
static void prove_beyond(struct proving *p, void (*const *asks)(struct case_of *), const char *fails)
{
	const struct device *d = p->at->device;
	struct case_of all = p->c, bad = p->c;
	unsigned n = 0, n_bad = 0, n_unknown = 0;

	for (size_t i = 0; i < d->n_ports; i++) {
		if (d->ports[i] == p->at || p->c.context->ports[d->ports[i]->id].roce != ROCE_YES)
			continue;
		p->c = all;
		p->c.port = d->ports[i];
		p->c.link = links_of_port(all.links, d->ports[i]);
		ask_checks(p, asks);
		n++;
		if (p->c.verdict < VERDICT_WARN && p->c.verdict != VERDICT_UNKNOWN)
			continue;
		n_bad += p->c.verdict != VERDICT_UNKNOWN;
		n_unknown += p->c.verdict == VERDICT_UNKNOWN;
		if (p->c.verdict != VERDICT_UNKNOWN || n_bad == 0)
			bad = p->c;
	}
	p->c = n_bad || n_unknown ? bad : all;
	p->c.port = NULL;
	p->c.link = all.link;
	if (n == 0)
		return ask_na(&p->c, "no other port of this switch is known to carry RoCE");
	if (n_bad == n)
		return ask_no(&p->c, "%u of %u other RoCE ports of this switch %s", n, n, fails);
	if (n_bad)
		return ask_unknown(&p->c, LACK_ABSENT, d, "the egress port: %u of %u ports %s (%.24s)", n_bad, n, fails,
				   bad.port->name);
	if (n_unknown == 0)
		ask_ok(&p->c);
}

static void prove_marks_beyond(struct proving *p)
{
	BRIEF("ECN");
	prove_beyond(p, marking, "do not mark with ECN");
}

static void prove_served_beyond(struct proving *p)
{
	BRIEF("served");
	prove_beyond(p, (void (*const[])(struct case_of *)){ ask_ets_cnp, NULL }, "delay CNPs");
}

/* -- the two halves of DCQCN -- */

static void prove_answers(struct proving *p)
{
	p->c.port = p->at;
	p->s->index = p->c.index;
	IN("mark");
	OUT("CNP");
	BRIEF("NP");
	ask_np(&p->c);
}

static void prove_slows(struct proving *p)
{
	p->c.port = p->at;
	p->s->index = p->c.index;
	IN("CNP");
	OUT("lower rate");
	BRIEF("RP");
	ask_rp(&p->c);
}

/* The steps, in the order in which a packet meets them */

enum { DATA = 1, CNP = 2, HOST = 1, SWITCH = 2, ANY = 3 };

static const struct {
	const char *name;
	unsigned of;		/* DATA, CNP */
	unsigned on;		/* HOST, SWITCH */
	bool at_receiver, is_shown;
	enum field field;
	void (*prove)(struct proving *p);
	const char *rule, *settle;
	bool decides_dscp;
} rows[] = {
	{ "app ToS", DATA, HOST, false, true, FIELD_TOS_CMA, prove_tos,
	  "the driver's forced traffic_class overrides NCCL_IB_TC (0 if unset); other applications get the rdma_cm default",
	  "NCCL_IB_TC in the job's environment; fabcon explain tos-ecn has the commands of the driver", true },
	{ "DSCP", DATA, HOST, false, true, FIELD_TOS_CMA, prove_dscp, "DSCP = ToS / 4; the policy lists the lossless ones", NULL, true },
	{ "ECN bits", DATA, HOST, false, false, FIELD_TOS_CMA, prove_ect, "ECN = ToS mod 4; 1 and 2 can be marked", NULL },
	{ "CNP DSCP", CNP, HOST, false, true, FIELD_CNP_DSCP, prove_cnp_dscp, "the NIC marks its CNPs (roce_np/cnp_dscp)", NULL, true },
	{ "trust", DATA | CNP, HOST, false, false, FIELD_TRUST, prove_trust, "only with trust dscp does DSCP decide", NULL },
	{ "priority", DATA | CNP, HOST, false, true, FIELD_DSCP_PRIO, prove_priority, "priority = dscp2prio[DSCP]", NULL },
	{ "class", DATA | CNP, HOST, false, true, FIELD_PRIO_TC, prove_class, "TC = prio_tc[priority]", NULL },
	{ "queue", DATA | CNP, SWITCH, false, true, FIELD_TC_QUEUE, prove_class,
	  "classed where it came in; queue = tc_queue[prio_tc[priority]]", NULL },
	{ "scheduler", DATA, ANY, false, false, FIELD_ETS_ALGO, prove_scheduler, "a class is served strictly or by its share", NULL },
	{ "served", CNP, ANY, false, true, FIELD_ETS_ALGO, prove_served, "CNPs go before data, or have their share", NULL },
	{ "marking", DATA, SWITCH, false, true, FIELD_ECN_ON, prove_marks, "the queue marks between Kmin and Kmax, before pause", NULL },
	{ "honors pause", DATA, ANY, false, false, FIELD_PFC_ON, prove_obeys, "a pause of the priority stops this queue and no other", NULL },
	{ "wire", DATA | CNP, ANY, false, true, FIELD_UP, prove_wire, "up, one speed, frames of one end fit the other", NULL },
	{ "trust", DATA | CNP, ANY, true, false, FIELD_TRUST, prove_trust, "only with trust dscp does DSCP decide", NULL },
	{ "priority", DATA | CNP, ANY, true, true, FIELD_DSCP_PRIO, prove_priority, "both ends give a DSCP the same priority", NULL },
	{ "buffer", DATA, ANY, true, false, FIELD_PRIO_PG, prove_buffer, "no lossy priority shares the buffer", NULL },
	{ "no-drop", DATA, ANY, true, true, FIELD_PFC_ON, prove_no_drop, "PFC on: a full buffer sends pause", NULL },
	{ "queue", DATA | CNP, SWITCH, true, true, FIELD_TC_QUEUE, prove_class, "queue = tc_queue[prio_tc[priority]]", NULL },
	{ "marking beyond", DATA, SWITCH, true, true, FIELD_ECN_ON, prove_marks_beyond,
	  "the egress is another port: every RoCE port of this switch marks its queue", NULL },
	{ "served beyond", CNP, SWITCH, true, true, FIELD_ETS_ALGO, prove_served_beyond,
	  "the egress is another port: every RoCE port of this switch serves CNPs", NULL },
	{ "sends CNPs", DATA, HOST, true, true, FIELD_ECN_NP, prove_answers, "the receiver's notification point sends CNPs", NULL },
	{ "reacts to CNPs", CNP, HOST, true, true, FIELD_ECN_RP, prove_slows, "the sender's reaction point lowers its rate", NULL },
};

/* -- one step -- */

static struct proof_step *add_step(struct proof *proof, size_t row, const struct port *at)
{
	struct proof_step *s = GROW(proof->steps, proof->n_steps, proof->cap_steps);

	proof->n_steps++;
	*s = (struct proof_step){ .name = rows[row].name, .rule = rows[row].rule, .settle = rows[row].settle,
				  .is_shown = rows[row].is_shown, .field = rows[row].field, .at = at };
	return s;
}

/* Each fact once, though several questions have read it. */
static void keep_evidence(struct proof_step *s, const struct case_of *c)
{
	for (size_t i = 0; i < c->n_evidence; i++) {
		const struct evidence *e = &c->evidence[i];
		size_t k = 0;

		while (k < s->n_evidence && (s->evidence[k].port != e->port || s->evidence[k].field != e->field ||
					     s->evidence[k].index != e->index))
			k++;
		if (k == s->n_evidence)
			s->evidence[s->n_evidence++] = *e;
	}
}

/* A remark of a check is no reason to call a step false. */
static void settle_step(struct proof_step *s, const struct case_of *c)
{
	bool is_unknown = c->verdict == VERDICT_UNKNOWN;

	s->verdict = c->verdict >= VERDICT_WARN ? VERDICT_FAIL : c->verdict == VERDICT_LOOK ? VERDICT_OK : c->verdict;
	snprintf(s->what, sizeof(s->what), "%s", is_unknown ? "" : c->what);
	snprintf(s->missing, sizeof(s->missing), "%s", is_unknown ? c->missing : "");
	keep_evidence(s, c);
}

static void prove_step(struct proof *proof, struct proving *p, size_t row)
{
	p->at = rows[row].at_receiver ? p->to : p->from;
	p->s = add_step(proof, row, p->at);
	ask_begin(&p->c);
	p->c.port = NULL;
	if (p->at)
		rows[row].prove(p);
	else
		ask_unknown(&p->c, LACK_FAR, NULL, "the far end is not known");
	settle_step(p->s, &p->c);
	p->is_wanted |= rows[row].decides_dscp && p->s->verdict != VERDICT_OK;
}

/* -- one path -- */

/* An end that is not known is taken to be the other kind's. */
static unsigned kind_of(const struct proving *p, const struct port *end, const struct port *other)
{
	if (end)
		return ask_is_switch(&p->c, end) ? SWITCH : HOST;
	return ask_is_switch(&p->c, other) ? HOST : SWITCH;
}

static void judge_path(const struct proof *proof, struct proof_path *path)
{
	enum proof_given given = PROOF_STANDS;

	path->first_false = NO_STEP;
	path->verdict = VERDICT_OK;
	for (size_t i = path->first; i < path->first + path->n; i++) {
		struct proof_step *s = &proof->steps[i];

		s->given = given;
		path->n_unknown += s->verdict == VERDICT_UNKNOWN;
		if (s->verdict == VERDICT_FAIL && path->first_false == NO_STEP) {
			path->first_false = i;
			s->is_first_false = true;
			given = PROOF_WOULD_BE;
		} else if (s->verdict == VERDICT_UNKNOWN && given == PROOF_STANDS) {
			given = PROOF_IF;
		}
	}
	if (path->first_false != NO_STEP)
		path->verdict = VERDICT_FAIL;
	else if (path->n_unknown)
		path->verdict = VERDICT_UNKNOWN;
}

static void prove_path(struct proof *proof, struct proving *p, enum proof_path_is is)
{
	bool is_out = is == PROOF_DATA_OUT || is == PROOF_CNP_OUT;
	struct proof_path *path = &proof->paths[is];
	unsigned from, to;

	p->is_wanted = false;
	p->is_cnp = is == PROOF_CNP_OUT || is == PROOF_CNP_IN;
	p->from = is_out ? proof->link->a : proof->link->b;
	p->to = is_out ? proof->link->b : proof->link->a;
	*path = (struct proof_path){ .title = p->is_cnp ? "CNPs" : "data", .from = p->from, .to = p->to, .first = proof->n_steps };
	from = kind_of(p, p->from, p->to);
	to = kind_of(p, p->to, p->from);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].of & (p->is_cnp ? CNP : DATA) && rows[i].on & (rows[i].at_receiver ? to : from))
			prove_step(proof, p, i);
	path->n = proof->n_steps - path->first;
	judge_path(proof, path);
}

/* -- what is wanted -- */

static bool wants_of_hosts(const struct policy *policy, enum field f, unsigned index, uint64_t *out)
{
	const struct policy_target any_host = { .is_switch = false };
	struct value v;

	if (!policy_wants(policy, &any_host, f, index, &v, NULL))
		return false;
	*out = v.n;
	return true;
}

/* The DSCP of a priority: the one that hosts are to send with, else the first that the policy puts there. */
static bool dscp_of(const struct policy *policy, unsigned set, uint64_t preferred, uint64_t *dscp, unsigned *prio)
{
	uint64_t its;

	for (unsigned i = 0; i <= 64; i++) {
		unsigned at = i ? i - 1 : N(preferred) & 63;

		if (wants_of_hosts(policy, FIELD_DSCP_PRIO, at, &its) && its < 8 && set >> its & 1) {
			*dscp = at;
			*prio = N(its);
			return true;
		}
	}
	return false;
}

static bool want_data(struct proving *p)
{
	uint64_t tos = 0;

	wants_of_hosts(p->c.policy, FIELD_TOS_CMA, 0, &tos);
	if (!dscp_of(p->c.policy, policy_lossless(p->c.policy, false), tos >> 2, &p->dscp, &p->prio))
		return false;
	p->tos = p->dscp == tos >> 2 ? tos : p->dscp << 2 | 2;
	p->c.index = p->data_prio = p->prio;
	return true;
}

static bool want_cnp(struct proving *p)
{
	unsigned prio = policy_cnp_priority(p->c.policy);
	uint64_t dscp = 48;

	wants_of_hosts(p->c.policy, FIELD_CNP_DSCP, 0, &dscp);
	return prio < 8 && dscp_of(p->c.policy, 1u << prio, dscp, &p->dscp, &p->prio);
}

/* -- the whole -- */

static void forget(struct proof *p, const struct link *link)
{
	p->link = link;
	p->n_steps = 0;
	p->why = NULL;
	p->verdict = VERDICT_NA;
	for (size_t i = 0; i < PROOF_PATHS; i++)
		p->paths[i] = (struct proof_path){ .first_false = NO_STEP, .verdict = VERDICT_NA };
}

void proof_make(struct proof *p, const struct proof_of *of, const struct link *link)
{
	static const struct check any = { .id = "proof", .severity = VERDICT_FAIL };
	static const enum verdict worse[] = { VERDICT_FAIL, VERDICT_UNKNOWN, VERDICT_OK };
	struct proving w = { .c = { .check = &any, .model = of->model, .links = of->links, .policy = of->policy,
				    .inventory = of->inventory, .context = &p->context, .link = link } };

	forget(p, link);
	judge_context_update(&p->context, of->model, of->links, of->inventory);
	if (!link->is_fabric)
		p->why = "this link is not known to carry RoCE";
	else if (!want_data(&w))
		p->why = "the policy has no lossless class";
	if (p->why)
		return;
	prove_path(p, &w, PROOF_DATA_OUT);
	want_data(&w);
	prove_path(p, &w, PROOF_DATA_IN);
	for (unsigned is = PROOF_CNP_OUT; is < PROOF_PATHS && want_cnp(&w); is++)
		prove_path(p, &w, (enum proof_path_is)is);
	for (size_t v = 0; v < 3 && p->verdict == VERDICT_NA; v++)
		for (size_t i = 0; i < PROOF_PATHS; i++)
			if (p->paths[i].verdict == worse[v])
				p->verdict = worse[v];
}

void proof_done(struct proof *p)
{
	free(p->steps);
	judge_context_done(&p->context);
	*p = (struct proof){ 0 };
}

/* -- words -- */

const char *proof_given_name(enum proof_given given)
{
	static const char *const names[] = { [PROOF_STANDS] = "stands", [PROOF_IF] = "if", [PROOF_WOULD_BE] = "would-be" };

	return names[given];
}

static void add_end(const struct port *p, struct buf *out)
{
	if (p)
		buf_printf(out, "%s:%s", p->device->name, p->name);
	else
		buf_str(out, "a far end that is not known");
}

void proof_ends(const struct proof_path *path, struct buf *out)
{
	add_end(path->from, out);
	buf_str(out, " to ");
	add_end(path->to, out);
}

void proof_line(const struct proof *p, const struct proof_path *path, struct buf *out)
{
	bool is_wire = true;	/* none is needed beside the wire, nor at the beginning */

	for (size_t i = path->first; i < path->first + path->n; i++) {
		const struct proof_step *s = &p->steps[i];
		const char *words = s->brief[0] ? s->brief : s->name;

		if (s->verdict == VERDICT_NA || (s->verdict == VERDICT_OK && !s->is_shown))
			continue;
		if (s->verdict == VERDICT_OK && s->field == FIELD_UP) {
			buf_str(out, " == ");
			is_wire = true;
			continue;
		}
		buf_str(out, is_wire ? "" : " > ");
		is_wire = false;
		if (s->verdict == VERDICT_UNKNOWN)
			buf_printf(out, "%s ?", s->name);
		else if (s->verdict == VERDICT_OK)
			buf_str(out, words);
		else
			buf_printf(out, s->is_first_false ? "[%s NO]" : "(%s no)", words);
	}
}
