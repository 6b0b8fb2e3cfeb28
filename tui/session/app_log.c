#include "tui/session/app_log.h"

#include <stdlib.h>

#include "core/application/application.h"
#include "core/application/nccl.h"
#include "core/application/perftest.h"
#include "tui/text/files.h"

#define RANK	90	/* what a device says of itself is believed over a log of some time or other */

struct log_host {
	struct span name;
	bool is_told, has_told_bandwidth;
};

struct applog {
	struct buf text;
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
	for (size_t i = 0; i < l->log.n; i++)
		name_host(l, l->log.list[i].host);
	for (size_t i = 0; i < l->n_results; i++)
		for (size_t k = 0; k < l->results[i].n_hosts; k++)
			name_host(l, l->results[i].hosts[k]);
}

struct applog *applog_read(const char *file, struct err *err)
{
	struct applog *l = xcalloc(1, sizeof(*l));

	if (!file_read(file, &l->text, err)) {
		applog_free(l);
		return NULL;
	}
	nccl_read(&l->log, buf_span(&l->text));
	l->results = xcalloc(PERF_RESULTS_MAX, sizeof(*l->results));
	l->n_results = perf_read(buf_span(&l->text), l->results);
	if (l->log.n_nccl + l->n_results == 0) {
		err_set(err, "%s: no line of it is NCCL's (NCCL_DEBUG=INFO makes NCCL write them)", file);
		applog_free(l);
		return NULL;
	}
	name_hosts(l);
	return l;
}

void applog_free(struct applog *l)
{
	if (!l)
		return;
	nccl_done(&l->log);
	buf_done(&l->text);
	free(l->hosts);
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

/* The best of nccl-tests over several hosts: within one host the fabric has no part in it. */
static const struct perf_result *best_of(const struct applog *l, struct span host)
{
	const struct perf_result *best = NULL;

	for (size_t i = 0; i < l->n_results; i++)
		for (size_t k = 0; l->results[i].n_hosts > 1 && k < l->results[i].n_hosts; k++)
			if (span_same(l->results[i].hosts[k], host) && (!best || l->results[i].bps > best->bps))
				best = &l->results[i];
	return best && best->bps > 0 ? best : NULL;
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

/* Waits for the speed of the host's links. */
static bool tell_bandwidth(const struct model *m, const struct perf_result *best, const struct device *d, const struct telling *t)
{
	uint64_t carry = links_carry(m, d);
	struct obs o;

	if (!carry)
		return false;
	begin(&o, t, d, "nccl-tests");
	o.raw = best->line;
	obs_cite(&o, best->line);
	obs_number(&o, OBS_DEVICE, FIELD_APP_BW, 0, (uint64_t)best->bps);
	obs_text(&o, OBS_DEVICE, FIELD_APP_BW_TEST, best->title);
	o.cite = CITE_NONE;
	obs_number(&o, OBS_DEVICE, FIELD_APP_BW_LINK, 0, carry);
	t->observe(t->ctx, &o);
	obs_done(&o);
	return true;
}

void applog_tell(struct applog *l, const struct model *m, int64_t at_us, void (*observe)(void *ctx, struct obs *o), void *ctx)
{
	struct telling t = { observe, ctx, at_us };

	for (size_t i = 0; i < l->n; i++) {
		struct log_host *h = &l->hosts[i];
		const struct perf_result *best = h->has_told_bandwidth ? NULL : best_of(l, h->name);
		const struct device *d = h->is_told && !best ? NULL : device_of(m, h->name);

		if (d && !h->is_told)
			tell_log(l, h, d, &t);
		if (d && best)
			h->has_told_bandwidth = tell_bandwidth(m, best, d, &t);
		h->is_told |= d != NULL;
	}
}

void applog_untell(struct applog *l)
{
	for (size_t i = 0; i < l->n; i++)
		l->hosts[i].is_told = l->hosts[i].has_told_bandwidth = false;
}

void applog_strangers(const struct applog *l, struct buf *out)
{
	for (size_t i = 0; i < l->n; i++)
		if (!l->hosts[i].is_told)
			buf_printf(out, "%s%.*s", out->n ? ", " : "", (int)l->hosts[i].name.n, l->hosts[i].name.p);
}
