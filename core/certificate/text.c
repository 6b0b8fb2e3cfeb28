/* Text on its way into a document. Whatever a device or a person wrote is hostile until it went through here. */
#include "core/certificate/internal.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>

#define SHARE_MAX	10.0		/* a ceiling far below the rate is a wrong ceiling: its percentage stays short */

/*
 * Beside printable ASCII: letters and signs whose look does not depend on their neighbors. What reorders or combines, and what has no
 * look at all, is not among them. A list of our own: the C library's depends on the locale, and a certificate is the same in each.
 */
static const struct {
	uint32_t first, last;
} shown[] = {
	{ 0x00a1, 0x00ac }, { 0x00ae, 0x024f },				/* Latin, without the soft hyphen */
	{ 0x0391, 0x03a1 }, { 0x03a3, 0x03ff }, { 0x0400, 0x0482 }, { 0x048a, 0x052f },	/* Greek, Cyrillic */
	{ 0x2013, 0x2014 }, { 0x2018, 0x201e }, { 0x2020, 0x2022 }, { 0x2026, 0x2026 }, { 0x20ac, 0x20ac },
	{ 0x2190, 0x2195 }, { 0x2260, 0x2260 }, { 0x2264, 0x2265 },	/* arrows, comparisons */
	{ 0x3041, 0x3096 }, { 0x30a1, 0x30fc }, { 0x4e00, 0x9fff }, { 0xac00, 0xd7a3 },	/* Kana, Han, Hangul */
};

/* The length of the well-formed UTF-8 character at p, and the character; 0: there is none. */
static size_t decode(const unsigned char *p, uint32_t *c)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = p[0] < 0x80 ? 1 : p[0] >= 0xf5 ? 0 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : p[0] >= 0xc2 ? 2 : 0;

	*c = n <= 1 ? p[0] : p[0] & (0xffu >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (p[i] & 0x3f);
	}
	return n && *c >= least[n] && *c <= 0x10ffff ? n : 0;
}

static bool is_shown(uint32_t c)
{
	if (c >= 0x20 && c < 0x7f)
		return true;
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++)
		if (c >= shown[i].first && c <= shown[i].last)
			return true;
	return false;
}

size_t certificate_safe(const char **at, char out[SAFE_MAX])
{
	const char *start = *at;
	uint32_t c;
	size_t n = decode((const unsigned char *)start, &c);

	if (!*start)
		return 0;
	*at += n ? n : 1;
	if (!n)
		return (size_t)snprintf(out, SAFE_MAX, "\\x%02x", (unsigned char)*start);
	if (is_shown(c)) {
		memcpy(out, start, n);
		out[n] = '\0';
		return n;
	}
	if (c == '\n' || c == '\r' || c == '\t')
		return (size_t)snprintf(out, SAFE_MAX, " ");
	return (size_t)snprintf(out, SAFE_MAX, c > 0xffff ? "\\U%06x" : "\\u%04x", (unsigned)c);
}

void certificate_plain(struct buf *out, const char *text)
{
	char safe[SAFE_MAX];

	for (size_t n; (n = certificate_safe(&text, safe));)
		buf_add(out, safe, n);
}

void certificate_xml(struct buf *out, const char *text)
{
	static const char special[] = "&<>\"'";
	static const char *const written[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };
	char safe[SAFE_MAX];

	for (size_t n; (n = certificate_safe(&text, safe));) {
		const char *found = n == 1 ? strchr(special, *safe) : NULL;

		buf_str(out, found ? written[found - special] : safe);
	}
}

void certificate_fill(struct buf *out, certificate_escape *escape, const char *format, size_t n, const char *const *values)
{
	size_t used = 0;

	for (const char *hole; (hole = strstr(format, "{}")); format = hole + 2, used++) {
		assert(used < n);
		buf_add(out, format, (size_t)(hole - format));
		escape(out, values[used] ? values[used] : "not known");
	}
	assert(used == n);
	buf_str(out, format);
}

/* -- values as people read them -- */

static const char *keep(struct arena *a, struct buf *text)
{
	const char *kept = arena_text(a, text->text ? text->text : "", text->n);

	buf_done(text);
	return kept;
}

const char *certificate_name(struct arena *a, const char *host, const char *nic)
{
	struct buf text = { 0 };

	if (!host)
		return NULL;
	buf_printf(&text, "%s%s%s", host, nic ? ":" : "", nic ? nic : "");
	return keep(a, &text);
}

const char *certificate_link(struct arena *a, const json_t *link)
{
	return certificate_name(a, text_of(link, "host"), text_of(link, "nic"));
}

const char *certificate_far(struct arena *a, const json_t *link)
{
	return certificate_name(a, text_of(link, "peer"), text_of(link, "peer_port"));
}

const char *certificate_end(struct arena *a, const json_t *test, const char *which)
{
	return certificate_link(a, member(test, which));
}

/* One decimal, with a point in each locale. */
static void add_tenths(struct buf *out, double x)
{
	long long tenths = llround(x * 10);

	buf_printf(out, "%lld.%lld", tenths / 10, tenths % 10);
}

const char *certificate_amount(struct arena *a, double n, const char *unit)
{
	static const char *const prefixes[] = { "", "k", "M", "G", "T" };
	struct buf text = { 0 };
	size_t i = 0;

	if (isnan(n))
		return NULL;
	for (; i < 4 && n >= 1000; i++)
		n /= 1000;
	add_tenths(&text, n);
	buf_printf(&text, " %s%s", prefixes[i], unit);
	return keep(a, &text);
}

const char *certificate_percent(struct arena *a, double share)
{
	struct buf text = { 0 };

	if (isnan(share))
		return NULL;
	add_tenths(&text, share * 100);
	buf_str(&text, " %");
	return keep(a, &text);
}

const char *certificate_count(struct arena *a, double n)
{
	struct buf text = { 0 };

	if (isnan(n))
		return NULL;
	certificate_number(&text, n);
	return keep(a, &text);
}

const char *certificate_time(struct arena *a, const char *time)
{
	struct buf text = { 0 };

	if (!time)
		return NULL;
	buf_printf(&text, "%.10s %.8s UTC", time, strlen(time) > 11 ? time + 11 : "");
	return keep(a, &text);
}

const char *certificate_value(struct arena *a, const json_t *limit)
{
	struct buf text = { 0 };

	certificate_number(&text, number_of(limit, "value"));
	buf_printf(&text, " %s", text_of(limit, "unit"));
	return keep(a, &text);
}

const char *certificate_tool(const json_t *test)
{
	const char *tool = text_of(test, "tool");

	return tool ? tool : "ib_write_bw";
}

bool certificate_measures_rate(const json_t *test)
{
	return strstr(certificate_tool(test), "_bw") != NULL;
}

bool certificate_is_incast(const json_t *test)
{
	return span_starts(span_of(text_of(test, "kind")), "incast");
}

const char *certificate_test(struct arena *a, const json_t *test)
{
	struct buf text = { 0 };

	buf_str(&text, text_of(test, "kind"));
	if (!certificate_measures_rate(test))
		buf_printf(&text, ", %s", certificate_tool(test));
	return keep(a, &text);
}

const char *certificate_measured(struct arena *a, const json_t *test)
{
	struct buf text = { 0 };
	double us = number_of(test, "latency_us");

	if (certificate_measures_rate(test) || !strcmp(certificate_tool(test), "counters") || !strcmp(certificate_tool(test), "iperf3"))
		return certificate_amount(a, number_of(test, "rate_bps"), "b/s");
	if (isnan(us))
		return strcmp(certificate_tool(test), "rping") ? NULL : "-";
	buf_printf(&text, "%.2f us", us);
	return keep(a, &text);
}

double certificate_share(const json_t *test)
{
	double ceiling = number_of(test, "ceiling_bps"), rate = number_of(test, "rate_bps");

	return ceiling > 0 && !isnan(rate) ? fmin(rate / ceiling, SHARE_MAX) : NAN;
}

double certificate_mark(const json_t *certificate)
{
	const json_t *limit;

	for (EACH(member(certificate, "limits"), limit))
		if (!strcmp(text_of(limit, "id"), "test.share.fail"))
			return number_of(limit, "value");
	return NAN;
}

static bool is_end(const json_t *end, const json_t *link)
{
	const char *nic = text_of(link, "nic");

	return nic && !strcmp(text_of(end, "host"), text_of(link, "host")) && !strcmp(text_of(end, "nic"), nic);
}

bool certificate_is_of(const json_t *test, const json_t *link)
{
	return is_end(member(test, "from"), link) || is_end(member(test, "to"), link);
}

bool certificate_fails_alone(const json_t *certificate, const json_t *test)
{
	const json_t *link;

	if (!has_state(test, "fail"))
		return false;
	for (EACH(member(certificate, "links"), link))
		if ((has_state(link, "fail") || has_state(link, "suspect")) && certificate_is_of(test, link))
			return false;
	return true;
}

bool certificate_has_lone_failure(const json_t *certificate)
{
	const json_t *test;

	for (EACH(member(certificate, "tests"), test))
		if (certificate_fails_alone(certificate, test))
			return true;
	return false;
}

const char *certificate_verdict(const json_t *certificate)
{
	return has_state(certificate, "pass") ? "PASS" : has_state(certificate, "fail") ? "FAIL" : "NOT KNOWN";
}

static void add_tally(struct buf *out, const json_t *summary, const char *all, const char *failed, const char *unknown, const char *noun)
{
	size_t n = (size_t)number_of(summary, all), bad = (size_t)number_of(summary, failed), open = (size_t)number_of(summary, unknown);

	if (!n)
		buf_printf(out, "no %ss", noun);
	else if (!bad && !open)
		buf_printf(out, "no failure in %zu %s%s", n, noun, plural_s(n));
	else if (!bad)
		buf_printf(out, "%zu of %zu %s%s not known", open, n, noun, plural_s(n));
	else
		buf_printf(out, "%zu of %zu %s%s failed", bad, n, noun, plural_s(n));
	if (bad && open)
		buf_printf(out, ", %zu not known", open);
}

const char *certificate_headline(struct arena *a, const json_t *certificate)
{
	const json_t *summary = member(certificate, "summary");
	struct buf text = { 0 };

	add_tally(&text, summary, "nics", "failed", "not_known", "NIC");
	if (number_of(summary, "skipped") > 0)
		buf_printf(&text, ", %zu skipped", (size_t)number_of(summary, "skipped"));
	buf_str(&text, "; ");
	add_tally(&text, summary, "tests", "tests_failed", "tests_not_known", "test");
	if (number_of(summary, "tests_not_judged") > 0)
		buf_printf(&text, ", %zu measured and not judged", (size_t)number_of(summary, "tests_not_judged"));
	return keep(a, &text);
}
