#include "core/bringup/stage.h"

#include <assert.h>
#include <stdio.h>

const struct bringup_stage_row bringup_stage_table[BRINGUP_STAGES] = {
	[BRINGUP_REACH] = { "reach", "Reach", "device-reached answers-understood answers-in-time!" },
	[BRINGUP_IDENTITY] = { "identity", "Identity", "rdma-known rdma-hardware driver-ready modules-loaded firmware-as-wanted "
			       "firmware-alike fleet-alike@driver tools-agree vf-as-others" },
	[BRINGUP_PATHS] = { "paths", "Host paths", "pcie-as-capable memlock-enough?" },
	[BRINGUP_CABLING] = { "cabling", "Cabling", "link-up cables-swapped cabled-as-planned far-end-known" },
	[BRINGUP_WIRE] = { "wire", "Light and wire", "speed-same speed-as-capable fec-same fleet-alike@fec,cable "
			   "wire-clean bits-clean?" },
	[BRINGUP_MTU] = { "mtu", "MTU", "mtu-fits mtu-as-wanted rdma-mtu bond-members-alike@mtu fleet-alike@mtu,rdma.mtu" },
	[BRINGUP_QOS] = { "qos", "Trust, PFC, ECN",
			  "dcbx-off trust-as-wanted trust-same dscp-map-as-wanted dscp-same best-effort-lossy iscsi-apart prio-tc-as-wanted "
			  "tc-queue-as-wanted "
			  "ets-adds-up ets-cnp-served ets-as-wanted pfc-on-where-wanted pfc-only-where-wanted pfc-same pause-frames-off? "
			  "pfc-queue-agrees? watchdog-on? headroom-fits? buffer-alone? ecn-on ecn-sane ecn-before-pfc? ecn-as-wanted np-on rp-on "
			  "cnp-marked-as-wanted cnp-lands tos-ecn! bond-members-alike fleet-alike device-as-wanted port-as-wanted" },
	[BRINGUP_PERSISTENCE] = { "persistence", "Persistence", "qos-kept lldpad-off config-saved" },
	[BRINGUP_RDMA] = { "rdma", "RDMA", "rdma-active gid-v2 app-gid-is-v2 app-gid-alike app-uses-all-hcas" },
};

enum bringup_stage bringup_stage_find(struct span id)
{
	for (enum bringup_stage s = 0; s < BRINGUP_STAGES; s++)
		if (span_is(id, bringup_stage_table[s].id))
			return s;
	return BRINGUP_STAGES;
}

const char *bringup_state_word(enum bringup_state s)
{
	static const char *const words[BRINGUP_STATES] = {
		[BRINGUP_PASS] = "pass", [BRINGUP_UNKNOWN] = "not known", [BRINGUP_FAIL] = "fail", [BRINGUP_WAITS] = "not yet",
		[BRINGUP_SKIPPED] = "skipped",
	};

	return words[s];
}

/* "fleet-alike@fec,cable", "bits-clean?", "tos-ecn!" */
struct word {
	const struct check *check;
	struct span fields;	/* "fec,cable"; empty: all that no other stage's word of that check names */
	bool may_be_silent;
	enum verdict least;	/* that is a no */
};

static struct word word_read(struct span word)
{
	bool may_be_silent = word.n && word.p[word.n - 1] == '?', may_be_looked_at = word.n && word.p[word.n - 1] == '!';
	struct span name, fields = { NULL, 0 };
	char id[64];

	word.n -= may_be_silent || may_be_looked_at;
	if (!span_cut(word, '@', &name, &fields))
		name = word;
	snprintf(id, sizeof(id), "%.*s", (int)name.n, name.p);
	return (struct word){ check_find(id), fields, may_be_silent, may_be_looked_at ? VERDICT_WARN : VERDICT_LOOK };
}

#define WORDS_MAX	64	/* of one stage */

/* The words of each stage, read once: they are asked of each NIC each second. */
static struct word words[BRINGUP_STAGES][WORDS_MAX];
static size_t n_words[BRINGUP_STAGES];

__attribute__((constructor)) static void read_words(void)
{
	for (enum bringup_stage s = 0; s < BRINGUP_STAGES; s++) {
		struct span rest = span_of(bringup_stage_table[s].checks), word;

		while (span_word(&rest, &word)) {
			assert(n_words[s] < WORDS_MAX);
			words[s][n_words[s]++] = word_read(word);
		}
	}
}

const struct check *bringup_stage_check(struct span word)
{
	return word_read(word).check;
}

/* -- what a finding is about -- */

static bool cites(const struct finding *f, struct span fields)
{
	struct span name;
	enum field field;

	while (fields.n) {
		if (!span_cut(fields, ',', &name, &fields))
			name = fields, fields.n = 0;
		for (size_t i = 0; field_find(name, &field) && i < f->n_evidence; i++)
			if (f->evidence[i].field == field)
				return true;
	}
	return false;
}

static bool is_of_another_stage(const struct finding *f)
{
	for (enum bringup_stage s = 0; s < BRINGUP_STAGES; s++)
		for (const struct word *w = words[s]; w < words[s] + n_words[s]; w++)
			if (w->check == f->check && w->fields.n && cites(f, w->fields))
				return true;
	return false;
}

/* A check of several layers is answered in that of the setting it found, and in no other. */
static bool is_of_word(const struct finding *f, const struct word *w)
{
	if (!f)
		return !w->fields.n;
	return w->fields.n ? cites(f, w->fields) : !is_of_another_stage(f);
}

/* -- one check -- */

struct asking {
	const struct findings *f;
	struct bringup_answer *a;
	struct word word;
	bool is_any_yes;
};

/* The first no is the answer; the first unknown, as long as nothing says no. */
static void ask(struct asking *q, const struct device *d, const struct port *p)
{
	const struct check *c = q->word.check;
	bool is_lost = false;
	enum verdict v = findings_said(q->f, c, d, p, &is_lost);
	enum bringup_state state = v >= q->word.least ? BRINGUP_FAIL : v == VERDICT_UNKNOWN || is_lost ? BRINGUP_UNKNOWN : BRINGUP_PASS;

	q->is_any_yes |= v == VERDICT_OK && !is_lost;
	if (v != VERDICT_OK && !is_of_word(findings_open_at(q->f, c, d, p), &q->word))
		return;
	if (state == BRINGUP_UNKNOWN && v != VERDICT_UNKNOWN && q->word.may_be_silent) {
		if (!q->a->unreported) {
			q->a->unreported = c;
			q->a->silent = d;
		}
	} else if (state > q->a->state || (state == q->a->state && state != BRINGUP_PASS && !q->a->check)) {
		q->a->state = state;
		q->a->check = c;
		q->a->device = d;
		q->a->port = p;
	}
}

/* What is set on a bond is judged at the first of its members, and true of each. */
static const struct port *first_of_bond(const struct port *p)
{
	const struct port *bond = port_source(p, FIELD_MTU, 0);

	for (size_t i = 0; i < p->device->n_ports; i++)
		if (p->device->ports[i] != bond && port_source(p->device->ports[i], FIELD_MTU, 0) == bond)
			return p->device->ports[i];
	return p;
}

static bool is_judged(const struct asking *q, const struct port *p)
{
	bool is_lost;

	return findings_said(q->f, q->word.check, p->device, p, &is_lost) != VERDICT_NA;
}

/* p NULL: what is asked of the whole device alone. */
static void ask_of_end(struct asking *q, const struct device *d, const struct port *p)
{
	if (q->word.check->of == OF_DEVICE)
		ask(q, d, NULL);
	else if (p)
		ask(q, d, is_judged(q, p) ? p : first_of_bond(p));
}

static void ask_stage(enum bringup_stage stage, const struct findings *f, const struct device *device, const struct port *nic,
		      const struct port *far, struct bringup_answer *a)
{
	struct asking q = { .f = f, .a = a };

	*a = (struct bringup_answer){ .state = BRINGUP_PASS };
	for (size_t i = 0; i < n_words[stage]; i++) {
		q.word = words[stage][i];
		if (!q.word.check)
			continue;
		ask_of_end(&q, device, nic);
		if (far)
			ask_of_end(&q, far->device, far);
	}
	if (a->state == BRINGUP_PASS && !q.is_any_yes)
		a->state = BRINGUP_UNKNOWN;
}

void bringup_stage_ask(enum bringup_stage stage, const struct findings *f, const struct port *nic, const struct port *far,
		       struct bringup_answer *a)
{
	ask_stage(stage, f, nic->device, nic, far, a);
}

void bringup_course_read(const struct findings *f, const struct device *device, const struct port *nic, const struct port *far,
			 unsigned wanted, struct bringup_course *c)
{
	*c = (struct bringup_course){ .at = BRINGUP_STAGES, .state = BRINGUP_PASS };
	for (enum bringup_stage s = 0; s < BRINGUP_STAGES; s++) {
		if (!(wanted & 1u << s))
			c->stages[s].state = BRINGUP_SKIPPED;
		else if (c->state == BRINGUP_FAIL)
			c->stages[s].state = BRINGUP_WAITS;
		else
			ask_stage(s, f, device, nic, far, &c->stages[s]);
		if (c->stages[s].state <= BRINGUP_FAIL && c->stages[s].state > c->state) {
			c->state = c->stages[s].state;
			c->at = s;
		}
	}
}
