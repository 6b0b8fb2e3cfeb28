#include "tui/session/baseline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tui/widgets/table.h"

#define ROWS_MAX	2000000
#define SAME		0.1	/* a rate that differs by less is as it was: traffic breathes */

void baseline_done(struct baseline *b)
{
	free(b->rows);
	memset(b, 0, sizeof(*b));
}

static uint64_t key_of(const char *device, const char *port, enum field f, unsigned index)
{
	return (table_key(device) * 31 + table_key(port)) * UINT64_C(1099511628211) + (uint64_t)f * 64 + index;
}

static int by_key(const void *a_, const void *b_)
{
	const struct baseline_row *a = a_, *b = b_;

	return a->key < b->key ? -1 : a->key > b->key;
}

static void settle(struct baseline *b)
{
	if (b->n)
		qsort(b->rows, b->n, sizeof(*b->rows), by_key);
}

static void add(struct baseline *b, uint64_t key, double number)
{
	*GROW(b->rows, b->n, b->cap) = (struct baseline_row){ key, number };
	b->n++;
}

/* Settings are numbers, words of a list or yes and no; of the DSCPs, those the policy speaks of. */
static bool is_kept(const struct policy *policy, enum field f, unsigned index)
{
	uint64_t wanted = f == FIELD_DSCP_PRIO ? policy_indices(policy, f) : 0;

	return field_table[f].scope == SCOPE_PORT && field_table[f].kind != KIND_TEXT && !(field_table[f].flags & FIELD_SHY) &&
	       (!wanted || wanted >> index & 1);
}

static bool number_of(const struct model *m, const struct port *p, enum field f, unsigned index, double *number)
{
	uint64_t n;

	if (field_table[f].kind == KIND_COUNTER)
		return port_rate(m, p, f, index, number);
	if (!port_number(m, p, f, index, &n))
		return false;
	*number = (double)n;
	return true;
}

static void take_port(struct baseline *b, const struct model *m, const struct port *p, const struct policy *policy,
		      struct buf *text)
{
	double number;

	for (unsigned f = 0; f < FIELD_COUNT; f++) {
		for (unsigned i = 0; p->cells[f] && i < field_table[f].width; i++) {
			if (!is_kept(policy, (enum field)f, i) || !number_of(m, p, (enum field)f, i, &number))
				continue;
			add(b, key_of(p->device->name, p->name, (enum field)f, i), number);
			buf_printf(text, "%s %s %s[%u] %.17g\n", p->device->name, p->name, field_table[f].name, i, number);
		}
	}
}

void baseline_take(struct baseline *b, const struct model *m, const struct links *links, const struct policy *policy,
		   struct buf *text)
{
	baseline_done(b);
	b->at_us = model_now(m);
	buf_printf(text, "fabcon-baseline 1 %lld\n", (long long)b->at_us);
	for (size_t i = 0; i < links->n; i++) {
		take_port(b, m, links->list[i].a, policy, text);
		if (links->list[i].b)
			take_port(b, m, links->list[i].b, policy, text);
	}
	settle(b);
}

static bool read_number(struct span word, double *out)
{
	char text[64], *end;

	if (!word.n || word.n >= sizeof(text))
		return false;
	memcpy(text, word.p, word.n);
	text[word.n] = '\0';
	*out = strtod(text, &end);
	return !*end && isfinite(*out) && *out >= 0;
}

static void read_line(struct baseline *b, struct span line)
{
	struct span device, port, field, word, name, index;
	char names[2][160];
	uint64_t i;
	enum field f;
	double number;

	if (!span_word(&line, &device) || !span_word(&line, &port) || !span_word(&line, &field) || !span_word(&line, &word) ||
	    !span_cut(field, '[', &name, &index) || !index.n || !field_find(name, &f) || !read_number(word, &number) ||
	    !span_u64((struct span){ index.p, index.n - 1 }, &i) || i >= field_table[f].width || b->n >= ROWS_MAX)
		return;
	snprintf(names[0], sizeof(names[0]), "%.*s", (int)(device.n < 159 ? device.n : 159), device.p);
	snprintf(names[1], sizeof(names[1]), "%.*s", (int)(port.n < 159 ? port.n : 159), port.p);
	add(b, key_of(names[0], names[1], f, (unsigned)i), number);
}

bool baseline_read(struct baseline *b, struct span text, struct err *err)
{
	struct span line, head, version, at;
	uint64_t at_us;

	baseline_done(b);
	if (!span_line(&text, &line) || !span_word(&line, &head) || !span_is(head, "fabcon-baseline") || !span_word(&line, &version) ||
	    !span_is(version, "1") || !span_word(&line, &at) || !span_u64(at, &at_us) || !at_us || at_us > INT64_MAX)
		return err_set(err, "is not a baseline of this version");
	while (span_line(&text, &line))
		read_line(b, line);
	b->at_us = (int64_t)at_us;
	settle(b);
	return true;
}

bool baseline_of(const struct baseline *b, const struct port *p, enum field f, unsigned index, double *number)
{
	struct baseline_row key = { .key = key_of(p->device->name, p->name, f, index) };
	const struct baseline_row *row = b->n ? bsearch(&key, b->rows, b->n, sizeof(key), by_key) : NULL;

	if (!row)
		return false;
	*number = row->number;
	return true;
}

const char *baseline_words(char out[24], double was, double is)
{
	double ratio = was > 0 ? is / was : 0;

	if (was == is || (was > 0 && fabs(ratio - 1) < SAME))
		snprintf(out, 24, "=");
	else if (was <= 0)
		snprintf(out, 24, "new");
	else if (ratio >= 2)
		snprintf(out, 24, ratio < 9.95 ? "x%.1f" : "x%.0f", ratio);
	else
		snprintf(out, 24, "%+.0f%%", (ratio - 1) * 100);
	return out;
}
