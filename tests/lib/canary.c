#include "tests/lib/canary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tests/lib/say.h"

static struct canary *forms;
static size_t n_forms, cap_forms;

static const struct {
	const char *name, *form;
} styles[] = {
	{ "json", "\"%s\": \"{}\"," }, { "yaml", "    %s: {}" }, { "ini", "%s = {}" }, { "env", "export %s={}" }, { "cli", " %s {}" },
	{ "flag", "prog --%s {}" }, { "xml", "<%s>{}</%s>" }, { "url", "https://h/x?%s={}&y=1" },
};

/* "\n" of the file is a line's end, and "\\" a backslash. */
static char *unescaped(struct span s)
{
	char *out = xcalloc(1, s.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		bool is_escape = s.p[i] == '\\' && i + 1 < s.n && (s.p[i + 1] == 'n' || s.p[i + 1] == '\\');

		out[n++] = !is_escape ? s.p[i] : s.p[i + 1] == 'n' ? '\n' : '\\';
		i += is_escape;
	}
	return out;
}

static void add(struct span text)
{
	bool is_own = span_skip(&text, "= ");
	struct canary *c = GROW(forms, n_forms, cap_forms);

	n_forms++;
	*c = (struct canary){ .text = unescaped(text), .is_own_form = is_own };
	c->is_quoted = strstr(c->text, "\"{}\"") || strstr(c->text, "'{}'");
}

static void add_named(const char *style, struct span name)
{
	for (size_t i = 0; i < sizeof(styles) / sizeof(*styles); i++) {
		char key[64], line[256];

		if (strcmp(styles[i].name, style) != 0)
			continue;
		snprintf(key, sizeof(key), "%.*s", (int)name.n, name.p);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-extra-args"
		snprintf(line, sizeof(line), styles[i].form, key, key);
#pragma GCC diagnostic pop
		add(span_of(line));
		return;
	}
	fail_msg("canaries.txt: no style %s", style);
}

static void add_names(struct span line)
{
	struct span word, names, style, rest;

	span_word(&line, &word);
	for (rest = (struct span){ word.p + 1, word.n - 1 }; rest.n;) {
		char text[16];

		if (!span_cut(rest, ',', &style, &rest))
			style = rest, rest.n = 0;
		snprintf(text, sizeof(text), "%.*s", (int)style.n, style.p);
		names = line;
		while (span_word(&names, &word))
			add_named(text, word);
	}
}

const struct canary *canary_forms(size_t *n)
{
	char *file = forms ? NULL : file_text("tests/remote/canaries.txt", n);
	struct span rest = span_of(file), line;

	while (file && span_line(&rest, &line))
		if (line.n && *line.p != '#')
			*line.p == '@' ? add_names(line) : add(line);
	free(file);
	*n = n_forms;
	return forms;
}

bool canary_put(const struct canary *c, unsigned style, struct buf *out)
{
	static const char *const values[CANARY_STYLES] = { CANARY, "pre%" CANARY "!x", "5a-" CANARY ".9_z+/=", ("two words " CANARY) };
	struct span rest = span_of(c->text);
	const char *at;

	if ((c->is_own_form && style > 0) || (style == 3 && !c->is_quoted))
		return false;
	while ((at = span_find(rest, "{}"))) {
		buf_add(out, rest.p, (size_t)(at - rest.p));
		buf_str(out, values[style]);
		rest = (struct span){ at + 2, (size_t)(rest.p + rest.n - at - 2) };
	}
	buf_add(out, rest.p, rest.n);
	buf_str(out, "\n");
	return true;
}

static bool holds_nocase(struct span bytes, const char *text)
{
	size_t n = strlen(text);

	for (size_t i = 0; i + n <= bytes.n; i++)
		if (bytes.p[i] == *text && strncasecmp(bytes.p + i, text, n) == 0)
			return true;
	return false;
}

/* The whole groups of four that it makes at each of its three shifts. */
static bool holds_base64(struct span bytes)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *secret = (const unsigned char *)CANARY;

	for (size_t shift = 0; shift < 3; shift++) {
		char text[32];
		size_t n = 0;

		for (size_t i = shift; i + 3 <= strlen(CANARY); i += 3)
			for (int k = 18; k >= 0; k -= 6)
				text[n++] = digits[(secret[i] << 16u | secret[i + 1] << 8u | secret[i + 2]) >> k & 63];
		text[n] = '\0';
		if (span_find(bytes, text))
			return true;
	}
	return false;
}

const char *canary_in(struct span bytes)
{
	char hex[2 * sizeof(CANARY)], url[3 * sizeof(CANARY)];

	for (size_t i = 0; i < strlen(CANARY); i++) {
		snprintf(hex + 2 * i, 3, "%02x", (unsigned)CANARY[i]);
		snprintf(url + 3 * i, 4, "%%%02x", (unsigned)CANARY[i]);
	}
	if (span_find(bytes, CANARY))
		return "as it is";
	if (holds_nocase(bytes, hex))
		return "in hex";
	if (holds_nocase(bytes, url))
		return "as in a URL";
	return holds_base64(bytes) ? "in base64" : NULL;
}
