/* What others ask of the ledger. */
#include <stdlib.h>

#include "core/judge/finding_internal.h"

size_t findings_open(const struct findings *f, const struct finding *const **list)
{
	*list = f->open;
	return f->n_open;
}

const struct finding *findings_open_at(const struct findings *f, const struct check *check, const struct device *device,
				       const struct port *port)
{
	const struct finding *worst = NULL;

	for (const struct entry *e = f->of_check[row_of(check)]; e; e = e->next_of_check) {
		const struct finding *at = &e->finding;

		if (port ? at->port != port && at->far != port : at->port || at->device != device)
			continue;
		if (!worst || finding_cmp(&at, &worst) < 0)
			worst = at;
	}
	return worst;
}

size_t findings_count(const struct findings *f, enum verdict at_least)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_open; i++)
		n += f->open[i]->weight >= at_least && !f->open[i]->cause;
	return n;
}

size_t findings_early(const struct findings *f)
{
	return f->n_early;
}

size_t findings_untold(const struct findings *f)
{
	return f->n_untold;
}

const struct finding *findings_find(const struct findings *f, const char *check, const char *where)
{
	const struct check *of = check_find(check);
	const struct finding *worst = NULL;

	for (const struct entry *e = f->entries; of && e; e = e->hh.next) {
		const struct finding *found = &e->finding;

		if (found->check != of || strcmp(found->where, where) != 0)
			continue;
		if (!worst || found->is_open > worst->is_open ||
		    (found->is_open == worst->is_open && found->verdict > worst->verdict))
			worst = found;
	}
	return worst;
}

static int newest_closed(const void *a_, const void *b_)
{
	const struct finding *a = *(const struct finding *const *)a_, *b = *(const struct finding *const *)b_;

	return a->closed_us > b->closed_us ? -1 : a->closed_us < b->closed_us ? 1 : finding_cmp_place(a, b);
}

size_t findings_closed(const struct findings *f, int64_t since_us, const struct finding ***list)
{
	size_t n = 0, cap = 0;

	*list = NULL;
	for (const struct entry *e = f->entries; e; e = e->hh.next) {
		if (e->finding.is_open || e->finding.closed_us < since_us || e->finding.verdict < VERDICT_LOOK)
			continue;
		*(const struct finding **)GROW(*list, n, cap) = &e->finding;
		n++;
	}
	for (size_t i = 0; i < f->n_past; i++) {
		*(const struct finding **)GROW(*list, n, cap) = &f->past[i];
		n++;
	}
	if (n)
		qsort(*list, n, sizeof(**list), newest_closed);
	return n;
}

/* The rows of the check table that findings_worst() is asked about. */
static struct mask rows_about(const struct findings *f, const char *fields)
{
	static const struct mask all = { { [0 ... CHECKS_MAX / 64 - 1] = UINT64_MAX } };
	struct span rest = span_of(fields ? fields : ""), word;
	struct mask rows = { { 0 } };

	if (!fields)
		return all;
	while (span_word(&rest, &word)) {
		const struct topic *topic = finding_topic(f, word);

		for (size_t i = 0; topic && i < sizeof(rows.bits) / sizeof(*rows.bits); i++)
			rows.bits[i] |= topic->checks.bits[i];
	}
	return rows;
}

static bool meet(const struct mask *a, const struct mask *b)
{
	return (a->bits[0] & b->bits[0]) | (a->bits[1] & b->bits[1]);
}

static enum verdict worse(enum verdict a, enum verdict b)
{
	return a > b ? a : b;
}

/* What the masks say: unknown before as it should be, that before beside the point. */
static enum verdict worst_quiet(const struct verdicts *v, const struct mask *rows, bool *is_judged, bool *is_ok)
{
	bool is_unknown = meet(&v->unknown, rows), has_ok = meet(&v->ok, rows);

	*is_ok |= has_ok;
	*is_judged |= has_ok || is_unknown || meet(&v->na, rows) || meet(&v->lost, rows);
	return is_unknown ? VERDICT_UNKNOWN : VERDICT_OK;
}

enum verdict findings_worst(const struct findings *f, const struct port *a, const struct port *b, const char *fields)
{
	const struct port *ends[2] = { a, b };
	enum verdict worst = VERDICT_OK;
	struct mask rows = rows_about(f, fields);
	bool is_judged = false, is_ok = false;

	for (size_t i = 0; i < 2; i++) {
		const struct verdicts *v;

		if (!ends[i] || ends[i]->id >= f->n_ports)
			continue;
		v = &f->ports[ends[i]->id];
		worst = worse(worst, worst_quiet(v, &rows, &is_judged, &is_ok));
		for (const struct entry *e = v->open; e; e = e->next_of_port)
			if (mask_has(&rows, row_of(e->key.check)))
				worst = worse(worst, e->finding.verdict);
	}
	if (worst != VERDICT_OK || is_ok)
		return worst;
	return is_judged ? VERDICT_NA : VERDICT_UNKNOWN;
}

/* Rows that are asked of what carries RoCE. */
static bool is_about_roce(size_t row)
{
	const struct check *check = &check_table[row];

	return !check->any_port && (check->of == OF_PORT || check->of == OF_LINK);
}

static bool port_is_judged(const struct verdicts *v)
{
	for (size_t row = 0; row < check_count; row++)
		if (mask_has(&v->ok, row) && is_about_roce(row))
			return true;
	for (const struct entry *e = v->open; e; e = e->next_of_port)
		if (e->finding.verdict >= VERDICT_LOOK && is_about_roce(row_of(e->key.check)))
			return true;
	return false;
}

bool findings_judged(const struct findings *f, const struct device *d)
{
	for (size_t i = 0; i < d->n_ports; i++)
		if (d->ports[i]->id < f->n_ports && port_is_judged(&f->ports[d->ports[i]->id]))
			return true;
	return false;
}

static enum verdict worst_open(const struct findings *f, const struct check *check, const void *place)
{
	enum verdict worst = VERDICT_OK;

	for (unsigned i = 0; f->n_of_check[row_of(check)] && i <= (check->each_priority ? 7 : 0); i++) {
		const struct entry *e = finding_entry(f, check, place, i);

		if (e && e->finding.is_open)
			worst = worse(worst, e->finding.verdict);
	}
	return worst;
}

enum verdict findings_said(const struct findings *f, const struct check *check, const struct device *device,
			   const struct port *port, bool *is_lost)
{
	const struct verdicts *v = port && port->id < f->n_ports ? &f->ports[port->id] :
				   !port && device && device->id < f->n_devices ? &f->ports[f->n_ports + device->id] : NULL;
	enum verdict worst = worst_open(f, check, port ? (const void *)port : device);
	size_t row = row_of(check);

	*is_lost = v && mask_has(&v->lost, row);
	if (worst != VERDICT_OK)
		return worst;
	if (v && mask_has(&v->unknown, row))
		return VERDICT_UNKNOWN;
	return v && mask_has(&v->ok, row) && !*is_lost ? VERDICT_OK : VERDICT_NA;
}
