#include "core/judge/predicate.h"

#include <stdarg.h>
#include <stdio.h>

#define LASTING		3	/* samples */

void ask_begin(struct case_of *c)
{
	c->verdict = VERDICT_OK;
	c->what[0] = c->missing[0] = '\0';
	c->lacking = NULL;
	c->is_lost = c->is_gone = c->is_early = false;
	c->mean_us = 0;
	c->n_evidence = 0;
	c->held = 0;
}

/* -- verdicts -- */

void ask_ok(struct case_of *c)
{
	c->verdict = VERDICT_OK;
}

void ask_na(struct case_of *c, const char *why)
{
	c->verdict = VERDICT_NA;
	snprintf(c->what, sizeof(c->what), "%s", why);
}

void ask_lost(struct case_of *c, const char *why)
{
	ask_na(c, why);
	c->is_lost = true;
}

void ask_gone(struct case_of *c, const char *why)
{
	ask_lost(c, why);
	c->is_gone = true;
}

void ask_no(struct case_of *c, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(c->what, sizeof(c->what), format, args);
	va_end(args);
	c->verdict = c->check->severity;
}

void ask_no_at(struct case_of *c, enum verdict verdict, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(c->what, sizeof(c->what), format, args);
	va_end(args);
	c->verdict = verdict;
}

void ask_unknown(struct case_of *c, enum lack lack, const struct device *lacking, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(c->missing, sizeof(c->missing), format, args);
	va_end(args);
	c->verdict = VERDICT_UNKNOWN;
	c->lack = lack;
	c->lacking = lacking;
}

bool ask_lacks(const struct case_of *c)
{
	return c->missing[0] != '\0';
}

void ask_ok_unless_lacking(struct case_of *c)
{
	c->verdict = ask_lacks(c) ? VERDICT_UNKNOWN : VERDICT_OK;
}

/* -- reading -- */

static void add_evidence(struct case_of *c, const struct device *d, const struct port *p, enum field f, unsigned index)
{
	struct evidence *e;

	if (c->n_evidence == EVIDENCE_MAX)
		return;
	e = &c->evidence[c->n_evidence++];
	e->device = d;
	e->port = p;
	e->field = f;
	e->index = index;
	e->note[0] = '\0';
}

void ask_cite(struct case_of *c, const struct port *p, enum field f, unsigned index)
{
	add_evidence(c, NULL, p, f, index);
}

void ask_cite_device(struct case_of *c, const struct device *d, enum field f)
{
	add_evidence(c, d, NULL, f, 0);
}

/* Keeps the fact whose lack tells most, the first of such. */
static void note_lack(struct case_of *c, const struct device *d, const struct port *p, enum field f, unsigned index,
		      const struct cell *cell)
{
	enum lack lack = !cell ? LACK_ABSENT : cell->value.is == VALUE_UNKNOWN ? LACK_REASON : LACK_OLD;
	char why[64], at[8] = "";

	if (cell && lack == LACK_REASON && cell_is_stale(c->model, cell))
		lack = LACK_OLD;
	if (ask_lacks(c) && lack <= c->lack)
		return;
	if (lack == LACK_ABSENT)
		snprintf(why, sizeof(why), "not reported");
	else if (lack == LACK_OLD)
		snprintf(why, sizeof(why), "old, %lld s", (long long)(cell_age_us(c->model, cell) / SECOND));
	else
		snprintf(why, sizeof(why), "%s", cell->value.text ? cell->value.text : "no reason");
	if (field_table[f].width > 1)
		snprintf(at, sizeof(at), "[%u]", index);
	ask_unknown(c, lack, d, "%.40s%s%.30s %s%s: %s", d->name, p ? " " : "", p ? p->name : "", field_table[f].name, at,
		    why);
}

const char ask_counted_there[] = "of the bond's RDMA device: judged at another member";

bool ask_is_counted(const struct port *p, enum field f)
{
	const struct port *bond = port_source(p, f, 0);

	for (size_t i = 0; bond != p && p->device->ports[i] != p; i++)
		if (p->device->ports[i] != bond && port_source(p->device->ports[i], f, 0) == bond)
			return true;
	return false;
}

bool ask_own(struct case_of *c, const struct port *p, enum field f, unsigned index, uint64_t *out)
{
	const struct cell *cell = port_cell(p, f, index);

	if (cell)
		ask_cite(c, p, f, index);
	if (cell && cell->value.is == VALUE_KNOWN && !cell_is_stale(c->model, cell)) {
		*out = cell->value.n;
		return true;
	}
	note_lack(c, p->device, p, f, index, cell);
	return false;
}

bool ask_port(struct case_of *c, const struct port *p, enum field f, unsigned index, uint64_t *out)
{
	const struct cell *bond = field_table[f].flags & FIELD_OF_BOND ? port_cell(p, FIELD_BOND, 0) : NULL;

	if (!bond || bond->value.is == VALUE_KNOWN)
		return ask_own(c, port_source(p, f, index), f, index, out);
	note_lack(c, p->device, p, FIELD_BOND, 0, bond);	/* whose it is: the port's, or that of a bond above it */
	return false;
}

bool ask_device(struct case_of *c, const struct device *d, enum field f, uint64_t *out)
{
	const struct cell *cell = device_cell(d, f, 0);

	if (cell)
		ask_cite_device(c, d, f);
	if (cell && cell->value.is == VALUE_KNOWN && !cell_is_stale(c->model, cell)) {
		*out = cell->value.n;
		return true;
	}
	note_lack(c, d, NULL, f, 0, cell);
	return false;
}

bool ask_or_index(struct case_of *c, const struct port *p, enum field f, unsigned index, uint64_t *out)
{
	if (ask_said(p, f, index))
		return ask_port(c, p, f, index, out);
	*out = index;
	return true;
}

bool ask_said(const struct port *p, enum field f, unsigned index)
{
	return port_cell(port_source(p, f, index), f, index) != NULL;
}

bool ask_is_switch(const struct case_of *c, const struct port *p)
{
	return c->context->parties[p->device->id].is_switch;
}

bool ask_wants(const struct case_of *c, const struct port *p, enum field f, unsigned index, uint64_t *out)
{
	const struct party *party = &c->context->parties[p->device->id];
	struct policy_target t = { p->device->name, p->name, party->is_switch, party->host };
	struct value v;

	if (alike_by_part(f)) {
		t.part = nic_board(p);
		t.driver = port_text(p, FIELD_DRIVER);
	}
	if (!policy_wants(c->policy, &t, f, index, &v, NULL))
		return false;
	*out = v.n;
	return true;
}

unsigned ask_lossless(const struct case_of *c, const struct port *p)
{
	unsigned set = 0;
	uint64_t on;

	for (unsigned prio = 0; prio < 8; prio++)
		if (ask_wants(c, p, FIELD_PFC_ON, prio, &on) && on)
			set |= 1u << prio;
	return set;
}

const struct port *ask_far(struct case_of *c)
{
	const struct port *far = c->link && c->port ? link_far(c->link, c->port) : c->link ? c->link->b : NULL;

	if (!far)
		ask_unknown(c, LACK_FAR, NULL, "the far end is not known");
	return far;
}

/* -- rates -- */

bool ask_rate(struct case_of *c, const struct port *p, enum field f, unsigned index, double *per_s)
{
	uint64_t count;

	p = port_source(p, f, index);
	if (!ask_port(c, p, f, index, &count))
		return false;
	if (port_rate(c->model, p, f, index, per_s))
		return true;
	if (port_series(p, f, index) && port_series(p, f, index)->note == RATE_STUCK)
		ask_unknown(c, LACK_REASON, p->device, "%.40s %.30s %s is at its maximum", p->device->name, p->name,
			    field_table[f].name);
	else if (!ask_lacks(c))
		ask_unknown(c, LACK_SAMPLE, p->device, "a second sample");
	return false;
}

bool ask_mean_over(struct case_of *c, const struct port *p, enum field f, unsigned index, int64_t window_us, struct mean *mean)
{
	const struct series *s;

	*mean = (struct mean){ 0 };
	if (!ask_rate(c, p, f, index, &mean->per_s))
		return false;
	p = port_source(p, f, index);
	s = port_series(p, f, index);
	if (s->history && s->n < LASTING)
		c->is_early = true;
	if (!port_mean(c->model, p, f, index, window_us, mean))
		return false;
	c->mean_us = mean->window_us;
	return true;
}

void ask_tell_window(struct case_of *c, int64_t mean_us)
{
	size_t n = strlen(c->what);

	if (c->verdict >= VERDICT_LOOK && mean_us > 0)
		snprintf(c->what + n, sizeof(c->what) - n, " (mean of %.0f s)", (double)mean_us / SECOND);
}

bool ask_mean(struct case_of *c, const struct port *p, enum field f, unsigned index, double *per_s)
{
	struct mean mean;
	bool is_known = ask_mean_over(c, p, f, index, MEAN_US, &mean);

	*per_s = mean.per_s;
	return is_known;
}

/* -- words -- */

const char *ask_set(unsigned set, char *words)
{
	size_t n = 0;

	for (unsigned i = 0; i < 8; i++)
		if (set >> i & 1)
			n += (size_t)snprintf(words + n, 24 - n, "%s%u", n ? "," : "", i);
	if (n == 0)
		snprintf(words, 24, "none");
	return words;
}

const char *ask_word(enum field f, uint64_t value, char *words)
{
	struct span word = field_word(f, value);

	snprintf(words, 24, "%.*s", (int)word.n, word.p ? word.p : "");
	return words;
}
