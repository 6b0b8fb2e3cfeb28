#include "core/judge/ack.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ACKS_MAX	4096	/* of a file somebody else may have written */
#define REASON_MAX	400

static void clear(struct ack *ack)
{
	free(ack->check);
	free(ack->where);
	free(ack->reason);
}

void acks_done(struct acks *a)
{
	for (size_t i = 0; i < a->n; i++)
		clear(&a->list[i]);
	free(a->list);
	memset(a, 0, sizeof(*a));
}

/* -- what was typed -- */

static bool read_length(struct span word, int64_t *us)
{
	static const struct { char unit; int64_t us; } units[] = {
		{ 'm', 60 * SECOND }, { 'h', 3600 * SECOND }, { 'd', 86400 * SECOND }, { 'w', 7 * 86400 * SECOND },
	};
	uint64_t n;

	for (size_t i = 0; word.n && i < sizeof(units) / sizeof(*units); i++) {
		if (word.p[word.n - 1] != units[i].unit || !span_u64((struct span){ word.p, word.n - 1 }, &n) || !n || n > 1000)
			continue;
		*us = (int64_t)n * units[i].us;
		return true;
	}
	return false;
}

/* "14:30" is the next time that it is so late, UTC. */
static bool read_clock(struct span word, int64_t now_us, int64_t *until_us)
{
	static const int64_t day_us = 86400 * SECOND;
	struct span hours, minutes;
	uint64_t h, m;

	if (!span_cut(word, ':', &hours, &minutes) || !span_u64(hours, &h) || !span_u64(minutes, &m) || h > 23 || m > 59)
		return false;
	*until_us = now_us - now_us % day_us + (int64_t)(h * 60 + m) * 60 * SECOND;
	if (*until_us <= now_us)
		*until_us += day_us;
	return true;
}

static bool read_until(struct span word, int64_t now_us, int64_t *until_us)
{
	int64_t us;

	if (span_is_nocase(word, "tomorrow"))
		us = 24 * 3600 * SECOND;
	else if (!read_length(word, &us))
		return read_clock(word, now_us, until_us);
	*until_us = now_us + us;
	return true;
}

bool ack_typed(const char *typed, int64_t now_us, int64_t *until_us, const char **reason, struct err *err)
{
	struct span rest = span_of(typed), word;
	int64_t until = now_us + ACK_USUAL_US;

	if (!span_word(&rest, &word))
		return err_set(err, "an acknowledgement needs a reason: 2h waits for the window");
	if (!read_until(word, now_us, &until))
		rest = span_of(typed);
	rest = span_trim(rest);
	if (!rest.n)
		return err_set(err, "the end is given but not the reason: %.*s waits for the window", (int)word.n, word.p);
	*until_us = until;
	*reason = rest.p;
	return true;
}

/* -- the list -- */

static bool is_of(const struct ack *ack, const char *check, const char *where)
{
	return !strcmp(ack->check, check) && !strcmp(ack->where, where);
}

void acks_remove(struct acks *a, const struct ack *ack)
{
	size_t i = (size_t)(ack - a->list);

	clear(&a->list[i]);
	a->n--;
	memmove(a->list + i, a->list + i + 1, (a->n - i) * sizeof(*a->list));
}

static struct ack *last_of(const struct acks *a, const char *check, const char *where)
{
	for (size_t i = a->n; i > 0; i--)
		if (is_of(&a->list[i - 1], check, where))
			return &a->list[i - 1];
	return NULL;
}

/* A line of text is all there is room for. */
static char *one_line(const char *text)
{
	char *line = xstrndup(text, strnlen(text, REASON_MAX));

	for (char *c = line; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
	return line;
}

static const struct ack *add(struct acks *a, const char *check, const char *where, enum verdict severity, const char *reason,
			     int64_t at_us, int64_t until_us)
{
	struct ack *ack = GROW(a->list, a->n, a->cap);

	*ack = (struct ack){ .check = one_line(check), .where = one_line(where), .reason = one_line(reason), .severity = severity,
			     .at_us = at_us, .until_us = until_us };
	a->n++;
	return ack;
}

const struct ack *acks_add(struct acks *a, const char *check, const char *where, enum verdict severity, const char *reason,
			   int64_t at_us, int64_t until_us)
{
	const struct ack *before = last_of(a, check, where);

	if (before)
		acks_remove(a, before);
	return add(a, check, where, severity, reason, at_us, until_us);
}

const struct ack *acks_of(const struct acks *a, const struct finding *f, int64_t now_us)
{
	for (size_t i = a ? a->n : 0; i > 0; i--) {
		const struct ack *ack = &a->list[i - 1];

		if (ack->at_us <= now_us && now_us < ack->until_us && (!ack->ended_us || now_us < ack->ended_us) &&
		    f->verdict <= ack->severity && is_of(ack, f->check->id, f->where))
			return ack;
	}
	return NULL;
}

/* NULL: it goes on. A place that is not judged yet, as after a restart, ends nothing. */
static const char *why_ended(const struct ack *ack, const struct findings *f, int64_t now_us)
{
	const struct finding *found = findings_find(f, ack->check, ack->where);

	if (now_us >= ack->until_us)
		return "it has expired";
	if (found && found->is_open && found->weight > ack->severity)
		return "it got worse";
	if (found && !found->is_open && found->closed_us > ack->at_us)
		return "it has cleared";
	return NULL;
}

size_t acks_settle(struct acks *a, const struct findings *f, int64_t now_us,
		   void (*ended)(void *ctx, const struct ack *ack, const char *why), void *ctx)
{
	size_t n = 0;

	for (size_t i = a->n; i > 0; i--) {
		const char *why = why_ended(&a->list[i - 1], f, now_us);

		if (!why)
			continue;
		ended(ctx, &a->list[i - 1], why);
		acks_remove(a, &a->list[i - 1]);
		n++;
	}
	return n;
}

/* -- written -- */

static void print_time(struct buf *out, int64_t at_us)
{
	time_t at = (time_t)(at_us / SECOND);
	char text[40];
	struct tm tm;

	gmtime_r(&at, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	buf_str(out, text);
}

static bool read_time(struct span text, int64_t *at_us)
{
	char copy[40];
	struct tm tm = { 0 };
	const char *end;

	if (text.n >= sizeof(copy))
		return false;
	memcpy(copy, text.p, text.n);
	copy[text.n] = '\0';
	end = strptime(copy, "%Y-%m-%dT%H:%M:%SZ", &tm);
	if (!end || *end)
		return false;
	*at_us = (int64_t)timegm(&tm) * SECOND;
	return true;
}

static bool read_verdict(struct span word, enum verdict *out)
{
	for (unsigned v = VERDICT_UNKNOWN; v <= VERDICT_FAIL; v++) {
		if (!span_is(word, verdict_name((enum verdict)v)))
			continue;
		*out = (enum verdict)v;
		return true;
	}
	return false;
}

void ack_print(const struct ack *ack, struct buf *out)
{
	buf_printf(out, "%s %s at %s until ", verdict_name(ack->severity), ack->check, ack->where);
	print_time(out, ack->until_us);
	buf_printf(out, ": %s", ack->reason);
}

void acks_print(const struct acks *a, struct buf *out)
{
	for (size_t i = 0; i < a->n; i++) {
		print_time(out, a->list[i].at_us);
		buf_str(out, " ");
		ack_print(&a->list[i], out);
		buf_str(out, "\n");
	}
}

void ack_print_end(const struct ack *ack, const char *why, struct buf *out)
{
	buf_printf(out, "%s %s at %s: %s", verdict_name(ack->severity), ack->check, ack->where, why);
}

/* Everything up to a mark; *rest is what follows it. */
static bool take_until(struct span *rest, const char *mark, struct span *out)
{
	const char *at = span_find(*rest, mark);

	if (!at)
		return false;
	*out = (struct span){ rest->p, (size_t)(at - rest->p) };
	*rest = (struct span){ at + strlen(mark), rest->n - out->n - strlen(mark) };
	return out->n > 0;
}

/* None is ever written: a line that has one is somebody else's. */
static bool has_control(struct span line)
{
	for (size_t i = 0; i < line.n; i++)
		if ((unsigned char)line.p[i] < ' ' || line.p[i] == 0x7f)
			return true;
	return false;
}

bool acks_read_line(struct acks *a, struct span line, int64_t at_us)
{
	struct span verdict, check, where, until;
	enum verdict severity;
	int64_t until_us;
	char *texts[3];

	if (a->n >= ACKS_MAX || has_control(line) || !take_until(&line, " ", &verdict) || !read_verdict(verdict, &severity) ||
	    !take_until(&line, " at ", &check) || !take_until(&line, " until ", &where) || !take_until(&line, ": ", &until) ||
	    !read_time(until, &until_us) || !line.n)
		return false;
	texts[0] = xstrndup(check.p, check.n);
	texts[1] = xstrndup(where.p, where.n);
	texts[2] = xstrndup(line.p, line.n);
	add(a, texts[0], texts[1], severity, texts[2], at_us, until_us);
	for (size_t i = 0; i < 3; i++)
		free(texts[i]);
	return true;
}

size_t acks_read(struct acks *a, struct span text)
{
	struct span line, at;
	size_t strange = 0;
	int64_t at_us;

	while (span_line(&text, &line))
		strange += line.n && !(take_until(&line, " ", &at) && read_time(at, &at_us) && acks_read_line(a, line, at_us));
	return strange;
}

bool acks_read_end(struct acks *a, struct span line, int64_t at_us)
{
	struct span verdict, check, where;
	const char *colon;
	struct ack *ack;
	char *of_check, *of_where;

	if (!take_until(&line, " ", &verdict) || !take_until(&line, " at ", &check))
		return false;
	/* a place has colons of its own, but never one with a blank behind it */
	colon = span_find(line, ": ");
	where = (struct span){ line.p, colon ? (size_t)(colon - line.p) : line.n };
	of_check = xstrndup(check.p, check.n);
	of_where = xstrndup(where.p, where.n);
	ack = last_of(a, of_check, of_where);
	if (ack && !ack->ended_us)
		ack->ended_us = at_us;
	free(of_check);
	free(of_where);
	return ack != NULL;
}
