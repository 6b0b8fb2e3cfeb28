#include "core/model/login.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OPEN_ONLY	"ended logins not on record"
#define SSH_READ	"SSH log read"
#define NOT_BEFORE	"not read before "

void login_name(char out[LOGIN_NAME], struct span name)
{
	size_t n = name.n < LOGIN_NAME - 1 ? name.n : LOGIN_NAME - 1;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)name.p[i];

		out[i] = (char)(isascii(c) && (isalnum(c) || strchr("-._:@%+/", c)) && c ? c : '?');
	}
	out[n] = '\0';
}

/* Digits up to the separator; false when there are none. */
static bool take(struct span *rest, char end, unsigned max, int *out)
{
	uint64_t n;

	if (!span_take_u64(rest, &n) || n > max)
		return false;
	*out = (int)n;
	if (!end)
		return true;
	if (!rest->n || *rest->p != end)
		return false;
	*rest = (struct span){ rest->p + 1, rest->n - 1 };
	return true;
}

bool login_time(struct span text, int64_t *s)
{
	struct tm tm = { 0 };

	if (!take(&text, '-', 9999, &tm.tm_year) || !take(&text, '-', 12, &tm.tm_mon) || !take(&text, 'T', 31, &tm.tm_mday) ||
	    !take(&text, ':', 23, &tm.tm_hour) || !take(&text, 0, 59, &tm.tm_min))
		return false;
	if (span_skip(&text, ":") && !take(&text, 0, 60, &tm.tm_sec))
		return false;
	if (!span_is(text, "Z") && !span_is(text, "+00:00") && !span_is(text, "+0000"))
		return false;
	if (tm.tm_year < 1970 || tm.tm_mon < 1 || tm.tm_mday < 1)
		return false;
	tm.tm_year -= 1900;
	tm.tm_mon--;
	*s = (int64_t)timegm(&tm);
	return true;
}

void login_time_print(int64_t s, struct buf *out)
{
	time_t t = (time_t)s;
	struct tm tm;
	char text[32];

	gmtime_r(&t, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	buf_str(out, text);
}

static void print_login(const struct login *l, struct buf *out)
{
	buf_printf(out, "; %s%s%s on %s ", l->user, *l->from ? " from " : "", l->from, l->line);
	login_time_print(l->since_s, out);
	if (l->within_s)
		buf_printf(out, "+%us", l->within_s);
	if (l->end == LOGIN_END_UNKNOWN)
		buf_str(out, " to unknown");
	if (l->end != LOGIN_ENDED)
		return;
	buf_str(out, " to ");
	login_time_print(l->until_s, out);
}

void logins_print(const struct logins *l, struct buf *out)
{
	buf_str(out, "at ");
	login_time_print(l->at_s, out);
	for (size_t i = 0; i < l->n; i++)
		print_login(&l->list[i], out);
	if (l->missed)
		buf_printf(out, "; %u not parsed", l->missed);
	if (l->is_open_only)
		buf_str(out, "; " OPEN_ONLY);
	if (l->has_ssh)
		buf_str(out, "; " SSH_READ);
	if (!l->first_s)
		return;
	buf_str(out, "; " NOT_BEFORE);
	login_time_print(l->first_s, out);
}

static bool read_since(struct span word, struct login *l)
{
	struct span time = word, late = { 0 };
	uint64_t n;

	if (span_cut(word, '+', &time, &late)) {
		if (!span_take_u64(&late, &n) || n > 60)
			return false;
		l->within_s = (unsigned)n;
	}
	return login_time(time, &l->since_s);
}

static bool read_end(struct span *rest, struct login *l)
{
	struct span word;

	if (!span_word(rest, &word))
		return true;	/* still open */
	if (!span_is(word, "to") || !span_word(rest, &word))
		return false;
	l->end = span_is(word, "unknown") ? LOGIN_END_UNKNOWN : LOGIN_ENDED;
	return (l->end == LOGIN_END_UNKNOWN || login_time(word, &l->until_s)) && !span_word(rest, &word);
}

static bool read_login(struct span text, struct login *l)
{
	struct span word;

	*l = (struct login){ .end = LOGIN_OPEN };
	if (!span_word(&text, &word))
		return false;
	login_name(l->user, word);
	if (!span_word(&text, &word))
		return false;
	if (span_is(word, "from")) {
		if (!span_word(&text, &word))
			return false;
		login_name(l->from, word);
		if (!span_word(&text, &word))
			return false;
	}
	if (!span_is(word, "on") || !span_word(&text, &word))
		return false;
	login_name(l->line, word);
	return span_word(&text, &word) && read_since(word, l) && read_end(&text, l);
}

static bool read_missed(struct logins *out, struct span part)
{
	uint64_t n;

	if (!span_take_u64(&part, &n) || !span_is(part, " not parsed") || n > UINT32_MAX)
		return false;
	out->missed = (unsigned)n;
	return true;
}

static bool read_part(struct logins *out, struct span part)
{
	struct span rest = part;
	struct login l;

	if (span_is(part, OPEN_ONLY))
		return (out->is_open_only = true);
	if (span_is(part, SSH_READ))
		return (out->has_ssh = true);
	if (span_skip(&rest, NOT_BEFORE))
		return login_time(rest, &out->first_s);
	if (read_missed(out, part))
		return true;
	if (!read_login(part, &l))
		return false;
	*GROW(out->list, out->n, out->cap) = l;
	out->n++;
	return true;
}

bool logins_read(struct logins *out, struct span text)
{
	struct span part, rest = { 0 };

	*out = (struct logins){ 0 };
	if (!span_cut(text, ';', &part, &rest))
		part = text;
	if (!span_skip(&part, "at ") || !login_time(span_trim(part), &out->at_s))
		return false;
	while (rest.n) {
		struct span next = { 0 };

		if (!span_cut(rest, ';', &part, &next))
			part = rest;
		if (!read_part(out, span_trim(part))) {
			logins_done(out);
			return false;
		}
		rest = next;
	}
	return true;
}

void logins_done(struct logins *l)
{
	free(l->list);
	*l = (struct logins){ 0 };
}
