#include "tui/session/app_log.h"

#include <stdlib.h>
#include <unistd.h>

#include "core/application/application.h"
#include "core/application/nccl.h"
#include "core/application/perftest.h"
#include "remote/platform/mask.h"
#include "tui/text/files.h"

#define RANK	90	/* what a device says of itself is believed over a log of some time or other */

struct log_host {
	struct span name;
	bool is_told, has_told_bandwidth;
};

struct applog {
	struct buf text;
	char *from;		/* the host that the file is of, where it was said; NULL: those that it names */
	struct nccl_log log;
	struct perf_result *results;
	size_t n_results;
	struct log_host *hosts;
	size_t n, cap;
};

static void name_host(struct applog *l, struct span name)
{
	for (size_t i = 0; i < l->n; i++)
		if (span_same(l->hosts[i].name, name))
			return;
	if (!name.n)
		return;
	GROW(l->hosts, l->n, l->cap)->name = name;
	l->n++;
}

static void name_hosts(struct applog *l)
{
	if (l->from)
		name_host(l, span_of(l->from));
	for (size_t i = 0; i < l->log.n; i++)
		name_host(l, l->log.list[i].host);
	for (size_t i = 0; i < l->n_results; i++)
		for (size_t k = 0; k < l->results[i].n_hosts; k++)
			name_host(l, l->results[i].hosts[k]);
}

/* "node3=FILE", unless that is what the file is called. */
static const char *take_host(struct applog *l, const char *file)
{
	const char *equals = strchr(file, '=');

	if (!equals || equals == file || memchr(file, '/', (size_t)(equals - file)) || !access(file, F_OK))
		return file;
	l->from = xstrndup(file, (size_t)(equals - file));
	return equals + 1;
}

/* perftest prints no host's name. */
static bool has_nameless(const struct applog *l)
{
	for (size_t i = 0; !l->from && i < l->n_results; i++)
		if (l->results[i].kind == PERF_VERBS)
			return true;
	return false;
}

static const char whose[] = "perftest prints no host name: use --nccl HOST=FILE";

struct applog *applog_read(const char *file, struct err *err)
{
	struct applog *l = xcalloc(1, sizeof(*l));

	file = take_host(l, file);
	if (!file_read(file, &l->text, err)) {
		applog_free(l);
		return NULL;
	}
	mask_secrets(l->text.text, l->text.n);
	nccl_read(&l->log, buf_span(&l->text));
	l->results = xcalloc(PERF_RESULTS_MAX, sizeof(*l->results));
	l->n_results = perf_read(buf_span(&l->text), l->results);
	if (l->log.n_nccl + l->n_results == 0) {
		err_set(err, "%s: no NCCL lines in it (set NCCL_DEBUG=INFO to get them)", file);
		applog_free(l);
		return NULL;
	}
	name_hosts(l);
	if (!l->n && has_nameless(l)) {
		err_set(err, "%s: %s", file, whose);
		applog_free(l);
		return NULL;
	}
	return l;
}

void applog_free(struct applog *l)
{
	if (!l)
		return;
	nccl_done(&l->log);
	buf_done(&l->text);
	free(l->hosts);
	free(l->from);
	free(l->results);
	free(l);
}

static bool is_called(const char *device, struct span host)
{
	size_t n = device ? strcspn(device, ".") : 0;

	return device && (span_is(host, device) || span_same(host, (struct span){ device, n }));
}

/* NCCL cuts its host's name at the first dot. */
static const struct device *device_of(const struct model *m, struct span host)
{
	for (int own = 0; own < 2; own++)
		for (size_t i = 0; i < model_devices(m); i++) {
			const struct device *d = model_device(m, i);

			if (is_called(own ? device_text(d, FIELD_HOSTNAME) : d->name, host))
				return d;
		}
	return NULL;
}

/* What the host's RDMA ports carry together as payload; 0: not known. */
static uint64_t links_carry(const struct model *m, const struct device *d)
{
	uint64_t state, speed, mtu;
	double sum = 0;

	for (size_t i = 0; i < d->n_ports; i++) {
		const struct port *p = d->ports[i];

		if (port_text(p, FIELD_RDMA) && port_number(m, p, FIELD_RDMA_STATE, 0, &state) && state == RDMA_ACTIVE &&
		    port_number(m, p, FIELD_SPEED, 0, &speed) && port_number(m, p, FIELD_RDMA_MTU, 0, &mtu))
			sum += (double)speed * app_efficiency(mtu);
	}
	return (uint64_t)sum;
}

/* The same of the one link that a test of perftest uses, of both its directions where both were counted. */
static uint64_t link_carries(const struct model *m, const struct device *d, const struct perf_result *test)
{
	uint64_t speed, mtu = test->mtu;

	for (size_t i = 0; i < d->n_ports; i++) {
		const struct port *p = d->ports[i];
		const char *rdma = port_text(p, FIELD_RDMA);

		if (rdma && span_is(test->device, rdma) && port_number(m, p, FIELD_SPEED, 0, &speed) &&
		    (mtu || port_number(m, p, FIELD_RDMA_MTU, 0, &mtu)))
			return (uint64_t)((double)speed * app_efficiency(mtu) * (test->is_both_ways ? 2 : 1));
	}
	return 0;
}

static bool is_of_host(const struct applog *l, const struct perf_result *test, struct span host)
{
	if (test->kind == PERF_VERBS)
		return l->from && span_is(host, l->from);
	for (size_t i = 0; i < test->n_hosts; i++)
		if (span_same(test->hosts[i], host))
			return true;
	return false;
}

/* Those that the fabric has a part in, with messages large enough to tell. */
static bool is_judged(const struct perf_result *test)
{
	char reason[PERF_REASON_MAX];

	return test->bps > 0 && !perf_unjudged(test, reason);
}

/* What was tested, and what its links carry. */
struct tested {
	const struct perf_result *test;
	uint64_t carry;
};

/* The one that reached most of what its links carry; those whose links are not known yet are waited for. */
static struct tested best_of(const struct applog *l, const struct model *m, struct span host, const struct device *d)
{
	struct tested best = { 0 };

	for (size_t i = 0; i < l->n_results; i++) {
		const struct perf_result *test = &l->results[i];
		uint64_t carry;

		if (!is_judged(test) || !is_of_host(l, test, host))
			continue;
		carry = test->kind == PERF_VERBS ? link_carries(m, d, test) : links_carry(m, d);
		if (carry && (!best.test || test->bps / (double)carry > best.test->bps / (double)best.carry))
			best = (struct tested){ test, carry };
	}
	return best;
}

struct telling {
	void (*observe)(void *ctx, struct obs *o);
	void *ctx;
	int64_t at_us;
};

static void begin(struct obs *o, const struct telling *t, const struct device *d, const char *probe)
{
	obs_init(o, d->name, probe);
	o->rank = RANK;
	o->at_us = t->at_us;
}

static void tell_log(const struct applog *l, const struct log_host *h, const struct device *d, const struct telling *t)
{
	struct buf excerpt = { 0 };
	struct obs o;

	begin(&o, t, d, "nccl-log");
	if (nccl_facts(&l->log, h->name, &excerpt, &o))
		t->observe(t->ctx, &o);
	obs_done(&o);
	buf_done(&excerpt);
}

static void tell_bandwidth(const struct tested *best, const struct device *d, const struct telling *t)
{
	const struct perf_result *test = best->test;
	struct obs o;

	begin(&o, t, d, test->kind == PERF_VERBS ? "perftest" : "nccl-tests");
	o.raw = test->line;
	obs_cite(&o, test->line);
	obs_number(&o, OBS_DEVICE, FIELD_APP_BW, 0, (uint64_t)test->bps);
	obs_text(&o, OBS_DEVICE, FIELD_APP_BW_TEST, test->title);
	o.cite = CITE_NONE;
	obs_number(&o, OBS_DEVICE, FIELD_APP_BW_LINK, 0, best->carry);
	t->observe(t->ctx, &o);
	obs_done(&o);
}

void applog_tell(struct applog *l, const struct model *m, int64_t at_us, void (*observe)(void *ctx, struct obs *o), void *ctx)
{
	struct telling t = { observe, ctx, at_us };

	for (size_t i = 0; i < l->n; i++) {
		struct log_host *h = &l->hosts[i];
		const struct device *d = h->is_told && h->has_told_bandwidth ? NULL : device_of(m, h->name);
		struct tested best = { 0 };

		if (d && !h->is_told)
			tell_log(l, h, d, &t);
		if (d && !h->has_told_bandwidth)
			best = best_of(l, m, h->name, d);
		if (best.test)
			tell_bandwidth(&best, d, &t);
		h->has_told_bandwidth |= best.test != NULL;
		h->is_told |= d != NULL;
	}
}

void applog_untell(struct applog *l)
{
	for (size_t i = 0; i < l->n; i++)
		l->hosts[i].is_told = l->hosts[i].has_told_bandwidth = false;
}

/* Tests that no known link of their host stands for. */
static bool has_untold_test(const struct applog *l, const struct log_host *h)
{
	for (size_t i = 0; !h->has_told_bandwidth && i < l->n_results; i++)
		if (is_judged(&l->results[i]) && is_of_host(l, &l->results[i], h->name))
			return true;
	return false;
}

/* Tests that tell nothing about the links, each with its reason. */
static void tell_unjudged(const struct applog *l, struct buf *out)
{
	for (size_t i = 0; i < l->n_results; i++) {
		const struct perf_result *test = &l->results[i];
		char reason[PERF_REASON_MAX];
		const char *why = test->failed ? NULL : perf_unjudged(test, reason);

		if (why)
			buf_printf(out, "%.*s: %s; skipped\n", (int)test->title.n, test->title.p, why);
	}
}

void applog_untold(const struct applog *l, struct buf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (!l->hosts[i].is_told)
			buf_printf(out, "%s%.*s", n++ ? ", " : "no device here is named ", (int)l->hosts[i].name.n, l->hosts[i].name.p);
	if (n)
		buf_str(out, "; its log lines are left out\n");
	for (size_t i = 0; i < l->n; i++)
		if (l->hosts[i].is_told && has_untold_test(l, &l->hosts[i]))
			buf_printf(out, "%.*s: the speed of the tested links is not known; its tests are skipped\n",
				   (int)l->hosts[i].name.n, l->hosts[i].name.p);
	tell_unjudged(l, out);
	if (has_nameless(l))
		buf_printf(out, "%s\n", whose);
}
