#include "core/judge/finding_internal.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define SETTLING_US	(10 * SECOND)	/* what comes and goes each second is not over in one of them */
#define UNKNOWN_MAX	16384	/* open findings that only say "unknown"; more are counted in columns, not listed */

struct topic *finding_topic(const struct findings *f, struct span name)
{
	for (size_t i = 0; i < f->n_topics; i++)
		if (span_same(f->topics[i].name, name))
			return (struct topic *)&f->topics[i];
	return NULL;
}

static void add_topic(struct findings *f, struct span name, size_t row)
{
	struct topic *topic = finding_topic(f, name);

	if (!topic) {
		assert(f->n_topics < TOPICS_MAX);
		topic = &f->topics[f->n_topics++];
		topic->name = name;
	}
	mask_set(&topic->checks, row);
}

static void read_fields(struct findings *f, size_t row)
{
	struct span name = span_of(check_table[row].fields), tail;

	do
		add_topic(f, name, row);
	while (span_cut_last(name, '.', &name, &tail));
}

static void read_after(struct findings *f, size_t row)
{
	struct span rest = span_of(check_table[row].after), word;
	size_t n = 0;

	while (n < AFTER_MAX && span_word(&rest, &word))
		for (size_t i = 0; i < check_count; i++)
			if (span_is(word, check_table[i].id))
				f->after[row][n++] = (uint8_t)(i + 1);
}

struct findings *findings_new(void)
{
	struct findings *f = xcalloc(1, sizeof(*f));

	f->reached = check_find("device-reached");
	f->in_time = check_find("answers-in-time");
	f->understood = check_find("answers-understood");
	for (size_t row = 0; row < check_count; row++) {
		read_after(f, row);
		read_fields(f, row);
	}
	return f;
}

void findings_free(struct findings *f)
{
	struct entry *e, *next;

	if (!f)
		return;
	finding_forget(f);
	HASH_ITER(hh, f->entries, e, next) {
		HASH_DELETE(hh, f->entries, e);
		free(e);
	}
	judge_context_done(&f->context);
	free(f->open);
	free(f->past);
	free(f->ports);
	free(f);
}

struct judge_context *findings_scene(struct findings *f)
{
	return &f->context;
}

void findings_on_change(struct findings *f, void (*changed)(void *ctx, const struct finding *finding), void *ctx)
{
	f->changed = changed;
	f->ctx = ctx;
}

/* -- entries -- */

struct entry *finding_entry(const struct findings *f, const struct check *check, const void *place, unsigned index)
{
	struct key key = { check, place, index };
	struct entry *e;

	HASH_FIND(hh, f->entries, &key, sizeof(key), e);
	return e;
}

struct entry *finding_add(struct findings *f, const struct check *check, const void *place, unsigned index)
{
	struct entry *e = xcalloc(1, sizeof(*e));

	e->key = (struct key){ check, place, index };
	e->finding.check = check;
	e->finding.index = index;
	HASH_ADD(hh, f->entries, key, sizeof(e->key), e);
	return e;
}

static const void *place_of(const struct case_of *c)
{
	switch (c->check->of) {
	case OF_DEVICE:
		return c->device;
	case OF_PORT:
		return c->port;
	case OF_LINK:
		return c->link->a;
	default:
		return NULL;
	}
}

void finding_where(struct finding *finding, const struct case_of *c)
{
	finding->device = c->device;
	finding->port = c->check->of == OF_LINK ? c->link->a : c->port;
	finding->far = c->link && finding->port ? link_far(c->link, finding->port) : NULL;
	if (c->check->of == OF_LINK)
		snprintf(finding->where, sizeof(finding->where), "%s", c->link->name);
	else if (finding->port)
		snprintf(finding->where, sizeof(finding->where), "%.78s:%.78s", finding->port->device->name,
			 finding->port->name);
	else
		snprintf(finding->where, sizeof(finding->where), "%s", c->device ? c->device->name : "fabric");
	if (!finding->device && finding->port)
		finding->device = finding->port->device;
}

static void write_answer(struct finding *finding, const struct case_of *c, int64_t now_us)
{
	finding_where(finding, c);
	finding->verdict = c->verdict;
	memcpy(finding->what, c->what, sizeof(finding->what));
	memcpy(finding->missing, c->missing, sizeof(finding->missing));
	memcpy(finding->evidence, c->evidence, c->n_evidence * sizeof(*c->evidence));
	finding->n_evidence = c->n_evidence;
	finding->held = c->verdict >= VERDICT_LOOK ? c->held : 0;
	finding->is_calming = finding->is_settling = finding->is_standing = false;
	finding->seen += !finding->seen || finding->last_us != now_us;	/* one moment, looked at twice, is one */
	finding->last_us = now_us;
}

/* That a device has not answered yet is how every session begins, and no news. */
static void tell(const struct findings *f, const struct finding *finding)
{
	if (f->changed && !(finding->check == f->reached && finding->verdict == VERDICT_UNKNOWN))
		f->changed(f->ctx, finding);
}

/* A ledger that begins in the middle knows from the recording since when. */
static int64_t began_us(const struct findings *f, const struct case_of *c)
{
	const struct memory *m = c->verdict >= VERDICT_LOOK ? finding_memory(f, c) : NULL;

	return m ? m->first_us : f->now_us;
}

static void keep_settings(struct entry *e, const struct case_of *c)
{
	e->n_settings = 0;
	for (size_t i = 0; i < c->n_evidence; i++) {
		const struct evidence *is = &c->evidence[i];
		const struct cell *cell = fact_cell(is->device, is->port, is->field, is->index);

		if (field_is_setting(is->field) && cell && cell->value.is == VALUE_KNOWN)
			e->settings[e->n_settings++] =
				(struct cited){ is->device, is->port, is->field, is->index, cell->value };
	}
}

/* A setting that it cited is another now: its words are no longer what the devices say. */
static bool is_overtaken(const struct entry *e)
{
	for (size_t i = 0; i < e->n_settings; i++) {
		const struct cited *was = &e->settings[i];
		const struct cell *cell = fact_cell(was->device, was->port, was->field, was->index);

		if (cell && cell->value.is == VALUE_KNOWN && !value_same(was->field, &cell->value, &was->value))
			return true;
	}
	return false;
}

static void open_entry(struct findings *f, struct entry *e, const struct case_of *c)
{
	struct finding *finding = &e->finding;
	bool is_new = !finding->is_open;
	bool was_unknown = !is_new && finding->verdict == VERDICT_UNKNOWN;

	if (is_new) {
		finding->is_open = true;
		finding->first_us = began_us(f, c);
		finding->closed_us = 0;
		finding->seen = 0;
		f->n_of_check[row_of(c->check)]++;
	} else if (was_unknown && c->verdict != VERDICT_UNKNOWN) {
		finding->first_us = f->now_us;	/* what is known to be wrong began now, not when it was unknown */
		is_new = true;
	}
	e->right_us = 0;
	f->n_unknown += (c->verdict == VERDICT_UNKNOWN) - (size_t)was_unknown;
	write_answer(finding, c, f->now_us);
	if (!is_new)
		return;
	memcpy(e->opened, finding->what, sizeof(e->opened));
	keep_settings(e, c);
	tell(f, finding);
}

/* "as first seen: 12 packets/s are dropped"; cut at a blank where it is long, for half a number is another number. */
static void say_as_opened(struct entry *e)
{
	char *what = e->finding.what;
	size_t size = sizeof(e->finding.what);

	e->finding.is_standing = true;
	if ((size_t)snprintf(what, size, "as first seen: %s", e->opened) < size)
		return;
	for (size = size - sizeof(" ..."); size && what[size] != ' '; size--)
		;
	memcpy(what + size, " ...", sizeof(" ..."));
}

/*
 * It stands though it cannot be judged now. Its words are those that it opened with, which the recording has: the figures of
 * the last judgment would be older than they look, and unknown to a ledger that begins just then, by a seek.
 */
static void stand(struct findings *f, struct entry *e)
{
	e->round = f->round;
	e->finding.held = 0;
	if (!e->finding.is_open || e->finding.verdict == VERDICT_UNKNOWN || e->right_us)
		return;
	e->finding.is_settling = false;
	say_as_opened(e);
}

static void close_entry(struct findings *f, struct entry *e)
{
	if (!e || !e->finding.is_open)
		return;
	if (e->finding.is_standing)
		memcpy(e->finding.what, e->opened, sizeof(e->finding.what));
	e->finding.is_open = e->finding.is_standing = e->finding.is_settling = e->finding.is_calming = false;
	e->finding.closed_us = f->now_us;
	f->n_of_check[row_of(e->key.check)]--;
	f->n_unknown -= e->finding.verdict == VERDICT_UNKNOWN;
	tell(f, &e->finding);
}

/* Not knowing clears nothing: what was found before goes on. False when nothing was. */
static bool goes_on(struct findings *f, const struct case_of *c)
{
	const struct memory *m = finding_memory(f, c);
	struct entry *e = m ? finding_entry(f, c->check, place_of(c), c->index) : NULL;

	if (!m || (e && e->finding.is_open))
		return false;
	if (!e)
		e = finding_add(f, c->check, place_of(c), c->index);
	e->round = f->round;
	write_answer(&e->finding, c, f->now_us);
	e->finding.is_open = true;
	e->finding.verdict = m->verdict;
	e->finding.first_us = e->finding.last_us = m->first_us;
	memcpy(e->opened, m->what, sizeof(m->what));
	say_as_opened(e);
	f->n_of_check[row_of(c->check)]++;
	return true;
}

/* Unknowns that another finding already tells as one: a device that is silent, a far end that is not known. */

static bool is_open(const struct findings *f, const struct check *check, const void *place)
{
	const struct entry *e;

	if (!place || !f->n_of_check[row_of(check)])
		return false;
	e = finding_entry(f, check, place, 0);
	return e && e->finding.is_open;
}

static bool is_told_elsewhere(const struct findings *f, const struct case_of *c)
{
	if (c->check == f->reached || c->check == f->in_time || c->check == f->understood)
		return false;
	switch (c->lack) {
	case LACK_SAMPLE:
		return true;
	case LACK_RDMA:
		return !c->check->any_port;
	case LACK_FAR:
		return strcmp(c->check->id, "far-end-known") != 0;
	case LACK_OLD:
		return is_open(f, f->reached, c->lacking) || is_open(f, f->in_time, c->lacking);
	case LACK_ABSENT:
		return is_open(f, f->reached, c->lacking) || is_open(f, f->understood, c->lacking) ||
		       is_open(f, f->in_time, c->lacking) || (c->lacking && judge_context_is_new(c->lacking));
	default:
		return false;
	}
}

static void settle_unknown(struct findings *f, const struct case_of *c)
{
	struct entry *e = f->n_of_check[row_of(c->check)] ? finding_entry(f, c->check, place_of(c), c->index) : NULL;

	if (e && e->finding.is_open && (e->finding.verdict == VERDICT_UNKNOWN || (!c->is_gone && !is_overtaken(e)))) {
		e->right_us = 0;
		e->finding.is_calming = false;
		stand(f, e);
		if (e->finding.verdict == VERDICT_UNKNOWN)
			write_answer(&e->finding, c, f->now_us);
		memcpy(e->finding.missing, c->missing, sizeof(c->missing));
		return;		/* a no stays: not knowing clears nothing */
	}
	if (e && e->finding.is_open)
		close_entry(f, e);
	else if (!c->is_gone && goes_on(f, c))
		return;
	if (is_told_elsewhere(f, c) || f->n_unknown >= UNKNOWN_MAX) {
		f->n_untold++;
		return;
	}
	e = finding_entry(f, c->check, place_of(c), c->index);
	if (!e)
		e = finding_add(f, c->check, place_of(c), c->index);
	e->round = f->round;
	open_entry(f, e, c);
}

static void note_verdict(struct findings *f, const struct case_of *c)
{
	const struct port *ends[2] = { c->check->of == OF_LINK ? c->link->a : c->port,
				       c->check->of == OF_LINK ? c->link->b : NULL };
	struct verdicts *of_device = c->check->of == OF_DEVICE ? &f->ports[f->n_ports + c->device->id] : NULL;

	for (size_t i = 0; i < 2; i++) {
		struct verdicts *v = ends[i] ? &f->ports[ends[i]->id] : i == 0 ? of_device : NULL;

		if (v && c->verdict == VERDICT_OK)
			mask_set(&v->ok, row_of(c->check));
		else if (v && c->verdict == VERDICT_UNKNOWN)
			mask_set(&v->unknown, row_of(c->check));
		else if (v && c->verdict == VERDICT_NA)
			mask_set(c->is_lost ? &v->lost : &v->na, row_of(c->check));
	}
}

/*
 * What comes and goes has to be right for a while before it is over: one finding, not one a minute. Its words are made of
 * nothing but that, and a ledger that begins just then, by a seek, says the same.
 */
static bool is_calming(struct findings *f, const struct case_of *c)
{
	struct entry *e;

	if (!c->check->calm_us || c->verdict != VERDICT_OK)
		return false;
	goes_on(f, c);
	e = f->n_of_check[row_of(c->check)] ? finding_entry(f, c->check, place_of(c), c->index) : NULL;
	if (!e || !e->finding.is_open || e->finding.verdict == VERDICT_UNKNOWN)
		return false;
	if (!e->right_us) {
		e->right_us = f->now_us;
		memcpy(e->wrong, e->finding.is_standing ? e->opened : e->finding.what, sizeof(e->wrong));
		e->finding.is_standing = false;
		e->finding.is_calming = true;
		snprintf(e->finding.what, sizeof(e->finding.what), "cleared, for less than %lld s yet",
			 (long long)(c->check->calm_us / SECOND));
	}
	e->round = f->round;
	e->finding.held = 0;
	e->finding.is_settling = f->now_us - e->right_us >= SETTLING_US;
	if (f->now_us - e->right_us < c->check->calm_us)
		return true;
	memcpy(e->finding.what, e->wrong, sizeof(e->wrong));
	return false;
}

void findings_settle(struct findings *f, const struct case_of *c)
{
	size_t row = row_of(c->check);
	struct entry *e;

	note_verdict(f, c);
	f->n_early += c->verdict == VERDICT_UNKNOWN ? c->lack == LACK_SAMPLE : c->is_early && c->verdict > VERDICT_UNKNOWN;
	if (c->verdict == VERDICT_UNKNOWN) {
		settle_unknown(f, c);
		return;
	}
	if (c->verdict == VERDICT_NA && c->is_lost && !c->is_gone && goes_on(f, c))
		return;
	if (is_calming(f, c) || (c->verdict <= VERDICT_NA && !f->n_of_check[row]))
		return;
	e = finding_entry(f, c->check, place_of(c), c->index);
	if (c->verdict <= VERDICT_NA) {
		if (e)
			stand(f, e);
		if (!c->is_lost || c->is_gone || (e && e->finding.verdict == VERDICT_UNKNOWN))
			close_entry(f, e);
		return;
	}
	if (!e)
		e = finding_add(f, c->check, place_of(c), c->index);
	e->round = f->round;
	open_entry(f, e, c);
}

/* -- rounds -- */

void findings_begin(struct findings *f, const struct model *m)
{
	f->round++;
	f->now_us = model_now(m);
	f->n_ports = model_ports(m);
	f->n_devices = model_devices(m);
	f->ports = xrealloc(f->ports, (f->n_ports + f->n_devices + 1) * sizeof(*f->ports));
	memset(f->ports, 0, (f->n_ports + f->n_devices + 1) * sizeof(*f->ports));
	memset(f->of_check, 0, sizeof(f->of_check));
	f->n_open = f->n_early = f->n_untold = 0;
}

/* A link whose left end is now the right end of another is judged there. */
static bool has_moved(const struct links *links, const struct entry *e, unsigned round)
{
	const struct link *l;

	if (e->key.check->of != OF_LINK || e->round == round)
		return false;
	l = links_of_port(links, e->finding.port);
	return l && l->a != e->finding.port;
}

void finding_list(struct findings *f, struct entry *e)
{
	size_t row = row_of(e->key.check);

	*(const struct finding **)GROW(f->open, f->n_open, f->cap_open) = &e->finding;
	f->n_open++;
	e->next_of_check = f->of_check[row];
	f->of_check[row] = e;
	if (e->finding.port) {
		e->next_of_port = f->ports[e->finding.port->id].open;
		f->ports[e->finding.port->id].open = e;
	}
}

void findings_end(struct findings *f, const struct links *links)
{
	struct entry *e, *next;

	HASH_ITER(hh, f->entries, e, next) {
		if (has_moved(links, e, f->round))
			close_entry(f, e);
		if (e->finding.is_open)
			finding_list(f, e);
	}
	for (size_t i = 0; i < f->n_open; i++) {
		struct finding *finding = (struct finding *)f->open[i];

		finding->cause = finding_cause(f, links, finding);
	}
	findings_order(f);
}
