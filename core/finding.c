#include "core/finding.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include <uthash.h>

#include "core/scene.h"

#define CHECKS_MAX	128	/* bits of a mask */
#define AFTER_MAX	40
#define UNKNOWN_MAX	16384	/* open findings that only say "unknown"; more are counted in columns, not listed */
#define TOPICS_MAX	128	/* names that findings_worst() is asked about: each check's fields and what they begin with */
#define PAST_MAX	4096	/* closed ones told by a recording */
#define NEAR_LOOKS	64	/* candidates looked at for the nearest cause */

struct entry;

/* Where a check was asked. One place and check have one finding, whatever the far end is called meanwhile. */
struct key {
	const struct check *check;
	const void *place;	/* struct port, struct device, or NULL for the fabric */
	uintptr_t index;
};

struct entry {
	struct finding finding;
	struct key key;
	UT_hash_handle hh;
	unsigned round;			/* last settled in */
	int64_t right_us;		/* since when it has been right again, not long enough to close; 0: it is not */
	char wrong[192];		/* what it was last when it was not */
	struct entry *next_of_port;
	struct entry *next_of_check;	/* among the open ones */
};

/* What was found before this ledger began, as a recording tells it: it stands where nothing better is known. */
struct memory {
	UT_hash_handle hh;
	enum verdict verdict;
	int64_t first_us;
	char what[192];
	char key[];		/* "check\nwhere" */
};

struct mask {
	uint64_t bits[CHECKS_MAX / 64];
};

/* The checks of a main field, or of all fields that begin with this and a dot. */
struct topic {
	struct span name;
	struct mask checks;
};

struct verdicts {
	struct mask ok, unknown, na, lost;	/* by row of the check table */
	struct entry *open;		/* findings at this port */
};

struct findings {
	struct entry *entries;
	struct memory *memories;
	const struct finding **open;
	size_t n_open, cap_open, n_unknown, n_early;
	struct finding *past;			/* closed before this ledger began */
	size_t n_past, cap_past;
	struct entry *of_check[CHECKS_MAX];	/* open ones, by row */
	size_t n_of_check[CHECKS_MAX];
	struct verdicts *ports;			/* by port id; behind them by device id */
	size_t n_ports, n_devices;
	unsigned round;
	int64_t now_us;
	struct scene scene;
	const struct check *reached, *in_time, *understood;
	struct topic topics[TOPICS_MAX];
	size_t n_topics;
	uint8_t after[CHECKS_MAX][AFTER_MAX + 1];	/* rows + 1 of check->after, 0 at the end */
	void (*changed)(void *ctx, const struct finding *finding);
	void *ctx;
};

static size_t row_of(const struct check *check)
{
	return (size_t)(check - check_table);
}

static void mask_set(struct mask *m, size_t row)
{
	m->bits[row / 64] |= UINT64_C(1) << row % 64;
}

static bool mask_has(const struct mask *m, size_t row)
{
	return m->bits[row / 64] >> row % 64 & 1;
}

static struct topic *find_topic(const struct findings *f, struct span name)
{
	for (size_t i = 0; i < f->n_topics; i++)
		if (span_same(f->topics[i].name, name))
			return (struct topic *)&f->topics[i];
	return NULL;
}

static void add_topic(struct findings *f, struct span name, size_t row)
{
	struct topic *topic = find_topic(f, name);

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
	struct memory *m, *following;

	if (!f)
		return;
	HASH_ITER(hh, f->memories, m, following) {
		HASH_DELETE(hh, f->memories, m);
		free(m);
	}
	HASH_ITER(hh, f->entries, e, next) {
		HASH_DELETE(hh, f->entries, e);
		free(e);
	}
	scene_done(&f->scene);
	free(f->open);
	free(f->past);
	free(f->ports);
	free(f);
}

struct scene *findings_scene(struct findings *f)
{
	return &f->scene;
}

void findings_on_change(struct findings *f, void (*changed)(void *ctx, const struct finding *finding), void *ctx)
{
	f->changed = changed;
	f->ctx = ctx;
}

/* Entries */

static struct entry *find(const struct findings *f, const struct check *check, const void *place, unsigned index)
{
	struct key key = { check, place, index };
	struct entry *e;

	HASH_FIND(hh, f->entries, &key, sizeof(key), e);
	return e;
}

static struct entry *add(struct findings *f, const struct check *check, const void *place, unsigned index)
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

static void write_where(struct finding *finding, const struct case_of *c)
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
	write_where(finding, c);
	finding->verdict = c->verdict;
	memcpy(finding->what, c->what, sizeof(finding->what));
	memcpy(finding->missing, c->missing, sizeof(finding->missing));
	memcpy(finding->evidence, c->evidence, c->n_evidence * sizeof(*c->evidence));
	finding->n_evidence = c->n_evidence;
	finding->last_us = now_us;
	finding->seen++;
}

/* That a device has not answered yet is how every session begins, and no news. */
static void tell(const struct findings *f, const struct finding *finding)
{
	if (f->changed && !(finding->check == f->reached && finding->verdict == VERDICT_UNKNOWN))
		f->changed(f->ctx, finding);
}

static const struct memory *memory_of(const struct findings *f, const struct case_of *c);

/* A ledger that begins in the middle knows from the recording since when. */
static int64_t began_us(const struct findings *f, const struct case_of *c)
{
	const struct memory *m = c->verdict >= VERDICT_LOOK ? memory_of(f, c) : NULL;

	return m ? m->first_us : f->now_us;
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
	if (is_new)
		tell(f, finding);
}

static void close_entry(struct findings *f, struct entry *e)
{
	if (!e || !e->finding.is_open)
		return;
	e->finding.is_open = false;
	e->finding.closed_us = f->now_us;
	f->n_of_check[row_of(e->key.check)]--;
	f->n_unknown -= e->finding.verdict == VERDICT_UNKNOWN;
	tell(f, &e->finding);
}

/* Memories */

void findings_remember(struct findings *f, const char *check, const char *where, const char *what, enum verdict verdict,
		       int64_t first_us)
{
	size_t n = strlen(check) + 1 + strlen(where);
	struct memory *m = xcalloc(1, sizeof(*m) + n + 1), *old;

	snprintf(m->key, n + 1, "%s\n%s", check, where);
	snprintf(m->what, sizeof(m->what), "%s", what);
	m->verdict = verdict;
	m->first_us = first_us;
	HASH_FIND(hh, f->memories, m->key, n, old);
	if (old) {
		HASH_DELETE(hh, f->memories, old);
		free(old);
	}
	HASH_ADD_KEYPTR(hh, f->memories, m->key, n, m);
}

void findings_remember_closed(struct findings *f, const char *check, const char *where, const char *what, enum verdict verdict,
			      int64_t first_us, int64_t closed_us)
{
	const struct check *of = check_find(check);
	struct finding *finding;

	if (!of || f->n_past >= PAST_MAX)
		return;
	finding = GROW(f->past, f->n_past, f->cap_past);
	f->n_past++;
	*finding = (struct finding){ .check = of, .verdict = verdict, .first_us = first_us, .last_us = closed_us,
				     .closed_us = closed_us };
	snprintf(finding->where, sizeof(finding->where), "%s", where);
	snprintf(finding->what, sizeof(finding->what), "%s", what);
}

static const struct memory *memory_of(const struct findings *f, const struct case_of *c)
{
	struct finding place = { 0 };
	struct memory *m;
	char key[256];
	int n;

	if (!f->memories)
		return NULL;
	write_where(&place, c);
	n = snprintf(key, sizeof(key), "%s\n%s", c->check->id, place.where);
	HASH_FIND(hh, f->memories, key, (size_t)n, m);
	return m;
}

/* Not knowing clears nothing: what was found before goes on. False when nothing was. */
static bool goes_on(struct findings *f, const struct case_of *c)
{
	const struct memory *m = memory_of(f, c);
	struct entry *e = m ? find(f, c->check, place_of(c), c->index) : NULL;

	if (!m || (e && e->finding.is_open))
		return false;
	if (!e)
		e = add(f, c->check, place_of(c), c->index);
	e->round = f->round;
	write_answer(&e->finding, c, f->now_us);
	e->finding.is_open = true;
	e->finding.verdict = m->verdict;
	e->finding.first_us = m->first_us;
	memcpy(e->finding.what, m->what, sizeof(m->what));
	f->n_of_check[row_of(c->check)]++;
	return true;
}

/* Unknowns that another finding already tells as one: a device that is silent, a far end that is not known. */

static bool is_open(const struct findings *f, const struct check *check, const void *place)
{
	const struct entry *e;

	if (!place || !f->n_of_check[row_of(check)])
		return false;
	e = find(f, check, place, 0);
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
		       is_open(f, f->in_time, c->lacking) || (c->lacking && scene_is_new(c->lacking));
	default:
		return false;
	}
}

static void settle_unknown(struct findings *f, const struct case_of *c)
{
	struct entry *e = f->n_of_check[row_of(c->check)] ? find(f, c->check, place_of(c), c->index) : NULL;

	if (e && e->finding.is_open) {
		e->round = f->round;
		e->right_us = 0;
		if (e->finding.verdict == VERDICT_UNKNOWN)
			write_answer(&e->finding, c, f->now_us);
		return;		/* a no stays: not knowing clears nothing */
	}
	if (goes_on(f, c))
		return;
	if (is_told_elsewhere(f, c) || f->n_unknown >= UNKNOWN_MAX)
		return;
	e = find(f, c->check, place_of(c), c->index);
	if (!e)
		e = add(f, c->check, place_of(c), c->index);
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
	e = f->n_of_check[row_of(c->check)] ? find(f, c->check, place_of(c), c->index) : NULL;
	if (!e || !e->finding.is_open || e->finding.verdict == VERDICT_UNKNOWN)
		return false;
	if (!e->right_us) {
		e->right_us = f->now_us;
		memcpy(e->wrong, e->finding.what, sizeof(e->wrong));
		snprintf(e->finding.what, sizeof(e->finding.what), "right again, for less than %lld s yet",
			 (long long)(c->check->calm_us / SECOND));
	}
	e->round = f->round;
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
	if (c->verdict == VERDICT_NA && c->is_lost && goes_on(f, c))
		return;
	if (is_calming(f, c) || (c->verdict <= VERDICT_NA && !f->n_of_check[row]))
		return;
	e = find(f, c->check, place_of(c), c->index);
	if (c->verdict <= VERDICT_NA) {
		if (e)
			e->round = f->round;
		if (!c->is_lost || (e && e->finding.verdict == VERDICT_UNKNOWN))
			close_entry(f, e);
		return;
	}
	if (!e)
		e = add(f, c->check, place_of(c), c->index);
	e->round = f->round;
	open_entry(f, e, c);
}

/* Causes */

static const struct finding *explains(const struct findings *f, const struct check *check, const void *place,
				      const struct finding *what)
{
	/* what is worth a warning is not folded under a mere look */
	enum verdict least = what->verdict <= VERDICT_LOOK ? VERDICT_LOOK : VERDICT_WARN;
	unsigned last = check->each_priority ? 7 : 0;

	for (unsigned i = 0; i <= last; i++) {
		const struct entry *e = find(f, check, place, check->each_priority ? (what->index + i) & 7 : 0);

		if (e && e->finding.is_open && &e->finding != what && e->finding.verdict >= least)
			return &e->finding;
	}
	return NULL;
}

/* At the same port, at the other end, at the devices of either. */
static const struct finding *explains_here(const struct findings *f, const struct links *links, const struct check *check,
					   const struct finding *what)
{
	const struct link *l = what->port ? links_of_port(links, what->port) : NULL;
	const void *places[] = { what->port, what->far, l ? l->a : NULL, what->device, what->far ? what->far->device : NULL };

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const struct finding *cause = places[i] ? explains(f, check, places[i], what) : NULL;

		if (cause)
			return cause;
	}
	return NULL;
}

static bool shares_device(const struct finding *a, const struct finding *b)
{
	const struct device *far_a = a->far ? a->far->device : NULL, *far_b = b->far ? b->far->device : NULL;

	return a->device == b->device || (far_a && (far_a == b->device || far_a == far_b)) || (far_b && far_b == a->device);
}

/* Anywhere in the fabric, if possible at a device that has a part in what is to be explained. */
static const struct finding *explains_afar(const struct findings *f, const struct check *check, const struct finding *what)
{
	const struct finding *any = NULL;
	size_t looks = 0;

	for (const struct entry *e = f->of_check[row_of(check)]; e && looks < NEAR_LOOKS; e = e->next_of_check) {
		if (e->finding.verdict < VERDICT_WARN || &e->finding == what)
			continue;
		looks++;
		if (shares_device(&e->finding, what))
			return &e->finding;
		any = any ? any : &e->finding;
	}
	return any;
}

static const struct finding *cause_of(const struct findings *f, const struct links *links, const struct finding *what)
{
	const uint8_t *after = f->after[row_of(what->check)];
	const struct finding *cause;

	for (size_t i = 0; after[i]; i++)
		if (f->n_of_check[after[i] - 1] && (cause = explains_here(f, links, &check_table[after[i] - 1], what)))
			return cause;
	for (size_t i = 0; what->check->spreads && after[i]; i++)
		if (f->n_of_check[after[i] - 1] && (cause = explains_afar(f, &check_table[after[i] - 1], what)))
			return cause;
	return NULL;
}

/* Order */

static int finding_cmp(const void *left, const void *right)
{
	const struct finding *a = *(const struct finding *const *)left, *b = *(const struct finding *const *)right;
	int order;

	if (a->verdict != b->verdict)
		return a->verdict > b->verdict ? -1 : 1;
	if (a->check->step != b->check->step)
		return a->check->step < b->check->step ? -1 : 1;
	order = natural_cmp(a->where, b->where);
	if (order)
		return order;
	if (a->check != b->check)
		return a->check < b->check ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* Rounds */

void findings_begin(struct findings *f, const struct model *m)
{
	f->round++;
	f->now_us = model_now(m);
	f->n_ports = model_ports(m);
	f->n_devices = model_devices(m);
	f->ports = xrealloc(f->ports, (f->n_ports + f->n_devices + 1) * sizeof(*f->ports));
	memset(f->ports, 0, (f->n_ports + f->n_devices + 1) * sizeof(*f->ports));
	memset(f->of_check, 0, sizeof(f->of_check));
	f->n_open = f->n_early = 0;
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

static void list_open(struct findings *f, struct entry *e)
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
			list_open(f, e);
	}
	for (size_t i = 0; i < f->n_open; i++) {
		struct finding *finding = (struct finding *)f->open[i];

		finding->cause = cause_of(f, links, finding);
	}
	if (f->n_open)
		qsort(f->open, f->n_open, sizeof(*f->open), finding_cmp);
}

/* The same ledger over a copy of its model: devices and ports are the same by id */

static const struct device *same_device(const struct model *m, const struct device *d)
{
	return d ? model_device(m, d->id) : NULL;
}

static const struct port *same_port(const struct model *m, const struct port *p)
{
	return p ? model_port(m, p->id) : NULL;
}

static const void *same_place(const struct model *m, const struct entry *e)
{
	if (e->key.place == e->finding.port)
		return same_port(m, e->finding.port);
	return same_device(m, e->finding.device);
}

static void copy_entry(struct findings *to, const struct entry *e, const struct model *m)
{
	struct entry *copy = add(to, e->key.check, same_place(m, e), (unsigned)e->key.index);
	struct finding *f = &copy->finding;

	copy->round = e->round;
	*f = e->finding;
	f->device = same_device(m, f->device);
	f->port = same_port(m, f->port);
	f->far = same_port(m, f->far);
	for (size_t i = 0; i < f->n_evidence; i++) {
		f->evidence[i].device = same_device(m, f->evidence[i].device);
		f->evidence[i].port = same_port(m, f->evidence[i].port);
	}
	if (f->is_open)
		list_open(to, copy);
}

static const struct finding *same_cause(const struct findings *f, const struct model *m, const struct finding *cause)
{
	const struct entry *e = (const struct entry *)cause;	/* each begins with its finding */

	e = e ? find(f, e->key.check, same_place(m, e), (unsigned)e->key.index) : NULL;
	return e ? &e->finding : NULL;
}

static void copy_verdicts(struct findings *to, const struct findings *f)
{
	to->n_ports = f->n_ports;
	to->n_devices = f->n_devices;
	to->ports = xcalloc(f->n_ports + f->n_devices + 1, sizeof(*to->ports));
	for (size_t i = 0; i < f->n_ports + f->n_devices; i++) {
		to->ports[i] = f->ports[i];
		to->ports[i].open = NULL;
	}
}

struct findings *findings_copy(const struct findings *f, const struct model *copy)
{
	struct findings *to = findings_new();
	const struct entry *e;

	to->round = f->round;
	to->now_us = f->now_us;
	to->n_unknown = f->n_unknown;
	to->n_early = f->n_early;
	memcpy(to->n_of_check, f->n_of_check, sizeof(to->n_of_check));
	copy_verdicts(to, f);
	for (e = f->entries; e; e = e->hh.next)
		copy_entry(to, e, copy);
	for (size_t i = 0; i < to->n_open; i++) {
		struct finding *finding = (struct finding *)to->open[i];

		finding->cause = same_cause(to, copy, finding->cause);
	}
	if (to->n_open)
		qsort(to->open, to->n_open, sizeof(*to->open), finding_cmp);
	return to;
}

/* Reading */

size_t findings_open(const struct findings *f, const struct finding *const **list)
{
	*list = f->open;
	return f->n_open;
}

size_t findings_count(const struct findings *f, enum verdict at_least)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_open; i++)
		n += f->open[i]->verdict >= at_least && !f->open[i]->cause;
	return n;
}

/* Follows causes to the root; a circle among the table's rows ends it. */
static const struct finding *root_of(const struct finding *finding)
{
	for (size_t steps = 0; finding->cause && steps < check_count; steps++)
		finding = finding->cause;
	return finding;
}

enum verdict findings_weight(const struct findings *f, const struct finding *finding)
{
	enum verdict weight = finding->verdict;

	for (size_t i = 0; i < f->n_open; i++)
		if (f->open[i]->verdict > weight && root_of(f->open[i]) == finding)
			weight = f->open[i]->verdict;
	return weight;
}

size_t findings_failing(const struct findings *f, enum verdict at_least)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_open; i++)
		n += !f->open[i]->cause && f->open[i]->verdict >= VERDICT_LOOK && findings_weight(f, f->open[i]) >= at_least;
	return n;
}

size_t findings_early(const struct findings *f)
{
	return f->n_early;
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

	return a->closed_us > b->closed_us ? -1 : a->closed_us < b->closed_us ? 1 : finding_cmp(a_, b_);
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
	const struct topic *topic;

	if (!fields)
		return all;
	topic = find_topic(f, span_of(fields));
	return topic ? topic->checks : (struct mask){ { 0 } };
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

static enum verdict worst_open(const struct findings *f, const struct check *check, const void *place)
{
	enum verdict worst = VERDICT_OK;

	for (unsigned i = 0; f->n_of_check[row_of(check)] && i <= (check->each_priority ? 7 : 0); i++) {
		const struct entry *e = find(f, check, place, i);

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
	return v && mask_has(&v->ok, row) ? VERDICT_OK : VERDICT_NA;
}
