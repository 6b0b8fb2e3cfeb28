#include "remote/platform/tool_output.h"

#include <ctype.h>
#include <stdio.h>

#define JSON_TEXT_MAX	(1u << 20)	/* of a tool's JSON; jansson needs some ten times that */
#define ERROR_TEXT_MAX	2048		/* error messages are short: a long text is not searched for one */
#define LATELY		48

static bool has(struct span text, const char *what)
{
	return span_find(text, what) != NULL;
}

/* What the words of usual errors mean to a person; the first that fits. */
static const struct {
	const char *text, *meaning;
} errors[] = {
	{ "not permitted",		"%s: not root" },
	{ "ermission denied",		"%s: not root" },
	{ "must be root",		"%s: not root" },
	{ "not root",			"%s: not root" },
	{ "not supported",		"%s: not supported by this interface" },
	{ "no stats available",		"%s: not supported by this interface" },
	{ "o such device",		"%s: no such device" },
	{ "no device matches",		"%s: no such device" },
	{ "command line argument",	"%s: not supported by this version" },
	{ "no such option",		"%s: not supported by this version" },
	{ "is unknown",			"%s: not supported by this version" },
	{ "unable to connect",		"%s: its daemon is not running" },
	{ "NETLINK_RDMA",		"%s: RDMA is not loaded" },
	{ "Function not implemented",	"%s: RDMA is not loaded" },
	{ "No IB devices",		"%s: no RDMA device" },
};

static void first_line(const struct answer *a, const char *tool, char reason[REASON_MAX])
{
	struct span rest = span_trim(a->text), line = { 0 };
	size_t n = 0;

	span_line(&rest, &line);
	n = (size_t)snprintf(reason, REASON_MAX, "%s failed (status %d)%s", tool, a->status, line.n ? ": " : "");
	for (size_t i = 0; i < line.n && n < REASON_MAX - 1; i++)
		reason[n++] = isprint((unsigned char)line.p[i]) ? line.p[i] : '?';
	reason[n < REASON_MAX ? n : REASON_MAX - 1] = '\0';
}

const char *refusal(const struct answer *a, const char *tool, char reason[REASON_MAX])
{
	struct span text = { a->text.p, a->text.n < ERROR_TEXT_MAX ? a->text.n : ERROR_TEXT_MAX };

	if (a->status == STATUS_LATE)
		return snprintf(reason, REASON_MAX, "%s did not answer within 5 s", tool), reason;
	if (a->status == STATUS_NO_TOOL || (a->status != 0 && has(text, ": not found")))
		return snprintf(reason, REASON_MAX, "%.*s is not installed", (int)strcspn(tool, " "), tool), reason;
	if (a->status != 0 || a->text.n < ERROR_TEXT_MAX)
		for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
			if (has(text, errors[i].text))
				return snprintf(reason, REASON_MAX, errors[i].meaning, tool), reason;
	if (a->status <= 0)
		return NULL;
	first_line(a, tool, reason);
	return reason;
}

uint16_t answer_port(const struct answer *a, struct obs *o)
{
	return a->port ? obs_port(o, span_of(a->port)) : OBS_DEVICE;
}

void unknown_all(struct obs *o, uint16_t port, enum field f, const char *reason)
{
	for (unsigned i = 0; i < field_table[f].width; i++)
		obs_unknown(o, port, f, i, reason);
}

bool next_port_line(struct span *rest, struct span *name)
{
	struct span line;

	while (span_line(rest, &line))
		if (span_skip(&line, "port ")) {
			*name = span_trim(line);
			return true;
		}
	return false;
}

bool says_lately(const struct obs *o, uint16_t port, enum field f, unsigned index)
{
	for (size_t i = o->n; i > 0 && o->n - i < LATELY; i--) {
		const struct obs_fact *fact = &o->facts[i - 1];

		if (fact->port == port && fact->field == f && fact->index == index)
			return true;
	}
	return false;
}

bool key_value(struct span line, struct span *key, struct span *value)
{
	if (!span_cut(line, ':', key, value))
		return false;
	*key = span_trim(*key);
	*value = span_trim(*value);
	return key->n > 0;
}

json_t *next_json(struct span *rest)
{
	for (; rest->n > 0; rest->p++, rest->n--) {
		json_error_t error;
		json_t *json;

		if (*rest->p != '{' && *rest->p != '[')
			continue;
		json = rest->n <= JSON_TEXT_MAX ? json_loadb(rest->p, rest->n, JSON_DISABLE_EOF_CHECK, &error) : NULL;
		if (json) {
			size_t used = error.position > 0 ? (size_t)error.position : 0;

			rest->p += used < rest->n ? used : rest->n;
			rest->n -= used < rest->n ? used : rest->n;
			return json;
		}
		/* not JSON: on with the next line, so that a text of brackets costs no more than its lines */
		const char *end = memchr(rest->p, '\n', rest->n);
		size_t skip = end ? (size_t)(end - rest->p) : rest->n - 1;

		rest->p += skip;
		rest->n -= skip;
	}
	return NULL;
}

struct span json_span(const json_t *string)
{
	if (!json_is_string(string))
		return (struct span){ NULL, 0 };
	return (struct span){ json_string_value(string), json_string_length(string) };
}
