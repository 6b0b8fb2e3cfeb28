/* Verifies a change by new observations: the configuration, each field, ports still up, no new drop in a lossless class. */
#include "remote/fixer/internal.h"
#include "remote/platforms.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/ssh/clock.h"

/* Counted by priority or queue; only those of lossless priorities matter. */
static const enum field drop_fields[] = {
	FIELD_RX_DROP, FIELD_RX_DROP_BUFFER, FIELD_RX_DROP_CONGESTION, FIELD_TX_DROP, FIELD_PG_DROP,
};
#define DROP_FIELDS	(sizeof(drop_fields) / sizeof(*drop_fields))
#define PRIORITIES	8
#define REFRESH_US	(SECOND_US / 2)
#define PATIENCE_US	(2 * SECOND_US)	/* a device may report success before it has applied the change */
#define LIVE_WAIT_US	(30 * SECOND_US)	/* how long a rollback waits for a link state before it is verified without */

/* The last drop counters of one port. */
struct watched_port {
	const char *port;
	bool is_known[DROP_FIELDS][PRIORITIES];
	uint64_t count[DROP_FIELDS][PRIORITIES];
};

struct fix_watch {
	struct watched_port *ports;
	size_t n, cap;
	unsigned rounds, live_rounds;	/* rounds of settings judged so far; rounds of counters when the last one was */
	int64_t outdated_since_us;	/* a link state is older than it is believed, and is awaited; 0: none is */
	int64_t first_us, refresh_us;	/* the first round; the last refresh */
	int64_t since_us;		/* clock_us(): the next reads judged must be complete since then; 0: since the reader began */
	bool is_refresh_sent, is_rereading;
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
	struct span rest = span_of(r->step->ports ? r->step->ports : ""), word;

	r->watch = xcalloc(1, sizeof(*r->watch));
	r->steady_since_us = 0;
	while (span_word(&rest, &word))
		watch_port(r->watch, arena_text(&r->fixer->arena, word.p, word.n));
	for (size_t i = 0; i < r->step->n_edits; i++)
		if (r->step->edits[i].port)
			watch_port(r->watch, r->step->edits[i].port);
}

void fix_verify_end(struct fix_run *r)
{
	if (!r->watch)
		return;
	free(r->watch->ports);
	free(r->watch);
	r->watch = NULL;
}

/* -- configuration, fields, ports -- */

static bool differs(struct fix_run *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool differs(struct fix_run *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(r->why, sizeof(r->why), format, args);
	va_end(args);
	return false;
}

static bool edit_is_met_now(struct fix_run *r, const struct model *m, const struct edit *e)
{
	const struct device *d = model_find_device(m, r->step->device);
	const struct port *p = e->port ? model_find_port(m, r->step->device, e->port) : NULL;
	const struct cell *c = e->port ? (p ? port_cell(p, e->field, e->index) : NULL) : d ? device_cell(d, e->field, e->index) : NULL;
	struct buf text = { 0 };
	bool is_met = edit_is_met(e, c ? &c->value : NULL) && (!c || !cell_is_stale(m, c));

	/* Back to a value that was never reported: the field must be unknown again. The configuration has been compared already. */
	if (e->want.is != VALUE_KNOWN)
		is_met = !c || c->value.is != VALUE_KNOWN;
	if (is_met)
		return true;
	edit_print(e, &text);
	differs(r, "not seen: %.200s", text.text);
	buf_done(&text);
	return false;
}

/* OUTDATED: a link state was asked before a long round of settings and is too old; the next round of counters brings it. */
enum seen { SEEN_AS_PLANNED, SEEN_OTHERWISE, SEEN_OUTDATED };

/* A rollback is judged by its configuration: a link state that nobody can read does not stop it. */
static enum seen link_state(struct fix_run *r, const struct model *m, const char *port)
{
	const struct port *p = model_find_port(m, r->step->device, port);
	const struct cell *c = p ? port_cell(p, FIELD_UP, 0) : NULL;

	if (c && c->value.is == VALUE_KNOWN && !cell_is_stale(m, c)) {
		if (c->value.n)
			return SEEN_AS_PLANNED;
		differs(r, "%s was up and is now down", port);
		return SEEN_OTHERWISE;
	}
	differs(r, "whether %s is up is not known", port);
	if (c && cell_is_stale(m, c))
		return SEEN_OUTDATED;
	return r->fixer->parent ? SEEN_AS_PLANNED : SEEN_OTHERWISE;
}

static enum seen link_states(struct fix_run *r, const struct model *m)
{
	enum seen all = SEEN_AS_PLANNED;

	for (size_t i = 0; i < r->n_ports_up && all != SEEN_OTHERWISE; i++) {
		enum seen one = link_state(r, m, r->ports_up[i]);

		all = one == SEEN_AS_PLANNED ? all : one;
	}
	return all;
}

static bool is_configured(const struct fix_reader *reader, struct fix_run *r)
{
	struct model *m = fix_reader_model(reader);

	fix_reader_judge(reader, r);
	if (r->part == PART_BEFORE)
		return differs(r, "the change did not take effect");
	if (r->part == PART_OTHER)
		return differs(r, "its configuration is neither as before nor as planned");
	if (r->part != PART_AFTER)
		return false;
	for (size_t i = 0; i < r->step->n_edits; i++)
		if (!edit_is_met_now(r, m, &r->step->edits[i]))
			return false;
	return true;
}

/* An outdated link state of a rollback is awaited for a while only. r->why: what is otherwise, or is not known; or "". */
static enum seen what_is_seen(const struct fix_reader *reader, struct fix_run *r, int64_t now_us)
{
	struct fix_watch *w = r->watch;
	enum seen seen;

	if (!is_configured(reader, r))
		return SEEN_OTHERWISE;
	r->why[0] = '\0';
	seen = link_states(r, fix_reader_model(reader));
	if (seen != SEEN_OUTDATED) {
		w->outdated_since_us = 0;
		return seen;
	}
	w->outdated_since_us = w->outdated_since_us ? w->outdated_since_us : now_us;
	return r->fixer->parent && now_us - w->outdated_since_us >= LIVE_WAIT_US ? SEEN_AS_PLANNED : SEEN_OUTDATED;
}

/* -- drops -- */

static bool is_lossless(const struct fix_run *r, unsigned priority)
{
	const struct fixer *f = r->fixer;
	const struct platform *p = platform_find(r->step->platform);

	return !f->policy || policy_lossless(f->policy, p && p->is_switch) & 1u << priority;
}

static bool counter_rose(struct fix_run *r, const struct port *p, struct watched_port *w, size_t field, unsigned priority)
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
	differs(r, "%s %s[%u] rose by %llu during verification", w->port, field_table[drop_fields[field]].name, priority,
		(unsigned long long)(c->value.n - was));
	return true;
}

/* True when a lossless class dropped since the last call. Not for an inverse plan: the previous state may have dropped. */
static bool has_new_drops(const struct fix_reader *reader, struct fix_run *r)
{
	struct model *m = fix_reader_model(reader);

	if (r->fixer->parent)
		return false;
	for (size_t i = 0; i < r->watch->n; i++) {
		const struct port *p = model_find_port(m, r->step->device, r->watch->ports[i].port);

		for (size_t f = 0; p && f < DROP_FIELDS; f++)
			for (unsigned priority = 0; priority < PRIORITIES; priority++)
				if (counter_rose(r, p, &r->watch->ports[i], f, priority))
					return true;
	}
	return false;
}

/* Refreshes the settings until all are as expected, and once more at the end of the verify time. */
static void refresh_if_due(const struct fix_reader *reader, struct fix_run *r, int64_t now_us)
{
	int64_t due_us = r->steady_since_us ? r->verify_until_us : r->watch->refresh_us + REFRESH_US;

	if (now_us < due_us || r->watch->is_refresh_sent || r->watch->outdated_since_us)
		return;
	if (!r->watch->is_rereading)
		r->watch->since_us = clock_us();
	r->watch->is_refresh_sent = true;
	r->watch->refresh_us = now_us;
	fix_reader_refresh(reader, r->step->device);
}

/* False, with the missing read: the result is neither "as planned" nor "not as planned", and the device is read again. */
static bool is_whole(const struct fix_reader *reader, struct fix_run *r)
{
	struct err err;

	return fix_reader_is_whole(reader, r->step->device, r->watch->since_us, &err) || differs(r, "%s", err.text);
}

/* A new round of settings has arrived, or the link state that it lacked. */
static enum verify_result judge_round(const struct fix_reader *reader, struct fix_run *r, int64_t now_us)
{
	struct fix_watch *w = r->watch;
	int64_t verify_us = r->fixer->plan->verify_us;
	bool is_last = r->steady_since_us && w->refresh_us >= r->verify_until_us;
	enum seen seen;

	w->is_refresh_sent = false;
	w->is_rereading = !is_whole(reader, r);
	if (w->is_rereading)
		return VERIFY_GOES_ON;
	seen = what_is_seen(reader, r, now_us);
	if (seen == SEEN_OUTDATED)
		return VERIFY_GOES_ON;
	w->outdated_since_us = 0;
	w->refresh_us = now_us;
	w->first_us = w->first_us ? w->first_us : now_us;
	if (seen == SEEN_AS_PLANNED) {
		if (is_last)
			return VERIFY_HOLDS;
		r->steady_since_us = r->steady_since_us ? r->steady_since_us : now_us;
		r->verify_until_us = r->steady_since_us + verify_us;
		return VERIFY_GOES_ON;
	}
	int64_t patience_us = verify_us > PATIENCE_US ? verify_us : PATIENCE_US;
	return r->steady_since_us || now_us - w->first_us >= patience_us ? VERIFY_FAILED : VERIFY_GOES_ON;
}

/* There is something new to judge. */
static bool is_round_due(const struct fix_reader *reader, struct fix_run *r, int64_t now_us)
{
	struct fix_watch *w = r->watch;
	unsigned rounds = fix_reader_rounds(reader, r->step->device, CADENCE_CONFIG);
	unsigned live_rounds = fix_reader_rounds(reader, r->step->device, CADENCE_LIVE);
	bool is_due = rounds != w->rounds;

	if (w->outdated_since_us)
		is_due |= live_rounds != w->live_rounds || (r->fixer->parent && now_us - w->outdated_since_us >= LIVE_WAIT_US);
	if (is_due) {
		w->rounds = rounds;
		w->live_rounds = live_rounds;
	}
	return is_due;
}

enum verify_result fix_verify(const struct fix_reader *reader, struct fix_run *r)
{
	enum verify_result result = VERIFY_GOES_ON;
	int64_t now_us = fixer_now_us();

	if (!fix_reader_has_read(reader, r->step->device))
		return VERIFY_GOES_ON;
	if (is_round_due(reader, r, now_us))
		result = judge_round(reader, r, now_us);
	if (result != VERIFY_FAILED && r->steady_since_us && has_new_drops(reader, r))
		return VERIFY_FAILED;
	if (result == VERIFY_GOES_ON)
		refresh_if_due(reader, r, now_us);
	return result;
}
