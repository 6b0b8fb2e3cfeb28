#include "core/ssh_config/words.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#define BLANKS	" \t\r\n"

static void skip_blanks(char **at)
{
	*at += strspn(*at, BLANKS);
}

/* Quotes may begin inside a word: what is before them belongs to it. */
static char *quoted_word(char *word, char *quote, char **rest)
{
	memmove(quote, quote + 1, strlen(quote));
	*rest = strchr(quote, '"');
	if (!*rest)
		return NULL;
	*(*rest)++ = '\0';
	skip_blanks(rest);
	return word;
}

char *ssh_word(char **rest)
{
	char *word = *rest, *end = word ? strpbrk(word, BLANKS "\"=") : NULL;
	bool was_equals;

	*rest = NULL;
	if (!end)
		return word;
	if (*end == '"')
		return quoted_word(word, end, rest);
	was_equals = *end == '=';
	*end++ = '\0';
	skip_blanks(&end);
	if (*end == '=' && !was_equals) {
		end++;
		skip_blanks(&end);
	}
	*rest = end;
	return word;
}

enum backslash { IS_ITSELF, ESCAPES_NEXT, ESCAPES_NOTHING };

/* How a line becomes words. */
struct splitting {
	const char *blanks;
	char comment;		/* begins one where a word could; 0: none does */
	enum backslash (*backslash)(const char *at, char quote);
};

static enum backslash ssh_backslash(const char *at, char quote)
{
	return at[1] && (strchr("'\"\\", at[1]) || (!quote && at[1] == ' ')) ? ESCAPES_NEXT : IS_ITSELF;
}

/* It stands for itself in single quotes, and in double quotes before anything but \ and ". */
static enum backslash shell_backslash(const char *at, char quote)
{
	if (quote == '\'' || (quote && (!at[1] || !strchr("\\\"", at[1]))))
		return IS_ITSELF;
	return at[1] ? ESCAPES_NEXT : ESCAPES_NOTHING;
}

/* One word from at on; the place after it, or NULL. */
static const char *split_one(const struct splitting *by, const char *at, struct buf *word)
{
	char quote = '\0';

	for (; *at; at++) {
		enum backslash backslash = *at == '\\' ? by->backslash(at, quote) : IS_ITSELF;
		if (backslash == ESCAPES_NOTHING)
			return NULL;
		if (backslash == ESCAPES_NEXT)
			buf_add(word, ++at, 1);
		else if (!quote && strchr(by->blanks, *at))
			break;
		else if (!quote && (*at == '"' || *at == '\''))
			quote = *at;
		else if (quote && *at == quote)
			quote = '\0';
		else
			buf_add(word, at, 1);
	}
	return quote ? NULL : at;
}

static bool split(const struct splitting *by, struct arena *a, const char *text, struct texts *out)
{
	struct buf word = { 0 };

	for (;;) {
		text += strspn(text, by->blanks);
		if (!*text || *text == by->comment)
			break;
		buf_clear(&word);
		buf_add(&word, "", 0);
		text = split_one(by, text, &word);
		if (!text)
			break;
		texts_add(out, arena_text(a, word.text, word.n));
	}
	buf_done(&word);
	return text;
}

bool ssh_split(struct arena *a, const char *text, struct texts *out)
{
	return split(&(struct splitting){ " \t", '#', ssh_backslash }, a, text, out);
}

bool ssh_shell_split(struct arena *a, const char *text, struct texts *out)
{
	return split(&(struct splitting){ BLANKS, '\0', shell_backslash }, a, text, out);
}

/* -- patterns -- */

/* Goes back to the last star alone: what an earlier one could take, the last can, and the time stays bounded. */
static bool matches(struct span text, struct span pattern)
{
	size_t t = 0, p = 0, star = SIZE_MAX, from = 0;

	while (t < text.n) {
		if (p < pattern.n && pattern.p[p] == '*') {
			star = p++;
			from = t;
		} else if (p < pattern.n && (pattern.p[p] == '?' || pattern.p[p] == text.p[t])) {
			p++, t++;
		} else if (star != SIZE_MAX) {
			p = star + 1;
			t = ++from;
		} else {
			return false;
		}
	}
	while (p < pattern.n && pattern.p[p] == '*')
		p++;
	return p == pattern.n;
}

bool ssh_match(const char *text, const char *pattern)
{
	return matches(span_of(text), span_of(pattern));
}

static char *lower(const char *text)
{
	char *copy = xstrdup(text);

	for (char *c = copy; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return copy;
}

#define PATTERN_MAX	1023	/* a longer one matches nothing, and ends the list */

static bool matches_list(struct span text, struct span rest)
{
	bool yes = false;

	while (rest.n) {
		struct span one = rest;

		if (!span_cut(rest, ',', &one, &rest))
			rest.n = 0;
		bool is_negated = span_skip(&one, "!");
		if (one.n >= PATTERN_MAX)
			return false;
		if (!matches(text, one))
			continue;
		if (is_negated)
			return false;
		yes = true;
	}
	return yes;
}

bool ssh_match_list(const char *text, const char *patterns, bool any_case)
{
	char *t = any_case ? lower(text) : NULL, *p = any_case ? lower(patterns) : NULL;
	bool yes = matches_list(span_of(t ? t : text), span_of(p ? p : patterns));

	free(t);
	free(p);
	return yes;
}

/* -- values -- */

static uint64_t seconds_of(char unit)
{
	static const struct {
		char unit;
		unsigned seconds;
	} units[] = { { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 }, { 'w', 604800 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (tolower((unsigned char)unit) == units[i].unit)
			return units[i].seconds;
	return 1;
}

bool ssh_time_ok(const char *text)
{
	struct span rest = span_of(text);
	uint64_t total = 0, n;

	if (!rest.n)
		return false;
	while (rest.n) {
		if (!span_take_u64(&rest, &n) || n > INT32_MAX)
			return false;
		if (rest.n && !strchr("sSmMhHdDwW", *rest.p))
			return false;
		total += n * seconds_of(rest.n ? *rest.p : 's');
		if (total > INT32_MAX)
			return false;
		if (rest.n)
			rest = (struct span){ rest.p + 1, rest.n - 1 };
	}
	return true;
}

static bool is_in(const char *text, size_t n, const char *also)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr(also, text[i]))
			return false;
	return true;
}

bool ssh_address_ok(const char *address)
{
	size_t n = strlen(address);

	return n && n <= 253 && *address != '-' && is_in(address, n, "._-:%+");
}

bool ssh_user_ok(const char *user)
{
	size_t n = strlen(user);

	if (!n || n > 255 || *user == '-' || user[n - 1] == '\\')
		return false;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)user[i] <= ' ' || user[i] == 0x7f || strchr("'`\";&<>|(){}$*?!#~", user[i]))
			return false;
	return true;
}

static bool has_only(const char *host, const char *characters)
{
	return host[strspn(host, characters)] == '\0';
}

bool ssh_is_address(const char *host)
{
	struct in_addr four;

	return strpbrk(host, "%:") || has_only(host, "0123456789.") || inet_aton(host, &four);
}

/* The zone stays as it is written. */
static const char *address_form(struct arena *a, const char *host)
{
	char out[INET6_ADDRSTRLEN + 80], *zone;
	struct in6_addr six;
	struct in_addr four;

	if (inet_aton(host, &four))
		inet_ntop(AF_INET, &four, out, sizeof(out));
	else if (strlen(host) >= 80)
		return host;
	else {
		char copy[80];

		memcpy(copy, host, strlen(host) + 1);
		zone = strchr(copy, '%');
		if (zone)
			*zone = '\0';
		if (inet_pton(AF_INET6, copy, &six) != 1)
			return host;
		inet_ntop(AF_INET6, &six, out, INET6_ADDRSTRLEN);
		if (zone)
			strcat(out, host + (zone - copy));
	}
	return strcasecmp(out, host) ? arena_text(a, out, strlen(out)) : host;	/* as it was written, when only that differs */
}

const char *ssh_lower(struct arena *a, const char *text)
{
	char *small = lower(text);
	const char *kept = arena_text(a, small, strlen(small));

	free(small);
	return kept;
}

const char *ssh_usual_form(struct arena *a, const char *host)
{
	return ssh_is_address(host) ? address_form(a, host) : ssh_lower(a, host);
}

/* -- hops -- */

static bool hop_port(struct span text, unsigned *port)
{
	uint64_t n;

	if (!text.n)
		return true;
	if (!span_u64(text, &n) || n == 0 || n > 65535)
		return false;
	*port = (unsigned)n;
	return true;
}

/* "host", "host:port", "[host]:port", "[host]". */
static bool hop_host(struct arena *a, struct span text, struct ssh_hop *hop)
{
	struct span host = text, port = { 0 };

	if (span_skip(&text, "[")) {
		if (!span_cut(text, ']', &host, &text) || (text.n && !span_skip(&text, ":")))
			return false;
		port = text;
	} else {
		span_cut(text, ':', &host, &port);
	}
	if (!host.n || memchr(host.p, '/', host.n) || !hop_port(port, &hop->port))
		return false;
	hop->host = arena_text(a, host.p, host.n);
	return true;
}

bool ssh_read_hop(struct arena *a, struct span text, struct ssh_hop *out)
{
	struct ssh_hop hop = { 0 };
	struct span user, host = text, unused;
	bool is_uri = span_skip(&host, "ssh://");

	if (is_uri && host.n && host.p[host.n - 1] == '/')
		host.n--;
	if (is_uri ? span_cut(host, '@', &user, &host) : span_cut_last(host, '@', &user, &host)) {
		if (is_uri && span_cut(user, ';', &user, &unused) && !user.n)
			return false;
		if (!user.n || (is_uri && (memchr(user.p, '%', user.n) || memchr(user.p, '+', user.n))))
			return false;	/* URL-encoded: nobody writes it, and it would be another user */
		hop.user = arena_text(a, user.p, user.n);
	}
	if (!hop_host(a, host, &hop) || (is_uri && !is_in(hop.host, strlen(hop.host), "._-")))
		return false;	/* ssh has no IPv6 address in a URI */
	*out = hop;
	return true;
}

/* -- tokens -- */

static bool add_variable(struct buf *out, const char **at, const struct ssh_tokens *t, struct err *why)
{
	const char *end = strchr(*at, '}'), *value;
	char *name;

	if (!end || end == *at + 2)
		return err_set(why, "\"${\" without a name and \"}\"");
	name = xstrndup(*at + 2, (size_t)(end - *at - 2));
	value = t->env(t->ctx, name);
	if (value)
		buf_str(out, value);
	else
		err_set(why, "the environment variable %.60s is not set", name);
	free(name);
	*at = end;
	return value;
}

static bool add_token(struct buf *out, const char *at, const struct ssh_tokens *t, struct err *why)
{
	unsigned char c = (unsigned char)*at;

	if (c == '%')
		buf_str(out, "%");
	else if (!c || c >= 128 || !t->of[c])
		return err_set(why, "%%%.1s is not a token of this keyword", at);
	else
		buf_str(out, t->of[c]);
	return true;
}

const char *ssh_expand(struct arena *a, const char *text, const struct ssh_tokens *t, struct err *why)
{
	struct buf out = { 0 };
	const char *kept = NULL;
	bool ok = true;

	buf_add(&out, "", 0);
	for (const char *at = text; ok && *at; at++) {
		if (t->env && at[0] == '$' && at[1] == '{')
			ok = add_variable(&out, &at, t, why);
		else if (*at == '%')
			ok = add_token(&out, ++at, t, why);
		else
			buf_add(&out, at, 1);
	}
	if (ok)
		kept = arena_text(a, out.text, out.n);
	buf_done(&out);
	return kept;
}
