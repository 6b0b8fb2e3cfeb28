/*
 * A write session is a poller of one host with a talk that can write. Its hooks are called from the loop, in order, never
 * from within a call of the session, so that a hook may end or free the session.
 */
#include "remote/poll/write_session.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "remote/platforms.h"
#include "remote/poll/reach.h"
#include "remote/talk/write.h"

struct write_session {
	struct write_session_hooks hooks;
	struct write_way way;
	char *look;			/* owned, or NULL */
	struct poller *poller;
	struct talk *talk;		/* the session's; NULL when it is over */
	uv_timer_t limit;
	uv_idle_t tells;
	unsigned handles;

	const struct platform *platform;
	char hostkey[128], login[160];
	bool is_up, is_over, is_freed;
	bool is_due;			/* an answer */
	bool tells_ready, tells_answer, tells_end;
	int status;
	struct buf output, heard;
	char why[1000];			/* "": it was ended by write_session_end() */
};

static void tell(uv_idle_t *idle);

static void tell_soon(struct write_session *e)
{
	if (!e->is_freed)
		uv_idle_start(&e->tells, tell);
}

static void answered(void *ctx, int status, struct span output)
{
	struct write_session *e = ctx;

	if (!e->is_due || e->tells_answer)
		return;
	e->tells_answer = true;
	e->status = status;
	buf_clear(&e->output);
	buf_add(&e->output, output.p, output.n < WRITE_OUTPUT_MAX ? output.n : WRITE_OUTPUT_MAX);
	if (!e->is_freed)
		uv_timer_stop(&e->limit);
	tell_soon(e);
}

static void heard(void *ctx, struct span lines)
{
	struct write_session *e = ctx;

	if (!e->is_due || e->tells_answer || !e->hooks.heard)
		return;
	buf_add(&e->heard, lines.p, lines.n);
	tell_soon(e);
}

/* why NULL: as we wished. */
static void over(struct write_session *e, const char *why)
{
	if (e->is_over)
		return;
	e->is_over = e->tells_end = true;
	e->talk = NULL;
	snprintf(e->why, sizeof(e->why), "%s", why ? why : "");
	answered(e, -1, SPAN(""));
	tell_soon(e);
}

static bool tell_ready(struct write_session *e)
{
	e->tells_ready = false;
	e->hooks.ready(e->hooks.ctx, e->platform, e->hostkey, e->login);
	return !e->is_freed;
}

static bool tell_heard(struct write_session *e)
{
	struct buf lines = e->heard;

	e->heard = (struct buf){ 0 };
	e->hooks.heard(e->hooks.ctx, buf_span(&lines));
	buf_done(&lines);
	return !e->is_freed;
}

static bool tell_answer(struct write_session *e)
{
	struct buf output = e->output;

	e->output = (struct buf){ 0 };
	e->tells_answer = e->is_due = false;
	e->hooks.answered(e->hooks.ctx, e->status, buf_span(&output));
	buf_done(&output);
	return !e->is_freed;
}

static void tell(uv_idle_t *idle)
{
	struct write_session *e = idle->data;

	uv_idle_stop(idle);
	if (e->tells_ready && !tell_ready(e))
		return;
	if (e->heard.n && !tell_heard(e))
		return;
	if (e->tells_answer && !tell_answer(e))
		return;
	if (!e->tells_end || e->tells_answer)
		return;
	e->tells_end = false;
	e->hooks.ended(e->hooks.ctx, e->why[0] ? e->why : NULL);
}

/* -- what the session says of itself -- */

static void note_text(const struct obs *o, enum field f, char *to, size_t size)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->facts[i].field == f && o->facts[i].value.is == VALUE_KNOWN && o->facts[i].value.text)
			snprintf(to, size, "%s", o->facts[i].value.text);
}

static void came_up(struct write_session *e, const struct obs *o)
{
	char platform[32] = "";

	if (e->is_up || e->is_over)
		return;
	note_text(o, FIELD_PLATFORM, platform, sizeof(platform));
	note_text(o, FIELD_HOSTKEY, e->hostkey, sizeof(e->hostkey));
	note_text(o, FIELD_AUTH, e->login, sizeof(e->login));
	e->platform = platform_find(platform);
	e->is_up = e->tells_ready = true;
	tell_soon(e);
}

static void observed(void *ctx, struct obs *o)
{
	struct write_session *e = ctx;
	char why[1000] = "";

	note_text(o, FIELD_ERROR, why, sizeof(why));
	for (size_t i = 0; i < o->n; i++) {
		if (o->facts[i].field != FIELD_STATE)
			continue;
		if (o->facts[i].value.n == STATE_UP)
			came_up(e, o);
		else if (o->facts[i].value.n == STATE_REFUSED)
			over(e, why[0] ? why : "the session ended");
		else if (o->facts[i].value.n == STATE_STOPPED)
			over(e, NULL);
	}
}

static void ask(void *ctx, unsigned id, const struct question *q)
{
	struct write_session *e = ctx;

	e->hooks.ask(e->hooks.ctx, id, q);
}

static struct talk *new_talk(void *ctx, const struct talk_way *way, const char *nonce, const struct talk_hooks *hooks)
{
	struct write_session *e = ctx;
	struct talk_write_hooks said = { .ctx = e, .answered = answered, .heard = heard };

	e->talk = way->write(nonce, hooks, &said);
	return e->talk;
}

static void on_limit(uv_timer_t *timer)
{
	struct write_session *e = timer->data;

	if (!e->is_due || e->tells_answer)
		return;
	if (e->talk)
		talk_closed(e->talk);	/* gives what came of the answer */
	over(e, "session: timeout; whether it was done is not known");
	poller_stop(e->poller);
}

/* -- for others -- */

struct write_session *write_session_new(uv_loop_t *loop, const struct inventory *inv,
					const struct poller_options *options, const struct write_permit *permit,
					const char *device, const struct write_session_hooks *hooks)
{
	struct write_session *e = xcalloc(1, sizeof(*e));
	struct poller_options own = *options;

	e->hooks = *hooks;
	e->way = (struct write_way){ .ctx = e, .permit = permit, .talk = new_talk };
	own.only = &device;
	own.n_only = 1;
	e->poller = poller_new(loop, inv, &own,
			       &(struct poller_hooks){ .ctx = e, .observed = observed, .ask = hooks->ask ? ask : NULL });
	poller_become_errand(e->poller, &e->way);
	uv_timer_init(loop, &e->limit);
	uv_idle_init(loop, &e->tells);
	e->limit.data = e->tells.data = e;
	e->handles = 2;
	if (inventory_find(inv, device))
		poller_start(e->poller);
	else
		over(e, "inventory: no such device");
	return e;
}

void write_session_let_look(struct write_session *e, const char *text)
{
	assert(!e->look && !e->is_up);
	e->way.look = e->look = xstrdup(text);
}

void write_session_let_test(struct write_session *e, const struct write_permit *permit, const char *text)
{
	assert(!e->look && !e->is_up && !e->way.permit && write_permit_left_us(permit) > 0);
	e->way.look = e->look = xstrdup(text);
	e->way.look_is_test = true;
}

static bool may_say(const struct write_session *e, enum write_kind how, const char *text)
{
	enum write_kind once = e->way.look_is_test ? WRITE_TEST : WRITE_SHELL;

	return e->way.permit ? how != WRITE_TEST : how == once && e->look && !strcmp(text, e->look);
}

void write_session_say(struct write_session *e, enum write_kind how, const char *text, int64_t limit_us)
{
	assert(may_say(e, how, text) && !e->is_due && (e->is_up || e->is_over));
	e->is_due = true;
	if (e->is_over)
		return answered(e, -1, SPAN(""));
	uv_timer_start(&e->limit, on_limit, (uint64_t)(limit_us + 999) / 1000, 0);
	talk_write_say(e->talk, how, text);
	poller_kick(e->poller);
}

void write_session_end(struct write_session *e)
{
	over(e, NULL);
	poller_stop(e->poller);
}

static void on_closed(uv_handle_t *h)
{
	struct write_session *e = h->data;

	if (--e->handles)
		return;
	buf_done(&e->output);
	buf_done(&e->heard);
	free(e->look);
	free(e);
}

void write_session_free(struct write_session *e)
{
	if (!e || e->is_freed)
		return;
	e->is_freed = e->is_over = true;
	e->talk = NULL;
	uv_close((uv_handle_t *)&e->limit, on_closed);
	uv_close((uv_handle_t *)&e->tells, on_closed);
	poller_free(e->poller);
}

void write_session_answer(struct write_session *e, unsigned id, const char *text)
{
	poller_answer(e->poller, id, text);
}
