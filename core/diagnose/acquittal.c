#include "core/diagnose/acquittal.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/diagnose/acquittal_counters.h"
#include "core/diagnose/verify.h"
#include "core/fabric/stopped.h"

/* -- which checks -- */

/* Of hosts and their jobs. A check that is not listed concerns the network. */
static const char of_hosts[] =
	"driver-ready modules-loaded memlock-enough app-memlock-enough app-uses-ib app-uses-all-hcas app-gid-alike "
	"app-gpu-direct app-not-refused app-peer-ready app-quiet app-bandwidth pcie-as-capable vf-as-others "
	"rdma-hardware kernel-quiet memory-keeps-up tcp-ecn-is-tcp qos-kept";

/* What would show a network cause. The others are asked where a system reports what they judge by: no device reports all. */
static const char needed[] =
	"device-reached answers-understood rdma-known link-up rdma-active gid-v2 rdma-mtu tos-ecn "
	"far-end-known cables-swapped cabled-as-planned speed-same mtu-fits mtu-as-wanted "
	"trust-as-wanted trust-same dscp-map-as-wanted dscp-same best-effort-lossy iscsi-apart prio-tc-as-wanted tc-queue-as-wanted "
	"ets-cnp-served pfc-on-where-wanted pfc-only-where-wanted pfc-same pause-frames-off ecn-on ecn-sane np-on rp-on cnp-lands "
	"pause-storm pause-counted-alike not-paused not-pausing slow-receiver wire-clean lossless-kept roce-in-class sequence-kept "
	"marks-answered";

bool acquittal_is_of_host(const struct check *check)
{
	return span_is_among(span_of(check->id), of_hosts);
}

bool acquittal_needs(const struct check *check)
{
	return span_is_among(span_of(check->id), needed);
}

/* SONiC has no setting of 802.3x pause. */
static bool has_no_such_setting(const struct check *check, const struct device *d)
{
	const char *platform = device_text(d, FIELD_PLATFORM);

	return platform && !strcmp(platform, "sonic") && !strcmp(check->id, "pause-frames-off");
}

/* -- what lacks -- */

static const char read_again[] = "fabcon findings -v";

void acquittal_lacks(struct acquitting *q, const char *key, const char *where, const char *what, const char *settle)
{
	struct acquittal *a = q->a;
	struct lacking *l;

	for (size_t i = 0; i < a->n_lacks; i++)
		if (!strcmp(a->lacks[i].key, key)) {
			a->lacks[i].places++;
			return;
		}
	l = GROW(a->lacks, a->n_lacks, a->cap_lacks);
	a->n_lacks++;
	*l = (struct lacking){ .key = key, .places = 1 };
	snprintf(l->settle, sizeof(l->settle), "%s", settle);
	snprintf(l->where, sizeof(l->where), "%s", where);
	snprintf(l->what, sizeof(l->what), "%s", what);
}

void acquittal_lacks_at(struct acquitting *q, const char *key, const struct port *p, const char *what, const char *settle)
{
	char where[160];

	snprintf(where, sizeof(where), "%.78s:%.78s", p->device->name, p->name);
	acquittal_lacks(q, key, where, what, settle);
}

static const char *missing_of(const struct acquitting *q, const struct check *check, const struct device *d, const struct port *p)
{
	for (size_t i = 0; i < q->n_open; i++)
		if (q->open[i]->check == check && q->open[i]->verdict == VERDICT_UNKNOWN && q->open[i]->port == p &&
		    (p || q->open[i]->device == d) && q->open[i]->missing[0])
			return q->open[i]->missing;
	return NULL;
}

static bool is_lacking(const struct acquittal *a, const char *key)
{
	for (size_t i = 0; i < a->n_lacks; i++)
		if (!strcmp(a->lacks[i].key, key))
			return true;
	return false;
}

static void lacks_check(struct acquitting *q, const struct check *check, const struct device *d, const struct port *p, bool is_lost)
{
	const char *missing;
	char where[160], what[192];
	struct buf settle = { NULL };

	if (is_lacking(q->a, check->id))
		return acquittal_lacks(q, check->id, "", "", "");	/* one place more */
	missing = is_lost ? NULL : missing_of(q, check, d, p);
	snprintf(where, sizeof(where), "%.78s%s%.78s", d->name, p ? ":" : "", p ? p->name : "");
	if (missing)
		snprintf(what, sizeof(what), "%s", missing);
	else
		snprintf(what, sizeof(what), is_lost ? "%.80s is not reported" : "%.80s is not known yet", check->fields);
	verify_check(q->d, check, d, p, &settle);
	acquittal_lacks(q, check->id, where, what, settle.n ? settle.text : read_again);
	buf_done(&settle);
}

/* -- checks, place by place -- */

static bool has_device(const struct acquitting *q, const struct device *d)
{
	const struct device *of = q->d->of.device;

	if (!of || d == of || q->context.parties[d->id].is_switch)
		return true;
	for (size_t i = 0; i < q->n_links; i++)
		if (q->links[i]->a->device == d || (q->links[i]->b && q->links[i]->b->device == d))
			return true;
	return false;
}

static void note_unreported(struct acquittal *a, const struct check *check)
{
	for (size_t i = 0; i < a->n_unreported; i++)
		if (a->unreported[i] == check)
			return;
	*(const struct check **)GROW(a->unreported, a->n_unreported, a->cap_unreported) = check;
	a->n_unreported++;
}

/* What a check said at one place. What it found there is told by the open findings. */
static size_t take_verdict(struct acquitting *q, const struct check *check, const struct device *d, const struct port *p)
{
	bool is_lost = false;
	enum verdict v = findings_said(q->d->of.findings, check, d, p, &is_lost);

	if (v == VERDICT_UNKNOWN)
		lacks_check(q, check, d, p, false);
	else if (v == VERDICT_NA && is_lost && acquittal_needs(check) && !has_no_such_setting(check, d))
		lacks_check(q, check, d, p, true);
	else if (v == VERDICT_NA && is_lost)
		note_unreported(q->a, check);
	return v == VERDICT_OK;
}

static bool is_asked_there(const struct acquitting *q, const struct check *check, const struct device *d)
{
	return check->side == SIDE_ANY || (check->side == SIDE_SWITCH) == q->context.parties[d->id].is_switch;
}

static size_t take_check(struct acquitting *q, const struct check *check)
{
	size_t right = 0;

	for (size_t i = 0; check->of == OF_DEVICE && i < model_devices(q->m); i++)
		if (has_device(q, model_device(q->m, i)) && is_asked_there(q, check, model_device(q->m, i)))
			right += take_verdict(q, check, model_device(q->m, i), NULL);
	for (size_t i = 0; i < q->n_links; i++) {
		const struct link *l = q->links[i];

		if (check->of == OF_LINK)
			right += take_verdict(q, check, l->a->device, l->a);
		if (check->of == OF_PORT && is_asked_there(q, check, l->a->device))
			right += take_verdict(q, check, l->a->device, l->a);
		if (check->of == OF_PORT && l->b && is_asked_there(q, check, l->b->device))
			right += take_verdict(q, check, l->b->device, l->b);
	}
	return right;
}

static void take_checks(struct acquitting *q)
{
	for (size_t row = 0; row < check_count; row++) {
		size_t right = acquittal_is_of_host(&check_table[row]) ? 0 : take_check(q, &check_table[row]);

		q->a->checks += right > 0;
		q->a->right += right;
	}
}

/* -- what is asked about -- */

/* Asked about a part, the links between switches belong to it: its packets may take any. */
static bool has_link(const struct acquitting *q, const struct link *l)
{
	bool is_between = l->b && q->context.parties[l->a->device->id].is_switch && q->context.parties[l->b->device->id].is_switch;

	return l->is_fabric && (is_between || diagnosis_covers(q->d, l->a->device, l->a));
}

static void find_links(struct acquitting *q)
{
	const struct links *links = q->d->of.links;

	q->links = xcalloc(links->n + 1, sizeof(*q->links));
	for (size_t i = 0; i < links->n; i++)
		if (has_link(q, &links->list[i]))
			q->links[q->n_links++] = &links->list[i];
	q->a->links = q->n_links;
	for (size_t i = 0; i < model_devices(q->m); i++) {
		bool is_switch = q->context.parties[i].is_switch;
		const struct device *d = model_device(q->m, i);

		q->a->hosts += !is_switch && has_device(q, d);
		q->a->switches += is_switch;
		if (!device_is_identified(d, q->d->of.inventory))
			acquittal_lacks(q, "platform", d->name, "whether it is a host or a switch is not known", "fabcon inventory test");
	}
	if (!q->n_links)
		acquittal_lacks(q, "links", "fabric", "no link that carries RoCE is known", "fabcon inventory test; lldpcli show "
											    "neighbors");
}

/* A port that tells of RDMA, and is not known to carry none. */
static bool tells_of_rdma(const struct port *p)
{
	return port_cell(p, FIELD_RDMA, 0) || port_cell(p, FIELD_RDMA_STATE, 0) || port_cell(p, FIELD_RDMA_MTU, 0) ||
	       port_cell(p, FIELD_TOS_CMA, 0) || port_cell(p, FIELD_GID_V2, 0);
}

static bool is_known_to_be(const struct port *p, enum field f, uint64_t wanted, const struct model *m)
{
	uint64_t n;

	return port_number(m, p, f, 0, &n) && n == wanted;
}

/* A switch port that is up, and nobody knows what is connected: it may carry what fills a queue. */
static bool is_open_port(const struct acquitting *q, const struct port *p, const struct link *l)
{
	return !(l && link_far(l, p)) && !is_known_to_be(p, FIELD_UP, 0, q->m) && !is_known_to_be(p, FIELD_MANAGEMENT, 1, q->m);
}

static void take_port(struct acquitting *q, const struct port *p)
{
	const struct link *l = links_of_port(q->d->of.links, p);
	enum roce roce = (enum roce)q->context.ports[p->id].roce;

	if (q->context.parties[p->device->id].is_switch) {
		if (is_open_port(q, p, l))
			acquittal_lacks_at(q, "neighbors", p, "the device at the other end is not read", "add the neighbor to the "
													 "inventory, and run LLDP "
													 "at both ends");
	} else if (diagnosis_covers(q->d, p->device, p) && roce != ROCE_NOT && tells_of_rdma(p) && !(l && l->is_fabric && link_far(l, p))) {
		acquittal_lacks_at(q, "far ends", p, "which switch port it is connected to is not known", "lldpcli show neighbors; "
													  "show lldp neighbors");
	}
}

/* -- questions -- */

/* The first check of a question that concerns the network; NULL: it has none. */
static const struct check *network_check(const struct tree_question *question)
{
	struct span rest = span_of(question->checks ? question->checks : ""), word;
	char id[64];

	while (span_word(&rest, &word)) {
		snprintf(id, sizeof(id), "%.*s", (int)word.n, word.p);
		if (!acquittal_is_of_host(check_find(id)))
			return check_find(id);
	}
	return NULL;
}

bool acquittal_asks(const struct tree_question *question)
{
	return question->of_network || network_check(question);
}

/* A check of the question stands among what lacks: it says the same. */
static bool is_among_lacks(const struct acquittal *a, const struct tree_question *question)
{
	for (size_t i = 0; question->checks && i < a->n_lacks; i++)
		if (span_is_among(span_of(a->lacks[i].key), question->checks))
			return true;
	return false;
}

static bool is_among_limits(const struct acquittal *a, const struct tree_question *question)
{
	for (size_t i = 0; question->checks && i < a->n_unreported; i++)
		if (span_is_among(span_of(a->unreported[i]->id), question->checks))
			return true;
	return false;
}

static void lacks_question(struct acquitting *q, const struct asking *asked)
{
	struct buf settle = { NULL };

	verify_question(q->d, asked, &settle);
	acquittal_lacks(q, asked->question->id, "fabric", asked->missing, settle.n ? settle.text : read_again);
	buf_done(&settle);
}

/* The tree and the verdict are one: an open question about the network acquits nothing. */
static void take_questions(struct acquitting *q)
{
	const struct decision_tree *t = decision_tree_find(NULL);
	struct asking asked;

	for (size_t i = 0; i < t->n_questions; i++) {
		if (!acquittal_asks(&t->questions[i]))
			continue;
		question_ask(&asked, q->d, &t->questions[i]);
		if (asked.answer == ANSWER_UNREPORTED && network_check(&t->questions[i]) && !is_among_limits(q->a, &t->questions[i]))
			note_unreported(q->a, network_check(&t->questions[i]));
		if (asked.answer == ANSWER_UNKNOWN && !is_among_lacks(q->a, &t->questions[i]))
			lacks_question(q, &asked);
	}
}

/* -- findings -- */

/* What is found at another part concerns the one asked about where it spreads, or where any packet may come by. */
static bool concerns(const struct acquitting *q, const struct finding *f)
{
	return !q->d->of.device || !f->device || f->check->spreads || f->check->floods || f->check->of == OF_FABRIC ||
	       diagnosis_touches(q->d, f) || q->context.parties[f->device->id].is_switch;
}

/* A host's as it stands, though the network is not acquitted beside it. */
static bool is_at_host_alone(const struct acquitting *q, const struct finding *f)
{
	bool is_of_host;

	while (f->cause)
		f = f->cause;
	is_of_host = f->check->of == OF_DEVICE || !strcmp(f->check->id, "slow-receiver") || !strncmp(f->check->id, "app-", 4);
	return is_of_host && f->device && !q->context.parties[f->device->id].is_switch;
}

static void take_open(struct acquitting *q)
{
	struct acquittal *a = q->a;

	for (size_t i = 0; i < q->n_open; i++) {
		const struct finding *f = q->open[i];

		if (f->verdict < VERDICT_LOOK) {
			if (f->check->of == OF_FABRIC)
				acquittal_lacks(q, f->check->id, f->where, f->missing, read_again);
		} else if (!acquittal_is_of_host(f->check)) {
			if (!concerns(q, f))
				continue;
			if (!a->n_open++)
				a->open = f;
			a->n_network += !is_at_host_alone(q, f);
		} else if (diagnosis_touches(q->d, f) && !a->n_at_host++) {
			a->at_host = f;
		}
	}
}

static bool is_open_again(const struct acquitting *q, const struct finding *closed)
{
	for (size_t i = 0; i < q->n_open; i++)
		if (q->open[i]->check == closed->check && q->open[i]->verdict >= VERDICT_LOOK && !strcmp(q->open[i]->where, closed->where))
			return true;
	return false;
}

/* What was wrong a short while ago was so within the time that is looked back on. */
static void take_closed(struct acquitting *q)
{
	const struct finding **list;
	size_t n = findings_closed(q->d->of.findings, model_now(q->m) - ACQUITTAL_MOST_US, &list);
	char what[192];

	for (size_t i = 0; i < n; i++) {
		int64_t ago_us = model_now(q->m) - list[i]->closed_us;

		if (acquittal_is_of_host(list[i]->check) || list[i]->check->harm == HARM_READING || ago_us > ACQUITTAL_MOST_US ||
		    !concerns(q, list[i]) || is_open_again(q, list[i]))
			continue;
		snprintf(what, sizeof(what), "%.60s was found until %lld s ago", list[i]->check->id, (long long)(ago_us / SECOND));
		acquittal_lacks(q, "time since the last finding", list[i]->where, what, "fabcon diagnose, a minute later");
	}
	free(list);
}

/* -- the verdict -- */

/* How a device is read is the cause of nothing: it is among what is missing. */
static const struct suspect *first_named(const struct diagnosis *d, bool of_network)
{
	for (size_t i = 0; i < d->n_named; i++)
		if (!d->suspects[i].cause->of_reading && (!of_network || !d->suspects[i].cause->of_host))
			return &d->suspects[i];
	return NULL;
}

static void decide(struct acquitting *q)
{
	struct acquittal *a = q->a;
	bool is_clear = !a->n_open && !first_named(q->d, true) && !a->n_lacks;

	a->first = first_named(q->d, false);
	a->is = is_clear ? ACQUITTAL_NETWORK : a->first ? ACQUITTAL_CAUSE : ACQUITTAL_NOT_KNOWN;
}

void acquittal_done(struct acquittal *a)
{
	free(a->lacks);
	free(a->unreported);
	*a = (struct acquittal){ 0 };
}

void acquittal_make(struct acquittal *a, const struct diagnosis *d)
{
	struct acquitting q = { .a = a, .d = d, .m = d->of.model };

	acquittal_done(a);
	judge_context_update(&q.context, d->of.model, d->of.links, d->of.inventory);
	q.n_open = findings_open(d->of.findings, &q.open);
	find_links(&q);
	take_checks(&q);
	for (size_t i = 0; i < model_ports(q.m); i++)
		take_port(&q, model_port(q.m, i));
	take_open(&q);
	take_closed(&q);
	acquittal_take_counters(&q);
	take_questions(&q);
	decide(&q);
	free(q.links);
	judge_context_done(&q.context);
}

/* -- words -- */

const char *acquittal_name(enum acquittal_is is)
{
	static const char *const names[] = {
		[ACQUITTAL_NOT_KNOWN] = "not-known", [ACQUITTAL_CAUSE] = "cause", [ACQUITTAL_NETWORK] = "not-the-network",
	};

	return names[is];
}

static void say_lacks(const struct acquittal *a, struct buf *out)
{
	for (size_t i = 0; i < a->n_lacks && i < 3; i++)
		buf_printf(out, "%s %s", i ? "," : "", a->lacks[i].key);
	if (a->n_lacks > 3)
		buf_printf(out, " and %zu more", a->n_lacks - 3);
}

static void say_paused(const struct acquittal *a, struct buf *out)
{
	char pct[SHARE_TEXT];

	if (a->paused > 0)
		buf_printf(out, "no port was paused more than %s %% of the time. ", share_text(pct, a->paused));
	else
		buf_str(out, "no port was paused. ");
}

/* What the acquittal does not speak of. */
static void say_limits(const struct acquittal *a, struct buf *out)
{
	for (size_t i = 0; i < a->n_unreported; i++)
		buf_printf(out, "%s %s", i ? "," : ". Not reported everywhere, and so not judged there:", a->unreported[i]->id);
}

static void say_acquitted(const struct acquittal *a, struct buf *out)
{
	buf_printf(out, "The network is not the cause: on %s%zu link%s of %zu host%s and %zu switch%s ", a->links > 1 ? "all " : "the ", a->links,
		   plural_s(a->links), a->hosts, plural_s(a->hosts), a->switches, a->switches == 1 ? "" : "es");
	buf_printf(out, "both ends matched the policy when they were read, at most %lld s ago (marking, trust, PFC, ECN, MTU), "
		   "and in the last %lld s no lossless packet was dropped or retransmitted, no frame had errors, ",
		   (long long)(a->settings_us / SECOND), (long long)(a->window_us / SECOND));
	say_paused(a, out);
	if (a->at_host)
		buf_printf(out, "Look at the hosts: %.60s at %.100s: %.150s", a->at_host->check->id, a->at_host->where, a->at_host->what);
	else if (a->first)
		buf_printf(out, "Look at the hosts: %.60s at %.100s: %.100s", a->first->cause->id, a->first->where, a->first->cause->title);
	else
		buf_str(out, "Look at the hosts and the job: its log (fabcon nccl LOG), CPU, memory, storage");
	say_limits(a, out);
}

static void say_cause(const struct acquittal *a, struct buf *out)
{
	buf_printf(out, "A cause is named: %.60s at %.120s: %.120s", a->first->cause->id, a->first->where, a->first->cause->title);
	if (!a->first->cause->of_host)
		return;
	if (a->n_network) {
		buf_printf(out, ". It is a host's; of the network %zu finding%s %s open", a->n_network, plural_s(a->n_network),
			   a->n_network == 1 ? "is" : "are");
	} else if (a->n_lacks) {
		buf_str(out, ". It is a host's; whether the network is right is not known: missing");
		say_lacks(a, out);
	}
}

void acquittal_words(const struct acquittal *a, struct buf *out)
{
	if (a->is == ACQUITTAL_NETWORK)
		return say_acquitted(a, out);
	if (a->is == ACQUITTAL_CAUSE)
		return say_cause(a, out);
	if (a->open) {
		buf_printf(out, "The network is not ruled out: %.60s at %.100s: %.150s", a->open->check->id, a->open->where,
			   a->open->what);
		return;
	}
	buf_str(out, "Not known whether the network is the cause; missing:");
	say_lacks(a, out);
}
