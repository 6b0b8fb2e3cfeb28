#include "tui/session/events.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "tui/widgets/table.h"

struct open_finding {
	uint64_t place;
	enum verdict verdict;
	UT_hash_handle hh;
};

struct trying {
	uint64_t place;
	UT_hash_handle hh;
};

bool event_is(const struct event *e, const char *kind)
{
	return strcmp(e->kind, kind) == 0;
}

/* Of the word of a finding that opens; VERDICT_NA for any other kind. */
static enum verdict verdict_of(const char *kind)
{
	for (enum verdict v = VERDICT_UNKNOWN; v <= VERDICT_FAIL; v++)
		if (strcmp(kind, verdict_name(v)) == 0)
			return v;
	return VERDICT_NA;
}

bool event_is_finding(const struct event *e)
{
	return verdict_of(e->kind) >= VERDICT_LOOK || event_is(e, "closed");
}

/* A finding is named by its place and its check, which begins the text up to a colon. */
static uint64_t place_of(const char *where, const char *text)
{
	size_t n = strcspn(text, ":");
	char *name = xasprintf("%s\n%.*s", where, (int)n, text);
	uint64_t key = table_key(name);

	free(name);
	return key;
}

static struct open_finding *find_open(struct events *e, uint64_t place)
{
	struct open_finding *f;

	HASH_FIND(hh, e->open, &place, sizeof(place), f);
	return f;
}

static bool close_finding(struct events *e, uint64_t place)
{
	struct open_finding *f = find_open(e, place);

	if (!f)
		return false;
	e->n_open[f->verdict]--;
	HASH_DELETE(hh, e->open, f);
	free(f);
	return true;
}

static void open_finding(struct events *e, uint64_t place, enum verdict verdict)
{
	struct open_finding *f;

	close_finding(e, place);
	f = xcalloc(1, sizeof(*f));
	f->place = place;
	f->verdict = verdict;
	e->n_open[verdict]++;
	HASH_ADD(hh, e->open, place, sizeof(f->place), f);
}

static enum verdict worst_open(const struct events *e)
{
	for (enum verdict v = VERDICT_FAIL; v >= VERDICT_LOOK; v--)
		if (e->n_open[v])
			return v;
	return VERDICT_OK;
}

static void drop_oldest(struct events *e, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free((char *)e->list[i].kind);
	e->n -= n;
	e->n_more += n;
	memmove(e->list, e->list + n, e->n * sizeof(*e->list));
}

static void forget_open(struct events *e)
{
	struct open_finding *f, *next;

	HASH_ITER(hh, e->open, f, next)
		close_finding(e, f->place);
}

static struct event make(int64_t at_us, const char *kind, const char *where, const char *text)
{
	size_t k = strlen(kind) + 1, w = strlen(where) + 1, t = strlen(text) + 1;
	char *words = xmalloc(k + w + t);

	memcpy(words, kind, k);
	memcpy(words + k, where, w);
	memcpy(words + k + w, text, t);
	return (struct event){ .at_us = at_us, .kind = words, .where = words + k, .text = words + k + w };
}

/* Keeps the findings that are open; false for what was not known to be wrong, and its end. */
static bool follow_findings(struct events *e, const char *kind, const char *where, const char *text)
{
	enum verdict verdict = verdict_of(kind);

	if (verdict == VERDICT_UNKNOWN)
		return false;
	if (verdict >= VERDICT_LOOK)
		open_finding(e, place_of(where, text), verdict);
	else if (strcmp(kind, "closed") == 0)
		return close_finding(e, place_of(where, text));
	else if (strcmp(kind, EVENT_RUN) == 0)
		forget_open(e);
	return true;
}

/* "node1 state = up (was connecting)": up; false when it says no state. */
static bool read_state(const char *text, const char *where, struct span *word)
{
	struct span rest = span_of(text);

	return span_skip(&rest, where) && span_skip(&rest, " state = ") && span_word(&rest, word);
}

static void end_trying(struct events *e, uint64_t place)
{
	struct trying *t;

	HASH_FIND(hh, e->trying, &place, sizeof(place), t);
	if (!t)
		return;
	HASH_DELETE(hh, e->trying, t);
	free(t);
}

/* False when it was being tried already. */
static bool begin_trying(struct events *e, uint64_t place)
{
	struct trying *t;

	HASH_FIND(hh, e->trying, &place, sizeof(place), t);
	if (t)
		return false;
	t = xcalloc(1, sizeof(*t));
	t->place = place;
	HASH_ADD(hh, e->trying, place, sizeof(t->place), t);
	return true;
}

/* A device that is away goes from retrying to connecting and back each few seconds: only that it went is an event. */
static bool follow_reaching(struct events *e, const char *kind, const char *where, const char *text)
{
	struct span word;

	if (strcmp(kind, "device") != 0 || !read_state(text, where, &word))
		return true;
	if (span_is(word, "connecting") || span_is(word, "waiting"))
		return strstr(text, "(was up)") && begin_trying(e, table_key(where));
	if (span_is(word, "retrying"))
		return begin_trying(e, table_key(where));
	end_trying(e, table_key(where));
	return true;
}

/* In its place by time: a note may be about what is past. */
static void insert(struct events *e, struct event new)
{
	size_t at = e->n;

	while (at > 0 && e->list[at - 1].at_us > new.at_us)
		at--;
	new.worst = at == e->n ? worst_open(e) : at ? e->list[at - 1].worst : VERDICT_OK;
	*GROW(e->list, e->n, e->cap) = (struct event){ 0 };
	memmove(e->list + at + 1, e->list + at, (e->n - at) * sizeof(*e->list));
	e->list[at] = new;
	e->n++;
	e->serial++;
}

void events_add(struct events *e, int64_t at_us, const char *kind, const char *where, const char *text)
{
	kind = kind ? kind : "";
	where = where ? where : "";
	text = text ? text : "";
	if (!follow_findings(e, kind, where, text)) {
		e->n_unknown += strcmp(kind, "closed") != 0;
		return;
	}
	if (!follow_reaching(e, kind, where, text)) {
		e->n_tries++;
		return;
	}
	if (e->n == EVENTS_MAX)
		drop_oldest(e, EVENTS_MAX / 20);
	insert(e, make(at_us, kind, where, text));
}

static void add(void *ctx, const struct replay_event *r)
{
	events_add(ctx, r->at_us, r->kind, r->where, r->text);
}

void events_read(struct events *e, struct replay *recording)
{
	events_done(e);
	replay_events(recording, replay_first(recording), replay_last(recording), add, e);
}

static void forget_trying(struct events *e)
{
	struct trying *t, *next;

	HASH_ITER(hh, e->trying, t, next)
		end_trying(e, t->place);
}

void events_done(struct events *e)
{
	for (size_t i = 0; i < e->n; i++)
		free((char *)e->list[i].kind);
	forget_open(e);
	forget_trying(e);
	free(e->list);
	memset(e, 0, sizeof(*e));
}

size_t events_until(const struct events *e, int64_t at_us)
{
	size_t low = 0, high = e->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (e->list[middle].at_us <= at_us)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct event *events_next(const struct events *e, int64_t at_us, const char *kind)
{
	for (size_t i = events_until(e, at_us); i < e->n; i++)
		if (!kind || event_is(&e->list[i], kind))
			return &e->list[i];
	return NULL;
}

const struct event *events_previous(const struct events *e, int64_t at_us, const char *kind)
{
	for (size_t i = events_until(e, at_us - 1); i > 0; i--)
		if (!kind || event_is(&e->list[i - 1], kind))
			return &e->list[i - 1];
	return NULL;
}

enum verdict events_worst(const struct events *e, int64_t from_us, int64_t to_us)
{
	size_t i = events_until(e, from_us);
	enum verdict worst = i ? e->list[i - 1].worst : VERDICT_UNKNOWN;

	for (; i < e->n && e->list[i].at_us <= to_us; i++)
		worst = e->list[i].worst > worst || worst == VERDICT_UNKNOWN ? e->list[i].worst : worst;
	return worst;
}
