#include "tui/applog.h"

#include <stdlib.h>

#include "core/nccl.h"
#include "tui/files.h"

#define RANK	90	/* what a device says of itself is believed over a log of some time or other */

struct log_host {
	struct span name;
	bool is_told;
};

struct applog {
	struct buf text;
	struct nccl_log log;
	struct log_host *hosts;
	size_t n, cap;
};

static void name_hosts(struct applog *l)
{
	for (size_t i = 0; i < l->log.n; i++) {
		struct span name = l->log.list[i].host;
		size_t k = 0;

		while (k < l->n && !span_same(l->hosts[k].name, name))
			k++;
		if (k < l->n || !name.n)
			continue;
		GROW(l->hosts, l->n, l->cap)->name = name;
		l->n++;
	}
}

struct applog *applog_read(const char *file, struct err *err)
{
	struct applog *l = xcalloc(1, sizeof(*l));

	if (!file_read(file, &l->text, err)) {
		applog_free(l);
		return NULL;
	}
	if (nccl_read(&l->log, buf_span(&l->text)) == 0) {
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

void applog_tell(struct applog *l, const struct model *m, int64_t at_us, void (*observe)(void *ctx, struct obs *o), void *ctx)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct device *d = l->hosts[i].is_told ? NULL : device_of(m, l->hosts[i].name);
		struct buf excerpt = { 0 };
		struct obs o;

		if (!d)
			continue;
		obs_init(&o, d->name, "nccl-log");
		o.rank = RANK;
		o.at_us = at_us;
		if (nccl_facts(&l->log, l->hosts[i].name, &excerpt, &o))
			observe(ctx, &o);
		l->hosts[i].is_told = true;
		obs_done(&o);
		buf_done(&excerpt);
	}
}

void applog_untell(struct applog *l)
{
	for (size_t i = 0; i < l->n; i++)
		l->hosts[i].is_told = false;
}

void applog_strangers(const struct applog *l, struct buf *out)
{
	for (size_t i = 0; i < l->n; i++)
		if (!l->hosts[i].is_told)
			buf_printf(out, "%s%.*s", out->n ? ", " : "", (int)l->hosts[i].name.n, l->hosts[i].name.p);
}
