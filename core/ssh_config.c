/* What an ssh_config says of the inventory's hosts. Read as text; nothing of it is ever run. */
#include "core/inventory.h"

#include <fnmatch.h>

/* A line's keyword and its value: "Key value", "Key=value", "Key "value"". */
static bool key_value(struct span line, struct span *key, struct span *value)
{
	size_t n = 0;

	line = span_trim(line);
	while (n < line.n && line.p[n] != ' ' && line.p[n] != '\t' && line.p[n] != '=')
		n++;
	*key = (struct span){ line.p, n };
	*value = span_trim((struct span){ line.p + n, line.n - n });
	if (value->n > 0 && *value->p == '=')
		*value = span_trim((struct span){ value->p + 1, value->n - 1 });
	if (value->n >= 2 && *value->p == '"' && value->p[value->n - 1] == '"')
		*value = (struct span){ value->p + 1, value->n - 2 };
	return n > 0 && *line.p != '#' && value->n > 0;
}

/* Host patterns: any match, unless one with ! matches. */
static bool matches(struct span patterns, const char *name)
{
	struct span word;
	bool yes = false;

	while (span_word(&patterns, &word)) {
		char pattern[256];
		bool negated = span_skip(&word, "!");

		if (word.n >= sizeof(pattern))
			continue;
		memcpy(pattern, word.p, word.n);
		pattern[word.n] = '\0';
		if (fnmatch(pattern, name, 0) != 0)
			continue;
		if (negated)
			return false;
		yes = true;
	}
	return yes;
}

/* As in ssh: the first value found wins, and the inventory's own wins over all. */
static void fill(struct inventory *inv, struct host *h, struct span key, struct span value)
{
	uint64_t port;
	const char **text = NULL;

	if (span_is_nocase(key, "HostName"))
		text = &h->address;
	else if (span_is_nocase(key, "User"))
		text = &h->user;
	else if (span_is_nocase(key, "IdentityFile"))
		text = &h->identity;
	else if (span_is_nocase(key, "ProxyJump") && !span_is_nocase(value, "none"))
		text = &h->jump;
	else if (span_is_nocase(key, "Port") && h->port == 22 && span_u64(value, &port) && port > 0 && port < 65536)
		h->port = (unsigned)port;
	if (text && !*text)
		*text = arena_text(&inv->arena, value.p, value.n);
}

void inventory_ssh_config(struct inventory *inv, struct span text, struct buf *skipped)
{
	struct span line, key, value, patterns = SPAN("*");
	bool understood = true;

	while (span_line(&text, &line)) {
		if (!key_value(line, &key, &value))
			continue;
		if (span_is_nocase(key, "Match") || span_is_nocase(key, "Include")) {
			buf_printf(skipped, "%.*s %.*s\n", (int)key.n, key.p, (int)value.n, value.p);
			understood = understood && span_is_nocase(key, "Include");
			continue;
		}
		if (span_is_nocase(key, "Host")) {
			patterns = value;
			understood = true;
			continue;
		}
		for (size_t i = 0; understood && i < inv->n_hosts; i++)
			if (matches(patterns, inv->hosts[i].name))
				fill(inv, &inv->hosts[i], key, value);
	}
}
