#include "tui/session/logged_in.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/model/login.h"
#include "remote/platforms.h"

#define SLACK_S	2	/* clocks are compared by whole seconds, and a reply takes its time */

/* -- windows -- */

static bool is_setting(const struct change *c)
{
	const char *platform = device_text(c->device, FIELD_PLATFORM);

	return platform && dialect_can_set(platform, c->field, c->port != NULL);
}

static bool is_ours(const struct logged_in *w, const char *device, int64_t from_us, int64_t to_us)
{
	for (size_t i = 0; i < w->n_own; i++)
		if (!strcmp(w->own[i].device, device))
			return w->own[i].at_us >= from_us - SLACK_S * SECOND && w->own[i].at_us <= to_us;
	return false;
}

static struct change_window *window_of(struct logged_in *w, const char *device)
{
	for (size_t i = 0; i < w->n; i++)
		if (!strcmp(w->list[i].device, device))
			return &w->list[i];
	*GROW(w->list, w->n, w->cap) = (struct change_window){ .device = device };
	return &w->list[w->n++];
}

static void widen(struct change_window *at, const struct setting_change *c)
{
	at->from_us = !at->from_us || c->from_us < at->from_us ? c->from_us : at->from_us;
	at->to_us = c->to_us > at->to_us ? c->to_us : at->to_us;
}

static char *copy_of(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

bool logged_in_changed(struct logged_in *w, const struct change *c)
{
	struct setting_change new = { .now = { c->device->name, NULL, c->field, c->index, *c->now }, .from_us = c->was_us, .to_us = c->at_us };
	struct change_window *at;

	if (!is_setting(c))
		return false;
	at = window_of(w, new.now.device);
	new.now.port = copy_of(c->port ? c->port->name : NULL);
	new.now.value.text = copy_of(c->now->text);
	*GROW(at->changes, at->n, at->cap) = new;
	at->n++;
	widen(at, &new);
	return true;
}

void logged_in_ours(struct logged_in *w, const struct device *d, int64_t at_us)
{
	for (size_t i = 0; i < w->n_own; i++)
		if (!strcmp(w->own[i].device, d->name)) {
			w->own[i].at_us = at_us;
			return;
		}
	*GROW(w->own, w->n_own, w->cap_own) = (struct own_command){ d->name, at_us };
	w->n_own++;
}

static void change_done(struct setting_change *c)
{
	free((char *)c->now.port);
	free((char *)c->now.value.text);
	buf_done(&c->by);
}

static void window_done(struct change_window *at)
{
	for (size_t i = 0; i < at->n; i++)
		change_done(&at->changes[i]);
	free(at->changes);
}

static void drop(struct logged_in *w, size_t i)
{
	window_done(&w->list[i]);
	memmove(w->list + i, w->list + i + 1, (w->n - i - 1) * sizeof(*w->list));
	w->n--;
}

void logged_in_done(struct logged_in *w)
{
	for (size_t i = 0; i < w->n; i++)
		window_done(&w->list[i]);
	free(w->list);
	free(w->own);
	*w = (struct logged_in){ 0 };
}

/* -- words; times are UTC and ours, as those of all events -- */

static void add_time(struct buf *out, int64_t s, int64_t near_s)
{
	time_t t = (time_t)s;
	struct tm tm;
	char text[32];

	gmtime_r(&t, &tm);
	strftime(text, sizeof(text), llabs(s - near_s) < 12 * 3600 ? "%H:%M:%SZ" : "%m-%d %H:%MZ", &tm);
	buf_str(out, text);
}

static void add_window(struct buf *out, const struct change_window *at)
{
	add_time(out, at->from_us / SECOND, at->to_us / SECOND);
	buf_str(out, " and ");
	add_time(out, at->to_us / SECOND, at->to_us / SECOND);
}

static void add_login(struct buf *out, const struct login *l, int64_t near_s)
{
	buf_printf(out, "%s %s %s (since ", l->user, *l->from ? "from" : "on", *l->from ? l->from : l->line);
	add_time(out, l->since_s, near_s);
	if (l->end == LOGIN_ENDED) {
		buf_str(out, ", until ");
		add_time(out, l->until_s, near_s);
	}
	buf_str(out, l->end == LOGIN_END_UNKNOWN ? ", end not on record)" : ")");
}

/* Where the end is not on record, the begin alone tells. */
static bool overlaps(const struct login *l, const struct change_window *at)
{
	int64_t from_s = at->from_us / SECOND - SLACK_S, to_s = at->to_us / SECOND + SLACK_S;

	if (l->since_s > to_s)
		return false;
	switch (l->end) {
	case LOGIN_OPEN:
		return true;
	case LOGIN_ENDED:
		return l->until_s >= from_s;
	case LOGIN_END_UNKNOWN:
		break;
	}
	return l->since_s + (int64_t)l->within_s >= from_s;
}

/* What the records do not tell. */
static void add_gaps(struct buf *out, const struct logins *l, const struct change_window *at, unsigned unended)
{
	if (l->is_open_only)
		buf_str(out, "; the device does not record logins that have ended");
	if (unended)
		buf_printf(out, "; %u earlier login%s without an end on record", unended, plural_s(unended));
	if (l->missed)
		buf_printf(out, "; %u record%s could not be parsed", l->missed, plural_s(l->missed));
	if (!l->first_s || l->first_s < at->from_us / SECOND)
		return;
	buf_str(out, "; records before ");
	add_time(out, l->first_s, at->to_us / SECOND);
	buf_str(out, " were not read");
}

static void add_logins(struct buf *out, const struct logins *l, const struct change_window *at)
{
	struct buf who = { 0 };
	unsigned unended = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct login *one = &l->list[i];

		if (overlaps(one, at)) {
			buf_str(&who, who.n ? ", " : "");
			add_login(&who, one, at->to_us / SECOND);
		} else {
			unended += one->end == LOGIN_END_UNKNOWN && one->since_s < at->from_us / SECOND;
		}
	}
	/* lists cut the end: what was not read stands before the names */
	if (who.n)
		buf_printf(out, "%s then: %s; between ", l->has_ssh ? "logged in" : "on a terminal", who.text);
	else
		buf_printf(out, "no %s on record between ", l->has_ssh ? "login" : "terminal login");
	add_window(out, at);
	if (!l->has_ssh)
		buf_str(out, "; SSH logins without a terminal are not known");
	add_gaps(out, l, at, unended);
	buf_done(&who);
}

static void not_known(const struct change_window *at, const char *why, logged_in_tell tell, void *ctx)
{
	struct buf text = { 0 };

	buf_printf(&text, "logins then not known: %s; between ", why);
	add_window(&text, at);
	tell(ctx, EVENT_LOGINS, at->device, at->to_us, text.text);
	buf_done(&text);
}

/* The device's times, as our clock would have shown them. */
static void by_our_clock(struct logins *l, int64_t at_us)
{
	int64_t ahead_s = at_us / SECOND - l->at_s;

	for (size_t i = 0; i < l->n; i++) {
		l->list[i].since_s += ahead_s;
		l->list[i].until_s += l->list[i].end == LOGIN_ENDED ? ahead_s : 0;
	}
	l->first_s += l->first_s ? ahead_s : 0;
}

static void tell_window(const struct device *d, const struct change_window *at, int64_t read_us, logged_in_tell tell, void *ctx)
{
	const struct cell *c = device_cell(d, FIELD_LOGINS, 0);
	struct buf text = { 0 };
	struct logins l;

	if (!c || c->value.is != VALUE_KNOWN) {
		not_known(at, c && c->value.text ? c->value.text : "its login records could not be parsed", tell, ctx);
		return;
	}
	if (!logins_read(&l, span_of(c->value.text))) {
		not_known(at, "its login records could not be parsed", tell, ctx);
		return;
	}
	by_our_clock(&l, read_us);
	add_logins(&text, &l, at);
	tell(ctx, EVENT_LOGINS, at->device, at->to_us, text.text);
	buf_done(&text);
	logins_done(&l);
}

/* -- asking, hearing -- */

static const char *no_records(const struct device *d, char why[96])
{
	const char *id = device_text(d, FIELD_PLATFORM);
	const struct platform *p = id ? platform_find(id) : NULL;

	snprintf(why, 96, "fabcon reads no login records of %s", p ? p->title : "this system");
	return why;
}

static logged_in_explain explained_by;

void logged_in_explained_by(logged_in_explain explain)
{
	explained_by = explain;
}

/* Several changes of one plan are told once; those of a plan of this session are on record already. */
static void tell_plan(const struct logged_in *w, const struct change_window *at, size_t i, logged_in_tell tell, void *ctx)
{
	const struct setting_change *c = &at->changes[i];

	if (is_ours(w, at->device, c->from_us, c->to_us))
		return;
	for (size_t k = 0; k < i; k++)
		if (at->changes[k].by.n && !strcmp(at->changes[k].by.text, c->by.text))
			return;
	tell(ctx, "fix", at->device, c->to_us, c->by.text);
}

/* What is left in the window is not explained; its time is that of what is left. */
static void drop_explained(struct change_window *at)
{
	size_t n = 0;

	at->from_us = at->to_us = 0;
	for (size_t i = 0; i < at->n; i++) {
		if (at->changes[i].by.n) {
			change_done(&at->changes[i]);
			continue;
		}
		at->changes[i].is_foreign = true;
		widen(at, &at->changes[i]);
		at->changes[n++] = at->changes[i];
	}
	at->n = n;
}

/* True when nothing is left to be asked about. */
static bool is_explained(const struct logged_in *w, struct change_window *at, logged_in_tell tell, void *ctx)
{
	size_t known = 0;

	while (known < at->n && at->changes[known].is_foreign)
		known++;
	if (known == at->n)
		return false;
	if (explained_by)
		explained_by(at->device, at->changes + known, at->n - known);
	for (size_t i = known; i < at->n; i++)
		if (at->changes[i].by.n)
			tell_plan(w, at, i, tell, ctx);
	drop_explained(at);
	return !at->n;
}

void logged_in_ask(struct logged_in *w, const struct model *m, bool (*ask)(void *ctx, const char *device), logged_in_tell tell,
		   void *ctx)
{
	for (size_t i = 0; i < w->n;) {
		struct change_window *at = &w->list[i];
		const struct device *d = model_find_device(m, at->device);
		char why[96];

		if (is_explained(w, at, tell, ctx)) {
			drop(w, i);
			continue;
		}
		if (at->is_asked || ask(ctx, at->device)) {
			at->is_asked = true;
			i++;
			continue;
		}
		not_known(at, d ? no_records(d, why) : "it is gone", tell, ctx);
		drop(w, i);
	}
}

void logged_in_heard(struct logged_in *w, const struct device *d, int64_t at_us, logged_in_tell tell, void *ctx)
{
	for (size_t i = 0; i < w->n;) {
		if (strcmp(w->list[i].device, d->name) || !w->list[i].is_asked) {
			i++;
			continue;
		}
		tell_window(d, &w->list[i], at_us, tell, ctx);
		drop(w, i);
	}
}

void logged_in_expire(struct logged_in *w, int64_t now_us, logged_in_tell tell, void *ctx)
{
	for (size_t i = 0; i < w->n;) {
		if (now_us - w->list[i].to_us < LOGGED_IN_WAIT_US) {
			i++;
			continue;
		}
		not_known(&w->list[i], "the device did not answer in time", tell, ctx);
		drop(w, i);
	}
}
