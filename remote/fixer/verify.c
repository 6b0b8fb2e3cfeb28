/* What must be seen after a change, by new observations: the configuration, the facts, the ports, and no new drop. */
#include "remote/fixer/internal.h"
#include "remote/platforms.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Each is of a priority or its queue; drops of the others are none of a lossless class. */
static const enum field drop_fields[] = {
	FIELD_RX_DROP, FIELD_RX_DROP_BUFFER, FIELD_RX_DROP_CONGESTION, FIELD_TX_DROP, FIELD_PG_DROP,
};
#define DROP_FIELDS	(sizeof(drop_fields) / sizeof(*drop_fields))
#define PRIORITIES	8
#define AGAIN_US	(SECOND_US / 2)
#define PATIENCE_US	(2 * SECOND_US)	/* what a device says at once, and does a little later */

/* The drops of one port as they stood. */
struct watched {
	const char *port;
	bool is_known[DROP_FIELDS][PRIORITIES];
	uint64_t count[DROP_FIELDS][PRIORITIES];
};

struct fix_watch {
	struct watched *ports;
	size_t n, cap;
	unsigned rounds;		/* of its settings that were looked at */
	int64_t first_us, asked_us;	/* when it was read first, and asked again last */
	bool is_asked;
};

static void watch_port(struct fix_watch *w, const char *port)
{
	for (size_t i = 0; i < w->n; i++)
		if (!strcmp(w->ports[i].port, port))
			return;
	GROW(w->ports, w->n, w->cap)->port = port;
	w->n++;
}

void fix_verify_begin(struct fix_run *r)
{
	struct span rest = span_of(r->is->ports ? r->is->ports : ""), word;

	r->watch = xcalloc(1, sizeof(*r->watch));
	r->seen_us = 0;
	while (span_word(&rest, &word))
		watch_port(r->watch, arena_text(&r->fixer->arena, word.p, word.n));
	for (size_t i = 0; i < r->is->n_edits; i++)
		if (r->is->edits[i].port)
			watch_port(r->watch, r->is->edits[i].port);
}

void fix_verify_end(struct fix_run *r)
{
	if (!r->watch)
		return;
	free(r->watch->ports);
	free(r->watch);
	r->watch = NULL;
}

/* -- is it as expected? -- */

static bool not_yet(struct fix_run *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool not_yet(struct fix_run *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(r->why, sizeof(r->why), format, args);
	va_end(args);
	return false;
}

static bool edit_is_seen(struct fix_run *r, const struct model *m, const struct edit *e)
{
	const struct device *d = model_find_device(m, r->is->device);
	const struct port *p = e->port ? model_find_port(m, r->is->device, e->port) : NULL;
	const struct cell *c = e->port ? (p ? port_cell(p, e->field, e->index) : NULL) : d ? device_cell(d, e->field, e->index) : NULL;
	struct buf text = { 0 };
	bool is_so = edit_is_met(e, c ? &c->value : NULL) && (!c || !cell_is_stale(m, c));

	/* Back to a value that nobody told: its part of the setup is compared as a text, and nobody may tell one now. */
	if (e->want.is != VALUE_KNOWN)
		is_so = !c || c->value.is != VALUE_KNOWN;
	if (is_so)
		return true;
	edit_print(e, &text);
	not_yet(r, "not seen: %.200s", text.text);
	buf_done(&text);
	return false;
}

static bool ports_are_up(struct fix_run *r, const struct model *m)
{
	uint64_t up;

	for (size_t i = 0; i < r->n_was_up; i++) {
		const struct port *p = model_find_port(m, r->is->device, r->was_up[i]);

		if (!p || !port_number(m, p, FIELD_UP, 0, &up))
			return not_yet(r, "whether %s is up is not known", r->was_up[i]);
		if (!up)
			return not_yet(r, "%s was up, and is down", r->was_up[i]);
	}
	return true;
}

static bool is_as_expected(const struct fix_reader *reader, struct fix_run *r)
{
	struct model *m = fix_reader_model(reader);

	fix_reader_judge(reader, r);
	if (r->part == PART_BEFORE)
		return not_yet(r, "it did not take effect");
	if (r->part == PART_OTHER)
		return not_yet(r, "its configuration is neither as before nor as planned");
	if (r->part != PART_AFTER)
		return false;
	for (size_t i = 0; i < r->is->n_edits; i++)
		if (!edit_is_seen(r, m, &r->is->edits[i]))
			return false;
	return ports_are_up(r, m);
}

/* -- drops -- */

static bool is_lossless(const struct fix_run *r, unsigned priority)
{
	const struct fixer *f = r->fixer;
	const struct platform *p = platform_find(r->is->platform);

	return !f->policy || policy_lossless(f->policy, p && p->is_switch) & 1u << priority;
}

static bool has_dropped(struct fix_run *r, const struct port *p, struct watched *w, size_t field, unsigned priority)
{
	const struct cell *c = port_cell(p, drop_fields[field], priority);
	uint64_t was = w->count[field][priority];

	if (!c || c->value.is != VALUE_KNOWN)
		return false;
	w->count[field][priority] = c->value.n;
	if (!w->is_known[field][priority] || c->value.n <= was || !is_lossless(r, priority)) {
		w->is_known[field][priority] = true;
		return false;
	}
	not_yet(r, "%s %s[%u] rose by %llu while it was watched", w->port, field_table[drop_fields[field]].name, priority,
		(unsigned long long)(c->value.n - was));
	return true;
}

/* True: a packet of a lossless class was lost since the last time. What is taken back may well lead to where some are. */
static bool drops(const struct fix_reader *reader, struct fix_run *r)
{
	struct model *m = fix_reader_model(reader);

	if (r->fixer->parent)
		return false;
	for (size_t i = 0; i < r->watch->n; i++) {
		const struct port *p = model_find_port(m, r->is->device, r->watch->ports[i].port);

		for (size_t f = 0; p && f < DROP_FIELDS; f++)
			for (unsigned priority = 0; priority < PRIORITIES; priority++)
				if (has_dropped(r, p, &r->watch->ports[i], f, priority))
					return true;
	}
	return false;
}

/* Its settings are asked for again until all is as expected, and once more at the end. */
static void ask_again(const struct fix_reader *reader, struct fix_run *r, int64_t now_us)
{
	int64_t due_us = r->seen_us ? r->verify_until_us : r->watch->asked_us + AGAIN_US;

	if (now_us < due_us || r->watch->is_asked)
		return;
	r->watch->is_asked = true;
	r->watch->asked_us = now_us;
	fix_reader_ask(reader, r->is->device);
}

/* Its settings were read once more. */
static enum verify_is look_again(const struct fix_reader *reader, struct fix_run *r, int64_t now_us)
{
	struct fix_watch *w = r->watch;
	int64_t verify_us = r->fixer->plan->verify_us;
	bool is_last = r->seen_us && w->asked_us >= r->verify_until_us;

	w->is_asked = false;
	w->asked_us = now_us;
	w->first_us = w->first_us ? w->first_us : now_us;
	if (is_as_expected(reader, r)) {
		if (is_last)
			return VERIFY_HOLDS;
		r->seen_us = r->seen_us ? r->seen_us : now_us;
		r->verify_until_us = r->seen_us + verify_us;
		return VERIFY_GOES_ON;
	}
	int64_t patience_us = verify_us > PATIENCE_US ? verify_us : PATIENCE_US;
	return r->seen_us || now_us - w->first_us >= patience_us ? VERIFY_FAILED : VERIFY_GOES_ON;
}

enum verify_is fix_verify(const struct fix_reader *reader, struct fix_run *r)
{
	unsigned rounds = fix_reader_rounds(reader, r->is->device, CADENCE_CONFIG);
	enum verify_is is = VERIFY_GOES_ON;
	int64_t now_us = fixer_now_us();

	if (!fix_reader_has(reader, r->is->device))
		return VERIFY_GOES_ON;
	if (rounds != r->watch->rounds) {
		r->watch->rounds = rounds;
		is = look_again(reader, r, now_us);
	}
	if (is != VERIFY_FAILED && r->seen_us && drops(reader, r))
		return VERIFY_FAILED;
	if (is == VERIFY_GOES_ON)
		ask_again(reader, r, now_us);
	return is;
}
