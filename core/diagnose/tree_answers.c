/* What the trees ask of facts and of the pause graph, where no check asks it. */
#include <stdio.h>

#include "core/application/application.h"
#include "core/diagnose/diagnosis.h"

/* It may be so, and what would tell could not be read or does not decide it. */
static void lacks(struct asking *a, const char *what)
{
	a->answer = ANSWER_UNKNOWN;
	snprintf(a->missing, sizeof(a->missing), "%s", what);
}

/* Nothing that was read tells of it. */
static void unreported(struct asking *a, const char *what)
{
	a->answer = ANSWER_UNREPORTED;
	snprintf(a->missing, sizeof(a->missing), "%s", what);
}

static void cite(struct asking *a, const struct device *device, const struct port *port, enum field f, unsigned index)
{
	if (a->n_evidence < EVIDENCE_MAX)
		a->evidence[a->n_evidence++] = (struct evidence){ .device = device, .port = port, .field = f, .index = index };
}

void answer_always(struct asking *a)
{
	a->answer = ANSWER_YES;
	snprintf(a->what, sizeof(a->what), "the tree begins here");
}

/* -- facts of the application, per host -- */

typedef bool (*value_test)(const struct value *v, const void *ctx);

struct census {
	size_t yes, no, unread;
	const struct device *first_yes, *first_no;
};

static bool known(const struct asking *a, const struct cell *c)
{
	return c && c->value.is == VALUE_KNOWN && !cell_is_stale(a->d->of.model, c);
}

/* How many devices' value of a field passes a test, and how many's does not; those that say nothing are neither. */
static void take_census(struct asking *a, const char *field, value_test test, const void *ctx, struct census *n)
{
	enum field f;

	*n = (struct census){ 0 };
	if (!field_find(span_of(field), &f))
		return;
	for (size_t i = 0; i < model_devices(a->d->of.model); i++) {
		const struct device *d = model_device(a->d->of.model, i);
		const struct cell *c = device_cell(d, f, 0);
		bool passes;

		if (!diagnosis_covers(a->d, d, NULL))
			continue;
		n->unread += c && !known(a, c);
		if (!known(a, c))
			continue;
		passes = test(&c->value, ctx);
		if (passes && !n->yes++)
			n->first_yes = d;
		if (!passes && !n->no++)
			n->first_no = d;
	}
	if (n->first_yes)
		cite(a, n->first_yes, NULL, f, 0);
	if (n->first_no)
		cite(a, n->first_no, NULL, f, 0);
}

static bool is_number(const struct value *v, const void *ctx)
{
	return v->n == *(const uint64_t *)ctx;
}

static bool has_words(const struct value *v, const void *ctx)
{
	for (const char *const *word = ctx; *word; word++)
		if (!v->text || !strstr(v->text, *word))
			return false;
	return true;
}

/* A fact of a port that was asked for and is not to be had, or too old: not one that nobody was asked for. */
struct unread {
	const struct port *port;	/* NULL: each was read */
	enum field field;
	unsigned index;
};

static void note_unread(const struct asking *a, const struct port *p, enum field f, unsigned index, struct unread *u)
{
	const struct cell *c = port_cell(p, f, index);

	if (!u->port && c && !known(a, c) && diagnosis_covers(a->d, p->device, p))
		*u = (struct unread){ p, f, index };
}

/* An answer that speaks of all ports is not known where one of them could not be read. */
static void lacks_unread(struct asking *a, const struct unread *u)
{
	const struct cell *c = port_cell(u->port, u->field, u->index);

	a->answer = ANSWER_UNKNOWN;
	a->what[0] = '\0';
	snprintf(a->missing, sizeof(a->missing), "%.40s %.30s %s: %.60s", u->port->device->name, u->port->name, field_table[u->field].name,
		 c->value.is == VALUE_UNKNOWN && c->value.text ? c->value.text : "too old");
}

static void lacks_census(struct asking *a, const struct census *n, const char *what)
{
	if (n->unread)
		lacks(a, what);
	else
		unreported(a, what);
}

/* "at all 7 ports that report it", behind words of its own. */
static void say_at_all(struct asking *a, const char *words, size_t told)
{
	if (told == 1)
		snprintf(a->what, sizeof(a->what), "%sat the one port that reports it", words);
	else
		snprintf(a->what, sizeof(a->what), "%sat all %zu ports that report it", words, told);
}

static void say_census(struct asking *a, const struct census *n, const char *words)
{
	const struct device *d = a->answer == ANSWER_YES ? n->first_yes : n->first_no;

	if (n->yes + n->no == 1)
		snprintf(a->what, sizeof(a->what), "%s at %.60s, the only host that reports it", words, d->name);
	else
		snprintf(a->what, sizeof(a->what), "%s at %.60s, as at %zu of the %zu hosts that report it", words, d->name,
			 a->answer == ANSWER_YES ? n->yes : n->no, n->yes + n->no);
}

/* Yes where any host says so; no where those that tell say otherwise. */
static void any_host(struct asking *a, const char *field, value_test test, const void *ctx, const char *yes, const char *no,
		     const char *lack)
{
	struct census n;

	take_census(a, field, test, ctx, &n);
	if (!n.yes && !n.no)
		return lacks_census(a, &n, lack);
	a->answer = n.yes ? ANSWER_YES : ANSWER_NO;
	say_census(a, &n, n.yes ? yes : no);
}

enum { NET_IB, NET_SOCKET, NET_PLUGIN, NET_MIXED };

static bool is_net(const struct value *v, const void *ctx)
{
	return v->n == *(const uint64_t *)ctx || v->n == NET_MIXED;
}

#define NO_LOG "no log of the application was read (NCCL_DEBUG=INFO)"

void answer_net_is_socket(struct asking *a)
{
	static const uint64_t socket = NET_SOCKET;

	any_host(a, "app.net", is_net, &socket, "NET/Socket", "NET/IB", NO_LOG);
}

/* It runs, and what it goes over is not told. */
static bool has_silent_job(const struct asking *a, const struct device *d)
{
	const struct cell *net = device_cell(d, FIELD_APP_NET, 0);
	uint64_t n;

	return device_number(a->d->of.model, d, FIELD_APP_PROCS, 0, &n) && n && (!net || net->value.is != VALUE_KNOWN);
}

void answer_net_is_mixed(struct asking *a)
{
	static const uint64_t socket = NET_SOCKET, ib = NET_IB;
	struct census over_socket, over_ib;

	take_census(a, "app.net", is_net, &socket, &over_socket);
	a->n_evidence = 0;
	take_census(a, "app.net", is_net, &ib, &over_ib);
	if (!over_socket.yes && !over_ib.yes)
		return lacks_census(a, &over_ib, NO_LOG);
	if (!over_socket.yes || !over_ib.yes)
		for (size_t i = 0; i < model_devices(a->d->of.model); i++)
			if (has_silent_job(a, model_device(a->d->of.model, i)))
				return unreported(a, "the application's log of each host that runs it (NCCL_DEBUG=INFO)");
	a->answer = over_socket.yes && over_ib.yes ? ANSWER_YES : ANSWER_NO;
	snprintf(a->what, sizeof(a->what), "%zu host%s with NET/IB, %zu with NET/Socket", over_ib.yes, plural_s(over_ib.yes),
		 over_socket.yes);
}

void answer_nccl_is_set(struct asking *a)
{
	static const char *const words[] = { "NCCL_NET=IB", "NCCL_IB_HCA=", NULL };
	struct census n;

	take_census(a, "app.env", has_words, words, &n);
	if (!n.yes && !n.no)
		return lacks_census(a, &n, "the environment of the job's processes was not read");
	a->answer = n.no ? ANSWER_NO : ANSWER_YES;
	say_census(a, &n, n.no ? "NCCL_NET=IB or NCCL_IB_HCA is not set" : "both are set");
}


void answer_is_slow(struct asking *a)
{
	enum field reached, best;
	bool is_told = false;
	uint64_t is, most;

	if (!field_find(span_of("app.bw"), &reached) || !field_find(span_of("app.bw.link"), &best))
		return unreported(a, "no result of a bandwidth test was read");
	for (size_t i = 0; i < model_devices(a->d->of.model); i++) {
		const struct device *d = model_device(a->d->of.model, i);

		if (!diagnosis_covers(a->d, d, NULL) || !device_number(a->d->of.model, d, reached, 0, &is) ||
		    !device_number(a->d->of.model, d, best, 0, &most))
			continue;
		if (is_told && (double)is >= APP_USUAL_SHARE * (double)most)
			continue;
		is_told = true;
		a->n_evidence = 0;
		cite(a, d, NULL, reached, 0);
		cite(a, d, NULL, best, 0);
		a->answer = (double)is < APP_USUAL_SHARE * (double)most ? ANSWER_YES : ANSWER_NO;
		snprintf(a->what, sizeof(a->what), "%.60s reaches %.1f of %.1f Gb/s", d->name, (double)is / 1e9, (double)most / 1e9);
		if (a->answer == ANSWER_YES)
			return;
	}
	if (!is_told)
		unreported(a, "no result of a bandwidth test was read");
}

void answer_has_gpudirect(struct asking *a)
{
	static const uint64_t off = 0;
	struct census n;

	take_census(a, "app.gdr", is_number, &off, &n);
	if (!n.yes && !n.no)
		return lacks_census(a, &n, NO_LOG);
	a->answer = n.yes ? ANSWER_NO : ANSWER_YES;
	snprintf(a->what, sizeof(a->what), "%zu host%s with GPU Direct RDMA, %zu without", n.no, plural_s(n.no), n.yes);
}

static void has_status(struct asking *a, uint64_t status, const char *yes)
{
	any_host(a, "app.status", is_number, &status, yes, "another failed completion", NO_LOG " that holds a failed completion");
}

void answer_has_retries(struct asking *a)
{
	has_status(a, 12, "transport retry counter exceeded");
}

void answer_has_access_errors(struct asking *a)
{
	has_status(a, 10, "remote access error");
}

void answer_has_length_errors(struct asking *a)
{
	struct census length, protection;
	static const uint64_t local_length = 1, local_protection = 4;

	take_census(a, "app.status", is_number, &local_length, &length);
	a->n_evidence = 0;
	take_census(a, "app.status", is_number, &local_protection, &protection);
	if (!length.yes && !length.no)
		return lacks_census(a, &length, NO_LOG " that holds a failed completion");
	a->answer = length.yes || protection.yes ? ANSWER_YES : ANSWER_NO;
	snprintf(a->what, sizeof(a->what), "local length error at %zu host%s, local protection error at %zu", length.yes,
		 plural_s(length.yes), protection.yes);
}

/* -- RDMA and PCIe at the hosts -- */

static bool is_host(const struct asking *a, const struct device *d)
{
	return !device_is_switch(d, a->d->of.inventory);
}

static bool knows_no_uverbs(const struct asking *a, const struct device *d)
{
	const struct cell *c = device_cell(d, FIELD_MODULES, 0);

	return known(a, c) && c->value.text && !strstr(c->value.text, "ib_uverbs");
}

void answer_has_rdma(struct asking *a)
{
	size_t with = 0, without = 0;
	const struct device *bare = NULL;

	for (size_t i = 0; i < model_devices(a->d->of.model); i++) {
		const struct device *d = model_device(a->d->of.model, i);
		bool has = false;

		if (!is_host(a, d) || !diagnosis_covers(a->d, d, NULL))
			continue;
		for (size_t k = 0; k < d->n_ports && !has; k++) {
			has = port_text(d->ports[k], FIELD_RDMA) != NULL;
			if (has && !with++)
				cite(a, d, d->ports[k], FIELD_RDMA, 0);
		}
		if (!has && knows_no_uverbs(a, d) && !without++)
			bare = d;
	}
	if (bare) {
		a->answer = ANSWER_NO;
		a->n_evidence = 0;
		cite(a, bare, NULL, FIELD_MODULES, 0);
		snprintf(a->what, sizeof(a->what), "%.80s has no ib_uverbs and shows no RDMA device", bare->name);
		return;
	}
	if (!with)
		return lacks(a, "no host reports its RDMA devices");
	a->answer = ANSWER_YES;
	snprintf(a->what, sizeof(a->what), with == 1 ? "%zu host shows RDMA devices" : "%zu hosts show RDMA devices", with);
}

/* Whether a number of each host port reaches what it could be; unknown where no port tells both. */
static void each_reaches(struct asking *a, const char *is_name, const char *most_name, size_t *told, struct unread *unread)
{
	enum field is_field, most_field;
	uint64_t is, most;

	if (!field_find(span_of(is_name), &is_field) || !field_find(span_of(most_name), &most_field))
		return;
	for (size_t i = 0; i < model_ports(a->d->of.model); i++) {
		const struct port *p = model_port(a->d->of.model, i);

		note_unread(a, p, is_field, 0, unread);
		note_unread(a, p, most_field, 0, unread);
		if (!diagnosis_covers(a->d, p->device, p) || !port_number(a->d->of.model, p, is_field, 0, &is) ||
		    !port_number(a->d->of.model, p, most_field, 0, &most))
			continue;
		++*told;
		if (is >= most || a->answer == ANSWER_NO)
			continue;
		a->answer = ANSWER_NO;
		a->n_evidence = 0;
		cite(a, p->device, p, is_field, 0);
		cite(a, p->device, p, most_field, 0);
		snprintf(a->what, sizeof(a->what), "%.60s:%.60s has %s below what it is capable of", p->device->name, p->name, is_name);
	}
}

void answer_pcie_is_full(struct asking *a)
{
	struct unread unread = { NULL };
	size_t told = 0;

	each_reaches(a, "pcie.width", "pcie.width.max", &told, &unread);
	each_reaches(a, "pcie.speed", "pcie.speed.max", &told, &unread);
	if (a->answer == ANSWER_NO)
		return;
	if (unread.port)
		return lacks_unread(a, &unread);
	if (!told)
		return unreported(a, "no host reports its PCIe links");
	a->answer = ANSWER_YES;
	snprintf(a->what, sizeof(a->what), "PCIe width and speed are full wherever they are reported");
}

/* A virtual function shows no QoS of its own: what is wrong with it shows at its RDMA port. */
void answer_vf_is_set(struct asking *a)
{
	struct unread unread = { NULL };
	size_t told = 0, others = 0;
	uint64_t role, state;

	for (size_t i = 0; i < model_ports(a->d->of.model); i++) {
		const struct port *p = model_port(a->d->of.model, i);

		note_unread(a, p, FIELD_ROLE, 0, &unread);
		if (!diagnosis_covers(a->d, p->device, p) || !port_number(a->d->of.model, p, FIELD_ROLE, 0, &role))
			continue;
		others += role != ROLE_VF;
		if (role != ROLE_VF)
			continue;
		if (!port_number(a->d->of.model, p, FIELD_RDMA_STATE, 0, &state))
			continue;
		told++;
		cite(a, p->device, p, FIELD_RDMA_STATE, 0);
		if (state == RDMA_ACTIVE)
			continue;
		a->answer = ANSWER_NO;
		snprintf(a->what, sizeof(a->what), "%.60s:%.60s, a virtual function, is not active", p->device->name, p->name);
		return;
	}
	if (unread.port)
		return lacks_unread(a, &unread);
	a->answer = told ? ANSWER_YES : others ? ANSWER_NA : ANSWER_UNKNOWN;
	if (!told && others)
		snprintf(a->what, sizeof(a->what), "no port is a virtual function");
	else if (told)
		snprintf(a->what, sizeof(a->what), "%zu virtual functions are active; their QoS is judged at their PF", told);
	else
		unreported(a, "no virtual function reports its RDMA port");
}

/* -- the seed's own -- */

void answer_trusts_dscp(struct asking *a)
{
	size_t told = 0, silent = 0;
	uint64_t trust;

	for (size_t i = 0; i < model_ports(a->d->of.model); i++) {
		const struct port *p = model_port(a->d->of.model, i);
		const struct link *l = links_of_port(a->d->of.links, p);

		if (is_host(a, p->device) || !l || !l->is_fabric || !diagnosis_covers(a->d, p->device, p))
			continue;
		if (!port_number(a->d->of.model, p, FIELD_TRUST, 0, &trust)) {
			silent++;
			continue;
		}
		if (!told++)
			cite(a, p->device, p, FIELD_TRUST, 0);
		if (trust == TRUST_DSCP || trust == TRUST_BOTH)
			continue;
		a->answer = ANSWER_NO;
		a->n_evidence = 0;
		cite(a, p->device, p, FIELD_TRUST, 0);
		snprintf(a->what, sizeof(a->what), "%.80s:%.80s does not", p->device->name, p->name);
		return;
	}
	if (!told || silent)
		return lacks(a, "what the switch ports trust");
	a->answer = ANSWER_YES;
	snprintf(a->what, sizeof(a->what), told == 1 ? "the %zu switch port that reports it does" : "all %zu switch ports do", told);
}

/* -- rates -- */

#define STALLED_PCT	10	/* fabcon default: of the last second */

void answer_memory_keeps_up(struct asking *a)
{
	size_t told = 0;
	uint64_t stall_pct;
	char words[24];

	for (size_t i = 0; i < model_ports(a->d->of.model); i++) {
		const struct port *p = model_port(a->d->of.model, i);

		if (!diagnosis_covers(a->d, p->device, p) || !port_number(a->d->of.model, p, FIELD_PCI_STALL, 0, &stall_pct))
			continue;
		if (!told++)
			cite(a, p->device, p, FIELD_PCI_STALL, 0);
		if (stall_pct < STALLED_PCT)
			continue;
		a->answer = ANSWER_NO;
		a->n_evidence = 0;
		cite(a, p->device, p, FIELD_PCI_STALL, 0);
		snprintf(a->what, sizeof(a->what), "%.60s:%.60s waits for memory %llu %% of the time", p->device->name, p->name,
			 (unsigned long long)stall_pct);
		return;
	}
	if (!told)
		return unreported(a, "no NIC reports the time that its writes stall");
	a->answer = ANSWER_YES;
	snprintf(words, sizeof(words), "less than %d %% ", STALLED_PCT);
	say_at_all(a, words, told);
}

#define SOME_BYTES	1e6	/* per second: less says nothing of a class */

#define OUT_OF_CLASS	0.1	/* fabcon default: two counters of bursts, read at different moments, differ by less */

/* Bytes sent in the lossless priorities, and in all: of one reply, so that they can be compared. */
static double lossless_bytes(const struct asking *a, const struct port *p, double *all)
{
	unsigned lossless = policy_lossless(a->d->of.policy, false);
	double per_s, sum = 0;

	*all = 0;
	for (unsigned prio = 0; prio < 8; prio++) {
		if (!port_rate(a->d->of.model, p, FIELD_TX_BYTES, prio, &per_s))
			continue;
		*all += per_s;
		sum += lossless >> prio & 1 ? per_s : 0;
	}
	return sum;
}

void answer_bytes_are_in_class(struct asking *a)
{
	size_t told = 0;
	double rdma;

	for (size_t i = 0; i < model_ports(a->d->of.model); i++) {
		const struct port *p = model_port(a->d->of.model, i);
		double in_class, all;

		if (!diagnosis_covers(a->d, p->device, p) || !port_rate(a->d->of.model, p, FIELD_RDMA_TX, 0, &rdma) || rdma < SOME_BYTES)
			continue;
		in_class = lossless_bytes(a, p, &all);
		if (all < rdma / 2)
			continue;	/* read at different moments of a burst: they do not count the same bytes */
		told++;
		if (in_class >= all * OUT_OF_CLASS)
			continue;
		a->answer = ANSWER_NO;
		cite(a, p->device, p, FIELD_RDMA_TX, 0);
		cite(a, p->device, p, FIELD_TX_BYTES, 3);
		snprintf(a->what, sizeof(a->what), "%.50s:%.50s sends %.0f MB/s of RDMA, %.0f MB/s in the lossless class",
			 p->device->name, p->name, rdma / 1e6, in_class / 1e6);
		return;
	}
	if (!told)
		return unreported(a, "RDMA bytes and bytes by priority, while traffic flows");
	a->answer = ANSWER_YES;
	say_at_all(a, "", told);
}

/* Uplinks of one switch to others: the busiest and the idlest. */
struct spread {
	const struct port *most, *least;
	double most_share, least_share;
	size_t n;
};

static void take_uplink(const struct asking *a, const struct port *p, struct spread *s)
{
	const struct link *l = links_of_port(a->d->of.links, p);
	const struct port *far = l ? link_far(l, p) : NULL;
	uint64_t speed_bps;
	double per_s, share;

	if (!far || is_host(a, far->device) || !port_number(a->d->of.model, p, FIELD_SPEED, 0, &speed_bps) || !speed_bps ||
	    !port_rate(a->d->of.model, p, FIELD_TX_TOTAL, 0, &per_s))
		return;
	share = per_s * 8 / (double)speed_bps;
	if (!s->n || share > s->most_share) {
		s->most = p;
		s->most_share = share;
	}
	if (!s->n || share < s->least_share) {
		s->least = p;
		s->least_share = share;
	}
	s->n++;
}

#define FULL_SHARE	0.9	/* fabcon default: an uplink that is full */
#define IDLE_PART	0.25	/* while another carries less than this part of it */

/* Of the switches that hosts stand at: those above have links down alone. */
static bool has_hosts(const struct asking *a, const struct device *d)
{
	for (size_t i = 0; i < d->n_ports; i++) {
		const struct link *l = links_of_port(a->d->of.links, d->ports[i]);
		const struct port *far = l ? link_far(l, d->ports[i]) : NULL;

		if (far && is_host(a, far->device))
			return true;
	}
	return false;
}

void answer_uplinks_are_even(struct asking *a)
{
	size_t told = 0;

	for (size_t i = 0; i < model_devices(a->d->of.model); i++) {
		const struct device *d = model_device(a->d->of.model, i);
		struct spread s = { 0 };

		if (is_host(a, d) || !diagnosis_covers(a->d, d, NULL) || !has_hosts(a, d))
			continue;
		for (size_t k = 0; k < d->n_ports; k++)
			take_uplink(a, d->ports[k], &s);
		told += s.n > 1;
		if (s.n < 2 || s.most_share < FULL_SHARE || s.least_share > IDLE_PART * s.most_share)
			continue;
		a->answer = ANSWER_NO;
		cite(a, d, s.most, FIELD_TX_TOTAL, 0);
		cite(a, d, s.least, FIELD_TX_TOTAL, 0);
		snprintf(a->what, sizeof(a->what), "%.50s: %.50s carries %.0f %% of its line rate, %.50s %.0f %%", d->name, s.most->name,
			 s.most_share * 100, s.least->name, s.least_share * 100);
		return;
	}
	if (!told)
		return unreported(a, "rates of two uplinks of a switch");
	a->answer = ANSWER_YES;
	snprintf(a->what, sizeof(a->what), "no uplink is full while an equal-cost uplink is idle, at %zu switches", told);
}

/* -- the pause graph -- */

static const struct pause_root *root_that_is(const struct asking *a, enum root_is is)
{
	for (size_t i = 0; i < a->d->pauses.n_roots; i++) {
		const struct pause_root *r = &a->d->pauses.roots[i];

		if (r->is == is && r->at && diagnosis_covers(a->d, r->at->device, r->at))
			return r;
	}
	return NULL;
}

static void by_root(struct asking *a, enum root_is is, double least_share)
{
	const struct pause_root *r = root_that_is(a, is);

	if (r && r->share >= least_share && r->is_sure) {
		a->answer = ANSWER_YES;
		snprintf(a->what, sizeof(a->what), "%.180s", r->what);
		memcpy(a->evidence, r->evidence, r->n_evidence * sizeof(*a->evidence));
		a->n_evidence = r->n_evidence;
		return;
	}
	if (r && r->share >= least_share)
		return lacks(a, "the paused time and the queue: likely, not seen");
	if (root_that_is(a, ROOT_UNKNOWN))
		return lacks(a, root_that_is(a, ROOT_UNKNOWN)->missing);
	if (a->d->pauses.lacking)
		return lacks(a, "pause counters of some links");
	a->answer = ANSWER_NO;
	snprintf(a->what, sizeof(a->what), "no pause starts at an oversubscribed egress port");
}

void answer_is_deadlocked(struct asking *a)
{
	by_root(a, ROOT_DEADLOCK, 0);
}

void answer_has_incast(struct asking *a)
{
	by_root(a, ROOT_CONGESTION, policy_limit(a->d->of.policy, LIMIT_PAUSE_WARN));
}

/* A peer that is not read pauses a port: whether it is a host nobody says. Otherwise the checks answer. */
void answer_hosts_are_read(struct asking *a)
{
	const struct pauses *g = &a->d->pauses;
	char why[128];

	for (size_t i = 0; i < g->n_holds; i++) {
		const struct hold *h = &g->holds[i];

		if (h->holder || !h->held || h->share < policy_limit(a->d->of.policy, LIMIT_PAUSE_LOOK) ||
		    !diagnosis_covers(a->d, h->held->device, h->held))
			continue;
		snprintf(why, sizeof(why), "what pauses %.50s:%.50s: its peer is not read", h->held->device->name, h->held->name);
		return lacks(a, why);
	}
	unreported(a, "no pause of a host");
}

/* Of devices that are still answering the checks know nothing: they answer for the others. */
void answer_is_read_whole(struct asking *a)
{
	if (a->d->of.is_partial)
		return lacks(a, "devices that are still answering (--timeout waits longer)");
	unreported(a, "whether every device answers in time, with counters that count");
}

/* -- the end of the way -- */

/* No where a check found something of at least that verdict. */
static bool is_any_found(struct asking *a, enum verdict least)
{
	const struct finding *const *list;
	size_t n = findings_open(a->d->of.findings, &list);

	for (size_t i = 0; i < n; i++) {
		if (list[i]->verdict < least || !diagnosis_touches(a->d, list[i]))
			continue;
		a->answer = ANSWER_NO;
		a->finding = list[i];
		snprintf(a->what, sizeof(a->what), "%.80s: %.100s", list[i]->where, list[i]->what);
		return true;
	}
	a->answer = ANSWER_YES;
	return false;
}

void answer_nothing_is_wrong(struct asking *a)
{
	if (!is_any_found(a, VERDICT_LOOK))
		snprintf(a->what, sizeof(a->what), "no open findings");
}

/* What no question on the way asked about. */
void answer_nothing_else(struct asking *a)
{
	if (!is_any_found(a, a->d->least))
		snprintf(a->what, sizeof(a->what), "no other finding is at %s or above", verdict_name(a->d->least));
}

void answer_fell_back(struct asking *a)
{
	const struct step *q1 = diagnosis_step(a->d, "Q1");

	a->answer = q1 ? q1->answer : ANSWER_UNREPORTED;
	if (answer_is_open(a->answer)) {
		snprintf(a->missing, sizeof(a->missing), "%s", NO_LOG);
		return;
	}
	snprintf(a->what, sizeof(a->what), "Q1: %s", a->answer == ANSWER_YES ? "NET/Socket" : "NET/IB");
}

/* A question that the way passes by, and whose checks do not know. */
static bool is_open_beside(const struct asking *a, const struct tree_question *q)
{
	struct asking beside;

	if (!q->checks || diagnosis_step(a->d, q->id))
		return false;
	question_ask(&beside, a->d, q);
	return answer_is_open(beside.answer);
}

/* Only where every question was answered, on the way or beside it, a way ends in "healthy". */
void answer_all_is_known(struct asking *a)
{
	size_t open = 0, beside = 0;

	for (size_t i = 0; i < a->d->n_steps; i++)
		open += answer_is_open(a->d->steps[i].answer);
	for (size_t i = 0; i < a->d->of.tree->n_questions; i++)
		beside += is_open_beside(a, &a->d->of.tree->questions[i]);
	a->answer = open || beside ? ANSWER_NO : ANSWER_YES;
	if (beside)
		snprintf(a->what, sizeof(a->what), "%zu question%s on the way without an answer, and %zu off it", open, plural_s(open), beside);
	else
		snprintf(a->what, sizeof(a->what), open ? "%zu questions on the way have no answer" : "every question on the way is answered",
			 open);
}
