#include "remote/platform/mask.h"

#include <stdlib.h>

#include "core/base/mem.h"
#include "remote/platform/mask_forms.h"
#include "remote/platform/mask_json.h"
#include "remote/platform/mask_keys.h"
#include "remote/platform/mask_lines.h"

#define KEY_WINDOW	16384	/* a private key ends within so much */
#define KEY_LINE	40	/* and where its end is cut off, a line as long as this is of it */

struct mask {
	char *p;
	size_t n;
	struct mask_lines lines;
	const char *key_end;	/* inside a private key, up to here */
	bool is_cut_key;	/* inside one whose end is not there */
	const char *no_json;	/* up to here it was tried, and is none */
};

/* "-----BEGIN …", and SSH2's with four dashes and a blank; the end is written as the beginning. */
static const char *begin_of(struct span line, const char **end)
{
	const char *at = span_find(line, "-----BEGIN ");

	*end = at ? "-----END" : "---- END";
	return at ? at : span_find(line, "---- BEGIN ");
}

/* "Private-Lines: 14" of PuTTY, before as many lines. */
static bool begin_lines(struct mask *m, struct span line, struct span rest)
{
	struct span text;
	uint64_t n;

	if (!span_skip(&line, "Private-Lines:") || !span_u64(span_trim(line), &n))
		return false;
	while (n-- > 0 && span_line(&rest, &text))
		m->key_end = text.p + text.n;
	return true;
}

static bool is_private(struct span line)
{
	return span_find(line, "PRIVATE KEY") || span_find(line, "Static key");
}

static void begin_key(struct mask *m, struct span line)
{
	const char *last, *at = begin_of(line, &last), *end;
	size_t left = at ? (size_t)(m->p + m->n - at) : 0;

	if (!at || !is_private(line))
		return;
	end = span_find((struct span){ at, left < KEY_WINDOW ? left : KEY_WINDOW }, last);
	m->key_end = end;
	m->is_cut_key = !end;
}

static bool is_key_text(struct span line)
{
	line = span_trim(line);
	if (line.n < KEY_LINE)
		return false;
	for (size_t i = 0; i < line.n; i++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\"',\\n |>", line.p[i]) || !line.p[i])
			return false;
	return true;
}

/* Whether the line is inside a private key, all of which is hidden. */
static bool is_of_key(struct mask *m, struct span line, bool is_last)
{
	if (m->key_end && line.p >= m->key_end)
		m->key_end = NULL;
	if (m->key_end)
		return true;
	m->is_cut_key = m->is_cut_key && (is_last || is_key_text(line));
	return m->is_cut_key;
}

static void take_line(struct mask *m, struct span line, struct span rest)
{
	char *p = m->p + (line.p - m->p);

	if (is_of_key(m, line, rest.n == 0)) {
		const char *end = line.p + line.n;

		mask_hide(p, m->key_end && m->key_end < end ? m->key_end : end);
		return;
	}
	if (!mask_line_is_due(&m->lines) && !mask_may_hold(line))
		return;
	if (!begin_lines(m, line, rest))
		begin_key(m, line);
	mask_line(&m->lines, p, line.n, rest);
}

/* JSON that begins with this line, past which *rest is then. */
static bool take_json(struct mask *m, struct span line, struct span *rest)
{
	struct span text = span_trim(line);
	char *p = m->p + (text.p - m->p);
	size_t left = (size_t)(rest->p + rest->n - text.p), n;

	if (text.n == 0 || (*text.p != '{' && *text.p != '[') || text.p < m->no_json || mask_line_is_due(&m->lines))
		return false;
	n = mask_json(p, left);
	m->no_json = p + n;
	*rest = (struct span){ p + n, left - n };
	return n > 0;
}

void mask_secrets(char *text, size_t n)
{
	struct mask m = { .p = text, .n = n };
	struct span rest = { text, n }, line;

	while (span_line(&rest, &line)) {
		struct span after = rest;

		if (!m.key_end && !m.is_cut_key && take_json(&m, line, &after)) {
			rest = after;
			continue;
		}
		take_line(&m, line, rest);
	}
}

/* Hidden before it is cut: a cut may take the name and leave the value. */
static void quote(char *out, size_t size, struct span said, bool is_end)
{
	char *copy = xcalloc(1, said.n + 1);
	size_t n = said.n < size - 1 ? said.n : size - 1;

	if (said.n)
		memcpy(copy, said.p, said.n);
	mask_secrets(copy, said.n);
	memcpy(out, is_end ? copy + said.n - n : copy, n);
	out[n] = '\0';
	free(copy);
}

void mask_quote(char *out, size_t size, struct span said)
{
	quote(out, size, said, false);
}

void mask_quote_last(char *out, size_t size, struct span said)
{
	quote(out, size, said, true);
}
