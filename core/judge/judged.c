#include "core/judge/judged.h"

#include <stdio.h>
#include <stdlib.h>

/* Facts whose reason for being unknown is the reason that a port cannot be judged, the most telling first. */
static const enum field telling[] = { FIELD_RDMA, FIELD_PEER_NAME, FIELD_TRUST, FIELD_PFC_ON };

/* Probes that name ports and RDMA devices: of a device without any, what they printed. */
static const char *const naming[] = { "rdma", "lldp", "ibv_devinfo", "link", "ports" };

/* The reason that any port of the device gives for not knowing a fact. */
static const struct cell *unknown_cell(const struct device *d, enum field f)
{
	for (size_t i = 0; i < d->n_ports; i++) {
		const struct cell *c = port_cell(d->ports[i], f, 0);

		if (c && c->value.is == VALUE_UNKNOWN && c->value.text)
			return c;
	}
	return NULL;
}

static bool has_fact(const struct device *d, enum field f)
{
	for (size_t i = 0; i < d->n_ports; i++)
		if (port_text(d->ports[i], f))
			return true;
	return false;
}

/* A tool's own first line, when it is words: "lldpcli: Permission denied". */
static struct span own_words(const struct reply *r)
{
	struct span rest = { r->raw, r->raw ? strnlen(r->raw, r->raw_n) : 0 }, line = { 0 };

	while (span_line(&rest, &line) && !span_trim(line).n)
		;
	line = span_trim(line);
	if (line.n > 100)
		line.n = 100;
	return span_starts(line, "port ") || span_starts(line, "{") || span_starts(line, "[") ? (struct span){ 0 } : line;
}

static bool why_by_cell(const struct cell *c, struct unjudged *u)
{
	struct span words = own_words(c->reply);
	struct span reason = span_of(c->value.text);
	/* Where the tool ran and refused, its own words say more than ours. */
	bool says_more = words.n && !span_find(reason, "no RDMA device") && !span_find(reason, "is not installed");

	snprintf(u->why, sizeof(u->why), "%.90s%s%.*s%s", c->value.text, says_more ? " (\"" : "", says_more ? (int)words.n : 0,
		 says_more ? words.p : "", says_more ? "\")" : "");
	return true;
}

static bool why_by_reply(const struct device *d, struct unjudged *u)
{
	for (size_t i = 0; i < sizeof(naming) / sizeof(*naming); i++) {
		for (size_t k = 0; k < d->n_replies; k++) {
			struct span words = own_words(d->replies[k]);

			if (strcmp(d->replies[k]->probe, naming[i]) || !words.n)
				continue;
			snprintf(u->why, sizeof(u->why), "it names no network port; %s reported \"%.*s\"", naming[i], (int)words.n,
				 words.p);
			return true;
		}
	}
	return false;
}

static bool why_of_ports(const struct device *d, struct unjudged *u)
{
	for (size_t i = 0; i < d->n_ports; i++) {
		const struct cell *layer = port_cell(d->ports[i], FIELD_RDMA_LAYER, 0);

		if (!layer || layer->value.is != VALUE_KNOWN || layer->value.n != LAYER_INFINIBAND)
			continue;
		snprintf(u->why, sizeof(u->why), "its RDMA ports are InfiniBand, not Ethernet");
		return true;
	}
	for (size_t i = 0; i < sizeof(telling) / sizeof(*telling); i++) {
		const struct cell *c = has_fact(d, telling[i]) ? NULL : unknown_cell(d, telling[i]);

		if (c)
			return why_by_cell(c, u);
	}
	return false;
}

/* The error a device's reaching ended with, without its own name before it. */
static bool why_not_read(const struct device *d, struct unjudged *u)
{
	const char *error = device_text(d, FIELD_ERROR);
	struct span text = span_of(error ? error : "");

	if (d->heard_us)
		return false;
	if (span_skip(&text, d->name))
		span_skip(&text, ": ");
	snprintf(u->why, sizeof(u->why), "%.*s", (int)text.n, text.n ? text.p : "");
	if (!text.n)
		snprintf(u->why, sizeof(u->why), "it has not answered");
	return true;
}

static void find_why(struct unjudged *u)
{
	const struct device *d = u->device;

	if (why_not_read(d, u) || (d->n_ports && why_of_ports(d, u)) || (!d->n_ports && why_by_reply(d, u)))
		return;
	snprintf(u->why, sizeof(u->why), d->n_ports ? "none of its ports is known to carry RoCE" : "it names no network port");
}

static void add_unjudged(struct judged *j, const struct device *d, void (*find)(struct unjudged *u))
{
	struct unjudged *u = GROW(j->list, j->n_list, j->cap_list);

	j->n_list++;
	u->device = d;
	find(u);
}

/* Whether a probe that names neighbors has answered: of a support bundle none has. */
static bool was_asked(const struct device *d)
{
	for (size_t i = 0; i < d->n_replies; i++)
		if (strcmp(d->replies[i]->probe, "lldp") == 0)
			return true;
	return false;
}

static void find_why_alone(struct unjudged *u)
{
	const struct cell *c = unknown_cell(u->device, FIELD_PEER_NAME), *table = unknown_cell(u->device, FIELD_NEIGHBORS);
	size_t n;

	if (why_not_read(u->device, u))
		return;
	if (!c || !why_by_cell(c, u))
		snprintf(u->why, sizeof(u->why), was_asked(u->device) ? "LLDP names no neighbor" : "LLDP was not read");
	n = strlen(u->why);
	if (table)
		snprintf(u->why + n, sizeof(u->why) - n, "; neighbor table: %s", table->value.text);
}

void judged_neighbors(struct judged *j, const struct model *m)
{
	*j = (struct judged){ .devices = model_devices(m) };
	for (size_t i = 0; i < j->devices; i++) {
		const struct device *d = model_device(m, i);

		if (has_fact(d, FIELD_PEER_NAME) || has_fact(d, FIELD_PEER_MAC))
			j->n++;
		else
			add_unjudged(j, d, find_why_alone);
	}
}

void judged_make(struct judged *j, const struct model *m, const struct findings *f)
{
	*j = (struct judged){ .devices = model_devices(m) };
	for (size_t i = 0; i < j->devices; i++) {
		const struct device *d = model_device(m, i);

		if (findings_judged(f, d))
			j->n++;
		else
			add_unjudged(j, d, find_why);
	}
}

void judged_done(struct judged *j)
{
	free(j->list);
	*j = (struct judged){ 0 };
}

bool judged_is_nothing(const struct judged *j)
{
	return j->devices && !j->n;
}

static int by_name(const void *a, const void *b)
{
	return natural_cmp(*(const char *const *)a, *(const char *const *)b);
}

/* Those whose reason is that of the one at first, folded. */
static void name_group(const struct judged *j, size_t first, struct buf *out)
{
	const char **names = xcalloc(j->n_list, sizeof(*names));
	size_t n = 0;

	for (size_t i = first; i < j->n_list; i++)
		if (!strcmp(j->list[i].why, j->list[first].why))
			names[n++] = j->list[i].device->name;
	qsort(names, n, sizeof(*names), by_name);
	range_fold(names, n, out);
	free(names);
}

static bool is_first_of_group(const struct judged *j, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(j->list[k].why, j->list[i].why))
			return false;
	return true;
}

void judged_words(const struct judged *j, size_t most, struct buf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < j->n_list; i++) {
		if (!is_first_of_group(j, i) || n++ >= most)
			continue;
		buf_str(out, n > 1 ? "; " : "");
		name_group(j, i, out);
		buf_printf(out, ": %s", j->list[i].why);
	}
	if (n > most)
		buf_printf(out, "; %zu more reasons", n - most);
}

bool judged_nothing(const struct model *m, const struct findings *f, size_t most, struct buf *out)
{
	struct judged j;
	bool is_nothing;

	judged_make(&j, m, f);
	is_nothing = judged_is_nothing(&j);
	if (is_nothing) {
		buf_str(out, "nothing could be judged: ");
		judged_words(&j, most, out);
	}
	judged_done(&j);
	return is_nothing;
}
