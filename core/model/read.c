/* Reading the model: cells, ages, rates. */
#include "core/model/model.h"

#include <stdio.h>
#include <string.h>

#include "core/model/internal.h"

static const struct cell *standing(struct cell *const *cells, enum field f, unsigned index)
{
	const struct cell *c;

	if (!cells[f] || index >= field_table[f].width)
		return NULL;
	c = &cells[f][index];
	return cell_stands(c) ? c : NULL;
}

const struct cell *port_cell(const struct port *p, enum field f, unsigned index)
{
	return standing(p->cells, f, index);
}

const struct cell *device_cell(const struct device *d, enum field f, unsigned index)
{
	return standing(d->cells, f, index);
}

const struct cell *fact_cell(const struct device *d, const struct port *p, enum field f, unsigned index)
{
	if (field_table[f].scope == SCOPE_DEVICE)
		return d ? device_cell(d, f, index) : NULL;
	return p ? port_cell(p, f, index) : NULL;
}

bool reply_is_stale(const struct model *m, const struct reply *r)
{
	return reply_is_old(r, r->at_us, m->now_us);
}

bool reply_is_late(const struct model *m, const struct reply *r)
{
	const struct port *p = r->period_us && r->subject ? model_find_port(m, r->device->name, r->subject) : NULL;
	uint64_t up;

	return r->period_us && reply_is_stale(m, r) && !(p && port_number(m, p, FIELD_UP, 0, &up) && !up);
}

bool cell_is_stale(const struct model *m, const struct cell *c)
{
	return reply_is_old(c->reply, cell_said_us(c), m->now_us);
}

bool cell_is_stale_setting(const struct model *m, const struct cell *c)
{
	return cell_is_stale(m, c) && cell_age_us(m, c) > 3 * SETTING_PERIOD;
}

int64_t cell_age_us(const struct model *m, const struct cell *c)
{
	return m->now_us - cell_said_us(c);
}

bool cells_coincide(const struct cell *a, const struct cell *b)
{
	return a->since_us <= cell_said_us(b) && b->since_us <= cell_said_us(a);
}

static bool known_number(const struct model *m, const struct cell *c, uint64_t *out)
{
	if (!c || c->value.is != VALUE_KNOWN || cell_is_stale(m, c))
		return false;
	*out = c->value.n;
	return true;
}

bool port_number(const struct model *m, const struct port *p, enum field f, unsigned index, uint64_t *out)
{
	return known_number(m, port_cell(p, f, index), out);
}

bool device_number(const struct model *m, const struct device *d, enum field f, unsigned index, uint64_t *out)
{
	return known_number(m, device_cell(d, f, index), out);
}

static const char *known_text(const struct cell *c)
{
	return c && c->value.is == VALUE_KNOWN ? c->value.text : NULL;
}

const char *port_text(const struct port *p, enum field f)
{
	return known_text(port_cell(p, f, 0));
}

const char *device_text(const struct device *d, enum field f)
{
	return known_text(device_cell(d, f, 0));
}

const struct port *port_source(const struct port *p, enum field f, unsigned index)
{
	bool of_bond = field_table[f].flags & FIELD_OF_BOND;
	const char *bond = !of_bond && port_cell(p, f, index) ? NULL : port_text(p, FIELD_BOND);

	for (size_t i = 0; bond && i < p->device->n_ports; i++) {
		const struct port *master = p->device->ports[i];

		if (strcmp(master->name, bond) == 0)
			return of_bond || port_cell(master, f, index) ? master : p;
	}
	return p;
}

const struct series *port_series(const struct port *p, enum field f, unsigned index)
{
	if (!p->series[f] || index >= field_table[f].width)
		return NULL;
	return &p->series[f][index];
}

#define SILENT_US	(10 * SECOND)

/* Its device went away: a rate that was counted before speaks of then. */
static bool is_silent(const struct model *m, const struct device *d, const struct cell *c)
{
	const struct cell *state = device_cell(d, FIELD_STATE, 0);

	return state && state->value.is == VALUE_KNOWN && (state->value.n == STATE_RETRYING || state->value.n == STATE_REFUSED) &&
	       cell_age_us(m, c) > SILENT_US;
}

bool port_rate(const struct model *m, const struct port *p, enum field f, unsigned index, double *per_s)
{
	const struct cell *c = port_cell(p, f, index);
	const struct series *s = port_series(p, f, index);

	if (!c || !s || c->value.is != VALUE_KNOWN || cell_is_stale(m, c) || is_silent(m, p->device, c))
		return false;
	if (s->note != RATE_OK && s->note != RATE_WRAPPED)
		return false;
	*per_s = s->per_s;
	return true;
}

/* How long a sample was counted for: since the one before; of the first nobody knows, and a second is the usual period. */
static double seconds_of(const int64_t *at_us, size_t i)
{
	return i && at_us[i] > at_us[i - 1] ? (double)(at_us[i] - at_us[i - 1]) / SECOND : 1;
}

static void weigh(struct mean *mean, const int64_t *at_us, const float *value, size_t first, size_t n)
{
	double sum = 0, seconds = 0, squares = 0;

	for (size_t i = first; i < n; i++) {
		sum += value[i] * seconds_of(at_us, i);
		seconds += seconds_of(at_us, i);
	}
	mean->n = n - first;
	if (mean->n)
		mean->per_s = sum / seconds;
	if (mean->n > 1)
		mean->window_us = (int64_t)(seconds * SECOND);
	for (size_t i = first; i < n; i++) {
		double off = (value[i] - mean->per_s) * seconds_of(at_us, i) / seconds;

		squares += off * off;
	}
	if (mean->n > 1)
		mean->error2 = squares * (double)mean->n / (double)(mean->n - 1);
}

bool port_mean(const struct model *m, const struct port *p, enum field f, unsigned index, int64_t window_us, struct mean *mean)
{
	int64_t at_us[HISTORY_LEN];
	float value[HISTORY_LEN];
	size_t n, first;

	*mean = (struct mean){ 0 };
	if (!port_rate(m, p, f, index, &mean->per_s))
		return false;
	n = first = series_history(port_series(p, f, index), at_us, value);
	while (first > 0 && m->now_us - at_us[first - 1] <= window_us)
		first--;
	weigh(mean, at_us, value, first, n);
	return true;
}

struct span cell_line(const struct cell *c, unsigned *number)
{
	struct span rest, line;

	*number = 0;
	if (!c->reply || !c->reply->raw || c->cite >= c->reply->raw_n)
		return (struct span){ 0 };
	for (const char *p = c->reply->raw; p < c->reply->raw + c->cite; p++)
		*number += *p == '\n';
	*number += 1;
	rest = (struct span){ c->reply->raw + c->cite, c->reply->raw_n - c->cite };
	span_line(&rest, &line);
	return line;
}

const char *rate_text(char out[RATE_TEXT], double per_s)
{
	snprintf(out, RATE_TEXT, per_s < 0.001 ? "%.4f" : per_s < 100 ? "%.3g" : "%.0f", per_s < 1e18 ? per_s : 1e18);
	return out;
}

bool port_is_twin(const struct port *p, const struct port *other)
{
	const char *bond = port_text(p, FIELD_BOND), *its = port_text(other, FIELD_BOND);

	return p != other && p->device == other->device && bond && its && strcmp(bond, its) == 0;
}
