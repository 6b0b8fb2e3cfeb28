#include "remote/platform/mask.h"

#include <ctype.h>
#include <strings.h>

/* Words after which a line tells a secret, as device configurations write them (CLI lines and JSON members). */
static const char *const words[] = {
	"password", "passwd", "passphrase", "secret", "community", "key", "token", "tacacs", "radius", "snmp-server", "psk",
	"credential", "private", "passkey", "sshkey", "tacplus",
};

static bool is_part_of_word(char c)
{
	return isalnum((unsigned char)c);
}

/* Where the word ends in s, or NULL. "key" is one in "auth-key" and "auth_key", not in "monkey" or "keyboard". */
static const char *after_word(struct span s, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= s.n; i++) {
		if (strncasecmp(s.p + i, word, n) != 0)
			continue;
		if ((i > 0 && is_part_of_word(s.p[i - 1])) || (i + n < s.n && is_part_of_word(s.p[i + n])))
			continue;
		return s.p + i + n;
	}
	return NULL;
}

static const char *secret_begins(struct span line)
{
	const char *first = NULL;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const char *at = after_word(line, words[i]);

		if (at && (!first || at < first))
			first = at;
	}
	return first;
}

static void hide(char *p, const char *end)
{
	for (; p < end; p++)
		if (!isspace((unsigned char)*p))
			*p = '*';
}

/* JSON must stay JSON: from `from` on, strings become stars between their quotes and numbers zeros. */
static void hide_json(char *p, const char *end, const char *from)
{
	bool in_string = false;

	for (; p < end; p++) {
		if (*p == '"') {
			in_string = !in_string;
		} else if (in_string && *p == '\\' && p + 1 < end) {
			if (p >= from)
				p[0] = p[1] = '*';
			p++;
		} else if (p >= from && in_string) {
			*p = '*';
		} else if (p >= from && isdigit((unsigned char)*p)) {
			*p = '0';
		}
	}
}

/* A tool may warn before it prints its object. */
static bool holds_json(struct span text)
{
	struct span line;

	while (span_line(&text, &line))
		if (span_is(span_trim(line), "{"))
			return true;
	return false;
}

static int braces(struct span line)
{
	int depth = 0;

	for (size_t i = 0; i < line.n; i++)
		depth += (line.p[i] == '{' || line.p[i] == '[') - (line.p[i] == '}' || line.p[i] == ']');
	return depth;
}

void mask_secrets(char *text, size_t n)
{
	struct span rest = { text, n }, line;
	bool in_key_block = false, is_json = holds_json(rest);
	int depth = 0;	/* inside a JSON object that a secret word names: its members' names are secrets too */

	while (span_line(&rest, &line)) {
		const char *secret = secret_begins(line);

		if (span_find(line, "-----BEGIN ") && span_find(line, "PRIVATE KEY"))
			in_key_block = true;
		if (in_key_block || depth > 0)
			secret = line.p;
		if (span_find(line, "-----END "))
			in_key_block = false;
		if (!secret)
			continue;
		if (is_json) {
			depth += braces(line);
			hide_json(text + (line.p - text), line.p + line.n, secret);
		} else {
			hide(text + (secret - text), line.p + line.n);
		}
	}
}
