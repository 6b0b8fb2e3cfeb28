/* What the processes of one host say together: facts, with the lines that say them. */
#include "core/application/nccl.h"

#define LINE_MAX_BYTES	1000	/* of a log's line that is kept as evidence */
#define TEXT_MAX	200
#define DISAGREE	"its processes differ"

struct telling {
	const struct nccl_log *log;
	struct span host;
	struct buf *excerpt;
	struct obs *o;
};

/* The next process of the host; NULL at the end. */
static const struct nccl_process *next(const struct telling *t, size_t *i)
{
	while (*i < t->log->n) {
		const struct nccl_process *p = &t->log->list[(*i)++];

		if (span_same(p->host, t->host))
			return p;
	}
	return NULL;
}

/* The line goes into the excerpt, once, and is cited by what is added next. */
static void cite(struct telling *t, struct span line)
{
	struct span kept = { line.p, line.n < LINE_MAX_BYTES ? line.n : LINE_MAX_BYTES };
	char *found = t->excerpt->n && kept.n ? memmem(t->excerpt->text, t->excerpt->n, kept.p, kept.n) : NULL;

	t->o->cite = CITE_NONE;
	if (!kept.p)
		return;
	t->o->cite = (uint32_t)(found ? (size_t)(found - t->excerpt->text) : t->excerpt->n);
	if (found)
		return;
	buf_add(t->excerpt, kept.p, kept.n);
	buf_str(t->excerpt, "\n");
}

static void add_text(struct telling *t, enum field f, struct span text)
{
	text = span_trim(text);
	if (text.n > TEXT_MAX)
		text.n = TEXT_MAX;
	if (text.n)
		obs_text(t->o, OBS_DEVICE, f, text);
}

typedef const struct nccl_said *(*said_of)(const struct nccl_process *p);

static const struct nccl_said *gid_of(const struct nccl_process *p) { return &p->gid_index; }
static const struct nccl_said *tc_of(const struct nccl_process *p) { return &p->tc; }
static const struct nccl_said *fifo_of(const struct nccl_process *p) { return &p->fifo_tc; }

/* A number that all processes which say it agree on. */
static void add_number(struct telling *t, enum field f, said_of of)
{
	const struct nccl_said *first = NULL;
	const struct nccl_process *p;

	for (size_t i = 0; (p = next(t, &i));) {
		const struct nccl_said *said = of(p);

		if (!said->line.p)
			continue;
		if (first && said->n != first->n) {
			cite(t, said->line);
			return obs_unknown(t->o, OBS_DEVICE, f, 0, DISAGREE);
		}
		first = first ? first : said;
	}
	if (!first)
		return;
	cite(t, first->line);
	obs_number(t->o, OBS_DEVICE, f, 0, first->n);
}

static void add_net(struct telling *t)
{
	static const unsigned words[] = {
		[NCCL_NET_IB] = APP_NET_IB, [NCCL_NET_SOCKET] = APP_NET_SOCKET, [NCCL_NET_PLUGIN] = APP_NET_PLUGIN,
	};
	struct nccl_said by, first = { .n = 0 };
	enum nccl_net all = NCCL_NET_UNKNOWN;
	const struct nccl_process *p;

	for (size_t i = 0; (p = next(t, &i));) {
		enum nccl_net net = nccl_net(p, &by);

		if (net == NCCL_NET_UNKNOWN)
			continue;
		if (all != NCCL_NET_UNKNOWN && net != all) {
			cite(t, by.line);
			return obs_number(t->o, OBS_DEVICE, FIELD_APP_NET, 0, APP_NET_MIXED);
		}
		if (all == NCCL_NET_UNKNOWN)
			first = by;
		all = net;
	}
	if (all == NCCL_NET_UNKNOWN)
		return;
	cite(t, first.line);
	obs_number(t->o, OBS_DEVICE, FIELD_APP_NET, 0, words[all]);
}

static void add_hcas(struct telling *t)
{
	struct buf all = { 0 }, one = { 0 };
	const struct nccl_process *p;
	struct span line = { NULL, 0 };

	for (size_t i = 0; (p = next(t, &i));) {
		struct span rest, word;

		buf_clear(&one);
		nccl_hcas(p, &one);
		for (rest = buf_span(&one); span_word(&rest, &word) && all.n < TEXT_MAX;)
			if (!span_is_among(word, all.text))
				buf_printf(&all, "%s%.*s", all.n ? " " : "", (int)word.n, word.p);
		line = line.p ? line : p->hcas.line;
	}
	cite(t, line);
	add_text(t, FIELD_APP_HCA, buf_span(&all));
	buf_done(&all);
	buf_done(&one);
}

static void add_version(struct telling *t)
{
	const struct nccl_said *version = &t->log->version;
	const struct nccl_process *p;

	for (size_t i = 0; (p = next(t, &i));)
		if (p->version.line.p) {
			version = &p->version;
			break;
		}
	cite(t, version->line);
	add_text(t, FIELD_APP_VERSION, version->text);
}

/* One process that does not is what to look at. */
static void add_direct(struct telling *t)
{
	struct nccl_said by, best = { .n = 0 };
	const struct nccl_process *p;
	int all = -1;

	for (size_t i = 0; (p = next(t, &i)) && all != 0;) {
		int one = nccl_direct(p, &by);

		if (one < 0 || nccl_net(p, &(struct nccl_said){ 0 }) == NCCL_NET_SOCKET)
			continue;
		all = one;
		best = by;
	}
	if (all < 0)
		return;
	cite(t, best.line);
	obs_bool(t->o, OBS_DEVICE, FIELD_APP_GDR, 0, all);
	add_text(t, FIELD_APP_GDR_WHY, best.text);
}

/* The traffic class is told by those that set it; that none does, only where they would have told. */
static void add_tc(struct telling *t)
{
	const struct nccl_process *p;
	struct span line = { NULL, 0 };
	bool set = false;

	for (size_t i = 0; (p = next(t, &i));) {
		set |= p->tc.line.p != NULL;
		if (!line.p && nccl_tc_is_unset(p))
			line = p->env.line;
	}
	add_number(t, FIELD_APP_TC, tc_of);
	if (set && line.p) {
		cite(t, line);
		obs_unknown(t->o, OBS_DEVICE, FIELD_APP_TC_SET, 0, DISAGREE);
	} else if (set || line.p) {
		if (line.p)
			cite(t, line);
		obs_bool(t->o, OBS_DEVICE, FIELD_APP_TC_SET, 0, set);
	}
}

static void error_words(const struct nccl_error *e, uint64_t times, struct buf *out)
{
	const struct completion *c = completion_find(e->status);

	buf_printf(out, "status %u: %s", e->status, c->what);
	if (e->hca.n)
		buf_printf(out, ", on %.*s", (int)(e->hca.n < 32 ? e->hca.n : 32), e->hca.p);
	if (e->peer.n)
		buf_printf(out, ", peer %.*s", (int)(e->peer.n < 48 ? e->peer.n : 48), e->peer.p);
	if (times > 1)
		buf_printf(out, ", %llu times", (unsigned long long)times);
}

static void add_errors(struct telling *t)
{
	const struct nccl_error *worst = NULL;
	const struct nccl_process *p;
	struct buf words = { 0 };
	uint64_t times = 0;

	for (size_t i = 0; (p = next(t, &i));) {
		if (!p->error.status)
			continue;
		if (!worst || (completion_find(worst->status)->is_consequence && !completion_find(p->error.status)->is_consequence))
			worst = &p->error;
	}
	if (!worst)
		return;
	for (size_t i = 0; (p = next(t, &i));)
		times += p->errors[worst->status];
	cite(t, worst->line);
	obs_number(t->o, OBS_DEVICE, FIELD_APP_STATUS, 0, worst->status);
	error_words(worst, times, &words);
	add_text(t, FIELD_APP_ERROR, buf_span(&words));
	buf_done(&words);
}

/* A port error is told as what it is, something that the log reports of an earlier time; another warning as it stands there. */
static void add_warning(struct telling *t, const struct nccl_said *said, bool is_over)
{
	struct buf words = { 0 };
	struct span port;

	cite(t, said->line);
	if (!nccl_port_error(said->text, &port))
		return add_text(t, FIELD_APP_WARNING, said->text);
	buf_printf(&words, "the log reports a port error%s%.*s%s", port.n ? " of " : "", (int)(port.n < 80 ? port.n : 80), port.n ? port.p : "",
		   is_over ? ", then that the port is active" : "");
	add_text(t, FIELD_APP_WARNING, buf_span(&words));
	buf_done(&words);
}

static void add_warnings(struct telling *t)
{
	const struct nccl_process *p, *known = NULL, *any = NULL, *none = NULL;

	for (size_t i = 0; (p = next(t, &i));) {
		known = known ? known : p->trouble ? p : NULL;
		any = any ? any : p->warning.line.p ? p : NULL;
		none = none ? none : p->none_found.line.p && nccl_net(p, &(struct nccl_said){ 0 }) != NCCL_NET_IB ? p : NULL;
	}
	if (known) {
		add_warning(t, &known->trouble_said, false);
		if (known->trouble->id)
			obs_text(t->o, OBS_DEVICE, FIELD_APP_TROUBLE, span_of(known->trouble->id));
	} else if (any || none) {
		add_warning(t, any ? &any->warning : &none->none_found, true);
	}
}

static void add_ranks(struct telling *t)
{
	struct nccl_process all = { .pid = 0 };
	const struct nccl_process *p;
	struct buf ranks = { 0 };
	uint64_t n = 0;

	for (size_t i = 0; (p = next(t, &i));) {
		n++;
		for (size_t k = 0; k < 16; k++)
			all.ranks_seen[k] |= p->ranks_seen[k];
	}
	t->o->cite = CITE_NONE;
	obs_number(t->o, OBS_DEVICE, FIELD_APP_PROCS, 0, n);
	nccl_ranks(&all, &ranks);
	add_text(t, FIELD_APP_RANKS, buf_span(&ranks));
	buf_done(&ranks);
}

size_t nccl_facts(const struct nccl_log *log, struct span host, struct buf *excerpt, struct obs *o)
{
	struct telling t = { log, host, excerpt, o };
	size_t i = 0, before = o->n;

	if (!next(&t, &i))
		return 0;
	add_ranks(&t);
	add_version(&t);
	add_net(&t);
	add_hcas(&t);
	add_number(&t, FIELD_APP_GID_INDEX, gid_of);
	add_tc(&t);
	add_number(&t, FIELD_APP_FIFO_TC, fifo_of);
	add_direct(&t);
	add_errors(&t);
	add_warnings(&t);
	o->cite = CITE_NONE;
	o->raw = buf_span(excerpt);
	return o->n - before;
}
