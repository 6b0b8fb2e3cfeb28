#include "tui/events.h"

#include <stdlib.h>
#include <string.h>

#define EVENTS_MAX 50000	/* of a recording of weeks, or a hostile one */

static const char *keep(struct events *e, const char *text)
{
	return text ? arena_text(&e->texts, text, strlen(text)) : "";
}

static void add(void *ctx, const struct replay_event *r)
{
	struct events *e = ctx;

	if (r->kind && !strcmp(r->kind, "unknown")) {
		e->n_unknown++;
		return;
	}
	if (e->n == EVENTS_MAX) {
		e->n_more++;
		return;
	}
	*GROW(e->list, e->n, e->cap) = (struct event){ r->at_us, keep(e, r->kind), keep(e, r->where), keep(e, r->text) };
	e->n++;
}

void events_read(struct events *e, struct replay *recording)
{
	events_done(e);
	replay_events(recording, replay_first(recording), replay_last(recording), add, e);
}

void events_done(struct events *e)
{
	free(e->list);
	arena_done(&e->texts);
	memset(e, 0, sizeof(*e));
}

const struct event *events_next(const struct events *e, int64_t at_us)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->list[i].at_us > at_us)
			return &e->list[i];
	return NULL;
}

const struct event *events_previous(const struct events *e, int64_t at_us)
{
	for (size_t i = e->n; i > 0; i--)
		if (e->list[i - 1].at_us < at_us)
			return &e->list[i - 1];
	return NULL;
}
